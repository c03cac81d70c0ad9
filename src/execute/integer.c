/* Integer and boolean ops. Values of i1 are Bool terms; wider ones are Int terms that hold the signed value.
 *
 * Every op is exact modulo 2^w. Arithmetic that is provably in range stays as it is. Index arithmetic (made of sizes,
 * program ids, lanes and counters only) that may leave the range is taken as exact and noted as a range need;
 * everything else is wrapped explicitly. */
#include <string.h>

#include "execute/internal.h"

enum { ADDRESS_COEFFICIENT = 1 << 24 };

/* True if t is made of sizes, ids and counters, with coefficients below `most`. */
static bool is_index_arithmetic(const TermTable *tt, Term t, Int128 most, uint32_t depth) {
  if (depth > 60) return false;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) {
    Rational r = term_rat(tt, t);
    return r.num < most && r.num > -most;
  }
  if (kind == TERM_SYM) {
    const Symbol *s = term_symbol(tt, t);
    return (s->role != SYMBOL_SCALAR && s->role != SYMBOL_COUNTER) || !(s->axis & SYMBOL_IS_DATA);
  }
  if (kind == TERM_READ) {
    /* closed later, over the same */
    const Symbol *s = term_symbol(tt, term_arg(tt, t, 0));
    return s->role == SYMBOL_CARRY && !(s->axis & SYMBOL_IS_DATA);
  }
  if (kind == TERM_UNDEF || kind == TERM_WRAP || kind == TERM_FN || kind == TERM_OPAQUE || kind == TERM_FOLD ||
      kind == TERM_RECUR)
    return false;
  if (kind == TERM_SELECT) {
    /* what data chooses is data */
    return is_index_arithmetic(tt, term_arg(tt, t, 0), (Int128)1 << 64, depth + 1) &&
           is_index_arithmetic(tt, term_arg(tt, t, 1), most, depth + 1) &&
           is_index_arithmetic(tt, term_arg(tt, t, 2), most, depth + 1);
  }
  if (term_kind_is_rounding(kind)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!is_index_arithmetic(tt, term_arg(tt, t, i), most, depth + 1)) return false;
  return true;
}

bool execute_is_index(const Machine *ex, Term t) { return is_index_arithmetic(ex->tt, t, ADDRESS_COEFFICIENT, 0); }

/* It grows with a counter, and fits its type in the first iteration and in the last. */
static bool fits_from_first_to_last(Machine *ex, Term t, uint32_t width) {
  TermTable *tt = ex->tt;
  Int128 half = (Int128)1 << (width - 1), lo, hi, unused;
  Term least = term_new_rat(tt, (Rational){-half, 1}), most = term_new_rat(tt, (Rational){half - 1, 1});
  for (uint32_t i = ex->counter_count; i-- > 0;) {
    Term counter = ex->counters[i];
    if (ex->counter_end[i] == counter || !term_has_symbol(tt, t, counter)) continue;
    Term first = term_replace(tt, t, counter, tt->zero), last = term_replace(tt, t, counter, ex->counter_end[i]);
    if (!term_prove_le(tt, t, term_replace(tt, t, counter, term_add(tt, counter, tt->one)))) return false;
    return (term_prove_le(tt, tt->zero, first) ||
            (term_interval(tt, first, &lo, &unused) ? lo >= -half : term_prove_le(tt, least, first))) &&
           (term_interval(tt, last, &unused, &hi) ? hi < half : term_prove_le(tt, last, most));
  }
  return false;
}

static Term fit(Machine *ex, OpId op, Term exact, uint32_t width, Int128 most) {
  TermTable *tt = ex->tt;
  Term wrapped = term_wrap(tt, width, exact);
  if (wrapped == exact || term_is_rat(tt, wrapped)) return wrapped;
  if (width < 32 || !is_index_arithmetic(tt, exact, most, 0))
    return fits_from_first_to_last(ex, exact, width) ? exact : wrapped;
  while (ex->range_of.count <= exact) array_push(ex->arena, &ex->range_of, 0);
  uint32_t newest = ex->range_of.data[exact];
  RangeNeed *known = newest && newest <= ex->effects->ranges.count ? &ex->effects->ranges.data[newest - 1]
                                                                   : NULL; /* loops take needs back */
  if (known && known->exact == exact && known->width == width) {
    known->path = term_or(tt, known->path, ex->path);
    return exact;
  }
  ex->range_of.data[exact] = ex->effects->ranges.count + 1;
  array_push(ex->arena, &ex->effects->ranges, (RangeNeed){exact, ex->path, width, op, false});
  return exact;
}

/* The exact result, which a source takes to fit. */
static Term fit_value(Machine *ex, OpId op, Term exact, uint32_t width) {
  Term wrapped = term_wrap(ex->tt, width, exact);
  if (wrapped == exact || term_is_rat(ex->tt, wrapped)) return wrapped;
  array_push(ex->arena, &ex->effects->ranges, (RangeNeed){exact, ex->path, width, op, true});
  return exact;
}

/* An integer of a language whose integers have no greatest one: nothing wraps, and nothing has to fit. */
static bool is_unbounded(const Machine *ex, const Op *op) { return program_op_attr(ex->program, op, "unbounded") != 0; }

Term execute_fit(Machine *ex, OpId op, Term exact, uint32_t width) {
  if (is_unbounded(ex, program_get_op(ex->program, op))) return exact;
  if (program_op_attr(ex->program, program_get_op(ex->program, op), "fits")) return fit_value(ex, op, exact, width);
  return fit(ex, op, exact, width, ADDRESS_COEFFICIENT);
}
Term execute_fit_counter(Machine *ex, OpId op, Term exact, uint32_t width) {
  return fit(ex, op, exact, width, (Int128)1 << 64);
}

/* ---- addresses that memory has a part in ---- */

enum { MOST_DATA = 2 };

/* By data + rest <= 0, where the condition is that; 0: it is not. */
static Term most_by_condition(TermTable *tt, Term data, Term c) {
  bool is_bound =
      term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && term_sort(tt, term_arg(tt, c, 0)) == SORT_INT;
  return is_bound ? term_sub(tt, data, term_arg(tt, c, 0)) : 0;
}

/* What data may be at most by the conjuncts of the mask and what the kernel states, or by the size that it is clamped
 * to; by way of other data too, as where a row ends at which the next one begins. 0: nothing says. */
static Term most_of_data(const Machine *ex, Term data, Term mask, uint32_t depth) {
  TermTable *tt = ex->tt;
  uint32_t n = term_conjunct_count(tt, mask);
  for (uint32_t i = 0; term_kind(tt, data) == TERM_MIN && i < term_count(tt, data); i++)
    if (!(term_node(tt, term_arg(tt, data, i))->flags & TERM_HAS_READ)) return term_arg(tt, data, i);
  for (int by_data = 0; by_data <= (depth > 0); by_data++)
    for (uint32_t i = 0; i < n + ex->effects->assumed.count; i++) {
      Term c = i < n ? term_conjunct(tt, mask, i) : ex->effects->assumed.data[i - n];
      Term most = most_by_condition(tt, data, c), other;
      bool is_of_data = most && (term_node(tt, most)->flags & TERM_HAS_READ);
      if (most && !is_of_data) return most;
      if (!is_of_data || !by_data) continue;
      Term constant = term_new_rat(tt, term_constant_part(tt, most));
      bool is_other = rational_equal(term_coefficient(tt, term_sub(tt, most, constant), &other), rational_int(1)) &&
                      term_kind(tt, other) == TERM_READ && other != data;
      Term further = is_other ? most_of_data(ex, other, mask, depth - 1) : 0;
      if (further) return term_add(tt, further, constant);
    }
  return 0;
}

/* The factors of a polynomial that are read from memory, each once; more than MOST_DATA: too many. */
static uint32_t data_factors(TermTable *tt, Term t, Term *data, uint32_t n) {
  if (!(term_node(tt, t)->flags & TERM_HAS_READ)) return n;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_ADD || kind == TERM_MUL) {
    for (uint32_t i = kind == TERM_ADD ? 2 : 0; i < term_count(tt, t); i += 2)
      n = data_factors(tt, term_arg(tt, t, i), data, n);
    return n;
  }
  for (uint32_t i = 0; i < n && i < MOST_DATA; i++)
    if (data[i] == t) return n;
  if (n < MOST_DATA) data[n] = t;
  return n + 1;
}

static bool is_linear_in(TermTable *tt, Term t, Term x) {
  Term at_zero = term_replace(tt, t, x, tt->zero), by = term_sub(tt, term_replace(tt, t, x, tt->one), at_zero);
  return term_add(tt, at_zero, term_mul(tt, by, x)) == t;
}

/* The number of a counter in t whose last value is read from memory; counter_count: there is none. */
static uint32_t counter_of_data(const Machine *ex, Term t) {
  uint32_t i = 0;
  while (i < ex->counter_count &&
         (ex->counter_end[i] == ex->counters[i] || !(term_node(ex->tt, ex->counter_end[i])->flags & TERM_HAS_READ) ||
          !term_has_symbol(ex->tt, t, ex->counters[i])))
    i++;
  return i;
}

/* Where the mask or a statement keeps what is read in 0 <= data <= most, the sum lies between those of the ends, which
 * are made of sizes alone: it is exact where these fit, and that is asked for as of any index. A loop that memory ends
 * lies between its first and its last iteration. */
