/* Counterexamples to range questions: small values of the symbols at which t <= 0 is false.
 *
 * Most range questions that constructors ask have the answer no, and a search for a proof that does not exist takes all
 * its fuel. So a few assignments are tried first: each symbol gets a value between its bounds (its least, its greatest,
 * or some), on demand; the assignment counts only if it satisfies every fact that speaks of a symbol that it gave a
 * value to. The answer "refuted" is right about what can be proved, and costs at most a proof; it is never taken for a
 * proof. */
#include "term/cons.h"

enum { EXTREME = 9, MODELS = 40, MOST_SYMBOLS = 24, MOST_STEPS = 2000, MOST_DEPTH = 40, PASSES = 3 };

typedef struct Model {
  TermTable *tt;
  uint32_t number, count, steps, depth;
  Term symbols[MOST_SYMBOLS];
  int64_t values[MOST_SYMBOLS];
  uint64_t mask;
} Model;

static bool evaluate(Model *m, Term t, int64_t *value);

static uint64_t draw(const Model *m, Term symbol) {
  return random_hash(((uint64_t)m->number << 32) + term_aux(m->tt, symbol));
}

/* The first models are extreme: sizes little, great or as great as they may be, coordinates at their first or last
 * place. */
static bool choose(Model *m, Term t, int64_t *value) {
  const Symbol *s = term_symbol(m->tt, t);
  bool is_size = s->role == SYMBOL_SIZE || s->role == SYMBOL_GRID || s->role == SYMBOL_SCALAR;
  int64_t lo = is_size ? 1 : 0, hi, some = (int64_t)(draw(m, t) % 1000);
  if (s->lo && !evaluate(m, s->lo, &lo)) return false;
  if (__builtin_add_overflow(lo, is_size && m->number % 2 ? some : some % 100, &hi)) return false;
  bool bounded = s->hi != 0;
  if (bounded && !evaluate(m, s->hi, &hi)) return false;
  if (hi < lo) return false;
  uint64_t room = (uint64_t)hi - (uint64_t)lo; /* which may be more than a signed number holds */
  if (m->number >= EXTREME) { /* each symbol for itself: at an end, near its least value, or anywhere */
    uint64_t within = room < 1000 ? room : 1000, kind = draw(m, t) >> 32 & 3;
    if (kind == 2 && within > 70) within = 70;
    uint64_t more = kind == 0 ? 0 : kind == 1 ? (bounded ? room : 1) : (uint64_t)some % (within + 1);
    *value = (int64_t)((uint64_t)lo + more);
    return true;
  }
  switch (m->number) {
  case 0: *value = is_size ? lo + (int64_t)(room < 70 ? room : 70) : lo; return true;
  case 1: *value = is_size ? lo : hi; return true;
  case 2: *value = is_size ? lo + (int64_t)(room < 200 ? room : 200) : hi; return true;
  case 3: *value = lo; return true;
  case 4: *value = bounded || !is_size ? hi : INT32_MAX; return true;
  default: *value = lo + (room < 1000 ? some % (int64_t)(room + 1) : some); return true;
  }
}

static bool value_of_symbol(Model *m, Term t, int64_t *value) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->symbols[i] == t) {
      *value = m->values[i];
      return true;
    }
  if (term_sort(m->tt, t) != SORT_INT || !choose(m, t, value) || m->count == MOST_SYMBOLS) return false;
  m->symbols[m->count] = t, m->values[m->count++] = *value;
  m->mask |= term_node(m->tt, t)->free_mask;
  return true;
}

static bool evaluate_sum(Model *m, Term t, int64_t *value) {
  if (!evaluate(m, term_arg(m->tt, t, 0), value)) return false;
  for (uint32_t i = 1; i < term_count(m->tt, t); i += 2) {
    int64_t k, part;
    if (!term_is_int(m->tt, term_arg(m->tt, t, i), &k) || !evaluate(m, term_arg(m->tt, t, i + 1), &part)) return false;
    if (__builtin_mul_overflow(k, part, &part) || __builtin_add_overflow(*value, part, value)) return false;
  }
  return true;
}

static bool evaluate_product(Model *m, Term t, int64_t *value) {
  *value = 1;
  for (uint32_t i = 0; i < term_count(m->tt, t); i += 2) {
    int64_t base, exponent;
    if (!term_is_int(m->tt, term_arg(m->tt, t, i + 1), &exponent) || exponent < 1 || exponent > 8 ||
        !evaluate(m, term_arg(m->tt, t, i), &base))
      return false;
    while (exponent-- > 0)
      if (__builtin_mul_overflow(*value, base, value)) return false;
  }
  return true;
}

