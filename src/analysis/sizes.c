/* Sizes: which integer arguments are at least 1 without being asked (semantics, section 2).
 *
 * An argument is a size when it bounds an index (`index < n`), ends or steps a loop that goes along an axis, divides an
 * index or a count, or is counted in blocks. An index is arithmetic over lanes, program ids and loop counters, or what
 * memory holds where an address is made of it. Other data makes no size, nor does a difference of lanes, which may be
 * negative (`row - col < window`). Nor does a comparison with a constant (`if flag > 0`), nor being one term of a bound
 * (`col < row + diagonal`), unless the index less the other term is used too (`col < a + b` and `col - a`): flags,
 * offsets and diagonals stay free.
 *
 * Only what bounds an index over a whole axis counts. `col < position + 1` bounds one up to a position; of several
 * bounds of one index (`col < n and col < limit`, min(n, limit)) only that is a size by which rows are apart; a loop
 * that begins at another argument ends at a limit; and a divisor counts where its quotient is a place, not a value. */
#include <string.h>

#include "analysis/analysis.h"

enum { WALK_DEPTH = 200 };

/* What a value is made of. */
enum { FROM_INDEX = 1, FROM_DATA = 2, FROM_DIFFERENCE = 4, FROM_QUOTIENT = 8 };

typedef struct Sizes {
  const Analysis *ex;
  const Program *p;
  bool *is_size;
  uint8_t *seen, *origin; /* by value */
  bool *addresses;        /* what an address is made of */
  bool *shifts;           /* what is taken from an index to make another */
  bool *along;            /* what an address is computed from, and no mask */
  bool *walks;            /* by argument of a loop: the loop goes along an axis */
  bool *places;           /* what an address, a mask, a branch or a loop's range is computed from */
  bool *spacings;         /* what an index is multiplied by */
  bool *is_shared;        /* by comparison: another one, of the same index, is to hold too */
  bool has_new_mark;      /* one was found in this round */
  bool spacings_alone;    /* of which the extent is to be told: other arguments are limits */
} Sizes;

/* The terminator of a region of one block. */
static const Op *last_of(const Program *p, RegionId region) {
  const Block *b = program_get_block(p, program_get_region(p, region)->blocks.data[0]);
  return program_get_op(p, b->ops.data[b->ops.count - 1]);
}

/* The operation whose region holds a block. */
static const Op *parent_of(const Program *p, BlockId block) {
  return program_get_op(p, program_get_region(p, program_get_block(p, block)->region)->parent);
}

/* What a scf.while carries is an index where memory has no part in it. */
static uint8_t origin_in_while(const Sizes *s, const Op *loop, const Value *v) {
  const Block *block = program_get_block(s->p, v->block);
  const Type *type = program_get_type(s->p, v->type);
  if (block->region != loop->regions[0]) return s->origin[last_of(s->p, loop->regions[0])->operands[1 + v->index]];
  uint8_t all = s->origin[loop->operands[v->index]] | s->origin[last_of(s->p, loop->regions[1])->operands[v->index]];
  return type->kind == TYPE_INT && type->width > 1 ? all | FROM_INDEX : FROM_DATA;
}

/* A loop's counter is an index; what a loop carries is what goes in and what comes round. */
static uint8_t origin_of_argument(const Sizes *s, const Value *v) {
  const Block *block = program_get_block(s->p, v->block);
  const Op *parent = parent_of(s->p, v->block);
  BlockId entry = program_get_region(s->p, block->region)->blocks.data[0];
  if (parent->code == OP_TT_FUNC) return v->block == entry ? 0 : FROM_DATA;
  if (parent->code == OP_SCF_WHILE) return origin_in_while(s, parent, v);
  if (parent->code != OP_SCF_FOR) return FROM_DATA;
  if (v->index == 0) return FROM_INDEX;
  const Op *last = program_get_op(s->p, block->ops.data[block->ops.count - 1]);
  return s->origin[parent->operands[v->index + 2]] | s->origin[last->operands[v->index - 1]];
}

