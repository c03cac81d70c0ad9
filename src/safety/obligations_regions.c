/* Regions of reductions and scans: the order in which elements are combined is not specified, so any two partial
 * results may meet, those of lanes that are padding too (semantics section 5).
 *
 * The result of a region has to have a value for all arguments, guards in it counted. Where a divisor may be 0, it is
 * enough that it is a sum over the lanes of what was combined, F(a, b) = F(a) + F(b), and that F is positive in every
 * lane: then it is so of every partial result. A count that is 0 in lanes of padding is not. */
#include "prove/equal.h"
#include "safety/domain.h"

enum { MOST_DIVISORS = 8 };

typedef struct Divisors {
  Term data[MOST_DIVISORS];
  uint32_t count, steps;
} Divisors;

static void add_divisors(const TermTable *tt, Divisors *out, Term t) {
  if (++out->steps > DOMAIN_MOST_STEPS || term_kind(tt, t) == TERM_READ) return;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    bool known = term_rat(tt, term_arg(tt, t, i + 1)).num >= 0;
    for (uint32_t k = 0; k < out->count; k++) known |= out->data[k] == base;
    if (!known && out->count < MOST_DIVISORS) out->data[out->count++] = base;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) add_divisors(tt, out, term_arg(tt, t, i));
}

static Term with(TermTable *tt, Term t, uint32_t n, const Term *from, const Term *to) {
  return term_rebuild(tt, term_substitute(tt, t, (TermMap){n, from, to}));
}

/* True if the divisor is a sum over the lanes of something that is positive in each. */
static bool is_positive_sum(Safety *s, const RegionNeed *need, Term divisor) {
  TermTable *tt = s->tt;
  Term zero[EXECUTE_REGION_STATE], lane[EXECUTE_REGION_STATE];
  for (uint32_t i = 0; i < need->n; i++) {
    zero[i] = tt->zero, lane[i] = safety_closed(s, need->lane[i]);
    if (term_kind(tt, need->a[i]) != TERM_SYM || term_sort(tt, need->a[i]) == SORT_BOOL) return false;
  }
  Term left = with(tt, divisor, need->n, need->b, zero), right = with(tt, left, need->n, need->a, need->b);
  Term merged = with(tt, left, need->n, need->a, need->result);
  if (!equal_prove(tt, divisor, term_add(tt, left, right)) || !equal_prove(tt, merged, divisor)) return false;
  Domain d = {.s = s, .tt = tt, .assumes_nothing = true};
  return domain_is_positive(&d, with(tt, left, need->n, need->a, lane), true);
}

static const char *why_undefined(Safety *s, const RegionNeed *need) {
  Domain d = {.s = s, .tt = s->tt, .assumes_nothing = true};
  for (uint32_t i = 0; i < need->n; i++)
    if (!domain_is_defined(&d, need->result[i])) return d.why ? d.why : "an operation outside of its domain";
  return NULL;
}

static const char *open_region(Safety *s, const RegionNeed *need) {
  TermTable *tt = s->tt;
  const char *why = why_undefined(s, need);
  Divisors divisors = {.count = 0};
  uint32_t facts = tt->facts.count;
  if (!why) return NULL;
  for (uint32_t i = 0; i < need->n; i++) add_divisors(tt, &divisors, need->result[i]);
  for (uint32_t i = 0; i < divisors.count; i++)
    if (is_positive_sum(s, need, divisors.data[i])) equal_push(tt, term_lt(tt, tt->zero, divisors.data[i]));
  if (tt->facts.count > facts) why = why_undefined(s, need);
  term_pop_facts(tt, facts);
  return why;
}

void safety_regions(Safety *s) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->regions.count; i++) {
    const char *why = open_region(s, &ex->regions.data[i]);
    if (!why) continue;
    const char *text = arena_format(s->arena, "two partial results that meet may have no value together: %s", why);
    safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, ex->regions.data[i].op, 0, text);
    if (!s->report->undefined_where) s->report->undefined_where = text;
  }
}