static bool evaluate_floor(Model *m, Term t, int64_t *value) {
  int64_t a, b;
  if (!evaluate(m, term_arg(m->tt, t, 0), &a) || !evaluate(m, term_arg(m->tt, t, 1), &b) || b == 0 ||
      (b == -1 && a == INT64_MIN))
    return false;
  *value = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return true;
}

static bool evaluate_extremum(Model *m, Term t, int64_t *value) {
  bool is_max = term_kind(m->tt, t) == TERM_MAX;
  for (uint32_t i = 0; i < term_count(m->tt, t); i++) {
    int64_t one;
    if (!evaluate(m, term_arg(m->tt, t, i), &one)) return false;
    if (i == 0 || (is_max ? one > *value : one < *value)) *value = one;
  }
  return true;
}

/* Truth as 0 or 1. What is decided by the arguments so far is not asked of the others. */
static bool evaluate_junction(Model *m, Term t, int64_t *value) {
  int64_t decisive = term_kind(m->tt, t) == TERM_OR;
  bool known = true;
  for (uint32_t i = 0; i < term_count(m->tt, t); i++) {
    if (!evaluate(m, term_arg(m->tt, t, i), value))
      known = false;
    else if (*value == decisive)
      return true;
  }
  *value = !decisive;
  return known;
}

static bool evaluate_kind(Model *m, Term t, int64_t *value) {
  TermTable *tt = m->tt;
  int64_t part;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) return term_is_int(tt, t, value);
  if (term_kind_is_truth(kind)) {
    *value = term_kind(tt, t) == TERM_TRUE;
    return true;
  }
  if (kind == TERM_SYM) return value_of_symbol(m, t, value);
  if (kind == TERM_ADD) return evaluate_sum(m, t, value);
  if (kind == TERM_MUL) return evaluate_product(m, t, value);
  if (kind == TERM_FLOORDIV) return evaluate_floor(m, t, value);
  if (term_kind_is_extremum(kind)) return evaluate_extremum(m, t, value);
  if (kind == TERM_LE || kind == TERM_EQ) {
    if (term_sort(tt, term_arg(tt, t, 0)) != SORT_INT || !evaluate(m, term_arg(tt, t, 0), &part)) return false;
    *value = term_kind(tt, t) == TERM_LE ? part <= 0 : part == 0;
    return true;
  }
  if (kind == TERM_NOT) {
    if (!evaluate(m, term_arg(tt, t, 0), &part)) return false;
    *value = !part;
    return true;
  }
  if (kind == TERM_AND || kind == TERM_OR) return evaluate_junction(m, t, value);
  if (kind == TERM_SELECT)
    return evaluate(m, term_arg(tt, t, 0), &part) && evaluate(m, term_arg(tt, t, part ? 1 : 2), value);
  return false;
}

static bool evaluate(Model *m, Term t, int64_t *value) {
  if (++m->steps > MOST_STEPS || m->depth >= MOST_DEPTH) return false;
  m->depth++;
  bool known = evaluate_kind(m, t, value);
  m->depth--;
  return known;
}

/* Facts bring symbols along, of which other facts speak. */
static bool meets_facts(Model *m) {
  uint64_t before;
  uint32_t passes = 0;
  do {
    before = m->mask;
    for (uint32_t i = 0; i < m->tt->facts.count; i++) {
      Term fact = m->tt->facts.data[i];
      int64_t holds;
      bool related = term_node(m->tt, fact)->free_mask &
                     m->mask; /* an equation speaks of the bounds of its symbols too: pid = 5 of the grid */
      if (!related && term_kind(m->tt, fact) != TERM_EQ) continue;
      if (evaluate(m, fact, &holds) ? !holds : related) return false;
    }
  } while (m->mask != before && ++passes < PASSES);
  return m->mask == before;
}

bool term_is_refuted(TermTable *tt, Term t) {
  for (uint32_t number = 0; number < MODELS; number++) {
    Model m = {.tt = tt, .number = number};
    int64_t value;
    if (evaluate(&m, t, &value) && value > 0 && meets_facts(&m)) return true;
  }
  return false;
}
