/* Digits: the coordinates with literal coefficients in an address, k1*c1 + k2*c2 + ..., as axes of a tensor.
 *
 * Digits chain where one ends as the next begins (k2 = k1 * extent of c1): a chain is one dense index, such as
 * 64*pid + lane. A mask that bounds the upper or the lower part of a chain alone cuts it there. Every chain is an axis
 * candidate with its lowest coefficient as stride; it becomes one where what lies below stays under that stride. For an
 * output that may be assumed (strides make no elements overlap: kind `disjoint`), for an input it must be shown.
 *
 * What is read from memory has no extent and is no digit: `256*cu[p] + 256*t + 64*h + d` steps whole rows of 256,
 * wherever these begin, so that an axis starts at the greatest common divisor of its coefficients. */
#include "lift/recover_internal.h"

enum { MAX_DIGITS = 12 };

typedef struct Digit {
  Term coordinate;   /* or what else varies: a quotient of coordinates, or with unknown extent */
  int64_t k, extent; /* extent 0: not a literal */
  int below, above;  /* in the chain; -1: none */
  bool cut;          /* starts an axis of its own */
  bool whole;        /* a mask bounds it together with all that lies below */
  int joined;        /* continues the axis that starts there, though not linked; -1 */
} Digit;

typedef struct Digits {
  Digit digit[MAX_DIGITS]; /* increasing k */
  uint32_t count;
  Digit loose[MAX_DIGITS]; /* what is read from memory */
  uint32_t loose_count;
  int64_t step; /* greatest common divisor of their coefficients; 0: none */
} Digits;

/* At one coefficient: an extent that is not known comes first, one program of the sample before several. */
static bool goes_below(const Recover *r, const Digit *a, const Digit *b) {
  if (a->k != b->k) return a->k < b->k;
  if (!a->extent != !b->extent) return !a->extent;
  for (uint32_t i = 0; i < 3 && r->ex; i++) {
    if (a->coordinate == r->ex->pid[i] && r->ex->options.grid_sample[i] == 1) return true;
    if (b->coordinate == r->ex->pid[i] && r->ex->options.grid_sample[i] == 1) return false;
  }
  return false;
}

/* A literal that bounds t, such as 15 for min(15, n - 16*p - 1); -1: none. */
static int64_t greatest_literal(TermTable *tt, Term t) {
  int64_t best = -1, value;
  if (!t) return -1;
  bool is_min = term_kind(tt, t) == TERM_MIN;
  for (uint32_t i = 0; i < (is_min ? term_count(tt, t) : 1); i++)
    if (term_is_int(tt, is_min ? term_arg(tt, t, i) : t, &value) && value >= 0 && value < INT32_MAX &&
        (best < 0 || value < best))
      best = value;
  return best;
}

static bool is_from_memory(const TermTable *tt, Term variable) {
  return !recover_is_coordinate(tt, variable) && (term_node(tt, variable)->flags & TERM_HAS_READ);
}

/* Programs of two axes of the grid are two axes of a tensor where the launch that was given has them apart. */
static bool are_apart(const Recover *r, const View *view, const Digit *digit, const Digit *below) {
  uint32_t programs = 0;
  for (uint32_t i = 0; i < 3 && r->ex; i++)
    programs += (digit->coordinate == r->ex->pid[i]) + (below->coordinate == r->ex->pid[i]);
  return programs == 2 && recover_sample_length(r, view, digit->k);
}

/* a - n*(a // n) of a size n stands there: what steps within a wraps, and tells of no rows. */
static bool is_wrapped(TermTable *tt, Term offset) {
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Rational k;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, offset, i), &k, &stride, &variable);
    if (k.num < 0 && stride != tt->one && term_kind(tt, variable) == TERM_FLOORDIV) return true;
  }
  return false;
}

