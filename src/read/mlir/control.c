/* Operations of MLIR with a textual form of their own: loops of several dimensions, choices, and other views of memory.
 *
 *   scf.parallel (%i, ..) = (%l, ..) to (%u, ..) step (%s, ..) [init (%x, ..) -> T, ..] {..}
 *   scf.forall (%i, ..) in (n, ..) | = (l, ..) to (u, ..) step (s, ..) [shared_outs(%o = %t, ..) -> (T, ..)] {..}
 *   affine.parallel (%i, ..) = (e, max(e, ..), ..) to (e, ..) [step (s, ..)] [reduce ("addf", ..) -> (T, ..)] {..}
 *   scf.index_switch %i [-> T, ..] case N {..} .. default {..}
 *   memref.reinterpret_cast %m to offset: [o], sizes: [..], strides: [..] : T to R
 *   memref.view %m[%shift][%n, ..] : T to R         memref.transpose %m (i, j) -> (j, i) : T to R
 *   memref.atomic_rmw addf %x, %m[%i] : (T, M) -> T
 *   bufferization.materialize_in_destination %t in [restrict] [writable] %m : (T, M) -> () */
#include <string.h>

#include "read/mlir/parser.h"

typedef Array(Argument) Arguments;

static bool bound_names(Parser *r, Arguments *out) {
  if (!parser_expect(r, '(')) return false;
  if (parser_accept(r, ')')) return true;
  do {
    if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%i`");
    array_push(r->arena, out, (Argument){parser_name(r, 1), type_index(r), 0, parser_span(r)});
    lexer_next(&r->lexer);
  } while (parser_accept(r, ','));
  return parser_expect(r, ')');
}

static bool operands_in(Parser *r, Draft *d, int64_t *count) {
  uint32_t before = draft_operand_count(r, d);
  if (!parser_expect(r, '(') || !parse_operand_list(r, d) || !parser_expect(r, ')')) return false;
  *count = draft_operand_count(r, d) - before;
  return true;
}

static bool region_of(Parser *r, Draft *d, const Arguments *arguments) {
  Argument none = {0};
  return parse_region(r, d, arguments->count ? arguments->data : &none, arguments->count, OP_NONE) &&
         parse_optional_dict(r);
}

static bool parse_parallel(Parser *r, Draft *d) {
  Arguments arguments = {0};
  int64_t counts[4] = {0};
  if (!bound_names(r, &arguments) || !parser_expect(r, '=') || !operands_in(r, d, &counts[0]) ||
      !parser_expect_word(r, "to") || !operands_in(r, d, &counts[1]) || !parser_expect_word(r, "step") ||
      !operands_in(r, d, &counts[2]))
    return false;
  if (parser_accept_word(r, "init")) {
    if (!operands_in(r, d, &counts[3]) || !parser_expect_arrow(r) || !parse_type_list(r)) return false;
  }
  draft_attr(r, "operandSegmentSizes", attr_integers(r, counts, 4));
  return region_of(r, d, &arguments);
}

/* scf.reduce [(%x, .. : T, ..)] {..} ..: one region for each operand. */
static bool parse_scf_reduce(Parser *r, Draft *d) {
  if (!lexer_is(&r->lexer, '(')) return parse_optional_dict(r);
  lexer_next(&r->lexer);
  if (!parse_operand_list(r, d)) return false;
  bool typed = parser_accept(r, ':');
  do {
    if (typed && !parse_type(r)) return false;
  } while (typed && parser_accept(r, ','));
  if (!parser_expect(r, ')')) return false;
  r->results.count = d->results; /* types of operands */
  for (uint32_t i = draft_operand_count(r, d); i > 0; i--) {
    if (!parse_region(r, d, NULL, 0, OP_NONE)) return false;
    if (i > 1) parser_accept(r, ',');
  }
  return parse_optional_dict(r);
}

static bool parse_forall(Parser *r, Draft *d) {
  Arguments arguments = {0};
  int64_t counts[4] = {0};
  uint32_t at = 0;
  if (!bound_names(r, &arguments)) return false;
  if (parser_accept_word(r, "in")) {
    uint32_t dims = arguments.count;
    int64_t *zeros = arena_array(r->arena, int64_t, dims + 1), *ones = arena_array(r->arena, int64_t, dims + 1);
    for (uint32_t i = 0; i < dims; i++) zeros[i] = 0, ones[i] = 1;
    if (!parse_mixed_attribute(r, d, "staticUpperBound", '(', ')')) return false;
    draft_attr(r, "staticLowerBound", attr_integers(r, zeros, dims));
    draft_attr(r, "staticStep", attr_integers(r, ones, dims));
    counts[1] = draft_operand_count(r, d);
  } else {
    static const char *const names[3] = {"staticLowerBound", "staticUpperBound", "staticStep"};
    static const char *const words[3] = {NULL, "to", "step"};
    if (!parser_expect(r, '=')) return false;
    for (int i = 0; i < 3; i++) {
      if ((words[i] && !parser_expect_word(r, words[i])) || !parse_mixed_attribute(r, d, names[i], '(', ')'))
        return false;
      counts[i] = draft_operand_count(r, d) - at, at = draft_operand_count(r, d);
    }
  }
  if (parser_accept_word(r, "shared_outs")) {
    uint32_t first = arguments.count;
    if (!parser_expect(r, '(')) return false;
    do {
      if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%x`");
      array_push(r->arena, &arguments, (Argument){parser_name(r, 1), 0, 0, parser_span(r)});
      lexer_next(&r->lexer);
      if (!parser_expect(r, '=') || !parse_operand(r, d)) return false;
      counts[3]++;
    } while (parser_accept(r, ','));
    if (!parser_expect(r, ')') || !parser_expect_arrow(r) || !parse_type_list(r)) return false;
    if (r->results.count - d->results != counts[3]) return parser_expected(r, "a type for each shared output");
    for (uint32_t i = first; i < arguments.count; i++) arguments.data[i].type = r->results.data[d->results + i - first];
  }
  draft_attr(r, "operandSegmentSizes", attr_integers(r, counts, 4));
  return region_of(r, d, &arguments);
}

