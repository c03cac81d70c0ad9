/* Operations of the dialects of MLIR beyond arith, math, scf and func: the table dialects.def and the custom forms that
 * no format says.
 *
 *   tensor.extract %t[%i, ..] : T            memref.store %v, %m[%i, ..] : M
 *   tensor.extract_slice %t[o, ..] [n, ..] [s, ..] : T to R       each a number or an operand
 *   tensor.expand_shape %t [[0, 1], [2]] [output_shape [n, ..]] : T into R
 *   linalg.NAME [{..}] ins(%a, .. : T, ..) outs(%o, .. : T, ..) [NAME = [..]] [{..}] [-> R, ..]
 *   linalg.generic {..} ins(..) outs(..) [attrs = {..}] { region } [-> R, ..]
 *   linalg.map|reduce [{ op {..} }] ins(..) outs(..) [dimensions = [..]] [(%x: T, ..) { region }]
 *   affine.for %i = LOWER to UPPER [step n] [iter_args(..) -> (..)] { region }
 *
 * They leave what the generic form has: static_offsets with INT64_MIN in the place of operands, operandSegmentSizes,
 * reassociation, map. A payload operation of linalg.map and reduce stands in the attribute `payload`. */
#include <stdio.h>

#include "read/mlir/parser.h"

static const OpRow rows[] = {
#define ROW(name, low, high, results, format) {name, low, high, results, EFFECT, format},
#include "read/mlir/dialects.def"
#undef ROW
};

void dialect_table_fill(Parser *r) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Name id = intern_text(r->names, rows[i].name);
    if (id >= r->dialect_names) {
      uint32_t room = id + 256;
      r->dialect_row = arena_grow(r->arena, r->dialect_row, r->dialect_names * sizeof *r->dialect_row,
                                  room * sizeof *r->dialect_row);
      r->dialect_names = room;
    }
    r->dialect_row[id] = &rows[i];
  }
}

const OpRow *dialect_row(const Parser *r, Name name) { return name < r->dialect_names ? r->dialect_row[name] : NULL; }

/* ---- parts ---- */

uint32_t draft_operand_count(const Parser *r, const Draft *d) { return r->operands.count - d->operands; }
Operand *draft_operand(Parser *r, const Draft *d, uint32_t i) { return &r->operands.data[d->operands + i]; }
bool draft_result(Parser *r, TypeId type) {
  if (type) array_push(r->arena, &r->results, type);
  return type != 0;
}
TypeId type_index(Parser *r) { return program_type(r->p, &(Type){.kind = TYPE_INDEX, .width = 64}); }

/* [%i, ..] */
bool parse_subscripts(Parser *r, Draft *d) {
  return parser_expect(r, '[') && parse_operand_list(r, d) && parser_expect(r, ']');
}

/* : T of the shaped operand `i`. */
TypeId parse_shaped_type(Parser *r, Draft *d, uint32_t i) {
  if (!parse_optional_dict(r) || !parser_expect(r, ':')) return 0;
  TypeId type = parse_type(r);
  if (type && i < draft_operand_count(r, d)) draft_operand(r, d, i)->type = type;
  return type;
}

static TypeId element_of(Parser *r, TypeId type) {
  const Type *t = program_get_type(r->p, type);
  return t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF ? t->element : 0;
}

static bool need_shaped(Parser *r, Draft *d, TypeId element) {
  return element || parser_error(r, "parse.type", d->span, NULL, "%s: a tensor or memref is expected", d->row->name);
}

typedef struct Mixed {
  Array(int64_t) values;
} Mixed;

/* [%a, 3, ..]: numbers, and operands as INT64_MIN. */
static bool mixed_list(Parser *r, Draft *d, Mixed *list, char open, char close) {
  if (!parser_expect(r, open)) return false;
  if (parser_accept(r, close)) return true;
  do {
    int64_t value = TYPE_DYNAMIC;
    if (r->lexer.token.kind == TOKEN_VALUE ? !parse_operand(r, d) : !parser_integer(r, &value)) return false;
    array_push(r->arena, &list->values, value);
  } while (parser_accept(r, ','));
  return parser_expect(r, close);
}

bool parse_mixed_attribute(Parser *r, Draft *d, const char *name, char open, char close) {
  Mixed list = {0};
  if (!mixed_list(r, d, &list, open, close)) return false;
  draft_attr(r, name, attr_integers(r, list.values.data, list.values.count));
  return true;
}

