/* The three conditions with their quantifiers left in, as goals for the solver alone (see sequential.h).
 *
 * The output is an array over its index, before and after one program: functions from integers in SMT. The hypothesis
 * is "for all elements that are done, old(i) is the formula"; one program is "for all elements, new(i) is the value of
 * some lane that stores i, or no lane does and it is old(i)" (several lanes may: any of them wins, so that
 * the hypothesis never contradicts itself); the conclusion is refuted at one element. Which elements are done: those
 * below the bound of the outermost loop, or within what its iteration adds, below the bound of the next, and so on.
 *
 * Reads are functions of their offset, functions without laws; a fold is a function named after its text with the parts
 * that do not speak of its index taken out as arguments. Reals are the solver's only where no part may be infinite:
 * sums and products of others are functions without laws too. */
#include <string.h>

#include "prove/sequential.h"
#include "solve/smt.h"

enum { MOST_TEXT = 200000, MOST_FUNCTIONS = 96, MOST_ARGUMENTS = 24, EFFORT = 1000000 };
static const size_t MOST_MEMORY = (size_t)1 << 30;
/* EFFORT is a second or less of an idle machine for one condition, the time many times that: a busy machine gives the
 * same answer. */
static const double SECONDS = 15;

typedef struct Symbolic { /* a function without laws */
  const char *key;
  uint32_t number;
} Symbolic;

typedef struct Goal {
  const Sequential *s;
  TermTable *tt;
  Text declarations, assertions;
  Array(Symbolic) functions;
  Array(Term)
      symbols; /* that were met: the number is the name, so that a goal does not depend on what was done before it */
  Array(Term) declared;
  Array(Term) bound; /* by a quantifier: not declared */
  bool failed;
} Goal;

static void write(Goal *g, Text *out, Term t);

static uint32_t number_of(Goal *g, Term symbol) {
  for (uint32_t i = 0; i < g->symbols.count; i++)
    if (g->symbols.data[i] == symbol) return i;
  array_push(g->tt->arena, &g->symbols, symbol);
  return g->symbols.count - 1;
}

static const char *sort_name(TermSort sort) { return sort == SORT_REAL ? "Real" : sort == SORT_BOOL ? "Bool" : "Int"; }

/* An Int where a Real is wanted. */
static void write_as(Goal *g, Text *out, Term t, TermSort sort) {
  bool lifts = sort == SORT_REAL && term_sort(g->tt, t) == SORT_INT;
  if (lifts) text_add(out, "(to_real ");
  write(g, out, t);
  if (lifts) text_char(out, ')');
}

/* The function with that key and these arguments, declared at its first use. */
static void apply(Goal *g, Text *out, const char *key, TermSort result, uint32_t count, const Term *args,
                  bool keep_sorts) {
  Text whole = text_new(g->tt->arena);
  text_format(&whole, "%s:%s", key, sort_name(result));
  for (uint32_t i = 0; i < count; i++)
    text_format(&whole, ",%s", keep_sorts ? sort_name(term_sort(g->tt, args[i])) : "Real");
  uint32_t f = 0;
  while (f < g->functions.count && strcmp(g->functions.data[f].key, text_string(&whole))) f++;
  if (f == MOST_FUNCTIONS) {
    g->failed = true;
    return;
  }
  if (f == g->functions.count) {
    array_push(g->tt->arena, &g->functions, ((Symbolic){text_string(&whole), f}));
    text_format(&g->declarations, "(declare-fun f%u (", f);
    for (uint32_t i = 0; i < count; i++)
      text_format(&g->declarations, "%s ", keep_sorts ? sort_name(term_sort(g->tt, args[i])) : "Real");
    text_format(&g->declarations, ") %s)\n", sort_name(result));
  }
  text_format(out, count ? "(f%u" : "f%u", f);
  for (uint32_t i = 0; i < count; i++) {
    text_char(out, ' ');
    write_as(g, out, args[i], keep_sorts ? term_sort(g->tt, args[i]) : SORT_REAL);
  }
  if (count) text_char(out, ')');
}

