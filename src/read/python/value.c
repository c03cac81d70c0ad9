/* Numbers and operators of Python.
 *
 * An integer is unbounded: its ops carry the mark `unbounded`, under which the exact result is taken and nothing is
 * asked of it. A number that may be an integer or a real is a real, which holds both: all operators agree on them,
 * `//` and `%` too, which floor. */
#include <math.h>
#include <string.h>

#include "read/python/lower.h"

TypeId py_wide(Lower *l) { return program_type_int(l->p, 64); }

TypeId py_type(Lower *l, NumberType type) {
  return type == NUMBER_REAL ? program_type_float(l->p, FLOAT_F64)
                             : program_type_int(l->p, type == NUMBER_BOOL ? 1 : 64);
}

ValueId py_integer(Lower *l, int64_t value) { return build_integer(&l->b, py_wide(l), value); }

static ValueId real(Lower *l, double value) { return build_real(&l->b, py_type(l, NUMBER_REAL), value); }

bool py_is_constant(const Lower *l, ValueId value, int64_t *out) { return build_is_constant(l->p, value, out); }

static bool fold(Opcode code, int64_t a, int64_t b, int64_t *out) {
  if (code == OP_ARITH_ADDI) return !__builtin_add_overflow(a, b, out);
  if (code == OP_ARITH_SUBI) return !__builtin_sub_overflow(a, b, out);
  if (code == OP_ARITH_MULI) return !__builtin_mul_overflow(a, b, out);
  return false;
}

ValueId py_exact(Lower *l, Opcode code, ValueId a, ValueId b) {
  int64_t x, y, folded;
  if (py_is_constant(l, a, &x) && py_is_constant(l, b, &y) && fold(code, x, y, &folded)) return py_integer(l, folded);
  build_attr_unit(&l->b, "unbounded");
  return build_binary(&l->b, code, a, b, py_wide(l));
}

ValueId py_convert(Lower *l, const PyValue *value, NumberType to) {
  int64_t known;
  if (value->type == to) return value->id;
  bool constant = py_is_constant(l, value->id, &known);
  if (to == NUMBER_REAL) {
    if (constant && known >= -(1LL << 53) && known <= 1LL << 53) return real(l, (double)known);
    return build_unary(&l->b, value->type == NUMBER_BOOL ? OP_ARITH_UITOFP : OP_ARITH_SITOFP, value->id,
                       py_type(l, to));
  }
  if (to == NUMBER_INT && value->type == NUMBER_BOOL)
    return constant ? py_integer(l, known & 1) : build_unary(&l->b, OP_ARITH_EXTUI, value->id, py_wide(l));
  if (to == NUMBER_BOOL) return py_truth(l, l->function, value);
  build_attr_unit(&l->b, "unbounded"); /* a real towards 0 */
  return build_unary(&l->b, OP_ARITH_FPTOSI, value->id, py_wide(l));
}

PyValue py_to_number(Lower *l, const PyNode *at, PyValue value) {
  if (value.kind == PYV_OTHER) py_refuse(l, at, NULL, "%s", value.text);
  if (value.kind != PYV_NUMBER) py_refuse(l, at, NULL, "a number is expected here");
  return value;
}

ValueId py_truth(Lower *l, const PyNode *at, const PyValue *value) {
  if (value->kind == PYV_ARRAY && l->slots.data[value->view.slot].is_numpy)
    py_refuse(l, at, "ask for its length, or for any() of it", "an array as a truth value");
  if (value->kind == PYV_ARRAY)
    return build_compare(&l->b, OP_ARITH_CMPI, "ne", py_length(l, at, &value->view), py_integer(l, 0));
  py_to_number(l, at, *value);
  if (value->type == NUMBER_BOOL) return value->id;
  if (value->type == NUMBER_INT) return build_compare(&l->b, OP_ARITH_CMPI, "ne", value->id, py_integer(l, 0));
  return build_compare(&l->b, OP_ARITH_CMPF, "une", value->id, real(l, 0));
}

