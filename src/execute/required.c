/* Preconditions: what a program of a host language relies on and does not check, as conditions on sizes.
 *
 * A required condition (array.require) speaks of counters of loops and of sizes. Where the ranges of the counters and
 * the path to it grant it, nothing is left. Else each of its conjuncts e <= 0 is taken at the counters' values for
 * which e is greatest, if e grows or falls with each of them: what is left speaks of sizes and scalars alone, and is
 * the weakest condition under which the loop, run at all, keeps to it. What data decides stays as it is: the
 * obligations tell of it. */
#include <string.h>

#include "execute/internal.h"

enum { MOST_COUNTERS = 16 };

static bool is_moving(const TermTable *tt, Term t) {
  SymbolRole role = term_symbol(tt, t)->role;
  return role == SYMBOL_COUNTER || role == SYMBOL_LANE || role == SYMBOL_INDEX;
}

/* A floor of what moves among the factors of a summand; 0: none. */
static Term moving_floor(const TermTable *tt, Term part) {
  uint32_t n = term_kind(tt, part) == TERM_MUL ? term_count(tt, part) : 0;
  if (term_kind(tt, part) == TERM_FLOORDIV) return part;
  for (uint32_t i = 0; i < n; i += 2)
    if (term_kind(tt, term_arg(tt, part, i)) == TERM_FLOORDIV) return term_arg(tt, part, i);
  return 0;
}

/* e = k*(x % d) + rest with the most that the remainder is; 0: there is none in it. */
static Term without_remainder(TermTable *tt, Term e) {
  for (uint32_t i = 1; term_kind(tt, e) == TERM_ADD && i < term_count(tt, e); i += 2) {
    Term f = moving_floor(tt, term_arg(tt, e, i + 1)), one;
    if (!f || !term_prove_lt(tt, tt->zero, term_arg(tt, f, 1))) continue;
    Term whole = term_mul(tt, term_arg(tt, f, 1), f);
    Rational by = term_coefficient(tt, whole, &one), k = term_rat(tt, term_arg(tt, e, i));
    if (one != term_arg(tt, e, i + 1)) continue;
    k = rational_neg(rational_div(tt->arena->guard, k, by));
    Term remainder = term_scale(tt, k, term_sub(tt, term_arg(tt, f, 0), whole)), rest = term_sub(tt, e, remainder);
    Term most = k.num > 0 ? term_scale(tt, k, term_sub(tt, term_arg(tt, f, 1), tt->one)) : tt->zero;
    if (!term_has_symbol(tt, rest, f)) return term_add(tt, rest, most);
  }
  return 0;
}

/* The range of another symbol that moves speaks of v: that one is to be gone through first. */
static bool bounds_another(const TermTable *tt, const TermList *symbols, Term v) {
  for (uint32_t i = 0; i < symbols->count; i++) {
    const Symbol *s = is_moving(tt, symbols->data[i]) ? term_symbol(tt, symbols->data[i]) : NULL;
    if (symbols->data[i] != v && s && s->lo && s->hi &&
        (term_has_symbol(tt, s->lo, v) || term_has_symbol(tt, s->hi, v)))
      return true;
  }
  return false;
}

/* A sum of products of arguments, none of which is taken away. */
static bool is_plain_sum(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return term_rat(tt, t).num >= 0;
  if (kind == TERM_SYM) return term_symbol(tt, t)->role == SYMBOL_SCALAR || term_symbol(tt, t)->role == SYMBOL_SIZE;
  if (kind != TERM_ADD && kind != TERM_MUL) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!is_plain_sum(tt, term_arg(tt, t, i))) return false;
  return true;
}

/* e at the counters for which it is greatest; 0: that is not known. A remainder x % d is d - 1 at most. `meant`, if not
 * NULL, gets the arguments that are taken not to be negative: what falls by them is greatest at the first counter. */
