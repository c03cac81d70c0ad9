/* Effects with their program (effects.h). The lines of effects become blank lines, so that places in the program are
 * those of the text. */
#include "read/effects.h"

#include <string.h>

#include "read/mlir/read.h"

static const char head[] = "effects ", separator[] = "\nprogram\n";

bool effects_are_one(const Source *source) {
  return source->size > strlen(head) && !memcmp(source->text, head, strlen(head));
}

Program *read_effects(Arena *arena, InternTable *names, Source *source, DiagnosticList *diagnostics) {
  const char *end = strstr(source->text, separator);
  if (!end) {
    diagnostic_add(diagnostics, SEVERITY_ERROR, "effects.program", source, (Span){0, 0},
                   "`assay lift --stop-after effects` prints both", "the program of these effects is missing");
    return NULL;
  }
  size_t effects = (size_t)(end + 1 - source->text), blank = effects + strlen(separator) - 1;
  char *text = arena_array(arena, char, source->size + 1);
  memcpy(text, source->text, source->size + 1);
  for (size_t i = 0; i < blank; i++)
    if (text[i] != '\n') text[i] = ' ';
  Program *program = read_triton(arena, names, source_new(arena, source->name, text, source->size), diagnostics);
  if (program) program->source = source, program->effects = arena_copy(arena, source->text, effects);
  return program;
}
