/* Assay as a library: lifts the kernels of a file, one after the other, and prints their formulas.
 *
 *   cc use_api.c $(pkg-config --cflags --libs assay) -o use_api && ./use_api softmax.ttir */
#include <assay/assay.h>
#include <stdio.h>

static void print_formulas(const AssayResult *result) {
  const char *verdict = assay_verdict_name(assay_result_verdict(result));
  printf("%s: %s\n", assay_result_kernel(result), verdict ? verdict : "no verdict");
  for (size_t i = 0; i < assay_result_output_count(result); i++) {
    const char *text = assay_result_output_formula(result, i, "text");
    if (!text) text = assay_result_output_formula(result, i, "pointwise");
    printf("  %s = %s\n", assay_result_output_name(result, i), text ? text : "?");
  }
}

int main(int argc, char **argv) {
  AssayContext *context;
  AssayResult *list, *result;
  AssayOptions options = ASSAY_OPTIONS_INIT;
  if (argc != 2 || assay_context_new(&context) != ASSAY_OK) return 1;
  AssayInput input = {.path = argv[1]};
  int code = 0;
  if (assay_list_kernels(&list, context, &input, &options) != ASSAY_OK) {
    fputs(list ? assay_result_diagnostics(list, 0) : "out of memory\n", stderr);
    code = 1;
  }
  for (size_t i = 0; list && i < assay_result_name_count(list); i++) {
    const char *name = assay_result_name(list, i);
    options.kernels = (AssayStrings){&name, 1};
    if (assay_lift(&result, context, &input, 1, &options) == ASSAY_OK)
      print_formulas(result);
    else
      fprintf(stderr, "%s: %s\n", name, assay_context_message(context));
    assay_result_free(result);
  }
  assay_context_free(context);
  return code;
}
