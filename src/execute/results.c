/* Results of a function are outputs: each is a tensor of its own that the return writes.
 *
 * A scalar is one element, a tensor<4x8xf32> has the shape of its type, row-major. So everything behind execution
 * treats what a function returns as it treats what a kernel stores. Several returns were merged by the conditions that
 * lead to them. A function that asks for its program id runs once for each program of a launch, and has one result for
 * each: the axes of the ids that are asked for come first, z before y before x (program/interpret_results.c). */
#include <string.h>

#include "execute/internal.h"

static bool is_name_of_other(const Machine *ex, const char *name) {
  for (uint32_t i = 0; i < ex->effects->params.count; i++)
    if (!ex->effects->params.data[i].is_result && !strcmp(ex->effects->params.data[i].name, name)) return true;
  return false;
}

/* `result`, or `result_0`, `result_1`, .. of several; with `_` behind it where a parameter has that name. */
static const char *result_name(const Machine *ex, uint32_t i, uint32_t count) {
  const char *name = count == 1 ? "result" : arena_format(ex->arena, "result_%u", i);
  while (is_name_of_other(ex, name)) name = arena_format(ex->arena, "%s_", name);
  return name;
}

static void make_result(Machine *ex, TypeId type, const char *name) {
  TermTable *tt = ex->tt;
  TypeId id = program_element_type(ex->program, type);
  const Type *element = program_get_type(ex->program, id);
  bool is_int = element->kind == TYPE_INT && element->width <= 64, is_real = element->kind == TYPE_FLOAT;
  const Type *whole = program_get_type(ex->program, type);
  bool fits = whole->kind != TYPE_TENSOR || whole->rank + 3 <= EXECUTE_MAX_RESULT_RANK;
  if (!fits || (!is_int && !is_real && element->kind != TYPE_INDEX)) {
    execute_stop(ex, ex->function->op, REASON_UNSUPPORTED_RESULT, "%s has a type that is not executed yet", name);
    return;
  }
  Param param = {.name = name, .type = type, .element = id, .is_pointer = true, .is_result = true};
  param.symbol = term_symbol_new(tt, intern_text(tt->names, name), is_real ? SORT_REAL : SORT_INT, SYMBOL_TENSOR);
  array_push(ex->arena, &ex->effects->params, param);
}

void execute_make_results(Machine *ex) {
  uint32_t count = program_result_count(ex->program, ex->function);
  for (uint32_t i = 0; i < count && !execute_stopped(ex); i++)
    make_result(ex, program_result_type(ex->program, ex->function, i), result_name(ex, i, count));
}

const Param *execute_result(const Effects *ex, Term tensor) {
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (ex->params.data[i].is_result && ex->params.data[i].symbol == tensor) return &ex->params.data[i];
  return NULL;
}

/* The ids that the function asks for, z first. */
static uint32_t program_axes(const Effects *ex, uint32_t *axes) {
  uint32_t n = 0;
  for (uint32_t axis = 3; axis-- > 0;)
    if (program_asks_for_id(ex->program, ex->function, axis)) axes[n++] = axis;
  return n;
}

uint32_t execute_result_shape(const Effects *ex, const Param *result, Term *extents) {
  const Type *type = program_get_type(ex->program, result->type);
  uint32_t axes[3], rank = program_axes(ex, axes);
  for (uint32_t i = 0; i < rank; i++) extents[i] = ex->grid[axes[i]];
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++)
    extents[rank++] = term_int(ex->tt, type->dims[i]);
  return rank;
}

static void store_result(Machine *ex, const Param *param, Term value) {
  TermTable *tt = ex->tt;
  const Type *type = program_get_type(ex->program, param->type);
  uint32_t axes[3], programs = program_axes(ex->effects, axes);
  Term extents[EXECUTE_MAX_RESULT_RANK], offset = tt->zero;
  uint32_t rank = execute_result_shape(ex->effects, param, extents);
  for (uint32_t i = 0; i < rank; i++) {
    Term index = i < programs ? ex->effects->pid[axes[i]] : execute_lane(ex, i - programs, type->dims[i - programs]);
    offset = term_add(tt, term_mul(tt, offset, extents[i]), index);
  }
  execute_store(ex, ex->return_op, (ExecutePlace){param->element, type}, term_ptr(tt, param->symbol, offset), value,
                ex->returned);
}

void execute_store_results(Machine *ex, const Term *values) {
  for (uint32_t i = 0; i < ex->effects->params.count && ex->returned; i++)
    if (ex->effects->params.data[i].is_result) store_result(ex, &ex->effects->params.data[i], *values++);
}
