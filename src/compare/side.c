/* References and formulas over the tensors of the other side; names that belong together.
 *
 * Inputs are matched by --map, by name, by names that differ in case or a `_ptr`, and the rest by order where the
 * counts fit: so `x` of a reference is `x_ptr` of a kernel. A parameter with a default keeps it unless its name is
 * known. */
#include "compare/side.h"

#include <ctype.h>
#include <string.h>

#include "lift/deduce.h"
#include "operation/kernel.h"

/* ---- names ---- */

const char *pairing_left_of(const Pairing *pairing, const char *right) {
  for (uint32_t i = 0; i < pairing->options->maps.count; i++)
    if (!strcmp(pairing->options->maps.data[i].text, right)) return pairing->options->maps.data[i].name;
  return NULL;
}

static size_t stem_length(const char *name) {
  size_t n = strlen(name);
  return n > 4 && (!strcmp(name + n - 4, "_ptr") || !strcmp(name + n - 4, "_PTR")) ? n - 4 : n;
}

bool pairing_is_alike(const char *a, const char *b) {
  size_t n = stem_length(a);
  if (n != stem_length(b)) return false;
  for (size_t i = 0; i < n; i++)
    if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
  return true;
}

static void usage(Pairing *p, const char *help, const char *message) {
  diagnostic_add(p->diagnostics, SEVERITY_ERROR, "usage.pairing", NULL, (Span){0, 0}, help, "%s", message);
}

/* ---- outputs ---- */

/* A value as a text; where that is cut, in names for its parts. */
static const char *text_of_value(TermTable *tt, Term value) {
  const char *text = term_text(tt, value), *last;
  if (!strstr(text, "...") || !term_parts_begin(tt, 1, &value)) return text;
  text = term_parts_end(tt, term_text(tt, value));
  last = strrchr(text, '\n');
  return last ? last + 1 : text;
}

void side_own_outputs(Arena *arena, Side *side) {
  const Pointwise *p = side->pointwise;
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    const PointwiseOutput *from = &p->outputs.data[i];
    const PointwiseTensor *t = &p->tensors.data[from->tensor];
    CompareOutput to = {.name = t->name,
                        .place = from->tensor,
                        .dtype = t->dtype,
                        .rank = from->rank,
                        .region = deduce_region(p, from),
                        .value = deduce_value(p, from)};
    memcpy(to.shape, t->extent, sizeof to.shape);
    memcpy(to.index, from->index, sizeof to.index);
    if (from->defined) array_push(arena, &to.defined, from->defined);
    for (uint32_t k = 0; side->claim && k < side->claim->defined.count; k++)
      array_push(arena, &to.defined, side->claim->defined.data[k]);
    array_push(arena, &side->outputs, to);
    const char *text = to.value ? text_of_value(p->tt, to.value) : "?";
    if (from->formula) text = tensor_text(p->tt, from->formula);
    const ReportOutput *own = side->report && i < side->report->outputs.count ? &side->report->outputs.data[i] : NULL;
    if (own) text = own->line && own->text == own->pointwise ? own->line : own->text;
    array_push(arena, &side->texts, (ReportSideOutput){t->name, text, own && !strcmp(own->form, "pointwise")});
  }
}

static void push_expression(Arena *arena, TermTable *tt, Side *side, const char *name, const TensorExpr *e) {
  CompareOutput out = {
      .name = name, .place = side->outputs.count, .rank = e->rank, .region = tt->true_, .expression = e};
  for (uint32_t k = 0; k < e->rank && k < POINTWISE_MAX_RANK; k++) {
    out.shape[k] = e->shape[k];
    out.index[k] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, out.index[k], tt->zero, term_sub(tt, e->shape[k], tt->one));
  }
  out.value = e->rank <= POINTWISE_MAX_RANK ? tensor_meaning(tt, e, out.index) : 0;
  array_push(arena, &side->outputs, out);
  array_push(arena, &side->texts, (ReportSideOutput){name, tensor_text(tt, e), false});
}

static CompareOutput *last_output(Side *side) { return &side->outputs.data[side->outputs.count - 1]; }

/* ---- extents that no argument names ---- */

typedef struct Extent {
  TermTable *tt;
  Term tensor;
  uint32_t axis;
  Term ends[16]; /* of the folds around, by level */
  Term found;
} Extent;

/* The same at every element of the outputs: the running sum up to an index says nothing of the axis. */
static bool is_of_sizes(TermTable *tt, Term end) {
  TermList symbols = {0};
  if (term_node(tt, end)->free_mask >> 48) return false;
  term_symbols(tt, end, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(tt, symbols.data[i])->role;
    if (role != SYMBOL_SIZE && role != SYMBOL_GRID) return false;
  }
  return true;
}

static void find_extent(Extent *e, Term t) {
  TermTable *tt = e->tt;
  TermNode n = *term_node(tt, t);
  if (e->found || !(n.flags & TERM_HAS_READ)) return;
  if (n.kind == TERM_READ && term_arg(tt, t, 0) == e->tensor) {
    Term index = term_arg(tt, t, e->axis + 1);
    Term end = term_kind(tt, index) == TERM_BOUND ? e->ends[term_aux(tt, index) % 16] : 0;
    if (end && is_of_sizes(tt, end)) e->found = end;
  }
  if (n.kind == TERM_FOLD)
    e->ends[term_aux(tt, term_fold_bound(tt, t)) % 16] = term_fold_lo(tt, t) == tt->zero ? term_fold_hi(tt, t) : 0;
  if (n.kind == TERM_RECUR) e->ends[term_aux(tt, term_recur_bound(tt, t)) % 16] = term_arg(tt, t, 0);
  for (uint32_t d = 0; n.kind == TERM_RECUR && d < term_recur_lanes(tt, t); d++)
    e->ends[term_aux(tt, term_recur_lane(tt, t, d, 0)) % 16] = term_recur_lane(tt, t, d, 1);
  for (uint32_t i = 0; i < n.count; i++) find_extent(e, term_arg(tt, t, i));
}

static bool is_made_up(const Pointwise *p, Term extent) {
  if (!extent || term_kind(p->tt, extent) != TERM_SYM || term_symbol(p->tt, extent)->role != SYMBOL_SIZE) return false;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == extent) return false;
  return true;
}

