/* Top-down: all elements at once are split by the operation that they share, and each part is a smaller search.
 *
 *   numbers             a constant, or affine in the indices, or the reciprocal of such
 *   T[i0, i1, ..]       of one tensor: each index is a family of numbers
 *   f(a, ..)            one function, comparison or choice: argument by argument
 *   a + b, a * b, max   parts of one shape belong together (the shape is the term without its numbers and indices);
 *                       one in each element is an operand, n of them are a fold over an axis of length n, and as many
 *                       as the index says are a fold up to there; products under a sum are a contraction so
 *   else                if-then-else by an index: i < c, i <= j, i == j, where either side is of one kind
 *
 * Parts of a fold are put in order by the elements that they read. What cannot be split is enumerated (bottom_up.c). */
#include "search/family.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MOST_NESTED = 60, MOST_STEPS = 1000000, MOST_GROUPS = 24, MOST_SINGLES = 4, SHAPE_AXES = 24 };

static Term find(Search *s, const Family *f);

static Family like(Search *s, const Family *f) {
  Family own = *f;
  own.element = arena_array(s->scratch, Term, f->cells);
  return own;
}

static uint32_t first_cell(const Family *f) {
  uint32_t i = 0;
  while (i < f->cells && !f->element[i]) i++;
  return i;
}

/* ---- numbers ---- */

static bool is_literal(const Search *s, Rational r) {
  for (uint32_t i = 0; i < s->literals.count; i++)
    if (rational_equal(s->literals.data[i], r)) return true;
  return false;
}

