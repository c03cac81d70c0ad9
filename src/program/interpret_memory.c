/* Memory of the interpreter: addresses, loads, stores, atomics, block pointers and descriptors.
 *
 * An access finds its buffer in the upper bits of the address, then the element. Usually it has the buffer's own
 * element type and is one cell; otherwise (a pointer that was cast) the bytes are taken from or put into the bit
 * patterns of the cells. Every element knows which programs read it, wrote it and touched it atomically, so one run
 * shows a race whatever the order was, and which lane did since the last barrier. Lanes that are masked off touch
 * nothing. */
#include <math.h>
#include <string.h>

#include "program/interpret_state.h"

#define MANY UINT32_MAX
#define SHAPE_SHIFT 20 /* no tensor has more lanes than 2^20 */

typedef struct Place {
  Memory *memory;
  int32_t buffer;
  int64_t element;
  uint32_t within; /* byte in the element */
} Place;

static OpId this_op(const Interp *it) { return (OpId)(it->op - it->program->ops.data); }

/* ---- finding the element */

static void report_overflow(Interp *it, uint8_t mark) {
  if (!(mark & MARK_WRAPPED) || (mark & MARK_WRAPPED) > it->wrap_count) return;
  const Wrap *wrap = &it->wraps[(mark & MARK_WRAPPED) - 1];
  InterpretFinding *f = interpret_report(it, INTERPRET_OVERFLOW, wrap->op, -1, wrap->lane);
  if (!f) return;
  memcpy(f->program, wrap->program, sizeof f->program);
  f->a = wrap->a;
  f->b = wrap->b;
}

/* False, and reported, when `size` bytes at that address do not lie in a buffer; padding is there, and reported. */
static bool find_place(Interp *it, int64_t address, uint8_t mark, uint32_t size, int64_t lane, Place *out) {
  uint64_t zone = ((uint64_t)address + (1ull << (ADDRESS_SHIFT - 1))) >> ADDRESS_SHIFT;
  if (mark) {
    if (mark & MARK_UNDEFINED) interpret_report(it, INTERPRET_UNDEFINED_USE, this_op(it), -1, lane);
    report_overflow(it, mark);
  }
  if (!zone || zone > it->memory_count) {
    InterpretFinding *f = interpret_report(it, INTERPRET_OUT_OF_BOUNDS, this_op(it), -1, lane);
    if (f) f->element = address;
    return false;
  }
  Memory *m = &it->memories[zone - 1];
  int64_t offset = (int64_t)((uint64_t)address - (zone << ADDRESS_SHIFT));
  int64_t limit = m->buffer->count * m->element.size;
  *out = (Place){m, (int32_t)zone - 1, offset / m->element.size, (uint32_t)(offset % m->element.size)};
  bool inside = offset >= 0 && offset + size <= limit;
  if (inside && !(m->buffer->padding && m->buffer->padding[out->element])) return true;
  InterpretFinding *f = interpret_report(it, INTERPRET_OUT_OF_BOUNDS, this_op(it), out->buffer, lane);
  if (f) f->element = offset < 0 ? (offset - (int64_t)m->element.size + 1) / m->element.size : out->element;
  return inside;
}

/* ---- races */

static void report_race(Interp *it, const Place *p, uint32_t who, int64_t lane) {
  InterpretFinding *f = interpret_report(it, INTERPRET_RACE, this_op(it), p->buffer, lane);
  if (!f) return;
  f->element = p->element;
  f->other = who == MANY ? -1 : (int64_t)who - 1;
}

static Track *track_of(Interp *it, const Place *p) {
  Track **page = &p->memory->tracks[p->element / TRACK_PAGE];
  if (!*page) *page = arena_array(it->arena, Track, TRACK_PAGE);
  return *page + p->element % TRACK_PAGE;
}

static bool is_other(const Interp *it, uint32_t who) { return who && who != it->number; }
static uint32_t add_toucher(const Interp *it, uint32_t who) { return !who || who == it->number ? it->number : MANY; }

static const Type *tensor_of(const Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, type);
  return t->kind == TYPE_TENSOR ? t : NULL;
}

/* A number that the shape of what the running access loads or stores goes by. */
static uint32_t shape_number(Interp *it) {
  const Type *shape = NULL;
  uint32_t number = 0;
  for (uint32_t i = 0; i < it->op->result_count && !shape; i++)
    shape = tensor_of(it, interpret_result_type(it, it->op, i));
  for (uint32_t i = 0; i < it->op->operand_count && !shape; i++)
    shape = tensor_of(it, interpret_operand_type(it, it->op, i));
  for (uint32_t i = 0; shape && i < shape->rank; i++) number = (number + 1) * 1021 + (uint32_t)shape->dims[i];
  return number;
}

