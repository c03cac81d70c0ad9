/* Inherent attributes of every version, pretty or generic, under one set of names and kinds (see program.h).
 *
 * Generic forms and Triton 2.x write enumerations as integers, or as #dialect<keyword>; here they become keywords.
 * Attributes that say the default are dropped, so that one meaning has one form. */
#include "read/mlir/parser.h"

#include <stdio.h>

/* ---- names */

static const struct {
  const char *name;
  Opcode code;
} spellings[] = {
    {"module", OP_BUILTIN_MODULE},
    {"func.func", OP_TT_FUNC},
    {"func", OP_TT_FUNC},
    {"func.return", OP_TT_RETURN},
    {"return", OP_TT_RETURN},
    {"func.call", OP_TT_CALL},
    {"call", OP_TT_CALL},
    {"tt.view", OP_TT_RESHAPE},
    {"tt.printf", OP_TT_PRINT},
    {"tt.ext_elemwise", OP_TT_EXTERN_ELEMENTWISE},
    {"tt.pure_extern_elementwise", OP_TT_EXTERN_ELEMENTWISE},
    {"tt.impure_extern_elementwise", OP_TT_EXTERN_ELEMENTWISE},
    {"tt.assert_op", OP_TT_ASSERT},
    {"tt.experimental_descriptor_load", OP_TT_DESCRIPTOR_LOAD},
    {"tt.experimental_descriptor_store", OP_TT_DESCRIPTOR_STORE},
    {"tt.experimental_descriptor_gather", OP_TT_DESCRIPTOR_GATHER},
    {"tt.experimental_descriptor_scatter", OP_TT_DESCRIPTOR_SCATTER},
    {"tt.experimental_make_tensor_descriptor", OP_TT_MAKE_TENSOR_DESCRIPTOR},
    {"triton_gpu.cmpi", OP_ARITH_CMPI}, /* in the TTIR of 2.0 */
    {"triton_gpu.cmpf", OP_ARITH_CMPF},
    {"triton_gpu.select", OP_ARITH_SELECT},
    {"arith.maxf", OP_ARITH_MAXIMUMF}, /* the names before MLIR 17 */
    {"arith.minf", OP_ARITH_MINIMUMF},
    {"math.abs", OP_MATH_ABSF},
};

static void add_name(Parser *r, const char *name, Opcode code) {
  Name id = intern_text(r->names, name);
  if (id >= r->opcode_names) {
    uint32_t room = id + 256;
    r->opcode_of = arena_grow(r->arena, r->opcode_of, r->opcode_names * sizeof(Opcode), room * sizeof(Opcode));
    r->opcode_names = room;
  }
  r->opcode_of[id] = code;
}

void opcode_table_fill(Parser *r) {
  for (uint32_t code = OP_UNKNOWN + 1; code < OP_COUNT; code++) add_name(r, op_rows[code].name, (Opcode)code);
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) add_name(r, spellings[i].name, spellings[i].code);
}

/* One name for one op, except that functions of the func dialect stay there. */
static void normalise_name(Parser *r, Draft *d) {
  if (d->code == OP_UNKNOWN) return;
  const char *text = intern_string(r->names, d->name);
  bool plain = !strcmp(text, "func") || !strcmp(text, "return") || !strcmp(text, "call");
  if (!strncmp(text, "func.", 5)) return;
  if (plain) {
    char name[16];
    snprintf(name, sizeof name, "func.%s", text);
    d->name = intern_text(r->names, name);
    return;
  }
  if (strcmp(text, d->row->name) != 0) d->name = intern_text(r->names, d->row->name);
}

/* ---- enumerations */

typedef struct Enumeration {
  Opcode code;
  const char *name;      /* as written in the generic form */
  const char *canonical; /* NULL: the same */
  const char *keywords;  /* separated by spaces, from number `first` on */
  int first;
  const char *otherwise; /* the default, dropped; NULL: none */
} Enumeration;

#define CMPI_KEYS "eq ne slt sle sgt sge ult ule ugt uge"
#define CMPF_KEYS "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true"
#define CACHE_KEYS "none ca cg wb cs wt cv"
#define EVICT_KEYS "evict_normal evict_first evict_last"
#define RMW_KEYS "and or xor add fadd max min umax umin exch"
#define SEM_KEYS "relaxed acquire release acq_rel"
#define SCOPE_KEYS "gpu cta sys"