static uint8_t origin_of_op(const Sizes *s, const Op *op) {
  uint8_t all = 0;
  if (op->code == OP_ARITH_CONSTANT || op->code == OP_TT_GET_NUM_PROGRAMS) return 0;
  if (op->code == OP_TT_MAKE_RANGE || op->code == OP_TT_GET_PROGRAM_ID) return FROM_INDEX;
  if (op->code == OP_ARITH_SUBI) {
    uint8_t left = s->origin[op->operands[0]], right = s->origin[op->operands[1]];
    bool remainder = (left & FROM_INDEX) && (right & FROM_QUOTIENT); /* i - i / n * n */
    return left | (right & FROM_INDEX && !remainder ? right | FROM_DIFFERENCE : right);
  }
  if (op->code == OP_ARITH_DIVSI || op->code == OP_ARITH_DIVUI || op->code == OP_ARITH_CEILDIVSI ||
      op->code == OP_ARITH_REMSI || op->code == OP_ARITH_REMUI) {
    all = s->origin[op->operands[0]] | (s->origin[op->operands[1]] & (FROM_INDEX | FROM_DATA));
    return op->code == OP_ARITH_REMSI || op->code == OP_ARITH_REMUI ? all : all | FROM_QUOTIENT;
  }
  OpFamily family = program_op_family(op->code);
  if (family == OP_FAMILY_SPREAD || family == OP_FAMILY_PERMUTE || family == OP_FAMILY_WIDTH ||
      family == OP_FAMILY_INT || family == OP_FAMILY_SHIFT || family == OP_FAMILY_SELECT) {
    for (uint32_t i = op->code == OP_ARITH_SELECT; i < op->operand_count; i++) all |= s->origin[op->operands[i]];
    return op->code == OP_ARITH_SHRSI || op->code == OP_ARITH_SHRUI ? all | FROM_QUOTIENT : all;
  }
  return FROM_DATA;
}

/* A result of a branch is what one of its sides yields. */
static uint8_t origin_of_value(const Sizes *s, const Value *v, ValueId value) {
  const Op *op = program_get_op(s->p, v->op);
  if (op->code != OP_SCF_IF || op->region_count < 2) return origin_of_op(s, op);
  uint8_t all = 0;
  for (uint32_t i = 0; i < 2; i++) {
    if (program_get_region(s->p, op->regions[i])->blocks.count != 1) return FROM_DATA;
    all |= s->origin[last_of(s->p, op->regions[i])->operands[value - op->first_result]];
  }
  return all;
}

/* The least solution: what a value is made of only grows, around loops too. */
static void find_origins(const Sizes *s) {
  for (bool changed = true; changed;) {
    changed = false;
    guard_tick(s->ex->arena->guard);
    for (ValueId value = s->ex->extent.first_value; value < s->ex->extent.end_value; value++) {
      const Value *v = program_get_value(s->p, value);
      uint8_t origin = s->origin[value] | (v->op ? origin_of_value(s, v, value) : origin_of_argument(s, v));
      changed |= origin != s->origin[value];
      s->origin[value] = origin;
    }
  }
}

ValueId analysis_root(const Program *p, ValueId value) {
  for (;;) {
    OpId id = program_get_value(p, value)->op;
    const Op *op = id ? program_get_op(p, id) : NULL;
    if (!op) return value;
    OpFamily family = program_op_family(op->code);
    if (family != OP_FAMILY_SPREAD && family != OP_FAMILY_WIDTH) return value;
    value = op->operands[0];
  }
}

static bool is_index(const Sizes *s, ValueId value) {
  uint8_t origin = s->origin[value];
  if (origin & FROM_DATA) return s->addresses[analysis_root(s->p, value)];
  return (origin & (FROM_INDEX | FROM_DIFFERENCE)) == FROM_INDEX;
}

static void mark_addresses(Sizes *s, ValueId value, uint32_t depth) {
  value = analysis_root(s->p, value);
  if (s->addresses[value] || depth > WALK_DEPTH) return;
  s->addresses[value] = true;
  OpId id = program_get_value(s->p, value)->op;
  const Op *op = id ? program_get_op(s->p, id) : NULL;
  if (!op) return;
  bool divides = op->code == OP_ARITH_DIVSI || op->code == OP_ARITH_DIVUI || op->code == OP_ARITH_REMSI ||
                 op->code == OP_ARITH_REMUI;
  if (!divides && op->code != OP_ARITH_ADDI && op->code != OP_ARITH_MULI) return;
  for (uint32_t i = 0; i < (divides ? 1 : 2); i++) mark_addresses(s, op->operands[i], depth + 1);
}

static bool literal_of(const Program *p, ValueId value, int64_t *out) {
  OpId id = program_get_value(p, value)->op;
  const Op *op = id ? program_get_op(p, id) : NULL;
  return op && op->code == OP_TT_SPLAT ? literal_of(p, op->operands[0], out) : program_op_literal(p, op, out);
}

