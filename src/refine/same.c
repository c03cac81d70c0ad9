/* Tells whether two functions are the same operation by operation. If they are, one refines the other, whatever the
 * operations mean: only what they refer to by name must be the same, too. */
#include <string.h>

#include "refine/internal.h"

enum { MOST_DEPTH = 5 };

typedef struct Same {
  Arena *arena;
  const Program *p, *q;
  ProgramExtent a, b;
  uint32_t depth;
} Same;

static bool same_name(const Same *s, Name a, Name b) {
  return !strcmp(a ? intern_string(s->p->names, a) : "", b ? intern_string(s->q->names, b) : "");
}

static bool same_map(Same *s, const AffineMap *a, const AffineMap *b) {
  Text texts[2] = {text_new(s->arena), text_new(s->arena)};
  if (!a || !b) return a == b;
  program_map_print(a, &texts[0]), program_map_print(b, &texts[1]);
  return !strcmp(text_string(&texts[0]), text_string(&texts[1]));
}

static bool same_symbol(Same *s, Name a, Name b);
static bool same_attr(Same *s, AttrId x, AttrId y);

static bool is_vector(const Program *p, const Type *t) {
  return t->text && !strcmp(intern_string(p->names, t->text), "vector");
}

/* By what they say, whatever they are called: layouts may be aliases. Encodings of tensors and memory spaces do not
 * matter to what is computed. */
static bool same_type(Same *s, TypeId x, TypeId y) {
  if (!x || !y) return x == y;
  const Type *a = program_get_type(s->p, x), *b = program_get_type(s->q, y);
  if (a->kind != b->kind || a->width != b->width || a->sign != b->sign || a->format != b->format ||
      a->rank != b->rank || a->member_count != b->member_count)
    return false;
  for (uint32_t i = 0; i < a->member_count; i++)
    if (!same_type(s, a->members[i], b->members[i])) return false;
  if (a->kind == TYPE_FUNCTION) return true;
  if (a->kind == TYPE_OPAQUE) return same_name(s, a->text, b->text);
  if (is_vector(s->p, a) != is_vector(s->q, b)) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i]) return false;
  return same_type(s, a->element, b->element) && same_attr(s, a->layout, b->layout);
}

static bool same_attr(Same *s, AttrId x, AttrId y) {
  if (!x || !y) return x == y;
  const Attr *a = program_get_attr(s->p, x), *b = program_get_attr(s->q, y);
  if (a->kind != b->kind || a->integer != b->integer || a->bits != b->bits || a->count != b->count ||
      !same_name(s, a->text, b->text) || !same_type(s, a->type, b->type) || !same_map(s, a->map, b->map))
    return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->items && !same_attr(s, a->items[i], b->items[i])) return false;
    if (a->keys && !same_name(s, a->keys[i], b->keys[i])) return false;
  }
  return a->kind != ATTR_SYMBOL || same_symbol(s, a->text, b->text);
}

static bool same_attrs(Same *s, const Op *a, const Op *b) {
  if (a->attr_count != b->attr_count) return false;
  for (uint32_t i = 0; i < a->attr_count; i++)
    if (!same_name(s, a->attrs[i].name, b->attrs[i].name) || !same_attr(s, a->attrs[i].value, b->attrs[i].value))
      return false;
  return true;
}

static bool same_value(Same *s, ValueId a, ValueId b) {
  return a - s->a.first_value == b - s->b.first_value &&
         same_type(s, program_get_value(s->p, a)->type, program_get_value(s->q, b)->type);
}

static bool same_op(Same *s, OpId x, OpId y) {
  guard_tick(s->arena->guard);
  const Op *a = program_get_op(s->p, x), *b = program_get_op(s->q, y);
  if (x - s->a.first_op != y - s->b.first_op || !same_name(s, a->name, b->name) || a->successor_count ||
      b->successor_count || a->operand_count != b->operand_count || a->result_count != b->result_count ||
      a->region_count != b->region_count || program_op_attr(s->p, a, PROGRAM_SKIPPED) || !same_attrs(s, a, b))
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (!same_value(s, a->operands[i], b->operands[i])) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (!same_value(s, a->first_result + i, b->first_result + i)) return false;
  for (uint32_t i = 0; i < a->region_count; i++) {
    const Region *r = program_get_region(s->p, a->regions[i]), *t = program_get_region(s->q, b->regions[i]);
    if (r->blocks.count != t->blocks.count || r->blocks.count > 1) return false; /* branches are not looked at */
    for (uint32_t k = 0; k < r->blocks.count; k++) {
      const Block *u = program_get_block(s->p, r->blocks.data[k]), *v = program_get_block(s->q, t->blocks.data[k]);
      if (u->arg_count != v->arg_count || u->ops.count != v->ops.count) return false;
      for (uint32_t j = 0; j < u->arg_count; j++)
        if (!same_value(s, u->first_arg + j, v->first_arg + j)) return false;
      for (uint32_t j = 0; j < u->ops.count; j++)
        if (!same_op(s, u->ops.data[j], v->ops.data[j])) return false;
    }
  }
  return true;
}

static const Function *find(const Program *p, const char *name) {
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (!strcmp(intern_string(p->names, p->functions.data[i].name), name)) return &p->functions.data[i];
  return NULL;
}

static bool same_functions(Same *s, const Function *f, const Function *g) {
  Same inner = {s->arena, s->p, s->q, program_extent(s->p, f), program_extent(s->q, g), s->depth + 1};
  return inner.depth < MOST_DEPTH && inner.a.end_op - inner.a.first_op == inner.b.end_op - inner.b.first_op &&
         same_op(&inner, f->op, g->op);
}

static bool same_symbol(Same *s, Name a, Name b) {
  const char *name = intern_string(s->p->names, a), *other = intern_string(s->q->names, b);
  const Function *f = find(s->p, name), *g = find(s->q, other);
  if (f || g) return f && g && same_functions(s, f, g);
  const Op *x = mlir_find_global(s->p, name), *y = mlir_find_global(s->q, other);
  if (x || y) return x && y && same_attrs(s, x, y);
  return false; /* something else that is defined elsewhere */
}

bool refine_same_types(Arena *arena, const Program *p, TypeId a, const Program *q, TypeId b) {
  Same s = {.arena = arena, .p = p, .q = q};
  return same_type(&s, a, b);
}

bool refine_is_same(Arena *arena, const Program *p, const Function *f, const Program *q, const Function *g) {
  Same s = {.arena = arena, .p = p, .q = q};
  return same_functions(&s, f, g);
}
