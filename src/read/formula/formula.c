/* Reader of formulas (docs/formula.md).
 *
 *   file        := { line NEWLINE }
 *   line        := "pointwise" NAME | "formula" NAME
 *                | "tensor" NAME ":" dtype "[" extents "]" [ "strides" "[" strides "]" ]
 *                | "scalar" NAME ":" dtype [ "," range ]  |  "size" NAME [ ":" range ]  |  "assume" condition
 *                | "let" NAME [ "(" names ")" ] "=" value
 *                | "opaque" NAME ":" ( "real" | "int" | "bool" )
 *                | NAME "[" indices "]" pieces            element by element
 *                | NAME [ "[" shape "]" ] "=" formula [ "for" names ":" region ]     tensor form, or an output of rank
 * 0 in a pointwise file pieces      := assign value [ "for" region ] { ";" assign value [ "for" region ] } assign :=
 * "=" | "+=" | "*=" | "max=" | "min=" | "|=" | "&=" | "^=" range       := term "<=" NAME [ "<=" term ] | NAME "<=" term
 *
 * Lines are cut out of the tokens; what stands in them is parsed as expressions of Python and becomes terms by
 * formula_term.c. Declarations come first in effect: all of them are read before any range, ranges before extents, and
 * these before any output. What stands in the brackets of a declared output tells the forms apart: its extents, or
 * names for its indices. */
#include "read/formula/formula.h"

#include <string.h>

#include "read/formula/formula_term.h"
#include "read/python/python_lexer.h"

typedef struct Line {
  const PyToken *tokens;
  uint32_t count;
} Line;

typedef struct File {
  FormulaTerms terms;
  const Source *source;
  Formula *out;
  PyTokens tokens;
  Array(Line) lines;
  bool is_pointwise; /* said in the first line */
} File;

static bool token_is(const File *f, const PyToken *t, const char *text) {
  size_t n = strlen(text);
  return t->span.end - t->span.begin == n && !memcmp(f->source->text + t->span.begin, text, n);
}

static const char *token_text(const File *f, const PyToken *t) {
  return arena_copy(f->terms.arena, f->source->text + t->span.begin, t->span.end - t->span.begin);
}

static void complain(File *f, Span span, const char *help, const char *message) {
  diagnostic_add(f->terms.diagnostics, SEVERITY_ERROR, "formula.line", f->source, span, help, "%s", message);
}

/* ---- lines ---- */

static void split_lines(File *f) {
  uint32_t begin = 0;
  for (uint32_t i = 0; i < f->tokens.count; i++) {
    PyTokenKind kind = f->tokens.data[i].kind;
    bool is_end = kind == PY_TOKEN_NEWLINE || kind == PY_TOKEN_END;
    if (!is_end && kind != PY_TOKEN_INDENT && kind != PY_TOKEN_DEDENT) continue;
    Line line = {f->tokens.data + begin, i - begin};
    if (line.count) array_push(f->terms.arena, &f->lines, line);
    begin = i + 1;
  }
}

static bool is_declaration(const File *f, const Line *line, const char *word) {
  return line->count >= 2 && line->tokens[0].kind == PY_TOKEN_NAME && token_is(f, &line->tokens[0], word) &&
         line->tokens[1].kind == PY_TOKEN_NAME &&
         (line->count == 2 || !strchr("=[", f->source->text[line->tokens[2].span.begin]));
}

static Span span_between(const Line *line, uint32_t begin, uint32_t end) {
  if (begin >= end)
    return (Span){line->tokens[begin ? begin - 1 : 0].span.end, line->tokens[begin ? begin - 1 : 0].span.end};
  return (Span){line->tokens[begin].span.begin, line->tokens[end - 1].span.end};
}

/* The token after the bracket that opens at `at`. */
static uint32_t after_bracket(const File *f, const Line *line, uint32_t at) {
  uint32_t depth = 0;
  for (; at < line->count; at++) {
    char c = f->source->text[line->tokens[at].span.begin];
    if (strchr("([{", c)) depth++;
    if (strchr(")]}", c) && !--depth) return at + 1;
  }
  return at;
}

