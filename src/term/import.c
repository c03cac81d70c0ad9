/* Terms of one table made again in another: one case for each kind of term. */
#include "term/import.h"

#include <stdlib.h>
#include <string.h>

typedef struct Memory {
  ImportTensor from, to;
} Memory;
typedef struct Bits {
  Term symbol;
  uint32_t width;
  bool is_signed;
} Bits; /* of `from`: how it names the elements */

typedef struct Renamed {
  Name from, to;
} Renamed; /* opaque; each a name of its own table */

struct Importer {
  Arena *arena;
  TermTable *to, *from;
  Array(Term) symbols; /* by symbol of `from`; 0: not yet */
  Array(Term) memo;    /* by term of `from` */
  Array(Memory) memories;
  Array(Bits) bits;
  Array(Renamed) functions;
};

Importer *importer_new(Arena *arena, TermTable *to, TermTable *from) {
  Importer *m = arena_new(arena, Importer);
  *m = (Importer){.arena = arena, .to = to, .from = from};
  return m;
}

Importer *importer_again(const Importer *importer) {
  Importer *m = importer_new(importer->arena, importer->to, importer->from);
  for (uint32_t i = 0; i < importer->symbols.count; i++) array_push(m->arena, &m->symbols, importer->symbols.data[i]);
  for (uint32_t i = 0; i < importer->memories.count; i++)
    array_push(m->arena, &m->memories, importer->memories.data[i]);
  for (uint32_t i = 0; i < importer->bits.count; i++) array_push(m->arena, &m->bits, importer->bits.data[i]);
  for (uint32_t i = 0; i < importer->functions.count; i++)
    array_push(m->arena, &m->functions, importer->functions.data[i]);
  return m;
}

static Term *symbol_slot(Importer *m, Term symbol) {
  uint32_t at = term_aux(m->from, symbol);
  while (m->symbols.count <= at) array_push(m->arena, &m->symbols, 0);
  return &m->symbols.data[at];
}

static Term *memo_slot(Importer *m, Term t) {
  while (m->memo.count <= t) array_push(m->arena, &m->memo, 0);
  return &m->memo.data[t];
}

void importer_map(Importer *m, Term symbol, Term to) { *symbol_slot(m, symbol) = to; }

bool importer_is_mapped(const Importer *m, Term symbol) {
  uint32_t at = term_aux(m->from, symbol);
  return at < m->symbols.count && m->symbols.data[at];
}

void importer_map_memory(Importer *m, ImportTensor from, ImportTensor to) {
  importer_map(m, from.symbol, to.symbol);
  array_push(m->arena, &m->memories, (Memory){from, to});
}

void importer_map_function(Importer *m, const char *from, const char *to) {
  array_push(m->arena, &m->functions, ((Renamed){intern_text(m->from->names, from), intern_text(m->to->names, to)}));
}

static Name import_function(const Importer *m, Name name) {
  for (uint32_t i = 0; i < m->functions.count; i++)
    if (m->functions.data[i].from == name) return m->functions.data[i].to;
  return intern_text(m->to->names, intern_string(m->from->names, name));
}

static const Bits *bits_of(const Importer *m, Term symbol) {
  for (uint32_t i = 0; i < m->bits.count; i++)
    if (m->bits.data[i].symbol == symbol) return &m->bits.data[i];
  return NULL;
}

bool importer_map_bits(Importer *m, ImportTensor from, ImportTensor to) {
  const char *own = from.dtype, *other = to.dtype;
  bool differ = own && other && ((*own == 'i' && *other == 'u') || (*own == 'u' && *other == 'i'));
  if (!differ || strcmp(own + 1, other + 1) != 0) return false;
  if (!bits_of(m, from.symbol))
    array_push(m->arena, &m->bits, (Bits){from.symbol, (uint32_t)atoi(own + 1), *own == 'i'});
  m->memo.count = 0, *symbol_slot(m, from.symbol) = 0; /* what was made before has not heard of it */
  return true;
}