/* A size, a product of two, half of one, or one of these and 1 more or less, that is n here; 0: none. */
static Term size_of(Search *s, int64_t n) {
  TermTable *tt = s->tt;
  static const int64_t off[] = {0, -1, 1};
  for (size_t o = 0; o < sizeof off / sizeof *off; o++)
    for (uint32_t i = 0; i < s->size_count; i++)
      if (s->size[i].value > 1 && s->size[i].value + off[o] == n)
        return term_add(tt, s->size[i].symbol, term_int(tt, off[o]));
  for (uint32_t i = 0; i < s->size_count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (s->size[i].value > 1 && s->size[k].value > 1 && s->size[i].value * s->size[k].value == n)
        return term_mul(tt, s->size[i].symbol, s->size[k].symbol);
  for (uint32_t i = 0; i < s->size_count; i++)
    if (s->size[i].value > 3 && s->size[i].value == 2 * n) return term_floordiv(tt, s->size[i].symbol, term_int(tt, 2));
  return 0;
}

/* The number, or the size that it may be. */
static Term number_term(Search *s, Rational r) {
  TermTable *tt = s->tt;
  Term literal = term_new_rat(tt, r);
  Rational size = {r.num < 0 ? -r.num : r.num, r.den};
  bool turned = size.num == 1 && size.den > 1, is_small = size.den == 1 && size.num < 2;
  if (turned) size = (Rational){size.den, size.num};
  if (is_small || size.den != 1 || size.num > 1000000 || (is_literal(s, r) && !s->sizes_first)) return literal;
  Term symbol = size_of(s, (int64_t)size.num);
  if (!symbol || (is_literal(s, r) && term_kind(tt, symbol) != TERM_SYM)) return literal;
  if (turned) symbol = term_div(tt, tt->one, symbol);
  return r.num < 0 ? term_neg(tt, symbol) : symbol;
}

typedef struct Affine {
  Rational at_zero, slope[SEARCH_RANK];
} Affine;

static Rational value_at(Search *s, const Family *f, uint32_t cell, bool turned) {
  Rational r = term_rat(s->tt, f->element[cell]);
  return turned ? rational_div(s->arena->guard, (Rational){1, 1}, r) : r;
}

static uint32_t stride_of(const Family *f, uint32_t axis) {
  uint32_t stride = 1;
  for (uint32_t k = axis + 1; k < f->rank; k++) stride *= (uint32_t)f->axis[k].count;
  return stride;
}

static Rational affine_at(Search *s, const Family *f, const Affine *a, uint32_t cell) {
  int64_t at[SEARCH_RANK];
  Rational sum = a->at_zero;
  family_place(f, cell, at);
  for (uint32_t k = 0; k < f->rank; k++)
    sum = rational_add(s->arena->guard, sum, rational_mul(s->arena->guard, a->slope[k], rational_int(at[k])));
  return sum;
}

static bool fit_affine(Search *s, const Family *f, bool turned, Affine *a) {
  Guard *guard = s->arena->guard;
  uint32_t first = first_cell(f);
  int64_t at[SEARCH_RANK];
  for (uint32_t i = first; i < f->cells && turned; i++)
    if (f->element[i] && f->element[i] == s->tt->zero) return false;
  *a = (Affine){.at_zero = {0, 1}};
  for (uint32_t k = 0; k < f->rank; k++) {
    uint32_t stride = stride_of(f, k);
    a->slope[k] = rational_int(0);
    for (uint32_t i = first; i + stride < f->cells; i++) {
      family_place(f, i, at);
      if (at[k] + 1 >= f->axis[k].count || !f->element[i] || !f->element[i + stride]) continue;
      a->slope[k] = rational_sub(guard, value_at(s, f, i + stride, turned), value_at(s, f, i, turned));
      break;
    }
  }
  a->at_zero = rational_sub(guard, value_at(s, f, first, turned), affine_at(s, f, a, first));
  for (uint32_t i = first; i < f->cells; i++)
    if (f->element[i] && !rational_equal(value_at(s, f, i, turned), affine_at(s, f, a, i))) return false;
  return true;
}

/* i // n or i % n of an index and a size. */
static Term fit_digit(Search *s, const Family *f) {
  TermTable *tt = s->tt;
  int64_t at[SEARCH_RANK], value;
  for (uint32_t a = 0; a < f->rank; a++)
    for (uint32_t n = 0; n < s->size_count; n++) {
      int64_t size = s->size[n].value;
      bool fits[2] = {size > 1 && f->axis[a].count > size, size > 1 && f->axis[a].count > size};
      for (uint32_t i = 0; i < f->cells && (fits[0] || fits[1]); i++) {
        if (!f->element[i]) continue;
        family_place(f, i, at);
        if (!term_is_int(tt, f->element[i], &value)) return 0;
        fits[0] = fits[0] && value == at[a] / size, fits[1] = fits[1] && value == at[a] % size;
      }
      if (fits[0]) return term_floordiv(tt, f->axis[a].symbol, s->size[n].symbol);
      if (fits[1]) return term_mod(tt, f->axis[a].symbol, s->size[n].symbol);
    }
  return 0;
}

/* The element of each place as a function of `at`, which is an index, or t - 1 - j, if it is the same for all places
 * with one value of `at`. 0: it is not. */
static Term fit_along(Search *s, const Family *f, uint32_t t, uint32_t after) {
  Rational numbers[SEARCH_STEPS];
  int64_t at[SEARCH_RANK];
  uint32_t first = 0, end;
  bool known[SEARCH_STEPS] = {false};
  for (uint32_t i = 0; i < f->cells; i++) {
    if (!f->element[i]) continue;
    family_place(f, i, at);
    int64_t n = after == t ? at[t] : at[t] - 1 - at[after];
    if (n < 0 || n >= SEARCH_STEPS) return 0;
    Rational own = term_rat(s->tt, f->element[i]);
    if (known[n] && !rational_equal(numbers[n], own)) return 0;
    known[n] = true, numbers[n] = own;
  }
  while (first < SEARCH_STEPS && !known[first]) first++;
  for (end = first; end < SEARCH_STEPS && known[end];) end++;
  return search_fit_sequence(s, numbers, first, end, f->axis[t].symbol, after == t ? 0 : f->axis[after].symbol);
}

static Term fit_sequence(Search *s, const Family *f) {
  Term found = 0;
  for (uint32_t t = 0; t < f->rank && !found; t++)
    for (uint32_t after = 0; after < f->rank && !found; after++) found = fit_along(s, f, t, after);
  return found;
}

Term search_fit_number(Search *s, const Family *f) {
  TermTable *tt = s->tt;
  Affine a;
  for (uint32_t i = 0; i < f->cells; i++)
    if (f->element[i] && !term_is_rat(tt, f->element[i])) return 0;
  bool turned = false;
  if (first_cell(f) == f->cells) return tt->zero;
  if (!fit_affine(s, f, false, &a) && !(turned = fit_affine(s, f, true, &a)))
    return s->is_of_steps ? fit_sequence(s, f) : fit_digit(s, f);
  Term sum = number_term(s, a.at_zero);
  for (uint32_t k = 0; k < f->rank; k++)
    sum = term_add(tt, sum, term_mul(tt, number_term(s, a.slope[k]), f->axis[k].symbol));
  return turned ? term_div(tt, tt->one, sum) : sum;
}

/* ---- shapes of terms ---- */

/* Of a term: the term without its numbers and indices, as a hash; and the sum of the indices that it reads at, of each
 * axis of each tensor: of terms that differ in one index alone these are in the order of that index. */
typedef struct Shape {
  uint64_t key;
  int64_t place[SHAPE_AXES];
} Shape;

static const Shape *shape_of(Search *s, Term t);

static uint32_t first_axis(const Search *s, Term tensor) {
  const Pointwise *p = s->claim->pointwise;
  uint32_t first = 0, i = 0;
  for (; i < p->tensors.count && p->tensors.data[i].symbol != tensor; i++) first += p->tensors.data[i].rank;
  return first;
}

static void add_place(Shape *shape, const Shape *part) {
  for (uint32_t i = 0; i < SHAPE_AXES; i++)
    shape->place[i] = (int64_t)((uint64_t)shape->place[i] + (uint64_t)part->place[i]);
}

static bool is_group(TermKind kind) {
  return kind == TERM_ADD || kind == TERM_MUL || kind == TERM_MAX || kind == TERM_MIN || kind == TERM_AND ||
         kind == TERM_OR;
}

/* As a set: how many there are of one shape does not count. */
static void shape_of_group(Search *s, Term t, Shape *shape) {
  TermTable *tt = s->tt;
  TermKind kind = term_kind(tt, t);
  uint64_t seen[MOST_GROUPS], sum = kind == TERM_ADD && term_arg(tt, t, 0) != tt->zero;
  uint32_t count = 0, step = kind == TERM_ADD || kind == TERM_MUL ? 2 : 1;
  for (uint32_t i = kind == TERM_ADD ? 2 : 0; i < term_count(tt, t); i += step) {
    const Shape *part = shape_of(s, term_arg(tt, t, i));
    uint64_t own = kind == TERM_MUL ? random_mix(part->key ^ term_arg(tt, t, i + 1)) : part->key;
    bool known = false;
    add_place(shape, part);
    for (uint32_t k = 0; k < count && !known; k++) known = seen[k] == own;
    if (known) continue;
    if (count < MOST_GROUPS) seen[count++] = own;
    sum += random_mix(own);
  }
  shape->key = random_mix(shape->key + sum);
}

static const Shape *shape_of(Search *s, Term t) {
  TermTable *tt = s->tt;
  const MemoSlot *known = memo_find(&s->shapes, tt, t);
  if (known) return (const Shape *)(uintptr_t)known->value;
  Shape *shape = arena_new(s->arena, Shape);
  TermKind kind = term_kind(tt, t);
  guard_tick(s->arena->guard);
  shape->key = random_mix(((uint64_t)kind << 40) + 12345);
  if (kind == TERM_SYM) shape->key ^= random_mix(t);
  if (is_group(kind))
    shape_of_group(s, t, shape);
  else if (kind == TERM_READ) {
    uint32_t first = first_axis(s, term_arg(tt, t, 0));
    int64_t at;
    shape->key = random_mix(shape->key ^ term_arg(tt, t, 0));
    for (uint32_t i = 1; i < term_count(tt, t); i++)
      if (term_is_int(tt, term_arg(tt, t, i), &at) && first + i - 1 < SHAPE_AXES) shape->place[first + i - 1] = at;
  } else if (kind != TERM_RAT && kind != TERM_SYM) {
    shape->key = random_mix(shape->key ^ term_aux(tt, t));
    for (uint32_t i = 0; i < term_count(tt, t); i++) {
      const Shape *part = shape_of(s, term_arg(tt, t, i));
      add_place(shape, part);
      shape->key = random_mix(shape->key ^ part->key) + i;
    }
  }
  memo_put(&s->shapes, s->arena, tt, t, (uint64_t)(uintptr_t)shape);
  return shape;
}

/* What an element is at its root. */
static uint64_t class_of(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  uint64_t own = kind == TERM_READ || kind == TERM_SYM ? (kind == TERM_READ ? term_arg(tt, t, 0) : t)
                 : kind == TERM_FN || kind == TERM_OPAQUE || kind == TERM_WRAP ? term_aux(tt, t)
                                                                               : 0;
  if (kind == TERM_RAT) own = t == tt->zero;
  return ((uint64_t)kind << 40) | own;
}

/* ---- parts ---- */

typedef struct Part {
  Term base;
  Rational k; /* coefficient or exponent */
  uint64_t key;
  const Shape *shape;
} Part;

typedef struct Parts {
  Part *part;
  uint32_t count;
} Parts;

typedef struct Split {
  TermKind kind;
  Parts *of; /* by cell */
  uint64_t group[MOST_GROUPS];
  uint32_t groups;
} Split;

static int compare_parts(const void *x, const void *y) {
  const Part *a = x, *b = y;
  for (uint32_t i = 0; i < SHAPE_AXES; i++)
    if (a->shape->place[i] != b->shape->place[i]) return a->shape->place[i] < b->shape->place[i] ? -1 : 1;
  return (a->base > b->base) - (a->base < b->base);
}

static void add_part(Search *s, Parts *parts, Term base, Rational k) {
  const Shape *shape = shape_of(s, base);
  parts->part[parts->count++] = (Part){base, k, shape->key, shape};
}

static Parts parts_of(Search *s, TermKind kind, Term t) {
  TermTable *tt = s->tt;
  uint32_t n = term_count(tt, t);
  Parts parts = {.part = arena_array(s->scratch, Part, n + 2)};
  bool own = term_kind(tt, t) == kind;
  Rational one = {1, 1};
  if (kind == TERM_ADD) {
    Rational constant = own ? term_rat(tt, term_arg(tt, t, 0)) : term_is_rat(tt, t) ? term_rat(tt, t) : rational_int(0);
    if (constant.num) add_part(s, &parts, tt->one, constant);
    for (uint32_t i = 1; own && i < n; i += 2)
      add_part(s, &parts, term_arg(tt, t, i + 1), term_rat(tt, term_arg(tt, t, i)));
    if (!own && !term_is_rat(tt, t)) add_part(s, &parts, t, one);
  } else if (kind == TERM_MUL) {
    for (uint32_t i = 0; own && i < n; i += 2) {
      add_part(s, &parts, term_arg(tt, t, i), term_rat(tt, term_arg(tt, t, i + 1)));
      parts.part[parts.count - 1].key ^= random_mix(term_arg(tt, t, i + 1));
    }
    if (!own && t != tt->one) {
      add_part(s, &parts, t, one);
      parts.part[0].key ^= random_mix(tt->one);
    }
  } else {
    for (uint32_t i = 0; own && i < n; i++) add_part(s, &parts, term_arg(tt, t, i), one);
    if (!own) add_part(s, &parts, t, one);
  }
  qsort(parts.part, parts.count, sizeof *parts.part, compare_parts);
  return parts;
}

static Split *split_by(Search *s, const Family *f, TermKind kind) {
  Split *split = arena_new(s->scratch, Split);
  *split = (Split){.kind = kind, .of = arena_array(s->scratch, Parts, f->cells)};
  for (uint32_t i = 0; i < f->cells; i++) {
    if (!f->element[i]) continue;
    split->of[i] = parts_of(s, kind, f->element[i]);
    for (uint32_t k = 0; k < split->of[i].count; k++) {
      bool known = false;
      for (uint32_t g = 0; g < split->groups && !known; g++) known = split->group[g] == split->of[i].part[k].key;
      if (known) continue;
      if (split->groups == MOST_GROUPS) return NULL;
      split->group[split->groups++] = split->of[i].part[k].key;
    }
  }
  return split;
}

static const Part *part_at(const Split *split, uint32_t cell, uint64_t key, uint32_t which) {
  for (uint32_t k = 0; k < split->of[cell].count; k++)
    if (split->of[cell].part[k].key == key && !which--) return &split->of[cell].part[k];
  return NULL;
}

static uint32_t count_at(const Split *split, uint32_t cell, uint64_t key) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < split->of[cell].count; k++) n += split->of[cell].part[k].key == key;
  return n;
}

