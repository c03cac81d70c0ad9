/* What the integers of a tensor are for, and contents that suit it.
 *
 * Sequence starts, page tables, chunk lists and sorted tokens are data: a launch whose integers do not fit each other
 * reads outside of its tensors, writes one element twice, or nothing. What they are for shows in the addresses:
 *  - an element that is part of an index along an axis lies within the extent of the axis. Elements of a table with m
 *    columns (`t[m*i + c]`) have one limit for each column;
 *  - a tensor that is read at i and at i + 1 holds the bounds of ranges: it does not decrease, from 0 to the limit;
 *  - an element that decides where a store goes is unlike the others: a permutation, or the rows of a table as numbers
 * of a mixed radix. All of this is a preference, and never a condition: one launch in five has some elements of any
 * value, and draws that show nothing are made again, each time tamer. What a launch shows counts only where the
 * kernel's own value is defined. */
#include "sample/sample_internal.h"

enum { MOST_NESTING = 24, MOST_COEFFICIENT = 1000000 };

static int64_t below(Sampler *s, int64_t n) { return n > 0 ? (int64_t)random_below(&s->random, (uint64_t)n) : 0; }
static bool chance(Sampler *s, int64_t one_in) { return below(s, one_in) == 0; }

static SampleTensor *tensor_of(Sampler *s, Term symbol) {
  for (uint32_t i = 0; i < s->tensors.count; i++)
    if (s->tensors.data[i].view && s->tensors.data[i].view->symbol == symbol) return &s->tensors.data[i];
  return NULL;
}

/* ---- which elements a read means ---- */

static int64_t greatest_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a < 0 ? -a : a;
}

/* A flat offset of elements residue, residue + modulus, ...; modulus 0: one element. */
static void find_column(const TermTable *tt, Term read, int64_t *modulus, int64_t *residue) {
  *modulus = 1, *residue = 0;
  if (term_count(tt, read) != 2) return;
  Term offset = term_arg(tt, read, 1);
  Rational constant = term_constant_part(tt, offset);
  if (constant.num < 0 || constant.num > MOST_COEFFICIENT) return;
  int64_t step = 0;
  if (term_kind(tt, offset) == TERM_ADD) {
    for (uint32_t i = 1; i < term_count(tt, offset); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, offset, i));
      if (k.num < -MOST_COEFFICIENT || k.num > MOST_COEFFICIENT) return;
      step = greatest_divisor(step, (int64_t)k.num);
    }
  } else if (!term_is_rat(tt, offset)) {
    step = 1;
  }
  *modulus = step;
  *residue = step ? (int64_t)constant.num % step : (int64_t)constant.num;
}

/* ---- elements that are part of an index ---- */

/* The reads in `index`, where they count as values: not in conditions and bounds. */
static void add_uses(Sampler *s, Term index, SampleUse use, uint32_t nesting) {
  TermTable *tt = s->tt;
  if (!(term_node(tt, index)->flags & TERM_HAS_READ) || nesting > MOST_NESTING) return;
  TermKind kind = term_kind(tt, index);
  if (kind == TERM_READ) {
    SampleTensor *t = tensor_of(s, term_arg(tt, index, 0));
    if (!t || t->is_float || t->is_bool) return;
    find_column(tt, index, &use.modulus, &use.residue);
    array_push(s->arena, &t->uses, use);
    t->is_place |= use.is_place;
  } else if (kind == TERM_ADD) {
    Rational constant = term_constant_part(tt, index);
    if (constant.num > 0 && constant.num < MOST_COEFFICIENT) use.offset += use.coefficient * (int64_t)constant.num;
    for (uint32_t i = 1; i < term_count(tt, index); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, index, i));
      SampleUse part = use;
      if (k.num > 0 && k.num < MOST_COEFFICIENT && part.coefficient < MOST_COEFFICIENT)
        part.coefficient *= (int64_t)k.num;
      add_uses(s, term_arg(tt, index, i + 1), part, nesting + 1);
    }
  } else if (kind == TERM_FLOORDIV) {
    if (!use.divisor) use.divisor = term_arg(tt, index, 1);
    add_uses(s, term_arg(tt, index, 0), use, nesting + 1);
  } else if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, index); i += 2) add_uses(s, term_arg(tt, index, i), use, nesting + 1);
  } else if (kind == TERM_SELECT) {
    for (uint32_t i = 1; i < 3; i++) add_uses(s, term_arg(tt, index, i), use, nesting + 1);
  } else if (kind == TERM_FOLD)
    add_uses(s, term_fold_body(tt, index), use, nesting + 1);
  else if (kind == TERM_WRAP || term_kind_is_extremum(kind)) {
    for (uint32_t i = 0; i < term_count(tt, index); i++) add_uses(s, term_arg(tt, index, i), use, nesting + 1);
  }
}

