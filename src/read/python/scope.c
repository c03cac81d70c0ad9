/* What names stand for: scopes, facts, and branches.
 *
 * Facts are what earlier attempts at the function have found out. A branch runs its arms from one state, and makes one
 * of what is different behind them: numbers are chosen, lists of either arm become one list; what only one arm gives a
 * value is not built unless it is asked for. */
#include <string.h>

#include "read/python/lower.h"

const char py_returned[] = "return";
const char py_has_returned[] = "returned?";

/* ---- facts ---- */

static Fact *find_fact(const Lower *l, FactKind kind, const PyNode *node, const void *of) {
  for (uint32_t i = 0; i < l->facts.count; i++) {
    Fact *f = &l->facts.data[i];
    if (f->kind == kind && f->node == node && f->of == of) return f;
  }
  return NULL;
}

uint32_t py_fact(const Lower *l, FactKind kind, const PyNode *node, const void *of) {
  const Fact *f = find_fact(l, kind, node, of);
  return f ? f->value : 0;
}

void py_note_fact(Lower *l, FactKind kind, const PyNode *node, const void *of, uint32_t value) {
  Fact *f = find_fact(l, kind, node, of);
  if (f)
    f->value = value;
  else
    array_push(l->arena, &l->facts, (Fact){kind, node, of, value});
}

void py_set_fact(Lower *l, FactKind kind, const PyNode *node, const void *of, uint32_t value) {
  py_note_fact(l, kind, node, of, value);
  longjmp(l->again, 1);
}

void py_learn(Lower *l, FactKind kind, const PyNode *node, const void *of, uint32_t value) {
  if (py_fact(l, kind, node, of) < value) py_set_fact(l, kind, node, of, value);
}

const void *py_key(const Lower *l, const char *name) {
  return intern_string(l->p->names, intern_text(l->p->names, name));
}

static void need(Lower *l, const PyValue *pending, const char *name) {
  py_learn(l, FACT_NEEDED, pending->node, py_key(l, name), 1);
  py_refuse(l, pending->node, NULL, "%s has no value that is read behind this", name);
}

/* ---- names ---- */

PyValue py_number(NumberType type, ValueId id) { return (PyValue){.kind = PYV_NUMBER, .type = type, .id = id}; }
PyValue py_name(const char *text) { return (PyValue){.kind = PYV_NAME, .text = text}; }

static void add_target(Arena *arena, const PyNode *target, NameTexts *out) {
  bool several = target->kind == PY_TUPLE || target->kind == PY_LIST || target->kind == PY_STAR;
  if (target->kind == PY_NAME) {
    for (uint32_t i = 0; i < out->count; i++)
      if (!strcmp(out->data[i], target->text)) return;
    array_push(arena, out, target->text);
  }
  for (uint32_t i = 0; several && i < target->count; i++) add_target(arena, target->args[i], out);
}

void py_assigned(Arena *arena, const PyNode *n, bool in_place, NameTexts *out) {
  uint32_t blocks = 0; /* from which argument on they are */
  switch ((int)n->kind) {
  case PY_ASSIGN:
    for (uint32_t i = 0; i + 1 < n->count; i++) add_target(arena, n->args[i], out);
    return;
  case PY_AUGMENTED:
    if (in_place) add_target(arena, n->args[0], out);
    return;
  case PY_DEF: array_push(arena, out, n->text); return;
  case PY_IMPORT: array_push(arena, out, n->ops[0]); return;
  case PY_CLAUSE: add_target(arena, n->args[0], out); return;
  case PY_FOR:
    add_target(arena, n->args[0], out);
    blocks = 2;
    break;
  case PY_IF:
  case PY_WHILE: blocks = 1; break;
  case PY_WITH:
    for (uint32_t i = 1; i + 1 < n->count; i += 2) add_target(arena, n->args[i], out);
    blocks = n->count - 1;
    break;
  case PY_COMPREHENSION: blocks = 1; break;
  case PY_BLOCK: break;
  default: return;
  }
  for (uint32_t i = blocks; i < n->count; i++) py_assigned(arena, n->args[i], in_place, out);
}

static bool is_own(Lower *l, const PyNode *def, const char *name) {
  NameTexts names = {0};
  for (uint32_t i = 0; def->kind == PY_DEF && i + 1 < def->count; i++)
    if (!strcmp(def->args[i]->text, name)) return true;
  if (def->kind == PY_DEF)
    py_assigned(l->arena, def->args[def->count - 1], true, &names);
  else
    py_assigned(l->arena, def, true, &names);
  for (uint32_t i = 0; i < names.count; i++)
    if (!strcmp(names.data[i], name)) return true;
  return false;
}

