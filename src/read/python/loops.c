/* Loops: what they run over, and what they carry.
 *
 * A `for` is a counted loop over 64-bit numbers: of range(a, b, s) the numbers themselves where s is a positive
 * constant, else which iteration it is. A loop carries the contents of the slots that its body changes, and of the
 * names that its body assigns those that are read before that, or behind the loop: which these are is found out by
 * lowering it (FACT_NEEDED, FACT_SLOT). */
#include <string.h>

#include "read/python/lower.h"

static const char accumulator[] = "sum."; /* no name of Python's: what a call of sum has added up */

/* ---- what a loop carries ---- */

typedef struct CarriedName {
  const char *name;
  NumberType type;
} CarriedName;

typedef struct CarriedSlot {
  uint32_t slot, level; /* 1: elements, 2: lengths too, 3: lengths of their own for each row */
} CarriedSlot;

typedef struct Carry {
  const PyNode *node;
  NameTexts names; /* that the body assigns */
  Array(CarriedName) carried;
  Array(CarriedSlot) slots;
  Array(ValueId) values;
  uint32_t slot_count; /* those before the loop */
  Array(Slot) head;    /* at the beginning of an iteration */
} Carry;

/* What the loop may assign, its flags among it. */
static void note_names(Lower *l, Carry *c, const PyNode *scope, const char *going) {
  NameTexts all = {0}, bound = {0};
  py_assigned(l->arena, scope, true, &all);
  py_assigned(l->arena, scope, false, &bound);
  for (uint32_t i = 0; i < all.count; i++) { /* x += y leaves the name of an array where it is */
    const PyValue *v = py_own_binding(l, l->frame, all.data[i]);
    bool stays = v && v->kind == PYV_ARRAY;
    for (uint32_t k = 0; stays && k < bound.count; k++) stays = strcmp(bound.data[k], all.data[i]) != 0;
    if (!stays) array_push(l->arena, &c->names, all.data[i]);
  }
  if (going) array_push(l->arena, &c->names, going);
  if (!py_contains(scope, PY_RETURN)) return;
  array_push(l->arena, &c->names, py_returned);
  array_push(l->arena, &c->names, py_has_returned);
}

static PyValue *binding(Lower *l, const char *name) { return py_own_binding(l, l->frame, name); }

static ValueId initial(Lower *l, const PyNode *node, const char *name, NumberType *type) {
  const PyValue *v = binding(l, name);
  uint32_t known = py_fact(l, FACT_TYPE, node, py_key(l, name));
  *type = known ? (NumberType)(known - 1) : NUMBER_BOOL;
  if (v && v->kind == PYV_PENDING) {
    py_learn(l, FACT_NEEDED, v->node, py_key(l, name), 1);
    py_refuse(l, node, NULL, "%s has no value that is read behind this", name);
  }
  if (v && v->kind != PYV_UNBOUND && v->kind != PYV_NUMBER)
    py_refuse(l, node, "copy the elements", "%s names another list or array in each iteration", name);
  if (!v || v->kind == PYV_UNBOUND) {
    TypeId id = py_type(l, *type);
    if (name == py_returned) /* which is read only where the flag says that it was set */
      return *type == NUMBER_REAL ? build_real(&l->b, id, 0) : build_integer(&l->b, id, 0);
    return build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &id);
  }
  if (v->type > *type) *type = v->type;
  return py_convert(l, v, *type);
}

static void begin(Lower *l, Carry *c) {
  if (l->frame->def->kind == PY_CALL) array_push(l->arena, &c->names, accumulator);
  for (uint32_t i = 0; i < c->names.count; i++) {
    CarriedName carried = {.name = c->names.data[i]};
    if (carried.name != accumulator && !py_fact(l, FACT_NEEDED, c->node, py_key(l, carried.name))) continue;
    ValueId value = initial(l, c->node, carried.name, &carried.type);
    array_push(l->arena, &c->values, value);
    array_push(l->arena, &c->carried, carried);
  }
  c->slot_count = l->slots.count;
  for (uint32_t i = 1; i < c->slot_count; i++) {
    uint32_t level = py_fact(l, FACT_SLOT, c->node, l->slots.data[i].made_by);
    if (!level || l->slots.data[i].kind != SLOT_ELEMENTS) continue;
    if (level == 3) py_make_uneven(l, &l->slots.data[i]);
    const Slot *s = &l->slots.data[i];
    array_push(l->arena, &c->slots, ((CarriedSlot){i, level}));
    array_push(l->arena, &c->values, s->value);
    for (uint32_t k = 0; level > 1 && k < s->rank; k++) array_push(l->arena, &c->values, s->length[k]);
  }
}

