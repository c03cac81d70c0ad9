/* Elementwise arithmetic of the interpreter: integers modulo 2^w, floats rounded to their format, casts, externs.
 *
 * A float op is computed in double and then rounded once to its format. For + - * / sqrt that is what the format's own
 * arithmetic gives (double has more than twice its bits); elementary functions come out nearer than on a device.
 * With `exact_reals` nothing is rounded. An integer op that wraps marks the lane with its number, so that an address
 * made from it can name the op; a lane that no rule of the language defines is marked undefined. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "program/interpret_state.h"

/* ---- formats */

/* Round to nearest even. Normal numbers by an addition on the bits of the double; the rest through the encoder. */
double interpret_round(FloatFormat format, double value) {
  static const struct {
    int drop, least;
    double most;
  } rows[FLOAT_FORMAT_COUNT] = {
      [FLOAT_F16] = {42, -14, 65504.0},
      [FLOAT_BF16] = {45, -126, 0x1.fep127},
      [FLOAT_TF32] = {42, -126, 0x1.ffcp127},
  };
  if (format == FLOAT_F64 || format == FLOAT_F80) return value;
  if (format == FLOAT_F32) return (double)(float)value;
  if (value == 0) return value;
  if (rows[format].drop) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047) - 1023, drop = rows[format].drop;
    if (exponent >= rows[format].least && exponent <= 1000) {
      bits += (bits >> drop & 1) + (1ull << (drop - 1)) - 1;
      bits &= ~((1ull << drop) - 1);
      memcpy(&value, &bits, sizeof bits);
      return fabs(value) > rows[format].most ? copysign(INFINITY, value) : value;
    }
  }
  return program_float_decode(format, program_float_encode(format, value));
}

/* As if another rounding had been made. */
static void move_lanes(const Interp *it, Lanes *out) {
  for (int64_t k = 0; k < out->count; k++) {
    double value = out->f[k], share;
    if (!isfinite(value) || value == floor(value)) continue;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    share = (double)(random_mix(bits + it->options->seed) >> 11) * 0x1p-52 - 1;
    out->f[k] = value + value * share * it->options->noise;
  }
}

static void round_lanes(const Interp *it, FloatFormat format, Lanes *out) {
  if (it->options->exact_reals || format == FLOAT_F64 || format == FLOAT_F80) return;
  if (format == FLOAT_F32) {
    for (int64_t k = 0; k < out->count; k++) out->f[k] = (double)(float)out->f[k];
  } else {
    for (int64_t k = 0; k < out->count; k++) out->f[k] = interpret_round(format, out->f[k]);
  }
}

int64_t interpret_bits(const Element *element, InterpretCell cell) {
  if (element->is_float && element->format == FLOAT_F32 && !isnan(cell.real)) {
    float single = (float)cell.real;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
  }
  if (element->is_float) return (int64_t)program_float_encode(element->format, cell.real);
  return (int64_t)interpret_unsigned(element->width, cell.integer);
}

InterpretCell interpret_from_bits(const Element *element, uint64_t bits) {
  if (element->is_float && element->format == FLOAT_F32) {
    uint32_t low = (uint32_t)bits;
    float single;
    memcpy(&single, &low, sizeof single);
    return (InterpretCell){.real = (double)single};
  }
  if (element->is_float) return (InterpretCell){.real = program_float_decode(element->format, bits)};
  return (InterpretCell){.integer = interpret_wrap(element->width, (int64_t)bits)};
}

/* ---- what an op works on */

typedef struct Work {
  Element element; /* of the result */
  Lanes *out, in[3];
  int64_t count;
} Work;

static Element operand_element(Interp *it, const Op *op, uint32_t i) {
  return interpret_element(it, interpret_operand_type(it, op, i));
}

/* Result 0 and `operands` operands of as many lanes. */
static Work open_lines(Interp *it, const Op *op, uint32_t operands) {
  Work w = {.element = interpret_element(it, interpret_result_type(it, op, 0))};
  if (op->operand_count != operands) interpret_ill_typed(it);
  w.out = interpret_result(it, op, 0);
  w.count = w.out->count;
  for (uint32_t i = 0; i < operands; i++) w.in[i] = interpret_operand(it, op, i, w.count);
  interpret_merge_marks(it, w.out, w.in, operands);
  return w;
}

/* The same for ops that do not map lines to lines. */
static Work open_work(Interp *it, const Op *op, uint32_t operands) {
  Work w = open_lines(it, op, operands);
  interpret_commit_all(w.out);
  return w;
}

static void want_kind(Interp *it, const Op *op, uint32_t operands, bool is_float) {
  for (uint32_t i = 0; i < operands; i++)
    if (operand_element(it, op, i).is_float != is_float) interpret_ill_typed(it);
}

static OpId op_id(const Interp *it, const Op *op) { return (OpId)(op - it->program->ops.data); }

/* ---- integers */

static uint8_t wrap_number(Interp *it, const Op *op, int64_t lane, int64_t a, int64_t b) {
  OpId id = op_id(it, op);
  for (uint32_t i = 0; i < it->wrap_count; i++)
    if (it->wraps[i].op == id) return (uint8_t)(i + 1);
  if (it->wrap_count == MARK_WRAPPED) return MARK_WRAPPED;
  Wrap *wrap = &it->wraps[it->wrap_count++];
  *wrap = (Wrap){.op = id, .lane = interpret_lane_number(it, lane), .a = a, .b = b};
  memcpy(wrap->program, it->pid, sizeof wrap->program);
  return (uint8_t)it->wrap_count;
}

/* True if `a op b` left the signed range of w bits. */
static bool leaves_range(Opcode code, uint32_t w, int64_t a, int64_t b) {
  int64_t r = 0;
  bool out = code == OP_ARITH_ADDI   ? __builtin_add_overflow(a, b, &r)
             : code == OP_ARITH_SUBI ? __builtin_sub_overflow(a, b, &r)
             : code == OP_ARITH_SHLI ? (b > 62 ? a != 0 : __builtin_mul_overflow(a, 1ll << b, &r))
                                     : __builtin_mul_overflow(a, b, &r);
  return out || interpret_wrap(w, r) != r;
}

