/* Coordinates: program ids, lanes and counters, cut and joined until the addresses of stores are polynomials in them.
 *
 * Floor divisions of coordinates are removed by splitting the coordinate, p = g*q + r, everywhere at once; a division
 * of B*p + l joins the two first. Each new coordinate is a bijection with the old ones, and its definition is kept. */
#include "lift/recover_internal.h"

typedef struct FloorSearch {
  Term best_numerator, best_divisor;
  Term group_numerator, group_divisor; /* the divisor varies: min(G, X - G*q) of a grouped order */
} FloorSearch;

static void find_floor(TermTable *tt, Term t, FloorSearch *found) {
  if (term_kind(tt, t) == TERM_FLOORDIV) {
    Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1), q;
    find_floor(tt, a, found);
    if (term_kind(tt, b) == TERM_MIN && recover_varies(tt, b) && recover_is_coordinate(tt, a))
      found->group_numerator = a, found->group_divisor = b;
    bool usable =
        !recover_varies(tt, b) && !(term_node(tt, a)->flags & TERM_HAS_READ) && !(term_node(tt, a)->free_mask >> 48);
    if (usable) {
      bool single = recover_is_coordinate(tt, a);
      TermList symbols = {0};
      term_symbols(tt, a, &symbols);
      uint32_t coordinates = 0;
      for (uint32_t i = 0; i < symbols.count; i++) coordinates += recover_is_coordinate(tt, symbols.data[i]);
      if (coordinates && (single || term_kind(tt, a) == TERM_ADD)) {
        bool better = !found->best_divisor ||
                      (a == found->best_numerator && recover_divides(tt, b, found->best_divisor, &q)) ||
                      (single && !recover_is_coordinate(tt, found->best_numerator));
        if (better) found->best_numerator = a, found->best_divisor = b;
      }
    }
    return;
  }
  if (term_kind(tt, t) == TERM_READ || !(term_node(tt, t)->free_mask & 0xFFFFFFFFFFFFu)) return;
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_floor(tt, term_arg(tt, t, i), found);
}

/* A coordinate in [lo, hi] that is `definition` in terms of older ones. */
Term recover_coordinate(Recover *r, const char *prefix, Term lo, Term hi, Term definition) {
  Term s = term_symbol_fresh(r->tt, prefix, SORT_INT, SYMBOL_INDEX);
  array_push(r->arena, &r->out->hints.definitions, (Substitution){s, definition});
  return term_symbol_range(r->tt, s, lo, hi);
}

/* ---- masks as ends ---- */

static bool mentions(TermTable *tt, const Access *a, Term symbol) {
  return term_has_symbol(tt, a->offset, symbol) || term_has_symbol(tt, a->mask, symbol) ||
         (a->value && term_has_symbol(tt, a->value, symbol));
}

/* What t grows by when the symbol does; 0 if that depends on it. */
static Term slope(TermTable *tt, Term t, Term symbol) {
  Term d = term_sub(tt, term_replace(tt, t, symbol, term_add(tt, symbol, tt->one)), t);
  return term_has_symbol(tt, d, symbol) ? 0 : d;
}

/* The end that by*p + low + rest <= 0 sets p, for 0 <= low < by; 0: none. */
static Term end_by_condition(TermTable *tt, Term t, Term p) {
  Term by = slope(tt, t, p);
  if (!by || recover_varies(tt, by) || !term_prove_lt(tt, tt->zero, by)) return 0;
  Term others = term_sub(tt, t, term_mul(tt, by, p)), rest = tt->zero;
  for (uint32_t i = 0; i < recover_monomial_count(tt, others); i++)
    if (!recover_varies(tt, recover_monomial(tt, others, i)))
      rest = term_add(tt, rest, recover_monomial(tt, others, i));
  Term low = term_sub(tt, others, rest);
  if (!term_prove_le(tt, tt->zero, low) || !term_prove_lt(tt, low, by)) return 0;
  return term_add(tt, term_floordiv(tt, term_neg(tt, rest), by), tt->one);
}

/* The end that a conjunct of the mask sets p; 0: none. */
static Term end_by_mask(TermTable *tt, Term mask, Term p) {
  uint32_t n = term_conjunct_count(tt, mask);
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, mask, i), end = 0;
    if (!term_has_symbol(tt, c, p)) continue;
    if (term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT)
      end = end_by_condition(tt, term_arg(tt, c, 0), p);
    if (end) return end;
  }
  return 0;
}

/* True if others have taken its place everywhere. */
static bool is_replaced(const Recover *r, Term symbol) {
  for (uint32_t i = 0; i < r->out->hints.steps.count; i++)
    if (r->out->hints.steps.data[i].from == symbol && !r->out->hints.steps.data[i].access) return true;
  return false;
}

