/* The numbers between which an integer of memory lies. The elements of a tensor of i8 are numbers of eight bits, so
 * that their sums need no wrap to 32, and what depends on the sign of one in a select is known in either branch.
 *
 * Plain interval arithmetic by structure, which asks nothing of the facts: the answer is the same whenever a term is
 * made. What has a symbol other than a tensor is left to range.c. */
#include <string.h>

#include "term/term.h"

enum { DEPTH = 8, KNOWN = 6, STEPS = 200 };
static const int MOST_BITS = 90;

typedef struct Interval {
  Int128 lo, hi;
} Interval;

typedef struct Search {
  TermTable *tt;
  uint32_t steps, known;
  Term atom[KNOWN]; /* within a select: what its condition says */
  Interval of[KNOWN];
} Search;

static bool find(Search *s, Term t, uint32_t depth, Interval *out);

static bool is_small(Interval i) {
  Int128 most = (Int128)1 << MOST_BITS;
  return i.lo >= -most && i.hi <= most;
}

static Int128 least(Int128 a, Int128 b) { return a < b ? a : b; }
static Int128 most(Int128 a, Int128 b) { return a > b ? a : b; }

static bool integer(const TermTable *tt, Term t, Int128 *value) {
  if (term_kind(tt, t) != TERM_RAT || term_rat(tt, t).den != 1) return false;
  *value = term_rat(tt, t).num;
  return is_small((Interval){*value, *value});
}

static bool multiply(Interval a, Interval b, Interval *out) {
  Int128 limit = (Int128)1 << MOST_BITS, first = most(most(a.hi, -a.lo), 1), second = most(most(b.hi, -b.lo), 1);
  if (b.lo == 1 && b.hi == 1) {
    *out = a;
    return true;
  }
  if (first > limit || second > limit || first > limit / second) return false;
  Int128 p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, u = a.hi * b.hi;
  *out = (Interval){least(least(p, q), least(r, u)), most(most(p, q), most(r, u))};
  return true;
}

static Int128 floor_of(Int128 a, Int128 b) { return a / b - (a % b && a < 0); }

static bool of_sum(Search *s, Term t, uint32_t depth, Interval *out) {
  TermTable *tt = s->tt;
  if (!integer(tt, term_arg(tt, t, 0), &out->lo)) return false;
  out->hi = out->lo;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Interval part, k;
    if (!integer(tt, term_arg(tt, t, i), &k.lo) || !find(s, term_arg(tt, t, i + 1), depth, &part)) return false;
    k.hi = k.lo;
    if (!multiply(part, k, &part)) return false;
    out->lo += part.lo, out->hi += part.hi;
  }
  return true;
}

static bool of_product(Search *s, Term t, uint32_t depth, Interval *out) {
  TermTable *tt = s->tt;
  *out = (Interval){1, 1};
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Interval part;
    Rational power = term_rat(tt, term_arg(tt, t, i + 1));
    if (power.den != 1 || power.num < 1 || power.num > 2 || !find(s, term_arg(tt, t, i), depth, &part)) return false;
    for (Int128 n = 0; n < power.num; n++)
      if (!multiply(*out, part, out)) return false;
  }
  return true;
}

/* The end of a fold, or what it is a minimum of, is at most that. */
static bool ends_below(Search *s, Term hi, uint32_t depth, Int128 *to) {
  Interval end;
  bool bounded = find(s, hi, depth, &end);
  if (bounded) *to = end.hi;
  for (uint32_t i = 0; term_kind(s->tt, hi) == TERM_MIN && i < term_count(s->tt, hi) && !bounded; i++)
    bounded = integer(s->tt, term_arg(s->tt, hi, i), to);
  return bounded;
}

