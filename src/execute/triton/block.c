/* Block pointers and descriptors: a base, a shape, strides and offsets, as one term.
 *
 * The value of tt.make_tensor_ptr, tt.advance and tt.make_tensor_descriptor is BLOCK(base, shape.., strides..,
 * offsets.., padding), an opaque pointer term whose parts are read back at the access. A lane l of a block lies at the
 * offsets plus l, an exact sum; a dimension that is checked masks the lanes outside of the shape. What a masked lane of
 * a load holds is the padding, and undefined without one. */
#include <string.h>

#include "execute/internal.h"

enum { PAD_NONE, PAD_ZERO, PAD_NAN };

typedef struct Box {
  ExecutePlace place;
  uint32_t rank, checked; /* checked: a bit for each dimension */
  Term base, shape[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], offset[TYPE_MAX_RANK];
  int padding;
} Box;

static Name block_name(const TermTable *tt) { return intern_text(tt->names, "block"); }

bool execute_is_block(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_OPAQUE && term_sort(tt, t) == SORT_PTR && term_aux(tt, t) == block_name(tt);
}

uint32_t execute_block_rank(const TermTable *tt, Term block) { return (term_count(tt, block) - 2) / 3; }

Term execute_block_offset(const TermTable *tt, Term block, uint32_t d) {
  return term_arg(tt, block, 1 + 2 * execute_block_rank(tt, block) + d);
}

Term execute_block_moved(TermTable *tt, Term block, const Term *offsets) {
  Term args[2 + 3 * TYPE_MAX_RANK];
  uint32_t n = term_count(tt, block), rank = execute_block_rank(tt, block);
  for (uint32_t i = 0; i < n; i++) args[i] = term_arg(tt, block, i);
  memcpy(args + 1 + 2 * rank, offsets, sizeof *offsets * rank);
  return term_opaque(tt, block_name(tt), SORT_PTR, n, args);
}

static int padding_of(const Machine *ex, const Op *op, int absent) {
  const char *text = program_op_text(ex->program, op, "padding");
  if (text) return strstr(text, "nan") || strstr(text, "NAN") ? PAD_NAN : PAD_ZERO;
  return program_op_attr(ex->program, op, "padding")
             ? program_op_int(ex->program, op, "padding", 1) == 2 ? PAD_NAN : PAD_ZERO
             : absent;
}

static void make(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  bool descriptor = op->code == OP_TT_MAKE_TENSOR_DESCRIPTOR;
  Term args[2 + 3 * TYPE_MAX_RANK];
  uint32_t rank = (op->operand_count - 1) / (descriptor ? 2 : 3), n = 0;
  if (rank > TYPE_MAX_RANK || (op->operand_count - 1) % (descriptor ? 2 : 3)) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "this block pointer is not executed yet");
    return;
  }
  for (; n < op->operand_count; n++) args[n] = execute_value(ex, op->operands[n]);
  while (n < 1 + 3 * rank) args[n++] = tt->zero;
  args[n++] = term_int(tt, descriptor ? padding_of(ex, op, PAD_ZERO) : PAD_NONE);
  if (!execute_stopped(ex)) execute_set(ex, op->first_result, term_opaque(tt, block_name(tt), SORT_PTR, n, args));
}

static void advance(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term block = execute_value(ex, op->operands[0]), offset[TYPE_MAX_RANK];
  if (!execute_is_block(tt, block) || execute_block_rank(tt, block) != op->operand_count - 1) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "a block pointer that was chosen or carried is not followed");
    return;
  }
  for (uint32_t d = 0; d + 1 < op->operand_count; d++)
    offset[d] = execute_fit(
        ex, id, term_add(tt, execute_block_offset(tt, block, d), execute_value(ex, op->operands[d + 1])), 32);
  execute_set(ex, op->first_result, execute_block_moved(tt, block, offset));
}

