/* One pair of outputs (see compare.h). */
#include "compare/compare.h"

#include <math.h>
#include <string.h>

#include "compare/side.h"
#include "laws/compare_laws.h"
#include "laws/laws.h"
#include "prove/equal.h"
#include "prove/rewrite.h"
#include "term/cons.h"

static const double TIME_SHARE = 0.7; /* of the time that is left: the rest is for what is known without a proof */

static const char *shape_text(Arena *arena, TermTable *tt, const CompareOutput *output) {
  Text text = text_new(arena);
  text_char(&text, '[');
  for (uint32_t k = 0; k < output->rank; k++)
    text_format(&text, "%s%s", k ? ", " : "", term_text(tt, output->shape[k]));
  text_char(&text, ']');
  return text_string(&text);
}

/* The right's value at the left's indices. */
static void use_indices(TermTable *tt, const CompareOutput *left, CompareOutput *right) {
  TermMap map = {.count = left->rank, .from = right->index, .to = left->index};
  right->region = term_substitute(tt, right->region, map);
  if (right->value) right->value = term_substitute(tt, right->value, map);
  memcpy(right->index, left->index, sizeof right->index);
}

static bool same_shape(TermTable *tt, const CompareOutput *left, const CompareOutput *right) {
  for (uint32_t k = 0; k < left->rank; k++)
    if (term_sub(tt, left->shape[k], right->shape[k]) != tt->zero && !equal_prove(tt, left->shape[k], right->shape[k]))
      return false;
  return true;
}

/* No index meets the condition: every way through its alternatives is against the facts. */
static bool is_impossible(TermTable *tt, Term condition, uint32_t depth) {
  if (condition == tt->false_ || equal_prove_true(tt, term_not(tt, condition))) return true;
  if (depth == 0) return false;
  uint32_t facts = tt->facts.count, n = term_count(tt, condition);
  bool all = false;
  if (term_kind(tt, condition) == TERM_OR) {
    all = true;
    for (uint32_t i = 0; i < n && all; i++) all = is_impossible(tt, term_arg(tt, condition, i), depth - 1);
  } else if (term_kind(tt, condition) == TERM_AND) {
    for (uint32_t i = 0; i < n && !all; i++) { /* one conjunct against the others */
      Term rest = tt->true_;
      for (uint32_t k = 0; k < n; k++)
        if (k != i) rest = term_and(tt, rest, term_arg(tt, condition, k));
      equal_push(tt, rest);
      all = is_impossible(tt, term_arg(tt, condition, i), depth - 1);
      term_pop_facts(tt, facts);
    }
  }
  return all;
}

static bool implies(TermTable *tt, Term a, Term b) {
  uint32_t facts = tt->facts.count;
  equal_push(tt, a);
  bool good = equal_prove_true(tt, b) || is_impossible(tt, term_not(tt, b), 3);
  term_pop_facts(tt, facts);
  return good;
}

static bool same_region(TermTable *tt, Term a, Term b) { return a == b || (implies(tt, a, b) && implies(tt, b, a)); }

static CompareResult refuted(Arena *arena, const CompareOutput *left, const CompareSample *sample) {
  static const char *const what[] = {"", "the shapes differ", "not the same elements are written", "the values differ"};
  return (CompareResult){.verdict = VERDICT_REFUTED,
                         .difference = sample->difference,
                         .witness = sample->witness,
                         .left = sample->left,
                         .right = sample->right,
                         .text = arena_format(arena, "%s: %s", left->name, what[sample->difference])};
}

/* What an atomic or a function of another library returns is not evaluated: a value that holds it says nothing. */
static bool is_evaluated(const TermTable *tt, const CompareTensors *tensors, Term value) {
  return value && (tensors->has_functions || !(term_node(tt, value)->flags & TERM_HAS_OPAQUE));
}

/* The engine that shows the values equal inside the region. */
typedef struct Proof {
  Arena *arena;
  TermTable *tt;
  CompareFormat format;
  const CompareTensors *tensors;
  const CompareOutput *left, *right;
  CompareAssumptions *assumptions;
  CompareResult *result;
  bool is_cut; /* some attempt reached a limit */
} Proof;

