/* Mirage's JSON graphs as text in the notation of docs/graph.md, which then goes its usual way.
 *
 * A file is a list of graphs, a graph a list of operators on whole tensors (kn_*), of which kn_customized_op is a block
 * graph of operators on tiles (tb_*). Tensors are known by their guid. Inputs are called arg0, arg1, .. in their order,
 * the output result (several: result_0, ..). A map gives for each dimension of the grid the axis that it cuts into
 * equal parts, or -1; forloop_dim is the axis that the loop cuts. What stands in front of an accumulator is of the
 * loop, what follows it stands behind. Operators that are not known here are refused at their place. */
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "report/json.h"

enum { MIRAGE_RANK = 4 };

typedef struct MirageTensor {
  int64_t guid;
  const char *name, *dtype;
  uint32_t rank;
  int64_t dim[MIRAGE_RANK];
  bool after; /* of a tile: it stands behind the loop */
} MirageTensor;

typedef struct Mirage {
  Arena *arena;
  const Source *source;
  DiagnosticList *diagnostics;
  Text declarations, before, loop, after; /* before: kernels; loop, after: of the open block */
  Array(MirageTensor) tensors, tiles;
  uint32_t inputs, outputs, output_count, temporaries, names, blocks;
  int64_t grid[3], iterations;
} Mirage;

static bool refuse(Mirage *m, const Json *at, const char *message) {
  Span span = at ? at->span : (Span){0, 0};
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, "graph.mirage", m->source, span, NULL, "%s", message);
  return false;
}

static bool read_number(Mirage *m, const Json *object, const char *key, int64_t *out) {
  const Json *value = json_get(object, key);
  char *end = NULL;
  if (value && value->kind == JSON_NUMBER) *out = strtoll(value->text, &end, 10);
  if (!end || *end || *out < -1 || *out > INT32_MAX)
    return refuse(m, value ? value : object, arena_format(m->arena, "expected an integer as \"%s\"", key));
  return true;
}

static const Json *list_of(Mirage *m, const Json *object, const char *key) {
  const Json *value = json_get(object, key);
  if (value && value->kind == JSON_ARRAY) return value;
  refuse(m, value ? value : object, arena_format(m->arena, "expected a list as \"%s\"", key));
  return NULL;
}

/* ---- tensors ---- */

static const char *dtype_of(int64_t code) {
  return code == 921 || code == 941 ? "f16" : code == 940 ? "bf16" : NULL; /* 921: f16 of older files */
}

static bool read_tensor(Mirage *m, const Json *json, MirageTensor *out) {
  int64_t rank, code;
  *out = (MirageTensor){0};
  if (!json || json->kind != JSON_OBJECT) return refuse(m, json, "expected a tensor");
  const Json *dim = list_of(m, json, "dim");
  if (!dim || !read_number(m, json, "num_dims", &rank) || !read_number(m, json, "guid", &out->guid) ||
      !read_number(m, json, "data_type", &code))
    return false;
  if (rank < 1 || rank > MIRAGE_RANK || rank > dim->count) return refuse(m, dim, "these are no dimensions");
  out->rank = (uint32_t)rank;
  for (uint32_t i = 0; i < out->rank; i++) {
    const Json *d = dim->members[i].value;
    out->dim[i] = d->kind == JSON_NUMBER ? strtoll(d->text, NULL, 10) : 0;
    if (out->dim[i] < 1 || out->dim[i] > INT32_MAX) return refuse(m, d, "a dimension has at least one element");
  }
  out->dtype = dtype_of(code);
  return out->dtype ? true : refuse(m, json, arena_format(m->arena, "the data type %ld is not known", (long)code));
}

static MirageTensor *find(MirageTensor *list, uint32_t count, int64_t guid) {
  for (uint32_t i = count; i-- > 0;)
    if (list[i].guid == guid) return &list[i];
  return NULL;
}

