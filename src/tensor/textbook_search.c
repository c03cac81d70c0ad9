/* The textbook's laws searched: where the fixed order of laws.def does not end in the shortest form.
 *
 * The expression goes into an e-graph (egraph/egraph.h) as sums, products and powers: a - b is a + -1 * b, a / b is
 * a * b ** -1. The rules of laws.def add equal forms, longer ones among them; the laws in C are applied to the most
 * readable member of each class. Limits count nodes and rounds, never time, so that the same expression gives the same
 * result everywhere. The most readable member of the root's class is brought to the order of people (arith.c); it is
 * taken if its text is shorter, if it agrees with the expression on random arrays, and if the caller's prover shows it.
 *
 * Steps are read off the e-graph's explanation: each instance of a law with its two sides. */
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "egraph/egraph.h"
#include "tensor/textbook.h"
#include "term/guarded.h"

typedef Array(Expr) Exprs;

enum {
  NODES = 1000,
  MEMORY = 32 << 20,
  ROUNDS = 3,
  ITERATIONS = 3, /* of the rules, in a round */
  LEAST_SIZE = 3, /* of the expression, counted as a tree */
  MOST_SIZE = 64,
  MOST_SEARCHES = 24, /* of a formula and its parts */
  MOST_WHOLE = 2000,  /* a formula whose parts are compared with each other, as a tree */
  DEPTH = 4,          /* of explanations in explanations */
  MOST_WORDS = 400,
  MOST_ARGS = 4
};

static const char matmul[] = "matmul"; /* "@" is no name of the e-graph */
static const double LEAST_GAIN = 2;    /* what is hardly shorter stays as its author wrote it */

typedef enum WordKind {
  WORD_OPERATION,      /* proto, of any arguments; or a leaf */
  WORD_AXES_OPERATION, /* the same; its first child says the axes */
  WORD_REDUCE,         /* children: FOLD, AXES, argument */
  WORD_FOLD,
  WORD_AXES
} WordKind;

typedef struct Word { /* what an operator of the e-graph stands for */
  EGraphOperator op;
  WordKind kind;
  const char *name;
  Expr proto;
  TermFoldOp fold;
  uint32_t axis_count;
  uint8_t axes[TENSOR_MAX_RANK];
  double cost;
} Word;

typedef struct Value { /* of a class */
  double cost;
  Expr expr;        /* its most readable member; NULL: a word of its own, or nothing that fits */
  const Word *word; /* FOLD, AXES */
} Value;

typedef struct Joined { /* by a law in C, or as the normal form */
  const char *reason;
  Expr before, after;
} Joined;

typedef struct Search {
  Book *book;
  Array(Joined) joined;
  TermTable *tt;
  EGraph *graph;
  EGraphRules *rules;
  unsigned analysis;
  bool threw; /* out of time or memory inside a callback */
  uint32_t word_count;
  Word words[MOST_WORDS];
} Search;

/* ---- readability ---- */

/* What an operation costs its reader, its arguments apart; a leaf of several words counts as what it is. */
static double cost_of(TensorOp op) {
  static const struct {
    TensorOp op;
    double cost;
  } own[] = {{TENSOR_NEG, 0.5},   {TENSOR_EXPAND, 0.5}, {TENSOR_REDUCE, 1.5}, {TENSOR_IDIOM, 1.5},
             {TENSOR_MAXIMUM, 2}, {TENSOR_MINIMUM, 2},  {TENSOR_FN1, 2.5},    {TENSOR_FN2, 2.5},
             {TENSOR_EXP2, 2.5},  {TENSOR_LOG2, 2.5},   {TENSOR_WHERE, 3},    {TENSOR_INDEX, 3}};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (own[i].op == op) return own[i].cost;
  TensorForm form = tensor_op_form(op);
  return form == TENSOR_FORM_VIEW || form == TENSOR_FORM_INDEX || form == TENSOR_FORM_CALL ? 2 : 1;
}

static double effort_of(Expr e) {
  double cost = cost_of(e->op);
  for (uint32_t i = 0; i < e->count; i++) cost += effort_of(e->args[i]);
  return cost;
}

static bool occurs_beside(TermTable *tt, Expr whole, Expr but, Expr e) {
  if (whole == but || tensor_equal(tt, whole, but)) return false;
  if (tensor_equal(tt, whole, e)) return true;
  for (uint32_t i = 0; i < whole->count; i++)
    if (occurs_beside(tt, whole->args[i], but, e)) return true;
  return false;
}

