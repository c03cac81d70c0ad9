/* C: one function that writes the outputs, by loops over their elements.
 *
 *   void NAME(sizes, scalars, const T *inputs, T *outputs)
 *
 * A term becomes an expression; a fold in it a loop before the statement that uses it, and what is computed under a
 * condition alone an `if`. Integers are computed in 64 bits, reals in double. Arrays are contiguous. An output that is
 * read elsewhere than at its own element is copied first. Terms that C has no expression for end the emission. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "emit/emit.h"

enum { LARGEST_TEXT = 1 << 18 };

typedef struct Known {
  Term term;
  const char *text;
} Known;

typedef struct Writer {
  Arena *arena;
  TermTable *tt;
  const Pointwise *p;
  const PointwiseOutput *output; /* whose element is computed */
  Text *body;                    /* statements before the expression at hand */
  uint32_t indent, fresh;
  Array(Known) names; /* of symbols */
  Array(Known) folds; /* computed already, in this block or around it */
  bool copies[64];    /* of tensors: their old contents are kept */
} Writer;

static const char *expression(Writer *w, Term t);

static _Noreturn void give_up(Writer *w, const char *what) {
  guard_throw(w->arena->guard, GUARD_LIMIT, "C has no %s", what);
}

static void line(Writer *w, const char *text) {
  text_format(w->body, "%*s%s\n", (int)(2 * w->indent), "", text);
  if (w->body->count > LARGEST_TEXT) give_up(w, "function of that length");
}

/* ---- names ---- */

static bool is_reserved(const char *name) {
  static const char *const words[] = {
      "auto",   "break",  "case",     "char",   "const",     "continue", "default", "do",       "double", "else",
      "enum",   "extern", "float",    "for",    "goto",      "if",       "inline",  "int",      "long",   "register",
      "return", "short",  "signed",   "sizeof", "static",    "struct",   "switch",  "typedef",  "union",  "unsigned",
      "void",   "while",  "restrict", "old",    "floor_div", "power",    "wrap",    "volatile", "bool",   "main"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], name)) return true;
  return false;
}

static bool is_taken(const Writer *w, const char *name) {
  for (uint32_t i = 0; i < w->names.count; i++)
    if (!strcmp(w->names.data[i].text, name)) return true;
  return is_reserved(name);
}

static const char *identifier(Writer *w, const char *name) {
  char *text = arena_copy(w->arena, name, strlen(name));
  for (char *c = text; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", *c)) *c = '_';
  if (*text >= '0' && *text <= '9') text = arena_format(w->arena, "_%s", text);
  while (is_taken(w, text)) text = arena_format(w->arena, "%s_", text);
  return text;
}

static const char *name_of(Writer *w, Term symbol) {
  for (uint32_t i = 0; i < w->names.count; i++)
    if (w->names.data[i].term == symbol) return w->names.data[i].text;
  const char *text = identifier(w, term_name(w->tt, symbol));
  array_push(w->arena, &w->names, (Known){symbol, text});
  return text;
}

static const char *fresh(Writer *w, const char *stem) { return arena_format(w->arena, "%s%u", stem, w->fresh++); }

/* ---- types ---- */

static const char *type_of(Writer *w, const char *dtype) {
  static const char *const rows[][2] = {{"f32", "float"},    {"f64", "double"},   {"i1", "bool"},
                                        {"i8", "int8_t"},    {"i16", "int16_t"},  {"i32", "int32_t"},
                                        {"i64", "int64_t"},  {"u8", "uint8_t"},   {"u16", "uint16_t"},
                                        {"u32", "uint32_t"}, {"u64", "uint64_t"}, {"index", "int64_t"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i][0], dtype)) return rows[i][1];
  give_up(w, "type of these elements");
}

static const char *type_of_sort(TermSort sort) {
  return sort == SORT_REAL ? "double" : sort == SORT_BOOL ? "bool" : "int64_t";
}

/* ---- numbers ---- */

