/* A Python module for an array program: signature, docstring, sizes from shapes, statements, results.
 *
 * Sizes come from the shapes of the tensors that are passed: by name where a dimension is a size, by solving where a
 * dimension is linear in one; what remains is a keyword. The statements are printed first, because only then it is
 * known what the rest of the module needs. */
#include "emit/python.h"

#include "emit/given.h"

#include <stdlib.h>
#include <string.h>

typedef struct Keyword {
  const char *name;
  const PointwiseTensor *tensor; /* NULL: a scalar, size or function */
  Term term;
  bool is_optional;        /* old contents that are zero by default */
  bool gives_size;         /* its shape is looked at for sizes */
  bool is_needed;          /* a size that stays a keyword, because an array is reshaped by it */
  GivenReshape given;      /* of an array as the launch has it; shape NULL: it is taken in the form's shape alone */
  const char *given_shape; /* the variable with the shape that was passed; NULL: nobody asks */
} Keyword;

typedef struct Axis {
  Term size;
  const Keyword *tensor;
  uint32_t place;
} Axis;

typedef struct Module {
  Python py;
  const Pointwise *p;
  Lowered *lowered;
  Array(Keyword) tensors, scalars; /* scalars: everything that is no tensor, in the end only what no shape gives */
  Text sizes[2];    /* statements that read sizes off shapes; off those of arrays that other sizes reshape */
  bool is_late;     /* it is the second ones that are looked for */
  Text shapes;      /* variables in the shapes of outputs */
  Array(Axis) axes; /* where each size was first seen */
} Module;

static bool is_integer(const char *dtype) { return strchr("iu", dtype[0]) != NULL && strcmp(dtype, "i1") != 0; }

/* ---- what the values use ---- */

static bool is_output(const Module *m, const PointwiseTensor *tensor) {
  for (uint32_t i = 0; i < m->lowered->outputs.count; i++)
    if (m->lowered->outputs.data[i].tensor == tensor) return true;
  return false;
}

static bool is_used(const Module *m, Term symbol, Node *node) {
  const ArrayProgram *program = &m->lowered->program;
  for (Node n = 1; n < program->nodes.count; n++)
    if (program->nodes.data[n].op == ARRAY_NAME && program->nodes.data[n].term == symbol &&
        program->nodes.data[n].uses) {
      *node = n;
      return true;
    }
  return false;
}

/* True if the tensor is read only as what an output starts from. */
static bool is_only_base(const Module *m, const PointwiseTensor *tensor) {
  return is_output(m, tensor) && !tensor->is_read;
}

static void collect_keywords(Module *m) {
  Python *py = &m->py;
  Node node;
  for (uint32_t i = 0; i < m->p->tensors.count; i++) {
    const PointwiseTensor *tensor = &m->p->tensors.data[i];
    if (!is_used(m, tensor->symbol, &node)) continue;
    Keyword keyword = {python_fresh(py, tensor->name, tensor->symbol),
                       tensor,
                       tensor->symbol,
                       is_only_base(m, tensor),
                       false,
                       false,
                       {0},
                       NULL};
    array_push(py->arena, &m->tensors, keyword);
  }
  for (uint32_t i = 0; i < m->p->scalars.count; i++) {
    const PointwiseScalar *scalar = &m->p->scalars.data[i];
    if (!is_used(m, scalar->symbol, &node)) continue;
    Keyword keyword = {
        python_fresh(py, scalar->name, scalar->symbol), NULL, scalar->symbol, false, false, false, {0}, NULL};
    array_push(py->arena, &m->scalars, keyword);
  }
  const ArrayProgram *program = &m->lowered->program;
  for (Node n = 1; n < program->nodes.count; n++) { /* sizes that are no argument, functions without a formula */
    const ArrayNode *at = array_at(program, n);
    bool is_call = at->op == ARRAY_CALL;
    if (!at->uses || !at->term || (at->op != ARRAY_NAME && !is_call) || python_name(py, at->term)) continue;
    Keyword keyword = {python_fresh(py, at->text, at->term), NULL, at->term, false, false, false, {0}, NULL};
    array_push(py->arena, &m->scalars, keyword);
  }
}

/* ---- sizes from shapes ---- */

static Keyword *unknown_size(Module *m, Term symbol) {
  for (uint32_t i = 0; i < m->scalars.count; i++)
    if (m->scalars.data[i].term == symbol && !(symbol & ARRAY_FUNCTION) && !m->scalars.data[i].is_needed &&
        term_sort(m->p->tt, symbol) == SORT_INT)
      return &m->scalars.data[i];
  return NULL;
}

static Text *sizes_text(Module *m) { return &m->sizes[m->is_late]; }

