/* assay-interpret: runs one launch of a .ttir file in the concrete interpreter, for tests.
 *
 *   assay-interpret [options] FILE.ttir LAUNCH DATA OUT
 *
 * LAUNCH is text, a line for each thing:
 *
 *   kernel NAME             (optional; else the first public function)
 *   grid X Y Z
 *   buffer TYPE COUNT       f32, bf16, i1, i32, ptr, ..; elements lie one buffer after another in DATA, little-endian
 *   address BUFFER OFFSET   the arguments in order; OFFSET in elements
 *   integer VALUE
 *   real VALUE
 *   descriptor BUFFER OFFSET RANK SHAPE.. STRIDES..
 *
 * OUT gets the buffers afterwards, in the same form, then a byte for each element: 1 written, 2 undefined. With
 * --exact-reals float elements of OUT are doubles. Standard output gets a JSON object: status, findings, totals.
 * Options: --exact-reals, --sparse, --no-races, --order forward|backward|permuted, --seed N, --fold tree|left|right,
 * --undefined VALUE, --step-limit N, --first N, --count N, --memory MIB, --seconds S. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/interpret.h"
#include "read/mlir/read.h"

typedef struct Launch {
  const char *kernel;
  int32_t grid[3];
  Array(InterpretBuffer) buffers;
  Array(InterpretArgument) arguments;
} Launch;

static _Noreturn void fail(const char *what, const char *which) {
  fprintf(stderr, "assay-interpret: %s %s\n", what, which);
  exit(3);
}

static char *load_file(Arena *arena, const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot open", path);
  fseek(file, 0, SEEK_END);
  long end = ftell(file);
  rewind(file);
  char *text = arena_alloc(arena, (size_t)(end > 0 ? end : 0) + 1);
  *size = fread(text, 1, (size_t)(end > 0 ? end : 0), file);
  fclose(file);
  return text;
}

static TypeId type_named(Program *program, const char *name) {
  if (name[0] == 'i' && strspn(name + 1, "0123456789") == strlen(name + 1))
    return program_type_int(program, (uint32_t)atoi(name + 1));
  if (!strcmp(name, "ptr")) return program_type_pointer(program, program_type_int(program, 8));
  for (FloatFormat f = 0; f < FLOAT_FORMAT_COUNT; f++)
    if (!strcmp(name, program_float_name(f))) return program_type_float(program, f);
  fail("no such type:", name);
}

static int64_t next_integer(char **rest) { return strtoll(*rest, rest, 0); }

static const int64_t *next_list(Arena *arena, char **rest, int64_t count) {
  int64_t *list = arena_array(arena, int64_t, count + 1);
  for (int64_t i = 0; i < count; i++) list[i] = next_integer(rest);
  return list;
}

static void read_buffer(Arena *arena, Program *program, Launch *launch, char *rest, const char **data,
                        const char *end) {
  char type[32];
  int used = 0;
  if (sscanf(rest, "%31s %n", type, &used) != 1) fail("bad line: buffer", rest);
  rest += used;
  InterpretBuffer buffer = {.element = type_named(program, type), .count = next_integer(&rest)};
  size_t size = interpret_element_size(program, buffer.element);
  if (buffer.count < 0 || (size_t)(end - *data) / size < (size_t)buffer.count) fail("too few bytes for", type);
  buffer.cells = arena_array(arena, InterpretCell, buffer.count + 1);
  interpret_decode(program, buffer.element, *data, buffer.count, buffer.cells);
  *data += (size_t)buffer.count * size;
  array_push(arena, &launch->buffers, buffer);
}

static void read_line(Arena *arena, Program *program, Launch *launch, char *line, const char **data, const char *end) {
  char *rest = line + strcspn(line, " ");
  if (*rest) *rest++ = 0;
  InterpretArgument argument = {.kind = INTERPRET_ADDRESS};
  if (!*line) return;
  if (!strcmp(line, "kernel")) {
    launch->kernel = rest;
    return;
  }
  if (!strcmp(line, "grid")) {
    for (int d = 0; d < 3; d++) launch->grid[d] = (int32_t)next_integer(&rest);
    return;
  }
  if (!strcmp(line, "buffer")) {
    read_buffer(arena, program, launch, rest, data, end);
    return;
  }
  if (!strcmp(line, "address") || !strcmp(line, "descriptor")) {
    argument.buffer = (uint32_t)next_integer(&rest);
    argument.offset = next_integer(&rest);
    if (*line == 'd') {
      int64_t rank = next_integer(&rest);
      argument.kind = INTERPRET_DESCRIPTOR;
      argument.shape = next_list(arena, &rest, rank);
      argument.strides = next_list(arena, &rest, rank);
    }
  } else if (!strcmp(line, "integer")) {
    argument.kind = INTERPRET_INTEGER;
    argument.integer = *rest == '-' ? strtoll(rest, NULL, 0) : (int64_t)strtoull(rest, NULL, 0);
  } else if (!strcmp(line, "real")) {
    argument.kind = INTERPRET_REAL;
    argument.real = strtod(rest, NULL);
  } else {
    fail("bad line:", line);
  }
  array_push(arena, &launch->arguments, argument);
}

static void print_result(const Program *program, const InterpretResult *result) {
  printf(
      "{\"status\": \"%s\", \"message\": \"%s\", \"op\": \"%s\", \"programs\": %lld, \"steps\": %llu,\n \"totals\": {",
      interpret_status_name(result->status), result->message ? result->message : "",
      result->op ? intern_string(program->names, program_get_op(program, result->op)->name) : "",
      (long long)result->programs, (unsigned long long)result->steps);
  const char *comma = "";
  for (InterpretFindingKind k = 0; k < INTERPRET_FINDING_KINDS; k++) {
    if (!result->totals[k]) continue;
    printf("%s\"%s\": %llu", comma, interpret_finding_name(k), (unsigned long long)result->totals[k]);
    comma = ", ";
  }
  printf("},\n \"findings\": [");
  for (uint32_t i = 0; i < result->findings.count; i++) {
    const InterpretFinding *f = &result->findings.data[i];
    const Op *op = program_get_op(program, f->op);
    const char *file = "";
    uint32_t line = 0, column = 0;
    program_op_line(program, op->loc, &file, &line, &column);
    printf("%s\n  {\"kind\": \"%s\", \"op\": \"%s\", \"line\": %u, \"program\": [%d, %d, %d], \"lane\": %lld, "
           "\"buffer\": %d, "
           "\"element\": %lld, \"a\": %lld, \"b\": %lld, \"other\": %lld, \"times\": %llu}",
           i ? "," : "", interpret_finding_name(f->kind), intern_string(program->names, op->name), line, f->program[0],
           f->program[1], f->program[2], (long long)f->lane, f->buffer, (long long)f->element, (long long)f->a,
           (long long)f->b, (long long)f->other, (unsigned long long)f->times);
  }
  printf("]}\n");
}

static void write_out(Arena *arena, const Program *program, const Launch *launch, bool doubles, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) fail("cannot write", path);
  for (uint32_t b = 0; b < launch->buffers.count; b++) {
    const InterpretBuffer *buffer = &launch->buffers.data[b];
    size_t size = interpret_element_size(program, buffer->element), count = (size_t)buffer->count;
    bool real = doubles && program_get_type(program, buffer->element)->kind == TYPE_FLOAT;
    char *bytes = arena_alloc(arena, count * 8 + 1);
    if (real)
      fwrite(buffer->cells, 8, count, file);
    else
      interpret_encode(program, buffer->element, buffer->cells, buffer->count, bytes);
    if (!real) fwrite(bytes, size, count, file);
  }
  for (uint32_t b = 0; b < launch->buffers.count; b++) {
    const InterpretBuffer *buffer = &launch->buffers.data[b];
    char *none = buffer->shadow ? NULL : arena_alloc(arena, (size_t)buffer->count + 1);
    fwrite(none ? none : (const char *)buffer->shadow, 1, (size_t)buffer->count, file);
  }
  if (fclose(file)) fail("cannot write", path);
}

static int word_of(const char *value, const char *const *words, int count, const char *option) {
  for (int i = 0; i < count; i++)
    if (!strcmp(value, words[i])) return i;
  fail("bad value of", option);
}

typedef struct Setup {
  InterpretOptions options;
  size_t memory;
  double seconds;
  const char *paths[4];
} Setup;

static void read_option(Setup *setup, const char *name, const char *value) {
  static const char *const orders[] = {"forward", "backward", "permuted"}, *const folds[] = {"tree", "left", "right"};
  InterpretOptions *o = &setup->options;
  if (!strcmp(name, "--order"))
    o->order = (InterpretOrder)word_of(value, orders, 3, name);
  else if (!strcmp(name, "--fold"))
    o->fold = (InterpretFold)word_of(value, folds, 3, name);
  else if (!strcmp(name, "--seed"))
    o->seed = strtoull(value, NULL, 0);
  else if (!strcmp(name, "--undefined"))
    o->undefined_value = strtod(value, NULL);
  else if (!strcmp(name, "--step-limit"))
    o->step_limit = strtoull(value, NULL, 0);
  else if (!strcmp(name, "--first"))
    o->first = strtoll(value, NULL, 0);
  else if (!strcmp(name, "--count"))
    o->count = strtoll(value, NULL, 0);
  else if (!strcmp(name, "--memory"))
    setup->memory = (size_t)strtoull(value, NULL, 0) << 20;
  else if (!strcmp(name, "--seconds"))
    setup->seconds = strtod(value, NULL);
  else
    fail("no such option:", name);
}

static Setup read_command_line(int argc, char **argv) {
  Setup setup = {.memory = (size_t)4 << 30, .seconds = 600};
  int paths = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--exact-reals"))
      setup.options.exact_reals = true;
    else if (!strcmp(argv[i], "--no-races"))
      setup.options.no_races = true;
    else if (!strcmp(argv[i], "--sparse"))
      setup.options.sparse = true;
    else if (argv[i][0] == '-' && argv[i][1] == '-' && i + 1 < argc)
      read_option(&setup, argv[i], argv[i + 1]), i++;
    else if (paths < 4)
      setup.paths[paths++] = argv[i];
    else
      fail("too many arguments:", argv[i]);
  }
  if (paths != 4) fail("usage:", "assay-interpret [options] FILE.ttir LAUNCH DATA OUT");
  return setup;
}

static Program *read_program_file(Arena *arena, const char *path) {
  size_t size;
  char *text = load_file(arena, path, &size);
  InternTable *names = arena_new(arena, InternTable);
  DiagnosticList diagnostics;
  intern_init(names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Program *program = read_triton(arena, names, source_new(arena, path, text, size), &diagnostics);
  if (program && !diagnostics.error_count) return program;
  Text out = text_new(arena);
  for (uint32_t i = 0; i < diagnostics.items.count; i++) diagnostic_render(&diagnostics.items.data[i], arena, &out, 0);
  fail("cannot read the program\n", text_string(&out));
}

static const Function *find_kernel(const Program *program, const char *name) {
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const Function *f = &program->functions.data[i];
    if (name ? !strcmp(name, intern_string(program->names, f->name)) : f->is_public) return f;
  }
  fail("no such kernel:", name ? name : "(none is public)");
}

static int run(Arena *arena, Setup *setup) {
  Program *program = read_program_file(arena, setup->paths[0]);
  size_t size, data_size;
  char *text = load_file(arena, setup->paths[1], &size);
  const char *data = load_file(arena, setup->paths[2], &data_size), *end = data + data_size;
  Launch launch = {.grid = {1, 1, 1}};
  for (char *line = text, *next; line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    read_line(arena, program, &launch, line, &data, end);
  }
  InterpretResult result;
  interpret_launch(arena, program, find_kernel(program, launch.kernel), launch.grid, launch.buffers.data,
                   launch.buffers.count, launch.arguments.data, launch.arguments.count, &setup->options, &result);
  write_out(arena, program, &launch, setup->options.exact_reals, setup->paths[3]);
  print_result(program, &result);
  return result.status == INTERPRET_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  Setup setup = read_command_line(argc, argv);
  Guard guard;
  Arena arena;
  guard_init(&guard, setup.memory, setup.seconds);
  arena_init(&arena, &guard);
  if (setjmp(guard.escape)) fail("gave up:", guard.message);
  int status = run(&arena, &setup);
  arena_destroy(&arena);
  return status;
}
