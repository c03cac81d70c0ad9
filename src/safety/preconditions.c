/* What operations ask of their operands (see preconditions.h). */
#include "safety/preconditions.h"

#include <math.h>
#include <string.h>

#include "prove/equal.h"
#include "term/cons.h"

const Path parts_everywhere = {0};
const char PART_OUTSIDE[] = "an index that may be none of the tensor";

/* 1 / t, of which an infinite t makes 0. */
static Term inverse(Term t) { return t | PATH_INVERSE; }

/* Of a choice or of a comparison: two; of a fold, four. */
uint32_t part_entry_length(const Term *path) { return *path & PATH_FOLD && *path < PATH_INVERSE ? 4 : 2; }

/* Under no more than q is. */
static bool is_under(const Term *p, uint32_t p_count, const Term *q, uint32_t q_count) {
  uint32_t found = 0;
  for (uint32_t i = 0, n; i < q_count && found < p_count; i += n) {
    n = part_entry_length(q + i);
    if (n == part_entry_length(p + found) && !memcmp(p + found, q + i, n * sizeof *p)) found += n;
  }
  return found == p_count;
}

bool part_says_as_much(PartKind p, PartKind q) {
  return p == q || (p == PART_POSITIVE && (q == PART_NONZERO || q == PART_NONNEGATIVE));
}

/* Where q is asked for, so is p, which says as much. `seen`: and is seen as plainly; exp(log(x)) does not show that
 * log(x) is infinite. */
static bool implies(const Part *p, const Part *q, bool seen) {
  if (!part_says_as_much(p->kind, q->kind)) return false;
  if (p->core == q->core && is_under(p->path, p->count, q->path, q->count) &&
      (!seen || !p->within || p->within == q->within || (p->inner && p->inner == q->inner)))
    return true;
  return p->named_core && p->named_core == q->named_core &&
         is_under(p->named_path, p->count, q->named_path, q->count) &&
         (!seen || !p->within || p->named_within == q->named_within ||
          (p->named_inner && p->named_inner == q->named_inner));
}

bool parts_have(const Parts *parts, const Part *q, bool seen) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (implies(&parts->data[i], q, seen)) return true;
  return false;
}

static Part part_at(PartKind kind, Term t, const Path *path) {
  Part p = {.kind = kind, .term = t, .core = t, .within = path->within, .inner = path->inner, .count = path->count};
  for (uint32_t i = 0; i < path->count; i++) p.path[i] = path->at[i];
  return p;
}

static bool is_size(const TermTable *tt, Term t) {
  return term_sort(tt, t) == SORT_INT && term_kind(tt, t) == TERM_SYM &&
         term_is_positive((TermTable *)(uintptr_t)tt, t);
}

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
static bool is_error(const TermTable *tt, PartKind kind, Term t) {
  return (kind == PART_DEFINED && term_kind(tt, t) == TERM_READ) ||
         (kind == PART_NONZERO && term_sort(tt, t) == SORT_INT);
}

static void leave_comparisons(const TermTable *tt, Part *p) {
  uint32_t kept = 0;
  for (uint32_t i = 0, n; i < p->count; i += n) {
    n = part_entry_length(p->path + i);
    TermKind kind = n == 4 ? TERM_FOLD : term_kind(tt, p->path[i]);
    bool is_side = p->path[i + 1] == PATH_THEN || p->path[i + 1] == PATH_ELSE;
    if (!is_side && (kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ || kind == TERM_IS_NAN ||
                     kind == TERM_IS_INF || kind == TERM_IS_NEG_INF))
      continue;
    for (uint32_t k = 0; k < n; k++) p->path[kept++] = p->path[i + k];
  }
  p->count = kept;
}

/* True if it is asked for in the other arm of a choice as well. Then whatever is chosen, and the choice is left out. */
static bool leave_choice(const Parts *parts, Part *p) {
  for (uint32_t at = 0; at < p->count; at += part_entry_length(p->path + at)) {
    Term side = p->path[at + 1];
    if (side != PATH_THEN && side != PATH_ELSE) continue;
    p->path[at + 1] = PATH_THEN ^ PATH_ELSE ^ side;
    bool is_there_too = parts_have(parts, p, true);
    p->path[at + 1] = side;
    if (!is_there_too) continue;
    if (p->inner) p->within = p->inner; /* which is around it in both, where anything is */
    p->count -= 2;
    for (uint32_t k = at; k < p->count; k++) p->path[k] = p->path[k + 2];
    return true;
  }
  return false;
}

