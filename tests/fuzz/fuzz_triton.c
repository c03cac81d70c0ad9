/* Any bytes as Triton IR: read, and if it is well-formed printed and read back. Nothing may crash, hang or leak. */
#include <stdlib.h>

#include "program/program.h"
#include "read/read.h"

static void read_and_print(Arena *arena, const uint8_t *data, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  intern_init(&names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Source *source = source_new(arena, "fuzz.ttir", arena_copy(arena, (const char *)data, size), size);
  Program *program = read_triton(arena, &names, source, &diagnostics);
  if (!program && !diagnostics.error_count) abort(); /* a refusal says why */
  Text text = text_new(arena);
  for (uint32_t i = 0; i < diagnostics.items.count; i++) diagnostic_render(&diagnostics.items.data[i], arena, &text, 1);
  if (!program || diagnostics.error_count) return;
  text.count = 0;
  program_print(program, &text);
  Source *printed = source_new(arena, "printed.ttir", text_string(&text), text.count);
  if (!read_triton(arena, &names, printed, &diagnostics)) abort(); /* what we print, we read */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Guard guard;
  static Arena arena;
  guard_init(&guard, (size_t)256 << 20, 5);
  arena_init(&arena, &guard);
  if (!setjmp(guard.escape)) read_and_print(&arena, data, size);
  arena_destroy(&arena);
  if (guard.bytes) abort();
  return 0;
}
