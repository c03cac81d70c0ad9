/* The term table: hash-consing, symbols, leaves.
 *
 * A node's hash is a function of its structure alone (symbol names and creation numbers for leaves), so that sorted
 * argument lists come out the same whatever was built before. Arguments stand in one flat array. */
#include "term/term.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "term/cons.h"

const uint8_t term_kind_classes[TERM_KIND_COUNT] = {
#define TERM(kind, class, flags) TERM_CLASS_##class,
#include "term/kinds.def"
#undef TERM
};

enum {
  HAS_UNDEF = TERM_HAS_UNDEF,
  HAS_INF = TERM_HAS_INF,
  HAS_FOLD = TERM_HAS_FOLD,
  HAS_READ = TERM_HAS_READ,
  HAS_OPAQUE = TERM_HAS_OPAQUE
};
static const uint8_t kind_flags[TERM_KIND_COUNT] = {
#define TERM(kind, class, flags) flags,
#include "term/kinds.def"
#undef TERM
};

static uint64_t node_hash(const TermTable *tt, uint8_t kind, uint32_t aux, uint32_t count, const Term *args) {
  uint64_t h = random_hash(kind * 0x100000001u + 17);
  if (kind == TERM_RAT) {
    Rational r = tt->rationals.data[aux];
    return hash_bytes(&r, sizeof r, h);
  }
  if (kind == TERM_SYM) {
    const Symbol *s = &tt->symbols.data[aux];
    const char *name = intern_string(tt->names, s->name);
    SymbolRole role = s->role == SYMBOL_GRID ? SYMBOL_SIZE : s->role; /* which is what it is in a text */
    return hash_bytes(name, strlen(name), h + s->axis * 977u + role * 31u + s->sort);
  }
  if (kind == TERM_OPAQUE) {
    const char *name = intern_string(tt->names, aux);
    h = hash_bytes(name, strlen(name), h);
  } else {
    h = random_hash(h + aux);
  }
  for (uint32_t i = 0; i < count; i++) h = random_hash(h * 31 + tt->nodes.data[args[i]].hash);
  return h;
}

static void resize_slots(TermTable *tt) {
  tt->slot_count = tt->slot_count ? tt->slot_count * 2 : 4096;
  tt->slots = arena_array(tt->arena, uint32_t, tt->slot_count);
  uint32_t mask = tt->slot_count - 1;
  for (uint32_t id = 1; id < tt->nodes.count; id++) {
    uint32_t i = (uint32_t)(tt->nodes.data[id].hash >> 20) & mask;
    while (tt->slots[i]) i = (i + 1) & mask;
    tt->slots[i] = id;
  }
}

static bool same_node(const TermTable *tt, Term id, uint8_t kind, uint8_t sort, uint32_t aux, uint32_t count,
                      const Term *args) {
  const TermNode *n = &tt->nodes.data[id];
  return n->kind == kind && n->sort == sort && n->aux == aux && n->count == count &&
         (count == 0 || !memcmp(tt->args.data + n->first, args, sizeof *args * count));
}

static void inherit(TermTable *tt, TermNode *n, const Term *args) {
  for (uint32_t i = 0; i < n->count; i++) {
    const TermNode *a = &tt->nodes.data[args[i]];
    n->flags |= a->flags;
    n->free_mask |= a->free_mask;
    if (a->level > n->level) n->level = a->level;
    if (a->depth >= n->depth) n->depth = a->depth + 1;
  }
}

