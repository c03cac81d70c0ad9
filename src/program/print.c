/* The text form: MLIR assembly, after the same format column of ops.def that the reader follows.
 *
 * Names are the ones that the program was read with; one that would hide another gets a number. Locations are
 * printed as aliases, numbered in order of first use and defined after the module. The form is a fixed point:
 * printing what was read from a print gives the same text. */
#include "program/program.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOC_NEW, LOC_OPEN, LOC_DONE, LOC_DEPTH = 200 };

typedef struct Printer {
  const Program *p;
  Text *out;
  const char **names; /* by ValueId: as printed, without %, with #k for packs */
  uint8_t *used;      /* by Name: visible now */
  uint32_t used_count;
  Array(Name) scope;
  uint32_t *loc_number; /* by LocId; 0: not printed yet */
  Array(LocId) locs;
  bool has_locs;
  uint8_t *loc_state;     /* by LocId */
  uint32_t *block_number; /* by BlockId */
  uint32_t next_block;
  uint32_t indent;
  uint32_t next_function;
} Printer;

typedef struct FormatRow {
  const char *name, *format;
} FormatRow;

static const FormatRow rows[OP_COUNT] = {
    {"none", ""},
    {"unknown", ""},
#define OP(id, name, low, high, results, traits, family, rule, format) {name, format},
#include "program/ops.def"
#undef OP
};

static void print_attr(Printer *w, AttrId id);
static void print_op(Printer *w, OpId id);

/* ---- names */

static void print_value(Printer *w, ValueId value) {
  text_format(w->out, "%%%s", w->names[value] ? w->names[value] : "<none>");
}

static bool is_used(const Printer *w, Name name) { return name < w->used_count && w->used[name]; }

static Name take_name(Printer *w, Name wanted) {
  InternTable *names = w->p->names;
  const char *base = wanted ? intern_string(names, wanted) : "v";
  Name name = wanted ? wanted : intern_text(names, base);
  for (uint32_t i = 1; is_used(w, name); i++) {
    const char *mark = isdigit((unsigned char)base[0]) ? "v" : "";
    name = intern_text(names, arena_format(w->p->arena, "%s%s_%u", mark, base, i));
  }
  if (name >= w->used_count) {
    uint32_t room = name * 2 + 64;
    w->used = arena_grow(w->p->arena, w->used, w->used_count, room);
    w->used_count = room;
  }
  w->used[name] = 1;
  array_push(w->p->arena, &w->scope, name);
  return name;
}

static void close_scope(Printer *w, uint32_t mark) {
  while (w->scope.count > mark) w->used[w->scope.data[--w->scope.count]] = 0;
}

/* Results with one name are a pack; block arguments never are. */
static void name_values(Printer *w, ValueId first, uint32_t count, bool packs) {
  for (uint32_t i = 0; i < count;) {
    Name wanted = program_get_value(w->p, first + i)->name;
    uint32_t pack = 1;
    while (packs && i + pack < count && program_get_value(w->p, first + i + pack)->name == wanted) pack++;
    const char *name = intern_string(w->p->names, take_name(w, wanted));
    for (uint32_t k = 0; k < pack; k++)
      w->names[first + i + k] = pack == 1 ? name : arena_format(w->p->arena, "%s#%u", name, k);
    i += pack;
  }
}

/* "%a, %b:2 = " */
static void print_left_side(Printer *w, const Op *op) {
  for (uint32_t i = 0; i < op->result_count;) {
    const char *name = w->names[op->first_result + i], *mark = strchr(name, '#');
    uint32_t pack = 1;
    size_t length = mark ? (size_t)(mark - name) : strlen(name);
    while (mark && i + pack < op->result_count && !strncmp(w->names[op->first_result + i + pack], name, length + 1))
      pack++;
    text_format(w->out, "%s%%%.*s", i ? ", " : "", (int)length, name);
    if (pack > 1) text_format(w->out, ":%u", pack);
    i += pack;
  }
  if (op->result_count) text_add(w->out, " = ");
}

static void print_values(Printer *w, const ValueId *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_add(w->out, ", ");
    print_value(w, values[i]);
  }
}

static void print_type(Printer *w, TypeId type) { program_type_print(w->p, type, w->out); }

static TypeId value_type(const Printer *w, ValueId value) { return program_get_value(w->p, value)->type; }

static void print_value_types(Printer *w, const ValueId *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_add(w->out, ", ");
    print_type(w, value_type(w, values[i]));
  }
}

static void print_result_types(Printer *w, const Op *op) {
  bool bare = op->result_count == 1;
  if (!bare) text_add(w->out, "(");
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i) text_add(w->out, ", ");
    print_type(w, value_type(w, op->first_result + i));
  }
  if (!bare) text_add(w->out, ")");
}

