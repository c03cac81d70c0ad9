/* Mutants of programs (see mutate.h).
 *
 * A change looks at lines and tokens and nothing else: a name becomes another name of the text, a number one of those
 * that break things, an op another op of its family, a line moves, doubles or goes, an operand goes, a word changes
 * everywhere. Now and then a byte changes. With libFuzzer it is the custom mutator, in turn with libFuzzer's own. */
#include "mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct Edit {
  Random *random;
  char *text;
  size_t size, room;
} Edit;

typedef struct Piece {
  size_t begin, end;
} Piece;

static size_t below(Edit *e, size_t bound) { return bound ? (size_t)random_below(e->random, bound) : 0; }

static void replace(Edit *e, Piece old, const char *with, size_t length) {
  if (e->size - (old.end - old.begin) + length > e->room) return;
  memmove(e->text + old.begin + length, e->text + old.end, e->size - old.end);
  if (length) memcpy(e->text + old.begin, with, length);
  e->size = e->size - (old.end - old.begin) + length;
}

static bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-';
}

/* The first token of a class from a random place on, around the end; empty if there is none. */
static Piece find_token(Edit *e, bool (*begins)(const char *text, size_t size, size_t at)) {
  size_t start = below(e, e->size);
  for (size_t i = 0; i < e->size; i++) {
    size_t at = (start + i) % e->size, end = at + 1;
    if (!begins(e->text, e->size, at)) continue;
    while (end < e->size && in_word(e->text[end])) end++;
    return (Piece){at, end};
  }
  return (Piece){0, 0};
}

static bool begins_name(const char *text, size_t size, size_t at) {
  (void)size;
  return text[at] == '%';
}
static bool begins_number(const char *text, size_t size, size_t at) {
  (void)size;
  return text[at] >= '0' && text[at] <= '9' && (!at || !in_word(text[at - 1])) && (!at || text[at - 1] != '%');
}
static bool begins_op(const char *text, size_t size, size_t at) {
  return (!at || !in_word(text[at - 1])) &&
         ((size - at > 6 && !memcmp(text + at, "arith.", 6)) || (size - at > 5 && !memcmp(text + at, "math.", 5)));
}
static bool begins_word(const char *text, size_t size, size_t at) {
  (void)size;
  return text[at] >= 'a' && text[at] <= 'z' && (!at || !in_word(text[at - 1])) && (!at || text[at - 1] != '%');
}

static Piece random_line(Edit *e) {
  size_t begin = below(e, e->size), end = begin;
  while (begin && e->text[begin - 1] != '\n') begin--;
  while (end < e->size && e->text[end] != '\n') end++;
  return (Piece){begin, end < e->size ? end + 1 : end};
}

static void copy_over(Edit *e, Piece from, Piece to) {
  char copy[256];
  size_t length = from.end - from.begin;
  if (!length || length > sizeof copy) return;
  memcpy(copy, e->text + from.begin, length);
  replace(e, to, copy, length);
}

static void change_name(Edit *e) { copy_over(e, find_token(e, begins_name), find_token(e, begins_name)); }

static void change_number(Edit *e) {
  static const char *const numbers[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "-1",
                                        "16",
                                        "31",
                                        "32",
                                        "64",
                                        "1024",
                                        "2147483647",
                                        "-2147483648",
                                        "9223372036854775807",
                                        "4294967296",
                                        "1048576",
                                        "0.000000e+00",
                                        "0x7FC00000",
                                        "0xFF800000"};
  const char *number = numbers[below(e, sizeof numbers / sizeof *numbers)];
  Piece old = find_token(e, begins_number);
  if (old.end) replace(e, old, number, strlen(number));
}

static void change_op(Edit *e) {
  static const char *const ops[] = {
      "arith.addi",    "arith.subi",       "arith.muli",      "arith.divsi",    "arith.divui", "arith.remsi",
      "arith.remui",   "arith.floordivsi", "arith.ceildivsi", "arith.andi",     "arith.ori",   "arith.xori",
      "arith.shli",    "arith.shrsi",      "arith.shrui",     "arith.maxsi",    "arith.minsi", "arith.maxui",
      "arith.minui",   "arith.addf",       "arith.subf",      "arith.mulf",     "arith.divf",  "arith.remf",
      "arith.maxnumf", "arith.minnumf",    "arith.maximumf",  "arith.minimumf", "math.exp",    "math.exp2",
      "math.log",      "math.sqrt",        "math.rsqrt",      "math.sin",       "math.tanh",   "math.erf",
      "math.absf",     "math.floor",       "math.absi",       "math.powf",      "arith.negf",  "arith.extsi",
      "arith.extui",   "arith.trunci"};
  const char *op = ops[below(e, sizeof ops / sizeof *ops)];
  Piece old = find_token(e, begins_op);
  if (old.end) replace(e, old, op, strlen(op));
}