/* |a - b| and (a - b)^2 are |b - a| and (b - a)^2, and constructors take either: all differences in one direction. */
static void align_signs(Search *s, const Family *f) {
  TermTable *tt = s->tt;
  for (uint32_t i = 0; i < f->cells; i++) {
    Term t = f->element[i];
    uint64_t least = UINT64_MAX;
    bool is_negative = false;
    if (!t || term_kind(tt, t) != TERM_ADD) continue;
    for (uint32_t k = 1; k < term_count(tt, t); k += 2) {
      uint64_t key = shape_of(s, term_arg(tt, t, k + 1))->key;
      if (key < least) least = key, is_negative = term_rat(tt, term_arg(tt, t, k)).num < 0;
    }
    if (is_negative) f->element[i] = term_neg(tt, t);
  }
}

/* The base of a part, with its number, where it is found. */
static Term scaled(Search *s, TermKind kind, const Family *base, const Family *number) {
  TermTable *tt = s->tt;
  Term k = search_fit_number(s, number);
  if (!k) return 0;
  if (kind == TERM_MUL) {
    uint32_t first = first_cell(number);
    for (uint32_t i = first; i < number->cells; i++)
      if (number->element[i] && number->element[i] != number->element[first]) return 0;
    Rational exponent = term_rat(tt, number->element[first]);
    if (exponent.den == 1 && exponent.num % 2 == 0) align_signs(s, base);
    Term factor = find(s, base);
    return factor ? term_power(tt, factor, exponent) : 0;
  }
  Term t = find(s, base);
  return !t ? 0 : kind == TERM_ADD ? term_mul(tt, k, t) : t;
}

