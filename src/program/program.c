/* The program form: hash-consed types, attribute look-up, number formats, names of locations (see program.h).
 *
 * Slot 0 of every array is a dummy, so that id 0 means "none". Types are found through one open-addressing table
 * (`type_slots`); attributes and locations are not shared. A float format is exponent bits, mantissa bits, a bias
 * and one of three conventions for infinity and NaN, so one decoder and one encoder serve all of them. */
#include "program/program.h"

#include <math.h>
#include <string.h>

static const char *const opcode_names[OP_COUNT] = {
    "none",
    "unknown",
#define OP(id, name, ...) name,
#include "program/ops.def"
#undef OP
};

enum { EFFECT, TERMINATOR, FUNCTION, REGIONS, PARTIAL, PURE };

static const struct {
  uint8_t trait, family;
} op_traits[OP_COUNT + 1] = {
#define OP(id, name, low, high, results, traits, family, ...) [OP_##id] = {traits, OP_FAMILY_##family},
#include "program/ops.def"
#undef OP
};

OpFamily program_op_family(Opcode code) { return (OpFamily)op_traits[code].family; }
bool program_op_is_pure(Opcode code) { return op_traits[code].trait >= PARTIAL; }
bool program_op_is_total(Opcode code) { return op_traits[code].trait == PURE; }

const char *program_opcode_name(Opcode code) { return code < OP_COUNT ? opcode_names[code] : "?"; }

Program *program_new(Arena *arena, InternTable *names, Source *source) {
  Program *p = arena_new(arena, Program);
  p->arena = arena;
  p->names = names;
  p->source = source;
  array_push(arena, &p->types, (Type){0});
  array_push(arena, &p->attrs, (Attr){0});
  array_push(arena, &p->locs, (Loc){0});
  array_push(arena, &p->values, (Value){0});
  array_push(arena, &p->ops, (Op){0});
  array_push(arena, &p->blocks, (Block){0});
  array_push(arena, &p->regions, (Region){0});
  p->type_slot_count = 64;
  p->type_slots = arena_array(arena, uint32_t, p->type_slot_count);
  return p;
}

/* ---- types */

static uint64_t hash_type(const Type *t) {
  uint64_t head[5] = {(uint64_t)t->kind << 32 | t->width, (uint64_t)t->sign << 32 | (uint64_t)t->format,
                      (uint64_t)t->address_space << 32 | t->rank, (uint64_t)t->element << 32 | t->text,
                      t->member_count};
  uint64_t h = hash_bytes(head, sizeof head, 7);
  if (t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF) h = hash_bytes(t->dims, t->rank * sizeof *t->dims, h);
  return hash_bytes(t->members, t->member_count * sizeof *t->members, h);
}

static bool same_type(const Type *a, const Type *b) {
  if (a->kind != b->kind || a->width != b->width || a->sign != b->sign || a->format != b->format ||
      a->address_space != b->address_space || a->rank != b->rank || a->element != b->element || a->text != b->text ||
      a->member_count != b->member_count)
    return false;
  if ((a->kind == TYPE_TENSOR || a->kind == TYPE_MEMREF) && a->rank &&
      memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) != 0)
    return false;
  return !a->member_count || !memcmp(a->members, b->members, a->member_count * sizeof *a->members);
}

static uint32_t find_slot(const Program *p, const Type *type) {
  uint32_t mask = p->type_slot_count - 1, i = (uint32_t)hash_type(type) & mask;
  while (p->type_slots[i] && !same_type(&p->types.data[p->type_slots[i]], type)) i = (i + 1) & mask;
  return i;
}

TypeId program_type(Program *p, const Type *type) {
  uint32_t slot = find_slot(p, type);
  if (p->type_slots[slot]) return p->type_slots[slot];
  TypeId id = p->types.count;
  Type copy = *type;
  if (copy.member_count) {
    TypeId *members = arena_array(p->arena, TypeId, copy.member_count);
    memcpy(members, type->members, copy.member_count * sizeof *members);
    copy.members = members;
  }
  array_push(p->arena, &p->types, copy);
  p->type_slots[slot] = id;
  if (p->types.count * 2 > p->type_slot_count) {
    p->type_slot_count *= 2;
    p->type_slots = arena_array(p->arena, uint32_t, p->type_slot_count);
    for (TypeId t = 1; t < p->types.count; t++) p->type_slots[find_slot(p, &p->types.data[t])] = t;
  }
  return id;
}

