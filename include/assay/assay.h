/* Assay tells what a tensor kernel computes.
 *
 * The whole public C API. Handles are opaque; functions return a status and give their result through `out`, the
 * first parameter; nothing prints, exits or keeps global state. Use one context per thread.
 *
 *   AssayContext *context;
 *   AssayResult *result;
 *   AssayOptions options = ASSAY_OPTIONS_INIT;
 *   AssayInput input = {.path = "softmax.ttir"};
 *   if (assay_context_new(&context) != ASSAY_OK) return 1;
 *   assay_lift(&result, context, &input, 1, &options);
 *   if (result) puts(assay_result_text(result, 0));
 *   assay_context_free(context);
 *
 * Every text that a function returns is UTF-8, belongs to the handle it was asked of, and lives as long as it. */
#ifndef ASSAY_ASSAY_H
#define ASSAY_ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASSAY_API __attribute__((visibility("default")))
#else
#define ASSAY_API
#endif

typedef struct AssayContext AssayContext;
typedef struct AssayResult AssayResult;

typedef enum AssayStatus {
  ASSAY_OK = 0,    /* there is an answer: see the verdict */
  ASSAY_BAD_INPUT, /* see the diagnostics; no verdict */
  ASSAY_USAGE,     /* the call or its options make no sense; see the diagnostics */
  ASSAY_MEMORY,    /* the memory limit was reached: verdict unknown, code "memory" */
  ASSAY_TIMEOUT,   /* the time limit was reached: verdict unknown, code "timeout" */
  ASSAY_LIMIT,     /* a fixed limit was reached: verdict unknown, code "limit" */
  ASSAY_INTERNAL,  /* a bug in Assay: verdict unknown, code "internal" */
} AssayStatus;

typedef enum AssayVerdict {
  ASSAY_NONE = 0, /* bad input: nothing is claimed */
  ASSAY_PROVED,
  ASSAY_REFUTED,
  ASSAY_BOUNDED,
  ASSAY_PROBABLE,
  ASSAY_UNKNOWN,
} AssayVerdict;

/* A file, FILE.cc:FUNCTION, a folder (the .ttir files in it), "-" for standard input; or, with `text`, a buffer of
 * `size` bytes for which `path` is only the name to show. The buffer must live until the context is freed. */
typedef struct AssayInput {
  const char *path;
  const char *text;
  size_t size;
} AssayInput;

typedef struct AssayStrings {
  const char *const *data;
  size_t count;
} AssayStrings;

/* Called when a stage begins: "read", "lift", ... It must not call Assay with the same context. */
typedef void AssayProgress(const char *input, const char *stage, void *payload);

#define ASSAY_OPTIONS_VERSION 1