/* What e adds to the rest of the formula, in the place of `but`: a reader has met some of its parts already. */
static double added_effort(TermTable *tt, Expr whole, Expr but, Expr e, Exprs *met) {
  double cost = cost_of(e->op);
  if (!e->count) return cost;
  for (uint32_t i = 0; i < met->count; i++)
    if (tensor_equal(tt, met->data[i], e)) return 0;
  array_push(tt->arena, met, e);
  if (occurs_beside(tt, whole, but, e)) return 0;
  for (uint32_t i = 0; i < e->count; i++) cost += added_effort(tt, whole, but, e->args[i], met);
  return cost;
}

/* sigmoid(2 * x) is shorter than (1 + tanh(x)) / 2, and no easier where tanh(x) is met beside it. */
static bool is_easier_there(Book *b, Expr place, Expr before, Expr after) {
  if (b->whole->size > MOST_WHOLE) return true;
  double old = added_effort(b->tt, b->whole, place, before, &(Exprs){0});
  bool is_easier = added_effort(b->tt, b->whole, place, after, &(Exprs){0}) <= old;
  b->has_left_parts |= !is_easier;
  return is_easier || !b->keeps_parts;
}

double book_effort(Book *b, Expr e) { return added_effort(b->tt, e, e, e, &(Exprs){0}); }

/* ---- words ---- */

static const Word *word_of(const Search *s, EGraphOperator op) {
  for (uint32_t i = 0; i < s->word_count; i++)
    if (s->words[i].op == op) return &s->words[i];
  return NULL;
}

static const Word *word_new(Search *s, unsigned arity, Word word) {
  if (s->word_count == MOST_WORDS || egraph_operator_intern(&word.op, s->graph, word.name, arity) != EGRAPH_OK)
    return NULL;
  const Word *known = word_of(s, word.op);
  if (known) return known;
  s->words[s->word_count] = word;
  return &s->words[s->word_count++];
}

static void operation_new(Search *s, const char *name, unsigned arity, TensorExpr proto) {
  TensorExpr *own = arena_new(s->tt->arena, TensorExpr);
  *own = proto;
  own->count = arity;
  word_new(s, arity,
           (Word){.kind = WORD_OPERATION,
                  .name = name,
                  .proto = own,
                  .cost = proto.op == TENSOR_POW ? 0.5 : cost_of(proto.op)});
}

static const Word *number_word(Search *s, Rational r) {
  if (!fits(r)) return NULL;
  const char *name = r.den == 1 ? arena_format(s->tt->arena, "%lld", (long long)r.num)
                                : arena_format(s->tt->arena, "%lld/%lld", (long long)r.num, (long long)r.den);
  double cost = r.den != 1 ? 1 : r.num == -1 ? 0.5 : r.num == 1 ? 0.9 : 1; /* (1 - t) * x rather than x - t * x */
  return word_new(s, 0, (Word){.kind = WORD_OPERATION, .name = name, .proto = number(s->tt, r), .cost = cost});
}

static const Word *axes_word(Search *s, uint32_t count, const uint8_t *axes) {
  Text name = {.arena = s->tt->arena};
  Word word = {.kind = WORD_AXES, .axis_count = count};
  text_add(&name, "axes");
  for (uint32_t i = 0; i < count; i++) text_format(&name, ".%u", axes[i]), word.axes[i] = axes[i];
  word.name = text_string(&name);
  return word_new(s, 0, word);
}

/* A part that no rule looks into, equal ones together. */
static const Word *leaf_word(Search *s, Expr e) {
  for (uint32_t i = 0; i < s->word_count; i++)
    if (s->words[i].kind == WORD_OPERATION && tensor_equal(s->tt, s->words[i].proto, e)) return &s->words[i];
  const char *name = arena_format(s->tt->arena, "part.%u", s->word_count);
  return word_new(s, 0, (Word){.kind = WORD_OPERATION, .name = name, .proto = e, .cost = effort_of(e)});
}

/* A view or another operation that no rule names, of arguments that rules may change. */
static const Word *view_word(Search *s, Expr e) {
  for (uint32_t i = 0; i < s->word_count; i++) {
    Expr known = s->words[i].proto;
    if (known && known->count && known->args && tensor_alike(s->tt, known, e)) return &s->words[i];
  }
  const char *name = arena_format(s->tt->arena, "view.%u", s->word_count);
  return word_new(s, e->count, (Word){.kind = WORD_OPERATION, .name = name, .proto = e, .cost = cost_of(e->op)});
}

static bool has_own_word(TensorOp op) {
  return op != TENSOR_NEG && op != TENSOR_SQRT && op != TENSOR_FN1 && op != TENSOR_FN2 && op != TENSOR_SUB &&
         op != TENSOR_DIV;
}

