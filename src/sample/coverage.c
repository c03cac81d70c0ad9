/* See coverage.h. */
#include "sample/coverage.h"

enum { WANTED = 3, MOST_SAID = 3 };

Coverage coverage_new(Arena *arena, const Effects *ex) {
  return (Coverage){.ex = ex, .ops = arena_array(arena, uint32_t, ex->extent.end_op - ex->extent.first_op + 1)};
}

void coverage_add(Coverage *c, const int32_t grid[3], const InterpretResult *run) {
  for (OpId id = c->ex->extent.first_op; id < c->ex->extent.end_op && run->coverage; id++) {
    uint32_t *all = &c->ops[id - c->ex->extent.first_op], own = run->coverage[id - c->ex->extent.first_op];
    if (program_get_op(c->ex->program, id)->code == OP_SCF_IF)
      *all |= own;
    else if (own > *all)
      *all = own;
  }
  for (int d = 0; d < 3; d++)
    if (grid[d] > c->programs[d]) c->programs[d] = grid[d];
}

static bool is_number(const Program *p, ValueId value) {
  int64_t number;
  OpId op = program_get_value(p, value)->op;
  return op && program_op_literal(p, program_get_op(p, op), &number);
}

/* A loop that runs as often whatever the launch is. */
static bool is_fixed(const Program *p, const Op *loop) {
  return loop->code == OP_SCF_FOR && is_number(p, loop->operands[0]) && is_number(p, loop->operands[1]) &&
         is_number(p, loop->operands[2]);
}

static const char *missing_in_loop(Arena *arena, const Effects *ex, OpId id, uint32_t most) {
  if (most >= WANTED || is_fixed(ex->program, program_get_op(ex->program, id))) return NULL;
  return arena_format(arena, "three iterations of the loop at %s (most: %u)", execute_where(ex, id), most);
}

static const char *missing_in_branch(Arena *arena, const Effects *ex, OpId id, uint32_t taken) {
  const Program *p = ex->program;
  const Op *op = program_get_op(p, id);
  bool has_else = op->region_count > 1 && program_get_region(p, op->regions[1])->blocks.count;
  bool then = taken & INTERPRET_THEN, other = !has_else || taken & INTERPRET_ELSE;
  if ((then && other) || is_number(p, op->operands[0])) return NULL;
  return arena_format(arena, then ? "the other arm of the branch at %s" : "the arm of the branch at %s",
                      execute_where(ex, id));
}

/* Every other op is reached or not with the region that it is in. */
static const char *missing_at(Arena *arena, const Effects *ex, OpId id, uint32_t covered) {
  Opcode code = program_get_op(ex->program, id)->code;
  if (code == OP_SCF_FOR || code == OP_SCF_WHILE) return missing_in_loop(arena, ex, id, covered);
  return code == OP_SCF_IF ? missing_in_branch(arena, ex, id, covered) : NULL;
}

const char *coverage_missing(Arena *arena, const Coverage *c) {
  const Effects *ex = c->ex;
  Text text = text_new(arena);
  uint32_t said = 0, more = 0;
  for (OpId id = ex->extent.first_op; id < ex->extent.end_op; id++) {
    const char *one = missing_at(arena, ex, id, c->ops[id - ex->extent.first_op]);
    if (!one) continue;
    if (said == MOST_SAID)
      more++;
    else
      text_format(&text, "%s%s", said++ ? ", " : "", one);
  }
  for (int d = 0; d < 3; d++)
    if (c->programs[d] < WANTED && !term_is_rat(ex->tt, ex->grid[d]) &&
        program_asks_for_id(ex->program, ex->function, (uint32_t)d))
      text_format(&text, "%sthree programs along %c (most: %d)", said++ ? ", " : "", "xyz"[d], c -> programs[d]);
  if (more) text_format(&text, " and %u places more", more);
  return said ? text_string(&text) : NULL;
}
