/* The concrete interpreter: the launch, control flow, and the services that all ops use (see interpret.h).
 *
 * Programs run one after another, in an order that the caller picks, on one table of values: an op reads the lanes
 * of its operands and makes new lanes for its results in scratch memory. A loop keeps its carried values in two
 * buffers taken before the first round, so that each round's scratch can be dropped. Whatever cannot go on leaves
 * through `interpret_fail`; limits of memory and time go to the guard of the arena, as everywhere. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "program/interpret_state.h"

enum { DEPTH_LIMIT = 256, LANE_LIMIT = 1 << 24, FINDING_LIMIT = 256 };
enum { FIRST_SCRATCH = 1 << 15, LARGEST_SCRATCH = 1 << 21 };

_Noreturn void interpret_fail(Interp *it, InterpretStatus status, const char *format, ...) {
  char message[200];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  it->result->status = status;
  it->result->message = arena_copy(it->kept, message, strlen(message));
  if (it->op) it->result->op = (OpId)(it->op - it->program->ops.data);
  longjmp(it->escape, 1);
}

_Noreturn void interpret_ill_typed(Interp *it) {
  interpret_fail(it, INTERPRET_INVALID, "ill-formed op %s",
                 it->op ? intern_string(it->program->names, it->op->name) : "?");
}

static _Noreturn void fail_unsupported(Interp *it) {
  interpret_fail(it, INTERPRET_UNSUPPORTED, "%s is not executed", intern_string(it->program->names, it->op->name));
}

/* The new finding, for the caller to fill in, or NULL when it is one more of a known kind, op and buffer. */
InterpretFinding *interpret_report(Interp *it, InterpretFindingKind kind, OpId op, int32_t buffer, int64_t lane) {
  InterpretResult *result = it->result;
  result->totals[kind]++;
  for (uint32_t i = result->findings.count; i-- > 0;) {
    InterpretFinding *f = &result->findings.data[i];
    if (f->kind != kind || f->op != op || f->buffer != buffer) continue;
    f->times++;
    return NULL;
  }
  if (result->findings.count >= FINDING_LIMIT) return NULL;
  InterpretFinding finding = {
      .kind = kind, .op = op, .buffer = buffer, .lane = interpret_lane_number(it, lane), .other = -1, .times = 1};
  memcpy(finding.program, it->pid, sizeof finding.program);
  array_push(it->kept, &result->findings, finding);
  return &result->findings.data[result->findings.count - 1];
}

/* ---- scratch memory */

void *scratch_alloc(Interp *it, size_t size) {
  Scratch *s = &it->scratch;
  size = (size + 63) & ~(size_t)63;
  if (s->blocks.count && s->sizes.data[s->block] - s->used >= size) {
    void *memory = s->blocks.data[s->block] + s->used;
    s->used += size;
    return memory;
  }
  /* The next block, or a larger one put in its place. */
  uint32_t next = s->blocks.count ? s->block + 1 : 0;
  size_t room = next < 6 ? (size_t)FIRST_SCRATCH << next : LARGEST_SCRATCH;
  if (room < size) room = size;
  if (next == s->blocks.count) {
    char *block = arena_alloc(it->arena, room);
    array_push(it->arena, &s->blocks, block);
    array_push(it->arena, &s->sizes, room);
  } else if (s->sizes.data[next] < size) {
    s->blocks.data[next] = arena_alloc(it->arena, room);
    s->sizes.data[next] = room;
  }
  s->block = next;
  s->used = size;
  return s->blocks.data[next];
}

ScratchMark scratch_mark(const Interp *it) { return (ScratchMark){it->scratch.block, it->scratch.used}; }

void scratch_reset(Interp *it, ScratchMark mark) {
  it->scratch.block = mark.block;
  it->scratch.used = mark.used;
}

/* ---- values */

Element interpret_element(const Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, program_element_type(it->program, type));
  Element e = {.width = 64, .size = 8};
  if (t->kind == TYPE_INT) {
    e.width = t->width ? t->width : 1;
    e.size = e.width <= 8 ? 1 : e.width <= 16 ? 2 : e.width <= 32 ? 4 : 8;
  } else if (t->kind == TYPE_FLOAT) {
    e.is_float = true;
    e.format = t->format;
    e.width = program_float_bits(t->format);
    e.size = e.width <= 8 ? 1 : e.width <= 16 ? 2 : e.width <= 32 ? 4 : 8;
  } else if (t->kind == TYPE_POINTER) {
    e.is_pointer = true;
  }
  return e;
}

/* Integers wider than a lane, and types that nothing is known of, do not run. */
static void check_type(Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, program_element_type(it->program, type));
  bool fits =
      t->kind == TYPE_INT ? t->width <= 64 : t->kind != TYPE_OPAQUE && t->kind != TYPE_NONE && t->kind != TYPE_FUNCTION;
  if (!fits)
    interpret_fail(it, INTERPRET_UNSUPPORTED, "a type of %s is not executed",
                   it->op ? intern_string(it->program->names, it->op->name) : "the kernel");
}

