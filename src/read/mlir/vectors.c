/* Custom forms of the vector dialect. They leave what the generic form has, but that a kind is a keyword and positions
 * are `static_position` with INT64_MIN in the place of operands.
 *
 *   vector.extract %v[i, ..] : R from V, or (16) : V          vector.insert %x, %v[i, ..] : T into V
 *   vector.reduction <kind>, %v [, %acc] [fastmath<..>] : V into R
 *   vector.multi_reduction <kind>, %v, %acc [d, ..] : V to R
 *   vector.contract {..} %a, %b, %c : A, B into R             vector.outerproduct %a, %b [, %c] {..} : A, B
 *   vector.mask %m [, %passthru] { operation } : M [-> R]
 *   vector.maskedload %x[%i, ..], %m, %p : X, M, P into R     vector.gather %x[%i, ..] [%k], %m, %p : X, K, M, P into R
 */
#include "read/mlir/parser.h"

static const Type *type_of(const Parser *r, TypeId type) { return program_get_type(r->p, type); }

/* The next operand, of the next type behind `:`. */
static bool types_of(Parser *r, Draft *d, uint32_t count) {
  if (!parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  for (uint32_t i = 0; i < count; i++) {
    TypeId type = parse_type(r);
    if (!type || (i + 1 < count && !parser_expect(r, ','))) return false;
    draft_operand(r, d, i)->type = type;
  }
  return true;
}

static bool result_behind(Parser *r, const char *word) {
  return parser_expect_word(r, word) && draft_result(r, parse_type(r));
}

static bool operands(Parser *r, Draft *d, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if ((i && !parser_expect(r, ',')) || !parse_operand(r, d)) return false;
  return true;
}

static void indices_from(Parser *r, Draft *d, uint32_t first) {
  for (uint32_t i = first; i < draft_operand_count(r, d); i++) draft_operand(r, d, i)->type = type_index(r);
}

/* A vector of these sizes; of none, its element. */
static TypeId with_sizes(Parser *r, TypeId vector, uint32_t rank, const int64_t *sizes) {
  Type type = *type_of(r, vector);
  if (type.kind != TYPE_TENSOR || !rank) return type.element;
  type.rank = rank;
  memcpy(type.dims, sizes, rank * sizeof *sizes);
  return program_type(r->p, &type);
}

static bool need_vector(Parser *r, Draft *d, TypeId type) {
  return type_of(r, type)->kind == TYPE_TENSOR ||
         parser_error(r, "parse.type", d->span, NULL, "%s: a vector of static shape is expected", d->row->name);
}

static bool parse_extract(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parse_mixed_attribute(r, d, "static_position", '[', ']') || !parse_optional_dict(r) ||
      !parser_expect(r, ':'))
    return false;
  indices_from(r, d, 1);
  TypeId type = parse_type(r);
  if (!type) return false;
  if (parser_accept_word(r, "from")) {
    draft_operand(r, d, 0)->type = parse_type(r);
    return draft_operand(r, d, 0)->type && draft_result(r, type);
  }
  if (!need_vector(r, d, type)) return false;
  const Type *t = type_of(r, type);
  uint32_t count = program_get_attr(r->p, draft_get_attr(r, d, "static_position"))->count;
  if (count > t->rank) return parser_error(r, "parse.count", d->span, NULL, "%u positions of rank %u", count, t->rank);
  draft_operand(r, d, 0)->type = type;
  return draft_result(r, with_sizes(r, type, t->rank - count, t->dims + count));
}

static bool parse_insert(Parser *r, Draft *d) {
  if (!operands(r, d, 2) || !parse_mixed_attribute(r, d, "static_position", '[', ']')) return false;
  indices_from(r, d, 2);
  if (!types_of(r, d, 1) || !result_behind(r, "into")) return false;
  draft_operand(r, d, 1)->type = r->results.data[d->results];
  return true;
}

/* [%i : T] or [] */
static bool typed_position(Parser *r, Draft *d) {
  if (!parser_expect(r, '[')) return false;
  if (parser_accept(r, ']')) return true;
  if (!parse_operand(r, d) || !parser_expect(r, ':')) return false;
  TypeId type = parse_type(r);
  if (type) draft_operand(r, d, draft_operand_count(r, d) - 1)->type = type;
  return type && parser_expect(r, ']');
}

static bool parse_extract_element(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !typed_position(r, d) || !types_of(r, d, 1)) return false;
  TypeId type = draft_operand(r, d, 0)->type;
  return need_vector(r, d, type) && draft_result(r, type_of(r, type)->element);
}