/* All that rules name. */
static void vocabulary(Search *s) {
  for (int op = 0; op < TENSOR_OP_COUNT; op++) {
    TensorForm form = tensor_op_form((TensorOp)op);
    unsigned arity = form == TENSOR_FORM_UNARY     ? 1
                     : form == TENSOR_FORM_BINARY  ? 2
                     : form == TENSOR_FORM_TERNARY ? 3
                                                   : 0;
    const char *name = op == TENSOR_POW ? "^" : tensor_op_text((TensorOp)op);
    if (arity && has_own_word((TensorOp)op)) operation_new(s, name, arity, (TensorExpr){.op = (TensorOp)op});
  }
  operation_new(s, matmul, 2, (TensorExpr){.op = TENSOR_MATMUL});
  for (int fn = 0; fn < FN_COUNT; fn++) {
    unsigned arity = (unsigned)term_fn_info((TermFn)fn)->arity;
    operation_new(s, term_fn_name((TermFn)fn), arity,
                  (TensorExpr){.op = arity == 1 ? TENSOR_FN1 : TENSOR_FN2, .fn = (TermFn)fn});
  }
  for (int i = 0; i < TENSOR_IDIOM_COUNT; i++) {
    TensorIdiom idiom = (TensorIdiom)i;
    bool has_axes = tensor_idiom_axes(idiom) != TENSOR_AXES_NONE;
    unsigned count = tensor_idiom_arguments(idiom);
    TensorExpr *proto = arena_new(s->tt->arena, TensorExpr);
    *proto = (TensorExpr){.op = TENSOR_IDIOM, .idiom = idiom, .count = count};
    word_new(s, count + has_axes,
             (Word){.kind = has_axes ? WORD_AXES_OPERATION : WORD_OPERATION,
                    .name = tensor_idiom_text(idiom),
                    .proto = proto,
                    .cost = cost_of(TENSOR_IDIOM)});
  }
  for (int fold = 0; fold < FOLD_OP_COUNT; fold++)
    word_new(s, 0, (Word){.kind = WORD_FOLD, .name = term_fold_name((TermFoldOp)fold), .fold = (TermFoldOp)fold});
  word_new(s, 3, (Word){.kind = WORD_REDUCE, .name = "reduce", .cost = cost_of(TENSOR_REDUCE)});
  const Rational usual[] = {{-1, 1}, {0, 1}, {1, 1}, {2, 1}, {-2, 1}, {1, 2}, {-1, 2}, {1, 4}};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) number_word(s, usual[i]);
}

/* ---- expressions to text of the e-graph ---- */

static bool write(Search *s, Text *out, Expr e);

static bool write_word(Text *out, const Word *word) {
  if (word) text_add(out, word->name);
  return word != NULL;
}

static bool write_call(Search *s, Text *out, const char *head, const Expr *args, uint32_t count) {
  bool fine = true;
  text_format(out, "(%s", head);
  for (uint32_t i = 0; fine && i < count; i++) text_char(out, ' '), fine = write(s, out, args[i]);
  text_char(out, ')');
  return fine;
}

/* With the word of its axes first. */
static bool write_along_axes(Search *s, Text *out, const char *head, Expr e) {
  const Word *axes = axes_word(s, e->axis_count, e->axes);
  return axes && write_call(s, out, arena_format(s->tt->arena, "%s %s", head, axes->name), e->args, e->count);
}

static bool write_idiom(Search *s, Text *out, Expr e) {
  const char *name = tensor_idiom_text(e->idiom);
  if (tensor_idiom_axes(e->idiom) != TENSOR_AXES_NONE) return write_along_axes(s, out, name, e);
  if (e->count) return write_call(s, out, name, e->args, e->count);
  text_add(out, name);
  return true;
}

/* a - b, a / b, .. as sums, products and powers */
static bool write_as_sum_or_product(Search *s, Text *out, Expr e) {
  Rational r;
  const Word *own = NULL;
  const char *open = "(^ ", *between = NULL, *close = " 1/2)"; /* of a root */
  if (e->op == TENSOR_NEG) open = "(* -1 ", close = ")";
  if (e->op == TENSOR_DIV) open = "(* ", between = " (^ ", close = " -1))";
  if (e->op == TENSOR_SUB) {
    own = is_number(s->tt, e->args[1], &r) && fits(r) ? number_word(s, rational_neg(r)) : NULL;
    open = "(+ ", between = own ? NULL : " (* -1 ", close = own ? ")" : "))";
  }
  text_add(out, open);
  if (own) text_format(out, "%s ", own->name);
  if (!write(s, out, e->args[0])) return false;
  if (between) text_add(out, between);
  if (between && !write(s, out, e->args[1])) return false;
  text_add(out, close);
  return true;
}