ValueId py_condition(Lower *l, const PyNode *node) {
  PyValue value = py_value(l, node);
  return py_truth(l, node, &value);
}

/* ---- integers that are asked for ---- */

static void want_elements(Lower *l, const PyNode *node);

static bool is_call_of(const PyNode *n, const char *name) {
  return n->kind == PY_CALL && n->args[0]->kind == PY_NAME && !strcmp(n->args[0]->text, name);
}

/* Of a target `x`, or (i, (x, y)), over an iterable: the iterable gives integers for that name. */
static void want_target(Lower *l, const PyNode *target, const PyNode *iterable, const char *name) {
  if (target->kind == PY_NAME && !strcmp(target->text, name)) want_elements(l, iterable);
  for (uint32_t i = 0; (target->kind == PY_TUPLE || target->kind == PY_LIST) && i < target->count; i++) {
    bool zips = is_call_of(iterable, "zip") && i + 1 < iterable->count;
    bool counts = is_call_of(iterable, "enumerate") && iterable->count > 1;
    want_target(l, target->args[i], zips ? iterable->args[1 + i] : counts ? iterable->args[1] : iterable, name);
  }
}

static void want_assigned(Lower *l, const PyNode *n, const char *name) {
  if (n->kind == PY_DEF) return;
  if (n->kind == PY_ASSIGN)
    for (uint32_t i = 0; i + 1 < n->count; i++) {
      const PyNode *target = n->args[i], *value = n->args[n->count - 1];
      if (target->kind == PY_NAME && !strcmp(target->text, name)) py_want_integers(l, value);
      for (uint32_t k = 0; target->kind == PY_TUPLE && value->kind == PY_TUPLE && k < target->count && k < value->count;
           k++)
        if (target->args[k]->kind == PY_NAME && !strcmp(target->args[k]->text, name))
          py_want_integers(l, value->args[k]);
    }
  if (n->kind == PY_AUGMENTED && n->args[0]->kind == PY_NAME && !strcmp(n->args[0]->text, name))
    py_want_integers(l, n->args[1]);
  if (n->kind == PY_FOR || n->kind == PY_CLAUSE) want_target(l, n->args[0], n->args[1], name);
  for (uint32_t i = 0; i < n->count; i++) want_assigned(l, n->args[i], name);
}

static void want_parameter(Lower *l, const PyNode *param) {
  if (!param->annotations) py_learn(l, FACT_INTEGER, param, NULL, 1);
}

/* The value of a name: its parameter, or whatever it is assigned. */
static void want_name(Lower *l, Frame *frame, const char *name, void (*want)(Lower *, const PyNode *)) {
  for (Frame *f = frame; f; f = f->around) {
    Frame *running = l->frame;
    const PyNode *def = f->def;
    for (uint32_t i = 0; def->kind == PY_DEF && i + 1 < def->count; i++) {
      if (strcmp(def->args[i]->text, name) != 0) continue;
      if (!f->call) {
        want_parameter(l, def->args[i]);
      } else if (i + 1 < f->call->count) {
        const PyNode *argument = f->call->args[1 + i];
        for (uint32_t k = 1; k < f->call->count; k++)
          if (f->call->args[k]->kind == PY_KEYWORD && !strcmp(f->call->args[k]->text, name))
            argument = f->call->args[k]->args[0];
        l->frame = f->caller;
        want(l, argument);
        l->frame = running;
      }
    }
    l->frame = f;
    want_assigned(l, def->kind == PY_DEF ? def->args[def->count - 1] : def, name);
    l->frame = running;
  }
}

static bool is_wanted(Lower *l, const PyNode *node) {
  for (uint32_t i = 0; i < l->wanted.count; i++)
    if (l->wanted.data[i] == node) return true;
  array_push(l->arena, &l->wanted, node);
  return l->wanted.count > 1000;
}

