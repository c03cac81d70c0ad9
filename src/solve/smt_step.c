/* Steps on a goal before the solver: two sound rewritings of its text.
 *
 * Instantiation. Solvers hang on axioms such as `forall a b. exp(a+b) = exp(a)*exp(b)`: every instance makes
 * new terms to instantiate with. What kernels need are instances in which nothing new appears. So each
 * assertion that is a `forall` over reals is replaced by its instances with a, b from the function arguments
 * of the goal, and only those in which every function argument equals, as a linear expression, one that the
 * goal has; that one is written instead. Assertions with quantifiers in other places are dropped. Each
 * instance follows from its axiom, so the new goal is implied by the old one: its `unsat` is a proof for the
 * old goal, its `sat` says nothing. Where a text is out of the ordinary (overloaded functions, binders in the
 * axiom's body, quantifiers in definitions), nothing is rewritten.
 *
 * Commuting. `fp.add`, `fp.mul`, `bvadd` and `bvmul` are commutative (one NaN, and the sign of a zero depends on
 * the operands' signs and the rounding mode alone), but a solver that unfolds them to circuits does not see it:
 * the operands are put in the order of their texts. */
#include <string.h>

#include "base/intern.h"
#include "solve/smt_text.h"

/* ---- linear expressions ----
 * Coefficients are small fractions; what does not fit, or is not linear, is an atom of its own. */

typedef struct Fraction {
  int64_t num, den; /* den > 0, lowest terms */
} Fraction;

typedef struct LinearPart {
  Name atom; /* the empty name: the constant */
  Fraction factor;
} LinearPart;

enum { LINEAR_MAX = 24, DEPTH_MAX = 200, VARIABLES_MAX = 3 };

typedef struct Linear {
  LinearPart parts[LINEAR_MAX]; /* by atom, no zero factors */
  int count;
  bool fails;
} Linear;

static int64_t gcd64(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a < 0 ? -a : a;
}

static bool fraction_make(Int128 num, Int128 den, Fraction *out) {
  const Int128 limit = (Int128)1 << 40;
  if (!den) return false;
  if (den < 0) num = -num, den = -den;
  if (num > limit || num < -limit || den > limit) return false;
  int64_t common = gcd64((int64_t)num, (int64_t)den);
  *out = (Fraction){(int64_t)num / common, (int64_t)den / common};
  return true;
}

static bool fraction_add(Fraction a, Fraction b, Fraction *out) {
  return fraction_make((Int128)a.num * b.den + (Int128)b.num * a.den, (Int128)a.den * b.den, out);
}

static bool fraction_mul(Fraction a, Fraction b, Fraction *out) {
  return fraction_make((Int128)a.num * b.num, (Int128)a.den * b.den, out);
}

static void linear_add(Linear *sum, Name atom, Fraction factor) {
  int at = 0;
  while (at < sum->count && sum->parts[at].atom < atom) at++;
  if (at < sum->count && sum->parts[at].atom == atom) {
    if (!fraction_add(sum->parts[at].factor, factor, &factor)) sum->fails = true;
    sum->parts[at].factor = factor;
    if (factor.num) return;
    sum->count--;
    memmove(&sum->parts[at], &sum->parts[at + 1], sizeof *sum->parts * (size_t)(sum->count - at));
    return;
  }
  if (!factor.num) return;
  if (sum->count == LINEAR_MAX) {
    sum->fails = true;
    return;
  }
  memmove(&sum->parts[at + 1], &sum->parts[at], sizeof *sum->parts * (size_t)(sum->count - at));
  sum->parts[at] = (LinearPart){atom, factor};
  sum->count++;
}

static void linear_add_scaled(Linear *sum, const Linear *other, Fraction scale) {
  sum->fails = sum->fails || other->fails;
  for (int i = 0; i < other->count && !sum->fails; i++) {
    Fraction factor;
    if (fraction_mul(other->parts[i].factor, scale, &factor))
      linear_add(sum, other->parts[i].atom, factor);
    else
      sum->fails = true;
  }
}

