/* A large array of which few elements are used: zeroed memory for those pages alone that are touched. Elements stay
 * where they are. */
#ifndef ASSAY_BASE_PAGES_H
#define ASSAY_BASE_PAGES_H

#include "base/arena.h"

enum { PAGE_ELEMENTS = 64 };

typedef struct Pages {
  char **page; /* NULL: all of its elements are zero */
  size_t count;
} Pages;

static inline void *pages_at(Arena *arena, Pages *pages, size_t index, size_t element_size) {
  size_t at = index / PAGE_ELEMENTS;
  if (at >= pages->count) {
    size_t room = at + at / 2 + 8;
    pages->page = arena_grow(arena, pages->page, sizeof(char *) * pages->count, sizeof(char *) * room);
    pages->count = room;
  }
  if (!pages->page[at]) pages->page[at] = arena_alloc(arena, element_size * PAGE_ELEMENTS);
  return pages->page[at] + element_size * (index % PAGE_ELEMENTS);
}

#endif
