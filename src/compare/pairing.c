/* Two kernels over one table of terms, and outputs that belong together. */
#include <string.h>

#include "compare/side.h"
#include "operation/given.h"
#include "prove/equal.h"

static void usage(Pairing *p, const char *help, const char *message) {
  diagnostic_add(p->diagnostics, SEVERITY_ERROR, "usage.pairing", NULL, (Span){0, 0}, help, "%s", message);
}

GivenAnswer pairing_as_given(const Pairing *p, TermTable *tt, Term condition, int64_t times) {
  TermList symbols = {0};
  TermEval *eval = term_eval_new(tt, p->arena, NULL, NULL);
  if (term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) return GIVEN_OPEN;
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    uint32_t k = 0;
    while (k < p->given.count && p->given.data[k].symbol != symbols.data[i]) k++;
    if (k == p->given.count) return GIVEN_OPEN;
    int64_t value;
    if (__builtin_mul_overflow(p->given.data[k].value, times, &value)) return GIVEN_OPEN;
    term_eval_set(eval, symbols.data[i], (TermValue){(double)value, value});
  }
  return term_eval(eval, condition).integer ? GIVEN_HOLDS : GIVEN_FAILS;
}

/* ---- tensors of two kernels ---- */

static const PointwiseTensor *find_tensor(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; name && i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, name)) return &p->tensors.data[i];
  return NULL;
}

static const PointwiseTensor *find_alike(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (pairing_is_alike(p->tensors.data[i].name, name)) return &p->tensors.data[i];
  return NULL;
}

/* True if the left's tensor is that of another input of the right, by its name or, of those that are merely alike, as
 * the first of them. */
static bool is_of_another(const Pairing *p, const Pointwise *right, const PointwiseTensor *t,
                          const PointwiseTensor *found) {
  for (const PointwiseTensor *u = right->tensors.data; u < right->tensors.data + right->tensors.count; u++) {
    const char *wanted = pairing_left_of(p, u->name);
    if (u == t || !u->is_read || !t->is_read) continue;
    if (!strcmp(wanted ? wanted : u->name, found->name) || (u < t && !wanted && pairing_is_alike(found->name, u->name)))
      return true;
  }
  return false;
}

static bool is_scalar(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (!strcmp(p->scalars.data[i].name, name)) return true;
  return false;
}

/* --map gives the name to another one of the right. */
static bool is_given_away(const Pairing *p, const Pointwise *right, const char *name) {
  const char *wanted;
  for (uint32_t i = 0; i < right->tensors.count; i++)
    if ((wanted = pairing_left_of(p, right->tensors.data[i].name)) && !strcmp(wanted, name)) return true;
  for (uint32_t i = 0; i < right->scalars.count; i++)
    if ((wanted = pairing_left_of(p, right->scalars.data[i].name)) && !strcmp(wanted, name)) return true;
  return false;
}

static const PointwiseTensor *by_name(const Pairing *p, const Pointwise *left, const Pointwise *right,
                                      const PointwiseTensor *t) {
  const PointwiseTensor *found = find_tensor(left, pairing_left_of(p, t->name));
  if (!found && is_given_away(p, right, t->name)) return NULL;
  if (!found) found = find_tensor(left, t->name);
  if (found || !(found = find_alike(left, t->name))) return found;
  return is_of_another(p, right, t, found) ? NULL : found;
}

static bool is_of_kind(const PointwiseTensor *t, bool written) {
  return written ? t->is_written : t->is_read && !t->is_written;
}

/* Of the right, and no name of the left fits. */
static bool is_left_over(const Pairing *p, const Pointwise *left, const Pointwise *right, const PointwiseTensor *t,
                         bool written) {
  return is_of_kind(t, written) && !is_scalar(left, t->name) && !by_name(p, left, right, t);
}

/* Of the left, and it is by no name one of the right. */
static bool is_free(const Pairing *p, const Pointwise *left, const Pointwise *right, const PointwiseTensor *t,
                    bool written) {
  if (!is_of_kind(t, written) || is_scalar(right, t->name)) return false;
  for (uint32_t i = 0; i < right->tensors.count; i++)
    if (by_name(p, left, right, &right->tensors.data[i]) == t) return false;
  return true;
}

/* The tensor of the left at the same place among those of its kind that are left, where these are as many. */
static const PointwiseTensor *by_order(const Pairing *p, const Pointwise *left, const Pointwise *right,
                                       const PointwiseTensor *t) {
  uint32_t place = 0, own = 0, other = 0;
  const PointwiseTensor *found = NULL;
  for (uint32_t i = 0; i < right->tensors.count; i++) {
    if (&right->tensors.data[i] == t) place = other;
    other += is_left_over(p, left, right, &right->tensors.data[i], t->is_written);
  }
  for (uint32_t i = 0; i < left->tensors.count; i++) {
    if (!is_free(p, left, right, &left->tensors.data[i], t->is_written)) continue;
    if (own++ == place) found = &left->tensors.data[i];
  }
  return own == other ? found : NULL;
}

static bool are_parts_apart(PointwisePart a, PointwisePart b) { return a && b && strcmp(a, b) != 0; }

bool pairing_may_be_one(const Pointwise *left, const Pointwise *right, const PointwiseTensor *own,
                        const PointwiseTensor *other) {
  bool is_told =
      left->argument_count && left->argument_count == right->argument_count && (left->has_unused || right->has_unused);
  return !are_parts_apart(own->part, other->part) && (!is_told || own->place == other->place);
}

