/* The interpreter of the format column of ops.def, for reading (src/program/print.c has the one for printing).
 *
 * A format is read from left to right, one token at a time. Operands are pushed as they come; type tokens give
 * declared types to operands in order and push result types. Afterwards `infer_results` adds the result types that
 * no syntax states: those of compares, loads and unsplat. */
#include "read/mlir/parser.h"

#include <stdio.h>

static uint32_t count_operands(const Parser *r, const Draft *d) { return r->operands.count - d->operands; }

static void declare_next(Parser *r, Draft *d, TypeId type) {
  if (d->typed < count_operands(r, d)) r->operands.data[d->operands + d->typed].type = type;
  d->typed++;
}

static void push_result(Parser *r, TypeId type) { array_push(r->arena, &r->results, type); }

bool parse_operand(Parser *r, Draft *d) {
  Operand operand;
  (void)d;
  if (!parser_use(r, &operand)) return false;
  array_push(r->arena, &r->operands, operand);
  return true;
}

bool parse_operand_list(Parser *r, Draft *d) {
  if (r->lexer.token.kind != TOKEN_VALUE) return true;
  do
    if (!parse_operand(r, d)) return false;
  while (parser_accept(r, ','));
  return true;
}

void draft_attr(Parser *r, const char *name, AttrId value) {
  array_push(r->arena, &r->attrs, (NamedAttr){intern_text(r->names, name), value});
}

AttrId draft_get_attr(Parser *r, const Draft *d, const char *name) {
  for (uint32_t i = d->attrs; i < r->attrs.count; i++)
    if (!strcmp(intern_string(r->names, r->attrs.data[i].name), name)) return r->attrs.data[i].value;
  return 0;
}

bool draft_drop_attr(Parser *r, const Draft *d, const char *name) {
  for (uint32_t i = d->attrs; i < r->attrs.count; i++)
    if (!strcmp(intern_string(r->names, r->attrs.data[i].name), name)) {
      memmove(&r->attrs.data[i], &r->attrs.data[i + 1], (r->attrs.count - i - 1) * sizeof *r->attrs.data);
      r->attrs.count--;
      return true;
    }
  return false;
}

/* ---- attributes in the middle of an op */

static bool keyword_attribute(Parser *r, const char *name) {
  TokenKind kind = r->lexer.token.kind;
  if (kind != TOKEN_WORD && kind != TOKEN_STRING) return parser_expected(r, name);
  Name text = kind == TOKEN_STRING ? parser_string(r, 0) : parser_name(r, 0);
  lexer_next(&r->lexer);
  draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = text}));
  return true;
}

static bool string_attribute(Parser *r, const char *name) {
  if (r->lexer.token.kind != TOKEN_STRING) return parser_expected(r, "a string");
  draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_STRING, .text = parser_string(r, 0)}));
  lexer_next(&r->lexer);
  /* Up to 3.1, tt.assert goes on with its file, function and line. */
  while (parser_accept(r, ',')) {
    if (r->lexer.token.kind != TOKEN_STRING && r->lexer.token.kind != TOKEN_INT)
      return parser_expected(r, "a string or a number");
    lexer_next(&r->lexer);
  }
  return true;
}

/* x, y or z; Triton 2.x writes {axis = 0 : i32} instead. */
static bool dimension_attribute(Parser *r, const char *name) {
  const Token *t = &r->lexer.token;
  if (t->kind != TOKEN_WORD) return true;
  char c = r->lexer.text[t->begin];
  if (t->end - t->begin != 1 || c < 'x' || c > 'z') return parser_expected(r, "`x`, `y` or `z`");
  draft_attr(r, name, attr_int(r, c - 'x', 32));
  lexer_next(&r->lexer);
  return true;
}

