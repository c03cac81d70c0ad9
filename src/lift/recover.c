/* Recovery of views (see recover.h).
 *
 * 1. split: floor divisions of coordinates are removed by splitting the coordinate, p = g*q + r, everywhere at once.
 * 2. strides: per tensor, the symbolic factors that multiply coordinates in its addresses.
 * 3. stores: per store, the indices of the axes, their inverse, extent and region.
 * 4. grid and cover: the assumptions that make the stores cover their extents.
 * 5. reads: flat reads become multi-dimensional ones; extents of inputs are the least that the accesses need. */
#include "execute/loops/cancel.h"
#include "laws/laws.h"
#include "lift/recover_internal.h"
#include "base/message.h"
#include "lift/source_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- small helpers over terms ---- */

static bool is_parallel_role(SymbolRole role) {
  return role == SYMBOL_PID || role == SYMBOL_LANE || role == SYMBOL_COUNTER || role == SYMBOL_INDEX;
}

bool recover_is_coordinate(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_SYM && is_parallel_role(term_symbol(tt, t)->role);
}

/* True if t varies over the launch: there is a coordinate or something read from memory inside. */
bool recover_varies(TermTable *tt, Term t) {
  if (term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) return true;
  if (term_node(tt, t)->free_mask >> 48) return true;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (recover_is_coordinate(tt, symbols.data[i])) return true;
  return false;
}

/* The i-th summand of an Int polynomial: coefficient * product; the constant comes first. */
uint32_t recover_monomial_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_ADD ? (term_count(tt, t) - 1) / 2 + (term_arg(tt, t, 0) != tt->zero) : t != tt->zero;
}

Term recover_monomial(TermTable *tt, Term t, uint32_t i) {
  if (term_kind(tt, t) != TERM_ADD) return t;
  if (term_arg(tt, t, 0) != tt->zero) {
    if (i == 0) return term_arg(tt, t, 0);
    i--;
  }
  return term_scale(tt, term_rat(tt, term_arg(tt, t, 1 + 2 * i)), term_arg(tt, t, 2 + 2 * i));
}

/* m = literal * stride * variable: the factors that do not vary, and those that do. */
void recover_split_monomial(TermTable *tt, Term m, Rational *literal, Term *stride, Term *variable) {
  Term product;
  *stride = tt->one, *variable = tt->one;
  if (term_is_rat(tt, m)) {
    *literal = term_rat(tt, m);
    return;
  }
  *literal = term_coefficient(tt, m, &product);
  uint32_t n = term_kind(tt, product) == TERM_MUL ? term_count(tt, product) : 2;
  for (uint32_t i = 0; i < n; i += 2) {
    bool mul = term_kind(tt, product) == TERM_MUL;
    Term base = mul ? term_arg(tt, product, i) : product;
    Term factor = mul ? term_power(tt, base, term_rat(tt, term_arg(tt, product, i + 1))) : product;
    bool grid = term_kind(tt, base) == TERM_SYM && term_symbol(tt, base)->role == SYMBOL_GRID; /* pid + grid*t */
    if (grid || recover_varies(tt, base))
      *variable = term_mul(tt, *variable, factor);
    else
      *stride = term_mul(tt, *stride, factor);
  }
}

bool recover_divides(TermTable *tt, Term d, Term t, Term *quotient) {
  Term q = term_floordiv(tt, t, d);
  *quotient = q;
  return term_mul(tt, q, d) == t;
}

uint32_t recover_assume(Recover *r, AssumptionKind kind, Term condition, const char *text, const char *why,
                        const char *limit) {
  Assumption a = {.kind = kind, .why = why, .limit = limit, .condition = condition, .text = text};
  return claim_assume(r->arena, r->out, a);
}

static void say_grid(Recover *r, uint32_t number, uint32_t axis, bool is_single) {
  Assumption *a = &r->out->assumptions.data[number];
  a->grid = (uint8_t)(axis + 1), a->is_single = is_single;
}

void recover_assume_grid(Recover *r, Term grid, Term count, const char *why) {
  TermTable *tt = r->tt;
  const char *text = arena_format(r->arena, "%s = %s", term_message(tt, grid), term_message(tt, count));
  uint32_t number = recover_assume(r, ASSUME_GRID, term_eq(tt, grid, count), text, why, NULL);
  for (uint32_t i = 0; i < 3; i++)
    if (r->ex->grid[i] == grid) say_grid(r, number, i, count == tt->one);
}