/* Names and slots are these values from now on; other names that are assigned wait for being asked for. */
static void set(Lower *l, const Carry *c, ValueId first, bool names_values) {
  Value *values = l->p->values.data;
  for (uint32_t i = 0; i < c->names.count; i++)
    if (c->names.data[i] != accumulator) py_bind(l, c->names.data[i], (PyValue){.kind = PYV_PENDING, .node = c->node});
  for (uint32_t i = 0; i < c->carried.count; i++) {
    if (names_values) values[first].name = intern_text(l->p->names, c->carried.data[i].name);
    py_bind(l, c->carried.data[i].name, py_number(c->carried.data[i].type, first++));
  }
  for (uint32_t i = 0; i < c->slots.count; i++) {
    Slot *s = &l->slots.data[c->slots.data[i].slot];
    s->value = first++;
    for (uint32_t k = 0; c->slots.data[i].level > 1 && k < s->rank; k++) s->length[k] = first++;
  }
}

static void note_head(Lower *l, Carry *c) {
  for (uint32_t i = 0; i < c->slot_count; i++) array_push(l->arena, &c->head, l->slots.data[i]);
}

static uint32_t level_of(const Carry *c, uint32_t slot) {
  for (uint32_t i = 0; i < c->slots.count; i++)
    if (c->slots.data[i].slot == slot) return c->slots.data[i].level;
  return 0;
}

/* What one iteration makes of them. */
static ValueId *yields(Lower *l, Carry *c) {
  ValueId *out = arena_array(l->arena, ValueId, c->values.count + 1);
  uint32_t n = 0;
  for (uint32_t i = 1; i < c->slot_count; i++) {
    const Slot *s = &l->slots.data[i], *head = &c->head.data[i];
    bool changed = s->value != head->value, lengths = memcmp(s->length, head->length, sizeof s->length) != 0;
    uint32_t level = s->is_even != head->is_even ? 3 : lengths ? 2 : changed;
    if (level > level_of(c, i) && s->kind == SLOT_ELEMENTS) py_learn(l, FACT_SLOT, c->node, s->made_by, level);
  }
  for (uint32_t i = 0; i < c->carried.count; i++) {
    const CarriedName *carried = &c->carried.data[i];
    const PyValue *v = binding(l, carried->name);
    if (v && v->kind == PYV_PENDING) py_learn(l, FACT_NEEDED, v->node, py_key(l, carried->name), 1);
    if (!v || v->kind != PYV_NUMBER)
      py_refuse(l, c->node, "copy the elements", "%s names something else in each iteration", carried->name);
    if (v->type > carried->type) py_learn(l, FACT_TYPE, c->node, py_key(l, carried->name), (uint32_t)v->type + 1);
    out[n++] = py_convert(l, v, carried->type);
  }
  for (uint32_t i = 0; i < c->slots.count; i++) {
    const Slot *s = &l->slots.data[c->slots.data[i].slot];
    out[n++] = s->value;
    for (uint32_t k = 0; c->slots.data[i].level > 1 && k < s->rank; k++) out[n++] = s->length[k];
  }
  return out;
}

/* ---- what a loop runs over ---- */

typedef struct Over {
  enum { OVER_RANGE, OVER_VIEW, OVER_ENUMERATE, OVER_ZIP, OVER_REVERSED, OVER_VALUES } kind;
  ValueId trips, start; /* of VALUES: none */
  ValueId stop, step;   /* of RANGE */
  int64_t by;           /* its step as a number; 0: it is not known */
  View view;
  PyValue values; /* a TUPLE */
  struct Over *parts;
  uint32_t count;
} Over;

static Over over(Lower *l, const PyNode *n);

static ValueId positive(Lower *l, ValueId value) {
  int64_t known;
  if (py_is_constant(l, value, &known)) return py_integer(l, known > 0 ? known : 0);
  return build_binary(&l->b, OP_ARITH_MAXSI, value, py_integer(l, 0), py_wide(l));
}

/* How many numbers the range has. */
static ValueId range_trips(Lower *l, const Over *o) {
  Builder *b = &l->b;
  ValueId up = py_exact(l, OP_ARITH_SUBI, o->stop, o->start), down = py_exact(l, OP_ARITH_SUBI, o->start, o->stop);
  if (o->by == 1) return positive(l, up);
  if (o->by == -1) return positive(l, down);
  if (o->by > 0) return py_exact(l, OP_ARITH_CEILDIVSI, positive(l, up), py_integer(l, o->by));
  if (o->by < 0) return py_exact(l, OP_ARITH_CEILDIVSI, positive(l, down), py_integer(l, -o->by));
  ValueId zero = py_integer(l, 0), minus = py_exact(l, OP_ARITH_SUBI, zero, o->step);
  ValueId rises = build_compare(b, OP_ARITH_CMPI, "sgt", o->step, zero);
  TypeId wide = py_wide(l);
  ValueId span = build_op(b, OP_ARITH_SELECT, 3, (ValueId[]){rises, positive(l, up), positive(l, down)}, 1, &wide);
  ValueId size = build_op(b, OP_ARITH_SELECT, 3, (ValueId[]){rises, o->step, minus}, 1, &wide);
  return py_exact(l, OP_ARITH_CEILDIVSI, span, size);
}

