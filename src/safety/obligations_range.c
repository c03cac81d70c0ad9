/* Overflow of index arithmetic: each need of the execution is shown from the ranges of sizes, or becomes an assumption
 * that says up to where it holds and the first sizes at which it does not (semantics.md section 4). */
#include <string.h>

#include "operation/given.h"
#include "base/message.h"
#include "safety/obligations_internal.h"

enum { MOST_SIZES = 16 };

static bool is_moving(const TermTable *tt, Term s) {
  SymbolRole role = term_symbol(tt, s)->role;
  return role == SYMBOL_PID || role == SYMBOL_LANE || role == SYMBOL_COUNTER || role == SYMBOL_INDEX;
}

/* What t is at most: a minimum of sizes and of what is found in memory is at most the sizes. */
static Term at_most(TermTable *tt, Term t) {
  Term most = 0, sum = t;
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term part = term_arg(tt, t, i + 1);
    if (k.num > 0 && term_kind(tt, part) == TERM_MIN)
      sum = term_add(tt, sum, term_scale(tt, k, term_sub(tt, at_most(tt, part), part)));
  }
  for (uint32_t i = 0; term_kind(tt, t) == TERM_MIN && i < term_count(tt, t); i++) {
    Term part = term_arg(tt, t, i);
    if (!(term_node(tt, part)->flags & TERM_HAS_READ)) most = most ? term_min(tt, most, part) : part;
  }
  return most ? most : sum;
}

/* The greatest value of t over ids, lanes and counters, as a term over sizes; 0: not known. */
static Term greatest(Safety *s, Term t, uint32_t depth) {
  TermTable *tt = s->tt;
  TermList symbols = {0};
  if (depth > 16) return 0;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) {
    Term v = symbols.data[i];
    if (!is_moving(tt, v)) continue;
    Term step = term_sub(tt, term_replace(tt, t, v, term_add(tt, v, tt->one)), t), by = 0;
    if (term_prove_le(tt, tt->zero, step))
      by = term_symbol(tt, v)->hi ? at_most(tt, term_symbol(tt, v)->hi) : 0;
    else if (term_prove_le(tt, step, tt->zero))
      by = term_symbol(tt, v)->lo;
    return by ? greatest(s, term_replace(tt, t, v, by), depth + 1) : 0;
  }
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF) ? 0 : t;
}

/* ---- intervals ---- */

/* Beyond 2^100, which is more than is ever asked for, a bound counts as none. */
typedef struct Interval {
  Int128 lo, hi;
} Interval;

static Int128 far(void) { return (Int128)1 << 100; }
static Int128 clamp(Int128 v) { return v > far() ? far() : v < -far() ? -far() : v; }
static Interval everything(void) { return (Interval){-far(), far()}; }

static Int128 times(Int128 a, Int128 b) {
  if (a == 0 || b == 0) return 0;
  bool negative = (a < 0) != (b < 0);
  Int128 x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  if (x > far() / y) return negative ? -far() : far();
  return clamp(a * b);
}

static Interval product(Interval a, Interval b) {
  Int128 corners[] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)};
  Interval out = {corners[0], corners[0]};
  for (int i = 1; i < 4; i++) {
    if (corners[i] < out.lo) out.lo = corners[i];
    if (corners[i] > out.hi) out.hi = corners[i];
  }
  return out;
}

