/* smt-goals: a table of SMT goals and how they were answered.
 *
 *   smt-goals [--timeout S] [--memory MIB] [--route NAME] [--warm] [--min N] DIR
 *
 * Each DIR/NAME.smt2 begins with a comment that holds `expected: sat` or `expected: unsat`. The exit status is
 * 1 when an answer was wrong, or when fewer than N goals were answered. --warm keeps one child for all goals;
 * otherwise each goal pays for the load of the library. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/smt.h"

typedef struct Tally {
  int goals, answered, wrong;
  double seconds;
} Tally;

static char *file_read(Arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  Text text = text_new(arena);
  char bytes[4096];
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;) text_append(&text, bytes, got);
  fclose(file);
  return (char *)(uintptr_t)text_string(&text);
}

static SmtAnswer expected_answer(const char *text) {
  const char *end = strchr(text, '\n'), *at = strstr(text, "expected: ");
  if (!at || (end && at > end)) return SMT_UNKNOWN;
  return !strncmp(at + 10, "unsat", 5) ? SMT_UNSAT : !strncmp(at + 10, "sat", 3) ? SMT_SAT : SMT_UNKNOWN;
}

static void goal_run(Arena *arena, const char *folder, const char *name, const SmtOptions *options, Tally *tally) {
  const char *text = file_read(arena, arena_format(arena, "%s/%s", folder, name));
  if (!text) {
    printf("%-32s cannot be read\n", name);
    return;
  }
  SmtAnswer expected = expected_answer(text);
  SmtResult result = smt_solve(arena, text, options);
  bool wrong = result.answer != SMT_UNKNOWN && expected != SMT_UNKNOWN && result.answer != expected;
  tally->goals++;
  tally->answered += result.answer != SMT_UNKNOWN;
  tally->wrong += wrong;
  tally->seconds += result.seconds;
  printf("%-32s %-8s %-8s %-8s %-17s %9.1f %2u %2u %s%s%s\n", name, smt_answer_name(expected),
         smt_answer_name(result.answer), smt_route_name(result.route), smt_step_name(result.step), result.seconds * 1e3,
         result.attempts, result.kills,
         result.answer == SMT_UNKNOWN ? smt_reason_name(result.reason)
         : result.model_checked       ? "model checked"
                                      : "",
         wrong ? " WRONG" : "", *result.detail ? arena_format(arena, " (%s)", result.detail) : "");
  fflush(stdout);
}

static int only_goals(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 5 && !strcmp(entry->d_name + length - 5, ".smt2");
}

static SmtRoute route_named(const char *name) {
  for (int i = 0; i < SMT_ROUTE_COUNT; i++)
    if (!strcmp(smt_route_name((SmtRoute)i), name)) return (SmtRoute)i;
  return SMT_ROUTE_AUTO;
}

int main(int argc, char **argv) {
  SmtOptions options = {.timeout_seconds = 5};
  SmtSession session = {0};
  int least = 0;
  const char *folder = NULL;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--timeout"))
      options.timeout_seconds = atof(value), i++;
    else if (!strcmp(argv[i], "--memory"))
      options.memory_bytes = (size_t)atol(value) << 20, i++;
    else if (!strcmp(argv[i], "--route"))
      options.route = route_named(value), i++;
    else if (!strcmp(argv[i], "--min"))
      least = atoi(value), i++;
    else if (!strcmp(argv[i], "--warm"))
      options.session = &session;
    else
      folder = argv[i];
  }
  struct dirent **entries;
  int count = folder ? scandir(folder, &entries, only_goals, alphasort) : -1;
  if (count < 0) {
    fprintf(stderr, "usage: smt-goals [--timeout S] [--memory MIB] [--route NAME] [--warm] [--min N] DIR\n");
    return 2;
  }
  Tally tally = {0};
  printf("%-32s %-8s %-8s %-8s %-17s %9s %2s %2s\n", "goal", "expected", "answer", "route", "step", "ms", "at", "ki");
  for (int i = 0; i < count; i++) {
    Guard guard;
    Arena arena;
    guard_init(&guard, 0, 0);
    arena_init(&arena, &guard);
    if (setjmp(guard.escape))
      printf("%-32s stopped: %s\n", entries[i]->d_name, guard.message);
    else
      goal_run(&arena, folder, entries[i]->d_name, &options, &tally);
    arena_destroy(&arena);
    free(entries[i]);
  }
  free(entries);
  smt_session_close(&session);
  printf("%d goals, %d answered, %d wrong, %d unknown, %.2f s\n", tally.goals, tally.answered, tally.wrong,
         tally.goals - tally.answered, tally.seconds);
  return tally.wrong || tally.answered < least;
}
