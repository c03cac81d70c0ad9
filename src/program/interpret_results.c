/* Results of a function in the interpreter: what a return leaves is stored, row-major, to a buffer of its own.
 *
 * The launch passes one address for each result behind those of the parameters. A function that asks for its program id
 * is one of many that run, so that each program has a place of its own: the axes of the ids that are asked for come
 * first, z before y before x, as execute/results.c has them. Lanes that a sparse run does not compute lie on the line
 * between the ends of their run, which their addresses say (interpret_sparse.c). */
#include "program/interpret_state.h"

/* The number of the running program among those that have results of their own. */
static int64_t result_number(const Interp *it, const Function *function) {
  int64_t number = 0;
  for (uint32_t axis = 3; axis-- > 0;)
    if (program_asks_for_id(it->program, function, axis)) number = number * it->grid[axis] + it->pid[axis];
  return number;
}

static int64_t element_of_lane(const Interp *it, const Type *type, int64_t lane) {
  int64_t element = 0, step = 1;
  for (uint32_t d = type->kind == TYPE_TENSOR ? type->rank : 0; d-- > 0; step *= type->dims[d]) {
    int64_t dim = interpret_dim(it, type->dims[d]);
    element += interpret_position(it, type->dims[d], lane % dim) * step;
    lane /= dim;
  }
  return element;
}

void interpret_store_result(Interp *it, const Function *function, uint32_t i, int64_t address, const Lanes *values) {
  TypeId id = program_result_type(it->program, function, i);
  const Type *type = program_get_type(it->program, id);
  Element e = interpret_element(it, id);
  Lanes at = interpret_lanes(it, interpret_lane_count(it, id), true);
  if (values->count != at.count) interpret_ill_typed(it);
  address += result_number(it, function) * program_lane_count(it->program, id) * e.size;
  for (int64_t k = 0; k < at.count; k++) {
    at.i[k] = address + element_of_lane(it, type, k) * e.size;
    if (interpret_is_sparse(it, id) && interpret_is_between(it, id, k, -1)) at.mark[k] = MARK_AFFINE;
  }
  it->stamp++;
  interpret_spread(it, id, &at, &(Lanes){0}, values, e.size);
  for (int64_t k = 0; k < at.count; k++)
    interpret_store_lane(it, &e, at.i[k], at.mark[k], (InterpretCell){.integer = values->i[k]},
                         values->mark ? values->mark[k] : 0, k);
}
