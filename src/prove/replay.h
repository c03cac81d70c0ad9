/* Replay of explanations: the trusted side of the engine that rewrites with an e-graph.
 *
 * A proof is a list of lemmas left = right over expressions. A lemma is a certificate as egraph_explain writes it, in
 * which each step is an instance of a law of laws.def, arithmetic of numbers, congruence, or an earlier lemma; or it is
 * what the prover's other engines show. Nothing of it is believed: terms are read again, instances are matched again,
 * conditions are proved again in the present context.
 *
 * Equality is refinement, so each lemma is checked in the direction in which it is used: from left to right, the right
 * side has the left's value wherever the left has one. A step below a fold may speak of the fold's index; elsewhere it
 * may not, unless the range is known not to be empty: what holds of all its places holds of one. */
#ifndef ASSAY_PROVE_REPLAY_H
#define ASSAY_PROVE_REPLAY_H

#include "laws/law.h"

typedef struct Replay Replay;

Replay *replay_new(LawTable *laws, Arena *arena);
enum { REPLAY_NONE = -1 };
/* Each gives the lemma's number. Nothing is checked yet; REPLAY_NONE: the certificate is malformed. */
int32_t replay_add_certificate(Replay *replay, const char *text);
int32_t replay_add_equality(Replay *replay, Expression left, Expression right);
/* True if left = right, from left to right, as that lemma says. What follows from left's having a value is a fact
 * meanwhile. */
bool replay_check(Replay *replay, int32_t lemma, Expression left, Expression right);
/* The law whose instance had a condition that was not shown, or an index outside its fold, if that was why the last
 * check failed; else NULL. */
const Law *replay_open_law(const Replay *replay);
/* What a failed check stumbled over. */
const char *replay_reason(const Replay *replay);

typedef struct ReplayStep {
  const char *law;
  Term from, to;
} ReplayStep;
/* The steps of all checks that changed something, in order. */
const ReplayStep *replay_steps(const Replay *replay, uint32_t *count);

#endif