/* Two numbers may have one decimal: keys need the exact fraction. */
static const char *exact_text(const Goal *g, Term number) {
  Text text = text_new(g->tt->arena);
  rational_print(term_rat(g->tt, number), false, &text);
  return text_string(&text);
}

/* ---- folds ---- */

typedef struct Shape { /* a term with the parts that are free of bound indices taken out */
  const char *key;
  uint32_t count;
  Term part[MOST_ARGUMENTS];
} Shape;

typedef struct Nest {
  uint32_t level[16], count;
} Nest; /* of the folds around, outermost first */

static bool is_closed(const TermTable *tt, Term t) { return !(term_node(tt, t)->free_mask >> 48); }

static bool is_literal(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_truth(kind) || kind == TERM_INF || kind == TERM_NEG_INF) return true;
  if (kind == TERM_SYM) return term_symbol(tt, t)->role == SYMBOL_TENSOR;
  return false;
}

static void take_part(Goal *g, Shape *shape, Term t) {
  if (shape->count == MOST_ARGUMENTS)
    g->failed = true;
  else
    shape->part[shape->count++] = t;
}

static Shape shape_of(Goal *g, Term t, Nest *nest);

static void join(Goal *g, Text *key, Shape *to, const Shape *from) {
  text_format(key, " %s", from->key);
  for (uint32_t i = 0; i < from->count; i++) take_part(g, to, from->part[i]);
}

/* The operands of a commutative operation in the order of their keys. */
static void join_sorted(Goal *g, Text *key, Shape *to, Shape *parts, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t k = i; k && strcmp(parts[k].key, parts[k - 1].key) < 0; k--) {
      Shape swap = parts[k];
      parts[k] = parts[k - 1], parts[k - 1] = swap;
    }
  for (uint32_t i = 0; i < count; i++) join(g, key, to, &parts[i]);
}

static Shape shape_of_operation(Goal *g, Term t, Nest *nest) {
  TermTable *tt = g->tt;
  TermKind kind = term_kind(tt, t);
  uint32_t n = term_count(tt, t), count = 0;
  Shape shape = {0}, *parts = arena_array(tt->arena, Shape, n + 1);
  Text key = text_new(tt->arena);
  text_format(&key, "(%d.%u.%d", kind,
              kind == TERM_FOLD                                             ? term_aux(tt, t)
              : kind == TERM_FN || kind == TERM_OPAQUE || kind == TERM_WRAP ? term_aux(tt, t)
                                                                            : 0,
              term_sort(tt, t));
  if (kind == TERM_ADD) {
    Term closed = tt->zero; /* of an integer sum: one argument for all that is free of the index */
    for (uint32_t i = 1; i < n; i += 2) {
      Term term = term_arg(tt, t, i + 1);
      if (term_sort(tt, t) == SORT_INT && is_closed(tt, term)) {
        closed = term_add(tt, closed, term_scale(tt, term_rat(tt, term_arg(tt, t, i)), term));
        continue;
      }
      Shape part = shape_of(g, term, nest);
      part.key = arena_format(tt->arena, "%s*%s", exact_text(g, term_arg(tt, t, i)), part.key);
      parts[count++] = part;
    }
    if (term_sort(tt, t) == SORT_INT) {
      parts[count++] = (Shape){.key = "?Int", .count = 1, .part = {term_add(tt, closed, term_arg(tt, t, 0))}};
    } else {
      text_format(&key, " %s", exact_text(g, term_arg(tt, t, 0)));
    }
    join_sorted(g, &key, &shape, parts, count);
  } else if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < n; i += 2) {
      parts[count] = shape_of(g, term_arg(tt, t, i), nest);
      parts[count].key = arena_format(tt->arena, "%s^%s", parts[count].key, exact_text(g, term_arg(tt, t, i + 1)));
      count++;
    }
    join_sorted(g, &key, &shape, parts, count);
  } else {
    bool binds = kind == TERM_FOLD,
         commutes = kind == TERM_MIN || kind == TERM_MAX || kind == TERM_AND || kind == TERM_OR;
    for (uint32_t i = 0; i < n; i++) { /* lo and hi of a fold do not see its index */
      if (binds && i == 2) nest->level[nest->count++] = term_aux(tt, term_fold_bound(tt, t));
      parts[count++] = shape_of(g, term_arg(tt, t, i), nest);
    }
    if (binds) nest->count--;
    if (commutes)
      join_sorted(g, &key, &shape, parts, count);
    else
      for (uint32_t i = 0; i < count; i++) join(g, &key, &shape, &parts[i]);
  }
  text_char(&key, ')');
  if (key.count > MOST_TEXT) g->failed = true;
  shape.key = text_string(&key);
  return shape;
}