/* The which-th part of that key in each element. */
static Term single(Search *s, const Family *f, const Split *split, uint64_t key, uint32_t which) {
  Family base = like(s, f), number = like(s, f);
  for (uint32_t i = 0; i < f->cells; i++) {
    const Part *part = f->element[i] ? part_at(split, i, key, which) : NULL;
    if (part)
      base.element[i] = part->base, number.element[i] = term_new_rat(s->tt, part->k);
    else if (f->element[i] && s->is_of_steps && split->kind == TERM_ADD)
      number.element[i] = s->tt->zero;
  }
  return scaled(s, split->kind, &base, &number);
}

static TermFoldOp fold_of(TermKind kind) {
  return kind == TERM_ADD   ? FOLD_SUM
         : kind == TERM_MUL ? FOLD_PROD
         : kind == TERM_MAX ? FOLD_MAX
         : kind == TERM_MIN ? FOLD_MIN
         : kind == TERM_AND ? FOLD_ALL
                            : FOLD_ANY;
}

/* The parts of that key as a fold over new axes, of these lengths. */
static Term folded(Search *s, const Family *f, const Split *split, uint64_t key, uint32_t axes, const Term *length,
                   const int64_t *count) {
  TermTable *tt = s->tt;
  Family base = *f;
  uint32_t m = 1;
  if (f->rank + axes > SEARCH_RANK) return 0;
  for (uint32_t a = 0; a < axes; a++) {
    Term symbol = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, symbol, tt->zero, term_sub(tt, length[a], tt->one));
    base.axis[base.rank++] = (SearchAxis){symbol, length[a], count[a]};
    m *= (uint32_t)count[a];
  }
  if (f->cells * m > SEARCH_FRAME) return 0;
  base.cells = f->cells * m;
  base = like(s, &base);
  Family number = like(s, &base);
  for (uint32_t i = 0; i < f->cells; i++)
    for (uint32_t k = 0; k < m && f->element[i]; k++) {
      const Part *part = part_at(split, i, key, k);
      if (!part) break;
      base.element[i * m + k] = part->base, number.element[i * m + k] = term_new_rat(tt, part->k);
    }
  Term body = scaled(s, split->kind, &base, &number);
  for (uint32_t a = axes; body && a-- > 0;)
    body = term_fold(tt, fold_of(split->kind), base.axis[f->rank + a].symbol, tt->zero, length[a], tt->true_, body);
  return body;
}

