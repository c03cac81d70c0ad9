/* Reading of the exact text of terms (exact.h), by recursive descent: one function for each level of precedence. Nodes
 * are made as they are written, by the raw constructor: no law is applied, and the order of arguments is kept. */
#include "term/exact.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "term/cons.h"
#include "term/exact_words.h"

enum { MOST_ARGUMENTS = 4096, MOST_DEPTH = 1500 };

void exact_fail(ExactReader *r, const char *why) {
  if (!r->why) r->why = why;
}

static void skip_spaces(ExactReader *r) {
  while (*r->at == ' ') r->at++;
}

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool exact_take(ExactReader *r, const char *word) {
  skip_spaces(r);
  size_t n = strlen(word);
  if (r->why || strncmp(r->at, word, n) || (is_name_char(word[n - 1]) && is_name_char(r->at[n]))) return false;
  r->at += n;
  return true;
}

void exact_need(ExactReader *r, const char *word) {
  if (!exact_take(r, word)) exact_fail(r, arena_format(r->arena, "`%s` is expected", word));
}

int64_t exact_number(ExactReader *r) {
  skip_spaces(r);
  char *end;
  int64_t value = strtoll(r->at, &end, 10);
  if (end == r->at) exact_fail(r, "a number is expected");
  if (!r->why) r->at = end;
  return value;
}

const char *exact_name(ExactReader *r) {
  skip_spaces(r);
  Text out = text_new(r->arena);
  if (*r->at != '\'') {
    while (is_name_char(*r->at)) text_char(&out, *r->at++);
    if (!out.count) exact_fail(r, "a name is expected");
    return text_string(&out);
  }
  for (r->at++; *r->at && *r->at != '\'' && *r->at != '\n'; r->at++) {
    bool escaped = *r->at == '\\' && r->at[1];
    if (escaped) r->at++;
    text_char(&out, escaped && *r->at == 'n' ? '\n' : *r->at);
  }
  if (*r->at != '\'') exact_fail(r, "a quote is not closed");
  if (!r->why) r->at++;
  return text_string(&out);
}

void exact_define(ExactReader *r, const char *name, Term symbol) {
  Name key = intern_text(r->tt->names, name);
  while (r->symbols.count <= key) array_push(r->arena, &r->symbols, 0);
  if (r->symbols.data[key]) exact_fail(r, "the symbol is declared twice");
  r->symbols.data[key] = symbol;
}

static Term find_symbol(ExactReader *r, const char *name) {
  Name key = intern_text(r->tt->names, name);
  Term symbol = key < r->symbols.count ? r->symbols.data[key] : 0;
  if (!symbol) exact_fail(r, arena_format(r->arena, "there is no symbol `%s`", name));
  return symbol ? symbol : r->tt->zero;
}

Term exact_read_symbol(ExactReader *r) { return find_symbol(r, exact_name(r)); }

static Term cons(ExactReader *r, TermKind kind, uint32_t aux, uint32_t count, const Term *args) {
  if (r->why) return r->tt->zero;
  return term_cons(r->tt, kind, exact_sort(r->tt, kind, aux, count, args), aux, count, args);
}

/* num or num/den, without a sign. */
static Rational read_rational(ExactReader *r) {
  Int128 parts[2] = {0, 1};
  skip_spaces(r);
  for (int i = 0; i < 2; i++) {
    if (!isdigit((unsigned char)*r->at)) exact_fail(r, "a number is expected");
    if (r->why) return (Rational){0, 1};
    for (parts[i] = 0; isdigit((unsigned char)*r->at); r->at++) {
      if (parts[i] > (((Int128)1 << 126) - 10) / 10) return exact_fail(r, "the number is too large"), (Rational){0, 1};
      parts[i] = parts[i] * 10 + (*r->at - '0');
    }
    if (i || *r->at != '/') break;
    r->at++;
  }
  if (!parts[1]) return exact_fail(r, "a number is divided by 0"), (Rational){0, 1};
  return (Rational){parts[0], parts[1]};
}

