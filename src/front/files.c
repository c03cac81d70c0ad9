/* Files and folders.
 *
 * A file is a trace if it is a JSON object on a line of its own followed by more, or has an `event_type`; an
 * operation file if it is any other JSON object; else a program, whose reader is picked by content. The open file
 * and folder stand in the Front while they are in use, because any allocation may unwind. */
#include "front/front.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "read/python/read.h"
#include "read/readers.h"

enum { MAX_FOLDER_DEPTH = 16 };

void front_init(Front *front, Arena *arena, DiagnosticList *diagnostics, const AssayOptions *options) {
  *front = (Front){.arena = arena, .diagnostics = diagnostics, .options = options, .fd = -1};
}

static void close_file(Front *front) {
  if (front->fd > 0) close(front->fd);
  front->fd = -1;
}

static void close_folder(Front *front) {
  if (front->dir) closedir(front->dir);
  front->dir = NULL;
}

void front_close(Front *front) {
  close_file(front);
  close_folder(front);
}

void front_usage(Front *front, const char *code, const char *help, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Text text = text_new(front->arena);
  char buffer[480];
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  utf8_add_plain(&text, buffer);
  diagnostic_add(front->diagnostics, SEVERITY_ERROR, code, NULL, (Span){0, 0}, help, "%s", text_string(&text));
}

const char *front_plain(Arena *arena, const char *string) {
  Text text = text_new(arena);
  utf8_add_plain(&text, string);
  return text_string(&text);
}

static void unreadable(Front *front, const char *path, int error) {
  static const char *const help =
      "pass Triton IR (.ttir), MLIR, C, C++, Python, an operation file, a folder of them, or - for standard input";
  diagnostic_add(front->diagnostics, SEVERITY_ERROR, "input.unreadable", NULL, (Span){0, 0}, help,
                 "cannot read '%s': %s", front_plain(front->arena, path), strerror(error));
}

/* ---- folders ---- */

static bool has_suffix(const char *name, const char *suffix) {
  size_t size = strlen(name), end = strlen(suffix);
  return size >= end && !strcmp(name + size - end, suffix);
}

/* A folder that is being walked, and the one that it was found in. */
typedef struct Folder {
  const struct Folder *in;
  dev_t device;
  ino_t number;
  int depth;
} Folder;

static bool is_folder(const char *path, Folder *out) {
  struct stat info;
  if (stat(path, &info) || !S_ISDIR(info.st_mode)) return false;
  out->device = info.st_dev, out->number = info.st_ino;
  return true;
}

/* A link to a folder that it lies in leads round and round. */
static bool is_inside_itself(const Folder *folder) {
  for (const Folder *f = folder->in; f; f = f->in)
    if (f->device == folder->device && f->number == folder->number) return true;
  return false;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The entries of a folder, sorted; the folder is closed before anything below it is opened. */
static void list_folder(Front *front, const char *path, NameList *out) {
  front->dir = opendir(path);
  if (!front->dir) {
    unreadable(front, path, errno);
    return;
  }
  for (struct dirent *entry; (entry = readdir(front->dir));)
    if (entry->d_name[0] != '.')
      array_push(front->arena, out, arena_format(front->arena, "%s/%s", path, entry->d_name));
  close_folder(front);
  if (out->count) qsort(out->data, out->count, sizeof *out->data, compare_names);
}

static void expand_folder(Front *front, const char *path, const Folder *folder, InputList *out) {
  NameList entries = {0};
  list_folder(front, path, &entries);
  for (uint32_t i = 0; i < entries.count; i++) {
    const char *entry = entries.data[i];
    guard_tick(front->arena->guard);
    Folder inner = {.in = folder, .depth = folder->depth + 1};
    if (!is_folder(entry, &inner)) {
      if (front->options->port ? reader_is_source(entry) : has_suffix(entry, ".ttir"))
        array_push(front->arena, out, (AssayInput){.path = entry});
    } else if (inner.depth <= MAX_FOLDER_DEPTH && !is_inside_itself(&inner)) {
      expand_folder(front, entry, &inner, out);
    }
  }
}

/* ---- parts ---- */

static bool is_header(const char *path) { return has_suffix(path, ".h") || has_suffix(path, ".hpp"); }

/* The sources that the text includes by `#include "NAME"`, from the folder that it lies in. */
static void note_included(Front *front, const char *path, const char *text, NameList *out) {
  const char *slash = strrchr(path, '/');
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += strspn(line, " \t\r\n");
    if (*line != '#') continue;
    const char *word = line + 1 + strspn(line + 1, " \t");
    if (strncmp(word, "include", 7)) continue;
    const char *name = word + 7 + strspn(word + 7, " \t");
    size_t length = *name == '"' ? strcspn(name + 1, "\"\n") : 0;
    const char *folder = arena_copy(front->arena, path, slash ? (size_t)(slash - path + 1) : 0);
    const char *found = arena_format(front->arena, "%s%.*s", folder, (int)length, name + 1);
    if (length && reader_is_source(found) && !is_header(found)) array_push(front->arena, out, found);
  }
}

