/* Affine maps and sets of MLIR, and the layouts of memrefs.
 *
 *   map    = affine_map<(d0, ..)[s0, ..] -> (expr, ..)>
 *   set    = affine_set<(d0, ..)[s0, ..] : (expr >= 0, expr == 0, ..)>
 *   expr   = term ((+|-) term)*       term = factor ((* | mod | floordiv | ceildiv) factor)*
 *   factor = integer | name | -factor | (expr)
 *   layout = strided<[s, ..], offset: o>, each a number or ?
 *
 * Names are whatever the lists in front declare. Expressions also stand inside of operations (affine.load %m[%i + 1]):
 * there operands take the place of names, and each is a dimension of its own. */
#include <string.h>

#include "read/mlir/parser.h"

enum { MOST_NAMES = 64 };

typedef struct AffineReader {
  Parser *r;
  Draft *draft; /* operands as names; NULL: the names below */
  Array(AffineNode) nodes;
  Name names[MOST_NAMES];
  uint32_t dims, symbols, operands;
} AffineReader;

static bool node(AffineReader *a, AffineNode n, uint32_t *out) {
  array_push(a->r->arena, &a->nodes, n);
  *out = a->nodes.count - 1;
  return true;
}

static bool expression(AffineReader *a, uint32_t *out);

static bool name_node(AffineReader *a, uint32_t *out) {
  Name name = parser_name(a->r, 0);
  for (uint32_t i = 0; i < a->dims + a->symbols; i++)
    if (a->names[i] == name) {
      lexer_next(&a->r->lexer);
      bool is_dim = i < a->dims;
      return node(a, (AffineNode){is_dim ? AFFINE_DIM : AFFINE_SYMBOL, is_dim ? i : i - a->dims, 0, 0}, out);
    }
  return parser_expected(a->r, "a dimension or symbol of this map");
}

static bool operand_node(AffineReader *a, uint32_t *out) {
  if (!parse_operand(a->r, a->draft)) return false;
  return node(a, (AffineNode){AFFINE_DIM, a->operands++, 0, 0}, out);
}

static bool negated(AffineReader *a, uint32_t inner, uint32_t *out) {
  uint32_t minus;
  return node(a, (AffineNode){AFFINE_CONSTANT, -1, 0, 0}, &minus) &&
         node(a, (AffineNode){AFFINE_MUL, 0, inner, minus}, out);
}

static bool factor(AffineReader *a, uint32_t *out) {
  Parser *r = a->r;
  int64_t value;
  if (!parser_enter(r)) return false;
  bool good;
  if (parser_accept(r, '('))
    good = expression(a, out) && parser_expect(r, ')');
  else if (lexer_is(&r->lexer, '-')) {
    lexer_next(&r->lexer);
    uint32_t inner;
    good = factor(a, &inner) && negated(a, inner, out);
  } else if (r->lexer.token.kind == TOKEN_INT)
    good = parser_integer(r, &value) && node(a, (AffineNode){AFFINE_CONSTANT, value, 0, 0}, out);
  else if (a->draft && parser_accept_word(r, "symbol"))
    good = parser_expect(r, '(') && operand_node(a, out) && parser_expect(r, ')');
  else if (a->draft && r->lexer.token.kind == TOKEN_VALUE)
    good = operand_node(a, out);
  else
    good = r->lexer.token.kind == TOKEN_WORD ? name_node(a, out) : parser_expected(r, "an affine expression");
  parser_leave(r);
  return good;
}

static bool operator_of(Parser *r, AffineKind *kind) {
  if (parser_accept(r, '*')) return *kind = AFFINE_MUL, true;
  if (parser_accept_word(r, "mod")) return *kind = AFFINE_MOD, true;
  if (parser_accept_word(r, "floordiv")) return *kind = AFFINE_FLOORDIV, true;
  if (parser_accept_word(r, "ceildiv")) return *kind = AFFINE_CEILDIV, true;
  return false;
}

static bool product(AffineReader *a, uint32_t *out) {
  AffineKind kind;
  if (!factor(a, out)) return false;
  while (operator_of(a->r, &kind)) {
    uint32_t right;
    if (!factor(a, &right) || !node(a, (AffineNode){kind, 0, *out, right}, out)) return false;
  }
  return true;
}

static bool expression(AffineReader *a, uint32_t *out) {
  if (!product(a, out)) return false;
  while (lexer_is(&a->r->lexer, '+') || lexer_is(&a->r->lexer, '-')) {
    bool minus = lexer_is(&a->r->lexer, '-');
    uint32_t right;
    lexer_next(&a->r->lexer);
    if (!product(a, &right) || (minus && !negated(a, right, &right)) ||
        !node(a, (AffineNode){AFFINE_ADD, 0, *out, right}, out))
      return false;
  }
  return true;
}

static bool name_list(AffineReader *a, char close, uint32_t *count) {
  Parser *r = a->r;
  if (parser_accept(r, close)) return true;
  do {
    if (r->lexer.token.kind != TOKEN_WORD) return parser_expected(r, "a name");
    if (a->dims + a->symbols == MOST_NAMES) return parser_expected(r, "at most 64 dimensions and symbols");
    a->names[a->dims + a->symbols] = parser_name(r, 0);
    ++*count;
    lexer_next(&r->lexer);
  } while (parser_accept(r, ','));
  return parser_expect(r, close);
}

typedef struct ResultList {
  Array(uint32_t) nodes;
  Array(bool) equal;
} ResultList;

