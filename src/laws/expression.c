/* Expressions (see expression.h). Nodes are hash-consed in one array. */
#include "laws/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

typedef struct OpRow {
  const char *text, *arguments;
  char result;
} OpRow;

static const OpRow rows[] = {
#define EXPRESSION(id, text, result, arguments) {text, arguments, result},
#include "laws/expression_ops.def"
#undef EXPRESSION
};

/* POW has a number for its exponent, FN_POW any value. */
const char *expression_op_text(ExpressionOp op) { return op == EXPRESSION_FN_POW ? "power" : rows[op].text; }

/* FN_COUNT: it is no function of the table. */
TermFn expression_op_function(ExpressionOp op) {
  return op >= EXPRESSION_FN_EXP && op < EXPRESSION_OP_COUNT ? (TermFn)(op - EXPRESSION_FN_EXP) : FN_COUNT;
}

uint32_t expression_op_arity(ExpressionOp op) { return (uint32_t)strlen(rows[op].arguments); }
const ExpressionNode *expression_node(const ExpressionTable *table, Expression e) { return &table->nodes.data[e]; }

ExpressionTable *expression_table_new(TermTable *tt, Arena *arena) {
  ExpressionTable *table = arena_new(arena, ExpressionTable);
  table->tt = tt, table->arena = arena;
  array_push(arena, &table->nodes, (ExpressionNode){.op = EXPRESSION_LEAF});
  return table;
}

/* ---- making ---- */

static uint64_t mixed(uint64_t h, uint64_t x) { return random_mix(h * 31 + x + 0x9E3779B97F4A7C15u); }

static uint64_t hash_node(const ExpressionNode *n) {
  uint64_t h = mixed(n->op, n->aux);
  for (uint32_t i = 0; i < EXPRESSION_ARITY; i++) h = mixed(h, n->args[i]);
  return h;
}

static uint32_t *slot_of(const ExpressionTable *table, const ExpressionNode *n) {
  uint32_t mask = table->slot_count - 1, i = (uint32_t)(hash_node(n) >> 13) & mask;
  for (; table->slots[i]; i = (i + 1) & mask) {
    const ExpressionNode *other = &table->nodes.data[table->slots[i]];
    if (other->op == n->op && other->aux == n->aux && !memcmp(other->args, n->args, sizeof n->args)) break;
  }
  return &table->slots[i];
}

static void grow_slots(ExpressionTable *table) {
  table->slot_count = table->slot_count ? table->slot_count * 2 : 1024;
  table->slots = arena_array(table->arena, uint32_t, table->slot_count);
  for (uint32_t e = 1; e < table->nodes.count; e++) *slot_of(table, &table->nodes.data[e]) = e;
}

static Expression put(ExpressionTable *table, ExpressionNode n) {
  guard_tick(table->arena->guard);
  if (table->nodes.count * 2 >= table->slot_count) grow_slots(table);
  uint32_t *slot = slot_of(table, &n);
  if (*slot) return *slot;
  *slot = table->nodes.count;
  array_push(table->arena, &table->nodes, n);
  return *slot;
}

static int index_number(const ExpressionTable *table, Term symbol) {
  for (uint32_t i = 0; i < table->index_count; i++)
    if (table->index[i].symbol == symbol) return (int)i;
  return -1;
}

Expression expression_leaf(ExpressionTable *table, Term t) {
  ExpressionNode n = {.op = EXPRESSION_LEAF, .aux = t, .term = t};
  for (uint32_t i = 0; i < table->index_count; i++)
    if (term_has_symbol(table->tt, t, table->index[i].symbol)) n.free |= (uint64_t)1 << i;
  return put(table, n);
}

bool expression_is_number(const ExpressionTable *table, Expression e) {
  const ExpressionNode *n = expression_node(table, e);
  return n->op == EXPRESSION_LEAF && term_is_rat(table->tt, n->aux);
}

Expression expression_variable(ExpressionTable *table, uint32_t number) {
  return put(table, (ExpressionNode){.op = EXPRESSION_VARIABLE, .aux = number});
}

