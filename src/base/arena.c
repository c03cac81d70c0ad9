/* Arena: chunks of doubling size, newest first (see arena.h). */
#include "base/arena.h"

#include <stdio.h>
#include <string.h>

struct ArenaChunk {
  ArenaChunk *older;
  size_t size;
  char *used_end; /* where `next` stood when a newer chunk was begun */
};

enum { ALIGN = 16, FIRST_CHUNK = 1 << 14, LARGEST_CHUNK = 1 << 22 };

static size_t round_up(size_t size) { return (size + ALIGN - 1) & ~(size_t)(ALIGN - 1); }

void arena_init(Arena *arena, Guard *guard) { *arena = (Arena){.guard = guard}; }

Arena *arena_new_child(Arena *parent) {
  Arena *child = arena_new(parent, Arena);
  arena_init(child, parent->guard);
  child->sibling = parent->children;
  parent->children = child;
  return child;
}

static void drop_children(Arena *arena, const Arena *kept) {
  while (arena->children != kept) {
    Arena *child = arena->children;
    arena->children = child->sibling;
    arena_destroy(child);
  }
}

static void drop_newest(Arena *arena) {
  ArenaChunk *chunk = arena->chunk;
  arena->chunk = chunk->older;
  guard_free(arena->guard, chunk, chunk->size);
}

void arena_destroy(Arena *arena) {
  drop_children(arena, NULL);
  while (arena->chunk) drop_newest(arena);
  arena->next = arena->end = NULL;
}

static void add_chunk(Arena *arena, size_t need) {
  size_t size = arena->chunk ? arena->chunk->size * 2 : FIRST_CHUNK;
  if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
  if (size < need + round_up(sizeof(ArenaChunk))) size = need + round_up(sizeof(ArenaChunk));
  ArenaChunk *chunk = guard_malloc(arena->guard, size);
  chunk->older = arena->chunk;
  chunk->size = size;
  if (arena->chunk) arena->chunk->used_end = arena->next;
  arena->chunk = chunk;
  arena->next = (char *)chunk + round_up(sizeof(ArenaChunk));
  arena->end = (char *)chunk + size;
}

void *arena_alloc(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) guard_throw(arena->guard, GUARD_MEMORY, "allocation of %zu bytes", size);
  size = round_up(size);
  guard_count(arena->guard);
  guard_tick(arena->guard);
  if ((size_t)(arena->end - arena->next) < size || !arena->chunk) add_chunk(arena, size);
  void *memory = arena->next;
  arena->next += size;
  return memset(memory, 0, size);
}

void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size) {
  size_t old_room = round_up(old_size), new_room = round_up(new_size);
  guard_tick(arena->guard);
  if (old && (char *)old + old_room == arena->next && (size_t)(arena->end - (char *)old) >= new_room) {
    memset(arena->next, 0, new_room - old_room);
    arena->next = (char *)old + new_room;
    return old;
  }
  void *memory = arena_alloc(arena, new_size);
  if (old_size) memcpy(memory, old, old_size);
  return memory;
}

char *arena_copy(Arena *arena, const char *text, size_t size) {
  char *copy = arena_alloc(arena, size + 1);
  if (size) memcpy(copy, text, size);
  return copy;
}

char *arena_format(Arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

ArenaMark arena_mark(const Arena *arena) { return (ArenaMark){arena->chunk, arena->next, arena->children}; }

void arena_reset(Arena *arena, ArenaMark mark) {
  drop_children(arena, mark.children);
  while (arena->chunk != mark.chunk) drop_newest(arena);
  arena->next = mark.next;
  arena->end = mark.chunk ? (char *)mark.chunk + mark.chunk->size : NULL;
}