/* ---- tensor and memref ---- */

static bool parse_extract(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parse_subscripts(r, d)) return false;
  TypeId type = parse_shaped_type(r, d, 0);
  return type && need_shaped(r, d, element_of(r, type)) && draft_result(r, element_of(r, type));
}

static bool parse_insert(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect_word(r, "into") || !parse_operand(r, d) || !parse_subscripts(r, d))
    return false;
  TypeId type = parse_shaped_type(r, d, 1);
  if (!type || !need_shaped(r, d, element_of(r, type))) return false;
  draft_operand(r, d, 0)->type = element_of(r, type);
  return draft_result(r, type);
}

static bool parse_store(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect(r, ',') || !parse_operand(r, d) || !parse_subscripts(r, d)) return false;
  TypeId type = parse_shaped_type(r, d, 1);
  if (!type || !need_shaped(r, d, element_of(r, type))) return false;
  draft_operand(r, d, 0)->type = element_of(r, type);
  return true;
}

/* : T, U of the shaped operand `i` and the one behind, or of `i` and the result; 0: none is given. */
static TypeId two_types(Parser *r, Draft *d, uint32_t i) {
  TypeId type = parse_shaped_type(r, d, i);
  return type && parser_expect(r, ',') ? parse_type(r) : 0;
}

/* %x[%i, ..] {..} : T, vector<..> */
static bool parse_vector_load(Parser *r, Draft *d) {
  return parse_operand(r, d) && parse_subscripts(r, d) && draft_result(r, two_types(r, d, 0));
}

/* %v, %x[%i, ..] {..} : T, vector<..> */
static bool parse_vector_store(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect(r, ',') || !parse_operand(r, d) || !parse_subscripts(r, d)) return false;
  TypeId vector = two_types(r, d, 1);
  if (vector) draft_operand(r, d, 0)->type = vector;
  return vector != 0;
}

/* %x[%i, ..], %padding {..} : T, vector<..> */
static bool parse_transfer_read(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parse_subscripts(r, d) || !parser_expect(r, ',') || !parse_operand(r, d)) return false;
  uint32_t padding = draft_operand_count(r, d) - 1;
  if (parser_accept(r, ',') && !parse_operand(r, d)) return false; /* a mask */
  TypeId vector = two_types(r, d, 0);
  if (!vector || !need_shaped(r, d, element_of(r, draft_operand(r, d, 0)->type))) return false;
  draft_operand(r, d, padding)->type = element_of(r, draft_operand(r, d, 0)->type);
  return draft_result(r, vector);
}

/* %v, %x[%i, ..] {..} : vector<..>, T; of a tensor it is the one with the lanes. */
static bool parse_transfer_write(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect(r, ',') || !parse_operand(r, d) || !parse_subscripts(r, d)) return false;
  if (parser_accept(r, ',') && !parse_operand(r, d)) return false; /* a mask */
  TypeId whole = two_types(r, d, 0);
  if (!whole || !need_shaped(r, d, element_of(r, whole))) return false;
  draft_operand(r, d, 1)->type = whole;
  return program_get_type(r->p, whole)->kind != TYPE_TENSOR || draft_result(r, whole);
}

/* %x[%i] gather_dims([0, ..]) [unique] {..} : F */
static bool parse_gather(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parse_subscripts(r, d) || !parser_expect_word(r, "gather_dims") ||
      !parser_expect(r, '('))
    return false;
  AttrId dims = parse_attribute(r);
  if (!dims || !parser_expect(r, ')')) return false;
  draft_attr(r, "gather_dims", dims);
  if (parser_accept_word(r, "unique")) draft_attr(r, "unique", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  return parse_format(r, d, "{} : F");
}

/* %x into %y[%i] scatter_dims([0, ..]) [unique] {..} : F */
static bool parse_tensor_scatter(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect_word(r, "into") || !parse_operand(r, d) || !parse_subscripts(r, d) ||
      !parser_expect_word(r, "scatter_dims") || !parser_expect(r, '('))
    return false;
  AttrId dims = parse_attribute(r);
  if (!dims || !parser_expect(r, ')')) return false;
  draft_attr(r, "scatter_dims", dims);
  if (parser_accept_word(r, "unique")) draft_attr(r, "unique", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  return parse_format(r, d, "{} : F");
}

