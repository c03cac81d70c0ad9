/* The programs as one sequential loop (see sequential.h): its loops, the search for a and b, and the conditions on
 * indices.
 *
 * The search is guided by counterexamples: the solver proposes factors that fit every instance seen so far; each
 * condition is then shown for all values, or the solver finds sizes, counters and an element where it fails, and that
 * instance is added. An instance has numbers for everything but the factors, so the proposals are linear questions. A
 * counterexample far beyond the bound says more than one next to it, so that is asked for first. */
#include "prove/sequential.h"

#include "solve/solve.h"

enum { MOST_UNKNOWNS = 24, MOST_ROUNDS = 24, MOST_CONDITIONS = 2 * SEQUENTIAL_MOST_LEVELS + 1, MOST_SPLITS = 16 };
static const double SECONDS = 3, SEARCH_SECONDS = 20; /* for a question to the solver; for all about one store */

typedef struct Condition {
  enum { INITIAL, STEP, EXIT, SOME } kind; /* SOME: a loop whose iterations are all the same runs at all */
  uint32_t level;
  Term given, shown;
  Term missed; /* by how much a bound is missed where the condition fails; 0: there is no such amount */
} Condition;

typedef struct Search {
  Sequential *s;
  uint32_t unknown_count, condition_count, round_count;
  Term unknown[MOST_UNKNOWNS], found[MOST_UNKNOWNS];
  bool in_b[MOST_UNKNOWNS];
  Condition condition[MOST_CONDITIONS];
  Term instances; /* conjunction over the unknowns */
  double deadline;
} Search;

static bool fail(const Sequential *s, const char *why) {
  return prove_goal(s->p, false, EQUAL_NONE, "%s: %s as the invariant of a sequential loop: %s",
                    execute_where(s->p->ex, s->site->access->op), s->site->tensor->name, why);
}

/* ---- the loops ---- */

static void replace_counter(Sequential *s, Term from, Term to) {
  TermTable *tt = s->p->tt;
  for (uint32_t k = 0; k < s->site->view.rank; k++) s->index[k] = term_replace(tt, s->index[k], from, to);
  s->mask = term_replace(tt, s->mask, from, to);
  s->value = term_replace(tt, s->value, from, to);
  s->exists = term_replace(tt, s->exists, from, to);
  for (uint32_t k = 0; k < s->level_count; k++) s->level[k].count = term_replace(tt, s->level[k].count, from, to);
}

/* True if n = factor * rest and g = factor * k for a number k. */
static bool has_common_factor(TermTable *tt, Term n, Term g, Term *factor, Term *rest, Term *k) {
  Rational number = term_coefficient(tt, g, factor);
  bool divides = n == *factor;
  *rest = tt->one, *k = term_new_rat(tt, number);
  for (uint32_t i = 0; term_kind(tt, n) == TERM_MUL && i < term_count(tt, n); i += 2) {
    bool is_factor = term_arg(tt, n, i) == *factor && term_arg(tt, n, i + 1) == tt->one;
    if (!is_factor)
      *rest = term_mul(tt, *rest, term_power(tt, term_arg(tt, n, i), term_rat(tt, term_arg(tt, n, i + 1))));
    divides |= is_factor;
  }
  return divides && rational_is_int(number) && rational_sign(number) > 0;
}

/* Loop k over c as two, over c // g and c mod g: in the same order. The last quotient may have fewer remainders. */
static Term split_level(Sequential *s, uint32_t k, Term divisor) {
  TermTable *tt = s->p->tt;
  SequentialLevel old = s->level[k];
  Term factor, rest, number, rounds, left;
  if (s->level_count == SEQUENTIAL_MOST_LEVELS || !term_prove_lt(tt, tt->zero, divisor)) return 0;
  Term q = term_symbol_fresh(tt, "q", SORT_INT, SYMBOL_COUNTER),
       r = term_symbol_fresh(tt, "r", SORT_INT, SYMBOL_COUNTER);
  bool common = has_common_factor(tt, old.count, divisor, &factor, &rest, &number);
  rounds = common ? term_cdiv(tt, rest, number) : term_cdiv(tt, old.count, divisor);
  term_symbol_range(tt, q, tt->zero, term_sub(tt, rounds, tt->one));
  left = common ? term_mul(tt, factor, term_min(tt, number, term_sub(tt, rest, term_mul(tt, number, q)))) : divisor;
  term_symbol_range(tt, r, tt->zero, term_sub(tt, left, tt->one));
  Term whole = term_add(tt, term_mul(tt, divisor, q), r);
  for (uint32_t i = s->level_count++; i > k + 1; i--) s->level[i] = s->level[i - 1];
  s->level[k] = (SequentialLevel){.counter = q, .count = rounds, .axis = -1};
  s->level[k + 1] = (SequentialLevel){.counter = r, .count = left, .axis = -1};
  replace_counter(s, old.counter, whole);
  if (!common) s->exists = term_and(tt, s->exists, term_lt(tt, whole, old.count));
  return whole;
}

