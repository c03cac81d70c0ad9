/* Equality bit by bit (see solve.h): SMT-LIB over bit vectors, floats as IEEE 754 has them.
 *
 * Integers are vectors of one width, wide enough for every step: bounds of all parts are computed first, so that
 * nothing wraps but what the term wraps itself. An element that is read is a constant in its range. A float is what
 * `floats` says of operators: NAME.FORMAT is that operation of IEEE 754, one that IEEE 754 leaves open an unknown
 * function; all NaNs are one, as SMT-LIB has it. What cannot be said fails, and nothing follows. */
#include <string.h>

#include "solve/smt.h"
#include "solve/solve.h"

enum { MOST_BITS = 300, MOST_CONSTANTS = 64, MOST_TEXT = 40000, EFFORT = 400000, PATIENCE = 60, MOST_CASTS = 8 };

typedef struct Cast { /* a term from one format to another: names of what it has and of what it makes */
  Term term;
  const char *from, *to, *in, *out;
} Cast;

typedef struct Bits {
  TermTable *tt;
  SolveFloats floats;
  bool as_seen; /* of comparisons: signs, extrema and casts are what IEEE 754 has */
  bool failed;
  SolveValues *found; /* what is read is noted; floats are declared by their bits, which a model has */
  uint32_t width;
  Text declarations, ranges;
  Cast casts[MOST_CASTS];
  uint32_t cast_count;
  const char *declared[MOST_CONSTANTS];
  uint32_t count;
} Bits;

static const struct Format {
  const char *name;
  uint32_t exponent, significand;
} formats[] = {{"f16", 5, 11}, {"bf16", 8, 8}, {"f32", 8, 24}, {"f64", 11, 53}};

static const struct Format *find_format(const char *name) {
  for (size_t i = 0; name && i < sizeof formats / sizeof *formats; i++)
    if (!strcmp(formats[i].name, name)) return &formats[i];
  return NULL;
}

/* The operator and format of an opaque function of floats. */
static const struct Format *operator_of(Bits *b, Term t, const char **name) {
  if (term_kind(b->tt, t) != TERM_OPAQUE) return NULL;
  const char *full = intern_string(b->tt->names, term_aux(b->tt, t)), *dot = strrchr(full, '.');
  const struct Format *format = dot ? find_format(dot + 1) : NULL;
  if (format) *name = arena_copy(b->tt->arena, full, (size_t)(dot - full));
  return format;
}

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

/* ---- how many bits ---- */

static uint32_t bits_of(Int128 v) {
  uint32_t n = 0;
  for (UInt128 u = (UInt128)(v < 0 ? -v : v); u; u >>= 1) n++;
  return n;
}

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* |t| < 2^result; every part is counted into the width. */
static uint32_t magnitude(Bits *b, Term t);

static uint32_t magnitude_of_parts(Bits *b, Term t) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < term_count(b->tt, t); i++) n = most(n, magnitude(b, term_arg(b->tt, t, i)));
  return n;
}

static uint32_t magnitude_of_node(Bits *b, Term t) {
  TermTable *tt = b->tt;
  const char *name;
  uint32_t n = 0;
  Int128 lo, hi;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return bits_of(term_rat(tt, t).num);
  if (kind == TERM_SYM || kind == TERM_READ) {
    if (!term_interval_of_symbols(tt, t, &lo, &hi)) return 0; /* a float, or it fails when it is written */
    return most(bits_of(lo), bits_of(hi));
  }
  if (kind == TERM_ADD) {
    n = bits_of(term_rat(tt, term_arg(tt, t, 0)).num);
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      n = most(n, bits_of(term_rat(tt, term_arg(tt, t, i)).num) + magnitude(b, term_arg(tt, t, i + 1)));
    return n + bits_of(term_count(tt, t));
  }
  if (kind == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Int128 e = term_rat(tt, term_arg(tt, t, i + 1)).num;
      n += magnitude(b, term_arg(tt, t, i)) * (uint32_t)(e < 0 || e > 8 ? MOST_BITS : e);
    }
    return n;
  }
  if (kind == TERM_WRAP) {
    magnitude_of_parts(b, t);
    return term_aux(tt, t);
  }
  if (kind == TERM_FN) {
    n = magnitude_of_parts(b, t);
    if (term_aux(tt, t) != FN_SHL) return n + 1;
    if (!term_interval_of_symbols(tt, term_arg(tt, t, 1), &lo, &hi) || hi > 64) hi = 64;
    return magnitude(b, term_arg(tt, t, 0)) + (uint32_t)hi;
  }
  if (kind == TERM_OPAQUE) {
    n = magnitude_of_parts(b, t);
    return operator_of(b, t, &name) && is(name, "order") ? 2 : n;
  }
  return magnitude_of_parts(b, t) + 1;
}

