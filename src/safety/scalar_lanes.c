/* Which lanes a scalar matters to, and which threads a lane.
 *
 * A scalar is held by every lane of a program: all of them load it, and the first one stores it. A scalar that is read
 * from where the program itself stores one is a race, unless all lanes wait in between, or the first lane alone makes
 * something of what it has read: another scalar that is stored, say. What a splat, a branch, an address or a whole
 * tensor is made of matters to every lane.
 *
 * A tensor of fewer lanes than there are threads is held by every warp: all of them load it, and the lane's own thread
 * alone stores it. The other warps may read while that thread stores. What they hold is dropped where it is used by
 * stores in the same shape and layout alone, with folds and scans of it that are complete before: these come from lanes
 * of the thread's own warp, or by way of shared memory, and then every warp has loaded before. */
#include <math.h>
#include <string.h>

#include "safety/obligations_internal.h"

/* Four warps, as a kernel is launched with if it does not say otherwise; no launch has more than 1024 threads. */
enum { USUAL_THREADS = 128, MOST_THREADS = 1024, GREATEST_WARP = 64, LEAST_WARP = 32 };

/* What a value is made of. */
enum {
  MADE_OF_LOADED = 1,   /* at all */
  MADE_OF_FOLDS = 2,    /* folds, or what is moved, and not of the lanes themselves */
  MADE_OF_ROWS = 4,     /* ... folds that leave an axis */
  MADE_OF_MOVED = 8,    /* ... lanes that are in another shape, or elsewhere in it */
  MADE_OF_EARLIER = 16, /* ... what an iteration before has loaded, and stored to since */
};

typedef struct Reach {
  const Program *p;
  uint8_t *made;     /* by value: MADE_OF.. */
  bool *elsewhere;   /* by value: a tensor that may have the layout of another one */
  const Type *shape; /* of what was loaded; NULL: a scalar */
  OpId store;        /* which the copies of a lane may see */
  bool changed, leaves;
} Reach;

static void reach(Reach *r, ValueId value, uint8_t made) {
  r->changed |= (r->made[value] & made) != made;
  r->made[value] |= made;
}

static double elements_of(const Type *type) {
  double count = 1;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) count *= (double)type->dims[i];
  return count;
}

/* A number, or a tensor of one. */
static bool is_scalar(const Program *p, ValueId value) {
  const Type *type = program_value_type(p, value);
  TypeKind kind = type->kind == TYPE_TENSOR ? program_get_type(p, type->element)->kind : type->kind;
  return (kind == TYPE_INT || kind == TYPE_FLOAT) && elements_of(type) == 1;
}

static bool is_below(const Program *p, OpId id, OpId parent) {
  while (id && id != parent) {
    BlockId block = program_get_op(p, id)->block;
    id = block ? program_get_region(p, program_get_block(p, block)->region)->parent : 0;
  }
  return id == parent;
}

/* A fold to a scalar. */
static bool is_scalar_fold(uint8_t made) { return made & MADE_OF_FOLDS && !(made & (MADE_OF_ROWS | MADE_OF_MOVED)); }

/* Where the i-th value that the op hands on goes; the op is a loop, or ends a region. */
static void reach_along(Reach *r, OpId id, uint32_t i, ValueId value) {
  const Op *op = program_get_op(r->p, id);
  if (op->code != OP_SCF_FOR) id = program_get_region(r->p, program_get_block(r->p, op->block)->region)->parent;
  const Op *parent = program_get_op(r->p, id);
  bool is_loop = parent->code == OP_SCF_FOR;
  if (!is_loop && parent->code != OP_SCF_IF) {
    r->leaves = true;
    return;
  }
  uint8_t made = r->made[value];
  reach(r, program_result(parent, i), made);
  if (!is_loop) return;
  bool is_later = op != parent && r->shape && r->store && is_below(r->p, r->store, id) && !is_scalar_fold(made);
  const Region *body = program_get_region(r->p, parent->regions[0]);
  reach(r, program_get_block(r->p, body->blocks.data[0])->first_arg + 1 + i, made | (is_later ? MADE_OF_EARLIER : 0));
}

static bool has_shape(const Reach *r, ValueId value) {
  const Type *type = program_value_type(r->p, value);
  return type->kind == TYPE_TENSOR && type->rank == r->shape->rank &&
         !memcmp(type->dims, r->shape->dims, type->rank * sizeof *type->dims);
}

