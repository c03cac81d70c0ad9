/* The search for numbers at which source and target differ: small sizes, elements from a seed. Both sides are then
 * evaluated, undefined behaviour first; only what the evaluation shows counts. */
#include "refine/internal.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "mlir/floats.h"
#include "refine/evaluate.h"

enum {
  TRIALS = 400,
  EFFORT = 40000000,    /* steps of evaluation */
  MOST_BYTES = 1 << 27, /* of trials in refine_check_execution */
  QUICK_TRIALS = 3,
  QUICK_EFFORT = 4000000,
  TRIALS_ON_NUMBERS = 160,
  TRIALS_OF_PROPOSALS = 4,
  PLACES = 12,
  SHOWN = 12,
  MOST_INPUTS = 64,
  MOST_SIZES = 64,
  SIMPLE_TRIALS = 40,
  GREATEST_SIZE = 4096,
  STEPS = 8,
  GREATEST_STEP = 256
};

static const double NUMBERS_SHARE = 0.5; /* of the time that is left, where a proof is tried behind it */

typedef struct Search {
  RefinePair *pair;
  TermTable *tt;
  Arena *arena;
  Evaluation *e;
  EvaluationInput inputs[MOST_INPUTS + 1];
  uint32_t input_count;
  Random random;
  RefineWitness *witness;
  TermList drawn, numbers; /* symbols that have a number, and it */
  int64_t steps[STEPS];    /* what indices are divided by: tiles, the steps of loops */
  uint32_t step_count;
  TermList limits; /* t <= 0, under which the source may be undefined */
} Search;

/* ---- the arguments ---- */

static Term symbol_of(const TermTable *tt, const MlirValue *v) {
  Term t = v->cell.value;
  while (term_kind(tt, t) == TERM_NOT || term_kind(tt, t) == TERM_EQ) t = term_arg(tt, t, 0);
  return term_kind(tt, t) == TERM_READ ? term_arg(tt, t, 0) : 0;
}

static void describe_inputs(Search *s) {
  const Program *p = s->pair->source.program;
  for (uint32_t i = 0; i < s->pair->argument_count && s->input_count < MOST_INPUTS; i++) {
    const MlirValue *v = &s->pair->arguments[i];
    if (v->kind == MLIR_MEMREF) continue;
    const Type *t = program_get_type(p, v->element);
    s->inputs[s->input_count++] = (EvaluationInput){.symbol = symbol_of(s->tt, v),
                                                    .is_float = t->kind == TYPE_FLOAT,
                                                    .is_index = t->kind == TYPE_INDEX,
                                                    .format = t->format,
                                                    .width = t->kind == TYPE_INDEX ? 64 : t->width};
    const MlirNumber *n = s->pair->source_flags.numbers ? &s->pair->source_flags.numbers[i] : NULL;
    EvaluationInput *input = &s->inputs[s->input_count - 1];
    if (!n || !n->is_set) continue;
    uint64_t bits = input->is_float ? floats_canonical(t->format, program_float_encode(t->format, n->real)) : 0;
    input->is_set = true, input->set = input->is_float ? (Int128)(int64_t)bits : (Int128)n->integer;
  }
  const MlirWorld *world = s->pair->world;
  for (uint32_t i = 0; i < world->memories.count && s->input_count < MOST_INPUTS; i++) {
    const Type *t = world->memories.data[i].element;
    s->inputs[s->input_count++] = (EvaluationInput){.symbol = world->memories.data[i].memory,
                                                    .is_float = t->kind == TYPE_FLOAT,
                                                    .is_index = t->kind == TYPE_INDEX,
                                                    .format = t->format,
                                                    .width = t->kind == TYPE_INDEX ? 64 : t->width};
  }
  s->inputs[s->input_count++] = (EvaluationInput){.symbol = world->heap, .width = 1};
}

static void note_steps(Search *s) {
  TermTable *tt = s->tt;
  for (Term t = 1; t < tt->nodes.count && s->step_count < STEPS; t++) {
    int64_t d;
    if (term_kind(tt, t) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, t, 1), &d) || d < 2 || d > GREATEST_STEP)
      continue;
    uint32_t i = 0;
    while (i < s->step_count && s->steps[i] != d) i++;
    if (i == s->step_count) s->steps[s->step_count++] = d;
  }
}

/* Small, or about as many as a step takes. */
static Int128 size_for(Search *s, uint32_t trial) {
  static const int small[] = {1, 2, 3, 2, 4, 1, 3, 5, 0, 6, 7, 8};
  uint32_t most = trial < SIMPLE_TRIALS ? 4 : 12;
  if (trial > SIMPLE_TRIALS && trial % 4 == 3 && s->step_count && random_below(&s->random, 2))
    return s->steps[random_below(&s->random, s->step_count)] + random_below(&s->random, 3) - 1;
  return small[random_below(&s->random, most)];
}

