/* Tells whether the region of a reduction or scan is associative, and commutative. Proved by cases.
 *
 * f(f(a, b), c) and f(a, f(b, c)) are compared for all values of their symbols. What is chosen by comparing symbols
 * with each other or with literals is split by the order of the two: less, equal or greater; orders that contradict
 * each other are passed over, as they are kept closed under transitivity. Conditions are split into true and false.
 * Where nothing is left to choose both are polynomials or the same term. Whatever does not fit is not shown. */
#include <string.h>

#include "execute/loops/additive.h"
#include "execute/reduce.h"
#include "laws/laws.h"

enum { MOST_POINTS = 24, MOST_CASES = 20000, UNKNOWN = 2 };

typedef struct Order {
  Term point[MOST_POINTS];               /* symbols, their sizes, and literals */
  int8_t sign[MOST_POINTS][MOST_POINTS]; /* of point[i] - point[k]: -1, 0, 1 or UNKNOWN */
  uint32_t count;
} Order;

typedef struct Cases {
  TermTable *tt;
  Order order;
  Term left, right; /* of the next split: points, or a condition in `left` */
  uint32_t visited;
} Cases;

/* A part of an element; one that may be infinite is read. */
static bool is_variable(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_SYM || (term_kind(tt, t) == TERM_READ && term_count(tt, t) == 1);
}

static bool is_literal(const TermTable *tt, Term t) {
  return term_is_rat(tt, t) || term_kind(tt, t) == TERM_INF || term_kind(tt, t) == TERM_NEG_INF;
}

/* Also the size of a part: numbers in some order, of which no more is used than that equal parts have equal sizes. */
static bool is_point(const TermTable *tt, Term t) {
  return is_variable(tt, t) || (term_kind(tt, t) == TERM_ABS && is_variable(tt, term_arg(tt, t, 0))) ||
         term_is_rat(tt, t) || term_kind(tt, t) == TERM_INF || term_kind(tt, t) == TERM_NEG_INF;
}

static int sign_of_literals(TermTable *tt, Term a, Term b) {
  if (a == b) return 0;
  if (a == tt->inf || b == tt->neg_inf) return 1;
  if (a == tt->neg_inf || b == tt->inf) return -1;
  return rational_compare(tt->arena->guard, term_rat(tt, a), term_rat(tt, b));
}

static uint32_t place_of(Cases *c, Term p) {
  Order *o = &c->order;
  for (uint32_t i = 0; i < o->count; i++)
    if (o->point[i] == p) return i;
  if (o->count == MOST_POINTS) return MOST_POINTS;
  uint32_t n = o->count++;
  o->point[n] = p;
  for (uint32_t i = 0; i <= n; i++) {
    bool literals = is_literal(c->tt, p) && is_literal(c->tt, o->point[i]);
    int sign = i == n ? 0 : literals ? sign_of_literals(c->tt, o->point[i], p) : UNKNOWN;
    o->sign[i][n] = (int8_t)sign, o->sign[n][i] = (int8_t)(sign == UNKNOWN ? sign : -sign);
  }
  return n;
}

/* What follows from the signs that are known; false: they contradict each other. */
static bool close_order(Order *o) {
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < o->count; i++)
      for (uint32_t k = 0; k < o->count; k++)
        for (uint32_t j = 0; j < o->count; j++) {
          int x = o->sign[i][j], y = o->sign[j][k];
          if (x == UNKNOWN || y == UNKNOWN || x * y < 0) continue;
          int sign = x ? x : y;
          if (o->sign[i][k] != UNKNOWN && o->sign[i][k] != sign) return false;
          if (o->sign[i][k] == UNKNOWN) o->sign[i][k] = (int8_t)sign, o->sign[k][i] = (int8_t)-sign, grown = true;
        }
  }
  return true;
}

/* The sign of a - b; UNKNOWN: to be split. */
static int sign_between(Cases *c, Term a, Term b) {
  uint32_t i = place_of(c, a), k = place_of(c, b);
  if (i == MOST_POINTS || k == MOST_POINTS) return UNKNOWN;
  if (c->order.sign[i][k] == UNKNOWN && !c->left) c->left = a, c->right = b;
  return c->order.sign[i][k];
}

