/* The safety report (see obligations.h).
 *
 * 1. Ground: with a launch that was given (an operation file), the kernel is executed and its views recovered again,
 * with the launch's expressions in the place of arguments and grid; else the recovery at hand is what is reasoned
 * about.
 * 2. Prove: each obligation by itself (obligations_access.c, _range.c, _value.c).
 * 3. Refute: if any is open, small launches are searched (witness.c); what shows is refuted, with its witness.
 *
 * What is neither stays unknown and says why. */
#include "base/message.h"
#include "prove/equal.h"
#include "safety/obligations_internal.h"
#include "term/import.h"

#include <stdio.h>
#include <string.h>

/* ---- the report ---- */

const char *safety_tensor_name(const Safety *s, Term tensor) { return tensor ? term_name(s->tt, tensor) : NULL; }

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

bool safety_same_place(const Program *p, OpId a, OpId b) {
  const char *file_a, *file_b;
  uint32_t line_a, line_b, column;
  if (a == b) return true;
  if (!program_op_line(p, program_get_op(p, a)->loc, &file_a, &line_a, &column) ||
      !program_op_line(p, program_get_op(p, b)->loc, &file_b, &line_b, &column))
    return false;
  return line_a == line_b && !strcmp(file_a, file_b);
}

/* One obligation per kind, line and tensor; the worse verdict counts. */
Obligation *safety_add(Safety *s, ObligationKind kind, int verdict, OpId op, Term tensor, const char *detail) {
  const char *name = safety_tensor_name(s, tensor);
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    Obligation *o = &s->report->obligations.data[i];
    if (o->kind != kind || !same_text(o->tensor, name) || !safety_same_place(s->report->ex->program, o->op, op))
      continue;
    if (verdict == OBLIGATION_UNKNOWN && o->verdict == OBLIGATION_PROVED)
      o->verdict = verdict, o->detail = detail, o->under.count = 0;
    return o;
  }
  array_push(s->arena, &s->report->obligations,
             (Obligation){.kind = kind, .op = op, .verdict = verdict, .tensor = name, .detail = detail});
  return &s->report->obligations.data[s->report->obligations.count - 1];
}

uint32_t safety_assume(Safety *s, AssumptionKind kind, Term condition, const char *text, const char *why,
                       const char *limit) {
  Assumption a = {.kind = kind, .why = why, .limit = limit, .condition = condition, .text = text};
  return claim_assume(s->arena, s->report, a);
}

/* What the launch's own execution says of arguments, said of those of the result; 0: it speaks of something else. */
static Term of_arguments(Safety *s, Term condition) {
  const Effects *from = s->on->ex, *to = s->report->ex;
  Importer *importer = importer_new(s->arena, to->tt, from->tt);
  TermList symbols = {0};
  for (uint32_t i = 0; i < from->params.count && i < to->params.count; i++)
    importer_map(importer, from->params.data[i].symbol, to->params.data[i].symbol);
  term_symbols(from->tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (!importer_is_mapped(importer, symbols.data[i])) return 0;
  return importer_term(importer, condition);
}

uint32_t safety_take(Safety *s, const Assumption *a) {
  Assumption own = {.kind = a->kind, .why = a->why, .limit = a->limit, .text = a->text, .is_sentence = a->is_sentence};
  if (s->on == s->report)
    own.condition = a->condition;
  else if (a->kind == ASSUME_COVER && a->condition) /* a counterexample beyond it would be none */
    own.condition = of_arguments(s, a->condition);
  return claim_assume(s->arena, s->report, own);
}

void safety_rests_on(Safety *s, Obligation *o, uint32_t assumption) {
  for (uint32_t i = 0; i < o->under.count; i++)
    if (o->under.data[i] == assumption) return;
  array_push(s->arena, &o->under, assumption);
}

void safety_rests_on_kind(Safety *s, Obligation *o, AssumptionKind kind) {
  for (uint32_t i = 0; i < s->on->assumptions.count; i++) {
    const Assumption *a = &s->on->assumptions.data[i];
    if (a->kind == kind) safety_rests_on(s, o, safety_take(s, a));
  }
}

enum { MOST_ALTERNATIVES = 6 };

/* An equation from both sides. */
static bool is_shown(TermTable *tt, Term condition) {
  if (term_prove_true(tt, condition)) return true;
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return false;
  Term e = term_arg(tt, condition, 0);
  return term_prove_le(tt, e, tt->zero) && term_prove_le(tt, tt->zero, e);
}

/* One of the alternatives holds: (a and b) or c, if both a or c and b or c; of plain ones, one where the others do not.
 */
static bool one_holds(TermTable *tt, const Term *alternatives, uint32_t count, uint32_t depth) {
  if (count > MOST_ALTERNATIVES || depth > 8) return false;
  for (uint32_t i = 0; i < count; i++) {
    Term conjunction = alternatives[i], next[MOST_ALTERNATIVES];
    if (term_kind(tt, conjunction) != TERM_AND) continue;
    memcpy(next, alternatives, sizeof *next * count);
    for (uint32_t k = 0, n = term_count(tt, conjunction); k < n; k++) {
      next[i] = term_arg(tt, conjunction, k);
      if (!one_holds(tt, next, count, depth + 1)) return false;
    }
    return true;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t facts = tt->facts.count;
    for (uint32_t k = 0; k < count; k++)
      if (k != i) equal_push(tt, term_not(tt, alternatives[k]));
    bool good = is_shown(tt, term_rebuild(tt, alternatives[i]));
    term_pop_facts(tt, facts);
    if (good) return true;
  }
  return false;
}

bool safety_holds(Safety *s, Term condition) {
  TermTable *tt = s->tt;
  condition = term_assume(tt, term_rebuild(tt, condition), tt->true_);
  if (equal_prove_true(tt, condition)) return true;
  if (term_kind(tt, condition) == TERM_AND) {
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++)
      if (!safety_holds(s, term_arg(tt, condition, i))) return false;
    return true;
  }
  if (term_kind(tt, condition) != TERM_OR || term_count(tt, condition) > MOST_ALTERNATIVES) return false;
  Term alternatives[MOST_ALTERNATIVES];
  for (uint32_t i = 0; i < term_count(tt, condition); i++) alternatives[i] = term_arg(tt, condition, i);
  return one_holds(tt, alternatives, term_count(tt, condition), 0);
}

