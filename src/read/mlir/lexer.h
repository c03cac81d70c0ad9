/* The lexer of MLIR-like text, shared by the readers of such languages.
 *
 * `lexer_next` moves to the next token; a token is a slice of the source. White space and `//` comments separate
 * tokens. Keywords are not told apart: the parser compares texts. */
#ifndef ASSAY_READ_LEXER_H
#define ASSAY_READ_LEXER_H

#include <stdbool.h>
#include <string.h>

#include "base/source.h"

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_BAD,    /* a byte that starts no token, or a string that does not end */
  TOKEN_WORD,   /* tt.load, dense, x, i32 */
  TOKEN_VALUE,  /* %x, %0, %c-1_i32 */
  TOKEN_BLOCK,  /* ^bb1 */
  TOKEN_SYMBOL, /* @name, @"quoted name" */
  TOKEN_HASH,   /* #loc12, #blocked, #0 */
  TOKEN_BANG,   /* !tt.ptr */
  TOKEN_INT,    /* 12, 0xFF */
  TOKEN_FLOAT,  /* 1.0e+3 */
  TOKEN_STRING, /* "..." with the quotes */
  TOKEN_ARROW,  /* -> */
  TOKEN_PUNCT,  /* one byte: ( ) { } [ ] < > , : = * + - ? | / ; */
} TokenKind;

typedef struct Token {
  TokenKind kind;
  uint32_t begin, end;
  bool first_on_line;
} Token;

typedef struct Lexer {
  const char *text;
  uint32_t size, at;
  Token token; /* the current one */
} Lexer;

void lexer_init(Lexer *lexer, const char *text, size_t size); /* stands on the first token */
void lexer_next(Lexer *lexer);
/* Go on at this offset: for texts such as 4x8xf32, which the parser reads by itself. */
void lexer_seek(Lexer *lexer, uint32_t at);

static inline bool lexer_is(const Lexer *lexer, char c) {
  return lexer->token.kind == TOKEN_PUNCT && lexer->text[lexer->token.begin] == c;
}
static inline bool lexer_is_word(const Lexer *lexer, const char *word) {
  uint32_t length = lexer->token.end - lexer->token.begin;
  return lexer->token.kind == TOKEN_WORD && !strncmp(lexer->text + lexer->token.begin, word, length) && !word[length];
}

#endif
