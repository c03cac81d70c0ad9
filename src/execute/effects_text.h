/* Between effects_print.c and effects_read.c: the words of both. */
#ifndef ASSAY_EXECUTE_EFFECTS_TEXT_H
#define ASSAY_EXECUTE_EFFECTS_TEXT_H

#include "execute/effects.h"

extern const char *const effects_roles[]; /* by SymbolRole */
enum { EFFECTS_ROLE_COUNT = SYMBOL_TENSOR + 1 };

typedef struct EffectsFlag {
  const char *word;
  size_t offset; /* of a bool */
} EffectsFlag;
extern const EffectsFlag effects_param_flags[], effects_run_flags[]; /* up to a NULL word */

const char *effects_type_text(Arena *arena, const Program *program, TypeId type);

#endif