const ProveStore *safety_store(Safety *s, OpId op) {
  if (!s->proof && s->on != s->report) {
    ProveResult *proof = arena_new(s->arena, ProveResult);
    *proof = prove_claim(s->arena, s->on);
    s->proof = proof;
  }
  ProveStore *all = NULL; /* an unrolled loop stores several times: what is shown of all of them */
  for (uint32_t i = 0; s->proof && i < s->proof->stores.count; i++) {
    const ProveStore *store = &s->proof->stores.data[i];
    if (store->op != op) continue;
    if (!all) all = arena_new(s->arena, ProveStore), *all = *store;
    all->in_shape &= store->in_shape, all->covers &= store->covers, all->one_program &= store->one_program;
  }
  return all;
}

GivenTensor *safety_given(const Safety *s, Term tensor) {
  for (uint32_t i = 0; i < s->on->ex->params.count && s->given; i++)
    if (s->on->ex->params.data[i].symbol == tensor && s->given[i].given) return &s->given[i];
  return NULL;
}

const char *safety_operation_name(const Safety *s, Term tensor) {
  for (uint32_t i = 0; i < s->on->ex->params.count && s->launch && s->launch->has_tensors; i++)
    if (s->on->ex->params.data[i].symbol == tensor && s->launch->params.data[i].tensor >= 0)
      return s->launch->tensors.data[s->launch->params.data[i].tensor].name;
  return safety_tensor_name(s, tensor);
}

bool safety_is_shared(const Safety *s, const char *name) {
  for (uint32_t i = 0; name && i < s->own->shared.count; i++)
    if (!strcmp(s->own->shared.data[i], name)) return true;
  return false;
}

/* ---- 1. the ground ---- */

static void replace_everywhere(Effects *ex, Term from, Term to) {
  TermTable *tt = ex->tt;
  effects_replace(ex, EFFECTS_ACCESSES | EFFECTS_NEEDS, from, to);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    Term lo = tt->symbols.data[i].lo, hi = tt->symbols.data[i].hi;
    if (tt->symbols.data[i].term == from) continue;
    if (lo) lo = term_replace(tt, lo, from, to);
    if (hi) hi = term_replace(tt, hi, from, to);
    term_symbol_range(tt, tt->symbols.data[i].term, lo, hi);
  }
}

/* name + number; NULL: it is not that. */
static const LaunchExpr *shifted_name(const LaunchExpr *e, int64_t *shift) {
  if ((e->op != '+' && e->op != '-') || e->a->op != 'v' || e->b->op != 'n') return NULL;
  *shift = e->op == '+' ? e->b->number : -e->b->number;
  return e->a;
}

/* A plain name is the argument itself; another expression takes its place, and fits it. */
static void bind_scalar(Effects *ex, const Param *param, const LaunchExpr *e, LaunchNames *names) {
  TermTable *tt = ex->tt;
  if (e->op == 'v' && !names->data[e->name].term) {
    names->data[e->name].term = param->symbol;
    Symbol *symbol = term_symbol(tt, param->symbol);
    if (names->data[e->name].least == 1 && !term_is_positive(tt, param->symbol)) symbol->lo = tt->one;
    return;
  }
  int64_t shift = 0; /* K + 64 of a K that nothing else has named: K is the argument less 64 */
  const LaunchExpr *k = shifted_name(e, &shift);
  if (k && !names->data[k->name].term) {
    names->data[k->name].term = term_sub(tt, param->symbol, term_int(tt, shift));
    Term least = term_int(tt, names->data[k->name].least + shift), lo = term_symbol(tt, param->symbol)->lo;
    if (!lo || term_prove_le(tt, lo, least))
      term_symbol_range(tt, param->symbol, least, term_symbol(tt, param->symbol)->hi);
    return;
  }
  Term value = launch_term(tt, e, names), hi = term_symbol(tt, param->symbol)->hi;
  replace_everywhere(ex, param->symbol, value);
  if (hi) equal_push(tt, term_le(tt, value, hi));
}