static bool named_attribute(Parser *r, const char *name) {
  AttrId value = parser_expect_word(r, name) && parser_expect(r, '=') ? parse_attribute(r) : 0;
  if (value) draft_attr(r, name, value);
  return value != 0;
}

/* %x [padding_value(%p : T)] [outer_dims_perm = [..]] inner_dims_pos = [..] inner_tiles = [..] into %y {..} : T -> T,
 * with the destination behind the source in the order of operands. */
static bool parse_pack(Parser *r, Draft *d) {
  int64_t counts[4] = {1, 1, 0, 0};
  TypeId padding = 0;
  if (!parse_operand(r, d)) return false;
  if (parser_accept_word(r, "padding_value")) {
    if (!parser_expect(r, '(') || !parse_operand(r, d) || !parser_expect(r, ':')) return false;
    padding = parse_type(r), counts[2] = 1;
    if (!padding || !parser_expect(r, ')')) return false;
  }
  if ((lexer_is_word(&r->lexer, "outer_dims_perm") && !named_attribute(r, "outer_dims_perm")) ||
      !named_attribute(r, "inner_dims_pos") || !parser_expect_word(r, "inner_tiles") || !parser_expect(r, '=') ||
      !parse_mixed_attribute(r, d, "static_inner_tiles", '[', ']'))
    return false;
  uint32_t count = draft_operand_count(r, d);
  counts[3] = (int64_t)count - 1 - counts[2];
  if (!parser_expect_word(r, "into") || !parse_operand(r, d) || !parse_optional_dict(r) || !parser_expect(r, ':'))
    return false;
  Operand to = *draft_operand(r, d, count);
  for (uint32_t i = count; i > 1; i--) *draft_operand(r, d, i) = *draft_operand(r, d, i - 1);
  *draft_operand(r, d, 1) = to;
  TypeId source = parse_type(r), result = source && parser_expect_arrow(r) ? parse_type(r) : 0;
  if (!result) return false;
  draft_operand(r, d, 0)->type = source, draft_operand(r, d, 1)->type = result;
  if (padding) draft_operand(r, d, 2)->type = padding;
  for (uint32_t i = 2 + (uint32_t)counts[2]; i <= count; i++) draft_operand(r, d, i)->type = type_index(r);
  if (strstr(d->row->name, ".pack")) draft_attr(r, "operandSegmentSizes", attr_integers(r, counts, 4));
  return draft_result(r, result);
}

static bool parse_offsets(Parser *r, Draft *d) {
  return parse_mixed_attribute(r, d, "static_offsets", '[', ']') &&
         parse_mixed_attribute(r, d, "static_sizes", '[', ']') &&
         parse_mixed_attribute(r, d, "static_strides", '[', ']') && parse_optional_dict(r);
}

static bool parse_extract_slice(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parse_offsets(r, d) || !parse_shaped_type(r, d, 0) || !parser_expect_word(r, "to"))
    return false;
  return draft_result(r, parse_type(r));
}

static bool parse_insert_slice(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect_word(r, "into") || !parse_operand(r, d) || !parse_offsets(r, d))
    return false;
  if (!parse_shaped_type(r, d, 0) || !parser_expect_word(r, "into")) return false;
  TypeId type = parse_type(r);
  if (type) draft_operand(r, d, 1)->type = type;
  return type && (!d->row->results || draft_result(r, type));
}

/* [[0, 1], [2]] */
static bool reassociation(Parser *r) {
  AttrId groups = parse_attribute(r);
  if (groups) draft_attr(r, "reassociation", groups);
  return groups != 0;
}

static bool parse_collapse_shape(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !reassociation(r) || !parse_shaped_type(r, d, 0) || !parser_expect_word(r, "into"))
    return false;
  return draft_result(r, parse_type(r));
}

static bool parse_expand_shape(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !reassociation(r)) return false;
  if (parser_accept_word(r, "output_shape") && !parse_mixed_attribute(r, d, "static_output_shape", '[', ']'))
    return false;
  if (!parse_shaped_type(r, d, 0) || !parser_expect_word(r, "into")) return false;
  return draft_result(r, parse_type(r));
}

