/* Terms: a hash-consed DAG. A term is a 32-bit id passed by value; equal structure iff equal id.
 *
 * Sorts are Int, Real and Bool; Int is a subset of Real, so an Int term stands wherever a Real may (conversion of an
 * integer to a float is exact and needs no node). Pointers are a fourth sort, internal to execution.
 *
 * Canonical form kept by the constructors (build.c, divide.c, functions.c, conditions.c, fold.c):
 *  - ADD has sorted, distinct terms, non-zero coefficients, and no ADD inside with coefficient 1 or -1; an Int sum
 *    of products is fully expanded, so that addresses are polynomials; a Real one keeps the structure of the code
 *    (normal.c expands it).
 *  - MUL has sorted bases, no coefficient (that is ADD's), and merges x^a x^b only for a, b of the same sign: x / x
 *    keeps its domain.
 *  - a mod b is a - b*floordiv(a, b): there is no second form.
 *  - an integer comparison is LE(t) or EQ(t); its negation is again an LE.
 *  - infinities never stand inside ADD, MUL or FN: selects that have one are pulled outwards first.
 *  - a fold binds BOUND(level) with level = 1 + the highest level in its body: alpha-equivalent folds have one id, no
 *    shifting, no capture.
 *
 * Integer symbols carry their range (lo <= s <= hi), which the constructors use. Orders are by structural hash: they do
 * not depend on the order in which terms were made. */
#ifndef ASSAY_TERM_TERM_H
#define ASSAY_TERM_TERM_H

#include "base/intern.h"
#include "base/pages.h"
#include "base/rational.h"

typedef uint32_t Term;

typedef enum TermKind {
#define TERM(kind, class, flags) TERM_##kind,
#include "term/kinds.def"
#undef TERM
  TERM_KIND_COUNT
} TermKind;

typedef enum TermClass {
  TERM_CLASS_OTHER,
  TERM_CLASS_TRUTH,
  TERM_CLASS_SPECIAL, /* infinities and NaN */
  TERM_CLASS_EXTREMUM,
  TERM_CLASS_ROUNDING,
  TERM_CLASS_COMPARISON,
  TERM_CLASS_TEST,
  TERM_CLASS_CONNECTIVE,
} TermClass;

typedef enum TermSort { SORT_INT, SORT_REAL, SORT_BOOL, SORT_PTR } TermSort;

typedef enum TermFn {
#define FN(id, ...) FN_##id,
#include "base/functions.def"
  FN_COUNT
} TermFn;

typedef enum TermFoldOp {
  FOLD_SUM,
  FOLD_PROD,
  FOLD_MAX,
  FOLD_MIN,
  FOLD_ANY,
  FOLD_ALL,
  FOLD_XOR,
  FOLD_ARGMAX,
  FOLD_ARGMIN, /* index of the first best; body is the key */
  FOLD_OP_COUNT
} TermFoldOp;

typedef enum SymbolRole {
  SYMBOL_SIZE,    /* integer argument or size name */
  SYMBOL_SCALAR,  /* float argument */
  SYMBOL_GRID,    /* number of programs */
  SYMBOL_PID,     /* program id */
  SYMBOL_LANE,    /* lane of a block */
  SYMBOL_COUNTER, /* loop iteration, from 0 */
  SYMBOL_INDEX,   /* index of an output or of an opened fold */
  SYMBOL_CARRY,   /* loop-carried value at the start of an iteration */
  SYMBOL_TENSOR,  /* memory: READ's first argument */
} SymbolRole;

typedef struct Symbol {
  Name name;
  TermSort sort;
  SymbolRole role;
  Term lo, hi; /* Int: inclusive bounds, 0 = none */
  uint32_t
      axis; /* of PID, GRID, LANE; of CARRY: what holds in every iteration, SYMBOL_IS_*; owner's number otherwise */
  Term term;
  bool is_fresh; /* its name means nothing to a reader */
} Symbol;

enum {
  SYMBOL_IS_NUMBER = 1,
  SYMBOL_IS_FINITE = 2,
  SYMBOL_IS_POSITIVE = 4,
  SYMBOL_IS_DATA = 8,
  SYMBOL_IS_DRAWN_POSITIVE = 16
}; /* not NaN; and no infinity either; a scalar above 0; an
integer that a step makes of elements of tensors, so that it wraps; a scalar that is drawn above 0, though all that is
known of it is that it is not 0 */