/* Which thread holds a lane goes by the shape of the tensor, <64> or <64x1>: other shapes have other numbers here. The
 * first lane is the first thread's in every shape. */
static uint32_t thread_of(Interp *it, int64_t lane) {
  return lane ? (uint32_t)lane + (shape_number(it) << SHAPE_SHIFT) : 0;
}

static void track_read(Interp *it, const Place *p, int64_t lane) {
  if (!p->memory->tracks) return;
  Track *t = track_of(it, p);
  uint32_t who = is_other(it, t->writer) ? t->writer : is_other(it, t->atomic) ? t->atomic : 0;
  uint32_t thread = thread_of(it, lane);
  if (!who && t->write_epoch == it->epoch && t->write_thread != thread) who = it->number;
  if (who) report_race(it, p, who, lane);
  t->reader = add_toucher(it, t->reader);
  t->read_thread = t->read_arrival != it->arrival || t->read_thread == thread ? thread : MANY;
  t->read_arrival = it->arrival;
}

static void track_write(Interp *it, const Place *p, int64_t lane) {
  if (!p->memory->tracks) return;
  Track *t = track_of(it, p);
  uint32_t who = is_other(it, t->writer)   ? t->writer
                 : is_other(it, t->reader) ? t->reader
                 : is_other(it, t->atomic) ? t->atomic
                                           : 0;
  if (!who && t->read_arrival == it->arrival && t->read_thread != thread_of(it, lane)) who = it->number;
  if (who) report_race(it, p, who, lane);
  t->writer = add_toucher(it, t->writer);
}

static void track_atomic(Interp *it, const Place *p, int64_t lane) {
  if (!p->memory->tracks) return;
  Track *t = track_of(it, p);
  uint32_t who = is_other(it, t->writer) ? t->writer : is_other(it, t->reader) ? t->reader : 0;
  if (who) report_race(it, p, who, lane);
  t->atomic = add_toucher(it, t->atomic);
}

/* ---- one element */

/* The cell can be taken as it is. */
static bool fits_cell(const Place *p, const Element *e) {
  const Element *cell = &p->memory->element;
  if (p->within || cell->size != e->size || cell->is_float != e->is_float) return false;
  return e->is_float ? cell->format == e->format : cell->width == e->width;
}

static uint64_t read_bytes(const Place *p, uint32_t size) {
  const Memory *m = p->memory;
  uint64_t value = 0;
  for (uint32_t b = 0; b < size; b++) {
    uint64_t at = p->within + b;
    uint64_t bits =
        (uint64_t)interpret_bits(&m->element, m->buffer->cells[p->element + (int64_t)(at / m->element.size)]);
    value |= (bits >> at % m->element.size * 8 & 255) << b * 8;
  }
  return value;
}

static void write_bytes(const Place *p, uint32_t size, uint64_t value) {
  const Memory *m = p->memory;
  for (uint32_t b = 0; b < size; b++) {
    uint64_t at = p->within + b, shift = at % m->element.size * 8;
    InterpretCell *cell = &m->buffer->cells[p->element + (int64_t)(at / m->element.size)];
    uint64_t bits = (uint64_t)interpret_bits(&m->element, *cell);
    bits = (bits & ~(255ull << shift)) | (value >> b * 8 & 255) << shift;
    *cell = interpret_from_bits(&m->element, bits);
  }
}

static int64_t cells_touched(const Place *p, uint32_t size) {
  return (p->within + size + p->memory->element.size - 1) / p->memory->element.size;
}

static InterpretCell read_cell(const Place *p, const Element *e, uint8_t *mark) {
  InterpretBuffer *buffer = p->memory->buffer;
  for (int64_t c = 0; c < cells_touched(p, e->size); c++)
    if (buffer->shadow[p->element + c] & INTERPRET_UNDEFINED) *mark = MARK_UNDEFINED;
  return fits_cell(p, e) ? buffer->cells[p->element] : interpret_from_bits(e, read_bytes(p, e->size));
}

static void write_cell(const Place *p, const Element *e, InterpretCell value, uint8_t mark) {
  InterpretBuffer *buffer = p->memory->buffer;
  for (int64_t c = 0; c < cells_touched(p, e->size); c++)
    buffer->shadow[p->element + c] = INTERPRET_WRITTEN | (mark & MARK_UNDEFINED ? INTERPRET_UNDEFINED : 0);
  if (fits_cell(p, e))
    buffer->cells[p->element] = value;
  else
    write_bytes(p, e->size, (uint64_t)interpret_bits(e, value));
}