static Over over_range(Lower *l, const PyNode *n) {
  Over o = {.kind = OVER_RANGE, .by = 1};
  ValueId given[3];
  if (n->count < 2 || n->count > 4) py_refuse(l, n, NULL, "range takes one to three numbers");
  for (uint32_t i = 1; i < n->count; i++) given[i - 1] = py_index(l, n->args[i]);
  o.start = n->count == 2 ? py_integer(l, 0) : given[0], o.stop = n->count == 2 ? given[0] : given[1];
  o.step = n->count == 4 ? given[2] : py_integer(l, 1);
  if (n->count == 4 && !py_is_constant(l, o.step, &o.by)) {
    o.by = 0;
    ValueId other = build_compare(&l->b, OP_ARITH_CMPI, "ne", o.step, py_integer(l, 0));
    py_require(l, n, other, arena_format(l->arena, "%s != 0", py_text(l, n->args[3])));
  } else if (!o.by || o.by == INT64_MIN) {
    py_refuse(l, n, NULL, "range with a step of 0");
  }
  o.trips = range_trips(l, &o);
  return o;
}

static ValueId least(Lower *l, ValueId a, ValueId b) {
  return a == b ? a : build_binary(&l->b, OP_ARITH_MINSI, a, b, py_wide(l));
}

static Over over_parts(Lower *l, const PyNode *n, uint32_t count) {
  Over o = {.kind = OVER_ZIP, .count = count, .parts = arena_array(l->arena, Over, count + 1)};
  for (uint32_t i = 0; i < count; i++) {
    o.parts[i] = over(l, n->args[1 + i]);
    if (!o.parts[i].trips) py_refuse(l, n->args[1 + i], "take a list", "this is not iterated with others yet");
    o.trips = i ? least(l, o.trips, o.parts[i].trips) : o.parts[i].trips;
  }
  return o;
}

static bool is_builtin(Lower *l, const PyNode *n, const char *name) {
  if (n->kind != PY_CALL || n->args[0]->kind != PY_NAME || strcmp(n->args[0]->text, name) != 0) return false;
  PyValue callee = py_value(l, n->args[0]);
  return callee.kind == PYV_NAME && !strcmp(callee.text, name);
}

static Over over(Lower *l, const PyNode *n) {
  Over o = {.kind = OVER_VIEW};
  if (is_builtin(l, n, "range")) return over_range(l, n);
  if (is_builtin(l, n, "zip") && n->count > 1) return over_parts(l, n, n->count - 1);
  if (is_builtin(l, n, "reversed") && n->count == 2) {
    o = over_parts(l, n, 1);
    o.kind = OVER_REVERSED;
    return o;
  }
  if (is_builtin(l, n, "enumerate") && (n->count == 2 || n->count == 3)) {
    o = over_parts(l, n, 1);
    const PyNode *start = n->count == 3 ? n->args[2] : NULL;
    if (start && start->kind == PY_KEYWORD && strcmp(start->text, "start") != 0) py_refuse(l, start, NULL, "enumerate");
    o.kind = OVER_ENUMERATE;
    o.start = start ? py_index(l, start->kind == PY_KEYWORD ? start->args[0] : start) : py_integer(l, 0);
    return o;
  }
  PyValue value = py_value(l, n);
  if (value.kind == PYV_TUPLE) {
    o.kind = OVER_VALUES, o.values = value;
    return o;
  }
  o.view = py_array(l, n, value);
  o.trips = py_length(l, n, &o.view);
  return o;
}

static PyValue tuple(Lower *l, uint32_t count) {
  return (PyValue){.kind = PYV_TUPLE, .count = count, .items = arena_array(l->arena, PyValue, count + 1)};
}

/* What it gives in that iteration. */
static PyValue item(Lower *l, const PyNode *at, const Over *o, ValueId t) {
  PyValue value;
  switch (o->kind) {
  case OVER_RANGE:
    return py_number(NUMBER_INT, py_exact(l, OP_ARITH_ADDI, o->start, py_exact(l, OP_ARITH_MULI, t, o->step)));
  case OVER_VIEW: return py_item(l, at, &o->view, t);
  case OVER_REVERSED: {
    ValueId last = py_exact(l, OP_ARITH_SUBI, o->trips, py_integer(l, 1));
    return item(l, at, &o->parts[0], py_exact(l, OP_ARITH_SUBI, last, t));
  }
  case OVER_ENUMERATE:
    value = tuple(l, 2);
    value.items[0] = py_number(NUMBER_INT, py_exact(l, OP_ARITH_ADDI, o->start, t));
    value.items[1] = item(l, at, &o->parts[0], t);
    return value;
  case OVER_ZIP:
    value = tuple(l, o->count);
    for (uint32_t i = 0; i < o->count; i++) value.items[i] = item(l, at, &o->parts[i], t);
    return value;
  case OVER_VALUES: break;
  }
  py_refuse(l, at, NULL, "this is not iterated");
}