/* Elements stay where they are, as operands and results have one shape. */
static bool is_elementwise(const Op *op) {
  switch (program_op_family(op->code)) {
  case OP_FAMILY_INT:
  case OP_FAMILY_SHIFT:
  case OP_FAMILY_DIVISION:
  case OP_FAMILY_WIDE:
  case OP_FAMILY_BITS:
  case OP_FAMILY_COMPARE:
  case OP_FAMILY_SELECT:
  case OP_FAMILY_WIDTH:
  case OP_FAMILY_CONVERT:
  case OP_FAMILY_BITCAST:
  case OP_FAMILY_FLOAT:
  case OP_FAMILY_FUNCTION:
  case OP_FAMILY_EXTERN: return true;
  case OP_FAMILY_NONE:
  case OP_FAMILY_SPREAD:
  case OP_FAMILY_PERMUTE:
  case OP_FAMILY_COMBINE:
  case OP_FAMILY_LEAF:
  case OP_FAMILY_FOLD:
  case OP_FAMILY_MEMORY:
  case OP_FAMILY_BLOCK:
  case OP_FAMILY_ARRAY:
  case OP_FAMILY_CLAIM:
  case OP_FAMILY_IDLE:
  case OP_FAMILY_CONTROL:
  case OP_FAMILY_END:
  case OP_FAMILY_WHOLE: return false;
  }
  return false;
}

/* ---- layouts of other tiles ---- */

/* Lanes that are moved, and folds of a greater tile that leave an axis, lie as that does. */
static bool is_made_elsewhere(const Reach *r, const Op *op) {
  OpFamily family = program_op_family(op->code);
  if (family != OP_FAMILY_PERMUTE && family != OP_FAMILY_COMBINE && family != OP_FAMILY_FOLD) return false;
  const Type *from = program_value_type(r->p, op->operands[0]), *to = program_value_type(r->p, program_result(op, 0));
  if (to->kind != TYPE_TENSOR) return false;
  if (op->code == OP_TT_REDUCE || op->code == OP_TT_SCAN)
    return from->rank > r->shape->rank || elements_of(from) > elements_of(r->shape);
  return from->rank != to->rank || memcmp(from->dims, to->dims, to->rank * sizeof *to->dims) != 0 ||
         op->code != OP_TT_RESHAPE;
}

static void put_elsewhere(Reach *r, ValueId value) {
  if (r->elsewhere[value] || program_value_type(r->p, value)->kind != TYPE_TENSOR) return;
  r->elsewhere[value] = r->changed = true;
}

/* What an op of control hands on, anything to anything. */
static void put_control_elsewhere(Reach *r, const Op *op) {
  for (uint32_t k = 0; k < op->result_count; k++) put_elsewhere(r, program_result(op, k));
  for (uint32_t i = 0; i < op->region_count; i++) {
    const Region *region = program_get_region(r->p, op->regions[i]);
    for (uint32_t b = 0; b < region->blocks.count; b++) {
      const Block *block = program_get_block(r->p, region->blocks.data[b]);
      for (uint32_t k = 0; k < block->arg_count; k++) put_elsewhere(r, block->first_arg + k);
    }
  }
}

static void find_elsewhere(Reach *r) {
  do {
    r->changed = false;
    for (OpId id = 1; id < r->p->ops.count; id++) {
      const Op *op = program_get_op(r->p, id);
      bool is_so = op->result_count && is_made_elsewhere(r, op);
      for (uint32_t i = 0; i < op->operand_count && !is_so; i++) is_so = r->elsewhere[op->operands[i]];
      if (!is_so) continue;
      if (program_op_family(op->code) == OP_FAMILY_END && op->block)
        op = program_get_op(r->p, program_get_region(r->p, program_get_block(r->p, op->block)->region)->parent);
      put_control_elsewhere(r, op);
    }
  } while (r->changed);
}

/* A tensor of few lanes that meets one of another layout is loaded once more as that lies, by warps that wait for
 * nobody; and a fold may be another number in these. */
static bool meets_elsewhere(const Reach *r, const Op *op, uint32_t own) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (i != own && r->elsewhere[op->operands[i]]) return true;
  return false;
}

/* A fold is complete before the store if it comes first, or if one warp has all lanes. */
static bool is_complete(const Reach *r, OpId fold, uint8_t made) {
  return (fold < r->store && !(made & MADE_OF_EARLIER)) ||
         (elements_of(r->shape) <= LEAST_WARP && !(made & MADE_OF_MOVED));
}

/* The threads that store have the right value: those of the lanes, or of a complete fold those of the first warp. What
 * is moved may have been loaded as it lies there then, by warps that wait for nobody. */
static bool is_stored_by_own(const Reach *r, ValueId place, uint8_t made) {
  if (is_scalar_fold(made)) return elements_of(program_value_type(r->p, place)) <= elements_of(r->shape);
  return has_shape(r, place) && !(made & MADE_OF_MOVED);
}

/* Warps that have another condition do no harm in a branch where nothing is moved or waited for, and where scalars and
 * lanes of the shape alone are stored. */
