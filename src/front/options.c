/* Options and plain files to what the pipeline takes.
 *
 * Only form is checked here (`T=E,E`, known kinds, stages and emitters): whether a name exists in the kernel is the
 * pipeline's to say. Expressions and numbers are read here, once. */
#include "front/front.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "operation/given.h"
#include "textbook/textbook.h"

static const struct {
  const char *name, *suffix;
} emitters[] = {
#define EMITTER(name, suffix) {name, suffix},
#include "front/emitters.def"
#undef EMITTER
};

const char *front_emitter_suffix(const char *name) {
  for (size_t i = 0; i < sizeof emitters / sizeof *emitters; i++)
    if (!strcmp(emitters[i].name, name)) return emitters[i].suffix;
  return NULL;
}

/* "A=B" to its two halves; NULL name on an error. */
static NamedText split_pair(Front *front, const char *flag, const char *text, const char *right) {
  const char *equals = strchr(text, '=');
  if (equals && equals > text && equals[1])
    return (NamedText){.name = arena_copy(front->arena, text, (size_t)(equals - text)), .text = equals + 1};
  front_usage(front, "usage.option", NULL, "%s '%s': expected NAME=%s", flag, text, right);
  return (NamedText){0};
}

/* "a,b(c,d),e" at its outer commas. */
static const Expr *const *split_commas(Arena *arena, const char *text, uint32_t *count) {
  Array(const Expr *) parts = {0};
  int depth = 0;
  const char *begin = text;
  for (const char *at = text;; at++) {
    if (*at == '(') depth++;
    if (*at == ')') depth--;
    if (*at && (*at != ',' || depth > 0)) continue;
    array_push(arena, &parts, expr_read(arena, arena_copy(arena, begin, (size_t)(at - begin))));
    begin = at + 1;
    if (!*at) break;
  }
  *count = parts.count;
  return parts.data;
}

static bool is_empty(const Expr *e) { return !e->text[strspn(e->text, " ")]; }

static bool has_empty(const Expr *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_empty(list[i])) return true;
  return false;
}

static void check_expressions(Front *front, const char *flag, const char *whole, const Expr *const *list,
                              uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!is_empty(list[i]) && !given_is_expression(front->arena, list[i]))
      front_usage(front, "usage.option", GIVEN_EXPRESSION, "%s '%s': '%s' is no expression", flag, whole,
                  list[i]->text);
}

/* NAME=A and NAME=B. */
static bool is_other_value(const char *a, const char *b) {
  size_t n = strcspn(a, "=");
  return n == strcspn(b, "=") && !strncmp(a, b, n) && strcmp(a, b);
}

static void copy_tuples(Front *front, const char *flag, const AssayStrings *from, bool is_shape, void *to) {
  Array(NamedExpressions) *list = to;
  for (size_t i = 0; i < from->count; i++) {
    NamedText pair = split_pair(front, flag, from->data[i], "E,E..");
    if (!pair.name) continue;
    NamedExpressions tuple = {.name = pair.name};
    tuple.expressions = split_commas(front->arena, pair.text, &tuple.count);
    if (has_empty(tuple.expressions, tuple.count))
      front_usage(front, "usage.option", NULL, "%s '%s': an empty expression", flag, from->data[i]);
    check_expressions(front, flag, from->data[i], tuple.expressions, tuple.count);
    const char *wrong = is_shape ? given_shape_error(tuple.expressions, tuple.count, 1) : NULL;
    if (wrong) front_usage(front, "usage.option", NULL, "%s '%s': %s", flag, from->data[i], wrong);
    for (size_t k = 0; k < i; k++)
      if (is_other_value(from->data[k], from->data[i]))
        front_usage(front, "usage.option", NULL, "%s '%s': %s was given as '%s' before", flag, from->data[i],
                    tuple.name, from->data[k]);
    array_push(front->arena, list, tuple);
  }
}