/* A flat index that every store bounds by one mask, i < M*N: there it ends, so that i // N ends at M. Only accesses
 * that are so bounded have it that way; what is computed of it before the mask is known goes on to the last lane, and
 * so does what another loop does with these lanes. */
static Term end_coordinate(Recover *r, Term p) {
  TermTable *tt = r->tt;
  Effects *ex = r->ex;
  Term end = 0, hi = term_symbol(tt, p)->hi;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    if (!mentions(tt, a, p)) continue;
    Term own = end_by_mask(tt, a->mask, p);
    if (own ? end && own != end : a->is_store) return p;
    if (own) end = own;
  }
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const Symbol *s = &tt->symbols.data[i];
    if (is_replaced(r, s->term)) continue;
    if ((s->lo && term_has_symbol(tt, s->lo, p)) || (s->hi && term_has_symbol(tt, s->hi, p))) return p;
  }
  if (!end || !hi || recover_varies(tt, hi) || term_kind(tt, hi) == TERM_MIN || term_prove_lt(tt, hi, end)) return p;
  Term inner = recover_coordinate(r, "t", tt->zero, term_min(tt, hi, term_sub(tt, end, tt->one)), p);
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    Access *a = &ex->accesses.data[i];
    if (!mentions(tt, a, p) || !end_by_mask(tt, a->mask, p)) continue;
    a->offset = term_replace(tt, a->offset, p, inner);
    a->mask = term_replace(tt, a->mask, p, inner);
    if (a->value) a->value = term_replace(tt, a->value, p, inner);
    array_push(r->arena, &r->out->hints.steps, (LiftStep){p, inner, i + 1});
  }
  return inner;
}

/* p = g*q + r. */
static void split_coordinate(Recover *r, Term p, Term g) {
  TermTable *tt = r->tt;
  p = end_coordinate(r, p);
  recover_assume_blocks(r, p);
  Term hi = term_symbol(tt, p)->hi;
  Term q = recover_coordinate(r, "q", tt->zero, term_floordiv(tt, hi, g), term_floordiv(tt, p, g));
  Term last = term_sub(tt, g, tt->one),
       whole; /* the last group may be shorter; those of a program id are completed later */
  if (term_symbol(tt, p)->role != SYMBOL_PID && !recover_divides(tt, g, term_add(tt, hi, tt->one), &whole))
    last = term_min(tt, last, term_sub(tt, hi, term_mul(tt, g, q)));
  Term rest = recover_coordinate(r, "r", tt->zero, last, term_mod(tt, p, g));
  array_push(r->arena, &r->splits, (Split){p, g, q, rest});
  recover_substitute(r, p, term_add(tt, term_mul(tt, g, q), rest));
}

/* Grouped order: p = (G*n)*q + r, and r is divided by d = min(G, X - G*q), the rows of group q. The groups hold n*d
 * programs each, X*n in all: with that many programs (the least that cover), r < n*d and both parts are bijective. */
static bool split_group(Recover *r, Term rest, Term divisor) {
  TermTable *tt = r->tt;
  const Split *split = NULL;
  for (uint32_t i = 0; i < r->splits.count; i++)
    if (r->splits.data[i].r == rest) split = &r->splits.data[i];
  if (!split || term_count(tt, divisor) != 2) return false;
  for (int side = 0; side < 2; side++) {
    Term group = term_arg(tt, divisor, side), left = term_arg(tt, divisor, 1 - side), n;
    if (recover_varies(tt, group) || !recover_varies(tt, left) || !recover_divides(tt, group, split->size, &n))
      continue;
    Term rows = term_add(tt, left, term_mul(tt, group, split->q)); /* X */
    if (recover_varies(tt, rows)) continue;
    Term total = term_mul(tt, rows, n), p_hi = term_symbol(tt, split->p)->hi, grid = 0;
    for (uint32_t i = 0; i < 3; i++)
      if (p_hi == term_sub(tt, r->ex->grid[i], tt->one)) grid = r->ex->grid[i];
    if (grid) {
      recover_assume_grid(r, grid, total, RECOVER_LEAST_GRID);
      recover_substitute(r, grid, total);
    } else if (!term_prove_lt(tt, p_hi, total))
      return false;
    Term q = split->q;
    term_symbol_range(tt, q, tt->zero, term_floordiv(tt, term_sub(tt, rows, tt->one), group));
    term_symbol_range(tt, rest, tt->zero, term_sub(tt, term_mul(tt, n, divisor), tt->one));
    Term high = recover_coordinate(r, "q", tt->zero, term_sub(tt, n, tt->one), term_floordiv(tt, rest, divisor));
    Term low = recover_coordinate(r, "r", tt->zero, term_sub(tt, divisor, tt->one), term_mod(tt, rest, divisor));
    recover_substitute(r, rest, term_add(tt, term_mul(tt, divisor, high), low));
    recover_rebuild(r);
    return true;
  }
  return false;
}

