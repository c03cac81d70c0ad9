/* Ops, blocks and regions.
 *
 *   op      = [%names =] name FORMAT [loc(..)]
 *           | [%names =] "name" (operands) [successors] [<{properties}>] [(regions)] [{attributes}] : type [loc(..)]
 *   region  = { op* (^label[(%arg: type, ..)]: op*)* }
 *
 * An op under construction is a Draft: bases into stacks of the parser, so nested ops need no memory of their own.
 * `finish_op` checks declared types and counts, and copies the stacks into the program. After an error the parser
 * goes to the next line that begins an op, with the failed op's results defined as values of unknown type. */
#include "read/mlir/parser.h"

/* ---- blocks and labels */

RegionId region_new(Parser *r, OpId parent) {
  array_push(r->arena, &r->p->regions, (Region){.parent = parent});
  return r->p->regions.count - 1;
}

BlockId block_new(Parser *r, RegionId region, Name label) {
  array_push(r->arena, &r->p->blocks, (Block){.region = region, .label = label});
  return r->p->blocks.count - 1;
}

bool block_arguments(Parser *r, BlockId block, const Argument *arguments, uint32_t count) {
  bool good = true;
  ValueId first = r->p->values.count;
  for (uint32_t i = 0; i < count; i++) {
    ValueId value = parser_new_value(r, arguments[i].type, 0, block, i, arguments[i].name);
    r->p->values.data[value].loc = arguments[i].loc;
  }
  r->p->blocks.data[block].first_arg = count ? first : 0;
  r->p->blocks.data[block].arg_count = count;
  for (uint32_t i = 0; i < count; i++)
    good = parser_define(r, arguments[i].name, first + i, 1, arguments[i].span) && good;
  return good;
}

static Label *find_label(Parser *r, Name name) {
  while (r->label_of.count <= name) array_push(r->arena, &r->label_of, 0);
  uint32_t i = r->label_of.data[name];
  return i > r->label_base ? &r->labels.data[i - 1] : NULL;
}

static Label *label_named(Parser *r, RegionId region, Name name, Span span) {
  Label *label = find_label(r, name);
  if (label) return label;
  array_push(r->arena, &r->labels, (Label){name, block_new(r, region, name), false, r->label_of.data[name], span});
  r->label_of.data[name] = r->labels.count;
  return &r->labels.data[r->labels.count - 1];
}

static bool close_labels(Parser *r, uint32_t base, uint32_t outer_base) {
  bool good = true;
  while (r->labels.count > base) {
    Label *label = &r->labels.data[--r->labels.count];
    if (!label->defined)
      good = parser_error(r, "parse.block", label->span, NULL, "the block ^%s is not defined in this region",
                          intern_string(r->names, label->name));
    r->label_of.data[label->name] = label->shadowed;
  }
  r->label_base = outer_base;
  return good;
}

/* (%a: T loc(..), ..) */
static bool parse_block_arguments(Parser *r, BlockId block) {
  Array(Argument) arguments = {0};
  if (!parser_accept(r, '(')) return true;
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
  if (!parser_expect(r, ')')) return false;
  block_arguments(r, block, arguments.data, arguments.count);
  return true;
}

static bool parse_label(Parser *r, RegionId region) {
  Name name = parser_name(r, 1);
  Span span = parser_span(r);
  Label *label = label_named(r, region, name, span);
  BlockId block = label->block;
  if (label->defined)
    return parser_error(r, "parse.redefined", span, NULL, "the block ^%s is already defined",
                        intern_string(r->names, name));
  label->defined = true;
  array_push(r->arena, &r->p->regions.data[region].blocks, block);
  lexer_next(&r->lexer);
  return parse_block_arguments(r, block) && parser_expect(r, ':');
}