static void copy_pairs(Front *front, const char *flag, const AssayStrings *from, void *to) {
  Array(NamedText) *list = to;
  for (size_t i = 0; i < from->count; i++) {
    NamedText pair = split_pair(front, flag, from->data[i], "NAME");
    if (pair.name) array_push(front->arena, list, pair);
  }
}

/* A decimal number, or true or false. */
static NamedNumber read_number(NamedText pair) {
  NamedNumber out = {.name = pair.name, .text = pair.text};
  char *end;
  bool is_true = !strcmp(pair.text, "true"), is_decimal = !pair.text[strspn(pair.text, "+-.0123456789eE")];
  out.is_truth = is_true || !strcmp(pair.text, "false");
  errno = 0;
  out.integer = out.is_truth ? is_true : strtoll(pair.text, &end, 10);
  out.is_integer = is_decimal && !*end && !errno;
  out.real = strtod(pair.text, &end);
  out.is_real = is_decimal && !*end && isfinite(out.real);
  return out;
}

static void copy_numbers(Front *front, const char *flag, const AssayStrings *from, Options *to) {
  for (size_t i = 0; i < from->count; i++) {
    NamedText pair = split_pair(front, flag, from->data[i], "VALUE");
    if (pair.name) array_push(front->arena, &to->sets, read_number(pair));
  }
}

/* KIND, or KIND@LINE where `with_line`. */
static AllowedKind read_kind(Front *front, const char *flag, const char *text, bool with_line) {
  AllowedKind out = {0};
  size_t size = strcspn(text, "@");
  if (text[size]) out.line = text + size + 1;
  bool good_line = !out.line || (with_line && *out.line && !out.line[strspn(out.line, "0123456789")]);
  if (!obligation_find(text, size, &out.kind) || !good_line)
    front_usage(front, "usage.option", "kinds: bounds, race, coverage, overflow, undefined, division, alias",
                "%s '%s': expected KIND%s", flag, text, with_line ? " or KIND@LINE" : "");
  return out;
}

static void copy_kinds(Front *front, const AssayOptions *from, Options *to) {
  for (size_t i = 0; i < from->strict.count; i++)
    to->strict[read_kind(front, "--strict", from->strict.data[i], false).kind] = true;
  for (size_t i = 0; i < from->allow.count; i++)
    array_push(front->arena, &to->allow, read_kind(front, "--allow", from->allow.data[i], true));
}

static void copy_texts(Front *front, const AssayStrings *from, void *to) {
  NameList *list = to;
  for (size_t i = 0; i < from->count; i++) array_push(front->arena, list, from->data[i]);
}

static void copy_assumes(Front *front, const AssayStrings *from, Options *to) {
  for (size_t i = 0; i < from->count; i++)
    if (!given_read_condition(front->arena, from->data[i], to))
      front_usage(front, "usage.option", "examples: 'n % 1024 == 0', 'n_cols <= 4 * cdiv(m, 2)'",
                  "--assume '%s': expected a comparison of two expressions", from->data[i]);
}

/* F@I,I: a name, and numbers of arguments. */
static void copy_result_dims(Front *front, const AssayStrings *from, Options *to) {
  for (size_t i = 0; i < from->count; i++) {
    const char *text = from->data[i], *at = strchr(text, '@'), *numbers = at ? at + 1 : "";
    bool good = at && at != text && *numbers && numbers[strlen(numbers) - 1] != ',' && *numbers != ',';
    if (!good || numbers[strspn(numbers, "0123456789,")] || strstr(numbers, ",,"))
      front_usage(front, "usage.option", NULL,
                  "--result-dims '%s': expected F@I[,I], a function and numbers of arguments", text);
    else
      array_push(front->arena, &to->result_dims,
                 (NamedText){.name = arena_copy(front->arena, text, (size_t)(at - text)), .text = numbers});
  }
}