/* Of the elements as they are named here. */
static Term bits_range(Importer *m, Term symbol, const Bits *b) {
  Int128 all = (Int128)1 << b->width, least = b->is_signed ? 0 : -all / 2;
  return term_symbol_range(m->to, symbol, term_new_rat(m->to, (Rational){least, 1}),
                           term_new_rat(m->to, (Rational){least + all - 1, 1}));
}

static Term import_symbol(Importer *m, Term t) {
  if (*symbol_slot(m, t)) return *symbol_slot(m, t);
  Symbol s = *term_symbol(m->from, t);
  Term made = term_symbol_new(m->to, intern_text(m->to->names, intern_string(m->from->names, s.name)), s.sort, s.role);
  term_symbol(m->to, made)->axis = s.axis;
  *symbol_slot(m, t) = made; /* ranges may mention the symbol */
  if (bits_of(m, t)) return bits_range(m, made, bits_of(m, t));
  Term lo = s.lo ? importer_term(m, s.lo) : 0, hi = s.hi ? importer_term(m, s.hi) : 0;
  return term_symbol_range(m->to, made, lo, hi);
}

static Term import_fold(Importer *m, Term t) {
  FoldParts p = term_fold_open(m->from, t);
  Term k = importer_term(m, p.symbol), lo = importer_term(m, p.lo), hi = importer_term(m, p.hi);
  return term_fold(m->to, p.op, k, lo, hi, importer_term(m, p.guard), importer_term(m, p.body));
}

static Term import_recurrence(Importer *m, Term t) {
  RecurParts p = term_recur_open(m->from, t), made = p;
  made.index = importer_term(m, p.index), made.steps = importer_term(m, p.steps);
  for (uint32_t d = 0; d < p.lanes; d++) {
    made.lane[d] = importer_term(m, p.lane[d]), made.extent[d] = importer_term(m, p.extent[d]);
    made.at[d] = importer_term(m, p.at[d]);
  }
  for (uint32_t i = 0; i < p.n; i++)
    made.state[i] = importer_term(m, p.state[i]), made.init[i] = importer_term(m, p.init[i]);
  for (uint32_t i = 0; i < p.n; i++) made.next[i] = importer_term(m, p.next[i]);
  return term_recur_of(m->to, made);
}

static Term import_sum(Importer *m, Term t) {
  Term sum = importer_term(m, term_arg(m->from, t, 0));
  for (uint32_t i = 1; i < term_count(m->from, t); i += 2) {
    Term part =
        term_scale(m->to, term_rat(m->from, term_arg(m->from, t, i)), importer_term(m, term_arg(m->from, t, i + 1)));
    sum = term_made(m->to, TERM_STEP_SUM, sum, part, term_add(m->to, sum, part));
  }
  return sum;
}

static Term import_product(Importer *m, Term t) {
  Term product = m->to->one;
  for (uint32_t i = 0; i < term_count(m->from, t); i += 2) {
    Term factor =
        term_power(m->to, importer_term(m, term_arg(m->from, t, i)), term_rat(m->from, term_arg(m->from, t, i + 1)));
    product = term_made(m->to, TERM_STEP_PRODUCT, product, factor, term_mul(m->to, product, factor));
  }
  return product;
}

static Term import_comparison(Importer *m, TermKind kind, const Term *args, uint32_t count) {
  Term right = count == 2 ? args[1] : m->to->zero;
  if (kind == TERM_LE) return term_le(m->to, args[0], right);
  return kind == TERM_LT ? term_lt(m->to, args[0], right) : term_eq(m->to, args[0], right);
}

static Term import_many(Importer *m, TermKind kind, const Term *args, uint32_t count) {
  Term result = args[0];
  for (uint32_t i = 1; i < count; i++) result = term_binary(m->to, kind, result, args[i]);
  return result;
}

static Term import_bits(Importer *m, Term tensor, Term element) {
  TermTable *to = m->to;
  const Bits *b = bits_of(m, tensor);
  if (!b || b->is_signed) return b ? term_wrap(to, b->width, element) : element;
  Term less = term_new_rat(to, (Rational){(Int128)1 << b->width, 1});
  return term_select(to, term_lt(to, element, to->zero), term_add(to, element, less), element);
}