static const PyNode *parse(File *f, Span span) {
  return python_parse_expression(f->terms.arena, f->source, span, f->terms.diagnostics);
}

/* ---- declarations ---- */

static TermSort sort_of(const char *dtype) {
  return dtype[0] == 'f' || dtype[0] == 'b' || dtype[0] == 't'
             ? SORT_REAL
             : SORT_INT; /* f32, bf16, tf32; i1 is read as an integer */
}

static bool is_known_dtype(const char *dtype) {
  static const char *const known[] = {"f64", "f32", "f16",   "bf16", "tf32", "f8E5M2", "f8E4M3FN", "i1",   "i8", "i16",
                                      "i32", "i64", "index", "u8",   "u16",  "u32",    "u64",      "f128", "f80"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i], dtype)) return true;
  size_t digits = strspn(dtype + 1, "0123456789"); /* others of MLIR: i24, f8E4M3B11FNUZ */
  return digits && ((dtype[0] == 'i' && !dtype[1 + digits]) || (dtype[0] == 'f' && dtype[1 + digits] == 'E'));
}

/* NAME ":" dtype; false after a message. */
static bool read_typed_name(File *f, const Line *line, const char **name, const char **dtype) {
  *name = token_text(f, &line->tokens[1]);
  if (line->count < 4 || !token_is(f, &line->tokens[2], ":") || line->tokens[3].kind != PY_TOKEN_NAME) {
    complain(f, span_between(line, 0, line->count), "write `tensor x: f32[n, m]` or `scalar eps: f32`",
             "this declaration has no type");
    return false;
  }
  *dtype = token_text(f, &line->tokens[3]);
  if (!is_known_dtype(*dtype))
    complain(f, line->tokens[3].span, "f64, f32, f16, bf16, i64, i32, i16, i8, i1", "this is no element type");
  if (formula_find_tensor(&f->terms, *name) || formula_find_scalar(&f->terms, *name, NULL)) {
    complain(f, line->tokens[1].span, NULL, "declared twice");
    return false;
  }
  return true;
}

/* "opaque" NAME ":" sort. The name is that of a symbol elsewhere, and may have dots. */
static void declare_opaque(File *f, const Line *line) {
  static const struct {
    const char *name;
    TermSort sort;
  } sorts[] = {{"real", SORT_REAL}, {"int", SORT_INT}, {"bool", SORT_BOOL}};
  const PyToken *last = &line->tokens[line->count - 1];
  for (size_t i = 0; line->count > 3 && token_is(f, last - 1, ":") && i < sizeof sorts / sizeof *sorts; i++) {
    if (!token_is(f, last, sorts[i].name)) continue;
    Span name = span_between(line, 1, line->count - 2);
    FormulaOpaque opaque = {arena_copy(f->terms.arena, f->source->text + name.begin, name.end - name.begin),
                            sorts[i].sort};
    array_push(f->terms.arena, &f->terms.opaques, opaque);
    return;
  }
  complain(f, span_between(line, 0, line->count), "write `opaque f: real`, or int, or bool",
           "this declaration has no sort");
}

static void declare(File *f, const Line *line) {
  const char *name, *dtype;
  TermTable *tt = f->terms.tt;
  if (is_declaration(f, line, "pointwise") || is_declaration(f, line, "formula")) {
    f->is_pointwise = token_is(f, &line->tokens[0], "pointwise");
    f->out->pointwise->is_in_tensor_form = !f->is_pointwise;
    f->out->kernel = token_text(f, &line->tokens[1]);
  } else if (is_declaration(f, line, "tensor") && read_typed_name(f, line, &name, &dtype)) {
    formula_add_tensor(&f->terms, name, dtype, sort_of(dtype), 0);
    f->out->declared++;
  } else if (is_declaration(f, line, "scalar") && read_typed_name(f, line, &name, &dtype)) {
    Term symbol = term_symbol_new(tt, intern_text(tt->names, name), sort_of(dtype),
                                  sort_of(dtype) == SORT_REAL ? SYMBOL_SCALAR : SYMBOL_SIZE);
    formula_add_scalar(&f->terms, symbol, name, dtype);
    f->out->declared++;
  } else if (is_declaration(f, line, "opaque")) {
    declare_opaque(f, line);
  } else if (is_declaration(f, line, "size")) {
    name = token_text(f, &line->tokens[1]);
    if (formula_find_scalar(&f->terms, name, NULL))
      complain(f, line->tokens[1].span, NULL, "declared twice");
    else
      array_push(f->terms.arena, &f->out->pointwise->sizes, formula_add_size(&f->terms, name, false));
  }
}

