/* Coverage by several launches (see operator_coverage.h). */
#include "sequence/operator_coverage.h"

#include <string.h>

#include "prove/equal.h"
#include "solve/solve.h"

static const double SECONDS = 1;
enum { MOST_SIZES = 4, MOST_TRIALS = 200000, MOST_INDEX = 70 };

/* "for all i within the tensor": where nothing is written. */
static Term outside(TermTable *tt, const SequenceTensor *t) {
  Term out = tt->true_;
  for (uint32_t k = 0; k < t->written->rank; k++) {
    Term i = t->written->index[k];
    out = term_and(tt, out, term_and(tt, term_le(tt, tt->zero, i), term_lt(tt, i, t->view.extent[k])));
  }
  for (uint32_t i = 0; i < t->written->pieces.count; i++)
    out = term_and(tt, out, term_not(tt, t->written->pieces.data[i].region));
  return out;
}

static bool is_plain(const TermTable *tt, Term t) {
  return !(term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF | TERM_HAS_FOLD));
}

/* ---- all of it ---- */

static bool shares_symbol(TermTable *tt, Term a, Term b) {
  TermList symbols = {0};
  term_symbols(tt, a, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_has_symbol(tt, b, symbols.data[i])) return true;
  return false;
}

static bool is_nowhere(TermTable *tt, Term condition) {
  condition = term_assume(tt, condition, tt->true_);
  return condition == tt->false_ || equal_prove_false(tt, condition) ||
         solve_find(tt, condition, SECONDS, 0, NULL, NULL) == SOLVE_NONE;
}

/* By itself, else under what is assumed of the same sizes. */
static bool prove_whole(const CoverageAsked *asked, Term out, Coverage *to) {
  const Claim *whole = asked->whole;
  TermTable *tt = whole->tt;
  if (is_nowhere(tt, out)) return true;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < whole->assumptions.count; i++) {
    Term condition = whole->assumptions.data[i].condition;
    if (!condition || !is_plain(tt, condition) || !shares_symbol(tt, condition, out)) continue;
    equal_push(tt, condition);
    array_push(asked->arena, &to->under, i);
  }
  bool good = to->under.count && is_nowhere(tt, out);
  term_pop_facts(tt, facts);
  if (!good) to->under.count = 0;
  return good;
}

/* ---- an element that nothing writes ---- */

typedef struct Search {
  const CoverageAsked *asked;
  TermTable *tt;
  TermEval *eval;
  TermList sizes, conditions;
  Term out;
  int64_t value[MOST_SIZES], index[POINTWISE_MAX_RANK];
  uint32_t trials;
} Search;

static bool is_sampled(const Search *s, Term symbol) {
  for (uint32_t i = 0; i < s->asked->whole->given.count; i++)
    if (s->asked->whole->given.data[i].symbol == symbol) return true;
  return false;
}

/* Sizes that a condition speaks of, apart from indices. false: it speaks of something else, or of too many. */
static bool add_sizes(Search *s, Term t) {
  TermList symbols = {0};
  term_symbols(s->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = term_symbol(s->tt, symbols.data[i]);
    bool known = symbol->role == SYMBOL_INDEX || is_sampled(s, symbols.data[i]);
    for (uint32_t k = 0; k < s->sizes.count; k++) known |= s->sizes.data[k] == symbols.data[i];
    if (known) continue;
    if (symbol->sort != SORT_INT || symbol->role != SYMBOL_SIZE || s->sizes.count == MOST_SIZES) return false;
    array_push(s->asked->arena, &s->sizes, symbols.data[i]);
  }
  return true;
}

/* What has no condition and is no statement about values or memory says something of sizes that cannot be asked. */
static bool says_nothing_of_sizes(const Assumption *a) {
  static const AssumptionKind kinds[] = {ASSUME_DISJOINT,  ASSUME_FINITE,    ASSUME_POSITIVE,
                                         ASSUME_UNDERFLOW, ASSUME_ZERO_FILL, ASSUME_LAUNCH};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (a->kind == kinds[i]) return true;
  return a->of_sizes || a->holds_anyway;
}

static bool collect(Search *s) {
  const Claim *whole = s->asked->whole;
  if (!is_plain(s->tt, s->out) || !add_sizes(s, s->out)) return false;
  for (uint32_t i = 0; i < whole->assumptions.count; i++) {
    const Assumption *a = &whole->assumptions.data[i];
    if (!a->condition && says_nothing_of_sizes(a)) continue;
    if (!a->condition || !is_plain(s->tt, a->condition) || !add_sizes(s, a->condition)) return false;
    array_push(s->asked->arena, &s->conditions, a->condition);
  }
  for (uint32_t i = 0; i < s->sizes.count; i++) { /* the range of a size is a condition */
    const Symbol *size = term_symbol(s->tt, s->sizes.data[i]);
    if (size->lo && !term_is_rat(s->tt, size->lo) && (!is_plain(s->tt, size->lo) || !add_sizes(s, size->lo)))
      return false;
    if (size->hi && !term_is_rat(s->tt, size->hi) && (!is_plain(s->tt, size->hi) || !add_sizes(s, size->hi)))
      return false;
  }
  return true;
}