static void mark_wrapped(Interp *it, const Op *op, Work *w) {
  uint32_t width = w->element.width;
  bool undefined = program_op_attr(it->program, op, "fits"); /* where it overflows */
  bool unbounded = program_op_attr(it->program, op, "unbounded");
  if (width == 1) return;
  for (int64_t k = 0; k < w->count; k++) {
    int64_t a = w->in[0].i[k], b = w->in[1].i[k];
    if (op->code == OP_ARITH_SHLI && (b < 0 || b >= width)) continue;
    if (!leaves_range(op->code, width, a, b)) continue;
    if (unbounded) interpret_fail(it, INTERPRET_LIMIT, "an integer is beyond 64 bits");
    uint8_t *mark = interpret_marks(it, w->out);
    interpret_commit(&mark[k]);
    mark[k] = (uint8_t)((mark[k] & ~MARK_WRAPPED) | wrap_number(it, op, k, a, b));
    if (undefined) mark[k] |= MARK_UNDEFINED;
  }
}

static void canonical(Work *w) {
  uint32_t width = w->element.width;
  if (width >= 64) return;
  int64_t *out = w->out->i;
  if (width == 1) {
    for (int64_t k = 0; k < w->count; k++) out[k] &= 1;
  } else if (width == 32) {
    for (int64_t k = 0; k < w->count; k++) out[k] = (int32_t)out[k];
  } else {
    for (int64_t k = 0; k < w->count; k++) out[k] = interpret_wrap(width, out[k]);
  }
}

static void set_undefined(Interp *it, Work *w, int64_t lane) { interpret_marks(it, w->out)[lane] |= MARK_UNDEFINED; }

/* Signed reading of a lane: only i1 differs from how it is kept. */
static int64_t as_signed(uint32_t width, int64_t v) { return width == 1 ? -(v & 1) : v; }

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
static int64_t ceil_divide(int64_t a, int64_t b) { return a / b + ((a % b != 0) && ((a < 0) == (b < 0))); }

static int64_t divide_unsigned(Opcode code, uint64_t a, uint64_t b) {
  return (int64_t)(code == OP_ARITH_DIVUI ? a / b : code == OP_ARITH_REMUI ? a % b : a / b + (a % b != 0));
}

static int64_t divide_signed(Opcode code, int64_t a, int64_t b) {
  return code == OP_ARITH_DIVSI        ? a / b
         : code == OP_ARITH_REMSI      ? a % b
         : code == OP_ARITH_FLOORDIVSI ? floor_divide(a, b)
                                       : ceil_divide(a, b);
}

static void divide(Interp *it, const Op *op, Work *w) {
  uint32_t width = w->element.width;
  bool is_unsigned = op->code == OP_ARITH_DIVUI || op->code == OP_ARITH_REMUI || op->code == OP_ARITH_CEILDIVUI;
  int64_t least = width >= 64 ? INT64_MIN : -((int64_t)1 << (width - 1));
  for (int64_t k = 0; k < w->count; k++) {
    int64_t a = as_signed(width, w->in[0].i[k]), b = as_signed(width, w->in[1].i[k]);
    if (b == 0 || (!is_unsigned && b == -1 && a == least)) {
      bool undefined = w->out->mark && w->out->mark[k] & MARK_UNDEFINED;
      if (b && program_op_attr(it->program, op, "unbounded"))
        interpret_fail(it, INTERPRET_LIMIT, "an integer is beyond 64 bits");
      InterpretFinding *f = undefined ? NULL : interpret_report(it, INTERPRET_DIVISION, op_id(it, op), -1, k);
      if (f) f->a = a, f->b = b;
      set_undefined(it, w, k);
      w->out->i[k] = 0;
    } else if (is_unsigned) {
      w->out->i[k] = divide_unsigned(op->code, interpret_unsigned(width, a), interpret_unsigned(width, b));
    } else {
      w->out->i[k] = divide_signed(op->code, a, b);
    }
  }
}

/* 0 & undefined is 0, 1 | undefined is 1, if the deciding lane is a defined i1, the same all over its run. */
static void refine_logic(const Op *op, Work *w) {
  int64_t decider = op->code == OP_ARITH_ORI;
  if (w->element.width != 1 || !w->out->mark) return;
  for (int64_t k = 0; k < w->count; k++)
    for (int o = 0; o < 2; o++)
      if (w->in[o].i[k] == decider && !(w->in[o].mark && w->in[o].mark[k] & ~MARK_WRAPPED))
        w->out->mark[k] &= MARK_WRAPPED;
}

static void shift(Interp *it, const Op *op, Work *w) {
  uint32_t width = w->element.width;
  for (int64_t k = 0; k < w->count; k++) {
    int64_t a = w->in[0].i[k];
    uint64_t by = interpret_unsigned(width, w->in[1].i[k]);
    if (by >= width) {
      set_undefined(it, w, k);
      w->out->i[k] = 0;
    } else if (op->code == OP_ARITH_SHLI) {
      w->out->i[k] = (int64_t)((uint64_t)a << by);
    } else {
      w->out->i[k] =
          op->code == OP_ARITH_SHRSI ? as_signed(width, a) >> by : (int64_t)(interpret_unsigned(width, a) >> by);
    }
  }
}

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

static int64_t high_unsigned(uint32_t width, int64_t a, int64_t b) {
  Wide product = (Wide)interpret_unsigned(width, a) * interpret_unsigned(width, b);
  return interpret_wrap(width, (int64_t)(uint64_t)(product >> width));
}

static int64_t high_signed(uint32_t width, int64_t a, int64_t b) {
  SignedWide product = (SignedWide)as_signed(width, a) * as_signed(width, b);
  return interpret_wrap(width, (int64_t)(product >> width));
}

/* Marks of the runs: sums of lines are lines, and so are multiples; the lesser of two is the one that it is at all
 * ends. */