/* The axis whose stride multiplies a product of an address, and the literal factor that is left. */
static uint32_t axis_of(const TermTable *tt, const PointwiseTensor *view, Term product, int64_t *factor) {
  for (uint32_t d = 0; d < view->rank; d++) {
    Term stride = view->stride[d];
    int64_t literal;
    bool is_literal = term_is_int(tt, stride, &literal);
    if (is_literal ? literal > 1 && *factor % literal == 0
                   : term_kind(tt, stride) == TERM_SYM && term_has_symbol(tt, product, stride)) {
      if (is_literal) *factor /= literal;
      return d;
    }
  }
  return view->rank - 1;
}

static void find_address_uses(Sampler *s, const Access *a) {
  TermTable *tt = s->tt;
  const SampleTensor *t = tensor_of(s, a->tensor);
  bool is_sum = term_kind(tt, a->offset) == TERM_ADD;
  if (!t || !t->view->rank || !(term_node(tt, a->offset)->flags & TERM_HAS_READ)) return;
  Rational constant = t->view->rank == 1 ? term_constant_part(tt, a->offset) : rational_int(0);
  for (uint32_t i = is_sum ? 1 : 0; i < (is_sum ? term_count(tt, a->offset) : 1); i += 2) {
    Term product = is_sum ? term_arg(tt, a->offset, i + 1) : a->offset;
    Rational k = is_sum ? term_rat(tt, term_arg(tt, a->offset, i)) : rational_int(1);
    int64_t factor = k.num > 0 && k.num < MOST_COEFFICIENT ? (int64_t)k.num : 1;
    uint32_t axis = axis_of(tt, t->view, product, &factor);
    SampleUse use = {.extent = t->view->extent[axis], .coefficient = factor, .is_place = a->is_store && !a->is_atomic};
    if (constant.num > 0 && constant.num < MOST_COEFFICIENT) use.offset = (int64_t)constant.num;
    add_uses(s, product, use, 0);
  }
}

/* ---- tensors that hold the bounds of ranges ---- */

/* b = a + 1 */
static bool is_next(const TermTable *tt, Term a, Term b) {
  if (term_constant_part(tt, b).num - term_constant_part(tt, a).num != 1) return false;
  if (term_is_rat(tt, a) && term_is_rat(tt, b)) return true;
  bool sum = term_kind(tt, a) == TERM_ADD;
  if (term_kind(tt, b) != TERM_ADD) return false;
  if (!sum) { /* b is 1 + 1*a */
    Rational k = term_count(tt, b) == 3 ? term_rat(tt, term_arg(tt, b, 1)) : rational_int(0);
    return k.num == 1 && k.den == 1 && term_arg(tt, b, 2) == a;
  }
  if (term_count(tt, a) != term_count(tt, b)) return false;
  for (uint32_t i = 1; i < term_count(tt, a); i++)
    if (term_arg(tt, a, i) != term_arg(tt, b, i)) return false;
  return true;
}

typedef struct Reads {
  Sampler *s;
  uint8_t *seen;
  Array(Term) list; /* of integers, by a flat offset */
} Reads;

static void collect_reads(Reads *r, Term t) {
  TermTable *tt = r->s->tt;
  if (!t || r->seen[t] || !(term_node(tt, t)->flags & TERM_HAS_READ)) return;
  r->seen[t] = 1;
  if (term_kind(tt, t) == TERM_READ && term_sort(tt, t) == SORT_INT && term_count(tt, t) == 2 &&
      tensor_of(r->s, term_arg(tt, t, 0)))
    array_push(r->s->arena, &r->list, t);
  for (uint32_t i = 0; i < term_count(tt, t); i++) collect_reads(r, term_arg(tt, t, i));
}