/* Of an argument that is given, or of a grid. */
static bool is_name_of_launch(const Safety *s, const Effects *ex, const char *name) {
  bool is = false;
  for (uint32_t i = 0; i < 3; i++) is |= !strcmp(term_name(ex->tt, ex->grid[i]), name);
  for (uint32_t i = 0; i < ex->params.count; i++)
    is |= (ex->params.data[i].is_pointer || s->launch->params.data[i].scalar) && !strcmp(ex->params.data[i].name, name);
  return is;
}

/* Plain names first. A size that no argument is, and that has the name of another one, goes by a name of its own: texts
 * are over the names of arguments, and in the operation's at last (operator_texts.c). */
static void bind_scalars(const Safety *s, Effects *ex, LaunchNames *names) {
  for (int plain = 1; plain >= 0; plain--) {
    for (uint32_t i = 0; i < ex->params.count; i++) {
      const LaunchExpr *e = s->launch->params.data[i].scalar;
      if (e && (e->op == 'v') == plain) bind_scalar(ex, &ex->params.data[i], e, names);
    }
    for (uint32_t k = 0; k < names->count && plain && s->launch->has_tensors; k++)
      if (!names->data[k].term && is_name_of_launch(s, ex, names->data[k].name))
        names->data[k].term =
            launch_size(s->tt, &names->data[k], arena_format(s->arena, LAUNCH_OWN "%s", names->data[k].name));
  }
}

static void bind_grid(Effects *ex, uint32_t axis, Term value) {
  TermTable *tt = ex->tt;
  Term most = term_symbol(tt, ex->grid[axis])->hi;
  if (term_kind(tt, value) == TERM_SYM && most) {
    Symbol *size = term_symbol(tt, value);
    if (!size->hi || term_prove_le(tt, most, size->hi)) size->hi = most;
  } else if (most)
    equal_push(tt, term_le(tt, value, most));
  equal_push(tt, term_le(tt, tt->one, value));
  replace_everywhere(ex, ex->grid[axis], value);
}

static void push_conditions(Safety *s, LaunchNames *names) {
  for (uint32_t i = 0; i < s->launch->conditions.count; i++) {
    Term condition = launch_term(s->tt, s->launch->conditions.data[i], names);
    TermTable *tt = s->tt;
    if (term_kind(tt, condition) == TERM_LE) { /* symbol <= literal becomes its range */
      Term e = term_arg(tt, condition, 0), c = term_new_rat(tt, term_constant_part(tt, e)), v = term_sub(tt, e, c);
      if (term_kind(tt, v) == TERM_SYM) term_symbol(tt, v)->hi = term_neg(tt, c);
    }
    equal_push(tt, condition);
  }
}

/* n % 64 == 0: n is 64 times something, as far as the obligations are concerned. false: there is no such condition. */
static bool split_multiples(Safety *s, LaunchNames *names) {
  bool any = false;
  for (uint32_t i = 0; i < s->launch->conditions.count; i++) {
    const LaunchExpr *e = s->launch->conditions.data[i];
    if (e->op != '=' || e->a->op != '%' || e->a->a->op != 'v' || e->a->b->op != 'n' || e->b->op != 'n') continue;
    LaunchName *name = &names->data[e->a->a->name];
    int64_t factor = e->a->b->number;
    if (name->term || e->b->number || factor < 2 || factor > INT32_MAX) continue;
    Term count = term_symbol_new(
        s->tt, intern_text(s->tt->names, arena_format(s->arena, "(%s / %lld)", name->name, (long long)factor)),
        SORT_INT, SYMBOL_SIZE);
    term_symbol_range(s->tt, count, name->least == 1 ? s->tt->one : 0, 0);
    name->term = term_scale(s->tt, (Rational){factor, 1}, count);
    any = true;
  }
  return any;
}

static bool uses(const Effects *ex, Term symbol) {
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (ex->accesses.data[i].is_store && term_has_symbol(ex->tt, ex->accesses.data[i].offset, symbol)) return true;
  return false;
}

static GivenTensor *given_tensors(Safety *s, const Effects *ex, LaunchNames *names) {
  GivenTensor *given = arena_array(s->arena, GivenTensor, ex->params.count + 1);
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const LaunchParam *param = &s->launch->params.data[i];
    given[i].shared = -1;
    if (param->tensor < 0) continue;
    const LaunchTensor *t = &s->launch->tensors.data[param->tensor];
    if (t->inferred) continue;
    given[i] = (GivenTensor){
        .given = true, .shared = param->tensor, .rank = t->rank, .offset = launch_term(s->tt, param->offset, names)};
    for (uint32_t k = 0; k < t->rank; k++) {
      given[i].extent[k] = launch_term(s->tt, t->extent[k], names);
      given[i].stride[k] = launch_term(s->tt, t->stride[k], names);
    }
  }
  return given;
}

