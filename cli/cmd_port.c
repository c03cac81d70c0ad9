/* assay port tells which loops of a code base lift, and to what.
 *
 * A line for each function with loops: verdict, safety, FILE:FUNCTION, formula or reason; with --json the object of
 * `lift`, with `function`. A file that cannot be read is a line with its reason, and never the end of the run. Every
 * file has a process of its own (batch.c). The exit code is the worst of the lines, where refused input counts as not
 * proved; where none of the paths exists, that is bad input. --run times each function and what was emitted for it
 * (timing.c). */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int code_of(int code) { return code == EXIT_BAD_INPUT ? EXIT_UNKNOWN : code; }

/* PATH or PATH:FUNCTION */
static bool is_missing(const char *path) {
  char *file = copy_string(path), *colon = strrchr(file, ':');
  bool missing = strcmp(path, "-") && access(file, F_OK);
  if (missing && colon) *colon = 0, missing = access(file, F_OK);
  free(file);
  return missing;
}

/* {"function": NAME, and then what `lift` prints; of --run, what it measured. Names are identifiers. */
static void show_json(const char *json, const char *function, const char *members, FILE *out) {
  fputs("{ \"function\": ", out);
  if (function)
    fprintf(out, "\"%s\"", function);
  else
    fputs("null", out);
  if (members) fprintf(out, ", %s", members);
  fprintf(out, ", %s\n", json + 1);
}

static void show_row(const char *row, const char *times, FILE *out) {
  size_t n = row ? strlen(row) : 0;
  while (times && n && row[n - 1] == '\n') n--;
  if (row) fwrite(row, 1, n, out);
  if (row && times) fprintf(out, "  [%s]\n", times);
}

static int port_one(Settings *settings, AssayContext *context, const AssayInput *input, const char *function, FILE *out,
                    FILE *errors) {
  AssayResult *result;
  AssayOptions options = settings->options;
  const char *names[] = {function};
  (void)errors;
  if (function) options.kernels = (AssayStrings){names, 1};
  rescue_expect(input->path, function, settings->json ? RESCUE_JSON : RESCUE_ROW, options.timeout);
  assay_lift(&result, context, input, 1, &options);
  if (!result) rescue_out_of_memory();
  int code = code_of(assay_result_exit_code(result));
  if (settings->output && !write_emitted(settings, result)) code = EXIT_UNKNOWN;
  const char *row = assay_result_row(result, ASSAY_PLACE | (settings->color ? ASSAY_COLOR : 0));
  const char *json = settings->json || settings->run ? assay_result_json(result) : "";
  if (!json) rescue_out_of_memory();
  rescue_done();
  char *members = NULL, *times = NULL;
  if (settings->run && function) time_function(settings, result, json, &members, &times);
  if (settings->json)
    show_json(json, function, members, out);
  else
    show_row(row, times, out);
  free(members), free(times);
  fflush(out);
  assay_result_free(result);
  return code;
}

/* Of --kernel NAME[,NAME] and FILE:FUNCTION; all without these. */
static bool is_asked_for(const Settings *settings, const AssayInput *input, const AssayResult *list, size_t at) {
  const AssayStrings *names = &settings->options.kernels;
  const char *name = assay_result_name(list, at), *own = strrchr(input->path, ':');
  for (size_t i = 0; i < names->count; i++)
    if (!strcmp(names->data[i], name)) return true;
  if (names->count) return false;
  for (size_t i = 0, n = own ? assay_result_name_count(list) : 0; i < n; i++)
    if (!strcmp(own + 1, assay_result_name(list, i))) return !strcmp(own + 1, name);
  return true;
}

static int port_file(Settings *settings, const AssayInput *input, FILE *out, FILE *errors) {
  AssayContext *context;
  AssayResult *list = NULL;
  int code = 0;
  rescue_expect(input->path, NULL, settings->json ? RESCUE_JSON : RESCUE_ROW, settings->options.timeout);
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  AssayStatus status = assay_list_kernels(&list, context, input, &settings->options);
  size_t count = status == ASSAY_OK && list ? assay_result_name_count(list) : 0;
  char **functions = allocate(count + 1, sizeof *functions);
  size_t chosen = 0;
  for (size_t i = 0; i < count; i++)
    if (is_asked_for(settings, input, list, i)) functions[chosen++] = copy_string(assay_result_name(list, i));
  count = chosen;
  assay_result_free(list);
  rescue_done();
  if (status != ASSAY_OK) code = port_one(settings, context, input, NULL, out, errors);
  for (size_t i = 0; i < count; i++)
    code = worse_code(code, port_one(settings, context, input, functions[i], out, errors));
  for (size_t i = 0; i < count; i++) free(functions[i]);
  free(functions);
  assay_context_free(context);
  return code;
}

int cmd_port(Settings *settings) {
  settings->options.port = 1;
  int code = run_files(settings, port_file);
  for (size_t i = 0; i < settings->input_count; i++)
    if (!is_missing(settings->inputs[i].path)) return code;
  return EXIT_BAD_INPUT;
}
