/* Ops whose custom form no row of a table can say: functions, calls, constants, loops, branches, scaled dots.
 *
 *   tt.func [public|private] @f(%a: T {..} loc(..), ..) [-> (T, ..)] [attributes {..}] [{ body }]
 *   tt.call @f(%a, ..) {..} : (T, ..) -> R
 *   arith.constant {..} VALUE
 *   scf.for [unsigned] %i = %l to %u step %s [iter_args(%a = %b, ..) -> (T, ..)] [: T] { .. } {..}
 *   scf.if %c [-> (T, ..)] { .. } [else { .. }] {..}
 *   scf.while [(%a = %b, ..)] : (T, ..) -> (R, ..) { .. } do { ^bb0(%x: R): .. } [attributes {..}]
 *   scf.execute_region [no_inline] [-> (T, ..)] { .. } {..}
 *   cf.br ^bb1(%a : T)        cf.cond_br %c, ^bb1(..), ^bb2(..)
 *   tt.dot_scaled %a [scale %s], %b [scale %s], %c lhs = e4m3 rhs = e2m1 {..} : A[, S] * B[, S] -> D
 *   module [@name] [attributes {..}] { .. } */
#include "read/mlir/parser.h"

#include <stdio.h>

typedef Array(Argument) ArgumentList;

/* ---- functions */

static bool parse_argument(Parser *r, ArgumentList *arguments, AttrId *attrs) {
  Argument a = {.span = parser_span(r)};
  if (r->lexer.token.kind == TOKEN_VALUE) {
    a.name = parser_name(r, 1);
    lexer_next(&r->lexer);
    if (!parser_expect(r, ':')) return false;
  }
  a.type = parse_type(r);
  if (!a.type) return false;
  if (lexer_is(&r->lexer, '{')) {
    *attrs = parse_attribute(r);
    if (!*attrs) return false;
  }
  if (!parse_optional_loc(r, &a.loc)) return false;
  array_push(r->arena, arguments, a);
  return true;
}

static bool parse_arguments(Parser *r, ArgumentList *arguments, const AttrId **attrs) {
  Array(AttrId) list = {0};
  if (!parser_expect(r, '(')) return false;
  if (!lexer_is(&r->lexer, ')')) {
    do {
      AttrId dict = 0;
      if (!parse_argument(r, arguments, &dict)) return false;
      array_push(r->arena, &list, dict);
    } while (parser_accept(r, ','));
  }
  *attrs = list.data;
  return parser_expect(r, ')');
}

/* Result types of a function on r->results; their attributes are not kept. */
static bool parse_function_results(Parser *r) {
  if (!parser_accept_arrow(r)) return true;
  if (!parser_accept(r, '(')) return parse_type_list(r);
  if (parser_accept(r, ')')) return true;
  do {
    TypeId type = parse_type(r);
    if (!type) return false;
    array_push(r->arena, &r->results, type);
    if (lexer_is(&r->lexer, '{') && !parse_attribute(r)) return false;
  } while (parser_accept(r, ','));
  return parser_expect(r, ')');
}

static TypeId function_type(Parser *r, const ArgumentList *arguments, uint32_t results) {
  uint32_t count = arguments->count + r->results.count - results;
  TypeId *members = arena_array(r->arena, TypeId, count + 1);
  for (uint32_t i = 0; i < arguments->count; i++) members[i] = arguments->data[i].type;
  for (uint32_t i = results; i < r->results.count; i++) members[arguments->count + i - results] = r->results.data[i];
  r->results.count = results;
  return program_type(
      r->p, &(Type){.kind = TYPE_FUNCTION, .rank = arguments->count, .members = members, .member_count = count});
}

static bool parse_function_body(Parser *r, Draft *d, const ArgumentList *arguments) {
  if (!lexer_is(&r->lexer, '{')) return parse_empty_region(r, d);
  for (uint32_t i = 0; i < arguments->count; i++)
    if (!arguments->data[i].name)
      return parser_error(r, "parse.expected", arguments->data[i].span, NULL, "expected the name of this argument");
  OpId first = r->p->ops.count;
  uint32_t mark;
  if (!parser_function_begin(r, d->span, &mark)) return false;
  bool good = parse_region(r, d, arguments->data, arguments->count, OP_NONE);
  parser_function_end(r, mark, first);
  return good;
}