/* A dimension of the tensor gives the size. */
static void size_known(Module *m, Keyword *keyword, Keyword *tensor, uint32_t place) {
  tensor->gives_size = true;
  array_push(m->py.arena, &m->axes, (Axis){keyword->term, tensor, place});
  uint32_t i = (uint32_t)(keyword - m->scalars.data);
  memmove(keyword, keyword + 1, sizeof *keyword * (m->scalars.count - i - 1));
  m->scalars.count--;
}

/* True if the dimension of an array is as long as the form says, as far as the launch tells, and not longer than what
 * is read of it. */
static bool has_length(const Keyword *tensor, uint32_t axis) {
  bool is_longer = tensor->given.is_itself && tensor->tensor->is_least[axis];
  return !is_longer && (axis || !tensor->given.has_more_rows);
}

/* All dimensions at once: M, N = x.shape */
static bool unpack_shape(Module *m, Keyword *tensor) {
  uint32_t rank = tensor->tensor->rank;
  for (uint32_t i = 0; i < rank; i++) {
    if (!unknown_size(m, tensor->tensor->extent[i]) || !has_length(tensor, i)) return false;
    for (uint32_t j = 0; j < i; j++)
      if (tensor->tensor->extent[i] == tensor->tensor->extent[j]) return false;
  }
  if (rank < 2) return false;
  text_add(sizes_text(m), "    ");
  for (uint32_t i = 0; i < rank; i++) {
    Keyword *keyword = unknown_size(m, tensor->tensor->extent[i]);
    text_format(sizes_text(m), "%s%s", i ? ", " : "", keyword->name);
    size_known(m, keyword, tensor, i);
  }
  text_format(sizes_text(m), " = %s.shape\n", tensor->name);
  return true;
}

static bool take_dimensions(Module *m, Keyword *tensor) {
  bool found = false;
  for (uint32_t i = 0; i < tensor->tensor->rank; i++) {
    Keyword *keyword = unknown_size(m, tensor->tensor->extent[i]);
    if (!keyword || !has_length(tensor, i)) continue;
    text_format(sizes_text(m), "    %s = %s.shape[%u]\n", keyword->name, tensor->name, i);
    size_known(m, keyword, tensor, i);
    found = true;
  }
  return found;
}

