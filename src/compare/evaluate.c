/* Random evaluation of two outputs: sizes, scalars and inputs are made up, and both values computed at some elements.
 *
 * An element of a tensor is a hash of its place, so that inputs need no memory and indices no bound of memory. Sizes
 * are small, except that some launches meet the literals of the terms (block sizes). Both sides are sums of rounded
 * doubles: a difference counts only if it is far more than what a relative change of 1e-9 of the inputs does to either
 * side. In launches whose inputs are small whole numbers ties occur, and arithmetic is exact.
 *
 * An infinity is a value, as in IEEE: log(0) is none of the right's finite numbers. In doubles it may be an overflow,
 * or come from a difference that rounding made 0, and 1 / 0 has either sign; so it counts if several evaluations with a
 * jitter (term/eval.c) agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "compare/compare.h"
#include "compare/side.h"
#include "prove/equal.h"

enum {
  LAUNCHES = 36,
  ELEMENTS = 24,
  EQUAL_ELEMENTS = 6,
  MOST_READS_BEFORE = 400000,
  ATTEMPTS = 200,
  CONTENTS_ATTEMPTS = 40,
  USUAL_ATTEMPTS = 20, /* then scalars are of any sign */
  MOST_READS = 400000,
  LAST_READS = 100000000,
  LAST_ELEMENTS = 2,
  MOST_VARIABLES = 40,
  MOST_INPUTS = 12,
  MOST_LITERALS = 8,
  MOST_OF_ALL = 256,    /* a literal that all sizes are beyond at once */
  LARGE_BLOCK = 5000,   /* sizes of several of which are drawn where nothing is proved */
  MOST_LARGE = 1 << 17, /* of these */
  MOST_BLOCK = 1 << 20, /* of numbers that may be the length of a block */
  MOST_USES = 64,
  BLOCK_SHAPES = 3,
  BLOCK_LAUNCHES = 60,
  MOST_SPECIAL = 24,
  SPARE_READS = 8000000
};

/* SPECIAL: numbers at which something may change: 0, 1, -1, those of the terms. EQUAL: all elements are one of these,
 * or all near it, in some launches at the end. */
typedef enum Domain {
  DOMAIN_MIXED,
  DOMAIN_POSITIVE,
  DOMAIN_UNIT,
  DOMAIN_WHOLE,
  DOMAIN_SPECIAL,
  DOMAIN_COUNT,
  DOMAIN_EQUAL = DOMAIN_COUNT
} Domain; /* from WHOLE on they are as they are */

typedef struct Use { /* elements of `tensor` are places along an axis of this extent */
  Term tensor, extent;
} Use;

typedef struct Evaluation Evaluation;
struct Evaluation {
  Arena *arena, *scratch; /* scratch: what one launch needs, in the size of the table of terms */
  TermTable *tt;
  const CompareTensors *tensors;
  const CompareOutput *left, *right;
  const CompareAssumptions *assumptions;
  Random random;
  Term variables[MOST_VARIABLES];
  TermValue values[MOST_VARIABLES];
  uint32_t variable_count;
  int64_t literals[MOST_LITERALS];
  uint32_t literal_count;
  int64_t greatest_literal, greatest_size; /* that may be a block; of what was compared */
  double special[MOST_SPECIAL];
  uint32_t special_count;
  bool is_large;   /* blocks are large ones */
  bool only_draws; /* nothing is compared */
  int64_t block;   /* of elements that are of one size; 0: none */
  uint32_t shape;  /* 1 + how blocks compare, and which size has several (compare_blocks); 0: at random */
  double equal;    /* of DOMAIN_EQUAL */
  int beside;      /* 1: a little more than that, -1: a little less, or twice as much */
  uint64_t all_reads;
  Use uses[MOST_USES];
  uint32_t use_count;
  uint8_t *seen;
  TermList contents; /* what both sides rely on of elements */
  /* of the launch at hand */
  TermEval *eval;
  Domain domain;
  int64_t focus[POINTWISE_MAX_RANK]; /* of one element that is compared: places that inputs hold meet it */
  uint32_t focus_count;
  uint64_t seed, reads, most_reads, usual_reads; /* most_reads: usual_reads, but where a difference is held */
  bool bytes;                                    /* numbers of few bits are any: a rounding may differ at few of them */
  bool lengthens;                                /* lengths that conditions ask for are drawn as long as that */
  uint64_t spare_reads;   /* of all launches: to hold differences against rounding, which takes many evaluations */
  bool is_tame;           /* elements are positive, or 0 and 1 */
  double noise;           /* relative, of inputs */
  bool too_long, outside; /* outside: something was read beyond an extent */
  bool is_inexact;        /* there are constants that are no small fractions */
  ReportWitness *recording;
  TensorArray array,
      smaller;          /* the right on all indices, and of inputs a hundredth of these; data NULL: not computed */
  TensorArray kept;     /* the same without what leaves the types of its integers */
  double scale;         /* of the inputs */
  Evaluation *mirrored; /* with the left in the place of the right; NULL: not asked for in this launch */
};

/* ---- what has to be chosen ---- */

/* True if the condition speaks of the launch as a whole, and not of a program, a lane, or what is read. */
static bool is_over_launch(TermTable *tt, Term condition) {
  TermList symbols = {0};
  if (term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) return false;
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(tt, symbols.data[i])->role;
    if (role != SYMBOL_SIZE && role != SYMBOL_SCALAR && role != SYMBOL_GRID) return false;
  }
  return true;
}

static const PointwiseTensor *tensor_of(const Evaluation *v, Term symbol) {
  for (uint32_t i = 0; i < v->tensors->count; i++)
    if (v->tensors->data[i].symbol == symbol) return &v->tensors->data[i];
  return NULL;
}

static Term with_known_reads(TermTable *tt, Term t, void *payload) {
  const Evaluation *v = payload;
  const PointwiseTensor *tensor = term_kind(tt, t) == TERM_READ ? tensor_of(v, term_arg(tt, t, 0)) : NULL;
  bool known = tensor && tensor->rank + 1 == term_count(tt, t);
  return term_kind(tt, t) != TERM_READ || known ? t : term_undef(tt, term_sort(tt, t), 0);
}

/* True if it speaks of the launch and of what memory holds or unknown functions give, and of nothing else. */
static bool is_over_contents(Evaluation *v, Term condition) {
  TermList symbols = {0};
  uint32_t drawn = v->tensors->has_functions ? TERM_HAS_READ | TERM_HAS_OPAQUE : TERM_HAS_READ;
  if (!(term_node(v->tt, condition)->flags & drawn)) return false;
  if (term_node(v->tt, term_transform(v->tt, condition, with_known_reads, v))->flags &
      ((TERM_HAS_OPAQUE | TERM_HAS_UNDEF) & ~drawn))
    return false;
  term_symbols(v->tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(v->tt, symbols.data[i])->role;
    if (role != SYMBOL_SIZE && role != SYMBOL_SCALAR && role != SYMBOL_GRID && role != SYMBOL_TENSOR) return false;
  }
  return true;
}

static void add_symbols(Evaluation *v, Term t) {
  TermList symbols = {0};
  if (!t) return;
  term_symbols(v->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(v->tt, symbols.data[i]);
    bool known = s->role == SYMBOL_TENSOR || s->role == SYMBOL_INDEX;
    for (uint32_t k = 0; k < v->variable_count; k++) known |= v->variables[k] == symbols.data[i];
    if (!known && v->variable_count < MOST_VARIABLES) v->variables[v->variable_count++] = symbols.data[i];
  }
}

