/* UTF-8 decoding by the table of the Unicode standard (3.9, table 3-7): no overlong forms, no surrogates, nothing
 * beyond U+10FFFF. */
#include "base/utf8.h"

#include <string.h>

static bool in_range(char c, unsigned low, unsigned high) {
  unsigned char byte = (unsigned char)c;
  return byte >= low && byte <= high;
}

size_t utf8_length(const char *text, size_t size) {
  if (!size) return 0;
  unsigned char c = (unsigned char)text[0];
  if (c < 0x80) return 1;
  if (c < 0xC2 || c > 0xF4) return 0;
  size_t length = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  if (size < length) return 0;
  unsigned low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80, high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
  if (!in_range(text[1], low, high)) return 0;
  for (size_t i = 2; i < length; i++)
    if (!in_range(text[i], 0x80, 0xBF)) return 0;
  return length;
}

size_t utf8_valid_prefix(const char *text, size_t size) {
  size_t at = 0;
  while (at < size) {
    size_t length = utf8_length(text + at, size - at);
    if (!length) break;
    at += length;
  }
  return at;
}

/* Characters that a terminal obeys instead of showing them: C0, DEL, C1, and those that turn the direction of what
 * follows. */
bool utf8_is_control(const char *text, size_t length) {
  const unsigned char *c = (const unsigned char *)text;
  if (length == 1) return c[0] < 0x20 || c[0] == 0x7F;
  if (length == 2) return c[0] == 0xC2 && c[1] < 0xA0;
  bool direction =
      c[0] == 0xE2 && ((c[1] == 0x80 && (c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xA8 && c[2] <= 0xAE))) ||
                       (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
  return length == 3 && direction;
}

void utf8_add(Text *out, const char *text, size_t size) {
  for (size_t at = 0; at < size;) {
    size_t good = utf8_valid_prefix(text + at, size - at);
    text_append(out, text + at, good);
    at += good;
    if (at == size) break;
    text_add(out, "\xEF\xBF\xBD");
    at++;
  }
}

void utf8_add_plain(Text *out, const char *string) {
  size_t size = strlen(string);
  for (size_t at = 0; at < size;) {
    size_t length = utf8_length(string + at, size - at);
    if (!length) {
      text_add(out, "\xEF\xBF\xBD");
      at++;
      continue;
    }
    if (utf8_is_control(string + at, length))
      text_char(out, '?');
    else
      text_append(out, string + at, length);
    at += length;
  }
}