/* where(c, 1, where(d, -1, 0)), -sign(x), and sums of such: whole numbers that stand for those of reals. */
static bool chooses_numbers(Expr e) {
  if (e->op == TENSOR_CONST || is_idiom(e, TENSOR_SIGN)) return true;
  if (e->op != TENSOR_WHERE && e->op != TENSOR_NEG && !is_sum_op(e->op) && !is_product_op(e->op)) return false;
  for (uint32_t i = e->op == TENSOR_WHERE; i < e->count; i++)
    if (!chooses_numbers(e->args[i])) return false;
  return true;
}

static bool write(Search *s, Text *out, Expr e) {
  Rational r;
  TensorOp op = e->op;
  TensorForm form = tensor_op_form(op);
  bool is_elementwise = form == TENSOR_FORM_UNARY || form == TENSOR_FORM_BINARY || form == TENSOR_FORM_TERNARY;
  if (is_number(s->tt, e, &r) && fits(r)) return write_word(out, number_word(s, r));
  bool is_opaque = e->sort == SORT_INT && !chooses_numbers(e);
  if (is_opaque || (!e->count && op != TENSOR_IDIOM) || e->count > MOST_ARGS) return write_word(out, leaf_word(s, e));
  if (op == TENSOR_SUB || op == TENSOR_DIV || op == TENSOR_NEG || op == TENSOR_SQRT)
    return write_as_sum_or_product(s, out, e);
  if (op == TENSOR_REDUCE)
    return write_along_axes(s, out, arena_format(s->tt->arena, "reduce %s", term_fold_name(e->fold)), e);
  if (op == TENSOR_IDIOM) return write_idiom(s, out, e);
  if (op == TENSOR_FN1 || op == TENSOR_FN2) return write_call(s, out, term_fn_name(e->fn), e->args, e->count);
  if (is_elementwise || op == TENSOR_MATMUL)
    return write_call(s, out,
                      op == TENSOR_POW      ? "^"
                      : op == TENSOR_MATMUL ? matmul
                                            : tensor_op_text(op),
                      e->args, e->count);
  const Word *own = view_word(s, e);
  return own && write_call(s, out, own->name, e->args, e->count);
}

static const char *text_of(Search *s, Expr e) {
  Text out = {.arena = s->tt->arena};
  return write(s, &out, e) ? text_string(&out) : NULL;
}

/* ---- the most readable member ---- */

static Expr build(Search *s, const Word *word, const Value *const *children, uint32_t count) {
  TermTable *tt = s->tt;
  Expr args[MOST_ARGS + 1] = {NULL};
  uint32_t from = word->kind == WORD_REDUCE ? 2 : word->kind == WORD_AXES_OPERATION ? 1 : 0;
  if (count > MOST_ARGS || count < from) return NULL;
  for (uint32_t i = from; i < count; i++)
    if (!(args[i - from] = children[i]->expr)) return NULL;
  for (uint32_t i = 0; i < from; i++)
    if (!children[i]->word) return NULL;
  switch (word->kind) {
  case WORD_OPERATION:
    return word->proto->count && count       ? tensor_with_args(tt, word->proto, args)
           : word->proto->op == TENSOR_IDIOM ? tensor_idiom(tt, word->proto->idiom, args, 0, NULL)
                                             : word->proto;
  case WORD_AXES_OPERATION: {
    const Word *axes = children[0]->word;
    return axes->kind == WORD_AXES ? tensor_idiom(tt, word->proto->idiom, args, axes->axis_count, axes->axes) : NULL;
  }
  case WORD_REDUCE: {
    const Word *fold = children[0]->word, *axes = children[1]->word;
    if (fold->kind != WORD_FOLD || axes->kind != WORD_AXES) return NULL;
    Expr e = args[0];
    for (uint32_t i = 0; e && i < axes->axis_count; i++)
      e = axes->axes[i] < e->rank ? tensor_reduce(tt, fold->fold, e, axes->axes[i]) : NULL;
    return e;
  }
  case WORD_FOLD:
  case WORD_AXES: break;
  }
  return NULL;
}

static void value_make(const EGraph *graph, const EGraphNode *node, const void *const *children, void *out,
                       void *payload) {
  Search *s = payload;
  const Word *word = word_of(s, node->op);
  const Value *values[MOST_ARGS + 1];
  Value *value = out;
  (void)graph;
  *value = (Value){.cost = INFINITY};
  if (!word || node->arity > MOST_ARGS) return;
  double cost = word->cost;
  for (unsigned i = 0; i < node->arity; i++) values[i] = children[i], cost += values[i]->cost;
  if (word->kind == WORD_FOLD || word->kind == WORD_AXES) {
    *value = (Value){.word = word};
    return;
  }
  if (!isfinite(cost)) return;
  Expr volatile e = NULL;
  TERM_GUARDED(s->tt, s->threw, e, build(s, word, values, node->arity));
  if (e) *value = (Value){.cost = cost, .expr = e};
}