enum { TERM_DEPTH = 4000 };

typedef struct TermNode {
  uint8_t kind, sort;
  uint8_t flags; /* TERM_HAS_* */
  uint8_t level; /* highest binder level inside */
  uint32_t aux, first, count;
  uint32_t depth; /* of nesting, at most TERM_DEPTH: recursion over a term needs no check of its own */
  uint64_t hash;
  uint64_t free_mask; /* bloom filter of the symbols (bits 0..47) and bound levels (48..63) that occur free */
} TermNode;

/* REAL: an operation on reals, which may lie outside of its domain, also below what is an integer. PARTIAL: an integer
 * division, or a place that is computed. */
enum {
  TERM_HAS_UNDEF = 1,
  TERM_HAS_INF = 2,
  TERM_HAS_FOLD = 4,
  TERM_HAS_READ = 8,
  TERM_HAS_OPAQUE = 16,
  TERM_HAS_REAL = 32,
  TERM_HAS_PARTIAL = 64
};

typedef struct TermParts TermParts;

/* An operation as it was written, before its constructor made the result as simple as it is where it is defined
 * (safety/definedness.h). */
typedef enum TermStepKind {
  TERM_STEP_SUM,
  TERM_STEP_DIFFERENCE,
  TERM_STEP_PRODUCT,
  TERM_STEP_QUOTIENT,
  TERM_STEP_OTHER,
  TERM_STEP_CHOICE /* a condition or an arm that is computed */,
  TERM_STEP_PLACE /* a is below b */,
  TERM_STEP_JOIN /* of two conditions */
} TermStepKind;
typedef struct TermStep {
  TermStepKind kind;
  Term a, b, result; /* b 0: of one operand */
  Term under;        /* the condition under which it is done; 0: it always is */
} TermStep;
typedef Array(TermStep) TermSteps;

typedef struct TermTable {
  Arena *arena;
  InternTable *names;
  Array(TermNode) nodes;
  Array(Term) args;
  Array(Rational) rationals;
  Array(Symbol) symbols;
  uint32_t *slots, slot_count;
  Term zero, one, minus_one, true_, false_, inf, neg_inf;
  Array(Term) facts;     /* Bool terms assumed true, beyond the ranges of symbols */
  uint32_t depth;        /* of nested range questions */
  uint32_t fuel;         /* steps left for the range question at hand */
  bool splits_quotients; /* the question at hand takes x // (d*k) for (x // d) // k */
  Term coordinates[64];  /* that it has met, for sets of them (range.c) */
  uint32_t coordinate_count;
  bool in_masks;         /* a fold at hand looks for masks in its body (fold.c) */
  uint32_t patience;     /* steps for each range question; 0: the default, which suits constructors */
  uint32_t fresh;        /* counter for fresh names */
  uint32_t text_depth;   /* parts of a text below that are `..`; 0: none are */
  bool marks_names;      /* the text at hand is a message (base/message.h) */
  uint64_t context;      /* hash of the facts and of the ranges of opened folds; changes of other ranges count too */
  Pages answers;         /* of range questions, by term and context */
  Pages steps;           /* of the steps to them */
  Array(uint32_t) marks; /* per node: epoch of the last visit */
  uint32_t epoch;
  struct TermPair *pairs; /* stack of the sums and products under construction */
  uint32_t pair_count, pair_capacity;
  Arena *scratch;          /* memo tables of the transformations under way */
  Array(Term) open_states; /* likewise the values of opened recurrences, by depth, number and sort */
  uint32_t finite_states;  /* by level: STATEs taken to be finite */
  Array(Term) open;        /* symbols that stand for the indices of opened folds, by depth */
  uint32_t open_depth;
  TermParts *parts; /* that texts say by name, or NULL */
  TermSteps *made;  /* where the steps of what is read go; NULL: nowhere */
  Term made_under;  /* of the steps to come */
  /* What knows opaque functions makes them in its own normal form; 0: it does not know this one. */
  Term (*opaque)(struct TermTable *tt, void *payload, Name name, uint32_t count, const Term *args);
  void *opaque_payload;
} TermTable;