/* The operands of an operator, by guid. */
static bool read_operands(Mirage *m, const Json *op, bool tiles, uint32_t most, const MirageTensor **out,
                          uint32_t *count) {
  const Json *list = list_of(m, op, "input_tensors");
  if (!list) return false;
  *count = list->count;
  if (list->count > most) return refuse(m, list, "too many operands");
  for (uint32_t i = 0; i < list->count; i++) {
    int64_t guid;
    if (!read_number(m, list->members[i].value, "guid", &guid)) return false;
    out[i] = tiles ? find(m->tiles.data, m->tiles.count, guid) : find(m->tensors.data, m->tensors.count, guid);
    if (!out[i]) return refuse(m, list->members[i].value, "this tensor is not made before");
  }
  return true;
}

static bool read_result(Mirage *m, const Json *op, MirageTensor *out) {
  const Json *list = list_of(m, op, "output_tensors");
  if (!list || list->count != 1) return refuse(m, op, "expected one output tensor");
  return read_tensor(m, list->members[0].value, out);
}

static void declare(Mirage *m, const char *kind, const MirageTensor *t) {
  text_format(&m->declarations, "%s %s: %s[", kind, t->name, t->dtype);
  for (uint32_t i = 0; i < t->rank; i++) text_format(&m->declarations, "%s%ld", i ? ", " : "", (long)t->dim[i]);
  text_add(&m->declarations, "]\n");
}

/* ---- operators ---- */

static bool is(const char *name, const char *text) { return !strcmp(name, text); }

/* name_D_op: the axis D, or -1. */
static int axis_of(const char *name, const char *base) {
  size_t n = strlen(base);
  return !strncmp(name, base, n) && name[n] >= '0' && name[n] < '0' + MIRAGE_RANK && is(name + n + 1, "_op")
             ? name[n] - '0'
             : -1;
}

/* What an operator (its name without kn_ or tb_) computes; NULL: it is not known. */
static const char *formula_of(Mirage *m, const char *name, const MirageTensor *const *x, uint32_t count) {
  static const char *const unary[] = {"exp", "sqrt", "silu", "sigmoid", "gelu", "relu", "log"},
                           *const binary[][2] = {{"add", "+"}, {"sub", "-"},  {"mul", "*"},
                                                 {"div", "/"}, {"pow", "**"}, {"matmul", "@"}};
  uint32_t last = count ? x[0]->rank - 1 : 0;
  for (size_t i = 0; i < sizeof unary / sizeof *unary && count == 1; i++)
    if (is(name, arena_format(m->arena, "%s_op", unary[i])))
      return arena_format(m->arena, "%s(%s)", unary[i], x[0]->name);
  for (size_t i = 0; i < sizeof binary / sizeof *binary && count == 2; i++)
    if (is(name, arena_format(m->arena, "%s_op", binary[i][0])))
      return arena_format(m->arena, "%s %s %s", x[0]->name, binary[i][1], x[1]->name);
  if (is(name, "square_op") && count == 1) return arena_format(m->arena, "%s ** 2", x[0]->name);
  if (is(name, "rms_norm_op") && count == 1)
    return arena_format(m->arena, "%s / sqrt(mean(%s ** 2, axis=%u))", x[0]->name, x[0]->name, last);
  int axis = axis_of(name, "reduction_");
  if (axis >= 0 && count == 1) return arena_format(m->arena, "sum(%s, axis=%d)", x[0]->name, axis);
  axis = axis_of(name, "concat_");
  if (axis >= 0 && count == 2) return arena_format(m->arena, "concat(%s, %s, axis=%d)", x[0]->name, x[1]->name, axis);
  return NULL;
}

