/* --run of port: how long a function takes, and what was emitted for it.
 *
 * The script timing.py, which is part of the program, compiles and runs both in Python, gcc and g++. What it prints is
 * two lines: members of a JSON object, and a text. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

extern const char timing_script[]; /* made of timing.py by CMake */

static void not_run(const char *why, char **members, char **text) {
  *members = copy_string("\"seconds\": {\"original\": null}, \"sizes\": \"\"");
  if (asprintf(text, "original not run (%s)", why) < 0) rescue_out_of_memory();
}

void time_function(const Settings *settings, const AssayResult *result, const char *json, char **members, char **text) {
  enum { OWN = 5 };
  const char *signature = assay_result_signature(result);
  const AssayStrings *given = &settings->options.arguments;
  char **arguments = allocate(OWN + given->count + 1, sizeof *arguments), *out, *message, limit[32];
  double seconds = settings->options.timeout;
  snprintf(limit, sizeof limit, "%g", seconds > 0 ? seconds : 1e9);
  arguments[1] = copy_string("-c"), arguments[2] = copy_string(timing_script), arguments[3] = limit;
  arguments[4] = copy_string(signature ? signature : "?");
  for (size_t i = 0; i < given->count; i++) arguments[OWN + i] = copy_string(given->data[i]);
  ToolStatus status = python_run(arguments, json, 0, &out, &message); /* the script keeps to the limit */
  char *second = status == TOOL_GOOD && out ? strchr(out, '\n') : NULL;
  if (second) {
    *second = 0, second[1 + strcspn(second + 1, "\n")] = 0;
    *members = copy_string(out), *text = copy_string(second + 1);
  } else {
    not_run(status == TOOL_MISSING ? "there is no python3; ASSAY_PYTHON names one" : "the script failed", members,
            text);
  }
  for (size_t i = 1; arguments[i]; i++)
    if (arguments[i] != limit) free(arguments[i]);
  free(arguments), free(out), free(message);
}
