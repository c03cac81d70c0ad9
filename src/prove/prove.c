/* The prover (see prove.h). */
#include "prove/prove_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "laws/one_point.h"
#include "lift/source_text.h"
#include "prove/layout.h"
#include "prove/rewrite.h"
#include "prove/sequential.h"
#include "solve/solve.h"

enum { SOLVER_GOALS = 3, REWRITE_GOALS = 4 }; /* the most that one kernel may ask */
static const double SOLVER_SECONDS = 2;

#define FORMAT_NAME(buffer)                                                                                            \
  char buffer[300];                                                                                                    \
  va_list args;                                                                                                        \
  va_start(args, format);                                                                                              \
  vsnprintf(buffer, sizeof buffer, format, args);                                                                      \
  va_end(args)

bool prove_goal(Prover *p, bool proved, EqualEngine engine, const char *format, ...) {
  FORMAT_NAME(buffer);
  const char *name = arena_copy(p->arena, buffer, strlen(buffer));
  array_push(p->arena, &p->result.goals, (ProveGoal){.name = name, .proved = proved, .engine = engine});
  if (!proved && !p->result.why) p->result.why = name;
  return proved;
}

static bool close_equality(Prover *p, EqualEngine engine, Term a, Term b, Term end, const char *name) {
  const char *steps = NULL;
  if (engine == EQUAL_NONE && p->rewrite_goals++ < REWRITE_GOALS &&
      rewrite_prove(p->tt, equal_peel(p->tt, a, end), equal_peel(p->tt, b, end), &steps))
    engine = EQUAL_EXPLANATION;
  bool closed = prove_goal(p, engine != EQUAL_NONE, engine, "%s", name);
  p->result.goals.data[p->result.goals.count - 1].steps = steps;
  if (closed) return true;
  p->result.goals.data[p->result.goals.count - 1].open =
      arena_format(p->arena, "%s = %s", term_text(p->tt, a), term_text(p->tt, b));
  return false;
}

bool prove_equal(Prover *p, Term a, Term b, const char *format, ...) {
  FORMAT_NAME(buffer);
  return close_equality(p, equal_prove(p->tt, a, b), a, b, 0, buffer);
}

bool prove_step(Prover *p, Term a, Term b, Term end, const char *format, ...) {
  FORMAT_NAME(buffer);
  return close_equality(p, equal_prove_step(p->tt, a, b, end), a, b, end, buffer);
}

bool prove_true(Prover *p, Term condition, const char *format, ...) {
  FORMAT_NAME(buffer);
  condition = term_assume(p->tt, term_rebuild(p->tt, condition), p->tt->true_);
  bool holds = equal_prove_true(p->tt, condition);
  bool solved = !holds && p->solver_goals++ < SOLVER_GOALS && solve_condition(p->tt, condition, SOLVER_SECONDS);
  if (prove_goal(p, holds || solved, solved ? EQUAL_SMT : EQUAL_NONE, "%s", buffer)) return true;
  p->result.goals.data[p->result.goals.count - 1].open = term_text(p->tt, condition);
  return false;
}

/* ---- from the symbols of the claim to those of the new execution ---- */

static Term renamed(const Prover *p, Term t) { return t ? term_substitute(p->tt, t, p->renaming) : 0; }

static void rename_symbols(Prover *p) {
  const Effects *old = p->claim->ex, *ex = p->ex;
  uint32_t room = ex->params.count + 6 + ex->accesses.count * EXECUTE_MAX_COUNTERS, n = 0;
  Term *from = arena_array(p->arena, Term, 2 * room), *to = from + room;
  for (uint32_t i = 0; i < ex->params.count; i++, n++)
    from[n] = old->params.data[i].symbol, to[n] = ex->params.data[i].symbol;
  for (uint32_t i = 0; i < 3; i++) {
    from[n] = old->pid[i], to[n++] = ex->pid[i];
    from[n] = old->grid[i], to[n++] = ex->grid[i];
  }
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    for (uint32_t k = 0; k < ex->accesses.data[i].counter_count; k++) {
      bool known = false;
      for (uint32_t j = 0; j < n; j++) known |= from[j] == old->accesses.data[i].counters[k];
      if (!known) from[n] = old->accesses.data[i].counters[k], to[n++] = ex->accesses.data[i].counters[k];
    }
  p->renaming = (TermMap){n, from, to};
}

static bool same_course(const Effects *a, const Effects *b) {
  if (a->stop_code || b->stop_code || a->accesses.count != b->accesses.count || a->params.count != b->params.count)
    return false;
  for (uint32_t i = 0; i < a->accesses.count; i++)
    if (a->accesses.data[i].op != b->accesses.data[i].op ||
        a->accesses.data[i].counter_count != b->accesses.data[i].counter_count ||
        a->accesses.data[i].is_store != b->accesses.data[i].is_store)
      return false;
  return true;
}

/* ---- assumptions ---- */

static void substitute_everywhere(Prover *p, Term from, Term to) {
  TermTable *tt = p->tt;
  effects_replace(p->ex, EFFECTS_ACCESSES | EFFECTS_OLD | EFFECTS_LOOPS, from, to);
  for (uint32_t i = 0; i < tt->symbols.count;
       i++) { /* ranges: replacing makes new symbols possible, so no pointers are kept */
    if (tt->symbols.data[i].term == from) continue;
    Term lo = tt->symbols.data[i].lo, hi = tt->symbols.data[i].hi;
    if (lo) lo = term_replace(tt, lo, from, to);
    if (hi) hi = term_replace(tt, hi, from, to);
    term_symbol_range(tt, tt->symbols.data[i].term, lo, hi);
  }
}

static Term one_point(Term t, void *table) { return term_transform(table, t, law_one_point, NULL); }

/* What a loop leaves in memory is read again, knowing what is assumed. */
static void rebuild_accesses(Prover *p) {
  effects_rebuild(p->ex, EFFECTS_ACCESSES | EFFECTS_OLD);
  if (p->ex->program->is_host) effects_map(p->ex, EFFECTS_ACCESSES, (EffectsMarks){0}, one_point, p->tt);
}

static void rebuild_loops(Prover *p) { effects_rebuild(p->ex, EFFECTS_LOOPS); }

/* The condition as `symbol = value` for a symbol of the grid; 0: it has not that form. */
static Term solve_for_grid(Prover *p, Term condition, Term *value) {
  TermTable *tt = p->tt;
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return 0;
  Term e = term_arg(tt, condition, 0);
  for (uint32_t i = 0; i < 3; i++) {
    Term grid = p->ex->grid[i], rest = term_replace(tt, e, grid, tt->zero);
    if (!term_has_symbol(tt, e, grid)) continue;
    if (term_add(tt, rest, grid) == e)
      *value = term_neg(tt, rest);
    else if (term_sub(tt, rest, grid) == e)
      *value = rest;
    else
      continue;
    if (!term_has_symbol(tt, *value, grid)) return grid;
  }
  return 0;
}

/* `symbol` is `value` from here on: later conditions see it too. */
static void substitute_symbol(Prover *p, Term symbol, Term value, Term *ends) {
  for (uint32_t k = 0; k < p->renaming.count; k++)
    ((Term *)p->renaming.to)[k] = term_replace(p->tt, p->renaming.to[k], symbol, value);
  for (uint32_t k = 0; k < p->ex->loops.count; k++)
    if (ends[k]) ends[k] = term_replace(p->tt, ends[k], symbol, value);
  substitute_everywhere(p, symbol, value);
}

