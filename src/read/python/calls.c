/* Built-in functions, those of math and NumPy, attributes and methods.
 *
 * A name that the file does not bind is a built-in one; `numpy` and `math` are known by the names that they were
 * imported under. What is not in a table here is refused. */
#include <math.h>
#include <string.h>

#include "read/python/lower.h"

/* ---- numbers ---- */

typedef struct NamedFunction {
  const char *name, *numpy; /* of math, and of NumPy for one number; numpy: its other name there, or NULL */
  Opcode code;
  uint32_t count;
  bool gives_integer; /* in math */
} NamedFunction;

static const NamedFunction functions[] = {
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, name, numpy, ...)            \
  {text, numpy, OP_MATH_##mlir, arity, false},
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
    {"sqrt", NULL, OP_MATH_SQRT, 1, false},         {"cbrt", NULL, OP_MATH_CBRT, 1, false},
    {"exp2", NULL, OP_MATH_EXP2, 1, false},         {"expm1", NULL, OP_MATH_EXPM1, 1, false},
    {"log2", NULL, OP_MATH_LOG2, 1, false},         {"log10", NULL, OP_MATH_LOG10, 1, false},
    {"log1p", NULL, OP_MATH_LOG1P, 1, false},       {"fabs", NULL, OP_MATH_ABSF, 1, false},
    {"floor", NULL, OP_MATH_FLOOR, 1, true},        {"ceil", NULL, OP_MATH_CEIL, 1, true},
    {"trunc", NULL, OP_MATH_TRUNC, 1, true},        {"rint", NULL, OP_MATH_ROUNDEVEN, 1, false},
    {"copysign", NULL, OP_MATH_COPYSIGN, 2, false}, {"fmod", NULL, OP_ARITH_REMF, 2, false},
};

static PyValue real(Lower *l, double value) {
  return py_number(NUMBER_REAL, build_real(&l->b, py_type(l, NUMBER_REAL), value));
}

static bool starts_with(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* "math.pi" and the like. */
static bool constant(Lower *l, const char *name, PyValue *out) {
  static const struct {
    const char *name;
    double value;
  } constants[] = {{"pi", 3.14159265358979323846},
                   {"e", 2.71828182845904523536},
                   {"tau", 6.28318530717958647692},
                   {"inf", INFINITY}};
  const char *dot = strchr(name, '.');
  if (!starts_with(name, "math.") && !starts_with(name, "numpy.")) return false;
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (!strcmp(dot + 1, constants[i].name)) return *out = real(l, constants[i].value), true;
  return false;
}

typedef struct Given {
  const PyNode *node; /* the call */
  const PyNode *args[8];
  uint32_t count;
} Given; /* arguments in their order */

static const PyNode *keyword(const PyNode *call, const char *name) {
  for (uint32_t i = 1; i < call->count; i++)
    if (call->args[i]->kind == PY_KEYWORD && !strcmp(call->args[i]->text, name)) return call->args[i]->args[0];
  return NULL;
}

static Given given(Lower *l, const PyNode *call, const char *keywords) {
  Given g = {.node = call};
  for (uint32_t i = 1; i < call->count; i++) {
    const PyNode *a = call->args[i];
    bool known = a->kind != PY_STAR && g.count < 8;
    if (a->kind == PY_KEYWORD) {
      const char *at = strstr(keywords, a->text);
      known = at && (at == keywords || at[-1] == ' ') && strchr(" ", at[strlen(a->text)]);
    } else if (known) {
      g.args[g.count++] = a;
    }
    if (!known) py_refuse(l, a, NULL, "this argument is not read yet");
  }
  return g;
}

static void want_count(Lower *l, const Given *g, uint32_t least, uint32_t most) {
  if (g->count < least || g->count > most)
    py_refuse(l, g->node, NULL, "this call has more or fewer arguments than are read");
}

static PyValue absolute(Lower *l, PyValue a) {
  if (a.type == NUMBER_BOOL) return a;
  if (a.type == NUMBER_REAL) return py_number(a.type, build_unary(&l->b, OP_MATH_ABSF, a.id, py_type(l, NUMBER_REAL)));
  PyValue x = py_number(NUMBER_INT, py_convert(l, &a, NUMBER_INT));
  PyValue minus = py_number(NUMBER_INT, py_exact(l, OP_ARITH_SUBI, py_integer(l, 0), x.id));
  return py_minimum(l, x, minus, true);
}

static PyValue number(Lower *l, const PyNode *n) { return py_to_number(l, n, py_value(l, n)); }

static PyValue absolute_element(Lower *l, const PyNode *at, const PyValue *items, const void *unused) {
  (void)at, (void)unused;
  return absolute(l, items[0]);
}

static PyValue function_element(Lower *l, const PyNode *at, const PyValue *items, const void *row) {
  const NamedFunction *f = row;
  ValueId args[2];
  TypeId type = py_type(l, NUMBER_REAL);
  for (uint32_t k = 0; k < f->count; k++) args[k] = py_convert(l, &items[k], NUMBER_REAL);
  py_at(l, at);
  return py_number(NUMBER_REAL, build_op(&l->b, f->code, f->count, args, 1, &type));
}

/* A function of the table; false: it is none of these. */
static bool call_function(Lower *l, const Given *g, const char *name, bool is_math, PyValue *out) {
  TypeId type = py_type(l, NUMBER_REAL);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const char *numpy = functions[i].code == OP_MATH_POWF ? NULL : functions[i].numpy; /* power of integers is one */
    if (strcmp(functions[i].name, name) && (is_math || !numpy || strcmp(numpy, name))) continue;
    if (!strcmp(name, "log") && g->count == 2 && is_math) { /* to a base */
      PyValue logs[2];
      for (uint32_t k = 0; k < 2; k++) {
        PyValue x = number(l, g->args[k]);
        logs[k] = py_number(NUMBER_REAL, build_unary(&l->b, OP_MATH_LOG, py_convert(l, &x, NUMBER_REAL), type));
      }
      *out = py_binary(l, g->node, "/", logs[0], logs[1]);
      return true;
    }
    want_count(l, g, functions[i].count, functions[i].count);
    ValueId args[2];
    PyValue given_values[2];
    for (uint32_t k = 0; k < g->count; k++) given_values[k] = py_value(l, g->args[k]);
    if (!is_math && py_any_array(g->count, given_values))
      return *out = py_elementwise(l, g->node, g->count, given_values, function_element, &functions[i]), true;
    for (uint32_t k = 0; k < g->count; k++) {
      PyValue x = py_to_number(l, g->args[k], given_values[k]);
      if (x.type != NUMBER_REAL && functions[i].gives_integer && is_math)
        return *out = py_number(NUMBER_INT, py_convert(l, &x, NUMBER_INT)), true;
      args[k] = py_convert(l, &x, NUMBER_REAL);
    }
    py_at(l, g->node);
    *out = py_number(NUMBER_REAL, build_op(&l->b, functions[i].code, g->count, args, 1, &type));
    if (functions[i].gives_integer && is_math) *out = py_number(NUMBER_INT, py_convert(l, out, NUMBER_INT));
    return true;
  }
  if (!strcmp(name, "hypot")) {
    want_count(l, g, 2, 2);
    PyValue x = number(l, g->args[0]), y = number(l, g->args[1]);
    PyValue sum = py_binary(l, g->node, "+", py_binary(l, g->node, "*", x, x), py_binary(l, g->node, "*", y, y));
    *out = py_number(NUMBER_REAL, build_unary(&l->b, OP_MATH_SQRT, py_convert(l, &sum, NUMBER_REAL), type));
    return true;
  }
  return false;
}