const Pointwise *side_resolve_extents(const Side *side, Pairing *p) {
  const Pointwise *from = side->pointwise;
  TermTable *tt = from->tt;
  Pointwise *to = arena_new(p->arena, Pointwise);
  *to = *from;
  to->tensors.data = arena_array(p->arena, PointwiseTensor, from->tensors.count + 1);
  for (uint32_t i = 0; i < from->tensors.count; i++) {
    PointwiseTensor *t = &to->tensors.data[i];
    *t = from->tensors.data[i];
    for (uint32_t k = 0; k < t->rank; k++) {
      if (!is_made_up(from, t->extent[k])) continue;
      Extent e = {.tt = tt, .tensor = t->symbol, .axis = k};
      for (uint32_t o = 0; o < side->outputs.count; o++)
        if (side->outputs.data[o].value) find_extent(&e, side->outputs.data[o].value);
      if (!e.found || e.found == t->extent[k]) continue;
      bool least = !recover_is_plain_size(tt, e.found);
      if (least && p->is_open) continue;
      if (least && !p->extent)
        p->extent = arena_format(p->arena, "axis %u of %s has %s elements", k, t->name, term_text(tt, e.found));
      const char *text = arena_format(p->arena, "%s = %s", term_text(tt, t->extent[k]), term_text(tt, e.found));
      const char *why = arena_format(p->arena, "axis %u of %s is as long as the folds over it", k, t->name);
      array_push(p->arena, &p->assumptions->made, (ReportAssumption){NULL, ASSUME_RANGE, text, why, NULL});
      array_push(p->arena, &p->assumptions->conditions, term_eq(tt, t->extent[k], e.found));
      t->extent[k] = e.found;
    }
  }
  return to;
}

const Pointwise *side_open_extents(const Pointwise *from, Pairing *p) {
  TermTable *tt = from->tt;
  Pointwise *to = arena_new(p->arena, Pointwise);
  Array(PointwiseTensor) tensors = {0};
  for (uint32_t i = 0; i < from->tensors.count; i++) {
    PointwiseTensor t = from->tensors.data[i];
    for (uint32_t k = 0; k < t.rank; k++) {
      if (!t.is_read || !t.is_least[k]) continue;
      const char *text = arena_format(p->arena, "axis %u of %s has %s elements", k, t.name, term_text(tt, t.extent[k]));
      if (!p->extent) p->extent = text;
      if (!p->is_open) continue;
      Term size = 0; /* tensors of one extent stay so */
      for (uint32_t o = 0; o <= i && !size; o++) {
        const PointwiseTensor *other = &from->tensors.data[o];
        for (uint32_t d = 0; d < (o < i ? other->rank : k) && !size; d++)
          if (other->is_read && other->is_least[d] && other->extent[d] == from->tensors.data[i].extent[k])
            size = o < i ? tensors.data[o].extent[d] : t.extent[d];
      }
      if (!size)
        size =
            term_symbol_range(tt,
                              term_symbol_new(tt, intern_text(tt->names, arena_format(p->arena, "%s_d%u", t.name, k)),
                                              SORT_INT, SYMBOL_SIZE),
                              t.extent[k], 0);
      const char *more = arena_format(p->arena, "axis %u of %s has %s >= %s elements", k, t.name, term_text(tt, size),
                                      term_text(tt, t.extent[k]));
      array_push(p->arena, &p->assumptions->made,
                 (ReportAssumption){NULL, ASSUME_RANGE, more, "what is read of it, and perhaps more", NULL});
      t.extent[k] = size;
    }
    array_push(p->arena, &tensors, t);
  }
  *to = *from;
  to->tensors.data = tensors.data, to->tensors.count = to->tensors.capacity = tensors.count;
  return to;
}

/* ---- inputs of references ---- */

typedef struct Matching {
  const Pointwise *known;
  Reference *r;
  bool *tensor_used, *scalar_used, *param_bound;
} Matching;

/* The shape that --shape gives, or else the operation file, of a tensor without strides; count 0: none. */
static NamedExpressions given_shape(const Pairing *p, const char *tensor) {
  for (uint32_t k = 0; k < p->options->shapes.count; k++)
    if (!strcmp(p->options->shapes.data[k].name, tensor)) return p->options->shapes.data[k];
  for (uint32_t k = 0; p->declared && k < p->declared->tensors.count; k++) {
    const OperationTensor *t = &p->declared->tensors.data[k];
    if (!strcmp(t->name, tensor) && !t->own_shape && !t->own_strides && !t->strides)
      return (NamedExpressions){.count = t->rank, .expressions = t->shape};
  }
  return (NamedExpressions){0};
}

/* What a launch gives the tensor, in numbers; NULL: it is no launch, or gives other things. */
static const OperationTensor *launched_tensor(const Pairing *p, const char *name, int64_t *length, int64_t *stride) {
  for (uint32_t k = 0; p->declared && k < p->declared->tensors.count; k++) {
    const OperationTensor *t = &p->declared->tensors.data[k];
    int64_t all = 1;
    if (strcmp(t->name, name) || t->own_shape || t->rank > POINTWISE_MAX_RANK) continue;
    for (uint32_t a = t->rank; a-- > 0; all *= length[a]) {
      stride[a] = all;
      if (!expr_number(t->shape[a], &length[a]) || (t->strides && !expr_number(t->strides[a], &stride[a]))) return NULL;
    }
    return t;
  }
  return NULL;
}

/* What the launch gives a size or an argument of its only kernel. */
static bool launched_symbol(const Pairing *p, TermTable *tt, Term symbol, int64_t *value) {
  const Launch *launch = &p->declared->launches.data[0];
  const char *name = term_text(tt, symbol);
  for (uint32_t axis = 0; axis < launch->grid_count; axis++)
    if (!strncmp(name, "grid_", 5) && name[5] == "xyz"[axis] && !name[6]) return expr_number(launch->grid[axis], value);
  const LaunchArg *given = p->declared->launches.count == 1 ? kernel_argument(launch, name) : NULL;
  return given && expr_number(given->scalar, value);
}