static void check_word(Front *front, const char *flag, const char *word, const char *const *known) {
  if (!word) return;
  Text help = text_new(front->arena);
  text_add(&help, "known:");
  for (; *known; known++) {
    if (!strcmp(*known, word)) return;
    text_format(&help, " %s", *known);
  }
  front_usage(front, "usage.option", text_string(&help), "%s: unknown name '%s'", flag, word);
}

static void check_emits(Front *front) {
  const char *known[sizeof emitters / sizeof *emitters + 1] = {0};
  for (size_t i = 0; i < sizeof emitters / sizeof *emitters; i++) known[i] = emitters[i].name;
  for (size_t i = 0; i < front->options->emits.count; i++)
    check_word(front, "--emit", front->options->emits.data[i], known);
}

static void check_laws(Front *front) {
  const AssayStrings *laws = &front->options->no_laws;
  uint32_t count = 0;
  while (tensor_law_name(count)) count++;
  const char **known = arena_array(front->arena, const char *, count + 1);
  for (uint32_t i = 0; i <= count; i++) known[i] = tensor_law_name(i);
  for (size_t i = 0; i < laws->count; i++) check_word(front, "--no-law", laws->data[i], known);
}

static Options *plain_options(Front *front) {
  static const char *const floats[] = {"abstract", "real", "ieee", NULL};
  static const char *const stages[] = {"program", "effects", "pointwise", "tensor", NULL};
  static const char *const engines[] = {"auto", "deduce", "search", NULL};
  static const char *const invariants[] = {"pattern", "template", NULL}, *const explained[] = {"execute", "deduce",
                                                                                               "search",  "simplify",
                                                                                               "prove",   NULL};
  const AssayOptions *from = front->options;
  Options *to = arena_new(front->arena, Options);
  copy_tuples(front, "--shape", &from->shapes, true, &to->shapes);
  copy_tuples(front, "--strides", &from->strides, false, &to->strides);
  copy_numbers(front, "--set", &from->sets, to);
  copy_pairs(front, "--alias", &from->aliases, &to->aliases);
  copy_pairs(front, "--map", &from->maps, &to->maps);
  copy_texts(front, &from->only, &to->only);
  copy_kinds(front, from, to);
  copy_assumes(front, &from->assumes, to);
  copy_texts(front, &from->emits, &to->emits);
  copy_texts(front, &from->no_laws, &to->no_laws);
  check_laws(front);
  check_word(front, "--stop-after", from->stop_after, stages);
  check_word(front, "--floats", from->floats, floats);
  check_word(front, "--engine", from->engine, engines);
  check_word(front, "--invariant", from->invariant, invariants);
  check_word(front, "--explain", from->explain_stage, explained);
  to->both_ways = from->both_ways;
  to->floats = from->floats;
  to->reassociate = from->reassociate, to->negative_zero = from->negative_zero, to->distinct = from->distinct;
  copy_result_dims(front, &from->result_dims, to);
  to->stop_after = from->stop_after;
  to->engine = from->engine;
  to->invariant = from->invariant;
  to->explain_stage = from->explain_stage;
  to->no_top_down = from->no_top_down;
  to->no_prune = from->no_prune;
  to->no_prove = from->no_prove;
  to->no_simplify = from->no_simplify;
  to->explain = from->explain || from->explain_stage;
  to->stats = from->stats;
  to->arguments = arena_new(front->arena, Text);
  *to->arguments = text_new(front->arena);
  return to;
}

Options *front_options(Front *front) {
  Options *to = plain_options(front);
  check_emits(front);
  return front->diagnostics->error_count ? NULL : to;
}

/* I/N, from 0. */
static void read_shard(Front *front, const char *text, Options *to) {
  char *slash, *end;
  if (!text) return;
  unsigned long shard = strtoul(text, &slash, 10), shards = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
  bool digits = strspn(text, "0123456789/") == strlen(text) && *text != '/';
  if (!digits || !shards || shards > 100000 || *end || shard >= shards)
    front_usage(front, "usage.shard", "0/4 is the first of four parts", "--shard takes I/N with I below N");
  to->shard = (uint32_t)shard, to->shards = (uint32_t)shards;
}