static Term greatest_if(TermTable *tt, Term e, TermList *meant, uint32_t depth) {
  TermList symbols = {0};
  if (depth > MOST_COUNTERS) return 0;
  term_symbols(tt, e, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) {
    Term v = symbols.data[i];
    if (!is_moving(tt, v) || bounds_another(tt, &symbols, v)) continue;
    Term step = term_sub(tt, term_replace(tt, e, v, term_add(tt, v, tt->one)), e);
    bool grows = term_prove_le(tt, tt->zero, step), falls = !grows && term_prove_le(tt, step, tt->zero);
    bool is_meant = meant && !grows && !falls && is_plain_sum(tt, term_neg(tt, step));
    if (is_meant) array_push(tt->arena, meant, term_neg(tt, step));
    Term at = grows ? term_symbol(tt, v)->hi : falls || is_meant ? term_symbol(tt, v)->lo : 0;
    Term next = at ? term_replace(tt, e, v, at) : without_remainder(tt, e);
    return next ? greatest_if(tt, next, meant, depth + 1) : 0;
  }
  return term_node(tt, e)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF) ? 0 : e;
}

static Term greatest(TermTable *tt, Term e) { return greatest_if(tt, e, NULL, 0); }

Term execute_greatest(Machine *m, Term e) {
  uint32_t ended = execute_end_counters(m);
  Term most = greatest(m->tt, e);
  execute_open_counters(m, ended);
  return most;
}

void execute_assume(Effects *ex, Term condition, const char *why, AssumptionKind kind) {
  TermTable *tt = ex->tt;
  term_push_fact(tt, condition);
  for (uint32_t i = 0; i < ex->given.count; i++)
    if (ex->given.data[i].condition == condition) return;
  array_push(ex->arena, &ex->given, (ExecuteGiven){condition, term_message(tt, condition), why, kind, 0});
}

static void assume(Effects *ex, Term condition, const RequiredNeed *need) {
  const char *why = arena_format(ex->arena, "%s (%s)", need->text, execute_where(ex, need->op));
  execute_assume(ex, condition, why, ASSUME_PRECONDITION);
}

/* The condition for each value of the counters in it, by their ranges; 0: one has none, or something else moves. */
static Term for_all_counters(TermTable *tt, Term condition) {
  for (uint32_t n = 0; n <= MOST_COUNTERS; n++) {
    TermList symbols = {0};
    Term inner = 0;
    term_symbols(tt, condition, &symbols);
    for (uint32_t i = 0; i < symbols.count; i++) {
      const Symbol *s = term_symbol(tt, symbols.data[i]);
      if (s->role == SYMBOL_CARRY || s->role == SYMBOL_PID) return 0;
      if (!is_moving(tt, symbols.data[i])) continue;
      if (!s->lo || !s->hi) return 0;
      bool bounds = false; /* another one's range, which is then in it */
      for (uint32_t k = 0; k < symbols.count; k++)
        bounds |= is_moving(tt, symbols.data[k]) && term_symbol(tt, symbols.data[k])->hi &&
                  term_has_symbol(tt, term_symbol(tt, symbols.data[k])->hi, symbols.data[i]);
      if (!bounds) inner = symbols.data[i];
    }
    if (!inner) return condition;
    const Symbol *s = term_symbol(tt, inner);
    condition = term_fold(tt, FOLD_ALL, inner, s->lo, term_add(tt, s->hi, tt->one), tt->true_, condition);
  }
  return 0;
}

/* What data decides: as the source says it, and as it is told from the elements where the path leads there. */
static void state(Effects *ex, Term part, const RequiredNeed *need) {
  TermTable *tt = ex->tt;
  Term contents = term_node(tt, part)->flags & TERM_HAS_UNDEF
                      ? 0
                      : for_all_counters(tt, term_or(tt, term_not(tt, need->path), part));
  for (uint32_t i = 0; i < ex->given.count; i++)
    if (!strcmp(ex->given.data[i].text, need->text)) {
      Term *told = &ex->given.data[i].of_contents;
      *told = *told && contents ? term_and(tt, *told, contents) : *told ? *told : contents;
      return;
    }
  const char *why = arena_format(ex->arena, "else it is undefined (%s)", execute_where(ex, need->op));
  array_push(ex->arena, &ex->given, (ExecuteGiven){tt->true_, need->text, why, ASSUME_PRECONDITION, contents});
}