static void add_uses(Evaluation *v, Term index, Term extent) {
  TermTable *tt = v->tt;
  if (!extent || !(term_node(tt, index)->flags & TERM_HAS_READ)) return;
  if (term_kind(tt, index) == TERM_READ) {
    if (v->use_count < MOST_USES) v->uses[v->use_count++] = (Use){term_arg(tt, index, 0), extent};
    return;
  }
  for (uint32_t i = 0; i < term_count(tt, index); i++) add_uses(v, term_arg(tt, index, i), extent);
}

/* A number, and where it stands in x - 6 >= 0 or in x/3 - 1 >= 0; beyond a large one, which may be padding, and below a
 * small one, which may be an eps that guards a divisor. */
static void add_special(Evaluation *v, double value) {
  double size = fabs(value),
         beyond = size >= 1000  ? 2 * value
                  : size < 1e-3 ? value / 2
                                : NAN,
         inverse = size <= 1000 ? 1 / value : NAN;
  double around[] = {value, -value, inverse, beyond, -beyond};
  for (int i = 0; i < 5; i++) {
    bool known = !isfinite(around[i]) || fabs(around[i]) > 3e38 || fabs(around[i]) < 1e-30;
    for (uint32_t k = 0; k < v->special_count; k++) known |= v->special[k] == around[i];
    if (!known && v->special_count < MOST_SPECIAL) v->special[v->special_count++] = around[i];
  }
}

static void add_literal(Evaluation *v, int64_t n) {
  for (uint32_t i = 0; i < v->literal_count; i++)
    if (v->literals[i] == n) return;
  if (n > v->greatest_literal && n <= MOST_BLOCK) v->greatest_literal = n;
  if (n <= 8 || (n >= LARGE_BLOCK) != v->is_large || n > MOST_LARGE) return;
  if (v->literal_count < MOST_LITERALS) v->literals[v->literal_count++] = n;
}

/* Tensors that hold indices, and literals that look like block sizes. */
static void look_at(Evaluation *v, Term t) {
  TermTable *tt = v->tt;
  int64_t n;
  if (v->seen[t]) return;
  v->seen[t] = 1;
  if (term_is_rat(tt, t) && term_rat(tt, t).den > TERM_EXACT_DENOMINATOR) v->is_inexact = true;
  if (term_is_rat(tt, t)) add_special(v, rational_to_double(term_rat(tt, t)));
  if (term_is_int(tt, t, &n)) add_literal(v, n < 0 && n > INT64_MIN ? -n : n); /* i - 32 <= 0 too */
  if (term_kind(tt, t) == TERM_READ) {
    const PointwiseTensor *tensor = tensor_of(v, term_arg(tt, t, 0));
    for (uint32_t k = 1; tensor && k < term_count(tt, t) && k <= tensor->rank; k++)
      add_uses(v, term_arg(tt, t, k), tensor->extent[k - 1]);
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) look_at(v, term_arg(tt, t, i));
}

static void prepare(Evaluation *v) {
  const CompareOutput *sides[2] = {v->left, v->right};
  for (uint32_t i = 0; i < v->tensors->count; i++)
    for (uint32_t k = 0; k < v->tensors->data[i].rank; k++) add_symbols(v, v->tensors->data[i].extent[k]);
  for (int side = 0; side < 2; side++) {
    for (uint32_t k = 0; k < sides[side]->rank; k++) add_symbols(v, sides[side]->shape[k]);
    add_symbols(v, sides[side]->region);
    add_symbols(v, sides[side]->value);
  }
  for (uint32_t i = 0; i < v->assumptions->conditions.count; i++) {
    Term condition = v->assumptions->conditions.data[i];
    bool over_contents = is_over_contents(v, condition);
    if (over_contents) array_push(v->arena, &v->contents, condition);
    if (over_contents || is_over_launch(v->tt, condition)) add_symbols(v, condition);
  }
  for (uint32_t i = 0; i < v->assumptions->arithmetic.count; i++) add_symbols(v, v->assumptions->arithmetic.data[i]);
  for (uint32_t i = 0; i < v->assumptions->apart.count; i++)
    for (uint32_t k = 0; k < v->assumptions->apart.data[i].rank; k++) {
      add_symbols(v, v->assumptions->apart.data[i].extent[k]);
      add_symbols(v, v->assumptions->apart.data[i].stride[k]);
    }
  for (uint32_t i = 0; i < v->variable_count; i++) { /* the list grows by what ranges mention */
    add_symbols(v, term_symbol(v->tt, v->variables[i])->lo);
    add_symbols(v, term_symbol(v->tt, v->variables[i])->hi);
  }
  v->seen = arena_array(v->arena, uint8_t, v->tt->nodes.count + 1);
  v->special[v->special_count++] = 0;
  add_special(v, 1);
  add_special(v, 2);
  look_at(v, v->left->value);
  look_at(v, v->right->value);
  for (uint32_t i = 0; i < v->assumptions->conditions.count; i++) look_at(v, v->assumptions->conditions.data[i]);
}

/* ---- a launch ---- */

static uint32_t below(Evaluation *v, uint32_t n) { return (uint32_t)random_below(&v->random, n); }

static void set(Evaluation *v, uint32_t i, double real, int64_t integer) {
  v->values[i] = (TermValue){real, integer};
  term_eval_set(v->eval, v->variables[i], v->values[i]);
}

static void set_integer(Evaluation *v, uint32_t i, int64_t n) { set(v, i, (double)n, n); }

static int64_t draw_size(Evaluation *v, uint32_t launch, uint32_t place, bool is_grid) {
  static const int64_t distinct[] = {3, 5, 2, 7, 4, 6}, small[] = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16};
  if (launch == 0) return distinct[place % 6];
  if (v->shape)
    return place % v->variable_count == (v->shape - 1) / BLOCK_SHAPES % v->variable_count
               ? 3 * v->block + 1 + (int64_t)below(v, (uint32_t)v->block - 1)
               : 1 + below(v, 3);
  if (launch % 2 == 1 && v->literal_count) { /* one size at a literal or beyond, the others tiny; or all of them */
    uint32_t turn = launch / 2;
    int64_t literal = v->literals[(turn / 2) % v->literal_count];
    if (launch % 8 == 5 && !is_grid && literal <= MOST_OF_ALL) return literal + 1 + below(v, 3);
    if (place % v->variable_count == turn % v->variable_count)
      return literal * (1 + below(v, 3)) +
             (below(v, 2) ? (int64_t)below(v, 4) - 1 : (int64_t)below(v, (uint32_t)literal));
    return 1 + below(v, 3);
  }
  return small[below(v, 10)];
}

/* Numbers that what is assumed of scalars may ask for. */
static double draw_any(Evaluation *v) {
  static const double some[] = {-1, 1, 0, -0.5, 2, -2, 0.5, 3, -30, 30};
  return below(v, 3) ? some[below(v, sizeof some / sizeof *some)] : 4 * random_unit(&v->random) - 2;
}

static double draw_scalar(Evaluation *v, bool positive) {
  double u = random_unit(&v->random);
  switch (v->domain) {
  case DOMAIN_WHOLE: return 1 + below(v, 3);
  case DOMAIN_UNIT: return u;
  case DOMAIN_SPECIAL: {
    double value = v->special[below(v, v->special_count)];
    return below(v, 2) || (positive && value <= 0) ? u : value;
  }
  case DOMAIN_EQUAL: { /* all of them one special number, or its negation */
    double value = v->beside < 0 ? -v->equal : v->equal;
    return positive && value <= 0 ? u : value;
  }
  default: return below(v, 3) ? 0.05 + u : 2 * u;
  }
}