static void load_lane(Interp *it, const Element *e, int64_t address, uint8_t mark, int64_t lane, Lanes *out) {
  Place p;
  uint8_t undefined = 0;
  if (find_place(it, address, mark, e->size, lane, &p)) {
    track_read(it, &p, lane);
    if (p.memory->buffer->shadow[p.element] & INTERPRET_UNSEEN) interpret_need_lanes(it);
    out->i[lane] = read_cell(&p, e, &undefined).integer;
  } else {
    undefined = MARK_UNDEFINED;
    out->i[lane] = interpret_undefined(it, e).integer;
  }
  if (undefined) interpret_marks(it, out)[lane] = undefined;
}

static bool same_value(const Element *e, InterpretCell a, InterpretCell b) {
  return e->is_float ? a.real == b.real || (isnan(a.real) && isnan(b.real)) : a.integer == b.integer;
}

/* Two lanes that write different values to one element: which one stays is open. */
static void check_duplicate(Interp *it, const Place *p, const Element *e, InterpretCell value, int64_t lane) {
  if (!p->memory->tracks) return;
  Track *t = track_of(it, p);
  bool differs = fits_cell(p, e) && !same_value(e, p->memory->buffer->cells[p->element], value);
  uint32_t thread = thread_of(it, lane);
  if (differs && (t->stamp == it->stamp || (t->write_epoch == it->epoch && t->write_thread != thread))) {
    InterpretFinding *f = interpret_report(it, INTERPRET_DUPLICATE_STORE, this_op(it), p->buffer, lane);
    if (f) f->element = p->element;
  }
  t->stamp = it->stamp;
  t->write_epoch = it->epoch;
  t->write_thread = thread;
}

void interpret_store_lane(Interp *it, const Element *e, int64_t address, uint8_t mark, InterpretCell value,
                          uint8_t value_mark, int64_t lane) {
  Place p;
  if (!find_place(it, address, mark, e->size, lane, &p)) return;
  track_write(it, &p, lane);
  check_duplicate(it, &p, e, value, lane);
  write_cell(&p, e, value, value_mark);
  if (!(value_mark & MARK_UNDEFINED)) return;
  InterpretFinding *f = interpret_report(it, INTERPRET_UNDEFINED_STORE, this_op(it), p.buffer, lane);
  if (f) f->element = p.element;
}

/* ---- pointers */

/* What an address, or a tensor of them, points to. */
static Element pointee(Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, program_element_type(it->program, type));
  if (t->kind != TYPE_POINTER) interpret_ill_typed(it);
  const Type *to = program_get_type(it->program, t->element);
  if (to->kind != TYPE_INT && to->kind != TYPE_INDEX && to->kind != TYPE_FLOAT && to->kind != TYPE_POINTER)
    interpret_ill_typed(it);
  Element e = interpret_element(it, t->element);
  if (e.width > 64) interpret_ill_typed(it);
  return e;
}

void interpret_addptr(Interp *it, const Op *op) {
  Element e = pointee(it, interpret_operand_type(it, op, 0));
  if (interpret_element(it, interpret_operand_type(it, op, 1)).is_float) interpret_ill_typed(it);
  if (interpret_element(it, interpret_result_type(it, op, 0)).is_float) interpret_ill_typed(it);
  Lanes *out = interpret_result(it, op, 0), in[2];
  for (uint32_t i = 0; i < 2; i++) in[i] = interpret_operand(it, op, i, out->count);
  for (int64_t k = 0; k < out->count; k++) out->i[k] = (int64_t)((uint64_t)in[0].i[k] + (uint64_t)in[1].i[k] * e.size);
  interpret_merge_marks(it, out, in, 2);
}

/* ---- loads and stores through pointers */

static bool is_block_pointer(Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, type);
  return t->kind == TYPE_POINTER && program_get_type(it->program, t->element)->kind == TYPE_TENSOR;
}

/* A mask: NULL lanes when there is none. */
static Lanes mask_of(Interp *it, const Op *op, uint32_t i, int64_t count) {
  if (i >= op->operand_count) return (Lanes){0};
  if (interpret_element(it, interpret_operand_type(it, op, i)).is_float) interpret_ill_typed(it);
  return interpret_operand(it, op, i, count);
}

