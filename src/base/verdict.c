#include "base/verdict.h"

#include <stddef.h>
#include <stdint.h>

const char *verdict_name(Verdict verdict) {
  static const char *const names[] = {NULL, "proved", "refuted", "bounded", "probable", "unknown"};
  return names[verdict];
}

Verdict verdict_worse(Verdict a, Verdict b) {
  static const uint8_t rank[] = {0, 1, 5, 2, 3, 4}; /* by Verdict */
  return rank[a] > rank[b] ? a : b;
}