/* e = k*(a - b) + constant for points a and b, of which b may be a literal that takes the constant in. */
static bool difference(TermTable *tt, Term e, Term *a, Term *b, Rational *constant) {
  *constant = rational_int(0), *b = tt->zero;
  if (is_point(tt, e) && !term_is_rat(tt, e)) {
    *a = e;
    return true;
  }
  if (term_kind(tt, e) != TERM_ADD || term_count(tt, e) > 5) return false;
  Rational c = term_rat(tt, term_arg(tt, e, 0)), k = term_rat(tt, term_arg(tt, e, 1));
  *a = term_arg(tt, e, 2);
  if (!is_point(tt, *a)) return false;
  if (term_count(tt, e) == 3) { /* k*a + c, compared with 0 */
    Term literal = term_new_rat(tt, rational_neg(rational_div(tt->arena->guard, c, k)));
    if (k.num < 0)
      *b = *a, *a = literal;
    else
      *b = literal;
    return true;
  }
  Rational l = term_rat(tt, term_arg(tt, e, 3));
  *b = term_arg(tt, e, 4);
  if (!is_point(tt, *b) || !rational_equal(l, rational_neg(k))) return false;
  if (k.num < 0) {
    Term other = *a;
    *a = *b, *b = other, k = l;
  }
  *constant = rational_div(tt->arena->guard, c, k);
  return true;
}

static Term decide_comparison(Cases *c, Term t) {
  TermTable *tt = c->tt;
  TermKind kind = term_kind(tt, t);
  Term a = term_arg(tt, t, 0), b = tt->zero;
  Rational constant = rational_int(0);
  if (term_count(tt, t) == 2) {
    b = term_arg(tt, t, 1);
    if (!is_point(tt, a) || !is_point(tt, b)) return t;
  } else if (!difference(tt, term_arg(tt, t, 0), &a, &b, &constant))
    return t;
  bool whole = term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT;
  if (constant.num && !(kind == TERM_LE && whole && constant.num == 1 && constant.den == 1)) return t;
  int sign = sign_between(c, a, b);
  if (sign == UNKNOWN) return t;
  if (kind == TERM_EQ) return term_bool(tt, sign == 0);
  return term_bool(tt, kind == TERM_LT || constant.num ? sign < 0 : sign <= 0); /* a - b + 1 <= 0 is a < b */
}

/* Of two points among the arguments of an extremum one is enough. */
static Term decide_extremum(Cases *c, Term t) {
  TermTable *tt = c->tt;
  bool max = term_kind(tt, t) == TERM_MAX;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    for (uint32_t k = i + 1; k < term_count(tt, t); k++) {
      Term a = term_arg(tt, t, i), b = term_arg(tt, t, k), rest = 0;
      if (!is_point(tt, a) || !is_point(tt, b)) continue;
      int sign = sign_between(c, a, b);
      if (sign == UNKNOWN) return t;
      uint32_t without = (sign >= 0) == max ? k : i;
      for (uint32_t j = 0; j < term_count(tt, t); j++) {
        Term x = term_arg(tt, t, j);
        if (j != without) rest = !rest ? x : max ? term_max(tt, rest, x) : term_min(tt, rest, x);
      }
      return term_kind(tt, rest) == term_kind(tt, t) ? decide_extremum(c, rest) : rest;
    }
  return t;
}

static Term decide(TermTable *tt, Term t, void *payload) {
  Cases *c = payload;
  (void)tt;
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_comparison(kind)) return decide_comparison(c, t);
  if (term_kind_is_extremum(kind)) return decide_extremum(c, t);
  if (kind == TERM_SYM) {
    if (term_sort(tt, t) == SORT_BOOL && !c->left) c->left = t, c->right = 0;
    return t;
  }
  return t;
}

enum { MOST_BITS = 8 };