/* The splits that the recovery found are hints: any split of a program id is right. */
static void split_levels(Sequential *s) {
  TermTable *tt = s->p->tt;
  Term from[MOST_SPLITS], to[MOST_SPLITS];
  uint32_t known = 0;
  for (uint32_t i = 0; i < s->p->claim->hints.definitions.count && known < MOST_SPLITS; i++) {
    const Substitution *d = &s->p->claim->hints.definitions.data[i];
    Term t = term_substitute(tt, term_substitute(tt, d->to, (TermMap){known, from, to}), s->p->renaming);
    for (uint32_t k = 0; k < s->level_count && term_kind(tt, t) == TERM_FLOORDIV; k++) {
      Term counter = s->level[k].counter, whole;
      if (term_arg(tt, t, 0) != counter || !(whole = split_level(s, k, term_arg(tt, t, 1)))) continue;
      for (uint32_t j = 0; j < known; j++) to[j] = term_rebuild(tt, term_replace(tt, to[j], counter, whole));
      for (uint32_t j = 0; j < s->p->renaming.count; j++)
        if (s->p->renaming.to[j] == counter && known < MOST_SPLITS - 1)
          from[known] = s->p->renaming.from[j], to[known++] = whole;
      t = s->level[k].counter;
    }
    from[known] = d->from, to[known++] = term_rebuild(tt, t);
  }
}

static bool is_idle(const Sequential *s, uint32_t k) {
  TermTable *tt = s->p->tt;
  Term c = s->level[k].counter;
  bool used = s->level[k].axis >= 0 || term_has_symbol(tt, s->mask, c) || term_has_symbol(tt, s->value, c) ||
              term_has_symbol(tt, s->exists, c);
  for (uint32_t i = 0; i < s->level_count; i++) used |= term_has_symbol(tt, s->level[i].count, c);
  return !used && term_prove_le(tt, tt->one, s->level[k].count);
}

/* Loops whose iterations are all the same and that run at all: once is as good. */
static void drop_idle_levels(Sequential *s) {
  for (uint32_t k = 0; k < s->level_count;) {
    if (!is_idle(s, k))
      k++;
    else {
      s->level_count--;
      for (uint32_t i = k; i < s->level_count; i++) s->level[i] = s->level[i + 1];
    }
  }
}

static bool open_levels(Sequential *s) {
  TermTable *tt = s->p->tt;
  const ProveSite *site = s->site;
  for (uint32_t i = 0; i < site->coordinate_count; i++) {
    Term c = site->coordinate[i], hi = term_symbol(tt, c)->hi;
    if (term_symbol(tt, c)->role == SYMBOL_LANE) {
      s->lane[s->lane_count++] = c;
      continue;
    }
    if (!hi || s->level_count == SEQUENTIAL_MOST_LEVELS) return fail(s, "how often a loop runs is not known");
    if (hi == tt->zero)
      replace_counter(s, c, tt->zero);
    else
      s->level[s->level_count++] = (SequentialLevel){.counter = c, .count = term_add(tt, hi, tt->one), .axis = -1};
  }
  split_levels(s);
  s->mask = term_rebuild(tt, s->mask), s->value = term_assume(tt, term_rebuild(tt, s->value), s->mask);
  for (uint32_t d = 0; d < site->view.rank; d++) s->index[d] = term_rebuild(tt, s->index[d]);
  for (uint32_t k = 0; k < s->level_count; k++)
    for (int d = 0; d < (int)site->view.rank; d++)
      if (s->level[k].axis < 0 && term_has_symbol(tt, s->index[d], s->level[k].counter)) s->level[k].axis = d;
  drop_idle_levels(s);
  for (uint32_t k = 0; k < s->level_count; k++) /* one iteration is as good as all: the first */
    if (s->level[k].axis < 0)
      for (uint32_t d = 0; d < site->view.rank; d++)
        s->index[d] = term_replace(tt, s->index[d], s->level[k].counter, tt->zero);
  return true;
}