static const Enumeration enumerations[] = {
    {OP_ARITH_CMPI, "predicate", NULL, CMPI_KEYS, 0, NULL},
    {OP_ARITH_CMPF, "predicate", NULL, CMPF_KEYS, 0, NULL},
    {OP_TT_LOAD, "cache", NULL, CACHE_KEYS, 1, "none"},
    {OP_TT_LOAD, "evict", NULL, EVICT_KEYS, 1, "evict_normal"},
    {OP_TT_STORE, "cache", NULL, CACHE_KEYS, 1, "none"},
    {OP_TT_STORE, "evict", NULL, EVICT_KEYS, 1, "evict_normal"},
    {OP_TT_DESCRIPTOR_LOAD, "cache", NULL, CACHE_KEYS, 1, "none"},
    {OP_TT_DESCRIPTOR_LOAD, "evict", NULL, EVICT_KEYS, 1, "evict_normal"},
    {OP_TT_ATOMIC_RMW, "atomic_rmw_op", NULL, RMW_KEYS, 1, NULL},
    {OP_TT_ATOMIC_RMW, "sem", NULL, SEM_KEYS, 1, NULL},
    {OP_TT_ATOMIC_RMW, "scope", NULL, SCOPE_KEYS, 1, NULL},
    {OP_TT_ATOMIC_CAS, "sem", NULL, SEM_KEYS, 1, NULL},
    {OP_TT_ATOMIC_CAS, "scope", NULL, SCOPE_KEYS, 1, NULL},
    {OP_TT_ATOMIC_POLL, "sem", NULL, SEM_KEYS, 1, NULL},
    {OP_TT_ATOMIC_POLL, "scope", NULL, SCOPE_KEYS, 1, NULL},
    {OP_TT_DESCRIPTOR_REDUCE, "kind", NULL, "none add min max inc dec and or xor", 0, NULL},
    {OP_TT_DOT, "inputPrecision", NULL, "tf32 tf32x3 ieee bf16x3 bf16x6", 0, "ieee"},
    {OP_TT_FP_TO_FP, "rounding", NULL, "rtz rtne", 0, NULL},
    {OP_TT_CLAMPF, "propagateNan", NULL, "none", 0, NULL},
    {OP_TT_DOT_SCALED, "a_elem_type", NULL, "e4m3 e5m2 e2m3 e3m2 e2m1 bf16 fp16", 0, NULL},
    {OP_TT_DOT_SCALED, "b_elem_type", NULL, "e4m3 e5m2 e2m3 e3m2 e2m1 bf16 fp16", 0, NULL},
    {OP_ARITH_TRUNCF, "roundingmode", NULL, "to_nearest_even downward upward toward_zero to_nearest_away", 0, NULL},
    {OP_TT_PRINT, "prefix", "message", NULL, 0, NULL},
    {OP_CF_ASSERT, "msg", NULL, NULL, 0, NULL},
};

/* The n-th word of a list, copied; NULL when there are fewer. */
static const char *nth_word(Parser *r, const char *words, int64_t n) {
  for (; n > 0 && *words; n--) {
    words += strcspn(words, " ");
    words += *words == ' ';
  }
  return n || !*words ? NULL : arena_copy(r->arena, words, strcspn(words, " "));
}

/* #dialect<keyword> or #dialect.name<keyword>: the text between the brackets. */
static const char *bracketed(Parser *r, const char *text) {
  const char *open = strchr(text, '<'), *close = strrchr(text, '>');
  if (!open || !close || close < open) return NULL;
  const char *space = memchr(open, ' ', (size_t)(close - open));
  if (text[0] == '#' && space && !strchr(text, '.')) open = space; /* #tt<cache none> */
  return arena_copy(r->arena, open + 1, (size_t)(close - open - 1));
}

static const char *as_keyword(Parser *r, const Enumeration *e, const Attr *attr) {
  if (attr->kind == ATTR_INT && e->code == OP_TT_CLAMPF) return attr->integer ? "all" : "none";
  if (attr->kind == ATTR_INT || attr->kind == ATTR_BOOL)
    return attr->integer < e->first ? NULL : nth_word(r, e->keywords, attr->integer - e->first);
  if (attr->kind == ATTR_RAW) return bracketed(r, intern_string(r->names, attr->text));
  if (attr->kind == ATTR_KEYWORD || attr->kind == ATTR_STRING) return intern_string(r->names, attr->text);
  return NULL;
}

static bool is_keyword_of(const Enumeration *e, const char *word) {
  size_t length = strlen(word);
  if (e->code == OP_TT_CLAMPF && !strcmp(word, "all")) return true;
  for (const char *at = e->keywords; length && *at;) {
    size_t size = strcspn(at, " ");
    if (size == length && !strncmp(at, word, size)) return true;
    at += size + (at[size] == ' ');
  }
  return false;
}