static Shape shape_of(Goal *g, Term t, Nest *nest) {
  TermTable *tt = g->tt;
  guard_tick(tt->arena->guard);
  if (g->failed) return (Shape){.key = ""};
  if (term_is_rat(tt, t)) return (Shape){.key = exact_text(g, t)};
  if (is_literal(tt, t)) return (Shape){.key = arena_format(tt->arena, "l%u", t)};
  if (term_kind(tt, t) == TERM_BOUND) {
    uint32_t depth = nest->count;
    while (depth && nest->level[depth - 1] != term_aux(tt, t)) depth--;
    return (Shape){.key = arena_format(tt->arena, "b%u", depth)};
  }
  if (is_closed(tt, t))
    return (Shape){.key = arena_format(tt->arena, "?%s", sort_name(term_sort(tt, t))), .count = 1, .part = {t}};
  if (term_kind(tt, t) == TERM_UNDEF || term_kind(tt, t) == TERM_NAN || nest->count == 16) g->failed = true;
  return shape_of_operation(g, t, nest);
}

static void write_fold(Goal *g, Text *out, Term t) {
  Nest nest = {.count = 0};
  if (!is_closed(g->tt, t)) g->failed = true;
  if (g->failed) return;
  Shape shape = shape_of_operation(g, t, &nest);
  apply(g, out, shape.key, term_sort(g->tt, t), shape.count, shape.part, true);
}

/* ---- other terms ---- */

static void write_number(Text *out, Rational r, TermSort sort) {
  Text top = text_new(out->arena), bottom = text_new(out->arena);
  rational_print((Rational){r.num < 0 ? -r.num : r.num, 1}, false, &top);
  rational_print((Rational){r.den, 1}, false, &bottom);
  const char *point = sort == SORT_REAL ? ".0" : "";
  if (r.num < 0) text_add(out, "(- ");
  if (r.den != 1)
    text_format(out, "(/ %s.0 %s.0)", text_string(&top), text_string(&bottom));
  else
    text_format(out, "%s%s", text_string(&top), point);
  if (r.num < 0) text_char(out, ')');
}

static void write_symbol(Goal *g, Text *out, Term t) {
  TermTable *tt = g->tt;
  text_format(out, "s%u", number_of(g, t));
  for (uint32_t i = 0; i < g->bound.count; i++)
    if (g->bound.data[i] == t) return;
  for (uint32_t i = 0; i < g->declared.count; i++)
    if (g->declared.data[i] == t) return;
  array_push(tt->arena, &g->declared, t);
  text_format(&g->declarations, "(declare-fun s%u () %s)\n", number_of(g, t), sort_name(term_sort(tt, t)));
  Term lo = term_symbol(tt, t)->lo, hi = term_symbol(tt, t)->hi;
  for (int side = 0; side < 2 && term_sort(tt, t) == SORT_INT; side++) {
    Term bound = side ? hi : lo;
    if (!bound) continue;
    Text text = text_new(tt->arena);
    text_format(&text, side ? "(assert (<= s%u " : "(assert (>= s%u ", number_of(g, t));
    write(g, &text, bound);
    text_format(&g->assertions, "%s))\n", text_string(&text));
  }
}