Term term_cons(TermTable *tt, TermKind kind, TermSort sort, uint32_t aux, uint32_t count, const Term *args) {
  guard_tick(tt->arena->guard);
  uint64_t hash = node_hash(tt, (uint8_t)kind, aux, count, args);
  uint32_t mask = tt->slot_count - 1, i = (uint32_t)(hash >> 20) & mask;
  for (; tt->slots[i]; i = (i + 1) & mask) {
    Term id = tt->slots[i];
    if (tt->nodes.data[id].hash == hash && same_node(tt, id, (uint8_t)kind, (uint8_t)sort, aux, count, args)) return id;
  }
  TermNode n = {
      .kind = (uint8_t)kind, .sort = (uint8_t)sort, .aux = aux, .first = tt->args.count, .count = count, .hash = hash};
  inherit(tt, &n, args);
  if (sort == SORT_REAL && (kind == TERM_MUL || kind == TERM_ADD || kind == TERM_FN)) n.flags |= TERM_HAS_REAL;
  if (n.depth > TERM_DEPTH) guard_throw(tt->arena->guard, GUARD_LIMIT, "a term nested deeper than %d", TERM_DEPTH);
  n.flags |= kind_flags[kind];
  if ((kind == TERM_READ && count > 1) || (kind == TERM_STATE && count) ||
      (kind == TERM_FLOORDIV && term_kind(tt, args[1]) != TERM_RAT))
    n.flags |= TERM_HAS_PARTIAL;
  if (kind == TERM_SYM) n.free_mask |= (uint64_t)1 << (aux % 48);
  if (kind == TERM_BOUND) n.free_mask |= (uint64_t)1 << (48 + aux % 16);
  if (kind == TERM_STATE) n.free_mask |= (uint64_t)1 << (48 + aux / RECUR_STATES % 16);
  if (kind == TERM_FOLD || kind == TERM_RECUR) {
    uint32_t level = tt->nodes.data[args[kind == TERM_FOLD ? 4 : 2 * (aux / RECUR_STATES) + 1]].aux,
             lanes = kind == TERM_FOLD ? 0 : (count - 3 * (aux / RECUR_STATES) - 2) / 3;
    if (n.level < level + lanes) /* folds in the bounds may nest deeper: a fold around this one is above them too */
      n.level = (uint8_t)(level + lanes);
    for (uint32_t own = level; own <= level + lanes; own++)
      n.free_mask &= ~((uint64_t)1 << (48 + own % 16)); /* levels stay below 16: no two share a bit */
  }
  for (uint32_t k = 0; k < count; k++) array_push(tt->arena, &tt->args, args[k]);
  Term id = tt->nodes.count;
  array_push(tt->arena, &tt->nodes, n);
  tt->slots[i] = id;
  if (tt->nodes.count * 2 > tt->slot_count) resize_slots(tt);
  return id;
}

TermTable *term_table_new(Arena *arena, InternTable *names) {
  TermTable *tt = arena_new(arena, TermTable);
  tt->arena = arena;
  tt->names = names;
  tt->scratch = arena_new_child(arena);
  array_push(arena, &tt->nodes, (TermNode){.kind = TERM_NONE});
  resize_slots(tt);
  tt->zero = term_int(tt, 0);
  tt->one = term_int(tt, 1);
  tt->minus_one = term_int(tt, -1);
  tt->true_ = term_cons(tt, TERM_TRUE, SORT_BOOL, 0, 0, NULL);
  tt->false_ = term_cons(tt, TERM_FALSE, SORT_BOOL, 0, 0, NULL);
  tt->inf = term_cons(tt, TERM_INF, SORT_REAL, 0, 0, NULL);
  tt->neg_inf = term_cons(tt, TERM_NEG_INF, SORT_REAL, 0, 0, NULL);
  return tt;
}

Term term_new_rat(TermTable *tt, Rational value) {
  uint64_t h = random_hash(TERM_RAT * 0x100000001u + 17);
  h = hash_bytes(&value, sizeof value, h);
  uint32_t mask = tt->slot_count - 1, i = (uint32_t)(h >> 20) & mask;
  for (; tt->slots[i]; i = (i + 1) & mask) {
    const TermNode *n = &tt->nodes.data[tt->slots[i]];
    if (n->kind == TERM_RAT && rational_equal(tt->rationals.data[n->aux], value)) return tt->slots[i];
  }
  uint32_t aux = tt->rationals.count;
  array_push(tt->arena, &tt->rationals, value);
  return term_cons(tt, TERM_RAT, value.den == 1 ? SORT_INT : SORT_REAL, aux, 0, NULL);
}

