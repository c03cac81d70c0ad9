/* Bottom-up: programs from small to large, level by level, until one has the elements.
 *
 * The grammar is the paper's figure 2: inputs in every order of their axes, scalars, and constants of the program;
 * unary and binary operators, functions, < and <=, and if-then-else; sum and maximum along an axis, and the sum of a
 * product, which is a matrix product. Programs live in one frame: the axes of the elements, and one more for each
 * length of an input's axis, along which sums and maxima are taken. A program is its values in a prime field
 * (residue.c); it counts where it has those of the elements.
 *
 * Pruned is what cannot be a part (unless --no-prune): programs of the wrong type or along axes of another length;
 * programs that read what the element at that place does not have; functions that occur nowhere in the elements; and
 * programs that are another one by their values (observational equivalence). */
#include "search/family.h"

#include <string.h>

#include "base/random.h"

enum {
  MOST_PROGRAMS = 12000,
  MOST_WORK = 8000000,    /* values computed for one family */
  MOST_IN_ALL = 24000000, /* in a whole search */
  MOST_FRAME = 2048,
  LEAST_FRAME = 32, /* fewer values are drawn several times */
  FIRST_SEED = 3,   /* of these; the ones before it are for checks */
  MOST_BITS = 2048,
  MOST_FOLDED = 3,
  MOST_CONSTANTS = 16
};

typedef enum ProgramOp {
  PROGRAM_TERM,
  PROGRAM_ADD,
  PROGRAM_SUB,
  PROGRAM_MUL,
  PROGRAM_DIV,
  PROGRAM_MAX,
  PROGRAM_MIN,
  PROGRAM_LE,
  PROGRAM_LT,
  PROGRAM_WHERE,
  PROGRAM_NEG,
  PROGRAM_NOT,
  PROGRAM_ABS,
  PROGRAM_SQRT,
  PROGRAM_FN,
  PROGRAM_SUM,
  PROGRAM_LARGEST,
  PROGRAM_MATMUL
} ProgramOp;

typedef struct Known {
  ProgramOp op;
  uint32_t aux, a, b, c; /* aux: function or axis */
  Term term;             /* of TERM */
  bool is_bool;
  uint32_t uses; /* axes of folds, as bits */
  uint64_t *value, *inverse, *reads;
} Known;

typedef struct Enumeration {
  Search *s;
  const Family *family;
  uint32_t folded, words, base, layers, frame; /* frame: values of a program, `base` for each layer */
  SearchAxis axis[SEARCH_RANK + MOST_FOLDED];
  uint64_t *wanted, *allowed; /* of each element: its value, by layer; the reads that it has */
  Memo seen, numbers;         /* of terms; of reads */
  uint32_t read_count;
  Array(Known) known;
  uint32_t *slots, slot_count, tries, found;
  bool has_fn[FN_COUNT], has_root, has_abs, has_choice, is_full;
  uint64_t *scratch, *scratch_reads;
} Enumeration;

/* ---- what the elements have ---- */

/* True if the term was seen in this pass. From now on it was. */
static bool is_seen(Enumeration *e, Term t, uint64_t pass) {
  const MemoSlot *known = memo_find(&e->seen, e->s->tt, t);
  if (known && known->value == pass) return true;
  memo_put(&e->seen, e->s->scratch, e->s->tt, t, pass);
  return false;
}

static void look_at(Enumeration *e, Term t) {
  TermTable *tt = e->s->tt;
  if (is_seen(e, t, 1)) return;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FN)
    e->has_fn[term_aux(tt, t)] = true;
  else if (kind == TERM_ABS)
    e->has_abs = true;
  else if (kind == TERM_SELECT)
    e->has_choice = true;
  else if (kind == TERM_MUL) {
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) e->has_root |= term_rat(tt, term_arg(tt, t, i)).den == 2;
  } else if (kind == TERM_READ) {
    memo_put(&e->numbers, e->s->scratch, tt, t, e->read_count++);
    return;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) look_at(e, term_arg(tt, t, i));
}

static int read_number(const Enumeration *e, Term t) {
  const MemoSlot *known = memo_find(&e->numbers, e->s->tt, t);
  return known ? (int)known->value : -1;
}

