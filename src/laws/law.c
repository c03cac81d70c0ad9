/* Laws: reading the table, matching, conditions (see law.h, laws.def). */
#include "laws/law.h"

#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

typedef struct LawRow {
  const char *name, *functions, *left, *right, *both, *forward, *backward;
  LawUse use;
} LawRow;

static const LawRow rows[] = {
#define LAW(name, use, left, right, both, forward, backward)                                                           \
  {#name, NULL, left, right, both, forward, backward, LAW_##use},
#define LAWS(name, use, functions, left, right, both, forward, backward)                                               \
  {#name, functions, left, right, both, forward, backward, LAW_##use},
#include "laws/laws.def"
#undef LAW
#undef LAWS
};

typedef struct ConditionRow {
  const char *name;
  uint32_t count;
} ConditionRow;

static const ConditionRow conditions[] = {
    [LAW_ANY] = {"any", 0},         [LAW_POS] = {"pos", 1},         [LAW_NONNEG] = {"nonneg", 1},
    [LAW_NONZERO] = {"nonzero", 1}, [LAW_NEG] = {"neg", 1},         [LAW_RATIONAL] = {"rational", 1},
    [LAW_WHOLE] = {"whole", 1},     [LAW_LE] = {"le", 2},           [LAW_FREE] = {"free", 2},
    [LAW_SOME] = {"some", 2},       [LAW_REACHED] = {"reached", 3}, [LAW_TOTAL] = {"total", 1},
    [LAW_POWERS] = {"powers", 3},   [LAW_TOWER] = {"tower", 3},     [LAW_SPREAD] = {"spread", 3},
};

_Noreturn static void malformed(const LawTable *table, const LawRow *row) {
  guard_throw(table->expressions->arena->guard, GUARD_INTERNAL, "law %s is malformed", row->name);
}

static int32_t place_of(const Law *law, char letter) {
  for (uint32_t i = 0; i < law->variable_count; i++)
    if (law->variables[i] == letter) return (int32_t)i;
  return -1;
}

static void find_variables(const LawTable *table, Law *law, const LawRow *row, Expression e) {
  ExpressionNode n = *expression_node(table->expressions, e);
  if (n.op == EXPRESSION_VARIABLE && place_of(law, (char)n.aux) < 0) {
    if (law->variable_count == LAW_VARIABLES) malformed(table, row);
    law->variables[law->variable_count++] = (char)n.aux;
  }
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++) find_variables(table, law, row, n.args[i]);
}

static void read_conditions(const LawTable *table, Law *law, const LawRow *row, const char *text, LawConditions *out) {
  char part[40], word[4][12];
  while (*text) {
    size_t length = strcspn(text, ";");
    if (length >= sizeof part || out->count == LAW_CONDITIONS) malformed(table, row);
    memcpy(part, text, length);
    part[length] = 0;
    text += length + (text[length] == ';');
    int words = sscanf(part, "%11s %11s %11s %11s", word[0], word[1], word[2], word[3]);
    LawCondition c = {0};
    uint32_t kinds = sizeof conditions / sizeof *conditions, kind = 0;
    while (words > 0 && kind < kinds && strcmp(conditions[kind].name, word[0])) kind++;
    if (words < 1 || kind == kinds || conditions[kind].count != (uint32_t)words - 1) malformed(table, row);
    c.kind = (LawConditionKind)kind, c.count = conditions[kind].count;
    for (uint32_t i = 0; i < c.count; i++) {
      bool truth = !strcmp(word[i + 1], "true"), number = truth || (word[i + 1][0] >= '0' && word[i + 1][0] <= '9');
      c.args[i] = number ? -1 : place_of(law, word[i + 1][0]);
      c.numbers[i] = truth    ? table->expressions->tt->true_
                     : number ? term_int(table->expressions->tt, word[i + 1][0] - '0')
                              : 0;
      if (!number && c.args[i] < 0) malformed(table, row);
    }
    if (c.kind == LAW_ANY)
      law->infinite = true;
    else
      out->data[out->count++] = c;
  }
}

/* The text with `function` for F. */
static const char *filled(Arena *arena, const char *text, const char *function, size_t length) {
  Text out = text_new(arena);
  for (; *text; text++) {
    if (*text == 'F')
      text_append(&out, function, length);
    else
      text_char(&out, *text);
  }
  return text_string(&out);
}

static void add_law(LawTable *table, const LawRow *row, const char *name, const char *left, const char *right) {
  Law law = {.name = name, .left_text = left, .right_text = right, .use = row->use};
  law.left = expression_read(table->expressions, &left), law.right = expression_read(table->expressions, &right);
  if (!law.left || !law.right || *left || *right) malformed(table, row);
  find_variables(table, &law, row, law.left);
  find_variables(table, &law, row, law.right);
  read_conditions(table, &law, row, row->both, &law.both);
  read_conditions(table, &law, row, row->forward, &law.forward);
  read_conditions(table, &law, row, row->backward, &law.backward);
  array_push(table->expressions->arena, &table->laws, law);
}

/* The names that a row lists, or those of the functions with the trait that it names. */
static const char *functions_of(Arena *arena, const char *text) {
  bool odd = !strcmp(text, "ODD"), growing = !strcmp(text, "GROWING"), both = !strcmp(text, "ODD_GROWING");
  if (!odd && !growing && !both) return text;
  Text names = text_new(arena);
  for (int fn = 0; fn < FN_COUNT; fn++) {
    TermFnTrait trait = term_fn_info((TermFn)fn)->trait;
    if (trait == FN_TRAIT_ODD_GROWING || (odd && trait == FN_TRAIT_ODD) || (growing && trait == FN_TRAIT_GROWING))
      text_format(&names, "%s%s", names.count ? " " : "", term_fn_name((TermFn)fn));
  }
  return text_string(&names);
}

LawTable *law_table_new(ExpressionTable *expressions) {
  Arena *arena = expressions->arena;
  LawTable *table = arena_new(arena, LawTable);
  table->expressions = expressions;
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const LawRow *row = &rows[i];
    if (!row->functions) add_law(table, row, row->name, row->left, row->right);
    for (const char *f = row->functions ? functions_of(arena, row->functions) : NULL; f && *f;) {
      size_t length = strcspn(f, " ");
      add_law(table, row, arena_format(arena, "%s_%.*s", row->name, (int)length, f),
              filled(arena, row->left, f, length), filled(arena, row->right, f, length));
      f += length + (f[length] == ' ');
    }
  }
  return table;
}