static bool parse_in_parallel(Parser *r, Draft *d) {
  return parse_region(r, d, NULL, 0, OP_NONE) && parse_optional_dict(r);
}

/* (e, ..), a bound for each dimension; [max|min](e, ..): the greatest or least of several. */
static bool affine_bounds(Parser *r, Draft *d, const char *name, const char *groups, const char *word, uint32_t dims) {
  int64_t *sizes = arena_array(r->arena, int64_t, dims + 1);
  if (!parser_expect(r, '(')) return false;
  const AffineMap *map = parse_affine_bounds(r, d, word, dims, sizes);
  if (!map) return false;
  draft_attr(r, name, attr_new(r, (Attr){.kind = ATTR_MAP, .map = map}));
  draft_attr(r, groups, attr_integers(r, sizes, dims));
  return true;
}

/* ("addi", ..), as the numbers that the generic form has. */
static bool reductions(Parser *r) {
  static const char *const kinds[] = {"addf", "addi", "assign", "maximumf", "maxs", "maxu",    "minimumf", "mins",
                                      "minu", "mulf", "muli",   "ori",      "andi", "maxnumf", "minnumf",  "xori"};
  Array(int64_t) numbers = {0};
  if (!parser_expect(r, '(')) return false;
  do {
    int64_t kind = 0, count = sizeof kinds / sizeof *kinds;
    if (r->lexer.token.kind != TOKEN_STRING) return parser_expected(r, "a reduction such as \"addi\"");
    const char *name = intern_string(r->names, parser_string(r, 0));
    while (kind < count && strcmp(kinds[kind], name) != 0) kind++;
    if (kind == count) return parser_expected(r, "a reduction such as \"addi\"");
    lexer_next(&r->lexer);
    array_push(r->arena, &numbers, kind);
  } while (parser_accept(r, ','));
  draft_attr(r, "reductions", attr_integers(r, numbers.data, numbers.count));
  return parser_expect(r, ')');
}

static bool parse_affine_parallel(Parser *r, Draft *d) {
  Arguments arguments = {0};
  if (!bound_names(r, &arguments) || !parser_expect(r, '=') ||
      !affine_bounds(r, d, "lowerBoundsMap", "lowerBoundsGroups", "max", arguments.count) ||
      !parser_expect_word(r, "to") ||
      !affine_bounds(r, d, "upperBoundsMap", "upperBoundsGroups", "min", arguments.count))
    return false;
  int64_t *steps = arena_array(r->arena, int64_t, arguments.count + 1);
  bool given = parser_accept_word(r, "step");
  if (given && !parser_expect(r, '(')) return false;
  for (uint32_t i = 0; i < arguments.count; i++) {
    steps[i] = 1;
    if (given && ((i && !parser_expect(r, ',')) || !parser_integer(r, &steps[i]))) return false;
  }
  if (given && !parser_expect(r, ')')) return false;
  draft_attr(r, "steps", attr_integers(r, steps, arguments.count));
  if (parser_accept_word(r, "reduce")) {
    if (!reductions(r) || !parser_expect_arrow(r) || !parse_type_list(r)) return false;
  }
  return region_of(r, d, &arguments);
}