static bool parse_function(Parser *r, Draft *d) {
  static const char *const visibilities[] = {"public", "private", "nested"};
  Function f = {.op = d->id, .is_public = true};
  ArgumentList arguments = {0};
  for (int i = 0; i < 3; i++)
    if (parser_accept_word(r, visibilities[i])) {
      draft_attr(r, "sym_visibility",
                 attr_new(r, (Attr){.kind = ATTR_STRING, .text = intern_text(r->names, visibilities[i])}));
      f.is_public = !i;
    }
  if (r->lexer.token.kind != TOKEN_SYMBOL) return parser_expected(r, "a function name such as `@kernel`");
  bool quoted = r->lexer.text[r->lexer.token.begin + 1] == '"';
  f.name = quoted ? parser_string(r, 1) : parser_name(r, 1);
  lexer_next(&r->lexer);
  if (!parse_arguments(r, &arguments, &f.arg_attrs) || !parse_function_results(r)) return false;
  f.type = function_type(r, &arguments, d->results);
  if (parser_accept_word(r, "attributes") && !parse_attribute_entries(r)) return false;
  array_push(r->arena, &r->p->functions, f);
  return parse_function_body(r, d, &arguments);
}

/* "tt.func"() <{function_type = .., sym_name = .., arg_attrs = [..]}> ({..}) */
bool function_from_attributes(Parser *r, Draft *d) {
  const Attr *name = program_get_attr(r->p, draft_get_attr(r, d, "sym_name"));
  const Attr *type = program_get_attr(r->p, draft_get_attr(r, d, "function_type"));
  const Attr *visibility = program_get_attr(r->p, draft_get_attr(r, d, "sym_visibility"));
  const Attr *args = program_get_attr(r->p, draft_get_attr(r, d, "arg_attrs"));
  if (name->kind != ATTR_STRING || type->kind != ATTR_TYPE || program_get_type(r->p, type->type)->kind != TYPE_FUNCTION)
    return parser_error(r, "parse.attribute", d->span, NULL,
                        "a function has the attributes sym_name and function_type");
  if (r->op_regions.count - d->regions != 1)
    return parser_error(r, "parse.count", d->span, NULL, "a function has one region");
  Function f = {.op = d->id, .name = name->text, .type = type->type};
  f.is_public = visibility->kind != ATTR_STRING || !strcmp(intern_string(r->names, visibility->text), "public");
  uint32_t count = program_get_type(r->p, f.type)->rank;
  AttrId *list = arena_array(r->arena, AttrId, count + 1);
  for (uint32_t i = 0; args->kind == ATTR_ARRAY && i < args->count && i < count; i++)
    if (program_get_attr(r->p, args->items[i])->count) list[i] = args->items[i];
  f.arg_attrs = list;
  array_push(r->arena, &r->p->functions, f);
  draft_drop_attr(r, d, "sym_name"), draft_drop_attr(r, d, "function_type"), draft_drop_attr(r, d, "arg_attrs");
  draft_drop_attr(r, d, "res_attrs");
  return true;
}

/* : (T) -> R, for all operands so far. */
static bool parse_signature(Parser *r, Draft *d) { return parser_expect(r, ':') && parse_format(r, d, "F"); }

static bool parse_call(Parser *r, Draft *d) {
  if (r->lexer.token.kind != TOKEN_SYMBOL) return parser_expected(r, "a function name such as `@f`");
  AttrId callee = parse_attribute(r);
  if (!callee) return false;
  draft_attr(r, "callee", callee);
  return parser_expect(r, '(') && parse_operand_list(r, d) && parser_expect(r, ')') && parse_optional_dict(r) &&
         parse_signature(r, d);
}

static bool parse_module(Parser *r, Draft *d) {
  if (r->lexer.token.kind == TOKEN_SYMBOL && !parse_attribute(r)) return false;
  if (parser_accept_word(r, "attributes")) {
    Span span = parser_span(r);
    if (!parse_attribute_entries(r)) return false;
    for (uint32_t i = d->attrs; i < r->attrs.count; i++) {
      const char *name = intern_string(r->names, r->attrs.data[i].name);
      if (strncmp(name, "ttg.", 4) != 0 && strncmp(name, "triton_gpu.", 11) != 0) continue;
      r->ttgir = r->stop = true;
      diagnostic_add(r->diagnostics, SEVERITY_ERROR, "input.ttgir", r->source, span,
                     "pass the .ttir file that lies beside it in Triton's cache",
                     "this is TTGIR (the module has the attribute %s), not TTIR", name);
      return false;
    }
  }
  return parse_region(r, d, NULL, 0, OP_NONE);
}