/* An extent, a stride, an end of a range; 0 after a message. A condition is none of these, nor is a real number. */
static Term read_integer(File *f, const PyNode *syntax) {
  Term term = formula_term(&f->terms, syntax, true);
  if (!term || term_sort(f->terms.tt, term) == SORT_INT) return term;
  complain(f, syntax->span, NULL, "expected an integer");
  return 0;
}

static void read_extents(File *f, const Line *line, PointwiseTensor *t, bool strides, uint32_t at) {
  Span span = span_between(line, at, after_bracket(f, line, at));
  const PyNode *list = parse(f, span);
  if (!list) return;
  if (list->kind != PY_LIST || list->count > POINTWISE_MAX_RANK || (strides && list->count != t->rank)) {
    complain(f, span, NULL, strides ? "as many strides as extents are expected" : "expected a list of extents");
    return;
  }
  t->rank = list->count;
  for (uint32_t k = 0; k < list->count; k++) {
    Term term = read_integer(f, list->args[k]);
    if (!term) return;
    if (strides)
      t->stride[k] = term;
    else
      t->extent[k] = term, t->dim_name[k] = term_text(f->terms.tt, term);
  }
}

static void row_major(TermTable *tt, PointwiseTensor *t) {
  Term stride = tt->one;
  for (uint32_t k = t->rank; k-- > 0; stride = term_mul(tt, stride, t->extent[k] ? t->extent[k] : tt->one))
    t->stride[k] = stride;
}

static void assume(File *f, Span span, FormulaAssumption a) {
  a.text = arena_copy(f->terms.arena, f->source->text + span.begin, span.end - span.begin);
  array_push(f->terms.arena, &f->out->assumed, a);
}

/* range := term "<=" NAME ["<=" term] | NAME "<=" term */
static void read_range(File *f, const Line *line, uint32_t at, const char *name) {
  const PyNode *range = at < line->count ? parse(f, span_between(line, at, line->count)) : NULL;
  if (!range) return;
  uint32_t place = UINT32_MAX;
  for (uint32_t i = 0; range->kind == PY_COMPARE && i < range->count; i++) {
    if (i + 1 < range->count && strcmp(range->ops[i], "<=")) place = UINT32_MAX - 1;
    if (range->args[i]->kind == PY_NAME && !strcmp(range->args[i]->text, name) && place == UINT32_MAX) place = i;
  }
  if (place > 1 || range->count > 3 || (range->count == 3 && place != 1)) {
    complain(f, range->span, "write `1 <= n <= 1024`", "expected a range");
    return;
  }
  Term symbol = formula_find_scalar(&f->terms, name, NULL);
  if (!symbol) return; /* its declaration was reported */
  Term lo = place == 1 ? read_integer(f, range->args[0]) : 0;
  Term hi = place + 1 < range->count ? read_integer(f, range->args[place + 1]) : 0;
  assume(f, range->span, (FormulaAssumption){.symbol = symbol, .lo = lo, .hi = hi});
  term_symbol_range(f->terms.tt, symbol, lo, hi);
}

/* What a declaration says beside the name: ranges first, as the extents that divide by a size depend on them. */
static void read_own_range(File *f, const Line *line) {
  if (is_declaration(f, line, "scalar") && line->count > 5)
    read_range(f, line, 5, token_text(f, &line->tokens[1]));
  else if (is_declaration(f, line, "size") && line->count > 3)
    read_range(f, line, 3, token_text(f, &line->tokens[1]));
}

