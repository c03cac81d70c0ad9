/* arith, math and index on scalars: a handler gets the operands as pairs of value and poison.
 *
 * Integers are exact modulo 2^w. Flags make the result poison (nsw, nuw, exact), so do shifts beyond the width;
 * division by 0 and the overflow of signed division are undefined behaviour, as are they on poison divisors. */
#include "mlir/internal.h"

static Term any_poison(Mlir *m, const Op *op, const Cell *in) {
  Term poison = m->tt->false_;
  for (uint32_t i = 0; i < op->operand_count; i++) poison = term_or(m->tt, poison, in[i].poison);
  return poison;
}

static const char *suffix(const Mlir *m, const Op *op) {
  const char *name = intern_string(m->p->names, op->name), *dot = strchr(name, '.');
  return dot ? dot + 1 : name;
}

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

bool mlir_names_flag(const Program *p, AttrId flags, const char *flag) {
  const Attr *a = program_get_attr(p, flags);
  if (!flags || !a->text) return false;
  const char *text = intern_string(p->names, a->text);
  if (text[0] == '#') text = strchr(text, '<'); /* #arith.fastmath<nnan> */
  return text && strstr(text, flag);
}

bool mlir_has_flag(const Mlir *m, const Op *op, const char *flag) {
  return mlir_names_flag(m->p, program_op_attr(m->p, op, "overflowFlags"), flag) ||
         mlir_names_flag(m->p, program_op_attr(m->p, op, "fastmath"), flag);
}

static bool has_unit(const Mlir *m, const Op *op, const char *name) {
  AttrId id = program_op_attr(m->p, op, name);
  return id && (program_get_attr(m->p, id)->kind != ATTR_BOOL || program_get_attr(m->p, id)->integer);
}

static Term power(TermTable *tt, uint32_t n) { return term_new_rat(tt, (Rational){(Int128)1 << n, 1}); }

/* ---- integers ---- */

static Term fits_signed(TermTable *tt, Term t, uint32_t width) {
  Term half = power(tt, width - 1);
  return term_and(tt, term_le(tt, term_neg(tt, half), t), term_lt(tt, t, half));
}

static Term fits_unsigned(TermTable *tt, Term t, uint32_t width) {
  return term_and(tt, term_le(tt, tt->zero, t), term_lt(tt, t, power(tt, width)));
}

/* Truncating division of integers; of divisor 0 the caller takes care. */
static Term truncating(TermTable *tt, Term a, Term b) {
  Term up = term_floordiv(tt, a, b), down = term_neg(tt, term_floordiv(tt, term_neg(tt, a), b));
  if (up == down) return up;
  bool positive = term_prove_lt(tt, tt->zero, b);
  if (positive && term_prove_le(tt, tt->zero, a)) return up;
  Term same = positive ? term_le(tt, tt->zero, a)
                       : term_or(tt, term_and(tt, term_le(tt, tt->zero, a), term_lt(tt, tt->zero, b)),
                                 term_and(tt, term_lt(tt, a, tt->zero), term_lt(tt, b, tt->zero)));
  return term_select(tt, same, up, down);
}

