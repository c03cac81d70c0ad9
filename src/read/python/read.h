/* Reader of functions in Python: plain loops over lists and NumPy arrays. */
#ifndef ASSAY_READ_PYTHON_READ_H
#define ASSAY_READ_PYTHON_READ_H

#include "read/readers.h"

/* The functions of the file. Those that are refused stand in `refusals`, with the reasons. Never NULL. */
Program *read_python(Arena *arena, InternTable *names, Source *source, const ReadOptions *options,
                     DiagnosticList *diagnostics);
/* True if the function may be a program of loops, and no reference made of calls. It loops, or calls one of the file
 * that does; and if it is read as a program, it takes arrays or counts, not just numbers that may be tensors. */
bool python_has_loops(Arena *arena, Source *source, const char *function);

#endif