/* x of (x + d - 1) / d for a d that is no literal, the number of steps; 0: the op is no such count. */
static ValueId counted_in_steps(const Program *p, const Op *op) {
  int64_t one;
  OpId id = program_get_value(p, op->operands[0])->op;
  const Op *less = id ? program_get_op(p, id) : NULL;
  if (!less || !((less->code == OP_ARITH_SUBI && literal_of(p, less->operands[1], &one) && one == 1) ||
                 (less->code == OP_ARITH_ADDI && literal_of(p, less->operands[1], &one) && one == -1)))
    return 0;
  id = program_get_value(p, less->operands[0])->op;
  const Op *sum = id ? program_get_op(p, id) : NULL;
  for (uint32_t i = 0; sum && sum->code == OP_ARITH_ADDI && i < 2; i++)
    if (sum->operands[i] == op->operands[1]) return sum->operands[1 - i];
  return 0;
}

/* The literal that is added to something; 0: none is. */
static int64_t added_literal(const Program *p, ValueId value) {
  OpId id = program_get_value(p, analysis_root(p, value))->op;
  const Op *op = id ? program_get_op(p, id) : NULL;
  int64_t literal;
  for (uint32_t i = 0; op && op->code == OP_ARITH_ADDI && i < 2; i++)
    if (literal_of(p, op->operands[i], &literal)) return literal;
  return 0;
}

/* (position + 1 + d - 1) / d: the blocks up to a position, and not of an axis. */
static bool counts_beyond(const Program *p, const Op *op) {
  int64_t divisor;
  return literal_of(p, op->operands[1], &divisor) && added_literal(p, op->operands[0]) >= divisor;
}

/* x * k, which is (x + 1) * k with one more k. */
static bool is_multiple(const Program *p, ValueId value, ValueId k) {
  OpId id = program_get_value(p, analysis_root(p, value))->op;
  const Op *op = id ? program_get_op(p, id) : NULL;
  for (uint32_t i = 0; op && op->code == OP_ARITH_MULI && i < 2; i++)
    if (analysis_root(p, op->operands[i]) == analysis_root(p, k)) return true;
  return false;
}

static void mark(Sizes *s, ValueId value, uint32_t depth);

/* The lesser of two that are made of arguments alone: either may be a limit of the other. */
static void mark_least(Sizes *s, const Op *op, uint32_t depth) {
  int64_t literal;
  bool of_arguments = true, before = s->spacings_alone;
  for (uint32_t i = 0; i < 2; i++)
    of_arguments &= !s->origin[op->operands[i]] && !literal_of(s->p, op->operands[i], &literal);
  s->spacings_alone |= of_arguments;
  for (uint32_t i = 0; i < 2; i++) mark(s, op->operands[i], depth + 1);
  s->spacings_alone = before;
}

/* Marks the arguments that are the extent `value`, or of which it is a product, a quotient or the least. */
static void mark(Sizes *s, ValueId value, uint32_t depth) {
  if ((s->seen[value] && !s->spacings_alone) || depth > WALK_DEPTH) return;
  s->seen[value] |= !s->spacings_alone;
  const Value *v = program_get_value(s->p, value);
  if (!v->op) {
    const Op *loop = parent_of(s->p, v->block);
    bool is_pointer = program_get_type(s->p, v->type)->kind == TYPE_POINTER;
    if (!is_pointer && (!s->spacings_alone || s->spacings[value] || s->shifts[value])) s->is_size[value] = true;
    if (loop->code == OP_SCF_WHILE && program_get_block(s->p, v->block)->region == loop->regions[0])
      mark(s, loop->operands[v->index], depth + 1); /* an end that moves */
    return;
  }
  const Op *op = program_get_op(s->p, v->op);
  int64_t literal;
  OpFamily family = program_op_family(op->code);
  if (family == OP_FAMILY_SPREAD || family == OP_FAMILY_WIDTH || op->code == OP_ARITH_SUBI)
    mark(s, op->operands[0], depth + 1);
  else if (op->code == OP_ARITH_ADDI) {
    for (uint32_t i = 0; i < 2; i++)
      if (literal_of(s->p, op->operands[1 - i], &literal) || s->shifts[analysis_root(s->p, op->operands[1 - i])] ||
          is_multiple(s->p, op->operands[1 - i], op->operands[i]))
        mark(s, op->operands[i], depth + 1);
  } else if (op->code == OP_ARITH_MINSI)
    mark_least(s, op, depth);
  else if (op->code == OP_ARITH_SHRSI || op->code == OP_ARITH_SHRUI || op->code == OP_TT_PTR_TO_INT)
    mark(s, op->operands[0], depth + 1);
  else if (op->code == OP_TT_ADDPTR) /* a pointer behind the last element, as the end of those that go up to it */
    for (uint32_t i = 0; i < 2; i++) mark(s, op->operands[i], depth + 1);
  else if (op->code == OP_ARITH_DIVSI || op->code == OP_ARITH_DIVUI || op->code == OP_ARITH_FLOORDIVSI ||
           op->code == OP_ARITH_MULI || op->code == OP_ARITH_CEILDIVSI) {
    for (uint32_t i = op->code == OP_ARITH_DIVSI && counts_beyond(s->p, op); i < 2; i++)
      mark(s, op->operands[i], depth + 1);
    ValueId counted = op->code == OP_ARITH_DIVSI ? counted_in_steps(s->p, op) : 0;
    if (counted) mark(s, counted, depth + 1);
  }
}

