/* Lists and arrays.
 *
 * A parameter is one block of memory, row-major: rows of a nested list have one length, which the assumption
 * `rectangular` says. A list of the function's own has a length for every row. Indices count from the end where they
 * are negative; one that is not within is an IndexError: each is required to lie within, which is shown or becomes a
 * precondition. A part of an array (a row of a list, any slice of a NumPy array) is the array itself; a slice of a
 * list is a copy.
 *
 * What is put into a list is that object from then on: an object that was made in the same iteration and is not written
 * to afterwards is as good as a copy of it. Anything else is noted (shares), and refused if one of both is written to.
 */
#include <string.h>

#include "read/python/lower.h"

uint32_t py_slot_new(Lower *l, const PyNode *made_by, SlotKind kind, uint32_t rank, NumberType element) {
  if (rank > PY_MAX_RANK) py_refuse(l, made_by, NULL, "more than %d axes are not read", PY_MAX_RANK);
  Slot s = {.kind = kind, .made_by = made_by, .rank = rank, .element = element, .loop = l->loop};
  if (kind == SLOT_ELEMENTS) {
    s.value = build_empty(&l->b, py_type(l, element), rank);
    for (uint32_t k = 0; k < rank; k++) s.length[k] = k ? build_empty(&l->b, py_wide(l), k) : py_integer(l, 0);
  }
  array_push(l->arena, &l->slots, s);
  return l->slots.count - 1;
}

/* Its slot begins with what is known of it. */
static uint32_t new_list(Lower *l, const PyNode *made_by, uint32_t rank, NumberType element) {
  uint32_t known = py_fact(l, FACT_RANK, made_by, NULL), type = py_fact(l, FACT_ELEMENT, made_by, NULL);
  if (known > rank) rank = known;
  if (type && (NumberType)(type - 1) > element) element = (NumberType)(type - 1);
  uint32_t slot = py_slot_new(l, made_by, SLOT_ELEMENTS, rank, element);
  l->slots.data[slot].is_list = true;
  return slot;
}

static Slot *slot_of(const Lower *l, const View *view) { return &l->slots.data[view->slot]; }

PyValue py_whole(const Lower *l, uint32_t slot) {
  PyValue value = {.kind = PYV_ARRAY, .view = {.slot = slot, .count = l->slots.data[slot].rank}};
  for (uint32_t k = 0; k < value.view.count; k++) value.view.axis[k].step = 1;
  return value;
}

uint32_t py_rank(const View *view) {
  uint32_t rank = 0;
  for (uint32_t k = 0; k < view->count; k++) rank += !view->axis[k].is_fixed;
  return rank;
}

/* The n-th of the axes that are left. */
static uint32_t free_axis(const View *view, uint32_t n) {
  uint32_t k = 0;
  while (k < view->count && (view->axis[k].is_fixed || n--)) k++;
  return k;
}

/* All of the slot, or of a row of it. */
static bool is_row(const View *view) {
  uint32_t first = free_axis(view, 0);
  for (uint32_t k = 0; k < view->count; k++) {
    const Axis *a = &view->axis[k];
    if (a->is_fixed != (k < first) || (!a->is_fixed && (a->at || a->length || a->step != 1))) return false;
  }
  return true;
}

static uint32_t indices(const View *view, ValueId *out) {
  uint32_t n = 0;
  while (n < view->count && view->axis[n].is_fixed) out[n] = view->axis[n].at, n++;
  return n;
}

void py_read_of(Lower *l, const PyNode *at, const View *view) {
  Slot *s = slot_of(l, view);
  if (s->given) s->read_since = at;
}

typedef struct Parameters {
  const PyNode *one, *array; /* NULL: none; array: which is known to be one */
  bool several, arrays;
  const PyNode *rows[PY_MOST_OPERANDS]; /* those of which an element stands there, x[i] */
  uint32_t count;
  uint32_t names; /* whose operations were looked at */
} Parameters;

/* What is assigned to a name in these lines; `count`: how often. */
static const PyNode *assigned(const PyNode *n, const char *name, uint32_t *count) {
  const PyNode *found = NULL;
  bool is_target = (n->kind == PY_ASSIGN || n->kind == PY_AUGMENTED || n->kind == PY_FOR) &&
                   n->args[0]->kind == PY_NAME && !strcmp(n->args[0]->text, name);
  *count += is_target;
  if (is_target && n->kind == PY_ASSIGN && n->count == 2) found = n->args[1];
  for (uint32_t i = 0; n->kind != PY_DEF && i < n->count; i++) {
    const PyNode *inside = assigned(n->args[i], name, count);
    if (inside) found = inside;
  }
  return found;
}

/* The operation whose value a name has: d = x[i] - y[i]; NULL: it is not plain. */
static const PyNode *operation_of(const Lower *l, const PyNode *name) {
  uint32_t count = 0;
  const PyNode *def = l->frame->def;
  const PyNode *found = def->kind == PY_DEF ? assigned(def->args[def->count - 1], name->text, &count) : NULL;
  return found && count == 1 && (found->kind == PY_BINARY || found->kind == PY_UNARY) ? found : NULL;
}

