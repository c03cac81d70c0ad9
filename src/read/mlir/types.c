/* Types: i32, f16, index, tensor<4x8xT>, !tt.ptr<T>, !tt.tensordesc<..>, (A) -> B; anything else is kept verbatim.
 *
 * Dimension lists such as 4x8xf32 are not tokens (0x8 would be a hexadecimal number), so they are read from the
 * bytes. An encoding inside a tensor type is the mark of TTGIR, which is reported once. */
#include "read/mlir/parser.h"

static TypeId opaque(Parser *r, uint32_t begin, uint32_t end) {
  while (end > begin && (r->lexer.text[end - 1] == ' ' || r->lexer.text[end - 1] == '\n')) end--;
  return program_type(r->p, &(Type){.kind = TYPE_OPAQUE, .text = intern(r->names, r->lexer.text + begin, end - begin)});
}

static bool report_ttgir(Parser *r, Span span) {
  if (r->ttgir) return false;
  r->ttgir = r->stop = true;
  diagnostic_add(r->diagnostics, SEVERITY_ERROR, "input.ttgir", r->source, span,
                 "pass the .ttir file that lies beside it in Triton's cache",
                 "this is TTGIR (it has layouts), not TTIR");
  return false;
}

static bool report_size(Parser *r, Span span, const char *what) {
  return parser_error(r, "parse.size", span, NULL, "%s", what);
}

/* The layout that a memref has without one. */
static bool is_identity(const Program *p, AttrId layout, uint32_t rank) {
  const AffineMap *map = program_get_attr(p, layout)->kind == ATTR_MAP ? program_get_attr(p, layout)->map : NULL;
  bool same = map && !map->equal && map->dims == rank && map->result_count == rank;
  for (uint32_t i = 0; i < rank && same; i++) {
    const AffineNode *n = &map->nodes[map->results[i]];
    same = n->kind == AFFINE_DIM && n->value == i;
  }
  return same;
}

static void add_stride(Parser *r, AttrId item, const char *before, Text *out) {
  int64_t value = program_get_attr(r->p, item)->integer;
  if (value == TYPE_DYNAMIC)
    text_format(out, "%s?", before);
  else
    text_format(out, "%s%lld", before, (long long)value);
}

/* The same text for the same layout, whatever alias it has: types are one where their texts are. */
static Name layout_text(Parser *r, AttrId layout, const char *rest, size_t size) {
  const Attr *a = program_get_attr(r->p, layout);
  Text text = text_new(r->arena);
  if (a->kind == ATTR_MAP) program_map_print(a->map, &text);
  if (a->kind == ATTR_ARRAY) {
    text_add(&text, "strided<[");
    for (uint32_t i = 1; i < a->count; i++) add_stride(r, a->items[i], i > 1 ? ", " : "", &text);
    text_add(&text, "]");
    if (program_get_attr(r->p, a->items[0])->integer) add_stride(r, a->items[0], ", offset: ", &text);
    text_add(&text, ">");
  }
  text_append(&text, rest, size);
  return intern_text(r->names, text_string(&text));
}

/* DIMS ELEMENT [, LAYOUT [, SPACE]] > of a tensor, memref or vector of MLIR at large, whose dimensions may be ? or 0.
 * Unranked types are kept verbatim. */
static TypeId parse_shaped_body(Parser *r, TypeKind kind, const char *encoding, uint32_t word) {
  Lexer *l = &r->lexer;
  Type type = {.kind = kind, .text = encoding ? intern_text(r->names, encoding) : 0};
  uint32_t at = l->token.begin;
  while ((l->text[at] >= '0' && l->text[at] <= '9') || l->text[at] == '?' || l->text[at] == '*') {
    uint32_t digits = at;
    int64_t dim = 0;
    if (l->text[at] == '*') { /* unranked */
      lexer_seek(l, word);
      lexer_next(l);
      return parser_skip_balanced(r) ? opaque(r, word, l->token.begin) : 0;
    }
    for (; l->text[at] >= '0' && l->text[at] <= '9'; at++) {
      if (dim > (INT64_MAX >> 20) / 10) return report_size(r, (Span){digits, at}, "this dimension is too large");
      dim = dim * 10 + (l->text[at] - '0');
    }
    if (at == digits) dim = TYPE_DYNAMIC, at++;
    if (l->text[at++] != 'x')
      return parser_error(r, "parse.expected", (Span){at - 1, at}, NULL, "expected `x` after a dimension");
    if (type.rank == TYPE_MAX_RANK) return report_size(r, (Span){digits, at}, "more than 16 dimensions");
    type.dims[type.rank++] = dim;
  }
  if (at != l->token.begin) lexer_seek(l, at);
  type.element = parse_type(r);
  if (!type.element) return 0;
  if (parser_accept(r, ',')) {
    uint32_t begin = l->token.begin;
    bool map = lexer_is_word(l, "affine_map") || lexer_is_word(l, "strided") || l->token.kind == TOKEN_HASH;
    AttrId layout = parse_attribute(r);
    if (!layout) return 0;
    bool identity = map && is_identity(r->p, layout, type.rank);
    if (kind == TYPE_MEMREF && map && !identity) type.layout = layout;
    if (type.layout) begin = l->token.begin;
    if (kind == TYPE_MEMREF && parser_accept(r, ',') && !parse_attribute(r)) return 0;
    const char *rest = l->text + begin;
    size_t size = l->token.begin - begin;
    if (kind == TYPE_TENSOR || !identity)
      type.text = type.layout ? layout_text(r, type.layout, rest, size) : intern(r->names, rest, size);
  }
  return parser_expect(r, '>') ? program_type(r->p, &type) : 0;
}