static char sort_of(const ExpressionTable *table, Expression e) {
  const ExpressionNode *n = expression_node(table, e);
  if (n->op == EXPRESSION_VARIABLE) return '?';
  if (n->op != EXPRESSION_LEAF) return rows[n->op].result;
  switch (term_sort(table->tt, n->aux)) {
  case SORT_INT: return 'I';
  case SORT_REAL: return 'R';
  case SORT_BOOL: return 'B';
  case SORT_PTR: break;
  }
  return 0;
}

static bool fits(const ExpressionTable *table, Expression e, char wanted) {
  char sort = sort_of(table, e);
  if (wanted == 'S')
    return sort == '?' || (expression_node(table, e)->op == EXPRESSION_LEAF &&
                           index_number(table, expression_node(table, e)->aux) >= 0);
  if (wanted == 'I' && sort == 'I') return expression_node(table, e)->op == EXPRESSION_LEAF;
  return sort == '?' || sort == wanted || (sort == 'I' && wanted == 'R');
}

static bool is_fold(ExpressionOp op) {
  return op == EXPRESSION_SUM || op == EXPRESSION_PROD || op == EXPRESSION_MAXIMUM || op == EXPRESSION_MINIMUM;
}

Expression expression_make(ExpressionTable *table, ExpressionOp op, const Expression *args) {
  ExpressionNode n = {.op = op};
  for (uint32_t i = 0; i < expression_op_arity(op); i++) {
    if (!args[i] || !fits(table, args[i], rows[op].arguments[i])) return 0;
    n.args[i] = args[i];
    n.free |= expression_node(table, args[i])->free;
  }
  if (is_fold(op) && expression_node(table, args[0])->op == EXPRESSION_LEAF) {
    int index = index_number(table, expression_node(table, args[0])->aux);
    Expression lo = expression_leaf(table, table->index[index].lo), hi = expression_leaf(table, table->index[index].hi);
    if (args[1] != lo || args[2] != hi) return 0;
    n.free = (expression_node(table, args[3])->free | expression_node(table, args[4])->free) & ~((uint64_t)1 << index);
    n.free |= expression_node(table, lo)->free | expression_node(table, hi)->free;
  }
  return put(table, n);
}

/* ---- from terms ---- */

static Expression make2(ExpressionTable *table, ExpressionOp op, Expression a, Expression b) {
  return expression_make(table, op, (Expression[]){a, b});
}

typedef struct Encoder {
  ExpressionTable *table;
  uint64_t scope; /* indices of the folds around */
} Encoder;

static Expression encode(Encoder *en, Term t);

static struct TermExpression *known_slot(const ExpressionTable *table, Term t) {
  uint32_t mask = table->known_count - 1, i = (uint32_t)(mixed(t, 7) >> 20) & mask;
  while (table->known[i].term && table->known[i].term != t) i = (i + 1) & mask;
  return &table->known[i];
}

static void remember(ExpressionTable *table, Term t, Expression e) {
  if (table->known_used * 2 >= table->known_count) {
    struct TermExpression *old = table->known;
    uint32_t count = table->known_count;
    table->known_count = count ? count * 2 : 512;
    table->known = arena_array(table->arena, struct TermExpression, table->known_count);
    for (uint32_t i = 0; i < count; i++)
      if (old[i].term) *known_slot(table, old[i].term) = old[i];
  }
  table->known_used++;
  *known_slot(table, t) = (struct TermExpression){t, e};
}

