/* Names for the parts of large terms, so that a text grows with the terms and not with the ways through them.
 *
 * A part is what more than one term stands on, and is longer than its name. A part that speaks of indices says which,
 * `t3(i, k2)`: its definition is one for all of them. Texts are sorted, so that names must not depend on how terms came
 * about: while texts are made, a part goes by the hash of its definition; the numbers come at the end, in the order in
 * which the text has them. */
#include <string.h>

#include "term/cons.h"

enum {
  LEAST_LENGTH = 24,
  NAME_LENGTH = 4,
  LONG_FROM = 20000,
  MARK = 1,
  MARK_LENGTH = 9
}; /* a mark, and eight digits */

typedef struct Sizes {
  TermTable *tt;
  uint32_t *whole, *refs, *length; /* by term; whole: of the text without names */
} Sizes;

static uint32_t plus(uint32_t a, uint32_t b) { return a + b < UINT32_MAX / 4 ? a + b : UINT32_MAX / 4; }

static bool is_leaf(TermKind kind) {
  return kind == TERM_RAT || kind == TERM_SYM || kind == TERM_BOUND || kind == TERM_STATE || kind == TERM_INF ||
         kind == TERM_NEG_INF || kind == TERM_NAN || kind == TERM_TRUE || kind == TERM_FALSE || kind == TERM_UNDEF ||
         kind == TERM_PTR;
}

static void measure(Sizes *s, Term t) {
  TermTable *tt = s->tt;
  if (s->refs[t]++) return;
  uint32_t whole = 3;
  guard_tick(tt->arena->guard);
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    measure(s, term_arg(tt, t, i));
    whole = plus(whole, s->whole[term_arg(tt, t, i)]);
  }
  s->whole[t] = whole;
}

/* "t", or more where the text speaks of a t1 already. */
static const char *free_prefix(TermTable *tt, uint32_t count, const Term *roots) {
  const char *prefix = "t";
  TermList symbols = {0};
  for (uint32_t i = 0; i < count; i++) term_symbols(tt, roots[i], &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const char *name = term_name(tt, symbols.data[i]);
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) || !name[n] || strspn(name + n, "0123456789") != strlen(name + n)) continue;
    prefix = arena_format(tt->arena, "%s_", prefix);
    i = UINT32_MAX; /* again from the first */
  }
  return prefix;
}

/* The values of recurrences around t that it speaks of, by their place. false: one is an array. */
static bool free_states(TermTable *tt, Term t, uint64_t around, TermList *out) {
  if (!(term_node(tt, t)->free_mask & around) || tt->marks.data[t] == tt->epoch) return true;
  tt->marks.data[t] = tt->epoch;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!free_states(tt, term_arg(tt, t, i), around, out)) return false;
  if (term_kind(tt, t) != TERM_STATE) return true;
  if (term_count(tt, t)) return false;
  uint32_t at = out->count;
  array_push(tt->arena, out, t);
  for (; at > 0 && term_aux(tt, out->data[at - 1]) > term_aux(tt, t); at--) out->data[at] = out->data[at - 1];
  out->data[at] = t;
  return true;
}

/* "(i, k2, s)": the indices and the values of recurrences that the part speaks of, in an order of their own; empty
 * without any. NULL: it speaks of an array. */
static const char *parameters(TermTable *tt, Term t) {
  TermList symbols = {0}, states = {0};
  Text text = text_new(tt->arena);
  uint32_t n = 0, said = 0;
  term_marks_begin(tt);
  if (!free_states(tt, t, term_node(tt, t)->free_mask >> 48 << 48, &states)) return NULL;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role == SYMBOL_INDEX) symbols.data[n++] = symbols.data[i];
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k > 0 && strcmp(term_name(tt, symbols.data[k - 1]), term_name(tt, symbols.data[k])) > 0; k--) {
      Term swap = symbols.data[k];
      symbols.data[k] = symbols.data[k - 1], symbols.data[k - 1] = swap;
    }
  for (uint32_t i = 0; i < n; i++) text_format(&text, "%s%s", said++ ? ", " : "(", term_name(tt, symbols.data[i]));
  for (uint32_t level = 1; level < 16; level++)
    if (term_node(tt, t)->free_mask >> (48 + level) & 1)
      text_format(&text, "%s%s", said++ ? ", " : "(",
                  term_text(tt, term_cons(tt, TERM_BOUND, SORT_INT, level, 0, NULL)));
  for (uint32_t i = 0; i < states.count; i++)
    text_format(&text, "%s%s", said++ ? ", " : "(", term_text(tt, states.data[i]));
  if (said) text_char(&text, ')');
  return text_string(&text);
}

