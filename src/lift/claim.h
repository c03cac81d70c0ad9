/* A claim: what an input is said to compute, and under which assumptions; plain data over one table of terms.
 *
 * Lifting makes it of a kernel (lift/recover.h), a formula is one as it stands (formula/lift_formula.h), and those of
 * several launches are composed to one (sequence/operator.h). The prover shows it, or part of it; the safety analysis
 * adds obligations; `check` compares two. Beside the claim of a kernel stand its execution, which the prover and the
 * safety analysis look into, and hints, which nobody has to believe: the prover checks what it uses of them. */
#ifndef ASSAY_LIFT_CLAIM_H
#define ASSAY_LIFT_CLAIM_H

#include "base/kinds.h"
#include "lift/pointwise.h"
#include "program/program.h"

struct Effects;

/* Not 0; not negative; both. */
enum { SIGN_NONZERO = 1, SIGN_NONNEGATIVE = 2, SIGN_POSITIVE = 3 };

/* Texts, details and reasons are messages with the names of the kernel (base/message.h). */
typedef struct Assumption {
  AssumptionKind kind;
  const char *why, *limit; /* limit may be NULL */
  Term condition;          /* what is assumed */
  Term of_values;          /* kind positive: the same of a float argument, which is no condition on sizes; or 0 */
  Term scalar;             /* kind positive: the float argument of which it says the sign; 0: an expression */
  uint8_t sign;            /* ... SIGN_* */
  Term of_contents; /* kinds stated, precondition: what memory holds; of program ids, for each in its range; or 0 */
  Term
      of_arithmetic; /* kind range: the same of numbers that are made of contents, which witnesses have to meet; or 0 */
  bool is_partial;   /* ... and there are some that no term says */
  Term apart;        /* kind disjoint: the tensor whose elements have a place each, by its strides; or 0 */
  const char *text;
  bool is_sentence;   /* of the source, about what memory holds: no condition on sizes says it */
  bool more_is_idle;  /* of a grid: programs beyond it store nothing, and nothing else asks for their number */
  Term most_programs; /* ... up to that many; 0: however many */
  bool is_enough;     /* ... in a launch of as many programs as the sample has too: where the arithmetic of that many
                         stays in its type, in `ranges` */
  bool is_harmless;   /* ... and these access nothing and divide by nothing either */
  Array(const char *) ranges;
  Term of_extent;    /* the tensor whose extent is what is read, as no shape was given; 0: it is not that */
  uint8_t grid;      /* 1 + the axis of which it says the number of programs; 0: of none */
  bool is_single;    /* ... which is 1; without a condition where nothing uses the program ids of the axis */
  bool of_sizes;     /* sizes are at least 1, as their ranges have it */
  bool holds_anyway; /* the user's: nothing is assumed by it, and it is printed all the same */
} Assumption;

enum { OBLIGATION_PROVED, OBLIGATION_REFUTED, OBLIGATION_UNKNOWN };

/* An operator outside of its domain, on inputs as they stand: that alone, which is no fault of the kernel's; or
 * something else too. */
enum { OF_INPUTS_NOT, OF_INPUTS_ALONE, OF_INPUTS_TOO };

typedef struct Obligation {
  ObligationKind kind;
  int verdict; /* OBLIGATION_PROVED, _REFUTED, _UNKNOWN */
  OpId op;
  const char *tensor, *detail;         /* tensor: by its name in the kernel, or in the operation (is_named) */
  const char *where;                   /* NULL: at the operation */
  Array(uint32_t) under;               /* the assumptions that it rests on, by number */
  const struct SampleWitness *witness; /* of a refuted one */
  const struct WitnessRun *run;        /* its launch, complete */
  uint8_t of_inputs;                   /* undefined: OF_INPUTS_* */
  bool is_of_operation;                /* coverage of a tensor that other launches write as well: asked of the whole */
  bool is_named;                       /* tensor and detail are in the operation's names already */
  bool is_of_data;                     /* bounds: what is open is an index that is read from memory */
  bool is_extent;                      /* bounds: what is open is that an extent is no plain size */
} Obligation;

/* What a function of a host language relies on that takes indices from memory, as a sentence. */
static inline const char *claim_data_indices(Arena *arena, const char *tensor) {
  return arena_format(arena, "the indices of %s that are read from memory lie within it", tensor);
}

/* A program id, lane or counter that became another term. */
typedef struct LiftStep {
  Term from, to;
  uint32_t access; /* 1 + number of the one it was done in; 0: in all */
} LiftStep;

typedef struct Substitution {
  Term from, to;
} Substitution;

/* How a store became a piece: every coordinate that its address determines, as a term over the output's indices (and
 * over coordinates that it does not determine). */
typedef struct StorePlace {
  uint32_t access, output, piece;
  TermMap map;
} StorePlace;

/* How lifting came to the claim. Untrusted help for the prover, which may start from it but shows every use. */
typedef struct Hints {
  Array(LiftStep) steps;           /* in order: what became of program ids, lanes and counters */
  Array(Substitution) definitions; /* in order: new coordinates, over older ones */
  Array(StorePlace) places;
} Hints;

/* A number of the launch that was given. */
typedef struct GivenNumber {
  Term symbol;
  int64_t value;
} GivenNumber;

typedef struct Claim {
  TermTable *tt;        /* of all terms in it */
  Pointwise *pointwise; /* NULL: no form was found */
  Array(Assumption) assumptions;
  Array(Obligation) obligations;
  ReasonCode stop_code; /* REASON_NONE: it went through */
  const char *stop_text;
  const char *undefined_where; /* why what is stored may be undefined where its term is not; NULL: it is not, or nobody
                                  has looked (obligations_find) */
  const char *open_ranges;     /* why it is not known in which ranges the arithmetic has to stay that the value takes
                                  not to wrap; NULL: it is (obligations_find) */
  const char *unmet;           /* what the launch that was given does not meet, with its numbers; NULL: nothing known */
  const char *other_view;      /* the claim is of a tensor that is not that of the launch; NULL: nothing known */
  bool is_longer_view;         /* it differs in lengths alone */
  bool excludes_itself;        /* what is given and what is assumed: no launch is spoken of */
  bool relies_on_divisors;     /* a precondition is that some float, by which is divided, is not 0 */
  TermList defined;            /* what is true of values wherever the input is defined; nothing is claimed elsewhere */
  bool has_f64;                /* some number of the input has 64 bits: its literals may have that precision */
  struct Effects *ex;          /* of a kernel: what it was lifted from; NULL: it is no kernel */
  const uint8_t *left; /* by parameter: the sign of all that is read there, as a launch before leaves it; or NULL */
  Hints hints;         /* of a kernel */
  Array(GivenNumber) given; /* of an operation: a sample of what launches have */
} Claim;

/* The number of what is assumed. One line of a report is one assumption, with all the conditions that read like that; a
 * sentence is not among them, which means what it is about. */
uint32_t claim_assume(Arena *arena, Claim *claim, Assumption a);

#endif
