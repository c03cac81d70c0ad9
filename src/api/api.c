/* The public functions, thin, with the one guard.
 *
 * A call runs as a body under `guarded`, the only setjmp of the library. Whatever arrives there - the memory limit,
 * the deadline, a fixed limit, a broken invariant - becomes a status and a report that says `unknown` with that
 * code. A result has two arenas: `work` for the engine, dropped when memory ran out, and `keep` for options,
 * diagnostics and renderings. Files are read into slots of the context, so that a file with a thousand kernels is
 * read once; a slot may go only when no result is left that could point into it. */
#include "assay/assay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/testing.h"
#include "check.h"
#include "check_mlir.h"
#include "optimize.h"
#include "front/front.h"
#include "operation/arguments.h"
#include "report/render.h"
#include "base/call.h"
#include "base/utf8.h"

enum { RENDER_ROOM = 64 << 20 }; /* what a rendering may take beyond the limit */

typedef struct FileSlot {
  struct FileSlot *older;
  Arena arena;
  FrontFile *file; /* NULL: not usable */
  const char *path;
  bool is_buffer;
  struct stat info; /* of a path that is not "-" */
} FileSlot;

struct AssayContext {
  Guard guard;
  AssayResult *results; /* newest first */
  FileSlot *files;      /* newest first */
  char message[512];
};

struct AssayResult {
  AssayContext *context;
  AssayResult *newer, *older;
  AssayStatus status;
  Arena keep, work;
  DiagnosticList diagnostics;
  AssayOptions options; /* a copy in `keep` */
  Report *report;       /* of the engine, or &empty */
  Report empty;
  NameList names;
  char input[512], kernel[256], reason[256]; /* of `empty`, which must not need memory */
};

typedef struct Call {
  AssayContext *context;
  AssayResult *result;
  const AssayInput *inputs;
  size_t count;
  const AssayOptions *options;
  Front front;
  PairList metadata; /* of the files' .json */
  const char *text;  /* of a rendering */
  unsigned flags;
  void (*render)(AssayResult *result, unsigned flags, Text *out);
  AssayDiagnostic *diagnostic;
  size_t index;
  double started;
} Call;

const char *assay_version(void) { return ASSAY_VERSION_TEXT; }

const char *assay_status_name(AssayStatus status) {
  switch (status) {
  case ASSAY_OK: return "ok";
  case ASSAY_BAD_INPUT: return "bad input";
  case ASSAY_USAGE: return "usage";
  case ASSAY_MEMORY: return "memory";
  case ASSAY_TIMEOUT: return "timeout";
  case ASSAY_LIMIT: return "limit";
  case ASSAY_INTERNAL: return "internal";
  }
  return "?";
}

const char *assay_verdict_name(AssayVerdict verdict) {
  return verdict == ASSAY_NONE ? NULL : verdict_name((Verdict)verdict);
}

const char *assay_emitter_suffix(const char *name) {
  const char *suffix = front_emitter_suffix(name);
  return suffix ? suffix : "";
}

/* ---- the guard ---- */

static AssayStatus run_guarded(Call *call, void (*body)(Call *)) {
  Guard *guard = &call->context->guard;
  guard->reason = GUARD_NONE;
  guard_use_stack(guard);
  if (!setjmp(guard->escape)) {
    body(call);
    return ASSAY_OK;
  }
  switch (guard->reason) {
  case GUARD_MEMORY: return ASSAY_MEMORY;
  case GUARD_TIMEOUT: return ASSAY_TIMEOUT;
  case GUARD_LIMIT: return ASSAY_LIMIT;
  case GUARD_NONE:
  case GUARD_INTERNAL: break;
  }
  return ASSAY_INTERNAL;
}

static AssayStatus guarded(Call *call, void (*body)(Call *)) {
  call_begin();
  AssayStatus status = run_guarded(call, body);
  call_end();
  return status;
}

/* Copies at most size - 1 bytes, without cutting a character. */
static void copy_short(char *to, size_t size, const char *from) {
  size_t length = strlen(from);
  if (length > size - 1) length = size - 1;
  memcpy(to, from, length);
  length = utf8_valid_prefix(to, length);
  to[length] = 0;
}

/* ---- contexts ---- */

AssayStatus assay_context_new(AssayContext **out) {
  *out = calloc(1, sizeof **out);
  if (!*out) return ASSAY_MEMORY;
  guard_init(&(*out)->guard, 0, 0);
  return ASSAY_OK;
}

