/* Runs a function: its operations in order, each by the handler that stands under its name in table.def. */
#include <stdio.h>

#include "mlir/internal.h"

const MlirHandler mlir_handlers[] = {
#define OP(name, handler) {name, handler, NULL, MLIR_OTHER, false},
#define PLACES(name, handler) {name, handler, NULL, MLIR_PLACES, false},
#define LANES(name, handler) {name, handler, NULL, MLIR_OTHER, true},
#define LANES_PLACES(name, handler) {name, handler, NULL, MLIR_PLACES, true},
#define SCALAR(name, handler) {name, NULL, handler, MLIR_OTHER, false},
#define DIVIDES(name, handler) {name, NULL, handler, MLIR_DIVIDES, false},
#include "mlir/table.def"
#undef OP
#undef PLACES
#undef LANES
#undef LANES_PLACES
#undef SCALAR
#undef DIVIDES
};
const uint32_t mlir_handler_count = sizeof mlir_handlers / sizeof *mlir_handlers;

MlirFamily mlir_family(const char *name) {
  for (uint32_t i = 0; i < mlir_handler_count; i++)
    if (!strcmp(mlir_handlers[i].name, name)) return mlir_handlers[i].family;
  return MLIR_OTHER;
}

/* ---- what stops ---- */

bool mlir_stop(Mlir *m, const Op *op, ReasonCode code, const char *format, ...) {
  char message[300];
  va_list args;
  if (m->run->stop_code) return false;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  m->run->stop_code = code;
  m->run->stop_text = arena_copy(m->arena, message, strlen(message));
  LineColumn at = source_locate(m->p->source, op->span.begin);
  m->run->stop_text = arena_format(m->arena, "%s:%u: %s", m->p->source->name, at.line, message);
  return false;
}

bool mlir_unsupported(Mlir *m, const Op *op) {
  return mlir_stop(m, op, REASON_UNSUPPORTED_OP, "%s is not executed in this form",
                   intern_string(m->p->names, op->name));
}

void mlir_undefined(Mlir *m, Term condition) { m->ub = term_or(m->tt, m->ub, term_and(m->tt, m->path, condition)); }

void mlir_undefined_at(Mlir *m, Cell cell) { mlir_undefined(m, cell.poison); }

/* ---- constants and poison ---- */

bool mlir_constant_op(Mlir *m, const Op *op) {
  const char *name = intern_string(m->p->names, op->name);
  AttrId id = program_op_attr(m->p, op, "value");
  if (!id) id = program_op_attr(m->p, op, "values");
  const Attr *a = program_get_attr(m->p, id);
  MlirValue v;
  TypeId type = program_get_value(m->p, op->first_result)->type;
  if (!strncmp(name, "index.", 6) && (a->kind == ATTR_INT || a->kind == ATTR_BOOL)) {
    Term t = a->kind == ATTR_BOOL ? term_bool(m->tt, a->integer & 1) : term_int(m->tt, a->integer);
    mlir_set(m, op, 0, mlir_scalar((Cell){t, m->tt->false_}, type));
    return true;
  }
  if (a->kind == ATTR_INT || a->kind == ATTR_FLOAT || a->kind == ATTR_BOOL)
    v = mlir_scalar(mlir_constant(m, a), type);
  else if (!mlir_dense(m, a, &v))
    return mlir_unsupported(m, op);
  mlir_set(m, op, 0, v);
  return true;
}

bool mlir_poison_op(Mlir *m, const Op *op) {
  TypeId type = program_get_value(m->p, op->first_result)->type;
  const Type *t = mlir_type(m, type);
  Term extents[MLIR_RANK];
  TypeId element = t->kind == TYPE_TENSOR ? t->element : type;
  if (t->kind == TYPE_MEMREF || t->kind == TYPE_OPAQUE) return mlir_unsupported(m, op);
  for (uint32_t i = 0; t->kind == TYPE_TENSOR && i < t->rank; i++) {
    if (t->dims[i] == TYPE_DYNAMIC) return mlir_unsupported(m, op);
    extents[i] = term_int(m->tt, t->dims[i]);
  }
  Cell cell = {mlir_width(m, element) == 1 ? m->tt->false_ : m->tt->zero, m->tt->true_};
  MlirValue v = mlir_scalar(cell, element);
  if (t->kind == TYPE_TENSOR) v = mlir_tensor_new(m, element, t->rank, extents), v.cell = cell;
  mlir_set(m, op, 0, v);
  return true;
}