static bool fits_at_ends(Machine *ex, OpId op, Term exact, uint32_t width, Term mask) {
  TermTable *tt = ex->tt;
  Term data[MOST_DATA], most[MOST_DATA], ends[1 << MOST_DATA];
  uint32_t counter = counter_of_data(ex, exact);
  if (counter < ex->counter_count) {
    Term t = ex->counters[counter];
    return is_linear_in(tt, exact, t) && fits_at_ends(ex, op, term_replace(tt, exact, t, tt->zero), width, mask) &&
           fits_at_ends(ex, op, term_replace(tt, exact, t, ex->counter_end[counter]), width, mask);
  }
  uint32_t n = data_factors(tt, exact, data, 0), facts = tt->facts.count;
  bool bounded = n > 0 && n <= MOST_DATA;
  for (uint32_t i = 0; i < (term_conjunct_count(tt, mask)); i++) term_push_fact(tt, term_conjunct(tt, mask, i));
  for (uint32_t i = 0; i < n && bounded; i++) {
    most[i] = most_of_data(ex, data[i], mask, MOST_DATA);
    bounded = most[i] && term_prove_le(tt, tt->zero, data[i]) && is_linear_in(tt, exact, data[i]);
  }
  term_pop_facts(tt, facts);
  for (uint32_t corner = 0; corner < 1u << n && bounded; corner++) {
    Term end = exact;
    for (uint32_t i = 0; i < n; i++) end = term_replace(tt, end, data[i], corner >> i & 1 ? most[i] : tt->zero);
    bounded = is_index_arithmetic(tt, end, ADDRESS_COEFFICIENT, 0);
    ends[corner] = end;
  }
  for (uint32_t corner = 0; corner < 1u << n && bounded; corner++) execute_fit(ex, op, ends[corner], width);
  return bounded;
}

/* An address under a mask, without the wraps of 32 bits around what is read from memory. */
Term execute_exact_address(Machine *ex, OpId op, Term t, Term mask) {
  TermTable *tt = ex->tt;
  if (!(term_node(tt, t)->flags & TERM_HAS_READ)) return t;
  if (term_kind(tt, t) == TERM_WRAP) {
    Term inner = execute_exact_address(ex, op, term_arg(tt, t, 0), mask);
    uint32_t width = term_aux(tt, t);
    return width == 32 && fits_at_ends(ex, op, inner, width, mask) ? inner : t;
  }
  if (term_kind(tt, t) == TERM_MUL) {
    Term product = tt->one;
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Term base = execute_exact_address(ex, op, term_arg(tt, t, i), mask);
      product = term_mul(tt, product, term_power(tt, base, term_rat(tt, term_arg(tt, t, i + 1))));
    }
    return product;
  }
  if (term_kind(tt, t) != TERM_ADD) return t;
  Term sum = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    sum = term_add(
        tt, sum,
        term_scale(tt, term_rat(tt, term_arg(tt, t, i)), execute_exact_address(ex, op, term_arg(tt, t, i + 1), mask)));
  return sum;
}

static Term power_of_two(TermTable *tt, uint32_t n) { return term_new_rat(tt, (Rational){(Int128)1 << n, 1}); }

enum { MOST_NESTING = 8 };

/* Bits that were named without sign: what was wrapped to make a signed number of them is less than 2^width. */
static bool is_without_sign(TermTable *tt, Term t, uint32_t width) {
  Int128 lo, hi;
  return term_kind(tt, t) == TERM_WRAP && term_aux(tt, t) == width &&
         term_interval_of_symbols(tt, term_arg(tt, t, 0), &lo, &hi) && lo >= 0 && hi < (Int128)1 << width;
}

static bool is_bitwise(const TermTable *tt, Term t) {
  TermFn fn = term_kind(tt, t) == TERM_FN ? (TermFn)term_aux(tt, t) : FN_COUNT;
  return fn == FN_BITAND || fn == FN_BITOR || fn == FN_BITXOR;
}

/* True if t is made of such bits, by choices and bit by bit. */
static bool has_bits_without_sign(TermTable *tt, Term t, uint32_t width, uint32_t depth) {
  if (is_without_sign(tt, t, width)) return true;
  bool chooses = term_kind(tt, t) == TERM_SELECT;
  if (depth == MOST_NESTING || (!chooses && !is_bitwise(tt, t))) return false;
  uint32_t first = chooses ? 1 : 0;
  return has_bits_without_sign(tt, term_arg(tt, t, first), width, depth + 1) ||
         has_bits_without_sign(tt, term_arg(tt, t, first + 1), width, depth + 1);
}