static void print_functional_type(Printer *w, const Op *op) {
  text_add(w->out, "(");
  print_value_types(w, op->operands, op->operand_count);
  text_add(w->out, ") -> ");
  print_result_types(w, op);
}

/* ---- locations */

static void print_loc_body(Printer *w, LocId id);

static void print_loc_ref(Printer *w, LocId id) {
  if (!id || w->p->locs.data[id].kind == LOC_UNKNOWN || w->loc_state[id] == LOC_OPEN) {
    text_add(w->out, "unknown");
    return;
  }
  if (!w->loc_number[id]) {
    array_push(w->p->arena, &w->locs, id);
    w->loc_number[id] = w->locs.count;
  }
  text_format(w->out, "#loc%u", w->loc_number[id]);
}

static void print_quoted(Printer *w, const char *text) {
  text_char(w->out, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\' || c < 32 || c >= 127)
      text_format(w->out, "\\%02X", c);
    else
      text_char(w->out, (char)c);
  }
  text_char(w->out, '"');
}

static void print_loc_body(Printer *w, LocId id) {
  const Loc *l = &w->p->locs.data[id];
  const char *text = intern_string(w->p->names, l->text);
  switch (l->kind) {
  case LOC_UNKNOWN: text_add(w->out, "unknown"); break;
  case LOC_FILE:
    print_quoted(w, text);
    text_format(w->out, ":%u:%u", l->line, l->column);
    break;
  case LOC_NAME:
    print_quoted(w, text);
    if (!l->child || w->p->locs.data[l->child].kind == LOC_UNKNOWN || w->loc_state[l->child] == LOC_OPEN) break;
    text_add(w->out, "(");
    print_loc_ref(w, l->child);
    text_add(w->out, ")");
    break;
  case LOC_CALLSITE:
    text_add(w->out, "callsite(");
    print_loc_ref(w, l->child);
    text_add(w->out, " at ");
    print_loc_ref(w, l->caller);
    text_add(w->out, ")");
    break;
  case LOC_FUSED:
    text_add(w->out, "fused[");
    for (uint32_t i = 0; i < l->part_count; i++) {
      if (i) text_add(w->out, ", ");
      print_loc_ref(w, l->parts[i]);
    }
    text_add(w->out, "]");
    break;
  }
}

/* Definitions after the module: what a definition refers to comes before it, as MLIR wants it. */
static void define_loc(Printer *w, LocId id, uint32_t depth) {
  const Loc *l = &w->p->locs.data[id];
  if (!id || l->kind == LOC_UNKNOWN || w->loc_state[id] != LOC_NEW || depth >= LOC_DEPTH) return;
  w->loc_state[id] = LOC_OPEN;
  define_loc(w, l->child, depth + 1);
  define_loc(w, l->caller, depth + 1);
  for (uint32_t i = 0; i < l->part_count; i++) define_loc(w, l->parts[i], depth + 1);
  Text body = text_new(w->p->arena), *out = w->out;
  w->out = &body;
  print_loc_body(w, id);
  w->out = out;
  if (!w->loc_number[id]) {
    array_push(w->p->arena, &w->locs, id);
    w->loc_number[id] = w->locs.count;
  }
  text_format(out, "#loc%u = loc(%s)\n", w->loc_number[id], text_string(&body));
  w->loc_state[id] = LOC_DONE;
}

static void print_loc(Printer *w, LocId id) {
  if (!w->has_locs) return; /* a text without locations; otherwise the unknown ones are said to be so */
  text_add(w->out, " loc(");
  print_loc_ref(w, id);
  text_add(w->out, ")");
}

/* ---- attributes */

/* The shortest decimal with a point that reads back as the same bits, or the bits; MLIR has the same rule. */
static void print_float(Printer *w, const Type *t, uint64_t bits) {
  double value = program_float_decode(t->format, bits);
  char text[64];
  if (isfinite(value)) {
    snprintf(text, sizeof text, "%.6e", value);
    char *end = text + strlen(text);
    for (int digits = 9; program_float_encode(t->format, strtod(text, NULL)) != bits && digits <= 17; digits += 8) {
      snprintf(text, sizeof text, "%.*g", digits, value);
      if (!strpbrk(text, ".")) strcpy(text, "x");
      end = text;
    }
    (void)end;
    if (program_float_encode(t->format, strtod(text, NULL)) == bits && strchr(text, '.')) {
      text_add(w->out, text);
      return;
    }
  }
  text_format(w->out, "0x%0*llX", (int)(t->width / 4), (unsigned long long)bits);
}

