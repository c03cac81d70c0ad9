/* Shared by the tests of the reader: a context of its own for one text. */
#ifndef TESTS_READ_HELPER_H
#define TESTS_READ_HELPER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/mlir/read.h"

typedef struct Reading {
  Guard guard;
  Arena arena;
  InternTable names;
  DiagnosticList diagnostics;
  Program *program;
} Reading;

/* False when the guard was thrown; the arena is to be destroyed in every case. */
static inline bool reading_begin(Reading *r, const char *name, const char *text, size_t size, size_t limit,
                                 uint64_t fail_at) {
  memset(r, 0, sizeof *r);
  guard_init(&r->guard, limit, 60);
  r->guard.fail_at = fail_at;
  arena_init(&r->arena, &r->guard);
  if (setjmp(r->guard.escape)) return false;
  intern_init(&r->names, &r->arena);
  diagnostic_list_init(&r->diagnostics, &r->arena);
  Source *source = source_new(&r->arena, name, text, size);
  r->program = read_triton(&r->arena, &r->names, source, &r->diagnostics);
  return true;
}

static inline const char *reading_print(Reading *r) {
  Text out = text_new(&r->arena);
  program_print(r->program, &out);
  return text_string(&out);
}

static inline const char *reading_errors(Reading *r) {
  Text out = text_new(&r->arena);
  for (uint32_t i = 0; i < r->diagnostics.items.count; i++)
    diagnostic_render(&r->diagnostics.items.data[i], &r->arena, &out, 0);
  return text_string(&out);
}

static inline char *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  size_t room = 0;
  *size = 0;
  do {
    room += 1 << 16;
    text = realloc(text, room + 1);
    *size += fread(text + *size, 1, room - *size, file);
  } while (*size == room);
  fclose(file);
  text[*size] = 0;
  return text;
}

#endif