Term execute_without_sign(TermTable *tt, Term t, uint32_t width) {
  if (term_kind(tt, t) == TERM_UNDEF || term_prove_le(tt, tt->zero, t)) return t;
  if (is_without_sign(tt, t, width)) return term_arg(tt, t, 0);
  if (has_bits_without_sign(tt, t, width, 0)) { /* each bit of the result is one of theirs, the sign bit too */
    uint32_t first = term_kind(tt, t) == TERM_SELECT ? 1 : 0;
    Term a = execute_without_sign(tt, term_arg(tt, t, first), width),
         b = execute_without_sign(tt, term_arg(tt, t, first + 1), width);
    return first ? term_select(tt, term_arg(tt, t, 0), a, b) : term_fn(tt, (TermFn)term_aux(tt, t), 2, (Term[]){a, b});
  }
  return term_select(tt, term_lt(tt, t, tt->zero), term_add(tt, t, power_of_two(tt, width)), t);
}

/* The value in the reading that its bits are named by. */
static Term as_named(TermTable *tt, Term t, uint32_t width) {
  return has_bits_without_sign(tt, t, width, 0) ? execute_without_sign(tt, t, width) : t;
}

/* That reading divided by 2^n, as a signed number of that width: nothing above those is needed. */
static Term unsigned_quotient(TermTable *tt, Term t, uint32_t n, uint32_t width) {
  if (n) t = as_named(tt, t, width);
  Term q = term_floordiv(tt, t, power_of_two(tt, n));
  if (!n || term_prove_le(tt, tt->zero, t)) return q;
  return term_select(tt, term_lt(tt, t, tt->zero), term_add(tt, q, power_of_two(tt, width - n)), q);
}

static bool is_power_of_two(const TermTable *tt, Term t, uint32_t *n) {
  if (!term_is_rat(tt, t)) return false;
  Rational r = term_rat(tt, t);
  for (*n = 0; *n < 63; ++*n)
    if (r.den == 1 && r.num == (Int128)1 << *n) return true;
  return false;
}

static void need_divisor(Machine *ex, OpId op, Term divisor) {
  if (term_prove_lt(ex->tt, ex->tt->zero, divisor)) return;
  array_push(ex->arena, &ex->effects->divisions, (DivisionNeed){.divisor = divisor, .path = ex->path, .op = op});
}

/* Grouped order: a divisor d = min(G, X - G*q) with q = pid // (G*n) is the number of rows in group q; there are X*n
 * programs in all, the least grid that covers. With more of them d would be negative in some, and with any fewer rows
 * be left out. */
static void need_groups(Machine *ex, OpId op, Term divisor) {
  TermTable *tt = ex->tt;
  if (term_kind(tt, divisor) != TERM_MIN || term_count(tt, divisor) != 2) return;
  for (int side = 0; side < 2; side++) {
    Term group = term_arg(tt, divisor, side), left = term_arg(tt, divisor, 1 - side);
    if (term_kind(tt, left) != TERM_ADD) continue;
    for (uint32_t i = 1; i < term_count(tt, left); i += 2)
      for (uint32_t axis = 0; axis < 3; axis++) {
        Term q = term_arg(tt, left, i + 1), pid = ex->effects->pid[axis];
        if (term_kind(tt, q) == TERM_MUL) /* G*q for a symbol G */
          for (uint32_t k = 0; k < term_count(tt, q); k += 2)
            if (term_kind(tt, term_arg(tt, q, k)) == TERM_FLOORDIV) q = term_arg(tt, q, k);
        if (term_kind(tt, q) != TERM_FLOORDIV || term_arg(tt, q, 0) != pid ||
            term_symbol(tt, pid)->hi != term_sub(tt, ex->effects->grid[axis], tt->one))
          continue;
        Term rows = term_add(tt, left, term_mul(tt, group, q)), n = term_floordiv(tt, term_arg(tt, q, 1), group);
        if (term_has_symbol(tt, rows, pid) || term_mul(tt, n, group) != term_arg(tt, q, 1)) continue;
        Term count = term_mul(tt, rows, n);
        array_push(ex->arena, &ex->effects->grids, (GridNeed){axis, count, op});
        term_symbol_range(tt, pid, tt->zero, term_sub(tt, count, tt->one));
        return;
      }
  }
}

