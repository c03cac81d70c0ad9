/* Attributes and locations.
 *
 * A number gets its meaning from the type after it, `: f32`; so the parser notes where the literal stands, reads the
 * type, and converts then. Dense literals are read the same way: skip to the type, read it, come back. Integers are
 * kept sign-extended from their width (i1: 0 or 1), floats as the bit pattern of their own format. Decimal floats go
 * through the nearest double, as MLIR does. */
#include "read/mlir/parser.h"

#include <locale.h>
#include <stdlib.h>

AttrId attr_new(Parser *r, Attr attr) {
  array_push(r->arena, &r->p->attrs, attr);
  return r->p->attrs.count - 1;
}

AttrId attr_keyword(Parser *r, const char *text) {
  return attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = intern_text(r->names, text)});
}

AttrId attr_int(Parser *r, int64_t value, uint32_t width) {
  return attr_new(r, (Attr){.kind = ATTR_INT, .type = program_type_int(r->p, width), .integer = value});
}

static AttrId raw(Parser *r, uint32_t begin) {
  uint32_t end = r->lexer.token.begin;
  while (end > begin && strchr(" \n\t\r", r->lexer.text[end - 1])) end--;
  return attr_new(r, (Attr){.kind = ATTR_RAW, .text = intern(r->names, r->lexer.text + begin, end - begin)});
}

/* ---- numbers */

typedef struct Literal {
  Token token;
  bool negative;
} Literal;

static bool parse_literal(Parser *r, Literal *out) {
  out->negative = parser_accept(r, '-');
  out->token = r->lexer.token;
  TokenKind kind = out->token.kind;
  if (kind != TOKEN_INT && kind != TOKEN_FLOAT && !lexer_is_word(&r->lexer, "true") &&
      !lexer_is_word(&r->lexer, "false"))
    return parser_expected(r, "a number");
  lexer_next(&r->lexer);
  return true;
}

static bool bad_literal(Parser *r, const Literal *literal, TypeId type, const char *why) {
  return parser_error(r, "parse.number", (Span){literal->token.begin, literal->token.end}, NULL,
                      "this %s as a number of type %s", why, parser_show_type(r, type));
}

static double decimal(Parser *r, const Literal *literal) {
  uint32_t length = literal->token.end - literal->token.begin;
  char *text = arena_copy(r->arena, r->lexer.text + literal->token.begin, length), *dot = strchr(text, '.');
  const char *point = localeconv()->decimal_point;
  if (dot && point[0] != '.' && point[0]) *dot = point[0];
  double value = strtod(text, NULL);
  return literal->negative ? -value : value;
}

/* The digits as an unsigned number; false when it does not fit in 64 bits. */
static bool digits(Parser *r, const Literal *literal, uint64_t *out) {
  const char *text = r->lexer.text + literal->token.begin;
  uint32_t length = literal->token.end - literal->token.begin;
  bool hex = length > 2 && text[1] == 'x';
  uint64_t base = hex ? 16 : 10;
  *out = 0;
  for (uint32_t i = hex ? 2 : 0; i < length; i++) {
    uint64_t digit = (uint64_t)(text[i] <= '9' ? text[i] - '0' : (text[i] | 32) - 'a' + 10);
    if (*out > (UINT64_MAX - digit) / base) return false;
    *out = *out * base + digit;
  }
  return true;
}

static AttrId convert_float(Parser *r, const Literal *literal, TypeId type, const Type *t) {
  const char *text = r->lexer.text + literal->token.begin;
  bool hex = literal->token.kind == TOKEN_INT && literal->token.end - literal->token.begin > 2 && text[1] == 'x';
  Attr attr = {.kind = ATTR_FLOAT, .type = type};
  if (literal->token.kind == TOKEN_WORD) return bad_literal(r, literal, type, "does not do");
  if (hex) {
    if (literal->negative || !digits(r, literal, &attr.bits) || (t->width < 64 && attr.bits >> t->width))
      return bad_literal(r, literal, type, "bit pattern does not fit");
  } else {
    attr.bits = program_float_encode(t->format, decimal(r, literal));
  }
  return attr_new(r, attr);
}