static Rational read_signed(ExactReader *r) {
  bool negative = exact_take(r, "-");
  Rational value = read_rational(r);
  return negative ? rational_neg(value) : value;
}

/* ---- arguments ---- */

static void read_list(ExactReader *r, const char *close, TermList *out) {
  while (!r->why && !exact_take(r, close)) {
    if (out->count) exact_need(r, ",");
    if (out->count > MOST_ARGUMENTS) exact_fail(r, "too many arguments");
    Term t = exact_read(r);
    array_push(r->arena, out, t);
  }
}

static Term call(ExactReader *r, TermKind kind, uint32_t aux, uint32_t least) {
  TermList args = {0};
  exact_need(r, "(");
  read_list(r, ")", &args);
  if (args.count < least) exact_fail(r, "an argument is missing");
  return cons(r, kind, aux, args.count, args.data);
}

static bool is_among(Term t, uint32_t n, const Term *list) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == t) return true;
  return false;
}

static Term recurrence(ExactReader *r) {
  TermList args = {0};
  exact_need(r, ".");
  int64_t which = exact_number(r), given = exact_take(r, ".") ? exact_number(r) : 0;
  exact_need(r, "(");
  read_list(r, ")", &args);
  uint32_t n = given > 0 && given <= RECUR_STATES ? (uint32_t)given : args.count ? (args.count - 2) / 3 : 0;
  bool whole = n && n <= RECUR_STATES && args.count >= 3 * n + 2 && (args.count - 3 * n - 2) % 3 == 0 &&
               args.count <= 3 * (n + RECUR_LANES) + 2 && which >= 0 && which < n &&
               term_kind(r->tt, args.data[2 * n + 1]) == TERM_BOUND;
  uint32_t lanes = whole ? (args.count - 3 * n - 2) / 3 : 0;
  const Term *lane = args.data + 3 * n + 2;
  for (uint32_t d = 0; d < lanes; d++) whole = whole && term_kind(r->tt, lane[d]) == TERM_BOUND;
  for (uint32_t i = 0; whole && i < n; i++) {
    Term state = args.data[2 * n + 2 + i];
    whole = term_kind(r->tt, state) == TERM_STATE;
    for (uint32_t k = 0; whole && k < term_count(r->tt, state); k++)
      whole = is_among(term_arg(r->tt, state, k), lanes, lane);
  }
  if (!whole) exact_fail(r, "the recurrence is not whole");
  return cons(r, TERM_RECUR, n * RECUR_STATES + (uint32_t)which, args.count, args.data);
}

static Term read_sum(ExactReader *r);

static Term fold(ExactReader *r, TermFoldOp op) {
  Term args[5];
  args[0] = read_sum(r);
  exact_need(r, "<=");
  exact_need(r, "#");
  uint32_t level = (uint32_t)exact_number(r);
  exact_need(r, "<");
  args[1] = read_sum(r);
  args[2] = exact_take(r, ",") ? exact_read(r) : r->tt->true_;
  exact_need(r, "]");
  exact_need(r, "(");
  args[3] = exact_read(r);
  exact_need(r, ")");
  args[4] = cons(r, TERM_BOUND, level, 0, NULL);
  return cons(r, TERM_FOLD, op, 5, args);
}

static Term place(ExactReader *r, TermKind kind, Term tensor) {
  TermList args = {0};
  array_push(r->arena, &args, tensor);
  exact_need(r, "[");
  while (!r->why && !exact_take(r, "]")) {
    if (args.count > 1) exact_need(r, ",");
    Term t = exact_read(r);
    array_push(r->arena, &args, t);
  }
  if (kind == TERM_PTR && args.count != 2) exact_fail(r, "a pointer has one offset");
  return cons(r, kind, 0, args.count, args.data);
}

/* ---- words ---- */

static Term read_undefined(ExactReader *r) {
  exact_need(r, "@");
  return cons(r, TERM_UNDEF, (uint32_t)exact_number(r), 0, NULL);
}