/* What is written to the elements of a name, in its function. */
static void want_written(Lower *l, const PyNode *n, const char *name) {
  if (n->kind == PY_ASSIGN || n->kind == PY_AUGMENTED) {
    const PyNode *target = n->args[0];
    while (target->kind == PY_SUBSCRIPT) target = target->args[0];
    if (target != n->args[0] && target->kind == PY_NAME && !strcmp(target->text, name))
      py_want_integers(l, n->args[n->count - 1]);
    if (target == n->args[0] && target->kind == PY_NAME && !strcmp(target->text, name) && n->kind == PY_ASSIGN)
      want_elements(l, n->args[1]);
  }
  if (n->kind == PY_CALL && n->count == 2 && n->args[0]->kind == PY_ATTRIBUTE && !strcmp(n->args[0]->text, "append") &&
      n->args[0]->args[0]->kind == PY_NAME && !strcmp(n->args[0]->args[0]->text, name))
    py_want_integers(l, n->args[1]);
  for (uint32_t i = 0; i < n->count; i++) want_written(l, n->args[i], name);
}

static void want_elements(Lower *l, const PyNode *n) {
  switch ((int)n->kind) {
  case PY_NAME:
    want_name(l, l->frame, n->text, want_elements);
    for (Frame *f = l->frame; f; f = f->around)
      want_written(l, f->def->kind == PY_DEF ? f->def->args[f->def->count - 1] : f->def, n->text);
    return;
  case PY_SUBSCRIPT: want_elements(l, n->args[0]); return;
  case PY_LIST:
  case PY_TUPLE:
    for (uint32_t i = 0; i < n->count; i++) py_want_integers(l, n->args[i]);
    return;
  case PY_COMPREHENSION: py_want_integers(l, n->args[0]); return;
  case PY_BINARY: /* [0] * n */ want_elements(l, n->args[0]); return;
  case PY_CALL:
    for (uint32_t i = 1; i < n->count; i++) want_elements(l, n->args[i]);
    return;
  default: return;
  }
}

void py_want_integers(Lower *l, const PyNode *n) {
  if (is_wanted(l, n)) return;
  switch ((int)n->kind) {
  case PY_NAME: want_name(l, l->frame, n->text, py_want_integers); return;
  case PY_SUBSCRIPT: want_elements(l, n->args[0]); return;
  case PY_BINARY:
    if (!strcmp(n->text, "/")) return;
    py_want_integers(l, n->args[0]), py_want_integers(l, n->args[1]);
    return;
  case PY_UNARY: py_want_integers(l, n->args[0]); return;
  case PY_CHOICE: py_want_integers(l, n->args[1]), py_want_integers(l, n->args[2]); return;
  case PY_CALL:
    if (is_call_of(n, "min") || is_call_of(n, "max") || is_call_of(n, "abs") || is_call_of(n, "sum"))
      for (uint32_t i = 1; i < n->count; i++) {
        py_want_integers(l, n->args[i]);
        want_elements(l, n->args[i]);
      }
    return;
  default: return;
  }
}

ValueId py_to_index(Lower *l, const PyNode *node, PyValue value) {
  py_to_number(l, node, value);
  if (value.type == NUMBER_REAL) {
    l->wanted.count = 0;
    py_want_integers(l, node);
    py_refuse(l, node, "make it an integer: int(x), x // y",
              "an integer is expected here, and this may be a real number");
  }
  return py_convert(l, &value, NUMBER_INT);
}

ValueId py_index(Lower *l, const PyNode *node) { return py_to_index(l, node, py_value(l, node)); }

/* ---- operators ---- */