static Interval join(Interval a, Interval b) {
  return (Interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static Int128 floored(Int128 a, Int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* The values that t takes, symbol by symbol: how they hang together is not seen. */
static Interval interval_of(TermTable *tt, Term t, uint32_t depth) {
  Interval out = {0, 0}, a, b;
  if (depth > 24) return everything();
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_RAT) {
    Rational r = term_rat(tt, t);
    return r.den == 1 ? (Interval){clamp(r.num), clamp(r.num)} : everything();
  }
  if (kind == TERM_SYM) {
    Term lo = term_symbol(tt, t)->lo, hi = term_symbol(tt, t)->hi;
    out = everything();
    if (lo) out.lo = interval_of(tt, lo, depth + 1).lo;
    if (hi) out.hi = interval_of(tt, hi, depth + 1).hi;
    return out;
  }
  if (kind == TERM_ADD) {
    out = interval_of(tt, term_arg(tt, t, 0), depth + 1);
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      if (k.den != 1) return everything();
      a = product((Interval){clamp(k.num), clamp(k.num)}, interval_of(tt, term_arg(tt, t, i + 1), depth + 1));
      out = (Interval){clamp(out.lo + a.lo), clamp(out.hi + a.hi)};
    }
    return out;
  }
  if (kind == TERM_MUL) {
    out = (Interval){1, 1};
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      if (e.den != 1 || e.num < 1 || e.num > 4) return everything();
      a = interval_of(tt, term_arg(tt, t, i), depth + 1);
      for (int k = 0; k < (int)e.num; k++) out = product(out, a);
    }
    return out;
  }
  if (kind == TERM_FLOORDIV) {
    a = interval_of(tt, term_arg(tt, t, 0), depth + 1), b = interval_of(tt, term_arg(tt, t, 1), depth + 1);
    if (b.lo < 1) return everything();
    return (Interval){floored(a.lo, a.lo < 0 ? b.lo : b.hi), floored(a.hi, a.hi < 0 ? b.hi : b.lo)};
  }
  if (term_kind_is_extremum(kind)) {
    out = interval_of(tt, term_arg(tt, t, 0), depth + 1);
    for (uint32_t i = 1; i < term_count(tt, t); i++) {
      bool min = term_kind(tt, t) == TERM_MIN;
      a = interval_of(tt, term_arg(tt, t, i), depth + 1);
      if (min ? a.lo < out.lo : a.lo > out.lo) out.lo = a.lo;
      if (min ? a.hi < out.hi : a.hi > out.hi) out.hi = a.hi;
    }
    return out;
  }
  if (kind == TERM_SELECT)
    return join(interval_of(tt, term_arg(tt, t, 1), depth + 1), interval_of(tt, term_arg(tt, t, 2), depth + 1));
  if (kind == TERM_WRAP) {
    Int128 half = (Int128)1 << (term_aux(tt, t) - 1);
    return (Interval){-half, half - 1};
  }
  /* what is read from memory */ return term_interval(tt, t, &out.lo, &out.hi) ? out : everything();
}

/* ---- the first sizes that are too large ---- */

typedef struct Sizes {
  Safety *s;
  Term top;
  double limit;
  TermList symbols;
  int64_t least[MOST_SIZES], most[MOST_SIZES], value[MOST_SIZES];
} Sizes;

static bool is_beyond(Sizes *z) {
  ArenaMark mark = arena_mark(z->s->arena);
  TermEval *eval = term_eval_new(z->s->tt, z->s->arena, NULL, NULL);
  for (uint32_t i = 0; i < z->symbols.count; i++)
    term_eval_set(eval, z->symbols.data[i], (TermValue){(double)z->value[i], z->value[i]});
  TermValue v = term_eval(eval, z->top);
  arena_reset(z->s->arena, mark);
  return (double)v.integer > z->limit;
}

/* The least value of size i that is still too large, by bisection: the top grows with each size. */
static void lower(Sizes *z, uint32_t i) {
  int64_t good = z->least[i] - 1, bad = z->value[i];
  while (bad - good > 1) {
    z->value[i] = good + (bad - good) / 2;
    if (z->value[i] < z->least[i]) break;
    if (is_beyond(z))
      bad = z->value[i];
    else
      good = z->value[i];
  }
  z->value[i] = bad;
}

static bool first_sizes(Sizes *z) {
  TermTable *tt = z->s->tt;
  int64_t literal;
  term_symbols(tt, z->top, &z->symbols);
  if (z->symbols.count > MOST_SIZES) return false;
  for (uint32_t i = 0; i < z->symbols.count; i++) {
    const Symbol *symbol = term_symbol(tt, z->symbols.data[i]);
    if (symbol->role != SYMBOL_SIZE && symbol->role != SYMBOL_GRID) return false;
    z->least[i] = symbol->lo && term_is_int(tt, symbol->lo, &literal) && literal > 1 ? literal : 1;
    z->most[i] = symbol->hi && term_is_int(tt, symbol->hi, &literal) && literal < INT32_MAX ? literal : INT32_MAX;
  }
  int64_t all = 1; /* the same for all, doubled until it is too much; then each as low as can be */
  for (; all < INT32_MAX; all *= 2) {
    for (uint32_t i = 0; i < z->symbols.count; i++)
      z->value[i] = all < z->least[i] ? z->least[i] : all > z->most[i] ? z->most[i] : all;
    if (is_beyond(z)) break;
  }
  if (all >= INT32_MAX) {
    for (uint32_t i = 0; i < z->symbols.count; i++) z->value[i] = z->most[i];
    if (!is_beyond(z)) return false;
  }
  for (uint32_t i = 0; i < z->symbols.count; i++) lower(z, i);
  return is_beyond(z);
}

