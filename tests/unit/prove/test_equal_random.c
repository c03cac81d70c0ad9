/* Equality of terms on random pairs: what is called equal has equal values in every world, wherever the left side has
 * one.
 *
 * The right side is the left one with a law applied somewhere, often a wrong one: other bounds, another comparison, a
 * factor moved out of a maximum. */
#include "../term/expression.h"

#include "prove/equal.h"

enum { WORLDS = 24 };

static bool facts_too; /* roots[2] is a fact */
static uint32_t shown, total;

static bool is_called_equal_wrongly(Expression **roots, bool loud) {
  if (facts_too) equal_push(tt, build(roots[2]));
  Term a = build(roots[0]), b = build(roots[1]);
  EqualEngine engine = equal_prove(tt, a, b);
  total++;
  if (engine == EQUAL_NONE) return false;
  if (a != b) shown++;
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    Value v = naive_value(roots[0]);
    if (facts_too) {
      Value fact = naive_value(roots[2]);
      if (!fact.ok || !fact.integer) continue;
    }
    if (has_value(b, v, roots[0]->sort)) continue;
    if (loud) {
      TermValue value = term_value(b);
      fprintf(stderr, "   %s\n   is called equal (%s) to\n   %s\n   which is %.17g (%lld), not %.17g (error %g)\n",
              term_text(tt, a), equal_engine_name(engine), term_text(tt, b), value.real, (long long)value.integer,
              v.real, v.error);
      world_print();
    }
    return true;
  }
  return false;
}

static Expression *copy_of(const Expression *e) {
  Expression *c = make(e->op, e->sort, e->num, e->den, e->count, NULL, NULL, NULL);
  for (uint32_t i = 0; i < e->count; i++) c->arg[i] = copy_of(e->arg[i]);
  return c;
}

static uint32_t size_of(const Expression *e) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < e->count; i++) n += size_of(e->arg[i]);
  return n;
}

/* The place of the n-th node below. */
static Expression **place_in(Expression **root, uint32_t *n) {
  if ((*n)-- == 0) return root;
  for (uint32_t i = 0; i < (*root)->count; i++) {
    Expression **found = place_in(&(*root)->arg[i], n);
    if (found) return found;
  }
  return NULL;
}

static Expression *with_index(const Expression *e, int64_t index, Expression *by) {
  if (e->op == OP_INDEX && e->num == index) return by;
  Expression *c = make(e->op, e->sort, e->num, e->den, e->count, NULL, NULL, NULL);
  for (uint32_t i = 0; i < e->count; i++) c->arg[i] = with_index(e->arg[i], index, by);
  return c;
}

/* A fold otherwise: moved, run backwards, cut, without its last or first element, a summand or factor outside. */
static Expression *other_fold(Expression *e) {
  Expression *lo = e->arg[0], *hi = e->arg[1], *g = e->arg[2], *body = e->arg[3],
             *k = make(OP_INDEX, SORT_INT, e->num, 1, 0, NULL, NULL, NULL);
  Expression *by = random_leaf(SORT_INT), *one = number(1);
  TermFoldOp op = (TermFoldOp)e->den;
  Op join = op == FOLD_SUM    ? OP_ADD
            : op == FOLD_PROD ? OP_MUL
            : op == FOLD_MAX  ? OP_MAX
            : op == FOLD_MIN  ? OP_MIN
            : op == FOLD_ANY  ? OP_OR
                              : OP_AND;
  switch (roll(0, 6)) {
  case 0:
  case 1: { /* k + by instead of k */
    Expression *there = binary(OP_SUB, SORT_INT, k, by);
    return fold_over(op, e->sort, k, binary(OP_ADD, SORT_INT, lo, by), binary(OP_ADD, SORT_INT, hi, by),
                     with_index(g, e->num, there), with_index(body, e->num, there));
  }
  case 2: { /* backwards */
    Expression *there = binary(OP_SUB, SORT_INT, binary(OP_SUB, SORT_INT, binary(OP_ADD, SORT_INT, lo, hi), one), k);
    return fold_over(op, e->sort, k, lo, hi, with_index(g, e->num, there), with_index(body, e->num, there));
  }
  case 3:
  case 4: { /* the last element apart, though there may be none */
    Expression *last = binary(OP_SUB, SORT_INT, hi, one);
    if (e->sort == SORT_INT && op > FOLD_PROD) return e;
    return binary(join, e->sort, fold_over(op, e->sort, k, lo, last, g, body), with_index(body, e->num, last));
  }
  case 5:
    return fold_over(op, e->sort, k, chance(50) ? lo : binary(OP_ADD, SORT_INT, lo, one),
                     chance(50) ? hi : binary(OP_SUB, SORT_INT, hi, one), g, body);
  default:
    if (body->count != 2 || body->sort != e->sort || has_index(body->arg[0])) return e;
    return binary(body->op, e->sort, body->arg[0], fold_over(op, e->sort, k, lo, hi, g, body->arg[1]));
  }
}