static bool all_finite(TermTable *tt, Term t) {
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (term_sort(tt, term_arg(tt, t, i)) == SORT_REAL && !term_is_finite(tt, term_arg(tt, t, i))) return false;
  return true;
}

/* A real operation where an infinity may come in: nothing is known of it. */
static void write_lawless(Goal *g, Text *out, Term t) {
  TermTable *tt = g->tt;
  TermKind kind = term_kind(tt, t);
  Text key = text_new(tt->arena);
  uint32_t n = term_count(tt, t), count = 0;
  Term args[MOST_ARGUMENTS];
  text_format(&key, "%d", kind);
  for (uint32_t i = 0; i < n; i++) {
    bool number = (kind == TERM_ADD && (i == 0 || i % 2)) || (kind == TERM_MUL && i % 2);
    if (number)
      text_format(&key, "_%s", exact_text(g, term_arg(tt, t, i)));
    else if (count == MOST_ARGUMENTS)
      g->failed = true;
    else
      args[count++] = term_arg(tt, t, i);
  }
  if (!g->failed) apply(g, out, text_string(&key), term_sort(tt, t), count, args, false);
}

static void write_each(Goal *g, Text *out, const char *name, Term t, TermSort sort) {
  text_format(out, "(%s", name);
  for (uint32_t i = 0; i < term_count(g->tt, t); i++) {
    text_char(out, ' ');
    write_as(g, out, term_arg(g->tt, t, i), sort);
  }
  text_char(out, ')');
}

static void write_sum(Goal *g, Text *out, Term t) {
  TermSort sort = term_sort(g->tt, t);
  text_add(out, "(+ ");
  write_number(out, term_rat(g->tt, term_arg(g->tt, t, 0)), sort);
  for (uint32_t i = 1; i < term_count(g->tt, t); i += 2) {
    text_add(out, " (* ");
    write_number(out, term_rat(g->tt, term_arg(g->tt, t, i)), sort);
    text_char(out, ' ');
    write_as(g, out, term_arg(g->tt, t, i + 1), sort);
    text_char(out, ')');
  }
  text_char(out, ')');
}

static void write_product(Goal *g, Text *out, Term t) {
  TermTable *tt = g->tt;
  text_add(out, term_sort(tt, t) == SORT_REAL ? "(* 1.0" : "(* 1");
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    text_char(out, ' ');
    if (e.den != 1 || e.num < 1 || e.num > 4) {
      const char *key = arena_format(tt->arena, "power_%s", exact_text(g, term_arg(tt, t, i + 1)));
      apply(g, out, key, SORT_REAL, 1, &base, false);
      continue;
    }
    for (Int128 k = 0; k < e.num; k++) {
      text_char(out, ' ');
      write_as(g, out, base, term_sort(tt, t));
    }
  }
  text_char(out, ')');
}

static void write_extremum(Goal *g, Text *out, Term t, uint32_t from) {
  TermTable *tt = g->tt;
  Text rest = text_new(tt->arena), first = text_new(tt->arena);
  write_as(g, &first, term_arg(tt, t, from), term_sort(tt, t));
  if (from + 1 == term_count(tt, t)) {
    text_add(out, text_string(&first));
    return;
  }
  write_extremum(g, &rest, t, from + 1);
  text_format(out, "(ite (%s %s %s) %s %s)", term_kind(tt, t) == TERM_MIN ? "<=" : ">=", text_string(&first),
              text_string(&rest), text_string(&first), text_string(&rest));
}

static void write_comparison(Goal *g, Text *out, const char *name, Term t) {
  TermTable *tt = g->tt;
  bool real = term_sort(tt, term_arg(tt, t, 0)) == SORT_REAL ||
              (term_count(tt, t) == 2 && term_sort(tt, term_arg(tt, t, 1)) == SORT_REAL);
  if (real && !all_finite(tt, t)) {
    write_lawless(g, out, t);
    return;
  }
  text_format(out, "(%s ", name);
  write_as(g, out, term_arg(tt, t, 0), real ? SORT_REAL : SORT_INT);
  text_char(out, ' ');
  if (term_count(tt, t) == 2)
    write_as(g, out, term_arg(tt, t, 1), real ? SORT_REAL : SORT_INT);
  else
    text_add(out, real ? "0.0" : "0");
  text_char(out, ')');
}

