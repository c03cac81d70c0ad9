/* Terms as LaTeX mathematics: the pointwise form for a paper.
 *
 * Reads are names with their indices below, folds are large operators over their range (\sum_{k=0}^{n-1}, \max_{...}),
 * selects are cases. The order of summands and factors is that of their text, as in term/print.c, so that it does not
 * depend on how a term came about. Names are set upright, with their underscores. */
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"

enum { BIND_OR = 1, BIND_AND, BIND_COMPARE, BIND_SUM, BIND_PRODUCT, BIND_UNARY, BIND_POWER, BIND_ATOM };
enum { LATEX_LIMIT = 200000, LATEX_DEPTH = 1000 };

typedef struct Latex {
  TermTable *tt;
  uint32_t depth;
  size_t written; /* characters of all parts: bounds a DAG that is large as a tree */
} Latex;

static const char *render(Latex *w, Term t, int bind);

static const char *wrap(Latex *w, const char *text, int own, int wanted) {
  return own < wanted ? arena_format(w->tt->arena, "\\left(%s\\right)", text) : text;
}

static const char *upright(Latex *w, const char *command, const char *name) {
  Text text = text_new(w->tt->arena);
  text_format(&text, "\\%s{", command);
  for (; *name; name++) {
    if (strchr("_#$%&{}", *name)) text_char(&text, '\\');
    text_char(&text, *name);
  }
  text_char(&text, '}');
  return text_string(&text);
}

static const char *number(Latex *w, Rational r, int bind) {
  Text text = text_new(w->tt->arena);
  rational_print(r, true, &text);
  const char *s = text_string(&text), *slash = strchr(s, '/');
  bool negative = s[0] == '-';
  if (slash)
    s = arena_format(w->tt->arena, "%s\\frac{%.*s}{%s}", negative ? "-" : "", (int)(slash - s) - negative, s + negative,
                     slash + 1);
  return wrap(w, s, negative ? BIND_UNARY : BIND_ATOM, bind);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void join(Text *out, const char **parts, uint32_t n, const char *separator) {
  for (uint32_t i = 0; i < n; i++) text_format(out, "%s%s", i ? separator : "", parts[i]);
}

/* ---- products and sums ---- */

static const char *power(Latex *w, Term base, Rational e,
                         bool alone) { /* e > 0; alone: no parentheses for its own sake */
  if (e.num == 1 && e.den == 1) return render(w, base, alone ? 0 : BIND_UNARY);
  if (e.num == 1 && e.den == 2) return arena_format(w->tt->arena, "\\sqrt{%s}", render(w, base, 0));
  return arena_format(w->tt->arena, "%s^{%s}", render(w, base, BIND_ATOM), number(w, e, 0));
}

/* k * t for k > 0: a fraction if anything is divided by. */
static const char *product(Latex *w, Rational k, Term t) {
  TermTable *tt = w->tt;
  uint32_t n = term_kind(tt, t) == TERM_MUL ? term_count(tt, t) : 0, ups = 0, downs = 0, count_up = 0, count_down = 0;
  bool unit = k.num == 1 && k.den == 1;
  for (uint32_t i = 0; i < n; i += 2) *(term_rat(tt, term_arg(tt, t, i + 1)).num > 0 ? &count_up : &count_down) += 1;
  const char **up = arena_array(tt->arena, const char *, n + 1), **down = arena_array(tt->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    Term base = term_arg(tt, t, i);
    if (e.num > 0)
      up[ups++] = power(w, base, e, count_up == 1 && count_down && unit);
    else
      down[downs++] = power(w, base, rational_neg(e), count_down == 1);
  }
  if (!n && t != tt->one) up[ups++] = render(w, t, unit ? BIND_PRODUCT : BIND_UNARY);
  qsort(up, ups, sizeof *up, compare_texts);
  qsort(down, downs, sizeof *down, compare_texts);
  Text out = text_new(tt->arena);
  if (downs) text_add(&out, "\\frac{");
  if (!unit || !ups) text_format(&out, "%s%s", number(w, k, 0), ups ? " \\cdot " : "");
  join(&out, up, ups, " \\cdot ");
  if (downs) {
    text_add(&out, "}{");
    join(&out, down, downs, " \\cdot ");
    text_char(&out, '}');
  }
  return text_string(&out);
}

typedef struct Summand {
  const char *text;
  bool negative, constant;
} Summand;

static int compare_summands(const void *a, const void *b) {
  const Summand *x = a, *y = b;
  if (x->negative != y->negative) return x->negative - y->negative;
  if (x->constant != y->constant) return x->constant - y->constant;
  return strcmp(x->text, y->text);
}

static Rational magnitude(Rational r) { return r.num < 0 ? rational_neg(r) : r; }

static const char *sum(Latex *w, Term t, int bind) {
  TermTable *tt = w->tt;
  uint32_t n = 0;
  Summand *parts = arena_array(tt->arena, Summand, term_count(tt, t) / 2 + 2);
  Rational constant = term_constant_part(tt, t);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    parts[n++] = (Summand){product(w, magnitude(k), term_arg(tt, t, i + 1)), k.num < 0, false};
  }
  if (constant.num) parts[n++] = (Summand){number(w, magnitude(constant), BIND_PRODUCT), constant.num < 0, true};
  qsort(parts, n, sizeof *parts, compare_summands);
  Text out = text_new(tt->arena);
  for (uint32_t i = 0; i < n; i++)
    text_format(&out, "%s%s", i ? parts[i].negative ? " - " : " + " : parts[i].negative ? "-" : "", parts[i].text);
  return wrap(w, text_string(&out), n > 1 ? BIND_SUM : parts[0].negative ? BIND_UNARY : BIND_PRODUCT, bind);
}