PyValue *py_own_binding(Lower *l, const Frame *frame, const char *name) {
  Name id = intern_text(l->p->names, name);
  for (uint32_t i = 0; i < frame->names.count; i++)
    if (frame->names.data[i].name == id) return &frame->names.data[i].value;
  return NULL;
}

void py_bind_in(Lower *l, Frame *frame, const char *name, PyValue value) {
  PyValue *known = py_own_binding(l, frame, name);
  if (known)
    *known = value;
  else
    array_push(l->arena, &frame->names, (Binding){intern_text(l->p->names, name), value});
}

void py_bind(Lower *l, const char *name, PyValue value) { py_bind_in(l, l->frame, name, value); }

/* A name of the file, which has one meaning from beginning to end. */
static PyValue find_global(Lower *l, const PyNode *at, const char *name) {
  const PyNode *found = NULL;
  uint32_t bound = 0;
  for (uint32_t i = 0; i < l->uses.count; i++) {
    const PyUse *use = &l->uses.data[i];
    if (use->kind == PY_USE_STAR || use->kind == PY_USE_REFLECTION)
      py_refuse(l, at, "import names one by one", "%s may be anything: the file has import *, or changes names by text",
                name);
    if (use->kind == PY_USE_READ || use->kind == PY_USE_CHANGED || !use->name || strcmp(use->name, name) != 0) continue;
    bound += use->kind == PY_USE_GLOBAL ? 2 : 1;
  }
  if (!bound) return py_name(name);
  for (uint32_t i = 0; i < l->file->count && !found; i++) {
    const PyNode *n = l->file->args[i];
    if (n->kind == PY_DEF && !strcmp(n->text, name)) found = n;
    if (n->kind == PY_ASSIGN && n->count == 2 && n->args[0]->kind == PY_NAME && !strcmp(n->args[0]->text, name))
      found = n;
    for (uint32_t k = 0; n->kind == PY_BLOCK && k < n->count; k++)
      if (n->args[k]->kind == PY_IMPORT && !strcmp(n->args[k]->ops[0], name)) found = n->args[k];
  }
  if (!found || bound > 1)
    py_refuse(l, at, "give it one value, at the top of the file", "%s has no value that is read", name);
  if (found->kind == PY_IMPORT) return py_name(found->text);
  if (found->kind == PY_DEF) return (PyValue){.kind = PYV_FUNCTION, .node = found};
  Frame *frame = l->frame, file = {.def = l->file}; /* a constant: what it is made of are names of the file too */
  if (l->nesting++ > PY_MOST_NESTING) py_refuse(l, at, NULL, "nested too deeply");
  l->frame = &file;
  PyValue value = py_value(l, found->args[1]);
  l->frame = frame, l->nesting--;
  if (value.kind != PYV_NUMBER) py_refuse(l, at, "numbers are", "the value of %s in the file is not read yet", name);
  return value;
}

PyValue *py_result(Lower *l, const Frame *frame) {
  PyValue *v = py_own_binding(l, frame, py_returned);
  if (v && v->kind == PYV_PENDING) need(l, v, py_returned);
  return v;
}

/* A name is mentioned: what it names may be read. */
static void note_mentioned(Lower *l, const PyNode *at, const PyValue *v) {
  if (v->kind == PYV_ARRAY) py_read_of(l, at, &v->view);
  for (uint32_t i = 0; v->kind == PYV_TUPLE && i < v->count; i++) note_mentioned(l, at, &v->items[i]);
}

PyValue py_find(Lower *l, Frame *frame, const PyNode *at, const char *name) {
  for (Frame *f = frame; f && f->def != l->file; f = f->around) {
    const PyValue *v = py_own_binding(l, f, name);
    if (v && v->kind == PYV_PENDING) need(l, v, name);
    if (v && v->kind == PYV_OTHER) py_refuse(l, at, NULL, "%s", v->text);
    if (v && v->kind != PYV_UNBOUND) {
      note_mentioned(l, at, v);
      return *v;
    }
    if (is_own(l, f->def, name)) py_refuse(l, at, NULL, "%s has no value here", name);
  }
  return find_global(l, at, name);
}

PyValue py_read_name(Lower *l, const PyNode *node) { return py_find(l, l->frame, node, node->text); }

