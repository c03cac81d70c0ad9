/* LaTeX of a tensor expression: fractions, roots and powers as mathematics, operators of tensors by name with the axis
 * as an index. Names are set upright, with their underscores. */
#include <string.h>

#include "tensor/tensor.h"

enum { BIND_NONE, BIND_COMPARE, BIND_OR, BIND_AND, BIND_SUM, BIND_PRODUCT, BIND_UNARY, BIND_POWER, BIND_ATOM };
enum { LIMIT = 100000, DEPTH_LIMIT = 500 };

typedef struct Writer {
  TermTable *tt;
  Text out;
  uint32_t depth;
} Writer;

static void write(Writer *w, const TensorExpr *e, int bind);

static int bind_of(TensorOp op) {
  static const uint8_t binds[] = {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) BIND_##bind,
#include "tensor/ops.def"
#undef TENSOR_OP
  };
  return op == TENSOR_DIV || op == TENSOR_WHERE ? BIND_ATOM : binds[op];
}

static void write_name(Writer *w, const char *command, const char *name) {
  text_format(&w->out, "\\%s{", command);
  for (; *name; name++) {
    if (strchr("_#$%&{}", *name)) text_char(&w->out, '\\');
    text_char(&w->out, *name);
  }
  text_char(&w->out, '}');
}

static void write_size(Writer *w, Term size) {
  const TensorExpr *e = tensor_size(w->tt, size);
  if (e)
    write(w, e, 0);
  else
    write_name(w, "text", term_text(w->tt, size));
}

static void write_const(Writer *w, Term value, int bind) {
  TermKind kind = term_kind(w->tt, value);
  const char *word = kind == TERM_INF       ? "\\infty"
                     : kind == TERM_NEG_INF ? "(-\\infty)"
                     : kind == TERM_TRUE    ? "\\top"
                     : kind == TERM_FALSE   ? "\\bot"
                                            : NULL;
  if (word) {
    text_add(&w->out, word);
    return;
  }
  double far;
  Text text = text_new(w->tt->arena);
  if (term_is_far(w->tt, value, &far))
    text_add(&text, term_far_text(w->tt, far));
  else
    rational_print(term_rat(w->tt, value), true, &text);
  const char *s = text_string(&text), *slash = strchr(s, '/');
  if (slash)
    text_format(&w->out, "%s\\frac{%.*s}{%s}", s[0] == '-' ? "-" : "", (int)(slash - s) - (s[0] == '-'),
                s + (s[0] == '-'), slash + 1);
  else
    text_format(&w->out, s[0] == '-' && bind > BIND_SUM ? "(%s)" : "%s", s);
}

static void write_list(Writer *w, const TensorExpr *e, uint32_t first) {
  text_add(&w->out, "\\left(");
  for (uint32_t i = first; i < e->count; i++) {
    if (i > first) text_add(&w->out, ", ");
    write(w, e->args[i], 0);
  }
  text_add(&w->out, "\\right)");
}

static void write_call(Writer *w, const char *name, const TensorExpr *e, uint32_t count, const uint8_t *axes) {
  TermFn fn = term_fn_find(name);
  bool known = !strcmp(name, "max") || !strcmp(name, "min") || (fn != FN_COUNT && term_fn_info(fn)->has_latex);
  if (known)
    text_format(&w->out, "\\%s", name);
  else
    write_name(w, "operatorname", name);
  if (count) text_add(&w->out, "_{");
  for (uint32_t i = 0; i < count; i++) text_format(&w->out, "%s%u", i ? "," : "", axes[i]);
  if (count) text_char(&w->out, '}');
  write_list(w, e, 0);
}

static void write_shape(Writer *w, const TensorExpr *e) {
  write_name(w, "operatorname", tensor_op_text(e->op));
  text_add(&w->out, "_{");
  for (uint32_t i = 0; i < e->rank; i++) {
    if (i) text_add(&w->out, " \\times ");
    write_size(w, e->shape[i]);
  }
  text_char(&w->out, '}');
  write_list(w, e, 0);
}