/* overflow<nsw, nuw> or fastmath<fast> */
static bool flags_attribute(Parser *r, const char *word, const char *name) {
  if (!parser_accept_word(r, word)) return true;
  if (!lexer_is(&r->lexer, '<')) return parser_expected(r, "`<`");
  uint32_t begin = r->lexer.token.end;
  if (!parser_skip_balanced(r)) return false;
  Name text = intern(r->names, r->lexer.text + begin, r->closed - begin);
  if (strcmp(intern_string(r->names, text), "none") != 0)
    draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_RAW, .text = text}));
  return true;
}

static bool rounding_attribute(Parser *r) {
  static const char *const modes[] = {"to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (parser_accept_word(r, modes[i])) draft_attr(r, "roundingmode", attr_keyword(r, modes[i]));
  return true;
}

/* The token text up to a space, copied. */
static uint32_t token_length(const char *token) { return (uint32_t)strcspn(token, " "); }

static bool word_matches(const Parser *r, const char *word, uint32_t length) {
  const Token *t = &r->lexer.token;
  return t->kind == TOKEN_WORD && t->end - t->begin == length && !strncmp(r->lexer.text + t->begin, word, length);
}

/* KEY=NAME: `KEY = keyword`; the current token is KEY. */
static bool assignment(Parser *r, const char *token, uint32_t length) {
  char name[64];
  const char *equals = memchr(token, '=', length);
  snprintf(name, sizeof name, "%.*s", (int)(length - (uint32_t)(equals + 1 - token)), equals + 1);
  lexer_next(&r->lexer);
  return parser_expect(r, '=') && keyword_attribute(r, name);
}

/* ?KEY=NAME ?KEY=NAME ..: any of them in any order. Leaves *format after the group. */
static bool optional_assignments(Parser *r, const char **format) {
  const char *begin = *format;
  for (bool again = true; again;) {
    again = false;
    const char *at = begin;
    while (*at == '?' && memchr(at, '=', token_length(at))) {
      uint32_t length = token_length(at), key = (uint32_t)strcspn(at + 1, "=");
      if (!again && word_matches(r, at + 1, key)) {
        if (!assignment(r, at + 1, length - 1)) return false;
        again = true;
      }
      at += length + (at[length] == ' ');
      *format = at;
    }
  }
  return true;
}

/* ---- types */

static bool operand_type(Parser *r, Draft *d) {
  if (!parser_accept(r, '(')) {
    TypeId type = parse_type(r);
    if (type) declare_next(r, d, type);
    return type != 0;
  }
  do {
    TypeId type = parse_type(r);
    if (!type) return false;
    declare_next(r, d, type);
  } while (parser_accept(r, ','));
  return parser_expect(r, ')');
}

static bool operand_types(Parser *r, Draft *d) {
  if (d->typed >= count_operands(r, d)) return true;
  do {
    TypeId type = parse_type(r);
    if (!type) return false;
    declare_next(r, d, type);
  } while (parser_accept(r, ','));
  if (d->typed != count_operands(r, d))
    return parser_error(r, "parse.count", parser_span(r), NULL, "%u types for %u operands", d->typed,
                        count_operands(r, d));
  return true;
}

static bool result_types(Parser *r) {
  if (lexer_is(&r->lexer, '(')) return parse_type_list(r);
  do {
    TypeId type = parse_type(r);
    if (!type) return false;
    push_result(r, type);
  } while (parser_accept(r, ','));
  return true;
}

static bool same_type(Parser *r, Draft *d) {
  TypeId type = parse_type(r);
  if (!type) return false;
  for (uint32_t i = d->operands; i < r->operands.count; i++)
    if (!r->operands.data[i].type) r->operands.data[i].type = type;
  for (uint32_t i = 0; i < d->row->results; i++) push_result(r, type);
  return true;
}

static bool functional_type(Parser *r, Draft *d) {
  Span span = parser_span(r);
  TypeId id = parse_function_type(r);
  if (!id) return false;
  const Type *t = program_get_type(r->p, id);
  if (t->rank != count_operands(r, d))
    return parser_error(r, "parse.count", span, NULL, "%u types for %u operands", t->rank, count_operands(r, d));
  for (uint32_t i = 0; i < t->rank; i++) r->operands.data[d->operands + i].type = t->members[i];
  d->typed = t->rank;
  for (uint32_t i = t->rank; i < t->member_count; i++) push_result(r, t->members[i]);
  return true;
}

/* The tensor or scalar behind an address type; 0 when it is none. */
static TypeId pointee(Parser *r, TypeId type) {
  TypeId element = program_element_type(r->p, type);
  const Type *t = program_get_type(r->p, element);
  return t->kind == TYPE_POINTER ? program_type_with_element(r->p, type, t->element) : 0;
}

/* Of a load or store: the address type, or, in Triton 2.x, that of the value. */
static bool address_type(Parser *r, Draft *d) {
  TypeId type = parse_type(r);
  if (!type) return false;
  if (pointee(r, type))
    r->operands.data[d->operands].type = type;
  else if (d->code == OP_TT_LOAD)
    push_result(r, type);
  else if (count_operands(r, d) > 1)
    r->operands.data[d->operands + 1].type = type;
  if (d->code == OP_TT_LOAD && parser_accept_arrow(r)) {
    type = parse_type(r);
    if (type) push_result(r, type);
  }
  return type != 0;
}

static bool select_type(Parser *r, Draft *d) {
  TypeId type = parse_type(r), condition = 0;
  if (!type) return false;
  if (parser_accept(r, ',')) {
    condition = type;
    type = parse_type(r);
  }
  if (!type) return false;
  if (count_operands(r, d) == 3) {
    Operand *o = &r->operands.data[d->operands];
    o[0].type = condition ? condition : program_type_int(r->p, 1);
    o[1].type = o[2].type = type;
  }
  push_result(r, type);
  return true;
}

/* O* R*, or some of O and R after S (pointer) or D (descriptor). */
static bool type_token(Parser *r, Draft *d, const char *token, uint32_t length) {
  if (length == 2 && token[1] == '*') return token[0] == 'O' ? operand_types(r, d) : result_types(r);
  if (length == 1 && token[0] == 'O') return operand_type(r, d);
  TypeId type = token[0] == 'S'   ? parse_stripped_type(r, TYPE_POINTER)
                : token[0] == 'D' ? parse_stripped_type(r, TYPE_DESCRIPTOR)
                                  : parse_type(r);
  if (!type) return false;
  for (uint32_t i = 0; i < length; i++) {
    if (token[i] == 'O') declare_next(r, d, type);
    if (token[i] == 'R') push_result(r, type);
  }
  return true;
}

/* ---- the interpreter */

static bool operand_token(Parser *r, Draft *d, const char *token, uint32_t length) {
  if (length == 1) return parse_operand(r, d);
  switch (token[1]) {
  case '?': {
    if (!lexer_is(&r->lexer, ',')) return true;
    lexer_next(&r->lexer);
    return parse_operand(r, d);
  }
  case '*':
  case '>': return parse_operand_list(r, d);
  case '1': { /* written last, stored second */
    if (!parse_operand(r, d)) return false;
    Operand *o = &r->operands.data[d->operands], last = r->operands.data[r->operands.count - 1];
    memmove(o + 2, o + 1, (count_operands(r, d) - 2) * sizeof *o);
    o[1] = last;
    return true;
  }
  }
  return parse_operand(r, d);
}

/* ?%*:O*  ?:%*:O*  ?timeout%  ?flag */
static bool optional_token(Parser *r, Draft *d, const char *token, uint32_t length) {
  if (token[1] == ':' || token[1] == '%') {
    if (token[1] == ':' && !parser_accept(r, ':')) return true;
    if (r->lexer.token.kind != TOKEN_VALUE) return true;
    d->typed = count_operands(r, d);
    return parse_operand_list(r, d) && parser_expect(r, ':') && operand_types(r, d);
  }
  if (token[length - 1] == '%')
    return !word_matches(r, token + 1, length - 2) || (lexer_next(&r->lexer), parse_operand(r, d));
  if (!word_matches(r, token + 1, length - 1)) return true;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(length - 1), token + 1);
  lexer_next(&r->lexer);
  draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_UNIT}));
  return true;
}

