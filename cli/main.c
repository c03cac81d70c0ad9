/* assay: the command line. Commands are rows of commands.def, options rows of options.def. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

static const Command commands[] = {
#define COMMAND(name, bit, built, function, arguments, help) {name, bit, built, function, arguments, help},
#include "commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const Command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (commands[i].is_built && !strcmp(commands[i].name, name)) return &commands[i];
  return NULL;
}

static void general_help(FILE *out) {
  fputs("usage: assay COMMAND [OPTIONS] ARGUMENTS\n\n", out);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (commands[i].is_built)
      fprintf(out, "  assay %-8s %-16s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
  fputs("  assay help [COMMAND]            options of a command\n"
        "  assay --version\n\n"
        "exit: 0 proved, 1 refuted, 2 not proved, 3 bad input, 64 usage error\n",
        out);
}

static void command_help(FILE *out, const Command *command) {
  fprintf(out, "usage: assay %s [OPTIONS] %s\n%s\n\n", command->name, command->arguments, command->help);
  usage_options(out, command->bit);
}

static int unknown_command(const char *name) {
  say_error("unknown command '%s'; see assay --help", name);
  return EXIT_USAGE;
}

static int help(int argc, char **argv) {
  const Command *command = argc > 2 ? find_command(argv[2]) : NULL;
  if (argc > 2 && !command) return unknown_command(argv[2]);
  if (command)
    command_help(stdout, command);
  else
    general_help(stdout);
  return 0;
}

/* Before the options are read: the form of an answer should the memory end there. */
static bool wants_json(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--json")) return true;
  return false;
}

static int run_command(const Command *command, int argc, char **argv) {
  static Settings settings; /* static: what it points to is reachable until the end */
  rescue_install();
  rescue_expect(command->name, NULL, wants_json(argc, argv) ? RESCUE_JSON : RESCUE_TEXT, 0);
  bool good = settings_parse(&settings, command, argc, argv);
  rescue_done();
  if (!good) return EXIT_USAGE;
  if (settings.help) {
    command_help(stdout, command);
    return 0;
  }
  progress_enable(settings.is_terminal);
  settings.options.progress = progress_stage;
  return command->run(&settings);
}

int main(int argc, char **argv) {
  int code;
  const char *name = argc > 1 ? argv[1] : NULL;
  const Command *command = name ? find_command(name) : NULL;
  if (!name) {
    general_help(stderr);
    return EXIT_USAGE;
  }
  if (!strcmp(name, "--version")) {
    printf("assay %s\n", assay_version());
    code = 0;
  } else if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
    code = help(argc, argv);
  } else {
    code = command ? run_command(command, argc - 1, argv + 1) : unknown_command(name);
  }
  if (fflush(stdout) || ferror(stdout)) {
    say_error("cannot write the output");
    return code ? code : EXIT_UNKNOWN;
  }
  return code;
}