static uint32_t magnitude(Bits *b, Term t) {
  guard_tick(b->tt->arena->guard);
  uint32_t n = magnitude_of_node(b, t);
  if (n > MOST_BITS) b->failed = true, n = MOST_BITS;
  b->width = most(b->width, n + 2);
  return n;
}

/* ---- writing ---- */

static void write_integer(Bits *b, Text *out, Term t);
static void write_bool(Bits *b, Text *out, Term t);
static void write_float(Bits *b, Text *out, Term t, const struct Format *format);

static void fail(Bits *b, Text *out) {
  b->failed = true;
  text_add(out, "0");
}

static bool is_new(Bits *b, const char *name) {
  for (uint32_t i = 0; i < b->count; i++)
    if (is(b->declared[i], name)) return false;
  if (b->count == MOST_CONSTANTS) return b->failed = true, false;
  return b->declared[b->count++] = name, true;
}

static void number(Bits *b, Text *out, Int128 v) {
  Text digits = text_new(b->tt->arena);
  rational_print((Rational){v < 0 ? -v : v, 1}, false, &digits);
  if (v < 0) text_add(out, "(bvneg ");
  text_format(out, "(_ bv%s %u)", text_string(&digits), b->width);
  if (v < 0) text_char(out, ')');
}

static void note(Bits *b, Term t) {
  if (b->found) array_push(b->tt->arena, b->found, (SolveValue){t, 0});
}

/* An element or symbol, in its range. */
static void constant(Bits *b, Text *out, Term t) {
  Int128 lo, hi;
  const char *name = arena_format(b->tt->arena, "c%u", t);
  if (term_node(b->tt, t)->free_mask >> 48 || !term_interval_of_symbols(b->tt, t, &lo, &hi)) {
    fail(b, out);
    return;
  }
  text_add(out, name);
  if (!is_new(b, name)) return;
  note(b, t);
  text_format(&b->declarations, "(declare-const %s (_ BitVec %u))\n", name, b->width);
  text_add(&b->ranges, "(assert (and (bvsle ");
  number(b, &b->ranges, lo);
  text_format(&b->ranges, " %s) (bvsle %s ", name, name);
  number(b, &b->ranges, hi);
  text_add(&b->ranges, ")))\n");
}

static const char *integer_text(Bits *b, Term t) {
  Text text = text_new(b->tt->arena);
  write_integer(b, &text, t);
  return text_string(&text);
}

static void write_quotient(Bits *b, Text *out, Term t) {
  const char *x = integer_text(b, term_arg(b->tt, t, 0)), *y = integer_text(b, term_arg(b->tt, t, 1));
  text_format(out,
              "(let ((x %s) (y %s)) (let ((q (bvsdiv x y)) (r (bvsrem x y)) (z (_ bv0 %u))) (ite (and (distinct r z) "
              "(distinct (bvslt r z) (bvslt y z))) (bvsub q (_ bv1 %u)) q)))",
              x, y, b->width, b->width);
}