TypeId program_type_int(Program *p, uint32_t width) {
  return program_type(p, &(Type){.kind = TYPE_INT, .width = width});
}

TypeId program_type_float(Program *p, FloatFormat format) {
  return program_type(p, &(Type){.kind = TYPE_FLOAT, .width = program_float_bits(format), .format = format});
}

TypeId program_type_tensor(Program *p, TypeId element, uint32_t rank, const int64_t *dims) {
  Type type = {.kind = TYPE_TENSOR, .element = element, .rank = rank};
  if (rank > TYPE_MAX_RANK) guard_throw(p->arena->guard, GUARD_LIMIT, "tensor of rank %u", rank);
  if (rank) memcpy(type.dims, dims, rank * sizeof *dims);
  return program_type(p, &type);
}

TypeId program_type_pointer(Program *p, TypeId element) {
  return program_type(p, &(Type){.kind = TYPE_POINTER, .element = element, .address_space = 1});
}

TypeId program_type_array(Program *p, TypeId element, uint32_t rank) {
  if (rank > TYPE_MAX_RANK) guard_throw(p->arena->guard, GUARD_LIMIT, "array of rank %u", rank);
  return program_type(p, &(Type){.kind = TYPE_ARRAY, .element = element, .rank = rank});
}

TypeId program_element_type(const Program *p, TypeId type) {
  const Type *t = program_get_type(p, type);
  return t->kind == TYPE_TENSOR ? t->element : type;
}

int64_t program_lane_count(const Program *p, TypeId type) {
  const Type *t = program_get_type(p, type);
  int64_t lanes = 1;
  if (t->kind == TYPE_TENSOR)
    for (uint32_t i = 0; i < t->rank; i++)
      if (__builtin_mul_overflow(lanes, t->dims[i], &lanes)) return INT64_MAX;
  return lanes;
}

TypeId program_type_with_element(Program *p, TypeId shape, TypeId element) {
  Type type = *program_get_type(p, shape);
  if (type.kind != TYPE_TENSOR) return element;
  type.element = element;
  return program_type(p, &type);
}

static void print_dims(const Type *t, Text *out) {
  for (uint32_t i = 0; i < t->rank; i++)
    if (t->dims[i] == TYPE_DYNAMIC)
      text_add(out, "?x");
    else
      text_format(out, "%lldx", (long long)t->dims[i]);
}

static void print_list(const Program *p, const TypeId *types, uint32_t count, Text *out) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_add(out, ", ");
    program_type_print(p, types[i], out);
  }
}

static void print_function(const Program *p, const Type *t, Text *out) {
  uint32_t results = t->member_count - t->rank;
  bool bare = results == 1 && program_get_type(p, t->members[t->rank])->kind != TYPE_FUNCTION;
  text_add(out, "(");
  print_list(p, t->members, t->rank, out);
  text_add(out, bare ? ") -> " : ") -> (");
  if (results) print_list(p, t->members + t->rank, results, out);
  if (!bare) text_add(out, ")");
}

void program_type_print(const Program *p, TypeId type, Text *out) {
  const Type *t = program_get_type(p, type);
  switch (t->kind) {
  case TYPE_NONE: text_add(out, "<none>"); break;
  case TYPE_INT: text_format(out, "%si%u", t->sign == 0 ? "" : t->sign == 1 ? "s" : "u", t->width); break;
  case TYPE_INDEX: text_add(out, "index"); break;
  case TYPE_FLOAT: text_add(out, program_float_name(t->format)); break;
  case TYPE_POINTER:
    text_add(out, "!tt.ptr<");
    program_type_print(p, t->element, out);
    if (t->address_space != 1) text_format(out, ", %u", t->address_space);
    text_add(out, ">");
    break;
  case TYPE_TENSOR:
    text_add(out, "tensor<");
    print_dims(t, out);
    program_type_print(p, t->element, out);
    if (t->text) text_format(out, ", %s", intern_string(p->names, t->text));
    text_add(out, ">");
    break;
  case TYPE_DESCRIPTOR:
    text_add(out, "!tt.tensordesc<");
    program_type_print(p, t->element, out);
    text_add(out, ">");
    break;
  case TYPE_ARRAY:
    text_add(out, "!assay.array<");
    for (uint32_t i = 0; i < t->rank; i++) text_add(out, "?x");
    program_type_print(p, t->element, out);
    text_add(out, ">");
    break;
  case TYPE_FUNCTION: print_function(p, t, out); break;
  case TYPE_MEMREF:
    text_add(out, "memref<");
    print_dims(t, out);
    program_type_print(p, t->element, out);
    if (t->text) text_format(out, ", %s", intern_string(p->names, t->text));
    text_add(out, ">");
    break;
  case TYPE_OPAQUE: text_add(out, intern_string(p->names, t->text)); break;
  }
}