static bool is_taken_by_own(const Reach *r, OpId branch) {
  for (OpId id = branch; id < r->p->ops.count; id++) {
    if (!is_below(r->p, id, branch)) continue;
    const Op *op = program_get_op(r->p, id);
    OpFamily family = program_op_family(op->code);
    if (meets_elsewhere(r, op, UINT32_MAX)) return false;
    if (!is_elementwise(op) && op->code != OP_TT_ADDPTR && op->code != OP_TT_LOAD && op->code != OP_TT_STORE &&
        op->code != OP_TT_SPLAT && op->code != OP_SCF_IF && op->code != OP_SCF_YIELD && family != OP_FAMILY_LEAF)
      return false;
    ValueId first = op->code == OP_TT_STORE ? op->operands[0] : program_result(op, 0);
    for (uint32_t i = 0; i < op->result_count + (op->code == OP_TT_STORE); i++)
      if (program_value_type(r->p, first + i)->kind == TYPE_TENSOR && !has_shape(r, first + i)) return false;
  }
  return true;
}

/* What becomes of a lane that several warps hold. */
static void reach_copies(Reach *r, OpId id, uint32_t i) {
  const Op *op = program_get_op(r->p, id);
  OpFamily family = program_op_family(op->code);
  uint8_t from = r->made[op->operands[i]];
  if (op->code == OP_SCF_YIELD || (op->code == OP_SCF_FOR && i >= 3)) {
    reach_along(r, id, op->code == OP_SCF_YIELD ? i : i - 3, op->operands[i]);
    return;
  }
  bool is_wide = elements_of(program_value_type(r->p, op->operands[i])) > elements_of(r->shape);
  if (meets_elsewhere(r, op, i) || (is_wide && family == OP_FAMILY_FOLD)) { /* a fold may be another number elsewhere */
    r->leaves = true;
    return;
  }
  if (op->code == OP_TT_STORE) {
    r->leaves |= !is_stored_by_own(r, op->operands[0], from);
    return;
  }
  if (op->code == OP_SCF_IF) {
    r->leaves |= !is_scalar_fold(from) || !is_taken_by_own(r, id);
    for (uint32_t k = 0; k < op->result_count && !r->leaves; k++)
      reach(r, program_result(op, k), has_shape(r, program_result(op, k)) ? MADE_OF_LOADED : from);
    return;
  }
  bool is_fold = op->code == OP_TT_REDUCE && is_complete(r, id, from);
  bool stays = is_elementwise(op) || op->code == OP_TT_ADDPTR || op->code == OP_TT_LOAD ||
               (family == OP_FAMILY_SPREAD && from & MADE_OF_FOLDS) ||
               (op->code == OP_TT_SCAN && is_complete(r, id, from));
  bool is_moved = family == OP_FAMILY_PERMUTE && id < r->store && !(from & MADE_OF_EARLIER);
  bool is_vector = op->code == OP_TT_RESHAPE && r->shape->rank == 1 && has_shape(r, program_result(op, 0));
  r->leaves |= !op->result_count || (!is_fold && !stays && !is_moved && !is_vector);
  for (uint32_t k = 0; k < op->result_count && !r->leaves; k++) {
    ValueId to = program_result(op, k);
    uint8_t made = from;
    if (is_fold)
      made = MADE_OF_LOADED | MADE_OF_FOLDS |
             (program_value_type(r->p, to)->kind == TYPE_TENSOR ? (from & MADE_OF_MOVED) | MADE_OF_ROWS : 0);
    else if (is_moved && !is_vector)
      made |= MADE_OF_FOLDS | MADE_OF_MOVED;
    else if (has_shape(r, to) && !(from & MADE_OF_MOVED))
      made = MADE_OF_LOADED | (from & MADE_OF_EARLIER); /* each thread has its lanes again */
    r->leaves |= has_shape(r, to) ? (made & MADE_OF_MOVED) != 0 : !(made & MADE_OF_FOLDS);
    reach(r, to, made);
  }
}

static void reach_from(Reach *r, OpId id, uint32_t i) {
  const Op *op = program_get_op(r->p, id);
  bool is_stored = (op->code == OP_TT_STORE || op->code == OP_TT_ATOMIC_RMW) && i >= 1;
  if (is_stored && elements_of(program_value_type(r->p, op->operands[0])) == 1) return;
  if (op->code == OP_SCF_YIELD || (op->code == OP_SCF_FOR && i >= 3)) {
    reach_along(r, id, op->code == OP_SCF_YIELD ? i : i - 3, op->operands[i]);
    return;
  }
  bool is_plain = op->result_count > 0 && !op->region_count;
  for (uint32_t k = 0; k < op->result_count; k++) is_plain = is_plain && is_scalar(r->p, program_result(op, k));
  OpFamily family = program_op_family(op->code);
  if (!is_plain || family == OP_FAMILY_MEMORY || family == OP_FAMILY_CONTROL)
    r->leaves = true;
  else
    for (uint32_t k = 0; k < op->result_count; k++) reach(r, program_result(op, k), MADE_OF_LOADED);
}

