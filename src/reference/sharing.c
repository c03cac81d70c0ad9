/* Values that may share their elements: y = x, views, what is returned as it came in.
 *
 * PyTorch and NumPy change a tensor in place in `x += 1`, and Python a list in `l += [3]`: everyone who has it sees
 * that. Here values are immutable; a change makes a new value for the name at hand, and every other value that shares
 * the elements, or may, is out of date: using it is a diagnostic. Numbers of Python are not shared. */
#include <string.h>

#include "reference/internal.h"

struct Storage {
  uint32_t changes;
  const PyNode *at;           /* the last of them */
  bool is_default;            /* of a parameter: kept from call to call */
  bool is_argument;           /* of the reference: whoever calls it sees the changes */
  const TensorExpr *under;    /* it is made where that holds, and changed there */
  const TensorExpr *contents; /* of a tensor, after the last change */
};

struct Share {
  Storage *storage;
  uint32_t changes; /* that the value knows of */
  bool is_all;      /* the value is what is stored there: no part of it, and no copy */
  const Share *next;
};

static const Share *add_share(Evaluator *e, const Share *all, Share share) {
  for (const Share *s = all; s; s = s->next)
    if (s->storage == share.storage) return all;
  Share *s = arena_new(e->arena, Share);
  *s = share, s->next = all;
  return s;
}

void value_own(Evaluator *e, Value *v) {
  Storage *storage = arena_new(e->arena, Storage);
  storage->under = e->under, storage->contents = v->tensor;
  v->shares = add_share(e, NULL, (Share){.storage = storage, .is_all = true});
}

void value_of_caller(const Value *v) {
  for (const Share *s = v->shares; s; s = s->next) s->storage->is_argument = true;
}

const TensorExpr *value_contents(const Value *argument) {
  const Storage *storage = argument->is_number || !argument->shares ? NULL : argument->shares->storage;
  return storage && storage->changes ? storage->contents : NULL;
}

bool value_is_of(const Value *v, const Value *argument) {
  for (const Share *s = v->shares; s && !argument->is_number && argument->shares; s = s->next)
    if (s->is_all && s->storage == argument->shares->storage) return true;
  return false;
}

const Value *value_number(Evaluator *e, const Value *v) {
  if (!v || v->kind != VALUE_TENSOR || v->tensor->rank) return v;
  Value *number = arena_new(e->arena, Value);
  *number = *v, number->is_number = true;
  return number;
}

const Value *value_view(Evaluator *e, const Value *v, const Value *of) {
  if (!v || v == of || v->is_number || of->is_number || (v->kind != VALUE_TENSOR && v->kind != VALUE_TUPLE)) return v;
  Value *view = arena_new(e->arena, Value);
  *view = *v;
  if (v->kind == VALUE_TUPLE) {
    view->items = arena_array(e->arena, const Value *, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++) view->items[i] = value_view(e, v->items[i], of);
  }
  for (const Share *s = of->shares; s && v->kind == VALUE_TENSOR; s = s->next)
    view->shares = add_share(e, view->shares, (Share){.storage = s->storage, .changes = s->changes});
  return view;
}

bool value_is_current(Evaluator *e, const PyNode *n, const Value *v) {
  if (e->is_formula || v->is_number) return true;
  for (const Share *s = v->shares; s; s = s->next) {
    if (s->storage->changes == s->changes) continue;
    uint32_t line = source_locate(e->r->source, s->storage->at->span.begin).line;
    reference_fail(e, n, "reference.changed", "write x = x + y for a new value",
                   "this may share its elements with what line %u changes in place", line);
    return false;
  }
  for (uint32_t i = 0; i < v->count; i++)
    if (!value_is_current(e, n, v->items[i])) return false;
  return true;
}

void value_keep(const Value *v) {
  for (const Share *s = v->shares; s; s = s->next) s->storage->is_default = true;
}

const Value *value_changed(Evaluator *e, const PyNode *n, const Value *old, const Value *now) {
  if (!now || old->is_number || (old->kind == VALUE_TUPLE && !old->is_list)) return now;
  Value *v = arena_new(e->arena, Value);
  *v = *now, v->shares = NULL;
  for (const Share *s = old->shares; s; s = s->next) {
    if (s->storage->is_default)
      return reference_fail(e, n, "reference.changed", "write x = x + y for a new value",
                            "the default of a parameter is changed in place");
    if (s->storage->is_argument && !s->is_all)
      return reference_fail(e, n, "reference.changed", "write x = x + y for a new value",
                            "this may change an argument in place, or a part of it, or a copy");
    if (s->storage->under != e->under)
      return reference_fail(e, n, "reference.changed", "use where for tensors",
                            "this changes a tensor in place under a condition that is not known");
    s->storage->changes++, s->storage->at = n, s->storage->contents = now->tensor;
    v->shares =
        add_share(e, v->shares, (Share){.storage = s->storage, .changes = s->storage->changes, .is_all = s->is_all});
  }
  return v;
}

