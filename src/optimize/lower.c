/* Candidates as text (lower.h).
 *
 * Every value has a layout: its classes in an order, with places of length 1 where a reduction kept an axis. Loads have
 * the order of their tensor; a product has its batch, its rows, its columns; an elementwise operation has the order of
 * its larger argument. Where an argument does not fit by broadcasting, its axes are squeezed, transposed and expanded
 * in the text. Values that are used once stand inside the expression of their use: what is elementwise there is
 * computed in registers, value by value. */
#include "optimize/lower.h"

#include "read/formula/formula.h"

#include <ctype.h>
#include <string.h>

enum { MAX_RANK = 10 };

typedef struct Layout {
  uint32_t rank;
  uint8_t axes[MAX_RANK]; /* PROBLEM_NONE: of length 1 */
} Layout;

typedef struct Lower {
  Arena *arena;
  const Problem *p;
  const SearchCandidate *c;
  const Tiling *tiling; /* NULL: operations on whole tensors */
  Text out;
  /* by value */
  Layout *layout;
  const char **text; /* NULL: not written yet; a name, or an expression in brackets as needed */
  bool *used;
  const char *iterator[PROBLEM_MAX_CLASSES];
  uint32_t names;
  Array(const char *) earlier; /* names of loops before */
  uint32_t first_bound;        /* the tensor from which on tensors are values of the block */
  const char **bound;          /* their names; NULL: there are none */
} Lower;

/* ---- names ---- */

static bool is_taken(const Lower *l, const char *name) {
  const Pointwise *p = l->p->pointwise;
  TermList symbols = {0};
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    if (!strcmp(p->tensors.data[i].name, name)) return true;
    for (uint32_t k = 0; k < p->tensors.data[i].rank; k++) term_symbols(p->tt, p->tensors.data[i].extent[k], &symbols);
  }
  for (uint32_t i = 0; i < symbols.count; i++)
    if (!strcmp(term_name(p->tt, symbols.data[i]), name)) return true;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (!strcmp(p->scalars.data[i].name, name)) return true;
  for (uint32_t c = 0; c < PROBLEM_MAX_CLASSES; c++)
    if (l->iterator[c] && !strcmp(l->iterator[c], name)) return true;
  for (uint32_t i = 0; i < l->c->count; i++)
    if (l->text[i] && !strcmp(l->text[i], name)) return true;
  for (uint32_t i = 0; i < l->earlier.count; i++)
    if (!strcmp(l->earlier.data[i], name)) return true;
  return false;
}

static const char *fresh_name(Lower *l, const char *wanted) {
  const char *name = wanted;
  for (uint32_t n = 2; is_taken(l, name); n++) name = arena_format(l->arena, "%s%u", wanted, n);
  return name;
}

static const char *load_name(Lower *l, const char *tensor) {
  char *name = arena_copy(l->arena, tensor, strlen(tensor));
  size_t n = strlen(name);
  if (n > 4 && !strcmp(name + n - 4, "_ptr")) name[n - 4] = 0;
  for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
  const char *wanted = is_taken(l, name) ? arena_format(l->arena, "%s_tile", name) : name;
  return fresh_name(l, formula_is_reserved(wanted) ? arena_format(l->arena, "tile_%s", name) : wanted);
}

/* ---- layouts ---- */

static bool has_axis(const Layout *a, uint8_t axis) {
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->axes[i] == axis) return true;
  return false;
}

/* True if NumPy's broadcasting puts every axis of `a` at its place in `to`. */
static bool fits(const Layout *a, const Layout *to) {
  if (a->rank > to->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++) {
    uint8_t own = a->axes[i];
    if (own != PROBLEM_NONE && own != to->axes[to->rank - a->rank + i]) return false;
  }
  return true;
}

static const char *call(Lower *l, const char *name, const char *text, const Text *rest) {
  return arena_format(l->arena, "%s(%s%s)", name, text, text_string((Text *)rest));
}

static const char *squeezed(Lower *l, const char *text, Layout *a) {
  Text axes = text_new(l->arena);
  Layout out = {0};
  for (uint32_t i = 0; i < a->rank; i++) {
    if (a->axes[i] == PROBLEM_NONE)
      text_format(&axes, ", %u", i);
    else
      out.axes[out.rank++] = a->axes[i];
  }
  bool same = out.rank == a->rank;
  *a = out;
  return same ? text : call(l, "squeeze", text, &axes);
}