static bool is_access(Opcode code) {
  OpFamily family = program_op_family(code);
  return (family == OP_FAMILY_MEMORY && code != OP_TT_ADDPTR) ||
         (family == OP_FAMILY_BLOCK && code != OP_TT_MAKE_TENSOR_PTR && code != OP_TT_ADVANCE &&
          code != OP_TT_MAKE_TENSOR_DESCRIPTOR);
}

static bool has_access(const Program *p, RegionId region) {
  const Region *r = program_get_region(p, region);
  for (uint32_t b = 0; b < r->blocks.count; b++) {
    const Block *block = program_get_block(p, r->blocks.data[b]);
    for (uint32_t i = 0; i < block->ops.count; i++) {
      const Op *op = program_get_op(p, block->ops.data[i]);
      if (is_access(op->code)) return true;
      for (uint32_t k = 0; k < op->region_count; k++)
        if (has_access(p, op->regions[k])) return true;
    }
  }
  return false;
}

/* True if the flag is that of some argument of a loop. */
static bool has_argument(const Sizes *s, const Op *loop, const bool *flags) {
  for (uint32_t i = 0; i < loop->region_count; i++) {
    const Block *body = program_get_block(s->p, program_get_region(s->p, loop->regions[i])->blocks.data[0]);
    for (uint32_t k = 0; k < body->arg_count; k++)
      if (flags[body->first_arg + k]) return true;
  }
  return false;
}

/* A loop that only repeats what it does, at the same places, is no walk along an axis; nor is one that looks for a
 * place and accesses nothing. */
static void find_walk(Sizes *s, const Op *loop) {
  bool accesses = false;
  for (uint32_t i = 0; i < loop->region_count; i++) accesses |= has_access(s->p, loop->regions[i]);
  if (!accesses || !has_argument(s, loop, s->along)) return;
  for (uint32_t i = 0; i < loop->region_count; i++) {
    const Block *body = program_get_block(s->p, program_get_region(s->p, loop->regions[i])->blocks.data[0]);
    for (uint32_t k = 0; k < body->arg_count; k++) s->walks[body->first_arg + k] = true;
  }
}

static bool goes_along(const Sizes *s, const Op *loop) { return has_argument(s, loop, s->walks); }

/* True if an address goes by some part of an index. */
static bool is_along(const Sizes *s, ValueId index, uint32_t depth) {
  const Value *v = program_get_value(s->p, index);
  const Op *parent = v->op ? NULL : parent_of(s->p, v->block), *op = v->op ? program_get_op(s->p, v->op) : NULL;
  if (parent && (parent->code == OP_SCF_FOR || parent->code == OP_SCF_WHILE)) return s->walks[index];
  if (!op || !depth || !op->operand_count || op->region_count || op->code == OP_TT_LOAD) return s->along[index];
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (s->origin[op->operands[i]] && is_along(s, op->operands[i], depth - 1)) return true;
  return false;
}

static bool bounds_axis(const Sizes *s, ValueId index) { return is_index(s, index) && is_along(s, index, 8); }

