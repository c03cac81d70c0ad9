/* Reads terms and rules, and compiles rules to atoms and results.
 *
 *   rules   := { NAME: side ("=>" | "<=>") side [ "if" call { "," call } ] }
 *   side    := item { "," item }        item := [ VARIABLE "=" ] ( pattern | "@" NAME { VARIABLE } )
 *   pattern := VARIABLE | NAME | "(" NAME { pattern } ")"
 *
 * A left side becomes a list of atoms op(arguments) = out, a conjunctive query in which nested patterns have
 * names of their own; a right side becomes a list of nodes to make, children first, equal ones once. */
#include "internal.h"

#include <stdarg.h>
#include <stdlib.h>

#define DEPTH 2000
#define VARIABLES 64 /* of a rule: the checker of explanations has as many names */

typedef struct {
  const char *at;
  uint32_t length;
} Token;

typedef struct {
  Token token;
  uint32_t first, next, count; /* children */
} Node;

typedef struct {
  EGraph *graph;
  const char *text, *at;
  Token token; /* the current one; length 0 at the end */
  Node *nodes;
  uint32_t node_count, node_capacity;
  EGraphDiagnostic *diagnostic;
  const EGraphRules *rules; /* those read so far */
  EGraphStatus status;
} Reader;

/* -- diagnostics, tokens -------------------------------------------------------------------------------- */

static void complain(Reader *reader, const char *at, const char *code, const char *format, ...) {
  if (reader->status != EGRAPH_OK) return;
  reader->status = EGRAPH_BAD_INPUT;
  EGraphDiagnostic *d = reader->diagnostic;
  if (!d) return;
  const char *line = reader->text;
  d->line = 1;
  for (const char *c = reader->text; c < at; c++)
    if (*c == '\n') d->line++, line = c + 1;
  d->column = (unsigned)(at - line) + 1;
  d->code = code;
  va_list arguments;
  va_start(arguments, format);
  int used = vsnprintf(d->text, 200, format, arguments);
  va_end(arguments);
  if (used > 199) used = 199;
  int length = (int)strcspn(line, "\n"), from = 0;
  if ((int)d->column > 80) from = (int)d->column - 60;
  if (length - from > 100) length = from + 100;
  snprintf(d->text + used, sizeof d->text - (size_t)used, "\n  %.*s\n  %*s^", length - from, line + from,
           (int)d->column - 1 - from, "");
}

