/* Arena: bump allocation in chunks, with one hard limit for a whole context.
 *
 * Everything that the library allocates lives in an arena; nothing is freed one by one. When the limit is
 * reached, or malloc fails, or anything else makes it impossible to go on, `guard_throw` unwinds to the one
 * guard that the caller set (see guard.h). So no function below has a failure result. */
#ifndef ASSAY_BASE_ARENA_H
#define ASSAY_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/guard.h"

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena Arena;
struct Arena {
  ArenaChunk *chunk; /* newest first */
  char *next, *end;  /* free room in the newest chunk */
  Guard *guard;      /* where failures go; also holds the byte budget */
  Arena *children;   /* newest first; destroyed with this one, or when it is reset to before they were made */
  Arena *sibling;    /* the next older child of the same parent */
};

typedef struct ArenaMark {
  ArenaChunk *chunk;
  char *next;
  Arena *children;
} ArenaMark;

void arena_init(Arena *arena, Guard *guard);
/* An arena that lies in `parent` and goes with it, so that it is given back when an unwinding passes its user. */
Arena *arena_new_child(Arena *parent);
void arena_destroy(Arena *arena);
/* Zeroed memory, aligned to 16. */
void *arena_alloc(Arena *arena, size_t size);
/* Grow `old` (of old_size bytes) to new_size; in place when it is the newest allocation. */
void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size);
char *arena_copy(Arena *arena, const char *text, size_t size); /* NUL-terminated copy */
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
ArenaMark arena_mark(const Arena *arena);
void arena_reset(Arena *arena, ArenaMark mark);

#define arena_new(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define arena_array(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

#endif