/* n - 1, which an index may reach. */
static bool is_last(const Program *p, ValueId value) {
  OpId id = program_get_value(p, analysis_root(p, value))->op;
  const Op *op = id ? program_get_op(p, id) : NULL;
  int64_t literal;
  if (!op) return false;
  if (op->code == OP_ARITH_SUBI) return literal_of(p, op->operands[1], &literal) && literal > 0;
  return op->code == OP_ARITH_ADDI && literal_of(p, op->operands[1], &literal) && literal < 0;
}

static void mark_bound_of(Sizes *s, const Op *comparison, ValueId bound) {
  s->spacings_alone = s->is_shared[comparison->first_result] || added_literal(s->p, bound) > 0; /* up to a position */
  mark(s, bound, 0);
  s->spacings_alone = false;
}

/* index - bound < 0, or <= -1; bound - index > 0, or >= 1; either way round */
static void mark_bound_of_difference(Sizes *s, const Op *op, const char *predicate) {
  for (uint32_t side = 0; side < 2 && predicate[0] == 's'; side++) {
    int64_t literal;
    OpId id = program_get_value(s->p, analysis_root(s->p, op->operands[side]))->op;
    const Op *difference = id ? program_get_op(s->p, id) : NULL;
    if (!difference || difference->code != OP_ARITH_SUBI || !literal_of(s->p, op->operands[1 - side], &literal))
      continue;
    bool below = (predicate[1] == 'l') == (side == 0);
    if (literal != (predicate[2] == 't' ? 0 : below ? -1 : 1)) continue;
    if (bounds_axis(s, difference->operands[!below])) mark_bound_of(s, op, difference->operands[below]);
  }
}

/* index < bound, or index <= bound - 1, either way round */
static void mark_bound(Sizes *s, const Op *op) {
  const char *predicate = program_op_text(s->p, op, "predicate");
  if (!predicate || !strcmp(predicate, "eq") || !strcmp(predicate, "ne")) return;
  mark_bound_of_difference(s, op, predicate);
  uint32_t side = predicate[1] == 'l' ? 1 : 0;
  bool strict = predicate[2] == 't';
  if (bounds_axis(s, op->operands[1 - side]) && (strict || is_last(s->p, op->operands[side])))
    mark_bound_of(s, op, op->operands[side]);
}

enum { MOST_PARTS = 16 };

/* The comparisons that are to hold together. */
static void collect_parts(const Sizes *s, ValueId value, ValueId *parts, uint32_t *count) {
  OpId id = program_get_value(s->p, value)->op;
  const Op *op = id ? program_get_op(s->p, id) : NULL;
  if (!op || *count == MOST_PARTS) return;
  if (op->code == OP_ARITH_CMPI)
    parts[(*count)++] = value;
  else if (op->code == OP_ARITH_ANDI)
    for (uint32_t i = 0; i < 2; i++) collect_parts(s, op->operands[i], parts, count);
}

/* The index that a comparison bounds from above, as it stands there, and by what; 0: it does no such thing. */
static ValueId bounded_index(const Sizes *s, ValueId comparison, ValueId *bound) {
  int64_t literal;
  const Op *op = program_get_op(s->p, program_get_value(s->p, comparison)->op);
  const char *predicate = program_op_text(s->p, op, "predicate");
  if (!predicate || !strcmp(predicate, "eq") || !strcmp(predicate, "ne")) return 0;
  uint32_t side = predicate[1] == 'l' ? 1 : 0;
  *bound = analysis_root(s->p, op->operands[side]);
  return is_index(s, op->operands[1 - side]) && !literal_of(s->p, *bound, &literal) ? op->operands[1 - side] : 0;
}

static void note_shared(Sizes *s, const Op *op) {
  ValueId parts[MOST_PARTS], one, other;
  uint32_t count = 0;
  collect_parts(s, op->first_result, parts, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++) {
      ValueId index = bounded_index(s, parts[i], &one);
      if (!index || index != bounded_index(s, parts[k], &other) || one == other) continue;
      s->is_shared[parts[i]] = s->is_shared[parts[k]] = true;
    }
}

static void walk_back(Sizes *s, bool *marks, ValueId value, uint32_t depth);

/* What goes into a loop as its argument `index`, and what comes round as it. */
static void walk_carried(Sizes *s, bool *marks, const Op *loop, uint32_t index, uint32_t depth) {
  if (loop->code == OP_SCF_FOR) {
    walk_back(s, marks, loop->operands[3 + index], depth);
    walk_back(s, marks, last_of(s->p, loop->regions[0])->operands[index], depth);
  } else if (loop->code == OP_SCF_WHILE) {
    walk_back(s, marks, loop->operands[index], depth);
    walk_back(s, marks, last_of(s->p, loop->regions[1])->operands[index], depth);
  }
}