TermTable *term_table_new(Arena *arena, InternTable *names);

/* The result, written down as made of these (b 0: of a alone) where somebody asks for the steps. */
static inline Term term_made(TermTable *tt, TermStepKind kind, Term a, Term b, Term result) {
  if (tt->made) array_push(tt->arena, tt->made, (TermStep){kind, a, b, result, tt->made_under});
  return result;
}

/* ---- looking ---- */
static inline const TermNode *term_node(const TermTable *tt, Term t) { return &tt->nodes.data[t]; }
extern const uint8_t term_kind_classes[TERM_KIND_COUNT]; /* TermClass, a column of kinds.def */
static inline bool term_kind_is_truth(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_TRUTH; }
static inline bool term_kind_is_special(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_SPECIAL; }
static inline bool term_kind_is_extremum(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_EXTREMUM; }
static inline bool term_kind_is_rounding(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_ROUNDING; }
static inline bool term_kind_is_comparison(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_COMPARISON; }
static inline bool term_kind_is_test(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_TEST; }
static inline bool term_kind_is_connective(TermKind kind) { return term_kind_classes[kind] == TERM_CLASS_CONNECTIVE; }

static inline TermKind term_kind(const TermTable *tt, Term t) { return (TermKind)tt->nodes.data[t].kind; }
static inline TermSort term_sort(const TermTable *tt, Term t) { return (TermSort)tt->nodes.data[t].sort; }
static inline uint32_t term_count(const TermTable *tt, Term t) { return tt->nodes.data[t].count; }
static inline Term term_arg(const TermTable *tt, Term t, uint32_t i) {
  return tt->args.data[tt->nodes.data[t].first + i];
}
/* The conditions that hold together where t does: the arguments of a conjunction, else t alone. */
static inline uint32_t term_conjunct_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_AND ? term_count(tt, t) : 1;
}
static inline Term term_conjunct(const TermTable *tt, Term t, uint32_t i) {
  return term_kind(tt, t) == TERM_AND ? term_arg(tt, t, i) : t;
}
static inline uint32_t term_aux(const TermTable *tt, Term t) { return tt->nodes.data[t].aux; }
static inline bool term_is_rat(const TermTable *tt, Term t) { return tt->nodes.data[t].kind == TERM_RAT; }
static inline Rational term_rat(const TermTable *tt, Term t) { return tt->rationals.data[tt->nodes.data[t].aux]; }
static inline Symbol *term_symbol(const TermTable *tt, Term t) { return &tt->symbols.data[tt->nodes.data[t].aux]; }
/* An integer constant that fits 64 bits. */
bool term_is_int(const TermTable *tt, Term t, int64_t *value);
bool term_has_symbol(const TermTable *tt, Term t, Term symbol);
/* t = c + rest, t = k * rest: the parts. */
Rational term_constant_part(const TermTable *tt, Term t);
Rational term_coefficient(const TermTable *tt, Term t, Term *rest);
const char *term_name(const TermTable *tt, Term symbol);
/* Of a READ: true if an index is data, which may be no index. */
static inline bool term_reads_at_data(const TermTable *tt, Term read) {
  for (uint32_t i = 1; i < term_count(tt, read); i++)
    if (term_node(tt, term_arg(tt, read, i))->flags & TERM_HAS_READ) return true;
  return false;
}
/* lo of a fold etc. */
static inline Term term_fold_lo(const TermTable *tt, Term t) { return term_arg(tt, t, 0); }
static inline Term term_fold_hi(const TermTable *tt, Term t) { return term_arg(tt, t, 1); }
static inline Term term_fold_guard(const TermTable *tt, Term t) { return term_arg(tt, t, 2); }
static inline Term term_fold_body(const TermTable *tt, Term t) { return term_arg(tt, t, 3); }
static inline Term term_fold_bound(const TermTable *tt, Term t) { return term_arg(tt, t, 4); }