void py_assign(Lower *l, const PyNode *target, PyValue value) {
  bool several = target->kind == PY_TUPLE || target->kind == PY_LIST;
  if (several && value.kind == PYV_TUPLE && value.param && target->count > value.count) /* m, n = x.shape */
    py_learn(l, FACT_RANK, value.param, NULL, target->count);
  if (target->kind == PY_NAME) {
    py_bind(l, target->text, value);
  } else if (several && value.kind == PYV_TUPLE && value.count == target->count) {
    for (uint32_t i = 0; i < target->count; i++) py_assign(l, target->args[i], value.items[i]);
  } else if (several && (value.kind == PYV_ARRAY || value.param)) { /* x, y = point */
    value.view = py_array(l, target, value);
    ValueId length = py_length(l, target, &value.view);
    py_require(l, target, build_compare(&l->b, OP_ARITH_CMPI, "eq", length, py_integer(l, target->count)),
               arena_format(l->arena, "there are %u values", target->count));
    for (uint32_t i = 0; i < target->count; i++)
      py_assign(l, target->args[i], py_item(l, target, &value.view, py_integer(l, i)));
  } else if (target->kind == PY_SUBSCRIPT) {
    py_store(l, target, value);
  } else {
    py_refuse(l, target, "names and elements are assigned", "this assignment is not read yet");
  }
}

/* ---- branches ---- */

typedef struct SlotState {
  ValueId value, length[PY_MAX_RANK];
  bool is_even;
  const PyNode *given;
} SlotState;

typedef struct State {
  uint32_t frame_count, slot_count;
  Binding **names;
  uint32_t *name_count;
  SlotState *slots;
} State; /* what is on hand: of every name and slot */

static SlotState slot_state(const Slot *slot) {
  SlotState s = {.value = slot->value, .is_even = slot->is_even, .given = slot->given};
  memcpy(s.length, slot->length, sizeof slot->length);
  return s;
}

static State *state_now(Lower *l) {
  State *s = arena_new(l->arena, State);
  s->frame_count = l->frames.count, s->slot_count = l->slots.count;
  s->names = arena_array(l->arena, Binding *, s->frame_count + 1);
  s->name_count = arena_array(l->arena, uint32_t, s->frame_count + 1);
  s->slots = arena_array(l->arena, SlotState, s->slot_count + 1);
  for (uint32_t i = 0; i < s->frame_count; i++) {
    const Frame *f = l->frames.data[i];
    s->name_count[i] = f->names.count;
    s->names[i] = arena_array(l->arena, Binding, f->names.count + 1);
    if (f->names.count) memcpy(s->names[i], f->names.data, f->names.count * sizeof(Binding));
  }
  for (uint32_t i = 0; i < s->slot_count; i++) {
    const Slot *slot = &l->slots.data[i];
    s->slots[i] = slot_state(slot);
  }
  return s;
}

static void put_slot(Slot *slot, const SlotState *s) {
  slot->value = s->value, slot->is_even = s->is_even, slot->given = s->given;
  memcpy(slot->length, s->length, sizeof slot->length);
}

static void put_state(Lower *l, const State *s) {
  for (uint32_t i = 0; i < s->frame_count; i++) {
    Frame *f = l->frames.data[i];
    f->names.count = 0;
    for (uint32_t k = 0; k < s->name_count[i]; k++) array_push(l->arena, &f->names, s->names[i][k]);
  }
  for (uint32_t i = 0; i < s->slot_count; i++) put_slot(&l->slots.data[i], &s->slots[i]);
}

typedef struct Merge {
  Lower *l;
  const PyNode *node;
  BlockId block[2];
  Array(ValueId) yields[2];
} Merge;

#define MERGED 0x80000000u /* | which of the results */

static ValueId merged(Merge *m, ValueId a, ValueId b) {
  if (a == b) return a;
  array_push(m->l->arena, &m->yields[0], a);
  array_push(m->l->arena, &m->yields[1], b);
  return MERGED | (m->yields[0].count - 1);
}

static void in_arm(Merge *m, uint32_t arm) { m->l->b.block = m->block[arm]; }

static ValueId poison(Lower *l, NumberType type) {
  TypeId id = py_type(l, type);
  return build_op(&l->b, OP_UB_POISON, 0, NULL, 1, &id);
}

static bool same_view(const View *a, const View *b) {
  bool same = a->slot == b->slot && a->count == b->count;
  for (uint32_t k = 0; same && k < a->count; k++) {
    const Axis *x = &a->axis[k], *y = &b->axis[k];
    same = x->is_fixed == y->is_fixed && x->at == y->at && x->length == y->length && x->step == y->step;
  }
  return same;
}