static bool has_lane(const Sequential *s, Term t) {
  for (uint32_t i = 0; i < s->lane_count; i++)
    if (term_has_symbol(s->p->tt, t, s->lane[i])) return true;
  return false;
}

/* The lane that stores element i: of an index that is lane + rest it is i - rest, else where the lifter says. */
static void find_lanes(Sequential *s) {
  TermTable *tt = s->p->tt;
  const ProveSite *site = s->site;
  for (uint32_t i = 0; i < s->lane_count; i++) {
    for (uint32_t d = 0; d < site->view.rank && !s->lane_at[i]; d++) {
      Term rest = term_sub(tt, s->index[d], s->lane[i]);
      if (term_has_symbol(tt, s->index[d], s->lane[i]) && !has_lane(s, rest))
        s->lane_at[i] = term_sub(tt, site->output->index[d], rest);
    }
    for (uint32_t k = 0; k < site->coordinate_count && !s->lane_at[i]; k++)
      if (site->coordinate[k] == s->lane[i]) s->lane_at[i] = site->at[k];
    for (uint32_t k = 0; k < site->free.count; k++)
      s->lane_at[i] = term_replace(tt, s->lane_at[i], site->free.data[k], tt->zero);
  }
}

/* ---- the template ---- */

static Term add_unknown(Search *search, Term sum, Term factor) {
  TermTable *tt = search->s->p->tt;
  if (search->unknown_count == MOST_UNKNOWNS) return sum;
  Term u = search->unknown[search->unknown_count++] = term_symbol_fresh(tt, "u", SORT_INT, SYMBOL_SIZE);
  return term_add(tt, sum, term_mul(tt, u, factor));
}

/* u0 + u1*m1 + u2*m2 ... over the products of sizes in t. */
static Term template_of(Search *search, Term t) {
  TermTable *tt = search->s->p->tt;
  Term sum = add_unknown(search, tt->zero, tt->one);
  if (term_is_rat(tt, t)) return sum;
  if (term_kind(tt, t) != TERM_ADD) return add_unknown(search, sum, t);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) sum = add_unknown(search, sum, term_arg(tt, t, i + 1));
  return sum;
}

/* What is left of an index without lanes and the counters of its own axis. */
static Term offset_of(const Sequential *s, Term index) {
  TermTable *tt = s->p->tt;
  for (uint32_t i = 0; i < s->lane_count; i++) index = term_replace(tt, index, s->lane[i], tt->zero);
  for (uint32_t k = 0; k < s->level_count; k++) index = term_replace(tt, index, s->level[k].counter, tt->zero);
  return index;
}

static bool make_template(Search *search) {
  Sequential *s = search->s;
  TermTable *tt = s->p->tt;
  for (uint32_t k = 0; k < s->level_count; k++) {
    SequentialLevel *level = &s->level[k];
    if (level->axis < 0) continue;
    Term index = s->index[level->axis],
         next = term_replace(tt, index, level->counter, term_add(tt, level->counter, tt->one));
    Term step = term_sub(tt, next, index);
    if (has_lane(s, step) || term_has_symbol(tt, step, level->counter))
      return fail(s, "the index does not grow evenly with the order of programs");
    level->a = template_of(search, step);
    uint32_t first = search->unknown_count;
    level->b = template_of(search, offset_of(s, index));
    for (uint32_t i = first; i < search->unknown_count; i++) search->in_b[i] = true;
  }
  return true;
}

Term sequential_bound(const Sequential *s, uint32_t k, Term x) {
  TermTable *tt = s->p->tt;
  const SequentialLevel *level = &s->level[k];
  Term bound = term_add(tt, term_mul(tt, level->a, x), level->b);
  for (uint32_t j = 0; j < k; j++)
    if (s->level[j].axis == level->axis) bound = term_add(tt, bound, term_mul(tt, s->level[j].a, s->level[j].counter));
  return bound;
}

static void add_condition(Search *search, int kind, uint32_t level, Term given, Term shown, Term missed) {
  search->condition[search->condition_count++] = (Condition){kind, level, given, shown, missed};
}

/* Element i is what iteration `counter` of loop k adds. */
static Term added_by(const Sequential *s, uint32_t k) {
  TermTable *tt = s->p->tt;
  Term i = s->site->output->index[s->level[k].axis], c = s->level[k].counter;
  return term_and(tt, term_le(tt, sequential_bound(s, k, c), i),
                  term_lt(tt, i, sequential_bound(s, k, term_add(tt, c, tt->one))));
}