static void write_sum(Bits *b, Text *out, Term t) {
  text_add(out, "(bvadd ");
  number(b, out, term_rat(b->tt, term_arg(b->tt, t, 0)).num);
  for (uint32_t i = 1; i < term_count(b->tt, t); i += 2) {
    text_add(out, " (bvmul ");
    number(b, out, term_rat(b->tt, term_arg(b->tt, t, i)).num);
    text_format(out, " %s)", integer_text(b, term_arg(b->tt, t, i + 1)));
  }
  text_char(out, ')');
}

static void write_product(Bits *b, Text *out, Term t) {
  text_add(out, "(bvmul ");
  number(b, out, 1);
  for (uint32_t i = 1; i < term_count(b->tt, t); i += 2) {
    Rational e = term_rat(b->tt, term_arg(b->tt, t, i));
    b->failed |= e.den != 1 || e.num < 1;
  }
  for (uint32_t i = 0; i < term_count(b->tt, t) && !b->failed; i += 2)
    for (Int128 e = term_rat(b->tt, term_arg(b->tt, t, i + 1)).num; e > 0; e--)
      text_format(out, " %s", integer_text(b, term_arg(b->tt, t, i)));
  text_char(out, ')');
}

static void write_extremum(Bits *b, Text *out, Term t) {
  const char *best = integer_text(b, term_arg(b->tt, t, 0)),
             *compare = term_kind(b->tt, t) == TERM_MIN ? "bvsle" : "bvsge";
  for (uint32_t i = 1; i < term_count(b->tt, t); i++)
    best = arena_format(b->tt->arena, "(let ((x %s) (y %s)) (ite (%s x y) x y))", best,
                        integer_text(b, term_arg(b->tt, t, i)), compare);
  text_add(out, best);
}

static void write_function(Bits *b, Text *out, Term t) {
  const char *name = NULL;
  TermFn fn = (TermFn)term_aux(b->tt, t);
  if (fn == FN_BITAND)
    name = "bvand";
  else if (fn == FN_BITOR)
    name = "bvor";
  else if (fn == FN_BITXOR)
    name = "bvxor";
  else if (fn == FN_SHL)
    name = "bvshl";
  else if (fn == FN_SHR)
    name = "bvashr";
  else {
    fail(b, out);
    return;
  }
  text_format(out, "(%s %s %s)", name, integer_text(b, term_arg(b->tt, t, 0)), integer_text(b, term_arg(b->tt, t, 1)));
}

static void write_order(Bits *b, Text *out, Term t) {
  const char *name;
  const struct Format *format = operator_of(b, t, &name);
  if (!b->floats || !format || !is(name, "order")) {
    fail(b, out);
    return;
  }
  Text x = text_new(b->tt->arena), y = text_new(b->tt->arena);
  write_float(b, &x, term_arg(b->tt, t, 0), format), write_float(b, &y, term_arg(b->tt, t, 1), format);
  text_format(out, "(let ((x %s) (y %s)) (ite (fp.lt x y) ", text_string(&x), text_string(&y));
  number(b, out, -1);
  text_add(out, " (ite (fp.gt x y) ");
  number(b, out, 1);
  text_char(out, ' ');
  number(b, out, 0);
  text_add(out, ")))");
}

static bool is_too_much(Bits *b, Text *out) {
  guard_tick(b->tt->arena->guard);
  if (out->count <= MOST_TEXT && !b->failed) return false;
  return fail(b, out), true;
}

