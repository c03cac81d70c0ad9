/* What the constructors of terms leave out (see left_out.h). */
#include "prove/left_out.h"

#include <string.h>

#include "prove/equal.h"
#include "term/cons.h"

static const char OUTSIDE[] = "an index that may be none of the tensor";

/* In a path: the side of a select; the index of a fold. */
enum { SIDE_THEN = 1 << 30, SIDE_ELSE, INVERSE = 1 << 29, FOLD = 1 << 28 };

enum { MOST_PARTS = 96, MOST_VISITED = 4000, MOST_PATH = 16 };

/* What an operation asks of a number. A divisor of 0 and the logarithm of 0 are infinities, of which another operation may make numbers. */
typedef enum PartKind { PART_NONZERO, PART_NONNEGATIVE, PART_POSITIVE, PART_DEFINED /* the term: a function that has a domain of its own, what is no number, or an infinity, or an extremum that may be one */ } PartKind;

/* Where it is asked for: the sides of the selects around it and the folds, outermost first; 0 of them: everywhere. */
typedef struct Path {
  const struct Path *outer;
  uint32_t number, count;
  Term within; /* the outermost operation around it that may make a number of an infinity, as exp(-1 / 0) is 0; 0: none */
  Term at[MOST_PATH];
} Path;

typedef struct Part {
  PartKind kind;
  Term term, core; /* core: has its sign */
  Term within;     /* of the path, where it is an infinity that is not asked for */
  uint32_t count;
  Term path[MOST_PATH];
} Part;

/* What is an error alone; lanes that no load defined are in no element; in sums, extrema that may be infinite are to be the same ones; nothing that follows makes a number of what is
 * infinite at last. */
typedef enum PartsOf { PARTS_OF_ERRORS, PARTS_OF_LANES, PARTS_OF_VALUE, PARTS_OF_SUM, PARTS_AT_LAST } PartsOf;
typedef struct Parts {
  Part data[MOST_PARTS];
  uint32_t count, visited, paths;
  bool all;
  PartsOf of;
  Domain *d; /* with the tensors that the reads are of; NULL: where they are of is not looked at */
} Parts;

static const Path everywhere = {0};

/* 1 / t, of which an infinite t makes 0. */
static Term inverse(Term t) { return t | INVERSE; }

/* Of a choice or of a comparison: two; of a fold, four. */
static uint32_t entry_length(const Term *path) { return *path & FOLD && *path < INVERSE ? 4 : 2; }

/* Under no more than q is. */
static bool is_at(const Part *p, const Part *q) {
  uint32_t found = 0;
  for (uint32_t i = 0, n; i < q->count && found < p->count; i += n) {
    n = entry_length(q->path + i);
    if (n == entry_length(p->path + found) && !memcmp(p->path + found, q->path + i, n * sizeof *p->path)) found += n;
  }
  return found == p->count;
}

static bool says_as_much(PartKind p, PartKind q) { return p == q || (p == PART_POSITIVE && (q == PART_NONZERO || q == PART_NONNEGATIVE)); }

/* Where q is asked for, so is p, which says as much. `seen`: and is seen as plainly; exp(log(x)) does not show that log(x) is infinite. */
static bool implies(const Part *p, const Part *q, bool seen) {
  return p->core == q->core && says_as_much(p->kind, q->kind) && is_at(p, q) && (!seen || !p->within || p->within == q->within);
}

static bool has_part(const Parts *parts, const Part *q, bool seen) {
  for (uint32_t i = 0; i < parts->count; i++) if (implies(&parts->data[i], q, seen)) return true;
  return false;
}

static Part part_at(PartKind kind, Term t, const Path *path) {
  Part p = {.kind = kind, .term = t, .core = t, .within = path->within, .count = path->count};
  for (uint32_t i = 0; i < path->count; i++) p.path[i] = path->at[i];
  return p;
}

static bool is_size(const TermTable *tt, Term t) { return term_sort(tt, t) == SORT_INT && term_kind(tt, t) == TERM_SYM && term_is_positive((TermTable *)(uintptr_t)tt, t); }

static bool is_met_by_number(const TermTable *tt, PartKind kind, Term t) {
  if (kind != PART_DEFINED && is_size(tt, t)) return true;
  if (!term_is_rat(tt, t)) return false;
  int sign = rational_sign(term_rat(tt, t));
  return sign > 0 || (sign < 0 && kind == PART_NONZERO) || (!sign && kind == PART_NONNEGATIVE);
}

/* The other factor of a product with powers of what is positive, such as sizes: it has the sign of the product. */
static Term without_sizes(const TermTable *tt, Term t) {
  Term rest = 0;
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MUL && i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    if (is_size(tt, base)) continue;
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    if (rest || e.num != 1 || e.den != 1) return t;
    rest = base;
  }
  return rest ? rest : t;
}

/* What is asked for makes an infinity where it is not met, or no number. */
static bool may_be_infinite(const TermTable *tt, PartKind kind, Term t) {
  if (kind != PART_DEFINED) return kind != PART_NONNEGATIVE;
  TermKind of = term_kind(tt, t);
  TermFn fn = of == TERM_FN ? (TermFn)term_aux(tt, t) : FN_LOG;
  return of != TERM_NAN && of != TERM_UNDEF && of != TERM_READ && fn != FN_ASIN && fn != FN_ACOS && fn != FN_ACOSH;
}

/* What is no number is one in no comparison; what is an error is one there too. */
static bool is_error(const TermTable *tt, PartKind kind, Term t) { return (kind == PART_DEFINED && term_kind(tt, t) == TERM_READ) || (kind == PART_NONZERO && term_sort(tt, t) == SORT_INT); }