/* Equations of the assumptions (the least grid, ...) are solved for one variable, by their value at two points. */
static void solve(Evaluation *v, Term condition) {
  TermTable *tt = v->tt;
  if (term_kind(tt, condition) == TERM_AND)
    for (uint32_t i = 0; i < term_count(tt, condition); i++) solve(v, term_arg(tt, condition, i));
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return;
  Term t = term_arg(tt, condition, 0);
  if (!is_over_launch(tt, t) || !term_eval(v->eval, t).integer) return;
  for (uint32_t i = v->variable_count; i-- > 0;) {
    if (term_sort(tt, v->variables[i]) != SORT_INT || !term_has_symbol(tt, t, v->variables[i])) continue;
    int64_t old = v->values[i].integer;
    set_integer(v, i, 0);
    int64_t at0 = term_eval(v->eval, t).integer;
    set_integer(v, i, 1);
    int64_t slope = term_eval(v->eval, t).integer - at0;
    int64_t root = slope && -at0 % slope == 0 ? -at0 / slope : -1;
    if (root > 0) {
      set_integer(v, i, root);
      if (!term_eval(v->eval, t).integer) return;
    }
    set_integer(v, i, old);
  }
}

/* A length for which a condition such as h*w <= length fails is made as long as that asks for. */
static void lengthen(Evaluation *v, Term condition) {
  TermTable *tt = v->tt;
  bool bounds = term_kind(tt, condition) == TERM_LE && term_count(tt, condition) == 1 &&
                term_sort(tt, term_arg(tt, condition, 0)) == SORT_INT && is_over_launch(tt, condition);
  Term e = bounds ? term_arg(tt, condition, 0) : 0;
  int64_t missing = e ? term_eval(v->eval, e).integer : 0;
  for (uint32_t i = 0; missing > 0 && missing <= MOST_OF_ALL && i < v->variable_count; i++) {
    Term rest = term_add(tt, e, v->variables[i]);
    if (term_sort(tt, v->variables[i]) != SORT_INT || term_has_symbol(tt, rest, v->variables[i])) continue;
    set_integer(v, i, v->values[i].integer + missing);
    return;
  }
}

static bool in_range(Evaluation *v, uint32_t i) {
  const Symbol *s = term_symbol(v->tt, v->variables[i]);
  if (s->sort != SORT_INT) return true;
  if (s->lo && v->values[i].integer < term_eval(v->eval, s->lo).integer) return false;
  return !s->hi || v->values[i].integer <= term_eval(v->eval, s->hi).integer;
}

/* An argument that is no size, such as a position or a limit, may be 0 or less: all of them at once, then some. */
static int64_t draw_none(Evaluation *v, uint32_t launch, uint32_t i, int64_t usual) {
  const Symbol *s = term_symbol(v->tt, v->variables[i]);
  if (launch % 4 != 3 || s->role != SYMBOL_SIZE || (launch != 3 && below(v, 3))) return usual;
  int64_t none = -(int64_t)below(v, 3);
  if (!s->lo) return none;
  int64_t least = term_eval(v->eval, s->lo).integer;
  return least > 0 ? usual : none < least ? least : none;
}

static bool is_positive(const Evaluation *v, uint32_t i) {
  return (term_symbol(v->tt, v->variables[i])->axis & (SYMBOL_IS_POSITIVE | SYMBOL_IS_DRAWN_POSITIVE)) != 0;
}

/* Each axis steps over all elements of those with smaller strides. */
static bool is_apart(Evaluation *v, const PointwiseTensor *t) {
  int64_t step[POINTWISE_MAX_RANK], last[POINTWISE_MAX_RANK];
  uint32_t count = 0;
  for (uint32_t k = 0; k < t->rank; k++) {
    int64_t extent = term_eval(v->eval, t->extent[k]).integer;
    if (!t->stride[k] || extent < 1) return true;
    if (extent == 1) continue;
    int64_t stride = term_eval(v->eval, t->stride[k]).integer;
    uint32_t at = count++;
    for (stride = stride < 0 ? -stride : stride; at && step[at - 1] > stride; at--)
      step[at] = step[at - 1], last[at] = last[at - 1];
    step[at] = stride, last[at] = extent - 1;
  }
  int64_t most = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (step[k] <= most || step[k] > INT32_MAX || last[k] > INT32_MAX) return false;
    most += step[k] * last[k];
  }
  return true;
}

/* Strides that are arguments of their own are made as long as what they step over. */
static void keep_apart(Evaluation *v, const PointwiseTensor *t) {
  int64_t most = 0;
  for (uint32_t k = t->rank; k-- > 0;) { /* the longest comes first, as far as is known */
    int64_t extent = term_eval(v->eval, t->extent[k]).integer;
    for (uint32_t i = 0; i < v->variable_count && extent > 1 && most < INT32_MAX; i++)
      if (v->variables[i] == t->stride[k] && v->values[i].integer <= most)
        set_integer(v, i, most + 1 + (int64_t)below(v, 3));
    int64_t stride = t->stride[k] ? term_eval(v->eval, t->stride[k]).integer : 0;
    if (stride < 0 || stride > INT32_MAX || extent > INT32_MAX || most > INT32_MAX) return;
    most += extent > 1 ? stride * (extent - 1) : 0;
  }
}

static bool draw_launch(Evaluation *v, uint32_t launch) {
  for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
    guard_tick(v->arena->guard);
    for (uint32_t i = 0; i < v->variable_count; i++) {
      if (term_sort(v->tt, v->variables[i]) == SORT_REAL)
        set(v, i, attempt < USUAL_ATTEMPTS || is_positive(v, i) ? draw_scalar(v, is_positive(v, i)) : draw_any(v), 0);
      else {
        bool is_grid = term_symbol(v->tt, v->variables[i])->role == SYMBOL_GRID;
        int64_t n = attempt > 60 ? 1 + below(v, 3) : draw_size(v, launch, i + attempt, is_grid);
        set_integer(v, i, attempt < 8 ? draw_none(v, launch, i, n) : n);
      }
    }
    for (int pass = 0; pass < 3; pass++)
      for (uint32_t i = 0; i < v->assumptions->conditions.count; i++) solve(v, v->assumptions->conditions.data[i]);
    for (uint32_t i = 0; i < v->assumptions->conditions.count && v->lengthens; i++)
      lengthen(v, v->assumptions->conditions.data[i]);
    for (uint32_t i = 0; i < v->assumptions->apart.count; i++) keep_apart(v, &v->assumptions->apart.data[i]);
    bool good = true;
    for (uint32_t i = 0; i < v->variable_count && good; i++) good = in_range(v, i);
    for (uint32_t i = 0; i < v->assumptions->conditions.count && good; i++) {
      Term c = v->assumptions->conditions.data[i];
      if (is_over_launch(v->tt, c)) good = term_eval(v->eval, c).integer != 0;
    }
    for (uint32_t i = 0; i < v->assumptions->apart.count && good; i++)
      good = is_apart(v, &v->assumptions->apart.data[i]);
    if (good) return true;
  }
  return false;
}

/* ---- inputs ---- */

static double draw_special(const Evaluation *v, uint64_t h) {
  double value = v->special[(h >> 8) % v->special_count];
  return h & 3 ? value : value + (h & 128 ? 0.125 : -0.125);
}

static double draw_real(const Evaluation *v, uint64_t h) {
  double u = (double)(h >> 11) * 0x1p-53;
  if (v->is_tame) return 0.1 + 2 * u;
  switch (v->domain) {
  case DOMAIN_MIXED: return (h & 7) == 0 ? 8 * u - 4 : 3 * u - 1.5;
  case DOMAIN_POSITIVE: return 0.1 + 2 * u;
  case DOMAIN_UNIT: return 0.01 + 0.98 * u;
  case DOMAIN_WHOLE: return (double)(int64_t)(h % 4) - 1;
  case DOMAIN_SPECIAL: return draw_special(v, h);
  case DOMAIN_EQUAL:
    return v->beside < 0 && (h & 3072) == 0 ? 2 * v->equal : v->equal + (h & 256 ? 0.125 : 0.0078125) * v->beside;
  }
  return u;
}

