/* From tensor expressions to operations over named axes (see problem.h).
 *
 * Two passes. The first gives every axis of every node of the expression a variable, and unites variables as the
 * operations ask: aligned axes of elementwise operations, the contracted ones of a product. Each use of a tensor has
 * variables of its own; then the uses of one tensor are united axis by axis where no array gets one class twice by it
 * (in X @ transpose(X) the rows stay apart). A reshape splits variables: where 64 columns become 4 heads of 16, that
 * axis is two classes for everybody, and its tensors are used as views. The second pass makes the nodes. */
#include "optimize/problem.h"

#include <ctype.h>
#include <string.h>

#include "optimize/kernels.h"

enum { MAX_AXES = 4096, MAX_EXPRESSIONS = 600, MAX_LEAVES = 24 };

typedef struct Axes {
  const TensorExpr *e;
  uint32_t axis[TENSOR_MAX_RANK]; /* variables; 0: an axis of length 1 */
  uint32_t args[3];               /* entries */
  uint32_t node;                  /* its number in the problem */
} Axes;

typedef struct Maker {
  Problem *p;
  uint32_t parent[MAX_AXES], count;          /* union-find over variables, from 1 */
  uint32_t outer[MAX_AXES], inner[MAX_AXES]; /* what a variable is split into; 0: it is not */
  Term length[MAX_AXES];
  uint8_t class_of[MAX_AXES];
  Array(Axes) axes; /* of the expressions, arguments first */
} Maker;

static const struct {
  const char *text;
  uint32_t arity;
} ops[] = {
#define PROBLEM_OP(id, text, arity, form) {text, arity},
#include "optimize/ops.def"
#undef PROBLEM_OP
};

const char *problem_op_text(ProblemOp op) { return ops[op].text; }
uint32_t problem_op_arity(ProblemOp op) { return ops[op].arity; }

static bool stop(Maker *m, const char *why) {
  if (!m->p->unsupported) m->p->unsupported = why;
  return false;
}

/* ---- classes ---- */

static uint32_t find(Maker *m, uint32_t v) {
  while (m->parent[v] != v) v = m->parent[v] = m->parent[m->parent[v]];
  return v;
}

static uint32_t new_axis(Maker *m, Term length) {
  if (m->count + 1 >= MAX_AXES) return stop(m, "the formula is too large to be searched"), 0;
  m->count++;
  m->parent[m->count] = m->count;
  m->length[m->count] = length;
  return m->count;
}

/* Variables that are not split, the outermost first. */
typedef struct Leaves {
  uint32_t count, at[MAX_LEAVES];
} Leaves;

static void add_leaves(Maker *m, uint32_t axis, Leaves *out) {
  uint32_t v = axis ? find(m, axis) : 0;
  if (v && m->outer[v]) {
    add_leaves(m, m->outer[v], out);
    add_leaves(m, m->inner[v], out);
  } else if (v && out->count == MAX_LEAVES) {
    stop(m, "the formula has too many axes to be searched");
  } else if (v) {
    out->at[out->count++] = v;
  }
}

static Leaves leaves_of(Maker *m, uint32_t axis) {
  Leaves out = {0};
  add_leaves(m, axis, &out);
  return out;
}

static Leaves leaves_of_all(Maker *m, const Axes *a) {
  Leaves out = {0};
  for (uint32_t i = 0; i < a->e->rank; i++) add_leaves(m, a->axis[i], &out);
  return out;
}

/* length / by; 0: it is not seen to be whole. */
static Term quotient(TermTable *tt, Term length, Term by) {
  Term q = term_floordiv(tt, length, by);
  return term_mul(tt, q, by) == length ? q : 0;
}