/* The printed assumptions are all that is known besides the ranges of types. */
static void apply_assumptions(Prover *p) {
  TermTable *tt = p->tt;
  Term *ends = arena_array(p->arena, Term, p->ex->loops.count + 1);
  for (uint32_t i = 0; i < p->ex->loops.count;
       i++) { /* closed forms hold for t = trips too: made again without t < trips */
    Term counter = p->ex->loops.data[i].counter;
    ends[i] = term_symbol(tt, counter)->hi;
    term_symbol_range(tt, counter, term_symbol(tt, counter)->lo, 0);
  }
  for (uint32_t i = 0; i < p->claim->assumptions.count; i++) {
    Term condition = p->claim->assumptions.data[i].condition, value;
    if (!condition) continue;
    condition = term_rebuild(tt, renamed(p, condition));
    Term grid = solve_for_grid(p, condition, &value);
    if (grid) {
      prove_idle_programs(p, (Assumption *)(uintptr_t)&p->claim->assumptions.data[i], grid, value);
      substitute_symbol(p, grid, value, ends);
      continue;
    }
    if (term_kind(tt, condition) == TERM_LE &&
        term_count(tt, condition) == 1) { /* symbol <= literal becomes its range */
      Term e = term_arg(tt, condition, 0), c = term_new_rat(tt, term_constant_part(tt, e)), s = term_sub(tt, e, c);
      if (term_kind(tt, s) == TERM_SYM &&
          !(term_symbol(tt, s)->hi && term_prove_le(tt, term_symbol(tt, s)->hi, term_neg(tt, c)))) {
        term_symbol_range(tt, s, term_symbol(tt, s)->lo, term_neg(tt, c));
        continue;
      }
    }
    equal_push(tt, condition);
  }
  for (uint32_t k = 0; k < 3; k++) /* one program along an axis: its id is 0 */
    if (term_prove_le(tt, term_symbol(tt, p->ex->pid[k])->hi, tt->zero))
      substitute_symbol(p, p->ex->pid[k], tt->zero, ends);
  rebuild_loops(p);
  for (uint32_t i = 0; i < p->ex->loops.count; i++)
    term_symbol_range(tt, p->ex->loops.data[i].counter, tt->zero, ends[i]);
  rebuild_accesses(p);
}

/* ---- the claim at a place ---- */

typedef ProveSite Site;

typedef struct Flatten {
  const Prover *p;
} Flatten;

/* READ(T, i, j) of the claim is the element at offset i*s0 + j*s1 of T. */
static Term flatten_read(TermTable *tt, Term t, void *payload) {
  const Flatten *flatten = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  const PointwiseTensor *tensor = pointwise_tensor(flatten->p->claim->pointwise, term_arg(tt, t, 0));
  if (!tensor) return t;
  Term offset = tt->zero;
  for (uint32_t k = 0; k < tensor->rank; k++)
    offset = term_add(tt, offset, term_mul(tt, tensor->stride[k], term_arg(tt, t, k + 1)));
  return term_read(tt, tensor->symbol, term_sort(tt, t), 1, &offset);
}

static Term of_claim(const Prover *p, Term t) {
  Flatten flatten = {p};
  return renamed(p, term_transform(p->tt, t, flatten_read, &flatten));
}

/* A term over the recovery's coordinates as one over program ids, lanes and counters. */
static Term over_original(const Prover *p, Term t) {
  for (uint32_t i = p->claim->hints.definitions.count; i-- > 0;)
    t = term_replace(p->tt, t, p->claim->hints.definitions.data[i].from, p->claim->hints.definitions.data[i].to);
  return renamed(p, t);
}

/* An original coordinate as a term over the output's indices and the coordinates they leave free. */
static Term from_index(const Prover *p, const StorePlace *place, Term coordinate) {
  return term_substitute(p->tt, recover_now(p->claim, place->access, coordinate), place->map);
}

static bool is_claim_index(const PointwiseOutput *output, Term s) {
  for (uint32_t k = 0; k < output->rank; k++)
    if (output->index[k] == s) return true;
  return false;
}

static void add_coordinate(Prover *p, Site *site, Term old, Term new) {
  TermTable *tt = p->tt;
  Term at = from_index(p, site->place, old);
  TermList symbols = {0};
  term_symbols(tt, at, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term s = symbols.data[i];
    SymbolRole role = term_symbol(tt, s)->role;
    if ((role != SYMBOL_PID && role != SYMBOL_LANE && role != SYMBOL_COUNTER && role != SYMBOL_INDEX) ||
        is_claim_index(site->output, s))
      continue;
    bool known = false;
    s = renamed(p, s);
    for (uint32_t k = 0; k < site->free.count; k++) known |= site->free.data[k] == s;
    if (!known && term_kind(tt, s) == TERM_SYM) array_push(p->arena, &site->free, s);
  }
  site->coordinate[site->coordinate_count] = new;
  site->at[site->coordinate_count++] = renamed(p, at);
}

static bool open_site(Prover *p, Site *site, uint32_t access) {
  TermTable *tt = p->tt;
  const Access *old = &p->claim->ex->accesses.data[access];
  *site = (Site){.access = &p->ex->accesses.data[access]};
  for (uint32_t i = 0; i < p->claim->hints.places.count; i++)
    if (p->claim->hints.places.data[i].access == access) site->place = &p->claim->hints.places.data[i];
  if (!site->place) return false;
  site->output = &p->claim->pointwise->outputs.data[site->place->output];
  site->tensor = &p->claim->pointwise->tensors.data[site->output->tensor];
  site->view = *site->tensor;
  for (uint32_t k = 0; k < site->view.rank; k++) {
    site->view.extent[k] = renamed(p, site->tensor->extent[k]);
    site->view.stride[k] = renamed(p, site->tensor->stride[k]);
    term_symbol_range(tt, site->output->index[k], tt->zero, term_sub(tt, site->view.extent[k], tt->one));
  }
  if (!recover_indices(p->claim->ex->tt, p->claim->ex, site->tensor, old->offset, site->index)) return false;
  for (uint32_t k = 0; k < site->view.rank; k++) site->index[k] = over_original(p, site->index[k]);
  for (uint32_t i = 0; i < 3; i++) add_coordinate(p, site, p->claim->ex->pid[i], p->ex->pid[i]);
  for (uint32_t i = 0; i < old->rank; i++)
    if (old->lanes[i]) add_coordinate(p, site, old->lanes[i], site->access->lanes[i]);
  for (uint32_t i = 0; i < old->counter_count; i++)
    add_coordinate(p, site, old->counters[i], site->access->counters[i]);
  const PointwisePiece *piece = &site->output->pieces.data[site->place->piece];
  site->region = of_claim(p, piece->region);
  site->value = of_claim(p, piece->value);
  return true;
}

/* A claim over the output's indices, at the indices of the address. */
static Term at_address(const Prover *p, const Site *site, Term t) {
  return term_substitute(p->tt, t, (TermMap){site->output->rank, site->output->index, site->index});
}

static Term put_quotient(TermTable *tt, Term t, void *payload) {
  const Site *site = payload;
  (void)tt;
  for (uint32_t i = 0; i < site->quotients.count; i++)
    if (site->quotients.data[i].from == t) return site->quotients.data[i].to;
  return t;
}