static void stop_apart(Pairing *p, const char *left, const char *right) {
  if (p->stop) return;
  p->is_unpaired = true;
  p->stop = arena_format(p->arena, "nothing says that %s of the left is %s of the right: --map %s=%s does", left, right,
                         left, right);
}

static void stop_unknown(Pairing *p, const char *right) {
  if (p->stop) return;
  p->is_unpaired = true;
  p->stop =
      arena_format(p->arena, "nothing says what %s of the right is on the left: --map LEFT=%s does", right, right);
}

/* The left's tensor for one of the right. Names first, then the order of what is left. */
static const PointwiseTensor *partner(const Pairing *p, const Pointwise *left, const Pointwise *right,
                                      const PointwiseTensor *t) {
  const PointwiseTensor *found = by_name(p, left, right, t);
  return found || !is_left_over(p, left, right, t, t->is_written) ? found : by_order(p, left, right, t);
}

static bool is_plain(const TermTable *tt, Term t) { return t && term_kind(tt, t) == TERM_SYM; }

/* right = c*s + rest for the one symbol s that is not mapped yet: then s is (left - rest)/c, if that is a size. */
static Term solve_size(Importer *m, TermTable *to, TermTable *from, Term left, Term right, Term *size) {
  TermList symbols = {0};
  Term open = 0;
  int64_t c = 0;
  term_symbols(from, right, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (importer_is_mapped(m, symbols.data[i])) continue;
    if (open) return 0;
    open = symbols.data[i];
  }
  if (open == right) return *size = left, open;
  for (uint32_t i = 1; open && term_kind(from, right) == TERM_ADD && i < term_count(from, right); i += 2)
    if (term_arg(from, right, i + 1) == open && !term_is_int(from, term_arg(from, right, i), &c)) return 0;
  if (!open || !c) return 0;
  Term rest = term_sub(from, right, term_scale(from, rational_int(c), open));
  if (term_has_symbol(from, rest, open)) return 0;
  Term multiple = term_sub(to, left, importer_term(m, rest)), quotient = term_floordiv(to, multiple, term_int(to, c));
  *size = quotient;
  return term_scale(to, rational_int(c), quotient) == multiple ? open : 0;
}

static const PointwiseScalar *scalar_of(const Pointwise *p, Term symbol) {
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == symbol) return &p->scalars.data[i];
  return NULL;
}

static bool is_argument(const Side *side, Term symbol) { return scalar_of(side->pointwise, symbol) != NULL; }

/* True if both are functions of C or Python, and their callers give this argument of the right a value: then names and
 * places say what it is, and not how far what is read of an array goes. */
static bool is_called_with(const Pointwise *left, const Pointwise *right, Term symbol) {
  const PointwiseScalar *s = left->is_host && right->is_host ? scalar_of(right, symbol) : NULL;
  return s && !s->is_length;
}

/* The name of an extent that no argument of a kernel speaks of. */
static bool is_made_up(const Side *side, Term symbol) {
  const Pointwise *p = side->pointwise;
  return !is_argument(side, symbol) && side->claim && is_plain(p->tt, symbol) &&
         term_symbol(p->tt, symbol)->role == SYMBOL_SIZE;
}

/* True if the left has an argument of that argument's name. */
static bool is_argument_of_both(const Pairing *p, const Pointwise *left, const Pointwise *right, Term symbol) {
  for (uint32_t i = 0; i < right->scalars.count; i++) {
    const char *wanted = pairing_left_of(p, right->scalars.data[i].name);
    if (right->scalars.data[i].symbol != symbol) continue;
    for (uint32_t k = 0; k < left->scalars.count; k++)
      if (!strcmp(left->scalars.data[k].name, wanted ? wanted : right->scalars.data[i].name)) return true;
  }
  return false;
}

/* The least value of a size of the right, which is an expression of the left's sizes: `f32[m + 3]` has no m where n
 * is 3. */
static void keep_range(Pairing *p, Importer *m, TermTable *to, TermTable *from, Term symbol, Term size) {
  const Symbol *s = term_symbol(from, symbol);
  if (!s->lo) return;
  Term lo = importer_term(m, s->lo), least = term_le(to, lo, size);
  if (is_plain(to, size) || least == to->true_ || term_prove_le(to, lo, size)) return;
  array_push(p->arena, &p->assumptions->conditions, least);
  const char *why = arena_format(p->arena, "%s of the right is %s, and at least %s", term_name(from, symbol),
                                 term_text(to, size), term_text(to, lo));
  array_push(p->arena, &p->assumptions->made, (ReportAssumption){NULL, ASSUME_RANGE, term_text(to, least), why, NULL});
}

/* True if the right, a function of MLIR, asks that as many elements are there as an argument says. Then that length is
 * the tensor's own, and none that the left knows. */
static bool is_asked_by_argument(const Side *side, Term size) {
  const Pointwise *p = side->pointwise;
  for (uint32_t i = 0; side->is_function && i < side->claim->assumptions.count; i++) {
    Term c = side->claim->assumptions.data[i].condition;
    for (uint32_t k = 0; c && k < p->scalars.count; k++)
      if (term_has_symbol(p->tt, c, size) && term_has_symbol(p->tt, c, p->scalars.data[k].symbol)) return true;
  }
  return false;
}

/* Arguments of two kernels have something to do with each other only because a tensor is one: that is said. */
static void say_length(Pairing *p, const PointwiseTensor *left, const char *own, const char *other) {
  const char *text = arena_format(p->arena, "%s of the right is %s", own, other);
  const char *why = arena_format(p->arena, "%s is of one shape on both sides", left->name);
  array_push(p->arena, &p->assumptions->made, (ReportAssumption){NULL, ASSUME_RANGE, text, why, NULL});
}