static void read_own_extents(File *f, const Line *line) {
  if (!is_declaration(f, line, "tensor") || line->count < 5) return;
  PointwiseTensor *t = formula_find_tensor(&f->terms, token_text(f, &line->tokens[1]));
  if (!t) return;
  read_extents(f, line, t, false, 4);
  row_major(f->terms.tt, t);
  uint32_t next = after_bracket(f, line, 4);
  if (next + 1 < line->count && token_is(f, &line->tokens[next], "strides"))
    read_extents(f, line, t, true, next + 1);
  else if (next < line->count)
    complain(f, span_between(line, next, line->count), NULL, "expected `strides [...]` or the end of the line");
}

static void read_assumption(File *f, const Line *line) {
  if (line->count < 2 || line->tokens[0].kind != PY_TOKEN_NAME || !token_is(f, &line->tokens[0], "assume") ||
      (line->tokens[1].kind == PY_TOKEN_OPERATOR && strchr("=[", f->source->text[line->tokens[1].span.begin])))
    return;
  const PyNode *syntax = parse(f, span_between(line, 1, line->count));
  Term condition = syntax ? formula_term(&f->terms, syntax, true) : 0;
  if (condition && term_sort(f->terms.tt, condition) == SORT_BOOL) {
    assume(f, syntax->span, (FormulaAssumption){.condition = condition});
    term_push_fact(f->terms.tt, condition);
  } else if (condition)
    complain(f, syntax->span, NULL, "expected a condition");
}

/* ---- named parts ---- */

static bool is_let(const File *f, const Line *line) {
  return line->count > 3 && line->tokens[0].kind == PY_TOKEN_NAME && token_is(f, &line->tokens[0], "let") &&
         line->tokens[1].kind == PY_TOKEN_NAME && !token_is(f, &line->tokens[1], "max") &&
         !token_is(f, &line->tokens[1], "min"); /* let max= ... is an output of that name */
}

static void read_let(File *f, const Line *line) {
  FormulaLet let = {.name = token_text(f, &line->tokens[1])};
  bool brackets = token_is(f, &line->tokens[2], "(");
  uint32_t at = brackets ? after_bracket(f, line, 2) : 2;
  for (uint32_t i = 3; brackets && i + 1 < at; i += 2) {
    if (line->tokens[i].kind != PY_TOKEN_NAME || (i + 2 < at && !token_is(f, &line->tokens[i + 1], ","))) {
      complain(f, line->tokens[i].span, NULL, "the parameters of a part are names");
      return;
    }
    array_push(f->terms.arena, &let.parameters, token_text(f, &line->tokens[i]));
  }
  if (at + 1 >= line->count || !token_is(f, &line->tokens[at], "=")) {
    complain(f, span_between(line, 0, line->count), "write `let t = exp(x)`, or `let t(i) = exp(x[i])`",
             "this part has no value");
    return;
  }
  for (uint32_t i = 0; i < f->out->lets.count; i++)
    if (!strcmp(f->out->lets.data[i].name, let.name)) {
      complain(f, line->tokens[1].span, NULL, "named twice");
      return;
    }
  let.value = parse(f, span_between(line, at + 1, line->count));
  if (let.value) array_push(f->terms.arena, &f->out->lets, let);
}

static bool is_other_line(const File *f, const Line *line) {
  bool assume = token_is(f, &line->tokens[0], "assume") && line->count > 1 &&
                !strchr("=[", f->source->text[line->tokens[1].span.begin]);
  return assume || is_let(f, line) || is_declaration(f, line, "pointwise") || is_declaration(f, line, "formula") ||
         is_declaration(f, line, "tensor") || is_declaration(f, line, "scalar") || is_declaration(f, line, "size") ||
         is_declaration(f, line, "opaque");
}

/* ---- outputs ---- */

/* "=" 0, "+=" 1, ...; -1 if there is none at `at`. *next: the token after it. */
static int read_assign(const File *f, const Line *line, uint32_t at, uint32_t *next) {
  static const char *const assigns[] = {"=", "+=", "*=", NULL, NULL, "|=", "&=", "^="};
  for (int i = 0; i < 8; i++)
    if (assigns[i] && at < line->count && token_is(f, &line->tokens[at], assigns[i])) {
      *next = at + 1;
      return i;
    }
  bool is_word = at + 1 < line->count && token_is(f, &line->tokens[at + 1], "=");
  *next = at + 2;
  if (is_word && token_is(f, &line->tokens[at], "max")) return 3;
  if (is_word && token_is(f, &line->tokens[at], "min")) return 4;
  /* the lexer takes "^" and "=" apart */
  if (is_word && token_is(f, &line->tokens[at], "^")) return 7;
  return -1;
}