/* --grid alone: what the tensors are is what the recovery says. */
static bool gives_no_shape(const Safety *s) {
  for (uint32_t i = 0; i < s->launch->tensors.count; i++)
    if (!s->launch->tensors.data[i].inferred) return false;
  return true;
}

/* The launch is not one that what was recovered speaks of. */
static bool miss(Safety *s, ObligationKind kind, const char *text) {
  s->missed =
      arena_format(s->arena, "nothing is shown of the launch that was given, as it is not shown to meet: %s", text);
  s->missed_kind = kind;
  return false;
}

/* Arguments, grid and conditions of the launch, in an execution on the table of `s`. */
static void bind_launch(Safety *s, Effects *ex, LaunchNames *names, Term *grid) {
  bind_scalars(s, ex, names);
  for (uint32_t i = 0; i < 3; i++) {
    s->grid[i] = grid[i] = launch_term(s->tt, s->launch->grid[i], names);
    if (!uses(ex, ex->pid[i])) s->repeats |= grid[i] != s->tt->one;
    bind_grid(ex, i, grid[i]);
  }
  push_conditions(s, names);
  effects_rebuild(ex, EFFECTS_ACCESSES);
}

void safety_bind_again(Safety *s, Effects *ex) {
  Term grid[3];
  LaunchNames *names = arena_new(s->arena, LaunchNames);
  if (!s->launch || s->on == s->report) return;
  *names = s->launch->names;
  bind_launch(s, ex, names, grid);
}

/* The kernel again, under the launch: on a table of its own. */
static bool stand_on_launch(Safety *s, bool multiples) {
  const Effects *old = s->report->ex;
  LaunchNames *names = arena_new(s->arena, LaunchNames);
  *names = s->launch->names;
  s->tt = term_table_new(s->arena, old->tt->names);
  Effects *ex = execute_function(s->arena, s->tt, old->program, old->function, old->options);
  Term grid[3];
  if (ex->stop_code) return false;
  if (multiples && !split_multiples(s, names)) return false;
  bind_launch(s, ex, names, grid);
  s->on = recover_views(s->arena, ex);
  for (uint32_t i = 0; i < s->on->assumptions.count; i++) { /* the launch has its own grid */
    Term condition = s->on->assumptions.data[i].condition;
    if (!condition) continue;
    if (s->on->assumptions.data[i].kind == ASSUME_DISJOINT && !gives_no_shape(s))
      return miss(s, OBLIGATION_RACE,
                  s->on->assumptions.data[i].text); /* so small that addresses do not meet: the shapes are given */
    if (s->on->assumptions.data[i].kind != ASSUME_GRID) {
      safety_take(s, &s->on->assumptions.data[i]);
      continue;
    }
    for (uint32_t k = 0; k < 3; k++) condition = term_replace(s->tt, condition, ex->grid[k], grid[k]);
    if (!equal_prove_true(s->tt, term_rebuild(s->tt, condition)))
      return miss(s, OBLIGATION_COVERAGE, s->on->assumptions.data[i].text);
  }
  for (uint32_t i = 0; i < 3; i++) /* for the prover, which executes once more */
    array_push(s->arena, &s->on->assumptions,
               (Assumption){.kind = ASSUME_LAUNCH,
                            .condition = term_eq(s->tt, ex->grid[i], grid[i]),
                            .text = "the grid of the launch",
                            .why = ""});
  s->given = given_tensors(s, ex, names);
  return !s->on->stop_code;
}

/* What was recovered, with the shapes that options give. */
static bool stand_on_recovery(Safety *s) {
  if (s->report->stop_code) return false;
  if (!s->launch) return true;
  LaunchNames *names = arena_new(s->arena, LaunchNames);
  *names = s->launch->names;
  for (uint32_t i = 0; i < names->count; i++)
    for (uint32_t k = 0; k < s->tt->symbols.count && !names->data[i].term; k++) {
      const Symbol *symbol = &s->tt->symbols.data[k];
      bool size = symbol->sort == SORT_INT && (symbol->role == SYMBOL_SIZE || symbol->role == SYMBOL_GRID);
      if (size && !strcmp(term_name(s->tt, symbol->term), names->data[i].name)) names->data[i].term = symbol->term;
    }
  push_conditions(s, names);
  s->given = given_tensors(s, s->report->ex, names);
  return true;
}

/* ---- 3. refutations ---- */

/* Conditions over the arguments and the grid alone that were assumed. `gives_shapes`: with them it is known where
 * elements lie, and that they do not meet is no condition but what is to be shown. */