static Term divide(Machine *ex, const Op *op, OpId id, Term a, Term b, uint32_t width) {
  TermTable *tt = ex->tt;
  bool unbounded = is_unbounded(ex, op);
  if (unbounded || program_op_attr(ex->program, op, "fits")) { /* the divisor is required not to be 0 */
    bool floors = op->code == OP_ARITH_FLOORDIVSI, ceils = op->code == OP_ARITH_CEILDIVSI;
    Term exact = floors  ? term_floordiv(tt, a, b)
                 : ceils ? term_neg(tt, term_floordiv(tt, term_neg(tt, a), b))
                         : term_truncdiv(tt, a, b);
    Term quotient = unbounded ? exact : fit_value(ex, id, exact, width);
    return op->code == OP_ARITH_REMSI ? term_sub(tt, a, term_mul(tt, b, quotient)) : quotient;
  }
  if (!term_prove_lt(tt, tt->zero, b)) need_groups(ex, id, b);
  if (!program_op_attr(ex->program, op, "nonzero")) need_divisor(ex, id, b);
  if (op->code == OP_ARITH_DIVSI)
    return term_truncdiv(tt, a, b); /* in range but for INT_MIN / -1, which is the division obligation's */
  if (op->code == OP_ARITH_REMSI) return term_sub(tt, a, term_mul(tt, b, term_truncdiv(tt, a, b)));
  if (op->code == OP_ARITH_FLOORDIVSI) return term_wrap(tt, width, term_floordiv(tt, a, b));
  if (op->code == OP_ARITH_CEILDIVSI) return term_wrap(tt, width, term_neg(tt, term_floordiv(tt, term_neg(tt, a), b)));
  uint32_t n;
  if (is_power_of_two(tt, b, &n) && op->code == OP_ARITH_DIVUI) return unsigned_quotient(tt, a, n, width);
  if (is_power_of_two(tt, b, &n) && op->code == OP_ARITH_REMUI) return term_mod(tt, as_named(tt, a, width), b);
  a = execute_without_sign(tt, a, width), b = execute_without_sign(tt, b, width);
  if (op->code == OP_ARITH_REMUI) return term_wrap(tt, width, term_mod(tt, a, b));
  if (op->code == OP_ARITH_CEILDIVUI) return term_wrap(tt, width, term_cdiv(tt, a, b));
  return term_wrap(tt, width, term_floordiv(tt, a, b));
}

static const Op *maker(const Program *p, ValueId value) {
  OpId id = program_get_value(p, value)->op;
  return id ? program_get_op(p, id) : NULL;
}

static bool axis_of(const Program *p, const Op *op, int64_t *axis) {
  AttrId attr = program_op_attr(p, op, "axis");
  if (attr) *axis = program_get_attr(p, attr)->integer;
  return attr != 0;
}

/* True if `both` is the exclusive or of the elements of `value` along an axis of two, for each of them. */
static bool is_either_of_two(const Program *p, ValueId both, ValueId value, int64_t *axis) {
  const Type *type = program_value_type(p, value);
  const Op *op = maker(p, both);
  int64_t back = 0;
  if (op && op->code == OP_TT_BROADCAST) op = maker(p, op->operands[0]);
  if (!op || !(op->code == OP_TT_EXPAND_DIMS ? axis_of(p, op, &back) : op->code == OP_TT_SPLAT && type->rank == 1))
    return false;
  op = maker(p, op->operands[0]);
  if (!op || op->code != OP_TT_REDUCE || op->operand_count != 1 || op->operands[0] != value || op->region_count != 1 ||
      !axis_of(p, op, axis) || *axis != back)
    return false;
  const Block *block = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  const Op *first = program_get_op(p, block->ops.data[0]);
  if (block->ops.count != 2 || first->code != OP_ARITH_XORI || first->operands[0] != block->first_arg ||
      first->operands[1] != block->first_arg + 1)
    return false;
  const Op *last = program_get_op(p, block->ops.data[1]);
  return last->operand_count == 1 && last->operands[0] == first->first_result && *axis >= 0 && *axis < type->rank &&
         type->dims[*axis] == 2;
}

/* x ^ (x[0] ^ x[1]) along an axis of two is the other one of them: how tl.flip exchanges halves. 0: it is not that. */
static Term other_of_two(Machine *ex, const Op *op) {
  int64_t axis;
  for (uint32_t i = 0; i < 2 && op->code == OP_ARITH_XORI; i++) {
    if (!is_either_of_two(ex->program, op->operands[1 - i], op->operands[i], &axis)) continue;
    Term lane = execute_lane(ex, (uint32_t)axis, 2);
    return term_replace(ex->tt, execute_value(ex, op->operands[i]), lane, term_sub(ex->tt, ex->tt->one, lane));
  }
  return 0;
}

/* Of x & y for y >= 0 no bit is left from the sign on. */
static Term bitwise(Machine *ex, const Op *op, Term a, Term b, uint32_t width) {
  TermTable *tt = ex->tt;
  TermFn fn = op->code == OP_ARITH_ANDI ? FN_BITAND : op->code == OP_ARITH_ORI ? FN_BITOR : FN_BITXOR;
  if (fn == FN_BITAND && term_prove_le(tt, tt->zero, b)) a = as_named(tt, a, width);
  if (fn == FN_BITAND && term_prove_le(tt, tt->zero, a)) b = as_named(tt, b, width);
  if (a == b) return fn == FN_BITXOR ? tt->zero : a;
  return term_fn(tt, fn, 2, (Term[]){a, b});
}