static bool parse_pad(Parser *r, Draft *d) {
  if (!parse_operand(r, d)) return false;
  if (parser_accept_word(r, "nofold")) draft_attr(r, "nofold", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  if (!parser_expect_word(r, "low") || !parse_mixed_attribute(r, d, "static_low", '[', ']') ||
      !parser_expect_word(r, "high") || !parse_mixed_attribute(r, d, "static_high", '[', ']') ||
      !parse_region(r, d, NULL, 0, OP_NONE) || !parse_shaped_type(r, d, 0) || !parser_expect_word(r, "to"))
    return false;
  return draft_result(r, parse_type(r));
}

static bool parse_generate(Parser *r, Draft *d) {
  if (!parse_operand_list(r, d) || !parse_region(r, d, NULL, 0, OP_NONE) || !parse_optional_dict(r) ||
      !parser_expect(r, ':'))
    return false;
  return draft_result(r, parse_type(r));
}

static bool parse_splat(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || (lexer_is(&r->lexer, '[') && !parse_subscripts(r, d))) return false;
  if (!parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  TypeId type = parse_type(r);
  if (type) draft_operand(r, d, 0)->type = element_of(r, type);
  return draft_result(r, type);
}

static bool parse_concat(Parser *r, Draft *d) {
  int64_t axis;
  if (!parser_expect_word(r, "dim") || !parser_expect(r, '(') || !parser_integer(r, &axis) || !parser_expect(r, ')'))
    return false;
  draft_attr(r, "dim", attr_int(r, axis, 64));
  return parse_operand_list(r, d) && parse_format(r, d, "{} : F");
}

static bool parse_dim(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect(r, ',') || !parse_operand(r, d) || !parse_shaped_type(r, d, 0))
    return false;
  draft_operand(r, d, 1)->type = type_index(r);
  return draft_result(r, type_index(r));
}

static bool parse_rank(Parser *r, Draft *d) {
  return parse_operand(r, d) && parse_shaped_type(r, d, 0) && draft_result(r, type_index(r));
}

static bool parse_alloc(Parser *r, Draft *d) {
  uint32_t sizes;
  if (!parser_expect(r, '(') || !parse_operand_list(r, d) || !parser_expect(r, ')')) return false;
  sizes = draft_operand_count(r, d);
  if (lexer_is(&r->lexer, '[') && !parse_subscripts(r, d)) return false;
  draft_attr(r, "operandSegmentSizes", attr_integers(r, (int64_t[]){sizes, draft_operand_count(r, d) - sizes}, 2));
  return parse_optional_dict(r) && parser_expect(r, ':') && draft_result(r, parse_type(r));
}

static bool parse_get_global(Parser *r, Draft *d) {
  (void)d;
  if (r->lexer.token.kind != TOKEN_SYMBOL) return parser_expected(r, "a global such as `@x`");
  AttrId name = parse_attribute(r);
  if (!name) return false;
  draft_attr(r, "name", name);
  return parse_optional_dict(r) && parser_expect(r, ':') && draft_result(r, parse_type(r));
}