static uint32_t leaves_of_bits(const TermTable *tt, Term t, TermFn fn, uint32_t n, Term *out) {
  if (term_kind(tt, t) == TERM_FN && term_aux(tt, t) == (uint32_t)fn)
    return leaves_of_bits(tt, term_arg(tt, t, 1), fn, leaves_of_bits(tt, term_arg(tt, t, 0), fn, n, out), out);
  uint32_t at = n;
  if (n >= MOST_BITS) return MOST_BITS + 1;
  for (; at && out[at - 1] > t; at--) out[at] = out[at - 1];
  out[at] = t;
  return n + 1;
}

/* (a | b) | c = a | (b | c), likewise & and ^: in one order; a | a = a. */
static Term order_bits(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FN ||
      (term_aux(tt, t) != FN_BITOR && term_aux(tt, t) != FN_BITAND && term_aux(tt, t) != FN_BITXOR))
    return t;
  Term leaf[MOST_BITS + 1];
  uint32_t n = leaves_of_bits(tt, t, (TermFn)term_aux(tt, t), 0, leaf);
  if (n > MOST_BITS) return t;
  Term all = leaf[0];
  for (uint32_t i = 1; i < n; i++)
    if (leaf[i] != leaf[i - 1] || term_aux(tt, t) == FN_BITXOR)
      all = term_fn(tt, (TermFn)term_aux(tt, t), 2, (Term[]){all, leaf[i]});
  return all;
}

static bool is_equal(TermTable *tt, Term x, Term y) {
  if (term_sort(tt, x) == SORT_INT)
    x = term_transform(tt, x, order_bits, NULL), y = term_transform(tt, y, order_bits, NULL);
  if (x == y || term_transform(tt, x, term_spread_extrema, NULL) == term_transform(tt, y, term_spread_extrema, NULL))
    return true;
  if (term_sort(tt, x) == SORT_BOOL) return false;
  Additive none = {0};
  Term u = term_exponential(tt, x), v = u ? term_exponential(tt, y) : 0; /* both are finite numbers */
  if (v && u == v) return true;
  return term_normalize(tt, x) == term_normalize(tt, y) || additive_is_zero(tt, term_sub(tt, x, y), &none);
}

/* Points that are equal are one. */
static Term united(TermTable *tt, Term t, Term a, Term b) {
  if (is_variable(tt, a) && term_sort(tt, a) == term_sort(tt, b)) return term_replace(tt, t, a, b);
  return is_variable(tt, b) && (term_sort(tt, a) == term_sort(tt, b) || term_is_rat(tt, a)) ? term_replace(tt, t, b, a)
                                                                                            : t;
}

/* With x = y, what is made of either is equal; false: the order says otherwise. */
static bool unite_order(Cases *c, Term a, Term b) {
  Order *o = &c->order;
  for (uint32_t i = 0; i < o->count; i++) {
    Term as = united(c->tt, o->point[i], a, b);
    for (uint32_t k = 0; as != o->point[i] && k < o->count; k++) {
      if (o->point[k] != as) continue;
      if (o->sign[i][k] != UNKNOWN && o->sign[i][k]) return false;
      o->sign[i][k] = o->sign[k][i] = 0;
    }
  }
  return close_order(o);
}

static bool same_by_cases(Cases *c, Term x, Term y) {
  TermTable *tt = c->tt;
  if (++c->visited > MOST_CASES) return false;
  if (x == y) return true;
  c->left = 0;
  x = term_transform(tt, x, decide, c);
  y = term_transform(tt, y, decide, c);
  if (x == y) return true;
  if (!c->left) return is_equal(tt, x, y);
  Term a = c->left, b = c->right;
  if (!b) {
    Order kept = c->order;
    bool yes = same_by_cases(c, term_replace(tt, x, a, tt->true_), term_replace(tt, y, a, tt->true_));
    c->order = kept;
    yes = yes && same_by_cases(c, term_replace(tt, x, a, tt->false_), term_replace(tt, y, a, tt->false_));
    c->order = kept;
    return yes;
  }
  for (int sign = -1; sign <= 1; sign++) {
    Order kept = c->order;
    uint32_t i = place_of(c, a), k = place_of(c, b);
    c->order.sign[i][k] = (int8_t)sign, c->order.sign[k][i] = (int8_t)-sign;
    bool possible = close_order(&c->order) && (sign || unite_order(c, a, b));
    bool good = !possible || same_by_cases(c, sign ? x : united(tt, x, a, b), sign ? y : united(tt, y, a, b));
    c->order = kept;
    if (!good) return false;
  }
  return true;
}

