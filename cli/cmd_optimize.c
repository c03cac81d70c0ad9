/* assay optimize: a faster kernel for the same formula.
 *
 * The table of candidates, or the JSON, goes to standard output. --emit writes a file for each candidate and each
 * target into the folder of -o, else the texts one after the other to standard output. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static bool write_candidates(const Settings *settings, const AssayResult *result) {
  size_t count = assay_result_emitted_count(result);
  bool good = !count || make_folder(settings->output);
  for (size_t i = 0; i < count && good; i++) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", settings->output, assay_result_emitted_name(result, i)) < 0) rescue_out_of_memory();
    good = write_file(path, assay_result_emitted_text(result, i));
    free(path);
  }
  return good;
}

static void show_answer(const Settings *settings, AssayResult *result) {
  const char *text =
      settings->json ? assay_result_json(result) : assay_result_text(result, settings->color ? ASSAY_COLOR : 0);
  if (!text) rescue_out_of_memory();
  if (assay_result_stage(result))
    fputs(assay_result_stage(result), stdout);
  else if (settings->json)
    printf("%s\n", text);
  else if (assay_result_emitted_count(result) && !settings->output)
    for (size_t i = 0; i < assay_result_emitted_count(result); i++) fputs(assay_result_emitted_text(result, i), stdout);
  else if (assay_result_status(result) != ASSAY_BAD_INPUT)
    fputs(text, stdout);
}

static int show(const Settings *settings, AssayResult *result) {
  const char *diagnostics = assay_result_diagnostics(result, settings->error_color ? ASSAY_COLOR : 0);
  int code = assay_result_exit_code(result);
  if (diagnostics) fputs(diagnostics, stderr);
  if (code == EXIT_USAGE) return code;
  if (settings->output && !write_candidates(settings, result)) return EXIT_BAD_INPUT;
  show_answer(settings, result);
  return code;
}

int cmd_optimize(Settings *settings) {
  AssayContext *context;
  AssayResult *result;
  AssayInput input = {.path = "-e"};
  if (settings->input_count)
    input = settings->inputs[0];
  else
    input.text = settings->formulas.data[0], input.size = strlen(input.text);
  rescue_expect(input.path, NULL, settings->json ? RESCUE_JSON : RESCUE_TEXT, settings->options.timeout);
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  assay_optimize(&result, context, &input, &settings->options);
  if (!result) rescue_out_of_memory();
  int code = show(settings, result);
  fflush(stdout);
  rescue_done();
  assay_context_free(context);
  return code;
}
