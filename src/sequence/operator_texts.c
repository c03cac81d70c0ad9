/* What a launch has assumed and found, in the operation's names: assumptions, obligations, witnesses (step 5 of
 * operator.c). */
#include "sequence/operator_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "safety/obligations.h"
#include "sample/sample.h"

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

/* Of "NAME = 1, M = 5" with a name that has become 1: what is behind it. NULL: it is not that. */
static const char *behind_itself(const char *rest, const char *by) {
  size_t n = strlen(by);
  if (by[strspn(by, "0123456789")] || strncmp(rest, " = ", 3) || strncmp(rest + 3, by, n) || is_word(rest[3 + n]))
    return NULL;
  return rest + 3 + n;
}

/* The name stands alone or beside a comparison, or its expression needs no parentheses. */
static bool stands_alone(const Text *before, const char *by, const char *behind) {
  if (operator_is_plain_name(by) || !by[strspn(by, "0123456789")]) return true;
  size_t end = before->count;
  while (end && before->data[end - 1] == ' ') end--;
  behind += strspn(behind, " ");
  return !(end && strchr("+-*/%", before->data[end - 1])) && !(*behind && strchr("+-*/%", *behind));
}

/* What a name of the kernel's is in the operation: a name or an expression. */
static const char *name_in_operation(const Bound *b, const char *name) {
  size_t own = strlen(LAUNCH_OWN);
  if (!strncmp(name, LAUNCH_OWN, own)) return name + own;
  for (uint32_t i = b->renames.count; i-- > 0;)
    if (!strcmp(b->renames.data[i].from, name)) return b->renames.data[i].to;
  return name;
}

/* A message of a launch as a text of the operation. */
static const char *in_operation(Operator *o, const Bound *b, const char *message) {
  if (!message) return NULL;
  Text out = text_new(o->arena);
  for (MessagePart part; message_part(&message, &part);) {
    const char *text = arena_copy(o->arena, part.text, part.size);
    const char *by = part.is_name ? name_in_operation(b, text) : text, *behind = behind_itself(message, by);
    if (part.is_name && behind) {
      if (!strncmp(behind, ", ", 2))
        behind += 2;
      else if (out.count > 2 && !strncmp(text_string(&out) + out.count - 2, ", ", 2))
        out.count -= 2;
      message = behind;
    } else
      text_format(&out, !part.is_name || stands_alone(&out, by, message) ? "%s" : "(%s)", by);
  }
  return text_string(&out);
}

static const uint32_t HOLDS = UINT32_MAX, FAILS = UINT32_MAX - 1; /* an assumption that needs none; of another launch */

uint32_t operator_assume_sizes(Operator *o) {
  Text sizes = text_new(o->arena);
  for (uint32_t i = 0; i < o->tt->symbols.count; i++) {
    const Symbol *s = &o->tt->symbols.data[i];
    if (s->sort != SORT_INT || s->role != SYMBOL_SIZE || !s->lo || !term_prove_le(o->tt, o->tt->one, s->lo)) continue;
    bool named = false;
    for (uint32_t k = 0; k < o->names->count; k++) named |= o->names->data[k].term == s->term;
    for (uint32_t k = 0; k < o->named.count; k++) named |= o->named.data[k].symbol == s->term;
    if (named) text_format(&sizes, "%s%s", sizes.count ? ", " : "", term_name(o->tt, s->term));
  }
  if (!sizes.count) return HOLDS;
  text_add(&sizes, " >= 1");
  uint32_t number = operator_assume(o, ASSUME_RANGE, 0, text_string(&sizes), "sizes are not empty", NULL);
  o->out->assumptions.data[number].of_sizes = true;
  return number;
}

/* The strides of an output do not make elements overlap, by those that the launch is given. */
static bool is_of_places(Operator *o, const Bound *b, const Assumption *a) {
  const PointwiseTensor *own = a->apart ? pointwise_tensor(b->claim->pointwise, a->apart) : NULL;
  return own && own->is_written && operator_has_places(o, b, own);
}

void operator_swap_ranges(Operator *o) {
  for (uint32_t i = 0; i < o->wide.count; i++) {
    Wide *w = &o->wide.data[i];
    Symbol *s = term_symbol(o->tt, w->symbol);
    Term lo = s->lo, hi = s->hi;
    term_symbol_range(o->tt, w->symbol, w->lo, w->hi);
    w->lo = lo, w->hi = hi;
  }
}