/* x += y keeps the type and the shape of x: PyTorch and NumPy raise an error where the sum has others. */
static bool fits_in_place(Evaluator *e, const PyNode *n, const char *what, const Value *old, const Value *now) {
  if (old->kind != VALUE_TENSOR || old->is_number || now->kind != VALUE_TENSOR) return true;
  char a = value_type(old), b = value_type(now);
  bool fits = a == b || a == 'f' || (type_is_narrow(a) && (b == 'b' || b == '?')) || (a == 'i' && b != 'f');
  if (!fits)
    return reference_fail(e, n, "reference.assignment", "write x = x + y for a new value",
                          "'%s' in place cannot change the type of the elements", what),
           false;
  bool same = old->tensor->rank == now->tensor->rank;
  for (uint32_t i = 0; same && i < now->tensor->rank; i++)
    same = term_sub(e->tt, old->tensor->shape[i], now->tensor->shape[i]) == e->tt->zero;
  if (!same)
    reference_fail(e, n, "reference.assignment", "write x = x + y for a new value",
                   "'%s' in place cannot change the shape %s to %s", what, reference_shape_text(e, old->tensor),
                   reference_shape_text(e, now->tensor));
  return same;
}

const Value *changed_in_place(Evaluator *e, const PyNode *n, const char *what, const Value *old, const Value *now) {
  return now && fits_in_place(e, n, what, old, now) ? value_changed(e, n, old, now) : NULL;
}

/* ---- calls ---- */

/* What is under views: two values of one such expression may be one tensor. */
static const TensorExpr *under_views(const TensorExpr *t) {
  while (t->count && (t->op == TENSOR_SLICE || t->op == TENSOR_RESHAPE || t->op == TENSOR_TRANSPOSE ||
                      t->op == TENSOR_EXPAND || t->op == TENSOR_SQUEEZE || t->op == TENSOR_BROADCAST))
    t = t->args[0];
  return t;
}

/* Functions of shapes.c whose result is always new. */
static bool is_new(const Call *c) {
  static const char *const names[] = {"clone",
                                      "copy",
                                      "cat",
                                      "concat",
                                      "concatenate",
                                      "stack",
                                      "hstack",
                                      "repeat_interleave",
                                      "repeat",
                                      "gather",
                                      "take_along_axis",
                                      "take_along_dim",
                                      "index_select",
                                      "take",
                                      "zeros",
                                      "ones",
                                      "full",
                                      "eye",
                                      "zeros_like",
                                      "ones_like",
                                      "full_like",
                                      "arange",
                                      "tril",
                                      "triu",
                                      "tensor",
                                      "array",
                                      "item",
                                      "size",
                                      "numel",
                                      "dim",
                                      "ndimension",
                                      "len"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], c->name)) return true;
  return !strcmp(c->name, "flip") && !c->is_numpy;
}

static bool is_of_shapes(const Call *c) {
  for (const LibraryFunction *f = reference_shapes; f->name; f++)
    if (f->name == c->name) return true;
  for (const LibraryFunction *f = reference_casts; f->name; f++)
    if (f->name == c->name) return true;
  return !strcmp(c->name, "einsum");
}

static const Value *shared_with(const Call *c, const Value *result, const Value *arg) {
  if (!arg || arg->kind != VALUE_TENSOR || !result) return result;
  bool may = is_of_shapes(c);
  if (!may && result->kind == VALUE_TENSOR) may = under_views(result->tensor) == under_views(arg->tensor);
  return may ? value_view(c->e, result, arg) : result;
}

const Value *call_shared(Call *c, const Value *result) {
  static const char *const numbers[] = {"size", "numel", "dim", "ndimension", "len", "item", "is_floating_point"};
  if (!result || c->e->is_formula) return result;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!strcmp(numbers[i], c->name)) return value_number(c->e, result);
  bool truth;
  if (c->inplace && !value_is_truth(c->e, c->inplace, &truth))
    return call_fail(c, NULL, "this argument of %s must be True or False", c->name);
  if (c->inplace && truth) return changed_in_place(c->e, c->node, c->name, c->args[0], result);
  for (uint32_t i = 0; i < CALL_MAX_ARGS && !is_new(c); i++) result = shared_with(c, result, c->args[i]);
  for (uint32_t i = 0; i < c->extra_count && !is_new(c); i++) result = shared_with(c, result, c->extra[i]);
  return result;
}