/* The expression otherwise: a law, or something close to one. */
static Expression *otherwise(Expression *e) {
  TermSort sort = e->sort;
  Expression *a = e->count ? e->arg[0] : NULL, *b = e->count > 1 ? e->arg[1] : NULL;
  bool arithmetic = sort != SORT_BOOL;
  if (e->op == OP_FOLD && chance(85)) return other_fold(e);
  if (e->op == OP_NUMBER && chance(30))
    return make(OP_NUMBER, sort, e->num + e->den * roll(-1, 1), e->den, 0, NULL, NULL, NULL);
  if (e->op == OP_SELECT && chance(60))
    return chance(70) ? make(OP_SELECT, sort, 0, 1, 3, unary(OP_NOT, SORT_BOOL, a), e->arg[2], b)
                      : make(OP_SELECT, sort, 0, 1, 3, a, e->arg[2], b);
  if (e->op == OP_LE || e->op == OP_LT)
    return make(chance(60) ? e->op : OP_LE, sort, 0, 1, 2, chance(50) ? a : b, chance(50) ? b : a, NULL);
  if (e->op == OP_MUL && chance(50) && b->count == 2 &&
      (b->op == OP_ADD || b->op == OP_MAX || b->op == OP_SUB || b->op == OP_MIN))
    return binary(b->op, sort, binary(OP_MUL, sort, a, b->arg[0]), binary(OP_MUL, sort, a, b->arg[1]));
  if ((e->op == OP_MIN || e->op == OP_MAX) && chance(50))
    return make(OP_SELECT, sort, 0, 1, 3, binary(chance(50) ? OP_LE : OP_LT, SORT_BOOL, a, b), e->op == OP_MIN ? a : b,
                e->op == OP_MIN ? b : a);
  if (e->op == OP_ABS && chance(50))
    return make(OP_SELECT, sort, 0, 1, 3, binary(OP_LT, SORT_BOOL, a, number(0)), unary(OP_NEG, sort, a), a);
  if (e->op == OP_FN && e->num == FN_EXP && (a->op == OP_ADD || a->op == OP_SUB))
    return binary(a->op == OP_ADD ? OP_MUL : OP_DIV, sort, make(OP_FN, sort, FN_EXP, 1, 1, a->arg[0], NULL, NULL),
                  make(OP_FN, sort, FN_EXP, 1, 1, a->arg[1], NULL, NULL));
  if (e->op == OP_DIV && chance(50)) { /* by a common factor */
    Expression *c = random_leaf(SORT_REAL);
    return binary(OP_DIV, sort, binary(OP_MUL, sort, a, c), binary(OP_MUL, sort, b, c));
  }
  if (!arithmetic)
    return chance(50) ? unary(OP_NOT, sort, unary(OP_NOT, sort, e))
                      : make(OP_SELECT, sort, 0, 1, 3, random_leaf(SORT_BOOL), e, e);
  switch (roll(0, 5)) {
  case 0: return binary(OP_SUB, sort, e, binary(OP_SUB, sort, random_leaf(sort), random_leaf(sort)));
  case 1: return unary(OP_NEG, sort, unary(OP_NEG, sort, e));
  case 2: return make(OP_SELECT, sort, 0, 1, 3, random_bool(1), e, chance(50) ? e : random_leaf(sort));
  case 3:
    if (b && e->op != OP_FOLD)
      return make(e->op, sort, e->num, e->den, e->count, b->sort == a->sort ? b : a, a->sort == b->sort ? a : b,
                  e->arg[2]);
    return e;
  case 4: return random_leaf(sort);
  default: { /* e + c - c */
    Expression *c = random_leaf(sort);
    return binary(OP_SUB, sort, binary(OP_ADD, sort, e, c), c);
  }
  }
}

static int run_many(TermSort sort, int depth, int times, uint64_t seed) {
  int failures = 0;
  dice.state = seed;
  for (int i = 0; i < times; i++) {
    expressions_reset();
    Expression *roots[3] = {random_expression(sort, depth), NULL, NULL};
    roots[1] = copy_of(roots[0]);
    for (int64_t changes = roll(1, 2); changes > 0; changes--) {
      uint32_t n = (uint32_t)random_below(&dice, size_of(roots[1]));
      Expression **place = place_in(&roots[1], &n);
      *place = otherwise(*place);
    }
    facts_too = chance(30);
    if (facts_too) roots[2] = random_bool(1);
    if (chance(20)) {
      Expression *e = roots[0];
      roots[0] = roots[1], roots[1] = e;
    }
    failures += check_one("called equal", roots, facts_too ? 3 : 2, is_called_equal_wrongly);
  }
  return failures;
}

static void test_reals(void **state) {
  (void)state;
  shape = (Shape){.specials = 1, .folds = 5, .functions = 20};
  assert_int_equal(run_many(SORT_REAL, 2, rounds_of(300), 41) + run_many(SORT_REAL, 3, rounds_of(200), 42), 0);
}

static void test_folds(void **state) {
  (void)state;
  shape = (Shape){.specials = 0, .folds = 40, .functions = 15};
  assert_int_equal(run_many(SORT_REAL, 2, rounds_of(250), 43) + run_many(SORT_REAL, 3, rounds_of(60), 44), 0);
}

static void test_integers(void **state) {
  (void)state;
  shape = (Shape){.specials = 0, .folds = 10, .functions = 5};
  assert_int_equal(run_many(SORT_INT, 2, rounds_of(200), 45) + run_many(SORT_INT, 3, rounds_of(100), 46) +
                       run_many(SORT_BOOL, 2, rounds_of(200), 47),
                   0);
}

static void test_infinities(void **state) {
  (void)state;
  shape = (Shape){.specials = 12, .folds = 40, .functions = 15};
  assert_int_equal(run_many(SORT_REAL, 2, rounds_of(120), 48), 0);
}

/* The pairs are not so far apart that nothing is ever shown. */
static void test_some_are_shown(void **state) {
  (void)state;
  if (getenv("ASSAY_TEST_TIMES")) fprintf(stderr, "%u of %u shown, not by being one term\n", shown, total);
  assert_true(shown >= (uint32_t)rounds_of(10));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reals), cmocka_unit_test(test_folds),
                                     cmocka_unit_test(test_integers), cmocka_unit_test(test_infinities),
                                     cmocka_unit_test(test_some_are_shown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
