/* Random bits in a formula: integer arithmetic that mixes bits is called by a name, with what it is made from.
 *
 *   where(4.6566126e-10 * where(bits(seed, index(n)) < 0, ...) > p, x / (1 - p), 0)
 *
 * Nobody reads ten rounds of Philox as a formula, and nothing about them is to be deduced. What is taken is found by
 * what it does, not by a generator's constants: a value without folds in which many exclusive ors or high halves of
 * products and many wraps meet. Its arguments are the scalars, the indices and the elements of tensors that occur in
 * it; the expression still denotes the whole term (tensor/meaning.c), and emitted modules compute it. */
#include <string.h>

#include "lift/frame.h"

enum { MIXING_NODES = 6, LOOKED_AT = 400 };

typedef struct Mixing {
  uint32_t mixed, wrapped, left;
} Mixing;

/* Counted as a tree, up to a limit that any generator passes. */
static void count_mixing(TermTable *tt, Term t, Mixing *m) {
  if (!m->left || (m->mixed >= MIXING_NODES && m->wrapped >= MIXING_NODES)) return;
  m->left--;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_READ || kind == TERM_SYM) return;
  if (kind == TERM_WRAP) m->wrapped++;
  if (kind == TERM_FN && (term_aux(tt, t) == FN_BITXOR || term_aux(tt, t) == FN_MULHI)) m->mixed++;
  for (uint32_t i = 0; i < term_count(tt, t); i++) count_mixing(tt, term_arg(tt, t, i), m);
}

bool deduction_mixes_bits(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind != TERM_WRAP && (kind != TERM_FN || term_aux(tt, t) != FN_BITXOR)) return false;
  if (term_node(tt, t)->flags & (TERM_HAS_FOLD | TERM_HAS_OPAQUE | TERM_HAS_UNDEF | TERM_HAS_REAL)) return false;
  Mixing m = {.left = LOOKED_AT};
  count_mixing(tt, t, &m);
  return m.mixed >= MIXING_NODES && m.wrapped >= MIXING_NODES;
}

typedef struct Parts {
  TensorBits *bits;
  Term part[TENSOR_BITS_ARGUMENTS]; /* what a parameter stands for */
  bool is_full;
} Parts;

/* The parameter that stands for a part. */
static Term parameter_of(TermTable *tt, Parts *parts, Term part) {
  TensorBits *bits = parts->bits;
  for (uint32_t i = 0; i < bits->count; i++)
    if (parts->part[i] == part) return bits->parameter[i];
  if (bits->count == TENSOR_BITS_ARGUMENTS) return parts->is_full = true, part;
  Term from = term_kind(tt, part) == TERM_READ ? term_arg(tt, part, 0) : part;
  parts->part[bits->count] = part;
  bits->label[bits->count] = term_name(tt, from);
  return bits->parameter[bits->count++] = term_symbol_fresh(tt, "part", term_sort(tt, part), SYMBOL_SCALAR);
}

static Term take_part(TermTable *tt, Term t, void *payload) {
  return term_kind(tt, t) == TERM_READ ? parameter_of(tt, payload, t) : t;
}

static bool same_bits(TermTable *tt, const TensorBits *a, const TensorBits *b) {
  return a->count == b->count &&
         term_substitute(tt, a->body, (TermMap){a->count, a->parameter, b->parameter}) == b->body;
}

static bool is_taken(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, name)) return true;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (!strcmp(p->scalars.data[i].name, name)) return true;
  return false;
}

/* The same arithmetic has one name in all outputs of a kernel. */
static const TensorBits *named(Deduction *d, TensorBits *bits) {
  for (uint32_t i = 0; i < d->bits->count; i++)
    if (same_bits(d->tt, d->bits->data[i], bits)) return d->bits->data[i];
  uint32_t number = d->bits->count;
  do bits->name = number++ ? arena_format(d->tt->arena, "bits%u", number) : "bits";
  while (is_taken(d->p, bits->name));
  array_push(d->tt->arena, d->bits, bits);
  return bits;
}

const TensorExpr *deduction_bits(Deduction *d, Term t, uint32_t f) {
  TermTable *tt = d->tt;
  Parts parts = {.bits = arena_new(tt->arena, TensorBits)};
  *parts.bits = (TensorBits){.count = 0};
  Term body = term_transform(tt, t, take_part, &parts);
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  Term from[TENSOR_BITS_ARGUMENTS], to[TENSOR_BITS_ARGUMENTS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < symbols.count && !parts.is_full; i++) {
    if (term_symbol(tt, symbols.data[i])->role == SYMBOL_TENSOR || !term_has_symbol(tt, body, symbols.data[i]))
      continue;
    Term parameter = parameter_of(tt, &parts, symbols.data[i]);
    if (!parts.is_full) from[n] = symbols.data[i], to[n++] = parameter;
  }
  if (parts.is_full) return deduction_fail(d, "random bits that are made from too much");
  parts.bits->body = term_substitute(tt, body, (TermMap){n, from, to});
  const TensorExpr *args[TENSOR_BITS_ARGUMENTS];
  for (uint32_t i = 0; i < parts.bits->count; i++)
    if (!(args[i] = deduce_build(d, parts.part[i], f))) return NULL;
  return tensor_bits(tt, named(d, parts.bits), args);
}