/* The right's sizes are the left's where extents of one tensor name them. Where what is read tells an extent, and no
 * size names it, names of arguments come first: rows of n - 1 elements are not those of another kernel's n. So they do
 * for what is an argument of both: rows of 256, of x_d0, which the left only found, or of another argument, are not n.
 */
static void map_sizes(Pairing *p, Importer *m, const Side *of_left, const Side *side, const PointwiseTensor *left,
                      const PointwiseTensor *right, bool least) {
  const Pointwise *to_form = of_left->pointwise;
  TermTable *to = to_form->tt, *from = side->pointwise->tt;
  if (left->rank != right->rank) return;
  for (uint32_t k = 0; k < right->rank; k++) {
    if (!left->extent[k] || !right->extent[k]) continue;
    Term size, symbol = solve_size(m, to, from, left->extent[k], right->extent[k], &size);
    bool is_made = symbol && !is_plain(to, size), is_late = is_made && is_argument(side, symbol);
    bool by_least = (left->is_least[k] || right->is_least[k]) && is_made && !is_made_up(side, symbol);
    const PointwiseScalar *length = symbol && is_plain(to, size) ? scalar_of(to_form, size) : NULL;
    bool by_call = symbol && is_called_with(to_form, side->pointwise, symbol) && !(length && length->is_length);
    bool by_name = symbol && (by_call || is_argument_of_both(p, to_form, side->pointwise, symbol));
    if (!symbol || ((by_least || by_name || is_late) && !least) || is_asked_by_argument(side, symbol)) continue;
    if (by_call) {
      stop_unknown(p, term_name(from, symbol));
      continue;
    }
    importer_map(m, symbol, size);
    keep_range(p, m, to, from, symbol, size);
    bool is_other_axis = is_plain(to, size) && term_symbol(to, size)->role == SYMBOL_GRID &&
                         strcmp(term_name(from, symbol), term_name(to, size));
    bool is_own = is_plain(to, size) && !is_argument(of_left, size) &&
                  !is_other_axis;                                    /* programs, or an extent that has no other name */
    if (term_symbol(from, symbol)->role == SYMBOL_GRID && !is_own) { /* more programs would reach further */
      const char *text = arena_format(p->arena, "%s of the right is %s", term_name(from, symbol), term_text(to, size));
      array_push(p->arena, &p->assumptions->made,
                 (ReportAssumption){NULL, ASSUME_GRID, text, "the left has so many elements", NULL});
    }
    if (is_late) say_length(p, left, term_text(from, symbol), term_text(to, size));
    if (!by_least || p->extent) continue;
    const PointwiseTensor *of = left->is_least[k] ? left : right;
    p->extent = arena_format(p->arena, "axis %u of %s has %s elements", k, of->name,
                             term_text(of == left ? to : from, of->extent[k]));
  }
}

/* A size that a number of programs is a multiple of, and that nothing else says: `grid_x = 4*grid_x_d0`. */
static bool is_multiple(const Side *side, TermTable *tt, const Symbol *s) {
  for (uint32_t i = 0; i < side->pointwise->scalars.count; i++)
    if (side->pointwise->scalars.data[i].symbol == s->term) return false;
  for (uint32_t i = 0; s->role == SYMBOL_SIZE && side->claim && i < side->claim->assumptions.count; i++) {
    const Assumption *a = &side->claim->assumptions.data[i];
    if (a->condition && a->kind == ASSUME_GRID && term_kind(tt, a->condition) == TERM_EQ &&
        term_has_symbol(tt, a->condition, s->term))
      return true;
  }
  return false;
}

/* True if an assumption says what the number of programs is. A bound on it, such as that an address does not wrap,
 * does not. */
static bool is_determined(const Side *side, TermTable *tt, Term symbol) {
  if (is_multiple(side, tt, term_symbol(tt, symbol))) return false;
  for (uint32_t i = 0; side->claim && i < side->claim->assumptions.count; i++) {
    const Assumption *a = &side->claim->assumptions.data[i];
    if (!a->condition || !term_has_symbol(tt, a->condition, symbol)) continue;
    if (a->kind == ASSUME_GRID || term_kind(tt, a->condition) == TERM_EQ) return true;
  }
  return false;
}

static bool is_in_outputs(const Side *side, TermTable *tt, Term symbol) {
  for (uint32_t i = 0; i < side->outputs.count; i++) {
    const CompareOutput *o = &side->outputs.data[i];
    bool found = term_has_symbol(tt, o->region, symbol) || (o->value && term_has_symbol(tt, o->value, symbol));
    for (uint32_t k = 0; k < o->rank; k++) found |= term_has_symbol(tt, o->shape[k], symbol);
    if (found) return true;
  }
  return false;
}

/* A number of programs; in a formula, which has no launch, a size that is no argument may be one. */
static bool is_grid(const Side *side, const Symbol *s) {
  const Pointwise *p = side->pointwise;
  if (s->role == SYMBOL_GRID || is_multiple(side, p->tt, s)) return true;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == s->term) return false;
  return !side->claim && s->role == SYMBOL_SIZE;
}

