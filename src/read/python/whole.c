/* NumPy's operations on whole arrays: element by element, each result an array of the function's own.
 *
 * Arrays of several operands are laid side by side from their last axis on. Axes that meet have one length, which is
 * required unless one of them is known to be 1 and is repeated: what NumPy makes of a length that happens to be 1 is
 * not spoken of. A parameter that may be a list is an array from then on; of two lists nothing is made here, since
 * their `+` and `*` are others. */
#include <string.h>

#include "read/python/lower.h"

typedef struct Making {
  const PyNode *at;
  uint32_t rank;
  const ValueId *length;
  PyItem item;
  const void *payload;
  uint32_t slot;
  ValueId index[PY_MAX_RANK];
} Making;

static void make_axis(Lower *l, Making *m, uint32_t axis) {
  ValueId elements = l->slots.data[m->slot].value;
  BuildLoop loop = build_for(&l->b, py_integer(l, 0), m->length[axis], py_integer(l, 1), 1, &elements);
  l->slots.data[m->slot].value = loop.counter + 1;
  m->index[axis] = loop.counter;
  if (axis + 1 < m->rank) {
    make_axis(l, m, axis + 1);
  } else {
    PyValue value = py_to_number(l, m->at, m->item(l, m->at, m->index, m->payload));
    Slot *s = &l->slots.data[m->slot];
    if (value.type > s->element) py_learn(l, FACT_ELEMENT, m->at, NULL, (uint32_t)value.type + 1);
    py_at(l, m->at);
    s->value = build_insert(&l->b, py_convert(l, &value, s->element), s->value, m->rank, m->index);
  }
  elements = l->slots.data[m->slot].value;
  l->slots.data[m->slot].value = build_for_end(&l->b, &loop, &elements);
}

PyValue py_make(Lower *l, const PyNode *at, uint32_t rank, const ValueId *length, PyItem item, const void *payload) {
  uint32_t known = py_fact(l, FACT_ELEMENT, at, NULL);
  Making m = {.at = at, .rank = rank, .length = length, .item = item, .payload = payload};
  py_at(l, at);
  if (!rank) return item(l, at, m.index, payload);
  m.slot = py_slot_new(l, at, SLOT_ELEMENTS, rank, known ? (NumberType)(known - 1) : NUMBER_BOOL);
  Slot *s = &l->slots.data[m.slot];
  s->is_even = s->is_numpy = s->is_filled = true;
  memcpy(s->length, length, rank * sizeof *length);
  make_axis(l, &m, 0);
  return py_whole(l, m.slot);
}

typedef struct Elementwise {
  uint32_t rank, count;
  const PyValue *args;
  PyElement element;
  const void *payload;
} Elementwise;

static bool is_one(const Lower *l, ValueId length) {
  int64_t known;
  return py_is_constant(l, length, &known) && known == 1;
}

static PyValue element_at(Lower *l, const PyNode *at, const ValueId *index, const void *payload) {
  const Elementwise *e = payload;
  PyValue items[PY_MOST_OPERANDS];
  for (uint32_t i = 0; i < e->count; i++) {
    items[i] = e->args[i];
    for (uint32_t k = 0; items[i].kind == PYV_ARRAY; k++) {
      const View view = items[i].view;
      bool repeats = is_one(l, py_length(l, at, &view));
      items[i] = py_item(l, at, &view, repeats ? py_integer(l, 0) : index[e->rank - py_rank(&view)]);
    }
  }
  return e->element(l, at, items, e->payload);
}

/* The operands as arrays of NumPy. */
static void want_arrays(Lower *l, const PyNode *at, uint32_t count, const PyValue *args) {
  bool lists = true;
  for (uint32_t i = 0; i < count; i++)
    if (args[i].kind == PYV_ARRAY && !l->slots.data[args[i].view.slot].is_list) lists = false;
  if (lists) py_refuse(l, at, "write it as a loop", "an operation on whole lists is not read yet");
  for (uint32_t i = 0; i < count; i++) {
    if (args[i].kind != PYV_ARRAY) {
      py_to_number(l, at, args[i]);
      continue;
    }
    if (!l->slots.data[args[i].view.slot].is_list) py_want_numpy(l, at, &args[i].view);
    py_read_of(l, at, &args[i].view);
  }
}