typedef struct Values {
  TermTable *tt;
  const CompareOutput *left;
  Term a, b;
  EqualEngine engine;
} Values;

static void prove_pair(void *payload) {
  Values *v = payload;
  equal_push(v->tt, v->left->region);
  v->engine = equal_prove(v->tt, v->a, v->b);
}

/* One attempt, whose limits are its own: with numbers that are exact, coefficients may become too long, which other
 * attempts are free of. */
static EqualEngine prove_values(Proof *p, Term a, Term b) {
  uint32_t facts = p->tt->facts.count;
  Values v = {.tt = p->tt, .left = p->left, .a = a, .b = b};
  p->is_cut |= !term_attempt(p->tt, 1, prove_pair, &v);
  term_pop_facts(p->tt, facts);
  return v.engine;
}

/* Once as they are, once with constants made one. */
static EqualEngine prove_with_constants(Proof *p, Term a, Term b) {
  EqualEngine engine = prove_values(p, a, b);
  CompareAssumptions trial = {0};
  if (engine) return engine;
  a = term_expand(p->tt, a), b = term_expand(p->tt, b);
  compare_unify_constants(p->arena, p->tt, p->format, &a, &b, &trial);
  if (trial.made.count) engine = prove_values(p, a, b);
  if (trial.made.count && !engine) { /* numbers that stood beside sums may be multiplied out now, and meet others */
    a = compare_law(p->tt, a, COMPARE_SMOOTH, true), b = compare_law(p->tt, b, COMPARE_SMOOTH, false);
    compare_unify_constants(p->arena, p->tt, p->format, &a, &b, &trial);
    engine = prove_values(p, a, b);
  }
  for (uint32_t i = 0; engine && i < trial.made.count; i++)
    array_push(p->arena, &p->assumptions->made, trial.made.data[i]);
  return engine;
}

/* The same after each step of the laws. */
static EqualEngine prove_by_laws(Proof *p, Term a, Term b) {
  TermTable *tt = p->tt;
  EqualEngine engine = prove_with_constants(p, a, b);
  uint32_t facts = tt->facts.count;
  for (int law = 0; law < COMPARE_LAW_COUNT && !engine; law++) {
    equal_push(tt, p->left->region);
    Term x = compare_law(tt, a, (CompareLaw)law, true), y = compare_law(tt, b, (CompareLaw)law, false);
    term_pop_facts(tt, facts);
    if (x == a && y == b) continue;
    engine = prove_with_constants(p, x, y);
    if (law == COMPARE_REBUILD || law == COMPARE_POINTS || law == COMPARE_SMOOTH)
      a = x, b = y; /* the others stand in each other's way */
  }
  return engine;
}

/* By an e-graph, last: as they are, then with constants made one. */
static EqualEngine prove_by_rewriting(Proof *p, Term a, Term b) {
  uint32_t facts = p->tt->facts.count;
  CompareAssumptions trial = {0};
  const char **steps = &p->result->steps;
  equal_push(p->tt, p->left->region);
  bool good = rewrite_prove(p->tt, a, b, steps);
  if (!good) {
    compare_unify_constants(p->arena, p->tt, p->format, &a, &b, &trial);
    good = trial.made.count && rewrite_prove(p->tt, a, b, steps);
  }
  term_pop_facts(p->tt, facts);
  for (uint32_t i = 0; good && i < trial.made.count; i++)
    array_push(p->arena, &p->assumptions->made, trial.made.data[i]);
  return good ? EQUAL_EXPLANATION : EQUAL_NONE;
}

/* The value before it wraps to the width of its type, in either branch; the width goes to `width`. */
static Term before_wrap(TermTable *tt, Term t, uint32_t *width) {
  if (term_kind(tt, t) == TERM_SELECT)
    return term_select(tt, term_arg(tt, t, 0), before_wrap(tt, term_arg(tt, t, 1), width),
                       before_wrap(tt, term_arg(tt, t, 2), width));
  if (term_kind(tt, t) != TERM_WRAP || (*width && *width != term_aux(tt, t))) return t;
  *width = term_aux(tt, t);
  return term_arg(tt, t, 0);
}

