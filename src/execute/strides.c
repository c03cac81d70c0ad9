/* The strides of a tensor's axes, and places as indices along them (see contents.h).
 *
 * Where an address is made as i*(n*m) + j*m + k, by multiplications and by pointers and counters that move on by steps,
 * the factors of what varies are n*m, m and 1. Factors of which each divides the one before are strides, and where
 * 0 <= j < n and 0 <= k < m hold, (i, j, k) is the only place of that address: an element is told from others by its
 * indices, one by one. Strides are only proposed here; each access is asked for the rest (contents_indices). */
#include <string.h>

#include "execute/contents.h"

/* ---- products ---- */

/* e with e*by = product, of integers; 0: there is none. */
static Term quotient(TermTable *tt, Term product, Term by) {
  Term p = tt->one, q = tt->one, e = tt->one;
  Rational a = term_is_rat(tt, product) ? term_rat(tt, product) : term_coefficient(tt, product, &p);
  Rational b = term_is_rat(tt, by) ? term_rat(tt, by) : term_coefficient(tt, by, &q);
  if (a.den != 1 || b.den != 1 || !b.num || a.num % b.num) return 0;
  bool p_many = term_kind(tt, p) == TERM_MUL, q_many = term_kind(tt, q) == TERM_MUL;
  uint32_t n = p_many ? term_count(tt, p) / 2 : 1, k = q_many ? term_count(tt, q) / 2 : 1, found = 0;
  for (uint32_t i = 0; i < n; i++) {
    Term base = p_many ? term_arg(tt, p, 2 * i) : p;
    Rational power = p_many ? term_rat(tt, term_arg(tt, p, 2 * i + 1)) : rational_int(1);
    for (uint32_t j = 0; j < k; j++) {
      Rational other = q_many ? term_rat(tt, term_arg(tt, q, 2 * j + 1)) : rational_int(1);
      if ((q_many ? term_arg(tt, q, 2 * j) : q) != base) continue;
      if (power.den != 1 || other.den != 1 || power.num < other.num) return 0;
      power.num -= other.num;
      found++;
    }
    if (power.num) e = term_mul(tt, e, term_power(tt, base, power));
  }
  return found == k || q == tt->one ? term_scale(tt, (Rational){a.num / b.num, 1}, e) : 0;
}

/* ---- what multiplies what varies ---- */

typedef struct Strides {
  Machine *m;
  Term tensor;
  uint32_t count, fuel;
  Term found[CONTENT_RANK];
  bool failed;
  Array(ValueId) seen; /* carried values, each of which is gone through once */
} Strides;

enum { MOST_VALUES = 2000 };

static void note(Strides *s, Term factor) {
  if (factor == s->m->tt->one || factor == s->m->tt->zero) return; /* i*0 varies nothing */
  for (uint32_t i = 0; i < s->count; i++)
    if (s->found[i] == factor) return;
  if (s->count == CONTENT_RANK - 1) {
    s->failed = true;
    return;
  }
  s->found[s->count++] = factor;
}

/* The value, of arguments and constants alone; 0: of others too. */
static Term constant(Strides *s, ValueId value, uint32_t depth) {
  const Program *p = s->m->program;
  TermTable *tt = s->m->tt;
  const Value *v = program_get_value(p, value);
  const Op *op = v->op ? program_get_op(p, v->op) : NULL;
  if (!op) {
    const Op *parent = program_get_op(p, program_get_region(p, program_get_block(p, v->block)->region)->parent);
    Term t = parent->code == OP_TT_FUNC ? s->m->values[value] : 0;
    return t && term_sort(tt, t) == SORT_INT ? t : 0;
  }
  if (!depth) return 0;
  Term a = 0, b = 0;
  if (op->code == OP_ARITH_CONSTANT) {
    int64_t number; /* of a body that is not executed yet, too */
    return program_op_literal(p, op, &number) ? term_int(tt, number) : 0;
  }
  if (op->code == OP_ARITH_EXTSI) return constant(s, op->operands[0], depth - 1);
  if (op->code == OP_ARITH_MULI || op->code == OP_ARITH_ADDI || op->code == OP_ARITH_SUBI) {
    a = constant(s, op->operands[0], depth - 1);
    b = a ? constant(s, op->operands[1], depth - 1) : 0;
    if (!b) return 0;
    return op->code == OP_ARITH_MULI   ? term_mul(tt, a, b)
           : op->code == OP_ARITH_ADDI ? term_add(tt, a, b)
                                       : term_sub(tt, a, b);
  }
  return 0;
}