/* That c holds, as 1 // where(c, 1, 0) asks for; false: that is nothing which is asked of numbers. */
static bool add_condition(TermTable *tt, Parts *parts, Term c, const Path *path) {
  bool negated = term_kind(tt, c) == TERM_NOT;
  if (term_kind(tt, c) == TERM_OR && path->count + 2 <= PARTS_MOST_PATH) { /* one where the others do not */
    Term one = term_arg(tt, c, 0), others = tt->false_;
    for (uint32_t i = 1; i < term_count(tt, c); i++)
      if (term_kind(tt, term_arg(tt, c, i)) == TERM_NOT) one = term_arg(tt, c, i);
    for (uint32_t i = 0; i < term_count(tt, c); i++)
      if (term_arg(tt, c, i) != one) others = term_or(tt, others, term_arg(tt, c, i));
    Path here = *path;
    here.at[here.count++] = others, here.at[here.count++] = PATH_ELSE;
    return add_condition(tt, parts, one, &here);
  }
  if (negated) c = term_arg(tt, c, 0);
  TermKind kind = term_kind(tt, c);
  if (negated ? kind != TERM_EQ : kind != TERM_LT && kind != TERM_LE) return false;
  Term t = term_arg(tt, c, 0);
  bool is_product = negated && term_kind(tt, t) == TERM_MUL;
  if (!negated) parts_add(tt, parts, kind == TERM_LT ? PART_POSITIVE : PART_NONNEGATIVE, term_neg(tt, t), path);
  for (uint32_t i = 0; negated && i < (is_product ? term_count(tt, t) : 1); i += 2) {
    bool is_root = is_product && term_rat(tt, term_arg(tt, t, i + 1)).den != 1;
    parts_add(tt, parts, is_root ? PART_POSITIVE : PART_NONZERO, is_product ? term_arg(tt, t, i) : t, path);
  }
  return true;
}

/* The sum of which the first coefficient is 1; of integers, above 0. */
static Term without_coefficient(TermTable *tt, Term sum) {
  Guard *guard = tt->arena->guard;
  Rational c = term_rat(tt, term_arg(tt, sum, 1));
  if (term_sort(tt, sum) == SORT_INT) return c.num < 0 ? term_neg(tt, sum) : sum;
  Term scaled = term_new_rat(tt, rational_div(guard, term_rat(tt, term_arg(tt, sum, 0)), c));
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2)
    scaled =
        term_add(tt, scaled,
                 term_scale(tt, rational_div(guard, term_rat(tt, term_arg(tt, sum, i)), c), term_arg(tt, sum, i + 1)));
  return scaled;
}

void parts_add(const TermTable *tt, Parts *parts, PartKind kind, Term t, const Path *path) {
  if (kind == PART_NONZERO && term_kind(tt, t) == TERM_SELECT) {
    bool is_truth =
        term_is_rat(tt, term_arg(tt, t, 1)) && term_arg(tt, t, 1) != tt->zero && term_arg(tt, t, 2) == tt->zero;
    bool is_negated =
        term_is_rat(tt, term_arg(tt, t, 2)) && term_arg(tt, t, 2) != tt->zero && term_arg(tt, t, 1) == tt->zero;
    TermTable *own = (TermTable *)(uintptr_t)tt;
    if ((is_truth || is_negated) &&
        add_condition(own, parts, is_truth ? term_arg(tt, t, 0) : term_not(own, term_arg(tt, t, 0)), path))
      return;
  }
  if (kind == PART_NONZERO && !term_is_rat(tt, t)) term_coefficient(tt, t, &t);
  if (kind == PART_NONZERO && term_kind(tt, t) == TERM_ADD) t = without_coefficient((TermTable *)(uintptr_t)tt, t);
  if (kind == PART_NONZERO && term_kind(tt, t) == TERM_ABS) t = term_arg(tt, t, 0);
  Part p = part_at(kind, t, path);
  if (kind == PART_POSITIVE && term_kind(tt, t) == TERM_ADD && !(term_node(tt, t)->flags & TERM_HAS_READ))
    parts_add(tt, parts, PART_NONZERO, t, path); /* of which the sign is not looked at */
  if (kind == PART_POSITIVE || kind == PART_NONNEGATIVE) p.core = without_sizes(tt, t);
  if (!may_be_infinite(tt, kind, t)) p.within = p.inner = 0;
  if (is_error(tt, kind, t)) leave_comparisons(tt, &p);
  while (leave_choice(parts, &p)) {
  }
  if (is_met_by_number(tt, kind, t) || parts_have(parts, &p, true)) return;
  if (p.within && kind == PART_POSITIVE)
    parts_add(tt, parts, PART_NONNEGATIVE, t, path); /* the logarithm of less than 0 is no number anywhere */
  if (parts->count < PARTS_MOST)
    parts->data[parts->count++] = p;
  else
    parts->all = false;
}

