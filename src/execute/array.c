/* Contents of arrays as values: one term over a lane symbol for each axis, of any extent.
 *
 *   empty                undefined
 *   fill v               v; of a row, that row for every index
 *   insert v, a[i, ..]   where(lane0 == i and .., v, a); the lanes of a row move behind the indices
 *   extract a[i, ..]     a at lane0 = i, ..; the lanes that are left move to the front
 *
 * So a loop carries an array as it carries any tensor, and what it writes element by element is closed by the
 * recurrences of loops/recurrence.c: the value of the last iteration that wrote there. */
#include "execute/internal.h"

static const Type *type_of(const Machine *ex, ValueId value) { return program_value_type(ex->program, value); }

static TermSort sort_of(const Machine *ex, const Type *array) {
  const Type *element = program_get_type(ex->program, array->element);
  return element->kind == TYPE_FLOAT                        ? SORT_REAL
         : element->kind == TYPE_INT && element->width == 1 ? SORT_BOOL
                                                            : SORT_INT;
}

/* t with its first `count` lanes moved by `by` axes. */
static Term move_lanes(Machine *ex, Term t, uint32_t from, uint32_t count, int by) {
  Term old[TYPE_MAX_RANK], now[TYPE_MAX_RANK];
  for (uint32_t k = 0; k < count; k++) {
    old[k] = execute_axis(ex, from + k);
    now[k] = execute_axis(ex, (uint32_t)((int)(from + k) + by));
  }
  return count ? term_substitute(ex->tt, t, (TermMap){count, old, now}) : t;
}

typedef struct Written {
  uint32_t count;
  Term index[TYPE_MAX_RANK], lane[TYPE_MAX_RANK];
} Written;

/* What the array held at that index is what it held at the lane, where the two are one. */
static Term put_lanes(TermTable *tt, Term t, void *payload) {
  const Written *w = payload;
  if (term_kind(tt, t) != TERM_READ || term_count(tt, t) != w->count + 1) return t;
  if (term_symbol(tt, term_arg(tt, t, 0))->role != SYMBOL_CARRY) return t;
  for (uint32_t k = 0; k < w->count; k++)
    if (term_arg(tt, t, k + 1) != w->index[k]) return t;
  return term_read(tt, term_arg(tt, t, 0), term_sort(tt, t), w->count, w->lane);
}

static void insert(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  Written w = {0};
  Term value = execute_value(ex, op->operands[0]), array = execute_value(ex, op->operands[1]), here = tt->true_;
  uint32_t count = op->operand_count - 2;
  const Type *part = type_of(ex, op->operands[0]);
  if (execute_stopped(ex)) return;
  if (part->kind == TYPE_ARRAY) value = move_lanes(ex, value, 0, part->rank, (int)count);
  for (uint32_t k = 0; k < count; k++) {
    w.lane[w.count] = execute_axis(ex, k), w.index[w.count++] = execute_value(ex, op->operands[2 + k]);
    here = term_and(tt, here, term_eq(tt, w.lane[k], w.index[k]));
  }
  if (part->kind != TYPE_ARRAY) value = term_transform(tt, value, put_lanes, &w);
  execute_set(ex, op->first_result, term_select(tt, here, value, array));
}

/* What an array holds beyond its lengths. Values that were written may be undefined too, such as those of an array
 * that is made without any ("unset"). */
static bool is_beyond(const Machine *ex, Term t) {
  uint32_t id = term_kind(ex->tt, t) == TERM_UNDEF ? term_aux(ex->tt, t) : 0;
  const Op *op = id ? program_get_op(ex->program, id) : NULL;
  return op && op->code == OP_ARRAY_EMPTY && !program_op_attr(ex->program, op, "unset");
}

/* An element that was written: what lies beyond the lengths is not it. */
static Term as_written(const Machine *ex, Term t) {
  TermTable *tt = ex->tt;
  if (term_kind(tt, t) != TERM_SELECT) return t;
  Term yes = as_written(ex, term_arg(tt, t, 1)), no = as_written(ex, term_arg(tt, t, 2));
  if (is_beyond(ex, yes)) return no;
  return is_beyond(ex, no) ? yes : term_select(tt, term_arg(tt, t, 0), yes, no);
}