/* A term over the coordinates, where the index comes from. */
static Term at_index(const Prover *p, const Site *site, Term t) {
  t = term_substitute(p->tt, t, (TermMap){site->coordinate_count, site->coordinate, site->at});
  return site->quotients.count ? term_transform(p->tt, t, put_quotient, (void *)(uintptr_t)site) : t;
}

/* quotient = value: for the floor division in it whose other summands are in value too. */
static void add_quotient(Prover *p, Site *site, Term quotient, Term value) {
  TermTable *tt = p->tt;
  if (term_kind(tt, quotient) == TERM_FLOORDIV)
    array_push(p->arena, &site->quotients, ((Substitution){quotient, value}));
  if (term_kind(tt, quotient) != TERM_ADD) return;
  for (uint32_t i = 1; i < term_count(tt, quotient); i += 2) {
    Term floor = term_arg(tt, quotient, i + 1), rest = term_sub(tt, value, term_sub(tt, quotient, floor));
    if (term_kind(tt, floor) != TERM_FLOORDIV || term_arg(tt, quotient, i) != tt->one || !term_is_rat(tt, rest))
      continue;
    array_push(p->arena, &site->quotients, ((Substitution){floor, rest}));
    return;
  }
}

/* A program id p was split, q = p // g. At the index both are known, p and q: that they fit, g*q <= p < g*q + g, is
 * shown once and used wherever p // g stands. Nested splits follow, each over the ones before. */
static void find_quotients(Prover *p, Site *site) {
  TermTable *tt = p->tt;
  uint32_t n = p->claim->hints.definitions.count, room = n + p->renaming.count;
  Term *from = arena_array(p->arena, Term, 2 * room + 1), *to = from + room;
  uint32_t known = 0;
  for (uint32_t i = 0; i < p->renaming.count; i++)
    from[known] = p->renaming.from[i], to[known++] = at_index(p, site, p->renaming.to[i]);
  for (uint32_t i = 0; i < n; i++) {
    const Substitution *d = &p->claim->hints.definitions.data[i];
    Term value = renamed(p, from_index(p, site->place, d->from));
    if (term_kind(tt, d->to) == TERM_FLOORDIV) {
      TermMap map = {known, from, to};
      Term a = term_transform(tt, term_substitute(tt, term_arg(tt, d->to, 0), map), put_quotient, site);
      Term b = term_transform(tt, term_substitute(tt, term_arg(tt, d->to, 1), map), put_quotient, site);
      Term quotient = term_floordiv(tt, a, b), product = term_mul(tt, b, value);
      Term fits = term_and(tt, term_le(tt, product, a), term_lt(tt, a, term_add(tt, product, b)));
      if (quotient != value && equal_prove_true(tt, fits)) add_quotient(p, site, quotient, value);
    }
    from[known] = d->from, to[known++] = value;
  }
}

/* ---- goals ---- */

/* A size that the recovery made up, because no access bounds the index. */
static bool is_made_up(const Prover *p, Term extent) {
  if (term_kind(p->tt, extent) != TERM_SYM || term_symbol(p->tt, extent)->role != SYMBOL_SIZE) return false;
  for (uint32_t i = 0; i < p->ex->params.count; i++)
    if (p->ex->params.data[i].symbol == extent) return false;
  return true;
}

static Assumption *add_assumption(Prover *p, AssumptionKind kind, Term condition, const char *text, const char *why);

/* An index that a function of a host language reads from memory, and that nothing shows to be in range: elsewhere the
 * function is undefined. */
static bool is_read_index(const Prover *p, Term index) {
  return p->ex->program->is_host && (term_node(p->tt, index)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE));
}

static bool relies_on_index(Prover *p, const Site *site, Term index, Term extent) {
  TermTable *tt = p->tt;
  if (!is_read_index(p, index)) return false;
  if (equal_prove_true(tt, term_le(tt, tt->zero, index)) && equal_prove_true(tt, term_lt(tt, index, extent)))
    return false;
  add_assumption(p, ASSUME_PRECONDITION, 0, claim_data_indices(p->arena, message_name(p->arena, site->tensor->name)),
                 arena_format(p->arena, "else it is undefined (%s)", execute_where(p->ex, site->access->op)));
  return true;
}

/* The mask with the symbols that are one number under it: of i < 1, x[i] is x[0]. */
static Term with_numbers(TermTable *tt, Term mask) {
  Term all = mask;
  for (uint32_t i = 0; term_kind(tt, all) == TERM_AND && i < term_count(tt, all); i++) {
    Term c = term_arg(tt, all, i);
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1) continue;
    Term e = term_arg(tt, c, 0), most = term_new_rat(tt, rational_neg(term_constant_part(tt, e)));
    Term s = term_add(tt, e, most); /* s <= most */
    if (term_kind(tt, s) == TERM_SYM && term_symbol(tt, s)->lo == most) mask = term_replace(tt, mask, s, most);
  }
  return mask;
}

/* The mask, and what its parts are where the others hold: of c < n and where(c < n, x[c], 0) < m, x[c] < m. */
static Term mask_where_it_holds(TermTable *tt, Term mask) {
  Term all = mask;
  for (uint32_t i = 0, n = term_conjunct_count(tt, mask); i < n; i++) {
    Term others = tt->true_, part = term_conjunct(tt, mask, i);
    for (uint32_t k = 0; k < n; k++)
      if (k != i) others = term_and(tt, others, term_conjunct(tt, mask, k));
    all = term_and(tt, all, term_assume(tt, part, others));
  }
  return all;
}

/* The mask, and what it says where quotients are 0 under it: of i < n, i % n is i. */
static void push_mask(TermTable *tt, Term mask) {
  equal_push(tt, mask);
  Term plain = term_without_quotients(tt, mask), numbers = with_numbers(tt, mask);
  if (plain != mask) equal_push(tt, plain);
  if (numbers != mask) equal_push(tt, numbers);
}

/* Where an iteration runs, its loop has one. */
static void push_iterations(TermTable *tt, const Access *a) {
  for (uint32_t k = 0; k < a->counter_count; k++) {
    Term last = term_symbol(tt, a->counters[k])->hi;
    if (last) equal_push(tt, term_le(tt, tt->zero, last));
  }
}

static bool prove_place(Prover *p, Site *site) {
  TermTable *tt = p->tt;
  const char *name = term_message(tt, site->tensor->symbol), *where = execute_where(p->ex, site->access->op);
  Term offset = tt->zero;
  for (uint32_t k = 0; k < site->view.rank; k++)
    offset = term_add(tt, offset, term_mul(tt, site->view.stride[k], site->index[k]));
  uint32_t facts = tt->facts.count;
  push_mask(tt, mask_where_it_holds(tt, site->access->mask));
  Term own = site->access->offset; /* of what is stored, so under the mask */
  if (term_sub(tt, offset, own) != tt->zero) own = term_without_quotients(tt, own);
  if (!prove_equal(p, offset, own, "%s: the address of %s is that of its index", where, name)) {
    term_pop_facts(tt, facts);
    return false;
  }
  push_iterations(tt, site->access);
  bool good = true;
  for (uint32_t k = 0; k < site->view.rank && good; k++) {
    Term index = term_rebuild(tt, site->index[k]);
    if (relies_on_index(p, site, index, site->view.extent[k])) continue;
    if (is_made_up(p, site->view.extent[k]))
      continue; /* an extent that data decides: whether it suffices is for the bounds */
    good =
        prove_true(p, term_le(tt, tt->zero, index), "%s: index %u of %s is not negative", where, k, name) &&
        prove_true(p, term_lt(tt, index, site->view.extent[k]), "%s: index %u of %s lies in its shape", where, k, name);
  }
  if (good && !site->access->is_atomic) {
    Term region = term_assume(tt, at_address(p, site, site->region), site->access->mask);
    good = prove_true(p, term_transform(tt, region, law_any_witness, NULL),
                      "%s: what is stored to %s lies in the region", where, name);
  }
  term_pop_facts(tt, facts);
  return good;
}