static void walk_argument(Sizes *s, bool *marks, const Value *v, uint32_t depth) {
  const Block *block = program_get_block(s->p, v->block);
  const Op *loop = parent_of(s->p, v->block);
  if (loop->code == OP_SCF_WHILE && block->region == loop->regions[1])
    walk_back(s, marks, last_of(s->p, loop->regions[0])->operands[1 + v->index], depth);
  else if (loop->code != OP_SCF_FOR)
    walk_carried(s, marks, loop, v->index, depth);
  else if (v->index)
    walk_carried(s, marks, loop, v->index - 1, depth);
}

/* Marks what a value is computed from, around loops and out of branches too. */
static void walk_back(Sizes *s, bool *marks, ValueId value, uint32_t depth) {
  if (marks[value] || depth > WALK_DEPTH) return;
  marks[value] = s->has_new_mark = true;
  const Value *v = program_get_value(s->p, value);
  if (!v->op) {
    walk_argument(s, marks, v, depth + 1);
    return;
  }
  const Op *op = program_get_op(s->p, v->op);
  uint32_t result = value - op->first_result;
  if (op->code == OP_SCF_FOR)
    walk_carried(s, marks, op, result, depth + 1);
  else if (op->code == OP_SCF_WHILE)
    walk_back(s, marks, last_of(s->p, op->regions[0])->operands[1 + result], depth + 1);
  else if (op->code == OP_SCF_IF) {
    for (uint32_t i = 0; i < op->region_count; i++)
      if (program_get_region(s->p, op->regions[i])->blocks.count == 1)
        walk_back(s, marks, last_of(s->p, op->regions[i])->operands[result], depth + 1);
  } else {
    uint32_t end = op->code == OP_TT_LOAD && marks == s->along ? 1 : op->operand_count;
    for (uint32_t i = 0; i < end; i++) walk_back(s, marks, op->operands[i], depth + 1);
  }
}

/* True if the value is made of `end` and numbers alone, as n % 4 and n / 2 are of n. */
static bool is_made_of(const Sizes *s, ValueId value, ValueId end, uint32_t depth) {
  int64_t literal;
  value = analysis_root(s->p, value);
  if (value == end || literal_of(s->p, value, &literal)) return true;
  const Value *v = program_get_value(s->p, value);
  const Op *op = v->op ? program_get_op(s->p, v->op) : NULL;
  OpFamily family = op ? program_op_family(op->code) : OP_FAMILY_NONE;
  if (!depth || (family != OP_FAMILY_INT && family != OP_FAMILY_SHIFT && family != OP_FAMILY_DIVISION)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!is_made_of(s, op->operands[i], end, depth - 1)) return false;
  return true;
}

/* A loop that ends at `end` begins at nothing that another argument says. */
static bool begins_anywhere(const Sizes *s, ValueId begin, ValueId end) {
  return s->origin[begin] || is_made_of(s, begin, analysis_root(s->p, end), 8);
}

/* A branch is a mask of the accesses in it, and decides on places that it results in. */
static bool guards_access(const Sizes *s, const Op *branch) {
  for (uint32_t i = 0; i < branch->region_count; i++)
    if (has_access(s->p, branch->regions[i])) return true;
  for (uint32_t i = 0; i < branch->result_count; i++)
    if (s->places[branch->first_result + i]) return true;
  return false;
}

/* What addresses are made of. */
static void find_along(Sizes *s, const Op *op) {
  if (op->code == OP_TT_ADDPTR) walk_back(s, s->along, op->operands[1], 0);
  if (program_op_family(op->code) == OP_FAMILY_MEMORY) walk_back(s, s->along, op->operands[0], 0);
  for (uint32_t i = 0; i < op->operand_count && program_op_family(op->code) == OP_FAMILY_BLOCK; i++)
    walk_back(s, s->along, op->operands[i], 0);
}