static int64_t sign_extend(uint64_t value, uint32_t width) {
  if (width >= 64) return (int64_t)value;
  return (int64_t)(value << (64 - width)) >> (64 - width);
}

static AttrId convert_int(Parser *r, const Literal *literal, TypeId type, const Type *t) {
  uint64_t value;
  bool boolean = t->kind == TYPE_INT && t->width == 1;
  Attr attr = {.kind = boolean ? ATTR_BOOL : ATTR_INT, .type = type};
  if (literal->token.kind == TOKEN_WORD) {
    if (!boolean || literal->negative) return bad_literal(r, literal, type, "does not do");
    attr.integer = r->lexer.text[literal->token.begin] == 't';
    return attr_new(r, attr);
  }
  if (literal->token.kind == TOKEN_FLOAT) return bad_literal(r, literal, type, "does not do");
  bool fits = digits(r, literal, &value);
  uint64_t limit = literal->negative ? 1ull << (t->width - 1) : t->width == 64 ? UINT64_MAX : (1ull << t->width) - 1;
  if (!fits || value > limit) return bad_literal(r, literal, type, "does not fit");
  if (literal->negative) value = 0 - value;
  attr.integer = boolean ? (int64_t)(value & 1) : t->sign == 2 ? (int64_t)value : sign_extend(value, t->width);
  return attr_new(r, attr);
}

static AttrId convert(Parser *r, const Literal *literal, TypeId type) {
  const Type *t = program_get_type(r->p, type);
  Type copy = *t;
  if (copy.kind == TYPE_FLOAT) return convert_float(r, literal, type, &copy);
  if (copy.kind == TYPE_INT || copy.kind == TYPE_INDEX) return convert_int(r, literal, type, &copy);
  return bad_literal(r, literal, type, "does not do");
}

static AttrId parse_number(Parser *r) {
  Literal literal;
  if (!parse_literal(r, &literal)) return 0;
  TypeId type;
  if (parser_accept(r, ':'))
    type = parse_type(r);
  else if (literal.token.kind == TOKEN_WORD)
    type = program_type_int(r->p, 1);
  else if (literal.token.kind == TOKEN_FLOAT)
    type = program_type_float(r->p, FLOAT_F64);
  else
    type = program_type_int(r->p, 64);
  return type ? convert(r, &literal, type) : 0;
}

/* ---- dense<...> : type */

static bool parse_dense_items(Parser *r, TypeId element, uint32_t level, uint32_t rank, bool *splat) {
  if (!parser_accept(r, '[')) {
    Literal literal;
    AttrId item = parse_literal(r, &literal) ? convert(r, &literal, element) : 0;
    if (item) array_push(r->arena, &r->items, item);
    if (item && level && level != rank)
      return parser_error(r, "parse.dense", (Span){literal.token.begin, literal.token.end}, NULL,
                          "the nesting of this literal does not fit the tensor's rank");
    *splat |= !level;
    return item != 0;
  }
  if (parser_accept(r, ']')) return true;
  if (!parser_enter(r)) return false;
  bool good = true;
  do good = parse_dense_items(r, element, level + 1, rank, splat);
  while (good && parser_accept(r, ','));
  parser_leave(r);
  return good && parser_expect(r, ']');
}