/* ---- leaves ---- */
Term term_new_rat(TermTable *tt, Rational value);
Term term_int(TermTable *tt, int64_t value);
Term term_bool(TermTable *tt, bool value);
/* A literal of a float op: exact value, or INF, NEG_INF, NAN. */
Term term_float(TermTable *tt, double value);
/* True if t is a float literal that fits no rational, k * 2^(64 n). Its value, and its shortest decimal. */
bool term_is_far(const TermTable *tt, Term t, double *value);
const char *term_far_text(TermTable *tt, double value);
/* A new symbol, different from all others even under an equal name. */
Term term_symbol_new(TermTable *tt, Name name, TermSort sort, SymbolRole role);
/* What an index along that axis of an output is called: i, j, l, .. (k counts folds). */
const char *term_axis_letter(uint32_t axis);
/* A symbol for it, which has the name of no size, scalar or tensor that there is: i_ where there is an i. */
Term term_axis_symbol(TermTable *tt, uint32_t axis);
Term term_symbol_fresh(TermTable *tt, const char *prefix, TermSort sort, SymbolRole role);
Term term_symbol_range(TermTable *tt, Term symbol, Term lo, Term hi); /* returns the symbol */
void term_symbol_narrow(TermTable *tt, Term symbol, Term lo,
                        Term hi); /* to a part of its range: answers known before still hold */
Term term_undef(TermTable *tt, TermSort sort, uint32_t site);
Term term_read(TermTable *tt, Term tensor, TermSort sort, uint32_t count, const Term *index);
Term term_ptr(TermTable *tt, Term tensor, Term offset);

/* ---- constructors (build.c, divide.c, functions.c, conditions.c) ---- */
Term term_add(TermTable *tt, Term a, Term b);
Term term_sub(TermTable *tt, Term a, Term b);
Term term_neg(TermTable *tt, Term a);
Term term_scale(TermTable *tt, Rational k, Term a);
Term term_mul(TermTable *tt, Term a, Term b);
Term term_div(TermTable *tt, Term a, Term b); /* Real */
Term term_power(TermTable *tt, Term a, Rational exponent);
/* The product without the factor whose argument is number `at`. */
Term term_without_factor(TermTable *tt, Term product, uint32_t at);
Term term_floordiv(TermTable *tt, Term a, Term b); /* b != 0 is the caller's obligation */
Term term_mod(TermTable *tt, Term a, Term b);
/* Truncating division as floor division where the signs are known, by cases otherwise; b != 0 likewise. */
Term term_truncdiv(TermTable *tt, Term a, Term b);
/* True if t is one, by cases. Its operands, after what the constructor has cancelled. */
bool term_is_truncdiv(TermTable *tt, Term t, Term *a, Term *b);
/* True if the i-th summand of the integer sum t, which holds q = x // (d*c), and another one are m*(p - c*q) for p = x
 * // d. That is m*(p % c): a = p, b = c. The rest of the sum is without both. */
bool term_remainder_of_quotient(TermTable *tt, Term t, uint32_t i, Term q, Term *a, Term *b, Rational *m, Term *rest);
Term term_cdiv(TermTable *tt, Term a, Term b);
Term term_min(TermTable *tt, Term a, Term b);
Term term_max(TermTable *tt, Term a, Term b);
Term term_unary(TermTable *tt, TermKind kind, Term a); /* ABS FLOOR CEIL ROUND TRUNC IS_INF IS_NEG_INF IS_NAN */
Term term_binary(TermTable *tt, TermKind kind, Term a, Term b); /* MIN MAX AND OR */
Term term_fn(TermTable *tt, TermFn fn, uint32_t count, const Term *args);
Term term_fn1(TermTable *tt, TermFn fn, Term a);
Term term_opaque(TermTable *tt, Name name, TermSort sort, uint32_t count, const Term *args);
Term term_opaque_as_is(TermTable *tt, Name name, TermSort sort, uint32_t count, const Term *args);
Term term_wrap(TermTable *tt, uint32_t width, Term a);
Term term_le(TermTable *tt, Term a, Term b);
Term term_lt(TermTable *tt, Term a, Term b);
Term term_eq(TermTable *tt, Term a, Term b);
Term term_not(TermTable *tt, Term a);
Term term_and(TermTable *tt, Term a, Term b);
Term term_or(TermTable *tt, Term a, Term b);
Term term_select(TermTable *tt, Term c, Term a, Term b);
/* fold.c: op over symbol in [lo, hi) where guard, of body; the symbol no longer occurs in the result. */
Term term_fold(TermTable *tt, TermFoldOp op, Term symbol, Term lo, Term hi, Term guard, Term body);
/* The body and guard of a fold over a fresh INDEX symbol with the fold's range. */
typedef struct FoldParts {
  TermFoldOp op;
  Term symbol, lo, hi, guard, body;
} FoldParts;
FoldParts term_fold_open(TermTable *tt, Term fold);
Term term_fold_identity(TermTable *tt, TermFoldOp op, TermSort sort);
Term term_fold_combine(TermTable *tt, TermFoldOp op, Term a, Term b); /* 0: of places of the best */
/* recur.c: state[which] after `steps` steps, each of which makes the values `next` of the values `state` at index = 0,
 * 1, ...; they begin with `init`. Symbols and states do not occur in the result. */