static void mark_reads(Enumeration *e, Term t, uint64_t pass, uint64_t *bits) {
  TermTable *tt = e->s->tt;
  if (is_seen(e, t, pass)) return;
  int n = term_kind(tt, t) == TERM_READ ? read_number(e, t) : -1;
  if (n >= 0) bits[n / 64] |= (uint64_t)1 << (n % 64);
  for (uint32_t i = 0; i < term_count(tt, t) && n < 0; i++) mark_reads(e, term_arg(tt, t, i), pass, bits);
}

/* One axis more for each length that an input has, so that it can be folded. */
static void find_axes(Enumeration *e) {
  Search *s = e->s;
  const Pointwise *p = s->claim->pointwise;
  for (uint32_t k = 0; k < e->family->rank; k++) e->axis[k] = e->family->axis[k];
  e->base = e->family->cells;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    for (uint32_t k = 0; k < p->tensors.data[i].rank && p->tensors.data[i].is_read; k++) {
      Term length = p->tensors.data[i].extent[k];
      int64_t count;
      bool known = e->folded == MOST_FOLDED || !search_number(s, length, &count) || count < 2;
      for (uint32_t a = 0; a < e->folded && !known; a++) known = e->axis[e->family->rank + a].length == length;
      if (known || e->base * count > MOST_FRAME) continue;
      Term symbol = term_symbol_fresh(s->tt, "k", SORT_INT, SYMBOL_INDEX);
      term_symbol_range(s->tt, symbol, s->tt->zero, term_sub(s->tt, length, s->tt->one));
      e->axis[e->family->rank + e->folded++] = (SearchAxis){symbol, length, count};
      e->base *= (uint32_t)count;
    }
  e->layers = e->base >= LEAST_FRAME ? 1 : LEAST_FRAME / e->base;
  e->layers = e->layers < SEARCH_SEEDS - 3 ? e->layers : SEARCH_SEEDS - 3;
  e->frame = e->layers * e->base;
}

static uint32_t inner_cells(const Enumeration *e) { return e->base / e->family->cells; }

static void place_in_frame(const Enumeration *e, uint32_t cell, int64_t *at) {
  cell %= e->base;
  for (uint32_t k = e->family->rank + e->folded; k-- > 0;) {
    at[k] = cell % e->axis[k].count;
    cell /= (uint32_t)e->axis[k].count;
  }
}

/* ---- programs ---- */

static bool is_spent(const Enumeration *e) {
  uint64_t part = e->s->options->is_brief ? 20 : 1;
  return (uint64_t)e->tries * e->frame > MOST_WORK / part || e->s->work > MOST_IN_ALL / part;
}

static bool is_pruned(const Enumeration *e) { return !e->s->options->no_prune; }

static uint64_t hash_of(const Enumeration *e, const Known *program) {
  uint64_t h = program->uses * 2 + program->is_bool;
  for (uint32_t i = 0; i < e->frame; i++) h = random_mix(h ^ program->value[i]);
  return h;
}

static bool is_answer(const Enumeration *e, const Known *program) {
  if (program->uses) return false;
  for (uint32_t layer = 0; layer < e->layers; layer++)
    for (uint32_t i = 0; i < e->family->cells; i++)
      if (e->family->element[i] &&
          program->value[layer * e->base + i * inner_cells(e)] != e->wanted[layer * e->family->cells + i])
        return false;
  return true;
}

/* Reads of an element that it has not: the program is no part of it. */
static bool is_mismatch(const Enumeration *e, const uint64_t *reads) {
  for (uint32_t i = 0; i < e->family->cells; i++)
    for (uint32_t w = 0; w < e->words && e->family->element[i]; w++)
      if (reads[i * e->words + w] & ~e->allowed[i * e->words + w]) return true;
  return false;
}