Term term_int(TermTable *tt, int64_t value) { return term_new_rat(tt, rational_int(value)); }
Term term_bool(TermTable *tt, bool value) { return value ? tt->true_ : tt->false_; }

Term term_float(TermTable *tt, double value) {
  Rational r;
  if (isnan(value)) return term_cons(tt, TERM_NAN, SORT_REAL, 0, 0, NULL);
  if (isinf(value)) return value > 0 ? tt->inf : tt->neg_inf;
  if (rational_from_double(value, &r)) return term_new_rat(tt, r);
  int exponent, step;
  frexp(value, &exponent);
  step = 64 * (exponent / 64);
  if (!step || !rational_from_double(ldexp(value, -step), &r))
    guard_throw(tt->arena->guard, GUARD_LIMIT, "float literal %g is out of range", value);
  return term_scale(tt, r, term_power(tt, term_int(tt, 2), rational_int(step)));
}

bool term_is_far(const TermTable *tt, Term t, double *value) {
  Rational k = rational_int(1);
  if (term_kind(tt, t) == TERM_ADD) {
    if (term_count(tt, t) != 3 || term_arg(tt, t, 0) != tt->zero) return false;
    k = term_rat(tt, term_arg(tt, t, 1)), t = term_arg(tt, t, 2);
  }
  if (term_kind(tt, t) != TERM_MUL || term_count(tt, t) != 2 || !term_is_rat(tt, term_arg(tt, t, 0))) return false;
  Rational base = term_rat(tt, term_arg(tt, t, 0)), e = term_rat(tt, term_arg(tt, t, 1));
  if (base.num != 2 || base.den != 1 || e.den != 1 || e.num % 64 || e.num > 1024 || e.num < -1088) return false;
  *value = ldexp(rational_to_double(k), (int)e.num);
  return isfinite(*value) && *value != 0;
}

const char *term_far_text(TermTable *tt, double value) {
  bool single = (double)(float)value == value;
  char text[40] = "";
  for (int digits = 0; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits, value);
    if ((single ? (double)strtof(text, NULL) : strtod(text, NULL)) == value) break;
  }
  return arena_format(tt->arena, "%s", text);
}

Term term_symbol_new(TermTable *tt, Name name, TermSort sort, SymbolRole role) {
  uint32_t index = tt->symbols.count;
  array_push(tt->arena, &tt->symbols, (Symbol){.name = name, .sort = sort, .role = role});
  Term t = term_cons(tt, TERM_SYM, sort, index, 0, NULL);
  tt->symbols.data[index].term = t;
  return t;
}

const char *term_axis_letter(uint32_t axis) {
  static const char *const letters[] = {"i", "j", "l", "m", "n", "o", "p", "q"};
  return axis < sizeof letters / sizeof *letters ? letters[axis] : "?";
}

static bool names_an_input(const Symbol *s, Name name) {
  return s->name == name && (s->role == SYMBOL_SIZE || s->role == SYMBOL_SCALAR || s->role == SYMBOL_TENSOR);
}

Term term_axis_symbol(TermTable *tt, uint32_t axis) {
  const char *text = term_axis_letter(axis);
  Name name = intern_text(tt->names, text);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    if (!names_an_input(&tt->symbols.data[i], name)) continue;
    text = arena_format(tt->arena, "%s_", text);
    name = intern_text(tt->names, text), i = UINT32_MAX; /* from the first */
  }
  Term index = term_symbol_new(tt, name, SORT_INT, SYMBOL_INDEX);
  term_symbol(tt, index)->axis = axis;
  return index;
}

Term term_symbol_fresh(TermTable *tt, const char *prefix, TermSort sort, SymbolRole role) {
  const char *text = arena_format(tt->arena, "%s%u", prefix, tt->fresh++);
  Term symbol = term_symbol_new(tt, intern_text(tt->names, text), sort, role);
  term_symbol(tt, symbol)->is_fresh = true;
  return symbol;
}

Term term_symbol_range(TermTable *tt, Term symbol, Term lo, Term hi) {
  Symbol *s = term_symbol(tt, symbol);
  if ((s->lo || s->hi) && (s->lo != lo || s->hi != hi))
    tt->context = random_hash(tt->context); /* answers known before are void */
  s->lo = lo, s->hi = hi;
  return symbol;
}

