/* Machine: parameters, blocks, control flow, and the dispatch to the files of each kind of op (see execute.h).
 *
 * Control flow inside a function is a DAG of blocks (loops are scf ops): blocks run in an order where every predecessor
 * comes first, each under the disjunction of the conditions that lead to it; block arguments are selects over the
 * edges. An early return is just an edge that leaves. */
#include "execute/contents.h"
#include "execute/execute.h"

#include <stdio.h>
#include <string.h>

#include "execute/internal.h"

void execute_stop(Machine *ex, OpId op, ReasonCode code, const char *format, ...) {
  if (ex->effects->stop_code) return;
  char buffer[400];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  ex->effects->stop_code = code;
  ex->effects->stop_text = arena_copy(ex->arena, buffer, strlen(buffer));
  ex->effects->stop_op = op;
}

const char *execute_where(const Effects *ex, OpId id) {
  const char *file;
  uint32_t line, column;
  const Op *op = program_get_op(ex->program, id);
  if (program_op_line(ex->program, op->loc, &file, &line, &column)) {
    const char *slash = strrchr(file, '/');
    return arena_format(ex->arena, "%s:%u", slash ? slash + 1 : file, line);
  }
  LineColumn at = source_locate(ex->program->source, op->span.begin);
  return arena_format(ex->arena, "%s:%u", ex->program->source->name, at.line);
}

static void note(Machine *ex, OpId op, const char *text, Note *items, uint32_t count, bool *known) {
  (void)ex, (void)op;
  *known = false;
  for (uint32_t i = 0; i < count; i++) *known |= !strcmp(items[i].text, text);
}

void execute_note_rounding(Machine *ex, OpId op, const char *text) {
  bool known;
  const char *full = arena_format(ex->arena, "%s (%s)", text, execute_where(ex->effects, op));
  note(ex, op, full, ex->effects->roundings.data, ex->effects->roundings.count, &known);
  if (!known) array_push(ex->arena, &ex->effects->roundings, (Note){full, op});
}

void execute_note_accumulator(Machine *ex, OpId op, ValueId value) {
  const Program *p = ex->program;
  const Type *type = program_get_type(p, program_element_type(p, program_get_value(p, value)->type));
  if (type->kind == TYPE_FLOAT && type->format != FLOAT_F32 && type->format != FLOAT_F64 && type->format != FLOAT_F80)
    execute_note_rounding(ex, op, arena_format(ex->arena, "%s accumulator", program_float_name(type->format)));
}

void execute_note_opaque(Machine *ex, OpId op, const char *text) {
  bool known;
  const char *full = arena_format(ex->arena, "%s (%s)", text, execute_where(ex->effects, op));
  note(ex, op, full, ex->effects->opaque.data, ex->effects->opaque.count, &known);
  if (!known) array_push(ex->arena, &ex->effects->opaque, (Note){full, op});
}

Term execute_lane(Machine *ex, uint32_t axis, int64_t extent) {
  TermTable *tt = ex->tt;
  if (extent == 1) return tt->zero;
  const char *text = arena_format(ex->arena, "lane%u_%lld", axis, (long long)extent);
  Name name = intern_text(tt->names, text);
  for (uint32_t i = 0; i < tt->symbols.count; i++)
    if (tt->symbols.data[i].name == name && tt->symbols.data[i].role == SYMBOL_LANE) return tt->symbols.data[i].term;
  Term lane = term_symbol_new(tt, name, SORT_INT, SYMBOL_LANE);
  term_symbol(tt, lane)->axis = axis;
  return term_symbol_range(tt, lane, tt->zero, term_int(tt, extent - 1));
}

Term execute_axis(Machine *ex, uint32_t axis) {
  TermTable *tt = ex->tt;
  Name name = intern_text(tt->names, arena_format(ex->arena, "axis%u", axis));
  for (uint32_t i = 0; i < tt->symbols.count; i++)
    if (tt->symbols.data[i].name == name && tt->symbols.data[i].role == SYMBOL_LANE) return tt->symbols.data[i].term;
  Term lane = term_symbol_new(tt, name, SORT_INT, SYMBOL_LANE);
  term_symbol(tt, lane)->axis = axis;
  return term_symbol_range(tt, lane, tt->zero, 0);
}