static bool open_box(Machine *ex, const Op *op, OpId id, ValueId value, Box *box) {
  TermTable *tt = ex->tt;
  const Program *p = ex->program;
  Term block = execute_value(ex, value);
  const Type *pointer = program_value_type(p, value);
  if (execute_stopped(ex)) return false;
  if (!execute_is_block(tt, block) || (pointer->kind != TYPE_POINTER && pointer->kind != TYPE_DESCRIPTOR)) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER,
                 "a block pointer that was chosen, carried or passed is not followed");
    return false;
  }
  const Type *shape = program_get_type(p, pointer->element);
  *box = (Box){.rank = execute_block_rank(tt, block), .checked = UINT32_MAX, .base = term_arg(tt, block, 0)};
  box->place = (ExecutePlace){shape->element, shape};
  for (uint32_t d = 0; d < box->rank; d++) {
    box->shape[d] = term_arg(tt, block, 1 + d);
    box->stride[d] = term_arg(tt, block, 1 + box->rank + d);
    box->offset[d] = execute_block_offset(tt, block, d);
  }
  int64_t padding;
  box->padding = term_is_int(tt, term_arg(tt, block, term_count(tt, block) - 1), &padding) ? (int)padding : PAD_ZERO;
  (void)op;
  return true;
}

/* The element offset of the lanes whose coordinates are `at`, and where all checked ones are inside. */
static Term box_offset(Machine *ex, const Box *box, const Term *at, Term *inside) {
  TermTable *tt = ex->tt;
  Term sum = tt->zero;
  *inside = tt->true_;
  for (uint32_t d = 0; d < box->rank; d++) {
    sum = term_add(tt, sum, term_mul(tt, at[d], box->stride[d]));
    if (!(box->checked >> d & 1)) continue;
    *inside = term_and(tt, *inside, term_and(tt, term_le(tt, tt->zero, at[d]), term_lt(tt, at[d], box->shape[d])));
  }
  return sum;
}

static void lane_coordinates(Machine *ex, const Box *box, Term *at) {
  for (uint32_t d = 0; d < box->rank; d++)
    at[d] = term_add(ex->tt, box->offset[d], execute_lane(ex, d, box->place.shape->dims[d]));
}

static Term box_load(Machine *ex, OpId id, const Box *box, const Term *at) {
  TermTable *tt = ex->tt;
  Term inside, offset = box_offset(ex, box, at, &inside), pointer = execute_pointer_add(tt, box->base, offset);
  if (!pointer) pointer = box->base;
  Term value = execute_load(ex, id, box->place, pointer, term_and(tt, ex->path, inside),
                            box->padding == PAD_NONE && inside != tt->true_);
  Term pad = box->padding == PAD_NONE                                       ? execute_absent(ex, id, value)
             : box->padding == PAD_NAN && term_sort(tt, value) == SORT_REAL ? term_float(tt, __builtin_nan(""))
             : term_sort(tt, value) == SORT_BOOL                            ? tt->false_
                                                                            : tt->zero;
  return term_select(tt, inside, value, pad);
}

static void box_store(Machine *ex, OpId id, const Box *box, const Term *at, Term value) {
  TermTable *tt = ex->tt;
  Term inside, offset = box_offset(ex, box, at, &inside), pointer = execute_pointer_add(tt, box->base, offset);
  execute_store(ex, id, box->place, pointer ? pointer : box->base, value, term_and(tt, ex->path, inside));
}

static void set_checked(const Machine *ex, const Op *op, Box *box) {
  AttrId list = program_op_attr(ex->program, op, "boundaryCheck");
  box->checked = 0;
  if (!list) return;
  const Attr *dims = program_get_attr(ex->program, list);
  for (uint32_t i = 0; i < dims->count; i++) {
    int64_t d = program_get_attr(ex->program, dims->items[i])->integer;
    if (d >= 0 && d < TYPE_MAX_RANK) box->checked |= 1u << d;
  }
}

bool execute_block_load(Machine *ex, const Op *op, OpId id) {
  Box box;
  Term at[TYPE_MAX_RANK];
  if (!execute_is_block(ex->tt, execute_value(ex, op->operands[0]))) return false;
  if (!open_box(ex, op, id, op->operands[0], &box)) return true;
  set_checked(ex, op, &box);
  box.padding = padding_of(ex, op, PAD_NONE);
  lane_coordinates(ex, &box, at);
  execute_set(ex, op->first_result, box_load(ex, id, &box, at));
  return true;
}