static void add_own_part(const TermTable *tt, Term t, const Path *path, Parts *parts) {
  TermKind kind = term_kind(tt, t);
  bool divides = kind == TERM_FLOORDIV || (kind == TERM_FN && term_aux(tt, t) == FN_FMOD);
  if (parts->of == PARTS_OF_ERRORS && (!divides || term_sort(tt, term_arg(tt, t, 1)) != SORT_INT)) return;
  TermFoldOp op = kind == TERM_FOLD ? (TermFoldOp)term_aux(tt, t) : FOLD_SUM;
  bool is_extreme = term_is_infinity(tt, t) || op == FOLD_MAX || op == FOLD_MIN;
  if ((op == FOLD_ARGMAX || op == FOLD_ARGMIN) && parts->of >= PARTS_OF_SUM)
    parts_add(tt, parts, PART_DEFINED, t, path);
  bool is_none = kind == TERM_NAN || kind == TERM_UNDEF || (is_extreme && parts->of >= PARTS_OF_SUM);
  if (is_none && parts->of != PARTS_OF_LANES) parts_add(tt, parts, PART_DEFINED, t, path);
  Path plain = *path;
  plain.within = plain.inner = 0;
  if (kind == TERM_FLOORDIV) parts_add(tt, parts, PART_NONZERO, term_arg(tt, t, 1), &plain);
  if (kind == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      if (e.num < 0 || e.den != 1)
        parts_add(tt, parts,
                  e.den == 1  ? PART_NONZERO
                  : e.num < 0 ? PART_POSITIVE
                              : PART_NONNEGATIVE,
                  term_arg(tt, t, i), path);
    }
  if (kind != TERM_FN) return;
  TermFn fn = (TermFn)term_aux(tt, t);
  TermFnDomain domain = term_fn_info(fn)->domain;
  if (fn == FN_TAN) /* sin / cos */
    parts_add(tt, parts, PART_NONZERO, term_fn1((TermTable *)(uintptr_t)tt, FN_COS, term_arg(tt, t, 0)), path);
  else if (domain == FN_DOMAIN_DIVISOR)
    parts_add(tt, parts, PART_NONZERO, term_arg(tt, t, 1), &plain);
  else if (domain == FN_DOMAIN_POSITIVE && term_fn_arity(fn) == 1)
    parts_add(tt, parts, PART_POSITIVE, term_arg(tt, t, 0), path);
  else if (domain != FN_DOMAIN_ANY && domain != FN_DOMAIN_FINITE && term_fn_info(fn)->sort == SORT_REAL)
    parts_add(tt, parts, PART_DEFINED, t, path);
}

/* True if the other side of a select is no number anyway. Then what this one asks for is asked for wherever the select
 * is one. An infinity is a number again in what may follow. */
static bool is_beside_none(const TermTable *tt, Term t, uint32_t i, const Path *outer, const Parts *parts) {
  Term other = term_arg(tt, t, 3 - i);
  return term_kind(tt, other) == TERM_UNDEF ||
         (term_is_infinity(tt, other) && parts->of == PARTS_AT_LAST && !outer->within);
}

/* True if the value may be finite where argument i is an infinity. */
static bool makes_finite(const TermTable *tt, Term t, uint32_t i) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FN) return term_aux(tt, t) != FN_LOG && term_aux(tt, t) != FN_SIN && term_aux(tt, t) != FN_COS;
  if (kind == TERM_MUL) return i % 2 == 0 && term_rat(tt, term_arg(tt, t, i + 1)).num < 0;
  if (kind == TERM_FOLD) return term_aux(tt, t) != FOLD_SUM;
  if (term_kind_is_extremum(kind) || kind == TERM_OPAQUE) return true;
  return false;
}

/* The operation that does. */
static Term made_finite_by(const TermTable *tt, Term t, uint32_t i) {
  if (!makes_finite(tt, t, i)) return 0;
  return term_kind(tt, t) == TERM_MUL ? inverse(term_arg(tt, t, i)) : t;
}

/* Finite whatever it is of, where that is a number or an infinity: 1 / t, too, where t is not 0. */
static bool is_bounded(const TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_FN) return term_kind(tt, t) == TERM_MUL;
  const TermFnInfo *fn = term_fn_info((TermFn)term_aux(tt, t));
  return isfinite(fn->least) && isfinite(fn->most);
}

/* The path of argument i. A condition has a value whatever becomes of its parts, and asks for nothing but for itself.
 */
