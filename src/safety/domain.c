/* Domains: a term is defined if no lane that a load left open is in it, and no operation leaves its domain: divisors
 * differ from 0, logarithms and roots are of positive numbers, infinities meet nothing but what has laws for them.
 * Selects are seen through: each side is looked at under its condition. */
#include <string.h>

#include "safety/domain.h"
#include "prove/equal.h"

typedef enum Need {
  NEED_POSITIVE,
  NEED_NONNEGATIVE,
  NEED_NONZERO,
  NEED_MORE
} Need; /* MORE: what is not looked at here */

static bool meets(Domain *d, Term t, Need need);

static bool depends_on_inputs(const TermTable *tt, Term t) {
  TermList symbols = {0};
  if (term_node(tt, t)->flags & TERM_HAS_READ) return true;
  term_symbols((TermTable *)(uintptr_t)tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role == SYMBOL_SCALAR) return true;
  return false;
}

/* The condition of a select in t that no input decides; 0: there is none. */
static Term condition_in(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (++d->steps > DOMAIN_MOST_STEPS || term_kind(tt, t) == TERM_READ) return 0;
  if (term_kind(tt, t) == TERM_SELECT && !depends_on_inputs(tt, term_arg(tt, t, 0))) return term_arg(tt, t, 0);
  for (uint32_t i = 0, n = term_count(tt, t); i < n; i++) {
    Term found = condition_in(d, term_arg(tt, t, i));
    if (found) return found;
  }
  return 0;
}

/* True if an input is read wherever the need is not met. Padding is none. */
static bool is_of_trust(Domain *d, Term t, Need need) {
  TermTable *tt = d->tt;
  if (!d->trusts_inputs || (term_node(tt, t)->flags & (TERM_HAS_FOLD | TERM_HAS_UNDEF)) ||
      ++d->steps > DOMAIN_MOST_STEPS)
    return false;
  Term condition = condition_in(d, t);
  if (!condition) return depends_on_inputs(tt, t);
  for (int side = 0; side < 2; side++) {
    uint32_t facts = tt->facts.count;
    Term here = side ? term_not(tt, condition) : condition;
    bool good = true;
    if (domain_assume(d, here)) {
      Term rest = term_assume(tt, t, here);
      good = rest != t && meets(d, rest, need);
    }
    term_pop_facts(tt, facts);
    if (!good) return false;
  }
  return true;
}

static bool meets(Domain *d, Term t, Need need) {
  bool good = false;
  switch (need) {
  case NEED_POSITIVE: good = domain_is_positive(d, t, true); break;
  case NEED_NONNEGATIVE: good = domain_is_positive(d, t, false); break;
  case NEED_NONZERO: good = domain_is_nonzero(d, t); break;
  case NEED_MORE: break;
  }
  return good || is_of_trust(d, t, need);
}

/* A sum of positive elements, of which there may be none: its logarithm is -inf then, as is the maximum of nothing. */
static bool is_sum_of_positive(Domain *d, Term t) {
  if (term_kind(d->tt, t) != TERM_FOLD || term_aux(d->tt, t) != FOLD_SUM) return false;
  DomainFold o = domain_open_fold(d, t);
  bool good = o.empty || domain_is_positive(d, o.parts.body, true);
  domain_close_fold(d, &o);
  return good;
}

static bool is_log_of_sum(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_LOG && term_kind(tt, term_arg(tt, t, 0)) == TERM_FOLD &&
         term_aux(tt, term_arg(tt, t, 0)) == FOLD_SUM;
}

static bool is_defined_fn(Domain *d, Term t) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!domain_is_defined(d, term_arg(tt, t, i))) return false;
  Term a = term_arg(tt, t, 0);
  if (term_sort(tt, t) == SORT_INT) return true;
  TermFn fn = (TermFn)term_aux(tt, t);
  switch (term_fn_info(fn)->domain) {
  case FN_DOMAIN_ANY: return true;
  case FN_DOMAIN_FINITE: return domain_is_finite(d, a) || domain_blame(d, t, "an angle that may be infinite");
  case FN_DOMAIN_POSITIVE:
    if (meets(d, a, NEED_POSITIVE) || (fn == FN_LOG && is_sum_of_positive(d, a))) return true;
    return domain_blame(d, t,
                        fn == FN_LOG ? "the logarithm of a number that may be 0 or less"
                                     : "a power of a base that may be 0 or less");
  case FN_DOMAIN_DIVISOR:
  case FN_DOMAIN_OWN: break;
  }
  return is_of_trust(d, a, NEED_MORE) || domain_blame(d, t, "a function outside of its domain");
}