static void mark_linear_runs(Interp *it, const Op *op, Work *w) {
  bool product = op->code == OP_ARITH_MULI || op->code == OP_ARITH_SHLI;
  bool choice = op->code == OP_ARITH_MAXSI || op->code == OP_ARITH_MINSI;
  if (!w->out->mark || op->code == OP_ARITH_ADDI || op->code == OP_ARITH_SUBI) return;
  TypeId type = interpret_result_type(it, op, 0);
  for (int64_t k = 0; k < w->count; k++) {
    uint8_t *mark = &w->out->mark[k], a = w->in[0].mark ? w->in[0].mark[k] : 0,
            b = w->in[1].mark ? w->in[1].mark[k] : 0;
    if (!(*mark & MARK_AFFINE)) continue;
    if (product && !(b & MARK_AFFINE)) continue;
    if (op->code == OP_ARITH_MULI && !(a & MARK_AFFINE)) continue;
    uint32_t order = choice ? interpret_order(it, type, &w->in[0], &w->in[1], k) : 0;
    bool is_less = order && !(order & ORDER_GREATER), is_greater = order && !(order & ORDER_LESS);
    if (!is_less && !is_greater)
      interpret_commit(mark);
    else if (!((is_less == (op->code == OP_ARITH_MINSI) ? a : b) & MARK_AFFINE))
      *mark &= (uint8_t)~MARK_AFFINE;
  }
}

#define EACH_INT(expression)                                                                                           \
  for (int64_t k = 0; k < w.count; k++) {                                                                              \
    int64_t a = w.in[0].i[k], b = w.in[1].i[k];                                                                        \
    w.out->i[k] = (int64_t)(expression);                                                                               \
  }

void interpret_int_op(Interp *it, const Op *op) {
  want_kind(it, op, 2, false);
  Work w = open_lines(it, op, 2);
  uint32_t width = w.element.width;
  if (w.element.is_float || operand_element(it, op, 0).width != width) interpret_ill_typed(it);
#define U(v) interpret_unsigned(width, v)
#define S(v) as_signed(width, v)
  if (op->code == OP_ARITH_ADDI) EACH_INT((uint64_t)a + (uint64_t)b)
  if (op->code == OP_ARITH_SUBI) EACH_INT((uint64_t)a - (uint64_t)b)
  if (op->code == OP_ARITH_MULI) EACH_INT((uint64_t)a * (uint64_t)b)
  if (op->code == OP_ARITH_ANDI) EACH_INT(a & b)
  if (op->code == OP_ARITH_ORI) EACH_INT(a | b)
  if (op->code == OP_ARITH_XORI) EACH_INT(a ^ b)
  if (op->code == OP_ARITH_MAXSI) EACH_INT(S(a) > S(b) ? a : b)
  if (op->code == OP_ARITH_MINSI) EACH_INT(S(a) < S(b) ? a : b)
  if (op->code == OP_ARITH_MAXUI) EACH_INT(U(a) > U(b) ? a : b)
  if (op->code == OP_ARITH_MINUI) EACH_INT(U(a) < U(b) ? a : b)
  if (op->code == OP_TT_MULHIUI) EACH_INT(high_unsigned(width, a, b))
  if (program_op_family(op->code) == OP_FAMILY_SHIFT) shift(it, op, &w);
  if (program_op_family(op->code) == OP_FAMILY_DIVISION) divide(it, op, &w);
#undef U
#undef S
  mark_linear_runs(it, op, &w);
  if (op->code == OP_ARITH_ADDI || op->code == OP_ARITH_SUBI || op->code == OP_ARITH_MULI || op->code == OP_ARITH_SHLI)
    mark_wrapped(it, op, &w);
  if (op->code == OP_ARITH_ANDI || op->code == OP_ARITH_ORI) refine_logic(op, &w);
  canonical(&w);
}

/* Two results: low and high half, or sum and carry. */
void interpret_int_extended(Interp *it, const Op *op) {
  want_kind(it, op, 2, false);
  Work w = open_work(it, op, 2);
  Lanes *second = interpret_result(it, op, 1);
  if (second->count != w.count) interpret_ill_typed(it);
  interpret_merge_marks(it, second, w.in, 2);
  interpret_commit_all(second);
  uint32_t width = w.element.width;
  for (int64_t k = 0; k < w.count; k++) {
    int64_t a = w.in[0].i[k], b = w.in[1].i[k];
    if (op->code == OP_ARITH_ADDUI_EXTENDED) {
      w.out->i[k] = (int64_t)((uint64_t)a + (uint64_t)b);
      second->i[k] = ((Wide)interpret_unsigned(width, a) + interpret_unsigned(width, b)) >> width != 0;
    } else {
      w.out->i[k] = (int64_t)((uint64_t)a * (uint64_t)b);
      second->i[k] = op->code == OP_ARITH_MULSI_EXTENDED ? high_signed(width, a, b) : high_unsigned(width, a, b);
    }
  }
  canonical(&w);
}

static int64_t count_leading(uint32_t width, uint64_t v) {
  return (v ? __builtin_clzll(v) : 64) - (64 - (int64_t)width);
}

void interpret_int_unary(Interp *it, const Op *op) {
  want_kind(it, op, 1, false);
  Work w = open_work(it, op, 1);
  uint32_t width = w.element.width;
  for (int64_t k = 0; k < w.count; k++) {
    int64_t a = w.in[0].i[k];
    uint64_t u = interpret_unsigned(width, a);
    w.out->i[k] = op->code == OP_MATH_ABSI    ? (a < 0 ? (int64_t)(0 - (uint64_t)a) : a)
                  : op->code == OP_MATH_CTPOP ? __builtin_popcountll(u)
                  : op->code == OP_MATH_CTLZ  ? count_leading(width, u)
                                              : (u ? __builtin_ctzll(u) : (int64_t)width);
  }
  canonical(&w);
}

/* ---- comparisons and select */

static int predicate(Interp *it, const Op *op, const char *const *names, int count) {
  const Attr *attr = program_get_attr(it->program, program_op_attr(it->program, op, "predicate"));
  if (attr->kind == ATTR_INT && attr->integer >= 0 && attr->integer < count) return (int)attr->integer;
  const char *text = program_op_text(it->program, op, "predicate");
  for (int i = 0; text && i < count; i++)
    if (!strcmp(text, names[i])) return i;
  interpret_ill_typed(it);
}