static const char *sizes_text(const Sizes *z) {
  Text text = text_new(z->s->arena);
  for (uint32_t i = 0; i < z->symbols.count; i++)
    text_format(&text, "%s%s = %lld", i ? ", " : "", term_message(z->s->tt, z->symbols.data[i]),
                (long long)z->value[i]);
  return text_string(&text);
}

static const SampleWitness *sizes_witness(const Sizes *z) {
  SampleWitness *w = arena_new(z->s->arena, SampleWitness);
  for (uint32_t i = 0; i < z->symbols.count; i++)
    array_push(z->s->arena, &w->sizes,
               (SamplePair){term_name(z->s->tt, z->symbols.data[i]),
                            arena_format(z->s->arena, "%lld", (long long)z->value[i])});
  w->left = "wraps";
  w->right = "in range";
  return w;
}

static const char *unit(uint32_t width) { return width == 32 ? "i32" : "i64"; }

/* ---- sizes that are given ---- */

/* The numbers of a launch that is a sample, in the place of its arguments; a launch with names was executed with them.
 */
static Term in_launch(const Safety *s, Term t) {
  const Effects *ex = s->on->ex;
  if (s->on != s->report || !s->launch || !s->is_given) return t;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const LaunchExpr *e = s->launch->params.data[i].scalar;
    if (e && e->op == 'n' && term_sort(s->tt, ex->params.data[i].symbol) == SORT_INT)
      t = term_replace(s->tt, t, ex->params.data[i].symbol, term_int(s->tt, e->number));
  }
  for (uint32_t i = 0; i < 3; i++)
    if (s->launch->grid[i]->op == 'n')
      t = term_replace(s->tt, t, ex->grid[i], term_int(s->tt, s->launch->grid[i]->number));
  return t;
}

/* One end of all that moves: programs where t is greatest (or least), lanes and counters there too, or where they
 * begin. */
typedef struct Corner {
  Term symbol[MOST_SIZES], at[MOST_SIZES];
  uint32_t count;
} Corner;

static Term at_corner(const Safety *s, const Corner *corner, Term t) {
  for (uint32_t i = 0; i < corner->count; i++) t = term_replace(s->tt, t, corner->symbol[i], corner->at[i]);
  return in_launch(s, t);
}

static bool find_corner(Safety *s, Term t, bool above, bool lanes_begin, Corner *corner) {
  TermTable *tt = s->tt;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) {
    Term v = symbols.data[i];
    if (!is_moving(tt, v) || !term_has_symbol(tt, t, v)) continue;
    Term step = term_sub(tt, term_replace(tt, t, v, term_add(tt, v, tt->one)), t);
    bool up = term_prove_le(tt, tt->zero, step), down = !up && term_prove_le(tt, step, tt->zero);
    bool first = (lanes_begin && term_symbol(tt, v)->role != SYMBOL_PID) || (above ? down : up);
    Term by = in_launch(s, first ? term_symbol(tt, v)->lo : term_symbol(tt, v)->hi);
    if (!(up || down) || !by || corner->count == MOST_SIZES) return false;
    corner->symbol[corner->count] = v, corner->at[corner->count++] = by;
    t = term_replace(tt, t, v, by);
  }
  return true;
}

/* True if something is accessed at the corner, lanes elsewhere at their first. A bound on t itself keeps no lane away:
 * what has wrapped meets it. */