static void leave_comparisons(const TermTable *tt, Part *p) {
  uint32_t kept = 0;
  for (uint32_t i = 0, n; i < p->count; i += n) {
    n = entry_length(p->path + i);
    TermKind kind = n == 4 ? TERM_FOLD : term_kind(tt, p->path[i]);
    bool is_side = p->path[i + 1] == SIDE_THEN || p->path[i + 1] == SIDE_ELSE;
    if (!is_side && (kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ || kind == TERM_IS_NAN || kind == TERM_IS_INF || kind == TERM_IS_NEG_INF)) continue;
    for (uint32_t k = 0; k < n; k++) p->path[kept++] = p->path[i + k];
  }
  p->count = kept;
}

/* Is it asked for in the other arm of the innermost choice as well? Then whatever is chosen. */
static bool is_on_other_side(const Parts *parts, const Part *p) {
  if (p->count < 2 || (p->path[p->count - 1] != SIDE_THEN && p->path[p->count - 1] != SIDE_ELSE)) return false;
  for (uint32_t i = 0; i < parts->count; i++) {
    const Part *q = &parts->data[i];
    bool other = q->kind == p->kind && q->core == p->core && q->within == p->within && q->count == p->count && q->path[q->count - 1] == (SIDE_THEN ^ SIDE_ELSE ^ p->path[p->count - 1]);
    for (uint32_t k = 0; k + 1 < p->count && other; k++) other = q->path[k] == p->path[k];
    if (other) return true;
  }
  return false;
}

static void add_part(const TermTable *tt, Parts *parts, PartKind kind, Term t, const Path *path);

/* That c holds, as 1 // where(c, 1, 0) asks for; false: that is nothing which is asked of numbers. */
static bool add_condition(TermTable *tt, Parts *parts, Term c, const Path *path) {
  bool negated = term_kind(tt, c) == TERM_NOT;
  if (term_kind(tt, c) == TERM_OR && path->count + 2 <= MOST_PATH) { /* one where the others do not */
    Term one = term_arg(tt, c, 0), others = tt->false_;
    for (uint32_t i = 1; i < term_count(tt, c); i++) if (term_kind(tt, term_arg(tt, c, i)) == TERM_NOT) one = term_arg(tt, c, i);
    for (uint32_t i = 0; i < term_count(tt, c); i++) if (term_arg(tt, c, i) != one) others = term_or(tt, others, term_arg(tt, c, i));
    Path here = *path;
    here.at[here.count++] = others, here.at[here.count++] = SIDE_ELSE;
    return add_condition(tt, parts, one, &here);
  }
  if (negated) c = term_arg(tt, c, 0);
  TermKind kind = term_kind(tt, c);
  if (negated ? kind != TERM_EQ : kind != TERM_LT && kind != TERM_LE) return false;
  Term t = term_arg(tt, c, 0);
  bool is_product = negated && term_kind(tt, t) == TERM_MUL;
  if (!negated) add_part(tt, parts, kind == TERM_LT ? PART_POSITIVE : PART_NONNEGATIVE, term_neg(tt, t), path);
  for (uint32_t i = 0; negated && i < (is_product ? term_count(tt, t) : 1); i += 2) {
    bool is_root = is_product && term_rat(tt, term_arg(tt, t, i + 1)).den != 1;
    add_part(tt, parts, is_root ? PART_POSITIVE : PART_NONZERO, is_product ? term_arg(tt, t, i) : t, path);
  }
  return true;
}

static void add_part(const TermTable *tt, Parts *parts, PartKind kind, Term t, const Path *path) {
  if (kind == PART_NONZERO && term_kind(tt, t) == TERM_SELECT) {
    bool is_truth = term_is_rat(tt, term_arg(tt, t, 1)) && term_arg(tt, t, 1) != tt->zero && term_arg(tt, t, 2) == tt->zero;
    bool is_negated = term_is_rat(tt, term_arg(tt, t, 2)) && term_arg(tt, t, 2) != tt->zero && term_arg(tt, t, 1) == tt->zero;
    TermTable *own = (TermTable *)(uintptr_t)tt;
    if ((is_truth || is_negated) && add_condition(own, parts, is_truth ? term_arg(tt, t, 0) : term_not(own, term_arg(tt, t, 0)), path)) return;
  }
  if (kind == PART_NONZERO && !term_is_rat(tt, t)) term_coefficient(tt, t, &t);
  if (kind == PART_NONZERO && term_kind(tt, t) == TERM_ABS) t = term_arg(tt, t, 0);
  Part p = part_at(kind, t, path);
  if (kind == PART_POSITIVE || kind == PART_NONNEGATIVE) p.core = without_sizes(tt, t);
  if (!may_be_infinite(tt, kind, t)) p.within = 0;
  if (is_error(tt, kind, t)) leave_comparisons(tt, &p);
  while (is_on_other_side(parts, &p)) p.count -= 2;
  if (is_met_by_number(tt, kind, t) || has_part(parts, &p, true)) return;
  if (p.within && kind == PART_POSITIVE) add_part(tt, parts, PART_NONNEGATIVE, t, path); /* the logarithm of less than 0 is no number anywhere */
  if (parts->count < MOST_PARTS) parts->data[parts->count++] = p;
  else parts->all = false;
}

