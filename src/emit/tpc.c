/* TPC-C: a kernel for Gaudi's tensor cores. Vectors have 64 lanes of 32 bits, tensors up to five dimensions, the
 * fastest one first, and a kernel runs for the part of the index space that it is given.
 *
 * Lanes are the last index of an output, where every read goes along it or stays at one place; else one output element
 * is made at a time, and the lanes are the index of each fold that goes along its reads. What is read at one place is a
 * scalar. Loads beyond a tensor give padding, which a fold masks, and stores beyond it do nothing. There are no
 * branches and no integer division: quotients come from floats and are then corrected by what they leave. */
#include <inttypes.h>
#include <string.h>

#include "emit/loop.h"
#include "emit/lower.h"

enum { LANES = 64, LONGEST = 88, DIMENSIONS = 5 };

typedef struct Place {
  const char *value, *name;
} Place;

typedef struct Tpc {
  Loop loop;           /* names, statements; `folds`: what is in a variable already */
  Array(Place) places; /* coordinates, likewise */
  TermTable *tt;
  Term lane;         /* the index that the lanes are; 0: all of them are one element */
  const char *first; /* its value in lane 0 */
} Tpc;

static const char *vector(Tpc *w, Term t);
static const char *scalar(Tpc *w, Term t);

static _Noreturn void refuse(Tpc *w, const char *what) { loop_give_up(&w->loop, what); }
static const char *kind_of(TermSort sort) { return sort == SORT_REAL ? "f32" : "i32"; }
static const char *type_of(TermSort sort) { return sort == SORT_REAL ? "float64" : "int64"; }

#define FORMAT(...) arena_format(w->loop.arena, __VA_ARGS__)
#define LINE(...) loop_line(&w->loop, FORMAT(__VA_ARGS__))

static const char *kept(Tpc *w, Term t, TermSort sort, const char *stem, const char *value) {
  const char *name = loop_fresh(&w->loop, stem);
  LINE("const %s %s = %s;", type_of(sort), name, value);
  if (t) array_push(w->loop.arena, &w->loop.folds, (LoopName){t, name});
  return name;
}

/* ---- scalars: sizes, places, arguments ---- */

/* A dimension of a tensor gives a size that is no argument. */
static const char *size_of(Tpc *w, Term symbol) {
  const Pointwise *p = w->loop.p;
  for (uint32_t i = 0; i < p->tensors.count && !loop_is_scalar(&w->loop, symbol); i++)
    for (uint32_t k = 0; k < p->tensors.data[i].rank; k++)
      if (p->tensors.data[i].extent[k] == symbol &&
          (p->tensors.data[i].is_written || loop_uses(&w->loop, p->tensors.data[i].symbol)))
        return FORMAT("get_dim_size(%s, %u)", loop_name(&w->loop, p->tensors.data[i].symbol),
                      p->tensors.data[i].rank - 1 - k);
  return NULL;
}

static bool is_scalar(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  TermKind kind = term_kind(tt, t);
  if (t == w->lane) return false;
  if (kind == TERM_RAT) return term_rat(tt, t).den == 1;
  if (kind == TERM_SYM) return true;
  if ((kind != TERM_ADD && kind != TERM_MUL && kind != TERM_MIN && kind != TERM_MAX) || term_sort(tt, t) != SORT_INT)
    return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!is_scalar(w, term_arg(tt, t, i))) return false;
  return true;
}

static const char *scalar_sum(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  Text text = text_new(w->loop.arena);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    int64_t k = (int64_t)term_rat(tt, term_arg(tt, t, i)).num;
    text_add(&text, text.count ? k < 0 ? " - " : " + " : k < 0 ? "-" : "");
    if (k != 1 && k != -1) text_format(&text, "%" PRId64 " * ", k < 0 ? -k : k);
    text_add(&text, loop_factor_text(&w->loop, scalar(w, term_arg(tt, t, i + 1))));
  }
  int64_t c = (int64_t)term_rat(tt, term_arg(tt, t, 0)).num;
  if (c) text_format(&text, " %c %" PRId64, c < 0 ? '-' : '+', c < 0 ? -c : c);
  return text_string(&text);
}