static Term constant_of(Strides *s, ValueId value) { return constant(s, value, 16); }

static void collect(Strides *s, ValueId value, Term factor);

static const Op *last_of(const Program *p, RegionId region) {
  const Block *body = program_get_block(p, program_get_region(p, region)->blocks.data[0]);
  return program_get_op(p, body->ops.data[body->ops.count - 1]);
}

/* What is handed from the condition of a scf.while to its body, as the condition has it. */
static ValueId before_condition(const Program *p, ValueId value) {
  const Value *v = program_get_value(p, value);
  if (v->op) return value;
  RegionId region = program_get_block(p, v->block)->region;
  const Op *loop = program_get_op(p, program_get_region(p, region)->parent);
  if (loop->code != OP_SCF_WHILE || region == loop->regions[0]) return value;
  return last_of(p, loop->regions[0])->operands[1 + v->index];
}

/* A value that begins with one and goes on with another one, once in each iteration. */
static void collect_steps(Strides *s, ValueId value, ValueId begin, ValueId next, Term factor) {
  const Program *p = s->m->program;
  TermTable *tt = s->m->tt;
  for (uint32_t i = 0; i < s->seen.count; i++)
    if (s->seen.data[i] == value) return;
  array_push(s->m->arena, &s->seen, value);
  collect(s, begin, factor);
  const Value *v = program_get_value(p, next);
  const Op *op = v->op ? program_get_op(p, v->op) : NULL;
  bool moves =
      op && (op->code == OP_ARITH_ADDI || op->code == OP_TT_ADDPTR) && before_condition(p, op->operands[0]) == value;
  Term by = moves ? constant_of(s, op->operands[1]) : 0;
  if (by)
    note(s, term_mul(tt, factor, by));
  else
    collect(s, next, factor);
}

/* What a loop moves on by `step` at a time, or does otherwise. */
static void collect_carried(Strides *s, ValueId value, const Op *loop, uint32_t index, Term factor) {
  const Program *p = s->m->program;
  if (!index) {
    Term step = constant_of(s, loop->operands[2]);
    note(s, step ? term_mul(s->m->tt, factor, step) : factor);
    collect(s, loop->operands[0], factor);
    return;
  }
  collect_steps(s, value, loop->operands[2 + index], last_of(p, loop->regions[0])->operands[index - 1], factor);
}

/* The same of a scf.while, whose condition has the values first. */
static void collect_in_while(Strides *s, ValueId value, const Op *loop, Term factor) {
  const Program *p = s->m->program;
  ValueId before = before_condition(p, value);
  uint32_t index = program_get_value(p, value)->index;
  if (before != value)
    collect(s, before, factor);
  else
    collect_steps(s, value, loop->operands[index], last_of(p, loop->regions[1])->operands[index], factor);
}

static void collect(Strides *s, ValueId value, Term factor) {
  const Program *p = s->m->program;
  TermTable *tt = s->m->tt;
  if (!s->fuel || s->failed) {
    s->failed = true;
    return;
  }
  s->fuel--;
  const Value *v = program_get_value(p, value);
  const Op *op = v->op ? program_get_op(p, v->op) : NULL;
  if (!op) {
    const Op *parent = program_get_op(p, program_get_region(p, program_get_block(p, v->block)->region)->parent);
    if (parent->code == OP_SCF_FOR)
      collect_carried(s, value, parent, v->index, factor);
    else if (parent->code == OP_SCF_WHILE)
      collect_in_while(s, value, parent, factor);
    else if (parent->code != OP_TT_FUNC)
      note(s, factor);
    return;
  }
  if (constant_of(s, value)) return;
  if (op->code == OP_TT_ADDPTR || op->code == OP_ARITH_ADDI || op->code == OP_ARITH_SUBI) {
    collect(s, op->operands[0], factor);
    collect(s, op->operands[1], factor);
    return;
  }
  if (op->code == OP_ARITH_EXTSI || op->code == OP_ARITH_INDEX_CAST) {
    collect(s, op->operands[0], factor);
    return;
  }
  if (op->code == OP_ARITH_MULI) {
    for (int i = 0; i < 2; i++) {
      Term by = constant_of(s, op->operands[i]);
      if (!by) continue;
      collect(s, op->operands[1 - i], term_mul(tt, factor, by));
      return;
    }
  } else if (op->code == OP_ARITH_SELECT && !(constant_of(s, op->operands[1]) && constant_of(s, op->operands[2]))) {
    collect(s, op->operands[1], factor); /* an index of Python, which may count from the end */
    collect(s, op->operands[2], factor);
    return;
  } else if (op->code == OP_SCF_FOR) {
    /* behind the loop */
    collect_carried(
        s, program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0])->first_arg + 1 + v->index, op,
        v->index + 1, factor);
    return;
  }
  if (op->code == OP_SCF_WHILE)
    collect(s, last_of(p, op->regions[0])->operands[1 + v->index], factor);
  else
    note(s, factor);
}