void recover_oblige(Recover *r, ObligationKind kind, int verdict, OpId op, const char *tensor, const char *detail) {
  for (uint32_t i = 0; i < r->out->obligations.count; i++) {
    Obligation *o = &r->out->obligations.data[i];
    if (o->kind == kind && o->op == op && o->verdict == verdict &&
        (o->tensor == tensor || (tensor && o->tensor && !strcmp(o->tensor, tensor))))
      return;
  }
  Obligation o = {.kind = kind, .op = op, .tensor = tensor, .detail = detail};
  o.verdict = verdict;
  array_push(r->arena, &r->out->obligations, o);
}

void recover_stop(Recover *r, ReasonCode code, const char *text) {
  if (r->out->stop_code) return;
  r->out->stop_code = code, r->out->stop_text = text;
}

void recover_push_mask(TermTable *tt, Term mask) {
  if (term_kind(tt, mask) == TERM_AND)
    for (uint32_t k = 0; k < term_count(tt, mask); k++) term_push_fact(tt, term_arg(tt, mask, k));
  else if (mask != tt->true_)
    term_push_fact(tt, mask);
}

Term recover_only_value(TermTable *tt, Term mask, Term coordinate) {
  for (uint32_t i = 0, n = term_conjunct_count(tt, mask); i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    Term e = term_arg(tt, c, 0), minus = term_sub(tt, coordinate, e), plus = term_add(tt, coordinate, e);
    Term only = !term_has_symbol(tt, minus, coordinate) ? minus : !term_has_symbol(tt, plus, coordinate) ? plus : 0;
    if (only && !recover_varies(tt, only)) return only;
  }
  return 0;
}

/* The greatest number that the mask leaves the coordinate; 0: none. */
static Term literal_end(TermTable *tt, Term mask, Term coordinate) {
  for (uint32_t i = 0, n = term_conjunct_count(tt, mask); i < n; i++) {
    Term c = term_conjunct(tt, mask, i);
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    Term most = term_sub(tt, coordinate, term_arg(tt, c, 0));
    if (term_is_rat(tt, most)) return most;
  }
  return 0;
}

/* t is no more than that under the mask: what this says of one coordinate alone is put in, as facts are combined two by
 * two only. */
static Term most_under(TermTable *tt, Term t, Term mask) {
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term s = symbols.data[i], value = recover_is_coordinate(tt, s) ? recover_only_value(tt, mask, s) : 0;
    Term rise = term_sub(tt, term_replace(tt, t, s, term_add(tt, s, tt->one)), t);
    if (!value && recover_is_coordinate(tt, s) && term_is_rat(tt, rise) && term_rat(tt, rise).num > 0)
      value = literal_end(tt, mask, s);
    if (value) t = term_replace(tt, t, s, value);
  }
  return t;
}

enum { ROW_PATIENCE = 2000 }; /* the axes of a tensor depend on it */

bool recover_lies_below(TermTable *tt, const Access *access, Term t, Term limit) {
  uint32_t facts = tt->facts.count;
  TermList symbols = {0};
  recover_push_mask(tt, access->mask);
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) { /* an access in a loop is made where there are iterations */
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    if (recover_is_coordinate(tt, s->term) && s->lo && s->hi && recover_varies(tt, s->hi))
      recover_push_mask(tt, term_le(tt, s->lo, s->hi));
  }
  const uint32_t patience = tt->patience;
  tt->patience = ROW_PATIENCE;
  bool lies = term_prove_le(tt, tt->zero, t) &&
              (term_prove_lt(tt, t, limit) || term_prove_lt(tt, most_under(tt, t, access->mask), limit));
  tt->patience = patience;
  term_pop_facts(tt, facts);
  return lies;
}

/* ---- substitution everywhere ---- */

void recover_substitute(Recover *r, Term from, Term to) {
  TermTable *tt = r->tt;
  array_push(r->arena, &r->out->hints.steps, (LiftStep){from, to, 0});
  effects_replace(r->ex, EFFECTS_ACCESSES | EFFECTS_NEEDS, from, to);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    Symbol *s = &tt->symbols.data[i];
    Term symbol = s->term;
    if (symbol == from) continue;
    Term lo = s->lo ? term_replace(tt, s->lo, from, to) : 0,
         hi = s->hi ? term_replace(tt, tt->symbols.data[i].hi, from, to) : 0;
    term_symbol_range(tt, symbol, lo, hi);
  }
  for (uint32_t v = 0; v < r->views.count; v++) /* the size of a grid may be a stride */
    for (uint32_t k = 0; k < r->views.data[v].rank; k++)
      r->views.data[v].stride[k] = term_replace(tt, r->views.data[v].stride[k], from, to);
}