/* ---- over elements ---- */

typedef PyValue (*Step)(Lower *l, const PyNode *at, PyValue total, PyValue item);

static PyValue add(Lower *l, const PyNode *at, PyValue total, PyValue item) {
  return py_binary(l, at, "+", total, item);
}
static PyValue multiply(Lower *l, const PyNode *at, PyValue total, PyValue item) {
  return py_binary(l, at, "*", total, item);
}
static PyValue lesser(Lower *l, const PyNode *at, PyValue total, PyValue item) {
  (void)at;
  return py_minimum(l, total, item, false);
}
static PyValue greater(Lower *l, const PyNode *at, PyValue total, PyValue item) {
  (void)at;
  return py_minimum(l, total, item, true);
}
static PyValue either(Lower *l, const PyNode *at, PyValue total, PyValue item) {
  ValueId truth = py_truth(l, at, &item);
  return py_number(NUMBER_BOOL, build_binary(&l->b, OP_ARITH_ORI, total.id, truth, py_type(l, NUMBER_BOOL)));
}
static PyValue every(Lower *l, const PyNode *at, PyValue total, PyValue item) {
  ValueId truth = py_truth(l, at, &item);
  return py_number(NUMBER_BOOL, build_binary(&l->b, OP_ARITH_ANDI, total.id, truth, py_type(l, NUMBER_BOOL)));
}

/* All elements, one axis inside the other. */
static PyValue reduce(Lower *l, const PyNode *at, const View *view, PyValue start, Step step) {
  BuildLoop loop = build_for(&l->b, py_integer(l, 0), py_length(l, at, view), py_integer(l, 1), 1, &start.id);
  PyValue total = py_number(start.type, loop.counter + 1), item = py_item(l, at, view, loop.counter);
  total = item.kind == PYV_ARRAY ? reduce(l, at, &item.view, total, step) : step(l, at, total, item);
  ValueId next = py_convert(l, &total, start.type);
  return py_number(start.type, build_for_end(&l->b, &loop, &next));
}

static const struct Reduction {
  const char *name;
  Step step;
  int start; /* -1: the first element */
  bool of_truths;
} reductions[] = {{"sum", add, 0, false},      {"prod", multiply, 1, false}, {"min", lesser, -1, false},
                  {"max", greater, -1, false}, {"any", either, 0, true},     {"all", every, 1, true},
                  {"fsum", add, 0, false},     {"amin", lesser, -1, false},  {"amax", greater, -1, false}};