static bool parse_global(Parser *r, Draft *d) {
  static const char *const visibilities[] = {"public", "private", "nested"};
  (void)d;
  if (r->lexer.token.kind == TOKEN_STRING) { /* of older releases */
    draft_attr(r, "sym_visibility", parse_attribute(r));
  }
  for (int i = 0; i < 3; i++)
    if (parser_accept_word(r, visibilities[i]))
      draft_attr(r, "sym_visibility",
                 attr_new(r, (Attr){.kind = ATTR_STRING, .text = intern_text(r->names, visibilities[i])}));
  if (parser_accept_word(r, "constant")) draft_attr(r, "constant", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  if (r->lexer.token.kind != TOKEN_SYMBOL) return parser_expected(r, "a global such as `@x`");
  Attr name = *program_get_attr(r->p, parse_attribute(r));
  name.kind = ATTR_STRING;
  draft_attr(r, "sym_name", attr_new(r, name));
  if (!parser_expect(r, ':')) return false;
  TypeId type = parse_type(r);
  if (!type) return false;
  draft_attr(r, "type", attr_new(r, (Attr){.kind = ATTR_TYPE, .type = type}));
  if (parser_accept(r, '=')) {
    bool nothing = parser_accept_word(r, "uninitialized");
    const Type *m = program_get_type(r->p, type);
    if (!nothing && m->kind == TYPE_MEMREF && !lexer_is_word(&r->lexer, "dense") && !lexer_is_word(&r->lexer, "sparse"))
      return parser_expected(r, "`dense`, `sparse` or `uninitialized`");
    AttrId value = nothing ? attr_new(r, (Attr){.kind = ATTR_UNIT}) : parse_literal_of(r, type);
    if (!value) return false;
    draft_attr(r, "initial_value", value);
  }
  return parse_optional_dict(r);
}

/* ---- bufferization ---- */

/* The type of a memref says that of the tensor, and in later releases both stand there: A to B. */
static bool tensor_and_memref(Parser *r, Draft *d, bool to_tensor) {
  if (!parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  TypeId first = parse_type(r), second = 0;
  if (!first) return false;
  if (parser_accept_word(r, "to")) {
    second = parse_type(r);
    if (!second) return false;
    draft_operand(r, d, 0)->type = first;
    return draft_result(r, second);
  }
  const Type t = *program_get_type(r->p, first);
  if (t.kind != TYPE_MEMREF) return parser_error(r, "parse.type", d->span, NULL, "%s: a memref", d->row->name);
  TypeId tensor = program_type_tensor(r->p, t.element, t.rank, t.dims);
  draft_operand(r, d, 0)->type = to_tensor ? first : tensor;
  return draft_result(r, to_tensor ? tensor : first);
}

static bool parse_to_memref(Parser *r, Draft *d) {
  if (!parse_operand(r, d)) return false;
  if (parser_accept_word(r, "read_only")) draft_attr(r, "read_only", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  if (!tensor_and_memref(r, d, false)) return false;
  const Value *v = program_get_value(r->p, draft_operand(r, d, 0)->value); /* with an encoding, perhaps */
  if (v->type && program_get_type(r->p, v->type)->kind == TYPE_TENSOR) draft_operand(r, d, 0)->type = 0;
  return true;
}

static bool parse_to_tensor(Parser *r, Draft *d) {
  if (!parse_operand(r, d)) return false;
  for (int i = 0; i < 2; i++) {
    if (parser_accept_word(r, "restrict")) draft_attr(r, "restrict", attr_new(r, (Attr){.kind = ATTR_UNIT}));
    if (parser_accept_word(r, "writable")) draft_attr(r, "writable", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  }
  return tensor_and_memref(r, d, true);
}

static bool parse_alloc_tensor(Parser *r, Draft *d) {
  if (!parser_expect(r, '(') || !parse_operand_list(r, d) || !parser_expect(r, ')')) return false;
  uint32_t sizes = draft_operand_count(r, d), copy = 0;
  if (parser_accept_word(r, "copy")) {
    copy = 1;
    if (!parser_expect(r, '(') || !parse_operand(r, d) || !parser_expect(r, ')')) return false;
  }
  draft_attr(r, "operandSegmentSizes", attr_integers(r, (int64_t[]){sizes, copy, 0}, 3));
  return parse_optional_dict(r) && parser_expect(r, ':') && draft_result(r, parse_type(r));
}

/* ---- linalg ---- */

/* ins(%a, .. : T, ..) */
static bool operand_group(Parser *r, Draft *d, const char *word, int64_t *count) {
  *count = 0;
  if (!parser_accept_word(r, word)) return true;
  uint32_t base = draft_operand_count(r, d);
  if (!parser_expect(r, '(')) return false;
  if (parser_accept(r, ')')) return true;
  if (!parse_operand_list(r, d) || !parser_expect(r, ':')) return false;
  for (uint32_t i = base; i < draft_operand_count(r, d); i++) {
    TypeId type = parse_type(r);
    if (!type || (i + 1 < draft_operand_count(r, d) && !parser_expect(r, ','))) return false;
    draft_operand(r, d, i)->type = type;
  }
  *count = draft_operand_count(r, d) - base;
  return parser_expect(r, ')');
}

static bool ins_outs(Parser *r, Draft *d) {
  int64_t counts[2];
  if (!operand_group(r, d, "ins", &counts[0]) || !operand_group(r, d, "outs", &counts[1])) return false;
  draft_attr(r, "operandSegmentSizes", attr_integers(r, counts, 2));
  return true;
}

static bool optional_results(Parser *r) {
  if (!parser_accept_arrow(r)) return true;
  if (lexer_is(&r->lexer, '(')) return parse_type_list(r);
  do
    if (!draft_result(r, parse_type(r))) return false;
  while (parser_accept(r, ','));
  return true;
}

/* dimensions = [..], permutation = [..], and the like */
static bool assignments(Parser *r) {
  static const char *const names[] = {"dimensions", "permutation", "indexing_maps", "kind"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!parser_accept_word(r, names[i])) continue;
    if (!parser_expect(r, '=')) return false;
    AttrId value = parse_attribute(r);
    if (!value) return false;
    draft_attr(r, names[i], value);
    i = (size_t)-1;
  }
  return true;
}

/* Results are the tensors that are written: these forms don't print them. */
static void results_of_outputs(Parser *r, Draft *d) {
  const Attr *sizes = program_get_attr(r->p, draft_get_attr(r, d, "operandSegmentSizes"));
  uint32_t first = (uint32_t)program_get_attr(r->p, sizes->items[0])->integer;
  for (uint32_t i = first; r->results.count == d->results + i - first && i < draft_operand_count(r, d); i++) {
    TypeId type = draft_operand(r, d, i)->type;
    if (program_get_type(r->p, type)->kind == TYPE_TENSOR) draft_result(r, type);
  }
}

static bool parse_structured(Parser *r, Draft *d) {
  int64_t axis;
  if (parser_accept_word(r, "dimension")) { /* of softmax */
    if (!parser_expect(r, '(') || !parser_integer(r, &axis) || !parser_expect(r, ')')) return false;
    draft_attr(r, "dimension", attr_int(r, axis, 64));
  }
  bool good = parse_optional_dict(r) && assignments(r) && ins_outs(r, d) && assignments(r) && parse_optional_dict(r) &&
              optional_results(r);
  if (good && draft_get_attr(r, d, strstr(d->row->name, "transpose") ? "permutation" : "dimensions"))
    results_of_outputs(r, d);
  return good;
}

bool parse_dictionary_alias(Parser *r) {
  const Attr dict = *program_get_attr(r->p, parse_attribute(r));
  if (dict.kind != ATTR_DICT) return parser_expected(r, "a dictionary");
  for (uint32_t i = 0; i < dict.count; i++) array_push(r->arena, &r->attrs, (NamedAttr){dict.keys[i], dict.items[i]});
  return true;
}

static bool parse_generic_op(Parser *r, Draft *d) {
  if (lexer_is(&r->lexer, '{') ? !parse_attribute_entries(r) : false) return false;
  if (r->lexer.token.kind == TOKEN_HASH && !parse_dictionary_alias(r)) return false;
  if (!ins_outs(r, d)) return false;
  if (parser_accept_word(r, "attrs") && (!parser_expect(r, '=') || !parse_attribute_entries(r))) return false;
  return parse_region(r, d, NULL, 0, OP_NONE) && optional_results(r);
}

/* (%x: T, ..) { region } */
static bool payload_region(Parser *r, Draft *d) {
  Array(Argument) arguments = {0};
  Argument none = {0};
  if (!parser_expect(r, '(')) return false;
  if (!lexer_is(&r->lexer, ')')) {
    do {
      Argument a = {.span = parser_span(r)};
      if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a block argument such as `%x`");
      a.name = parser_name(r, 1);
      lexer_next(&r->lexer);
      if (!parser_expect(r, ':')) return false;
      a.type = parse_type(r);
      if (!a.type || !parse_optional_loc(r, &a.loc)) return false;
      array_push(r->arena, &arguments, a);
    } while (parser_accept(r, ','));
  }
  return parser_expect(r, ')') &&
         parse_region(r, d, arguments.count ? arguments.data : &none, arguments.count, OP_NONE);
}

static bool parse_payload(Parser *r, Draft *d) {
  bool is_short = parser_accept(r, '{');
  if (is_short) {
    if (r->lexer.token.kind != TOKEN_WORD) return parser_expected(r, "an operation");
    draft_attr(r, "payload", attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = parser_name(r, 0)}));
    lexer_next(&r->lexer);
    if (lexer_is(&r->lexer, '{')) {
      AttrId attributes = parse_attribute(r);
      if (!attributes) return false;
      draft_attr(r, "payload_attributes", attributes);
    }
    if (!parser_expect(r, '}')) return false;
  }
  if (!ins_outs(r, d) || !assignments(r) || !parse_optional_dict(r)) return false;
  if (!is_short && !payload_region(r, d)) return false;
  if (!optional_results(r)) return false;
  results_of_outputs(r, d);
  return true;
}

static bool parse_index(Parser *r, Draft *d) {
  int64_t axis;
  (void)d;
  if (!parser_integer(r, &axis)) return false;
  draft_attr(r, "dim", attr_int(r, axis, 64));
  if (!parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  return draft_result(r, parse_type(r));
}

/* ---- affine ---- */

/* (%d, ..)[%s, ..] */
static bool map_operands(Parser *r, Draft *d) {
  if (parser_accept(r, '(') && (!parse_operand_list(r, d) || !parser_expect(r, ')'))) return false;
  return !lexer_is(&r->lexer, '[') || parse_subscripts(r, d);
}

static bool parse_affine_apply(Parser *r, Draft *d) {
  AttrId map = parse_attribute(r);
  if (!map || !map_operands(r, d) || !parse_optional_dict(r)) return false;
  draft_attr(r, "map", map);
  for (uint32_t i = 0; i < draft_operand_count(r, d); i++) draft_operand(r, d, i)->type = type_index(r);
  return draft_result(r, type_index(r));
}

/* A number, an operand, or [min|max] a map of operands; `count` operands. */
static bool affine_bound(Parser *r, Draft *d, const char *name, int64_t *count) {
  uint32_t base = draft_operand_count(r, d);
  int64_t value;
  AffineMap *map = arena_new(r->arena, AffineMap);
  AffineNode *one = arena_array(r->arena, AffineNode, 1);
  uint32_t *results = arena_array(r->arena, uint32_t, 1);
  if (!parser_accept_word(r, "min")) parser_accept_word(r, "max");
  AttrId attr = 0;
  if (r->lexer.token.kind == TOKEN_VALUE) {
    if (!parse_operand(r, d)) return false;
    *one = (AffineNode){.kind = AFFINE_SYMBOL};
    *map = (AffineMap){.symbols = 1, .node_count = 1, .result_count = 1, .nodes = one, .results = results};
  } else if (r->lexer.token.kind == TOKEN_INT || lexer_is(&r->lexer, '-')) {
    if (!parser_integer(r, &value)) return false;
    *one = (AffineNode){.kind = AFFINE_CONSTANT, .value = value};
    *map = (AffineMap){.node_count = 1, .result_count = 1, .nodes = one, .results = results};
  } else {
    attr = parse_attribute(r);
    if (!attr || !map_operands(r, d)) return false;
  }
  draft_attr(r, name, attr ? attr : attr_new(r, (Attr){.kind = ATTR_MAP, .map = map}));
  *count = draft_operand_count(r, d) - base;
  return true;
}

static bool parse_affine_for(Parser *r, Draft *d) {
  Array(Argument) arguments = {0};
  int64_t counts[3] = {0}, step = 1;
  if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%i`");
  array_push(r->arena, &arguments, (Argument){parser_name(r, 1), type_index(r), 0, parser_span(r)});
  lexer_next(&r->lexer);
  if (!parser_expect(r, '=') || !affine_bound(r, d, "lowerBoundMap", &counts[0]) || !parser_expect_word(r, "to") ||
      !affine_bound(r, d, "upperBoundMap", &counts[1]))
    return false;
  if (parser_accept_word(r, "step") && !parser_integer(r, &step)) return false;
  draft_attr(r, "step", attr_int(r, step, 64));
  if (parser_accept_word(r, "iter_args")) {
    if (!parser_expect(r, '(')) return false;
    do {
      if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%x`");
      array_push(r->arena, &arguments, (Argument){parser_name(r, 1), 0, 0, parser_span(r)});
      lexer_next(&r->lexer);
      if (!parser_expect(r, '=') || !parse_operand(r, d)) return false;
      counts[2]++;
    } while (parser_accept(r, ','));
    if (!parser_expect(r, ')') || !parser_expect_arrow(r) || !parse_type_list(r)) return false;
    if (r->results.count - d->results != arguments.count - 1)
      return parser_expected(r, "a type for each loop variable");
    for (uint32_t i = 1; i < arguments.count; i++) arguments.data[i].type = r->results.data[d->results + i - 1];
  }
  draft_attr(r, "operandSegmentSizes", attr_integers(r, counts, 3));
  return parse_region(r, d, arguments.data, arguments.count, OP_NONE) && parse_optional_dict(r);
}