/* Numbers of programs that a result depends on and nothing determines: both are launched alike. */
static void map_grids(Pairing *p, Importer *m, const Side *left, const Side *right) {
  TermTable *to = left->pointwise->tt, *from = right->pointwise->tt;
  for (uint32_t i = 0; i < from->symbols.count; i++) {
    Term own = from->symbols.data[i].term;
    if (!is_grid(right, &from->symbols.data[i]) || importer_is_mapped(m, own) || is_determined(right, from, own) ||
        !is_in_outputs(right, from, own))
      continue;
    for (uint32_t k = 0; k < to->symbols.count; k++) {
      Term other = to->symbols.data[k].term;
      if (!is_grid(left, &to->symbols.data[k]) || strcmp(term_name(to, other), term_name(from, own)) ||
          is_determined(left, to, other))
        continue;
      const char *text = arena_format(p->arena, "%s is the same on both sides", term_name(to, other));
      importer_map(m, own, other);
      array_push(p->arena, &p->assumptions->made,
                 (ReportAssumption){NULL, ASSUME_GRID, text,
                                    "the result depends on the launch, and nothing determines it", NULL});
      break;
    }
  }
}

static bool is_named_size(const Side *side, const Symbol *s) {
  const Operation *operation = side->input->operation;
  return operation && operation->has_tensors && s->role == SYMBOL_SIZE && s->sort == SORT_INT &&
         given_names(operation, term_name(side->pointwise->tt, s->term));
}

/* True if a symbol of the right has become that one of the left already. */
static bool is_image_of_another(Importer *m, TermTable *from, Term left) {
  for (uint32_t i = 0; i < from->symbols.count; i++) {
    Term own = from->symbols.data[i].term;
    if (importer_is_mapped(m, own) && importer_term(m, own) == left) return true;
  }
  return false;
}

/* A size that both operation files name, and no extent by itself: KV of rows of KV*group. */
static void map_named_sizes(Pairing *p, Importer *m, const Side *left, const Side *right) {
  TermTable *to = left->pointwise->tt, *from = right->pointwise->tt;
  for (uint32_t i = 0; i < from->symbols.count; i++) {
    const Symbol *own = &from->symbols.data[i];
    if (!is_named_size(right, own) || importer_is_mapped(m, own->term)) continue;
    for (uint32_t k = 0; k < to->symbols.count; k++) {
      const Symbol *other = &to->symbols.data[k];
      if (!is_named_size(left, other) || strcmp(term_name(to, other->term), term_name(from, own->term))) continue;
      if (is_image_of_another(m, from, other->term)) break;
      const char *text = arena_format(p->arena, "%s is the same on both sides", term_name(to, other->term));
      importer_map(m, own->term, other->term);
      array_push(p->arena, &p->assumptions->made,
                 (ReportAssumption){NULL, ASSUME_LAUNCH, text, "both operation files name it", NULL});
      break;
    }
  }
}

static bool is_known_name(TermTable *tt, const char *name) {
  for (uint32_t k = 0; k < tt->symbols.count; k++)
    if (!strcmp(term_name(tt, tt->symbols.data[k].term), name)) return true;
  return false;
}

/* What is of the right alone, and the left has something else by that name: its own name in witnesses. */
static void name_apart(Pairing *p, Importer *m, const Side *left, const Side *right) {
  TermTable *to = left->pointwise->tt, *from = right->pointwise->tt;
  for (uint32_t i = 0; i < from->symbols.count; i++) {
    const Symbol *s = &from->symbols.data[i];
    if (s->sort != SORT_INT || (s->role != SYMBOL_GRID && s->role != SYMBOL_SIZE) || importer_is_mapped(m, s->term) ||
        !is_known_name(to, term_name(from, s->term)))
      continue;
    Term made = term_symbol_new(
        to, intern_text(to->names, arena_format(p->arena, "right.%s", term_name(from, s->term))), s->sort, s->role);
    term_symbol(to, made)->axis = s->axis;
    importer_map(m, s->term, made); /* ranges may mention the symbol */
    term_symbol_range(to, made, s->lo ? importer_term(m, s->lo) : 0, s->hi ? importer_term(m, s->hi) : 0);
  }
}

/* True if an argument of the right has become that one of the left already. */
static bool is_partner(Importer *m, const Pointwise *right, Term left) {
  for (uint32_t i = 0; i < right->scalars.count; i++) {
    Term own = right->scalars.data[i].symbol;
    if (importer_is_mapped(m, own) && importer_term(m, own) == left) return true;
  }
  return false;
}

/* All by order, where the lists fit and no name is known to both: `arg5` of a stripped kernel is the other's sixth
 * argument. */
static void map_scalars_in_order(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right) {
  bool fits = left->scalars.count == right->scalars.count;
  for (uint32_t i = 0; i < right->scalars.count && fits; i++) {
    fits = term_sort(left->tt, left->scalars.data[i].symbol) == term_sort(right->tt, right->scalars.data[i].symbol);
    for (uint32_t k = 0; k < left->scalars.count; k++)
      fits = fits && !pairing_is_alike(left->scalars.data[k].name, right->scalars.data[i].name);
  }
  for (uint32_t i = 0; i < right->scalars.count && fits; i++) {
    if (importer_is_mapped(m, right->scalars.data[i].symbol)) continue;
    if (is_partner(m, right, left->scalars.data[i].symbol)) continue; /* the order is another one */
    if (are_parts_apart(left->scalars.data[i].part, right->scalars.data[i].part)) {
      stop_apart(p, left->scalars.data[i].name, right->scalars.data[i].name);
      continue;
    }
    importer_map(m, right->scalars.data[i].symbol, left->scalars.data[i].symbol);
    array_push(p->arena, &p->pairs, (ReportPair){left->scalars.data[i].name, right->scalars.data[i].name});
  }
}

static bool is_paired(const Pairing *p, const char *name) {
  for (uint32_t i = 0; i < p->pairs.count; i++)
    if (!strcmp(p->pairs.data[i].name, name)) return true;
  return false;
}

