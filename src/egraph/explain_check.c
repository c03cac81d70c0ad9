/* Checks a certificate line by line. Nothing of the e-graph is used: terms and rules are read again here, so
 * that a mistake there cannot hide here.
 *
 * A term is a number in a table of its own, equal structure iff equal number. A proof line is believed only if
 * it follows from lines before it: by congruence, by chaining, or because both sides are instances of the two
 * sides of the named rule under the bindings that the line gives. */
#include "egraph.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ARITY 64
#define NAMES 64

typedef struct {
  const char *at;
  size_t length;
} Word;

typedef struct {
  Word op;
  uint32_t arity, next; /* next with the same hash */
  uint32_t *children;
} Term;

typedef struct {
  uint32_t left, right;
} Equation;

typedef struct {
  Term *terms;
  uint32_t term_count, term_capacity;
  uint32_t *heads, head_count;
  uint32_t *named; /* tN -> term + 1 */
  uint32_t named_capacity;
  Equation *lines;
  uint32_t line_count, line_capacity;
  const char *rules;
  size_t assumed;
  char *why;
  size_t why_size;
  bool failed;
} Checker;

static void fail(Checker *checker, const char *format, ...) {
  if (checker->failed) return;
  checker->failed = true;
  if (!checker->why_size) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(checker->why, checker->why_size, format, arguments);
  va_end(arguments);
}

/* -- words ------------------------------------------------------------------------------------------------ */

static Word next_word(const char **at) {
  const char *c = *at;
  for (;; c++) {
    if (*c == ';') c += strcspn(c, "\n");
    if (*c != ' ' && *c != '\t' && *c != '\n' && *c != '\r') break;
  }
  Word word = {c, 0};
  word.length = *c == '(' || *c == ')' || *c == ',' ? 1 : strcspn(c, " \t\r\n;(),");
  *at = c + word.length;
  return word;
}
static bool is(Word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}
static bool same(Word a, Word b) { return a.length == b.length && memcmp(a.at, b.at, a.length) == 0; }

static bool number(Word word, char letter, uint32_t *out) {
  uint64_t value = 0;
  if (word.length < 2 || word.length > 10 || word.at[0] != letter) return false;
  for (size_t i = 1; i < word.length; i++) {
    if (word.at[i] < '0' || word.at[i] > '9') return false;
    value = value * 10 + (uint64_t)(word.at[i] - '0');
  }
  *out = (uint32_t)value;
  return value < UINT32_MAX;
}

/* -- terms ------------------------------------------------------------------------------------------------- */

static uint32_t term_hash(Word op, const uint32_t *children, uint32_t arity) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < op.length; i++) h = (h ^ (unsigned char)op.at[i]) * 16777619u;
  for (uint32_t i = 0; i < arity; i++) h = (h ^ children[i]) * 16777619u + (h >> 15);
  return h;
}

static void heads_grow(Checker *checker) {
  uint32_t count = checker->head_count ? checker->head_count * 2 : 1024, *heads = calloc(count, sizeof *heads);
  if (!heads) {
    fail(checker, "out of memory");
    return;
  }
  for (uint32_t i = 0; i < checker->term_count; i++) {
    Term *term = &checker->terms[i];
    uint32_t at = term_hash(term->op, term->children, term->arity) % count;
    term->next = heads[at];
    heads[at] = i + 1;
  }
  free(checker->heads);
  checker->heads = heads;
  checker->head_count = count;
}

static uint32_t term_make(Checker *checker, Word op, const uint32_t *children, uint32_t arity) {
  if (checker->term_count >= checker->head_count) heads_grow(checker);
  if (checker->failed) return 0;
  uint32_t at = term_hash(op, children, arity) % checker->head_count;
  for (uint32_t i = checker->heads[at]; i; i = checker->terms[i - 1].next) {
    const Term *term = &checker->terms[i - 1];
    if (term->arity == arity && same(term->op, op) &&
        (arity == 0 || memcmp(term->children, children, arity * sizeof *children) == 0))
      return i - 1;
  }
  if (checker->term_count == checker->term_capacity) {
    uint32_t capacity = checker->term_capacity ? checker->term_capacity * 2 : 1024;
    Term *terms = realloc(checker->terms, capacity * sizeof *terms);
    if (!terms) {
      fail(checker, "out of memory");
      return 0;
    }
    checker->terms = terms;
    checker->term_capacity = capacity;
  }
  uint32_t *copy = malloc((arity + 1) * sizeof *copy);
  if (!copy) {
    fail(checker, "out of memory");
    return 0;
  }
  if (arity) memcpy(copy, children, arity * sizeof *copy);
  checker->terms[checker->term_count] = (Term){op, arity, checker->heads[at], copy};
  checker->heads[at] = checker->term_count + 1;
  return checker->term_count++;
}