static const char *scalar(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  if (!is_scalar(w, t)) refuse(w, "such place or size");
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) {
    if (term_rat(tt, t).num > INT32_MAX || term_rat(tt, t).num < -INT32_MAX) refuse(w, "integers of more than 32 bits");
    return FORMAT("%" PRId64, (int64_t)term_rat(tt, t).num);
  }
  if (kind == TERM_SYM) {
    const char *size = size_of(w, t);
    return size ? size : loop_name(&w->loop, t);
  }
  if (kind == TERM_ADD) return scalar_sum(w, t);
  if (kind == TERM_MUL) {
    Text text = text_new(w->loop.arena);
    for (uint32_t i = 0; i < term_count(tt, t); i += 2)
      for (Int128 k = 0; k < term_rat(tt, term_arg(tt, t, i + 1)).num && k < 8; k++)
        text_format(&text, "%s%s", text.count ? " * " : "", loop_factor_text(&w->loop, scalar(w, term_arg(tt, t, i))));
    return text_string(&text);
  }
  const char *best = scalar(w, term_arg(tt, t, 0)), *sign = term_kind(tt, t) == TERM_MIN ? "<" : ">";
  for (uint32_t i = 1; i < term_count(tt, t); i++) {
    const char *next = scalar(w, term_arg(tt, t, i));
    best = FORMAT("(%s %s %s ? %s : %s)", next, sign, best, next, best);
  }
  return best;
}

/* ---- memory ---- */

/* True if every read inside goes along the lane, or stays at one place. */
static bool fits(TermTable *tt, Term t, Term lane) {
  if (term_kind(tt, t) == TERM_READ) {
    uint32_t n = term_count(tt, t);
    for (uint32_t i = 1; i + 1 < n; i++)
      if (term_has_symbol(tt, term_arg(tt, t, i), lane)) return false;
    Term last = n > 1 ? term_arg(tt, t, n - 1) : tt->zero;
    return !term_has_symbol(tt, last, lane) || !term_has_symbol(tt, term_sub(tt, last, lane), lane);
  }
  if (term_kind(tt, t) == TERM_FOLD &&
      (term_has_symbol(tt, term_fold_lo(tt, t), lane) || term_has_symbol(tt, term_fold_hi(tt, t), lane)))
    return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!fits(tt, term_arg(tt, t, i), lane)) return false;
  return true;
}

static const char *check_type(Tpc *w, const PointwiseTensor *t) {
  if (t->rank > DIMENSIONS) refuse(w, "tensors of more than five dimensions");
  if (strcmp(t->dtype, "i32") && strcmp(t->dtype, "u32") && strcmp(t->dtype, "f32"))
    refuse(w, FORMAT("lanes of the type %s here", t->dtype));
  return kind_of(t->sort);
}

static const char *coordinate(Tpc *w, const Term *index, uint32_t rank) {
  Text text = text_new(w->loop.arena);
  for (uint32_t k = rank; k-- > 0;) {
    Term at = index[k];
    bool along = w->lane && term_has_symbol(w->tt, at, w->lane);
    if (along) at = term_sub(w->tt, at, w->lane);
    const char *place = along && at == w->tt->zero ? w->first : scalar(w, at);
    if (along && at != w->tt->zero) place = FORMAT("%s + %s", w->first, loop_factor_text(&w->loop, place));
    text_format(&text, "%s%s", text.count ? ", " : "", place);
  }
  const char *value = rank ? text_string(&text) : "0";
  for (uint32_t i = 0; i < w->places.count; i++)
    if (!strcmp(w->places.data[i].value, value)) return w->places.data[i].name;
  const char *name = loop_fresh(&w->loop, "at");
  LINE("const int5 %s = {%s};", name, value);
  array_push(w->loop.arena, &w->places, (Place){value, name});
  return name;
}