static const char *transposed(Lower *l, const char *text, Layout *a, const Layout *to) {
  Text axes = text_new(l->arena);
  Layout out = {0};
  bool same = true;
  for (uint32_t i = 0; i < to->rank; i++)
    for (uint32_t k = 0; k < a->rank; k++)
      if (to->axes[i] != PROBLEM_NONE && a->axes[k] == to->axes[i]) {
        same &= k == out.rank;
        text_format(&axes, ", %u", k);
        out.axes[out.rank++] = a->axes[k];
      }
  *a = out;
  return same ? text : call(l, "transpose", text, &axes);
}

/* The text of a value with that layout, made to broadcast to `to`; `exact`: with all its axes. */
static const char *convert(Lower *l, const char *text, Layout a, const Layout *to, bool exact) {
  if (fits(&a, to) && (!exact || a.rank == to->rank)) return text;
  text = squeezed(l, text, &a);
  text = transposed(l, text, &a, to);
  uint32_t first = exact ? 0 : to->rank;
  for (uint32_t i = to->rank; i-- > 0 && !exact;)
    if (has_axis(&a, to->axes[i]) && to->axes[i] != PROBLEM_NONE) first = i;
  for (uint32_t i = first; i < to->rank; i++)
    if (to->axes[i] == PROBLEM_NONE || !has_axis(&a, to->axes[i]))
      text = arena_format(l->arena, "expand(%s, %u)", text, i - first);
  return text;
}

static Layout join(const Layout *a, const Layout *b) {
  const Layout *big = b->rank > a->rank ? b : a, *small = big == a ? b : a;
  Layout out = *big;
  bool missing = false;
  if (fits(small, big)) return out;
  for (uint32_t i = 0; i < small->rank; i++)
    missing |= small->axes[i] != PROBLEM_NONE && !has_axis(big, small->axes[i]);
  if (!missing) return out;
  out.rank = 0;
  for (uint32_t i = 0; i < big->rank; i++)
    if (big->axes[i] != PROBLEM_NONE) out.axes[out.rank++] = big->axes[i];
  for (uint32_t i = 0; i < small->rank; i++)
    if (small->axes[i] != PROBLEM_NONE && !has_axis(&out, small->axes[i]) && out.rank < MAX_RANK)
      out.axes[out.rank++] = small->axes[i];
  return out;
}

/* ---- expressions ---- */

static const char *value_text(Lower *l, uint32_t i);

static const char *argument(Lower *l, const SearchValue *v, uint32_t k, const Layout *to) {
  return convert(l, value_text(l, v->args[k]), l->layout[v->args[k]], to, false);
}

/* start:stop, the part of an axis that is used */
static const char *range_text(Lower *l, const ProblemUse *use, uint32_t axis) {
  TermTable *tt = l->p->tt;
  Term length = use->axes[axis] == PROBLEM_NONE ? tt->one : l->p->length[use->axes[axis]];
  if (!use->start[axis]) return ":";
  return arena_format(l->arena, "%s:%s", term_text(tt, use->start[axis]),
                      term_text(tt, term_add(tt, use->start[axis], length)));
}

/* The tensor, or what is used of it. */
static const char *part_text(Lower *l, const ProblemUse *use) {
  Text out = text_new(l->arena);
  bool is_part = false;
  text_format(&out, "%s[", l->p->pointwise->tensors.data[use->tensor].name);
  for (uint32_t k = 0; k < use->rank; k++) {
    is_part |= use->start[k] != 0;
    text_format(&out, "%s%s", k ? ", " : "", range_text(l, use, k));
  }
  text_char(&out, ']');
  return is_part ? text_string(&out) : l->p->pointwise->tensors.data[use->tensor].name;
}

static const char *leaf_text(Lower *l, const SearchValue *v, Layout *out) {
  const ProblemNode *n = &l->p->nodes.data[v->detail];
  *out = (Layout){0};
  if (n->op == PROBLEM_CONST && term_kind(l->p->tt, n->value) == TERM_SYM) return term_name(l->p->tt, n->value);
  if (n->op == PROBLEM_CONST) return tensor_text(l->p->tt, tensor_const(l->p->tt, n->value));
  if (n->op == PROBLEM_INDEX) {
    *out = (Layout){1, {n->axis}};
    bool is_cut = l->tiling && l->iterator[n->axis];
    return is_cut ? l->iterator[n->axis]
                  : arena_format(l->arena, "index(%s)", term_text(l->p->tt, l->p->length[n->axis]));
  }
  const ProblemUse *use = &l->p->uses.data[n->detail];
  out->rank = use->rank;
  memcpy(out->axes, use->axes, use->rank);
  return l->tiling ? l->p->pointwise->tensors.data[use->tensor].name : part_text(l, use);
}

