/* What a piece of Python does to names, from its tokens alone: for statements that are not parsed, or parsed and not
 * followed.
 *
 * It errs to one side: a name that might be given a value, or name an object that might be changed, is reported. Lines
 * are taken one by one (brackets suspend them); blocks are followed only to know whether a line stands in a function,
 * where assignments are of its own names and nothing happens before it is called. */
#include <string.h>

#include "read/python/python.h"
#include "read/python/python_lexer.h"

enum { MAX_BLOCKS = 100 };

typedef struct Place {
  bool is_local; /* in a function or a class: what is bound there is no name of the file */
  bool is_later; /* in a function that the statement only defines */
  bool defers;   /* functions that are defined here are not called by the statement itself */
} Place;

typedef struct Scanner {
  Arena *arena;
  const Source *source;
  PyTokens tokens;
  PyUses *out;
  Place place, next; /* of the line, and of the block after it */
  bool decorated;
} Scanner;

/* ---- tokens ---- */

static bool text_in(const Scanner *s, uint32_t i, const char *const *words, size_t count) {
  const PyToken *t = &s->tokens.data[i];
  size_t n = t->span.end - t->span.begin;
  if (t->kind != PY_TOKEN_NAME && t->kind != PY_TOKEN_OPERATOR) return false;
  for (size_t k = 0; k < count; k++)
    if (strlen(words[k]) == n && !memcmp(s->source->text + t->span.begin, words[k], n)) return true;
  return false;
}