/* Without its type. */
static void print_number(Printer *w, const Attr *a) {
  if (a->kind == ATTR_FLOAT)
    print_float(w, program_get_type(w->p, a->type), a->bits);
  else if (a->kind == ATTR_BOOL)
    text_add(w->out, a->integer ? "true" : "false");
  else if (a->kind == ATTR_INT && program_get_type(w->p, a->type)->sign == 2)
    text_format(w->out, "%llu", (unsigned long long)a->integer);
  else if (a->kind == ATTR_INT)
    text_format(w->out, "%lld", (long long)a->integer);
  else
    print_attr(w, 0);
}

static void print_dense(Printer *w, const Attr *a) {
  const Type *t = program_get_type(w->p, a->type);
  text_add(w->out, "dense<");
  if (a->count == 1 && program_lane_count(w->p, a->type) >= 1) {
    print_number(w, program_get_attr(w->p, a->items[0]));
  } else {
    int64_t inner[TYPE_MAX_RANK + 1];
    inner[t->rank] = 1;
    for (uint32_t i = t->rank; i--;) inner[i] = inner[i + 1] * t->dims[i];
    for (int64_t k = 0; k < a->count; k++) {
      if (k) text_add(w->out, ", ");
      for (uint32_t i = 0; i < t->rank; i++)
        if (k % inner[i] == 0) text_char(w->out, '[');
      print_number(w, program_get_attr(w->p, a->items[k]));
      for (uint32_t i = 0; i < t->rank; i++)
        if ((k + 1) % inner[i] == 0) text_char(w->out, ']');
    }
  }
  text_add(w->out, "> : ");
  print_type(w, a->type);
}

static bool is_plain_key(const char *text) {
  if (!isalpha((unsigned char)*text) && *text != '_') return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && !strchr("_$.", *text)) return false;
  return true;
}

static void print_entry(Printer *w, Name key, AttrId value) {
  const char *text = intern_string(w->p->names, key);
  if (is_plain_key(text))
    text_add(w->out, text);
  else
    print_quoted(w, text);
  if (program_get_attr(w->p, value)->kind == ATTR_UNIT) return;
  text_add(w->out, " = ");
  print_attr(w, value);
}

static void print_symbol(Printer *w, const char *text) {
  text_char(w->out, '@');
  if (is_plain_key(text))
    text_add(w->out, text);
  else
    print_quoted(w, text);
}

static void print_attr(Printer *w, AttrId id) {
  const Attr *a = program_get_attr(w->p, id);
  const char *text = intern_string(w->p->names, a->text);
  switch (a->kind) {
  case ATTR_NONE:
  case ATTR_UNIT: text_add(w->out, "unit"); break;
  case ATTR_BOOL: print_number(w, a); break;
  case ATTR_INT:
  case ATTR_FLOAT:
    print_number(w, a);
    text_add(w->out, " : ");
    print_type(w, a->type);
    break;
  case ATTR_STRING: print_quoted(w, text); break;
  case ATTR_SYMBOL: print_symbol(w, text); break;
  case ATTR_KEYWORD: print_quoted(w, text); break; /* keywords have a place of their own; this one does not */
  case ATTR_TYPE: print_type(w, a->type); break;
  case ATTR_ARRAY:
    text_add(w->out, a->type ? "array<" : "[");
    if (a->type) print_type(w, a->type);
    if (a->type && a->count) text_add(w->out, ": ");
    for (uint32_t i = 0; i < a->count; i++) {
      if (i) text_add(w->out, ", ");
      if (a->type)
        print_number(w, program_get_attr(w->p, a->items[i]));
      else
        print_attr(w, a->items[i]);
    }
    text_add(w->out, a->type ? ">" : "]");
    break;
  case ATTR_DENSE: print_dense(w, a); break;
  case ATTR_DICT:
    text_add(w->out, "{");
    for (uint32_t i = 0; i < a->count; i++) {
      if (i) text_add(w->out, ", ");
      print_entry(w, a->keys[i], a->items[i]);
    }
    text_add(w->out, "}");
    break;
  case ATTR_MAP: program_map_print(a->map, w->out); break;
  case ATTR_RAW: text_add(w->out, text); break;
  }
}

