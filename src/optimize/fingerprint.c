/* Evaluation of operations on shrunk arrays in finite fields (fingerprint.h).
 *
 * Sums and products are those of the field; exp is the homomorphism; max, min and comparisons use the order of the
 * representatives around 0, which is one fixed order; every other function is a random function of the value, as == is
 * of the difference. Minus infinity, which masks put in, is an element of its own below all others. What divides by 0
 * is not defined, and equals nothing.
 */
#include "optimize/fingerprint.h"

#include <string.h>

/* ---- places ---- */

typedef struct Walk {
  uint32_t classes, extent[PROBLEM_MAX_CLASSES];
  uint32_t at[PROBLEM_MAX_CLASSES]; /* of elements where the walk has them, else of tiles */
  uint8_t class_of[PROBLEM_MAX_CLASSES];
  bool is_tile[PROBLEM_MAX_CLASSES];
} Walk;

static uint32_t extent_of(const Fingerprint *a, uint32_t axis) {
  return a->elements >> axis & 1 ? FINGERPRINT_LENGTH : a->tiles >> axis & 1 ? FINGERPRINT_TILES : 1;
}

static uint32_t size_of(const Fingerprint *a) {
  uint32_t count = 1;
  for (uint32_t c = 0; c < PROBLEM_MAX_CLASSES; c++) count *= extent_of(a, c);
  return count;
}

static Walk walk_new(const Fingerprint *a) {
  Walk w = {0};
  for (uint32_t c = 0; c < PROBLEM_MAX_CLASSES; c++) {
    if (extent_of(a, c) == 1) continue;
    w.class_of[w.classes] = (uint8_t)c, w.extent[w.classes] = extent_of(a, c);
    w.is_tile[w.classes++] = !(a->elements >> c & 1);
  }
  return w;
}

static void walk_next(Walk *w) {
  for (uint32_t i = w->classes; i-- > 0;) {
    if (++w->at[i] < w->extent[i]) return;
    w->at[i] = 0;
  }
}

/* How places of an array follow from those of a walk: a stride for each class of the walk, which goes by tiles where
 * the walk goes by elements and the array does not. `axis`: a class that the walk lacks. */
typedef struct Follow {
  uint32_t stride[PROBLEM_MAX_CLASSES], axis_stride;
  bool by_tile[PROBLEM_MAX_CLASSES], axis_by_tile;
} Follow;

static Follow follow_new(const Walk *w, const Fingerprint *a, uint32_t axis) {
  Follow out = {{0}, 0, {0}, 0};
  uint32_t stride = 1;
  for (uint32_t c = PROBLEM_MAX_CLASSES; c-- > 0;) {
    bool tile = !(a->elements >> c & 1);
    if (extent_of(a, c) == 1) continue;
    if (c == axis) out.axis_stride = stride, out.axis_by_tile = tile;
    for (uint32_t i = 0; i < w->classes && c != axis; i++)
      if (w->class_of[i] == c) out.stride[i] = stride, out.by_tile[i] = tile && !w->is_tile[i];
    stride *= extent_of(a, c);
  }
  return out;
}

static uint32_t tile_at(uint32_t at, bool by_tile) {
  return by_tile ? at / (FINGERPRINT_LENGTH / FINGERPRINT_TILES) : at;
}

static uint32_t place(const Walk *w, const Follow *f, uint32_t at) {
  uint32_t index = f->axis_stride * tile_at(at, f->axis_by_tile);
  for (uint32_t i = 0; i < w->classes; i++) index += f->stride[i] * tile_at(w->at[i], f->by_tile[i]);
  return index;
}

static Fingerprint make(Arena *arena, ClassSet elements, ClassSet tiles, bool has_q) {
  Fingerprint out = {.elements = elements, .tiles = tiles & ~elements, .is_defined = true, .has_q = has_q};
  out.count = size_of(&out);
  out.p = arena_array(arena, uint64_t, out.count);
  if (has_q) out.q = arena_array(arena, uint64_t, out.count);
  return out;
}

/* ---- single values ---- */

typedef struct Pair {
  uint64_t p, q;
} Pair;

static bool is_below(Pair a) { return a.p == FIELD_BELOW; }