/* ---- attributes */

AttrId program_op_attr(const Program *p, const Op *op, const char *name) {
  for (uint32_t i = 0; i < op->attr_count; i++)
    if (!strcmp(intern_string(p->names, op->attrs[i].name), name)) return op->attrs[i].value;
  return 0;
}

AttrId program_arg_attr(const Program *p, const Function *f, uint32_t argument, const char *name) {
  AttrId id = f->arg_attrs && argument < program_get_type(p, f->type)->rank ? f->arg_attrs[argument] : 0;
  const Attr *dictionary = program_get_attr(p, id);
  for (uint32_t k = 0; id && dictionary->kind == ATTR_DICT && k < dictionary->count; k++)
    if (!strcmp(intern_string(p->names, dictionary->keys[k]), name)) return dictionary->items[k];
  return 0;
}

const AttrId *program_arg_shape(const Program *p, const Function *f, uint32_t argument, uint32_t *rank) {
  AttrId id = program_arg_attr(p, f, argument, PROGRAM_SHAPE);
  const Attr *shape = program_get_attr(p, id);
  if (!id || shape->kind != ATTR_ARRAY || shape->count < 1 || shape->count > TYPE_MAX_RANK) return NULL;
  *rank = shape->count;
  return shape->items;
}

void program_note_host(Program *p) {
  const Op *module = program_get_op(p, p->module);
  p->is_host = program_op_attr(p, module, PROGRAM_HOST) != 0;
  p->reads_behind = program_op_attr(p, module, PROGRAM_READS_BEHIND) != 0;
}

int64_t program_op_int(const Program *p, const Op *op, const char *name, int64_t otherwise) {
  AttrId id = program_op_attr(p, op, name);
  const Attr *attr = program_get_attr(p, id);
  if (id && attr->kind == ATTR_UNIT) return 1;
  return id && (attr->kind == ATTR_INT || attr->kind == ATTR_BOOL) ? attr->integer : otherwise;
}

bool program_op_literal(const Program *p, const Op *op, int64_t *out) {
  AttrId attr = op && op->code == OP_ARITH_CONSTANT ? program_op_attr(p, op, "value") : 0;
  if (!attr) return false;
  const Attr *a = program_get_attr(p, attr);
  if (a->kind == ATTR_DENSE && a->count == 1) a = program_get_attr(p, a->items[0]);
  *out = a->integer;
  return a->kind == ATTR_INT;
}

const char *program_op_text(const Program *p, const Op *op, const char *name) {
  AttrId id = program_op_attr(p, op, name);
  const Attr *attr = program_get_attr(p, id);
  bool text = attr->kind == ATTR_STRING || attr->kind == ATTR_KEYWORD || attr->kind == ATTR_SYMBOL;
  return id && text ? intern_string(p->names, attr->text) : NULL;
}

/* ---- number formats */

typedef enum Convention { IEEE, FN /* no infinity, all ones is NaN */, FNUZ /* no infinity, -0 is NaN */ } Convention;

