/* Conversions of floats to integers: out of the range of the integer the value is undefined (semantics.md section 3),
 * as is that of an infinity or a NaN. Each conversion is an obligation of its own, whatever becomes of its result.
 *
 * The range of a real term is found bottom-up as an interval of doubles, symbol by symbol. Rounding of the bounds does
 * no harm: a conversion truncates, so that there is a whole unit to spare, and bounds beyond 2^52 are never relied on.
 */
#include <math.h>

#include "analysis/analysis.h"
#include "prove/equal.h"
#include "safety/obligations_internal.h"
#include "safety/ratio.h"

typedef struct Range {
  double lo, hi;
} Range;

enum { MOST_DEPTH = 40 };

static Range everything(void) { return (Range){-INFINITY, INFINITY}; }
static bool is_never(Range r) { return r.lo > r.hi; }
static Range join(Range a, Range b) {
  return is_never(a) ? b : is_never(b) ? a : (Range){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static Range product(Range a, Range b) {
  double corners[] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)};
  Range out = {corners[0], corners[0]};
  for (int i = 1; i < 4; i++) out.lo = fmin(out.lo, corners[i]), out.hi = fmax(out.hi, corners[i]);
  return out;
}

static Range of_width(uint32_t width, bool is_unsigned) {
  double top = ldexp(1, (int)width - (is_unsigned ? 0 : 1));
  return (Range){is_unsigned ? 0 : -top, top - 1};
}

static Range range_of(Safety *s, Term t, uint32_t depth);

static Range of_power(Safety *s, Term base, Rational e, uint32_t depth) {
  Range r = range_of(s, base, depth), out = {1, 1};
  if (e.den != 1) return (Range){0, INFINITY};
  if (e.num < 0) { /* of a number that is kept from 0 */
    if (!(r.lo > 0 || r.hi < 0)) return everything();
    r = (Range){1 / r.hi, 1 / r.lo};
  }
  Int128 n = e.num < 0 ? -e.num : e.num;
  if (n > 8) return everything();
  for (Int128 i = 0; i < n; i++) out = product(out, r);
  if (n % 2 == 0) out.lo = fmax(out.lo, 0);
  return out;
}

static Range of_select(Safety *s, Term t, uint32_t depth) {
  TermTable *tt = s->tt;
  Range out = {1, 0};
  uint32_t facts = tt->facts.count;
  for (uint32_t k = 1; k <= 2; k++) {
    equal_push(tt, k == 1 ? term_arg(tt, t, 0) : term_not(tt, term_arg(tt, t, 0)));
    out = join(out, range_of(s, term_arg(tt, t, k), depth));
    term_pop_facts(tt, facts);
  }
  return out;
}

/* Elements of an integer tensor have the range of its type. */
static Range of_read(const Safety *s, Term t) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *p = &ex->params.data[i];
    if (!p->is_pointer || p->symbol != term_arg(s->tt, t, 0)) continue;
    const Type *type = program_get_type(ex->program, p->element);
    return type->kind == TYPE_INT ? of_width(type->width, type->width == 1 || p->is_unsigned) : everything();
  }
  return everything();
}

static Range of_function(const Safety *s, Term t) {
  const TermFnInfo *f = term_fn_info((TermFn)term_aux(s->tt, t));
  return (Range){f->least, f->most};
}

/* A factor and a divisor of a product that is at least its magnitude: together they lie between -1 and 1. */
static bool find_ratio(TermTable *tt, Term t, uint32_t *over, uint32_t *under) {
  for (*under = 0; *under < term_count(tt, t); *under += 2) {
    if (!rational_equal(term_rat(tt, term_arg(tt, t, *under + 1)), rational_int(-1))) continue;
    for (*over = 0; *over < term_count(tt, t); *over += 2)
      if (rational_equal(term_rat(tt, term_arg(tt, t, *over + 1)), rational_int(1)) &&
          ratio_is_at_most_one(tt, term_arg(tt, t, *over), term_arg(tt, t, *under)))
        return true;
  }
  return false;
}

static Range of_product(Safety *s, Term t, uint32_t depth) {
  TermTable *tt = s->tt;
  uint32_t over = 0, under = 0;
  bool is_ratio = find_ratio(tt, t, &over, &under);
  Range r = is_ratio ? (Range){-1, 1} : (Range){1, 1};
  for (uint32_t i = 0; i < term_count(tt, t); i += 2)
    if (!is_ratio || (i != over && i != under))
      r = product(r, of_power(s, term_arg(tt, t, i), term_rat(tt, term_arg(tt, t, i + 1)), depth));
  return r;
}

/* Of the whole numbers that these are made; ends are rounded outward first, as they were computed in doubles. */
static Range of_whole(TermKind kind, Range r) {
  double lo = r.lo - 1e-12 * fabs(r.lo), hi = r.hi + 1e-12 * fabs(r.hi);
  if (kind == TERM_FLOOR) return (Range){floor(lo), floor(hi)};
  if (kind == TERM_CEIL) return (Range){ceil(lo), ceil(hi)};
  if (kind == TERM_TRUNC) return (Range){trunc(lo), trunc(hi)};
  if (kind == TERM_ROUND) return (Range){ceil(lo - 0.5), floor(hi + 0.5)};
  return r;
}