/* A loop that needs its bound to be 1 at most is no loop: x[2*i] for i < n, where x has n elements. Not so x[i + k] for
 * i < 7, of 8 elements. */
static bool allows_one_step(TermTable *tt, Term part, Term condition) {
  TermList moving = {0}, bound = {0};
  bool moves = false;
  term_symbols(tt, part, &moving);
  term_symbols(tt, condition, &bound);
  for (uint32_t i = 0; i < moving.count && bound.count == 1; i++) {
    Term most = is_moving(tt, moving.data[i]) ? term_symbol(tt, moving.data[i])->hi : 0;
    moves |= most && term_has_symbol(tt, most, bound.data[0]);
  }
  if (!moves) return false;
  Term at[3];
  for (int i = 0; i < 3; i++) at[i] = term_replace(tt, condition, bound.data[0], term_int(tt, i + 1));
  return at[0] == tt->true_ && at[1] == tt->false_ && at[2] == tt->false_;
}

/* What is left of the conjunct where its path leads, and the condition on sizes that grants it; 0: none does. */
static Term size_condition(TermTable *tt, Term part, const RequiredNeed *need, Term *left) {
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, need->path);
  *left = term_assume(tt, term_rebuild(tt, part), need->path);
  Term e = term_kind(tt, *left) == TERM_LE && term_count(tt, *left) == 1 ? term_arg(tt, *left, 0) : 0;
  Term most = e ? greatest(tt, e) : 0;
  term_pop_facts(tt, facts);
  if (*left == tt->true_ || !most) return *left == tt->true_ ? tt->true_ : 0;
  Term condition = term_le(tt, most, tt->zero);
  return allows_one_step(tt, *left, condition) ? tt->false_ : condition;
}

/* An index i*ld + j is not below 0 where the argument ld is not: nothing that it is below may be told without. */
static void assume_signs(Effects *ex, const RequiredNeed *need) {
  TermTable *tt = ex->tt;
  for (uint32_t k = 0, n = term_conjunct_count(tt, need->condition); k < n; k++) {
    TermList meant = {0};
    uint32_t facts = tt->facts.count;
    term_push_fact(tt, need->path);
    Term part = term_assume(tt, term_rebuild(tt, term_conjunct(tt, need->condition, k)), need->path);
    Term e = term_kind(tt, part) == TERM_LE && term_count(tt, part) == 1 ? term_arg(tt, part, 0) : 0;
    Term most = e ? greatest_if(tt, e, &meant, 0) : 0;
    term_pop_facts(tt, facts);
    for (uint32_t i = 0; most && is_plain_sum(tt, term_neg(tt, most)) && i < meant.count; i++)
      assume(ex, term_le(tt, tt->zero, meant.data[i]), need);
  }
}

/* The conjunct, where its path leads; false: nothing on sizes grants it. */
static bool grant(Effects *ex, Term part, const RequiredNeed *need) {
  TermTable *tt = ex->tt;
  Term left, condition = size_condition(tt, part, need, &left);
  if (condition) {
    if (condition != tt->true_ && condition != tt->false_) assume(ex, condition, need);
    return condition != tt->false_;
  }
  TermList symbols = {0};
  bool is_of_data = term_node(tt, left)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF);
  term_symbols(tt, left, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (is_moving(tt, symbols.data[i])) is_of_data = true;
  if (left == tt->false_ || (is_of_data && !(term_node(tt, left)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE))))
    return false;
  if (!is_of_data)
    assume(ex, left, need);
  else
    state(ex, left, need);
  return true;
}