/* The parts of that key, each once, in order; how many there are; 0: none, or too many. */
static uint32_t find_bases(const Family *f, const Split *split, uint64_t key, Part *seen) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->cells; i++)
    for (uint32_t k = 0; k < split->of[i].count; k++) {
      const Part *part = &split->of[i].part[k];
      bool known = part->key != key;
      for (uint32_t j = 0; j < count && !known; j++) known = seen[j].base == part->base;
      if (known) continue;
      if (count == SEARCH_STEPS) return 0;
      seen[count++] = *part;
    }
  qsort(seen, count, sizeof *seen, compare_parts);
  return count;
}

/* Summands of that key as a sum over the steps done, after t of them those of j < t: the first that is seen is of step
 * `first`, and what is not seen has the number 0. */
static Term summed_from(Search *s, const Family *f, const Split *split, uint64_t key, const Part *seen, uint32_t count,
                        uint32_t first) {
  TermTable *tt = s->tt;
  Term t = f->axis[0].symbol, j = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, j, tt->zero, term_sub(tt, t, tt->one));
  Family base = *f;
  base.axis[base.rank++] = (SearchAxis){j, t, f->cells};
  base.cells = f->cells * f->cells;
  base = like(s, &base);
  Family number = like(s, &base);
  for (uint32_t i = 0; i < f->cells; i++)
    for (uint32_t k = 0; k < i; k++) {
      if (k >= first && k - first < count) base.element[i * f->cells + k] = seen[k - first].base;
      number.element[i * f->cells + k] = f->element[i] ? tt->zero : 0;
    }
  for (uint32_t i = 0; i < f->cells; i++)
    for (uint32_t k = 0; k < split->of[i].count; k++) {
      const Part *part = &split->of[i].part[k];
      if (part->key != key) continue;
      uint32_t step = first;
      while (seen[step - first].base != part->base) step++;
      if (step >= i) return 0; /* to which it has not come yet */
      number.element[i * f->cells + step] = term_new_rat(tt, part->k);
    }
  Term body = scaled(s, TERM_ADD, &base, &number);
  return body ? term_fold(tt, FOLD_SUM, j, tt->zero, t, tt->true_, body) : 0;
}