/* Whether the lane takes part; an undefined mask is reported. */
static bool takes_part(Interp *it, const Lanes *mask, int64_t lane) {
  if (!mask->i) return true;
  if (mask->mark && mask->mark[lane] & MARK_UNDEFINED)
    interpret_report(it, INTERPRET_UNDEFINED_USE, this_op(it), -1, lane);
  return mask->i[lane] & 1;
}

static uint8_t mark_at(const Lanes *lanes, int64_t lane) { return lanes->mark ? lanes->mark[lane] : 0; }

/* What a run loads is the same everywhere only if the address is and everything takes part. */
static void mark_loaded(Interp *it, const Lanes *at, const Lanes *mask, Lanes *out) {
  for (int64_t k = 0; (at->mark || mask->mark) && k < out->count; k++) {
    bool varies = mark_at(mask, k) & MARK_VARIES ||
                  ((mask->i ? mask->i[k] & 1 : 1) && mark_at(at, k) & (MARK_AFFINE | MARK_VARIES));
    if (!varies) continue;
    interpret_marks(it, out)[k] |= MARK_VARIES;
    interpret_commit(&out->mark[k]);
  }
}

static void load_block(Interp *it, const Op *op);
static void store_block(Interp *it, const Op *op);

void interpret_load(Interp *it, const Op *op) {
  if (is_block_pointer(it, interpret_operand_type(it, op, 0))) {
    load_block(it, op);
    return;
  }
  Element e = pointee(it, interpret_operand_type(it, op, 0));
  Element result = interpret_element(it, interpret_result_type(it, op, 0));
  if (result.is_float != e.is_float || result.width != e.width) interpret_ill_typed(it);
  Lanes *out = interpret_result(it, op, 0);
  Lanes at = interpret_operand(it, op, 0, out->count), mask = mask_of(it, op, 1, out->count), other = {0};
  if (op->operand_count > 2) {
    if (interpret_element(it, interpret_operand_type(it, op, 2)).is_float != e.is_float) interpret_ill_typed(it);
    other = interpret_operand(it, op, 2, out->count);
  }
  InterpretCell undefined = interpret_undefined(it, &e);
  for (int64_t k = 0; k < out->count; k++) {
    if (takes_part(it, &mask, k)) {
      load_lane(it, &e, at.i[k], mark_at(&at, k), k, out);
      if ((mark_at(&at, k) | mark_at(&mask, k)) & MARK_UNDEFINED) interpret_marks(it, out)[k] |= MARK_UNDEFINED;
    } else {
      uint8_t mark = other.i ? mark_at(&other, k) : it->options->fills_lanes ? 0 : MARK_UNDEFINED;
      mark |= mark_at(&mask, k) & MARK_UNDEFINED;
      out->i[k] = other.i ? other.i[k] : undefined.integer;
      if (mark) interpret_marks(it, out)[k] = mark;
    }
  }
  mark_loaded(it, &at, &mask, out);
}

void interpret_store(Interp *it, const Op *op) {
  it->stamp++;
  if (is_block_pointer(it, interpret_operand_type(it, op, 0))) {
    store_block(it, op);
    return;
  }
  Element e = pointee(it, interpret_operand_type(it, op, 0));
  Element value = interpret_element(it, interpret_operand_type(it, op, 1));
  if (value.is_float != e.is_float || value.width != e.width) interpret_ill_typed(it);
  Lanes at = interpret_value(it, op->operands[0]);
  Lanes values = interpret_operand(it, op, 1, at.count), mask = mask_of(it, op, 2, at.count);
  interpret_spread(it, interpret_operand_type(it, op, 0), &at, &mask, &values, e.size);
  for (int64_t k = 0; k < at.count; k++)
    if (takes_part(it, &mask, k))
      interpret_store_lane(it, &e, at.i[k], mark_at(&at, k), (InterpretCell){.integer = values.i[k]},
                           mark_at(&values, k), k);
}

/* ---- atomics */

typedef enum Update { AND = 1, OR, XOR, ADD, FADD, MAX, MIN, UMAX, UMIN, EXCHANGE } Update;

static Update update_of(Interp *it, const Op *op, const char *name) {
  static const char *const names[] = {"and", "or", "xor", "add", "fadd", "max", "min", "umax", "umin", "exch"};
  const char *text = program_op_text(it->program, op, name);
  int64_t number = program_op_int(it->program, op, name, 0);
  if (number >= AND && number <= EXCHANGE) return (Update)number;
  for (int i = 0; text && i < 10; i++)
    if (!strcmp(text, names[i])) return (Update)(i + 1);
  if (text && !strcmp(text, "xchg")) return EXCHANGE;
  interpret_ill_typed(it);
}

