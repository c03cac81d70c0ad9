/* Names for the parts of long formulas (see parts.h).
 *
 * It works on the text: formulas are printed in a canonical order, so that equal text is equal meaning as long as no
 * index of a fold around it occurs in it. One part at a time: the one whose name saves most, wherever it stands, until
 * every line is short enough; then, in lines that are still too long, the largest part that fits a line of its own. */
#include "report/parts.h"

#include <stdlib.h>
#include <string.h>

#include "read/python/python.h"

enum {
  LEAST_LENGTH = 16,
  LEAST_SAVING = 16,
  BREAK_FROM = 60,
  BREAK_LINE = 320,
  MOST_CHARACTERS = 60000,
  MOST_BINDERS = 32,
  NAME_LENGTH = 4
};

typedef struct Piece { /* a part where it stands */
  uint32_t text;
  Span span;
  uint64_t hash;
  const PyNode *node;
  bool is_prefix; /* a + b of a + b + c */
} Piece;

typedef struct Setting {
  Arena *arena, *scratch; /* scratch: of one look at the texts */
  Parts *out;
  Array(const char *) texts; /* the formulas, then the parts by number */
  Array(const char *) kinds; /* of the parts: what they could be called */
  Array(Piece) pieces;
  const char *binders[MOST_BINDERS]; /* indices of the folds around */
  uint32_t binder_count, text;
  bool *is_left; /* formulas that are left as they are */
  Source *source;
} Setting;

/* ---- looking ---- */

