/* Equality of terms (see equal.h). */
#include "prove/equal.h"

#include "term/cons.h"

enum { CASE_DEPTH = 7, STRUCTURE_DEPTH = 40 };

const char *equal_engine_name(EqualEngine engine) {
  static const char *const names[] = {"none", "identity", "normal-form", "cases", "smt"};
  return names[engine];
}

void equal_push(TermTable *tt, Term condition) {
  if (term_kind(tt, condition) == TERM_AND)
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++) equal_push(tt, term_arg(tt, condition, i));
  else if (condition != tt->true_) term_push_fact(tt, condition);
}

static bool same(TermTable *tt, Term a, Term b, uint32_t depth);

/* ---- structure ---- */

static bool same_fold(TermTable *tt, Term a, Term b, uint32_t depth) {
  FoldParts p = term_fold_open(tt, a), q = term_fold_open(tt, b);
  if (!same(tt, p.lo, q.lo, depth) || !same(tt, p.hi, q.hi, depth)) return false;
  Term guard = term_replace(tt, q.guard, q.symbol, p.symbol), body = term_replace(tt, q.body, q.symbol, p.symbol);
  uint32_t facts = tt->facts.count;
  bool equal = same(tt, p.guard, guard, depth);
  if (equal) {
    equal_push(tt, p.guard);
    equal = same(tt, p.body, body, depth);
    term_pop_facts(tt, facts);
  }
  return equal;
}

/* Equal operators with equal arguments, argument by argument. */
static bool same_structure(TermTable *tt, Term a, Term b, uint32_t depth) {
  const TermNode *x = term_node(tt, a), *y = term_node(tt, b);
  if (depth > STRUCTURE_DEPTH || x->kind != y->kind || x->aux != y->aux || x->count != y->count || !x->count) return false;
  switch (term_kind(tt, a)) {
  case TERM_FOLD: return same_fold(tt, a, b, depth + 1);
  case TERM_READ: case TERM_FN: case TERM_OPAQUE: case TERM_SELECT: case TERM_FLOOR: case TERM_CEIL: case TERM_ROUND:
  case TERM_TRUNC: case TERM_ABS: case TERM_WRAP: case TERM_NOT: break;
  case TERM_ADD: case TERM_MUL: case TERM_MIN: case TERM_MAX: { /* the arguments that both have may go */
    uint32_t step = term_kind(tt, a) == TERM_MUL || term_kind(tt, a) == TERM_ADD ? 2 : 1, first = term_kind(tt, a) == TERM_ADD ? 1 : 0;
    Term left = 0, right = 0;
    if (first && term_arg(tt, a, 0) != term_arg(tt, b, 0)) return false;
    for (uint32_t side = 0; side < 2; side++)
      for (uint32_t i = first; i < x->count; i += step) {
        Term u = side ? b : a, v = side ? a : b;
        bool found = false;
        for (uint32_t k = first; k < term_count(tt, v) && !found; k += step)
          found = term_arg(tt, u, i) == term_arg(tt, v, k) && (step == 1 || term_arg(tt, u, i + 1) == term_arg(tt, v, k + 1));
        if (found) continue;
        Term *rest = side ? &right : &left;
        if (*rest) return false; /* more than one differs: which belongs to which is not known */
        *rest = i + 1;
      }
    if (!left || !right) return false;
    left--, right--;
    if (step == 1) return same(tt, term_arg(tt, a, left), term_arg(tt, b, right), depth + 1);
    return term_kind(tt, a) == TERM_ADD
               ? term_arg(tt, a, left) == term_arg(tt, b, right) && same(tt, term_arg(tt, a, left + 1), term_arg(tt, b, right + 1), depth + 1)
               : term_arg(tt, a, left + 1) == term_arg(tt, b, right + 1) && same(tt, term_arg(tt, a, left), term_arg(tt, b, right), depth + 1);
  }
  default: return false;
  }
  for (uint32_t i = 0; i < term_node(tt, a)->count; i++)
    if (!same(tt, term_arg(tt, a, i), term_arg(tt, b, i), depth + 1)) return false;
  return true;
}

static bool same(TermTable *tt, Term a, Term b, uint32_t depth) {
  guard_tick(tt->arena->guard);
  if (a == b) return true;
  if (term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT && term_prove_le(tt, a, b) && term_prove_le(tt, b, a)) return true;
  return same_structure(tt, a, b, depth);
}

/* ---- normal forms ---- */

static Term peeled(TermTable *tt, Term t, Term end) {
  for (Term before = 0; end && before != t;) { /* an inner fold may be cut only after an outer one was */
    before = t;
    t = term_transform(tt, t, term_peel_folds, &end);
  }
  return t;
}

static Term normal(TermTable *tt, Term t, Term end) {
  if (!end) t = term_transform(tt, t, term_merge_tiles, NULL);
  return term_normalize(tt, peeled(tt, t, end));
}

/* ---- cases ---- */

typedef struct Candidates {
  Term data[16];
  uint32_t count;
} Candidates;

static bool is_closed(const TermTable *tt, Term t) { return !(term_node(tt, t)->free_mask >> 48); }

static void add_candidate(TermTable *tt, Candidates *c, Term condition) {
  if (term_kind(tt, condition) == TERM_TRUE || term_kind(tt, condition) == TERM_FALSE || !is_closed(tt, condition) || c->count == 16) return;
  for (uint32_t i = 0; i < c->count; i++) if (c->data[i] == condition || c->data[i] == term_not(tt, condition)) return;
  c->data[c->count++] = condition;
}

