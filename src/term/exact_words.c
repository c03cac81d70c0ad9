/* The words of the exact text of terms, and the sort of a node as it follows from its arguments: what has another one
 * is written with it (exact.h). */
#include "term/exact_words.h"

#include <string.h>

const char *exact_call_name(TermKind kind) {
  static const char *const names[TERM_KIND_COUNT] = {
      [TERM_FLOORDIV] = "div", [TERM_MIN] = "min",      [TERM_MAX] = "max",
      [TERM_ABS] = "abs",      [TERM_FLOOR] = "floor",  [TERM_CEIL] = "ceil",
      [TERM_ROUND] = "round",  [TERM_TRUNC] = "trunc",  [TERM_LE] = "le",
      [TERM_LT] = "lt",        [TERM_EQ] = "eq",        [TERM_IS_INF] = "isposinf",
      [TERM_SELECT] = "where", [TERM_IS_NAN] = "isnan", [TERM_IS_NEG_INF] = "isneginf"};
  return names[kind];
}

static const char *const sort_names[] = {"int", "real", "bool", "ptr"};

const char *exact_sort_name(TermSort sort) { return sort_names[sort]; }

bool exact_sort_of_name(const char *name, TermSort *sort) {
  for (uint32_t i = 0; i < 4; i++)
    if (!strcmp(name, sort_names[i])) return *sort = (TermSort)i, true;
  return false;
}

bool exact_is_word(const char *name) {
  static const char *const words[] = {"inf", "neginf", "nan",   "true",  "false", "undefined", "not", "and",
                                      "or",  "opaque", "recur", "where", "at",    "let",       "none"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(name, words[i])) return true;
  for (uint32_t k = 0; k < TERM_KIND_COUNT; k++)
    if (exact_call_name((TermKind)k) && !strcmp(name, exact_call_name((TermKind)k))) return true;
  for (uint32_t k = 0; k < FN_COUNT; k++)
    if (!strcmp(name, term_fn_name((TermFn)k))) return true;
  for (uint32_t k = 0; k < FOLD_OP_COUNT; k++)
    if (!strcmp(name, term_fold_name((TermFoldOp)k))) return true;
  return !strncmp(name, "wrap", 4);
}

static TermSort widest(const TermTable *tt, uint32_t count, const Term *args) {
  for (uint32_t i = 0; i < count; i++)
    if (term_sort(tt, args[i]) != SORT_INT) return term_sort(tt, args[i]);
  return SORT_INT;
}

static TermSort product_sort(const TermTable *tt, uint32_t count, const Term *args) {
  for (uint32_t i = 0; i < count; i += 2) {
    Rational e = term_rat(tt, args[i + 1]);
    if (term_sort(tt, args[i]) == SORT_REAL || e.num < 0 || e.den != 1) return SORT_REAL;
  }
  return SORT_INT;
}

static TermSort fold_sort(const TermTable *tt, TermFoldOp op, Term body) {
  switch (op) {
  case FOLD_SUM:
  case FOLD_PROD:
  case FOLD_MAX:
  case FOLD_MIN:
  case FOLD_XOR: return term_sort(tt, body);
  case FOLD_ANY:
  case FOLD_ALL: return SORT_BOOL;
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  return SORT_INT;
}

TermSort exact_sort(const TermTable *tt, TermKind kind, uint32_t aux, uint32_t count, const Term *args) {
  switch (kind) {
  case TERM_RAT: return tt->rationals.data[aux].den == 1 ? SORT_INT : SORT_REAL;
  case TERM_SYM: return tt->symbols.data[aux].sort;
  case TERM_INF:
  case TERM_NEG_INF:
  case TERM_NAN:
  case TERM_OPAQUE: return SORT_REAL;
  case TERM_NONE:
  case TERM_KIND_COUNT:
  case TERM_BOUND:
  case TERM_STATE:
  case TERM_UNDEF:
  case TERM_FLOORDIV:
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC:
  case TERM_WRAP: return SORT_INT;
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ:
  case TERM_IS_INF:
  case TERM_IS_NEG_INF:
  case TERM_IS_NAN:
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR: return SORT_BOOL;
  case TERM_PTR: return SORT_PTR;
  case TERM_READ:
  case TERM_ABS: return term_sort(tt, args[0]);
  case TERM_ADD:
  case TERM_MIN:
  case TERM_MAX: return widest(tt, count, args);
  case TERM_SELECT: return widest(tt, count - 1, args + 1);
  case TERM_MUL: return product_sort(tt, count, args);
  case TERM_FN: return term_fn_info((TermFn)aux)->sort;
  case TERM_FOLD: return fold_sort(tt, (TermFoldOp)aux, args[3]);
  case TERM_RECUR: return term_sort(tt, args[1 + aux % RECUR_STATES]);
  }
  return SORT_INT;
}