static bool is_accessed(Safety *s, Term t, const Corner *corner) {
  TermTable *tt = s->tt;
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    Term mask = s->on->ex->accesses.data[i].mask, open = tt->true_;
    uint32_t parts = term_conjunct_count(tt, mask);
    for (uint32_t k = 0; k < parts; k++) {
      Term part = parts == 1 ? mask : term_arg(tt, mask, k), bound = 0;
      TermList left = {0};
      if (term_kind(tt, part) == TERM_LE)
        term_symbols(tt, bound = term_sub(tt, in_launch(s, term_arg(tt, part, 0)), t), &left);
      bool of_t = bound != 0;
      for (uint32_t n = 0; n < left.count; n++) of_t &= !is_moving(tt, left.data[n]);
      if (!of_t) open = term_and(tt, open, at_corner(s, corner, part));
    }
    TermList rest = {0};
    term_symbols(tt, open, &rest);
    for (uint32_t n = rest.count; n-- > 0;)
      if (is_moving(tt, rest.data[n]) && term_symbol(tt, rest.data[n])->lo)
        open = term_replace(tt, open, rest.data[n], term_symbol(tt, rest.data[n])->lo);
    if (safety_holds(s, open)) return true;
  }
  return false;
}

static const SampleWitness *corner_witness(const Safety *s, const Corner *corner) {
  SampleWitness *w = arena_new(s->arena, SampleWitness);
  for (uint32_t i = 0; i < corner->count; i++)
    if (term_symbol(s->tt, corner->symbol[i])->role == SYMBOL_PID)
      array_push(s->arena, &w->sizes,
                 (SamplePair){term_name(s->tt, corner->symbol[i]), term_text(s->tt, corner->at[i])});
  w->left = "wraps";
  w->right = "in range";
  return w;
}

static void tell_reached(Safety *s, const RangeNeed *need, int verdict, const char *detail,
                         const SampleWitness *witness) {
  Obligation *o = safety_add(s, OBLIGATION_OVERFLOW, verdict, need->op, 0, detail);
  if (o->verdict == OBLIGATION_REFUTED && o->detail != detail) return;
  o->verdict = verdict, o->detail = detail, o->witness = witness, o->under.count = 0;
}

/* The sizes that are given reach what is too large: it is no assumption then. Refuted where a program goes there. */
static bool is_reached(Safety *s, const RangeNeed *need, Term exact) {
  TermTable *tt = s->tt;
  Int128 half = (Int128)1 << (need->width - 1);
  Term t = in_launch(s, exact), worst = 0;
  bool reached = false;
  if (!s->is_given && !s->options->sets.count) return false;
  for (uint32_t i = 0; i < 4; i++) {
    Corner corner = {0};
    if (!find_corner(s, t, i < 2, i % 2, &corner)) continue;
    Term value = at_corner(s, &corner, t);
    if (!term_is_rat(tt, value) || (i < 2 ? term_rat(tt, value).num < half : term_rat(tt, value).num >= -half))
      continue;
    reached = true, worst = value;
    if (!is_accessed(s, t, &corner)) continue;
    tell_reached(s, need, OBLIGATION_REFUTED,
                 arena_format(s->arena, "index arithmetic in %s wraps at the sizes that are given: %s",
                              unit(need->width), term_message(tt, value)),
                 corner_witness(s, &corner));
    return true;
  }
  if (reached)
    tell_reached(s, need, OBLIGATION_UNKNOWN,
                 arena_format(s->arena,
                              "index arithmetic in %s reaches %s at the sizes that are given, in lanes that are not "
                              "shown to access anything",
                              unit(need->width), term_message(tt, worst)),
                 NULL);
  return reached;
}

/* ---- one need ---- */

/* True if t is made of what is read from memory, or of the iterations of a loop that this ends. Places that data
 * chooses one from another (a recurrence) are taken to be in range like those that it chooses among. */
static bool is_of_data(Safety *s, Term t, uint32_t depth) {
  TermTable *tt = s->tt;
  TermList symbols = {0};
  if (term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE)) return !term_has_kind(tt, t, TERM_RECUR);
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count && depth; i++) {
    Term lo = term_symbol(tt, symbols.data[i])->lo, hi = term_symbol(tt, symbols.data[i])->hi;
    if ((lo && is_of_data(s, lo, depth - 1)) || (hi && is_of_data(s, hi, depth - 1))) return true;
  }
  return false;
}