/* ---- joining ---- */

/* The alternatives of a minimum with a summand: min(a, b) + c is a + c or b + c. */
static uint32_t alternatives(TermTable *tt, Term t, Term *out, uint32_t room) {
  uint32_t n = term_kind(tt, t) == TERM_ADD ? term_count(tt, t) : 0;
  Term min = term_kind(tt, t) == TERM_MIN ? t : 0;
  for (uint32_t i = 1; i < n && !min; i += 2)
    if (term_arg(tt, t, i) == tt->one && term_kind(tt, term_arg(tt, t, i + 1)) == TERM_MIN)
      min = term_arg(tt, t, i + 1);
  if (!min || term_count(tt, min) > room) {
    out[0] = t;
    return 1;
  }
  Term rest = term_sub(tt, t, min);
  for (uint32_t i = 0; i < term_count(tt, min); i++) out[i] = term_add(tt, term_arg(tt, min, i), rest);
  return term_count(tt, min);
}

/* (min(a, b) + c) // d + e as min((a + c) // d + e, (b + c) // d + e): what a loop to the end of a tile or of all,
 * which comes first, counts. */
static Term spread_minimum(TermTable *tt, Term t) {
  Term base = term_kind(tt, t) == TERM_FLOORDIV ? t : 0, parts[4];
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2)
    if (term_arg(tt, t, i) == tt->one && term_kind(tt, term_arg(tt, t, i + 1)) == TERM_FLOORDIV)
      base = term_arg(tt, t, i + 1);
  if (!base || !term_prove_lt(tt, tt->zero, term_arg(tt, base, 1))) return t;
  uint32_t n = alternatives(tt, term_arg(tt, base, 0), parts, 4);
  Term rest = term_sub(tt, t, base), least = 0;
  for (uint32_t i = 0; i < n; i++) {
    Term own = term_add(tt, term_floordiv(tt, parts[i], term_arg(tt, base, 1)), rest);
    least = least ? term_min(tt, least, own) : own;
  }
  return n > 1 ? least : t;
}

/* The last value of stride*high + low, when these run over 0..that value without gaps; 0: they do not. */
static Term joined_last(TermTable *tt, Term high, Term low, Term stride) {
  Term low_hi = term_symbol(tt, low)->hi, high_hi = term_symbol(tt, high)->hi, alternative[8];
  if (!low_hi || !high_hi) return 0;
  low_hi = spread_minimum(tt, low_hi);
  Term count = term_add(tt, low_hi, tt->one);
  bool some = false; /* low < min(stride, last + 1) */
  for (uint32_t i = 0; term_kind(tt, count) == TERM_MIN && i < term_count(tt, count); i++)
    some |= term_arg(tt, count, i) == stride;
  if (count == stride || some) {
    if (!some && !term_has_symbol(tt, high_hi, low)) return term_add(tt, term_mul(tt, stride, high_hi), low_hi);
    /* grid stride: high <= (a - m*low) // (m*stride) + k says m*(stride*high + low) <= a + k*m*stride */
    Term k = term_new_rat(tt, term_constant_part(tt, high_hi)), q = term_sub(tt, high_hi, k), m;
    if (term_kind(tt, q) != TERM_FLOORDIV || !recover_divides(tt, stride, term_arg(tt, q, 1), &m)) return 0;
    Term most =
        term_add(tt, term_arg(tt, q, 0), term_add(tt, term_mul(tt, k, term_arg(tt, q, 1)), term_mul(tt, m, low)));
    if (!term_prove_lt(tt, tt->zero, m) || term_has_symbol(tt, most, low)) return 0;
    Term last = term_floordiv(tt, most, m);
    return !some || count == term_min(tt, stride, term_add(tt, last, tt->one)) ? last : 0;
  }
  /* blocks with a tail: low <= min(stride - 1, x - stride*high) */
  uint32_t n = alternatives(tt, low_hi, alternative, 8);
  Term last = term_has_symbol(tt, high_hi, low)
                  ? 0
                  : term_sub(tt, term_mul(tt, stride, term_add(tt, high_hi, tt->one)), tt->one);
  bool full = false;
  for (uint32_t i = 0; i < n && last; i++) {
    if (term_add(tt, alternative[i], tt->one) == stride)
      full = true;
    else {
      Term x = term_add(tt, alternative[i], term_mul(tt, stride, high));
      last = recover_varies(tt, x) ? 0 : term_min(tt, last, x);
    }
  }
  return full ? last : 0;
}

/* True if a store asks for something of `low` and not of `high`. Then low is an axis of its own. */
static bool is_masked_alone(const Recover *r, Term high, Term low) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    Term mask = r->ex->accesses.data[i].mask;
    bool is_and = mask && term_kind(tt, mask) == TERM_AND;
    for (uint32_t k = 0; mask && r->ex->accesses.data[i].is_store && k < (is_and ? term_count(tt, mask) : 1); k++) {
      Term part = is_and ? term_arg(tt, mask, k) : mask;
      if (term_has_symbol(tt, part, low) && !term_has_symbol(tt, part, high)) return true;
    }
  }
  return false;
}

