/* Range questions and signs: what is shown holds in every world that meets the ranges and the facts, and is never
 * refuted. */
#include "expression.h"
#include "laws/laws.h"

enum { WORLDS = 60 };

static bool facts_hold(Expression **roots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    Value v = naive_value(roots[i]);
    if (!v.ok || !v.integer) return false;
  }
  return true;
}

static void push_facts(Expression **roots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    Term fact = build(roots[i]);
    if (fact != tt->true_) term_push_fact(tt, fact);
  }
}

/* roots: two facts and an integer. No bound below its greatest value may be shown, nor the greatest be refuted; the
 * term, built where the facts are known, has its value. */
static bool is_bound_wrong(Expression **roots, bool loud) {
  int64_t most = INT64_MIN, least = INT64_MAX;
  push_facts(roots, 2);
  Term t = build(roots[2]);
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    if (!facts_hold(roots, 2)) continue;
    Value v = naive_value(roots[2]);
    if (!v.ok) continue;
    if (v.integer > most) most = v.integer;
    if (v.integer < least) least = v.integer;
    if (has_value(t, v, SORT_INT)) continue;
    if (loud)
      fprintf(stderr, "   %s is %lld, not %lld\n", term_text(tt, t), (long long)term_value(t).integer,
              (long long)v.integer),
          world_print();
    return true;
  }
  if (most < least) return false;
  bool above = term_prove_le(tt, t, term_int(tt, most - 1)), below = term_prove_le(tt, term_int(tt, least + 1), t);
  if (loud && (above || below))
    fprintf(stderr, "   %s %s, but is %lld somewhere\n", term_text(tt, t),
            above ? "is shown to be less" : "is shown to be greater", (long long)(above ? most : least));
  for (int64_t more = 0; more < 3 && !above && !below; more++) {
    Term over = term_sub(tt, t, term_int(tt, most + more));
    above = term_is_refuted(tt, over) && term_prove_nonpositive(tt, over);
    if (loud && above) fprintf(stderr, "   %s <= 0 is both shown and refuted\n", term_text(tt, over));
  }
  return above || below;
}

/* roots: two facts and a condition. */
static bool is_truth_wrong(Expression **roots, bool loud) {
  push_facts(roots, 2);
  Term t = build(roots[2]);
  bool yes = term_prove_true(tt, t), no = term_prove_true(tt, term_not(tt, t));
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    if (!facts_hold(roots, 2)) continue;
    Value v = naive_value(roots[2]);
    if (!v.ok || !(v.integer ? no : yes)) continue;
    if (loud) fprintf(stderr, "   %s is shown to be %s\n", term_text(tt, t), yes ? "true" : "false"), world_print();
    return true;
  }
  return false;
}

/* roots: two facts and a real. */
static bool is_sign_wrong(Expression **roots, bool loud) {
  push_facts(roots, 2);
  Term t = build(roots[2]);
  bool positive = term_is_positive(tt, t), nonnegative = term_is_nonnegative(tt, t), nonzero = term_is_nonzero(tt, t),
       finite = term_is_finite(tt, t), number = term_is_number(tt, t);
  for (int w = 0; w < WORLDS; w++) {
    world_draw();
    if (!facts_hold(roots, 2)) continue;
    Value v = naive_value(roots[2]);
    if (!v.ok) continue;
    bool bad = (v.nan && (finite || number)) || (isinf(v.real) && finite);
    if (!v.nan)
      bad |= (positive && v.real < -v.error * 1e4) || (positive && v.real == 0 && v.error == 0) ||
             (nonnegative && v.real < -v.error * 1e4) || (nonzero && v.real == 0 && v.error == 0);
    if (!bad) continue;
    if (loud)
      fprintf(stderr, "   %s is %g:%s%s%s%s%s\n", term_text(tt, t), v.real, positive ? " positive" : "",
              nonnegative ? " nonnegative" : "", nonzero ? " nonzero" : "", finite ? " finite" : "",
              number ? " number" : ""),
          world_print();
    return true;
  }
  return false;
}

