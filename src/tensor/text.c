/* The text of a tensor expression, as in docs/formula.md: Python's operators, with no more parentheses than Python
 * needs (but a @ b is kept apart from * and / by them). */
#include <string.h>

#include "tensor/tensor.h"

enum { BIND_NONE, BIND_COMPARE, BIND_OR, BIND_AND, BIND_SUM, BIND_PRODUCT, BIND_UNARY, BIND_POWER, BIND_ATOM };
enum { TEXT_LIMIT = 100000, DEPTH_LIMIT = 500 };

typedef struct Writer {
  TermTable *tt;
  Text out;
  uint32_t depth;
  bool lacks_size;    /* a size that is no expression was met */
  TensorParts *parts; /* that have names, or NULL */
} Writer;

static void write(Writer *w, const TensorExpr *e, int bind);

static int bind_of(TensorOp op) {
  static const uint8_t binds[] = {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) BIND_##bind,
#include "tensor/ops.def"
#undef TENSOR_OP
  };
  return binds[op];
}

static void write_size(Writer *w, Term size, int bind) {
  const TensorExpr *e = tensor_size(w->tt, size);
  if (e)
    write(w, e, bind);
  else
    text_add(&w->out, term_text(w->tt, size)), w->lacks_size = true;
}

static const char *const_text(TermTable *tt, Term value) {
  TermKind kind = term_kind(tt, value);
  if (kind == TERM_INF) return "inf";
  if (kind == TERM_NEG_INF) return "-inf";
  if (kind == TERM_TRUE) return "True";
  if (kind == TERM_FALSE) return "False";
  double far;
  if (term_is_far(tt, value, &far)) return term_far_text(tt, far);
  Text text = text_new(tt->arena);
  rational_print(term_rat(tt, value), true, &text);
  return text_string(&text);
}

static int const_bind(const char *text) {
  return strchr(text, '/') ? BIND_PRODUCT : text[0] == '-' ? BIND_UNARY : BIND_ATOM;
}

static void write_const(Writer *w, Term value, int bind) {
  const char *text = const_text(w->tt, value);
  text_format(&w->out, const_bind(text) < bind ? "(%s)" : "%s", text);
}

static void write_slices(Writer *w, const TensorExpr *e) {
  const TensorExpr *a = e->args[0];
  uint32_t last = 0;
  for (uint32_t i = 0; i < a->rank; i++) {
    TensorSlice s = e->slices[i];
    if (s.point || s.start != w->tt->zero || s.step != w->tt->one || s.stop != a->shape[i]) last = i;
  }
  write(w, a, BIND_ATOM);
  text_char(&w->out, '[');
  for (uint32_t i = 0; i <= last; i++) {
    TensorSlice s = e->slices[i];
    if (i) text_add(&w->out, ", ");
    if (s.point || s.start != w->tt->zero) write_size(w, s.start, 0);
    if (s.point) continue;
    text_char(&w->out, ':');
    if (s.stop != a->shape[i]) write_size(w, s.stop, 0);
    if (s.step == w->tt->one) continue;
    text_char(&w->out, ':');
    write_size(w, s.step, 0);
  }
  text_char(&w->out, ']');
}

static void write_args(Writer *w, const TensorExpr *e, uint32_t first) {
  for (uint32_t i = first; i < e->count; i++) {
    if (i > first) text_add(&w->out, ", ");
    write(w, e->args[i], 0);
  }
}

static void write_call(Writer *w, const char *name, const TensorExpr *e) {
  text_format(&w->out, "%s(", name);
  write_args(w, e, 0);
}

static void write_view(Writer *w, const TensorExpr *e) {
  const TensorExpr *a = e->args[0];
  if (e->op == TENSOR_SLICE) {
    write_slices(w, e);
    return;
  }
  if (e->op == TENSOR_EXPAND && a->rank == 1 && e->axis == 1)
    write_call(w, "column", e);
  else if (e->op == TENSOR_EXPAND) {
    write_call(w, "expand", e);
    text_format(&w->out, ", %u", e->axis);
  } else if (e->op == TENSOR_TRANSPOSE) {
    write_call(w, "transpose", e);
    for (uint32_t i = 0; i < e->rank; i++) text_format(&w->out, ", %u", e->axes[i]);
  } else if (e->op == TENSOR_SQUEEZE) {
    write_call(w, "squeeze", e);
    for (uint32_t i = 0; i < e->axis_count; i++) text_format(&w->out, ", %u", e->axes[i]);
  } else {
    write_call(w, tensor_op_text(e->op), e);
    for (uint32_t i = 0; i < e->rank; i++) {
      text_add(&w->out, ", ");
      write_size(w, e->shape[i], 0);
    }
  }
  text_char(&w->out, ')');
}