static void write_slices(Writer *w, const TensorExpr *e) {
  const TensorExpr *a = e->args[0];
  write(w, a, BIND_ATOM);
  text_add(&w->out, "_{[");
  for (uint32_t i = 0; i < a->rank; i++) {
    TensorSlice s = e->slices[i];
    if (i) text_add(&w->out, ", ");
    if (s.point || s.start != w->tt->zero) write_size(w, s.start);
    if (s.point) continue;
    text_char(&w->out, ':');
    if (s.stop != a->shape[i]) write_size(w, s.stop);
    if (s.step == w->tt->one) continue;
    text_char(&w->out, ':');
    write_size(w, s.step);
  }
  text_add(&w->out, "]}");
}

static void write_flip(Writer *w, const TensorExpr *e) {
  write(w, e->args[0], BIND_ATOM);
  text_add(&w->out, "_{[");
  for (uint32_t i = 0; i < e->axis; i++) text_add(&w->out, ":, ");
  text_add(&w->out, "::-1]}");
}

static const char *operator_text(TensorOp op) {
  static const char *const texts[] = {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) latex,
#include "tensor/ops.def"
#undef TENSOR_OP
  };
  return texts[op][0] ? texts[op] : " ? ";
}

static void write_pair(Writer *w, const char *before, const TensorExpr *a, const char *between, const TensorExpr *b,
                       const char *after) {
  text_add(&w->out, before);
  write(w, a, 0);
  text_add(&w->out, between);
  if (b) write(w, b, 0);
  text_add(&w->out, after);
}