/* ---- operations ---- */

static TypeId element_type(const Mlir *m, TypeId type) {
  return mlir_type(m, type)->kind == TYPE_TENSOR ? mlir_type(m, type)->element : type;
}

enum { SCALAR_OPERANDS = 4 };

/* arith.select of two memrefs. */
static bool run_select(Mlir *m, const Op *op) {
  if (op->operand_count != 3 || strcmp(intern_string(m->p->names, op->name), "arith.select") != 0)
    return mlir_unsupported(m, op);
  const MlirValue *c = mlir_operand(m, op, 0), *a = mlir_operand(m, op, 1), *b = mlir_operand(m, op, 2);
  if (c->kind != MLIR_SCALAR || a->kind != MLIR_MEMREF || b->kind != MLIR_MEMREF || a->rank != b->rank)
    return mlir_unsupported(m, op);
  mlir_undefined_at(m, c->cell);
  mlir_set(m, op, 0, mlir_choose_memref(m, mlir_as_bool(m->tt, c->cell.value), a, b));
  return true;
}

/* A scalar operation; on tensors element by element, which have one shape. */
static bool run_scalar(Mlir *m, const Op *op, ScalarHandler *handler) {
  TypeId types[SCALAR_OPERANDS + 1];
  Cell in[SCALAR_OPERANDS], out[2] = {{0}};
  const MlirValue *shape = NULL;
  if (op->operand_count > SCALAR_OPERANDS || !op->operand_count || !op->result_count || op->result_count > 2)
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const MlirValue *v = mlir_operand(m, op, i);
    if (v->kind == MLIR_MEMREF) return run_select(m, op);
    if (v->kind == MLIR_NONE) return mlir_unsupported(m, op);
    if (v->kind == MLIR_TENSOR && !shape) shape = v;
    types[i] = element_type(m, program_get_value(m->p, op->operands[i])->type);
  }
  TypeId result = program_get_value(m->p, op->first_result)->type;
  types[op->operand_count] = element_type(m, result);
  if ((mlir_type(m, result)->kind == TYPE_TENSOR) != (shape != NULL)) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const MlirValue *v = mlir_operand(m, op, i);
    if (v->kind == MLIR_TENSOR && v->rank != shape->rank) return mlir_unsupported(m, op);
    for (uint32_t k = 0; v->kind == MLIR_TENSOR && k < shape->rank; k++)
      mlir_need_equal(m, v->extent[k], shape->extent[k]);
    in[i] = v->kind == MLIR_TENSOR ? mlir_element(m, v, shape->index) : v->cell;
  }
  Term before = m->ub;
  m->ub = m->tt->false_;
  bool good = handler(m, op, in, types, out);
  Term own = m->ub;
  m->ub = before;
  mlir_undefined(m, shape ? mlir_any(m, shape->rank, shape->index, shape->extent, own) : own);
  if (!good) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    TypeId type = element_type(m, program_get_value(m->p, op->first_result + i)->type);
    MlirValue v = shape ? *shape : mlir_scalar(out[i], type);
    v.element = type, v.cell = out[i];
    mlir_need_type(m, &v, program_get_value(m->p, op->first_result + i)->type);
    mlir_set(m, op, i, v);
  }
  return true;
}

/* What is of another type (i128, a vector of scalable size, ..) is not executed, whatever makes it. Memrefs of vectors
 * are executed where the table says so. */
static bool has_values(const Mlir *m, const Op *op, const MlirHandler *h) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const MlirValue *v = &m->values[op->operands[i]];
    if (v->kind != MLIR_MEMREF) continue;
    if ((v->lanes && !h->knows_lanes) || mlir_type(m, v->element)->kind == TYPE_TENSOR) return false;
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    const Type *t = program_value_type(m->p, op->first_result + i);
    if (t->kind == TYPE_MEMREF && h->knows_lanes && mlir_type(m, t->element)->kind == TYPE_TENSOR)
      t = mlir_type(m, t->element);
    if (t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF) t = mlir_type(m, t->element);
    if (t->kind == TYPE_OPAQUE && intern_string(m->p->names, t->text)[0] == '!') continue; /* !tosa.shape<2> */
    if (t->kind != TYPE_INT && t->kind != TYPE_INDEX && t->kind != TYPE_FLOAT) return false;
  }
  return true;
}