/* A condition that holds in the world at hand. */
static Expression *random_fact(void) {
  Expression *e = chance(15) ? make(OP_TRUE, SORT_BOOL, 0, 1, 0, NULL, NULL, NULL)
                  : chance(70)
                      ? binary(chance(60) ? OP_LE : OP_EQ, SORT_BOOL, random_int(chance(50) ? 1 : 2), random_int(1))
                      : random_bool(2);
  Value v = naive_value(e);
  return v.ok && !v.integer ? unary(OP_NOT, SORT_BOOL, e) : e;
}

static bool holds(const Expression *e, bool *ok) {
  Value v = naive_value(e);
  *ok = *ok && v.ok;
  return v.integer != 0;
}

static int united;

/* roots: what is common to two conditions, and the rest of either: their union is right wherever all of them have
 * values. */
static bool is_union_wrong(Expression **roots, bool loud) {
  Term x = term_and(tt, build(roots[0]), build(roots[1])),
       y = term_and(tt, build(roots[0]), term_and(tt, build(roots[2]), build(roots[3])));
  Term either = term_unite(tt, x, y);
  united += either != 0;
  for (int w = 0; w < WORLDS && either; w++) {
    bool ok = true;
    world_draw();
    bool common = holds(roots[0], &ok), a = holds(roots[1], &ok), b = holds(roots[2], &ok), c = holds(roots[3], &ok);
    if (!ok || (term_value(either).integer != 0) == (common && (a || (b && c)))) continue;
    if (loud) fprintf(stderr, "   %s is not the union\n", term_text(tt, either)), world_print();
    return true;
  }
  return false;
}

static Expression *random_side(void) {
  return binary(chance(85) ? OP_LE : OP_EQ, SORT_BOOL, random_int(chance(60) ? 0 : 1), random_int(0));
}

/* Random halves: of what is not in the first, the second is given, all or more. */
static int unite_many(int times, uint64_t seed) {
  int failures = 0;
  dice.state = seed;
  for (int i = 0; i < times; i++) {
    expressions_reset();
    world_draw();
    Expression *a = random_side(), *not_a = unary(OP_NOT, SORT_BOOL, a),
               *both = make(OP_TRUE, SORT_BOOL, 0, 1, 0, NULL, NULL, NULL);
    if (chance(40)) a = binary(OP_AND, SORT_BOOL, a, random_side());
    Expression *roots[4] = {chance(50) ? both : random_fact(), a, chance(70) ? not_a : random_side(),
                            chance(50) ? both : random_side()};
    failures += check_one("united wrongly", roots, 4, is_union_wrong);
  }
  return failures;
}

static int run_many(Fails fails, TermSort sort, int depth, int times, uint64_t seed) {
  int failures = 0;
  dice.state = seed;
  for (int i = 0; i < times; i++) {
    expressions_reset();
    world_draw();
    Expression *roots[3] = {random_fact(), random_fact(), random_expression(sort, depth)};
    failures += check_one("shown wrongly", roots, 3, fails);
  }
  return failures;
}

static void test_bounds(void **state) {
  (void)state;
  shape = (Shape){0};
  assert_int_equal(run_many(is_bound_wrong, SORT_INT, 2, rounds_of(400), 21) +
                       run_many(is_bound_wrong, SORT_INT, 4, rounds_of(300), 22),
                   0);
}

static void test_bounds_of_folds(void **state) {
  (void)state;
  shape = (Shape){.folds = 25};
  assert_int_equal(run_many(is_bound_wrong, SORT_INT, 3, rounds_of(300), 23), 0);
}

static void test_conditions(void **state) {
  (void)state;
  shape = (Shape){.specials = 1, .folds = 5, .functions = 3};
  assert_int_equal(run_many(is_truth_wrong, SORT_BOOL, 2, rounds_of(500), 24) +
                       run_many(is_truth_wrong, SORT_BOOL, 4, rounds_of(300), 25),
                   0);
}

