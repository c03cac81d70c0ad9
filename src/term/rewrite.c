/* Rewriting: substitution, rebuilding under facts, and the general bottom-up transformation.
 *
 * One walker serves all. A fold is entered by mapping its BOUND leaf to a symbol of its own (one per nesting depth)
 * that carries the fold's range, so that the constructors see ranges inside bodies too; leaving it is term_fold,
 * which binds again. Results are remembered per scope: a term without the indices of the inner folds is looked up in
 * the outermost scope where it has the same meaning. */
#include <string.h>

#include "term/cons.h"

typedef struct TermMemo {
  Term from, to;
} TermMemo;

typedef struct Scope {
  struct Scope *outer;
  uint64_t mask; /* bits that make a term belong to this scope or an inner one */
  Term bound, symbol;
  TermMemo *slots;
  uint32_t slot_count, used;
  bool has_fact; /* the guard is a fact inside: what it settles must not be remembered further out */
} Scope;         /* memo tables live until the whole walk ends: an outer table may grow while an inner scope is open */

typedef struct Walk {
  TermTable *tt;
  TermMap map;
  uint64_t map_mask; /* only terms with one of these can change; all ones: everything is rebuilt */
  TermVisit visit;
  bool (*keeps)(const TermTable *tt, Term t); /* NULL: nothing */
  void *payload;
  Scope *scope;
  uint32_t depth;
} Walk;

enum { FIRST_SLOTS = 256, DEPTH_LIMIT = 20000 };

static uint32_t hash_slot(Term t, uint32_t mask) { return (t * 0x9E3779B1u) >> 5 & mask; }

static Scope *scope_of(const Walk *walk, Term t) {
  Scope *scope = walk->scope;
  while (scope->outer && !scope->has_fact && !(term_node(walk->tt, t)->free_mask & scope->mask)) scope = scope->outer;
  return scope;
}

static Term *find(Scope *scope, Term t) {
  uint32_t mask = scope->slot_count - 1, i = hash_slot(t, mask);
  for (; scope->slots[i].from; i = (i + 1) & mask)
    if (scope->slots[i].from == t) return &scope->slots[i].to;
  return NULL;
}

static void insert(Walk *walk, Scope *scope, Term t, Term to) {
  if (scope->used * 2 >= scope->slot_count) {
    uint32_t old_count = scope->slot_count;
    TermMemo *old = scope->slots;
    scope->slot_count = old_count ? old_count * 4 : FIRST_SLOTS;
    scope->slots = arena_alloc(walk->tt->scratch, sizeof *scope->slots * scope->slot_count);
    scope->used = 0;
    for (uint32_t i = 0; i < old_count; i++)
      if (old[i].from) insert(walk, scope, old[i].from, old[i].to);
  }
  uint32_t mask = scope->slot_count - 1, i = hash_slot(t, mask);
  while (scope->slots[i].from) i = (i + 1) & mask;
  scope->slots[i].from = t, scope->slots[i].to = to;
  scope->used++;
}