static Range range_of(Safety *s, Term t, uint32_t depth) {
  TermTable *tt = s->tt;
  Range out, r;
  if (++depth > MOST_DEPTH) return everything();
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_UNDEF) return (Range){1, 0}; /* asked about elsewhere */
  if (kind == TERM_RAT) return (Range){rational_to_double(term_rat(tt, t)), rational_to_double(term_rat(tt, t))};
  if (term_kind_is_truth(kind)) return (Range){0, 1};
  if (kind == TERM_READ) return of_read(s, t);
  if (kind == TERM_FN) return of_function(s, t);
  if (kind == TERM_SELECT) return of_select(s, t, depth);
  if (kind == TERM_WRAP) return of_width(term_aux(tt, t), false);
  if (kind == TERM_SYM) {
    Term lo = term_symbol(tt, t)->lo, hi = term_symbol(tt, t)->hi;
    out = everything();
    if (lo) out.lo = range_of(s, lo, depth).lo;
    if (hi) out.hi = range_of(s, hi, depth).hi;
    return out;
  }
  if (kind == TERM_ABS) {
    r = range_of(s, term_arg(tt, t, 0), depth);
    return (Range){0, fmax(fabs(r.lo), fabs(r.hi))};
  }
  if (term_kind_is_rounding(kind)) {
    r = range_of(s, term_arg(tt, t, 0), depth);
    return is_never(r) ? r : of_whole(term_kind(tt, t), r);
  }
  if (kind == TERM_ADD) {
    r = range_of(s, term_arg(tt, t, 0), depth);
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      double k = rational_to_double(term_rat(tt, term_arg(tt, t, i)));
      out = product((Range){k, k}, range_of(s, term_arg(tt, t, i + 1), depth));
      r = (Range){r.lo + out.lo, r.hi + out.hi};
    }
    return r;
  }
  if (kind == TERM_MUL) return of_product(s, t, depth);
  if (term_kind_is_extremum(kind)) {
    r = range_of(s, term_arg(tt, t, 0), depth);
    for (uint32_t i = 1; i < term_count(tt, t); i++) {
      bool min = term_kind(tt, t) == TERM_MIN;
      out = range_of(s, term_arg(tt, t, i), depth);
      r = min ? (Range){fmin(r.lo, out.lo), fmin(r.hi, out.hi)} : (Range){fmax(r.lo, out.lo), fmax(r.hi, out.hi)};
    }
    return r;
  }
  if (kind == TERM_FOLD) {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if (op != FOLD_MAX && op != FOLD_MIN) return everything();
    FoldParts parts = term_fold_open(tt, t);
    return range_of(s, parts.body, depth); /* of one that has an element; that it has is asked with the infinities */
  }
  return everything();
}

static bool is_inside(Safety *s, Term t, uint32_t width, bool is_unsigned) {
  TermTable *tt = s->tt;
  Range r = range_of(s, t, 0), room = of_width(width, is_unsigned);
  double far = 0x1p52;
  if (is_never(r)) return true;
  if ((room.lo < -far ? r.lo >= -far : r.lo >= room.lo) && (room.hi > far ? r.hi <= far : r.hi <= room.hi)) return true;
  if (term_sort(tt, t) != SORT_INT || width > 32) return false;
  return term_prove_le(tt, term_int(tt, (int64_t)room.lo), t) && term_prove_le(tt, t, term_int(tt, (int64_t)room.hi));
}

/* Of each execution, where it is executed. */
static void check_conversion(Safety *s, const ExecutedOp *e) {
  const Program *p = s->on->ex->program;
  const Op *op = program_get_op(p, e->op);
  const Type *to = program_get_type(p, program_element_type(p, program_get_value(p, op->first_result)->type));
  Term value = safety_closed(s, e->operands[0]), path = safety_closed(s, e->path);
  uint32_t facts = s->tt->facts.count;
  uint8_t of_inputs = OF_INPUTS_NOT;
  safety_takes_anew(s);
  equal_push(s->tt, path);
  const char *why = safety_not_a_number(s, value, e->op, &of_inputs);
  if (!why && !program_op_attr(p, op, "unbounded") &&
      !is_inside(s, value, to->width, analysis_converts_unsigned(p, op))) {
    why = arena_format(s->arena, "a conversion to i%u of a number that may not fit: %s; this depends on the inputs",
                       to->width, source_text(s->tt, s->on, e->op, value));
    of_inputs = OF_INPUTS_ALONE;
  }
  term_pop_facts(s->tt, facts);
  Obligation *o = safety_add(s, OBLIGATION_UNDEFINED, why ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED, e->op, 0, why);
  if (why) o->of_inputs = of_inputs;
  safety_rests_on_signs(s, o, false);
}

void safety_conversions(Safety *s) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->executed.count; i++) {
    const Op *op = program_get_op(ex->program, ex->executed.data[i].op);
    if (analysis_is_conversion(ex->program, op)) check_conversion(s, &ex->executed.data[i]);
  }
}