Term recover_now(const Claim *recovery, uint32_t access, Term coordinate) {
  for (uint32_t i = 0; i < recovery->hints.steps.count; i++) {
    const LiftStep *step = &recovery->hints.steps.data[i];
    if (!step->access || step->access == access + 1)
      coordinate = term_replace(recovery->ex->tt, coordinate, step->from, step->to);
  }
  return coordinate;
}

/* New ranges are known: make everything again, so that the constructors use them. */
void recover_rebuild(Recover *r) {
  TermTable *tt = r->tt;
  effects_rebuild(r->ex, EFFECTS_ACCESSES);
  for (uint32_t i = 0; i < 3; i++) { /* one program along an axis: its id is 0 */
    Term pid = r->ex->pid[i];
    if (term_symbol(tt, pid)->hi != tt->zero) continue;
    bool used = false;
    for (uint32_t k = 0; k < r->ex->accesses.count && !used; k++) {
      const Access *a = &r->ex->accesses.data[k];
      used = term_has_symbol(tt, a->offset, pid) || term_has_symbol(tt, a->mask, pid) ||
             (a->value && term_has_symbol(tt, a->value, pid));
    }
    if (used) recover_substitute(r, pid, tt->zero);
  }
}

/* ---- 5. reads ---- */

enum { MOST_ROWS = 4 };

/* The place that a search found, wherever it is; where it found none, nothing is read there. */
static Term some_place(TermTable *tt, Term t, void *payload) {
  (void)payload;
  if (term_kind(tt, t) != TERM_FOLD || (term_aux(tt, t) != FOLD_MAX && term_aux(tt, t) != FOLD_MIN)) return t;
  FoldParts p = term_fold_open(tt, t);
  return p.body == p.symbol ? term_symbol_range(tt, term_symbol_fresh(tt, "place", SORT_INT, SYMBOL_INDEX), p.lo,
                                                term_sub(tt, p.hi, tt->one))
                            : t;
}

/* True if the index goes backwards from a place that was searched for. */
static bool is_behind_place(const TermTable *tt, Term index) {
  for (uint32_t i = 1; term_kind(tt, index) == TERM_ADD && i < term_count(tt, index); i += 2)
    if (term_rat(tt, term_arg(tt, index, i)).num < 0 &&
        (term_node(tt, term_arg(tt, index, i + 1))->flags & TERM_HAS_FOLD))
      return true;
  return false;
}

/* True if the place is shown to lie in a row of that length, or among what is accessed of one (0: not known). */
static bool lies_in_row(TermTable *tt, Term place, Term length, Term extent) {
  return term_prove_le(tt, tt->zero, place) &&
         (term_prove_lt(tt, place, length) || (extent && term_prove_lt(tt, place, extent)));
}

/* What is the same in the whole launch. */
static Term fixed_part(TermTable *tt, Term t) {
  Term fixed = tt->zero;
  for (uint32_t i = 0; i < recover_monomial_count(tt, t); i++)
    if (!recover_varies(tt, recover_monomial(tt, t, i))) fixed = term_add(tt, fixed, recover_monomial(tt, t, i));
  return fixed;
}

/* What the numbers of rows have that is the same in the whole launch may count elements as well as rows: row i - K at j
 * is row i at j - K*N. A summand of one of them, or all that they have down to some axis. */
static bool move_fixed_rows(Recover *r, const View *view, uint32_t k, Term place, Term *index) {
  TermTable *tt = r->tt;
  Term extent = view->gathered[k] ? 0 : view->extent[k], length[MAX_STRIDES], all = tt->zero;
  for (uint32_t axis = k; axis-- > 0 && recover_divides(tt, view->stride[k], view->stride[axis], &length[axis]);) {
    Term fixed = fixed_part(tt, index[axis]);
    for (uint32_t i = 0; i < recover_monomial_count(tt, fixed); i++) {
      Term m = recover_monomial(tt, fixed, i), by = term_mul(tt, m, length[axis]);
      if (term_is_rat(tt, m) || !lies_in_row(tt, term_add(tt, place, by), length[k - 1], extent)) continue;
      index[axis] = term_sub(tt, index[axis], m), index[k] = term_add(tt, index[k], by);
      return true;
    }
    all = term_add(tt, all, term_mul(tt, fixed, length[axis]));
    if (all == tt->zero || term_is_rat(tt, fixed) || !lies_in_row(tt, term_add(tt, place, all), length[k - 1], extent))
      continue;
    for (uint32_t j = axis; j < k; j++) index[j] = term_sub(tt, index[j], fixed_part(tt, index[j]));
    index[k] = term_add(tt, index[k], all);
    return true;
  }
  return false;
}