/* True if one of the facts from `first` on is false where that symbol is `value`. They are laid aside meanwhile: with
 * all of them, it would be true. */
static bool is_false_at(TermTable *tt, uint32_t first, Term symbol, Term value) {
  uint32_t count = tt->facts.count - first;
  Term *facts = arena_array(tt->arena, Term, count + 1);
  bool found = false;
  memcpy(facts, tt->facts.data + first, sizeof *facts * count);
  term_pop_facts(tt, first);
  for (uint32_t i = 0; i < count; i++)
    found |= term_rebuild(tt, term_replace(tt, facts[i], symbol, value)) == tt->false_;
  for (uint32_t i = 0; i < count; i++) term_push_fact(tt, facts[i]);
  return found;
}

/* True if the facts exclude one of those from `first` on. Where they leave a symbol its least value alone, that is put
 * in. */
static bool is_contradiction(Domain *d, uint32_t first) {
  TermTable *tt = d->tt;
  for (uint32_t i = first; i < tt->facts.count; i++) {
    if (safety_holds(d->s, term_not(tt, tt->facts.data[i]))) return true;
    TermList symbols = {0};
    term_symbols(tt, tt->facts.data[i], &symbols);
    for (uint32_t k = 0; k < symbols.count; k++) {
      Term least = term_sort(tt, symbols.data[k]) == SORT_INT ? term_symbol(tt, symbols.data[k])->lo : 0;
      if (least && term_prove_le(tt, symbols.data[k], least) && is_false_at(tt, first, symbols.data[k], least))
        return true;
    }
  }
  return false;
}

/* True if the condition is a test for an infinity of what is a number there. */
static bool is_never_infinite(Domain *d, Term c) {
  TermTable *tt = d->tt;
  if (term_kind(tt, c) != TERM_IS_INF && term_kind(tt, c) != TERM_IS_NEG_INF) return false;
  Term culprit = d->culprit;
  const char *why = d->why;
  bool good = domain_is_defined(d, term_arg(tt, c, 0)) &&
              domain_is_never(d, term_arg(tt, c, 0), term_kind(tt, c) == TERM_IS_INF ? 1 : -1);
  d->culprit = culprit, d->why = why;
  return good;
}

/* min(a, b) + c <= 0 as the cases a + c <= 0 and b + c <= 0; 0: it has none. */
static Term cases_of_extremum(TermTable *tt, Term c) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT) return 0;
  Term t = term_arg(tt, c, 0), cases = tt->false_;
  bool is_sum = term_kind(tt, t) == TERM_ADD;
  for (uint32_t i = 1; i < (is_sum ? term_count(tt, t) : 2); i += 2) {
    Rational k = is_sum ? term_rat(tt, term_arg(tt, t, i)) : rational_int(1);
    Term part = is_sum ? term_arg(tt, t, i + 1) : t;
    if (term_kind(tt, part) != (k.num > 0 ? TERM_MIN : TERM_MAX)) continue;
    Term rest = term_sub(tt, t, term_scale(tt, k, part));
    for (uint32_t j = 0; j < term_count(tt, part); j++)
      cases = term_or(tt, cases, term_le(tt, term_add(tt, rest, term_scale(tt, k, term_arg(tt, part, j))), tt->zero));
    return cases;
  }
  return 0;
}

