/* Reader of Triton IR: what kind of file is this, then module, aliases, calls, checks.
 *
 * The kinds of file that people pass by mistake are told apart by their first bytes, before anything is parsed; TTGIR
 * shows itself later, by an encoding, a `ttg.` module attribute or a `#ttg.` alias. The top level is a list of alias
 * definitions and functions, with or without a module around them; either way the program has one module op. */
#include "read/mlir/read.h"

#include "read/mlir/parser.h"

/* ---- what this is */

static bool contains(const Source *s, const char *needle, size_t within) {
  size_t size = s->size < within ? s->size : within;
  return memmem(s->text, size, needle, strlen(needle)) != NULL;
}

static bool begins(const Source *s, const char *prefix) {
  size_t length = strlen(prefix);
  return s->size >= length && !memcmp(s->text, prefix, length);
}

static bool is_blank(const Source *s) {
  for (size_t i = 0; i < s->size; i++) {
    if (s->text[i] == '/' && i + 1 < s->size && s->text[i + 1] == '/')
      while (i < s->size && s->text[i] != '\n') i++;
    else if (!strchr(" \t\r\n", s->text[i]) || !s->text[i])
      return false;
  }
  return true;
}

static bool is_binary(const Source *s) {
  size_t size = s->size < 4096 ? s->size : 4096, strange = 0;
  for (size_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)s->text[i];
    if (!c) return true;
    strange += (c < 32 && c != '\n' && c != '\r' && c != '\t') || c >= 127;
  }
  return strange > 16 && strange * 5 > size;
}

/* At the beginning of some line. */
static bool has_line(const Source *s, const char *prefix) {
  char needle[64] = "\n";
  if (begins(s, prefix)) return true;
  strncat(needle, prefix, sizeof needle - 2);
  return contains(s, needle, 1 << 16);
}

static bool recognise(const Source *s, DiagnosticList *diagnostics) {
  static const char ttir[] = "pass the .ttir file that lies beside it in Triton's cache";
  const char *code = NULL, *what = NULL, *help = ttir;
  if (is_blank(s))
    code = "input.empty", what = "the file is empty", help = "pass a .ttir file";
  else if (begins(s, "\x7f"
                     "ELF"))
    code = "input.elf", what = "this is a compiled binary (ELF: a cubin, hsaco or shared object), not TTIR";
  else if (begins(s, "ML\xefR"))
    code = "input.binary", what = "this is MLIR bytecode, not text", help = "print the module as text";
  else if (is_binary(s))
    code = "input.binary", what = "this is a binary file, not TTIR", help = "pass a .ttir file";
  else if (has_line(s, ".version ") || has_line(s, ".target ") || has_line(s, ".visible ") || has_line(s, ".entry "))
    code = "input.ptx", what = "this is PTX, not TTIR";
  else if (has_line(s, "\t.amdgcn_target") || has_line(s, "\t.text"))
    code = "input.assembly", what = "this is GPU assembly, not TTIR";
  else if (has_line(s, "; ModuleID") || has_line(s, "source_filename =") || has_line(s, "target datalayout") ||
           has_line(s, "target triple") || has_line(s, "define "))
    code = "input.llvm", what = "this is LLVM IR, not TTIR";
  else if (has_line(s, "import ") || has_line(s, "from ") || has_line(s, "def ") || has_line(s, "@triton."))
    code = "input.python", what = "this is Python source, not TTIR",
    help = "compile the kernel and pass the .ttir file from Triton's cache; a reference for `assay check` is "
           "FILE.py:function";
  if (!code) return true;
  diagnostic_add(diagnostics, SEVERITY_ERROR, code, s, (Span){0, 0}, help, "%s", what);
  return false;
}

/* ---- the top level */

/* #name = loc(..) | attribute        !name = type */
bool parse_alias_definition(Parser *r) {
  bool type = r->lexer.token.kind == TOKEN_BANG;
  Name name = parser_name(r, 1);
  Span span = parser_span(r);
  lexer_next(&r->lexer);
  if (!parser_expect(r, '=')) return false;
  Alias *alias = parser_alias(r, name);
  if (alias->defined)
    return parser_error(r, "parse.redefined", span, NULL, "the alias `%s` is already defined",
                        intern_string(r->names, name));
  alias->defined = true;
  if (type) {
    TypeId id = parse_type(r);
    parser_alias(r, name)->type = id;
    return id != 0;
  }
  if (lexer_is_word(&r->lexer, "loc")) {
    LocId loc = 0;
    if (!parse_optional_loc(r, &loc)) return false;
    alias = parser_alias(r, name);
    if (!alias->loc)
      alias->loc = loc;
    else if (alias->loc != loc)
      r->p->locs.data[alias->loc] = r->p->locs.data[loc];
    return true;
  }
  AttrId attr = parse_attribute(r);
  parser_alias(r, name)->attr = attr;
  return attr != 0;
}

