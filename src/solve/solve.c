/* Conditions as SMT-LIB (see solve.h). */
#include "solve/solve.h"

#include "solve/smt.h"

/* EFFORT, in the solver's own steps, ends an attempt (within about half a second of an idle machine); time, which is
 * PATIENCE times what is asked for, only one that does not count: so answers do not depend on the machine. */
enum { MOST_SYMBOLS = 96, MOST_TEXT = 60000, MOST_PRODUCTS = 12, EFFORT = 1000000, PATIENCE = 60 };

typedef struct Solve {
  TermTable *tt;
  Text declarations, assertions;
  Term declared[MOST_SYMBOLS];
  uint32_t count;
  bool failed;
  bool is_linear; /* products and quotients of symbols are constants, of which lemmas say something */
  Term products[MOST_PRODUCTS], quotients[MOST_PRODUCTS];
  uint32_t product_count, quotient_count;
} Solve;

static void write(Solve *s, Text *out, Term t);

static void fail(Solve *s, Text *out) {
  s->failed = true;
  text_add(out, "0");
}

static void number(Text *out, Rational r) {
  Text digits = text_new(out->arena);
  rational_print((Rational){r.num < 0 ? -r.num : r.num, 1}, false, &digits);
  Text bottom = text_new(out->arena);
  rational_print((Rational){r.den, 1}, false, &bottom);
  if (r.num < 0) text_add(out, "(- ");
  if (r.den != 1)
    text_format(out, "(/ %s.0 %s.0)", text_string(&digits), text_string(&bottom));
  else
    text_add(out, text_string(&digits));
  if (r.num < 0) text_char(out, ')');
}

/* The constant of a wrap: in its range, and what is wrapped where that is in the range. */
static void wrapped(Solve *s, Term t) {
  TermTable *tt = s->tt;
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (term_aux(tt, t) - 1), 1});
  Text exact = text_new(tt->arena), least = text_new(tt->arena), limit = text_new(tt->arena);
  write(s, &exact, term_arg(tt, t, 0));
  number(&least, term_rat(tt, term_neg(tt, half))), number(&limit, term_rat(tt, half));
  const char *x = text_string(&exact), *lo = text_string(&least), *hi = text_string(&limit);
  text_format(&s->assertions, "(assert (and (<= %s c%u) (< c%u %s)))\n", lo, t, t, hi);
  text_format(&s->assertions, "(assert (=> (and (<= %s %s) (< %s %s)) (= c%u %s)))\n", lo, x, x, hi, t, x);
}

/* A constant for t: a symbol, with its range, or something whose inside is not told. */
static void constant(Solve *s, Text *out, Term t) {
  TermTable *tt = s->tt;
  text_format(out, "c%u", t);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->declared[i] == t) return;
  if (s->count == MOST_SYMBOLS || term_node(tt, t)->free_mask >> 48) {
    s->failed = true;
    return;
  }
  s->declared[s->count++] = t;
  static const char *const sorts[] = {"Int", "Real", "Bool", "Int"};
  text_format(&s->declarations, "(declare-const c%u %s)\n", t, sorts[term_sort(tt, t)]);
  if (term_kind(tt, t) == TERM_WRAP && term_aux(tt, t) < 127) wrapped(s, t);
  if (term_kind(tt, t) != TERM_SYM || term_sort(tt, t) != SORT_INT) return;
  Term lo = term_symbol(tt, t)->lo, hi = term_symbol(tt, t)->hi;
  Text range = text_new(tt->arena);
  if (lo) {
    text_add(&range, "(assert (<= ");
    write(s, &range, lo);
    text_format(&range, " c%u))\n", t);
  }
  if (hi) {
    text_format(&range, "(assert (<= c%u ", t);
    write(s, &range, hi);
    text_add(&range, "))\n");
  }
  text_add(&s->assertions, text_string(&range));
}

static void operation(Solve *s, Text *out, const char *name, Term t) {
  text_format(out, "(%s", name);
  for (uint32_t i = 0; i < term_count(s->tt, t); i++) {
    text_char(out, ' ');
    write(s, out, term_arg(s->tt, t, i));
  }
  text_char(out, ')');
}