/* What an operation makes places of: addresses, masks, ranges of loops along an axis, branches around accesses. */
static void find_places(Sizes *s, const Op *op) {
  uint32_t first = 0, end = op->operand_count;
  if (op->code == OP_TT_ADDPTR)
    first = 1;
  else if (op->code == OP_TT_LOAD)
    end = end < 2 ? end : 2; /* no value in place of what is not loaded */
  else if (op->code == OP_TT_STORE) {
    walk_back(s, s->places, op->operands[0], 0);
    first = 2;
  } else if (op->code == OP_SCF_FOR)
    end = goes_along(s, op) ? 3 : 0;
  else if (op->code == OP_SCF_CONDITION)
    end = goes_along(s, parent_of(s->p, op->block)) ? 1 : 0;
  else if (op->code == OP_SCF_IF)
    end = guards_access(s, op) ? 1 : 0;
  else if (op->code != OP_TT_ATOMIC_RMW && op->code != OP_CF_COND_BR && op->code != OP_TT_MAKE_TENSOR_PTR &&
           op->code != OP_TT_ADVANCE)
    return;
  for (uint32_t i = first; i < end; i++)
    if (program_get_type(s->p, program_element_type(s->p, program_get_value(s->p, op->operands[i])->type))->kind !=
        TYPE_FLOAT)
      walk_back(s, s->places, op->operands[i], 0);
}

/* Of every operation, before sizes are marked. */
static void look_ahead(Sizes *s, const Op *op) {
  if (op->code == OP_ARITH_ANDI) note_shared(s, op);
  for (uint32_t i = 0; i < 2 && op->code == OP_ARITH_MULI; i++)
    if (is_index(s, op->operands[i])) s->spacings[analysis_root(s->p, op->operands[1 - i])] = true;
}

/* n of k += n and k -= n in a scf.while. */
static void mark_steps(Sizes *s, const Op *loop) {
  const Op *condition = last_of(s->p, loop->regions[0]), *yield = last_of(s->p, loop->regions[1]);
  const Block *before = program_get_block(s->p, program_get_region(s->p, loop->regions[0])->blocks.data[0]),
              *body = program_get_block(s->p, program_get_region(s->p, loop->regions[1])->blocks.data[0]);
  if (condition->code != OP_SCF_CONDITION || !goes_along(s, loop)) return;
  for (uint32_t i = 0; i < yield->operand_count; i++) {
    OpId id = program_get_value(s->p, yield->operands[i])->op;
    const Op *op = id ? program_get_op(s->p, id) : NULL;
    for (uint32_t side = 0; op && (op->code == OP_ARITH_ADDI || op->code == OP_ARITH_SUBI) && side < 2; side++) {
      ValueId counter = op->operands[side];
      if ((side && op->code == OP_ARITH_SUBI) || counter < body->first_arg ||
          counter >= body->first_arg + body->arg_count)
        continue;
      if (condition->operands[1 + counter - body->first_arg] == before->first_arg + i)
        mark(s, op->operands[1 - side], 0);
    }
  }
}

/* (x + d - 1) / d for a literal d: the number of blocks of x. */
static bool counts_blocks(const Program *p, const Op *op) {
  int64_t divisor, more;
  if (op->code != OP_ARITH_DIVSI || !literal_of(p, op->operands[1], &divisor)) return false;
  OpId sum = program_get_value(p, op->operands[0])->op;
  if (!sum || program_get_op(p, sum)->code != OP_ARITH_ADDI ||
      !literal_of(p, program_get_op(p, sum)->operands[1], &more))
    return false;
  return divisor > 1 && more == divisor - 1;
}

static void mark_length(const Sizes *s, const Block *entry, const Attr *length) {
  for (uint32_t a = 0; length->kind == ATTR_STRING && a < entry->arg_count; a++)
    if (!strcmp(intern_string(s->p->names, length->text), program_arg_name(s->p, entry->first_arg + a)))
      s->is_size[entry->first_arg + a] = true;
}

/* The lengths of arrays are sizes, as they are given. */
static void mark_lengths(const Sizes *s) {
  const Program *p = s->p;
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const Function *f = &p->functions.data[i];
    if (f->op < s->ex->extent.first_op || f->op >= s->ex->extent.end_op) continue;
    const Block *entry =
        program_get_block(p, program_get_region(p, program_get_op(p, f->op)->regions[0])->blocks.data[0]);
    for (uint32_t k = 0, rank; k < entry->arg_count; k++) {
      const AttrId *shape = program_arg_shape(p, f, k, &rank);
      for (uint32_t d = 0; shape && d < rank; d++) mark_length(s, entry, program_get_attr(p, shape[d]));
    }
  }
}

