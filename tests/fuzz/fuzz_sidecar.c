/* Any bytes as the .json that Triton's cache has beside a .ttir. The kernel is read all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/testing.h"

static const char kernel[] = "module {\n  tt.func public @k() {\n    tt.return\n  }\n}\n";
static char folder[64];

static void remove_files(void) {
  char path[128];
  snprintf(path, sizeof path, "%s/k.ttir", folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/k.json", folder);
  unlink(path);
  rmdir(folder);
}

static void write_file(const char *name, const void *data, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AssayContext *context;
  AssayResult *result;
  AssayOptions options = ASSAY_OPTIONS_INIT;
  char path[128];
  if (!*folder) {
    snprintf(folder, sizeof folder, "%s/assay-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(folder)) exit(1);
    atexit(remove_files);
    write_file("k.ttir", kernel, sizeof kernel - 1);
  }
  write_file("k.json", data, size);
  snprintf(path, sizeof path, "%s/k.ttir", folder);
  AssayInput input = {.path = path};
  options.timeout = 5;
  options.memory = (uint64_t)256 << 20;
  options.stats = 1;
  options.no_prove = 1; /* the kernel is always the same */
  if (assay_context_new(&context) != ASSAY_OK) return 0;
  AssayStatus status = assay_lift(&result, context, &input, 1, &options);
  if (status != ASSAY_OK || !assay_result_json(result) || !assay_result_text(result, 0)) {
    fprintf(stderr, "fuzz_sidecar: status %d: %s\n", (int)status, assay_context_message(context));
    abort();
  }
  assay_context_free(context);
  return 0;
}
