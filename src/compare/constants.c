/* Constants that two sides write differently: 0.70710677 and 1 / sqrt(2), 0.01 as f32 and as f64, 1.442695*log(2)
 * and 1.
 *
 * Every number inside a term is looked up among those met so far, and among fractions of small integers; within 2 ulp
 * it is taken as that one: ulp of f64 where the kernels or their tensors have f64 anywhere, otherwise of f32. Any two
 * that are taken as the same are within 2 ulp of each other. What a step function or a comparison is made of stays as
 * it is. Factors without symbols are multiplied into one number first. A number that is the product of two others
 * (0.7978846 * 0.044715), wherever these stand, is taken as that product. Each is an assumption of kind `constant`,
 * printed with both values (semantics.md section 6). */
#include <math.h>

#include "compare/compare.h"

enum { MAX_CONSTANTS = 64, SMALL = 4096 };

typedef struct Known {
  double value;
  Rational exact;
  bool is_product; /* of two that are none */
} Known;

typedef struct Constants {
  Arena *arena;
  TermTable *tt;
  TermEval *eval;
  Known known[MAX_CONSTANTS];
  uint32_t count;
  ConstantReadings taken;
  CompareFormat format;
  CompareAssumptions *assumptions;
} Constants;

static double ulp(const Constants *c, double value) {
  return ldexp(1, ilogb(value) - (c->format == COMPARE_F64 ? 52 : 23));
}
static bool is_near(const Constants *c, double a, double b) {
  return a == b || (a * b > 0 && fabs(a - b) <= 2 * ulp(c, fmin(fabs(a), fabs(b))));
}

/* The value joins those that are taken as r; false: it is too far from one of them. */
static bool take(Constants *c, double value, Rational r) {
  ConstantReading *t = NULL;
  for (uint32_t i = 0; i < c->taken.count && !t; i++)
    if (rational_equal(c->taken.data[i].as, r)) t = &c->taken.data[i];
  if (!t) {
    double own = rational_to_double(r);
    array_push(c->arena, &c->taken, (ConstantReading){r, own, own});
    t = &c->taken.data[c->taken.count - 1];
  }
  if (!is_near(c, t->least, value) || !is_near(c, t->most, value)) return false;
  t->least = fmin(t->least, value), t->most = fmax(t->most, value);
  return true;
}

static bool is_small(Rational r) {
  Int128 num = r.num < 0 ? -r.num : r.num;
  return r.den == 1 || (num <= SMALL && r.den <= SMALL);
}

/* The fraction of the least denominator near v. */
static bool small_fraction(const Constants *c, double v, Rational *out) {
  for (int64_t den = 1; den <= 1024; den++) {
    double num = nearbyint(v * (double)den);
    if (fabs(num) > SMALL || num == 0 || !is_near(c, num / (double)den, v)) continue;
    *out = (Rational){(int64_t)num, den};
    return true;
  }
  return false;
}

static void note(Constants *c, const char *text, double value, Rational taken) {
  Text number = text_new(c->arena);
  rational_print(taken, true, &number);
  const char *line = arena_format(c->arena, "%s is %s", text, text_string(&number));
  for (uint32_t i = 0; i < c->assumptions->made.count; i++)
    if (!__builtin_strcmp(c->assumptions->made.data[i].text, line)) return;
  double as = rational_to_double(taken), apart = fabs(value - as);
  const char *format = c->format == COMPARE_F64 ? "f64" : "f32";
  const char *why = apart == 0 ? arena_format(c->arena, "both are %.17g, by f64", value)
                               : arena_format(c->arena, "%.17g and %.17g differ by %.2g, which is at most 2 ulp of %s",
                                              value, as, apart, format);
  array_push(c->arena, &c->assumptions->made, (ReportAssumption){NULL, ASSUME_CONSTANT, line, why, NULL});
}

/* What the number, which is not 0, is taken as; 0: no fraction is near to it. */
static Rational canonical(Constants *c, double value, const Rational *exact, const char *text) {
  Rational r;
  if (exact && is_small(*exact)) return *exact;
  if (small_fraction(c, value, &r) && take(c, value, r)) {
    note(c, text, value, r);
    return r;
  }
  for (uint32_t i = 0; i < c->count; i++) {
    if (!is_near(c, c->known[i].value, value) || !take(c, value, c->known[i].exact)) continue;
    if (!exact || !rational_equal(*exact, c->known[i].exact)) note(c, text, value, c->known[i].exact);
    return c->known[i].exact;
  }
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = i; k < c->count; k++) {
      if (!is_near(c, c->known[i].value * c->known[k].value, value)) continue;
      r = rational_mul(c->arena->guard, c->known[i].exact, c->known[k].exact);
      if (!take(c, value, r)) continue;
      note(c, text, value, r);
      return r;
    }
  if (exact)
    r = *exact;
  else if (rational_from_double(c->format == COMPARE_F64 ? value : (double)(float)value, &r) && take(c, value, r))
    note(c, text, value, r);
  else
    return rational_int(0); /* as far from 1 as 2^127: no fraction */
  if (c->count < MAX_CONSTANTS) c->known[c->count++] = (Known){.value = value, .exact = r};
  return r;
}