/* Representatives around 0, so that a random value is as often below 0 as above. */
static uint64_t order(const Field *f, Pair a) {
  uint64_t value = field_to(f, a.p), half = f->p / 2;
  return is_below(a) ? 0 : 1 + (value <= half ? value + half : value - half - 1);
}

static Pair less_of(const Field *f, Pair a, Pair b, bool wants_less) {
  return (order(f, a) < order(f, b)) == wants_less ? a : b;
}

static Pair truth(const Field *f, bool value) { return (Pair){value ? f->one : 0, value}; }

/* a == b as a random function of the difference up to its sign: random values would never be equal otherwise. */
static bool meets(const Field *f, uint64_t a, uint64_t b) {
  uint64_t d = field_to(f, field_sub(f, a, b)), e = field_to(f, field_sub(f, b, a));
  return a == b || (field_hash(d < e ? d : e, 0x6571) & 1);
}

static bool is_of_field(ProblemOp op) {
  return op == PROBLEM_ADD || op == PROBLEM_SUB || op == PROBLEM_MUL || op == PROBLEM_DIV;
}

/* Quotients are by what was inverted before. */
static uint64_t field_p(const Field *f, ProblemOp op, uint64_t a, uint64_t b) {
  return op == PROBLEM_ADD ? field_add(f, a, b) : op == PROBLEM_SUB ? field_sub(f, a, b) : field_mul(f, a, b);
}

static uint64_t field_q(const Field *f, ProblemOp op, uint64_t a, uint64_t b) {
  return op == PROBLEM_ADD ? field_add_q(f, a, b) : op == PROBLEM_SUB ? field_sub_q(f, a, b) : field_mul_q(f, a, b);
}

/* False: it has no value. */
static bool combine(const Field *f, ProblemOp op, Pair a, Pair b, Pair *out) {
  if (is_of_field(op)) {
    *out = (Pair){field_p(f, op, a.p, b.p), field_q(f, op, a.q, b.q)};
    if (op == PROBLEM_ADD && (is_below(a) || is_below(b))) *out = (Pair){FIELD_BELOW, 0};
    if (op == PROBLEM_SUB && is_below(a)) *out = a;
    return op == PROBLEM_ADD || (!is_below(b) && (op == PROBLEM_SUB || !is_below(a)));
  }
  if (op == PROBLEM_MAXIMUM || op == PROBLEM_MINIMUM)
    *out = less_of(f, a, b, op == PROBLEM_MINIMUM);
  else if (op == PROBLEM_LT)
    *out = truth(f, order(f, a) < order(f, b));
  else if (op == PROBLEM_LE)
    *out = truth(f, order(f, a) <= order(f, b));
  else if (op == PROBLEM_EQ || op == PROBLEM_NE)
    *out = truth(f, meets(f, a.p, b.p) == (op == PROBLEM_EQ));
  else if (op == PROBLEM_AND || op == PROBLEM_OR)
    *out = truth(f, op == PROBLEM_AND ? a.p && b.p : a.p || b.p);
  else
    return false;
  return true;
}

static bool apply(const Field *f, ProblemOp op, uint32_t detail, Pair a, bool has_q, Pair *out) {
  if (op == PROBLEM_NEG) {
    *out = (Pair){field_sub(f, 0, a.p), field_sub_q(f, 0, a.q)};
    return !is_below(a);
  }
  if (op == PROBLEM_SQUARE) {
    *out = (Pair){field_mul(f, a.p, a.p), field_mul_q(f, a.q, a.q)};
    return !is_below(a);
  }
  if (op == PROBLEM_SQRT) {
    *out = (Pair){field_power(f, a.p, (f->p + 1) / 4), field_power_q(f, a.q, (f->q + 1) / 4)};
    return !is_below(a);
  }
  if (op == PROBLEM_NOT) return *out = truth(f, !a.p), true;
  if (op == PROBLEM_EXP) {
    *out = (Pair){is_below(a) ? 0 : has_q ? field_exp(f, a.q) : field_from(f, field_hash(a.p, 0x657870)), 0};
    return true;
  }
  uint64_t h = field_hash(a.p, 0x100 + detail);
  *out = (Pair){field_from(f, h), field_hash(h, 1) % f->q};
  return true;
}