static WitnessConditions conditions_on_launches(const Claim *recovery, bool gives_shapes) {
  TermTable *tt = recovery->ex->tt;
  Term *out = arena_array(recovery->ex->arena, Term, recovery->assumptions.count + 1);
  uint32_t count = 0;
  bool keeps_covers = false; /* the shapes that fit may be fewer than those that a block covers */
  for (uint32_t i = 0; i < recovery->assumptions.count; i++) {
    const Assumption *a = &recovery->assumptions.data[i];
    TermList symbols = {0};
    keeps_covers |= a->kind == ASSUME_DISJOINT && gives_shapes && a->condition;
    bool arguments = (a->kind == ASSUME_COVER || (a->kind == ASSUME_DISJOINT && !gives_shapes)) && a->condition;
    if (!arguments) continue;
    term_symbols(tt, a->condition, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++) {
      bool param = false;
      for (uint32_t p = 0; p < recovery->ex->params.count; p++)
        param |= recovery->ex->params.data[p].symbol == symbols.data[k];
      for (uint32_t axis = 0; axis < 3; axis++) param |= recovery->ex->grid[axis] == symbols.data[k];
      arguments &= param;
    }
    if (arguments) out[count++] = a->condition;
  }
  return (WitnessConditions){recovery->ex, out, count, keeps_covers};
}

/* Those about a grid that nobody gave. */
static WitnessConditions conditions_on_free_grids(const Safety *s, WitnessConditions all) {
  Term *kept = arena_array(s->arena, Term, all.count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all.count; i++) {
    bool keep = false;
    for (uint32_t axis = 0; axis < 3; axis++) {
      const LaunchExpr *grid = s->launch->grid[axis];
      keep |= grid && grid->op == 'v' && !strncmp(s->launch->names.data[grid->name].name, "grid_", 5) &&
              term_has_symbol(all.ex->tt, all.data[i], all.ex->grid[axis]);
    }
    if (keep) kept[count++] = all.data[i];
  }
  return (WitnessConditions){all.ex, kept, count, false};
}

/* Where one block covers an axis that is what the caller promises, unless the launch says otherwise. */
static void search_launches(const Safety *s, WitnessEvents *events) {
  WitnessConditions required = conditions_on_launches(s->stands ? s->on : s->report, s->is_given && !gives_no_shape(s));
  if (!witness_search(s->arena, s->report->ex, s->launch, required, events) && required.count)
    witness_search(s->arena, s->report->ex, s->launch, conditions_on_free_grids(s, required), events);
}

/* The obligation that an event is about: the same op and tensor, else an open one of that op, else, of a race, of the
 * tensor. NULL: none. */
static Obligation *find_open(Safety *s, const WitnessEvent *e) {
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t i = 0; i < s->report->obligations.count; i++) {
      Obligation *o = &s->report->obligations.data[i];
      bool tensor = same_text(o->tensor, e->param);
      if (o->kind != e->kind || o->verdict == OBLIGATION_REFUTED) continue;
      bool here = safety_same_place(s->report->ex->program, o->op, e->op);
      if (pass == 0   ? here && (tensor || !o->tensor)
          : pass == 1 ? here && o->verdict == OBLIGATION_UNKNOWN
                      : e->kind == OBLIGATION_RACE && tensor)
        return o;
    }
  return NULL;
}

/* Stores to places that are read from memory, of a tensor that is not read: they race only if these repeat, and a
 * witness that makes them repeat says nothing about the kernel (semantics.md section 7). */
static bool is_scatter(const Safety *s, OpId op) {
  const Effects *ex = s->report->ex;
  Term tensor = 0;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    if (a->is_store && !a->is_atomic && safety_same_place(ex->program, a->op, op) &&
        (term_node(s->tt, a->offset)->flags & TERM_HAS_READ))
      tensor = a->tensor;
  }
  for (uint32_t i = 0; i < ex->accesses.count && tensor; i++)
    if (ex->accesses.data[i].tensor == tensor && (!ex->accesses.data[i].is_store || ex->accesses.data[i].is_atomic))
      return false;
  return tensor != 0;
}