/* True if every symbol that t uses is known already. */
static bool is_known(Module *m, Term t) {
  TermList symbols = {0};
  term_symbols(m->p->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (unknown_size(m, symbols.data[i]) || !python_name(&m->py, symbols.data[i])) return false;
  return true;
}

/* True if t is divided by something with `symbol` in it. Then it is not linear, and 0 may not be put in. */
static bool divides(TermTable *tt, Term t, Term symbol) {
  if (!term_has_symbol(tt, t, symbol)) return false;
  if (term_kind(tt, t) == TERM_FLOORDIV && term_has_symbol(tt, term_arg(tt, t, 1), symbol)) return true;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (divides(tt, term_arg(tt, t, i), symbol)) return true;
  return false;
}

/* extent = factor * size + rest with known factor, which is never 0, and rest. */
static bool solve_linear(Module *m, Term extent, Term size, Term *factor, Term *rest) {
  TermTable *tt = m->p->tt;
  Term zero = tt->zero, one = tt->one;
  if (divides(tt, extent, size)) return false;
  *rest = term_replace(tt, extent, size, zero);
  *factor = term_sub(tt, term_replace(tt, extent, size, one), *rest);
  Term again = term_add(tt, *rest, term_mul(tt, *factor, size));
  bool may_be_zero = !term_prove_lt(tt, zero, *factor) && !term_prove_lt(tt, *factor, zero);
  return again == extent && !may_be_zero && is_known(m, *factor) && is_known(m, *rest);
}

static bool solve_dimension(Module *m, Keyword *tensor) {
  for (uint32_t i = 0; i < tensor->tensor->rank; i++)
    for (uint32_t s = 0; s < m->scalars.count && has_length(tensor, i); s++) {
      Keyword *keyword = &m->scalars.data[s];
      Term extent = tensor->tensor->extent[i], factor, rest;
      if (!unknown_size(m, keyword->term) || !term_has_symbol(m->p->tt, extent, keyword->term)) continue;
      if (!solve_linear(m, extent, keyword->term, &factor, &rest)) continue;
      int64_t number;
      bool is_less = term_is_int(m->p->tt, rest, &number) && number < 0;
      Term away = is_less ? term_neg(m->p->tt, rest) : rest;
      bool offset = rest != m->p->tt->zero, divide = factor != m->p->tt->one;
      text_format(sizes_text(m), "    %s = %s%s.shape[%u]", keyword->name, offset && divide ? "(" : "", tensor->name,
                  i);
      if (offset)
        text_format(sizes_text(m), " %c %s%s", is_less ? '+' : '-',
                    python_expression(&m->py, lower_size(m->lowered, m->p, away), PY_PRODUCT), divide ? ")" : "");
      if (divide)
        text_format(sizes_text(m), " // %s", python_expression(&m->py, lower_size(m->lowered, m->p, factor), PY_UNARY));
      text_char(sizes_text(m), '\n');
      size_known(m, keyword, tensor, i);
      return true;
    }
  return false;
}

static void find_sizes_of(Module *m) {
  for (int method = 0; method < 3; method++)
    for (uint32_t i = 0; i < m->tensors.count; i++) {
      Keyword *tensor = &m->tensors.data[i];
      if (tensor->is_optional || tensor->given.asks_sizes != m->is_late) continue;
      bool found = method == 0   ? unpack_shape(m, tensor)
                   : method == 1 ? take_dimensions(m, tensor)
                                 : solve_dimension(m, tensor);
      if (found && method == 2) method = -1, i = m->tensors.count; /* a new size may solve another dimension */
    }
}

/* What an array is reshaped by is known before its shape gives sizes. */
static void find_sizes(Module *m) {
  find_sizes_of(m);
  for (uint32_t i = 0; i < m->tensors.count; i++) {
    const PointwiseTensor *tensor = m->tensors.data[i].tensor;
    if (!m->tensors.data[i].given.asks_sizes) continue;
    for (uint32_t k = 0; k < tensor->rank; k++) {
      TermList symbols = {0};
      if (term_kind(m->p->tt, tensor->extent[k]) != TERM_SYM) term_symbols(m->p->tt, tensor->extent[k], &symbols);
      for (uint32_t s = 0; s < symbols.count; s++) {
        Keyword *needed = unknown_size(m, symbols.data[s]);
        if (needed) needed->is_needed = true;
      }
    }
  }
  m->is_late = true;
  find_sizes_of(m);
}

/* ---- shapes against each other ---- */

static const Axis *first_axis(const Module *m, Term size) {
  for (uint32_t i = 0; i < m->axes.count; i++)
    if (m->axes.data[i].size == size) return &m->axes.data[i];
  return NULL;
}

/* What the dimension must be: a number, a size that is known otherwise, the same dimension of a tensor before; NULL:
 * anything. An extent that is computed is what the kernel reads at least. */
static const char *wanted_size(Module *m, const Keyword *tensor, uint32_t i) {
  Term extent = tensor->tensor->extent[i];
  int64_t number;
  if (term_is_int(m->p->tt, extent, &number)) return arena_format(m->py.arena, "%lld", (long long)number);
  if (term_kind(m->p->tt, extent) != TERM_SYM) return NULL;
  const Axis *axis = first_axis(m, extent);
  const char *name = python_name(&m->py, extent);
  if (axis)
    return axis->tensor == tensor && axis->place == i ? NULL
           : name                                     ? name
                  : arena_format(m->py.arena, "%s.shape[%u]", axis->tensor->name, axis->place);
  if (!name) array_push(m->py.arena, &m->axes, (Axis){extent, tensor, i});
  return name;
}

static void refuse_shape(Module *m, const Keyword *k, const char *condition, const char *wanted) {
  const char *comma = k->tensor->rank == 1 ? "," : "";
  python_line(&m->py, "if %s:", condition);
  python_line(&m->py, "    raise ValueError(f\"%s has the shape {tuple(%s.shape)}, not (%s%s)\")", k->name, k->name,
              wanted, comma);
}

static const char *extents_text(Module *m, const PointwiseTensor *tensor) {
  Text wanted = text_new(m->py.arena);
  for (uint32_t i = 0; i < tensor->rank; i++)
    text_format(&wanted, "%s%s", i ? ", " : "", term_text(m->p->tt, tensor->extent[i]));
  return text_string(&wanted);
}

static void check_rank(Module *m, const Keyword *k) {
  const char *condition = arena_format(m->py.arena, "%s.ndim != %u", k->name, k->tensor->rank);
  refuse_shape(m, k, condition, extents_text(m, k->tensor));
}

/* True if the dimension is where a size was solved from. */
static bool is_solved(const Module *m, const Keyword *k, uint32_t place) {
  for (uint32_t i = 0; i < m->axes.count; i++)
    if (m->axes.data[i].tensor == k && m->axes.data[i].place == place) return true;
  return false;
}

static void check_shape(Module *m, const Keyword *k) {
  Arena *arena = m->py.arena;
  uint32_t rank = k->tensor->rank, known = 0;
  Text shape = text_new(arena), least = text_new(arena), wanted = text_new(arena);
  for (uint32_t i = 0; i < rank; i++) {
    Term extent = k->tensor->extent[i];
    bool symbol = term_kind(m->p->tt, extent) == TERM_SYM;
    const char *size = wanted_size(m, k, i), *at_least = NULL;
    if (!size && !symbol && is_known(m, extent) && !is_solved(m, k, i))
      at_least = python_expression(&m->py, lower_size(m->lowered, m->p, extent), PY_SUM);
    known += size != NULL;
    text_add(&shape, i ? ", " : "");
    text_add(&shape, size ? size : arena_format(arena, "*%s.shape[%u:%u]", k->name, i, i + 1));
    if (at_least) text_format(&least, " or %s.shape[%u] < %s", k->name, i, at_least);
    text_format(&wanted, !i ? "%s" : ", %s", term_text(m->p->tt, extent));
    if (at_least || (size && symbol)) text_format(&wanted, " = {%s}", size ? size : at_least);
  }
  if (!known && !least.count && k->gives_size) return;
  const char *first =
      known ? arena_format(arena, "%s.shape != (%s%s)", k->name, text_string(&shape), rank == 1 ? "," : "")
            : arena_format(arena, "%s.ndim != %u", k->name, rank);
  refuse_shape(m, k, arena_format(arena, "%s%s", first, text_string(&least)), text_string(&wanted));
}

/* ---- inputs ---- */

/* The name of a type there; "f*" in the framework's table stands for all that begin so. */
static const char *type_name(const Module *m, const char *dtype) {
  static const char *const names[][2] = {{"f64", "float64"},
                                         {"f80", "float64"},
                                         {"f32", "float32"},
                                         {"f16", "float16"},
                                         {"bf16", "bfloat16"},
                                         {"i8", "int8"},
                                         {"i16", "int16"},
                                         {"i32", "int32"},
                                         {"i64", "int64"},
                                         {"u8", "uint8"},
                                         {"u16", "uint16"},
                                         {"u32", "uint32"},
                                         {"u64", "uint64"},
                                         {"f8E5M2", "float8_e5m2"},
                                         {"f8E4M3FN", "float8_e4m3fn"},
                                         {"f8E4M3FNUZ", "float8_e4m3fnuz"},
                                         {"f8E5M2FNUZ", "float8_e5m2fnuz"},
                                         {"f8E4M3", "float8_e4m3fn"}};
  const Framework *f = m->py.framework;
  for (uint32_t i = 0; f->other_types[i][0]; i++) {
    const char *pattern = f->other_types[i][0];
    size_t n = strcspn(pattern, "*");
    if (pattern[n] ? !strncmp(pattern, dtype, n) : !strcmp(pattern, dtype)) return f->other_types[i][1];
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], dtype) == 0) return arena_format(m->py.arena, "%s%s", f->types, names[i][1]);
  return arena_format(m->py.arena, "%s%s", f->types, is_integer(dtype) ? "int64" : "float32");
}