/* Some of at most `count` summands. */
static bool of_fold(Search *s, Term t, uint32_t depth, Interval *out) {
  TermTable *tt = s->tt;
  Int128 from, to;
  Interval body, count;
  if (term_aux(tt, t) != FOLD_SUM || !integer(tt, term_fold_lo(tt, t), &from) ||
      !ends_below(s, term_fold_hi(tt, t), depth, &to) || !find(s, term_fold_body(tt, t), depth, &body))
    return false;
  count = (Interval){0, most(0, to - from)};
  return multiply((Interval){least(0, body.lo), most(0, body.hi)}, count, out);
}

/* e <= 0 (or e > 0) of e = c + atom or c - atom. */
static void learn(Search *s, Term condition, bool holds, uint32_t depth) {
  TermTable *tt = s->tt;
  if (term_kind(tt, condition) == TERM_AND && holds) {
    for (uint32_t i = 0; i < term_count(tt, condition); i++) learn(s, term_arg(tt, condition, i), true, depth);
    return;
  }
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 || s->known == KNOWN) return;
  Term e = term_arg(tt, condition, 0), atom = e;
  Int128 c = 0, k = 1;
  if (term_sort(tt, e) != SORT_INT) return;
  if (term_kind(tt, e) == TERM_ADD) {
    if (term_count(tt, e) != 3 || !integer(tt, term_arg(tt, e, 0), &c) || !integer(tt, term_arg(tt, e, 1), &k)) return;
    atom = term_arg(tt, e, 2);
  }
  Interval own;
  if ((k != 1 && k != -1) || !find(s, atom, depth, &own)) return;
  if (holds && k == 1)
    own.hi = least(own.hi, -c);
  else if (holds)
    own.lo = most(own.lo, c);
  else if (k == 1)
    own.lo = most(own.lo, 1 - c);
  else
    own.hi = least(own.hi, c - 1);
  s->atom[s->known] = atom, s->of[s->known++] = own;
}

/* false: nothing is known of the branch. */
static bool of_branch(Search *s, Term condition, bool holds, Term branch, uint32_t depth, Interval *out,
                      bool *possible) {
  uint32_t known = s->known;
  learn(s, condition, holds, depth);
  *possible = true;
  for (uint32_t i = known; i < s->known; i++) *possible &= s->of[i].lo <= s->of[i].hi;
  bool found = !*possible || find(s, branch, depth, out);
  s->known = known;
  return found;
}

static bool of_select(Search *s, Term t, uint32_t depth, Interval *out) {
  TermTable *tt = s->tt;
  Interval a, b;
  bool yes, no;
  Term condition = term_arg(tt, t, 0);
  if (!of_branch(s, condition, true, term_arg(tt, t, 1), depth, &a, &yes) ||
      !of_branch(s, condition, false, term_arg(tt, t, 2), depth, &b, &no))
    return false;
  if (!yes && !no) return false;
  *out = !yes ? b : !no ? a : (Interval){least(a.lo, b.lo), most(a.hi, b.hi)};
  return true;
}

static bool of_extremum(Search *s, Term t, uint32_t depth, Interval *out) {
  TermTable *tt = s->tt;
  bool max = term_kind(tt, t) == TERM_MAX;
  if (!find(s, term_arg(tt, t, 0), depth, out)) return false;
  for (uint32_t i = 1; i < term_count(tt, t); i++) {
    Interval part;
    if (!find(s, term_arg(tt, t, i), depth, &part)) return false;
    *out = max ? (Interval){most(out->lo, part.lo), most(out->hi, part.hi)}
               : (Interval){least(out->lo, part.lo), least(out->hi, part.hi)};
  }
  return true;
}

