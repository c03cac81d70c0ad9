/* Gemmini: a C function for its RISC-V host that calls the matrix unit.
 *
 * Elements are elem_t (8 bits), results acc_t (32 bits). What the unit does exactly is C = A * B + D with results of
 * full width (full_C). So an output is a sum of parts: an array times a number is a product with a matrix of one
 * element, a sum over products of two arrays is a product of matrices, one over an array alone a product with ones;
 * each part adds to what the parts before it left. Everything else, which would be plain C on the host, is refused:
 * `--emit c` has it. */
#include <string.h>

#include "emit/loop.h"

enum { PARTS = 16 };

typedef struct Gemmini {
  Loop loop;
  TermTable *tt;
  const PointwiseOutput *output;
  Term extent[2]; /* of the output, as a matrix */
  Text ranges;    /* numbers that have to fit elem_t */
  bool uses_ones;
} Gemmini;

/* coefficient * factor, where the factor reads memory; 0: a number alone. */
typedef struct Part {
  Term coefficient, factor;
} Part;

/* An array as a matrix: where it begins, and the steps of its index symbols. */
typedef struct Matrix {
  const char *start;
  const char *step[3]; /* of the first and second index of the output, of the summed one; NULL: it does not have it */
} Matrix;

static _Noreturn void refuse(Gemmini *w, const char *what) { loop_give_up(&w->loop, what); }

#define FORMAT(...) arena_format(w->loop.arena, __VA_ARGS__)
#define LINE(...) loop_line(&w->loop, FORMAT(__VA_ARGS__))

/* ---- the parts of a value ---- */

/* True if t is made of arguments alone. */
static bool is_number(Gemmini *w, Term t) {
  if (term_node(w->tt, t)->flags & (TERM_HAS_READ | TERM_HAS_FOLD | TERM_HAS_OPAQUE)) return false;
  for (uint32_t i = 0; i < w->output->rank; i++)
    if (term_has_symbol(w->tt, t, w->output->index[i])) return false;
  return true;
}

static const char *what_it_is(Gemmini *w, Term t) {
  Term a, b;
  if (term_is_truncdiv(w->tt, t, &a, &b)) return "division";
  TermKind kind = term_kind(w->tt, t);
  if (kind == TERM_FLOORDIV) return "division";
  if (kind == TERM_SELECT) return "choice by a condition";
  if (term_kind_is_extremum(kind)) return "maximum or minimum of elements";
  if (kind == TERM_FOLD) return "reduction but sums";
  if (kind == TERM_OPAQUE) return "functions that are arguments";
  if (kind == TERM_RECUR) return "recurrences";
  if (kind == TERM_MUL) return "product of elements one by one";
  if (kind == TERM_SYM) return "values made of indices";
  return "such operation on elements";
}

static void add_part(Gemmini *w, Part *parts, uint32_t *count, Term coefficient, Term factor) {
  for (uint32_t i = 0; i < *count; i++)
    if (parts[i].factor == factor) {
      parts[i].coefficient = term_add(w->tt, parts[i].coefficient, coefficient);
      return;
    }
  if (*count == PARTS) refuse(w, "sums of that many parts");
  parts[(*count)++] = (Part){coefficient, factor};
}

/* k * t: numbers and one factor. */
static void split_product(Gemmini *w, Part *parts, uint32_t *count, Term k, Term t) {
  TermTable *tt = w->tt;
  Term factor = 0;
  if (is_number(w, t)) {
    add_part(w, parts, count, term_mul(tt, k, t), 0);
    return;
  }
  uint32_t n = term_kind(tt, t) == TERM_MUL ? term_count(tt, t) : 0;
  for (uint32_t i = 0; i < n; i += 2) {
    Term base = term_power(tt, term_arg(tt, t, i), term_rat(tt, term_arg(tt, t, i + 1)));
    if (is_number(w, base))
      k = term_mul(tt, k, base);
    else if (factor)
      refuse(w, "product of elements one by one");
    else
      factor = base;
  }
  if (!n) factor = t;
  bool is_sum = term_kind(tt, factor) == TERM_FOLD && term_aux(tt, factor) == FOLD_SUM;
  if (term_kind(tt, factor) != TERM_READ && !is_sum) refuse(w, what_it_is(w, factor));
  add_part(w, parts, count, k, factor);
}