static bool value_merge(void *into, const void *from, void *payload) {
  Value *a = into;
  const Value *b = from;
  (void)payload;
  if (!(b->cost < a->cost)) return false;
  *a = *b;
  return true;
}

static const Value *value_of(const Search *s, EGraphClass class) {
  return egraph_analysis_value(s->graph, s->analysis, class);
}

/* ---- conditions of rules: (name ?a ?b ..) ---- */

/* True if a is nowhere longer than b, so that a beside b has the shape of b. */
static bool is_within(Expr a, Expr b, TermTable *tt) {
  if (!a || !b || a->rank > b->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++) {
    Term own = a->shape[i];
    if (own != tt->one && own != b->shape[b->rank - a->rank + i]) return false;
  }
  return true;
}

static bool is_opposite(Book *b, Expr x, Expr y) {
  Expr plain = book_normal(b, x), normal = book_normal(b, y), minus = plain ? book_negated(b, plain) : NULL;
  minus = minus ? book_normal(b, minus) : NULL;
  return minus && normal && tensor_equal(b->tt, minus, normal);
}

static Expr argument(const Search *s, EGraphClass class) {
  const Value *value = value_of(s, class);
  return value ? value->expr : NULL;
}

static bool if_alike(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Search *s = payload;
  Expr a = argument(s, args[0]), b = argument(s, args[1]);
  (void)graph, (void)count;
  return is_within(a, b, s->tt) && is_within(b, a, s->tt);
}

static bool if_within(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Search *s = payload;
  (void)graph, (void)count;
  return is_within(argument(s, args[0]), argument(s, args[1]), s->tt);
}

/* (free ?m ?axes ?x): m is the same all along the axes of x. */
static bool if_free(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Search *s = payload;
  Expr m = argument(s, args[0]), x = argument(s, args[2]);
  const Value *axes = value_of(s, args[1]);
  (void)graph, (void)count;
  if (!axes || !axes->word || !is_within(m, x, s->tt)) return false;
  for (uint32_t i = 0; i < axes->word->axis_count; i++) {
    uint32_t axis = axes->word->axes[i], missing = x->rank - m->rank;
    if (axis >= x->rank || (axis >= missing && m->shape[axis - missing] != s->tt->one)) return false;
  }
  return true;
}

static bool if_one_axis(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Value *axes = value_of(payload, args[0]);
  (void)graph, (void)count;
  return axes && axes->word && axes->word->kind == WORD_AXES && axes->word->axis_count == 1;
}

static bool if_positive(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Search *s = payload;
  Expr e = argument(s, args[0]);
  (void)graph, (void)count;
  return e && book_is_positive(s->book, e, 8);
}

/* Two numbers, the second no less than the first. */
static bool if_ascending(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Search *s = payload;
  Expr a = argument(s, args[0]), b = argument(s, args[1]);
  Rational low, high;
  (void)graph, (void)count;
  return a && b && is_number(s->tt, a, &low) && is_number(s->tt, b, &high) &&
         rational_compare(s->tt->arena->guard, low, high) <= 0;
}

static bool if_opposite(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  Search *s = payload;
  Expr x = argument(s, args[0]), y = argument(s, args[1]);
  bool volatile result = false;
  (void)graph, (void)count;
  if (!x || !y || !is_within(x, y, s->tt) || x->size > MOST_SIZE || y->size > MOST_SIZE) return false;
  TERM_GUARDED(s->tt, s->threw, result, is_opposite(s->book, x, y));
  return result;
}

static bool is_difference(Book *b, Expr d, Expr x, Expr y) {
  Parts parts = {.k = {0, 1}};
  book_take_summands(b, x, one, &parts);
  book_take_summands(b, y, minus_one, &parts);
  Expr plain = parts.is_full ? NULL : book_put_sum(b, &parts), own = plain ? book_normal(b, plain) : NULL,
       normal = own ? book_normal(b, d) : NULL;
  return normal && tensor_equal(b->tt, own, normal);
}

/* (difference ?d ?x ?y): d is x - y. */
static bool if_difference(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  Search *s = payload;
  Expr d = argument(s, args[0]), x = argument(s, args[1]), y = argument(s, args[2]);
  bool volatile result = false;
  (void)graph, (void)count;
  if (!d || !x || !y || d->size + x->size + y->size > MOST_SIZE) return false;
  TERM_GUARDED(s->tt, s->threw, result, is_difference(s->book, d, x, y));
  return result;
}

