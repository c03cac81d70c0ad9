/* Which operations make an integer of a float: casts, and the functions of libraries that do (llrint, float2int_rn).
 *
 * All of them are undefined where the number does not fit the type (semantics.md, section 3), whatever becomes of the
 * result. A function that looks at the bits or the kind of a number (isnan, float_as_int, ilogb) is none. */
#include <string.h>

#include "analysis/analysis.h"

bool analysis_is_conversion(const Program *p, const Op *op) {
  static const char *const parts[] = {"rint", "round", "2int", "2uint", "2ll", "2ull"};
  if (op->code == OP_ARITH_FPTOSI || op->code == OP_ARITH_FPTOUI) return true;
  if (op->code != OP_TT_EXTERN_ELEMENTWISE || op->operand_count != 1) return false;
  const char *symbol = program_op_text(p, op, "symbol");
  TypeId from = program_element_type(p, program_get_value(p, op->operands[0])->type),
         to = program_element_type(p, program_get_value(p, op->first_result)->type);
  if (program_get_type(p, from)->kind != TYPE_FLOAT || program_get_type(p, to)->kind != TYPE_INT) return false;
  for (size_t i = 0; symbol && i < sizeof parts / sizeof *parts; i++)
    if (strstr(symbol, parts[i])) return true;
  return false;
}

bool analysis_converts_unsigned(const Program *p, const Op *op) {
  const char *symbol = op->code == OP_TT_EXTERN_ELEMENTWISE ? program_op_text(p, op, "symbol") : NULL;
  return op->code == OP_ARITH_FPTOUI || (symbol && (strstr(symbol, "2uint") || strstr(symbol, "2ull")));
}