static uint32_t split(Gemmini *w, Term value, Part *parts) {
  TermTable *tt = w->tt;
  uint32_t count = 0;
  if (term_kind(tt, value) != TERM_ADD) split_product(w, parts, &count, tt->one, value);
  for (uint32_t i = 1; term_kind(tt, value) == TERM_ADD && i < term_count(tt, value); i += 2)
    split_product(w, parts, &count, term_arg(tt, value, i), term_arg(tt, value, i + 1));
  if (term_kind(tt, value) == TERM_ADD && term_arg(tt, value, 0) != tt->zero)
    add_part(w, parts, &count, term_arg(tt, value, 0), 0);
  return count;
}

/* ---- arrays as matrices ---- */

static Term stride_of(Gemmini *w, const PointwiseTensor *t, uint32_t axis) {
  Term stride = w->tt->one;
  for (uint32_t k = axis + 1; k < t->rank; k++) stride = term_mul(w->tt, stride, t->extent[k]);
  return stride;
}

/* The read with these symbols at 0 is where it begins. */
static Matrix matrix(Gemmini *w, Term read, uint32_t n, const Term *symbols, Term first) {
  TermTable *tt = w->tt;
  const PointwiseTensor *t = pointwise_tensor(w->loop.p, term_arg(tt, read, 0));
  Term index[POINTWISE_MAX_RANK], start = tt->zero;
  Matrix m = {0};
  if (!t || term_count(tt, read) != t->rank + 1 || t->is_written) refuse(w, "read of an output");
  if (t->sort != SORT_INT || strchr("iu", t->dtype[0]) == NULL) refuse(w, "floats");
  for (uint32_t k = 0; k < t->rank; k++) {
    index[k] = term_arg(tt, read, k + 1);
    if (term_node(tt, index[k])->flags & TERM_HAS_READ) refuse(w, "place that data decides");
    for (uint32_t i = 0; i < n; i++) {
      if (!symbols[i] || !term_has_symbol(tt, index[k], symbols[i])) continue;
      Term rest = term_sub(tt, index[k], symbols[i]);
      if (m.step[i] || term_has_symbol(tt, rest, symbols[i])) refuse(w, "read along such a line");
      m.step[i] = loop_expression(&w->loop, stride_of(w, t, k));
      index[k] = i == 2 ? term_add(tt, rest, first) : rest;
    }
    start = term_add(tt, start, term_mul(tt, index[k], stride_of(w, t, k)));
  }
  const char *name = loop_name(&w->loop, t->symbol);
  m.start = start == tt->zero ? name : FORMAT("%s + %s", name, loop_expression(&w->loop, start));
  return m;
}

/* ---- products ---- */

static bool is_one(const char *text) { return !strcmp(text, "1"); }

/* C = A * B + D: lines of A along `row` and `sum`, of B along `sum` and `column`; either may be stored the other way.
 */
static void product(Gemmini *w, const char *rows, const char *columns, const char *length, const Matrix *a,
                    uint32_t row, const Matrix *b, uint32_t column, const char *out, const char *before) {
  const char *a_row = a->step[row], *a_sum = a->step[2], *b_sum = b->step[2], *b_column = b->step[column];
  bool turned_a = a_sum && !is_one(a_sum), turned_b = b_column && !is_one(b_column);
  if ((turned_a && a_row && !is_one(a_row)) || (turned_b && b_sum && !is_one(b_sum)))
    refuse(w, "matrices without a side that is contiguous");
  const char *stride_a = turned_a ? a_sum : a_row ? a_row : "1", *stride_b = turned_b ? b_column : b_sum ? b_sum : "1";
  LINE("product(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s);", rows, columns, length, a->start, stride_a,
       turned_a ? "true" : "false", b->start, stride_b, turned_b ? "true" : "false", before, out, columns);
}