static bool is_letter(char c) {
  return c && (strchr("_.", c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

/* Operands in parentheses begin inside them, and so do the nodes that begin with one. */
static Span balanced(const char *text, Span span) {
  int depth = 0, least = 0;
  for (uint32_t i = span.begin; i < span.end; i++) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (depth < least) least = depth;
  }
  for (; least < 0 && span.begin; least++) {
    while (span.begin && text[span.begin - 1] == ' ') span.begin--;
    if (!span.begin || text[span.begin - 1] != '(') break;
    span.begin--;
  }
  return span;
}

static uint64_t hash_of(const char *text, Span span) {
  uint64_t h = 1469598103934665603u;
  for (uint32_t i = span.begin; i < span.end; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
  return h;
}

static bool is_part(PyKind kind) {
  return kind == PY_CALL || kind == PY_BINARY || kind == PY_SUBSCRIPT || kind == PY_COMPARE || kind == PY_AND ||
         kind == PY_OR;
}

static uint32_t look(Setting *s, const PyNode *n, bool is_prefix);

static uint32_t look_all(Setting *s, const PyNode *n, uint32_t first) {
  uint32_t bound = 0;
  for (uint32_t i = first; i < n->count; i++)
    bound |= look(s, n->args[i], n->kind == PY_BINARY && i == 0 && n->args[0]->kind == PY_BINARY);
  return bound;
}

/* sum[0 <= k < n, guard](body): k is the fold's own */
static uint32_t look_fold(Setting *s, const PyNode *n) {
  const PyNode *head = n->args[0]->args[1], *range = head->kind == PY_TUPLE && head->count ? head->args[0] : head;
  const PyNode *name = range->kind == PY_COMPARE ? range->args[range->count == 3] : NULL;
  bool known = name && name->kind == PY_NAME && s->binder_count < MOST_BINDERS;
  uint32_t own = known ? 1u << s->binder_count : 0;
  if (known) s->binders[s->binder_count++] = name->text;
  uint32_t bound = known ? look_all(s, head, 0) | look_all(s, n, 1) : UINT32_MAX;
  if (known) s->binder_count--;
  return bound & ~own;
}

/* Gathers the parts of n that stand for themselves; the binders around that occur in it, a bit each. */
static uint32_t look(Setting *s, const PyNode *n, bool is_prefix) {
  uint32_t bound = 0;
  if (n->kind == PY_NAME) {
    for (uint32_t i = s->binder_count; i-- > 0;)
      if (!strcmp(s->binders[i], n->text)) return 1u << i;
    return 0;
  }
  bool is_fold = n->kind == PY_CALL && n->args[0]->kind == PY_SUBSCRIPT;
  if (is_fold)
    bound = look_fold(s, n);
  else
    bound = look_all(s, n, n->kind == PY_CALL);
  if (bound || !is_part(n->kind)) return bound;
  Span span = balanced(s->source->text, n->span);
  if (span.end - span.begin >= LEAST_LENGTH)
    array_push(s->scratch, &s->pieces, (Piece){s->text, span, hash_of(s->source->text, span), n, is_prefix});
  return 0;
}

/* Where values and conditions stand in a text: all of it, or behind the assignments of a pointwise form and behind
 * `for`. */
static bool next_value(const char *text, uint32_t *at, Span *value) {
  int depth = 0;
  uint32_t begin = *at, i = *at;
  if (!text[i]) return false;
  for (; text[i]; i++) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (depth) continue;
    if (text[i] == '=' && i && strchr(" +*|&^xn", text[i - 1]) && text[i + 1] == ' ') begin = i + 2;
    if (text[i] == ';' || !strncmp(text + i, " for ", 5)) break;
  }
  *value = (Span){begin, i};
  *at = !text[i] ? i : text[i] == ';' ? i + 1 : i + 5;
  return true;
}

static void look_text(Setting *s, uint32_t number) {
  const char *text = s->texts.data[number];
  const bool is_left = number < s->out->formulas.count && s->is_left[number];
  size_t size = strlen(text);
  DiagnosticList diagnostics;
  Span value;
  if (size > MOST_CHARACTERS || is_left) return;
  diagnostic_list_init(&diagnostics, s->scratch);
  s->source = source_new(s->scratch, "formula", text, size);
  s->text = number, s->binder_count = 0;
  for (uint32_t at = 0; next_value(text, &at, &value);) {
    const PyNode *n = python_parse_expression(s->scratch, s->source, value, &diagnostics);
    if (n) look(s, n, false);
  }
}

/* ---- choosing ---- */

static int by_text(const void *left, const void *right) {
  const Piece *a = left, *b = right;
  uint32_t m = a->span.end - a->span.begin, n = b->span.end - b->span.begin;
  if (m != n) return m > n ? -1 : 1;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  if (a->text != b->text) return a->text < b->text ? -1 : 1;
  return a->span.begin < b->span.begin ? -1 : a->span.begin > b->span.begin;
}

/* A part that has its name already; or a short formula, which is said better than named. */
static bool is_whole(const Setting *s, const Piece *p) {
  uint32_t length = p->span.end - p->span.begin;
  return length == strlen(s->texts.data[p->text]) && (p->text >= s->out->formulas.count || length < PARTS_LINE / 2);
}

static uint32_t line_length(const Setting *s, uint32_t text) {
  size_t n = strlen(s->texts.data[text]) + (text < s->out->before.count ? s->out->before.data[text] : NAME_LENGTH + 3);
  return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* The part whose name saves most: every place but one becomes a name. */
static const Piece *find_repeated(Setting *s) {
  const Piece *best = NULL;
  size_t most = LEAST_SAVING - 1;
  for (uint32_t i = 0, end; i < s->pieces.count; i = end) {
    const Piece *first = &s->pieces.data[i];
    uint32_t length = first->span.end - first->span.begin;
    bool whole = is_whole(s, first);
    for (end = i + 1; end < s->pieces.count && s->pieces.data[end].hash == first->hash &&
                      s->pieces.data[end].span.end - s->pieces.data[end].span.begin == length;
         end++)
      whole |= is_whole(s, &s->pieces.data[end]);
    size_t saving = (size_t)(end - i - 1) * (length - NAME_LENGTH);
    if (saving > most && !whole) most = saving, best = first;
  }
  return best;
}

/* The largest part of the longest line that fits a line of its own. */
static const Piece *find_large(Setting *s) {
  const Piece *best = NULL;
  uint32_t longest = BREAK_LINE, text = UINT32_MAX;
  for (uint32_t i = 0; i < s->texts.count; i++)
    if (line_length(s, i) > longest && strlen(s->texts.data[i]) <= MOST_CHARACTERS)
      longest = line_length(s, i), text = i;
  for (uint32_t i = 0; i < s->pieces.count && !best; i++) { /* longest first */
    const Piece *p = &s->pieces.data[i];
    uint32_t length = p->span.end - p->span.begin;
    if (p->text == text && !p->is_prefix && length >= BREAK_FROM && length + NAME_LENGTH + 15 <= PARTS_LINE &&
        !is_whole(s, p))
      best = p;
  }
  return best;
}

/* ---- naming ---- */

static bool is_number(const PyNode *n) {
  return n->kind == PY_UNARY ? is_number(n->args[0])
                             : n->kind == PY_NUMBER || (n->kind == PY_NAME && !strcmp(n->text, "inf"));
}

static const char *kind_of(const PyNode *n) {
  static const char *const names[][2] = {
      {"max", "largest"},  {"min", "smallest"}, {"sum", "total"},     {"exp", "e"},           {"exp2", "e"},
      {"mean", "average"}, {"var", "spread"},   {"logsumexp", "lse"}, {"softmax", "weights"}, {"where", "masked"},
      {"sqrt", "root"},    {"take", "part"},    {"expand", "part"},   {"reshape", "part"},    {"transpose", "part"},
      {"column", "part"},  {"concat", "part"},  {"stack", "part"},    {"argmax", "place"},    {"argmin", "place"},
      {"any", "mask"},     {"all", "mask"}};
  if (n->kind == PY_COMPARE || n->kind == PY_AND || n->kind == PY_OR) return "mask";
  if (n->kind == PY_SUBSCRIPT) return "part";
  if (n->kind == PY_BINARY) return !strcmp(n->text, "@") ? "product" : "t";
  const PyNode *callee = n->args[0]->kind == PY_SUBSCRIPT ? n->args[0]->args[0] : n->args[0];
  if (callee->kind == PY_NAME && !strcmp(callee->text, "where") && n->count == 4 && !is_number(n->args[2]) &&
      !is_number(n->args[3]))
    return "chosen";
  for (size_t i = 0; callee->kind == PY_NAME && i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i][0], callee->text)) return names[i][1];
  return "t";
}

/* Until all parts are known, they go by number. */
static bool is_place_holder(const char *text, size_t at, unsigned long *part, size_t *end) {
  char *rest;
  if (text[at] != '_' || text[at + 1] < '0' || text[at + 1] > '9' || (at && is_letter(text[at - 1]))) return false;
  *part = strtoul(text + at + 1, &rest, 10);
  *end = (size_t)(rest + 1 - text);
  return *rest == '_' && !is_letter(rest[1]);
}

static bool has_place_holder(const char *text) {
  unsigned long part;
  size_t end;
  for (size_t i = 0; text[i]; i++)
    if (is_place_holder(text, i, &part, &end)) return true;
  return false;
}

static const char *place_holder(Setting *s, uint32_t part) { return arena_format(s->arena, "_%u_", part); }

static bool is_grouped(const char *text, Span span) {
  bool inside = span.begin && text[span.begin - 1] == '(' && text[span.end] == ')';
  return inside && (span.begin < 2 || !is_letter(text[span.begin - 2])) &&
         (span.begin < 2 || !strchr(")]", text[span.begin - 2]));
}

/* The part's name in all its places, without the parentheses that only it needed. */
static void put_name(Setting *s, const Piece *chosen) {
  const char *name = place_holder(s, s->texts.count - s->out->formulas.count);
  uint32_t length = chosen->span.end - chosen->span.begin;
  uint64_t hash = chosen->hash;
  const char *own = arena_copy(s->arena, s->texts.data[chosen->text] + chosen->span.begin, length);
  for (uint32_t t = 0; t < s->texts.count; t++) {
    const char *text = s->texts.data[t];
    uint32_t done = 0;
    Text to = text_new(s->arena);
    for (uint32_t i = 0; i < s->pieces.count; i++) { /* equal ones stand together, in the order of the text */
      const Piece *p = &s->pieces.data[i];
      if (p->text != t || p->hash != hash || p->span.end - p->span.begin != length || p->span.begin < done) continue;
      bool grouped = is_grouped(text, p->span);
      text_append(&to, text + done, p->span.begin - grouped - done);
      text_add(&to, name);
      done = p->span.end + grouped;
    }
    if (!done) continue;
    text_add(&to, text + done);
    s->texts.data[t] = text_string(&to);
  }
  array_push(s->arena, &s->kinds, kind_of(chosen->node));
  array_push(s->arena, &s->texts, own);
}

static bool is_used(const Setting *s, const char *name) {
  size_t n = strlen(name);
  for (uint32_t i = 0; i < s->texts.count; i++)
    for (const char *at = s->texts.data[i]; (at = strstr(at, name)); at++)
      if ((at == s->texts.data[i] || !is_letter(at[-1])) && !is_letter(at[n])) return true;
  for (uint32_t i = 0; i < s->out->parts.count; i++)
    if (!strcmp(s->out->parts.data[i].name, name)) return true;
  return false;
}

static const char *final_name(const Setting *s, const char *kind) {
  const char *name = kind;
  for (uint32_t n = 2; is_used(s, name); n++) name = arena_format(s->arena, "%s%u", kind, n);
  return name;
}

/* Final names for the numbers in a text; parts that are met for the first time follow the others. */
static const char *finish_text(Setting *s, const char *text, uint32_t *number_of) {
  Text to = text_new(s->arena);
  for (size_t i = 0, end; text[i]; i = end) {
    unsigned long part;
    if (!is_place_holder(text, i, &part, &end)) {
      text_char(&to, text[i]);
      end = i + 1;
      continue;
    }
    uint32_t at = 0;
    while (at < s->out->parts.count && number_of[at] != part) at++;
    if (at == s->out->parts.count) {
      number_of[at] = (uint32_t)part;
      const char *name = final_name(s, s->kinds.data[part]);
      array_push(s->arena, &s->out->parts, (Part){name, NULL});
    }
    text_add(&to, s->out->parts.data[at].name);
  }
  return text_string(&to);
}

static void finish(Setting *s) {
  uint32_t *number_of = arena_array(s->arena, uint32_t, s->kinds.count + 1), formulas = s->out->formulas.count;
  for (uint32_t i = 0; i < formulas; i++) s->out->formulas.data[i] = finish_text(s, s->texts.data[i], number_of);
  for (uint32_t i = 0; i < s->out->parts.count; i++) { /* the list grows */
    const char *text = finish_text(s, s->texts.data[formulas + number_of[i]], number_of);
    s->out->parts.data[i].text = text;
  }
}

/* Names one part; false: there is none to name. */
static bool name_one(Setting *s) {
  s->pieces.data = NULL, s->pieces.count = s->pieces.capacity = 0;
  for (uint32_t i = 0; i < s->texts.count; i++) look_text(s, i);
  if (s->pieces.count) qsort(s->pieces.data, s->pieces.count, sizeof *s->pieces.data, by_text);
  const Piece *chosen = find_repeated(s);
  if (!chosen) chosen = find_large(s);
  if (chosen) put_name(s, chosen);
  return chosen != NULL;
}

void parts_name(Arena *arena, Parts *parts) {
  Setting s = {.arena = arena, .out = parts, .is_left = arena_array(arena, bool, parts->formulas.count + 1)};
  bool is_long = false;
  for (uint32_t i = 0; i < parts->formulas.count; i++) {
    array_push(arena, &s.texts, parts->formulas.data[i]);
    is_long |= line_length(&s, i) > PARTS_LINE;
    s.is_left[i] = parts->only_long && line_length(&s, i) <= PARTS_LINE;
    if (has_place_holder(parts->formulas.data[i])) return;
  }
  if (!is_long) return;
  s.scratch = arena_new_child(arena);
  const ArenaMark empty = arena_mark(s.scratch);
  while (s.kinds.count < parts->most && name_one(&s)) arena_reset(s.scratch, empty);
  arena_destroy(s.scratch);
  finish(&s);
}
