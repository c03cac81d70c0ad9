/* The front end: from inputs and options to an Operation and Options (src/pipeline.h).
 *
 * It reads files and folders, tells programs from operation files and traces, reads the programs, and checks what
 * can be checked before any kernel is executed. What it finds wrong becomes diagnostics: codes `usage.*` are usage
 * errors, all others are bad input. Failures of the arena unwind to its guard; `front_close` then releases what the
 * operating system lent. */
#ifndef ASSAY_FRONT_FRONT_H
#define ASSAY_FRONT_FRONT_H

#include <stdbool.h>

#include "assay/assay.h"
#include "operation/request.h"
#include "report/types.h"
#include "program/program.h"

typedef enum InputKind { INPUT_PROGRAM, INPUT_FORMULA, INPUT_OPERATION, INPUT_TRACE } InputKind;

/* One file that was read; kept from call to call, so that many kernels of one file cost one read. */
typedef struct FrontFile {
  const char *name;     /* to be shown */
  const char *function; /* of FILE.cc:FUNCTION; NULL: none was named */
  Source *source;
  InputKind kind;
  Program *program; /* of INPUT_PROGRAM; NULL before front_read_program and after a failure */
  bool is_read;
} FrontFile;

typedef struct Front {
  Arena *arena; /* for the operation, the options and diagnostics */
  DiagnosticList *diagnostics;
  const AssayOptions *options;
  int fd;    /* an open file, or -1 */
  void *dir; /* an open folder, or NULL */
} Front;

typedef Array(AssayInput) InputList;
typedef Array(FrontFile *) FileList;
typedef Array(ReportPair) PairList;

void front_init(Front *front, Arena *arena, DiagnosticList *diagnostics, const AssayOptions *options);
void front_close(Front *front);
/* A usage error. */
void front_usage(Front *front, const char *code, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- files.c ---- */

/* A name as it may be shown: valid UTF-8 without control characters. */
const char *front_plain(Arena *arena, const char *string);
/* Replaces folders by the .ttir files in them, sorted by path. */
void front_expand(Front *front, const AssayInput *inputs, size_t count, InputList *out);
/* FILE.cc of FILE.cc:FUNCTION, whose name goes to `function`; else the path, and NULL. */
const char *front_split_function(Arena *arena, const char *path, const char **function);
/* The text of a file, with a NUL behind it; NULL and a diagnostic if it cannot be read. */
char *front_read_path(Front *front, Arena *arena, const char *path, size_t *size);
/* Reads one file into `arena`; NULL and a diagnostic if it cannot be read. */
FrontFile *front_read_file(Front *front, Arena *arena, const AssayInput *input);
/* True if the function of a Python file loops. */
bool front_has_loops(Front *front, Source *source, const char *function);
/* Reads the program of a file, once. NULL if it has errors. */
Program *front_read_program(Front *front, Arena *arena, FrontFile *file);
/* The public functions of a program. */
/* with_loops: those alone that have loops in their source. */
void front_public_names(Arena *arena, const Program *program, bool with_loops, NameList *out);
/* `name` beside the file `beside`, unless it is absolute. */
const char *front_relative_path(Arena *arena, const char *beside, const char *name);

/* ---- mirage.c: Mirage's JSON graphs ---- */

bool front_is_mirage(const Source *source);
/* The graph as text (docs/graph.md); of several, the one that --kernel I names. NULL after diagnostics. */
Source *front_read_mirage(Front *front, Arena *arena, const Source *source);

/* ---- metadata.c ---- */

/* What the .json beside a file tells; warnings if it is broken. */
void front_read_metadata(Front *front, const FrontFile *file, const AssayInput *input, PairList *out);

/* ---- operation.c, trace.c: both leave `operation` half filled and diagnostics on an error ---- */

void front_read_operation(Front *front, FrontFile *file, const FileList *given, Operation *operation);
void front_read_trace(Front *front, FrontFile *file, const FileList *given, Operation *operation);
/* The kernels that a trace launches or compiles, each once, in order. */
void front_trace_names(Front *front, FrontFile *file, NameList *out);

/* ---- options.c ---- */

/* The operation that the files stand for; NULL if there are errors. */
Operation *front_operation(Front *front, const FileList *files, FrontFile *launch);
/* The options of the pipeline; NULL if there are errors. */
Options *front_options(Front *front);
/* The same for `optimize`, which has emitters and devices of its own. */
Options *front_optimize_options(Front *front);
/* The suffix of an emitter, or NULL if there is none of that name. */
const char *front_emitter_suffix(const char *name);

#endif
