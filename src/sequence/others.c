/* One launch of an operation among the others (see others.h).
 *
 * Tensors are told apart by the operation's names, under which each launch is given them. A launch that stopped may
 * write all that it is given. */
#include "sequence/others.h"

#include <string.h>

#include "operation/launch.h"

typedef struct Others {
  Arena *arena;
  const Operation *operation;
  Claim *const *launches;
} Others;

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* The same kernel, grid and arguments: what an autotuner does that runs a kernel to time it. */
static bool is_again(const Launch *a, const Launch *b) {
  bool same = a->source == b->source && same_text(a->kernel, b->kernel) && a->grid_count == b->grid_count &&
              a->args.count == b->args.count;
  for (uint32_t i = 0; i < a->grid_count && same; i++) same = expr_same(a->grid[i], b->grid[i]);
  for (uint32_t i = 0; i < a->args.count && same; i++) {
    const LaunchArg *x = &a->args.data[i], *y = &b->args.data[i];
    same = same_text(x->param, y->param) && same_text(x->tensor, y->tensor) && expr_same(x->offset, y->offset) &&
           expr_same(x->scalar, y->scalar);
  }
  return same;
}

/* The tensor of the operation that a pointer of launch i is. */
static const char *tensor_name(const Others *l, uint32_t i, uint32_t param) {
  const char *own = l->launches[i]->ex->params.data[param].name;
  const LaunchArg *arg = launch_find_arg(&l->operation->launches.data[i], own, param);
  return arg && arg->tensor ? arg->tensor : own;
}

/* True if launch i may write the tensor. */
static bool may_write(const Others *l, uint32_t i, const char *name) {
  const Claim *r = l->launches[i];
  for (uint32_t n = 0; n < r->ex->params.count; n++) {
    if (!r->ex->params.data[n].is_pointer || strcmp(tensor_name(l, i, n), name)) continue;
    const PointwiseTensor *t =
        r->stop_code || !r->pointwise ? NULL : pointwise_tensor(r->pointwise, r->ex->params.data[n].symbol);
    if (!t || t->is_written) return true;
  }
  return false;
}

static void note_results(Others *l, uint32_t i, Launch *launch) {
  const Effects *ex = l->launches[i]->ex;
  for (uint32_t n = 0; n < ex->params.count; n++) {
    const char *name = ex->params.data[n].is_pointer ? tensor_name(l, i, n) : NULL;
    bool written = false;
    for (uint32_t k = 0; name && k < i; k++) written |= may_write(l, k, name);
    if (written) array_push(l->arena, &launch->results, name);
  }
}

static bool is_temporary(const Others *l, const char *name) {
  for (uint32_t i = 0; name && i < l->operation->tensors.count; i++)
    if (!strcmp(l->operation->tensors.data[i].name, name)) return l->operation->tensors.data[i].temporary;
  return false;
}

/* What other launches write as well, and temporaries, of which only what is read has to be written: whether all of it
 * is written is asked of the operation. */
static void share_outputs(Others *l, uint32_t i, Launch *launch) {
  const Claim *r = l->launches[i];
  for (uint32_t n = 0; n < r->ex->params.count; n++) {
    const char *name = r->ex->params.data[n].is_pointer ? tensor_name(l, i, n) : NULL;
    bool shared = is_temporary(l, name);
    for (uint32_t k = 0; name && k < l->operation->launches.count; k++) shared |= k != i && may_write(l, k, name);
    if (shared && may_write(l, i, name)) array_push(l->arena, &launch->shared, name);
  }
}

/* "(N - 1) >= 1" of an argument that another launch is given as N - 1, and that is a size there: a witness is a launch
 * of the operation. */
static void note_others(Others *l, uint32_t i, Launch *launch) {
  for (uint32_t k = 0; k < l->operation->launches.count; k++) {
    const Effects *ex = l->launches[k]->ex;
    for (uint32_t n = 0; k != i && n < ex->params.count; n++) {
      const Param *param = &ex->params.data[n];
      const LaunchArg *arg =
          param->is_pointer ? NULL : launch_find_arg(&l->operation->launches.data[k], param->name, n);
      bool is_plain = !arg || !arg->scalar || !arg->scalar->tree || arg->scalar->is_integer || expr_name(arg->scalar);
      if (!is_plain && param->is_size) array_push(l->arena, &launch->others, expr_at_least_one(l->arena, arg->scalar));
    }
  }
}

const Operation *sequence_single(Arena *arena, const Operation *operation, Claim *const *launches, uint32_t i) {
  Others *l = &(Others){arena, operation, launches};
  Operation *single = arena_new(l->arena, Operation);
  Launch *launch = arena_new(l->arena, Launch);
  *single = *l->operation;
  *launch = l->operation->launches.data[i];
  launch->is_repeated = l->operation->has_tensors && i + 1 < l->operation->launches.count &&
                        is_again(launch, &l->operation->launches.data[i + 1]);
  note_results(l, i, launch);
  share_outputs(l, i, launch);
  note_others(l, i, launch);
  single->launches.data = launch, single->launches.count = 1;
  return single;
}
