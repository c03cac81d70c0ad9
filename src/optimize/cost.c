/* The cost model: a roofline over two levels of memory and two kinds of units.
 *
 * Bytes from device memory are those of each tensor once (the cache keeps what several blocks read), bytes from the
 * cache are those of every load of every block. Products count on the tensor units where rows, columns and the axis
 * that is contracted have at least 16 elements. Blocks run in waves of as many as the multiprocessors hold by shared
 * memory and registers; a last wave that is not full costs as much as a full one. Tiles of loads in a loop are counted
 * twice in shared memory, for the next iteration's; accumulators and intermediate tiles lie in registers. */
#include "optimize/cost.h"

#include "optimize/kernels.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 65536 }; /* elements of a tile */

static const Device devices[] = {
#define DEVICE(name, memory, cache, tensor, vector, units, shared, registers, launch, iteration)                       \
  {#name, memory, cache, tensor, vector, units, shared, registers, launch, iteration},
#include "optimize/devices.def"
#undef DEVICE
};

const Device *device_find(const char *name) {
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    if (!strcmp(devices[i].name, name)) return &devices[i];
  return NULL;
}

/* ---- sizes ---- */

static TermValue no_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  (void)payload, (void)tensor, (void)count, (void)index;
  return (TermValue){0};
}

CostSizes cost_sizes(const Problem *p, double nominal) {
  CostSizes out = {{0}};
  for (uint32_t c = 0; c < p->class_count; c++) {
    TermList symbols = {0};
    term_symbols(p->tt, p->length[c], &symbols);
    TermEval *eval = term_eval_new(p->tt, p->arena, no_element, NULL);
    for (uint32_t i = 0; i < symbols.count; i++)
      term_eval_set(eval, symbols.data[i], (TermValue){nominal, (int64_t)nominal});
    out.length[c] = fmax(1, term_eval(eval, p->length[c]).real);
  }
  return out;
}

/* ---- counting ---- */

typedef struct Count {
  const Problem *p;
  const SearchCandidate *c;
  const Tiling *tiling;
  const CostSizes *sizes;
  double blocks, iterations;
  double memory, cache, tensor, vector; /* bytes, operations */
  double shared, registers;             /* of a block */
  double widest;                        /* elements of its largest value */
} Count;

/* How many partial results there are is known when the kernel is launched: as many as the most. */
static double tile_of(const Count *n, uint32_t axis) {
  double whole = n->sizes->length[axis], tile = (double)n->tiling->tile[axis];
  if (axis == n->p->parts && !n->p->part && tile == 0) return KERNELS_MAX_PARTS;
  return tile > 0 && tile < whole ? tile : whole;
}

/* Elements of a tile with these classes. */
static double elements(const Count *n, ClassSet classes) {
  double count = 1;
  for (uint32_t a = 0; a < n->p->class_count; a++)
    if (classes >> a & 1) count *= tile_of(n, a);
  return count;
}

static double whole(const Count *n, ClassSet classes) {
  double count = 1;
  for (uint32_t a = 0; a < n->p->class_count; a++)
    if (classes >> a & 1) count *= n->sizes->length[a];
  return count;
}

static bool is_bound(const Count *n, uint32_t tensor) { return n->p->bound && tensor >= n->p->bound; }

/* A value of the block, whole along the axis of the loop. */
static void count_bound(Count *n, ClassSet classes) {
  bool loops = n->c->loop != PROBLEM_NONE && (classes >> n->c->loop & 1);
  double own = elements(n, classes) * (loops ? n->sizes->length[n->c->loop] / tile_of(n, n->c->loop) : 1);
  n->shared += own * 4;
  n->widest = fmax(n->widest, own);
}

static void count_load(Count *n, const SearchValue *v) {
  const ProblemNode *node = &n->p->nodes.data[v->detail];
  if (node->op != PROBLEM_INPUT) return;
  uint32_t tensor = n->p->uses.data[node->detail].tensor;
  double width = pointwise_element_bytes(n->p->pointwise->tensors.data[tensor].dtype);
  bool loops = v->stage == SEARCH_IN_LOOP;
  double tile = elements(n, node->classes) * width;
  if (is_bound(n, tensor)) {
    count_bound(n, node->classes);
    return;
  }
  n->memory += whole(n, node->classes) * width;
  n->cache += tile * n->blocks * (loops ? n->iterations : 1);
  n->shared += tile * (loops ? 2 : 1);
}