/* The next token at depth 0 that is `word`, from `at`; the count if there is none. */
static uint32_t find_word(const File *f, const Line *line, uint32_t at, const char *word) {
  int depth = 0;
  for (; at < line->count; at++) {
    char c = f->source->text[line->tokens[at].span.begin];
    if (strchr("([{", c)) depth++;
    if (strchr(")]}", c)) depth--;
    if (!depth && token_is(f, &line->tokens[at], word)) return at;
  }
  return at;
}

static bool read_piece(File *f, const Line *line, uint32_t begin, uint32_t end, PointwisePiece *piece) {
  uint32_t at;
  int assign = read_assign(f, line, begin, &at);
  if (assign < 0) {
    complain(f, begin < line->count ? line->tokens[begin].span : span_between(line, begin, begin), NULL,
             "expected '=' or '+=', '*=', 'max=', 'min=', '|=', '&=', '^='");
    return false;
  }
  uint32_t region = find_word(f, line, at, "for");
  if (region > end) region = end;
  const PyNode *value = parse(f, span_between(line, at, region));
  const PyNode *where = region < end ? parse(f, span_between(line, region + 1, end)) : NULL;
  if (!value || (region < end && !where)) return false;
  *piece = (PointwisePiece){.region = where ? formula_term(&f->terms, where, true) : f->terms.tt->true_,
                            .accumulate = assign};
  TermTable *tt = f->terms.tt;
  if (piece->region && term_sort(tt, piece->region) == SORT_BOOL && piece->region != tt->true_)
    tt->made_under = piece->region;
  piece->value = formula_term(&f->terms, value, false);
  tt->made_under = 0;
  if (piece->region && term_sort(f->terms.tt, piece->region) != SORT_BOOL) {
    complain(f, where->span, NULL, "expected a condition");
    return false;
  }
  return piece->region && piece->value;
}

/* The names in the brackets become index symbols. */
static bool read_indices(File *f, const Line *line, uint32_t end, PointwiseOutput *output, const char **names) {
  TermTable *tt = f->terms.tt;
  for (uint32_t i = 2; i + 1 < end; i += 2) {
    bool good = line->tokens[i].kind == PY_TOKEN_NAME && (i + 2 == end || token_is(f, &line->tokens[i + 1], ","));
    if (!good || output->rank == POINTWISE_MAX_RANK) {
      complain(f, line->tokens[i].span, "the indices of an output are names: y[i, j] = ...",
               "expected the name of an index");
      return false;
    }
    names[output->rank] = token_text(f, &line->tokens[i]);
    Term index = term_symbol_new(tt, intern_text(tt->names, names[output->rank]), SORT_INT, SYMBOL_INDEX);
    term_symbol(tt, index)->axis = output->rank;
    output->index[output->rank++] = index;
  }
  return true;
}

static void read_output(File *f, const Line *line) {
  TermTable *tt = f->terms.tt;
  bool brackets = line->count > 1 && token_is(f, &line->tokens[1], "[");
  uint32_t at = brackets ? after_bracket(f, line, 1) : 1;
  PointwiseOutput output = {0};
  const char *name = token_text(f, &line->tokens[0]), *names[POINTWISE_MAX_RANK];
  if (brackets && !read_indices(f, line, at, &output, names)) return;
  PointwiseTensor *t = formula_find_tensor(&f->terms, name);
  if (!t) {
    formula_add_tensor(&f->terms, name, "f32", SORT_REAL, output.rank);
    t = formula_find_tensor(&f->terms, name);
  }
  if (t->rank != output.rank) {
    complain(f, span_between(line, 0, at), NULL, arena_format(f->terms.arena, "%s has rank %u", name, t->rank));
    return;
  }
  t->is_written = true;
  output.tensor = (uint32_t)(t - f->out->pointwise->tensors.data);
  uint32_t bound = f->terms.bounds.count;
  for (uint32_t k = 0; k < output.rank; k++) {
    term_symbol_range(tt, output.index[k], tt->zero, term_sub(tt, t->extent[k], tt->one));
    array_push(f->terms.arena, &f->terms.bounds, (FormulaBound){names[k], output.index[k]});
  }
  while (at < line->count) {
    uint32_t end = find_word(f, line, at, ";");
    PointwisePiece piece;
    if (!read_piece(f, line, at, end, &piece)) break;
    array_push(f->terms.arena, &output.pieces, piece);
    at = end + 1;
  }
  f->terms.bounds.count = bound;
  array_push(f->terms.arena, &f->out->pointwise->outputs, output);
}