/* Numbers that become elements are taken to fit. */
static const char *element(Gemmini *w, Term coefficient) {
  int64_t value;
  const char *text = loop_expression(&w->loop, coefficient);
  if (term_is_int(w->tt, coefficient, &value)) {
    if (value < -128 || value > 127) refuse(w, "factor of more than 8 bits");
  } else {
    text_format(&w->ranges, ", %s", term_text(w->tt, coefficient));
  }
  const char *name = loop_fresh(&w->loop, "factor");
  LINE("const elem_t %s = (elem_t)(%s);", name, text);
  return FORMAT("&%s", name);
}

/* An array times a number: in one line if it is stored as the output is, else row by row. */
static void scaled(Gemmini *w, const Part *part, const char *out, bool *has_begun) {
  TermTable *tt = w->tt;
  const PointwiseOutput *o = w->output;
  const PointwiseTensor *from = pointwise_tensor(w->loop.p, term_arg(tt, part->factor, 0));
  const PointwiseTensor *to = &w->loop.p->tensors.data[o->tensor];
  bool same = from && from->rank == o->rank;
  for (uint32_t k = 0; k < o->rank && same; k++)
    same = term_arg(tt, part->factor, k + 1) == o->index[k] && (!k || from->extent[k] == to->extent[k]);
  const char *before = *has_begun ? out : "NULL";
  Matrix one = {.start = element(w, part->coefficient), .step = {NULL, NULL, "1"}};
  const char *i = loop_expression(&w->loop, w->extent[0]), *j = loop_expression(&w->loop, w->extent[1]);
  if (same || o->rank < 2) {
    Matrix line = matrix(w, part->factor, o->rank == 1, o->index, 0);
    if (same) line = (Matrix){.start = loop_name(&w->loop, from->symbol), .step = {"1"}};
    if (!line.step[0] && o->rank) refuse(w, "one element for many");
    const char *count =
        o->rank < 2 ? i : FORMAT("%s * %s", loop_factor_text(&w->loop, i), loop_factor_text(&w->loop, j));
    product(w, count, "1", "1", &line, 0, &one, 1, out, before);
  } else {
    const char *row = loop_name(&w->loop, o->index[0]);
    LINE("for (int64_t %s = 0; %s < %s; %s++) {", row, row, loop_factor_text(&w->loop, i), row);
    w->loop.indent++;
    Matrix line = matrix(w, part->factor, 1, &o->index[1], 0);
    if (!line.step[0]) refuse(w, "one element for many");
    const char *at = FORMAT("%s + %s * %s", out, row, loop_factor_text(&w->loop, j));
    product(w, j, "1", "1", &line, 0, &one, 1, at, *has_begun ? at : "NULL");
    w->loop.indent--;
    LINE("}");
  }
  *has_begun = true;
}

