/* Names for the parts of long formulas, so that what stands in several places is written once.
 *
 * Expressions are no hash-consed terms: the same part may have been made several times. So each node is first given the
 * number of the first one that is like it. Names are given when the text first says them. */
#include <string.h>

#include "base/random.h"
#include "tensor/tensor.h"

enum { LEAST_LENGTH = 40, NAME_LENGTH = 4, LONG_FROM = 20000, FIRST_SLOTS = 256 };

typedef const TensorExpr *Expr;

typedef struct Node {
  Expr expr;
  uint64_t hash;
  uint32_t *args;               /* numbers of the arguments */
  uint32_t refs, whole, length; /* whole: of the text without names */
  bool is_part, is_chosen;
  bool is_whole; /* all of its elements are used */
  const char *name;
} Node;

typedef struct Slot {
  Expr expr;
  uint32_t number;
} Slot;

struct TensorParts {
  TermTable *tt;
  Array(Node) nodes; /* 0: none */
  Slot *by_address, *by_structure;
  uint32_t address_count, structure_count, addresses;
  Array(uint32_t) said;
  uint32_t defined;
  const char *prefix;
};

static uint32_t plus(uint32_t a, uint32_t b) { return a + b < UINT32_MAX / 4 ? a + b : UINT32_MAX / 4; }
static uint64_t mix(uint64_t h, uint64_t x) { return random_mix(h * 31 + x + 0x9E3779B97F4A7C15u); }

static uint64_t hash_of(const TensorParts *p, Expr e, const uint32_t *args) {
  uint64_t h = mix(e->op, (uint64_t)e->sort << 32 | e->count);
  h = mix(h, (uint64_t)e->is_branch << 32 | (uint64_t)e->rank << 24 | (uint64_t)e->axis << 16 | e->axis_count);
  h = mix(mix(h, (uint64_t)e->fn << 32 | (uint64_t)e->fold << 16 | e->idiom), (uint64_t)e->symbol << 32 | e->value);
  for (uint32_t i = 0; i < e->rank; i++) h = mix(h, e->shape[i]);
  for (uint32_t i = 0; i < e->count; i++) h = mix(h, p->nodes.data[args[i]].hash);
  return h;
}

static Slot *slot_at(Slot *slots, uint32_t room, uint64_t hash) { return &slots[hash & (room - 1)]; }

static Slot *next_slot(Slot *slots, uint32_t room, Slot *slot) { return slot + 1 == slots + room ? slots : slot + 1; }

static uint64_t address_hash(Expr e) { return random_mix((uint64_t)(uintptr_t)e); }

static void put(Slot *slots, uint32_t room, uint64_t hash, Slot new) {
  Slot *slot = slot_at(slots, room, hash);
  while (slot->expr) slot = next_slot(slots, room, slot);
  *slot = new;
}

static void grow(TensorParts *p, Slot **slots, uint32_t *room, bool by_address) {
  uint32_t had = *room;
  Slot *old = *slots;
  *room = had ? had * 2 : FIRST_SLOTS;
  *slots = arena_array(p->tt->arena, Slot, *room);
  for (uint32_t i = 0; i < had; i++)
    if (old[i].expr)
      put(*slots, *room, by_address ? address_hash(old[i].expr) : p->nodes.data[old[i].number].hash, old[i]);
}

static uint32_t known_number(const TensorParts *p, Expr e) {
  if (!p->address_count) return 0;
  for (Slot *s = slot_at(p->by_address, p->address_count, address_hash(e)); s->expr;
       s = next_slot(p->by_address, p->address_count, s))
    if (s->expr == e) return s->number;
  return 0;
}

static bool is_alike(const TensorParts *p, const Node *a, const Node *b) {
  if (a->hash != b->hash || !tensor_alike(p->tt, a->expr, b->expr)) return false;
  return !a->expr->count || !memcmp(a->args, b->args, sizeof *a->args * a->expr->count);
}

/* The number of the first node like this one. */
static uint32_t number_structure(TensorParts *p, const Node *node) {
  for (Slot *s = slot_at(p->by_structure, p->structure_count, node->hash); s->expr;
       s = next_slot(p->by_structure, p->structure_count, s))
    if (is_alike(p, &p->nodes.data[s->number], node)) return s->number;
  uint32_t number = p->nodes.count;
  array_push(p->tt->arena, &p->nodes, *node);
  put(p->by_structure, p->structure_count, node->hash, (Slot){node->expr, number});
  if (p->nodes.count * 2 > p->structure_count) grow(p, &p->by_structure, &p->structure_count, false);
  return number;
}

static uint32_t number_of(TensorParts *p, Expr e) {
  uint32_t known = known_number(p, e);
  if (known) return known;
  guard_tick(p->tt->arena->guard);
  Node node = {.expr = e, .args = arena_array(p->tt->arena, uint32_t, e->count + 1), .whole = 8};
  for (uint32_t i = 0; i < e->count; i++) {
    node.args[i] = number_of(p, e->args[i]);
    node.whole = plus(node.whole, p->nodes.data[node.args[i]].whole);
  }
  node.hash = hash_of(p, e, node.args);
  uint32_t before = p->nodes.count, number = number_structure(p, &node);
  if (number == before)
    for (uint32_t i = 0; i < e->count; i++) p->nodes.data[node.args[i]].refs++;
  put(p->by_address, p->address_count, address_hash(e), (Slot){e, number});
  if (++p->addresses * 2 > p->address_count) grow(p, &p->by_address, &p->address_count, true);
  return number;
}