/* -- patterns ------------------------------------------------------------------------------------------------ */

typedef struct {
  Word name;
  uint32_t term;
} Binding;

typedef struct {
  Binding items[NAMES];
  uint32_t count;
} Bindings;

static uint32_t binding(Checker *checker, const Bindings *bindings, Word name) {
  for (uint32_t i = 0; bindings && i < bindings->count; i++)
    if (same(bindings->items[i].name, name)) return bindings->items[i].term;
  fail(checker, "%.*s has no value", (int)name.length, name.at);
  return 0;
}

/* Reads a pattern and returns its instance. */
static uint32_t instance(Checker *checker, const char **at, const Bindings *bindings, unsigned depth) {
  Word word = next_word(at);
  if (word.length == 0 || depth > 5000 || is(word, ")") || is(word, ",")) fail(checker, "malformed term");
  if (checker->failed) return 0;
  if (!is(word, "(")) {
    if (word.length > 1 && word.at[0] == '?') return binding(checker, bindings, word);
    return term_make(checker, word, NULL, 0);
  }
  Word op = next_word(at);
  uint32_t children[ARITY], arity = 0;
  if (is(op, "(") || is(op, ")") || is(op, ",")) fail(checker, "malformed term");
  for (;;) {
    const char *peek = *at;
    if (is(next_word(&peek), ")")) {
      *at = peek;
      break;
    }
    if (arity == ARITY) fail(checker, "too many arguments");
    if (checker->failed) return 0;
    uint32_t child = instance(checker, at, bindings, depth + 1);
    children[arity++] = child;
  }
  return checker->failed ? 0 : term_make(checker, op, children, arity);
}

/* -- rules --------------------------------------------------------------------------------------------------- */

typedef struct {
  Word variable; /* length 0: none */
  const char *pattern;
  bool dynamic;
} Item;

typedef struct {
  Item items[16];
  uint32_t count;
} Side;

/* Passes over one pattern. */
static const char *pattern_end(const char *at) {
  unsigned open = 0;
  do {
    Word word = next_word(&at);
    if (word.length == 0) break;
    open += is(word, "(");
    open -= open && is(word, ")");
  } while (open);
  return at;
}

static bool read_side(const char **at, Side *side) {
  side->count = 0;
  for (;;) {
    if (side->count == 16) return false;
    Item *item = &side->items[side->count++];
    const char *peek = *at;
    Word word = next_word(&peek), after = next_word(&peek);
    item->variable = (Word){NULL, 0};
    if (word.length > 1 && word.at[0] == '?' && is(after, "=")) {
      item->variable = word;
      *at = peek;
    }
    item->pattern = *at;
    peek = *at;
    word = next_word(&peek);
    if ((item->dynamic = word.length > 1 && word.at[0] == '@'))
      for (;;) { /* @name ?a ?b .. */
        *at = peek;
        word = next_word(&peek);
        if (word.length < 2 || word.at[0] != '?') break;
      }
    else
      *at = pattern_end(*at);
    peek = *at;
    if (!is(next_word(&peek), ",")) return true;
    *at = peek;
  }
}

/* Finds `name:` and reads its two sides; a name that ends in -reverse may be the other direction of a <=>. */
static bool rule_find(const char *text, Word name, bool reverse, Side *left, Side *right, bool *conditional) {
  for (const char *at = text;;) {
    Word word = next_word(&at);
    if (word.length == 0) return false;
    if (word.length != name.length + 1 || word.at[name.length] != ':' || memcmp(word.at, name.at, name.length) != 0)
      continue;
    if (!read_side(&at, reverse ? right : left)) return false;
    Word arrow = next_word(&at);
    if (!is(arrow, "<=>") && (reverse || !is(arrow, "=>"))) return false;
    if (!read_side(&at, reverse ? left : right)) return false;
    *conditional = is(next_word(&at), "if");
    return true;
  }
}