/* dense<"0x..">: the bytes of all elements, or of one, little-endian. */
static bool parse_dense_bytes(Parser *r, TypeId element, int64_t lanes) {
  const Type t = *program_get_type(r->p, element);
  Span span = parser_span(r);
  const char *text = r->lexer.text + span.begin + 1;
  if (!t.width)
    return parser_error(r, "parse.dense", span, NULL, "a literal of %s is not possible", parser_show_type(r, element));
  uint32_t length = span.end - span.begin - 2, bytes = t.width == 1 ? 1 : (t.width + 7) / 8;
  if (length < 2 || text[0] != '0' || text[1] != 'x' || length % 2 || (t.width == 1 && length > 4 && lanes > 8))
    return parser_error(r, "parse.dense", span, NULL, "expected a string of hexadecimal bytes");
  uint32_t count = (length - 2) / 2 / bytes;
  if ((int64_t)count != lanes && count != 1)
    return parser_error(r, "parse.dense", span, NULL, "%u elements for a tensor of %lld", count, (long long)lanes);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    for (uint32_t b = bytes; b--;) {
      char pair[3] = {text[2 + 2 * (i * bytes + b)], text[3 + 2 * (i * bytes + b)], 0}, *end;
      bits = bits << 8 | (strtoul(pair, &end, 16) & 0xFF);
      if (*end) return parser_error(r, "parse.dense", span, NULL, "expected a string of hexadecimal bytes");
    }
    Attr item = {.kind = t.kind == TYPE_FLOAT ? ATTR_FLOAT : t.width == 1 ? ATTR_BOOL : ATTR_INT, .type = element};
    if (t.kind == TYPE_FLOAT)
      item.bits = bits;
    else
      item.integer = t.width == 1 ? (int64_t)(bits & 1) : sign_extend(bits, t.width);
    array_push(r->arena, &r->items, attr_new(r, item));
  }
  lexer_next(&r->lexer);
  return true;
}

static const AttrId *take_items(Parser *r, uint32_t base, uint32_t *count) {
  *count = r->items.count - base;
  AttrId *items = arena_array(r->arena, AttrId, *count ? *count : 1);
  if (*count) memcpy(items, r->items.data + base, *count * sizeof *items);
  r->items.count = base;
  return items;
}

/* Of that type, or (0) of the one behind it. */
static AttrId parse_dense_of(Parser *r, TypeId type) {
  Span start = parser_span(r);
  lexer_next(&r->lexer);
  if (!lexer_is(&r->lexer, '<')) return parser_expected(r, "`<` after `dense`");
  uint32_t inside = r->lexer.token.end;
  if (!parser_skip_balanced(r)) return 0;
  Span type_span = parser_span(r);
  if (!type || lexer_is(&r->lexer, ':')) type = parser_expect(r, ':') ? parse_type(r) : 0;
  if (!type) return 0;
  uint32_t after = r->lexer.token.begin, base = r->items.count;
  const Type t = *program_get_type(r->p, type);
  if (t.kind != TYPE_TENSOR) {
    if (t.kind == TYPE_OPAQUE) return lexer_seek(&r->lexer, after), raw(r, start.begin);
    return parser_error(r, "parse.type", type_span, NULL, "a dense literal is a tensor, not %s",
                        parser_show_type(r, type));
  }
  for (uint32_t k = 0; k < t.rank; k++)
    if (t.dims[k] < 0) return parser_error(r, "parse.dense", type_span, NULL, "a dense literal has a static shape");
  int64_t lanes = program_lane_count(r->p, type);
  bool splat = false;
  lexer_seek(&r->lexer, inside);
  bool good = r->lexer.token.kind == TOKEN_STRING ? parse_dense_bytes(r, t.element, lanes)
                                                  : parse_dense_items(r, t.element, 0, t.rank, &splat);
  if (!good || !parser_expect(r, '>')) return 0;
  lexer_seek(&r->lexer, after);
  uint32_t count;
  const AttrId *items = take_items(r, base, &count);
  if (!splat && (int64_t)count != lanes && count != 1)
    return parser_error(r, "parse.dense", start, NULL, "%u elements for a tensor of %lld", count, (long long)lanes);
  return attr_new(r, (Attr){.kind = ATTR_DENSE, .type = type, .items = items, .count = count});
}

static AttrId parse_dense(Parser *r) { return parse_dense_of(r, 0); }

/* ---- sparse<indices, values> : type, elements elsewhere are zero */

enum { SPARSE_MOST = 1 << 20 };