bool parse_successor(Parser *r, Draft *d) {
  if (r->lexer.token.kind != TOKEN_BLOCK) return parser_expected(r, "a block such as `^bb1`");
  RegionId region = r->p->blocks.data[r->p->ops.data[d->id].block].region;
  Successor s = {.block = label_named(r, region, parser_name(r, 1), parser_span(r))->block};
  lexer_next(&r->lexer);
  uint32_t base = r->operands.count;
  if (parser_accept(r, '(')) {
    if (!lexer_is(&r->lexer, ')')) {
      if (!parse_operand_list(r, d) || !parser_expect(r, ':')) return false;
      for (uint32_t i = base; i < r->operands.count; i++) {
        r->operands.data[i].type = parse_type(r);
        if (!r->operands.data[i].type || (i + 1 < r->operands.count && !parser_expect(r, ','))) return false;
        TypeId real = r->p->values.data[r->operands.data[i].value].type;
        if (real && real != r->operands.data[i].type)
          parser_error(r, "parse.type", r->operands.data[i].span, NULL, "this value has type %s, not %s",
                       parser_show_type(r, real), parser_show_type(r, r->operands.data[i].type));
      }
    }
    if (!parser_expect(r, ')')) return false;
  }
  s.arg_count = r->operands.count - base;
  ValueId *args = arena_array(r->arena, ValueId, s.arg_count + 1);
  for (uint32_t i = 0; i < s.arg_count; i++) args[i] = r->operands.data[base + i].value;
  s.args = args;
  r->operands.count = base;
  array_push(r->arena, &r->successors, s);
  return true;
}

/* ---- regions */

static void open_entry(Parser *r, RegionId region, const Argument *arguments, uint32_t count) {
  BlockId entry = block_new(r, region, 0);
  array_push(r->arena, &r->p->regions.data[region].blocks, entry);
  block_arguments(r, entry, arguments, count);
}

static void add_terminator(Parser *r, Draft *d, RegionId region, Opcode terminator) {
  Region *reg = &r->p->regions.data[region];
  BlockId last = reg->blocks.data[reg->blocks.count - 1];
  Block *b = &r->p->blocks.data[last];
  if (b->ops.count && op_rows[r->p->ops.data[b->ops.data[b->ops.count - 1]].code].traits == TERMINATOR) return;
  array_push(
      r->arena, &r->p->ops,
      (Op){
          .code = terminator, .name = intern_text(r->names, op_rows[terminator].name), .block = last, .span = d->span});
  array_push(r->arena, &b->ops, r->p->ops.count - 1);
}

static bool parse_region_body(Parser *r, RegionId region, bool has_entry) {
  bool first = true;
  while (!r->stop && !lexer_is(&r->lexer, '}')) {
    if (r->lexer.token.kind == TOKEN_END) return parser_expected(r, "`}`");
    if (r->lexer.token.kind == TOKEN_BLOCK) {
      if (!parse_label(r, region)) return false;
    } else if (first && !has_entry) {
      open_entry(r, region, NULL, 0);
    }
    first = false;
    Region *reg = &r->p->regions.data[region];
    parse_block_ops(r, reg->blocks.data[reg->blocks.count - 1]);
  }
  return !r->stop;
}

bool parse_region(Parser *r, Draft *d, const Argument *arguments, uint32_t count, Opcode terminator) {
  if (!parser_enter(r)) return false;
  RegionId region = region_new(r, d->id);
  array_push(r->arena, &r->op_regions, region);
  uint32_t scope = parser_scope_begin(r), labels = r->labels.count, outer = r->label_base;
  bool good = parser_expect(r, '{');
  r->label_base = labels;
  bool entry = arguments || terminator != OP_NONE; /* the op makes the entry block itself */
  if (good && entry) open_entry(r, region, arguments, count);
  good = good && parse_region_body(r, region, entry);
  if (good && terminator != OP_NONE) add_terminator(r, d, region, terminator);
  good = close_labels(r, labels, outer) && good && parser_expect(r, '}');
  parser_scope_end(r, scope);
  parser_leave(r);
  return good;
}

