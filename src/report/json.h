/* JSON, read into an arena: operation files, traces, Triton's metadata.
 *
 * Every value keeps its span, so that a wrong field is reported at its file:line:column, and everything counts
 * against the memory limit of the context. Numbers keep their text. */
#ifndef ASSAY_REPORT_JSON_H
#define ASSAY_REPORT_JSON_H

#include "base/source.h"

typedef enum JsonKind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct Json Json;

typedef struct JsonMember {
  const char *key; /* NULL in arrays */
  Span key_span;
  const Json *value;
} JsonMember;

struct Json {
  JsonKind kind;
  Span span;
  const char *text; /* STRING: decoded; NUMBER: as written */
  size_t size;      /* of text */
  const JsonMember *members;
  uint32_t count;
};

/* Reads one value from *offset on, and moves *offset behind it and the white space after it. NULL and a diagnostic
 * of code `json.syntax` on an error. */
const Json *json_read(Arena *arena, const Source *source, size_t *offset, DiagnosticList *diagnostics);
/* The one value of a whole file. */
const Json *json_read_whole(Arena *arena, const Source *source, DiagnosticList *diagnostics);
/* The member of that key, or NULL; NULL too if `object` is NULL or no object. */
const Json *json_get(const Json *object, const char *key);
/* Its text if it is a string, else NULL. */
const char *json_get_string(const Json *object, const char *key);
const char *json_kind_name(JsonKind kind);

#endif