/* The parameters of whose elements, as far as they are known, the expression is made. */
static void find_parameters(Lower *l, const PyNode *n, Parameters *out) {
  if (n->kind == PY_NAME || n->kind == PY_SUBSCRIPT) {
    PyValue v = py_value(l, n);
    const PyNode *of = n->kind == PY_NAME && v.kind == PYV_NUMBER && !v.param ? operation_of(l, n) : NULL;
    if (of && out->names++ < PY_MOST_NESTING) find_parameters(l, of, out);
    if (v.kind != PYV_NUMBER || !v.param) return;
    bool is_array = py_fact(l, FACT_RANK, v.param, NULL) != 0;
    out->several |= out->one && out->one != v.param;
    out->arrays |= is_array && out->array && out->array != v.param;
    out->one = v.param;
    if (is_array) out->array = v.param;
    if (n->kind == PY_SUBSCRIPT && is_array && out->count < PY_MOST_OPERANDS) out->rows[out->count++] = v.param;
  }
  bool combines = n->kind == PY_BINARY || n->kind == PY_UNARY || n->kind == PY_COMPARE || n->kind == PY_CALL;
  for (uint32_t i = n->kind == PY_CALL; combines && i < n->count; i++) find_parameters(l, n->args[i], out);
}

/* x - 1 is used as an array: x is one. Of several parameters it is the one that is known to be an array of less axes;
 * where elements of several arrays of as many axes stand there, x[i] - y[j], each of these is a row. */
static void want_array_of(Lower *l, const PyNode *n) {
  Parameters p = {0};
  find_parameters(l, n, &p);
  bool alike = p.arrays;
  for (uint32_t i = 0; i < p.count; i++)
    alike &= py_fact(l, FACT_RANK, p.rows[i], NULL) == py_fact(l, FACT_RANK, p.rows[0], NULL);
  uint32_t axes = alike ? py_fact(l, FACT_RANK, p.rows[0], NULL) : PY_MAX_RANK;
  if (axes < PY_MAX_RANK) {
    for (uint32_t i = 0; i < p.count; i++) py_note_fact(l, FACT_RANK, p.rows[i], NULL, axes + 1);
    py_set_fact(l, FACT_RANK, p.rows[0], NULL, axes + 1);
  }
  const PyNode *param = !p.several ? p.one : !p.arrays ? p.array : NULL;
  uint32_t rank = param ? py_fact(l, FACT_RANK, param, NULL) : PY_MAX_RANK;
  if (rank < PY_MAX_RANK) py_learn(l, FACT_RANK, param, NULL, rank + 1);
}

View py_array(Lower *l, const PyNode *at, PyValue value) {
  bool is_computed = (value.kind == PYV_NUMBER && !value.param) || value.kind == PYV_OTHER;
  if (is_computed) want_array_of(l, at);
  if (value.kind == PYV_TUPLE) value = py_list_of(l, at, value.items, value.count);
  if (value.kind == PYV_NUMBER && value.param) {
    uint32_t rank = py_fact(l, FACT_RANK, value.param, NULL);
    for (uint32_t i = 1; i < l->slots.count; i++)
      if (l->slots.data[i].made_by == value.param) rank = l->slots.data[i].rank;
    if (rank < PY_MAX_RANK) py_learn(l, FACT_RANK, value.param, NULL, rank + 1);
  }
  if (value.kind != PYV_ARRAY) py_refuse(l, at, NULL, "a list or array is expected here");
  py_read_of(l, at, &value.view);
  return value.view;
}

/* ---- lengths ---- */

/* Of the slot, at an axis. */
static ValueId full_length(Lower *l, const PyNode *at, const View *view, uint32_t axis) {
  const Slot *s = slot_of(l, view);
  ValueId index[PY_MAX_RANK];
  if (s->is_even || !axis) return s->length[axis];
  for (uint32_t k = 0; k < axis; k++) {
    if (!view->axis[k].is_fixed) py_refuse(l, at, "take the rows one by one", "columns of a list of lists");
    index[k] = view->axis[k].at;
  }
  return build_extract(&l->b, s->length[axis], axis, index);
}

ValueId py_length_of(Lower *l, const PyNode *at, const View *view, uint32_t n) {
  uint32_t k = free_axis(view, n);
  if (k == view->count) py_refuse(l, at, NULL, "it has no such axis");
  return view->axis[k].length ? view->axis[k].length : full_length(l, at, view, k);
}

ValueId py_length(Lower *l, const PyNode *at, const View *view) { return py_length_of(l, at, view, 0); }

/* ---- elements ---- */

/* required: it was required that the indices lie within. */
static PyValue stored_element(Lower *l, const View *view, bool required) {
  const Slot *s = slot_of(l, view);
  ValueId index[PY_MAX_RANK];
  indices(view, index);
  if (s->kind == SLOT_ELEMENTS) {
    if (s->is_list || s->is_filled) build_attr_unit(&l->b, "written"); /* each element of a list is */
    return py_number(s->element, build_extract(&l->b, s->value, s->rank, index));
  }
  ValueId address = build_address(&l->b, s->value, s->rank, index, s->length);
  if (required) build_attr_unit(&l->b, "required");
  PyValue value = py_number(s->element, build_unary(&l->b, OP_TT_LOAD, address, py_type(l, s->element)));
  value.param = s->made_by;
  return value;
}