static Term shift(Machine *ex, const Op *op, OpId id, Term a, Term b, uint32_t width) {
  TermTable *tt = ex->tt;
  int64_t n;
  if (term_is_int(tt, b, &n) && n >= 0 && n < (int64_t)width) {
    Term k = power_of_two(tt, (uint32_t)n);
    if (op->code == OP_ARITH_SHLI) return execute_fit(ex, id, term_mul(tt, a, k), width);
    if (op->code == OP_ARITH_SHRSI) return term_floordiv(tt, a, k);
    return unsigned_quotient(tt, a, (uint32_t)n, width);
  }
  Term inside = term_and(tt, term_le(tt, tt->zero, b), term_lt(tt, b, term_int(tt, width))),
       r; /* shifted too far is poison */
  if (op->code == OP_ARITH_SHRUI) a = execute_without_sign(tt, a, width);
  if (op->code == OP_ARITH_SHLI)
    r = term_wrap(tt, width, term_fn(tt, FN_SHL, 2, (Term[]){a, b}));
  else
    r = term_wrap(tt, width,
                  term_fn(tt, FN_SHR, 2, (Term[]){a, b})); /* by 0, an unsigned number may be a negative one again */
  return term_select(tt, inside, r, term_undef(tt, SORT_INT, id));
}

static Term bool_op(Machine *ex, const Op *op, Term a, Term b) {
  TermTable *tt = ex->tt;
  if (op->code == OP_ARITH_ANDI || op->code == OP_ARITH_MULI || op->code == OP_ARITH_MINUI ||
      op->code == OP_ARITH_MAXSI)
    return term_and(tt, a, b);
  if (op->code == OP_ARITH_ORI || op->code == OP_ARITH_MAXUI || op->code == OP_ARITH_MINSI) return term_or(tt, a, b);
  if (op->code == OP_ARITH_XORI || op->code == OP_ARITH_ADDI || op->code == OP_ARITH_SUBI)
    return term_or(tt, term_and(tt, a, term_not(tt, b)), term_and(tt, term_not(tt, a), b));
  return 0;
}

/* a < b (or <=) of unsigned readings: a bound that is a signed number, and not negative, is above no negative a, as the
 * idiom 0 <= a < b in one comparison has it. One without sign may be above the reading of a negative a. */
static Term unsigned_below(TermTable *tt, Term a, Term b, bool strict, uint32_t width) {
  Term signed_a = a, signed_b = b;
  a = as_named(tt, a, width), b = as_named(tt, b, width);
  Term below = strict ? term_lt(tt, a, b) : term_le(tt, a, b);
  bool is_a = term_prove_le(tt, tt->zero, a), is_b = term_prove_le(tt, tt->zero, b);
  if (is_a && is_b) return below;
  if (is_b && b == signed_b) return term_and(tt, term_le(tt, tt->zero, a), below);
  if (is_a && a == signed_a) return term_or(tt, term_lt(tt, b, tt->zero), below);
  a = execute_without_sign(tt, a, width), b = execute_without_sign(tt, b, width);
  return strict ? term_lt(tt, a, b) : term_le(tt, a, b);
}

/* The summand of an integer polynomial whose greatest alternative counts: min(a, b) below zero, max(a, b) above. 0:
 * none. */
static Term greatest_summand(TermTable *tt, Term t, Rational *k) {
  uint32_t n = term_kind(tt, t) == TERM_ADD ? term_count(tt, t) : 0;
  for (uint32_t i = 1; i < n; i += 2) {
    Term s = term_arg(tt, t, i + 1);
    *k = term_rat(tt, term_arg(tt, t, i));
    if (term_kind(tt, s) == (k->num < 0 ? TERM_MIN : TERM_MAX)) return s;
  }
  return 0;
}

enum { MOST_SPLITS = 3 };

/* t <= 0 as the conditions that it is made of: o < min(a, b) is o < a and o < b, each the bound of an axis or the end
 * of a tile, which views and blocks are found by. */
static Term not_positive(TermTable *tt, Term t, uint32_t depth) {
  Rational k;
  Term extremum = depth < MOST_SPLITS ? greatest_summand(tt, t, &k) : 0, all = tt->true_;
  if (!extremum) return term_le(tt, t, tt->zero);
  Term rest = term_sub(tt, t, term_scale(tt, k, extremum));
  for (uint32_t i = 0; i < term_count(tt, extremum); i++)
    all = term_and(tt, all,
                   not_positive(tt, term_add(tt, rest, term_scale(tt, k, term_arg(tt, extremum, i))), depth + 1));
  return all;
}

