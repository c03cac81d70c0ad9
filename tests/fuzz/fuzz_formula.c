/* Any bytes as a formula, and as Python source: a result or diagnostics with a place, within limits; a pointwise form
 * that is printed reads again, and from then on prints the same (the first time, names that nothing uses any more may
 * have kept others from being taken). Lines in tensor form become outputs, or are refused with a reason; what they come
 * to is printed and read as well. Nothing may crash, hang or leak. */
#include "reference/reference.h"
#include "text.h"

static const char *print(Arena *arena, const Formula *formula) {
  Text text = text_new(arena);
  formula_print(formula->pointwise, &text);
  return text_string(&text);
}

static Formula *read(Arena *arena, InternTable *names, const char *text, size_t size, DiagnosticList *diagnostics) {
  diagnostic_list_init(diagnostics, arena);
  return formula_read(arena, term_table_new(arena, names), source_new(arena, "fuzz", text, size), NULL, diagnostics);
}

static void run_text(Arena *arena, char *text, size_t size) {
  InternTable names;
  DiagnosticList diagnostics;
  intern_init(&names, arena);
  Source *source = source_new(arena, "fuzz.py", text, size);
  if (!python_parse_file(arena, source)) fail("no syntax", NULL);
  formula_is_one(source);
  Formula *formula = read(arena, &names, text, size, &diagnostics);
  show(arena, &diagnostics);
  if (!formula && !diagnostics.error_count) fail("a refusal says why", NULL);
  if (!formula || diagnostics.error_count || !formula->pointwise) return;
  bool of_tensors = formula->lines.count;
  if (!reference_stand_alone(arena, formula, source, &diagnostics)) {
    if (!diagnostics.error_count) fail("a refusal says why", NULL);
    return;
  }
  if (!formula->pointwise->outputs.count) return;
  const char *first = print(arena, formula);
  for (int round = 0; round < 2; round++) {
    Formula *again = read(arena, &names, first, strlen(first), &diagnostics);
    if (!again && of_tensors) return;
    if (!again) fail("what was printed does not read", first);
    const char *second = print(arena, again);
    if (round && strcmp(first, second) != 0) fail("printing is not a fixed point", first);
    first = second;
  }
}