static void require_divisor(Lower *l, const PyNode *at, const PyValue *b) {
  int64_t known;
  const Op *op = program_get_op(l->p, program_get_value(l->p, b->id)->op);
  if (py_is_constant(l, b->id, &known) && known) return;
  if (program_get_value(l->p, b->id)->op && op->code == OP_ARITH_CONSTANT && b->type == NUMBER_REAL) {
    const Attr *attr = program_get_attr(l->p, program_op_attr(l->p, op, "value"));
    if (program_float_decode(FLOAT_F64, attr->bits) != 0) return;
  }
  const PyNode *divisor = at->kind == PY_BINARY || at->kind == PY_AUGMENTED ? at->args[1] : at;
  bool simple = divisor->kind != PY_BINARY && divisor->kind != PY_CHOICE && divisor->kind != PY_COMPARE;
  const char *text = py_text(l, divisor);
  py_require(l, at, py_truth(l, at, b), arena_format(l->arena, simple ? "%s != 0" : "(%s) != 0", text));
}

static PyValue divide(Lower *l, const PyNode *at, const char *op, PyValue a, PyValue b, NumberType type) {
  Builder *builder = &l->b;
  PyValue divisor = py_number(type, py_convert(l, &b, type));
  require_divisor(l, at, &divisor);
  if (type == NUMBER_INT && op[1] != '\0') { /* // */
    return py_number(type, py_exact(l, OP_ARITH_FLOORDIVSI, py_convert(l, &a, type), divisor.id));
  }
  if (type == NUMBER_INT && *op == '%') {
    ValueId x = py_convert(l, &a, type), q = py_exact(l, OP_ARITH_FLOORDIVSI, x, divisor.id);
    return py_number(type, py_exact(l, OP_ARITH_SUBI, x, py_exact(l, OP_ARITH_MULI, divisor.id, q)));
  }
  TypeId id = py_type(l, NUMBER_REAL);
  ValueId x = py_convert(l, &a, NUMBER_REAL), y = py_convert(l, &b, NUMBER_REAL);
  build_attr_unit(builder, "nonzero");
  ValueId q = build_binary(builder, OP_ARITH_DIVF, x, y, id);
  if (*op == '/' && !op[1]) return py_number(NUMBER_REAL, q);
  q = build_unary(builder, OP_MATH_FLOOR, q, id);
  if (*op == '/') return py_number(NUMBER_REAL, q);
  return py_number(NUMBER_REAL,
                   build_binary(builder, OP_ARITH_SUBF, x, build_binary(builder, OP_ARITH_MULF, y, q, id), id));
}

enum { MOST_FACTORS = 16 };

/* x ** y: a product where y is a small number, a root for 0.5; else the power of the reals. */
static PyValue power(Lower *l, const PyNode *at, PyValue a, PyValue b) {
  TypeId id = py_type(l, NUMBER_REAL);
  int64_t n;
  const PyNode *exponent = at->kind == PY_BINARY || at->kind == PY_AUGMENTED ? at->args[1] : at;
  if (a.type == NUMBER_BOOL) a = py_number(NUMBER_INT, py_convert(l, &a, NUMBER_INT));
  if (b.type == NUMBER_INT && py_is_constant(l, b.id, &n) && n >= 0 && n <= MOST_FACTORS) {
    PyValue one = py_number(NUMBER_INT, py_integer(l, 1)), product = n ? a : one;
    for (int64_t i = 1; i < n; i++) product = py_binary(l, at, "*", product, a);
    return product;
  }
  if (exponent->kind == PY_NUMBER && !strcmp(exponent->text, "0.5"))
    return py_number(NUMBER_REAL, build_unary(&l->b, OP_MATH_SQRT, py_convert(l, &a, NUMBER_REAL), id));
  return py_number(NUMBER_REAL, build_binary(&l->b, OP_MATH_POWF, py_convert(l, &a, NUMBER_REAL),
                                             py_convert(l, &b, NUMBER_REAL), id));
}