/* Lanes of the last axis `to` apart are summed: what is left has that many. */
static const char *summed_apart(Mirage *m, const MirageTensor *x, int64_t to) {
  Text shape = text_new(m->arena);
  for (uint32_t i = 0; i + 1 < x->rank; i++) text_format(&shape, "%ld, ", (long)x->dim[i]);
  text_format(&shape, "%ld, %ld", (long)(x->dim[x->rank - 1] / to), (long)to);
  return arena_format(m->arena, "squeeze(sum(reshape(%s, %s), axis=%u), %u)", x->name, text_string(&shape), x->rank - 1,
                      x->rank - 1);
}

/* In the loop what is summed, behind it what is made of the sum. */
static bool add_accumulator(Mirage *m, const Json *op, const char *kind, const MirageTensor *x, const char *name,
                            int64_t apart) {
  uint32_t last = x->rank - 1;
  long of = (long)(x->dim[last] * m->iterations);
  if (x->after) return refuse(m, op, "an accumulator of an accumulator");
  if (is(kind, "nored_op")) {
    text_format(&m->loop, "    %s = accumulate sum(%s)\n", name, x->name);
  } else if (is(kind, "red_ld_sum_op")) {
    text_format(&m->loop, "    %s = accumulate sum(sum(%s, axis=%u))\n", name, x->name, last);
  } else if (is(kind, "redtox_ld_sum_op") && x->dim[last] % apart == 0) {
    text_format(&m->loop, "    %s = accumulate sum(%s)\n", name, summed_apart(m, x, apart));
  } else if (is(kind, "red_ld_mean_op") || is(kind, "red_ld_rms_op")) {
    bool rms = is(kind, "red_ld_rms_op");
    text_format(&m->loop, "    %s_sum = accumulate sum(sum(%s%s, axis=%u))\n", name, x->name, rms ? " ** 2" : "", last);
    text_format(&m->after, rms ? "  %s = sqrt(%s_sum / %ld)\n" : "  %s = %s_sum / %ld\n", name, name, of);
  } else {
    return refuse(m, op, arena_format(m->arena, "the accumulator '%s' is not read", kind));
  }
  return true;
}

/* ---- maps ---- */

/* Which iterators cut axis `axis`, from the outside; false: too many. */
static bool add_axis(Mirage *m, const Json *op, const int64_t map[3], int64_t loop_axis, uint32_t axis, Text *out) {
  static const char *const names[] = {"x", "y", "z"};
  uint32_t cuts = 0;
  for (uint32_t g = 0; g < 3; g++)
    if (m->grid[g] > 1 && map[g] == axis) text_format(out, "%s%s", cuts++ ? "." : "", names[g]);
  if (loop_axis == axis) text_format(out, "%st", cuts++ ? "." : "");
  if (!cuts) text_char(out, ':');
  return cuts <= 2 ? true : refuse(m, op, "an axis that is cut three times is not read");
}

static bool read_map(Mirage *m, const Json *op, const char *key, const MirageTensor *t, int64_t map[3]) {
  static const char *const names[] = {"x", "y", "z"};
  const Json *json = json_get(op, key);
  if (!json) return refuse(m, op, arena_format(m->arena, "expected \"%s\"", key));
  for (uint32_t g = 0; g < 3; g++) {
    if (!read_number(m, json, names[g], &map[g])) return false;
    if (map[g] >= (int64_t)t->rank) return refuse(m, json, "the map names an axis that the tensor has not");
  }
  return true;
}

/* True if a tile is as long as the maps say. */
static bool check_tile(Mirage *m, const Json *op, const MirageTensor *whole, const MirageTensor *tile,
                       const int64_t map[3], int64_t loop_axis) {
  for (uint32_t axis = 0; axis < whole->rank; axis++) {
    int64_t parts = loop_axis == axis ? m->iterations : 1;
    for (uint32_t g = 0; g < 3; g++) parts *= map[g] == axis ? m->grid[g] : 1;
    if (tile->rank != whole->rank || tile->dim[axis] * parts != whole->dim[axis])
      return refuse(m, op, "the shape of the tile is not what the maps make of the tensor");
  }
  return true;
}