/* ---- conditions ---- */

/* t <= 0 with the negative summands on the right. */
static const char *comparison(Latex *w, Term t, bool negated, int bind) {
  TermTable *tt = w->tt;
  TermKind kind = term_kind(tt, t);
  Term all = term_arg(tt, t, 0), left = all, right = term_count(tt, t) == 2 ? term_arg(tt, t, 1) : tt->zero;
  if (term_count(tt, t) == 1 && term_kind(tt, all) == TERM_ADD) {
    Rational c = term_rat(tt, term_arg(tt, all, 0));
    left = tt->zero;
    for (uint32_t i = 1; i < term_count(tt, all); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, all, i));
      Term part = term_scale(tt, magnitude(k), term_arg(tt, all, i + 1)), *side = k.num < 0 ? &right : &left;
      *side = term_add(tt, *side, part);
    }
    if (kind == TERM_LE && c.num == 1 && c.den == 1 && term_sort(tt, all) == SORT_INT)
      kind = TERM_LT; /* a + 1 <= b */
    else if (c.num > 0 && right != tt->zero)
      left = term_add(tt, left, term_new_rat(tt, c));
    else
      right = term_add(tt, right, term_new_rat(tt, rational_neg(c)));
  }
  bool flip = left == tt->zero || term_is_rat(tt, left);
  const char *op = kind == TERM_EQ   ? (negated ? "\\ne" : "=")
                   : kind == TERM_LE ? (flip ? "\\ge" : "\\le")
                   : flip            ? ">"
                                     : "<";
  const char *a = render(w, flip ? right : left, BIND_SUM), *b = render(w, flip ? left : right, BIND_SUM);
  return wrap(w, arena_format(tt->arena, "%s %s %s", a, op, b), BIND_COMPARE, bind);
}

static const char *sorted(Latex *w, Term t, const char *separator, int inner) {
  uint32_t n = term_count(w->tt, t);
  const char **parts = arena_array(w->tt->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) parts[i] = render(w, term_arg(w->tt, t, i), inner);
  qsort(parts, n, sizeof *parts, compare_texts);
  Text out = text_new(w->tt->arena);
  join(&out, parts, n, separator);
  return text_string(&out);
}

/* ---- calls and folds ---- */

static const char *list(Latex *w, Term t, uint32_t first) {
  Text out = text_new(w->tt->arena);
  for (uint32_t i = first; i < term_count(w->tt, t); i++)
    text_format(&out, "%s%s", i > first ? ", " : "", render(w, term_arg(w->tt, t, i), 0));
  return text_string(&out);
}

static const char *call(Latex *w, const char *name, Term t) {
  TermFn fn = term_fn_find(name);
  bool known = !strcmp(name, "max") || !strcmp(name, "min") || (fn != FN_COUNT && term_fn_info(fn)->has_latex);
  const char *head = known ? arena_format(w->tt->arena, "\\%s", name) : NULL;
  return arena_format(w->tt->arena, "%s\\left(%s\\right)", head ? head : upright(w, "operatorname", name),
                      list(w, t, 0));
}

static const char *bracket(Latex *w, const char *left, Term t, const char *right) {
  return arena_format(w->tt->arena, "\\left%s %s \\right%s", left, render(w, term_arg(w->tt, t, 0), 0), right);
}