static const char *type_of_sort(const Module *m, TermSort sort) {
  const Framework *f = m->py.framework;
  return sort == SORT_INT ? f->integer : sort == SORT_BOOL ? f->boolean : f->real;
}

/* " & 255" of what is read without sign: an array may hold the same bits with one. */
static const char *bits_text(const Module *m, const Keyword *k) {
  int width = k->tensor->sort == SORT_INT && k->tensor->dtype[0] == 'u' ? atoi(k->tensor->dtype + 1) : 0;
  return width > 0 && width < 63 ? arena_format(m->py.arena, " & %lld", (1LL << width) - 1) : "";
}

static const char *converted(Module *m, const Keyword *k, bool old) {
  TermSort sort = k->tensor->sort;
  bool byte = !old && strcmp(k->tensor->dtype, "i8") == 0; /* bytes without sign are read with it */
  Call call = sort == SORT_INT    ? byte ? CALL_FROM_BYTE : CALL_FROM_INT
              : sort == SORT_BOOL ? CALL_FROM_BOOL
                                  : CALL_FROM_REAL;
  Call preferred = !old ? call : sort == SORT_INT ? CALL_OLD_INT : sort == SORT_BOOL ? CALL_OLD_BOOL : call;
  return python_call(&m->py, preferred, call, k->name, NULL, NULL);
}

static const char *shape_text(Module *m, const PointwiseTensor *tensor) {
  for (uint32_t i = 0; i < m->lowered->outputs.count; i++)
    if (m->lowered->outputs.data[i].tensor == tensor)
      return python_expression(&m->py, m->lowered->outputs.data[i].shape, PY_ANY);
  return "()";
}