static void refute(Safety *s, WitnessEvent *e) {
  if (e->kind == OBLIGATION_RACE && is_scatter(s, e->op)) return;
  if (e->divides && s->report->relies_on_divisors) return;      /* the launch may be none of those that are spoken of */
  for (uint32_t i = 0; i < s->report->obligations.count; i++) { /* once for each line and tensor */
    const Obligation *known = &s->report->obligations.data[i];
    if (known->kind == e->kind && known->verdict == OBLIGATION_REFUTED && same_text(known->tensor, e->tensor) &&
        safety_same_place(s->report->ex->program, known->op, e->op))
      return;
  }
  Obligation *o = find_open(s, e);
  uint8_t of_inputs = e->computed && o
                          ? o->of_inputs
                          : OF_INPUTS_NOT; /* where the operator itself has no value: no fault of the kernel's */
  if (of_inputs == OF_INPUTS_ALONE || (of_inputs == OF_INPUTS_TOO && !e->is_positive)) return;
  if (!o) {
    array_push(s->arena, &s->report->obligations, (Obligation){.kind = e->kind, .op = e->op});
    o = &s->report->obligations.data[s->report->obligations.count - 1];
  }
  o->is_extent = false;
  if (e->kind == OBLIGATION_COVERAGE && safety_is_shared(s, e->tensor)) { /* another launch may write it */
    o->verdict = OBLIGATION_UNKNOWN, o->op = e->op, o->tensor = e->tensor, o->detail = e->detail, o->under.count = 0;
    o->is_of_operation = true, o->is_named = s->launch->has_tensors;
    return;
  }
  if (safety_rests_on_results(s, e)) { /* the witness made up what an earlier launch leaves */
    const char *what = e->kind == OBLIGATION_UNDEFINED ? "undefined" : e->detail;
    if (o->verdict == OBLIGATION_PROVED || e->kind != OBLIGATION_UNDEFINED || !o->detail)
      o->detail = arena_format(
          s->arena,
          "%s for some contents of a tensor that an earlier launch writes: what it leaves there is not looked at",
          what);
    o->verdict = OBLIGATION_UNKNOWN, o->op = e->op, o->tensor = e->tensor, o->under.count = 0,
    o->is_named = s->launch->has_tensors;
    return;
  }
  o->verdict = OBLIGATION_REFUTED;
  o->is_named = s->launch->has_tensors;
  o->op = e->op, o->tensor = e->tensor, o->detail = e->detail, o->witness = &e->witness, o->run = e->run;
  o->under.count = 0;
}

static bool is_open(const Safety *s) {
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    const Obligation *o = &s->report->obligations.data[i];
    if (o->verdict == OBLIGATION_UNKNOWN && o->of_inputs != OF_INPUTS_ALONE && !o->is_of_operation) return true;
  }
  return false;
}

/* ---- the verdict ---- */

/* --allow KIND or KIND@LINE. */
static bool is_allowed(const Options *options, const Obligation *o, const char *where) {
  const char *line = strrchr(where, ':');
  for (uint32_t i = 0; i < options->allow.count; i++) {
    const AllowedKind *allowed = &options->allow.data[i];
    if (allowed->kind == o->kind && (!allowed->line || (line && !strcmp(allowed->line, line + 1)))) return true;
  }
  return false;
}

int obligation_decide(Obligation *o, const Effects *ex, const Options *options) {
  if (o->verdict == OBLIGATION_PROVED && o->under.count && options->strict[o->kind]) o->verdict = OBLIGATION_REFUTED;
  bool allowed = o->verdict == OBLIGATION_REFUTED && is_allowed(options, o, execute_where(ex, o->op));
  if (o->verdict == OBLIGATION_PROVED && !options->strict[o->kind])
    o->witness = NULL; /* of where a condition ends: no refutation */
  return allowed ? OBLIGATION_PROVED : o->verdict;
}

static Verdict safety_of(const Claim *recovery, bool complete, const Options *options) {
  Verdict worst = complete ? VERDICT_PROVED : VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < recovery->obligations.count; i++) {
    Obligation *o = &recovery->obligations.data[i];
    int verdict = obligation_decide(o, recovery->ex, options);
    if (verdict == OBLIGATION_REFUTED) return VERDICT_REFUTED;
    if (verdict != OBLIGATION_PROVED && !o->is_of_operation) worst = VERDICT_UNKNOWN;
  }
  return worst;
}

/* A mask is false where a part of it is: what its other parts leave open does not matter there. */
static Term without_undefined(TermTable *tt, Term mask) {
  if (term_kind(tt, mask) != TERM_AND || !(term_node(tt, mask)->flags & TERM_HAS_UNDEF)) return mask;
  Term known = tt->true_, out = tt->true_;
  for (uint32_t i = 0; i < term_count(tt, mask); i++)
    if (!(term_node(tt, term_arg(tt, mask, i))->flags & TERM_HAS_UNDEF))
      known = term_and(tt, known, term_arg(tt, mask, i));
  for (uint32_t i = 0; i < term_count(tt, mask); i++) {
    Term part = term_arg(tt, mask, i);
    out = term_and(tt, out, term_node(tt, part)->flags & TERM_HAS_UNDEF ? term_assume(tt, part, known) : part);
  }
  return out;
}

static void simplify_masks(Safety *s) {
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    Access *a = &s->on->ex->accesses.data[i];
    a->mask = without_undefined(s->tt, a->mask);
    if (term_node(s->tt, a->offset)->flags & TERM_HAS_UNDEF) a->offset = term_assume(s->tt, a->offset, a->mask);
  }
}

static const double VALUES_SHARE = 0.5; /* of the time that is left: the other obligations stand without */

static void look_at_values(void *payload) { safety_values(payload); }

/* Where values are defined; where a limit ends that, nothing is said of them. */
static void prove_values(Safety *s) {
  const Claim before = *s->report;
  Array(Obligation) obligations = {0};
  for (uint32_t i = 0; i < before.obligations.count; i++)
    array_push(s->arena, &obligations, before.obligations.data[i]);
  if (term_attempt(s->tt, VALUES_SHARE, look_at_values, s)) return;
  s->report->obligations.count = 0;
  for (uint32_t i = 0; i < obligations.count; i++) array_push(s->arena, &s->report->obligations, obligations.data[i]);
  s->report->assumptions.count = before.assumptions.count;
  s->signs = arena_new(s->arena, ScalarSigns);
  s->report->undefined_where = "a limit was reached";
  safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, s->on->ex->function->op, 0,
             "a limit was reached before all values were looked through");
}