/* True if this attribute is printed by a token of the format (or by the op's own function). */
static bool has_place(const Op *op, const char *format, const char *name) {
  if (op->code == OP_ARITH_CONSTANT) return !strcmp(name, "value");
  if (op->code == OP_TT_FUNC) return !strcmp(name, "sym_visibility");
  if (op->code == OP_TT_CALL) return !strcmp(name, "callee");
  if (op->code == OP_SCF_FOR) return !strcmp(name, "unsignedCmp");
  if (op->code == OP_SCF_EXECUTE_REGION) return !strcmp(name, "no_inline");
  if (op->code == OP_TT_DOT_SCALED)
    return !strcmp(name, "a_elem_type") || !strcmp(name, "b_elem_type") || !strcmp(name, "operandSegmentSizes");
  if (op->code == OP_TT_REDUCE) return !strcmp(name, "axis");
  if (op->code == OP_TT_SCAN) return !strcmp(name, "axis") || !strcmp(name, "reverse");
  if (op->code == OP_TT_MAP_ELEMENTWISE) return !strcmp(name, "pack");
  if (!strcmp(name, "overflowFlags")) return strstr(format, "ovf") != NULL;
  if (!strcmp(name, "fastmath")) return strstr(format, " fm ") != NULL;
  if (!strcmp(name, "roundingmode")) return strstr(format, " rnd ") != NULL;
  size_t length = strlen(name);
  for (const char *at = format; length && (at = strstr(at, name)); at++)
    if (at > format && strchr(".=?", at[-1]) && (at[length] == ' ' || !at[length])) return true;
  return false;
}

/* " {a = 1}" of those without a place; `places` false: of those with one. */
static bool print_dict(Printer *w, const Op *op, bool places, const char *open, const char *close) {
  bool any = false;
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (has_place(op, rows[op->code].format, intern_string(w->p->names, op->attrs[i].name)) != places) continue;
    text_add(w->out, any ? ", " : open);
    print_entry(w, op->attrs[i].name, op->attrs[i].value);
    any = true;
  }
  if (any) text_add(w->out, close);
  return any;
}

/* ---- the interpreter of formats */

typedef struct Cursor {
  uint32_t operand, typed, result;
} Cursor;

static void glue(Printer *w, const char *text) {
  if (w->out->count && !strchr(" ([<\n", w->out->data[w->out->count - 1])) text_char(w->out, ' ');
  text_add(w->out, text);
}

static void token_name(char *out, size_t size, const char *token, uint32_t length) {
  snprintf(out, size, "%.*s", (int)length, token);
}

static void print_operand_token(Printer *w, const Op *op, Cursor *c, const char *token, uint32_t length) {
  uint32_t count = op->operand_count;
  if (length == 1) {
    glue(w, "");
    if (c->operand < count) print_value(w, op->operands[c->operand++]);
    return;
  }
  if (token[1] == '?') {
    if (c->operand >= count) return;
    text_add(w->out, ", ");
    print_value(w, op->operands[c->operand++]);
  } else if (token[1] == '1') {
    glue(w, "");
    print_value(w, op->operands[1]);
  } else if (token[1] == '>') {
    print_values(w, op->operands + 2, count - 2);
  } else if (length > 2) { /* %*k/g */
    uint32_t each = (count - 1) / (uint32_t)(token[4] - '0'), from = 1 + (uint32_t)(token[2] - '1') * each;
    print_values(w, op->operands + from, each);
  } else {
    if (c->operand < count) glue(w, "");
    print_values(w, op->operands + c->operand, count - c->operand);
    c->operand = count;
  }
}

static void print_type_token(Printer *w, const Op *op, Cursor *c, const char *token, uint32_t length) {
  const ValueId *operands = op->operands;
  glue(w, "");
  if (length == 2 && token[1] == '*') {
    if (token[0] == 'O')
      print_value_types(w, operands + c->typed, op->operand_count - c->typed);
    else
      for (uint32_t i = 0; i < op->result_count; i++) {
        if (i) text_add(w->out, ", ");
        print_type(w, value_type(w, op->first_result + i));
      }
    return;
  }
  bool stripped = token[0] == 'S' || (token[0] == 'D' && token[1] == 'R');
  TypeId type = strchr(token, 'O') && strchr(token, 'O') < token + length ? value_type(w, operands[c->typed])
                                                                          : value_type(w, op->first_result + c->result);
  if (stripped) {
    Text text = text_new(w->p->arena);
    program_type_print(w->p, type, &text);
    text_add(w->out, strchr(text_string(&text), '<'));
  } else
    print_type(w, type);
  for (uint32_t i = 0; i < length; i++) c->typed += token[i] == 'O', c->result += token[i] == 'R';
}

static void print_optional_token(Printer *w, const Op *op, Cursor *c, const char *token, uint32_t length) {
  char name[64];
  const char *equals = memchr(token, '=', length);
  if (equals) {
    token_name(name, sizeof name, equals + 1, (uint32_t)(token + length - equals - 1));
    const char *value = program_op_text(w->p, op, name);
    if (value)
      text_format(w->out, "%s %.*s = %s", token[0] == ',' ? "," : "", (int)(equals - token) - (token[0] == ',' ? 2 : 1),
                  token + (token[0] == ',' ? 2 : 1), value);
  } else if (token[1] == ':' || token[1] == '%') {
    if (c->operand >= op->operand_count) return;
    const ValueId *rest = op->operands + c->operand;
    if (token[1] == ':') text_add(w->out, " :");
    glue(w, "");
    print_values(w, rest, op->operand_count - c->operand);
    text_add(w->out, " : ");
    print_value_types(w, rest, op->operand_count - c->operand);
  } else if (token[length - 1] == '%') {
    if (c->operand >= op->operand_count) return;
    text_format(w->out, " %.*s ", (int)length - 2, token + 1);
    print_value(w, op->operands[c->operand++]);
  } else {
    token_name(name, sizeof name, token + 1, length - 1);
    if (program_op_attr(w->p, op, name)) text_format(w->out, " %s", name);
  }
}

