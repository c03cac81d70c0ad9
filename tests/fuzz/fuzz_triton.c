/* Any bytes as Triton IR: a program or diagnostics, within limits; what is printed of a program reads again and prints
 * the same. Nothing may crash, hang or leak. Golden tests of the reader are good inputs: only their input counts. */
#include "program/program.h"
#include "read/mlir/read.h"
#include "text.h"

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

static void run_text(Arena *arena, char *text, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  size = mutate_strip_golden((uint8_t *)text, size);
  text[size] = 0;
  intern_init(&names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Program *program = read_triton(arena, &names, source_new(arena, "fuzz.ttir", text, size), &diagnostics);
  const char *shown = show(arena, &diagnostics);
  if (!program != (diagnostics.error_count > 0)) fail("a refusal says why, and an answer has no errors", shown);
  if (program) check_print(arena, &names, program);
}