/* True if a conjunct is one of several cases, none of which is possible beside the others. */
static bool is_impossible_by_cases(Domain *d, Term c) {
  TermTable *tt = d->tt;
  bool is_and = term_kind(tt, c) == TERM_AND;
  for (uint32_t i = 0; i < (is_and ? term_count(tt, c) : 1); i++) {
    Term cases = cases_of_extremum(tt, is_and ? term_arg(tt, c, i) : c), rest = tt->true_;
    if (!cases) continue;
    for (uint32_t k = 0; is_and && k < term_count(tt, c); k++)
      if (k != i) rest = term_and(tt, rest, term_arg(tt, c, k));
    bool good = true, is_or = term_kind(tt, cases) == TERM_OR;
    for (uint32_t k = 0; k < (is_or ? term_count(tt, cases) : 1) && good; k++)
      good = domain_is_impossible(d, term_and(tt, rest, is_or ? term_arg(tt, cases, k) : cases));
    return good;
  }
  return false;
}

/* True if there is no case of the condition, under the facts at hand. */
bool domain_is_impossible(Domain *d, Term c) {
  TermTable *tt = d->tt;
  uint32_t facts = tt->facts.count, n = term_count(tt, c);
  if (++d->steps > DOMAIN_MOST_STEPS) return false;
  bool good = false;
  if (c == tt->false_) return true;
  if (term_kind(tt, c) == TERM_OR) {
    for (uint32_t i = 0; i < n; i++)
      if (!domain_is_impossible(d, term_arg(tt, c, i))) return false;
    return true;
  }
  if (term_kind(tt, c) == TERM_AND) {
    for (uint32_t i = 0; i < n; i++)
      if (!(term_node(tt, term_arg(tt, c, i))->flags & TERM_HAS_REAL)) equal_push(tt, term_arg(tt, c, i));
    good = is_contradiction(d, facts);
    for (uint32_t i = 0; i < n && !good; i++) {
      Term part = term_rebuild(tt, term_arg(tt, c, i));
      if (part != tt->true_) good = domain_is_impossible(d, part);
    }
    if (!good) {
      term_pop_facts(tt, facts);
      good = is_impossible_by_cases(d, c);
    }
  } else if (term_kind(tt, c) == TERM_FOLD && term_aux(tt, c) == FOLD_ANY) {
    DomainFold o = domain_open_fold(d, c);
    good = o.empty || is_contradiction(d, facts) || domain_is_impossible(d, o.parts.body) ||
           is_impossible_by_cases(d, o.parts.guard);
    domain_close_fold(d, &o);
  } else
    good = safety_holds(d->s, term_not(tt, c)) || is_never_infinite(d, c);
  term_pop_facts(tt, facts);
  return good;
}

/* NaN where the execution says that the value is undefined: the condition is no part of the program. */
static bool is_never_undefined(Domain *d, Term t, bool (*check)(Domain *, Term)) {
  TermTable *tt = d->tt;
  uint32_t facts = tt->facts.count;
  if (!domain_is_impossible(d, term_arg(tt, t, 0)))
    return domain_blame(d, term_arg(tt, t, 1), "a value that infinities leave undefined");
  bool good = !domain_assume(d, term_not(tt, term_arg(tt, t, 0))) || check(d, term_arg(tt, t, 2));
  term_pop_facts(tt, facts);
  return good;
}

static bool is_defined_select(Domain *d, Term t, bool (*check)(Domain *, Term)) {
  TermTable *tt = d->tt;
  Term c = term_arg(tt, t, 0);
  uint32_t facts = tt->facts.count;
  if (d->s->on->ex->options.keeps_infinities && term_kind(tt, term_arg(tt, t, 1)) == TERM_NAN)
    return is_never_undefined(d, t, check);
  if (!domain_is_defined(d, c)) return false;
  if (d->trusts_inputs) c = term_rebuild(tt, c);
  bool chosen = d->trusts_inputs && depends_on_inputs(tt, c);
  d->choices += chosen;
  bool good = !domain_assume(d, c) || check(d, term_arg(tt, t, 1));
  term_pop_facts(tt, facts);
  good = good && (!domain_assume(d, term_not(tt, c)) || check(d, term_arg(tt, t, 2)));
  term_pop_facts(tt, facts);
  d->choices -= chosen;
  return good;
}

/* Each division of the program is one of those that it relies on: none of them is by 0. */
bool domain_trusts_divisors(const Domain *d) {
  const Effects *ex = d->s->on->ex;
  return ex->requires_divisors && !ex->has_other_quotients;
}