static bool normalise_enumeration(Parser *r, Draft *d, const Enumeration *e) {
  AttrId id = draft_get_attr(r, d, e->name);
  if (!id) return true;
  if (!e->keywords) {
    if (e->canonical) draft_drop_attr(r, d, e->name), draft_attr(r, e->canonical, id);
    return true;
  }
  const Attr attr = *program_get_attr(r->p, id);
  const char *word = as_keyword(r, e, &attr);
  if (!word || !is_keyword_of(e, word))
    return parser_error(r, "parse.attribute", d->span, NULL, "%s: `%.40s` is not a value of %s", d->row->name,
                        word ? word : "this", e->name);
  draft_drop_attr(r, d, e->name);
  if (!e->otherwise || strcmp(e->otherwise, word) != 0) draft_attr(r, e->name, attr_keyword(r, word));
  return true;
}

/* ---- single ops */

static void drop_if_false(Parser *r, Draft *d, const char *name) {
  AttrId id = draft_get_attr(r, d, name);
  const Attr *a = program_get_attr(r->p, id);
  if (id && (a->kind == ATTR_BOOL || a->kind == ATTR_INT) && !a->integer) draft_drop_attr(r, d, name);
}

static void drop_if_empty(Parser *r, Draft *d, const char *name) {
  AttrId id = draft_get_attr(r, d, name);
  if (id && program_get_attr(r->p, id)->kind == ATTR_ARRAY && !program_get_attr(r->p, id)->count)
    draft_drop_attr(r, d, name);
}

/* {allow_reorder = true} and {allow_reorder} */
static void as_unit(Parser *r, Draft *d, const char *name) {
  AttrId id = draft_get_attr(r, d, name);
  const Attr *a = program_get_attr(r->p, id);
  if (!id || a->kind == ATTR_UNIT) return;
  bool on = a->kind != ATTR_BOOL || a->integer;
  draft_drop_attr(r, d, name);
  if (on) draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_UNIT}));
}

static void normalise_dot(Parser *r, Draft *d) {
  AttrId id = draft_get_attr(r, d, "allowTF32");
  if (id) {
    bool allowed = program_get_attr(r->p, id)->integer != 0;
    draft_drop_attr(r, d, "allowTF32");
    if (allowed) draft_attr(r, "inputPrecision", attr_keyword(r, "tf32"));
  }
  drop_if_false(r, d, "maxNumImpreciseAcc");
}

static void normalise_trans(Parser *r, Draft *d) {
  if (draft_get_attr(r, d, "order")) return;
  AttrId *items = arena_array(r->arena, AttrId, 2);
  items[0] = attr_int(r, 1, 32), items[1] = attr_int(r, 0, 32);
  draft_attr(r, "order",
             attr_new(r, (Attr){.kind = ATTR_ARRAY, .type = program_type_int(r->p, 32), .items = items, .count = 2}));
}

/* #arith.overflow<none>, #arith.fastmath<fast>: the text between the brackets, for ops whose format has a place for it.
 */
static void normalise_flags(Parser *r, Draft *d, const char *name, const char *token) {
  AttrId id = draft_get_attr(r, d, name);
  const Attr attr = *program_get_attr(r->p, id);
  if (!id || attr.kind != ATTR_RAW || !strstr(d->row->format, token)) return;
  const char *text = intern_string(r->names, attr.text), *inside = text[0] == '#' ? bracketed(r, text) : text;
  draft_drop_attr(r, d, name);
  if (inside && strcmp(inside, "none") != 0)
    draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_RAW, .text = intern_text(r->names, inside)}));
}

static bool need_integer(Parser *r, Draft *d, const char *name) {
  AttrId id = draft_get_attr(r, d, name);
  if (id && program_get_attr(r->p, id)->kind == ATTR_INT) return true;
  return parser_error(r, "parse.attribute", d->span, NULL, "%s needs the integer attribute `%s`", d->row->name, name);
}

static bool need(Parser *r, Draft *d, const char *name) {
  return draft_get_attr(r, d, name) ||
         parser_error(r, "parse.attribute", d->span, NULL, "%s needs the attribute `%s`", d->row->name, name);
}

static void normalise_load(Parser *r, Draft *d) {
  drop_if_false(r, d, "isVolatile");
  drop_if_empty(r, d, "boundaryCheck");
}

static bool reverse_by_default(Parser *r, Draft *d) {
  if (!draft_get_attr(r, d, "reverse"))
    draft_attr(r, "reverse", attr_new(r, (Attr){.kind = ATTR_BOOL, .type = program_type_int(r->p, 1)}));
  return need_integer(r, d, "axis");
}

