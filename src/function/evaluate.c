/* The claim of a function against its execution on numbers (see internal.h).
 *
 * Closed forms of loops, places of memory that became indices, regions and what was put in for sizes: all of it is held
 * against a second execution in which sizes and integers are small numbers and loops run iteration by iteration. Both
 * give terms over elements of the arguments, which are made up; a difference is a fault of Assay. */
#include <math.h>

#include "base/random.h"
#include "function/internal.h"
#include "operation/given.h"

enum { LAUNCHES = 6, DRAWS = 60, ELEMENTS = 24, MOST_STATIC = 4096, SIZES = 12, MOST_ITERATIONS = 5000 };

typedef struct Evaluating {
  const Making *m;
  TermTable *tt;
  Random random;
  uint64_t seed;
  TermList symbols, numbers; /* sizes and integers of the launch */
  FunctionMemories memories; /* with these */
} Evaluating;

/* ---- a launch ---- */

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  const Evaluating *e = payload;
  uint64_t h = random_mix(e->seed ^ tensor * 0x9E3779B97F4A7C15u);
  for (uint32_t k = 0; k < count; k++) h = random_mix(h * 31 + (uint64_t)index[k] + 1);
  if (term_symbol(e->tt, tensor)->sort == SORT_REAL) return (TermValue){.real = (double)(h >> 40) * 0x1p-23 - 0.5};
  return (TermValue){.real = (double)(h >> 8 & 1), .integer = (int64_t)(h >> 8 & 1)};
}

static bool is_among(const TermList *list, Term t) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i] == t) return true;
  return false;
}

static void add_symbol(Evaluating *e, Term t) {
  if (term_kind(e->tt, t) != TERM_SYM || is_among(&e->symbols, t) || is_among(&e->m->from, t)) return;
  array_push(e->tt->arena, &e->symbols, t);
  array_push(e->tt->arena, &e->numbers, e->tt->zero);
}

static void find_symbols(Evaluating *e) {
  const Making *m = e->m;
  for (uint32_t i = 0; i < m->argument_count; i++)
    for (uint32_t k = 0; k < m->arguments[i].rank; k++) add_symbol(e, m->arguments[i].extent[k]);
  for (uint32_t i = 0; i < m->pointwise->scalars.count; i++)
    if (term_sort(e->tt, m->pointwise->scalars.data[i].symbol) == SORT_INT)
      add_symbol(e, m->pointwise->scalars.data[i].symbol);
}

static Term put_in(const Evaluating *e, Term t) {
  return term_substitute(e->tt, t, (TermMap){e->symbols.count, e->symbols.data, e->numbers.data});
}

/* Of an argument, whose sizes may be put in. */
static Term number_of(const Evaluating *e, Term t) {
  const Making *m = e->m;
  return put_in(e, term_substitute(e->tt, t, (TermMap){m->from.count, m->from.data, m->to.data}));
}

static TermEval *new_eval(Evaluating *e) {
  TermEval *eval = term_eval_new(e->tt, e->tt->arena, read_element, e);
  for (uint32_t i = 0; i < e->m->pointwise->scalars.count; i++) {
    Term s = e->m->pointwise->scalars.data[i].symbol;
    if (term_sort(e->tt, s) == SORT_REAL) term_eval_set(eval, s, read_element(e, s, 0, NULL));
  }
  return eval;
}

/* Small numbers that all assumptions hold of. */
static bool draw(Evaluating *e) {
  for (uint32_t n = 0; n < DRAWS; n++) {
    bool good = true;
    for (uint32_t i = 0; i < e->symbols.count; i++) {
      const Symbol *s = term_symbol(e->tt, e->symbols.data[i]);
      int64_t most = n < DRAWS / 2 ? 4 : SIZES, value = (int64_t)random_below(&e->random, (uint64_t)most);
      if (s->lo == e->tt->one && !value) value = 1;
      if (s->lo == e->tt->zero && s->hi == e->tt->one) value &= 1;
      e->numbers.data[i] = term_int(e->tt, value);
    }
    for (uint32_t i = 0; i < e->m->to.count && good; i++) {
      int64_t value;
      good = term_is_int(e->tt, put_in(e, e->m->to.data[i]), &value) && value >= 0;
    }
    for (uint32_t i = 0; i < e->m->claim->assumptions.count && good; i++) {
      Term c = e->m->claim->assumptions.data[i].condition;
      good = !c || term_eval(new_eval(e), put_in(e, c)).integer;
    }
    if (good) return true;
  }
  return false;
}