static bool read_digits(Recover *r, const View *view, Term offset, Digits *d) {
  TermTable *tt = r->tt;
  d->count = d->loose_count = 0, d->step = 0;
  if (is_wrapped(tt, offset)) offset = recover_name_remainders(r, offset);
  offset = recover_take_sums(r, view, offset, NULL);
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Rational k;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, offset, i), &k, &stride, &variable);
    if (variable == tt->one || stride != tt->one ||
        recover_grid_row(tt, view, recover_monomial(tt, offset, i), &stride) < view->rank)
      continue;
    if (k.num <= 0 || k.num > INT32_MAX || d->count == MAX_DIGITS) return false;
    if (is_from_memory(tt, variable)) {
      if (d->loose_count == MAX_DIGITS) return false;
      d->loose[d->loose_count++] = (Digit){.coordinate = variable, .k = (int64_t)k.num};
      d->step = (int64_t)rational_gcd(k.num, d->step);
      continue;
    }
    bool is_quotient = term_kind(tt, variable) == TERM_FLOORDIV && term_prove_le(tt, tt->zero, variable);
    Term most = recover_is_coordinate(tt, variable) ? term_symbol(tt, variable)->hi
                : is_quotient                       ? recover_greatest(r, variable, 0)
                                                    : 0;
    int64_t extent = greatest_literal(tt, most) + 1;
    uint32_t at = d->count++;
    Digit digit = {
        .coordinate = variable, .k = (int64_t)k.num, .extent = extent, .below = -1, .above = -1, .joined = -1};
    for (; at && goes_below(r, &digit, &d->digit[at - 1]); at--) d->digit[at] = d->digit[at - 1];
    d->digit[at] = digit;
  }
  for (uint32_t i = 0; i < d->count; i++)
    for (uint32_t j = i + 1; d->digit[i].extent && j < d->count; j++) {
      if (d->digit[j].below >= 0 || d->digit[j].k != d->digit[i].k * d->digit[i].extent) continue;
      d->digit[i].above = (int)j, d->digit[j].below = (int)i;
      break;
    }
  for (uint32_t i = 0; i < d->count; i++)
    if (d->digit[i].below >= 0 &&
        ((d->step > 1 && d->digit[i].k == d->step) || are_apart(r, view, &d->digit[i], &d->digit[d->digit[i].below])))
      d->digit[i].cut = true;
  return true;
}

/* What is read from memory does not step whole rows of that length: the part of it below. */
static Term loose_below(TermTable *tt, const Digits *d, int64_t stride) {
  Term sum = tt->zero;
  for (uint32_t i = 0; i < d->loose_count; i++)
    if (d->loose[i].k % stride)
      sum = term_add(tt, sum, term_scale(tt, rational_int(d->loose[i].k), d->loose[i].coordinate));
  return sum;
}

/* The literal coefficient of a digit in a condition t <= 0. */
static int64_t coefficient_in(TermTable *tt, Term t, const Digit *digit) {
  for (uint32_t i = 0; i < recover_monomial_count(tt, t); i++) {
    Rational k;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, t, i), &k, &stride, &variable);
    if (variable == digit->coordinate && stride == tt->one && k.num > 0 && k.num <= INT32_MAX) return (int64_t)k.num;
  }
  return 0;
}

/* A conjunct that bounds digits in proportion to the address. One that starts at the foot of a chain says that its
 * digits are one index, linked or not; one that bounds a part of a chain cuts above and below that part. */