/* The symbol for the places of [lo, hi): -1: too many. */
static int index_for(Encoder *en, Term lo, Term hi) {
  ExpressionTable *table = en->table;
  for (uint32_t i = 0; i < table->index_count; i++)
    if (table->index[i].lo == lo && table->index[i].hi == hi && !(en->scope >> i & 1)) return (int)i;
  if (table->index_count == EXPRESSION_INDICES) return -1;
  Term s = term_symbol_fresh(table->tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(table->tt, s, lo, term_sub(table->tt, hi, table->tt->one));
  uint32_t i = table->index_count++;
  table->index[i].symbol = s, table->index[i].lo = lo, table->index[i].hi = hi;
  return (int)i;
}

static Expression encode_fold(Encoder *en, Term t) {
  static const ExpressionOp ops[FOLD_OP_COUNT] = {[FOLD_SUM] = EXPRESSION_SUM,
                                                  [FOLD_PROD] = EXPRESSION_PROD,
                                                  [FOLD_MAX] = EXPRESSION_MAXIMUM,
                                                  [FOLD_MIN] = EXPRESSION_MINIMUM};
  ExpressionTable *table = en->table;
  TermTable *tt = table->tt;
  ExpressionOp op = ops[term_aux(tt, t)];
  if (op == EXPRESSION_LEAF) return expression_leaf(table, t);
  FoldParts p = term_fold_open(tt, t);
  int index = index_for(en, p.lo, p.hi);
  if (index < 0) return expression_leaf(table, t);
  Term symbol = table->index[index].symbol;
  uint64_t outer = en->scope;
  en->scope |= (uint64_t)1 << index;
  Expression body = encode(en, term_replace(tt, p.body, p.symbol, symbol));
  en->scope = outer;
  Expression guard = expression_leaf(table, term_replace(tt, p.guard, p.symbol, symbol));
  Expression fold = expression_make(table, op,
                                    (Expression[]){expression_leaf(table, symbol), expression_leaf(table, p.lo),
                                                   expression_leaf(table, p.hi), guard, body});
  return fold ? fold : expression_leaf(table, t);
}

static Expression encode_sum(Encoder *en, Term t) {
  TermTable *tt = en->table->tt;
  Expression sum = 0;
  for (uint32_t i = term_count(tt, t); i > 1; i -= 2) {
    Term k = term_arg(tt, t, i - 2);
    Expression part = encode(en, term_arg(tt, t, i - 1));
    if (k != tt->one) part = make2(en->table, EXPRESSION_MUL, expression_leaf(en->table, k), part);
    sum = sum ? make2(en->table, EXPRESSION_ADD, part, sum) : part;
  }
  Term constant = term_arg(tt, t, 0);
  return constant == tt->zero ? sum : make2(en->table, EXPRESSION_ADD, expression_leaf(en->table, constant), sum);
}

static Expression encode_product(Encoder *en, Term t) {
  TermTable *tt = en->table->tt;
  Expression product = 0;
  for (uint32_t i = term_count(tt, t); i > 0; i -= 2) {
    Term e = term_arg(tt, t, i - 1);
    Expression part = encode(en, term_arg(tt, t, i - 2));
    if (e != tt->one) part = make2(en->table, EXPRESSION_POW, part, expression_leaf(en->table, e));
    product = product ? make2(en->table, EXPRESSION_MUL, part, product) : part;
  }
  return product;
}

static Expression encode_several(Encoder *en, Term t, ExpressionOp op) {
  TermTable *tt = en->table->tt;
  uint32_t n = term_count(tt, t);
  Expression all = encode(en, term_arg(tt, t, n - 1));
  for (uint32_t i = n - 1; i-- > 0;) all = make2(en->table, op, encode(en, term_arg(tt, t, i)), all);
  return all;
}

static Expression encode_function(Encoder *en, Term t) {
  TermTable *tt = en->table->tt;
  uint32_t n = term_count(tt, t);
  Expression args[EXPRESSION_ARITY] = {0};
  TermFn fn = (TermFn)term_aux(tt, t);
  ExpressionOp op = (ExpressionOp)(EXPRESSION_FN_EXP + (int)fn);
  if (term_fn_info(fn)->sort != SORT_REAL || n != term_fn_arity(fn)) return expression_leaf(en->table, t);
  for (uint32_t i = 0; i < n; i++) args[i] = encode(en, term_arg(tt, t, i));
  return expression_make(en->table, op, args);
}

static Expression encode_node(Encoder *en, Term t) {
  ExpressionTable *table = en->table;
  TermTable *tt = table->tt;
  TermKind kind = term_kind(tt, t);
  bool real = term_sort(tt, t) == SORT_REAL, one = term_count(tt, t) == 1;
  Expression args[EXPRESSION_ARITY] = {0};
  if (kind == TERM_SELECT && term_sort(tt, t) <= SORT_REAL) { /* 0 and 1 are integers, and numbers all the same */
    for (uint32_t i = 0; i < 3; i++) args[i] = encode(en, term_arg(tt, t, i));
    return expression_make(table, EXPRESSION_WHERE, args);
  }
  if (kind == TERM_LT || kind == TERM_LE || kind == TERM_EQ) {
    if (!one || term_sort(tt, term_arg(tt, t, 0)) != SORT_REAL) return 0;
    args[0] = encode(en, term_arg(tt, t, 0));
    return expression_make(table,
                           kind == TERM_LT   ? EXPRESSION_LT
                           : kind == TERM_LE ? EXPRESSION_LE
                                             : EXPRESSION_EQ,
                           args);
  }
  if (kind == TERM_AND || kind == TERM_OR)
    return encode_several(en, t, kind == TERM_AND ? EXPRESSION_AND : EXPRESSION_OR);
  if (kind == TERM_NOT) {
    args[0] = encode(en, term_arg(tt, t, 0));
    return expression_make(table, EXPRESSION_NOT, args);
  }
  if (!real) return 0;
  if (kind == TERM_ADD) return encode_sum(en, t);
  if (kind == TERM_MUL) return encode_product(en, t);
  if (kind == TERM_MAX) return encode_several(en, t, EXPRESSION_MAX);
  if (kind == TERM_MIN) return encode_several(en, t, EXPRESSION_MIN);
  if (kind == TERM_ABS) {
    args[0] = encode(en, term_arg(tt, t, 0));
    return expression_make(table, EXPRESSION_ABS, args);
  }
  if (kind == TERM_FN) return encode_function(en, t);
  if (kind == TERM_FOLD) return encode_fold(en, t);
  return 0;
}

static Expression encode(Encoder *en, Term t) {
  ExpressionTable *table = en->table;
  guard_tick(table->arena->guard);
  if (table->known_count) {
    const struct TermExpression *known = known_slot(table, t);
    if (known->term) return known->expression;
  }
  Expression e = term_count(table->tt, t) ? encode_node(en, t) : 0;
  if (!e) e = expression_leaf(table, t);
  remember(table, t, e);
  return e;
}

Expression expression_of(ExpressionTable *table, Term t) { return encode(&(Encoder){table, 0}, t); }

/* ---- to terms ---- */

static Term decode(ExpressionTable *table, ExpressionOp op, const Term *a) {
  TermTable *tt = table->tt;
  switch (op) {
  case EXPRESSION_LEAF:
  case EXPRESSION_VARIABLE:
  case EXPRESSION_OP_COUNT: return 0;
  case EXPRESSION_ADD: return term_add(tt, a[0], a[1]);
  case EXPRESSION_MUL: return term_mul(tt, a[0], a[1]);
  case EXPRESSION_POW: return term_is_rat(tt, a[1]) ? term_power(tt, a[0], term_rat(tt, a[1])) : 0;
  case EXPRESSION_MAX: return term_max(tt, a[0], a[1]);
  case EXPRESSION_MIN: return term_min(tt, a[0], a[1]);
  case EXPRESSION_ABS: return term_unary(tt, TERM_ABS, a[0]);
  case EXPRESSION_WHERE: return term_select(tt, a[0], a[1], a[2]);
  case EXPRESSION_LT: return term_lt(tt, a[0], tt->zero);
  case EXPRESSION_LE: return term_le(tt, a[0], tt->zero);
  case EXPRESSION_EQ: return term_eq(tt, a[0], tt->zero);
  case EXPRESSION_NOT: return term_not(tt, a[0]);
  case EXPRESSION_AND: return term_and(tt, a[0], a[1]);
  case EXPRESSION_OR: return term_or(tt, a[0], a[1]);
  case EXPRESSION_SUM: return term_fold(tt, FOLD_SUM, a[0], a[1], a[2], a[3], a[4]);
  case EXPRESSION_PROD: return term_fold(tt, FOLD_PROD, a[0], a[1], a[2], a[3], a[4]);
  case EXPRESSION_MAXIMUM: return term_fold(tt, FOLD_MAX, a[0], a[1], a[2], a[3], a[4]);
  case EXPRESSION_MINIMUM: return term_fold(tt, FOLD_MIN, a[0], a[1], a[2], a[3], a[4]);
#define FN(id, ...) case EXPRESSION_FN_##id:
#define FN_INT(...)
#include "base/functions.def"
    return term_fn(tt, expression_op_function(op), expression_op_arity(op), a);
  }
  return 0;
}

Term expression_term(ExpressionTable *table, Expression e) {
  ExpressionNode n = *expression_node(table, e);
  Term args[EXPRESSION_ARITY];
  if (n.term || n.op == EXPRESSION_VARIABLE) return n.term;
  guard_tick(table->arena->guard);
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++)
    if (!(args[i] = expression_term(table, n.args[i]))) return 0;
  Term t = decode(table, n.op, args);
  table->nodes.data[e].term = t;
  return t;
}