/* Fields of later versions are added at the end. The texts are those of the command line; docs: `assay help lift`. */
typedef struct AssayOptions {
  uint32_t version;                                            /* ASSAY_OPTIONS_VERSION */
  double timeout;                                              /* seconds; 0: none */
  uint64_t memory;                                             /* bytes, for the whole context; 0: none */
  AssayStrings kernels;                                        /* public functions, launched in that order */
  const char *launch;                                          /* operation file or trace, or NULL */
  AssayStrings shapes;                                         /* "T=E,E" */
  AssayStrings strides;                                        /* "T=E,E" */
  const char *grid;                                            /* "E,E,E", or NULL */
  AssayStrings sets;                                           /* "NAME=VALUE" */
  AssayStrings assumes;                                        /* "EXPR" */
  AssayStrings aliases;                                        /* "A=B" */
  AssayStrings strict;                                         /* "KIND" */
  AssayStrings allow;                                          /* "KIND" or "KIND@LINE" */
  AssayStrings emits;                                          /* names of emitters */
  const char *stop_after, *engine, *invariant, *explain_stage; /* or NULL */
  int no_top_down, no_prune, no_prove, no_simplify, explain, stats;
  AssayProgress *progress; /* or NULL */
  void *progress_payload;
  AssayStrings maps;                                 /* "LEFT=RIGHT": names that assay_check pairs */
  int both_ways;                                     /* assay_check: equality rather than refinement */
  AssayStrings only;                                 /* assay_check: names of outputs; the others are not compared */
  const char *target;                                /* assay_optimize: a device of the cost model, or NULL: sm_80 */
  unsigned long top, max_kernel_ops, max_block_ops;  /* 0: the defaults */
  int no_expressions, no_canonical, no_fingerprints; /* what the search does without */
  int unproved;                                      /* candidates that are not proved are listed too */
  AssayStrings arguments;                            /* of clang, for C and C++: "-std=c++20", "-I", "include" */
  const char *floats;                                /* assay_check of MLIR: "abstract", or NULL, which is the same */
  int reassociate, negative_zero, distinct;          /* assay_check of MLIR: docs/mlir.md */
  AssayStrings result_dims;                          /* assay_check of MLIR: "F@I,I" */
  const char *shard;                                 /* assay_optimize: "I/N", the I-th of N parts of the search */
  AssayStrings merges;                               /* assay_optimize: files of all parts, in place of the search */
  int port; /* assay_list_files: folders stand for the C, C++ and Python files in them; assay_list_kernels: functions
               with loops */
  AssayStrings opaque; /* names of functions of C, C++ and Python: their calls are unknown functions of the arguments */
  AssayStrings no_laws; /* names of laws that formulas are not shortened by */
  unsigned long jobs;   /* assay_optimize: processes that search and prove at once; 0: none beside the caller's */
} AssayOptions;

#define ASSAY_OPTIONS_INIT                                                                                             \
  { .version = ASSAY_OPTIONS_VERSION, .timeout = 60, .memory = (uint64_t)4 << 30 }

typedef struct AssayDiagnostic {
  const char *severity; /* "error", "warning", "note" */
  const char *code;     /* stable, such as "parse.expected" */
  const char *message;
  const char *help;      /* what to do, or NULL */
  const char *file;      /* or NULL */
  uint32_t line, column; /* from 1; 0 without a file */
} AssayDiagnostic;

/* "0.1.0" */
ASSAY_API const char *assay_version(void);
/* "ok", "bad input", ... */
ASSAY_API const char *assay_status_name(AssayStatus status);
/* "proved", ...; NULL for ASSAY_NONE. */
ASSAY_API const char *assay_verdict_name(AssayVerdict verdict);

ASSAY_API AssayStatus assay_context_new(AssayContext **out);
/* Frees its results too. NULL is allowed. */
ASSAY_API void assay_context_free(AssayContext *context);
/* One sentence about the last call that did not end with ASSAY_OK; "" if there is none. */
ASSAY_API const char *assay_context_message(const AssayContext *context);

/* Lifts the kernels of the inputs, launched one after the other, as one operation. There is a result for every
 * status; *out is NULL only if not even that could be allocated. */
ASSAY_API AssayStatus assay_lift(AssayResult **out, AssayContext *context, const AssayInput *inputs, size_t count,
                                 const AssayOptions *options);
/* Tells whether two inputs compute the same. An input is what assay_lift takes (one file), "FILE.py:function" (a
 * reference in NumPy or PyTorch calls, which is read and not run), or a formula: a buffer whose path is "-e". The
 * result is that of a lift of `left` with the verdict of the comparison. */
ASSAY_API AssayStatus assay_check(AssayResult **out, AssayContext *context, const AssayInput *left,
                                  const AssayInput *right, const AssayOptions *options);
/* A faster kernel for the formula of the input: candidates, best first, in the JSON and in the text of the result; what
 * --emit asks for as emitted files (named "c1.triton.py"). The verdict is proved if a candidate is listed. */
ASSAY_API AssayStatus assay_optimize(AssayResult **out, AssayContext *context, const AssayInput *input,
                                     const AssayOptions *options);