static uint32_t place_of(const TermList *list, Term t) {
  uint32_t i = 0;
  while (i < list->count && list->data[i] != t) i++;
  return i;
}

static void draw(Search *s, Term t, Int128 value) {
  if (term_kind(s->tt, t) != TERM_SYM) return;
  evaluation_set(s->e, t, value);
  Term number = term_new_rat(s->tt, (Rational){value, 1});
  uint32_t known = place_of(&s->drawn, t);
  if (known < s->drawn.count) {
    s->numbers.data[known] = number;
    return;
  }
  array_push(s->arena, &s->drawn, t);
  array_push(s->arena, &s->numbers, number);
}

/* A stride is a symbol of its own, or a size that has its number. */
static void draw_stride(Search *s, Term t, Int128 value) {
  if (place_of(&s->drawn, t) == s->drawn.count) draw(s, t, value);
}

/* The block of a memref, which may be that of another one, its first place and its strides. */
static void draw_memref(Search *s, uint32_t number, uint32_t trial) {
  const MlirValue *v = &s->pair->arguments[number];
  Int128 stride = 1, size;
  bool apart = trial % 2 == 0;
  draw(s, v->block, apart ? number : random_below(&s->random, 2));
  TermList symbols = {0};
  term_symbols(s->tt, v->offset, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    draw(s, symbols.data[i], apart || trial % 4 == 1 ? 0 : random_below(&s->random, 4));
  for (uint32_t k = v->rank; k-- > 0;) {
    draw_stride(s, v->stride[k], stride);
    if (evaluation_of(s->e, v->extent[k], &size)) stride *= size;
    stride += random_below(&s->random, 3);
  }
}

/* All elements together are as many as an index can say. */
static bool arguments_exist(Search *s) {
  for (uint32_t i = 0; i < s->pair->argument_count; i++) {
    const MlirValue *v = &s->pair->arguments[i];
    Int128 count = 1, size;
    for (uint32_t k = 0; k < v->rank; k++) {
      if (!evaluation_of(s->e, v->extent[k], &size) || size < 0) return false;
      if (size && count > INT64_MAX / size) return false;
      count *= size;
    }
  }
  return true;
}

/* A size has limits, a stride may be negative. */
static bool is_in_range(Search *s, Term symbol, Int128 value) {
  Term lo = term_symbol(s->tt, symbol)->lo, hi = term_symbol(s->tt, symbol)->hi;
  Int128 least, most;
  return (!lo || (evaluation_of(s->e, lo, &least) && least <= value)) &&
         (!hi || (evaluation_of(s->e, hi, &most) && value <= most));
}

static void note_limits(Search *s, Term undefined) {
  TermKind kind = term_kind(s->tt, undefined);
  if (kind == TERM_LE && term_count(s->tt, undefined) == 1)
    array_push(s->arena, &s->limits, term_arg(s->tt, undefined, 0));
  for (uint32_t i = 0; (kind == TERM_AND || kind == TERM_OR) && i < term_count(s->tt, undefined); i++)
    note_limits(s, term_arg(s->tt, undefined, i));
}

/* A size that is too small for the source, where all else has its number, is as large as it asks for. */
static void raise_size(Search *s, Term size) {
  Int128 value, factor, rest;
  Term m, r;
  for (uint32_t i = 0; i < s->limits.count; i++) {
    if (!mlir_linear_in(s->tt, s->limits.data[i], size, &m, &r) || !evaluation_of(s->e, m, &factor) || factor <= 0 ||
        !evaluation_of(s->e, r, &rest) || rest > 0 || !evaluation_of(s->e, size, &value))
      continue;
    Int128 least = -rest / factor + 1;
    if (value < least && least <= GREATEST_SIZE) draw(s, size, least);
  }
}

/* A size; those that the source makes equal to others follow. */
static bool draw_sizes(Search *s, uint32_t trial) {
  for (uint32_t i = 0; i < s->pair->argument_count; i++) {
    const MlirValue *v = &s->pair->arguments[i];
    for (uint32_t k = 0; k < v->rank; k++) draw(s, v->extent[k], size_for(s, trial));
  }
  for (uint32_t i = 0; i < s->pair->argument_count && trial > SIMPLE_TRIALS && trial % 2; i++)
    for (uint32_t k = 0; k < s->pair->arguments[i].rank; k++)
      if (term_kind(s->tt, s->pair->arguments[i].extent[k]) == TERM_SYM) raise_size(s, s->pair->arguments[i].extent[k]);
  for (uint32_t i = 0; i < s->pair->argument_count; i++)
    if (s->pair->arguments[i].kind == MLIR_MEMREF) draw_memref(s, i, trial);
  for (uint32_t i = s->pair->from.count; i-- > 0;) { /* the last were put in first */
    Int128 value;
    if (!evaluation_of(s->e, s->pair->to.data[i], &value) || !is_in_range(s, s->pair->from.data[i], value))
      return false;
    draw(s, s->pair->from.data[i], value);
  }
  return arguments_exist(s);
}

/* ---- texts ---- */

static const char *show(Search *s, const Program *p, TypeId element, Int128 v) {
  const Type *t = program_get_type(p, element);
  if (t->kind == TYPE_FLOAT) {
    double d = program_float_decode(t->format, (uint64_t)v);
    int digits = t->format == FLOAT_F64 ? 17 : t->format == FLOAT_F32 ? 9 : 6;
    if (d != d) return "nan";
    return arena_format(s->arena, "%.*g", digits, d);
  }
  if (t->kind == TYPE_INT && t->width == 1) return v ? "true" : "false";
  return arena_format(s->arena, "%lld", (long long)v);
}

typedef struct Shape {
  Int128 size[MLIR_RANK];
  Int128 count;
} Shape;

static bool shape_of(Search *s, const MlirValue *v, Shape *out) {
  out->count = 1;
  for (uint32_t k = 0; k < v->rank; k++) {
    if (!evaluation_of(s->e, v->extent[k], &out->size[k]) || out->size[k] < 0) return false;
    if (out->size[k] && out->count > ((Int128)1 << 62) / out->size[k]) return false;
    out->count *= out->size[k];
  }
  return true;
}

static void place(Search *s, const MlirValue *v, const Shape *shape, Int128 flat, Int128 *index) {
  for (uint32_t k = v->rank; k-- > 0;) {
    index[k] = shape->size[k] ? flat % shape->size[k] : 0;
    flat = shape->size[k] ? flat / shape->size[k] : 0;
    evaluation_set(s->e, v->index[k], index[k]);
  }
}

static const char *element_text(Search *s, const Program *p, const MlirValue *v) {
  Int128 poison, value;
  if (!evaluation_of(s->e, v->cell.poison, &poison)) return "?";
  if (poison) return "poison";
  double number;
  if (s->pair->real && program_get_type(p, v->element)->kind == TYPE_FLOAT)
    return evaluation_real_of(s->e, v->cell.value, &number) ? arena_format(s->arena, "%.9g", number) : "?";
  return evaluation_of(s->e, v->cell.value, &value) ? show(s, p, v->element, value) : "?";
}

static const char *value_text(Search *s, const Program *p, const MlirValue *v) {
  Text text = text_new(s->arena);
  Shape shape;
  Int128 index[MLIR_RANK];
  if (v->kind == MLIR_NONE || v->kind == MLIR_MEMREF) return "?";
  if (v->kind == MLIR_SCALAR) return element_text(s, p, v);
  if (!shape_of(s, v, &shape)) return "?";
  for (uint32_t k = 0; k < v->rank; k++) text_format(&text, "%lldx", (long long)shape.size[k]);
  text_add(&text, v->rank ? ": [" : "[");
  for (Int128 i = 0; i < shape.count && i < SHOWN; i++) {
    place(s, v, &shape, i, index);
    text_format(&text, "%s%s", i ? ", " : "", element_text(s, p, v));
  }
  text_add(&text, shape.count > SHOWN ? ", ..]" : "]");
  return text_string(&text);
}

/* ---- the trace ---- */

static const char *op_line(Search *s, const Program *p, OpId id) {
  const Op *op = program_get_op(p, id);
  LineColumn at = source_locate(p->source, op->span.begin);
  const char *name = intern_string(p->names, op->name);
  if (!op->result_count) return arena_format(s->arena, "%s:%u: %s", p->source->name, at.line, name);
  return arena_format(s->arena, "%s:%u: %%%s = %s", p->source->name, at.line,
                      intern_string(p->names, program_get_value(p, op->first_result)->name), name);
}

static bool among(const char *const *texts, uint32_t count, const char *text) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(texts[i], text)) return true;
  return false;
}

