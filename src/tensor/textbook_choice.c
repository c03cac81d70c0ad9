/* The textbook's laws of choices (laws.def): what both arms share stands outside, and a choice by the place along a
 * short axis is a stack of its places. */
#include "tensor/textbook.h"

enum { LEAST_STACK = 2, MOST_STACK = 8, LEAST_SUMMANDS = 2 /* more than a name */ };

/* ---- what both arms share ---- */

/* Takes out of x and y what both have; how large that is. */
static uint32_t take_common(Book *b, Parts *x, Parts *y, Parts *common) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < x->count;) {
    int j = book_find(b, y, x->part[i].e, x->part[i].k);
    if (j < 0) {
      i++;
      continue;
    }
    size += x->part[i].e->size;
    common->part[common->count++] = x->part[i];
    book_drop(x, i), book_drop(y, (uint32_t)j);
  }
  return size;
}

Expr common_summands(Book *b, Expr e) {
  Parts x = book_summands(b, e->args[1]), y = book_summands(b, e->args[2]), common = {.k = {0, 1}};
  if (x.is_full || y.is_full || take_common(b, &x, &y, &common) < LEAST_SUMMANDS) return NULL;
  if (!x.count && !y.count && rational_equal(x.k, y.k)) return NULL; /* one arm */
  bool falls = !x.count && !y.count && x.k.num <= 0 && y.k.num <= 0; /* less one where .. */
  if (falls) x.k = rational_neg(x.k), y.k = rational_neg(y.k);
  Expr rest = book_rewrite(b, tensor_where(b->tt, e->args[0], book_put_sum(b, &x), book_put_sum(b, &y)));
  if (!rest || common.count == MOST_PARTS) return NULL;
  common.part[common.count++] = (Part){rest, falls ? minus_one : one};
  Expr sum = book_put_sum(b, &common);
  return sum && strlen(tensor_text(b->tt, sum)) < strlen(tensor_text(b->tt, e)) ? sum : NULL;
}

/* Each arm keeps something: leaky_relu and relu are names of their own. */
Expr common_factors(Book *b, Expr e) {
  if (e->sort != SORT_REAL) return NULL;
  Parts x = book_factors(b, e->args[1]), y = book_factors(b, e->args[2]), common = {.k = one};
  if (x.is_full || y.is_full || !take_common(b, &x, &y, &common) || !x.count || !y.count) return NULL;
  if (rational_equal(x.k, y.k)) common.k = x.k, x.k = y.k = one;
  Expr rest = book_rewrite(b, tensor_where(b->tt, e->args[0], book_put_product(b, &x), book_put_product(b, &y)));
  if (!rest) return NULL;
  book_take_factors(b, rest, one, &common);
  return common.is_full ? NULL : book_put_product(b, &common);
}

/* where(c, k * x, l * y) = k * where(c, x, l / k * y), where that is shorter: l is a product of literals that has k */
Expr common_number(Book *b, Expr e) {
  Expr best = NULL;
  if (e->sort != SORT_REAL) return NULL;
  for (int own = 1; own <= 2; own++) {
    Parts x = book_factors(b, e->args[own]), y = book_factors(b, e->args[3 - own]), whole = {.k = x.k};
    if (x.is_full || y.is_full || !x.count || !y.k.num || x.k.num <= 0 || is_one(x.k)) continue;
    y.k = rational_div(b->tt->arena->guard, y.k, x.k), x.k = one;
    Expr a = fits(y.k) ? book_put_product(b, own == 1 ? &x : &y) : NULL;
    Expr rest = a ? tensor_where(b->tt, e->args[0], a, book_put_product(b, own == 1 ? &y : &x)) : NULL;
    if (!rest) continue;
    book_push(b, &whole, rest, one);
    Expr product = book_put_product(b, &whole);
    if (product && strlen(tensor_text(b->tt, product)) < strlen(tensor_text(b->tt, best ? best : e))) best = product;
  }
  return best;
}

static bool is_place(Expr e) {
  while (e->op == TENSOR_EXPAND) e = e->args[0];
  return e->op == TENSOR_INDEX;
}