static bool parse_affine_if(Parser *r, Draft *d) {
  AttrId set = parse_attribute(r);
  if (!set || !map_operands(r, d)) return false;
  draft_attr(r, "condition", set);
  if (!optional_results(r) || !parse_region(r, d, NULL, 0, OP_NONE)) return false;
  bool good = parser_accept_word(r, "else") ? parse_region(r, d, NULL, 0, OP_NONE) : parse_empty_region(r, d);
  return good && parse_optional_dict(r);
}

static bool parse_affine_access(Parser *r, Draft *d, bool store) {
  if ((store && (!parse_operand(r, d) || !parser_expect(r, ','))) || !parse_operand(r, d) || !parser_expect(r, '['))
    return false;
  const AffineMap *map = parse_affine_operands(r, d, ']');
  if (!map) return false;
  draft_attr(r, "map", attr_new(r, (Attr){.kind = ATTR_MAP, .map = map}));
  TypeId type = parse_shaped_type(r, d, store);
  if (!type || !need_shaped(r, d, element_of(r, type))) return false;
  return store || draft_result(r, element_of(r, type));
}

static bool parse_affine_load(Parser *r, Draft *d) { return parse_affine_access(r, d, false); }
static bool parse_affine_store(Parser *r, Draft *d) { return parse_affine_access(r, d, true); }

