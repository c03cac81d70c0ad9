/* Mutants of the golden inputs through the fuzz target of the reader, so that every build meets 200,000 of them,
 * a part of it in `make check`, without libFuzzer too. ASSAY_MUTANTS=N and ASSAY_SEED=N change the runs. */
#include "../../fuzz/fuzz_triton.c"
#include "../../fuzz/mutate.c"
#include "../rounds.h"

#include <dirent.h>

enum { FILES = 400, ROOM = 1 << 17 };

typedef struct File {
  char *name;
  uint8_t *text;
  size_t size;
} File;

static int by_name(const void *a, const void *b) { return strcmp(((const File *)a)->name, ((const File *)b)->name); }

static bool load(File *file, const char *path) {
  FILE *in = fopen(path, "rb");
  file->text = malloc(ROOM / 2);
  if (!in || !file->text) return false;
  file->size = mutate_strip_golden(file->text, fread(file->text, 1, ROOM / 2, in));
  return !fclose(in);
}

int main(void) {
  static const char folder[] = SOURCE_DIR "/tests/golden/read";
  static File files[FILES];
  static uint8_t buffer[ROOM];
  const char *runs_text = getenv("ASSAY_MUTANTS"), *seed_text = getenv("ASSAY_SEED");
  uint64_t runs = runs_text ? strtoull(runs_text, NULL, 10) : (uint64_t)rounds_of(200000), count = 0;
  Random random = {seed_text ? strtoull(seed_text, NULL, 10) : 1};
  DIR *dir = opendir(folder);
  if (!dir) return 1;
  for (struct dirent *e; (e = readdir(dir)) && count < FILES;) {
    char path[4096];
    if (!strstr(e->d_name, ".test")) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    files[count].name = strdup(e->d_name);
    if (!load(&files[count++], path)) return 1;
  }
  closedir(dir);
  if (!count) return 1;
  qsort(files, count, sizeof *files, by_name);
  for (uint64_t i = 0; i < runs; i++) {
    const File *file = &files[random_below(&random, count)];
    memcpy(buffer, file->text, file->size);
    LLVMFuzzerTestOneInput(buffer, mutate_text(&random, buffer, file->size, ROOM));
  }
  printf("%llu files, %llu mutants\n", (unsigned long long)count, (unsigned long long)runs);
  for (uint64_t i = 0; i < count; i++) free(files[i].name), free(files[i].text);
  return 0;
}