static void prove_all(Safety *s) {
  simplify_masks(s);
  s->open.data = s->on->obligations.data, s->open.count = s->open.capacity = s->on->obligations.count;
  if (s->on == s->report)
    memset(&s->report->obligations, 0, sizeof s->report->obligations);
  else
    s->report->obligations.count = 0;
  safety_bounds(s);
  safety_races(s);
  safety_aliases(s);
  safety_coverage(s);
  if (s->launch && s->launch->is_repeated) safety_repeats(s);
  safety_divisions(s, false);
  safety_overflow(s);
  prove_values(s);
  safety_regions(s);
}

/* Proofs of what depends on the launch rest on its numbers. */
static uint32_t rest_on_numbers(Safety *s, AssumptionKind kind, Term condition, const char *text, const char *why) {
  uint32_t number = safety_assume(s, kind, condition, text, why, NULL);
  for (uint32_t i = 0; i < s->report->obligations.count; i++) {
    Obligation *o = &s->report->obligations.data[i];
    bool of_launch = o->kind == OBLIGATION_BOUNDS || o->kind == OBLIGATION_RACE || o->kind == OBLIGATION_COVERAGE;
    if (of_launch && o->verdict == OBLIGATION_PROVED) safety_rests_on(s, o, number);
  }
  return number;
}

static void say_axis(Safety *s, uint32_t axis, uint32_t assumption) {
  s->report->assumptions.data[assumption].grid = (uint8_t)(axis + 1);
}

/* Numbers that a launch file gives beside names, and those of --grid, hold for that launch: they are said. */
static void state_numbers(Safety *s) {
  static const char *const given = "as in the launch that was given";
  const Effects *ex = s->report->ex;
  Text grid = text_new(s->arena), text = text_new(s->arena);
  for (uint32_t i = 0; i < 3; i++) {
    if (s->launch->grid_why[i] || s->launch->grid[i]->op != 'n' || s->launch->grid[i]->number == 1) continue;
    int64_t number = s->launch->grid[i]->number;
    const char *one = arena_format(s->arena, "%s = %lld", term_message(ex->tt, ex->grid[i]), (long long)number);
    if (s->is_grid_flag)
      text_format(&grid, "%s%s", grid.count ? ", " : "", one);
    else
      say_axis(s, i,
               rest_on_numbers(s, ASSUME_LAUNCH, term_eq(ex->tt, ex->grid[i], term_int(ex->tt, number)), one, given));
  }
  for (uint32_t i = 0; i < 3; i++)
    if (s->launch->grid_why[i] && s->grid[i])
      say_axis(s, i,
               rest_on_numbers(s, ASSUME_GRID, 0,
                               arena_format(s->arena, "%s = %s", term_message(ex->tt, ex->grid[i]),
                                            term_message(s->tt, s->grid[i])),
                               s->launch->grid_why[i]));
  if (grid.count) rest_on_numbers(s, ASSUME_USER, 0, message_plain(s->arena, text_string(&grid)), "--grid");
  for (uint32_t i = 0; i < s->launch->params.count; i++) {
    const LaunchParam *p = &s->launch->params.data[i];
    if (p->scalar && p->scalar->op == 'n')
      text_format(&text, "%s%s = %lld", text.count ? ", " : "", message_name(s->arena, ex->params.data[i].name),
                  (long long)p->scalar->number);
  }
  for (uint32_t i = 0; i < s->launch->tensors.count; i++)
    for (uint32_t k = 0; k < s->launch->tensors.data[i].rank; k++) {
      const LaunchExpr *e = s->launch->tensors.data[i].extent[k];
      if (e->op == 'n')
        text_format(&text, "%saxis %u of %s = %lld", text.count ? ", " : "", k, s->launch->tensors.data[i].name,
                    (long long)e->number);
    }
  if (text.count) rest_on_numbers(s, ASSUME_LAUNCH, 0, text_string(&text), given);
}

/* A launch of numbers alone is a sample: it is run, and says nothing of other sizes. */
static bool is_sample(const Safety *s) { return s->launch && s->is_given && s->launch->names.count == 0; }

/* Once more, with sizes as the multiples that they are assumed to be: it counts if nothing stays open. */
static void stand_on_multiples(Safety *s) {
  const Safety before = *s;
  const Claim report = *s->report;
  s->report->obligations.data = NULL, s->report->obligations.count = s->report->obligations.capacity = 0;
  s->proof = NULL;
  if (s->launch->conditions.count && stand_on_launch(s, true)) {
    prove_all(s);
    s->stands = true;
    if (!is_open(s)) return;
  }
  s->report->obligations = report.obligations;
  s->report->assumptions.count = report.assumptions.count;
  *s = before;
}