static const struct FormatRow {
  const char *name;
  int bits, exponent, mantissa, bias;
  Convention convention;
} formats[FLOAT_FORMAT_COUNT] = {
    [FLOAT_F16] = {"f16", 16, 5, 10, 15, IEEE},
    [FLOAT_BF16] = {"bf16", 16, 8, 7, 127, IEEE},
    [FLOAT_F32] = {"f32", 32, 8, 23, 127, IEEE},
    [FLOAT_F64] = {"f64", 64, 11, 52, 1023, IEEE},
    [FLOAT_F80] = {"f80", 128, 11, 52, 1023, IEEE},
    [FLOAT_TF32] = {"tf32", 19, 8, 10, 127, IEEE},
    [FLOAT_F8E4M3FN] = {"f8E4M3FN", 8, 4, 3, 7, FN},
    [FLOAT_F8E4M3FNUZ] = {"f8E4M3FNUZ", 8, 4, 3, 8, FNUZ},
    [FLOAT_F8E4M3B11FNUZ] = {"f8E4M3B11FNUZ", 8, 4, 3, 11, FNUZ},
    [FLOAT_F8E5M2] = {"f8E5M2", 8, 5, 2, 15, IEEE},
    [FLOAT_F8E5M2FNUZ] = {"f8E5M2FNUZ", 8, 5, 2, 16, FNUZ},
};

uint32_t program_float_bits(FloatFormat format) { return (uint32_t)formats[format].bits; }
const char *program_float_name(FloatFormat format) { return formats[format].name; }

double program_float_decode(FloatFormat format, uint64_t bits) {
  const struct FormatRow *f = &formats[format];
  uint64_t ones = (1ull << f->exponent) - 1, fraction = bits & ((1ull << f->mantissa) - 1);
  uint64_t field = bits >> f->mantissa & ones;
  bool negative = bits >> (f->exponent + f->mantissa) & 1;
  double value;
  if (f->convention == IEEE && field == ones)
    value = fraction ? NAN : INFINITY;
  else if (f->convention == FN && field == ones && fraction == (1ull << f->mantissa) - 1)
    value = NAN;
  else if (f->convention == FNUZ && negative && !field && !fraction)
    return NAN;
  else if (!field)
    value = ldexp((double)fraction, 1 - f->bias - f->mantissa);
  else
    value = ldexp((double)(fraction | 1ull << f->mantissa), (int)field - f->bias - f->mantissa);
  return negative ? -value : value;
}

static uint64_t encode_nan(const struct FormatRow *f) {
  if (f->convention == FNUZ) return 1ull << (f->exponent + f->mantissa);
  uint64_t top = ((1ull << f->exponent) - 1) << f->mantissa;
  return f->convention == FN ? top | ((1ull << f->mantissa) - 1) : top | 1ull << (f->mantissa - 1);
}