/* A grid stride that is no grid: p + S*t for p < grid leaves out what the programs grid..S-1 would do, unless there is
 * nothing. The least grid that covers is min(S, total), where S*t + p < total. */
static void complete_stride(Recover *r, Term high, Term low, Term stride) {
  TermTable *tt = r->tt;
  Term grid = 0, low_hi = term_symbol(tt, low)->hi;
  for (uint32_t i = 0; i < 3; i++)
    if (low == r->ex->pid[i] && low_hi == term_sub(tt, r->ex->grid[i], tt->one)) grid = r->ex->grid[i];
  if (!grid || recover_varies(tt, stride) || term_has_symbol(tt, stride, grid) ||
      !term_prove_lt(tt, tt->zero, stride) || is_masked_alone(r, high, low))
    return;
  term_symbol(tt, low)->hi = term_sub(tt, stride, tt->one);
  Term last = joined_last(tt, high, low, stride);
  term_symbol(tt, low)->hi = low_hi;
  if (!last || recover_varies(tt, last) || term_has_symbol(tt, last, grid)) return;
  Term least = term_min(tt, stride, term_add(tt, last, tt->one));
  recover_assume_grid(r, grid, least, RECOVER_LEAST_GRID);
  recover_substitute(r, grid, least);
  recover_rebuild(r);
}

static Term join(Recover *r, Term high, Term low, Term stride) {
  TermTable *tt = r->tt;
  complete_stride(r, high, low, stride);
  Term last = joined_last(tt, high, low, stride);
  if (!last) return 0;
  Term both = recover_coordinate(r, "t", tt->zero, last, term_add(tt, term_mul(tt, stride, high), low));
  Term q = term_floordiv(tt, both, stride);
  recover_substitute(r, high, q);
  recover_substitute(r, low, term_sub(tt, both, term_mul(tt, stride, q)));
  return both;
}

typedef struct Stride {
  Term coordinate, by;
} Stride;

/* The numerator is B*p + l with 0 <= l < B, or S*B*t + B*p + l: one coordinate for two of them. */
static bool join_coordinates(Recover *r, Term numerator) {
  TermTable *tt = r->tt;
  Stride strides[4];
  uint32_t n = 0;
  bool has_unit = false;
  if (term_kind(tt, numerator) != TERM_ADD) return false;
  for (uint32_t i = 0; i < recover_monomial_count(tt, numerator);
       i++) { /* stride * coordinate; the stride may be a grid */
    Term m = recover_monomial(tt, numerator, i), v = 0, by;
    TermList symbols = {0};
    term_symbols(tt, m, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++)
      if (recover_is_coordinate(tt, symbols.data[k])) {
        if (v) return false;
        v = symbols.data[k];
      }
    if (!v) continue;
    if (n == 4 || !recover_divides(tt, v, m, &by) || (by == tt->one && has_unit)) return false;
    has_unit |= by == tt->one;
    strides[n++] = (Stride){v, by};
  }
  if (!has_unit) return false;
  for (uint32_t high = 0; high < n; high++)
    for (uint32_t low = 0; low < n; low++) {
      Term stride;
      bool fits = high != low && (n == 2) <= (strides[low].by == tt->one) &&
                  recover_divides(tt, strides[low].by, strides[high].by, &stride);
      if (fits && stride != tt->one && join(r, strides[high].coordinate, strides[low].coordinate, stride)) return true;
    }
  return false;
}

/* ---- loops over the blocks or the strides of a program ---- */

/* The program id as the accesses inside a loop see it: another name where stores outside of the loop use it too, so
 * that joining it with the counter leaves these alone. */
static Term program_in_loop(Recover *r, Term t, Term pid) {
  TermTable *tt = r->tt;
  Effects *ex = r->ex;
  bool outside = false;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    outside |= a->is_store && !mentions(tt, a, t) && mentions(tt, a, pid);
  }
  if (!outside) return pid;
  Term inner = recover_coordinate(r, "p", tt->zero, term_symbol(tt, pid)->hi, pid);
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    Access *a = &ex->accesses.data[i];
    if (!mentions(tt, a, t)) continue;
    a->offset = term_replace(tt, a->offset, pid, inner);
    a->mask = term_replace(tt, a->mask, pid, inner);
    if (a->value) a->value = term_replace(tt, a->value, pid, inner);
    array_push(r->arena, &r->out->hints.steps, (LiftStep){pid, inner, i + 1});
  }
  for (uint32_t i = 0; i < ex->ranges.count; i++) {
    RangeNeed *n = &ex->ranges.data[i];
    if (!term_has_symbol(tt, n->exact, t) && !term_has_symbol(tt, n->path, t)) continue;
    n->exact = term_replace(tt, n->exact, pid, inner), n->path = term_replace(tt, n->path, pid, inner);
  }
  for (uint32_t i = 0; i < ex->divisions.count; i++) {
    DivisionNeed *d = &ex->divisions.data[i];
    if (!term_has_symbol(tt, d->divisor, t) && !term_has_symbol(tt, d->path, t)) continue;
    d->divisor = term_replace(tt, d->divisor, pid, inner), d->path = term_replace(tt, d->path, pid, inner);
  }
  Term hi = term_symbol(tt, t)->hi;
  if (hi) hi = term_replace(tt, hi, pid, inner);
  term_symbol_range(tt, t, term_symbol(tt, t)->lo, hi);
  return inner;
}