static void write_node(Writer *w, const TensorExpr *e) {
  const TensorExpr *a = e->count ? e->args[0] : NULL, *b = e->count > 1 ? e->args[1] : NULL;
  int bind = bind_of(e->op);
  switch (e->op) {
  case TENSOR_INPUT:
  case TENSOR_SCALAR: write_name(w, "mathrm", e->name); return;
  case TENSOR_CONST: return;
  case TENSOR_INDEX:
    text_add(&w->out, "\\operatorname{index}("), write_size(w, e->shape[0]), text_char(&w->out, ')');
    return;
  case TENSOR_NEG: text_char(&w->out, '-'), write(w, a, BIND_PRODUCT); return;
  case TENSOR_NOT: text_add(&w->out, "\\neg "), write(w, a, BIND_UNARY); return;
  case TENSOR_SQRT: write_pair(w, "\\sqrt{", a, "", NULL, "}"); return;
  case TENSOR_EXP2: write_pair(w, "2^{", a, "", NULL, "}"); return;
  case TENSOR_LOG2: text_add(&w->out, "\\log_2"), write_list(w, e, 0); return;
  case TENSOR_ABS: write_pair(w, "\\left|", a, "", NULL, "\\right|"); return;
  case TENSOR_FLOOR: write_pair(w, "\\left\\lfloor ", a, "", NULL, " \\right\\rfloor"); return;
  case TENSOR_CEIL: write_pair(w, "\\left\\lceil ", a, "", NULL, " \\right\\rceil"); return;
  case TENSOR_DIV: write_pair(w, "\\frac{", a, "}{", b, "}"); return;
  case TENSOR_FLOORDIV: write_pair(w, "\\left\\lfloor \\frac{", a, "}{", b, "} \\right\\rfloor"); return;
  case TENSOR_TRUNCDIV: write_pair(w, "\\operatorname{trunc}\\left(\\frac{", a, "}{", b, "}\\right)"); return;
  case TENSOR_POW: write(w, a, BIND_ATOM), write_pair(w, "^{", b, "", NULL, "}"); return;
  case TENSOR_ADD:
  case TENSOR_SUB:
  case TENSOR_MUL:
  case TENSOR_MOD:
  case TENSOR_MATMUL:
  case TENSOR_LT:
  case TENSOR_LE:
  case TENSOR_GT:
  case TENSOR_GE:
  case TENSOR_EQ:
  case TENSOR_NE:
  case TENSOR_AND:
  case TENSOR_OR:
    write(w, a, bind == BIND_COMPARE ? bind + 1 : bind), text_add(&w->out, operator_text(e->op)), write(w, b, bind + 1);
    return;
  case TENSOR_FN1:
  case TENSOR_FN2: write_call(w, term_fn_name(e->fn), e, 0, NULL); return;
  case TENSOR_MAXIMUM: write_call(w, "max", e, 0, NULL); return;
  case TENSOR_MINIMUM: write_call(w, "min", e, 0, NULL); return;
  case TENSOR_ROUND:
  case TENSOR_TRUNC:
  case TENSOR_IS_INF:
  case TENSOR_IS_NEG_INF:
  case TENSOR_IS_NAN:
  case TENSOR_WRAP8:
  case TENSOR_WRAP16:
  case TENSOR_WRAP32:
  case TENSOR_WRAP64: write_call(w, tensor_op_text(e->op), e, 0, NULL); return;
  case TENSOR_BITS: write_call(w, e->bits->name, e, 0, NULL); return;
  case TENSOR_WHERE:
    write_pair(w, "\\begin{cases}", b, " & ", a, " \\\\ ");
    write_pair(w, "", e->args[2], " & \\text{otherwise}\\end{cases}", NULL, "");
    return;
  case TENSOR_SLICE: write_slices(w, e); return;
  case TENSOR_TRANSPOSE:
    if (e->rank == 2)
      write(w, a, BIND_ATOM), text_add(&w->out, "^{\\top}");
    else
      write_call(w, "transpose", e, e->rank, e->axes);
    return;
  case TENSOR_SQUEEZE: write_call(w, "squeeze", e, e->axis_count, e->axes); return;
  case TENSOR_RESHAPE:
  case TENSOR_BROADCAST: write_shape(w, e); return;
  case TENSOR_TAKE:
    if (tensor_is_flip(w->tt, e))
      write_flip(w, e);
    else
      write_call(w, "take", e, 1, &e->axis);
    return;
  case TENSOR_EXPAND:
  case TENSOR_TAKE_ALONG:
  case TENSOR_CONCAT: write_call(w, tensor_op_text(e->op), e, 1, &e->axis); return;
  case TENSOR_GATHER:
    write(w, a, BIND_ATOM), text_add(&w->out, "_{"), write_list(w, e, 1), text_char(&w->out, '}');
    return;
  case TENSOR_REDUCE: write_call(w, tensor_fold_text(e), e, e->axis_count, e->axes); return;
  case TENSOR_SCAN: write_call(w, tensor_fold_text(e), e, 1, &e->axis); return;
  case TENSOR_IDIOM:
    if (e->idiom == TENSOR_PI)
      text_add(&w->out, "\\pi");
    else
      write_call(w, tensor_idiom_text(e->idiom), e, tensor_idiom_shows_axes(e) ? e->axis_count : 0, e->axes);
    return;
  case TENSOR_OP_COUNT: return;
  }
}

static void write(Writer *w, const TensorExpr *e, int bind) {
  guard_tick(w->tt->arena->guard);
  if (w->depth > DEPTH_LIMIT || w->out.count > LIMIT) {
    text_add(&w->out, "\\dots");
    return;
  }
  if (e->op == TENSOR_CONST) {
    write_const(w, e->value, bind);
    return;
  }
  bool parentheses = bind_of(e->op) < bind;
  w->depth++;
  if (parentheses) text_add(&w->out, "\\left(");
  write_node(w, e);
  if (parentheses) text_add(&w->out, "\\right)");
  w->depth--;
}

const char *tensor_latex(TermTable *tt, const TensorExpr *e) {
  Writer w = {.tt = tt, .out = text_new(tt->arena)};
  while (e->op == TENSOR_SQUEEZE || e->op == TENSOR_BROADCAST) e = e->args[0];
  write(&w, e, 0);
  return text_string(&w.out);
}