bool parse_empty_region(Parser *r, Draft *d) {
  array_push(r->arena, &r->op_regions, region_new(r, d->id));
  return true;
}

/* ---- the generic form */

static bool parse_generic_regions(Parser *r, Draft *d) {
  if (!parser_accept(r, '(')) return true;
  uint32_t mark = 0;
  OpId first = r->p->ops.count;
  bool isolated = d->code == OP_TT_FUNC;
  if (isolated && !parser_function_begin(r, d->span, &mark)) return false;
  bool good = true;
  do good = parse_region(r, d, NULL, 0, OP_NONE);
  while (good && parser_accept(r, ','));
  if (isolated) parser_function_end(r, mark, first);
  return good && parser_expect(r, ')');
}

static bool parse_generic_successors(Parser *r, Draft *d) {
  if (!parser_accept(r, '[')) return true;
  do
    if (!parse_successor(r, d)) return false;
  while (parser_accept(r, ','));
  return parser_expect(r, ']');
}

/* Block operands of branches: MLIR keeps them flat, divided by operandSegmentSizes. */
static bool distribute_operands(Parser *r, Draft *d) {
  uint32_t count = r->operands.count - d->operands, successors = r->successors.count - d->successors;
  if (!successors) return true;
  uint32_t at = d->code == OP_CF_COND_BR ? 1 : 0, sizes[2] = {count - at, 0};
  if (at > count) return parser_error(r, "parse.count", d->span, NULL, "a conditional branch has a condition");
  if (successors == 2) {
    AttrId id = draft_get_attr(r, d, "operandSegmentSizes");
    if (!id) id = draft_get_attr(r, d, "operand_segment_sizes");
    const Attr *a = program_get_attr(r->p, id);
    if (id && (a->kind == ATTR_ARRAY || a->kind == ATTR_DENSE) && a->count == 3) {
      sizes[0] = (uint32_t)program_get_attr(r->p, a->items[1])->integer;
      sizes[1] = (uint32_t)program_get_attr(r->p, a->items[2])->integer;
    }
  }
  if (successors > 2 || sizes[0] > count - at || sizes[1] != count - at - sizes[0])
    return parser_error(r, "parse.count", d->span, NULL, "the operand segment sizes do not add up");
  for (uint32_t s = 0; s < successors; s++) {
    Successor *successor = &r->successors.data[d->successors + s];
    ValueId *args = arena_array(r->arena, ValueId, sizes[s] + 1);
    for (uint32_t i = 0; i < sizes[s]; i++) args[i] = r->operands.data[d->operands + at++].value;
    successor->args = args;
    successor->arg_count = sizes[s];
  }
  r->operands.count = d->operands + (d->code == OP_CF_COND_BR);
  return true;
}

static bool parse_generic(Parser *r, Draft *d) {
  d->generic = true;
  if (!parser_expect(r, '(') || !parse_operand_list(r, d) || !parser_expect(r, ')')) return false;
  if (!parse_generic_successors(r, d)) return false;
  if (parser_accept(r, '<') && (!parse_attribute_entries(r) || !parser_expect(r, '>'))) return false;
  if (!parse_generic_regions(r, d) || !parse_optional_dict(r) || !parser_expect(r, ':')) return false;
  Span span = parser_span(r);
  TypeId id = parse_function_type(r);
  if (!id) return false;
  const Type *t = program_get_type(r->p, id);
  uint32_t count = r->operands.count - d->operands;
  if (t->rank != count) return parser_error(r, "parse.count", span, NULL, "%u types for %u operands", t->rank, count);
  for (uint32_t i = 0; i < count; i++) r->operands.data[d->operands + i].type = t->members[i];
  for (uint32_t i = t->rank; i < t->member_count; i++) array_push(r->arena, &r->results, t->members[i]);
  return distribute_operands(r, d);
}

/* ---- whole ops */