/* The body stores element i. */
static Term is_stored(const Sequential *s) {
  TermTable *tt = s->p->tt;
  TermMap map = {s->lane_count, s->lane, s->lane_at};
  Term stored = tt->true_, mask = term_and(tt, s->mask, s->exists);
  for (uint32_t i = 0; i < s->lane_count; i++) {
    const Symbol *lane = term_symbol(tt, s->lane[i]);
    Term hi = lane->hi;
    stored = term_and(tt, stored, term_le(tt, lane->lo ? lane->lo : tt->zero, s->lane_at[i]));
    if (hi) stored = term_and(tt, stored, term_le(tt, s->lane_at[i], hi));
  }
  for (uint32_t d = 0; d < s->site->view.rank; d++) { /* as two bounds, which the ranges understand */
    Term at = term_substitute(tt, s->index[d], map), i = s->site->output->index[d];
    stored = term_and(tt, stored, term_and(tt, term_le(tt, at, i), term_le(tt, i, at)));
  }
  for (uint32_t k = 0; k < s->level_count; k++)
    if (s->level[k].axis < 0) mask = term_replace(tt, mask, s->level[k].counter, tt->zero);
  return term_and(tt, stored, term_substitute(tt, mask, map));
}

static void make_conditions(Search *search) {
  Sequential *s = search->s;
  TermTable *tt = s->p->tt;
  Term given = s->site->region;
  search->condition_count = 0;
  for (uint32_t k = 0; k < s->level_count; k++) {
    const SequentialLevel *level = &s->level[k];
    if (level->axis < 0) {
      add_condition(search, SOME, k, given, term_le(tt, tt->one, level->count), 0);
      continue;
    }
    Term i = s->site->output->index[level->axis], first = sequential_bound(s, k, tt->zero),
         last = sequential_bound(s, k, level->count);
    add_condition(search, INITIAL, k, given, term_le(tt, first, i), term_sub(tt, first, i));
    add_condition(search, EXIT, k, given, term_lt(tt, i, last), term_sub(tt, i, last));
    given = term_and(tt, given, added_by(s, k));
  }
  add_condition(search, STEP, s->level_count, given, is_stored(s), 0);
}

/* ---- the search for a and b ---- */

bool sequential_follows(Sequential *s, Term given, Term shown, EqualEngine *engine) {
  TermTable *tt = s->p->tt;
  uint32_t facts = tt->facts.count;
  *engine = EQUAL_NONE;
  equal_push(tt, given);
  shown = term_assume(tt, term_rebuild(tt, shown), tt->true_);
  bool holds = equal_prove_true(tt, shown);
  if (!holds && solve_condition(tt, shown, SECONDS)) holds = true, *engine = EQUAL_SMT;
  term_pop_facts(tt, facts);
  return holds;
}

static Term put_found(const Search *search, Term t) {
  return term_substitute(search->s->p->tt, t, (TermMap){search->unknown_count, search->unknown, search->found});
}

/* True if the condition is shown with what was found. An iteration that adds one index of an axis: the element has
 * that index. */
static bool is_shown(const Search *search, const Condition *c, EqualEngine *engine) {
  Sequential *s = search->s;
  TermTable *tt = s->p->tt;
  Term given = put_found(search, c->given), shown = put_found(search, c->shown);
  for (uint32_t k = 0; k < s->level_count && c->kind == STEP; k++) {
    const SequentialLevel *level = &s->level[k];
    if (level->axis < 0 || put_found(search, level->a) != tt->one) continue;
    Term i = s->site->output->index[level->axis], first = put_found(search, sequential_bound(s, k, level->counter)),
         hi = term_symbol(tt, i)->hi;
    if (term_has_symbol(tt, first, i)) continue;
    given = term_and(tt, term_replace(tt, given, i, first), term_le(tt, tt->zero, first));
    if (hi) given = term_and(tt, given, term_le(tt, first, hi));
    shown = term_replace(tt, shown, i, first);
  }
  return sequential_follows(s, given, shown, engine);
}

/* What is tried first: one index or one size at a time, from 0; blocks, which are powers of two; anything small;
 * anything. */
typedef enum Wish { ONE, BLOCK, SMALL, ANY, WISH_COUNT } Wish;

