/* The reader of MLIR (read/readers.h picks it). */
#ifndef ASSAY_READ_READ_H
#define ASSAY_READ_READ_H

#include "program/program.h"

/* Reads Triton IR / MLIR text. On errors diagnostics are added and NULL is returned (recovery goes on as long as it
 * gives useful further diagnostics). TTGIR, LLVM IR, PTX, ELF/cubin, empty and binary inputs get a diagnostic of
 * code `input.ttgir`, `input.llvm`, `input.ptx`, `input.elf`, `input.empty`, `input.binary` with what to pass instead.
 * tt.call is inlined; afterwards only functions that nothing calls remain. */
Program *read_triton(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics);

/* Reads MLIR of other dialects: func, arith, tensor, linalg, ... (dialects.def). No call is inlined. */
Program *read_dialects(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics);
/* True if the text has functions of MLIR, and none of Triton's. */
bool mlir_is_one(const Source *source);

#endif