/* ---- arrays ---- */

static Pair at(const Fingerprint *a, uint32_t i) { return (Pair){a->p[i], a->has_q ? a->q[i] : 0}; }

static void put(Fingerprint *a, uint32_t i, Pair value) {
  a->p[i] = value.p;
  if (a->has_q) a->q[i] = value.q;
}

/* The random content of a tensor is by its own indices, so that all its uses agree. Integers are positions along an
 * axis, or nearly: labels and lengths are compared with those. */
static Pair element(const Field *f, const Problem *p, const ProblemNode *n, const Walk *w, uint64_t seed) {
  const ProblemUse *use = &p->uses.data[n->detail];
  uint64_t h = field_hash(seed, use->tensor);
  for (uint32_t i = 0; i < use->rank; i++) {
    uint32_t index = 0;
    for (uint32_t k = 0; k < w->classes; k++)
      if (w->class_of[k] == use->axes[i]) index = w->at[k];
    h = field_hash(h, index);
    if (use->start[i]) h = field_hash(h, term_node(p->tt, use->start[i])->hash); /* a part has content of its own */
  }
  if (p->pointwise->tensors.data[use->tensor].sort == SORT_INT)
    return h %= FINGERPRINT_LENGTH, (Pair){field_from(f, h), h};
  return (Pair){field_from(f, h), field_hash(h, 7) % f->q};
}

static bool constant(const Field *f, const Problem *p, Term value, Pair *out) {
  if (value == p->tt->neg_inf) return *out = (Pair){FIELD_BELOW, 0}, true;
  if (term_is_rat(p->tt, value)) return field_rational(f, term_rat(p->tt, value), &out->p, &out->q);
  uint64_t h = term_node(p->tt, value)->hash;
  *out = (Pair){field_from(f, field_hash(h, 3)), field_hash(h, 4) % f->q};
  return true;
}

Fingerprint fingerprint_leaf(Arena *arena, const Field *f, const Problem *p, const ProblemNode *n, uint64_t seed) {
  Fingerprint out = make(arena, n->classes, 0, true);
  Walk w = walk_new(&out);
  for (uint32_t i = 0; i < out.count; i++, walk_next(&w)) {
    Pair value = {0, 0};
    if (n->op == PROBLEM_INPUT) value = element(f, p, n, &w, seed);
    if (n->op == PROBLEM_INDEX) value = (Pair){field_from(f, w.at[0]), w.at[0]};
    if (n->op == PROBLEM_CONST) out.is_defined &= constant(f, p, n->value, &value);
    put(&out, i, value);
  }
  return out;
}

Fingerprint fingerprint_unary(Arena *arena, const Field *f, ProblemOp op, uint32_t detail, const Fingerprint *a) {
  bool has_q = op == PROBLEM_FN || op == PROBLEM_NOT || (a->has_q && op != PROBLEM_EXP);
  Fingerprint out = make(arena, a->elements, a->tiles, has_q);
  out.is_defined = a->is_defined;
  for (uint32_t i = 0; i < out.count; i++) {
    Pair value = {0, 0};
    out.is_defined &= apply(f, op, detail, at(a, i), a->has_q, &value);
    put(&out, i, value);
  }
  return out;
}

/* 1 / x for all elements with one inversion in each field: products from both sides. */
static Fingerprint inverted(Arena *arena, const Field *f, const Fingerprint *a) {
  Fingerprint out = make(arena, a->elements, a->tiles, a->has_q);
  uint64_t product = f->one, product_q = 1;
  out.is_defined = a->is_defined;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!a->p[i] || is_below(at(a, i)) || (a->has_q && !a->q[i])) return out.is_defined = false, out;
    put(&out, i, (Pair){product, product_q});
    product = field_mul(f, product, a->p[i]);
    if (a->has_q) product_q = field_mul_q(f, product_q, a->q[i]);
  }
  product = field_power(f, product, f->p - 2);
  if (a->has_q) product_q = field_power_q(f, product_q, f->q - 2);
  for (uint32_t i = a->count; i-- > 0;) {
    out.p[i] = field_mul(f, out.p[i], product), product = field_mul(f, product, a->p[i]);
    if (a->has_q) out.q[i] = field_mul_q(f, out.q[i], product_q), product_q = field_mul_q(f, product_q, a->q[i]);
  }
  return out;
}

