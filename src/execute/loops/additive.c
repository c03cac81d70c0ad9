/* Additive functionals (see additive.h).
 *
 * Finding: the unknowns are the coefficients of all monomials of the state up to degree 3. A step: the sum of their
 * changes must not depend on the state, for any input. A merge: it must vanish. Random points give equations,
 * elimination a basis of the solutions. A step may go on otherwise beyond a bound, so far states are asked too. Proof:
 * by cases on the conditions of selects, each side as a fraction of polynomials. */
#include "execute/loops/additive.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "laws/laws.h"

enum { MONOMIALS = 40, POINTS = 90, INPUTS = 12, FACTORS = 3, FAR_POINTS = 60, FAR_BITS = 12 };

typedef struct Monomial {
  uint8_t power[ADDITIVE_STATE];
} Monomial;

static uint32_t list_monomials(uint32_t n, Monomial *out) {
  uint32_t count = 0;
  for (uint32_t degree = 1; degree <= FACTORS; degree++)
    for (uint32_t code = 0; code < 256; code++) { /* base-4 digits are powers */
      Monomial m;
      uint32_t sum = 0;
      for (uint32_t i = 0; i < ADDITIVE_STATE; i++) m.power[i] = code >> 2 * i & 3, sum += m.power[i];
      bool uses_others = false;
      for (uint32_t i = n; i < ADDITIVE_STATE; i++) uses_others |= m.power[i] != 0;
      if (sum == degree && !uses_others && count < MONOMIALS) out[count++] = m;
    }
  return count;
}

static double monomial_at(const Monomial *m, const double *x, uint32_t n) {
  double v = 1;
  for (uint32_t i = 0; i < n; i++)
    for (int k = 0; k < m->power[i]; k++) v *= x[i];
  return v;
}

/* ---- the other symbols of next: maximal subterms without state become numbers ---- */

typedef struct Inputs {
  const Additive *a;
  Term from[INPUTS], to[INPUTS];
  uint32_t count;
  bool failed;
} Inputs;

static bool has_state(TermTable *tt, const Additive *a, Term t) {
  for (uint32_t i = 0; i < a->n; i++)
    if (term_has_symbol(tt, t, a->state[i]) || (a->merged[i] && term_has_symbol(tt, t, a->merged[i]))) return true;
  return false;
}

static Term abstract(TermTable *tt, Inputs *in, Term t) {
  if (term_is_rat(tt, t) || term_kind(tt, t) == TERM_TRUE || term_kind(tt, t) == TERM_FALSE) return t;
  if (!has_state(tt, in->a, t)) {
    for (uint32_t i = 0; i < in->count; i++)
      if (in->from[i] == t) return in->to[i];
    if (in->count == INPUTS || term_sort(tt, t) == SORT_BOOL || term_sort(tt, t) == SORT_PTR) {
      in->failed = true;
      return t;
    }
    in->from[in->count] = t;
    return in->to[in->count++] = term_symbol_fresh(tt, "x", SORT_REAL, SYMBOL_SCALAR);
  }
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SYM) return t;
  if (!(kind == TERM_ADD || kind == TERM_MUL || term_kind_is_extremum(kind) || kind == TERM_SELECT ||
        term_kind_is_comparison(kind) || term_kind_is_connective(kind))) {
    in->failed = true;
    return t;
  }
  uint32_t n = term_count(tt, t);
  Term *args = arena_array(tt->arena, Term, n + 1);
  for (uint32_t i = 0; i < n; i++) args[i] = abstract(tt, in, term_arg(tt, t, i));
  return in->failed ? t : term_make(tt, t, args);
}

static TermValue no_memory(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)tensor, (void)count, (void)index;
  return (TermValue){.real = NAN};
}

/* Numbers away from 0 and apart; whole ones for the integers. */
static double draw(uint64_t *seed, bool whole) {
  *seed = random_mix(*seed + 0x9E3779B97F4A7C15u);
  return whole ? 1 + (double)(*seed >> 20 & 7) : 1 + (double)(*seed >> 12 & 0xFFFFF) / 0x100000;
}

/* A whole number: 0 to 3, or up to thousands. */
static double draw_far(uint64_t *seed) {
  double v = draw(seed, false);
  return *seed >> 40 & 1 ? (double)(*seed >> 41 & 3) : floor(ldexp(v, (int)(*seed >> 41) % FAR_BITS));
}