static bool linear_is_constant(const Linear *form, Fraction *value) {
  *value = form->count ? form->parts[0].factor : (Fraction){0, 1};
  return !form->fails && (!form->count || (form->count == 1 && !form->parts[0].atom));
}

static bool linear_equal(const Linear *a, const Linear *b) {
  if (a->fails || b->fails || a->count != b->count) return false;
  for (int i = 0; i < a->count; i++)
    if (a->parts[i].atom != b->parts[i].atom || a->parts[i].factor.num != b->parts[i].factor.num ||
        a->parts[i].factor.den != b->parts[i].factor.den)
      return false;
  return true;
}

/* ---- instantiation ---- */

typedef struct Definition {
  Name name;
  uint32_t body;
} Definition;

typedef struct Argument { /* `function` is applied to this somewhere in the goal */
  Name function;
  const char *text;
  Linear form;
} Argument;

typedef struct Axiom {
  uint32_t body;
  Name variables[VARIABLES_MAX];
  int count;
} Axiom;

typedef struct Rewriter {
  Arena *arena;
  SmtScript script;
  InternTable names;
  Array(Name) declared;
  Array(Definition) definitions; /* without parameters */
  Array(Name) functions;         /* of one real argument */
  Array(Argument) arguments;
  Array(Axiom) axioms;
  Array(uint32_t) kept; /* commands */
  const Axiom *axiom;   /* whose variables are bound, with the values below; or NULL */
  const Argument *values[VARIABLES_MAX];
} Rewriter;

/* Whether `text` could be written without bars. */
static bool is_simple_symbol(const char *text, size_t length) {
  if (!length || (text[0] >= '0' && text[0] <= '9')) return false;
  for (size_t i = 0; i < length; i++) {
    bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
    bool digit = text[i] >= '0' && text[i] <= '9';
    if (!letter && !digit && !(text[i] && strchr("~!@$%^&*_-+=<>.?/", text[i]))) return false;
  }
  return true;
}

/* The same for |x| and x, and different for different symbols, numerals and lists. */
static Name node_name(Rewriter *rewriter, uint32_t node) {
  size_t length;
  const char *text = smt_atom_text(&rewriter->script, node, &length);
  if (is_simple_symbol(text, length)) return intern(&rewriter->names, text, length);
  const SmtNode *at = smt_node(&rewriter->script, node);
  return intern(&rewriter->names, rewriter->script.text + at->begin, at->end - at->begin);
}

static int variable_index(const Rewriter *rewriter, Name name) {
  for (int i = 0; rewriter->axiom && i < rewriter->axiom->count; i++)
    if (rewriter->axiom->variables[i] == name) return i;
  return -1;
}

static bool name_is_function(const Rewriter *rewriter, Name name) {
  for (uint32_t i = 0; i < rewriter->functions.count; i++)
    if (rewriter->functions.data[i] == name) return true;
  return false;
}

static bool atom_numeral(const SmtScript *script, uint32_t node, Fraction *out) {
  const char *text = script->text + smt_node(script, node)->begin;
  uint32_t length = smt_node(script, node)->end - smt_node(script, node)->begin;
  int64_t num = 0, den = 1;
  bool point = false;
  if (length > 11 || text[0] < '0' || text[0] > '9') return false;
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] == '.' && !point) {
      point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return false;
    num = num * 10 + (text[i] - '0');
    if (point) den *= 10;
  }
  return fraction_make(num, den, out);
}

static Linear linear_of(Rewriter *rewriter, uint32_t node, int depth);

static Linear linear_atom(Rewriter *rewriter, uint32_t node) {
  const SmtNode *at = smt_node(&rewriter->script, node);
  Linear form = {0};
  Name name = at->list ? intern(&rewriter->names, rewriter->script.text + at->begin, at->end - at->begin)
                       : node_name(rewriter, node);
  linear_add(&form, name, (Fraction){1, 1});
  return form;
}