Term execute_value(Machine *ex, ValueId value) {
  Term t = ex->values[value];
  if (!t) {
    const Value *v = program_get_value(ex->program, value);
    execute_stop(ex, v->op, REASON_UNSUPPORTED_VALUE, "a value of this kind is not executed yet");
    return ex->tt->zero;
  }
  return t;
}

void execute_set(Machine *ex, ValueId value, Term term) { ex->values[value] = term; }

void execute_want_equal(Machine *ex, Term a, Term b) {
  TermTable *tt = ex->tt;
  Term d = term_sub(tt, a, b);
  const ExecuteSample *samples = ex->effects->options.samples;
  for (uint32_t y = 1; samples && y < ex->effects->params.count; y++)
    for (uint32_t x = 0; x < y; x++) {
      const Param *p = &ex->effects->params.data[x], *q = &ex->effects->params.data[y];
      if (!samples[x].is_known || !samples[y].is_known || samples[x].value != samples[y].value || p->type != q->type)
        continue;
      if (p->is_pointer || q->is_pointer || p->symbol == q->symbol || !term_has_symbol(tt, d, q->symbol)) continue;
      if (term_replace(tt, d, q->symbol, p->symbol) != tt->zero) continue;
      ex->effects->want_equal = y, ex->effects->want_earlier = x;
      return;
    }
}

/* ---- parameters ---- */

/* The author's name; the parts of a descriptor share one, and go by the name in the text instead. A name of the grid's
 * is argN. */
static const char *unique_name(const Machine *ex, ValueId value) {
  const char *name = program_arg_name(ex->program, value);
  bool is_grid = !strncmp(name, "grid_", 5) || !strncmp(name, "pid_", 4);
  if (is_grid && name[strcspn(name, "_") + 1] >= 'x' && name[strcspn(name, "_") + 1] <= 'z' &&
      !name[strcspn(name, "_") + 2])
    return arena_format(ex->arena, "arg%u", ex->effects->params.count);
  for (uint32_t i = 0; i < ex->effects->params.count; i++)
    if (!strcmp(ex->effects->params.data[i].name, name))
      return intern_string(ex->program->names, program_get_value(ex->program, value)->name);
  return name;
}

const char *execute_size_name(const Effects *ex, const char *base, uint32_t axis) {
  const char *name = arena_format(ex->arena, "%s_d%u", base, axis);
  for (uint32_t i = 0; i < ex->params.count; i++)
    if (!strcmp(ex->params.data[i].name, name)) name = arena_format(ex->arena, "%s_", name), i = UINT32_MAX;
  return name;
}

static Analysis analysis_of(const Machine *ex) {
  return (Analysis){ex->arena, ex->program, ex->effects->extent, ex->effects->options.bindings, ex->dead};
}

