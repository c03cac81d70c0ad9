/* Any bytes as Triton IR: a program or diagnostics, within limits; what is printed of a program reads again and prints
 * the same. Nothing may crash, hang or leak. Golden tests of the reader are good inputs: only their input counts. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"
#include "program/program.h"
#include "read/mlir/read.h"

static const char *input; /* shown with a failure, since a run of mutants has no file */

static void fail(const char *what, const char *text) {
  fprintf(stderr, "%s\nfuzz_triton: %s\n%s\n", input, what, text ? text : "");
  abort();
}

static void check_print(Arena *arena, InternTable *names, const Program *program) {
  Text first = text_new(arena), second = text_new(arena);
  program_print(program, &first);
  DiagnosticList diagnostics;
  diagnostic_list_init(&diagnostics, arena);
  Program *again =
      read_triton(arena, names, source_new(arena, "printed.ttir", text_string(&first), first.count), &diagnostics);
  if (!again) fail("what was printed does not read", text_string(&first));
  program_print(again, &second);
  if (strcmp(text_string(&first), text_string(&second)) != 0)
    fail("printing is not a fixed point", text_string(&first));
}

static void read_and_print(Arena *arena, const char *text, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  intern_init(&names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Program *program = read_triton(arena, &names, source_new(arena, "fuzz.ttir", text, size), &diagnostics);
  Text shown = text_new(arena);
  for (uint32_t i = 0; i < diagnostics.items.count; i++)
    diagnostic_render(&diagnostics.items.data[i], arena, &shown, i & 1);
  if (!program != (diagnostics.error_count > 0))
    fail("a refusal says why, and an answer has no errors", text_string(&shown));
  if (program) check_print(arena, &names, program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Guard guard;
  static Arena arena;
  char *text = malloc(size + 1); /* of its exact size, so that reading beyond it is found */
  if (!text) return 0;
  memcpy(text, data, size);
  size = mutate_strip_golden((uint8_t *)text, size);
  text[size] = 0;
  input = text;
  guard_init(&guard, (size_t)256 << 20, 5);
  arena_init(&arena, &guard);
  if (!setjmp(guard.escape))
    read_and_print(&arena, text, size);
  else if (guard.reason == GUARD_INTERNAL)
    fail(guard.message, NULL);
  arena_destroy(&arena);
  if (guard.bytes) fail("memory is kept", NULL);
  free(text);
  return 0;
}