static bool prove_value(Prover *p, Site *site) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count;
  Term mask = mask_where_it_holds(tt, site->access->mask);
  Term left = term_assume(tt, site->access->value, mask),
       right = term_assume(tt, at_address(p, site, site->value), mask);
  push_mask(tt, mask);
  push_iterations(tt, site->access);
  for (uint32_t k = 0; k < site->view.rank; k++) { /* shown, or relied on, of its place */
    Term index = term_rebuild(tt, site->index[k]);
    if (!is_read_index(p, index)) continue;
    equal_push(tt, term_le(tt, tt->zero, index));
    equal_push(tt, term_lt(tt, index, site->view.extent[k]));
  }
  left = term_without_quotients(tt, left);
  if (p->ex->program->is_host) right = one_point(right, tt); /* as the access is (rebuild_accesses) */
  bool good = prove_equal(p, left, right, "%s: the value stored to %s is the formula",
                          execute_where(p->ex, site->access->op), term_message(tt, site->tensor->symbol));
  term_pop_facts(tt, facts);
  return good;
}

/* Coordinates that the index leaves free: any will do, the first is taken. */
static Term choose_free(const Prover *p, const Site *site, Term t) {
  for (uint32_t i = 0; i < site->free.count; i++) {
    Term s = site->free.data[i], lo = term_symbol(p->tt, s)->lo;
    t = term_replace(p->tt, t, s, lo ? renamed(p, lo) : p->tt->zero);
  }
  return t;
}

/* The least or greatest index that passes a guard, where one does: it lies in the range of the fold. */
static bool is_found_index(TermTable *tt, Term t, FoldParts *fold) {
  if (term_kind(tt, t) != TERM_FOLD || (term_aux(tt, t) != FOLD_MAX && term_aux(tt, t) != FOLD_MIN)) return false;
  *fold = term_fold_open(tt, t);
  if (fold->body != fold->symbol) return false;
  Term any = term_fold(tt, FOLD_ANY, fold->symbol, fold->lo, fold->hi, fold->guard, tt->true_);
  return any == tt->true_ || equal_prove_true(tt, any);
}

/* A found index passes its guard, which may say that another one is found: inner ones come first. */
static Term note_found(TermTable *tt, Term t, void *unused) {
  (void)unused;
  FoldParts fold;
  if (!(term_node(tt, t)->free_mask >> 48) && is_found_index(tt, t, &fold))
    equal_push(tt, term_replace(tt, fold.guard, fold.symbol, t));
  return t;
}

static bool prove_in_launch(Prover *p, const Site *site, uint32_t k) {
  TermTable *tt = p->tt;
  Term c = site->coordinate[k], at = term_rebuild(tt, choose_free(p, site, site->at[k])), condition = tt->true_;
  Term lo = term_symbol(tt, c)->lo, hi = term_symbol(tt, c)->hi, least = at, most = at;
  FoldParts fold;
  if (is_found_index(tt, at, &fold)) least = fold.lo, most = term_sub(tt, fold.hi, tt->one);
  if (lo) condition = term_le(tt, choose_free(p, site, at_index(p, site, lo)), least);
  if (hi) condition = term_and(tt, condition, term_le(tt, most, choose_free(p, site, at_index(p, site, hi))));
  const Symbol *s = term_symbol(tt, c);
  const char *name = s->role == SYMBOL_LANE ? arena_format(tt->arena, "lane of axis %u", s->axis) : term_name(tt, c);
  return prove_true(p, condition, "%s: every element of %s has its %s within the launch",
                    execute_where(p->ex, site->access->op), term_message(tt, site->tensor->symbol), name);
}

/* What a bound by an extremum says of each side: of j <= min(a, b), that j <= a and j <= b. */
static void push_sides(TermTable *tt, Term condition) {
  for (uint32_t i = 0, n = term_conjunct_count(tt, condition); i < n; i++) {
    Term c = term_conjunct(tt, condition, i), e = term_kind(tt, c) == TERM_LE ? term_arg(tt, c, 0) : 0;
    if (!e || term_count(tt, c) != 1 || term_sort(tt, e) != SORT_INT || term_kind(tt, e) != TERM_ADD) continue;
    for (uint32_t k = 1; k < term_count(tt, e); k += 2) {
      Rational times = term_rat(tt, term_arg(tt, e, k));
      Term atom = term_arg(tt, e, k + 1), rest = term_sub(tt, e, term_scale(tt, times, atom));
      if (term_kind(tt, atom) != (times.num < 0 ? TERM_MIN : TERM_MAX)) continue;
      for (uint32_t side = 0; side < term_count(tt, atom); side++)
        equal_push(tt, term_le(tt, term_add(tt, rest, term_scale(tt, times, term_arg(tt, atom, side))), tt->zero));
    }
  }
}

static bool prove_coverage(Prover *p, Site *site) {
  TermTable *tt = p->tt;
  const char *name = term_message(tt, site->tensor->symbol), *where = execute_where(p->ex, site->access->op);
  uint32_t facts = tt->facts.count;
  equal_push(tt, site->region);
  push_sides(tt, site->region);
  bool good = true;
  find_quotients(p, site);
  for (uint32_t k = 0; k < site->coordinate_count; k++)
    term_transform(tt, term_rebuild(tt, choose_free(p, site, site->at[k])), note_found, NULL);
  for (uint32_t k = 0; k < site->coordinate_count && good; k++) good = prove_in_launch(p, site, k);
  if (good) {
    Term mask = term_assume(tt, choose_free(p, site, at_index(p, site, site->access->mask)), site->region);
    good = prove_true(p, mask, "%s: every element of the region of %s passes the mask", where, name);
  }
  for (uint32_t k = 0; k < site->output->rank && good; k++)
    good = prove_equal(p, term_rebuild(tt, choose_free(p, site, at_index(p, site, site->index[k]))),
                       site->output->index[k], "%s: every element of %s is reached (index %u)", where, name, k);
  term_pop_facts(tt, facts);
  return good;
}

static void say_single(Assumption *a, uint32_t axis) { a->grid = (uint8_t)(axis + 1), a->is_single = true; }

/* True if s is a program id that nothing uses. Then the least grid has one program along that axis: assumed, where it
 * matters. */
static bool assume_single_axis(Prover *p, Term s) {
  for (uint32_t i = 0; i < 3; i++) {
    if (p->ex->pid[i] != s || term_symbol(p->tt, p->claim->ex->pid[i])->hi != p->tt->zero) continue;
    if (!p->ex->program->is_host)
      say_single(add_assumption(p, ASSUME_GRID, 0,
                                arena_format(p->arena, "%s = 1", term_message(p->tt, p->claim->ex->grid[i])),
                                "the least grid that covers the output: nothing uses this program id"),
                 i);
    return true;
  }
  return false;
}