static bool add_tile(Mirage *m, const Json *op) {
  int64_t map[3], loop_axis, guid;
  MirageTensor tile;
  const Json *dtensor = json_get(op, "dtensor");
  if (!read_number(m, dtensor, "guid", &guid) || !read_number(m, op, "forloop_dim", &loop_axis)) return false;
  const MirageTensor *whole = find(m->tensors.data, m->tensors.count, guid);
  if (!whole) return refuse(m, dtensor, "this tensor is not made before");
  if (!read_result(m, op, &tile) || !read_map(m, op, "input_map", whole, map)) return false;
  if (loop_axis >= (int64_t)whole->rank) return refuse(m, op, "the loop cuts an axis that the tensor has not");
  if (!check_tile(m, op, whole, &tile, map, loop_axis)) return false;
  tile.name = arena_format(m->arena, "v%u", ++m->names);
  text_format(&m->loop, "    %s = load %s[", tile.name, whole->name);
  for (uint32_t axis = 0; axis < whole->rank; axis++) {
    if (axis) text_add(&m->loop, ", ");
    if (!add_axis(m, op, map, loop_axis, axis, &m->loop)) return false;
  }
  text_add(&m->loop, "]\n");
  array_push(m->arena, &m->tiles, tile);
  return true;
}

static bool add_save(Mirage *m, const Json *op) {
  int64_t map[3], guid;
  uint32_t count;
  const MirageTensor *value = NULL;
  const Json *dtensor = json_get(op, "dtensor");
  if (!read_number(m, dtensor, "guid", &guid) || !read_operands(m, op, true, 1, &value, &count)) return false;
  const MirageTensor *whole = find(m->tensors.data, m->tensors.count, guid);
  if (!whole || !count) return refuse(m, op, "this tensor is no output of the block graph");
  if (!read_map(m, op, "output_map", whole, map) || !check_tile(m, op, whole, value, map, -1)) return false;
  text_format(&m->after, "  save %s[", whole->name);
  for (uint32_t axis = 0; axis < whole->rank; axis++) {
    if (axis) text_add(&m->after, ", ");
    if (!add_axis(m, op, map, -1, axis, &m->after)) return false;
  }
  text_format(&m->after, "] = %s\n", value->name);
  return true;
}

/* ---- block graphs ---- */

static bool add_tile_operator(Mirage *m, const Json *op, const char *name, int64_t apart) {
  const MirageTensor *x[2];
  MirageTensor out;
  uint32_t count;
  if (!read_operands(m, op, true, 2, x, &count) || !read_result(m, op, &out)) return false;
  out.name = arena_format(m->arena, "v%u", ++m->names);
  const char *accumulator = !strncmp(name, "forloop_accum_", 14) ? name + 14
                            : !strncmp(name, "accum_", 6)        ? name + 6
                                                                 : NULL;
  if (accumulator) {
    if (count != 1) return refuse(m, op, "an accumulator has one operand");
    if (!add_accumulator(m, op, accumulator, x[0], out.name, apart)) return false;
    out.after = true;
  } else {
    const char *formula = formula_of(m, name, x, count);
    if (!formula) return refuse(m, op, arena_format(m->arena, "the operator 'tb_%s' is not read", name));
    out.after = count && x[0]->after;
    for (uint32_t i = 0; i < count; i++)
      if (x[i]->after != out.after) return refuse(m, op, "a value of the loop meets one that stands behind it");
    text_format(out.after ? &m->after : &m->loop, "%s%s = %s\n", out.after ? "  " : "    ", out.name, formula);
  }
  array_push(m->arena, &m->tiles, out);
  return true;
}