static bool parse_left_side(Parser *r) {
  do {
    LeftName name = {.count = 1, .span = parser_span(r)};
    int64_t count;
    if (r->lexer.token.kind != TOKEN_VALUE) return parser_expected(r, "a value such as `%x`");
    name.name = parser_name(r, 1);
    lexer_next(&r->lexer);
    if (parser_accept(r, ':')) {
      Span span = parser_span(r);
      if (!parser_integer(r, &count)) return false;
      if (count < 1 || count > 1 << 16)
        return parser_error(r, "parse.size", span, NULL, "a pack of %lld results", (long long)count);
      name.count = (uint32_t)count;
    }
    array_push(r->arena, &r->left, name);
  } while (parser_accept(r, ','));
  return parser_expect(r, '=');
}

static bool parse_op_name(Parser *r, Draft *d) {
  TokenKind kind = r->lexer.token.kind;
  if (kind != TOKEN_WORD && kind != TOKEN_STRING) return parser_expected(r, "an op");
  d->span = parser_span(r);
  d->name = kind == TOKEN_STRING ? parser_string(r, 0) : parser_name(r, 0);
  d->generic = kind == TOKEN_STRING;
  d->code = d->name < r->opcode_names ? r->opcode_of[d->name] : OP_NONE;
  const OpRow *dialect = r->mlir ? dialect_row(r, d->name) : NULL;
  if (dialect) {
    d->code = OP_UNKNOWN, d->row = dialect;
    lexer_next(&r->lexer);
    return true;
  }
  if (d->code == OP_NONE) {
    const char *text = intern_string(r->names, d->name);
    bool gpu = !strncmp(text, "ttg.", 4) || !strncmp(text, "triton_gpu.", 11);
    return parser_error(r, gpu ? "input.ttgir" : "parse.unknown-op", d->span,
                        gpu ? "pass the .ttir file that lies beside it in Triton's cache" : NULL, "unknown op `%.100s`",
                        text);
  }
  d->row = &op_rows[d->code];
  lexer_next(&r->lexer);
  return true;
}

static bool check_counts(Parser *r, const Draft *d) {
  uint32_t operands = r->operands.count - d->operands, results = r->results.count - d->results;
  const OpRow *row = d->row;
  if (d->is_skipped) return true;
  if (operands < row->low || (row->high != ANY && operands > row->high))
    return parser_error(r, "parse.count", d->span, NULL, "%s with %u operands", row->name, operands);
  if (row->results != ANY && results != row->results)
    return parser_error(r, "parse.count", d->span, NULL, "%s with %u results", row->name, results);
  uint64_t named = 0;
  for (uint32_t i = d->left; i < r->left.count; i++) named += r->left.data[i].count;
  if (r->left.count > d->left && named != results)
    return parser_error(r, "parse.count", d->span, NULL, "%s has %u results, %llu are named", row->name, results,
                        (unsigned long long)named);
  return true;
}

static bool check_declared_types(Parser *r, const Draft *d) {
  bool good = true;
  for (uint32_t i = d->operands; i < r->operands.count; i++) {
    Operand *o = &r->operands.data[i];
    Value *v = &r->p->values.data[o->value];
    if (!o->type) continue;
    if (!v->type && !v->op && !v->block)
      v->type = o->type; /* a placeholder: first use wins */
    else if (v->type && v->type != o->type)
      good = parser_error(r, "parse.type", o->span, NULL, "%%%s has type %s, but %s takes it as %s",
                          intern_string(r->names, v->name), parser_show_type(r, v->type), d->row->name,
                          parser_show_type(r, o->type));
  }
  return good;
}

static void *copy_stack(Parser *r, const void *data, uint32_t base, uint32_t count, size_t size) {
  if (!count) return NULL;
  return memcpy(arena_alloc(r->arena, count * size), (const char *)data + base * size, count * size);
}