static Term wish_for(TermTable *tt, Term u, bool in_b, Wish wish) {
  enum { MOST_POWER = 16 };
  int64_t most = wish == ONE ? 1 : wish == SMALL ? 1 << MOST_POWER : 0;
  Term power = term_eq(tt, u, tt->zero);
  if (wish == ANY) return tt->true_;
  if (in_b && wish != SMALL) return power;
  if (wish != BLOCK) return term_and(tt, term_le(tt, u, term_int(tt, most)), term_le(tt, term_int(tt, -most), u));
  for (uint32_t i = 0; i <= MOST_POWER; i++) power = term_or(tt, power, term_eq(tt, u, term_int(tt, (int64_t)1 << i)));
  return power;
}

/* Factors that fit all instances. */
static bool propose(Search *search) {
  TermTable *tt = search->s->p->tt;
  if (search->instances == tt->true_) {
    for (uint32_t i = 0; i < search->unknown_count; i++) search->found[i] = tt->zero;
    return true;
  }
  for (Wish wish = ONE; wish < WISH_COUNT; wish++) {
    Term fits = search->instances;
    for (uint32_t i = 0; i < search->unknown_count; i++)
      fits = term_and(tt, fits, wish_for(tt, search->unknown[i], search->in_b[i], wish));
    if (solve_find(tt, fits, SECONDS, search->unknown_count, search->unknown, search->found) == SOLVE_FOUND)
      return true;
  }
  return false;
}

/* Those conjuncts of a condition that speak of sizes and counters alone. */
static Term without_data(TermTable *tt, Term t) {
  Term kept = tt->true_;
  if (!(term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_FOLD))) return t;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_AND && i < term_count(tt, t); i++)
    kept = term_and(tt, kept, without_data(tt, term_arg(tt, t, i)));
  return kept;
}

/* The condition with numbers from a run in which it fails; false: none was found. */
static bool find_instance(Search *search, const Condition *c) {
  static const int64_t far[] = {1000000, 1000, 0};
  TermTable *tt = search->s->p->tt;
  TermList symbols = {0}, plain = {0};
  Term given = without_data(tt, c->given), shown = without_data(tt, c->shown),
       whole = term_or(tt, term_not(tt, given), shown);
  Term failing = term_and(tt, put_found(search, given), term_not(tt, put_found(search, shown)));
  term_symbols(tt, whole, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    bool unknown = false;
    for (uint32_t k = 0; k < search->unknown_count; k++) unknown |= search->unknown[k] == symbols.data[i];
    if (!unknown && term_sort(tt, symbols.data[i]) == SORT_INT &&
        term_symbol(tt, symbols.data[i])->role != SYMBOL_TENSOR)
      array_push(tt->arena, &plain, symbols.data[i]);
  }
  Term *values = arena_array(tt->arena, Term, plain.count + 1);
  for (uint32_t i = c->missed ? 0 : 2; i < 3; i++) {
    Term wanted = c->missed && far[i] ? term_le(tt, term_int(tt, far[i]), put_found(search, c->missed)) : tt->true_;
    if (solve_find(tt, term_and(tt, failing, wanted), SECONDS, plain.count, plain.data, values) != SOLVE_FOUND)
      continue;
    Term instance = term_substitute(tt, whole, (TermMap){plain.count, plain.data, values});
    if (put_found(search, instance) == tt->true_) return false; /* no counterexample after all */
    search->instances = term_and(tt, search->instances, instance);
    return true;
  }
  return false;
}

/* The start of each loop, where all sizes are least: what the solver would find first. */
static void add_first_instances(Search *search) {
  TermTable *tt = search->s->p->tt;
  for (uint32_t i = 0; i < search->condition_count; i++) {
    const Condition *c = &search->condition[i];
    TermList symbols = {0};
    Term instance = term_or(tt, term_not(tt, without_data(tt, c->given)), c->shown);
    term_symbols(tt, instance, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++) {
      const Symbol *symbol = term_symbol(tt, symbols.data[k]);
      bool plain = symbol->lo && term_is_rat(tt, symbol->lo); /* the factors have no range */
      if (plain) instance = term_replace(tt, instance, symbols.data[k], symbol->lo);
    }
    if (c->kind == INITIAL && instance != tt->false_) search->instances = term_and(tt, search->instances, instance);
  }
}

