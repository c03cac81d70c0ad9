/* Interned strings: equal text iff equal id. Ids are dense and start at 0, which is the empty string. */
#ifndef ASSAY_BASE_INTERN_H
#define ASSAY_BASE_INTERN_H

#include "base/array.h"

typedef uint32_t Name;

typedef struct InternTable {
  Arena *arena;
  Array(const char *) text;
  Array(uint32_t) length;
  uint32_t *slots; /* id + 1; 0: free */
  uint32_t slot_count;
} InternTable;

void intern_init(InternTable *table, Arena *arena);
Name intern(InternTable *table, const char *text, size_t length);
Name intern_text(InternTable *table, const char *text); /* NUL-terminated */
static inline const char *intern_string(const InternTable *table, Name name) { return table->text.data[name]; }
uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
