/* What is assumed of float arguments (kind `positive`, semantics section 2): as little as will do.
 *
 * Values are looked at with nothing granted. Where something stays open and a sign was asked for, they are looked at
 * once more with every sign granted that is asked for; if that shows more, each of those that were used is weakened as
 * far as no less is shown: to nothing, to `!= 0`, to `>= 0`. So nothing is assumed that a search which failed would
 * have liked, and nothing that relates two arguments. What the facts at hand exclude is never granted: under the guard
 * a < 0 a root of a is an error, and no reason to assume a >= 0. */
#include <string.h>

#include "prove/equal.h"
#include "prove/guards.h"
#include "safety/obligations_internal.h"

enum { MOST_SIGNS = 16 };

/* ---- asking ---- */

static bool knows_no_sign(void *payload, Term t, bool strictly) {
  (void)payload, (void)t, (void)strictly;
  return false;
}

/* True if the facts say that t is 0. */
static bool is_zero(const TermTable *tt, Term t) {
  for (uint32_t i = 0; i < tt->facts.count; i++) {
    Term fact = tt->facts.data[i];
    if (term_kind(tt, fact) == TERM_EQ && term_count(tt, fact) == 1 && term_arg(tt, fact, 0) == t) return true;
  }
  return false;
}

/* Of `>= 0` beside `<= 0` nothing but 0 is left, for which no kernel is made. */
static bool is_excluded(TermTable *tt, Term t, ScalarSign asked) {
  if (is_zero(tt, t)) return true;
  return (asked & SCALAR_NONNEGATIVE) && guards_bound(tt, term_neg(tt, t), false, knows_no_sign, NULL);
}

static ScalarAssumption *find(Safety *s, Term t) {
  ScalarSigns *signs = s->signs;
  const char *text = term_message(s->tt, t);
  uint32_t at = 0;
  while (at < signs->count && strcmp(signs->data[at].text, text)) at++;
  if (at == MOST_SIGNS) return NULL;
  if (at == signs->count) array_push(s->arena, signs, ((ScalarAssumption){.text = text}));
  for (uint32_t i = 0; i < s->on->ex->params.count; i++)
    if (s->on->ex->params.data[i].symbol == t) signs->data[at].param = i + 1;
  return &signs->data[at];
}

/* Made of one float argument and literals alone. */
static bool is_of_one_argument(TermTable *tt, Term t) {
  if ((term_node(tt, t)->flags & ~(TERM_HAS_REAL | TERM_HAS_PARTIAL)) || term_sort(tt, t) != SORT_REAL) return false;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  return symbols.count == 1 && term_symbol(tt, symbols.data[0])->role == SYMBOL_SCALAR;
}

bool safety_takes(Safety *s, Term t, ScalarSign asked) {
  if (!s->signs || !is_of_one_argument(s->tt, t) || is_excluded(s->tt, t, asked)) return false;
  ScalarAssumption *assumed = find(s, t);
  if (!assumed) return false;
  s->signs->is_asked = true;
  assumed->asked |= (uint8_t)(1u << asked);
  if (!s->signs->grants_all && (asked & ~assumed->granted)) return false;
  assumed->used |= (uint8_t)asked;
  return true;
}

static void move_uses(Safety *s, bool of_all) {
  for (uint32_t i = 0; s->signs && i < s->signs->count; i++) {
    ScalarAssumption *assumed = &s->signs->data[i];
    assumed->used_ever |= assumed->used;
    if (of_all) assumed->used_by_all |= assumed->used;
    assumed->used = 0;
  }
}

/* The second execution, with NaN where infinities meet, is about every obligation. */
void safety_takes_anew(Safety *s) { move_uses(s, s->on->ex->options.keeps_infinities); }
void safety_takes_for_all(Safety *s) { move_uses(s, true); }

/* ---- stating ---- */