static bool path_to(const TermTable *tt, Term t, uint32_t i, const Path *outer, Parts *parts, Path *path) {
  Term more[4] = {t, i + 1}; /* two, or those of a fold, the index first */
  uint32_t count = 0;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT) {
    more[0] = term_arg(tt, t, 0), more[1] = i == 1 ? PATH_THEN : PATH_ELSE;
    count = i && !is_beside_none(tt, t, i, outer, parts) ? 2 : 0;
  } else if (kind == TERM_FOLD) {
    more[0] = term_fold_bound(tt, t) | PATH_FOLD, more[1] = term_fold_lo(tt, t), more[2] = term_fold_hi(tt, t),
    more[3] = i == 3 ? term_fold_guard(tt, t) : tt->true_;
    count = i >= 2 ? 4 : 0;
  } else if (kind == TERM_AND || kind == TERM_OR || term_kind_is_comparison(kind) || term_kind_is_test(kind) ||
             kind == TERM_RECUR)
    count = 2;
  Term within = outer->within ? 0 : made_finite_by(tt, t, i),
       inner = parts->has_inner && is_bounded(tt, t) ? made_finite_by(tt, t, i) : 0;
  *path = *outer;
  if (!count && !within && !inner) return true;
  path->outer = outer, path->number = ++parts->paths, path->within |= within;
  if (inner) path->inner = inner;
  if (path->count + count > PARTS_MOST_PATH) return parts->all = false;
  for (uint32_t k = 0; k < count; k++) path->at[path->count++] = more[k];
  return true;
}

static bool is_seen(uint32_t number, const Path *path) {
  for (; path; path = path->outer)
    if (number == path->number + 1) return true;
  return false;
}