static void write_function(Goal *g, Text *out, Term t, uint32_t first) {
  TermTable *tt = g->tt;
  Term args[MOST_ARGUMENTS];
  uint32_t n = term_count(tt, t) - first;
  if (n > MOST_ARGUMENTS) {
    g->failed = true;
    return;
  }
  for (uint32_t i = 0; i < n; i++) args[i] = term_arg(tt, t, i + first);
  const char *key = first ? arena_format(tt->arena, "read%u", term_arg(tt, t, 0))
                          : arena_format(tt->arena, "fn%d_%u", term_kind(tt, t), term_aux(tt, t));
  apply(g, out, key, term_sort(tt, t), n, args, true);
}

static void write(Goal *g, Text *out, Term t) {
  TermTable *tt = g->tt;
  guard_tick(tt->arena->guard);
  if (out->count > MOST_TEXT) g->failed = true;
  if (g->failed) return;
  TermKind kind = term_kind(tt, t);
  bool real = term_sort(tt, t) == SORT_REAL;
  switch (kind) {
  case TERM_RAT: write_number(out, term_rat(tt, t), term_sort(tt, t)); return;
  case TERM_TRUE: text_add(out, "true"); return;
  case TERM_FALSE: text_add(out, "false"); return;
  case TERM_SYM: write_symbol(g, out, t); return;
  case TERM_INF:
  case TERM_NEG_INF: apply(g, out, kind == TERM_INF ? "inf" : "-inf", SORT_REAL, 0, NULL, false); return;
  case TERM_ADD:
  case TERM_MUL:
    if (real && !all_finite(tt, t))
      write_lawless(g, out, t);
    else if (kind == TERM_ADD)
      write_sum(g, out, t);
    else
      write_product(g, out, t);
    return;
  case TERM_MIN:
  case TERM_MAX:
    if (real && !all_finite(tt, t))
      write_lawless(g, out, t);
    else
      write_extremum(g, out, t, 0);
    return;
  case TERM_FLOORDIV:
    if (term_prove_lt(tt, tt->zero, term_arg(tt, t, 1)))
      write_each(g, out, "div", t, SORT_INT);
    else
      write_function(g, out, t, 0);
    return;
  case TERM_SELECT:
    text_add(out, "(ite ");
    write(g, out, term_arg(tt, t, 0));
    for (uint32_t i = 1; i < 3; i++) {
      text_char(out, ' ');
      write_as(g, out, term_arg(tt, t, i), term_sort(tt, t));
    }
    text_char(out, ')');
    return;
  case TERM_LE: write_comparison(g, out, "<=", t); return;
  case TERM_LT: write_comparison(g, out, "<", t); return;
  case TERM_EQ: write_comparison(g, out, "=", t); return;
  case TERM_NOT: write_each(g, out, "not", t, SORT_BOOL); return;
  case TERM_AND: write_each(g, out, "and", t, SORT_BOOL); return;
  case TERM_OR: write_each(g, out, "or", t, SORT_BOOL); return;
  case TERM_READ: write_function(g, out, t, 1); return;
  case TERM_FN:
  case TERM_OPAQUE:
  case TERM_WRAP:
  case TERM_ABS:
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC:
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN: write_function(g, out, t, 0); return;
  case TERM_FOLD: write_fold(g, out, t); return;
  case TERM_NONE:
  case TERM_NAN:
  case TERM_UNDEF:
  case TERM_PTR:
  case TERM_BOUND:
  case TERM_STATE:
  case TERM_RECUR:
  case TERM_KIND_COUNT: g->failed = true; return;
  }
}

/* ---- the conditions ---- */