static bool define_results(Parser *r, const Draft *d, ValueId first, uint32_t count) {
  bool good = true;
  uint32_t at = 0;
  for (uint32_t i = d->left; i < r->left.count; i++) {
    LeftName *left = &r->left.data[i];
    for (uint32_t k = 0; k < left->count && at + k < count; k++) r->p->values.data[first + at + k].name = left->name;
    good = parser_define(r, left->name, first + at, left->count, left->span) && good;
    at += left->count;
  }
  return good;
}

static bool finish_op(Parser *r, Draft *d, BlockId block) {
  if (!normalise_attributes(r, d) || !check_counts(r, d)) return false;
  check_declared_types(r, d);
  uint32_t operands = r->operands.count - d->operands, results = r->results.count - d->results;
  ValueId *list = operands ? arena_array(r->arena, ValueId, operands) : NULL;
  for (uint32_t i = 0; i < operands; i++) list[i] = r->operands.data[d->operands + i].value;
  ValueId first = r->p->values.count;
  for (uint32_t i = 0; i < results; i++) parser_new_value(r, r->results.data[d->results + i], d->id, 0, i, 0);
  Op *op = &r->p->ops.data[d->id];
  LocId loc = op->loc;
  *op = (Op){.code = d->code, .name = d->name, .block = block, .span = d->span, .loc = loc};
  op->operands = list, op->operand_count = operands;
  op->first_result = results ? first : 0, op->result_count = results;
  op->attr_count = r->attrs.count - d->attrs;
  op->attrs = copy_stack(r, r->attrs.data, d->attrs, op->attr_count, sizeof(NamedAttr));
  op->region_count = r->op_regions.count - d->regions;
  op->regions = copy_stack(r, r->op_regions.data, d->regions, op->region_count, sizeof(RegionId));
  op->successor_count = r->successors.count - d->successors;
  op->successors = copy_stack(r, r->successors.data, d->successors, op->successor_count, sizeof(Successor));
  array_push(r->arena, &r->p->blocks.data[block].ops, d->id);
  define_results(r, d, first, results);
  return true;
}

/* So that the uses of a failed op's results are not reported as well. */
static void define_unknown(Parser *r, const Draft *d) {
  for (uint32_t i = d->left; i < r->left.count; i++) {
    LeftName *left = &r->left.data[i];
    ValueId first = r->p->values.count;
    for (uint32_t k = 0; k < left->count; k++) parser_new_value(r, 0, d->id, 0, k, left->name);
    parser_define(r, left->name, first, left->count, left->span);
  }
}

/* True if `%a, .. =` stands here. An operand at the beginning of a line does not begin an op. */
static bool names_results(const Parser *r) {
  Lexer ahead = r->lexer;
  for (; ahead.token.kind == TOKEN_VALUE; lexer_next(&ahead)) {
    lexer_next(&ahead);
    if (lexer_is(&ahead, ':')) lexer_next(&ahead), lexer_next(&ahead);
    if (!lexer_is(&ahead, ',')) return lexer_is(&ahead, '=');
  }
  return false;
}

static bool begins_op(const Parser *r) {
  static const char *const words[] = {"return", "call", "module", "func"};
  const Token *t = &r->lexer.token;
  if (!t->first_on_line) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (lexer_is_word(&r->lexer, words[i])) return true;
  return t->kind == TOKEN_VALUE || t->kind == TOKEN_BLOCK || t->kind == TOKEN_STRING ||
         (t->kind == TOKEN_WORD && memchr(r->lexer.text + t->begin, '.', t->end - t->begin));
}

/* The custom form of an operation that is never executed, up to the next line that begins an op, which none does behind
 * a comma: its text is kept, its results have no type. */