/* (distance ?d ?e ?x ?y): d is y - x, and e is x - y. */
static bool if_distance(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const EGraphClass first[] = {args[0], args[3], args[2]}, second[] = {args[1], args[2], args[3]};
  (void)count;
  return if_difference(graph, first, 3, payload) && if_difference(graph, second, 3, payload);
}

static bool if_number(const EGraph *graph, const EGraphClass *args, unsigned count, void *payload) {
  const Search *s = payload;
  Expr e = argument(s, args[0]);
  Rational r;
  (void)graph, (void)count;
  return e && is_number(s->tt, e, &r);
}

/* ---- rules ---- */

/* Sums and products in any order, and what cancels: a step only where it shows in the order of people. */
static const char arithmetic[] = "commute-sum: (+ ?a ?b) => (+ ?b ?a)\n"
                                 "commute-product: (* ?a ?b) => (* ?b ?a)\n"
                                 "associate-sum: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                                 "associate-product: (* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)\n"
                                 "invert-product: (^ (* ?a ?b) -1) => (* (^ ?a -1) (^ ?b -1))\n"
                                 "join-inverses: (* (^ ?a -1) (^ ?b -1)) => (^ (* ?a ?b) -1)\n"
                                 "join-squares: (* (^ ?a 2) (^ ?b 2)) => (^ (* ?a ?b) 2)\n"
                                 "cancel-summand: (+ (+ ?a ?b) (* -1 ?b)) => ?a if (within ?b ?a)\n"
                                 "cancel-factor: (* (* ?a ?b) (^ ?b -1)) => ?a if (within ?b ?a)\n";
static const char normal_form[] = "normal-form";

typedef struct Rule {
  const char *name, *text;
} Rule;