const Law *law_find(const LawTable *table, const char *name, size_t length) {
  for (uint32_t i = 0; i < table->laws.count; i++)
    if (strlen(table->laws.data[i].name) == length && !memcmp(table->laws.data[i].name, name, length))
      return &table->laws.data[i];
  return NULL;
}

/* ---- matching ---- */

static bool match(const LawTable *table, const Law *law, Expression pattern, Expression e, LawInstance *out) {
  ExpressionNode p = *expression_node(table->expressions, pattern), n = *expression_node(table->expressions, e);
  if (p.op == EXPRESSION_VARIABLE) {
    int32_t at = place_of(law, (char)p.aux);
    if (at < 0) return false;
    if (!out->expressions[at]) out->expressions[at] = e;
    return out->expressions[at] == e;
  }
  if (p.op != n.op || p.aux != n.aux) return false;
  for (uint32_t i = 0; i < expression_op_arity(p.op); i++)
    if (!match(table, law, p.args[i], n.args[i], out)) return false;
  return true;
}

bool law_match(const LawTable *table, const Law *law, Expression left, Expression right, LawInstance *out) {
  *out = (LawInstance){0};
  if (!match(table, law, law->left, left, out) || !match(table, law, law->right, right, out)) return false;
  for (uint32_t i = 0; i < law->variable_count; i++)
    if (!(out->terms[i] = expression_term(table->expressions, out->expressions[i]))) return false;
  return true;
}

/* ---- conditions ---- */

static bool is_known(TermTable *tt, Term condition) { return condition == tt->true_ || term_prove_true(tt, condition); }
static bool is_pos(TermTable *tt, Term t) { return term_is_positive(tt, t) || is_known(tt, term_lt(tt, tt->zero, t)); }
static bool is_nonneg(TermTable *tt, Term t) {
  return term_is_nonnegative(tt, t) || is_known(tt, term_le(tt, tt->zero, t)) || is_pos(tt, t);
}
static bool is_nonzero(TermTable *tt, Term t) {
  return term_is_nonzero(tt, t) || is_known(tt, term_not(tt, term_eq(tt, t, tt->zero))) || is_pos(tt, t) ||
         is_pos(tt, term_neg(tt, t));
}

static bool is_le(TermTable *tt, Term a, Term b) {
  return is_known(tt, term_le(tt, a, b)) || is_nonneg(tt, term_sub(tt, b, a));
}

static bool is_whole(const TermTable *tt, Term t) { return term_is_rat(tt, t) && term_rat(tt, t).den == 1; }