static void convert_base(Module *m, const Keyword *k) { /* old contents, zero if not given */
  python_line(&m->py, "if %s is None:", k->name);
  m->py.indent++;
  python_line(
      &m->py, "%s = %s", k->name,
      python_call(&m->py, CALL_ZEROS, CALL_ZEROS, shape_text(m, k->tensor), type_of_sort(m, k->tensor->sort), NULL));
  m->py.indent--;
  python_line(&m->py, "%s = %s", k->name, converted(m, k, true));
}

/* The type in which floats are computed: that of the inputs, at least float32; and where the inputs are. */
static void print_types(Module *m, const char *statements, const char *conversions, Text *out) {
  const char *device = NULL, *floats[64], *real = m->py.framework->real;
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->tensors.count; i++) {
    const Keyword *k = &m->tensors.data[i];
    if (k->is_optional) continue;
    if (!device) device = k->name;
    if (k->tensor->sort == SORT_REAL && n < 64) floats[n++] = k->name;
  }
  if (python_mentions(statements, "device", 6) || python_mentions(conversions, "device", 6))
    text_format(out, device ? "    device = %s.device\n" : "    device = None\n", device);
  const char *least = arena_format(m->py.arena, "%sfloat32", m->py.framework->types);
  bool is_used = python_mentions(statements, real, 5) || python_mentions(conversions, real, 5);
  if (n == 1)
    text_format(
        out, "    dtype = %s\n",
        python_call(&m->py, CALL_PROMOTE, CALL_PROMOTE, arena_format(m->py.arena, "%s.dtype", floats[0]), least, NULL));
  else if (n || is_used)
    text_format(out, "    dtype = %s\n", least);
  if (n < 2) return;
  text_add(out, "    for tensor in (");
  for (uint32_t i = 0; i < n; i++) text_format(out, "%s%s", i ? ", " : "", floats[i]);
  text_format(out, "):\n        dtype = %s\n",
              python_call(&m->py, CALL_PROMOTE, CALL_PROMOTE, "dtype", "tensor.dtype", NULL));
}

/* ---- results ---- */

/* An output that is one number everywhere. */
static const char *filled(Module *m, const LoweredOutput *output, Node number, const char *type) {
  Python *py = &m->py;
  const char *shape = python_expression(py, output->shape, PY_ANY), *text = python_expression(py, number, PY_ANY);
  if (strcmp(text, "0")) return python_call(py, CALL_FULL, CALL_FULL, shape, text, type);
  return python_call(py, strcmp(type, py->framework->real) ? CALL_ZEROS : CALL_ZEROS_REAL, CALL_ZEROS, shape, type,
                     NULL);
}

/* Of the type that the output has, and no memory of an argument. */
static const char *result(Module *m, const LoweredOutput *output) {
  Python *py = &m->py;
  const char *const *rows = py->framework->calls;
  Node value = output->value, inner = value;
  ArrayNode n = *array_at(py->program, value);
  const char *type = type_name(m, output->tensor->dtype);
  if (n.op == ARRAY_EXPAND) {
    inner = array_arg(py->program, value, 0);
    if (!array_at(py->program, inner)->is_array) return filled(m, output, inner, type);
    if (rows[CALL_RESULT_BROADCAST]) {
      const char *shape = python_expression(py, output->shape, PY_ANY);
      return python_call(py, CALL_RESULT_BROADCAST, CALL_CAST, python_expression(py, inner, PY_ANY), shape, type);
    }
  }
  if (n.rank == 0 && rows[CALL_RESULT_NUMBER])
    return python_call(py, CALL_RESULT_NUMBER, CALL_CAST, python_expression(py, value, PY_ANY), type, NULL);
  bool shares = n.op == ARRAY_EXPAND || n.is_view, same = strcmp(type, type_of_sort(m, n.sort)) == 0;
  if (same && rows[CALL_COPY])
    return shares ? python_call(py, CALL_COPY, CALL_COPY, python_expression(py, value, PY_ATOM), NULL, NULL)
                  : python_expression(py, value, PY_ANY);
  int precedence = rows[CALL_CAST][0] == '$' ? PY_ATOM : PY_ANY; /* x.to(type), or cast(x, type) */
  return python_call(py, shares ? CALL_CAST_COPY : CALL_CAST, CALL_CAST, python_expression(py, value, precedence), type,
                     NULL);
}

static bool has_shape_of(const PointwiseTensor *a, const PointwiseTensor *b) {
  if (a->rank != b->rank || !a->given || !b->given || a->given->rank != b->given->rank) return false;
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->extent[k] != b->extent[k]) return false;
  for (uint32_t k = 0; k < a->given->rank; k++)
    if (a->given->shape[k] != b->given->shape[k]) return false;
  return true;
}