Term term_make(TermTable *tt, Term like, const Term *args) {
  TermNode n = *term_node(tt, like);
  Term result;
  switch ((TermKind)n.kind) {
  case TERM_NONE:
  case TERM_RAT:
  case TERM_INF:
  case TERM_NEG_INF:
  case TERM_NAN:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_SYM:
  case TERM_BOUND:
  case TERM_UNDEF:
  case TERM_STATE: return n.count ? term_cons(tt, TERM_STATE, (TermSort)n.sort, n.aux, n.count, args) : like;
  case TERM_READ: return term_read(tt, args[0], (TermSort)n.sort, n.count - 1, args + 1);
  case TERM_PTR: return term_ptr(tt, args[0], args[1]);
  case TERM_ADD:
    result = args[0];
    for (uint32_t i = 1; i < n.count; i += 2)
      result = term_add(tt, result,
                        term_is_rat(tt, args[i]) ? term_scale(tt, term_rat(tt, args[i]), args[i + 1])
                                                 : term_mul(tt, args[i], args[i + 1]));
    return result;
  case TERM_MUL:
    result = tt->one;
    for (uint32_t i = 0; i < n.count; i += 2)
      result = term_mul(tt, result, term_power(tt, args[i], term_rat(tt, args[i + 1])));
    return result;
  case TERM_FLOORDIV: return term_floordiv(tt, args[0], args[1]);
  case TERM_MIN:
  case TERM_MAX:
    result = args[0];
    for (uint32_t i = 1; i < n.count; i++)
      result = n.kind == TERM_MIN ? term_min(tt, result, args[i]) : term_max(tt, result, args[i]);
    return result;
  case TERM_ABS:
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC:
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN: return term_unary(tt, (TermKind)n.kind, args[0]);
  case TERM_LE: return term_le(tt, args[0], n.count == 2 ? args[1] : tt->zero);
  case TERM_LT: return term_lt(tt, args[0], n.count == 2 ? args[1] : tt->zero);
  case TERM_EQ: return term_eq(tt, args[0], n.count == 2 ? args[1] : tt->zero);
  case TERM_NOT: return term_not(tt, args[0]);
  case TERM_AND:
  case TERM_OR:
    result = args[0];
    for (uint32_t i = 1; i < n.count; i++)
      result = n.kind == TERM_AND ? term_and(tt, result, args[i]) : term_or(tt, result, args[i]);
    return result;
  case TERM_SELECT: return term_select(tt, args[0], args[1], args[2]);
  case TERM_FN: return term_fn(tt, (TermFn)n.aux, n.count, args);
  case TERM_OPAQUE: return term_opaque(tt, n.aux, (TermSort)n.sort, n.count, args);
  case TERM_WRAP: return term_wrap(tt, n.aux, args[0]);
  case TERM_FOLD: return term_fold(tt, (TermFoldOp)n.aux, args[4], args[0], args[1], args[2], args[3]);
  case TERM_RECUR: {
    uint32_t count = n.aux / RECUR_STATES;
    if (n.count > 3 * count + 2) return term_cons(tt, TERM_RECUR, (TermSort)n.sort, n.aux, n.count, args);
    return term_recur(tt, count, n.aux % RECUR_STATES, args[2 * count + 1], args[0], args + 1, args + 1 + count,
                      args + 2 * count + 2);
  }
  case TERM_KIND_COUNT: break;
  }
  guard_throw(tt->arena->guard, GUARD_INTERNAL, "term_make of kind %d", n.kind);
}

static Term walk_term(Walk *walk, Term t);

static Term open_symbol(TermTable *tt) {
  if (tt->open_depth == tt->open.count) {
    const char *name = arena_format(tt->arena, "'%u", tt->open_depth);
    Term s = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_INDEX);
    array_push(tt->arena, &tt->open, s);
  }
  return tt->open.data[tt->open_depth++];
}

static Term walk_fold(Walk *walk, Term t) {
  TermTable *tt = walk->tt;
  Term lo = walk_term(walk, term_fold_lo(tt, t)), hi = walk_term(walk, term_fold_hi(tt, t));
  Term bound = term_fold_bound(tt, t), symbol = open_symbol(tt);
  Symbol *info = term_symbol(tt, symbol);
  Term old_lo = info->lo, old_hi = info->hi;
  Term last = term_sub(tt, hi, tt->one);
  uint64_t opened = random_hash(random_hash(random_hash(symbol) + lo) + last);
  info = term_symbol(tt, symbol);
  info->lo = lo, info->hi = last;
  tt->context += opened;
  Scope scope = {.outer = walk->scope, .mask = term_node(tt, bound)->free_mask, .bound = bound, .symbol = symbol};
  insert(walk, &scope, bound, symbol);
  walk->scope = &scope;
  Term guard = walk_term(walk, term_fold_guard(tt, t));
  uint32_t facts = tt->facts.count;
  if (guard != tt->true_) {
    term_push_fact(tt, guard);
    scope.has_fact = true;
  }
  Term body = walk_term(walk, term_fold_body(tt, t));
  term_pop_facts(tt, facts);
  walk->scope = scope.outer;
  Term args[5] = {lo, hi, guard, body, symbol};
  Term result = term_fold(tt, (TermFoldOp)term_aux(tt, t), args[4], args[0], args[1], args[2], args[3]);
  tt->context -= opened;
  info = term_symbol(tt, symbol);
  info->lo = old_lo, info->hi = old_hi;
  tt->open_depth--;
  return result;
}

/* What stands for a value of an opened recurrence: one that a loop carries. */
static Term open_state(TermTable *tt, uint32_t number, TermSort sort, bool finite) {
  uint32_t slot = (tt->open_depth * RECUR_STATES + number) * 3 + (uint32_t)sort;
  while (tt->open_states.count <= slot) array_push(tt->arena, &tt->open_states, 0);
  if (!tt->open_states.data[slot]) {
    const char *name = arena_format(tt->arena, "'%u.%u", tt->open_depth, number);
    Term s = term_symbol_new(tt, intern_text(tt->names, name), sort, SYMBOL_CARRY);
    tt->open_states.data[slot] = term_read(tt, s, sort, 0, NULL);
  }
  Term state = tt->open_states.data[slot];
  term_symbol(tt, term_arg(tt, state, 0))->axis = finite && sort == SORT_REAL ? SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE : 0;
  return state;
}