/* The program in `value` and `reads` of the enumeration, if it is new and may be a part. */
static void add_program(Enumeration *e, Known program) {
  Search *s = e->s;
  s->work += e->frame;
  e->tries++;
  if (e->found || e->is_full) return;
  if (is_spent(e) || e->known.count >= MOST_PROGRAMS) {
    e->is_full = true;
    return;
  }
  guard_tick(s->arena->guard);
  if (is_pruned(e) && is_mismatch(e, e->scratch_reads)) return;
  program.value = e->scratch, program.reads = e->scratch_reads;
  uint64_t h = hash_of(e, &program);
  uint32_t slot = (uint32_t)(h >> 32) & (e->slot_count - 1);
  for (; e->slots[slot]; slot = (slot + 1) & (e->slot_count - 1)) {
    const Known *other = &e->known.data[e->slots[slot] - 1];
    if (is_pruned(e) && other->uses == program.uses && other->is_bool == program.is_bool &&
        !memcmp(other->value, program.value, sizeof *program.value * e->frame))
      return;
  }
  array_push(s->scratch, &e->known, program);
  e->slots[slot] = e->known.count;
  e->scratch = arena_array(s->scratch, uint64_t, e->frame);
  e->scratch_reads = arena_array(s->scratch, uint64_t, e->family->cells * e->words + 1);
  if (is_answer(e, &program)) e->found = e->known.count;
}

static void no_reads(Enumeration *e) {
  memset(e->scratch_reads, 0, sizeof *e->scratch_reads * e->family->cells * e->words);
}

static void join_reads(Enumeration *e, const Known *a, const Known *b) {
  for (uint32_t i = 0; i < e->family->cells * e->words; i++) e->scratch_reads[i] = a->reads[i] | (b ? b->reads[i] : 0);
}

/* A number, or a scalar that is drawn. */
static void add_number(Enumeration *e, Term t, uint64_t value) {
  bool is_drawn = term_kind(e->s->tt, t) == TERM_SYM && term_sort(e->s->tt, t) == SORT_REAL;
  no_reads(e);
  for (uint32_t i = 0; i < e->frame; i++)
    e->scratch[i] = is_drawn ? residue_draw(t, 0, NULL, FIRST_SEED + i / e->base) : value;
  add_program(e, (Known){.op = PROGRAM_TERM, .term = t});
}

/* T with its axes along those axes of the frame. */
static void add_read(Enumeration *e, const PointwiseTensor *t, const uint8_t *along) {
  Search *s = e->s;
  TermTable *tt = s->tt;
  Term at[POINTWISE_MAX_RANK];
  int64_t place[SEARCH_RANK + MOST_FOLDED], index[POINTWISE_MAX_RANK];
  Known program = {.op = PROGRAM_TERM};
  bool outside = false;
  no_reads(e);
  for (uint32_t i = 0; i < e->frame; i++) {
    place_in_frame(e, i, place);
    for (uint32_t k = 0; k < t->rank; k++) index[k] = place[along[k]], at[k] = term_int(tt, index[k]);
    Term read = term_read(tt, t->symbol, t->sort, t->rank, at);
    int number = read_number(e, read);
    uint32_t cell = i % e->base / inner_cells(e);
    if (number >= 0)
      e->scratch_reads[cell * e->words + (uint32_t)number / 64] |= (uint64_t)1 << (number % 64);
    else if (e->family->element[cell])
      outside = true; /* an element that is read nowhere */
    e->scratch[i] = residue_draw(t->symbol, t->rank, index, FIRST_SEED + i / e->base);
  }
  if (outside && is_pruned(e)) return;
  for (uint32_t k = 0; k < t->rank; k++) {
    at[k] = e->axis[along[k]].symbol;
    if (along[k] >= e->family->rank) program.uses |= 1u << (along[k] - e->family->rank);
  }
  program.term = term_read(tt, t->symbol, t->sort, t->rank, at);
  program.is_bool = t->sort == SORT_BOOL;
  add_program(e, program);
}

static void add_views(Enumeration *e, const PointwiseTensor *t, uint32_t k, uint8_t *along) {
  if (k == t->rank) {
    add_read(e, t, along);
    return;
  }
  for (uint32_t a = 0; a < e->family->rank + e->folded; a++) {
    int64_t count;
    bool taken = false;
    for (uint32_t i = 0; i < k; i++) taken |= along[i] == a;
    if (taken || !search_number(e->s, t->extent[k], &count)) continue;
    if (is_pruned(e) ? e->axis[a].length != t->extent[k] : count < e->axis[a].count) continue; /* type mismatch */
    along[k] = (uint8_t)a;
    add_views(e, t, k + 1, along);
  }
}