/* A list whose length the body changes is not iterated: Python would go on with what was added. */
static void check_lengths(Lower *l, const PyNode *at, const Over *o, const Carry *c) {
  for (uint32_t i = 0; i < o->count; i++) check_lengths(l, at, &o->parts[i], c);
  uint32_t slot = o->view.slot;
  if (o->kind != OVER_VIEW || slot >= c->slot_count) return;
  if (memcmp(l->slots.data[slot].length, c->head.data[slot].length, sizeof l->slots.data[slot].length) != 0)
    py_refuse(l, at, "iterate over a copy", "a list that changes its length while it is iterated");
}

enum { MOST_VALUES = 64 };

/* A name that an iteration takes over stands for a list or an array, and is bound to another one, as where two arrays
 * change places. */
static bool binds_objects(Lower *l, const Carry *c) {
  for (uint32_t i = 0; i < c->names.count; i++) {
    const char *name = c->names.data[i];
    const PyValue *v = binding(l, name);
    if (name != accumulator && v && v->kind != PYV_UNBOUND && v->kind != PYV_NUMBER && v->kind != PYV_PENDING &&
        py_fact(l, FACT_NEEDED, c->node, py_key(l, name)))
      return true;
  }
  return false;
}

static void each(Lower *l, const PyNode *node, const PyNode *scope, const PyNode *iterable, const char *own_going,
                 void (*body)(Lower *l, PyValue item, const void *payload), const void *payload);

void py_each(Lower *l, const PyNode *node, const PyNode *scope, const PyNode *iterable,
             void (*body)(Lower *l, PyValue item, const void *payload), const void *payload) {
  each(l, node, scope, iterable, NULL, body, payload);
}

static void each(Lower *l, const PyNode *node, const PyNode *scope, const PyNode *iterable, const char *own_going,
                 void (*body)(Lower *l, PyValue item, const void *payload), const void *payload) {
  Over o = over(l, iterable);
  Carry c = {.node = node};
  if (o.kind == OVER_VALUES) { /* (a, b, c), as written: one after the other */
    if (o.values.count > MOST_VALUES) py_refuse(l, iterable, NULL, "more than %d values one by one", MOST_VALUES);
    for (uint32_t i = 0; i < o.values.count; i++) body(l, o.values.items[i], payload);
    return;
  }
  if (scope) note_names(l, &c, scope, own_going);
  int64_t trips;
  if (!own_going && binds_objects(l, &c) && py_is_constant(l, o.trips, &trips) && trips <= MOST_VALUES) {
    for (int64_t i = 0; i < trips; i++) body(l, item(l, iterable, &o, py_integer(l, i)), payload);
    return;
  }
  begin(l, &c);
  bool counts = o.kind == OVER_RANGE && o.by > 0, falls = o.kind == OVER_RANGE && o.by < 0;
  ValueId zero = py_integer(l, 0), lower = counts ? o.start : zero, upper = counts ? o.stop : o.trips;
  if (falls) upper = py_exact(l, OP_ARITH_SUBI, o.start, o.stop);
  ValueId step = py_integer(l, counts ? o.by : falls ? -o.by : 1);
  py_at(l, node);
  BuildLoop loop = build_for(&l->b, lower, upper, step, c.values.count, c.values.data);
  set(l, &c, loop.counter + 1, true);
  note_head(l, &c);
  uint32_t around = l->loop;
  const char *going = l->going;
  l->loop = ++l->loop_count, l->going = NULL;
  PyValue value = counts  ? py_number(NUMBER_INT, loop.counter)
                  : falls ? py_number(NUMBER_INT, py_exact(l, OP_ARITH_SUBI, o.start, loop.counter))
                          : item(l, iterable, &o, loop.counter);
  if (value.kind == PYV_NUMBER) value.param = o.kind == OVER_VIEW ? value.param : NULL;
  body(l, value, payload);
  l->loop = around, l->going = going;
  check_lengths(l, iterable, &o, &c);
  const ValueId *next = yields(l, &c);
  py_at(l, node);
  ValueId first = build_for_end(&l->b, &loop, next);
  set(l, &c, first, true);
}