/* DIMS ELEMENT [, ENCODING] > with the lexer's current token standing right after `<`. */
static TypeId parse_tensor_body(Parser *r, bool descriptor) {
  Lexer *l = &r->lexer;
  Type type = {.kind = TYPE_TENSOR};
  uint32_t at = l->token.begin, begin = at;
  uint64_t lanes = 1;
  for (;;) {
    uint32_t digits = at;
    uint64_t dim = 0;
    while (l->text[at] >= '0' && l->text[at] <= '9') {
      dim = dim * 10 + (uint64_t)(l->text[at++] - '0');
      if (dim > TENSOR_LANES) return report_size(r, (Span){digits, at}, "a dimension over 1048576, Triton's limit");
    }
    if (l->text[at] == '?' || l->text[at] == '*')
      return report_size(r, (Span){at, at + 1}, "Triton has no dynamic shapes");
    if (at == digits) break;
    if (l->text[at] != 'x')
      return parser_error(r, "parse.expected", (Span){at, at + 1}, NULL, "expected `x` after a dimension");
    at++;
    if (type.rank == TYPE_MAX_RANK) return report_size(r, (Span){digits, at}, "more than 16 dimensions");
    if (!dim) return report_size(r, (Span){digits, at}, "a dimension of size 0");
    type.dims[type.rank++] = (int64_t)dim;
    lanes *= dim;
    if (lanes > TENSOR_LANES)
      return report_size(r, (Span){begin, at}, "a tensor of more than 1048576 elements, Triton's limit");
  }
  if (at != l->token.begin) lexer_seek(l, at);
  type.element = parse_type(r);
  if (!type.element) return 0;
  TypeKind inner = program_get_type(r->p, type.element)->kind;
  if (inner == TYPE_TENSOR || inner == TYPE_FUNCTION)
    return parser_error(r, "parse.type", (Span){begin, at + 1}, NULL, "a tensor of %s is not possible",
                        parser_show_type(r, type.element));
  if (lexer_is(l, ',')) {
    if (!descriptor) return report_ttgir(r, (Span){begin, l->token.end});
    while (!lexer_is(l, '>'))
      if (l->token.kind == TOKEN_END)
        return parser_expected(r, "`>`");
      else if (lexer_is(l, '<')) {
        if (!parser_skip_balanced(r)) return 0;
      } else
        lexer_next(l);
  }
  return parser_expect(r, '>') ? program_type(r->p, &type) : 0;
}

/* Both <tensor<4x8xT>> and <4x8xT[, #shared]>; the latter is the syntax from 3.8 on. */
static TypeId parse_descriptor_body(Parser *r) {
  TypeId block;
  if (!parser_expect(r, '<')) return 0;
  if (lexer_is_word(&r->lexer, "tensor")) {
    block = parse_type(r);
    if (!block || !parser_expect(r, '>')) return 0;
  } else {
    block = parse_tensor_body(r, true);
  }
  return block ? program_type(r->p, &(Type){.kind = TYPE_DESCRIPTOR, .element = block}) : 0;
}

static TypeId parse_pointer_body(Parser *r) {
  int64_t space = 1;
  if (!parser_expect(r, '<')) return 0;
  TypeId element = parse_type(r);
  if (!element) return 0;
  if (parser_accept(r, ',') && !parser_integer(r, &space)) return 0;
  if (!parser_expect(r, '>')) return 0;
  return program_type(r->p, &(Type){.kind = TYPE_POINTER, .element = element, .address_space = (uint32_t)space});
}