static Term signed_below(TermTable *tt, Term a, Term b, bool strict) {
  if (term_sort(tt, a) != SORT_INT || term_sort(tt, b) != SORT_INT)
    return strict ? term_lt(tt, a, b) : term_le(tt, a, b);
  Term t = term_sub(tt, a, b);
  return not_positive(tt, strict ? term_add(tt, t, tt->one) : t, 0);
}

static Term compare(Machine *ex, const Op *op, uint32_t width) {
  TermTable *tt = ex->tt;
  const char *p = program_op_text(ex->program, op, "predicate");
  Term a = execute_value(ex, op->operands[0]), b = execute_value(ex, op->operands[1]);
  if (term_sort(tt, a) == SORT_BOOL) {
    Term x = term_select(tt, a, tt->one, tt->zero), y = term_select(tt, b, tt->one, tt->zero);
    if (p[0] == 's')
      a = term_neg(tt, x), b = term_neg(tt, y);
    else
      a = x, b = y;
  } else if ((p[0] == 'e' || p[0] == 'n') &&
             (has_bits_without_sign(tt, a, width, 0) || has_bits_without_sign(tt, b, width, 0))) {
    a = execute_without_sign(tt, a, width), b = execute_without_sign(tt, b, width);
  } else if (p[0] == 'u') {
    bool swapped = p[1] == 'g';
    return unsigned_below(tt, swapped ? b : a, swapped ? a : b, p[2] == 't', width);
  }
  if (!strcmp(p, "eq")) return term_eq(tt, a, b);
  if (!strcmp(p, "ne")) return term_not(tt, term_eq(tt, a, b));
  bool swapped = p[1] == 'g';
  return signed_below(tt, swapped ? b : a, swapped ? a : b, p[2] == 't');
}

/* The last of the indices that lanes alone make, k*lane + c for k > 0; 0: others have a part in them, or none. */
static Term last_of_lanes(TermTable *tt, Term index) {
  TermList symbols = {0};
  Term last = index;
  term_symbols(tt, index, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    Term step = term_sub(tt, term_replace(tt, index, symbols.data[i], tt->one),
                         term_replace(tt, index, symbols.data[i], tt->zero));
    if (s->role != SYMBOL_LANE || !s->hi || !term_is_rat(tt, s->hi) || !term_is_rat(tt, step) ||
        term_rat(tt, step).num <= 0)
      return 0;
    last = term_replace(tt, last, symbols.data[i], s->hi);
  }
  return symbols.count && term_is_rat(tt, last) ? last : 0;
}

/* index < N, of which nothing is left where N is known to be beyond the block: the elements behind the block are not
 * looked at then. */
static void note_lane_bound(Machine *ex, const Op *op) {
  const Program *p = ex->program;
  const char *predicate = program_op_text(p, op, "predicate");
  uint32_t greater = predicate[1] == 'l' ? 1 : 0;
  if (!strcmp(predicate, "eq") || !strcmp(predicate, "ne") || predicate[2] != 't') return;
  ValueId root = analysis_root(p, op->operands[greater]);
  if (program_get_value(p, root)->op ||
      program_get_value(p, root)->block !=
          program_get_region(p, program_get_op(p, ex->function->op)->regions[0])->blocks.data[0])
    return;
  Term index = execute_value(ex, op->operands[1 - greater]), bound = execute_value(ex, op->operands[greater]);
  Term most =
      term_sort(ex->tt, index) == SORT_INT && term_sort(ex->tt, bound) == SORT_INT ? last_of_lanes(ex->tt, index) : 0;
  if (most) array_push(ex->arena, &ex->effects->lane_bounds, (LaneBound){most, bound});
}

static Term as_int(TermTable *tt, Term t, bool is_signed) {
  if (term_sort(tt, t) != SORT_BOOL) return t;
  return term_select(tt, t, is_signed ? tt->minus_one : tt->one, tt->zero);
}

static Term truncate(Machine *ex, OpId id, Term a, uint32_t width) {
  TermTable *tt = ex->tt;
  if (width == 1) return term_not(tt, term_eq(tt, term_mod(tt, a, term_int(tt, 2)), tt->zero));
  return execute_fit(ex, id, a, width);
}

typedef struct Choice {
  Term condition, opposite;
} Choice;

/* True if a choice by the condition stands in a sum, a product or a function. */
static bool has_choice(const TermTable *tt, Term t, const Choice *c, uint32_t *fuel) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT) return term_arg(tt, t, 0) == c->condition || term_arg(tt, t, 0) == c->opposite;
  if (!*fuel || --*fuel == 0 || (kind != TERM_ADD && kind != TERM_MUL && kind != TERM_FN && kind != TERM_ABS))
    return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_choice(tt, term_arg(tt, t, i), c, fuel)) return true;
  return false;
}