static PyValue start_of(Lower *l, const struct Reduction *r, NumberType type) {
  if (r->of_truths) return py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), r->start));
  PyValue start = py_number(NUMBER_INT, py_integer(l, r->start));
  if (type == NUMBER_REAL) start = py_number(type, py_convert(l, &start, type));
  return start;
}

/* What a reduction of no elements is asked for: the first of them. */
static PyValue first_of(Lower *l, const PyNode *at, View view) {
  PyValue item = {.kind = PYV_ARRAY, .view = view};
  while (item.kind == PYV_ARRAY) {
    ValueId length = py_length(l, at, &item.view);
    py_require(l, at, build_compare(&l->b, OP_ARITH_CMPI, "sle", py_integer(l, 1), length),
               arena_format(l->arena, "%s has an element", py_text(l, at)));
    item = py_item(l, at, &item.view, py_integer(l, 0));
  }
  item.param = NULL;
  return item;
}

static PyValue reduce_view(Lower *l, const PyNode *at, const struct Reduction *r, const View *view) {
  NumberType type = l->slots.data[view->slot].element;
  return reduce(l, at, view, r->start < 0 ? first_of(l, at, *view) : start_of(l, r, type), r->step);
}

static PyValue reduce_node(Lower *l, const PyNode *call, const struct Reduction *r, const PyNode *n) {
  if (n->kind == PY_COMPREHENSION && r->start >= 0)
    return py_accumulate(l, call, n, start_of(l, r, NUMBER_INT), r->step);
  View view = py_array(l, n, py_value(l, n));
  return reduce_view(l, n, r, &view);
}

static const struct Reduction *find_reduction(const char *name) {
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    if (!strcmp(reductions[i].name, name)) return &reductions[i];
  return NULL;
}

static PyValue mean(Lower *l, const PyNode *at, const View *view) {
  PyValue total = reduce_view(l, at, &reductions[0], view), count = py_number(NUMBER_INT, py_integer(l, 1));
  for (uint32_t k = 0; k < py_rank(view); k++)
    count = py_number(NUMBER_INT, py_exact(l, OP_ARITH_MULI, count.id, py_length_of(l, at, view, k)));
  return py_binary(l, at, "/", total, count);
}

static PyValue square_root(Lower *l, PyValue x) {
  ValueId of = py_convert(l, &x, NUMBER_REAL);
  return py_number(NUMBER_REAL, build_unary(&l->b, OP_MATH_SQRT, of, py_type(l, NUMBER_REAL)));
}

static PyValue reduce_along(Lower *l, const PyNode *at, const View *view, const void *row) {
  return reduce_view(l, at, row, view);
}

static PyValue mean_along(Lower *l, const PyNode *at, const View *view, const void *unused) {
  (void)unused;
  return mean(l, at, view);
}

/* The mean square of what is left when the mean is taken away; and its root, as `root` says. */
static PyValue variance(Lower *l, const PyNode *at, const View *view, const void *root) {
  PyValue all = {.kind = PYV_ARRAY, .view = *view};
  PyValue rest = py_binary(l, at, "-", all, mean(l, at, view));
  PyValue squares = py_binary(l, at, "*", rest, rest);
  PyValue value = mean(l, at, &squares.view);
  return *(const bool *)root ? square_root(l, value) : value;
}

/* Of all elements, or along an axis. */
static PyValue spread(Lower *l, const PyNode *call, const char *name, const PyNode *axis, View view) {
  static const bool roots[] = {false, true};
  const bool *root = &roots[!strcmp(name, "std")];
  int64_t along;
  py_want_numpy(l, call, &view);
  if (!axis) return variance(l, call, &view, root);
  if (!py_is_constant(l, py_index(l, axis), &along))
    py_refuse(l, axis, "write the number", "an axis that is computed is not read yet");
  return py_along(l, call, &view, along, variance, root);
}

/* A reduction, or a mean (r NULL), of all elements or along the axis that the call names. */
static PyValue reduce_call(Lower *l, const PyNode *call, const PyNode *of, const struct Reduction *r,
                           const PyNode *axis, View view) {
  int64_t along;
  if (!axis || (axis->kind == PY_NAME && !strcmp(axis->text, "None")))
    return r ? reduce_view(l, of, r, &view) : mean(l, of, &view);
  if (!py_is_constant(l, py_index(l, axis), &along))
    py_refuse(l, axis, "write the number", "an axis that is computed is not read yet");
  py_want_numpy(l, of, &view);
  return py_along(l, call, &view, along, r ? reduce_along : mean_along, r);
}

/* The first place of the largest, or of the least. */
static PyValue place_of_best(Lower *l, const PyNode *at, const View *view, const void *op) {
  if (py_rank(view) != 1) py_refuse(l, at, "name the axis", "a place in an array of several axes is not read yet");
  first_of(l, at, *view);
  ValueId zero = py_integer(l, 0);
  BuildLoop loop = build_for(&l->b, py_integer(l, 1), py_length(l, at, view), py_integer(l, 1), 1, &zero);
  PyValue best = py_item(l, at, view, loop.counter + 1), item = py_item(l, at, view, loop.counter);
  PyValue better = py_compare(l, at, op, item, best);
  TypeId wide = py_wide(l);
  ValueId next = build_op(&l->b, OP_ARITH_SELECT, 3, (ValueId[]){better.id, loop.counter, loop.counter + 1}, 1, &wide);
  return py_number(NUMBER_INT, build_for_end(&l->b, &loop, &next));
}