static void print_attribute_token(Printer *w, const Op *op, const char *token, uint32_t length) {
  char name[64];
  token_name(name, sizeof name, token + 2, length - 2);
  glue(w, "");
  const char *text = program_op_text(w->p, op, name);
  if (token[0] == 'd')
    text_format(w->out, "%c", "xyz"[program_op_int(w->p, op, name, 0) % 3]);
  else if (token[0] == 's')
    print_quoted(w, text ? text : "");
  else
    text_add(w->out, text ? text : "none");
}

static void print_flags(Printer *w, const Op *op, const char *word, const char *name) {
  AttrId id = program_op_attr(w->p, op, name);
  if (id) text_format(w->out, " %s<%s>", word, intern_string(w->p->names, program_get_attr(w->p, id)->text));
}

static void print_select_type(Printer *w, const Op *op) {
  TypeId condition = value_type(w, op->operands[0]);
  glue(w, "");
  if (program_get_type(w->p, condition)->kind == TYPE_TENSOR) {
    print_type(w, condition);
    text_add(w->out, ", ");
  }
  print_type(w, value_type(w, op->operands[1]));
}

static void print_token(Printer *w, const Op *op, Cursor *c, const char *token, uint32_t length) {
  char name[64];
  switch (token[0]) {
  case '%': print_operand_token(w, op, c, token, length); return;
  case '{': print_dict(w, op, false, " {", "}"); return;
  case '?': print_optional_token(w, op, c, token, length); return;
  case '=': {
    const char *equals = strchr(token + 1, '=');
    token_name(name, sizeof name, equals + 1, (uint32_t)(token + length - equals - 1));
    const char *text = program_op_text(w->p, op, name);
    text_format(w->out, " %.*s = %s", (int)(equals - token - 1), token + 1, text ? text : "none");
    return;
  }
  case 'O':
  case 'R':
  case 'S':
  case 'D': print_type_token(w, op, c, token, length); return;
  case 'T':
    glue(w, "");
    print_type(w, value_type(w, op->result_count ? op->first_result : op->operands[0]));
    return;
  case 'F':
    glue(w, "");
    print_functional_type(w, op);
    return;
  case 'p':
    glue(w, "");
    print_type(w, value_type(w, op->operands[0]));
    return;
  case 'o': print_flags(w, op, "overflow", "overflowFlags"); return;
  case 'f': print_flags(w, op, "fastmath", "fastmath"); return;
  case 'r': {
    const char *mode = program_op_text(w->p, op, "roundingmode");
    if (mode) text_format(w->out, " %s", mode);
    return;
  }
  case 's':
    if (token[1] == 'e')
      print_select_type(w, op);
    else
      print_attribute_token(w, op, token, length);
    return;
  case 'k':
  case 'd': print_attribute_token(w, op, token, length); return;
  case ',':
    if (length > 1)
      print_optional_token(w, op, c, token, length);
    else
      text_char(w->out, ',');
    return;
  case ']':
  case ')': text_char(w->out, token[0]); return;
  case '[':
    if (op->code != OP_TT_GATHER && op->code != OP_TT_DESCRIPTOR_LOAD) glue(w, "");
    text_char(w->out, '[');
    return;
  }
  token_name(name, sizeof name, token, length);
  glue(w, name);
}

static void print_format(Printer *w, const Op *op, const char *format) {
  Cursor c = {0, op->code == OP_SCF_CONDITION, 0};
  while (*format) {
    uint32_t length = (uint32_t)strcspn(format, " ");
    print_token(w, op, &c, format, length);
    format += length + (format[length] == ' ');
  }
}

/* ---- blocks, regions, special forms */

static void new_line(Printer *w) {
  text_char(w->out, '\n');
  for (uint32_t i = 0; i < w->indent; i++) text_add(w->out, "  ");
}

static void print_typed_args(Printer *w, const Block *b) {
  for (uint32_t i = 0; i < b->arg_count; i++) {
    if (i) text_add(w->out, ", ");
    print_value(w, b->first_arg + i);
    text_add(w->out, ": ");
    print_type(w, value_type(w, b->first_arg + i));
    print_loc(w, program_get_value(w->p, b->first_arg + i)->loc);
  }
}