static void add_terminals(Enumeration *e) {
  Search *s = e->s;
  TermTable *tt = s->tt;
  const Pointwise *p = s->claim->pointwise;
  uint8_t along[POINTWISE_MAX_RANK];
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.data[i].is_read) add_views(e, &p->tensors.data[i], 0, along);
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (term_sort(tt, p->scalars.data[i].symbol) == SORT_REAL) add_number(e, p->scalars.data[i].symbol, 0);
  for (uint32_t i = 0; i < s->literals.count && i < MOST_CONSTANTS; i++)
    add_number(e, term_new_rat(tt, s->literals.data[i]), residue_rational(s->literals.data[i]));
  for (uint32_t i = 0; i < s->size_count && i < 6; i++)
    add_number(e, s->size[i].symbol, residue_rational(rational_int(s->size[i].value)));
}

static const uint64_t *inverse_of(Enumeration *e, Known *program) {
  if (program->inverse) return program->inverse;
  program->inverse = arena_array(e->s->scratch, uint64_t, e->frame);
  for (uint32_t i = 0; i < e->frame; i++)
    program->inverse[i] =
        i && program->value[i] == program->value[i - 1] ? program->inverse[i - 1] : residue_inverse(program->value[i]);
  return program->inverse;
}

static uint64_t negated(uint64_t x) { return residue_times(x, residue_rational((Rational){-1, 1})); }

static uint64_t binary_value(ProgramOp op, uint64_t x, uint64_t y) {
  uint64_t difference = op >= PROGRAM_LE || op == PROGRAM_SUB ? residue_add(x, negated(y)) : 0;
  if (op == PROGRAM_ADD) return residue_add(x, y);
  if (op == PROGRAM_SUB) return difference;
  if (op == PROGRAM_MUL || op == PROGRAM_DIV) return residue_times(x, y);
  if (op == PROGRAM_MAX) return residue_apply(TERM_MAX, 0, 2, (uint64_t[]){x, y});
  if (op == PROGRAM_MIN) return residue_apply(TERM_MIN, 0, 2, (uint64_t[]){x, y});
  if (op == PROGRAM_LE) return residue_apply(TERM_LE, 0, 1, &difference);
  return residue_apply(TERM_LT, 0, 1, &difference);
}

static void try_binary(Enumeration *e, ProgramOp op, uint32_t a, uint32_t b) {
  Known *x = &e->known.data[a], *y = &e->known.data[b];
  if (x->is_bool || y->is_bool) return;
  const uint64_t *right = op == PROGRAM_DIV ? inverse_of(e, y) : y->value;
  for (uint32_t i = 0; i < e->frame; i++) e->scratch[i] = binary_value(op, x->value[i], right[i]);
  join_reads(e, x, y);
  add_program(e, (Known){.op = op, .a = a, .b = b, .uses = x->uses | y->uses, .is_bool = op >= PROGRAM_LE});
}

static void try_where(Enumeration *e, uint32_t c, uint32_t a, uint32_t b) {
  const Known *condition = &e->known.data[c], *x = &e->known.data[a], *y = &e->known.data[b];
  if (!condition->is_bool || x->is_bool || y->is_bool) return;
  for (uint32_t i = 0; i < e->frame; i++) e->scratch[i] = condition->value[i] ? x->value[i] : y->value[i];
  join_reads(e, x, y);
  for (uint32_t i = 0; i < e->family->cells * e->words; i++) e->scratch_reads[i] |= condition->reads[i];
  add_program(e, (Known){.op = PROGRAM_WHERE, .a = a, .b = b, .c = c, .uses = condition->uses | x->uses | y->uses});
}

static uint64_t unary_value(ProgramOp op, uint32_t aux, uint64_t x) {
  if (op == PROGRAM_NEG) return negated(x);
  if (op == PROGRAM_NOT) return !x;
  if (op == PROGRAM_ABS) return residue_apply(TERM_ABS, 0, 1, &x);
  if (op == PROGRAM_SQRT) return residue_root(x, (Rational){1, 2});
  return residue_apply(TERM_FN, aux, 1, &x);
}

