/* Constants behind decimals: a literal as a product of a root of a small fraction and one of pi, e, log(2), log(10),
 * log(2 * pi).
 *
 * Few forms are tried, the simplest first, and each must be within 2 ulp of the literal's own format (semantics.md,
 * section 6); what is taken is noted, and becomes an assumption. A decimal that a person would write stays one. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor/textbook.h"

/* Digits that a person writes; fewer beside an exp2, which asks for a log2(e). */
enum { PLAIN_DIGITS = 5, PLAIN_FACTOR_DIGITS = 3, MOST_TOP = 20, MOST_BOTTOM = 16, MOST_HEAD = 512, MOST_LEVELS = 255 };
enum { MOST_DECIMALS = 8, MOST_LOOKED_THROUGH = 4000, MOST_PRODUCT_FRACTION = 6, MOST_UNIT = 100000000 };

typedef struct Base {
  double value;
  const char *text; /* what a root stands before: "%s" */
  Rational pi, e, log_2, log_10, log_2_pi;
  bool has_heads; /* over sqrt(d) of any head size */
  bool is_alone;  /* no root or fraction of it */
} Base;

static const Base bases[] = {
    {1, NULL, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, true, false},
    {1.4426950408889634, "log2(e)", {0, 1}, {0, 1}, {-1, 1}, {0, 1}, {0, 1}, true, false},
    {0.6931471805599453, "log(2)", {0, 1}, {0, 1}, {1, 1}, {0, 1}, {0, 1}, false, false},
    {3.141592653589793, "pi", {1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, false, false},
    {0.3183098861837907, "1/pi", {-1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, false, false},
    {0.5641895835477563, NULL, {-1, 2}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, false, false},
    {1.7724538509055159, NULL, {1, 2}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, false, false},
    {2.718281828459045, "e", {0, 1}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, false, false},
    {0.36787944117144233, "1/e", {0, 1}, {-1, 1}, {0, 1}, {0, 1}, {0, 1}, false, false},
    {2.302585092994046, "log(10)", {0, 1}, {0, 1}, {0, 1}, {1, 1}, {0, 1}, false, false},
    {0.4342944819032518, "1/log(10)", {0, 1}, {0, 1}, {0, 1}, {-1, 1}, {0, 1}, false, false},
    {3.321928094887362, "log(10)/log(2)", {0, 1}, {0, 1}, {-1, 1}, {1, 1}, {0, 1}, false, false},
    {0.3010299956639812, "log(2)/log(10)", {0, 1}, {0, 1}, {1, 1}, {-1, 1}, {0, 1}, false, false},
    {1.8378770664093453, "log(2*pi)", {0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, false, false},
    {9.869604401089358, "pi^2", {2, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, false, true},
    {0.10132118364233778, "1/pi^2", {-2, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, false, true},
    {0.4804530139182014, "log(2)^2", {0, 1}, {0, 1}, {2, 1}, {0, 1}, {0, 1}, false, true},
};

const Constant constant_log2_e = {1.4426950408889634, "log2(e)", {{1, 1}, {0, 1}, {0, 1}, {-1, 1}, {0, 1}, {0, 1}}},
               constant_log_2 = {0.6931471805599453, "log(2)", {{1, 1}, {0, 1}, {0, 1}, {1, 1}, {0, 1}, {0, 1}}},
               constant_half_root = {0.7071067811865476, "1/sqrt(2)", {{1, 2}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},
               constant_root_2_pi = {0.7978845608028654,
                                     "sqrt(2/pi)",
                                     {{2, 1}, {-1, 2}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},
               constant_cubic_of_gelu = {0.044715,
                                         "0.044715",
                                         {{8943 * 8943, 200000LL * 200000}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},
               constant_folded_cubic_of_gelu = {
                   0.035677408136300125,
                   "0.044715*sqrt(2/pi)",
                   {{2 * 8943 * 8943, 200000LL * 200000}, {-1, 2}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}};

/* Digits of the shortest decimal that reads back. */
static int digits_of(double x) {
  bool single = (double)(float)x == x;
  char text[40];
  for (int digits = 1; digits < 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if ((single ? (double)strtof(text, NULL) : strtod(text, NULL)) == x) return digits;
  }
  return 17;
}

static int significant_bits(double x) {
  int exponent, bits = 0;
  for (double m = frexp(fabs(x), &exponent); m != 0 && bits < 60; bits++) m = m * 2 - floor(m * 2);
  return bits;
}

/* Twice the distance between neighbours among the numbers of f32 around it, also of a product of two such, which real
 * arithmetic leaves with twice the bits; or of f64. Where the literal has the bits of f16 or bf16 alone, and more
 * digits than anybody would write, half of that distance there. */
double book_tolerance(double x) {
  int bits = significant_bits(x);
  if (x == 0) return 0;
  if (bits <= 11 && digits_of(x) > PLAIN_DIGITS) return ldexp(1, ilogb(x) - (bits <= 8 ? 8 : 11));
  return ldexp(2, ilogb(x) - (bits <= 2 * FLT_MANT_DIG ? 23 : 52));
}

/* v = a / b within the tolerance, of small numbers, or with the 180 of degrees: the least b, as (a / b)**2. */
static bool find_fraction(double v, double tolerance, int most_top, Rational *square) {
  for (int64_t b = 1; b <= 180; b = b == MOST_BOTTOM ? 180 : b + 1) {
    double a = round(v * (double)b);
    if (a < 1 || (a > (b == 180 ? 1 : most_top) && (b > 1 || a != 180)) || fabs(a / (double)b - v) > tolerance)
      continue;
    *square = (Rational){(Int128)(a * a), b * b};
    return true;
  }
  return false;
}

/* v = sqrt(a / b) within the tolerance: the least b. */
static bool find_root(double v, double tolerance, int64_t most_bottom, Rational *square) {
  for (int64_t b = 1; b <= most_bottom; b++) {
    double a = round(v * v * (double)b);
    if (a < 1 || a > (b > MOST_BOTTOM ? 1 : MOST_TOP)) continue;
    if (fabs(sqrt(a / (double)b) - v) > tolerance) continue;
    *square = (Rational){(Int128)a, b};
    return true;
  }
  return false;
}

static double to_bits(double value, int bits) {
  int exponent;
  double fraction = frexp(value, &exponent);
  return ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits);
}

/* Of f16 and bf16 there are few numbers: only what is in use, and only the nearest to it. bf16: no decimal of one
 * digit.
 */
static bool is_usual(double x, const Base *base, Rational square) {
  bool is_unit = square.num == 1 && square.den == 1, is_root = square.num + square.den == 3;
  bool is_of_pi = base->pi.den == 2 && base->pi.num < 0, is_short = significant_bits(x) <= 8;
  bool has_name = base->text && is_unit && (!is_short || base->value > 0.5);
  if (!has_name && !(is_root && (base->value == 1 || is_of_pi))) return false;
  double value = base->value * sqrt((double)square.num / (double)square.den);
  char text[40];
  snprintf(text, sizeof text, "%.1g", x);
  return to_bits(value, is_short ? 8 : 11) == x && (!is_short || to_bits(strtod(text, NULL), 8) != x);
}

static const char *text_of(Book *b, const Base *base, Rational square) {
  Arena *arena = b->tt->arena;
  Rational root;
  bool is_root = !rational_sqrt(square, &root);
  long long num = (long long)square.num, den = (long long)square.den;
  if (!base->text && base->pi.num) { /* under one root with pi */
    if (base->pi.num > 0) return arena_format(arena, den == 1 ? "sqrt(%lld*pi)" : "sqrt(%lld*pi/%lld)", num, den);
    return num == 1   ? den == 1 ? "1/sqrt(pi)" : arena_format(arena, "1/sqrt(%lld*pi)", den)
             : den == 1 ? arena_format(arena, "sqrt(%lld/pi)", num)
                      : arena_format(arena, "sqrt(%lld/(%lld*pi))", num, den);
  }
  if (!is_root) num = (long long)root.num, den = (long long)root.den;
  const char *front = num == 1 ? NULL : arena_format(arena, is_root ? "sqrt(%lld)" : "%lld", num);
  const char *back = den == 1 ? NULL : arena_format(arena, is_root ? "/sqrt(%lld)" : "/%lld", den);
  const char *name = base->text ? base->text : front ? front : "1";
  return arena_format(arena, "%s%s%s%s", base->text && front ? front : "", base->text && front ? "*" : "", name,
                      back ? back : "");
}

static void note(Book *b, Rational literal, const Constant *constant) {
  Parts parts = {.k = one};
  double x = rational_to_double(literal);
  for (uint32_t i = 0; i < b->constants->count; i++)
    if (rational_equal(b->constants->data[i].literal, literal)) return;
  if (x == constant->value && x == floor(x)) return;
  book_push_closed(b, &parts, &constant->closed);
  array_push(b->tt->arena, b->constants,
             (TensorConstant){literal, constant->value, constant->text, book_put_product(b, &parts)});
}

bool book_is_constant(Book *b, Rational literal, const Constant *constant) {
  double x = rational_to_double(literal);
  if (!b->constants || fabs(x - constant->value) > book_tolerance(x)) return false;
  note(b, literal, constant);
  return true;
}

bool book_recover(Book *b, Rational literal, bool of_base_two, Closed *out) {
  double x = rational_to_double(literal);
  if (!b->constants || literal.num <= 0 || digits_of(x) <= (of_base_two ? PLAIN_FACTOR_DIGITS : PLAIN_DIGITS))
    return false;
  bool is_narrow = significant_bits(x) <= 11; /* too few bits for anything but the usual constants */
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
    const Base *base = &bases[i];
    if (of_base_two && base->log_2.num != -1) continue;
    double v = x / base->value, tolerance = book_tolerance(x) / base->value;
    Rational square, root;
    if (base->is_alone) {
      if (is_narrow || fabs(v - 1) > tolerance) continue;
      square = one;
    } else if ((is_narrow || !find_fraction(v, tolerance, base->value == 1 ? MOST_LEVELS : MOST_TOP, &square)) &&
               !find_root(v, tolerance,
                          is_narrow         ? 2
                          : base->has_heads ? MOST_HEAD
                                            : MOST_BOTTOM,
                          &square))
      continue;
    if (is_narrow && !is_usual(x, base, square)) continue;
    bool is_fraction = rational_sqrt(square, &root);
    if (base->value == 1 && is_fraction && (rational_equal(root, literal) || is_narrow)) return false;
    *out = (Closed){.square = square,
                    .pi = base->pi,
                    .e = base->e,
                    .log_2 = base->log_2,
                    .log_10 = base->log_10,
                    .log_2_pi = base->log_2_pi};
    double value = base->value * sqrt((double)square.num / (double)square.den);
    note(b, literal, &(Constant){value, text_of(b, base, square), *out});
    return true;
  }
  return false;
}

static bool is_binary(Rational r) { return (r.den & (r.den - 1)) == 0; }

/* The decimals that a person wrote, as 0.044715 * x ** 3 has one; a half is a fraction. */
static void find_decimals(Book *b, Expr e, Rational *found, uint32_t *count, uint32_t *visited) {
  Rational r;
  if (*count == MOST_DECIMALS || ++*visited > MOST_LOOKED_THROUGH) return;
  for (uint32_t i = 0; i < e->count; i++) find_decimals(b, e->args[i], found, count, visited);
  if (!is_number(b->tt, e, &r) || r.den == 1) return;
  double x = fabs(rational_to_double(r));
  Rational decimal = {0, 1};
  for (int64_t unit = 10; unit <= MOST_UNIT && !decimal.num; unit *= 10)
    if (fabs(x - round(x * (double)unit) / (double)unit) <= book_tolerance(x))
      decimal = rational_make(b->tt->arena->guard, (Int128)round(x * (double)unit), unit);
  if (decimal.num && !is_binary(decimal) && digits_of(x) <= PLAIN_DIGITS) found[(*count)++] = decimal;
}

static bool is_multiple(double v, int64_t bottom, double tolerance, int64_t *top) {
  *top = (int64_t)fmin(round(v * (double)bottom), MOST_PRODUCT_FRACTION + 1);
  return *top >= 1 && *top <= MOST_PRODUCT_FRACTION && fabs((double)*top / (double)bottom - v) <= tolerance * v;
}

bool book_recover_product(Book *b, Rational literal, Rational *front, Expr *constant) {
  Rational decimals[MOST_DECIMALS];
  uint32_t count = 0, visited = 0, known = b->constants ? b->constants->count : 0;
  double x = rational_to_double(literal), tolerance = book_tolerance(x) / x;
  int64_t top;
  if (!known || !b->whole || literal.num <= 0 || !is_binary(literal) || digits_of(x) <= PLAIN_DIGITS ||
      significant_bits(x) <= 11)
    return false;
  find_decimals(b, b->whole, decimals, &count, &visited);
  for (int64_t bottom = 1; bottom <= MOST_PRODUCT_FRACTION; bottom++)
    for (uint32_t i = 0; i < known * count; i++) {
      TensorConstant own = b->constants->data[i / count];
      Rational decimal = decimals[i % count];
      if (!is_multiple(x / (own.value * rational_to_double(decimal)), bottom, tolerance, &top)) continue;
      double value = (float)((double)top / (double)bottom * rational_to_double(decimal));
      if (!rational_from_double(value, front)) continue;
      *constant = own.expression;
      const char *text = arena_format(b->tt->arena, "%.7g*%s", value, own.closed);
      Expr product = tensor_binary(b->tt, TENSOR_MUL, number(b->tt, *front), *constant);
      array_push(b->tt->arena, b->constants, (TensorConstant){literal, value * own.value, text, product});
      return true;
    }
  return false;
}

static void push_function(Book *b, Parts *p, TermFn fn, Expr argument, Rational exponent) {
  if (exponent.num) book_push(b, p, tensor_fn(b->tt, fn, 1, &argument), exponent);
}

/* sqrt(n), or 1 / sqrt(n), as a number where it is one */
static void push_root(Book *b, Parts *p, Int128 n, Rational exponent) {
  Rational root;
  if (n == 1) return;
  if (rational_sqrt((Rational){n, 1}, &root))
    p->k = book_times(b, p, p->k, exponent.num > 0 ? root : rational_div(b->tt->arena->guard, one, root));
  else
    book_push(b, p, number(b->tt, (Rational){n, 1}), exponent);
}

void book_push_closed(Book *b, Parts *p, const Closed *closed) {
  TermTable *tt = b->tt;
  Expr pi = tensor_idiom(tt, TENSOR_PI, NULL, 0, NULL);
  Rational square = closed->square, root, half = {1, 2}, minus_half = {-1, 2};
  bool with_pi = closed->pi.den == 2;
  if (with_pi) {
    Rational side = {square.num, 1};
    if (rational_sqrt(side, &root)) p->k = book_times(b, p, p->k, root), square.num = 1;
    side = (Rational){square.den, 1};
    if (rational_sqrt(side, &root))
      p->k = book_times(b, p, p->k, rational_div(tt->arena->guard, one, root)), square.den = 1;
    Expr top = number(tt, (Rational){square.num, 1}), bottom = number(tt, (Rational){square.den, 1});
    if (closed->pi.num > 0)
      top = square.num == 1 ? pi : tensor_binary(tt, TENSOR_MUL, top, pi);
    else
      bottom = square.den == 1 ? pi : tensor_binary(tt, TENSOR_MUL, bottom, pi);
    if (closed->pi.num < 0 && square.num == 1)
      book_push(b, p, bottom, minus_half);
    else
      book_push(b, p, closed->pi.num > 0 && square.den == 1 ? top : tensor_binary(tt, TENSOR_DIV, top, bottom), half);
  } else if (rational_sqrt(square, &root)) {
    p->k = book_times(b, p, p->k, root);
  } else {
    push_root(b, p, square.num, half);
    push_root(b, p, square.den, minus_half);
  }
  if (!with_pi && closed->pi.num) book_push(b, p, pi, closed->pi);
  push_function(b, p, FN_EXP, number(tt, one), closed->e);
  push_function(b, p, FN_LOG, number(tt, rational_int(2)), closed->log_2);
  push_function(b, p, FN_LOG, number(tt, rational_int(10)), closed->log_10);
  push_function(b, p, FN_LOG, tensor_binary(tt, TENSOR_MUL, number(tt, rational_int(2)), pi), closed->log_2_pi);
}