static void add_own_part(const TermTable *tt, Term t, const Path *path, Parts *parts) {
  TermKind kind = term_kind(tt, t);
  bool divides = kind == TERM_FLOORDIV || (kind == TERM_FN && term_aux(tt, t) == FN_FMOD);
  if (parts->of == PARTS_OF_ERRORS && (!divides || term_sort(tt, term_arg(tt, t, 1)) != SORT_INT)) return;
  TermFoldOp op = kind == TERM_FOLD ? (TermFoldOp)term_aux(tt, t) : FOLD_SUM;
  bool is_extreme = term_is_infinity(tt, t) || op == FOLD_MAX || op == FOLD_MIN;
  if ((op == FOLD_ARGMAX || op == FOLD_ARGMIN) && parts->of >= PARTS_OF_SUM) add_part(tt, parts, PART_DEFINED, t, path);
  bool is_none = kind == TERM_NAN || kind == TERM_UNDEF || (is_extreme && parts->of >= PARTS_OF_SUM);
  if (is_none && parts->of != PARTS_OF_LANES) add_part(tt, parts, PART_DEFINED, t, path);
  Path plain = *path;
  plain.within = 0;
  if (kind == TERM_FLOORDIV) add_part(tt, parts, PART_NONZERO, term_arg(tt, t, 1), &plain);
  if (kind == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      if (e.num < 0 || e.den != 1) add_part(tt, parts, e.den == 1 ? PART_NONZERO : e.num < 0 ? PART_POSITIVE : PART_NONNEGATIVE, term_arg(tt, t, i), path);
    }
  if (kind != TERM_FN) return;
  switch ((TermFn)term_aux(tt, t)) {
  case FN_LOG: add_part(tt, parts, PART_POSITIVE, term_arg(tt, t, 0), path); break;
  case FN_FMOD: add_part(tt, parts, PART_NONZERO, term_arg(tt, t, 1), &plain); break;
  case FN_TAN: add_part(tt, parts, PART_NONZERO, term_fn1((TermTable *)(uintptr_t)tt, FN_COS, term_arg(tt, t, 0)), path); break; /* sin / cos */
  case FN_POW: case FN_ASIN: case FN_ACOS: case FN_ACOSH: case FN_ATANH: case FN_ERFINV: case FN_LGAMMA: add_part(tt, parts, PART_DEFINED, t, path); break;
  default: break;
  }
}

/* Is the other side of a select no number anyway? Then what this one asks for is asked for wherever the select is one. An infinity is a number
 * again in what may follow. */
static bool is_beside_none(const TermTable *tt, Term t, uint32_t i, const Path *outer, const Parts *parts) {
  Term other = term_arg(tt, t, 3 - i);
  return term_kind(tt, other) == TERM_UNDEF || (term_is_infinity(tt, other) && parts->of == PARTS_AT_LAST && !outer->within);
}

/* May the value be finite where argument i is an infinity? */
static bool makes_finite(const TermTable *tt, Term t, uint32_t i) {
  switch (term_kind(tt, t)) {
  case TERM_FN: return term_aux(tt, t) != FN_LOG && term_aux(tt, t) != FN_SIN && term_aux(tt, t) != FN_COS;
  case TERM_MUL: return i % 2 == 0 && term_rat(tt, term_arg(tt, t, i + 1)).num < 0;
  case TERM_FOLD: return term_aux(tt, t) != FOLD_SUM;
  case TERM_MAX: case TERM_MIN: case TERM_OPAQUE: return true;
  default: return false;
  }
}

/* The operation that does. */
static Term made_finite_by(const TermTable *tt, Term t, uint32_t i) {
  if (!makes_finite(tt, t, i)) return 0;
  return term_kind(tt, t) == TERM_MUL ? inverse(term_arg(tt, t, i)) : t;
}

/* The path of argument i. A condition has a value whatever becomes of its parts, and asks for nothing but for itself. */
static bool path_to(const TermTable *tt, Term t, uint32_t i, const Path *outer, Parts *parts, Path *path) {
  Term more[4] = {t, i + 1}; /* two, or those of a fold, the index first */
  uint32_t count = 2;
  switch (term_kind(tt, t)) {
  case TERM_SELECT: more[0] = term_arg(tt, t, 0), more[1] = i == 1 ? SIDE_THEN : SIDE_ELSE, count = i && !is_beside_none(tt, t, i, outer, parts) ? 2 : 0; break;
  case TERM_AND: case TERM_OR: case TERM_LE: case TERM_LT: case TERM_EQ: case TERM_IS_NAN: case TERM_IS_INF: case TERM_IS_NEG_INF: case TERM_RECUR: break;
  case TERM_FOLD:
    more[0] = term_fold_bound(tt, t) | FOLD, more[1] = term_fold_lo(tt, t), more[2] = term_fold_hi(tt, t), more[3] = i == 3 ? term_fold_guard(tt, t) : tt->true_;
    count = i >= 2 ? 4 : 0;
    break;
  default: count = 0; break;
  }
  Term within = outer->within ? 0 : made_finite_by(tt, t, i);
  *path = *outer;
  if (!count && !within) return true;
  path->outer = outer, path->number = ++parts->paths, path->within |= within;
  if (path->count + count > MOST_PATH) return parts->all = false;
  for (uint32_t k = 0; k < count; k++) path->at[path->count++] = more[k];
  return true;
}

static bool is_seen(uint32_t number, const Path *path) {
  for (; path; path = path->outer) if (number == path->number + 1) return true;
  return false;
}

/* Under the choices and at the indices around it; false: it is never so, and then all is true of it. */
static bool assume_path(Domain *d, uint32_t count, const Term *path) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i + 1 < count; i += 2) {
    if (path[i + 1] == SIDE_THEN || path[i + 1] == SIDE_ELSE) {
      if (!domain_assume(d, path[i + 1] == SIDE_THEN ? path[i] : term_not(tt, path[i]))) return false;
    } else if (entry_length(path + i) == 4) {
      Term index = path[i] & ~(Term)FOLD;
      equal_push(tt, term_le(tt, path[i + 1], index));
      equal_push(tt, term_lt(tt, index, path[i + 2]));
      equal_push(tt, path[i + 3]);
      i += 2;
    }
  }
  return true;
}