static const char *load(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  const PointwiseTensor *tensor = pointwise_tensor(w->loop.p, term_arg(tt, t, 0));
  Term index[POINTWISE_MAX_RANK] = {0};
  uint32_t rank = term_count(tt, t) - 1;
  if (!tensor || rank != tensor->rank) refuse(w, "view of this tensor");
  const char *kind = check_type(w, tensor), *name = loop_name(&w->loop, tensor->symbol);
  bool along = false, inside = true;
  for (uint32_t k = 0; k < rank; k++) {
    index[k] = term_arg(tt, t, k + 1);
    if (term_node(tt, index[k])->flags & TERM_HAS_READ) refuse(w, "place that data decides");
    along |= w->lane && term_has_symbol(tt, index[k], w->lane);
    inside &= term_prove_le(tt, tt->zero, index[k]) && term_prove_lt(tt, index[k], tensor->extent[k]);
  }
  const char *at = coordinate(w, index, rank);
  if (along) return kept(w, t, tensor->sort, "x", FORMAT("v_%s_ld_tnsr_b(%s, %s)", kind, at, name));
  if (!inside) refuse(w, "read of one element that may lie outside");
  return kept(w, t, tensor->sort, "x", FORMAT("s_%s_ld_g(gen_addr(%s, %s))", kind, at, name));
}

/* ---- arithmetic ---- */

static const char *number(Tpc *w, Rational r, bool real) {
  if (!real && (r.num > INT32_MAX || r.num < -(Int128)INT32_MAX - 1)) refuse(w, "integers of more than 32 bits");
  if (!real) return r.num == -(Int128)INT32_MAX - 1 ? "(-2147483647 - 1)" : FORMAT("%" PRId64, (int64_t)r.num);
  const char *text = FORMAT("%.9g", rational_to_double(r));
  return strpbrk(text, ".en") ? FORMAT("%sf", text) : FORMAT("%s.0f", text);
}

/* As a vector of reals. */
static const char *real(Tpc *w, Term t) {
  if (term_is_rat(w->tt, t)) return number(w, term_rat(w->tt, t), true);
  if (term_sort(w->tt, t) == SORT_REAL) return vector(w, t);
  if (is_scalar(w, t)) return FORMAT("(float)%s", loop_factor_text(&w->loop, scalar(w, t)));
  return FORMAT("convert_int64_to_float64(%s, 0)", vector(w, t));
}

static const char *operand(Tpc *w, Term t, TermSort sort) { return sort == SORT_REAL ? real(w, t) : vector(w, t); }

static const char *times(Tpc *w, TermSort sort, const char *a, const char *b) {
  if (!a) return b;
  return sort == SORT_REAL ? FORMAT("v_f32_mul_b(%s, %s)", a, b) : FORMAT("v_i32_mul_b(%s, %s).v1", a, b);
}

static const char *sum(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  TermSort sort = term_sort(tt, t);
  Rational constant = term_rat(tt, term_arg(tt, t, 0));
  const char *text = NULL, *kind = kind_of(sort);
  for (int minus = 0; minus < 2; minus++) {
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      if ((k.num < 0) != minus) continue;
      if (minus) k.num = -k.num;
      if (sort == SORT_INT && k.den != 1) refuse(w, "such polynomial");
      const char *part = operand(w, term_arg(tt, t, i + 1), sort);
      if (k.num != 1 || k.den != 1) part = times(w, sort, part, number(w, k, sort == SORT_REAL));
      if (minus && !text) text = sort == SORT_REAL ? "0.0f" : "0";
      text = text ? FORMAT("v_%s_%s_b(%s, %s)", kind, minus ? "sub" : "add", text, part) : part;
    }
    if (!minus && constant.num)
      text = text ? FORMAT("v_%s_add_b(%s, %s)", kind, text, number(w, constant, sort == SORT_REAL))
                  : number(w, constant, sort == SORT_REAL);
  }
  return text;
}

static const char *product(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  TermSort sort = term_sort(tt, t);
  const char *above = NULL, *below = NULL;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    const char **to = e.num < 0 ? &below : &above, *base = operand(w, term_arg(tt, t, i), sort);
    if (e.num < 0) e.num = -e.num;
    if (sort == SORT_INT && (e.den != 1 || to == &below)) refuse(w, "such power of integers");
    if (e.num != 1 || e.den != 1) base = kept(w, 0, sort, "base", base);
    if (e.den == 2 && e.num == 1)
      *to = times(w, sort, *to, FORMAT("v_sqrt_f32(%s)", base));
    else if (e.den != 1 || e.num > 8)
      *to = times(w, sort, *to, FORMAT("v_pow_f32(%s, %s)", base, number(w, e, true)));
    else
      for (Int128 k = 0; k < e.num; k++) *to = times(w, sort, *to, base);
  }
  return below ? FORMAT("v_div_f32(%s, %s)", above ? above : "1.0f", below) : above;
}

