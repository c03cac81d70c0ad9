/* SMT-LIB 2 scripts: reading, classifying, and values in models. (smt_step.c rewrites them.)
 *
 *   script  ::= item*
 *   item    ::= atom | '(' item* ')'
 *   atom    ::= '|' any* '|' | '"' any* '"' | other+        ';' starts a comment
 *
 * The reader keeps its own stack, so that nesting has no limit; what recurses over nodes has one. */
#include "solve/smt_text.h"

#include <string.h>

/* ---- reading ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool ends_atom(char c) { return !c || is_space(c) || strchr("();\"|", c); }

static size_t skip_space(const char *text, size_t at) {
  for (;;) {
    while (is_space(text[at])) at++;
    if (text[at] != ';') return at;
    while (text[at] && text[at] != '\n') at++;
  }
}

/* The end of the atom at `at`, or `at` itself when it is not closed. */
static size_t atom_end(const char *text, size_t at) {
  size_t end = at;
  if (text[at] == '|' || text[at] == '"') {
    const char *close = strchr(text + at + 1, text[at]);
    while (text[at] == '"' && close && close[1] == '"') close = strchr(close + 2, '"');
    return close ? (size_t)(close - text) + 1 : at;
  }
  while (!ends_atom(text[end])) end++;
  return end;
}

SmtScript smt_script_read(Arena *arena, const char *text, const char **error) {
  SmtScript script = {.arena = arena, .text = text};
  typedef struct Open {
    uint32_t list, last;
  } Open;
  Array(Open) open = {0};
  size_t size = strlen(text), at = 0;
  *error = NULL;
  if (size > UINT32_MAX / 4) {
    *error = "the goal is too large";
    return script;
  }
  array_push(arena, &script.nodes, (SmtNode){.end = (uint32_t)size, .list = true});
  array_push(arena, &open, (Open){0, 0});
  while (text[at = skip_space(text, at)]) {
    Open *top = &open.data[open.count - 1];
    if (text[at] == ')') {
      if (open.count == 1) {
        *error = arena_format(arena, "unexpected ) at byte %zu", at);
        return script;
      }
      script.nodes.data[top->list].end = (uint32_t)++at;
      open.count--;
      continue;
    }
    bool list = text[at] == '(';
    size_t end = list ? at + 1 : atom_end(text, at);
    if (end == at) {
      *error = arena_format(arena, "unclosed quotation at byte %zu", at);
      return script;
    }
    uint32_t node = script.nodes.count;
    array_push(arena, &script.nodes, (SmtNode){.begin = (uint32_t)at, .end = (uint32_t)end, .list = list});
    if (top->last)
      script.nodes.data[top->last].next = node;
    else
      script.nodes.data[top->list].first = node;
    top->last = node;
    if (list) array_push(arena, &open, (Open){node, 0});
    at = end;
  }
  const SmtNode *innermost = smt_node(&script, open.data[open.count - 1].list);
  if (open.count > 1) *error = arena_format(arena, "the ( at byte %u is never closed", innermost->begin);
  return script;
}

const char *smt_atom_text(const SmtScript *script, uint32_t node, size_t *length) {
  const SmtNode *at = smt_node(script, node);
  const char *text = script->text + at->begin;
  *length = at->end - at->begin;
  if (*text == '|') text++, *length -= 2;
  return text;
}

bool smt_atom_is(const SmtScript *script, uint32_t node, const char *word) {
  size_t length;
  if (!node || smt_node(script, node)->list) return false;
  const char *text = smt_atom_text(script, node, &length);
  return length == strlen(word) && !memcmp(text, word, length);
}

bool smt_head_is(const SmtScript *script, uint32_t node, const char *word) {
  return node && smt_node(script, node)->list && smt_atom_is(script, smt_node_first(script, node), word);
}

uint32_t smt_child(const SmtScript *script, uint32_t node, unsigned index) {
  uint32_t at = smt_node_first(script, node);
  while (at && index--) at = smt_node_next(script, at);
  return at;
}

/* Nodes are in the order of the text. */
uint32_t smt_subtree_end(const SmtScript *script, uint32_t node) {
  uint32_t end = node + 1;
  while (end < script->nodes.count && smt_node(script, end)->begin < smt_node(script, node)->end) end++;
  return end;
}

/* ---- one goal, and what it uses ---- */

typedef struct Word {
  const char *text;
  unsigned uses;
} Word;

static const Word sort_words[] = {
    {"Real", SMT_USES_REAL},
    {"Int", SMT_USES_INT},
    {"div", SMT_USES_INT},
    {"mod", SMT_USES_INT},
    {"to_real", SMT_USES_INT},
    {"to_int", SMT_USES_INT},
    {"is_int", SMT_USES_INT},
    {"Array", SMT_USES_ARRAY},
    {"select", SMT_USES_ARRAY},
    {"store", SMT_USES_ARRAY},
    {"forall", SMT_USES_QUANTIFIER},
    {"exists", SMT_USES_QUANTIFIER},
    {"BitVec", SMT_USES_BITVECTOR},
    {"FloatingPoint", SMT_USES_FLOAT},
    {"RoundingMode", SMT_USES_FLOAT},
    {"Float16", SMT_USES_FLOAT},
    {"Float32", SMT_USES_FLOAT},
    {"Float64", SMT_USES_FLOAT},
    {"Float128", SMT_USES_FLOAT},
    {"to_fp", SMT_USES_FLOAT},
    {"/", SMT_USES_DIVISION},
    {"String", SMT_USES_OTHER},
    {"Seq", SMT_USES_OTHER},
    {"RegLan", SMT_USES_OTHER},
    {"lambda", SMT_USES_OTHER},
    {"declare-sort", SMT_USES_OTHER},
    {"declare-datatypes", SMT_USES_OTHER},
    {"declare-datatype", SMT_USES_OTHER},
    {"define-fun-rec", SMT_USES_OTHER | SMT_USES_QUANTIFIER},
    {"define-funs-rec", SMT_USES_OTHER | SMT_USES_QUANTIFIER},
};

