/* What the files of the search share; nobody else includes it. */
#ifndef ASSAY_SEARCH_FAMILY_H
#define ASSAY_SEARCH_FAMILY_H

#include "search/search.h"

enum {
  SEARCH_RANK = 10,     /* axes of a family: those of the output and those of folds */
  SEARCH_SIZES = 24,    /* symbols that get a number */
  SEARCH_CELLS = 4096,  /* elements of an output, at most; and iterations of a fold */
  SEARCH_FRAME = 65536, /* the same with the axes of folds */
  SEARCH_DEPTH = 3,     /* of what is enumerated: levels of operators above the terminals */
  SEARCH_STEPS = 10,    /* of a loop, whose values are looked at */
  SEARCH_CHOICES = 2,   /* of small sizes, at which is searched */
  SEARCH_CHECKS = 3,    /* at which is checked what was found: the others, and larger ones */
  SEARCH_SEEDS = 12,    /* of evaluation in the field */
  SEARCH_DRAWS = 512,   /* the same of what conditions decide, of which one draw sees one case */
  SEARCH_NODES = 150000 /* of all unfolded terms, and steps of the search */
};

typedef struct SearchSize {
  Term symbol;
  int64_t value;
} SearchSize;

/* An index of the elements: 0 <= symbol < length, which is `count` at the small size. */
typedef struct SearchAxis {
  Term symbol, length;
  int64_t count;
} SearchAxis;

/* A term for each combination of indices, row-major; 0 where anything will do. */
typedef struct Family {
  uint32_t rank, cells;
  SearchAxis axis[SEARCH_RANK];
  Term *element;
} Family;

/* What is known of terms: a number, or the place of more. */
typedef struct MemoSlot {
  Term term;
  uint64_t value;
} MemoSlot;
typedef struct Memo {
  MemoSlot *slots;
  uint32_t slot_count, count;
} Memo;

typedef struct Search {
  Arena *arena;
  TermTable *tt;
  const Claim *claim;
  const SearchOptions *options;
  SearchLog *log;
  uint32_t size_count;
  SearchSize size[SEARCH_SIZES];
  Array(Rational) literals; /* of the program */
  bool sizes_first;         /* a number is taken for a size even if it is a literal of the program too */
  bool operands_first;      /* a few parts of one shape are as many operands before they are a fold */
  bool is_of_steps;         /* the elements are a value after so many steps of a loop, at all sizes (invariant.c) */
  uint32_t steps, depth;    /* done; nested */
  const char *why;          /* it is not found, or what cannot be unfolded */
  uint64_t work;            /* values computed by enumeration */
  Arena *scratch;           /* of the step at hand */
  Memo unfolded, residues[SEARCH_SEEDS + 1], shapes; /* the last one: of any other draw */
  Array(uint64_t) failed;                            /* families of which nothing was found, by hash */
} Search;

/* ---- unfold.c ---- */
MemoSlot *memo_find(const Memo *memo, const TermTable *tt, Term t); /* NULL: nothing is known */
void memo_put(Memo *memo, Arena *arena, const TermTable *tt, Term t, uint64_t value);
/* Numbers for the symbols of the claim's values, small, that meet its assumptions: the choice-th such launch, of
 * SEARCH_CHECKS. */
bool search_choose_sizes(Search *s, uint32_t choice);
/* The term at these sizes, with all folds and recurrences written out. 0: it cannot be (s->why). */
Term search_unfold(Search *s, Term t);
bool search_number(Search *s, Term t, int64_t *value); /* an integer at these sizes */
/* The elements of a value at these sizes; false: there are too many, or one cannot be unfolded. */
bool search_family(Search *s, const PointwiseOutput *output, const PointwisePiece *piece, Family *out);
/* Element `cell` as indices. */
void family_place(const Family *f, uint32_t cell, int64_t *at);

/* ---- residue.c ---- */
/* A term without indices in the field of 2^61 - 1, where reads and scalars are numbers drawn by `seed`, and functions,
 * roots and orders any functions. */
uint64_t search_residue(Search *s, Term t, uint64_t seed);
/* Before each draw of a seed that is none of the first SEARCH_SEEDS; how many terms the last one took. */
uint32_t search_draw_again(Search *s);
uint64_t residue_draw(Term symbol, uint32_t count, const int64_t *index, uint64_t seed);
uint64_t residue_apply(TermKind kind, uint32_t aux, uint32_t count, const uint64_t *x);
uint64_t residue_add(uint64_t a, uint64_t b);
uint64_t residue_times(uint64_t a, uint64_t b);
uint64_t residue_inverse(uint64_t a); /* of 0: 0 */
uint64_t residue_rational(Rational r);
uint64_t residue_root(uint64_t x, Rational exponent);

/* ---- top_down.c ---- */
/* A term over the symbols of the axes that has these elements; 0: none is found. */
Term search_top_down(Search *s, const Family *f);
/* Numbers that depend on the place: constant, affine, or the reciprocal of such; 0: none of them. */
Term search_fit_number(Search *s, const Family *f);

/* ---- sequence.c ---- */
/* numbers[first..end) as a sum of r^n, each times a polynomial of the index n, which is the symbol t, or t - 1 - j
 * where `after` is the symbol j. 0: they are none. */
Term search_fit_sequence(Search *s, const Rational *numbers, uint32_t first, uint32_t end, Term t, Term after);

/* ---- invariant.c ---- */
/* The value with the closed forms of its recurrences, as far as they are found. */
Term search_invariants(Search *s, Term value);

/* ---- bottom_up.c ---- */
Term search_bottom_up(Search *s, const Family *f);

void search_note(Search *s, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