static void make_params(Machine *ex) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  const Op *func = program_get_op(p, ex->function->op);
  const Block *entry = program_get_block(p, program_get_region(p, func->regions[0])->blocks.data[0]);
  bool *is_size = arena_array(ex->arena, bool, p->values.count);
  bool *is_count = arena_array(ex->arena, bool, p->values.count);
  bool *is_positive = arena_array(ex->arena, bool, p->values.count);
  bool *is_unsigned = arena_array(ex->arena, bool, p->values.count);
  Analysis analysis = analysis_of(ex);
  analysis_find_sizes(&analysis, is_size, is_count);
  analysis_find_signs(&analysis, is_positive);
  analysis_find_unsigned(&analysis, entry->first_arg, entry->arg_count, is_unsigned);
  for (uint32_t i = 0; i < entry->arg_count; i++) {
    ValueId value = entry->first_arg + i;
    const Type *type = program_value_type(p, value);
    Param param = {
        .name = unique_name(ex, value), .type = program_get_value(p, value)->type, .is_size = is_size[value]};
    Name name = intern_text(tt->names, param.name);
    if (ex->effects->options.bindings) param.given = ex->effects->options.bindings[i];
    param.is_count = is_count[value] && !param.given.is_constant;
    if (param.given.is_constant) param.is_size = false;
    if (type->kind == TYPE_POINTER) {
      param.is_pointer = true;
      param.element = type->element;
      param.is_unsigned = is_unsigned[value];
      TypeKind kind = program_get_type(p, type->element)->kind;
      TermSort sort = kind == TYPE_FLOAT ? SORT_REAL : kind == TYPE_POINTER ? SORT_PTR : SORT_INT;
      param.symbol = param.given.same_as ? ex->effects->params.data[param.given.same_as - 1].symbol
                                         : term_symbol_new(tt, name, sort, SYMBOL_TENSOR);
      const Type *element = program_get_type(p, type->element);
      if (sort == SORT_INT && element->kind == TYPE_INT && element->width > 1 && element->width <= 64 &&
          !param.given.same_as) { /* of every element */
        Int128 half = (Int128)1 << (element->width - 1), lo = param.is_unsigned ? 0 : -half;
        term_symbol_range(tt, param.symbol, term_new_rat(tt, (Rational){lo, 1}),
                          term_new_rat(tt, (Rational){lo + 2 * half - 1, 1}));
      }
      execute_set(ex, value, term_ptr(tt, param.symbol, tt->zero));
    } else if (type->kind == TYPE_FLOAT) {
      param.symbol = term_symbol_new(tt, name, SORT_REAL, SYMBOL_SCALAR);
      param.is_positive = is_positive[value] && !param.given.is_constant;
      if (param.is_positive) term_symbol(tt, param.symbol)->axis = SYMBOL_IS_POSITIVE;
      execute_set(ex, value, param.given.is_constant ? term_float(tt, param.given.real) : param.symbol);
    } else if ((type->kind == TYPE_INT && type->width > 1) || type->kind == TYPE_INDEX) {
      param.symbol = term_symbol_new(tt, name, SORT_INT, SYMBOL_SIZE);
      Int128 half = (Int128)1 << (type->width - 1);
      /* a size is read as a positive number either way, but a narrow one whose source says how far it goes */
      bool is_told = ex->program->is_host && program_arg_attr(p, ex->function, i, "unsigned");
      bool counts = param.is_size || param.is_count;
      param.is_unsigned = is_unsigned[value] && (!counts || (is_told && type->width < 32));
      param.is_halved = is_told && counts && !param.is_unsigned && !param.given.is_constant;
      bool is_name = ex->effects->options.samples && ex->effects->options.samples[i].is_name;
      Int128 least = param.is_size || is_name ? 1 : param.is_unsigned || param.is_count ? 0 : -half;
      Term hi = term_new_rat(tt, (Rational){param.is_unsigned ? 2 * half - 1 : half - 1, 1});
      term_symbol_range(tt, param.symbol, term_new_rat(tt, (Rational){least, 1}), hi);
      uint32_t same = ex->effects->options.samples ? ex->effects->options.samples[i].equal_to : 0;
      if (same && same <= i && term_sort(tt, ex->effects->params.data[same - 1].symbol) == SORT_INT)
        param.symbol = ex->effects->params.data[same - 1].symbol;
      Term number = param.is_unsigned ? term_wrap(tt, type->width, param.symbol) : param.symbol;
      execute_set(ex, value, param.given.is_constant ? term_int(tt, param.given.integer) : number);
    } else if (type->kind == TYPE_INT) {
      param.symbol = term_symbol_new(tt, name, SORT_INT, SYMBOL_SIZE);
      term_symbol_range(tt, param.symbol, tt->zero, tt->one);
      execute_set(ex, value,
                  param.given.is_constant ? term_bool(tt, param.given.integer != 0)
                                          : term_eq(tt, param.symbol, tt->one));
    } else {
      execute_stop(ex, ex->function->op, REASON_UNSUPPORTED_ARGUMENT, "argument %s has a type that is not executed yet",
                   param.name);
    }
    array_push(ex->arena, &ex->effects->params, param);
    if (!param.given.is_constant) continue;
    const char *text = type->kind == TYPE_FLOAT
                           ? arena_format(ex->arena, "%s = %.17g", param.name, param.given.real)
                           : arena_format(ex->arena, "%s = %lld", param.name, (long long)param.given.integer);
    array_push(ex->arena, &ex->effects->literals, (Note){text, ex->function->op});
  }
}

/* One for each parameter, where nothing is known of results. */
static void copy_samples(Machine *ex) {
  const Type *type = program_get_type(ex->program, ex->function->type);
  if (!ex->effects->options.samples || ex->effects->params.count <= type->rank) return;
  ExecuteSample *samples = arena_array(ex->arena, ExecuteSample, ex->effects->params.count);
  memcpy(samples, ex->effects->options.samples, type->rank * sizeof *samples);
  ex->effects->options.samples = samples;
}