/* The same elements in the same order: the longer of the innermost axes is split. */
static bool unite_leaves(Maker *m, Leaves a, Leaves b) {
  while (a.count && b.count) {
    uint32_t x = find(m, a.at[a.count - 1]), y = find(m, b.at[b.count - 1]);
    if (m->outer[x] || m->outer[y]) return false; /* one axis twice */
    if (m->length[x] == m->length[y]) {
      m->parent[x > y ? x : y] = x > y ? y : x;
      a.count--, b.count--;
      continue;
    }
    Leaves *longer = &a, *shorter = &b;
    Term q = quotient(m->p->tt, m->length[x], m->length[y]);
    if (!q) {
      q = quotient(m->p->tt, m->length[y], m->length[x]);
      uint32_t swap = x;
      x = y, y = swap, longer = &b, shorter = &a;
    }
    if (!q || !(m->outer[x] = new_axis(m, q))) return false;
    m->inner[x] = y;
    longer->at[longer->count - 1] = m->outer[x];
    shorter->count--;
  }
  return !a.count && !b.count;
}

static bool unites(Maker *m, uint32_t a, uint32_t b) {
  if (!a || !b) return true;
  Leaves x = leaves_of(m, a), y = leaves_of(m, b);
  if (x.count != 1 || y.count != 1) return unite_leaves(m, x, y);
  if (x.at[0] < y.at[0]) m->parent[y.at[0]] = x.at[0];
  if (y.at[0] < x.at[0]) m->parent[x.at[0]] = y.at[0];
  return true;
}

static void unite(Maker *m, uint32_t a, uint32_t b) {
  if (!unites(m, a, b)) stop(m, "axes of a reshape do not fit each other");
}

/* A tensor, or a part of it. */
static bool is_use(const TensorExpr *e) {
  if (e->op != TENSOR_SLICE) return e->op == TENSOR_INPUT;
  for (uint32_t i = 0; i < e->args[0]->rank; i++)
    if (e->slices[i].point) return false;
  return e->args[0]->op == TENSOR_INPUT;
}

static const TensorExpr *tensor_of(const TensorExpr *use) { return use->op == TENSOR_SLICE ? use->args[0] : use; }

/* 0: the whole axis. */
static Term start_of(TermTable *tt, const TensorExpr *use, uint32_t axis) {
  if (use->op != TENSOR_SLICE) return 0;
  const TensorSlice *s = &use->slices[axis];
  return s->start == tt->zero && s->stop == use->args[0]->shape[axis] ? 0 : s->start;
}

static Axes *axes_of(Maker *m, const TensorExpr *e) {
  for (uint32_t i = 0; i < m->axes.count; i++)
    if (m->axes.data[i].e == e && !is_use(e)) return &m->axes.data[i];
  return NULL;
}

static uint32_t add_expression(Maker *m, const TensorExpr *e);

/* Named functions of one value keep their name; all others are what they mean. */
static const TensorExpr *plain(const TensorExpr *e) {
  while (e->op == TENSOR_IDIOM && (e->idiom > TENSOR_GELU_TANH || e->rank != e->args[0]->rank)) e = e->plain;
  return e;
}

static bool is_supported(const Maker *m, const TensorExpr *e) {
  for (uint32_t i = 0; e->op == TENSOR_SLICE && is_use(e) && i < e->rank; i++)
    if (e->slices[i].step != m->p->tt->one) return false;
  switch (tensor_op_form(e->op)) {
  case TENSOR_FORM_LEAF:
  case TENSOR_FORM_UNARY: return true;
  case TENSOR_FORM_BINARY:
    return !tensor_is_whole_division(e->op) && e->op != TENSOR_FN2 &&
           (e->op != TENSOR_POW || e->args[1]->op == TENSOR_CONST);
  case TENSOR_FORM_TERNARY: return e->op == TENSOR_WHERE;
  case TENSOR_FORM_CALL:
  case TENSOR_FORM_INDEX: return false;
  case TENSOR_FORM_VIEW: return is_use(e) || e->op != TENSOR_SLICE;
  case TENSOR_FORM_FOLD:
    return e->op == TENSOR_MATMUL || e->op == TENSOR_IDIOM ||
           (e->op == TENSOR_REDUCE && (e->fold == FOLD_SUM || e->fold == FOLD_MAX || e->fold == FOLD_MIN));
  }
  return false;
}

/* Elementwise: aligned at the last axis. */
static void unite_aligned(Maker *m, Axes *out, const Axes *arg) {
  for (uint32_t i = 0; i < arg->e->rank; i++) {
    uint32_t *own = &out->axis[out->e->rank - arg->e->rank + i];
    if (!*own) *own = arg->axis[i];
    unite(m, *own, arg->axis[i]);
  }
}