static unsigned atom_uses(const SmtScript *script, uint32_t node) {
  for (size_t i = 0; i < sizeof sort_words / sizeof *sort_words; i++)
    if (smt_atom_is(script, node, sort_words[i].text)) return sort_words[i].uses;
  size_t length;
  const char *text = smt_atom_text(script, node, &length);
  if (length > 1 && text[0] == '#') return SMT_USES_BITVECTOR;
  if (length > 3 && !memcmp(text, "fp.", 3)) return SMT_USES_FLOAT;
  return 0;
}

static unsigned command_uses(const SmtScript *script, uint32_t command) {
  unsigned uses = 0;
  for (uint32_t node = command, end = smt_subtree_end(script, command); node < end; node++)
    if (!smt_node(script, node)->list) uses |= atom_uses(script, node);
  uint32_t arguments = smt_child(script, command, 2);
  bool declares = smt_head_is(script, command, "declare-fun");
  if (declares && arguments && smt_node_first(script, arguments)) uses |= SMT_USES_FUNCTION;
  return uses;
}

typedef enum CommandKind { COMMAND_KEEP, COMMAND_SKIP, COMMAND_CHECK, COMMAND_END, COMMAND_REFUSE } CommandKind;

static CommandKind command_kind(const SmtScript *script, uint32_t command) {
  static const char *const keep[] = {"assert",          "declare-const",     "declare-fun",     "declare-sort",
                                     "define-fun",      "define-const",      "define-sort",     "define-fun-rec",
                                     "define-funs-rec", "declare-datatypes", "declare-datatype"};
  static const char *const skip[] = {"set-logic", "set-info", "set-option", "get-model",
                                     "get-value", "get-info", "echo",       "get-unsat-core"};
  for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
    if (smt_head_is(script, command, keep[i])) return COMMAND_KEEP;
  for (size_t i = 0; i < sizeof skip / sizeof *skip; i++)
    if (smt_head_is(script, command, skip[i])) return COMMAND_SKIP;
  if (smt_head_is(script, command, "check-sat")) return COMMAND_CHECK;
  if (smt_head_is(script, command, "exit")) return COMMAND_END;
  return COMMAND_REFUSE;
}

void smt_text_node(Text *out, const SmtScript *script, uint32_t node) {
  const SmtNode *at = smt_node(script, node);
  text_append(out, script->text + at->begin, at->end - at->begin);
}

SmtGoal smt_goal_read(Arena *arena, const char *text) {
  SmtGoal goal = {0};
  SmtScript script = smt_script_read(arena, text, &goal.error);
  if (goal.error) return goal;
  Text out = text_new(arena);
  text_add(&out, "");
  unsigned checks = 0;
  for (uint32_t command = smt_node_first(&script, 0); command; command = smt_node_next(&script, command)) {
    CommandKind kind = command_kind(&script, command);
    if (kind == COMMAND_END) break;
    if (kind == COMMAND_CHECK) checks++;
    if (kind == COMMAND_REFUSE || checks > 1 || (kind == COMMAND_KEEP && checks)) {
      goal.error = arena_format(arena, "%s at byte %u",
                                kind == COMMAND_REFUSE ? "not a command of a goal" : "command after (check-sat)",
                                smt_node(&script, command)->begin);
      return goal;
    }
    if (kind != COMMAND_KEEP) continue;
    goal.uses |= command_uses(&script, command);
    smt_text_node(&out, &script, command);
    text_char(&out, '\n');
  }
  goal.assertions = text_string(&out);
  return goal;
}

/* ---- values in a model ---- */

static bool value_read(Guard *guard, const SmtScript *script, uint32_t node, int depth, Rational *out) {
  if (!node || depth > 8) return false;
  if (smt_node(script, node)->list) {
    Rational a, b;
    uint32_t first = smt_child(script, node, 1), second = first ? smt_node_next(script, first) : 0;
    if (smt_head_is(script, node, "-") && !second && value_read(guard, script, first, depth + 1, &a))
      return *out = rational_neg(a), true;
    if (!smt_head_is(script, node, "/") || !second || smt_node_next(script, second)) return false;
    if (!value_read(guard, script, first, depth + 1, &a)) return false;
    if (!value_read(guard, script, second, depth + 1, &b)) return false;
    if (!b.num) return false;
    return *out = rational_div(guard, a, b), true;
  }
  const char *text = script->text + smt_node(script, node)->begin;
  uint32_t length = smt_node(script, node)->end - smt_node(script, node)->begin;
  Int128 num = 0, den = 1;
  bool point = false;
  if (length > 36 || text[0] < '0' || text[0] > '9') return false;
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return false;
    num = num * 10 + (text[i] - '0');
    if (point) den *= 10;
  }
  *out = rational_make(guard, num, den);
  return true;
}

bool smt_text_rational(Arena *arena, const char *model, const char *name, Rational *out) {
  const char *error;
  SmtScript script = smt_script_read(arena, model, &error);
  if (error) return false;
  for (uint32_t node = 1; node < script.nodes.count; node++)
    if (smt_head_is(&script, node, "define-fun") && smt_atom_is(&script, smt_child(&script, node, 1), name) &&
        !smt_node_first(&script, smt_child(&script, node, 2)))
      return value_read(arena->guard, &script, smt_child(&script, node, 4), 0, out);
  return false;
}