static bool same_value(const PyValue *a, const PyValue *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case PYV_NUMBER: return a->id == b->id && a->type == b->type;
  case PYV_ARRAY: return same_view(&a->view, &b->view);
  case PYV_TUPLE:
    for (uint32_t i = 0; i < a->count || i < b->count; i++)
      if (a->count != b->count || !same_value(&a->items[i], &b->items[i])) return false;
    return true;
  case PYV_FUNCTION: return a->node == b->node && a->frame == b->frame;
  case PYV_PENDING: return a->node == b->node;
  case PYV_NAME: return !strcmp(a->text, b->text) && a->items == b->items;
  case PYV_TEXT: return !strcmp(a->text, b->text);
  case PYV_UNBOUND:
  case PYV_NONE:
  case PYV_OTHER: return true;
  }
  return false;
}

/* Both arms have a list of their own: one with what either holds. */
static PyValue merge_arrays(Merge *m, const PyValue *v[2]) {
  Lower *l = m->l;
  uint32_t own[2];
  uint32_t known = py_fact(l, FACT_ELEMENT, m->node, NULL);
  NumberType element = known ? (NumberType)(known - 1) : NUMBER_BOOL;
  for (uint32_t i = 0; i < 2; i++)
    if (l->slots.data[v[i]->view.slot].element > element) element = l->slots.data[v[i]->view.slot].element;
  for (uint32_t i = 0; i < 2; i++) {
    in_arm(m, i);
    own[i] = py_copy(l, m->node, &v[i]->view, element);
  }
  for (uint32_t i = 0; i < 2; i++) {
    in_arm(m, i);
    if (!l->slots.data[own[1 - i]].is_even) py_make_uneven(l, &l->slots.data[own[i]]);
  }
  const Slot a = l->slots.data[own[0]], b = l->slots.data[own[1]];
  if (a.width != b.width || a.is_unsigned != b.is_unsigned)
    py_refuse(l, m->node, NULL, "one of two arrays of different types is not read yet");
  uint32_t made = py_slot_new(l, m->node, SLOT_ELEMENTS, a.rank, element);
  Slot *s = &l->slots.data[made];
  s->is_list = a.is_list && b.is_list, s->is_numpy = a.is_numpy && b.is_numpy, s->is_even = a.is_even;
  s->width = a.width, s->is_unsigned = a.is_unsigned;
  s->value = merged(m, a.value, b.value);
  for (uint32_t k = 0; k < a.rank; k++) s->length[k] = merged(m, a.length[k], b.length[k]);
  l->slots.data[made].is_merged = true;
  for (uint32_t i = 0; i < 2; i++) array_push(l->arena, &l->shares, ((Share){v[i]->view.slot, made, m->node}));
  return py_whole(l, made);
}

static PyValue merge_values(Merge *m, const char *name, const PyValue *a, const PyValue *b) {
  Lower *l = m->l;
  const PyValue *v[2] = {a, b};
  if (same_value(a, b)) return *a;
  bool pending = false;
  for (uint32_t i = 0; i < 2; i++) pending |= v[i]->kind == PYV_UNBOUND || v[i]->kind == PYV_PENDING;
  bool unbound = v[0]->kind == PYV_UNBOUND || v[1]->kind == PYV_UNBOUND;
  if (unbound && name == py_returned && !l->going)
    return (PyValue){.kind = PYV_OTHER, .text = "on one of its ways the function returns nothing"};
  if (pending && !py_fact(l, FACT_NEEDED, m->node, py_key(l, name)))
    return (PyValue){.kind = PYV_PENDING, .node = m->node};
  for (uint32_t i = 0; i < 2; i++)
    if (v[i]->kind == PYV_PENDING) need(l, v[i], name);
  if (a->kind == PYV_NUMBER || b->kind == PYV_NUMBER) {
    const PyValue *other = a->kind == PYV_NUMBER ? b : a, *number = a->kind == PYV_NUMBER ? a : b;
    if (other->kind == PYV_NUMBER || other->kind == PYV_UNBOUND) {
      NumberType type = other->kind == PYV_NUMBER && other->type > number->type ? other->type : number->type;
      ValueId id[2];
      for (uint32_t i = 0; i < 2; i++) {
        in_arm(m, i);
        id[i] = v[i]->kind == PYV_NUMBER ? py_convert(l, v[i], type) : poison(l, type);
      }
      return py_number(type, merged(m, id[0], id[1]));
    }
  }
  if (a->kind == PYV_ARRAY && b->kind == PYV_ARRAY && py_rank(&a->view) == py_rank(&b->view)) return merge_arrays(m, v);
  if (a->kind == PYV_TUPLE && b->kind == PYV_TUPLE && a->count == b->count) {
    PyValue tuple = *a;
    tuple.items = arena_array(l->arena, PyValue, a->count + 1);
    for (uint32_t i = 0; i < a->count; i++) tuple.items[i] = merge_values(m, name, &a->items[i], &b->items[i]);
    return tuple;
  }
  const char *what = name && name != py_returned ? name : "this";
  return (PyValue){.kind = PYV_OTHER,
                   .text = arena_format(l->arena, "%s is of another kind on each of two ways to here", what)};
}

