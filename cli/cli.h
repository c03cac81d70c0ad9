/* The command line: parsing, output files, the answer of last resort. It uses assay.h only. */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "assay/assay.h"

enum { EXIT_USAGE = 64, EXIT_UNKNOWN = 2, EXIT_BAD_INPUT = 3 };

enum { LIFT = 1, CHECK = 2, OPTIMIZE = 4, RECHECK = 8, PORT = 16, EVERY = 31 };

typedef struct Settings Settings;

typedef struct Command {
  const char *name;
  unsigned bit;
  bool is_built;
  int (*run)(Settings *settings);
  const char *arguments, *help;
} Command;

struct Settings {
  const Command *command;
  AssayOptions options;
  AssayInput *inputs;
  size_t input_count;
  AssayStrings formulas; /* -e */
  char **order;          /* of check: the arguments as they were given */
  const char *output, *report, *certificate, *pass_pipeline;
  const char *last_option, *last_value; /* of the options that have a value */
  unsigned long jobs;
  int all, json, run, help;
  FILE *modules;                        /* where modules are kept until they are written, or NULL */
  bool color, error_color, is_terminal; /* of standard output, of standard error; progress is wanted */
};

/* options.c */
/* Fills `settings`; a message on stderr and false on a usage error. */
bool settings_parse(Settings *settings, const Command *command, int argc, char **argv);
void usage_options(FILE *out, unsigned command);

/* output.c */
/* "assay: MESSAGE" on standard error; what came from the command line cannot steer the terminal. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Zeroed memory, and a copy of a text; they do not come back without (rescue.c). */
void *allocate(size_t count, size_t size);
char *copy_string(const char *text);
/* Writes the whole file or nothing: a temporary file beside it is renamed. False and a message on failure. */
bool write_file(const char *path, const char *text);
/* Makes the folder if it is not there. */
bool make_folder(const char *path);

/* rescue.c: when the engine crashes, does not come back or has no memory to answer with, an answer is given all the
 * same. */
void rescue_install(void);
/* What to answer from now on; 0 seconds: without a limit. */
typedef enum RescueForm { RESCUE_TEXT, RESCUE_ROW, RESCUE_JSON } RescueForm;
void rescue_expect(const char *input, const char *kernel, RescueForm form, double timeout);
void rescue_done(void);
/* Gives the answer `unknown` with the reason `memory`, and leaves. */
_Noreturn void rescue_out_of_memory(void);
/* On a terminal: show what is being done once it takes more than a second. */
void progress_enable(bool on);
void progress_stage(const char *input, const char *stage, void *payload);

/* batch.c: --all */
int run_batch(Settings *settings);
int worse_code(int a, int b);
typedef int FileTask(Settings *settings, const AssayInput *input, FILE *out, FILE *errors);
/* The task for each file that the inputs stand for, in processes of their own if there are several; the worst code. */
int run_files(Settings *settings, FileTask *task);
/* modules.c: what -o writes into a folder. */
typedef struct ModuleNames {
  char **data;
  size_t count;
} ModuleNames;
/* A file in memory. */
FILE *modules_new(void);
void modules_keep(FILE *to, const AssayResult *result);
/* Writes what such a file holds, under names that are not taken. False and a message on failure. */
bool modules_write(const Settings *settings, int fd, ModuleNames *names);
bool modules_write_result(const Settings *settings, const AssayResult *result);
void modules_free(ModuleNames *names);

/* cmd_port.c */
int cmd_port(Settings *settings);
/* cmd_lift.c */
int cmd_lift(Settings *settings);
/* Prints the answer to one lift, writes its files, and gives the exit code. */
/* cmd_check.c */
int cmd_check(Settings *settings);
/* cmd_check_passes.c: --pass-pipeline */
int check_passes(Settings *settings);
/* tool.c */
typedef enum ToolStatus { TOOL_GOOD, TOOL_MISSING, TOOL_FAILED, TOOL_LATE } ToolStatus;
/* What the tool prints, and what it says on standard error; both are to be freed, or NULL. It reads the text. 0
 * seconds: without a limit. */
ToolStatus mlir_opt_run(const char *pipeline, const char *text, double seconds, char **out, char **message);
/* arguments[0] is the place of the program's name; they end with NULL. */
ToolStatus python_run(char **arguments, const char *text, double seconds, char **out, char **message);
/* timing.c: --run. The members "seconds" and "sizes" of the JSON, and a text for the table; both are to be freed. */
void time_function(const Settings *settings, const AssayResult *result, const char *json, char **members, char **text);
/* cmd_optimize.c */
int cmd_optimize(Settings *settings);

int show_lift(const Settings *settings, AssayResult *result, FILE *out, FILE *errors, bool in_table);
/* The modules that --emit asked for, as -o says; those of a table are kept for now. */
bool write_emitted(const Settings *settings, const AssayResult *result);

#endif
