/* tt.call, replaced by the bodies of the callees; afterwards only functions that nothing calls remain.
 *
 * Functions are visited callees first, so what is copied holds no call. A callee with one reachable block is copied
 * into the place of the call. One with several is spliced into the control flow when the call stands in a function
 * body: the block is split there, and every return becomes a branch to the rest. Inside an op that takes only one
 * block (a loop, an if, a reduction) the callee becomes an scf.execute_region, and its returns yields.
 * Results of calls are replaced through `replace`, resolved in one sweep at the end. */
#include "read/mlir/parser.h"

enum { INLINE_OPS = 4000000 };

typedef struct Inliner {
  Parser *r;
  Program *p;
  Arena *arena;
  uint32_t *function_of; /* by Name: index + 1 in functions */
  uint32_t names;
  uint8_t *state;         /* by function: 0 new, 1 open, 2 done */
  bool *called;           /* by function */
  Array(ValueId) replace; /* by ValueId; 0: itself */
  Array(ValueId) map;     /* by ValueId of the callee: its copy */
  Array(BlockId) block_map;
  LocId call_loc;
} Inliner;

/* What a return of the copied body turns into. */
typedef enum ReturnKind { RETURN_RESULTS, RETURN_BRANCH, RETURN_YIELD } ReturnKind;

static ValueId resolve(Inliner *n, ValueId v) {
  ValueId end = v;
  while (end < n->replace.count && n->replace.data[end]) end = n->replace.data[end];
  while (v != end) {
    ValueId next = n->replace.data[v];
    n->replace.data[v] = end;
    v = next;
  }
  return end;
}

static void set_at(Inliner *n, void *array, uint32_t index, uint32_t value) {
  Array(uint32_t) *a = array;
  while (a->count <= index) array_push(n->arena, a, 0);
  a->data[index] = value;
}

static const Function *callee_of(Inliner *n, const Op *call) {
  const char *text = program_op_text(n->p, call, "callee");
  Name name = text ? intern_text(n->p->names, text) : 0;
  uint32_t index = name < n->names ? n->function_of[name] : 0;
  return index ? &n->p->functions.data[index - 1] : NULL;
}

/* ---- copying */

static LocId call_site(Inliner *n, LocId loc) {
  if (!loc || !n->call_loc) return loc ? loc : n->call_loc;
  array_push(n->arena, &n->p->locs, (Loc){.kind = LOC_CALLSITE, .child = loc, .caller = n->call_loc});
  return n->p->locs.count - 1;
}

static ValueId copy_value(Inliner *n, ValueId old, OpId op, BlockId block) {
  Value v = n->p->values.data[old];
  v.op = op, v.block = block;
  array_push(n->arena, &n->p->values, v);
  set_at(n, &n->map, old, n->p->values.count - 1);
  return n->p->values.count - 1;
}

static void push_op(Inliner *n, BlockId block, OpId op) {
  n->p->ops.data[op].block = block;
  array_push(n->arena, &n->p->blocks.data[block].ops, op);
}

static void *copy_array(Inliner *n, const void *data, uint32_t count, size_t size) {
  return count ? memcpy(arena_alloc(n->arena, count * size), data, count * size) : NULL;
}

static void copy_blocks(Inliner *n, const BlockId *blocks, uint32_t count, RegionId region, BlockId entry);

