/* Source text, line table and the rendering of diagnostics (see source.h). */
#include "base/source.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* The line table is made at once: a file outlives the calls that ask for places in it. */
static void build_lines(Source *source, Arena *arena) {
  const char *end = source->text + source->size;
  uint32_t count = 1;
  for (const char *at = source->text; (at = memchr(at, '\n', (size_t)(end - at))); at++) count++;
  source->line_start = arena_array(arena, uint32_t, count);
  source->line_count = 1;
  for (const char *at = source->text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
    source->line_start[source->line_count++] = (uint32_t)(at - source->text) + 1;
}

Source *source_new(Arena *arena, const char *name, const char *text, size_t size) {
  Source *source = arena_new(arena, Source);
  *source = (Source){.name = name, .text = text, .size = size};
  if (size > UINT32_MAX / 2) guard_throw(arena->guard, GUARD_LIMIT, "input larger than 2 GiB");
  build_lines(source, arena);
  return source;
}

LineColumn source_locate(const Source *source, uint32_t offset) {
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->line_start[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return (LineColumn){low + 1, offset - source->line_start[low] + 1};
}

void diagnostic_list_init(DiagnosticList *list, Arena *arena) { *list = (DiagnosticList){.arena = arena, .limit = 20}; }

void diagnostic_add(DiagnosticList *list, Severity severity, const char *code, const Source *source, Span span,
                    const char *help, const char *format, ...) {
  if (severity == SEVERITY_ERROR && list->error_count++ >= list->limit) return;
  Text message = text_new(list->arena);
  char buffer[512];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  text_add(&message, buffer);
  array_push(list->arena, &list->items, (Diagnostic){severity, code, text_string(&message), help, source, span});
}

/* One source line, cut to a window around the column; control characters and what is no UTF-8 are shown as '.', so that
 * the caret stands below what it means. */
static void render_line(const Source *source, LineColumn at, uint32_t width, Text *out, int color) {
  enum { WINDOW = 160 };
  uint32_t start = source->line_start[at.line - 1], end = start;
  while (end < source->size && source->text[end] != '\n') end++;
  uint32_t first = at.column > WINDOW / 2 ? at.column - WINDOW / 2 : 1;
  uint32_t shown = end - start >= first - 1 ? end - start - (first - 1) : 0;
  if (shown > WINDOW) shown = WINDOW;
  text_add(out, "  ");
  const char *line = source->text + start + first - 1;
  uint32_t before = 0, under = 0; /* characters before the column, and those that are meant */
  for (uint32_t i = 0, length; i < shown; i += length) {
    length = (uint32_t)utf8_length(line + i, shown - i);
    before += first + i < at.column;
    under += first + i >= at.column && first + i - at.column < width;
    if (!length)
      length = 1, text_char(out, '.');
    else if (utf8_is_control(line + i, length))
      text_char(out, line[i] == '\t' ? ' ' : '.');
    else
      text_append(out, line + i, length);
  }
  text_add(out, "\n  ");
  for (uint32_t i = 0; i < before; i++) text_char(out, ' ');
  text_add(out, color ? "\x1b[1;32m^" : "^");
  for (uint32_t i = 1; i < under; i++) text_char(out, '~');
  text_add(out, color ? "\x1b[0m\n" : "\n");
}

void diagnostic_render(const Diagnostic *d, Arena *arena, Text *out, int color) {
  (void)arena;
  static const char *const names[] = {"error", "warning", "note"};
  static const char *const colors[] = {"\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m"};
  LineColumn at = {0, 0};
  if (d->source) {
    at = source_locate(d->source, d->span.begin);
    text_format(out, "%s:%u:%u: ", d->source->name, at.line, at.column);
  }
  text_format(out, "%s%s%s[%s]: %s\n", color ? colors[d->severity] : "", names[d->severity], color ? "\x1b[0m" : "",
              d->code, d->message);
  if (d->source && d->span.begin <= d->source->size)
    render_line(d->source, at, d->span.end - d->span.begin, out, color);
  if (d->help) text_format(out, "  help: %s\n", d->help);
}
