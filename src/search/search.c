/* The search of a claim (see search.h): one output after the other, one store after the other. */
#include "search/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lift/deduce.h"
#include "search/family.h"
#include "solve/solve.h"

enum { MOST_LITERALS = 32, MOST_NOTES = 400, ASKED = 8, SECONDS = 2, MOST_WORK = 1 << 20 };

void search_note(Search *s, const char *format, ...) {
  char text[600];
  va_list args;
  if (s->log->count >= MOST_NOTES) return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  array_push(s->arena, s->log, arena_format(s->arena, "search: %s", text));
}

static void add_literal(Search *s, Rational r) {
  if (s->literals.count == MOST_LITERALS) return;
  for (uint32_t i = 0; i < s->literals.count; i++)
    if (rational_equal(s->literals.data[i], r)) return;
  array_push(s->arena, &s->literals, r);
}

/* Constants of the program: those of its values. */
static Term note_literal(TermTable *tt, Term t, void *payload) {
  if (term_is_rat(tt, t)) add_literal(payload, term_rat(tt, t));
  uint32_t step = term_kind(tt, t) == TERM_ADD || term_kind(tt, t) == TERM_MUL ? 1 : 0;
  for (uint32_t i = 0; step && i < term_count(tt, t); i++)
    if (term_is_rat(tt, term_arg(tt, t, i))) add_literal(payload, term_rat(tt, term_arg(tt, t, i)));
  return t;
}

static void find_literals(Search *s, const PointwiseOutput *output) {
  add_literal(s, (Rational){1, 1});
  for (uint32_t i = 0; i < output->pieces.count; i++)
    term_transform(s->tt, output->pieces.data[i].value, note_literal, s);
}

static Term find_condition(TermTable *tt, Term t, void *found) {
  if (term_sort(tt, t) == SORT_BOOL) *(bool *)found = true;
  return t;
}

/* True if many draws more see no difference of what conditions decide: one draw takes one way through them. */
static bool agrees_in_cases(Search *s, const Family *wanted, const Family *found) {
  Term *x = wanted->element, *y = found->element;
  bool has_condition = false;
  uint32_t work = 0;
  for (uint32_t i = 0; i < wanted->cells && !has_condition; i++)
    if (x[i] && y[i] && x[i] != y[i]) term_transform(s->tt, x[i], find_condition, &has_condition);
  for (uint64_t seed = SEARCH_SEEDS; has_condition && seed < SEARCH_DRAWS && work < MOST_WORK; seed++) {
    work += search_draw_again(s);
    for (uint32_t i = 0; i < wanted->cells; i++)
      if (x[i] && y[i] && x[i] != y[i] && search_residue(s, x[i], seed) != search_residue(s, y[i], seed)) return false;
  }
  return true;
}

/* True if these elements are those of the candidate. By identity; else by evaluation in the field, and, as in the
 * paper, by the solver, which is asked about the first few. */
static bool agrees(Search *s, const Family *wanted, const Family *found, bool asks) {
  TermTable *tt = s->tt;
  Term all = tt->true_;
  uint32_t different = 0;
  for (uint32_t i = 0; i < wanted->cells; i++) {
    Term x = wanted->element[i], y = found->element[i];
    if (!x || !y || x == y) continue;
    for (uint64_t seed = 0; seed < 3; seed++)
      if (search_residue(s, x, seed) != search_residue(s, y, seed)) return false;
    if (different++ < ASKED && term_sort(tt, x) != SORT_BOOL) all = term_and(tt, all, term_eq(tt, x, y));
  }
  if (!agrees_in_cases(s, wanted, found)) return false;
  const char *answer = !different ? "the same expressions" : "equal in the field";
  if (asks && different && all != tt->true_ && solve_condition(tt, all, SECONDS))
    answer = "equal in the field, and by smt";
  if (asks) search_note(s, "checked at that size: %s", answer);
  return true;
}

static bool same_elements(Search *s, const PointwiseOutput *output, const PointwisePiece *piece, const Family *wanted,
                          Term candidate, bool asks) {
  PointwisePiece own = {.region = piece->region, .value = candidate};
  Family found;
  return search_family(s, output, &own, &found) && found.cells == wanted->cells && agrees(s, wanted, &found, asks);
}

static void note_sizes(Search *s) {
  Text text = text_new(s->arena);
  for (uint32_t i = 0; i < s->size_count; i++)
    text_format(&text, "%s%s = %lld", i ? ", " : "", term_text(s->tt, s->size[i].symbol), (long long)s->size[i].value);
  search_note(s, "at %s", s->size_count ? text_string(&text) : "its only size");
}