/* The array that is passed for the output, else one that is passed and has its shapes, in form and launch. */
static Keyword *shaped_like(Module *m, const PointwiseTensor *output) {
  Keyword *found = NULL;
  for (uint32_t i = 0; i < m->tensors.count; i++) {
    Keyword *k = &m->tensors.data[i];
    if (!k->given.shape || *k->given.cut) continue;
    if (k->tensor == output) return k;
    if (!found && !k->is_optional && has_shape_of(k->tensor, output)) found = k;
  }
  return found;
}

/* The variable with the shape that the output is to have; NULL: that of the form. */
static const char *given_shape(Module *m, const PointwiseTensor *output) {
  Keyword *k = shaped_like(m, output);
  if (k && !k->given_shape) k->given_shape = python_fresh(&m->py, arena_format(m->py.arena, "%s_shape", k->name), 0);
  return k ? k->given_shape : NULL;
}

/* Of a longer array the size tells how much of it is meant, also where no value speaks of it. */
static void ask_for_rows(Module *m, Term size) {
  if (python_name(&m->py, size)) return;
  Keyword keyword = {.name = python_fresh(&m->py, term_text(m->p->tt, size), size), .term = size};
  array_push(m->py.arena, &m->scalars, keyword);
}

static void ask_for_sizes(Module *m, Term length) {
  TermList symbols = {0};
  term_symbols(m->p->tt, length, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) ask_for_rows(m, symbols.data[i]);
}

static const char *length_expression(Module *m, Term length) {
  return python_expression(&m->py, lower_size(m->lowered, m->p, length), PY_SUM);
}

/* A length that is computed of the kernel's own arguments. */
static const char *length_of_arguments(void *payload, Term length) {
  Module *m = payload;
  TermList symbols = {0};
  term_symbols(m->p->tt, length, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool is_argument = false;
    for (uint32_t k = 0; k < m->p->scalars.count; k++) is_argument |= m->p->scalars.data[k].symbol == symbols.data[i];
    if (!is_argument) return NULL;
  }
  ask_for_sizes(m, length);
  return length_expression(m, length);
}

/* True if the axis of an array is longer than what is read of it, so that it is cut. */
static bool is_longer(Module *m, const Keyword *k, uint32_t axis) {
  return (k->given.is_itself || k->given.shape) && given_is_longer(m->p->tt, k->tensor, axis);
}

static bool is_longer_somewhere(Module *m, const Keyword *k) {
  for (uint32_t axis = 0; axis < k->tensor->rank; axis++)
    if (is_longer(m, k, axis)) return true;
  return false;
}

/* Which arrays are taken as the launch has them. Of an output that lies in a longer array, what is beside it would be
 * lost. */
static void find_given(Module *m) {
  for (uint32_t i = 0; i < m->tensors.count; i++) {
    Keyword *k = &m->tensors.data[i];
    GivenSizes sizes = {length_of_arguments, m};
    if (!given_reshape(m->py.arena, m->p->tt, k->tensor, k->name, sizes, &k->given))
      k->given = (GivenReshape){0};
    else if (is_output(m, k->tensor) && (*k->given.cut || k->given.has_more_rows || is_longer_somewhere(m, k)))
      k->given.shape = NULL, k->given.is_itself = k->given.has_more_rows = false;
    else if (k->given.is_itself && !is_output(m, k->tensor))
      k->given.test = NULL;
    if (k->given.has_more_rows) ask_for_rows(m, k->tensor->extent[0]);
    for (uint32_t axis = 0; axis < k->tensor->rank && !is_output(m, k->tensor); axis++)
      if (is_longer(m, k, axis)) ask_for_sizes(m, k->tensor->extent[axis]);
  }
}

static void print_results(Module *m) {
  Python *py = &m->py;
  uint32_t n = m->lowered->outputs.count;
  const char **names = arena_array(py->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) { /* before other variables take these names */
    bool is_input = python_name(py, m->lowered->outputs.data[i].tensor->symbol) != NULL;
    names[i] = python_fresh(py, is_input ? "result" : m->lowered->outputs.data[i].tensor->name, 0);
  }
  Text dict = text_new(py->arena);
  for (uint32_t i = 0; i < n; i++) {
    const LoweredOutput *output = &m->lowered->outputs.data[i];
    const char *text = result(m, output), *shape = given_shape(m, output->tensor);
    if (strlen(text) > 60 || n > 1 || shape) {
      python_line(py, "%s = %s", names[i], text);
      text = names[i];
    }
    if (shape) text = python_call(py, CALL_RESHAPE, CALL_RESHAPE, text, shape, NULL);
    text_format(&dict, "%s\"%s\": %s", i ? ", " : "", output->tensor->name, text);
  }
  if (dict.count < 100 || n < 2) {
    python_line(py, "return {%s}", text_string(&dict));
    return;
  }
  python_line(py, "return {");
  char *next, *at = (char *)(uintptr_t)text_string(&dict);
  for (; at; at = next) {
    next = strstr(at, ", \"");
    if (next) *next = 0, next += 2;
    python_line(py, "    %s,", at);
  }
  python_line(py, "}");
}

