/* Random evaluation (see sample.h).
 *
 * One trial: draw a launch, run the interpreter, look at some elements of each output. Which elements: the first and
 * the last of the buffer, those on both sides of where written elements begin or end, and random ones, in order, so
 * that a fold over a row is computed once for all elements of the row that are looked at. An element's indices follow
 * from its offset, since the strides of an output are injective.
 *
 * Both sides are sums of rounded doubles, and a correct formula may be badly conditioned where it is looked at. So a
 * difference counts only if it is more than what a relative change of 1e-9 of the inputs does to the formula there. In
 * launches whose values are small dyadic numbers (to meet ties) decisions are exact, and nothing is excused. */
#include "sample/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/sample_internal.h"

enum {
  MOST_OFFSETS = 48,
  MOST_READS = 30000,
  MOST_INPUTS = 12,
  MOST_GROWTHS = 6,
  MOST_TAMED = 12,
  SCARCE = 4,
  MOST_BEFORE_PROOF = 2048,
  MOST_STEPS = 4000000,
  MOST_STEPS_AT_LAST = 60000000
};
static const double tolerance = 1e-9, other_roundings = 0x1p-48,
                    tolerance_of_bits = 1e-6; /* the bits of an f32 are those of a real that was rounded */

typedef enum Outcome {
  TRIAL_COMPARED,
  TRIAL_UNDEFINED,
  TRIAL_REJECTED,
  TRIAL_MISMATCH,
  TRIAL_UNSUPPORTED,
  TRIAL_NEEDS_LANES
} Outcome;

typedef struct Trial {
  Sampler *s;
  InterpretBuffer *buffers;
  int32_t grid[3];
  InterpretResult run;
  uint32_t compared, undefined, excused;
  double noise;   /* of InterpretOptions */
  bool is_beside; /* it has a store beside its row */
  double worst;
} Trial;

/* ---- evaluation of the terms ---- */

static SampleTensor *find_tensor(const Sampler *s, Term symbol, uint32_t *number) {
  for (uint32_t i = 0; i < s->tensors.count; i++)
    if (s->tensors.data[i].view && s->tensors.data[i].view->symbol == symbol) {
      *number = i;
      return &s->tensors.data[i];
    }
  return NULL;
}

static const char *cell_text(Sampler *s, const SampleTensor *t, InterpretCell cell) {
  return t->is_float ? arena_format(s->arena, "%.17g", cell.real)
                     : arena_format(s->arena, "%lld", (long long)cell.integer);
}

static void record_read(Sampler *s, const SampleTensor *t, const int64_t *index, InterpretCell cell) {
  Text name = text_new(s->arena);
  SamplePairs *inputs = &s->recording->inputs;
  text_add(&name, t->view->name);
  for (uint32_t k = 0; k < t->view->rank; k++) text_format(&name, "%s%lld", k ? ", " : "[", (long long)index[k]);
  if (t->view->rank) text_char(&name, ']');
  for (uint32_t i = 0; i < inputs->count; i++)
    if (!strcmp(inputs->data[i].name, text_string(&name))) return;
  if (inputs->count < MOST_INPUTS)
    array_push(s->arena, inputs, (SamplePair){text_string(&name), cell_text(s, t, cell)});
  else if (inputs->count == MOST_INPUTS)
    array_push(s->arena, inputs, (SamplePair){"...", ""});
}

/* In [-1, 1], the same for the same element. */
static double noise_of(const Sampler *s, uint64_t place) {
  return (double)(random_mix(place * 0x9E3779B97F4A7C15u + s->noise) >> 11) * 0x1p-52 - 1;
}

static TermValue read_element(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  Sampler *s = payload;
  uint32_t number = 0;
  const SampleTensor *t = find_tensor(s, tensor, &number);
  int64_t offset = 0;
  s->reads++;
  if (!t) return (TermValue){.real = NAN};
  for (uint32_t k = 0; k < count && k < t->view->rank; k++) {
    if (index[k] < -(1 << 28) || index[k] > 1 << 28) return (TermValue){.real = NAN};
    if (index[k] < 0 || index[k] >= t->extent[k]) s->strayed |= SAMPLE_BIT(t->view - s->pointwise->tensors.data);
    offset += index[k] * t->stride[k];
  }
  if (offset < 0 || offset >= t->count) return (TermValue){.real = NAN};
  InterpretCell cell = t->before[offset];
  if (s->recording) record_read(s, t, index, cell);
  if (!t->is_float) return (TermValue){(double)cell.integer, cell.integer};
  if (s->perturbed) cell.real *= 1 + SAMPLE_PERTURBATION * noise_of(s, ((uint64_t)number << 40) + (uint64_t)offset);
  return (TermValue){.real = cell.real};
}

TermEval *sample_new_eval(Sampler *s) {
  TermEval *eval = term_eval_new(s->tt, s->arena, read_element, s);
  for (uint32_t i = 0; i < s->variables.count; i++) {
    int64_t value = s->variables.data[i].value;
    term_eval_set(eval, s->variables.data[i].symbol, (TermValue){(double)value, value});
  }
  for (uint32_t i = 0; i < s->ex->params.count; i++) {
    const Param *param = &s->ex->params.data[i];
    if (param->is_pointer || term_sort(s->tt, param->symbol) != SORT_REAL) continue;
    double value = s->scalars[i];
    if (s->perturbed) value *= 1 + SAMPLE_PERTURBATION * noise_of(s, ~(uint64_t)i);
    term_eval_set(eval, param->symbol, (TermValue){.real = value});
  }
  return eval;
}