typedef struct Steps { /* the step that an expression is of */
  Term own;            /* the counter or index that it has there; 0: none was met */
  bool is_one;         /* no other one was met */
  bool recurs;
} Steps;

static void find_step(const TermTable *tt, Term t, Steps *s) {
  SymbolRole role = term_kind(tt, t) == TERM_SYM ? term_symbol(tt, t)->role : SYMBOL_SIZE;
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_step(tt, term_arg(tt, t, i), s);
  s->recurs |= term_kind(tt, t) == TERM_RECUR;
  if (role == SYMBOL_COUNTER || role == SYMBOL_INDEX) s->is_one = s->is_one && (!s->own || s->own == t), s->own = t;
}

/* A name for the number of a step that no argument has. */
static const char *name_of_step(const Effects *ex) {
  static const char *const names[] = {"step", "iteration", "number_of_step"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    uint32_t k = 0;
    while (k < ex->params.count && strcmp(ex->params.data[k].name, names[i])) k++;
    if (k == ex->params.count) return names[i];
  }
  return "number_of_steps";
}

/* In the step of the only recurrence around: what it has made before it in the place of its unknown values, so that the
 * text has no name of the analysis. false: t is of no step, or of several. */
static bool at_each_step(Domain *d, Term *t, const char **step) {
  TermTable *tt = d->tt;
  const DomainRecurrence *r = d->recurrences;
  if (r && (r->outer || r->parts->lanes)) return false;
  Term number = term_symbol_new(tt, intern_text(tt->names, name_of_step(d->s->on->ex)), SORT_INT, SYMBOL_INDEX);
  Term before = r ? term_replace(tt, *t, r->parts->index, number) : *t;
  for (uint32_t i = 0; r && i < r->parts->n; i++) {
    RecurParts p = *r->parts;
    p.steps = number, p.which = i;
    before = term_recur_put(tt, r->parts, i, term_recur_of(tt, p), before);
  }
  Steps steps = {.is_one = true};
  find_step(tt, before, &steps);
  if (!steps.recurs || !steps.own || !steps.is_one) return false;
  *t = term_replace(tt, before, steps.own, number);
  *step = term_message(tt, number);
  return true;
}

/* A function of a host language relies on its divisors. */
static bool relies_on_nonzero(Domain *d, Term divisor) {
  TermTable *tt = d->tt;
  const Effects *ex = d->s && d->s->on ? d->s->on->ex : NULL; /* a formula has none */
  if (!ex || !ex->program || !ex->program->is_host || term_is_rat(tt, divisor) ||
      (term_node(tt, divisor)->flags & TERM_HAS_UNDEF))
    return false;
  bool of_data = term_node(tt, divisor)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE);
  const char *step = NULL;
  bool is_of_steps = at_each_step(d, &divisor, &step);
  Term condition = of_data || d->recurrences ? 0 : term_not(tt, term_eq(tt, divisor, tt->zero));
  const char *text = term_message(tt, divisor);
  text = is_of_steps      ? arena_format(tt->arena, "%s != 0 for each %s", text, step)
         : d->recurrences ? "what the steps of a recurrence divide by is not 0"
                          : arena_format(tt->arena, "%s != 0", text);
  safety_assume(d->s, ASSUME_PRECONDITION, condition, text, "else a division has no value", NULL);
  d->s->report->relies_on_divisors = true;
  return true;
}

static bool is_defined_product(Domain *d, Term t) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (!domain_is_defined(d, base)) return false;
    if (!domain_is_finite(d, base)) { /* positive * (-inf) = -inf */
      for (uint32_t k = 0; k < term_count(tt, t); k += 2)
        if (k == i ? e.num != 1 || e.den != 1
                   : !domain_is_finite(d, term_arg(tt, t, k)) || !domain_is_positive(d, term_arg(tt, t, k), true))
          return domain_blame(d, t, "a product with a factor that may be infinite");
      continue;
    }
    if (e.num < 0 && e.den == 1 && !domain_trusts_divisors(d) && !meets(d, base, NEED_NONZERO) &&
        !relies_on_nonzero(d, base))
      return domain_blame(d, t, "a division by what may be 0");
    bool is_root = e.den != 1 && e.num < 0 && meets(d, base, NEED_NONNEGATIVE) && !meets(d, base, NEED_POSITIVE);
    if (is_root && relies_on_nonzero(d, base)) continue;
    if (e.den != 1 && !meets(d, base, e.num < 0 ? NEED_POSITIVE : NEED_NONNEGATIVE))
      return domain_blame(
          d, t, e.num < 0 ? "a root in a divisor that may be 0 or less" : "a root of a number that may be negative");
  }
  return true;
}

