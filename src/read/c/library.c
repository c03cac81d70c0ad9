/* Loading libclang (see clang.h).
 *
 * Linking it would cost every start of the program 13 ms and 57 MiB, so it is opened when the first file of C or C++
 * comes. Names are tried from the version that Debian has to the others that are known to work; ASSAY_LIBCLANG names
 * one. A library without the kinds of operators is older than 17 and is refused. */
#include "read/c/clang.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <stdio.h>

static void *open_library(void) {
  static const int versions[] = {19, 18, 17, 20, 21, 22};
  const char *own = getenv("ASSAY_LIBCLANG");
  char name[64];
  if (own && *own) return dlopen(own, RTLD_NOW | RTLD_LOCAL);
  for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++) {
    static const char *const forms[] = {"libclang-%d.so.1", "libclang-%d.so.%d", "libclang.so.%d",
                                        "/usr/lib/llvm-%d/lib/libclang.so.1"};
    for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
      snprintf(name, sizeof name, forms[k], versions[i], versions[i]);
      void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library) return library;
    }
  }
  return NULL;
}

static bool fill(Clang *clang, void *library) {
  bool whole = true;
#define FILL(result, name, parameters)                                                                                 \
  *(void **)&clang->name = dlsym(library, "clang_" #name);                                                             \
  whole &= clang->name != NULL;
  CLANG_FUNCTIONS(FILL)
#undef FILL
  return whole;
}

const Clang *clang_load(const char **missing) {
  static Clang clang;
  static void *library;
  static bool is_tried, is_whole;
  if (!is_tried) {
    library = open_library();
    is_whole = library && fill(&clang, library);
    is_tried = true;
  }
  *missing = !library   ? "libclang is not installed"
             : is_whole ? NULL
                        : "the libclang that is installed is older than 17";
  return is_whole ? &clang : NULL;
}