/* An index that is shown to lie in another row, N <= j < 2*N of rows of N elements: that row, and the place in it. */
static bool move_rows(Recover *r, const View *view, uint32_t k, Term *index) {
  TermTable *tt = r->tt;
  Term length, place;
  if (term_is_rat(tt, view->stride[k - 1]) || !recover_divides(tt, view->stride[k], view->stride[k - 1], &length))
    return false;
  place = is_behind_place(tt, index[k]) ? term_transform(tt, index[k], some_place, NULL) : index[k];
  for (int rows = -MOST_ROWS; rows <= MOST_ROWS; rows++) {
    Term by = term_scale(tt, rational_int(rows), length);
    if (!rows || !lies_in_row(tt, term_sub(tt, place, by), length, 0)) continue;
    index[k - 1] = term_add(tt, index[k - 1], term_int(tt, rows)), index[k] = term_sub(tt, index[k], by);
    return true;
  }
  return move_fixed_rows(r, view, k, place, index);
}

/* How many elements a row of the axis has, if that is known to be a number of them; 0: it is not. */
static Term row_length(Recover *r, const View *view, uint32_t axis, bool is_flat) {
  TermTable *tt = r->tt;
  int64_t outer, inner;
  Term length;
  if (term_is_int(tt, view->stride[axis - 1], &outer) && term_is_int(tt, view->stride[axis], &inner))
    return inner < 1 || outer % inner ? 0 : term_int(tt, outer / inner);
  bool is_known = is_flat && recover_divides(tt, view->stride[axis], view->stride[axis - 1], &length) &&
                  term_prove_lt(tt, tt->zero, length);
  return is_known ? length : 0;
}

/* Literal strides: an index that is not shown to stay within the row of its axis goes over into the next one, as its
 * address does. Of a function of a host language so does one that counts all of an array, C[i] for i < m*n, or that is
 * beside a row which may be none: B[r][i] for r < 0. */
static void carry_over(Recover *r, const View *view, Term *index) {
  TermTable *tt = r->tt;
  for (uint32_t k = view->rank; k-- > 1;) {
    if (move_rows(r, view, k, index)) continue;
    bool is_flat = index[k - 1] == tt->zero || !term_prove_le(tt, tt->zero, index[k - 1]);
    Term length = row_length(r, view, k, is_flat && r->ex->program->is_host);
    if (!length || (term_prove_le(tt, tt->zero, index[k]) && term_prove_lt(tt, index[k], length))) continue;
    Term over = term_floordiv(tt, index[k], length);
    index[k - 1] = term_add(tt, index[k - 1], over);
    index[k] = term_sub(tt, index[k], term_mul(tt, length, over));
  }
}

/* An element of a tensor, and not of what a recurrence carries. */
static bool is_element(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_READ && term_symbol(tt, term_arg(tt, t, 0))->role != SYMBOL_CARRY;
}

typedef struct RowMoves {
  Recover *r;
  bool moved;
} RowMoves;

/* Once more, with what is known at hand. */
static Term index_within_rows(TermTable *tt, Term t, void *payload) {
  RowMoves *moves = payload;
  Recover *r = moves->r;
  if (!is_element(tt, t) || term_count(tt, t) < 3) return t;
  View *view = recover_view(r, term_arg(tt, t, 0));
  Term index[MAX_STRIDES];
  if (view->rank + 1 != term_count(tt, t)) return t;
  for (uint32_t k = 0; k < view->rank; k++) index[k] = term_arg(tt, t, k + 1);
  for (uint32_t k = view->rank; k-- > 1;) moves->moved |= move_rows(r, view, k, index);
  return term_read(tt, term_arg(tt, t, 0), term_sort(tt, t), view->rank, index);
}

/* a and b: what b reads counts where a, which reads nothing, holds; of a or b, where a does not. */
static Term rows_of_junction(TermTable *tt, Term t, void *payload) {
  bool is_and = term_kind(tt, t) == TERM_AND;
  Term plain = is_and ? tt->true_ : tt->false_, rest = plain;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term part = term_arg(tt, t, i),
         *to = !(term_node(tt, part)->flags & TERM_HAS_READ) || term_kind(tt, part) == TERM_LE ? &plain : &rest;
    *to = is_and ? term_and(tt, *to, part) : term_or(tt, *to, part);
  }
  if (rest == (is_and ? tt->true_ : tt->false_) || plain == (is_and ? tt->true_ : tt->false_)) return t;
  uint32_t facts = tt->facts.count;
  RowMoves moves = {payload, false};
  recover_push_mask(tt, is_and ? plain : term_not(tt, plain));
  Term moved = term_transform(tt, rest, index_within_rows, &moves);
  term_pop_facts(tt, facts);
  if (!moves.moved) return t;
  return is_and ? term_and(tt, plain, moved) : term_or(tt, plain, moved);
}

/* The sides of a choice, where its condition says which row is read. */
static Term rows_of_choice(TermTable *tt, Term t, void *payload) {
  if (term_kind(tt, t) == TERM_AND || term_kind(tt, t) == TERM_OR) return rows_of_junction(tt, t, payload);
  if (term_kind(tt, t) != TERM_SELECT) return t;
  Term condition = term_arg(tt, t, 0), side[2] = {term_arg(tt, t, 1), term_arg(tt, t, 2)};
  for (int i = 0; i < 2; i++) {
    uint32_t facts = tt->facts.count;
    if (!(term_node(tt, side[i])->flags & TERM_HAS_READ)) continue;
    recover_push_mask(tt, i ? term_not(tt, condition) : condition);
    RowMoves moves = {payload, false};
    Term moved = term_transform(tt, side[i], index_within_rows, &moves);
    if (moves.moved) side[i] = moved;
    term_pop_facts(tt, facts);
  }
  return term_select(tt, condition, side[0], side[1]);
}

static Term index_reads(TermTable *tt, Term t, void *payload) {
  Recover *r = payload;
  if (!is_element(tt, t) || term_count(tt, t) != 2) return t;
  Term tensor = term_arg(tt, t, 0), index[MAX_STRIDES];
  View *view = recover_view(r, tensor);
  if (!recover_split_address(r, view, term_arg(tt, t, 1), index)) {
    recover_stop(r, REASON_ADDRESS,
                 arena_format(r->arena, "an address of %s fits no view: %s", term_message(tt, tensor),
                              source_text(tt, r->out, 0, term_arg(tt, t, 1))));
    return t;
  }
  carry_over(r, view, index);
  return term_read(tt, tensor, term_sort(tt, t), view->rank, index);
}

/* The same where each address fits its view; others are left, and counted. */
typedef struct FittingReads {
  Recover *r;
  uint32_t left;
} FittingReads;

static Term index_fitting_reads(TermTable *tt, Term t, void *payload) {
  FittingReads *f = payload;
  Term index[MAX_STRIDES];
  if (!is_element(tt, t) || term_count(tt, t) != 2) return t;
  bool fits = recover_split_address(f->r, recover_view(f->r, term_arg(tt, t, 0)), term_arg(tt, t, 1), index);
  f->left += !fits;
  return fits ? index_reads(tt, t, f->r) : t;
}

/* What the program relies on of what memory holds, said of elements. */
static void state_contents(Recover *r) {
  for (uint32_t i = 0; i < r->ex->given.count; i++) {
    const ExecuteGiven *given = &r->ex->given.data[i];
    FittingReads f = {r, 0};
    if (!given->of_contents || i >= r->taken.count) continue;
    Term told = term_transform(r->tt, given->of_contents, index_fitting_reads, &f);
    Term *known = &r->out->assumptions.data[r->taken.data[i]].of_contents;
    if (!f.left) *known = *known ? term_and(r->tt, *known, told) : told;
  }
}

/* ---- tensors and scalars ---- */

static const char *dtype_name(Recover *r, TypeId element) {
  Text text = text_new(r->arena);
  program_type_print(r->ex->program, element, &text);
  return text_string(&text);
}

static bool is_used(const Program *p, ValueId value) {
  for (uint32_t i = 0; i < p->ops.count; i++)
    for (uint32_t k = 0; k < p->ops.data[i].operand_count; k++)
      if (p->ops.data[i].operands[k] == value) return true;
  return false;
}

static PointwisePart part_of(const Recover *r, uint32_t argument) {
  const Program *program = r->ex->program;
  AttrId id = program_arg_attr(program, r->ex->function, argument, PROGRAM_PART);
  return id ? intern_string(program->names, program_get_attr(program, id)->text) : NULL;
}

/* NAME_d0 of the vector or list NAME, which has that shape. */
static bool is_length(const Recover *r, const char *name) {
  const Program *program = r->ex->program;
  for (uint32_t i = 0; i < r->ex->params.count; i++) {
    uint32_t rank = 0;
    const AttrId *shape = program_arg_shape(program, r->ex->function, i, &rank);
    for (uint32_t k = 0; shape && k < rank; k++)
      if (program_get_attr(program, shape[k])->kind == ATTR_STRING &&
          !strcmp(name, arena_format(r->arena, "%s_d%u", r->ex->params.data[i].name, k)))
        return true;
  }
  return false;
}