static PyValue best_place(Lower *l, const PyNode *call, const char *name, const PyNode *axis, View view) {
  const char *op = !strcmp(name, "argmax") ? ">" : "<";
  int64_t along;
  py_want_numpy(l, call, &view);
  if (!axis) return place_of_best(l, call, &view, op);
  if (!py_is_constant(l, py_index(l, axis), &along))
    py_refuse(l, axis, "write the number", "an axis that is computed is not read yet");
  return py_along(l, call, &view, along, place_of_best, op);
}

static PyValue choose_element(Lower *l, const PyNode *at, const PyValue *items, const void *unused) {
  (void)unused;
  NumberType type = items[1].type > items[2].type ? items[1].type : items[2].type;
  TypeId id = py_type(l, type);
  ValueId parts[] = {py_truth(l, at, &items[0]), py_convert(l, &items[1], type), py_convert(l, &items[2], type)};
  return py_number(type, build_op(&l->b, OP_ARITH_SELECT, 3, parts, 1, &id));
}

static PyValue lesser_element(Lower *l, const PyNode *at, const PyValue *items, const void *unused) {
  (void)at, (void)unused;
  return py_minimum(l, items[0], items[1], false);
}

static PyValue greater_element(Lower *l, const PyNode *at, const PyValue *items, const void *unused) {
  (void)at, (void)unused;
  return py_minimum(l, items[0], items[1], true);
}

static PyValue clip_element(Lower *l, const PyNode *at, const PyValue *items, const void *unused) {
  (void)at, (void)unused;
  return py_minimum(l, py_minimum(l, items[0], items[1], true), items[2], false);
}

/* The products of each element of one array and each of the other. */
static PyValue outer_at(Lower *l, const PyNode *at, const ValueId *index, const void *payload) {
  const View *of = payload;
  return py_binary(l, at, "*", py_item(l, at, &of[0], index[0]), py_item(l, at, &of[1], index[1]));
}

static PyValue outer(Lower *l, const PyNode *call, const PyNode *a, const PyNode *b) {
  View of[2] = {py_array(l, a, py_value(l, a)), py_array(l, b, py_value(l, b))};
  ValueId length[2];
  for (int i = 0; i < 2; i++) {
    if (py_rank(&of[i]) != 1) py_refuse(l, call, "write it as loops", "the outer product of more than vectors");
    length[i] = py_length(l, call, &of[i]);
  }
  return py_make(l, call, 2, length, outer_at, of);
}

/* np.array(list): its elements, as an array. */
static PyValue element_of(Lower *l, const PyNode *at, const ValueId *index, const void *payload) {
  return py_item(l, at, payload, index[0]);
}

static PyValue array_of(Lower *l, const PyNode *call, const PyNode *of) {
  View view = py_array(l, of, py_value(l, of));
  if (py_rank(&view) != 1) py_refuse(l, call, "fill an array of np.zeros", "an array of a list of lists");
  ValueId length = py_length(l, call, &view);
  return py_make(l, call, 1, &length, element_of, &view);
}

/* Functions of NumPy on elements, which stand in no table of functions of reals. */
static bool call_elementwise(Lower *l, const Given *g, const char *name, PyValue *out) {
  static const struct {
    const char *name;
    PyElement element;
    uint32_t count;
  } rows[] = {{"abs", absolute_element, 1},   {"absolute", absolute_element, 1}, {"maximum", greater_element, 2},
              {"minimum", lesser_element, 2}, {"fmax", greater_element, 2},      {"fmin", lesser_element, 2},
              {"where", choose_element, 3},   {"clip", clip_element, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) != 0 || rows[i].count != g->count) continue;
    PyValue args[PY_MOST_OPERANDS];
    for (uint32_t k = 0; k < g->count; k++) args[k] = py_value(l, g->args[k]);
    for (uint32_t k = 0; k < g->count && !py_any_array(g->count, args); k++) py_to_number(l, g->args[k], args[k]);
    return *out = py_elementwise(l, g->node, g->count, args, rows[i].element, NULL), true;
  }
  return false;
}

/* ---- arrays that are made ---- */

typedef struct ElementType {
  const char *name; /* NumPy's, or a word of Python */
  NumberType type;
  uint32_t width; /* of integers that wrap; 0: of 64 bits, which are taken not to overflow, as Python's do not */
  bool is_unsigned;
} ElementType;