/* True if the value speaks of whole tensors: a tensor without indices, a slice, an argument by keyword. */
static bool is_of_tensors(File *f, const PyNode *n) {
  uint32_t first = 0;
  guard_depth(f->terms.arena->guard);
  if (n->kind == PY_SLICE || n->kind == PY_KEYWORD) return true;
  if (n->kind == PY_NAME) return formula_find_tensor(&f->terms, n->text) != NULL;
  if ((n->kind == PY_CALL || n->kind == PY_SUBSCRIPT) && n->args[0]->kind == PY_NAME) first = 1;
  for (uint32_t i = first; i < n->count; i++)
    if (is_of_tensors(f, n->args[i])) return true;
  return false;
}

/* ---- tensor form ---- */

static PointwiseTensor *find_declared(const File *f, const char *name) {
  for (uint32_t i = 0; i < f->out->own_tensors; i++)
    if (!strcmp(f->out->pointwise->tensors.data[i].name, name)) return &f->out->pointwise->tensors.data[i];
  return NULL;
}

/* Between the brackets that open at 1: the extents of t, all of them names. */
static bool is_shape_of(const File *f, const Line *line, const PointwiseTensor *t, uint32_t end) {
  if (end != 2 + 2 * t->rank) return false;
  for (uint32_t k = 0; k < t->rank; k++) {
    Term extent = t->extent[k];
    if (!extent || term_kind(f->terms.tt, extent) != TERM_SYM ||
        !token_is(f, &line->tokens[2 + 2 * k], term_name(f->terms.tt, extent)))
      return false;
  }
  return true;
}

/* `y[n, m] = ...`: true if it is in tensor form. `at`: behind the brackets. What names alone do not tell, the value
 * does. */
static bool is_tensor_form(File *f, const Line *line, uint32_t at) {
  uint32_t end = find_word(f, line, at, "for");
  if (at + 1 >= line->count || !token_is(f, &line->tokens[at], "=") || find_word(f, line, at, ";") < line->count)
    return false;
  if (end < line->count) return find_word(f, line, end, ":") < line->count;
  const PointwiseTensor *declared = find_declared(f, token_text(f, &line->tokens[0]));
  for (uint32_t i = 2; i + 1 < at; i++)
    if (line->tokens[i].kind != PY_TOKEN_NAME && !token_is(f, &line->tokens[i], ",")) return true;
  if (declared) return declared->rank && is_shape_of(f, line, declared, at);
  DiagnosticList scratch;
  diagnostic_list_init(&scratch, f->terms.arena); /* the line is read again for its errors */
  const PyNode *value =
      python_parse_expression(f->terms.arena, f->source, span_between(line, at + 1, line->count), &scratch);
  return value && is_of_tensors(f, value);
}

/* The extents in the brackets, which are those of the declaration if there is one. Where nothing is declared, nothing
 * is said. */