static void cut_by(TermTable *tt, Digits *d, Term condition, bool whole) {
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return;
  Term t = term_arg(tt, condition, 0), rest = t;
  int covered[MAX_DIGITS], n = 0;
  int64_t unit = 0;
  bool linked = true;
  for (uint32_t i = 0; i < d->count; i++) {
    int64_t c = coefficient_in(tt, t, &d->digit[i]);
    if (!c) continue;
    rest = term_sub(tt, rest, term_scale(tt, rational_int(c), d->digit[i].coordinate));
    if (!n)
      unit = c;
    else if (d->digit[i].k * unit != d->digit[covered[0]].k * c)
      return;
    else
      linked &= d->digit[i].below == covered[n - 1];
    covered[n++] = (int)i;
  }
  if (!n || recover_varies(tt, rest)) return;
  Digit *first = &d->digit[covered[0]], *last = &d->digit[covered[n - 1]];
  if (whole) {
    if (first->below >= 0 || (n == 1 && last->above >= 0)) return;
    for (int i = 0; i < n; i++) d->digit[covered[i]].whole = true;
    for (int i = 1; i < n; i++)
      if (d->digit[covered[i]].below < 0) d->digit[covered[i]].joined = covered[0];
    return;
  }
  if (unit == first->k && unit > 1) return; /* pid*B + B <= n counts elements, as the address does: no rows */
  if (!linked) { /* half of the rows of a block: the digits are one index though they do not meet */
    bool closed = n == 1 + covered[n - 1] - covered[0];
    for (int i = 1; i < n; i++)
      closed &= d->digit[covered[i]].below < 0 || d->digit[covered[i]].below == covered[i - 1];
    if (!closed) return;
    for (int i = 1; i < n; i++)
      if (d->digit[covered[i]].below < 0) d->digit[covered[i]].joined = covered[0];
  }
  if (first->below >= 0 && !first->whole) first->cut = true;
  if (last->above >= 0 && !d->digit[last->above].whole) d->digit[last->above].cut = true;
}

/* Another conjunct says more than this one: 16*p < T where 16*p + lane < T. It bounds no part by itself. */
static bool is_implied(TermTable *tt, Term mask, Term conjunct) {
  for (uint32_t i = 0; i < term_count(tt, mask); i++) {
    Term other = term_arg(tt, mask, i);
    if (other == conjunct || term_kind(tt, other) != TERM_LE || term_kind(tt, conjunct) != TERM_LE ||
        term_count(tt, other) != 1 || term_count(tt, conjunct) != 1 ||
        term_sort(tt, term_arg(tt, other, 0)) != SORT_INT || term_sort(tt, term_arg(tt, conjunct, 0)) != SORT_INT)
      continue;
    Term more = term_sub(tt, term_arg(tt, other, 0), term_arg(tt, conjunct, 0));
    if (recover_varies(tt, more) && term_prove_le(tt, tt->zero, more)) return true;
  }
  return false;
}

static void cut_by_mask(TermTable *tt, Digits *d, Term mask) {
  for (int whole = 1; whole >= 0; whole--) {
    if (term_kind(tt, mask) != TERM_AND)
      cut_by(tt, d, mask, whole);
    else
      for (uint32_t i = 0; i < term_count(tt, mask); i++)
        if (whole || !is_implied(tt, mask, term_arg(tt, mask, i))) cut_by(tt, d, term_arg(tt, mask, i), whole);
  }
}

static bool starts_axis(const Digit *digit) { return digit->joined < 0 && (digit->below < 0 || digit->cut); }

/* The digit where the axis of digit i starts. */
static uint32_t axis_start(const Digits *d, uint32_t i) {
  while (!starts_axis(&d->digit[i])) i = (uint32_t)(d->digit[i].joined >= 0 ? d->digit[i].joined : d->digit[i].below);
  return i;
}

/* The index of the axis that starts at digit i, in units of its stride. */
static Term axis_index(TermTable *tt, const Digits *d, uint32_t start) {
  Term index = tt->zero;
  for (uint32_t i = start; i < d->count; i++)
    if (axis_start(d, i) == start)
      index =
          term_add(tt, index, term_scale(tt, rational_int(d->digit[i].k / d->digit[start].k), d->digit[i].coordinate));
  return index;
}

/* True if the programs along this axis are rows of a symbolic stride as well, t*(N + 1). Then literals alone do not
 * say how many there may be. */