/* The end of the range of an index that a fold around it binds; 0: none does. */
static Term end_of(const Path *path, Term index) {
  for (uint32_t i = 0; i < path->count; i += entry_length(path->at + i)) if (path->at[i] == (index | FOLD)) return path->at[i + 2];
  return 0;
}

/* Is it shown to lie in its tensor? */
static bool is_inside(Domain *d, Term read, const Path *path) {
  TermTable *tt = d->tt;
  const PointwiseTensor *tensor = pointwise_tensor(d->tensors, term_arg(tt, read, 0));
  if (!tensor) return false; /* nobody has said how large it is */
  Domain own = {.s = d->s, .tt = tt, .assumes_nothing = d->assumes_nothing};
  uint32_t facts = tt->facts.count;
  bool good = true;
  if (assume_path(&own, path->count, path->at))
    for (uint32_t k = 0; good && k < tensor->rank; k++) {
      Term index = term_arg(tt, read, k + 1), end = term_kind(tt, index) == TERM_BOUND ? end_of(path, index) : 0;
      good = term_prove_le(tt, tt->zero, index) && ((end && term_prove_le(tt, end, tensor->extent[k])) || term_prove_lt(tt, index, tensor->extent[k]));
    }
  term_pop_facts(tt, facts);
  return good;
}

/* Where a tensor is read is asked for where it is data, and elsewhere if the tensors are known and it is not shown. */
static bool asks_for_place(const TermTable *tt, Term read, const Path *path, const Parts *parts) {
  if (parts->d) return parts->of != PARTS_OF_LANES && !is_inside(parts->d, read, path);
  return parts->of >= PARTS_OF_SUM && term_reads_at_data(tt, read);
}

/* `seen`: 1 + the number of the path on which it was last. */
static void find_parts(const TermTable *tt, Term t, const Path *outer, Parts *parts, uint32_t *seen) {
  if (is_seen(seen[t], outer)) return;
  if (++parts->visited > MOST_VISITED) {
    parts->all = false;
    return;
  }
  seen[t] = outer->number + 1;
  if (term_kind(tt, t) == TERM_READ) {
    if (asks_for_place(tt, t, outer, parts)) add_part(tt, parts, PART_DEFINED, t, outer);
    for (uint32_t i = 1; i < term_count(tt, t) && parts->d; i++) find_parts(tt, term_arg(tt, t, i), outer, parts, seen);
    return;
  }
  add_own_part(tt, t, outer, parts);
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Path path;
    if (path_to(tt, t, i, outer, parts, &path)) find_parts(tt, term_arg(tt, t, i), &path, parts, seen);
  }
}

static void add_parts(const TermTable *tt, uint32_t count, const Term *terms, const Path *path, Parts *parts) {
  ArenaMark mark = arena_mark(tt->scratch); /* terms are made on the way */
  uint32_t *seen = arena_array(tt->scratch, uint32_t, tt->nodes.count + 1);
  for (uint32_t i = 0; i < count; i++) if (terms[i]) find_parts(tt, terms[i], path, parts, seen);
  arena_reset(tt->scratch, mark);
}

static Parts parts_of(Domain *d, uint32_t count, const Term *terms, PartsOf of) {
  Parts p = {.all = true, .of = of, .d = d->tensors ? d : NULL};
  add_parts(d->tt, count, terms, &everywhere, &p);
  return p;
}

/* Of a divisor each factor of which is one. */
static void add_inverted_parts(const TermTable *tt, Term t, Parts *parts) {
  term_coefficient(tt, t, &t);
  add_own_part(tt, t, &(Path){.within = inverse(t)}, parts);
  bool is_product = term_kind(tt, t) == TERM_MUL;
  for (uint32_t i = 0; i < (is_product ? term_count(tt, t) : 1); i += 2) {
    Term base = is_product ? term_arg(tt, t, i) : t;
    bool divides = is_product && term_rat(tt, term_arg(tt, t, i + 1)).num < 0;
    add_parts(tt, 1, &base, &(Path){.within = divides ? 0 : inverse(base)}, parts);
  }
}

static Parts parts_of_operands(Domain *d, TermStep step, PartsOf of) {
  Parts p = parts_of(d, 1, &step.a, of);
  if (step.kind == TERM_STEP_QUOTIENT && term_sort(d->tt, step.b) == SORT_REAL) add_inverted_parts(d->tt, step.b, &p);
  else add_parts(d->tt, 1, &step.b, &everywhere, &p);
  return p;
}

static bool is_one_of(const Parts *few, const Parts *many, bool seen) {
  for (uint32_t i = 0; i < few->count; i++) if (!has_part(many, &few->data[i], seen)) return false;
  return few->all;
}

/* Is the divisor nowhere any more? That of a quotient of reals is in its factors, unless the quotient is 0. */
static bool is_without_divisor(const TermTable *tt, TermStep step, const Parts *kept) {
  Parts divisor = {.all = true};
  if (step.kind != TERM_STEP_QUOTIENT) return false;
  add_part(tt, &divisor, PART_NONZERO, step.b, &everywhere);
  if (is_one_of(&divisor, kept, true)) return false;
  return step.a == tt->zero || term_sort(tt, step.b) == SORT_INT;
}

static bool is_met(Domain *d, const Part *p) {
  switch (p->kind) {
  case PART_NONZERO: return domain_is_defined(d, p->term) && domain_is_nonzero(d, p->term);
  case PART_NONNEGATIVE: case PART_POSITIVE: return domain_is_defined(d, p->term) && domain_is_finite(d, p->term) && domain_is_positive(d, p->term, p->kind == PART_POSITIVE);
  case PART_DEFINED: if (term_kind(d->tt, p->term) == TERM_READ) return domain_blame(d, p->term, OUTSIDE); break;
  }
  return domain_is_defined(d, p->term) && domain_is_finite(d, p->term);
}