static MlirValue with_numbers(const Evaluating *e, MlirValue v) {
  for (uint32_t k = 0; k < v.rank; k++) {
    v.extent[k] = number_of(e, v.extent[k]);
    if (v.kind == MLIR_MEMREF) v.stride[k] = number_of(e, v.stride[k]);
  }
  if (v.kind == MLIR_SCALAR) v.cell.value = put_in(e, v.cell.value);
  if (v.kind != MLIR_MEMREF) return v;
  v.offset = number_of(e, v.offset), v.base = v.base ? number_of(e, v.base) : 0;
  v.region.begin = v.offset, v.region.end = v.region.end ? number_of(e, v.region.end) : 0;
  return v;
}

static MlirRun execute(Evaluating *e) {
  const Making *m = e->m;
  MlirValue *arguments = arena_array(m->arena, MlirValue, m->argument_count + 1);
  for (uint32_t i = 0; i < m->argument_count; i++) arguments[i] = with_numbers(e, m->arguments[i]);
  e->memories.count = 0;
  for (uint32_t i = 0; i < m->memories.count; i++) {
    FunctionMemory memory = m->memories.data[i];
    memory.ref = memory.named = with_numbers(e, memory.ref);
    array_push(m->arena, &e->memories, memory);
  }
  MlirFlags flags = {.real = true, .distinct = true, .total = true, .unrolls = true, .most = MOST_ITERATIONS};
  flags.numbers = m->numbers;
  return mlir_execute(m->arena, m->world, m->p, m->f, arguments, flags, NULL);
}

/* ---- elements ---- */

static bool differ(TermSort sort, TermValue a, TermValue b) {
  if (sort != SORT_REAL) return isfinite(a.real) && isfinite(b.real) && a.integer != b.integer;
  if (!isfinite(a.real) || !isfinite(b.real)) return false;
  return fabs(a.real - b.real) > 1e-6 * (1 + fabs(a.real) + fabs(b.real));
}

/* At an element of an output; `o` NULL: memory that is said not to be written. */
static bool differs_at(Evaluating *e, const MlirRun *run, const PointwiseOutput *o, FunctionSource source,
                       const PointwiseTensor *t, const int64_t *index) {
  TermTable *tt = e->tt;
  Term at[MLIR_RANK];
  Cell cell;
  for (uint32_t k = 0; k < t->rank; k++) at[k] = term_int(tt, index[k]);
  if (!function_cell(e->m, run, &e->memories, source, at, &cell)) return false;
  TermEval *eval = new_eval(e);
  Term value = term_read(tt, t->symbol, t->sort, t->rank, at);
  if (o) {
    TermMap map = {o->rank, o->index, at};
    const PointwisePiece *piece = &o->pieces.data[0];
    if (o->defined && !term_eval(eval, put_in(e, term_substitute(tt, o->defined, map))).integer) return false;
    Term region = put_in(e, term_substitute(tt, piece->region, map));
    if (term_eval(eval, region).integer) value = put_in(e, term_substitute(tt, piece->value, map));
  }
  if (term_eval(eval, cell.poison).integer) return o != NULL; /* which the claim says that it is not */
  return differ(t->sort, term_eval(eval, cell.value), term_eval(eval, value));
}

static bool output_differs(Evaluating *e, const MlirRun *run, const PointwiseOutput *o, FunctionSource source,
                           const PointwiseTensor *t) {
  int64_t shape[POINTWISE_MAX_RANK], index[POINTWISE_MAX_RANK], count = 1;
  for (uint32_t k = 0; k < t->rank; k++) {
    if (!term_is_int(e->tt, put_in(e, t->extent[k]), &shape[k]) || shape[k] < 0 || shape[k] > MOST_STATIC) return false;
    count *= shape[k];
    if (count > (int64_t)1 << 40) return false;
  }
  for (int64_t i = 0; i < ELEMENTS && i < count; i++) {
    int64_t rest = count <= ELEMENTS ? i : (int64_t)random_below(&e->random, (uint64_t)count);
    for (uint32_t k = t->rank; k-- > 0; rest /= shape[k]) index[k] = rest % shape[k];
    if (differs_at(e, run, o, source, t, index)) return true;
  }
  return false;
}