/* Under the choices and at the indices around it; false: it is never so, and then all is true of it. */
static bool assume_path(Domain *d, uint32_t count, const Term *path) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i + 1 < count; i += 2) {
    if (path[i + 1] == PATH_THEN || path[i + 1] == PATH_ELSE) {
      if (!domain_assume(d, path[i + 1] == PATH_THEN ? path[i] : term_not(tt, path[i]))) return false;
    } else if (part_entry_length(path + i) == 4) {
      Term index = path[i] & ~(Term)PATH_FOLD;
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
  for (uint32_t i = 0; i < path->count; i += part_entry_length(path->at + i))
    if (path->at[i] == (index | PATH_FOLD)) return path->at[i + 2];
  return 0;
}

/* The read with index 0 in place of each that is shown to lie in its tensor there: of another element, and defined
 * where this one is. */
static Term doubtful_read(Domain *d, Term read, const Path *path, bool *is_inside) {
  TermTable *tt = d->tt;
  const PointwiseTensor *tensor = pointwise_tensor(d->tensors, term_arg(tt, read, 0));
  *is_inside = false;
  if (!tensor) return read; /* nobody has said how large it is */
  Domain own = {.s = d->s, .tt = tt, .assumes_nothing = d->assumes_nothing};
  uint32_t facts = tt->facts.count, good = 0;
  Term places[POINTWISE_MAX_RANK];
  if (!assume_path(&own, path->count, path->at)) good = tensor->rank;
  for (uint32_t k = 0; k < tensor->rank; k++) {
    Term place = term_arg(tt, read, k + 1), index = place;
    Term end = term_kind(tt, index) == TERM_BOUND ? end_of(path, index) : 0;
    if (!end && term_node(tt, index)->flags & TERM_HAS_READ) index = term_rebuild(tt, index); /* with what is known */
    bool lies = term_prove_le(tt, tt->zero, index) &&
                ((end && term_prove_le(tt, end, tensor->extent[k])) || term_prove_lt(tt, index, tensor->extent[k]));
    places[k] = lies ? tt->zero : place;
    good += lies;
  }
  term_pop_facts(tt, facts);
  *is_inside = good >= tensor->rank;
  return *is_inside || !good ? read : term_read(tt, term_arg(tt, read, 0), term_sort(tt, read), tensor->rank, places);
}

/* Where a tensor is read is asked for where it is data, and elsewhere if the tensors are known and it is not shown. */
static void add_place(const TermTable *tt, Term read, const Path *path, Parts *parts) {
  bool is_inside = false;
  if (!parts->d && (parts->of < PARTS_OF_SUM || !term_reads_at_data(tt, read))) return;
  if (parts->d && parts->of == PARTS_OF_LANES) return;
  if (parts->d) read = doubtful_read(parts->d, read, path, &is_inside);
  if (!is_inside) parts_add(tt, parts, PART_DEFINED, read, path);
}

/* `seen`: 1 + the number of the path on which it was last. */
static void find_parts(const TermTable *tt, Term t, const Path *outer, Parts *parts, uint32_t *seen) {
  if (is_seen(seen[t], outer)) return;
  if (++parts->visited > PARTS_MOST_VISITED) {
    parts->all = false;
    return;
  }
  seen[t] = outer->number + 1;
  if (term_kind(tt, t) == TERM_READ) {
    add_place(tt, t, outer, parts);
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
  for (uint32_t i = 0; i < count; i++)
    if (terms[i]) find_parts(tt, terms[i], path, parts, seen);
  arena_reset(tt->scratch, mark);
}

static Term put_names(TermTable *tt, Term t, TermMap names) {
  const Term marks = PATH_INVERSE | PATH_FOLD;
  return t >= PATH_THEN ? t : (t & marks) | term_substitute(tt, t & ~marks, names);
}

static void name_indices(Domain *d, Part *p) {
  enum { MOST = sizeof d->indices / sizeof *d->indices };
  Term from[MOST];
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->count && count < MOST; i += part_entry_length(p->path + i))
    if (part_entry_length(p->path + i) == 4) from[count++] = p->path[i] & ~(Term)PATH_FOLD;
  if (!count) return;
  for (uint32_t i = 0; i < count; i++)
    if (!d->indices[i]) d->indices[i] = term_symbol_fresh(d->tt, "k", SORT_INT, SYMBOL_INDEX);
  const TermMap names = {count, from, d->indices};
  p->named_core = put_names(d->tt, p->core, names), p->named_within = put_names(d->tt, p->within, names);
  p->named_inner = put_names(d->tt, p->inner, names);
  for (uint32_t i = 0; i < p->count; i++) p->named_path[i] = put_names(d->tt, p->path[i], names);
}

Parts parts_of(Domain *d, uint32_t count, const Term *terms, PartsOf of) {
  Parts p = {.all = true, .of = of, .d = d->tensors ? d : NULL, .has_inner = d->has_inner};
  add_parts(d->tt, count, terms, &parts_everywhere, &p);
  for (uint32_t i = 0; i < p.count; i++) name_indices(d, &p.data[i]);
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

Parts parts_of_operands(Domain *d, TermStep step, PartsOf of) {
  Parts p = parts_of(d, 1, &step.a, of);
  if (step.kind == TERM_STEP_QUOTIENT && term_sort(d->tt, step.b) == SORT_REAL)
    add_inverted_parts(d->tt, step.b, &p);
  else
    add_parts(d->tt, 1, &step.b, &parts_everywhere, &p);
  return p;
}

bool parts_include(const Parts *few, const Parts *many, bool seen) {
  for (uint32_t i = 0; i < few->count; i++)
    if (!parts_have(many, &few->data[i], seen)) return false;
  return few->all;
}

bool part_is_met(Domain *d, const Part *p) {
  switch (p->kind) {
  case PART_NONZERO: return domain_is_defined(d, p->term) && domain_is_nonzero(d, p->term);
  case PART_NONNEGATIVE:
  case PART_POSITIVE:
    return domain_is_defined(d, p->term) && domain_is_finite(d, p->term) &&
           domain_is_positive(d, p->term, p->kind == PART_POSITIVE);
  case PART_DEFINED:
    if (term_kind(d->tt, p->term) != TERM_READ) break;
    if (term_count(d->tt, p->term) == 1 && term_sort(d->tt, p->term) == SORT_INT) return true; /* it has no index */
    return domain_blame(d, p->term, PART_OUTSIDE);
  }
  return domain_is_defined(d, p->term) && domain_is_finite(d, p->term);
}

/* Wherever it is asked for. */
bool part_is_met_everywhere(Domain *d, const Part *p) {
  uint32_t facts = d->tt->facts.count;
  bool good = !assume_path(d, p->count, p->path) || part_is_met(d, p);
  term_pop_facts(d->tt, facts);
  return good;
}

bool part_is_met_where_finite(Domain *d, const Part *p) {
  uint32_t facts = d->tt->facts.count;
  TermKind kind = term_kind(d->tt, p->term);
  TermFoldOp op = kind == TERM_FOLD ? (TermFoldOp)term_aux(d->tt, p->term) : FOLD_SUM;
  bool good = !assume_path(d, p->count, p->path) || (p->kind == PART_NONZERO && domain_is_nonzero(d, p->term)) ||
              (p->kind == PART_DEFINED && (op == FOLD_MAX || op == FOLD_MIN) && domain_is_finite(d, p->term));
  term_pop_facts(d->tt, facts);
  return good;
}