Options *front_optimize_options(Front *front) {
  static const char *const targets[] = {"sm_80", "sm_90", "cpu", NULL}, *const emits[] = {"triton", "cuda", "graph",
                                                                                          "svg", NULL};
  const AssayOptions *from = front->options;
  Options *to = plain_options(front);
  check_word(front, "--target", from->target, targets);
  for (size_t i = 0; i < from->emits.count; i++) check_word(front, "--emit", from->emits.data[i], emits);
  to->target = from->target;
  to->top = (uint32_t)from->top;
  to->max_kernel_ops = (uint32_t)from->max_kernel_ops, to->max_block_ops = (uint32_t)from->max_block_ops;
  to->jobs = from->jobs < POOL_MOST ? (uint32_t)from->jobs : POOL_MOST;
  to->no_expressions = from->no_expressions, to->no_canonical = from->no_canonical;
  to->no_fingerprints = from->no_fingerprints, to->unproved = from->unproved;
  read_shard(front, from->shard, to);
  if (from->shard && from->merges.count)
    front_usage(front, "usage.shard", NULL, "--shard and --merge exclude each other");
  if (front->diagnostics->error_count) return NULL;
  for (size_t i = 0; i < from->merges.count; i++) {
    size_t size;
    const char *path = from->merges.data[i], *text = front_read_path(front, front->arena, path, &size);
    if (text)
      array_push(front->arena, &to->parts, source_new(front->arena, front_plain(front->arena, path), text, size));
  }
  return front->diagnostics->error_count ? NULL : to;
}

/* ---- plain files ---- */

static void push_launch(Front *front, Operation *operation, const FrontFile *file, const char *kernel) {
  Launch launch = {.file = file->name, .kernel = kernel, .source = file->source, .program = file->program};
  array_push(front->arena, &operation->launches, launch);
}

static void list_kernels(Front *front, const FrontFile *file, const NameList *names) {
  enum { SHOWN = 20 };
  Text text = text_new(front->arena);
  for (uint32_t i = 0; i < names->count && i < SHOWN; i++) text_format(&text, "%s%s", i ? ", " : "", names->data[i]);
  if (names->count > SHOWN) text_format(&text, " and %u more", names->count - SHOWN);
  front_usage(front, "usage.kernels", "choose with --kernel NAME, or lift each with --all",
              "%s has %u public functions: %s", file->name, names->count, text_string(&text));
}

/* FILE.cc:FUNCTION */
static void launch_function(Front *front, const FrontFile *file, const NameList *names, Operation *operation) {
  for (uint32_t i = 0; i < names->count; i++)
    if (!strcmp(names->data[i], file->function)) {
      push_launch(front, operation, file, names->data[i]);
      return;
    }
  Text text = text_new(front->arena);
  for (uint32_t i = 0; i < names->count && i < 20; i++) text_format(&text, "%s%s", i ? ", " : "", names->data[i]);
  front_usage(front, "usage.kernel", NULL, "%s has no function %s; it has: %s", file->name, file->function,
              text_string(&text));
}

/* Without --kernel: each file has one public function, and these are launched in the order of the files. */
static void launch_each(Front *front, const FileList *files, const NameList *names, Operation *operation) {
  for (uint32_t i = 0; i < files->count; i++) {
    const FrontFile *file = files->data[i];
    if (file->kind == INPUT_FORMULA) push_launch(front, operation, file, NULL);
    if (!file->program) continue;
    if (file->function)
      launch_function(front, file, &names[i], operation);
    else if (names[i].count > 1)
      list_kernels(front, file, &names[i]);
    else if (names[i].count)
      push_launch(front, operation, file, names[i].data[0]);
    else
      diagnostic_add(front->diagnostics, SEVERITY_ERROR, "input.no-kernel", file->source, (Span){0, 0},
                     "a kernel is a public `tt.func`; C and C++ need a function with a body, Python a `def`",
                     "no function to lift in this file");
  }
}