/* ---- constants */

static bool parse_constant(Parser *r, Draft *d) {
  if (!parse_optional_dict(r)) return false;
  Span span = parser_span(r);
  AttrId value = parse_attribute(r);
  if (!value) return false;
  TypeId type = program_get_attr(r->p, value)->type;
  if (!type || program_get_attr(r->p, value)->kind == ATTR_TYPE)
    return parser_error(r, "parse.attribute", span, NULL, "expected a typed value, such as `1 : i32`");
  draft_attr(r, "value", value);
  array_push(r->arena, &r->results, type);
  (void)d;
  return true;
}

/* ---- scf */

static bool parse_bound_name(Parser *r, ArgumentList *names) {
  if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%x`");
  array_push(r->arena, names, (Argument){.name = parser_name(r, 1), .span = parser_span(r)});
  lexer_next(&r->lexer);
  return true;
}

/* (%a = %b, ..) */
static bool parse_initials(Parser *r, Draft *d, ArgumentList *names) {
  if (!parser_expect(r, '(')) return false;
  if (parser_accept(r, ')')) return true;
  do
    if (!parse_bound_name(r, names) || !parser_expect(r, '=') || !parse_operand(r, d)) return false;
  while (parser_accept(r, ','));
  return parser_expect(r, ')');
}

static bool parse_for(Parser *r, Draft *d) {
  ArgumentList arguments = {0};
  if (parser_accept_word(r, "unsigned")) draft_attr(r, "unsignedCmp", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  if (!parse_bound_name(r, &arguments) || !parser_expect(r, '=') || !parse_operand(r, d)) return false;
  if (!parser_expect_word(r, "to") || !parse_operand(r, d) || !parser_expect_word(r, "step") || !parse_operand(r, d))
    return false;
  if (parser_accept_word(r, "iter_args")) {
    Span span = parser_span(r);
    if (!parse_initials(r, d, &arguments) || !parser_expect_arrow(r) || !parse_type_list(r)) return false;
    if (r->results.count - d->results != arguments.count - 1)
      return parser_error(r, "parse.count", span, NULL, "%u types for %u loop variables", r->results.count - d->results,
                          arguments.count - 1);
  }
  TypeId type = parser_accept(r, ':') ? parse_type(r) : program_type(r->p, &(Type){.kind = TYPE_INDEX, .width = 64});
  if (!type) return false;
  arguments.data[0].type = type;
  for (uint32_t i = 0; i < 3; i++) r->operands.data[d->operands + i].type = type;
  for (uint32_t i = 1; i < arguments.count; i++) {
    arguments.data[i].type = r->results.data[d->results + i - 1];
    r->operands.data[d->operands + 2 + i].type = arguments.data[i].type;
  }
  return parse_region(r, d, arguments.data, arguments.count, arguments.count == 1 ? OP_SCF_YIELD : OP_NONE) &&
         parse_optional_dict(r);
}

static bool parse_if(Parser *r, Draft *d) {
  if (!parse_operand(r, d)) return false;
  r->operands.data[d->operands].type = program_type_int(r->p, 1);
  if (parser_accept_arrow(r) && !parse_type_list(r)) return false;
  Opcode end = r->results.count == d->results ? OP_SCF_YIELD : OP_NONE;
  if (!parse_region(r, d, NULL, 0, end)) return false;
  if (!(parser_accept_word(r, "else") ? parse_region(r, d, NULL, 0, end) : parse_empty_region(r, d))) return false;
  return parse_optional_dict(r);
}

static bool parse_while(Parser *r, Draft *d) {
  ArgumentList arguments = {0};
  Argument none = {0};
  if (lexer_is(&r->lexer, '(') && !parse_initials(r, d, &arguments)) return false;
  if (!parse_signature(r, d)) return false;
  for (uint32_t i = 0; i < arguments.count; i++) arguments.data[i].type = r->operands.data[d->operands + i].type;
  if (!parse_region(r, d, arguments.count ? arguments.data : &none, arguments.count, OP_NONE)) return false;
  if (!parser_expect_word(r, "do") || !parse_region(r, d, NULL, 0, OP_NONE)) return false;
  return !parser_accept_word(r, "attributes") || parse_attribute_entries(r);
}

static bool parse_execute_region(Parser *r, Draft *d) {
  if (parser_accept_word(r, "no_inline")) draft_attr(r, "no_inline", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  if (parser_accept_arrow(r) && !parse_type_list(r)) return false;
  return parse_region(r, d, NULL, 0, OP_NONE) && parse_optional_dict(r);
}

/* ---- cf */

static bool parse_br(Parser *r, Draft *d) { return parse_successor(r, d) && parse_optional_dict(r); }

static bool parse_cond_br(Parser *r, Draft *d) {
  if (!parse_operand(r, d)) return false;
  r->operands.data[d->operands].type = program_type_int(r->p, 1);
  if (parser_accept_word(r, "weights") && !parser_skip_balanced(r)) return false;
  return parser_expect(r, ',') && parse_successor(r, d) && parser_expect(r, ',') && parse_successor(r, d) &&
         parse_optional_dict(r);
}

/* ---- tt.dot_scaled: operands a, b, c, a_scale, b_scale; operandSegmentSizes tells which scales there are */

static bool parse_scaled_operand(Parser *r, Draft *d, Operand *scale, bool *has_scale) {
  if (!parse_operand(r, d)) return false;
  *has_scale = parser_accept_word(r, "scale");
  return !*has_scale || parser_use(r, scale);
}

static bool parse_scaled_type(Parser *r, Operand *operand, Operand *scale, bool has_scale) {
  operand->type = parse_type(r);
  if (!operand->type) return false;
  if (!has_scale) return true;
  if (!parser_expect(r, ',')) return false;
  scale->type = parse_type(r);
  return scale->type != 0;
}

static bool parse_element_kind(Parser *r, const char *word, const char *attribute) {
  if (!parser_expect_word(r, word) || !parser_expect(r, '=')) return false;
  if (r->lexer.token.kind != TOKEN_WORD) return parser_expected(r, "an element kind such as `e4m3`");
  draft_attr(r, attribute, attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = parser_name(r, 0)}));
  lexer_next(&r->lexer);
  return true;
}

static bool parse_dot_scaled(Parser *r, Draft *d) {
  Operand scales[2] = {{0}, {0}};
  bool has[2] = {false, false};
  if (!parse_scaled_operand(r, d, &scales[0], &has[0]) || !parser_expect(r, ',') ||
      !parse_scaled_operand(r, d, &scales[1], &has[1]) || !parser_expect(r, ',') || !parse_operand(r, d))
    return false;
  if (!parse_element_kind(r, "lhs", "a_elem_type") || !parse_element_kind(r, "rhs", "b_elem_type")) return false;
  if (!parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  if (!parse_scaled_type(r, &r->operands.data[d->operands], &scales[0], has[0]) || !parser_expect(r, '*') ||
      !parse_scaled_type(r, &r->operands.data[d->operands + 1], &scales[1], has[1]) || !parser_expect_arrow(r))
    return false;
  TypeId result = parse_type(r);
  if (!result) return false;
  r->operands.data[d->operands + 2].type = result;
  array_push(r->arena, &r->results, result);
  AttrId *sizes = arena_array(r->arena, AttrId, 5);
  for (int i = 0; i < 5; i++) sizes[i] = attr_int(r, i < 3 || has[i - 3], 32);
  for (int i = 0; i < 2; i++)
    if (has[i]) array_push(r->arena, &r->operands, scales[i]);
  draft_attr(r, "operandSegmentSizes",
             attr_new(r, (Attr){.kind = ATTR_ARRAY, .type = program_type_int(r->p, 32), .items = sizes, .count = 5}));
  return true;
}

bool parse_special(Parser *r, Draft *d, const char *name) {
  static const struct {
    const char *name;
    bool (*parse)(Parser *, Draft *);
  } table[] = {
      {"func", parse_function},
      {"call", parse_call},
      {"constant", parse_constant},
      {"for", parse_for},
      {"if", parse_if},
      {"while", parse_while},
      {"br", parse_br},
      {"cond_br", parse_cond_br},
      {"module", parse_module},
      {"dot_scaled", parse_dot_scaled},
      {"execute_region", parse_execute_region},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return table[i].parse(r, d);
  guard_throw(r->arena->guard, GUARD_INTERNAL, "no parser for the format !%s", name);
}
