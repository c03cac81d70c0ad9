/* Which function writes for which target of --emit. */
#include <string.h>

#include "emit/emit.h"

static const struct Target {
  const char *name;
  EmitFunction *emit;
} targets[] = {
    {"numpy", emit_numpy}, {"pytorch", emit_pytorch},
    {"jax", emit_jax},     {"tensorflow", emit_tensorflow},
    {"mlx", emit_mlx},     {"c", emit_c},
    {"tpc", emit_tpc},     {"gemmini", emit_gemmini},
};

EmitFunction *emit_find(const char *name) {
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (!strcmp(targets[i].name, name)) return targets[i].emit;
  return NULL;
}
