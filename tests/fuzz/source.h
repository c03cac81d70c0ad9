/* Any bytes as a source file: a program or diagnostics, within limits. A function that is refused says why, and what is
 * read is well formed: it prints. Nothing may crash, hang or leak. A target defines `read_input` and includes this. */
#ifndef ASSAY_FUZZ_SOURCE_H
#define ASSAY_FUZZ_SOURCE_H

#include "program/program.h"
#include "text.h"

static Program *read_input(Arena *arena, InternTable *names, const char *text, size_t size,
                           DiagnosticList *diagnostics);

static void run_text(Arena *arena, char *text, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  intern_init(&names, arena);
  diagnostic_list_init(&diagnostics, arena);
  Program *program = read_input(arena, &names, text, size, &diagnostics);
  show(arena, &diagnostics);
  if (!program != (diagnostics.error_count > 0)) fail("a refusal says why, and an answer has no errors", NULL);
  if (!program) return;
  if (!program_check(program, &diagnostics)) {
    show(arena, &diagnostics);
    fail("what is read is not well formed", NULL);
  }
  for (uint32_t i = 0; i < program->refusals.count; i++) {
    if (!program->refusals.data[i].why->error_count) fail("a function is refused without a reason", NULL);
    show(arena, program->refusals.data[i].why);
  }
  Text printed = text_new(arena);
  program_print(program, &printed);
}

#endif
