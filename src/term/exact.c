/* Writing of the exact text of terms (exact.h).
 *
 * Each node is rendered once, with the precedence of its outermost operator. A part that several others have, and whose
 * text is long, is given a line of its own before it is used, so that the text grows with the graph and not with the
 * tree. */
#include "term/exact.h"

#include <ctype.h>
#include <string.h>

#include "term/exact_words.h"

enum { PREC_OR = 1, PREC_AND, PREC_NOT, PREC_COMPARE, PREC_SUM, PREC_PRODUCT, PREC_POWER, PREC_ATOM };
enum { LONG_PART = 48, LONGEST_PART = 2000 };

void exact_quote(Text *out, const char *text) {
  text_char(out, '\'');
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\') text_char(out, '\\');
    if (*text == '\n')
      text_add(out, "\\n");
    else
      text_char(out, *text);
  }
  text_char(out, '\'');
}

static bool is_plain(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return !exact_is_word(name);
}

static const char *quoted(Arena *arena, const char *name) {
  if (is_plain(name)) return name;
  Text out = text_new(arena);
  exact_quote(&out, name);
  return text_string(&out);
}

ExactWriter *exact_writer_new(Arena *arena, TermTable *tt, Text *out) {
  ExactWriter *w = arena_new(arena, ExactWriter);
  uint32_t nodes = tt->nodes.count, *seen = arena_array(arena, uint32_t, tt->names->text.count + 1);
  *w = (ExactWriter){.tt = tt, .arena = arena, .out = out};
  w->names = arena_array(arena, const char *, tt->symbols.count + 1);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    Name name = tt->symbols.data[i].name;
    const char *text = intern_string(tt->names, name);
    w->names[i] = quoted(arena, seen[name]++ ? arena_format(arena, "%s~%u", text, seen[name] - 1) : text);
  }
  w->texts = arena_array(arena, const char *, nodes);
  w->precedence = arena_array(arena, uint8_t, nodes);
  w->uses = arena_array(arena, uint32_t, nodes);
  return w;
}

void exact_count(ExactWriter *w, Term t) {
  if (!t || w->uses[t]++) return;
  for (uint32_t i = 0; i < term_count(w->tt, t); i++) exact_count(w, term_arg(w->tt, t, i));
}

const char *exact_symbol(const ExactWriter *w, Term symbol) { return w->names[term_aux(w->tt, symbol)]; }

static const char *rational_text(ExactWriter *w, Rational r) {
  Text out = text_new(w->arena);
  rational_print(r, false, &out);
  return text_string(&out);
}

/* In parentheses where its operator binds less than `least`. */
static const char *inside(ExactWriter *w, Term t, int least) {
  const char *text = exact_text(w, t);
  return w->precedence[t] < least ? arena_format(w->arena, "(%s)", text) : text;
}

static const char *sum_text(ExactWriter *w, Term t) {
  TermTable *tt = w->tt;
  Text out = text_new(w->arena);
  Rational constant = term_rat(tt, term_arg(tt, t, 0));
  if (constant.num) text_add(&out, rational_text(w, constant));
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    bool is_first = !out.count, is_negative = k.num < 0;
    text_add(&out, is_first ? is_negative ? "-" : "" : is_negative ? " - " : " + ");
    if (is_negative) k = rational_neg(k);
    if (k.num != 1 || k.den != 1) text_format(&out, "%s*", rational_text(w, k));
    text_add(&out, inside(w, term_arg(tt, t, i + 1), PREC_PRODUCT));
  }
  return text_string(&out);
}

static const char *product_text(ExactWriter *w, Term t) {
  TermTable *tt = w->tt;
  Text out = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    bool is_plain_base = e.num == 1 && e.den == 1;
    text_format(&out, "%s%s", i ? "*" : "", inside(w, term_arg(tt, t, i), PREC_ATOM));
    if (!is_plain_base) text_format(&out, "**%s", rational_text(w, e));
  }
  return text_string(&out);
}

static void add_arguments(ExactWriter *w, Text *out, Term t, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    text_format(out, "%s%s", i > first ? ", " : "", inside(w, term_arg(w->tt, t, i), 0));
}

static const char *call_text(ExactWriter *w, const char *name, Term t) {
  Text out = text_new(w->arena);
  text_format(&out, "%s(", name);
  add_arguments(w, &out, t, 0, term_count(w->tt, t));
  text_char(&out, ')');
  return text_string(&out);
}

static const char *place_text(ExactWriter *w, const char *before, Term t) {
  Text out = text_new(w->arena);
  text_format(&out, "%s%s[", before, exact_symbol(w, term_arg(w->tt, t, 0)));
  add_arguments(w, &out, t, 1, term_count(w->tt, t));
  text_char(&out, ']');
  return text_string(&out);
}

static const char *joined_text(ExactWriter *w, const char *word, Term t, int least) {
  Text out = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(w->tt, t); i++)
    text_format(&out, "%s%s", i ? word : "", inside(w, term_arg(w->tt, t, i), least));
  return text_string(&out);
}

static const char *fold_text(ExactWriter *w, Term t) {
  TermTable *tt = w->tt;
  Text out = text_new(w->arena);
  text_format(&out, "%s[%s <= %s < %s", term_fold_name((TermFoldOp)term_aux(tt, t)),
              inside(w, term_fold_lo(tt, t), PREC_SUM), exact_text(w, term_fold_bound(tt, t)),
              inside(w, term_fold_hi(tt, t), PREC_SUM));
  if (term_fold_guard(tt, t) != tt->true_) text_format(&out, ", %s", exact_text(w, term_fold_guard(tt, t)));
  text_format(&out, "](%s)", exact_text(w, term_fold_body(tt, t)));
  return text_string(&out);
}