static uint32_t position(const Layout *a, uint8_t axis) {
  uint32_t i = 0;
  while (i < a->rank && a->axes[i] != axis) i++;
  return i;
}

static const char *reduce_text(Lower *l, const SearchValue *v, Layout *out) {
  const char *text = value_text(l, v->args[0]);
  *out = l->layout[v->args[0]];
  if (v->part == FINGERPRINT_OVER_TILES) return text;
  uint32_t at = position(out, v->axis);
  out->axes[at] = PROBLEM_NONE;
  return arena_format(l->arena, "%s(%s, axis=%u)", problem_op_text(v->op), text, at);
}

/* Where the class stands in the outputs; those that do not, last. */
static uint32_t rank_in_outputs(const Problem *p, uint8_t axis) {
  for (uint32_t o = 0; o < p->outputs.count; o++)
    for (uint32_t k = 0; k < p->outputs.data[o].rank; k++)
      if (p->outputs.data[o].axes[k] == axis) return k;
  return MAX_RANK;
}

/* The last class of `a` that `b` has not: rows or columns. */
static uint8_t own_class(const Layout *a, const Layout *b) {
  for (uint32_t i = a->rank; i-- > 0;)
    if (a->axes[i] != PROBLEM_NONE && !has_axis(b, a->axes[i])) return a->axes[i];
  return PROBLEM_NONE;
}

static const char *matmul_text(Lower *l, const SearchValue *v, Layout *out) {
  uint32_t first = 0;
  value_text(l, v->args[0]), value_text(l, v->args[1]);
  const Layout *x = &l->layout[v->args[0]], *y = &l->layout[v->args[1]];
  if (rank_in_outputs(l->p, own_class(y, x)) < rank_in_outputs(l->p, own_class(x, y))) first = 1;
  const Layout *a = first ? y : x, *b = first ? x : y;
  uint8_t row = own_class(a, b), column = own_class(b, a);
  Layout batch = {0}, left, right;
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < (side ? b : a)->rank; i++) {
      uint8_t axis = (side ? b : a)->axes[i];
      if (axis != PROBLEM_NONE && axis != row && axis != column && axis != v->axis && !has_axis(&batch, axis))
        batch.axes[batch.rank++] = axis;
    }
  left = right = *out = batch;
  left.axes[left.rank++] = row, left.axes[left.rank++] = v->axis;
  right.axes[right.rank++] = v->axis, right.axes[right.rank++] = column;
  out->axes[out->rank++] = row, out->axes[out->rank++] = column;
  return arena_format(l->arena, "(%s @ %s)", argument(l, v, first, &left), argument(l, v, 1 - first, &right));
}

static const char *operation_text(Lower *l, const SearchValue *v, Layout *out) {
  const char *name = problem_op_text(v->op), *x[3];
  for (uint32_t i = 0; i < v->count; i++) {
    value_text(l, v->args[i]);
    *out = i ? join(out, &l->layout[v->args[i]]) : l->layout[v->args[0]];
  }
  for (uint32_t i = 0; i < v->count; i++) x[i] = argument(l, v, i, out);
  if (v->kind == SEARCH_SHIFTED) return arena_format(l->arena, "exp(%s - %s)", x[0], x[1]);
  if (v->op == PROBLEM_NEG || v->op == PROBLEM_NOT) return arena_format(l->arena, "(%s%s)", name, x[0]);
  if (v->op == PROBLEM_SQUARE) return arena_format(l->arena, "(%s ** 2)", x[0]);
  if (v->op == PROBLEM_FN) {
    const ProblemFunction *f = &l->p->functions.data[v->detail];
    return arena_format(l->arena, "%s%s%s", f->open, x[0], f->close);
  }
  if (v->count == 1) return arena_format(l->arena, "%s(%s)", name, x[0]);
  if (v->count == 3) return arena_format(l->arena, "where(%s, %s, %s)", x[0], x[1], x[2]);
  bool infix = !isalpha((unsigned char)name[0]);
  return infix ? arena_format(l->arena, "(%s %s %s)", x[0], name, x[1])
               : arena_format(l->arena, "%s(%s, %s)", name, x[0], x[1]);
}

