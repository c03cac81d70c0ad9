/* Replay of explanations (see replay.h).
 *
 * A certificate is read into lines. Each line equates two expressions; it is checked on demand, once for each
 * direction, with the lines that it refers to. What a line says holds for all values of the fold indices that occur
 * free in it, so each check carries the set of indices that are bound around it, and refuses a line that speaks of
 * others. */
#include "prove/replay.h"

#include <stdlib.h>
#include <string.h>

#include "laws/laws.h"
#include "prove/equal.h"

typedef enum LineKind { LINE_RULE, LINE_COMPUTE, LINE_CONGRUENCE, LINE_CHAIN, LINE_LEMMA } LineKind;

typedef struct Reference {
  uint32_t line;
  bool same, reversed; /* same: both sides are one expression, and there is no line */
} Reference;

typedef struct Line {
  LineKind kind;
  Expression left, right;
  const Law *law;
  bool swapped; /* the law was used from its right side to its left */
  int32_t lemma;
  uint32_t first, count; /* references */
  bool checked[2];       /* by direction */
  uint64_t scope[2];     /* in which it was */
} Line;

typedef struct Lemma {
  Expression left, right;
  bool is_certificate;
  uint32_t first, count; /* lines */
} Lemma;

struct Replay {
  LawTable *laws;
  ExpressionTable *table;
  Arena *arena;
  Array(Line) lines;
  Array(Reference) references;
  Array(Lemma) lemmas;
  Array(ReplayStep) steps;
  const Law *open; /* a condition of it was not shown */
  const char *reason;
};

Replay *replay_new(LawTable *laws, Arena *arena) {
  Replay *replay = arena_new(arena, Replay);
  replay->laws = laws, replay->table = laws->expressions, replay->arena = arena;
  return replay;
}

static bool fail(Replay *replay, const char *reason) {
  if (!replay->reason) replay->reason = reason;
  return false;
}

/* ---- reading ---- */

typedef struct Reader {
  Replay *replay;
  const char *at;
  Array(Expression) terms;
  uint32_t first_line;
} Reader;

static bool accept(Reader *r, const char *text) {
  size_t length = strlen(text);
  if (strncmp(r->at, text, length)) return false;
  r->at += length;
  return true;
}

static bool read_number(Reader *r, uint32_t *out) {
  char *end;
  if (*r->at < '0' || *r->at > '9') return false;
  unsigned long n = strtoul(r->at, &end, 10);
  r->at = end;
  *out = (uint32_t)n;
  return n < UINT32_MAX;
}

/* t7 */
static bool read_term(Reader *r, Expression *out) {
  uint32_t n;
  if (!accept(r, "t") || !read_number(r, &n) || n >= r->terms.count) return false;
  *out = r->terms.data[n];
  return true;
}

/* t3 = (add t1 t2), t4 = #12 */
static bool read_definition(Reader *r) {
  uint32_t n;
  if (!accept(r, "t") || !read_number(r, &n) || n != r->terms.count || !accept(r, " = ")) return false;
  Expression e = 0, args[EXPRESSION_ARITY];
  if (*r->at != '(')
    e = expression_read(r->replay->table, &r->at);
  else {
    const char *name = ++r->at;
    size_t length = strcspn(name, " )\n");
    r->at += length;
    if (length == 6 && !memcmp(name, "number", 6)) { /* (number t1) is t1 */
      if (!accept(r, " ") || !read_term(r, &e) || !accept(r, ")") || !expression_is_number(r->replay->table, e))
        return false;
    }
    for (int op = EXPRESSION_ADD; op < EXPRESSION_OP_COUNT && !e; op++) {
      if (strlen(expression_op_text((ExpressionOp)op)) != length ||
          memcmp(expression_op_text((ExpressionOp)op), name, length))
        continue;
      for (uint32_t i = 0; i < expression_op_arity((ExpressionOp)op); i++)
        if (!accept(r, " ") || !read_term(r, &args[i])) return false;
      if (!accept(r, ")")) return false;
      e = expression_make(r->replay->table, (ExpressionOp)op, args);
      break;
    }
  }
  if (e) array_push(r->replay->arena, &r->terms, e);
  return e != 0;
}