PyValue py_elementwise(Lower *l, const PyNode *at, uint32_t count, const PyValue *args, PyElement element,
                       const void *payload) {
  Elementwise e = {.count = count, .args = args, .element = element, .payload = payload};
  ValueId length[PY_MAX_RANK] = {0};
  if (!py_any_array(count, args)) return element(l, at, args, payload);
  want_arrays(l, at, count, args);
  for (uint32_t i = 0; i < count; i++)
    if (args[i].kind == PYV_ARRAY && py_rank(&args[i].view) > e.rank) e.rank = py_rank(&args[i].view);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t rank = args[i].kind == PYV_ARRAY ? py_rank(&args[i].view) : 0;
    for (uint32_t k = 0; k < rank; k++) {
      ValueId own = py_length_of(l, at, &args[i].view, k), *all = &length[e.rank - rank + k];
      if (*all && !is_one(l, *all) && !is_one(l, own) && own != *all)
        py_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "eq", *all, own),
                   arena_format(l->arena, "the arrays of %s have one length", py_text(l, at)));
      if (!*all || is_one(l, *all)) *all = own;
    }
  }
  return py_make(l, at, e.rank, length, element_at, &e);
}

bool py_any_array(uint32_t count, const PyValue *args) {
  for (uint32_t i = 0; i < count; i++)
    if (args[i].kind == PYV_ARRAY) return true;
  return false;
}

/* ---- along an axis, and products ---- */

typedef struct Along {
  View view;
  uint32_t axis;
  PyOfView of;
  const void *payload;
} Along;

static PyValue along_at(Lower *l, const PyNode *at, const ValueId *index, const void *payload) {
  const Along *a = payload;
  View view = a->view;
  for (uint32_t k = 0, n = py_rank(&view), own = 0; k < n; k++)
    if (k != a->axis) view = py_fix(l, view, k > a->axis, index[own++]);
  return a->of(l, at, &view, a->payload);
}

PyValue py_along(Lower *l, const PyNode *at, const View *view, int64_t axis, PyOfView of, const void *payload) {
  uint32_t rank = py_rank(view), n = 0;
  ValueId length[PY_MAX_RANK];
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) {
    py_want_rank(l, at, view, (uint32_t)(axis < 0 ? rank + 1 : axis + 1));
    py_refuse(l, at, NULL, "it has no such axis");
  }
  Along a = {*view, (uint32_t)axis, of, payload};
  for (uint32_t k = 0; k < rank; k++)
    if (k != a.axis) length[n++] = py_length_of(l, at, view, k);
  return py_make(l, at, n, length, along_at, &a);
}

typedef struct Product {
  View a, b;
  uint32_t rows, columns; /* 0 or 1: axes that the result has of a and of b */
} Product;

static PyValue product_at(Lower *l, const PyNode *at, const ValueId *index, const void *payload) {
  const Product *p = payload;
  View a = p->a, b = p->b;
  if (p->rows) a = py_fix(l, a, 0, index[0]);
  if (p->columns) b = py_fix(l, b, 1, index[p->rows]);
  ValueId length = py_length(l, at, &a);
  PyValue zero = py_number(NUMBER_INT, py_integer(l, 0));
  NumberType x = l->slots.data[a.slot].element, y = l->slots.data[b.slot].element;
  if (x == NUMBER_BOOL && y == NUMBER_BOOL)
    py_refuse(l, at, "convert one to integers", "a product of arrays of truth values, which gives truth values");
  if (x == NUMBER_REAL || y == NUMBER_REAL) zero = py_number(NUMBER_REAL, py_convert(l, &zero, NUMBER_REAL));
  BuildLoop loop = build_for(&l->b, py_integer(l, 0), length, py_integer(l, 1), 1, &zero.id);
  PyValue factor = py_binary(l, at, "*", py_item(l, at, &a, loop.counter), py_item(l, at, &b, loop.counter));
  PyValue total = py_binary(l, at, "+", py_number(zero.type, loop.counter + 1), factor);
  ValueId next = py_convert(l, &total, zero.type);
  return py_number(zero.type, build_for_end(&l->b, &loop, &next));
}

PyValue py_product(Lower *l, const PyNode *at, const View *a, const View *b) {
  Product p = {*a, *b, py_rank(a) == 2, py_rank(b) == 2};
  ValueId length[2];
  if (py_rank(a) > 2 || py_rank(b) > 2) py_refuse(l, at, "write it as loops", "a product of more than matrices");
  PyValue both[2] = {{.kind = PYV_ARRAY, .view = *a}, {.kind = PYV_ARRAY, .view = *b}};
  want_arrays(l, at, 2, both);
  ValueId inner = py_length_of(l, at, a, p.rows), other = py_length_of(l, at, b, 0);
  if (inner != other)
    py_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "eq", inner, other), "both have one length");
  if (p.rows) length[0] = py_length_of(l, at, a, 0);
  if (p.columns) length[p.rows] = py_length_of(l, at, b, 1);
  return py_make(l, at, p.rows + p.columns, length, product_at, &p);
}