/* A sum over an array, or over products of two. */
static void contraction(Gemmini *w, const Part *part, const char *out, bool *has_begun) {
  TermTable *tt = w->tt;
  FoldParts f = term_fold_open(tt, part->factor);
  Term reads[2] = {0}, symbols[3] = {0, 0, f.symbol};
  uint32_t count = 0;
  if (part->coefficient != tt->one) refuse(w, "number times a sum");
  if (f.guard != tt->true_) refuse(w, "sum under a condition");
  uint32_t n = term_kind(tt, f.body) == TERM_MUL ? term_count(tt, f.body) : 0;
  for (uint32_t i = 0; i < n; i += 2)
    for (Int128 e = 0; e < term_rat(tt, term_arg(tt, f.body, i + 1)).num; e++) {
      if (count == 2) refuse(w, "sum of products of three");
      reads[count++] = term_arg(tt, f.body, i);
    }
  if (!n) reads[count++] = f.body;
  for (uint32_t i = 0; i < w->output->rank; i++) symbols[i] = w->output->index[i];
  Matrix m[2] = {{0}};
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind(tt, reads[i]) != TERM_READ) refuse(w, what_it_is(w, reads[i]));
    m[i] = matrix(w, reads[i], 3, symbols, f.lo);
    if (!m[i].step[2]) refuse(w, "sum over one element");
  }
  const char *length = loop_expression(&w->loop, term_sub(tt, f.hi, f.lo));
  if (count == 1) {
    w->uses_ones = true;
    const char *ones = loop_fresh(&w->loop, "ones");
    LINE("elem_t *%s = all_ones(%s);", ones, length);
    m[1] = (Matrix){.start = ones, .step = {NULL, NULL, "1"}};
  }
  if (!m[0].step[0] && m[1].step[0]) { /* rows belong to the left one */
    Matrix other = m[0];
    m[0] = m[1], m[1] = other;
  }
  if (m[1].step[0] || m[0].step[1] || (w->output->rank > 0 && !m[0].step[0]) || (w->output->rank > 1 && !m[1].step[1]))
    refuse(w, "such sum of products");
  product(w, loop_expression(&w->loop, w->extent[0]), loop_expression(&w->loop, w->extent[1]), length, &m[0], 0, &m[1],
          1, out, *has_begun ? out : "NULL");
  if (count == 1) LINE("free(%s);", m[1].start);
  *has_begun = true;
}

/* ---- the function ---- */

static void write_output(Gemmini *w, const PointwiseOutput *output) {
  TermTable *tt = w->tt;
  const PointwiseTensor *t = &w->loop.p->tensors.data[output->tensor];
  const char *out = loop_name(&w->loop, t->symbol);
  Part parts[PARTS];
  bool has_begun = false;
  if (output->scatter || output->pieces.count != 1 || output->pieces.data[0].region != tt->true_ ||
      output->pieces.data[0].accumulate)
    refuse(w, "output of which a part is written");
  if (output->rank > 2) refuse(w, "output of more than two axes");
  if (strcmp(t->dtype, "i32")) refuse(w, FORMAT("result of the type %s", t->dtype));
  w->output = output;
  for (uint32_t k = 0; k < 2; k++) w->extent[k] = k < output->rank ? t->extent[k] : tt->one;
  uint32_t count = split(w, output->pieces.data[0].value, parts), arrays = 0;
  for (uint32_t i = 0; i < count; i++) { /* the bias first */
    arrays += parts[i].factor != 0;
    if (parts[i].factor) continue;
    const char *all = loop_factor_text(&w->loop, loop_expression(&w->loop, term_mul(tt, w->extent[0], w->extent[1])));
    LINE("for (int64_t i = 0; i < %s; i++) %s[i] = (acc_t)(%s);", all, out,
         loop_expression(&w->loop, parts[i].coefficient));
    has_begun = true;
  }
  if (!arrays) refuse(w, "work for the matrix unit in it");
  for (uint32_t i = 0; i < count; i++)
    if (parts[i].factor && term_kind(tt, parts[i].factor) == TERM_READ)
      scaled(w, &parts[i], out, &has_begun);
    else if (parts[i].factor)
      contraction(w, &parts[i], out, &has_begun);
}

static const char *parameters(Gemmini *w) {
  const Pointwise *p = w->loop.p;
  const char *body = text_string(w->loop.body);
  Text list = text_new(w->loop.arena);
  for (uint32_t i = 0; i < w->tt->symbols.count; i++) {
    const Symbol *s = &w->tt->symbols.data[i];
    bool size = (s->role == SYMBOL_SIZE || s->role == SYMBOL_GRID) && !loop_is_scalar(&w->loop, s->term) &&
                loop_uses(&w->loop, s->term);
    if (size && loop_has_word(body, loop_name(&w->loop, s->term)))
      text_format(&list, "int64_t %s, ", loop_name(&w->loop, s->term));
  }
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (loop_has_word(body, loop_name(&w->loop, p->scalars.data[i].symbol)))
      text_format(&list, "int64_t %s, ", loop_name(&w->loop, p->scalars.data[i].symbol));
  bool some = false;
  for (int written = 0; written < 2; written++)
    for (uint32_t i = 0; i < p->tensors.count; i++) {
      const char *name = loop_name(&w->loop, p->tensors.data[i].symbol);
      if (p->tensors.data[i].is_written != written || !loop_has_word(body, name)) continue;
      text_format(&list, "%s%s *%s", some ? ", " : "", written ? "acc_t" : "const elem_t", name);
      some = true;
    }
  return text_string(&list);
}