uint64_t program_float_encode(FloatFormat format, double value) {
  const struct FormatRow *f = &formats[format];
  uint64_t bits;
  if (format == FLOAT_F64 || format == FLOAT_F80) {
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  if (isnan(value)) return encode_nan(f);
  uint64_t sign = signbit(value) ? 1ull << (f->exponent + f->mantissa) : 0, unit = 1ull << f->mantissa;
  uint64_t top = ((1ull << f->exponent) - 1) << f->mantissa; /* infinity of IEEE */
  if (value == 0) return f->convention == FNUZ ? 0 : sign;
  double size = fabs(value);
  bool over = isinf(size) != 0;
  bits = 0;
  if (!over) {
    int exponent = ilogb(size);
    if (exponent < 1 - f->bias) exponent = 1 - f->bias;
    if (exponent > f->bias + 2) exponent = f->bias + 2; /* far over: keep the scaled number small enough */
    double scaled = nearbyint(ldexp(size, f->mantissa - exponent));
    /* A carry out of the mantissa runs into the exponent field by itself. */
    if (scaled < (double)unit)
      bits = (uint64_t)scaled;
    else if (scaled > 4 * (double)unit)
      over = true;
    else
      bits = ((uint64_t)(exponent + f->bias) << f->mantissa) + ((uint64_t)scaled - unit);
  }
  uint64_t greatest = f->convention == IEEE ? top - 1 : f->convention == FN ? (top | (unit - 1)) - 1 : top | (unit - 1);
  if (over || bits > greatest) return f->convention == IEEE ? sign | top : encode_nan(f);
  return f->convention == FNUZ && !bits ? 0 : sign | bits;
}

/* ---- locations */

enum { LOC_DEPTH = 64 }; /* hostile text can make a cycle of aliases */

/* Of Triton's own library (tl.sum, tl.cdiv, ...): not what the kernel's author has written. */
static bool is_of_library(const char *file) { return strstr(file, "/triton/language/") != NULL; }

bool program_op_line(const Program *p, LocId loc, const char **file, uint32_t *line, uint32_t *column) {
  LocId callers[LOC_DEPTH];
  uint32_t count = 0;
  for (int i = 0; i < LOC_DEPTH && loc; i++) {
    const Loc *l = &p->locs.data[loc];
    if (l->kind == LOC_CALLSITE && l->caller) callers[count++] = l->caller;
    bool outer = l->kind == LOC_FILE && count && is_of_library(intern_string(p->names, l->text));
    if (l->kind == LOC_FILE && !outer) {
      *file = intern_string(p->names, l->text);
      *line = l->line;
      if (column) *column = l->column;
      return true;
    }
    loc = outer ? callers[--count] : l->child;
  }
  return false;
}

const char *program_author_name(const Program *p, LocId loc) {
  for (int i = 0; i < LOC_DEPTH && loc; i++) {
    const Loc *l = &p->locs.data[loc];
    if (l->kind == LOC_NAME) return intern_string(p->names, l->text);
    loc = l->child;
  }
  return NULL;
}

const char *program_arg_name(const Program *p, ValueId arg) {
  const Value *value = program_get_value(p, arg);
  const char *name = program_author_name(p, value->loc);
  return name ? name : intern_string(p->names, value->name);
}

const char *program_variable_name(const Program *p, ValueId value) {
  const char *name = program_arg_name(p, value), *end = name ? strrchr(name, '_') : NULL;
  bool is_numbered = end && end[1] && !end[1 + strspn(end + 1, "0123456789")];
  if (!is_numbered || program_author_name(p, program_get_value(p, value)->loc)) return name;
  Name base = intern_text(p->names, arena_format(p->arena, "%.*s", (int)(end - name), name));
  for (ValueId v = 1; v < p->values.count; v++)
    if (program_get_value(p, v)->name == base) return intern_string(p->names, base);
  return name;
}

/* ---- the extent of a function ---- */

static void take_values(ProgramExtent *extent, ValueId first, uint32_t count) {
  if (!count) return;
  if (first < extent->first_value) extent->first_value = first;
  if (first + count > extent->end_value) extent->end_value = first + count;
}

static bool measure(const Program *p, OpId id, ProgramExtent *extent, uint32_t depth) {
  const Op *op = program_get_op(p, id);
  if (op->code == OP_TT_CALL || depth > 256) return false;
  if (id < extent->first_op) extent->first_op = id;
  if (id >= extent->end_op) extent->end_op = id + 1;
  take_values(extent, op->first_result, op->result_count);
  for (uint32_t r = 0; r < op->region_count; r++) {
    const Region *region = program_get_region(p, op->regions[r]);
    for (uint32_t b = 0; b < region->blocks.count; b++) {
      const Block *block = program_get_block(p, region->blocks.data[b]);
      take_values(extent, block->first_arg, block->arg_count);
      for (uint32_t i = 0; i < block->ops.count; i++)
        if (!measure(p, block->ops.data[i], extent, depth + 1)) return false;
    }
  }
  return true;
}

ProgramExtent program_extent(const Program *p, const Function *function) {
  ProgramExtent extent = {.first_op = UINT32_MAX, .first_value = UINT32_MAX};
  if (!measure(p, function->op, &extent, 0)) return (ProgramExtent){1, (OpId)p->ops.count, 0, (ValueId)p->values.count};
  if (extent.first_value > extent.end_value) extent.first_value = extent.end_value;
  return extent;
}

uint32_t program_result_count(const Program *p, const Function *function) {
  const Type *type = program_get_type(p, function->type);
  return type->member_count - type->rank;
}

TypeId program_result_type(const Program *p, const Function *function, uint32_t i) {
  const Type *type = program_get_type(p, function->type);
  return type->members[type->rank + i];
}

bool program_asks_for_id(const Program *p, const Function *function, uint32_t axis) {
  ProgramExtent extent = program_extent(p, function);
  for (OpId id = extent.first_op; id < extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    if (op->code == OP_TT_GET_PROGRAM_ID && program_op_int(p, op, "axis", 0) == axis) return true;
  }
  return false;
}