/* true: all conditions hold with what was found. `open`: one for which there is neither proof nor counterexample. */
static bool search_bounds(Search *search, EqualEngine engine[MOST_CONDITIONS], const Condition **open) {
  for (; search->round_count < MOST_ROUNDS && guard_now() < search->deadline && propose(search);
       search->round_count++) {
    bool learned = false;
    *open = NULL;
    for (uint32_t i = 0; i < search->condition_count && !(learned && guard_now() > search->deadline); i++) {
      const Condition *c = &search->condition[i];
      if (is_shown(search, c, &engine[i])) continue;
      if (find_instance(search, c))
        learned = true;
      else if (!*open)
        *open = c;
    }
    if (!learned) return !*open;
    if (search->round_count == 0) add_first_instances(search);
  }
  *open = NULL;
  return false;
}

/* ---- goals ---- */

static const char *invariant_text(const Sequential *s) {
  TermTable *tt = s->p->tt;
  Text text = text_new(tt->arena);
  for (uint32_t k = 0; k < s->level_count; k++) {
    const SequentialLevel *level = &s->level[k];
    if (level->axis < 0) continue;
    text_format(&text, "%s%s < a*%s + b", text.count ? ", within it " : "",
                term_text(tt, s->site->output->index[level->axis]), term_name(tt, level->counter));
    text_format(&text, " with a = %s, b = %s", term_text(tt, level->a), term_text(tt, level->b));
  }
  return text.count ? text_string(&text) : "all, after one program";
}

static const char *condition_text(const Sequential *s, const Condition *c) {
  TermTable *tt = s->p->tt;
  Text text = text_new(tt->arena);
  if (c->kind == STEP) text_add(&text, "a program stores every element");
  for (uint32_t k = 0; k < s->level_count; k++) {
    const SequentialLevel *level = &s->level[k];
    if (level->axis < 0 || (c->kind != STEP && k != c->level)) continue;
    const char *i = term_text(tt, s->site->output->index[level->axis]), *counter = term_name(tt, level->counter);
    Term from = c->kind == INITIAL ? tt->zero : c->kind == EXIT ? level->count : level->counter;
    const char *bound = term_text(tt, sequential_bound(s, k, from));
    if (c->kind == INITIAL) text_format(&text, "%s at 0: no element has %s < %s", counter, i, bound);
    if (c->kind == EXIT) text_format(&text, "%s at its end: every element has %s < %s", counter, i, bound);
    if (c->kind == STEP)
      text_format(&text, ", %s <= %s < %s", bound, i,
                  term_text(tt, sequential_bound(s, k, term_add(tt, from, tt->one))));
  }
  if (c->kind == SOME)
    text_format(&text, "%s at its end: it ran at least once", term_name(tt, s->level[c->level].counter));
  text_add(&text, c->kind == INITIAL ? " (initial)" : c->kind == STEP ? " (step)" : " (exit)");
  return text_string(&text);
}

static bool find_bounds(Sequential *s) {
  Search *search = arena_new(s->p->arena, Search);
  EqualEngine engine[MOST_CONDITIONS];
  const Condition *open;
  const char *where = execute_where(s->p->ex, s->site->access->op), *name = s->site->tensor->name;
  search->s = s, search->instances = s->p->tt->true_, search->deadline = guard_now() + SEARCH_SECONDS;
  if (!make_template(search)) return false;
  make_conditions(search);
  bool found = search_bounds(search, engine, &open);
  if (!found && !open) return fail(s, "no a and b were found for the template");
  for (uint32_t k = 0; k < s->level_count; k++)
    if (s->level[k].axis >= 0)
      s->level[k].a = put_found(search, s->level[k].a), s->level[k].b = put_found(search, s->level[k].b);
  prove_goal(s->p, true, search->round_count ? EQUAL_SMT : EQUAL_NONE, "%s: %s is the formula for %s (invariant)",
             where, name, invariant_text(s));
  if (s->p->invariant == PROVE_TEMPLATE)
    return found ? sequential_prove_template(s) : fail(s, "a and b are not known to fit");
  for (uint32_t i = 0; i < search->condition_count; i++) {
    const Condition *c = &search->condition[i];
    if (!prove_goal(s->p, c != open, engine[i], "%s: %s: %s", where, name, condition_text(s, c))) return false;
  }
  return true;
}

bool sequential_prove(Prover *p, const ProveSite *site) {
  Sequential *s = arena_new(p->arena, Sequential);
  *s = (Sequential){.p = p,
                    .site = site,
                    .mask = site->access->mask,
                    .value = site->access->value,
                    .exists = p->tt->true_,
                    .claim = term_assume(p->tt, site->value, site->region)};
  for (uint32_t d = 0; d < site->view.rank; d++) s->index[d] = site->index[d];
  if (!open_levels(s)) return false;
  find_lanes(s);
  return find_bounds(s);
}