/* The last value of a free coordinate over the output's indices and the other free ones; 0: not known. */
static Term last_of_free(const Prover *p, const Site *site, Term s) {
  Term hi = term_symbol(p->tt, s)->hi;
  return hi ? renamed(p, term_substitute(p->tt, hi, site->place->map)) : 0;
}

/* A claim over the indices and the free coordinates, at the address. */
static Term with_free_at_address(const Prover *p, const Site *site, Term t) {
  t = at_address(p, site, t);
  for (uint32_t i = 0; i < site->free.count; i++)
    t = term_replace(p->tt, t, site->free.data[i], over_original(p, site->free.data[i]));
  return t;
}

static Term put_back(TermTable *tt, Term t, void *payload) {
  const Site *site = payload;
  (void)tt;
  for (uint32_t i = 0; i < site->back.count; i++)
    if (site->back.data[i].from == t) return site->back.data[i].to;
  return t;
}

/* The other way round than find_quotients: a program id was split, q = p // g, and the index tells q as a quotient of
 * its own. At the address that is q again: shown once for each, the outer ones first, and put wherever the quotient
 * stands. */
static void find_quotients_at_address(Prover *p, Site *site) {
  TermTable *tt = p->tt;
  for (uint32_t i = 0; i < p->claim->hints.definitions.count; i++) {
    const Substitution *d = &p->claim->hints.definitions.data[i];
    if (term_kind(tt, d->to) != TERM_FLOORDIV) continue;
    Term value = over_original(p, d->from);
    Term told = term_transform(tt, with_free_at_address(p, site, renamed(p, from_index(p, site->place, d->from))),
                               put_back, site);
    bool sum = term_kind(tt, told) == TERM_ADD;
    for (uint32_t k = 1; k < (sum ? term_count(tt, told) : 2); k += 2) {
      Term floor = sum ? term_arg(tt, told, k + 1) : told;
      if (told == value || term_kind(tt, floor) != TERM_FLOORDIV || (sum && term_arg(tt, told, k) != tt->one)) continue;
      Term a = term_arg(tt, floor, 0), b = term_arg(tt, floor, 1), is = term_sub(tt, value, term_sub(tt, told, floor)),
           least = term_mul(tt, b, is);
      if (!equal_prove_true(tt, term_and(tt, term_le(tt, least, a), term_lt(tt, a, term_add(tt, least, b))))) continue;
      array_push(p->arena, &site->back, ((Substitution){floor, is}));
      break;
    }
  }
}

/* What is left of a guard inside the folds over the free coordinates. */
static Term within_folds(Prover *p, const Site *site, Term guard) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count, n = term_conjunct_count(tt, guard);
  Term left = tt->true_;
  for (uint32_t i = 0; i < site->free.count; i++) {
    Term s = site->free.data[i], last = last_of_free(p, site, s);
    if (last) equal_push(tt, term_and(tt, term_le(tt, tt->zero, s), term_le(tt, s, last)));
  }
  for (uint32_t i = 0; i < n; i++) {
    Term part = term_conjunct(tt, guard, i);
    if (!equal_prove_true(tt, part)) left = term_and(tt, left, part);
  }
  term_pop_facts(tt, facts);
  return left;
}

/* An atomic: the formula is the fold of the stored values over all coordinates that lead to the element. */
static bool prove_atomic(Prover *p, Site *site) {
  TermTable *tt = p->tt;
  const Access *a = site->access;
  const char *where = execute_where(p->ex, a->op), *name = term_message(tt, site->tensor->symbol);
  uint32_t facts = tt->facts.count;
  equal_push(tt, a->mask);
  find_quotients_at_address(p, site);
  for (uint32_t k = 0; k < site->coordinate_count; k++) { /* the index and the free coordinates determine the others */
    Term back = term_transform(tt, with_free_at_address(p, site, site->at[k]), put_back, site);
    if (!prove_equal(p, term_rebuild(tt, back), site->coordinate[k],
                     "%s: an element of %s and the free ids determine %s", where, name,
                     term_name(tt, site->coordinate[k]))) {
      term_pop_facts(tt, facts);
      return false;
    }
  }
  for (uint32_t i = 0; i < site->free.count; i++) { /* and these are among those that the fold runs over */
    Term s = site->free.data[i], own = over_original(p, s), last = last_of_free(p, site, s);
    if (own == s || !last) continue;
    Term range = term_and(tt, term_le(tt, tt->zero, own), term_le(tt, own, with_free_at_address(p, site, last)));
    if (prove_true(p, range, "%s: what %s leaves free lies in its range", where, name)) continue;
    term_pop_facts(tt, facts);
    return false;
  }
  term_pop_facts(tt, facts);
  find_quotients(p, site);
  Term mask = at_index(p, site, a->mask), guard = mask;
  for (uint32_t k = 0; k < site->output->rank; k++)
    guard = term_and(tt, guard,
                     term_assume(tt, term_eq(tt, at_index(p, site, site->index[k]), site->output->index[k]), mask));
  Term value = term_assume(tt, at_index(p, site, a->value), guard);
  for (uint32_t k = 0; k < site->coordinate_count; k++) {
    Term c = site->coordinate[k], lo = term_symbol(tt, c)->lo, hi = term_symbol(tt, c)->hi;
    if (lo) guard = term_and(tt, guard, term_le(tt, at_index(p, site, lo), site->at[k]));
    if (hi) guard = term_and(tt, guard, term_le(tt, site->at[k], at_index(p, site, hi)));
  }
  guard = within_folds(p, site, guard);
  for (uint32_t i = 0; i < site->free.count; i++) {
    Term s = site->free.data[i], hi = last_of_free(p, site, s);
    if (assume_single_axis(p, s)) {
      guard = term_replace(tt, guard, s, tt->zero), value = term_replace(tt, value, s, tt->zero);
      continue;
    }
    if (!hi) return prove_goal(p, false, EQUAL_NONE, "%s: the range of %s is known", where, term_name(tt, s));
    value = term_fold(tt, a->atomic_op, s, tt->zero, term_add(tt, hi, tt->one), guard, value);
    guard = tt->true_;
  }
  const PointwisePiece *piece = &site->output->pieces.data[site->place->piece];
  Term identity = term_fold_identity(tt, a->atomic_op, term_sort(tt, value));
  Term left = term_select(tt, guard, value, identity), right = term_select(tt, site->region, site->value, identity);
  (void)piece;
  return prove_equal(p, left, right, "%s: the values combined into %s are the formula", where, name);
}

static bool is_conditional(const Program *program, OpId id) {
  for (; id; id = program_get_region(program, program_get_block(program, program_get_op(program, id)->block)->region)
                      ->parent) {
    const Op *op = program_get_op(program, id);
    if (op->code == OP_SCF_IF) return true;
    if (!op->block) return false;
  }
  return false;
}

/* From an op to one before it, in a later round of the loop whose block holds both: a barrier on the way. */
static bool has_barrier_around(const Program *program, OpId from, OpId to) {
  BlockId block = program_get_op(program, from)->block;
  const Block *b = program_get_block(program, block);
  for (uint32_t i = 0; i < b->ops.count && program_get_op(program, to)->block == block; i++) {
    OpId id = b->ops.data[i];
    Opcode code = program_get_op(program, id)->code;
    if ((code == OP_GPU_BARRIER || code == OP_TTG_BARRIER) && (id > from || id < to)) return true;
  }
  return false;
}