static bool has_other_stride(Recover *r, Term grid, Term offset) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < 3; i++) {
    Term pid = r->ex->pid[i];
    if (r->ex->grid[i] == grid &&
        !term_is_rat(tt, term_sub(tt, term_replace(tt, offset, pid, term_add(tt, pid, tt->one)), offset)))
      return true;
  }
  return false;
}

/* extent <= most, by the least statement on its symbol. */
static bool assume_disjoint(Recover *r, Term extent, int64_t most, const Access *a) {
  TermTable *tt = r->tt;
  Term base;
  Rational k = term_coefficient(tt, extent, &base);
  if (term_kind(tt, base) != TERM_SYM || k.num <= 0 || k.den != 1 || k.num > most) return false;
  most = most / (int64_t)k.num;
  extent = base;
  if (r->ex->program->is_host && most < 2) return false; /* a loop that is run once is none */
  if (has_other_stride(r, extent, a->offset)) return false;
  Term limit = term_int(tt, most);
  const char *text = arena_format(r->arena, "%s <= %lld", term_message(tt, extent), (long long)most);
  const char *why = arena_format(r->arena, "no two elements of %s share an address (%s)", term_name(tt, a->tensor),
                                 execute_where(r->ex, a->op));
  recover_assume(r, ASSUME_DISJOINT, term_le(tt, extent, limit), text, why, NULL);
  const Symbol *s = term_symbol(tt, extent);
  if (!s->hi || term_prove_le(tt, limit, s->hi)) term_symbol_range(tt, extent, s->lo, limit);
  for (uint32_t i = 0; i < 3; i++) /* one program along the axis */
    if (r->ex->grid[i] == extent && most == 1) recover_substitute(r, r->ex->pid[i], tt->zero);
  recover_rebuild(r);
  return true;
}

/* What lies below the stride axis by axis, each as far as the mask lets it go: 5*j + k < 50 where j < m <= 10 and
 * k < n <= 5, of which each is known by itself alone. Digits that step whole rows are none of
 * what lies below, from `first` on if it is a digit. */
static bool axes_stay_below(Recover *r, const Access *a, const Digits *of, uint32_t first, int64_t stride,
                            Term constant) {
  TermTable *tt = r->tt;
  int64_t sum;
  if (!term_is_int(tt, constant, &sum)) return false;
  Digits own = *of, *d = &own;
  cut_by_mask(tt, d, a->mask);
  for (uint32_t i = 0; i < d->count; i++) {
    bool is_multiple = d->digit[i].k >= stride && d->digit[i].k % stride == 0;
    bool is_above = is_multiple && (i >= first || first == d->count);
    if (!starts_axis(&d->digit[i]) && is_above && axis_start(d, i) < first && d->digit[axis_start(d, i)].k < stride)
      return false;
    if (!starts_axis(&d->digit[i]) || is_above) continue;
    Term index = axis_index(tt, d, i), bound = recover_bound(r, index, a->mask);
    bool is_size = bound && term_kind(tt, bound) == TERM_SYM;
    int64_t most = greatest_literal(tt, is_size ? term_symbol(tt, bound)->hi : bound);
    if (most < 1 || most > stride) return false;
    sum += d->digit[i].k * (most - 1);
  }
  return sum < stride;
}

/* The summands of an address that neither vary nor are numbers; 0: some are whole steps, so that the first step begins
 * at none of their multiples. */
static Term still_part(Recover *r, Term offset, int64_t step) {
  TermTable *tt = r->tt;
  Term still = tt->zero;
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Term base, m = recover_monomial(tt, offset, i);
    if (term_is_rat(tt, m) || recover_varies(tt, m)) continue;
    if (term_coefficient(tt, m, &base).num % step == 0) return 0;
    still = term_add(tt, still, m);
  }
  return still;
}

/* What does not vary is a place within the step of the lowest digit, k*c + m with 0 <= m < k. A number is one of some
 * step. */