static void forget(Search *s) {
  s->unfolded = (Memo){0};
  memset(s->residues, 0, sizeof s->residues);
  s->steps = 0, s->why = NULL, s->failed.count = 0;
}

/* False: the elements are others at one of the other sizes. */
static bool holds_elsewhere(Search *s, uint32_t choice, const PointwiseOutput *output, const PointwisePiece *piece,
                            Term found) {
  Family wanted;
  for (uint32_t i = 0; i < SEARCH_CHECKS; i++) {
    Search other = *s;
    forget(&other);
    if (i != choice && search_choose_sizes(&other, i) && search_family(&other, output, piece, &wanted) &&
        !same_elements(&other, output, piece, &wanted, found, false))
      return false;
  }
  return true;
}

/* How numbers and parts of one shape are read; the first way that holds at other sizes too is taken. */
static Term search_at(Search *s, uint32_t choice, const PointwiseOutput *output, const PointwisePiece *piece) {
  Family wanted;
  forget(s);
  if (!search_choose_sizes(s, choice)) return 0;
  note_sizes(s);
  if (!search_family(s, output, piece, &wanted)) return 0;
  for (int way = 0; way < (s->options->no_top_down ? 1 : 4); way++) {
    s->sizes_first = way & 1, s->operands_first = way & 2, s->steps = 0, s->failed.count = 0;
    Term found = s->options->no_top_down ? search_bottom_up(s, &wanted) : search_top_down(s, &wanted);
    if (!found || !same_elements(s, output, piece, &wanted, found, true)) continue;
    if (holds_elsewhere(s, choice, output, piece, found)) return found;
    search_note(s, "another size refutes %s", term_text(s->tt, found));
    s->why = "what holds at one size does not at another";
  }
  return 0;
}

static Term search_piece(Search *s, const PointwiseOutput *output, const PointwisePiece *piece) {
  Term found = search_invariants(s, piece->value);
  if (found != piece->value) return found; /* what is left is deduced */
  found = 0;
  for (uint32_t choice = 0; choice < SEARCH_CHOICES && !found; choice++) found = search_at(s, choice, output, piece);
  return found;
}

static Term find_array(TermTable *tt, Term t, void *found) {
  if (term_kind(tt, t) == TERM_RECUR && term_recur_lanes(tt, t)) *(bool *)found = true;
  return t;
}

/* What a recurrence of arrays gives has no tensor form, and the others would be looked for in vain. */
static bool has_array_recurrence(const Pointwise *p) {
  bool found = false;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count && !found; k++)
      term_transform(p->tt, p->outputs.data[i].pieces.data[k].value, find_array, &found);
  return found;
}

typedef struct Found {
  Search *s;
  Term **values; /* of each output, of each piece */
  bool all;
} Found;

static void search_outputs(void *payload) {
  Found *found = payload;
  Search *s = found->s;
  const Pointwise *p = s->claim->pointwise;
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    const PointwiseOutput *output = &p->outputs.data[i];
    const char *name = p->tensors.data[output->tensor].name;
    PointwiseOutput whole = deduce_whole(p, output);
    found->values[i] = arena_array(s->arena, Term, output->pieces.count + 1);
    if (output->scatter) {
      search_note(s, "%s: elements are addressed through data", name);
      return;
    }
    find_literals(s, output);
    bool is_one = whole.pieces.count == 1; /* stores of one value that were written as several */
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      Term value =
          is_one && k ? found->values[i][0] : search_piece(s, output, &(is_one ? &whole : output)->pieces.data[k]);
      if (!value) {
        search_note(s, "%s: %s (depth limit %d)", name, s->why ? s->why : "no formula was found", SEARCH_DEPTH);
        return;
      }
      if (!is_one || !k) search_note(s, "%s: %s (depth limit %d)", name, term_text(s->tt, value), SEARCH_DEPTH);
      found->values[i][k] = value;
    }
  }
  found->all = true;
}

bool search_claim(Arena *arena, Claim *claim, const SearchOptions *options, SearchLog *log) {
  Pointwise *p = claim->pointwise;
  Search s = {.arena = arena, .tt = claim->tt, .claim = claim, .options = options, .log = log};
  if (has_array_recurrence(p)) {
    search_note(&s, "a recurrence of arrays has no tensor form");
    return false;
  }
  s.scratch = arena_new_child(arena);
  Found found = {&s, arena_array(arena, Term *, p->outputs.count + 1), false};
  if (!term_attempt(s.tt, 1, search_outputs, &found)) search_note(&s, "a limit was reached"); /* numbers too large */
  if (!found.all) return false;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++)
      p->outputs.data[i].pieces.data[k].value = found.values[i][k];
  return true;
}