/* An element that is no place: at the ends of its type too, where sums wrap. */
static int64_t draw_edge(const PointwiseTensor *t, uint64_t h) {
  int width = t ? atoi(t->dtype + 1) : 0;
  if (width < 2 || width > 64) width = 32;
  int64_t greatest = (int64_t)(((uint64_t)1 << (width - 1)) - 1), least = -greatest - 1;
  const int64_t edges[] = {0,         1,
                           -1,        2,
                           7,         8,
                           -8,        greatest,
                           least,     greatest - 1,
                           least + 1, greatest / 2 + 1,
                           least / 2, (int64_t)sqrt((double)greatest) + 1};
  return edges[(h >> 8) % (sizeof edges / sizeof *edges)];
}

/* A place that is an index of the element in focus, or some blocks from it: `column == label` is met nowhere else.
 * `limit` 0: there is none. */
static int64_t draw_near(const Evaluation *v, int64_t limit, uint64_t h) {
  int64_t place =
      v->focus[h >> 8 & 1 ? v->focus_count - 1 : (h >> 9) % v->focus_count]; /* the last axis is the longest, mostly */
  int64_t block = v->block ? v->block : v->literal_count ? v->literals[0] : 0;
  if (block && (h >> 41 & 1)) place %= block;
  if (block && (h >> 41 & 3) == 3) place += block * (int64_t)((h >> 43) % (uint64_t)(limit / block + 1));
  return !limit || place < limit ? place : (int64_t)(h % (uint64_t)limit);
}

/* A number that the formulas name, as `a == 32` does, or one beside it. */
static bool draw_named(const Evaluation *v, uint64_t h, int64_t *out) {
  bool special = v->domain == DOMAIN_SPECIAL && (h & 0x30) == 0, equal = v->domain == DOMAIN_EQUAL && (h & 0x30) != 0;
  double value = special ? v->special[(h >> 8) % v->special_count] : v->equal;
  if ((!special && !equal) || value != floor(value) || fabs(value) > 0x1p31) return false;
  *out = (int64_t)value + (special ? (int64_t)(h >> 44 & 3) % 3 - 1 : v->beside);
  return true;
}

static int64_t draw_place(Evaluation *v, const PointwiseTensor *t, uint64_t h) {
  int64_t limit = 0, named;
  if (v->is_tame) return (int64_t)(h & 1);
  for (uint32_t i = 0; i < v->use_count; i++) {
    if (v->uses[i].tensor != t->symbol) continue;
    int64_t extent = term_eval(v->eval, v->uses[i].extent).integer;
    if (!limit || extent < limit) limit = extent;
  }
  if (limit > 0) return v->focus_count && (h >> 40 & 1) ? draw_near(v, limit, h) : (int64_t)(h % (uint64_t)limit);
  if (!strcmp(t->dtype, "i1")) return (int64_t)(h & 1);
  if (draw_named(v, h, &named)) return named;
  bool is_small = t->dtype[0] == 'u' && atoi(t->dtype + 1) <= 16;
  if (is_small && v->bytes) return (int64_t)(h >> 8 & UINT16_MAX);
  if (v->focus_count && v->domain < DOMAIN_SPECIAL && !v->is_large && (h >> 40 & 1)) return draw_near(v, 0, h);
  bool wraps = is_small || (!v->left->expression && !v->right->expression) || /* those of formulas have no width */
               (v->right->whole_limit > 0 && atoi(t->dtype + 1) <= 32);
  if (wraps && v->domain == DOMAIN_SPECIAL) return draw_edge(t, h);
  if (wraps && v->domain == DOMAIN_EQUAL) return draw_edge(t, v->seed);
  if (is_small && (h & 2)) return (int64_t)(h >> 8 & UINT16_MAX);
  return (h & 1) ? (int64_t)(h >> 8 & 1) : (int64_t)(h >> 8 & 15) - 8;
}

/* A number of the tensor's type, whose low bits it has. */
static int64_t of_type(const PointwiseTensor *t, int64_t value) {
  int width = atoi(t->dtype + 1);
  bool has_sign = t->dtype[0] == 'i';
  if (!has_sign && t->dtype[0] != 'u') return value;
  if (width < 2 || width >= 64) return has_sign ? value : value & INT64_MAX;
  int64_t low = value & (((int64_t)1 << width) - 1);
  return has_sign && low >> (width - 1) ? low - ((int64_t)1 << width) : low;
}

static const char *number_text(const Evaluation *v, TermSort sort, TermValue value) {
  return sort == SORT_REAL ? arena_format(v->arena, "%.17g", value.real)
                           : arena_format(v->arena, "%lld", (long long)value.integer);
}

static void record(Evaluation *v, const char *name, const char *value) {
  for (uint32_t i = 0; i < v->recording->inputs.count; i++)
    if (!strcmp(v->recording->inputs.data[i].name, name)) return;
  if (v->recording->inputs.count > MOST_INPUTS) return;
  bool full = v->recording->inputs.count == MOST_INPUTS;
  array_push(v->arena, &v->recording->inputs, (ReportPair){full ? "..." : name, full ? "" : value});
}

static const char *element_text(const Evaluation *v, Term tensor, uint32_t count, const int64_t *index) {
  Text name = text_new(v->arena);
  text_add(&name, term_name(v->tt, tensor));
  for (uint32_t k = 0; k < count; k++) text_format(&name, "%s%lld", k ? ", " : "[", (long long)index[k]);
  if (count) text_char(&name, ']');
  return text_string(&name);
}

/* The number of the element's type next to it: a witness must be one that the tensor holds. */
static double in_format(const char *dtype, double value) {
  static const struct {
    const char *name;
    int bits, least;
    double most;
  } formats[] = {{"f32", 24, -149, 0x1.fffffep127}, {"f16", 11, -24, 65504}, {"bf16", 8, -133, 0x1.fep127}};
  for (size_t i = 0; dtype && value != 0 && i < sizeof formats / sizeof *formats; i++) {
    if (strcmp(dtype, formats[i].name)) continue;
    int exponent;
    frexp(value, &exponent);
    int place = exponent - formats[i].bits > formats[i].least ? exponent - formats[i].bits : formats[i].least;
    double near = ldexp(nearbyint(ldexp(value, -place)), place);
    return fmax(-formats[i].most, fmin(near, formats[i].most));
  }
  return value;
}

/* Of the blocks in their order: the last is the greatest, the first, or the first and then the last. */
static double loudness_of_shape(const Evaluation *v, uint32_t count, const int64_t *index) {
  int64_t blocks = 0;
  for (uint32_t k = 0; k < count; k++) blocks += index[k] / v->block;
  switch ((v->shape - 1) % BLOCK_SHAPES) {
  case 0: return 0.25 * (double)(1 + (blocks < 5 ? blocks : 5));
  case 1: return 1.5 / (double)(1 + blocks);
  default: return blocks == 0 ? 1.5 : blocks == 1 ? 0.125 : 0.5;
  }
}

/* Blocks of unlike size in some launches: what an iteration forgets of an earlier one is seen where the greatest
 * element of all is not in the last block, nor the order of the blocks theirs. 1: nothing is changed. */
static double loudness(const Evaluation *v, uint32_t count, const int64_t *index) {
  static const double some[] = {1, 0.125, 0.5, 1.5};
  if (!v->block || v->domain >= DOMAIN_WHOLE) return 1;
  if (v->shape) return loudness_of_shape(v, count, index);
  uint64_t place = 0;
  for (uint32_t k = 0; k < count; k++) place = place * 31 + (uint64_t)(index[k] / v->block);
  return some[random_mix(v->seed ^ (place + 1) * 0x9E3779B97F4A7C15u) >> 62];
}