static bool is_truth(ProblemOp op) { return op >= PROBLEM_LT && op <= PROBLEM_OR; }

Fingerprint fingerprint_binary(Arena *arena, const Field *f, ProblemOp op, const Fingerprint *a, const Fingerprint *b) {
  Fingerprint out = make(arena, a->elements | b->elements, a->tiles | b->tiles, is_truth(op) || (a->has_q && b->has_q));
  Walk w = walk_new(&out);
  Fingerprint divisor;
  if (op == PROBLEM_DIV) divisor = inverted(arena, f, b), b = &divisor;
  Follow of_a = follow_new(&w, a, PROBLEM_NONE), of_b = follow_new(&w, b, PROBLEM_NONE);
  out.is_defined = a->is_defined && b->is_defined;
  uint32_t row = w.classes ? w.extent[w.classes - 1] : 1, x[FINGERPRINT_LENGTH], y[FINGERPRINT_LENGTH];
  for (uint32_t k = 0; k < row; k++) { /* along the last class */
    if (w.classes) w.at[w.classes - 1] = k;
    x[k] = place(&w, &of_a, 0), y[k] = place(&w, &of_b, 0);
  }
  if (w.classes) w.at[w.classes - 1] = 0;
  for (uint32_t i = 0; i < out.count && out.is_defined; walk_next(&w)) {
    const uint32_t in_a = place(&w, &of_a, 0), in_b = place(&w, &of_b, 0);
    if (w.classes) w.at[w.classes - 1] = row - 1;
    for (uint32_t k = 0; k < row; k++, i++) {
      const uint32_t at_a = in_a + x[k], at_b = in_b + y[k];
      Pair value = {0, 0};
      if (is_of_field(op) && a->p[at_a] != FIELD_BELOW && b->p[at_b] != FIELD_BELOW) {
        out.p[i] = field_p(f, op, a->p[at_a], b->p[at_b]);
        if (out.has_q) out.q[i] = field_q(f, op, a->q[at_a], b->q[at_b]);
        continue;
      }
      out.is_defined &= combine(f, op, at(a, at_a), at(b, at_b), &value);
      put(&out, i, value);
    }
  }
  return out;
}

Fingerprint fingerprint_where(Arena *arena, const Field *f, const Fingerprint *c, const Fingerprint *a,
                              const Fingerprint *b) {
  Fingerprint out =
      make(arena, c->elements | a->elements | b->elements, c->tiles | a->tiles | b->tiles, a->has_q && b->has_q);
  Walk w = walk_new(&out);
  Follow of_c = follow_new(&w, c, PROBLEM_NONE), of_a = follow_new(&w, a, PROBLEM_NONE),
         of_b = follow_new(&w, b, PROBLEM_NONE);
  (void)f;
  out.is_defined = c->is_defined && a->is_defined && b->is_defined;
  for (uint32_t i = 0; i < out.count; i++, walk_next(&w)) {
    bool first = c->p[place(&w, &of_c, 0)] != 0;
    put(&out, i, first ? at(a, place(&w, &of_a, 0)) : at(b, place(&w, &of_b, 0)));
  }
  return out;
}

/* What one entry of the result is reduced from. */
static void range_of(const Walk *w, uint8_t axis, FingerprintPart part, uint32_t *from, uint32_t *to) {
  const uint32_t tile = FINGERPRINT_LENGTH / FINGERPRINT_TILES;
  *from = 0, *to = FINGERPRINT_LENGTH;
  for (uint32_t i = 0; i < w->classes && part == FINGERPRINT_IN_TILES; i++)
    if (w->class_of[i] == axis) *from = w->at[i] * tile, *to = *from + tile;
}

static ProblemOp step_of(ProblemOp op) {
  return op == PROBLEM_SUM ? PROBLEM_ADD : op == PROBLEM_REDUCE_MAX ? PROBLEM_MAXIMUM : PROBLEM_MINIMUM;
}

