/* The .json that Triton's cache has beside a .ttir: what it tells about the compilation goes to the statistics.
 *
 * Nothing that is claimed rests on it, so a broken one is a warning. One that is JSON and has none of Triton's marks
 * belongs to somebody else and is left alone, and so is what cannot be Triton's: no regular file, or a large one. */
#include "front/front.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/json.h"

enum { MOST_BYTES = 1 << 20 };

typedef enum Want { STRING, NUMBER, FLAG } Want;

static void warn(Front *front, const Source *source, Span span, const char *code, const char *message) {
  diagnostic_add(front->diagnostics, SEVERITY_WARNING, code, source, span,
                 "this is Triton's side file; only --stats shows what stands there", "%s", message);
}

static const char *word_of(const Json *value, Want want) {
  if (want == FLAG) return value->kind == JSON_TRUE ? "true" : value->kind == JSON_FALSE ? "false" : NULL;
  return value->kind == (want == STRING ? JSON_STRING : JSON_NUMBER) ? value->text : NULL;
}

static void add_fields(Front *front, const Source *source, const Json *json, PairList *out) {
  static const struct {
    const char *key;
    Want want;
  } fields[] = {{"name", STRING},           {"triton_version", STRING}, {"num_warps", NUMBER},
                {"num_stages", NUMBER},     {"enable_fp_fusion", FLAG}, {"default_dot_input_precision", STRING},
                {"sanitize_overflow", FLAG}};
  static const char *const wants[] = {"a string", "a number", "a boolean"};
  Arena *arena = front->arena;
  const Json *target = json_get(json, "target"), *arch = json_get(target, "arch");
  if (json_get_string(target, "backend") && arch && arch->text)
    array_push(
        arena, out,
        (ReportPair){"triton.target", arena_format(arena, "%s:%s", json_get_string(target, "backend"), arch->text)});
  else if (target && target->kind != JSON_NULL)
    warn(front, source, target->span, "metadata.kind", "\"target\" must be an object with backend and arch");
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const Json *value = json_get(json, fields[i].key);
    if (!value || value->kind == JSON_NULL) continue;
    const char *word = word_of(value, fields[i].want);
    if (word)
      array_push(arena, out, (ReportPair){arena_format(arena, "triton.%s", fields[i].key), word});
    else
      warn(front, source, value->span, "metadata.kind",
           arena_format(arena, "\"%s\" must be %s, not %s", fields[i].key, wants[fields[i].want],
                        json_kind_name(value->kind)));
  }
}

void front_read_metadata(Front *front, const FrontFile *file, const AssayInput *input, PairList *out) {
  Arena *arena = front->arena;
  size_t end = strlen(file->name), size = strlen(input->path);
  struct stat info;
  if (input->text || file->kind != INPUT_PROGRAM || size < 5 || strcmp(input->path + size - 5, ".ttir")) return;
  const char *path = arena_format(arena, "%.*s.json", (int)(size - 5), input->path);
  if (stat(path, &info) || !S_ISREG(info.st_mode) || info.st_size > MOST_BYTES || access(path, R_OK)) return;
  const char *text = front_read_path(front, arena, path, &size);
  if (!text) return;
  const Source *source = source_new(arena, arena_format(arena, "%.*s.json", (int)(end - 5), file->name), text, size);
  DiagnosticList errors;
  diagnostic_list_init(&errors, arena);
  const Json *json = json_read_whole(arena, source, &errors);
  if (!json)
    warn(front, source, errors.items.data[0].span, "metadata.syntax",
         arena_format(arena, "not read: %s", errors.items.data[0].message));
  else if (json_get(json, "target") || json_get(json, "num_warps") || json_get(json, "triton_version"))
    add_fields(front, source, json, out);
}