/* The coordinates of a place in memory, which is what assumed arithmetic reads, in a tensor of several axes. */
static void to_coordinates(const Evaluation *v, const PointwiseTensor *t, int64_t place, int64_t *index) {
  for (uint32_t k = t->rank; k-- > 0;) {
    int64_t extent = k && t->extent[k] ? term_eval(v->eval, t->extent[k]).integer : 0;
    index[k] = extent > 0 ? place % extent : place, place = extent > 0 ? place / extent : 0;
  }
}

static TermValue read_element(void *payload, Term symbol, uint32_t count, const int64_t *index) {
  Evaluation *v = payload;
  const PointwiseTensor *t = tensor_of(v, symbol);
  uint64_t h = random_mix(v->seed + 0x9E3779B97F4A7C15u * (1 + (uint64_t)term_aux(v->tt, symbol)));
  if (++v->reads > v->most_reads) v->too_long = true;
  if (v->too_long) return term_eval_stop(v->eval), (TermValue){.real = NAN};
  int64_t coordinates[POINTWISE_MAX_RANK];
  if (t && count == 1 && t->rank > 1 && pairing_is_contiguous(v->tt, t)) {
    to_coordinates(v, t, index[0], coordinates);
    index = coordinates, count = t->rank;
  }
  for (uint32_t k = 0; k < count; k++) { /* without t the left does not read it, and its extent is not known */
    if (index[k] < 0 || (t && t->extent[k] && index[k] >= term_eval(v->eval, t->extent[k]).integer))
      return v->outside = true, (TermValue){.real = NAN, .integer = INT32_MIN};
    h = random_mix(h * 31 + (uint64_t)index[k] + 1);
  }
  TermValue value = {0};
  bool real = term_symbol(v->tt, symbol)->sort == SORT_REAL;
  if (real)
    value.real = in_format(t ? t->dtype : NULL, v->scale * loudness(v, count, index) * draw_real(v, h));
  else
    value.integer = t ? of_type(t, draw_place(v, t, h)) : draw_edge(NULL, h), value.real = (double)value.integer;
  if (v->recording)
    record(v, element_text(v, symbol, count, index), number_text(v, term_symbol(v->tt, symbol)->sort, value));
  if (v->noise != 0 && real) value.real *= 1 + v->noise * ((double)(random_mix(h ^ 0x5555) >> 11) * 0x1p-52 - 1);
  return value;
}

/* A function that is not known is another one in each launch: small numbers that no integer type is too narrow for. Of
 * real arguments it is smooth, so that rounding does not decide. */
static TermValue call_function(void *payload, Term call, uint32_t count, const TermValue *args) {
  Evaluation *v = payload;
  TermSort sort = term_sort(v->tt, call);
  const char *name = intern_string(v->tt->names, term_aux(v->tt, call));
  uint64_t h = random_mix(v->seed + 0x9E3779B97F4A7C15u * (1 + (uint64_t)term_aux(v->tt, call)));
  double slopes = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool is_real = term_sort(v->tt, term_arg(v->tt, call, k)) == SORT_REAL;
    double slope = (double)(random_mix(v->seed + h * 31 + k) >> 11) * 0x1p-53 - 0.25;
    if (is_real && isfinite(args[k].real)) slopes += slope * args[k].real / (1 + fabs(args[k].real));
    if (!is_real) h = random_mix(h * 31 + (uint64_t)args[k].integer + 1);
  }
  double real = 0.1 + 2 * ((double)(h >> 11) * 0x1p-53) + slopes;
  int64_t whole = sort == SORT_BOOL ? (int64_t)(h & 1) : (int64_t)(h >> 8 & 7) + (int64_t)fabs(8 * slopes);
  TermValue value = sort == SORT_REAL ? (TermValue){.real = real} : (TermValue){(double)whole, whole};
  if (v->recording) {
    Text text = text_new(v->arena);
    text_format(&text, "%s(", name);
    for (uint32_t k = 0; k < count; k++)
      text_format(&text, "%s%s", k ? ", " : "", number_text(v, term_sort(v->tt, term_arg(v->tt, call, k)), args[k]));
    text_char(&text, ')');
    record(v, text_string(&text), number_text(v, sort, value));
  }
  return value;
}

static TermEval *new_eval(Evaluation *v) {
  TermEval *eval = term_eval_new(v->tt, v->scratch, read_element, v);
  if (v->tensors->has_functions) term_eval_functions(eval, call_function);
  for (uint32_t i = 0; v->eval && i < v->variable_count; i++) term_eval_set(eval, v->variables[i], v->values[i]);
  return eval;
}

/* ---- elements ---- */

static void set_index(TermEval *eval, const CompareOutput *output, const int64_t *index) {
  for (uint32_t k = 0; k < output->rank; k++)
    term_eval_set(eval, output->index[k], (TermValue){(double)index[k], index[k]});
}

/* How far the value moves when rounded results are a little off, and inputs too; of decisions and roots it may be much.
 * Inputs at which something is to happen stay what they are. */
static double spread(Evaluation *v, Term t, const int64_t *index, TermValue value) {
  double most = 0;
  bool moved = false;
  TermEval *before = v->eval;
  for (int i = v->domain >= DOMAIN_WHOLE ? 4 : 0; i < 8; i++) {
    if (i < 4) v->noise = (i & 1 ? -1e-9 : 1e-9) * (1 + i / 2);
    v->eval = new_eval(v);
    if (i >= 4) term_eval_jitter(v->eval, (uint64_t)i);
    set_index(v->eval, v->left, index);
    TermValue other = term_eval(v->eval, t);
    moved |= term_eval_is_undefined(v->eval);
    v->eval = before, v->noise = 0;
    if (isfinite(other.real) != isfinite(value.real) || other.integer != value.integer)
      moved = true;
    else if (isfinite(other.real))
      most = fmax(most, fabs(other.real - value.real));
  }
  return moved ? INFINITY : most;
}

/* How far the value moves when constants are off by what a literal of f32 is. */
static double blur(Evaluation *v, Term t, const int64_t *index, TermValue value) {
  enum { TIMES = 8 };
  double most = 0;
  TermEval *before = v->eval;
  for (uint64_t i = 1; i <= TIMES; i++) {
    v->eval = new_eval(v);
    term_eval_blur(v->eval, i);
    set_index(v->eval, v->left, index);
    TermValue other = term_eval(v->eval, t);
    v->eval = before;
    if (isfinite(other.real) != isfinite(value.real)) return INFINITY;
    if (isfinite(other.real)) most = fmax(most, fabs(other.real - value.real));
  }
  return most;
}

typedef enum Kind { KIND_FINITE, KIND_INFINITE, KIND_NEGATIVE_INFINITE, KIND_UNDEFINED } Kind;

static Kind kind_of(double value) {
  return isnan(value)      ? KIND_UNDEFINED
         : isfinite(value) ? KIND_FINITE
         : value > 0       ? KIND_INFINITE
                           : KIND_NEGATIVE_INFINITE;
}

/* One side is an infinity and the other is not, or the other one, whatever rounding does. Where the left is an
 * infinity, the right may be undefined. */