static void collect_accesses(Strides *s) {
  const Program *p = s->m->program;
  for (OpId id = s->m->effects->extent.first_op; id < s->m->effects->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    ValueId root = op->code == OP_TT_LOAD || op->code == OP_TT_STORE ? contents_root(p, op->operands[0]) : 0;
    Term base = root ? s->m->values[root] : 0;
    bool is_it = base && term_kind(s->m->tt, base) == TERM_PTR && term_arg(s->m->tt, base, 0) == s->tensor;
    if (is_it) collect(s, op->operands[0], s->m->tt->one);
  }
}

/* The longer before the shorter; false: one does not divide the other. */
static bool sort(TermTable *tt, Strides *s) {
  for (uint32_t i = 0; i < s->count; i++)
    for (uint32_t k = i + 1; k < s->count; k++) {
      bool longer = quotient(tt, s->found[i], s->found[k]) != 0;
      if (!longer && !quotient(tt, s->found[k], s->found[i])) return false;
      Term swap = s->found[i];
      if (!longer) s->found[i] = s->found[k], s->found[k] = swap;
    }
  return true;
}

void contents_find_strides(Machine *m, Content *c) {
  TermTable *tt = m->tt;
  Strides s = {.m = m, .tensor = c->tensor, .fuel = MOST_VALUES};
  c->rank = 1, c->stride[0] = tt->one;
  if (!m->program->is_host || m->effects->options.flat_contents) return;
  collect_accesses(&s);
  if (s.failed || !sort(tt, &s)) return;
  for (uint32_t i = 0; i < s.count; i++) c->stride[i] = s.found[i];
  c->stride[s.count] = tt->one;
  c->rank = s.count + 1;
  if (s.count) {
    TensorAxes axes = {.tensor = c->tensor, .rank = c->rank};
    memcpy(axes.stride, c->stride, sizeof axes.stride);
    array_push(m->arena, &m->effects->axes, axes);
  }
  for (uint32_t i = 1; i < c->rank; i++) c->extent[i] = quotient(tt, c->stride[i - 1], c->stride[i]);
}

/* ---- indices ---- */

/* The summand of the most factors, by which a polynomial is divided: n of n + 1, where i*n + i + j = i*(n + 1) + j. */
static Term leading_part(TermTable *tt, Term by) {
  Term lead = by;
  uint32_t most = 0;
  for (uint32_t i = 1; term_kind(tt, by) == TERM_ADD && i < term_count(tt, by); i += 2) {
    Term part = term_arg(tt, by, i + 1);
    uint32_t factors = term_kind(tt, part) == TERM_MUL ? term_count(tt, part) : 1;
    if (factors > most) most = factors, lead = term_scale(tt, term_rat(tt, term_arg(tt, by, i)), part);
  }
  return lead;
}

/* t = q*by + what is left in t */
static Term take_multiples(TermTable *tt, Term *t, Term by) {
  Term all = *t, q = tt->zero, lead = leading_part(tt, by);
  bool several = term_kind(tt, all) == TERM_ADD;
  for (uint32_t i = 0, n = several ? term_count(tt, all) : 1; i < n; i += several && i ? 2 : 1) {
    Term part = several ? term_arg(tt, all, i) : all;
    if (several && i) part = term_scale(tt, term_rat(tt, part), term_arg(tt, all, i + 1));
    Term e = part == tt->zero ? 0 : quotient(tt, part, lead), product = tt->one;
    if (!e && term_is_rat(tt, by)) { /* 37*t = t*36 + t */
      Rational c = term_is_rat(tt, part) ? term_rat(tt, part) : term_coefficient(tt, part, &product);
      if (c.den == 1) e = term_scale(tt, (Rational){c.num / term_rat(tt, by).num, 1}, product);
    }
    if (!e) continue;
    q = term_add(tt, q, e);
    *t = term_sub(tt, *t, term_mul(tt, e, by));
  }
  return q;
}