/* A truth value beside a number is 1 or 0, as memory holds it, and as it is evaluated. */
static Term beside(TermTable *tt, Term t, Term other) {
  bool is_truth = t && other && term_sort(tt, t) == SORT_BOOL && term_sort(tt, other) != SORT_BOOL;
  return is_truth ? term_select(tt, t, tt->one, tt->zero) : t;
}

static void prove_equal(void *payload) {
  Proof *p = payload;
  Term a = beside(p->tt, p->left->value, p->right->value), b = beside(p->tt, p->right->value, p->left->value);
  EqualEngine engine = prove_by_laws(p, a, b);
  uint32_t width = 0;
  Term exact = engine || !a ? a : before_wrap(p->tt, a, &width);
  /* what equals a number that fits the type does not wrap */
  if (width && p->right->whole_limit > 0 && p->right->whole_limit <= ldexp(1, (int)width - 1) &&
      (engine = prove_by_laws(p, exact, b)))
    array_push(p->arena, &p->assumptions->made,
               (ReportAssumption){NULL, ASSUME_RANGE,
                                  arena_format(p->arena, "what is to be %s fits i%u", p->left->name, width),
                                  "arithmetic of references does not wrap", NULL});
  Term checked = engine || !a ? a : compare_checked_places(p->tt, p->tensors, a);
  if (checked != a) engine = prove_by_laws(p, checked, b);
  p->result->engine = engine ? engine : prove_by_rewriting(p, a, b);
}

/* The same values over constants that are made one; what that assumes goes to `trial`. */
static CompareOutput with_constants(Arena *arena, TermTable *tt, CompareFormat format, const CompareOutput *left,
                                    CompareOutput *right, CompareAssumptions *trial) {
  CompareOutput own = *left;
  if (left->value && right->value) compare_unify_constants(arena, tt, format, &own.value, &right->value, trial);
  return own;
}

/* Of an output that is compared as memory, one row, the element is found by the digits of its place. */
static Term or_old(TermTable *tt, const CompareOutput *of, const PointwiseTensor *t) {
  Term at[POINTWISE_MAX_RANK], rest = of->index[0];
  for (uint32_t k = t->rank; k-- > 0; rest = term_floordiv(tt, rest, t->extent[k]))
    at[k] = k ? term_mod(tt, rest, t->extent[k]) : rest;
  Term old = term_read(tt, t->symbol, term_sort(tt, of->value), t->rank, t->rank == of->rank ? of->index : at);
  return term_select(tt, of->region, of->value, old);
}

/* What is known of the values that are written, of an output with all its elements. */
static TermList known_inside(Arena *arena, TermTable *tt, Term region, const TermList *known) {
  TermList list = {0};
  for (uint32_t i = 0; i < known->count; i++)
    array_push(arena, &list, term_or(tt, term_not(tt, region), known->data[i]));
  return list;
}

/* The output with what memory holds where it is not written. */
static CompareOutput with_old_contents(Arena *arena, TermTable *tt, const CompareOutput *of, const PointwiseTensor *t) {
  CompareOutput own = *of;
  if (of->region == tt->true_) return own;
  own.value = or_old(tt, of, t), own.region = tt->true_;
  own.known = known_inside(arena, tt, of->region, &of->known);
  own.defined = known_inside(arena, tt, of->region, &of->defined);
  own.expression = NULL; /* says nothing of the others */
  return own;
}

static bool mentions(TermTable *tt, const CompareOutput *of, Term tensor) {
  return term_has_symbol(tt, of->value, tensor) || term_has_symbol(tt, of->region, tensor);
}

/* A tensor whose old contents a side uses, such as a histogram that is added to: what one side does not write keeps
 * them, so that values tell whether the other, which does, leaves another. */
static CompareOutput keep_old_contents(Arena *arena, TermTable *tt, const CompareTensors *tensors,
                                       const CompareOutput *left, CompareOutput *right) {
  for (uint32_t i = 0; i < tensors->count && left->value && right->value && left->region != right->region; i++) {
    const PointwiseTensor *t = &tensors->data[i];
    bool is_memory = left->rank == 1 && t->rank > 1 && pairing_is_contiguous(tt, t);
    if (strcmp(t->name, left->name) || (t->rank != left->rank && !is_memory)) continue;
    if (!mentions(tt, left, t->symbol) && !mentions(tt, right, t->symbol)) continue;
    *right = with_old_contents(arena, tt, right, t);
    return with_old_contents(arena, tt, left, t);
  }
  return *left;
}