/* Sizes and places: what differs there, shows in a tensor. */
static bool is_size(const Program *p, const Op *op) {
  return program_value_type(p, op->first_result)->kind == TYPE_INDEX;
}

/* The values of both sides, operation by operation, up to the first that the other side does not have. */
static void trace_side(Search *s, const MlirRun *run, const char *side, const char *const *others, uint32_t count,
                       const char **own, uint32_t *own_count, bool speak) {
  const Program *p = run->program;
  for (uint32_t i = 0; i < run->steps.count; i++) {
    const Op *op = program_get_op(p, run->steps.data[i].op);
    Int128 undefined = 0;
    bool known = evaluation_of(s->e, run->steps.data[i].ub, &undefined);
    if (known && undefined) {
      if (speak)
        array_push(s->arena, &s->witness->lines,
                   arena_format(s->arena, "%s: %s: undefined behaviour", side, op_line(s, p, run->steps.data[i].op)));
      return;
    }
    if (!op->result_count || run->values[op->first_result].kind == MLIR_MEMREF) continue;
    const char *text = value_text(s, p, &run->values[op->first_result]);
    if (own) own[(*own_count)++] = text;
    if (!speak || !op->operand_count || is_size(p, op) || among(others, count, text)) continue;
    array_push(s->arena, &s->witness->lines,
               arena_format(s->arena, "%s: %s: %s", side, op_line(s, p, run->steps.data[i].op), text));
    return;
  }
}