/* ---- text ---- */

static size_t word_length(const char *at) { return strcspn(at, " ()\n"); }

static Expression read_word(ExpressionTable *table, const char *at, size_t length) {
  char *end;
  if (at[0] == '?') return length == 2 ? expression_variable(table, (unsigned char)at[1]) : 0;
  if (at[0] == '#') {
    unsigned long id = strtoul(at + 1, &end, 10);
    return end == at + length && length > 1 && id > 0 && id < table->tt->nodes.count ? expression_leaf(table, (Term)id)
                                                                                     : 0;
  }
  if (length == 4 && !memcmp(at, "true", 4)) return expression_leaf(table, table->tt->true_);
  if (!isdigit((unsigned char)at[0]) && at[0] != '-') return 0;
  Rational r = rational_int(strtol(at, &end, 10));
  if (*end == '/') r = rational_div(table->arena->guard, r, rational_int(strtol(end + 1, &end, 10)));
  return end == at + length ? expression_leaf(table, term_new_rat(table->tt, r)) : 0;
}

Expression expression_read(ExpressionTable *table, const char **at) {
  guard_tick(table->arena->guard);
  while (**at == ' ') ++*at;
  bool open = **at == '(';
  if (open) ++*at;
  const char *word = *at;
  size_t length = word_length(word);
  *at += length;
  if (!open) return length ? read_word(table, word, length) : 0;
  if (length == 6 && !memcmp(word, "number", 6)) {
    Expression e = expression_read(table, at);
    return e && expression_is_number(table, e) && *(*at)++ == ')' ? e : 0;
  }
  for (int op = EXPRESSION_ADD; op < EXPRESSION_OP_COUNT; op++) {
    const char *text = expression_op_text((ExpressionOp)op);
    if (strlen(text) != length || memcmp(text, word, length)) continue;
    Expression args[EXPRESSION_ARITY];
    for (uint32_t i = 0; i < expression_op_arity((ExpressionOp)op); i++)
      if (!(args[i] = expression_read(table, at))) return 0;
    if (**at != ')') return 0;
    ++*at;
    return expression_make(table, (ExpressionOp)op, args);
  }
  return 0;
}