static ElementType dtype(Lower *l, const PyNode *n, ElementType otherwise) {
  static const ElementType types[] = {
      {"float", NUMBER_REAL, 0, false},   {"float64", NUMBER_REAL, 0, false}, {"double", NUMBER_REAL, 0, false},
      {"float_", NUMBER_REAL, 0, false},  {"float32", NUMBER_REAL, 0, false}, {"single", NUMBER_REAL, 0, false},
      {"float16", NUMBER_REAL, 0, false}, {"half", NUMBER_REAL, 0, false},    {"int", NUMBER_INT, 0, false},
      {"int64", NUMBER_INT, 0, false},    {"int_", NUMBER_INT, 0, false},     {"int32", NUMBER_INT, 32, false},
      {"int16", NUMBER_INT, 16, false},   {"int8", NUMBER_INT, 8, false},     {"uint32", NUMBER_INT, 32, true},
      {"uint16", NUMBER_INT, 16, true},   {"uint8", NUMBER_INT, 8, true},     {"ubyte", NUMBER_INT, 8, true},
      {"bool", NUMBER_BOOL, 0, false},    {"bool_", NUMBER_BOOL, 0, false},
  };
  if (!n) return otherwise;
  PyValue v = py_value(l, n);
  bool is_text = v.kind == PYV_NAME || v.kind == PYV_TEXT;
  const char *name = is_text && starts_with(v.text, "numpy.") ? v.text + strlen("numpy.") : v.text;
  for (size_t i = 0; i < sizeof types / sizeof *types && is_text; i++)
    if (!strcmp(types[i].name, name)) return types[i];
  py_refuse(l, n, "floats, integers of up to 32 bits or int64, and bool are read",
            "elements of type %s are not read yet", py_text(l, n));
}

static uint32_t shape_of(Lower *l, const PyNode *n, ValueId shape[PY_MAX_RANK]) {
  PyValue v = n->kind == PY_LIST ? (PyValue){.kind = PYV_NONE} : py_value(l, n);
  uint32_t rank = n->kind == PY_LIST ? n->count : v.kind == PYV_TUPLE ? v.count : 1;
  if (!rank || rank > PY_MAX_RANK) py_refuse(l, n, NULL, "a shape of one to %d sizes is read", PY_MAX_RANK);
  for (uint32_t k = 0; k < rank; k++) {
    if (n->kind == PY_LIST || n->kind == PY_TUPLE)
      shape[k] = py_index(l, n->args[k]);
    else
      shape[k] = py_to_index(l, n, v.kind == PYV_TUPLE ? v.items[k] : v);
  }
  return rank;
}

static PyValue made(Lower *l, const PyNode *at, const char *what, uint32_t rank, const ValueId *shape,
                    const ElementType *of, const PyValue *fill) {
  PyValue value = py_number(NUMBER_INT, py_integer(l, starts_with(what, "ones")));
  if (fill) value = *fill;
  bool is_empty = starts_with(what, "empty");
  ValueId first = is_empty ? 0 : py_convert(l, &value, of->type);
  if (fill && first) first = py_narrowed(l, of->width, of->is_unsigned, first);
  PyValue array = py_filled(l, at, rank, shape, of->type, first);
  Slot *s = &l->slots.data[array.view.slot];
  s->width = of->width, s->is_unsigned = of->is_unsigned;
  return array;
}

/* zeros, ones, empty, full, and those with _like. */
static bool make_array(Lower *l, const PyNode *call, const char *name, PyValue *out) {
  static const char *const names[] = {"zeros",      "ones",      "empty",      "full",
                                      "zeros_like", "ones_like", "empty_like", "full_like"};
  ValueId shape[PY_MAX_RANK];
  size_t which = 0;
  while (which < 8 && strcmp(names[which], name) != 0) which++;
  if (which == 8) return false;
  bool full = which % 4 == 3, like = which >= 4;
  Given g = given(l, call, "shape dtype fill_value");
  const PyNode *first = g.count ? g.args[0] : keyword(call, "shape");
  const PyNode *fill = full ? g.count > 1 ? g.args[1] : keyword(call, "fill_value") : NULL;
  const PyNode *type_node = keyword(call, "dtype") ? keyword(call, "dtype")
                            : g.count > 1u + full  ? g.args[1 + full]
                                                   : NULL;
  if (!first || (full && !fill) || g.count > 2u + full)
    py_refuse(l, call, NULL, "%s with these arguments is not read yet", name);
  PyValue value = {.kind = PYV_NONE};
  if (full) value = number(l, fill);
  uint32_t rank;
  ElementType type = {.type = full ? value.type : NUMBER_REAL};
  if (like) {
    View view = py_array(l, first, py_value(l, first));
    rank = py_rank(&view);
    for (uint32_t k = 0; k < rank; k++) {
      if (!l->slots.data[view.slot].is_even && k)
        py_refuse(l, call, NULL, "an array like a list of lists is not read yet");
      shape[k] = py_length_of(l, first, &view, k);
    }
    const Slot *s = &l->slots.data[view.slot];
    type = (ElementType){NULL, s->element, s->width, s->is_unsigned};
  } else {
    rank = shape_of(l, first, shape);
  }
  py_at(l, call);
  type = dtype(l, type_node, type);
  *out = made(l, call, name, rank, shape, &type, full ? &value : NULL);
  return true;
}