static long long number_of(Search *s, Term t) {
  Int128 value;
  return evaluation_of(s->e, t, &value) ? (long long)value : -1;
}

/* What a memref holds, at the end of a run or (NULL) before it, as a tensor. Its type is one of `owner`. */
static MlirValue contents(Search *s, const Program *owner, const MlirValue *ref, const MlirRun *run) {
  MlirValue v = *ref;
  const RefinePair *pair = s->pair;
  const MlirMemory before = {0};
  const Program *p = run ? run->program : owner;
  v.kind = MLIR_TENSOR;
  for (uint32_t k = 0; k < v.rank; k++) v.index[k] = term_symbol_fresh(s->tt, "i", SORT_INT, SYMBOL_INDEX);
  v.cell = mlir_memory_at(pair->world, run ? &run->memory : &before, p, mlir_memory_type(pair->world, owner, v.element),
                          v.block, mlir_address(s->tt, &v, v.index));
  return v;
}

static void write_arguments(Search *s) {
  const Program *p = s->pair->source.program;
  const Op *op = program_get_op(p, s->pair->source.function->op);
  const Block *entry = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  for (uint32_t i = 0; i < s->pair->argument_count; i++) {
    const MlirValue *v = &s->pair->arguments[i];
    MlirValue held = v->kind == MLIR_MEMREF ? contents(s, p, v, NULL) : *v;
    const char *name = program_arg_name(p, entry->first_arg + i), *text = value_text(s, p, &held);
    Int128 block;
    if (v->kind == MLIR_MEMREF && evaluation_of(s->e, v->block, &block))
      text = arena_format(s->arena, "%s in block %lld at %lld", text, (long long)block, number_of(s, v->offset));
    if (v->kind == MLIR_SCALAR)
      array_push(s->arena, &s->witness->scalars, (RefineName){name, text});
    else
      array_push(s->arena, &s->witness->inputs, (RefineName){name, text});
    for (uint32_t k = 0; k < v->rank; k++) {
      Int128 size;
      if (term_kind(s->tt, v->extent[k]) != TERM_SYM || !evaluation_of(s->e, v->extent[k], &size)) continue;
      array_push(s->arena, &s->witness->sizes,
                 (RefineName){term_name(s->tt, v->extent[k]), arena_format(s->arena, "%lld", (long long)size)});
    }
  }
}

static void write_witness(Search *s) {
  const MlirRun *source = &s->pair->source, *target = &s->pair->target;
  write_arguments(s);
  uint32_t counts[2] = {0, 0};
  const char **texts[2];
  for (int k = 0; k < 2; k++) {
    const MlirRun *run = k ? target : source;
    texts[k] = arena_array(s->arena, const char *, run->steps.count + s->pair->argument_count + 1);
    trace_side(s, run, "", NULL, 0, texts[k], &counts[k], false);
    for (uint32_t i = 0; i < s->pair->argument_count; i++)
      texts[k][counts[k]++] = value_text(s, source->program, &s->pair->arguments[i]);
  }
  trace_side(s, source, "source", texts[1], counts[1], NULL, NULL, true);
  trace_side(s, target, "target", texts[0], counts[0], NULL, NULL, true);
}

/* ---- one trial ---- */

