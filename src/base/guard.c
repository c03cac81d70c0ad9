/* Guard: budget of bytes, deadline, and the unwinding of failures (see guard.h). */
#include "base/guard.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double guard_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void guard_init(Guard *guard, size_t bytes_limit, double timeout_seconds) {
  memset(guard, 0, sizeof *guard);
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
  if (guard->deadline > 0 && guard_now() > guard->deadline)
    guard_throw(guard, GUARD_TIMEOUT, "time limit reached");
}