static void push_user(Operator *o) {
  for (uint32_t i = 0; i < o->out->assumptions.count; i++)
    if (o->out->assumptions.data[i].kind == ASSUME_USER && o->out->assumptions.data[i].condition)
      term_push_fact(o->tt, o->out->assumptions.data[i].condition);
}

/* An equation from both sides. */
static bool is_shown(TermTable *tt, Term condition) {
  if (term_prove_true(tt, condition)) return true;
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return false;
  Term e = term_arg(tt, condition, 0);
  return term_prove_le(tt, e, tt->zero) && term_prove_le(tt, tt->zero, e);
}

/* What a launch assumes has narrowed the ranges of its symbols, and would be true by them: it is judged by the types
 * and by what the user assumes. */
static Term own_condition(Operator *o, const Bound *b, const Assumption *a) {
  if (!a->condition || a->kind == ASSUME_RANGE) return a->condition ? importer_term(b->importer, a->condition) : 0;
  operator_swap_ranges(o);
  uint32_t facts = o->tt->facts.count;
  if (a->kind != ASSUME_USER) push_user(o);
  Term condition = importer_term(importer_again(b->importer), a->condition);
  if (is_shown(o->tt, condition)) condition = o->tt->true_;
  term_pop_facts(o->tt, facts);
  operator_swap_ranges(o);
  return condition;
}

static bool is_of_launch(const Operator *o, Term symbol) {
  for (uint32_t i = 0; i < o->names->count; i++)
    if (o->names->data[i].term == symbol) return true;
  for (uint32_t i = 0; i < o->named.count; i++)
    if (o->named.data[i].symbol == symbol) return true;
  for (uint32_t i = 0; i < o->wide.count; i++)
    if (o->wide.data[i].symbol == symbol) return true;
  return false;
}

/* grid = q * size of a q that the recovery has made up, where size does divide the grid: that is what q is. */
static bool is_multiple(Operator *o, Term condition) {
  TermTable *tt = o->tt;
  TermList symbols = {0};
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return false;
  Term e = term_arg(tt, condition, 0), q = 0;
  term_symbols(tt, e, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (is_of_launch(o, symbols.data[i])) continue;
    if (q) return false;
    q = symbols.data[i];
  }
  if (!q) return false;
  Term grid = term_replace(tt, e, q, tt->zero), size = term_sub(tt, grid, term_replace(tt, e, q, tt->one));
  if (term_has_symbol(tt, size, q) || term_sub(tt, e, term_sub(tt, grid, term_mul(tt, q, size))) != tt->zero)
    return false;
  Term back = term_neg(tt, grid);
  return term_mul(tt, term_floordiv(tt, grid, size), size) == grid ||
         term_mul(tt, term_floordiv(tt, back, term_neg(tt, size)), size) == grid;
}

/* a // d <= b if a <= d*b + d - 1. */
static bool is_at_most(TermTable *tt, Term a, Term b) {
  int64_t d;
  if (term_prove_le(tt, a, b)) return true;
  if (term_kind(tt, a) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, a, 1), &d) || d < 1) return false;
  return term_prove_le(tt, term_arg(tt, a, 0), term_add(tt, term_scale(tt, rational_int(d), b), term_int(tt, d - 1)));
}

/* The condition `grid = least` of the grid of one axis, 3: none of them. */
static uint32_t axis_of_least(const Bound *b, Term condition, Term *least) {
  TermTable *tt = b->claim->ex->tt;
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return 3;
  Term e = term_arg(tt, condition, 0);
  for (uint32_t i = 0; i < 3; i++) {
    Term grid = b->claim->ex->grid[i], rest = term_replace(tt, e, grid, tt->zero);
    *least = term_sub(tt, e, rest) == grid ? term_neg(tt, rest) : rest;
    if (*least != rest || term_add(tt, e, grid) == rest) return i;
  }
  return 3;
}

/* A grid of `given` programs has at least those that the claim speaks of, and is shown to do nothing with the others.
 */