static Linear linear_symbol(Rewriter *rewriter, uint32_t node, int depth) {
  Linear form = {0};
  Fraction value;
  if (atom_numeral(&rewriter->script, node, &value)) {
    linear_add(&form, 0, value);
    return form;
  }
  Name name = node_name(rewriter, node);
  int variable = variable_index(rewriter, name);
  if (variable >= 0) return rewriter->values[variable]->form;
  for (uint32_t i = 0; i < rewriter->definitions.count; i++) {
    if (rewriter->definitions.data[i].name != name) continue;
    const Axiom *bound = rewriter->axiom;
    rewriter->axiom = NULL; /* a definition does not see the axiom's variables */
    form = linear_of(rewriter, rewriter->definitions.data[i].body, depth + 1);
    rewriter->axiom = bound;
    return form.fails ? linear_atom(rewriter, node) : form;
  }
  return linear_atom(rewriter, node);
}

static Linear linear_sum(Rewriter *rewriter, uint32_t first, bool minus, int depth) {
  Linear form = {0};
  bool unary = minus && !smt_node_next(&rewriter->script, first);
  for (uint32_t at = first; at; at = smt_node_next(&rewriter->script, at)) {
    Linear part = linear_of(rewriter, at, depth + 1);
    linear_add_scaled(&form, &part, (Fraction){minus && (unary || at != first) ? -1 : 1, 1});
  }
  return form;
}

static Linear linear_product(Rewriter *rewriter, uint32_t first, bool division, int depth) {
  Linear form = {0};
  linear_add(&form, 0, (Fraction){1, 1});
  for (uint32_t at = first; at; at = smt_node_next(&rewriter->script, at)) {
    Linear part = linear_of(rewriter, at, depth + 1), product = {0};
    Fraction scale;
    if (linear_is_constant(&part, &scale)) {
      if (division && at != first && !fraction_make(scale.den, scale.num, &scale)) product.fails = true;
      linear_add_scaled(&product, &form, scale);
    } else if ((!division || at == first) && linear_is_constant(&form, &scale)) {
      linear_add_scaled(&product, &part, scale);
    } else {
      product.fails = true;
    }
    form = product;
  }
  return form;
}

/* A list that mentions a bound variable and is not linear has no name that could be compared. */
static bool mentions_variable(Rewriter *rewriter, uint32_t node) {
  for (uint32_t at = node, end = smt_subtree_end(&rewriter->script, node); at < end; at++)
    if (!smt_node(&rewriter->script, at)->list && variable_index(rewriter, node_name(rewriter, at)) >= 0) return true;
  return false;
}

static Linear linear_of(Rewriter *rewriter, uint32_t node, int depth) {
  Linear form = {.fails = true};
  if (depth > DEPTH_MAX) return form;
  if (!smt_node(&rewriter->script, node)->list) return linear_symbol(rewriter, node, depth);
  uint32_t first = smt_child(&rewriter->script, node, 1);
  if (first) {
    if (smt_head_is(&rewriter->script, node, "+"))
      form = linear_sum(rewriter, first, false, depth);
    else if (smt_head_is(&rewriter->script, node, "-"))
      form = linear_sum(rewriter, first, true, depth);
    else if (smt_head_is(&rewriter->script, node, "*"))
      form = linear_product(rewriter, first, false, depth);
    else if (smt_head_is(&rewriter->script, node, "/"))
      form = linear_product(rewriter, first, true, depth);
  }
  if (form.fails && !mentions_variable(rewriter, node)) form = linear_atom(rewriter, node);
  return form;
}

static bool command_quantifies(const Rewriter *rewriter, uint32_t command) {
  for (uint32_t node = command, end = smt_subtree_end(&rewriter->script, command); node < end; node++)
    if (smt_atom_is(&rewriter->script, node, "forall") || smt_atom_is(&rewriter->script, node, "exists")) return true;
  return false;
}

static bool has_word(const Rewriter *rewriter, uint32_t node, const char *word) {
  for (uint32_t at = node, end = smt_subtree_end(&rewriter->script, node); at < end; at++)
    if (smt_atom_is(&rewriter->script, at, word)) return true;
  return false;
}

