/* Named operations of linalg, as the generics that they are published as (named.def), and those that carry a shape of
 * their own: fill, copy, transpose, broadcast, map, reduce, the elementwise ones. */
#include <math.h>
#include <stdlib.h>

#include "mlir/internal.h"

enum { MOST_LOOPS = 9, MOST_NODES = 32, MOST_INPUTS = 31 };

static const struct Named {
  const char *name;
  uint32_t loops, inputs;
  const char *body, *maps;
} named[] = {
#define NAMED(name, loops, inputs, body, maps) {name, loops, inputs, body, maps},
#include "mlir/named.def"
#undef NAMED
};

static const char *suffix(const Mlir *m, const Op *op) { return strchr(intern_string(m->p->names, op->name), '.') + 1; }

static TypeId element_type(const Mlir *m, const Op *op, uint32_t i) {
  TypeId type = program_get_value(m->p, op->operands[i])->type;
  const Type *t = mlir_type(m, type);
  return t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF ? t->element : type;
}

/* ---- maps from their texts ---- */

typedef struct MapText {
  Arena *arena;
  const char *at;
  const int64_t *strides, *dilations;
  AffineNode *nodes;
  uint32_t count;
} MapText;

static uint32_t node(MapText *t, AffineNode n) {
  t->nodes[t->count] = n;
  return t->count++;
}

/* d or d*s0 or d*t1 */
static uint32_t product(MapText *t) {
  uint32_t d = node(t, (AffineNode){.kind = AFFINE_DIM, .value = *t->at++ - '0'});
  if (*t->at != '*') return d;
  const int64_t *factors = t->at[1] == 's' ? t->strides : t->dilations;
  uint32_t c = node(t, (AffineNode){.kind = AFFINE_CONSTANT, .value = factors[t->at[2] - '0']});
  t->at += 3;
  return t->nodes[c].value == 1 ? d : node(t, (AffineNode){.kind = AFFINE_MUL, .left = d, .right = c});
}

/* Up to the next space; `-`: no dimension. */
static const AffineMap *read_map(MapText *t, uint32_t loops) {
  AffineMap *map = arena_new(t->arena, AffineMap);
  uint32_t *results = arena_array(t->arena, uint32_t, MLIR_RANK);
  t->nodes = arena_array(t->arena, AffineNode, MOST_NODES), t->count = 0;
  *map = (AffineMap){.dims = loops, .nodes = t->nodes, .results = results};
  if (*t->at == '-') t->at++;
  while (*t->at && *t->at != ' ') {
    uint32_t sum = product(t);
    while (*t->at == '+') {
      t->at++;
      uint32_t next = product(t);
      sum = node(t, (AffineNode){.kind = AFFINE_ADD, .left = sum, .right = next});
    }
    results[map->result_count++] = sum;
    if (*t->at == ',') t->at++;
  }
  if (*t->at == ' ') t->at++;
  map->node_count = t->count;
  return map;
}

const AffineMap *mlir_dims_map(Mlir *m, uint32_t loops, uint32_t count, const uint32_t *dims) {
  AffineMap *map = arena_new(m->arena, AffineMap);
  AffineNode *nodes = arena_array(m->arena, AffineNode, count + 1);
  uint32_t *results = arena_array(m->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) nodes[i] = (AffineNode){.kind = AFFINE_DIM, .value = dims[i]}, results[i] = i;
  *map = (AffineMap){.dims = loops, .node_count = count, .result_count = count, .nodes = nodes, .results = results};
  return map;
}

/* ---- bodies ---- */

typedef struct Body {
  const char *what;
  TypeId types[MOST_INPUTS];
  TypeId out;
  bool is_unsigned;
  const MlirValue *zero_point[2]; /* of the inputs, of a quantised operation: subtracted */
} Body;

static Cell converted(Mlir *m, const Body *b, Cell cell, uint32_t input) {
  TypeId from = b->types[input];
  if (b->is_unsigned && from != b->out && !mlir_is_float(m, from)) /* to its own type it stays what it is */
    cell.value = mlir_unsigned(m, cell.value, mlir_width(m, from));
  cell = mlir_convert(m, cell, from, b->out);
  const MlirValue *zero = input < 2 ? b->zero_point[input] : NULL;
  if (!zero || !cell.value) return cell;
  return mlir_combine(m, "sub", b->out, cell, mlir_convert(m, zero->cell, zero->element, b->out));
}