static bool rule_lookup(const char *text, Word name, Side *left, Side *right, bool *conditional) {
  const size_t suffix = strlen("-reverse");
  if (rule_find(text, name, false, left, right, conditional)) return true;
  if (name.length <= suffix || memcmp(name.at + name.length - suffix, "-reverse", suffix) != 0) return false;
  name.length -= suffix;
  return rule_find(text, name, true, left, right, conditional);
}

/* -- proof lines ---------------------------------------------------------------------------------------------- */

static bool named_term(const Checker *checker, Word word, uint32_t *term) {
  uint32_t n;
  if (!number(word, 't', &n) || n >= checker->named_capacity || !checker->named[n]) return false;
  *term = checker->named[n] - 1;
  return true;
}

/* A reference to an earlier line, perhaps from right to left. */
static bool reference(const Checker *checker, Word word, Equation *out) {
  bool back = word.length && word.at[0] == '~';
  uint32_t n;
  if (back) word.at++, word.length--;
  if (!number(word, 'p', &n) || n >= checker->line_count) return false;
  *out = checker->lines[n];
  if (back) *out = (Equation){out->right, out->left};
  return true;
}

/* `-` proves that a term equals itself. */
static bool proves(const Checker *checker, Word word, uint32_t left, uint32_t right) {
  Equation equation;
  if (is(word, "-")) return left == right;
  return reference(checker, word, &equation) && equation.left == left && equation.right == right;
}

static bool check_congruence(Checker *checker, const char *at, Equation claim) {
  const Term *a = &checker->terms[claim.left], *b = &checker->terms[claim.right];
  if (a->arity != b->arity || !same(a->op, b->op)) return false;
  for (uint32_t i = 0; i < a->arity; i++)
    if (!proves(checker, next_word(&at), a->children[i], b->children[i])) return false;
  return next_word(&at).length == 0;
}

static bool check_chain(Checker *checker, const char *at, Equation claim) {
  uint32_t now = claim.left;
  for (Word word = next_word(&at); word.length; word = next_word(&at)) {
    Equation step;
    if (!reference(checker, word, &step) || step.left != now) return false;
    now = step.right;
  }
  return now == claim.right;
}

/* The premises `?x = pattern` of the left side, each by the next reference after `with`. */
static bool check_premises(Checker *checker, const Side *left, const Bindings *bindings, const char *at) {
  for (uint32_t i = 0; i < left->count; i++) {
    if (!left->items[i].variable.length) continue;
    const char *pattern = left->items[i].pattern;
    uint32_t whole = instance(checker, &pattern, bindings, 0);
    uint32_t named = binding(checker, bindings, left->items[i].variable);
    if (checker->failed || !proves(checker, next_word(&at), named, whole)) return false;
  }
  return next_word(&at).length == 0;
}

static bool check_rule(Checker *checker, const char *at, Equation claim) {
  Side left, right;
  bool conditional;
  Word name = next_word(&at);
  if (!rule_lookup(checker->rules, name, &left, &right, &conditional)) {
    fail(checker, "no rule %.*s", (int)name.length, name.at);
    return false;
  }
  Bindings bindings = {.count = 0};
  Word word = next_word(&at);
  for (; word.length && word.at[0] == '?'; word = next_word(&at)) {
    const char *equal = memchr(word.at, '=', word.length);
    if (!equal || bindings.count == NAMES) return false;
    Binding *item = &bindings.items[bindings.count++];
    item->name = (Word){word.at, (size_t)(equal - word.at)};
    if (!named_term(checker, (Word){equal + 1, word.length - item->name.length - 1}, &item->term)) return false;
  }
  if (word.length && !is(word, "with")) return false;
  if (!check_premises(checker, &left, &bindings, at)) return false;
  for (uint32_t i = 0; i < right.count; i++) {
    const Item *item = &right.items[i];
    Word target = item->variable.length ? item->variable : left.items[0].variable;
    const char *from = left.items[0].pattern, *to = item->pattern;
    uint32_t a = target.length ? binding(checker, &bindings, target) : instance(checker, &from, &bindings, 0);
    uint32_t b = item->dynamic ? claim.right : instance(checker, &to, &bindings, 0);
    if (checker->failed) return false;
    if (a != claim.left || b != claim.right) continue;
    checker->assumed += conditional || item->dynamic;
    return true;
  }
  return false;
}