/* p3, ~p3, - */
static bool read_references(Reader *r, Line *line) {
  line->first = r->replay->references.count;
  while (accept(r, " ")) {
    Reference ref = {0};
    if (accept(r, "-"))
      ref.same = true;
    else {
      ref.reversed = accept(r, "~");
      if (!accept(r, "p") || !read_number(r, &ref.line) || ref.line >= r->replay->lines.count - r->first_line)
        return false; /* earlier lines only */
      ref.line += r->first_line;
    }
    array_push(r->replay->arena, &r->replay->references, ref);
    line->count++;
  }
  return true;
}

static bool read_rule(Reader *r, Line *line) {
  size_t length = strcspn(r->at, " \n");
  const char *name = r->at, *back = ".back";
  r->at += strcspn(r->at, "\n"); /* what the variables stand for is matched again */
  line->kind = LINE_RULE;
  if (length > 8 && !memcmp(name, "compute.", 8)) {
    line->kind = LINE_COMPUTE;
    return true;
  }
  line->swapped = length > strlen(back) && !memcmp(name + length - strlen(back), back, strlen(back));
  line->law = law_find(r->replay->laws, name, line->swapped ? length - strlen(back) : length);
  return line->law != NULL;
}

/* p3: t1 = t2 by ... */
static bool read_line(Reader *r) {
  Line line = {0};
  uint32_t n;
  if (!accept(r, "p") || !read_number(r, &n) || n != r->replay->lines.count - r->first_line || !accept(r, ": "))
    return false;
  if (!read_term(r, &line.left) || !accept(r, " = ") || !read_term(r, &line.right) || !accept(r, " by ")) return false;
  bool good = false;
  if (accept(r, "rule "))
    good = read_rule(r, &line);
  else if (accept(r, "given lemma")) {
    line.kind = LINE_LEMMA;
    good = read_number(r, &n) && n < r->replay->lemmas.count; /* earlier ones only */
    line.lemma = (int32_t)n;
  } else if (accept(r, "congruence") || accept(r, "chain")) {
    line.kind = r->at[-1] == 'e' ? LINE_CONGRUENCE : LINE_CHAIN;
    good = read_references(r, &line);
  }
  if (good) array_push(r->replay->arena, &r->replay->lines, line);
  return good;
}

int32_t replay_add_certificate(Replay *replay, const char *text) {
  Reader r = {.replay = replay, .at = text, .first_line = replay->lines.count};
  while (*r.at) {
    bool good = *r.at == 't' ? read_definition(&r) : read_line(&r);
    if (!good || !accept(&r, "\n")) {
      fail(replay, "the certificate is malformed");
      return REPLAY_NONE;
    }
  }
  if (replay->lines.count == r.first_line) return REPLAY_NONE;
  Line last = replay->lines.data[replay->lines.count - 1];
  array_push(replay->arena, &replay->lemmas,
             (Lemma){last.left, last.right, true, r.first_line, replay->lines.count - r.first_line});
  return (int32_t)replay->lemmas.count - 1;
}

int32_t replay_add_equality(Replay *replay, Expression left, Expression right) {
  array_push(replay->arena, &replay->lemmas, (Lemma){.left = left, .right = right});
  return (int32_t)replay->lemmas.count - 1;
}

const Law *replay_open_law(const Replay *replay) { return replay->open; }

/* ---- checking ---- */

static bool check_line(Replay *replay, uint32_t number, bool reversed, uint64_t scope);

static void note_step(Replay *replay, const char *law, Expression from, Expression to) {
  Term a = expression_term(replay->table, from), b = expression_term(replay->table, to);
  if (a && b && a != b) array_push(replay->arena, &replay->steps, (ReplayStep){law, a, b});
}