static void choose(TensorParts *p, uint32_t number) {
  Node *n = &p->nodes.data[number];
  if (n->is_chosen) return;
  n->is_chosen = true;
  n->length = 8;
  for (uint32_t i = 0; i < n->expr->count; i++) {
    choose(p, n->args[i]);
    const Node *a = &p->nodes.data[n->args[i]];
    n->length = plus(n->length, a->is_part ? NAME_LENGTH : a->length);
  }
  n->is_part = n->refs > 1 && n->length >= LEAST_LENGTH && n->expr->count;
}

/* "s", or more where something is called s1 already. */
static const char *free_prefix(TermTable *tt) {
  const char *prefix = "s";
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const char *name = intern_string(tt->names, tt->symbols.data[i].name);
    size_t n = strlen(prefix);
    SymbolRole role = tt->symbols.data[i].role;
    if (role == SYMBOL_COUNTER || role == SYMBOL_CARRY || role == SYMBOL_LANE || role == SYMBOL_PID)
      continue; /* which no formula says */
    if (strncmp(name, prefix, n) || !name[n] || strspn(name + n, "0123456789") != strlen(name + n)) continue;
    prefix = arena_format(tt->arena, "%s_", prefix);
    i = UINT32_MAX; /* again from the first */
  }
  return prefix;
}

static TensorParts *no_parts(TermTable *tt) {
  TensorParts *p = arena_new(tt->arena, TensorParts);
  *p = (TensorParts){.tt = tt};
  array_push(tt->arena, &p->nodes, (Node){0});
  grow(p, &p->by_address, &p->address_count, true);
  grow(p, &p->by_structure, &p->structure_count, false);
  return p;
}

static bool is_lazy(Expr e) { return e->op == TENSOR_WHERE && !e->computes_all; }

/* Of the arguments of an operation that has elements, the first of which all elements are used: some are taken of the
 * one before, or it is an arm that is not computed everywhere. */
static uint32_t first_whole(Expr e, uint32_t i) {
  bool takes = e->op == TENSOR_SLICE || e->op == TENSOR_TAKE || e->op == TENSOR_TAKE_ALONG || e->op == TENSOR_GATHER;
  return takes && !i ? 1 : is_lazy(e) && i ? e->count : i;
}

static bool has_elements(TermTable *tt, Expr e) {
  for (uint32_t i = 0; i < e->rank; i++)
    if (!term_prove_le(tt, tt->one, e->shape[i])) return false;
  return true;
}

static void mark_whole(TensorParts *p, uint32_t number) {
  Node *n = &p->nodes.data[number];
  if (n->is_whole) return;
  n->is_whole = true;
  if (!n->expr->may_raise || !has_elements(p->tt, n->expr)) return;
  for (uint32_t i = first_whole(n->expr, 0); i < n->expr->count; i = first_whole(n->expr, i + 1))
    mark_whole(p, n->args[i]);
}

static void add_unused(TensorParts *p, uint32_t number, TensorExprs *unused) {
  Node *n = &p->nodes.data[number];
  if (n->is_chosen) return;
  n->is_chosen = true;
  bool lazy = is_lazy(n->expr),
       is_choice = lazy && !n->expr->is_branch && n->expr->may_raise; /* its arms are computed where they are chosen */
  for (uint32_t i = 0; i < (lazy ? 1 : n->expr->count); i++) add_unused(p, n->args[i], unused);
  n = &p->nodes.data[number];
  if (!n->is_whole && (is_choice || tensor_raises(p->tt, n->expr))) array_push(p->tt->arena, unused, n->expr);
}

TensorExprs tensor_unused_errors(TermTable *tt, const TensorExprs *used, const TensorExprs *computed) {
  TensorExprs unused = {0};
  TensorParts *p = no_parts(tt);
  for (uint32_t i = 0; i < used->count; i++) mark_whole(p, number_of(p, used->data[i]));
  for (uint32_t i = 0; i < computed->count; i++) add_unused(p, number_of(p, computed->data[i]), &unused);
  return unused;
}

TensorParts *tensor_parts_new(TermTable *tt, uint32_t count, const TensorExpr *const *roots) {
  TensorParts *p = no_parts(tt);
  uint32_t whole = 0;
  p->prefix = free_prefix(tt);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = number_of(p, roots[i]);
    p->nodes.data[number].refs++;
    whole = plus(whole, p->nodes.data[number].whole);
  }
  if (whole < LONG_FROM) return NULL;
  for (uint32_t i = 0; i < count; i++) choose(p, known_number(p, roots[i]));
  return p;
}

const char *tensor_part_name(TensorParts *p, const TensorExpr *e) {
  uint32_t number = p ? known_number(p, e) : 0;
  if (!number || number == p->defined || !p->nodes.data[number].is_part) return NULL;
  Node *n = &p->nodes.data[number];
  if (n->name) return n->name;
  array_push(p->tt->arena, &p->said, number);
  n->name = arena_format(p->tt->arena, "%s%u", p->prefix, p->said.count);
  return n->name;
}

bool tensor_parts_next(TensorParts *p, uint32_t *at, Text *out) {
  if (!p || *at >= p->said.count) return false;
  p->defined = p->said.data[(*at)++];
  Node n = p->nodes.data[p->defined];
  text_format(out, "let %s = %s\n", n.name, tensor_part_text(p->tt, n.expr, p));
  p->defined = 0;
  return true;
}