static bool is(const Scanner *s, uint32_t i, const char *text) { return text_in(s, i, &text, 1); }
static bool is_before(const Scanner *s, uint32_t i, const char *text) { return i && is(s, i - 1, text); }
#define IS_ONE_OF(s, i, ...)                                                                                           \
  text_in(s, i, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* A name that stands for an object: no keyword, and no attribute of something else. */
static bool is_name(const Scanner *s, uint32_t i) {
  return s->tokens.data[i].kind == PY_TOKEN_NAME && !is_before(s, i, ".") &&
         !IS_ONE_OF(s, i, "and", "or", "not", "if", "elif", "else", "for", "in", "is", "return", "lambda", "while",
                    "with", "as", "pass", "assert", "del", "yield", "await", "async", "try", "except", "finally",
                    "raise", "break", "continue", "import", "from", "None", "True", "False");
}

static const char *text_of(const Scanner *s, uint32_t i) {
  Span span = s->tokens.data[i].span;
  return arena_copy(s->arena, s->source->text + span.begin, span.end - span.begin);
}

static bool opens(const Scanner *s, uint32_t i) { return IS_ONE_OF(s, i, "(", "[", "{"); }
static bool closes(const Scanner *s, uint32_t i) { return IS_ONE_OF(s, i, ")", "]", "}"); }

/* The first of `words` outside brackets in [begin, end); `end` if there is none. */
static uint32_t find(const Scanner *s, uint32_t begin, uint32_t end, const char *word) {
  uint32_t depth = 0;
  for (uint32_t i = begin; i < end; i++) {
    if (!depth && is(s, i, word)) return i;
    if (opens(s, i)) depth++;
    if (closes(s, i) && !depth--) return i;
  }
  return end;
}

/* ---- uses ---- */

static PyUse *use(Scanner *s, PyUseKind kind, const char *name) {
  array_push(s->arena, s->out, (PyUse){.kind = kind, .name = name, .path = "", .is_later = s->place.is_later});
  return &s->out->data[s->out->count - 1];
}

static void bound(Scanner *s, uint32_t i) {
  if (!s->place.is_local) use(s, PY_USE_BOUND, text_of(s, i));
}

static const char *path_after(const Scanner *s, uint32_t i) {
  Text path = text_new(s->arena);
  for (; is(s, i + 1, ".") && s->tokens.data[i + 2].kind == PY_TOKEN_NAME; i += 2)
    text_format(&path, ".%s", text_of(s, i + 2));
  return text_string(&path);
}

/* Words with which a program gets at names by other means than by naming them. What `vars(a)` and `setattr(self, ..)`
 * change is named there. */
static bool is_reflection(const Scanner *s, uint32_t i) {
  bool bare = !is_before(s, i, ".");
  if (s->tokens.data[i].kind != PY_TOKEN_NAME) return false;
  if (bare && IS_ONE_OF(s, i, "globals", "exec", "eval", "__import__")) return true;
  if (is(s, i, "modules")) return bare || (i > 1 && is(s, i - 2, "sys"));
  if (is(s, i, "locals")) return bare && !s->place.is_local;
  if (is(s, i, "vars")) return bare && !(is(s, i + 1, "(") && !is(s, i + 2, ")"));
  if (is(s, i, "setattr")) return !(is(s, i + 1, "(") && is(s, i + 2, "self"));
  if (is(s, i, "__dict__")) return !(i > 1 && is(s, i - 2, "self"));
  return IS_ONE_OF(s, i, "delattr", "reload", "monkeypatch", "metaclass", "f_globals", "f_locals", "f_back",
                   "TorchFunctionMode", "TorchDispatchMode", "__torch_function__", "__torch_dispatch__", "__code__",
                   "__defaults__", "__kwdefaults__", "__globals__", "__closure__", "__setattr__", "__delattr__",
                   "__builtins__", "__init_subclass__", "__set_name__");
}

static bool in_word(char c) {
  return c == '_' || (c & 0x80) || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* The code in a string that is formatted: every word in its braces counts as a name. */
static void formatted(Scanner *s, const PyToken *t) {
  const char *text = s->source->text;
  bool is_formatted = false;
  for (uint32_t i = t->span.begin; i < t->content.begin; i++)
    is_formatted |= (text[i] | 32) == 'f' || (text[i] | 32) == 't';
  if (!is_formatted) return;
  Span words = t->content;
  uint32_t depth = 0;
  Scanner inner = *s;
  inner.tokens = (PyTokens){0};
  for (uint32_t begin = words.begin, end; begin < words.end; begin = end) {
    for (end = begin; end < words.end && in_word(text[end]); end++) {
    }
    if (end == begin) {
      bool twice = !depth && end + 1 < words.end && text[end] == '{' && text[end + 1] == '{';
      if (text[end] == '{' && !twice) depth++;
      if (text[end] == '}' && depth) depth--;
      end += twice ? 2 : 1;
    } else if (depth) {
      PyToken name = {.kind = PY_TOKEN_NAME, .span = {begin, end}, .content = {begin, end}};
      array_push(s->arena, &inner.tokens, name);
      uint32_t i = inner.tokens.count - 1;
      array_push(s->arena, &inner.tokens, ((PyToken){.kind = PY_TOKEN_END}));
      array_push(s->arena, &inner.tokens, ((PyToken){.kind = PY_TOKEN_END}));
      if (is_reflection(&inner, i)) use(s, PY_USE_REFLECTION, text_of(&inner, i));
      use(s, PY_USE_READ, text_of(&inner, i));
      uint32_t next = end;
      while (next < words.end && text[next] == ' ') next++;
      if (next + 1 < words.end && text[next] == ':' && text[next + 1] == '=') bound(&inner, i);
    }
  }
}

static void expression(Scanner *s, uint32_t begin, uint32_t end);

/* What is assigned to in [begin, end): names, and parts of what they name. */
static void targets(Scanner *s, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) {
    bool trailer = i > begin && (s->tokens.data[i - 1].kind == PY_TOKEN_NAME || closes(s, i - 1)) &&
                   !IS_ONE_OF(s, i - 1, "in", "as");
    if (trailer && is(s, i, "[")) {
      uint32_t close = find(s, i + 1, end, "]");
      expression(s, i + 1, close);
      i = close;
      continue;
    }
    if ((trailer && is(s, i, "(")) || is_reflection(s, i)) use(s, PY_USE_REFLECTION, text_of(s, i));
    if (!is_name(s, i)) continue;
    bool part = IS_ONE_OF(s, i + 1, ".", "[", "(");
    if (part)
      use(s, PY_USE_CHANGED, text_of(s, i))->path = path_after(s, i);
    else
      bound(s, i);
  }
}

static void expression(Scanner *s, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) {
    const PyToken *t = &s->tokens.data[i];
    guard_tick(s->arena->guard);
    if (t->kind == PY_TOKEN_STRING) formatted(s, t);
    if (t->kind == PY_TOKEN_STRING && !strncmp(s->source->text + t->content.begin, "aten", 4))
      use(s, PY_USE_REFLECTION, "aten"); /* operators of PyTorch, by their name */
    if (t->kind != PY_TOKEN_NAME) continue;
    if (is_reflection(s, i)) use(s, PY_USE_REFLECTION, text_of(s, i));
    if (is(s, i, "as")) {
      uint32_t stop = find(s, i + 1, end, ",");
      uint32_t colon = find(s, i + 1, stop, ":");
      targets(s, i + 1, colon);
    }
    if (is(s, i, "for")) { /* of a comprehension: names of its own, or parts of something */
      uint32_t stop = find(s, i + 1, end, "in");
      bool parts = false;
      for (uint32_t k = i + 1; k < stop; k++) parts |= IS_ONE_OF(s, k, ".", "[");
      if (parts) targets(s, i + 1, stop);
      i = stop;
      continue;
    }
    if (!is_name(s, i)) continue;
    if (is(s, i + 1, ":=")) {
      bound(s, i);
      continue;
    }
    if (is(s, i + 1, "=") && (is_before(s, i, "(") || is_before(s, i, ","))) continue; /* a keyword of a call */
    bool asked = is_before(s, i, "(") && i > 1 && IS_ONE_OF(s, i - 2, "getattr", "hasattr");
    use(s, PY_USE_READ, text_of(s, i))->is_alone = !is(s, i + 1, ".") && !asked;
  }
}