/* ---- index, tosa ---- */

static bool parse_index_constant(Parser *r, Draft *d) {
  (void)d;
  if (r->lexer.token.kind == TOKEN_WORD || r->lexer.token.kind == TOKEN_INT || lexer_is(&r->lexer, '-')) {
    AttrId value = parse_attribute(r);
    if (!value) return false;
    draft_attr(r, "value", value);
    if (program_get_attr(r->p, value)->kind == ATTR_BOOL) return draft_result(r, program_type_int(r->p, 1));
  }
  return parse_optional_dict(r) && draft_result(r, type_index(r));
}

static bool parse_index_binary(Parser *r, Draft *d) {
  return parse_operand(r, d) && parser_expect(r, ',') && parse_operand(r, d) && parse_optional_dict(r) &&
         draft_result(r, type_index(r));
}

static bool parse_index_compare(Parser *r, Draft *d) {
  bool closes = false;
  if (r->lexer.token.kind == TOKEN_WORD) {
    draft_attr(r, "pred", attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = parser_name(r, 0)}));
    lexer_next(&r->lexer);
    if (parser_accept(r, '(')) closes = true;
  }
  if (!closes && !parser_accept(r, ',')) parser_accept(r, '(');
  return parse_operand(r, d) && parser_expect(r, ',') && parse_operand(r, d) && (!closes || parser_expect(r, ')')) &&
         parse_optional_dict(r) && draft_result(r, program_type_int(r->p, 1));
}