static Term read_opaque(ExactReader *r) {
  const char *name = exact_name(r);
  return call(r, TERM_OPAQUE, intern_text(r->tt->names, name), 0);
}

/* A word of the notation; 0: it is none. */
static Term read_word(ExactReader *r, const char *word) {
  TermTable *tt = r->tt;
  const struct {
    const char *word;
    Term term;
  } constants[] = {{"inf", tt->inf}, {"neginf", tt->neg_inf}, {"true", tt->true_}, {"false", tt->false_}};
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (!strcmp(word, constants[i].word)) return constants[i].term;
  if (!strcmp(word, "nan")) return cons(r, TERM_NAN, 0, 0, NULL);
  if (!strcmp(word, "undefined")) return read_undefined(r);
  if (!strcmp(word, "opaque")) return read_opaque(r);
  if (!strcmp(word, "recur")) return recurrence(r);
  for (uint32_t k = 0; k < FOLD_OP_COUNT; k++)
    if (!strcmp(word, term_fold_name((TermFoldOp)k)) && exact_take(r, "[")) return fold(r, (TermFoldOp)k);
  for (uint32_t k = 0; k < TERM_KIND_COUNT; k++) {
    const char *name = exact_call_name((TermKind)k);
    if (name && !strcmp(word, name)) return call(r, (TermKind)k, 0, k == TERM_SELECT ? 3 : 1);
  }
  for (uint32_t k = 0; k < FN_COUNT; k++)
    if (!strcmp(word, term_fn_name((TermFn)k))) return call(r, TERM_FN, k, term_fn_arity((TermFn)k));
  if (!strncmp(word, "wrap", 4)) return call(r, TERM_WRAP, (uint32_t)strtoul(word + 4, NULL, 10), 1);
  return 0;
}

/* (t), or (t : sort) of a node whose sort does not follow from its arguments. */
static Term parentheses(ExactReader *r) {
  Term t = exact_read(r);
  TermSort sort;
  if (exact_take(r, ":")) {
    if (!exact_sort_of_name(exact_name(r), &sort)) exact_fail(r, "a sort is expected");
    if (r->why) return r->tt->zero;
    TermNode node = *term_node(r->tt, t);
    Term *args = arena_array(r->arena, Term, node.count + 1);
    for (uint32_t i = 0; i < node.count; i++) args[i] = term_arg(r->tt, t, i);
    t = term_cons(r->tt, (TermKind)node.kind, sort, node.aux, node.count, args);
  }
  exact_need(r, ")");
  return t;
}

static Term read_bound(ExactReader *r) {
  uint32_t level = (uint32_t)exact_number(r);
  if (!exact_take(r, ".")) return cons(r, TERM_BOUND, level, 0, NULL);
  uint32_t aux = level * RECUR_STATES + (uint32_t)exact_number(r);
  TermList index = {0};
  if (exact_take(r, "(")) read_list(r, ")", &index);
  if (index.count > RECUR_LANES) exact_fail(r, "too many indices");
  return cons(r, TERM_STATE, aux, index.count, index.data);
}

static Term read_let(ExactReader *r) {
  uint64_t number = (uint64_t)exact_number(r);
  if (number && number <= r->lets.count) return r->lets.data[number - 1];
  exact_fail(r, "no line gives this part");
  return r->tt->zero;
}

static Term read_atom(ExactReader *r) {
  if (exact_take(r, "(")) return parentheses(r);
  if (exact_take(r, "$")) return read_let(r);
  if (exact_take(r, "#")) return read_bound(r);
  if (exact_take(r, "&")) return place(r, TERM_PTR, exact_read_symbol(r));
  skip_spaces(r);
  if (isdigit((unsigned char)*r->at)) return term_new_rat(r->tt, read_rational(r));
  bool is_quoted = *r->at == '\'';
  const char *name = exact_name(r);
  Term word = is_quoted || r->why ? 0 : read_word(r, name);
  if (word || r->why) return word ? word : r->tt->zero;
  Term symbol = find_symbol(r, name);
  skip_spaces(r);
  return *r->at == '[' ? place(r, TERM_READ, symbol) : symbol;
}