static PyValue shift(Lower *l, const PyNode *at, bool left, PyValue a, PyValue b) {
  int64_t n;
  ValueId x = py_convert(l, &a, NUMBER_INT);
  if (!py_is_constant(l, b.id, &n) || n < 0 || n > 62)
    py_refuse(l, at, "shift by a number that is written out", "a shift by a number that is computed is not read yet");
  ValueId by = py_integer(l, (int64_t)1 << n);
  return py_number(NUMBER_INT, py_exact(l, left ? OP_ARITH_MULI : OP_ARITH_FLOORDIVSI, x, by));
}

static PyValue bitwise(Lower *l, const PyNode *at, const char *op, PyValue a, PyValue b) {
  Opcode code = *op == '&' ? OP_ARITH_ANDI : *op == '|' ? OP_ARITH_ORI : OP_ARITH_XORI;
  NumberType type = a.type > b.type ? a.type : b.type;
  if (type == NUMBER_REAL) {
    l->wanted.count = 0;
    for (uint32_t i = 0; i < at->count && i < 2; i++) py_want_integers(l, at->args[i]);
    py_refuse(l, at, NULL, "integers are expected here, and these may be real numbers");
  }
  return py_number(type, build_binary(&l->b, code, py_convert(l, &a, type), py_convert(l, &b, type), py_type(l, type)));
}

static PyValue binary_element(Lower *l, const PyNode *at, const PyValue *items, const void *op) {
  const char *text = op;
  int64_t n;
  if (items[0].type == NUMBER_BOOL && items[1].type == NUMBER_BOOL && !strchr("&|^*", *text))
    py_refuse(l, at, "convert them to integers", "%s of arrays of truth values, which gives truth values", text);
  bool integers = items[0].type != NUMBER_REAL && items[1].type != NUMBER_REAL;
  if (!strcmp(text, "**") && integers && !(py_is_constant(l, items[1].id, &n) && n >= 0))
    py_refuse(l, at, "use an array of floats", "powers of integers, which NumPy has for exponents from 0 on");
  return py_binary(l, at, op, items[0], items[1]);
}

static PyValue compare_element(Lower *l, const PyNode *at, const PyValue *items, const void *op) {
  return py_compare(l, at, op, items[0], items[1]);
}

PyValue py_binary(Lower *l, const PyNode *at, const char *op, PyValue a, PyValue b) {
  static const struct {
    const char *op;
    Opcode of_int, of_real;
  } rows[] = {
      {"+", OP_ARITH_ADDI, OP_ARITH_ADDF}, {"-", OP_ARITH_SUBI, OP_ARITH_SUBF}, {"*", OP_ARITH_MULI, OP_ARITH_MULF}};
  bool arrays = a.kind == PYV_ARRAY || b.kind == PYV_ARRAY;
  py_at(l, at);
  if (*op == '*' && !op[1] && arrays && (a.kind == PYV_NUMBER || b.kind == PYV_NUMBER)) {
    PyValue *array = a.kind == PYV_ARRAY ? &a : &b, *times = a.kind == PYV_ARRAY ? &b : &a;
    if (l->slots.data[array->view.slot].is_list) {
      const PyNode *count = at->kind == PY_BINARY ? at->args[a.kind == PYV_ARRAY ? 1 : 0] : at;
      return py_repeat(l, at, &array->view, py_to_index(l, count, *times));
    }
  }
  if (*op == '@') {
    View x = py_array(l, at, a), y = py_array(l, at, b);
    return py_product(l, at, &x, &y);
  }
  if (arrays) return py_elementwise(l, at, 2, (PyValue[]){a, b}, binary_element, op);
  if (a.kind == PYV_OTHER || b.kind == PYV_OTHER) return a.kind == PYV_OTHER ? a : b;
  py_to_number(l, at, a), py_to_number(l, at, b);
  NumberType type = a.type > b.type ? a.type : b.type;
  if (type == NUMBER_BOOL && !strcmp(op, "+"))
    py_refuse(l, at, "convert one to an integer", "a sum of truth values, which is one for NumPy's");
  if (type == NUMBER_BOOL && !strcmp(op, "*")) op = "&"; /* what NumPy's product is; Python's has the same value */
  if (type == NUMBER_BOOL && *op != '&' && *op != '|' && *op != '^') type = NUMBER_INT;
  if (!strcmp(op, "**")) return power(l, at, a, b);
  if (*op == '/' || *op == '%') return divide(l, at, op, a, b, !strcmp(op, "/") ? NUMBER_REAL : type);
  if (!strcmp(op, "<<") || !strcmp(op, ">>")) {
    if (a.type == NUMBER_REAL) py_to_index(l, at->count ? at->args[0] : at, a);
    return shift(l, at, *op == '<', a, b);
  }
  if (*op == '&' || *op == '|' || *op == '^') return bitwise(l, at, op, a, b);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].op, op) != 0) continue;
    ValueId x = py_convert(l, &a, type), y = py_convert(l, &b, type);
    if (type == NUMBER_INT) return py_number(type, py_exact(l, rows[i].of_int, x, y));
    return py_number(type, build_binary(&l->b, rows[i].of_real, x, y, py_type(l, type)));
  }
  py_refuse(l, at, NULL, "the operator %s is not read yet", op);
}

