/* The stage `effects` as an input: the text of effects (execute/effects_print.c), a line `program`, and the program
 * that they are of. */
#ifndef ASSAY_READ_EFFECTS_H
#define ASSAY_READ_EFFECTS_H

#include "program/program.h"

bool effects_are_one(const Source *source);
/* The program, with the text of its effects; who executes it holds them against what it finds (operation/kernel.c). */
Program *read_effects(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics);

#endif