static InterpretCell update_int(const Element *e, Update update, int64_t a, int64_t b) {
  uint64_t u = interpret_unsigned(e->width, a), v = interpret_unsigned(e->width, b);
  int64_t r = b;
  switch (update) {
  case AND: r = a & b; break;
  case OR: r = a | b; break;
  case XOR: r = a ^ b; break;
  case ADD:
  case FADD: r = (int64_t)((uint64_t)a + (uint64_t)b); break;
  case MAX: r = a > b ? a : b; break;
  case MIN: r = a < b ? a : b; break;
  case UMAX: r = u > v ? a : b; break;
  case UMIN: r = u < v ? a : b; break;
  case EXCHANGE: break;
  }
  return (InterpretCell){.integer = interpret_wrap(e->width, r)};
}

static InterpretCell update_cell(Interp *it, const Element *e, Update update, InterpretCell old, InterpretCell value) {
  if (!e->is_float) return update_int(e, update, old.integer, value.integer);
  double r = value.real;
  if (update == ADD || update == FADD)
    r = old.real + value.real;
  else if (update == MAX || update == UMAX)
    r = fmax(old.real, value.real);
  else if (update == MIN || update == UMIN)
    r = fmin(old.real, value.real);
  else if (update != EXCHANGE)
    interpret_ill_typed(it);
  return (InterpretCell){.real = it->options->exact_reals ? r : interpret_round(e->format, r)};
}

/* One lane: the old value goes to `out`. */
static void update_lane(Interp *it, const Element *e, Update update, const InterpretCell *expected, int64_t address,
                        uint8_t mark, InterpretCell value, uint8_t value_mark, int64_t lane, Lanes *out) {
  Place p;
  if (!find_place(it, address, mark, e->size, lane, &p)) {
    out->i[lane] = interpret_undefined(it, e).integer;
    interpret_marks(it, out)[lane] = MARK_UNDEFINED;
    return;
  }
  uint8_t old_mark = 0;
  track_atomic(it, &p, lane);
  if (p.memory->buffer->shadow[p.element] & INTERPRET_UNSEEN) interpret_need_lanes(it);
  InterpretCell old = read_cell(&p, e, &old_mark);
  out->i[lane] = old.integer;
  if (old_mark) interpret_marks(it, out)[lane] = old_mark;
  if (expected && interpret_bits(e, old) != interpret_bits(e, *expected)) return;
  if (update != EXCHANGE) value_mark = interpret_join_marks(value_mark, old_mark);
  write_cell(&p, e, update_cell(it, e, update, old, value), value_mark);
  if (!(value_mark & MARK_UNDEFINED)) return;
  InterpretFinding *f = interpret_report(it, INTERPRET_UNDEFINED_STORE, this_op(it), p.buffer, lane);
  if (f) f->element = p.element;
}

/* One look: a program that waits for a later one does not get on, as the programs run one after another. */
static void run_poll(Interp *it, const Op *op, const Element *e) {
  Lanes at = interpret_operand(it, op, 0, 1), expected = interpret_operand(it, op, 1, 1);
  Lanes seen = interpret_lanes(it, 1, false), *out = interpret_result(it, op, 0);
  Place p;
  uint8_t mark = 0;
  *out->i = 0;
  if (!find_place(it, *at.i, mark_at(&at, 0), e->size, 0, &p)) return;
  track_atomic(it, &p, 0);
  *seen.i = read_cell(&p, e, &mark).integer;
  *out->i = *seen.i == *expected.i;
  if (!*out->i && op->operand_count < 3)
    interpret_fail(it, INTERPRET_LIMIT, "a program waits for another one for ever");
}