static bool is_enough(Operator *o, const Bound *b, const Assumption *a, Term least, Term given) {
  operator_swap_ranges(o);
  uint32_t facts = o->tt->facts.count;
  push_user(o);
  Importer *importer = importer_again(b->importer);
  bool enough = is_at_most(o->tt, importer_term(importer, least), given) &&
                (!a->most_programs || term_prove_le(o->tt, given, importer_term(importer, a->most_programs)));
  term_pop_facts(o->tt, facts);
  operator_swap_ranges(o);
  return enough;
}

static bool has_enough(Operator *o, const Bound *b, const Assumption *a) {
  Term least;
  uint32_t axis = a->more_is_idle ? axis_of_least(b, a->condition, &least) : 3;
  return axis < 3 && is_enough(o, b, a, least, importer_term(b->importer, b->claim->ex->grid[axis]));
}

/* A grid that is a number beside sizes that are names, as of a persistent kernel: where that number is enough at all
 * sizes, the claim is one about it, and not about the least grid, which it may be none of. Likewise where it is the
 * number that the claim is about, as along an axis of a known length. 0: it is not. */
static Term number_that_is_enough(Operator *o, const Bound *b, const Assumption *a, const char **text) {
  Term least;
  int64_t number;
  uint32_t axis = o->names->count ? axis_of_least(b, a->condition, &least) : 3;
  if (axis >= b->launch->grid_count || !expr_number(b->launch->grid[axis], &number)) return 0;
  Term given = term_int(o->tt, number), grid = b->grid[axis];
  if (term_kind(o->tt, grid) != TERM_SYM) return 0;
  bool is_least = importer_term(importer_again(b->importer), least) == given;
  if (!is_least && !(a->more_is_idle && is_enough(o, b, a, least, given))) return 0;
  *text = arena_format(o->arena, "%s = %s", term_text(o->tt, grid), term_text(o->tt, given));
  return term_eq(o->tt, grid, given);
}

/* One program along an axis whose ids nothing uses, where the grid was given. */
static bool is_single(const Operator *o, const Bound *b, const Assumption *a) {
  return !a->condition && a->kind == ASSUME_GRID && a->is_single && b->grid[a->grid - 1] == o->tt->one;
}

/* "axis 1 of x has ... elements" of a tensor whose shape is given. */
static bool is_of_given_shape(const Operator *o, const Bound *b, const Assumption *a) {
  const Pointwise *p = b->claim->pointwise;
  bool least = false;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    if (p->tensors.data[i].symbol != a->of_extent || b->tensor[i] == SEQUENCE_UNUSED) continue;
    const PointwiseTensor *view = &o->sequence.tensors.data[b->tensor[i]].view;
    for (uint32_t k = 0; k < view->rank; k++) least |= view->is_least[k];
  }
  return a->of_extent && !least;
}

/* The number of programs along an axis, of a grid that was found: its number in the result, or UINT32_MAX. */
static uint32_t found_grid(Operator *o, const Bound *b, const Assumption *a) {
  uint32_t found = a->grid && a->kind == ASSUME_GRID ? b->found_grid[a->grid - 1] : 0;
  return found && (!a->condition || own_condition(o, b, a) == o->tt->true_) ? found - 1 : UINT32_MAX;
}

/* What the only launch states of its inputs, of the result's; 0: it sees them otherwise, or changes them. */
static Term contents_in_result(Operator *o, Bound *b, Term stated) {
  Term own = importer_term(b->importer, stated);
  Importer *m = importer_new(o->arena, o->tt, o->tt);
  const Pointwise *p = b->claim->pointwise;
  TermList symbols = {0};
  if (o->operation->launches.count != 1) return 0; /* an earlier one may have changed them */
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    const SequenceTensor *given = b->tensor[i] == SEQUENCE_UNUSED ? NULL : &o->sequence.tensors.data[b->tensor[i]];
    Term symbol = importer_term(b->importer, t->symbol);
    if (!term_has_symbol(o->tt, own, symbol)) continue;
    if (!given || !given->view.symbol || t->is_written || given->written || given->view.rank != t->rank ||
        b->offset[i] != o->tt->zero)
      return 0;
    for (uint32_t k = 0; k < t->rank; k++)
      if (importer_term(b->importer, t->extent[k]) != given->view.extent[k] ||
          importer_term(b->importer, t->stride[k]) != given->view.stride[k])
        return 0;
    importer_map(m, symbol, given->view.symbol);
  }
  term_symbols(o->tt, own, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (!importer_is_mapped(m, symbols.data[i])) importer_map(m, symbols.data[i], symbols.data[i]);
  return importer_term(m, own);
}