/* The right is claimed of arguments that are sizes alone, and says so. */
static void keep_size(const Pointwise *left, const Pointwise *right, Term own, Term other) {
  const Symbol *s = term_symbol(right->tt, own);
  int64_t least;
  if (term_sort(left->tt, other) != SORT_INT || !s->lo || !term_is_int(right->tt, s->lo, &least)) return;
  Term lo = term_int(left->tt, least);
  if (!term_prove_le(left->tt, lo, other)) term_symbol_narrow(left->tt, other, lo, term_symbol(left->tt, other)->hi);
}

/* What is left of that sort, where that is as much on both sides. */
static void map_rest_in_order(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right, TermSort sort) {
  uint32_t own[32], other[32], own_count = 0, other_count = 0;
  for (uint32_t i = 0; i < right->scalars.count && own_count < 32; i++)
    if (term_sort(right->tt, right->scalars.data[i].symbol) == sort && !right->scalars.data[i].is_length &&
        !importer_is_mapped(m, right->scalars.data[i].symbol))
      own[own_count++] = i;
  for (uint32_t k = 0; k < left->scalars.count && other_count < 32; k++) {
    if (term_sort(left->tt, left->scalars.data[k].symbol) == sort && !left->scalars.data[k].is_length &&
        !is_paired(p, left->scalars.data[k].name))
      other[other_count++] = k;
  }
  for (uint32_t i = 0; own_count == other_count && i < own_count; i++) {
    const PointwiseScalar *a = &left->scalars.data[other[i]], *b = &right->scalars.data[own[i]];
    if (are_parts_apart(a->part, b->part)) {
      stop_apart(p, a->name, b->name);
      continue;
    }
    importer_map(m, b->symbol, a->symbol);
    array_push(p->arena, &p->pairs, (ReportPair){a->name, b->name});
  }
}

static void map_scalars(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right) {
  for (int alike = 0; alike < 2; alike++)
    for (uint32_t i = 0; i < right->scalars.count; i++) {
      const PointwiseScalar *own = &right->scalars.data[i];
      const char *wanted = pairing_left_of(p, own->name);
      if (!wanted && is_given_away(p, right, own->name)) continue;
      for (uint32_t k = 0; k < left->scalars.count && !importer_is_mapped(m, own->symbol); k++) {
        const PointwiseScalar *other = &left->scalars.data[k];
        bool same = wanted  ? !strcmp(other->name, wanted)
                    : alike ? pairing_is_alike(other->name, own->name) && !is_paired(p, other->name)
                            : !strcmp(other->name, own->name);
        if (!same || term_sort(left->tt, other->symbol) != term_sort(right->tt, own->symbol)) continue;
        importer_map(m, own->symbol, other->symbol);
        keep_size(left, right, own->symbol, other->symbol);
        array_push(p->arena, &p->pairs, (ReportPair){other->name, own->name});
      }
    }
  map_scalars_in_order(p, m, left, right);
  map_rest_in_order(p, m, left, right, SORT_REAL);
  if (left->is_host && right->is_host) map_rest_in_order(p, m, left, right, SORT_INT);
}

/* Two arguments of the right are the left's one where shapes, or a shape and a name, say so: that is told. */
static void say_merged(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right) {
  for (uint32_t i = 0; i < right->scalars.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      Term a = right->scalars.data[k].symbol, b = right->scalars.data[i].symbol;
      if (a == b || !importer_is_mapped(m, a) || !importer_is_mapped(m, b) ||
          importer_term(m, a) != importer_term(m, b))
        continue;
      const char *one = term_text(left->tt, importer_term(m, a));
      const char *text = arena_format(p->arena, "%s and %s of the right are one: %s", right->scalars.data[k].name,
                                      right->scalars.data[i].name, one);
      array_push(p->arena, &p->assumptions->made,
                 (ReportAssumption){NULL, ASSUME_RANGE, text, "tensors are of one shape on both sides", NULL});
    }
}

/* What the right computes of an argument that may be one of the left's, and nothing says which, is not compared. */
static void ask_for_scalars(Pairing *p, Importer *m, const Pointwise *left, const Side *side) {
  const Pointwise *right = side->pointwise;
  for (uint32_t i = 0; i < right->scalars.count; i++) {
    const PointwiseScalar *own = &right->scalars.data[i];
    if (!is_called_with(left, right, own->symbol) || importer_is_mapped(m, own->symbol) ||
        !is_in_outputs(side, right->tt, own->symbol))
      continue;
    for (uint32_t k = 0; k < left->scalars.count; k++)
      if (!left->scalars.data[k].is_length && !is_paired(p, left->scalars.data[k].name)) stop_unknown(p, own->name);
  }
}

bool pairing_is_contiguous(TermTable *tt, const PointwiseTensor *t) {
  Term stride = tt->one;
  for (uint32_t k = t->rank; k-- > 0; stride = term_mul(tt, stride, t->extent[k]))
    if (t->extent[k] != tt->one && term_sub(tt, t->stride[k], stride) != tt->zero) return false;
  return true;
}

bool pairing_is_length(const TermTable *tt, Term n, Term length) {
  return length != tt->one && n != length && !(term_kind(tt, n) == TERM_SYM && term_has_symbol(tt, length, n));
}

static Term elements_of(TermTable *tt, const PointwiseTensor *t) {
  Term count = tt->one;
  for (uint32_t k = 0; k < t->rank; k++) count = term_mul(tt, count, t->extent[k]);
  return count;
}

