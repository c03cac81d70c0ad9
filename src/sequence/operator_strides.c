/* The strides that an operation file gives a tensor, against those that a kernel goes by (see operator.h).
 *
 * Axis by axis they are the same numbers, or else the kernel groups the axes in another way: it may go along [2, 5, 4,
 * 16] as [10, 4, 8, 2]. With the numbers of the launch in place of arguments,
 *
 * 1. each stride of the kernel is that of an axis, or that of a part which divides one: 2 in a row of 16, and not 3; in
 * order, from the innermost axis out;
 * 2. an axis with a stride that the kernel does not go by follows the next one without a gap, so that it is part of
 * that one. */
#include "sequence/operator_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Layout { /* axes of one element left out */
  uint32_t rank;
  int64_t extent[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK];
} Layout;

/* What a term is in the launch that is given. */
static bool number_in(const Launch *launch, const Recovery *recovery, Term t, int64_t *value) {
  const Execution *ex = recovery->ex;
  TermTable *tt = ex->tt;
  int64_t number;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *param = &ex->params.data[i];
    const LaunchArg *arg = param->is_pointer || param->given.is_constant || term_sort(tt, param->symbol) != SORT_INT
                               ? NULL
                               : operator_find_arg(launch, param->name, i);
    if (arg && arg->scalar && operator_is_number(arg->scalar, &number))
      t = term_replace(tt, t, param->symbol, term_int(tt, number));
  }
  for (uint32_t i = 0; i < 3 && i < launch->grid_count; i++)
    if (operator_is_number(launch->grid[i], &number)) t = term_replace(tt, t, ex->grid[i], term_int(tt, number));
  return term_is_int(tt, t, value);
}

static bool read_declared(const OperationTensor *t, Layout *out) {
  *out = (Layout){0};
  for (uint32_t k = 0; k < t->rank; k++) {
    if (!operator_is_number(t->shape[k], &out->extent[out->rank]) ||
        !operator_is_number(t->strides[k], &out->stride[out->rank]))
      return false;
    if (out->extent[out->rank] == 1) continue;
    if (out->extent[out->rank] < 1 || out->extent[out->rank] > INT32_MAX || out->stride[out->rank] < 1 ||
        out->stride[out->rank] > INT32_MAX)
      return false;
    out->rank++;
  }
  return true;
}

static bool read_own(const PointwiseTensor *t, const Launch *launch, const Recovery *recovery, Layout *out) {
  *out = (Layout){0};
  for (uint32_t k = 0; k < t->rank; k++) {
    bool known = number_in(launch, recovery, t->extent[k], &out->extent[out->rank]);
    if (known && out->extent[out->rank] == 1) continue;
    if (!number_in(launch, recovery, t->stride[k], &out->stride[out->rank]) || out->stride[out->rank] < 1 ||
        out->stride[out->rank] > INT32_MAX)
      return false;
    out->rank++;
  }
  return true;
}

/* Does the axis have the stride, or parts that have it? */
static bool steps_by(const Layout *layout, uint32_t axis, int64_t stride) {
  int64_t unit = layout->stride[axis], steps = stride / unit;
  return stride == unit || (stride % unit == 0 && steps < layout->extent[axis] && layout->extent[axis] % steps == 0);
}

static bool regroups(const Layout *declared, const Layout *own) {
  bool met[POINTWISE_MAX_RANK] = {0};
  uint32_t at = declared->rank; /* 1 + the axis of the last stride */
  for (uint32_t k = own->rank; k-- > 0;) {
    uint32_t axis = at;
    while (axis && !steps_by(declared, axis - 1, own->stride[k])) axis--;
    if (!axis || (axis == at && k + 1 < own->rank && own->stride[k] % own->stride[k + 1])) return false;
    at = axis;
    met[at - 1] |= own->stride[k] == declared->stride[at - 1];
  }
  for (uint32_t k = 0; k < declared->rank; k++)
    if (!met[k] &&
        (k + 1 == declared->rank || declared->stride[k] != declared->stride[k + 1] * declared->extent[k + 1]))
      return false;
  return true;
}

static void check_strides(const OperationTensor *t, const PointwiseTensor *own, const Launch *launch,
                          const Recovery *recovery, DiagnosticList *diagnostics) {
  const Pointwise *p = recovery->pointwise;
  int64_t is, declared, extent;
  Layout given, by;
  for (uint32_t k = 0; t->strides && t->rank == own->rank && k < t->rank; k++) {
    if (!operator_is_number(t->strides[k], &declared) || !term_is_int(p->tt, own->stride[k], &is) || is == declared)
      continue;
    if (operator_is_number(t->shape[k], &extent) && extent <= 1) continue;
    if (read_declared(t, &given) && read_own(own, launch, recovery, &by) && regroups(&given, &by)) return;
    diagnostic_add(diagnostics, SEVERITY_ERROR, "operation.strides", t->source, t->span, NULL,
                   "axis %u of %s has stride %lld, but %s goes along %s with stride %lld", k, t->name,
                   (long long)declared, p->kernel, own->name, (long long)is);
    return;
  }
}

void operator_check_strides(const Operation *operation, Recovery *const *launches, DiagnosticList *diagnostics) {
  for (uint32_t i = 0; i < operation->launches.count; i++) {
    const Launch *launch = &operation->launches.data[i];
    const Pointwise *p = launches[i]->pointwise;
    const Execution *ex = launches[i]->ex;
    for (uint32_t k = 0; k < p->tensors.count; k++) {
      const PointwiseTensor *own = &p->tensors.data[k];
      uint32_t place = 0;
      while (place + 1 < ex->params.count && ex->params.data[place].symbol != own->symbol) place++;
      const LaunchArg *arg = own->is_read || own->is_written ? operator_find_arg(launch, own->name, place) : NULL;
      for (uint32_t n = 0; arg && arg->tensor && n < operation->tensors.count; n++)
        if (!strcmp(operation->tensors.data[n].name, arg->tensor) && operation->tensors.data[n].source)
          check_strides(&operation->tensors.data[n], own, launch, launches[i], diagnostics);
    }
  }
}