/* What NumPy computes with numbers of a narrow type it computes in that type, and numbers have none here. */
static PyValue read_element(Lower *l, const View *view, bool required) {
  const Slot *s = slot_of(l, view);
  if (s->width)
    py_refuse(l, s->made_by, "read them from an array of `int`",
              "elements of %u bits that are read again are not read yet", s->width);
  return stored_element(l, view, required);
}

View py_fix(Lower *l, View view, uint32_t n, ValueId index) {
  Axis *a = &view.axis[free_axis(&view, n)];
  if (a->step != 1) index = py_exact(l, OP_ARITH_MULI, index, py_integer(l, a->step));
  if (a->at) index = py_exact(l, OP_ARITH_ADDI, a->at, index);
  *a = (Axis){.is_fixed = true, .at = index, .step = 1};
  return view;
}

static PyValue part(Lower *l, const View *view, bool required) {
  if (!py_rank(view)) return read_element(l, view, required);
  return (PyValue){.kind = PYV_ARRAY, .view = *view};
}

PyValue py_item(Lower *l, const PyNode *at, const View *view, ValueId index) {
  py_at(l, at);
  View one = py_fix(l, *view, 0, index);
  return part(l, &one, false);
}

/* ---- indices ---- */

/* From the beginning: negative ones count from the end. */
static ValueId from_beginning(Lower *l, const PyNode *node, ValueId index, ValueId length) {
  Builder *b = &l->b;
  int64_t known;
  TypeId wide = py_wide(l);
  if (py_is_constant(l, index, &known)) return known < 0 ? py_exact(l, OP_ARITH_ADDI, length, index) : index;
  py_at(l, node);
  ValueId counts = build_compare(b, OP_ARITH_CMPI, "sle", py_integer(l, 0), index);
  build_attr_unit(b, "preferred");
  build_require(b, counts, arena_format(l->arena, "%s counts from the beginning", py_text(l, node)));
  ValueId negative = build_compare(b, OP_ARITH_CMPI, "slt", index, py_integer(l, 0));
  return build_op(b, OP_ARITH_SELECT, 3, (ValueId[]){negative, py_exact(l, OP_ARITH_ADDI, index, length), index}, 1,
                  &wide);
}

static ValueId is_at_most(Lower *l, ValueId a, ValueId b) { return build_compare(&l->b, OP_ARITH_CMPI, "sle", a, b); }

/* An index within -length <= index < length, from the beginning. */
static ValueId within(Lower *l, const PyNode *at, const PyNode *index_node, ValueId index, ValueId length) {
  int64_t known;
  const char *what = at->kind == PY_SUBSCRIPT ? py_text(l, at->args[0]) : py_text(l, at);
  const char *text = arena_format(l->arena, "%s is an index of %s", py_text(l, index_node), what);
  bool constant = py_is_constant(l, index, &known);
  ValueId from = from_beginning(l, index_node, index, length), good = 0;
  if (!constant || known < 0) good = is_at_most(l, py_integer(l, 0), from);
  if (!constant || known >= 0) {
    ValueId below = build_compare(&l->b, OP_ARITH_CMPI, "slt", from, length);
    good = constant ? below : build_binary(&l->b, OP_ARITH_ANDI, good, below, py_type(l, NUMBER_BOOL));
  }
  py_require(l, at, good, text);
  return from;
}

/* An end of a slice, which is cut off at the ends of the array. */
static ValueId clamped(Lower *l, const PyNode *node, ValueId length, ValueId otherwise) {
  Builder *b = &l->b;
  int64_t known;
  if (node->kind == PY_EMPTY) return otherwise;
  ValueId index = py_index(l, node), zero = py_integer(l, 0);
  if (py_is_constant(l, index, &known) && known == 0) return index;
  bool negative = py_is_constant(l, index, &known) && known < 0,
       positive = py_is_constant(l, index, &known) && known > 0;
  index = from_beginning(l, node, index, length);
  if (!negative) index = build_binary(b, OP_ARITH_MINSI, index, length, py_wide(l));
  return positive ? index : build_binary(b, OP_ARITH_MAXSI, index, zero, py_wide(l));
}

/* is_whole: it is all of the axis. */
static View slice(Lower *l, View view, uint32_t n, const PyNode *node, bool *is_whole) {
  Builder *b = &l->b;
  uint32_t k = free_axis(&view, n);
  ValueId length = py_length_of(l, node, &view, n), zero = py_integer(l, 0), step = py_integer(l, 1);
  int64_t by = 1;
  if (node->args[2]->kind != PY_EMPTY) step = py_index(l, node->args[2]);
  if (!py_is_constant(l, step, &by) || (by != -1 && by < 1) || by > INT32_MAX)
    py_refuse(l, node, "write a step that is positive, or -1", "a slice with this step is not read yet");
  if (by == -1 && (node->args[0]->kind != PY_EMPTY || node->args[1]->kind != PY_EMPTY))
    py_refuse(l, node, "reverse it first: x[::-1]", "a part that goes backwards is not read yet");
  if (by == 1 && node->args[0]->kind == PY_EMPTY && node->args[1]->kind == PY_EMPTY) return view;
  *is_whole = false;
  ValueId from = clamped(l, node->args[0], length, zero), to = clamped(l, node->args[1], length, length), count;
  if (by == -1) {
    from = py_exact(l, OP_ARITH_SUBI, length, py_integer(l, 1)), count = length;
  } else {
    count = build_binary(b, OP_ARITH_MAXSI, py_exact(l, OP_ARITH_SUBI, to, from), zero, py_wide(l));
    if (by > 1) count = py_exact(l, OP_ARITH_CEILDIVSI, count, step);
  }
  Axis *a = &view.axis[k];
  if (a->step != 1) from = py_exact(l, OP_ARITH_MULI, from, py_integer(l, a->step));
  if (a->at) from = py_exact(l, OP_ARITH_ADDI, a->at, from);
  if (__builtin_mul_overflow(a->step, by, &a->step)) py_refuse(l, node, NULL, "a slice with this step is not read yet");
  a->at = from, a->length = count;
  return view;
}