/* ---- attributes and methods ---- */

PyValue py_attribute(Lower *l, const PyNode *node) {
  PyValue base = py_value(l, node->args[0]), value;
  if (base.kind == PYV_NAME && !base.items) {
    const char *name = arena_format(l->arena, "%s.%s", base.text, node->text);
    return constant(l, name, &value) ? value : py_name(name);
  }
  bool has_shape = !strcmp(node->text, "shape") || !strcmp(node->text, "size") || !strcmp(node->text, "ndim");
  if (has_shape) {
    View view = py_array(l, node->args[0], base);
    const Slot *s = &l->slots.data[view.slot];
    uint32_t rank = py_rank(&view);
    py_want_numpy(l, node, &view);
    if (!strcmp(node->text, "ndim")) return py_number(NUMBER_INT, py_integer(l, rank));
    value = (PyValue){.kind = PYV_TUPLE, .count = rank, .items = arena_array(l->arena, PyValue, rank + 1)};
    if (s->kind == SLOT_MEMORY && rank == view.count) value.param = s->made_by;
    for (uint32_t k = 0; k < rank; k++) value.items[k] = py_number(NUMBER_INT, py_length_of(l, node, &view, k));
    if (!strcmp(node->text, "shape")) return value;
    PyValue size = py_number(NUMBER_INT, py_integer(l, 1));
    for (uint32_t k = 0; k < rank; k++) size = py_binary(l, node, "*", size, value.items[k]);
    return size;
  }
  value = py_name(arena_format(l->arena, ".%s", node->text));
  value.items = arena_new(l->arena, PyValue);
  *value.items = base;
  return value;
}

static void extend(Lower *l, PyValue item, const void *payload) {
  const PyValue *list = payload;
  py_append(l, l->function, &list->view, item);
}

static PyValue call_method(Lower *l, const PyNode *call, const char *name, PyValue base) {
  const PyNode *object = call->args[0]->args[0];
  PyValue none = {.kind = PYV_NONE};
  Given g = given(l, call, "axis");
  const PyNode *axis = keyword(call, "axis") ? keyword(call, "axis") : g.count ? g.args[0] : NULL;
  const struct Reduction *r = find_reduction(name);
  View view = py_array(l, object, base);
  if (!strcmp(name, "append") && g.count == 1) {
    PyValue value = py_value(l, g.args[0]);
    py_at(l, call);
    py_append(l, call, &view, value);
    return none;
  }
  if (!strcmp(name, "extend") && g.count == 1) {
    PyValue list = {.kind = PYV_ARRAY, .view = view};
    py_each(l, call, NULL, g.args[0], extend, &list);
    return none;
  }
  if (!strcmp(name, "copy") && !g.count) return py_shallow_copy(l, call, &view);
  bool reduces = (r && r->start != 1 + r->of_truths) || !strcmp(name, "mean");
  if (reduces && g.count <= 1) {
    py_want_numpy(l, call, &view);
    return reduce_call(l, call, object, r, axis, view);
  }
  if ((!strcmp(name, "std") || !strcmp(name, "var")) && g.count <= 1) return spread(l, call, name, axis, view);
  if ((!strcmp(name, "argmax") || !strcmp(name, "argmin")) && g.count <= 1)
    return best_place(l, call, name, axis, view);
  if (!strcmp(name, "dot") && g.count == 1) {
    py_want_numpy(l, call, &view);
    View other = py_array(l, g.args[0], py_value(l, g.args[0]));
    return py_product(l, call, &view, &other);
  }
  py_refuse(l, call, "append, extend, copy are read", "the method %s is not read yet", name);
}

/* ---- built-in functions ---- */

static PyValue to_int(Lower *l, const PyNode *n) {
  PyValue v = number(l, n);
  return py_number(NUMBER_INT, py_convert(l, &v, NUMBER_INT));
}

static PyValue to_real(Lower *l, const PyNode *n) {
  PyValue v = py_value(l, n);
  if (v.kind == PYV_TEXT) {
    const char *text = v.text + (*v.text == '-' || *v.text == '+');
    if (strcmp(text, "inf") != 0 && strcmp(text, "infinity") != 0) py_refuse(l, n, NULL, "this text is no number");
    return real(l, *v.text == '-' ? -INFINITY : INFINITY);
  }
  py_to_number(l, n, v);
  return py_number(NUMBER_REAL, py_convert(l, &v, NUMBER_REAL));
}

/* min and max of several numbers. */
static PyValue extreme(Lower *l, const Given *g, bool most) {
  PyValue best = number(l, g->args[0]);
  for (uint32_t i = 1; i < g->count; i++) {
    PyValue other = number(l, g->args[i]);
    best = py_minimum(l, best, other, most);
  }
  return best;
}