/* A condition with symbols that a quantifier binds. */
static const char *text_of(Goal *g, Term t, uint32_t count, const Term *bound) {
  Text out = text_new(g->tt->arena);
  for (uint32_t i = 0; i < count; i++) array_push(g->tt->arena, &g->bound, bound[i]);
  write(g, &out, t);
  g->bound.count -= count;
  return text_string(&out);
}

/* lo <= s <= hi of a symbol that a quantifier binds: the constructors would find it true. */
static const char *range_text(Goal *g, Term symbol, uint32_t count, const Term *bound) {
  Term lo = term_symbol(g->tt, symbol)->lo, hi = term_symbol(g->tt, symbol)->hi;
  Text text = text_new(g->tt->arena);
  text_format(&text, "(<= %s s%u)", lo ? text_of(g, lo, count, bound) : "0", number_of(g, symbol));
  if (hi) text_format(&text, " (<= s%u %s)", number_of(g, symbol), text_of(g, hi, count, bound));
  return text_string(&text);
}

/* "(s1 Int) (s2 Int)" */
static const char *binders(Goal *g, uint32_t count, const Term *symbols) {
  Text text = text_new(g->tt->arena);
  for (uint32_t i = 0; i < count; i++) text_format(&text, "(s%u Int) ", number_of(g, symbols[i]));
  return text_string(&text);
}

static uint32_t rank_of(const Goal *g) { return g->s->site->output->rank; }
static const Term *element_of(const Goal *g) { return g->s->site->output->index; }

/* "(old s1 s2)" */
static const char *element_text(Goal *g, const char *array) {
  Text text = text_new(g->tt->arena);
  if (!rank_of(g)) return array;
  text_format(&text, "(%s", array);
  for (uint32_t d = 0; d < rank_of(g); d++) text_format(&text, " s%u", number_of(g, element_of(g)[d]));
  text_char(&text, ')');
  return text_string(&text);
}

static TermSort element_sort(const Goal *g) {
  TermSort stored = term_sort(g->tt, g->s->value), claimed = term_sort(g->tt, g->s->claim);
  return stored == claimed ? stored : SORT_REAL;
}

/* The element lies in the region, and is done. */
static const char *done_text(Goal *g, Term done, uint32_t count, const Term *bound) {
  Text text = text_new(g->tt->arena);
  text_add(&text, "(and true");
  for (uint32_t d = 0; d < rank_of(g); d++) text_format(&text, " %s", range_text(g, element_of(g)[d], count, bound));
  text_format(&text, " %s %s)", text_of(g, g->s->site->region, count, bound), text_of(g, done, count, bound));
  return text_string(&text);
}

static const char *claim_text(Goal *g, const char *array, uint32_t count, const Term *bound) {
  Text value = text_new(g->tt->arena);
  for (uint32_t i = 0; i < count; i++) array_push(g->tt->arena, &g->bound, bound[i]);
  write_as(g, &value, g->s->claim, element_sort(g));
  g->bound.count -= count;
  return arena_format(g->tt->arena, "(= %s %s)", element_text(g, array), text_string(&value));
}

/* (forall (...) body), with the element of the array as its trigger. */
static void assert_for_all_elements(Goal *g, const char *array, const char *body) {
  if (!rank_of(g))
    text_format(&g->assertions, "(assert %s)\n", body);
  else
    text_format(&g->assertions, "(assert (forall (%s) (! %s :pattern (%s))))\n", binders(g, rank_of(g), element_of(g)),
                body, element_text(g, array));
}

static void assert_invariant(Goal *g, Term done) {
  uint32_t n = rank_of(g);
  const char *premise = done_text(g, done, n, element_of(g)), *claim = claim_text(g, "old", n, element_of(g));
  if (done != g->tt->false_)
    assert_for_all_elements(g, "old", arena_format(g->tt->arena, "(=> %s %s)", premise, claim));
}

/* The index of the store is that of the element; solved for a lane, which is what the solver eliminates quantifiers by.
 */