/* The number of an assumption of a launch in the result; HOLDS: by itself; FAILS: it is not of this launch. */
static uint32_t take_assumption(Operator *o, Bound *b, const Assumption *a) {
  const char *text = in_operation(o, b, a->text), *limit = in_operation(o, b, a->limit);
  if (a->of_sizes) return operator_assume_sizes(o);
  if (is_single(o, b, a)) /* which a grid that was found for the shapes does not say by itself */
    return b->found_grid[0] || b->found_grid[1] || b->found_grid[2]
               ? operator_assume(o, a->kind, 0, message_plain(o->arena, a->text), a->why, limit)
               : HOLDS;
  if (found_grid(o, b, a) != UINT32_MAX) return found_grid(o, b, a); /* a number is what its name has become */
  if (!*text || is_of_places(o, b, a) || is_of_given_shape(o, b, a)) return HOLDS;
  Term condition = own_condition(o, b, a);
  bool is_range = a->kind == ASSUME_RANGE, is_grid = a->kind == ASSUME_GRID;
  if (condition && (condition == o->tt->true_ || (is_range && term_prove_true(o->tt, condition)))) return HOLDS;
  if (is_grid && condition && b->has_grid && has_enough(o, b, a)) return HOLDS;
  Term exact = is_grid && condition ? number_that_is_enough(o, b, a, &text) : 0;
  if (exact) return operator_assume(o, ASSUME_LAUNCH, exact, text, "as in the launch that was given", NULL);
  if (is_grid && b->has_grid &&
      !(condition && is_multiple(o, condition))) { /* a grid that is given is that grid and no other */
    Term least, given = a->grid ? b->grid[a->grid - 1] : 0;
    if (given && a->condition && term_is_rat(o->tt, given) &&
        axis_of_least(b, a->condition, &least) < 3) /* it goes to the right */
      text = arena_format(o->arena, "%s = %s", term_text(o->tt, importer_term(importer_again(b->importer), least)),
                          term_text(o->tt, given));
    if (!b->other_grid)
      b->other_grid = arena_format(o->arena, "%s, which is not shown of the grid that was given", text);
    return FAILS;
  }
  Term of_values = a->of_values ? importer_term(b->importer, a->of_values) : 0;
  uint32_t taken = operator_take(o, (Assumption){.kind = a->kind,
                                                 .why = a->why,
                                                 .limit = limit,
                                                 .condition = condition,
                                                 .text = text,
                                                 .is_sentence = a->is_sentence});
  if (a->of_contents) o->out->assumptions.data[taken].of_contents = contents_in_result(o, b, a->of_contents);
  Assumption *out = &o->out->assumptions.data[taken];
  if (out->kind == a->kind && of_values) out->of_values = of_values;
  out->is_partial |= a->is_partial || a->of_arithmetic;
  if (out->kind == a->kind) out->holds_anyway |= a->holds_anyway, out->is_single |= a->is_single;
  if (out->kind == a->kind && a->grid) out->grid = a->grid;
  for (uint32_t i = 0; a->apart && i < b->claim->pointwise->tensors.count; i++)
    if (b->claim->pointwise->tensors.data[i].symbol == a->apart && b->tensor[i] != SEQUENCE_UNUSED)
      o->out->assumptions.data[taken].apart = o->sequence.tensors.data[b->tensor[i]].view.symbol;
  return taken;
}

/* What an obligation rests on, in the result. Proved for another grid than that of the launch, or for a launch that was
 * not bound, it is open. */
static void take_under(const Operator *o, const Bound *b, Obligation *ob, const uint32_t *place) {
  uint32_t kept = 0, count = ob->under.count;
  bool of_views = ob->kind == OBLIGATION_BOUNDS || ob->kind == OBLIGATION_RACE || ob->kind == OBLIGATION_COVERAGE,
       fails = !b->is_bound && (count || of_views);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = b->is_bound ? place[ob->under.data[k]] : HOLDS;
    bool known = at == HOLDS || at == FAILS;
    fails |= at == FAILS;
    for (uint32_t j = 0; j < kept; j++) known |= ob->under.data[j] == at;
    if (!known) ob->under.data[kept++] = at;
  }
  ob->under.count = kept;
  if (!fails || ob->verdict != OBLIGATION_PROVED) return;
  ob->verdict = OBLIGATION_UNKNOWN, ob->under.count = 0;
  ob->detail = b->is_bound         ? "shown for another grid than the one that was given"
               : o->out->stop_text ? o->out->stop_text
                                   : "shown under other assumptions than those of the launch";
}