static Term summed_over_steps(Search *s, const Family *f, const Split *split, uint64_t key) {
  Part seen[SEARCH_STEPS];
  uint32_t count = f->rank == 1 ? find_bases(f, split, key, seen) : 0;
  Term found = 0;
  for (uint32_t first = 0; count && first + count < f->cells && !found; first++)
    found = summed_from(s, f, split, key, seen, count, first);
  return found;
}

static Term grouped(Search *s, const Family *f, const Split *split, uint64_t key) {
  TermTable *tt = s->tt;
  Family counts = like(s, f);
  int64_t most = 0;
  bool all_equal = true;
  Term result = 0;
  for (uint32_t i = 0; i < f->cells; i++) {
    if (!f->element[i]) continue;
    int64_t n = count_at(split, i, key);
    all_equal = all_equal && (!most || n == most);
    most = n > most ? n : most;
    counts.element[i] = term_int(tt, n);
  }
  if (all_equal && most == 1) return single(s, f, split, key, 0);
  if (s->is_of_steps && split->kind == TERM_ADD) {
    if (most == 1) result = single(s, f, split, key, 0);
    return result ? result : summed_over_steps(s, f, split, key);
  }
  Term length = search_fit_number(s, &counts);
  if (!length || (!all_equal && split->kind != TERM_ADD && split->kind != TERM_MAX && split->kind != TERM_MIN))
    return 0;
  bool is_size = !all_equal || term_kind(tt, length) == TERM_SYM || term_kind(tt, length) == TERM_MUL;
  if (all_equal && !is_size) length = term_int(tt, most);
  if (all_equal && !is_size) /* a product of two sizes: a fold in a fold */
    for (uint32_t x = 0; x < s->size_count && !result; x++)
      for (uint32_t y = 0; y < s->size_count && !result; y++)
        if (s->size[x].value > 1 && s->size[y].value > 1 && s->size[x].value * s->size[y].value == most)
          result = folded(s, f, split, key, 2, (Term[]){s->size[x].symbol, s->size[y].symbol},
                          (int64_t[]){s->size[x].value, s->size[y].value});
  if (result) return result;
  if (all_equal && (!is_size || s->operands_first) && most <= MOST_SINGLES) { /* so many operands */
    for (uint32_t k = 0; k < most; k++) {
      Term part = single(s, f, split, key, k);
      result = !part ? 0 : k ? term_fold_combine(tt, fold_of(split->kind), result, part) : part;
      if (!result) break;
    }
    if (result) return result;
  }
  return folded(s, f, split, key, 1, &length, &most);
}