static const char *equation_text(Goal *g, uint32_t d, uint32_t count, const Term *bound) {
  TermTable *tt = g->tt;
  Term index = g->s->index[d], i = element_of(g)[d];
  for (uint32_t k = 0; k < g->s->lane_count; k++) {
    Term lane = g->s->lane[k], rest = term_sub(tt, index, lane);
    if (!term_has_symbol(tt, rest, lane))
      return arena_format(tt->arena, "(= s%u %s)", number_of(g, lane), text_of(g, term_sub(tt, i, rest), count, bound));
  }
  return arena_format(tt->arena, "(= %s s%u)", text_of(g, index, count, bound), number_of(g, i));
}

/* What one program does to the array. */
static void assert_program(Goal *g) {
  const Sequential *s = g->s;
  TermTable *tt = g->tt;
  uint32_t n = rank_of(g), count = n + s->lane_count;
  Term *bound = arena_array(tt->arena, Term, count + 1);
  for (uint32_t i = 0; i < count; i++) bound[i] = i < n ? element_of(g)[i] : s->lane[i - n];
  Text stores = text_new(tt->arena), value = text_new(tt->arena);
  text_add(&stores, "(and true");
  for (uint32_t i = 0; i < s->lane_count; i++) text_format(&stores, " %s", range_text(g, s->lane[i], count, bound));
  text_format(&stores, " %s", text_of(g, term_and(tt, s->mask, s->exists), count, bound));
  for (uint32_t d = 0; d < n; d++) text_format(&stores, " %s", equation_text(g, d, count, bound));
  text_char(&stores, ')');
  for (uint32_t i = 0; i < count; i++) array_push(tt->arena, &g->bound, bound[i]);
  write_as(g, &value, s->value, element_sort(g));
  g->bound.count -= count;
  const char *lanes = binders(g, s->lane_count, s->lane),
             *some = s->lane_count ? arena_format(tt->arena, "(exists (%s) ", lanes) : "(and ";
  const char *every = s->lane_count ? arena_format(tt->arena, "(forall (%s) ", lanes) : "(and ",
             *before = element_text(g, "old"), *after = element_text(g, "new");
  assert_for_all_elements(g, "new",
                          arena_format(tt->arena, "(or %s(and %s (= %s %s))) (and (= %s %s) %s(not %s))))", some,
                                       text_string(&stores), after, text_string(&value), after, before, every,
                                       text_string(&stores)));
}

static void assert_facts(Goal *g) {
  for (uint32_t i = 0; i < g->tt->facts.count; i++) {
    Term fact = g->tt->facts.data[i];
    if (!is_closed(g->tt, fact)) continue;
    const char *text = text_of(g, fact, 0, NULL);
    if (!g->failed) text_format(&g->assertions, "(assert %s)\n", text);
    g->failed = false; /* a fact that has no text is one less */
  }
}

/* From the invariant for the elements of `given`, after one program or none: that for the elements of `done`. */
static bool holds(const Sequential *s, Term given, bool program, Term done) {
  TermTable *tt = s->p->tt;
  Goal *g = arena_new(tt->arena, Goal);
  *g = (Goal){.s = s, .tt = tt, .declarations = text_new(tt->arena), .assertions = text_new(tt->arena)};
  for (int k = 0; k < 2; k++) {
    text_format(&g->declarations, "(declare-fun %s (", k ? "new" : "old");
    for (uint32_t d = 0; d < rank_of(g); d++) text_add(&g->declarations, "Int ");
    text_format(&g->declarations, ") %s)\n", sort_name(element_sort(g)));
  }
  for (uint32_t d = 0; d < rank_of(g); d++) number_of(g, element_of(g)[d]);
  for (uint32_t i = 0; i < s->lane_count; i++) number_of(g, s->lane[i]);
  assert_facts(g);
  assert_invariant(g, given);
  if (program) assert_program(g);
  Text element = text_new(tt->arena); /* of the conclusion: constants */
  for (uint32_t d = 0; d < rank_of(g); d++) write(g, &element, element_of(g)[d]);
  const char *premise = done_text(g, done, 0, NULL), *claim = claim_text(g, program ? "new" : "old", 0, NULL);
  if (g->failed) return false;
  Text script = text_new(tt->arena);
  text_format(&script, "%s%s(assert %s)\n(assert (not %s))\n(check-sat)\n", text_string(&g->declarations),
              text_string(&g->assertions), premise, claim);
  SmtOptions options = {.timeout_seconds = SECONDS,
                        .effort = EFFORT,
                        .no_steps = true,
                        .route = SMT_ROUTE_QUANTIFIED,
                        .memory_bytes =
                            tt->arena->guard->bytes_limit < MOST_MEMORY ? tt->arena->guard->bytes_limit : MOST_MEMORY};
  return smt_solve(tt->arena, text_string(&script), &options).answer == SMT_UNSAT;
}

