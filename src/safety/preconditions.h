/* What the operations of a term ask of their operands, and where: a divisor differs from 0, a logarithm is of what is
 * positive, an index is one of its tensor. */
#ifndef ASSAY_SAFETY_PRECONDITIONS_H
#define ASSAY_SAFETY_PRECONDITIONS_H

#include "safety/domain.h"

/* In a path: the side of a select; the index of a fold; 1 / t, of which an infinite t makes 0. */
enum { PATH_THEN = 1 << 30, PATH_ELSE, PATH_INVERSE = 1 << 29, PATH_FOLD = 1 << 28 };

enum { PARTS_MOST = 96, PARTS_MOST_VISITED = 4000, PARTS_MOST_PATH = 16 };

/* What an operation asks of a number. A divisor of 0 and the logarithm of 0 are infinities, of which another operation
 * may make numbers. */
typedef enum PartKind {
  PART_NONZERO,
  PART_NONNEGATIVE,
  PART_POSITIVE,
  PART_DEFINED /* the term: a function that has a domain of its own, what is no number, or an infinity, or an extremum
                  that may be one */
} PartKind;

/* Where it is asked for: the sides of the selects around it and the folds, outermost first; 0 of them: everywhere. */
typedef struct Path {
  const struct Path *outer;
  uint32_t number, count;
  Term within; /* the outermost operation around it that may make a number of an infinity, as exp(-1 / 0) is 0; 0: none
                */
  Term inner;  /* the innermost one that is bounded, where that is looked at: wherever it stands, it has one value */
  Term at[PARTS_MOST_PATH];
} Path;

typedef struct Part {
  PartKind kind;
  Term term, core; /* core: has its sign */
  Term within;     /* of the path, where it is an infinity that is not asked for */
  Term inner;
  uint32_t count;
  Term path[PARTS_MOST_PATH];
  Term named_core, named_within, named_inner,
      named_path[PARTS_MOST_PATH]; /* the same with names for the indices of folds around,
                         which two terms number differently; 0: there is none */
} Part;

/* Which of them: what is an error alone; lanes that no load defined are in no element; in sums, extrema that may be
 * infinite are to be the same ones; nothing that follows makes a number of what is infinite at last. */
typedef enum PartsOf { PARTS_OF_ERRORS, PARTS_OF_LANES, PARTS_OF_VALUE, PARTS_OF_SUM, PARTS_AT_LAST } PartsOf;
typedef struct Parts {
  Part data[PARTS_MOST];
  uint32_t count, visited, paths;
  bool all;
  PartsOf of;
  bool has_inner; /* the innermost bounded operation is looked at too */
  Domain *d;      /* with the tensors that the reads are of; NULL: where they are of is not looked at */
} Parts;

extern const Path parts_everywhere;
extern const char PART_OUTSIDE[]; /* why an index is none */

/* Of all these terms together; where there are too many of them, `all` is false. */
Parts parts_of(Domain *d, uint32_t count, const Term *terms, PartsOf of);
Parts parts_of_operands(Domain *d, TermStep step, PartsOf of);
/* One more, unless what is there asks for as much, or numbers show it. */
void parts_add(const TermTable *tt, Parts *parts, PartKind kind, Term t, const Path *path);
/* True if that is asked for as well. `seen`: and is seen as plainly. */
bool part_says_as_much(PartKind p, PartKind q); /* as q does, of the same term */
bool parts_have(const Parts *parts, const Part *q, bool seen);
bool parts_include(const Parts *few, const Parts *many, bool seen);
/* True if it is met, here and wherever it is asked for. Else what is to blame is in d. */
bool part_is_met(Domain *d, const Part *p);
bool part_is_met_everywhere(Domain *d, const Part *p);
/* The same given that what the term is made of is finite. */
bool part_is_met_where_finite(Domain *d, const Part *p);
uint32_t part_entry_length(const Term *path); /* of a choice or of a comparison: two; of a fold, four */

#endif