enum { RECUR_STATES = 8, RECUR_LANES = 4 };
Term term_recur(TermTable *tt, uint32_t n, uint32_t which, Term index, Term steps, const Term *init, const Term *next,
                const Term *state);
/* Values may be arrays over some of the lanes, 0 <= lane < extent: then state[i] is the READ of a symbol at these
 * symbols, `next` may read it anywhere, and the result is the element `at`. */
typedef struct RecurParts {
  uint32_t n, which;
  Term index, steps, init[RECUR_STATES], next[RECUR_STATES], state[RECUR_STATES];
  uint32_t lanes;
  Term lane[RECUR_LANES], extent[RECUR_LANES], at[RECUR_LANES];
} RecurParts;
Term term_recur_of(TermTable *tt, RecurParts parts);
RecurParts term_recur_open(TermTable *tt, Term recur);
/* A number that is another one of the recurrence, a step later, as that one: to be passed to term_transform. */
Term term_recur_without_copies(TermTable *tt, Term t, void *unused);
/* t, where `value`, over the lanes, is what the i-th state is. */
Term term_recur_put(TermTable *tt, const RecurParts *parts, uint32_t i, Term value, Term t);
static inline uint32_t term_recur_count(const TermTable *tt, Term t) { return term_aux(tt, t) / RECUR_STATES; }
static inline Term term_recur_bound(const TermTable *tt, Term t) {
  return term_arg(tt, t, 2 * term_recur_count(tt, t) + 1);
}
static inline uint32_t term_recur_lanes(const TermTable *tt, Term t) {
  return (term_count(tt, t) - 3 * term_recur_count(tt, t) - 2) / 3;
}
/* Of lane d: 0 its BOUND, 1 its extent, 2 where the array is read. */
static inline Term term_recur_lane(const TermTable *tt, Term t, uint32_t d, uint32_t part) {
  return term_arg(tt, t, 3 * term_recur_count(tt, t) + 2 + part * term_recur_lanes(tt, t) + d);
}
/* All its values are finite in each step. */
bool term_recur_is_finite(TermTable *tt, Term recur);
/* The value after `steps` steps, as one step of the values after one less; steps is at least 1. */
Term term_recur_peel(TermTable *tt, Term recur);

/* ---- rewriting (rewrite.c) ---- */
typedef struct TermMap { /* simultaneous substitution of symbols */
  uint32_t count;
  const Term *from, *to;
} TermMap;
Term term_substitute(TermTable *tt, Term t, TermMap map);
Term term_replace(TermTable *tt, Term t, Term symbol, Term by);
/* Make t again with the constructors, which use the facts and ranges known now. Folds are opened, so that the ranges of
 * their indices count. */