static bool is_defined_sum(Domain *d, Term t) {
  TermTable *tt = d->tt;
  bool above = false, below = false; /* may be +inf, -inf */
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1);
    int sign = term_rat(tt, term_arg(tt, t, i)).num < 0 ? -1 : 1;
    if (!domain_is_defined(d, part)) return false;
    if (domain_is_finite(d, part)) continue;
    above |= !domain_is_never(d, part, sign), below |= !domain_is_never(d, part, -sign);
  }
  return !(above && below) || domain_blame(d, t, "a sum of parts that may be infinite with opposite signs");
}

/* By induction: each value begins as a finite number, and a step makes finite numbers of finite ones, at whatever
 * index. */
static bool is_defined_recurrence(Domain *d, Term t) {
  RecurParts p = term_recur_open(d->tt, t);
  DomainRecurrence own = {&p, d->recurrences};
  bool good = true;
  d->recurrences = &own;
  for (uint32_t i = 0; i < p.n && good; i++) {
    good = domain_is_defined(d, p.init[i]) && domain_is_defined(d, p.next[i]);
    if (good && (!domain_is_finite(d, p.init[i]) || !domain_is_finite(d, p.next[i])))
      good = domain_blame(d, t, "a recurrence of values that may be infinite");
  }
  d->recurrences = own.outer;
  return good;
}

/* Undefined because of the operation that made it, and not by what was loaded. */
static bool is_over_zero(const Domain *d, Term t) {
  const Effects *ex = d->s && d->s->on ? d->s->on->ex : NULL; /* a formula has none */
  if (!ex || !ex->program) return false;
  Opcode code = program_get_op(ex->program, (OpId)term_aux(d->tt, t))->code;
  return code == OP_ARITH_DIVF || code == OP_TT_PRECISE_DIVF || code == OP_MATH_RSQRT;
}

/* What an undefined operand is called. */
static const char *undefined_operand(Domain *d, Term t) {
  const Effects *ex = d->s ? d->s->on->ex : NULL;
  if (is_over_zero(d, t)) return "a number over 0";
  return ex && ex->program && ex->program->is_host ? "a value that nothing defines" : "a lane that no load defined";
}

/* A number or an infinity, for all finite inputs, under the facts at hand. */
bool domain_is_defined(Domain *d, Term t) {
  TermTable *tt = d->tt;
  uint32_t flags = term_node(tt, t)->flags;
  if (++d->steps > DOMAIN_MOST_STEPS) return domain_blame(d, t, "the formula is too large to be looked through");
  if (term_sort(tt, t) == SORT_INT && !(flags & (TERM_HAS_UNDEF | TERM_HAS_REAL | TERM_HAS_FOLD))) return true;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_UNDEF) return d->skips_open || domain_blame(d, t, undefined_operand(d, t));
  if (kind == TERM_NAN) return d->choices || domain_blame(d, t, "a NaN that the kernel writes itself");
  if (kind == TERM_SELECT) return is_defined_select(d, t, domain_is_defined);
  if (kind == TERM_MUL) return is_defined_product(d, t);
  if (kind == TERM_ADD) return is_defined_sum(d, t);
  if (kind == TERM_FN) return is_defined_fn(d, t);
  if (kind == TERM_RECUR) return is_defined_recurrence(d, t);
  if (kind == TERM_FOLD) {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    DomainFold o = domain_open_fold(d, t);
    bool good = o.empty || (domain_is_defined(d, o.parts.guard) && domain_is_defined(d, o.parts.body));
    if (good && !o.empty && (op == FOLD_SUM || op == FOLD_PROD) && term_sort(tt, o.parts.body) != SORT_BOOL &&
        !domain_is_finite(d, o.parts.body))
      good = domain_blame(d, t, "a sum with an element that may be infinite");
    domain_close_fold(d, &o);
    if (good && (op == FOLD_ARGMAX || op == FOLD_ARGMIN) && !domain_is_nonempty(d, t))
      good = domain_blame(d, t, "the place of an extremum of nothing");
    return good;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (term_kind(tt, t) != TERM_READ && !domain_is_defined(d, term_arg(tt, t, i))) return false;
  return true;
}