static void try_unary(Enumeration *e, ProgramOp op, uint32_t aux, uint32_t a) {
  const Known *x = &e->known.data[a];
  if (x->is_bool != (op == PROGRAM_NOT)) return;
  for (uint32_t i = 0; i < e->frame; i++) e->scratch[i] = unary_value(op, aux, x->value[i]);
  join_reads(e, x, NULL);
  add_program(e, (Known){.op = op, .aux = aux, .a = a, .uses = x->uses, .is_bool = x->is_bool});
}

/* Along one of the axes that are there to be folded; b: of a product. */
static void try_fold(Enumeration *e, ProgramOp op, uint32_t axis, uint32_t a, const Known *y, uint32_t b) {
  const Known *x = &e->known.data[a];
  uint32_t uses = x->uses | (y ? y->uses : 0), k = e->family->rank + axis, stride = 1;
  if (x->is_bool || (y && y->is_bool) || !(uses & 1u << axis)) return;
  for (uint32_t i = k + 1; i < e->family->rank + e->folded; i++) stride *= (uint32_t)e->axis[i].count;
  uint32_t count = (uint32_t)e->axis[k].count;
  for (uint32_t i = 0; i < e->frame; i++) {
    if (i / stride % count) {
      e->scratch[i] = e->scratch[i - stride];
      continue;
    }
    uint64_t sum = 0;
    for (uint32_t n = 0; n < count; n++) {
      uint64_t v = x->value[i + n * stride];
      if (y) v = residue_times(v, y->value[i + n * stride]);
      sum = !n ? v : op == PROGRAM_LARGEST ? binary_value(PROGRAM_MAX, sum, v) : residue_add(sum, v);
    }
    e->scratch[i] = sum;
  }
  join_reads(e, x, y);
  add_program(e, (Known){.op = op, .aux = axis, .a = a, .b = b, .uses = uses & ~(1u << axis)});
}

static void grow_unary(Enumeration *e, uint32_t from, uint32_t to) {
  for (uint32_t a = from; a < to && !e->found; a++) {
    for (uint32_t axis = 0; axis < e->folded; axis++) {
      try_fold(e, PROGRAM_SUM, axis, a, NULL, 0);
      try_fold(e, PROGRAM_LARGEST, axis, a, NULL, 0);
    }
    try_unary(e, PROGRAM_NEG, 0, a);
    try_unary(e, PROGRAM_NOT, 0, a);
    if (e->has_abs || !is_pruned(e)) try_unary(e, PROGRAM_ABS, 0, a);
    if (e->has_root || !is_pruned(e)) try_unary(e, PROGRAM_SQRT, 0, a);
    for (uint32_t fn = 0; fn < FN_COUNT; fn++) {
      const TermFnInfo *info = term_fn_info((TermFn)fn);
      if (info->arity == 1 && info->sort == SORT_REAL && (e->has_fn[fn] || !is_pruned(e)))
        try_unary(e, PROGRAM_FN, fn, a);
    }
  }
}

/* All pairs of which one is new. */
static void grow_binary(Enumeration *e, uint32_t from, uint32_t to) {
  for (uint32_t a = 0; a < to && !e->found && !e->is_full; a++)
    for (uint32_t b = a < from ? from : 0; b < to && !e->found && !e->is_full; b++) {
      if (a <= b) {
        try_binary(e, PROGRAM_ADD, a, b);
        try_binary(e, PROGRAM_MUL, a, b);
        try_binary(e, PROGRAM_MAX, a, b);
        try_binary(e, PROGRAM_MIN, a, b);
        for (uint32_t axis = 0; axis < e->folded; axis++) try_fold(e, PROGRAM_MATMUL, axis, a, &e->known.data[b], b);
      }
      try_binary(e, PROGRAM_SUB, a, b);
      try_binary(e, PROGRAM_DIV, a, b);
      if (e->has_choice || !is_pruned(e)) {
        try_binary(e, PROGRAM_LE, a, b);
        try_binary(e, PROGRAM_LT, a, b);
      }
    }
}

static void grow_choices(Enumeration *e, uint32_t to) {
  if (!e->has_choice && is_pruned(e)) return;
  for (uint32_t c = 0; c < to && !e->found; c++)
    for (uint32_t a = 0; a < to && e->known.data[c].is_bool && !e->found && !e->is_full; a++)
      for (uint32_t b = 0; b < to && !e->found && !e->is_full; b++) try_where(e, c, a, b);
}