static void make_grid(Machine *ex) {
  static const char *const pids[] = {"pid_x", "pid_y", "pid_z"}, *const grids[] = {"grid_x", "grid_y", "grid_z"};
  TermTable *tt = ex->tt;
  for (uint32_t i = 0; i < 3; i++) {
    ex->effects->grid[i] = term_symbol_new(tt, intern_text(tt->names, grids[i]), SORT_INT, SYMBOL_GRID);
    ex->effects->pid[i] = term_symbol_new(tt, intern_text(tt->names, pids[i]), SORT_INT, SYMBOL_PID);
    term_symbol(tt, ex->effects->grid[i])->axis = term_symbol(tt, ex->effects->pid[i])->axis = i;
    term_symbol_range(tt, ex->effects->grid[i], tt->one, term_int(tt, i ? 65535 : 2147483647));
    term_symbol_range(tt, ex->effects->pid[i], tt->zero, term_sub(tt, ex->effects->grid[i], tt->one));
  }
}

/* ---- constants ---- */

static Term decode_item(Machine *ex, const Attr *item, const Type *type) {
  TermTable *tt = ex->tt;
  if (type->kind == TYPE_FLOAT) return term_float(tt, program_float_decode(type->format, item->bits));
  if (type->kind == TYPE_INT && type->width == 1) return term_bool(tt, item->integer != 0);
  return term_int(tt, item->integer);
}

/* A dense constant of many elements: a chain of selects over the linear lane index, in runs. */
static Term dense_constant(Machine *ex, const Attr *attr, const Type *tensor, const Type *element) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  Term linear = tt->zero;
  for (uint32_t i = 0; i < tensor->rank; i++)
    linear = term_add(tt, term_scale(tt, rational_int(tensor->dims[i]), linear), execute_lane(ex, i, tensor->dims[i]));
  Term value = decode_item(ex, program_get_attr(p, attr->items[attr->count - 1]), element);
  for (uint32_t i = attr->count - 1; i-- > 0;) {
    Term item = decode_item(ex, program_get_attr(p, attr->items[i]), element);
    if (item != value || i == 0) value = term_select(tt, term_le(tt, linear, term_int(tt, i)), item, value);
  }
  return value;
}

static Term constant(Machine *ex, const Op *op, OpId id) {
  const Program *p = ex->program;
  const Attr *attr = program_get_attr(p, program_op_attr(p, op, "value"));
  TypeId type_id = program_get_value(p, op->first_result)->type;
  const Type *type = program_get_type(p, type_id), *element = program_get_type(p, program_element_type(p, type_id));
  if (attr->kind == ATTR_DENSE && attr->count == 1)
    return decode_item(ex, program_get_attr(p, attr->items[0]), element);
  if (attr->kind == ATTR_DENSE && attr->count > 1 && attr->count <= 4096)
    return dense_constant(ex, attr, type, element);
  if (attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT || attr->kind == ATTR_BOOL)
    return decode_item(ex, attr, element);
  execute_stop(ex, id, REASON_UNSUPPORTED_CONSTANT, "this form of constant is not executed yet");
  return ex->tt->zero;
}

/* ---- control flow ---- */

static void execute_if(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  Term condition = execute_value(ex, op->operands[0]), path = ex->path;
  Term *then_results = arena_array(ex->arena, Term, op->result_count + 1);
  Term *else_results = arena_array(ex->arena, Term, op->result_count + 1);
  (void)id;
  ex->path = term_and(tt, path, condition);
  if (ex->path != tt->false_)
    execute_region(ex, op->regions[0], op->result_count, then_results);
  else
    condition = tt->false_;
  ex->path = term_and(tt, path, term_not(tt, condition));
  if (op->region_count > 1 && program_get_region(ex->program, op->regions[1])->blocks.count && ex->path != tt->false_)
    execute_region(ex, op->regions[1], op->result_count, else_results);
  ex->path = path;
  for (uint32_t i = 0; i < op->result_count && !execute_stopped(ex); i++) {
    Term a = then_results[i], b = else_results[i];
    bool is_array = program_value_type(ex->program, program_result(op, i))->kind == TYPE_ARRAY;
    execute_set(ex, program_result(op, i),
                !a         ? b
                : !b       ? a
                : is_array ? execute_merge_arrays(tt, condition, a, b)
                           : term_select(tt, condition, a, b));
  }
}

