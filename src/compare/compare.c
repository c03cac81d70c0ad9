/* One pair of outputs (see compare.h). */
#include "compare/compare.h"

#include <string.h>

#include "prove/equal.h"

static const char *shape_text(Arena *arena, TermTable *tt, const CompareOutput *output) {
  Text text = text_new(arena);
  text_char(&text, '[');
  for (uint32_t k = 0; k < output->rank; k++) text_format(&text, "%s%s", k ? ", " : "", term_text(tt, output->shape[k]));
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
    if (term_sub(tt, left->shape[k], right->shape[k]) != tt->zero && !equal_prove(tt, left->shape[k], right->shape[k])) return false;
  return true;
}

static bool same_region(TermTable *tt, Term a, Term b) {
  if (a == b) return true;
  uint32_t facts = tt->facts.count;
  equal_push(tt, a);
  bool forth = equal_prove_true(tt, b);
  term_pop_facts(tt, facts);
  equal_push(tt, b);
  bool back = forth && equal_prove_true(tt, a);
  term_pop_facts(tt, facts);
  return forth && back;
}

static CompareResult refuted(Arena *arena, const CompareOutput *left, const CompareSample *sample) {
  static const char *const what[] = {"", "the shapes differ", "not the same elements are written", "the values differ"};
  return (CompareResult){.verdict = VERDICT_REFUTED, .difference = sample->difference, .witness = sample->witness, .left = sample->left, .right = sample->right,
                         .text = arena_format(arena, "%s: %s", left->name, what[sample->difference])};
}

/* The engine that shows the values equal inside the region; NULL: none does. */
static const char *prove_values(TermTable *tt, const CompareOutput *left, Term a, Term b) {
  uint32_t facts = tt->facts.count;
  equal_push(tt, left->region);
  EqualEngine engine = equal_prove(tt, a, b);
  term_pop_facts(tt, facts);
  return engine == EQUAL_NONE ? NULL : equal_engine_name(engine);
}

/* max(a, b), min(a, b) and |a| of reals as choices, whose cases the prover tells apart. */
static Term as_choice(TermTable *tt, Term t, void *unused) {
  (void)unused;
  TermKind kind = term_kind(tt, t);
  if (term_sort(tt, t) != SORT_REAL) return t;
  if (kind == TERM_ABS) return term_select(tt, term_lt(tt, term_arg(tt, t, 0), tt->zero), term_neg(tt, term_arg(tt, t, 0)), term_arg(tt, t, 0));
  if ((kind != TERM_MAX && kind != TERM_MIN) || term_count(tt, t) != 2) return t;
  Term a = term_arg(tt, t, 0), b = term_arg(tt, t, 1), below = term_le(tt, a, b);
  return kind == TERM_MAX ? term_select(tt, below, b, a) : term_select(tt, below, a, b);
}

static const char *prove_choices(TermTable *tt, const CompareOutput *left, Term a, Term b) {
  const char *engine = prove_values(tt, left, a, b);
  if (engine) return engine;
  Term x = term_transform(tt, a, as_choice, NULL), y = term_transform(tt, b, as_choice, NULL);
  return x == a && y == b ? NULL : prove_values(tt, left, x, y);
}

/* The same values over constants that are made one; what that assumes goes to `trial`. */
static CompareOutput with_constants(Arena *arena, TermTable *tt, const CompareOutput *left, CompareOutput *right, CompareAssumptions *trial) {
  CompareOutput own = *left;
  if (left->value && right->value) compare_unify_constants(arena, tt, &own.value, &right->value, trial);
  return own;
}

CompareResult compare_outputs(Arena *arena, TermTable *tt, const CompareTensors *tensors, const CompareOutput *left, CompareOutput *right,
                              CompareAssumptions *assumptions) {
  CompareResult result = {.verdict = VERDICT_UNKNOWN};
  use_indices(tt, left, right);
  CompareOutput other = *right;
  CompareAssumptions trial = {0};
  CompareOutput own = with_constants(arena, tt, left, &other, &trial);
  CompareSample sample = compare_sample(arena, tt, tensors, &own, &other, assumptions);
  if (sample.differs) return refuted(arena, left, &sample);
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < assumptions->conditions.count; i++) equal_push(tt, assumptions->conditions.data[i]);
  bool shapes = same_shape(tt, left, right), regions = shapes && same_region(tt, left->region, right->region);
  bool exact = regions && left->value && right->value && (result.engine = prove_choices(tt, left, left->value, right->value));
  if (!exact && regions && own.value && other.value && trial.made.count) result.engine = prove_choices(tt, left, own.value, other.value);
  term_pop_facts(tt, facts);
  for (uint32_t i = 0; !exact && i < trial.made.count; i++) array_push(arena, &assumptions->made, trial.made.data[i]);
  if (result.engine) {
    result.verdict = VERDICT_PROVED;
    result.text = arena_format(arena, "%s: equal for all sizes and inputs", left->name);
    return result;
  }
  if (!shapes) result.text = arena_format(arena, "%s: it is not shown that %s is %s", left->name, shape_text(arena, tt, left), shape_text(arena, tt, right));
  else if (!regions) result.text = arena_format(arena, "%s: it is not shown that the same elements are written", left->name);
  else result.text = arena_format(arena, "%s: not shown for all sizes", left->name);
  if (sample.elements && left->value && right->value) {
    result.verdict = VERDICT_PROBABLE;
    result.text = arena_format(arena, "%s; random evaluation agrees: %u launches, %u elements, worst relative difference %.2g", result.text, sample.launches,
                               sample.elements, sample.worst);
  }
  return result;
}