static RefineWitness *new_witness(Search *s, const char *result, const char *left, const char *right) {
  s->witness = arena_new(s->arena, RefineWitness);
  s->witness->result = result, s->witness->left = left, s->witness->right = right;
  return s->witness;
}

/* Numbers that are no rounding apart. */
static bool real_differs(Search *s, Term a, Term b) {
  double x, y;
  if (!evaluation_real_of(s->e, a, &x) || !evaluation_real_of(s->e, b, &y)) return false;
  return x != y && fabs(x - y) > 1e-6 * (1 + fabs(x) + fabs(y));
}

static bool value_differs(Search *s, const MlirValue *a, const MlirValue *b) {
  Int128 value[2];
  if (a->cell.value == b->cell.value) return false;
  if (s->pair->real && program_get_type(s->pair->source.program, a->element)->kind == TYPE_FLOAT)
    return real_differs(s, a->cell.value, b->cell.value);
  return evaluation_of(s->e, a->cell.value, &value[0]) && evaluation_of(s->e, b->cell.value, &value[1]) &&
         value[0] != value[1];
}

static bool differs_at(Search *s, const char *what, const MlirValue *a, const MlirValue *b, const Shape *shape,
                       Int128 flat) {
  const RefinePair *pair = s->pair;
  Int128 index[MLIR_RANK], poison[2];
  place(s, a, shape, flat, index);
  for (uint32_t k = 0; k < b->rank; k++) evaluation_set(s->e, b->index[k], index[k]);
  if (!evaluation_of(s->e, a->cell.poison, &poison[0]) || poison[0]) return false;
  if (!evaluation_of(s->e, b->cell.poison, &poison[1])) return false;
  if (!poison[1] && !value_differs(s, a, b)) return false;
  const char *left = element_text(s, pair->source.program, a);
  MlirValue other = *b;
  other.element = a->element;
  const char *right = element_text(s, pair->source.program, &other);
  new_witness(s, what, left, right);
  for (uint32_t k = 0; k < a->rank; k++)
    array_push(s->arena, &s->witness->index,
               (RefineName){arena_format(s->arena, "i%u", k), arena_format(s->arena, "%lld", (long long)index[k])});
  return true;
}

static bool differs_in_some(Search *s, const char *what, const MlirValue *a, const MlirValue *b, const Shape *shape) {
  Int128 count = shape->count;
  for (uint32_t i = 0; i < PLACES && count; i++) {
    Int128 flat = count <= PLACES ? i
                  : i == 0        ? 0
                  : i == 1        ? count - 1
                                  : (Int128)random_below(&s->random, (uint64_t)count);
    if (flat >= count) break;
    if (differs_at(s, what, a, b, shape, flat)) return true;
  }
  return false;
}

/* Memory afterwards, at the elements of an argument or global. */
static bool differs_in_memory(Search *s, const char *name, const MlirValue *ref) {
  const Program *p = s->pair->source.program;
  MlirValue a = contents(s, p, ref, &s->pair->source), b = contents(s, p, ref, &s->pair->target);
  Shape shape;
  if (a.cell.value == b.cell.value && a.cell.poison == b.cell.poison) return false;
  return shape_of(s, &a, &shape) && differs_in_some(s, arena_format(s->arena, "what %s holds", name), &a, &b, &shape);
}

static bool differs_outside(Search *s) {
  const RefinePair *pair = s->pair;
  const Program *p = pair->source.program;
  const Op *op = program_get_op(p, pair->source.function->op);
  const Block *entry = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  for (uint32_t i = 0; i < pair->argument_count; i++)
    if (pair->arguments[i].kind == MLIR_MEMREF &&
        differs_in_memory(s, arena_format(s->arena, "%%%s", program_arg_name(p, entry->first_arg + i)),
                          &pair->arguments[i]))
      return true;
  const char *name;
  MlirValue v;
  for (uint32_t i = 0; mlir_global_at(pair->world, p, i, &name, &v); i++)
    if (v.kind == MLIR_MEMREF && refine_global_is_seen(pair, p, name, &v) &&
        differs_in_memory(s, arena_format(s->arena, "@%s", name), &v))
      return true;
  return false;
}