static bool launched_number(const Pairing *p, TermTable *tt, Term t, int64_t *value) {
  TermList symbols = {0};
  TermEval *eval = term_eval_new(tt, p->arena, NULL, NULL);
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (term_kind(tt, symbols.data[i]) != TERM_SYM || !launched_symbol(p, tt, symbols.data[i], value)) return false;
    term_eval_set(eval, symbols.data[i], (TermValue){(double)*value, *value});
  }
  *value = term_eval(eval, t).integer;
  return true;
}

/* The sizes that the kernel has for an axis of that length, of tensors with the axes of the launch: the one that so
 * many others stand before; 0: there are no more. */
static Term known_size(const Pairing *p, const Pointwise *known, int64_t length, uint32_t number) {
  int64_t own[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK];
  TermList found = {0};
  for (uint32_t i = 0; i < known->tensors.count; i++) {
    const PointwiseTensor *t = &known->tensors.data[i];
    const OperationTensor *given = launched_tensor(p, t->name, own, stride);
    for (uint32_t a = 0; given && given->rank == t->rank && a < t->rank; a++) {
      bool is_known = own[a] != length || term_kind(known->tt, t->extent[a]) != TERM_SYM;
      for (uint32_t k = 0; k < found.count && !is_known; k++) is_known = found.data[k] == t->extent[a];
      if (is_known) continue;
      if (found.count == number) return t->extent[a];
      array_push(p->arena, &found, t->extent[a]);
    }
  }
  return 0;
}

/* The size in the length of an axis that has that number: D of 2*D; 0: none, or several. */
static Term size_in(const Pairing *p, TermTable *tt, Term extent, int64_t length) {
  TermList symbols = {0};
  Term found = 0;
  term_symbols(tt, extent, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    int64_t own;
    if (!launched_symbol(p, tt, symbols.data[i], &own) || own != length) continue;
    if (found) return 0;
    found = symbols.data[i];
  }
  return found;
}

/* A name for an axis of that length: one for all tensors of the launch, and two for two axes of one tensor. */
static const char *launched_name(const Pairing *p, int64_t length, uint32_t number) {
  for (uint32_t k = 0; k < p->declared->tensors.count; k++) {
    const OperationTensor *t = &p->declared->tensors.data[k];
    int64_t own;
    for (uint32_t a = 0, before = 0; a < t->rank; a++)
      if (expr_number(t->shape[a], &own) && own == length && before++ == number)
        return arena_format(p->arena, "axis%u_of_%s", a, t->name);
  }
  return "1";
}

/* What is left of an axis of the known tensor, of 16*grid_x rows and columns say, where the axes of the launch from `a`
 * on to `end` are those numbers that divide it: grid_x; 0: nothing is gained. */
static Term without_numbers(TermTable *tt, Term extent, const int64_t *length, uint32_t a, uint32_t end) {
  Term left = extent;
  for (uint32_t i = a + 1; i < end; i++) {
    Term product;
    Rational k = term_coefficient(tt, left, &product);
    if (k.den != 1 || k.num % length[i]) return 0;
    left = term_scale(tt, rational_int((int64_t)(k.num / length[i])), product);
  }
  return left != extent && term_kind(tt, left) == TERM_SYM ? left : 0;
}

/* Of an axis of the known tensor, 2*D say, the one axis whose size is not known, where the others are: 2 of [?, D]; 0:
 * it is no number or size. */
static Term what_is_left(TermTable *tt, Term extent, const Term *size, uint32_t first, uint32_t end) {
  Term others = tt->one;
  uint32_t open = 0;
  for (uint32_t a = first; a < end; a++) {
    others = size[a] ? term_mul(tt, others, size[a]) : others;
    open += !size[a];
  }
  Term left = open == 1 ? term_floordiv(tt, extent, others) : 0;
  return left && recover_is_plain_size(tt, left) && term_mul(tt, left, others) == extent ? left : 0;
}

/* A tensor of that shape, over the sizes of the known ones and of those before it; NULL after diagnostics. */
static const PointwiseTensor *shape_of(Pairing *p, const Pointwise *known, const char *shape, DiagnosticList *list) {
  if (!p->shaped) {
    p->shaped = arena_new(p->arena, Pointwise);
    *p->shaped = *known;
    p->shaped->tensors.data = arena_array(p->arena, PointwiseTensor, known->tensors.count + 1);
    memcpy(p->shaped->tensors.data, known->tensors.data, sizeof *known->tensors.data * known->tensors.count);
    p->shaped->tensors.capacity = known->tensors.count + 1;
  }
  const char *text = arena_format(p->arena, "tensor shape_%u: f32[%s]\nnone[] = 0\n", p->shaped->tensors.count, shape);
  Formula *formula =
      formula_read(p->arena, known->tt, source_new(p->arena, "--shape", text, strlen(text)), p->shaped, list);
  if (!formula) return NULL;
  array_push(p->arena, &p->shaped->tensors, formula->pointwise->tensors.data[0]);
  return &p->shaped->tensors.data[p->shaped->tensors.count - 1];
}

/* An axis is as long as those that it is made of: assumed, for that reason, where it is not known; NULL: then it is not
 * assumed, and the answer is false. */
static bool assume_length(Pairing *p, TermTable *tt, Term extent, Term total, AssumptionKind kind, const char *why) {
  if (term_sub(tt, total, extent) == tt->zero) return true;
  if (!why) return false;
  const char *line = arena_format(p->arena, "%s = %s", term_text(tt, extent), term_text(tt, total));
  array_push(p->arena, &p->assumptions->made, (ReportAssumption){NULL, kind, line, why, NULL});
  array_push(p->arena, &p->assumptions->conditions, term_eq(tt, extent, total));
  return true;
}

/* Of each axis of the known tensor, the axes of another shape that it is made of, in row-major order, from first[k] to
 * first[k + 1]: that it is as long is assumed, for that reason (NULL: is not, and NULL is the answer). */