/* It fits in every iteration, as a condition on contents; 0: there is no such term. */
static Term fits_always(Safety *s, const RangeNeed *need) {
  TermTable *tt = s->tt;
  Int128 half = (Int128)1 << (need->width - 1);
  Term most = term_new_rat(tt, (Rational){half - 1, 1}), least = term_new_rat(tt, (Rational){-half, 1}),
       fits = term_and(tt, term_le(tt, need->exact, most), term_le(tt, least, need->exact)),
       t = safety_closed(s, term_or(tt, term_not(tt, need->path), fits));
  TermList symbols = {0};
  if (s->on != s->report) return 0;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) { /* inner loops are younger */
    const Symbol *v = term_symbol(tt, symbols.data[i]);
    if (v->role == SYMBOL_CARRY || v->role == SYMBOL_INDEX || (is_moving(tt, v->term) && (!v->lo || !v->hi))) return 0;
    if (is_moving(tt, v->term) && term_has_symbol(tt, t, v->term))
      t = term_fold(tt, FOLD_ALL, v->term, v->lo, term_add(tt, v->hi, tt->one), tt->true_, t);
  }
  symbols.count = 0;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (is_moving(tt, symbols.data[i])) return 0;
  return t;
}

/* What the sizes and scalars of a launch do not say alone is asked of witnesses. */
static void ask_of_witnesses(Safety *s, const RangeNeed *need, uint32_t assumption) {
  Assumption *assumed = &s->report->assumptions.data[assumption];
  Term fits = fits_always(s, need);
  assumed->is_partial |= !fits;
  if (fits) assumed->of_arithmetic = assumed->of_arithmetic ? term_and(s->tt, assumed->of_arithmetic, fits) : fits;
}

static bool is_of_iterations(Safety *s, Term condition) {
  TermList symbols = {0};
  if (term_node(s->tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE)) return true;
  term_symbols(s->tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (is_moving(s->tt, symbols.data[i])) return true;
  return false;
}

/* Signed arithmetic that overflows is undefined in the source: that it does not, in this line, is assumed. */
static void assume_no_overflow(Safety *s, const RangeNeed *need) {
  const char *text = arena_format(s->arena, "signed arithmetic at %s fits %s", execute_where(s->report->ex, need->op),
                                  need->width == 32   ? "i32"
                                  : need->width == 64 ? "i64"
                                                      : "its type");
  uint32_t assumption = safety_assume(s, ASSUME_RANGE, 0, text, "signed overflow is undefined", NULL);
  ask_of_witnesses(s, need, assumption);
  Obligation *o = safety_add(s, OBLIGATION_OVERFLOW, OBLIGATION_PROVED, need->op, 0, NULL);
  safety_rests_on(s, o, assumption);
}

/* The assumption as a text; where it would be longer than anybody reads, by its line. */
static const char *range_text(Safety *s, const RangeNeed *need, Term value, bool below) {
  enum { MOST_READ = 120 };
  Int128 most = ((Int128)1 << (need->width - 1)) - 1;
  const char *text = source_text(s->tt, s->on, need->op, value), *what = unit(need->width);
  if (message_length(text) > MOST_READ)
    return arena_format(s->arena, "index arithmetic at %s fits %s", execute_where(s->report->ex, need->op), what);
  if (below) return arena_format(s->arena, "%s fits %s", text, what);
  return arena_format(s->arena, "%s <= %s", text, term_text(s->tt, term_new_rat(s->tt, (Rational){most, 1})));
}

/* ---- needs that another one implies ---- */

enum { MOST_TOPS = 24 };

typedef struct Tops { /* what has to stay in its type, of the needs that sizes alone bound; each once */
  Term top[MOST_TOPS];
  uint32_t width[MOST_TOPS], count;
} Tops;

/* What has to be at most the greatest value of the type, as a term over sizes; 0: that is no such need. */
static Term top_of(Safety *s, const RangeNeed *need) {
  TermTable *tt = s->tt;
  Int128 half = (Int128)1 << (need->width - 1);
  Term exact = term_rebuild(tt, need->exact);
  Interval interval = interval_of(tt, exact, 0);
  if (interval.hi <= half - 1 || interval.lo < -half || (need->of_value && is_of_data(s, exact, 8))) return 0;
  return term_prove_le(tt, exact, term_new_rat(tt, (Rational){half - 1, 1})) ? 0 : greatest(s, exact, 0);
}

static void gather_tops(Safety *s, Tops *tops) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->ranges.count && tops->count < MOST_TOPS; i++) {
    Term top = top_of(s, &ex->ranges.data[i]);
    bool known = !top;
    for (uint32_t k = 0; k < tops->count; k++)
      known |= tops->top[k] == top && tops->width[k] == ex->ranges.data[i].width;
    if (!known) tops->top[tops->count] = top, tops->width[tops->count++] = ex->ranges.data[i].width;
  }
}