/* [[0, 1], [2, 3]], [1, 2] or 0: numbers, read as those of that type. */
static bool parse_nested(Parser *r, TypeId element) {
  if (!parser_accept(r, '[')) {
    Literal literal;
    AttrId item = parse_literal(r, &literal) ? convert(r, &literal, element) : 0;
    if (item) array_push(r->arena, &r->items, item);
    return item != 0;
  }
  if (parser_accept(r, ']')) return true;
  if (!parser_enter(r)) return false;
  bool good = true;
  do good = parse_nested(r, element);
  while (good && parser_accept(r, ','));
  parser_leave(r);
  return good && parser_expect(r, ']');
}

static AttrId sparse_items(Parser *r, Span start, TypeId type, uint32_t base, uint32_t indices) {
  const Type t = *program_get_type(r->p, type);
  uint32_t values = r->items.count - base - indices, points = t.rank ? indices / t.rank : 0;
  int64_t lanes = program_lane_count(r->p, type);
  if (lanes < 0 || lanes > SPARSE_MOST || points * t.rank != indices || (values != points && values != 1))
    return parser_error(r, "parse.dense", start, NULL, "the indices and values of this literal do not fit");
  TypeKind kind = program_get_type(r->p, t.element)->kind;
  AttrId zero = attr_new(r, (Attr){.kind = kind == TYPE_FLOAT ? ATTR_FLOAT : ATTR_INT, .type = t.element});
  AttrId *items = arena_array(r->arena, AttrId, (size_t)lanes + 1);
  for (int64_t i = 0; i < lanes; i++) items[i] = zero;
  for (uint32_t k = 0; k < points; k++) {
    int64_t at = 0;
    for (uint32_t d = 0; d < t.rank; d++) {
      int64_t index = program_get_attr(r->p, r->items.data[base + k * t.rank + d])->integer;
      if (index < 0 || index >= t.dims[d])
        return parser_error(r, "parse.dense", start, NULL, "an index of this literal lies outside of its type");
      at = at * t.dims[d] + index;
    }
    items[at] = r->items.data[base + indices + (values == 1 ? 0 : k)];
  }
  r->items.count = base;
  return attr_new(r, (Attr){.kind = ATTR_DENSE, .type = type, .items = items, .count = (uint32_t)lanes});
}

/* `given`: the type is told by what is around, and none is written. */
static AttrId parse_sparse(Parser *r, TypeId given) {
  Span start = parser_span(r);
  lexer_next(&r->lexer);
  if (!lexer_is(&r->lexer, '<')) return parser_expected(r, "`<` after `sparse`");
  uint32_t inside = r->lexer.token.end, base = r->items.count;
  if (!parser_skip_balanced(r) || (!given && !parser_expect(r, ':'))) return 0;
  TypeId type = given ? given : parse_type(r);
  if (!type) return 0;
  uint32_t after = r->lexer.token.begin;
  if (program_get_type(r->p, type)->kind != TYPE_TENSOR)
    return parser_error(r, "parse.type", start, NULL, "a sparse literal is a tensor");
  lexer_seek(&r->lexer, inside);
  uint32_t indices = 0;
  if (!lexer_is(&r->lexer, '>')) {
    if (!parse_nested(r, program_type_int(r->p, 64))) return 0;
    indices = r->items.count - base;
    if (!parser_expect(r, ',') || !parse_nested(r, program_get_type(r->p, type)->element)) return 0;
  }
  if (!parser_expect(r, '>')) return 0;
  lexer_seek(&r->lexer, after);
  return sparse_items(r, start, type, base, indices);
}

AttrId parse_literal_of(Parser *r, TypeId type) {
  const Type t = *program_get_type(r->p, type);
  if (lexer_is_word(&r->lexer, "dense") && t.kind == TYPE_MEMREF)
    return parse_dense_of(r, program_type_tensor(r->p, t.element, t.rank, t.dims));
  if (lexer_is_word(&r->lexer, "sparse") && t.kind == TYPE_MEMREF)
    return parse_sparse(r, program_type_tensor(r->p, t.element, t.rank, t.dims));
  return parse_attribute(r);
}

/* ---- the other kinds */