void interpret_atomic(Interp *it, const Op *op) {
  Element e = pointee(it, interpret_operand_type(it, op, 0));
  bool cas = op->code == OP_TT_ATOMIC_CAS;
  if (op->operand_count < (cas ? 3 : 2)) interpret_ill_typed(it);
  if (op->code == OP_TT_ATOMIC_POLL) {
    run_poll(it, op, &e);
    return;
  }
  Update update = cas ? EXCHANGE : update_of(it, op, "atomic_rmw_op");
  Element result = interpret_element(it, interpret_result_type(it, op, 0));
  for (uint32_t i = 1; i <= (cas ? 2 : 1); i++)
    if (interpret_element(it, interpret_operand_type(it, op, i)).is_float != e.is_float) interpret_ill_typed(it);
  if (result.is_float != e.is_float || result.width != e.width) interpret_ill_typed(it);
  Lanes *out = interpret_result(it, op, 0);
  Lanes at = interpret_operand(it, op, 0, out->count), values = interpret_operand(it, op, cas ? 2 : 1, out->count);
  Lanes expected = cas ? interpret_operand(it, op, 1, out->count) : (Lanes){0};
  Lanes mask = cas ? (Lanes){0} : mask_of(it, op, 2, out->count);
  InterpretCell undefined = interpret_undefined(it, &e);
  interpret_spread(it, interpret_operand_type(it, op, 0), &at, &mask, NULL, e.size);
  for (int64_t k = 0; k < out->count; k++) {
    if (!takes_part(it, &mask, k)) {
      out->i[k] = undefined.integer;
      interpret_marks(it, out)[k] = MARK_UNDEFINED;
      continue;
    }
    InterpretCell wanted = {.integer = cas ? expected.i[k] : 0};
    uint8_t value_mark = interpret_join_marks(mark_at(&values, k), mark_at(&expected, k));
    update_lane(it, &e, update, cas ? &wanted : NULL, at.i[k], mark_at(&at, k), (InterpretCell){.integer = values.i[k]},
                value_mark, k, out);
  }
}

/* ---- block pointers and descriptors: base, shape.., strides.., offsets.., padding */

static const Type *block_type(Interp *it, TypeId type) {
  const Type *t = program_get_type(it->program, type);
  if (t->kind != TYPE_POINTER && t->kind != TYPE_DESCRIPTOR) interpret_ill_typed(it);
  const Type *block = program_get_type(it->program, t->element);
  if (block->kind != TYPE_TENSOR || it->batch != 1) interpret_ill_typed(it);
  return block;
}

static bool pads_with_nan(Interp *it, const Op *op) {
  const char *text = program_op_text(it->program, op, "padding");
  return text ? strstr(text, "nan") != NULL || strstr(text, "NAN") != NULL
              : program_op_int(it->program, op, "padding", 1) == 2;
}

void interpret_block_pointer(Interp *it, const Op *op) {
  const Type *block = block_type(it, interpret_result_type(it, op, 0));
  uint32_t rank = block->rank;
  Lanes *out;
  if (op->code == OP_TT_ADVANCE) {
    Lanes in = interpret_operand(it, op, 0, 2 + 3 * (int64_t)rank);
    if (op->operand_count != rank + 1) interpret_ill_typed(it);
    out = interpret_result(it, op, 0);
    memcpy(out->i, in.i, (size_t)out->count * sizeof *out->i);
    for (uint32_t d = 0; d < rank; d++)
      out->i[1 + 2 * rank + d] = interpret_wrap(32, out->i[1 + 2 * rank + d] + interpret_scalar(it, op, 1 + d));
    return;
  }
  bool descriptor = op->code == OP_TT_MAKE_TENSOR_DESCRIPTOR;
  uint32_t operands = 1 + rank * (descriptor ? 2 : 3);
  pointee(it, interpret_operand_type(it, op, 0));
  if (op->operand_count != operands) interpret_ill_typed(it);
  out = interpret_result(it, op, 0);
  memset(out->i, 0, (size_t)out->count * sizeof *out->i);
  for (uint32_t i = 0; i < operands; i++) out->i[i] = interpret_scalar(it, op, i);
  out->i[out->count - 1] = descriptor && pads_with_nan(it, op);
}

/* A block: where its lanes lie, and which of them are inside. */
typedef struct Box {
  Element element;
  uint32_t rank;
  int64_t dims[TYPE_MAX_RANK], offsets[TYPE_MAX_RANK], shape[TYPE_MAX_RANK], strides[TYPE_MAX_RANK], count, base;
  TypeId type;      /* of the tensor that it loads or stores */
  uint32_t checked; /* a bit for each dimension */
  bool nan;
} Box;

static Box open_box(Interp *it, const Op *op, uint32_t operand) {
  TypeId type = interpret_operand_type(it, op, operand);
  const Type *block = block_type(it, type);
  Box box = {.element = interpret_element(it, block->element), .rank = block->rank, .count = 1};
  Lanes in = interpret_operand(it, op, operand, 2 + 3 * (int64_t)block->rank);
  if (box.element.width > 64) interpret_ill_typed(it);
  for (uint32_t d = 0; d < box.rank; d++) {
    box.dims[d] = block->dims[d];
    box.shape[d] = in.i[1 + d];
    box.strides[d] = in.i[1 + box.rank + d];
    box.offsets[d] = in.i[1 + 2 * box.rank + d];
  }
  box.type = program_get_type(it->program, type)->element;
  box.count = interpret_lane_count(it, box.type);
  box.base = in.i[0];
  box.checked = UINT32_MAX;
  box.nan = in.i[in.count - 1] != 0;
  return box;
}