static const char *number(Writer *w, Rational r, bool real) {
  if (r.den == 1 && !real) return arena_format(w->arena, "%" PRId64, (int64_t)r.num);
  double value = rational_to_double(r);
  const char *text = arena_format(w->arena, "%.17g", value);
  return strpbrk(text, ".en") ? text : arena_format(w->arena, "%s.0", text);
}

static const char *in_parentheses(Writer *w, const char *text) {
  size_t plain = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.");
  return text[plain] ? arena_format(w->arena, "(%s)", text) : text;
}

static const char *factor(Writer *w, Term t) { return in_parentheses(w, expression(w, t)); }

static const char *sum(Writer *w, Term t) {
  TermTable *tt = w->tt;
  bool real = term_sort(tt, t) == SORT_REAL;
  Int128 all = 1; /* an integer with fractions, n*(n + 1)/2: over one denominator */
  Text text = text_new(w->arena);
  Rational constant = term_rat(tt, term_arg(tt, t, 0));
  if (!real) all = constant.den;
  for (uint32_t i = 1; !real && i < term_count(tt, t); i += 2) {
    Int128 den = term_rat(tt, term_arg(tt, t, i)).den;
    if (all % den) all *= den;
  }
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (!real) k = (Rational){k.num * (all / k.den), 1};
    bool minus = k.num < 0;
    if (minus) k.num = -k.num;
    const char *part = factor(w, term_arg(tt, t, i + 1));
    text_add(&text, text.count ? minus ? " - " : " + " : minus ? "-" : "");
    if (k.num != 1 || k.den != 1) text_format(&text, "%s * ", number(w, k, real));
    text_add(&text, part);
  }
  if (constant.num) {
    if (!real) constant = (Rational){constant.num * (all / constant.den), 1};
    bool minus = constant.num < 0;
    if (minus) constant.num = -constant.num;
    text_format(&text, " %s %s", minus ? "-" : "+", number(w, constant, real));
  }
  return all == 1 ? text_string(&text) : arena_format(w->arena, "(%s) / %" PRId64, text_string(&text), (int64_t)all);
}

static const char *to_power(Writer *w, const char *base, Rational e) {
  if (e.num == 1 && e.den == 1) return base;
  if (e.num == 1 && e.den == 2) return arena_format(w->arena, "sqrt(%s)", base);
  if (e.den != 1) return arena_format(w->arena, "pow(%s, %s)", base, number(w, e, true));
  if (e.num == 2) return arena_format(w->arena, "%s * %s", in_parentheses(w, base), in_parentheses(w, base));
  return arena_format(w->arena, "pow(%s, %d)", base, (int)e.num);
}

static const char *product(Writer *w, Term t) {
  TermTable *tt = w->tt;
  bool real = term_sort(tt, t) == SORT_REAL;
  Text above = text_new(w->arena), below = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    const char *base = factor(w, term_arg(tt, t, i));
    Text *to = e.num < 0 ? &below : &above;
    if (e.num < 0) e.num = -e.num;
    if (!real && (e.den != 1 || to == &below)) give_up(w, "such power of integers");
    uint32_t times = !real ? (uint32_t)e.num : 1;
    if (times > 16) give_up(w, "such power of integers");
    const char *part = real ? in_parentheses(w, to_power(w, base, e)) : base;
    for (uint32_t k = 0; k < times; k++) text_format(to, "%s%s", to->count ? " * " : "", part);
  }
  if (!below.count) return text_string(&above);
  return arena_format(w->arena, "%s / (%s)", above.count ? text_string(&above) : "1.0", text_string(&below));
}

/* ---- memory ---- */

static const char *place(Writer *w, const PointwiseTensor *t, const Term *index) {
  Text text = text_new(w->arena);
  for (uint32_t k = 0; k < t->rank; k++) {
    const char *at = expression(w, index[k]);
    if (!k)
      text_add(&text, at);
    else {
      const char *before = arena_copy(w->arena, text.data, text.count);
      text.count = 0;
      text_format(&text, "%s * %s + %s", in_parentheses(w, before), factor(w, t->extent[k]), in_parentheses(w, at));
    }
  }
  return t->rank ? text_string(&text) : "0";
}

