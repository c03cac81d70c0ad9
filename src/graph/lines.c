/* Lines and words of a graph's text (lines.h): spans of the source, nothing is copied. */
#include "graph/lines.h"

#include <string.h>

bool line_is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Span line_trim(const Source *s, Span span) {
  while (span.begin < span.end && strchr(" \t\r", s->text[span.begin]) && s->text[span.begin]) span.begin++;
  while (span.end > span.begin && strchr(" \t\r", s->text[span.end - 1]) && s->text[span.end - 1]) span.end--;
  return span;
}

/* The line from *at on, without its comment. */
Span line_next(const Source *s, uint32_t *at) {
  Span line = {*at, *at};
  while (line.end < s->size && s->text[line.end] != '\n') line.end++;
  *at = line.end + 1;
  for (uint32_t i = line.begin; i < line.end; i++)
    if (s->text[i] == '#') line.end = i;
  return line_trim(s, line);
}

/* The word at the beginning of the span, which is left behind it. */
Span line_take_word(const Source *s, Span *span) {
  Span word = {span->begin, span->begin};
  while (word.end < span->end && line_is_word(s->text[word.end])) word.end++;
  span->begin = word.end;
  *span = line_trim(s, *span);
  return word;
}

bool line_is(const Source *s, Span span, const char *text) {
  return span.end - span.begin == strlen(text) && !memcmp(s->text + span.begin, text, strlen(text));
}

bool line_begins(const Source *s, Span span, const char *text) {
  return span.end - span.begin >= strlen(text) && !memcmp(s->text + span.begin, text, strlen(text));
}

/* Where the sign of assignment begins, outside of brackets; the end: there is none. */
uint32_t line_find_assignment(const Source *s, Span span) {
  int depth = 0;
  for (uint32_t i = span.begin; i < span.end; i++) {
    char c = s->text[i];
    if (c == '(' || c == '[') depth++;
    if (c == ')' || c == ']') depth--;
    bool compares = (i + 1 < span.end && s->text[i + 1] == '=') || (i > span.begin && strchr("<>!=", s->text[i - 1]));
    if (c == '=' && depth <= 0 && !compares) return i;
  }
  return span.end;
}

/* Up to the next comma outside of brackets. */
Span line_take_part(const Source *s, Span *rest) {
  Span part = {rest->begin, rest->begin};
  for (int depth = 0; part.end < rest->end; part.end++) {
    char c = s->text[part.end];
    if (c && strchr("([", c)) depth++;
    if (c && strchr(")]", c)) depth--;
    if (c == ',' && depth <= 0) break;
  }
  rest->begin = part.end < rest->end ? part.end + 1 : part.end;
  return line_trim(s, part);
}