int64_t interpret_lane_count(Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, type);
  if (t->kind == TYPE_DESCRIPTOR || t->kind == TYPE_POINTER) {
    const Type *block = program_get_type(it->program, t->element);
    if (block->kind == TYPE_TENSOR) return 2 + 3 * (int64_t)block->rank;
    return 1;
  }
  if (t->kind != TYPE_TENSOR) return 1;
  int64_t lanes = 1;
  for (uint32_t i = 0; i < t->rank; i++) {
    int64_t dim = interpret_dim(it, t->dims[i]);
    if (t->dims[i] < 1 || t->dims[i] > LANE_LIMIT || lanes * dim > LANE_LIMIT)
      interpret_fail(it, INTERPRET_LIMIT, "a tensor with too many elements");
    lanes *= dim;
  }
  return lanes;
}

Lanes interpret_lanes(Interp *it, int64_t count, bool marked) {
  it->result->steps += (uint64_t)count;
  if (it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
  Lanes lanes = {.count = count};
  lanes.i = scratch_alloc(it, (size_t)count * sizeof *lanes.i);
  if (marked) {
    lanes.mark = scratch_alloc(it, (size_t)count);
    memset(lanes.mark, 0, (size_t)count);
  }
  return lanes;
}

uint8_t *interpret_marks(Interp *it, Lanes *lanes) {
  if (!lanes->mark) {
    lanes->mark = scratch_alloc(it, (size_t)lanes->count);
    memset(lanes->mark, 0, (size_t)lanes->count);
  }
  return lanes->mark;
}

void interpret_merge_marks(Interp *it, Lanes *out, const Lanes *operands, uint32_t count) {
  for (uint32_t o = 0; o < count; o++) {
    if (!operands[o].mark) continue;
    uint8_t *mark = interpret_marks(it, out);
    for (int64_t k = 0; k < out->count; k++) mark[k] = interpret_join_marks(mark[k], operands[o].mark[k]);
  }
}

InterpretCell interpret_undefined(const Interp *it, const Element *element) {
  double value = it->options->undefined_value;
  if (element->is_float) return (InterpretCell){.real = value};
  if (!(value > -9e18 && value < 9e18)) value = 0;
  return (InterpretCell){.integer = interpret_wrap(element->width, (int64_t)value)};
}

static Lanes *slot(Interp *it, ValueId value) {
  if (!value || value < it->first_value || value - it->first_value >= it->value_count) interpret_ill_typed(it);
  return &it->values[value - it->first_value];
}

Lanes interpret_value(Interp *it, ValueId value) {
  Lanes *lanes = slot(it, value);
  if (!lanes->i) interpret_ill_typed(it);
  return *lanes;
}

TypeId interpret_operand_type(Interp *it, const Op *op, uint32_t i) {
  if (i >= op->operand_count || op->operands[i] >= it->program->values.count) interpret_ill_typed(it);
  return it->program->values.data[op->operands[i]].type;
}

TypeId interpret_result_type(Interp *it, const Op *op, uint32_t r) {
  if (r >= op->result_count || op->first_result + r >= it->program->values.count) interpret_ill_typed(it);
  return it->program->values.data[op->first_result + r].type;
}

static Lanes repeat_lane(Interp *it, Lanes one, int64_t count) {
  Lanes many = interpret_lanes(it, count, one.mark && *one.mark);
  for (int64_t k = 0; k < count; k++) many.i[k] = *one.i;
  if (many.mark) memset(many.mark, *one.mark, (size_t)count);
  return many;
}

Lanes interpret_operand(Interp *it, const Op *op, uint32_t i, int64_t count) {
  if (i >= op->operand_count) interpret_ill_typed(it);
  Lanes lanes = interpret_value(it, op->operands[i]);
  if (lanes.count == count) return lanes;
  if (lanes.count != 1) interpret_ill_typed(it);
  return repeat_lane(it, lanes, count);
}

static int64_t scalar_of(Interp *it, ValueId value) {
  Lanes lanes = interpret_value(it, value);
  if (lanes.mark && *lanes.mark & MARK_UNDEFINED)
    interpret_report(it, INTERPRET_UNDEFINED_USE, (OpId)(it->op - it->program->ops.data), -1, 0);
  return *lanes.i;
}

int64_t interpret_scalar(Interp *it, const Op *op, uint32_t i) {
  if (interpret_element(it, interpret_operand_type(it, op, i)).is_float) interpret_ill_typed(it);
  return scalar_of(it, op->operands[i]);
}

Lanes *interpret_result(Interp *it, const Op *op, uint32_t r) {
  TypeId type = interpret_result_type(it, op, r);
  check_type(it, type);
  int64_t count = interpret_lane_count(it, type) * it->batch;
  if (count > LANE_LIMIT) interpret_fail(it, INTERPRET_LIMIT, "a tensor with too many elements");
  Lanes *lanes = slot(it, op->first_result + r);
  *lanes = interpret_lanes(it, count, false);
  return lanes;
}

bool interpret_attr_list(Interp *it, const Op *op, const char *name, int64_t *out, uint32_t limit, uint32_t *count) {
  AttrId id = program_op_attr(it->program, op, name);
  const Attr *attr = program_get_attr(it->program, id);
  if (!id || (attr->kind != ATTR_ARRAY && attr->kind != ATTR_DENSE) || attr->count > limit) return false;
  for (uint32_t i = 0; i < attr->count; i++) out[i] = program_get_attr(it->program, attr->items[i])->integer;
  *count = attr->count;
  return true;
}

/* ---- control flow */

/* Binds a value to lanes that another one made; ops rely on it that their number fits the type. */
static void bind(Interp *it, ValueId value, Lanes lanes) {
  Lanes *place = slot(it, value);
  if (lanes.count != interpret_lane_count(it, it->program->values.data[value].type) * it->batch)
    interpret_ill_typed(it);
  *place = lanes;
}

void interpret_set_args(Interp *it, RegionId id, const Lanes *lanes, uint32_t count) {
  const Region *region = program_get_region(it->program, id);
  if (!region->blocks.count) interpret_ill_typed(it);
  const Block *block = program_get_block(it->program, region->blocks.data[0]);
  if (block->arg_count != count) interpret_ill_typed(it);
  for (uint32_t i = 0; i < count; i++) bind(it, block->first_arg + i, lanes[i]);
}

/* A terminator's operands from `first` on; their number must be `count`. A region that ends without one yields none. */
static void take_operands(Interp *it, const Op *terminator, uint32_t first, uint32_t count, Lanes *out) {
  if ((terminator ? terminator->operand_count : first) != first + count) interpret_ill_typed(it);
  for (uint32_t i = 0; i < count; i++) out[i] = interpret_value(it, terminator->operands[first + i]);
}

/* The carried values of a loop: `now` holds those of this round, `rooms` the two buffers of each. */
typedef struct Carried {
  uint32_t count, turn;
  Lanes *now, *rooms[2];
} Carried;

static Carried carry(Interp *it, uint32_t count) {
  Carried c = {.count = count, .now = scratch_alloc(it, (count + 1) * sizeof(Lanes))};
  for (int t = 0; t < 2; t++) c.rooms[t] = scratch_alloc(it, (count + 1) * sizeof(Lanes));
  return c;
}

static void carry_rooms(Interp *it, Carried *c) {
  for (int t = 0; t < 2; t++)
    for (uint32_t i = 0; i < c->count; i++) c->rooms[t][i] = interpret_lanes(it, c->now[i].count, true);
}

/* Copies what the round yielded (`now`) out of its scratch. */
static void carry_over(Interp *it, Carried *c) {
  Lanes *rooms = c->rooms[c->turn ^= 1];
  for (uint32_t i = 0; i < c->count; i++) {
    Lanes *from = &c->now[i], room = rooms[i];
    if (from->count != room.count) interpret_ill_typed(it);
    memcpy(room.i, from->i, (size_t)room.count * sizeof *room.i);
    if (from->mark)
      memcpy(room.mark, from->mark, (size_t)room.count);
    else
      room.mark = NULL;
    *from = room;
  }
}

static void set_results(Interp *it, const Op *op, const Lanes *lanes) {
  for (uint32_t r = 0; r < op->result_count; r++) bind(it, op->first_result + r, lanes[r]);
}

/* Where the result notes what is reached of the op; NULL: it is of a function that is called. */
static uint32_t *coverage_of(Interp *it, const Op *op) {
  OpId id = (OpId)(op - it->program->ops.data);
  return id >= it->first_op && id < it->end_op ? &it->result->coverage[id - it->first_op] : NULL;
}

static void cover_iteration(Interp *it, const Op *loop, uint32_t number) {
  uint32_t *most = coverage_of(it, loop);
  if (most && number > *most) *most = number;
}

static void run_for(Interp *it, const Op *op) {
  if (op->operand_count < 3 || op->operand_count - 3 != op->result_count) interpret_ill_typed(it);
  Element e = interpret_element(it, interpret_operand_type(it, op, 0));
  bool is_unsigned = program_op_int(it->program, op, "unsignedCmp", 0);
  __extension__ typedef __int128 Wide;
  Wide bounds[3];
  for (uint32_t i = 0; i < 3; i++) {
    int64_t v = interpret_scalar(it, op, i);
    bounds[i] = is_unsigned ? (Wide)interpret_unsigned(e.width, v) : v;
  }
  if (bounds[2] <= 0 && bounds[0] < bounds[1]) interpret_fail(it, INTERPRET_LIMIT, "a loop whose step is not positive");
  uint32_t count = op->result_count;
  RegionId body = interpret_region_of(it, op, 0);
  Carried c = carry(it, count + 1);
  Lanes *args = scratch_alloc(it, (count + 1) * sizeof *args);
  c.count = count;
  for (uint32_t i = 0; i < count; i++) c.now[i] = interpret_value(it, op->operands[3 + i]);
  carry_rooms(it, &c);
  Lanes counter = interpret_lanes(it, 1, false);
  ScratchMark mark = scratch_mark(it);
  uint32_t number = 0;
  for (Wide k = bounds[0]; k < bounds[1]; k += bounds[2]) {
    cover_iteration(it, op, ++number);
    *counter.i = interpret_wrap(e.width, (int64_t)k);
    args[0] = counter;
    memcpy(args + 1, c.now, count * sizeof *args);
    interpret_set_args(it, body, args, count + 1);
    const Op *end = interpret_region(it, body);
    take_operands(it, end, 0, count, c.now);
    carry_over(it, &c);
    scratch_reset(it, mark);
    if (++it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
  }
  set_results(it, op, c.now);
}

static void run_while(Interp *it, const Op *op) {
  RegionId before = interpret_region_of(it, op, 0), after = interpret_region_of(it, op, 1);
  Carried c = carry(it, op->operand_count);
  for (uint32_t i = 0; i < c.count; i++) c.now[i] = interpret_value(it, op->operands[i]);
  carry_rooms(it, &c);
  Lanes *passed = scratch_alloc(it, (op->result_count + 1) * sizeof *passed);
  ScratchMark mark = scratch_mark(it);
  for (uint32_t number = 1;; number++) {
    if (++it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
    interpret_set_args(it, before, c.now, c.count);
    const Op *condition = interpret_region(it, before);
    if (!condition || condition->code != OP_SCF_CONDITION) interpret_ill_typed(it);
    it->op = condition;
    bool go = interpret_scalar(it, condition, 0) & 1;
    take_operands(it, condition, 1, op->result_count, passed);
    if (!go) break;
    cover_iteration(it, op, number);
    interpret_set_args(it, after, passed, op->result_count);
    take_operands(it, interpret_region(it, after), 0, c.count, c.now);
    carry_over(it, &c);
    scratch_reset(it, mark);
  }
  set_results(it, op, passed);
}

static void run_if(Interp *it, const Op *op) {
  bool taken = interpret_scalar(it, op, 0) & 1;
  uint32_t *arms = coverage_of(it, op);
  if (arms) *arms |= taken ? INTERPRET_THEN : INTERPRET_ELSE;
  RegionId region = interpret_region_of(it, op, 0);
  if (!taken) {
    if (op->region_count < 2 || !program_get_region(it->program, op->regions[1])->blocks.count) {
      if (op->result_count) interpret_ill_typed(it);
      return;
    }
    region = op->regions[1];
  }
  Lanes *yielded = scratch_alloc(it, (op->result_count + 1) * sizeof *yielded);
  interpret_set_args(it, region, NULL, 0);
  take_operands(it, interpret_region(it, region), 0, op->result_count, yielded);
  set_results(it, op, yielded);
}

static void run_execute_region(Interp *it, const Op *op) {
  RegionId region = interpret_region_of(it, op, 0);
  Lanes *yielded = scratch_alloc(it, (op->result_count + 1) * sizeof *yielded);
  interpret_set_args(it, region, NULL, 0);
  take_operands(it, interpret_region(it, region), 0, op->result_count, yielded);
  set_results(it, op, yielded);
}

static void run_call(Interp *it, const Op *op) {
  const char *callee = program_op_text(it->program, op, "callee");
  for (uint32_t f = 0; callee && f < it->program->functions.count; f++) {
    const Function *function = &it->program->functions.data[f];
    if (strcmp(intern_string(it->program->names, function->name), callee)) continue;
    const Op *func = program_get_op(it->program, function->op);
    RegionId body = interpret_region_of(it, func, 0);
    Lanes *args = scratch_alloc(it, (op->operand_count + op->result_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < op->operand_count; i++) args[i] = interpret_value(it, op->operands[i]);
    interpret_set_args(it, body, args, op->operand_count);
    take_operands(it, interpret_region(it, body), 0, op->result_count, args);
    set_results(it, op, args);
    return;
  }
  fail_unsupported(it);
}

/* The block to go on with, its arguments set. */
static const Block *follow(Interp *it, const Op *op, uint32_t successor) {
  if (successor >= op->successor_count) interpret_ill_typed(it);
  const Successor *s = &op->successors[successor];
  if (!s->block || s->block >= it->program->blocks.count) interpret_ill_typed(it);
  const Block *block = program_get_block(it->program, s->block);
  if (block->arg_count != s->arg_count) interpret_ill_typed(it);
  ScratchMark mark = scratch_mark(it);
  Lanes *args = scratch_alloc(it, (s->arg_count + 1) * sizeof *args);
  for (uint32_t i = 0; i < s->arg_count; i++) args[i] = interpret_value(it, s->args[i]);
  for (uint32_t i = 0; i < s->arg_count; i++) bind(it, block->first_arg + i, args[i]);
  scratch_reset(it, mark);
  return block;
}

static void run_op(Interp *it, const Op *op);

static bool is_end(Opcode code) {
  return code == OP_SCF_YIELD || code == OP_SCF_CONDITION || code == OP_TT_RETURN || code == OP_TT_REDUCE_RETURN ||
         code == OP_TT_SCAN_RETURN || code == OP_TT_MAP_ELEMENTWISE_RETURN;
}

const Op *interpret_region(Interp *it, RegionId id) {
  if (++it->depth > DEPTH_LIMIT) interpret_fail(it, INTERPRET_LIMIT, "regions nested too deeply");
  const Region *region = program_get_region(it->program, id);
  if (!region->blocks.count) interpret_ill_typed(it);
  const Block *block = program_get_block(it->program, region->blocks.data[0]), *next = block;
  const Op *end = NULL;
  while (next && !end) {
    block = next;
    next = NULL;
    if (++it->result->steps > it->step_limit) interpret_fail(it, INTERPRET_LIMIT, "step limit reached");
    for (uint32_t i = 0; i < block->ops.count && !next && !end; i++) {
      const Op *op = program_get_op(it->program, block->ops.data[i]);
      it->op = op;
      if (op->code == OP_CF_BR)
        next = follow(it, op, 0);
      else if (op->code == OP_CF_COND_BR)
        next = follow(it, op, interpret_scalar(it, op, 0) & 1 ? 0 : 1);
      else if (is_end(op->code))
        end = op;
      else
        run_op(it, op);
    }
  }
  it->depth--;
  return end;
}

/* ---- ops */

static void run_program_id(Interp *it, const Op *op, const int32_t *from) {
  AttrId id = program_op_attr(it->program, op, "axis");
  const Attr *attr = program_get_attr(it->program, id);
  int64_t axis = attr->kind == ATTR_INT ? attr->integer : 0;
  const char *text = program_op_text(it->program, op, "axis");
  if (text && *text >= 'x' && *text <= 'z') axis = *text - 'x';
  if (axis < 0 || axis > 2) interpret_ill_typed(it);
  Lanes *out = interpret_result(it, op, 0);
  for (int64_t k = 0; k < out->count; k++) out->i[k] = from[axis];
}

static void run_range(Interp *it, const Op *op) {
  Lanes *out = interpret_result(it, op, 0);
  int64_t start = program_op_int(it->program, op, "start", 0);
  TypeId type = interpret_result_type(it, op, 0);
  int64_t length = program_get_type(it->program, type)->dims[0];
  for (int64_t k = 0; k < out->count; k++)
    out->i[k] = interpret_wrap(32, (int64_t)((uint64_t)start + (uint64_t)interpret_position(it, length, k)));
  if (interpret_is_sparse(it, type)) memset(interpret_marks(it, out) + INTERPRET_SPARSE_HEAD, MARK_AFFINE, 2);
}

static void run_poison(Interp *it, const Op *op) {
  Element e = interpret_element(it, interpret_result_type(it, op, 0));
  Lanes *out = interpret_result(it, op, 0);
  InterpretCell cell = interpret_undefined(it, &e);
  for (int64_t k = 0; k < out->count; k++) out->i[k] = cell.integer;
  memset(interpret_marks(it, out), MARK_UNDEFINED, (size_t)out->count);
}

static void run_claim(Interp *it, const Op *op, InterpretFindingKind kind) {
  if (!op->operand_count) interpret_ill_typed(it);
  Lanes lanes = interpret_value(it, op->operands[0]);
  for (int64_t k = 0; k < lanes.count; k++)
    if (!(lanes.i[k] & 1) && !(lanes.mark && lanes.mark[k] & MARK_UNDEFINED))
      interpret_report(it, kind, (OpId)(op - it->program->ops.data), -1, k);
}

static void run_op(Interp *it, const Op *op) {
  guard_tick(it->arena->guard);
  switch (op->code) {
  case OP_ARITH_ADDI:
  case OP_ARITH_SUBI:
  case OP_ARITH_MULI:
  case OP_ARITH_DIVSI:
  case OP_ARITH_DIVUI:
  case OP_ARITH_REMSI:
  case OP_ARITH_REMUI:
  case OP_ARITH_CEILDIVSI:
  case OP_ARITH_CEILDIVUI:
  case OP_ARITH_FLOORDIVSI:
  case OP_ARITH_ANDI:
  case OP_ARITH_ORI:
  case OP_ARITH_XORI:
  case OP_ARITH_SHLI:
  case OP_ARITH_SHRSI:
  case OP_ARITH_SHRUI:
  case OP_ARITH_MAXSI:
  case OP_ARITH_MAXUI:
  case OP_ARITH_MINSI:
  case OP_ARITH_MINUI:
  case OP_TT_MULHIUI: interpret_int_op(it, op); return;
  case OP_ARITH_MULSI_EXTENDED:
  case OP_ARITH_MULUI_EXTENDED:
  case OP_ARITH_ADDUI_EXTENDED: interpret_int_extended(it, op); return;
  case OP_MATH_ABSI:
  case OP_MATH_CTPOP:
  case OP_MATH_CTLZ:
  case OP_MATH_CTTZ: interpret_int_unary(it, op); return;
  case OP_ARITH_CMPI: interpret_compare_int(it, op); return;
  case OP_ARITH_CMPF: interpret_compare_float(it, op); return;
  case OP_ARITH_SELECT: interpret_select(it, op); return;
  case OP_ARITH_EXTSI:
  case OP_ARITH_EXTUI:
  case OP_ARITH_TRUNCI:
  case OP_ARITH_EXTF:
  case OP_ARITH_TRUNCF:
  case OP_ARITH_SITOFP:
  case OP_ARITH_UITOFP:
  case OP_ARITH_FPTOSI:
  case OP_ARITH_FPTOUI:
  case OP_ARITH_BITCAST:
  case OP_ARITH_INDEX_CAST:
  case OP_ARITH_INDEX_CASTUI:
  case OP_TT_INT_TO_PTR:
  case OP_TT_PTR_TO_INT:
  case OP_TT_BITCAST:
  case OP_TT_FP_TO_FP: interpret_cast(it, op); return;
  case OP_ARITH_ADDF:
  case OP_ARITH_SUBF:
  case OP_ARITH_MULF:
  case OP_ARITH_DIVF:
  case OP_ARITH_REMF:
  case OP_ARITH_NEGF:
  case OP_ARITH_MAXNUMF:
  case OP_ARITH_MINNUMF:
  case OP_ARITH_MAXIMUMF:
  case OP_ARITH_MINIMUMF:
  case OP_MATH_EXP2:
  case OP_MATH_EXPM1:
  case OP_MATH_LOG2:
  case OP_MATH_LOG10:
  case OP_MATH_LOG1P:
  case OP_MATH_SQRT:
  case OP_MATH_RSQRT:
  case OP_MATH_CBRT:
  case OP_MATH_ABSF:
  case OP_MATH_FLOOR:
  case OP_MATH_CEIL:
  case OP_MATH_ROUND:
  case OP_MATH_ROUNDEVEN:
  case OP_MATH_TRUNC:
  case OP_MATH_FMA:
  case OP_MATH_COPYSIGN:
  case OP_TT_CLAMPF:
  case OP_TT_PRECISE_SQRT:
  case OP_TT_PRECISE_DIVF:
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, ...) case OP_MATH_##mlir:
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
    interpret_float_op(it, op);
    return;
  case OP_TT_EXTERN_ELEMENTWISE: interpret_extern(it, op); return;
  case OP_TT_MAP_ELEMENTWISE: interpret_map(it, op); return;
  case OP_ARRAY_EMPTY:
  case OP_ARRAY_FILL:
  case OP_ARRAY_INSERT:
  case OP_ARRAY_EXTRACT: interpret_array(it, op); return;
  case OP_ARRAY_REQUIRE:
    if (!program_op_attr(it->program, op, "preferred")) run_claim(it, op, INTERPRET_ASSERT);
    return;
  case OP_TT_ADDPTR: interpret_addptr(it, op); return;
  case OP_TT_LOAD: interpret_load(it, op); return;
  case OP_TT_STORE: interpret_store(it, op); return;
  case OP_TT_ATOMIC_RMW:
  case OP_TT_ATOMIC_CAS:
  case OP_TT_ATOMIC_POLL: interpret_atomic(it, op); return;
  case OP_TT_MAKE_TENSOR_PTR:
  case OP_TT_ADVANCE:
  case OP_TT_MAKE_TENSOR_DESCRIPTOR: interpret_block_pointer(it, op); return;
  case OP_TT_DESCRIPTOR_LOAD:
  case OP_TT_DESCRIPTOR_STORE:
  case OP_TT_DESCRIPTOR_REDUCE:
  case OP_TT_DESCRIPTOR_GATHER:
  case OP_TT_DESCRIPTOR_SCATTER: interpret_descriptor(it, op); return;
  case OP_ARITH_CONSTANT: interpret_constant(it, op); return;
  case OP_TT_SPLAT:
  case OP_TT_UNSPLAT: interpret_splat(it, op); return;
  case OP_TT_EXPAND_DIMS:
  case OP_TT_BROADCAST:
  case OP_TT_TRANS:
  case OP_TT_RESHAPE:
  case OP_TT_CAT:
  case OP_TT_JOIN:
  case OP_TT_SPLIT: interpret_shape(it, op); return;
  case OP_TT_GATHER: interpret_gather(it, op); return;
  case OP_TT_HISTOGRAM: interpret_histogram(it, op); return;
  case OP_TT_GET_PROGRAM_ID: run_program_id(it, op, it->pid); return;
  case OP_TT_GET_NUM_PROGRAMS: run_program_id(it, op, it->grid); return;
  case OP_TT_MAKE_RANGE: run_range(it, op); return;
  case OP_TT_DOT: interpret_dot(it, op); return;
  case OP_TT_REDUCE:
  case OP_TT_SCAN: interpret_fold(it, op); return;
  case OP_TT_CALL: run_call(it, op); return;
  case OP_TT_ASSERT:
  case OP_CF_ASSERT: run_claim(it, op, INTERPRET_ASSERT); return;
  case OP_LLVM_ASSUME: run_claim(it, op, INTERPRET_ASSUME); return;
  case OP_SCF_FOR: run_for(it, op); return;
  case OP_SCF_IF: run_if(it, op); return;
  case OP_SCF_WHILE: run_while(it, op); return;
  case OP_SCF_EXECUTE_REGION: run_execute_region(it, op); return;
  case OP_UB_POISON:
  case OP_LLVM_UNDEF: run_poison(it, op); return;
  case OP_GPU_BARRIER:
  case OP_TTG_BARRIER: it->epoch++, it->arrival++; return;
  case OP_TT_PRINT:
  case OP_TT_GRID_DEPENDENCY_WAIT:
  case OP_TT_GRID_DEPENDENCY_LAUNCH_DEPENDENTS: return;
  case OP_NONE:
  case OP_UNKNOWN:
  case OP_TT_ELEMENTWISE_INLINE_ASM:
  case OP_TT_DOT_SCALED:
  case OP_UB_UNREACHABLE:
  case OP_TT_FUNC:
  case OP_BUILTIN_MODULE:
  case OP_TT_MAP_ELEMENTWISE_RETURN:
  case OP_TT_REDUCE_RETURN:
  case OP_TT_SCAN_RETURN:
  case OP_TT_RETURN:
  case OP_SCF_YIELD:
  case OP_SCF_CONDITION:
  case OP_CF_BR:
  case OP_CF_COND_BR:
  case OP_COUNT: fail_unsupported(it);
  }
}

/* ---- launch */

static void set_memories(Interp *it, InterpretBuffer *buffers, uint32_t count) {
  if (count > 30000) interpret_fail(it, INTERPRET_INVALID, "too many buffers");
  it->memories = arena_array(it->arena, Memory, count + 1);
  it->memory_count = count;
  for (uint32_t b = 0; b < count; b++) {
    Memory *m = &it->memories[b];
    TypeId element = buffers[b].element;
    const Type *type = element < it->program->types.count ? program_get_type(it->program, element) : NULL;
    bool fits = type && ((type->kind == TYPE_INT && type->width <= 64) || type->kind == TYPE_INDEX ||
                         type->kind == TYPE_FLOAT || type->kind == TYPE_POINTER);
    if (!fits || buffers[b].count < 0 || (buffers[b].count && !buffers[b].cells))
      interpret_fail(it, INTERPRET_INVALID, "buffer %u has no element type or no elements", b);
    m->buffer = &buffers[b];
    m->element = interpret_element(it, element);
    buffers[b].shadow = arena_alloc(it->kept, (size_t)buffers[b].count + 1);
    if (buffers[b].uninitialised) memset(buffers[b].shadow, INTERPRET_UNDEFINED, (size_t)buffers[b].count);
    if (!it->options->no_races) m->tracks = arena_array(it->arena, Track *, buffers[b].count / TRACK_PAGE + 1);
  }
}

static int64_t argument_address(Interp *it, const InterpretArgument *a) {
  if (a->buffer >= it->memory_count) interpret_fail(it, INTERPRET_INVALID, "an argument names no buffer");
  uint64_t base = (uint64_t)(a->buffer + 1) << ADDRESS_SHIFT;
  return (int64_t)(base + (uint64_t)a->offset * it->memories[a->buffer].element.size);
}

/* Base, shape, strides, offsets, padding. */
static Lanes argument_descriptor(Interp *it, const InterpretArgument *a, const Type *type) {
  uint32_t rank = program_get_type(it->program, type->element)->rank;
  if (!a->shape || !a->strides) interpret_fail(it, INTERPRET_INVALID, "a descriptor without shape or strides");
  Lanes lanes = interpret_lanes(it, 2 + 3 * (int64_t)rank, false);
  memset(lanes.i, 0, (size_t)lanes.count * sizeof *lanes.i);
  lanes.i[0] = argument_address(it, a);
  memcpy(lanes.i + 1, a->shape, rank * sizeof *lanes.i);
  memcpy(lanes.i + 1 + rank, a->strides, rank * sizeof *lanes.i);
  return lanes;
}

/* The address of a result. */
static Lanes result_lanes(Interp *it, const InterpretArgument *a, TypeId type) {
  check_type(it, type);
  if (a->kind != INTERPRET_ADDRESS || interpret_element(it, type).is_pointer)
    interpret_fail(it, INTERPRET_INVALID, "a result has no address");
  Lanes lanes = interpret_lanes(it, 1, false);
  *lanes.i = argument_address(it, a);
  return lanes;
}

static Lanes argument_lanes(Interp *it, const InterpretArgument *a, TypeId type, uint32_t number) {
  const Type *t = program_get_type(it->program, type);
  Element e = interpret_element(it, type);
  InterpretArgumentKind wanted = t->kind == TYPE_DESCRIPTOR ? INTERPRET_DESCRIPTOR
                                 : e.is_pointer             ? INTERPRET_ADDRESS
                                 : e.is_float               ? INTERPRET_REAL
                                                            : INTERPRET_INTEGER;
  check_type(it, type);
  if (a->kind != wanted || t->kind == TYPE_TENSOR)
    interpret_fail(it, INTERPRET_INVALID, "argument %u is of another kind than the parameter", number);
  if (t->kind == TYPE_DESCRIPTOR) return argument_descriptor(it, a, t);
  Lanes lanes = interpret_lanes(it, 1, false);
  if (e.is_pointer)
    *lanes.i = argument_address(it, a);
  else if (!e.is_float)
    *lanes.i = interpret_wrap(e.width, a->integer);
  else
    *lanes.f = it->options->exact_reals ? a->real : interpret_round(e.format, a->real);
  return lanes;
}

/* What the function that returned leaves: its results have addresses behind the arguments. */
static void store_results(Interp *it, const Function *function, const Op *end, const Lanes *addresses) {
  uint32_t count = program_result_count(it->program, function);
  if (!count) return;
  if (!end || end->code != OP_TT_RETURN || end->operand_count != count) interpret_ill_typed(it);
  for (uint32_t i = 0; i < count; i++) {
    Lanes values = interpret_value(it, end->operands[i]);
    interpret_store_result(it, function, i, *addresses[i].i, &values);
  }
}

static void run_programs(Interp *it, const Function *function, RegionId body, const Lanes *arguments, uint32_t count) {
  const InterpretOptions *options = it->options;
  int64_t total = (int64_t)it->grid[0] * it->grid[1] * it->grid[2];
  int64_t first = options->first, last = options->count ? first + options->count : total;
  if (first < 0 || last > total || last < first) interpret_fail(it, INTERPRET_INVALID, "no such program in the grid");
  uint32_t *order = NULL;
  if (options->order == INTERPRET_PERMUTED) {
    Random random = {options->seed};
    order = arena_array(it->arena, uint32_t, total);
    for (int64_t i = 0; i < total; i++) {
      int64_t j = (int64_t)random_below(&random, (uint64_t)i + 1);
      order[i] = order[j];
      order[j] = (uint32_t)i;
    }
  }
  ScratchMark mark = scratch_mark(it);
  for (int64_t i = first; i < last; i++) {
    int64_t number = order ? order[i] : options->order == INTERPRET_BACKWARD ? total - 1 - i : i;
    it->number = (uint32_t)number + 1;
    it->epoch++, it->arrival++;
    it->pid[0] = (int32_t)(number % it->grid[0]);
    it->pid[1] = (int32_t)(number / it->grid[0] % it->grid[1]);
    it->pid[2] = (int32_t)(number / it->grid[0] / it->grid[1]);
    interpret_set_args(it, body, arguments, count);
    store_results(it, function, interpret_region(it, body), arguments + count);
    scratch_reset(it, mark);
    it->result->programs++;
  }
}

static void make_values(Interp *it, const Function *function) {
  ProgramExtent extent = program_extent(it->program, function);
  it->first_value = extent.first_value;
  it->value_count = extent.end_value - extent.first_value;
  it->values = arena_array(it->arena, Lanes, it->value_count + 1);
  it->first_op = extent.first_op, it->end_op = extent.end_op;
  it->result->coverage = arena_array(it->kept, uint32_t, extent.end_op - extent.first_op + 1);
}

static void run_launch(Interp *it, const Function *function, InterpretBuffer *buffers, uint32_t buffer_count,
                       const InterpretArgument *arguments, uint32_t count) {
  int64_t programs = 1;
  for (int d = 0; d < 3; d++) {
    if (it->grid[d] < 1) interpret_fail(it, INTERPRET_INVALID, "the grid has no programs");
    programs *= it->grid[d];
    if (programs > 1 << 30) interpret_fail(it, INTERPRET_LIMIT, "the grid has too many programs");
  }
  set_memories(it, buffers, buffer_count);
  const Op *func = program_get_op(it->program, function->op);
  if (!func->region_count) interpret_fail(it, INTERPRET_INVALID, "the kernel has no body");
  make_values(it, function);
  const Region *body = program_get_region(it->program, func->regions[0]);
  if (!body->blocks.count) interpret_fail(it, INTERPRET_INVALID, "the kernel has no body");
  const Block *entry = program_get_block(it->program, body->blocks.data[0]);
  uint32_t own = entry->arg_count, results = program_result_count(it->program, function);
  if (own + results != count)
    interpret_fail(it, INTERPRET_INVALID, "the kernel takes %u arguments, not %u", own + results, count);
  Lanes *lanes = arena_array(it->arena, Lanes, count + 1);
  for (uint32_t i = 0; i < own; i++)
    lanes[i] = argument_lanes(it, &arguments[i], program_get_value(it->program, entry->first_arg + i)->type, i);
  for (uint32_t i = 0; i < results; i++)
    lanes[own + i] = result_lanes(it, &arguments[own + i], program_result_type(it->program, function, i));
  run_programs(it, function, func->regions[0], lanes, own);
}

void interpret_launch(Arena *arena, const Program *program, const Function *function, const int32_t grid[3],
                      InterpretBuffer *buffers, uint32_t buffer_count, const InterpretArgument *arguments,
                      uint32_t argument_count, const InterpretOptions *options, InterpretResult *result) {
  static const InterpretOptions defaults = {0};
  *result = (InterpretResult){0};
  Interp *it = arena_new(arena, Interp);
  it->program = program;
  it->options = options ? options : &defaults;
  it->result = result;
  it->kept = arena;
  it->arena = arena_new_child(arena);
  it->batch = 1;
  it->step_limit = it->options->step_limit ? it->options->step_limit : INTERPRET_STEP_LIMIT;
  memcpy(it->grid, grid, sizeof it->grid);
  if (setjmp(it->escape) == 0) run_launch(it, function, buffers, buffer_count, arguments, argument_count);
  arena_destroy(it->arena);
}

const char *interpret_status_name(InterpretStatus status) {
  static const char *const names[] = {"ok", "unsupported", "limit", "invalid", "needs_lanes"};
  return names[status];
}

const char *interpret_finding_name(InterpretFindingKind kind) {
  static const char *const names[INTERPRET_FINDING_KINDS] = {
      "out_of_bounds", "undefined_store", "undefined_use", "race",   "duplicate_store",
      "overflow",      "division",        "index",         "assert", "assume"};
  return names[kind];
}