static Term make_choice(TermTable *tt, Term t, void *payload) {
  const Choice *c = payload;
  if (term_kind(tt, t) != TERM_SELECT) return t;
  return term_arg(tt, t, 0) == c->condition  ? term_arg(tt, t, 1)
         : term_arg(tt, t, 0) == c->opposite ? term_arg(tt, t, 2)
                                             : t;
}

/* What is seen where the condition holds: where(c, s*where(c, x, y), z) is where(c, s*x, z). */
static Term under_choice(TermTable *tt, Term t, Term condition) {
  Choice c = {condition, term_not(tt, condition)};
  uint32_t fuel = 200;
  return condition != tt->true_ && has_choice(tt, t, &c, &fuel) ? term_transform(tt, t, make_choice, &c) : t;
}

/* where(i < 0, i + n, i): what would wrap is not chosen. */
static Term without_wrap_under(TermTable *tt, Term t, Term condition) {
  Int128 lo, hi, half;
  if (term_kind(tt, t) != TERM_WRAP) return t;
  Term exact = term_arg(tt, t, 0);
  half = (Int128)1 << (term_aux(tt, t) - 1);
  return term_interval(tt, term_select(tt, condition, exact, tt->zero), &lo, &hi) && lo >= -half && hi < half ? exact
                                                                                                              : t;
}

static Term choose(TermTable *tt, Term condition, Term yes, Term no) {
  Term opposite = term_not(tt, condition);
  yes = under_choice(tt, yes, condition), no = under_choice(tt, no, opposite);
  return term_select(tt, condition, without_wrap_under(tt, yes, condition), without_wrap_under(tt, no, opposite));
}

static Term arithmetic(Machine *ex, const Op *op, OpId id, Term a, Term b, uint32_t width) {
  TermTable *tt = ex->tt;
  Term other = other_of_two(ex, op);
  if (other) return other;
  if (width == 1) return bool_op(ex, op, a, b);
  if (op->code == OP_ARITH_ADDI) return execute_fit(ex, id, term_add(tt, a, b), width);
  if (op->code == OP_ARITH_SUBI) return execute_fit(ex, id, term_sub(tt, a, b), width);
  if (op->code == OP_ARITH_MULI) return execute_fit(ex, id, term_mul(tt, a, b), width);
  if (op->code == OP_ARITH_MAXSI) return term_max(tt, a, b);
  if (op->code == OP_ARITH_MINSI) return term_min(tt, a, b);
  if (op->code != OP_ARITH_MAXUI && op->code != OP_ARITH_MINUI) return bitwise(ex, op, a, b, width);
  a = execute_without_sign(tt, a, width), b = execute_without_sign(tt, b, width);
  return term_wrap(tt, width, op->code == OP_ARITH_MAXUI ? term_max(tt, a, b) : term_min(tt, a, b));
}

static Term convert_width(Machine *ex, const Op *op, OpId id, Term a, uint32_t width) {
  TermTable *tt = ex->tt;
  if (op->code == OP_ARITH_TRUNCI) return truncate(ex, id, a, width);
  if (op->code != OP_ARITH_EXTUI) return as_int(tt, a, op->code != OP_ARITH_INDEX_CASTUI);
  return term_sort(tt, a) == SORT_BOOL ? as_int(tt, a, false)
                                       : execute_without_sign(tt, a, execute_width(ex, op->operands[0]));
}

bool execute_integer(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  if (op->result_count != 1) return false; /* a carry is not executed yet */
  OpFamily family = program_op_family(op->code);
  uint32_t width = execute_width(ex, op->first_result);
  Term r = 0, a = execute_value(ex, op->operands[0]),
       b = op->operand_count > 1 ? execute_value(ex, op->operands[1]) : 0;
  if (family == OP_FAMILY_INT)
    r = arithmetic(ex, op, id, a, b, width);
  else if (family == OP_FAMILY_DIVISION)
    r = divide(ex, op, id, a, b, width);
  else if (family == OP_FAMILY_SHIFT)
    r = shift(ex, op, id, a, b, width);
  else if (family == OP_FAMILY_WIDTH)
    r = convert_width(ex, op, id, a, width);
  else if (family == OP_FAMILY_SELECT)
    r = choose(tt, a, b, execute_value(ex, op->operands[2]));
  else if (op->code == OP_ARITH_CMPI) {
    r = compare(ex, op, execute_width(ex, op->operands[0]));
    note_lane_bound(ex, op);
  } else if (op->code == OP_MATH_ABSI)
    r = term_wrap(tt, width, term_unary(tt, TERM_ABS, a));
  else if (op->code == OP_TT_MULHIUI && width == 32)
    r = term_wrap(tt, 32, term_fn(tt, FN_MULHI, 2, (Term[]){a, b}));
  if (!r) return false;
  execute_set(ex, op->first_result, r);
  return true;
}