/* The end and the step of a loop. */
static void mark_range(Sizes *s, const Op *loop) {
  s->spacings_alone =
      !begins_anywhere(s, loop->operands[0], loop->operands[1]) || added_literal(s->p, loop->operands[1]) > 0;
  mark(s, loop->operands[1], 0);
  s->spacings_alone = false;
  mark(s, loop->operands[2], 0);
}

/* How often the loops of a function run that go along no axis. */
static void mark_counts(Sizes *s, bool *is_count) {
  bool *is_size = s->is_size;
  memset(s->seen, 0, s->p->values.count * sizeof *s->seen);
  s->is_size = is_count;
  for (OpId id = s->ex->extent.first_op; id < s->ex->extent.end_op; id++) {
    const Op *op = program_get_op(s->p, id);
    if (s->ex->dead[id] || (op->code != OP_SCF_FOR && op->code != OP_SCF_WHILE) || goes_along(s, op)) continue;
    const Op *condition = op->code == OP_SCF_WHILE ? last_of(s->p, op->regions[0]) : NULL;
    OpId compared = condition ? program_get_value(s->p, condition->operands[0])->op : 0;
    if (!condition)
      mark_range(s, op);
    else if (compared && program_get_op(s->p, compared)->code == OP_ARITH_CMPI)
      mark_bound(s, program_get_op(s->p, compared));
  }
  for (ValueId value = s->ex->extent.first_value; value < s->ex->extent.end_value; value++)
    is_count[value] &= !is_size[value];
}

void analysis_find_sizes(const Analysis *ex, bool *is_size, bool *is_count) {
  const Program *p = ex->program;
  Arena *arena = ex->arena;
  Sizes s = {.ex = ex, .p = p, .is_size = is_size};
  s.seen = arena_array(arena, uint8_t, p->values.count);
  s.origin = arena_array(arena, uint8_t, p->values.count);
  s.addresses = arena_array(arena, bool, p->values.count);
  s.shifts = arena_array(arena, bool, p->values.count);
  s.along = arena_array(arena, bool, p->values.count);
  s.walks = arena_array(arena, bool, p->values.count);
  s.places = arena_array(arena, bool, p->values.count);
  s.spacings = arena_array(arena, bool, p->values.count);
  s.is_shared = arena_array(arena, bool, p->values.count);
  mark_lengths(&s);
  find_origins(&s);
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    if (op->code == OP_TT_ADDPTR && !ex->dead[id]) mark_addresses(&s, op->operands[1], 0);
    if (op->code == OP_ARITH_SUBI && !ex->dead[id] && is_index(&s, op->first_result))
      s.shifts[analysis_root(p, op->operands[1])] = true;
  }
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++)
    if (!ex->dead[id]) find_along(&s, program_get_op(p, id));
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    if (!ex->dead[id] && (op->code == OP_SCF_FOR || op->code == OP_SCF_WHILE)) find_walk(&s, op);
  }
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++)
    if (!ex->dead[id]) look_ahead(&s, program_get_op(p, id));
  do { /* ranges of loops are places by those of their bodies */
    s.has_new_mark = false;
    for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++)
      if (!ex->dead[id]) find_places(&s, program_get_op(p, id));
  } while (s.has_new_mark);
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    if (ex->dead[id]) continue;
    if (op->code == OP_ARITH_CMPI) {
      if (s.places[op->first_result]) mark_bound(&s, op);
    } else if (op->code == OP_ARITH_DIVSI || op->code == OP_ARITH_REMSI || op->code == OP_ARITH_DIVUI ||
               op->code == OP_ARITH_REMUI) {
      if (s.places[op->first_result] &&
          (!(s.origin[op->operands[0]] & FROM_DATA) || s.addresses[analysis_root(p, op->first_result)]))
        mark(&s, op->operands[1], 0);
      if (s.places[op->first_result] && counts_blocks(p, op)) mark(&s, op->operands[0], 0);
    } else if (op->code == OP_ARITH_MINSI) {
      for (uint32_t i = 0; i < 2 && s.places[op->first_result]; i++)
        if (bounds_axis(&s, op->operands[1 - i])) mark(&s, op->operands[i], 0);
    } else if (op->code == OP_SCF_WHILE)
      mark_steps(&s, op);
    else if (op->code == OP_SCF_FOR && goes_along(&s, op))
      mark_range(&s, op);
  }
  if (p->is_host) mark_counts(&s, is_count);
}