static bool is_small(const Count *n, ClassSet classes) {
  for (uint32_t a = 0; a < n->p->class_count; a++)
    if ((classes >> a & 1) && tile_of(n, a) < 16) return true;
  return false;
}

static void count_value(Count *n, const SearchValue *v) {
  double times = n->blocks * (v->stage == SEARCH_IN_LOOP ? n->iterations : 1),
         own = elements(n, v->fingerprint.elements);
  if (v->kind == SEARCH_LEAF) {
    count_load(n, v);
    return;
  }
  if (v->kind == SEARCH_MATMUL) {
    ClassSet a = n->c->values[v->args[0]].fingerprint.elements, b = n->c->values[v->args[1]].fingerprint.elements;
    ClassSet sides = (a & ~b) | (b & ~a) | 1u << v->axis;
    bool small = is_small(n, sides);
    *(small ? &n->vector : &n->tensor) += 2 * elements(n, a | b) * times;
    if (small) own = elements(n, a | b); /* all factors at once, in registers */
  } else {
    const SearchValue *of = &n->c->values[v->args[0]];
    bool reduces = v->kind == SEARCH_REDUCE;
    n->vector += (reduces ? elements(n, of->fingerprint.elements) : own) * times;
  }
  n->registers += own * 4;
  n->widest = fmax(n->widest, own);
}

static void count_used(const SearchCandidate *c, uint32_t i, bool *used) {
  if (used[i]) return;
  used[i] = true;
  for (uint32_t a = 0; a < c->values[i].count; a++) count_used(c, c->values[i].args[a], used);
}

static void count_saves(Count *n) {
  for (uint32_t o = 0; o < n->p->outputs.count; o++) {
    const ProblemOutput *out = &n->p->outputs.data[o];
    if (is_bound(n, out->tensor)) {
      count_bound(n, n->p->nodes.data[out->node].classes);
      continue;
    }
    double bytes = whole(n, n->p->nodes.data[out->node].classes) *
                   pointwise_element_bytes(n->p->pointwise->tensors.data[out->tensor].dtype);
    n->memory += bytes, n->cache += bytes;
    if (n->p->adds) n->memory += bytes, n->cache += bytes * 2 * n->sizes->length[n->p->parts]; /* zeros, then sums */
  }
}

static Cost finish(const Count *n, const Device *d) {
  double held = floor(fmin(d->shared / fmax(n->shared, 1), d->registers / fmax(n->registers, 1)));
  double slots = d->units * fmax(1, fmin(held, 8)), waves = ceil(n->blocks / slots);
  double filled = fmin(1, n->blocks / d->units);
  double tail = n->blocks > slots ? waves * slots / n->blocks : 1;
  double compute = n->tensor / d->tensor + n->vector / d->vector;
  double moving = fmax(n->memory / d->memory, n->cache / d->cache);
  Cost cost = {.bytes = n->memory,
               .flops = n->tensor + n->vector,
               .launches = 1,
               .blocks = n->blocks,
               .shared = n->shared,
               .widest = n->widest};
  cost.seconds = d->launch + fmax(compute * tail, moving) / fmax(filled, 1e-6) + waves * n->iterations * d->iteration;
  return cost;
}

Cost cost_block(const Problem *p, const SearchCandidate *c, const Tiling *tiling, const CostSizes *sizes,
                const Device *device) {
  Count n = {.p = p, .c = c, .tiling = tiling, .sizes = sizes, .blocks = 1, .iterations = 1};
  bool *used = arena_array(p->arena, bool, c->count + 1);
  for (uint32_t a = 0; a < p->class_count; a++) {
    double length = a == c->loop && p->part ? fmin((double)p->part, sizes->length[a]) : sizes->length[a];
    double parts = tiling->tile[a] ? ceil(length / (double)tiling->tile[a]) : 1;
    *(a == c->loop ? &n.iterations : &n.blocks) *= parts;
  }
  for (uint32_t o = 0; o < p->outputs.count; o++) count_used(c, c->outputs[o], used);
  for (uint32_t i = 0; i < c->count; i++)
    if (used[i]) count_value(&n, &c->values[i]);
  count_saves(&n);
  Cost cost = finish(&n, device);
  if (p->adds) cost.seconds += device->launch; /* of the zeros */
  return cost;
}