static Term walk_recur(Walk *walk, Term t) {
  TermTable *tt = walk->tt;
  Term bound = term_recur_bound(tt, t), old_lo[RECUR_LANES + 1], old_hi[RECUR_LANES + 1], symbols[RECUR_LANES + 1];
  RecurParts p = {.n = term_recur_count(tt, t),
                  .which = term_aux(tt, t) % RECUR_STATES,
                  .steps = walk_term(walk, term_arg(tt, t, 0)),
                  .lanes = term_recur_lanes(tt, t)};
  for (uint32_t d = 0; d < p.lanes; d++) {
    p.extent[d] = walk_term(walk, term_recur_lane(tt, t, d, 1));
    p.at[d] = walk_term(walk, term_recur_lane(tt, t, d, 2));
  }
  for (uint32_t i = 0; i < p.n && !p.lanes; i++) p.init[i] = walk_term(walk, term_arg(tt, t, 1 + i));
  bool finite = term_recur_is_finite(tt, t);
  Scope scope = {.outer = walk->scope};
  uint64_t opened = 0;
  for (uint32_t d = 0; d <= p.lanes; d++) { /* the index, and each lane */
    Term symbol = symbols[d] = open_symbol(tt), last = term_sub(tt, d ? p.extent[d - 1] : p.steps, tt->one),
         leaf = d ? term_recur_lane(tt, t, d - 1, 0) : bound;
    Symbol *info = term_symbol(tt, symbol);
    old_lo[d] = info->lo, old_hi[d] = info->hi;
    info->lo = tt->zero, info->hi = last;
    opened += random_hash(random_hash(random_hash(symbol) + tt->zero) + last);
    scope.mask |= term_node(tt, leaf)->free_mask;
    insert(walk, &scope, leaf, symbol);
    if (d) p.lane[d - 1] = symbol;
  }
  tt->context += opened;
  p.index = symbols[0];
  for (uint32_t i = 0; i < p.n; i++) {
    Term state = term_arg(tt, t, 2 * p.n + 2 + i), index[RECUR_LANES];
    uint32_t rank = term_count(tt, state);
    p.state[i] = open_state(tt, i, term_sort(tt, state), finite);
    Term symbol = term_arg(tt, p.state[i], 0);
    for (uint32_t k = 0; k < rank; k++) index[k] = *find(&scope, term_arg(tt, state, k));
    if (rank) p.state[i] = term_read(tt, symbol, term_sort(tt, state), rank, index);
    insert(walk, &scope, term_cons(tt, TERM_STATE, term_sort(tt, state), term_aux(tt, state), 0, NULL),
           rank ? symbol : p.state[i]);
  }
  walk->scope = &scope;
  for (uint32_t i = 0; i < p.n && p.lanes; i++) p.init[i] = walk_term(walk, term_arg(tt, t, 1 + i));
  for (uint32_t i = 0; i < p.n; i++) p.next[i] = walk_term(walk, term_arg(tt, t, 1 + p.n + i));
  walk->scope = scope.outer;
  Term result = term_recur_of(tt, p);
  tt->context -= opened;
  for (uint32_t d = p.lanes + 1; d-- > 0;) {
    Symbol *info = term_symbol(tt, symbols[d]);
    info->lo = old_lo[d], info->hi = old_hi[d];
    tt->open_depth--;
  }
  return result;
}

/* An element of an array that a recurrence around carries. */
static Term walk_state(Walk *walk, Term t, const Term *index) {
  TermTable *tt = walk->tt;
  Term head = term_cons(tt, TERM_STATE, term_sort(tt, t), term_aux(tt, t), 0, NULL), *symbol = NULL;
  for (Scope *s = walk->scope; s && !symbol; s = s->outer) symbol = find(s, head);
  return symbol ? term_read(tt, *symbol, term_sort(tt, t), term_count(tt, t), index)
                : term_cons(tt, TERM_STATE, term_sort(tt, t), term_aux(tt, t), term_count(tt, t), index);
}