static void write_integer(Bits *b, Text *out, Term t) {
  TermTable *tt = b->tt;
  if (is_too_much(b, out)) return;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT)
    number(b, out, term_rat(tt, t).num);
  else if (kind == TERM_ADD)
    write_sum(b, out, t);
  else if (kind == TERM_MUL)
    write_product(b, out, t);
  else if (kind == TERM_FLOORDIV)
    write_quotient(b, out, t);
  else if (term_kind_is_extremum(kind))
    write_extremum(b, out, t);
  else if (kind == TERM_FN)
    write_function(b, out, t);
  else if (kind == TERM_OPAQUE)
    write_order(b, out, t);
  else if (kind == TERM_ABS)
    text_format(out, "(let ((x %s)) (ite (bvslt x (_ bv0 %u)) (bvneg x) x))", integer_text(b, term_arg(tt, t, 0)),
                b->width);
  else if (kind == TERM_WRAP)
    text_format(out, "((_ sign_extend %u) ((_ extract %u 0) %s))", b->width - term_aux(tt, t), term_aux(tt, t) - 1,
                integer_text(b, term_arg(tt, t, 0)));
  else if (kind == TERM_SELECT) {
    text_add(out, "(ite ");
    write_bool(b, out, term_arg(tt, t, 0));
    text_format(out, " %s %s)", integer_text(b, term_arg(tt, t, 1)), integer_text(b, term_arg(tt, t, 2)));
  } else if (kind == TERM_SYM || kind == TERM_READ)
    constant(b, out, t);
  else
    fail(b, out);
}

static void write_test(Bits *b, Text *out, Term t) {
  const char *name;
  const struct Format *format = operator_of(b, t, &name);
  const char *test = !format                   ? NULL
                     : is(name, "is_nan")      ? "fp.isNaN"
                     : is(name, "is_infinite") ? "fp.isInfinite"
                                               : NULL;
  if (!b->floats || !test) {
    fail(b, out);
    return;
  }
  text_format(out, "(%s ", test);
  write_float(b, out, term_arg(b->tt, t, 0), format);
  text_char(out, ')');
}

static void write_bool(Bits *b, Text *out, Term t) {
  TermTable *tt = b->tt;
  TermKind kind = term_kind(tt, t);
  if (is_too_much(b, out)) return;
  if (term_kind_is_truth(kind))
    text_add(out, kind == TERM_TRUE ? "true" : "false");
  else if (term_kind_is_comparison(kind) && term_sort(tt, term_arg(tt, t, 0)) == SORT_INT) {
    text_format(out, "(%s %s ",
                kind == TERM_LE   ? "bvsle"
                : kind == TERM_LT ? "bvslt"
                                  : "=",
                integer_text(b, term_arg(tt, t, 0)));
    if (term_count(tt, t) == 2)
      write_integer(b, out, term_arg(tt, t, 1));
    else
      number(b, out, 0);
    text_char(out, ')');
  } else if (term_kind_is_connective(kind)) {
    text_add(out, kind == TERM_NOT ? "(not" : kind == TERM_AND ? "(and" : "(or");
    for (uint32_t i = 0; i < term_count(tt, t); i++) text_char(out, ' '), write_bool(b, out, term_arg(tt, t, i));
    text_char(out, ')');
  } else if (kind == TERM_OPAQUE)
    write_test(b, out, t);
  else
    fail(b, out);
}

/* ---- floats ---- */

typedef struct Pattern {
  const char *name,
      *text; /* %1, %2, %3: the operands; %0: a function of which nothing is known, of x and y; %s: the format */
} Pattern;

static const Pattern operations[] = {
    {"addf", "(fp.add RNE %1 %2)"},
    {"mulf", "(fp.mul RNE %1 %2)"},
    {"divf", "(fp.div RNE %1 %2)"},
    {"negf", "(fp.neg %1)"},
    {"absf", "(fp.abs %1)"},
    {"sqrt", "(fp.sqrt RNE %1)"},
    {"fma", "(fp.fma RNE %1 %2 %3)"},
    {"floor", "(fp.roundToIntegral RTN %1)"},
    {"ceil", "(fp.roundToIntegral RTP %1)"},
    {"trunc", "(fp.roundToIntegral RTZ %1)"},
    {"round", "(fp.roundToIntegral RNA %1)"},
    {"roundeven", "(fp.roundToIntegral RNE %1)"},
    {"maximumf", "(let ((x %1) (y %2)) (ite (or (fp.isNaN x) (fp.isNaN y)) (fp.add RNE x y) (ite (fp.lt x y) y (ite "
                 "(fp.lt y x) x (ite (fp.isNegative x) y x)))))"},
    {"minimumf", "(let ((x %1) (y %2)) (ite (or (fp.isNaN x) (fp.isNaN y)) (fp.add RNE x y) (ite (fp.lt x y) x (ite "
                 "(fp.lt y x) y (ite (fp.isNegative x) x y)))))"},
};