static void list_arguments(Recover *r) {
  Pointwise *p = r->out->pointwise;
  const Program *program = r->ex->program;
  const Op *function = program_get_op(program, r->ex->function->op);
  const Block *entry = program_get_block(program, program_get_region(program, function->regions[0])->blocks.data[0]);
  p->argument_count = entry->arg_count, p->is_host = program->is_host;
  for (uint32_t i = 0; i < entry->arg_count; i++)
    p->has_unused |= (r->ex->params.data[i].is_pointer || program->is_host) && !is_used(program, entry->first_arg + i);
  for (uint32_t i = 0; i < r->ex->params.count; i++) {
    const Param *param = &r->ex->params.data[i];
    if (param->given.is_constant || param->given.same_as) continue; /* no input; another name of one */
    if (!param->is_pointer) {
      const char *dtype = dtype_name(r, param->type);
      if (param->is_unsigned) dtype = arena_format(r->arena, "u%s", dtype + 1);
      array_push(r->arena, &p->scalars,
                 (PointwiseScalar){param->symbol, param->name, dtype, part_of(r, i), is_length(r, param->name)});
      continue;
    }
    PointwiseTensor t = {.symbol = param->symbol,
                         .name = param->name,
                         .dtype = dtype_name(r, param->element),
                         .part = part_of(r, i),
                         .is_result = program_arg_attr(program, r->ex->function, i, PROGRAM_RESULT) != 0,
                         .place = i,
                         .sort = term_sort(r->tt, param->symbol)};
    if (param->is_unsigned) t.dtype = arena_format(r->arena, "u%s", t.dtype + 1);
    for (uint32_t k = 0; k < r->ex->accesses.count; k++) {
      const Access *a = &r->ex->accesses.data[k];
      if (a->tensor != param->symbol) continue;
      if (a->is_store)
        t.is_written = true;
      else
        t.is_read = true;
    }
    array_push(r->arena, &p->tensors, t);
  }
}

static const char *dim_name(Recover *r, Term extent, const char *tensor, uint32_t axis) {
  if (term_kind(r->tt, extent) == TERM_SYM) return term_name(r->tt, extent);
  return execute_size_name(r->ex, tensor, axis);
}

static void fill_tensors(Recover *r) {
  TermTable *tt = r->tt;
  Pointwise *p = r->out->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    PointwiseTensor *t = &p->tensors.data[i];
    if (!t->is_read && !t->is_written) continue;
    View *view = recover_view(r, t->symbol);
    t->rank = view->rank, t->takes_rest = view->takes_rest;
    for (uint32_t k = 0; k < view->rank; k++) {
      Term extent = view->extent[k];
      if (view->gathered[k] || !extent) {
        const char *name = execute_size_name(r->ex, t->name, k);
        Term size = term_symbol_new(tt, intern_text(tt->names, name), SORT_INT, SYMBOL_SIZE);
        extent = term_symbol_range(tt, size, tt->one, 0);
        view->extent[k] = extent;
      }
      t->extent[k] = extent;
      t->stride[k] = view->stride[k];
      t->dim_name[k] = dim_name(r, extent, t->name, k);
    }
  }
}

const PointwiseTensor *pointwise_tensor(const Pointwise *p, Term symbol) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.data[i].symbol == symbol) return &p->tensors.data[i];
  return NULL;
}

uint32_t pointwise_element_bytes(const char *dtype) {
  if (!strcmp(dtype, "index")) return 8;
  int bits = atoi(dtype + strcspn(dtype, "0123456789"));
  return bits < 8 ? 1 : (uint32_t)bits / 8;
}

/* What an atomic returns depends on every program id, also on one that the program never asks for. */
static bool asks_for_program_id(const Program *p, uint32_t axis) {
  for (OpId id = 1; id < p->ops.count; id++) {
    const Op *op = program_get_op(p, id);
    if (op->code == OP_TT_GET_PROGRAM_ID && program_op_int(p, op, "axis", 0) == axis) return true;
  }
  return false;
}

static bool occurs(const Effects *ex, Term symbol) {
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *a = &ex->accesses.data[i];
    if (term_has_symbol(ex->tt, a->offset, symbol) || term_has_symbol(ex->tt, a->mask, symbol) ||
        (a->value && term_has_symbol(ex->tt, a->value, symbol)))
      return true;
  }
  return false;
}

/* Program ids that nothing uses: one program along that axis. It is said where a launch may have more: the program asks
 * for the id, or uses one of a later axis. */