static void unite_matmul(Maker *m, Axes *out, const Axes *a, const Axes *b) {
  const TensorExpr *x = a->e, *y = b->e;
  for (uint32_t side = 0; side < 2; side++) {
    const Axes *arg = side ? b : a;
    for (uint32_t i = 0; i + 2 < arg->e->rank; i++) {
      uint32_t *own = &out->axis[out->e->rank - arg->e->rank + i];
      if (!*own) *own = arg->axis[i];
      unite(m, *own, arg->axis[i]);
    }
  }
  if (x->rank < 2 || y->rank < 2) {
    stop(m, "a product of vectors is not searched");
    return;
  }
  out->axis[out->e->rank - 2] = a->axis[x->rank - 2], out->axis[out->e->rank - 1] = b->axis[y->rank - 1];
  unite(m, a->axis[x->rank - 1], b->axis[y->rank - 2]);
}

static void unite_view(Axes *out, const Axes *a) {
  const TensorExpr *e = out->e;
  for (uint32_t i = 0, gone = 0; i < a->e->rank; i++) {
    if (e->op == TENSOR_EXPAND) out->axis[i + (i >= e->axis)] = a->axis[i];
    if (e->op == TENSOR_SQUEEZE && gone < e->axis_count && e->axes[gone] == i)
      gone++;
    else if (e->op == TENSOR_SQUEEZE)
      out->axis[i - gone] = a->axis[i];
    if (e->op == TENSOR_BROADCAST) out->axis[e->rank - a->e->rank + i] = a->axis[i];
  }
  for (uint32_t i = 0; i < e->rank && e->op == TENSOR_TRANSPOSE; i++) out->axis[i] = a->axis[e->axes[i]];
}

/* A smaller value that fills an output has no class for the axes that it lacks. */
static void new_axes(Maker *m, Axes *out) {
  for (uint32_t i = 0; i < out->e->rank; i++)
    if (!out->axis[i] && out->e->shape[i] != m->p->tt->one) out->axis[i] = new_axis(m, out->e->shape[i]);
}

static void unite_reshape(Maker *m, Axes *out, const Axes *a) {
  new_axes(m, out);
  if (!unite_leaves(m, leaves_of_all(m, out), leaves_of_all(m, a))) stop(m, "a reshape across axes is not searched");
}

static uint32_t add_expression(Maker *m, const TensorExpr *e) {
  uint32_t args[3] = {0};
  e = plain(e);
  Axes *known = axes_of(m, e);
  if (known) return (uint32_t)(known - m->axes.data);
  if (!is_supported(m, e) || m->axes.count > MAX_EXPRESSIONS || e->count > 3) {
    stop(m, arena_format(m->p->arena, "'%s' is not searched",
                         e->op == TENSOR_REDUCE   ? tensor_fold_text(e)
                         : e->op == TENSOR_FN2    ? term_fn_name(e->fn)
                         : *tensor_op_text(e->op) ? tensor_op_text(e->op)
                                                  : tensor_text(m->p->tt, e)));
    return 0;
  }
  TensorForm form = is_use(e) ? TENSOR_FORM_LEAF : tensor_op_form(e->op);
  for (uint32_t i = 0; i < e->count && form != TENSOR_FORM_LEAF && !m->p->unsupported; i++)
    args[i] = add_expression(m, e->args[i]);
  if (m->p->unsupported) return 0;
  Axes out = {.e = e, .args = {args[0], args[1], args[2]}};
  const Axes *a = m->axes.data + args[0], *b = m->axes.data + args[1];
  if (e->op == TENSOR_MATMUL)
    unite_matmul(m, &out, a, b);
  else if (e->op == TENSOR_RESHAPE)
    unite_reshape(m, &out, a);
  else if (form == TENSOR_FORM_VIEW)
    unite_view(&out, a);
  else if (form != TENSOR_FORM_LEAF)
    for (uint32_t i = 0; i < (e->op == TENSOR_IDIOM ? 1 : e->count); i++)
      unite_aligned(m, &out, &m->axes.data[args[i]]);
  for (uint32_t i = 0; i < e->axis_count && e->op == TENSOR_REDUCE; i++) out.axis[e->axes[i]] = 0;
  if (form == TENSOR_FORM_LEAF || e->op == TENSOR_BROADCAST) new_axes(m, &out);
  array_push(m->p->arena, &m->axes, out);
  return m->axes.count - 1;
}