static void find_ranges(Sampler *s) {
  TermTable *tt = s->tt;
  Reads reads = {.s = s, .seen = arena_array(s->arena, uint8_t, tt->nodes.count + 1)};
  for (uint32_t i = 0; i < s->ex->accesses.count; i++) {
    const Access *a = &s->ex->accesses.data[i];
    collect_reads(&reads, a->offset);
    collect_reads(&reads, a->mask);
    collect_reads(&reads, a->value);
  }
  for (uint32_t i = 0; i < reads.list.count && reads.list.count < 400; i++)
    for (uint32_t k = 0; k < reads.list.count; k++) {
      Term a = reads.list.data[i], b = reads.list.data[k];
      int64_t modulus, residue;
      if (term_arg(tt, a, 0) != term_arg(tt, b, 0) || !is_next(tt, term_arg(tt, a, 1), term_arg(tt, b, 1))) continue;
      find_column(tt, a, &modulus, &residue);
      if (modulus <= 1) tensor_of(s, term_arg(tt, a, 0))->is_sequence = true;
    }
  for (uint32_t i = 0; i < reads.list.count; i++) tensor_of(s, term_arg(tt, reads.list.data[i], 0))->is_control = true;
}

/* An extent that nothing else bounds grows with the factor of an index in it. */
static void scale_extents(Sampler *s) {
  for (uint32_t i = 0; i < s->tensors.count; i++)
    for (uint32_t k = 0; k < s->tensors.data[i].uses.count; k++) {
      const SampleUse *use = &s->tensors.data[i].uses.data[k];
      for (uint32_t v = 0; v < s->variables.count; v++) {
        SampleVariable *variable = &s->variables.data[v];
        if (variable->symbol != use->extent || !variable->is_extent) continue;
        variable->is_indexed = true;
        if (s->tensors.data[i].is_sequence && use->coefficient > variable->scale) variable->scale = use->coefficient;
      }
    }
}

void sample_find_indices(Sampler *s) {
  for (uint32_t i = 0; i < s->ex->accesses.count; i++) find_address_uses(s, &s->ex->accesses.data[i]);
  find_ranges(s);
  for (uint32_t i = 0; i < s->tensors.count; i++) {
    SampleTensor *t = &s->tensors.data[i];
    int64_t columns = 1;
    for (uint32_t k = 0; k < t->uses.count; k++)
      if (t->uses.data[k].modulus > columns && t->uses.data[k].modulus <= SAMPLE_MAX_COLUMNS)
        columns = t->uses.data[k].modulus;
    t->columns = columns;
    s->has_indices |= t->uses.count || t->is_sequence || (t->is_control && !t->is_bool);
  }
  scale_extents(s);
}

/* ---- contents ---- */

static bool is_of_column(const SampleUse *use, int64_t column, int64_t columns) {
  if (use->modulus <= 0) return (use->residue - column) % columns == 0;
  return use->modulus == 1 || columns % use->modulus || column % use->modulus == use->residue;
}

/* Elements of that column below the limit are indices within their axes. INT64_MAX: they are none. */
static int64_t limit_of(Sampler *s, const SampleTensor *t, int64_t column) {
  int64_t limit = INT64_MAX;
  for (uint32_t i = 0; i < t->uses.count; i++) {
    const SampleUse *use = &t->uses.data[i];
    if (!is_of_column(use, column, t->columns)) continue;
    int64_t extent = term_eval(s->eval, use->extent).integer,
            divisor = use->divisor ? term_eval(s->eval, use->divisor).integer : 1;
    int64_t most = extent > use->offset ? (extent - use->offset + use->coefficient - 1) / use->coefficient : 1;
    if (divisor > 1 && divisor < MOST_COEFFICIENT) most *= divisor;
    if (most < limit) limit = most;
  }
  if (s->tameness && !t->is_sequence && limit != INT64_MAX && limit > s->rows + 2)
    limit = s->rows + 2; /* a tensor that grows must not draw indices after itself */
  return limit < 1 ? 1 : limit;
}