void expression_write(ExpressionTable *table, Expression e, Text *out) {
  guard_tick(table->arena->guard);
  ExpressionNode n = *expression_node(table, e);
  if (n.op == EXPRESSION_LEAF)
    text_format(out, expression_is_number(table, e) ? "(number #%u)" : "#%u", n.aux);
  else if (n.op == EXPRESSION_VARIABLE)
    text_format(out, "?%c", (char)n.aux);
  else {
    text_format(out, "(%s", expression_op_text(n.op));
    for (uint32_t i = 0; i < expression_op_arity(n.op); i++) {
      text_char(out, ' ');
      expression_write(table, n.args[i], out);
    }
    text_char(out, ')');
  }
}

uint32_t expression_size(const ExpressionTable *table, Expression e, uint32_t most) {
  const ExpressionNode *n = expression_node(table, e);
  uint32_t size = 1;
  for (uint32_t i = 0; i < expression_op_arity(n->op) && size < most; i++)
    size += expression_size(table, n->args[i], most - size);
  return size;
}

/* ---- where it is defined ---- */

typedef struct Demand {
  ExpressionOp op;
  Term argument;
  bool shown;
} Demand;

/* What must hold of a node's arguments for it to have a value, beyond that they have: none if it always has. */
static bool demand_of(ExpressionTable *table, Expression e, Demand *d) {
  TermTable *tt = table->tt;
  ExpressionNode n = *expression_node(table, e);
  Term a = n.args[0] ? expression_term(table, n.args[0]) : 0;
  *d = (Demand){n.op, a, false};
  if (n.op == EXPRESSION_POW) {
    Term p = expression_term(table, n.args[1]);
    if (!a || !p || !term_is_rat(tt, p)) return true;
    Rational r = term_rat(tt, p);
    if (r.den == 1 && r.num >= 0) return false;
    d->shown = r.num < 0 ? (r.den == 1 ? term_is_nonzero(tt, a) : term_is_positive(tt, a)) : term_is_nonnegative(tt, a);
    return true;
  }
  TermFn fn = expression_op_function(n.op);
  TermFnDomain domain = fn == FN_COUNT ? FN_DOMAIN_ANY : term_fn_info(fn)->domain;
  if (domain == FN_DOMAIN_ANY || domain == FN_DOMAIN_FINITE) return false;
  if (domain == FN_DOMAIN_POSITIVE || fn == FN_LGAMMA) d->shown = a && term_is_positive(tt, a);
  return true;
}

