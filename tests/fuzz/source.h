/* Any bytes as a source file: a program or diagnostics, within limits. A function that is refused says why, and what is
 * read is well formed: it prints. Nothing may crash, hang or leak. A target defines `read_input` and includes this. */
#ifndef ASSAY_FUZZ_SOURCE_H
#define ASSAY_FUZZ_SOURCE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"
#include "program/program.h"

static const char *input; /* shown with a failure, since a run of mutants has no file */

static void fail(const char *what, const char *text) {
  fprintf(stderr, "%s\nfuzz: %s\n%s\n", input, what, text ? text : "");
  abort();
}

static void show(Arena *arena, const DiagnosticList *diagnostics) {
  Text shown = text_new(arena);
  for (uint32_t i = 0; i < diagnostics->items.count; i++)
    diagnostic_render(&diagnostics->items.data[i], arena, &shown, i & 1);
}

static Program *read_input(Arena *arena, InternTable *names, const char *text, size_t size,
                           DiagnosticList *diagnostics);

static void read_and_print(Arena *arena, const char *text, size_t size) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Guard guard;
  static Arena arena;
  char *text = malloc(size + 1); /* of its exact size, so that reading beyond it is found */
  if (!text) return 0;
  memcpy(text, data, size);
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

#endif
