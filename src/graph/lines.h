/* Lines and words of a text, as spans of its source. */
#ifndef ASSAY_GRAPH_LINES_H
#define ASSAY_GRAPH_LINES_H

#include "base/source.h"

bool line_is_word(char c);
/* Without spaces at both ends. */
Span line_trim(const Source *s, Span span);
/* The line from *at on, without its comment; *at is then behind it. */
Span line_next(const Source *s, uint32_t *at);
/* The word at the beginning of the span, which is left behind it. */
Span line_take_word(const Source *s, Span *span);
bool line_is(const Source *s, Span span, const char *text);
bool line_begins(const Source *s, Span span, const char *text);
/* Where the sign of assignment begins, outside of brackets; the end: there is none. */
uint32_t line_find_assignment(const Source *s, Span span);
/* Up to the next comma outside of brackets, which is left behind. */
Span line_take_part(const Source *s, Span *rest);

#endif
