/* UTF-8 at the border: what leaves Assay is always valid, whatever the names in an input were. */
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

#include <stdbool.h>

#include "base/text.h"

/* Bytes of the character at text[0] (1 to 4), or 0 if it is not valid UTF-8 there. */
size_t utf8_length(const char *text, size_t size);
bool utf8_is_control(const char *text, size_t length); /* of one character */
/* How many bytes from the beginning on are valid; `size` if all are. */
size_t utf8_valid_prefix(const char *text, size_t size);
/* Append with wrong bytes replaced by U+FFFD. */
void utf8_add(Text *out, const char *text, size_t size);
/* The same for one line on a terminal: control characters (escape sequences, line ends) become '?'. */
void utf8_add_plain(Text *out, const char *string);

#endif