static bool add_block_operator(Mirage *m, const Json *op, int64_t apart) {
  const char *name = json_get_string(op, "op_type");
  if (!name || strncmp(name, "tb_", 3)) return refuse(m, op, "expected an operator on tiles");
  if (is(name, "tb_input_op")) return add_tile(m, op);
  if (is(name, "tb_output_op")) return add_save(m, op);
  return add_tile_operator(m, op, name + 3, apart);
}

static bool open_block(Mirage *m, const Json *bgraph, int64_t *apart) {
  static const char *const names[] = {"x", "y", "z"};
  const Json *grid = json_get(bgraph, "grid_dim");
  uint32_t shown = 0;
  *apart = 64;
  if (json_get(bgraph, "reduction_dimx") && !read_number(m, bgraph, "reduction_dimx", apart)) return false;
  if (!read_number(m, bgraph, "forloop_range", &m->iterations)) return false;
  text_format(&m->before, "\nblock block%u", ++m->blocks);
  for (uint32_t g = 0; g < 3; g++) {
    if (!grid || !read_number(m, grid, names[g], &m->grid[g])) return refuse(m, bgraph, "expected the grid");
    if (m->grid[g] > 1) text_format(&m->before, "%s%s = %ld", shown++ ? ", " : " grid ", names[g], (long)m->grid[g]);
  }
  if (m->iterations < 1 || *apart < 1) return refuse(m, bgraph, "there is at least one iteration");
  text_format(&m->before, "\n  loop t = %ld\n", (long)m->iterations);
  m->loop = text_new(m->arena), m->after = text_new(m->arena);
  m->tiles.count = 0;
  return true;
}

static bool add_block(Mirage *m, const Json *op) {
  const Json *bgraph = json_get(op, "bgraph"), *operators = bgraph ? list_of(m, bgraph, "operators") : NULL;
  int64_t apart;
  if (!operators) return refuse(m, op, "expected a block graph");
  if (!open_block(m, bgraph, &apart)) return false;
  for (uint32_t i = 0; i < operators->count; i++)
    if (!add_block_operator(m, operators->members[i].value, apart)) return false;
  text_format(&m->before, "%s  end\n%send\n", text_string(&m->loop), text_string(&m->after));
  return true;
}

/* ---- graphs ---- */

/* The tensors that an operator makes. Outputs of the whole are those that kn_output_op names, or that nobody reads. */
static bool is_read(const Json *graph, int64_t guid, const char *only) {
  for (uint32_t i = 0; i < graph->count; i++) {
    const Json *op = graph->members[i].value, *list = json_get(op, "input_tensors");
    const char *name = json_get_string(op, "op_type");
    for (uint32_t k = 0; list && k < list->count && name && (!only || is(name, only)); k++) {
      const Json *own = json_get(list->members[k].value, "guid");
      if (own && own->kind == JSON_NUMBER && strtoll(own->text, NULL, 10) == guid) return true;
    }
  }
  return false;
}

static bool is_output(const Json *graph, int64_t guid) {
  return is_read(graph, guid, "kn_output_op") || !is_read(graph, guid, NULL);
}

static uint32_t count_outputs(const Json *graph) {
  uint32_t outputs = 0;
  for (uint32_t i = 0; i < graph->count; i++) {
    const Json *op = graph->members[i].value, *list = json_get(op, "output_tensors");
    const char *name = json_get_string(op, "op_type");
    for (uint32_t k = 0; list && k < list->count && name && !is(name, "kn_input_op"); k++) {
      const Json *own = json_get(list->members[k].value, "guid");
      outputs += own && own->kind == JSON_NUMBER && is_output(graph, strtoll(own->text, NULL, 10));
    }
  }
  return outputs;
}

static bool add_results(Mirage *m, const Json *graph, const Json *op) {
  const Json *list = list_of(m, op, "output_tensors");
  for (uint32_t i = 0; list && i < list->count; i++) {
    MirageTensor t;
    if (!read_tensor(m, list->members[i].value, &t)) return false;
    bool output = is_output(graph, t.guid);
    t.name = !output                ? arena_format(m->arena, "t%u", ++m->temporaries)
             : m->output_count == 1 ? "result"
                                    : arena_format(m->arena, "result_%u", m->outputs++);
    declare(m, output ? "tensor" : "temporary", &t);
    array_push(m->arena, &m->tensors, t);
  }
  return list != NULL;
}