static int64_t value_of(Search *s, Term t) { return term_eval(s->eval, t).integer; }

static void set(Search *s, Term symbol, int64_t value) {
  term_eval_set(s->eval, symbol, (TermValue){(double)value, value});
}

/* The sizes meet their ranges and the conditions. */
static bool is_launch(Search *s) {
  for (uint32_t i = 0; i < s->sizes.count; i++) {
    const Symbol *size = term_symbol(s->tt, s->sizes.data[i]);
    if ((size->lo && s->value[i] < value_of(s, size->lo)) || (size->hi && s->value[i] > value_of(s, size->hi)))
      return false;
  }
  for (uint32_t i = 0; i < s->conditions.count; i++)
    if (!value_of(s, s->conditions.data[i])) return false;
  return true;
}

static bool find_index(Search *s, uint32_t axis) {
  const SequenceTensor *t = s->asked->tensor;
  if (axis == t->written->rank) return value_of(s, s->out) != 0;
  int64_t extent = value_of(s, t->view.extent[axis]);
  for (int64_t i = 0; i < extent && i < MOST_INDEX && s->trials < MOST_TRIALS; i++, s->trials++) {
    s->index[axis] = i;
    set(s, t->written->index[axis], i);
    if (find_index(s, axis + 1)) return true;
  }
  return false;
}

static bool find_sizes(Search *s, uint32_t at) {
  static const int64_t tried[] = {1,  2,  3,  4,  5,  7,   8,   15,  16,  17,  31,
                                  32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
  if (at == s->sizes.count) {
    s->trials++;
    return is_launch(s) && find_index(s, 0);
  }
  for (size_t i = 0; i < sizeof tried / sizeof *tried && s->trials < MOST_TRIALS; i++) {
    s->value[at] = tried[i];
    set(s, s->sizes.data[at], tried[i]);
    if (find_sizes(s, at + 1)) return true;
  }
  return false;
}

static const SampleWitness *tell(const Search *s, Coverage *to) {
  Arena *arena = s->asked->arena;
  const SequenceTensor *t = s->asked->tensor;
  SampleWitness *w = arena_new(arena, SampleWitness);
  Text element = text_new(arena);
  for (uint32_t i = 0; i < s->sizes.count; i++)
    array_push(arena, &w->sizes,
               ((SamplePair){term_name(s->tt, s->sizes.data[i]), arena_format(arena, "%lld", (long long)s->value[i])}));
  for (uint32_t k = 0; k < t->written->rank; k++) {
    text_format(&element, "%s%lld", k ? ", " : "", (long long)s->index[k]);
    const char *name = t->written->rank == 1 ? "element" : term_name(s->tt, t->written->index[k]);
    array_push(arena, &w->index, ((SamplePair){name, arena_format(arena, "%lld", (long long)s->index[k])}));
  }
  to->detail = arena_format(arena, "no launch writes %s[%s]", t->view.name, text_string(&element));
  return w;
}

static bool find_unwritten(const CoverageAsked *asked, Term out, Coverage *to) {
  Search *s = arena_new(asked->arena, Search);
  *s = (Search){.asked = asked, .tt = asked->whole->tt, .out = out};
  if (!collect(s)) return false;
  s->eval = term_eval_new(s->tt, asked->arena, NULL, NULL);
  for (uint32_t i = 0; i < asked->whole->given.count; i++)
    set(s, asked->whole->given.data[i].symbol, asked->whole->given.data[i].value);
  if (!find_sizes(s, 0)) return false;
  to->witness = tell(s, to);
  return true;
}

/* ---- both ---- */

Coverage coverage_of_launches(const CoverageAsked *asked) {
  TermTable *tt = asked->whole->tt;
  const SequenceTensor *t = asked->tensor;
  Coverage to = {.verdict = OBLIGATION_UNKNOWN,
                 .detail = arena_format(asked->arena,
                                        "several launches write %s: together they are not shown to write all of it",
                                        t->view.name)};
  if (!asked->is_proved || !t->written) return to;
  Term out = outside(tt, t);
  if (prove_whole(asked, out, &to) || asked->is_input)
    to.verdict = OBLIGATION_PROVED, to.detail = NULL;
  else if (!asked->may_be_input && find_unwritten(asked, out, &to))
    to.verdict = OBLIGATION_REFUTED;
  return to;
}