/* (assert (forall ((a Real) ...) body)) with at most three variables and no other binder; else false. */
static bool axiom_read(Rewriter *rewriter, uint32_t command, Axiom *axiom) {
  const SmtScript *script = &rewriter->script;
  uint32_t formula = smt_child(script, command, 1);
  if (!smt_head_is(script, formula, "forall") || smt_node_next(script, formula)) return false;
  uint32_t bindings = smt_child(script, formula, 1), body = smt_child(script, formula, 2);
  if (!body || smt_node_next(script, body) || !smt_node(script, bindings)->list) return false;
  *axiom = (Axiom){.body = smt_head_is(script, body, "!") ? smt_child(script, body, 1) : body};
  if (!axiom->body) return false;
  for (uint32_t at = smt_node_first(script, bindings); at; at = smt_node_next(script, at)) {
    uint32_t name = smt_node_first(script, at);
    if (!name || smt_node(script, name)->list || !smt_atom_is(script, smt_child(script, at, 1), "Real")) return false;
    if (axiom->count == VARIABLES_MAX) return false;
    axiom->variables[axiom->count++] = node_name(rewriter, name);
  }
  static const char *const binders[] = {"forall", "exists", "let", "lambda", "match", "!"};
  for (size_t i = 0; i < sizeof binders / sizeof *binders; i++)
    if (has_word(rewriter, axiom->body, binders[i])) return false;
  return axiom->count > 0;
}

/* A script that declares one of these would change what the steps rely on. */
static bool renames_builtin(const SmtScript *script, uint32_t name) {
  static const char *const builtins[] = {"+", "-", "*", "/", "fp.add", "fp.mul", "bvadd", "bvmul"};
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (smt_atom_is(script, name, builtins[i])) return true;
  return false;
}

/* False: the declaration makes rewriting by text unsafe (an overloaded name). */
static bool declaration_read(Rewriter *rewriter, uint32_t command) {
  const SmtScript *script = &rewriter->script;
  uint32_t name_node = smt_child(script, command, 1), parameters = smt_child(script, command, 2);
  if (!name_node || smt_node(script, name_node)->list || !parameters) return false;
  if (renames_builtin(script, name_node)) return false;
  Name name = node_name(rewriter, name_node);
  for (uint32_t i = 0; i < rewriter->declared.count; i++)
    if (rewriter->declared.data[i] == name) return false;
  array_push(rewriter->arena, &rewriter->declared, name);
  uint32_t only = smt_node_first(script, parameters);
  bool declares = smt_head_is(script, command, "declare-fun"), defines = smt_head_is(script, command, "define-fun");
  if (declares && only && !smt_node_next(script, only) && smt_atom_is(script, only, "Real"))
    array_push(rewriter->arena, &rewriter->functions, name);
  if (defines && smt_node(script, parameters)->list && !only && smt_child(script, command, 4))
    array_push(rewriter->arena, &rewriter->definitions, (Definition){name, smt_child(script, command, 4)});
  return true;
}

static const Argument *argument_find(Rewriter *rewriter, Name function, const Linear *form) {
  for (uint32_t i = 0; i < rewriter->arguments.count; i++)
    if (rewriter->arguments.data[i].function == function && linear_equal(&rewriter->arguments.data[i].form, form))
      return &rewriter->arguments.data[i];
  return NULL;
}

static void argument_add(Rewriter *rewriter, Name function, const char *text, const Linear *form) {
  if (form->fails || argument_find(rewriter, function, form)) return;
  array_push(rewriter->arena, &rewriter->arguments, (Argument){function, text, *form});
}

/* The arguments of functions in a term without bound names. */
static void arguments_collect(Rewriter *rewriter, uint32_t term) {
  const SmtScript *script = &rewriter->script;
  for (uint32_t node = term, end = smt_subtree_end(script, term); node < end; node++) {
    bool binds = smt_head_is(script, node, "let") || smt_head_is(script, node, "lambda");
    if (binds || smt_head_is(script, node, "match")) {
      node = smt_subtree_end(script, node) - 1;
      continue;
    }
    uint32_t head = smt_node_first(script, node), argument = smt_child(script, node, 1);
    if (!argument || smt_node_next(script, argument) || smt_node(script, head)->list) continue;
    Name function = node_name(rewriter, head);
    if (!name_is_function(rewriter, function)) continue;
    const SmtNode *at = smt_node(script, argument);
    Linear form = linear_of(rewriter, argument, 0);
    const char *text = arena_copy(rewriter->arena, script->text + at->begin, at->end - at->begin);
    argument_add(rewriter, function, text, &form);
  }
}