/* s <= c or s >= c of one size or scalar, where all that is assumed leaves it no other value than c: a side that needs
 * n >= 0 and one that needs n <= 0 are compared at n = 0, which says nothing of the code. 0: it is no such bound. */
static Term pinned_name(TermTable *tt, Term condition) {
  TermList symbols = {0};
  term_symbols(tt, condition, &symbols);
  if (symbols.count != 1 || term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1) return 0;
  Term e = term_arg(tt, condition, 0), s = symbols.data[0], rest = term_replace(tt, e, s, tt->zero);
  bool is_linear = e == term_add(tt, s, rest) || e == term_sub(tt, rest, s);
  return is_linear && term_prove_le(tt, tt->zero, e) ? s : 0;
}

/* e <= 0 and e >= 0, of elements for each of some places. */
static bool are_opposite(TermTable *tt, Term a, Term b) {
  if (term_kind(tt, a) != term_kind(tt, b) || term_count(tt, a) != term_count(tt, b)) return false;
  if (term_kind(tt, a) == TERM_LE)
    return term_count(tt, a) == 2 ? term_arg(tt, a, 0) == term_arg(tt, b, 1) && term_arg(tt, a, 1) == term_arg(tt, b, 0)
                                  : b == term_le(tt, term_neg(tt, term_arg(tt, a, 0)), tt->zero);
  if (term_kind(tt, a) != TERM_FOLD || term_aux(tt, a) != FOLD_ALL || term_aux(tt, b) != FOLD_ALL) return false;
  FoldParts x = term_fold_open(tt, a), y = term_fold_open(tt, b);
  return x.lo == y.lo && x.hi == y.hi && x.guard == term_replace(tt, y.guard, y.symbol, x.symbol) &&
         are_opposite(tt, x.body, term_replace(tt, y.body, y.symbol, x.symbol));
}

/* Of what one side needs, a relation that holds as an equation alone where the other side gets what it needs, and not
 * by its own side, nor by what is given or said as an equation: n <= m of a side that runs to n, and m <= n of one that
 * runs to m. Where the sides are both defined is a plane of what either is made for; who means it says so. 0: there is
 * none. */
static Term pinned_relation(TermTable *tt, const CompareAssumptions *assumptions, uint32_t facts) {
  const ComparePrecondition *all = assumptions->preconditions.data;
  for (uint32_t i = 0; i < assumptions->preconditions.count; i++) {
    Term condition = all[i].condition;
    bool of_sizes = term_kind(tt, condition) == TERM_LE && term_count(tt, condition) == 1 &&
                    term_sort(tt, term_arg(tt, condition, 0)) == SORT_INT,
         pinned = false;
    for (uint32_t k = 0; k < assumptions->preconditions.count && !pinned; k++)
      pinned = all[k].side != all[i].side && are_opposite(tt, condition, all[k].condition);
    if (!pinned && !(of_sizes && term_prove_le(tt, tt->zero, term_arg(tt, condition, 0)))) continue;
    term_pop_facts(tt, facts);
    for (uint32_t k = 0; k < assumptions->conditions.count; k++) {
      bool is_of[2] = {false};
      for (uint32_t j = 0; j < assumptions->preconditions.count; j++)
        is_of[all[j].side] |= all[j].condition == assumptions->conditions.data[k];
      bool is_said = term_kind(tt, assumptions->conditions.data[k]) == TERM_EQ;
      if (is_said || is_of[all[i].side] || !is_of[!all[i].side]) equal_push(tt, assumptions->conditions.data[k]);
    }
    bool by_itself = of_sizes && term_prove_le(tt, tt->zero, term_arg(tt, condition, 0));
    term_pop_facts(tt, facts);
    if (!by_itself) return condition;
    for (uint32_t k = 0; k < assumptions->conditions.count; k++) equal_push(tt, assumptions->conditions.data[k]);
  }
  return 0;
}

/* Why nothing is claimed where both sides have what they need; NULL: it is. Facts from `facts` on are all that is
 * assumed. */