/* A name where it has one. */
static const char *value_text(Lower *l, uint32_t i) {
  const SearchValue *v = &l->c->values[i];
  if (l->text[i]) return l->text[i];
  switch (v->kind) {
  case SEARCH_LEAF: return l->text[i] = leaf_text(l, v, &l->layout[i]);
  case SEARCH_REDUCE: return l->text[i] = reduce_text(l, v, &l->layout[i]);
  case SEARCH_MATMUL: return l->text[i] = matmul_text(l, v, &l->layout[i]);
  case SEARCH_OPERATION:
  case SEARCH_SHIFTED: break;
  }
  return l->text[i] = operation_text(l, v, &l->layout[i]);
}

/* Without the brackets around all of it. */
static const char *bare(Lower *l, const char *text) {
  size_t n = strlen(text);
  int depth = 0;
  if (n < 2 || text[0] != '(') return text;
  for (size_t i = 0; i < n; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (!depth && i + 1 < n) return text;
  }
  return arena_copy(l->arena, text + 1, n - 2);
}

/* ---- lines ---- */

static bool is_accumulator(const SearchValue *v) {
  return v->kind == SEARCH_REDUCE && v->part == FINGERPRINT_OVER_TILES;
}

static uint32_t count_uses(const Lower *l, uint32_t i) {
  uint32_t uses = 0;
  for (uint32_t k = 0; k < l->c->count; k++)
    for (uint32_t a = 0; a < l->c->values[k].count; a++) uses += l->used[k] && l->c->values[k].args[a] == i;
  return uses;
}

static void mark_used(Lower *l, uint32_t i) {
  if (l->used[i]) return;
  l->used[i] = true;
  for (uint32_t a = 0; a < l->c->values[i].count; a++) mark_used(l, l->c->values[i].args[a]);
  if (l->c->values[i].rescale && is_accumulator(&l->c->values[i])) mark_used(l, l->c->values[i].rescale - 1);
}

static bool is_load(const Lower *l, const SearchValue *v) {
  return v->kind == SEARCH_LEAF && l->p->nodes.data[v->detail].op == PROBLEM_INPUT;
}

/* The map of each axis of a tile. */
static void add_map(Lower *l, const ProblemUse *use) {
  for (uint32_t k = 0; k < use->rank; k++) {
    const char *name = use->axes[k] == PROBLEM_NONE ? NULL : l->iterator[use->axes[k]];
    const char *id = name && l->p->part && use->axes[k] == l->p->parts ? ".id" : "";
    text_format(&l->out, "%s%s%s", k ? ", " : "", name ? name : range_text(l, use, k), id);
    if (name && use->start[k]) text_format(&l->out, " + %s", term_text(l->p->tt, use->start[k]));
  }
}

/* A value of an earlier loop has its name. */
static void add_load(Lower *l, uint32_t i, const char *indent) {
  const SearchValue *v = &l->c->values[i];
  const char *tensor = value_text(l, i);
  const ProblemUse *use = &l->p->uses.data[l->p->nodes.data[v->detail].detail];
  if (l->bound && use->tensor >= l->first_bound) {
    l->text[i] = l->bound[use->tensor - l->first_bound];
    return;
  }
  l->text[i] = NULL;
  const char *name = load_name(l, tensor);
  text_format(&l->out, "%s%s = load %s", indent, name, tensor);
  if (use->rank) text_char(&l->out, '[');
  add_map(l, use);
  text_add(&l->out, use->rank ? "]\n" : "\n");
  l->text[i] = name;
}

static const char *accumulator_name(const Lower *l, const SearchValue *v) {
  const SearchValue *of = &l->c->values[v->args[0]];
  return v->op == PROBLEM_REDUCE_MAX   ? "largest"
         : v->op == PROBLEM_REDUCE_MIN ? "least"
         : of->kind == SEARCH_MATMUL   ? "acc"
                                       : "total";
}

static void add_accumulator(Lower *l, uint32_t i, const char *indent) {
  const SearchValue *v = &l->c->values[i];
  const char *text = bare(l, value_text(l, i));
  l->text[i] = NULL;
  const char *name = fresh_name(l, accumulator_name(l, v));
  text_format(&l->out, "%s%s = accumulate %s(%s", indent, name, problem_op_text(v->op), text);
  if (v->rescale) text_format(&l->out, ", rescale=%s", l->text[v->rescale - 1]);
  text_add(&l->out, ")\n");
  l->text[i] = name;
}