PyValue py_compare(Lower *l, const PyNode *at, const char *op, PyValue a, PyValue b) {
  static const char *const texts[] = {"<", ">", "<=", ">=", "==", "!="};
  static const char *const ints[] = {"slt", "sgt", "sle", "sge", "eq", "ne"};
  static const char *const reals[] = {"olt", "ogt", "ole", "oge", "oeq", "une"};
  PyValue both[] = {a, b};
  if (py_any_array(2, both)) return py_elementwise(l, at, 2, both, compare_element, op);
  py_to_number(l, at, a), py_to_number(l, at, b);
  for (int i = 0; l->in_while && i < 2; i++) { /* while i < n: n counts as i does */
    const PyValue *counts = i ? &b : &a, *bound = i ? &a : &b;
    int64_t known;
    if (counts->type == NUMBER_INT && !py_is_constant(l, counts->id, &known) && bound->param &&
        program_get_value(l->p, bound->id)->op == 0)
      want_parameter(l, bound->param);
  }
  NumberType type = a.type > b.type ? a.type : b.type;
  if (type == NUMBER_BOOL) type = NUMBER_INT;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(texts[i], op) != 0) continue;
    ValueId x = py_convert(l, &a, type), y = py_convert(l, &b, type);
    return py_number(NUMBER_BOOL, type == NUMBER_REAL ? build_compare(&l->b, OP_ARITH_CMPF, reals[i], x, y)
                                                      : build_compare(&l->b, OP_ARITH_CMPI, ints[i], x, y));
  }
  py_refuse(l, at, "<, <=, ==, != are read", "the comparison %s is not read yet", op);
}

PyValue py_minimum(Lower *l, PyValue a, PyValue b, bool most) {
  NumberType type = a.type > b.type ? a.type : b.type;
  if (type == NUMBER_BOOL) {
    Opcode junction = most ? OP_ARITH_ORI : OP_ARITH_ANDI;
    return py_number(type, build_binary(&l->b, junction, a.id, b.id, py_type(l, type)));
  }
  Opcode code = type == NUMBER_REAL ? most ? OP_ARITH_MAXNUMF : OP_ARITH_MINNUMF
                : most              ? OP_ARITH_MAXSI
                                    : OP_ARITH_MINSI;
  return py_number(type, build_binary(&l->b, code, py_convert(l, &a, type), py_convert(l, &b, type), py_type(l, type)));
}

/* ---- conditions ---- */

static PyValue both_arms(Lower *l, bool yes, const void *payload) {
  const PyNode *const *arms = payload;
  return py_value(l, arms[yes ? 0 : 1]);
}

typedef struct Junction {
  const PyNode *node;
  uint32_t from;
  const PyValue *left; /* of a comparison that goes on */
} Junction;

