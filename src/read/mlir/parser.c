/* Tokens, diagnostics and the scopes of SSA names.
 *
 * A name is bound in `bindings`, indexed by its interned id; each binding that is replaced goes on the undo stack, and
 * closing a region rolls the stack back. A use of an unbound name makes a placeholder value, because blocks may be
 * written in any order; `parser_function_end` replaces the placeholders in all ops of the function, or reports them. */
#include "read/mlir/parser.h"

#include <stdio.h>

const OpRow op_rows[OP_COUNT] = {
    {"none", 0, 0, 0, 0, ""},
    {"unknown", 0, ANY, ANY, EFFECT, ""},
#define OP(id, name, low, high, results, traits, family, rule, format) {name, low, high, results, traits, format},
#include "program/ops.def"
#undef OP
};

void parser_init(Parser *r, Program *p, DiagnosticList *diagnostics) {
  *r = (Parser){.p = p, .arena = p->arena, .names = p->names, .source = p->source, .diagnostics = diagnostics};
  lexer_init(&r->lexer, p->source->text, p->source->size);
  opcode_table_fill(r);
}

/* ---- tokens */

Span parser_span(const Parser *r) { return (Span){r->lexer.token.begin, r->lexer.token.end}; }

bool parser_error(Parser *r, const char *code, Span span, const char *help, const char *format, ...) {
  if (r->stop) return false;
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  diagnostic_add(r->diagnostics, SEVERITY_ERROR, code, r->source, span, help, "%s", message);
  if (r->diagnostics->error_count >= r->diagnostics->limit) r->stop = true;
  return false;
}

bool parser_expected(Parser *r, const char *what) {
  const Token *t = &r->lexer.token;
  int shown = (int)(t->end - t->begin);
  if (t->kind == TOKEN_END) {
    parser_error(r, "parse.end", parser_span(r), "the file looks truncated", "expected %s, found the end of the text",
                 what);
    r->stop = true; /* what is still open would be reported once more on every level */
    return false;
  }
  if (t->kind == TOKEN_BAD && r->lexer.text[t->begin] == '"')
    return parser_error(r, "parse.string", parser_span(r), NULL, "this string does not end on its line");
  if (t->kind == TOKEN_BAD)
    return parser_error(r, "parse.byte", parser_span(r), NULL, "expected %s, found byte 0x%02x", what,
                        (unsigned char)r->lexer.text[t->begin]);
  return parser_error(r, "parse.expected", parser_span(r), NULL, "expected %s, found `%.*s`", what,
                      shown > 60 ? 60 : shown, r->lexer.text + t->begin);
}

bool parser_accept(Parser *r, char c) {
  if (!lexer_is(&r->lexer, c)) return false;
  lexer_next(&r->lexer);
  return true;
}

bool parser_expect(Parser *r, char c) {
  char what[] = {'`', c, '`', 0};
  return parser_accept(r, c) || parser_expected(r, what);
}

bool parser_accept_word(Parser *r, const char *word) {
  if (!lexer_is_word(&r->lexer, word)) return false;
  lexer_next(&r->lexer);
  return true;
}

bool parser_expect_word(Parser *r, const char *word) {
  if (parser_accept_word(r, word)) return true;
  char what[64];
  snprintf(what, sizeof what, "`%s`", word);
  return parser_expected(r, what);
}

bool parser_accept_arrow(Parser *r) {
  if (r->lexer.token.kind != TOKEN_ARROW) return false;
  lexer_next(&r->lexer);
  return true;
}

bool parser_expect_arrow(Parser *r) { return parser_accept_arrow(r) || parser_expected(r, "`->`"); }

bool parser_enter(Parser *r) {
  if (r->depth >= PARSE_DEPTH) {
    parser_error(r, "parse.depth", parser_span(r), NULL, "nested deeper than %d levels", PARSE_DEPTH);
    r->stop = true;
    return false;
  }
  r->depth++;
  return true;
}

void parser_leave(Parser *r) { r->depth--; }

Name parser_name(Parser *r, uint32_t skip) {
  const Token *t = &r->lexer.token;
  return intern(r->names, r->lexer.text + t->begin + skip, t->end - t->begin - skip);
}