Term term_rebuild(TermTable *tt, Term t);
/* t, made again, where `condition` holds. */
Term term_assume(TermTable *tt, Term t, Term condition);
/* t with 0 for quotients that are it by the facts: i // n where 0 <= i < n. */
Term term_without_quotients(TermTable *tt, Term t);
/* Bottom-up: `visit` gets each rebuilt node (folds opened: bodies hold INDEX symbols while visited). */
typedef Term (*TermVisit)(TermTable *tt, Term t, void *payload);
Term term_transform(TermTable *tt, Term t, TermVisit visit, void *payload);
/* t with `by` in place of a part, which may be any term; bodies of folds included. */
Term term_replace_part(TermTable *tt, Term t, Term part, Term by);
bool term_has_part(TermTable *tt, Term t, Term part);
/* True if a node of that kind is in t, bodies of folds included. */
bool term_has_kind(TermTable *tt, Term t, TermKind kind);
/* The same, but terms that `keeps` holds of are left as they are. */
Term term_transform_outside(TermTable *tt, Term t, bool (*keeps)(const TermTable *tt, Term t), TermVisit visit,
                            void *payload);
/* Make a node of that kind again from other arguments, through its constructor. */
Term term_make(TermTable *tt, Term like, const Term *args);
/* The free symbols of t, each once, in order of first occurrence. */
typedef struct TermList {
  Term *data;
  uint32_t count, capacity;
} TermList;
void term_symbols(TermTable *tt, Term t, TermList *out);

/* ---- integer ranges (range.c) ---- */
/* True if t <= 0 for all values of the symbols within their ranges and facts. false: not shown. */
bool term_prove_nonpositive(TermTable *tt, Term t);
/* model.c: small values of the symbols, within their ranges and facts, at which t > 0. false: none found. */
bool term_is_refuted(TermTable *tt, Term t);
bool term_prove_le(TermTable *tt, Term a, Term b);
bool term_prove_lt(TermTable *tt, Term a, Term b);
bool term_prove_true(TermTable *tt, Term condition);
/* interval.c: lo <= t <= hi of an integer that is made of elements of integer tensors and numbers alone. false: not
 * known. */
bool term_interval(TermTable *tt, Term t, Int128 *lo, Int128 *hi);
/* The same of any integer, by the ranges of its symbols. */
bool term_interval_of_symbols(TermTable *tt, Term t, Int128 *lo, Int128 *hi);
/* t > 0, t >= 0, t != 0 over the reals by structure (exp, squares, sums of such, even powers, sizes). */
bool term_is_positive(TermTable *tt, Term t);
bool term_is_nonnegative(TermTable *tt, Term t);
bool term_is_nonzero(TermTable *tt, Term t);
/* Not an infinity and not undefined, given that reads are finite. */
bool term_is_finite(TermTable *tt, Term t);
/* Finite, and a value whatever the symbols are: no division by what may be 0, no log of what may be negative. Then 0 *
 * t = 0. */
bool term_is_total(TermTable *tt, Term t);
/* Not NaN and not undefined; it may be an infinity. */
bool term_is_number(TermTable *tt, Term t);
void term_push_fact(TermTable *tt, Term fact);
/* A condition on sizes; an equation is two bounds as well. */
void term_push_sizes(TermTable *tt, Term condition);
void term_pop_facts(TermTable *tt, uint32_t count); /* back to that many */

/* Where a table stands in the midst of its work, for those that catch what the guard throws and go on. */
typedef struct TermUnfinished {
  uint32_t facts, depth, patience, pairs, open, finite_states;
  bool splits_quotients, in_masks;
  uint64_t context;
  ArenaMark scratch;
} TermUnfinished;
TermUnfinished term_remember(const TermTable *tt);
void term_take_back(TermTable *tt, TermUnfinished before);
/* guard_attempt of work over a table, which stands as before if a limit ends it. */
bool term_attempt(TermTable *tt, double share, void (*work)(void *payload), void *payload);

/* ---- text (print.c) ---- */
void term_print(TermTable *tt, Term t, Text *out);
const char *term_text(TermTable *tt, Term t);
/* With `..` for its deepest parts, as few of them as make it that short, or nearly. */
const char *term_text_within(TermTable *tt, Term t, uint32_t most);
/* The same as parts of messages (base/message.h), with arguments, grids and tensors as names. */
const char *term_message(TermTable *tt, Term t);
const char *term_message_within(TermTable *tt, Term t, uint32_t most);
const char *term_fold_name(TermFoldOp op);
const char *term_fn_name(TermFn fn);
uint32_t term_fn_arity(TermFn fn);

