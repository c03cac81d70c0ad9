/* Rewriting, normal form and the laws of folds: the value stays wherever there was one. */
#include "expression.h"
#include "laws/laws.h"

enum { WORLDS = 12 };

typedef enum Way {
  REBUILD,
  EXPAND,
  NORMALIZE,
  MERGE,
  MERGE_NORMALIZE,
  EXTEND,
  PEEL_N,
  PEEL_M,
  PEEL_NEXT,
  REFOLD,
  JOIN,
  WAYS
} Way;

static const char *const way_names[] = {
    "rebuild",   "expand",        "normalize",  "merge tiles", "merge tiles, normalize", "extend folds", "peel to n",
    "peel to m", "peel to m + 1", "open folds", "join ranges"};

static Way way;

static Term refold(TermTable *table, Term t, void *unused) {
  (void)unused;
  if (term_kind(table, t) != TERM_FOLD) return t;
  FoldParts p = term_fold_open(table, t);
  return term_fold(table, p.op, p.symbol, p.lo, p.hi, p.guard, p.body);
}

static Term rewritten(Term t) {
  Term end = way == PEEL_N ? symbols[N] : way == PEEL_M ? symbols[M] : term_add(tt, symbols[M], tt->one);
  switch (way) {
  case REBUILD: return term_rebuild(tt, t);
  case EXPAND: return term_expand(tt, t);
  case NORMALIZE: return term_normalize(tt, t);
  case MERGE: return term_transform(tt, t, term_merge_tiles, NULL);
  case MERGE_NORMALIZE: return term_normalize(tt, term_transform(tt, t, term_merge_tiles, NULL));
  case EXTEND: return term_transform(tt, t, term_extend_folds, NULL);
  case PEEL_N:
  case PEEL_M:
  case PEEL_NEXT: return term_transform(tt, t, term_peel_folds, &end);
  case REFOLD: return term_transform(tt, t, refold, NULL);
  case JOIN: return term_transform(tt, t, term_join_ranges, NULL);
  case WAYS: break;
  }
  return t;
}

static void complain(Term before, Term after, Value v) {
  TermValue value = term_value(after);
  fprintf(stderr, "   %s\n   becomes %s\n   which is %.17g (%lld), not %.17g (error %g)\n", term_text(tt, before),
          term_text(tt, after), value.real, (long long)value.integer, v.real, v.error);
  world_print();
}

static bool is_rewritten_wrongly(Expression **roots, bool loud) {
  Term t = build(roots[0]), after = rewritten(t);
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    Value v = naive_value(roots[0]);
    if (has_value(after, v, roots[0]->sort)) continue;
    if (loud) complain(t, after, v);
    return true;
  }
  return false;
}

/* roots: a condition and a term, which has its value where the condition holds. */
static bool is_assumed_wrongly(Expression **roots, bool loud) {
  Term condition = build(roots[0]), t = build(roots[1]), after = term_assume(tt, t, condition);
  for (int w = 0; w < 4 * WORLDS; w++) {
    world_draw();
    Value given = naive_value(roots[0]), v = naive_value(roots[1]);
    if (!given.ok || !given.integer || has_value(after, v, roots[1]->sort)) continue;
    if (loud) fprintf(stderr, "   where %s\n", term_text(tt, condition)), complain(t, after, v);
    return true;
  }
  return tt->facts.count != 0;
}

static int replaced;

/* roots: what replaces a symbol, and the term it occurs in. */
static bool is_replaced_wrongly(Expression **roots, bool loud) {
  Term by = build(roots[0]), t = build(roots[1]), after = term_replace(tt, t, symbols[replaced], by);
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    Value new = naive_value(roots[0]), old = world[replaced];
    if (!new.ok || new.nan || isinf(new.real)) continue;
    if ((replaced == B && new.integer > 9) || (replaced == LANE && (new.integer < 0 || new.integer > 3))) continue;
    world[replaced] = new;
    Value v = naive_value(roots[1]);
    world[replaced] = old;
    if (has_value(after, v, roots[1]->sort)) continue;
    if (loud)
      fprintf(stderr, "   %s = %s\n", term_name(tt, symbols[replaced]), term_text(tt, by)), complain(t, after, v);
    return true;
  }
  return false;
}

static TermSort random_sort(void) { return chance(60) ? SORT_REAL : chance(60) ? SORT_INT : SORT_BOOL; }

static void run_ways(uint64_t seed, int depth, int times) {
  int failures = 0;
  dice.state = seed;
  for (int i = 0; i < times; i++) {
    way = (Way)roll(0, WAYS - 1);
    expressions_reset();
    Expression *e = random_expression(random_sort(), depth);
    failures += check_one(way_names[way], &e, 1, is_rewritten_wrongly);
  }
  assert_int_equal(failures, 0);
}

static void test_ways(void **state) {
  (void)state;
  shape = (Shape){.specials = 1, .folds = 15, .functions = 20};
  run_ways(31, 3, rounds_of(2000));
  run_ways(32, 4, rounds_of(500));
}

static void test_ways_of_folds(void **state) {
  (void)state;
  shape = (Shape){.specials = 0, .folds = 40, .functions = 15};
  run_ways(33, 4, rounds_of(600));
}

static void test_assume(void **state) {
  (void)state;
  shape = (Shape){.specials = 1, .folds = 10, .functions = 5};
  int failures = 0;
  dice.state = 34;
  for (int i = 0; i < rounds_of(1000); i++) {
    expressions_reset();
    Expression *roots[2] = {random_bool(2), random_expression(random_sort(), 4)};
    if (chance(50)) roots[0] = binary(OP_AND, SORT_BOOL, roots[0], random_bool(1));
    if (chance(50))
      roots[1] = make(OP_SELECT, SORT_REAL, 0, 1, 3, random_bool(2),
                      roots[1]->sort == SORT_BOOL ? random_leaf(SORT_REAL) : roots[1], random_leaf(SORT_REAL));
    failures += check_one("assumed", roots, 2, is_assumed_wrongly);
  }
  assert_int_equal(failures, 0);
}

static void test_replace(void **state) {
  (void)state;
  static const int which[] = {A, B, LANE, U, V};
  shape = (Shape){.specials = 1, .folds = 15, .functions = 5};
  int failures = 0;
  dice.state = 35;
  for (int i = 0; i < rounds_of(1500); i++) {
    expressions_reset();
    replaced = which[roll(0, 4)];
    Expression *roots[2] = {random_expression(replaced < INTEGERS ? SORT_INT : SORT_REAL, 2), NULL};
    roots[1] = random_expression(random_sort(), 4);
    failures += check_one("replaced", roots, 2, is_replaced_wrongly);
  }
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_ways_of_folds),
                                     cmocka_unit_test(test_assume), cmocka_unit_test(test_replace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