static bool add_operator(Mirage *m, const Json *graph, const Json *op) {
  const char *name = json_get_string(op, "op_type");
  const MirageTensor *x[2];
  MirageTensor t;
  uint32_t count;
  if (!name || strncmp(name, "kn_", 3)) return refuse(m, op, "expected an operator on tensors");
  if (is(name, "kn_output_op")) return true;
  if (is(name, "kn_input_op")) {
    if (!read_result(m, op, &t)) return false;
    t.name = arena_format(m->arena, "arg%u", m->inputs++);
    declare(m, "tensor", &t);
    array_push(m->arena, &m->tensors, t);
    return true;
  }
  if (is(name, "kn_customized_op")) return add_results(m, graph, op) && add_block(m, op);
  if (!read_operands(m, op, false, 2, x, &count)) return false;
  const MirageTensor operands[2] = {count > 0 ? *x[0] : (MirageTensor){0}, count > 1 ? *x[1] : (MirageTensor){0}};
  x[0] = &operands[0], x[1] = &operands[1]; /* the list may move */
  if (!add_results(m, graph, op)) return false;
  const char *formula = formula_of(m, name + 3, x, count);
  if (!formula) return refuse(m, op, arena_format(m->arena, "the operator '%s' is not read", name));
  text_format(&m->before, "\n%s = %s\n", m->tensors.data[m->tensors.count - 1].name, formula);
  return true;
}

static const char *translate(Mirage *m, const Json *graph) {
  if (graph->kind != JSON_ARRAY) return refuse(m, graph, "expected a list of operators"), NULL;
  m->declarations = text_new(m->arena), m->before = text_new(m->arena);
  m->output_count = count_outputs(graph);
  for (uint32_t i = 0; i < graph->count; i++)
    if (!add_operator(m, graph, graph->members[i].value)) return NULL;
  return arena_format(m->arena, "graph mirage\n%s%s", text_string(&m->declarations), text_string(&m->before));
}

bool front_is_mirage(const Source *source) {
  static const char mark[] = "\"op_type\"";
  size_t at = 0;
  while (at < source->size && source->text[at] && strchr(" \t\r\n", source->text[at])) at++;
  return at < source->size && source->text[at] == '[' &&
         memmem(source->text + at, source->size - at, mark, sizeof mark - 1);
}

/* Which of several: --kernel I, from 0. */
static const Json *choose(Front *front, const Json *all) {
  const AssayStrings *kernels = &front->options->kernels;
  char *end = NULL;
  bool is_list = all->count && all->members[0].value->kind == JSON_ARRAY;
  if (!is_list) return all;
  if (!kernels->count && all->count == 1) return all->members[0].value;
  unsigned long number = kernels->count == 1 ? strtoul(kernels->data[0], &end, 10) : 0;
  if (end && end != kernels->data[0] && !*end && number < all->count) return all->members[number].value;
  front_usage(front, "usage.kernel", "choose one with --kernel I", "the file has %u graphs, from 0 to %u", all->count,
              all->count - 1);
  return NULL;
}

Source *front_read_mirage(Front *front, Arena *arena, const Source *source) {
  Mirage m = {.arena = arena, .source = source, .diagnostics = front->diagnostics};
  const Json *all = json_read_whole(arena, source, front->diagnostics);
  const Json *graph = all && all->kind == JSON_ARRAY ? choose(front, all) : NULL;
  const char *text = graph ? translate(&m, graph) : NULL;
  return text ? source_new(arena, arena_format(arena, "%s, as a graph", source->name), text, strlen(text)) : NULL;
}