static const char *recurrence_text(ExactWriter *w, Term t) {
  Text out = text_new(w->arena);
  text_format(&out, "recur.%u", term_aux(w->tt, t) % RECUR_STATES);
  if (term_recur_lanes(w->tt, t)) text_format(&out, ".%u", term_recur_count(w->tt, t));
  text_char(&out, '(');
  add_arguments(w, &out, t, 0, term_count(w->tt, t));
  text_char(&out, ')');
  return text_string(&out);
}

static const char *comparison_text(ExactWriter *w, Term t, const char *sign, const char *name) {
  if (term_count(w->tt, t) != 1) return call_text(w, name, t);
  return arena_format(w->arena, "%s %s 0", inside(w, term_arg(w->tt, t, 0), PREC_SUM), sign);
}

/* The text and, in *precedence, how much its operator binds. */
static const char *node_text(ExactWriter *w, Term t, int *precedence) {
  TermTable *tt = w->tt;
  uint32_t aux = term_aux(tt, t);
  *precedence = PREC_ATOM;
  switch (term_kind(tt, t)) {
  case TERM_NONE:
  case TERM_KIND_COUNT: return "none";
  case TERM_RAT:
    if (term_rat(tt, t).num < 0 || term_rat(tt, t).den != 1) *precedence = PREC_SUM;
    return rational_text(w, term_rat(tt, t));
  case TERM_INF: return "inf";
  case TERM_NEG_INF: return "neginf";
  case TERM_NAN: return "nan";
  case TERM_TRUE: return "true";
  case TERM_FALSE: return "false";
  case TERM_SYM: return exact_symbol(w, t);
  case TERM_BOUND: return arena_format(w->arena, "#%u", aux);
  case TERM_STATE: {
    Text out = text_new(w->arena);
    text_format(&out, "#%u.%u", aux / RECUR_STATES, aux % RECUR_STATES);
    if (term_count(tt, t)) text_char(&out, '('), add_arguments(w, &out, t, 0, term_count(tt, t)), text_char(&out, ')');
    return text_string(&out);
  }
  case TERM_UNDEF: return arena_format(w->arena, "undefined@%u", aux);
  case TERM_READ: return place_text(w, "", t);
  case TERM_PTR: return place_text(w, "&", t);
  case TERM_ADD: *precedence = PREC_SUM; return sum_text(w, t);
  case TERM_MUL: *precedence = PREC_PRODUCT; return product_text(w, t);
  case TERM_LE:
    *precedence = term_count(tt, t) == 1 ? PREC_COMPARE : PREC_ATOM;
    return comparison_text(w, t, "<=", "le");
  case TERM_LT:
    *precedence = term_count(tt, t) == 1 ? PREC_COMPARE : PREC_ATOM;
    return comparison_text(w, t, "<", "lt");
  case TERM_EQ:
    *precedence = term_count(tt, t) == 1 ? PREC_COMPARE : PREC_ATOM;
    return comparison_text(w, t, "==", "eq");
  case TERM_NOT:
    *precedence = PREC_NOT;
    return arena_format(w->arena, "not %s", inside(w, term_arg(tt, t, 0), PREC_COMPARE));
  case TERM_AND: *precedence = PREC_AND; return joined_text(w, " and ", t, PREC_NOT);
  case TERM_OR: *precedence = PREC_OR; return joined_text(w, " or ", t, PREC_AND);
  case TERM_FLOORDIV:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ABS:
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC:
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN:
  case TERM_SELECT: return call_text(w, exact_call_name(term_kind(tt, t)), t);
  case TERM_FN: return call_text(w, term_fn_name((TermFn)aux), t);
  case TERM_OPAQUE:
    return call_text(w, arena_format(w->arena, "opaque %s", quoted(w->arena, intern_string(tt->names, aux))), t);
  case TERM_WRAP: return call_text(w, arena_format(w->arena, "wrap%u", aux), t);
  case TERM_FOLD: return fold_text(w, t);
  case TERM_RECUR: return recurrence_text(w, t);
  }
  return "none";
}

const char *exact_text(ExactWriter *w, Term t) {
  TermTable *tt = w->tt;
  int precedence;
  if (w->texts[t]) return w->texts[t];
  guard_tick(w->arena->guard);
  const char *text = node_text(w, t, &precedence);
  const Term *args = term_count(tt, t) ? &tt->args.data[term_node(tt, t)->first] : NULL;
  if (exact_sort(tt, term_kind(tt, t), term_aux(tt, t), term_count(tt, t), args) != term_sort(tt, t))
    text = arena_format(w->arena, "(%s : %s)", text, exact_sort_name(term_sort(tt, t))), precedence = PREC_ATOM;
  w->precedence[t] = (uint8_t)precedence;
  return w->texts[t] = text;
}

void exact_let(ExactWriter *w, Term t) {
  if (!t || w->texts[t]) return;
  for (uint32_t i = 0; i < term_count(w->tt, t); i++) exact_let(w, term_arg(w->tt, t, i));
  size_t length = strlen(exact_text(w, t));
  if (!term_count(w->tt, t) || length < LONG_PART || (w->uses[t] < 2 && length < LONGEST_PART)) return;
  text_format(w->out, "let $%u = %s\n", ++w->let_count, w->texts[t]);
  w->texts[t] = arena_format(w->arena, "$%u", w->let_count);
  w->precedence[t] = PREC_ATOM;
}