static bool call_builtin(Lower *l, const Given *g, const char *name, PyValue *out) {
  const PyNode *call = g->node;
  const struct Reduction *r = find_reduction(name);
  if (!strcmp(name, "len") && g->count == 1) {
    PyValue value = py_value(l, g->args[0]);
    View view = value.kind == PYV_TUPLE ? (View){0} : py_array(l, g->args[0], value);
    ValueId length = value.kind == PYV_TUPLE ? py_integer(l, value.count) : py_length(l, call, &view);
    return *out = py_number(NUMBER_INT, length), true;
  }
  if (!strcmp(name, "abs") && g->count == 1) return *out = absolute(l, number(l, g->args[0])), true;
  if ((!strcmp(name, "min") || !strcmp(name, "max")) && g->count > 1) return *out = extreme(l, g, name[1] == 'a'), true;
  if (r && r->start < 2 && strcmp(name, "prod") != 0 && strcmp(name, "fsum") != 0 && name[0] != 'p' &&
      strncmp(name, "am", 2) != 0 && (g->count == 1 || (g->count == 2 && !strcmp(name, "sum")))) {
    PyValue total = reduce_node(l, call, r, g->args[0]);
    if (g->count == 2) total = py_binary(l, call, "+", number(l, g->args[1]), total);
    return *out = total, true;
  }
  if (!strcmp(name, "int") && g->count == 1) return *out = to_int(l, g->args[0]), true;
  if (!strcmp(name, "float") && g->count == 1) return *out = to_real(l, g->args[0]), true;
  if (!strcmp(name, "bool") && g->count == 1) return *out = py_number(NUMBER_BOOL, py_condition(l, g->args[0])), true;
  if (!strcmp(name, "round") && g->count == 1) {
    PyValue v = number(l, g->args[0]);
    if (v.type == NUMBER_REAL)
      v = py_number(v.type, build_unary(&l->b, OP_MATH_ROUNDEVEN, v.id, py_type(l, NUMBER_REAL)));
    return *out = py_number(NUMBER_INT, py_convert(l, &v, NUMBER_INT)), true;
  }
  if (!strcmp(name, "pow") && g->count == 2) {
    PyValue a = number(l, g->args[0]), b = number(l, g->args[1]);
    return *out = py_binary(l, call, "**", a, b), true;
  }
  if (!strcmp(name, "divmod") && g->count == 2) {
    PyValue a = number(l, g->args[0]), b = number(l, g->args[1]);
    *out = (PyValue){.kind = PYV_TUPLE, .count = 2, .items = arena_array(l->arena, PyValue, 2)};
    out->items[0] = py_binary(l, call, "//", a, b), out->items[1] = py_binary(l, call, "%", a, b);
    return true;
  }
  if (!strcmp(name, "list") && g->count <= 1) {
    if (!g->count) return *out = py_list_of(l, call, NULL, 0), true;
    const PyNode *of = g->args[0];
    if (of->kind == PY_COMPREHENSION) return *out = py_comprehension(l, of), true;
    View view = py_array(l, of, py_value(l, of));
    return *out = py_shallow_copy(l, call, &view), true;
  }
  return false;
}

static bool call_numpy(Lower *l, const PyNode *call, const char *name, PyValue *out) {
  static const char *const ints[] = {"int64", "int_"}, *const reals[] = {"float64", "double"};
  const struct Reduction *r = find_reduction(name);
  if (make_array(l, call, name, out)) return true;
  Given g = given(l, call, "axis");
  const PyNode *axis = keyword(call, "axis") ? keyword(call, "axis") : g.count == 2 ? g.args[1] : NULL;
  bool takes_axis = g.count == 1 || (g.count == 2 && !keyword(call, "axis"));
  if (r && strcmp(name, "fsum") != 0 && takes_axis) {
    if (!axis) return *out = reduce_node(l, call, r, g.args[0]), true;
    return *out = reduce_call(l, call, g.args[0], r, axis, py_array(l, g.args[0], py_value(l, g.args[0]))), true;
  }
  if (!strcmp(name, "mean") && takes_axis)
    return *out = reduce_call(l, call, g.args[0], NULL, axis, py_array(l, g.args[0], py_value(l, g.args[0]))), true;
  if ((!strcmp(name, "std") || !strcmp(name, "var")) && takes_axis)
    return *out = spread(l, call, name, axis, py_array(l, g.args[0], py_value(l, g.args[0]))), true;
  if ((!strcmp(name, "argmax") || !strcmp(name, "argmin")) && takes_axis)
    return *out = best_place(l, call, name, axis, py_array(l, g.args[0], py_value(l, g.args[0]))), true;
  if (keyword(call, "axis")) return false;
  if (call_elementwise(l, &g, name, out)) return true;
  if (g.count == 1 && !strcmp(name, "square")) {
    PyValue x = py_value(l, g.args[0]);
    return *out = py_binary(l, call, "*", x, x), true;
  }
  bool is_product = !strcmp(name, "dot") || !strcmp(name, "matmul");
  if (g.count == 2 && (is_product || !strcmp(name, "inner") || !strcmp(name, "vdot"))) {
    View a = py_array(l, g.args[0], py_value(l, g.args[0])), b = py_array(l, g.args[1], py_value(l, g.args[1]));
    if (!is_product && (py_rank(&a) != 1 || py_rank(&b) != 1))
      py_refuse(l, call, "write it as loops", "a product of matrices by %s is not read yet", name);
    return *out = py_product(l, call, &a, &b), true;
  }
  if (g.count == 2 && !strcmp(name, "outer")) return *out = outer(l, call, g.args[0], g.args[1]), true;
  if (g.count == 1 && !strcmp(name, "array")) return *out = array_of(l, call, g.args[0]), true;
  if (g.count == 1 && !strcmp(name, "linalg.norm")) {
    View view = py_array(l, g.args[0], py_value(l, g.args[0]));
    PyValue all = {.kind = PYV_ARRAY, .view = view}, squares = py_binary(l, call, "*", all, all);
    return *out = square_root(l, reduce_view(l, call, &reductions[0], &squares.view)), true;
  }
  if (g.count == 1 && !strcmp(name, "copy")) {
    View view = py_array(l, g.args[0], py_value(l, g.args[0]));
    py_want_numpy(l, call, &view);
    return *out = py_shallow_copy(l, call, &view), true;
  }
  for (size_t i = 0; i < 2 && g.count == 1; i++) {
    if (!strcmp(name, ints[i])) return *out = to_int(l, g.args[0]), true;
    if (!strcmp(name, reals[i])) return *out = to_real(l, g.args[0]), true;
  }
  return call_function(l, &g, name, false, out);
}