static void test_signs(void **state) {
  (void)state;
  shape = (Shape){.specials = 3, .folds = 10, .functions = 15};
  assert_int_equal(run_many(is_sign_wrong, SORT_REAL, 2, rounds_of(600), 26) +
                       run_many(is_sign_wrong, SORT_REAL, 4, rounds_of(300), 27) +
                       run_many(is_sign_wrong, SORT_INT, 3, rounds_of(300), 28),
                   0);
}

static Term side(const char *name, int64_t lo) {
  return term_le(tt, term_int(tt, lo), integer(name, SYMBOL_LANE, tt->zero, term_int(tt, 1023)));
}

static void test_unions(void **state) {
  (void)state;
  shape = (Shape){0};
  united = 0;
  assert_int_equal(unite_many(rounds_of(1500), 29), 0);
  assert_true(united >= rounds_of(250));
  world_open();
  Term i = integer("i", SYMBOL_LANE, tt->zero, term_int(tt, 1023)), n = integer("n", SYMBOL_SIZE, tt->one, 0),
       m = side("j", 5);
  Term below = term_lt(tt, i, n), low = term_lt(tt, i, term_int(tt, 512)), high = term_not(tt, low),
       top = term_le(tt, term_int(tt, 768), i);
  Term middle = term_and(tt, high, term_not(tt, top));
  assert_int_equal(term_unite(tt, term_and(tt, below, low), term_and(tt, below, high)), below);
  assert_int_equal(term_unite(tt, low, high), tt->true_);
  assert_int_equal(term_unite(tt, middle, top), high); /* thirds, in any order */
  assert_int_equal(term_unite(tt, top, middle), high);
  assert_int_equal(term_unite(tt, low, middle), term_not(tt, top));
  assert_int_equal(term_unite(tt, term_and(tt, below, low), term_and(tt, below, middle)),
                   term_and(tt, below, term_not(tt, top)));
  assert_int_equal(term_unite(tt, low, top), 0);                   /* with a gap */
  assert_int_equal(term_unite(tt, low, term_and(tt, high, m)), 0); /* with a condition of its own */
  assert_int_equal(term_unite(tt, low, term_and(tt, low, m)), low);
  assert_int_equal(term_unite(tt, term_le(tt, i, term_int(tt, 600)), high), tt->true_); /* they overlap */
  world_close();
}

/* A size that another one divides is not below it; one that may be 0 is. */
static void test_divided(void **state) {
  (void)state;
  shape = (Shape){0};
  for (int least = 0; least < 2; least++) {
    world_open();
    Term h = integer("h", SYMBOL_SIZE, term_int(tt, least), 0), k = integer("k", SYMBOL_SIZE, tt->one, 0),
         q = term_floordiv(tt, h, k), back = term_floordiv(tt, k, h);
    assert_false(term_prove_le(tt, tt->one, q));
    term_push_fact(tt, term_eq(tt, h, term_mul(tt, k, q)));
    assert_int_equal(term_prove_le(tt, tt->one, q), least);
    assert_int_equal(term_prove_le(tt, k, h), least);
    assert_false(term_prove_le(tt, term_int(tt, 2), q));
    assert_false(least && term_prove_le(tt, tt->one, back));
    world_close();
  }
}

/* Tiles of an index below `size`: a digit, and how many values it has. */
static Term tile(const char *name, Term last, int64_t width) {
  return term_floordiv(tt, integer(name, SYMBOL_INDEX, tt->zero, last), term_int(tt, width));
}

static Term tiles(Term size, int64_t width) {
  return term_floordiv(tt, term_add(tt, size, term_int(tt, width - 1)), term_int(tt, width));
}

/* A number in a mixed radix of sizes is below their product, if each digit is below its radix; a product of what is at
 * least 1 is so too. */