static bool run_op(Mlir *m, const Op *op) {
  const MlirHandler *h = op->name < m->name_count ? m->handler_of[op->name] : NULL;
  guard_tick(m->arena->guard);
  if (!h || !has_values(m, op, h)) return mlir_unsupported(m, op);
  return h->op ? h->op(m, op) : run_scalar(m, op, h->scalar);
}

/* What holds where the operations so far are defined is a fact for those behind them: in memory and loops, places that
 * are apart are told by it. */
static void add_facts(Mlir *m, Term undefined) {
  TermTable *tt = m->tt;
  if (!m->uses_facts || undefined == tt->false_) return;
  if (term_kind(tt, undefined) == TERM_OR) {
    for (uint32_t i = 0; i < term_count(tt, undefined); i++) add_facts(m, term_arg(tt, undefined, i));
    return;
  }
  uint32_t before = tt->facts.count;
  mlir_push_fact(tt, term_not(tt, undefined));
  for (uint32_t i = before; i < tt->facts.count; i++) array_push(tt->arena, &m->run->facts, tt->facts.data[i]);
}

bool mlir_is_top(const Mlir *m, const Op *parent) {
  return m->depth == 0 && !m->in_loop && parent == program_get_op(m->p, m->run->function->op);
}

void mlir_end_step(Mlir *m, OpId op, Term before) {
  array_push(m->arena, &m->run->steps, (MlirStep){op, m->ub});
  add_facts(m, m->ub);
  m->ub = before;
}

bool mlir_run_block(Mlir *m, BlockId id) {
  const Block *block = program_get_block(m->p, id);
  bool top = mlir_is_top(m, program_get_op(m->p, program_get_region(m->p, block->region)->parent));
  for (uint32_t i = 0; i < block->ops.count; i++) {
    Term before = m->ub;
    if (top) m->ub = m->tt->false_;
    m->yield_count = 0;
    if (!run_op(m, program_get_op(m->p, block->ops.data[i]))) {
      m->run->stop_op = m->run->stop_op ? m->run->stop_op : block->ops.data[i];
      return false;
    }
    if (top) mlir_end_step(m, block->ops.data[i], before);
  }
  return true;
}

bool mlir_run_region(Mlir *m, const Op *op, uint32_t r, const MlirValue *arguments, uint32_t count) {
  const Region *region = program_get_region(m->p, op->regions[r]);
  if (region->blocks.count > 1) return mlir_run_graph(m, op, r, arguments, count);
  if (!region->blocks.count) return mlir_unsupported(m, op);
  const Block *block = program_get_block(m->p, region->blocks.data[0]);
  if (block->arg_count > count) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < block->arg_count; i++) m->values[block->first_arg + i] = arguments[i];
  return mlir_run_block(m, region->blocks.data[0]);
}

/* How often something was done that is seen from elsewhere. */
static uint32_t effect_count(const Mlir *m) {
  uint32_t count = m->run->calls.count + m->memory.dead.count + m->memory.readonly.count;
  for (uint32_t i = 0; i < m->memory.spaces.count; i++) count += m->memory.spaces.data[i].writes.count;
  return count;
}

bool mlir_run_body(Mlir *m, const Op *op, const MlirValue *arguments, uint32_t count) {
  uint32_t effects = effect_count(m);
  if (!mlir_run_region(m, op, 0, arguments, count)) return false;
  return effect_count(m) == effects || mlir_unsupported(m, op);
}

/* ---- functions ---- */