static const TensorExpr *grouped_leaf(Pairing *p, const Pointwise *known, uint32_t i, const PointwiseTensor *shape,
                                      const uint32_t *first, AssumptionKind kind, const char *why) {
  const PointwiseTensor *t = &known->tensors.data[i];
  TermTable *tt = known->tt;
  const TensorExpr *places[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < t->rank; k++) {
    const TensorExpr *place = NULL;
    Term total = tt->one;
    for (uint32_t a = first[k]; a < first[k + 1]; a++) {
      const TensorExpr *index = tensor_index(tt, shape->extent[a]);
      for (uint32_t after = a + 1; after < shape->rank; after++) index = tensor_expand(tt, index, index->rank);
      place = place ? tensor_binary(tt, TENSOR_ADD,
                                    tensor_binary(tt, TENSOR_MUL, place, tensor_size(tt, shape->extent[a])), index)
                    : index;
      total = term_mul(tt, total, shape->extent[a]);
    }
    places[k] = place;
    if (!assume_length(p, tt, t->extent[k], total, kind, why)) return NULL;
  }
  TensorExpr *view = (TensorExpr *)tensor_gather(tt, reference_leaf(known, i), places);
  if (view) view->name = t->name;
  return view;
}

/* The axes of the launch that each axis of the known tensor is made of, by numbers: lengths, and strides without gaps
 * between them. */
static bool find_groups(const Pairing *p, const Pointwise *known, uint32_t i, uint32_t rank, const int64_t *length,
                        const int64_t *stride, uint32_t *first) {
  const PointwiseTensor *t = &known->tensors.data[i];
  uint32_t a = rank;
  first[t->rank] = rank;
  for (uint32_t k = t->rank; k-- > 0; first[k] = k ? a : 0) {
    int64_t extent, step, all = 1;
    if (!launched_number(p, known->tt, t->extent[k], &extent) || !launched_number(p, known->tt, t->stride[k], &step))
      return false;
    for (; a > 0 && (all < extent || length[a - 1] == 1); a--) {
      if (length[a - 1] != 1 && stride[a - 1] != step * all) return false;
      all *= length[a - 1];
    }
    if (all != extent || a == first[k + 1]) return false;
  }
  return a == 0;
}

/* The axes that a launch of numbers gives a tensor, where these are more than the known ones. */
typedef struct LaunchedAxes {
  uint32_t rank, first[POINTWISE_MAX_RANK + 1]; /* known axis k is made of those from first[k] to first[k + 1] */
  bool is_added[POINTWISE_MAX_RANK];            /* of length 1, and part of no known one */
  const PointwiseTensor *shape; /* the sizes; NULL: some axes are added, the others are those that are known */
} LaunchedAxes;

static const char as_launched[] = "as in the launch that was given";

/* false: it has no more axes, or it is not known which these are. */
static bool find_axes(Pairing *p, const Pointwise *known, uint32_t i, LaunchedAxes *axes) {
  const PointwiseTensor *t = &known->tensors.data[i];
  TermTable *tt = known->tt;
  int64_t length[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK];
  uint32_t longer = 0;
  const OperationTensor *given = launched_tensor(p, t->name, length, stride);
  if (!given || given->rank <= t->rank) return false;
  *axes = (LaunchedAxes){.rank = given->rank};
  for (uint32_t a = 0; a < given->rank; a++) longer += length[a] != 1;
  if (longer <= t->rank) { /* those that it lacks are of length 1 */
    uint32_t spare = given->rank - t->rank;
    int64_t own;
    for (uint32_t a = 0, k = 0; a < given->rank; a++) {
      if (length[a] == 1 && spare)
        axes->is_added[a] = true, spare--;
      else if (launched_number(p, tt, t->extent[k++], &own) && own != length[a])
        return false;
    }
    return true;
  }
  if (!find_groups(p, known, i, given->rank, length, stride, axes->first)) return false;
  Term size[POINTWISE_MAX_RANK]; /* 0: no known one */
  uint32_t number[POINTWISE_MAX_RANK] = {0};
  for (uint32_t a = 0, k = 0; a < given->rank; a++) {
    uint32_t others = 0;
    int64_t whole;
    while (a >= axes->first[k + 1]) k++;
    Term rows = without_numbers(tt, t->extent[k], length, axes->first[k], axes->first[k + 1]);
    for (uint32_t before = 0; before < a; before++) number[a] += length[before] == length[a];
    for (uint32_t o = axes->first[k]; o < axes->first[k + 1]; o++) others += o != a && length[o] != 1;
    if (!others && length[a] != 1) rows = t->extent[k]; /* it is not cut */
    bool is_whole = rows && (a == axes->first[k] || rows == t->extent[k]);
    bool is_number = length[a] == 1 || term_is_int(tt, t->extent[k], &whole); /* parts of a number are numbers */
    size[a] = is_whole ? rows : is_number || rows ? term_int(tt, length[a]) : size_in(p, tt, t->extent[k], length[a]);
    bool is_by_number = !size[a]; /* that of another tensor: of several with that number, it is one */
    if (is_by_number) size[a] = known_size(p, known, length[a], number[a]);
    p->is_guessed |= is_by_number && size[a] && known_size(p, known, length[a], 1);
    for (uint32_t before = axes->first[k]; before < a; before++)
      p->is_guessed |= length[before] == length[a] && length[a] != 1; /* which of both is which */
  }
  Text text = text_new(p->arena);
  for (uint32_t a = 0, k = 0; a < given->rank; a++) {
    while (a >= axes->first[k + 1]) k++;
    if (!size[a]) size[a] = what_is_left(tt, t->extent[k], size, axes->first[k], axes->first[k + 1]);
    text_format(&text, "%s%s", a ? ", " : "",
                size[a] ? term_text(tt, size[a]) : launched_name(p, length[a], number[a]));
  }
  axes->shape = shape_of(p, known, text_string(&text), p->diagnostics);
  for (uint32_t a = 0; axes->shape && a < given->rank; a++)
    if (term_kind(tt, axes->shape->extent[a]) == TERM_SYM)
      array_push(p->arena, &p->given, ((GivenNumber){axes->shape->extent[a], length[a]}));
  return axes->shape != NULL;
}

/* The tensor with the axes that a launch gives it; NULL: see find_axes. */
static const TensorExpr *launched_leaf(Pairing *p, const Pointwise *known, uint32_t i) {
  LaunchedAxes axes;
  if (!find_axes(p, known, i, &axes)) return NULL;
  if (axes.shape) return grouped_leaf(p, known, i, axes.shape, axes.first, ASSUME_LAUNCH, as_launched);
  TensorExpr *view = (TensorExpr *)reference_leaf(known, i);
  for (uint32_t a = 0; a < axes.rank && view; a++)
    if (axes.is_added[a]) view = (TensorExpr *)tensor_expand(known->tt, view, a);
  if (view) view->name = known->tensors.data[i].name;
  return view;
}

/* An index of an axis that is so long. */
static Term index_of(TermTable *tt, Term size) {
  Term index = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, index, tt->zero, term_sub(tt, size, tt->one));
  return index;
}

bool side_launched_output(Pairing *p, const Pointwise *known, uint32_t tensor, CompareOutput *o) {
  const PointwiseTensor *t = &known->tensors.data[tensor];
  TermTable *tt = known->tt;
  LaunchedAxes axes;
  Term at[POINTWISE_MAX_RANK], shape[POINTWISE_MAX_RANK], index[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < o->rank; k++)
    if (o->rank != t->rank || o->shape[k] != t->extent[k]) return false;
  if (!find_axes(p, known, tensor, &axes)) return false;
  for (uint32_t a = 0, k = 0; a < axes.rank && !axes.shape; a++) {
    bool is_added = axes.is_added[a];
    shape[a] = is_added ? tt->one : o->shape[k];
    index[a] = is_added ? index_of(tt, tt->one) : o->index[k++];
  }
  for (uint32_t k = 0; k < o->rank && axes.shape; k++) {
    Term total = tt->one;
    at[k] = tt->zero;
    for (uint32_t a = axes.first[k]; a < axes.first[k + 1]; a++) {
      shape[a] = axes.shape->extent[a], index[a] = index_of(tt, shape[a]);
      at[k] = term_add(tt, term_mul(tt, at[k], shape[a]), index[a]);
      total = term_mul(tt, total, shape[a]);
    }
    assume_length(p, tt, o->shape[k], total, ASSUME_LAUNCH, as_launched);
  }
  if (axes.shape) {
    TermMap map = {.count = o->rank, .from = o->index, .to = at};
    o->region = term_substitute(tt, o->region, map);
    if (o->value) o->value = term_substitute(tt, o->value, map);
  }
  o->rank = axes.rank, o->expression = NULL;
  memcpy(o->shape, shape, sizeof *shape * axes.rank);
  memcpy(o->index, index, sizeof *index * axes.rank);
  return true;
}

/* x of shape M,N that the other side has as one row: its elements in row-major order. n = M*N is assumed where --shape
 * says so; an operation file has to say what is so. */
static const TensorExpr *given_leaf(Pairing *p, const Pointwise *known, uint32_t i) {
  const PointwiseTensor *t = &known->tensors.data[i];
  const NamedExpressions given = given_shape(p, t->name);
  if (given.count < 2 || t->rank != 1 || t->stride[0] != known->tt->one) return NULL;
  DiagnosticList own;
  diagnostic_list_init(&own, p->arena);
  Text text = text_new(p->arena);
  for (uint32_t k = 0; k < given.count; k++) text_format(&text, "%s%s", k ? ", " : "", given.expressions[k]->text);
  const PointwiseTensor *shape = shape_of(p, known, text_string(&text), given.name ? p->diagnostics : &own);
  const char *why = given.name ? arena_format(p->arena, "--shape %s", t->name) : NULL;
  return shape ? grouped_leaf(p, known, i, shape, (const uint32_t[]){0, given.count}, ASSUME_USER, why) : NULL;
}

/* The tensor as a reference sees it. Another number of axes than the launch has would be another tensor. */
static const TensorExpr *shaped_leaf(Pairing *p, const Pointwise *known, uint32_t i) {
  const PointwiseTensor *t = &known->tensors.data[i];
  int64_t length[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK];
  const TensorExpr *leaf = launched_leaf(p, known, i);
  if (!leaf && !p->diagnostics->error_count) leaf = given_leaf(p, known, i);
  if (leaf || p->diagnostics->error_count) return leaf;
  const OperationTensor *launched = launched_tensor(p, t->name, length, stride);
  if (launched && launched->rank > t->rank && !p->stop)
    p->stop = arena_format(p->arena, "%s has %u axes in the launch, and the kernel goes along %u of its own", t->name,
                           launched->rank, t->rank);
  return reference_leaf(known, i);
}

static void bind(Pairing *p, Matching *m, uint32_t param, const TensorExpr *value, const char *dtype, bool is_left) {
  if (!value) return; /* said already */
  const char *own = m->r->params.data[param].name, *other = value->name;
  m->param_bound[param] = true;
  array_push(p->arena, &m->r->bindings, (ReferenceBinding){.name = own, .value = value, .dtype = dtype});
  array_push(p->arena, &p->pairs, is_left ? (ReportPair){own, other} : (ReportPair){other, own});
}

/* Parameters by name: `same` tells which names are one. */
static void bind_named(Pairing *p, Matching *m, bool (*same)(const Pairing *, const char *known, const char *param),
                       bool is_left) {
  const Pointwise *known = m->known;
  for (uint32_t k = 0; k < m->r->params.count; k++) {
    for (uint32_t i = 0; i < known->tensors.count && !m->param_bound[k]; i++) {
      if (m->tensor_used[i] || !same(p, known->tensors.data[i].name, m->r->params.data[k].name)) continue;
      m->tensor_used[i] = true;
      bind(p, m, k, shaped_leaf(p, known, i), known->tensors.data[i].dtype, is_left);
    }
    for (uint32_t i = 0; i < known->scalars.count && !m->param_bound[k]; i++) {
      if (m->scalar_used[i] || !same(p, known->scalars.data[i].name, m->r->params.data[k].name)) continue;
      m->scalar_used[i] = true;
      bind(p, m, k, tensor_scalar(known->tt, known->scalars.data[i].symbol, known->scalars.data[i].name, i), NULL,
           is_left);
    }
  }
}

/* Parameters that have the name of another argument of the kernel, which the launch gives the same tensor. */
static void bind_shared(Pairing *p, Matching *m, bool is_left) {
  const Launch *launch = p->declared && p->declared->launches.count == 1 ? &p->declared->launches.data[0] : NULL;
  for (uint32_t k = 0; k < m->r->params.count && launch; k++) {
    const LaunchArg *given = m->param_bound[k] ? NULL : kernel_argument(launch, m->r->params.data[k].name);
    if (!given || !given->tensor || given->offset) continue;
    for (uint32_t i = 0; i < m->known->tensors.count && !m->param_bound[k]; i++)
      if (m->tensor_used[i] && !strcmp(m->known->tensors.data[i].name, given->tensor))
        bind(p, m, k, shaped_leaf(p, m->known, i), m->known->tensors.data[i].dtype, is_left);
  }
}