/* The operator with its range below (and above, if there is no guard), then the body. */
static const char *fold(Latex *w, Term t, int bind) {
  static const char *const heads[] = {"\\sum",
                                      "\\prod",
                                      "\\max",
                                      "\\min",
                                      "\\bigvee",
                                      "\\bigwedge",
                                      "\\bigoplus",
                                      "\\operatorname*{argmax}",
                                      "\\operatorname*{argmin}"};
  TermTable *tt = w->tt;
  Term guard = term_fold_guard(tt, t), hi = term_fold_hi(tt, t);
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  const char *k = render(w, term_fold_bound(tt, t), 0), *lo = render(w, term_fold_lo(tt, t), BIND_SUM);
  bool large = op == FOLD_SUM || op == FOLD_PROD;
  const char *body = render(w, term_fold_body(tt, t), large ? BIND_PRODUCT : 0);
  Text out = text_new(tt->arena);
  if (large && guard == tt->true_)
    text_format(&out, "%s_{%s=%s}^{%s} ", heads[op], k, lo, render(w, term_sub(tt, hi, tt->one), 0));
  else {
    text_format(&out, "%s_{%s \\le %s < %s", heads[op], lo, k, render(w, hi, BIND_SUM));
    if (guard != tt->true_) text_format(&out, ",\\; %s", render(w, guard, 0));
    text_add(&out, "} ");
  }
  text_format(&out, large ? "%s" : "\\left(%s\\right)", body);
  return large ? wrap(w, text_string(&out), BIND_PRODUCT, bind) : text_string(&out);
}

static const char *cases(Latex *w, Term t) {
  Text out = text_new(w->tt->arena);
  text_add(&out, "\\begin{cases}");
  for (uint32_t n = 0; term_kind(w->tt, t) == TERM_SELECT && n < 40; n++, t = term_arg(w->tt, t, 2))
    text_format(&out, "%s & %s \\\\ ", render(w, term_arg(w->tt, t, 1), 0), render(w, term_arg(w->tt, t, 0), 0));
  text_format(&out, "%s & \\text{otherwise}\\end{cases}", render(w, t, 0));
  return text_string(&out);
}

static const char *function(Latex *w, Term t) {
  TermFn fn = (TermFn)term_aux(w->tt, t);
  if (fn == FN_EXP) return arena_format(w->tt->arena, "e^{%s}", render(w, term_arg(w->tt, t, 0), 0));
  return call(w, term_fn_name(fn), t);
}

/* A value that a recurrence carries; of an array an element. */
static const char *state(Latex *w, Term t) {
  uint32_t level = term_aux(w->tt, t) / RECUR_STATES, number = term_aux(w->tt, t) % RECUR_STATES;
  const char *index = term_count(w->tt, t) ? list(w, t, 0) : NULL;
  return arena_format(w->tt->arena, index ? "s_{%u,%u}[%s]" : "s_{%u,%u}", level, number, index);
}

/* s after n steps s := f(k, s); of an array, where it is read. */
static const char *recurrence(Latex *w, Term t) {
  TermTable *tt = w->tt;
  uint32_t n = term_recur_count(tt, t), lanes = term_recur_lanes(tt, t);
  Text out = text_new(tt->arena);
  text_format(&out, "\\operatorname{recur}_{%s < %s", render(w, term_recur_bound(tt, t), 0),
              render(w, term_arg(tt, t, 0), 0));
  for (uint32_t d = 0; d < lanes; d++)
    text_format(&out, ",\\; %s < %s", render(w, term_recur_lane(tt, t, d, 0), 0),
                render(w, term_recur_lane(tt, t, d, 1), 0));
  text_add(&out, "}\\left[");
  for (uint32_t i = 0; i < n; i++)
    text_format(&out, "%s%s := %s \\to %s", i ? ",\\; " : "", render(w, term_arg(tt, t, 2 * n + 2 + i), 0),
                render(w, term_arg(tt, t, 1 + i), 0), render(w, term_arg(tt, t, 1 + n + i), 0));
  Term own = term_arg(tt, t, 2 * n + 2 + term_aux(tt, t) % RECUR_STATES);
  text_format(&out, "\\right]_{s_{%u,%u}", term_aux(tt, own) / RECUR_STATES, term_aux(tt, own) % RECUR_STATES);
  for (uint32_t k = 0; k < term_count(tt, own); k++)
    for (uint32_t d = 0; d < lanes; d++)
      if (term_arg(tt, own, k) == term_recur_lane(tt, t, d, 0))
        text_format(&out, "%s%s", k ? ", " : "[", render(w, term_recur_lane(tt, t, d, 2), 0));
  text_add(&out, term_count(tt, own) ? "]}" : "}");
  return text_string(&out);
}