static MlirValue argument(MlirWorld *world, const Program *p, TypeId type, const char *name, uint32_t number) {
  const Type *t = program_get_type(p, type);
  TermTable *tt = world->tt;
  if (t->kind == TYPE_MEMREF) return mlir_memref_argument(world, p, type, name, number);
  bool is_tensor = t->kind == TYPE_TENSOR;
  const Type *e = program_get_type(p, is_tensor ? t->element : type);
  MlirValue v = {.kind = is_tensor ? MLIR_TENSOR : MLIR_SCALAR, .element = is_tensor ? t->element : type};
  if (e->kind != TYPE_INT && e->kind != TYPE_INDEX && e->kind != TYPE_FLOAT) return (MlirValue){.kind = MLIR_NONE};
  TermSort sort = mlir_element_sort(world->is_real, e);
  Term symbol = term_symbol_new(tt, intern_text(tt->names, name), sort, SYMBOL_TENSOR);
  mlir_element_range(tt, symbol, e);
  v.rank = is_tensor ? t->rank : 0;
  for (uint32_t i = 0; i < v.rank; i++) {
    if (t->dims[i] != TYPE_DYNAMIC) {
      v.extent[i] = term_int(tt, t->dims[i]);
    } else {
      Name size = intern_text(tt->names, arena_format(tt->arena, "%s_d%u", name, i));
      v.extent[i] = term_symbol_new(tt, size, SORT_INT, SYMBOL_SIZE);
      term_symbol_range(tt, v.extent[i], tt->zero, t->text ? term_int(tt, INT64_MAX) : mlir_greatest_size(tt, e));
    }
    v.index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, v.index[i], tt->zero, term_sub(tt, v.extent[i], tt->one));
  }
  Term value = term_read(tt, symbol, sort, v.rank, v.index);
  if (e->kind == TYPE_INT && e->width == 1) value = term_not(tt, term_eq(tt, value, tt->zero));
  v.cell = (Cell){value, tt->false_};
  return v;
}

MlirValue *mlir_arguments(MlirWorld *world, const Program *p, const Function *f) {
  const Type *type = program_get_type(p, f->type);
  const Op *op = program_get_op(p, f->op);
  const Block *entry = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  MlirValue *arguments = arena_array(world->tt->arena, MlirValue, type->rank + 1);
  for (uint32_t i = 0; i < type->rank; i++)
    arguments[i] = argument(world, p, type->members[i], program_arg_name(p, entry->first_arg + i), i);
  return arguments;
}

static void fill_handlers(Mlir *m) {
  for (uint32_t i = 0; i < mlir_handler_count; i++) {
    Name name = intern_text(m->p->names, mlir_handlers[i].name);
    if (name >= m->name_count) {
      uint32_t room = name + 256;
      m->handler_of =
          arena_grow(m->arena, m->handler_of, m->name_count * sizeof *m->handler_of, room * sizeof *m->handler_of);
      m->name_count = room;
    }
    m->handler_of[name] = &mlir_handlers[i];
  }
}

bool mlir_has_memory_or_loops(const Program *p, const Function *f) {
  ProgramExtent extent = program_extent(p, f);
  for (OpId id = extent.first_op; id < extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    const char *name = intern_string(p->names, op->name);
    if (!strncmp(name, "scf.for", 7) || !strncmp(name, "affine.", 7) || !strncmp(name, "cf.", 3) ||
        !strcmp(name, "scf.parallel") || !strcmp(name, "scf.while"))
      return true;
    for (uint32_t i = 0; i < op->operand_count; i++)
      if (program_value_type(p, op->operands[i])->kind == TYPE_MEMREF) return true;
    if (op->result_count && program_value_type(p, op->first_result)->kind == TYPE_MEMREF) return true;
  }
  return false;
}

static Term number(Mlir *m, const Type *type, const MlirNumber *n) {
  if (type->kind == TYPE_FLOAT) return floats_constant(&m->floats, type->format, n->real);
  if (type->kind == TYPE_INT && type->width == 1) return term_bool(m->tt, n->integer != 0);
  return term_int(m->tt, n->integer);
}