static const Rule rules[] = {
#define TEXTBOOK_LAW(on, when, ops, name, function)
#define TEXTBOOK_RULE(name, left, right, condition) {name, name ": " left " => " right condition "\n"},
#include "tensor/laws.def"
#undef TEXTBOOK_RULE
#undef TEXTBOOK_LAW
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static const char *rules_text(const Search *s) {
  Text text = {.arena = s->tt->arena};
  text_add(&text, arithmetic);
  for (uint32_t i = 0; i < RULE_COUNT; i++)
    if (!book_is_without(s->book, rules[i].name)) text_add(&text, rules[i].text);
  return text_string(&text);
}

const char *book_rule_name(uint32_t i) { return i < RULE_COUNT ? rules[i].name : NULL; }

static bool start(Search *s) {
  const EGraphOptions options = {NODES, MEMORY, s->book->steps != NULL};
  const EGraphAnalysis analysis = {"readable", sizeof(Value), value_make, value_merge, NULL, s};
  if (egraph_create(&s->graph, &options) != EGRAPH_OK) return false;
  egraph_condition_register(s->graph, "alike", 2, if_alike, s);
  egraph_condition_register(s->graph, "within", 2, if_within, s);
  egraph_condition_register(s->graph, "free", 3, if_free, s);
  egraph_condition_register(s->graph, "one-axis", 1, if_one_axis, s);
  egraph_condition_register(s->graph, "positive", 1, if_positive, s);
  egraph_condition_register(s->graph, "opposite", 2, if_opposite, s);
  egraph_condition_register(s->graph, "difference", 3, if_difference, s);
  egraph_condition_register(s->graph, "distance", 4, if_distance, s);
  egraph_condition_register(s->graph, "ascending", 2, if_ascending, s);
  egraph_condition_register(s->graph, "number", 1, if_number, s);
  vocabulary(s);
  EGraphDiagnostic problem;
  bool fine = egraph_analysis_add(&s->analysis, s->graph, &analysis) == EGRAPH_OK &&
              egraph_rules_parse(&s->rules, s->graph, rules_text(s), &problem) == EGRAPH_OK;
  assert(fine);
  return fine;
}

/* ---- rounds ---- */

typedef struct Class {
  EGraphClass id;
  Expr expr;
} Class;
typedef Array(Class) Classes;

typedef struct Visit {
  Search *s;
  Classes classes;
} Visit;

static bool collect(const EGraphNode *node, void *payload) {
  Visit *v = payload;
  const Value *value = value_of(v->s, node->eclass);
  for (uint32_t i = 0; i < v->classes.count; i++)
    if (v->classes.data[i].id == node->eclass) return true;
  if (node->arity && value && value->expr && value->expr->size <= MOST_SIZE)
    array_push(v->s->tt->arena, &v->classes, (Class){node->eclass, value->expr});
  return true;
}

static void join(Search *s, Expr a, Expr b, const char *reason) {
  const char *left = text_of(s, a), *right = text_of(s, b);
  if (!left || !right || !strcmp(left, right) || egraph_union_text(s->graph, left, right, reason, NULL) != EGRAPH_OK)
    return;
  array_push(s->tt->arena, &s->joined, (Joined){reason, a, b});
}

/* The laws in C, at the most readable member of each class that is new. */
static void apply_laws(Search *s, Classes *seen) {
  Book *b = s->book;
  Visit v = {.s = s};
  TensorSteps *steps = b->steps, own = {0};
  TensorProve prove = b->prove;
  egraph_visit(s->graph, collect, &v);
  b->prove = NULL; /* asked of the result alone */
  for (uint32_t i = 0; i < v.classes.count; i++) {
    Class class = v.classes.data[i];
    bool is_known = false;
    for (uint32_t k = 0; k < seen->count && !is_known; k++) is_known = seen->data[k].expr == class.expr;
    if (is_known) continue;
    array_push(s->tt->arena, seen, class);
    Expr normal = book_normal(b, class.expr), after;
    if (!normal || !book_same_shape(normal, class.expr)) continue;
    EGraphClass own_class; /* constructors may have dropped a factor of 1 */
    const char *text = text_of(s, class.expr);
    if (text && egraph_add_text(&own_class, s->graph, text, NULL) == EGRAPH_OK)
      egraph_union(s->graph, class.id, own_class, normal_form);
    join(s, class.expr, normal, normal_form);
    b->steps = &own, own.count = 0;
    after = book_apply(b, normal);
    if (after && own.count && book_same_shape(after, normal)) join(s, normal, after, own.data[own.count - 1].law);
  }
  b->steps = steps, b->prove = prove;
  egraph_rebuild(s->graph);
}

/* ---- steps ---- */

static bool is_silent(const char *name) {
  return !strncmp(name, "commute-", 8) || !strncmp(name, "associate-", 10) || !strcmp(name, normal_form);
}

/* tN = (op t1 t2) or tN = leaf: the expression of the line, of those before */
static Value line_value(Search *s, const char *line, const Value *terms, uint32_t count) {
  char name[64] = "";
  uint32_t arity = 0, at[MOST_ARGS];
  const Value *children[MOST_ARGS];
  int used = 0;
  const char *p = strchr(line, '=') + 2;
  Value value = {.cost = INFINITY};
  if (sscanf(p, *p == '(' ? "(%63[^ )\n]%n" : "%63[^ )\n]%n", name, &used) != 1) return value;
  for (p += used; *p == ' ' && arity < MOST_ARGS && sscanf(p, " t%u%n", &at[arity], &used) == 1; p += used) arity++;
  EGraphOperator op;
  if (egraph_operator_intern(&op, s->graph, name, arity) != EGRAPH_OK) return value;
  for (uint32_t i = 0; i < arity; i++) {
    if (at[i] >= count) return value;
    children[i] = &terms[at[i]];
  }
  const Word *word = word_of(s, op);
  if (word && (word->kind == WORD_FOLD || word->kind == WORD_AXES)) return (Value){.word = word};
  value.expr = word ? build(s, word, children, arity) : NULL;
  return value;
}

static void note_steps(Search *s, Expr left, Expr right, int depth);

/* One line of an explanation. What was joined may have been another member of the term's class, by congruence: then how
 * it came there is said before. */
static void note_step(Search *s, const char *name, bool is_rule, Expr before, Expr after, int depth) {
  for (uint32_t i = 0; !is_rule && i < s->joined.count; i++) {
    const Joined *own = &s->joined.data[i];
    if (strcmp(own->reason, name) || !tensor_equal(s->tt, own->after, after)) continue;
    if (!tensor_equal(s->tt, own->before, before)) note_steps(s, before, own->before, depth - 1);
    before = own->before;
    break;
  }
  before = book_normal(s->book, before), after = book_normal(s->book, after);
  if (before && after && !is_silent(name) && !tensor_equal(s->tt, before, after))
    array_push(s->tt->arena, s->book->steps, (TensorStep){arena_format(s->tt->arena, "%s", name), before, after});
}

static void note_steps(Search *s, Expr left, Expr right, int depth) {
  char *text = NULL;
  const char *from_text = text_of(s, left), *to_text = text_of(s, right);
  if (depth < 0 || !from_text || !to_text || egraph_explain(&text, s->graph, from_text, to_text) != EGRAPH_OK) return;
  const char *certificate = arena_copy(s->tt->arena, text, strlen(text));
  free(text);
  Array(Value) terms = {0};
  for (const char *line = certificate; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    unsigned from, to;
    char how[8], name[64];
    if (*line == 't') {
      Value value = line_value(s, line, terms.data, terms.count);
      array_push(s->tt->arena, &terms, value);
    } else if (sscanf(line, "p%*u: t%u = t%u by %7s %63s", &from, &to, how, name) == 4 && from < terms.count &&
               to < terms.count && (!strcmp(how, "rule") || !strcmp(how, "given")) && terms.data[from].expr &&
               terms.data[to].expr)
      note_step(s, name, !strcmp(how, "rule"), terms.data[from].expr, terms.data[to].expr, depth);
  }
}

/* ---- the search ---- */

/* True if it is a form in which some rule could find more than the fixed order did. */
static bool is_worthwhile(Expr e) {
  return (e->sort == SORT_REAL || chooses_numbers(e)) && e->size >= LEAST_SIZE && e->size <= MOST_SIZE;
}

static Expr searched(Search *s, Expr e, Expr place) {
  Book *b = s->book;
  const char *text = text_of(s, e);
  EGraphClass root;
  Classes seen = {0};
  if (!text || egraph_add_text(&root, s->graph, text, NULL) != EGRAPH_OK || egraph_rebuild(s->graph) != EGRAPH_OK)
    return e;
  for (int round = 0; round < ROUNDS; round++) {
    EGraphReport report;
    EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
    size_t before = egraph_node_count(s->graph);
    options.iterations = ITERATIONS;
    egraph_run(&report, s->graph, s->rules, &options);
    if (s->threw) return e;
    apply_laws(s, &seen);
    if (egraph_node_count(s->graph) == before || report.stop == EGRAPH_STOP_NODES) break;
  }
  const Value *best = value_of(s, root);
  if (!best || !best->expr || !book_same_shape(best->expr, e)) return e;
  Expr normal = book_normal(b, best->expr);
  if (!normal || !(effort_of(normal) + LEAST_GAIN < effort_of(e)) ||
      strlen(tensor_text(s->tt, normal)) >= strlen(tensor_text(s->tt, e)) || !book_same_shape(normal, e) ||
      !is_easier_there(b, place, e, normal) || tensor_agree(s->tt, e, normal, 1e-9) != TENSOR_AGREE ||
      (b->prove && !b->prove(b->tt, e, normal, b->constants, b->payload)))
    return e;
  if (b->steps) note_steps(s, e, best->expr, DEPTH);
  return normal;
}

static void end(Search *s) {
  if (s->rules) egraph_rules_destroy(s->rules);
  if (s->graph) egraph_destroy(s->graph);
}

/* The graph is not of the arena: it is given back on every way out. */
static Expr search_whole(Book *b, Expr e, Expr place) {
  if (!is_worthwhile(e) || b->searches++ >= MOST_SEARCHES) return e;
  Guard *guard = b->tt->arena->guard;
  Search *const s = arena_new(b->tt->arena, Search);
  *s = (Search){.book = b, .tt = b->tt};
  jmp_buf outer;
  memcpy(&outer, &guard->escape, sizeof outer);
  if (setjmp(guard->escape)) {
    end(s);
    memcpy(&guard->escape, &outer, sizeof outer);
    longjmp(guard->escape, 1);
  }
  Expr result = start(s) ? searched(s, e, place) : e;
  end(s);
  memcpy(&guard->escape, &outer, sizeof outer);
  if (s->threw) longjmp(guard->escape, 1); /* reason and message stand */
  return result;
}

/* Until nothing shorter is found: limits end a search where its result could go on. `place`: the formula's own part
 * that e stands for. */
static Expr search_again(Book *b, Expr e, Expr place) {
  for (;;) {
    Expr next = search_whole(b, e, place);
    if (next == e) return e;
    e = next;
  }
}

/* What is too large, or is not found as a whole, by its parts; then the whole once more. */
Expr book_search(Book *b, Expr e) {
  if (e->size < LEAST_SIZE || !e->count) return e;
  for (uint32_t i = 0; i < b->searched.count; i++)
    if (tensor_equal(b->tt, b->searched.data[i].from, e))
      return b->searched.data[i].from == b->searched.data[i].to ? e : b->searched.data[i].to;
  Expr result = search_again(b, e, e), *args = arena_array(b->tt->arena, Expr, e->count);
  if (result == e) {
    bool changed = false;
    for (uint32_t i = 0; i < e->count; i++) {
      args[i] = book_search(b, e->args[i]);
      changed |= args[i] != e->args[i];
    }
    Expr own = changed ? book_with_args(b, e, args) : NULL;
    if (own && book_same_shape(own, e)) result = search_again(b, own, e);
  }
  array_push(b->tt->arena, &b->searched, (Known){e, result});
  return result;
}