static bool is_closed(const TermTable *tt, Term t) {
  const TermNode *n = term_node(tt, t);
  return n->kind != TERM_RAT && n->kind != TERM_SYM && n->sort == SORT_REAL && !n->free_mask &&
         !(n->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_FOLD | TERM_HAS_UNDEF | TERM_HAS_INF));
}

static double value_of(Constants *c, Term t) { return term_eval(c->eval, t).real; }

/* k * t, where t has factors without symbols. */
static Term scaled(Constants *c, Rational k, Term t) {
  TermTable *tt = c->tt;
  double value = rational_to_double(k);
  Term rest = t;
  bool closed = false;
  if (is_closed(tt, t))
    closed = true, value *= value_of(c, t), rest = tt->one;
  else if (term_kind(tt, t) == TERM_MUL) {
    rest = tt->one;
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Term base = term_arg(tt, t, i), factor = term_power(tt, base, term_rat(tt, term_arg(tt, t, i + 1)));
      bool constant = is_closed(tt, base) || (term_is_rat(tt, base) && !term_is_rat(tt, factor));
      if (constant)
        closed = true, value *= value_of(c, factor);
      else
        rest = term_mul(tt, rest, factor);
    }
  }
  if (!isfinite(value) || value == 0) return term_scale(tt, k, t);
  const char *text =
      term_text(tt, closed ? term_scale(tt, k, t == rest ? tt->one : term_div(tt, t, rest)) : term_new_rat(tt, k));
  Rational taken = canonical(c, value, closed ? NULL : &k, text);
  return taken.num ? term_scale(tt, taken, rest) : term_scale(tt, k, t);
}

static bool has_closed_factor(const TermTable *tt, Term t) {
  if (is_closed(tt, t)) return true;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2)
    if (is_closed(tt, term_arg(tt, t, i)) || term_is_rat(tt, term_arg(tt, t, i)))
      return true; /* sqrt(2) is a power of a number */
  return false;
}

/* Products that stand alone under t: what is left after all sums. */
static Term outermost(Constants *c, Term t) {
  TermTable *tt = c->tt;
  TermKind kind = term_kind(tt, t);
  if (kind != TERM_FN && kind != TERM_MAX && kind != TERM_MIN && kind != TERM_SELECT && kind != TERM_ABS) return t;
  Term *args = arena_array(c->arena, Term, term_count(tt, t));
  bool changed = false;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term a = term_arg(tt, t, i);
    args[i] = term_sort(tt, a) == SORT_REAL && has_closed_factor(tt, a) ? scaled(c, rational_int(1), a) : a;
    changed |= args[i] != a;
  }
  return changed ? term_make(tt, t, args) : t;
}

static Term visit(TermTable *tt, Term t, void *payload) {
  Constants *c = payload;
  if (term_sort(tt, t) != SORT_REAL) return t;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) {
    Rational r = term_rat(tt, t);
    return term_new_rat(tt, canonical(c, rational_to_double(r), &r, term_text(tt, t)));
  }
  if (kind == TERM_ADD) {
    Rational constant = term_rat(tt, term_arg(tt, t, 0));
    Term sum = constant.num ? scaled(c, constant, tt->one) : tt->zero;
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      sum = term_add(tt, sum, scaled(c, term_rat(tt, term_arg(tt, t, i)), term_arg(tt, t, i + 1)));
    return sum;
  }
  if (kind == TERM_MUL) return t; /* its parent's: there may be a coefficient */
  return outermost(c, t);
}

/* There the least change of a number may change the result by much. */
static bool is_step(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_rounding(kind) || term_kind_is_test(kind) || kind == TERM_OPAQUE) return true;
  if (term_kind_is_comparison(kind)) return term_sort(tt, term_arg(tt, t, 0)) == SORT_REAL;
  if (kind == TERM_FN) return term_aux(tt, t) == FN_FMOD;
  return false;
}

static Term unified(Constants *c, Term t) {
  t = term_transform_outside(c->tt, t, is_step, visit, c);
  return term_sort(c->tt, t) == SORT_REAL && has_closed_factor(c->tt, t) ? scaled(c, rational_int(1), t) : t;
}

/* A product may have been met before its factors. */
static void find_products(Constants *c) {
  for (uint32_t n = 0; n < c->count; n++)
    for (uint32_t i = 0; i < c->count && !c->known[n].is_product; i++)
      for (uint32_t k = i; k < c->count && !c->known[n].is_product; k++) {
        if (i == n || k == n || c->known[i].is_product || c->known[k].is_product ||
            !is_near(c, c->known[i].value * c->known[k].value, c->known[n].value))
          continue;
        c->known[n].is_product = true;
        c->known[n].exact = rational_mul(c->arena->guard, c->known[i].exact, c->known[k].exact);
      }
}

void compare_unify_constants(Arena *arena, TermTable *tt, CompareFormat format, Term *left, Term *right,
                             CompareAssumptions *assumptions) {
  CompareAssumptions met = {0};
  Constants c = {.arena = arena, .tt = tt, .format = format, .taken = assumptions->taken, .assumptions = &met};
  c.eval = term_eval_new(tt, arena, NULL, NULL);
  unified(&c, *left);
  unified(&c, *right);
  find_products(&c);
  c.assumptions = assumptions;
  *left = unified(&c, *left);
  *right = unified(&c, *right);
  assumptions->taken = c.taken;
}