static bool begins_in_step(Recover *r, Term offset, int64_t k) {
  TermTable *tt = r->tt;
  Term still = still_part(r, offset, k), number = term_new_rat(tt, term_constant_part(tt, offset));
  if (!still || still == tt->zero) return still != 0;
  still = term_add(tt, still, number);
  return term_prove_le(tt, tt->zero, still) && term_prove_lt(tt, still, term_int(tt, k));
}

/* True if the address at digit i can start an axis: all that lies below stays under its stride. */
static bool is_separate(Recover *r, const Access *a, const Digits *d, uint32_t i) {
  TermTable *tt = r->tt;
  int64_t stride = d->digit[i].k;
  Term lower = term_mod(tt, term_new_rat(tt, term_constant_part(tt, a->offset)), term_int(tt, stride));
  Term constant = lower;
  for (uint32_t j = 0; j < i; j++)
    lower = term_add(tt, lower, term_scale(tt, rational_int(d->digit[j].k), d->digit[j].coordinate));
  Term loose = loose_below(tt, d, stride),
       still = r->ex->program->is_host ? still_part(r, a->offset, stride) : tt->zero;
  if (loose != tt->zero || !still) return false;
  lower = term_add(tt, lower, still);
  uint32_t facts = tt->facts.count;
  recover_push_mask(tt, a->mask);
  bool fits = term_prove_lt(tt, lower, term_int(tt, stride)) || axes_stay_below(r, a, d, i, stride, constant);
  term_pop_facts(tt, facts);
  if (fits || !a->is_store) return fits;
  /* the axis below, whatever its lower neighbours: its extent times its stride must not pass ours */
  int below = -1;
  for (uint32_t j = 0; j < i; j++)
    if (starts_axis(&d->digit[j])) below = (int)j;
  if (below < 0) return false;
  Term index = axis_index(tt, d, (uint32_t)below), bound = recover_bound(r, index, a->mask), top;
  if (!bound) bound = (top = recover_greatest(r, index, 0)) ? term_add(tt, top, tt->one) : 0;
  int64_t literal, most = stride / d->digit[below].k;
  if (!bound || recover_varies(tt, bound) || most < 1) return false;
  if (term_is_int(tt, bound, &literal)) return literal <= most;
  return assume_disjoint(r, bound, most, a);
}

bool recover_respects(Recover *r, const Access *a, Term stride) {
  TermTable *tt = r->tt;
  Digits d;
  int64_t s;
  if (!read_digits(r, recover_view(r, a->tensor), a->offset, &d) || !term_is_int(tt, stride, &s)) return false;
  Term lower = term_mod(tt, term_new_rat(tt, term_constant_part(tt, a->offset)), stride);
  if (loose_below(tt, &d, s) != tt->zero) return false;
  Term constant = lower;
  for (uint32_t i = 0; i < d.count; i++) {
    if (d.digit[i].k >= s && d.digit[i].k % s == 0) continue;
    lower = term_add(tt, lower, term_scale(tt, rational_int(d.digit[i].k), d.digit[i].coordinate));
  }
  uint32_t facts = tt->facts.count;
  recover_push_mask(tt, a->mask);
  bool fits = term_prove_lt(tt, lower, stride);
  term_pop_facts(tt, facts);
  return fits || axes_stay_below(r, a, &d, d.count, s, constant);
}

/* Rows that only memory counts, 64*list[i] + c: true if all that lies below is shown to stay in the row. A step
 * without anything below, as of a search that looks at every other element, tells of no rows. */
static bool has_loose_rows(Recover *r, const Access *a, const Digits *d) {
  if (d->step <= 1 || (!d->count && term_constant_part(r->tt, a->offset).num == 0)) return false;
  for (uint32_t i = 0; i < d->count; i++)
    if (d->digit[i].k == d->step) return false;
  return recover_respects(r, a, term_int(r->tt, d->step));
}

/* What a mask says of two digits: nothing, that they are one index, or how far the lower one goes without the other. */
typedef enum Bounding { BOUNDS_NONE, BOUNDS_BOTH, BOUNDS_LOWER } Bounding;