/* A store whose address moves with a program id and a counter as with one index: blocks of rows (b*pid + t) or a grid
 * stride (pid + grid*t). */
static bool join_loop(Recover *r, uint32_t access, Term t, Term pid) {
  TermTable *tt = r->tt;
  Term offset = r->ex->accesses.data[access].offset, stride;
  Term by_t = slope(tt, offset, t), by_pid = slope(tt, offset, pid);
  if (!by_t || !by_pid || by_t == tt->zero || by_pid == tt->zero || term_has_symbol(tt, by_t, pid) ||
      term_has_symbol(tt, by_pid, t))
    return false;
  bool blocks = recover_divides(tt, by_t, by_pid, &stride);
  if (!blocks && !recover_divides(tt, by_pid, by_t, &stride)) return false;
  if (!blocks) complete_stride(r, t, pid, stride);
  if (recover_varies(tt, stride) || !joined_last(tt, blocks ? pid : t, blocks ? t : pid, stride)) return false;
  if (blocks && term_symbol(tt, t)->hi == term_sub(tt, stride, tt->one)) return false; /* whole blocks are two axes */
  Term inner = program_in_loop(r, t, pid);
  return join(r, blocks ? inner : t, blocks ? t : inner, stride);
}

static void join_loops(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    TermList symbols = {0};
    if (!r->ex->accesses.data[i].is_store) continue;
    term_symbols(tt, r->ex->accesses.data[i].offset, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++)
      for (uint32_t axis = 0; axis < 3 && term_symbol(tt, symbols.data[k])->role == SYMBOL_COUNTER; axis++)
        if (term_has_symbol(tt, r->ex->accesses.data[i].offset, r->ex->pid[axis]) &&
            join_loop(r, i, symbols.data[k], r->ex->pid[axis]))
          break;
  }
}

/* ---- digits of flat indices in loads ---- */

enum { MAX_FLOORS = 16 };

typedef struct Floors {
  Term numerator[MAX_FLOORS], divisor[MAX_FLOORS];
  uint32_t count;
  bool is_whole;
} Floors;

/* The floors of coordinates in the addresses that t reads; not whole: one of them is no digit, or there are too many.
 */
static void collect_floors(TermTable *tt, Term t, bool in_address, Floors *floors) {
  if (!(term_node(tt, t)->flags & TERM_HAS_READ) && !in_address) return;
  if (in_address && term_kind(tt, t) == TERM_FLOORDIV && recover_varies(tt, t)) {
    Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1);
    for (uint32_t i = 0; i < floors->count; i++)
      if (floors->numerator[i] == a && floors->divisor[i] == b) return;
    bool usable =
        !recover_varies(tt, b) && !(term_node(tt, a)->flags & TERM_HAS_READ) && !(term_node(tt, a)->free_mask >> 48);
    if (!usable || floors->count == MAX_FLOORS)
      floors->is_whole = false;
    else
      floors->numerator[floors->count] = a, floors->divisor[floors->count++] = b;
    return;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    collect_floors(tt, term_arg(tt, t, i), in_address || term_kind(tt, t) == TERM_READ, floors);
}

/* Where the flat index ends: by the mask of each store that has it, or by its range; 0: not known. */
static Term end_of_index(Recover *r, Term index) {
  TermTable *tt = r->tt;
  Term end = 0;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    uint32_t n = term_kind(tt, a->mask) == TERM_AND ? term_count(tt, a->mask) : 1;
    for (uint32_t k = 0; a->is_store && k < n; k++) {
      Term c = term_kind(tt, a->mask) == TERM_AND ? term_arg(tt, a->mask, k) : a->mask, own;
      if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) continue;
      own = term_sub(tt, term_add(tt, index, tt->one), term_arg(tt, c, 0));
      if (recover_varies(tt, own)) continue;
      if (term_kind(tt, own) == TERM_ADD && end) continue;
      end = own;
    }
  }
  bool is_part = recover_is_coordinate(tt, index) && term_symbol(tt, index)->role == SYMBOL_INDEX;
  if (!end && is_part && !recover_varies(tt, term_symbol(tt, index)->hi))
    end = term_add(tt, term_symbol(tt, index)->hi, tt->one);
  return end;
}

