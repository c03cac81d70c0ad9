/* Readers: one row for each language that inputs are written in. */
#ifndef ASSAY_READ_READERS_H
#define ASSAY_READ_READERS_H

#include "program/program.h"
#include "read/options.h"

typedef struct Reader {
  const char *language;
  const char *suffixes; /* ".a.b": those that its files have; "" none */
  /* True if the text says by itself that it is of this language. NULL: no text does. */
  bool (*is_one)(const Source *source);
  /* NULL and diagnostics on errors. No function: the text is a claim already, and nothing is executed
   * (formula/lift_formula.h). */
  Program *(*read)(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                   DiagnosticList *diagnostics);
  bool is_source;      /* the suffix alone says what the file is */
  bool has_functions;  /* FILE:FUNCTION names one */
  bool is_of_dialects; /* what is read is MLIR, which mlir/ executes, and no kernel (function/function.h) */
} Reader;

/* By content, then by suffix; a text that nothing is known of goes to MLIR, whose reader says what else it may be. */
const Reader *reader_of(const Source *source);
/* Of a file of that name. */
bool reader_is_source(const char *name);
bool reader_has_functions(const char *name);
/* The program of a text, by its reader (options NULL: none); a claim is none, and MLIR's reader says so. */
Program *read_program(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                      DiagnosticList *diagnostics);

/* The program of a kernel as its own text has it, where operations stand in the order of their numbers, also those that
 * calls have become. */
Program *read_again(Arena *arena, const Program *program, DiagnosticList *diagnostics);

#endif
