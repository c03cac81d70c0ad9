/* assay check --pass-pipeline 'builtin.module(..)' FILE: the pipeline is taken apart into its passes, mlir-opt runs
 * them one after the other, and each result is compared with what the pass was given. The first one that is refuted is
 * the answer, with the text before and after; else the first that is not proved. Refinement is transitive: passes that
 * are right make a pipeline that is. Several files, or a folder, make a table with a row each. */
#include "cli.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PASSES = 256, MOST_NESTING = 16, MOST_FOLDERS = 16 };

typedef struct Pass {
  char *name, *pipeline;
} Pass;

typedef struct Passes {
  Pass data[MOST_PASSES];
  size_t count;
  struct {
    const char *name;
    int length;
  } anchors[MOST_NESTING]; /* of the element that is read */
  size_t depth;
} Passes;

/* ---- the pipeline ----
 *
 *   list = element (, element)*      element = NAME | NAME{OPTIONS} | ANCHOR(list) */

static const char *skip_space(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\n') at++;
  return at;
}

/* Behind the bracket that closes; NULL: none does. */
static const char *skip_options(const char *at) {
  int depth = 0;
  for (; *at; at++) {
    depth += (*at == '{') - (*at == '}');
    if (!depth) return at + 1;
  }
  return NULL;
}

static bool add_pass(Passes *p, const char *name, int length) {
  char *text = copy_string("");
  if (p->count == MOST_PASSES) return false;
  for (size_t i = p->depth + 1; i-- > 0;) { /* from the inside */
    char *outer = NULL;
    int made = i == p->depth ? asprintf(&outer, "%.*s", length, name)
                             : asprintf(&outer, "%.*s(%s)", p->anchors[i].length, p->anchors[i].name, text);
    if (made < 0) rescue_out_of_memory();
    free(text), text = outer;
  }
  p->data[p->count].name = strndup(name, (size_t)length), p->data[p->count++].pipeline = text;
  return true;
}

/* Behind the list; NULL: it is none. */
static const char *read_list(Passes *p, const char *at) {
  for (;; at++) {
    const char *begin = at = skip_space(at);
    at += strcspn(at, "{}(), \t\n");
    int length = (int)(at - begin);
    if (!length) return NULL;
    at = skip_space(at);
    if (*at == '(') {
      if (p->depth == MOST_NESTING) return NULL;
      p->anchors[p->depth].name = begin, p->anchors[p->depth].length = length;
      p->depth++;
      at = skip_space(at + 1);
      if (*at != ')') at = read_list(p, at);
      p->depth--;
      if (!at || *at != ')') return NULL;
      at = skip_space(at + 1);
    } else {
      const char *end = *at == '{' ? skip_options(at) : at;
      if (!end || !p->depth) return NULL; /* a pass stands inside of an anchor */
      if (!add_pass(p, begin, (int)(end - begin))) return NULL;
      at = skip_space(end);
    }
    if (*at != ',') return at;
  }
}

static bool read_pipeline(Passes *p, const char *text) {
  const char *end = read_list(p, text);
  return end && !*skip_space(end);
}

static void free_passes(Passes *p) {
  for (size_t i = 0; i < p->count; i++) free(p->data[i].name), free(p->data[i].pipeline);
}

/* ---- one file ---- */

typedef struct Walk {
  Settings *settings;
  const char *file;
  bool in_table;
  const Passes *passes;
  AssayVerdict verdicts[MOST_PASSES];
  char *assumed[MOST_PASSES]; /* what its answer assumes, beside how floats are read; NULL: nothing */
  size_t done;                /* passes that were compared */
} Walk;

static char *read_file(const char *path) {
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  size_t size = 0, room = 4096;
  char *text = NULL;
  if (!file) return NULL;
  for (size_t got = 1; got;) {
    room *= 2;
    if (!(text = realloc(text, room))) rescue_out_of_memory();
    got = fread(text + size, 1, room - size - 1, file);
    size += got;
  }
  bool good = !ferror(file) && strlen((text[size] = 0, text)) == size;
  if (file != stdin) fclose(file);
  if (!good) free(text);
  return good ? text : NULL;
}

static void print_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20)
      printf("\\u%04x", c);
    else
      putchar(c);
  }
  putchar('"');
}

static const char *verdict_text(AssayVerdict verdict) {
  const char *name = assay_verdict_name(verdict);
  return name ? name : "unknown";
}

static void print_member(const char *name, const char *text) {
  printf(", \"%s\": ", name);
  text ? print_string(text) : (void)fputs("null", stdout);
}