bool parser_integer(Parser *r, int64_t *out) {
  bool negative = parser_accept(r, '-');
  const Token *t = &r->lexer.token;
  if (t->kind != TOKEN_INT) return parser_expected(r, "an integer");
  const char *text = r->lexer.text + t->begin;
  uint64_t value = 0, base = text[0] == '0' && t->end - t->begin > 2 && text[1] == 'x' ? 16 : 10;
  for (uint32_t i = base == 16 ? 2 : 0; i < t->end - t->begin; i++) {
    uint64_t digit = (uint64_t)(text[i] <= '9' ? text[i] - '0' : (text[i] | 32) - 'a' + 10);
    if (value > (UINT64_MAX - digit) / base)
      return parser_error(r, "parse.range", parser_span(r), NULL, "this integer does not fit in 64 bits");
    value = value * base + digit;
  }
  if (negative && value > (1ull << 63))
    return parser_error(r, "parse.range", parser_span(r), NULL, "this integer does not fit in 64 bits");
  *out = (int64_t)(negative ? 0 - value : value);
  lexer_next(&r->lexer);
  return true;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

Name parser_string(Parser *r, uint32_t skip) {
  const Token *t = &r->lexer.token;
  const char *text = r->lexer.text + t->begin + skip + 1;
  uint32_t size = t->end - t->begin - skip - 2, out = 0;
  if (!memchr(text, '\\', size)) return intern(r->names, text, size);
  char *copy = arena_alloc(r->arena, size + 1);
  for (uint32_t i = 0; i < size; i++) {
    if (text[i] != '\\' || i + 1 >= size) {
      copy[out++] = text[i];
      continue;
    }
    char c = text[++i];
    if (c == 'n')
      copy[out++] = '\n';
    else if (c == 't')
      copy[out++] = '\t';
    else if (i + 1 < size && hex_digit(c) >= 0 && hex_digit(text[i + 1]) >= 0) {
      copy[out++] = (char)(hex_digit(c) * 16 + hex_digit(text[i + 1]));
      i++;
    } else
      copy[out++] = c;
  }
  return intern(r->names, copy, out);
}

bool parser_skip_balanced(Parser *r) {
  char closing[PARSE_DEPTH];
  uint32_t open = 0, begin = r->lexer.token.begin;
  do {
    const Token *t = &r->lexer.token;
    if (t->kind == TOKEN_END) {
      parser_error(r, "parse.end", (Span){begin, begin + 1}, "the file looks truncated",
                   "this bracket is never closed");
      r->stop = true;
      return false;
    }
    char c = t->kind == TOKEN_PUNCT ? r->lexer.text[t->begin] : 0;
    if (c == '(' || c == '<' || c == '[' || c == '{') {
      if (open == PARSE_DEPTH)
        return parser_error(r, "parse.depth", parser_span(r), NULL, "nested deeper than %d levels", PARSE_DEPTH);
      closing[open++] = c == '(' ? ')' : (char)(c + 2);
    }
    if (c == ')' || c == '>' || c == ']' || c == '}') {
      if (c != closing[open - 1]) return parser_expected(r, (char[]){'`', closing[open - 1], '`', 0});
      if (!--open) r->closed = t->begin;
    }
    lexer_next(&r->lexer);
  } while (open);
  return true;
}

char *parser_show_type(Parser *r, TypeId type) {
  Text text = text_new(r->arena);
  program_type_print(r->p, type, &text);
  return (char *)text_string(&text);
}

/* ---- names */

uint32_t parser_scope_begin(const Parser *r) { return r->undo.count; }

void parser_scope_end(Parser *r, uint32_t mark) {
  while (r->undo.count > mark) {
    Undo *u = &r->undo.data[--r->undo.count];
    r->bindings.data[u->name] = u->before;
  }
}

static Binding *binding_of(Parser *r, Name name) {
  while (r->bindings.count <= name) array_push(r->arena, &r->bindings, (Binding){0});
  return &r->bindings.data[name];
}

ValueId parser_new_value(Parser *r, TypeId type, OpId op, BlockId block, uint32_t index, Name name) {
  array_push(r->arena, &r->p->values, (Value){.type = type, .op = op, .block = block, .index = index, .name = name});
  return r->p->values.count - 1;
}

static uint32_t *forward_slot(Parser *r, Name name) {
  while (r->forward_of.count <= name) array_push(r->arena, &r->forward_of, 0);
  return &r->forward_of.data[name];
}

/* Uses of `name` that came before: they now have their value. */
static bool resolve_forwards(Parser *r, Name name, ValueId first, uint32_t count) {
  uint32_t *slot = forward_slot(r, name);
  if (!*slot) return true;
  bool good = true;
  for (uint32_t i = *slot; i; i = r->forwards.data[i - 1].older) {
    Forward *f = &r->forwards.data[i - 1];
    if (f->index >= count) {
      good = parser_error(r, "parse.undefined", f->span, NULL, "%%%s has %u results, #%u is not one of them",
                          intern_string(r->names, name), count, f->index);
      f->value = first;
      continue;
    }
    f->value = first + f->index;
    TypeId used = r->p->values.data[f->placeholder].type, real = r->p->values.data[f->value].type;
    if (used && real && used != real)
      good = parser_error(r, "parse.type", f->span, NULL, "%%%s is used as %s here but is defined as %s",
                          intern_string(r->names, name), parser_show_type(r, used), parser_show_type(r, real));
  }
  *slot = 0;
  return good;
}

bool parser_define(Parser *r, Name name, ValueId first, uint32_t count, Span span) {
  Binding *b = binding_of(r, name);
  bool good = true;
  if (b->first)
    good = parser_error(r, "parse.redefined", span, "every SSA name is defined once in its scope",
                        "%%%s is already defined", intern_string(r->names, name));
  array_push(r->arena, &r->undo, (Undo){name, *b});
  b = binding_of(r, name);
  *b = (Binding){first, count};
  return resolve_forwards(r, name, first, count) && good;
}

static ValueId use_forward(Parser *r, Name name, uint32_t index, Span span) {
  uint32_t *slot = forward_slot(r, name);
  ValueId placeholder = parser_new_value(r, 0, 0, 0, 0, name);
  array_push(r->arena, &r->forwards, (Forward){name, index, *slot, placeholder, 0, span});
  *slot = r->forwards.count;
  return placeholder;
}

bool parser_use(Parser *r, Operand *out) {
  if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%x`");
  Name name = parser_name(r, 1);
  Span span = parser_span(r);
  int64_t index = 0;
  lexer_next(&r->lexer);
  const Token *t = &r->lexer.token;
  bool pack = t->kind == TOKEN_HASH && t->begin == span.end;
  if (pack) {
    span.end = t->end;
    for (uint32_t i = t->begin + 1; i < t->end; i++) {
      char c = r->lexer.text[i];
      if (c < '0' || c > '9' || index > 1000000)
        return parser_error(r, "parse.expected", parser_span(r), NULL, "expected a result number after `#`");
      index = index * 10 + (c - '0');
    }
    lexer_next(&r->lexer);
  }
  Binding b = *binding_of(r, name);
  *out = (Operand){.span = span};
  if (!b.first) {
    out->value = use_forward(r, name, (uint32_t)index, span);
    return true;
  }
  if ((uint32_t)index >= b.count)
    return parser_error(r, "parse.undefined", span, NULL, "%%%s has %u results, #%u is not one of them",
                        intern_string(r->names, name), b.count, (uint32_t)index);
  out->value = b.first + (uint32_t)index;
  return true;
}