/* Keeps the newest slot, if the next call may take its program from there. */
static void drop_old_files(AssayContext *context, bool and_newest) {
  bool keeps = context->files && context->files->file && !and_newest;
  FileSlot **link = keeps ? &context->files->older : &context->files;
  while (*link) {
    FileSlot *slot = *link;
    *link = slot->older;
    arena_destroy(&slot->arena);
    guard_free(&context->guard, slot, sizeof *slot);
  }
}

void assay_context_free(AssayContext *context) {
  if (!context) return;
  while (context->results) assay_result_free(context->results);
  drop_old_files(context, true);
  free(context);
}

const char *assay_context_message(const AssayContext *context) { return context->message; }

void assay_testing_fail_at(AssayContext *context, uint64_t n) {
  context->guard.fail_at = n ? context->guard.allocations + n : 0;
}

uint64_t assay_testing_allocations(const AssayContext *context) { return context->guard.allocations; }

size_t assay_testing_bytes(const AssayContext *context) { return context->guard.bytes; }

/* ---- results ---- */

static void make_result(Call *call) {
  AssayContext *context = call->context;
  AssayResult *result = guard_malloc(&context->guard, sizeof *result);
  memset(result, 0, sizeof *result);
  result->context = context;
  result->older = context->results;
  if (context->results) context->results->newer = result;
  context->results = result;
  arena_init(&result->keep, &context->guard);
  arena_init(&result->work, &context->guard);
  diagnostic_list_init(&result->diagnostics, &result->keep);
  result->report = &result->empty;
  result->empty.input = result->input;
  call->result = result;
}

void assay_result_free(AssayResult *result) {
  if (!result) return;
  AssayContext *context = result->context;
  if (result->newer)
    result->newer->older = result->older;
  else
    context->results = result->older;
  if (result->older) result->older->newer = result->newer;
  arena_destroy(&result->work);
  arena_destroy(&result->keep);
  guard_free(&context->guard, result, sizeof *result);
  if (!context->results) drop_old_files(context, false);
}

