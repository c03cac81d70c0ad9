/* Runs a fuzz target over files and folders, without libFuzzer; then over prefixes of each file, as many of each, so
 * that inputs that end anywhere are met. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t prefixes(void) {
#ifdef ASSAY_SANITIZED /* libFuzzer cuts inputs too */
  const char *full = getenv("ASSAY_FULL");
  return full && *full ? 5 : 2;
#else
  return 20;
#endif
}

static void run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(1);
  static uint8_t buffer[1 << 20];
  size_t size = fread(buffer, 1, sizeof buffer, file);
  fclose(file);
  LLVMFuzzerTestOneInput(buffer, size);
  size_t step = size / prefixes() + 1;
  for (size_t end = 0; end < size; end += step) {
    uint8_t *prefix = malloc(end + 1); /* of its exact size, so that reading beyond it is found */
    if (!prefix) exit(1);
    for (size_t i = 0; i < end; i++) prefix[i] = buffer[i];
    LLVMFuzzerTestOneInput(prefix, end);
    free(prefix);
  }
}

static int run_path(const char *path) {
  struct stat info;
  if (stat(path, &info)) return 0;
  if (!S_ISDIR(info.st_mode)) {
    run_file(path);
    return 1;
  }
  DIR *folder = opendir(path);
  int count = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char inner[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
    count += run_path(inner);
  }
  if (folder) closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) count += run_path(argv[i]);
  printf("%d inputs\n", count);
  return count ? 0 : 1;
}