static void for_body(Lower *l, PyValue value, const void *payload) {
  const PyNode *node = payload;
  if (l->p->values.data[value.id].name == 0 && node->args[0]->kind == PY_NAME && value.kind == PYV_NUMBER)
    l->p->values.data[value.id].name = intern_text(l->p->names, node->args[0]->text);
  py_assign(l, node->args[0], value);
  py_block(l, node->args[2]);
}

/* ---- those that go on while a condition holds ---- */

bool py_returns_in_loop(const PyNode *n) {
  if (n->kind == PY_DEF) return false;
  if (n->kind == PY_FOR || n->kind == PY_WHILE) return py_contains(n, PY_RETURN);
  for (uint32_t i = 0; i < n->count; i++)
    if (py_returns_in_loop(n->args[i])) return true;
  return false;
}

/* A `break` or `return` that ends this loop. */
static bool breaks(const PyNode *n) {
  if (n->kind == PY_BREAK || py_contains(n, PY_RETURN)) return true;
  for (uint32_t i = 0; (n->kind == PY_BLOCK || n->kind == PY_IF) && i < n->count; i++)
    if (breaks(n->args[i])) return true;
  return false;
}

static PyNode *synthetic(Lower *l, const PyNode *at, PyKind kind, const char *text, uint32_t count,
                         const PyNode *const *args) {
  PyNode *n = arena_new(l->arena, PyNode);
  *n = (PyNode){.kind = kind, .span = at->span, .text = text, .count = count};
  const PyNode **own = arena_array(l->arena, const PyNode *, count + 1);
  for (uint32_t i = 0; i < count; i++) own[i] = args[i];
  n->args = own;
  return n;
}

typedef struct Until {
  const Over *over;       /* of a for; NULL: a while */
  const char *going, *at; /* no names of Python's: whether nothing has left the loop, which element comes; or NULL */
  const PyNode *exit;     /* an `if` that leaves the loop, with which each iteration begins; or NULL */
} Until;

typedef struct Lead {
  const PyNode *node;
  const Until *until;
} Lead;

static ValueId element_number(Lower *l, const PyNode *node, const Until *u) {
  return py_value(l, synthetic(l, node, PY_NAME, u->at, 0, NULL)).id;
}

static PyValue truth(Lower *l, bool value) {
  return py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), value));
}

/* The loop goes on where its own condition holds and that of the exit does not. */
static PyValue stays(Lower *l, bool yes, const void *payload) {
  const Lead *lead = payload;
  const Until *u = lead->until;
  if (!yes) return truth(l, false);
  if (u->at) py_assign(l, lead->node->args[0], item(l, lead->node->args[1], u->over, element_number(l, lead->node, u)));
  TypeId boolean = py_type(l, NUMBER_BOOL);
  ValueId leaves = py_condition(l, u->exit->args[0]), one = build_integer(&l->b, boolean, 1);
  return py_number(NUMBER_BOOL, build_binary(&l->b, OP_ARITH_XORI, leaves, one, boolean));
}

static void repeat(Lower *l, const PyNode *node, const PyNode *condition, const PyNode *body, const Until *u) {
  Builder *b = &l->b;
  Carry c = {.node = node};
  RegionId regions[2];
  if (u->exit)
    py_assigned(l->arena, node, true, &c.names);
  else
    note_names(l, &c, node, u->going);
  if (u->at) array_push(l->arena, &c.names, u->at);
  begin(l, &c);
  if (u->going && c.slots.count && !u->exit)
    py_refuse(l, node, "put the condition into that of a while",
              "a break out of a loop that changes a list or array of the function's is not read yet");
  uint32_t n = c.values.count;
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  for (uint32_t i = 0; i < n; i++) types[i] = program_get_value(l->p, c.values.data[i])->type;
  py_at(l, node);
  OpId op = build_open(b, OP_SCF_WHILE);
  BlockId outer = b->block;
  uint32_t around = l->loop;
  const char *going = l->going;
  l->loop = ++l->loop_count, l->going = u->going;
  for (int k = 0; k < 2; k++) {
    b->block = build_block(b, op, n, types);
    regions[k] = program_get_block(l->p, b->block)->region;
    ValueId first = program_get_block(l->p, b->block)->first_arg;
    set(l, &c, first, true);
    if (k) {
      PyValue at = {.kind = PYV_NONE};
      if (u->at) at = py_value(l, synthetic(l, node, PY_NAME, u->at, 0, NULL));
      if (u->at) py_assign(l, node->args[0], item(l, node->args[1], u->over, at.id));
      py_block(l, body);
      if (u->at) check_lengths(l, node->args[1], u->over, &c);
      if (u->at) py_bind(l, u->at, py_number(NUMBER_INT, py_exact(l, OP_ARITH_ADDI, at.id, py_integer(l, 1))));
      const ValueId *next = yields(l, &c);
      build_op(b, OP_SCF_YIELD, n, next, 0, NULL);
      continue;
    }
    ValueId *passed = arena_array(l->arena, ValueId, n + 1);
    note_head(l, &c);
    l->in_while = true;
    passed[0] = py_condition(l, condition);
    if (u->exit) passed[0] = py_branch(l, u->exit, passed[0], stays, &(Lead){node, u}).id;
    l->in_while = false;
    for (uint32_t i = 1; i < c.slot_count; i++)
      if (l->slots.data[i].value != c.head.data[i].value)
        py_refuse(l, condition, "change it in the loop", "a condition that changes a list");
    for (uint32_t i = 0; i < n; i++) passed[1 + i] = first + i;
    build_op(b, OP_SCF_CONDITION, 1 + n, passed, 0, NULL);
  }
  l->loop = around, l->going = going;
  b->block = outer;
  ValueId first = build_close(b, op, n, c.values.data, n, types, 2, regions);
  set(l, &c, first, true);
}

/* A flag that says that nothing has left the loop. */
static const char *new_going(Lower *l, const PyNode *node) {
  const char *going = arena_format(l->arena, "going.%u", node->span.begin);
  py_bind(l, going, py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), 1)));
  return going;
}

const char *py_going_of(Lower *l, const PyNode *loop) {
  bool can = breaks(loop->args[loop->kind == PY_FOR ? 2 : 1]);
  return can ? arena_format(l->arena, "going.%u", loop->span.begin) : NULL;
}

/* The condition, and that nothing has left the loop. */
static const PyNode *goes_on(Lower *l, const PyNode *node, Until *u, const PyNode *condition) {
  u->going = new_going(l, node);
  const PyNode *going = synthetic(l, node, PY_NAME, u->going, 0, NULL);
  return synthetic(l, node, PY_AND, NULL, 2, (const PyNode *const[]){going, condition});
}

void py_break(Lower *l) {
  py_bind(l, l->going, py_number(NUMBER_BOOL, build_integer(&l->b, py_type(l, NUMBER_BOOL), 0)));
}

/* The loop as a while: which element comes is a name of its own. */
static const PyNode *over_condition(Lower *l, const PyNode *node, const Over *o, Until *u) {
  const char *all = arena_format(l->arena, "count.%u", node->span.begin);
  u->over = o, u->at = arena_format(l->arena, "at.%u", node->span.begin);
  py_bind(l, u->at, py_number(NUMBER_INT, py_integer(l, 0)));
  py_bind(l, all, py_number(NUMBER_INT, o->trips));
  const PyNode *sides[] = {synthetic(l, node, PY_NAME, u->at, 0, NULL), synthetic(l, node, PY_NAME, all, 0, NULL)};
  PyNode *compare = synthetic(l, node, PY_COMPARE, NULL, 2, sides);
  const char **ops = arena_array(l->arena, const char *, 1);
  ops[0] = "<", compare->ops = ops;
  return compare;
}

typedef struct Flagged {
  const PyNode *node;
  const char *going;
  PyValue item;
} Flagged;

static PyValue flagged_arm(Lower *l, bool yes, const void *payload) {
  const Flagged *f = payload;
  if (yes) for_body(l, f->item, f->node);
  return (PyValue){.kind = PYV_NONE};
}

static void flagged_body(Lower *l, PyValue item, const void *payload) {
  Flagged f = *(const Flagged *)payload;
  const char *outer = l->going;
  f.item = item;
  PyValue going = py_value(l, synthetic(l, f.node, PY_NAME, f.going, 0, NULL));
  l->going = f.going;
  py_branch(l, f.node, py_truth(l, f.node, &going), flagged_arm, &f);
  l->going = outer;
}

/* True if the body writes elements. A search for the end of a loop would know nothing of them. (What it appends has
 * its place by how often that was done, which is not followed through a flag.) */
static bool fills(const PyNode *n) {
  bool assigns = n->kind == PY_ASSIGN || n->kind == PY_AUGMENTED;
  for (uint32_t i = 0; assigns && i < n->count - 1; i++)
    if (py_contains(n->args[i], PY_SUBSCRIPT)) return true;
  for (uint32_t i = 0; i < n->count; i++)
    if (fills(n->args[i])) return true;
  return false;
}

void py_for(Lower *l, const PyNode *node) {
  if (!breaks(node->args[2])) {
    py_each(l, node, node, node->args[1], for_body, node);
    return;
  }
  if (fills(node->args[2])) {
    Flagged f = {.node = node, .going = new_going(l, node)};
    each(l, node, node, node->args[1], f.going, flagged_body, &f);
    return;
  }
  const Over o = over(l, node->args[1]);
  Until u = {0};
  if (o.kind == OVER_VALUES) py_refuse(l, node, NULL, "a break out of values that are written one by one");
  const PyNode *condition = over_condition(l, node, &o, &u);
  repeat(l, node, goes_on(l, node, &u, condition), node->args[2], &u);
}