/* The copy's operands are still the callee's; `map_operands` corrects them. */
static OpId copy_op(Inliner *n, OpId old, BlockId block) {
  Op op = n->p->ops.data[old];
  array_push(n->arena, &n->p->ops, op);
  OpId id = n->p->ops.count - 1;
  op.block = block;
  op.loc = call_site(n, op.loc);
  op.operands = copy_array(n, op.operands, op.operand_count, sizeof(ValueId));
  Successor *successors = copy_array(n, op.successors, op.successor_count, sizeof(Successor));
  for (uint32_t i = 0; i < op.successor_count; i++)
    successors[i].args = copy_array(n, successors[i].args, successors[i].arg_count, sizeof(ValueId));
  op.successors = successors;
  RegionId *regions = op.region_count ? arena_array(n->arena, RegionId, op.region_count) : NULL;
  for (uint32_t i = 0; i < op.region_count; i++) {
    RegionId from = op.regions[i];
    regions[i] = region_new(n->r, id);
    if (!parser_enter(n->r)) continue;
    Array(BlockId) list = {0};
    const Region *source = &n->p->regions.data[from];
    for (uint32_t k = 0; k < source->blocks.count; k++) array_push(n->arena, &list, source->blocks.data[k]);
    copy_blocks(n, list.data, list.count, regions[i], 0);
    parser_leave(n->r);
  }
  op.regions = regions;
  ValueId first = n->p->values.count;
  for (uint32_t i = 0; i < op.result_count; i++) copy_value(n, op.first_result + i, id, 0);
  op.first_result = op.result_count ? first : 0;
  n->p->ops.data[id] = op;
  push_op(n, block, id);
  if (n->p->ops.count > INLINE_OPS && !n->r->stop) {
    parser_error(n->r, "call.size", op.span, NULL, "inlining the calls gives more than %d ops", INLINE_OPS);
    n->r->stop = true;
  }
  return id;
}

/* Copies blocks into a region. With `entry`, the first one's ops go there instead of into a new block. */
static void copy_blocks(Inliner *n, const BlockId *blocks, uint32_t count, RegionId region, BlockId entry) {
  for (uint32_t i = 0; i < count; i++) {
    const Block old = n->p->blocks.data[blocks[i]];
    BlockId copy = !i && entry ? entry : block_new(n->r, region, old.label);
    set_at(n, &n->block_map, blocks[i], copy);
    if (!i && entry) continue;
    array_push(n->arena, &n->p->regions.data[region].blocks, copy);
    ValueId first = n->p->values.count;
    for (uint32_t k = 0; k < old.arg_count; k++) copy_value(n, old.first_arg + k, 0, copy);
    n->p->blocks.data[copy].first_arg = old.arg_count ? first : 0;
    n->p->blocks.data[copy].arg_count = old.arg_count;
  }
  for (uint32_t i = 0; i < count && !n->r->stop; i++) {
    const Block old = n->p->blocks.data[blocks[i]];
    BlockId copy = n->block_map.data[blocks[i]];
    for (uint32_t k = 0; k < old.ops.count && !n->r->stop; k++) copy_op(n, old.ops.data[k], copy);
  }
}

static void map_list(Inliner *n, const ValueId *values, uint32_t count) {
  ValueId *list = (ValueId *)values; /* ours: copied a moment ago */
  for (uint32_t i = 0; i < count; i++) {
    ValueId v = resolve(n, list[i]);
    list[i] = v < n->map.count && n->map.data[v] ? n->map.data[v] : v;
  }
}

/* All ops from `first` on are copies of one callee's. */
static void map_operands(Inliner *n, OpId first, OpId end) {
  for (OpId id = first; id < end; id++) {
    const Op *op = &n->p->ops.data[id];
    map_list(n, op->operands, op->operand_count);
    for (uint32_t s = 0; s < op->successor_count; s++) {
      map_list(n, op->successors[s].args, op->successors[s].arg_count);
      ((Successor *)op->successors)[s].block = n->block_map.data[op->successors[s].block];
    }
  }
}

/* ---- one call */

typedef Array(BlockId) BlockList;

static void add_reachable(Inliner *n, BlockList *list, uint8_t *seen, BlockId first, BlockId block) {
  if (seen[block - first]) return;
  seen[block - first] = 1;
  array_push(n->arena, list, block);
}