/* The least of the divisors, if every floor is one of this index, or a literal one of its lane, by divisors that
 * divide each other and what the index ends at; else 0. */
static Term least_digit(Recover *r, const Floors *floors, Term index, Term end) {
  TermTable *tt = r->tt;
  Term least = 0, q;
  int64_t lanes;
  for (uint32_t i = 0; i < floors->count; i++) {
    Term a = floors->numerator[i], b = floors->divisor[i];
    bool of_lane = a != index && recover_is_coordinate(tt, a) && term_has_symbol(tt, index, a) &&
                   slope(tt, index, a) == tt->one && term_symbol(tt, a)->hi &&
                   term_is_int(tt, term_symbol(tt, a)->hi, &lanes) && term_is_rat(tt, b) &&
                   recover_divides(tt, b, term_int(tt, lanes + 1), &q);
    if ((a != index && !of_lane) || !recover_divides(tt, b, end, &q) || !term_prove_lt(tt, tt->zero, b)) return 0;
    for (uint32_t k = 0; k < i; k++)
      if (!recover_divides(tt, b, floors->divisor[k], &q) && !recover_divides(tt, floors->divisor[k], b, &q)) return 0;
    if (!least || recover_divides(tt, b, least, &q)) least = b;
  }
  return least;
}

/* y[i] = x[.. i % M .. i // M ..] for i < M*N: what is stored has rows too. Only where all floors are digits of one
 * index that ends with a whole row. */
static bool split_by_loads(Recover *r) {
  TermTable *tt = r->tt;
  Floors floors = {.is_whole = true};
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->is_store && a->is_atomic) return false;
    if (a->is_store) collect_floors(tt, a->value, false, &floors);
  }
  for (uint32_t i = 0; i < floors.count && floors.is_whole; i++) {
    Term index = floors.numerator[i], end = end_of_index(r, index),
         least = end ? least_digit(r, &floors, index, end) : 0;
    if (!least) continue;
    if (!recover_is_coordinate(tt, index)) return join_coordinates(r, index);
    split_coordinate(r, index, least);
    return true;
  }
  return false;
}

static Term note_divisor(TermTable *tt, Term t, void *divisors) {
  if (term_kind(tt, t) == TERM_FLOORDIV) array_push(tt->arena, (TermList *)divisors, term_arg(tt, t, 1));
  return t;
}

/* No quotient asks for a divisor that is not 0: else a value without it would not say so. */
static bool has_sure_divisors(TermTable *tt, Term t) {
  TermList divisors = {0};
  term_transform(tt, t, note_divisor, &divisors);
  for (uint32_t i = 0; i < divisors.count; i++)
    if (!term_prove_lt(tt, tt->zero, divisors.data[i])) return false;
  return true;
}

/* A flat index that is cut, though it ends where the last digit does, by the mask of the access: i % n of i < n. */
static void forget_quotients(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    Access *a = &r->ex->accesses.data[i];
    uint32_t facts = tt->facts.count;
    recover_push_mask(tt, a->mask);
    a->offset = term_without_quotients(tt, a->offset);
    Term plain = a->value ? term_without_quotients(tt, a->value) : 0;
    if (plain != a->value && has_sure_divisors(tt, a->value)) a->value = plain;
    term_pop_facts(tt, facts);
  }
}

void recover_split_coordinates(Recover *r) {
  join_loops(r);
  forget_quotients(r);
  for (int round = 0; round < 12; round++) {
    FloorSearch found = {0};
    if (recover_rotate_coordinates(r)) continue;
    for (uint32_t i = 0; i < r->ex->accesses.count; i++)
      if (r->ex->accesses.data[i].is_store) find_floor(r->tt, r->ex->accesses.data[i].offset, &found);
    if (!found.best_divisor) {
      if (found.group_divisor ? !split_group(r, found.group_numerator, found.group_divisor) : !split_by_loads(r))
        return;
      continue;
    }
    if (recover_is_coordinate(r->tt, found.best_numerator))
      split_coordinate(r, found.best_numerator, found.best_divisor);
    else if (!join_coordinates(r, found.best_numerator))
      return;
  }
}

/* True if the address of another store grows with the coordinate. */
static bool grows_elsewhere(Recover *r, uint32_t access, Term coordinate) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term by =
        i != access && a->is_store && term_has_symbol(tt, a->offset, coordinate) ? slope(tt, a->offset, coordinate) : 0;
    if (by && term_prove_lt(tt, tt->zero, by)) return true;
  }
  return false;
}