/* Where operators are any functions: what NaN, infinities and zeros make of them, elsewhere any number of the sign that
 * the operands tell. */
#define WITH_OPERANDS(text) "(let ((z (%0 x y))) " text ")"
#define NUMBER "(ite (fp.isNaN z) (_ +zero %s) z)"
#define OF_SIGN(negative) "(let ((n (fp.abs " NUMBER "))) (ite " negative " (fp.neg n) n))"
#define SIGNED(value) "(ite (= (fp.isNegative x) (fp.isNegative y)) (_ +" value " %s) (_ -" value " %s))"
static const Pattern special[] = {
    {"addf",
     WITH_OPERANDS("(ite (or (fp.isNaN x) (fp.isNaN y) (and (fp.isInfinite x) (fp.isInfinite y) (not (= x y)))) "
                   "(_ NaN %s) (ite (fp.isInfinite x) x (ite (fp.isInfinite y) y (ite (and (fp.isZero x) "
                   "(fp.isZero y)) (ite (= x y) x (_ +zero %s)) (ite (= x (fp.neg y)) (_ +zero %s) " OF_SIGN(
                       "(fp.isNegative (ite (fp.lt (fp.abs x) (fp.abs y)) y x))") ")))))")},
    {"mulf",
     WITH_OPERANDS(
         "(ite (or (fp.isNaN x) (fp.isNaN y) (and (fp.isInfinite x) (fp.isZero y)) (and (fp.isZero x) "
         "(fp.isInfinite y))) (_ NaN %s) (ite (or (fp.isInfinite x) (fp.isInfinite y)) " SIGNED(
             "oo") " (ite (or (fp.isZero x) (fp.isZero y)) " SIGNED("zero") " " OF_SIGN("(not (= (fp.isNegative x) "
                                                                                        "(fp.isNegative y)))") ")))")},
    {"divf", WITH_OPERANDS(
                 "(ite (or (fp.isNaN x) (fp.isNaN y) (and (fp.isInfinite x) (fp.isInfinite y)) (and (fp.isZero "
                 "x) (fp.isZero y))) (_ NaN %s) (ite (or (fp.isInfinite x) (fp.isZero y)) " SIGNED(
                     "oo") " (ite (or (fp.isZero x) (fp.isInfinite y)) " SIGNED("zero") " " OF_SIGN("(not (= "
                                                                                                    "(fp.isNegative x) "
                                                                                                    "(fp.isNegative "
                                                                                                    "y)))") ")))")},
    {"exp", "(let ((z (%0 x))) (ite (fp.isNaN x) x (ite (fp.isInfinite x) (ite (fp.isNegative x) (_ +zero "
            "%s) x) " NUMBER ")))"},
};
#undef WITH_OPERANDS
#undef NUMBER
#undef OF_SIGN
#undef SIGNED

static void fill_in(Text *out, const char *pattern, const char *function, const char *const *operands,
                    const struct Format *format) {
  for (; *pattern; pattern++)
    if (*pattern != '%')
      text_char(out, *pattern);
    else if (*++pattern == 's')
      text_format(out, "%u %u", format->exponent, format->significand);
    else
      text_add(out, *pattern == '0' ? function : operands[*pattern - '1']);
}

/* How many operands a pattern has. */
static uint32_t operands_of(const char *pattern) {
  uint32_t n = 0;
  for (; *pattern; pattern++)
    if (*pattern == '%') n = most(n, (uint32_t)(pattern[1] - '0'));
  return n;
}