static bool is_infinitely_different(Evaluation *v, const int64_t *index) {
  enum { TIMES = 24 };
  uint32_t kinds[2] = {0};
  TermEval *before = v->eval;
  bool is_undefined = false;
  for (uint64_t i = 1; i <= TIMES; i++) {
    v->eval = new_eval(v);
    term_eval_jitter(v->eval, i);
    set_index(v->eval, v->left, index);
    kinds[0] |= 1u << kind_of(term_eval(v->eval, v->left->value).real),
        kinds[1] |= 1u << kind_of(term_eval(v->eval, v->right->value).real);
    is_undefined |= term_eval_is_undefined(v->eval);
    v->eval = before;
  }
  uint32_t finite = 1u << KIND_FINITE, infinite = 1u << KIND_INFINITE | 1u << KIND_NEGATIVE_INFINITE,
           undefined = 1u << KIND_UNDEFINED;
  if (is_undefined || v->too_long) return false;
  if (!(kinds[0] & ~infinite))
    return kinds[1] == finite || (!(kinds[0] & (kinds[0] - 1)) && !(kinds[1] & (kinds[1] - 1)) &&
                                  !(kinds[1] & ~infinite) && kinds[0] != kinds[1]);
  return kinds[0] == finite && !(kinds[1] & ~(infinite | undefined));
}

/* True if rounding decides, as in floor(i/3 + 1/3) at 5. */
static bool is_at_a_jump(Evaluation *v, Term t, const int64_t *index, TermValue value) {
  enum { TIMES = 24 };
  bool moved = isinf(spread(v, t, index, value));
  TermEval *before = v->eval;
  for (uint64_t i = 8; i < 8 + TIMES && !moved; i++) {
    v->eval = new_eval(v);
    term_eval_jitter(v->eval, i);
    set_index(v->eval, v->left, index);
    TermValue other = term_eval(v->eval, t);
    moved = term_eval_is_undefined(v->eval) || other.integer != value.integer;
    v->eval = before;
  }
  return moved;
}

/* Of integers and truth values. */
static bool is_different_whole(Evaluation *v, const int64_t *index, TermValue a, TermValue b, bool undefined) {
  if (isnan(a.real)) return false; /* not defined */
  if (!isfinite(a.real)) return !undefined && isfinite(b.real);
  if (!undefined && isfinite(b.real) && a.integer == b.integer) return false;
  return !is_at_a_jump(v, v->left->value, index, a) &&
         (undefined || !isfinite(b.real) || !is_at_a_jump(v, v->right->value, index, b));
}

/* Constants of both sides are one by now, as far as they could be; what is left of 2 ulp of f32 is excused. */
static bool is_more_than_rounding(Evaluation *v, const int64_t *index, TermValue a, TermValue b, double d) {
  double room = 10 * (spread(v, v->left->value, index, a) + spread(v, v->right->value, index, b));
  if (v->is_inexact) room += 3 * (blur(v, v->left->value, index, a) + blur(v, v->right->value, index, b));
  return isfinite(room) && !(d <= room);
}

static bool is_different(Evaluation *v, const int64_t *index, TermValue a, TermValue b, bool undefined,
                         double *difference) {
  TermTable *tt = v->tt;
  *difference = 0;
  bool whole = term_sort(tt, v->left->value) != SORT_REAL && term_sort(tt, v->right->value) != SORT_REAL;
  if (whole) return is_different_whole(v, index, a, b, undefined);
  if ((a.real == b.real && !undefined) || isnan(a.real) || (isfinite(a.real) && fabs(a.real) > 1e100))
    return false; /* not defined, or an overflow */
  if (!isfinite(a.real)) return is_infinitely_different(v, index);
  if (undefined) return isfinite(spread(v, v->left->value, index, a));
  double scale = fmax(fabs(a.real), fabs(b.real)), d = fabs(a.real - b.real), least = v->is_inexact ? 1e-6 : 1e-9;
  if (isfinite(b.real)) {
    *difference = d / scale;
    if (d <= least * scale || d <= 1e-10) return false; /* inputs are about 1: less may be cancellation */
    if (v->domain == DOMAIN_WHOLE && !v->is_inexact) return d > least * fmax(1, scale);
  }
  if (!isfinite(b.real) && !is_infinitely_different(v, index)) return false;
  return is_more_than_rounding(v, index, a, b, d);
}

static void push_number(Evaluation *v, void *list, const char *name, TermSort sort, TermValue value) {
  Array(ReportPair) *pairs = list;
  const char *text = sort == SORT_REAL ? arena_format(v->arena, "%.17g", value.real)
                                       : arena_format(v->arena, "%lld", (long long)value.integer);
  array_push(v->arena, pairs, (ReportPair){name, text});
}

static const char *value_text(Evaluation *v, Term t, TermValue value) {
  if (!t) return "nothing";
  if (term_sort(v->tt, t) == SORT_REAL) return arena_format(v->arena, "%.17g", value.real);
  return arena_format(v->arena, "%lld", (long long)value.integer);
}

static ReportWitness *make_witness(Evaluation *v, const int64_t *index) {
  ReportWitness *w = arena_new(v->arena, ReportWitness);
  for (uint32_t i = 0; i < v->variable_count; i++) {
    TermSort sort = term_sort(v->tt, v->variables[i]);
    if (sort == SORT_REAL)
      push_number(v, &w->scalars, term_name(v->tt, v->variables[i]), sort, v->values[i]);
    else
      push_number(v, &w->sizes, term_name(v->tt, v->variables[i]), sort, v->values[i]);
  }
  for (uint32_t k = 0; index && k < v->left->rank; k++)
    push_number(v, &w->index, term_axis_letter(k), SORT_INT, (TermValue){(double)index[k], index[k]});
  return w;
}

/* Evaluates both again with the inputs that matter listed. */
static void witness_value(Evaluation *v, const int64_t *index, bool undefined, CompareSample *out) {
  ReportWitness *w = make_witness(v, index);
  TermEval *before = v->eval;
  v->recording = w;
  v->eval = new_eval(v);
  set_index(v->eval, v->left, index);
  TermValue a = term_eval(v->eval, v->left->value), b = term_eval(v->eval, v->right->value);
  v->eval = before, v->recording = NULL;
  if (undefined) b.real = NAN;
  w->left = value_text(v, v->left->value, a), w->right = undefined ? "nan" : value_text(v, v->right->value, b);
  out->witness = w, out->left = w->left, out->right = w->right;
}

/* ---- the right's expression on whole arrays ---- */

/* The constructors of terms lose where sqrt(x)**2 or 0*log(x) are not defined; the expression, computed as it is
 * written, does not. So the right is not defined where this gives no number. */

static TensorArray give_array(void *payload, Term symbol) {
  Evaluation *v = payload;
  const PointwiseTensor *t = tensor_of(v, symbol);
  TensorArray a = {.rank = t ? t->rank : 0};
  int64_t total = 1, index[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < a.rank; k++) total *= a.shape[k] = term_eval(v->eval, t->extent[k]).integer;
  a.data = arena_array(v->arena, double, (size_t)(total > 0 ? total : 0) + 1);
  for (int64_t i = 0; i < total; i++) {
    int64_t rest = i;
    for (uint32_t k = a.rank; k-- > 0; rest /= a.shape[k]) index[k] = rest % a.shape[k];
    a.data[i] = read_element(v, symbol, a.rank, index).real;
  }
  return a;
}

static double give_scalar(void *payload, Term symbol) { return term_eval(((Evaluation *)payload)->eval, symbol).real; }

/* How many elements the arrays of an expression have at most. */
static double weight(Evaluation *v, const TensorExpr *e, uint32_t depth) {
  double own = 1, most = 0;
  for (uint32_t k = 0; k < e->rank; k++) {
    int64_t length = term_eval(v->eval, e->shape[k]).integer;
    own = length < 0 || isinf(own) ? INFINITY : own * (double)length; /* it cannot be computed */
  }
  for (uint32_t i = 0; i < e->count && depth; i++) most = fmax(most, weight(v, e->args[i], depth - 1));
  return fmax(own, most);
}