/* Wherever it is asked for. */
static bool is_met_everywhere(Domain *d, const Part *p) {
  uint32_t facts = d->tt->facts.count;
  bool good = !assume_path(d, p->count, p->path) || is_met(d, p);
  term_pop_facts(d->tt, facts);
  return good;
}

/* An infinity goes: 0 * t, t - t, or a divisor. */
static bool leaves_out_infinity(const TermTable *tt, TermStep step, const Parts *kept) {
  switch (step.kind) {
  case TERM_STEP_QUOTIENT: return is_without_divisor(tt, step, kept);
  case TERM_STEP_DIFFERENCE: return step.a == step.b;
  case TERM_STEP_PRODUCT: return step.a == tt->zero || step.b == tt->zero;
  case TERM_STEP_SUM: case TERM_STEP_OTHER: case TERM_STEP_CHOICE: case TERM_STEP_PLACE: case TERM_STEP_JOIN: break;
  }
  return false;
}

/* What is asked for is to be seen as plainly as before, where the operation is on numbers alone; or to be asked for in `known`, or to be met anyway, so that
 * where(b, log(1 + exp(x)), -inf) keeps it. */
static bool leaves_out(Domain *d, TermStep step, PartsOf of, const Parts *known) {
  Parts parts = parts_of_operands(d, step, of), kept = parts_of(d, 1, &step.result, of);
  if (leaves_out_infinity(d->tt, step, &kept)) return true;
  for (uint32_t i = 0; i < parts.count; i++) {
    Domain own = {.s = d->s, .tt = d->tt, .assumes_nothing = d->assumes_nothing};
    const Part *p = &parts.data[i];
    if (!has_part(&kept, p, step.kind != TERM_STEP_OTHER) && !(known && has_part(known, p, true)) && !is_met(&own, p)) return true;
  }
  return !parts.all;
}

bool left_out_some(Domain *d, TermStep step) { return leaves_out(d, step, PARTS_OF_LANES, NULL); }

static bool leaves_out_of_condition(Domain *d, Term a, Term b, Term condition, PartsOf of, const Parts *known) {
  const Term both[] = {a, b};
  Parts parts = parts_of(d, 2, both, of), kept = parts_of(d, 1, &condition, of);
  for (uint32_t i = 0; i < parts.count; i++) {
    bool is_kept = false;
    for (uint32_t k = 0; k < kept.count; k++) is_kept |= kept.data[k].core == parts.data[i].core && says_as_much(kept.data[k].kind, parts.data[i].kind);
    if (!is_kept && !(known && has_part(known, &parts.data[i], true)) && !is_met(d, &parts.data[i])) return !domain_blame(d, parts.data[i].term, "a comparison of what may be no number");
  }
  return !parts.all;
}

bool left_out_of_comparison(Domain *d, Term a, Term b, Term condition) { return leaves_out_of_condition(d, a, b, condition, PARTS_OF_LANES, NULL); }

static bool is_number(Domain *d, Term t) { return !t || (domain_is_defined(d, t) && domain_is_finite(d, t)); }

bool left_out_is_defined(Domain *d, TermStep step) {
  bool good = is_number(d, step.a) && is_number(d, step.b);
  if (good && step.kind == TERM_STEP_QUOTIENT) good = domain_is_nonzero(d, step.b) || domain_blame(d, step.b, "a division by what may be 0");
  if (!good && !d->culprit) domain_blame(d, step.result, "an operation that may be on infinities");
  return good;
}

/* where(t < 0, _, t), or what wraps to t: 0 where t is. */
static bool is_reading_of(TermTable *tt, Term reading, Term t) {
  Int128 lo, hi;
  if (term_kind(tt, t) == TERM_WRAP && term_arg(tt, t, 0) == reading) return term_interval(tt, reading, &lo, &hi) && lo >= 0 && hi < (Int128)1 << term_aux(tt, t);
  return reading == t || (term_kind(tt, reading) == TERM_SELECT && term_arg(tt, reading, 2) == t && term_arg(tt, reading, 0) == term_lt(tt, t, tt->zero));
}

static bool shows(TermTable *tt, const Parts *parts, const Part *q) {
  for (uint32_t i = 0; i < parts->count; i++) if (parts->data[i].kind == q->kind && is_reading_of(tt, parts->data[i].term, q->term)) return true;
  return false;
}

/* In the lanes that a load defined, without the factor that differs from 0. */
static Term plain_divisor(const TermTable *tt, Term t) {
  while (term_kind(tt, t) == TERM_SELECT && (term_kind(tt, term_arg(tt, t, 1)) == TERM_UNDEF || term_kind(tt, term_arg(tt, t, 2)) == TERM_UNDEF))
    t = term_arg(tt, t, term_kind(tt, term_arg(tt, t, 1)) == TERM_UNDEF ? 2 : 1);
  if (!term_is_rat(tt, t)) term_coefficient(tt, t, &t);
  return t;
}

static bool is_of_shift(const Execution *ex, Term t) {
  if (term_kind(ex->tt, t) != TERM_UNDEF || term_aux(ex->tt, t) < ex->extent.first_op || term_aux(ex->tt, t) >= ex->extent.end_op) return false;
  Opcode code = program_get_op(ex->program, term_aux(ex->tt, t))->code;
  return code == OP_ARITH_SHLI || code == OP_ARITH_SHRSI || code == OP_ARITH_SHRUI;
}