/* The name of an output that differs; NULL: none does. `ended`: it was executed. */
static const char *launch_differs(Evaluating *e, bool *ended) {
  const Making *m = e->m;
  MlirRun run = execute(e);
  *ended = !run.stop_code;
  if (run.stop_code || run.result_count != m->run.result_count) return NULL;
  Term ub = run.ub;
  if (!function_name_places(e->tt, &e->memories, &ub) || term_eval(new_eval(e), ub).integer) return NULL;
  for (uint32_t i = 0; i < m->pointwise->outputs.count; i++) {
    const PointwiseOutput *o = &m->pointwise->outputs.data[i];
    const PointwiseTensor *t = &m->pointwise->tensors.data[o->tensor];
    if (output_differs(e, &run, o, m->sources.data[i], t)) return t->name;
  }
  for (uint32_t i = 0; i < m->memories.count; i++) {
    const PointwiseTensor *t = &m->pointwise->tensors.data[m->tensors.data[i]];
    if (!t->is_written && !function_is_constant(m, i) && output_differs(e, &run, NULL, (FunctionSource){false, i}, t))
      return t->name;
  }
  return NULL;
}

/* ---- findings ---- */

static SampleWitness *new_witness(const Evaluating *e) {
  Arena *arena = e->m->arena;
  SampleWitness *w = arena_new(arena, SampleWitness);
  for (uint32_t i = 0; i < e->symbols.count; i++)
    array_push(arena, &w->sizes,
               (SamplePair){term_name(e->tt, e->symbols.data[i]), term_text(e->tt, e->numbers.data[i])});
  return w;
}

const SampleWitness *function_any_launch(const Making *m) {
  Evaluating e = {.m = m, .tt = m->tt, .random = {.state = 3}};
  find_symbols(&e);
  if (!draw(&e)) return NULL;
  SampleWitness *w = new_witness(&e);
  w->left = "undefined behaviour", w->right = "a value";
  return w;
}

static const SampleWitness *poison_in_launch(Evaluating *e, const PointwiseOutput *o) {
  const PointwiseTensor *t = &e->m->pointwise->tensors.data[o->tensor];
  int64_t shape[POINTWISE_MAX_RANK], count = 1;
  Term at[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < t->rank; k++) {
    if (!term_is_int(e->tt, put_in(e, t->extent[k]), &shape[k]) || shape[k] > MOST_STATIC) return NULL;
    count *= shape[k];
  }
  for (int64_t i = 0; i < count && i < MOST_STATIC; i++) {
    int64_t rest = i;
    for (uint32_t k = t->rank; k-- > 0; rest /= shape[k]) at[k] = term_int(e->tt, rest % shape[k]);
    Term defined = put_in(e, term_substitute(e->tt, o->defined, (TermMap){o->rank, o->index, at}));
    if (term_eval(new_eval(e), defined).integer) continue;
    SampleWitness *w = new_witness(e);
    for (uint32_t k = 0; k < t->rank; k++)
      array_push(e->m->arena, &w->index, (SamplePair){term_axis_letter(k), term_text(e->tt, at[k])});
    w->left = "poison", w->right = "a value";
    return w;
  }
  return NULL;
}

const SampleWitness *function_poison(const Making *m, const PointwiseOutput *o) {
  Evaluating e = {.m = m, .tt = m->tt, .random = {.state = 7}};
  const SampleWitness *found = NULL;
  find_symbols(&e);
  for (uint32_t n = 0; n < LAUNCHES && !found && draw(&e); n++) e.seed = n, found = poison_in_launch(&e, o);
  return found;
}

bool function_has_launch(const Making *m) {
  Evaluating e = {.m = m, .tt = m->tt, .random = {.state = 5}};
  Term all = m->tt->true_;
  for (uint32_t i = 0; i < m->claim->assumptions.count; i++)
    if (m->claim->assumptions.data[i].condition) all = term_and(m->tt, all, m->claim->assumptions.data[i].condition);
  find_symbols(&e);
  return draw(&e) || (all != m->tt->false_ && given_has_model(m->tt, all));
}

const char *function_disagrees(const Making *m) {
  Evaluating e = {.m = m, .tt = m->tt, .random = {.state = 11}};
  if (!mlir_has_memory_or_loops(m->p, m->f)) return NULL;
  find_symbols(&e);
  bool ended = true;
  for (uint32_t n = 0; n < LAUNCHES && ended; n++) {
    e.seed = random_mix(n + 1);
    if (!draw(&e)) return NULL;
    const char *name = launch_differs(&e, &ended);
    if (name)
      return arena_format(m->arena, "the formula found for %s differs from the function: a fault of assay", name);
    if (!e.symbols.count) n++; /* only elements vary */
  }
  return NULL;
}