static void evaluate_right(Evaluation *v) {
  const TensorExpr *e = v->right->expression;
  v->array.data = NULL;
  if (!e || e->size > 400 || weight(v, e, 12) > 4000) return;
  TensorEnvironment environment = {.payload = v, .input = give_array, .scalar = give_scalar};
  TermEval *before = v->eval; /* which may not be stopped by what is read here */
  v->eval = new_eval(v);
  v->array = tensor_eval(v->tt, v->arena, e, &environment);
  double largest = 1;
  for (uint32_t i = 0; v->domain >= DOMAIN_SPECIAL && i < v->special_count; i++)
    largest = fmax(largest, fabs(v->special[i]));
  v->scale = 0.01 / largest;
  v->smaller = tensor_eval(v->tt, v->arena, e, &environment);
  v->scale = 1;
  environment.whole_limit = v->right->whole_limit;
  v->kept = environment.whole_limit > 0 ? tensor_eval(v->tt, v->arena, e, &environment) : v->array;
  if (v->too_long) v->array.data = NULL; /* not all of it was read */
  v->eval = before, v->reads = 0, v->too_long = false;
}

/* The element of the right's arrays; -1: it was not computed. */
static int64_t element_of_right(const Evaluation *v, const int64_t *index) {
  int64_t flat = 0;
  if (!v->array.data || v->array.rank != v->left->rank) return -1;
  for (uint32_t k = 0; k < v->array.rank; k++) {
    if (index[k] >= v->array.shape[k]) return -1;
    flat = flat * v->array.shape[k] + index[k];
  }
  return flat;
}

static bool is_undefined_right(const Evaluation *v, const int64_t *index) {
  int64_t i = element_of_right(v, index);
  return i >= 0 && isnan(v->array.data[i]) && isnan(v->smaller.data[i]); /* an overflow goes with the size */
}

/* Integers in memory are small numbers, of which sums and products fit every type. */
static bool has_small_integers(const Evaluation *v) { return v->domain < DOMAIN_SPECIAL && !v->is_large; }

/* True if the integers of the reference are seen to stay inside their types, as is assumed. */
static bool meets_types(const Evaluation *v, const int64_t *index) {
  if (!(v->right->whole_limit > 0)) return true;
  int64_t i = element_of_right(v, index);
  return i >= 0 ? !isnan(v->kept.data[i]) || isnan(v->array.data[i]) : has_small_integers(v);
}

/* True if the arithmetic that is assumed to stay inside its types does so. */
static bool meets_arithmetic(Evaluation *v) {
  uint64_t reads = v->reads;
  bool good = !v->assumptions->has_more_arithmetic || has_small_integers(v);
  v->reads = 0;
  for (uint32_t i = 0; i < v->assumptions->arithmetic.count && good; i++) {
    v->outside = v->too_long = false;
    good = term_eval(v->eval, v->assumptions->arithmetic.data[i]).integer && !v->outside && !v->too_long;
  }
  v->reads = reads, v->outside = v->too_long = false;
  return good;
}

/* 0 / x is 0 and i // 0 some number in terms: where the left as it is written has no value, nothing is claimed. */
static bool is_undefined_left(Evaluation *v, const int64_t *index) {
  if (!v->mirrored) {
    v->mirrored = arena_new(v->scratch, Evaluation);
    *v->mirrored = *v, v->mirrored->arena = v->scratch, v->mirrored->right = v->left;
    evaluate_right(v->mirrored);
  }
  return is_undefined_right(v->mirrored, index);
}

/* One element; false: it differs. */
static bool compare_element(Evaluation *v, const int64_t *index, CompareSample *out) {
  set_index(v->eval, v->left, index);
  for (uint32_t i = 0; i < v->left->defined.count; i++)
    if (!term_eval(v->eval, v->left->defined.data[i]).integer) return true;
  bool in_left = term_eval(v->eval, v->left->region).integer, in_right = term_eval(v->eval, v->right->region).integer;
  double difference;
  if (in_left != in_right) {
    ReportWitness *w = make_witness(v, index);
    w->left = in_left ? "written" : "not written", w->right = in_right ? "written" : "not written";
    *out = (CompareSample){.differs = true,
                           .difference = COMPARE_REGION,
                           .left = w->left,
                           .right = w->right,
                           .witness = w,
                           .launches = out->launches};
    return false;
  }
  if (!in_left || !v->left->value || !v->right->value) return true;
  v->outside = false;
  TermValue a = term_eval(v->eval, v->left->value);
  bool outside = v->outside;
  TermValue b = term_eval(v->eval, v->right->value);
  if (v->too_long) return true;
  outside = !outside && v->outside &&
            term_sort(v->tt, v->left->value) != SORT_REAL; /* a place among elements that are not there; NaN is seen */
  bool undefined = is_undefined_right(v, index) || outside;
  uint64_t reads = v->reads;
  v->most_reads = v->usual_reads + v->spare_reads;
  bool differs = is_different(v, index, a, b, undefined, &difference) && !v->too_long;
  uint64_t used = v->reads - reads;
  v->spare_reads -= used < v->spare_reads ? used : v->spare_reads;
  v->reads = reads, v->most_reads = v->usual_reads, v->too_long = false;
  if (differs) {
    if (is_undefined_left(v, index) || !meets_types(v, index) || !meets_arithmetic(v)) return true;
    out->differs = true, out->difference = COMPARE_VALUE;
    v->reads = 0;
    witness_value(v, index, undefined, out);
    return false;
  }
  bool whole = term_sort(v->tt, v->left->value) != SORT_REAL;
  if (!whole && !isfinite(a.real)) return true;
  out->elements++;
  out->worst = fmax(out->worst, difference);
  return true;
}

static bool compare_shapes(Evaluation *v, CompareSample *out, int64_t *shape) {
  for (uint32_t k = 0; k < v->left->rank; k++) {
    int64_t a = term_eval(v->eval, v->left->shape[k]).integer, b = term_eval(v->eval, v->right->shape[k]).integer;
    shape[k] = a;
    if (a == b) continue;
    ReportWitness *w = make_witness(v, NULL);
    w->left = arena_format(v->arena, "length %lld", (long long)a),
    w->right = arena_format(v->arena, "length %lld", (long long)b);
    *out =
        (CompareSample){.differs = true, .difference = COMPARE_SHAPE, .left = w->left, .right = w->right, .witness = w};
    return false;
  }
  return true;
}

static bool meets_contents(Evaluation *v) {
  for (uint32_t i = 0; i < v->contents.count; i++) {
    v->outside = false;
    if (!term_eval(v->eval, v->contents.data[i]).integer || v->outside || v->too_long) return false;
  }
  return true;
}

/* Elements that both sides rely on; false: none were found. */
static bool draw_contents(Evaluation *v) {
  for (uint32_t attempt = 0; attempt < CONTENTS_ATTEMPTS && v->contents.count; attempt++) {
    bool good = meets_contents(v);
    v->reads = 0, v->too_long = v->outside = false;
    if (good) return true;
    v->is_tame = attempt >= CONTENTS_ATTEMPTS / 2;
    v->seed = random_u64(&v->random), v->eval = new_eval(v);
  }
  return !v->contents.count;
}

static bool compare_launch(Evaluation *v, CompareSample *out) {
  int64_t shape[POINTWISE_MAX_RANK], index[POINTWISE_MAX_RANK], total = 1;
  v->focus_count = 0;
  if (!compare_shapes(v, out, shape)) return false;
  for (uint32_t k = 0; k < v->left->rank; k++)
    v->focus[k] = shape[k] > 0 ? (int64_t)random_below(&v->random, (uint64_t)shape[k]) : 0;
  v->focus_count = v->left->rank;
  if (!draw_contents(v)) return true;
  out->drawn++;
  evaluate_right(v);
  for (uint32_t k = 0; k < v->left->rank; k++)
    total = shape[k] > 0 && total < 1 << 28 ? total * shape[k] : shape[k] > 0 ? total : 0;
  uint32_t most = v->most_reads == LAST_READS ? LAST_ELEMENTS : v->domain == DOMAIN_EQUAL ? EQUAL_ELEMENTS : ELEMENTS;
  for (uint32_t n = 0; n < most && n < (uint64_t)total && !v->too_long; n++) {
    guard_tick(v->arena->guard);
    for (uint32_t k = 0; k < v->left->rank; k++) {
      uint32_t mode = n < 2 ? n : below(v, 4);
      index[k] = n == 2      ? v->focus[k]
                 : mode == 0 ? 0
                 : mode == 1 ? shape[k] - 1
                             : (int64_t)random_below(&v->random, (uint64_t)shape[k]);
    }
    if (!compare_element(v, index, out)) return false;
  }
  return true;
}