/* The sign of a float argument that nothing is computed of. */
static void say_sign(const Safety *s, const ScalarAssumption *assumed, Assumption *a) {
  const Effects *ex = s->report->ex;
  if (!assumed->param) return;
  Term t = ex->params.data[assumed->param - 1].symbol;
  term_symbol(ex->tt, t)->axis |= SYMBOL_IS_DRAWN_POSITIVE;
  a->scalar = t, a->sign = assumed->granted;
  a->of_values = assumed->granted == SCALAR_POSITIVE      ? term_lt(ex->tt, ex->tt->zero, t)
                 : assumed->granted == SCALAR_NONNEGATIVE ? term_le(ex->tt, ex->tt->zero, t)
                                                          : term_not(ex->tt, term_eq(ex->tt, t, ex->tt->zero));
}

static uint32_t state(Safety *s, const ScalarAssumption *assumed) {
  static const char *const relations[] = {"", "!=", ">=", ">"};
  const char *text = arena_format(s->arena, "%s %s 0", assumed->text, relations[assumed->granted]);
  const char *why = assumed->granted == SCALAR_NONZERO       ? "the kernel divides by it"
                    : assumed->granted == SCALAR_NONNEGATIVE ? "the kernel takes a root of it"
                                                             : "the kernel divides by it or takes a root of it";
  uint32_t number = safety_assume(s, ASSUME_POSITIVE, 0, text, why, NULL);
  say_sign(s, assumed, &s->report->assumptions.data[number]);
  return number;
}

void safety_rests_on_signs(Safety *s, Obligation *o, bool of_all) {
  for (uint32_t i = 0; s->signs && !s->signs->grants_all && i < s->signs->count; i++) {
    const ScalarAssumption *assumed = &s->signs->data[i];
    bool is_used = of_all ? assumed->used_by_all : assumed->used;
    if (assumed->granted && is_used && o->verdict == OBLIGATION_PROVED) safety_rests_on(s, o, state(s, assumed));
  }
}

/* ---- the weakest ---- */

typedef struct Before {
  Claim report;
  Array(Obligation) obligations;
} Before;

static void look(Safety *s, const Before *before) {
  s->report->obligations.data = NULL, s->report->obligations.count = s->report->obligations.capacity = 0;
  for (uint32_t i = 0; i < before->obligations.count; i++)
    array_push(s->arena, &s->report->obligations, before->obligations.data[i]);
  s->report->assumptions.count = before->report.assumptions.count;
  s->report->undefined_where = before->report.undefined_where;
  for (uint32_t i = 0; i < s->signs->count; i++) {
    ScalarAssumption *assumed = &s->signs->data[i];
    assumed->used = assumed->used_by_all = assumed->used_ever = 0;
  }
  safety_undefined(s);
  safety_conversions(s);
  safety_takes_anew(s);
}

/* How much is not shown. */
static uint32_t open_count(const Safety *s) {
  uint32_t open = s->report->undefined_where != NULL;
  for (uint32_t i = 0; i < s->report->obligations.count; i++)
    open += s->report->obligations.data[i].verdict != OBLIGATION_PROVED;
  return open;
}

static void weaken(Safety *s, const Before *before, ScalarAssumption *assumed, uint32_t best) {
  uint8_t full = assumed->granted;
  for (uint8_t less = 0; less < full; less++) {
    if (less && !(assumed->asked & 1u << less)) continue; /* nothing would do with that */
    assumed->granted = less;
    look(s, before);
    if (open_count(s) <= best) return;
  }
  assumed->granted = full;
}

void safety_values(Safety *s) {
  ScalarSigns *signs = s->signs = arena_new(s->arena, ScalarSigns);
  Before before = {.report = *s->report};
  for (uint32_t i = 0; i < s->report->obligations.count; i++)
    array_push(s->arena, &before.obligations, s->report->obligations.data[i]);
  look(s, &before);
  uint32_t worst = open_count(s);
  if (!signs->is_asked || !worst) return;
  signs->grants_all = true;
  look(s, &before);
  signs->grants_all = false;
  uint32_t best = open_count(s);
  for (uint32_t i = 0; i < signs->count; i++) signs->data[i].granted = best < worst ? signs->data[i].used_ever : 0;
  for (uint32_t i = 0; i < signs->count && best < worst; i++)
    if (signs->data[i].granted) weaken(s, &before, &signs->data[i], best);
  look(s, &before);
}