/* True if this is the terminator that the op's pretty form leaves out. */
static bool is_implicit(const Printer *w, const Block *b, uint32_t i) {
  const Op *op = program_get_op(w->p, b->ops.data[i]);
  if (i + 1 != b->ops.count || op->code != OP_SCF_YIELD || op->operand_count || op->attr_count) return false;
  Opcode parent = program_get_op(w->p, program_get_region(w->p, b->region)->parent)->code;
  return parent == OP_SCF_FOR || parent == OP_SCF_IF;
}

/* `entry`: the first block is printed with its label and arguments. */
static void print_region(Printer *w, RegionId id, bool entry, bool named) {
  const Region *region = program_get_region(w->p, id);
  uint32_t mark = w->scope.count, block_mark = w->next_block;
  text_add(w->out, "{");
  w->indent++;
  for (uint32_t i = 0; i < region->blocks.count; i++) {
    const Block *b = program_get_block(w->p, region->blocks.data[i]);
    w->block_number[region->blocks.data[i]] = w->next_block++;
    if (i || !named) name_values(w, b->first_arg, b->arg_count, false);
    if (region->blocks.count == 1) continue;
    for (uint32_t k = 0; k < b->ops.count; k++) { /* other blocks may use them before their text comes */
      const Op *op = program_get_op(w->p, b->ops.data[k]);
      name_values(w, op->first_result, op->result_count, true);
    }
  }
  for (uint32_t i = 0; i < region->blocks.count; i++) {
    const Block *b = program_get_block(w->p, region->blocks.data[i]);
    if (i || (entry && b->arg_count)) {
      w->indent--;
      new_line(w);
      w->indent++;
      text_format(w->out, "^bb%u", w->block_number[region->blocks.data[i]]);
      if (b->arg_count) {
        text_add(w->out, "(");
        print_typed_args(w, b);
        text_add(w->out, ")");
      }
      text_add(w->out, ":");
    }
    for (uint32_t k = 0; k < b->ops.count; k++) {
      if (is_implicit(w, b, k)) continue;
      new_line(w);
      print_op(w, b->ops.data[k]);
    }
  }
  w->indent--;
  new_line(w);
  text_add(w->out, "}");
  w->next_block = block_mark;
  close_scope(w, mark);
}

/* Functions stand in the module in the order of the table. */
static const Function *function_of(Printer *w, OpId id) {
  while (w->p->functions.data[w->next_function].op != id) w->next_function++;
  return &w->p->functions.data[w->next_function];
}

static void print_function(Printer *w, OpId id) {
  const Program *p = w->p;
  const Op *op = program_get_op(p, id);
  const Function *f = function_of(w, id);
  const Type *type = program_get_type(p, f->type);
  const char *visibility = program_op_text(p, op, "sym_visibility");
  const Region *region = program_get_region(p, op->regions[0]);
  const Block *entry = region->blocks.count ? program_get_block(p, region->blocks.data[0]) : NULL;
  uint32_t mark = w->scope.count;
  if (visibility) text_format(w->out, " %s", visibility);
  text_char(w->out, ' ');
  print_symbol(w, intern_string(p->names, f->name));
  text_char(w->out, '(');
  if (entry) name_values(w, entry->first_arg, entry->arg_count, false);
  for (uint32_t i = 0; i < type->rank; i++) {
    if (i) text_add(w->out, ", ");
    if (entry) print_value(w, entry->first_arg + i), text_add(w->out, ": ");
    print_type(w, type->members[i]);
    if (f->arg_attrs && f->arg_attrs[i]) text_char(w->out, ' '), print_attr(w, f->arg_attrs[i]);
    LocId loc = entry ? program_get_value(p, entry->first_arg + i)->loc : 0;
    print_loc(w, loc);
  }
  text_char(w->out, ')');
  uint32_t results = type->member_count - type->rank;
  if (results) text_add(w->out, results > 1 ? " -> (" : " -> ");
  for (uint32_t i = 0; i < results; i++) {
    if (i) text_add(w->out, ", ");
    print_type(w, type->members[type->rank + i]);
  }
  if (results > 1) text_char(w->out, ')');
  print_dict(w, op, false, " attributes {", "}");
  if (entry) text_char(w->out, ' '), w->next_block = 0, print_region(w, op->regions[0], false, true);
  close_scope(w, mark);
}

static void print_successor(Printer *w, const Successor *s) {
  text_format(w->out, " ^bb%u", w->block_number[s->block]);
  if (!s->arg_count) return;
  text_char(w->out, '(');
  print_values(w, s->args, s->arg_count);
  text_add(w->out, " : ");
  print_value_types(w, s->args, s->arg_count);
  text_char(w->out, ')');
}