static int64_t draw_any(Sampler *s, const SampleTensor *t) {
  if (t->is_bool) return below(s, 2);
  if (t->is_control && s->tameness && t->bits > 8)
    return s->tameness > 1 && chance(s, 2) ? 1 + below(s, 4) : below(s, 24);
  if (chance(s, 4)) return 0;
  if (t->bits > 8 && !chance(s, 8)) return below(s, 41) - 20;
  int64_t bits = t->bits > 31 ? 31 : t->bits;
  return below(s, (int64_t)1 << bits) - ((int64_t)1 << (bits - 1));
}

/* From 0 to the limit, not decreasing; steps are of about one size. */
static void draw_sequence(Sampler *s, SampleTensor *t) {
  int64_t limit = limit_of(s, t, 0), at = 0;
  if (limit == INT64_MAX) limit = t->count * (1 + below(s, 6));
  for (int64_t e = 0; e < t->count; e++) {
    t->before[e].integer = at;
    int64_t left = t->count - 1 - e, most = left > 0 ? 2 * (limit - at) / left : 0;
    at += left == 1 && !chance(s, 8) ? limit - at : below(s, (most < limit - at ? most : limit - at) + 1);
  }
}

/* Rows that differ: a permutation of the first numbers, of as many digits as the table has columns. */
static void draw_places(Sampler *s, SampleTensor *t) {
  int64_t columns = t->columns, rows = t->count / columns, radix[SAMPLE_MAX_COLUMNS], room = 1;
  for (int64_t c = columns; c-- > 0;) {
    int64_t limit = limit_of(s, t, c);
    if (c == 0 || limit > rows)
      radix[c] = rows + 1;
    else
      radix[c] = limit == 1 ? 1 + (s->tameness < 2 && chance(s, 4) ? below(s, 3) : 0) : 1 + below(s, limit);
    if (columns == 1) room = limit == INT64_MAX || limit > 4 * rows + 4 ? 2 * rows : limit;
  }
  if (room < rows) room = rows;
  int64_t *order = arena_alloc(s->arena, sizeof *order * ((size_t)room + 1));
  for (int64_t r = 0; r < room; r++) order[r] = r;
  if (!chance(s, 3)) /* else sorted */
    for (int64_t r = room - 1; r > 0; r--) {
      int64_t other = below(s, r + 1), kept = order[r];
      order[r] = order[other], order[other] = kept;
    }
  for (int64_t r = 0; r < rows; r++) {
    int64_t number = order[r];
    for (int64_t c = columns; c-- > 0;) {
      t->before[r * columns + c].integer = c ? number % radix[c] : number;
      if (c) number /= radix[c];
    }
  }
  for (int64_t e = rows * columns; e < t->count; e++) t->before[e].integer = 0;
}

static void draw_wild(Sampler *s, SampleTensor *t) {
  for (int64_t e = 0; e < t->count; e++) {
    if (!chance(s, 6)) continue;
    int64_t limit = limit_of(s, t, e % t->columns), choice = below(s, 3);
    if (choice == 0 || limit > INT32_MAX)
      t->before[e].integer = -1;
    else if (choice == 1)
      t->before[e].integer = limit + below(s, 3);
    else
      t->before[e].integer = s->variables.count ? s->variables.data[below(s, s->variables.count)].value : 0;
  }
}

void sample_draw_integers(Sampler *s, SampleTensor *t) {
  if (t->is_sequence)
    draw_sequence(s, t);
  else if (t->is_place && t->uses.count && s->tameness != 1)
    draw_places(s, t);
  else
    for (int64_t e = 0; e < t->count; e++) {
      int64_t limit = t->uses.count && !t->is_bool ? limit_of(s, t, e % t->columns) : INT64_MAX;
      t->before[e].integer = limit == INT64_MAX ? draw_any(s, t) : below(s, limit);
    }
  if (t->uses.count && !t->is_place && s->is_wild) draw_wild(s, t); /* a store beside its axis writes another row */
  if (t->is_unsigned)
    for (int64_t e = 0; e < t->count; e++) t->before[e].integer &= ((int64_t)1 << t->bits) - 1;
  else if (t->bits > 1 && t->bits < 32)
    for (int64_t e = 0; e < t->count; e++) t->before[e].integer %= (int64_t)1 << (t->bits - 1);
  if (s->ex->bits_as_reals && !t->uses.count)
    for (int64_t e = 0; e < t->count; e++) t->before[e].integer &= 127; /* as an exponent, or shifted to one, finite */
}
