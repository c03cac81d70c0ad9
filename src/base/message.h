/* Messages: texts of which names are parts. A name of what the message is about stands between two marks, so that who
 * prints the message says it by the name of that place: the argument's, or what the launch or the operation gives it.
 * A message without names is a plain text. */
#ifndef ASSAY_BASE_MESSAGE_H
#define ASSAY_BASE_MESSAGE_H

#include "base/text.h"

typedef struct MessagePart {
  const char *text; /* without marks */
  uint32_t size;
  bool is_name;
} MessagePart;

/* The name as a part of messages. */
const char *message_name(Arena *arena, const char *name);
/* The next part, behind which `rest` is then; false: there is none. */
bool message_part(const char **rest, MessagePart *part);
/* With the names that it was made of; NULL of NULL. */
const char *message_plain(Arena *arena, const char *message);
/* As strlen and strcmp have it of the plain texts. */
size_t message_length(const char *message);
int message_compare(const char *a, const char *b);

#endif