/* A use outside of functions has no definition; a name inside of one is another name. */
static void close_forwards(Parser *r) {
  for (uint32_t i = 0; i < r->forwards.count; i++) {
    Forward *f = &r->forwards.data[i];
    *forward_slot(r, f->name) = 0;
    if (!f->value)
      parser_error(r, "parse.undefined", f->span, NULL, "%%%s is not defined", intern_string(r->names, f->name));
  }
}

bool parser_function_begin(Parser *r, Span span, uint32_t *mark) {
  if (r->in_function) return parser_error(r, "check.nesting", span, NULL, "tt.func: stands only at the top");
  r->in_function = true;
  close_forwards(r);
  r->forwards.count = 0;
  *mark = parser_scope_begin(r);
  return true;
}

void parser_function_end(Parser *r, uint32_t mark, OpId first_op) {
  parser_scope_end(r, mark);
  r->in_function = false;
  close_forwards(r);
  if (!r->forwards.count) return;
  /* Placeholders are sparse among the values: mark them by their index field, then sweep the operands once. */
  for (uint32_t i = 0; i < r->forwards.count; i++) r->p->values.data[r->forwards.data[i].placeholder].index = i;
  ValueId lowest = r->forwards.data[0].placeholder;
  for (OpId id = first_op; id < r->p->ops.count; id++) {
    Op *op = &r->p->ops.data[id];
    for (uint32_t s = 0; s <= op->successor_count; s++) {
      ValueId *list = (ValueId *)(s ? op->successors[s - 1].args : op->operands);
      uint32_t count = s ? op->successors[s - 1].arg_count : op->operand_count;
      for (uint32_t i = 0; i < count; i++) {
        if (list[i] < lowest) continue;
        uint32_t index = r->p->values.data[list[i]].index;
        if (index < r->forwards.count && r->forwards.data[index].placeholder == list[i])
          list[i] = r->forwards.data[index].value;
      }
    }
  }
  r->forwards.count = 0;
}

Alias *parser_alias(Parser *r, Name name) {
  while (r->alias_of.count <= name) array_push(r->arena, &r->alias_of, 0);
  if (!r->alias_of.data[name]) {
    array_push(r->arena, &r->aliases, (Alias){.name = name});
    r->alias_of.data[name] = r->aliases.count;
  }
  return &r->aliases.data[r->alias_of.data[name] - 1];
}