static const char *sort_text(Bits *b, const struct Format *f) {
  return arena_format(b->tt->arena, "(_ FloatingPoint %u %u)", f->exponent, f->significand);
}

static void declare_float(Bits *b, Term t, const char *own, const struct Format *format) {
  note(b, t);
  if (!b->found)
    text_format(&b->declarations, "(declare-const %s %s)\n", own, sort_text(b, format));
  else
    text_format(&b->declarations, "(declare-const c%u (_ BitVec %u))\n(define-fun %s () %s ((_ to_fp %u %u) c%u))\n", t,
                format->exponent + format->significand, own, sort_text(b, format), format->exponent,
                format->significand, t);
}

static const char *find_pattern(const Pattern *patterns, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (is(patterns[i].name, name)) return patterns[i].text;
  return NULL;
}

/* A function of which nothing is known, but of special values. */
static void write_unknown(Bits *b, Text *out, const char *name, uint32_t count, const char *const *operands,
                          const struct Format *from, const struct Format *format) {
  const char *pattern = find_pattern(special, sizeof special / sizeof *special, name);
  const char *own = arena_format(b->tt->arena, "f_%s_%s", name, format->name);
  if (is_new(b, own)) {
    const char *any = pattern ? arena_format(b->tt->arena, "any_%s", own) : own;
    text_format(&b->declarations, "(declare-fun %s (", any);
    for (uint32_t i = 0; i < count; i++) text_format(&b->declarations, "%s ", sort_text(b, from));
    text_format(&b->declarations, ") %s)\n", sort_text(b, format));
    if (pattern) {
      text_format(&b->declarations, "(define-fun %s (", own);
      for (uint32_t i = 0; i < count; i++) text_format(&b->declarations, "(%c %s)", "xyz"[i], sort_text(b, from));
      text_format(&b->declarations, ") %s ", sort_text(b, format));
      fill_in(&b->declarations, pattern, any, NULL, format);
      text_add(&b->declarations, ")\n");
    }
  }
  text_format(out, "(%s", own);
  for (uint32_t i = 0; i < count; i++) text_format(out, " %s", operands[i]);
  text_char(out, ')');
}

/* True if the operation has its meaning here. */
static bool is_meant(const Bits *b, const char *name) {
  static const char *const seen[] = {"negf", "absf", "maximumf", "minimumf", "from_integer"};
  if (b->floats == SOLVE_IEEE) return true;
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
    if (is(seen[i], name)) return b->as_seen;
  return b->as_seen && !strncmp(name, "from_", 5);
}

/* A cast, of which is said what the solver would take long to find: it keeps the order. */
static void write_cast(Bits *b, Text *out, Term t, const char *operand, const struct Format *from,
                       const struct Format *to) {
  Cast own = {t, from->name, to->name, arena_format(b->tt->arena, "x%u", t), arena_format(b->tt->arena, "y%u", t)};
  const char *rounded = arena_format(b->tt->arena, "((_ to_fp %u %u) RNE ", to->exponent, to->significand);
  for (uint32_t i = 0; i < b->cast_count; i++)
    if (b->casts[i].term == t) {
      text_add(out, b->casts[i].out);
      return;
    }
  if (b->failed || b->cast_count == MOST_CASTS) {
    text_format(out, "%s%s)", rounded, operand);
    return;
  }
  text_format(&b->declarations, "(define-fun %s () %s %s)\n(define-fun %s () %s %s%s))\n", own.in, sort_text(b, from),
              operand, own.out, sort_text(b, to), rounded, own.in);
  for (uint32_t i = 0; i < b->cast_count; i++) {
    const Cast *c = &b->casts[i];
    if (is(c->from, own.from) && is(c->to, own.to))
      text_format(&b->ranges,
                  "(assert (=> (fp.leq %s %s) (fp.leq %s %s)))\n(assert (=> (fp.leq %s %s) (fp.leq %s %s)))\n", c->in,
                  own.in, c->out, own.out, own.in, c->in, own.out, c->out);
  }
  b->casts[b->cast_count++] = own;
  text_add(out, own.out);
}

