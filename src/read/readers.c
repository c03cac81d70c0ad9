/* Which reader an input goes to.
 *
 * The table is in the order in which texts are asked for; its last row takes what no other row does. A language is
 * added by a folder of its own beside mlir/ and a row here: nothing else asks how an input is written. */
#include "read/readers.h"

#include <string.h>

#include "read/c/read.h"
#include "read/effects.h"
#include "read/formula/formula.h"
#include "read/mlir/read.h"
#include "read/python/read.h"

static Program *read_mlir(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                          DiagnosticList *diagnostics) {
  (void)options;
  return read_triton(arena, names, source, diagnostics);
}

static Program *read_functions(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                               DiagnosticList *diagnostics) {
  (void)options;
  return read_dialects(arena, names, source, diagnostics);
}

static Program *read_stage(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                           DiagnosticList *diagnostics) {
  (void)options;
  return read_effects(arena, names, source, diagnostics);
}

static const Reader readers[] = {
    {"formula", "", formula_is_one, NULL, false, false, false},
    {"effects", "", effects_are_one, read_stage, false, false, false},
    {"C and C++", ".c.h.cc.cpp.cxx.hpp", NULL, read_c, true, true, false},
    {"Python", ".py", NULL, read_python, true, true, false},
    {"MLIR", "", mlir_is_one, read_functions, false, false, true},
    {"MLIR", ".mlir.ttir", NULL, read_mlir, false, true, false}, /* Triton IR */
};

enum { READERS = sizeof readers / sizeof *readers };

static bool has_suffix(const Reader *reader, const char *name) {
  const char *dot = strrchr(name, '.');
  size_t length = dot ? strlen(dot) : 0;
  for (const char *at = reader->suffixes; length > 1 && (at = strstr(at, dot)); at++)
    if (!at[length] || at[length] == '.') return true;
  return false;
}

bool read_is_opaque(const ReadOptions *options, const char *name) {
  for (uint32_t i = 0; i < options->opaque_count; i++)
    if (!strcmp(options->opaque[i], name)) return true;
  return false;
}

bool reader_is_source(const char *name) {
  for (size_t i = 0; i < READERS; i++)
    if (readers[i].is_source && has_suffix(&readers[i], name)) return true;
  return false;
}

bool reader_has_functions(const char *name) {
  for (size_t i = 0; i < READERS; i++)
    if (readers[i].has_functions && has_suffix(&readers[i], name)) return true;
  return false;
}

const Reader *reader_of(const Source *source) {
  for (size_t i = 0; i < READERS; i++)
    if (readers[i].is_source && has_suffix(&readers[i], source->name)) return &readers[i];
  for (size_t i = 0; i < READERS; i++)
    if (readers[i].is_one && readers[i].is_one(source)) return &readers[i];
  for (size_t i = 0; i < READERS; i++)
    if (has_suffix(&readers[i], source->name)) return &readers[i];
  return &readers[READERS - 1];
}

Program *read_program(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                      DiagnosticList *diagnostics) {
  const Reader *reader = reader_of(source);
  if (!reader->read) reader = &readers[READERS - 1];
  Program *program = reader->read(arena, names, source, options ? options : &(ReadOptions){0}, diagnostics);
  if (program && program->is_host) program_check_each(program); /* what a reader of ours has made */
  return program;
}

Program *read_again(Arena *arena, const Program *program, DiagnosticList *diagnostics) {
  Text text = text_new(arena);
  program_print(program, &text);
  Source *source = source_new(arena, program->source->name, text_string(&text), text.count);
  return read_triton(arena, program->names, source, diagnostics);
}