static void move_line(Edit *e) {
  char copy[512];
  Piece line = random_line(e), to = random_line(e);
  size_t length = line.end - line.begin;
  if (length > sizeof copy) return;
  memcpy(copy, e->text + line.begin, length);
  size_t kind = below(e, 3);
  if (kind) replace(e, (Piece){to.begin, to.begin}, copy, length);
  if (kind == 1) return;
  size_t shift = kind && to.begin <= line.begin ? length : 0;
  if (line.begin + shift + length <= e->size)
    replace(e, (Piece){line.begin + shift, line.begin + shift + length}, NULL, 0);
}

/* `, %x` up to the next comma, bracket or colon. */
static void drop_operand(Edit *e) {
  Piece name = find_token(e, begins_name);
  if (name.begin < 2 || e->text[name.begin - 2] != ',') return;
  replace(e, (Piece){name.begin - 2, name.end}, NULL, 0);
}

static void change_everywhere(Edit *e, Piece word, const char *with) {
  char old[64];
  size_t length = word.end - word.begin;
  if (!length || length > sizeof old) return;
  memcpy(old, e->text + word.begin, length);
  for (size_t at = 0; at + length <= e->size; at++)
    if (!memcmp(e->text + at, old, length)) {
      replace(e, (Piece){at, at + length}, with, strlen(with));
      at += strlen(with) ? strlen(with) - 1 : 0;
    }
}

static void change_type(Edit *e) {
  static const char *const words[][2] = {{"xf32", "xf16"}, {"xf16", "xf32"}, {"xf32", "xbf16"}, {"xi32", "xi64"},
                                         {"xi64", "xi32"}, {"f16", "f32"},   {"i64", "i32"},    {"i32", "i16"},
                                         {"1024x", "1x"},  {"1024", "4"},    {"64x", "16x"},    {"32x", "64x"},
                                         {"128", "2"},     {"64", "32"},     {"f32", "f64"},    {"i32", "i1"}};
  size_t which = below(e, sizeof words / sizeof *words);
  char *found = memmem(e->text, e->size, words[which][0], strlen(words[which][0]));
  size_t at = (size_t)(found - e->text);
  if (found) change_everywhere(e, (Piece){at, at + strlen(words[which][0])}, words[which][1]);
}

static void change_bytes(Edit *e) {
  static const char bytes[] = "%#^@!<>(){}[]:,=\"-.x0198 \nabit*+\x80";
  size_t at = below(e, e->size), length = below(e, e->size - at < 64 ? e->size - at : 64);
  switch (below(e, 4)) {
  case 0: e->text[at] = bytes[below(e, sizeof bytes - 1)]; break;
  case 1: replace(e, (Piece){at, at + length}, NULL, 0); break;
  case 2: copy_over(e, (Piece){at, at + length}, (Piece){at, at}); break;
  case 3:
    if (!below(e, 8)) e->size = at + 1;
    break;
  }
}

size_t mutate_text(Random *random, uint8_t *text, size_t size, size_t room) {
  Edit e = {random, (char *)text, size, room};
  for (size_t changes = 1 + below(&e, 4); changes && e.size > 1; changes--) switch (below(&e, 12)) {
    case 0:
    case 1:
    case 2: change_name(&e); break;
    case 3:
    case 4: change_number(&e); break;
    case 5:
    case 6: change_op(&e); break;
    case 7: move_line(&e); break;
    case 8: drop_operand(&e); break;
    case 9: change_type(&e); break;
    case 10: copy_over(&e, find_token(&e, begins_word), find_token(&e, begins_word)); break;
    case 11: change_bytes(&e); break;
    }
  return e.size;
}

size_t mutate_strip_golden(uint8_t *text, size_t size) {
  static const char marker[] = "\n---- expected\n";
  if (size < 5 || memcmp(text, "run: ", 5) != 0) return size;
  uint8_t *line = memchr(text, '\n', size), *end = memmem(text, size, marker, sizeof marker - 1);
  if (end) size = (size_t)(end + 1 - text);
  if (!line || (size_t)(line + 1 - text) > size) return size;
  size_t skip = (size_t)(line + 1 - text);
  memmove(text, line + 1, size - skip);
  return size - skip;
}

#ifdef ASSAY_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  Random random = {seed};
  if (!size || !random_below(&random, 5)) return LLVMFuzzerMutate(data, size, room);
  size = mutate_text(&random, data, size, room);
  return size ? size : 1;
}
#endif