static void check_proof_line(Checker *checker, const char *at, uint32_t n) {
  Equation claim;
  Word a = next_word(&at), equal = next_word(&at), b = next_word(&at), by = next_word(&at), how = next_word(&at);
  bool good = n == checker->line_count && is(equal, "=") && is(by, "by") && named_term(checker, a, &claim.left) &&
              named_term(checker, b, &claim.right);
  if (good && is(how, "given"))
    checker->assumed++;
  else if (good && is(how, "congruence"))
    good = check_congruence(checker, at, claim);
  else if (good && is(how, "chain"))
    good = check_chain(checker, at, claim);
  else
    good = good && is(how, "rule") && check_rule(checker, at, claim);
  if (!good) {
    fail(checker, "line p%u does not follow", n);
    return;
  }
  if (checker->line_count == checker->line_capacity) {
    uint32_t capacity = checker->line_capacity ? checker->line_capacity * 2 : 256;
    Equation *lines = realloc(checker->lines, capacity * sizeof *lines);
    if (!lines) {
      fail(checker, "out of memory");
      return;
    }
    checker->lines = lines;
    checker->line_capacity = capacity;
  }
  checker->lines[checker->line_count++] = claim;
}

/* tN = NAME or tN = (NAME tA tB ..) */
static void check_term_line(Checker *checker, const char *at, uint32_t n) {
  Word equal = next_word(&at), op = next_word(&at);
  uint32_t children[ARITY], arity = 0;
  bool good = is(equal, "=") && op.length;
  if (good && is(op, "(")) {
    op = next_word(&at);
    for (Word word = next_word(&at); good && !is(word, ")"); word = next_word(&at))
      good = arity < ARITY && named_term(checker, word, &children[arity++]);
  }
  if (n >= checker->named_capacity) {
    uint32_t capacity = n * 2 + 64, *named = n < 1u << 30 ? realloc(checker->named, capacity * sizeof *named) : NULL;
    if (named) {
      memset(named + checker->named_capacity, 0, (capacity - checker->named_capacity) * sizeof *named);
      checker->named = named;
      checker->named_capacity = capacity;
    } else
      good = false;
  }
  if (!good || checker->named[n])
    fail(checker, "line t%u is malformed", n);
  else
    checker->named[n] = term_make(checker, op, children, arity) + 1;
}

/* Lines are cut at their ends in a copy, so that no word of one is taken for the next. */
static void check_lines(Checker *checker, char *text) {
  for (char *line = text; *line && !checker->failed;) {
    size_t length = strcspn(line, "\n");
    bool last = line[length] == 0;
    line[length] = 0;
    const char *at = line;
    Word name = next_word(&at);
    uint32_t n;
    if (number(name, 't', &n))
      check_term_line(checker, at, n);
    else if (name.length > 2 && name.at[name.length - 1] == ':' && number((Word){name.at, name.length - 1}, 'p', &n))
      check_proof_line(checker, at, n);
    else if (name.length)
      fail(checker, "unknown line: %.60s", line);
    if (last) break;
    line += length + 1;
  }
}

static bool term_is(Checker *checker, const char *text, uint32_t term) {
  return !text || instance(checker, &text, NULL, 0) == term;
}

EGraphStatus egraph_explain_check(const char *certificate, const char *rules, const char *left, const char *right,
                                  size_t *assumed, char *why, size_t why_size) {
  Checker checker = {.rules = rules, .why = why, .why_size = why_size};
  size_t size = strlen(certificate) + 1;
  char *copy = malloc(size);
  if (why_size) why[0] = 0;
  if (!copy) return EGRAPH_MEMORY_LIMIT;
  memcpy(copy, certificate, size);
  check_lines(&checker, copy);
  if (!checker.failed && checker.line_count == 0) fail(&checker, "nothing is proved");
  if (!checker.failed) {
    Equation end = checker.lines[checker.line_count - 1];
    if (!term_is(&checker, left, end.left) || !term_is(&checker, right, end.right))
      fail(&checker, "the last line proves something else");
  }
  if (assumed) *assumed = checker.assumed;
  for (uint32_t i = 0; i < checker.term_count; i++) free(checker.terms[i].children);
  free(checker.terms), free(checker.heads), free(checker.named), free(checker.lines), free(copy);
  return checker.failed ? EGRAPH_BAD_INPUT : EGRAPH_OK;
}