static void extract(Machine *ex, const Op *op) {
  uint32_t count = op->operand_count - 1, rank = type_of(ex, op->operands[0])->rank;
  Term array = execute_value(ex, op->operands[0]), old[TYPE_MAX_RANK], now[TYPE_MAX_RANK];
  if (execute_stopped(ex) || rank > TYPE_MAX_RANK) return;
  for (uint32_t k = 0; k < rank; k++) {
    old[k] = execute_axis(ex, k);
    now[k] = k < count ? execute_value(ex, op->operands[1 + k]) : execute_axis(ex, k - count);
  }
  Term element = term_substitute(ex->tt, array, (TermMap){rank, old, now});
  bool written = program_op_attr(ex->program, op, "written") != 0;
  execute_set(ex, op->first_result, written ? as_written(ex, element) : element);
}

/* The writes that make `all` of the base, each where the condition holds too; 0: it is no such chain. */
static Term write_where(TermTable *tt, Term condition, Term all, Term base) {
  if (all == base) return base;
  Term rest = term_kind(tt, all) == TERM_SELECT ? write_where(tt, condition, term_arg(tt, all, 2), base) : 0;
  return rest ? term_select(tt, term_and(tt, condition, term_arg(tt, all, 0)), term_arg(tt, all, 1), rest) : 0;
}

/* Both write one place of what was there: that place is written, with what the condition chooses. Where one of them
 * writes nothing, a write has the condition beside its place. */
Term execute_merge_arrays(TermTable *tt, Term condition, Term a, Term b) {
  bool writes = term_kind(tt, a) == TERM_SELECT && term_kind(tt, b) == TERM_SELECT;
  if (writes && a != b && term_arg(tt, a, 0) == term_arg(tt, b, 0) && term_arg(tt, a, 2) == term_arg(tt, b, 2))
    return term_select(tt, term_arg(tt, a, 0), term_select(tt, condition, term_arg(tt, a, 1), term_arg(tt, b, 1)),
                       term_arg(tt, a, 2));
  Term written = write_where(tt, condition, a, b);
  if (!written) written = write_where(tt, term_not(tt, condition), b, a);
  return written ? written : term_select(tt, condition, a, b);
}

/* The path, and that each loop around runs at all. */
static Term inside_loops(const Machine *ex) {
  TermTable *tt = ex->tt;
  Term path = ex->path;
  for (uint32_t i = 0; i < ex->counter_count; i++)
    if (ex->counter_end[i] != ex->counters[i]) path = term_and(tt, path, term_le(tt, tt->zero, ex->counter_end[i]));
  return path;
}

bool execute_array(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  if (op->code == OP_ARRAY_EMPTY) {
    execute_set(ex, op->first_result, term_undef(tt, sort_of(ex, type_of(ex, op->first_result)), id));
  } else if (op->code == OP_ARRAY_FILL) {
    const Type *part = type_of(ex, op->operands[0]);
    Term value = execute_value(ex, op->operands[0]);
    if (part->kind == TYPE_ARRAY) value = move_lanes(ex, value, 0, part->rank, 1);
    execute_set(ex, op->first_result, value);
  } else if (op->code == OP_ARRAY_INSERT) {
    insert(ex, op);
  } else if (op->code == OP_ARRAY_EXTRACT) {
    extract(ex, op);
  } else if (op->code == OP_ARRAY_REQUIRE) {
    Term condition = execute_value(ex, op->operands[0]);
    if (program_op_attr(ex->program, op, "preferred")) {
      if (condition != tt->true_ && !execute_stopped(ex))
        execute_prefer(ex, condition, program_op_text(ex->program, op, "msg"), id);
      return true;
    }
    if (condition != tt->true_ && !execute_stopped(ex))
      array_push(ex->arena, &ex->effects->required,
                 (RequiredNeed){condition, inside_loops(ex), program_op_text(ex->program, op, "msg"), id});
  } else {
    return false;
  }
  return true;
}