static bool is_same_file(const char *a, const char *b) {
  struct stat one, other;
  return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* A source among these that another one includes is a part of that: its functions are listed there. */
static void drop_parts(Front *front, InputList *files, uint32_t first) {
  NameList included = {0};
  for (uint32_t i = first; i < files->count; i++) {
    size_t size;
    const char *path = files->data[i].path;
    char *text = access(path, R_OK) ? NULL : front_read_path(front, front->arena, path, &size);
    if (text) note_included(front, path, text, &included);
  }
  uint32_t kept = first;
  for (uint32_t i = first; i < files->count; i++) {
    const char *path = files->data[i].path;
    bool is_part = false;
    for (uint32_t k = 0; k < included.count && !is_part; k++) is_part = is_same_file(path, included.data[k]);
    if (!is_part) files->data[kept++] = files->data[i];
  }
  files->count = kept;
}

void front_expand(Front *front, const AssayInput *inputs, size_t count, InputList *out) {
  for (size_t i = 0; i < count; i++) {
    Folder folder = {0};
    if (inputs[i].text || !inputs[i].path || !strcmp(inputs[i].path, "-") || !is_folder(inputs[i].path, &folder)) {
      array_push(front->arena, out, inputs[i]);
      continue;
    }
    uint32_t before = out->count, errors = front->diagnostics->error_count;
    size_t end = strlen(inputs[i].path);
    while (end > 1 && inputs[i].path[end - 1] == '/') end--;
    expand_folder(front, arena_copy(front->arena, inputs[i].path, end), &folder, out);
    if (front->options->port) drop_parts(front, out, before);
    if (out->count == before && front->diagnostics->error_count == errors && front->options->port)
      diagnostic_add(front->diagnostics, SEVERITY_ERROR, "input.empty-folder", NULL, (Span){0, 0}, NULL,
                     "no file of C, C++ or Python in the folder '%s'", front_plain(front->arena, inputs[i].path));
    else if (out->count == before && front->diagnostics->error_count == errors)
      diagnostic_add(front->diagnostics, SEVERITY_ERROR, "input.empty-folder", NULL, (Span){0, 0},
                     "Triton's cache is ~/.triton/cache, or $TRITON_CACHE_DIR", "no .ttir file in the folder '%s'",
                     front_plain(front->arena, inputs[i].path));
  }
}

/* ---- files ---- */

const char *front_split_function(Arena *arena, const char *path, const char **function) {
  const char *colon = strrchr(path, ':');
  *function = NULL;
  if (!colon || !colon[1] || strchr(colon, '/')) return path;
  const char *file = arena_copy(arena, path, (size_t)(colon - path));
  if (!reader_has_functions(file)) return path;
  *function = colon + 1;
  return file;
}

/* Reads to the end; the room for a regular file of known size is made at once. */
static char *read_all(Front *front, Arena *arena, size_t *size) {
  struct stat info;
  size_t room = 1 << 16;
  if (!fstat(front->fd, &info) && S_ISREG(info.st_mode) && info.st_size >= 0) room = (size_t)info.st_size + 1;
  char *text = arena_alloc(arena, room + 1);
  for (*size = 0;;) {
    ssize_t got = read(front->fd, text + *size, room - *size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return NULL;
    if (!got) break;
    guard_tick(arena->guard);
    *size += (size_t)got;
    if (*size < room) continue;
    text = arena_grow(arena, text, room + 1, 2 * room + 1);
    room *= 2;
  }
  text[*size] = 0;
  return text;
}

char *front_read_path(Front *front, Arena *arena, const char *path, size_t *size) {
  front->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : 0;
  char *text = front->fd >= 0 ? read_all(front, arena, size) : NULL;
  int error = errno;
  close_file(front);
  if (!text) unreadable(front, path, error);
  return text;
}

static InputKind kind_of(const Source *source) {
  size_t at = 0;
  if (reader_is_source(source->name)) return INPUT_PROGRAM;
  while (at < source->size && strchr(" \t\r\n", source->text[at]) && source->text[at]) at++;
  if (at == source->size || source->text[at] != '{') return reader_of(source)->read ? INPUT_PROGRAM : INPUT_FORMULA;
  /* MLIR may begin with `{-#` (resources); JSON goes on with a key or ends. */
  size_t next = at + 1;
  while (next < source->size && strchr(" \t\r\n", source->text[next]) && source->text[next]) next++;
  if (next < source->size && source->text[next] != '"' && source->text[next] != '}') return INPUT_PROGRAM;
  const char *line = memchr(source->text + at, '\n', source->size - at);
  size_t length = line ? (size_t)(line - source->text) - at : source->size - at;
  static const char mark[] = "\"event_type\"";
  return memmem(source->text + at, length, mark, sizeof mark - 1) ? INPUT_TRACE : INPUT_OPERATION;
}

FrontFile *front_read_file(Front *front, Arena *arena, const AssayInput *input) {
  const char *path = input->path ? input->path : "<buffer>";
  FrontFile *file = arena_new(arena, FrontFile);
  const char *text = input->text;
  size_t size = input->size;
  if (!text) path = front_split_function(arena, path, &file->function);
  if (!text) text = front_read_path(front, arena, path, &size);
  if (!text) return NULL;
  file->name = input->text || strcmp(path, "-") ? front_plain(arena, path) : "<stdin>";
  if (input->text) text = arena_copy(arena, text, size);
  file->source = source_new(arena, file->name, text, size);
  if (front_is_mirage(file->source) && !(file->source = front_read_mirage(front, arena, file->source))) return NULL;
  file->kind = kind_of(file->source);
  return file;
}

Program *front_read_program(Front *front, Arena *arena, FrontFile *file) {
  if (file->is_read && file->program) return file->program;
  file->is_read = true;
  if (front->options->progress) front->options->progress(file->name, "read", front->options->progress_payload);
  InternTable *names = arena_new(arena, InternTable);
  intern_init(names, arena);
  uint32_t errors = front->diagnostics->error_count;
  const AssayStrings *arguments = &front->options->arguments, *opaque = &front->options->opaque;
  ReadOptions options = {arguments->data, (uint32_t)arguments->count, opaque->data, (uint32_t)opaque->count,
                         front->options->port != 0};
  Program *program = read_program(arena, names, file->source, &options, front->diagnostics);
  if (front->diagnostics->error_count != errors) program = NULL;
  file->program = program;
  return program;
}

bool front_has_loops(Front *front, Source *source, const char *function) {
  return python_has_loops(front->arena, source, function);
}

void front_public_names(Arena *arena, const Program *program, bool with_loops, NameList *out) {
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const Function *function = &program->functions.data[i];
    if (function->is_public && !(with_loops && function->is_straight))
      array_push(arena, out, intern_string(program->names, function->name));
  }
  for (uint32_t i = 0; i < program->refusals.count; i++)
    if (!(with_loops && program->refusals.data[i].is_straight))
      array_push(arena, out, intern_string(program->names, program->refusals.data[i].name));
}

const char *front_relative_path(Arena *arena, const char *beside, const char *name) {
  const char *slash = strrchr(beside, '/');
  if (name[0] == '/' || !slash) return name;
  return arena_format(arena, "%.*s/%s", (int)(slash - beside), beside, name);
}