/* {-# dialect_resources: .. #-} after the module: nothing that we need. */
static bool skip_metadata(Parser *r) {
  const char *end = strstr(r->lexer.text + r->lexer.token.begin, "#-}");
  if (!end) return parser_error(r, "parse.end", parser_span(r), NULL, "this bracket is never closed");
  lexer_seek(&r->lexer, (uint32_t)(end + 3 - r->lexer.text));
  return true;
}

static void parse_top(Parser *r, BlockId top) {
  while (!r->stop && r->lexer.token.kind != TOKEN_END) {
    TokenKind kind = r->lexer.token.kind;
    uint32_t from = r->lexer.token.begin, errors = r->diagnostics->error_count;
    if (kind == TOKEN_HASH || kind == TOKEN_BANG)
      parse_alias_definition(r);
    else if (lexer_is(&r->lexer, '{') && !strncmp(r->lexer.text + from, "{-#", 3))
      skip_metadata(r);
    else if (kind == TOKEN_WORD || kind == TOKEN_STRING || kind == TOKEN_VALUE) {
      parse_op(r, top);
    } else {
      parser_expected(r, "a module or a function");
    }
    if (errors == r->diagnostics->error_count) continue;
    /* Go on at the next line that can begin something at the top. */
    if (r->lexer.token.begin == from) lexer_next(&r->lexer);
    while (r->lexer.token.kind != TOKEN_END &&
           !(r->lexer.token.first_on_line && (r->lexer.token.kind == TOKEN_HASH || lexer_is_word(&r->lexer, "module") ||
                                              lexer_is_word(&r->lexer, "tt.func"))))
      lexer_next(&r->lexer);
  }
}

/* The ops of a module op stand in the top block afterwards; only functions may stand there. */
static void flatten_modules(Parser *r, BlockId top) {
  Program *p = r->p;
  Array(OpId) flat = {0};
  const Block before = p->blocks.data[top];
  for (uint32_t i = 0; i < before.ops.count; i++) {
    const Op op = p->ops.data[before.ops.data[i]];
    if (op.code != OP_BUILTIN_MODULE) {
      array_push(r->arena, &flat, before.ops.data[i]);
      continue;
    }
    Op *module = &p->ops.data[p->module];
    module->attrs = op.attrs, module->attr_count = op.attr_count, module->loc = op.loc, module->span = op.span;
    if (!op.region_count || !p->regions.data[op.regions[0]].blocks.count) continue;
    Block *body = &p->blocks.data[p->regions.data[op.regions[0]].blocks.data[0]];
    for (uint32_t k = 0; k < body->ops.count; k++) {
      array_push(r->arena, &flat, body->ops.data[k]);
      p->ops.data[body->ops.data[k]].block = top;
    }
    body->ops.count = 0;
  }
  Block *block = &p->blocks.data[top];
  block->ops.data = flat.data, block->ops.count = flat.count, block->ops.capacity = flat.capacity;
  for (uint32_t i = 0; i < flat.count; i++)
    if (p->ops.data[flat.data[i]].code != OP_TT_FUNC)
      parser_error(r, "parse.top", p->ops.data[flat.data[i]].span, NULL, "only functions stand in a module");
}

static BlockId make_module(Parser *r) {
  Program *p = r->p;
  RegionId *regions = arena_array(r->arena, RegionId, 1);
  array_push(r->arena, &p->ops, (Op){.code = OP_BUILTIN_MODULE, .name = intern_text(r->names, "builtin.module")});
  p->module = p->ops.count - 1;
  *regions = region_new(r, p->module);
  p->ops.data[p->module].regions = regions;
  p->ops.data[p->module].region_count = 1;
  BlockId top = block_new(r, *regions, 0);
  array_push(r->arena, &p->regions.data[*regions].blocks, top);
  return top;
}

/* Locations are defined behind the module. A text with none of them is a part that somebody took out; with some, it is
 * cut off. */
static void check_locations(Parser *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->aliases.count; i++) any |= r->aliases.data[i].defined;
  for (uint32_t i = 0; i < r->aliases.count && any; i++) {
    const Alias *alias = &r->aliases.data[i];
    if (alias->defined || !alias->loc) continue;
    parser_error(r, "parse.undefined", alias->used, "is the end of the file missing?", "the alias `#%s` is not defined",
                 intern_string(r->names, alias->name));
    return;
  }
}

Program *read_triton(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics) {
  uint32_t errors = diagnostics->error_count;
  if (!recognise(source, diagnostics)) return NULL;
  Program *p = program_new(arena, names, source);
  Parser r;
  parser_init(&r, p, diagnostics);
  BlockId top = make_module(&r);
  parse_top(&r, top);
  if (diagnostics->error_count == errors) check_locations(&r);
  if (diagnostics->error_count == errors) flatten_modules(&r, top), program_note_host(p);
  if (diagnostics->error_count == errors && !p->functions.count)
    parser_error(&r, "input.no-function", (Span){0, 0}, "pass the .ttir file of a kernel", "the file has no function");
  if (diagnostics->error_count == errors && !program_check(p, diagnostics)) return NULL;
  if (diagnostics->error_count == errors) inline_calls(&r);
  return diagnostics->error_count == errors ? p : NULL;
}