static bool parse_tosa_const(Parser *r, Draft *d) {
  (void)d;
  return parse_optional_dict(r) && parser_expect(r, ':') && (!parser_accept(r, '(') || parser_expect(r, ')')) &&
         (parser_accept_arrow(r), draft_result(r, parse_type(r)));
}

bool parse_dialect(Parser *r, Draft *d, const char *name) {
  static const struct {
    const char *name;
    bool (*parse)(Parser *, Draft *);
  } table[] = {
      {"extract", parse_extract},
      {"insert", parse_insert},
      {"store", parse_store},
      {"gather", parse_gather},
      {"tensor_scatter", parse_tensor_scatter},
      {"pack", parse_pack},
      {"vector_load", parse_vector_load},
      {"vector_store", parse_vector_store},
      {"transfer_read", parse_transfer_read},
      {"transfer_write", parse_transfer_write},
      {"extract_slice", parse_extract_slice},
      {"insert_slice", parse_insert_slice},
      {"collapse_shape", parse_collapse_shape},
      {"expand_shape", parse_expand_shape},
      {"pad", parse_pad},
      {"generate", parse_generate},
      {"splat", parse_splat},
      {"concat", parse_concat},
      {"dim", parse_dim},
      {"rank", parse_rank},
      {"alloc", parse_alloc},
      {"get_global", parse_get_global},
      {"global", parse_global},
      {"to_memref", parse_to_memref},
      {"to_tensor", parse_to_tensor},
      {"alloc_tensor", parse_alloc_tensor},
      {"structured", parse_structured},
      {"generic", parse_generic_op},
      {"map", parse_payload},
      {"reduce", parse_payload},
      {"index", parse_index},
      {"affine_apply", parse_affine_apply},
      {"affine_for", parse_affine_for},
      {"affine_if", parse_affine_if},
      {"affine_load", parse_affine_load},
      {"affine_store", parse_affine_store},
      {"index_constant", parse_index_constant},
      {"index_binary", parse_index_binary},
      {"index_compare", parse_index_compare},
      {"tosa_const", parse_tosa_const},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return table[i].parse(r, d);
  return parse_control(r, d, name);
}