static Bounding bounding(TermTable *tt, Term mask, const Digit *lower, const Digit *upper) {
  Bounding found = BOUNDS_NONE;
  for (uint32_t i = 0, n = term_conjunct_count(tt, mask); i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    int64_t a = coefficient_in(tt, term_arg(tt, c, 0), lower), b = coefficient_in(tt, term_arg(tt, c, 0), upper);
    if (a && !b) return BOUNDS_LOWER;
    if (a && a * upper->k == b * lower->k) found = BOUNDS_BOTH;
  }
  return found;
}

/* A digit that programs count, of which the launch or a mask tells that the next one begins where it ends. */
static bool fill_digits(Recover *r, const Access *a, const Digits *d) {
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t next = i + 1;
    while (next < d->count && d->digit[next].k == d->digit[i].k) next++;
    if (d->digit[i].extent || next == d->count || d->digit[next].k % d->digit[i].k ||
        !recover_is_coordinate(r->tt, d->digit[i].coordinate))
      continue;
    Bounding by = bounding(r->tt, a->mask, &d->digit[i], &d->digit[next]);
    uint32_t axis = recover_grid_axis(r, d->digit[i].coordinate);
    bool is_bounded = by == BOUNDS_BOTH || (by == BOUNDS_NONE && axis < 3 && r->ex->options.grid_sample[axis]);
    Term count = term_int(r->tt, d->digit[next].k / d->digit[i].k);
    if (is_bounded && recover_fill_digit(r, d->digit[i].coordinate, count)) return true;
  }
  return false;
}

uint32_t recover_literal_strides(Recover *r, const Access *access, Term *strides, bool *is_step) {
  TermTable *tt = r->tt;
  Digits d;
  uint32_t n = 0;
  Access a = *access; /* assumptions rebuild the accesses */
  *is_step = false;
  if (!read_digits(r, recover_view(r, a.tensor), a.offset, &d)) return 0;
  if (a.is_store && fill_digits(r, &a, &d)) return recover_literal_strides(r, access, strides, is_step);
  cut_by_mask(tt, &d, a.mask);
  for (uint32_t i = 0; i < d.count; i++) {
    if (starts_axis(&d.digit[i]) && i && d.digit[i].k == d.digit[i - 1].k)
      is_separate(r, &a, &d, i); /* one of the two is alone */
    if (!starts_axis(&d.digit[i]) || d.digit[i].k == 1) continue;
    bool lowest = i == 0;
    if (lowest &&
        (!a.is_store || recover_monomial_count(tt, a.offset) < 2 || !begins_in_step(r, a.offset, d.digit[i].k)))
      continue;
    *is_step |= lowest;
    if (lowest || is_separate(r, &a, &d, i))
      strides[n++] = term_int(tt, d.digit[i].k);
    else if (d.digit[i].below >= 0)
      d.digit[i].cut = false;
  }
  if (n < 2 * MAX_STRIDES && has_loose_rows(r, &a, &d)) strides[n++] = term_int(tt, d.step);
  return n;
}

uint32_t recover_place_digit(Recover *r, const View *view, Term offset, Term coordinate, int64_t k) {
  TermTable *tt = r->tt;
  Digits d;
  int64_t s;
  if (read_digits(r, view, offset, &d))
    for (uint32_t i = 0; i < d.count; i++) {
      if (d.digit[i].coordinate != coordinate || d.digit[i].k != k) continue;
      for (int j = (int)i; j >= 0; j = d.digit[j].below)
        for (uint32_t a = 0; a < view->rank; a++)
          if (term_is_int(tt, view->stride[a], &s) && s == d.digit[j].k) return a;
    }
  uint32_t best = view->rank;
  int64_t greatest = 0;
  for (uint32_t a = 0; a < view->rank; a++)
    if (term_is_int(tt, view->stride[a], &s) && s > greatest && s <= k && k % s == 0) greatest = s, best = a;
  return best;
}