static void write_operation(Bits *b, Text *out, Term t, const char *name, const struct Format *format) {
  TermTable *tt = b->tt;
  static const char *const open[] = {
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, name, ...) name,
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
      "exp2", "expm1", "log2", "log10", "log1p", "rsqrt", "cbrt", "remf", "maxnumf", "minnumf", "copysign"};
  const char *operands[3] = {0};
  uint32_t count = term_count(tt, t);
  const struct Format *from = strncmp(name, "from_", 5) ? NULL : find_format(name + 5);
  bool meant = is_meant(b, name), extremum = is(name, "maximumf") || is(name, "minimumf");
  if (is(name, "from_integer")) {
    if (meant)
      text_format(out, "((_ to_fp %u %u) RNE %s)", format->exponent, format->significand,
                  integer_text(b, term_arg(tt, t, 0)));
    else
      fail(b, out);
    return;
  }
  const char *pattern = find_pattern(operations, sizeof operations / sizeof *operations, name);
  bool known = from || pattern;
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) known |= is(open[i], name);
  uint32_t arity = pattern ? operands_of(pattern) : 3;
  if (!known || (count > arity && !extremum)) { /* factors in any order are no operation */
    fail(b, out);
    return;
  }
  for (uint32_t i = 0; i < count; i++) { /* an extremum of more is one of that so far and the next */
    Text text = text_new(tt->arena);
    uint32_t at = i < arity ? i : arity - 1;
    write_float(b, &text, term_arg(tt, t, i), from ? from : format);
    operands[at] = text_string(&text);
    if (i + 1 < count && i + 1 < arity) continue;
    text = text_new(tt->arena);
    if (from && meant)
      write_cast(b, &text, t, operands[0], from, format);
    else if (pattern && meant)
      fill_in(&text, pattern, NULL, operands, format);
    else
      write_unknown(b, &text, name, at + 1, operands, from ? from : format, format);
    operands[0] = text_string(&text);
  }
  text_add(out, operands[0]);
}

static void write_float(Bits *b, Text *out, Term t, const struct Format *format) {
  TermTable *tt = b->tt;
  const char *name;
  if (is_too_much(b, out)) return;
  uint32_t width = format->exponent + format->significand;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) {
    Int128 bits = term_rat(tt, t).num;
    if (bits < 0) bits += (Int128)1 << width;
    Text digits = text_new(tt->arena);
    rational_print((Rational){bits, 1}, false, &digits);
    text_format(out, "((_ to_fp %u %u) (_ bv%s %u))", format->exponent, format->significand, text_string(&digits),
                width);
  } else if (kind == TERM_READ && !(term_node(tt, t)->free_mask >> 48) && !term_symbol(tt, term_arg(tt, t, 0))->lo) {
    const char *own = arena_format(tt->arena, "r%u", t); /* a symbol with a range is an integer */
    text_add(out, own);
    if (is_new(b, own)) declare_float(b, t, own, format);
  } else if (kind == TERM_SELECT) {
    text_add(out, "(ite ");
    write_bool(b, out, term_arg(tt, t, 0));
    text_char(out, ' '), write_float(b, out, term_arg(tt, t, 1), format);
    text_char(out, ' '), write_float(b, out, term_arg(tt, t, 2), format);
    text_char(out, ')');
  } else if (kind == TERM_OPAQUE && operator_of(b, t, &name) == format)
    write_operation(b, out, t, name, format);
  else
    fail(b, out);
}

/* ---- the question ---- */