/* The array is known to be one of NumPy; a parameter that may be either is one from now on. */
void py_want_numpy(Lower *l, const PyNode *at, const View *view) {
  const Slot *s = slot_of(l, view);
  if (s->is_list) py_refuse(l, at, "index the rows one by one", "a list has no such index");
  if (s->kind == SLOT_MEMORY) py_learn(l, FACT_NUMPY, s->made_by, NULL, 1);
}

void py_want_rank(Lower *l, const PyNode *at, const View *view, uint32_t left) {
  const Slot *s = slot_of(l, view);
  if (py_rank(view) >= left) return;
  if (s->kind == SLOT_MEMORY) py_learn(l, FACT_RANK, s->made_by, NULL, s->rank + left - py_rank(view));
  py_refuse(l, at, NULL, "it has fewer axes than indices");
}

PyValue py_shallow_copy(Lower *l, const PyNode *at, const View *view) {
  uint32_t copy = py_copy(l, at, view, slot_of(l, view)->element);
  if (py_rank(view) > 1 && !slot_of(l, view)->is_numpy)
    array_push(l->arena, &l->shares, ((Share){view->slot, copy, at}));
  return py_whole(l, copy);
}

/* A slice of a list is a copy; one of an array is its part. */
static View snapshot(Lower *l, const PyNode *at, View view, bool is_whole) {
  const Slot s = *slot_of(l, &view);
  if (s.is_numpy) return view;
  if (is_whole && (s.kind == SLOT_ELEMENTS || s.is_list)) return py_shallow_copy(l, at, &view).view;
  view.is_snapshot = true;
  if (s.kind == SLOT_ELEMENTS) { /* values do not change: the contents of now, under another number */
    array_push(l->arena, &l->slots, s);
    view.slot = l->slots.count - 1;
    slot_of(l, &view)->written = slot_of(l, &view)->row_written = slot_of(l, &view)->given = NULL;
    return view;
  }
  if (py_fact(l, FACT_WRITTEN, s.made_by, NULL))
    py_refuse(l, at, "take the elements one by one, or say the type of the parameter",
              "a slice of a parameter that is written to: of a list it is a copy, of an array it is not");
  return view;
}

/* The part that an index, or several with commas, stands for. */
static View place(Lower *l, const PyNode *node, View view) {
  const PyNode *index = node->args[1];
  uint32_t count = index->kind == PY_TUPLE ? index->count : 1, left = 0;
  const PyNode *const *list = index->kind == PY_TUPLE ? index->args : &index;
  bool slices = false, whole = true;
  if (index->kind == PY_TUPLE) py_want_numpy(l, node, &view);
  py_want_rank(l, node, &view, count);
  for (uint32_t i = 0; i < count; i++) {
    if (list[i]->kind == PY_SLICE) {
      view = slice(l, view, left++, list[i], &whole);
      slices = true;
      continue;
    }
    PyValue value = py_value(l, list[i]);
    if (value.kind != PYV_NUMBER) py_refuse(l, list[i], NULL, "an index that is no integer is not read yet");
    if (value.type == NUMBER_BOOL) py_refuse(l, list[i], NULL, "a truth value as an index is not read yet");
    ValueId at = py_to_index(l, list[i], value), length = py_length_of(l, node, &view, left);
    py_at(l, node);
    view = py_fix(l, view, left, within(l, node, list[i], at, length));
  }
  return slices ? snapshot(l, node, view, whole) : view;
}

/* x.shape[:2] */
static PyValue tuple_slice(Lower *l, const PyNode *node, PyValue tuple) {
  const PyNode *slice = node->args[1];
  int64_t end[2] = {0, tuple.count};
  for (uint32_t i = 0; i < 2; i++) {
    if (slice->args[i]->kind == PY_EMPTY) continue;
    if (!py_is_constant(l, py_index(l, slice->args[i]), &end[i]))
      py_refuse(l, node, NULL, "a part of a tuple by numbers that are computed is not read yet");
    if (end[i] < 0) end[i] += tuple.count;
    if (tuple.param && end[i] > tuple.count && end[i] <= PY_MAX_RANK)
      py_learn(l, FACT_RANK, tuple.param, NULL, (uint32_t)end[i]);
  }
  if (slice->args[2]->kind != PY_EMPTY || end[0] < 0 || end[1] < end[0] || end[1] > tuple.count)
    py_refuse(l, node, NULL, "this part of a tuple is not read yet");
  tuple.items += end[0], tuple.count = (uint32_t)(end[1] - end[0]), tuple.param = NULL;
  return tuple;
}