/* ---- operators ---- */

/* base**e * ..; `first` has been read. */
static Term read_product(ExactReader *r, Term first) {
  TermList parts = {0};
  for (Term base = first;; base = read_atom(r)) {
    Rational e = exact_take(r, "**") ? read_signed(r) : rational_int(1);
    array_push(r->arena, &parts, base);
    Term exponent = term_new_rat(r->tt, e);
    array_push(r->arena, &parts, exponent);
    skip_spaces(r);
    if (r->why || r->at[0] != '*' || r->at[1] == '*') break;
    r->at++;
  }
  if (parts.count == 2 && parts.data[1] == r->tt->one) return parts.data[0];
  return cons(r, TERM_MUL, 0, parts.count, parts.data);
}

/* One summand: a number alone goes to *constant (and gives 0), else its coefficient to *k. */
static Term read_summand(ExactReader *r, bool negative, Rational *constant, Rational *k) {
  *k = rational_int(negative ? -1 : 1);
  skip_spaces(r);
  if (!isdigit((unsigned char)*r->at)) return read_product(r, read_atom(r));
  Rational number = read_rational(r);
  skip_spaces(r);
  if (r->at[0] == '*' && r->at[1] == '*') return read_product(r, term_new_rat(r->tt, number));
  if (negative) number = rational_neg(number);
  if (!exact_take(r, "*")) return *constant = number, 0;
  *k = number;
  return read_product(r, read_atom(r));
}

static Term read_sum(ExactReader *r) {
  TermTable *tt = r->tt;
  TermList parts = {0};
  Rational constant = {0, 1}, k;
  array_push(r->arena, &parts, tt->zero);
  bool negative = exact_take(r, "-");
  do {
    Term t = read_summand(r, negative, &constant, &k);
    if (r->why) return tt->zero;
    if (t) {
      Term coefficient = term_new_rat(tt, k);
      array_push(r->arena, &parts, coefficient);
      array_push(r->arena, &parts, t);
    }
    negative = exact_take(r, "-");
  } while (negative || exact_take(r, "+"));
  parts.data[0] = term_new_rat(tt, constant);
  if (parts.count == 1) return parts.data[0];
  if (parts.count == 3 && !constant.num && parts.data[1] == tt->one) return parts.data[2];
  return cons(r, TERM_ADD, 0, parts.count, parts.data);
}

static Term read_comparison(ExactReader *r) {
  Term t = read_sum(r);
  TermKind kind = exact_take(r, "<=")   ? TERM_LE
                  : exact_take(r, "<")  ? TERM_LT
                  : exact_take(r, "==") ? TERM_EQ
                                        : TERM_NONE;
  if (kind == TERM_NONE) return t;
  exact_need(r, "0");
  return cons(r, kind, 0, 1, &t);
}

static Term read_not(ExactReader *r) {
  if (!exact_take(r, "not")) return read_comparison(r);
  Term t = read_comparison(r);
  return cons(r, TERM_NOT, 0, 1, &t);
}

static Term read_joined(ExactReader *r, const char *word, TermKind kind, Term (*part)(ExactReader *)) {
  TermList parts = {0};
  do {
    Term t = part(r);
    array_push(r->arena, &parts, t);
  } while (exact_take(r, word));
  return parts.count == 1 ? parts.data[0] : cons(r, kind, 0, parts.count, parts.data);
}

static Term read_and(ExactReader *r) { return read_joined(r, "and", TERM_AND, read_not); }

Term exact_read(ExactReader *r) {
  guard_tick(r->arena->guard);
  if (r->depth > MOST_DEPTH) exact_fail(r, "nested too deeply");
  if (r->why) return r->tt->zero;
  r->depth++;
  Term t = read_joined(r, "or", TERM_OR, read_and);
  r->depth--;
  return t;
}