/* ---- conditions ---- */

static const char *choose(Tpc *w, Term condition, TermSort sort, const char *yes, const char *no) {
  TermTable *tt = w->tt;
  bool negated = term_kind(tt, condition) == TERM_NOT && term_kind(tt, term_arg(tt, condition, 0)) == TERM_EQ;
  if (negated) condition = term_arg(tt, condition, 0);
  TermKind kind = term_kind(tt, condition);
  if (kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ) {
    Term left, right;
    loop_sides(tt, condition, &left, &right);
    TermSort sides = term_sort(tt, left) == SORT_REAL || term_sort(tt, right) == SORT_REAL ? SORT_REAL : SORT_INT;
    const char *word = kind == TERM_EQ ? negated ? "neq" : "eq" : kind == TERM_LE ? "leq" : "less";
    bool same = (sides == SORT_REAL) == (sort == SORT_REAL);
    const char *a = operand(w, left, sides), *b = operand(w, right, sides), *k = kind_of(sides);
    if (same) return FORMAT("v_%s_sel_%s_%s_b(%s, %s, %s, %s)", k, word, k, a, b, yes, no);
    const char *flag =
        sides == SORT_REAL
            ? FORMAT("convert_float64_to_int64(v_f32_sel_%s_f32_b(%s, %s, 1.0f, 0.0f), SW_RZ)", word, a, b)
            : FORMAT("convert_int64_to_float64(v_i32_sel_%s_i32_b(%s, %s, 1, 0), 0)", word, a, b);
    return FORMAT("v_%s_sel_neq_%s_b(%s, %s, %s, %s)", kind_of(sort), kind_of(sort), flag,
                  sort == SORT_REAL ? "0.0f" : "0", yes, no);
  }
  const char *flag = vector(w, condition);
  if (sort == SORT_REAL)
    return FORMAT("v_f32_sel_neq_f32_b(convert_int64_to_float64(%s, 0), 0.0f, %s, %s)", flag, yes, no);
  return FORMAT("v_i32_sel_neq_i32_b(%s, 0, %s, %s)", flag, yes, no);
}

static const char *junction(Tpc *w, Term t, const char *word) {
  const char *text = vector(w, term_arg(w->tt, t, 0));
  for (uint32_t i = 1; i < term_count(w->tt, t); i++)
    text = FORMAT("v_i32_%s_b(%s, %s)", word, text, vector(w, term_arg(w->tt, t, i)));
  return text;
}

/* ---- folds ---- */