static void sum(Solve *s, Text *out, Term t) {
  text_add(out, "(+ ");
  number(out, term_rat(s->tt, term_arg(s->tt, t, 0)));
  for (uint32_t i = 1; i < term_count(s->tt, t); i += 2) {
    text_add(out, " (* ");
    number(out, term_rat(s->tt, term_arg(s->tt, t, i)));
    text_char(out, ' ');
    write(s, out, term_arg(s->tt, t, i + 1));
    text_char(out, ')');
  }
  text_char(out, ')');
}

/* Each once; what is too much is left out. */
static void note(Term t, Term *seen, uint32_t *count) {
  for (uint32_t i = 0; i < *count; i++)
    if (seen[i] == t) return;
  if (*count < MOST_PRODUCTS) seen[(*count)++] = t;
}

static void product(Solve *s, Text *out, Term t) {
  note(t, s->products, &s->product_count);
  if (s->is_linear) {
    constant(s, out, t);
    return;
  }
  for (uint32_t i = 1; i < term_count(s->tt, t); i += 2) {
    Rational e = term_rat(s->tt, term_arg(s->tt, t, i));
    if (e.den != 1 || e.num < 1 || e.num > 4) {
      constant(s, out, t);
      return;
    }
  }
  text_add(out, "(*");
  for (uint32_t i = 0; i < term_count(s->tt, t); i += 2)
    for (Int128 k = 0; k < term_rat(s->tt, term_arg(s->tt, t, i + 1)).num; k++) {
      text_char(out, ' ');
      write(s, out, term_arg(s->tt, t, i));
    }
  text_add(out, " 1)");
}

/* min(a, b, ...) by cases. */
static void extremum(Solve *s, Text *out, Term t, uint32_t from) {
  const char *compare = term_kind(s->tt, t) == TERM_MIN ? "<=" : ">=";
  if (from + 1 == term_count(s->tt, t)) {
    write(s, out, term_arg(s->tt, t, from));
    return;
  }
  Text rest = text_new(s->tt->arena), first = text_new(s->tt->arena);
  write(s, &first, term_arg(s->tt, t, from));
  extremum(s, &rest, t, from + 1);
  text_format(out, "(ite (%s %s %s) %s %s)", compare, text_string(&first), text_string(&rest), text_string(&first),
              text_string(&rest));
}

static void comparison(Solve *s, Text *out, const char *name, Term t) {
  if (term_sort(s->tt, term_arg(s->tt, t, 0)) !=
      SORT_INT) { /* of reals, which may be infinite: a truth value of its own */
    constant(s, out, t);
    return;
  }
  text_format(out, "(%s ", name);
  write(s, out, term_arg(s->tt, t, 0));
  if (term_count(s->tt, t) == 2) {
    text_char(out, ' ');
    write(s, out, term_arg(s->tt, t, 1));
  } else
    text_add(out, " 0");
  text_char(out, ')');
}

static void write(Solve *s, Text *out, Term t) {
  TermTable *tt = s->tt;
  guard_tick(tt->arena->guard);
  if (out->count > MOST_TEXT || s->failed) {
    fail(s, out);
    return;
  }
  if (term_sort(tt, t) == SORT_REAL && !term_is_rat(tt, t)) { /* only integers keep their structure */
    constant(s, out, t);
    return;
  }
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT)
    number(out, term_rat(tt, t));
  else if (kind == TERM_TRUE)
    text_add(out, "true");
  else if (kind == TERM_FALSE)
    text_add(out, "false");
  else if (kind == TERM_ADD)
    sum(s, out, t);
  else if (kind == TERM_MUL)
    product(s, out, t);
  else if (kind == TERM_FLOORDIV) {
    /* div rounds down for a positive divisor */
    bool is_symbolic = !term_is_rat(tt, term_arg(tt, t, 1));
    bool is_positive = term_prove_lt(tt, tt->zero, term_arg(tt, t, 1));
    if (is_symbolic && is_positive) note(t, s->quotients, &s->quotient_count);
    if (is_positive && !(is_symbolic && s->is_linear))
      operation(s, out, "div", t);
    else
      constant(s, out, t);
  } else if (term_kind_is_extremum(kind))
    extremum(s, out, t, 0);
  else if (kind == TERM_SELECT)
    operation(s, out, "ite", t);
  else if (kind == TERM_LE)
    comparison(s, out, "<=", t);
  else if (kind == TERM_LT)
    comparison(s, out, "<", t);
  else if (kind == TERM_EQ)
    comparison(s, out, "=", t);
  else if (kind == TERM_NOT)
    operation(s, out, "not", t);
  else if (kind == TERM_AND)
    operation(s, out, "and", t);
  else if (kind == TERM_OR)
    operation(s, out, "or", t);
  else if (term_kind_is_special(kind) || kind == TERM_UNDEF)
    fail(s, out);
  else
    constant(s, out, t);
}