static bool read_line_shape(File *f, Span span, FormulaLine *out) {
  TermTable *tt = f->terms.tt;
  const PointwiseTensor *declared = find_declared(f, out->name);
  const PyNode *list = f->out->declared ? parse(f, span) : NULL;
  if (!f->out->declared) return true;
  bool good = list && list->kind == PY_LIST && list->count <= POINTWISE_MAX_RANK &&
              (!declared || list->count == declared->rank);
  for (uint32_t k = 0; good && k < list->count; k++) {
    out->extent[k] = read_integer(f, list->args[k]);
    if (!out->extent[k]) return false;
    good = !declared || (declared->extent[k] && term_sub(tt, out->extent[k], declared->extent[k]) == tt->zero);
  }
  if (list && !good)
    complain(f, span, NULL,
             declared ? arena_format(f->terms.arena, "%s is declared with another shape", out->name)
                      : "expected a list of extents");
  out->has_shape = good;
  if (good) out->rank = list->count;
  return good;
}

/* "for" i, j ":" condition */
static bool read_line_region(File *f, const Line *line, uint32_t at, FormulaLine *out) {
  TermTable *tt = f->terms.tt;
  uint32_t colon = find_word(f, line, at, ":"), bound = f->terms.bounds.count;
  const PointwiseTensor *t = formula_find_tensor(&f->terms, out->name);
  bool good = t && colon == at + (t->rank ? 2 * t->rank : 1);
  for (uint32_t k = 0; good && k < t->rank; k++) {
    const PyToken *name = &line->tokens[at + 1 + 2 * k];
    good = name->kind == PY_TOKEN_NAME && (k + 1 == t->rank || token_is(f, name + 1, ","));
    if (!good) break;
    out->index[k] = term_symbol_new(tt, intern_text(tt->names, token_text(f, name)), SORT_INT, SYMBOL_INDEX);
    term_symbol(tt, out->index[k])->axis = k;
    if (t->extent[k]) term_symbol_range(tt, out->index[k], tt->zero, term_sub(tt, t->extent[k], tt->one));
    array_push(f->terms.arena, &f->terms.bounds, (FormulaBound){token_text(f, name), out->index[k]});
  }
  if (!good) {
    complain(f, span_between(line, at, colon), "write `y[n, m] = formula for i, j: j < k`, and declare y",
             "expected the names of the indices, one for each axis");
  } else {
    const PyNode *syntax = parse(f, span_between(line, colon + 1, line->count));
    out->region = syntax ? formula_term(&f->terms, syntax, true) : 0;
    if (out->region && term_sort(tt, out->region) != SORT_BOOL) complain(f, syntax->span, NULL, "expected a condition");
    good = out->region && term_sort(tt, out->region) == SORT_BOOL;
  }
  f->terms.bounds.count = bound;
  if (good) out->rank = t->rank;
  return good;
}

/* NAME [ "[" shape "]" ] "=" formula [ "for" names ":" region ]; `at`: the "=". */
static void read_tensor_line(File *f, const Line *line, uint32_t at) {
  uint32_t end = find_word(f, line, at, "for");
  FormulaLine out = {.name = token_text(f, &line->tokens[0]),
                     .name_span = line->tokens[0].span,
                     .before = f->out->pointwise->outputs.count};
  out.value = parse(f, span_between(line, at + 1, end));
  if (!out.value || (at > 1 && !read_line_shape(f, span_between(line, 1, at), &out))) return;
  if (end < line->count && !read_line_region(f, line, end, &out)) return;
  array_push(f->terms.arena, &f->out->lines, out);
}

static void read_formula_line(File *f, const Line *line) {
  bool is_name = line->tokens[0].kind == PY_TOKEN_NAME,
       brackets = line->count > 1 && token_is(f, &line->tokens[1], "[");
  uint32_t at = brackets ? after_bracket(f, line, 1) : 1;
  if (is_name && !f->is_pointwise &&
      (brackets ? is_tensor_form(f, line, at) : line->count > 2 && token_is(f, &line->tokens[1], "=")))
    read_tensor_line(f, line, at);
  else if (is_name && (brackets || f->is_pointwise))
    read_output(f, line);
  else
    complain(f, span_between(line, 0, line->count), "write `y = exp(x)`, or element by element `y[i] = exp(x[i])`",
             "this line is no formula");
}

/* ---- files ---- */