/* The object of `check`, with members behind its own. */
static void show_json(const Walk *w, const char *pass, AssayVerdict verdict, AssayResult *result, const char *reason,
                      const char *before, const char *after) {
  const char *json = result ? assay_result_json(result) : NULL;
  if (json) {
    printf("%.*s", (int)strlen(json) - 1, json);
  } else {
    fputs("{\"input\": ", stdout), print_string(w->file);
    printf(", \"verdict\": \"%s\"", verdict_text(verdict));
    print_member("reason", reason);
  }
  print_member("pass", pass), print_member("before", before), print_member("after", after);
  fputs(", \"passes\": [", stdout);
  for (size_t i = 0; i < w->done; i++) {
    fputs(i ? ", {\"pass\": " : "{\"pass\": ", stdout);
    print_string(w->passes->data[i].name);
    printf(", \"verdict\": \"%s\"", verdict_text(w->verdicts[i]));
    if (w->assumed[i]) print_member("assumed", w->assumed[i]);
    putchar('}');
  }
  fputs("]}\n", stdout);
}

/* The answer that counts, of pass `which` (NULL result: without one, for the reason). */
static void show(const Walk *w, size_t which, AssayVerdict verdict, AssayResult *result, const char *reason,
                 const char *before, const char *after) {
  bool wrong = verdict == ASSAY_REFUTED;
  const char *name = verdict == ASSAY_PROVED ? NULL : w->passes->data[which].name;
  if (w->settings->json) {
    show_json(w, name, verdict, result, reason, wrong ? before : NULL, wrong ? after : NULL);
    return;
  }
  if (w->in_table) {
    printf("%-9s %s%s%s%s%s\n", verdict_text(verdict), w->file, name ? "  " : "", name ? name : "", reason ? ": " : "",
           reason ? reason : "");
    return;
  }
  printf("%s  --pass-pipeline\n", w->file);
  for (size_t i = 0; i < w->done; i++) {
    printf("  %-9s %s\n", verdict_text(w->verdicts[i]), w->passes->data[i].name);
    if (w->assumed[i]) printf("            assumed: %s\n", w->assumed[i]);
  }
  if (result && name) fputs(assay_result_text(result, w->settings->color ? ASSAY_COLOR : 0), stdout);
  if (!result && reason) printf("  %s: %s\n", name ? name : "", reason);
  if (wrong) printf("before %s:\n%s\nafter %s:\n%s", name, before, name, after);
}

static char *first_line(char *text) {
  text[strcspn(text, "\n")] = 0;
  return text;
}

static const char *tool_reason(ToolStatus status, char *message) {
  switch (status) {
  case TOOL_GOOD: break;
  case TOOL_MISSING: return "mlir-opt is not installed; ASSAY_MLIR_OPT may name it";
  case TOOL_LATE: return "mlir-opt does not end within the time limit";
  case TOOL_FAILED: return message && *message ? first_line(message) : "mlir-opt fails";
  }
  return NULL;
}

typedef struct Worst {
  AssayVerdict verdict;
  size_t pass;
  AssayContext *context; /* of the result */
  AssayResult *result;
  char *reason;
} Worst;

static int code_of(AssayVerdict verdict) {
  return verdict == ASSAY_PROVED ? 0 : verdict == ASSAY_REFUTED ? 1 : EXIT_UNKNOWN;
}

/* Of the object of `check`. */
static char *assumed_by(const char *json) {
  static const char kind[] = "\"kind\": \"", text[] = "\"text\": \"";
  const char *at = json ? strstr(json, "\"assumptions\": [") : NULL,
             *end = at ? strstr(at, "\"obligations\": [") : NULL;
  char *all = NULL;
  while (at && (at = strstr(at, kind)) && at < end) {
    bool is_reading = !strncmp(at + sizeof kind - 1, "floats", strlen("floats"));
    if (!(at = strstr(at, text))) break;
    at += sizeof text - 1;
    char *more = NULL;
    if (is_reading) continue;
    if (asprintf(&more, "%s%s%.*s", all ? all : "", all ? "; " : "", (int)strcspn(at, "\""), at) < 0)
      rescue_out_of_memory();
    free(all), all = more;
  }
  return all;
}