static PyValue subscript(Lower *l, const PyNode *node, bool wraps) {
  PyValue base = py_value(l, node->args[0]);
  int64_t known;
  if (base.kind == PYV_TUPLE && node->args[1]->kind == PY_SLICE) return tuple_slice(l, node, base);
  if (base.kind == PYV_TUPLE) { /* x.shape[0] */
    PyValue index = py_value(l, node->args[1]);
    if (index.kind == PYV_NUMBER && index.type == NUMBER_INT && py_is_constant(l, index.id, &known)) {
      if (known < 0) known += base.count;
      if (base.param && known >= base.count && known < PY_MAX_RANK)
        py_learn(l, FACT_RANK, base.param, NULL, (uint32_t)known + 1);
      if (known < 0 || known >= base.count) py_refuse(l, node, NULL, "an index beyond the end");
      return base.items[known];
    }
  }
  View view = place(l, node, py_array(l, node->args[0], base));
  return wraps && !py_rank(&view) ? stored_element(l, &view, true) : part(l, &view, true);
}

PyValue py_subscript(Lower *l, const PyNode *node) { return subscript(l, node, false); }

PyValue py_old_element(Lower *l, const PyNode *node) { return subscript(l, node, true); }

/* ---- writing ---- */

static bool names_slot(const PyValue *v, uint32_t slot) {
  if (v->kind == PYV_ARRAY && v->view.slot == slot) return true;
  for (uint32_t i = 0; v->kind == PYV_TUPLE && i < v->count; i++)
    if (names_slot(&v->items[i], slot)) return true;
  return false;
}

static bool has_name(const Lower *l, uint32_t slot) {
  for (uint32_t i = 0; i < l->frames.count; i++)
    for (uint32_t k = 0; k < l->frames.data[i]->names.count; k++)
      if (names_slot(&l->frames.data[i]->names.data[k].value, slot)) return true;
  return false;
}

/* True if one of those that the slot was merged from is known under another name, or to the caller. */
static bool is_known_otherwise(const Lower *l, uint32_t slot) {
  for (uint32_t i = 0; i < l->shares.count; i++) {
    const Share *s = &l->shares.data[i];
    if (s->to != slot) continue;
    if (l->slots.data[s->from].kind == SLOT_MEMORY || has_name(l, s->from)) return true;
    for (uint32_t k = 0; k < l->shares.count; k++) {
      const Share *other = &l->shares.data[k];
      if (other->from == s->from && other->to != slot && has_name(l, other->to)) return true;
    }
    if (l->slots.data[s->from].is_merged && is_known_otherwise(l, s->from)) return true;
  }
  return false;
}

static void note_written(Lower *l, const PyNode *at, const View *view) {
  Slot *s = slot_of(l, view);
  if (s->is_merged && is_known_otherwise(l, view->slot))
    py_refuse(l, at, "copy it: x[:]", "this changes one of two lists, which has another name");
  if (view->is_snapshot)
    py_refuse(l, at, "make a copy first: list(x)", "a slice of a list that is changed is not read yet");
  if (s->given) py_refuse(l, at, "change it before", "this changes a list that is a part of another one");
  if (s->kind == SLOT_MEMORY) py_learn(l, FACT_WRITTEN, s->made_by, NULL, 1);
  if (!s->written) s->written = at;
  if (view->count > 1 && view->axis[0].is_fixed && !s->row_written) s->row_written = at;
}

ValueId py_narrowed(Lower *l, uint32_t width, bool is_unsigned, ValueId value) {
  if (!width) return value;
  ValueId bits = build_unary(&l->b, OP_ARITH_TRUNCI, value, program_type_int(l->p, width));
  return build_unary(&l->b, is_unsigned ? OP_ARITH_EXTUI : OP_ARITH_EXTSI, bits, py_wide(l));
}

/* A number as an element of it. A list takes any, and becomes one of reals for it. */
static ValueId as_element(Lower *l, const PyNode *at, const Slot *s, const PyValue *value) {
  if (value->type > s->element && s->kind == SLOT_ELEMENTS && !s->is_numpy)
    py_learn(l, FACT_ELEMENT, s->made_by, NULL, (uint32_t)value->type + 1);
  if (value->type > s->element && !(s->is_numpy && s->kind == SLOT_ELEMENTS))
    py_refuse(l, at, NULL, "these elements are integers, and a real number is written to one");
  return py_narrowed(l, s->width, s->is_unsigned, py_convert(l, value, s->element));
}

static void write_element(Lower *l, const PyNode *at, const View *view, const PyValue *value, bool required) {
  Slot *s = slot_of(l, view);
  ValueId index[PY_MAX_RANK], element = as_element(l, at, s, value);
  indices(view, index);
  py_at(l, at);
  if (s->kind == SLOT_ELEMENTS) {
    s->value = build_insert(&l->b, element, s->value, s->rank, index);
    return;
  }
  ValueId address = build_address(&l->b, s->value, s->rank, index, s->length);
  if (required) build_attr_unit(&l->b, "required");
  build_op(&l->b, OP_TT_STORE, 2, (ValueId[]){address, element}, 0, NULL);
}