/* As it is, but for the indices of folds around it: in a scope of its own, as what is below may stand elsewhere too. */
static Term walk_kept(Walk *walk, Term t) {
  TermVisit visit = walk->visit;
  Scope scope = {.outer = walk->scope, .has_fact = true};
  insert(walk, &scope, 0, 0);
  walk->scope = &scope, walk->visit = NULL;
  Term result = walk_term(walk, t);
  walk->scope = scope.outer, walk->visit = visit;
  return result;
}

static Term walk_args(Walk *walk, Term t) {
  TermTable *tt = walk->tt;
  uint32_t n = term_count(tt, t);
  Term small[40], *args = n <= 40 ? small : arena_array(tt->arena, Term, n);
  for (uint32_t i = 0; i < n; i++) args[i] = walk_term(walk, term_arg(tt, t, i));
  return term_kind(tt, t) == TERM_STATE ? walk_state(walk, t, args) : term_make(tt, t, args);
}

static Term walk_term(Walk *walk, Term t) {
  TermTable *tt = walk->tt;
  if (term_is_rat(tt, t)) return walk->visit ? walk->visit(tt, t, walk->payload) : t;
  uint64_t mask = term_node(tt, t)->free_mask;
  Scope *scope = scope_of(walk, t);
  if (!term_count(tt, t)) /* what a leaf stands for does not depend on facts: it may be mapped in any scope */
    for (Scope *s = walk->scope; s; s = s->outer)
      if (find(s, t)) return *find(s, t);
  if (!(mask & walk->map_mask) && !scope->outer && walk->map_mask != UINT64_MAX) return t;
  Term *known = find(scope, t);
  if (known) return *known;
  if (walk->visit && walk->keeps && walk->keeps(tt, t)) return walk_kept(walk, t);
  if (walk->depth++ > DEPTH_LIMIT)
    guard_throw(tt->arena->guard, GUARD_LIMIT, "term nested deeper than %d", DEPTH_LIMIT);
  Term result = term_kind(tt, t) == TERM_FOLD    ? walk_fold(walk, t)
                : term_kind(tt, t) == TERM_RECUR ? walk_recur(walk, t)
                : term_count(tt, t)              ? walk_args(walk, t)
                                                 : t;
  if (walk->visit) result = walk->visit(tt, result, walk->payload);
  walk->depth--;
  insert(walk, scope, t, result);
  return result;
}

static Term run_walk(Walk walk, Term t, bool everything) {
  TermTable *tt = walk.tt;
  TermMap map = walk.map;
  Scope root = {.slot_count = 0};
  ArenaMark mark = arena_mark(tt->scratch);
  walk.scope = &root;
  for (uint32_t i = 0; i < map.count; i++) walk.map_mask |= term_node(tt, map.from[i])->free_mask;
  if (everything) walk.map_mask = UINT64_MAX;
  insert(&walk, &root, 0, 0);
  for (uint32_t i = 0; i < map.count; i++) insert(&walk, &root, map.from[i], map.to[i]);
  Term result = walk_term(&walk, t);
  arena_reset(tt->scratch, mark);
  return result;
}

static Term run(TermTable *tt, Term t, TermMap map, TermVisit visit, void *payload, bool everything) {
  return run_walk((Walk){.tt = tt, .map = map, .visit = visit, .payload = payload}, t, everything);
}

Term term_substitute(TermTable *tt, Term t, TermMap map) { return run(tt, t, map, NULL, NULL, false); }

Term term_replace(TermTable *tt, Term t, Term symbol, Term by) {
  if (t == symbol) return by;
  if (!(term_node(tt, t)->free_mask & term_node(tt, symbol)->free_mask)) return t;
  return term_substitute(tt, t, (TermMap){1, &symbol, &by});
}

Term term_transform(TermTable *tt, Term t, TermVisit visit, void *payload) {
  return run(tt, t, (TermMap){0}, visit, payload, true);
}

typedef struct Part {
  Term part, by;
  bool found;
} Part;

static Term put_part(TermTable *tt, Term t, void *payload) {
  Part *p = payload;
  (void)tt;
  if (t != p->part) return t;
  p->found = true;
  return p->by;
}

Term term_replace_part(TermTable *tt, Term t, Term part, Term by) {
  return term_transform(tt, t, put_part, &(Part){part, by, false});
}

bool term_has_part(TermTable *tt, Term t, Term part) {
  Part p = {part, part, false};
  term_transform(tt, t, put_part, &p);
  return p.found;
}

typedef struct KindSearch {
  TermKind kind;
  bool found;
} KindSearch;