static void find_in_bound(TermTable *tt, Term bound, Candidates *c) {
  if (term_kind(tt, bound) == TERM_MIN || term_kind(tt, bound) == TERM_MAX)
    for (uint32_t i = 0; i < term_count(tt, bound); i++)
      for (uint32_t k = i + 1; k < term_count(tt, bound); k++) add_candidate(tt, c, term_le(tt, term_arg(tt, bound, i), term_arg(tt, bound, k)));
}

/* First whether extrema are empty (what = 0), then the other conditions. */
static void find_cases(TermTable *tt, Term t, int what, Candidates *c) {
  if (tt->marks.data[t] == tt->epoch || c->count == 16) return;
  tt->marks.data[t] = tt->epoch;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT && what) {
    Term condition = term_arg(tt, t, 0);
    if (term_kind(tt, condition) == TERM_AND || term_kind(tt, condition) == TERM_OR)
      for (uint32_t i = 0; i < term_count(tt, condition); i++) add_candidate(tt, c, term_arg(tt, condition, i));
    else add_candidate(tt, c, condition);
  }
  if ((kind == TERM_MIN || kind == TERM_MAX) && what) {
    if (term_sort(tt, t) == SORT_INT) find_in_bound(tt, t, c);
  }
  if (kind == TERM_FOLD && !what) {
    uint32_t op = term_aux(tt, t);
    bool may_be_empty = op == FOLD_MAX || op == FOLD_MIN || op == FOLD_ARGMAX || op == FOLD_ARGMIN;
    if (may_be_empty && !term_prove_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)))
      add_candidate(tt, c, term_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)));
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_cases(tt, term_arg(tt, t, i), what, c);
}

/* Facts "x or y" of which the other facts leave only one alternative. */
static void refine_alternatives(TermTable *tt) {
  for (uint32_t i = 0, n = tt->facts.count; i < n; i++) {
    Term fact = tt->facts.data[i], left = tt->false_;
    if (term_kind(tt, fact) != TERM_OR) continue;
    for (uint32_t k = 0; k < term_count(tt, fact); k++) {
      Term x = term_arg(tt, fact, k);
      if (!term_prove_true(tt, term_not(tt, x))) left = term_or(tt, left, term_rebuild(tt, x));
    }
    if (left != fact && term_kind(tt, left) != TERM_OR) equal_push(tt, left);
  }
}

static EqualEngine decide(TermTable *tt, Term a, Term b, Term end, uint32_t depth) {
  guard_tick(tt->arena->guard);
  if (same(tt, a, b, 0)) return EQUAL_IDENTITY;
  Term x = normal(tt, a, end), y = normal(tt, b, end);
  if (same(tt, x, y, 0)) return EQUAL_NORMAL;
  if (!depth) return EQUAL_NONE;
  Candidates cases = {0};
  for (int kind = 0; kind < 2; kind++) {
    term_marks_begin(tt);
    find_cases(tt, a, kind, &cases);
    find_cases(tt, b, kind, &cases);
    find_cases(tt, x, kind, &cases);
    find_cases(tt, y, kind, &cases);
  }
  for (uint32_t i = 0; i < cases.count && i < 3; i++) {
    bool both = true;
    for (int side = 0; side < 2 && both; side++) {
      Term condition = side ? term_not(tt, cases.data[i]) : cases.data[i];
      uint32_t facts = tt->facts.count;
      if (term_prove_true(tt, term_not(tt, condition))) continue; /* never so */
      Term left = term_assume(tt, a, condition), right = term_assume(tt, b, condition);
      equal_push(tt, condition);
      refine_alternatives(tt);
      both = decide(tt, left, right, end, i ? depth / 2 : depth - 1) != EQUAL_NONE;
      term_pop_facts(tt, facts);
    }
    if (both) return EQUAL_CASES;
  }
  return EQUAL_NONE;
}

EqualEngine equal_prove(TermTable *tt, Term a, Term b) { return decide(tt, a, b, 0, CASE_DEPTH); }

EqualEngine equal_prove_step(TermTable *tt, Term a, Term b, Term end) { return decide(tt, a, b, end, CASE_DEPTH); }

static bool holds(TermTable *tt, Term condition, uint32_t depth, uint32_t first) {
  if (term_prove_true(tt, condition)) return true;
  if (term_kind(tt, condition) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, condition); i++) if (!holds(tt, term_arg(tt, condition, i), depth, first)) return false;
    return true;
  }
  for (uint32_t i = first; i < tt->facts.count && depth; i++) { /* a fact "x or y": in both cases */
    Term fact = tt->facts.data[i];
    if (term_kind(tt, fact) != TERM_OR) continue;
    bool all = true;
    for (uint32_t k = 0; k < term_count(tt, fact) && all; k++) {
      uint32_t facts = tt->facts.count;
      equal_push(tt, term_arg(tt, fact, k));
      all = holds(tt, term_rebuild(tt, condition), depth - 1, i + 1);
      term_pop_facts(tt, facts);
    }
    return all;
  }
  return false;
}

enum { PATIENCE = 4000 };

bool equal_prove_true(TermTable *tt, Term condition) {
  if (holds(tt, condition, 3, 0)) return true;
  uint32_t patience = tt->patience;
  tt->patience = PATIENCE;
  bool good = holds(tt, term_rebuild(tt, condition), 3, 0);
  tt->patience = patience;
  return good;
}
