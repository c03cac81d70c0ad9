/* The answer of last resort, and the progress line.
 *
 * The library turns limits into answers where its loops ask for the time. Should it crash instead (a bug, the end of
 * the stack) or not ask for too long, a signal handler prints the answer that was prepared before the run -
 * `unknown`, with the code `internal` or `timeout` - and leaves with exit code 2: a script that parses our output
 * never meets a half-written object or a signal. So does the command line where the library cannot even make an answer
 * for want of memory. The handler only writes and exits. Sanitized builds do without the
 * crash part, since there the report of the sanitizer is wanted. */
#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

enum { CRASHED, OVERDUE, EXHAUSTED, ANSWERS };

static char answers[ANSWERS][1600];
static volatile sig_atomic_t is_armed;
static volatile sig_atomic_t has_progress, is_shown;
static volatile double started, overdue_at; /* 0: never */
static char line_text[200];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void put(int stream, const char *text) {
  if (write(stream, text, strlen(text)) < 0) return;
}

static _Noreturn void give_up(int which) {
  static const char *const messages[] = {"internal error; this is a bug in Assay", "the time limit was reached",
                                         "out of memory"};
  if (is_shown) put(2, "\r\x1b[K");
  put(1, answers[which]);
  put(2, "assay: ");
  put(2, messages[which]);
  put(2, "\n");
  _exit(EXIT_UNKNOWN);
}

void rescue_out_of_memory(void) {
  fflush(stdout);
  give_up(EXHAUSTED);
}

static void on_crash(int signal_number) {
  if (is_armed) give_up(CRASHED);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* Once a second: the limit, then the progress line. */
static void on_timer(int signal_number) {
  (void)signal_number;
  double time = now();
  if (is_armed && overdue_at > 0 && time > overdue_at) give_up(OVERDUE);
  if (!is_armed || !has_progress || time - started < 1) return;
  char text[260];
  int seconds = (int)(time - started), length = 0;
  for (const char *at = "\r\x1b[K"; *at; at++) text[length++] = *at;
  for (const char *at = line_text; *at; at++) text[length++] = *at;
  char digits[12];
  int count = 0;
  do digits[count++] = (char)('0' + seconds % 10);
  while ((seconds /= 10) && count < 10);
  text[length++] = ' ';
  while (count) text[length++] = digits[--count];
  text[length++] = 's';
  is_shown = 1;
  if (write(2, text, (size_t)length) < 0) is_shown = 0;
}

static void catch_signal(int signal_number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(signal_number, &action, NULL);
}

void rescue_install(void) {
#ifndef HAS_SANITIZER
  static char stack[1 << 16];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  sigaltstack(&alternate, NULL);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) catch_signal(crashes[i], on_crash, SA_ONSTACK);
#else
  (void)on_crash;
#endif
  catch_signal(SIGALRM, on_timer, SA_RESTART);
}

/* A JSON string, or null; what does not fit into `size` is cut between characters. */
static void quote(char *out, size_t size, const char *text) {
  if (!text) {
    strcpy(out, "null");
    return;
  }
  size_t at = 0;
  out[at++] = '"';
  for (; *text && at + 8 < size; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\')
      at += (size_t)snprintf(out + at, 8, "\\u%04x", c < 0x7F ? c : 0xFFFD);
    else
      out[at++] = (char)c;
  }
  out[at++] = '"';
  out[at] = 0;
}

static void prepare(int which, const char *input, const char *kernel, RescueForm form, const char *code,
                    const char *text) {
  char quoted_input[520], quoted_kernel[300];
  quote(quoted_input, sizeof quoted_input, input);
  quote(quoted_kernel, sizeof quoted_kernel, kernel);
  const char *name = kernel ? quoted_kernel : quoted_input;
  if (form == RESCUE_ROW)
    snprintf(answers[which], sizeof answers[which], "%-10s%-10s%-32s  %s\n", "unknown", "unknown", name, text);
  else if (form == RESCUE_JSON)
    snprintf(
        answers[which], sizeof answers[which],
        "{\"schema\": 1, \"version\": \"%s\", \"input\": %s, \"kernel\": %s, \"verdict\": \"unknown\", \"safety\": "
        "\"unknown\", \"reason\": {\"code\": \"%s\", \"text\": \"%s\"}, \"inputs\": [], \"outputs\": [], "
        "\"assumptions\": [], "
        "\"obligations\": [], \"literals\": [], \"roundings\": [], \"opaque\": [], \"witness\": null, \"diagnostics\": "
        "[]}\n",
        assay_version(), quoted_input, quoted_kernel, code, text);
  else
    snprintf(answers[which], sizeof answers[which], "%s\n  %-10s  unknown: %s [%s]\n  %-10s  unknown\n", name,
             "verdict", text, code, "safety");
}

void rescue_expect(const char *input, const char *kernel, RescueForm form, double timeout) {
  prepare(CRASHED, input, kernel, form, "internal", "Assay crashed; this is a bug in Assay");
  prepare(OVERDUE, input, kernel, form, "timeout", "time limit reached; raise --timeout");
  prepare(EXHAUSTED, input, kernel, form, "memory", "out of memory");
  snprintf(line_text, sizeof line_text, "%.120s", kernel ? kernel : input);
  started = now();
  /* The library is to answer first: it gets a tenth and a second more. */
  overdue_at = timeout > 0 ? started + 1.1 * timeout + 1 : 0;
  is_armed = 1;
  struct itimerval every = {{0, 500000}, {0, 500000}};
  if (overdue_at > 0 || has_progress) setitimer(ITIMER_REAL, &every, NULL);
}

void rescue_done(void) {
  struct itimerval none = {0};
  setitimer(ITIMER_REAL, &none, NULL);
  is_armed = 0;
  if (is_shown) put(2, "\r\x1b[K");
  is_shown = 0;
}

void progress_enable(bool on) { has_progress = on; }

void progress_stage(const char *input, const char *stage, void *payload) {
  (void)payload;
  if (!has_progress) return;
  char text[200];
  snprintf(text, sizeof text, "%.100s: %.40s", input, stage);
  for (char *at = text; *at; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7F) *at = '?';
  memcpy(line_text, text, sizeof text); /* a handler in between shows a mixture for half a second */
}
