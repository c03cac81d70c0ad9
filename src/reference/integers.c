/* Widths of integers. A tensor expression is of whole numbers, which have none.
 *
 * Integers of 8 and 16 bits wrap in everyday use, and numbers beside them are cut to their type: of these only what
 * cannot leave the type is read. Wider ones are assumed to stay inside theirs where there is arithmetic on what an
 * input holds (Reference.may_wrap). */
#include <string.h>

#include "reference/internal.h"

bool type_is_narrow(char type) { return type == 'n' || type == '?'; }

bool value_yields(const Value *v) { return v->kind == VALUE_TENSOR && (v->is_number || !v->tensor->rank); }

/* A number that every type of 8 bits has; that of signed ones, or of unsigned ones, if `like` is known to be one. */
static bool fits_narrow(Evaluator *e, const Value *v, const Value *like) {
  int64_t number;
  bool is_signed = like->dtype && !strncmp(like->dtype, "int", 3), is_unsigned = like->dtype && *like->dtype == 'u';
  return int_value(e, v, &number) && number >= (is_signed ? -128 : 0) && number <= (is_unsigned ? 255 : 127);
}

bool narrow_is_kept(Evaluator *e, const char *op, const Value *a, const Value *b) {
  bool divides = *op == '%' || !strcmp(op, "//");
  if (!divides && !strchr("&|^", *op) && strcmp(op, ">>") != 0) return false;
  if (value_yields(a) && !fits_narrow(e, a, b)) return false;
  if (!value_yields(b)) return strcmp(op, "//") != 0; /* -128 // -1 */
  int64_t number = 0;
  return fits_narrow(e, b, a) && int_value(e, b, &number) && (!divides || number > 0);
}

bool narrow_beside(Evaluator *e, const PyNode *n, const Value *v, const Value *narrow) {
  char type = value_type(v);
  bool cut = !e->is_formula && value_yields(v) && !value_yields(narrow) && type_is_narrow(value_type(narrow)) &&
             type != 'f' && type != 'b';
  if (!cut || fits_narrow(e, v, narrow)) return true;
  return reference_fail(e, n, "reference.integer", "convert the tensor first: x.int()",
                        "a number beside integers of 8 or 16 bits is cut to their type"),
         false;
}

bool integers_fit(Evaluator *e, const PyNode *n, const char *what, const Value *result) {
  char type = value_type(result);
  if (e->is_formula || !type || type == 'f' || type == 'b') return true;
  if (type_is_narrow(type))
    return reference_fail(e, n, "reference.integer", "convert them first: x.int()",
                          "%s of integers of 8 or 16 bits, which wraps, is not read", what),
           false;
  e->r->may_wrap |= !result->is_number && result->tensor->place < TENSOR_PLACE_INDEX;
  return true;
}
