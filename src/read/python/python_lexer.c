/* Tokens of Python, as in chapter 2 of its reference: names, numbers, strings, operators, and the lines and indents
 * that brackets and backslashes suspend. What is no token becomes PY_TOKEN_BAD and is left to the parser. */
#include "read/python/python_lexer.h"

#include <ctype.h>
#include <string.h>

enum { MAX_INDENTS = 100 };

typedef struct Lexer {
  Arena *arena;
  const char *text;
  uint32_t at, end;
  uint32_t depth; /* of open brackets */
  bool lines;
  bool is_file; /* of Python, whose names are one if they look alike */
  uint32_t indents[MAX_INDENTS];
  uint32_t indent_count;
  PyTokens *out;
} Lexer;

static int peek(const Lexer *l, uint32_t ahead) {
  return l->at + ahead < l->end ? (unsigned char)l->text[l->at + ahead] : 0;
}
static bool starts_name(int c) { return isalpha(c) || c == '_' || c >= 0x80; }
static bool in_name(int c) { return isalnum(c) || c == '_' || c >= 0x80; }

static void add(Lexer *l, PyTokenKind kind, uint32_t begin) {
  PyToken token = {.kind = kind, .span = {begin, l->at}, .content = {begin, l->at}};
  array_push(l->arena, l->out, token);
}

static void lex_number(Lexer *l) {
  uint32_t begin = l->at;
  if (peek(l, 0) == '0' && strchr("xXoObB", peek(l, 1)) && peek(l, 1)) {
    for (l->at += 2; isalnum(peek(l, 0)) || peek(l, 0) == '_';) l->at++;
    add(l, PY_TOKEN_NUMBER, begin);
    return;
  }
  while (isdigit(peek(l, 0)) || peek(l, 0) == '_' || peek(l, 0) == '.') l->at++;
  if ((peek(l, 0) == 'e' || peek(l, 0) == 'E') &&
      (isdigit(peek(l, 1)) || (strchr("+-", peek(l, 1)) && peek(l, 1) && isdigit(peek(l, 2)))))
    for (l->at += 2; isdigit(peek(l, 0));) l->at++;
  bool good = !starts_name(peek(l, 0));
  while (in_name(peek(l, 0))) l->at++;
  add(l, good ? PY_TOKEN_NUMBER : PY_TOKEN_BAD, begin);
}

/* True if a formatted string ends at `end`, where its quote is met. Since 3.12 there may be strings of any quotes in
 * its braces. */
static bool ends_formatted(const Lexer *l, uint32_t begin, uint32_t end) {
  uint32_t depth = 0;
  for (uint32_t i = begin; i < end; i++) {
    char c = l->text[i];
    if (c == '{' && !depth && l->text[i + 1] == '{')
      i++;
    else if (c == '{')
      depth++;
    else if (c == '}' && depth)
      depth--;
    else if (depth && (c == '\'' || c == '"')) {
      for (i++; i < end && l->text[i] != c; i++) {
      }
      if (i >= end) return false;
    }
  }
  return !depth;
}

/* At the opening quote; `begin` is before a prefix such as r or f. */
static void lex_string(Lexer *l, uint32_t begin) {
  int quote = peek(l, 0);
  bool triple = peek(l, 1) == quote && peek(l, 2) == quote;
  l->at += triple ? 3 : 1;
  uint32_t content = l->at;
  for (;; l->at++) {
    int c = peek(l, 0);
    if (l->at >= l->end || (c == '\n' && !triple)) {
      add(l, PY_TOKEN_BAD, begin);
      return;
    }
    if (c == '\\')
      l->at++;
    else if (c == quote && (!triple || (peek(l, 1) == quote && peek(l, 2) == quote)))
      break;
  }
  uint32_t stop = l->at;
  l->at += triple ? 3 : 1;
  if (l->at > l->end) l->at = l->end;
  bool formatted = false;
  for (uint32_t i = begin; l->text[i] != quote; i++) formatted |= (l->text[i] | 32) == 'f' || (l->text[i] | 32) == 't';
  add(l, formatted && !ends_formatted(l, content, stop) ? PY_TOKEN_BAD : PY_TOKEN_STRING, begin);
  l->out->data[l->out->count - 1].content = (Span){content, stop > l->end ? l->end : stop};
}

static void lex_operator(Lexer *l) {
  static const char *const operators[] = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==",
                                          "!=",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "@=", "&=", "|=", "^=", ":="};
  uint32_t begin = l->at;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (l->text[l->at] != *operators[i]) continue;
    size_t n = strlen(operators[i]);
    if (l->at + n > l->end || memcmp(l->text + l->at, operators[i], n)) continue;
    l->at += (uint32_t)n;
    add(l, PY_TOKEN_OPERATOR, begin);
    return;
  }
  int c = peek(l, 0);
  l->at++;
  if (c && strchr("([{", c)) l->depth++;
  if (c && strchr(")]}", c) && l->depth) l->depth--;
  add(l, c && strchr("+-*/%@&|^~<>()[]{},:.=;!", c) ? PY_TOKEN_OPERATOR : PY_TOKEN_BAD, begin);
}