static void test_digits(void **state) {
  (void)state;
  shape = (Shape){0};
  world_open();
  const int64_t width[] = {2, 16, 8, 4};
  const char *name[] = {"i", "j", "k", "l"}, *beyond[] = {"i'", "j'", "k'", "l'"};
  Term size[4], radix[4], number = tt->zero, longer = tt->zero, product = tt->one, zero_or_more = tt->one;
  for (int a = 0; a < 4; a++) {
    size[a] = integer(arena_format(tt->arena, "s%d", a), SYMBOL_SIZE, tt->one, 0), radix[a] = tiles(size[a], width[a]);
    Term digit = tile(name[a], term_sub(tt, size[a], tt->one), width[a]);
    number = term_add(tt, term_mul(tt, number, radix[a]), digit);
    longer = term_add(tt, term_mul(tt, longer, radix[a]), tile(beyond[a], size[a], width[a]));
    product = term_mul(tt, product, radix[a]);
    zero_or_more = term_mul(tt, zero_or_more, term_sub(tt, radix[a], tt->one));
    assert_true(term_prove_lt(tt, number, product));
    assert_false(term_prove_lt(tt, longer, product));
    assert_false(term_prove_lt(tt, term_add(tt, number, tt->one), product));
    assert_true(term_prove_le(tt, tt->one, product));
    assert_false(term_prove_le(tt, term_int(tt, 2), product));
    assert_false(term_prove_le(tt, tt->one, zero_or_more));
  }
  world_close();
}

/* a*(p // (d*e)) + m*(p // e) + l over b: the quotient is the same number, and one without the remainder where that
 * is less than what the divisor leaves of it. */
static void test_remainders_below_a_divisor(void **state) {
  (void)state;
  Term p = integer("p", SYMBOL_SIZE, tt->zero, 0), lane = integer("lane", SYMBOL_LANE, tt->zero, term_int(tt, 31));
  int64_t cases[][6] = {{124, 4, 1, 1, 4, 128}, {124, 4, 1, 1, 4, 256}, {-2, 2, 16, 1, 0, 4}, {28, 4, 1, 1, 1, 32},
                        {124, 4, 1, 1, 5, 128}, {60, 4, 2, 1, 0, 64},   {-7, 4, 1, 2, 3, 8},  {126, 2, 1, 1, 4, 128}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t *v = cases[i], e = v[2];
    Term low = term_floordiv(tt, p, term_int(tt, e)), high = term_floordiv(tt, p, term_int(tt, e * v[1]));
    Term sum = term_add(tt, term_scale(tt, rational_int(v[0]), high), term_scale(tt, rational_int(v[3]), low));
    sum = term_add(tt, sum, term_scale(tt, rational_int(v[4]), lane));
    Term quotient = term_floordiv(tt, sum, term_int(tt, v[5]));
    bool whole = i < 2; /* 124*(p // 4) + p + 4*lane = 128*(p // 4) + p % 4 + 4*lane */
    assert_true((quotient == term_floordiv(tt, p, term_int(tt, v[5] / 32))) == whole);
    for (int64_t x = 0; x < 300; x += 7)
      for (int64_t l = 0; l < 32; l += 5) {
        TermEval *eval = term_eval_new(tt, &arena, NULL, NULL);
        term_eval_set(eval, p, (TermValue){(double)x, x}), term_eval_set(eval, lane, (TermValue){(double)l, l});
        int64_t a = v[0] * (x / (e * v[1])) + v[3] * (x / e) + v[4] * l, b = v[5];
        assert_int_equal(term_eval(eval, quotient).integer, a / b - (a % b < 0));
      }
  }
}

/* The sum of c * (x // d) for the pairs c, d, over k. */
static Term sum_of_quotients(Term x, const int64_t *pairs, uint32_t count, int64_t k) {
  Term sum = tt->zero;
  for (uint32_t i = 0; i < count; i++)
    sum = term_add(tt, sum,
                   term_scale(tt, rational_int(pairs[2 * i]), term_floordiv(tt, x, term_int(tt, pairs[2 * i + 1]))));
  return term_floordiv(tt, sum, term_int(tt, k));
}

/* Quotients of one number by divisors of one another are its digits: what is less than a part of the divisor counts
 * for nothing. Whatever the sum is, its value is right. */
