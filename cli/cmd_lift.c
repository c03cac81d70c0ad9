/* assay lift tells what a kernel computes.
 *
 * Where things go: --stop-after prints the stage and nothing else; --emit without -o prints the code and nothing
 * else; everything else prints the answer on standard output. Diagnostics go to standard error. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* One name: PATH is the file. Several: PATH is a folder with KERNEL.NAME.suffix. */
bool write_emitted(const Settings *settings, const AssayResult *result) {
  if (!assay_result_emitted_count(result)) return true;
  if (settings->modules) return modules_keep(settings->modules, result), true;
  if (settings->options.emits.count == 1) return write_file(settings->output, assay_result_emitted_text(result, 0));
  return modules_write_result(settings, result);
}

static void show_answer(const Settings *settings, AssayResult *result, FILE *out, bool in_table) {
  unsigned flags = settings->color ? ASSAY_COLOR : 0;
  const char *text = in_table ? assay_result_row(result, flags) : assay_result_text(result, flags);
  bool is_answer = assay_result_status(result) != ASSAY_BAD_INPUT;
  if (settings->json) {
    if (!(text = assay_result_json(result))) rescue_out_of_memory();
    fprintf(out, "%s\n", text);
  } else if (assay_result_stage(result)) {
    fputs(assay_result_stage(result), out);
  } else if (assay_result_emitted_count(result) && !settings->output) {
    for (size_t i = 0; i < assay_result_emitted_count(result); i++) fputs(assay_result_emitted_text(result, i), out);
  } else if (is_answer || in_table) {
    if (!text) rescue_out_of_memory();
    fputs(text, out);
  }
}

/* By the suffix of the file, which the options have looked at. */
static bool write_report(const Settings *settings, AssayResult *result) {
  const char *suffix = strrchr(settings->report, '.');
  const char *text = assay_result_report(result, suffix + 1);
  if (!text) rescue_out_of_memory();
  return write_file(settings->report, text);
}

int show_lift(const Settings *settings, AssayResult *result, FILE *out, FILE *errors, bool in_table) {
  int code = assay_result_exit_code(result);
  const char *diagnostics = assay_result_diagnostics(result, settings->error_color ? ASSAY_COLOR : 0);
  if (diagnostics) fputs(diagnostics, errors);
  if (code == EXIT_USAGE) return code;
  if (settings->output && !write_emitted(settings, result)) return EXIT_BAD_INPUT;
  if (settings->report && code != EXIT_BAD_INPUT && !write_report(settings, result)) return EXIT_BAD_INPUT;
  show_answer(settings, result, out, in_table);
  if (settings->options.emits.count && !assay_result_emitted_count(result) && code != EXIT_BAD_INPUT && !diagnostics)
    fputs("assay: there is no formula or witness to emit; nothing was written\n", errors);
  return code;
}

int cmd_lift(Settings *settings) {
  AssayContext *context;
  AssayResult *result;
  if (settings->all) return run_batch(settings);
  const char *input = settings->input_count ? settings->inputs[0].path : settings->options.launch;
  const char *kernel = settings->options.kernels.count ? settings->options.kernels.data[0] : NULL;
  rescue_expect(input, kernel, settings->json ? RESCUE_JSON : RESCUE_TEXT, settings->options.timeout);
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  assay_lift(&result, context, settings->inputs, settings->input_count, &settings->options);
  if (!result) rescue_out_of_memory();
  int code = show_lift(settings, result, stdout, stderr, false);
  fflush(stdout);
  rescue_done();
  assay_context_free(context);
  return code;
}