/* True if all lanes wait for one another between an op and an access after it. A reduction along the only axis passes
 * through all of them. */
static bool has_barrier(const Prover *p, OpId from, const Access *access) {
  OpId to = access->op;
  if (from >= to && access->last_op != to) return false; /* between the parts of one store */
  const Program *program = p->ex->program;
  if (from >= to) return has_barrier_around(program, from, to);
  for (OpId id = from + 1; id < to; id++) {
    const Op *op = program_get_op(program, id);
    if (op->code != OP_GPU_BARRIER && op->code != OP_TTG_BARRIER && op->code != OP_TT_REDUCE) continue;
    if (is_conditional(program, id)) continue;
    if (op->code != OP_TT_REDUCE) return true;
    if (program_value_type(program, op->operands[0])->rank == 1) return true;
  }
  return false;
}

/* True if the coordinates that the element leaves free are only program ids that nothing uses. Then one program writes
 * it. */
static bool has_single_writer(Prover *p, const Site *site) {
  for (uint32_t i = 0; i < site->free.count; i++) {
    bool is_own = site->access->is_final && term_symbol(p->tt, site->free.data[i])->role != SYMBOL_PID;
    if (!is_own && !assume_single_axis(p, site->free.data[i])) return false;
  }
  return true;
}

/* True if the same lane stores the element both times, or all lanes wait in between. */
static bool are_lanes_ordered(Prover *p, const Site *first, const Site *second) {
  bool same = first->coordinate_count == second->coordinate_count;
  for (uint32_t k = 3; k < first->coordinate_count && same; k++)
    same = first->coordinate[k] == second->coordinate[k] &&
           (first->at[k] == second->at[k] || equal_prove(p->tt, first->at[k], second->at[k]));
  return same || has_barrier(p, first->access->last_op, second->access);
}

/* c*(x // c) == x for a symbol x: x is c times something. 0: the condition says no such thing. */
static Term multiple_of(TermTable *tt, Term condition, Term *x) {
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 ||
      term_kind(tt, term_arg(tt, condition, 0)) != TERM_ADD)
    return 0;
  Term e = term_arg(tt, condition, 0);
  for (uint32_t i = 1; i < term_count(tt, e); i += 2) {
    Term floor = term_arg(tt, e, i + 1);
    if (term_kind(tt, floor) != TERM_FLOORDIV || term_kind(tt, term_arg(tt, floor, 0)) != TERM_SYM ||
        !term_is_rat(tt, term_arg(tt, floor, 1)))
      continue;
    *x = term_arg(tt, floor, 0);
    Term rest = term_sub(tt, term_mul(tt, term_arg(tt, floor, 1), floor), *x);
    if (rest == e || term_neg(tt, rest) == e) return term_arg(tt, floor, 1);
  }
  return 0;
}

/* True if, where one region has multiples of a literal, the other has none of them. */
static bool differ_by_remainder(TermTable *tt, Term a, Term b) {
  uint32_t n = term_conjunct_count(tt, a);
  for (uint32_t i = 0; i < n; i++) {
    Term x, c = multiple_of(tt, term_conjunct(tt, a, i), &x);
    if (!c) continue;
    Term quotient = term_symbol_range(tt, term_symbol_fresh(tt, "q", SORT_INT, SYMBOL_INDEX), tt->zero, 0);
    if (!term_symbol(tt, x)->lo || !term_prove_le(tt, tt->zero, term_symbol(tt, x)->lo)) continue;
    if (term_prove_true(tt, term_not(tt, term_replace(tt, b, x, term_mul(tt, c, quotient))))) return true;
  }
  return false;
}

/* No loop around both: then all that the first does is done before the second begins. */
static bool shares_loop(const Access *first, const Access *second) {
  for (uint32_t i = 0; i < first->counter_count; i++)
    for (uint32_t k = 0; k < second->counter_count; k++)
      if (first->counters[i] == second->counters[k]) return true;
  return false;
}

static bool has_free(const Site *site, const TermTable *tt, Term t) {
  for (uint32_t i = 0; i < site->free.count; i++)
    if (term_has_symbol(tt, t, site->free.data[i])) return true;
  return false;
}

/* One program without lanes, and the element says in which iteration of the loops around both it is stored: there, what
 * stands first comes first. */
static bool are_in_sequence(Prover *p, const Site *first, const Site *second) {
  uint32_t n = first->coordinate_count < second->coordinate_count ? first->coordinate_count : second->coordinate_count;
  if (!p->ex->program->is_host || first->access->is_atomic || second->access->is_atomic) return false;
  for (uint32_t k = 3; k < n && first->coordinate[k] == second->coordinate[k]; k++) {
    if (has_free(first, p->tt, first->at[k]) || has_free(second, p->tt, second->at[k])) return false;
    if (first->at[k] != second->at[k] && !equal_prove(p->tt, first->at[k], second->at[k])) return false;
  }
  return true;
}

/* Two pieces of one output: their regions are disjoint, or one program writes both in program order. */
static bool prove_order(Prover *p, const Site *first, const Site *second) {
  TermTable *tt = p->tt;
  bool atomic =
      first->access->is_atomic && second->access->is_atomic && first->access->atomic_op == second->access->atomic_op;
  if (atomic) return true;
  Term both = term_assume(tt, first->region, second->region);
  uint32_t facts = tt->facts.count;
  equal_push(tt, second->region);
  bool disjoint = equal_prove_false(tt, both);
  equal_push(tt, first->region);
  disjoint = disjoint || differ_by_remainder(tt, first->region, second->region) ||
             differ_by_remainder(tt, second->region, first->region);
  bool final = first->access->is_final && second->access->is_final; /* both leave what the place holds at the end */
  bool ordered =
      (final || !shares_loop(first->access, second->access)) && !first->access->is_atomic && !second->access->is_atomic;
  for (uint32_t k = 0; k < 3 && ordered; k++)
    ordered = first->at[k] == second->at[k] || equal_prove(tt, first->at[k], second->at[k]);
  ordered = ordered && (disjoint || final || are_lanes_ordered(p, first, second));
  bool in_sequence = !disjoint && are_in_sequence(p, first, second);
  term_pop_facts(tt, facts);
  bool alone =
      final && p->ex->program->is_host; /* one program: all of its stores leave what the place holds at the end */
  ordered = ordered && (disjoint || (has_single_writer(p, first) && has_single_writer(p, second)));
  return prove_goal(p, disjoint || alone || in_sequence || ordered, EQUAL_NONE,
                    "the stores to %s at %s and %s do not write one element in unknown order",
                    term_message(tt, first->tensor->symbol), execute_where(p->ex, first->access->op),
                    execute_where(p->ex, second->access->op));
}

/* A load from a tensor that is stored to sees the old contents: whoever stores that element is the same program and
 * lane (or a lane that waits), in the same iteration or a later loop, and does so later. Of a store before the load
 * that is asked where the load has not taken over what its own lane stored: that lane does not store there, and nobody
 * else may. */