static bool parse_insert_element(Parser *r, Draft *d) {
  if (!operands(r, d, 2) || !typed_position(r, d) || !parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  TypeId type = parse_type(r);
  if (!type || !need_vector(r, d, type)) return false;
  draft_operand(r, d, 0)->type = type_of(r, type)->element, draft_operand(r, d, 1)->type = type;
  return draft_result(r, type);
}

/* <kind>, */
static bool kind_in_front(Parser *r) {
  if (!parser_expect(r, '<')) return false;
  if (r->lexer.token.kind != TOKEN_WORD) return parser_expected(r, "a kind such as `add`");
  draft_attr(r, "kind", attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = parser_name(r, 0)}));
  lexer_next(&r->lexer);
  return parser_expect(r, '>') && parser_expect(r, ',');
}

static bool parse_reduction(Parser *r, Draft *d) {
  if (!kind_in_front(r) || !parse_operand(r, d)) return false;
  if (parser_accept(r, ',') && !parse_operand(r, d)) return false;
  if (parser_accept_word(r, "fastmath")) {
    uint32_t begin = r->lexer.token.begin;
    if (!lexer_is(&r->lexer, '<')) return parser_expected(r, "`<`");
    if (!parser_skip_balanced(r)) return false;
    Name text = intern(r->names, r->lexer.text + begin + 1, r->closed - begin - 1);
    draft_attr(r, "fastmath", attr_new(r, (Attr){.kind = ATTR_RAW, .text = text}));
  }
  if (!types_of(r, d, 1) || !result_behind(r, "into")) return false;
  if (draft_operand_count(r, d) > 1) draft_operand(r, d, 1)->type = r->results.data[d->results];
  return true;
}

static bool parse_multi_reduction(Parser *r, Draft *d) {
  if (!kind_in_front(r) || !operands(r, d, 2) || !parse_optional_dict(r) ||
      !parse_mixed_attribute(r, d, "reduction_dims", '[', ']') || !types_of(r, d, 1) || !result_behind(r, "to"))
    return false;
  draft_operand(r, d, 1)->type = r->results.data[d->results];
  return true;
}

static bool parse_contract(Parser *r, Draft *d) {
  if (lexer_is(&r->lexer, '{') ? !parse_attribute_entries(r) : false) return false;
  if (r->lexer.token.kind == TOKEN_HASH && !parse_dictionary_alias(r)) return false;
  if (!operands(r, d, 3) || !types_of(r, d, 2) || !result_behind(r, "into")) return false;
  draft_operand(r, d, 2)->type = r->results.data[d->results];
  return true;
}

static bool parse_outerproduct(Parser *r, Draft *d) {
  if (!operands(r, d, 2) || (parser_accept(r, ',') && !parse_operand(r, d)) || !types_of(r, d, 2)) return false;
  TypeId a = draft_operand(r, d, 0)->type, b = draft_operand(r, d, 1)->type;
  if (!need_vector(r, d, a)) return false;
  const Type *t = type_of(r, b);
  int64_t sizes[2] = {type_of(r, a)->dims[0], t->dims[0]};
  TypeId result = with_sizes(r, a, t->kind == TYPE_TENSOR ? 2 : 1, sizes);
  if (draft_operand_count(r, d) > 2) draft_operand(r, d, 2)->type = result;
  return draft_result(r, result);
}

static bool parse_insert_strided_slice(Parser *r, Draft *d) {
  if (!operands(r, d, 2) || !types_of(r, d, 1) || !result_behind(r, "into")) return false;
  draft_operand(r, d, 1)->type = r->results.data[d->results];
  return true;
}

static bool parse_transpose(Parser *r, Draft *d) {
  return parse_operand(r, d) && parser_expect(r, ',') && parse_mixed_attribute(r, d, "permutation", '[', ']') &&
         types_of(r, d, 1) && result_behind(r, "to");
}

static bool parse_constant_mask(Parser *r, Draft *d) {
  return parse_mixed_attribute(r, d, "mask_dim_sizes", '[', ']') && types_of(r, d, 0) && draft_result(r, parse_type(r));
}

static bool parse_mask(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || (parser_accept(r, ',') && !parse_operand(r, d)) ||
      !parse_region(r, d, NULL, 0, OP_NONE) || !types_of(r, d, 1))
    return false;
  return !parser_accept_arrow(r) || parse_type_list(r);
}