/* Of what has to stay in that type anyway, the greatest that is at least `top` for all sizes: `k*n - 1` for `k*n - n`.
 * One assumption says both. */
static Term greatest_top(Safety *s, const Tops *tops, Term top, uint32_t width) {
  for (uint32_t k = 0; k < tops->count; k++)
    if (tops->width[k] == width && term_prove_le(s->tt, top, tops->top[k])) top = tops->top[k];
  return top;
}

static void check_need(Safety *s, const RangeNeed *need, const Tops *tops) {
  TermTable *tt = s->tt;
  Int128 half = (Int128)1 << (need->width - 1);
  Term most = term_new_rat(tt, (Rational){half - 1, 1}), least = term_new_rat(tt, (Rational){-half, 1});
  Term exact = term_rebuild(tt, need->exact);
  Interval interval = interval_of(tt, exact, 0);
  bool above = interval.hi > half - 1 && !term_prove_le(tt, exact, most),
       below = interval.lo < -half && !term_prove_le(tt, least, exact);
  if (!above && !below) {
    safety_add(s, OBLIGATION_OVERFLOW, OBLIGATION_PROVED, need->op, 0, NULL);
    return;
  }
  if (need->of_value && is_of_data(s, exact, 8)) {
    assume_no_overflow(s, need);
    return;
  }
  Sizes z = {.s = s, .limit = (double)(half - 1)}, assumed = z;
  Term top = above ? greatest(s, exact, 0) : 0;
  z.top = top;
  bool known = top && !below && first_sizes(&z);
  const char *limit = known ? arena_format(s->arena, "wraps from %s", sizes_text(&z)) : NULL, *first = limit;
  if (top && !below) top = greatest_top(s, tops, top, need->width);
  assumed.top = top;
  if (top != z.top)
    first = first_sizes(&assumed) ? arena_format(s->arena, "wraps from %s", sizes_text(&assumed)) : NULL;
  Term condition = above && !below ? term_le(tt, top ? top : exact, most)
                                   : term_and(tt, term_le(tt, exact, most), term_le(tt, least, exact));
  bool reached = is_reached(s, need, exact);
  if (reached && (s->on != s->report || !s->is_given))
    s->report->excludes_itself = true; /* of the claim itself, and no sample */
  if (!reached && s->options->assumes.count && given_is_contradiction(tt, condition)) {
    tell_reached(s, need, OBLIGATION_UNKNOWN,
                 arena_format(s->arena, "index arithmetic in %s wraps wherever --assume holds", unit(need->width)),
                 NULL);
    reached = s->report->excludes_itself = true;
  }
  const char *text = range_text(s, need, top && !below ? top : exact, below);
  const char *why = arena_format(s->arena, "index arithmetic in %s does not wrap (%s)", unit(need->width),
                                 execute_where(s->report->ex, need->op));
  uint32_t assumption = safety_assume(s, ASSUME_RANGE, s->on == s->report ? condition : 0, text, why, first);
  if (s->on->ex->program->is_host && is_of_iterations(s, condition)) ask_of_witnesses(s, need, assumption);
  if (reached) return;
  if (!top && is_of_data(s, exact, 8)) {
    tell_reached(s, need, OBLIGATION_UNKNOWN,
                 arena_format(s->arena, "%s holds or not by what is in memory: index arithmetic in %s may wrap", text,
                              unit(need->width)),
                 NULL);
    return;
  }
  Obligation *o = safety_add(s, OBLIGATION_OVERFLOW, OBLIGATION_PROVED, need->op, 0, limit);
  if (o->verdict == OBLIGATION_PROVED) o->witness = known ? sizes_witness(&z) : NULL;
  safety_rests_on(s, o, assumption);
}

void safety_overflow(Safety *s) {
  Tops tops = {.count = 0};
  gather_tops(s, &tops);
  for (uint32_t i = 0; i < s->on->ex->ranges.count; i++) check_need(s, &s->on->ex->ranges.data[i], &tops);
}