static bool divide(Mlir *m, const char *what, Cell a, Cell b, uint32_t width, bool exact, Cell *out) {
  TermTable *tt = m->tt;
  bool is_signed = what[strlen(what) - 1] != 'u' && !strstr(what, "ui");
  bool remainder = !strncmp(what, "rem", 3);
  Term x = is_signed ? mlir_as_int(tt, a.value) : mlir_unsigned(m, a.value, width),
       y = is_signed ? mlir_as_int(tt, b.value) : mlir_unsigned(m, b.value, width);
  if (is_signed && width == 1) x = term_neg(tt, x), y = term_neg(tt, y); /* i1: 0 and -1 */
  mlir_undefined_at(m, b);
  mlir_undefined(m, term_eq(tt, y, tt->zero));
  if (is_signed && width > 1) {
    Term least = term_neg(tt, power(tt, width - 1));
    Term overflow = term_and(tt, term_eq(tt, x, least), term_eq(tt, y, tt->minus_one));
    mlir_undefined(m, term_and(tt, overflow, term_not(tt, a.poison)));
    if (overflow != tt->false_) mlir_undefined(m, term_and(tt, term_eq(tt, y, tt->minus_one), a.poison));
  }
  int64_t d;
  bool constant = term_is_int(tt, y, &d) && d != 0;
  if (!constant) y = term_select(tt, term_eq(tt, y, tt->zero), tt->one, y);             /* undefined there anyway */
  bool is_half = term_is_rat(tt, y) && term_rat(tt, y).num >= (Int128)1 << (width - 1); /* so that it goes but once */
  Term q = !is_signed && is_half           ? mlir_as_int(tt, term_le(tt, y, x))
           : !is_signed                    ? term_floordiv(tt, x, y)
           : !strncmp(what, "floordiv", 8) ? term_floordiv(tt, x, y)
           : !strncmp(what, "ceildiv", 7)  ? term_neg(tt, term_floordiv(tt, term_neg(tt, x), y))
                                           : truncating(tt, x, y);
  if (!is_signed && !strncmp(what, "ceildiv", 7)) q = term_cdiv(tt, x, y);
  Term r = remainder ? term_sub(tt, x, term_mul(tt, y, q)) : q;
  out->value = mlir_truncate(m, r, width);
  out->poison = term_or(tt, a.poison, b.poison);
  if (exact) out->poison = term_or(tt, out->poison, term_not(tt, term_eq(tt, term_mul(tt, y, q), x)));
  return true;
}

/* Of wrap(2^n * y, w) the quotient by 2^n is wrap(y, w - n): both are signed. 0: x is not of that form. */
static Term quotient_of_wrapped(TermTable *tt, Term x, uint32_t n, uint32_t width) {
  if (term_kind(tt, x) != TERM_WRAP || term_aux(tt, x) != width || !n || n >= width) return 0;
  Term sum = term_arg(tt, x, 0), y = tt->zero;
  Int128 k = (Int128)1 << n;
  if (term_kind(tt, sum) != TERM_ADD || term_sort(tt, sum) != SORT_INT) return 0;
  for (uint32_t i = 0; i < term_count(tt, sum); i += i ? 2 : 1) {
    Rational r = term_rat(tt, term_arg(tt, sum, i));
    if (r.den != 1 || r.num % k) return 0;
    Term part = term_new_rat(tt, (Rational){r.num / k, 1});
    y = term_add(tt, y, i ? term_mul(tt, part, term_arg(tt, sum, i + 1)) : part);
  }
  return mlir_as_int(tt, width - n == 1 ? term_wrap(tt, 1, y) : term_wrap(tt, width - n, y));
}

/* x * 2^count. */
static Term shifted(TermTable *tt, Term x, Term count) {
  int64_t n;
  bool constant = term_is_int(tt, count, &n) && n < 64;
  return constant ? term_mul(tt, x, power(tt, (uint32_t)n)) : term_fn(tt, FN_SHL, 2, (Term[]){x, count});
}

static bool shift(Mlir *m, const Op *op, const char *what, Cell a, Cell b, uint32_t width, Cell *out) {
  TermTable *tt = m->tt;
  Term count = mlir_unsigned(m, b.value, width), x = mlir_as_int(tt, a.value), r = 0;
  int64_t n;
  Term far = term_le(tt, term_int(tt, width), count);
  Term poison = term_or(tt, far, term_or(tt, a.poison, b.poison));
  if (far == tt->true_) return *out = (Cell){width == 1 ? tt->false_ : tt->zero, tt->true_}, true;
  bool left = !strncmp(what, "shl", 3);
  if (width == 1) x = is(what, "shrsi") || is(what, "shrs") ? term_neg(tt, x) : x;
  if (is(what, "shrui") || is(what, "shru")) x = mlir_unsigned(m, x, width);
  if (left) {
    r = shifted(tt, x, count);
    if (mlir_has_flag(m, op, "nsw")) poison = term_or(tt, poison, term_not(tt, fits_signed(tt, r, width)));
    Term whole = mlir_has_flag(m, op, "nuw") ? shifted(tt, mlir_unsigned(m, x, width), count) : 0;
    if (whole) poison = term_or(tt, poison, term_not(tt, fits_unsigned(tt, whole, width)));
  } else {
    bool constant = term_is_int(tt, count, &n);
    Term whole = constant && is(what, "shrsi") ? quotient_of_wrapped(tt, x, (uint32_t)n, width) : 0;
    r = whole      ? whole
        : constant ? term_floordiv(tt, x, power(tt, (uint32_t)n))
                   : term_fn(tt, FN_SHR, 2, (Term[]){x, count});
    if (has_unit(m, op, "isExact")) poison = term_or(tt, poison, term_not(tt, term_eq(tt, shifted(tt, r, count), x)));
  }
  *out = (Cell){mlir_truncate(m, r, width), poison};
  return true;
}

