/* Guard: the one place where a limit or an internal error lands.
 *
 * A public function sets a guard (`setjmp(guard.escape)`), runs, and turns whatever arrives into a status.
 * The guard also carries the budget of bytes and the deadline, which long loops ask for with `guard_tick`. */
#ifndef ASSAY_BASE_GUARD_H
#define ASSAY_BASE_GUARD_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum GuardReason {
  GUARD_NONE = 0,
  GUARD_MEMORY,   /* over the byte limit, or malloc failed */
  GUARD_TIMEOUT,  /* past the deadline */
  GUARD_LIMIT,    /* a fixed limit of the implementation (depth, coefficient size) */
  GUARD_INTERNAL, /* a broken invariant */
} GuardReason;

typedef struct Guard {
  jmp_buf escape;
  GuardReason reason;
  GuardReason missed; /* what ended the last attempt that failed */
  char message[200];
  size_t bytes, bytes_limit, bytes_peak;
  double deadline; /* CLOCK_MONOTONIC seconds; 0: none */
  uint32_t ticks;
  const char *stack_end; /* a frame below it is the end of the room for recursion */
  uint64_t fail_at;      /* tests: the n-th allocation fails; 0: never */
  uint64_t allocations;  /* so far: of arenas, and the chunks that these needed */
} Guard;

void guard_init(Guard *guard, size_t bytes_limit, double timeout_seconds);
/* The room for recursion is that of the calling thread's stack; guard_init has done it. */
void guard_use_stack(Guard *guard);
_Noreturn void guard_throw(Guard *guard, GuardReason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Counts one allocation, which fails when the tests ask for it. */
static inline void guard_count(Guard *guard) {
  if (++guard->allocations == guard->fail_at) guard_throw(guard, GUARD_MEMORY, "out of memory");
}
/* Runs work(payload) within that share of the time that is left. false: that time or a fixed limit ended it, and the
 * caller goes on; everything else goes on to the caller's own guard. */
bool guard_attempt(Guard *guard, double share, void (*work)(void *payload), void *payload);
/* malloc and free that count against the budget; used by arenas only. */
void *guard_malloc(Guard *guard, size_t size);
void guard_free(Guard *guard, void *memory, size_t size);
double guard_now(void);
void guard_check_time(Guard *guard);
_Noreturn void guard_stack_end(Guard *guard);
/* For every recursion whose depth the input decides. Throws GUARD_LIMIT near the end of the stack. */
static inline void guard_depth(Guard *guard) {
  if ((const char *)__builtin_frame_address(0) < guard->stack_end) guard_stack_end(guard);
}
/* Cheap; throws GUARD_TIMEOUT when the deadline has passed. Allocation and the construction of terms tick. */
static inline void guard_tick(Guard *guard) {
  guard_depth(guard);
  if (!(++guard->ticks & 1023)) guard_check_time(guard);
}

#endif