/* <?x?xT>: one `?` for each axis. */
static TypeId parse_array_body(Parser *r) {
  Lexer *l = &r->lexer;
  uint32_t rank = 0;
  if (!lexer_is(l, '<')) return parser_expected(r, "`<`");
  uint32_t at = l->token.end;
  for (; l->text[at] == '?' && l->text[at + 1] == 'x'; at += 2)
    if (++rank > TYPE_MAX_RANK) return report_size(r, (Span){at, at + 1}, "more than 16 dimensions");
  lexer_seek(l, at);
  TypeId element = parse_type(r);
  if (!element || !parser_expect(r, '>')) return 0;
  return program_type_array(r->p, element, rank);
}

static TypeId parse_bang(Parser *r) {
  Lexer *l = &r->lexer;
  uint32_t begin = l->token.begin, length = l->token.end - begin;
  const char *text = l->text + begin;
  Name name = parser_name(r, 1);
  if ((length > 5 && !strncmp(text, "!ttg.", 5)) || (length > 12 && !strncmp(text, "!triton_gpu.", 12)) ||
      (length > 11 && !strncmp(text, "!ttng.", 6)))
    return report_ttgir(r, parser_span(r));
  lexer_next(l);
  if (length == 7 && !strncmp(text, "!tt.ptr", 7)) return parse_pointer_body(r);
  if (length == 14 && !strncmp(text, "!tt.tensordesc", 14)) return parse_descriptor_body(r);
  if (length == 12 && !strncmp(text, "!assay.array", 12)) return parse_array_body(r);
  if (!memchr(text, '.', length)) {
    Alias *alias = parser_alias(r, name);
    if (alias->type) return alias->type;
    return parser_error(r, "parse.undefined", (Span){begin, begin + length}, NULL,
                        "the type alias `%.*s` is not defined", (int)length, text);
  }
  if (lexer_is(l, '<') && !parser_skip_balanced(r)) return 0;
  return opaque(r, begin, l->token.begin);
}

static const struct {
  const char *name;
  FloatFormat format;
} float_names[] = {
    {"f32", FLOAT_F32},
    {"f16", FLOAT_F16},
    {"bf16", FLOAT_BF16},
    {"f64", FLOAT_F64},
    {"tf32", FLOAT_TF32},
    {"f8E4M3FN", FLOAT_F8E4M3FN},
    {"f8E5M2", FLOAT_F8E5M2},
    {"f8E4M3FNUZ", FLOAT_F8E4M3FNUZ},
    {"f8E5M2FNUZ", FLOAT_F8E5M2FNUZ},
    {"f8E4M3B11FNUZ", FLOAT_F8E4M3B11FNUZ},
};

/* i32, si8, ui8; 0 when it is not such a word. */
static TypeId integer_word(Parser *r, const char *text, uint32_t length) {
  uint8_t sign = text[0] == 's' ? 1 : text[0] == 'u' ? 2 : 0;
  uint32_t at = sign ? 1 : 0, width = 0;
  if (at >= length || text[at++] != 'i' || at >= length) return 0;
  for (; at < length; at++) {
    if (text[at] < '0' || text[at] > '9') return 0;
    width = width * 10 + (uint32_t)(text[at] - '0');
    if (width > 64 && !r->mlir) return report_size(r, parser_span(r), "an integer wider than 64 bits");
    if (width > 1 << 24) return report_size(r, parser_span(r), "an integer wider than 2^24 bits");
  }
  if (!width) return report_size(r, parser_span(r), "an integer of width 0");
  if (width > 64) return program_type(r->p, &(Type){.kind = TYPE_OPAQUE, .text = intern(r->names, text, length)});
  return program_type(r->p, &(Type){.kind = TYPE_INT, .width = width, .sign = sign});
}

/* [4] among the dimensions of a vector: a multiple that is not known. */
static bool has_scalable_size(const Lexer *l) {
  const char *at = l->text + l->token.begin;
  return at[strspn(at, "0123456789x")] == '[';
}