/* f(x, y) */
static void apply(TermTable *tt, const Region2 *r, const Term *x, const Term *y, Term *out) {
  Term from[2 * REGION_STATE], to[2 * REGION_STATE];
  for (uint32_t i = 0; i < r->n; i++) from[i] = r->a[i], from[r->n + i] = r->b[i], to[i] = x[i], to[r->n + i] = y[i];
  for (uint32_t i = 0; i < r->n; i++) out[i] = term_substitute(tt, r->result[i], (TermMap){2 * r->n, from, to});
}

static bool proved(TermTable *tt, uint32_t n, const Term *x, const Term *y) {
  Cases c = {.tt = tt};
  for (uint32_t i = 0; i < n; i++) {
    c.order.count = 0;
    if (!same_by_cases(&c, x[i], y[i])) return false;
  }
  return true;
}

static const char *tuple(TermTable *tt, uint32_t n, const Term *x) {
  Text out = text_new(tt->arena);
  for (uint32_t i = 0; i < n; i++) text_format(&out, "%s%s", i ? ", " : n > 1 ? "(" : "", term_text(tt, x[i]));
  if (n > 1) text_char(&out, ')');
  return text_string(&out);
}

static bool differ(const TermTable *tt, uint32_t n, const Term *x, const Term *y) {
  bool all = true, some = false;
  for (uint32_t i = 0; i < n; i++) {
    bool flags = term_kind(tt, x[i]) == TERM_TRUE || term_kind(tt, x[i]) == TERM_FALSE;
    all &= (term_is_rat(tt, x[i]) && term_is_rat(tt, y[i])) ||
           (flags && term_sort(tt, y[i]) == SORT_BOOL && !term_count(tt, y[i]));
    some |= x[i] != y[i];
  }
  return all && some;
}

const char *execute_region_order_shows(TermTable *tt, const Region2 *r, bool scan) {
  static const int8_t numbers[][3] = {{1, 2, 5}, {-3, 7, 2}, {4, -1, -6}, {2, 2, -3}, {0, 1, 0},
                                      {3, 0, 3}, {1, 1, 2},  {0, 0, 6},   {1, -1, 2}};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  for (uint32_t p = 0; p < COUNT * COUNT; p++) {
    Term x[3][REGION_STATE], xy[REGION_STATE], yx[REGION_STATE], yz[REGION_STATE], left[REGION_STATE],
        right[REGION_STATE];
    for (uint32_t i = 0; i < r->n; i++)
      for (uint32_t k = 0; k < 3; k++) {
        int8_t v = numbers[(i % 2 ? p / COUNT : p + i) % COUNT][k];
        x[k][i] = term_sort(tt, r->a[i]) == SORT_BOOL ? term_bool(tt, v % 2) : term_int(tt, v);
      }
    apply(tt, r, x[0], x[1], xy), apply(tt, r, x[1], x[0], yx), apply(tt, r, x[1], x[2], yz);
    const char *X = tuple(tt, r->n, x[0]), *Y = tuple(tt, r->n, x[1]), *Z = tuple(tt, r->n, x[2]);
    if (!scan && differ(tt, r->n, xy, yx))
      return arena_format(tt->arena, "f(%s, %s) = %s, f(%s, %s) = %s", X, Y, tuple(tt, r->n, xy), Y, X,
                          tuple(tt, r->n, yx));
    apply(tt, r, xy, x[2], left), apply(tt, r, x[0], yz, right);
    if (differ(tt, r->n, left, right))
      return arena_format(tt->arena, "f(f(%s, %s), %s) = %s, f(%s, f(%s, %s)) = %s", X, Y, Z, tuple(tt, r->n, left), X,
                          Y, Z, tuple(tt, r->n, right));
  }
  return NULL;
}