static uint32_t number_of(const Writer *w, const PointwiseTensor *t) { return (uint32_t)(t - w->p->tensors.data); }

static const char *read_element(Writer *w, Term t) {
  TermTable *tt = w->tt;
  const PointwiseTensor *tensor = pointwise_tensor(w->p, term_arg(tt, t, 0));
  Term index[POINTWISE_MAX_RANK];
  if (!tensor || term_count(tt, t) != tensor->rank + 1) give_up(w, "view of this tensor");
  bool own = w->output && &w->p->tensors.data[w->output->tensor] == tensor;
  for (uint32_t k = 0; k < tensor->rank; k++) {
    index[k] = term_arg(tt, t, k + 1);
    own = own && index[k] == w->output->index[k];
  }
  if (own) return "old";
  bool is_copy = number_of(w, tensor) < 64 && w->copies[number_of(w, tensor)];
  const char *name = name_of(w, tensor->symbol);
  return arena_format(w->arena, "%s%s[%s]", name, is_copy ? "_old" : "", place(w, tensor, index));
}

/* ---- conditions, choices ---- */

static const char *compare(Writer *w, Term t, const char *op) {
  TermTable *tt = w->tt;
  Term left = term_arg(tt, t, 0), right = term_count(tt, t) > 1 ? term_arg(tt, t, 1) : 0;
  if (!right && term_kind(tt, left) == TERM_ADD) { /* a - b <= 0 as a <= b */
    Term a = term_arg(tt, left, 0), b = tt->zero;
    if (term_rat(tt, a).num < 0) b = term_neg(tt, a), a = tt->zero;
    for (uint32_t i = 1; i < term_count(tt, left); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, left, i));
      Term part = term_scale(tt, k, term_arg(tt, left, i + 1));
      if (k.num < 0)
        b = term_sub(tt, b, part);
      else
        a = term_add(tt, a, part);
    }
    left = a, right = b;
  }
  return arena_format(w->arena, "%s %s %s", factor(w, left), op, right ? factor(w, right) : "0");
}

/* An expression with the statements that it needs, apart. */
static const char *apart(Writer *w, Term t, Text *statements) {
  Text *outer = w->body;
  uint32_t known = w->folds.count;
  *statements = text_new(w->arena);
  w->body = statements, w->indent++;
  const char *text = expression(w, t);
  w->body = outer, w->indent--;
  w->folds.count = known;
  return text;
}

static const char *choose(Writer *w, TermSort sort, const char *condition, Term yes, Term no) {
  Text a, b;
  const char *x = apart(w, yes, &a), *y = apart(w, no, &b);
  if (!a.count && !b.count)
    return arena_format(w->arena, "%s ? %s : %s", in_parentheses(w, condition), in_parentheses(w, x),
                        in_parentheses(w, y));
  const char *name = fresh(w, "chosen");
  line(w, arena_format(w->arena, "%s %s;", type_of_sort(sort), name));
  line(w, arena_format(w->arena, "if (%s) {", condition));
  text_add(w->body, text_string(&a));
  line(w, arena_format(w->arena, "  %s = %s;", name, x));
  line(w, "} else {");
  text_add(w->body, text_string(&b));
  line(w, arena_format(w->arena, "  %s = %s;", name, y));
  line(w, "}");
  return name;
}

/* All or any of the parts, each computed only where those before it leave it open. */
static const char *join(Writer *w, Term t, bool all) {
  TermTable *tt = w->tt;
  Text text = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Text statements;
    const char *part = apart(w, term_arg(tt, t, i), &statements);
    if (statements.count && i) {
      const char *name = fresh(w, "holds");
      line(w, arena_format(w->arena, "bool %s = %s;", name, text_string(&text)));
      line(w, arena_format(w->arena, "if (%s%s) {", all ? "" : "!", name));
      text_add(w->body, text_string(&statements));
      line(w, arena_format(w->arena, "  %s = %s;", name, part));
      line(w, "}");
      text.count = 0;
      text_add(&text, name);
      continue;
    }
    if (statements.count) part = expression(w, term_arg(tt, t, i));
    text_format(&text, "%s%s", i ? all ? " && " : " || " : "", in_parentheses(w, part));
  }
  return text_string(&text);
}