/* ---- lines ---- */

/* The names that an import binds: the last one of each part, or the first one of `import a.b`. */
static void import_names(Scanner *s, uint32_t begin, uint32_t end, bool is_from) {
  while (begin < end) {
    uint32_t stop = begin, last = end, first = end;
    bool named = false;
    for (; stop < end && !is(s, stop, ","); stop++) {
      if (is(s, stop, "*")) use(s, PY_USE_STAR, "*");
      if (is_reflection(s, stop)) use(s, PY_USE_REFLECTION, text_of(s, stop));
      named |= is(s, stop, "as");
      if (s->tokens.data[stop].kind != PY_TOKEN_NAME) continue;
      if (first == end) first = stop;
      last = stop;
    }
    if (!is_from && first < end) use(s, PY_USE_IMPORT, text_of(s, first));
    if (last < end) bound(s, is_from || named ? last : first);
    begin = stop + 1;
  }
}

/* The last `=` or `+=` outside brackets; `begin` if there is none. */
static uint32_t assignment(const Scanner *s, uint32_t begin, uint32_t end) {
  uint32_t depth = 0, found = begin;
  for (uint32_t i = begin; i < end; i++) {
    if (opens(s, i)) depth++;
    if (closes(s, i) && depth) depth--;
    if (!depth &&
        IS_ONE_OF(s, i, "=", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", ">>=", "<<="))
      found = i;
  }
  return found;
}

static void simple(Scanner *s, uint32_t begin, uint32_t end) {
  if (begin >= end) return;
  if (is(s, begin, "import")) {
    import_names(s, begin + 1, end, false);
    return;
  }
  if (is(s, begin, "from") && find(s, begin, end, "import") < end) {
    if (s->tokens.data[begin + 1].kind == PY_TOKEN_NAME) use(s, PY_USE_IMPORT, text_of(s, begin + 1));
    import_names(s, find(s, begin, end, "import") + 1, end, true);
    return;
  }
  bool is_global = is(s, begin, "global");
  if (is_global || is(s, begin, "nonlocal")) {
    for (uint32_t i = begin + 1; is_global && i < end; i++)
      if (s->tokens.data[i].kind == PY_TOKEN_NAME) use(s, PY_USE_GLOBAL, text_of(s, i));
    return;
  }
  if (is(s, begin, "del")) {
    targets(s, begin + 1, end);
    return;
  }
  uint32_t equals = assignment(s, begin, end), colon = find(s, begin, equals, ":");
  targets(s, begin, colon);
  if (equals > begin && !is(s, equals, "=")) expression(s, begin, equals); /* += changes what it names */
  expression(s, equals > begin ? colon : begin, end);
}

static void simple_statements(Scanner *s, uint32_t begin, uint32_t end) {
  while (begin < end) {
    uint32_t stop = find(s, begin, end, ";");
    simple(s, begin, stop);
    begin = stop + 1;
  }
}

static void definition(Scanner *s, uint32_t begin, uint32_t end) {
  bool is_class = is(s, begin, "class");
  uint32_t colon = find(s, begin, end, ":");
  if (begin + 1 < end) bound(s, begin + 1);
  expression(s, begin + 2, colon);
  Place outer = s->place, inner = outer;
  inner.is_local = true;
  inner.defers = is_class && outer.defers && !s->decorated;
  inner.is_later = outer.is_later || (!is_class && outer.defers && !s->decorated);
  s->decorated = false;
  s->place = s->next = inner;
  simple_statements(s, colon + 1, end);
  s->place = outer;
}

static void line(Scanner *s, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) {
    Span span = s->tokens.data[i].span;
    bool is_number = span.begin < span.end && s->source->text[span.begin] >= '0' && s->source->text[span.begin] <= '9';
    if (s->tokens.data[i].kind == PY_TOKEN_BAD && !is_number) use(s, PY_USE_REFLECTION, "");
  }
  if (is(s, begin, "@")) {
    bool plain = end == begin + 2 && IS_ONE_OF(s, begin + 1, "staticmethod", "classmethod", "property");
    s->decorated |= !plain;
    expression(s, begin + 1, end);
    return;
  }
  if (is(s, begin, "async")) begin++;
  if (IS_ONE_OF(s, begin, "def", "class")) {
    definition(s, begin, end);
    return;
  }
  s->next = s->place;
  bool soft = IS_ONE_OF(s, begin, "match", "case") && find(s, begin, end, ":") < end; /* `case a:` binds a */
  if (!soft && !IS_ONE_OF(s, begin, "if", "elif", "else", "while", "for", "with", "try", "except", "finally")) {
    simple_statements(s, begin, end);
    return;
  }
  uint32_t colon = find(s, begin, end, ":"), from = begin;
  if (soft || find(s, begin, end, "lambda") < end)
    for (uint32_t i = begin; i < end; i++)
      if (is_name(s, i)) bound(s, i);
  if (is(s, begin, "for")) {
    from = find(s, begin, colon, "in");
    targets(s, begin + 1, from);
  }
  expression(s, from, colon);
  simple_statements(s, colon + 1, end);
}

/* What a class does itself may call the functions in it. */
static void join_methods(Scanner *s) {
  for (uint32_t i = 0; i + 1 < s->tokens.count; i++) {
    if (!is(s, i, "def")) continue;
    const char *name = text_of(s, i + 1);
    for (uint32_t k = 0; k < s->out->count; k++) {
      const PyUse *u = &s->out->data[k];
      if (u->is_later || u->kind == PY_USE_BOUND || strcmp(u->name, name)) continue;
      for (uint32_t j = 0; j < s->out->count; j++) s->out->data[j].is_later = false;
      return;
    }
  }
}

void python_uses(Arena *arena, const Source *source, Span span, PyUses *out) {
  Scanner s = {.arena = arena, .source = source, .out = out};
  Place around[MAX_BLOCKS];
  uint32_t depth = 0, count;
  while (span.begin && (source->text[span.begin - 1] == ' ' || source->text[span.begin - 1] == '\t')) span.begin--;
  python_lex(arena, source, span, true, true, &s.tokens);
  count = s.tokens.count - 1;
  uint32_t first = 0;
  while (first < count && s.tokens.data[first].kind == PY_TOKEN_INDENT) first++;
  s.place.defers = IS_ONE_OF(&s, first, "def", "class", "async", "@");
  s.next = s.place;
  for (uint32_t i = 0; i < count; i++) {
    PyTokenKind kind = s.tokens.data[i].kind;
    if (kind == PY_TOKEN_INDENT && depth < MAX_BLOCKS)
      around[depth++] = s.place, s.place = s.next;
    else if (kind == PY_TOKEN_DEDENT && depth)
      s.place = around[--depth];
    if (kind == PY_TOKEN_INDENT || kind == PY_TOKEN_DEDENT || kind == PY_TOKEN_NEWLINE) continue;
    uint32_t end = i;
    while (end < count && s.tokens.data[end].kind != PY_TOKEN_NEWLINE) end++;
    line(&s, i, end);
    i = end;
  }
  if (is(&s, first, "class")) join_methods(&s);
}