#define EACH_COMPARE(lane_type, field, convert, relation)                                                              \
  for (int64_t k = 0; k < w.count; k++) {                                                                              \
    lane_type a = convert(w.in[0].field[k]);                                                                           \
    lane_type b = convert(w.in[1].field[k]);                                                                           \
    w.out->i[k] = (relation);                                                                                          \
  }                                                                                                                    \
  break

/* A comparison of lines is the same all over a run if it is so at the ends; equality, if the ends do not lie on two
 * sides. */
static void mark_uniform_runs(Interp *it, const Op *op, Work *w, int which) {
  static const uint32_t holds[] = {
      ORDER_EQUAL, ORDER_EQUAL, ORDER_LESS, ORDER_LESS | ORDER_EQUAL, ORDER_GREATER, ORDER_GREATER | ORDER_EQUAL};
  uint32_t yes = holds[which < 6 ? which : which - 4];
  for (int64_t k = 0; w->out->mark && k < w->count; k++) {
    if (!(w->out->mark[k] & MARK_AFFINE)) continue;
    uint32_t order = interpret_order(it, interpret_result_type(it, op, 0), &w->in[0], &w->in[1], k);
    bool uniform = order && (!(order & yes) || !(order & ~yes)) && (yes != ORDER_EQUAL || order == (order & -order));
    if (uniform)
      w->out->mark[k] &= (uint8_t)~MARK_AFFINE;
    else
      interpret_commit(&w->out->mark[k]);
  }
}

void interpret_compare_int(Interp *it, const Op *op) {
  static const char *const names[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  want_kind(it, op, 2, false);
  Work w = open_lines(it, op, 2);
  uint32_t width = operand_element(it, op, 0).width;
  int which = predicate(it, op, names, 10);
  mark_uniform_runs(it, op, &w, which);
#define U(v) interpret_unsigned(width, v)
#define S(v) as_signed(width, v)
  switch (which) {
  case 0: EACH_COMPARE(int64_t, i, S, a == b);
  case 1: EACH_COMPARE(int64_t, i, S, a != b);
  case 2: EACH_COMPARE(int64_t, i, S, a < b);
  case 3: EACH_COMPARE(int64_t, i, S, a <= b);
  case 4: EACH_COMPARE(int64_t, i, S, a > b);
  case 5: EACH_COMPARE(int64_t, i, S, a >= b);
  case 6: EACH_COMPARE(uint64_t, i, U, a < b);
  case 7: EACH_COMPARE(uint64_t, i, U, a <= b);
  case 8: EACH_COMPARE(uint64_t, i, U, a > b);
  default: EACH_COMPARE(uint64_t, i, U, a >= b);
  }
#undef U
#undef S
}

void interpret_compare_float(Interp *it, const Op *op) {
  static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  want_kind(it, op, 2, true);
  Work w = open_work(it, op, 2);
  /* Where each holds, in bits: a == b, a > b, a < b, unordered. */
  static const int holds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8 | 1, 8 | 2, 8 | 3, 8 | 4, 8 | 5, 8 | 6, 8, 15};
  int which = holds[predicate(it, op, names, 16)];
  for (int64_t k = 0; k < w.count; k++) {
    double a = w.in[0].f[k], b = w.in[1].f[k];
    int relation = isnan(a) || isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
    w.out->i[k] = (which & relation) != 0;
  }
}

void interpret_select(Interp *it, const Op *op) {
  if (op->operand_count != 3) interpret_ill_typed(it);
  Element result = interpret_element(it, interpret_result_type(it, op, 0));
  if (operand_element(it, op, 0).is_float) interpret_ill_typed(it);
  for (uint32_t i = 1; i < 3; i++)
    if (operand_element(it, op, i).is_float != result.is_float) interpret_ill_typed(it);
  Lanes *out = interpret_result(it, op, 0);
  Lanes c = interpret_operand(it, op, 0, out->count), in[2];
  for (uint32_t i = 0; i < 2; i++) in[i] = interpret_operand(it, op, i + 1, out->count);
  for (int64_t k = 0; k < out->count; k++) out->i[k] = c.i[k] & 1 ? in[0].i[k] : in[1].i[k];
  if (!c.mark && !in[0].mark && !in[1].mark) return;
  uint8_t *mark = interpret_marks(it, out);
  for (int64_t k = 0; k < out->count; k++) {
    const Lanes *from = c.i[k] & 1 ? &in[0] : &in[1];
    mark[k] = from->mark ? from->mark[k] : 0;
    if (c.mark) mark[k] |= c.mark[k] & (MARK_UNDEFINED | MARK_VARIES);
    if (mark[k] & MARK_VARIES) interpret_commit(&mark[k]);
  }
}

/* ---- floats */