/* ---- what is known of functions (functions.c); the columns of functions.def ---- */
typedef enum TermFnDomain {
  FN_DOMAIN_ANY,
  FN_DOMAIN_FINITE,
  FN_DOMAIN_POSITIVE,
  FN_DOMAIN_DIVISOR,
  FN_DOMAIN_OWN
} TermFnDomain;
typedef enum TermFnTrait { FN_TRAIT_PLAIN, FN_TRAIT_ODD, FN_TRAIT_GROWING, FN_TRAIT_ODD_GROWING } TermFnTrait;
typedef enum TermFnPole { FN_POLE_NONE, FN_POLE_ZERO, FN_POLE_ONE, FN_POLE_WHOLE } TermFnPole;
typedef enum TermFnAtZero { FN_AT_0_NONE, FN_AT_0_ZERO, FN_AT_0_ONE } TermFnAtZero;

typedef struct TermFnInfo {
  const char *text;
  uint32_t arity;
  TermSort sort;
  TermFnDomain domain;
  TermFnTrait trait;
  double least, most;
  TermFnAtZero at_zero;
  TermFnPole pole;
  const char *numpy, *torch; /* or NULL */
  bool has_latex;
  const char *tpc, *triton; /* or NULL; the latter with %s for its argument */
} TermFnInfo;

const TermFnInfo *term_fn_info(TermFn fn);
/* The function of that name, in formulas, NumPy or PyTorch; FN_COUNT: there is none. */
TermFn term_fn_find(const char *name);

/* ---- names for parts of large terms (share.c) ---- */
typedef struct TermPart {
  const char *name, *parameters, *text; /* name: while texts are made */
  uint32_t number;                      /* in the text that was made; 0: not said there */
} TermPart;
struct TermParts {
  uint32_t node_count;
  const char **name; /* by term; NULL: no part */
  const char *prefix;
  struct {
    TermPart *data;
    uint32_t count, capacity;
  } list;
};
/* From here on the texts of these terms name their parts. False, and nothing changes: they are short enough. */
bool term_parts_begin(TermTable *tt, uint32_t count, const Term *roots);
/* The text that was made since, with numbers in the names, behind the definitions of what it names: `let t3(i, k) =
 * ...`. */
const char *term_parts_end(TermTable *tt, const char *lines);
const char *term_part_name(const TermTable *tt, Term t); /* NULL: t is no part */

/* ---- evaluation in doubles (eval.c) ---- */
typedef struct TermValue {
  double real;
  int64_t integer;
} TermValue; /* Int and Bool use integer, and real mirrors it */
typedef struct TermEval TermEval;
/* `read` gives the element of a tensor. */
typedef TermValue (*TermReadElement)(void *payload, Term tensor, uint32_t count, const int64_t *index);
TermEval *term_eval_new(TermTable *tt, Arena *arena, TermReadElement read, void *payload);
/* `call` gives the value of an opaque function (a call, of which `args` are the values); without it there is none. */
typedef TermValue (*TermCallFunction)(void *payload, Term call, uint32_t count, const TermValue *args);
void term_eval_functions(TermEval *eval, TermCallFunction call);
void term_eval_set(TermEval *eval, Term symbol, TermValue value);
TermValue term_eval(TermEval *eval, Term t);
/* From now on folds end at once, and what is asked for means nothing: somebody has had enough. */
void term_eval_stop(TermEval *eval);
/* From now on rounded results are moved at random, by about 1e-9 of their size, and a zero has any sign: what is the
 * same for several seeds (not 0) is so for the reals. Lost: a number was too large or too small for a double, so that
 * nothing follows. */
void term_eval_jitter(TermEval *eval, uint64_t seed);
bool term_eval_is_undefined(const TermEval *eval);
/* From now on numbers that are no short fractions (a literal of f32 read as a fraction, a folded product) are moved at
 * random by up to 2 ulp of f32. */
enum { TERM_EXACT_DENOMINATOR = 4096 };
void term_eval_blur(TermEval *eval, uint64_t seed);
/* A function of the reals at a (and b); NaN for those of integers. */
double term_fn_value(TermFn fn, double a, double b);

#endif