/* ---- the module ---- */

/* Text inside a docstring. */
static void print_doc(Text *out, const char *indent, const char *text) {
  text_add(out, indent);
  for (const char *s = text; *s; s++) {
    if (*s == '\\')
      text_add(out, "\\\\");
    else if (*s == '"' && s[1] == '"')
      text_add(out, "'");
    else
      text_char(out, *s);
    if (*s == '\n' && s[1]) text_add(out, indent);
  }
  if (out->count && text_string(out)[out->count - 1] == '"') text_char(out, ' ');
}

static void print_shape(Module *m, const PointwiseTensor *tensor, Text *out) {
  bool input = false, optional = false;
  for (uint32_t i = 0; i < m->tensors.count; i++)
    if (m->tensors.data[i].tensor == tensor) input = true, optional = m->tensors.data[i].is_optional;
  if (!input && !is_output(m, tensor)) return;
  text_format(out, "        %s: ", tensor->name);
  text_format(out, "(%s%s), %s", extents_text(m, tensor), tensor->rank == 1 ? "," : "", tensor->dtype);
  if (is_output(m, tensor))
    text_add(out, !input     ? ", returned"
                  : optional ? ", old contents (zero if not given); returned"
                             : ", old contents; returned");
  text_char(out, '\n');
}

static void print_docstring(Module *m, const EmitHeader *header, Text *out) {
  text_add(out, "    \"\"\"");
  Text first = text_new(m->py.arena);
  if (header && header->formula && *header->formula) print_doc(&first, "    ", header->formula);
  text_add(out, first.count ? text_string(&first) + 4 : m->p->kernel);
  text_add(out, "\n\n    Shapes:\n");
  for (uint32_t i = 0; i < m->p->tensors.count; i++) print_shape(m, &m->p->tensors.data[i], out);
  if (header && header->assumption_count) {
    text_add(out, "\n    Assumptions:\n");
    for (uint32_t i = 0; i < header->assumption_count; i++) {
      print_doc(out, "        ", header->assumptions[i]);
      text_char(out, '\n');
    }
  }
  if (header && header->verdict) text_format(out, "\n    Verdict: %s\n", header->verdict);
  text_add(out, "    \"\"\"\n");
}

static void print_signature(Module *m, const char *function, Text *out) {
  Text list = text_new(m->py.arena);
  for (uint32_t i = 0; i < m->tensors.count; i++)
    if (!m->tensors.data[i].is_optional) text_format(&list, ", %s", m->tensors.data[i].name);
  for (uint32_t i = 0; i < m->scalars.count; i++) text_format(&list, ", %s", m->scalars.data[i].name);
  for (uint32_t i = 0; i < m->tensors.count; i++)
    if (m->tensors.data[i].is_optional) text_format(&list, ", %s=None", m->tensors.data[i].name);
  text_format(out, "def %s(%s%s):\n", function, list.count ? "*" : "", text_string(&list));
}

/* An array as the launch has it, which its number of axes tells. */
static void take_given(Module *m, const Keyword *k) {
  if (!k->given.test) return;
  if (!k->given.shape) {
    refuse_shape(m, k, k->given.test, extents_text(m, k->tensor));
    return;
  }
  if (k->given_shape) python_line(&m->py, "%s = %s.shape", k->given_shape, k->name);
  python_line(&m->py, "if %s:", k->given.test);
  const char *reshaped = python_call(&m->py, CALL_RESHAPE, CALL_RESHAPE, k->name, k->given.shape, NULL);
  python_line(&m->py, "    %s = %s%s", k->name, reshaped, k->given.cut);
}

/* Arrays as the launch has them, then the sizes that their shapes give. */
static void print_sizes(Module *m, bool late) {
  for (uint32_t i = 0; i < m->tensors.count; i++)
    if (late && m->tensors.data[i].given.asks_sizes && !m->tensors.data[i].is_optional)
      take_given(m, &m->tensors.data[i]);
  for (uint32_t i = 0; i < m->tensors.count; i++)
    if (m->tensors.data[i].gives_size && m->tensors.data[i].given.asks_sizes == late)
      check_rank(m, &m->tensors.data[i]);
  text_add(m->py.body, text_string(&m->sizes[late]));
}

