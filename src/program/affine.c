/* Affine maps as texts, which are equal where linear expressions are: sums are written in the order of dimensions and
 * symbols, whatever the order they were read in. */
#include "program/program.h"

enum { MOST_NAMES = 64 };

typedef struct Linear {
  int64_t coefficient[MOST_NAMES], constant;
} Linear;

static void add_scaled(Linear *to, const Linear *from, int64_t factor) {
  for (uint32_t i = 0; i < MOST_NAMES; i++)
    to->coefficient[i] = (int64_t)((uint64_t)to->coefficient[i] + (uint64_t)from->coefficient[i] * (uint64_t)factor);
  to->constant = (int64_t)((uint64_t)to->constant + (uint64_t)from->constant * (uint64_t)factor);
}

static bool is_constant(const Linear *l) {
  for (uint32_t i = 0; i < MOST_NAMES; i++)
    if (l->coefficient[i]) return false;
  return true;
}

/* false: it is not linear with numbers as coefficients. */
static bool linear(const AffineMap *map, uint32_t at, Linear *out) {
  const AffineNode *n = &map->nodes[at];
  Linear left, right;
  *out = (Linear){0};
  switch (n->kind) {
  case AFFINE_CONSTANT: out->constant = n->value; return true;
  case AFFINE_DIM:
  case AFFINE_SYMBOL: {
    int64_t k = n->value + (n->kind == AFFINE_SYMBOL ? (int64_t)map->dims : 0);
    if (k < 0 || k >= MOST_NAMES) return false;
    out->coefficient[k] = 1;
    return true;
  }
  case AFFINE_ADD:
    if (!linear(map, n->left, out) || !linear(map, n->right, &right)) return false;
    add_scaled(out, &right, 1);
    return true;
  case AFFINE_MUL:
    if (!linear(map, n->left, &left) || !linear(map, n->right, &right)) return false;
    if (is_constant(&right))
      add_scaled(out, &left, right.constant);
    else if (is_constant(&left))
      add_scaled(out, &right, left.constant);
    else
      return false;
    return true;
  case AFFINE_MOD:
  case AFFINE_FLOORDIV:
  case AFFINE_CEILDIV: return false;
  }
  return false;
}

static void print_name(const AffineMap *map, uint32_t k, Text *out) {
  text_format(out, "%c%u", k < map->dims ? 'd' : 's', k < map->dims ? k : k - map->dims);
}

static void print_linear(const AffineMap *map, const Linear *l, Text *out) {
  bool any = false;
  for (uint32_t i = 0; i < MOST_NAMES; i++) {
    if (!l->coefficient[i]) continue;
    if (any) text_add(out, " + ");
    print_name(map, i, out);
    if (l->coefficient[i] != 1) text_format(out, " * %lld", (long long)l->coefficient[i]);
    any = true;
  }
  if (any && l->constant) text_format(out, " + %lld", (long long)l->constant);
  if (!any) text_format(out, "%lld", (long long)l->constant);
}

static void print_expression(const AffineMap *map, uint32_t at, bool inner, Text *out) {
  static const char *const words[] = {[AFFINE_ADD] = "+",
                                      [AFFINE_MUL] = "*",
                                      [AFFINE_MOD] = "mod",
                                      [AFFINE_FLOORDIV] = "floordiv",
                                      [AFFINE_CEILDIV] = "ceildiv"};
  const AffineNode *n = &map->nodes[at];
  Linear l;
  if (n->kind < AFFINE_ADD) inner = false;
  if (inner) text_char(out, '(');
  if (linear(map, at, &l)) {
    print_linear(map, &l, out);
  } else {
    print_expression(map, n->left, true, out);
    text_format(out, " %s ", words[n->kind]);
    print_expression(map, n->right, true, out);
  }
  if (inner) text_char(out, ')');
}

void program_map_print(const AffineMap *map, Text *out) {
  text_add(out, map->equal ? "affine_set<(" : "affine_map<(");
  for (uint32_t i = 0; i < map->dims; i++) text_format(out, "%sd%u", i ? ", " : "", i);
  text_add(out, ")");
  if (map->symbols) {
    for (uint32_t i = 0; i < map->symbols; i++) text_format(out, "%ss%u", i ? ", " : "[", i);
    text_add(out, "]");
  }
  text_add(out, map->equal ? " : (" : " -> (");
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (i) text_add(out, ", ");
    print_expression(map, map->results[i], false, out);
    if (map->equal) text_add(out, map->equal[i] ? " == 0" : " >= 0");
  }
  text_add(out, ")>");
}