static void print_for(Printer *w, const Op *op) {
  const Block *b = program_get_block(w->p, program_get_region(w->p, op->regions[0])->blocks.data[0]);
  uint32_t mark = w->scope.count;
  name_values(w, b->first_arg, b->arg_count, false);
  if (program_op_attr(w->p, op, "unsignedCmp")) text_add(w->out, " unsigned");
  text_char(w->out, ' ');
  print_value(w, b->first_arg);
  text_add(w->out, " = ");
  print_value(w, op->operands[0]);
  text_add(w->out, " to ");
  print_value(w, op->operands[1]);
  text_add(w->out, " step ");
  print_value(w, op->operands[2]);
  for (uint32_t i = 3; i < op->operand_count; i++) {
    text_add(w->out, i == 3 ? " iter_args(" : ", ");
    print_value(w, b->first_arg + i - 2);
    text_add(w->out, " = ");
    print_value(w, op->operands[i]);
  }
  if (op->operand_count > 3) {
    text_add(w->out, ") -> (");
    print_value_types(w, op->operands + 3, op->operand_count - 3);
    text_add(w->out, ") ");
  }
  TypeId type = value_type(w, b->first_arg);
  if (program_get_type(w->p, type)->kind != TYPE_INDEX) {
    text_add(w->out, " : ");
    print_type(w, type);
  }
  text_char(w->out, ' ');
  print_region(w, op->regions[0], false, true);
  close_scope(w, mark);
}

static void print_optional_results(Printer *w, const Op *op) {
  if (!op->result_count) return;
  text_add(w->out, " -> (");
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i) text_add(w->out, ", ");
    print_type(w, value_type(w, op->first_result + i));
  }
  text_char(w->out, ')');
}

static void print_if(Printer *w, const Op *op) {
  text_char(w->out, ' ');
  print_value(w, op->operands[0]);
  print_optional_results(w, op);
  text_char(w->out, ' ');
  print_region(w, op->regions[0], false, false);
  if (op->region_count < 2 || !program_get_region(w->p, op->regions[1])->blocks.count) return;
  text_add(w->out, " else ");
  print_region(w, op->regions[1], false, false);
}

static void print_while(Printer *w, const Op *op) {
  const Block *b = program_get_block(w->p, program_get_region(w->p, op->regions[0])->blocks.data[0]);
  uint32_t mark = w->scope.count;
  name_values(w, b->first_arg, b->arg_count, false);
  text_char(w->out, ' ');
  for (uint32_t i = 0; i < op->operand_count; i++) {
    text_add(w->out, i ? ", " : "(");
    print_value(w, b->first_arg + i);
    text_add(w->out, " = ");
    print_value(w, op->operands[i]);
  }
  text_add(w->out, op->operand_count ? ") : " : ": ");
  print_functional_type(w, op);
  text_char(w->out, ' ');
  print_region(w, op->regions[0], false, true);
  close_scope(w, mark);
  text_add(w->out, " do ");
  print_region(w, op->regions[1], true, false);
}

static void print_constant(Printer *w, const Op *op) {
  print_dict(w, op, false, " {", "}");
  text_char(w->out, ' ');
  print_attr(w, program_op_attr(w->p, op, "value"));
}

static void print_call(Printer *w, const Op *op) {
  text_char(w->out, ' ');
  print_attr(w, program_op_attr(w->p, op, "callee"));
  text_char(w->out, '(');
  print_values(w, op->operands, op->operand_count);
  text_char(w->out, ')');
  print_dict(w, op, false, " {", "}");
  text_add(w->out, " : ");
  print_functional_type(w, op);
}

static void print_dot_scaled(Printer *w, const Op *op) {
  const Attr *sizes = program_get_attr(w->p, program_op_attr(w->p, op, "operandSegmentSizes"));
  ValueId scales[2] = {0, 0};
  uint32_t at = 3;
  for (uint32_t i = 0; i < 2; i++) {
    bool has = sizes->count == 5 ? program_get_attr(w->p, sizes->items[3 + i])->integer != 0 : at < op->operand_count;
    if (has && at < op->operand_count) scales[i] = op->operands[at++];
  }
  for (int i = 0; i < 2; i++) {
    text_char(w->out, ' ');
    print_value(w, op->operands[i]);
    if (scales[i]) text_add(w->out, " scale "), print_value(w, scales[i]);
    text_char(w->out, ',');
  }
  text_char(w->out, ' ');
  print_value(w, op->operands[2]);
  text_format(w->out, " lhs = %s rhs = %s", program_op_text(w->p, op, "a_elem_type"),
              program_op_text(w->p, op, "b_elem_type"));
  print_dict(w, op, false, " {", "}");
  for (int i = 0; i < 2; i++) {
    text_add(w->out, i ? " * " : " : ");
    print_type(w, value_type(w, op->operands[i]));
    if (scales[i]) text_add(w->out, ", "), print_type(w, value_type(w, scales[i]));
  }
  text_add(w->out, " -> ");
  print_type(w, value_type(w, op->first_result));
}