/* The id of the program along the operation's axis, or the number of programs there. */
static Term program_along(Machine *ex, const Op *op) {
  uint32_t axis = (uint32_t)program_op_int(ex->program, op, "axis", 0);
  bool is_alone = ex->effects->options.is_alone[axis];
  if (op->code == OP_TT_GET_PROGRAM_ID) return is_alone ? ex->tt->zero : ex->effects->pid[axis];
  return is_alone ? ex->tt->one : ex->effects->grid[axis];
}

static bool execute_leaf(Machine *ex, const Op *op, OpId id) {
  const Program *p = ex->program;
  if (op->code == OP_TT_MAKE_RANGE) return execute_shape(ex, op, id);
  if (op->code == OP_ARITH_CONSTANT) {
    Term value = constant(ex, op, id);
    ex->writes_nan |= term_kind(ex->tt, value) == TERM_NAN;
    execute_set(ex, op->first_result, value);
  } else if (op->code == OP_TT_GET_PROGRAM_ID || op->code == OP_TT_GET_NUM_PROGRAMS)
    execute_set(ex, op->first_result, program_along(ex, op));
  else { /* poison, undef */
    const Type *element = program_get_type(p, program_element_type(p, program_get_value(p, op->first_result)->type));
    TermSort sort = element->kind == TYPE_FLOAT ? SORT_REAL : element->width == 1 ? SORT_BOOL : SORT_INT;
    execute_set(ex, op->first_result, term_undef(ex->tt, sort, id));
  }
  return true;
}

static bool execute_control(Machine *ex, const Op *op, OpId id) {
  if (op->code == OP_TT_CALL) return false; /* inlined before */
  if (op->code == OP_SCF_IF)
    execute_if(ex, op, id);
  else if (op->code == OP_SCF_FOR)
    execute_for(ex, op, id);
  else if (op->code == OP_SCF_WHILE)
    execute_while(ex, op, id);
  else { /* execute_region */
    Term *results = arena_array(ex->arena, Term, op->result_count + 1);
    execute_region(ex, op->regions[0], op->result_count, results);
    for (uint32_t i = 0; i < op->result_count; i++) execute_set(ex, program_result(op, i), results[i]);
  }
  return true;
}

/* false: it is not executed yet. */
static bool execute_op(Machine *ex, const Op *op, OpId id) {
  switch (program_op_family(op->code)) {
  case OP_FAMILY_LEAF: return execute_leaf(ex, op, id);
  case OP_FAMILY_INT:
  case OP_FAMILY_SHIFT:
  case OP_FAMILY_DIVISION:
  case OP_FAMILY_WIDE:
  case OP_FAMILY_BITS:
  case OP_FAMILY_WIDTH:
  case OP_FAMILY_SELECT: return execute_integer(ex, op, id);
  case OP_FAMILY_COMPARE: return op->code == OP_ARITH_CMPI ? execute_integer(ex, op, id) : execute_float(ex, op, id);
  case OP_FAMILY_FLOAT:
  case OP_FAMILY_FUNCTION:
  case OP_FAMILY_CONVERT: return execute_float(ex, op, id);
  case OP_FAMILY_EXTERN:
    return op->code == OP_TT_EXTERN_ELEMENTWISE ? execute_float(ex, op, id) : execute_shape(ex, op, id);
  case OP_FAMILY_BITCAST: return op->code == OP_TT_PTR_TO_INT ? execute_memory(ex, op, id) : execute_shape(ex, op, id);
  case OP_FAMILY_SPREAD:
  case OP_FAMILY_PERMUTE:
  case OP_FAMILY_COMBINE: return execute_shape(ex, op, id);
  case OP_FAMILY_FOLD: return execute_reduce(ex, op, id);
  case OP_FAMILY_MEMORY:
  case OP_FAMILY_BLOCK: return execute_memory(ex, op, id);
  case OP_FAMILY_ARRAY: return execute_array(ex, op, id);
  case OP_FAMILY_CLAIM: execute_statement(ex, id, execute_value(ex, op->operands[0])); return true;
  case OP_FAMILY_IDLE: return true;
  case OP_FAMILY_CONTROL: return execute_control(ex, op, id);
  case OP_FAMILY_NONE:
  case OP_FAMILY_END:
  case OP_FAMILY_WHOLE: return false;
  }
  return false;
}

