/* Messages with names as parts (see message.h). */
#include "base/message.h"

#include <string.h>

#define NAME_BEGIN "\1"
#define NAME_END "\2"
static const char MARKS[] = NAME_BEGIN NAME_END;

const char *message_name(Arena *arena, const char *name) { return arena_format(arena, NAME_BEGIN "%s" NAME_END, name); }

bool message_part(const char **rest, MessagePart *part) {
  part->is_name = **rest == *NAME_BEGIN;
  part->text = *rest + part->is_name;
  part->size = (uint32_t)strcspn(part->text, MARKS);
  *rest = part->text + part->size;
  if (part->is_name && **rest) ++*rest; /* a message that was cut off may lack the mark */
  return part->size;
}

const char *message_plain(Arena *arena, const char *message) {
  if (!message || !strpbrk(message, MARKS)) return message;
  Text out = text_new(arena);
  for (MessagePart part; message_part(&message, &part);) text_append(&out, part.text, part.size);
  return text_string(&out);
}

static const char *behind_marks(const char *text) { return text + strspn(text, MARKS); }

size_t message_length(const char *message) {
  size_t length = 0;
  for (MessagePart part; message_part(&message, &part);) length += part.size;
  return length;
}

int message_compare(const char *a, const char *b) {
  for (;; a++, b++) {
    a = behind_marks(a), b = behind_marks(b);
    if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
  }
}