/* The symbols that the arguments are sums of, as arguments too: exp(x - m) makes exp(m) worth having. */
static void arguments_widen(Rewriter *rewriter) {
  for (uint32_t i = 0, count = rewriter->arguments.count; i < count; i++) {
    Argument whole = rewriter->arguments.data[i];
    for (int part = 0; part < whole.form.count && whole.form.count > 1; part++) {
      Name atom = whole.form.parts[part].atom;
      const char *text = intern_string(&rewriter->names, atom);
      if (!atom) continue; /* the constant */
      Linear form = {.parts = {{atom, {1, 1}}}, .count = 1};
      argument_add(rewriter, whole.function, text, &form);
    }
  }
}

/* Writes the axiom's body under the current values; false when a function argument is new to the goal. */
static bool instance_write(Rewriter *rewriter, uint32_t node, Text *out, int depth) {
  const SmtScript *script = &rewriter->script;
  if (depth > DEPTH_MAX) return false;
  if (!smt_node(script, node)->list) {
    int variable = variable_index(rewriter, node_name(rewriter, node));
    if (variable >= 0)
      text_add(out, rewriter->values[variable]->text);
    else
      smt_text_node(out, script, node);
    return true;
  }
  uint32_t head = smt_node_first(script, node), argument = smt_child(script, node, 1);
  if (argument && !smt_node(script, head)->list) {
    Name function = node_name(rewriter, head);
    if (name_is_function(rewriter, function)) {
      Linear form = linear_of(rewriter, argument, 0);
      const Argument *known = argument_find(rewriter, function, &form);
      if (!known || smt_node_next(script, argument)) return false;
      text_char(out, '(');
      smt_text_node(out, script, head);
      text_char(out, ' ');
      text_add(out, known->text);
      text_char(out, ')');
      return true;
    }
  }
  text_char(out, '(');
  for (uint32_t at = head; at; at = smt_node_next(script, at)) {
    if (at != head) text_char(out, ' ');
    if (!instance_write(rewriter, at, out, depth + 1)) return false;
  }
  text_char(out, ')');
  return true;
}

enum { INSTANCES_MAX = 2000, TUPLES_MAX = 40000 };

static uint32_t instances_write(Rewriter *rewriter, const Axiom *axiom, Text *out) {
  uint32_t tuples = 1, written = 0, choices = rewriter->arguments.count;
  for (int i = 0; i < axiom->count; i++) tuples = tuples > TUPLES_MAX ? tuples : tuples * choices;
  if (!choices || choices > TUPLES_MAX || tuples > TUPLES_MAX) return 0;
  rewriter->axiom = axiom;
  for (uint32_t tuple = 0; tuple < tuples && written < INSTANCES_MAX; tuple++) {
    for (uint32_t i = 0, rest = tuple; i < (uint32_t)axiom->count; i++, rest /= choices)
      rewriter->values[i] = &rewriter->arguments.data[rest % choices];
    uint32_t before = out->count;
    text_add(out, "(assert ");
    if (instance_write(rewriter, axiom->body, out, 0)) {
      text_add(out, ")\n");
      written++;
    } else {
      out->count = before;
      out->data[before] = 0;
    }
    guard_tick(rewriter->arena->guard);
  }
  rewriter->axiom = NULL;
  return written;
}