/* A new block that is returned: what it holds; another one: where it is. */
static bool differs_in_place(Search *s, const char *what, const MlirValue *a, const MlirValue *b, const Shape *shape) {
  Int128 block[2], offset[2];
  if (!evaluation_of(s->e, a->block, &block[0]) || !evaluation_of(s->e, b->block, &block[1]) ||
      !evaluation_of(s->e, a->offset, &offset[0]) || !evaluation_of(s->e, b->offset, &offset[1]))
    return false;
  bool is_local[2] = {block[0] >= MLIR_LOCAL, block[1] >= MLIR_LOCAL};
  if (is_local[0] != is_local[1] || (!is_local[0] && block[0] != block[1]) || offset[0] != offset[1]) {
    for (int i = 0; i < 2; i++)
      if (is_local[i]) block[i] = -1;
    const char *texts[2];
    for (int i = 0; i < 2; i++)
      texts[i] = is_local[i] ? "a new block"
                             : arena_format(s->arena, "block %lld at %lld", (long long)block[i], (long long)offset[i]);
    if (is_local[0] && is_local[1]) return false;
    new_witness(s, what, texts[0], texts[1]);
    return true;
  }
  if (!is_local[0]) return false;
  Int128 freed[2];
  for (int i = 0; i < 2; i++) {
    const MlirMemory *memory = i ? &s->pair->target.memory : &s->pair->source.memory;
    Term dead = mlir_memory_any(s->pair->world, &memory->dead, i ? b->block : a->block);
    if (!evaluation_of(s->e, dead, &freed[i]) || (!i && freed[0])) return false;
  }
  if (freed[1]) {
    new_witness(s, what, "a block", "a block that is freed");
    return true;
  }
  MlirValue x = contents(s, s->pair->source.program, a, &s->pair->source),
            y = contents(s, s->pair->target.program, b, &s->pair->target);
  return differs_in_some(s, what, &x, &y, shape);
}

static bool differs(Search *s, uint32_t r) {
  const MlirValue *a = &s->pair->source.results[r], *b = &s->pair->target.results[r];
  Shape shapes[2];
  if (a->kind != b->kind || a->rank != b->rank || !shape_of(s, a, &shapes[0]) || !shape_of(s, b, &shapes[1]))
    return false;
  for (uint32_t k = 0; k < a->rank; k++)
    if (shapes[0].size[k] != shapes[1].size[k]) {
      new_witness(s, arena_format(s->arena, "size %u of result %u", k, r + 1),
                  arena_format(s->arena, "%lld", (long long)shapes[0].size[k]),
                  arena_format(s->arena, "%lld", (long long)shapes[1].size[k]));
      return true;
    }
  const char *what = arena_format(s->arena, "result %u", r + 1);
  if (a->kind == MLIR_MEMREF) return differs_in_place(s, what, a, b, &shapes[0]);
  return differs_in_some(s, what, a, b, &shapes[0]);
}

/* A tensor that exists has a size that is an index: what only the target makes, and is more, refutes nothing. */
static bool sizes_exist(Search *s) {
  const TermList *lists[2] = {&s->pair->source.sizes, &s->pair->target.sizes};
  Int128 holds;
  for (int k = 0; k < 2; k++)
    for (uint32_t i = 0; i < lists[k]->count; i++)
      if (!evaluation_of(s->e, lists[k]->data[i], &holds) || !holds) return false;
  return true;
}

static bool shows_difference(Search *s) {
  Int128 undefined;
  if (!sizes_exist(s)) return false;
  if (!evaluation_of(s->e, s->pair->source.ub, &undefined) || undefined) return false;
  bool known = evaluation_of(s->e, s->pair->target.ub, &undefined);
  if (known && undefined && s->pair->target.stays_inside) return false;
  if (known && undefined) {
    new_witness(s, "the target is undefined", "defined", "undefined behaviour");
    return true;
  }
  if (!known) return false;
  for (uint32_t r = 0; r < s->pair->source.result_count; r++)
    if (differs(s, r)) return true;
  return differs_outside(s);
}

/* ---- executed again, on numbers: loops iteration by iteration */

static Term with_numbers(Search *s, Term t) {
  return t ? term_substitute(s->tt, t, (TermMap){s->drawn.count, s->drawn.data, s->numbers.data}) : t;
}

/* Integers among the arguments. */
static void draw_integers(Search *s) {
  for (uint32_t i = 0; i < s->pair->argument_count; i++) {
    const MlirValue *v = &s->pair->arguments[i];
    Int128 value;
    bool is_float = program_get_type(s->pair->source.program, v->element)->kind == TYPE_FLOAT;
    if (v->kind != MLIR_SCALAR || is_float || !evaluation_of(s->e, v->cell.value, &value)) continue;
    Term symbol = v->cell.value;
    while (term_kind(s->tt, symbol) == TERM_NOT || term_kind(s->tt, symbol) == TERM_EQ)
      symbol = term_arg(s->tt, symbol, 0);
    array_push(s->arena, &s->drawn, symbol);
    array_push(s->arena, &s->numbers, term_new_rat(s->tt, (Rational){value, 1}));
  }
}

