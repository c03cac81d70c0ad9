/* Places of memory as elements of tensors (see function.h). */
#include "function/function.h"

/* ---- layouts ---- */

/* The dimension of the greatest stride that the type says; rank: it says none. */
static uint32_t widest(const Program *p, const Attr *layout, uint32_t rank) {
  uint32_t found = rank;
  int64_t most = 0;
  for (uint32_t k = 0; k < rank; k++) {
    int64_t stride = program_get_attr(p, layout->items[k + 1])->integer;
    if (stride != TYPE_DYNAMIC && stride > most) most = stride, found = k;
  }
  return found;
}

bool function_lay_out(TermTable *tt, const Program *p, const Type *type, MlirValue *ref) {
  const Attr *layout = type->layout ? program_get_attr(p, type->layout) : NULL;
  if (!layout || layout->kind == ATTR_MAP) return !layout || !layout->map->symbols;
  Term next = tt->one;
  uint32_t first = widest(p, layout, ref->rank);
  if (first < ref->rank) next = term_mul(tt, ref->stride[first], ref->extent[first]);
  for (uint32_t k = ref->rank; k-- > 0;) {
    if (program_get_attr(p, layout->items[k + 1])->integer != TYPE_DYNAMIC) continue;
    ref->stride[k] = next;
    next = term_mul(tt, next, ref->extent[k]);
  }
  if (program_get_attr(p, layout->items[0])->integer == TYPE_DYNAMIC) ref->offset = tt->zero;
  ref->region.end = 0;
  if (mlir_is_row_major(tt, ref)) {
    Term count = tt->one;
    for (uint32_t k = 0; k < ref->rank; k++) count = term_mul(tt, count, ref->extent[k]);
    ref->region = (MlirRegion){ref->block, ref->offset, term_add(tt, ref->offset, count)};
  }
  return true;
}

/* ---- reads ---- */

typedef struct Naming {
  const FunctionMemories *memories;
  bool failed;
} Naming;

static const FunctionMemory *memory_of(const FunctionMemories *memories, Term memory, Term block, bool *is_memory) {
  for (uint32_t i = 0; i < memories->count; i++) {
    const FunctionMemory *m = &memories->data[i];
    *is_memory |= m->memory == memory;
    if (m->memory == memory && m->ref.block == block) return m;
  }
  return NULL;
}

/* A place that is accessed: the axes over which the indices in it run are not empty. */
static void know_indices(TermTable *tt, Term place) {
  TermList symbols = {0};
  term_symbols(tt, place, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    if (s->role != SYMBOL_INDEX || !s->lo || !s->hi) continue;
    Term some = term_le(tt, s->lo, s->hi);
    if (some != tt->true_ && some != tt->false_) term_push_fact(tt, some);
  }
  mlir_push_consequences(tt, tt->true_);
}

static Term name_read(TermTable *tt, Term t, void *payload) {
  Naming *n = payload;
  Term index[MLIR_RANK], inside;
  bool is_memory = false;
  if (term_kind(tt, t) != TERM_READ || term_count(tt, t) != 3) return t;
  Term memory = term_arg(tt, t, 0), place = term_arg(tt, t, 2);
  const FunctionMemory *m = memory_of(n->memories, memory, term_arg(tt, t, 1), &is_memory);
  if (!m) {
    n->failed |= is_memory;
    return t;
  }
  /* a defined access is to an element, so the indices of its place are the element's */
  uint32_t facts = tt->facts.count;
  know_indices(tt, place);
  bool good = mlir_indices_of(tt, &m->named, term_sub(tt, place, m->named.offset), index, &inside);
  term_pop_facts(tt, facts);
  n->failed |= !good;
  if (!good) return t;
  return term_read(tt, m->tensor, term_symbol(tt, m->tensor)->sort, m->ref.rank, index);
}

bool function_name_places(TermTable *tt, const FunctionMemories *memories, Term *t) {
  Naming n = {memories, false};
  *t = term_transform(tt, *t, name_read, &n);
  return !n.failed;
}