static void write_indexed(Writer *w, const TensorExpr *e) {
  if (e->op == TENSOR_GATHER) {
    write(w, e->args[0], BIND_ATOM);
    text_char(&w->out, '[');
    write_args(w, e, 1);
    text_char(&w->out, ']');
    return;
  }
  if (tensor_is_flip(w->tt, e)) {
    write(w, e->args[0], BIND_ATOM);
    text_char(&w->out, '[');
    for (uint32_t i = 0; i < e->axis; i++) text_add(&w->out, ":, ");
    text_add(&w->out, "::-1]");
    return;
  }
  write_call(w, tensor_op_text(e->op), e);
  text_format(&w->out, ", axis=%u)", e->axis);
}

/* a @ b beside * and / */
static int product_bind(const TensorExpr *e, const TensorExpr *arg, bool right) {
  if (e->op != arg->op && bind_of(arg->op) == BIND_PRODUCT && (e->op == TENSOR_MATMUL || arg->op == TENSOR_MATMUL))
    return BIND_UNARY;
  return BIND_PRODUCT + right;
}

static void write_binary(Writer *w, const TensorExpr *e) {
  int own = bind_of(e->op), left = own, right = own + 1;
  if (own == BIND_COMPARE) left = own + 1;
  if (own == BIND_POWER) left = BIND_ATOM, right = BIND_UNARY;
  if (own == BIND_PRODUCT) left = product_bind(e, e->args[0], false), right = product_bind(e, e->args[1], true);
  write(w, e->args[0], left);
  text_format(&w->out, " %s ", tensor_op_text(e->op));
  write(w, e->args[1], right);
}

/* ", axis=1" or ", axis=(0, 2)" */
static void write_axes(Writer *w, const TensorExpr *e) {
  if (e->axis_count == 1) {
    text_format(&w->out, ", axis=%u", e->axes[0]);
    return;
  }
  text_add(&w->out, ", axis=(");
  for (uint32_t i = 0; i < e->axis_count; i++) text_format(&w->out, "%s%u", i ? ", " : "", e->axes[i]);
  text_char(&w->out, ')');
}

/* layer_norm(x, axis=1, eps=eps) */
static void write_idiom(Writer *w, const TensorExpr *e) {
  const char *keyword = tensor_idiom_keyword(e->idiom);
  bool named = *keyword != 0;
  text_add(&w->out, tensor_idiom_text(e->idiom));
  if (!e->count) return;
  text_char(&w->out, '(');
  for (uint32_t i = 0; i + named < e->count; i++) {
    if (i) text_add(&w->out, ", ");
    write(w, e->args[i], 0);
  }
  if (tensor_idiom_shows_axes(e)) write_axes(w, e);
  if (named) {
    text_format(&w->out, ", %s=", keyword);
    write(w, e->args[e->count - 1], 0);
  }
  text_char(&w->out, ')');
}

/* concat(expand(a, k), expand(b, k), axis=k) */
static bool is_stack(const TensorExpr *e) {
  if (e->op != TENSOR_CONCAT) return false;
  for (uint32_t i = 0; i < e->count; i++)
    if (e->args[i]->op != TENSOR_EXPAND || e->args[i]->axis != e->axis) return false;
  return true;
}

static void write_stack(Writer *w, const TensorExpr *e) {
  text_add(&w->out, "stack(");
  for (uint32_t i = 0; i < e->count; i++) {
    write(w, e->args[i]->args[0], 0);
    text_add(&w->out, ", ");
  }
  text_format(&w->out, "axis=%u)", e->axis);
}

static void write_fold(Writer *w, const TensorExpr *e) {
  if (is_stack(e)) {
    write_stack(w, e);
    return;
  }
  if (e->op == TENSOR_MATMUL) {
    write_binary(w, e);
    return;
  }
  if (e->op == TENSOR_IDIOM) {
    write_idiom(w, e);
    return;
  }
  if (e->op != TENSOR_REDUCE) {
    write_call(w, e->op == TENSOR_SCAN ? tensor_fold_text(e) : tensor_op_text(e->op), e);
    text_format(&w->out, ", axis=%u)", e->axis);
    return;
  }
  write_call(w, tensor_fold_text(e), e);
  if (e->axis_count < e->rank) write_axes(w, e);
  text_char(&w->out, ')');
}