void py_while(Lower *l, const PyNode *node) {
  Until u = {0};
  const PyNode *condition = breaks(node->args[1]) ? goes_on(l, node, &u, node->args[0]) : node->args[0];
  repeat(l, node, condition, node->args[1], &u);
}

/* ---- those that look for something ---- */

/* if q: ..; break   or   if q: ..; return   as the first statement of a loop that nothing else leaves. */
static const PyNode *exit_of(const PyNode *loop, const PyNode **ends) {
  const PyNode *block = loop->args[loop->kind == PY_FOR ? 2 : 1], *first = block;
  if (block->kind == PY_BLOCK) first = block->count ? block->args[0] : NULL;
  if (!first || first->kind != PY_IF || first->count != 2) return NULL;
  const PyNode *last = first->args[1];
  if (last->kind == PY_BLOCK) last = last->count ? last->args[last->count - 1] : NULL;
  if (!last || (last->kind != PY_BREAK && last->kind != PY_RETURN)) return NULL;
  for (uint32_t i = 0; first->args[1]->kind == PY_BLOCK && i + 1 < first->args[1]->count; i++)
    if (breaks(first->args[1]->args[i]) || py_contains(first->args[1]->args[i], PY_CONTINUE)) return NULL;
  for (uint32_t i = 1; block->kind == PY_BLOCK && i < block->count; i++)
    if (breaks(block->args[i])) return NULL;
  *ends = last;
  return first;
}

typedef struct Found {
  const PyNode *node, *exit, *ends;
  const Until *until;
  const PyNode *const *rest;
  uint32_t count;
} Found;

/* What is done with what was found, and else; then what follows the loop, unless it returned. */
static PyValue found(Lower *l, bool yes, const void *payload) {
  const Found *f = payload;
  const PyNode *arm = f->exit->args[1], *otherwise = py_else_of(f->node);
  uint32_t own = yes && arm->kind == PY_BLOCK ? arm->count : 0, n = 0;
  const PyNode **all = arena_array(l->arena, const PyNode *, own + f->count + 2);
  if (yes && f->until->at)
    py_assign(l, f->node->args[0], item(l, f->node->args[1], f->until->over, element_number(l, f->node, f->until)));
  for (uint32_t i = 0; i + 1 < own; i++) all[n++] = arm->args[i];
  if (yes && f->ends->kind == PY_RETURN) all[n++] = f->ends;
  if (!yes && otherwise) all[n++] = otherwise;
  for (uint32_t i = 0; i < f->count && !(yes && f->ends->kind == PY_RETURN); i++) all[n++] = f->rest[i];
  py_statements(l, all, n);
  return (PyValue){.kind = PYV_NONE};
}

static bool is_needed(const Lower *l, const PyNode *exit, const NameTexts *names) {
  for (uint32_t i = 0; i < names->count; i++)
    if (py_fact(l, FACT_NEEDED, exit, py_key(l, names->data[i]))) return true;
  return false;
}

/* True if it writes to an argument. Loops whose end data decides close only over values of their own. */
static bool stores(Lower *l, const PyNode *n) {
  bool assigns = n->kind == PY_ASSIGN || n->kind == PY_AUGMENTED;
  for (uint32_t i = 0; assigns && i + 1 < n->count; i++) {
    const PyNode *target = n->args[i];
    if (target->kind != PY_SUBSCRIPT) continue;
    while (target->kind == PY_SUBSCRIPT) target = target->args[0];
    const PyValue *v = target->kind == PY_NAME ? binding(l, target->text) : NULL;
    if (!v || v->kind != PYV_ARRAY || l->slots.data[v->view.slot].kind == SLOT_MEMORY) return true;
  }
  for (uint32_t i = 0; i < n->count; i++)
    if (stores(l, n->args[i])) return true;
  return false;
}

bool py_search(Lower *l, const PyNode *node, const PyNode *const *rest, uint32_t count) {
  Until u = {0};
  Over o = {0};
  NameTexts targets = {0};
  Found f = {.node = node, .until = &u, .rest = rest, .count = count};
  f.exit = u.exit = exit_of(node, &f.ends);
  if (node->kind == PY_FOR) py_assigned(l->arena, synthetic(l, node, PY_CLAUSE, NULL, 1, node->args), true, &targets);
  if (!u.exit || stores(l, node) || is_needed(l, u.exit, &targets)) return false; /* read behind the loop */
  const PyNode *block = node->args[node->kind == PY_FOR ? 2 : 1], *condition = node->args[0];
  const PyNode *body = synthetic(l, block, PY_BLOCK, NULL, block->kind == PY_BLOCK ? block->count - 1 : 0,
                                 block->kind == PY_BLOCK ? block->args + 1 : NULL);
  if (node->kind == PY_FOR) {
    o = over(l, node->args[1]);
    if (o.kind == OVER_VALUES) return false;
    condition = over_condition(l, node, &o, &u);
  }
  repeat(l, node, condition, body, &u);
  bool plain = f.ends->kind == PY_BREAK && !py_else_of(node) &&
               (u.exit->args[1]->kind != PY_BLOCK || u.exit->args[1]->count == 1);
  if (plain) {
    for (uint32_t i = 0; i < targets.count; i++)
      py_bind(l, targets.data[i], (PyValue){.kind = PYV_PENDING, .node = u.exit});
    py_statements(l, rest, count);
    return true;
  }
  py_branch(l, u.exit, py_condition(l, condition), found, &f);
  return true;
}