/* ---- equations ---- */

typedef struct System {
  double row[POINTS][MONOMIALS];
  uint32_t rows, columns;
  bool is_free[MONOMIALS];
  int pivot_row[MONOMIALS];
} System;

/* Reduced row echelon form; the columns without a pivot are free. */
static void eliminate(System *s) {
  uint32_t top = 0;
  for (uint32_t c = 0; c < s->columns; c++) {
    uint32_t best = top;
    for (uint32_t r = top; r < s->rows; r++)
      if (fabs(s->row[r][c]) > fabs(s->row[best][c])) best = r;
    s->is_free[c] = top == s->rows || fabs(s->row[best][c]) < 1e-7;
    s->pivot_row[c] = -1;
    if (s->is_free[c]) continue;
    for (uint32_t k = 0; k < s->columns; k++) {
      double t = s->row[top][k];
      s->row[top][k] = s->row[best][k], s->row[best][k] = t;
    }
    double pivot = s->row[top][c];
    for (uint32_t k = 0; k < s->columns; k++) s->row[top][k] /= pivot;
    for (uint32_t r = 0; r < s->rows; r++) {
      double f = s->row[r][c];
      if (r == top || f == 0) continue;
      for (uint32_t k = 0; k < s->columns; k++) s->row[r][k] -= f * s->row[top][k];
    }
    s->pivot_row[c] = (int)top++;
  }
}

/* A small rational near v, or den 0. */
static Rational near(double v) {
  for (int den = 1; den <= 12; den++) {
    double scaled = v * den, whole = nearbyint(scaled);
    if (fabs(scaled - whole) < 1e-5 && fabs(whole) < 1000) return rational_make(NULL, (Int128)whole, den);
  }
  return (Rational){0, 0};
}

static Term monomial_term(TermTable *tt, const Monomial *m, const Additive *a) {
  Term t = tt->one;
  for (uint32_t i = 0; i < a->n; i++)
    if (m->power[i]) t = term_mul(tt, t, term_power(tt, a->state[i], rational_int(m->power[i])));
  return t;
}

/* Evaluates a step or a merge at numbers. */
typedef struct Points {
  const Additive *a;
  const Monomial *monomials;
  uint32_t columns;
  TermEval *eval;
  Term next[ADDITIVE_STATE];
  Inputs inputs;
  uint64_t seed;
  double change[MONOMIALS], size[MONOMIALS]; /* of each monomial, and of what it is a difference of */
} Points;

static bool start_points(Points *p, Machine *ex, const Additive *a, const Monomial *monomials, uint32_t columns) {
  *p = (Points){.a = a, .monomials = monomials, .columns = columns, .inputs = {.a = a}, .seed = 17};
  for (uint32_t i = 0; i < a->n; i++) p->next[i] = abstract(ex->tt, &p->inputs, a->next[i]);
  if (!p->inputs.failed) p->eval = term_eval_new(ex->tt, ex->arena, no_memory, NULL);
  return !p->inputs.failed;
}

static void draw_inputs(Points *p) {
  for (uint32_t i = 0; i < p->inputs.count; i++) {
    double v = draw(&p->seed, false);
    term_eval_set(p->eval, p->inputs.to[i], (TermValue){v, (int64_t)v});
  }
}

/* false: what comes after that state is no number. */
static bool change_from(Points *p, const double *state, const double *other) {
  const Additive *a = p->a;
  double after[ADDITIVE_STATE];
  for (uint32_t i = 0; i < a->n; i++) {
    term_eval_set(p->eval, a->state[i], (TermValue){state[i], (int64_t)state[i]});
    if (other) term_eval_set(p->eval, a->merged[i], (TermValue){other[i], (int64_t)other[i]});
  }
  for (uint32_t i = 0; i < a->n; i++) {
    after[i] = term_eval(p->eval, p->next[i]).real;
    if (!isfinite(after[i])) return false;
  }
  for (uint32_t c = 0; c < p->columns; c++) {
    double to = monomial_at(&p->monomials[c], after, a->n), from = monomial_at(&p->monomials[c], state, a->n);
    double more = other ? monomial_at(&p->monomials[c], other, a->n) : 0;
    p->change[c] = to - from - more;
    p->size[c] = fabs(to) + fabs(from) + fabs(more);
  }
  return true;
}