static void run_function(Mlir *m, const Op *op, const MlirValue *arguments, uint32_t count) {
  uint32_t facts = m->tt->facts.count;
  for (uint32_t i = 0; i < m->run->facts.count; i++) mlir_push_fact(m->tt, m->run->facts.data[i]);
  bool good = mlir_run_region(m, op, 0, arguments, count);
  term_pop_facts(m->tt, facts); /* which say that it is defined */
  m->run->ub = m->ub;
  for (uint32_t i = 0; i < m->run->steps.count; i++) m->run->ub = term_or(m->tt, m->run->ub, m->run->steps.data[i].ub);
  if (good) {
    mlir_end_stack(m, 0);
    m->run->memory = m->memory;
    m->run->result_count = m->yield_count;
    m->run->results = arena_array(m->arena, MlirValue, m->yield_count + 1);
    memcpy(m->run->results, m->yielded, sizeof *m->yielded * m->yield_count);
  }
}

Term mlir_fits_index(TermTable *tt, const MlirValue *v) {
  Term count = tt->one;
  for (uint32_t d = 0; d < v->rank; d++) count = term_mul(tt, count, v->extent[d]);
  return term_le(tt, count, term_int(tt, INT64_MAX));
}

MlirRun mlir_execute(Arena *arena, MlirWorld *world, const Program *p, const Function *f, const MlirValue *arguments,
                     MlirFlags flags, const MlirRun *before) {
  TermTable *tt = world->tt;
  MlirRun run = {.program = p, .function = f};
  Mlir m = {.arena = arena,
            .tt = tt,
            .world = world,
            .p = p,
            .path = tt->true_,
            .ub = tt->false_,
            .flags = flags,
            .run = &run};
  bool own_loops = mlir_has_memory_or_loops(p, f);
  m.uses_facts = own_loops || flags.keeps_facts;
  m.arguments = arguments, m.argument_count = program_get_type(p, f->type)->rank;
  for (uint32_t i = 0; before && i < before->apart.count; i++) array_push(arena, &run.apart, before->apart.data[i]);
  for (uint32_t i = 0; before && i < before->facts.count; i++)
    if (before->facts.data[i] != tt->true_ && before->facts.data[i] != tt->false_)
      array_push(arena, &run.facts, before->facts.data[i]);
  const Type *type = program_get_type(p, f->type);
  const Op *op = program_get_op(p, f->op);
  m.values = run.values = arena_array(arena, MlirValue, p->values.count + 1);
  floats_init(&m.floats, tt, flags.reassociate && !flags.real, flags.ieee);
  m.floats.real = flags.real, m.floats.undefined = flags.total ? NULL : &m.ub, m.floats.path = &m.path;
  m.floats.no_greatest = flags.total ? &run.no_greatest : NULL;
  fill_handlers(&m);
  for (uint32_t i = 0; i < type->rank; i++)
    if (arguments[i].kind == MLIR_NONE) {
      mlir_stop(&m, op, REASON_UNSUPPORTED_OP, "an argument of this type is not executed");
      return run;
    }
  MlirValue *own = arena_array(arena, MlirValue, type->rank + 1);
  for (uint32_t i = 0; i < type->rank; i++) { /* types are numbers of a program, and these may be another's */
    const Type *t = program_get_type(p, type->members[i]);
    own[i] = arguments[i];
    own[i].element = t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF ? t->element : type->members[i];
    if (flags.numbers && flags.numbers[i].is_set) own[i].cell.value = number(&m, t, &flags.numbers[i]);
  }
  m.arguments = own;
  for (uint32_t i = 1; own_loops && i < p->values.count; i++) { /* loops carry all that there is */
    const Type *t = program_value_type(p, (ValueId)i);
    if (t->kind != TYPE_MEMREF) continue;
    const Type *element = program_get_type(p, t->element);
    TypeId held = element->kind == TYPE_TENSOR ? element->element : t->element; /* of vectors, their lanes */
    TypeKind kind = program_get_type(p, held)->kind;
    if (kind == TYPE_INT || kind == TYPE_INDEX || kind == TYPE_FLOAT) mlir_space(&m, held);
  }
  mlir_enter_globals(&m);
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < type->rank; i++)
    if (own[i].rank > 1) mlir_push_fact(tt, mlir_fits_index(tt, &own[i]));
  run_function(&m, op, own, type->rank);
  term_pop_facts(tt, facts);
  if (run.stop_code) return run;
  if (run.result_count != type->member_count - type->rank)
    mlir_stop(&m, op, REASON_UNSUPPORTED_OP, "the results do not fit the function's type");
  return run;
}
