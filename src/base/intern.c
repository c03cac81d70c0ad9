/* Interned strings: one open-addressing table over an array of texts (see intern.h). */
#include "base/intern.h"

#include <string.h>

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) {
  const unsigned char *p = bytes;
  uint64_t h = seed ^ 0x9E3779B97F4A7C15u;
  while (size >= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = (h ^ word) * 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
    p += 8, size -= 8;
  }
  uint64_t tail = size;
  for (; size; size--) tail = tail << 8 | p[size - 1];
  h = (h ^ tail) * 0xC4CEB9FE1A85EC53u;
  return h ^ h >> 29;
}

void intern_init(InternTable *table, Arena *arena) {
  *table = (InternTable){.arena = arena, .slot_count = 256};
  table->slots = arena_array(arena, uint32_t, table->slot_count);
  intern(table, "", 0);
}

static uint32_t find_slot(const InternTable *table, const char *text, size_t length) {
  uint32_t mask = table->slot_count - 1, i = (uint32_t)hash_bytes(text, length, 1) & mask;
  for (; table->slots[i]; i = (i + 1) & mask) {
    uint32_t id = table->slots[i] - 1;
    if (table->length.data[id] == length && !memcmp(table->text.data[id], text, length)) break;
  }
  return i;
}

static void grow(InternTable *table) {
  uint32_t *slots = arena_array(table->arena, uint32_t, 2 * table->slot_count);
  table->slots = slots, table->slot_count *= 2;
  for (uint32_t id = 0; id < table->text.count; id++)
    table->slots[find_slot(table, table->text.data[id], table->length.data[id])] = id + 1;
}

Name intern(InternTable *table, const char *text, size_t length) {
  uint32_t slot = find_slot(table, text, length);
  if (table->slots[slot]) return table->slots[slot] - 1;
  if (length > UINT32_MAX / 2) guard_throw(table->arena->guard, GUARD_LIMIT, "name too long");
  uint32_t id = table->text.count;
  const char *copy = arena_copy(table->arena, text, length); /* what may throw comes first: a table is used again */
  array_reserve(table->arena, &table->text, id + 1);
  array_reserve(table->arena, &table->length, id + 1);
  array_push(table->arena, &table->text, copy);
  array_push(table->arena, &table->length, (uint32_t)length);
  table->slots[slot] = id + 1;
  if (table->text.count * 2 > table->slot_count) grow(table);
  return id;
}

Name intern_text(InternTable *table, const char *text) { return intern(table, text, strlen(text)); }