static bool is_sound(Maker *m) {
  for (uint32_t i = 0; i < m->axes.count; i++) {
    Leaves all = leaves_of_all(m, &m->axes.data[i]);
    for (uint32_t a = 0; a < all.count; a++)
      for (uint32_t b = 0; b < a; b++)
        if (all.at[a] == all.at[b]) return false;
  }
  return true;
}

static bool is_same_part(TermTable *tt, const TensorExpr *a, const TensorExpr *b, uint32_t axis) {
  return start_of(tt, a, axis) == start_of(tt, b, axis) && a->shape[axis] == b->shape[axis];
}

/* The uses of one tensor, where that leaves every array with different classes. */
static void unite_uses(Maker *m) {
  Maker *saved = arena_new(m->p->arena, Maker);
  for (uint32_t i = 0; i < m->axes.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Axes *a = &m->axes.data[i], *b = &m->axes.data[k];
      if (!is_use(a->e) || !is_use(b->e) || tensor_of(a->e)->symbol != tensor_of(b->e)->symbol) continue;
      *saved = *m;
      bool fits = true;
      for (uint32_t d = 0; d < a->e->rank; d++)
        if (is_same_part(m->p->tt, a->e, b->e, d)) fits &= unites(m, a->axis[d], b->axis[d]);
      if (!fits || !is_sound(m)) *m = *saved;
    }
}

static bool number_classes(Maker *m) {
  memset(m->class_of, PROBLEM_NONE, sizeof m->class_of);
  for (uint32_t i = 0; i < m->axes.count; i++) {
    Leaves all = leaves_of_all(m, &m->axes.data[i]);
    for (uint32_t d = 0; d < all.count; d++) {
      uint32_t v = all.at[d];
      if (m->class_of[v] != PROBLEM_NONE) continue;
      if (m->p->class_count == PROBLEM_MAX_CLASSES) return stop(m, "the formula has too many axes to be searched");
      m->class_of[v] = (uint8_t)m->p->class_count;
      m->p->length[m->p->class_count++] = m->length[v];
    }
  }
  return true;
}

/* The classes of the axes of an array, PROBLEM_NONE for those of length 1; `rank` UINT8_MAX: there are too many. */
static void classes_of(Maker *m, const Axes *a, uint8_t *rank, uint8_t *axes) {
  *rank = 0;
  for (uint32_t i = 0; i < a->e->rank; i++) {
    Leaves own = leaves_of(m, a->axis[i]);
    for (uint32_t k = 0; k < own.count || !k; k++) {
      if (*rank == POINTWISE_MAX_RANK) {
        stop(m, "an array with more than 8 axes is not searched");
        return;
      }
      axes[(*rank)++] = own.count ? m->class_of[own.at[k]] : PROBLEM_NONE;
    }
  }
}

static bool is_split(Maker *m, uint32_t axis) { return leaves_of(m, axis).count > 1; }

static bool any_is_split(Maker *m, const Axes *a) {
  for (uint32_t i = 0; i < a->e->rank; i++)
    if (is_split(m, a->axis[i])) return true;
  return false;
}

/* ---- views ---- */