/* Integers only: comparisons of reals may speak of infinities, which SMT's reals do not have. */
static bool is_integer_condition(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_comparison(kind)) return term_sort(tt, term_arg(tt, t, 0)) == SORT_INT;
  if (term_kind_is_connective(kind)) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!is_integer_condition(tt, term_arg(tt, t, i))) return false;
    return true;
  }
  return false;
}

/* The number that the model gives a symbol; one that it leaves out may be any in its range. */
static Term value_of(TermTable *tt, const char *model, Term symbol) {
  Rational value;
  if (smt_model_rational(tt->arena, model, arena_format(tt->arena, "c%u", symbol), &value))
    return term_new_rat(tt, value);
  Term lo = term_symbol(tt, symbol)->lo;
  return lo && term_is_rat(tt, lo) ? lo : tt->zero;
}

static size_t memory_for(const Guard *guard) {
  const size_t most = (size_t)1 << 30;
  return guard->bytes_limit < most ? guard->bytes_limit : most;
}

/* ---- lemmas of products, which are constants in a linear question: all of them hold for all integers */

static bool factors_of(const TermTable *tt, Term product, Term *x, Term *y) {
  uint32_t n = term_count(tt, product);
  if (n != 2 && n != 4) return false;
  for (uint32_t i = 1; i < n; i += 2) {
    Rational e = term_rat(tt, term_arg(tt, product, i));
    if (e.den != 1 || e.num != 4 / (int)n) return false;
  }
  *x = term_arg(tt, product, 0), *y = term_arg(tt, product, n - 2);
  return true;
}

static const char *written(Solve *s, Term t) {
  Text text = text_new(s->tt->arena);
  write(s, &text, t);
  return text_string(&text);
}

/* p = x*y, by what x is. */
static void lemmas_of_factor(Solve *s, const char *p, const char *x, const char *y) {
  text_format(&s->assertions, "(assert (=> (= %s 0) (= %s 0)))\n", x, p);
  text_format(&s->assertions, "(assert (=> (and (>= %s 1) (>= %s 0)) (>= %s %s)))\n", x, y, p, y);
  text_format(&s->assertions, "(assert (=> (and (>= %s 1) (<= %s 0)) (<= %s %s)))\n", x, y, p, y);
  text_format(&s->assertions, "(assert (=> (and (<= %s (- 1)) (>= %s 0)) (<= %s (- %s))))\n", x, y, p, y);
  text_format(&s->assertions, "(assert (=> (and (<= %s (- 1)) (<= %s 0)) (>= %s (- %s))))\n", x, y, p, y);
}

/* p = x*z, q = y*z, in the order of x and y. */
static void lemmas_of_order(Solve *s, const char *p, const char *q, const char *x, const char *y, const char *z) {
  text_format(&s->assertions, "(assert (=> (= %s %s) (= %s %s)))\n", x, y, p, q);
  text_format(&s->assertions, "(assert (=> (and (< %s %s) (>= %s 0)) (<= (+ %s %s) %s)))\n", x, y, z, p, z, q);
  text_format(&s->assertions, "(assert (=> (and (< %s %s) (<= %s 0)) (>= (+ %s %s) %s)))\n", x, y, z, p, z, q);
}

