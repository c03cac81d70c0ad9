/* The arrays that a launch of numbers gives, for emitted code, which takes them as they are. */
#include "sequence/operator_internal.h"

#include <string.h>

/* True if all launches that are given the tensor begin at its first element. */
static bool begins_at_first(const Operator *o, const char *name) {
  for (uint32_t i = 0; i < o->operation->launches.count; i++) {
    const Launch *launch = &o->operation->launches.data[i];
    for (uint32_t k = 0; k < launch->args.count; k++) {
      const LaunchArg *arg = &launch->args.data[k];
      int64_t offset = 0;
      if (arg->tensor && !strcmp(arg->tensor, name) && arg->offset && (!expr_number(arg->offset, &offset) || offset))
        return false;
    }
  }
  return true;
}

/* Axes of numbers, row-major and without gaps. */
static bool is_packed(const OperationTensor *from, int64_t *shape) {
  int64_t packed = 1, stride;
  for (uint32_t k = from->rank; k-- > 0;) {
    if (!expr_number(from->shape[k], &shape[k]) || shape[k] < 1) return false;
    if (from->strides && (!expr_number(from->strides[k], &stride) || (shape[k] > 1 && stride != packed))) return false;
    if (__builtin_mul_overflow(packed, shape[k], &packed)) return false;
  }
  return true;
}

/* True if the axes of more than one element are those of the form, in their order. What they are as an array is then
 * no matter of strides. */
static bool has_form_axes(const PointwiseGiven *given, const OperationTensor *from, uint32_t rank) {
  uint32_t axis = 0;
  for (uint32_t k = 0; k < from->rank; k++) {
    int64_t stride;
    if (given->shape[k] == 1) continue;
    while (axis < rank && given->extent[axis] == 1) axis++;
    if (axis == rank || given->extent[axis] != given->shape[k] || !from->strides ||
        !expr_number(from->strides[k], &stride) || stride != given->stride[axis++])
      return false;
  }
  while (axis < rank && given->extent[axis] == 1) axis++;
  return axis == rank;
}

static bool all_lengths(const OperationTensor *from, int64_t *shape) {
  for (uint32_t k = 0; k < from->rank; k++)
    if (!expr_number(from->shape[k], &shape[k]) || shape[k] < 1) return false;
  return true;
}

static const PointwiseGiven *given_array(Operator *o, const PointwiseTensor *t, const OperationTensor *from) {
  PointwiseGiven *given = arena_new(o->arena, PointwiseGiven);
  given->rank = from->rank;
  if (from->rank > POINTWISE_MAX_RANK || from->own_shape || !all_lengths(from, given->shape) ||
      !begins_at_first(o, t->name))
    return NULL;
  for (uint32_t k = 0; k < t->rank; k++) {
    if (!operator_sample(o, t->stride[k], &given->stride[k])) return NULL;
    if (!operator_sample(o, t->extent[k], &given->extent[k])) given->extent[k] = 0;
  }
  if (is_packed(from, given->shape)) return given;
  if (!has_form_axes(given, from, t->rank)) return NULL;
  int64_t packed = 1;
  for (uint32_t k = t->rank; k-- > 0; packed *= given->extent[k]) given->stride[k] = packed;
  return given;
}

void operator_take_arrays(Operator *o) {
  Pointwise *p = o->out->pointwise;
  for (uint32_t i = 0; p && i < p->tensors.count; i++)
    for (uint32_t k = 0; k < o->operation->tensors.count && o->operation->has_tensors; k++)
      if (!strcmp(o->operation->tensors.data[k].name, p->tensors.data[i].name))
        p->tensors.data[i].given = given_array(o, &p->tensors.data[i], &o->operation->tensors.data[k]);
}