/* The elements that are done when loop `stop - 1` is at `last` and the ones outside of it at their counters; `base`
 * says it of what the loops from `stop` on are to add. */
static Term done(const Sequential *s, uint32_t k, uint32_t stop, Term last, Term base) {
  TermTable *tt = s->p->tt;
  if (k == stop) return base;
  const SequentialLevel *level = &s->level[k];
  Term c = k + 1 == stop && last ? last : level->counter, inner = done(s, k + 1, stop, last, base);
  if (level->axis < 0) return term_or(tt, term_le(tt, tt->one, c), inner);
  Term i = s->site->output->index[level->axis], next = sequential_bound(s, k, term_add(tt, c, tt->one));
  return term_or(tt, term_lt(tt, i, sequential_bound(s, k, c)), term_and(tt, term_lt(tt, i, next), inner));
}

/* No order of the programs matters: what one of them stores is done after it. */
static bool prove_order_free(Sequential *s) {
  TermTable *tt = s->p->tt;
  Term before = tt->true_;
  EqualEngine engine;
  for (uint32_t k = 0; k < s->level_count; k++) {
    const SequentialLevel *level = &s->level[k];
    if (level->axis >= 0)
      before =
          term_and(tt, before,
                   term_lt(tt, s->index[level->axis], sequential_bound(s, k, term_add(tt, level->counter, tt->one))));
  }
  bool good = sequential_follows(s, term_and(tt, s->mask, s->exists), before, &engine);
  return prove_goal(s->p, good, engine, "%s: %s: a program stores no element of a later one",
                    execute_where(s->p->ex, s->site->access->op), s->site->tensor->name);
}

bool sequential_prove_template(Sequential *s) {
  TermTable *tt = s->p->tt;
  const char *where = execute_where(s->p->ex, s->site->access->op), *name = s->site->tensor->name;
  bool good = prove_order_free(s);
  for (uint32_t k = 0; k < s->level_count && good; k++) {
    const char *counter = term_name(tt, s->level[k].counter);
    bool initial = holds(s, done(s, 0, k, 0, tt->false_), false, done(s, 0, k + 1, tt->zero, tt->false_));
    good = prove_goal(s->p, initial, initial ? EQUAL_SMT : EQUAL_NONE, "%s: %s: for all elements, %s at 0 (initial)",
                      where, name, counter);
    if (!good) break;
    bool exit = holds(s, done(s, 0, k + 1, s->level[k].count, tt->false_), false, done(s, 0, k, 0, tt->true_));
    good = prove_goal(s->p, exit, exit ? EQUAL_SMT : EQUAL_NONE, "%s: %s: for all elements, %s at its end (exit)",
                      where, name, counter);
  }
  if (!good) return false;
  bool step = holds(s, done(s, 0, s->level_count, 0, tt->false_), true, done(s, 0, s->level_count, 0, tt->true_));
  return prove_goal(s->p, step, step ? EQUAL_SMT : EQUAL_NONE, "%s: %s: for all elements and lanes, one program (step)",
                    where, name);
}