static const PyValue unbound = {.kind = PYV_UNBOUND};

static const PyValue *in_state(const State *s, uint32_t frame, Name name) {
  for (uint32_t k = 0; k < s->name_count[frame]; k++)
    if (s->names[frame][k].name == name) return &s->names[frame][k].value;
  return &unbound;
}

static void merge_names(Merge *m, const State *a, const State *b, uint32_t i) {
  Lower *l = m->l;
  Frame *f = l->frames.data[i];
  const State *both[2] = {a, b};
  f->names.count = 0;
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t k = 0; k < both[side]->name_count[i]; k++) {
      Name name = both[side]->names[i][k].name;
      const char *text = intern_string(l->p->names, name);
      if (py_own_binding(l, f, text)) continue;
      if (!strcmp(text, py_returned)) text = py_returned;
      PyValue value = merge_values(m, text, in_state(a, i, name), in_state(b, i, name));
      array_push(l->arena, &f->names, (Binding){name, value});
    }
}

static void merge_slot(Merge *m, const SlotState *a, const SlotState *b, Slot *slot) {
  const SlotState *both[2] = {a, b};
  SlotState own[2];
  for (uint32_t i = 0; i < 2; i++) {
    put_slot(slot, both[i]);
    in_arm(m, i);
    if (!both[1 - i]->is_even) py_make_uneven(m->l, slot);
    own[i] = slot_state(slot);
  }
  slot->given = a->given ? a->given : b->given;
  slot->value = merged(m, own[0].value, own[1].value);
  for (uint32_t k = 0; k < slot->rank; k++) slot->length[k] = merged(m, own[0].length[k], own[1].length[k]);
}

static void patch(ValueId *id, ValueId first) {
  if (*id & MERGED) *id = first + (*id & ~MERGED);
}

static void patch_value(PyValue *v, ValueId first) {
  if (v->kind == PYV_NUMBER) patch(&v->id, first);
  for (uint32_t i = 0; v->kind == PYV_TUPLE && i < v->count; i++) patch_value(&v->items[i], first);
}

PyValue py_branch(Lower *l, const PyNode *node, ValueId condition,
                  PyValue (*arm)(Lower *l, bool yes, const void *payload), const void *payload) {
  Builder *b = &l->b;
  Merge m = {.l = l, .node = node};
  State *before = state_now(l), *after[2];
  PyValue value[2];
  RegionId regions[2];
  int64_t known;
  if (py_is_constant(l, condition, &known)) return arm(l, known != 0, payload);
  py_at(l, node);
  OpId op = build_open(b, OP_SCF_IF);
  BlockId outer = b->block;
  for (uint32_t i = 0; i < 2; i++) {
    b->block = m.block[i] = build_block(b, op, 0, NULL);
    regions[i] = program_get_block(l->p, b->block)->region;
    put_state(l, before);
    value[i] = arm(l, i == 0, payload);
    after[i] = state_now(l);
  }
  PyValue result = merge_values(&m, NULL, &value[0], &value[1]);
  for (uint32_t i = 0; i < before->frame_count; i++) merge_names(&m, after[0], after[1], i);
  for (uint32_t i = 1; i < before->slot_count; i++)
    merge_slot(&m, &after[0]->slots[i], &after[1]->slots[i], &l->slots.data[i]);
  uint32_t n = m.yields[0].count;
  TypeId *types = arena_array(l->arena, TypeId, n + 1);
  for (uint32_t k = 0; k < n; k++) types[k] = program_get_value(l->p, m.yields[0].data[k])->type;
  for (uint32_t i = 0; i < 2; i++) {
    in_arm(&m, i);
    build_op(b, OP_SCF_YIELD, n, m.yields[i].data, 0, NULL);
  }
  b->block = outer;
  ValueId first = build_close(b, op, 1, &condition, n, types, 2, regions);
  for (uint32_t i = 0; i < before->frame_count; i++)
    for (uint32_t k = 0; k < l->frames.data[i]->names.count; k++)
      patch_value(&l->frames.data[i]->names.data[k].value, first);
  for (uint32_t i = 1; i < l->slots.count; i++) {
    patch(&l->slots.data[i].value, first);
    for (uint32_t k = 0; k < PY_MAX_RANK; k++) patch(&l->slots.data[i].length[k], first);
  }
  patch_value(&result, first);
  return result;
}