static BlockList reachable_blocks(Inliner *n, RegionId region) {
  const Region *reg = &n->p->regions.data[region];
  BlockId low = UINT32_MAX, high = 0;
  for (uint32_t i = 0; i < reg->blocks.count; i++) {
    if (reg->blocks.data[i] < low) low = reg->blocks.data[i];
    if (reg->blocks.data[i] > high) high = reg->blocks.data[i];
  }
  uint8_t *seen = arena_array(n->arena, uint8_t, high - low + 1);
  BlockList list = {0};
  add_reachable(n, &list, seen, low, reg->blocks.data[0]);
  for (uint32_t i = 0; i < list.count; i++) {
    const Block *b = &n->p->blocks.data[list.data[i]];
    if (!b->ops.count) continue;
    const Op *last = &n->p->ops.data[b->ops.data[b->ops.count - 1]];
    for (uint32_t s = 0; s < last->successor_count; s++) add_reachable(n, &list, seen, low, last->successors[s].block);
  }
  return list;
}

/* The copied returns among these ops, turned into branches or yields. */
static void turn_returns(Inliner *n, OpId first, OpId end, ReturnKind kind, BlockId rest) {
  for (OpId id = first; id < end; id++) {
    Op *op = &n->p->ops.data[id];
    if (op->code != OP_TT_RETURN) continue;
    op->code = kind == RETURN_YIELD ? OP_SCF_YIELD : OP_CF_BR;
    op->name = intern_text(n->p->names, program_opcode_name(op->code));
    if (kind == RETURN_YIELD) continue;
    Successor *s = arena_new(n->arena, Successor);
    *s = (Successor){rest, op->operands, op->operand_count};
    op->successors = s, op->successor_count = 1;
    op->operands = NULL, op->operand_count = 0;
  }
}

static void replace_results(Inliner *n, const Op *call, const ValueId *with) {
  for (uint32_t i = 0; i < call->result_count; i++) set_at(n, &n->replace, call->first_result + i, with[i]);
}

/* `here` is the block that grows; returns the block in which the code after the call goes on. */
static BlockId inline_call(Inliner *n, OpId call_id, BlockId here, bool splice) {
  const Op call = n->p->ops.data[call_id];
  const Function *f = callee_of(n, &call);
  RegionId body = n->p->ops.data[f->op].regions[0];
  BlockList blocks = reachable_blocks(n, body);
  const Block entry = n->p->blocks.data[blocks.data[0]];
  LocId outer_loc = n->call_loc;
  n->call_loc = call.loc;
  for (uint32_t i = 0; i < entry.arg_count; i++) set_at(n, &n->map, entry.first_arg + i, resolve(n, call.operands[i]));
  OpId first = n->p->ops.count;
  RegionId region = n->p->blocks.data[here].region;
  BlockId rest = here;
  if (blocks.count == 1) {
    copy_blocks(n, blocks.data, 1, region, here);
    map_operands(n, first, n->p->ops.count);
    Block *b = &n->p->blocks.data[here];
    if (b->ops.count && !n->r->stop) {
      OpId last = b->ops.data[b->ops.count - 1];
      b->ops.count--;
      replace_results(n, &call, n->p->ops.data[last].operands);
    }
  } else if (splice) {
    copy_blocks(n, blocks.data, blocks.count, region, here);
    OpId end = n->p->ops.count;
    map_operands(n, first, end);
    rest = block_new(n->r, region, 0);
    array_push(n->arena, &n->p->regions.data[region].blocks, rest);
    turn_returns(n, first, end, RETURN_BRANCH, rest);
    ValueId *args = arena_array(n->arena, ValueId, call.result_count + 1);
    for (uint32_t i = 0; i < call.result_count; i++) {
      const Value old = n->p->values.data[call.first_result + i];
      args[i] = parser_new_value(n->r, old.type, 0, rest, i, old.name);
      n->p->values.data[args[i]].loc = call.loc;
    }
    n->p->blocks.data[rest].first_arg = call.result_count ? args[0] : 0;
    n->p->blocks.data[rest].arg_count = call.result_count;
    replace_results(n, &call, args);
  } else {
    Op op = {.code = OP_SCF_EXECUTE_REGION,
             .name = intern_text(n->p->names, "scf.execute_region"),
             .loc = call.loc,
             .span = call.span,
             .first_result = call.first_result,
             .result_count = call.result_count};
    array_push(n->arena, &n->p->ops, op);
    OpId id = n->p->ops.count - 1;
    RegionId *regions = arena_array(n->arena, RegionId, 1);
    *regions = region_new(n->r, id);
    BlockId inner = block_new(n->r, *regions, 0);
    array_push(n->arena, &n->p->regions.data[*regions].blocks, inner);
    copy_blocks(n, blocks.data, blocks.count, *regions, inner);
    map_operands(n, first + 1, n->p->ops.count);
    turn_returns(n, first + 1, n->p->ops.count, RETURN_YIELD, 0);
    n->p->ops.data[id].regions = regions, n->p->ops.data[id].region_count = 1;
    for (uint32_t i = 0; i < call.result_count; i++) n->p->values.data[call.first_result + i].op = id;
    push_op(n, here, id);
  }
  n->call_loc = outer_loc;
  return rest;
}