static bool constraint(AffineReader *a, bool is_set, ResultList *list) {
  Parser *r = a->r;
  uint32_t result, zero;
  bool equal = false;
  if (!expression(a, &result)) return false;
  if (is_set) {
    bool less = lexer_is(&r->lexer, '<');
    equal = lexer_is(&r->lexer, '=');
    if (!equal && !less && !lexer_is(&r->lexer, '>')) return parser_expected(r, "`>=`, `<=` or `==`");
    lexer_next(&r->lexer);
    if (!parser_expect(r, '=') || !expression(a, &zero)) return false;
    uint32_t from = less ? zero : result, taken = less ? result : zero;
    if (!negated(a, taken, &taken) || !node(a, (AffineNode){AFFINE_ADD, 0, from, taken}, &result)) return false;
  }
  array_push(r->arena, &list->nodes, result);
  array_push(r->arena, &list->equal, equal);
  return true;
}

static const AffineMap *finish(AffineReader *a, const ResultList *list, bool is_set) {
  AffineMap *map = arena_new(a->r->arena, AffineMap);
  *map = (AffineMap){.dims = a->dims,
                     .symbols = a->symbols,
                     .node_count = a->nodes.count,
                     .result_count = list->nodes.count,
                     .nodes = a->nodes.data,
                     .results = list->nodes.data,
                     .equal = is_set ? list->equal.data : NULL};
  return map;
}

/* (d0, ..)[s0, ..] -> (..) or : (..) */
const AffineMap *parse_affine_map(Parser *r, bool is_set) {
  AffineReader a = {.r = r};
  ResultList list = {0};
  if (!parser_expect(r, '(') || !name_list(&a, ')', &a.dims)) return NULL;
  if (parser_accept(r, '[') && !name_list(&a, ']', &a.symbols)) return NULL;
  if (!(is_set ? parser_expect(r, ':') : parser_expect_arrow(r)) || !parser_expect(r, '(')) return NULL;
  if (!lexer_is(&r->lexer, ')')) {
    do
      if (!constraint(&a, is_set, &list)) return NULL;
    while (parser_accept(r, ','));
  }
  return parser_expect(r, ')') ? finish(&a, &list, is_set) : NULL;
}

AttrId parse_affine_attribute(Parser *r) {
  bool is_set = lexer_is_word(&r->lexer, "affine_set");
  lexer_next(&r->lexer);
  if (!parser_expect(r, '<')) return 0;
  const AffineMap *map = parse_affine_map(r, is_set);
  if (!map || !parser_expect(r, '>')) return 0;
  return attr_new(r, (Attr){.kind = ATTR_MAP, .map = map});
}

/* expr, .. up to the bracket; a bound is WORD(expr, ..), too. `sizes`: of how many expressions each bound is one. */
const AffineMap *parse_affine_bounds(Parser *r, Draft *d, const char *word, uint32_t dims, int64_t *sizes) {
  AffineReader a = {.r = r, .draft = d};
  ResultList list = {0};
  for (uint32_t i = 0; i < dims; i++) {
    uint32_t before = list.nodes.count;
    if (i && !parser_expect(r, ',')) return NULL;
    bool several = parser_accept_word(r, word);
    if (several && !parser_expect(r, '(')) return NULL;
    do
      if (!constraint(&a, false, &list)) return NULL;
    while (several && parser_accept(r, ','));
    if (several && !parser_expect(r, ')')) return NULL;
    sizes[i] = list.nodes.count - before;
  }
  a.dims = a.operands;
  return parser_expect(r, ')') ? finish(&a, &list, false) : NULL;
}

/* expr, .. up to the bracket, over operands that are pushed: the map over them. */
const AffineMap *parse_affine_operands(Parser *r, Draft *d, char close) {
  AffineReader a = {.r = r, .draft = d};
  ResultList list = {0};
  if (!lexer_is(&r->lexer, close)) {
    do
      if (!constraint(&a, false, &list)) return NULL;
    while (parser_accept(r, ','));
  }
  a.dims = a.operands;
  return parser_expect(r, close) ? finish(&a, &list, false) : NULL;
}

/* strided<[10, 1], offset: ?>: an array of the offset and the strides. */
AttrId parse_strided(Parser *r) {
  int64_t values[TYPE_MAX_RANK + 1] = {0};
  uint32_t count = 1;
  lexer_next(&r->lexer);
  if (!parser_expect(r, '<') || !parser_expect(r, '[')) return 0;
  if (!lexer_is(&r->lexer, ']')) {
    do {
      if (count > TYPE_MAX_RANK) return parser_expected(r, "at most 16 strides");
      if (parser_accept(r, '?'))
        values[count] = TYPE_DYNAMIC;
      else if (!parser_integer(r, &values[count]))
        return 0;
      count++;
    } while (parser_accept(r, ','));
  }
  if (!parser_expect(r, ']')) return 0;
  if (parser_accept(r, ',')) {
    if (!parser_expect_word(r, "offset") || !parser_expect(r, ':')) return 0;
    if (parser_accept(r, '?'))
      values[0] = TYPE_DYNAMIC;
    else if (!parser_integer(r, &values[0]))
      return 0;
  }
  return parser_expect(r, '>') ? attr_integers(r, values, count) : 0;
}

AttrId attr_integers(Parser *r, const int64_t *values, uint32_t count) {
  AttrId *items = arena_array(r->arena, AttrId, count + 1);
  for (uint32_t i = 0; i < count; i++) items[i] = attr_int(r, values[i], 64);
  return attr_new(r, (Attr){.kind = ATTR_ARRAY, .type = program_type_int(r->p, 64), .items = items, .count = count});
}