static bool named_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  const Body *b = payload;
  Cell a = converted(m, b, in[0], 0);
  if (!a.value) return mlir_unsupported(m, op);
  if (!strcmp(b->what, "copy")) {
    yield[0] = a;
    return true;
  }
  if (!strncmp(b->what, "muladd", 6)) {
    Cell second = converted(m, b, in[1], 1);
    if (!second.value) return mlir_unsupported(m, op);
    a = mlir_combine(m, "mul", b->out, a, second);
    yield[0] = mlir_combine(m, "add", b->out, out[0], a);
  } else
    yield[0] = mlir_combine(m, b->what, b->out, out[0], a);
  return yield[0].value || mlir_unsupported(m, op);
}

static bool set_results(Mlir *m, const Op *op, MlirValue *results) {
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, results[i]);
  return true;
}

/* An operand that is a shape alone: its elements are not read. */
static MlirValue shape_alone(Mlir *m, const MlirValue *v) {
  MlirValue out = mlir_tensor_new(m, v->element, v->rank, v->extent);
  out.cell = (Cell){m->tt->zero, m->tt->false_};
  return out;
}

static bool is_unsigned_cast(const Mlir *m, const Op *op) {
  AttrId id = program_op_attr(m->p, op, "cast");
  const Attr *a = program_get_attr(m->p, id);
  return id && a->text && strstr(intern_string(m->p->names, a->text), "unsigned");
}

static void numbers(const Mlir *m, const Op *op, const char *name, int64_t *out) {
  for (int i = 0; i < 4; i++) out[i] = 1;
  mlir_integers(m, program_op_attr(m->p, op, name), out, 4);
}

static bool is_shaped(const MlirValue *v) { return v->kind == MLIR_TENSOR || v->kind == MLIR_MEMREF; }

static bool is_of_rank(const MlirValue *v, const AffineMap *map) {
  return is_shaped(v) && v->rank == map->result_count;
}

static const struct Named *find_named(const char *name) {
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (!strcmp(named[i].name, name)) return &named[i];
  return NULL;
}

static bool run_named(Mlir *m, const Op *op, const struct Named *n, const MlirValue *const *operands,
                      const int64_t *strides, const int64_t *dilations, Body body, MlirValue *result) {
  const AffineMap *maps[3];
  const MlirValue *values[3];
  MlirValue window;
  body.what = n->body, body.is_unsigned |= !strcmp(n->body, "muladdu");
  MapText text = {.arena = m->arena, .at = n->maps, .strides = strides, .dilations = dilations};
  for (uint32_t i = 0; i < 3; i++) {
    maps[i] = read_map(&text, n->loops);
    values[i] = operands[i];
    if (!is_of_rank(values[i], maps[i])) return mlir_unsupported(m, op);
    body.types[i] = values[i]->element;
  }
  body.out = values[2]->element;
  if (strncmp(n->body, "muladd", 6) != 0) window = shape_alone(m, values[1]), values[1] = &window;
  return mlir_structured(m, op, n->loops, 2, 1, values, maps, named_body, &body, result);
}

bool mlir_named_on(Mlir *m, const Op *op, const char *name, const MlirValue *const *operands, const int64_t *strides,
                   const int64_t *dilations, MlirValue *result) {
  static const int64_t ones[4] = {1, 1, 1, 1};
  return run_named(m, op, find_named(name), operands, strides ? strides : ones, dilations ? dilations : ones, (Body){0},
                   result);
}