/* A reduction is computed in it, and not by an earlier line. */
static bool reduces(const Lower *l, uint32_t i) {
  const SearchValue *v = &l->c->values[i];
  bool found = v->kind == SEARCH_REDUCE;
  if (l->text[i] || is_accumulator(v)) return false;
  for (uint32_t a = 0; a < v->count && !found; a++) found = reduces(l, v->args[a]);
  return found;
}

/* What is made of a reduction, and what is computed for more elements uses: once, in place of once for each of these.
 */
static bool is_spread(const Lower *l, uint32_t i) {
  bool found = false;
  for (uint32_t k = 0; k < l->c->count && !found; k++)
    for (uint32_t a = 0; a < l->c->values[k].count; a++)
      found |= l->used[k] && l->c->values[k].args[a] == i &&
               (l->c->values[k].fingerprint.elements & ~l->c->values[i].fingerprint.elements);
  return found && reduces(l, i);
}

/* What is used several times, or spread, has a name. */
static void add_values(Lower *l, SearchStage stage, const char *indent) {
  for (uint32_t i = 0; i < l->c->count; i++) {
    const SearchValue *v = &l->c->values[i];
    bool here = is_accumulator(v) ? stage == SEARCH_IN_LOOP : v->stage == stage;
    if (!l->used[i] || !here) continue;
    if (is_load(l, v))
      add_load(l, i, indent);
    else if (is_accumulator(v))
      add_accumulator(l, i, indent);
    else if (v->kind != SEARCH_LEAF && (count_uses(l, i) > 1 || is_spread(l, i))) {
      const char *text = bare(l, value_text(l, i));
      l->text[i] = NULL;
      const char *name = fresh_name(l, v->kind == SEARCH_MATMUL ? "product" : v->kind == SEARCH_REDUCE ? "part" : "v");
      text_format(&l->out, "%s%s = %s\n", indent, name, text);
      l->text[i] = name;
    }
  }
}

static bool is_name(const char *text) {
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && *text != '_') return false;
  return true;
}

/* For a later loop of the block. */
static void bind(Lower *l, uint32_t tensor, const char *text) {
  const char *name = is_name(text) ? text : fresh_name(l, "v");
  if (name != text) text_format(&l->out, "  %s = %s\n", name, text);
  l->bound[tensor - l->first_bound] = name;
  array_push(l->arena, &l->earlier, name);
}

/* Its tiles as a whole, for what stands behind the loop. */
static void gather(Lower *l, const ProblemOutput *out, const char *text, const char *indent) {
  const char *name = fresh_name(l, "whole");
  uint32_t axis = 0;
  while (axis + 1 < out->rank && out->axes[axis] != l->c->loop) axis++;
  text_format(&l->out, "%s%s = accumulate concat(%s, axis=%u)\n", indent, name, text, axis);
  l->bound[out->tensor - l->first_bound] = name;
  array_push(l->arena, &l->earlier, name);
}

/* What is of the loop is saved in it. */
static void add_saves(Lower *l, bool in_loop, const char *indent) {
  for (uint32_t o = 0; o < l->p->outputs.count; o++) {
    const ProblemOutput *out = &l->p->outputs.data[o];
    uint32_t i = l->c->outputs[o];
    Layout to = {out->rank, {0}};
    if ((l->c->values[i].stage == SEARCH_IN_LOOP) != in_loop) continue;
    memcpy(to.axes, out->axes, out->rank);
    value_text(l, i);
    const char *text = bare(l, convert(l, value_text(l, i), l->layout[i], &to, true));
    if (l->bound && out->tensor >= l->first_bound) {
      if (in_loop)
        gather(l, out, text, indent);
      else
        bind(l, out->tensor, text);
      continue;
    }
    text_format(&l->out, "%ssave %s", indent, l->p->pointwise->tensors.data[out->tensor].name);
    if (out->rank) text_char(&l->out, '[');
    ProblemUse place = {.rank = out->rank};
    memcpy(place.axes, out->axes, out->rank);
    add_map(l, &place);
    text_format(&l->out, "%s %s %s\n", out->rank ? "]" : "", l->p->adds ? "+=" : "=", text);
  }
}

static const char *block_name(const Problem *p) {
  const char *name = p->pointwise->kernel;
  return name && strcmp(name, "formula") ? name : "kernel";
}

static bool is_view(const Problem *p, uint32_t tensor) {
  for (uint32_t i = 0; i < p->views.count; i++)
    if (p->views.data[i].tensor == tensor) return true;
  return false;
}