uint32_t problem_view(Problem *p, uint32_t tensor, uint32_t rank, const Term *extent) {
  Pointwise *all = kernels_tensors(p->arena, p);
  PointwiseTensor view = all->tensors.data[tensor];
  Text name = text_new(p->arena);
  text_add(&name, view.name);
  view.rank = rank;
  for (uint32_t i = 0; i < rank; i++) {
    view.extent[i] = extent[i];
    text_format(&name, "_%s", term_text(p->tt, extent[i]));
  }
  for (uint32_t i = 0; i < p->views.count; i++) {
    const PointwiseTensor *known = &all->tensors.data[p->views.data[i].tensor];
    if (p->views.data[i].of == tensor && known->rank == rank && !memcmp(known->extent, extent, rank * sizeof *extent))
      return p->views.data[i].tensor;
  }
  char *text = arena_copy(p->arena, text_string(&name), name.count);
  for (char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  view.name = text;
  p->pointwise = all;
  array_push(p->arena, &p->views, ((ProblemView){kernels_add_tensor(all, p, view), tensor}));
  return all->tensors.count - 1;
}

/* With these classes as its axes. */
static uint32_t view_of(Problem *p, uint32_t tensor, uint32_t rank, const uint8_t *axes) {
  Term extent[POINTWISE_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) extent[i] = axes[i] == PROBLEM_NONE ? p->tt->one : p->length[axes[i]];
  return problem_view(p, tensor, rank, extent);
}

/* ---- nodes ---- */

static uint32_t add_node(Problem *p, ProblemNode n) {
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    const ProblemNode *o = &p->nodes.data[i];
    if (o->op == n.op && !memcmp(o->args, n.args, sizeof n.args) && o->detail == n.detail && o->axis == n.axis &&
        o->value == n.value)
      return i;
  }
  if (n.op == PROBLEM_INDEX) n.classes = 1u << n.axis;
  for (uint32_t i = 0; i < problem_op_arity(n.op); i++) n.classes |= p->nodes.data[n.args[i]].classes;
  if (n.op == PROBLEM_SUM || n.op == PROBLEM_REDUCE_MAX || n.op == PROBLEM_REDUCE_MIN) n.classes &= ~(1u << n.axis);
  array_push(p->arena, &p->nodes, n);
  return p->nodes.count - 1;
}

static uint32_t add_function(Problem *p, const char *open, const char *close) {
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (!strcmp(p->functions.data[i].open, open) && !strcmp(p->functions.data[i].close, close)) return i;
  array_push(p->arena, &p->functions, (ProblemFunction){open, close});
  return p->functions.count - 1;
}

static uint32_t add_input(Maker *m, const Axes *a) {
  Problem *p = m->p;
  ProblemUse use = {0};
  ClassSet classes = 0;
  while (p->pointwise->tensors.data[use.tensor].symbol != tensor_of(a->e)->symbol) use.tensor++;
  classes_of(m, a, &use.rank, use.axes);
  bool is_view = any_is_split(m, a);
  if (is_view) use.tensor = view_of(p, use.tensor, use.rank, use.axes);
  for (uint32_t i = 0; i < a->e->rank; i++)
    if (!is_view)
      use.start[i] = start_of(p->tt, a->e, i);
    else if (start_of(p->tt, a->e, i))
      stop(m, "a reshape of a part is not searched");
  for (uint32_t i = 0; i < use.rank; i++)
    if (use.axes[i] != PROBLEM_NONE) classes |= 1u << use.axes[i];
  uint32_t number = 0;
  while (number < p->uses.count && memcmp(&p->uses.data[number], &use, sizeof use)) number++;
  if (number == p->uses.count) array_push(p->arena, &p->uses, use);
  return add_node(p, (ProblemNode){.op = PROBLEM_INPUT, .detail = number, .axis = PROBLEM_NONE, .classes = classes});
}

static uint32_t constant(Problem *p, Term value) {
  return add_node(p, (ProblemNode){.op = PROBLEM_CONST, .value = value, .axis = PROBLEM_NONE});
}

static uint32_t unary(Problem *p, ProblemOp op, uint32_t a, uint32_t detail) {
  return add_node(p, (ProblemNode){.op = op, .args = {a}, .detail = detail, .axis = PROBLEM_NONE});
}

static bool is_value(const Problem *p, uint32_t node, Term value) {
  return p->nodes.data[node].op == PROBLEM_CONST && p->nodes.data[node].value == value;
}