static void unused_grid(Recover *r) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < 3; i++) {
    bool used = occurs(r->ex, r->ex->pid[i]), asks = asks_for_program_id(r->ex->program, i), is_below = false;
    if (used && asks) continue;
    for (uint32_t k = i + 1; k < 3; k++)
      is_below |= occurs(r->ex, r->ex->pid[k]) && asks_for_program_id(r->ex->program, k);
    bool is_alone = r->ex->options.is_alone[i];
    if (used || asks || is_below)
      say_grid(r,
               recover_assume(r, is_alone ? ASSUME_LAUNCH : ASSUME_GRID, 0,
                              arena_format(r->arena, "%s = 1", term_message(tt, r->ex->grid[i])),
                              is_alone ? "as in the launch that was given"
                                       : RECOVER_LEAST_GRID ": nothing uses this program id",
                              NULL),
               i, true);
    term_symbol_range(tt, r->ex->grid[i], tt->one, tt->one);
    term_symbol_range(tt, r->ex->pid[i], tt->zero, tt->zero);
  }
}

/* Nested vectors are one block of memory: their rows have one length. */
static void assume_rectangular(Recover *r) {
  for (uint32_t i = 0; i < r->ex->params.count; i++)
    if (program_arg_attr(r->ex->program, r->ex->function, i, PROGRAM_NESTED))
      recover_assume(
          r, ASSUME_RECTANGULAR, 0,
          arena_format(r->arena, "the rows of %s have equal length", term_message(r->tt, r->ex->params.data[i].symbol)),
          "they are read as one array", NULL);
}

static void assume_what_is_said(Recover *r) {
  const Program *p = r->ex->program;
  AttrId id = program_op_attr(p, program_get_op(p, r->ex->function->op), PROGRAM_RELIES);
  const Attr *relies = program_get_attr(p, id);
  for (uint32_t i = 0; id && relies->kind == ATTR_ARRAY && i < relies->count; i++) {
    const Attr *own = program_get_attr(p, relies->items[i]);
    const char *said[2] = {"what the program relies on", "?"};
    for (uint32_t k = 0; own->kind == ATTR_ARRAY && k < 2 && k < own->count; k++)
      if (program_get_attr(p, own->items[k])->kind == ATTR_STRING)
        said[k] = intern_string(p->names, program_get_attr(p, own->items[k])->text);
    recover_assume(r, ASSUME_PRECONDITION, 0, said[0], arena_format(r->arena, "the code relies on it (%s)", said[1]),
                   NULL);
  }
}

/* A function of a host language runs once. */
static void one_program(Recover *r) {
  for (uint32_t i = 0; i < 3; i++) {
    term_symbol_range(r->tt, r->ex->grid[i], r->tt->one, r->tt->one);
    term_symbol_range(r->tt, r->ex->pid[i], r->tt->zero, r->tt->zero);
  }
}

/* A bound of one symbol becomes its range; all else is a fact. */
static void push_given(TermTable *tt, Term condition) {
  recover_push_mask(tt, condition);
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return;
  Term e = term_arg(tt, condition, 0), c = term_new_rat(tt, term_constant_part(tt, e)), s = term_sub(tt, e, c);
  bool is_least = term_kind(tt, s) != TERM_SYM;
  if (is_least) s = term_neg(tt, s);
  if (term_kind(tt, s) != TERM_SYM) return;
  Term lo = term_symbol(tt, s)->lo, hi = term_symbol(tt, s)->hi, least = c, most = term_neg(tt, c);
  if (is_least && (!lo || term_prove_le(tt, lo, least))) term_symbol_range(tt, s, least, hi);
  if (!is_least && (!hi || term_prove_le(tt, most, hi))) term_symbol_range(tt, s, lo, most);
}

void recover_take_given(Recover *r, const ExecuteGiven *given) {
  bool is_true = given->condition == r->tt->true_, is_user = given->kind == ASSUME_USER;
  Assumption a = {.kind = given->kind, .why = given->why, .text = given->text};
  a.condition = is_true ? 0 : given->condition, a.is_sentence = is_true && !is_user;
  uint32_t number = claim_assume(r->arena, r->out, a);
  array_push(r->arena, &r->taken, number);
  r->out->assumptions.data[number].holds_anyway |= is_true && is_user;
  push_given(r->tt, given->condition);
}

static bool has_f64(const Program *program) {
  for (uint32_t i = 0; i < program->types.count; i++)
    if (program->types.data[i].kind == TYPE_FLOAT && program->types.data[i].width == 64) return true;
  return false;
}