/* Element by element: of a number, or of an array of the same shape. */
static void write_all(Lower *l, const PyNode *at, const View *to, const PyValue *value) {
  if (!py_rank(to)) {
    write_element(l, at, to, value, false);
    return;
  }
  Slot *s = slot_of(l, to);
  bool carries = s->kind == SLOT_ELEMENTS;
  ValueId length = py_length(l, at, to), yield;
  if (value->kind == PYV_ARRAY)
    py_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "eq", length, py_length(l, at, &value->view)),
               arena_format(l->arena, "%s has the length of what is assigned", py_text(l, at)));
  BuildLoop loop = build_for(&l->b, py_integer(l, 0), length, py_integer(l, 1), carries, &s->value);
  if (carries) s->value = loop.counter + 1;
  View one = py_fix(l, *to, 0, loop.counter);
  PyValue item = value->kind == PYV_ARRAY ? py_item(l, at, &value->view, loop.counter) : *value;
  write_all(l, at, &one, &item);
  yield = slot_of(l, to)->value;
  ValueId result = build_for_end(&l->b, &loop, &yield);
  if (carries) slot_of(l, to)->value = result;
}

/* True if a name stands for a part of it. */
static bool has_named_part(const Lower *l, uint32_t slot) {
  for (uint32_t i = 0; i < l->frames.count; i++)
    for (uint32_t k = 0; k < l->frames.data[i]->names.count; k++) {
      const PyValue *v = &l->frames.data[i]->names.data[k].value;
      if (v->kind == PYV_ARRAY && v->view.slot == slot && v->view.axis[0].is_fixed) return true;
    }
  return false;
}

/* The object becomes a part of that one. */
static void give(Lower *l, const PyNode *at, const View *view, uint32_t to) {
  Slot *s = slot_of(l, view);
  bool own =
      s->kind == SLOT_ELEMENTS && s->loop == l->loop && py_rank(view) == view->count && !s->given && !s->is_merged;
  if (view->is_snapshot && s->is_list) return; /* of what may be an array, a slice is no copy */
  if (s->given) py_refuse(l, at, "put a copy into one of them: x[:]", "a list that is put into two");
  if (own) s->given = at;
  array_push(l->arena, &l->shares, ((Share){view->slot, to, at}));
}

void py_make_uneven(Lower *l, Slot *s) {
  for (uint32_t k = 1; s->is_even && k < s->rank; k++)
    for (uint32_t i = 0; i < k; i++) s->length[k] = build_fill(&l->b, s->length[k]);
  s->is_even = false;
}

/* A row, or a list of rows, at those indices of a list. */
static void put_rows(Lower *l, const PyNode *at, const View *to, const View *from) {
  uint32_t rank = py_rank(from), fixed = to->count - py_rank(to);
  NumberType element = slot_of(l, from)->element, own = slot_of(l, to)->element;
  ValueId index[PY_MAX_RANK];
  if (to->slot == from->slot) py_refuse(l, at, "copy it: x[:]", "a part of a list that becomes another part of it");
  if (slot_of(l, from)->width) py_refuse(l, at, NULL, "a list of arrays of narrow integers is not read yet");
  if (has_named_part(l, to->slot)) py_refuse(l, at, NULL, "a row that has a name of its own is replaced");
  if (element > own) py_learn(l, FACT_ELEMENT, slot_of(l, to)->made_by, NULL, (uint32_t)element + 1);
  uint32_t copy = py_copy(l, at, from, own);
  py_make_uneven(l, &l->slots.data[copy]);
  py_make_uneven(l, slot_of(l, to));
  const Slot row = l->slots.data[copy];
  Slot *s = slot_of(l, to);
  indices(to, index);
  s->value = build_insert(&l->b, row.value, s->value, fixed, index);
  for (uint32_t k = 0; k < rank; k++)
    s->length[k + fixed] = build_insert(&l->b, row.length[k], s->length[k + fixed], fixed, index);
  if (row.shares && !s->shares) s->shares = row.shares;
  give(l, at, from, to->slot);
}

void py_store_part(Lower *l, const PyNode *at, const View *to, PyValue value) {
  if (value.kind == PYV_ARRAY && value.view.slot == to->slot) /* it may overlap */
    value = py_whole(l, py_copy(l, at, &value.view, slot_of(l, to)->element));
  note_written(l, at, to);
  write_all(l, at, to, &value);
}