/* ---- all calls of a function */

static void visit_region(Inliner *n, RegionId region, bool cfg) {
  if (n->r->stop || !parser_enter(n->r)) return;
  BlockList blocks = {0};
  for (uint32_t i = 0; i < n->p->regions.data[region].blocks.count; i++)
    array_push(n->arena, &blocks, n->p->regions.data[region].blocks.data[i]);
  n->p->regions.data[region].blocks.count = 0; /* filled again, in order */
  for (uint32_t i = 0; i < blocks.count; i++) {
    BlockId here = blocks.data[i];
    array_push(n->arena, &n->p->regions.data[region].blocks, here);
    const Block old = n->p->blocks.data[here];
    bool any = false;
    for (uint32_t k = 0; k < old.ops.count; k++) {
      const Op op = n->p->ops.data[old.ops.data[k]];
      any |= op.code == OP_TT_CALL;
      for (uint32_t g = 0; g < op.region_count; g++) visit_region(n, op.regions[g], op.code == OP_SCF_EXECUTE_REGION);
    }
    if (!any) continue;
    n->p->blocks.data[here].ops.data = NULL;
    n->p->blocks.data[here].ops.count = n->p->blocks.data[here].ops.capacity = 0;
    for (uint32_t k = 0; k < old.ops.count && !n->r->stop; k++) {
      OpId id = old.ops.data[k];
      if (n->p->ops.data[id].code == OP_TT_CALL)
        here = inline_call(n, id, here, cfg);
      else
        push_op(n, here, id);
    }
  }
  parser_leave(n->r);
}

static bool check_call(Inliner *n, const Op *call) {
  const Function *f = callee_of(n, call);
  const char *name = program_op_text(n->p, call, "callee");
  if (!f)
    return parser_error(n->r, "call.unknown", call->span, NULL, "the function @%s is not defined", name ? name : "?");
  if (!n->p->regions.data[n->p->ops.data[f->op].regions[0]].blocks.count)
    return parser_error(n->r, "call.unknown", call->span, NULL, "the function @%s has no body", name);
  const Type *t = program_get_type(n->p, f->type);
  bool same = t->rank == call->operand_count && t->member_count - t->rank == call->result_count;
  for (uint32_t i = 0; same && i < call->operand_count; i++)
    same = n->p->values.data[call->operands[i]].type == t->members[i];
  for (uint32_t i = 0; same && i < call->result_count; i++)
    same = n->p->values.data[call->first_result + i].type == t->members[t->rank + i];
  return same || parser_error(n->r, "parse.type", call->span, NULL, "this call does not fit the type of @%s, %s", name,
                              parser_show_type(n->r, f->type));
}

/* Ops of a function, as the reader numbered them: those between its own and the next function's. */
static OpId end_of(const Inliner *n, uint32_t function, OpId end) {
  return function + 1 < n->p->functions.count ? n->p->functions.data[function + 1].op : end;
}

