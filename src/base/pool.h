/* Pool: pieces of work in processes of their own, whose results come in the order of the pieces.
 *
 * A process begins with all that its parent has, and gives a text back. Its limits of memory are an equal share of what
 * the parent has left, so that all of them together stay within the parent's limit. What a process does not give, be
 * it for want of memory or of a process, the parent makes itself: results do not depend on how many there are. */
#ifndef ASSAY_BASE_POOL_H
#define ASSAY_BASE_POOL_H

#include "base/arena.h"

enum { POOL_MOST = 256 };

typedef struct PoolWork {
  void *payload;
  uint32_t count, jobs;                                /* pieces; at most so many at once */
  bool (*wants)(void *payload, uint32_t piece);        /* false: it is not, and will not be */
  const char *(*make)(void *payload, uint32_t piece);  /* in a process, or in the parent; never NULL */
  void (*take)(void *payload, uint32_t, const char *); /* in the parent, piece by piece; NULL: it is not wanted */
} PoolWork;

void pool_run(Arena *arena, const PoolWork *work);

#endif