bool execute_block_store(Machine *ex, const Op *op, OpId id) {
  Box box;
  Term at[TYPE_MAX_RANK];
  if (!execute_is_block(ex->tt, execute_value(ex, op->operands[0]))) return false;
  if (!open_box(ex, op, id, op->operands[0], &box)) return true;
  set_checked(ex, op, &box);
  lane_coordinates(ex, &box, at);
  box_store(ex, id, &box, at, execute_value(ex, op->operands[1]));
  return true;
}

/* Rows of a two-dimensional descriptor: row i of the tile is row x[i]. */
static void rows(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Box box;
  bool load = op->code == OP_TT_DESCRIPTOR_GATHER;
  if (op->operand_count < (load ? 3u : 4u) || !open_box(ex, op, id, op->operands[0], &box)) return;
  const Type *tile = program_value_type(ex->program, load ? op->first_result : op->operands[3]);
  if (box.rank != 2 || tile->kind != TYPE_TENSOR || tile->rank != 2) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "rows of this descriptor are not followed");
    return;
  }
  box.place.shape = tile;
  Term at[2] = {execute_value(ex, op->operands[1]),
                term_add(tt, execute_value(ex, op->operands[2]), execute_lane(ex, 1, tile->dims[1]))};
  if (load)
    execute_set(ex, op->first_result, box_load(ex, id, &box, at));
  else
    box_store(ex, id, &box, at, execute_value(ex, op->operands[3]));
}

static void descriptor(Machine *ex, const Op *op, OpId id) {
  Box box;
  Term at[TYPE_MAX_RANK];
  uint32_t first = op->code == OP_TT_DESCRIPTOR_LOAD ? 1 : 2, before = ex->effects->accesses.count;
  if (!open_box(ex, op, id, op->operands[0], &box)) return;
  if (op->operand_count != first + box.rank) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "this access of a descriptor is not executed yet");
    return;
  }
  for (uint32_t d = 0; d < box.rank; d++) box.offset[d] = execute_value(ex, op->operands[first + d]);
  if (op->code == OP_TT_DESCRIPTOR_LOAD) { /* the result may have lost leading dimensions of one element */
    lane_coordinates(ex, &box, at);
    execute_set(ex, op->first_result, box_load(ex, id, &box, at));
    return;
  }
  int fold = -1;
  if (op->code == OP_TT_DESCRIPTOR_REDUCE && !execute_atomic_fold(program_op_text(ex->program, op, "kind"), &fold)) {
    execute_stop(ex, id, REASON_UNSUPPORTED_OP, "this kind of tt.descriptor_reduce is not executed yet");
    return;
  }
  lane_coordinates(ex, &box, at);
  box_store(ex, id, &box, at, execute_value(ex, op->operands[1]));
  for (uint32_t k = before; k < ex->effects->accesses.count && fold >= 0; k++)
    ex->effects->accesses.data[k].is_atomic = true, ex->effects->accesses.data[k].atomic_op = (TermFoldOp)fold;
}

bool execute_block_op(Machine *ex, const Op *op, OpId id) {
  if (op->code == OP_TT_MAKE_TENSOR_PTR || op->code == OP_TT_MAKE_TENSOR_DESCRIPTOR) {
    make(ex, op, id);
    return true;
  }
  if (op->code == OP_TT_ADVANCE) {
    advance(ex, op, id);
    return true;
  }
  if (op->code == OP_TT_DESCRIPTOR_LOAD || op->code == OP_TT_DESCRIPTOR_STORE || op->code == OP_TT_DESCRIPTOR_REDUCE) {
    descriptor(ex, op, id);
    return true;
  }
  if (op->code == OP_TT_DESCRIPTOR_GATHER || op->code == OP_TT_DESCRIPTOR_SCATTER) {
    rows(ex, op, id);
    return true;
  }
  return false;
}