/* maximum(a - k, 0) <= index(n) is a <= index(n) + k: no place is negative, and a number stands where it is added */
Expr bound_of_place(Book *b, Expr e) {
  Expr bound = e->args[0], place = e->args[1];
  if (bound->op != TENSOR_MAXIMUM || !is_place(place)) return NULL;
  for (uint32_t i = 0; i < 2; i++) {
    if (!is_zero(b->tt, bound->args[i])) continue;
    Parts parts = book_summands(b, bound->args[1 - i]);
    Rational k = parts.k;
    if (parts.is_full || !parts.count || k.num >= 0) return tensor_binary(b->tt, e->op, bound->args[1 - i], place);
    parts.k = (Rational){0, 1};
    Expr end = tensor_binary(b->tt, TENSOR_ADD, place, number(b->tt, rational_neg(k)));
    return tensor_binary(b->tt, e->op, book_put_sum(b, &parts), end);
  }
  return NULL;
}

/* e where c is true (or false) at each place: choices by c are their arms. Axes stand as they do in c: aligned at the
 * last. */
static Expr chosen(Book *b, Expr e, Expr c, bool is_true, uint32_t depth) {
  TensorForm form = tensor_op_form(e->op);
  bool is_elementwise =
      form == TENSOR_FORM_UNARY || form == TENSOR_FORM_BINARY || form == TENSOR_FORM_TERNARY || e->op == TENSOR_FN1;
  Expr args[3];
  bool changed = false;
  if (!depth || !e->count || e->count > 3) return e;
  if (e->op == TENSOR_WHERE && tensor_equal(b->tt, e->args[0], c)) {
    Expr arm = e->args[is_true ? 1 : 2];
    return book_same_shape(arm, e) ? arm : e;
  }
  for (uint32_t i = 0; e->op == TENSOR_REDUCE && i < e->axis_count; i++)
    if (!book_is_free(b, c, e->args[0]->rank, e->axes[i])) return e;
  if (!is_elementwise && e->op != TENSOR_REDUCE) return e;
  for (uint32_t i = 0; i < e->count; i++) {
    args[i] = chosen(b, e->args[i], c, is_true, depth - 1);
    changed |= args[i] != e->args[i];
  }
  Expr own = changed ? book_with_args(b, e, args) : e;
  return own && book_same_shape(own, e) ? own : e;
}

/* where(c, f(where(c, x, y)), z) = where(c, f(x), z), and in the other arm */
Expr choice_within_choice(Book *b, Expr e) {
  enum { MOST_DEPTH_OF_CHOICES = 8 };
  Expr c = e->args[0], x = chosen(b, e->args[1], c, true, MOST_DEPTH_OF_CHOICES),
       y = chosen(b, e->args[2], c, false, MOST_DEPTH_OF_CHOICES);
  return x != e->args[1] || y != e->args[2] ? tensor_where(b->tt, c, x, y) : NULL;
}

Expr common_function(Book *b, Expr e) {
  Expr x = e->args[1], y = e->args[2];
  bool is_unary = tensor_op_form(x->op) == TENSOR_FORM_UNARY && x->op != TENSOR_NEG && x->op != TENSOR_NOT;
  bool is_name = x->op == TENSOR_IDIOM && x->count && x->count <= 3 && tensor_idiom_axes(x->idiom) == TENSOR_AXES_NONE;
  bool is_same = x->op == y->op && x->fn == y->fn && x->idiom == y->idiom;
  if ((!is_unary && !is_name) || !is_same || x->args[0]->sort != y->args[0]->sort) return NULL;
  for (uint32_t i = 1; i < x->count; i++) /* bounds and slopes are scalars */
    if (x->args[i]->rank || !tensor_equal(b->tt, x->args[i], y->args[i])) return NULL;
  Expr args[3] = {book_rewrite(b, tensor_where(b->tt, e->args[0], x->args[0], y->args[0]))};
  for (uint32_t i = 1; i < x->count; i++) args[i] = x->args[i];
  return args[0] ? tensor_with_args(b->tt, x, args) : NULL;
}

/* ---- stacks ---- */

static Expr at_place(Book *b, Expr e, uint32_t axis, uint32_t place, uint32_t *decided);