static bool check_rule(Replay *replay, const Line *line, bool reversed) {
  LawInstance instance;
  Expression left = line->swapped ? line->right : line->left, right = line->swapped ? line->left : line->right;
  if (!law_match(replay->laws, line->law, left, right, &instance))
    return fail(replay, arena_format(replay->arena, "no instance of %s", line->law->name));
  if (!law_holds(replay->laws, line->law, &instance, line->swapped != reversed)) {
    if (!replay->reason) replay->open = line->law;
    return fail(replay, arena_format(replay->arena, "a condition of %s is not shown", line->law->name));
  }
  note_step(replay, line->law->name, reversed ? line->right : line->left, reversed ? line->left : line->right);
  return true;
}

/* The constructors make one term of both, as they do of numbers; and `to` has a value wherever that term has. */
static bool check_computation(Replay *replay, Expression from, Expression to) {
  Term a = expression_term(replay->table, from), b = expression_term(replay->table, to);
  if (!a || a != b) return fail(replay, "a computation is wrong");
  return expression_is_defined(replay->table, to, expression_of(replay->table, b)) ||
         fail(replay, "it is not shown that what was computed has a value");
}

static Expression side(const Replay *replay, const Reference *ref, bool reversed, bool end) {
  const Line *line = &replay->lines.data[ref->line];
  return (ref->reversed != reversed) != end ? line->right : line->left;
}

static bool is_fold(ExpressionOp op) {
  return op == EXPRESSION_SUM || op == EXPRESSION_PROD || op == EXPRESSION_MAXIMUM || op == EXPRESSION_MINIMUM;
}

static bool check_congruence(Replay *replay, const Line *line, bool reversed, uint64_t scope) {
  ExpressionNode from = *expression_node(replay->table, reversed ? line->right : line->left),
                 to = *expression_node(replay->table, reversed ? line->left : line->right);
  if (from.op != to.op || from.aux != to.aux || line->count != expression_op_arity(from.op)) return false;
  for (uint32_t i = 0; i < line->count; i++) {
    Reference ref = replay->references.data[line->first + i];
    if (ref.same) {
      if (from.args[i] != to.args[i]) return false;
      continue;
    }
    if (side(replay, &ref, reversed, false) != from.args[i] || side(replay, &ref, reversed, true) != to.args[i])
      return false;
    if (is_fold(from.op) && i < 4) return false; /* the range and the guard stay */
    uint64_t inner = scope;
    if (is_fold(from.op)) /* in the body, which its range and index make meaningful */
      for (uint32_t k = 0; k < replay->table->index_count; k++)
        if (replay->table->index[k].symbol == expression_node(replay->table, from.args[0])->aux)
          inner |= (uint64_t)1 << k;
    if (!check_line(replay, ref.line, ref.reversed != reversed, inner)) return false;
  }
  return true;
}

static bool check_chain(Replay *replay, const Line *line, bool reversed, uint64_t scope) {
  Expression at = reversed ? line->right : line->left, end = reversed ? line->left : line->right;
  for (uint32_t i = 0; i < line->count; i++) {
    Reference ref = replay->references.data[line->first + (reversed ? line->count - 1 - i : i)];
    if (ref.same || side(replay, &ref, reversed, false) != at ||
        !check_line(replay, ref.line, ref.reversed != reversed, scope))
      return false;
    at = side(replay, &ref, reversed, true);
  }
  return at == end;
}

/* The other engines show it; and `to` has a value wherever the term does that was made from it. */
static bool check_equality(Replay *replay, Expression from, Expression to) {
  TermTable *tt = replay->table->tt;
  Term a = expression_term(replay->table, from), b = expression_term(replay->table, to);
  EqualEngine engine = a && b ? equal_prove(tt, a, b) : EQUAL_NONE;
  if (engine == EQUAL_NONE && a && b && (term_normalize(tt, a) == b || term_normalize(tt, b) == a))
    engine = EQUAL_NORMAL; /* normal forms need not be so twice */
  if (engine == EQUAL_NONE) return fail(replay, "the other engines do not show an equality");
  if (!expression_is_defined(replay->table, to, expression_of(replay->table, b)))
    return fail(replay, "it is not shown that the right side has a value");
  note_step(replay, equal_engine_name(engine), from, to);
  return true;
}