static bool attribute_token(Parser *r, const char *token, uint32_t length) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(length - 2), token + 2);
  if (token[0] == 'k') return keyword_attribute(r, name);
  if (token[0] == 'd') return dimension_attribute(r, name);
  return string_attribute(r, name);
}

static bool literal_token(Parser *r, const char *token, uint32_t length) {
  if (length == 1) return parser_expect(r, token[0]);
  if (token[0] == '-') return parser_expect_arrow(r);
  char word[32];
  snprintf(word, sizeof word, "%.*s", (int)length, token);
  return parser_expect_word(r, word);
}

static bool format_token(Parser *r, Draft *d, const char *token, uint32_t length) {
  switch (token[0]) {
  case '%': return operand_token(r, d, token, length);
  case '{': return parse_optional_dict(r);
  case '?': return optional_token(r, d, token, length);
  case '=':
    if (!word_matches(r, token + 1, (uint32_t)strcspn(token + 1, "=")))
      return literal_token(r, token + 1, (uint32_t)strcspn(token + 1, "="));
    return assignment(r, token + 1, length - 1);
  case 'O':
  case 'R':
  case 'S':
  case 'D': return type_token(r, d, token, length);
  case 'T': return same_type(r, d);
  case 'F': return functional_type(r, d);
  case 'p': return address_type(r, d);
  case 'o': return flags_attribute(r, "overflow", "overflowFlags");
  case 'f': return flags_attribute(r, "fastmath", "fastmath");
  case 'r': return rounding_attribute(r);
  case 's':
    if (token[1] == 'e') return select_type(r, d);
    return attribute_token(r, token, length);
  case 'k':
  case 'd': return attribute_token(r, token, length);
  case ',':
    if (length > 1) { /* ,?KEY=NAME */
      if (!lexer_is(&r->lexer, ',')) return true;
      lexer_next(&r->lexer);
      if (!word_matches(r, token + 2, (uint32_t)strcspn(token + 2, "=")))
        return parser_expected(r, "an attribute such as `inputPrecision`");
      return assignment(r, token + 2, length - 2);
    }
    return parser_expect(r, ',');
  }
  return literal_token(r, token, length);
}

static bool infer_results(Parser *r, Draft *d) {
  if (r->results.count > d->results || !d->row->results || d->row->results == ANY) return true;
  if (!count_operands(r, d)) return true;
  TypeId type = r->operands.data[d->operands].type, result = 0;
  if (!type) type = r->p->values.data[r->operands.data[d->operands].value].type;
  Opcode code = d->row->format[0] ? d->code : OP_NONE;
  if (code == OP_ARITH_CMPI || code == OP_ARITH_CMPF)
    result = type_bool_like(r, type);
  else if (code == OP_TT_LOAD)
    result = pointee(r, type);
  else if (code == OP_TT_UNSPLAT)
    result = program_element_type(r->p, type);
  if (!result)
    return parser_error(r, "parse.type", d->span, NULL, "the result type of %s cannot be found", d->row->name);
  push_result(r, result);
  return true;
}

bool parse_format(Parser *r, Draft *d, const char *format) {
  while (*format) {
    uint32_t length = token_length(format);
    if (*format == '?' && memchr(format, '=', length)) {
      if (!optional_assignments(r, &format)) return false;
      continue;
    }
    if (!format_token(r, d, format, length)) return false;
    format += length + (format[length] == ' ');
  }
  return infer_results(r, d);
}
