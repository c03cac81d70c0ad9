/* Results of a pool come in the order of its pieces, whatever becomes of the processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/pool.h"

enum { PIECES = 12, LONG = 300000 };

typedef struct Case {
  Arena *arena;
  pid_t parent;
  uint32_t taken, wanted, made; /* made: in the parent */
  uint32_t fails;               /* the piece that throws, in whichever process */
} Case;

static bool wants(void *payload, uint32_t piece) {
  (void)piece;
  const Case *c = payload;
  return c->taken < c->wanted;
}

/* Later ones are done earlier; one is longer than a pipe; of others, processes crash or want more memory than is left.
 */
static const char *make(void *payload, uint32_t piece) {
  Case *c = payload;
  bool is_parent = getpid() == c->parent;
  c->made += is_parent;
  if (piece == c->fails) guard_throw(c->arena->guard, GUARD_LIMIT, "piece %u", piece);
  if (!is_parent && piece == 3) _exit(0);
  if (!is_parent && piece == 4) guard_throw(c->arena->guard, GUARD_MEMORY, "out of memory");
  if (!is_parent) usleep((PIECES - piece) * 1000);
  if (piece != 5) return arena_format(c->arena, "piece %u", piece);
  char *text = arena_alloc(c->arena, LONG + 1);
  memset(text, 'x', LONG);
  return text;
}

static void take(void *payload, uint32_t piece, const char *text) {
  Case *c = payload;
  if (!text) return;
  assert_int_equal(piece, c->taken++);
  if (piece == 5)
    assert_int_equal(strlen(text), LONG);
  else
    assert_string_equal(text, arena_format(c->arena, "piece %u", piece));
}

static bool run(Case *c, uint32_t jobs, size_t bytes) {
  Guard guard;
  Arena arena;
  guard_init(&guard, bytes, 0);
  arena_init(&arena, &guard);
  c->parent = getpid(), c->arena = &arena;
  if (setjmp(guard.escape)) {
    assert_string_equal(guard.message, "piece 7");
    arena_destroy(&arena);
    return false;
  }
  pool_run(c->arena, &(PoolWork){c, PIECES, jobs, wants, make, take});
  arena_destroy(&arena);
  return true;
}

static void test_order(void **state) {
  (void)state;
  for (uint32_t jobs = 0; jobs < 6; jobs++) {
    Case c = {.wanted = PIECES, .fails = UINT32_MAX};
    assert_true(run(&c, jobs, 0));
    assert_int_equal(c.taken, PIECES);
    assert_int_equal(c.made, jobs < 2 ? PIECES : 2);
  }
}

static void test_as_many_as_are_wanted(void **state) {
  (void)state;
  for (uint32_t jobs = 1; jobs < 6; jobs++) {
    Case c = {.wanted = 2, .fails = UINT32_MAX};
    assert_true(run(&c, jobs, 0));
    assert_int_equal(c.taken, 2);
  }
}

/* The share of a process is too little for the long text, so the parent makes it. */
static void test_memory(void **state) {
  (void)state;
  Case c = {.wanted = PIECES, .fails = UINT32_MAX};
  assert_true(run(&c, 8, 5 * LONG));
  assert_int_equal(c.taken, PIECES);
  assert_int_equal(c.made, 3);
}

static void test_what_fails_fails_in_the_parent(void **state) {
  (void)state;
  for (uint32_t jobs = 1; jobs < 4; jobs++) {
    Case c = {.wanted = PIECES, .fails = 7};
    assert_false(run(&c, jobs, 0));
    assert_int_equal(c.taken, 7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_as_many_as_are_wanted),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_what_fails_fails_in_the_parent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
