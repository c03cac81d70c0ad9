/* Options: options.def makes the table of getopt_long, the places where values go, and the usage text. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum Kind { FLAG, TEXT, LIST, NAMES, COUNT, SECONDS, BYTES, EXPLAIN, HELP } Kind;

typedef struct Option {
  const char *name;
  int letter;
  const char *argument;
  unsigned commands;
  bool is_built;
  Kind kind;
  size_t place;
  const char *help;
} Option;

static const Option table[] = {
#define OPTION(name, letter, argument, commands, built, kind, field, help)                                             \
  {name, letter, argument, commands, built, kind, offsetof(Settings, field), help},
#include "options.def"
#undef OPTION
};
enum { OPTION_COUNT = sizeof table / sizeof *table, FIRST_CODE = 256 };

static bool applies(const Option *option, unsigned command) { return option->is_built && (option->commands & command); }

void usage_options(FILE *out, unsigned command) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const Option *option = &table[i];
    if (!applies(option, command)) continue;
    char left[64];
    bool optional = option->kind == EXPLAIN;
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", option->letter ? "-" : "", option->letter ? option->letter : ' ',
             option->letter ? ", " : "   ", option->name,
             !option->argument ? ""
             : optional        ? "[="
                               : " ",
             !option->argument ? ""
             : optional        ? "STAGE]"
                               : option->argument);
    fprintf(out, "  %-34s %s\n", left, option->help);
  }
}

static bool bad_value(const Option *option, const char *value) {
  say_error("--%s '%s': expected %s", option->name, value, option->argument);
  return false;
}

/* Lists grow by one; there are as many as there are arguments. */
static void push(AssayStrings *list, const char *text) {
  const char **data = realloc((void *)list->data, (list->count + 1) * sizeof *data);
  if (!data) rescue_out_of_memory();
  data[list->count++] = text;
  list->data = data;
}

static bool push_names(AssayStrings *list, char *names, const Option *option) {
  char *rest = NULL;
  char *copy = copy_string(names);
  for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) push(list, name);
  return list->count ? true : bad_value(option, names);
}

static bool parse_bytes(const char *text, uint64_t *out) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  const char *units = "KMG", *unit = *end ? strchr(units, *end & ~32) : NULL;
  int shift = unit ? 10 * (int)(unit - units + 1) : 0;
  if (errno || end == text || *text == '-' || (*end && (!unit || end[1])) || value > UINT64_MAX >> shift) return false;
  *out = value << shift;
  return true;
}

static bool parse_seconds(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && isfinite(*out) && *out >= 0;
}

static bool parse_count(const char *text, unsigned long *out) {
  char *end;
  errno = 0;
  *out = strtoul(text, &end, 10);
  return !errno && end != text && !*end && *text != '-' && *out >= 1 && *out <= 1024;
}

static bool store(Settings *settings, const Option *option, char *value) {
  void *place = (char *)settings + option->place;
  switch (option->kind) {
  case FLAG:
  case HELP: *(int *)place = 1; return true;
  case TEXT: *(const char **)place = value; return true;
  case LIST: push(place, value); return true;
  case NAMES: return push_names(place, value, option);
  case COUNT: return parse_count(value, place) || bad_value(option, value);
  case SECONDS: return parse_seconds(value, place) || bad_value(option, value);
  case BYTES: return parse_bytes(value, place) || bad_value(option, value);
  case EXPLAIN:
    settings->options.explain = 1;
    *(const char **)place = value;
    return true;
  }
  return false;
}

static void make_table(unsigned command, struct option *longs, char *letters) {
  *letters++ = ':'; /* a missing argument is told apart from an unknown option */
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const Option *option = &table[i];
    if (!applies(option, command)) continue;
    int has_argument = !option->argument         ? no_argument
                       : option->kind == EXPLAIN ? optional_argument
                                                 : required_argument;
    *longs++ = (struct option){option->name, has_argument, NULL, FIRST_CODE + (int)i};
    if (!option->letter) continue;
    *letters++ = (char)option->letter;
    if (has_argument == required_argument) *letters++ = ':';
  }
  *longs = (struct option){0};
  *letters = 0;
}

static const Option *find_option(int code, unsigned command) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (applies(&table[i], command) && (code == FIRST_CODE + (int)i || (code < FIRST_CODE && code == table[i].letter)))
      return &table[i];
  return NULL;
}

/* True if this text is the name of an option, `--json`. No value is. */
static bool find_long(const char *text, unsigned command) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (!strncmp(text, "--", 2) && !strcmp(text + 2, table[i].name) && applies(&table[i], command)) return true;
  return false;
}

static bool complain(int code, const char *argument, const char *command) {
  say_error("%s '%s'; see assay help %s", code == ':' ? "missing value of" : "unknown or ambiguous option", argument,
            command);
  return false;
}

/* `--grid FILE`: the value was forgotten, and the file became it. */
static bool lacks_input(const Settings *settings) {
  const char *value = settings->last_value;
  if (value)
    say_error("no input: '%s' is the value of --%s; see assay help %s", value, settings->last_option,
              settings->command->name);
  return !value;
}