static const char *why_pinned(Arena *arena, TermTable *tt, const CompareAssumptions *assumptions, uint32_t facts) {
  for (uint32_t i = 0; i < assumptions->preconditions.count; i++) {
    Term one = pinned_name(tt, assumptions->preconditions.data[i].condition);
    if (one) return arena_format(arena, "what both sides need leaves %s one value alone", term_name(tt, one));
  }
  Term relation = pinned_relation(tt, assumptions, facts);
  if (!relation) return NULL;
  bool of_sizes = !(term_node(tt, relation)->flags & TERM_HAS_READ);
  return arena_format(arena, "what both sides need leaves of %s the equation alone%s", term_text(tt, relation),
                      of_sizes ? "; --assume with == claims that" : "");
}

/* ---- what is known of memory for all places, where the values read it ---- */

typedef struct Instances {
  FoldParts fact; /* all[lo <= symbol < hi | guard](body) */
  Term pattern;   /* an element that the body reads */
  TermList found; /* bodies at the places that are read */
} Instances;

/* The place at which the body reads the element t: p where o[p + 1] is to be o[i + 1]. */
static Term instantiate(TermTable *tt, Term t, void *payload) {
  Instances *in = payload;
  const FoldParts *p = &in->fact;
  bool is_like = term_kind(tt, t) == TERM_READ && term_count(tt, t) == 2 && !(term_node(tt, t)->free_mask >> 48) &&
                 term_arg(tt, t, 0) == term_arg(tt, in->pattern, 0);
  if (!is_like) return t;
  Term at = term_add(tt, p->symbol, term_sub(tt, term_arg(tt, t, 1), term_arg(tt, in->pattern, 1)));
  if (term_has_symbol(tt, at, p->symbol) || !term_prove_le(tt, p->lo, at) || !term_prove_lt(tt, at, p->hi)) return t;
  Term fact =
      term_or(tt, term_not(tt, term_replace(tt, p->guard, p->symbol, at)), term_replace(tt, p->body, p->symbol, at));
  for (uint32_t i = 0; i < in->found.count; i++)
    if (in->found.data[i] == fact) return t;
  array_push(tt->arena, &in->found, fact);
  return t;
}

static Term find_pattern(TermTable *tt, Term t, void *payload) {
  Instances *in = payload;
  if (term_kind(tt, t) == TERM_READ && term_count(tt, t) == 2 && term_has_symbol(tt, t, in->fact.symbol))
    in->pattern = t;
  return t;
}

/* A condition on all places is a fact at those that the values read: of every program, o[p] <= o[p + 1]. */
static void push_instances(TermTable *tt, Term condition, const CompareOutput *left, const CompareOutput *right) {
  if (term_kind(tt, condition) != TERM_FOLD || term_aux(tt, condition) != FOLD_ALL) return;
  Instances in = {.fact = term_fold_open(tt, condition)};
  term_transform(tt, in.fact.body, find_pattern, &in);
  if (!in.pattern) return;
  for (int side = 0; side < 2; side++) {
    const CompareOutput *o = side ? right : left;
    if (o->value) term_transform(tt, o->value, instantiate, &in);
  }
  for (uint32_t i = 0; i < in.found.count; i++) equal_push(tt, in.found.data[i]);
}