/* `name_q` is `name` on inputs from which the zero points, the third and fourth operand, are subtracted. */
bool mlir_named(Mlir *m, const Op *op) {
  const char *name = suffix(m, op);
  size_t length = strlen(name);
  bool old = !strncmp(name, "quantized_", 10), quantised = old || (length > 2 && !strcmp(name + length - 2, "_q"));
  const struct Named *n = find_named(old ? name + 10 : quantised ? arena_copy(m->arena, name, length - 2) : name);
  int64_t strides[4], dilations[4];
  MlirValue results[1];
  Body body = {.is_unsigned = is_unsigned_cast(m, op)};
  if (!n || op->operand_count != (quantised ? 5 : 3)) return mlir_unsupported(m, op);
  AttrId maps = program_op_attr(m->p, op, "indexing_maps"); /* of a later release: only the published ones */
  if (maps && program_get_attr(m->p, maps)->count) return mlir_unsupported(m, op);
  numbers(m, op, "strides", strides), numbers(m, op, "dilations", dilations);
  const MlirValue *operands[3] = {mlir_operand(m, op, 0), mlir_operand(m, op, 1),
                                  mlir_operand(m, op, op->operand_count - 1)};
  for (uint32_t i = 0; quantised && i < 2; i++) {
    body.zero_point[i] = mlir_operand(m, op, i + 2);
    if (body.zero_point[i]->kind != MLIR_SCALAR) return mlir_unsupported(m, op);
  }
  return run_named(m, op, n, operands, strides, dilations, body, results) && set_results(m, op, results);
}

/* ---- those of any rank ---- */

static bool elementwise(Mlir *m, const Op *op, uint32_t inputs, MlirBody *run, void *payload) {
  const AffineMap *maps[MOST_INPUTS + 1];
  const MlirValue *values[MOST_INPUTS + 1];
  uint32_t dims[MLIR_RANK];
  MlirValue results[1];
  if (op->operand_count != inputs + 1 || inputs > MOST_INPUTS || !is_shaped(mlir_operand(m, op, inputs)))
    return mlir_unsupported(m, op);
  uint32_t rank = mlir_operand(m, op, inputs)->rank;
  for (uint32_t i = 0; i < rank; i++) dims[i] = i;
  for (uint32_t i = 0; i <= inputs; i++) {
    values[i] = mlir_operand(m, op, i);
    maps[i] = mlir_dims_map(m, rank, is_shaped(values[i]) ? rank : 0, dims);
  }
  return mlir_structured(m, op, rank, inputs, 1, values, maps, run, payload, results) && set_results(m, op, results);
}

/* linalg.fill and linalg.copy; a positive zero may be read as a negative one (--negative-zero). */
bool mlir_fill(Mlir *m, const Op *op) {
  if (op->operand_count != 2) return mlir_unsupported(m, op);
  Body body = {.what = "copy", .is_unsigned = is_unsigned_cast(m, op)};
  body.types[0] = element_type(m, op, 0), body.out = element_type(m, op, 1);
  return elementwise(m, op, 1, named_body, &body);
}

bool mlir_transpose(Mlir *m, const Op *op) {
  int64_t order[MLIR_RANK];
  uint32_t dims[MLIR_RANK], from[MLIR_RANK];
  uint32_t rank = mlir_integers(m, program_op_attr(m->p, op, "permutation"), order, MLIR_RANK);
  if (op->operand_count != 2 || mlir_operand(m, op, 0)->rank != rank || mlir_operand(m, op, 1)->rank != rank)
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < rank; i++) dims[i] = i, from[i] = UINT32_MAX;
  for (uint32_t i = 0; i < rank; i++) {
    if (order[i] < 0 || order[i] >= rank || from[order[i]] != UINT32_MAX) return mlir_unsupported(m, op);
    from[order[i]] = i;
  }
  const AffineMap *maps[2] = {mlir_dims_map(m, rank, rank, from), mlir_dims_map(m, rank, rank, dims)};
  const MlirValue *values[2] = {mlir_operand(m, op, 0), mlir_operand(m, op, 1)};
  Body body = {.what = "copy", .types = {values[0]->element}, .out = values[1]->element};
  MlirValue results[1];
  return mlir_structured(m, op, rank, 1, 1, values, maps, named_body, &body, results) && set_results(m, op, results);
}