static uint32_t binary(Problem *p, ProblemOp op, uint32_t a, uint32_t b) {
  if (op == PROBLEM_ADD && is_value(p, a, p->tt->zero)) return b;
  if ((op == PROBLEM_ADD || op == PROBLEM_SUB) && is_value(p, b, p->tt->zero)) return a;
  bool commutes = op == PROBLEM_ADD || op == PROBLEM_MUL || op == PROBLEM_MAXIMUM || op == PROBLEM_MINIMUM;
  if (op == PROBLEM_MUL && a == b) return unary(p, PROBLEM_SQUARE, a, 0);
  if (commutes && a > b) return binary(p, op, b, a);
  return add_node(p, (ProblemNode){.op = op, .args = {a, b}, .axis = PROBLEM_NONE});
}

/* Of numbers: what it is; a - b <= 0 is a <= b. */
static uint32_t comparison(Problem *p, ProblemOp op, uint32_t a, uint32_t b) {
  const ProblemNode *x = &p->nodes.data[a], *y = &p->nodes.data[b];
  if (x->op == PROBLEM_CONST && y->op == PROBLEM_CONST && term_is_rat(p->tt, x->value) &&
      term_is_rat(p->tt, y->value)) {
    Term equal = term_eq(p->tt, x->value, y->value);
    return constant(p, op == PROBLEM_LT   ? term_lt(p->tt, x->value, y->value)
                       : op == PROBLEM_LE ? term_le(p->tt, x->value, y->value)
                       : op == PROBLEM_EQ ? equal
                                          : term_not(p->tt, equal));
  }
  if (x->op == PROBLEM_SUB && is_value(p, b, p->tt->zero)) return binary(p, op, x->args[0], x->args[1]);
  if (y->op == PROBLEM_SUB && is_value(p, a, p->tt->zero)) return binary(p, op, y->args[1], y->args[0]);
  return binary(p, op, a, b);
}

static uint32_t negation(Problem *p, uint32_t a) {
  const ProblemNode *x = &p->nodes.data[a];
  if (x->op == PROBLEM_NOT) return x->args[0];
  if (is_value(p, a, p->tt->true_)) return constant(p, p->tt->false_);
  if (is_value(p, a, p->tt->false_)) return constant(p, p->tt->true_);
  return unary(p, PROBLEM_NOT, a, 0);
}

static uint32_t choice(Problem *p, uint32_t condition, uint32_t a, uint32_t b) {
  const ProblemNode *c = &p->nodes.data[condition];
  if (is_value(p, a, p->tt->true_) && is_value(p, b, p->tt->false_)) return condition;
  if (is_value(p, a, p->tt->false_) && is_value(p, b, p->tt->true_)) return negation(p, condition);
  if (c->op == PROBLEM_NOT) return choice(p, c->args[0], b, a);
  return add_node(p, (ProblemNode){.op = PROBLEM_WHERE, .args = {condition, a, b}, .axis = PROBLEM_NONE});
}

static uint32_t reduce(Problem *p, TermFoldOp fold, uint32_t a, uint8_t axis) {
  ProblemOp op = fold == FOLD_SUM ? PROBLEM_SUM : fold == FOLD_MAX ? PROBLEM_REDUCE_MAX : PROBLEM_REDUCE_MIN;
  return add_node(p, (ProblemNode){.op = op, .args = {a}, .axis = axis});
}

/* x ** c; the exponents 2, 1/2 and -1/2 have operations of their own. */
static uint32_t power(Problem *p, uint32_t a, Term exponent) {
  Rational r = term_rat(p->tt, exponent);
  if (r.num == 2 && r.den == 1) return unary(p, PROBLEM_SQUARE, a, 0);
  if (r.den == 2 && r.num == 1) return unary(p, PROBLEM_SQRT, a, 0);
  if (r.den == 2 && r.num == -1) return binary(p, PROBLEM_DIV, constant(p, p->tt->one), unary(p, PROBLEM_SQRT, a, 0));
  return unary(p, PROBLEM_FN, a, add_function(p, "(", arena_format(p->arena, " ** (%s))", term_text(p->tt, exponent))));
}

static uint32_t call(Problem *p, const char *name, uint32_t a) {
  return unary(p, PROBLEM_FN, a, add_function(p, arena_format(p->arena, "%s(", name), ")"));
}