/* ---- folds ---- */

static const char *identity(Writer *w, TermFoldOp op, bool real) {
  switch (op) {
  case FOLD_SUM: return real ? "0.0" : "0";
  case FOLD_PROD: return real ? "1.0" : "1";
  case FOLD_MAX: return real ? "-INFINITY" : "INT64_MIN";
  case FOLD_MIN: return real ? "INFINITY" : "INT64_MAX";
  case FOLD_ANY: return "false";
  case FOLD_ALL: return "true";
  case FOLD_XOR: return "0";
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  give_up(w, "such reduction");
}

static const char *combine(Writer *w, TermFoldOp op, const char *acc, const char *value) {
  static const char *const signs[] = {[FOLD_SUM] = "+", [FOLD_PROD] = "*", [FOLD_XOR] = "^"};
  switch (op) {
  case FOLD_SUM:
  case FOLD_PROD:
  case FOLD_XOR: return arena_format(w->arena, "%s %s= %s;", acc, signs[op], value);
  case FOLD_MAX: return arena_format(w->arena, "if (%s > %s) %s = %s;", value, acc, acc, value);
  case FOLD_MIN: return arena_format(w->arena, "if (%s < %s) %s = %s;", value, acc, acc, value);
  case FOLD_ANY: return arena_format(w->arena, "%s = %s || %s;", acc, acc, value);
  case FOLD_ALL: return arena_format(w->arena, "%s = %s && %s;", acc, acc, value);
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  give_up(w, "such reduction");
}

static void fold_step(Writer *w, const FoldParts *f, const char *acc, const char *best, const char *index) {
  const char *value = expression(w, f->body), *type = type_of_sort(term_sort(w->tt, f->body));
  if (f->op == FOLD_MAX || f->op == FOLD_MIN || best) {
    const char *name = fresh(w, "x");
    line(w, arena_format(w->arena, "const %s %s = %s;", type, name, value));
    value = name;
  } else {
    value = in_parentheses(w, value);
  }
  if (!best) {
    line(w, combine(w, f->op, acc, value));
    return;
  }
  line(w, arena_format(w->arena, "if (%s < 0 || %s %s %s) %s = %s, %s = %s;", acc, value,
                       f->op == FOLD_ARGMAX ? ">" : "<", best, acc, index, best, value));
}

static const char *fold(Writer *w, Term t) {
  TermTable *tt = w->tt;
  for (uint32_t i = 0; i < w->folds.count; i++)
    if (w->folds.data[i].term == t) return w->folds.data[i].text;
  FoldParts f = term_fold_open(tt, t);
  bool arg = f.op == FOLD_ARGMAX || f.op == FOLD_ARGMIN;
  TermSort sort = term_sort(tt, f.body);
  static const char *const stems[] = {"sum", "product", "greatest", "least", "any", "all", "bits", "place", "place"};
  const char *acc = fresh(w, stems[f.op]), *best = arg ? fresh(w, "best") : NULL, *k = fresh(w, "k");
  const char *lo = expression(w, f.lo), *hi = expression(w, f.hi);
  array_push(w->arena, &w->names, (Known){f.symbol, k});
  line(w, arena_format(w->arena, "%s %s = %s;", arg ? "int64_t" : type_of_sort(sort), acc,
                       arg ? "-1" : identity(w, f.op, sort == SORT_REAL)));
  if (arg) line(w, arena_format(w->arena, "%s %s = 0;", type_of_sort(sort), best));
  line(w, arena_format(w->arena, "for (int64_t %s = %s; %s < %s; %s++) {", k, lo, k, in_parentheses(w, hi), k));
  uint32_t known = w->folds.count;
  w->indent++;
  if (f.guard != tt->true_) {
    const char *guard = expression(w, f.guard);
    line(w, arena_format(w->arena, "if (!(%s)) continue;", guard));
  }
  fold_step(w, &f, acc, best, k);
  w->indent--;
  w->folds.count = known;
  line(w, "}");
  array_push(w->arena, &w->folds, (Known){t, acc});
  return acc;
}

/* ---- all of them ---- */

static const char *call(Writer *w, Term t) {
  TermTable *tt = w->tt;
  TermFn fn = (TermFn)term_aux(tt, t);
  static const char *const signs[] = {[FN_BITAND] = "&", [FN_BITOR] = "|", [FN_BITXOR] = "^", [FN_SHR] = ">>"};
  const char *a = expression(w, term_arg(tt, t, 0)),
             *b = term_count(tt, t) > 1 ? expression(w, term_arg(tt, t, 1)) : "";
  if (fn == FN_BITAND || fn == FN_BITOR || fn == FN_BITXOR || fn == FN_SHR)
    return arena_format(w->arena, "%s %s %s", in_parentheses(w, a), signs[fn], in_parentheses(w, b));
  if (fn == FN_SHL)
    return arena_format(w->arena, "(int64_t)((uint64_t)%s << %s)", in_parentheses(w, a), in_parentheses(w, b));
  if (fn == FN_MULHI || fn == FN_ERFINV) give_up(w, "such function");
  static const char *const names[] = {
#define FN(id, text, ...) [FN_##id] = text,
#include "term/functions.def"
#undef FN
  };
  return term_count(tt, t) > 1 ? arena_format(w->arena, "%s(%s, %s)", names[fn], a, b)
                               : arena_format(w->arena, "%s(%s)", names[fn], a);
}

static const char *extreme(Writer *w, Term t) {
  TermTable *tt = w->tt;
  bool real = term_sort(tt, t) == SORT_REAL, max = term_kind(tt, t) == TERM_MAX;
  const char *text = expression(w, term_arg(tt, t, 0));
  const char *name = real ? max ? "fmax" : "fmin" : max ? "larger" : "smaller";
  for (uint32_t i = 1; i < term_count(tt, t); i++)
    text = arena_format(w->arena, "%s(%s, %s)", name, text, expression(w, term_arg(tt, t, i)));
  return text;
}

static const char *of_one(Writer *w, const char *before, Term t, const char *behind) {
  return arena_format(w->arena, "%s%s%s", before, expression(w, term_arg(w->tt, t, 0)), behind);
}

static const char *expression(Writer *w, Term t) {
  TermTable *tt = w->tt;
  bool real = term_sort(tt, t) == SORT_REAL;
  guard_tick(w->arena->guard);
  switch (term_kind(tt, t)) {
  case TERM_RAT: return number(w, term_rat(tt, t), real || term_rat(tt, t).den != 1);
  case TERM_INF: return real ? "INFINITY" : "INT64_MAX";
  case TERM_NEG_INF: return real ? "-INFINITY" : "INT64_MIN";
  case TERM_NAN: return "NAN";
  case TERM_TRUE: return "true";
  case TERM_FALSE: return "false";
  case TERM_SYM: return name_of(w, t);
  case TERM_UNDEF: return "0";
  case TERM_READ: return read_element(w, t);
  case TERM_ADD: return sum(w, t);
  case TERM_MUL: return product(w, t);
  case TERM_FLOORDIV:
    return arena_format(w->arena, "floor_div(%s, %s)", expression(w, term_arg(tt, t, 0)),
                        expression(w, term_arg(tt, t, 1)));
  case TERM_MIN:
  case TERM_MAX: return extreme(w, t);
  case TERM_ABS: return of_one(w, real ? "fabs(" : "llabs(", t, ")");
  case TERM_FLOOR: return of_one(w, "(int64_t)floor(", t, ")");
  case TERM_CEIL: return of_one(w, "(int64_t)ceil(", t, ")");
  case TERM_ROUND: return of_one(w, "(int64_t)nearbyint(", t, ")");
  case TERM_TRUNC: return of_one(w, "(int64_t)trunc(", t, ")");
  case TERM_LE: return compare(w, t, "<=");
  case TERM_LT: return compare(w, t, "<");
  case TERM_EQ: return compare(w, t, "==");
  case TERM_IS_INF: return arena_format(w->arena, "%s == INFINITY", factor(w, term_arg(tt, t, 0)));
  case TERM_IS_NEG_INF: return arena_format(w->arena, "%s == -INFINITY", factor(w, term_arg(tt, t, 0)));
  case TERM_IS_NAN: return of_one(w, "isnan(", t, ")");
  case TERM_NOT: return arena_format(w->arena, "!(%s)", expression(w, term_arg(tt, t, 0)));
  case TERM_AND: return join(w, t, true);
  case TERM_OR: return join(w, t, false);
  case TERM_SELECT: {
    const char *condition = expression(w, term_arg(tt, t, 0));
    return choose(w, term_sort(tt, t), condition, term_arg(tt, t, 1), term_arg(tt, t, 2));
  }
  case TERM_FN: return call(w, t);
  case TERM_WRAP: return arena_format(w->arena, "wrap(%s, %u)", expression(w, term_arg(tt, t, 0)), term_aux(tt, t));
  case TERM_FOLD: return fold(w, t);
  case TERM_NONE:
  case TERM_BOUND:
  case TERM_PTR:
  case TERM_OPAQUE:
  case TERM_STATE:
  case TERM_RECUR:
  case TERM_KIND_COUNT: break;
  }
  give_up(w, "such expression");
}

/* ---- the function ---- */

static void write_piece(Writer *w, const PointwisePiece *piece, const PointwiseTensor *t, const char *at) {
  const char *type = type_of(w, t->dtype), *name = name_of(w, t->symbol);
  bool everywhere = piece->region == w->tt->true_;
  if (!everywhere) {
    const char *region = expression(w, piece->region);
    line(w, arena_format(w->arena, "if (%s) {", region));
    w->indent++;
  }
  uint32_t known = w->folds.count;
  const char *value = expression(w, piece->value);
  if (piece->accumulate == 1 + FOLD_SUM)
    line(w, arena_format(w->arena, "%s[%s] += (%s)(%s);", name, at, type, value));
  else if (piece->accumulate)
    give_up(w, "such accumulation");
  else
    line(w, arena_format(w->arena, "%s[%s] = (%s)(%s);", name, at, type, value));
  w->folds.count = known;
  if (everywhere) return;
  w->indent--;
  line(w, "}");
}

static bool reads(TermTable *tt, Term t, Term tensor) { return term_has_symbol(tt, t, tensor); }

static bool output_reads(const Writer *w, const PointwiseOutput *output, Term tensor) {
  for (uint32_t k = 0; k < output->pieces.count; k++)
    if (reads(w->tt, output->pieces.data[k].value, tensor) || reads(w->tt, output->pieces.data[k].region, tensor))
      return true;
  return false;
}

static void write_output(Writer *w, const PointwiseOutput *output) {
  const PointwiseTensor *t = &w->p->tensors.data[output->tensor];
  if (output->scatter) give_up(w, "places that data decides");
  w->output = output;
  for (uint32_t k = 0; k < output->rank; k++) {
    const char *i = name_of(w, output->index[k]), *end = expression(w, t->extent[k]);
    line(w, arena_format(w->arena, "for (int64_t %s = 0; %s < %s; %s++) {", i, i, in_parentheses(w, end), i));
    w->indent++;
  }
  const char *at = place(w, t, output->index);
  if (output_reads(w, output, t->symbol))
    line(w, arena_format(w->arena, "const %s old = %s[%s];", type_of(w, t->dtype), name_of(w, t->symbol), at));
  for (uint32_t k = 0; k < output->pieces.count; k++) write_piece(w, &output->pieces.data[k], t, at);
  for (uint32_t k = 0; k < output->rank; k++) {
    w->indent--;
    line(w, "}");
  }
  w->output = NULL;
}

/* Is the tensor read elsewhere than where it is written? */
static bool needs_copy(Writer *w, uint32_t tensor) {
  const PointwiseTensor *t = &w->p->tensors.data[tensor];
  if (!t->is_written) return false;
  for (uint32_t i = 0; i < w->p->outputs.count; i++) {
    const PointwiseOutput *output = &w->p->outputs.data[i];
    if (!output_reads(w, output, t->symbol)) continue;
    if (output->tensor != tensor) return true;
    Term own = term_read(w->tt, t->symbol, t->sort, t->rank, output->index), hole = w->tt->zero;
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      TermMap map = {1, &own, &hole};
      if (t->sort != SORT_BOOL && (reads(w->tt, term_substitute(w->tt, output->pieces.data[k].value, map), t->symbol) ||
                                   reads(w->tt, term_substitute(w->tt, output->pieces.data[k].region, map), t->symbol)))
        return true;
    }
  }
  return false;
}

static bool is_used(const Writer *w, Term symbol) {
  for (uint32_t i = 0; i < w->p->outputs.count; i++)
    if (output_reads(w, &w->p->outputs.data[i], symbol)) return true;
  for (uint32_t i = 0; i < w->p->tensors.count; i++) {
    const PointwiseTensor *t = &w->p->tensors.data[i];
    for (uint32_t k = 0; k < t->rank; k++)
      if (t->extent[k] && term_has_symbol(w->tt, t->extent[k], symbol) && (t->is_written || t->is_read)) return true;
  }
  return false;
}

static bool is_scalar(const Writer *w, Term symbol) {
  for (uint32_t i = 0; i < w->p->scalars.count; i++)
    if (w->p->scalars.data[i].symbol == symbol) return true;
  return false;
}

static void add_parameter(Writer *w, Text *list, const char *text) {
  text_format(list, "%s%s", list->count ? ", " : "", text);
  (void)w;
}

/* Sizes that are no arguments, then the arguments that are numbers, then inputs, then outputs. */
static const char *parameters(Writer *w) {
  Text list = text_new(w->arena);
  for (uint32_t i = 0; i < w->tt->symbols.count; i++) {
    const Symbol *s = &w->tt->symbols.data[i];
    bool size = (s->role == SYMBOL_SIZE || s->role == SYMBOL_GRID) && !is_scalar(w, s->term) && is_used(w, s->term);
    if (size) add_parameter(w, &list, arena_format(w->arena, "int64_t %s", name_of(w, s->term)));
  }
  for (int reals = 0; reals < 2; reals++)
    for (uint32_t i = 0; i < w->p->scalars.count; i++) {
      const PointwiseScalar *s = &w->p->scalars.data[i];
      bool real = term_sort(w->tt, s->symbol) == SORT_REAL;
      if (real != reals || !is_used(w, s->symbol)) continue;
      add_parameter(w, &list,
                    arena_format(w->arena, "%s %s", real ? type_of(w, s->dtype) : "int64_t", name_of(w, s->symbol)));
    }
  for (int written = 0; written < 2; written++)
    for (uint32_t i = 0; i < w->p->tensors.count; i++) {
      const PointwiseTensor *t = &w->p->tensors.data[i];
      if (t->is_written != written || (!written && !is_used(w, t->symbol))) continue;
      add_parameter(
          w, &list,
          arena_format(w->arena, "%s%s *%s", written ? "" : "const ", type_of(w, t->dtype), name_of(w, t->symbol)));
    }
  return list.count ? text_string(&list) : "void";
}

static void write_comment(Writer *w, const EmitHeader *header, const char *prototype, Text *out) {
  text_format(out, "/* %s, lifted by Assay.\n *\n", w->p->kernel);
  for (const char *at = header->formula; at && *at;) {
    size_t n = strcspn(at, "\n");
    text_format(out, " *   %.*s\n", (int)n, at);
    at += n + (at[n] == '\n');
  }
  text_format(out, " *\n * %s\n", prototype);
  for (uint32_t i = 0; i < w->p->tensors.count; i++) {
    const PointwiseTensor *t = &w->p->tensors.data[i];
    if (!t->is_written && !is_used(w, t->symbol)) continue;
    text_format(out, " *   %s: (", name_of(w, t->symbol));
    for (uint32_t k = 0; k < t->rank; k++) text_format(out, "%s%s", k ? ", " : "", term_text(w->tt, t->extent[k]));
    text_format(out, "), %s%s\n", t->dtype, t->is_written ? ", written" : "");
  }
  for (uint32_t i = 0; i < header->assumption_count; i++)
    text_format(out, "%s *   %s\n", i ? "" : " *\n * Assumed:\n", header->assumptions[i]);
  if (header->verdict) text_format(out, " *\n * Verdict: %s */\n", header->verdict);
}

static void write_copies(Writer *w, bool begin) {
  for (uint32_t i = 0; i < w->p->tensors.count && i < 64; i++) {
    const PointwiseTensor *t = &w->p->tensors.data[i];
    if (!w->copies[i]) continue;
    const char *name = name_of(w, t->symbol), *type = type_of(w, t->dtype);
    if (!begin) {
      line(w, arena_format(w->arena, "free(%s_old);", name));
      continue;
    }
    Text count = text_new(w->arena);
    for (uint32_t k = 0; k < t->rank; k++) text_format(&count, "%s(size_t)%s", k ? " * " : "", factor(w, t->extent[k]));
    if (!t->rank) text_add(&count, "1");
    line(w, arena_format(w->arena, "%s *%s_old = malloc((%s) * sizeof *%s_old + 1);", type, name, text_string(&count),
                         name));
    line(w, arena_format(w->arena, "if (!%s_old) abort();", name));
    line(w,
         arena_format(w->arena, "memcpy(%s_old, %s, (%s) * sizeof *%s_old);", name, name, text_string(&count), name));
  }
}

static bool has_word(const char *text, const char *word) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !strchr(letters, at[-1])) && (!at[n] || !strchr(letters, at[n]))) return true;
  return false;
}