static bool prove_old_contents(Prover *p, const Access *load, uint32_t number, const Site *store,
                               uint32_t store_number) {
  TermTable *tt = p->tt;
  const Access *old = &p->claim->ex->accesses.data[number];
  Term index[POINTWISE_MAX_RANK];
  const char *where = execute_where(p->ex, load->op), *name = term_message(tt, store->tensor->symbol);
  if (!recover_indices(p->claim->ex->tt, p->claim->ex, store->tensor, old->offset, index))
    return prove_goal(p, false, EQUAL_NONE, "%s: what is read from %s is known", where, name);
  Term offset = tt->zero;
  for (uint32_t k = 0; k < store->view.rank; k++) {
    index[k] = over_original(p, index[k]);
    offset = term_add(tt, offset, term_mul(tt, store->view.stride[k], index[k]));
  }
  if (!prove_equal(p, offset, load->offset, "%s: the address read from %s is that of its index", where, name))
    return false;
  bool before = store_number < number;
  if (before && load->old == tt->false_) return true; /* the program's own: execution has forwarded it */
  uint32_t facts = tt->facts.count;
  equal_push(tt, before ? load->old : load->mask);
  bool good = true;
  good = has_single_writer(p, store);
  Term region = term_substitute(tt, store->region, (TermMap){store->output->rank, store->output->index, index});
  bool inside = true; /* outside of its shape an index may be another element's address */
  for (uint32_t k = 0; k < store->view.rank && store->view.rank > 1 && before; k++)
    inside = inside && equal_prove_true(tt, term_le(tt, tt->zero, index[k])) &&
             equal_prove_true(tt, term_lt(tt, index[k], store->view.extent[k]));
  bool apart = (inside && equal_prove_false(tt, region)) || (before && equal_prove_false(tt, load->old));
  /* a content has all that its own program stores */
  uint32_t asked = load->is_final ? 3 : store->coordinate_count;
  for (uint32_t k = 0; k < asked && good && !apart; k++) {
    Term at = term_substitute(tt, store->at[k], (TermMap){store->output->rank, store->output->index, index}), own = 0;
    bool is_lane = term_symbol(tt, store->coordinate[k])->role == SYMBOL_LANE;
    if (k < 3)
      own = p->ex->pid[k];
    else if (is_lane) {
      for (uint32_t i = 0; i < load->rank; i++)
        if (load->lanes[i] == store->coordinate[k]) own = load->lanes[i];
    } else
      for (uint32_t i = 0; i < load->counter_count; i++)
        if (load->counters[i] == store->coordinate[k]) own = load->counters[i];
    good = own ? equal_prove(tt, at, own) != EQUAL_NONE
               : !is_lane && !before; /* a loop that is not around the load comes after it */
    if (!good && is_lane && !before) good = has_barrier(p, load->op, store->access);
  }
  term_pop_facts(tt, facts);
  return prove_goal(p, good || apart, EQUAL_NONE,
                    "%s: what is read from %s is not stored by another program, lane or iteration", where, name);
}

/* ---- assumptions that the proof adds ---- */

static bool is_of_launch(const TermTable *tt, Term condition) {
  return !(term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF));
}

/* `condition`: 0 where it speaks of more than the launch. */
static Assumption *add_assumption(Prover *p, AssumptionKind kind, Term condition, const char *text, const char *why) {
  Claim *claim = (Claim *)(uintptr_t)p->claim;
  Assumption a = {.kind = kind, .why = why, .condition = condition, .text = text};
  uint32_t number = claim_assume(p->arena, claim, a);
  return &claim->assumptions.data[number];
}

/* False: a row is longer than the literal stride, whatever the sizes are. */
static bool assume_apart(Prover *p, const PointwiseTensor *t) {
  for (uint32_t k = 0; k < t->rank; k++) {
    Term bound = layout_bound(p->tt, t, k);
    if (bound == p->tt->false_) return false;
    if (bound)
      add_assumption(p, ASSUME_DISJOINT, bound, term_message(p->tt, bound), "an output has one place per element");
  }
  if (!layout_is_literal(p->tt, t))
    add_assumption(
        p, ASSUME_DISJOINT, 0,
        arena_format(p->arena, "the strides of %s do not make elements overlap", message_name(p->arena, t->name)),
        "an output has one place per element")
        ->apart = t->symbol;
  return true;
}

/* Sizes without sign, by their width: what is said of them is said of signed numbers. */
static void state_halves(Prover *p) {
  for (uint32_t width = 32; width <= 64; width += 32) {
    Text sizes = text_new(p->arena);
    for (uint32_t i = 0; i < p->claim->ex->params.count; i++) {
      const Param *param = &p->claim->ex->params.data[i];
      if (param->is_halved && program_get_type(p->claim->ex->program, param->type)->width == width)
        text_format(&sizes, "%s%s", sizes.count ? ", " : "", message_name(p->arena, param->name));
    }
    if (sizes.count)
      add_assumption(p, ASSUME_RANGE, 0,
                     arena_format(p->arena, "%s <= %lld", text_string(&sizes), (long long)(INT64_MAX >> (64 - width))),
                     "a size is below half of what a type without sign holds");
  }
}

/* False: what would have to be assumed is never so. */
static bool state_assumptions(Prover *p) {
  const Pointwise *claim = p->claim->pointwise;
  bool real = false, several = false, good = true;
  uint32_t touched = p->claim->ex->program->reads_behind;
  for (uint32_t i = 0; i < claim->tensors.count; i++) {
    const PointwiseTensor *t = &claim->tensors.data[i];
    touched += (t->is_read || t->is_written) && !execute_result(p->claim->ex, t->symbol);
    real |= t->is_read && t->sort == SORT_REAL;
  }
  for (uint32_t i = 0; i < claim->tensors.count; i++) /* what is returned overlaps nothing */
    several |= claim->tensors.data[i].is_written && touched > 1 &&
               !execute_result(p->claim->ex, claim->tensors.data[i].symbol);
  Text sizes = text_new(p->arena), counts = text_new(p->arena);
  for (uint32_t i = 0; i < p->claim->ex->params.count; i++) {
    const Param *param = &p->claim->ex->params.data[i];
    Text *names = param->is_size ? &sizes : &counts;
    if (!param->is_pointer && (param->is_size || param->is_count))
      text_format(names, "%s%s", names->count ? ", " : "", message_name(p->arena, param->name));
  }
  if (sizes.count)
    add_assumption(p, ASSUME_RANGE, 0, arena_format(p->arena, "%s >= 1", text_string(&sizes)), "sizes are not empty")
        ->of_sizes = true;
  if (counts.count)
    add_assumption(p, ASSUME_RANGE, 0, arena_format(p->arena, "%s >= 0", text_string(&counts)), "loops run so often")
        ->of_sizes = true;
  state_halves(p);
  for (uint32_t i = 0; i < claim->outputs.count; i++) {
    const PointwiseTensor *t = &claim->tensors.data[claim->outputs.data[i].tensor];
    if (layout_separates(p->tt, t)) continue;
    if (layout_overlaps(p->tt, t) || !assume_apart(p, t)) {
      prove_goal(p, false, EQUAL_NONE, "rows of %s do not overlap", message_name(p->arena, t->name));
      p->result.outputs[i] = good = false;
    }
  }
  if (several)
    add_assumption(p, ASSUME_DISJOINT, 0, "different pointer arguments do not overlap", "no alias was declared");
  if (real) add_assumption(p, ASSUME_FINITE, 0, "inputs are finite", "numbers are reals");
  if (p->claim->ex->bits_as_reals)
    add_assumption(p, ASSUME_FINITE, 0, "integers whose bits are taken for floats are finite floats",
                   "numbers are reals");
  if (p->claim->ex->reals_as_bits)
    add_assumption(p, ASSUME_FINITE, 0, "floats whose bits are taken are exact, and none is -0.0", "numbers are reals");
  for (uint32_t i = 0; i < p->ex->assumed.count; i++) {
    Term stated = p->claim->ex->assumed.data[i];
    const char *text = source_text(p->tt, p->claim, 0, stated);
    Assumption *a =
        add_assumption(p, ASSUME_STATED, is_of_launch(p->tt, stated) ? stated : 0, text, "the kernel states it");
    if (term_node(p->tt, stated)->flags & TERM_HAS_READ) a->of_contents = stated;
  }
  return good;
}