/* T[i, j] is at i*N + j in memory; there it is another tensor's element. */
static Term import_read(Importer *m, Term t, const Term *args) {
  const Memory *memory = NULL;
  TermTable *to = m->to;
  Term flat = to->zero;
  for (uint32_t i = 0; i < m->memories.count; i++)
    if (m->memories.data[i].from.symbol == term_arg(m->from, t, 0)) memory = &m->memories.data[i];
  if (!memory) return term_read(to, args[0], term_sort(m->from, t), term_count(m->from, t) - 1, args + 1);
  Term *index = arena_array(m->arena, Term, memory->to.rank + 1);
  for (uint32_t k = 0; k < memory->from.rank; k++)
    flat = term_add(to, term_mul(to, flat, importer_term(m, memory->from.extent[k])), args[k + 1]);
  for (uint32_t k = memory->to.rank; k-- > 0;) {
    index[k] = k ? term_mod(to, flat, memory->to.extent[k]) : flat;
    flat = term_floordiv(to, flat, memory->to.extent[k]);
  }
  return term_read(to, args[0], term_sort(m->from, t), memory->to.rank, index);
}

static const Term *import_args(Importer *m, Term t) {
  uint32_t count = term_count(m->from, t);
  Term *args = arena_array(m->arena, Term, count + 1);
  for (uint32_t i = 0; i < count; i++) args[i] = importer_term(m, term_arg(m->from, t, i));
  return args;
}

static Term import_node(Importer *m, Term t) {
  TermTable *to = m->to;
  TermNode n = *term_node(m->from, t);
  const Term *args;
  switch ((TermKind)n.kind) {
  case TERM_RAT: return term_new_rat(to, term_rat(m->from, t));
  case TERM_SYM: return import_symbol(m, t);
  case TERM_ADD: return import_sum(m, t);
  case TERM_MUL: return import_product(m, t);
  case TERM_FOLD: return import_fold(m, t);
  case TERM_RECUR: return import_recurrence(m, t);
  case TERM_INF: return to->inf;
  case TERM_NEG_INF: return to->neg_inf;
  case TERM_NAN: return term_float(to, __builtin_nan(""));
  case TERM_TRUE: return to->true_;
  case TERM_FALSE: return to->false_;
  case TERM_UNDEF: return term_undef(to, (TermSort)n.sort, n.aux);
  case TERM_READ: return import_bits(m, term_arg(m->from, t, 0), import_read(m, t, import_args(m, t)));
  case TERM_PTR: args = import_args(m, t); return term_ptr(to, args[0], args[1]);
  case TERM_FLOORDIV: args = import_args(m, t); return term_floordiv(to, args[0], args[1]);
  case TERM_MIN:
  case TERM_MAX:
  case TERM_AND:
  case TERM_OR: return import_many(m, (TermKind)n.kind, import_args(m, t), n.count);
  case TERM_ABS:
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC:
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN: return term_unary(to, (TermKind)n.kind, *import_args(m, t));
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return import_comparison(m, (TermKind)n.kind, import_args(m, t), n.count);
  case TERM_NOT: return term_not(to, *import_args(m, t));
  case TERM_SELECT: args = import_args(m, t); return term_select(to, args[0], args[1], args[2]);
  case TERM_FN: return term_fn(to, (TermFn)n.aux, n.count, import_args(m, t));
  case TERM_OPAQUE: return term_opaque(to, import_function(m, n.aux), (TermSort)n.sort, n.count, import_args(m, t));
  case TERM_WRAP: return term_wrap(to, n.aux, *import_args(m, t));
  case TERM_NONE:
  case TERM_BOUND: /* of a fold, which is opened */
  case TERM_STATE:
  case TERM_KIND_COUNT: break;
  }
  guard_throw(m->arena->guard, GUARD_INTERNAL, "a term that cannot be imported");
}

Term importer_term(Importer *m, Term t) {
  guard_tick(m->arena->guard);
  if (term_kind(m->from, t) == TERM_SYM) return import_symbol(m, t);
  Term known = *memo_slot(m, t);
  if (known) return known;
  Term made = import_node(m, t);
  *memo_slot(m, t) = made;
  return made;
}