static Fingerprint reduced(Arena *arena, uint8_t axis, FingerprintPart part, ClassSet elements, ClassSet tiles,
                           bool has_q) {
  ClassSet bit = 1u << axis;
  return make(arena, elements & ~bit, part == FINGERPRINT_IN_TILES ? tiles | bit : tiles & ~bit, has_q);
}

Fingerprint fingerprint_reduce(Arena *arena, const Field *f, ProblemOp op, uint8_t axis, FingerprintPart part,
                               const Fingerprint *a) {
  Fingerprint out = reduced(arena, axis, part, a->elements, a->tiles, a->has_q);
  const uint32_t step = part == FINGERPRINT_OVER_TILES ? FINGERPRINT_LENGTH / FINGERPRINT_TILES : 1;
  Walk w = walk_new(&out);
  Follow of_a = follow_new(&w, a, axis);
  out.is_defined = a->is_defined;
  for (uint32_t i = 0; i < out.count; i++, walk_next(&w)) {
    uint32_t from, to;
    range_of(&w, axis, part, &from, &to);
    Pair value = at(a, place(&w, &of_a, from));
    for (uint32_t k = from + step; k < to; k += step)
      out.is_defined &= combine(f, step_of(op), value, at(a, place(&w, &of_a, k)), &value);
    put(&out, i, value);
  }
  return out;
}

static bool has_below(const Fingerprint *a) {
  bool found = false;
  for (uint32_t i = 0; i < a->count; i++) found |= a->p[i] == FIELD_BELOW;
  return found;
}

/* What step k along a class of the walk adds to a place; `tiled`: the class whose tiles are those of the terms. */
static uint32_t offset(const Walk *w, const Follow *f, uint8_t tiled, uint32_t c, uint32_t k) {
  const uint32_t own = f->stride[c] * tile_at(k, f->by_tile[c]), tile = FINGERPRINT_LENGTH / FINGERPRINT_TILES;
  return w->class_of[c] != tiled ? own : own + f->axis_stride * tile_at(k * tile, f->axis_by_tile);
}

static uint32_t start_of(const Walk *w, const Follow *f, uint8_t tiled) {
  uint32_t start = 0;
  for (uint32_t c = 0; c < w->classes; c++) start += offset(w, f, tiled, c, w->at[c]);
  return start;
}

enum { RUN = 64 };

/* The places of the last classes, which go fastest, from the start of a run. */
static void places_of(const Walk *w, const Follow *f, uint8_t tiled, uint32_t first, uint32_t *places) {
  uint32_t count = 1;
  places[0] = 0;
  for (uint32_t c = w->classes; c-- > first; count *= w->extent[c])
    for (uint32_t k = 1; k < w->extent[c]; k++)
      for (uint32_t n = 0; n < count; n++) places[k * count + n] = places[n] + offset(w, f, tiled, c, k);
}

/* The terms of a run of sums: those of sum k begin at at[k], from where the run begins, and are step[..] further. */
typedef struct Terms {
  uint32_t at[RUN], step[FINGERPRINT_LENGTH];
} Terms;

/* Four products of residues below 2^61 fit, and are reduced once. */
static inline UInt128 terms_sum(const uint64_t *a, const Terms *in_a, const uint64_t *b, const Terms *in_b, uint32_t k,
                                bool is_tile) {
  const uint32_t *s = in_a->step, *t = in_b->step;
  a += in_a->at[k], b += in_b->at[k];
  UInt128 sum = (UInt128)a[s[0]] * b[t[0]] + (UInt128)a[s[1]] * b[t[1]];
  _Static_assert(FINGERPRINT_LENGTH == 4 && FINGERPRINT_TILES == 2, "the terms are written down");
  return is_tile ? sum : sum + (UInt128)a[s[2]] * b[t[2]] + (UInt128)a[s[3]] * b[t[3]];
}

static void sums_p(const Field *f, uint64_t *restrict out, uint32_t count, const uint64_t *a, const Terms *in_a,
                   const uint64_t *b, const Terms *in_b, bool is_tile) {
  for (uint32_t k = 0; k < count; k++) out[k] = field_reduce(f, terms_sum(a, in_a, b, in_b, k, is_tile));
}