/* Wherever it is divided by. */
static bool is_nonzero_divisor(Domain *d, Term t) {
  const Execution *ex = d->s->on->ex;
  bool known = false;
  for (uint32_t i = 0; i < ex->divisions.count; i++) {
    const DivisionNeed *need = &ex->divisions.data[i];
    uint32_t facts = d->tt->facts.count;
    if (plain_divisor(d->tt, need->divisor) != t) continue;
    equal_push(d->tt, need->path);
    known = domain_is_nonzero(d, t);
    term_pop_facts(d->tt, facts);
    if (!known) return false;
  }
  return known || domain_is_nonzero(d, t);
}

bool left_out_of_integers(Domain *d, TermStep step) {
  Parts parts = parts_of_operands(d, step, PARTS_OF_VALUE), kept = parts_of(d, 1, &step.result, PARTS_OF_VALUE);
  if (step.kind == TERM_STEP_QUOTIENT && term_sort(d->tt, step.b) == SORT_INT) add_part(d->tt, &parts, PART_NONZERO, plain_divisor(d->tt, step.b), &everywhere);
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    if (shows(d->tt, &kept, p)) continue;
    if (p->kind == PART_DEFINED && is_of_shift(d->s->on->ex, p->term)) return !domain_blame(d, p->term, "a shift that may be too far");
    if (p->kind == PART_NONZERO && term_sort(d->tt, p->term) == SORT_INT && !is_nonzero_divisor(d, p->term)) return !domain_blame(d, p->term, "a division by what may be 0");
  }
  return !parts.all && !domain_blame(d, step.result, "the formula is too large to be looked through");
}

/* Those that may be 0, each once whatever its reading; `one`: of them. */
static uint32_t open_divisors(Domain *d, Term value, Term *one) {
  Parts parts = parts_of(d, 1, &value, PARTS_OF_VALUE);
  uint32_t count = 0;
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    bool known = p->kind != PART_NONZERO || term_sort(d->tt, p->term) != SORT_INT;
    for (uint32_t k = 0; k < parts.count && !known; k++)
      known = parts.data[k].kind == PART_NONZERO && (parts.data[k].term == p->term ? k < i : is_reading_of(d->tt, p->term, parts.data[k].term));
    if (known || is_nonzero_divisor(d, p->term)) continue;
    *one = p->term, count++;
  }
  return count;
}

bool left_out_of_store(Domain *d, const Access *stored, const PointwisePiece *formula) {
  Term one = stored->value, other = 0;
  uint32_t count = open_divisors(d, stored->value, &one);
  return count && open_divisors(d, formula->value, &other) < count && !domain_blame(d, one, "a division by what may be 0");
}

static bool is_in_condition(const TermTable *tt, const Part *p) {
  for (uint32_t i = 0; i < p->count; i += entry_length(p->path + i))
    if (entry_length(p->path + i) == 2 && term_sort(tt, p->path[i]) == SORT_BOOL && p->path[i + 1] < SIDE_THEN) return true;
  return false;
}

/* What conditions compare that may be no number, each once. */
static uint32_t open_conditions(Domain *d, Term value, Term condition, Term *one) {
  const Term both[] = {value, condition};
  Parts parts = parts_of(d, 2, both, PARTS_OF_LANES);
  uint32_t count = 0;
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    bool known = !is_in_condition(d->tt, p);
    for (uint32_t k = 0; k < i && !known; k++) known = parts.data[k].core == p->core && is_in_condition(d->tt, &parts.data[k]);
    Domain own = {.s = d->s, .tt = d->tt, .skips_open = true};
    if (known || is_met_everywhere(&own, p)) continue;
    *one = p->term, count++;
  }
  return count;
}

bool left_out_of_conditions(Domain *d, const Access *stored, const PointwisePiece *formula) {
  Term one = stored->value, other = 0;
  uint32_t count = open_conditions(d, stored->value, stored->mask, &one);
  return count && open_conditions(d, formula->value, formula->region, &other) < count && !domain_blame(d, one, "a comparison of what may be no number");
}

/* May it be 0 by a choice, so that a proof by cases takes the product with it for 0? */
static bool may_choose_zero(const TermTable *tt, Term t, uint32_t *steps) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT || kind == TERM_MAX || kind == TERM_MIN || ++*steps > MOST_VISITED) return true;
  if (kind == TERM_READ || !(term_node(tt, t)->flags & TERM_HAS_READ)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (may_choose_zero(tt, term_arg(tt, t, i), steps)) return true;
  return false;
}

/* Is t in the value, for each element of it, and not only where a select chooses it? */
static bool is_in(const TermTable *tt, Term value, Term t, uint32_t *steps) {
  if (value == t) return true;
  if (term_kind(tt, value) == TERM_READ || ++*steps > MOST_VISITED) return false;
  uint32_t count = term_kind(tt, value) == TERM_SELECT ? 1 : term_count(tt, value);
  for (uint32_t i = 0; i < count; i++) if (is_in(tt, term_arg(tt, value, i), t, steps)) return true;
  return false;
}

static bool is_in_one(const TermTable *tt, const TermList *values, Term t) {
  uint32_t steps = 0;
  for (uint32_t i = 0; i < values->count; i++) if (values->data[i] && is_in(tt, values->data[i], t, &steps)) return true;
  return false;
}

/* Integers: domain.c takes them to be numbers. */
static bool divides_by_zero(Domain *d, const Parts *parts, const Parts *kept) {
  for (uint32_t i = 0; i < parts->count; i++) {
    Term t = parts->data[i].term;
    if (parts->data[i].kind != PART_NONZERO || term_sort(d->tt, t) != SORT_INT || has_part(kept, &parts->data[i], true)) continue;
    if (!domain_is_nonzero(d, t)) return domain_blame(d, t, "a division by what may be 0"), true;
  }
  return false;
}

static bool gathers(Domain *d, const Parts *parts, const Parts *known) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (parts->data[i].kind == PART_DEFINED && term_kind(d->tt, parts->data[i].term) == TERM_READ && !has_part(known, &parts->data[i], true)) return domain_blame(d, parts->data[i].term, OUTSIDE), true;
  return false;
}