static const char *kind_text(TermKind kind) {
  return kind == TERM_ADD   ? "+"
         : kind == TERM_MUL ? "*"
         : kind == TERM_MAX ? "max"
         : kind == TERM_MIN ? "min"
         : kind == TERM_AND ? "and"
                            : "or";
}

static Term by_operation(Search *s, const Family *f, TermKind kind) {
  Split *split = split_by(s, f, kind);
  if (!split || !split->groups) return 0;
  if (split->groups == 1 && split->group[0] == shape_of(s, f->element[first_cell(f)])->key &&
      term_kind(s->tt, f->element[first_cell(f)]) != kind)
    return 0;
  search_note(s, "%*ssplit by %s into %u", (int)(2 * s->depth), "", kind_text(kind), split->groups);
  Term result = 0;
  for (uint32_t g = 0; g < split->groups; g++) {
    Term part = grouped(s, f, split, split->group[g]);
    if (!part) return 0;
    result = g ? term_fold_combine(s->tt, fold_of(kind), result, part) : part;
  }
  return result;
}

/* ---- one operation with its arguments in order ---- */

static Term by_arguments(Search *s, const Family *f) {
  TermTable *tt = s->tt;
  Term like_term = f->element[first_cell(f)], args[8];
  uint32_t n = term_count(tt, like_term);
  if (!n || n > 8 || term_kind(tt, like_term) == TERM_FOLD || term_kind(tt, like_term) == TERM_RECUR) return 0;
  if (term_kind(tt, like_term) == TERM_FN)
    search_note(s, "%*ssplit by %s", (int)(2 * s->depth), "", term_fn_name((TermFn)term_aux(tt, like_term)));
  for (uint32_t a = 0; a < n; a++) {
    if (a == 0 && term_kind(tt, like_term) == TERM_READ) {
      args[0] = term_arg(tt, like_term, 0);
      continue;
    }
    Family own = like(s, f);
    for (uint32_t i = 0; i < f->cells; i++) {
      if (!f->element[i]) continue;
      if (term_count(tt, f->element[i]) != n) return 0;
      own.element[i] = term_arg(tt, f->element[i], a);
    }
    if (term_kind(tt, like_term) == TERM_ABS || term_kind(tt, like_term) == TERM_EQ) align_signs(s, &own);
    if (!(args[a] = find(s, &own))) return 0;
  }
  return term_make(tt, like_term, args);
}

/* ---- if-then-else by an index ---- */

typedef struct Choice {
  Family yes, no;
} Choice;

/* Of each cell, the index along an axis. */
static int64_t *indices_along(Search *s, const Family *f, uint32_t axis) {
  int64_t at[SEARCH_RANK], *along = arena_array(s->scratch, int64_t, f->cells);
  for (uint32_t i = 0; i < f->cells; i++) family_place(f, i, at), along[i] = at[axis];
  return along;
}

/* Whether the cells where the condition holds are of one class each, and the others of another. Most conditions are
 * none, so that nothing is allocated before it is seen. */
static bool separates(Search *s, const Family *f, const bool *holds, Choice *out) {
  uint64_t of[2] = {0, 0};
  bool seen[2] = {false, false};
  for (uint32_t i = 0; i < f->cells; i++) {
    if (!f->element[i]) continue;
    uint64_t own = class_of(s->tt, f->element[i]);
    bool side = holds[i];
    if (seen[side] && of[side] != own) return false;
    of[side] = own, seen[side] = true;
  }
  if (!seen[0] || !seen[1]) return false;
  Term first = f->element[first_cell(f)];
  if (of[0] == of[1] && term_count(s->tt, first) && term_kind(s->tt, first) != TERM_READ) return false;
  out->yes = like(s, f), out->no = like(s, f);
  for (uint32_t i = 0; i < f->cells; i++) (holds[i] ? &out->yes : &out->no)->element[i] = f->element[i];
  return true;
}