/* A scalar is held by as many as the greatest tensor has. */
bool safety_has_lanes_of(const Safety *s, ValueId folded, ValueId loaded) {
  const Program *p = s->on->ex->program;
  double count = elements_of(program_value_type(p, folded)), most = elements_of(program_value_type(p, loaded));
  for (ValueId i = 1; i < p->values.count && elements_of(program_value_type(p, loaded)) == 1; i++)
    most = fmax(most, elements_of(program_value_type(p, i)));
  return count >= most;
}

/* Follows what the load gives to all that is made of it. */
static bool reaches_others(Reach *r, ValueId loaded) {
  const Program *p = r->p;
  reach(r, loaded, MADE_OF_LOADED);
  while (r->changed && !r->leaves) {
    r->changed = false;
    for (OpId id = 1; id < p->ops.count && !r->leaves; id++) {
      const Op *user = program_get_op(p, id);
      for (uint32_t i = 0; i < user->operand_count && !r->leaves; i++) {
        if (!r->made[user->operands[i]]) continue;
        if (r->shape)
          reach_copies(r, id, i);
        else
          reach_from(r, id, i);
      }
    }
  }
  return r->leaves;
}

static Reach new_reach(const Safety *s) {
  const Program *p = s->on->ex->program;
  return (Reach){.p = p,
                 .made = arena_array(s->arena, uint8_t, p->values.count + 1),
                 .elsewhere = arena_array(s->arena, bool, p->values.count + 1)};
}

bool safety_matters_to_all_lanes(const Safety *s, const Access *load) {
  const Program *p = s->on->ex->program;
  const Op *op = program_get_op(p, load->op);
  if (p->is_host || load->is_store || load->is_atomic || op->code != OP_TT_LOAD) return false;
  if (!is_scalar(p, program_result(op, 0))) return false;
  Reach r = new_reach(s);
  return reaches_others(&r, program_result(op, 0));
}

/* How many threads are to be expected: as many as the greatest tensor has lanes. */
static double threads_of(const Program *p) {
  double most = USUAL_THREADS;
  for (ValueId i = 1; i < p->values.count; i++) most = fmax(most, elements_of(program_value_type(p, i)));
  return fmin(most, MOST_THREADS);
}

bool safety_folds_across_warps(const Safety *s, ValueId folded) {
  const Program *p = s->on->ex->program;
  double count = elements_of(program_value_type(p, folded));
  return count > GREATEST_WARP || count >= threads_of(p);
}

/* The axis along which the access goes element by element; the last one if it goes along none. False: it is not known.
 */
static bool find_contiguous(const Safety *s, const Access *a, uint32_t *axis) {
  TermTable *tt = s->on->ex->tt;
  uint32_t count = 0;
  *axis = a->rank - 1;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!a->lanes[i]) continue;
    Term next = term_replace(tt, a->offset, a->lanes[i], term_add(tt, a->lanes[i], tt->one));
    Term step = term_sub(tt, next, a->offset);
    for (uint32_t k = 0; k < a->rank; k++)
      if (a->lanes[k] && term_has_symbol(tt, step, a->lanes[k])) return false;
    if (step != tt->one) continue;
    *axis = i;
    count++;
  }
  return count <= 1;
}

/* Threads go along the contiguous axis first: all that is accessed in that shape has one layout if it has one such
 * axis. Else a store behind another one may wait for lanes that other warps hold. */
static bool has_one_layout(const Safety *s, const Access *load) {
  const Effects *ex = s->on->ex;
  uint32_t axes = 0, axis, other;
  for (uint32_t i = 0; i < load->rank; i++) axes += load->lanes[i] != 0;
  if (axes <= 1) return true;
  if (!find_contiguous(s, load, &axis)) return false;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *b = &ex->accesses.data[i];
    bool is_alike = b->rank == load->rank && !memcmp(b->lanes, load->lanes, sizeof b->lanes);
    if (is_alike && (!find_contiguous(s, b, &other) || other != axis)) return false;
  }
  return true;
}

bool safety_copies_matter(const Safety *s, const Access *load, OpId store) {
  const Program *p = s->on->ex->program;
  const Op *op = program_get_op(p, load->op);
  if (p->is_host || load->is_store || load->is_atomic || !op->result_count) return false;
  ValueId loaded = program_result(op, 0);
  const Type *type = program_value_type(p, loaded);
  if (type->kind != TYPE_TENSOR || elements_of(type) == 1 || elements_of(type) >= threads_of(p)) return false;
  if (!has_one_layout(s, load)) return true;
  Reach r = new_reach(s);
  r.shape = type;
  r.store = store;
  find_elsewhere(&r);
  return reaches_others(&r, loaded);
}