/* Of a product with a factor that may be 0 by a choice: may the other one be no number where that is 0, and the left asks for none? */
static bool hides_other(Domain *d, TermStep step, Term chosen, Term other, const TermList *left, const Parts *asked) {
  TermTable *tt = d->tt;
  bool divides = step.kind == TERM_STEP_QUOTIENT && other == step.b;
  uint32_t steps = 0;
  if (!may_choose_zero(tt, chosen, &steps)) return false;
  Parts parts = parts_of(d, 1, &other, PARTS_OF_VALUE);
  if (divides) add_part(tt, &parts, PART_NONZERO, other, &everywhere);
  if (is_one_of(&parts, asked, true) || is_in_one(tt, left, step.result)) return false;
  return !domain_is_defined(d, other) || divides_by_zero(d, &parts, asked) || gathers(d, &parts, asked) || (divides && !domain_is_nonzero(d, other) && !domain_blame(d, other, "a division by what may be 0"));
}

static bool hides_some(Domain *d, TermStep step, const TermList *left, const Parts *asked) {
  if (step.kind != TERM_STEP_PRODUCT && step.kind != TERM_STEP_QUOTIENT) return false;
  return hides_other(d, step, step.a, step.b, left, asked) || (step.kind == TERM_STEP_PRODUCT && hides_other(d, step, step.b, step.a, left, asked));
}

/* Is something left out that neither value asks for? */
static bool loses_some(Domain *d, TermStep step, const Parts *known) {
  if (!leaves_out(d, step, step.kind == TERM_STEP_SUM || step.kind == TERM_STEP_DIFFERENCE ? PARTS_OF_SUM : PARTS_OF_VALUE, known)) return false;
  Parts parts = parts_of_operands(d, step, PARTS_OF_SUM), here = parts_of(d, 1, &step.result, PARTS_OF_SUM);
  bool is_whole = term_sort(d->tt, step.a) == SORT_INT && (!step.b || term_sort(d->tt, step.b) == SORT_INT);
  if (is_without_divisor(d->tt, step, &here)) add_part(d->tt, &parts, PART_NONZERO, step.b, &everywhere);
  if ((parts.count || is_whole) && is_one_of(&parts, known, true)) return false;
  return !left_out_is_defined(d, step) || divides_by_zero(d, &parts, &here) || gathers(d, &parts, known);
}

/* Of numbers that are equal: a variance has many forms. */
static bool asks_for_equal(TermTable *tt, const Parts *parts, const Part *q) {
  for (uint32_t i = 0; i < parts->count; i++) {
    const Part *p = &parts->data[i];
    if (!p->count && !p->within && says_as_much(p->kind, q->kind) && term_sort(tt, p->term) == term_sort(tt, q->term) && equal_prove(tt, p->term, q->term)) return true;
  }
  return false;
}

/* The first part of the right that the left neither asks for nor is met everywhere. */
static const Part *asks_more(Domain *d, const Parts *right, const Parts *left) {
  for (uint32_t i = 0; i < right->count; i++)
    if (!has_part(left, &right->data[i], true) && !is_met_everywhere(d, &right->data[i]) && !asks_for_equal(d->tt, left, &right->data[i])) return &right->data[i];
  return NULL;
}

/* The tensors have an element there. */
static void assume_places(Domain *d, const Parts *parts) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < parts->count; i++) {
    Term read = parts->data[i].term;
    const PointwiseTensor *tensor = !parts->data[i].count && term_kind(tt, read) == TERM_READ ? pointwise_tensor(d->tensors, term_arg(tt, read, 0)) : NULL;
    Term flat = tt->zero, count = tt->one;
    for (uint32_t k = 0; tensor && k < tensor->rank; k++) {
      Term index = term_arg(tt, read, k + 1);
      equal_push(tt, term_le(tt, tt->zero, index));
      equal_push(tt, term_lt(tt, index, tensor->extent[k]));
      flat = term_add(tt, term_mul(tt, flat, tensor->extent[k]), index), count = term_mul(tt, count, tensor->extent[k]);
    }
    if (tensor && tensor->rank > 1) equal_push(tt, term_le(tt, tt->zero, flat)), equal_push(tt, term_lt(tt, flat, count)); /* it may have been cut into digits */
  }
}

/* An index of something that is computed: does what is read there show that it has such an element, or is that known? */
static bool is_place(Domain *d, TermStep step, const Parts *known) {
  TermTable *tt = d->tt;
  if (!d->tensors || (term_kind(tt, step.a) == TERM_SYM && term_prove_le(tt, tt->zero, step.a) && term_prove_lt(tt, step.a, step.b))) return true;
  Parts own = parts_of(d, 1, &step.result, PARTS_OF_ERRORS), index = parts_of(d, 1, &step.a, PARTS_OF_ERRORS);
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < index.count; i++)
    if (!has_part(&own, &index.data[i], true) && !has_part(known, &index.data[i], true) && !is_met_everywhere(d, &index.data[i])) return domain_blame(d, index.data[i].term, OUTSIDE);
  assume_places(d, &own);
  assume_places(d, known);
  bool good = term_prove_le(tt, tt->zero, step.a) && term_prove_lt(tt, step.a, step.b);
  term_pop_facts(tt, facts);
  return good || domain_blame(d, step.a, OUTSIDE);
}