/* Compares the text with what the pass makes of it. 0, or the exit code of input that is refused. */
static int compare(Walk *w, size_t i, const char *before, const char *after, Worst *worst) {
  AssayContext *context;
  AssayResult *result;
  char *path = NULL;
  if (asprintf(&path, i ? "%s (after %s)" : "%s", w->file, i ? w->passes->data[i - 1].name : "") < 0)
    rescue_out_of_memory();
  AssayInput left = {path, before, strlen(before)}, right = {w->passes->data[i].name, after, strlen(after)};
  rescue_expect(w->file, NULL, w->settings->json ? RESCUE_JSON : RESCUE_TEXT, w->settings->options.timeout);
  if (assay_context_new(&context) != ASSAY_OK) rescue_out_of_memory();
  assay_check(&result, context, &left, &right, &w->settings->options);
  if (!result) rescue_out_of_memory();
  rescue_done();
  free(path);
  int refused = assay_result_exit_code(result);
  AssayVerdict verdict = w->verdicts[i] = assay_result_verdict(result);
  if (refused == EXIT_BAD_INPUT || refused == EXIT_USAGE) {
    const char *diagnostics = assay_result_diagnostics(result, 0);
    if (diagnostics) fputs(diagnostics, stderr);
  } else {
    refused = 0;
  }
  w->assumed[i] = assumed_by(assay_result_json(result));
  w->done = i + 1;
  if (!refused && (worst->verdict == ASSAY_PROVED || verdict == ASSAY_REFUTED) && verdict != ASSAY_PROVED) {
    assay_context_free(worst->context);
    free(worst->reason);
    const char *reason = assay_result_reason_text(result);
    *worst = (Worst){verdict, i, context, result, reason ? copy_string(reason) : NULL};
  } else {
    assay_context_free(context);
  }
  return refused;
}

static int check_file(Settings *settings, const Passes *passes, const char *file, bool in_table) {
  Walk w = {.settings = settings, .file = file, .in_table = in_table, .passes = passes};
  Worst worst = {.verdict = ASSAY_PROVED};
  char *before = read_file(file), *after = NULL, *message = NULL;
  int refused = 0;
  if (!before) {
    say_error("cannot read '%s'", file);
    return EXIT_BAD_INPUT;
  }
  for (size_t i = 0; i < passes->count && !refused && worst.verdict != ASSAY_REFUTED; i++) {
    if (after) free(before), before = after;
    free(message);
    ToolStatus status = mlir_opt_run(passes->data[i].pipeline, before, settings->options.timeout, &after, &message);
    const char *reason = tool_reason(status, message);
    if (reason) {
      say_error("%s: %s: %s", file, passes->data[i].name, reason);
      refused = status == TOOL_LATE ? EXIT_UNKNOWN : EXIT_BAD_INPUT;
      if (in_table || settings->json) show(&w, i, ASSAY_UNKNOWN, NULL, reason, before, "");
      break;
    }
    refused = compare(&w, i, before, after, &worst);
  }
  if (!refused) show(&w, worst.pass, worst.verdict, worst.result, worst.reason, before, after);
  assay_context_free(worst.context);
  free(worst.reason), free(message), free(before);
  if (after != before) free(after);
  for (size_t i = 0; i < w.done; i++) free(w.assumed[i]);
  return refused ? refused : code_of(worst.verdict);
}

/* ---- several ---- */

static bool is_folder(const char *path) {
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int check_path(Settings *settings, const Passes *passes, const char *path, bool in_table, int depth) {
  struct dirent **entries;
  int code = 0;
  if (!is_folder(path)) return check_file(settings, passes, path, in_table);
  int count = depth < MOST_FOLDERS ? scandir(path, &entries, is_shown, alphasort) : -1;
  if (count < 0) {
    say_error("cannot read '%s'", path);
    return EXIT_BAD_INPUT;
  }
  for (int i = 0; i < count; i++) {
    char *inner = NULL;
    const char *suffix = strrchr(entries[i]->d_name, '.');
    if (asprintf(&inner, "%s/%s", path, entries[i]->d_name) < 0) rescue_out_of_memory();
    if (is_folder(inner) || (suffix && !strcmp(suffix, ".mlir")))
      code = worse_code(code, check_path(settings, passes, inner, true, depth + 1));
    free(inner), free(entries[i]);
  }
  free(entries);
  return code;
}

int check_passes(Settings *settings) {
  Passes *passes = allocate(1, sizeof *passes);
  bool in_table = settings->input_count > 1;
  int code = 0;
  if (!read_pipeline(passes, settings->pass_pipeline) || !passes->count) {
    say_error("--pass-pipeline '%s': expected builtin.module(PASS, ..), at most %d passes", settings->pass_pipeline,
              MOST_PASSES);
    code = EXIT_USAGE;
  }
  for (size_t i = 0; i < settings->input_count && code != EXIT_USAGE; i++)
    code = worse_code(code, check_path(settings, passes, settings->inputs[i].path, in_table, 0));
  free_passes(passes);
  free(passes);
  return code;
}