/* What the elements of each array, and the numbers that become elements, are taken to fit. */
static const char *range_note(Gemmini *w) {
  Text text = text_new(w->loop.arena);
  for (uint32_t i = 0; i < w->loop.p->tensors.count; i++) {
    const PointwiseTensor *t = &w->loop.p->tensors.data[i];
    if (!t->is_written && loop_uses(&w->loop, t->symbol)) text_format(&text, ", %s", loop_name(&w->loop, t->symbol));
  }
  text_add(&text, text_string(&w->ranges));
  return FORMAT(" *   range: -128 <= %s <= 127, each element and number: elem_t has 8 bits\n", text_string(&text) + 2);
}

static const char unit[] =
    "/* C = A * B + D in 32 bits; A has `rows` rows, B `columns` columns, and either may be stored transposed. */\n"
    "static void product(int64_t rows, int64_t columns, int64_t length, const elem_t *A, int64_t stride_A, bool "
    "turned_A,\n"
    "                    const elem_t *B, int64_t stride_B, bool turned_B, const acc_t *D, acc_t *C, int64_t stride_C) "
    "{\n"
    "  if (rows <= 0 || columns <= 0) return;\n"
    "  for (int64_t i = 0; length <= 0 && !D && i < rows * columns; i++) C[i] = 0; /* the sum of nothing */\n"
    "  if (length <= 0) return;\n"
    "  tiled_matmul_auto((size_t)rows, (size_t)columns, (size_t)length, A, B, D, C, (size_t)stride_A, "
    "(size_t)stride_B,\n"
    "                    (size_t)stride_C, (size_t)stride_C, MVIN_SCALE_IDENTITY, MVIN_SCALE_IDENTITY, "
    "MVIN_SCALE_IDENTITY,\n"
    "                    NO_ACTIVATION, ACC_SCALE_IDENTITY, 0, false, turned_A, turned_B, true, false, 0, WS);\n"
    "}\n\n";
static const char ones[] = "static elem_t *all_ones(int64_t count) {\n"
                           "  elem_t *ones = malloc(count > 0 ? (size_t)count * sizeof(elem_t) : 1);\n"
                           "  if (!ones) abort();\n"
                           "  for (int64_t i = 0; i < count; i++) ones[i] = 1;\n"
                           "  return ones;\n"
                           "}\n\n";

void emit_gemmini(const Pointwise *p, const EmitHeader *header, Text *out) {
  Arena *arena = p->tt->arena;
  Text body = text_new(arena);
  Gemmini *w = arena_new(arena, Gemmini);
  *w = (Gemmini){.loop = {.target = "Gemmini", .arena = arena, .tt = p->tt, .p = p, .body = &body, .indent = 1},
                 .tt = p->tt,
                 .ranges = text_new(arena)};
  const char *function = loop_identifier(&w->loop, p->kernel);
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    if (!p->outputs.data[i].pieces.count) refuse(w, "output that nothing writes");
    write_output(w, &p->outputs.data[i]);
  }
  const char *list = parameters(w);
  loop_comment(&w->loop, header, FORMAT("void %s(%s);", function, list), range_note(w), out);
  text_add(out, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n\n"
                "#include \"include/gemmini_params.h\"\n#include \"include/gemmini.h\"\n\n");
  loop_helpers(text_string(&body), out);
  text_format(out, "%s%svoid %s(%s) {\n%s}\n", unit, w->uses_ones ? ones : "", function, list, text_string(&body));
}