/* relu(x), leaky_relu(x, 0.1), clamp(x, 0, 6): the other arguments are constants. */
static uint32_t idiom(Maker *m, const TensorExpr *e, uint32_t a) {
  Text close = text_new(m->p->arena);
  for (uint32_t i = 1; i < e->count; i++) {
    if (e->args[i]->op != TENSOR_CONST) return stop(m, "a function of several arrays is not searched"), 0;
    text_format(&close, ", %s", tensor_text(m->p->tt, e->args[i]));
  }
  text_add(&close, ")");
  const char *open = arena_format(m->p->arena, "%s(", tensor_idiom_text(e->idiom));
  return unary(m->p, PROBLEM_FN, a, add_function(m->p, open, text_string(&close)));
}

/* The innermost part of a split axis first. */
static uint32_t reduce_axis(Maker *m, TermFoldOp fold, uint32_t node, uint32_t axis) {
  Leaves own = leaves_of(m, axis);
  for (uint32_t i = own.count; i-- > 0;) node = reduce(m->p, fold, node, m->class_of[own.at[i]]);
  return node;
}

static uint32_t fold_node(Maker *m, const Axes *out, const Axes *a) {
  const TensorExpr *e = out->e;
  if (e->op == TENSOR_IDIOM) return idiom(m, e, a->node);
  if (e->op == TENSOR_MATMUL)
    return reduce_axis(m, FOLD_SUM, binary(m->p, PROBLEM_MUL, a->node, m->axes.data[out->args[1]].node),
                       a->axis[a->e->rank - 1]);
  uint32_t node = a->node;
  for (uint32_t i = 0; i < e->axis_count; i++) node = reduce_axis(m, e->fold, node, a->axis[e->axes[i]]);
  return node;
}

static uint32_t unary_node(Maker *m, const TensorExpr *e, uint32_t a) {
  if (e->op == TENSOR_NEG) return unary(m->p, PROBLEM_NEG, a, 0);
  if (e->op == TENSOR_NOT) return negation(m->p, a);
  if (e->op == TENSOR_SQRT) return unary(m->p, PROBLEM_SQRT, a, 0);
  if (e->op == TENSOR_FN1 && e->fn == FN_EXP) return unary(m->p, PROBLEM_EXP, a, 0);
  return call(m->p, e->op == TENSOR_FN1 ? term_fn_name(e->fn) : tensor_op_text(e->op), a);
}

static uint32_t binary_node(Maker *m, const TensorExpr *e, uint32_t a, uint32_t b) {
  if (e->op == TENSOR_ADD) return binary(m->p, PROBLEM_ADD, a, b);
  if (e->op == TENSOR_SUB) return binary(m->p, PROBLEM_SUB, a, b);
  if (e->op == TENSOR_MUL) return binary(m->p, PROBLEM_MUL, a, b);
  if (e->op == TENSOR_DIV) return binary(m->p, PROBLEM_DIV, a, b);
  if (e->op == TENSOR_MAXIMUM) return binary(m->p, PROBLEM_MAXIMUM, a, b);
  if (e->op == TENSOR_MINIMUM) return binary(m->p, PROBLEM_MINIMUM, a, b);
  if (e->op == TENSOR_LT) return comparison(m->p, PROBLEM_LT, a, b);
  if (e->op == TENSOR_LE) return comparison(m->p, PROBLEM_LE, a, b);
  if (e->op == TENSOR_GT) return comparison(m->p, PROBLEM_LT, b, a);
  if (e->op == TENSOR_GE) return comparison(m->p, PROBLEM_LE, b, a);
  if (e->op == TENSOR_EQ) return comparison(m->p, PROBLEM_EQ, a, b);
  if (e->op == TENSOR_NE) return comparison(m->p, PROBLEM_NE, a, b);
  if (e->op == TENSOR_AND) return binary(m->p, PROBLEM_AND, a, b);
  if (e->op == TENSOR_OR) return binary(m->p, PROBLEM_OR, a, b);
  return power(m->p, a, e->args[1]->value); /* is_supported leaves POW */
}