static void stand(void *payload) {
  Safety *s = payload;
  if (!s->is_given)
    s->stands = stand_on_recovery(s);
  else if (is_sample(s))
    s->stands = !s->report->stop_code;
  else
    s->stands = s->launch && stand_on_launch(s, false);
  if (s->stands) prove_all(s);
  if (s->launch && s->is_given && !is_sample(s) && (!s->stands || is_open(s))) stand_on_multiples(s);
  if (!s->stands && !s->report->ex->stop_code && s->on == s->report)
    safety_divisions(s, true); /* of a kernel that is not lifted */
  if (!s->stands) return;
  if (s->is_given && !is_sample(s)) state_numbers(s);
}

/* What was not finished: nothing is claimed. */
static void forget(Safety *s) {
  s->stands = false;
  for (uint32_t i = 0; i < s->report->obligations.count; i++)
    s->report->obligations.data[i].verdict = OBLIGATION_UNKNOWN, s->report->obligations.data[i].under.count = 0;
}

/* Kernels of an operation besides the first: nothing is said of them here. */
static bool has_other_launches(const Operation *operation) {
  const Launch *first = &operation->launches.data[0];
  for (uint32_t i = 1; i < operation->launches.count; i++) {
    const Launch *l = &operation->launches.data[i];
    if (l->source != first->source || !same_text(l->kernel, first->kernel)) return true;
  }
  return false;
}

static const char *why_missed(const Safety *s) {
  return s->missed ? s->missed : "nothing is shown of the launch that was given";
}

/* Safety that is not known says why. */
static void tell_missed(Safety *s) {
  if (s->stands || s->report->stop_code) return;
  for (uint32_t i = 0; i < s->report->obligations.count; i++)
    if (s->report->obligations.data[i].verdict != OBLIGATION_PROVED) return;
  array_push(s->arena, &s->report->obligations,
             ((Obligation){.kind = s->missed ? s->missed_kind : OBLIGATION_BOUNDS,
                           .verdict = OBLIGATION_UNKNOWN,
                           .op = s->report->ex->function->op,
                           .detail = why_missed(s)}));
}

static void find_ranges(void *payload) {
  Safety *s = payload;
  simplify_masks(s);
  safety_overflow(s);
}

/* The value is claimed where arithmetic does not wrap, also where nothing is shown of the launch that was given: these
 * ranges are then those of the recovery, and no obligation of that launch. */
static void assume_ranges(const Safety *of, Arena *arena, Claim *recovery) {
  Safety *s = arena_new(arena, Safety);
  *s = (Safety){.arena = arena,
                .report = recovery,
                .on = recovery,
                .tt = recovery->ex->tt,
                .options = of->options,
                .own = of->own};
  uint32_t facts = s->tt->facts.count, first = recovery->obligations.count;
  if (!term_attempt(s->tt, 1, find_ranges, s)) recovery->open_ranges = "a limit was reached";
  if (s->tt->facts.count > facts) term_pop_facts(s->tt, facts);
  for (uint32_t i = first; i < recovery->obligations.count; i++) {
    Obligation *o = &recovery->obligations.data[i];
    if (o->verdict == OBLIGATION_PROVED)
      o->verdict = OBLIGATION_UNKNOWN, o->under.count = 0, o->witness = NULL, o->detail = why_missed(of);
  }
}

Verdict obligations_find(Arena *arena, Claim *recovery, const ProveResult *proof, const Operation *operation,
                         const Options *options) {
  const char *why = NULL;
  WitnessEvents *events = arena_new(arena, WitnessEvents);
  Safety *s = arena_new(arena, Safety);
  TermTable *tt = recovery->ex->tt;
  *s = (Safety){.arena = arena,
                .report = recovery,
                .on = recovery,
                .tt = tt,
                .options = options,
                .is_given = operation->has_tensors || operation->launches.data[0].grid_count,
                .own = &operation->launches.data[0],
                .is_grid_flag = operation->launches.data[0].is_grid_given};

  if (options->no_prove) return VERDICT_UNKNOWN;
  uint32_t facts = tt->facts.count;
  s->launch = launch_model(arena, recovery, operation, options, &why);
  s->is_given |= s->launch && s->launch->gives_lengths;
  if (!s->is_given || is_sample(s)) s->proof = proof;
  if (!term_attempt(tt, 1, stand, s))
    forget(s); /* a fixed limit of the terms (nested folds, coefficients) does not take the report along */
  if (tt->facts.count > facts) term_pop_facts(tt, facts);
  if (s->launch && (!s->stands || is_open(s) || is_sample(s))) search_launches(s, events);
  for (uint32_t i = 0; i < events->count; i++) refute(s, &events->data[i]);
  safety_given_launch(s);
  tell_missed(s);
  if (!s->stands && !recovery->stop_code && proof->proved) assume_ranges(s, arena, recovery);
  return safety_of(recovery, s->stands && !has_other_launches(operation), options);
}
