/* A JSON reader (RFC 8259) of recursive descent.
 *
 *   value  = object | array | string | number | "true" | "false" | "null"
 *
 * It is our own, and not a library's, for two reasons: a value must know where it stands, so that a wrong shape in
 * an operation file is reported with a caret; and what it allocates must count against --memory and be released
 * when the guard unwinds. The depth is limited, a key may not occur twice, and strings must be valid UTF-8: a lone
 * surrogate or a wrong byte is an error, not a replacement. */
#include "report/json.h"

#include "base/utf8.h"

#include <string.h>

enum { MAX_DEPTH = 128 };

typedef struct Reader {
  Arena *arena;
  const Source *source;
  size_t at;
  DiagnosticList *diagnostics;
  int depth;
} Reader;

static const Json *read_value(Reader *r);

static char peek(const Reader *r) { return r->at < r->source->size ? r->source->text[r->at] : 0; }

static Span here(const Reader *r) {
  uint32_t at = (uint32_t)(r->at < r->source->size ? r->at : r->source->size);
  return (Span){at, at};
}

static const Json *fail(Reader *r, Span span, const char *message) {
  diagnostic_add(r->diagnostics, SEVERITY_ERROR, "json.syntax", r->source, span, NULL, "%s", message);
  return NULL;
}

static void skip_space(Reader *r) {
  while (r->at < r->source->size && strchr(" \t\r\n", r->source->text[r->at]) && r->source->text[r->at]) r->at++;
}

static void utf8_encode(Text *out, uint32_t c) {
  if (c < 0x80) {
    text_char(out, (char)c);
  } else if (c < 0x800) {
    text_char(out, (char)(0xC0 | c >> 6));
    text_char(out, (char)(0x80 | (c & 63)));
  } else if (c < 0x10000) {
    text_char(out, (char)(0xE0 | c >> 12));
    text_char(out, (char)(0x80 | (c >> 6 & 63)));
    text_char(out, (char)(0x80 | (c & 63)));
  } else {
    text_char(out, (char)(0xF0 | c >> 18));
    text_char(out, (char)(0x80 | (c >> 12 & 63)));
    text_char(out, (char)(0x80 | (c >> 6 & 63)));
    text_char(out, (char)(0x80 | (c & 63)));
  }
}

