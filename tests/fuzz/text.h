/* A text in an arena of its own, within limits: what the targets of readers share. Nothing may crash, hang or leak. A
 * target defines `run_text` and includes this. */
#ifndef ASSAY_FUZZ_TEXT_H
#define ASSAY_FUZZ_TEXT_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/source.h"
#include "mutate.h"

static const char *input; /* shown with a failure, since a run of mutants has no file */

static void fail(const char *what, const char *text) {
  fprintf(stderr, "%s\nfuzz: %s\n%s\n", input, what, text ? text : "");
  abort();
}

/* The diagnostics as text. */
static const char *show(Arena *arena, const DiagnosticList *diagnostics) {
  Text shown = text_new(arena);
  for (uint32_t i = 0; i < diagnostics->items.count; i++)
    diagnostic_render(&diagnostics->items.data[i], arena, &shown, i & 1);
  return text_string(&shown);
}

static void run_text(Arena *arena, char *text, size_t size);

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
    run_text(&arena, text, size);
  else if (guard.reason == GUARD_INTERNAL)
    fail(guard.message, NULL);
  arena_destroy(&arena);
  if (guard.bytes) fail("memory is kept", NULL);
  free(text);
  return 0;
}

#endif