static PyValue junction(Lower *l, const PyNode *node, uint32_t from);

static PyValue boolean(Lower *l, bool value) {
  return py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), value));
}

static PyValue junction_arm(Lower *l, bool yes, const void *payload) {
  const Junction *j = payload;
  bool goes_on = yes == (j->node->kind == PY_AND);
  return goes_on ? junction(l, j->node, j->from) : boolean(l, yes);
}

/* a and b: b is evaluated where a does not decide. The operands themselves are no truth values only where nobody looks
 * at them as such. */
static PyValue junction(Lower *l, const PyNode *node, uint32_t from) {
  PyValue value = py_value(l, node->args[from]);
  if (value.kind != PYV_ARRAY && (value.kind != PYV_NUMBER || value.type != NUMBER_BOOL))
    py_refuse(l, node->args[from], "write the comparison out", "`%s` of what is no truth value is not read yet",
              node->kind == PY_AND ? "and" : "or");
  ValueId truth = py_truth(l, node->args[from], &value);
  if (from + 1 == node->count) return py_number(NUMBER_BOOL, truth);
  Junction rest = {node, from + 1, NULL};
  return py_branch(l, node, truth, junction_arm, &rest);
}

static PyValue comparison(Lower *l, const PyNode *node, uint32_t from, PyValue left);

static PyValue comparison_arm(Lower *l, bool yes, const void *payload) {
  const Junction *j = payload;
  return yes ? comparison(l, j->node, j->from, *j->left) : boolean(l, false);
}

/* a < b < c: each value once, and c only where a < b. */
static PyValue comparison(Lower *l, const PyNode *node, uint32_t from, PyValue left) {
  PyValue right = py_value(l, node->args[from + 1]);
  py_at(l, node);
  PyValue value = py_compare(l, node, node->ops[from], left, right);
  if (from + 2 == node->count) return value;
  py_to_number(l, node, value); /* of arrays it is an error */
  Junction rest = {node, from + 1, &right};
  return py_branch(l, node, value.id, comparison_arm, &rest);
}

static PyValue opposite(Lower *l, ValueId truth) {
  ValueId one = build_integer(&l->b, py_type(l, NUMBER_BOOL), 1);
  return py_number(NUMBER_BOOL, build_binary(&l->b, OP_ARITH_XORI, truth, one, py_type(l, NUMBER_BOOL)));
}

static PyValue signed_number(Lower *l, const PyNode *n, PyValue value) {
  const PyNode *inner = n->args[0];
  if (value.type == NUMBER_BOOL && *n->text == '~') /* or of an array, which is not known to be one yet */
    return (PyValue){.kind = PYV_OTHER, .text = "~ of a truth value, which is another one for NumPy's"};
  if (value.type == NUMBER_BOOL) value = py_number(NUMBER_INT, py_convert(l, &value, NUMBER_INT));
  value.param = NULL;
  py_at(l, n);
  if (*n->text == '+') return value;
  if (*n->text == '~') {
    ValueId x = py_to_index(l, inner, value);
    return py_number(NUMBER_INT, py_exact(l, OP_ARITH_SUBI, py_integer(l, -1), x));
  }
  if (value.type == NUMBER_INT) return py_number(value.type, py_exact(l, OP_ARITH_SUBI, py_integer(l, 0), value.id));
  if (inner->kind == PY_NUMBER) {
    const Op *op = program_get_op(l->p, program_get_value(l->p, value.id)->op);
    const Attr *attr = program_get_attr(l->p, program_op_attr(l->p, op, "value"));
    return py_number(value.type, real(l, -program_float_decode(FLOAT_F64, attr->bits)));
  }
  return py_number(value.type, build_unary(&l->b, OP_ARITH_NEGF, value.id, py_type(l, value.type)));
}