/* Four hex digits; -1 if there are none. */
static int32_t read_hex4(Reader *r) {
  int32_t value = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    char c = peek(r);
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* What follows a backslash; false on an error. */
static bool read_escape(Reader *r, Text *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char c = peek(r);
  const char *simple = c ? strchr(from, c) : NULL;
  r->at++;
  if (simple) {
    text_char(out, to[simple - from]);
    return true;
  }
  if (c != 'u') return false;
  int32_t code = read_hex4(r);
  if (code < 0 || code == 0 || (code >= 0xDC00 && code <= 0xDFFF)) return false;
  if (code >= 0xD800 && code <= 0xDBFF) {
    if (peek(r) != '\\') return false;
    r->at++;
    if (peek(r) != 'u') return false;
    r->at++;
    int32_t low = read_hex4(r);
    if (low < 0xDC00 || low > 0xDFFF) return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  utf8_encode(out, (uint32_t)code);
  return true;
}

static bool read_string(Reader *r, const char **text, size_t *size, Span *span) {
  size_t begin = r->at++;
  Text out = text_new(r->arena);
  for (;;) {
    if (r->at >= r->source->size) {
      fail(r, (Span){(uint32_t)begin, (uint32_t)begin + 1}, "string without a closing quote");
      return false;
    }
    char c = r->source->text[r->at];
    if (c == '"') break;
    Span at = here(r);
    if ((unsigned char)c < 0x20) {
      fail(r, at, "control character in a string");
      return false;
    }
    r->at++;
    if (c != '\\') {
      text_char(&out, c);
    } else if (!read_escape(r, &out)) {
      fail(r, at, "invalid escape in a string");
      return false;
    }
  }
  r->at++;
  *text = text_string(&out);
  *size = out.count;
  *span = (Span){(uint32_t)begin, (uint32_t)r->at};
  size_t bad = utf8_valid_prefix(*text, *size);
  if (bad == *size) return true;
  fail(r, *span, "string is not valid UTF-8");
  return false;
}

static size_t skip_digits(Reader *r) {
  size_t begin = r->at;
  while (peek(r) >= '0' && peek(r) <= '9') r->at++;
  return r->at - begin;
}

/* number = ["-"] digits ["." digits] [("e"|"E") ["+"|"-"] digits], without superfluous leading zeros */
static bool read_number(Reader *r, Json *json) {
  size_t begin = r->at;
  if (peek(r) == '-') r->at++;
  char first = peek(r);
  size_t digits = skip_digits(r);
  bool good = digits == 1 || (digits > 1 && first != '0');
  if (good && peek(r) == '.') {
    r->at++;
    good = skip_digits(r) > 0;
  }
  if (good && (peek(r) == 'e' || peek(r) == 'E')) {
    r->at++;
    if (peek(r) == '+' || peek(r) == '-') r->at++;
    good = skip_digits(r) > 0;
  }
  json->kind = JSON_NUMBER;
  json->size = r->at - begin;
  json->text = arena_copy(r->arena, r->source->text + begin, json->size);
  if (!good) fail(r, here(r), "invalid number");
  return good;
}

static bool read_word(Reader *r, Json *json) {
  static const struct {
    const char *word;
    JsonKind kind;
  } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t size = strlen(words[i].word);
    if (r->source->size - r->at < size || memcmp(r->source->text + r->at, words[i].word, size)) continue;
    r->at += size;
    json->kind = words[i].kind;
    return true;
  }
  fail(r, here(r), r->at < r->source->size ? "expected a JSON value" : "expected a JSON value, found the end");
  return false;
}

typedef Array(JsonMember) Members;

static bool read_key(Reader *r, const Members *members, JsonMember *member) {
  size_t size;
  if (peek(r) != '"') {
    fail(r, here(r), "expected a quoted key");
    return false;
  }
  if (!read_string(r, &member->key, &size, &member->key_span)) return false;
  /* Quadratic in the members of one object, which are few; big objects are not checked. */
  for (uint32_t i = 0; members->count < 64 && i < members->count; i++) {
    if (strcmp(members->data[i].key, member->key)) continue;
    fail(r, member->key_span, "this key occurs twice");
    return false;
  }
  skip_space(r);
  if (peek(r) != ':') {
    fail(r, here(r), "expected ':'");
    return false;
  }
  r->at++;
  skip_space(r);
  return true;
}

/* Both kinds of container: "[" [value {"," value}] "]"  and  "{" [key ":" value {"," key ":" value}] "}" */
static bool read_members(Reader *r, Json *json, char close) {
  Members members = {0};
  r->at++;
  skip_space(r);
  while (peek(r) != close) {
    JsonMember member = {0};
    if (close == '}' && !read_key(r, &members, &member)) return false;
    member.value = read_value(r);
    if (!member.value) return false;
    array_push(r->arena, &members, member);
    if (peek(r) == close) break;
    if (peek(r) != ',') {
      fail(r, here(r), close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
      return false;
    }
    r->at++;
    skip_space(r);
    if (peek(r) != close) continue;
    fail(r, here(r), "a comma before the end is not allowed in JSON");
    return false;
  }
  r->at++;
  json->members = members.data;
  json->count = members.count;
  return true;
}

static const Json *read_value(Reader *r) {
  guard_tick(r->arena->guard);
  Json *json = arena_new(r->arena, Json);
  size_t begin = r->at;
  if (++r->depth > MAX_DEPTH) return fail(r, here(r), "nested too deeply");
  bool good;
  char c = peek(r);
  if (c == '{') {
    json->kind = JSON_OBJECT;
    good = read_members(r, json, '}');
  } else if (c == '[') {
    json->kind = JSON_ARRAY;
    good = read_members(r, json, ']');
  } else if (c == '"') {
    Span span;
    json->kind = JSON_STRING;
    good = read_string(r, &json->text, &json->size, &span);
  } else if (c == '-' || (c >= '0' && c <= '9')) {
    good = read_number(r, json);
  } else {
    good = read_word(r, json);
  }
  r->depth--;
  if (!good) return NULL;
  json->span = (Span){(uint32_t)begin, (uint32_t)r->at};
  skip_space(r);
  return json;
}

const Json *json_read(Arena *arena, const Source *source, size_t *offset, DiagnosticList *diagnostics) {
  Reader reader = {arena, source, *offset, diagnostics, 0};
  skip_space(&reader);
  const Json *json = read_value(&reader);
  *offset = reader.at;
  return json;
}

const Json *json_read_whole(Arena *arena, const Source *source, DiagnosticList *diagnostics) {
  size_t at = 0;
  const Json *json = json_read(arena, source, &at, diagnostics);
  if (!json || at == source->size) return json;
  diagnostic_add(diagnostics, SEVERITY_ERROR, "json.syntax", source, (Span){(uint32_t)at, (uint32_t)at}, NULL,
                 "text after the end of the JSON value");
  return NULL;
}

const Json *json_get(const Json *object, const char *key) {
  if (!object || object->kind != JSON_OBJECT) return NULL;
  for (uint32_t i = 0; i < object->count; i++)
    if (!strcmp(object->members[i].key, key)) return object->members[i].value;
  return NULL;
}

const char *json_get_string(const Json *object, const char *key) {
  const Json *value = json_get(object, key);
  return value && value->kind == JSON_STRING ? value->text : NULL;
}

const char *json_kind_name(JsonKind kind) {
  switch (kind) {
  case JSON_NULL: return "null";
  case JSON_FALSE:
  case JSON_TRUE: return "a boolean";
  case JSON_NUMBER: return "a number";
  case JSON_STRING: return "a string";
  case JSON_ARRAY: return "an array";
  case JSON_OBJECT: return "an object";
  }
  return "?";
}
