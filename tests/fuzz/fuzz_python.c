/* Any bytes as a file of Python. */
#include "read/python/read.h"
#include "source.h"

static Program *read_input(Arena *arena, InternTable *names, const char *text, size_t size,
                           DiagnosticList *diagnostics) {
  ReadOptions options = {0};
  return read_python(arena, names, source_new(arena, "fuzz.py", text, size), &options, diagnostics);
}