/* Sorts the commands; false when the goal is out of the ordinary. */
static bool commands_read(Rewriter *rewriter) {
  const SmtScript *script = &rewriter->script;
  for (uint32_t command = smt_node_first(script, 0); command; command = smt_node_next(script, command)) {
    bool quantifies = command_quantifies(rewriter, command);
    if (smt_head_is(script, command, "assert")) {
      Axiom axiom;
      if (!quantifies)
        array_push(rewriter->arena, &rewriter->kept, command);
      else if (axiom_read(rewriter, command, &axiom))
        array_push(rewriter->arena, &rewriter->axioms, axiom);
    } else {
      if (quantifies || !declaration_read(rewriter, command)) return false;
      array_push(rewriter->arena, &rewriter->kept, command);
    }
  }
  return rewriter->axioms.count > 0;
}

const char *smt_goal_instantiate(Arena *arena, const char *assertions, bool wider) {
  const char *error;
  Rewriter rewriter = {.arena = arena, .script = smt_script_read(arena, assertions, &error)};
  if (error) return NULL;
  intern_init(&rewriter.names, arena);
  if (!commands_read(&rewriter)) return NULL;
  const SmtScript *script = &rewriter.script;
  Text out = text_new(arena);
  for (uint32_t i = 0; i < rewriter.kept.count; i++) {
    uint32_t command = rewriter.kept.data[i];
    if (smt_head_is(script, command, "assert")) arguments_collect(&rewriter, smt_child(script, command, 1));
    smt_text_node(&out, script, command);
    text_char(&out, '\n');
  }
  for (uint32_t i = 0; i < rewriter.definitions.count; i++)
    arguments_collect(&rewriter, rewriter.definitions.data[i].body);
  uint32_t before = rewriter.arguments.count, written = 0;
  if (wider) arguments_widen(&rewriter);
  if (wider && rewriter.arguments.count == before) return NULL;
  for (uint32_t i = 0; i < rewriter.axioms.count; i++)
    written += instances_write(&rewriter, &rewriter.axioms.data[i], &out);
  return written ? text_string(&out) : NULL;
}

/* ---- commuting ---- */

static bool commutes(const SmtScript *script, uint32_t node, bool *rounds) {
  *rounds = smt_head_is(script, node, "fp.add") || smt_head_is(script, node, "fp.mul");
  return *rounds || smt_head_is(script, node, "bvadd") || smt_head_is(script, node, "bvmul");
}

/* The text of a node with its operands in order; NULL when it is nested too deeply. */
static const char *commuted(const SmtScript *script, uint32_t node, int depth, bool *changed) {
  Arena *arena = script->arena;
  const SmtNode *at = smt_node(script, node);
  if (!at->list) return arena_copy(arena, script->text + at->begin, at->end - at->begin);
  if (depth > DEPTH_MAX) return NULL;
  Array(const char *) parts = {0};
  for (uint32_t item = at->first; item; item = smt_node_next(script, item)) {
    const char *text = commuted(script, item, depth + 1, changed);
    if (!text) return NULL;
    array_push(arena, &parts, text);
  }
  bool rounds;
  if (commutes(script, node, &rounds) && parts.count == (rounds ? 4u : 3u)) {
    const char **last = &parts.data[parts.count - 1], **other = last - 1;
    if (strcmp(*other, *last) > 0) {
      const char *swap = *last;
      *last = *other, *other = swap;
      *changed = true;
    }
  }
  Text out = text_new(arena);
  text_char(&out, '(');
  for (uint32_t i = 0; i < parts.count; i++) {
    if (i) text_char(&out, ' ');
    text_add(&out, parts.data[i]);
  }
  text_char(&out, ')');
  return text_string(&out);
}

const char *smt_goal_commute(Arena *arena, const char *assertions) {
  const char *error;
  SmtScript script = smt_script_read(arena, assertions, &error);
  if (error) return NULL;
  bool changed = false;
  Text out = text_new(arena);
  for (uint32_t command = smt_node_first(&script, 0); command; command = smt_node_next(&script, command)) {
    const char *text = commuted(&script, command, 0, &changed);
    bool declares = !smt_head_is(&script, command, "assert");
    if (!text || (declares && renames_builtin(&script, smt_child(&script, command, 1)))) return NULL;
    text_add(&out, text);
    text_char(&out, '\n');
  }
  return changed ? text_string(&out) : NULL;
}
