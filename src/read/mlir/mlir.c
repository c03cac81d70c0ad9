/* Reader of MLIR at large: modules of functions over tensors and memrefs, as mlir-opt prints and accepts them.
 *
 * It is the reader of Triton IR with more types, attributes and operations (dialects.def), and without its limits:
 * dimensions may be unknown or 0. Modules may be nested; the functions of all of them are listed in the order of the
 * text, and no two have one name. Nothing is inlined here. */
#include <ctype.h>

#include "read/mlir/parser.h"
#include "read/mlir/read.h"

static void parse_top(Parser *r, BlockId top) {
  while (!r->stop && r->lexer.token.kind != TOKEN_END) {
    TokenKind kind = r->lexer.token.kind;
    uint32_t errors = r->diagnostics->error_count;
    if (kind == TOKEN_HASH || kind == TOKEN_BANG)
      parse_alias_definition(r);
    else if (lexer_is(&r->lexer, '{')) {
      const char *end = strstr(r->lexer.text + r->lexer.token.begin, "#-}");
      if (!end || strncmp(r->lexer.text + r->lexer.token.begin, "{-#", 3) != 0)
        parser_expected(r, "a module or a function");
      else
        lexer_seek(&r->lexer, (uint32_t)(end + 3 - r->lexer.text));
    } else if (kind == TOKEN_WORD || kind == TOKEN_STRING || kind == TOKEN_VALUE)
      parse_op(r, top);
    else
      parser_expected(r, "a module or a function");
    if (errors != r->diagnostics->error_count) return;
  }
}

/* Globals are found by name alone, so that nested modules may not have one each. */
static void refuse_equal_globals(Parser *r) {
  const Program *p = r->p;
  bool *seen = arena_array(r->arena, bool, p->names->text.count);
  for (OpId i = 1; i < p->ops.count; i++) {
    const Op *op = program_get_op(p, i);
    if (strcmp(intern_string(p->names, op->name), "memref.global") != 0) continue;
    Name name = program_get_attr(p, program_op_attr(p, op, "sym_name"))->text;
    if (name && seen[name])
      parser_error(r, "parse.redefined", op->span, NULL, "the global @%s is already defined",
                   intern_string(p->names, name));
    seen[name] = true;
  }
}

/* The function whose body the op ends; NULL: it stands elsewhere. */
static const Function *function_of(const Program *p, const Op *op) {
  OpId parent = op->block ? program_get_region(p, program_get_block(p, op->block)->region)->parent : 0;
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (p->functions.data[i].op == parent) return &p->functions.data[i];
  return NULL;
}

/* What a function returns has the types that it says. */
static void refuse_other_results(Parser *r) {
  const Program *p = r->p;
  for (OpId i = 1; i < p->ops.count; i++) {
    const Op *op = program_get_op(p, i);
    const Function *f = !strcmp(intern_string(p->names, op->name), "func.return") ? function_of(p, op) : NULL;
    if (!f) continue;
    const Type *t = program_get_type(p, f->type);
    bool fits = op->operand_count == t->member_count - t->rank;
    for (uint32_t k = 0; fits && k < op->operand_count; k++) {
      TypeId type = program_get_value(p, op->operands[k])->type; /* 0: of an operation that is not read */
      fits = !type || type == t->members[t->rank + k];
    }
    if (!fits) parser_error(r, "check.type", op->span, NULL, "the values do not fit the results of the function");
  }
}

/* An operation or a type of Triton's: a word that begins with `tt.`. */
static bool is_of_triton(const Source *source) {
  const char *at = source->text, *end = source->text + source->size;
  for (; (at = memmem(at, (size_t)(end - at), "tt.", 3)); at++)
    if (at == source->text || !(isalnum((unsigned char)at[-1]) || strchr("_.$", at[-1]))) return true;
  return false;
}

bool mlir_is_one(const Source *source) {
  static const char *const marks[] = {"func.func", "\"func.func\"", "memref.global"};
  const char *dot = strrchr(source->name, '.');
  if (is_of_triton(source)) return false;
  if (dot && !strcmp(dot, ".mlir")) return true;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (memmem(source->text, source->size, marks[i], strlen(marks[i]))) return true;
  return false;
}

Program *read_dialects(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics) {
  uint32_t errors = diagnostics->error_count;
  Program *p = program_new(arena, names, source);
  Parser r;
  parser_init(&r, p, diagnostics);
  r.mlir = true;
  dialect_table_fill(&r);
  RegionId *regions = arena_array(arena, RegionId, 1);
  array_push(arena, &p->ops, (Op){.code = OP_BUILTIN_MODULE, .name = intern_text(names, "builtin.module")});
  p->module = p->ops.count - 1;
  *regions = region_new(&r, p->module);
  p->ops.data[p->module].regions = regions, p->ops.data[p->module].region_count = 1;
  BlockId top = block_new(&r, *regions, 0);
  array_push(arena, &p->regions.data[*regions].blocks, top);
  parse_top(&r, top);
  const Block *block = program_get_block(p, top);
  if (block->ops.count == 1 && program_get_op(p, block->ops.data[0])->code == OP_BUILTIN_MODULE)
    p->module = block->ops.data[0]; /* the file's own */
  if (diagnostics->error_count == errors && !p->functions.count)
    parser_error(&r, "input.no-function", (Span){0, 0}, "pass a file with func.func", "the file has no function");
  if (diagnostics->error_count == errors) {
    parser_index_functions(&r);
    refuse_equal_globals(&r);
    refuse_other_results(&r);
    program_check_uses(p, diagnostics);
  }
  return diagnostics->error_count == errors ? p : NULL;
}