/* ---- all ---- */

/* True if the index determines the program that stores there. Program ids that nothing uses aside: they store the
 * same. */
static bool is_one_program(Prover *p, const Site *site) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count;
  bool good = true;
  equal_push(tt, site->access->mask);
  for (uint32_t k = 0; k < 3 && good; k++) {
    bool is_free = false;
    for (uint32_t i = 0; i < site->free.count; i++) is_free |= site->free.data[i] == p->ex->pid[k];
    bool unused = term_symbol(tt, p->claim->ex->pid[k])->hi == tt->zero;
    good = is_free ? unused
                   : equal_prove(tt, term_rebuild(tt, at_address(p, site, site->at[k])), p->ex->pid[k]) != EQUAL_NONE;
  }
  term_pop_facts(tt, facts);
  return good;
}

/* --invariant: a program's stores have the value of the formula, and all programs in a row store every element. */
static bool prove_sequentially(Prover *p, Site *site) {
  if (site->access->is_atomic)
    return prove_goal(p, false, EQUAL_NONE, "%s: the invariant of a sequential loop has no words for the atomic on %s",
                      execute_where(p->ex, site->access->op), message_name(p->arena, site->tensor->name));
  return (p->invariant != PROVE_PATTERN || prove_value(p, site)) && sequential_prove(p, site);
}

static bool prove_sites(Prover *p, Site *sites, uint32_t *count) {
  bool good = true;
  for (uint32_t i = 0; i < p->ex->accesses.count; i++) {
    if (!p->ex->accesses.data[i].is_store) continue;
    Site *site = &sites[(*count)++];
    if (!open_site(p, site, i))
      return prove_goal(p, false, EQUAL_NONE, "%s: the store belongs to a piece of the formula",
                        execute_where(p->ex, p->ex->accesses.data[i].op));
    ProveStore store = {.op = site->access->op, .output = site->place->output};
    store.in_shape = prove_place(p, site);
    bool by_index = !p->invariant && !site->access->is_atomic;
    store.covers = store.in_shape && (by_index ? prove_coverage(p, site) : p->invariant && prove_sequentially(p, site));
    store.one_program = store.in_shape && !site->access->is_atomic && is_one_program(p, site);
    bool own = store.in_shape && (p->invariant ? store.covers
                                  : by_index   ? prove_value(p, site) && store.covers
                                               : prove_atomic(p, site));
    array_push(p->arena, &p->result.stores, store);
    if (!own) p->result.outputs[site->place->output] = false;
    good &= own;
  }
  return good;
}

static bool prove_memory(Prover *p, const Site *sites, uint32_t count) {
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    bool own = true;
    for (uint32_t k = i + 1; k < count; k++)
      if (sites[i].place->output == sites[k].place->output) own &= prove_order(p, &sites[i], &sites[k]);
    for (uint32_t k = 0; k < p->ex->accesses.count; k++) {
      const Access *load = &p->ex->accesses.data[k];
      if (load->is_store || load->tensor != sites[i].access->tensor) continue;
      own &= prove_old_contents(p, load, k, &sites[i], (uint32_t)(sites[i].access - p->ex->accesses.data));
    }
    if (!own) p->result.outputs[sites[i].place->output] = false;
    good &= own;
  }
  return good;
}

static void prove_all(void *payload) {
  Prover *p = payload;
  const Effects *old = p->claim->ex;
  uint32_t outputs = p->claim->pointwise->outputs.count, count = 0;
  p->ex = execute_function(p->arena, p->tt, old->program, old->function, old->options);
  if (!same_course(old, p->ex)) {
    prove_goal(p, false, EQUAL_NONE, "the second execution takes the course of the first");
    return;
  }
  rename_symbols(p);
  apply_assumptions(p);
  bool good = prove_loops(p);
  for (uint32_t i = 0; i < outputs; i++) p->result.outputs[i] = good;
  Site *sites = arena_array(p->arena, Site, p->ex->accesses.count + 1);
  if (good) good = prove_sites(p, sites, &count) && prove_memory(p, sites, count);
  p->result.proved = state_assumptions(p) && good;
}

static const double TIME_SHARE = 0.5; /* of the time that is left: a formula without a proof is better than none */

ProveResult prove_claim(Arena *arena, Claim *recovery) { return prove_claim_by(arena, recovery, PROVE_BY_INDEX); }

ProveInvariant prove_invariant(const char *name) {
  if (!name) return PROVE_BY_INDEX;
  return strcmp(name, "template") ? PROVE_PATTERN : PROVE_TEMPLATE;
}

ProveResult prove_claim_by(Arena *arena, Claim *recovery, ProveInvariant invariant) {
  TermTable *tt = recovery->ex->tt;
  Prover *p = arena_new(arena, Prover);
  *p = (Prover){.arena = arena, .tt = tt, .claim = recovery, .invariant = invariant};
  const Pointwise *claim = recovery->pointwise;
  p->result.outputs = arena_array(arena, bool, claim->outputs.count + 1);
  uint32_t facts = tt->facts.count;
  Term *lo = arena_array(arena, Term, 2 * POINTWISE_MAX_RANK * (claim->outputs.count + 1)),
       *hi = lo + POINTWISE_MAX_RANK * (claim->outputs.count + 1);
  for (uint32_t i = 0; i < claim->outputs.count; i++)
    for (uint32_t k = 0; k < claim->outputs.data[i].rank; k++) {
      const Symbol *s = term_symbol(tt, claim->outputs.data[i].index[k]);
      lo[i * POINTWISE_MAX_RANK + k] = s->lo, hi[i * POINTWISE_MAX_RANK + k] = s->hi;
    }
  bool ended = term_attempt(tt, TIME_SHARE, prove_all, p);
  term_pop_facts(tt, facts);
  for (uint32_t i = 0; i < claim->outputs.count; i++) /* as the claim has them again: over its own symbols */
    for (uint32_t k = 0; k < claim->outputs.data[i].rank; k++)
      term_symbol_range(tt, claim->outputs.data[i].index[k], lo[i * POINTWISE_MAX_RANK + k],
                        hi[i * POINTWISE_MAX_RANK + k]);
  if (ended) return p->result;
  memset(p->result.outputs, 0, sizeof *p->result.outputs * claim->outputs.count);
  p->result.proved = false;
  p->result.stores.count = 0;
  prove_goal(p, false, EQUAL_NONE, "the prover ends within its share of the time and its limits");
  return p->result;
}