/* Tensors of different rank are one memory where both are contiguous. */
static bool map_memory(Pairing *p, Importer *m, const Pointwise *of_left, const Pointwise *of_right,
                       const PointwiseTensor *left, const PointwiseTensor *right) {
  TermTable *to = of_left->tt, *from = of_right->tt;
  if (!left->rank && !left->is_written) { /* its one element is the first of those of the right */
    importer_map(m, right->symbol, left->symbol);
    array_push(p->arena, &p->widened, (Widened){left->symbol, right->rank});
    return true;
  }
  if (!left->rank) {
    p->stop = arena_format(p->arena, "%s is one element, and %s has rank %u: give the shape", left->name, right->name,
                           right->rank);
    return false;
  }
  if (!pairing_is_contiguous(to, left) || !pairing_is_contiguous(from, right)) {
    p->stop = arena_format(p->arena,
                           "%s has rank %u and %s rank %u, and they are compared as memory only where both are "
                           "contiguous: give the strides, or one shape",
                           left->name, left->rank, right->name, right->rank);
    return false;
  }
  importer_map_memory(m, pointwise_import(right), pointwise_import(left));
  Term own = elements_of(to, left), other = elements_of(from, right);
  if (own == to->one || other == from->one) return true;
  if (is_plain(from, other) && !importer_is_mapped(m, other) && !is_argument_of_both(p, of_left, of_right, other)) {
    const char *text = arena_format(p->arena, "%s = %s", term_text(from, other), term_text(to, own));
    array_push(p->arena, &p->assumptions->made,
               (ReportAssumption){NULL, ASSUME_RANGE, text, "tensors of different rank are compared as memory", NULL});
    importer_map(m, other, own);
  }
  return true;
}

/* How many elements they have is then one number, unless one side has but the first one, or a number of rows of the
 * other. Scalars are paired by then: the length may be made of them. */
static void equate_lengths(Pairing *p, Importer *m, TermTable *to, TermTable *from, const PointwiseTensor *left,
                           const PointwiseTensor *right) {
  Term own = elements_of(to, left), other = elements_of(from, right);
  if (own == to->one || other == from->one) return;
  Term imported = importer_term(m, other), equal = term_eq(to, own, imported);
  if (equal == to->true_ || !pairing_is_length(to, own, imported) || !pairing_is_length(to, imported, own)) return;
  if (term_kind(to, own) != TERM_SYM && term_kind(to, imported) != TERM_SYM) { /* m*n = m + n is no length by a name */
    p->stop = arena_format(p->arena, "%s has %s elements, and %s of the right %s: give one shape", left->name,
                           term_text(to, own), right->name, term_text(to, imported));
    return;
  }
  array_push(p->arena, &p->assumptions->conditions, equal);
  const char *text = arena_format(p->arena, "%s = %s", term_text(to, own), term_text(to, imported));
  array_push(p->arena, &p->assumptions->made,
             (ReportAssumption){NULL, ASSUME_RANGE, text, "tensors of different rank are compared as memory", NULL});
}

/* An argument of the left alone, of which the right has a multiple, or what else is no size to be solved for: n of one
 * kernel, and 2*m of another. */
static void equate_arguments(Pairing *p, Importer *m, const Side *of_left, const Side *side,
                             const PointwiseTensor *left, const PointwiseTensor *right) {
  TermTable *to = of_left->pointwise->tt, *from = side->pointwise->tt;
  for (uint32_t k = 0; left->rank == right->rank && k < right->rank; k++) {
    TermList symbols = {0};
    bool is_open = false;
    if (!left->extent[k] || !right->extent[k] || !is_argument(of_left, left->extent[k])) continue;
    term_symbols(from, right->extent[k], &symbols);
    for (uint32_t i = 0; i < symbols.count; i++)
      is_open |= !importer_is_mapped(m, symbols.data[i]) && is_argument(side, symbols.data[i]) &&
                 !is_called_with(of_left->pointwise, side->pointwise, symbols.data[i]);
    if (!is_open || is_paired(p, term_name(to, left->extent[k]))) continue;
    Term imported = importer_term(m, right->extent[k]), equal = term_eq(to, left->extent[k], imported);
    if (equal == to->false_ || !pairing_is_length(to, left->extent[k], imported)) continue;
    array_push(p->arena, &p->assumptions->conditions, equal);
    say_length(p, left, term_text(from, right->extent[k]), term_text(to, left->extent[k]));
    if (right->is_least[k] && !p->extent)
      p->extent =
          arena_format(p->arena, "axis %u of %s has %s elements", k, right->name, term_text(from, right->extent[k]));
  }
}

static const char *strides_text(Arena *arena, TermTable *tt, const PointwiseTensor *t) {
  Text text = text_new(arena);
  for (uint32_t k = 0; k < t->rank; k++) text_format(&text, "%s%s", k ? ", " : "[", term_text(tt, t->stride[k]));
  text_char(&text, ']');
  return text_string(&text);
}

/* Both are arguments of their own kernel alone, which a launch may set to fit: `stride_x` and `ldx`. One that both have
 * is no such name for another. */
static bool are_own_arguments(const Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right,
                              const PointwiseTensor *a, const PointwiseTensor *b, uint32_t axis) {
  Term own = a->stride[axis], other = b->stride[axis];
  if (!is_plain(left->tt, own) || !is_plain(right->tt, other) || own == a->extent[b->rank - 1] ||
      other == b->extent[b->rank - 1])
    return false;
  for (uint32_t i = 0; i < right->scalars.count; i++) {
    Term symbol = right->scalars.data[i].symbol;
    if (symbol != other && importer_is_mapped(m, symbol) && importer_term(m, symbol) == own) return false;
  }
  return !is_argument_of_both(p, left, right, other);
}