/* array<i32: 0, 1> */
static AttrId parse_array(Parser *r) {
  lexer_next(&r->lexer);
  uint32_t base = r->items.count, count;
  if (!parser_expect(r, '<')) return 0;
  TypeId type = parse_type(r);
  if (!type) return 0;
  if (parser_accept(r, ':')) {
    do {
      Literal literal;
      AttrId item = parse_literal(r, &literal) ? convert(r, &literal, type) : 0;
      if (!item) return 0;
      array_push(r->arena, &r->items, item);
    } while (parser_accept(r, ','));
  }
  if (!parser_expect(r, '>')) return 0;
  const AttrId *items = take_items(r, base, &count);
  return attr_new(r, (Attr){.kind = ATTR_ARRAY, .type = type, .items = items, .count = count});
}

static AttrId parse_list(Parser *r) {
  lexer_next(&r->lexer);
  uint32_t base = r->items.count, count;
  if (!lexer_is(&r->lexer, ']')) {
    do {
      AttrId item = parse_attribute(r);
      if (!item) return 0;
      array_push(r->arena, &r->items, item);
    } while (parser_accept(r, ','));
  }
  if (!parser_expect(r, ']')) return 0;
  const AttrId *items = take_items(r, base, &count);
  return attr_new(r, (Attr){.kind = ATTR_ARRAY, .items = items, .count = count});
}

bool parse_attribute_entries(Parser *r) {
  if (!parser_expect(r, '{')) return false;
  if (parser_accept(r, '}')) return true;
  do {
    TokenKind kind = r->lexer.token.kind;
    if (kind != TOKEN_WORD && kind != TOKEN_STRING) return parser_expected(r, "an attribute name");
    if (r->lexer.token.end - r->lexer.token.begin == 2 && kind == TOKEN_STRING)
      return parser_expected(r, "an attribute name");
    NamedAttr entry = {kind == TOKEN_STRING ? parser_string(r, 0) : parser_name(r, 0), 0};
    lexer_next(&r->lexer);
    if (parser_accept(r, '='))
      entry.value = parse_attribute(r);
    else
      entry.value = attr_new(r, (Attr){.kind = ATTR_UNIT});
    if (!entry.value) return false;
    array_push(r->arena, &r->attrs, entry);
  } while (parser_accept(r, ','));
  return parser_expect(r, '}');
}

bool parse_optional_dict(Parser *r) { return !lexer_is(&r->lexer, '{') || parse_attribute_entries(r); }

static AttrId parse_dict(Parser *r) {
  uint32_t base = r->attrs.count;
  if (!parse_attribute_entries(r)) return 0;
  uint32_t count = r->attrs.count - base;
  Name *keys = arena_array(r->arena, Name, count + 1);
  AttrId *items = arena_array(r->arena, AttrId, count + 1);
  for (uint32_t i = 0; i < count; i++) keys[i] = r->attrs.data[base + i].name, items[i] = r->attrs.data[base + i].value;
  r->attrs.count = base;
  return attr_new(r, (Attr){.kind = ATTR_DICT, .items = items, .keys = keys, .count = count});
}

static bool starts(const Parser *r, const char *prefix) {
  const Token *t = &r->lexer.token;
  size_t length = strlen(prefix);
  return t->end - t->begin >= length && !strncmp(r->lexer.text + t->begin, prefix, length);
}

static AttrId parse_hash(Parser *r) {
  Span span = parser_span(r);
  if (starts(r, "#ttg.") || starts(r, "#triton_gpu.") || starts(r, "#ttng.") || starts(r, "#triton_nvidia_gpu.")) {
    r->ttgir = r->stop = true;
    diagnostic_add(r->diagnostics, SEVERITY_ERROR, "input.ttgir", r->source, span,
                   "pass the .ttir file that lies beside it in Triton's cache",
                   "this is TTGIR (it has layouts), not TTIR");
    return 0;
  }
  Alias *alias = parser_alias(r, parser_name(r, 1));
  lexer_next(&r->lexer);
  if (memchr(r->lexer.text + span.begin, '.', span.end - span.begin)) {
    if (lexer_is(&r->lexer, '<') && !parser_skip_balanced(r)) return 0;
    return raw(r, span.begin);
  }
  if (alias->attr) return alias->attr;
  return parser_error(r, "parse.undefined", span, NULL, "the alias `%.*s` is not defined", (int)(span.end - span.begin),
                      r->lexer.text + span.begin);
}