/* The same term, made of the same expression: no element tells them apart, and all that is asked is that some launch
 * meets the assumptions. */
static bool is_one(const Evaluation *v) {
  const CompareOutput *a = v->left, *b = v->right;
  if (!a->value || a->value != b->value || a->region != b->region || a->rank != b->rank) return false;
  for (uint32_t k = 0; k < a->rank; k++)
    if (a->shape[k] != b->shape[k]) return false;
  return !b->expression || (a->expression && tensor_equal(v->tt, a->expression, b->expression));
}

/* One launch; false: the sides differ. */
static bool run_launch(Evaluation *v, uint32_t launch, ArenaMark empty, CompareSample *out) {
  arena_reset(v->scratch, empty);
  v->seed = random_u64(&v->random);
  v->eval = NULL, v->mirrored = NULL, v->reads = 0, v->too_long = false;
  v->eval = new_eval(v);
  if (!draw_launch(v, launch)) return true;
  v->eval = new_eval(v), v->is_tame = false;
  if (v->only_draws) {
    v->focus_count = 0;
    out->drawn += draw_contents(v);
    return true;
  }
  uint32_t before = out->elements;
  if (!compare_launch(v, out)) return false;
  out->launches += out->elements > before;
  for (uint32_t i = 0; i < v->variable_count && out->elements > before; i++)
    if (term_sort(v->tt, v->variables[i]) == SORT_INT && v->values[i].integer > v->greatest_size)
      v->greatest_size = v->values[i].integer;
  v->all_reads += v->reads;
  return true;
}

/* Each size in turn of more than three blocks, for each literal that may be the length of one. */
static void compare_blocks(Evaluation *v, ArenaMark empty, CompareSample *out) {
  uint32_t shapes = BLOCK_SHAPES * v->variable_count, count = shapes * v->literal_count;
  uint64_t most = v->all_reads + (v->is_large ? SPARE_READS : MOST_READS_BEFORE);
  for (uint32_t n = 0; n < count && n < BLOCK_LAUNCHES && v->all_reads < most; n++) {
    v->block = v->literals[n / shapes], v->shape = 1 + n % shapes;
    v->domain = n % 2 ? DOMAIN_POSITIVE : DOMAIN_MIXED;
    if (term_sort(v->tt, v->variables[n % shapes / BLOCK_SHAPES]) == SORT_REAL) continue;
    if (!run_launch(v, LAUNCHES + 1, empty, out)) return;
  }
}

static Evaluation begin(Arena *arena, TermTable *tt, const CompareTensors *tensors, const CompareOutput *left,
                        const CompareOutput *right, const CompareAssumptions *assumptions) {
  uint64_t most = tensors->most_reads ? tensors->most_reads : MOST_READS;
  return (Evaluation){.arena = arena,
                      .scratch = arena_new_child(arena),
                      .tt = tt,
                      .tensors = tensors,
                      .left = left,
                      .right = right,
                      .assumptions = assumptions,
                      .most_reads = most,
                      .usual_reads = most,
                      .random = {7},
                      .scale = 1,
                      .spare_reads = SPARE_READS};
}

/* Some size may be greater, by what is assumed. */
static bool has_size_above(Evaluation *v, int64_t n) {
  TermTable *tt = v->tt;
  uint32_t facts = tt->facts.count;
  bool any = false;
  for (uint32_t i = 0; i < v->assumptions->conditions.count; i++) equal_push(tt, v->assumptions->conditions.data[i]);
  for (uint32_t i = 0; i < v->variable_count && !any; i++)
    any = term_sort(tt, v->variables[i]) == SORT_INT &&
          !term_prove_le(tt, v->variables[i], term_new_rat(tt, rational_int(n)));
  term_pop_facts(tt, facts);
  return any;
}

static void end(Evaluation *v, CompareSample *out) {
  int64_t two = 2 * v->greatest_literal;
  if (v->greatest_size <= two && has_size_above(v, two)) out->unreached = v->greatest_literal;
  arena_destroy(v->scratch);
}

static bool has_bytes(const Evaluation *v) {
  for (uint32_t i = 0; i < v->tensors->count; i++)
    if (!strcmp(v->tensors->data[i].dtype, "u8")) return true;
  return false;
}

CompareSample compare_sample(Arena *arena, TermTable *tt, const CompareTensors *tensors, const CompareOutput *left,
                             const CompareOutput *right, const CompareAssumptions *assumptions) {
  Evaluation v = begin(arena, tt, tensors, left, right, assumptions);
  CompareSample out = {0};
  const ArenaMark empty = arena_mark(v.scratch);
  prepare(&v);
  bool one = is_one(&v);
  for (uint32_t launch = 0; launch < LAUNCHES + (v.all_reads < MOST_READS_BEFORE ? 3 * v.special_count : 0); launch++) {
    v.domain = launch < LAUNCHES ? (Domain)((launch + launch / DOMAIN_COUNT) % DOMAIN_COUNT)
                                 : DOMAIN_EQUAL; /* large sizes meet each domain */
    if (launch >= LAUNCHES) v.equal = v.special[(launch - LAUNCHES) / 3], v.beside = (int)((launch - LAUNCHES) % 3) - 1;
    v.block = launch % 4 == 1 && v.literal_count ? v.literals[launch / 4 % v.literal_count] : 0;
    if (one && out.drawn) break;
    v.only_draws = one;
    if (!run_launch(&v, launch, empty, &out)) break;
  }
  if (!out.differs && !one) compare_blocks(&v, empty, &out);
  v.lengthens = !out.differs && !out.elements && !one; /* arrays as drawn are too short for anything to be stored */
  for (uint32_t launch = 0; launch < LAUNCHES && v.lengthens; launch++) {
    v.domain = (Domain)(launch % DOMAIN_COUNT), v.block = v.shape = 0;
    if (!run_launch(&v, launch, empty, &out)) break;
  }
  v.bytes = !out.differs && !one && has_bytes(&v);
  for (uint32_t launch = 0; launch < LAUNCHES && v.bytes; launch++) {
    v.domain = DOMAIN_MIXED, v.block = v.shape = 0;
    if (!run_launch(&v, launch, empty, &out)) break;
  }
  if (!out.elements && !out.differs && out.drawn && !one &&
      !tensors->most_reads) { /* each element is a long sum: a few of them, then */
    v.most_reads = v.usual_reads = LAST_READS, v.domain = DOMAIN_MIXED, v.block = v.shape = 0;
    run_launch(&v, 0, empty, &out);
  }
  end(&v, &out);
  return out;
}

CompareSample compare_large_blocks(Arena *arena, TermTable *tt, const CompareTensors *tensors,
                                   const CompareOutput *left, const CompareOutput *right,
                                   const CompareAssumptions *assumptions) {
  Evaluation v = begin(arena, tt, tensors, left, right, assumptions);
  CompareSample out = {0};
  v.is_large = true, v.most_reads = v.usual_reads = LAST_READS;
  prepare(&v);
  compare_blocks(&v, arena_mark(v.scratch), &out);
  end(&v, &out);
  return out;
}