static Term boolean(TermTable *tt, const char *what, Term a, Term b) {
  Term both = term_and(tt, a, b), one = term_or(tt, a, b);
  if (!strncmp(what, "and", 3) || is(what, "muli") || is(what, "minui") || is(what, "maxsi")) return both;
  if (is(what, "ori") || is(what, "or") || is(what, "maxui") || is(what, "minsi")) return one;
  if (!strncmp(what, "xor", 3) || is(what, "addi") || is(what, "subi")) return term_and(tt, one, term_not(tt, both));
  return 0;
}

static bool arithmetic(Mlir *m, const Op *op, const char *what, Cell a, Cell b, uint32_t width, Cell *out) {
  TermTable *tt = m->tt;
  char kind = what[0];
  Term poison = term_or(tt, a.poison, b.poison);
  Term exact = kind == 'a'   ? term_add(tt, a.value, b.value)
               : kind == 's' ? term_sub(tt, a.value, b.value)
                             : term_mul(tt, a.value, b.value);
  if (mlir_has_flag(m, op, "nsw")) poison = term_or(tt, poison, term_not(tt, fits_signed(tt, exact, width)));
  if (mlir_has_flag(m, op, "nuw")) {
    Term x = mlir_unsigned(m, a.value, width), y = mlir_unsigned(m, b.value, width);
    Term wide = kind == 'a' ? term_add(tt, x, y) : kind == 's' ? term_sub(tt, x, y) : term_mul(tt, x, y);
    poison = term_or(tt, poison, term_not(tt, fits_unsigned(tt, wide, width)));
  }
  *out = (Cell){mlir_truncate(m, exact, width), poison};
  return true;
}

static Term bits_of(Mlir *m, const char *what, Term a, Term b) {
  TermFn fn = what[0] == 'a' ? FN_BITAND : what[0] == 'o' ? FN_BITOR : FN_BITXOR;
  if (a == b) return fn == FN_BITXOR ? m->tt->zero : a;
  if (term_is_rat(m->tt, a) ||
      (!term_is_rat(m->tt, b) && term_node(m->tt, b)->hash < term_node(m->tt, a)->hash)) { /* they commute */
    Term swap = a;
    a = b, b = swap;
  }
  if (b == m->tt->zero) return fn == FN_BITAND ? b : a;
  if (b == m->tt->minus_one && fn != FN_BITXOR) return fn == FN_BITAND ? a : b;
  if (b == m->tt->minus_one) return term_sub(m->tt, m->tt->minus_one, a);
  return term_fn(m->tt, fn, 2, (Term[]){a, b});
}

/* The greater of x and 0 - x, which is how abs(x) is lowered; 0: they are no such pair. */
static Term magnitude(Mlir *m, Term a, Term b, uint32_t width) {
  TermTable *tt = m->tt;
  Term x = b == mlir_truncate(m, term_neg(tt, a), width) ? a : a == mlir_truncate(m, term_neg(tt, b), width) ? b : 0;
  return x ? mlir_truncate(m, term_unary(tt, TERM_ABS, x), width) : 0;
}