static AttrId parse_symbol(Parser *r) {
  bool quoted = r->lexer.text[r->lexer.token.begin + 1] == '"';
  Name name = quoted ? parser_string(r, 1) : parser_name(r, 1);
  lexer_next(&r->lexer);
  return attr_new(r, (Attr){.kind = ATTR_SYMBOL, .text = name});
}

static AttrId parse_string_attribute(Parser *r) {
  Attr attr = {.kind = ATTR_STRING, .text = parser_string(r, 0)};
  lexer_next(&r->lexer);
  if (parser_accept(r, ':')) {
    attr.type = parse_type(r);
    if (!attr.type) return 0;
  }
  return attr_new(r, attr);
}

/* Words that begin an attribute; types are attributes as well. */
static AttrId parse_word_attribute(Parser *r) {
  Lexer *l = &r->lexer;
  uint32_t begin = l->token.begin;
  static const char *const bracketed[] = {"affine_map", "affine_set", "dense_resource", "sparse",
                                          "opaque",     "strided",    "distinct"};
  if (lexer_is_word(l, "true") || lexer_is_word(l, "false")) return parse_number(r);
  if (lexer_is_word(l, "dense")) return parse_dense(r);
  if (r->mlir && (lexer_is_word(l, "affine_map") || lexer_is_word(l, "affine_set"))) return parse_affine_attribute(r);
  if (r->mlir && lexer_is_word(l, "strided")) return parse_strided(r);
  if (r->mlir && lexer_is_word(l, "sparse")) return parse_sparse(r, 0);
  if (lexer_is_word(l, "array")) return parse_array(r);
  if (parser_accept_word(r, "unit")) return attr_new(r, (Attr){.kind = ATTR_UNIT});
  if (lexer_is_word(l, "loc")) {
    lexer_next(l);
    if (!lexer_is(l, '(')) return parser_expected(r, "`(` after `loc`");
    return parser_skip_balanced(r) ? raw(r, begin) : 0;
  }
  for (size_t i = 0; i < sizeof bracketed / sizeof *bracketed; i++)
    if (parser_accept_word(r, bracketed[i])) {
      if (lexer_is(l, '[') && !parser_skip_balanced(r)) return 0;
      if (lexer_is(l, '<') && !parser_skip_balanced(r)) return 0;
      if (parser_accept(r, ':') && !parse_type(r)) return 0;
      return raw(r, begin);
    }
  TypeId type = parse_type(r);
  return type ? attr_new(r, (Attr){.kind = ATTR_TYPE, .type = type}) : 0;
}

static AttrId parse_attribute_inner(Parser *r) {
  Lexer *l = &r->lexer;
  switch (l->token.kind) {
  case TOKEN_INT:
  case TOKEN_FLOAT: return parse_number(r);
  case TOKEN_STRING: return parse_string_attribute(r);
  case TOKEN_SYMBOL: return parse_symbol(r);
  case TOKEN_HASH: return parse_hash(r);
  case TOKEN_WORD: return parse_word_attribute(r);
  case TOKEN_BANG: break;
  case TOKEN_PUNCT:
    if (lexer_is(l, '-')) return parse_number(r);
    if (lexer_is(l, '[')) return parse_list(r);
    if (lexer_is(l, '{')) return parse_dict(r);
    if (lexer_is(l, '(')) break;
    return parser_expected(r, "an attribute");
  case TOKEN_END:
  case TOKEN_BAD:
  case TOKEN_VALUE:
  case TOKEN_BLOCK:
  case TOKEN_ARROW: return parser_expected(r, "an attribute");
  }
  TypeId type = parse_type(r);
  return type ? attr_new(r, (Attr){.kind = ATTR_TYPE, .type = type}) : 0;
}

