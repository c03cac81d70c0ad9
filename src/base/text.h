/* Text: a growable string in an arena; always NUL-terminated after the first append. */
#ifndef ASSAY_BASE_TEXT_H
#define ASSAY_BASE_TEXT_H

#include "base/array.h"

typedef struct Text {
  Arena *arena;
  char *data;
  uint32_t count, capacity;
} Text;

Text text_new(Arena *arena);
void text_append(Text *text, const char *bytes, size_t size);
void text_add(Text *text, const char *string);
void text_char(Text *text, char c);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_string(Text *text);

#endif