static bool fill_system(Machine *ex, const Additive *a, System *s, Points *p) {
  TermTable *tt = ex->tt;
  double base[MONOMIALS];
  bool merge = a->merged[0] != 0;
  for (uint32_t n = 0; s->rows < POINTS && n < 2 * POINTS; n++) {
    double state[ADDITIVE_STATE], other[ADDITIVE_STATE] = {0};
    bool first = !merge && n % 15 == 0;
    if (merge || first) draw_inputs(p);
    for (uint32_t i = 0; i < a->n; i++) {
      state[i] = draw(&p->seed, term_sort(tt, a->state[i]) == SORT_INT);
      if (merge) other[i] = draw(&p->seed, term_sort(tt, a->merged[i]) == SORT_INT);
    }
    if (!change_from(p, state, merge ? other : NULL)) return false;
    if (first)
      memcpy(base, p->change, sizeof base);
    else {
      for (uint32_t c = 0; c < s->columns; c++) s->row[s->rows][c] = merge ? p->change[c] : p->change[c] - base[c];
      s->rows++;
    }
  }
  return true;
}

/* Of a step: true if the change is the same at states far from those that the equations were made at, on the other
 * side of a bound (max(count, 2)) and at 0. A merge is proved. */
static bool holds_far(Points *p, const double *factor) {
  double base = 0;
  bool any = false;
  if (p->a->merged[0]) return true;
  draw_inputs(p);
  for (uint32_t n = 0; n < FAR_POINTS; n++) {
    double state[ADDITIVE_STATE], sum = 0, size = 0;
    for (uint32_t i = 0; i < p->a->n; i++) state[i] = draw_far(&p->seed);
    if (!change_from(p, state, NULL)) continue;
    for (uint32_t c = 0; c < p->columns; c++) sum += factor[c] * p->change[c], size += fabs(factor[c]) * p->size[c];
    if (any && fabs(sum - base) > 1e-9 * (1 + size)) return false;
    if (!any) base = sum, any = true;
  }
  return any;
}

/* functional = factor * part + rest with one part that is not known yet. */
static bool solve_for_part(TermTable *tt, Additive *a, Term p, bool *known) {
  for (uint32_t v = 0; v < a->n; v++) {
    bool alone = !known[v] && term_has_symbol(tt, p, a->state[v]);
    for (uint32_t w = 0; w < a->n && alone; w++) alone = w == v || known[w] || !term_has_symbol(tt, p, a->state[w]);
    if (!alone) continue;
    Term rest = term_replace(tt, p, a->state[v], tt->zero),
         factor = term_sub(tt, term_replace(tt, p, a->state[v], tt->one), rest);
    if (term_expand(tt, term_add(tt, term_mul(tt, factor, a->state[v]), rest)) != term_expand(tt, p)) return false;
    a->functional[a->count] = p, a->solves[a->count] = v, a->factor[a->count] = factor, a->rest[a->count] = rest;
    a->count++;
    known[v] = true;
    return true;
  }
  return false;
}

bool additive_find(Machine *ex, Additive *a) {
  TermTable *tt = ex->tt;
  Monomial monomials[MONOMIALS];
  System *s = arena_new(ex->arena, System);
  Term found[MONOMIALS];
  Points points;
  uint32_t count = 0;
  *s = (System){.columns = list_monomials(a->n, monomials)};
  a->count = 0;
  if (!start_points(&points, ex, a, monomials, s->columns) || !fill_system(ex, a, s, &points)) return false;
  eliminate(s);
  for (uint32_t f = 0; f < s->columns; f++) {
    if (!s->is_free[f]) continue;
    Term p = monomial_term(tt, &monomials[f], a);
    double factor[MONOMIALS] = {0};
    factor[f] = 1;
    bool good = true;
    for (uint32_t c = 0; c < s->columns && good; c++) {
      if (s->is_free[c] || fabs(s->row[s->pivot_row[c]][f]) < 1e-6) continue;
      Rational k = near(-s->row[s->pivot_row[c]][f]);
      good = k.den != 0;
      factor[c] = good ? rational_to_double(k) : 0;
      if (good) p = term_add(tt, p, term_scale(tt, k, monomial_term(tt, &monomials[c], a)));
    }
    if (good && holds_far(&points, factor)) found[count++] = p;
  }
  bool known[ADDITIVE_STATE] = {0};
  for (bool progress = true; progress && a->count < a->n;) {
    progress = false;
    for (uint32_t i = 0; i < count && a->count < a->n; i++) progress |= solve_for_part(tt, a, found[i], known);
  }
  return a->count == a->n;
}