void term_symbol_narrow(TermTable *tt, Term symbol, Term lo, Term hi) {
  Symbol *s = term_symbol(tt, symbol);
  s->lo = lo, s->hi = hi;
}

Term term_undef(TermTable *tt, TermSort sort, uint32_t site) { return term_cons(tt, TERM_UNDEF, sort, site, 0, NULL); }

Term term_read(TermTable *tt, Term tensor, TermSort sort, uint32_t count, const Term *index) {
  Term args[20];
  if (count > 19) guard_throw(tt->arena->guard, GUARD_LIMIT, "rank above 19");
  args[0] = tensor;
  if (count) memcpy(args + 1, index, sizeof *index * count);
  return term_cons(tt, TERM_READ, sort, 0, count + 1, args);
}

Term term_ptr(TermTable *tt, Term tensor, Term offset) {
  return term_cons(tt, TERM_PTR, SORT_PTR, 0, 2, (Term[]){tensor, offset});
}

Term term_opaque(TermTable *tt, Name name, TermSort sort, uint32_t count, const Term *args) {
  Term known = tt->opaque ? tt->opaque(tt, tt->opaque_payload, name, count, args) : 0;
  return known ? known : term_opaque_as_is(tt, name, sort, count, args);
}

Term term_opaque_as_is(TermTable *tt, Name name, TermSort sort, uint32_t count, const Term *args) {
  return term_cons(tt, TERM_OPAQUE, sort, name, count, args);
}

bool term_is_int(const TermTable *tt, Term t, int64_t *value) {
  if (!term_is_rat(tt, t)) return false;
  Rational r = term_rat(tt, t);
  if (r.den != 1 || r.num < INT64_MIN || r.num > INT64_MAX) return false;
  *value = (int64_t)r.num;
  return true;
}

static bool search_symbol(TermTable *tt, Term t, Term symbol, uint64_t bit) {
  if (t == symbol) return true;
  if (!(tt->nodes.data[t].free_mask & bit) || tt->marks.data[t] == tt->epoch) return false;
  tt->marks.data[t] = tt->epoch;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (search_symbol(tt, term_arg(tt, t, i), symbol, bit)) return true;
  return false;
}

void term_marks_begin(TermTable *tt) {
  uint32_t had = tt->marks.count;
  if (had < tt->nodes.count) {
    array_reserve(tt->arena, &tt->marks, tt->nodes.count);
    for (uint32_t i = had; i < tt->marks.capacity; i++) tt->marks.data[i] = 0;
    tt->marks.count = tt->marks.capacity;
  }
  tt->epoch++;
}

bool term_has_symbol(const TermTable *table, Term t, Term symbol) {
  TermTable *tt = (TermTable *)table;
  uint64_t bit = tt->nodes.data[symbol].free_mask;
  if (!(tt->nodes.data[t].free_mask & bit)) return false;
  term_marks_begin(tt);
  return search_symbol(tt, t, symbol, bit);
}

static void collect_symbols(TermTable *tt, Term t, TermList *out) {
  if (tt->marks.data[t] == tt->epoch || !(tt->nodes.data[t].free_mask & 0xFFFFFFFFFFFFu)) return;
  tt->marks.data[t] = tt->epoch;
  if (term_kind(tt, t) == TERM_SYM) {
    array_push(tt->arena, out, t);
    return;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) collect_symbols(tt, term_arg(tt, t, i), out);
}

void term_symbols(TermTable *tt, Term t, TermList *out) {
  term_marks_begin(tt);
  for (uint32_t i = 0; i < out->count; i++) tt->marks.data[out->data[i]] = tt->epoch;
  collect_symbols(tt, t, out);
}

Rational term_constant_part(const TermTable *tt, Term t) {
  if (term_is_rat(tt, t)) return term_rat(tt, t);
  if (term_kind(tt, t) == TERM_ADD) return term_rat(tt, term_arg(tt, t, 0));
  return rational_int(0);
}