static bool parse_index_switch(Parser *r, Draft *d) {
  Array(int64_t) cases = {0};
  if (!parse_operand(r, d) || !parse_optional_dict(r)) return false;
  if (parser_accept_arrow(r) && !parse_type_list(r)) return false;
  uint32_t base = r->op_regions.count;
  while (parser_accept_word(r, "case")) {
    int64_t value;
    if (!parser_integer(r, &value) || !parse_region(r, d, NULL, 0, OP_NONE)) return false;
    array_push(r->arena, &cases, value);
  }
  if (!parser_expect_word(r, "default") || !parse_region(r, d, NULL, 0, OP_NONE)) return false;
  RegionId last = r->op_regions.data[r->op_regions.count - 1]; /* the default is the first one */
  for (uint32_t i = r->op_regions.count - 1; i > base; i--) r->op_regions.data[i] = r->op_regions.data[i - 1];
  r->op_regions.data[base] = last;
  draft_attr(r, "cases", attr_integers(r, cases.data, cases.count));
  return true;
}

/* : T to R */
static bool source_and_result(Parser *r, Draft *d) {
  return parse_shaped_type(r, d, 0) && parser_expect_word(r, "to") && draft_result(r, parse_type(r));
}

static bool parse_reinterpret_cast(Parser *r, Draft *d) {
  static const char *const names[3] = {"static_offsets", "static_sizes", "static_strides"};
  static const char *const words[3] = {"offset", "sizes", "strides"};
  if (!parse_operand(r, d) || !parser_expect_word(r, "to")) return false;
  for (int i = 0; i < 3; i++) {
    if (i) parser_accept(r, ',');
    if (!parser_expect_word(r, words[i]) || !parser_expect(r, ':') || !parse_mixed_attribute(r, d, names[i], '[', ']'))
      return false;
  }
  return source_and_result(r, d);
}

static bool parse_view(Parser *r, Draft *d) {
  return parse_operand(r, d) && parse_subscripts(r, d) && parse_subscripts(r, d) && source_and_result(r, d);
}

static bool parse_memref_transpose(Parser *r, Draft *d) {
  if (!parse_operand(r, d)) return false;
  const AffineMap *map = parse_affine_map(r, false);
  if (!map) return false;
  draft_attr(r, "permutation", attr_new(r, (Attr){.kind = ATTR_MAP, .map = map}));
  return source_and_result(r, d);
}

static bool parse_assume_alignment(Parser *r, Draft *d) {
  int64_t bytes;
  if (!parse_operand(r, d) || !parser_expect(r, ',') || !parser_integer(r, &bytes)) return false;
  draft_attr(r, "alignment", attr_int(r, bytes, 32));
  return parse_shaped_type(r, d, 0) != 0;
}

static bool parse_atomic(Parser *r, Draft *d) {
  if (r->lexer.token.kind != TOKEN_WORD) return parser_expected(r, "an operation such as `addf`");
  draft_attr(r, "kind", attr_new(r, (Attr){.kind = ATTR_KEYWORD, .text = parser_name(r, 0)}));
  lexer_next(&r->lexer);
  if (!parse_operand(r, d) || !parser_expect(r, ',') || !parse_operand(r, d) || !parse_subscripts(r, d) ||
      !parse_optional_dict(r) || !parser_expect(r, ':') || !parser_expect(r, '('))
    return false;
  TypeId value = parse_type(r);
  if (!value || !parser_expect(r, ',')) return false;
  TypeId memref = parse_type(r);
  if (!memref || !parser_expect(r, ')') || !parser_expect_arrow(r)) return false;
  draft_operand(r, d, 0)->type = value, draft_operand(r, d, 1)->type = memref;
  return draft_result(r, parse_type(r));
}

static bool parse_materialize(Parser *r, Draft *d) {
  if (!parse_operand(r, d) || !parser_expect_word(r, "in")) return false;
  if (parser_accept_word(r, "restrict")) draft_attr(r, "restrict", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  if (parser_accept_word(r, "writable")) draft_attr(r, "writable", attr_new(r, (Attr){.kind = ATTR_UNIT}));
  return parse_operand(r, d) && parse_format(r, d, "{} : F");
}

bool parse_control(Parser *r, Draft *d, const char *name) {
  static const struct {
    const char *name;
    bool (*parse)(Parser *, Draft *);
  } table[] = {
      {"parallel", parse_parallel},
      {"scf_reduce", parse_scf_reduce},
      {"forall", parse_forall},
      {"in_parallel", parse_in_parallel},
      {"affine_parallel", parse_affine_parallel},
      {"index_switch", parse_index_switch},
      {"reinterpret_cast", parse_reinterpret_cast},
      {"view", parse_view},
      {"memref_transpose", parse_memref_transpose},
      {"assume_alignment", parse_assume_alignment},
      {"atomic", parse_atomic},
      {"materialize", parse_materialize},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return table[i].parse(r, d);
  return parse_vector(r, d, name);
}