/* x & y has no bit that either has not; x | y and x ^ y none that neither has; x >> y is nearer to 0. */
static bool of_bits(Search *s, Term t, uint32_t depth, Interval *out) {
  TermFn fn = (TermFn)term_aux(s->tt, t);
  Interval a, b;
  if (fn == FN_SHR && find(s, term_arg(s->tt, t, 0), depth, &a)) {
    *out = (Interval){least(a.lo, 0), most(a.hi, 0)};
    return true;
  }
  if (fn != FN_BITAND && fn != FN_BITOR && fn != FN_BITXOR) return false;
  bool first = find(s, term_arg(s->tt, t, 0), depth, &a) && a.lo >= 0,
       second = find(s, term_arg(s->tt, t, 1), depth, &b) && b.lo >= 0;
  if (fn == FN_BITAND) {
    *out = (Interval){0, first && second ? least(a.hi, b.hi) : first ? a.hi : b.hi};
    return first || second;
  }
  if (!first || !second) return false;
  *out = (Interval){0, 1};
  while (out->hi <= most(a.hi, b.hi)) out->hi *= 2;
  out->hi--;
  return true;
}

static bool of_node(Search *s, Term t, uint32_t depth, Interval *out) {
  TermTable *tt = s->tt;
  Int128 d;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) {
    if (!integer(tt, t, &out->lo)) return false;
    out->hi = out->lo;
    return true;
  }
  if (kind == TERM_SYM) {
    const Symbol *symbol = term_symbol(tt, t);
    Interval from, to; /* a counter ends before a size does */
    if (!symbol->lo || !symbol->hi || !find(s, symbol->lo, depth, &from) || !find(s, symbol->hi, depth, &to))
      return false;
    *out = (Interval){from.lo, to.hi};
    return true;
  }
  if (kind == TERM_READ) {
    const Symbol *tensor = term_symbol(tt, term_arg(tt, t, 0));
    return tensor->lo && tensor->hi && integer(tt, tensor->lo, &out->lo) && integer(tt, tensor->hi, &out->hi);
  }
  if (kind == TERM_ADD) return of_sum(s, t, depth, out);
  if (kind == TERM_MUL) return of_product(s, t, depth, out);
  if (kind == TERM_FLOORDIV) {
    if (!integer(tt, term_arg(tt, t, 1), &d) || d < 1 || !find(s, term_arg(tt, t, 0), depth, out)) return false;
    *out = (Interval){floor_of(out->lo, d), floor_of(out->hi, d)};
    return true;
  }
  if (kind == TERM_SELECT) return of_select(s, t, depth, out);
  if (term_kind_is_extremum(kind)) return of_extremum(s, t, depth, out);
  if (kind == TERM_ABS) {
    if (!find(s, term_arg(tt, t, 0), depth, out)) return false;
    *out = (Interval){out->lo > 0 ? out->lo : out->hi < 0 ? -out->hi : 0, most(-out->lo, out->hi)};
    return true;
  }
  if (kind == TERM_WRAP) {
    Int128 half = (Int128)1 << (term_aux(tt, t) - 1);
    if (find(s, term_arg(tt, t, 0), depth, out) && out->lo >= -half && out->hi < half) return true;
    *out = (Interval){-half, half - 1};
    return true;
  }
  if (kind == TERM_FN) return of_bits(s, t, depth, out);
  if (kind == TERM_FOLD) return of_fold(s, t, depth, out);
  return false;
}

static bool find(Search *s, Term t, uint32_t depth, Interval *out) {
  if (!depth || s->steps++ > STEPS || term_sort(s->tt, t) != SORT_INT || (term_node(s->tt, t)->flags & TERM_HAS_UNDEF))
    return false;
  if (!of_node(s, t, depth - 1, out)) return false;
  for (uint32_t i = 0; i < s->known; i++)
    if (s->atom[i] == t) *out = (Interval){most(out->lo, s->of[i].lo), least(out->hi, s->of[i].hi)};
  return is_small(*out);
}

bool term_interval(TermTable *tt, Term t, Int128 *lo, Int128 *hi) {
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_FOLD) && term_interval_of_symbols(tt, t, lo, hi);
}

bool term_interval_of_symbols(TermTable *tt, Term t, Int128 *lo, Int128 *hi) {
  Search s = {.tt = tt};
  Interval out;
  if (!find(&s, t, DEPTH, &out)) return false;
  *lo = out.lo, *hi = out.hi;
  return out.lo <= out.hi;
}