/* In one access only: a swap stores at i and at n - 1 - i. */
static void substitute_in(Recover *r, uint32_t access, Term from, Term to) {
  Access *a = &r->ex->accesses.data[access];
  array_push(r->arena, &r->out->hints.steps, (LiftStep){from, to, access + 1});
  a->offset = term_replace(r->tt, a->offset, from, to);
  a->mask = term_replace(r->tt, a->mask, from, to);
  a->value = term_replace(r->tt, a->value, from, to);
}

/* True if there is a conjunct B*high + low + rest <= 0, whose rest does not vary. */
static bool is_ended_as_one(TermTable *tt, Term mask, Term high, Term low, Term stride) {
  uint32_t n = term_conjunct_count(tt, mask);
  Term both = term_add(tt, term_mul(tt, stride, high), low);
  for (uint32_t i = 0; i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    bool whole = term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT;
    if (whole && !recover_varies(tt, term_sub(tt, term_arg(tt, c, 0), both))) return true;
  }
  return false;
}

/* Blocks with a tail that go backwards, n - 1 - (B*p + l) where B*p + l < n: one coordinate, and it ends with the mask.
 */
static bool join_backwards(Recover *r, const Access *a) {
  TermTable *tt = r->tt;
  uint32_t n = recover_monomial_count(tt, a->offset);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t m = 0; m < n; m++) {
      Rational high, low;
      Term by, stride, p, l, both;
      recover_split_monomial(tt, recover_monomial(tt, a->offset, i), &high, &by, &p);
      recover_split_monomial(tt, recover_monomial(tt, a->offset, m), &low, &stride, &l);
      if (i == m || by != stride || high.num >= 0 || low.num >= 0 || high.den != 1 || low.den != 1 ||
          high.num % low.num || high.num == low.num)
        continue;
      Term size = term_new_rat(tt, (Rational){high.num / low.num, 1});
      if (!recover_is_coordinate(tt, p) || !recover_is_coordinate(tt, l) || !is_ended_as_one(tt, a->mask, p, l, size) ||
          !(both = join(r, p, l, size)))
        continue;
      recover_assume_blocks(r, end_coordinate(r, both));
      return true;
    }
  return false;
}

/* Rows that programs write backwards, (last - p)*stride: with as many programs as there are rows, which is what the
 * first one tells. */
static void complete_rows(Recover *r, Term offset, Rational k, Term stride, Term p) {
  TermTable *tt = r->tt;
  Term grid = 0, last = tt->zero;
  for (uint32_t i = 0; i < 3; i++)
    if (p == r->ex->pid[i] && term_symbol(tt, p)->hi == term_sub(tt, r->ex->grid[i], tt->one)) grid = r->ex->grid[i];
  if (!grid) return;
  for (uint32_t m = 0; m < recover_monomial_count(tt, offset); m++) {
    Rational by;
    Term along, variable;
    recover_split_monomial(tt, recover_monomial(tt, offset, m), &by, &along, &variable);
    Term row, own = recover_monomial(tt, offset, m), step = term_scale(tt, rational_neg(k), stride);
    if (term_has_symbol(tt, own, p) || recover_varies(tt, own) || !recover_divides(tt, step, own, &row)) continue;
    last = term_add(tt, last, row);
  }
  if (term_is_rat(tt, last) || term_has_symbol(tt, last, grid)) return;
  Term count = term_add(tt, last, tt->one);
  recover_assume_grid(r, grid, count, RECOVER_LEAST_GRID);
  recover_substitute(r, grid, count);
  recover_rebuild(r);
}

/* Addresses that fall as a coordinate grows: run the coordinate backwards. */
void recover_reverse_coordinates(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    if (!r->ex->accesses.data[i].is_store) continue;
    while (join_backwards(r, &r->ex->accesses.data[i])) {
    }
    Term offset = r->ex->accesses.data[i].offset;
    for (uint32_t m = 0; m < recover_monomial_count(tt, offset); m++) {
      Rational k;
      Term stride, variable;
      recover_split_monomial(tt, recover_monomial(tt, offset, m), &k, &stride, &variable);
      if (k.num >= 0 || !recover_is_coordinate(tt, variable)) continue;
      Term hi = term_symbol(tt, variable)->hi;
      if (!hi || term_has_symbol(tt, hi, variable)) continue;
      /* a group that may be shorter: only where its size goes away, size - 1 - k */
      if (recover_varies(tt, hi) &&
          recover_monomial_count(tt, term_replace(tt, offset, variable, term_sub(tt, hi, variable))) >=
              recover_monomial_count(tt, offset))
        continue;
      bool alone = grows_elsewhere(r, i, variable);
      if (!alone) complete_rows(r, offset, k, stride, variable);
      hi = term_symbol(tt, variable)->hi;
      Term back = recover_coordinate(r, "b", tt->zero, hi, term_sub(tt, hi, variable)), value = term_sub(tt, hi, back);
      if (alone)
        substitute_in(r, i, variable, value);
      else
        recover_substitute(r, variable, value);
      offset = r->ex->accesses.data[i].offset;
      m = 0;
    }
  }
}

