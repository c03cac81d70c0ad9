/* What the command line says to readers. */
#ifndef ASSAY_READ_OPTIONS_H
#define ASSAY_READ_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ReadOptions {
  const char *const *arguments; /* for clang */
  uint32_t argument_count;
  const char *const *opaque; /* names of functions whose calls are unknown functions of their arguments */
  uint32_t opaque_count;
  bool keeps_going; /* what does not compile of C costs the functions that mention it, not the file */
} ReadOptions;

/* True if a function of that name is in `opaque`. */
bool read_is_opaque(const ReadOptions *options, const char *name);

#endif