static bool check_lemma(Replay *replay, int32_t number, bool reversed, uint64_t scope) {
  Lemma lemma = replay->lemmas.data[number];
  if (lemma.is_certificate) return check_line(replay, lemma.first + lemma.count - 1, reversed, scope);
  uint64_t free = expression_node(replay->table, lemma.left)->free | expression_node(replay->table, lemma.right)->free;
  if (free & ~scope) return fail(replay, "an index occurs outside its fold");
  return reversed ? check_equality(replay, lemma.right, lemma.left) : check_equality(replay, lemma.left, lemma.right);
}

/* Of `wanted`, the indices that have a place for sure: what is said outside their folds is then said of that place. */
static uint64_t indices_with_a_place(Replay *replay, uint64_t wanted, uint64_t scope) {
  ExpressionTable *table = replay->table;
  uint64_t found = 0;
  for (uint32_t k = 0; wanted >> k; k++) {
    if (!(wanted >> k & 1)) continue;
    Term lo = table->index[k].lo, hi = table->index[k].hi;
    uint64_t bounds = expression_node(table, expression_leaf(table, lo))->free |
                      expression_node(table, expression_leaf(table, hi))->free;
    if (!(bounds & ~scope) && term_prove_lt(table->tt, lo, hi)) found |= (uint64_t)1 << k;
  }
  return found;
}

static bool check_line(Replay *replay, uint32_t number, bool reversed, uint64_t scope) {
  Line line = replay->lines.data[number];
  guard_tick(replay->arena->guard);
  if (line.checked[reversed] && !(line.scope[reversed] & ~scope)) return true;
  uint64_t free = expression_node(replay->table, line.left)->free | expression_node(replay->table, line.right)->free;
  uint64_t inner = scope | indices_with_a_place(replay, free & ~scope, scope);
  if (free & ~inner) {
    if (!replay->reason) replay->open = line.law;
    return fail(replay, "an index occurs outside its fold");
  }
  bool good = false;
  switch (line.kind) {
  case LINE_RULE: good = check_rule(replay, &line, reversed); break;
  case LINE_COMPUTE:
    good =
        reversed ? check_computation(replay, line.right, line.left) : check_computation(replay, line.left, line.right);
    break;
  case LINE_CONGRUENCE: good = check_congruence(replay, &line, reversed, inner); break;
  case LINE_CHAIN: good = check_chain(replay, &line, reversed, inner); break;
  case LINE_LEMMA: {
    Lemma lemma = replay->lemmas.data[line.lemma];
    good = lemma.left == line.left && lemma.right == line.right && check_lemma(replay, line.lemma, reversed, inner);
    break;
  }
  }
  if (!good) return fail(replay, "a step does not follow");
  replay->lines.data[number].checked[reversed] = true, replay->lines.data[number].scope[reversed] = scope;
  return true;
}

bool replay_check(Replay *replay, int32_t lemma, Expression left, Expression right) {
  if (lemma < 0 || (uint32_t)lemma >= replay->lemmas.count) return fail(replay, "there is no such lemma");
  Lemma l = replay->lemmas.data[lemma];
  if (l.left != left || l.right != right) return fail(replay, "it is another equality that was explained");
  if (expression_node(replay->table, left)->free | expression_node(replay->table, right)->free)
    return fail(replay, "an index occurs outside its fold");
  TermTable *tt = replay->table->tt;
  uint32_t facts = tt->facts.count;
  replay->reason = NULL, replay->open = NULL, replay->steps.count = 0;
  expression_push_demands(replay->table, left);
  bool good = check_lemma(replay, lemma, false, 0);
  term_pop_facts(tt, facts);
  return good || fail(replay, "a step does not follow");
}

const char *replay_reason(const Replay *replay) { return replay->reason; }

const ReplayStep *replay_steps(const Replay *replay, uint32_t *count) {
  *count = replay->steps.count;
  return replay->steps.data;
}