static double maximum(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static double minimum(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static double max_number(double a, double b) { return isnan(a) ? b : isnan(b) ? a : maximum(a, b); }
static double min_number(double a, double b) { return isnan(a) ? b : isnan(b) ? a : minimum(a, b); }
static double first_max(double a, double b) { return a < b ? b : a; }
static double first_min(double a, double b) { return b < a ? b : a; }
static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double quotient(double a, double b) { return a / b; }
static double negate(double a) { return -a; }
static double inverse_sqrt(double a) { return 1 / sqrt(a); }
static double clamp_numbers(double x, double low, double high) { return min_number(max_number(x, low), high); }
static double clamp_all(double x, double low, double high) { return minimum(maximum(x, low), high); }

typedef struct FloatFunction {
  double (*one)(double);
  double (*two)(double, double);
  double (*three)(double, double, double);
} FloatFunction;

/* Those of base/functions.def. */
#define DEFINE_1(id, value)                                                                                            \
  static double of_##id(double a) { return value; }
#define DEFINE_2(id, value)                                                                                            \
  static double of_##id(double a, double b) { return value; }
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, ...) DEFINE_##arity(id, value)
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"

#define FUNCTION_1(id)                                                                                                 \
  { .one = of_##id }
#define FUNCTION_2(id)                                                                                                 \
  { .two = of_##id }

static const FloatFunction float_functions[OP_COUNT] = {
    [OP_ARITH_ADDF] = {.two = add},           [OP_ARITH_SUBF] = {.two = subtract},
    [OP_ARITH_MULF] = {.two = multiply},      [OP_ARITH_DIVF] = {.two = quotient},
    [OP_TT_PRECISE_DIVF] = {.two = quotient}, [OP_ARITH_REMF] = {.two = fmod},
    [OP_ARITH_NEGF] = {.one = negate},        [OP_ARITH_MAXNUMF] = {.two = max_number},
    [OP_ARITH_MINNUMF] = {.two = min_number}, [OP_ARITH_MAXIMUMF] = {.two = maximum},
    [OP_ARITH_MINIMUMF] = {.two = minimum},   [OP_MATH_EXP2] = {.one = exp2},
    [OP_MATH_EXPM1] = {.one = expm1},         [OP_MATH_LOG2] = {.one = log2},
    [OP_MATH_LOG10] = {.one = log10},         [OP_MATH_LOG1P] = {.one = log1p},
    [OP_MATH_SQRT] = {.one = sqrt},           [OP_TT_PRECISE_SQRT] = {.one = sqrt},
    [OP_MATH_RSQRT] = {.one = inverse_sqrt},  [OP_MATH_CBRT] = {.one = cbrt},
    [OP_MATH_ABSF] = {.one = fabs},           [OP_MATH_FLOOR] = {.one = floor},
    [OP_MATH_CEIL] = {.one = ceil},           [OP_MATH_ROUND] = {.one = round},
    [OP_MATH_ROUNDEVEN] = {.one = nearbyint}, [OP_MATH_TRUNC] = {.one = trunc},
    [OP_MATH_FMA] = {.three = fma},           [OP_MATH_COPYSIGN] = {.two = copysign},
#define FN(id, text, arity, sort, domain, trait, least, most, at_zero, pole, value, mlir, ...)                         \
  [OP_MATH_##mlir] = FUNCTION_##arity(id),
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
};

static FloatFunction float_function(Interp *it, const Op *op) {
  FloatFunction known = float_functions[op->code];
  bool is_extremum = op->code == OP_ARITH_MAXNUMF || op->code == OP_ARITH_MINNUMF;
  if (is_extremum && program_op_attr(it->program, op, "compares")) /* a < b ? b : a, of NaN too */
    return (FloatFunction){.two = op->code == OP_ARITH_MAXNUMF ? first_max : first_min};
  if (known.one || known.two || known.three) return known;
  if (op->code == OP_TT_CLAMPF) {
    const char *nan = program_op_text(it->program, op, "propagateNan");
    bool all = nan ? !strcmp(nan, "all") : program_op_int(it->program, op, "propagateNan", 0) != 0;
    return (FloatFunction){.three = all ? clamp_all : clamp_numbers};
  }
  interpret_ill_typed(it);
}

/* fma of f32 rounds once; through double it would round twice. */
static bool fused_single(const Interp *it, const FloatFunction *f, const Element *e) {
  return f->three == fma && e->format == FLOAT_F32 && !it->options->exact_reals;
}

static void mark_nans(Interp *it, Work *w) {
  for (int64_t k = 0; k < w->count; k++)
    if (isnan(w->out->f[k])) set_undefined(it, w, k);
}

static void apply_float(Interp *it, Work *w, FloatFunction f) {
  double *out = w->out->f;
  const double *a = w->in[0].f, *b = w->in[1].f, *c = w->in[2].f;
  int64_t n = w->count;
  if (fused_single(it, &f, &w->element)) {
    for (int64_t k = 0; k < n; k++) out[k] = (double)fmaf((float)a[k], (float)b[k], (float)c[k]);
  } else if (f.three) {
    for (int64_t k = 0; k < n; k++) out[k] = f.three(a[k], b[k], c[k]);
  } else if (f.one) {
    for (int64_t k = 0; k < n; k++) out[k] = f.one(a[k]);
  } else if (f.two == add) { /* the frequent ones without a call a lane */
    for (int64_t k = 0; k < n; k++) out[k] = a[k] + b[k];
  } else if (f.two == multiply) {
    for (int64_t k = 0; k < n; k++) out[k] = a[k] * b[k];
  } else if (f.two == subtract) {
    for (int64_t k = 0; k < n; k++) out[k] = a[k] - b[k];
  } else {
    for (int64_t k = 0; k < n; k++) out[k] = f.two(a[k], b[k]);
  }
  if (it->options->no_nans) mark_nans(it, w);
  bool rounds = f.two == add || f.two == subtract || f.two == multiply || f.two == quotient;
  if (rounds && it->options->noise > 0) move_lanes(it, w->out);
  round_lanes(it, w->element.format, w->out);
}

/* Quotients, powers and inverse roots at their pole. */
static void count_zero_divisors(Interp *it, const Op *op, const Work *w) {
  const double *a = w->in[0].f, *b = w->in[1].f, *out = w->out->f;
  for (int64_t k = 0; k < w->count; k++)
    it->result->zero_divisors += op->code == OP_ARITH_DIVF  ? b[k] == 0
                                 : op->code == OP_MATH_POWF ? isinf(out[k]) && isfinite(a[k]) && isfinite(b[k])
                                                            : op->code == OP_MATH_RSQRT && a[k] == 0;
}

void interpret_float_op(Interp *it, const Op *op) {
  FloatFunction f = float_function(it, op);
  uint32_t operands = f.one ? 1 : f.two ? 2 : 3;
  want_kind(it, op, operands, true);
  Work w = open_work(it, op, operands);
  if (!w.element.is_float) interpret_ill_typed(it);
  apply_float(it, &w, f);
  if (it->program->is_host) count_zero_divisors(it, op, &w);
}

/* ---- casts */

/* The integer nearest to zero's side; undefined when it does not fit. */
static void float_to_int(Interp *it, const Op *op, Work *w) {
  uint32_t width = w->element.width;
  bool is_unsigned = op->code == OP_ARITH_FPTOUI;
  double top = ldexp(1, (int)width - (is_unsigned ? 0 : 1)), bottom = is_unsigned ? 0 : -top;
  for (int64_t k = 0; k < w->count; k++) {
    double v = trunc(w->in[0].f[k]);
    if (!(v >= bottom && v < top)) {
      if (program_op_attr(it->program, op, "unbounded") && isfinite(v))
        interpret_fail(it, INTERPRET_LIMIT, "an integer is beyond 64 bits");
      if (!it->options->saturates) set_undefined(it, w, k);
      w->out->i[k] = isnan(v)      ? 0
                     : v < 0       ? (is_unsigned ? 0 : (int64_t)1 << (width - 1))
                     : is_unsigned ? -1
                                   : (int64_t)((1ull << (width - 1)) - 1);
    } else {
      w->out->i[k] = v >= 0x1p63 ? (int64_t)(uint64_t)v : (int64_t)v;
    }
  }
  canonical(w);
}

static void int_to_float(Interp *it, const Op *op, Work *w) {
  uint32_t from = operand_element(it, op, 0).width;
  bool single = w->element.format == FLOAT_F32 && !it->options->exact_reals;
  for (int64_t k = 0; k < w->count; k++) {
    int64_t v = w->in[0].i[k];
    if (op->code == OP_ARITH_UITOFP) {
      uint64_t u = interpret_unsigned(from, v);
      w->out->f[k] = single ? (double)(float)u : (double)u;
    } else {
      int64_t s = as_signed(from, v);
      w->out->f[k] = single ? (double)(float)s : (double)s;
    }
  }
  round_lanes(it, w->element.format, w->out);
}

static void cast_bits(Interp *it, const Op *op, Work *w) {
  Element from = operand_element(it, op, 0), *to = &w->element;
  if (from.width != to->width) interpret_ill_typed(it);
  bool same = from.is_float ? to->is_float && from.format == to->format : !to->is_float;
  for (int64_t k = 0; k < w->count; k++) {
    InterpretCell cell = {.integer = w->in[0].i[k]};
    if (!same) cell = interpret_from_bits(to, (uint64_t)interpret_bits(&from, cell));
    w->out->i[k] = cell.integer;
  }
}

static double round_toward_zero(FloatFormat format, double v) {
  double r = interpret_round(format, v);
  if (!(fabs(r) > fabs(v)) || isnan(r)) return r;
  /* One step towards zero: the pattern below. */
  return program_float_decode(format, program_float_encode(format, r) - 1);
}

static bool rounds_to_zero(Interp *it, const Op *op) {
  const char *text = program_op_text(it->program, op, "rounding");
  if (!text) text = program_op_text(it->program, op, "roundingmode");
  return (text && (!strcmp(text, "rtz") || !strcmp(text, "toward_zero"))) ||
         (op->code == OP_TT_FP_TO_FP && program_op_int(it->program, op, "rounding", 1) == 0);
}

static void float_to_float(Interp *it, const Op *op, Work *w) {
  memcpy(w->out->f, w->in[0].f, (size_t)w->count * sizeof *w->out->f);
  if (rounds_to_zero(it, op) && !it->options->exact_reals) {
    for (int64_t k = 0; k < w->count; k++) w->out->f[k] = round_toward_zero(w->element.format, w->out->f[k]);
    return;
  }
  round_lanes(it, w->element.format, w->out);
}

static void cast_int(Interp *it, const Op *op, Work *w) {
  uint32_t from = operand_element(it, op, 0).width;
  bool is_unsigned = op->code == OP_ARITH_EXTUI || op->code == OP_ARITH_INDEX_CASTUI;
  for (int64_t k = 0; k < w->count; k++) {
    int64_t v = w->in[0].i[k];
    w->out->i[k] = is_unsigned ? (int64_t)interpret_unsigned(from, v) : as_signed(from, v);
  }
  canonical(w);
  for (int64_t k = 0; w->out->mark && k < w->count; k++)
    if (w->out->i[k] != w->in[0].i[k]) interpret_commit(&w->out->mark[k]);
}

void interpret_cast(Interp *it, const Op *op) {
  if (op->operand_count != 1) interpret_ill_typed(it);
  bool from_float = operand_element(it, op, 0).is_float;
  Work w = open_lines(it, op, 1);
  bool to_float = w.element.is_float;
  if (from_float || to_float) interpret_commit_all(w.out);
  if (op->code == OP_TT_BITCAST || op->code == OP_ARITH_BITCAST)
    cast_bits(it, op, &w);
  else if (op->code == OP_ARITH_EXTF || op->code == OP_ARITH_TRUNCF || op->code == OP_TT_FP_TO_FP) {
    if (!from_float || !to_float) interpret_ill_typed(it);
    float_to_float(it, op, &w);
  } else if (op->code == OP_ARITH_SITOFP || op->code == OP_ARITH_UITOFP) {
    if (from_float || !to_float) interpret_ill_typed(it);
    int_to_float(it, op, &w);
  } else if (op->code == OP_ARITH_FPTOSI || op->code == OP_ARITH_FPTOUI) {
    if (!from_float || to_float) interpret_ill_typed(it);
    float_to_int(it, op, &w);
  } else {
    if (from_float || to_float) interpret_ill_typed(it);
    cast_int(it, op, &w);
  }
}

/* ---- externs */

static double real_power(double a, double b) { return pow(a, b); }

/* The x > 0 with erfc(x) = rest, for 0 < rest <= 1: Newton's steps from Winitzki's start, of erf or, where that has no
 * digits left, of the logarithm of erfc. */
static double erf_inverse_of_rest(double rest) {
  double w = log(rest * (2 - rest)), t = 2 / (M_PI * 0.147) + w / 2, x = sqrt(sqrt(t * t - w / 0.147) - t);
  for (int i = 0; i < 6; i++)
    x += (rest > 0.1 ? (1 - rest) - erf(x) : log(erfc(x) / rest) * erfc(x)) * sqrt(M_PI) / 2 * exp(x * x);
  return x;
}

static double erf_inverse(double y) {
  if (!(fabs(y) < 1)) return fabs(y) == 1 ? copysign(INFINITY, y) : NAN;
  return copysign(erf_inverse_of_rest(1 - fabs(y)), y);
}

static double erf_complement_inverse(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
  return y <= 1 ? erf_inverse_of_rest(y) : -erf_inverse_of_rest(2 - y);
}
static double normal_distribution(double x) { return erfc(-x * M_SQRT1_2) / 2; }
static double normal_inverse(double y) { return -M_SQRT2 * erf_complement_inverse(2 * y); }
static double erf_complement_scaled(double x) {
  return x < 25 ? exp(x * x) * erfc(x) : 1 / (x * sqrt(M_PI)) * (1 - 1 / (2 * x * x));
}
static double sine_pi(double x) {
  x = fmod(x, 2);
  return x == trunc(x) ? copysign(0, x) : sin(M_PI * x);
}
static double cosine_pi(double x) {
  x = fmod(fabs(x), 2);
  return x == 0.5 || x == 1.5 ? 0 : cos(M_PI * x);
}
static double cube_root_inverse(double x) { return 1 / cbrt(x); }
static double difference(double a, double b) { return a > b ? a - b : a <= b ? 0 : NAN; }
static double reciprocal(double a) { return 1 / a; }
static double saturate(double a) { return isnan(a) || a < 0 ? 0 : a > 1 ? 1 : a; }
static double is_nan(double a) { return isnan(a) != 0; }
static double is_infinite(double a) { return isinf(a) != 0; }
static double is_finite(double a) { return isfinite(a) != 0; }
static double sign_bit(double a) { return signbit(a) != 0; }

/* By the name without prefix and precision. Results that are integers are converted. */
static const struct {
  const char *name;
  FloatFunction function;
} externs[] = {
#define FN(id, text, arity, ...) {text, FUNCTION_##arity(id)},
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
    {"erfc", {.one = erfc}},
    {"erfinv", {.one = erf_inverse}},
    {"erfcinv", {.one = erf_complement_inverse}},
    {"erfcx", {.one = erf_complement_scaled}},
    {"normcdf", {.one = normal_distribution}},
    {"normcdfinv", {.one = normal_inverse}},
    {"exp2", {.one = exp2}},
    {"exp10", {.one = exp10}},
    {"expm1", {.one = expm1}},
    {"log2", {.one = log2}},
    {"log10", {.one = log10}},
    {"log1p", {.one = log1p}},
    {"fast_exp", {.one = exp}},
    {"fast_exp10", {.one = exp10}},
    {"fast_log", {.one = log}},
    {"fast_log2", {.one = log2}},
    {"fast_log10", {.one = log10}},
    {"fast_sin", {.one = sin}},
    {"fast_cos", {.one = cos}},
    {"fast_tan", {.one = tan}},
    {"fast_tanh", {.one = tanh}},
    {"fast_pow", {.two = real_power}},
    {"fast_fdivide", {.two = quotient}},
    {"fast_divide", {.two = quotient}},
    {"logb", {.one = logb}},
    {"sinpi", {.one = sine_pi}},
    {"cospi", {.one = cosine_pi}},
    {"sqrt", {.one = sqrt}},
    {"sqrt_rn", {.one = sqrt}},
    {"fsqrt_rn", {.one = sqrt}},
    {"rsqrt", {.one = inverse_sqrt}},
    {"rsqrt_rn", {.one = inverse_sqrt}},
    {"frsqrt_rn", {.one = inverse_sqrt}},
    {"cbrt", {.one = cbrt}},
    {"rcbrt", {.one = cube_root_inverse}},
    {"rcp_rn", {.one = reciprocal}},
    {"frcp_rn", {.one = reciprocal}},
    {"powi", {.two = real_power}},
    {"pown", {.two = real_power}},
    {"fmod", {.two = fmod}},
    {"remainder", {.two = remainder}},
    {"hypot", {.two = hypot}},
    {"fdim", {.two = difference}},
    {"rint", {.one = nearbyint}},
    {"nearbyint", {.one = nearbyint}},
    {"trunc", {.one = trunc}},
    {"floor", {.one = floor}},
    {"ceil", {.one = ceil}},
    {"round", {.one = round}},
    {"llround", {.one = round}},
    {"llrint", {.one = nearbyint}},
    {"lrint", {.one = nearbyint}},
    {"fabs", {.one = fabs}},
    {"fmax", {.two = max_number}},
    {"fmin", {.two = min_number}},
    {"copysign", {.two = copysign}},
    {"isnan", {.one = is_nan}},
    {"isinf", {.one = is_infinite}},
    {"finite", {.one = is_finite}},
    {"isfinite", {.one = is_finite}},
    {"isfinited", {.one = is_finite}},
    {"isnand", {.one = is_nan}},
    {"isinfd", {.one = is_infinite}},
    {"signbit", {.one = sign_bit}},
    {"signbitd", {.one = sign_bit}},
    {"lgamma", {.one = lgamma}},
    {"tgamma", {.one = tgamma}},
    {"j0", {.one = j0}},
    {"j1", {.one = j1}},
    {"y0", {.one = y0}},
    {"y1", {.one = y1}},
    {"nextafter", {.two = nextafter}},
    {"saturate", {.one = saturate}},
    {"fma", {.three = fma}},
    {"fma_rn", {.three = fma}},
    {"fmaf_rn", {.three = fma}},
    {"div_rn", {.two = quotient}},
    {"fdiv_rn", {.two = quotient}},
    {"ddiv_rn", {.two = quotient}},
    {"add_rn", {.two = add}},
    {"fadd_rn", {.two = add}},
    {"dadd_rn", {.two = add}},
    {"sub_rn", {.two = subtract}},
    {"fsub_rn", {.two = subtract}},
    {"dsub_rn", {.two = subtract}},
    {"mul_rn", {.two = multiply}},
    {"fmul_rn", {.two = multiply}},
    {"dmul_rn", {.two = multiply}},
};

static double load_exponent(double a, double b) {
  return b > 100000 ? ldexp(a, 100000) : b < -100000 ? ldexp(a, -100000) : ldexp(a, (int)b);
}

static const FloatFunction *extern_named(const char *name, size_t size) {
  static const FloatFunction scale = {.two = load_exponent};
  if ((size == 5 && (!memcmp(name, "ldexp", 5))) || (size == 6 && !memcmp(name, "scalbn", 6))) return &scale;
  for (size_t i = 0; i < sizeof externs / sizeof *externs; i++)
    if (strlen(externs[i].name) == size && !memcmp(externs[i].name, name, size)) return &externs[i].function;
  return NULL;
}

/* __nv_tanhf, __nv_tanh, __nv_fast_expf, __ocml_tanh_f32, __imf_tanhf. */
static const FloatFunction *extern_function(const char *symbol) {
  static const char *const prefixes[] = {"__nv_", "__ocml_native_", "__ocml_", "__imf_", "__hmf_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(symbol, prefixes[i], strlen(prefixes[i]))) {
      symbol += strlen(prefixes[i]);
      break;
    }
  size_t size = strlen(symbol);
  if (size > 4 &&
      (!strcmp(symbol + size - 4, "_f32") || !strcmp(symbol + size - 4, "_f64") || !strcmp(symbol + size - 4, "_f16")))
    return extern_named(symbol, size - 4);
  const FloatFunction *found = extern_named(symbol, size);
  return found || !size || symbol[size - 1] != 'f' ? found : extern_named(symbol, size - 1);
}

typedef int64_t (*IntFunction)(uint32_t width, int64_t a, int64_t b);
static int64_t int_abs(uint32_t w, int64_t a, int64_t b) {
  (void)w, (void)b;
  return a < 0 ? (int64_t)(0 - (uint64_t)a) : a;
}
static int64_t int_min(uint32_t w, int64_t a, int64_t b) {
  (void)w;
  return a < b ? a : b;
}
static int64_t int_max(uint32_t w, int64_t a, int64_t b) {
  (void)w;
  return a > b ? a : b;
}
static int64_t int_umin(uint32_t w, int64_t a, int64_t b) {
  return interpret_unsigned(w, a) < interpret_unsigned(w, b) ? a : b;
}
static int64_t int_umax(uint32_t w, int64_t a, int64_t b) {
  return interpret_unsigned(w, a) > interpret_unsigned(w, b) ? a : b;
}
static int64_t int_ones(uint32_t w, int64_t a, int64_t b) {
  (void)b;
  return __builtin_popcountll(interpret_unsigned(w, a));
}
static int64_t int_clz(uint32_t w, int64_t a, int64_t b) {
  (void)b;
  return count_leading(w, interpret_unsigned(w, a));
}
static int64_t int_ffs(uint32_t w, int64_t a, int64_t b) {
  (void)b;
  return __builtin_ffsll((int64_t)interpret_unsigned(w, a));
}

static const struct {
  const char *name;
  IntFunction function;
  uint32_t operands;
} int_externs[] = {
    {"__nv_abs", int_abs, 1},          {"__nv_llabs", int_abs, 1},
    {"__nv_min", int_min, 2},          {"__nv_llmin", int_min, 2},
    {"__nv_max", int_max, 2},          {"__nv_llmax", int_max, 2},
    {"__nv_umin", int_umin, 2},        {"__nv_ullmin", int_umin, 2},
    {"__nv_umax", int_umax, 2},        {"__nv_ullmax", int_umax, 2},
    {"__nv_mulhi", high_signed, 2},    {"__nv_mul64hi", high_signed, 2},
    {"__nv_umulhi", high_unsigned, 2}, {"__nv_umul64hi", high_unsigned, 2},
    {"__nv_popc", int_ones, 1},        {"__nv_popcll", int_ones, 1},
    {"__nv_clz", int_clz, 1},          {"__nv_clzll", int_clz, 1},
    {"__nv_ffs", int_ffs, 1},          {"__nv_ffsll", int_ffs, 1},
};

static bool extern_int(Interp *it, const Op *op, const char *symbol) {
  for (size_t i = 0; i < sizeof int_externs / sizeof *int_externs; i++) {
    if (strcmp(int_externs[i].name, symbol)) continue;
    uint32_t operands = int_externs[i].operands;
    if (op->operand_count != operands) interpret_ill_typed(it);
    want_kind(it, op, operands, false);
    uint32_t width = operand_element(it, op, 0).width;
    Work w = open_work(it, op, operands);
    if (w.element.is_float) interpret_ill_typed(it);
    for (int64_t k = 0; k < w.count; k++)
      w.out->i[k] = int_externs[i].function(width, w.in[0].i[k], operands > 1 ? w.in[1].i[k] : 0);
    canonical(&w);
    return true;
  }
  return false;
}

/* An integer operand (the exponent of powi and ldexp) becomes a float one. */
static void float_operands(Interp *it, const Op *op, Work *w, uint32_t operands) {
  for (uint32_t o = 0; o < operands; o++) {
    if (operand_element(it, op, o).is_float) continue;
    Lanes real = interpret_lanes(it, w->count, false);
    for (int64_t k = 0; k < w->count; k++) real.f[k] = (double)w->in[o].i[k];
    w->in[o] = real;
  }
}

void interpret_extern(Interp *it, const Op *op) {
  const char *symbol = program_op_text(it->program, op, "symbol");
  if (!symbol) interpret_ill_typed(it);
  if (extern_int(it, op, symbol)) return;
  const FloatFunction *found = extern_function(symbol);
  if (!found) interpret_fail(it, INTERPRET_UNSUPPORTED, "the function %.80s is not known", symbol);
  uint32_t operands = found->one ? 1 : found->two ? 2 : 3;
  if (op->operand_count != operands) interpret_ill_typed(it);
  Work w = open_work(it, op, operands);
  float_operands(it, op, &w, operands);
  if (w.element.is_float) {
    apply_float(it, &w, *found);
    return;
  }
  if (!found->one) interpret_ill_typed(it);
  for (int64_t k = 0; k < w.count; k++) {
    double v = found->one(w.in[0].f[k]), top = ldexp(1, (int)w.element.width - 1);
    bool fits = (v >= -top && v < top) || v == 1; /* the latter: of isnan, an i1 */
    if (!fits) set_undefined(it, &w, k);
    w.out->i[k] = fits ? (int64_t)v : 0;
  }
  canonical(&w);
}