/* What is found of both sides. */
static bool choose_by(Search *s, const Family *f, const bool *holds, Term *yes, Term *no) {
  Choice choice;
  ArenaMark mark = arena_mark(s->scratch);
  bool found = separates(s, f, holds, &choice) && (*yes = find(s, &choice.yes)) && (*no = find(s, &choice.no));
  arena_reset(s->scratch, mark);
  return found;
}

static Term by_index(Search *s, const Family *f) {
  TermTable *tt = s->tt;
  bool *holds = arena_array(s->scratch, bool, f->cells);
  int64_t *along[SEARCH_RANK];
  Term yes, no;
  for (uint32_t a = 0; a < f->rank; a++) along[a] = indices_along(s, f, a);
  for (uint32_t a = 0; a < f->rank; a++)
    for (int64_t c = 1; c < f->axis[a].count; c++) { /* i < c */
      for (uint32_t i = 0; i < f->cells; i++) holds[i] = along[a][i] < c;
      if (!choose_by(s, f, holds, &yes, &no)) continue;
      Term bound = c == 1 ? tt->one : number_term(s, rational_int(c));
      return term_select(tt, term_lt(tt, f->axis[a].symbol, bound), yes, no);
    }
  for (uint32_t a = 0; a < f->rank; a++)
    for (uint32_t b = 0; b < f->rank; b++)
      for (int how = 0; how < 3 && a != b; how++) { /* i <= j, i < j, i == j */
        for (uint32_t i = 0; i < f->cells; i++) {
          int64_t x = along[a][i], y = along[b][i];
          holds[i] = how == 0 ? x <= y : how == 1 ? x < y : x == y;
        }
        if (!choose_by(s, f, holds, &yes, &no)) continue;
        Term x = f->axis[a].symbol, y = f->axis[b].symbol;
        Term condition = how == 0 ? term_le(tt, x, y) : how == 1 ? term_lt(tt, x, y) : term_eq(tt, x, y);
        return term_select(tt, condition, yes, no);
      }
  return 0;
}

/* ---- all ways ---- */

static Term split(Search *s, const Family *f) {
  TermTable *tt = s->tt;
  uint32_t first = first_cell(f);
  Term one = f->element[first];
  bool is_one = true, is_uniform = true, has[TERM_KIND_COUNT] = {false};
  for (uint32_t i = first; i < f->cells; i++) {
    if (!f->element[i]) continue;
    has[term_kind(tt, f->element[i])] = true;
    is_one = is_one && f->element[i] == one;
    is_uniform = is_uniform && class_of(tt, f->element[i]) == class_of(tt, one);
  }
  if (is_one && (s->is_of_steps || !term_count(tt, one)) && !term_is_rat(tt, one)) return one;
  Term number = search_fit_number(s, f);
  if (number) return number;
  for (int kind = 0; kind < TERM_KIND_COUNT; kind++) {
    if (!has[kind] || !is_group((TermKind)kind)) continue;
    Term found = by_operation(s, f, (TermKind)kind);
    if (found) return found;
  }
  if (is_uniform && !is_group(term_kind(tt, one))) {
    Term found = by_arguments(s, f);
    if (found) return found;
  }
  return by_index(s, f);
}

static uint64_t hash_of(const Family *f) {
  uint64_t h = f->rank;
  for (uint32_t k = 0; k < f->rank; k++) h = random_mix(h ^ (uint64_t)f->axis[k].count);
  for (uint32_t i = 0; i < f->cells; i++) h = random_mix(h ^ f->element[i]);
  return h;
}

/* What the two halves of the search find. */
static Term find(Search *s, const Family *f) {
  uint64_t hash = hash_of(f);
  guard_tick(s->arena->guard);
  if (first_cell(f) == f->cells || s->depth >= MOST_NESTED || (s->steps += f->cells) > MOST_STEPS) return 0;
  for (uint32_t i = 0; i < s->failed.count; i++)
    if (s->failed.data[i] == hash) return 0;
  ArenaMark mark = arena_mark(s->scratch);
  s->depth++;
  Term found = split(s, f);
  if (!found && !s->is_of_steps) found = search_bottom_up(s, f);
  s->depth--;
  arena_reset(s->scratch, mark);
  if (!found) array_push(s->arena, &s->failed, hash);
  return found;
}

Term search_top_down(Search *s, const Family *f) { return find(s, f); }