void py_store(Lower *l, const PyNode *target, PyValue value) {
  View view = py_array(l, target->args[0], py_value(l, target->args[0])), to;
  if (slot_of(l, &view)->is_list && target->args[1]->kind == PY_SLICE)
    py_refuse(l, target, "assign the elements one by one", "a slice of a list that is assigned is not read yet");
  to = place(l, target, view);
  if (!slot_of(l, &to)->is_numpy) to.is_snapshot = view.is_snapshot;
  uint32_t rank = py_rank(&to);
  if (value.kind == PYV_TUPLE) value = py_list_of(l, target, value.items, value.count);
  if (value.kind != PYV_NUMBER && (value.kind != PYV_ARRAY || py_rank(&value.view) != rank))
    py_refuse(l, target, NULL, "what is assigned has not the shape of this");
  if (rank && !slot_of(l, &to)->is_numpy && target->args[1]->kind == PY_SLICE) py_want_numpy(l, target, &to);
  if (rank && slot_of(l, &to)->is_numpy) {
    py_store_part(l, target, &to, value);
    return;
  }
  note_written(l, target, &to);
  if (!rank) {
    write_element(l, target, &to, &value, true);
    return;
  }
  if (value.kind == PYV_NUMBER || slot_of(l, &to)->kind == SLOT_MEMORY)
    py_refuse(l, target, "assign the elements one by one", "a row that is replaced is not read yet");
  put_rows(l, target, &to, &value.view);
}

void py_append(Lower *l, const PyNode *at, const View *view, PyValue value) {
  const PyNode *made_by = slot_of(l, view)->made_by;
  if (slot_of(l, view)->kind == SLOT_MEMORY || !slot_of(l, view)->is_list || !is_row(view) || view->is_snapshot)
    py_refuse(l, at, "append to a list of the function's own", "what is appended to here is not read yet");
  if (value.kind == PYV_TUPLE) value = py_list_of(l, at, value.items, value.count);
  if (value.kind != PYV_NUMBER && value.kind != PYV_ARRAY) py_refuse(l, at, NULL, "numbers and lists are appended");
  uint32_t rank = value.kind == PYV_ARRAY ? py_rank(&value.view) : 0, fixed = view->count - py_rank(view);
  py_learn(l, FACT_RANK, made_by, NULL, fixed + 1 + rank);
  if (py_rank(view) != rank + 1) py_refuse(l, at, NULL, "elements of one list are of different kinds");
  note_written(l, at, view);
  Slot *s = slot_of(l, view);
  ValueId length = py_length(l, at, view), index[PY_MAX_RANK];
  View end = py_fix(l, *view, 0, length);
  indices(view, index);
  if (rank)
    put_rows(l, at, &end, &value.view);
  else
    write_element(l, at, &end, &value, false);
  s = slot_of(l, view);
  ValueId longer = py_exact(l, OP_ARITH_ADDI, length, py_integer(l, 1));
  if (fixed) py_make_uneven(l, s);
  s->length[fixed] = fixed ? build_insert(&l->b, longer, s->length[fixed], fixed, index) : longer;
}

/* ---- copies ---- */

/* One axis: a loop that carries the elements, and the lengths of rows below. */
static void copy_axis(Lower *l, const PyNode *at, const View *from, Slot *to, ValueId *index, uint32_t axis) {
  ValueId carried[1 + PY_MAX_RANK] = {to->value}, length = py_length(l, at, from);
  uint32_t n = 1;
  for (uint32_t k = axis + 1; !to->is_even && k < to->rank; k++) carried[n++] = to->length[k];
  BuildLoop loop = build_for(&l->b, py_integer(l, 0), length, py_integer(l, 1), n, carried);
  ValueId next = loop.counter + 1;
  to->value = next++;
  for (uint32_t k = axis + 1; !to->is_even && k < to->rank; k++) to->length[k] = next++;
  index[axis] = loop.counter;
  PyValue item = py_item(l, at, from, loop.counter);
  if (item.kind == PYV_NUMBER) {
    to->value = build_insert(&l->b, py_convert(l, &item, to->element), to->value, axis + 1, index);
  } else {
    if (!to->is_even)
      to->length[axis + 1] = build_insert(&l->b, py_length(l, at, &item.view), to->length[axis + 1], axis + 1, index);
    copy_axis(l, at, &item.view, to, index, axis + 1);
  }
  n = 0;
  carried[n++] = to->value;
  for (uint32_t k = axis + 1; !to->is_even && k < to->rank; k++) carried[n++] = to->length[k];
  ValueId first = build_for_end(&l->b, &loop, carried);
  to->value = first++;
  for (uint32_t k = axis + 1; !to->is_even && k < to->rank; k++) to->length[k] = first++;
}

uint32_t py_copy(Lower *l, const PyNode *at, const View *view, NumberType element) {
  const Slot s = *slot_of(l, view);
  uint32_t known = s.is_numpy ? 0 : py_fact(l, FACT_ELEMENT, at, NULL);
  if (known && (NumberType)(known - 1) > element) element = (NumberType)(known - 1);
  uint32_t rank = py_rank(view), own = py_slot_new(l, at, SLOT_ELEMENTS, rank, element);
  Slot to = l->slots.data[own];
  ValueId index[PY_MAX_RANK];
  to.is_even = s.is_even, to.is_list = s.is_list, to.is_numpy = s.is_numpy, to.shares = s.shares;
  to.is_filled = s.is_filled;
  to.width = s.width, to.is_unsigned = s.is_unsigned;
  if (!s.is_numpy && s.kind == SLOT_MEMORY) to.is_list = true; /* as far as it is read, it is one or the other */
  if (s.kind == SLOT_ELEMENTS && s.element == element && is_row(view)) {
    uint32_t fixed = indices(view, index);
    to.value = build_extract(&l->b, s.value, fixed, index);
    for (uint32_t k = 0; k < rank; k++)
      to.length[k] =
          s.is_even || !(k + fixed) ? s.length[k + fixed] : build_extract(&l->b, s.length[k + fixed], fixed, index);
  } else {
    for (uint32_t k = 0; k < rank && (s.is_even || !k); k++) to.length[k] = py_length_of(l, at, view, k);
    copy_axis(l, at, view, &to, index, 0);
  }
  l->slots.data[own] = to;
  return own;
}