static const char *witness_value(const SamplePairs *pairs, const char *name) {
  for (uint32_t i = 0; i < pairs->count; i++)
    if (!strcmp(pairs->data[i].name, name)) return pairs->data[i].value;
  return NULL;
}

/* What an argument or a grid is in the operation has its value, as far as the witness says what is in it. */
static bool agrees(Operator *o, const SamplePairs *sizes, const char *value, Term shown) {
  TermList symbols = {0};
  int64_t number, wanted;
  if (!shown || !operator_is_number(value, &wanted)) return true;
  term_symbols(o->tt, shown, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const char *text = witness_value(sizes, term_name(o->tt, symbols.data[i]));
    if (!text || !operator_is_number(text, &number)) return true;
    shown = term_replace(o->tt, shown, symbols.data[i], term_int(o->tt, number));
  }
  return term_is_int(o->tt, shown, &number) && number == wanted;
}

/* In a launch that was searched for names are the operation's already. */
static const char *witness_name(Operator *o, const Bound *b, const Obligation *ob, const char *name) {
  for (uint32_t i = 0; ob->is_named && i < o->names->count; i++)
    if (!strcmp(o->names->data[i].name, name)) return name;
  return name_in_operation(b, name);
}

/* A witness of a launch, whose grid and arguments have other names in the result. Where these are names of other
 * numbers it is no launch of the operation, and shows nothing. */
static void rename_witness(Operator *o, const Bound *b, Obligation *ob) {
  if (!ob->witness || !b->renames.count) return;
  SampleWitness *w = arena_new(o->arena, SampleWitness);
  SamplePairs own = ob->witness->sizes;
  bool fits = true;
  *w = *ob->witness;
  w->sizes.data = NULL, w->sizes.count = w->sizes.capacity = 0;
  for (uint32_t i = 0; i < own.count; i++) {
    const char *name = witness_name(o, b, ob, own.data[i].name),
               *shown = operator_is_plain_name(name) ? name : own.data[i].name,
               *known = witness_value(&w->sizes, shown);
    fits &= !known || !strcmp(known, own.data[i].value);
    if (!known) array_push(o->arena, &w->sizes, (SamplePair){shown, own.data[i].value});
  }
  for (uint32_t i = 0; i < own.count; i++) {
    const char *name = own.data[i].name;
    if (!strcmp(witness_name(o, b, ob, name), name)) continue;
    for (uint32_t k = 0; k < b->renames.count; k++)
      if (!strcmp(b->renames.data[k].from, name))
        fits &= agrees(o, &w->sizes, own.data[i].value, b->renames.data[k].value);
  }
  ob->witness = fits ? w : NULL;
  if (fits || ob->verdict != OBLIGATION_REFUTED) return;
  ob->verdict = OBLIGATION_UNKNOWN;
  ob->detail = "shown of launches with other arguments or another grid only";
}

void operator_take_texts(Operator *o, Bound *b) {
  Claim *r = b->claim;
  uint32_t *place = arena_array(o->arena, uint32_t, r->assumptions.count + 1);
  for (uint32_t i = 0; i < r->assumptions.count && b->is_bound; i++)
    place[i] = take_assumption(o, b, &r->assumptions.data[i]);
  if (b->other_grid)
    operator_stop(o, REASON_GRID,
                  arena_format(o->arena, "the formula of %s is shown where %s", operator_kernel(b), b->other_grid));
  for (uint32_t i = 0; i < r->obligations.count; i++) {
    Obligation *ob = &r->obligations.data[i];
    if (!ob->is_named) ob->detail = in_operation(o, b, ob->detail);
    if (!ob->is_named && ob->tensor) ob->tensor = name_in_operation(b, ob->tensor);
    take_under(o, b, ob, place); /* whose reasons are in the operation's names */
    rename_witness(o, b, ob);
  }
}
