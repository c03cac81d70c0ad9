/* assay check tells whether inputs compute the same. With three or more inputs each is compared with the first.
 *
 * `-e FORMULA` stands for a file at its place among the arguments. getopt moves arguments, so the places are looked up
 * among the arguments as they were given. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* How late a text stands among the arguments; -eFORMULA and --formula=FORMULA are found by their end. */
static size_t place_of(const Settings *settings, const char *text) {
  size_t i = 0;
  for (; settings->order[i]; i++)
    if (text >= settings->order[i] && text <= settings->order[i] + strlen(settings->order[i])) return i;
  return i;
}

static AssayInput *all_inputs(const Settings *settings, size_t *count) {
  size_t files = settings->input_count, formulas = settings->formulas.count, f = 0, e = 0;
  AssayInput *inputs = allocate(files + formulas + 1, sizeof *inputs);
  for (*count = 0; f < files || e < formulas;) {
    bool file = e == formulas || (f < files && place_of(settings, settings->inputs[f].path) <
                                                   place_of(settings, settings->formulas.data[e]));
    if (file)
      inputs[(*count)++] = settings->inputs[f++];
    else
      inputs[(*count)++] =
          (AssayInput){.path = "-e", .text = settings->formulas.data[e], .size = strlen(settings->formulas.data[e])},
      e++;
  }
  return inputs;
}

int cmd_check(Settings *settings) {
  AssayContext *context;
  size_t count;
  int code = 0;
  if (settings->pass_pipeline) return check_passes(settings);
  AssayInput *inputs = all_inputs(settings, &count);
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  for (size_t i = 1; i < count; i++) {
    AssayResult *result;
    rescue_expect(inputs[0].path, NULL, settings->json ? RESCUE_JSON : RESCUE_TEXT, settings->options.timeout);
    assay_check(&result, context, &inputs[0], &inputs[i], &settings->options);
    if (!result) rescue_out_of_memory();
    code = worse_code(code, show_lift(settings, result, stdout, stderr, false));
    fflush(stdout);
    rescue_done();
    assay_result_free(result);
  }
  free(inputs);
  assay_context_free(context);
  return code;
}