void execute_one(Machine *ex, OpId id) {
  const Op *op = program_get_op(ex->program, id);
  guard_tick(ex->arena->guard);
  if (ex->dead[id]) return;
  if (ex->undefined && op->region_count) execute_note_undefined(ex, op, id); /* a branch: before its sides */
  if (!execute_op(ex, op, id))
    execute_stop(ex, id, REASON_UNSUPPORTED_OP, "%s is not executed yet", intern_string(ex->program->names, op->name));
  if (!execute_stopped(ex)) execute_record(ex, op, id);
  if (ex->undefined && !op->region_count) execute_note_undefined(ex, op, id);
}

void execute_block(Machine *ex, BlockId block, uint32_t first) {
  if (ex->depth > 200) guard_throw(ex->arena->guard, GUARD_LIMIT, "regions nested deeper than 200");
  ex->depth++;
  for (uint32_t i = first; i < program_get_block(ex->program, block)->ops.count && !execute_stopped(ex); i++) {
    OpId id = program_get_block(ex->program, block)->ops.data[i];
    const Op *op = program_get_op(ex->program, id);
    if (program_op_family(op->code) != OP_FAMILY_END)
      execute_one(ex, id);
    else if (ex->undefined)
      execute_note_undefined(ex, op, id);
  }
  ex->depth--;
}

/* Reverse postorder over the successors. */
static void visit_block(const Program *p, BlockId block, uint8_t *state, BlockId *order, uint32_t *count, bool *cycle,
                        uint32_t depth) {
  if (state[block] || depth > 4000) {
    *cycle |= state[block] == 1 || depth > 4000;
    return;
  }
  state[block] = 1;
  const Block *b = program_get_block(p, block);
  if (b->ops.count) {
    const Op *last = program_get_op(p, b->ops.data[b->ops.count - 1]);
    for (uint32_t i = 0; i < last->successor_count; i++)
      visit_block(p, last->successors[i].block, state, order, count, cycle, depth + 1);
  }
  state[block] = 2;
  order[(*count)++] = block;
}

static void follow_edge(Machine *ex, const Successor *edge, Term condition, Term *reach) {
  TermTable *tt = ex->tt;
  const Block *target = program_get_block(ex->program, edge->block);
  for (uint32_t i = 0; i < edge->arg_count; i++) {
    ValueId arg = target->first_arg + i;
    Term value = execute_value(ex, edge->args[i]);
    execute_set(ex, arg, reach[edge->block] ? term_select(tt, condition, value, ex->values[arg]) : value);
  }
  reach[edge->block] = reach[edge->block] ? term_or(tt, reach[edge->block], condition) : condition;
}

static void leave_region(Machine *ex, const Op *last, Term condition, uint32_t result_count, Term *results) {
  if (last->code == OP_TT_RETURN) {
    ex->returned = ex->returned ? term_or(ex->tt, ex->returned, condition) : condition;
    ex->return_op = (OpId)(last - ex->program->ops.data);
  }
  for (uint32_t i = 0; i < result_count && i < last->operand_count; i++) {
    Term value = execute_value(ex, last->operands[i]);
    results[i] = results[i] ? term_select(ex->tt, condition, value, results[i]) : value;
  }
}