/* ---- comprehensions ---- */

typedef struct Comprehension {
  const PyNode *node;
  uint32_t clause, condition;
  void (*body)(Lower *l, const PyNode *element, const void *payload);
  const void *payload;
} Comprehension;

static void clauses(Lower *l, const Comprehension *c);

static PyValue condition_arm(Lower *l, bool yes, const void *payload) {
  if (yes) clauses(l, payload);
  return (PyValue){.kind = PYV_NONE};
}

static void clause_body(Lower *l, PyValue value, const void *payload) {
  Comprehension next = *(const Comprehension *)payload;
  const PyNode *clause = next.node->args[next.clause];
  py_assign(l, clause->args[0], value);
  next.condition = 2;
  clauses(l, &next);
}

/* From that condition of that clause on. */
static void clauses(Lower *l, const Comprehension *c) {
  Comprehension next = *c;
  if (c->clause == c->node->count) {
    c->body(l, c->node->args[0], c->payload);
    return;
  }
  const PyNode *clause = c->node->args[c->clause];
  if (!c->condition) {
    py_each(l, clause, NULL, clause->args[1], clause_body, c);
  } else if (c->condition < clause->count) {
    next.condition++;
    py_branch(l, clause->args[c->condition], py_condition(l, clause->args[c->condition]), condition_arm, &next);
  } else {
    next.clause++, next.condition = 0;
    clauses(l, &next);
  }
}

static void comprehend(Lower *l, const PyNode *node, void (*body)(Lower *l, const PyNode *element, const void *payload),
                       const void *payload) {
  Comprehension c = {.node = node, .clause = 1, .body = body, .payload = payload};
  for (uint32_t i = 1; i < node->count; i++)
    if (node->args[i]->args[0]->kind == PY_SUBSCRIPT || node->args[i]->args[0]->kind == PY_ATTRIBUTE)
      py_refuse(l, node->args[i], NULL, "names are bound here");
  clauses(l, &c);
}

static void append_element(Lower *l, const PyNode *element, const void *payload) {
  py_append(l, element, payload, py_value(l, element));
}

PyValue py_comprehension(Lower *l, const PyNode *node) {
  Frame *frame = arena_new(l->arena, Frame), *outer = l->frame;
  uint32_t rank = py_fact(l, FACT_RANK, node, NULL), element = py_fact(l, FACT_ELEMENT, node, NULL);
  uint32_t slot =
      py_slot_new(l, node, SLOT_ELEMENTS, rank ? rank : 1, element ? (NumberType)(element - 1) : NUMBER_BOOL);
  PyValue list = py_whole(l, slot);
  l->slots.data[slot].is_list = true;
  *frame = (Frame){.def = node, .around = outer, .caller = outer};
  array_push(l->arena, &l->frames, frame);
  l->frame = frame;
  comprehend(l, node, append_element, &list.view);
  l->frame = outer, l->frames.count--;
  return list;
}

/* ---- sums over comprehensions ---- */

typedef struct Total {
  PyValue (*step)(Lower *l, const PyNode *at, PyValue total, PyValue item);
} Total;

static void add_element(Lower *l, const PyNode *element, const void *payload) {
  const Total *t = payload;
  PyValue value = py_to_number(l, element, py_value(l, element));
  py_bind(l, accumulator, t->step(l, element, *binding(l, accumulator), value));
}

PyValue py_accumulate(Lower *l, const PyNode *call, const PyNode *node, PyValue start,
                      PyValue (*step)(Lower *l, const PyNode *at, PyValue total, PyValue item)) {
  Frame *frame = arena_new(l->arena, Frame), *outer = l->frame;
  Total total = {step};
  *frame = (Frame){.def = call, .around = outer, .caller = outer};
  array_push(l->arena, &l->frames, frame);
  l->frame = frame;
  py_bind(l, accumulator, start);
  comprehend(l, node, add_element, &total);
  PyValue value = *binding(l, accumulator);
  l->frame = outer, l->frames.count--;
  return value;
}
