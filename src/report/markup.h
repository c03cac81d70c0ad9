/* Text inside of HTML and XML. */
#ifndef ASSAY_REPORT_MARKUP_H
#define ASSAY_REPORT_MARKUP_H

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* Characters that mean something are escaped; what is no UTF-8, or a control character, becomes U+FFFD. */
static inline void markup_text(Text *out, const char *text, size_t size) {
  for (size_t at = 0; at < size;) {
    size_t length = utf8_length(text + at, size - at);
    unsigned char c = (unsigned char)text[at];
    if (!length || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
      text_add(out, "&#xFFFD;");
    else if (c == '<')
      text_add(out, "&lt;");
    else if (c == '>')
      text_add(out, "&gt;");
    else if (c == '&')
      text_add(out, "&amp;");
    else if (c == '"')
      text_add(out, "&quot;");
    else
      text_append(out, text + at, length);
    at += length ? length : 1;
  }
}

static inline void markup_add(Text *out, const char *text) {
  if (text) markup_text(out, text, strlen(text));
}

#endif