/* ---- the answer ---- */

static Term term_of(Enumeration *e, uint32_t number) {
  TermTable *tt = e->s->tt;
  const Known program = e->known.data[number];
  if (program.op == PROGRAM_TERM) return program.term;
  Term a = term_of(e, program.a),
       b = program.op <= PROGRAM_WHERE || program.op == PROGRAM_MATMUL ? term_of(e, program.b) : 0;
  const SearchAxis *axis = &e->axis[e->family->rank + program.aux % MOST_FOLDED];
  switch (program.op) {
  case PROGRAM_TERM: break;
  case PROGRAM_ADD: return term_add(tt, a, b);
  case PROGRAM_SUB: return term_sub(tt, a, b);
  case PROGRAM_MUL: return term_mul(tt, a, b);
  case PROGRAM_DIV: return term_div(tt, a, b);
  case PROGRAM_MAX: return term_max(tt, a, b);
  case PROGRAM_MIN: return term_min(tt, a, b);
  case PROGRAM_LE: return term_le(tt, a, b);
  case PROGRAM_LT: return term_lt(tt, a, b);
  case PROGRAM_WHERE: return term_select(tt, term_of(e, program.c), a, b);
  case PROGRAM_NEG: return term_neg(tt, a);
  case PROGRAM_NOT: return term_not(tt, a);
  case PROGRAM_ABS: return term_unary(tt, TERM_ABS, a);
  case PROGRAM_SQRT: return term_power(tt, a, (Rational){1, 2});
  case PROGRAM_FN: return term_fn1(tt, (TermFn)program.aux, a);
  case PROGRAM_MATMUL: a = term_mul(tt, a, b); /* fall through */
  case PROGRAM_SUM: return term_fold(tt, FOLD_SUM, axis->symbol, tt->zero, axis->length, tt->true_, a);
  case PROGRAM_LARGEST: return term_fold(tt, FOLD_MAX, axis->symbol, tt->zero, axis->length, tt->true_, a);
  }
  return 0;
}

static bool prepare(Enumeration *e) {
  Search *s = e->s;
  const Family *f = e->family;
  for (uint32_t i = 0; i < f->cells; i++)
    if (f->element[i]) look_at(e, f->element[i]);
  if (e->read_count > MOST_BITS || f->cells > MOST_FRAME) return false;
  find_axes(e);
  e->words = (e->read_count + 63) / 64;
  e->wanted = arena_array(s->scratch, uint64_t, f->cells * e->layers);
  e->allowed = arena_array(s->scratch, uint64_t, f->cells * e->words + 1);
  for (uint32_t i = 0; i < f->cells; i++) {
    if (!f->element[i]) continue;
    for (uint32_t layer = 0; layer < e->layers; layer++)
      e->wanted[layer * f->cells + i] = search_residue(s, f->element[i], FIRST_SEED + layer);
    mark_reads(e, f->element[i], i + 2, &e->allowed[i * e->words]);
  }
  e->slot_count = 4 * 16384;
  e->slots = arena_array(s->scratch, uint32_t, e->slot_count);
  e->scratch = arena_array(s->scratch, uint64_t, e->frame);
  e->scratch_reads = arena_array(s->scratch, uint64_t, f->cells * e->words + 1);
  return true;
}

Term search_bottom_up(Search *s, const Family *f) {
  Enumeration *e = arena_new(s->scratch, Enumeration);
  *e = (Enumeration){.s = s, .family = f};
  if (is_spent(e) || !prepare(e)) return 0;
  add_terminals(e);
  uint32_t from = 0, depth = 0;
  while (!e->found && !e->is_full && depth < SEARCH_DEPTH) {
    uint32_t to = e->known.count;
    depth++;
    grow_unary(e, from, to);
    grow_choices(e, to);
    grow_binary(e, from, to);
    if (from == to) break;
    from = to;
  }
  Term found = e->found ? term_of(e, e->found - 1) : 0;
  search_note(s, "%*senumerated to depth %u of at most %d: %u programs, %u kept, %s", (int)(2 * s->depth), "", depth,
              SEARCH_DEPTH, e->tries, e->known.count, found ? term_text(s->tt, found) : "none fits");
  return found;
}