static void sums_q(const Field *f, uint64_t *restrict out, uint32_t count, const uint64_t *a, const Terms *in_a,
                   const uint64_t *b, const Terms *in_b, bool is_tile) {
  for (uint32_t k = 0; k < count; k++) out[k] = field_reduce_q(f, terms_sum(a, in_a, b, in_b, k, is_tile));
}

Fingerprint fingerprint_matmul(Arena *arena, const Field *f, uint8_t axis, FingerprintPart part, const Fingerprint *a,
                               const Fingerprint *b) {
  Fingerprint out = reduced(arena, axis, part, a->elements | b->elements, a->tiles | b->tiles, a->has_q && b->has_q);
  Walk w = walk_new(&out);
  Follow of_a = follow_new(&w, a, axis), of_b = follow_new(&w, b, axis);
  const bool is_tile = part == FINGERPRINT_IN_TILES;
  const uint8_t tiled = is_tile ? axis : PROBLEM_NONE;
  Terms in_a, in_b;
  uint32_t run = 1, first = w.classes;
  while (first > 0 && run * w.extent[first - 1] <= RUN) run *= w.extent[--first];
  places_of(&w, &of_a, tiled, first, in_a.at), places_of(&w, &of_b, tiled, first, in_b.at);
  for (uint32_t t = 0; t < FINGERPRINT_LENGTH; t++) {
    in_a.step[t] = of_a.axis_stride * tile_at(t, of_a.axis_by_tile);
    in_b.step[t] = of_b.axis_stride * tile_at(t, of_b.axis_by_tile);
  }
  out.is_defined = a->is_defined && b->is_defined && !has_below(a) && !has_below(b);
  w.classes = first;
  for (uint32_t i = 0; i < out.count && out.is_defined; walk_next(&w), i += run) {
    const uint32_t at_a = start_of(&w, &of_a, tiled), at_b = start_of(&w, &of_b, tiled);
    sums_p(f, out.p + i, run, a->p + at_a, &in_a, b->p + at_b, &in_b, is_tile);
    if (out.has_q) sums_q(f, out.q + i, run, a->q + at_a, &in_a, b->q + at_b, &in_b, is_tile);
  }
  return out;
}

bool fingerprint_equal(const Fingerprint *a, const Fingerprint *b) {
  return a->elements == b->elements && a->tiles == b->tiles && a->is_defined && b->is_defined &&
         !memcmp(a->p, b->p, sizeof *a->p * a->count) &&
         (!a->has_q || !b->has_q || !memcmp(a->q, b->q, sizeof *a->q * a->count));
}

static Fingerprint node_fingerprint(Arena *arena, const Field *f, const Problem *p, uint32_t i, const Fingerprint *all,
                                    uint64_t seed) {
  const ProblemNode *n = &p->nodes.data[i];
  const Fingerprint *a = &all[n->args[0]];
  if (n->op == PROBLEM_INPUT || n->op == PROBLEM_CONST || n->op == PROBLEM_INDEX)
    return fingerprint_leaf(arena, f, p, n, seed);
  if (n->op == PROBLEM_WHERE) return fingerprint_where(arena, f, a, &all[n->args[1]], &all[n->args[2]]);
  if (n->op == PROBLEM_SUM || n->op == PROBLEM_REDUCE_MAX || n->op == PROBLEM_REDUCE_MIN) {
    if (a->elements >> n->axis & 1) return fingerprint_reduce(arena, f, n->op, n->axis, FINGERPRINT_ALL, a);
    return *a;
  }
  return problem_op_arity(n->op) == 1 ? fingerprint_unary(arena, f, n->op, n->detail, a)
                                      : fingerprint_binary(arena, f, n->op, a, &all[n->args[1]]);
}

Fingerprint *fingerprint_problem(Arena *arena, const Field *f, const Problem *p, uint64_t seed) {
  Fingerprint *all = arena_array(arena, Fingerprint, p->nodes.count + 1);
  for (uint32_t i = 0; i < p->nodes.count; i++) all[i] = node_fingerprint(arena, f, p, i, all, seed);
  return all;
}