/* Of an array, whose truth values ~ turns. */
static PyValue signed_element(Lower *l, const PyNode *n, const PyValue *items, const void *unused) {
  (void)unused;
  if (*n->text == '~' && items[0].type == NUMBER_BOOL) return opposite(l, items[0].id);
  if (items[0].type == NUMBER_BOOL) py_refuse(l, n, NULL, "%s of an array of truth values is an error", n->text);
  return signed_number(l, n, items[0]);
}

static PyValue unary(Lower *l, const PyNode *n) {
  const PyNode *inner = n->args[0];
  if (!strcmp(n->text, "not")) return opposite(l, py_condition(l, inner));
  PyValue value = py_value(l, inner);
  if (value.kind == PYV_OTHER) return value;
  if (py_any_array(1, &value)) return py_elementwise(l, n, 1, &value, signed_element, NULL);
  return signed_number(l, n, py_to_number(l, inner, value));
}

static PyValue literal(Lower *l, const PyNode *n) {
  double value;
  int64_t integer;
  switch (python_number(n->text, &value, &integer)) {
  case PY_NUMBER_INT: return py_number(NUMBER_INT, py_integer(l, integer));
  case PY_NUMBER_REAL: return py_number(NUMBER_REAL, real(l, value));
  case PY_NUMBER_UNREAD: break;
  }
  py_refuse(l, n, NULL, "this number is not read");
}

static PyValue name(Lower *l, const PyNode *n) {
  if (!strcmp(n->text, "True") || !strcmp(n->text, "False")) return boolean(l, *n->text == 'T');
  if (!strcmp(n->text, "None")) return (PyValue){.kind = PYV_NONE};
  return py_read_name(l, n);
}

static PyValue value_of(Lower *l, const PyNode *n) {
  py_at(l, n);
  switch (n->kind) {
  case PY_NAME: return name(l, n);
  case PY_NUMBER: return literal(l, n);
  case PY_STRING:
    if (n->error) py_refuse(l, n, NULL, "%s", n->error);
    return (PyValue){.kind = PYV_TEXT, .text = n->text};
  case PY_TUPLE: {
    PyValue tuple = {.kind = PYV_TUPLE, .count = n->count, .items = arena_array(l->arena, PyValue, n->count + 1)};
    for (uint32_t i = 0; i < n->count; i++) tuple.items[i] = py_value(l, n->args[i]);
    return tuple;
  }
  case PY_LIST: return py_list(l, n);
  case PY_COMPREHENSION: return py_comprehension(l, n);
  case PY_LAMBDA: return py_function(l, n->args[0]);
  case PY_CALL: return py_call(l, n);
  case PY_ATTRIBUTE: return py_attribute(l, n);
  case PY_SUBSCRIPT: return py_subscript(l, n);
  case PY_UNARY: return unary(l, n);
  case PY_BINARY: {
    PyValue a = py_value(l, n->args[0]), b = py_value(l, n->args[1]);
    return py_binary(l, n, n->text, a, b);
  }
  case PY_COMPARE: return comparison(l, n, 0, py_value(l, n->args[0]));
  case PY_AND:
  case PY_OR: return junction(l, n, 0);
  case PY_CHOICE: {
    const PyNode *const arms[] = {n->args[1], n->args[2]};
    PyValue value = py_branch(l, n, py_condition(l, n->args[0]), both_arms, arms);
    if (value.kind == PYV_OTHER) py_refuse(l, n, NULL, "%s", value.text);
    return value;
  }
  case PY_DICT: py_refuse(l, n, "lists are read", "a dictionary is not read yet");
  case PY_STAR: py_refuse(l, n, NULL, "a star is not read here");
  default: break;
  }
  py_refuse(l, n, NULL, "%s", n->error ? n->error : "this is not read yet");
}

PyValue py_value(Lower *l, const PyNode *n) {
  guard_tick(l->arena->guard);
  if (l->nesting++ > PY_MOST_NESTING) py_refuse(l, n, NULL, "nested too deeply");
  PyValue value = value_of(l, n);
  l->nesting--;
  return value;
}