static bool integer_binary(Mlir *m, const Op *op, const char *what, Cell a, Cell b, uint32_t width, Cell *out) {
  TermTable *tt = m->tt;
  if (!strncmp(what, "sh", 2)) return shift(m, op, what, a, b, width, out);
  if (strstr(what, "div") || !strncmp(what, "rem", 3))
    return divide(m, what, a, b, width, has_unit(m, op, "isExact") || has_unit(m, op, "exact"), out);
  out->poison = term_or(tt, a.poison, b.poison);
  if (width == 1) {
    out->value = boolean(tt, what, mlir_as_bool(tt, a.value), mlir_as_bool(tt, b.value));
    return out->value && !mlir_has_flag(m, op, "n");
  }
  a.value = mlir_as_int(tt, a.value), b.value = mlir_as_int(tt, b.value);
  if (!strncmp(what, "add", 3) || !strncmp(what, "sub", 3) || !strncmp(what, "mul", 3))
    return arithmetic(m, op, what, a, b, width, out);
  if (!strncmp(what, "and", 3) || !strncmp(what, "or", 2) || !strncmp(what, "xor", 3))
    return out->value = bits_of(m, what, a.value, b.value), true;
  bool max = !strncmp(what, "max", 3), is_unsigned = what[3] == 'u';
  if (!max && strncmp(what, "min", 3) != 0) return false;
  if (max && !is_unsigned && (out->value = magnitude(m, a.value, b.value, width))) return true;
  Term x = is_unsigned ? mlir_unsigned(m, a.value, width) : a.value,
       y = is_unsigned ? mlir_unsigned(m, b.value, width) : b.value;
  out->value = mlir_truncate(m, max ? term_max(tt, x, y) : term_min(tt, x, y), width);
  return true;
}

/* How many k are there whose 2^k is above x (the leading zeros); of how many bits up from the lowest all are 0; how
 * many are 1: sums over k. */
Term mlir_count_bits(Mlir *m, const char *what, Term value, uint32_t width) {
  TermTable *tt = m->tt;
  Term x = mlir_unsigned(m, value, width), k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX),
       two = term_int(tt, 2);
  Term bits = term_int(tt, width), power_k = 0, body;
  if (term_is_rat(tt, x)) {
    UInt128 number = (UInt128)term_rat(tt, x).num;
    int64_t count = 0;
    bool below = true;
    for (uint32_t i = 0; i < width; i++) {
      bool bit = number >> i & 1;
      below &= !bit;
      count += is(what, "ctpop") ? bit : is(what, "cttz") ? below : !(number >> i);
    }
    return term_int(tt, count);
  }
  term_symbol_range(tt, k, tt->zero, term_int(tt, width - 1));
  power_k = term_fn(tt, FN_SHL, 2, (Term[]){tt->one, k});
  if (is(what, "ctlz"))
    body = mlir_as_int(tt, term_lt(tt, x, power_k));
  else if (is(what, "cttz"))
    body = mlir_as_int(tt, term_eq(tt, term_mod(tt, x, term_mul(tt, two, power_k)), tt->zero));
  else
    body = term_mod(tt, term_floordiv(tt, x, power_k), two);
  return term_fold(tt, FOLD_SUM, k, tt->zero, bits, tt->true_, body);
}

bool mlir_integer_binary(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  if (is(suffix(m, op), "absi") && mlir_width(m, types[0]) > 1) {
    *out = (Cell){mlir_truncate(m, term_unary(m->tt, TERM_ABS, in[0].value), mlir_width(m, types[0])), in[0].poison};
    return true;
  }
  if (!strncmp(suffix(m, op), "ct", 2)) {
    uint32_t width = mlir_width(m, types[0]);
    if (width == 1) return mlir_unsupported(m, op);
    *out = (Cell){mlir_truncate(m, mlir_count_bits(m, suffix(m, op), in[0].value, width), width), in[0].poison};
    return true;
  }
  if (op->operand_count != 2) return mlir_unsupported(m, op);
  return integer_binary(m, op, suffix(m, op), in[0], in[1], mlir_width(m, types[0]), out) || mlir_unsupported(m, op);
}

bool mlir_index_op(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  const char *what = suffix(m, op);
  if (is(what, "casts") || is(what, "castu")) return mlir_integer_cast(m, op, in, types, out);
  if (!strncmp(what, "m", 1) && is(what, "mul")) what = "muli";
  if (is(what, "cmp")) return mlir_compare_integers(m, op, in, types, out);
  return integer_binary(m, op, what, in[0], in[1], 64, out) || mlir_unsupported(m, op);
}