/* At the first character of a line that is not blank. */
static void lex_indent(Lexer *l, uint32_t column) {
  while (l->indent_count > 1 && column < l->indents[l->indent_count - 1]) {
    l->indent_count--;
    add(l, PY_TOKEN_DEDENT, l->at);
  }
  if (column > l->indents[l->indent_count - 1] && l->indent_count < MAX_INDENTS) {
    l->indents[l->indent_count++] = column;
    add(l, PY_TOKEN_INDENT, l->at);
  } else if (column != l->indents[l->indent_count - 1]) {
    add(l, PY_TOKEN_BAD, l->at);
  }
}

static bool is_space(const Lexer *l) { /* a carriage return alone ends a line, which is not read */
  int c = peek(l, 0);
  return c == ' ' || c == '\t' || c == '\f' || (c == '\r' && peek(l, 1) == '\n');
}

static void skip_comment(Lexer *l) {
  while (l->at < l->end && l->text[l->at] != '\n' && (l->text[l->at] != '\r' || is_space(l))) l->at++;
}

/* Blank lines and comments, then the indent of the next line. */
static void begin_line(Lexer *l) {
  for (;;) {
    uint32_t column = 0;
    for (;; l->at++) {
      int c = peek(l, 0);
      if (c == ' ')
        column++;
      else if (c == '\t')
        column = column / 8 * 8 + 8;
      else if (c == '\f')
        column = 0;
      else if (!is_space(l))
        break;
    }
    if (peek(l, 0) == '#') skip_comment(l);
    if (l->at >= l->end) return;
    if (peek(l, 0) != '\n') {
      lex_indent(l, column);
      return;
    }
    l->at++;
  }
}

/* Python takes names that look alike (those of one form under NFKC) for one; only letters are read that are never
 * alike. */
static bool is_one_name(const Lexer *l, uint32_t begin) {
  for (uint32_t i = begin; i < l->at; i++) {
    uint32_t c = (unsigned char)l->text[i], next = i + 1 < l->at ? (unsigned char)l->text[i + 1] & 0x3f : 0;
    if (c < 0x80) continue;
    if ((c & 0xe0) == 0xc0)
      c = (c & 0x1f) << 6 | next, i++;
    else if ((c & 0xf0) == 0xe0 && i + 2 < l->at)
      c = (c & 0x0f) << 12 | next << 6 | ((unsigned char)l->text[i + 2] & 0x3f), i += 2;
    bool safe = (c >= 0xc0 && c <= 0x131) || (c >= 0x391 && c <= 0x3cf) || (c >= 0x410 && c <= 0x44f) ||
                (c >= 0x4e00 && c <= 0x9fff);
    if (!safe) return false;
  }
  return true;
}

static void lex_token(Lexer *l) {
  int c = peek(l, 0);
  uint32_t begin = l->at;
  if (starts_name(c)) {
    while (in_name(peek(l, 0))) l->at++;
    bool prefix = l->at - begin <= 2;
    for (uint32_t i = begin; i < l->at; i++) prefix = prefix && strchr("rRbBfFuUtT", l->text[i]);
    if (prefix && (peek(l, 0) == '"' || peek(l, 0) == '\''))
      lex_string(l, begin);
    else
      add(l, l->is_file && !is_one_name(l, begin) ? PY_TOKEN_BAD : PY_TOKEN_NAME, begin);
  } else if (isdigit(c) || (c == '.' && isdigit(peek(l, 1))))
    lex_number(l);
  else if (c == '"' || c == '\'')
    lex_string(l, begin);
  else
    lex_operator(l);
}

void python_lex(Arena *arena, const Source *source, Span span, bool lines, bool is_file, PyTokens *out) {
  Lexer l = {.arena = arena,
             .text = source->text,
             .at = span.begin,
             .end = span.end,
             .lines = lines,
             .is_file = is_file,
             .indent_count = 1,
             .out = out};
  if (!l.at && l.end >= 3 && !memcmp(l.text, "\xef\xbb\xbf", 3)) l.at = 3;
  if (lines) begin_line(&l);
  while (l.at < l.end) {
    int c = peek(&l, 0);
    guard_tick(arena->guard);
    if (is_space(&l))
      l.at++;
    else if (c == '#')
      skip_comment(&l);
    else if (c == '\\' && (peek(&l, 1) == '\n' || (peek(&l, 1) == '\r' && peek(&l, 2) == '\n')))
      l.at += peek(&l, 1) == '\n' ? 2 : 3;
    else if (c == '\n') {
      l.at++;
      if (!lines || l.depth) continue;
      l.at--;
      add(&l, PY_TOKEN_NEWLINE, l.at);
      l.at++;
      begin_line(&l);
    } else
      lex_token(&l);
  }
  if (lines) {
    if (out->count && out->data[out->count - 1].kind != PY_TOKEN_NEWLINE) add(&l, PY_TOKEN_NEWLINE, l.at);
    while (l.indent_count-- > 1) add(&l, PY_TOKEN_DEDENT, l.at);
  }
  add(&l, PY_TOKEN_END, l.at);
}