AttrId parse_attribute(Parser *r) {
  if (!parser_enter(r)) return 0;
  AttrId attr = parse_attribute_inner(r);
  parser_leave(r);
  return attr;
}

/* ---- locations */

static LocId loc_new(Parser *r, Loc loc) {
  array_push(r->arena, &r->p->locs, loc);
  return r->p->locs.count - 1;
}

static bool parse_loc(Parser *r, LocId *out);

static bool parse_line_column(Parser *r, uint32_t *line, uint32_t *column) {
  int64_t a, b;
  if (!parser_integer(r, &a) || !parser_expect(r, ':') || !parser_integer(r, &b)) return false;
  *line = (uint32_t)a, *column = (uint32_t)b;
  return true;
}

/* "file":1:2 [to [3]:4] or "name" or "name"(child) */
static bool parse_named_loc(Parser *r, LocId *out) {
  Loc loc = {.kind = LOC_NAME, .text = parser_string(r, 0)};
  uint32_t line, column;
  int64_t number;
  lexer_next(&r->lexer);
  if (parser_accept(r, ':')) {
    loc.kind = LOC_FILE;
    if (!parse_line_column(r, &loc.line, &loc.column)) return false;
    if (parser_accept_word(r, "to")) {
      if (parser_accept(r, ':')) {
        if (!parser_integer(r, &number)) return false;
      } else if (!parse_line_column(r, &line, &column)) {
        return false;
      }
    }
  } else if (parser_accept(r, '(')) {
    if (!parse_loc(r, &loc.child) || !parser_expect(r, ')')) return false;
  }
  *out = loc_new(r, loc);
  return true;
}

static bool parse_fused_loc(Parser *r, LocId *out) {
  Loc loc = {.kind = LOC_FUSED};
  Array(LocId) parts = {0};
  if (lexer_is(&r->lexer, '<') && !parser_skip_balanced(r)) return false;
  if (!parser_expect(r, '[')) return false;
  if (!lexer_is(&r->lexer, ']')) {
    do {
      LocId part = 0;
      if (!parse_loc(r, &part)) return false;
      if (!loc.child) loc.child = part;
      array_push(r->arena, &parts, part);
    } while (parser_accept(r, ','));
  }
  loc.parts = parts.data, loc.part_count = parts.count;
  *out = loc_new(r, loc);
  return parser_expect(r, ']');
}

static bool parse_alias_loc(Parser *r, LocId *out) {
  Alias *alias = parser_alias(r, parser_name(r, 1));
  if (!alias->loc) alias->loc = loc_new(r, (Loc){0}), alias->used = parser_span(r);
  *out = alias->loc;
  lexer_next(&r->lexer);
  return true;
}

static bool parse_loc_inner(Parser *r, LocId *out) {
  if (r->lexer.token.kind == TOKEN_STRING) return parse_named_loc(r, out);
  if (r->lexer.token.kind == TOKEN_HASH) return parse_alias_loc(r, out);
  if (parser_accept_word(r, "unknown")) return *out = 0, true;
  if (parser_accept_word(r, "fused")) return parse_fused_loc(r, out);
  if (!parser_accept_word(r, "callsite")) return parser_expected(r, "a location");
  Loc loc = {.kind = LOC_CALLSITE};
  if (!parser_expect(r, '(') || !parse_loc(r, &loc.child) || !parser_expect_word(r, "at") ||
      !parse_loc(r, &loc.caller) || !parser_expect(r, ')'))
    return false;
  *out = loc_new(r, loc);
  return true;
}

static bool parse_loc(Parser *r, LocId *out) {
  if (!parser_enter(r)) return false;
  bool good = parse_loc_inner(r, out);
  parser_leave(r);
  return good;
}

bool parse_optional_loc(Parser *r, LocId *out) {
  if (!lexer_is_word(&r->lexer, "loc")) return true;
  lexer_next(&r->lexer);
  return parser_expect(r, '(') && parse_loc(r, out) && parser_expect(r, ')');
}
