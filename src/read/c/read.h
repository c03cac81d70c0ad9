/* Reader of C and C++, through libclang. */
#ifndef ASSAY_READ_C_READ_H
#define ASSAY_READ_C_READ_H

#include "read/readers.h"

/* The functions that the file defines. Those that are refused stand in `refusals`, with the reasons. NULL after
 * diagnostics: clang's, or that there is no libclang. */
Program *read_c(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                DiagnosticList *diagnostics);

#endif