/* Of an elementwise operation: of a choice that the place decides, the arm. */
static Expr operation_at(Book *b, Expr e, uint32_t axis, uint32_t place, uint32_t *decided) {
  TermTable *tt = b->tt;
  Expr args[3];
  bool is_literal = e->sort != SORT_REAL;
  for (uint32_t i = 0; i < e->count; i++) {
    uint32_t missing = e->rank - e->args[i]->rank;
    args[i] = axis < missing ? e->args[i] : at_place(b, e->args[i], axis - missing, place, decided);
    if (!args[i]) return NULL;
    is_literal &= args[i]->op == TENSOR_CONST;
    bool chooses = !i && e->op == TENSOR_WHERE && args[0]->op == TENSOR_CONST && !args[0]->rank;
    if (!chooses) continue;
    Expr arm = e->args[args[0]->value == tt->true_ ? 1 : 2];
    ++*decided;
    missing = e->rank - arm->rank;
    return axis < missing ? arm : at_place(b, arm, axis - missing, place, decided);
  }
  for (uint32_t i = 0; i < 2 && e->op == TENSOR_MUL; i++)
    if (is_zero(tt, args[i])) return args[i];
  Expr own = book_with_args(b, e, args);
  Term value = own && is_literal ? tensor_meaning(tt, own, NULL) : 0;
  bool is_known = value && (term_is_rat(tt, value) || value == tt->true_ || value == tt->false_);
  return is_known ? tensor_const(tt, value) : own;
}

/* e at one place of an axis, without it; NULL: only e as a whole says it. */
static Expr at_place(Book *b, Expr e, uint32_t axis, uint32_t place, uint32_t *decided) {
  TermTable *tt = b->tt;
  TensorForm form = tensor_op_form(e->op);
  if (form == TENSOR_FORM_UNARY || form == TENSOR_FORM_BINARY || form == TENSOR_FORM_TERNARY)
    return operation_at(b, e, axis, place, decided);
  if (e->op == TENSOR_INDEX) return number(tt, rational_int((int64_t)place));
  if (e->op == TENSOR_EXPAND && e->axis == axis) return e->args[0];
  if (e->op == TENSOR_EXPAND) {
    Expr inner = at_place(b, e->args[0], axis - (axis > e->axis), place, decided);
    bool has_all = inner && inner->rank + 2u == e->rank; /* an arm of fewer axes has others at this place */
    return has_all ? tensor_expand(tt, inner, e->axis - (e->axis > axis)) : NULL;
  }
  if (e->shape[axis] == tt->one) return tensor_squeeze(tt, e, 1, (uint8_t[]){(uint8_t)axis});
  if (e->op != TENSOR_CONCAT || e->axis != axis || place >= e->count) return NULL;
  for (uint32_t i = 0; i < e->count; i++)
    if (e->args[i]->shape[axis] != tt->one) return NULL;
  ++*decided;
  return at_place(b, e->args[place], axis, 0, decided);
}

static Expr stacked(Book *b, Expr e, uint32_t axis, uint32_t length) {
  TermTable *tt = b->tt;
  Expr result = NULL;
  Term shape[TENSOR_MAX_RANK];
  for (uint32_t i = 0; i + 1 < e->rank; i++) shape[i] = e->shape[i + (i >= axis)];
  for (uint32_t place = 0; place < length; place++) {
    uint32_t decided = 0;
    Expr part = at_place(b, e, axis, place, &decided);
    if (!part || !decided) return NULL;
    bool fits = part->rank + 1u == e->rank && !memcmp(part->shape, shape, sizeof *shape * part->rank);
    if (!fits) part = tensor_broadcast(tt, part, e->rank - 1u, shape);
    part = tensor_expand(tt, book_rewrite(b, part), axis);
    result = place ? tensor_concat(tt, result, part, axis) : part;
    if (!result) return NULL;
  }
  return result;
}

/* where(index(2) == 1, a, b) = stack(b, a), where that is no longer; of sums of choices too */
Expr stack_of_choices(Book *b, Expr e) {
  TermTable *tt = b->tt;
  TensorForm form = tensor_op_form(e->op);
  if (form != TENSOR_FORM_BINARY && form != TENSOR_FORM_TERNARY) return NULL;
  for (uint32_t axis = 0; axis < e->rank; axis++) {
    if (!term_is_rat(tt, e->shape[axis])) continue;
    Rational length = term_rat(tt, e->shape[axis]);
    if (length.num < LEAST_STACK || length.num > MOST_STACK) continue;
    Expr stack = stacked(b, e, axis, (uint32_t)length.num);
    if (stack && book_same_shape(stack, e) && strlen(tensor_text(tt, stack)) <= strlen(tensor_text(tt, e)))
      return stack;
  }
  return NULL;
}
