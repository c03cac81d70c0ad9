/* Guard: budget of bytes, deadline, room for recursion, and the unwinding of failures (see guard.h). */
#include "base/guard.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double guard_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { STACK_RESERVE = 256 << 10, STACK_MOST = 256 << 20 };

/* The lowest address of another thread's stack, and its size. */
static const char *thread_stack(size_t *size) {
  pthread_attr_t attributes;
  void *low = NULL;
  if (pthread_getattr_np(pthread_self(), &attributes)) return NULL;
  if (pthread_attr_getstack(&attributes, &low, size)) low = NULL;
  pthread_attr_destroy(&attributes);
  return low;
}

/* What was used of the main thread's stack before is small, and within the reserve. */
void guard_use_stack(Guard *guard) {
  const char *here = __builtin_frame_address(0), *low = NULL;
  size_t size = 8 << 20;
  struct rlimit limit;
  guard->stack_end = NULL;
  if (getpid() != gettid())
    low = thread_stack(&size);
  else if (!getrlimit(RLIMIT_STACK, &limit)) {
    size = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > STACK_MOST ? STACK_MOST : (size_t)limit.rlim_cur;
    low = here - size;
  }
  if (low) guard->stack_end = low + (size > 2 * STACK_RESERVE ? STACK_RESERVE : size / 2);
}

_Noreturn void guard_stack_end(Guard *guard) {
  guard_throw(guard, GUARD_LIMIT, "nested deeper than the stack has room");
}

void guard_init(Guard *guard, size_t bytes_limit, double timeout_seconds) {
  memset(guard, 0, sizeof *guard);
  guard_use_stack(guard);
  guard->bytes_limit = bytes_limit ? bytes_limit : SIZE_MAX;
  guard->deadline = timeout_seconds > 0 ? guard_now() + timeout_seconds : 0;
}

_Noreturn void guard_throw(Guard *guard, GuardReason reason, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(guard->message, sizeof guard->message, format, args);
  va_end(args);
  guard->reason = reason;
  longjmp(guard->escape, 1);
}

void *guard_malloc(Guard *guard, size_t size) {
  guard_count(guard);
  if (size > guard->bytes_limit || guard->bytes > guard->bytes_limit - size)
    guard_throw(guard, GUARD_MEMORY, "memory limit of %zu bytes reached", guard->bytes_limit);
  void *memory = malloc(size);
  if (!memory) guard_throw(guard, GUARD_MEMORY, "out of memory");
  guard->bytes += size;
  if (guard->bytes > guard->bytes_peak) guard->bytes_peak = guard->bytes;
  return memory;
}

void guard_free(Guard *guard, void *memory, size_t size) {
  guard->bytes -= size;
  free(memory);
}

void guard_check_time(Guard *guard) {
  if (guard->deadline > 0 && guard_now() > guard->deadline) guard_throw(guard, GUARD_TIMEOUT, "time limit reached");
}

bool guard_attempt(Guard *guard, double share, void (*work)(void *payload), void *payload) {
  jmp_buf outer;
  const double deadline = guard->deadline, now = guard_now();
  memcpy(&outer, &guard->escape, sizeof outer);
  volatile bool good = false;
  if (deadline > 0) guard->deadline = now + share * (deadline - now);
  if (!setjmp(guard->escape)) {
    work(payload);
    good = true;
  }
  memcpy(&guard->escape, &outer, sizeof outer);
  guard->deadline = deadline;
  if (good) return true;
  bool own_time = guard->reason == GUARD_TIMEOUT && deadline > 0 && guard_now() < deadline;
  if (guard->reason != GUARD_LIMIT && !own_time) longjmp(guard->escape, 1); /* reason and message stand */
  guard->missed = guard->reason, guard->reason = GUARD_NONE;
  return false;
}