static bool is_mapped(const Pairing *p, const char *known, const char *param) {
  for (uint32_t i = 0; i < p->options->maps.count; i++) {
    const NamedText *map = &p->options->maps.data[i];
    if ((!strcmp(map->name, known) && !strcmp(map->text, param)) ||
        (!strcmp(map->name, param) && !strcmp(map->text, known)))
      return true;
  }
  return false;
}

static bool is_equal(const Pairing *p, const char *known, const char *param) {
  (void)p;
  return !strcmp(known, param);
}

static bool is_alike(const Pairing *p, const char *known, const char *param) {
  (void)p;
  return pairing_is_alike(known, param);
}

/* `unread`: an input that the kernel ignores is one. */
static bool is_input(const PointwiseTensor *t, bool unread) {
  return t->is_read || (unread && !t->is_written && t->rank);
}

static uint32_t count_inputs(const Matching *m, bool unread) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->known->tensors.count; i++)
    count += !m->tensor_used[i] && is_input(&m->known->tensors.data[i], unread);
  return count;
}

/* What is left, in order: tensors, then real scalars, where the counts fit. */
static bool bind_rest(Pairing *p, Matching *m, bool is_left) {
  const Pointwise *known = m->known;
  uint32_t params = 0, tensors = count_inputs(m, false), scalars = 0;
  for (uint32_t k = 0; k < m->r->params.count; k++) params += !m->param_bound[k] && !m->r->params.data[k].has_default;
  for (uint32_t i = 0; i < known->scalars.count; i++)
    scalars += !m->scalar_used[i] && term_sort(known->tt, known->scalars.data[i].symbol) == SORT_REAL;
  if (!params) return true;
  bool unread = params != tensors && params != tensors + scalars;
  if (unread) tensors = count_inputs(m, true);
  if (params != tensors && params != tensors + scalars) {
    Text names = text_new(p->arena);
    for (uint32_t k = 0; k < m->r->params.count; k++)
      if (!m->param_bound[k] && !m->r->params.data[k].has_default)
        text_format(&names, "%s%s", names.count ? ", " : "", m->r->params.data[k].name);
    usage(p, "pair them with --map LEFT=RIGHT",
          arena_format(p->arena, "no inputs found for the parameters %s: %u tensors and %u scalars are left",
                       text_string(&names), tensors, scalars));
    return false;
  }
  uint32_t t = 0, s = 0;
  for (uint32_t k = 0; k < m->r->params.count; k++) {
    if (m->param_bound[k] || m->r->params.data[k].has_default) continue;
    while (t < known->tensors.count && (m->tensor_used[t] || !is_input(&known->tensors.data[t], unread))) t++;
    if (t < known->tensors.count) {
      m->tensor_used[t] = true;
      bind(p, m, k, shaped_leaf(p, known, t), known->tensors.data[t].dtype, is_left);
      continue;
    }
    while (s < known->scalars.count &&
           (m->scalar_used[s] || term_sort(known->tt, known->scalars.data[s].symbol) != SORT_REAL))
      s++;
    if (s == known->scalars.count) return false;
    m->scalar_used[s] = true;
    bind(p, m, k, tensor_scalar(known->tt, known->scalars.data[s].symbol, known->scalars.data[s].name, s), NULL,
         is_left);
  }
  return true;
}

/* A tensor of whole tiles, or of what else the kernel goes through, is not as long as another one of a size that is
 * given. */
static const char *help_with_shapes(const Pairing *p, const Pointwise *known) {
  for (uint32_t i = 0; i < known->tensors.count && !p->is_declared; i++) {
    const PointwiseTensor *t = &known->tensors.data[i];
    bool is_given = false;
    for (uint32_t k = 0; k < p->options->shapes.count; k++)
      is_given |= !strcmp(p->options->shapes.data[k].name, t->name);
    for (uint32_t k = 0; t->is_read && !is_given && k < t->rank; k++)
      if (term_kind(known->tt, t->extent[k]) != TERM_SYM && !term_is_rat(known->tt, t->extent[k]))
        return arena_format(p->arena,
                            "axis %u of %s has %s elements by what the kernel reads: --shape %s=... says what it has",
                            k, t->name, term_text(known->tt, t->extent[k]), t->name);
  }
  return NULL;
}

/* Indices of all elements of e: those of the output that has most of its axes, where it has one of that length. */
static void index_like_output(TermTable *tt, const Side *side, const TensorExpr *e, Term *index) {
  uint32_t most = 0;
  memset(index, 0, sizeof *index * e->rank);
  for (uint32_t i = 0; i < side->outputs.count; i++) {
    const CompareOutput *o = &side->outputs.data[i];
    Term own[TENSOR_MAX_RANK] = {0};
    uint32_t axis = 0, count = 0;
    for (uint32_t k = 0; k < e->rank; k++) {
      uint32_t like = axis;
      while (like < o->rank && o->shape[like] != e->shape[k]) like++;
      if (like < o->rank) own[k] = o->index[like], axis = like + 1, count++;
    }
    if (count <= most) continue;
    most = count;
    memcpy(index, own, sizeof *index * e->rank);
  }
  for (uint32_t k = 0; k < e->rank; k++) {
    if (index[k]) continue;
    index[k] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[k], tt->zero, term_sub(tt, e->shape[k], tt->one));
  }
}

/* An error of what nothing uses is one all the same: its steps, at all of its elements. */
static void make_unused(TermTable *tt, const Side *side, const TensorExpr *e) {
  TermSteps *made = tt->made;
  Term index[TENSOR_MAX_RANK];
  index_like_output(tt, side, e, index);
  uint32_t kept = made->count;
  Term value = tensor_meaning(tt, e, index);
  for (uint32_t i = kept; i < made->count; i++) { /* a number that is none is no error */
    const TermStep *step = &made->data[i];
    bool divides =
        step->kind == TERM_STEP_QUOTIENT && term_sort(tt, step->b) == SORT_INT && term_sort(tt, step->a) == SORT_INT;
    if (divides || step->kind == TERM_STEP_CHOICE || step->kind == TERM_STEP_PLACE) made->data[kept++] = *step;
  }
  made->count = kept;
  if (value) term_made(tt, TERM_STEP_CHOICE, value, 0, tt->zero);
}