/* An error, though the result does not depend on it. */
static bool raises(Domain *d, TermStep step, const Parts *known) {
  uint32_t facts = d->tt->facts.count;
  if (d->tensors) assume_places(d, known);
  Parts parts = parts_of(d, 1, &step.a, PARTS_OF_ERRORS);
  const Part *raising = NULL;
  for (uint32_t i = 0; i < parts.count && !raising; i++)
    if (!has_part(known, &parts.data[i], true) && !is_met_everywhere(d, &parts.data[i])) raising = &parts.data[i];
  term_pop_facts(d->tt, facts);
  if (raising) return !domain_blame(d, raising->term, raising->kind == PART_DEFINED ? OUTSIDE : "a division by what may be 0");
  return !parts.all && !domain_blame(d, step.result, "the formula is too large to be looked through");
}

/* Of no kernel. */
typedef struct Alone {
  Execution ex;
  Recovery on;
  Safety s;
} Alone;

static Domain alone(Alone *a, Arena *arena, TermTable *tt, const Pointwise *tensors) {
  a->ex = (Execution){.tt = tt}, a->on = (Recovery){.ex = &a->ex}, a->s = (Safety){.arena = arena, .tt = tt, .on = &a->on, .report = &a->on};
  return (Domain){.s = &a->s, .tt = tt, .tensors = tensors, .assumes_nothing = true};
}

bool left_out_by_making(Arena *arena, TermTable *tt, const Pointwise *tensors, Term before, Term made) {
  Alone own;
  Domain d = alone(&own, arena, tt, tensors);
  Parts parts = parts_of(&d, 1, &before, PARTS_OF_SUM), kept = parts_of(&d, 1, &made, PARTS_OF_SUM);
  return kept.count < parts.count || !parts.all;
}

const char *left_out_of_value(Arena *arena, TermTable *tt, const Pointwise *tensors, Term right, Term left) {
  Alone of;
  Domain d = alone(&of, arena, tt, tensors);
  if (right == left) return NULL;
  Parts own = parts_of(&d, 1, &right, PARTS_OF_SUM), asked = parts_of(&d, 1, &left, PARTS_AT_LAST);
  const Part *more = asks_more(&d, &own, &asked);
  if (!more && own.all) return NULL;
  d = alone(&of, arena, tt, tensors);
  if (!gathers(&d, &own, &asked) && !divides_by_zero(&d, &own, &asked) && domain_is_defined(&d, right)) return NULL;
  return arena_format(arena, "%s: %.160s", d.why, term_text(tt, d.culprit));
}

static bool says(TermTable *tt, Term condition, Term c) {
  bool is = condition == c || term_assume(tt, c, condition) == tt->true_;
  for (uint32_t i = 0; term_kind(tt, condition) == TERM_AND && i < term_count(tt, condition); i++) is |= term_arg(tt, condition, i) == c;
  return is;
}

/* Without the choices that the condition makes. */
static Parts parts_under(TermTable *tt, const Parts *parts, Term condition) {
  Parts under = *parts;
  for (uint32_t i = 0; i < under.count; i++) {
    Part *p = &under.data[i];
    uint32_t kept = 0;
    for (uint32_t k = 0, n; k < p->count; k += n) {
      n = entry_length(p->path + k);
      bool chosen = n == 2 && ((p->path[k + 1] == SIDE_THEN && says(tt, condition, p->path[k])) || (p->path[k + 1] == SIDE_ELSE && says(tt, condition, term_not(tt, p->path[k]))));
      for (uint32_t j = 0; j < n && !chosen; j++) p->path[kept++] = p->path[k + j];
    }
    p->count = kept;
  }
  return under;
}

/* `known`: asked for by either value; `asked`: by the left. */
static bool leaves_out_at(Domain *d, TermStep step, const TermList *left, const Parts *known, const Parts *asked) {
  switch (step.kind) {
  case TERM_STEP_CHOICE: return raises(d, step, known);
  case TERM_STEP_PLACE: return !is_place(d, step, known);
  case TERM_STEP_JOIN: return leaves_out_of_condition(d, step.a, step.b, step.result, PARTS_OF_VALUE, known);
  default: return loses_some(d, step, known) || hides_some(d, step, left, asked);
  }
}

static bool is_over(const TermTable *tt, TermStep step, const TermList *symbols) {
  for (uint32_t i = 0; i < symbols->count; i++) if (term_has_symbol(tt, step.a, symbols->data[i]) || (step.b && term_has_symbol(tt, step.b, symbols->data[i]))) return true;
  return false;
}

const char *left_out_of_steps(Arena *arena, TermTable *tt, const Pointwise *tensors, const TermSteps *steps, const TermList *others, const TermList *right, const TermList *left) {
  Alone of;
  Domain d = alone(&of, arena, tt, tensors);
  TermList both = {0};
  for (uint32_t i = 0; i < right->count; i++) array_push(arena, &both, right->data[i]);
  for (uint32_t i = 0; i < left->count; i++) array_push(arena, &both, left->data[i]);
  Parts known = parts_of(&d, both.count, both.data, PARTS_AT_LAST), asked = parts_of(&d, left->count, left->data, PARTS_AT_LAST); /* by either, by the left */
  for (uint32_t i = 0; i < steps->count; i++) {
    TermStep step = steps->data[i];
    uint32_t facts = tt->facts.count;
    guard_tick(arena->guard);
    if (is_over(tt, step, others)) continue;
    d = alone(&of, arena, tt, tensors);
    if (step.under && !domain_assume(&d, step.under)) {
      term_pop_facts(tt, facts);
      continue;
    }
    bool loses;
    if (step.under) {
      Parts known_here = parts_under(tt, &known, step.under), asked_here = parts_under(tt, &asked, step.under);
      loses = leaves_out_at(&d, step, left, &known_here, &asked_here);
    } else loses = leaves_out_at(&d, step, left, &known, &asked);
    term_pop_facts(tt, facts);
    if (loses) return arena_format(arena, "%s: %.160s", d.why, term_text(tt, d.culprit));
  }
  return NULL;
}