Term additive_cancel(TermTable *tt, Term t, void *keeps_domain) {
  if (term_kind(tt, t) != TERM_MUL) return t;
  Term product = tt->one;
  bool changed = false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    bool first = true;
    for (uint32_t k = 0; k < i; k += 2) first &= term_arg(tt, t, k) != base;
    for (uint32_t k = i + 2; k < term_count(tt, t) && first; k += 2)
      if (term_arg(tt, t, k) == base)
        e = rational_add(tt->arena->guard, e, term_rat(tt, term_arg(tt, t, k + 1))), changed = true;
    if (keeps_domain && e.num >= 0 && term_rat(tt, term_arg(tt, t, i + 1)).num != e.num) return t;
    if (first && e.num) product = term_mul(tt, product, term_power(tt, base, e));
  }
  return changed ? product : t;
}

void additive_invert(TermTable *tt, const Additive *a, const Term *values, Term *parts) {
  Term from[ADDITIVE_STATE], to[ADDITIVE_STATE];
  for (uint32_t i = 0; i < a->count; i++) {
    TermMap map = {i, from, to};
    Term factor = term_substitute(tt, a->factor[i], map), rest = term_substitute(tt, a->rest[i], map);
    Term part = term_sub(tt, values[i], term_transform(tt, rest, additive_cancel, NULL));
    if (factor != tt->one) part = term_div(tt, part, factor);
    parts[a->solves[i]] = part;
    from[i] = a->state[a->solves[i]], to[i] = part;
  }
}

/* ---- proof ---- */

/* Multiplied out, coefficients too: a sum of products of atoms. */
Term additive_polynomial(TermTable *tt, Term t) {
  uint32_t n = term_count(tt, t);
  if (term_kind(tt, t) == TERM_ADD) {
    Term sum = term_arg(tt, t, 0);
    for (uint32_t i = 1; i < n; i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      Term part = additive_polynomial(tt, term_arg(tt, t, i + 1));
      if (term_kind(tt, part) != TERM_ADD) {
        sum = term_add(tt, sum, term_scale(tt, k, part));
        continue;
      }
      sum = term_add(tt, sum, term_scale(tt, k, term_arg(tt, part, 0)));
      for (uint32_t j = 1; j < term_count(tt, part); j += 2) {
        Rational c = rational_mul(tt->arena->guard, k, term_rat(tt, term_arg(tt, part, j)));
        sum = term_add(tt, sum, term_scale(tt, c, term_arg(tt, part, j + 1)));
      }
    }
    return sum;
  }
  if (term_kind(tt, t) != TERM_MUL) return t;
  Term product = tt->one;
  for (uint32_t i = 0; i < n; i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    bool small = e.den == 1 && e.num > 0 && e.num <= 4 && term_kind(tt, base) == TERM_ADD;
    Term factor = small ? additive_polynomial(tt, base) : term_power(tt, base, e);
    for (Int128 k = 0; k < (small ? e.num : 1); k++) {
      Term expanded = term_expand(tt, term_mul(tt, product, factor));
      product = expanded == t                         ? expanded
                : term_kind(tt, expanded) == TERM_ADD ? additive_polynomial(tt, expanded)
                                                      : expanded;
    }
  }
  return product;
}

typedef struct Fraction {
  Term top, bottom;
} Fraction;