/* `dimensions` are those of the result that the input lacks. */
bool mlir_broadcast(Mlir *m, const Op *op) {
  int64_t added[MLIR_RANK];
  uint32_t count = mlir_integers(m, program_op_attr(m->p, op, "dimensions"), added, MLIR_RANK), own = 0;
  if (op->operand_count != 2 || !is_shaped(mlir_operand(m, op, 1))) return mlir_unsupported(m, op);
  const MlirValue *values[2] = {mlir_operand(m, op, 0), mlir_operand(m, op, 1)};
  uint32_t rank = values[1]->rank, dims[MLIR_RANK], kept[MLIR_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    bool is_added = false;
    for (uint32_t k = 0; k < count; k++) is_added |= added[k] == i;
    dims[i] = i;
    if (!is_added) kept[own++] = i;
  }
  if (is_shaped(values[0]) ? values[0]->rank != own : own) return mlir_unsupported(m, op);
  const AffineMap *maps[2] = {mlir_dims_map(m, rank, own, kept), mlir_dims_map(m, rank, rank, dims)};
  Body body = {.what = "copy", .types = {element_type(m, op, 0)}, .out = values[1]->element};
  MlirValue results[1];
  return mlir_structured(m, op, rank, 1, 1, values, maps, named_body, &body, results) && set_results(m, op, results);
}

/* ---- linalg.map and linalg.reduce: a payload operation, or a region ---- */

typedef struct Payload {
  uint32_t inputs;
  bool init_first;
  TypeId types[MOST_INPUTS + 1];
} Payload;

static bool payload_operation(Mlir *m, const Op *op, const Payload *p, const Cell *cells, uint32_t count, Cell *yield) {
  const Attr *name = program_get_attr(m->p, program_op_attr(m->p, op, "payload"));
  const Attr *dict = program_get_attr(m->p, program_op_attr(m->p, op, "payload_attributes"));
  const MlirHandler *h = name->text < m->name_count ? m->handler_of[name->text] : NULL;
  NamedAttr *attrs = arena_array(m->arena, NamedAttr, dict->count + 1);
  Op inner = {.name = name->text, .operand_count = count, .attrs = attrs, .result_count = 1, .span = op->span};
  if (dict->kind == ATTR_DICT)
    for (uint32_t i = 0; i < dict->count; i++) attrs[inner.attr_count++] = (NamedAttr){dict->keys[i], dict->items[i]};
  if (!h || !h->scalar) return mlir_unsupported(m, op);
  TypeId types[MOST_INPUTS + 2];
  memcpy(types, p->types, sizeof p->types);
  types[count] = p->types[0];
  Cell out[2] = {{0}};
  if (!h->scalar(m, &inner, cells, types, out)) return false;
  yield[0] = out[0];
  return true;
}

static bool payload_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  const Payload *p = payload;
  Cell cells[2 * MOST_INPUTS];
  uint32_t count = 0, outputs = op->operand_count - p->inputs;
  bool is_short = program_op_attr(m->p, op, "payload") != 0;
  if (is_short && p->init_first) cells[count++] = out[0];
  for (uint32_t i = 0; i < p->inputs; i++) cells[count++] = in[i];
  if (is_short) return payload_operation(m, op, p, cells, count, yield);
  MlirValue arguments[2 * MOST_INPUTS];
  for (uint32_t i = 0; i < outputs && p->init_first; i++) cells[count++] = out[i];
  for (uint32_t i = 0; i < count; i++) arguments[i] = mlir_scalar(cells[i], 0);
  if (!mlir_run_body(m, op, arguments, count)) return false;
  if (m->yield_count != outputs) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < outputs; i++) yield[i] = m->yielded[i].cell;
  return true;
}

bool mlir_map(Mlir *m, const Op *op) {
  Payload p = {.inputs = op->operand_count - 1};
  if (!op->operand_count || p.inputs > MOST_INPUTS) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count; i++) p.types[i] = element_type(m, op, i);
  return elementwise(m, op, p.inputs, payload_body, &p);
}