CompareResult compare_outputs(Arena *arena, TermTable *tt, const CompareTensors *tensors, const CompareOutput *given,
                              CompareOutput *right, CompareAssumptions *assumptions) {
  CompareResult result = {.verdict = VERDICT_UNKNOWN};
  use_indices(tt, given, right);
  const CompareOutput whole = keep_old_contents(arena, tt, tensors, given, right), *left = &whole;
  result.keeps_old = whole.region != given->region;
  CompareOutput other = *right;
  CompareAssumptions trial = {0};
  CompareOutput own = with_constants(arena, tt, tensors->format, left, &other, &trial);
  CompareSample sample = compare_sample(arena, tt, tensors, &own, &other, assumptions);
  if (sample.differs && (sample.difference != COMPARE_VALUE || is_evaluated(tt, tensors, right->value)))
    return refuted(arena, left, &sample);
  if (!sample.drawn) { /* what follows from assumptions that exclude each other is worth nothing */
    result.has_no_launch = true;
    result.text = arena_format(arena, "%s: no launch was found that meets the assumptions of both sides", left->name);
    return result;
  }
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < assumptions->conditions.count; i++) equal_push(tt, assumptions->conditions.data[i]);
  const char *pinned = why_pinned(arena, tt, assumptions, facts);
  if (pinned) {
    term_pop_facts(tt, facts);
    result.has_no_launch = true;
    result.text = arena_format(arena, "%s: %s", left->name, pinned);
    return result;
  }
  bool shapes = same_shape(tt, left, right), regions = shapes && same_region(tt, left->region, right->region);
  Proof proof = {arena, tt, tensors->format, tensors, left, right, assumptions, &result, false};
  for (uint32_t i = 0; regions && i < left->known.count; i++)
    equal_push(tt, left->known.data[i]); /* of values alone: an element that is not written may be outside */
  for (uint32_t i = 0; regions && i < left->defined.count; i++) equal_push(tt, left->defined.data[i]);
  for (uint32_t i = 0; regions && i < assumptions->conditions.count; i++)
    push_instances(tt, assumptions->conditions.data[i], left, right);
  if (regions && left->value && right->value) proof.is_cut |= !term_attempt(tt, TIME_SHARE, prove_equal, &proof);
  term_pop_facts(tt, facts);
  for (uint32_t i = 0; !result.engine && i < trial.made.count; i++)
    array_push(arena, &assumptions->made, trial.made.data[i]);
  if (result.engine) {
    result.verdict = VERDICT_PROVED;
    result.text = arena_format(arena, "%s: equal for all sizes and inputs", left->name);
    return result;
  }
  if (!shapes)
    result.text = arena_format(arena, "%s: it is not shown that %s is %s", left->name, shape_text(arena, tt, left),
                               shape_text(arena, tt, right));
  else if (!regions)
    result.text = arena_format(arena, "%s: it is not shown that the same elements are written", left->name);
  else
    result.text = arena_format(
        arena, proof.is_cut ? "%s: not shown for all sizes before a limit was reached" : "%s: not shown for all sizes",
        left->name);
  if (sample.elements && is_evaluated(tt, tensors, left->value) && is_evaluated(tt, tensors, right->value)) {
    if (sample.unreached) {
      CompareSample large = compare_large_blocks(arena, tt, tensors, &own, &other, assumptions);
      if (large.differs) return refuted(arena, left, &large);
      sample.launches += large.launches, sample.elements += large.elements;
      sample.worst = fmax(sample.worst, large.worst), sample.unreached = large.unreached;
    }
    result.verdict = VERDICT_PROBABLE;
    result.text =
        arena_format(arena, "%s; random evaluation agrees: %u launches, %u elements, worst relative difference %.2g",
                     result.text, sample.launches, sample.elements, sample.worst);
    if (sample.unreached)
      result.text = arena_format(arena, "%s; not reached: a size of more than two blocks of %lld", result.text,
                                 (long long)sample.unreached);
  }
  return result;
}

/* ---- numbers of programs ---- */

bool compare_is_of_grid(TermTable *tt, Term t) {
  TermList symbols = {0};
  bool found = false;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) found |= term_symbol(tt, symbols.data[i])->role == SYMBOL_GRID;
  return found;
}

static void find_least(Arena *arena, TermTable *tt, Term t, TermList *out) {
  if (tt->marks.data[t] == tt->epoch) return;
  tt->marks.data[t] = tt->epoch;
  if (term_kind(tt, t) == TERM_MIN) array_push(arena, out, t);
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_least(arena, tt, term_arg(tt, t, i), out);
}

TermList compare_reaches(Arena *arena, TermTable *tt, Term value) {
  TermList least = {0}, reaches = {0};
  term_marks_begin(tt);
  if (value) find_least(arena, tt, value, &least);
  for (uint32_t n = 0; n < least.count; n++)
    for (uint32_t i = 0; i < term_count(tt, least.data[n]); i++)
      for (uint32_t k = 0; k < term_count(tt, least.data[n]); k++) {
        Term reached = term_arg(tt, least.data[n], i), end = term_arg(tt, least.data[n], k);
        if (compare_is_of_grid(tt, reached) && !compare_is_of_grid(tt, end))
          array_push(arena, &reaches, term_le(tt, end, reached));
      }
  return reaches;
}