static bool check_visibility(Parser *r, Draft *d) {
  AttrId id = draft_get_attr(r, d, "sym_visibility");
  const Attr *a = program_get_attr(r->p, id);
  const char *text = a->kind == ATTR_STRING ? intern_string(r->names, a->text) : "";
  if (!id || !strcmp(text, "public") || !strcmp(text, "private") || !strcmp(text, "nested")) return true;
  return parser_error(r, "parse.attribute", d->span, NULL, "the visibility of a function is public, private or nested");
}

/* 2.x: `start`, `end` may come in any integer type; the pretty form has them in a dictionary. */
static bool normalise_op(Parser *r, Draft *d) {
  if (d->code == OP_TT_LOAD || d->code == OP_TT_STORE) return normalise_load(r, d), true;
  if (d->code == OP_TT_FUNC) return check_visibility(r, d);
  if (d->code == OP_TT_DOT) return normalise_dot(r, d), true;
  if (d->code == OP_TT_TRANS) return normalise_trans(r, d), true;
  if (d->code == OP_TT_RESHAPE) return as_unit(r, d, "allow_reorder"), as_unit(r, d, "efficient_layout"), true;
  if (d->code == OP_TT_GATHER) return as_unit(r, d, "efficient_layout"), need_integer(r, d, "axis");
  if (d->code == OP_TT_MAKE_RANGE) return need_integer(r, d, "start") && need_integer(r, d, "end");
  if (d->code == OP_TT_GET_PROGRAM_ID || d->code == OP_TT_GET_NUM_PROGRAMS || d->code == OP_TT_EXPAND_DIMS ||
      d->code == OP_TT_REDUCE)
    return need_integer(r, d, "axis");
  if (d->code == OP_TT_SCAN) return reverse_by_default(r, d);
  if (d->code == OP_TT_EXTERN_ELEMENTWISE) return need(r, d, "symbol");
  if (d->code == OP_ARITH_CMPI || d->code == OP_ARITH_CMPF) return need(r, d, "predicate");
  if (d->code == OP_ARITH_CONSTANT) return need(r, d, "value");
  if (d->code == OP_TT_DOT_SCALED) return need(r, d, "a_elem_type") && need(r, d, "b_elem_type");
  return true; /* no inherent attributes, or none that differ between versions */
}

/* The attributes that the format prints must be there, and be of its kind; a generic form can leave them out. */
static bool check_required(Parser *r, Draft *d) {
  const char *format = d->row->format;
  for (uint32_t length; *format; format += length + (format[length] == ' ')) {
    length = (uint32_t)strcspn(format, " ");
    const char *begin = format[1] == '.' ? format + 2 : NULL;
    if (format[0] == '=') begin = memchr(format + 1, '=', length - 1);
    if (!begin) continue;
    begin += *begin == '=';
    const char *name = arena_copy(r->arena, begin, (size_t)(format + length - begin));
    if (!need(r, d, name)) return false;
    const Attr *a = program_get_attr(r->p, draft_get_attr(r, d, name));
    bool good = format[0] == 'd'   ? a->kind == ATTR_INT && a->integer >= 0 && a->integer < 3
                : format[0] == 's' ? a->kind == ATTR_STRING
                                   : a->kind == ATTR_KEYWORD;
    if (!good)
      return parser_error(r, "parse.attribute", d->span, NULL, "%s: `%s` is not of its kind", d->row->name, name);
  }
  return true;
}

static bool check_duplicates(Parser *r, Draft *d) {
  for (uint32_t i = d->attrs; i < r->attrs.count; i++) {
    Name name = r->attrs.data[i].name;
    while (r->attr_seen.count <= name) array_push(r->arena, &r->attr_seen, 0);
    if (r->attr_seen.data[name] == d->id)
      return parser_error(r, "parse.redefined", d->span, NULL, "%s has the attribute `%s` twice", d->row->name,
                          intern_string(r->names, name));
    r->attr_seen.data[name] = d->id;
  }
  return true;
}

bool normalise_attributes(Parser *r, Draft *d) {
  normalise_name(r, d);
  if (r->attrs.count - d->attrs > 1 && !check_duplicates(r, d)) return false;
  if (d->code == OP_UNKNOWN) return true;
  if (d->generic) {
    if (d->code != OP_TT_DOT_SCALED)
      draft_drop_attr(r, d, "operandSegmentSizes"), draft_drop_attr(r, d, "operand_segment_sizes");
    draft_drop_attr(r, d, "resultSegmentSizes");
  }
  normalise_flags(r, d, "fastmath", " fm "), normalise_flags(r, d, "overflowFlags", " ovf ");
  for (size_t i = 0; i < sizeof enumerations / sizeof *enumerations; i++)
    if (enumerations[i].code == d->code && !normalise_enumeration(r, d, &enumerations[i])) return false;
  return normalise_op(r, d) && check_required(r, d);
}