/* Elements are compared by index, wherever each side finds them. A side whose strides are no arguments of its own asks
 * for one layout: that is said, but of what functions return, which nobody gives them. */
static void note_strides(Pairing *p, Importer *m, const Pointwise *to, const Pointwise *from,
                         const PointwiseTensor *left, const PointwiseTensor *right) {
  for (uint32_t k = 0; k < right->rank && !(left->is_result && right->is_result); k++) {
    if (!left->stride[k] || !right->stride[k] || importer_term(m, right->stride[k]) == left->stride[k] ||
        are_own_arguments(p, m, to, from, left, right, k))
      continue;
    const char *own = strides_text(p->arena, to->tt, left), *other = strides_text(p->arena, from->tt, right);
    const char *text = arena_format(
        p->arena,
        "%s has the strides %s, and %s of the right %s: the same elements are compared, not the same addresses",
        left->name, own, right->name, other);
    array_push(p->arena, &p->notes, (ReportDifference){"strides", left->name, text, own, other});
    return;
  }
}

static void note_bits(Pairing *p, const PointwiseTensor *left, const PointwiseTensor *right) {
  const char *text =
      arena_format(p->arena, "%s is %s, and %s of the right %s: the same bits are compared, not the same numbers",
                   left->name, left->dtype, right->name, right->dtype);
  array_push(p->arena, &p->notes, (ReportDifference){"dtype", left->name, text, left->dtype, right->dtype});
}

static void note_range(Pairing *p, const PointwiseTensor *left, const PointwiseTensor *right) {
  const char *text = arena_format(p->arena, "%s is %s, and %s of the right %s: numbers that both have are compared",
                                  left->name, left->dtype, right->name, right->dtype);
  array_push(p->arena, &p->notes, (ReportDifference){"dtype", left->name, text, left->dtype, right->dtype});
}

/* Paired by their places, although others have one name. */
static void note_input_order(Pairing *p, const PointwiseTensor *left, const PointwiseTensor *right) {
  const char *text =
      arena_format(p->arena, "%s of the left is %s of the right, by their order", left->name, right->name);
  array_push(p->arena, &p->notes, (ReportDifference){"input", left->name, text, left->name, right->name});
}

static bool map_tensors(Pairing *p, Importer *m, const Side *of_left, const Side *side) {
  const Pointwise *left = of_left->pointwise, *right = side->pointwise;
  bool has_names = false;
  for (uint32_t i = 0; i < right->tensors.count; i++)
    has_names |= is_of_kind(&right->tensors.data[i], false) && by_name(p, left, right, &right->tensors.data[i]);
  const PointwiseTensor **strided = arena_array(p->arena, const PointwiseTensor *, right->tensors.count + 1),
                        **memory = arena_array(p->arena, const PointwiseTensor *, right->tensors.count + 1);
  for (uint32_t i = 0; i < right->tensors.count; i++) {
    const PointwiseTensor *t = &right->tensors.data[i], *other = partner(p, left, right, t);
    if (!other || !(other->is_read || other->is_written)) continue; /* the left has no axes for it */
    bool is_placed = other != by_name(p, left, right, t);
    if (is_placed && !t->is_written && !pairing_may_be_one(left, right, other, t))
      return stop_apart(p, other->name, t->name), true;
    if (has_names && !t->is_written && is_placed) note_input_order(p, other, t);
    if (other->sort != t->sort && t->is_read) {
      usage(p, "pair tensors of one kind with --map LEFT=RIGHT",
            arena_format(p->arena, "%s and %s are not of one kind: %s and %s", other->name, t->name, other->dtype,
                         t->dtype));
      return false;
    }
    if (t->is_read && importer_map_bits(m, pointwise_import(t), pointwise_import(other)))
      note_bits(p, other, t);
    else if (t->is_read && t->sort == SORT_INT && strcmp(t->dtype, other->dtype))
      note_range(p, other, t);
    if (other->rank != t->rank) {
      if (t->is_read && !map_memory(p, m, left, right, other, t)) return true;
      if (t->is_read) memory[i] = other;
      if (t->is_read) array_push(p->arena, &p->pairs, (ReportPair){other->name, t->name});
      continue;
    }
    importer_map(m, t->symbol, other->symbol);
    map_sizes(p, m, of_left, side, other, t, false);
    strided[i] = other;
    if (t->is_read) array_push(p->arena, &p->pairs, (ReportPair){other->name, t->name});
  }
  map_scalars(p, m, left, right);
  for (uint32_t i = 0; i < right->tensors.count; i++)
    if (memory[i]) equate_lengths(p, m, left->tt, right->tt, memory[i], &right->tensors.data[i]);
  for (uint32_t i = 0; i < right->tensors.count; i++)
    if (strided[i]) map_sizes(p, m, of_left, side, strided[i], &right->tensors.data[i], true);
  say_merged(p, m, left, right);
  ask_for_scalars(p, m, left, side);
  for (uint32_t i = 0; i < right->tensors.count; i++)
    if (strided[i]) equate_arguments(p, m, of_left, side, strided[i], &right->tensors.data[i]);
  for (uint32_t i = 0; i < right->tensors.count; i++)
    if (strided[i]) note_strides(p, m, left, right, strided[i], &right->tensors.data[i]);
  return true;
}

static bool is_widened(const Pairing *p, Term symbol) {
  for (uint32_t i = 0; i < p->widened.count; i++)
    if (p->widened.data[i].symbol == symbol) return true;
  return false;
}