typedef struct Frame {
  uint32_t function;
  OpId at;
} Frame;

static bool visit_functions(Inliner *n, uint32_t root, OpId end) {
  Array(Frame) stack = {0};
  array_push(n->arena, &stack, (Frame){root, n->p->functions.data[root].op + 1});
  n->state[root] = 1;
  while (stack.count && !n->r->stop) {
    Frame *top = &stack.data[stack.count - 1];
    if (top->at >= end_of(n, top->function, end)) {
      uint32_t done = top->function;
      stack.count--;
      visit_region(n, n->p->ops.data[n->p->functions.data[done].op].regions[0], true);
      n->state[done] = 2;
      continue;
    }
    const Op op = n->p->ops.data[top->at++];
    if (op.code != OP_TT_CALL) continue;
    if (!check_call(n, &op)) return false;
    uint32_t callee = (uint32_t)(callee_of(n, &op) - n->p->functions.data);
    n->called[callee] = true;
    if (n->state[callee] == 1)
      return parser_error(n->r, "call.recursive", op.span, NULL, "recursive calls cannot be inlined");
    if (n->state[callee] == 2) continue;
    n->state[callee] = 1;
    array_push(n->arena, &stack, (Frame){callee, n->p->functions.data[callee].op + 1});
  }
  return !n->r->stop;
}

uint32_t *parser_index_functions(Parser *r) {
  const Program *p = r->p;
  uint32_t *function_of = arena_array(r->arena, uint32_t, p->names->text.count);
  for (uint32_t i = 0; i < p->functions.count; i++) {
    const Function *f = &p->functions.data[i];
    if (function_of[f->name])
      return parser_error(r, "parse.redefined", p->ops.data[f->op].span, NULL, "the function @%s is already defined",
                          intern_string(p->names, f->name)),
             NULL;
    function_of[f->name] = i + 1;
  }
  return function_of;
}

/* Called functions and declarations go. */
static void remove_functions(Inliner *n) {
  Program *p = n->p;
  Block *top = &p->blocks.data[p->regions.data[p->ops.data[p->module].regions[0]].blocks.data[0]];
  uint32_t kept = 0;
  top->ops.count = 0;
  for (uint32_t i = 0; i < p->functions.count; i++) {
    Function f = p->functions.data[i];
    bool has_body = p->regions.data[p->ops.data[f.op].regions[0]].blocks.count > 0;
    if (n->called[i] || !has_body) continue;
    p->functions.data[kept++] = f;
    top->ops.data[top->ops.count++] = f.op;
  }
  p->functions.count = kept;
}

static void resolve_all(Inliner *n) {
  if (!n->replace.count) return;
  for (OpId id = 1; id < n->p->ops.count; id++) {
    const Op *op = &n->p->ops.data[id];
    for (uint32_t i = 0; i < op->operand_count; i++) ((ValueId *)op->operands)[i] = resolve(n, op->operands[i]);
    for (uint32_t s = 0; s < op->successor_count; s++)
      for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
        ((ValueId *)op->successors[s].args)[i] = resolve(n, op->successors[s].args[i]);
  }
}

bool inline_calls(Parser *r) {
  Inliner n = {.r = r, .p = r->p, .arena = r->arena};
  n.names = n.p->names->text.count, n.function_of = parser_index_functions(r);
  if (!n.function_of) return false;
  n.state = arena_array(r->arena, uint8_t, r->p->functions.count);
  n.called = arena_array(r->arena, bool, r->p->functions.count);
  OpId end = r->p->ops.count;
  for (uint32_t i = 0; i < r->p->functions.count; i++)
    if (!n.state[i] && !visit_functions(&n, i, end)) return false;
  remove_functions(&n);
  resolve_all(&n);
  if (!r->p->functions.count)
    return parser_error(r, "input.no-function", (Span){0, 0}, "pass the .ttir file of a kernel",
                        "the file has no function with a body");
  return true;
}