/* Of the right, what neither side uses nor the left computes as well; each under its own condition. */
static void make_all_unused(TermTable *tt, const Side *side, const Reference *r, const TensorExprs *of_left) {
  TensorExprs used = {0};
  if (!tt->made) return;
  for (uint32_t i = 0; i < of_left->count; i++) array_push(tt->arena, &used, of_left->data[i]);
  for (uint32_t i = 0; i < side->outputs.count; i++) array_push(tt->arena, &used, side->outputs.data[i].expression);
  for (uint32_t i = 0; i < r->raising.count; i++) {
    const TensorExpr *under = r->raising.data[i].under;
    TensorExprs computed = {0};
    bool is_first = true;
    for (uint32_t k = 0; k < i; k++) is_first &= r->raising.data[k].under != under;
    for (uint32_t k = i; k < r->raising.count && is_first; k++)
      if (r->raising.data[k].under == under) array_push(tt->arena, &computed, r->raising.data[k].value);
    TensorExprs unused = tensor_unused_errors(tt, &used, &computed);
    Term before = tt->made_under;
    if (under) tt->made_under = tensor_meaning(tt, under, &tt->zero);
    for (uint32_t k = 0; k < unused.count; k++) make_unused(tt, side, unused.data[k]);
    tt->made_under = before;
  }
}

/* True if a reference may compute integers of 64 bits. */
static bool is_wide(const Reference *r, const Pointwise *known) {
  bool wide = r->is_wide;
  for (uint32_t i = 0; i < known->tensors.count; i++)
    wide |= !strcmp(known->tensors.data[i].dtype, "i64") || !strcmp(known->tensors.data[i].dtype, "u64");
  return wide;
}

static bool apply_reference(Side *side, const Pointwise *known, Pairing *p, bool is_left) {
  Reference r = {.arena = p->arena,
                 .tt = known->tt,
                 .source = side->input->source,
                 .diagnostics = p->diagnostics,
                 .shape_help = help_with_shapes(p, known)};
  Matching m = {.known = known, .r = &r};
  uint32_t first = side->outputs.count;
  if (!reference_open(&r, side->input->function)) return false;
  side->params.data = NULL, side->params.count = side->params.capacity = 0;
  for (uint32_t k = 0; k < r.params.count; k++) array_push(p->arena, &side->params, r.params.data[k].name);
  m.tensor_used = arena_array(p->arena, bool, known->tensors.count + 1);
  m.scalar_used = arena_array(p->arena, bool, known->scalars.count + 1);
  m.param_bound = arena_array(p->arena, bool, r.params.count + 1);
  bind_named(p, &m, is_mapped, is_left);
  bind_named(p, &m, is_equal, is_left);
  bind_shared(p, &m, is_left);
  bind_named(p, &m, is_alike, is_left);
  if (p->diagnostics->error_count || !bind_rest(p, &m, is_left) || !reference_run(&r)) return false;
  if (r.may_wrap) {
    const char *text = arena_format(p->arena, "integers of %s stay inside their types", side->input->function);
    array_push(p->arena, &p->assumptions->made,
               (ReportAssumption){NULL, ASSUME_RANGE, text, "arithmetic of references does not wrap", NULL});
  }
  for (uint32_t i = 0; i < r.inside.count; i++) {
    const char *text = term_text(known->tt, r.inside.data[i]);
    array_push(
        p->arena, &p->assumptions->made,
        (ReportAssumption){
            NULL, ASSUME_RANGE, text,
            "slices stay inside their tensors, extrema are of something, and axes that squeeze keeps are longer than 1",
            NULL});
    array_push(p->arena, &p->assumptions->conditions, r.inside.data[i]);
  }
  for (uint32_t i = 0; i < r.claims.count; i++) {
    ReferenceClaim claim = r.claims.data[i];
    const char *text = claim.condition ? term_text(known->tt, claim.condition) : claim.text;
    array_push(p->arena, &p->assumptions->made,
               (ReportAssumption){NULL, ASSUME_USER, text,
                                  arena_format(p->arena, "%s asserts it", side->input->function), NULL});
    if (claim.condition) array_push(p->arena, &p->assumptions->conditions, claim.condition);
  }
  for (uint32_t i = 0; i < r.outputs.count; i++) {
    const ReferenceBinding *output = &r.outputs.data[i];
    const char *name = output->name           ? output->name
                       : r.outputs.count == 1 ? side->input->function
                                              : arena_format(p->arena, "#%u", i);
    push_expression(p->arena, known->tt, side, name, output->value);
    if (output->argument) last_output(side)->argument = output->argument->name;
  }
  for (uint32_t i = 0; i < r.changed.count; i++) {
    push_expression(p->arena, known->tt, side, r.changed.data[i].argument->name, r.changed.data[i].value);
    last_output(side)->argument = r.changed.data[i].argument->name, last_output(side)->is_left_in_argument = true;
  }
  for (uint32_t i = first; i < side->outputs.count; i++)
    side->outputs.data[i].whole_limit = r.may_wrap && !is_wide(&r, known) ? 0x1p31 : 0x1p62;
  if (!is_left) make_all_unused(known->tt, side, &r, &p->left_computes);
  for (uint32_t i = first; i < side->outputs.count && is_left; i++)
    array_push(p->arena, &p->left_computes, side->outputs.data[i].expression);
  for (uint32_t i = 0; i < r.raising.count && is_left; i++)
    if (!r.raising.data[i].under) array_push(p->arena, &p->left_computes, r.raising.data[i].value);
  return true;
}

/* ---- formulas ---- */

/* `for i, j: condition` behind a line. */
static bool use_region(Pairing *p, const Side *side, TermTable *tt, const FormulaLine *line, CompareOutput *output) {
  TermMap map = {.count = output->rank, .from = line->index, .to = output->index};
  if (line->region && output->rank != line->rank) {
    diagnostic_add(p->diagnostics, SEVERITY_ERROR, "formula.shape", side->input->source, line->name_span, NULL,
                   "the value does not have the shape of %s", line->name);
    return false;
  }
  if (line->region) output->region = term_substitute(tt, line->region, map);
  return true;
}