/* The tensors of the formula, without views. */
static Pointwise declared_of(Arena *arena, const Problem *p) {
  Pointwise out = *p->pointwise;
  memset(&out.tensors, 0, sizeof out.tensors);
  for (uint32_t i = 0; i < p->pointwise->tensors.count; i++)
    if (!is_view(p, i)) array_push(arena, &out.tensors, p->pointwise->tensors.data[i]);
  return out;
}

static void add_header(Lower *l, const char *note) {
  text_format(&l->out, "graph %s\n", block_name(l->p));
  if (note) text_format(&l->out, "# %s\n", note);
  Text lines = text_new(l->arena);
  Pointwise declared = declared_of(l->arena, l->p);
  formula_print_declarations(&declared, &lines);
  for (const char *line = text_string(&lines); *line;) { /* tensors are row-major: the default */
    size_t n = strcspn(line, "\n");
    const char *strides = strstr(line, " strides [");
    text_append(&l->out, line, strides && strides < line + n ? (size_t)(strides - line) : n);
    text_char(&l->out, '\n');
    line += n + (line[n] == '\n');
  }
}

/* What an iterator cuts: a sum has brackets. */
static const char *cut_text(Lower *l, Term length) {
  const char *text = term_text(l->p->tt, length);
  return strpbrk(text, "+-") ? arena_format(l->arena, "(%s)", text) : text;
}

/* Each part of the loop's class has blocks of its own, whose loop goes over that part. */
static void add_parts(Lower *l, uint32_t count) {
  uint8_t parts = l->p->parts;
  if (parts == PROBLEM_NONE || !l->p->part) return;
  l->iterator[parts] = fresh_name(l, "s");
  text_format(&l->out, "%s%s = %s / %ld", count ? ", " : " grid ", l->iterator[parts],
              cut_text(l, l->p->length[l->c->loop]), (long)l->p->part);
}

static void add_grid(Lower *l) {
  static const char *const names[] = {"x", "y", "z"};
  ClassSet written = problem_written(l->p);
  uint32_t count = 0;
  if (l->p->parts != PROBLEM_NONE) written &= ~(1u << l->p->parts);
  for (uint32_t k = 0; k < MAX_RANK; k++) /* in the order of the outputs' axes */
    for (uint8_t c = 0; c < l->p->class_count; c++) {
      if (rank_in_outputs(l->p, c) != k || !(written >> c & 1) || !l->tiling->tile[c] || c == l->c->loop || count == 3)
        continue;
      const char *name = fresh_name(l, names[count]);
      l->iterator[c] = name;
      text_format(&l->out, "%s%s = %s / %ld", count++ ? ", " : " grid ", name, cut_text(l, l->p->length[c]),
                  (long)l->tiling->tile[c]);
    }
  add_parts(l, count);
  text_char(&l->out, '\n');
}

static Lower *start(Arena *arena, const Problem *p, const SearchCandidate *c, const Tiling *tiling) {
  Lower *l = arena_new(arena, Lower);
  l->arena = arena, l->p = p, l->c = c, l->tiling = tiling;
  l->out = text_new(arena);
  l->layout = arena_array(arena, Layout, c->count + 1);
  l->text = arena_array(arena, const char *, c->count + 1);
  l->used = arena_array(arena, bool, c->count + 1);
  for (uint32_t o = 0; o < p->outputs.count && c->count; o++)
    if (c->outputs[o] < c->count) mark_used(l, c->outputs[o]);
  return l;
}

static void add_loop(Lower *l, const LowerPart *part) {
  const SearchCandidate *c = part->c;
  add_values(l, SEARCH_BEFORE, "  ");
  if (c->loop != PROBLEM_NONE) {
    bool splits = part->p->parts != PROBLEM_NONE && part->p->part;
    l->iterator[c->loop] = fresh_name(l, "t");
    text_format(&l->out, "  loop %s = %s / %ld\n", l->iterator[c->loop],
                splits ? l->iterator[part->p->parts] : cut_text(l, part->p->length[c->loop]),
                (long)part->tiling.tile[c->loop]);
    add_values(l, SEARCH_IN_LOOP, "    ");
    add_saves(l, true, "    ");
    text_add(&l->out, "  end\n");
  }
  add_values(l, SEARCH_AFTER, "  ");
  add_saves(l, false, "  ");
}

static const char *block_text(Arena *arena, const LowerPart *part, const char *name) {
  Lower *l = start(arena, part->p, part->c, &part->tiling);
  text_format(&l->out, "\nblock %s", name);
  add_grid(l);
  add_loop(l, part);
  text_add(&l->out, "end\n");
  return text_string(&l->out);
}