/* The files that the inputs stand for (folders expanded, sorted), as the names of the result. */
ASSAY_API AssayStatus assay_list_files(AssayResult **out, AssayContext *context, const AssayInput *inputs, size_t count,
                                       const AssayOptions *options);
/* The public functions of one input, as the names of the result; none for an operation file. A lift of the same
 * input that follows does not read it again. */
ASSAY_API AssayStatus assay_list_kernels(AssayResult **out, AssayContext *context, const AssayInput *input,
                                         const AssayOptions *options);
/* NULL is allowed. */
ASSAY_API void assay_result_free(AssayResult *result);

ASSAY_API AssayStatus assay_result_status(const AssayResult *result);
ASSAY_API AssayVerdict assay_result_verdict(const AssayResult *result);
ASSAY_API AssayVerdict assay_result_safety(const AssayResult *result);
/* 0, 1, 2, 3 or 64: what the command line exits with. */
ASSAY_API int assay_result_exit_code(const AssayResult *result);
ASSAY_API const char *assay_result_input(const AssayResult *result);
/* NULL if there is none. */
ASSAY_API const char *assay_result_kernel(const AssayResult *result);
/* The parameters of a function of C, C++ or Python, as its source has them: names with a blank between, `*` before
 * those of arrays; "" of Python. NULL: they are not known, or some of them are structs. */
ASSAY_API const char *assay_result_signature(const AssayResult *result);
/* Why the verdict is not better: a stable code and a sentence; NULL if there is no reason. */
ASSAY_API const char *assay_result_reason_code(const AssayResult *result);
ASSAY_API const char *assay_result_reason_text(const AssayResult *result);

ASSAY_API size_t assay_result_output_count(const AssayResult *result);
ASSAY_API const char *assay_result_output_name(const AssayResult *result, size_t index);
/* kind: "text", "latex", "raw" or "pointwise"; NULL if there is none. */
ASSAY_API const char *assay_result_output_formula(const AssayResult *result, size_t index, const char *kind);

ASSAY_API size_t assay_result_diagnostic_count(const AssayResult *result);
ASSAY_API AssayStatus assay_result_diagnostic(AssayDiagnostic *out, AssayResult *result, size_t index);

ASSAY_API size_t assay_result_emitted_count(const AssayResult *result);
ASSAY_API const char *assay_result_emitted_name(const AssayResult *result, size_t index);
ASSAY_API const char *assay_result_emitted_text(const AssayResult *result, size_t index);
/* The usual suffix of a file of that emitter, such as ".py"; "" if the name is unknown. */
ASSAY_API const char *assay_emitter_suffix(const char *name);
/* The text of --stop-after, or NULL. */
ASSAY_API const char *assay_result_stage(const AssayResult *result);

/* The names that assay_list_files and assay_list_kernels found. */
ASSAY_API size_t assay_result_name_count(const AssayResult *result);
ASSAY_API const char *assay_result_name(const AssayResult *result, size_t index);

enum { ASSAY_COLOR = 1, ASSAY_PLACE = 2 }; /* flags: ANSI colours; of a row: FILE:FUNCTION */

/* Renderings; NULL only if memory ran out. JSON: one line without a newline. Text: at most 25 lines. Diagnostics:
 * with source line and caret, "" if there are none. Row: one line of the table of several kernels. */
ASSAY_API const char *assay_result_json(AssayResult *result);
ASSAY_API const char *assay_result_text(AssayResult *result, unsigned flags);
ASSAY_API const char *assay_result_diagnostics(AssayResult *result, unsigned flags);
/* format: "html", one self-contained page, or "sarif", the findings as SARIF 2.1.0; NULL for another one, and
 * where the input was refused. */
ASSAY_API const char *assay_result_report(AssayResult *result, const char *format);
ASSAY_API const char *assay_result_row(AssayResult *result, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