static void print_branch(Printer *w, const Op *op) {
  if (op->operand_count) {
    text_char(w->out, ' ');
    print_value(w, op->operands[0]);
    text_char(w->out, ',');
  }
  for (uint32_t i = 0; i < op->successor_count; i++) {
    if (i) text_char(w->out, ',');
    print_successor(w, &op->successors[i]);
  }
}

/* "name"(operands) <{properties}> ({regions}) {attributes} : type */
static void print_generic(Printer *w, const Op *op) {
  text_format(w->out, "\"%s\"(", intern_string(w->p->names, op->name));
  print_values(w, op->operands, op->operand_count);
  text_char(w->out, ')');
  print_dict(w, op, true, " <{", "}>");
  for (uint32_t i = 0; i < op->region_count; i++) {
    text_add(w->out, i ? ", " : " (");
    print_region(w, op->regions[i], true, false);
  }
  if (op->region_count) text_char(w->out, ')');
  print_dict(w, op, false, " {", "}");
  text_add(w->out, " : ");
  print_functional_type(w, op);
}

static void print_special(Printer *w, OpId id, const Op *op) {
  text_add(w->out, intern_string(w->p->names, op->name));
  if (op->code == OP_TT_FUNC) {
    print_function(w, id);
    return;
  }
  if (op->code == OP_TT_CALL) {
    print_call(w, op);
    return;
  }
  if (op->code == OP_ARITH_CONSTANT) {
    print_constant(w, op);
    return;
  }
  if (op->code == OP_SCF_FOR)
    print_for(w, op);
  else if (op->code == OP_SCF_IF)
    print_if(w, op);
  else if (op->code == OP_SCF_WHILE)
    print_while(w, op);
  else if (op->code == OP_SCF_EXECUTE_REGION) {
    if (program_op_attr(w->p, op, "no_inline")) text_add(w->out, " no_inline");
    print_optional_results(w, op);
    text_char(w->out, ' ');
    print_region(w, op->regions[0], false, false);
  } else if (op->code == OP_CF_BR || op->code == OP_CF_COND_BR)
    print_branch(w, op);
  else if (op->code == OP_TT_DOT_SCALED) {
    print_dot_scaled(w, op);
    return;
  }
  print_dict(w, op, false, op->code == OP_SCF_WHILE ? " attributes {" : " {", "}");
}

static void print_op(Printer *w, OpId id) {
  const Op *op = program_get_op(w->p, id);
  const char *format = rows[op->code].format;
  if (op->result_count && !w->names[op->first_result]) name_values(w, op->first_result, op->result_count, true);
  print_left_side(w, op);
  if (*format == '!')
    print_special(w, id, op);
  else if (!*format)
    print_generic(w, op);
  else {
    text_add(w->out, intern_string(w->p->names, op->name));
    print_format(w, op, format);
  }
  print_loc(w, op->loc);
}

/* Returns the number of different locations that were printed. */
static uint32_t print_program(const Program *p, Text *out, bool has_locs) {
  Printer w = {.p = p, .out = out, .has_locs = has_locs};
  w.names = arena_array(p->arena, const char *, p->values.count);
  w.loc_state = arena_array(p->arena, uint8_t, p->locs.count);
  w.loc_number = arena_array(p->arena, uint32_t, p->locs.count);
  w.block_number = arena_array(p->arena, uint32_t, p->blocks.count);
  const Op *module = program_get_op(p, p->module);
  text_add(out, "module");
  print_dict(&w, module, false, " attributes {", "}");
  text_add(out, " {");
  const Block *top = program_get_block(p, program_get_region(p, module->regions[0])->blocks.data[0]);
  w.indent = 1;
  for (uint32_t i = 0; i < top->ops.count; i++) {
    new_line(&w);
    print_op(&w, top->ops.data[i]);
  }
  text_add(out, "\n}");
  print_loc(&w, module->loc);
  text_add(out, "\n");
  for (uint32_t i = 0; i < w.locs.count; i++) define_loc(&w, w.locs.data[i], 0);
  return w.locs.count;
}

void program_print(const Program *p, Text *out) {
  uint32_t start = out->count;
  if (p->locs.count > 1 && print_program(p, out, true)) return;
  out->count = start; /* nothing but `loc(unknown)`: a text without locations */
  print_program(p, out, false);
}
