/* Two expressions on the same random arrays: a guard against a law that is not one (agree in tensor.h).
 *
 * Sizes are drawn small, lengths of tensors follow from them; draws in which a length is negative or an array large are
 * thrown away. Where they decide a choice, further draws have inputs of one number each, below, at or above those that
 * they are compared with: so that a mask is the same for all of a row. */
#include <math.h>

#include "base/random.h"
#include "tensor/tensor.h"

enum { MOST_CELLS = 1 << 15, MOST_LEAVES = 64, DRAWS = 12, WANTED = 3, ALIKE = 16, MOST_LITERALS = 8 };

typedef struct Leaf {
  Term symbol;
  const TensorExpr *input; /* NULL: a scalar */
  double value;
  TensorArray array;
} Leaf;

typedef struct Draw {
  TermTable *tt;
  Arena *arena;
  Random random;
  TermEval *sizes;
  Leaf leaves[MOST_LEAVES];
  uint32_t count, visited;
  double literals[MOST_LITERALS]; /* in comparisons */
  uint32_t literal_count;
  bool is_full, has_choice, is_alike;
} Draw;

static Leaf *leaf_of(Draw *d, Term symbol) {
  for (uint32_t i = 0; i < d->count; i++)
    if (d->leaves[i].symbol == symbol) return &d->leaves[i];
  if (d->count == MOST_LEAVES) {
    d->is_full = true;
    return &d->leaves[0];
  }
  d->leaves[d->count] = (Leaf){.symbol = symbol};
  return &d->leaves[d->count++];
}

static void find_sizes(Draw *d, Term t) {
  TermList symbols = {0};
  if (!tensor_size(d->tt, t)) d->is_full = true; /* no expression: it cannot be evaluated */
  term_symbols(d->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) leaf_of(d, symbols.data[i]);
}

static bool is_comparison(TensorOp op) {
  return op == TENSOR_LT || op == TENSOR_LE || op == TENSOR_GT || op == TENSOR_GE || op == TENSOR_EQ || op == TENSOR_NE;
}

static void find_literals(Draw *d, const TensorExpr *e) {
  for (uint32_t i = 0; is_comparison(e->op) && i < e->count; i++) {
    const TensorExpr *k = e->args[i];
    if (k->op != TENSOR_CONST || !term_is_rat(d->tt, k->value) || d->literal_count == MOST_LITERALS) continue;
    d->literals[d->literal_count++] = rational_to_double(term_rat(d->tt, k->value));
  }
}

/* Whether it speaks of what is drawn, and not of indices alone, as a causal mask does. */
static bool has_leaf(const TensorExpr *e) {
  bool found = e->op == TENSOR_INPUT || e->op == TENSOR_SCALAR;
  for (uint32_t i = 0; i < e->count && !found; i++) found = has_leaf(e->args[i]);
  return found;
}

static void find_leaves(Draw *d, const TensorExpr *e) {
  guard_tick(d->arena->guard);
  if (d->visited++ > 20000) d->is_full = true;
  if (d->is_full) return;
  for (uint32_t i = 0; i < e->rank; i++) find_sizes(d, e->shape[i]);
  for (uint32_t i = 0; e->slices && i < e->args[0]->rank; i++) {
    find_sizes(d, e->slices[i].start);
    if (!e->slices[i].point) find_sizes(d, e->slices[i].stop);
  }
  d->has_choice |= e->op == TENSOR_WHERE && has_leaf(e->args[0]);
  find_literals(d, e);
  if (e->op == TENSOR_INPUT) leaf_of(d, e->symbol)->input = e;
  if (e->op == TENSOR_SCALAR) leaf_of(d, e->symbol);
  for (uint32_t i = 0; i < e->count; i++) find_leaves(d, e->args[i]);
  if (e->op == TENSOR_IDIOM) find_leaves(d, e->plain);
}

static TermValue no_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)tensor, (void)count, (void)index;
  return (TermValue){.real = NAN};
}

/* Every array in the expression: of lengths that are not negative, and not too large. */
static bool is_small(Draw *d, const TensorExpr *e) {
  int64_t cells = 1;
  guard_tick(d->arena->guard);
  for (uint32_t i = 0; i < e->rank; i++) {
    int64_t n = term_eval(d->sizes, e->shape[i]).integer;
    if (n < 0 || n > MOST_CELLS) return false;
    cells *= n;
    if (cells > MOST_CELLS) return false;
  }
  for (uint32_t i = 0; i < e->count; i++)
    if (!is_small(d, e->args[i])) return false;
  return true;
}