static PointwiseTensor imported(Importer *m, const PointwiseTensor *own) {
  PointwiseTensor t = *own;
  t.symbol = importer_term(m, t.symbol);
  for (uint32_t k = 0; k < t.rank; k++)
    t.extent[k] = importer_term(m, t.extent[k]), t.stride[k] = t.stride[k] ? importer_term(m, t.stride[k]) : 0;
  return t;
}

/* Those of the left first: their extents are meant where a tensor is one of both, and not one element of it. */
static const Pointwise *import_tensors(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *own) {
  Pointwise *both = arena_new(p->arena, Pointwise);
  *both = (Pointwise){.tt = left->tt};
  for (uint32_t i = 0; i < left->tensors.count; i++)
    if (!is_widened(p, left->tensors.data[i].symbol)) array_push(p->arena, &both->tensors, left->tensors.data[i]);
  for (uint32_t i = 0; i < own->tensors.count; i++)
    array_push(p->arena, &both->tensors, imported(m, &own->tensors.data[i]));
  return both;
}

const PointwiseTensor *pairing_tensor(const Pointwise *pointwise, Term symbol) {
  for (uint32_t i = 0; symbol && pointwise && i < pointwise->tensors.count; i++)
    if (pointwise->tensors.data[i].symbol == symbol) return &pointwise->tensors.data[i];
  return NULL;
}

Term pairing_contents(TermTable *tt, Term condition) {
  TermList symbols = {0};
  if (!condition) return 0;
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    if (s->role != SYMBOL_PID) continue;
    if (!s->hi) return 0;
    condition = term_fold(tt, FOLD_ALL, symbols.data[i], tt->zero, term_add(tt, s->hi, tt->one), tt->true_, condition);
  }
  return condition;
}

bool side_import(Side *side, const Side *left, Pairing *p) {
  const Pointwise *own = side->pointwise;
  TermTable *to = left->pointwise->tt;
  Importer *m = importer_new(p->arena, to, own->tt);
  if (!map_tensors(p, m, left, side)) return false;
  map_named_sizes(p, m, left, side);
  map_grids(p, m, left, side);
  name_apart(p, m, left, side);
  for (uint32_t i = 0; i < side->outputs.count; i++) {
    CompareOutput *o = &side->outputs.data[i];
    for (uint32_t k = 0; k < o->rank; k++)
      o->shape[k] = importer_term(m, o->shape[k]), o->index[k] = importer_term(m, o->index[k]);
    o->region = importer_term(m, o->region);
    if (o->value) o->value = importer_term(m, o->value);
  }
  side_assume(side, own, p, to, m);
  side->imported = import_tensors(p, m, left->pointwise, own);
  for (uint32_t i = 0; side->claim && i < side->claim->assumptions.count; i++) {
    const Assumption *a = &side->claim->assumptions.data[i];
    if (a->condition) array_push(p->arena, &p->assumptions->conditions, importer_term(m, a->condition));
    Term contents = pairing_contents(own->tt, a->of_contents);
    if (contents) array_push(p->arena, &p->assumptions->conditions, importer_term(m, contents));
    Term needed = a->kind != ASSUME_PRECONDITION ? 0 : contents ? contents : a->condition;
    if (needed)
      array_push(p->arena, &p->assumptions->preconditions, (ComparePrecondition){importer_term(m, needed), 1});
    const PointwiseTensor *apart = pairing_tensor(own, a->apart);
    if (apart) array_push(p->arena, &p->assumptions->apart, imported(m, apart));
    if (a->of_values) array_push(p->arena, &p->assumptions->conditions, importer_term(m, a->of_values));
    side_keep_arithmetic(a, p, m);
  }
  return true;
}

static Term with_all_indices(TermTable *tt, Term t, void *payload) {
  const Pairing *p = payload;
  Term first[POINTWISE_MAX_RANK];
  if (term_kind(tt, t) != TERM_READ || term_count(tt, t) != 1) return t;
  for (uint32_t i = 0; i < POINTWISE_MAX_RANK; i++) first[i] = tt->zero;
  for (uint32_t i = 0; i < p->widened.count; i++)
    if (p->widened.data[i].symbol == term_arg(tt, t, 0))
      return term_read(tt, term_arg(tt, t, 0), term_sort(tt, t), p->widened.data[i].rank, first);
  return t;
}

const Pointwise *side_widen(Side *left, const Side *right, const Pointwise *known, Pairing *p) {
  TermTable *tt = known->tt;
  if (!p->widened.count) return known;
  for (uint32_t i = 0; i < left->outputs.count; i++) {
    CompareOutput *o = &left->outputs.data[i];
    o->region = term_transform(tt, o->region, with_all_indices, p);
    if (o->value) o->value = term_transform(tt, o->value, with_all_indices, p);
    for (uint32_t k = 0; k < o->defined.count; k++)
      o->defined.data[k] = term_transform(tt, o->defined.data[k], with_all_indices, p);
  }
  for (uint32_t i = 0; i < p->assumptions->conditions.count; i++)
    p->assumptions->conditions.data[i] = term_transform(tt, p->assumptions->conditions.data[i], with_all_indices, p);
  Pointwise *own = arena_new(p->arena, Pointwise);
  *own = *known;
  own->tensors.data = arena_array(p->arena, PointwiseTensor, known->tensors.count + 1);
  for (uint32_t i = 0; i < known->tensors.count; i++) {
    PointwiseTensor *t = &own->tensors.data[i];
    *t = known->tensors.data[i];
    for (uint32_t k = 0; k < right->imported->tensors.count && is_widened(p, t->symbol); k++)
      if (right->imported->tensors.data[k].symbol == t->symbol) {
        const char *name = t->name;
        *t = right->imported->tensors.data[k], t->name = name;
        break;
      }
  }
  return own;
}