static void store_axis(Lower *l, const PyNode *at, const View *view, ValueId pointer, const ValueId *length,
                       ValueId *index, uint32_t axis, uint32_t rank) {
  Builder *b = &l->b;
  BuildLoop loop = build_for(b, py_integer(l, 0), length[axis], py_integer(l, 1), 0, NULL);
  index[axis] = loop.counter;
  View one = py_fix(l, *view, 0, loop.counter);
  py_at(l, at);
  if (!py_rank(&one)) {
    PyValue item = stored_element(l, &one, false);
    ValueId address = build_address(b, pointer, rank, index, length);
    build_op(b, OP_TT_STORE, 2, (ValueId[]){address, item.id}, 0, NULL);
  } else {
    if (!slot_of(l, view)->is_even) {
      ValueId same = build_compare(b, OP_ARITH_CMPI, "eq", py_length(l, at, &one), length[axis + 1]);
      build_attr_unit(b, "relied"); /* no error: the shape of the output rests on it */
      build_require(b, same, "the rows of what is returned have one length");
    }
    store_axis(l, at, &one, pointer, length, index, axis + 1, rank);
  }
  build_for_end(b, &loop, NULL);
}

void py_store_all(Lower *l, const PyNode *at, const View *view, ValueId pointer) {
  ValueId length[PY_MAX_RANK], index[PY_MAX_RANK];
  uint32_t rank = py_rank(view);
  View first = *view;
  for (uint32_t k = 0; k < rank; k++) {
    bool even = slot_of(l, view)->is_even;
    length[k] = even ? py_length_of(l, at, view, k) : py_length(l, at, &first);
    first = py_fix(l, first, 0, py_integer(l, 0));
  }
  store_axis(l, at, view, pointer, length, index, 0, rank);
}

/* ---- making them ---- */

PyValue py_list_of(Lower *l, const PyNode *at, const PyValue *items, uint32_t count) {
  PyValue list = py_whole(l, new_list(l, at, 1, NUMBER_BOOL));
  for (uint32_t i = 0; i < count; i++) py_append(l, at, &list.view, items[i]);
  slot_of(l, &list.view)->written = slot_of(l, &list.view)->row_written = NULL;
  return list;
}

PyValue py_list(Lower *l, const PyNode *node) {
  PyValue *items = arena_array(l->arena, PyValue, node->count + 1);
  for (uint32_t i = 0; i < node->count; i++) items[i] = py_value(l, node->args[i]);
  return py_list_of(l, node, items, node->count);
}

PyValue py_repeat(Lower *l, const PyNode *at, const View *view, ValueId times) {
  const Slot s = *slot_of(l, view);
  int64_t known;
  ValueId zero = py_integer(l, 0);
  if (!py_is_constant(l, s.length[0], &known) || known != 1 || !is_row(view) || s.kind != SLOT_ELEMENTS)
    py_refuse(l, at, "repeat a list of one element", "a list that is repeated is not read yet");
  uint32_t slot = new_list(l, at, s.rank, s.element);
  NumberType element = l->slots.data[slot].element;
  if (element != s.element && s.rank > 1) py_learn(l, FACT_ELEMENT, s.made_by, NULL, (uint32_t)element + 1);
  ValueId one = build_extract(&l->b, s.value, 1, &zero);
  PyValue value = py_number(s.element, one);
  if (s.rank == 1) one = py_convert(l, &value, element);
  Slot *made = &l->slots.data[slot];
  made->value = build_fill(&l->b, one);
  made->length[0] = py_is_constant(l, times, &known) ? py_integer(l, known > 0 ? known : 0)
                                                     : build_binary(&l->b, OP_ARITH_MAXSI, times, zero, py_wide(l));
  for (uint32_t k = 1; k < s.rank; k++)
    made->length[k] = build_fill(&l->b, build_extract(&l->b, s.length[k], 1, &zero));
  made->shares = s.rank > 1 ? at : NULL;
  return py_whole(l, slot);
}

PyValue py_filled(Lower *l, const PyNode *at, uint32_t rank, const ValueId *shape, NumberType type, ValueId value) {
  if (!value) build_attr_unit(&l->b, "unset");
  uint32_t slot = py_slot_new(l, at, SLOT_ELEMENTS, rank, type);
  Slot *s = &l->slots.data[slot];
  s->is_even = s->is_numpy = true;
  for (uint32_t k = 0; k < rank; k++) {
    s->length[k] = shape[k];
    if (value) value = build_fill(&l->b, value);
    py_require(l, at, is_at_most(l, py_integer(l, 0), shape[k]), "the shape is not negative");
  }
  if (value) s->value = value;
  return py_whole(l, slot);
}