bool mlir_reduce(Mlir *m, const Op *op) {
  int64_t axes[MLIR_RANK];
  uint32_t count = mlir_integers(m, program_op_attr(m->p, op, "dimensions"), axes, MLIR_RANK), own = 0;
  uint32_t inputs = op->operand_count / 2, dims[MLIR_RANK], kept[MLIR_RANK];
  if (!inputs || 2 * inputs != op->operand_count || inputs > MOST_INPUTS / 2 || !is_shaped(mlir_operand(m, op, 0)))
    return mlir_unsupported(m, op);
  uint32_t rank = mlir_operand(m, op, 0)->rank;
  for (uint32_t i = 0; i < rank; i++) {
    bool reduced = false;
    for (uint32_t k = 0; k < count; k++) reduced |= axes[k] == i;
    dims[i] = i;
    if (!reduced) kept[own++] = i;
  }
  const AffineMap *maps[MOST_INPUTS];
  const MlirValue *values[MOST_INPUTS];
  MlirValue results[MOST_INPUTS];
  Payload p = {.inputs = inputs, .init_first = true};
  for (uint32_t i = 0; i < op->operand_count; i++) {
    values[i] = mlir_operand(m, op, i);
    maps[i] = i < inputs ? mlir_dims_map(m, rank, rank, dims) : mlir_dims_map(m, rank, own, kept);
    p.types[i] = element_type(m, op, i);
  }
  return mlir_structured(m, op, rank, inputs, inputs, values, maps, payload_body, &p, results) &&
         set_results(m, op, results);
}

bool mlir_reduce_by(Mlir *m, const Op *op, uint32_t axis, const MlirValue *in, uint32_t outputs,
                    const MlirValue *const *inits, MlirBody *body, void *payload, MlirValue *results) {
  uint32_t dims[MLIR_RANK], kept[MLIR_RANK], own = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    dims[i] = i;
    if (i != axis) kept[own++] = i;
  }
  const AffineMap *maps[MOST_INPUTS];
  const MlirValue *values[MOST_INPUTS] = {in};
  maps[0] = mlir_dims_map(m, in->rank, in->rank, dims);
  for (uint32_t i = 0; i < outputs; i++) values[i + 1] = inits[i], maps[i + 1] = mlir_dims_map(m, in->rank, own, kept);
  return mlir_structured(m, op, in->rank, 1, outputs, values, maps, body, payload, results);
}

bool mlir_reduce_on(Mlir *m, const Op *op, const char *what, uint32_t axis, const MlirValue *in, const MlirValue *init,
                    MlirValue *result) {
  Body body = {.what = what, .types = {in->element}, .out = init->element};
  return mlir_reduce_by(m, op, axis, in, 1, &init, named_body, &body, result);
}

/* ---- softmax ---- */

static bool greatest_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  (void)op;
  yield[0] = mlir_combine(m, "maxnum", *(const TypeId *)payload, in[0], out[0]);
  return true;
}

static bool quotient_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  (void)op, (void)out;
  yield[0] = mlir_combine(m, "div", *(const TypeId *)payload, in[1], in[2]);
  return true;
}

/* exp(x - max(x)) / sum(exp(x - max(x))) along a dimension, as its decomposition is published: the greatest is maxnumf
 * from the least finite number, the sum begins with zero. */
bool mlir_softmax(Mlir *m, const Op *op) {
  int64_t axis = program_op_int(m->p, op, "dimension", -1);
  if (op->operand_count != 2 || !is_shaped(mlir_operand(m, op, 0)) || axis < 0) return mlir_unsupported(m, op);
  const MlirValue *source = mlir_operand(m, op, 0), *target = mlir_operand(m, op, 1);
  MlirValue in = *source, greatest, sum, result;
  TypeId type = in.element;
  uint32_t rank = in.rank, dims[MLIR_RANK], kept[MLIR_RANK], own = 0;
  Term extents[MLIR_RANK], index[MLIR_RANK];
  if (axis >= rank || !is_shaped(target) || target->rank != rank || target->element != type || !mlir_is_float(m, type))
    return mlir_unsupported(m, op);
  if (in.kind == MLIR_MEMREF && !mlir_load_tensor(m, source, &in)) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < rank; i++) {
    dims[i] = i;
    if (i != axis) extents[own] = in.extent[i], kept[own++] = i;
  }
  FloatFormat format = mlir_type(m, type)->format;
  double least = -program_float_decode(format, program_float_encode(format, INFINITY) - 1);
  MlirValue start = mlir_tensor_new(m, type, own, extents);
  start.cell = (Cell){floats_constant(&m->floats, format, least), m->tt->false_};
  if (!mlir_reduce_by(m, op, (uint32_t)axis, &in, 1, (const MlirValue *[]){&start}, greatest_body, &type, &greatest))
    return false;
  MlirValue grown = mlir_tensor_new(m, type, rank, in.extent);
  for (uint32_t i = 0; i < own; i++) index[i] = grown.index[kept[i]];
  grown.cell = mlir_combine(m, "sub", type, mlir_element(m, &in, grown.index), mlir_element(m, &greatest, index));
  grown.cell.value = floats_unary(&m->floats, FLOAT_EXP, format, grown.cell.value);
  start.cell.value = floats_constant(&m->floats, format, 0);
  if (!mlir_reduce_on(m, op, "add", (uint32_t)axis, &grown, &start, &sum)) return false;
  const AffineMap *all = mlir_dims_map(m, rank, rank, dims);
  const AffineMap *maps[4] = {all, all, mlir_dims_map(m, rank, own, kept), all};
  const MlirValue *values[4] = {source, &grown, &sum, target};
  return mlir_structured(m, op, rank, 3, 1, values, maps, quotient_body, &type, &result) && set_results(m, op, &result);
}

