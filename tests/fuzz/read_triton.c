/* Fuzz target of the Triton IR reader: any bytes give a program or diagnostics, within 256 MB; what is printed of a
 * program reads again and prints the same.
 *
 * With libFuzzer:   clang -fsanitize=fuzzer,address,undefined .. read_triton.c
 * Without:          compile with -DASSAY_FUZZ_REPLAY; the program then replays the files that are its arguments, and
 *                   `--mutate N SEED FILE...` runs N mutants of them (bytes changed, pieces removed, doubled, joined).
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "read/mlir/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *text) {
  fprintf(stderr, "read_triton: %s\n%s\n", what, text ? text : "");
  abort();
}

static void check_print(Arena *arena, InternTable *names, const Program *p) {
  Text first = text_new(arena), second = text_new(arena);
  program_print(p, &first);
  DiagnosticList diagnostics;
  diagnostic_list_init(&diagnostics, arena);
  Source *source = source_new(arena, "printed", text_string(&first), first.count);
  Program *again = read_triton(arena, names, source, &diagnostics);
  if (!again) fail("what was printed does not read", text_string(&first));
  program_print(again, &second);
  if (strcmp(text_string(&first), text_string(&second)) != 0)
    fail("printing is not a fixed point", text_string(&first));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  Guard guard;
  Arena arena;
  guard_init(&guard, 256 << 20, 20);
  arena_init(&arena, &guard);
  if (!setjmp(guard.escape)) {
    InternTable names;
    DiagnosticList diagnostics;
    intern_init(&names, &arena);
    diagnostic_list_init(&diagnostics, &arena);
    Program *p = read_triton(&arena, &names, source_new(&arena, "fuzz", text, size), &diagnostics);
    Text out = text_new(&arena);
    for (uint32_t i = 0; i < diagnostics.items.count; i++)
      diagnostic_render(&diagnostics.items.data[i], &arena, &out, 0);
    if (!p && !diagnostics.items.count) fail("neither a program nor a diagnostic", NULL);
    if (p) check_print(&arena, &names, p);
  } else if (guard.reason == GUARD_INTERNAL) {
    fail(guard.message, NULL);
  }
  arena_destroy(&arena);
  free(text);
  return 0;
}

#ifdef ASSAY_FUZZ_REPLAY
typedef struct File {
  uint8_t *data;
  size_t size;
} File;

/* Of a golden test only the input. */
static void strip_golden(File *file) {
  static const char marker[] = "\n---- expected\n";
  if (file->size < 5 || memcmp(file->data, "run: ", 5) != 0) return;
  uint8_t *line = memchr(file->data, '\n', file->size);
  uint8_t *end = memmem(file->data, file->size, marker, sizeof marker - 1);
  if (end) file->size = (size_t)(end + 1 - file->data);
  if (!line) return;
  size_t skip = (size_t)(line + 1 - file->data);
  memmove(file->data, line + 1, file->size -= skip);
}

static File read_file(const char *path) {
  File file = {malloc(1 << 20), 0};
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    exit(1);
  }
  file.size = fread(file.data, 1, 1 << 20, in);
  fclose(in);
  strip_golden(&file);
  return file;
}

static size_t mutate(Random *random, const File *files, uint64_t count, uint8_t *out, size_t room) {
  static const char bytes[] = "%#^@!<>(){}[]:,=\"-.x0198 \nabit*+\x80";
  const File *file = &files[random_below(random, count)];
  size_t size = file->size < room / 2 ? file->size : room / 2;
  memcpy(out, file->data, size);
  for (uint64_t k = random_below(random, 5) + 1; k && size > 1; k--) {
    size_t at = (size_t)random_below(random, size),
           length = (size_t)random_below(random, size - at < 64 ? size - at : 64);
    const File *other = &files[random_below(random, count)];
    switch (random_below(random, 5)) {
    case 0: out[at] = (uint8_t)bytes[random_below(random, sizeof bytes - 1)]; break;
    case 1: memmove(out + at, out + at + length, size - at - length), size -= length; break;
    case 2: memmove(out + at + length, out + at, size - at), size += length; break;
    case 3:
      if (other->size > length) memcpy(out + at, other->data + random_below(random, other->size - length), length);
      break;
    case 4:
      if (random_below(random, 8) == 0) size = at + 1;
      break;
    }
  }
  return size;
}

int main(int argc, char **argv) {
  bool mutating = argc > 4 && !strcmp(argv[1], "--mutate");
  int first = mutating ? 4 : 1;
  uint64_t count = (uint64_t)(argc - first), runs = mutating ? strtoull(argv[2], NULL, 10) : 0;
  if (argc <= first) return 0;
  File *files = calloc(count, sizeof *files);
  for (uint64_t i = 0; i < count; i++) {
    files[i] = read_file(argv[first + (int)i]);
    LLVMFuzzerTestOneInput(files[i].data, files[i].size);
  }
  Random random = {mutating ? strtoull(argv[3], NULL, 10) : 0};
  uint8_t *buffer = malloc(1 << 17);
  for (uint64_t i = 0; i < runs; i++) LLVMFuzzerTestOneInput(buffer, mutate(&random, files, count, buffer, 1 << 17));
  printf("%llu files, %llu mutants\n", (unsigned long long)count, (unsigned long long)runs);
  for (uint64_t i = 0; i < count; i++) free(files[i].data);
  free(files), free(buffer);
  return 0;
}
#endif
