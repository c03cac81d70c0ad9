/* Any bytes as a file of C and C++. */
#include "read/c/read.h"
#include "source.h"

static Program *read_input(Arena *arena, InternTable *names, const char *text, size_t size,
                           DiagnosticList *diagnostics) {
  ReadOptions options = {0};
  const char *name = strstr(text, "std::") || strstr(text, "namespace") ? "fuzz.cc" : "fuzz.c";
  return read_c(arena, names, source_new(arena, name, text, size), &options, diagnostics);
}