/* Its name is MARK and the hash of its definition, whose own parts have theirs. What speaks of an array that a
 * recurrence makes has none. */
static void name_part(TermTable *tt, Term t) {
  TermParts *parts = tt->parts;
  const char *text = term_text(tt, t), *own = parameters(tt, t);
  if (!own) return;
  uint64_t hash = hash_bytes(text, strlen(text), 7);
  parts->name[t] = arena_format(tt->arena, "%c%08x%s", MARK, (uint32_t)(hash ^ hash >> 32), own);
  for (uint32_t i = 0; i < parts->list.count; i++) {
    const TermPart *other = &parts->list.data[i];
    if (!strncmp(other->name, parts->name[t], MARK_LENGTH) && strcmp(other->text, text))
      guard_throw(tt->arena->guard, GUARD_INTERNAL, "two parts of one hash");
  }
  array_push(tt->arena, &parts->list, (TermPart){parts->name[t], own, text, 0});
}

static void choose(Sizes *s, Term t) {
  TermTable *tt = s->tt;
  TermParts *parts = tt->parts;
  if (s->length[t]) return;
  uint32_t length = 3;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term a = term_arg(tt, t, i);
    choose(s, a);
    length = plus(length, parts->name[a] ? NAME_LENGTH : s->length[a]);
  }
  s->length[t] = length;
  if (s->refs[t] < 2 || length < LEAST_LENGTH || is_leaf(term_kind(tt, t))) return;
  name_part(tt, t);
}

bool term_parts_begin(TermTable *tt, uint32_t count, const Term *roots) {
  uint32_t nodes = tt->nodes.count, whole = 0;
  Sizes s = {tt, arena_array(tt->arena, uint32_t, nodes), arena_array(tt->arena, uint32_t, nodes),
             arena_array(tt->arena, uint32_t, nodes)};
  for (uint32_t i = 0; i < count; i++) {
    measure(&s, roots[i]);
    whole = plus(whole, s.whole[roots[i]]);
  }
  if (whole < LONG_FROM) return false;
  tt->parts = arena_new(tt->arena, TermParts);
  *tt->parts = (TermParts){.node_count = nodes,
                           .name = arena_array(tt->arena, const char *, nodes),
                           .prefix = free_prefix(tt, count, roots)};
  for (uint32_t i = 0; i < count; i++) choose(&s, roots[i]);
  return true;
}

/* The text with numbers for the hashes; parts that it is the first to say go to `order`. */
static void number_parts(TermTable *tt, const char *text, TermList *order, Text *out) {
  TermParts *parts = tt->parts;
  for (; *text; text++) {
    if (*text != MARK) {
      text_char(out, *text);
      continue;
    }
    uint32_t i = 0;
    while (strncmp(parts->list.data[i].name, text, MARK_LENGTH)) i++;
    TermPart *part = &parts->list.data[i];
    if (!part->number) {
      array_push(tt->arena, order, i);
      part->number = order->count;
    }
    text_format(out, "%s%u", parts->prefix, part->number);
    text += MARK_LENGTH - 1;
  }
}

const char *term_parts_end(TermTable *tt, const char *lines) {
  TermParts *parts = tt->parts;
  if (!parts) return lines;
  TermList order = {0};
  Text out = text_new(tt->arena), rest = text_new(tt->arena);
  number_parts(tt, lines, &order, &rest);
  for (uint32_t i = 0; i < order.count; i++) { /* the list grows */
    const TermPart *part = &parts->list.data[order.data[i]];
    text_format(&out, "let %s%u%s = ", parts->prefix, part->number, part->parameters);
    number_parts(tt, part->text, &order, &out);
    text_char(&out, '\n');
  }
  text_add(&out, text_string(&rest));
  tt->parts = NULL;
  return text_string(&out);
}

const char *term_part_name(const TermTable *tt, Term t) {
  return tt->parts && t < tt->parts->node_count ? tt->parts->name[t] : NULL;
}