static MlirValue *concrete_arguments(Search *s) {
  MlirValue *out = arena_array(s->arena, MlirValue, s->pair->argument_count + 1);
  for (uint32_t i = 0; i < s->pair->argument_count; i++) {
    out[i] = s->pair->arguments[i];
    out[i].cell.value = with_numbers(s, out[i].cell.value);
    out[i].block = with_numbers(s, out[i].block), out[i].offset = with_numbers(s, out[i].offset);
    out[i].base = with_numbers(s, out[i].base);
    for (uint32_t k = 0; k < out[i].rank; k++) {
      out[i].extent[k] = with_numbers(s, out[i].extent[k]);
      if (out[i].kind == MLIR_MEMREF) out[i].stride[k] = with_numbers(s, out[i].stride[k]);
    }
    out[i].region = (MlirRegion){with_numbers(s, out[i].region.block), with_numbers(s, out[i].region.begin),
                                 with_numbers(s, out[i].region.end)};
  }
  return out;
}

/* The arguments of a trial as numbers; NULL: there are no such. */
static MlirValue *draw_arguments(Search *s, uint32_t n) {
  evaluation_begin(s->e, n, n % 3 == 2);
  s->drawn.count = s->numbers.count = 0;
  if (!draw_sizes(s, n)) return NULL;
  draw_integers(s);
  return concrete_arguments(s);
}

static MlirRun run_on_numbers(Search *s, const Program *p, const Function *f, const MlirValue *arguments,
                              MlirFlags flags) {
  flags.unrolls = true;
  return mlir_execute(s->arena, s->pair->world, p, f, arguments, flags, NULL);
}

/* True unless all parts of affine maps are an index at these numbers: elsewhere lowerings differ. */
static bool leaves_index(Search *s) {
  RefinePair *pair = s->pair;
  const MlirRun *runs[2] = {&pair->source, &pair->target};
  const MlirFlags *flags[2] = {&pair->source_flags, &pair->target_flags};
  const Function *functions[2] = {pair->source_function, pair->target_function};
  if (!runs[0]->leaves_index && !runs[1]->leaves_index) return false;
  draw_integers(s);
  MlirValue *arguments = concrete_arguments(s);
  for (int k = 0; k < 2; k++) {
    MlirFlags own = *flags[k];
    Int128 undefined;
    own.stays_index = true;
    if (!runs[k]->leaves_index) continue;
    MlirRun run = run_on_numbers(s, runs[k]->program, functions[k], arguments, own);
    if (run.stop_code || !evaluation_of(s->e, run.ub, &undefined) || undefined) return true;
  }
  return false;
}

static bool trial_on_numbers(Search *s, uint32_t n) {
  RefinePair *pair = s->pair;
  MlirValue *arguments = draw_arguments(s, n);
  if (!arguments) return false;
  pair->source = run_on_numbers(s, pair->source.program, pair->source_function, arguments, pair->source_flags);
  if (pair->source.stop_code || pair->source.ub == s->tt->true_) return false;
  pair->target = run_on_numbers(s, pair->target_program, pair->target_function, arguments, pair->target_flags);
  return !pair->target.stop_code && shows_difference(s) && !leaves_index(s);
}

/* The same on terms. */
static bool trial(Search *s, uint32_t n) {
  evaluation_begin(s->e, n, n % 3 == 2);
  s->drawn.count = s->numbers.count = 0;
  return draw_sizes(s, n) && shows_difference(s) && !leaves_index(s);
}

static Search *new_search(RefinePair *pair) {
  Search *s = arena_new(pair->arena, Search);
  *s = (Search){.pair = pair, .tt = pair->tt, .arena = pair->arena, .random = {.state = 7}};
  describe_inputs(s);
  note_steps(s);
  s->e = evaluation_new(pair->arena, pair->tt, s->input_count, s->inputs);
  return s;
}

typedef struct Trials {
  Search *search;
  bool found;
} Trials;

static void try_on_numbers(void *payload) {
  Trials *t = payload;
  uint64_t most = evaluation_effort(t->search->e) + EFFORT;
  for (uint32_t n = 0; n < TRIALS_ON_NUMBERS && !t->found && evaluation_effort(t->search->e) < most; n++)
    t->found = trial_on_numbers(t->search, n);
}