static const char *shape_text(Arena *arena, const Pointwise *all, uint32_t tensor) {
  Text out = text_new(arena);
  const PointwiseTensor *t = &all->tensors.data[tensor];
  for (uint32_t k = 0; k < t->rank; k++) text_format(&out, "%s%s", k ? ", " : "", term_text(all->tt, t->extent[k]));
  return text_string(&out);
}

static void declare(Text *out, Arena *arena, const Pointwise *all, uint32_t tensor) {
  const PointwiseTensor *t = &all->tensors.data[tensor];
  text_format(out, "temporary %s: %s[%s]\n", t->name, t->dtype, shape_text(arena, all, tensor));
}

typedef Array(const char *) Names;

/* false: it was there. */
static bool add_name(Arena *arena, Names *names, const char *name) {
  for (uint32_t i = 0; i < names->count; i++)
    if (!strcmp(names->data[i], name)) return false;
  array_push(arena, names, name);
  return true;
}

static bool reads(const Problem *p, uint32_t tensor) {
  for (uint32_t i = 0; i < p->nodes.count; i++)
    if (p->nodes.data[i].op == PROBLEM_INPUT && p->uses.data[p->nodes.data[i].detail].tensor == tensor) return true;
  return false;
}

static bool writes(const Problem *p, uint32_t tensor) {
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (p->outputs.data[i].tensor == tensor) return true;
  return false;
}

/* Before a kernel, the views that it uses and no one before it; behind it, what it has written as views. */
static void add_views(Arena *arena, Text *out, const Problem *p, bool is_behind, Names *known) {
  for (uint32_t i = 0; i < p->views.count; i++) {
    const ProblemView *v = &p->views.data[i];
    const PointwiseTensor *t = &p->pointwise->tensors.data[v->tensor], *of = &p->pointwise->tensors.data[v->of];
    bool written = writes(p, v->tensor);
    if (is_behind && written)
      text_format(out, "%s = reshape(%s, %s)\n", of->name, t->name, shape_text(arena, p->pointwise, v->of));
    if (is_behind || !(written || reads(p, v->tensor)) || !add_name(arena, known, t->name)) continue;
    declare(out, arena, p->pointwise, v->tensor);
    if (!written)
      text_format(out, "%s = reshape(%s, %s)\n", t->name, of->name, shape_text(arena, p->pointwise, v->tensor));
  }
}

const char *lower_blocks(Arena *arena, const Problem *p, uint32_t count, const LowerPart *parts, const char *note) {
  Lower *l = start(arena, p, parts[0].c, NULL);
  const Pointwise *all = parts[count - 1].p->pointwise;
  Names views = {0};
  add_header(l, note);
  for (uint32_t i = p->pointwise->tensors.count; i < all->tensors.count; i++)
    if (!is_view(parts[count - 1].p, i)) declare(&l->out, arena, all, i);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = arena_format(arena, count > 1 ? "%s_block%u" : "%s_block", block_name(p), i + 1);
    add_views(arena, &l->out, parts[i].p, false, &views);
    text_add(&l->out, block_text(arena, &parts[i], name));
    add_views(arena, &l->out, parts[i].p, true, &views);
  }
  return text_string(&l->out);
}

const char *lower_passes(Arena *arena, const Problem *p, uint32_t count, const LowerPart *parts, const char *note) {
  const LowerPart *last = &parts[count - 1];
  Lower *l = start(arena, last->p, last->c, &last->tiling);
  Names views = {0};
  Text block = text_new(arena);
  l->first_bound = p->pointwise->tensors.count;
  l->bound = arena_array(arena, const char *, last->p->pointwise->tensors.count + 1);
  text_format(&l->out, "\nblock %s_block", block_name(p));
  add_grid(l);
  text_add(&block, text_string(&l->out));
  for (uint32_t i = 0; i < count; i++) {
    Lower *own = start(arena, parts[i].p, parts[i].c, &parts[i].tiling);
    memcpy(own->iterator, l->iterator, sizeof own->iterator);
    own->bound = l->bound, own->first_bound = l->first_bound, own->earlier = l->earlier;
    add_loop(own, &parts[i]);
    l->earlier = own->earlier;
    if (parts[i].c->loop != PROBLEM_NONE) array_push(arena, &l->earlier, own->iterator[parts[i].c->loop]);
    for (uint32_t k = 0; k < parts[i].c->count; k++)
      if (own->text[k]) array_push(arena, &l->earlier, own->text[k]);
    text_add(&block, text_string(&own->out));
  }
  text_add(&block, "end\n");
  Lower *whole = start(arena, p, parts[0].c, NULL);
  add_header(whole, note);
  for (uint32_t i = 0; i < count; i++) add_views(arena, &whole->out, parts[i].p, false, &views);
  text_add(&whole->out, text_string(&block));
  add_views(arena, &whole->out, last->p, true, &views);
  return text_string(&whole->out);
}