static uint32_t leaf_node(Maker *m, const Axes *out) {
  const TensorExpr *e = out->e;
  if (is_use(e)) return add_input(m, out);
  if (e->op == TENSOR_CONST) return constant(m->p, e->value);
  if (e->op == TENSOR_SCALAR) return constant(m->p, e->symbol);
  Leaves own = leaves_of(m, out->axis[0]);
  uint32_t sum = constant(m->p, m->p->tt->zero);
  Term stride = m->p->tt->one;
  for (uint32_t i = own.count; i-- > 0; stride = term_mul(m->p->tt, stride, m->length[own.at[i]])) {
    uint32_t at = add_node(m->p, (ProblemNode){.op = PROBLEM_INDEX, .axis = m->class_of[own.at[i]]});
    if (stride != m->p->tt->one) at = binary(m->p, PROBLEM_MUL, at, constant(m->p, stride));
    sum = binary(m->p, PROBLEM_ADD, sum, at);
  }
  return sum;
}

static uint32_t make_node(Maker *m, const Axes *out) {
  const Axes *a = &m->axes.data[out->args[0]], *b = &m->axes.data[out->args[1]], *c = &m->axes.data[out->args[2]];
  switch (is_use(out->e) ? TENSOR_FORM_LEAF : tensor_op_form(out->e->op)) {
  case TENSOR_FORM_LEAF: return leaf_node(m, out);
  case TENSOR_FORM_UNARY: return unary_node(m, out->e, a->node);
  case TENSOR_FORM_BINARY: return binary_node(m, out->e, a->node, b->node);
  case TENSOR_FORM_TERNARY: return choice(m->p, a->node, b->node, c->node);
  case TENSOR_FORM_VIEW: return a->node;
  case TENSOR_FORM_FOLD: return fold_node(m, out, a);
  case TENSOR_FORM_CALL:
  case TENSOR_FORM_INDEX: break;
  }
  return 0;
}

/* ---- the whole ---- */

static const TensorExpr *formula_of(Problem *p, const PointwiseOutput *o) {
  bool plain_store =
      o->pieces.count == 1 && !o->scatter && !o->pieces.data[0].accumulate && o->pieces.data[0].region == p->tt->true_;
  if (!o->formula || !plain_store) p->unsupported = "an output has no tensor form";
  return o->formula;
}

static void add_output(Maker *m, const PointwiseOutput *o, uint32_t entry) {
  const Axes *a = &m->axes.data[entry];
  ProblemOutput out = {.tensor = o->tensor, .node = a->node};
  memset(out.axes, PROBLEM_NONE, sizeof out.axes);
  classes_of(m, a, &out.rank, out.axes);
  if (any_is_split(m, a)) out.tensor = view_of(m->p, o->tensor, out.rank, out.axes);
  if (a->e->rank != o->rank) stop(m, "an output is filled by a smaller value");
  array_push(m->p->arena, &m->p->outputs, out);
}

Problem *problem_new(Arena *arena, const Pointwise *pointwise) {
  Problem *p = arena_new(arena, Problem);
  *p = (Problem){.arena = arena, .tt = pointwise->tt, .pointwise = pointwise, .parts = PROBLEM_NONE};
  Maker *m = arena_new(arena, Maker);
  uint32_t *entries = arena_array(arena, uint32_t, pointwise->outputs.count + 1);
  m->p = p;
  for (uint32_t i = 0; i < pointwise->outputs.count && !p->unsupported; i++) {
    const TensorExpr *e = formula_of(p, &pointwise->outputs.data[i]);
    if (e && !p->unsupported) entries[i] = add_expression(m, problem_pieces(p->tt, e));
  }
  if (!p->unsupported && !is_sound(m)) stop(m, "an array has one axis twice");
  if (p->unsupported) return p;
  unite_uses(m);
  if (!number_classes(m)) return p;
  for (uint32_t i = 0; i < m->axes.count && !p->unsupported; i++) m->axes.data[i].node = make_node(m, &m->axes.data[i]);
  for (uint32_t i = 0; i < pointwise->outputs.count; i++) add_output(m, &pointwise->outputs.data[i], entries[i]);
  if (!p->unsupported) problem_unite(p);
  return p;
}