static void launch_named(Front *front, const FileList *files, const NameList *names, Operation *operation) {
  const AssayStrings *kernels = &front->options->kernels;
  for (size_t k = 0; k < kernels->count; k++) {
    const FrontFile *found = NULL;
    const char *kernel = NULL;
    for (uint32_t i = 0; i < files->count && !found; i++)
      for (uint32_t n = 0; n < names[i].count && !found; n++)
        if (!strcmp(names[i].data[n], kernels->data[k])) {
          found = files->data[i];
          kernel = names[i].data[n];
        }
    if (found) {
      push_launch(front, operation, found, kernel);
      continue;
    }
    Text help = text_new(front->arena);
    text_add(&help, "public functions:");
    for (uint32_t i = 0; i < files->count; i++)
      for (uint32_t n = 0; n < names[i].count && n < 20; n++) text_format(&help, " %s", names[i].data[n]);
    front_usage(front, "usage.kernel", text_string(&help), "no public function '%s'", kernels->data[k]);
  }
}

static void plain_operation(Front *front, const FileList *files, Operation *operation) {
  NameList *names = arena_array(front->arena, NameList, files->count + 1);
  for (uint32_t i = 0; i < files->count; i++) {
    if (files->data[i]->kind == INPUT_FORMULA) continue;
    Program *program = front_read_program(front, front->arena, files->data[i]);
    if (program) front_public_names(front->arena, program, false, &names[i]);
  }
  if (front->diagnostics->error_count) return;
  if (front->options->kernels.count)
    launch_named(front, files, names, operation);
  else
    launch_each(front, files, names, operation);
}

static void set_grid(Front *front, Operation *operation) {
  uint32_t count;
  if (!front->options->grid) return;
  const Expr *const *grid = split_commas(front->arena, front->options->grid, &count);
  if (count > 3 || has_empty(grid, count))
    front_usage(front, "usage.option", NULL, "--grid '%s': expected E[,E[,E]]", front->options->grid);
  check_expressions(front, "--grid", front->options->grid, grid, count);
  const char *wrong = count > 3 ? NULL : given_grid_error(front->arena, grid, count);
  if (wrong) front_usage(front, "usage.option", NULL, "--grid '%s': %s", front->options->grid, wrong);
  for (uint32_t i = 0; i < operation->launches.count; i++) {
    operation->launches.data[i].is_grid_given = 1;
    operation->launches.data[i].grid = grid;
    operation->launches.data[i].grid_count = count;
  }
}

Operation *front_operation(Front *front, const FileList *files, FrontFile *launch) {
  Operation *operation = arena_new(front->arena, Operation);
  FileList programs = {0};
  for (uint32_t i = 0; i < files->count; i++) {
    if (files->data[i]->kind == INPUT_PROGRAM || files->data[i]->kind == INPUT_FORMULA)
      array_push(front->arena, &programs, files->data[i]);
    else if (!launch)
      launch = files->data[i];
    else
      front_usage(front, "usage.launch", NULL, "more than one operation file or trace: %s, %s", launch->name,
                  files->data[i]->name);
  }
  if (front->diagnostics->error_count) return NULL;
  if (!launch) {
    plain_operation(front, &programs, operation);
  } else if (launch->kind == INPUT_TRACE) {
    front_read_trace(front, launch, &programs, operation);
  } else if (launch->kind == INPUT_OPERATION) {
    front_read_operation(front, launch, &programs, operation);
  } else {
    front_usage(front, "usage.launch", NULL, "%s is neither an operation file nor a trace", launch->name);
  }
  if (launch && (front->options->shapes.count || front->options->strides.count))
    front_usage(front, "usage.option", NULL, "--shape and --strides exclude %s, which says what the tensors are",
                launch->name);
  set_grid(front, operation);
  return front->diagnostics->error_count ? NULL : operation;
}