void execute_region(Machine *ex, RegionId region_id, uint32_t result_count, Term *results) {
  const Program *p = ex->program;
  TermTable *tt = ex->tt;
  const Region *region = program_get_region(p, region_id);
  Term path = ex->path;
  if (region->blocks.count == 1) {
    BlockId only = region->blocks.data[0];
    execute_block(ex, only, 0);
    const Block *b = program_get_block(p, only);
    if (!execute_stopped(ex) && b->ops.count)
      leave_region(ex, program_get_op(p, b->ops.data[b->ops.count - 1]), tt->true_, result_count, results);
    return;
  }
  BlockId *order = arena_array(ex->arena, BlockId, region->blocks.count + 1);
  uint8_t *state = arena_array(ex->arena, uint8_t, p->blocks.count);
  Term *reach = arena_array(ex->arena, Term, p->blocks.count);
  uint32_t count = 0;
  bool cycle = false;
  visit_block(p, region->blocks.data[0], state, order, &count, &cycle, 0);
  if (cycle) {
    execute_stop(ex, region->parent, REASON_UNSUPPORTED_CFG, "a loop made of branches is not executed yet");
    return;
  }
  reach[region->blocks.data[0]] = path;
  for (uint32_t i = count; i-- > 0 && !execute_stopped(ex);) {
    BlockId block = order[i];
    ex->path = reach[block];
    if (!ex->path || ex->path == tt->false_) continue;
    execute_block(ex, block, 0);
    if (execute_stopped(ex)) break;
    const Block *b = program_get_block(p, block);
    const Op *last = program_get_op(p, b->ops.data[b->ops.count - 1]);
    if (last->code == OP_CF_BR)
      follow_edge(ex, &last->successors[0], reach[block], reach);
    else if (last->code == OP_CF_COND_BR) {
      Term c = execute_value(ex, last->operands[0]);
      follow_edge(ex, &last->successors[0], term_and(tt, reach[block], c), reach);
      follow_edge(ex, &last->successors[1], term_and(tt, reach[block], term_not(tt, c)), reach);
    } else
      leave_region(ex, last, reach[block], result_count, results);
  }
  ex->path = path;
}

/* A lane of which a mask leaves nothing but 0 (lane < N, where N is set to 1) moves no address. */
static void pin_lanes(Machine *ex) {
  TermTable *tt = ex->tt;
  for (uint32_t i = 0; i < ex->effects->accesses.count; i++) {
    Access *a = &ex->effects->accesses.data[i];
    uint32_t parts = term_kind(tt, a->mask) == TERM_AND ? term_count(tt, a->mask) : 1;
    for (uint32_t k = 0; k < parts; k++) {
      Term part = term_kind(tt, a->mask) == TERM_AND ? term_arg(tt, a->mask, k) : a->mask;
      if (term_kind(tt, part) != TERM_LE || term_count(tt, part) != 1) continue;
      Term lane = term_arg(tt, part, 0);
      if (term_kind(tt, lane) == TERM_SYM && term_symbol(tt, lane)->role == SYMBOL_LANE)
        a->offset = term_replace(tt, a->offset, lane, tt->zero);
    }
  }
}

static Machine *make_machine(Arena *arena, TermTable *tt, const Program *program, const Function *function,
                             ExecuteOptions options) {
  Machine *ex = arena_new(arena, Machine);
  Effects *effects = arena_new(arena, Effects);
  Term *values = arena_array(arena, Term, program->values.count + 1);
  *effects = (Effects){.arena = arena,
                       .tt = tt,
                       .program = program,
                       .function = function,
                       .options = options,
                       .extent = program_extent(program, function)};
  *ex = (Machine){.effects = effects,
                  .arena = arena,
                  .tt = tt,
                  .program = program,
                  .function = function,
                  .values = values,
                  .newest = arena_array(arena, uint32_t, program->ops.count + 1),
                  .path = tt->true_};
  return ex;
}

Effects *execute_function(Arena *arena, TermTable *tt, const Program *program, const Function *function,
                          ExecuteOptions options) {
  Machine *ex = make_machine(arena, tt, program, function, options);
  Analysis analysis = analysis_of(ex);
  ex->dead = analysis_find_dead(&analysis);
  if (options.keeps_infinities) ex->undefined = arena_array(arena, Term, program->values.count + 1);
  make_grid(ex);
  make_params(ex);
  Term *results = arena_array(arena, Term, program_result_count(program, function) + 1);
  execute_make_results(ex);
  copy_samples(ex);
  if (!execute_stopped(ex))
    execute_region(ex, program_get_op(program, function->op)->regions[0], program_result_count(program, function),
                   results);
  if (!execute_stopped(ex)) execute_store_results(ex, results);
  if (options.carries_memory) contents_finish(ex);
  if (!execute_stopped(ex)) execute_unite_blocks(ex);
  pin_lanes(ex);
  if (!execute_stopped(ex)) execute_find_preconditions(ex->effects);
  return ex->effects;
}
