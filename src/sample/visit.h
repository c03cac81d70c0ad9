/* Launches of a kernel that are run to be looked at: what the kernel computes is known of these, where it has no form.
 *
 * Sizes are those of the search for witnesses (witness.h), contents are any reals, and small places. Only launches that
 * come to their end without a finding are shown: there the kernel is defined. */
#ifndef ASSAY_SAMPLE_VISIT_H
#define ASSAY_SAMPLE_VISIT_H

#include "sample/witness.h"

typedef struct VisitedLaunch {
  const WitnessRun *run;
  const LaunchModel *model;
  const int64_t *values; /* by name of the model */
  int64_t pad;           /* beyond what rows span */
  struct Search *search;
} VisitedLaunch;

/* Shows up to `most` launches that meet `required`, until `visit` says false; how many. Makes no terms. What a visit
 * that says false leaves in the arena stays. */
uint32_t visit_launches(Arena *arena, const Effects *ex, const LaunchModel *model, WitnessConditions required,
                        uint32_t most, bool (*visit)(void *payload, const VisitedLaunch *launch), void *payload);

/* Once more, with floats in memory moved by a relative 1e-9: what rounding may do to the result. false: it did not come
 * to its end, or something was found. */
bool visit_again(const VisitedLaunch *launch, uint64_t seed, WitnessRun *out);

/* Of another kernel's tensors and arguments: those of the visited one that have their contents and values; -1: none. */
typedef struct VisitPartners {
  const int32_t *tensor, *argument;
} VisitPartners;

/* The launch of another kernel with the same names, contents (of `contents`: the visited run, or one of visit_again)
 * and scalars. false: it is none, or something was found. */
bool visit_like(Arena *arena, const Effects *ex, const LaunchModel *model, WitnessConditions required,
                const VisitedLaunch *like, const WitnessRun *contents, const VisitPartners *partners, WitnessRun *out);

/* The elements of a tensor, row-major: the next index, false after the last; and where an element lies. */
bool visit_next(const WitnessTensor *t, int64_t *index);
int64_t visit_offset(const WitnessTensor *t, const int64_t *index);

#endif