static double draw_value(Draw *d, TermSort sort) {
  if (sort == SORT_BOOL) return (double)random_below(&d->random, 2);
  if (sort == SORT_INT) return (double)random_below(&d->random, 5);
  return 2 * random_unit(&d->random) - 1;
}

static double draw_alike(Draw *d, TermSort sort) {
  double near = d->literals[random_below(&d->random, d->literal_count)] + (double)random_below(&d->random, 3) - 1;
  if (sort == SORT_BOOL || (sort == SORT_INT && random_below(&d->random, 2))) return draw_value(d, sort);
  return sort == SORT_INT ? floor(near) : near;
}

static void fill(Draw *d, Leaf *leaf) {
  int64_t cells = 1;
  leaf->array.rank = leaf->input->rank;
  for (uint32_t i = 0; i < leaf->input->rank; i++) {
    leaf->array.shape[i] = term_eval(d->sizes, leaf->input->shape[i]).integer;
    cells *= leaf->array.shape[i];
  }
  leaf->array.data = arena_array(d->arena, double, cells + 1);
  double all = d->is_alike ? draw_alike(d, leaf->input->sort) : 0;
  for (int64_t i = 0; i < cells; i++) leaf->array.data[i] = d->is_alike ? all : draw_value(d, leaf->input->sort);
}

static TensorArray input(void *payload, Term symbol) { return leaf_of(payload, symbol)->array; }
static double scalar(void *payload, Term symbol) { return leaf_of(payload, symbol)->value; }

static bool draw(Draw *d, const TensorExpr *a, const TensorExpr *b) {
  d->sizes = term_eval_new(d->tt, d->arena, no_element, NULL);
  for (uint32_t i = 0; i < d->count; i++) {
    Leaf *leaf = &d->leaves[i];
    if (leaf->input) continue;
    bool is_real = term_sort(d->tt, leaf->symbol) == SORT_REAL;
    int64_t n = 1 + (int64_t)random_below(&d->random, 5);
    if (d->is_alike && n == 5 && !term_prove_le(d->tt, d->tt->one, leaf->symbol)) n = 0;
    leaf->value = is_real ? 0.05 + 0.9 * random_unit(&d->random) : (double)n;
    term_eval_set(d->sizes, leaf->symbol, is_real ? (TermValue){.real = leaf->value} : (TermValue){(double)n, n});
  }
  if (!is_small(d, a) || !is_small(d, b)) return false;
  for (uint32_t i = 0; i < d->count; i++)
    if (d->leaves[i].input) fill(d, &d->leaves[i]);
  return true;
}

/* Sums of rounded doubles differ by more than their own rounding where they cancel: the scale is that of the array.
 * Inputs that are all alike tell whether there are numbers. */
static bool same_arrays(const TensorArray *x, const TensorArray *y, double tolerance, bool is_alike) {
  int64_t cells = 1;
  double scale = 1;
  if (x->rank != y->rank) return false;
  for (uint32_t i = 0; i < x->rank; i++) {
    if (x->shape[i] != y->shape[i]) return false;
    cells *= x->shape[i];
  }
  for (int64_t i = 0; i < cells; i++)
    if (isfinite(x->data[i]) && fabs(x->data[i]) > scale) scale = fabs(x->data[i]);
  for (int64_t i = 0; i < cells; i++) {
    double p = x->data[i], q = y->data[i];
    if (isnan(p) || p == q || (is_alike && !isnan(q))) continue;
    if (!(fabs(p - q) <= tolerance * scale)) return false;
  }
  return true;
}

TensorAgreement tensor_agree(TermTable *tt, const TensorExpr *a, const TensorExpr *b, double tolerance) {
  Arena *arena = arena_new_child(tt->arena);
  Draw d = {.tt = tt, .arena = arena, .random = {11}, .literals = {0}, .literal_count = 1};
  TensorEnvironment environment = {.payload = &d, .input = input, .scalar = scalar};
  uint32_t compared = 0;
  TensorAgreement result = TENSOR_AGREE;
  find_leaves(&d, a), find_leaves(&d, b);
  for (uint32_t n = 0; n < DRAWS + ALIKE && !d.is_full && result == TENSOR_AGREE; n++) {
    d.is_alike = n >= DRAWS;
    if ((d.is_alike ? !d.has_choice : compared == WANTED) || !draw(&d, a, b)) continue;
    TensorArray x = tensor_eval(tt, arena, a, &environment), y = tensor_eval(tt, arena, b, &environment);
    if (!same_arrays(&x, &y, tolerance, d.is_alike)) result = TENSOR_DISAGREE;
    compared += !d.is_alike;
  }
  arena_destroy(arena);
  if (d.is_full || (!compared && result == TENSOR_AGREE)) result = TENSOR_AGREE_UNKNOWN;
  return result;
}