Rational term_coefficient(const TermTable *tt, Term t, Term *rest) {
  if (term_kind(tt, t) == TERM_ADD && term_count(tt, t) == 3 && term_arg(tt, t, 0) == tt->zero) {
    *rest = term_arg(tt, t, 2);
    return term_rat(tt, term_arg(tt, t, 1));
  }
  *rest = t;
  return rational_int(1);
}

const char *term_name(const TermTable *tt, Term symbol) {
  return intern_string(tt->names, term_symbol(tt, symbol)->name);
}

static void push_one_fact(TermTable *tt, Term fact) {
  array_push(tt->arena, &tt->facts, fact);
  tt->context += random_hash(fact);
}

/* A bound of floor(a / b), for a literal b > 0, as one of a: c <= floor(a / b) iff b*c <= a. 0: the fact is no such
 * bound. */
static Term bound_of_numerator(TermTable *tt, Term fact) {
  if (term_kind(tt, fact) != TERM_LE || term_count(tt, fact) != 1) return 0;
  Term e = term_arg(tt, fact, 0), floor = 0;
  int64_t sign = 0, b;
  for (uint32_t i = 1; term_kind(tt, e) == TERM_ADD && i < term_count(tt, e); i += 2) {
    if (term_kind(tt, term_arg(tt, e, i + 1)) != TERM_FLOORDIV) continue;
    if (floor || !term_is_int(tt, term_arg(tt, e, i), &sign)) return 0;
    floor = term_arg(tt, e, i + 1);
  }
  if (!floor || (sign != 1 && sign != -1) || !term_is_int(tt, term_arg(tt, floor, 1), &b) || b <= 0) return 0;
  Term a = term_arg(tt, floor, 0), rest = sign > 0 ? term_sub(tt, e, floor) : term_add(tt, e, floor);
  Term scaled = term_scale(tt, rational_int(b), rest); /* floor + rest <= 0, or rest - floor <= 0 */
  return sign > 0 ? term_lt(tt, term_add(tt, a, scaled), term_int(tt, b)) : term_le(tt, scaled, a);
}

void term_push_fact(TermTable *tt, Term fact) {
  Term bound = bound_of_numerator(tt, fact);
  push_one_fact(tt, fact);
  if (bound && bound != tt->true_) push_one_fact(tt, bound);
}

void term_push_sizes(TermTable *tt, Term condition) {
  Term difference =
      term_kind(tt, condition) == TERM_EQ && term_count(tt, condition) == 1 ? term_arg(tt, condition, 0) : 0;
  if (condition == tt->true_) return;
  term_push_fact(tt, condition);
  if (!difference || term_sort(tt, difference) != SORT_INT) return;
  term_push_fact(tt, term_le(tt, difference, tt->zero));
  term_push_fact(tt, term_le(tt, tt->zero, difference));
}

void term_pop_facts(TermTable *tt, uint32_t count) {
  while (tt->facts.count > count) tt->context -= random_hash(tt->facts.data[--tt->facts.count]);
}

TermUnfinished term_remember(const TermTable *tt) {
  return (TermUnfinished){
      tt->facts.count,      tt->depth,    tt->patience, tt->pair_count,         tt->open_depth, tt->finite_states,
      tt->splits_quotients, tt->in_masks, tt->context,  arena_mark(tt->scratch)};
}

void term_take_back(TermTable *tt, TermUnfinished before) {
  tt->facts.count = before.facts, tt->depth = before.depth, tt->patience = before.patience,
  tt->pair_count = before.pairs, tt->open_depth = before.open;
  tt->finite_states = before.finite_states, tt->splits_quotients = before.splits_quotients,
  tt->in_masks = before.in_masks, tt->context = before.context;
  tt->text_depth = 0, tt->marks_names = false;
  arena_reset(tt->scratch, before.scratch);
}

bool term_attempt(TermTable *tt, double share, void (*work)(void *payload), void *payload) {
  const TermUnfinished before = term_remember(tt);
  bool good = guard_attempt(tt->arena->guard, share, work, payload);
  if (!good) term_take_back(tt, before);
  return good;
}