bool mlir_integer_cast(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  TermTable *tt = m->tt;
  const char *what = suffix(m, op);
  uint32_t from = mlir_width(m, types[0]), to = mlir_width(m, types[1]);
  out->poison = in[0].poison;
  Term t = in[0].value;
  bool is_unsigned = is(what, "extui") || is(what, "index_castui") || is(what, "castu");
  if (has_unit(m, op, "nneg") || has_unit(m, op, "nonNeg"))
    out->poison = term_or(tt, out->poison, term_lt(tt, mlir_as_int(tt, t), tt->zero));
  if (is(what, "trunci")) {
    out->value = mlir_truncate(m, t, to);
    Term exact = mlir_as_int(tt, out->value);
    if (to == 1) exact = term_neg(tt, exact);
    if (mlir_has_flag(m, op, "nsw")) out->poison = term_or(tt, out->poison, term_not(tt, term_eq(tt, exact, t)));
    if (mlir_has_flag(m, op, "nuw"))
      out->poison = term_or(tt, out->poison,
                            term_not(tt, term_eq(tt, mlir_unsigned(m, out->value, to), mlir_unsigned(m, t, from))));
    return true;
  }
  if (from == 1 && !is_unsigned)
    t = term_neg(tt, mlir_as_int(tt, t));
  else if (is_unsigned)
    t = mlir_unsigned(m, t, from);
  out->value = mlir_truncate(m, t, to);
  return true;
}