Formula *formula_read(Arena *arena, TermTable *tt, const Source *source, const Pointwise *known,
                      DiagnosticList *diagnostics) {
  File f = {.source = source, .out = arena_new(arena, Formula)};
  uint32_t errors = diagnostics->error_count;
  f.out->pointwise = arena_new(arena, Pointwise);
  f.out->pointwise->tt = tt;
  f.terms = (FormulaTerms){.arena = arena,
                           .tt = tt,
                           .source = source,
                           .pointwise = f.out->pointwise,
                           .known = known,
                           .diagnostics = diagnostics,
                           .lets = &f.out->lets};
  python_lex(arena, source, (Span){0, (uint32_t)source->size}, true, false, &f.tokens);
  split_lines(&f);
  for (uint32_t i = 0; i < f.lines.count; i++) declare(&f, &f.lines.data[i]);
  f.out->own_tensors = f.out->pointwise->tensors.count;
  for (uint32_t i = 0; i < f.lines.count; i++) read_own_range(&f, &f.lines.data[i]);
  for (uint32_t i = 0; i < f.lines.count; i++) read_own_extents(&f, &f.lines.data[i]);
  for (uint32_t i = 0; i < f.lines.count; i++) read_assumption(&f, &f.lines.data[i]);
  for (uint32_t i = 0; i < f.lines.count; i++)
    if (is_let(&f, &f.lines.data[i])) read_let(&f, &f.lines.data[i]);
  for (uint32_t i = 0; i < f.lines.count; i++)
    if (!is_other_line(&f, &f.lines.data[i])) read_formula_line(&f, &f.lines.data[i]);
  for (uint32_t i = 0; i < f.terms.sizes.count; i++) array_push(arena, &f.out->sizes, f.terms.sizes.data[i].symbol);
  f.out->pointwise->kernel = f.out->kernel ? f.out->kernel : "formula";
  if (!f.out->lines.count && !f.out->pointwise->outputs.count && !f.out->kernel && diagnostics->error_count == errors)
    complain(&f, (Span){0, 0}, NULL, "there is no formula in this text");
  return diagnostics->error_count == errors ? f.out : NULL;
}

Term formula_read_term(Arena *arena, const Pointwise *p, const Source *source, const PyNode *syntax,
                       DiagnosticList *diagnostics) {
  Pointwise scratch = {.tt = p->tt};
  FormulaTerms terms = {
      .arena = arena, .tt = p->tt, .source = source, .pointwise = &scratch, .known = p, .diagnostics = diagnostics};
  return formula_term(&terms, syntax, false);
}

bool formula_is_reserved(const char *name) { return !strncmp(name, "offs_", 5) || !strncmp(name, "mask_", 5); }

bool formula_declares_tensors(const Source *source) {
  for (const char *line = source->text; line; line = strchr(line, '\n')) {
    line += strspn(line, " \t\r\n");
    if (!strncmp(line, "tensor ", 7)) return true;
  }
  return false;
}

/* NAME NAME, NAME "[", NAME "=" or NAME "max=" at the beginning of the first line; programs begin otherwise. */
bool formula_is_one(const Source *source) {
  static const char *const words[] = {
      "pointwise ", "formula ", "tensor ", "scalar ",
      "size ",      "opaque ",  "assume ", "graph "}; /* whose declarations are those of formulas: src/graph */
  size_t at = 0;
  for (;;) { /* blank lines, and comments that are not MLIR's #loc */
    while (at < source->size && source->text[at] && strchr(" \t\r\n", source->text[at])) at++;
    if (at + 1 >= source->size || source->text[at] != '#' || !strchr(" \n\r", source->text[at + 1])) break;
    while (at < source->size && source->text[at] != '\n') at++;
  }
  const char *text = source->text + at;
  size_t room = source->size - at, n = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (room > strlen(words[i]) && !memcmp(text, words[i], strlen(words[i]))) return true;
  while (n < room && (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", text[n]) && text[n]))
    n++;
  if (!n || (text[0] >= '0' && text[0] <= '9')) return false;
  while (n < room && text[n] == ' ') n++;
  return n < room && (text[n] == '[' || (text[n] == '=' && (n + 1 >= room || text[n + 1] != '=')) ||
                      (n + 1 < room && strchr("+*|&^", text[n]) && text[n] && text[n + 1] == '='));
}