/* What a program id is divided by in the end: its quotient may be split again, as by columns and then by rows. */
static Term whole_divisor(const Recover *r, const Split *split, Term grid, Term *last) {
  TermTable *tt = r->tt;
  Term size = split->size, q = *last = split->q;
  for (uint32_t i = 0; i < r->splits.count; i++) {
    const Split *next = &r->splits.data[i];
    if (next->p != q || recover_varies(tt, next->size) || !term_has_symbol(tt, term_symbol(tt, next->q)->hi, grid))
      continue;
    size = term_mul(tt, size, next->size), q = *last = next->q;
    i = UINT32_MAX; /* from the first */
  }
  return size;
}

/* True if the coordinate is in the address of a store. What was split or joined again is not asked about, and taken to
 * be. */
static bool is_in_a_place(const Recover *r, Term coordinate) {
  if (recover_now(r->out, UINT32_MAX, coordinate) != coordinate) return true;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++)
    if (r->ex->accesses.data[i].is_store && term_has_symbol(r->tt, r->ex->accesses.data[i].offset, coordinate))
      return true;
  return false;
}

/* The last group of programs may be shorter: as many groups as the place in the group leaves, q <= (last - r) // size.
 */
static void shorten_groups(Recover *r, Term p, Term last) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->splits.count; i++) {
    const Split *split = &r->splits.data[i];
    if (split->p != p || recover_varies(tt, split->size)) continue;
    Term count = term_floordiv(tt, term_sub(tt, last, recover_now(r->out, UINT32_MAX, split->r)), split->size);
    term_symbol_range(tt, split->q, tt->zero, count);
    term_symbol_range(tt, split->r, tt->zero, term_sub(tt, split->size, tt->one));
    shorten_groups(r, split->q, count);
  }
}

/* The last group of programs may be shorter: r <= last - size*q. */
static void shorten_last(Recover *r, Term p, Term last) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->splits.count; i++) {
    const Split *split = &r->splits.data[i];
    if (split->p != p || recover_varies(tt, split->size)) continue;
    Term before = term_mul(
        tt, split->size, recover_now(r->out, UINT32_MAX, split->q)); /* groups are split again: no number of its own */
    term_symbol_range(tt, split->r, tt->zero,
                      term_min(tt, term_sub(tt, split->size, tt->one), term_sub(tt, last, before)));
    shorten_last(r, split->q, term_symbol(tt, split->q)->hi);
  }
}

/* True if programs of several groups store to one place, so that they race. */
static bool is_stored_again(const Recover *r, const Split *split) {
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->is_store && !a->is_atomic && term_has_symbol(r->tt, a->offset, split->r)) return true;
  }
  return false;
}

/* True if the places in all groups are axes of what is stored. */
static bool are_places(const Recover *r, Term p) {
  for (uint32_t i = 0; i < r->splits.count; i++) {
    const Split *split = &r->splits.data[i];
    if (split->p == p && !recover_varies(r->tt, split->size) &&
        (!is_in_a_place(r, split->r) || !are_places(r, split->q)))
      return false;
  }
  return true;
}

/* A program id split by a size whose grid nothing bounds. Where groups and places in them are axes of what is stored,
 * the least grid that covers it has whole groups, grid = size * n. Where they are not (atomics of programs that are
 * dealt out, pid % 4 or pid // 4), nothing asks for that: the last group may be shorter. */
void recover_complete_grids(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->splits.count; i++) {
    Split *split = &r->splits.data[i];
    Term q_hi = term_symbol(tt, split->q)->hi, grid = 0;
    for (uint32_t a = 0; a < 3; a++)
      if (term_symbol(tt, r->ex->pid[a])->term == split->p && term_has_symbol(tt, q_hi, r->ex->grid[a]))
        grid = r->ex->grid[a];
    if (!grid || recover_varies(tt, split->size)) continue;
    Term groups, size = whole_divisor(r, split, grid, &groups);
    bool in_groups = is_in_a_place(r, groups);
    if (in_groups ? !are_places(r, split->p) : !is_stored_again(r, split)) {
      Term last = term_symbol(tt, split->p)->hi;
      if (in_groups)
        shorten_last(r, split->p, last);
      else
        shorten_groups(r, split->p, last);
      recover_rebuild(r);
      continue;
    }
    const char *name = execute_size_name(r->ex, term_name(tt, grid), i);
    Term count = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_SIZE);
    term_symbol_range(tt, count, tt->one, 0);
    Term value = term_mul(tt, size, count);
    recover_assume_grid(r, grid, value, RECOVER_LEAST_GRID ": whole groups of programs");
    recover_substitute(r, grid, value);
    recover_rebuild(r);
  }
}