/* On which side of the shape: -1, 0 (inside), 1. */
static int side_of(const Box *box, uint32_t d, int64_t at) { return at < 0 ? -1 : at >= box->shape[d]; }

/* The addresses of the lanes, and which of them lie inside in the checked dimensions. */
static void box_addresses(Interp *it, const Box *box, Lanes *at, Lanes *mask) {
  *at = interpret_lanes(it, box->count, false);
  *mask = interpret_lanes(it, box->count, false);
  for (int64_t k = 0; k < box->count; k++) {
    uint64_t sum = (uint64_t)box->base;
    int64_t lane = k;
    bool inside = true, decided = false;
    uint8_t at_mark = 0, mask_mark = 0;
    for (uint32_t d = box->rank; d-- > 0;) {
      int64_t dim = interpret_dim(it, box->dims[d]), index = lane % dim,
              place = box->offsets[d] + interpret_position(it, box->dims[d], index);
      bool run = dim != box->dims[d] && (index == INTERPRET_SPARSE_HEAD || index == INTERPRET_SPARSE_HEAD + 1),
           checked = box->checked >> d & 1;
      int64_t other = box->offsets[d] + interpret_position(it, box->dims[d], 2 * INTERPRET_SPARSE_HEAD + 1 - index);
      lane /= dim;
      if (run) at_mark = MARK_AFFINE;
      if (run && checked && side_of(box, d, place) != side_of(box, d, other))
        mask_mark = MARK_VARIES;
      else if (checked && side_of(box, d, place))
        decided = true;
      if (checked && side_of(box, d, place)) inside = false;
      sum += (uint64_t)place * (uint64_t)box->strides[d] * box->element.size;
    }
    at->i[k] = (int64_t)sum;
    mask->i[k] = inside;
    if (at_mark) interpret_marks(it, at)[k] = at_mark;
    if (mask_mark && !decided) interpret_marks(it, mask)[k] = mask_mark;
  }
}

static void box_load(Interp *it, const Box *box, Lanes *out, bool padded) {
  if (out->count != box->count) interpret_ill_typed(it);
  InterpretCell pad = interpret_undefined(it, &box->element);
  if (padded && box->element.is_float)
    pad.real = box->nan ? NAN : 0;
  else if (padded)
    pad.integer = 0;
  Lanes at, mask;
  box_addresses(it, box, &at, &mask);
  for (int64_t k = 0; k < out->count; k++) {
    if (mask.i[k]) {
      load_lane(it, &box->element, at.i[k], 0, k, out);
      continue;
    }
    out->i[k] = pad.integer;
    if (!padded) interpret_marks(it, out)[k] = MARK_UNDEFINED;
  }
  mark_loaded(it, &at, &mask, out);
}

static void box_store(Interp *it, const Box *box, const Lanes *values) {
  if (values->count != box->count) interpret_ill_typed(it);
  Lanes at, mask;
  box_addresses(it, box, &at, &mask);
  interpret_spread(it, box->type, &at, &mask, values, box->element.size);
  for (int64_t k = 0; k < values->count; k++)
    if (mask.i[k])
      interpret_store_lane(it, &box->element, at.i[k], 0, (InterpretCell){.integer = values->i[k]}, mark_at(values, k),
                           k);
}

static void set_checked(Interp *it, const Op *op, Box *box) {
  int64_t dims[TYPE_MAX_RANK];
  uint32_t count = 0;
  box->checked = 0;
  interpret_attr_list(it, op, "boundaryCheck", dims, TYPE_MAX_RANK, &count);
  for (uint32_t i = 0; i < count; i++)
    if (dims[i] >= 0 && dims[i] < TYPE_MAX_RANK) box->checked |= 1u << dims[i];
}

static void want_element(Interp *it, const Box *box, TypeId type) {
  Element e = interpret_element(it, type);
  if (e.is_float != box->element.is_float || e.width != box->element.width) interpret_ill_typed(it);
}

static void load_block(Interp *it, const Op *op) {
  Box box = open_box(it, op, 0);
  want_element(it, &box, interpret_result_type(it, op, 0));
  set_checked(it, op, &box);
  bool padded = program_op_attr(it->program, op, "padding") != 0;
  box.nan = pads_with_nan(it, op);
  box_load(it, &box, interpret_result(it, op, 0), padded);
}