static bool parse_skipped(Parser *r, Draft *d) {
  uint32_t begin = r->lexer.token.begin, open = 0;
  bool goes_on = false;
  for (;; goes_on = lexer_is(&r->lexer, ','), lexer_next(&r->lexer)) {
    const Token *t = &r->lexer.token;
    if (t->kind == TOKEN_END) break;
    if (!open && !goes_on && begins_op(r) && (t->kind != TOKEN_VALUE || names_results(r))) break;
    if (!open && lexer_is(&r->lexer, '}')) break;
    if (t->kind == TOKEN_BAD) return parser_expected(r, "the rest of this operation");
    if (lexer_is(&r->lexer, '(') || lexer_is(&r->lexer, '[') || lexer_is(&r->lexer, '{')) open++;
    if (lexer_is(&r->lexer, ')') || lexer_is(&r->lexer, ']') || lexer_is(&r->lexer, '}')) {
      if (!open) return parser_expected(r, "the rest of this operation");
      open--;
    }
  }
  if (open) return parser_expected(r, "the end of what is open");
  Name text = intern(r->names, r->lexer.text + begin, r->lexer.token.begin - begin);
  draft_attr(r, PROGRAM_SKIPPED, attr_new(r, (Attr){.kind = ATTR_RAW, .text = text}));
  for (uint32_t i = d->left; i < r->left.count; i++)
    for (uint32_t k = 0; k < r->left.data[i].count; k++) array_push(r->arena, &r->results, 0);
  d->is_skipped = true;
  return true;
}

static bool parse_op_body(Parser *r, Draft *d) {
  if (d->generic) {
    if (!parse_generic(r, d)) return false;
    return d->code != OP_TT_FUNC || function_from_attributes(r, d);
  }
  const char *format = d->row->format;
  if (!*format) return r->mlir ? parse_skipped(r, d) : parser_expected(r, "the generic form, \"name\"(..),");
  if (*format == '!' && d->code == OP_UNKNOWN) return parse_dialect(r, d, format + 1);
  return *format == '!' ? parse_special(r, d, format + 1) : parse_format(r, d, format);
}

bool parse_op(Parser *r, BlockId block) {
  Draft d = {.operands = r->operands.count,
             .results = r->results.count,
             .attrs = r->attrs.count,
             .regions = r->op_regions.count,
             .successors = r->successors.count,
             .left = r->left.count};
  array_push(r->arena, &r->p->ops, (Op){.block = block, .span = parser_span(r)});
  d.id = r->p->ops.count - 1;
  d.span = parser_span(r);
  uint32_t errors = r->diagnostics->error_count;
  bool good = (r->lexer.token.kind != TOKEN_VALUE || parse_left_side(r)) && parse_op_name(r, &d) &&
              parse_op_body(r, &d) && parse_optional_loc(r, &r->p->ops.data[d.id].loc) && finish_op(r, &d, block);
  if (!good) {
    if (errors == r->diagnostics->error_count) /* no op goes without a word, whichever function forgot it */
      parser_error(r, "parse.op", d.span, NULL, "this op is not well-formed");
    define_unknown(r, &d);
    r->p->ops.data[d.id] = (Op){.block = block, .span = d.span};
  }
  r->operands.count = d.operands, r->results.count = d.results, r->attrs.count = d.attrs;
  r->op_regions.count = d.regions, r->successors.count = d.successors, r->left.count = d.left;
  return good;
}

/* To the next line that begins an op, over whole braces; or to the `}` that closes this region. */
static void recover(Parser *r, uint32_t from) {
  uint32_t open = 0;
  for (;; lexer_next(&r->lexer)) {
    const Token *t = &r->lexer.token;
    if (t->kind == TOKEN_END) return;
    if (!open && t->begin > from && begins_op(r)) return;
    if (lexer_is(&r->lexer, '{')) open++;
    if (lexer_is(&r->lexer, '}') && open-- == 0) return;
  }
}

void parse_block_ops(Parser *r, BlockId block) {
  while (!r->stop) {
    const Token *t = &r->lexer.token;
    if (t->kind == TOKEN_END || t->kind == TOKEN_BLOCK || lexer_is(&r->lexer, '}')) return;
    uint32_t from = t->begin;
    guard_tick(r->arena->guard);
    if (!parse_op(r, block)) {
      r->lexer.token.begin == from ? lexer_next(&r->lexer) : (void)0;
      recover(r, from);
    }
  }
}
