/* 200,000 mutants of the golden inputs through the fuzz target (tests/fuzz/read_triton.c), so that every build runs
 * it, without libFuzzer too. ASSAY_MUTANTS=N and ASSAY_SEED=N change the runs. */
#define ASSAY_FUZZ_REPLAY
#define main replay_main
#include "../../fuzz/read_triton.c"
#undef main

#include <dirent.h>

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  static const char folder[] = SOURCE_DIR "/tests/golden/read";
  const char *runs = getenv("ASSAY_MUTANTS"), *seed = getenv("ASSAY_SEED");
  char *arguments[1004] = {"read", "--mutate", (char *)(runs ? runs : "200000"), (char *)(seed ? seed : "1")};
  int count = 4;
  DIR *dir = opendir(folder);
  if (!dir) return 1;
  for (struct dirent *e; (e = readdir(dir)) && count < 1003;) {
    if (!strstr(e->d_name, ".test")) continue;
    size_t length = sizeof folder + strlen(e->d_name) + 1;
    arguments[count] = malloc(length);
    snprintf(arguments[count++], length, "%s/%s", folder, e->d_name);
  }
  closedir(dir);
  qsort(arguments + 4, (size_t)(count - 4), sizeof *arguments, by_name);
  int status = replay_main(count, arguments);
  for (int i = 4; i < count; i++) free(arguments[i]);
  return status;
}