static const char *identity(Tpc *w, TermFoldOp op, TermSort sort) {
  bool is_real = sort == SORT_REAL;
  switch (op) {
  case FOLD_SUM: return is_real ? "0.0f" : "0";
  case FOLD_PROD: return is_real ? "1.0f" : "1";
  case FOLD_MAX: return is_real ? "-INFINITY" : "(-2147483647 - 1)";
  case FOLD_MIN: return is_real ? "INFINITY" : "2147483647";
  case FOLD_ANY:
  case FOLD_XOR: return "0";
  case FOLD_ALL: return "1";
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  refuse(w, "place of the best");
}

static const char *combine(Tpc *w, TermFoldOp op, TermSort sort, const char *a, const char *b) {
  static const char *const words[] = {"add", "", "max", "min", "or", "and", "xor"};
  if (op == FOLD_PROD) return times(w, sort, a, b);
  return FORMAT("v_%s_%s_b(%s, %s)", kind_of(sort), words[op], a, b);
}

/* All lanes of a vector as one value, in each of them. */
static const char *reduced(Tpc *w, TermFoldOp op, TermSort sort, const char *all) {
  const char *kind = kind_of(sort), *one;
  bool is_real = sort == SORT_REAL;
  if (op == FOLD_SUM || op == FOLD_MAX || op == FOLD_ANY || (is_real && op != FOLD_XOR))
    one = FORMAT("v_%s_reduce_%s(%s)", kind,
                 op == FOLD_SUM    ? "add"
                 : op == FOLD_PROD ? "mul"
                 : op == FOLD_MIN  ? "min"
                                   : "max",
                 all);
  else if (op == FOLD_MIN || op == FOLD_ALL) /* -1 - x turns the order around, and never overflows */
    one = FORMAT("v_i32_sub_b(-1, v_i32_reduce_max(v_i32_sub_b(-1, %s)))", all);
  else
    refuse(w, "such reduction over lanes");
  const char *name = kept(w, 0, sort, "lane", one);
  return FORMAT("v_%s_shuffle_b(%s, (uchar256)0x80, 0, %s)", kind, name, name);
}

static const char *lanes_from(Tpc *w, const char *first) {
  return FORMAT("v_i32_add_b((int64)read_lane_id_4b_b(), %s)", first);
}

static const char *fold(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  FoldParts f = term_fold_open(tt, t);
  TermSort sort = term_sort(tt, f.body);
  bool lanes = !w->lane && fits(tt, f.body, f.symbol) && fits(tt, f.guard, f.symbol);
  const char *k = loop_fresh(&w->loop, "k"), *lo = scalar(w, f.lo), *hi = scalar(w, f.hi),
             *acc = loop_fresh(&w->loop, "acc");
  array_push(w->loop.arena, &w->loop.names, (LoopName){f.symbol, k});
  LINE("%s %s = %s;", type_of(sort), acc, identity(w, f.op, sort));
  LINE("for (int %s = %s; %s < %s; %s += %d) {", k, lo, k, loop_factor_text(&w->loop, hi), k, lanes ? LANES : 1);
  uint32_t known = w->loop.folds.count, places = w->places.count;
  w->loop.indent++;
  if (lanes) w->lane = f.symbol, w->first = k;
  const char *value = operand(w, f.body, sort), *none = identity(w, f.op, sort);
  if (f.guard != tt->true_) value = choose(w, f.guard, sort, value, none);
  if (lanes && sort == SORT_REAL)
    value = FORMAT("below(%s, %s, %s, %s)", lanes_from(w, k), hi, value, none);
  else if (lanes)
    value = FORMAT("v_i32_sel_less_i32_b(%s, %s, %s, %s)", lanes_from(w, k), hi, value, none);
  LINE("%s = %s;", acc, combine(w, f.op, sort, acc, value));
  if (lanes) w->lane = 0, w->first = NULL;
  w->loop.indent--;
  w->loop.folds.count = known, w->places.count = places;
  LINE("}");
  return kept(w, t, sort, "all", lanes ? reduced(w, f.op, sort, acc) : acc);
}

/* ---- all of them ---- */

static const char *call(Tpc *w, Term t) {
  TermFn fn = (TermFn)term_aux(w->tt, t);
  const char *name = term_fn_info(fn)->tpc;
  if (!name) refuse(w, term_fn_name(fn));
  TermSort sort = term_sort(w->tt, t);
  const char *a = operand(w, term_arg(w->tt, t, 0), sort);
  return term_count(w->tt, t) == 1 ? FORMAT("%s(%s)", name, a)
                                   : FORMAT("%s(%s, %s)", name, a, operand(w, term_arg(w->tt, t, 1), sort));
}

static const char *extremum(Tpc *w, Term t, const char *word) {
  Term joined = lower_joined(w->tt, t);
  if (joined != t) return vector(w, joined);
  TermSort sort = term_sort(w->tt, t);
  const char *text = operand(w, term_arg(w->tt, t, 0), sort);
  for (uint32_t i = 1; i < term_count(w->tt, t); i++)
    text = FORMAT("v_%s_%s_b(%s, %s)", kind_of(sort), word, text, operand(w, term_arg(w->tt, t, i), sort));
  return text;
}

static const char *wrapped(Tpc *w, Term t) {
  uint32_t width = term_aux(w->tt, t);
  const char *inside = vector(w, term_arg(w->tt, t, 0));
  if (width > 32) refuse(w, "integers of more than 32 bits");
  if (width == 32) return inside; /* lanes wrap by themselves */
  int64_t half = (int64_t)1 << (width - 1);
  return FORMAT("v_i32_sub_b(v_i32_and_b(v_i32_add_b(%s, %" PRId64 "), %" PRId64 "), %" PRId64 ")", inside, half,
                2 * half - 1, half);
}

static const char *converted(Tpc *w, Term t, const char *mode) {
  return FORMAT("convert_float64_to_int64(%s, %s)", real(w, term_arg(w->tt, t, 0)), mode);
}

static const char *expression(Tpc *w, Term t) {
  TermTable *tt = w->tt;
  TermSort sort = term_sort(tt, t);
  Term a, b;
  switch (term_kind(tt, t)) {
  case TERM_RAT: return number(w, term_rat(tt, t), term_rat(tt, t).den != 1);
  case TERM_INF: return sort == SORT_REAL ? "INFINITY" : "2147483647";
  case TERM_NEG_INF: return sort == SORT_REAL ? "-INFINITY" : "(-2147483647 - 1)";
  case TERM_NAN: return "NAN";
  case TERM_TRUE: return "1";
  case TERM_FALSE:
  case TERM_UNDEF: return sort == SORT_REAL ? "0.0f" : "0";
  case TERM_SYM: return t == w->lane ? lanes_from(w, w->first) : scalar(w, t);
  case TERM_READ: return load(w, t);
  case TERM_ADD: return sum(w, t);
  case TERM_MUL: return product(w, t);
  case TERM_FLOORDIV: return FORMAT("floor_div(%s, %s)", vector(w, term_arg(tt, t, 0)), vector(w, term_arg(tt, t, 1)));
  case TERM_MIN: return extremum(w, t, "min");
  case TERM_MAX: return extremum(w, t, "max");
  case TERM_ABS: {
    const char *x = kept(w, 0, sort, "value", operand(w, term_arg(tt, t, 0), sort));
    return FORMAT("v_%s_max_b(%s, v_%s_sub_b(%s, %s))", kind_of(sort), x, kind_of(sort),
                  sort == SORT_REAL ? "0.0f" : "0", x);
  }
  case TERM_FLOOR: return converted(w, t, "SW_RD");
  case TERM_CEIL: return converted(w, t, "SW_RU");
  case TERM_ROUND: return converted(w, t, "SW_RHNE");
  case TERM_TRUNC: return converted(w, t, "SW_RZ");
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return choose(w, t, SORT_INT, "1", "0");
  case TERM_NOT: return FORMAT("v_i32_sub_b(1, %s)", vector(w, term_arg(tt, t, 0)));
  case TERM_AND: return junction(w, t, "and");
  case TERM_OR: return junction(w, t, "or");
  case TERM_SELECT:
    if (term_is_truncdiv(tt, t, &a, &b)) return FORMAT("trunc_div(%s, %s)", vector(w, a), vector(w, b));
    return choose(w, term_arg(tt, t, 0), sort, operand(w, term_arg(tt, t, 1), sort),
                  operand(w, term_arg(tt, t, 2), sort));
  case TERM_FN: return call(w, t);
  case TERM_WRAP: return wrapped(w, t);
  case TERM_FOLD: return fold(w, t);
  case TERM_OPAQUE: refuse(w, "functions that are arguments");
  case TERM_RECUR: refuse(w, "recurrences");
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN:
  case TERM_NONE:
  case TERM_BOUND:
  case TERM_PTR:
  case TERM_STATE:
  case TERM_KIND_COUNT: break;
  }
  refuse(w, "such expression");
}

static const char *vector(Tpc *w, Term t) {
  guard_tick(w->loop.arena->guard);
  for (uint32_t i = 0; i < w->loop.folds.count; i++)
    if (w->loop.folds.data[i].term == t) return w->loop.folds.data[i].text;
  if (is_scalar(w, t)) return scalar(w, t);
  const char *text = expression(w, t);
  return strlen(text) > LONGEST ? kept(w, t, term_sort(w->tt, t), "v", text) : text;
}

/* ---- the kernel ---- */

/* True if every value goes along the last index of the output. */
static bool goes_along(Tpc *w, const PointwiseOutput *output) {
  Term lane = output->rank ? output->index[output->rank - 1] : 0;
  for (uint32_t k = 0; k < output->pieces.count && lane; k++)
    if (!fits(w->tt, output->pieces.data[k].value, lane) || !fits(w->tt, output->pieces.data[k].region, lane))
      return false;
  return lane != 0;
}

static void write_output(Tpc *w, const PointwiseOutput *output) {
  TermTable *tt = w->tt;
  const PointwiseTensor *t = &w->loop.p->tensors.data[output->tensor];
  const char *kind = check_type(w, t), *name = loop_name(&w->loop, t->symbol);
  bool along = goes_along(w, output);
  if (output->scatter) refuse(w, "place that data decides");
  if (!output->rank) { /* one part of the index space makes it */
    LINE("for (int i = start[0]; i < end[0]; i++) {");
    w->loop.indent++;
  }
  for (uint32_t k = 0; k < output->rank; k++) {
    TermList before = loop_invariants(&w->loop, output, k);
    for (uint32_t n = 0; n < before.count; n++) vector(w, before.data[n]);
    bool lanes = along && k == output->rank - 1;
    const char *i = loop_name(&w->loop, output->index[k]);
    uint32_t d = output->rank - 1 - k;
    if (lanes)
      LINE("for (int %s = %d * start[%u]; %s < %d * end[%u]; %s += %d) {", i, LANES, d, i, LANES, d, i, LANES);
    else
      LINE("for (int %s = start[%u]; %s < end[%u]; %s++) {", i, d, i, d, i);
    w->loop.indent++;
    if (lanes) w->lane = output->index[k], w->first = i;
  }
  const char *value = NULL;
  Term own = term_read(tt, t->symbol, t->sort, t->rank, output->index);
  Term old = term_symbol_fresh(tt, "old", t->sort, SYMBOL_SCALAR); /* any value: no number, beside which reads end */
  for (uint32_t k = 0; k < output->pieces.count; k++) {
    const PointwisePiece *piece = &output->pieces.data[k];
    TermMap map = {1, &own, &old};
    if (term_has_symbol(tt, term_substitute(tt, piece->value, map), t->symbol) ||
        term_has_symbol(tt, term_substitute(tt, piece->region, map), t->symbol))
      refuse(w, "order in which an output is read and written");
    bool whole = piece->region == tt->true_;
    const char *part = operand(w, piece->value, t->sort);
    if (!value && (!whole || piece->accumulate)) value = vector(w, own);
    if (piece->accumulate) part = combine(w, (TermFoldOp)(piece->accumulate - 1), t->sort, value, part);
    value = whole ? part : choose(w, piece->region, t->sort, part, value);
  }
  const char *at = coordinate(w, output->index, output->rank);
  if (along)
    LINE("v_%s_st_tnsr(%s, %s, %s);", kind, at, name, value);
  else
    LINE("v_%s_st_tnsr_partial(%s, %s, %s, 0, 0); /* one element */", kind, at, name, value);
  w->lane = 0, w->first = NULL, w->loop.folds.count = w->places.count = 0;
  for (uint32_t k = 0; k < output->rank || !k; k++) {
    w->loop.indent--;
    LINE("}");
  }
}

static bool is_said(Tpc *w, Term symbol) {
  return loop_has_word(text_string(w->loop.body), loop_name(&w->loop, symbol));
}

static const char *parameters(Tpc *w) {
  const Pointwise *p = w->loop.p;
  Text list = text_new(w->loop.arena);
  for (int written = 0; written < 2; written++)
    for (uint32_t i = 0; i < p->tensors.count; i++)
      if (p->tensors.data[i].is_written == written && (written || loop_uses(&w->loop, p->tensors.data[i].symbol)))
        text_format(&list, "%stensor %s", list.count ? ", " : "", loop_name(&w->loop, p->tensors.data[i].symbol));
  for (uint32_t i = 0; i < w->tt->symbols.count; i++) {
    const Symbol *s = &w->tt->symbols.data[i];
    bool size = (s->role == SYMBOL_SIZE || s->role == SYMBOL_GRID) && !loop_is_scalar(&w->loop, s->term);
    if (size && !size_of(w, s->term) && is_said(w, s->term))
      text_format(&list, ", int %s", loop_name(&w->loop, s->term));
  }
  for (uint32_t i = 0; i < p->scalars.count; i++) {
    const PointwiseScalar *s = &p->scalars.data[i];
    if (!is_said(w, s->symbol)) continue;
    if (!strcmp(s->dtype, "f64") && term_sort(w->tt, s->symbol) == SORT_REAL) refuse(w, "scalar of the type f64");
    text_format(&list, ", %s %s", term_sort(w->tt, s->symbol) == SORT_REAL ? "float" : "int",
                loop_name(&w->loop, s->symbol));
  }
  return text_string(&list);
}

static const char *index_space(Tpc *w, const PointwiseOutput *output) {
  const PointwiseTensor *t = &w->loop.p->tensors.data[output->tensor];
  Text text = text_new(w->loop.arena);
  for (uint32_t k = output->rank; k-- > 0;) {
    bool lanes = k == output->rank - 1 && goes_along(w, output);
    text_format(&text, lanes ? "%s(%s + 63) / 64" : "%s%s", text.count ? ", " : "", term_text(w->tt, t->extent[k]));
  }
  return output->rank ? text_string(&text) : "1";
}

/* The quotient in floats, then what it leaves divided once more, and then it is wrong by one at most. */
static const char division[] =
    "static int64 quotient(int64 a, int64 b, int64 *rest) {\n"
    "  const float64 inverse = v_reciprocal_f32(convert_int64_to_float64(b, 0));\n"
    "  int64 q = 0;\n"
    "  *rest = a;\n"
    "  for (int i = 0; i < 3; i++) {\n"
    "    const int64 part = convert_float64_to_int64(v_f32_mul_b(convert_int64_to_float64(*rest, 0), inverse), "
    "SW_RZ);\n"
    "    q = v_i32_add_b(q, part);\n"
    "    *rest = v_i32_sub_b(*rest, v_i32_mul_b(part, b).v1);\n"
    "  }\n"
    "  return q;\n"
    "}\n\n"
    "static int64 floor_div(int64 a, int64 b) {\n"
    "  const int64 sign = v_i32_sel_less_i32_b(b, 0, -1, 1);\n"
    "  int64 rest, q = quotient(a, b, &rest);\n"
    "  rest = v_i32_mul_b(rest, sign).v1; /* of b's sign: 0 <= rest < |b| */\n"
    "  const int64 size = v_i32_mul_b(b, sign).v1;\n"
    "  q = v_i32_add_b(q, v_i32_sel_less_i32_b(rest, 0, -1, v_i32_sel_leq_i32_b(size, rest, 1, 0)));\n"
    "  return q;\n"
    "}\n\n"
    "static int64 trunc_div(int64 a, int64 b) {\n"
    "  const int64 q = floor_div(a, b), rest = v_i32_sub_b(a, v_i32_mul_b(q, b).v1);\n"
    "  const int64 apart = v_i32_sel_less_i32_b(v_i32_xor_b(a, b), 0, 1, 0); /* other signs: rounded up */\n"
    "  return v_i32_add_b(q, v_i32_sel_neq_i32_b(rest, 0, apart, 0));\n"
    "}\n\n";

static const char below[] = "static float64 below(int64 a, int64 b, float64 yes, float64 no) {\n"
                            "  const int64 flag = v_i32_sel_less_i32_b(a, b, 1, 0);\n"
                            "  return v_f32_sel_neq_f32_b(convert_int64_to_float64(flag, 0), 0.0f, yes, no);\n"
                            "}\n\n";

void emit_tpc(const Pointwise *p, const EmitHeader *header, Text *out) {
  Arena *arena = p->tt->arena;
  Text body = text_new(arena), notes = text_new(arena);
  Tpc *w = arena_new(arena, Tpc);
  *w = (Tpc){.loop = {.target = "TPC-C", .arena = arena, .tt = p->tt, .p = p, .body = &body, .indent = 1}, .tt = p->tt};
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (!p->outputs.data[i].pieces.count) refuse(w, "output that nothing writes");
  const char *space = index_space(w, &p->outputs.data[0]);
  LINE("const int5 start = get_index_space_offset(), end = start + get_index_space_size();");
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    if (strcmp(space, index_space(w, &p->outputs.data[i]))) refuse(w, "outputs of several index spaces");
    write_output(w, &p->outputs.data[i]);
  }
  const char *list = parameters(w);
  text_format(&notes, " *   integers fit 32 bits on the way\n *\n * Index space: %s\n", space);
  loop_comment(&w->loop, header, FORMAT("void main(%s);", list), text_string(&notes), out);
  if (strstr(text_string(&body), "_div(")) text_add(out, division);
  if (strstr(text_string(&body), "below(")) text_add(out, below);
  text_format(out, "void main(%s) {\n%s}\n", list, text_string(&body));
}