static Term find_kind(TermTable *tt, Term t, void *payload) {
  KindSearch *search = payload;
  search->found |= term_kind(tt, t) == search->kind;
  return t;
}

bool term_has_kind(TermTable *tt, Term t, TermKind kind) {
  KindSearch search = {.kind = kind};
  term_transform(tt, t, find_kind, &search);
  return search.found;
}

Term term_transform_outside(TermTable *tt, Term t, bool (*keeps)(const TermTable *tt, Term t), TermVisit visit,
                            void *payload) {
  return run_walk((Walk){.tt = tt, .visit = visit, .keeps = keeps, .payload = payload}, t, true);
}

Term term_rebuild(TermTable *tt, Term t) { return run(tt, t, (TermMap){0}, NULL, NULL, true); }

static bool is_fact(const TermTable *tt, Term c) {
  for (uint32_t i = 0; i < tt->facts.count; i++)
    if (tt->facts.data[i] == c) return true;
  return false;
}

/* Reals that a fact compares: max(x, y) = y where x <= y. */
static Term decide_extremum(TermTable *tt, Term t) {
  bool max = term_kind(tt, t) == TERM_MAX;
  uint32_t n = term_count(tt, t);
  if (n > 4 || term_sort(tt, t) != SORT_REAL) return t;
  for (uint32_t i = 0; i < n; i++) {
    Term x = term_arg(tt, t, i), rest = 0;
    bool worst = false;
    for (uint32_t k = 0; k < n; k++) {
      Term y = term_arg(tt, t, k);
      if (k == i) continue;
      rest = !rest ? y : max ? term_max(tt, rest, y) : term_min(tt, rest, y);
      worst |= is_fact(tt, max ? term_le(tt, x, y) : term_le(tt, y, x));
    }
    if (worst || is_fact(tt, max ? term_le(tt, x, rest) : term_le(tt, rest, x))) return rest;
    if (is_fact(tt, max ? term_le(tt, rest, x) : term_le(tt, x, rest))) return x;
  }
  return t;
}

/* Reals of which a fact says that one is less are not equal. */
static bool is_apart(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_EQ || term_sort(tt, term_arg(tt, t, 0)) != SORT_REAL) return false;
  Term a = term_arg(tt, t, 0), b = term_count(tt, t) == 2 ? term_arg(tt, t, 1) : tt->zero;
  return is_fact(tt, term_lt(tt, a, b)) || is_fact(tt, term_lt(tt, b, a));
}

/* True if t is what the fact excludes. Of integers e <= 0 excludes 1 - e <= 0, which is no question: constructors
 * settled it. */
static bool is_excluded(TermTable *tt, Term fact, Term t) {
  if (term_kind(tt, fact) != TERM_LE || term_count(tt, fact) != 1 || term_sort(tt, term_arg(tt, fact, 0)) != SORT_INT)
    return term_not(tt, fact) == t;
  return term_kind(tt, t) == TERM_LE && term_count(tt, t) == 1 &&
         term_arg(tt, t, 0) == term_sub(tt, tt->one, term_arg(tt, fact, 0));
}

/* Conditions that a fact settles by identity; the arithmetic ones are settled by the constructors. */
static Term decide_by_facts(TermTable *tt, Term t, void *compares_reals) {
  if (compares_reals && (term_kind(tt, t) == TERM_MAX || term_kind(tt, t) == TERM_MIN)) return decide_extremum(tt, t);
  if (term_sort(tt, t) != SORT_BOOL) return t;
  if (compares_reals && is_apart(tt, t)) return tt->false_;
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    if (tt->facts.data[i] == t) return tt->true_;
    if (is_excluded(tt, tt->facts.data[i], t)) return tt->false_;
  }
  return t;
}

Term term_assume(TermTable *tt, Term t, Term condition) {
  uint32_t facts = tt->facts.count;
  if (condition == tt->true_) return t;
  if (term_kind(tt, condition) == TERM_AND)
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++) term_push_fact(tt, term_arg(tt, condition, i));
  else
    term_push_fact(tt, condition);
  bool reals = false;
  for (uint32_t i = 0; i < tt->facts.count && !reals; i++) {
    Term fact = tt->facts.data[i];
    reals = (term_kind(tt, fact) == TERM_LE || term_kind(tt, fact) == TERM_LT) &&
            term_sort(tt, term_arg(tt, fact, 0)) == SORT_REAL;
  }
  Term result = term_transform(tt, t, decide_by_facts, reals ? tt : NULL);
  term_pop_facts(tt, facts);
  return result;
}