static void write_equation(Bits *b, Text *out, Term x, Term y, const struct Format *format) {
  bool is_bool = term_sort(b->tt, x) == SORT_BOOL;
  text_add(out, "(assert (not (= ");
  for (int side = 0; side < 2; side++) {
    Term t = side ? y : x;
    if (format)
      write_float(b, out, t, format);
    else if (is_bool)
      write_bool(b, out, t);
    else
      write_integer(b, out, t);
    text_char(out, ' ');
  }
  text_add(out, ")))\n(check-sat)\n");
}

static SmtResult ask(TermTable *tt, const SolveQuestion *q, SolveValues *found, uint32_t *width) {
  const struct Format *own = find_format(q->format);
  Bits b = {.tt = tt, .floats = q->floats, .as_seen = !own, .found = found};
  b.declarations = text_new(tt->arena), b.ranges = text_new(tt->arena);
  Text facts = text_new(tt->arena), goal = text_new(tt->arena);
  if (term_sort(tt, q->x) != term_sort(tt, q->y) || (q->format && (!own || !q->floats))) return (SmtResult){0};
  magnitude(&b, q->x), magnitude(&b, q->y);
  for (uint32_t i = 0; i < tt->facts.count && !b.failed; i++) magnitude(&b, tt->facts.data[i]);
  if (b.failed) return (SmtResult){0};
  if (b.width < 66) b.width = 66;
  write_equation(&b, &goal, q->x, q->y, own);
  if (b.failed) return (SmtResult){0};
  for (uint32_t i = 0; i < tt->facts.count; i++) { /* those that cannot be said are left out */
    Text text = text_new(tt->arena);
    write_bool(&b, &text, tt->facts.data[i]);
    if (!b.failed) text_format(&facts, "(assert %s)\n", text_string(&text));
    b.failed = false;
  }
  const char *script = arena_format(tt->arena, "%s%s%s%s", text_string(&b.declarations), text_string(&b.ranges),
                                    text_string(&facts), text_string(&goal));
  *width = b.width;
  return smt_solve(
      tt->arena, script,
      &(SmtOptions){.timeout_seconds = PATIENCE * q->seconds, .effort = EFFORT, .memory_bytes = (size_t)1 << 30});
}

bool solve_bits(TermTable *tt, const SolveQuestion *question) {
  uint32_t width;
  return ask(tt, question, NULL, &width).answer == SMT_UNSAT;
}

/* The bits that a model gives a constant; false: it has no such definition. */
static bool bits_of_model(TermTable *tt, const char *model, const char *name, UInt128 *out) {
  const char *at = strstr(model, arena_format(tt->arena, "define-fun %s ", name)), *next;
  if (!at) return false;
  next = strstr(at + 1, "define-fun"), at = strchr(at, '#');
  if (!at || (next && at > next) || (at[1] != 'x' && at[1] != 'b')) return false;
  UInt128 value = 0, base = at[1] == 'x' ? 16 : 2;
  for (at += 2;; at++) {
    int digit = *at >= '0' && *at <= '9' ? *at - '0' : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : 16;
    if (digit >= (int)base) break;
    value = value * base + (UInt128)digit; /* of more bits, the last 128 */
  }
  return *out = value, true;
}

bool solve_bits_apart(TermTable *tt, const SolveQuestion *question, SolveValues *out) {
  uint32_t width, known = 0;
  SmtResult result = ask(tt, question, out, &width);
  if (result.answer != SMT_SAT || !result.model) return false;
  for (uint32_t i = 0; i < out->count; i++) {
    SolveValue *v = &out->data[i];
    Int128 lo, hi;
    UInt128 bits;
    if (!bits_of_model(tt, result.model, arena_format(tt->arena, "c%u", v->term), &bits)) continue;
    bool is_integer = term_interval_of_symbols(tt, v->term, &lo, &hi);
    if (is_integer && width < 128 && bits >> (width - 1)) bits -= (UInt128)1 << width;
    out->data[known++] = (SolveValue){v->term, (Int128)bits};
  }
  out->count = known;
  return true;
}