/* True if the first or the last element of a fold is there, and not the infinity of that sign. */
static bool some_is_not(Domain *d, Term fold, int sign) {
  TermTable *tt = d->tt;
  FoldParts p = term_fold_open(tt, fold);
  Term ends[] = {p.lo, term_sub(tt, p.hi, tt->one)};
  for (int i = 0; i < 2; i++) {
    if (!domain_guard_at(d, &p, ends[i])) continue;
    Term there = term_rebuild(tt, term_replace(tt, p.body, p.symbol, ends[i])), one = domain_join(tt, there);
    if (domain_is_never(d, there, sign) || (one != there && domain_is_never(d, one, sign))) return true;
  }
  return false;
}

/* No logarithm of 0 either. */
static bool is_plainly_finite(TermTable *tt, Term t) {
  return term_is_finite(tt, t) && !(term_node(tt, t)->flags & TERM_HAS_REAL);
}

/* The fact says x < t or x <= t of a finite x, so that t is not -inf; sign > 0: t < x, not +inf. */
static bool is_beyond_finite(TermTable *tt, Term fact, Term t, int sign) {
  if (term_kind(tt, fact) != TERM_LT && term_kind(tt, fact) != TERM_LE) return false;
  Term x = term_arg(tt, fact, 0);
  if (term_count(tt, fact) == 2)
    return term_arg(tt, fact, sign < 0 ? 1u : 0u) == t && is_plainly_finite(tt, term_arg(tt, fact, sign < 0 ? 0u : 1u));
  for (uint32_t i = 1; term_kind(tt, x) == TERM_ADD && i < term_count(tt, x); i += 2) {
    if (term_arg(tt, x, i + 1) != t) continue;
    Rational k = term_rat(tt, term_arg(tt, x, i));
    return (k.num < 0) == (sign < 0) &&
           is_plainly_finite(tt, term_sub(tt, x, term_scale(tt, k, t))); /* rest - k t < 0 */
  }
  return false;
}

static bool extremum_is_never(Domain *d, Term t, int sign) {
  bool all = (term_kind(d->tt, t) == TERM_MAX) == (sign > 0); /* none may be it, or one that is not is enough */
  for (uint32_t i = 0; i < term_count(d->tt, t); i++)
    if (domain_is_never(d, term_arg(d->tt, t, i), sign) != all) return !all;
  return all;
}

/* The larger of what a loop has seen so far and of what it sees now: in the first iteration the one, afterwards the
 * other. */
static bool is_never_by_iteration(Domain *d, Term t, int sign) {
  TermTable *tt = d->tt;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term s = symbols.data[i];
    if (term_symbol(tt, s)->role != SYMBOL_COUNTER || term_symbol(tt, s)->lo != tt->zero) continue;
    if (!domain_is_never(d, term_rebuild(tt, term_replace(tt, t, s, tt->zero)), sign)) return false;
    uint32_t facts = tt->facts.count;
    equal_push(tt, term_le(tt, tt->one, s));
    bool good = extremum_is_never(d, t, sign);
    term_pop_facts(tt, facts);
    return good;
  }
  return false;
}