static const char *render_node(Latex *w, Term t, int bind) {
  TermTable *tt = w->tt;
  switch (term_kind(tt, t)) {
  case TERM_NONE:
  case TERM_KIND_COUNT: return "?";
  case TERM_RAT: return number(w, term_rat(tt, t), bind);
  case TERM_INF: return "\\infty";
  case TERM_NEG_INF: return wrap(w, "-\\infty", BIND_UNARY, bind);
  case TERM_NAN: return "\\mathrm{NaN}";
  case TERM_TRUE: return "\\top";
  case TERM_FALSE: return "\\bot";
  case TERM_SYM: return strlen(term_name(tt, t)) == 1 ? term_name(tt, t) : upright(w, "mathrm", term_name(tt, t));
  case TERM_BOUND: return term_aux(tt, t) == 1 ? "k" : arena_format(tt->arena, "k_{%u}", term_aux(tt, t));
  case TERM_UNDEF: return "\\text{undefined}";
  case TERM_READ:
    return arena_format(tt->arena, term_count(tt, t) > 1 ? "%s_{%s}" : "%s",
                        upright(w, "mathrm", term_name(tt, term_arg(tt, t, 0))), list(w, t, 1));
  case TERM_PTR: return "\\text{pointer}";
  case TERM_ADD: return sum(w, t, bind);
  case TERM_MUL: return wrap(w, product(w, rational_int(1), t), BIND_PRODUCT, bind);
  case TERM_FLOORDIV:
    return arena_format(tt->arena, "\\left\\lfloor \\frac{%s}{%s} \\right\\rfloor", render(w, term_arg(tt, t, 0), 0),
                        render(w, term_arg(tt, t, 1), 0));
  case TERM_MIN: return arena_format(tt->arena, "\\min\\left(%s\\right)", sorted(w, t, ", ", 0));
  case TERM_MAX: return arena_format(tt->arena, "\\max\\left(%s\\right)", sorted(w, t, ", ", 0));
  case TERM_ABS: return bracket(w, "|", t, "|");
  case TERM_FLOOR: return bracket(w, "\\lfloor", t, "\\rfloor");
  case TERM_CEIL: return bracket(w, "\\lceil", t, "\\rceil");
  case TERM_ROUND: return call(w, "round", t);
  case TERM_TRUNC: return call(w, "trunc", t);
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return comparison(w, t, false, bind);
  case TERM_IS_INF:
    return wrap(w, arena_format(tt->arena, "%s = \\infty", render(w, term_arg(tt, t, 0), BIND_SUM)), BIND_COMPARE,
                bind);
  case TERM_IS_NEG_INF:
    return wrap(w, arena_format(tt->arena, "%s = -\\infty", render(w, term_arg(tt, t, 0), BIND_SUM)), BIND_COMPARE,
                bind);
  case TERM_IS_NAN: return call(w, "isnan", t);
  case TERM_NOT:
    if (term_kind(tt, term_arg(tt, t, 0)) == TERM_EQ) return comparison(w, term_arg(tt, t, 0), true, bind);
    return arena_format(tt->arena, "\\lnot %s", render(w, term_arg(tt, t, 0), BIND_ATOM));
  case TERM_AND: return wrap(w, sorted(w, t, " \\land ", BIND_AND + 1), BIND_AND, bind);
  case TERM_OR: return wrap(w, sorted(w, t, " \\lor ", BIND_OR + 1), BIND_OR, bind);
  case TERM_SELECT: return cases(w, t);
  case TERM_FN: return function(w, t);
  case TERM_OPAQUE: return call(w, intern_string(tt->names, term_aux(tt, t)), t);
  case TERM_WRAP:
    return arena_format(tt->arena, "\\operatorname{wrap}_{%u}\\left(%s\\right)", term_aux(tt, t),
                        render(w, term_arg(tt, t, 0), 0));
  case TERM_FOLD: return fold(w, t, bind);
  case TERM_STATE: return state(w, t);
  case TERM_RECUR: return recurrence(w, t);
  }
  return "?";
}

static const char *render(Latex *w, Term t, int bind) {
  guard_tick(w->tt->arena->guard);
  if (w->depth > LATEX_DEPTH || w->written > LATEX_LIMIT) return "\\dots";
  w->depth++;
  const char *text = render_node(w, t, bind);
  w->depth--;
  if (term_kind(w->tt, t) == TERM_SYM || term_kind(w->tt, t) == TERM_READ) w->written += strlen(text); /* the leaves */
  return text;
}

const char *emit_latex(TermTable *tt, Term t) {
  Latex w = {.tt = tt};
  return render(&w, t, 0);
}

const char *emit_latex_name(TermTable *tt, const char *name) { return upright(&(Latex){.tt = tt}, "mathrm", name); }