static bool is_within(TermTable *tt, Term index, Term extent) {
  return term_prove_le(tt, tt->zero, index) && term_prove_lt(tt, index, extent);
}

/* Where it is a number too many or too few of rows, the row before it has these. */
static bool carry(TermTable *tt, Term *row, Term *index, Term extent) {
  static const int64_t by[] = {0, 1, -1, 2, -2};
  for (uint32_t i = 0; i < sizeof by / sizeof *by; i++) {
    Term moved = term_sub(tt, *index, term_scale(tt, rational_int(by[i]), extent));
    if (!is_within(tt, moved, extent)) continue;
    *index = moved;
    *row = term_add(tt, *row, term_int(tt, by[i]));
    return true;
  }
  return false;
}

/* The condition on sizes under which the index is within its axis; 0: there is none, or it never holds. */
static Term within_by_sizes(Machine *m, Term index, Term extent) {
  TermTable *tt = m->tt;
  TermList symbols = {0};
  if (!term_prove_le(tt, tt->zero, index) || term_is_rat(tt, extent)) return 0;
  Term most = execute_greatest(m, term_add(tt, index, tt->one));
  Term condition = most ? term_le(tt, most, extent) : tt->false_;
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE) return 0;
  bool is_plain = !(term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF));
  return is_plain && condition != tt->false_ && condition != tt->true_ ? condition : 0;
}

void contents_split(TermTable *tt, Term offset, uint32_t rank, const Term *stride, Term *index) {
  for (uint32_t k = 0; k + 1 < rank; k++) index[k] = take_multiples(tt, &offset, stride[k]);
  index[rank - 1] = offset;
}

/* The mask, and where it says that an integer which is not below 0, or not above it, is not 0, that it is 1 away. */
static void push_mask(TermTable *tt, Term mask) {
  term_push_fact(tt, mask);
  for (uint32_t i = 0, n = term_conjunct_count(tt, mask); i < n; i++) {
    Term c = term_conjunct(tt, mask, i), equation = term_kind(tt, c) == TERM_NOT ? term_arg(tt, c, 0) : 0;
    bool is_one = equation && term_kind(tt, equation) == TERM_EQ && term_count(tt, equation) == 1;
    if (!is_one || term_sort(tt, term_arg(tt, equation, 0)) != SORT_INT) continue;
    Term e = term_arg(tt, equation, 0);
    if (term_prove_le(tt, tt->zero, e)) term_push_fact(tt, term_le(tt, tt->one, e));
    if (term_prove_le(tt, e, tt->zero)) term_push_fact(tt, term_le(tt, e, tt->minus_one));
  }
}

bool contents_indices(Machine *m, const Content *c, const Access *a, Term index[CONTENT_RANK]) {
  TermTable *tt = m->tt;
  contents_split(tt, a->offset, c->rank, c->stride, index);
  if (c->rank == 1) return true;
  /* the access is done in an iteration that is, and where what it relies on holds */
  uint32_t facts = tt->facts.count, ended = execute_end_counters(m);
  push_mask(tt, a->mask);
  for (uint32_t i = 0; i < m->effects->required.count; i++) {
    const RequiredNeed *need = &m->effects->required.data[i]; /* before it in the same block: else it is not done */
    if (program_get_op(m->program, need->op)->block == program_get_op(m->program, a->op)->block)
      term_push_fact(tt, need->condition);
  }
  bool good = true;
  Term by_sizes[CONTENT_RANK] = {0}; /* as rows are taken not to overlap */
  for (uint32_t k = c->rank; k-- > 1 && good;)
    good = carry(tt, &index[k - 1], &index[k], c->extent[k]) ||
           (by_sizes[k] = within_by_sizes(m, index[k], c->extent[k])) != 0;
  term_pop_facts(tt, facts);
  for (uint32_t k = 1; k < c->rank && good; k++)
    if (by_sizes[k])
      execute_assume(m->effects, by_sizes[k], "no two elements of what is written share an address", ASSUME_DISJOINT);
  execute_open_counters(m, ended);
  return good;
}