static int64_t wrap_to(uint32_t bits, int64_t v) {
  if (bits == 1) return v & 1;
  return bits >= 64 ? v : (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

static TermValue combine(TermFoldOp op, TermValue a, TermValue b, bool is_float) {
  bool by_reals = is_float || isinf(a.real) || isinf(b.real); /* a fold over nothing is infinite */
  bool greater = by_reals ? a.real > b.real : a.integer > b.integer;
  TermValue max = greater ? a : b, min = greater ? b : a;
  int64_t n = 0;
  switch (op) {
  case FOLD_SUM: return (TermValue){a.real + b.real, (int64_t)((uint64_t)a.integer + (uint64_t)b.integer)};
  case FOLD_PROD: return (TermValue){a.real * b.real, (int64_t)((uint64_t)a.integer * (uint64_t)b.integer)};
  case FOLD_MAX: return max;
  case FOLD_MIN: return min;
  case FOLD_ANY: n = a.integer | b.integer; break;
  case FOLD_ALL: n = a.integer & b.integer; break;
  case FOLD_XOR: n = a.integer ^ b.integer; break;
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: return (TermValue){.real = NAN};
  }
  return (TermValue){(double)n, n};
}

typedef enum Place { PLACE_OUTSIDE, PLACE_ACCUMULATED, PLACE_ASSIGNED } Place;

/* The value that the pieces leave at the index that `eval` has. An element that pieces only accumulate into need not be
 * written: what is combined with it may be nothing. */
static Place formula_value(Sampler *s, TermEval *eval, const PointwiseOutput *output, const SampleTensor *t,
                           int64_t offset, InterpretCell *out) {
  InterpretCell old = t->before[offset];
  TermValue value = t->is_float ? (TermValue){.real = old.real} : (TermValue){(double)old.integer, old.integer};
  Place place = PLACE_OUTSIDE;
  for (uint32_t i = 0; i < output->pieces.count; i++) {
    const PointwisePiece *piece = &output->pieces.data[i];
    if (piece->region != s->tt->true_ && !term_eval(eval, piece->region).integer) continue;
    TermValue v = term_eval(eval, piece->value);
    value = piece->accumulate ? combine((TermFoldOp)(piece->accumulate - 1), value, v, t->is_float) : v;
    if (place != PLACE_ASSIGNED) place = piece->accumulate ? PLACE_ACCUMULATED : PLACE_ASSIGNED;
  }
  if (t->is_float)
    out->real = value.real;
  else
    out->integer = wrap_to(t->bits, value.integer);
  return place;
}

/* ---- elements ---- */

/* The axes from the greatest stride down: a mixed radix, as the strides are injective. */
static bool decode_offset(const SampleTensor *t, int64_t offset, int64_t *index) {
  bool done[POINTWISE_MAX_RANK] = {0};
  for (uint32_t n = 0; n < t->view->rank; n++) {
    uint32_t best = POINTWISE_MAX_RANK;
    for (uint32_t k = 0; k < t->view->rank; k++)
      if (!done[k] &&
          (best == POINTWISE_MAX_RANK || t->stride[k] * (t->extent[k] > 1) > t->stride[best] * (t->extent[best] > 1)))
        best = k;
    done[best] = true;
    index[best] = 0;
    if (t->extent[best] <= 1) continue;
    index[best] = offset / t->stride[best];
    if (index[best] >= t->extent[best]) return false;
    offset %= t->stride[best];
  }
  return offset == 0;
}

static void set_index(TermEval *eval, const PointwiseOutput *output, const int64_t *index, const int64_t *last) {
  for (uint32_t k = 0; k < output->rank; k++)
    if (!last || last[k] != index[k]) term_eval_set(eval, output->index[k], (TermValue){(double)index[k], index[k]});
}

static int compare_offsets(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Of the elements that are known: what a lane wrote that was not computed is not. */
static uint32_t choose_offsets(Sampler *s, const InterpretBuffer *buffer, int64_t *offsets) {
  uint32_t count = 0, edges = 0;
  int64_t known = 0, *places = arena_alloc(s->arena, sizeof *places * ((size_t)buffer->count + 1));
  for (int64_t i = 0; i < buffer->count; i++)
    if (!(buffer->shadow[i] & INTERPRET_UNSEEN)) places[known++] = i;
  if (known <= MOST_OFFSETS) {
    for (int64_t i = 0; i < known; i++) offsets[i] = places[i];
    return (uint32_t)known;
  }
  offsets[count++] = places[0], offsets[count++] = places[known - 1];
  for (int64_t i = 1; i < known && edges < 10; i++)
    if ((buffer->shadow[places[i]] ^ buffer->shadow[places[i - 1]]) & INTERPRET_WRITTEN) {
      offsets[count++] = places[i - 1], offsets[count++] = places[i];
      edges++;
    }
  while (count < MOST_OFFSETS) offsets[count++] = places[random_below(&s->random, (uint64_t)known)];
  qsort(offsets, count, sizeof *offsets, compare_offsets);
  return count;
}

/* ---- comparison ---- */

static const double CANCELLED = 1e-13; /* of the largest input: what is left of it */

static double relative(double a, double b) {
  double scale = fmax(fabs(a), fabs(b));
  return a == b ? 0 : fabs(a - b) / scale;
}

static double largest_input(const Sampler *s) {
  double largest = 1;
  for (uint32_t i = 0; i < s->tensors.count; i++)
    for (int64_t e = 0; s->tensors.data[i].is_float && e < s->tensors.data[i].count; e++)
      if (isfinite(s->tensors.data[i].before[e].real)) largest = fmax(largest, fabs(s->tensors.data[i].before[e].real));
  return largest;
}

static bool has_undefined(const Sampler *s, const PointwiseOutput *output) {
  bool has = false;
  for (uint32_t i = 0; i < output->pieces.count; i++)
    has |= (term_node(s->tt, output->pieces.data[i].value)->flags & TERM_HAS_UNDEF) != 0;
  return has;
}

/* True if the difference could come from rounding, or from a truth value that is undefined. How far inputs that are off
 * by a relative 1e-9 move the formula, and then roundings of its own: 1 - erf(8) has no digits, and x / (max / 127)
 * lies at a jump of truncation whatever x is. */
static bool is_excused(Trial *trial, const PointwiseOutput *output, const SampleTensor *t, int64_t offset,
                       const int64_t *index, InterpretCell kernel, InterpretCell formula) {
  Sampler *s = trial->s;
  double spread = 0;
  if (s->dyadic && !has_undefined(s, output)) return t->is_float && fabs(kernel.real - formula.real) <= tolerance;
  s->perturbed = true;
  bool moved = false;
  for (s->noise = 1; s->noise <= 8 && !moved; s->noise++) {
    InterpretCell other = formula;
    s->perturbed = s->noise <= 4;
    TermEval *eval = sample_new_eval(s);
    if (!s->perturbed) term_eval_jitter(eval, s->noise);
    set_index(eval, output, index, NULL);
    formula_value(s, eval, output, t, offset, &other);
    if (term_eval_is_undefined(eval))
      moved = true;
    else if (!t->is_float)
      moved = other.integer != formula.integer;
    else if (isfinite(other.real) != isfinite(formula.real))
      moved = true;
    else if (isfinite(other.real))
      spread = fmax(spread, fabs(other.real - formula.real));
  }
  s->perturbed = false;
  double difference = fabs(kernel.real - formula.real);
  return moved || (t->is_float && (difference <= 10 * spread ||
                                   difference <= CANCELLED * largest_input(s))); /* the latter: x + y - x - y */
}

/* Undefined in the reals: nothing to compare with. */
static bool is_undefined(const SampleTensor *t, const InterpretBuffer *buffer, int64_t offset) {
  if (buffer->shadow[offset] & INTERPRET_UNDEFINED) return true;
  return t->is_float && isnan(buffer->cells[offset].real);
}

/* Nothing is claimed of the element: its formula is an undefined value. */
static bool is_open_formula(const Sampler *s, const PointwiseOutput *output, const SampleTensor *t, double value) {
  return t->is_float && isnan(value) && has_undefined(s, output);
}

typedef enum Match { MATCH_EQUAL, MATCH_UNDEFINED, MATCH_EXCUSED, MATCH_DIFFERENT } Match;

static Match compare_cells(Trial *trial, const PointwiseOutput *output, const SampleTensor *t,
                           const InterpretBuffer *buffer, int64_t offset, const int64_t *index, InterpretCell formula) {
  InterpretCell kernel = buffer->cells[offset];
  if (is_undefined(t, buffer, offset) || is_open_formula(trial->s, output, t, formula.real)) return MATCH_UNDEFINED;
  if (!t->is_float) {
    if (kernel.integer == formula.integer) return MATCH_EQUAL;
  } else {
    /* an infinity out of finite reals is a division by zero; near the end of the range of doubles, an overflow */
    if (isinf(kernel.real) && !isfinite(formula.real) && kernel.real != formula.real) return MATCH_UNDEFINED;
    if (kernel.real != formula.real && (fabs(kernel.real) > 1e150 || fabs(formula.real) > 1e150))
      return MATCH_UNDEFINED;
    if (fabs(kernel.real) < 1e-150 && fabs(formula.real) < 1e-150) return MATCH_EQUAL;
    double difference = relative(kernel.real, formula.real);
    bool rounded =
        trial->s->ex->rounds_bits && (difference <= tolerance_of_bits ||
                                      fabs(kernel.real - formula.real) <= tolerance_of_bits * largest_input(trial->s));
    if (rounded || difference <= tolerance) {
      trial->worst = fmax(trial->worst, difference);
      return MATCH_EQUAL;
    }
  }
  return is_excused(trial, output, t, offset, index, kernel, formula) ? MATCH_EXCUSED : MATCH_DIFFERENT;
}

/* ---- witnesses ---- */

static void push_integer(Sampler *s, SamplePairs *pairs, const char *name, int64_t value) {
  array_push(s->arena, pairs, (SamplePair){name, arena_format(s->arena, "%lld", (long long)value)});
}

static SampleWitness launch_witness(Sampler *s) {
  SampleWitness w = {0};
  for (uint32_t i = 0; i < s->variables.count; i++) {
    const SampleVariable *v = &s->variables.data[i];
    if (v->is_stride)
      push_integer(s, &w.strides, term_name(s->tt, v->symbol), v->value);
    else
      push_integer(s, &w.sizes, term_name(s->tt, v->symbol), v->value);
  }
  for (uint32_t i = 0; i < s->ex->params.count; i++) {
    const Param *param = &s->ex->params.data[i];
    if (!param->is_pointer && term_sort(s->tt, param->symbol) == SORT_REAL)
      array_push(s->arena, &w.scalars, (SamplePair){param->name, arena_format(s->arena, "%.17g", s->scalars[i])});
  }
  return w;
}

/* `left`, `right`: NULL means the values of the element. */
static void tell_mismatch(Trial *trial, SampleResult *result, const PointwiseOutput *output, const SampleTensor *t,
                          int64_t offset, const int64_t *index, const char *left, const char *right) {
  Sampler *s = trial->s;
  const InterpretBuffer *buffer = &trial->buffers[t - s->tensors.data];
  result->status = SAMPLE_MISMATCH;
  result->output = t->view->name;
  result->witness = launch_witness(s);
  for (uint32_t k = 0; index && k < output->rank; k++)
    push_integer(s, &result->witness.index, term_name(s->tt, output->index[k]), index[k]);
  if (!index) push_integer(s, &result->witness.index, "offset", offset);
  InterpretCell formula = {0};
  if (index) {
    s->recording = &result->witness;
    TermEval *eval = sample_new_eval(s);
    set_index(eval, output, index, NULL);
    formula_value(s, eval, output, t, offset, &formula);
    s->recording = NULL;
  }
  result->witness.left = left ? left : cell_text(s, t, buffer->cells[offset]);
  result->witness.right = right ? right : cell_text(s, t, formula);
}

static void run_launch(Trial *trial);

/* True if the kernel's own value is another one where its results are rounded in another way: x + 1e-18 == x. */
static bool is_of_rounding(const Trial *trial, const SampleTensor *t, int64_t offset) {
  Sampler *s = trial->s;
  uint32_t number = (uint32_t)(t - s->tensors.data);
  InterpretCell first = trial->buffers[number].cells[offset];
  Trial other = {.s = s, .noise = other_roundings};
  run_launch(&other);
  if (other.run.status != INTERPRET_OK) return false;
  InterpretCell second = other.buffers[number].cells[offset];
  return t->is_float ? relative(first.real, second.real) > tolerance : first.integer != second.integer;
}

static const char *kind_sentence(InterpretFindingKind kind) {
  switch (kind) {
  case INTERPRET_OUT_OF_BOUNDS:
  case INTERPRET_UNDEFINED_STORE:
  case INTERPRET_UNDEFINED_USE:
  case INTERPRET_RACE:
  case INTERPRET_DUPLICATE_STORE:
  case INTERPRET_DIVISION: return "";
  case INTERPRET_OVERFLOW:
  case INTERPRET_INDEX:
  case INTERPRET_ASSERT:
  case INTERPRET_ASSUME:
  case INTERPRET_FINDING_KINDS: break;
  }
  return NULL; /* not told: no obligation, or not of the kernel's making */
}

static void collect_findings(Trial *trial, SampleResult *result) {
  Sampler *s = trial->s;
  for (uint32_t i = 0; i < trial->run.findings.count; i++) {
    const InterpretFinding *f = &trial->run.findings.data[i];
    bool has_buffer = f->buffer >= 0 && (uint32_t)f->buffer < s->tensors.count && s->tensors.data[f->buffer].view,
         known = false;
    SampleFinding finding = {
        .kind = f->kind, .op = f->op, .tensor = has_buffer ? s->tensors.data[f->buffer].view->name : NULL};
    if (!kind_sentence(f->kind)) continue;
    for (uint32_t k = 0; k < result->findings.count; k++)
      known |= result->findings.data[k].kind == finding.kind && result->findings.data[k].op == finding.op &&
               result->findings.data[k].tensor == finding.tensor;
    if (known) continue;
    finding.witness = launch_witness(s);
    static const char *const axes[] = {"x", "y", "z"};
    for (int d = 0; d < 3; d++) push_integer(s, &finding.witness.program, axes[d], f->program[d]);
    push_integer(s, &finding.witness.lane, "lane", f->lane);
    if (has_buffer) push_integer(s, &finding.witness.index, "element", f->element);
    array_push(s->arena, &result->findings, finding);
  }
}

/* ---- one output ---- */

/* True if the formula gives at this index, which is none of the tensor's, what the kernel stored at the offset. */
static bool stores_beside(Trial *trial, const PointwiseOutput *output, const SampleTensor *t, int64_t offset,
                          const int64_t *index) {
  InterpretCell formula = {0}, kernel = trial->buffers[t - trial->s->tensors.data].cells[offset];
  TermEval *eval = sample_new_eval(trial->s);
  set_index(eval, output, index, NULL);
  if (formula_value(trial->s, eval, output, t, offset, &formula) != PLACE_ASSIGNED) return false;
  return t->is_float ? relative(kernel.real, formula.real) <= tolerance : kernel.integer == formula.integer;
}

/* Indices with that offset, of which one is past an extent that nothing bounds. */
typedef struct Beside {
  Trial *trial;
  const PointwiseOutput *output;
  const SampleTensor *t;
  int64_t offset, index[POINTWISE_MAX_RANK];
  uint32_t tries;
} Beside;

static bool find_beside(Beside *b, uint32_t axis, int64_t left, bool is_past) {
  const SampleTensor *t = b->t;
  if (axis == b->output->rank)
    return !left && is_past && b->tries && b->tries-- && stores_beside(b->trial, b->output, t, b->offset, b->index);
  bool is_free = sample_is_free_extent(b->trial->s, t->view->extent[axis]), is_last = axis + 1 == b->output->rank;
  int64_t stride = t->stride[axis], most = !is_free  ? t->extent[axis] - 1
                                           : is_last ? INT64_MAX
                                                     : 2 * t->extent[axis] + 2;
  if (stride <= 0) return false;
  for (int64_t i = is_last ? left / stride : 0; i <= most && i * stride <= left && b->tries; i++) {
    b->index[axis] = i;
    if (find_beside(b, axis + 1, left - i * stride, is_past || i >= t->extent[axis])) return true;
    if (is_last) break;
  }
  return false;
}

/* True if the element is what the formula stores beside a row, past its end. Where no shape bounds an axis, the launch
 * at hand has rows that are too short for its own stores: it is none that the claim is about. */
static bool is_beside_its_row(Trial *trial, const PointwiseOutput *output, const SampleTensor *t, int64_t offset) {
  enum { TRIES = 500 };
  Beside b = {.trial = trial, .output = output, .t = t, .offset = offset, .tries = TRIES};
  return trial->is_beside = find_beside(&b, 0, offset, false);
}

/* false: a mismatch, or a launch that is none to compare with. */
static bool check_element(Trial *trial, SampleResult *result, const PointwiseOutput *output, const SampleTensor *t,
                          int64_t offset, int64_t *last) {
  Sampler *s = trial->s;
  const InterpretBuffer *buffer = &trial->buffers[t - s->tensors.data];
  bool written = buffer->shadow[offset] & INTERPRET_WRITTEN;
  int64_t index[POINTWISE_MAX_RANK] = {0};
  InterpretCell formula = {0};
  if (!decode_offset(t, offset, index)) {
    if (written && is_beside_its_row(trial, output, t, offset)) return false;
    if (written) tell_mismatch(trial, result, output, t, offset, NULL, "written", "no element of the tensor");
    result->is_outside |= written;
    return !written;
  }
  set_index(s->eval, output, index, last);
  memcpy(last, index, sizeof index);
  s->strayed = 0;
  Place place = formula_value(s, s->eval, output, t, offset, &formula);
  bool is_open = s->is_wild && s->strayed; /* beside its axis, in another row: formulas hold where the bounds hold */
  if (!is_open && (written ? place == PLACE_OUTSIDE : place == PLACE_ASSIGNED)) {
    if (written && is_beside_its_row(trial, output, t, offset)) return false;
    tell_mismatch(trial, result, output, t, offset, index, written ? NULL : "not written",
                  place ? NULL : "outside the region");
    return false;
  }
  if (place == PLACE_OUTSIDE) return true;
  switch (compare_cells(trial, output, t, buffer, offset, index, formula)) {
  case MATCH_EQUAL:
    trial->compared++;
    if (!s->is_wild) s->strays |= s->strayed;
    return true;
  case MATCH_UNDEFINED: trial->undefined++; return true;
  case MATCH_EXCUSED: trial->excused++; return true;
  case MATCH_DIFFERENT: break;
  }
  if (is_open) return true;
  if (is_beside_its_row(trial, output, t, offset)) return false;
  result->is_rounding = is_of_rounding(trial, t, offset);
  tell_mismatch(trial, result, output, t, offset, index, NULL, NULL);
  return false;
}

static bool check_output(Trial *trial, SampleResult *result, const PointwiseOutput *output, uint32_t *compared) {
  Sampler *s = trial->s;
  uint32_t number = 0, before = trial->compared;
  const SampleTensor *t = find_tensor(s, s->pointwise->tensors.data[output->tensor].symbol, &number);
  int64_t offsets[MOST_OFFSETS], last[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < POINTWISE_MAX_RANK; k++) last[k] = -1;
  uint32_t count = choose_offsets(s, &trial->buffers[number], offsets);
  s->reads = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (s->reads > MOST_READS && i > 4) i = i + 6 < count ? i + 6 : count - 1; /* long folds: fewer elements */
    if (s->reads > 4 * MOST_READS) break;
    if (!check_element(trial, result, output, t, offsets[i], last)) return false;
  }
  *compared += trial->compared - before;
  return true;
}

/* Tensors that the formula does not list stay as they were. */
static bool check_untouched(Trial *trial, SampleResult *result) {
  Sampler *s = trial->s;
  for (uint32_t i = 0; i < s->tensors.count; i++) {
    const SampleTensor *t = &s->tensors.data[i];
    bool listed = false;
    for (uint32_t o = 0; o < s->pointwise->outputs.count; o++)
      listed |= t->view && s->pointwise->tensors.data[s->pointwise->outputs.data[o].tensor].symbol == t->view->symbol;
    for (int64_t e = 0; e < t->count && !listed; e++)
      if (trial->buffers[i].shadow[e] & INTERPRET_WRITTEN) {
        tell_mismatch(trial, result, NULL, t, e, NULL, "written", "not an output");
        return false;
      }
  }
  return true;
}

/* ---- one trial ---- */

static void run_launch(Trial *trial) {
  Sampler *s = trial->s;
  uint32_t tensor = 0, count = s->ex->params.count;
  InterpretArgument *arguments = arena_array(s->arena, InterpretArgument, count + 1);
  trial->buffers = arena_array(s->arena, InterpretBuffer, s->tensors.count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const Param *param = &s->ex->params.data[i];
    InterpretArgument *a = &arguments[i];
    if (!param->is_pointer) {
      bool is_real = term_sort(s->tt, param->symbol) == SORT_REAL;
      *a = (InterpretArgument){.kind = is_real ? INTERPRET_REAL : INTERPRET_INTEGER, .real = s->scalars[i]};
      if (!is_real) a->integer = sample_value(s, param->symbol);
      continue;
    }
    if (param->given.same_as) {
      *a = arguments[param->given.same_as - 1];
      continue;
    }
    const SampleTensor *t = &s->tensors.data[tensor];
    InterpretBuffer *b = &trial->buffers[tensor];
    *a = (InterpretArgument){.kind = INTERPRET_ADDRESS, .buffer = tensor++};
    *b = (InterpretBuffer){.name = param->name, .element = t->element, .count = t->count};
    b->cells = arena_alloc(s->arena, sizeof *b->cells * ((size_t)t->count + 1));
    memcpy(b->cells, t->before, sizeof *b->cells * (size_t)t->count);
    for (int64_t e = 0; t->is_unsigned && e < t->count; e++)
      b->cells[e].integer = wrap_to(t->bits, b->cells[e].integer);
  }
  for (int d = 0; d < 3; d++) trial->grid[d] = (int32_t)sample_value(s, s->ex->grid[d]);
  InterpretOptions options = {.exact_reals = true,
                              .no_nans = true,
                              .sparse = !s->is_dense,
                              .fills_lanes = s->ex->options.zero_fill,
                              .noise = trial->noise,
                              .step_limit = s->is_long ? 2 * s->steps : s->steps};
  interpret_launch(s->arena, s->program, s->function, trial->grid, trial->buffers, s->tensors.count, arguments, count,
                   &options, &trial->run);
}

/* Runs until no extent that nothing bounds is too small; false: one would have to be too large. */
static bool run_grown(Trial *trial) {
  Sampler *s = trial->s;
  for (uint32_t n = 0;; n++) {
    SampleGrowth growth = SAMPLE_FIXED;
    sample_draw_data(s);
    run_launch(trial);
    for (uint32_t i = 0; i < trial->run.findings.count && growth != SAMPLE_TOO_LARGE; i++) {
      const InterpretFinding *f = &trial->run.findings.data[i];
      if (f->kind != INTERPRET_OUT_OF_BOUNDS || f->buffer < 0 || f->element < 0) continue;
      SampleGrowth one = sample_grow(s, &s->tensors.data[f->buffer], f->element);
      if (one == SAMPLE_GROWN && n == (s->is_long ? 2 * MOST_GROWTHS : MOST_GROWTHS)) one = SAMPLE_TOO_LARGE;
      if (one != SAMPLE_FIXED) growth = one;
    }
    if (growth != SAMPLE_GROWN) return growth == SAMPLE_FIXED;
  }
}

static bool is_costly(const Sampler *s) {
  int64_t elements = 0;
  for (uint32_t i = 0; i < s->tensors.count; i++) elements += s->tensors.data[i].count;
  return elements > MOST_BEFORE_PROOF;
}

static Outcome run_trial(Sampler *s, SampleResult *result, uint32_t *compared, Trial *trial) {
  *trial = (Trial){.s = s};
  if (!sample_draw_launch(s)) return TRIAL_REJECTED;
  s->has_left = s->is_long && s->before_proof && is_costly(s);
  if (s->has_left) return TRIAL_REJECTED;
  bool is_grown = run_grown(trial);
  if (trial->run.status == INTERPRET_NEEDS_LANES) return TRIAL_NEEDS_LANES;
  if (!is_grown) return TRIAL_REJECTED;
  if (trial->run.status == INTERPRET_UNSUPPORTED || trial->run.status == INTERPRET_INVALID) return TRIAL_UNSUPPORTED;
  s->is_limited |= trial->run.status == INTERPRET_LIMIT && !s->is_long;
  if (trial->run.status != INTERPRET_OK) return TRIAL_REJECTED;
  if (trial->run.totals[INTERPRET_ASSERT] || trial->run.totals[INTERPRET_ASSUME]) return TRIAL_REJECTED;
  for (uint32_t o = 0; o < s->pointwise->outputs.count; o++)
    if (!check_output(trial, result, &s->pointwise->outputs.data[o], &compared[o]))
      return trial->is_beside ? TRIAL_REJECTED : TRIAL_MISMATCH;
  if (!check_untouched(trial, result)) return TRIAL_MISMATCH;
  sample_note_loops(s);
  if (trial->compared) coverage_add(&s->coverage, trial->grid, &trial->run);
  return trial->undefined > trial->compared ? TRIAL_UNDEFINED : TRIAL_COMPARED;
}

/* "n = 3, grid_x = 1" into a buffer that outlives the trial. */
static void describe_sizes(const Sampler *s, char *out, size_t room) {
  size_t used = 0;
  out[0] = 0;
  for (uint32_t i = 0; i < s->variables.count; i++) {
    const SampleVariable *v = &s->variables.data[i];
    if (v->is_stride || (v->is_grid && v->value == 1)) continue;
    int n = snprintf(out + used, room - used, "%s%s=%lld", used ? " " : "", term_message(s->tt, v->symbol),
                     (long long)v->value);
    if (n < 0 || (size_t)n >= room - used) break;
    used += (size_t)n;
  }
}

static SampleResult not_evaluated(SampleResult result, const char *text) {
  result.status = SAMPLE_NOT_EVALUATED;
  result.text = text;
  return result;
}

static bool is_opaque(const Pointwise *p) {
  for (uint32_t o = 0; o < p->outputs.count; o++) {
    if (p->outputs.data[o].scatter) return true;
    for (uint32_t k = 0; k < p->outputs.data[o].pieces.count; k++) {
      const PointwisePiece *piece = &p->outputs.data[o].pieces.data[k];
      if ((term_node(p->tt, piece->value)->flags | term_node(p->tt, piece->region)->flags) & TERM_HAS_OPAQUE)
        return true;
    }
  }
  return false;
}

static bool has_value(const Sampler *s, const PointwiseOutput *output, Term symbol) {
  if (term_symbol(s->tt, symbol)->role == SYMBOL_TENSOR) return true;
  for (uint32_t i = 0; i < s->variables.count; i++)
    if (s->variables.data[i].symbol == symbol) return true;
  for (uint32_t i = 0; i < s->ex->params.count; i++)
    if (s->ex->params.data[i].symbol == symbol) return true;
  for (uint32_t k = 0; k < output->rank; k++)
    if (output->index[k] == symbol) return true;
  return false;
}

/* Every symbol of the formula is of the launch, or an index of the output. */
static bool is_about_launch(const Sampler *s) {
  for (uint32_t o = 0; o < s->pointwise->outputs.count; o++) {
    const PointwiseOutput *output = &s->pointwise->outputs.data[o];
    TermList symbols = {0};
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      term_symbols(s->tt, output->pieces.data[k].region, &symbols);
      term_symbols(s->tt, output->pieces.data[k].value, &symbols);
    }
    for (uint32_t i = 0; i < symbols.count; i++)
      if (!has_value(s, output, symbols.data[i])) return false;
  }
  return true;
}

static SampleResult conclude(Sampler *s, SampleResult result, const uint32_t *compared, uint32_t excused, Text *sizes) {
  result.sizes = text_string(sizes);
  result.strays = s->strays;
  result.has_left = s->has_left;
  for (uint32_t o = 0; o < s->pointwise->outputs.count; o++) {
    const char *name = s->pointwise->tensors.data[s->pointwise->outputs.data[o].tensor].name;
    if (!s->runs && s->races)
      return not_evaluated(result, "every launch that was drawn leaves open what it writes: two programs write one "
                                   "element, or a condition is undefined");
    if (!s->runs) return not_evaluated(result, "no small launch was found that meets the assumptions");
    if (!compared[o])
      return not_evaluated(
          result, arena_format(s->arena, "the kernel's own value was undefined wherever %s was looked at", name));
    result.elements += compared[o];
  }
  result.status = SAMPLE_AGREES;
  Text text = text_new(s->arena);
  text_format(&text, "random evaluation agrees: %u launches (%s), %u elements, worst relative difference %.1e",
              result.trials, result.sizes, result.elements, result.worst);
  if (excused) text_format(&text, "; %u more differ by what rounding explains", excused);
  const char *missing = coverage_missing(s->arena, &s->coverage);
  if (missing) text_format(&text, "; not reached: %s", missing);
  result.text = text_string(&text);
  return result;
}

/* Two programs touch one element, or two lanes of a store; or a mask, an address or a condition is undefined (it was
 * read out of bounds): what stays there is open, and no fault of the formula. */
static bool is_open_launch(const Trial *trial) {
  return trial->run.totals[INTERPRET_RACE] || trial->run.totals[INTERPRET_DUPLICATE_STORE] ||
         trial->run.totals[INTERPRET_UNDEFINED_USE];
}

/* The integers in memory did not fit each other: ranges are empty, elements are written twice, or nothing is defined.
 */
static bool is_unfit(const Sampler *s, const Trial *trial, Outcome outcome) {
  if (!s->has_indices) return false;
  switch (outcome) {
  case TRIAL_COMPARED: return !trial->compared;
  case TRIAL_UNDEFINED:
  case TRIAL_REJECTED: return true;
  case TRIAL_MISMATCH: return is_open_launch(trial);
  case TRIAL_UNSUPPORTED:
  case TRIAL_NEEDS_LANES: break;
  }
  return false;
}

/* Whether the trial is to be made again, in another way. */
static bool is_retried(Sampler *s, const Trial *trial, Outcome outcome, uint32_t *retries, uint32_t *tamed) {
  if (outcome == TRIAL_NEEDS_LANES) { /* with sizes for which a few lanes do, or with all lanes */
    s->is_dense = s->lanes <= SAMPLE_MOST_DENSE || s->smallness == 2;
    if (!s->is_dense) s->smallness++;
    return true;
  }
  if (is_unfit(s, trial, outcome) && *tamed < MOST_TAMED) {
    ++*tamed;
    if (s->tameness < SAMPLE_MAX_TAMENESS)
      s->tameness++;
    else
      s->tameness = 1; /* which of the ways fits is not known */
    for (uint32_t i = 0; i < s->variables.count; i++) s->variables.data[i].least = 0;
    return true;
  }
  if (outcome != TRIAL_UNDEFINED || s->domain + 1 >= SAMPLE_DOMAINS || ++*retries > 4) return false;
  s->domain++; /* where it is defined */
  return true;
}

/* Takes down what a trial that ran to its end shows. */
static void count_trial(Sampler *s, SampleResult *result, const Trial *trial, uint32_t *excused, Text *sizes,
                        const char *line) {
  s->runs++;
  if (!trial->compared) return; /* no evidence */
  result->trials++;
  result->worst = fmax(result->worst, trial->worst);
  *excused += trial->excused;
  text_format(sizes, "%s%s", sizes->count ? "; " : "", line);
}

/* false: `result` is final. */
static bool run_trials(Sampler *s, SampleResult *result, uint32_t trials, uint32_t *compared, uint32_t *excused,
                       Text *sizes) {
  uint32_t retries = 0, tamed = 0;
  for (s->trial = 0; s->trial < trials; s->trial++) {
    Trial trial;
    char line[400];
    ArenaMark mark = arena_mark(s->arena);
    Outcome outcome = run_trial(s, result, compared, &trial);
    if (is_retried(s, &trial, outcome, &retries, &tamed)) {
      s->trial--;
      arena_reset(s->arena, mark);
      continue;
    }
    if (outcome == TRIAL_MISMATCH && !is_open_launch(&trial)) return false;
    if (outcome == TRIAL_MISMATCH)
      *result = (SampleResult){.trials = result->trials, .worst = result->worst, .findings = result->findings};
    if (outcome == TRIAL_UNSUPPORTED) {
      *result = not_evaluated(*result, arena_format(s->arena, "%s", trial.run.message));
      return false;
    }
    uint32_t findings = result->findings.count;
    if (outcome != TRIAL_REJECTED) collect_findings(&trial, result);
    describe_sizes(s, line, sizeof line);
    if (result->findings.count == findings) arena_reset(s->arena, mark);
    s->races += outcome == TRIAL_MISMATCH;
    if (outcome != TRIAL_REJECTED && outcome != TRIAL_MISMATCH) count_trial(s, result, &trial, excused, sizes, line);
  }
  return true;
}

/* One launch more for loops that the others left early, with every lane where a few do not tell. What shows nothing is
 * forgotten. false: a mismatch. */
static bool run_long_trial(Sampler *s, SampleResult *result, uint32_t *compared, uint32_t *excused, Text *sizes) {
  SampleResult before = *result;
  ArenaMark mark = arena_mark(s->arena);
  Trial trial;
  char line[400];
  if (!sample_has_short_loop(s)) return true;
  s->is_long = true;
  s->is_dense |= s->smallness > 0;
  Outcome outcome = run_trial(s, result, compared, &trial);
  if (outcome == TRIAL_NEEDS_LANES && !s->is_dense) {
    s->is_dense = true;
    outcome = run_trial(s, result, compared, &trial);
  }
  if (outcome == TRIAL_MISMATCH && !is_open_launch(&trial)) return false;
  *result = before;
  describe_sizes(s, line, sizeof line);
  arena_reset(s->arena, mark);
  if (outcome == TRIAL_COMPARED) count_trial(s, result, &trial, excused, sizes, line);
  return true;
}

static bool is_bare(const Sampler *s, const uint32_t *compared) {
  bool bare = false;
  for (uint32_t o = 0; o < s->pointwise->outputs.count; o++) bare |= !compared[o];
  return bare;
}

/* Some elements of each output were compared, but hardly any of one. */
static bool is_scarce(const Sampler *s, const uint32_t *compared) {
  bool scarce = false;
  for (uint32_t o = 0; o < s->pointwise->outputs.count; o++) {
    if (!compared[o]) return false;
    scarce |= compared[o] < SCARCE;
  }
  return scarce;
}

SampleResult sample_check(Arena *arena, const Program *program, const Function *function, const Claim *recovery,
                          const SampleOptions *options) {
  SampleResult result = {0};
  Sampler s = {.arena = arena,
               .program = program,
               .function = function,
               .recovery = recovery,
               .ex = recovery->ex,
               .pointwise = recovery->pointwise,
               .tt = recovery->ex->tt,
               .random = {options ? options->seed : 0},
               .before_proof = options && options->before_proof,
               .steps = MOST_STEPS};
  uint32_t trials = options && options->trials ? options->trials : SAMPLE_TRIALS, excused = 0;
  const char *why = NULL;
  if (!s.pointwise->outputs.count) return not_evaluated(result, "the kernel writes nothing");
  if (is_opaque(s.pointwise))
    return not_evaluated(result, "the formula has a part without a meaning that could be evaluated");
  if (!sample_prepare(&s, &why)) return not_evaluated(result, why);
  if (!is_about_launch(&s)) return not_evaluated(result, "the formula has a symbol that no launch gives a value");
  uint32_t *compared = arena_array(arena, uint32_t, s.pointwise->outputs.count + 1);
  Text sizes = text_new(arena);
  if (!run_trials(&s, &result, trials, compared, &excused, &sizes)) return result;
  if (is_bare(&s, compared) && !s.is_dense) { /* an output that few lanes show nothing of */
    s.is_dense = true, s.smallness = 0, s.domain = SAMPLE_MIXED;
    sample_add_periods(&s);
    if (!run_trials(&s, &result, trials, compared, &excused, &sizes)) return result;
  }
  if (!s.runs && s.is_limited) { /* blocks too large for many small launches: two longer ones */
    s.steps = MOST_STEPS_AT_LAST;
    if (!run_trials(&s, &result, trials < 2 ? trials : 2, compared, &excused, &sizes)) return result;
  }
  if (s.runs && is_bare(&s, compared)) { /* one that the first programs write nothing of */
    s.is_wide = true, s.steps = MOST_STEPS_AT_LAST;
    if (!run_trials(&s, &result, trials < 4 ? trials : 4, compared, &excused, &sizes)) return result;
  }
  for (int pass = 0; pass < 2 && is_scarce(&s, compared); pass++)
    if (!run_trials(&s, &result, trials, compared, &excused, &sizes)) return result;
  if (s.runs && !run_long_trial(&s, &result, compared, &excused, &sizes)) return result;
  return conclude(&s, result, compared, excused, &sizes);
}