/* An index that counts from the end where it is negative is meant to count from the beginning if arguments alone may
 * make it negative: that they do not is a precondition, and no other meaning has to be followed. */
void execute_prefer(Machine *m, Term condition, const char *text, OpId op) {
  TermTable *tt = m->tt;
  RequiredNeed need = {condition, m->path, text, op};
  Term e = term_kind(tt, condition) == TERM_LE && term_count(tt, condition) == 1 ? term_arg(tt, condition, 0) : 0;
  TermList meant = {0};
  Term most = e ? greatest_if(tt, e, &meant, 0) : 0;
  if (!most || !is_plain_sum(tt, term_neg(tt, most))) return;
  if (most != tt->zero) array_push(tt->arena, &meant, term_neg(tt, most));
  for (uint32_t i = 0; i < meant.count; i++) {
    Term least = meant.data[i];
    assume(m->effects, term_le(tt, tt->zero, least), &need);
    if (term_kind(tt, least) == TERM_SYM) term_symbol_range(tt, least, tt->zero, term_symbol(tt, least)->hi);
  }
}

/* By term_symbol_range: what was answered of an ended counter is no answer later, where it counts to the number of
 * iterations. */
static void set_end(Machine *m, uint32_t i, Term end) {
  term_symbol_range(m->tt, m->counters[i], term_symbol(m->tt, m->counters[i])->lo, end);
}

uint32_t execute_end_counters(Machine *m) {
  uint32_t ended = 0;
  for (uint32_t i = 0; i < m->counter_count; i++) {
    bool is_known = m->counter_end[i] && m->counter_end[i] != m->counters[i];
    if (!is_known || term_symbol(m->tt, m->counters[i])->hi) continue;
    set_end(m, i, m->counter_end[i]);
    ended |= 1u << i;
  }
  return ended;
}

void execute_open_counters(Machine *m, uint32_t ended) {
  for (uint32_t i = 0; i < m->counter_count; i++)
    if (ended >> i & 1) set_end(m, i, 0);
}

/* The conditions on sizes alone, as soon as a loop has run that asks for them: what it stores may lie in rows that
 * are told apart by them. */
void execute_grant_sizes(Machine *m, uint32_t first) {
  TermTable *tt = m->tt;
  Effects *ex = m->effects;
  uint32_t ended = execute_end_counters(m);
  for (uint32_t i = first; i < ex->required.count; i++) {
    RequiredNeed need = ex->required.data[i];
    bool several = term_kind(tt, need.condition) == TERM_AND;
    assume_signs(ex, &need);
    for (uint32_t k = 0, n = several ? term_count(tt, need.condition) : 1; k < n; k++) {
      Term part = several ? term_arg(tt, need.condition, k) : need.condition;
      Term left, condition = size_condition(tt, part, &need, &left);
      if (condition && condition != tt->true_ && condition != tt->false_) assume(ex, condition, &need);
    }
  }
  execute_open_counters(m, ended);
}

void execute_find_preconditions(Effects *ex) {
  TermTable *tt = ex->tt;
  uint32_t kept = 0, facts = tt->facts.count;
  for (uint32_t i = 0; i < ex->required.count; i++) {
    RequiredNeed need = ex->required.data[i];
    Term c = term_rebuild(tt, need.condition);
    bool several = term_kind(tt, c) == TERM_AND, granted = true;
    assume_signs(ex, &need);
    for (uint32_t k = 0, n = several ? term_count(tt, c) : 1; k < n; k++)
      granted &= grant(ex, several ? term_arg(tt, c, k) : c, &need);
    if (granted) continue;
    ex->required.data[kept++] = need;
    if (program_op_attr(ex->program, program_get_op(ex->program, need.op), "relied") && !ex->stop_code)
      ex->stop_code = REASON_UNSUPPORTED_RESULT, ex->stop_op = need.op,
      ex->stop_text = arena_format(ex->arena, "not shown: %s", need.text);
  }
  ex->required.count = kept;
  term_pop_facts(tt, facts);
}