/* A leaf that always has a value: a number, a symbol, an element, integers made of symbols. */
static bool is_plain(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  return kind == TERM_RAT || kind == TERM_SYM || kind == TERM_READ ||
         !(term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF | TERM_HAS_INF | TERM_HAS_OPAQUE | TERM_HAS_FOLD));
}

typedef struct Demands {
  ExpressionTable *table;
  Array(Expression) seen, given;
  bool failed;
} Demands;

static void collect(Demands *d, Expression e, bool check) {
  ExpressionTable *table = d->table;
  guard_tick(table->arena->guard);
  for (uint32_t i = 0; i < d->seen.count; i++)
    if (d->seen.data[i] == e) return;
  array_push(table->arena, &d->seen, e);
  ExpressionNode n = *expression_node(table, e);
  Demand demand = {0}, other;
  bool is_leaf = n.op == EXPRESSION_LEAF,
       partial = is_leaf ? !is_plain(table->tt, n.aux) : demand_of(table, e, &demand);
  if (partial && !check) array_push(table->arena, &d->given, e);
  if (partial && check && !demand.shown) {
    bool found = false;
    for (uint32_t i = 0; i < d->given.count && !found; i++) {
      found = d->given.data[i] == e;
      if (is_leaf || found || expression_node(table, d->given.data[i])->op != n.op ||
          !demand_of(table, d->given.data[i], &other))
        continue;
      ExpressionNode m = *expression_node(table, d->given.data[i]);
      found = demand.argument && other.argument == demand.argument &&
              (expression_op_arity(n.op) < 2 || expression_term(table, m.args[1]) == expression_term(table, n.args[1]));
    }
    d->failed |= !found;
  }
  if (!check && (n.op == EXPRESSION_AND || n.op == EXPRESSION_OR)) return; /* one side may decide */
  if (!check && (n.op == EXPRESSION_WHERE ||
                 is_fold(n.op))) { /* of a branch that may not be taken, or a fold that may be empty, nothing follows */
    if (n.op == EXPRESSION_WHERE) collect(d, n.args[0], check);
    return;
  }
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++) collect(d, n.args[i], check);
}

bool expression_is_defined(ExpressionTable *table, Expression e, Expression given) {
  Demands d = {.table = table};
  if (e == given) return true;
  if (given) collect(&d, given, false);
  d.seen.count = 0;
  collect(&d, e, true);
  return !d.failed;
}

/* ---- what follows from its having a value ---- */

static void push_demand(ExpressionTable *table, Expression e) {
  TermTable *tt = table->tt;
  ExpressionNode n = *expression_node(table, e);
  Term a = n.args[0] ? expression_term(table, n.args[0]) : 0, fact = tt->true_;
  if (n.free || !a) return; /* of the indices of folds nothing is said */
  if (n.op == EXPRESSION_FN_LOG) fact = term_lt(tt, tt->zero, a);
  if (n.op == EXPRESSION_POW) {
    Term p = expression_term(table, n.args[1]);
    if (!p || !term_is_rat(tt, p)) return;
    Rational r = term_rat(tt, p);
    if (r.den != 1)
      fact = r.num < 0 ? term_lt(tt, tt->zero, a) : term_le(tt, tt->zero, a);
    else if (r.num < 0)
      fact = term_not(tt, term_eq(tt, a, tt->zero));
  }
  if (fact != tt->true_ && fact != tt->false_ && !term_prove_true(tt, fact)) term_push_fact(tt, fact);
}

void expression_push_demands(ExpressionTable *table, Expression e) {
  Demands d = {.table = table};
  collect(&d, e, false);
  for (uint32_t i = 0; i < d.given.count; i++) push_demand(table, d.given.data[i]);
}