/* The name by which --opaque may mean the function; NULL: it is none. */
static const char *name_of(const PyValue *callee) {
  if (callee->kind == PYV_FUNCTION) return callee->node->text;
  if (callee->kind != PYV_NAME || callee->items) return NULL;
  const char *dot = strrchr(callee->text, '.');
  return dot ? dot + 1 : callee->text;
}

/* The numbers that a definition says it returns. */
static NumberType returned_type(const PyNode *def) {
  uint32_t of_parameters = 0;
  for (uint32_t i = 0; i + 1 < def->count; i++) of_parameters += def->args[i]->annotations != NULL;
  if (!def->annotations || def->annotations->count == of_parameters) return NUMBER_REAL;
  const PyNode *type = def->annotations->args[def->annotations->count - 1];
  bool is_int = type->kind == PY_NAME && !strcmp(type->text, "int");
  return is_int ? NUMBER_INT : NUMBER_REAL;
}

/* Any function of these numbers, known by its name. */
static PyValue call_opaque(Lower *l, const PyNode *node, const PyValue *callee, const char *name) {
  Given g = given(l, node, "");
  for (uint32_t i = 0; i < l->opaque.count; i++) {
    const PyValue *other = &l->opaque.data[i];
    bool same = other->kind == callee->kind && other->node == callee->node &&
                (callee->kind == PYV_FUNCTION || !strcmp(other->text, callee->text));
    if (!same && !strcmp(name_of(other), name))
      py_refuse(l, node, "give them different names", "two unknown functions with the name %s", name);
  }
  if (!g.count) py_refuse(l, node, NULL, "%s as an unknown function of nothing", name);
  if (callee->kind == PYV_FUNCTION && g.count + 1 != callee->node->count)
    py_refuse(l, node, "give all of them", "a call of the unknown function %s without each of its arguments", name);
  array_push(l->arena, &l->opaque, *callee);
  ValueId *args = arena_array(l->arena, ValueId, g.count);
  for (uint32_t i = 0; i < g.count; i++) args[i] = number(l, g.args[i]).id;
  NumberType type = callee->kind == PYV_FUNCTION ? returned_type(callee->node) : NUMBER_REAL;
  TypeId id = py_type(l, type);
  py_at(l, node);
  build_attr_string(&l->b, "symbol", name);
  build_attr_unit(&l->b, "pure");
  return py_number(type, build_op(&l->b, OP_TT_EXTERN_ELEMENTWISE, g.count, args, 1, &id));
}

PyValue py_call(Lower *l, const PyNode *node) {
  PyValue callee = py_value(l, node->args[0]), value;
  const char *own = name_of(&callee);
  py_at(l, node);
  if (own && read_is_opaque(l->options, own)) return call_opaque(l, node, &callee, own);
  if (callee.kind == PYV_FUNCTION) return py_inline(l, node, &callee);
  if (callee.kind != PYV_NAME) py_refuse(l, node, NULL, "this is no function");
  if (callee.items) return call_method(l, node, callee.text + 1, *callee.items);
  if (starts_with(callee.text, "numpy.")) {
    if (call_numpy(l, node, callee.text + strlen("numpy."), &value)) return value;
  } else {
    Given g = given(l, node, "");
    bool is_math = starts_with(callee.text, "math.");
    const char *name = is_math ? callee.text + strlen("math.") : callee.text;
    if (is_math && (!strcmp(name, "fsum") || !strcmp(name, "prod")) && g.count == 1)
      return reduce_node(l, node, find_reduction(name), g.args[0]);
    if (is_math ? call_function(l, &g, name, true, &value) : call_builtin(l, &g, name, &value)) return value;
  }
  py_refuse(l, node, "built-in functions, those of math, and some of NumPy are", "a call of %s is not read yet",
            callee.text);
}
