/* Powers of names as products (see integers.h), on the text that a term has: there a power binds closest, and its
 * exponent is a number. */
#include "emit/integers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACTORS = 8 };

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *emit_integer_text(TermTable *tt, Term t) {
  const char *text = term_text(tt, t), *power = strstr(text, " ** ");
  if (!power) return text;
  Text out = text_new(tt->arena);
  for (; power; power = strstr(text, " ** ")) {
    const char *base = power;
    char *end;
    while (base > text && is_word(base[-1])) base--;
    long exponent = strtol(power + strlen(" ** "), &end, 10);
    if (base == power || isdigit((unsigned char)*base) || exponent < 2 || exponent > MOST_FACTORS) return NULL;
    text_append(&out, text, (size_t)(base - text));
    for (long i = 0; i < exponent; i++) text_format(&out, "%s%.*s", i ? " * " : "(", (int)(power - base), base);
    text_char(&out, ')');
    text = end;
  }
  text_add(&out, text);
  return text_string(&out);
}