/* -a * b is (-a) * b, which is the same; -a // b is not -(a // b). */
static bool may_follow_minus(const TensorExpr *e) {
  for (; bind_of(e->op) == BIND_PRODUCT; e = e->args[0])
    if (e->op == TENSOR_FLOORDIV || e->op == TENSOR_MOD) return false;
  return true;
}

static void write_unary(Writer *w, const TensorExpr *e) {
  if (bind_of(e->op) == BIND_UNARY) {
    text_add(&w->out, tensor_op_text(e->op));
    write(w, e->args[0], e->op == TENSOR_NEG && may_follow_minus(e->args[0]) ? BIND_PRODUCT : BIND_UNARY);
    return;
  }
  write_call(w, e->op == TENSOR_FN1 ? term_fn_name(e->fn) : tensor_op_text(e->op), e);
  text_char(&w->out, ')');
}

/* trunc(a / b) */
static void write_truncated(Writer *w, const TensorExpr *e) {
  text_format(&w->out, "%s(", tensor_op_text(e->op));
  write(w, e->args[0], BIND_PRODUCT), text_add(&w->out, " / "), write(w, e->args[1], BIND_PRODUCT + 1);
  text_char(&w->out, ')');
}

static void write_node(Writer *w, const TensorExpr *e) {
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF:
    if (e->op != TENSOR_INDEX)
      text_add(&w->out, e->name);
    else {
      text_add(&w->out, "index(");
      write_size(w, e->shape[0], 0);
      text_char(&w->out, ')');
    }
    return;
  case TENSOR_FORM_UNARY: write_unary(w, e); return;
  case TENSOR_FORM_BINARY:
    if (bind_of(e->op) != BIND_ATOM) {
      write_binary(w, e);
      return;
    }
    if (e->op == TENSOR_TRUNCDIV) {
      write_truncated(w, e);
      return;
    }
    write_call(w, e->op == TENSOR_FN2 ? term_fn_name(e->fn) : tensor_op_text(e->op), e);
    text_char(&w->out, ')');
    return;
  case TENSOR_FORM_TERNARY:
    write_call(w, "where", e);
    text_char(&w->out, ')');
    return;
  case TENSOR_FORM_CALL:
    write_call(w, e->bits->name, e);
    text_char(&w->out, ')');
    return;
  case TENSOR_FORM_VIEW: write_view(w, e); return;
  case TENSOR_FORM_INDEX: write_indexed(w, e); return;
  case TENSOR_FORM_FOLD: write_fold(w, e); return;
  }
}

static void write(Writer *w, const TensorExpr *e, int bind) {
  guard_tick(w->tt->arena->guard);
  if (w->depth > DEPTH_LIMIT || w->out.count > TEXT_LIMIT) {
    text_add(&w->out, "...");
    return;
  }
  if (e->op == TENSOR_CONST) {
    write_const(w, e->value, bind);
    return;
  }
  const char *part = tensor_part_name(w->parts, e);
  if (part) {
    text_add(&w->out, part);
    return;
  }
  bool parentheses = bind_of(e->op) < bind;
  w->depth++;
  if (parentheses) text_char(&w->out, '(');
  write_node(w, e);
  if (parentheses) text_char(&w->out, ')');
  w->depth--;
}

static Writer write_whole(TermTable *tt, const TensorExpr *e, TensorParts *parts) {
  Writer w = {.tt = tt, .out = text_new(tt->arena), .parts = parts};
  while (e->op == TENSOR_SQUEEZE || e->op == TENSOR_BROADCAST) e = e->args[0];
  write(&w, e, 0);
  return w;
}

const char *tensor_text_with(TermTable *tt, const TensorExpr *e, TensorParts *parts) {
  Writer w = write_whole(tt, e, parts);
  return text_string(&w.out);
}

const char *tensor_text(TermTable *tt, const TensorExpr *e) { return tensor_text_with(tt, e, NULL); }
bool tensor_has_text(TermTable *tt, const TensorExpr *e) { return !write_whole(tt, e, NULL).lacks_size; }

const char *tensor_part_text(TermTable *tt, const TensorExpr *e, TensorParts *parts) {
  Writer w = {.tt = tt, .out = text_new(tt->arena), .parts = parts};
  write(&w, e, 0);
  return text_string(&w.out);
}