static void store_block(Interp *it, const Op *op) {
  Box box = open_box(it, op, 0);
  want_element(it, &box, interpret_operand_type(it, op, 1));
  set_checked(it, op, &box);
  Lanes values = interpret_operand(it, op, 1, box.count);
  box_store(it, &box, &values);
}

static void box_reduce(Interp *it, const Op *op, const Box *box, const Lanes *values) {
  Update update = update_of(it, op, "kind");
  Lanes old = interpret_lanes(it, values->count, false), at, mask;
  box_addresses(it, box, &at, &mask);
  interpret_spread(it, box->type, &at, &mask, NULL, box->element.size);
  for (int64_t k = 0; k < values->count; k++)
    if (mask.i[k])
      update_lane(it, &box->element, update, NULL, at.i[k], 0, (InterpretCell){.integer = values->i[k]},
                  mark_at(values, k), k, &old);
}

/* Rows at the x offsets: a box of one row for each. */
static void gather_rows(Interp *it, const Op *op, Box *box) {
  bool load = op->code == OP_TT_DESCRIPTOR_GATHER;
  if (op->operand_count != (load ? 3 : 4) || box->rank != 2) interpret_ill_typed(it);
  TypeId type = load ? interpret_result_type(it, op, 0) : interpret_operand_type(it, op, 3);
  const Type *tile = program_get_type(it->program, type);
  want_element(it, box, type);
  if (tile->kind != TYPE_TENSOR || tile->rank != 2) interpret_ill_typed(it);
  if (interpret_is_sparse(it, type)) interpret_need_lanes(it);
  int64_t rows = tile->dims[0], columns = tile->dims[1], lanes = interpret_lane_count(it, type);
  Lanes x = interpret_operand(it, op, 1, rows);
  Lanes *out = load ? interpret_result(it, op, 0) : NULL, values = load ? *out : interpret_operand(it, op, 3, lanes);
  box->offsets[1] = interpret_scalar(it, op, 2);
  box->dims[0] = 1;
  box->count = box->dims[1] = columns;
  for (int64_t r = 0; r < rows; r++) {
    box->offsets[0] = x.i[r];
    Lanes row = {.i = values.i + r * columns, .count = columns};
    if (values.mark) row.mark = values.mark + r * columns;
    if (!load) {
      box_store(it, box, &row);
      continue;
    }
    box_load(it, box, &row, true);
    if (row.mark) memcpy(interpret_marks(it, out) + r * columns, row.mark, (size_t)columns);
  }
}

void interpret_descriptor(Interp *it, const Op *op) {
  it->stamp++;
  Box box = open_box(it, op, 0);
  if (op->code == OP_TT_DESCRIPTOR_GATHER || op->code == OP_TT_DESCRIPTOR_SCATTER) {
    gather_rows(it, op, &box);
    return;
  }
  bool load = op->code == OP_TT_DESCRIPTOR_LOAD;
  uint32_t first = load ? 1 : 2;
  if (op->operand_count != first + box.rank) interpret_ill_typed(it);
  for (uint32_t d = 0; d < box.rank; d++) box.offsets[d] = interpret_scalar(it, op, first + d);
  if (load) {
    want_element(it, &box, interpret_result_type(it, op, 0));
    box_load(it, &box, interpret_result(it, op, 0), true);
    return;
  }
  want_element(it, &box, interpret_operand_type(it, op, 1));
  Lanes values = interpret_operand(it, op, 1, box.count);
  if (op->code == OP_TT_DESCRIPTOR_STORE)
    box_store(it, &box, &values);
  else
    box_reduce(it, op, &box, &values);
}

/* ---- elements as bytes */

static Element element_of(const Program *program, TypeId type) {
  Interp it = {.program = program};
  return interpret_element(&it, type);
}

uint32_t interpret_element_size(const Program *program, TypeId type) { return element_of(program, type).size; }

void interpret_decode(const Program *program, TypeId type, const void *bytes, int64_t count, InterpretCell *cells) {
  Element e = element_of(program, type);
  for (int64_t k = 0; k < count; k++) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)bytes + k * e.size, e.size);
    cells[k] = interpret_from_bits(&e, bits);
  }
}

void interpret_encode(const Program *program, TypeId type, const InterpretCell *cells, int64_t count, void *bytes) {
  Element e = element_of(program, type);
  for (int64_t k = 0; k < count; k++) {
    uint64_t bits = (uint64_t)interpret_bits(&e, cells[k]);
    memcpy((char *)bytes + k * e.size, &bits, e.size);
  }
}