/* ---- elementwise ones ---- */

static const char *const scalar_of[][3] = {
    {"exp", "exp", NULL},       {"log", "log", NULL},   {"abs", "absf", NULL},    {"ceil", "ceil", NULL},
    {"floor", "floor", NULL},   {"negf", "negf", NULL}, {"round", "round", NULL}, {"sqrt", "sqrt", NULL},
    {"rsqrt", "rsqrt", NULL},   {"tanh", "tanh", NULL}, {"erf", "erf", NULL},     {"add", NULL, "add"},
    {"sub", NULL, "sub"},       {"mul", NULL, "mul"},   {"div", NULL, "div"},     {"div_unsigned", NULL, "divu"},
    {"max", NULL, "max"},       {"min", NULL, "min"},   {"powf", NULL, "powf"},   {"square", NULL, NULL},
    {"reciprocal", NULL, NULL}, {"select", NULL, NULL},
};

static bool scalar_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  const Body *b = payload;
  Cell a = mlir_convert(m, in[0], b->types[0], b->out);
  bool is_float = mlir_is_float(m, b->out);
  (void)out;
  yield[0].value = 0;
  for (size_t i = 0; i < sizeof scalar_of / sizeof *scalar_of; i++) {
    if (strcmp(scalar_of[i][0], b->what) != 0) continue;
    if (scalar_of[i][2]) {
      Cell second = mlir_convert(m, in[1], b->types[1], b->out);
      yield[0] = mlir_combine(m, scalar_of[i][2], b->out, a, second);
    }
#define FLOAT_OP(id, name, arity, kind)                                                                                \
  if (scalar_of[i][1] && is_float && !strcmp(scalar_of[i][1], name) && arity == 1)                                     \
    yield[0] = (Cell){floats_unary(&m->floats, FLOAT_##id, mlir_type(m, b->out)->format, a.value), a.poison};
#include "mlir/floats.def"
#undef FLOAT_OP
  }
  if (!strcmp(b->what, "square")) yield[0] = mlir_combine(m, "mul", b->out, a, a);
  if (!strcmp(b->what, "reciprocal") && is_float)
    yield[0] = mlir_combine(m, "div", b->out,
                            (Cell){floats_constant(&m->floats, mlir_type(m, b->out)->format, 1), m->tt->false_}, a);
  if (!strcmp(b->what, "select")) {
    yield[0] = mlir_choose(m, mlir_as_bool(m->tt, in[0].value), in[1], in[2]);
    yield[0].poison = term_or(m->tt, yield[0].poison, in[0].poison);
  }
  return yield[0].value || mlir_unsupported(m, op);
}

bool mlir_linalg_elementwise(Mlir *m, const Op *op) {
  Body body = {.what = suffix(m, op)};
  if (op->operand_count < 2 || op->operand_count > 4) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i + 1 < op->operand_count; i++) body.types[i] = element_type(m, op, i);
  body.out = element_type(m, op, op->operand_count - 1);
  return elementwise(m, op, op->operand_count - 1, scalar_body, &body);
}