/* ---- numbers ---- */

typedef struct Tuner {
  uint32_t count; /* loops of one block, the last of which writes the outputs */
  const LowerPart *parts;
  const Problem *p; /* of the last one */
  const SearchCandidate *c;
  const CostSizes *sizes;
  const Device *device;
  ClassSet cut, batch;
  bool multiplies;
  uint8_t loop; /* of the parts that have one */
  Tiling now, best;
  Cost cost;
  bool found;
} Tuner;

static bool fits(const Tuner *t, const Cost *cost) {
  uint32_t cuts = 0;
  for (uint32_t a = 0; a < t->p->class_count; a++) cuts += t->now.tile[a] && a != t->loop;
  return cost->shared <= t->device->shared && cost->widest <= WIDEST && cuts <= 3;
}

/* A part without a loop has the whole axis that others loop over. */
static Tiling tiling_of(const LowerPart *part, uint8_t loop, const Tiling *all) {
  Tiling own = *all;
  if (part->c->loop != loop) own.tile[loop] = 0;
  return own;
}

static Cost cost_of_parts(const Tuner *t) {
  Cost all = {.launches = 1};
  for (uint32_t i = 0; i < t->count; i++) {
    Tiling tiling = tiling_of(&t->parts[i], t->loop, &t->now);
    Cost own = cost_block(t->parts[i].p, t->parts[i].c, &tiling, t->sizes, t->device);
    all.bytes += own.bytes, all.flops += own.flops, all.seconds += own.seconds - (i ? t->device->launch : 0);
    all.blocks = fmax(all.blocks, own.blocks), all.shared = fmax(all.shared, own.shared);
    all.widest = fmax(all.widest, own.widest);
  }
  return all;
}

static bool is_literal(const Tuner *t, uint32_t axis) { return term_is_rat(t->p->tt, t->p->length[axis]); }

static void choose(Tuner *t, uint32_t axis) {
  static const int64_t all[] = {1, 4, 16, 32, 64, 128, 0}; /* products want 16 rows and columns at least */
  const int64_t *tiles = t->multiplies ? all + 2 : all;
  const size_t count = sizeof all / sizeof *all - (t->multiplies ? 2 : 0);
  if (axis == t->p->class_count) {
    Cost cost = cost_of_parts(t);
    if (!fits(t, &cost) || (t->found && cost.seconds >= t->cost.seconds)) return;
    t->best = t->now, t->cost = cost, t->found = true;
    return;
  }
  t->now.tile[axis] = t->batch >> axis & 1 ? 1 : 0;
  if (!(t->cut >> axis & 1) || (t->batch >> axis & 1)) {
    choose(t, axis + 1);
    return;
  }
  bool loop = axis == t->loop;
  for (size_t i = 0; i < count - loop; i++) {
    bool is_long = tiles[i] == 0 && (t->sizes->length[axis] > 256 || !is_literal(t, axis));
    if (loop && t->p->part && tiles[i] > t->p->part) continue;
    bool covers = (double)tiles[i] >= t->sizes->length[axis] && (is_literal(t, axis) || tiles[i] > 16) && !loop;
    if (is_long || covers) continue;
    t->now.tile[axis] = tiles[i];
    choose(t, axis + 1);
  }
}

/* Classes that the grid may cut: of every output, and of no reduction. */
static ClassSet grid_classes(const Problem *p, const SearchCandidate *c) {
  ClassSet all = ~problem_reduced(p);
  for (uint32_t o = 0; o < p->outputs.count; o++) all &= p->nodes.data[p->outputs.data[o].node].classes;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->values[i].kind == SEARCH_REDUCE || c->values[i].kind == SEARCH_MATMUL) all &= ~(1u << c->values[i].axis);
  return all;
}

/* Classes of every load and every output: each block takes one of their elements. So it does of the parts of a loop,
 * and the loop that combines those takes one after the other. */
static ClassSet batch_classes(const Problem *p, const SearchCandidate *c) {
  bool has_parts = p->parts != PROBLEM_NONE && (p->part || c->loop == p->parts);
  ClassSet all = grid_classes(p, c), parts = has_parts ? 1u << p->parts : 0;
  bool multiplies = false;
  for (uint32_t i = 0; i < c->count; i++) {
    multiplies |= c->values[i].kind == SEARCH_MATMUL;
    if (c->values[i].kind == SEARCH_LEAF && p->nodes.data[c->values[i].detail].op == PROBLEM_INPUT)
      all &= p->nodes.data[c->values[i].detail].classes;
  }
  return (multiplies ? all : 0) | parts;
}