static void lemmas_of_pair(Solve *s, Term p, Term q) {
  TermTable *tt = s->tt;
  Term a[2], b[2];
  if (!factors_of(tt, p, &a[0], &a[1]) || !factors_of(tt, q, &b[0], &b[1])) return;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      if (a[i] != b[k]) continue;
      const char *x = written(s, a[1 - i]), *y = written(s, b[1 - k]), *z = written(s, a[i]);
      lemmas_of_order(s, written(s, p), written(s, q), x, y, z);
      lemmas_of_order(s, written(s, q), written(s, p), y, x, z);
      return;
    }
}

static void add_lemmas(Solve *s) {
  TermTable *tt = s->tt;
  for (uint32_t i = 0; i < s->quotient_count; i++) { /* q*d <= a < q*d + d */
    Term q = s->quotients[i], a = term_arg(tt, q, 0), d = term_arg(tt, q, 1), back = term_mul(tt, q, d);
    text_format(&s->assertions, "(assert (<= %s %s))\n", written(s, back), written(s, a));
    text_format(&s->assertions, "(assert (< %s (+ %s %s)))\n", written(s, a), written(s, back), written(s, d));
  }
  for (uint32_t i = 0; i < s->product_count; i++) {
    Term x, y;
    if (!factors_of(tt, s->products[i], &x, &y)) continue;
    lemmas_of_factor(s, written(s, s->products[i]), written(s, x), written(s, y));
    lemmas_of_factor(s, written(s, s->products[i]), written(s, y), written(s, x));
    for (uint32_t k = 0; k < i; k++) lemmas_of_pair(s, s->products[i], s->products[k]);
  }
}

/* The question; NULL: it cannot be written. */
static const char *script_of(Solve *s, Term condition) {
  TermTable *tt = s->tt;
  Text goal = text_new(tt->arena);
  write(s, &goal, condition);
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term fact = tt->facts.data[i];
    if (!is_integer_condition(tt, fact) || term_node(tt, fact)->free_mask >> 48) continue;
    Text text = text_new(tt->arena);
    write(s, &text, fact);
    text_format(&s->assertions, "(assert %s)\n", text_string(&text));
  }
  if (s->is_linear) add_lemmas(s);
  if (s->failed) return NULL;
  Text script = text_new(tt->arena);
  text_format(&script, "%s%s(assert %s)\n(check-sat)\n", text_string(&s->declarations), text_string(&s->assertions),
              text_string(&goal));
  return text_string(&script);
}

static Solve *solve_new(TermTable *tt, bool is_linear) {
  Solve *s = arena_new(tt->arena, Solve);
  *s =
      (Solve){.tt = tt, .is_linear = is_linear, .declarations = text_new(tt->arena), .assertions = text_new(tt->arena)};
  return s;
}

static SmtResult ask(TermTable *tt, const char *script, double seconds) {
  return smt_solve(tt->arena, script,
                   &(SmtOptions){.timeout_seconds = PATIENCE * seconds,
                                 .effort = EFFORT,
                                 .memory_bytes = memory_for(tt->arena->guard)});
}

SolveAnswer solve_find(TermTable *tt, Term condition, double seconds, uint32_t count, const Term *symbols,
                       Term *values) {
  if (condition == tt->false_) return SOLVE_NONE;
  if (condition != tt->true_ && !is_integer_condition(tt, condition)) return SOLVE_UNKNOWN;
  Solve *s = solve_new(tt, false);
  const char *script = script_of(s, condition);
  if (!script) return SOLVE_UNKNOWN;
  if (s->product_count || s->quotient_count) { /* the linear question first, which is answered at once */
    const char *linear = script_of(solve_new(tt, true), condition);
    if (linear && ask(tt, linear, seconds).answer == SMT_UNSAT) return SOLVE_NONE;
  }
  SmtResult result = ask(tt, script, seconds);
  for (uint32_t i = 0; i < count && result.answer == SMT_SAT; i++) values[i] = value_of(tt, result.model, symbols[i]);
  return result.answer == SMT_UNSAT ? SOLVE_NONE : result.answer == SMT_SAT ? SOLVE_FOUND : SOLVE_UNKNOWN;
}

bool solve_condition(TermTable *tt, Term condition, double seconds) {
  return solve_find(tt, term_not(tt, condition), seconds, 0, NULL, NULL) == SOLVE_NONE;
}