/* Sizes that say how large an array is and are used for nothing else. */
static void mention_parameters(Writer *w, const char *list, const char *body, Text *out) {
  for (uint32_t i = 0; i < w->names.count; i++) {
    const char *name = w->names.data[i].text;
    if (has_word(list, name) && !has_word(body, name)) text_format(out, "  (void)%s;\n", name);
  }
}

void emit_c(const Pointwise *p, const EmitHeader *header, Text *out) {
  Arena *arena = p->tt->arena;
  Text body = text_new(arena);
  Writer w = {.arena = arena, .tt = p->tt, .p = p, .body = &body, .indent = 1};
  const char *function = identifier(&w, p->kernel);
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (!p->outputs.data[i].pieces.count) give_up(&w, "output that nothing writes");
  const char *prototype = arena_format(arena, "void %s(%s);", function, parameters(&w));
  for (uint32_t i = 0; i < p->tensors.count && i < 64; i++) w.copies[i] = needs_copy(&w, i);
  write_copies(&w, true);
  for (uint32_t i = 0; i < p->outputs.count; i++) write_output(&w, &p->outputs.data[i]);
  write_copies(&w, false);
  write_comment(&w, header, prototype, out);
  text_add(out, "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include "
                "<string.h>\n\n");
  text_add(out, "static inline int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < "
                "0)); }\n"
                "static inline int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }\n"
                "static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }\n"
                "static inline int64_t wrap(int64_t a, unsigned width) {\n"
                "  const uint64_t half = (uint64_t)1 << (width - 1), mask = half | (half - 1);\n"
                "  return (int64_t)((((uint64_t)a & mask) ^ half) - half);\n}\n\n");
  const char *list = parameters(&w);
  text_format(out, "void %s(%s) {\n", function, list);
  mention_parameters(&w, list, text_string(&body), out);
  text_format(out, "%s}\n", text_string(&body));
}