/* %x[%i, ..], %mask, %value {..} : X, M, V of a memory and its indices, of which the types are not said. */
static bool masked_access(Parser *r, Draft *d, bool has_index, bool loads) {
  if (!parse_operand(r, d) || !parse_subscripts(r, d)) return false;
  uint32_t first = draft_operand_count(r, d), count = has_index ? 3 : 2;
  if (has_index && (!parser_expect(r, '[') || !parse_operand(r, d) || !parser_expect(r, ']'))) return false;
  for (uint32_t i = has_index; i < count; i++)
    if (!parser_expect(r, ',') || !parse_operand(r, d)) return false;
  for (uint32_t i = 1; i < first; i++) draft_operand(r, d, i)->type = type_index(r);
  if (!types_of(r, d, 1)) return false;
  for (uint32_t i = 0; i < count; i++) {
    TypeId type = parser_expect(r, ',') ? parse_type(r) : 0;
    if (!type) return false;
    draft_operand(r, d, first + i)->type = type;
  }
  if (loads) return result_behind(r, "into");
  return !parser_accept_arrow(r) || draft_result(r, parse_type(r));
}

static bool parse_masked_load(Parser *r, Draft *d) { return masked_access(r, d, false, true); }
static bool parse_masked_store(Parser *r, Draft *d) { return masked_access(r, d, false, false); }
static bool parse_gather(Parser *r, Draft *d) { return masked_access(r, d, true, true); }
static bool parse_scatter(Parser *r, Draft *d) { return masked_access(r, d, true, false); }

static bool parse_shuffle(Parser *r, Draft *d) {
  if (!operands(r, d, 2) || !parse_mixed_attribute(r, d, "mask", '[', ']') || !types_of(r, d, 2)) return false;
  TypeId type = draft_operand(r, d, 0)->type;
  if (!need_vector(r, d, type)) return false;
  int64_t sizes[TYPE_MAX_RANK];
  const Type *t = type_of(r, type);
  memcpy(sizes, t->dims, sizeof sizes);
  sizes[0] = program_get_attr(r->p, draft_get_attr(r, d, "mask"))->count;
  return draft_result(r, with_sizes(r, type, t->rank ? t->rank : 1, sizes));
}

static bool parse_interleave(Parser *r, Draft *d) {
  if (!operands(r, d, 2) || !types_of(r, d, 1)) return false;
  TypeId type = draft_operand(r, d, 0)->type;
  if (!need_vector(r, d, type)) return false;
  draft_operand(r, d, 1)->type = type;
  if (parser_accept_arrow(r)) return draft_result(r, parse_type(r));
  int64_t sizes[TYPE_MAX_RANK];
  const Type *t = type_of(r, type);
  memcpy(sizes, t->dims, sizeof sizes);
  sizes[t->rank ? t->rank - 1 : 0] = t->rank ? 2 * t->dims[t->rank - 1] : 2;
  return draft_result(r, with_sizes(r, type, t->rank ? t->rank : 1, sizes));
}

static bool parse_deinterleave(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !types_of(r, d, 1) || !parser_expect_arrow(r)) return false;
  TypeId type = parse_type(r);
  return type && draft_result(r, type) && draft_result(r, type);
}

static bool parse_scan(Parser *r, Draft *d) {
  if (!kind_in_front(r) || !operands(r, d, 2) || !types_of(r, d, 2)) return false;
  return draft_result(r, draft_operand(r, d, 0)->type) && draft_result(r, draft_operand(r, d, 1)->type);
}

bool parse_vector(Parser *r, Draft *d, const char *name) {
  static const struct {
    const char *name;
    bool (*parse)(Parser *, Draft *);
  } table[] = {
      {"vector_extract", parse_extract},
      {"vector_insert", parse_insert},
      {"vector_extract_element", parse_extract_element},
      {"vector_insert_element", parse_insert_element},
      {"vector_reduction", parse_reduction},
      {"vector_multi_reduction", parse_multi_reduction},
      {"vector_contract", parse_contract},
      {"vector_outerproduct", parse_outerproduct},
      {"vector_insert_strided_slice", parse_insert_strided_slice},
      {"vector_transpose", parse_transpose},
      {"vector_constant_mask", parse_constant_mask},
      {"vector_mask", parse_mask},
      {"vector_masked_load", parse_masked_load},
      {"vector_masked_store", parse_masked_store},
      {"vector_gather", parse_gather},
      {"vector_scatter", parse_scatter},
      {"vector_shuffle", parse_shuffle},
      {"vector_interleave", parse_interleave},
      {"vector_deinterleave", parse_deinterleave},
      {"vector_scan", parse_scan},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return table[i].parse(r, d);
  guard_throw(r->arena->guard, GUARD_INTERNAL, "no parser for the format !%s", name);
}