static void out_of_memory(Reader *reader) {
  if (reader->status == EGRAPH_OK) reader->status = EGRAPH_MEMORY_LIMIT;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void advance(Reader *reader) {
  const char *c = reader->at;
  while (is_space(*c) || *c == ';')
    if (*c == ';')
      c += strcspn(c, "\n");
    else
      c++;
  const char *start = c;
  if (*c == '(' || *c == ')' || *c == ',')
    c++;
  else
    c += strcspn(c, " \t\r\n;(),");
  reader->token = (Token){start, (uint32_t)(c - start)};
  reader->at = c;
}

static bool token_is(Token token, const char *text) {
  return strlen(text) == token.length && memcmp(token.at, text, token.length) == 0;
}
static bool accept(Reader *reader, const char *text) {
  if (!token_is(reader->token, text)) return false;
  advance(reader);
  return true;
}
static bool is_variable(Token token) { return token.length > 1 && token.at[0] == '?'; }
static bool is_head(Token token) { return token.length > 1 && token.at[token.length - 1] == ':'; }
static bool is_word(Token token) {
  return token.length > 0 && !token_is(token, "(") && !token_is(token, ")") && !token_is(token, ",");
}

static uint32_t node_new(Reader *reader, Token token) {
  if (reader->node_count == reader->node_capacity) {
    uint32_t capacity = reader->node_capacity ? reader->node_capacity * 2 : 64;
    Node *nodes = realloc(reader->nodes, capacity * sizeof *nodes);
    if (!nodes) {
      out_of_memory(reader);
      return NONE;
    }
    reader->nodes = nodes;
    reader->node_capacity = capacity;
  }
  reader->nodes[reader->node_count] = (Node){token, NONE, NONE, 0};
  return reader->node_count++;
}

/* pattern := VARIABLE | NAME | "(" NAME { pattern } ")" */
static uint32_t read_pattern(Reader *reader, unsigned depth) {
  if (depth > DEPTH) complain(reader, reader->token.at, "too-deep", "nested more than %d deep", DEPTH);
  if (reader->status != EGRAPH_OK) return NONE;
  bool open = accept(reader, "(");
  if (!is_word(reader->token) || (open && is_variable(reader->token))) {
    complain(reader, reader->token.at, "syntax", reader->token.length ? "expected an operator" : "unexpected end");
    return NONE;
  }
  if (is_head(reader->token) || reader->token.at[0] == '@' || reader->token.length > 1000)
    complain(reader, reader->token.at, "syntax", "%.*s cannot be an operator",
             reader->token.length < 40 ? (int)reader->token.length : 40, reader->token.at);
  uint32_t node = node_new(reader, reader->token), last = NONE;
  advance(reader);
  while (reader->status == EGRAPH_OK && open && !accept(reader, ")")) {
    uint32_t child = read_pattern(reader, depth + 1);
    if (child == NONE) return NONE;
    *(last == NONE ? &reader->nodes[node].first : &reader->nodes[last].next) = child;
    if (++reader->nodes[node].count > 64) complain(reader, reader->token.at, "too-many", "more than 64 arguments");
    last = child;
  }
  return node;
}

/* An operator that is known with another number of arguments only is a mistake in the text. */
static EGraphOperator node_operator(Reader *reader, const Node *node, bool add) {
  EGraph *graph = reader->graph;
  EGraphOperator op = operator_find(graph, node->token.at, node->token.length, node->count);
  if (op != NONE) return op;
  if (!add) {
    reader->status = EGRAPH_NOT_FOUND;
    return NONE;
  }
  for (uint32_t t = 1; t < graph->table_count + 1; t++) {
    uint32_t arity = t < graph->table_count ? table_at(graph, t)->arity : 0;
    if (operator_find(graph, node->token.at, node->token.length, arity) == NONE) continue;
    complain(reader, node->token.at, "arity", "%.*s has %u argument%s, here %u", (int)node->token.length,
             node->token.at, arity, arity == 1 ? "" : "s", node->count);
    return NONE;
  }
  if (operator_intern(&op, graph, node->token.at, node->token.length, node->count) != EGRAPH_OK) {
    out_of_memory(reader);
    return NONE;
  }
  return op;
}

/* -- terms ------------------------------------------------------------------------------------------------ */

static uint32_t node_fold(Reader *reader, uint32_t at, bool add, TermFold *fold, void *payload) {
  Node node = reader->nodes[at];
  if (is_variable(node.token)) {
    complain(reader, node.token.at, "variable", "a term has no variables");
    return NONE;
  }
  uint32_t children[64], result = NONE, i = 0;
  for (uint32_t child = node.first; child != NONE; child = reader->nodes[child].next) {
    children[i] = node_fold(reader, child, add, fold, payload);
    if (reader->status != EGRAPH_OK) return NONE;
    i++;
  }
  EGraphOperator op = node_operator(reader, &node, add);
  if (op != NONE) reader->status = fold(&result, reader->graph, op, children, payload);
  return result;
}

EGraphStatus term_read_each(uint32_t *out, EGraph *graph, const char *text, bool add, TermFold *fold, void *payload,
                            EGraphDiagnostic *diagnostic) {
  Reader reader = {.graph = graph, .text = text, .at = text, .diagnostic = diagnostic};
  *out = NONE;
  advance(&reader);
  uint32_t node = read_pattern(&reader, 0);
  if (node != NONE && reader.token.length) complain(&reader, reader.token.at, "syntax", "text after the term");
  if (reader.status == EGRAPH_OK) *out = node_fold(&reader, node, add, fold, payload);
  free(reader.nodes);
  return reader.status;
}

static EGraphStatus fold_add(uint32_t *out, EGraph *graph, EGraphOperator op, const uint32_t *children, void *payload) {
  (void)payload;
  return egraph_add(out, graph, op, children);
}

static EGraphStatus fold_lookup(uint32_t *out, EGraph *graph, EGraphOperator op, const uint32_t *children,
                                void *payload) {
  uint32_t row = node_find(graph, op, children);
  (void)payload;
  if (row == NONE) return EGRAPH_NOT_FOUND;
  const Table *table = table_at(graph, operator_at(graph, op)->table);
  *out = find(graph, row_at(table, row)[table->arity]);
  return EGRAPH_OK;
}

EGraphStatus egraph_add_text(EGraphClass *out, EGraph *graph, const char *text, EGraphDiagnostic *diagnostic) {
  return term_read_each(out, graph, text, true, fold_add, NULL, diagnostic);
}
EGraphStatus egraph_lookup_text(EGraphClass *out, const EGraph *graph, const char *text) {
  return term_read_each(out, (EGraph *)(uintptr_t)graph, text, false, fold_lookup, NULL, NULL); /* changes nothing */
}

/* Adds a node, and remembers its own term: a class has many. */
static EGraphStatus fold_term(uint32_t *out, EGraph *graph, EGraphOperator op, const uint32_t *children,
                              void *payload) {
  EGraphStatus status = egraph_add(out, graph, op, children);
  if (status != EGRAPH_OK || !graph->explain) return status;
  const Table *table = table_at(graph, operator_at(graph, op)->table);
  uint32_t roots[64], arity = operator_at(graph, op)->arity;
  for (uint32_t i = 0; i < arity; i++) roots[i] = find(graph, children[i]);
  *(uint32_t *)payload = row_at(table, node_find(graph, op, roots))[table->arity + 1];
  return EGRAPH_OK;
}

EGraphStatus egraph_union_text(EGraph *graph, const char *a, const char *b, const char *reason,
                               EGraphDiagnostic *diagnostic) {
  uint32_t class[2], term[2] = {0};
  for (int side = 0; side < 2; side++) {
    EGraphStatus status = term_read_each(&class[side], graph, side ? b : a, true, fold_term, &term[side], diagnostic);
    if (status != EGRAPH_OK) return status;
  }
  return terms_union(graph, class, term, reason);
}

/* -- rules: syntax ------------------------------------------------------------------------------------------ */

#define ITEMS 16

typedef struct {
  Token variable; /* length 0: none */
  uint32_t node;
  bool dynamic;
} Item;

typedef struct {
  Item items[ITEMS];
  uint32_t count;
} Side;

typedef struct {
  Token name;
  Side left, right;
  uint32_t conditions[ITEMS], condition_count;
  bool both;
} Sentence;

static uint32_t read_call(Reader *reader) {
  uint32_t node = node_new(reader, reader->token), last = NONE;
  advance(reader);
  while (node != NONE && is_variable(reader->token)) {
    uint32_t child = node_new(reader, reader->token);
    if (child == NONE) return NONE;
    *(last == NONE ? &reader->nodes[node].first : &reader->nodes[last].next) = child;
    reader->nodes[node].count++;
    last = child;
    advance(reader);
  }
  return node;
}

static bool read_side(Reader *reader, Side *side) {
  do {
    if (side->count == ITEMS) complain(reader, reader->token.at, "too-many", "more than %d patterns", ITEMS);
    if (reader->status != EGRAPH_OK) return false;
    Item *item = &side->items[side->count++];
    *item = (Item){{NULL, 0}, NONE, false};
    if (reader->token.length > 1 && reader->token.at[0] == '@') {
      item->dynamic = true;
      item->node = read_call(reader);
      continue;
    }
    item->node = read_pattern(reader, 0);
    if (item->node == NONE || !token_is(reader->token, "=")) continue;
    if (!is_variable(reader->nodes[item->node].token)) {
      complain(reader, reader->token.at, "syntax", "only a variable can stand before =");
      return false;
    }
    advance(reader);
    item->variable = reader->nodes[item->node].token;
    if (reader->token.length > 1 && reader->token.at[0] == '@') {
      item->dynamic = true;
      item->node = read_call(reader);
    } else
      item->node = read_pattern(reader, 0);
  } while (reader->status == EGRAPH_OK && accept(reader, ","));
  return reader->status == EGRAPH_OK;
}

static bool read_sentence(Reader *reader, Sentence *sentence) {
  memset(sentence, 0, sizeof *sentence);
  if (!is_head(reader->token)) {
    complain(reader, reader->token.at, "syntax", "expected `name:`");
    return false;
  }
  sentence->name = (Token){reader->token.at, reader->token.length - 1};
  if (sentence->name.length > 56) complain(reader, reader->token.at, "too-long", "a rule's name is too long");
  advance(reader);
  if (!read_side(reader, &sentence->left)) return false;
  sentence->both = token_is(reader->token, "<=>");
  if (!sentence->both && !token_is(reader->token, "=>")) {
    complain(reader, reader->token.at, "syntax", "expected => or <=>");
    return false;
  }
  advance(reader);
  if (!read_side(reader, &sentence->right)) return false;
  if (accept(reader, "if")) do {
      uint32_t node = sentence->condition_count < ITEMS ? read_pattern(reader, 0) : NONE;
      if (node == NONE) {
        complain(reader, reader->token.at, "syntax", "expected a condition");
        return false;
      }
      sentence->conditions[sentence->condition_count++] = node;
    } while (accept(reader, ","));
  return reader->status == EGRAPH_OK;
}

/* -- rules: compilation --------------------------------------------------------------------------------------- */

static void *grow(Reader *reader, void *array, uint32_t count, size_t size) {
  if (count & (count - 1)) return array; /* grows at powers of two */
  void *more = realloc(array, (count ? (size_t)count * 2 : 1) * size);
  if (!more) out_of_memory(reader);
  return more;
}
#define PUSH(reader, array, count, ...)                                                                                \
  do {                                                                                                                 \
    void *more_ = grow(reader, array, count, sizeof *(array));                                                         \
    if (!more_) break;                                                                                                 \
    (array) = more_;                                                                                                   \
    (array)[(count)++] = __VA_ARGS__;                                                                                  \
  } while (0)

void rule_free(Rule *rule) {
  void *blocks[] = {rule->variables, rule->atoms,  rule->results,   rule->actions, rule->conditions,
                    rule->arguments, rule->needed, rule->registers, rule->columns};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static uint32_t variable_find(const Rule *rule, Token token) {
  for (uint32_t i = 0; i < rule->variable_count; i++)
    if (token_is(token, rule->variables[i].name)) return i;
  return NONE;
}

static uint32_t variable_new(Reader *reader, Rule *rule, Token token) {
  Variable variable = {.kind = VARIABLE_FREE, .op = NONE, .atom = NONE, .column = NONE};
  if (token.length >= sizeof variable.name) {
    complain(reader, token.at, "too-long", "a variable's name is too long");
    return NONE;
  }
  if (token.length) memcpy(variable.name, token.at, token.length);
  uint32_t named = 1;
  for (uint32_t i = 0; i < rule->variable_count; i++) named += rule->variables[i].name[0] != 0;
  if (token.length && named > VARIABLES) complain(reader, token.at, "too-many", "more than %d variables", VARIABLES);
  PUSH(reader, rule->variables, rule->variable_count, variable);
  return rule->variable_count - 1;
}

static void variable_place(Rule *rule, uint32_t variable, uint32_t atom, uint32_t column) {
  Variable *v = &rule->variables[variable];
  if (v->atom == NONE || (column == NONE && v->column != NONE)) v->atom = atom, v->column = column;
}

/* Reserves room for a node's arguments. */
static uint32_t arguments_new(Reader *reader, Rule *rule, uint32_t count) {
  uint32_t start = rule->argument_count;
  for (uint32_t i = 0; i < count && reader->status == EGRAPH_OK; i++)
    PUSH(reader, rule->arguments, rule->argument_count, NONE);
  return start;
}

/* Compiles a left pattern to atoms, parents first; returns the variable of its class. */
static uint32_t compile_left(Reader *reader, Rule *rule, uint32_t at, uint32_t out) {
  if (at == NONE || reader->status != EGRAPH_OK) return NONE;
  Node node = reader->nodes[at];
  if (is_variable(node.token)) {
    uint32_t known = variable_find(rule, node.token);
    return known != NONE ? known : variable_new(reader, rule, node.token);
  }
  EGraphOperator op = node_operator(reader, &node, true);
  if (op == NONE) return NONE;
  if (node.count == 0) {
    uint32_t variable = variable_new(reader, rule, (Token){NULL, 0});
    if (variable == NONE || reader->status != EGRAPH_OK) return NONE;
    rule->variables[variable].kind = VARIABLE_CONSTANT;
    rule->variables[variable].op = op;
    return variable;
  }
  if (out == NONE) out = variable_new(reader, rule, (Token){NULL, 0});
  uint32_t arguments = arguments_new(reader, rule, node.count), atom = rule->atom_count, i = 0;
  if (out == NONE || reader->status != EGRAPH_OK) return NONE;
  PUSH(reader, rule->atoms, rule->atom_count, (Atom){op, arguments, node.count, out});
  variable_place(rule, out, atom, NONE);
  for (uint32_t child = node.first; child != NONE; child = reader->nodes[child].next, i++) {
    uint32_t variable = compile_left(reader, rule, child, NONE);
    if (variable == NONE || reader->status != EGRAPH_OK) return NONE;
    rule->arguments[arguments + i] = variable;
    variable_place(rule, variable, atom, i);
  }
  return out;
}

static uint32_t variable_bound(Reader *reader, Rule *rule, Token token) {
  uint32_t variable = variable_find(rule, token);
  if (variable == NONE)
    complain(reader, token.at, "unbound", "%.*s is not on the left side", (int)token.length, token.at);
  else
    rule->needed[variable] = true;
  return variable;
}

static uint32_t result_intern(Reader *reader, Rule *rule, Result result) {
  for (uint32_t i = 0; i < rule->result_count && result.into == NONE; i++) {
    const Result *r = &rule->results[i];
    if (r->op == result.op && r->into == NONE &&
        (r->count == 0 ||
         memcmp(rule->arguments + r->arguments, rule->arguments + result.arguments, r->count * sizeof(uint32_t)) == 0))
      return i | RESULT;
  }
  PUSH(reader, rule->results, rule->result_count, result);
  return (rule->result_count - 1) | RESULT;
}

static uint32_t compile_right(Reader *reader, Rule *rule, uint32_t at, uint32_t into) {
  if (at == NONE || reader->status != EGRAPH_OK) return NONE;
  Node node = reader->nodes[at];
  if (is_variable(node.token)) return variable_bound(reader, rule, node.token);
  EGraphOperator op = node_operator(reader, &node, true);
  if (op == NONE) return NONE;
  uint32_t arguments = arguments_new(reader, rule, node.count), i = 0;
  for (uint32_t child = node.first; child != NONE; child = reader->nodes[child].next, i++) {
    uint32_t argument = compile_right(reader, rule, child, NONE);
    if (argument == NONE || reader->status != EGRAPH_OK) return NONE;
    rule->arguments[arguments + i] = argument;
  }
  return result_intern(reader, rule, (Result){op, arguments, node.count, into});
}

static bool compile_call(Reader *reader, Rule *rule, uint32_t at, bool function, Call *call) {
  if (at == NONE || reader->status != EGRAPH_OK) return false;
  Node node = reader->nodes[at];
  Token name = node.token;
  if (function) name.at++, name.length--;
  EGraph *graph = reader->graph;
  call->callback = NONE;
  for (uint32_t i = 0; i < graph->callback_count; i++) {
    const Callback *callback = (Callback *)graph->callbacks.data + i;
    if (token_is(name, callback->name) && (callback->function != NULL) == function) call->callback = i;
  }
  if (call->callback == NONE) {
    complain(reader, name.at, "unknown", "no %s is registered as %.*s", function ? "function" : "condition",
             (int)name.length, name.at);
    return false;
  }
  const Callback *callback = (Callback *)graph->callbacks.data + call->callback;
  if (callback->count != node.count) {
    complain(reader, name.at, "arity", "%s has %u arguments, here %u", callback->name, callback->count, node.count);
    return false;
  }
  call->arguments = arguments_new(reader, rule, node.count);
  call->count = node.count;
  uint32_t i = 0;
  for (uint32_t child = node.first; child != NONE; child = reader->nodes[child].next, i++) {
    if (!is_variable(reader->nodes[child].token)) {
      complain(reader, reader->nodes[child].token.at, "syntax", "a condition's arguments are variables");
      return false;
    }
    uint32_t variable = variable_bound(reader, rule, reader->nodes[child].token);
    if (variable == NONE || reader->status != EGRAPH_OK) return false;
    rule->arguments[call->arguments + i] = variable;
  }
  return true;
}

static void compile_lefts(Reader *reader, Rule *rule, const Side *side, uint32_t *root) {
  for (uint32_t i = 0; i < side->count && reader->status == EGRAPH_OK; i++) {
    const Item *item = &side->items[i];
    if (item->dynamic) {
      complain(reader, reader->nodes[item->node].token.at, "syntax", "a function makes a right side only");
      return;
    }
    uint32_t out = NONE;
    if (item->variable.length) {
      out = variable_find(rule, item->variable);
      if (out == NONE) out = variable_new(reader, rule, item->variable);
      if (out == NONE) return;
      if (reader->nodes[item->node].count == 0) {
        complain(reader, item->variable.at, "syntax", "only a pattern with arguments can follow =");
        return;
      }
    }
    uint32_t variable = compile_left(reader, rule, item->node, out);
    if (variable == NONE || reader->status != EGRAPH_OK) return;
    if (rule->variables[variable].kind == VARIABLE_FREE && rule->variables[variable].atom == NONE) {
      PUSH(reader, rule->atoms, rule->atom_count, (Atom){NONE, 0, 0, variable});
      variable_place(rule, variable, rule->atom_count - 1, NONE);
    }
    if (i == 0) *root = variable;
  }
}

static void compile_rights(Reader *reader, Rule *rule, const Side *side, uint32_t root) {
  for (uint32_t i = 0; i < side->count && reader->status == EGRAPH_OK; i++) {
    const Item *item = &side->items[i];
    uint32_t target = root;
    if (item->variable.length)
      target = variable_bound(reader, rule, item->variable);
    else if (i > 0)
      complain(reader, reader->nodes[item->node].token.at, "syntax", "expected `?variable =`");
    if (target == NONE || reader->status != EGRAPH_OK) return;
    rule->needed[target] = true;
    if (item->dynamic) {
      if (side->count > 1)
        complain(reader, reader->nodes[item->node].token.at, "syntax", "a function must be the only result");
      rule->dynamic_target = target;
      compile_call(reader, rule, item->node, true, &rule->dynamic);
      return;
    }
    uint32_t source = compile_right(reader, rule, item->node, target);
    if (source == NONE || reader->status != EGRAPH_OK) return;
    PUSH(reader, rule->actions, rule->action_count, (Action){target, source});
  }
}

static bool rule_known(const EGraphRules *rules, const char *name) {
  for (uint32_t i = 0; i < rules->count; i++)
    if (strcmp(name, rules->rules[i].name) == 0) return true;
  return false;
}

static bool rule_compile(Reader *reader, Rule *rule, const Sentence *sentence, bool reverse) {
  EGraph *graph = reader->graph;
  *rule = (Rule){.dynamic = {NONE, 0, 0}, .id = graph->rule_total};
  snprintf(rule->name, sizeof rule->name, "%.*s%s", (int)sentence->name.length, sentence->name.at,
           reverse ? "-reverse" : "");
  if (rule_known(reader->rules, rule->name))
    complain(reader, sentence->name.at, "duplicate", "there is a rule %s already", rule->name);
  if (reader->status != EGRAPH_OK) return false;
  uint32_t root = NONE;
  compile_lefts(reader, rule, reverse ? &sentence->right : &sentence->left, &root);
  if (reader->status != EGRAPH_OK) return false;
  rule->needed = calloc(rule->variable_count + 1, sizeof *rule->needed);
  if (!rule->needed) out_of_memory(reader);
  if (reader->status != EGRAPH_OK) return false;
  compile_rights(reader, rule, reverse ? &sentence->left : &sentence->right, root);
  for (uint32_t i = 0; i < sentence->condition_count && reader->status == EGRAPH_OK; i++) {
    Call call = {NONE, 0, 0};
    if (compile_call(reader, rule, sentence->conditions[i], false, &call))
      PUSH(reader, rule->conditions, rule->condition_count, call);
  }
  if (reader->status != EGRAPH_OK) return false;
  uint32_t width = rule->variable_count + rule->atom_count;
  rule->registers = calloc(width + 1, sizeof *rule->registers);
  rule->columns = calloc(((size_t)width + 2 * rule->result_count + 1) * CHUNK, sizeof *rule->columns);
  if (!rule->registers || !rule->columns) out_of_memory(reader);
  graph->rule_total++;
  return reader->status == EGRAPH_OK;
}

static void sentence_compile(Reader *reader, EGraphRules *rules, const Sentence *sentence) {
  for (int reverse = 0; reverse <= sentence->both && reader->status == EGRAPH_OK; reverse++) {
    Rule rule;
    reader->rules = rules;
    if (rule_compile(reader, &rule, sentence, reverse)) {
      uint32_t before = rules->count;
      PUSH(reader, rules->rules, rules->count, rule);
      if (rules->count == before) rule_free(&rule);
    } else
      rule_free(&rule);
  }
}

EGraphStatus egraph_rules_parse(EGraphRules **out, EGraph *graph, const char *text, EGraphDiagnostic *diagnostic) {
  *out = NULL;
  EGraphRules *rules = calloc(1, sizeof *rules);
  if (!rules) return EGRAPH_MEMORY_LIMIT;
  rules->graph = graph;
  uint32_t operators = graph->operator_count;
  Reader reader = {.graph = graph, .text = text, .at = text, .diagnostic = diagnostic};
  advance(&reader);
  while (reader.token.length && reader.status == EGRAPH_OK) {
    Sentence sentence;
    reader.node_count = 0;
    if (read_sentence(&reader, &sentence)) sentence_compile(&reader, rules, &sentence);
  }
  free(reader.nodes);
  if (reader.status != EGRAPH_OK) { /* leaves nothing behind, not even the arity of a name */
    rules_free(rules);
    operators_forget(graph, operators);
    return reader.status;
  }
  rules->next = graph->rules;
  graph->rules = rules;
  *out = rules;
  return EGRAPH_OK;
}

size_t egraph_rules_count(const EGraphRules *rules) { return rules->count; }
const char *egraph_rules_name(const EGraphRules *rules, size_t index) { return rules->rules[index].name; }
size_t egraph_rules_matches(const EGraphRules *rules, size_t index) { return rules->rules[index].matches; }

static EGraphStatus callback_add(EGraph *graph, const char *name, Callback callback) {
  if (strlen(name) >= sizeof callback.name) return EGRAPH_BAD_INPUT;
  if (!region_reserve(&graph->memory, &graph->callbacks, (graph->callback_count + 1) * sizeof callback))
    return EGRAPH_MEMORY_LIMIT;
  strcpy(callback.name, name);
  ((Callback *)graph->callbacks.data)[graph->callback_count++] = callback;
  return EGRAPH_OK;
}
EGraphStatus egraph_condition_register(EGraph *graph, const char *name, unsigned count, EGraphCondition *condition,
                                       void *payload) {
  return callback_add(graph, name, (Callback){.count = count, .condition = condition, .payload = payload});
}
EGraphStatus egraph_function_register(EGraph *graph, const char *name, unsigned count, EGraphFunction *function,
                                      void *payload) {
  return callback_add(graph, name, (Callback){.count = count, .function = function, .payload = payload});
}