/* a^p a^q = a^(p + q), each side defined where the other is. */
static bool powers_join(TermTable *tt, Term a, Term p, Term q) {
  if (!term_is_rat(tt, p) || !term_is_rat(tt, q)) return false;
  bool up = term_rat(tt, p).num > 0 && term_rat(tt, q).num > 0;
  if (is_pos(tt, a) || (up && is_nonneg(tt, a))) return true;
  return is_whole(tt, p) && is_whole(tt, q) && (up || is_nonzero(tt, a));
}

/* (a^p)^q = a^(p q). */
static bool powers_stack(TermTable *tt, Term a, Term p, Term q) {
  if (!term_is_rat(tt, p) || !term_is_rat(tt, q)) return false;
  bool up = term_rat(tt, p).num > 0 && term_rat(tt, q).num > 0;
  bool one_down = (term_rat(tt, p).num > 0 && term_rat(tt, q).num < 0) ||
                  (term_rat(tt, p).num < 0 && term_rat(tt, q).num > 0); /* no value at 0 on either side */
  if (is_pos(tt, a) || (up && is_nonneg(tt, a))) return true;
  return is_whole(tt, p) && is_whole(tt, q) && (up || one_down || is_nonzero(tt, a));
}

/* (a b)^p = a^p b^p. */
static bool powers_spread(TermTable *tt, Term a, Term b, Term p) {
  return term_is_rat(tt, p) &&
         (is_whole(tt, p) || is_pos(tt, a) || is_pos(tt, b) || (is_nonneg(tt, a) && is_nonneg(tt, b)));
}

/* The index stands for one place at least, and there the guard holds. */
static bool is_some(TermTable *tt, Term index, Term guard) {
  if (term_kind(tt, index) != TERM_SYM) return false;
  const Symbol *s = term_symbol(tt, index);
  return guard == tt->true_ && s->lo && s->hi && term_prove_le(tt, s->lo, s->hi);
}

static bool holds(const LawTable *table, const LawCondition *c, const LawInstance *in) {
  TermTable *tt = table->expressions->tt;
  Term a[3] = {0};
  Expression e[3] = {0};
  for (uint32_t i = 0; i < c->count; i++) {
    a[i] = c->args[i] < 0 ? c->numbers[i] : in->terms[c->args[i]];
    if (c->args[i] >= 0) e[i] = in->expressions[c->args[i]];
    if (!a[i]) return false;
  }
  switch (c->kind) {
  case LAW_ANY: return true;
  case LAW_POS: return is_pos(tt, a[0]);
  case LAW_NONNEG: return is_nonneg(tt, a[0]);
  case LAW_NONZERO: return is_nonzero(tt, a[0]);
  case LAW_NEG: return is_pos(tt, term_neg(tt, a[0]));
  case LAW_RATIONAL: return term_is_rat(tt, a[0]);
  case LAW_WHOLE: return is_whole(tt, a[0]);
  case LAW_LE: return is_le(tt, a[0], a[1]);
  case LAW_FREE:
    return e[0] && e[1]
               ? !(expression_node(table->expressions, e[0])->free & expression_node(table->expressions, e[1])->free)
               : !term_has_symbol(tt, a[1], a[0]);
  case LAW_SOME: return is_some(tt, a[0], a[1]);
  case LAW_REACHED: return is_some(tt, a[0], a[1]) || !e[2] || expression_is_defined(table->expressions, e[2], 0);
  case LAW_TOTAL: return !e[0] || expression_is_defined(table->expressions, e[0], 0);
  case LAW_POWERS: return powers_join(tt, a[0], a[1], a[2]);
  case LAW_TOWER: return powers_stack(tt, a[0], a[1], a[2]);
  case LAW_SPREAD: return powers_spread(tt, a[0], a[1], a[2]);
  }
  return false;
}

static bool all_hold(const LawTable *table, const LawConditions *c, const LawInstance *in) {
  for (uint32_t i = 0; i < c->count; i++)
    if (!holds(table, &c->data[i], in)) return false;
  return true;
}

bool law_holds(const LawTable *table, const Law *law, const LawInstance *in, bool backward) {
  TermTable *tt = table->expressions->tt;
  for (uint32_t i = 0; i < law->variable_count; i++)
    if (!in->terms[i] ||
        (!law->infinite && term_sort(tt, in->terms[i]) != SORT_BOOL && !term_is_finite(tt, in->terms[i])))
      return false;
  return all_hold(table, &law->both, in) && all_hold(table, backward ? &law->backward : &law->forward, in);
}