static Fraction fraction(TermTable *tt, Term t) {
  uint32_t n = term_count(tt, t);
  if (term_kind(tt, t) == TERM_ADD) {
    Fraction sum = {term_arg(tt, t, 0), tt->one};
    for (uint32_t i = 1; i < n; i += 2) {
      Fraction f = fraction(tt, term_arg(tt, t, i + 1));
      f.top = term_scale(tt, term_rat(tt, term_arg(tt, t, i)), f.top);
      if (f.bottom == sum.bottom)
        sum.top = term_add(tt, sum.top, f.top);
      else {
        sum.top =
            additive_polynomial(tt, term_add(tt, term_mul(tt, sum.top, f.bottom), term_mul(tt, f.top, sum.bottom)));
        sum.bottom = additive_polynomial(tt, term_mul(tt, sum.bottom, f.bottom));
      }
    }
    return sum;
  }
  if (term_kind(tt, t) == TERM_MUL) {
    Fraction product = {tt->one, tt->one};
    for (uint32_t i = 0; i < n; i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      Fraction f = fraction(tt, term_arg(tt, t, i));
      for (Int128 k = 0; e.den == 1 && k < (e.num < 0 ? -e.num : e.num); k++) {
        product.top = additive_polynomial(tt, term_mul(tt, product.top, e.num > 0 ? f.top : f.bottom));
        product.bottom = additive_polynomial(tt, term_mul(tt, product.bottom, e.num > 0 ? f.bottom : f.top));
      }
      if (e.den != 1) product.top = term_mul(tt, product.top, term_power(tt, term_arg(tt, t, i), e));
    }
    return product;
  }
  return (Fraction){t, tt->one};
}

static Term first_condition(const TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_SELECT) return term_arg(tt, t, 0);
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term c = first_condition(tt, term_arg(tt, t, i));
    if (c) return c;
  }
  return 0;
}

/* x = y: y for x. n = 0 for a sum of integers >= 0: each of them is 0. */
static Term under_zero(TermTable *tt, Term t, Term condition, const Additive *a) {
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return t;
  Term e = term_arg(tt, condition, 0);
  for (uint32_t i = 0; i < a->n && term_sort(tt, e) != SORT_INT; i++) {
    Term s = a->state[i], minus = term_sub(tt, s, e), plus = term_add(tt, s, e);
    if (term_has_symbol(tt, e, s) && !term_has_symbol(tt, minus, s)) return term_replace(tt, t, s, minus);
    if (term_has_symbol(tt, e, s) && !term_has_symbol(tt, plus, s)) return term_replace(tt, t, s, plus);
  }
  if (term_sort(tt, e) != SORT_INT) return t;
  if (term_constant_part(tt, e).num != 0) return t;
  for (uint32_t i = 1; i < (term_kind(tt, e) == TERM_ADD ? term_count(tt, e) : 0); i += 2)
    if (term_rat(tt, term_arg(tt, e, i)).num < 0 || !term_prove_le(tt, tt->zero, term_arg(tt, e, i + 1))) return t;
  for (uint32_t i = 0; i < a->n; i++) {
    if (term_has_symbol(tt, e, a->state[i])) t = term_replace(tt, t, a->state[i], tt->zero);
    if (term_has_symbol(tt, e, a->merged[i])) t = term_replace(tt, t, a->merged[i], tt->zero);
  }
  return t;
}

static bool vanishes(TermTable *tt, Term t, const Additive *a, uint32_t depth) {
  Term c = first_condition(tt, t);
  if (!c) return additive_polynomial(tt, fraction(tt, t).top) == tt->zero;
  if (depth == 4) return false;
  Term yes = under_zero(tt, term_assume(tt, t, c), c, a), no = term_assume(tt, t, term_not(tt, c));
  if (term_kind(tt, c) == TERM_EQ && term_count(tt, c) == 1 && term_prove_le(tt, tt->zero, term_arg(tt, c, 0)))
    no = term_assume(tt, no, term_le(tt, tt->one, term_arg(tt, c, 0))); /* an integer >= 0 that is not 0 */
  return vanishes(tt, yes, a, depth + 1) && vanishes(tt, no, a, depth + 1);
}

bool additive_is_zero(TermTable *tt, Term t, const Additive *a) { return vanishes(tt, t, a, 0); }

bool additive_proved(Machine *ex, const Additive *a) {
  TermTable *tt = ex->tt;
  for (uint32_t i = 0; i < a->count; i++) {
    Term p = a->functional[i];
    Term change = term_sub(tt, term_substitute(tt, p, (TermMap){a->n, a->state, a->next}), p);
    if (a->merged[0]) change = term_sub(tt, change, term_substitute(tt, p, (TermMap){a->n, a->state, a->merged}));
    if (!vanishes(tt, change, a, 0)) return false;
  }
  return true;
}