/* Between 1 and what an argument may be: what is assumed of all sizes. */
static bool is_range_of_sizes(const Pointwise *p, const FormulaAssumption *a) {
  if (a->condition || (a->lo && a->lo != p->tt->one) ||
      (a->hi && !term_prove_le(p->tt, term_int(p->tt, INT32_MAX), a->hi)))
    return false;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    for (uint32_t k = 0; k < p->tensors.data[i].rank; k++)
      if (p->tensors.data[i].extent[k] && term_has_symbol(p->tt, p->tensors.data[i].extent[k], a->symbol)) return true;
  return false;
}

void side_assume(const Side *side, const Pointwise *own, Pairing *p, TermTable *tt, Importer *m) {
  for (uint32_t i = 0; i < side->assumed.count; i++) {
    const FormulaAssumption *a = &side->assumed.data[i];
    const Term terms[] = {a->condition, a->symbol, a->lo, a->hi};
    Term t[4];
    for (int k = 0; k < 4; k++) t[k] = m && terms[k] ? importer_term(m, terms[k]) : terms[k];
    if (t[0]) array_push(p->arena, &p->assumptions->conditions, t[0]);
    if (t[2]) array_push(p->arena, &p->assumptions->conditions, term_le(tt, t[2], t[1]));
    if (t[3]) array_push(p->arena, &p->assumptions->conditions, term_le(tt, t[1], t[3]));
    if (!is_range_of_sizes(own, a))
      array_push(p->arena, &p->assumptions->made,
                 (ReportAssumption){NULL, ASSUME_USER, a->text, arena_format(p->arena, "%s says so", side->input->name),
                                    NULL});
  }
}

static bool apply_formula(Side *side, const Pointwise *known, const CompareOutputs *wanted, Pairing *p) {
  Formula *formula = formula_read(p->arena, known->tt, side->input->source, known, p->diagnostics);
  if (!formula) return false;
  Side own = {.input = side->input, .pointwise = formula->pointwise, .assumed = formula->assumed};
  side_own_outputs(p->arena, &own);
  side_assume(&own, known, p, known->tt, NULL);
  for (uint32_t i = 0; i < own.outputs.count; i++) {
    array_push(p->arena, &side->outputs, own.outputs.data[i]);
    array_push(p->arena, &side->texts, own.texts.data[i]);
  }
  Reference r = {.arena = p->arena, .tt = known->tt, .source = side->input->source, .diagnostics = p->diagnostics};
  for (uint32_t i = 0; wanted && i < wanted->count; i++) { /* numbers of programs, extents that no argument names */
    reference_bind_sizes(&r, wanted->data[i].region);
    reference_bind_sizes(&r, wanted->data[i].value);
  }
  reference_bind(&r, known);
  reference_bind(&r, formula->pointwise);
  uint32_t facts = known->tt->facts.count;
  for (uint32_t i = 0; i < formula->lines.count; i++) {
    const FormulaLine *line = &formula->lines.data[i];
    for (uint32_t k = 0; k < p->assumptions->conditions.count; k++) /* shapes may agree by what is said of sizes */
      term_push_sizes(known->tt, p->assumptions->conditions.data[k]);
    const TensorExpr *e = reference_formula(&r, line->value);
    term_pop_facts(known->tt, facts);
    if (!e) return false;
    const CompareOutput *like = NULL;
    for (uint32_t k = 0; wanted && k < wanted->count; k++)
      if (!strcmp(wanted->data[k].name, line->name) || (wanted->count == 1 && formula->lines.count == 1))
        like = &wanted->data[k];
    const TensorExpr *fitted = like ? reference_fit(known->tt, e, like->rank, like->shape) : NULL;
    TermSteps *made = known->tt->made;
    uint32_t first = made ? made->count : 0;
    push_expression(p->arena, known->tt, side, line->name, fitted ? fitted : e);
    CompareOutput *output = &side->outputs.data[side->outputs.count - 1];
    if (!use_region(p, side, known->tt, line, output)) return false;
    for (uint32_t k = first; made && output->region != known->tt->true_ && k < made->count;
         k++) /* nothing is done elsewhere */
      made->data[k].under =
          made->data[k].under ? term_and(known->tt, made->data[k].under, output->region) : output->region;
  }
  return true;
}

bool side_apply(Side *side, const Pointwise *known, const CompareOutputs *wanted, Pairing *pairing, bool is_left) {
  return side->input->kind == CHECK_REFERENCE ? apply_reference(side, known, pairing, is_left)
                                              : apply_formula(side, known, wanted, pairing);
}

void side_keep_arithmetic(const Assumption *a, Pairing *p, Importer *m) {
  p->assumptions->has_more_arithmetic |= a->is_partial;
  if (a->of_arithmetic)
    array_push(p->arena, &p->assumptions->arithmetic, m ? importer_term(m, a->of_arithmetic) : a->of_arithmetic);
}

/* ---- shapes from the command line ---- */

Pointwise *side_shapes(Arena *arena, InternTable *names, const Options *options, DiagnosticList *diagnostics) {
  Text text = text_new(arena);
  if (!options->shapes.count) {
    diagnostic_add(diagnostics, SEVERITY_ERROR, "usage.shape", NULL, (Span){0, 0}, "give the inputs with --shape x=M,N",
                   "neither side says which shapes its inputs have");
    return NULL;
  }
  for (uint32_t i = 0; i < options->shapes.count; i++) {
    const char *name = options->shapes.data[i].name; /* with a type: t:i64 */
    text_format(&text, strchr(name, ':') ? "tensor %s[" : "tensor %s: f32[", name);
    for (uint32_t k = 0; k < options->shapes.data[i].count; k++)
      text_format(&text, "%s%s", k ? ", " : "", options->shapes.data[i].expressions[k]->text);
    text_add(&text, "]\n");
  }
  text_add(&text, "none[] = 0\n");
  TermTable *tt = term_table_new(arena, names);
  Formula *formula =
      formula_read(arena, tt, source_new(arena, "--shape", text_string(&text), text.count), NULL, diagnostics);
  if (!formula) return NULL;
  Pointwise *p = formula->pointwise;
  p->outputs.count = 0;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    p->tensors.data[i].is_read = strcmp(p->tensors.data[i].name, "none") != 0;
  return p;
}