static bool tune(uint32_t count, const LowerPart *parts, const CostSizes *sizes, const Device *device, Tiling *tiling,
                 Cost *cost) {
  Tuner t = {.count = count, .parts = parts, .sizes = sizes, .device = device};
  t.p = parts[count - 1].p, t.c = parts[count - 1].c, t.loop = parts[0].c->loop, t.cut = t.batch = ~0u;
  for (uint32_t i = 0; i < count; i++) {
    const SearchCandidate *c = parts[i].c;
    t.cut &= grid_classes(parts[i].p, c), t.batch &= batch_classes(parts[i].p, c);
    for (uint32_t k = 0; k < c->count; k++) t.multiplies |= c->values[k].kind == SEARCH_MATMUL;
  }
  t.cut |= t.loop == PROBLEM_NONE ? 0 : 1u << t.loop;
  choose(&t, 0);
  if (!t.found && t.multiplies) t.multiplies = false, choose(&t, 0); /* then in small tiles, without tensor units */
  *tiling = t.best, *cost = t.cost;
  return t.found;
}

bool cost_tune(const Problem *p, const SearchCandidate *c, const CostSizes *sizes, const Device *device, Tiling *tiling,
               Cost *cost) {
  return tune(1, &(LowerPart){.p = p, .c = c}, sizes, device, tiling, cost);
}

bool cost_tune_passes(uint32_t count, LowerPart *parts, const CostSizes *sizes, const Device *device, Cost *cost) {
  Tiling tiling;
  bool found = tune(count, parts, sizes, device, &tiling, cost);
  for (uint32_t i = 0; i < count; i++) parts[i].tiling = tiling_of(&parts[i], parts[0].c->loop, &tiling);
  return found;
}

double cost_guess(const Problem *p, const SearchCandidate *c, const CostSizes *sizes, const Device *device) {
  Tiling tiling = {{0}};
  ClassSet cut = grid_classes(p, c) | (c->loop == PROBLEM_NONE ? 0 : 1u << c->loop);
  ClassSet batch = batch_classes(p, c);
  for (uint32_t a = 0; a < p->class_count; a++)
    if (cut >> a & 1) tiling.tile[a] = batch >> a & 1 ? 1 : 64;
  Cost cost = cost_block(p, c, &tiling, sizes, device);
  return cost.shared > device->shared ? cost.seconds * cost.shared / device->shared : cost.seconds;
}

/* ---- whole tensors ---- */

static void count_inputs(Count *n, uint32_t i, bool *seen) {
  const SearchValue *v = &n->c->values[i];
  if (seen[i]) return;
  seen[i] = true;
  if (v->kind == SEARCH_LEAF) {
    count_load(n, v);
    return;
  }
  if (lower_is_kernel(n->c, n->p, i)) {
    n->memory += whole(n, v->fingerprint.elements) * 4, n->cache += whole(n, v->fingerprint.elements) * 4;
    return;
  }
  count_value(n, v);
  for (uint32_t a = 0; a < v->count; a++) count_inputs(n, v->args[a], seen);
}

Cost cost_operations(const Problem *p, const SearchCandidate *c, const CostSizes *sizes, const Device *device) {
  Tiling uncut = {{0}};
  Cost total = {0};
  for (uint32_t i = 0; i < c->count; i++) {
    if (!lower_is_kernel(c, p, i)) continue;
    Count n = {.p = p, .c = c, .tiling = &uncut, .sizes = sizes, .blocks = 1, .iterations = 1};
    bool *seen = arena_array(p->arena, bool, c->count + 1);
    count_value(&n, &c->values[i]);
    for (uint32_t a = 0; a < c->values[i].count; a++) count_inputs(&n, c->values[i].args[a], seen);
    n.memory += whole(&n, c->values[i].fingerprint.elements) * 4;
    n.blocks = device->units, n.shared = n.registers = 1;
    Cost own = finish(&n, device);
    total.bytes += own.bytes, total.flops += own.flops, total.seconds += own.seconds, total.launches++;
  }
  return total;
}