/* Of an axis that is longer than what is read of it, that alone is taken. */
static void cut_longer(Module *m, const Keyword *k) {
  Text cut = text_new(m->py.arena);
  bool found = false;
  for (uint32_t i = 0; i < k->tensor->rank; i++) {
    bool here = !is_output(m, k->tensor) && is_longer(m, k, i);
    text_format(&cut, "%s:%s", i ? ", " : "", here ? length_expression(m, k->tensor->extent[i]) : "");
    found |= here;
  }
  if (found) python_line(&m->py, "%s = %s[%s]", k->name, k->name, text_string(&cut));
}

/* Inputs, then the sizes that their shapes give, then what outputs start from. */
static void print_conversions(Module *m) {
  for (uint32_t i = 0; i < m->tensors.count; i++) {
    const Keyword *k = &m->tensors.data[i];
    if (k->is_optional) continue;
    python_line(&m->py, "%s = %s%s", k->name, converted(m, k, false), bits_text(m, k));
    if (!k->given.asks_sizes) take_given(m, k);
  }
  print_sizes(m, false);
  print_sizes(m, true);
  text_add(m->py.body, text_string(&m->shapes));
  for (int longer = 0; longer < 2; longer++)
    for (uint32_t i = 0; i < m->tensors.count; i++) {
      const Keyword *k = &m->tensors.data[i];
      if (k->given.has_more_rows != longer) continue;
      if (k->is_optional) convert_base(m, k), take_given(m, k);
      const char *rows = longer ? wanted_size(m, k, 0) : NULL; /* as others have */
      if (rows) python_line(&m->py, "%s = %s[:%s]", k->name, k->name, rows);
      if (k->tensor->rank) check_shape(m, k);
      cut_longer(m, k);
    }
}

static void refuse_opaque(const Module *m) {
  for (uint32_t i = 0; i < m->lowered->outputs.count; i++)
    if (m->lowered->outputs.data[i].is_opaque)
      guard_throw(m->py.arena->guard, GUARD_LIMIT, "%s has no closed formula",
                  m->lowered->outputs.data[i].tensor->name);
}

/* Extents that zeros are made of are named before the statements that use them as well. */
static void name_shapes(Module *m) {
  Text *body = m->py.body;
  m->py.body = &m->shapes;
  for (uint32_t i = 0; i < m->lowered->outputs.count; i++) {
    const LoweredOutput *output = &m->lowered->outputs.data[i];
    if (!output->is_whole && !output->tensor->is_read) python_expression(&m->py, output->shape, PY_ANY);
  }
  m->py.body = body;
}

static const char *function_name(Module *m) {
  return python_fresh(&m->py, m->p->kernel && *m->p->kernel ? m->p->kernel : "kernel", 0);
}

void python_module(const Pointwise *p, const EmitHeader *header, const Framework *framework, Text *out) {
  Arena *arena = p->tt->arena;
  Module *m = arena_new(arena, Module);
  m->p = p, m->lowered = lower_pointwise(p, (LowerTarget){framework->multiplies_integers,
                                                          .is_strict = framework->calls[CALL_REAL] != NULL,
                                                          .truncates = framework->calls[CALL_TRUNCDIV] != NULL});
  m->sizes[0] = text_new(arena), m->sizes[1] = text_new(arena), m->shapes = text_new(arena);
  Text statements = text_new(arena), conversions = text_new(arena);
  m->py = (Python){.framework = framework,
                   .tt = p->tt,
                   .arena = arena,
                   .program = &m->lowered->program,
                   .body = &statements,
                   .indent = 1};
  const char *function = function_name(m);
  refuse_opaque(m);
  for (uint32_t i = 0; i < m->lowered->outputs.count; i++) {
    const LoweredOutput *output = &m->lowered->outputs.data[i];
    python_count_uses(&m->py, output->value);
    if (!output->is_whole && !output->tensor->is_read)
      python_count_uses(&m->py, output->shape); /* of the zeros it starts from */
  }
  collect_keywords(m);
  find_given(m);
  find_sizes(m);
  name_shapes(m);
  print_results(m);
  m->py.body = &conversions;
  print_conversions(m);
  text_format(out, "\"\"\"%s, lifted by Assay.\"\"\"\n%s\n\n\n", p->kernel, framework->import);
  if (framework->decorator && (m->py.may_warn || !framework->is_only_for_warnings))
    text_format(out, "%s\n", framework->decorator);
  print_signature(m, function, out);
  print_docstring(m, header, out);
  if (framework->calls[CALL_PROMOTE]) print_types(m, text_string(&statements), text_string(&conversions), out);
  text_add(out, text_string(&conversions));
  text_add(out, text_string(&statements));
  python_helpers(&m->py, out);
}