/* Real arithmetic is on finite numbers only; comparing and choosing goes for infinities too. */
static bool calculates(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ) { /* a - b <= 0 compares */
    Term a, b;
    Rational c;
    if (term_count(tt, t) == 2) return calculates(tt, term_arg(tt, t, 0)) || calculates(tt, term_arg(tt, t, 1));
    if (difference((TermTable *)(uintptr_t)tt, term_arg(tt, t, 0), &a, &b, &c)) return false;
  }
  if (term_sort(tt, t) == SORT_REAL && (kind == TERM_ADD || kind == TERM_MUL || kind == TERM_FN)) return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (calculates(tt, term_arg(tt, t, i))) return true;
  return false;
}

/* f(x, y) of a region of one part, run on these: what is simplified of finite symbols need not hold of an infinity. 0:
 * it stops. */
static Term run_on(Machine *ex, const Op *op, Term x, Term y) {
  const Program *p = ex->program;
  const Block *block = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  uint32_t ranges = ex->effects->ranges.count, roundings = ex->effects->roundings.count,
           divisions = ex->effects->divisions.count, executed = ex->effects->executed.count;
  Term result = 0;
  execute_set(ex, block->first_arg, x), execute_set(ex, block->first_arg + 1, y);
  execute_region(ex, op->regions[0], 1, &result);
  ex->effects->ranges.count = ranges, ex->effects->roundings.count = roundings,
  ex->effects->divisions.count = divisions, ex->effects->executed.count = executed;
  return execute_stopped(ex) ? 0 : result;
}

/* Padding by -inf is neutral: f(-inf, b) = b, f(a, -inf) = a, and of two that are padding, unless these have no value.
 */
static RegionDomain domain_of(Machine *ex, const Op *op, const Region2 *r) {
  TermTable *tt = ex->tt;
  Term none = run_on(ex, op, tt->neg_inf, tt->neg_inf), left = run_on(ex, op, tt->neg_inf, r->b[0]),
       right = run_on(ex, op, r->a[0], tt->neg_inf);
  if (!none || !left || !right || !is_equal(tt, left, r->b[0]) || !is_equal(tt, right, r->a[0])) return REGION_FINITE;
  return none == tt->neg_inf ? REGION_PADDED : term_kind(tt, none) == TERM_NAN ? REGION_LOST : REGION_FINITE;
}

bool execute_region_is_proved(Machine *ex, const Op *op, const Region2 *r, bool scan, RegionDomain *domain) {
  TermTable *tt = ex->tt;
  Term c[REGION_STATE], left[REGION_STATE], right[REGION_STATE], inner[REGION_STATE];
  bool finite = true, exact = true;
  *domain = REGION_ANY;
  for (uint32_t i = 0; i < r->n; i++) {
    Term value = execute_value(ex, op->operands[i]);
    bool is_read = term_kind(tt, r->a[i]) == TERM_READ;
    c[i] = term_symbol_fresh(tt, "third", term_sort(tt, r->a[i]), is_read ? SYMBOL_CARRY : SYMBOL_SCALAR);
    if (is_read) {
      term_symbol(tt, c[i])->axis = term_symbol(tt, term_arg(tt, r->a[i], 0))->axis;
      c[i] = term_read(tt, c[i], SORT_REAL, 0, NULL);
    }
    finite &= term_sort(tt, value) == SORT_BOOL || term_is_finite(tt, value);
    exact &= !calculates(tt, r->result[i]);
    if (term_node(tt, r->result[i])->flags & (TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) return false;
  }
  if (!finite && !exact) { /* one part: its symbols are finite numbers */
    if (r->n != 1) return false;
    *domain = domain_of(ex, op, r);
  }
  apply(tt, r, r->a, r->b, inner), apply(tt, r, inner, c, left);
  apply(tt, r, r->b, c, inner), apply(tt, r, r->a, inner, right);
  if (!proved(tt, r->n, left, right)) return false;
  if (scan) return true;
  apply(tt, r, r->b, r->a, inner);
  return proved(tt, r->n, r->result, inner);
}