Claim *recover_views(Arena *arena, Effects *ex) {
  Recover r = {.arena = arena, .tt = ex->tt, .ex = ex};
  Claim *out = r.out = arena_new(arena, Claim);
  TermTable *tt = ex->tt;
  out->ex = ex, out->tt = tt, out->has_f64 = has_f64(ex->program);
  out->pointwise = arena_new(arena, Pointwise);
  out->pointwise->tt = tt;
  out->pointwise->kernel = intern_string(ex->program->names, ex->function->name);
  if (ex->stop_code) {
    out->stop_code = ex->stop_code;
    out->stop_text = arena_format(arena, "%s (%s)", ex->stop_text, execute_where(ex, ex->stop_op));
    return out;
  }
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < ex->given.count; i++) recover_take_given(&r, &ex->given.data[i]);
  if (ex->given.count) recover_rebuild(&r);
  for (uint32_t i = 0; i < ex->grids.count; i++) {
    Term grid = ex->grid[ex->grids.data[i].axis], count = ex->grids.data[i].count;
    recover_assume_grid(&r, grid, count, RECOVER_LEAST_GRID);
    recover_substitute(&r, grid, count);
  }
  for (uint32_t i = 0; i < ex->params.count && ex->options.samples; i++) {
    const ExecuteSample *sample = &ex->options.samples[i];
    if (!sample->equal_to || sample->is_assumed) continue;
    const char *text = arena_format(arena, "%s = %s", message_name(arena, ex->params.data[i].name),
                                    message_name(arena, ex->params.data[sample->equal_to - 1].name));
    const char *why =
        arena_format(arena, "both are %lld in the launch that is given, and no other reading fits its tensors",
                     (long long)sample->value);
    recover_assume(&r, ASSUME_LAUNCH, 0, text, why, NULL);
  }
  for (uint32_t i = 0; i < ex->params.count; i++) {
    if (!ex->params.data[i].is_positive) continue;
    uint32_t number = recover_assume(&r, ASSUME_POSITIVE, 0,
                                     arena_format(arena, "%s > 0", message_name(arena, ex->params.data[i].name)),
                                     "it scales padding of -inf, which exp is to ignore", NULL);
    out->assumptions.data[number].scalar = ex->params.data[i].symbol;
    out->assumptions.data[number].sign = SIGN_POSITIVE;
  }
  assume_rectangular(&r);
  assume_what_is_said(&r);
  if (ex->program->is_host)
    one_program(&r);
  else
    unused_grid(&r);
  recover_cover_atomics(&r);
  recover_split_coordinates(&r);
  recover_reverse_coordinates(&r);
  list_arguments(&r);
  recover_make_views(&r);
  if (ex->program->is_host) recover_require_offsets(&r);
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (ex->accesses.data[i].is_store && !recover_measure_store(&r, i))
      recover_stop(&r, REASON_ADDRESS,
                   arena_format(arena, "the address of the store to %s fits no view",
                                term_message(tt, ex->accesses.data[i].tensor)));
  recover_complete_grids(&r);
  for (uint32_t v = 0; v < r.views.count; v++) r.views.data[v].needs.count = 0;
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (ex->accesses.data[i].is_store) recover_measure_store(&r, i);
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    if (!ex->accesses.data[i].is_store) recover_measure_load(&r, &ex->accesses.data[i]);
  recover_resolve_extents(&r);
  fill_tensors(&r);
  recover_state_extents(&r);
  for (uint32_t i = 0; i < ex->accesses.count && !out->stop_code; i++)
    if (ex->accesses.data[i].is_store) recover_place_store(&r, i);
  for (uint32_t o = 0; o < out->pointwise->outputs.count && !out->stop_code; o++) {
    PointwiseOutput *output = &out->pointwise->outputs.data[o];
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      PointwisePiece *piece = &output->pieces.data[k];
      piece->region = term_transform(tt, term_rebuild(tt, piece->region), index_reads, &r);
      uint32_t own = tt->facts.count; /* which axis a constant belongs to may depend on the region */
      recover_push_mask(tt, piece->region);
      if (ex->sums.count) piece->value = term_transform(tt, piece->value, additive_cancel, piece); /* n * (x / n)^2 */
      piece->value = term_transform(tt, term_transform(tt, piece->value, index_reads, &r), rows_of_choice, &r);
      piece->value = term_transform(tt, piece->value, term_merge_tiles, NULL);
      piece->value = term_transform(tt, piece->value, term_turn_folds, NULL);
      piece->value = term_transform(tt, piece->value, term_extend_recurrences, NULL);
      term_pop_facts(tt, own);
    }
  }
  state_contents(&r);
  term_pop_facts(tt, facts);                     /* what was assumed of rows */
  for (uint32_t i = 0; i < ex->given.count; i++) /* what the program relies on holds from here on */
    if (ex->given.data[i].kind == ASSUME_PRECONDITION) recover_push_mask(tt, ex->given.data[i].condition);
  return out;
}
