/* The lexer: one pass over bytes with a table of character classes (see lexer.h). The source text ends in a NUL byte,
 * so looking one byte ahead is always allowed; a NUL byte inside the text is a bad token. */
#include "read/mlir/lexer.h"

#include <string.h>

enum { SPACE = 1, DIGIT = 2, LETTER = 4, NAME_MARK = 8 /* $ . _ - in %names */, HEX = 16, PUNCT = 32 };

__extension__ static const unsigned char class_of[256] = {
    [' '] = SPACE,
    ['\t'] = SPACE,
    ['\r'] = SPACE,
    ['\n'] = SPACE,
    ['0' ... '9'] = DIGIT | HEX,
    ['a' ... 'f'] = LETTER | HEX,
    ['A' ... 'F'] = LETTER | HEX,
    ['g' ... 'z'] = LETTER,
    ['G' ... 'Z'] = LETTER,
    ['_'] = LETTER | NAME_MARK,
    ['$'] = NAME_MARK,
    ['.'] = NAME_MARK,
    ['-'] = NAME_MARK | PUNCT,
    ['('] = PUNCT,
    [')'] = PUNCT,
    ['{'] = PUNCT,
    ['}'] = PUNCT,
    ['['] = PUNCT,
    [']'] = PUNCT,
    ['<'] = PUNCT,
    ['>'] = PUNCT,
    [','] = PUNCT,
    [':'] = PUNCT,
    ['='] = PUNCT,
    ['*'] = PUNCT,
    ['+'] = PUNCT,
    ['?'] = PUNCT,
    ['|'] = PUNCT,
    ['/'] = PUNCT,
    [';'] = PUNCT,
};

static bool is(char c, int classes) { return class_of[(unsigned char)c] & classes; }

static void skip_blank(Lexer *l) {
  const char *text = l->text;
  uint32_t at = l->at;
  bool newline = at == 0;
  for (;;) {
    while (at < l->size && is(text[at], SPACE)) newline |= text[at++] == '\n';
    if (at + 1 >= l->size || text[at] != '/' || text[at + 1] != '/') break;
    while (at < l->size && text[at] != '\n') at++;
  }
  l->at = at;
  l->token.first_on_line = newline;
}

static uint32_t scan_word(const Lexer *l, uint32_t at) {
  while (is(l->text[at], LETTER | DIGIT) || l->text[at] == '$' || l->text[at] == '.') at++;
  return at;
}

/* After % ^ # and !: digits, or letters, digits and marks. */
static uint32_t scan_suffix(const Lexer *l, uint32_t at) {
  if (is(l->text[at], DIGIT)) {
    while (is(l->text[at], DIGIT)) at++;
    return at;
  }
  while (is(l->text[at], LETTER | DIGIT | NAME_MARK)) {
    if (l->text[at] == '-' && l->text[at + 1] == '>') break;
    at++;
  }
  return at;
}

static uint32_t scan_number(const Lexer *l, uint32_t at, TokenKind *kind) {
  const char *text = l->text;
  *kind = TOKEN_INT;
  if (text[at] == '0' && text[at + 1] == 'x' && is(text[at + 2], HEX)) {
    for (at += 2; is(text[at], HEX);) at++;
    return at;
  }
  while (is(text[at], DIGIT)) at++;
  if (text[at] != '.') return at;
  *kind = TOKEN_FLOAT;
  for (at++; is(text[at], DIGIT);) at++;
  if (text[at] != 'e' && text[at] != 'E') return at;
  uint32_t mark = at++;
  if (text[at] == '+' || text[at] == '-') at++;
  if (!is(text[at], DIGIT)) return mark;
  while (is(text[at], DIGIT)) at++;
  return at;
}

/* Returns the offset after the closing quote, or 0 when the string does not end on its line. */
static uint32_t scan_string(const Lexer *l, uint32_t at) {
  for (at++; at < l->size && l->text[at] != '\n'; at++) {
    if (l->text[at] == '"') return at + 1;
    if (l->text[at] == '\\') at++;
  }
  return 0;
}

static uint32_t scan_token(const Lexer *l, uint32_t at, TokenKind *kind) {
  const char *text = l->text;
  char c = text[at];
  uint32_t end;
  *kind = TOKEN_BAD;
  if (is(c, LETTER)) return *kind = TOKEN_WORD, scan_word(l, at);
  if (is(c, DIGIT)) return scan_number(l, at, kind);
  if (c == '%' || c == '^' || c == '#' || c == '!') {
    end = scan_suffix(l, at + 1);
    if (end > at + 1) *kind = c == '%' ? TOKEN_VALUE : c == '^' ? TOKEN_BLOCK : c == '#' ? TOKEN_HASH : TOKEN_BANG;
    return end;
  }
  if (c == '"') {
    end = scan_string(l, at);
    if (!end) return at + 1;
    *kind = TOKEN_STRING;
    return end;
  }
  if (c == '@') {
    end = text[at + 1] == '"' ? scan_string(l, at + 1) : scan_suffix(l, at + 1);
    if (end <= at + 1) return at + 1;
    *kind = TOKEN_SYMBOL;
    return end;
  }
  if (c == '-' && text[at + 1] == '>') return *kind = TOKEN_ARROW, at + 2;
  if (is(c, PUNCT)) *kind = TOKEN_PUNCT;
  return at + 1;
}

void lexer_next(Lexer *l) {
  skip_blank(l);
  l->token.begin = l->token.end = l->at;
  if (l->at >= l->size) {
    l->token.kind = TOKEN_END;
    return;
  }
  l->at = scan_token(l, l->at, &l->token.kind);
  if (l->at > l->size) l->at = l->size;
  l->token.end = l->at;
}

void lexer_seek(Lexer *l, uint32_t at) {
  l->at = at;
  lexer_next(l);
}

void lexer_init(Lexer *l, const char *text, size_t size) {
  *l = (Lexer){.text = text, .size = (uint32_t)size};
  lexer_next(l);
}