/* Not the infinity of that sign, given that it is defined. */
bool domain_is_never(Domain *d, Term t, int sign) {
  TermTable *tt = d->tt;
  if (++d->steps > DOMAIN_MOST_STEPS) return false;
  for (uint32_t i = 0; i < tt->facts.count; i++) { /* a guard that says so */
    Term f = tt->facts.data[i], c = term_kind(tt, f) == TERM_NOT ? term_arg(tt, f, 0) : 0;
    if (c && term_kind(tt, c) == (sign < 0 ? TERM_IS_NEG_INF : TERM_IS_INF) && term_arg(tt, c, 0) == t) return true;
    if (is_beyond_finite(tt, f, t, sign)) return true;
  }
  if (t == tt->inf || t == tt->neg_inf) return t == (sign > 0 ? tt->neg_inf : tt->inf);
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FOLD) {
    /* a maximum of nothing is -inf, a minimum +inf */
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if (op != FOLD_MAX && op != FOLD_MIN) return domain_is_finite(d, t);
    DomainFold o = domain_open_fold(d, t);
    bool body = o.empty || domain_is_never(d, o.parts.body, sign);
    domain_close_fold(d, &o);
    if ((op == FOLD_MAX) == (sign > 0)) return body; /* of all elements; else of one is enough */
    return (body && domain_is_nonempty(d, t)) || some_is_not(d, t, sign);
  }
  if (kind == TERM_ADD) {
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      if (!domain_is_never(d, term_arg(tt, t, i + 1), term_rat(tt, term_arg(tt, t, i)).num < 0 ? -sign : sign))
        return false;
    return true;
  }
  if (kind == TERM_MUL) {
    /* with positive factors, the sign of the one that is infinite */
    Term infinite = 0;
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Term base = term_arg(tt, t, i);
      if (domain_is_finite(d, base)) continue;
      if (infinite) return false;
      infinite = base;
    }
    return !infinite ||
           domain_is_never(d, infinite, sign); /* domain_is_defined has seen that the others are positive */
  }
  if (term_kind_is_extremum(kind)) return extremum_is_never(d, t, sign) || is_never_by_iteration(d, t, sign);
  if (kind == TERM_SELECT) {
    uint32_t facts = tt->facts.count;
    bool good = !domain_assume(d, term_arg(tt, t, 0)) || domain_is_never(d, term_arg(tt, t, 1), sign);
    term_pop_facts(tt, facts);
    if (!good) return false;
    good = !domain_assume(d, term_not(tt, term_arg(tt, t, 0))) || domain_is_never(d, term_arg(tt, t, 2), sign);
    term_pop_facts(tt, facts);
    return good;
  }
  if (kind == TERM_FN) {
    if (is_log_of_sum(tt, t) && sign > 0) return domain_is_finite(d, term_arg(tt, t, 0));
    return domain_is_finite(d, t);
  }
  return domain_is_finite(d, t);
}

/* Not an infinity, given that it is defined. */
bool domain_is_finite(Domain *d, Term t) {
  TermTable *tt = d->tt;
  if (++d->steps > DOMAIN_MOST_STEPS) return false;
  if (term_sort(tt, t) == SORT_BOOL ||
      (term_sort(tt, t) == SORT_INT && !(term_node(tt, t)->flags & (TERM_HAS_INF | TERM_HAS_FOLD))))
    return true; /* an extremum of integers over nothing */
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_INF || kind == TERM_NEG_INF) return false;
  if (kind == TERM_NAN) return d->choices > 0;
  if (kind == TERM_UNDEF) return d->skips_open;
  if (kind == TERM_SELECT) return is_defined_select(d, t, domain_is_finite);
  if (term_kind_is_extremum(kind)) return domain_is_never(d, t, 1) && domain_is_never(d, t, -1);
  if (kind == TERM_FOLD) {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    DomainFold o = domain_open_fold(d, t);
    if (op == FOLD_MAX || op == FOLD_MIN) {
      domain_close_fold(d, &o);
      return domain_is_never(d, t, 1) && domain_is_never(d, t, -1);
    }
    bool good = o.empty || domain_is_finite(d, o.parts.body);
    domain_close_fold(d, &o);
    return good;
  }
  if (kind == TERM_RECUR) return true; /* where it is defined */
  if (kind == TERM_FN) {
    if (term_aux(tt, t) == FN_EXP) return domain_is_never(d, term_arg(tt, t, 0), 1); /* exp(-inf) = 0 */
    if (is_log_of_sum(tt, t) && !meets(d, term_arg(tt, t, 0), NEED_POSITIVE)) return false;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (term_kind(tt, t) != TERM_READ && term_kind(tt, t) != TERM_RAT && !domain_is_finite(d, term_arg(tt, t, i)))
      return false;
  return true;
}