const char *mlir_predicate(const Mlir *m, const Op *op) {
  AttrId id = program_op_attr(m->p, op, "predicate");
  const char *p = program_op_text(m->p, op, id ? "predicate" : "pred");
  static const char *const numbered[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  int64_t number = program_op_int(m->p, op, "predicate", -1);
  return p ? p : number >= 0 && number < 10 ? numbered[number] : "";
}

bool mlir_compare_integers(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  TermTable *tt = m->tt;
  const char *p = mlir_predicate(m, op);
  Term a = in[0].value, b = in[1].value;
  uint32_t width = mlir_width(m, types[0]);
  out->poison = term_or(tt, in[0].poison, in[1].poison);
  if (is(p, "eq") || is(p, "ne")) {
    out->value = mlir_equal(tt, a, b);
    if (p[0] == 'n') out->value = term_not(tt, out->value);
    return true;
  }
  if (p[0] == 'u')
    a = mlir_unsigned(m, a, width), b = mlir_unsigned(m, b, width);
  else if (p[0] == 's')
    a = mlir_as_int(tt, a), b = mlir_as_int(tt, b);
  else
    return mlir_unsupported(m, op);
  if (p[0] == 's' && width == 1) a = term_neg(tt, a), b = term_neg(tt, b);
  bool greater = p[1] == 'g', strict = p[2] == 't';
  out->value = strict ? term_lt(tt, greater ? b : a, greater ? a : b) : term_le(tt, greater ? b : a, greater ? a : b);
  return true;
}

bool mlir_select(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  (void)types;
  if (op->operand_count != 3) return mlir_unsupported(m, op);
  *out = mlir_choose(m, mlir_as_bool(m->tt, in[0].value), in[1], in[2]);
  out->poison = term_or(m->tt, out->poison, in[0].poison);
  return true;
}

/* mulsi_extended and the like have two results: handled as operations on scalars only. */
bool mlir_extended(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  TermTable *tt = m->tt;
  const char *what = suffix(m, op);
  uint32_t width = mlir_width(m, types[0]);
  bool is_signed = is(what, "mulsi_extended"), sum = is(what, "addui_extended");
  if (width == 1) return mlir_unsupported(m, op);
  Term a = is_signed ? in[0].value : mlir_unsigned(m, in[0].value, width),
       b = is_signed ? in[1].value : mlir_unsigned(m, in[1].value, width);
  Term exact = sum ? term_add(tt, a, b) : term_mul(tt, a, b), poison = any_poison(m, op, in);
  out[0] = (Cell){term_wrap(tt, width, exact), poison};
  out[1] = (Cell){sum ? term_le(tt, power(tt, width), exact)
                      : term_wrap(tt, width, term_floordiv(tt, exact, power(tt, width))),
                  poison};
  return true;
}

/* ---- floats ---- */

/* fastmath<nnan, ninf>: operands and results that are not such are poison. The other flags allow rewriting, which a
 * result that is as written satisfies. */
static Term fast_poison(Mlir *m, const Op *op, const Cell *in, const TypeId *types, FloatFormat format, Term result) {
  TermTable *tt = m->tt;
  bool fast = mlir_has_flag(m, op, "fast");
  bool nnan = fast || mlir_has_flag(m, op, "nnan"), ninf = fast || mlir_has_flag(m, op, "ninf");
  Term poison = tt->false_;
  for (uint32_t i = 0; i <= op->operand_count; i++) {
    bool last = i == op->operand_count;
    Term t = last ? result : in[i].value;
    if (!t || (last && term_sort(tt, t) == SORT_BOOL)) continue;
    if (!last && !mlir_is_float(m, types[i])) continue;
    FloatFormat own = last ? format : mlir_type(m, types[i])->format;
    if (nnan) poison = term_or(tt, poison, floats_is_nan(&m->floats, own, t));
    if (ninf) poison = term_or(tt, poison, floats_is_infinite(&m->floats, own, t));
  }
  return poison;
}

static const struct {
  const char *name;
  FloatOp op;
} float_names[] = {
#define FLOAT_OP(id, name, arity, kind) {name, FLOAT_##id},
#include "mlir/floats.def"
#undef FLOAT_OP
    {"fpowi", FLOAT_OP_COUNT},
};

static bool find_float_op(const char *what, FloatOp *op) {
  for (size_t i = 0; i + 1 < sizeof float_names / sizeof *float_names; i++)
    if (is(float_names[i].name, what)) return *op = float_names[i].op, true;
  return false;
}

bool mlir_float_op(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  const char *what = suffix(m, op);
  FloatOp code;
  if (!mlir_is_float(m, types[0])) return mlir_unsupported(m, op);
  FloatFormat format = mlir_type(m, types[0])->format;
  Floats *f = &m->floats;
  out->poison = any_poison(m, op, in);
  if (is(what, "subf"))
    out->value = floats_binary(f, FLOAT_ADD, format, in[0].value, floats_unary(f, FLOAT_NEG, format, in[1].value));
  else if (is(what, "fma"))
    out->value = floats_fma(f, format, in[0].value, in[1].value, in[2].value);
  else if (!find_float_op(what, &code))
    return mlir_unsupported(m, op);
  else
    out->value = op->operand_count == 1 ? floats_unary(f, code, format, in[0].value)
                                        : floats_binary(f, code, format, in[0].value, in[1].value);
  out->poison = term_or(m->tt, out->poison, fast_poison(m, op, in, types, format, out->value));
  return true;
}

bool mlir_compare_floats(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  if (!mlir_is_float(m, types[0])) return mlir_unsupported(m, op);
  FloatFormat format = mlir_type(m, types[0])->format;
  out->value = floats_compare(&m->floats, format, program_op_text(m->p, op, "predicate"), in[0].value, in[1].value);
  out->poison = term_or(m->tt, any_poison(m, op, in), fast_poison(m, op, in, types, format, 0));
  return out->value || mlir_unsupported(m, op);
}

bool mlir_float_cast(Mlir *m, const Op *op, const Cell *in, const TypeId *types, Cell *out) {
  TermTable *tt = m->tt;
  Floats *f = &m->floats;
  const char *what = suffix(m, op);
  const Type *from = mlir_type(m, types[0]), *to = mlir_type(m, types[1]);
  uint32_t from_width = mlir_width(m, types[0]), to_width = mlir_width(m, types[1]);
  Term t = in[0].value;
  out->poison = in[0].poison, out->value = 0;
  const char *rounding = program_op_text(m->p, op, "roundingmode");
  if (rounding && !is(rounding, "to_nearest_even")) return mlir_unsupported(m, op);
  if (is(what, "extf") || is(what, "truncf"))
    out->value = floats_convert(f, from->format, to->format, t);
  else if (is(what, "sitofp"))
    out->value = floats_from_integer(f, to->format, from_width == 1 ? term_neg(tt, mlir_as_int(tt, t)) : t);
  else if (is(what, "uitofp")) {
    if (has_unit(m, op, "nneg")) out->poison = term_or(tt, out->poison, term_lt(tt, mlir_as_int(tt, t), tt->zero));
    out->value = floats_from_integer(f, to->format, mlir_unsigned(m, t, from_width));
  } else if (is(what, "fptosi") || is(what, "fptoui")) {
    Term poison;
    Term value = floats_to_integer(f, from->format, t, to_width, what[4] == 's', &poison);
    out->value = mlir_truncate(m, value, to_width), out->poison = term_or(tt, out->poison, poison);
  } else if (is(what, "bitcast")) {
    bool a = from->kind == TYPE_FLOAT, b = to->kind == TYPE_FLOAT;
    if (a && b)
      out->value = from->format == to->format ? t : 0;
    else if (a)
      out->value = mlir_truncate(m, floats_bits(f, from->format, t, to_width), to_width);
    else if (b)
      out->value = floats_from_bits(f, to->format, mlir_as_int(tt, t));
    else
      out->value = t;
  }
  if (!out->value) return mlir_unsupported(m, op);
  out->poison = term_or(tt, out->poison, fast_poison(m, op, in, types, to->format, 0));
  return true;
}

/* ---- bodies of named operations ---- */

Cell mlir_convert(Mlir *m, Cell cell, TypeId from, TypeId to) {
  if (from == to) return cell;
  bool a = mlir_is_float(m, from), b = mlir_is_float(m, to);
  if (a && b) {
    Term t = floats_convert(&m->floats, mlir_type(m, from)->format, mlir_type(m, to)->format, cell.value);
    return (Cell){t, cell.poison};
  }
  if (b)
    return (Cell){floats_from_integer(&m->floats, mlir_type(m, to)->format, mlir_as_int(m->tt, cell.value)),
                  cell.poison};
  if (a) {
    Term poison,
        t = floats_to_integer(&m->floats, mlir_type(m, from)->format, cell.value, mlir_width(m, to), true, &poison);
    return (Cell){mlir_truncate(m, t, mlir_width(m, to)), term_or(m->tt, cell.poison, poison)};
  }
  return (Cell){mlir_truncate(m, cell.value, mlir_width(m, to)), cell.poison};
}

static const char *integer_name(const char *what) {
  static const char *const names[][2] = {{"add", "addi"},   {"mul", "muli"},  {"sub", "subi"},
                                         {"max", "maxsi"},  {"min", "minsi"}, {"maxu", "maxui"},
                                         {"minu", "minui"}, {"div", "divsi"}, {"divu", "divui"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is(names[i][0], what)) return names[i][1];
  return what;
}

Cell mlir_combine(Mlir *m, const char *what, TypeId type, Cell a, Cell b) {
  TermTable *tt = m->tt;
  Cell out = {0, term_or(tt, a.poison, b.poison)};
  if (!mlir_is_float(m, type)) {
    static const Op plain = {0};
    integer_binary(m, &plain, integer_name(what), a, b, mlir_width(m, type), &out);
    return out;
  }
  Floats *f = &m->floats;
  FloatFormat format = mlir_type(m, type)->format;
  if (is(what, "sub"))
    out.value = floats_binary(f, FLOAT_ADD, format, a.value, floats_unary(f, FLOAT_NEG, format, b.value));
  if (is(what, "add")) out.value = floats_binary(f, FLOAT_ADD, format, a.value, b.value);
  if (is(what, "mul")) out.value = floats_binary(f, FLOAT_MUL, format, a.value, b.value);
  if (is(what, "div")) out.value = floats_binary(f, FLOAT_DIV, format, a.value, b.value);
  if (is(what, "max")) out.value = floats_binary(f, FLOAT_MAXIMUM, format, a.value, b.value);
  if (is(what, "maxnum")) out.value = floats_binary(f, FLOAT_MAXNUM, format, a.value, b.value);
  if (is(what, "min")) out.value = floats_binary(f, FLOAT_MINIMUM, format, a.value, b.value);
  if (is(what, "powf")) out.value = floats_binary(f, FLOAT_POW, format, a.value, b.value);
  return out;
}