/* ---- the problem as it stands ---- */

static bool is_product(const Problem *p, const ProblemNode *n) {
  const ProblemNode *of = &p->nodes.data[n->args[0]];
  if (n->op != PROBLEM_SUM || of->op != PROBLEM_MUL) return false;
  return search_contracts(n->axis, p->nodes.data[of->args[0]].classes, p->nodes.data[of->args[1]].classes);
}

SearchCandidate lower_problem(Arena *arena, const Problem *p) {
  SearchCandidate c = {.loop = PROBLEM_NONE, .count = p->nodes.count};
  c.values = arena_array(arena, SearchValue, p->nodes.count + 1);
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    const ProblemNode *n = &p->nodes.data[i];
    SearchValue v = {.kind = SEARCH_OPERATION,
                     .op = n->op,
                     .axis = n->axis,
                     .detail = n->detail,
                     .count = problem_op_arity(n->op),
                     .stage = SEARCH_BEFORE};
    memcpy(v.args, n->args, sizeof v.args);
    v.fingerprint.elements = n->classes;
    if (!v.count) v.kind = SEARCH_LEAF, v.detail = i;
    if (n->op >= PROBLEM_SUM) v.kind = SEARCH_REDUCE, v.part = FINGERPRINT_ALL;
    if (is_product(p, n)) {
      v.kind = SEARCH_MATMUL, v.count = 2;
      memcpy(v.args, p->nodes.data[n->args[0]].args, sizeof v.args);
    }
    c.values[i] = v;
  }
  for (uint32_t o = 0; o < p->outputs.count && o < SEARCH_MAX_OUTPUTS; o++) c.outputs[o] = p->outputs.data[o].node;
  return c;
}

bool lower_is_kernel(const SearchCandidate *c, const Problem *p, uint32_t value) {
  const SearchValue *v = &c->values[value];
  for (uint32_t o = 0; o < p->outputs.count; o++)
    if (c->outputs[o] == value) return true;
  return v->kind == SEARCH_MATMUL || v->kind == SEARCH_REDUCE;
}

static void declare_temporary(Lower *l, uint32_t i, const char *name) {
  text_format(&l->out, "temporary %s: f32[", name);
  for (uint32_t k = 0; k < l->layout[i].rank; k++)
    text_format(&l->out, "%s%s", k ? ", " : "",
                l->layout[i].axes[k] == PROBLEM_NONE ? "1" : term_text(l->p->tt, l->p->length[l->layout[i].axes[k]]));
  text_add(&l->out, "]\n");
}

const char *lower_operations(Arena *arena, const Problem *p, const SearchCandidate *c, const char *note) {
  Lower *l = start(arena, p, c, NULL);
  Text body = text_new(arena);
  Names views = {0};
  add_header(l, note);
  add_views(arena, &l->out, p, false, &views);
  for (uint32_t i = 0; i < c->count; i++) {
    if (!l->used[i] || !lower_is_kernel(c, p, i)) continue;
    const char *text = value_text(l, i);
    bool is_output = false;
    for (uint32_t o = 0; o < p->outputs.count; o++) {
      const ProblemOutput *out = &p->outputs.data[o];
      const char *name = p->pointwise->tensors.data[out->tensor].name;
      Layout to = {out->rank, {0}};
      if (c->outputs[o] != i) continue;
      memcpy(to.axes, out->axes, to.rank);
      text_format(&body, "%s = %s\n", name, bare(l, convert(l, text, l->layout[i], &to, true)));
      l->layout[i] = to, l->text[i] = text = name, is_output = true;
    }
    if (is_output) continue;
    l->text[i] = NULL;
    l->text[i] = fresh_name(l, arena_format(arena, "T%u", ++l->names));
    declare_temporary(l, i, l->text[i]);
    text_format(&body, "%s = %s\n", l->text[i], bare(l, text));
  }
  add_views(arena, &body, p, true, &views);
  text_format(&l->out, "\n%s", text_string(&body));
  return text_string(&l->out);
}