const RefineWitness *refine_counterexample(RefinePair *pair, bool quick) {
  if (pair->argument_count > MOST_INPUTS) return NULL;
  Search *s = new_search(pair);
  if (pair->reassociate || pair->real) evaluation_simplify(s->e);
  bool found = false, loops = !quick && (pair->source.has_loops || pair->target.has_loops);
  uint32_t trials = quick ? QUICK_TRIALS : TRIALS;
  bool executed = !pair->source.stop_code && pair->target.function && !pair->target.stop_code;
  if (executed) note_limits(s, pair->source.ub);
  uint64_t most = quick ? QUICK_EFFORT : EFFORT;
  for (uint32_t n = 0; n < trials && !found && executed && evaluation_effort(s->e) < most; n++) found = trial(s, n);
  RefinePair own = *pair; /* which is executed again */
  s->pair = &own;
  Trials trials_on_numbers = {s, found};
  if (!found && loops) term_attempt(pair->tt, executed ? NUMBERS_SHARE : 1, try_on_numbers, &trials_on_numbers);
  if (!trials_on_numbers.found) return NULL;
  write_witness(s);
  return s->witness;
}

/* ---- values that the solver proposes */

/* Where the two differ under the facts, a float of this format, or NULL: true if the difference is seen there. What is
 * read of an input is what all its elements are. */
static bool differs_where_solver_says(Search *s, Term x, Term y, const char *format) {
  SolveValues found = {0};
  SolveQuestion question = {x, y, format, s->pair->real ? SOLVE_INTEGERS : SOLVE_IEEE, 0.3};
  if (x == y || !solve_bits_apart(s->tt, &question, &found)) return false;
  for (uint32_t n = 0; n < TRIALS_OF_PROPOSALS; n++) {
    evaluation_begin(s->e, n, false);
    for (uint32_t i = 0; i < found.count; i++) {
      Term t = found.data[i].term, symbol = term_kind(s->tt, t) == TERM_READ ? term_arg(s->tt, t, 0) : t;
      Int128 value = found.data[i].value;
      for (uint32_t k = 0; k < s->input_count; k++)
        if (s->inputs[k].symbol == symbol && s->inputs[k].is_float)
          value = (int64_t)floats_canonical(s->inputs[k].format, (uint64_t)value);
      evaluation_force(s->e, symbol, value);
    }
    s->drawn.count = s->numbers.count = 0;
    if (draw_sizes(s, n) && shows_difference(s) && !leaves_index(s)) return true;
  }
  return false;
}

static bool differs_by_solver(Search *s) {
  RefinePair *pair = s->pair;
  TermTable *tt = s->tt;
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_not(tt, pair->source.ub));
  bool found = differs_where_solver_says(s, pair->target.ub, tt->false_, NULL);
  for (uint32_t r = 0; r < pair->source.result_count && !found; r++) {
    const MlirValue *a = &pair->source.results[r], *b = &pair->target.results[r];
    if (a->kind != b->kind || a->rank != b->rank || (a->kind != MLIR_SCALAR && a->kind != MLIR_TENSOR)) continue;
    const Type *element = program_get_type(pair->source.program, a->element);
    Cell own = mlir_at(tt, a, a->index), other = mlir_at(tt, b, a->index);
    term_push_fact(tt, term_not(tt, own.poison));
    found = differs_where_solver_says(s, other.poison, tt->false_, NULL) ||
            differs_where_solver_says(s, own.value, other.value,
                                      element->kind == TYPE_FLOAT ? program_float_name(element->format) : NULL);
  }
  term_pop_facts(tt, facts);
  return found;
}

const RefineWitness *refine_ask_for_counterexample(RefinePair *pair) {
  if (pair->argument_count > MOST_INPUTS) return NULL;
  Search *s = new_search(pair);
  if (pair->real || pair->reassociate || !differs_by_solver(s)) return NULL;
  write_witness(s);
  return s->witness;
}

const RefineWitness *refine_check_execution(RefinePair *pair, uint32_t trials, uint32_t *executed) {
  Search *s = new_search(pair);
  const MlirRun closed = pair->source;
  *executed = 0, pair->target_program = closed.program;
  size_t most = s->arena->guard->bytes + MOST_BYTES; /* what each trial makes is kept */
  for (uint32_t n = 0; n < trials && s->arena->guard->bytes < most; n++) {
    MlirValue *arguments = draw_arguments(s, n);
    if (!arguments) continue;
    MlirRun run = run_on_numbers(s, closed.program, pair->source_function, arguments, pair->source_flags);
    if (run.stop_code) continue;
    ++*executed;
    for (int way = 0; way < 2; way++) {
      pair->source = way ? run : closed, pair->target = way ? closed : run;
      if (!shows_difference(s)) continue;
      write_witness(s);
      return s->witness;
    }
  }
  return NULL;
}