/* The suffix of a report says its form. */
static bool is_report(const char *path) {
  const char *suffix = strrchr(path, '.');
  return suffix && (!strcmp(suffix, ".html") || !strcmp(suffix, ".sarif"));
}

static bool is_usable(Settings *settings) {
  const char *wrong = NULL;
  size_t emits = settings->options.emits.count;
  if (settings->help) return true;
  if (settings->command->bit == CHECK) {
    bool passes = settings->pass_pipeline;
    if (passes && (!settings->input_count || settings->formulas.count))
      wrong = "--pass-pipeline needs a file or folder";
    if (passes && (settings->report || settings->options.stop_after)) wrong = "--pass-pipeline has no other outputs";
    if (!passes && settings->input_count + settings->formulas.count < 2) wrong = "two inputs are compared";
  } else if (settings->command->bit == OPTIMIZE) {
    if (settings->input_count + settings->formulas.count != 1) wrong = "one input is optimized";
  } else if (!settings->input_count && !settings->options.launch) {
    if (!lacks_input(settings)) return false;
    wrong = "no input";
  }
  bool ports = settings->command->bit == PORT;
  if ((settings->output || settings->run) && !emits && ports) push(&settings->options.emits, "numpy");
  if (settings->output && !emits && !ports) wrong = "-o needs --emit";
  if (!settings->output && !settings->run && emits && ports) wrong = "--emit needs -o DIR, or --run";
  if (settings->all && settings->options.kernels.count) wrong = "--all and --kernel exclude each other";
  if (settings->all && settings->options.launch) wrong = "--all and --launch exclude each other";
  if (settings->all && emits && !settings->output) wrong = "--all with --emit needs -o FOLDER";
  if (settings->report && !is_report(settings->report)) wrong = "--report writes FILE.html or FILE.sarif";
  if (settings->report && settings->all) wrong = "--all and --report exclude each other";
  if (settings->jobs > 1 && !settings->all && !ports) wrong = "--jobs needs --all";
  if (settings->jobs > 1 && settings->run) wrong = "--run takes one file at a time, and --jobs several";
  if (!wrong) return true;
  say_error("%s; see assay help %s", wrong, settings->command->name);
  return false;
}

static bool wants_color(int stream) {
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(stream) && !(no_color && *no_color) && !(terminal && !strcmp(terminal, "dumb"));
}

/* What follows `--` goes to clang, if files come before it. They are the last ones; getopt has moved the others. */
static size_t take_clang_arguments(Settings *settings, int argc, char **argv) {
  size_t count = 0;
  for (int i = 1; i < argc && !count; i++)
    if (!strcmp(settings->order[i], "--")) count = (size_t)(argc - i - 1);
  if (!count || count >= (size_t)(argc - optind)) return 0;
  settings->options.arguments = (AssayStrings){(const char *const *)argv + argc - count, count};
  return count;
}

/* --merge takes all files but the first, which is the input unless -e is. */
static void take_parts(Settings *settings, char **files) {
  size_t own = settings->formulas.count ? 0 : 1;
  AssayStrings *merges = &settings->options.merges;
  if (!merges->count || settings->input_count <= own) return;
  const char **all = allocate(merges->count + settings->input_count, sizeof *all);
  memcpy(all, merges->data, merges->count * sizeof *all);
  for (size_t i = own; i < settings->input_count; i++) all[merges->count++] = files[i];
  settings->input_count = own;
  free((void *)merges->data);
  merges->data = all;
}

bool settings_parse(Settings *settings, const Command *command, int argc, char **argv) {
  struct option longs[OPTION_COUNT + 1];
  char letters[2 * OPTION_COUNT + 2];
  *settings = (Settings){.command = command, .options = ASSAY_OPTIONS_INIT, .jobs = 1};
  make_table(command->bit, longs, letters);
  settings->order = allocate((size_t)argc + 1, sizeof *settings->order);
  memcpy(settings->order, argv, (size_t)argc * sizeof *argv); /* getopt moves arguments */
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
    const Option *option = code == '?' || code == ':' ? NULL : find_option(code, command->bit);
    if (!option) return complain(code, argv[optind - 1], command->name);
    if (optarg && optarg == argv[optind - 1] && find_long(optarg, command->bit))
      return complain(':', argv[optind - 2], command->name);
    if (!store(settings, option, optarg)) return false;
    if (optarg) settings->last_option = option->name, settings->last_value = optarg;
  }
  settings->input_count = (size_t)(argc - optind) - take_clang_arguments(settings, argc, argv);
  take_parts(settings, argv + optind);
  settings->inputs = allocate(settings->input_count + 1, sizeof *settings->inputs);
  for (size_t i = 0; i < settings->input_count; i++) settings->inputs[i].path = argv[optind + (int)i];
  if (settings->output && !strcmp(settings->output, "-")) settings->output = NULL; /* standard output, as without */
  settings->color = wants_color(1);
  settings->error_color = wants_color(2);
  settings->is_terminal = isatty(2);
  return is_usable(settings);
}
