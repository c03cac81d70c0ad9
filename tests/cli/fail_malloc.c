/* Preloaded: from the FAIL_FROM-th allocation of the process on, or at the FAIL_AT-th alone, there is no memory. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static long count, from = -1, at;

static int fails(void) {
  if (from < 0) {
    const char *first = getenv("FAIL_FROM"), *only = getenv("FAIL_AT");
    from = first ? atol(first) : 0;
    at = only ? atol(only) : 0;
  }
  count++;
  if (!(from && count >= from) && count != at) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }
