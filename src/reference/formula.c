/* Formulas in tensor form over tensors of known shapes (docs/formula.md).
 *
 * What a line says is an expression (evaluate.c); its names are those of the tensors, scalars and sizes around it, and
 * its value is fitted to the output: axes that reductions kept are dropped, and a smaller value fills the rest. A
 * formula that declares its tensors needs no other side: its outputs are then the elements that its expressions denote.
 */
#include <string.h>

#include "reference/reference.h"

/* ---- names ---- */

const TensorExpr *reference_leaf(const Pointwise *p, uint32_t i) {
  const PointwiseTensor *t = &p->tensors.data[i];
  return tensor_input(p->tt, t->symbol, t->name, i, t->sort, t->rank, t->extent);
}

void reference_bind_sizes(Reference *r, Term t) {
  TermList symbols = {0};
  if (!t) return;
  term_symbols(r->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const TensorExpr *e = tensor_size(r->tt, symbols.data[i]);
    if (e)
      array_push(r->arena, &r->bindings, (ReferenceBinding){.name = term_name(r->tt, symbols.data[i]), .value = e});
  }
}

void reference_bind(Reference *r, const Pointwise *p) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    for (uint32_t k = 0; k < p->tensors.data[i].rank; k++) reference_bind_sizes(r, p->tensors.data[i].extent[k]);
  for (uint32_t i = 0; i < p->scalars.count; i++)
    array_push(
        r->arena, &r->bindings,
        (ReferenceBinding){.name = p->scalars.data[i].name,
                           .value = tensor_scalar(p->tt, p->scalars.data[i].symbol, p->scalars.data[i].name, i)});
  for (uint32_t i = 0; i < p->tensors.count; i++)
    array_push(r->arena, &r->bindings,
               (ReferenceBinding){.name = p->tensors.data[i].name, .value = reference_leaf(p, i)});
}

/* ---- shapes ---- */

const TensorExpr *reference_fit(TermTable *tt, const TensorExpr *e, uint32_t rank, const Term *shape) {
  uint8_t gone[TENSOR_MAX_RANK];
  uint32_t count = 0, k = 0;
  for (uint32_t i = 0; i < e->rank; i++) {
    bool surplus = e->rank - i > rank - k;
    if (surplus && e->shape[i] == tt->one && !(k < rank && shape[k] == tt->one))
      gone[count++] = (uint8_t)i;
    else
      k++;
  }
  if (e->rank > rank) e = tensor_squeeze(tt, e, count, gone);
  return e && e->rank <= rank ? tensor_broadcast(tt, e, rank, shape) : NULL;
}

/* ---- formulas that stand alone ---- */

typedef struct Standing {
  Reference r;
  Formula *formula;
  Pointwise *p;
} Standing;

static bool fail(Standing *s, const FormulaLine *line, const char *help, const char *message) {
  diagnostic_add(s->r.diagnostics, SEVERITY_ERROR, "formula.shape", s->r.source, line->name_span, help, "%s", message);
  return false;
}

/* The declared tensor of that name, or a new one: of the shape that is written, else of the value's without axes of
 * length 1. */
static uint32_t output_tensor(Standing *s, const FormulaLine *line, const TensorExpr *e) {
  TermTable *tt = s->r.tt;
  Pointwise *p = s->p;
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, line->name)) return i;
  PointwiseTensor t = {.name = line->name,
                       .dtype = e->sort == SORT_REAL ? "f32" : "i32",
                       .sort = e->sort == SORT_REAL ? SORT_REAL : SORT_INT};
  t.symbol = term_symbol_new(tt, intern_text(tt->names, t.name), t.sort, SYMBOL_TENSOR);
  for (uint32_t k = 0; k < (line->has_shape ? line->rank : e->rank) && t.rank < POINTWISE_MAX_RANK; k++) {
    Term extent = line->has_shape ? line->extent[k] : e->shape[k];
    if (line->has_shape || extent != tt->one) t.extent[t.rank++] = extent;
  }
  Term stride = tt->one;
  for (uint32_t k = t.rank; k-- > 0; stride = term_mul(tt, stride, t.extent[k]))
    t.stride[k] = stride, t.dim_name[k] = term_text(tt, t.extent[k]);
  array_push(s->r.arena, &p->tensors, t);
  return p->tensors.count - 1;
}

static void mark_reads(Standing *s, Term t) {
  TermList symbols = {0};
  term_symbols(s->r.tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    for (uint32_t k = 0; k < s->p->tensors.count; k++)
      if (s->p->tensors.data[k].symbol == symbols.data[i]) s->p->tensors.data[k].is_read = true;
}

static bool make_output(Standing *s, const FormulaLine *line, PointwiseOutput *out) {
  TermTable *tt = s->r.tt;
  const TensorExpr *e = reference_formula(&s->r, line->value);
  if (!e) return false;
  *out = (PointwiseOutput){.tensor = output_tensor(s, line, e)};
  PointwiseTensor *t = &s->p->tensors.data[out->tensor];
  const TensorExpr *fitted = reference_fit(tt, e, t->rank, t->extent);
  if (!fitted)
    return fail(s, line, NULL, arena_format(s->r.arena, "the value does not have the shape of %s", line->name));
  out->rank = t->rank;
  t->is_written = true;
  for (uint32_t k = 0; k < t->rank; k++) {
    out->index[k] = line->region ? line->index[k] : term_axis_symbol(tt, k);
    term_symbol(tt, out->index[k])->axis = k;
    term_symbol_range(tt, out->index[k], tt->zero, term_sub(tt, t->extent[k], tt->one));
  }
  PointwisePiece piece = {.region = line->region ? line->region : tt->true_,
                          .value = tensor_meaning(tt, fitted, out->index)};
  if (!piece.value)
    return fail(s, line, "write it element by element: y[i] = ...",
                "this formula has no elements that could be written down");
  mark_reads(s, piece.value);
  mark_reads(s, piece.region);
  array_push(s->r.arena, &out->pieces, piece);
  out->formula = fitted;
  return true;
}

bool reference_stand_alone(Arena *arena, Formula *formula, Source *source, DiagnosticList *diagnostics) {
  Standing s = {.formula = formula, .p = formula->pointwise};
  s.r =
      (Reference){.arena = arena, .tt = s.p->tt, .source = source, .diagnostics = diagnostics, .lets = &formula->lets};
  if (!formula->lines.count) return true;
  if (!formula->declared)
    return fail(&s, &formula->lines.data[0],
                "declare its tensors, `tensor x: f32[n, m]`, or compare it with a kernel (assay check)",
                "a formula in tensor form has no shapes of its own");
  for (uint32_t i = 0; i < formula->sizes.count; i++) reference_bind_sizes(&s.r, formula->sizes.data[i]);
  reference_bind(&s.r, s.p);
  PointwiseOutput *all = arena_array(arena, PointwiseOutput, formula->lines.count + s.p->outputs.count + 1);
  uint32_t count = 0, taken = 0, facts = s.p->tt->facts.count;
  for (uint32_t i = 0; i < formula->assumed.count; i++)
    if (formula->assumed.data[i].condition) term_push_sizes(s.p->tt, formula->assumed.data[i].condition);
  for (uint32_t i = 0; i < formula->lines.count; i++) { /* in the order of the text */
    while (taken < formula->lines.data[i].before) all[count++] = s.p->outputs.data[taken++];
    if (!make_output(&s, &formula->lines.data[i], &all[count++])) return false;
  }
  term_pop_facts(s.p->tt, facts);
  while (taken < s.p->outputs.count) all[count++] = s.p->outputs.data[taken++];
  s.p->outputs.data = all, s.p->outputs.count = s.p->outputs.capacity = count;
  formula->lines.count = 0;
  return true;
}