static TypeId parse_word_type(Parser *r) {
  Lexer *l = &r->lexer;
  uint32_t begin = l->token.begin, length = l->token.end - begin;
  const char *text = l->text + begin;
  TypeId type = 0;
  if (lexer_is_word(l, "tensor")) {
    lexer_next(l);
    if (!lexer_is(l, '<')) return parser_expected(r, "`<` after `tensor`");
    lexer_next(l);
    return r->mlir ? parse_shaped_body(r, TYPE_TENSOR, NULL, begin) : parse_tensor_body(r, false);
  }
  if (r->mlir && (lexer_is_word(l, "memref") || lexer_is_word(l, "vector"))) {
    bool vector = lexer_is_word(l, "vector");
    lexer_next(l);
    if (!lexer_is(l, '<')) return parser_expected(r, "`<`");
    lexer_next(l);
    if (vector && has_scalable_size(l)) { /* kept verbatim */
      lexer_seek(l, begin), lexer_next(l);
      return parser_skip_balanced(r) ? opaque(r, begin, l->token.begin) : 0;
    }
    return parse_shaped_body(r, vector ? TYPE_TENSOR : TYPE_MEMREF, vector ? "vector" : NULL, begin);
  }
  if (text[0] == 'i' || text[0] == 's' || text[0] == 'u') {
    uint32_t errors = r->diagnostics->error_count;
    type = integer_word(r, text, length);
    if (!type && errors != r->diagnostics->error_count) return 0;
  }
  if (!type && lexer_is_word(l, "index")) type = program_type(r->p, &(Type){.kind = TYPE_INDEX, .width = 64});
  for (size_t i = 0; !type && i < sizeof float_names / sizeof *float_names; i++)
    if (lexer_is_word(l, float_names[i].name)) type = program_type_float(r->p, float_names[i].format);
  if (type) {
    lexer_next(l);
    return type;
  }
  static const char *const verbatim[] = {"none", "f80", "f128", "token"};
  static const char *const small[] = {"f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E8M0FNU"};
  bool known = false;
  for (size_t i = 0; i < sizeof verbatim / sizeof *verbatim; i++) known = known || lexer_is_word(l, verbatim[i]);
  for (size_t i = 0; r->mlir && i < sizeof small / sizeof *small; i++) known = known || lexer_is_word(l, small[i]);
  bool bracketed = lexer_is_word(l, "vector") || lexer_is_word(l, "memref") || lexer_is_word(l, "tuple") ||
                   lexer_is_word(l, "complex");
  if (lexer_is_word(l, "f8"))
    return parser_error(r, "parse.type", parser_span(r), "compile with Triton 2.1 or newer",
                        "the type f8 of Triton 2.0 has no defined format");
  if (!known && !bracketed) return parser_expected(r, "a type");
  lexer_next(l);
  if (bracketed && !lexer_is(l, '<')) return parser_expected(r, "`<`");
  if (bracketed && !parser_skip_balanced(r)) return 0;
  return opaque(r, begin, l->token.begin);
}

TypeId parse_type(Parser *r) {
  if (!parser_enter(r)) return 0;
  TypeId type;
  if (lexer_is(&r->lexer, '('))
    type = parse_function_type(r);
  else if (r->lexer.token.kind == TOKEN_BANG)
    type = parse_bang(r);
  else if (r->lexer.token.kind == TOKEN_WORD)
    type = parse_word_type(r);
  else
    type = parser_expected(r, "a type");
  parser_leave(r);
  return type;
}

TypeId parse_stripped_type(Parser *r, TypeKind kind) {
  if (!lexer_is(&r->lexer, '<')) return parse_type(r);
  if (!parser_enter(r)) return 0;
  TypeId type = kind == TYPE_DESCRIPTOR ? parse_descriptor_body(r) : parse_pointer_body(r);
  parser_leave(r);
  return type;
}

bool parse_type_list(Parser *r) {
  TypeId type;
  if (!parser_accept(r, '(')) {
    type = parse_type(r);
    if (type) array_push(r->arena, &r->results, type);
    return type != 0;
  }
  if (parser_accept(r, ')')) return true;
  do {
    type = parse_type(r);
    if (!type) return false;
    array_push(r->arena, &r->results, type);
  } while (parser_accept(r, ','));
  return parser_expect(r, ')');
}

TypeId parse_function_type(Parser *r) {
  if (!parser_enter(r)) return 0;
  uint32_t base = r->results.count;
  bool good = lexer_is(&r->lexer, '(') ? parse_type_list(r) : parser_expected(r, "`(`");
  uint32_t arguments = r->results.count - base;
  good = good && parser_expect_arrow(r) && parse_type_list(r);
  TypeId type = 0;
  if (good)
    type = program_type(r->p, &(Type){.kind = TYPE_FUNCTION,
                                      .rank = arguments,
                                      .members = r->results.count > base ? r->results.data + base : NULL,
                                      .member_count = r->results.count - base});
  r->results.count = base;
  parser_leave(r);
  return type;
}

TypeId type_bool_like(Parser *r, TypeId shape) {
  return program_type_with_element(r->p, shape, program_type_int(r->p, 1));
}