static void test_quotients_of_one_number(void **state) {
  (void)state;
  enum { MOST = 5 };
  Term x = integer("x", SYMBOL_SIZE, tt->zero, 0);
  assert_true(sum_of_quotients(x, (int64_t[]){1, 512, 2, 16, -4, 32, 2, 1024}, 4, 8) ==
              term_floordiv(tt, x, term_int(tt, 2048)));
  assert_true(sum_of_quotients(x, (int64_t[]){1, 512, 2, 16, -130, 1024}, 3, 4) ==
              sum_of_quotients(x, (int64_t[]){1, 32, -32, 1024}, 2, 1));
  assert_false(sum_of_quotients(x, (int64_t[]){2, 512, 2, 16, -4, 32, 2, 1024}, 4, 8) ==
               term_floordiv(tt, x, term_int(tt, 2048)));
  Random random = {1};
  for (int n = 0; n < 400; n++) {
    int64_t pairs[2 * MOST], k = (int64_t)1 << (1 + random_below(&random, 5));
    uint32_t count = 2 + (uint32_t)random_below(&random, MOST - 1);
    for (uint32_t i = 0; i < count; i++) {
      pairs[2 * i] = (int64_t)random_below(&random, 9) - 4;
      pairs[2 * i + 1] = (int64_t)1 << random_below(&random, 7);
      if (random_below(&random, 4) == 0) pairs[2 * i + 1] *= 3;
    }
    Term quotient = sum_of_quotients(x, pairs, count, k);
    for (int64_t v = 0; v < 800; v += 13) {
      TermEval *eval = term_eval_new(tt, &arena, NULL, NULL);
      term_eval_set(eval, x, (TermValue){(double)v, v});
      int64_t sum = 0;
      for (uint32_t i = 0; i < count; i++) sum += pairs[2 * i] * (v / pairs[2 * i + 1]);
      assert_int_equal(term_eval(eval, quotient).integer, sum / k - (sum % k < 0));
    }
  }
}

/* A place of a chunk, bounded by an iteration that is bounded by the program's tile: shown however many symbols there
 * are between them. */
static void test_bounds_of_bounds(void **state) {
  (void)state;
  enum { WIDTH = 64 };
  for (int between = 0; between < WIDTH; between++) {
    world_open();
    Term size = integer("n", SYMBOL_SIZE, tt->one, 0), rows = tiles(size, 32),
         p = integer("p", SYMBOL_PID, tt->zero, 0), row = term_floordiv(tt, p, term_int(tt, 3)),
         first = term_mul(tt, rows, term_floordiv(tt, p, term_mul(tt, term_int(tt, 3), rows)));
    Term tile = term_scale(tt, rational_int(32), term_sub(tt, row, first)),
         end = term_min(tt, size, term_add(tt, tile, term_int(tt, 32))),
         last = term_sub(tt, tiles(end, 16), term_scale(tt, rational_int(2), term_sub(tt, row, first)));
    for (int i = 0; i < between; i++) integer(arena_format(tt->arena, "s%d", i), SYMBOL_SIZE, tt->one, 0);
    Term t = integer("t", SYMBOL_COUNTER, tt->zero, term_sub(tt, last, tt->one)),
         i = integer("i", SYMBOL_INDEX, tt->zero, term_sub(tt, t, tt->one)),
         place = term_add(tt, tile, term_scale(tt, rational_int(16), i));
    assert_true(term_prove_le(tt, term_add(tt, place, term_int(tt, 16)), size));
    assert_false(term_prove_le(tt, term_add(tt, place, term_int(tt, 33)), size));
    world_close();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_bounds_of_folds),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_signs),
      cmocka_unit_test(test_unions),
      cmocka_unit_test(test_divided),
      cmocka_unit_test(test_digits),
      cmocka_unit_test(test_bounds_of_bounds),
      cmocka_unit_test_setup_teardown(test_remainders_below_a_divisor, table_open, table_close),
      cmocka_unit_test_setup_teardown(test_quotients_of_one_number, table_open, table_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