static const char *copy_text(Arena *arena, const char *text) {
  return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static AssayStrings copy_texts(Arena *arena, AssayStrings from) {
  const char **texts = arena_array(arena, const char *, from.count + 1);
  for (size_t i = 0; i < from.count; i++) texts[i] = copy_text(arena, from.data[i]);
  return (AssayStrings){texts, from.count};
}

static void copy_options(Arena *arena, AssayOptions *to, const AssayOptions *from) {
  AssayStrings *const lists[] = {&to->kernels, &to->shapes,    &to->strides, &to->sets,  &to->assumes,
                                 &to->aliases, &to->strict,    &to->allow,   &to->emits, &to->maps,
                                 &to->only,    &to->arguments, &to->merges};
  const char **const texts[] = {&to->launch,        &to->grid,   &to->stop_after, &to->engine, &to->invariant,
                                &to->explain_stage, &to->target, &to->floats,     &to->shard};
  *to = *from;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = copy_texts(arena, *lists[i]);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = copy_text(arena, *texts[i]);
}

/* ---- files ---- */

static bool same_file(const FileSlot *slot, const AssayInput *input, const struct stat *info) {
  if (!slot || !slot->file || slot->is_buffer != (input->text != NULL) || strcmp(slot->path, input->path)) return false;
  if (input->text)
    return slot->file->source->size == input->size && !memcmp(slot->file->source->text, input->text, input->size);
  return slot->info.st_ino == info->st_ino && slot->info.st_dev == info->st_dev &&
         slot->info.st_size == info->st_size && slot->info.st_mtim.tv_sec == info->st_mtim.tv_sec &&
         slot->info.st_mtim.tv_nsec == info->st_mtim.tv_nsec;
}

static FileSlot *add_slot(AssayContext *context) {
  FileSlot *slot = guard_malloc(&context->guard, sizeof *slot);
  memset(slot, 0, sizeof *slot);
  arena_init(&slot->arena, &context->guard);
  slot->older = context->files;
  context->files = slot;
  return slot;
}

/* The file of an input, from the newest slot if that still holds it. */
static FrontFile *open_file(Call *call, const AssayInput *input, Arena **arena) {
  AssayContext *context = call->context;
  struct stat info = {0};
  bool is_path = !input->text && strcmp(input->path, "-");
  const char *function, *path = is_path ? front_split_function(&call->result->keep, input->path, &function) : NULL;
  if (is_path && stat(path, &info)) memset(&info, 0, sizeof info);
  if (!same_file(context->files, input, &info)) {
    FileSlot *slot = add_slot(context);
    slot->path = copy_text(&slot->arena, input->path);
    slot->is_buffer = input->text != NULL;
    slot->info = info;
    slot->file = front_read_file(&call->front, &slot->arena, input);
  }
  *arena = &context->files->arena;
  return context->files->file;
}

/* The inputs with folders expanded; false if there is nothing to go on with. */
static bool expand_inputs(Call *call, InputList *out) {
  AssayResult *result = call->result;
  InputList named = {0};
  for (size_t i = 0; i < call->count; i++) {
    AssayInput input = call->inputs[i];
    if (!input.path) input.path = "<buffer>";
    array_push(&result->keep, &named, input);
  }
  front_expand(&call->front, named.data, named.count, out);
  if (!call->count && !call->options->launch) front_usage(&call->front, "usage.input", NULL, "no input");
  return !result->diagnostics.error_count;
}

/* A single file goes through the slots, several belong to the result. */
static void open_files(Call *call, const InputList *inputs, FileList *out) {
  for (uint32_t i = 0; i < inputs->count; i++) {
    Arena *arena = &call->result->keep;
    FrontFile *file = inputs->count == 1 ? open_file(call, &inputs->data[i], &arena)
                                         : front_read_file(&call->front, arena, &inputs->data[i]);
    if (!file) continue;
    if (file->kind == INPUT_PROGRAM) front_read_program(&call->front, arena, file);
    front_read_metadata(&call->front, file, &inputs->data[i], &call->metadata);
    array_push(&call->result->keep, out, file);
  }
}

/* ---- lifting ---- */

/* --emit text and latex, which are in the report already. */
static void emit_formulas(AssayResult *result, Report *report) {
  for (size_t i = 0; i < result->options.emits.count; i++) {
    const char *name = result->options.emits.data[i];
    Text text = text_new(&result->work);
    if (strcmp(name, "text") && strcmp(name, "latex")) continue;
    render_formulas(report, name, &text);
    if (text.count) array_push(&result->work, &report->emitted, (ReportPair){name, text_string(&text)});
  }
}

static void finish_report(Call *call, Report *report, const FileList *files, const FrontFile *launch) {
  AssayResult *result = call->result;
  Text input = text_new(&result->keep);
  for (uint32_t i = 0; i < files->count; i++) text_format(&input, "%s%s", i ? " " : "", files->data[i]->name);
  report->input = files->count ? text_string(&input) : launch ? launch->name : result->input;
  for (uint32_t i = 0; i < call->metadata.count; i++) array_push(&result->work, &report->stats, call->metadata.data[i]);
  const char *peak = arena_format(&result->work, "%zu", call->context->guard.bytes_peak);
  const char *time = arena_format(&result->work, "%.3f", 1e3 * (guard_now() - call->started));
  array_push(&result->work, &report->stats, (ReportPair){"memory.peak_bytes", peak});
  array_push(&result->work, &report->stats, (ReportPair){"time.total_ms", time});
  emit_formulas(result, report);
  for (uint32_t i = 0; i < report->not_emitted.count; i++)
    diagnostic_add(&result->diagnostics, SEVERITY_WARNING, "emit-unsupported", NULL, (Span){0, 0}, NULL, "%s",
                   report->not_emitted.data[i]);
  result->report = report;
}

static void body_lift(Call *call) {
  AssayResult *result = call->result;
  Front *front = &call->front;
  InputList inputs = {0};
  FileList files = {0};
  FrontFile *launch = NULL;
  copy_options(&result->keep, &result->options, call->options);
  front_init(front, &result->keep, &result->diagnostics, &result->options);
  Options *options = front_options(front);
  if (!options || !expand_inputs(call, &inputs)) return;
  open_files(call, &inputs, &files);
  if (result->options.launch)
    launch = front_read_file(front, &result->keep, &(AssayInput){.path = result->options.launch});
  Operation *operation = result->diagnostics.error_count ? NULL : front_operation(front, &files, launch);
  if (!operation) return;
  if (operation->launches.count == 1 && operation->launches.data[0].kernel)
    copy_short(result->kernel, sizeof result->kernel, operation->launches.data[0].kernel);
  else if (operation->name)
    copy_short(result->kernel, sizeof result->kernel, operation->name);
  if (result->options.progress)
    result->options.progress(files.count ? files.data[0]->name : result->input, "lift",
                             result->options.progress_payload);
  Report *report = pipeline_lift(&result->work, operation, options, &result->diagnostics);
  arguments_check_names(options, &result->diagnostics);
  if (report && !result->diagnostics.error_count) finish_report(call, report, &files, launch);
}

/* ---- checking ---- */

/* "FILE.py:function": where the function begins; NULL if the path is none. */
static const char *function_in(const char *path) {
  const char *colon = strrchr(path, ':');
  return colon && colon - path > 3 && !strncmp(colon - 3, ".py", 3) && colon[1] ? colon + 1 : NULL;
}

/* --kernel names functions of either side: each file gets those that it has. */
static void choose_kernels(Call *call, const FileList *files, AssayOptions *own) {
  NameList names = {0};
  const char **kernels = arena_array(&call->result->keep, const char *, own->kernels.count + 1);
  size_t count = 0;
  if (!files->count || !files->data[0]->program) return;
  front_public_names(&call->result->keep, files->data[0]->program, false, &names);
  for (size_t i = 0; i < own->kernels.count; i++)
    for (uint32_t k = 0; k < names.count; k++)
      if (!strcmp(names.data[k], own->kernels.data[i])) kernels[count++] = own->kernels.data[i];
  if (count || names.count == 1) own->kernels = (AssayStrings){kernels, count};
}

/* The file of an input; NULL for a formula and a function in Python, and after an error. */
static FrontFile *plain_file(Call *call, const AssayInput *input) {
  bool formula = input->text && input->path && !strcmp(input->path, "-e");
  if (formula || (!input->text && function_in(input->path))) return NULL;
  return front_read_file(&call->front, &call->result->keep, input);
}

/* as_loops: a function in Python is a program of loops, and no reference. */
static bool open_side(Call *call, const AssayInput *from, FrontFile *file, bool as_loops, CheckInput *out) {
  AssayResult *result = call->result;
  Front *front = &call->front;
  AssayInput input = *from;
  AssayOptions own = result->options;
  FileList files = {0};
  out->name = input.path;
  if (input.text && input.path && !strcmp(input.path, "-e")) {
    out->kind = CHECK_FORMULA;
    out->source = source_new(&result->keep, "-e", arena_copy(&result->keep, input.text, input.size), input.size);
    return true;
  }
  const char *function = input.text || as_loops ? NULL : function_in(input.path);
  if (function) input.path = arena_copy(&result->keep, input.path, (size_t)(function - 1 - input.path));
  if (!file) file = front_read_file(front, &result->keep, &input);
  if (!file) return false;
  if (function || file->kind == INPUT_FORMULA) {
    out->kind = function ? CHECK_REFERENCE : CHECK_FORMULA;
    out->source = file->source, out->function = function;
    return true;
  }
  out->name = file->name;
  array_push(&result->keep, &files, file);
  if (file->kind == INPUT_PROGRAM) front_read_program(front, &result->keep, file);
  choose_kernels(call, &files, &own);
  front->options = &own;
  out->operation = result->diagnostics.error_count ? NULL : front_operation(front, &files, NULL);
  front->options = &result->options;
  return out->operation != NULL;
}

static void finish_check(Call *call, Report *report) {
  AssayResult *result = call->result;
  const char *time = arena_format(&result->work, "%.3f", 1e3 * (guard_now() - call->started));
  array_push(&result->work, &report->stats, (ReportPair){"time.total_ms", time});
  result->report = report;
}

/* A reference that is read as one keeps that reading; one that loops, and is not, is a program of loops. */
static Report *check_sides(Call *call, CheckInput sides[2], Options *options) {
  AssayResult *result = call->result;
  DiagnosticList as_reference;
  bool loops[2];
  for (int i = 0; i < 2; i++)
    loops[i] = sides[i].kind == CHECK_REFERENCE && front_has_loops(&call->front, sides[i].source, sides[i].function);
  if (!loops[0] && !loops[1]) return pipeline_check(&result->work, &sides[0], &sides[1], options, &result->diagnostics);
  diagnostic_list_init(&as_reference, &result->keep);
  Report *report = pipeline_check(&result->work, &sides[0], &sides[1], options, &as_reference);
  if (report && !as_reference.error_count) return report;
  for (int i = 0; i < 2; i++) {
    if (loops[i]) sides[i] = (CheckInput){.kind = CHECK_OPERATION};
    if (loops[i] && !open_side(call, &call->inputs[i], NULL, true, &sides[i])) return NULL;
  }
  return pipeline_check(&result->work, &sides[0], &sides[1], options, &result->diagnostics);
}

static void body_check(Call *call) {
  AssayResult *result = call->result;
  CheckInput sides[2] = {{.kind = CHECK_OPERATION}, {.kind = CHECK_OPERATION}};
  copy_options(&result->keep, &result->options, call->options);
  front_init(&call->front, &result->keep, &result->diagnostics, &result->options);
  Options *options = front_options(&call->front);
  FrontFile *files[2];
  for (int i = 0; i < 2; i++) files[i] = options ? plain_file(call, &call->inputs[i]) : NULL;
  if (!options || result->diagnostics.error_count) return;
  if (files[0] && files[1] && check_mlir_is_one(files[0]->source) && check_mlir_is_one(files[1]->source)) {
    const char *const functions[2] = {files[0]->function, files[1]->function};
    Report *pairs =
        check_mlir(&result->work, files[0]->source, files[1]->source, functions, options, &result->diagnostics);
    if (pairs) finish_check(call, pairs);
    return;
  }
  for (int i = 0; i < 2; i++)
    if (!open_side(call, &call->inputs[i], files[i], false, &sides[i])) return;
  if (result->options.progress) result->options.progress(sides[0].name, "check", result->options.progress_payload);
  Report *report = check_sides(call, sides, options);
  arguments_check_names(options, &result->diagnostics);
  if (!report || result->diagnostics.error_count) return;
  finish_check(call, report);
}

/* ---- optimizing ---- */

static void body_optimize(Call *call) {
  AssayResult *result = call->result;
  CheckInput input = {.kind = CHECK_OPERATION};
  copy_options(&result->keep, &result->options, call->options);
  front_init(&call->front, &result->keep, &result->diagnostics, &result->options);
  Options *options = front_optimize_options(&call->front);
  if (!options || !open_side(call, &call->inputs[0], NULL, false, &input)) return;
  if (result->options.progress) result->options.progress(input.name, "optimize", result->options.progress_payload);
  Report *report = pipeline_optimize(&result->work, &input, options, &result->diagnostics);
  if (result->diagnostics.error_count) return;
  const char *time = arena_format(&result->work, "%.3f", 1e3 * (guard_now() - call->started));
  array_push(&result->work, &report->stats, (ReportPair){"time.total_ms", time});
  result->report = report;
}

/* ---- lists ---- */

static void body_list_files(Call *call) {
  InputList inputs = {0};
  copy_options(&call->result->keep, &call->result->options, call->options);
  front_init(&call->front, &call->result->keep, &call->result->diagnostics, &call->result->options);
  if (!expand_inputs(call, &inputs)) return;
  for (uint32_t i = 0; i < inputs.count; i++)
    array_push(&call->result->keep, &call->result->names, copy_text(&call->result->keep, inputs.data[i].path));
}

static void body_list_kernels(Call *call) {
  AssayResult *result = call->result;
  InputList inputs = {0};
  FileList files = {0};
  copy_options(&result->keep, &result->options, call->options);
  front_init(&call->front, &result->keep, &result->diagnostics, &result->options);
  if (!expand_inputs(call, &inputs)) return;
  open_files(call, &inputs, &files);
  for (uint32_t i = 0; i < files.count; i++) {
    const Program *program = files.data[i]->program;
    if (program) front_public_names(&result->keep, program, result->options.port, &result->names);
    if (files.data[i]->kind == INPUT_TRACE) front_trace_names(&call->front, files.data[i], &result->names);
  }
}

/* ---- calls ---- */

/* The status that the diagnostics mean: codes `usage.*` are usage errors, other errors bad input. */
static AssayStatus diagnosed(const DiagnosticList *diagnostics) {
  if (!diagnostics->error_count) return ASSAY_OK;
  for (uint32_t i = 0; i < diagnostics->items.count; i++) {
    const Diagnostic *diagnostic = &diagnostics->items.data[i];
    if (diagnostic->severity == SEVERITY_ERROR && !strncmp(diagnostic->code, "usage.", 6)) return ASSAY_USAGE;
  }
  return ASSAY_BAD_INPUT;
}

static ReasonCode reason_of(AssayStatus status) {
  switch (status) {
  case ASSAY_MEMORY: return REASON_MEMORY;
  case ASSAY_TIMEOUT: return REASON_TIMEOUT;
  case ASSAY_LIMIT: return REASON_LIMIT;
  case ASSAY_INTERNAL: return REASON_INTERNAL;
  case ASSAY_OK:
  case ASSAY_BAD_INPUT:
  case ASSAY_USAGE: break;
  }
  return REASON_NONE;
}

static const char *reason_help(AssayStatus status) {
  switch (status) {
  case ASSAY_MEMORY: return "; raise --memory";
  case ASSAY_TIMEOUT: return "; raise --timeout";
  case ASSAY_INTERNAL: return "; this is a bug in Assay";
  case ASSAY_OK:
  case ASSAY_BAD_INPUT:
  case ASSAY_USAGE:
  case ASSAY_LIMIT: break;
  }
  return "";
}

/* A report without an answer, which needs no memory. */
static void set_empty(AssayResult *result, AssayStatus status) {
  result->report = &result->empty;
  result->empty.kernel = *result->kernel ? result->kernel : NULL;
  if (status <= ASSAY_USAGE) return;
  result->empty.verdict = result->empty.safety = VERDICT_UNKNOWN;
  copy_short(result->reason, sizeof result->reason - 40, result->context->guard.message);
  strcat(result->reason, reason_help(status));
  result->empty.reason = (ReportReason){reason_of(status), result->reason};
}

/* After an unwinding: what was being read cannot be used, and what filled the memory goes. Nothing that is kept
 * points into `work`; diagnostics may point into files, so these go only with them. */
static void clean_up(Call *call, AssayStatus status) {
  AssayResult *result = call->result;
  front_close(&call->front);
  if (call->context->files) call->context->files->file = NULL;
  arena_destroy(&result->work);
  if (status != ASSAY_MEMORY) return;
  diagnostic_list_init(&result->diagnostics, &result->keep);
  result->names.count = 0;
  result->options = (AssayOptions){.stats = call->options->stats};
  arena_destroy(&result->keep);
}

/* What an answer without a report shows, as far as the call tells. */
static void name_result(Call *call) {
  AssayResult *result = call->result;
  const AssayOptions *options = call->options;
  const char *input = call->count ? call->inputs[0].path : options->launch;
  bool is_stdin = call->count && input && !call->inputs[0].text && !strcmp(input, "-");
  copy_short(result->input, sizeof result->input, is_stdin ? "<stdin>" : input ? input : "<buffer>");
  if (options->kernels.count == 1) copy_short(result->kernel, sizeof result->kernel, options->kernels.data[0]);
}

static AssayStatus run(AssayResult **out, Call *call, void (*body)(Call *)) {
  AssayContext *context = call->context;
  static const AssayOptions defaults = ASSAY_OPTIONS_INIT;
  *out = NULL;
  *context->message = 0;
  if (!call->options) call->options = &defaults;
  if (call->options->version != ASSAY_OPTIONS_VERSION) {
    copy_short(context->message, sizeof context->message, "AssayOptions has an unknown version");
    return ASSAY_USAGE;
  }
  call->front.fd = -1;
  call->started = guard_now();
  context->guard.bytes_peak = context->guard.bytes;
  context->guard.deadline = 0;
  context->guard.bytes_limit = SIZE_MAX; /* the result itself does not count, so that it can say what ran out */
  AssayStatus status = guarded(call, make_result);
  if (call->options->memory) context->guard.bytes_limit = (size_t)call->options->memory;
  if (call->options->timeout > 0) context->guard.deadline = guard_now() + call->options->timeout;
  if (status == ASSAY_OK) {
    name_result(call);
    status = guarded(call, body);
    if (status != ASSAY_OK)
      clean_up(call, status);
    else
      status = diagnosed(&call->result->diagnostics);
    call->result->status = status;
    if (status != ASSAY_OK) set_empty(call->result, status);
    *out = call->result;
  }
  context->guard.deadline = 0;
  if (status > ASSAY_USAGE)
    copy_short(context->message, sizeof context->message, context->guard.message);
  else if (status != ASSAY_OK)
    copy_short(context->message, sizeof context->message, call->result->diagnostics.items.data[0].message);
  return status;
}

AssayStatus assay_lift(AssayResult **out, AssayContext *context, const AssayInput *inputs, size_t count,
                       const AssayOptions *options) {
  Call call = {.context = context, .inputs = inputs, .count = count, .options = options};
  return run(out, &call, body_lift);
}

AssayStatus assay_check(AssayResult **out, AssayContext *context, const AssayInput *left, const AssayInput *right,
                        const AssayOptions *options) {
  AssayInput inputs[2] = {*left, *right};
  for (int i = 0; i < 2; i++)
    if (!inputs[i].path) inputs[i].path = "<buffer>";
  Call call = {.context = context, .inputs = inputs, .count = 2, .options = options};
  return run(out, &call, body_check);
}

AssayStatus assay_optimize(AssayResult **out, AssayContext *context, const AssayInput *input,
                           const AssayOptions *options) {
  AssayInput inputs[1] = {*input};
  if (!inputs[0].path) inputs[0].path = "<buffer>";
  Call call = {.context = context, .inputs = inputs, .count = 1, .options = options};
  return run(out, &call, body_optimize);
}

AssayStatus assay_list_files(AssayResult **out, AssayContext *context, const AssayInput *inputs, size_t count,
                             const AssayOptions *options) {
  Call call = {.context = context, .inputs = inputs, .count = count, .options = options};
  return run(out, &call, body_list_files);
}

AssayStatus assay_list_kernels(AssayResult **out, AssayContext *context, const AssayInput *input,
                               const AssayOptions *options) {
  Call call = {.context = context, .inputs = input, .count = 1, .options = options};
  return run(out, &call, body_list_kernels);
}

/* ---- what a result says ---- */

AssayStatus assay_result_status(const AssayResult *result) { return result->status; }
AssayVerdict assay_result_verdict(const AssayResult *result) { return (AssayVerdict)result->report->verdict; }
AssayVerdict assay_result_safety(const AssayResult *result) { return (AssayVerdict)result->report->safety; }
const char *assay_result_input(const AssayResult *result) { return result->report->input; }
const char *assay_result_kernel(const AssayResult *result) { return result->report->kernel; }
const char *assay_result_signature(const AssayResult *result) { return result->report->signature; }
const char *assay_result_reason_code(const AssayResult *result) { return reason_name(result->report->reason.code); }
const char *assay_result_reason_text(const AssayResult *result) { return result->report->reason.text; }
const char *assay_result_stage(const AssayResult *result) { return result->report->stage_text; }
size_t assay_result_output_count(const AssayResult *result) { return result->report->outputs.count; }
size_t assay_result_emitted_count(const AssayResult *result) { return result->report->emitted.count; }
size_t assay_result_name_count(const AssayResult *result) { return result->names.count; }
size_t assay_result_diagnostic_count(const AssayResult *result) { return result->diagnostics.items.count; }

int assay_result_exit_code(const AssayResult *result) {
  const Report *report = result->report;
  if (result->status == ASSAY_USAGE) return 64;
  if (result->status == ASSAY_BAD_INPUT) return 3;
  if (report->stage_text) return 0; /* what was asked for is there; it claims nothing */
  if (report->verdict == VERDICT_REFUTED || report->safety == VERDICT_REFUTED) return 1;
  bool proved = report->verdict == VERDICT_PROVED && report->safety == VERDICT_PROVED;
  return proved && !report->not_emitted.count ? 0 : 2;
}

const char *assay_result_output_name(const AssayResult *result, size_t index) {
  return index < result->report->outputs.count ? result->report->outputs.data[index].tensor.name : NULL;
}

const char *assay_result_output_formula(const AssayResult *result, size_t index, const char *kind) {
  if (index >= result->report->outputs.count) return NULL;
  const ReportOutput *output = &result->report->outputs.data[index];
  if (!strcmp(kind, "text")) return output->text;
  if (!strcmp(kind, "latex")) return output->latex;
  if (!strcmp(kind, "raw")) return output->raw;
  return strcmp(kind, "pointwise") ? NULL : output->pointwise;
}

const char *assay_result_emitted_name(const AssayResult *result, size_t index) {
  return index < result->report->emitted.count ? result->report->emitted.data[index].name : NULL;
}

const char *assay_result_emitted_text(const AssayResult *result, size_t index) {
  return index < result->report->emitted.count ? result->report->emitted.data[index].value : NULL;
}

const char *assay_result_name(const AssayResult *result, size_t index) {
  return index < result->names.count ? result->names.data[index] : NULL;
}

/* ---- renderings ---- */

static RenderParts parts_of(const AssayResult *result) {
  const AssayOptions *options = &result->options;
  return (RenderParts){.stats = options->stats, .stage = options->stop_after, .emitted = options->emits.count > 0};
}

static void render_as_json(AssayResult *result, unsigned flags, Text *out) {
  (void)flags;
  RenderParts parts = parts_of(result);
  render_json(result->report, &result->diagnostics, &parts, out);
}

static void render_as_text(AssayResult *result, unsigned flags, Text *out) {
  RenderParts parts = parts_of(result);
  render_text(result->report, &parts, (flags & ASSAY_COLOR) != 0, out);
}

static void render_as_row(AssayResult *result, unsigned flags, Text *out) {
  render_row(result->report, &result->diagnostics, (flags & ASSAY_COLOR) != 0, (flags & ASSAY_PLACE) != 0, out);
}

static void render_as_diagnostics(AssayResult *result, unsigned flags, Text *out) {
  render_diagnostics(&result->diagnostics, (flags & ASSAY_COLOR) != 0, out);
}

static void render_as_html(AssayResult *result, unsigned flags, Text *out) {
  (void)flags;
  render_html(result->report, &result->diagnostics, out);
}

static void render_as_sarif(AssayResult *result, unsigned flags, Text *out) {
  (void)flags;
  render_sarif(result->report, out);
}

static void body_render(Call *call) {
  Text text = text_new(&call->result->keep);
  call->render(call->result, call->flags, &text);
  call->text = text_string(&text);
}

/* A rendering may go beyond the memory limit by a fixed amount, so that reaching it can be told. */
static const char *render(AssayResult *result, unsigned flags, void (*how)(AssayResult *, unsigned, Text *)) {
  Call call = {.context = result->context, .result = result, .flags = flags, .render = how};
  Guard *guard = &result->context->guard;
  size_t limit = guard->bytes_limit;
  if (limit < guard->bytes || limit - guard->bytes < RENDER_ROOM) guard->bytes_limit = guard->bytes + RENDER_ROOM;
  AssayStatus status = guarded(&call, body_render);
  guard->bytes_limit = limit;
  return status == ASSAY_OK ? call.text : NULL;
}

const char *assay_result_json(AssayResult *result) { return render(result, 0, render_as_json); }
const char *assay_result_report(AssayResult *result, const char *format) {
  if (result->status == ASSAY_BAD_INPUT || result->status == ASSAY_USAGE) return NULL;
  if (!strcmp(format, "html")) return render(result, 0, render_as_html);
  return strcmp(format, "sarif") ? NULL : render(result, 0, render_as_sarif);
}
const char *assay_result_text(AssayResult *result, unsigned flags) { return render(result, flags, render_as_text); }
const char *assay_result_row(AssayResult *result, unsigned flags) { return render(result, flags, render_as_row); }
const char *assay_result_diagnostics(AssayResult *result, unsigned flags) {
  return render(result, flags, render_as_diagnostics);
}

static void body_diagnostic(Call *call) {
  static const char *const severities[] = {"error", "warning", "note"};
  const Diagnostic *from = &call->result->diagnostics.items.data[call->index];
  *call->diagnostic = (AssayDiagnostic){
      .severity = severities[from->severity], .code = from->code, .message = from->message, .help = from->help};
  if (!from->source) return;
  LineColumn at = source_locate(from->source, from->span.begin);
  call->diagnostic->file = from->source->name;
  call->diagnostic->line = at.line;
  call->diagnostic->column = at.column;
}

AssayStatus assay_result_diagnostic(AssayDiagnostic *out, AssayResult *result, size_t index) {
  if (index >= result->diagnostics.items.count) return ASSAY_USAGE;
  Call call = {.context = result->context, .result = result, .diagnostic = out, .index = index};
  return guarded(&call, body_diagnostic);
}
