/* Text: a growable string in an arena (see text.h). */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

Text text_new(Arena *arena) { return (Text){.arena = arena}; }

static void reserve(Text *text, size_t more) {
  size_t need = text->count + more + 1;
  if (need <= text->capacity) return;
  if (need > UINT32_MAX / 4) guard_throw(text->arena->guard, GUARD_MEMORY, "text too long");
  size_t room = text->capacity ? 2 * (size_t)text->capacity : 64;
  if (room < need) room = need;
  text->data = arena_grow(text->arena, text->data, text->capacity, room);
  text->capacity = (uint32_t)room;
}

void text_append(Text *text, const char *bytes, size_t size) {
  reserve(text, size);
  if (size) memcpy(text->data + text->count, bytes, size);
  text->count += (uint32_t)size;
  text->data[text->count] = 0;
}

void text_add(Text *text, const char *string) { text_append(text, string, strlen(string)); }
void text_char(Text *text, char c) { text_append(text, &c, 1); }

void text_format(Text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  reserve(text, (size_t)length);
  vsnprintf(text->data + text->count, (size_t)length + 1, format, again);
  va_end(again);
  text->count += (uint32_t)length;
}

const char *text_string(Text *text) {
  reserve(text, 0);
  return text->data;
}
