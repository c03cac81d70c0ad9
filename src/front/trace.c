/* Traces of tritonparse (ndjson): one JSON event a line.
 *
 *   {"event_type": "compilation", "payload": {"metadata": {"hash", "name", ...}, "file_content": {"k.ttir": text}}}
 *   {"event_type": "launch", "name", "grid": [..], "compilation_metadata": {"hash"}, "extracted_args": {
 *        "x_ptr": {"type": "tensor", "shape", "stride", "dtype", "element_size", "data_ptr"},
 *        "n": {"type": "int", "value": 1000}, ...}}
 *
 * A launch belongs to the compilation of its hash, else of its name. Of several launches of one compilation the
 * first is taken: it is a sample, not a constant. Arguments that the compiled function no longer has (constexprs,
 * integers that were 1) are left out. Tensors that share elements become slices of one,
 * since else the proof would assume that they do not. */
#include "front/front.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"

typedef struct Event {
  const Json *json;
  const char *kernel, *hash; /* hash may be NULL */
  const Json *launch;        /* of a compilation: its first launch */
} Event;

typedef Array(Event) EventList;

static const Json *event_metadata(const Json *json) {
  const Json *metadata = json_get(json, "compilation_metadata");
  return metadata ? metadata : json_get(json_get(json, "payload"), "metadata");
}

static Event *find_compilation(EventList *events, const Json *json) {
  const char *hash = json_get_string(event_metadata(json), "hash");
  const char *name = json_get_string(json, "name");
  for (uint32_t i = 0; hash && i < events->count; i++)
    if (events->data[i].hash && !strcmp(events->data[i].hash, hash)) return &events->data[i];
  for (uint32_t i = 0; name && i < events->count; i++)
    if ((!hash || !events->data[i].hash) && !strcmp(events->data[i].kernel, name)) return &events->data[i];
  return NULL;
}

/* True if the event is kept, so that its JSON must stay. */
static bool add_event(Arena *arena, EventList *events, EventList *launches, const Json *json) {
  const char *type = json_get_string(json, "event_type");
  if (type && !strcmp(type, "launch")) {
    Event *known = find_compilation(launches, json);
    const char *name = json_get_string(json, "name");
    if (!name) name = json_get_string(event_metadata(json), "name");
    if (known || !name) return false;
    array_push(arena, launches,
               (Event){.json = json, .kernel = name, .hash = json_get_string(event_metadata(json), "hash")});
    return true;
  }
  if (!type || strcmp(type, "compilation")) return false;
  const char *name = json_get_string(event_metadata(json), "name"),
             *hash = json_get_string(event_metadata(json), "hash");
  if (!name) return false;
  for (uint32_t i = 0; hash && i < events->count; i++)
    if (events->data[i].hash && !strcmp(events->data[i].hash, hash)) return false;
  array_push(arena, events, (Event){.json = json, .kernel = name, .hash = hash});
  return true;
}

/* Reads all events; compilations get their first launch. The memory of a line that is not kept is given back. */
static bool read_events(Front *front, const FrontFile *file, EventList *events, EventList *launches) {
  size_t at = 0;
  while (at < file->source->size) {
    ArenaMark mark = arena_mark(front->arena);
    const Json *json = json_read(front->arena, file->source, &at, front->diagnostics);
    if (!json) return false;
    if (!add_event(front->arena, events, launches, json)) arena_reset(front->arena, mark);
  }
  for (uint32_t i = 0; i < launches->count; i++) {
    Event *event = find_compilation(events, launches->data[i].json);
    if (event && !event->launch) event->launch = launches->data[i].json;
  }
  return true;
}

/* ---- arguments ---- */

static const char *dtype_name(const char *torch) {
  static const char *const names[][2] = {{"torch.float32", "f32"},
                                         {"torch.float16", "f16"},
                                         {"torch.bfloat16", "bf16"},
                                         {"torch.float64", "f64"},
                                         {"torch.int8", "i8"},
                                         {"torch.int16", "i16"},
                                         {"torch.int32", "i32"},
                                         {"torch.int64", "i64"},
                                         {"torch.uint8", "u8"},
                                         {"torch.uint16", "u16"},
                                         {"torch.uint32", "u32"},
                                         {"torch.uint64", "u64"},
                                         {"torch.bool", "i1"},
                                         {"torch.float8_e4m3fn", "f8E4M3FN"},
                                         {"torch.float8_e4m3fnuz", "f8E4M3FNUZ"},
                                         {"torch.float8_e5m2", "f8E5M2"},
                                         {"torch.float8_e5m2fnuz", "f8E5M2FNUZ"}};
  for (size_t i = 0; torch && i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i][0], torch)) return names[i][1];
  return NULL;
}

enum { MOST_AXES = 12 };

typedef struct Memory { /* where a tensor of the launch lies */
  OperationTensor tensor;
  unsigned long long begin, end, element;
  long long shape[MOST_AXES], stride[MOST_AXES];
  bool is_small;  /* numbers and rank are such that they can be reckoned with */
  uint32_t first; /* of those that share elements with it, the first one: the tensor is called after that */
} Memory;
typedef Array(Memory) Memories;

static unsigned long long json_whole(const Json *value) {
  return value && value->text ? strtoull(value->text, NULL, 0) : 0;
}

static const Expr *const *read_numbers(Front *front, const FrontFile *file, const Json *array, uint32_t *count) {
  if (!array || array->kind != JSON_ARRAY) return NULL;
  const Expr **list = arena_array(front->arena, const Expr *, array->count + 1);
  for (uint32_t i = 0; i < array->count; i++) {
    const Json *item = array->members[i].value;
    if (item->kind != JSON_NUMBER || strpbrk(item->text, ".eE")) {
      diagnostic_add(front->diagnostics, SEVERITY_ERROR, "trace.number", file->source, item->span, NULL,
                     "expected a whole number");
      return NULL;
    }
    list[i] = expr_read(front->arena, item->text);
  }
  *count = array->count;
  return list;
}

static const Expr *whole_number(Front *front, unsigned long long number) {
  return expr_read(front->arena, arena_format(front->arena, "%llu", number));
}

/* The byte behind the last that the tensor reaches, from its shape and strides. */
static void measure(Memory *m) {
  unsigned long long last = 0;
  bool is_empty = false;
  m->is_small = m->tensor.rank <= MOST_AXES && m->element <= INT_MAX;
  for (uint32_t i = 0; i < m->tensor.rank; i++) {
    unsigned long long size = strtoull(m->tensor.shape[i]->text, NULL, 10),
                       stride = m->tensor.strides ? strtoull(m->tensor.strides[i]->text, NULL, 10) : 1;
    is_empty |= !size;
    last += (size - 1) * stride;
    m->is_small &= size <= INT_MAX && stride <= INT_MAX;
    if (m->is_small) m->shape[i] = (long long)size, m->stride[i] = (long long)stride;
  }
  m->end = is_empty ? m->begin : m->begin + (last + 1) * m->element;
}

static bool has_same_strides(const Memory *a, const Memory *b) {
  if (a->tensor.rank != b->tensor.rank || !a->is_small || !b->is_small || a->element != b->element) return false;
  for (uint32_t k = 0; k < a->tensor.rank; k++)
    if (a->stride[k] != b->stride[k] || a->stride[k] < 1) return false;
  return true;
}

/* b, which begins no earlier, as a slice of a tensor that a is one of too: at[k] is its first index along axis k. */
static bool is_beside(const Memory *a, const Memory *b, long long *at) {
  unsigned long long bytes = b->begin - a->begin;
  if (!has_same_strides(a, b) || bytes % a->element || bytes > (1ull << 60)) return false;
  long long rest = (long long)(bytes / a->element), outer = LLONG_MAX;
  bool done[MOST_AXES] = {0};
  for (uint32_t n = 0; n < a->tensor.rank; n++) { /* from the greatest stride on */
    uint32_t k = MOST_AXES;
    for (uint32_t i = 0; i < a->tensor.rank; i++)
      if (!done[i] && (k == MOST_AXES || a->stride[i] > a->stride[k])) k = i;
    at[k] = rest / a->stride[k], rest %= a->stride[k], done[k] = true;
    long long length = at[k] + b->shape[k] > a->shape[k] ? at[k] + b->shape[k] : a->shape[k];
    if (length > outer / a->stride[k]) return false; /* it goes on in the next row */
    outer = a->stride[k];
  }
  return !rest;
}

/* The bytes of a row of that pitch: of the axes that do not step over whole rows. */
static unsigned long long row_bytes(const Memory *m, unsigned long long pitch) {
  unsigned long long bytes = m->element;
  for (uint32_t k = 0; k < m->tensor.rank; k++) {
    unsigned long long step = (unsigned long long)m->stride[k] * m->element;
    if (m->shape[k] < 2 || step % pitch == 0) continue;
    if ((unsigned long long)m->shape[k] - 1 > pitch / step) return LLONG_MAX;
    bytes += (unsigned long long)(m->shape[k] - 1) * step;
  }
  return bytes;
}

/* Halves of rows, every other element, a scale in front of each row: by the pitch of some axis the one lies behind the
 * other. */
static bool are_apart(const Memory *low, const Memory *high) {
  for (uint32_t k = 0; k < low->tensor.rank && low->is_small && high->is_small; k++) {
    unsigned long long pitch = (unsigned long long)low->stride[k] * low->element,
                       at = pitch ? (high->begin - low->begin) % pitch : 0;
    if (pitch && row_bytes(low, pitch) <= at && at + row_bytes(high, pitch) <= pitch) return true;
  }
  return false;
}

static bool share(const Memory *a, const Memory *b) {
  const Memory *low = a->begin <= b->begin ? a : b, *high = low == a ? b : a;
  return low->begin && low->begin != low->end && high->begin != high->end && high->begin < low->end &&
         !are_apart(low, high);
}

static bool read_tensor(Front *front, const FrontFile *file, const JsonMember *member, Memory *out) {
  const Json *json = member->value;
  uint32_t stride_count = 0;
  OperationTensor tensor = {.name = member->key, .dtype = dtype_name(json_get_string(json, "dtype"))};
  tensor.shape = read_numbers(front, file, json_get(json, "shape"), &tensor.rank);
  tensor.strides = read_numbers(front, file, json_get(json, "stride"), &stride_count);
  if (!tensor.shape || !tensor.dtype || (tensor.strides && stride_count != tensor.rank)) {
    diagnostic_add(front->diagnostics, SEVERITY_ERROR, "trace.tensor", file->source, json->span, NULL,
                   "tensor argument without a usable shape, stride and dtype");
    return false;
  }
  unsigned long long element = json_whole(json_get(json, "element_size"));
  *out = (Memory){.tensor = tensor, .begin = json_whole(json_get(json, "data_ptr")), .element = element ? element : 1};
  measure(out);
  return true;
}

/* Without gaps: all that lies there is an element of it. */
static bool is_dense(const Memory *m) {
  unsigned long long bytes = m->element;
  for (uint32_t k = 0; k < m->tensor.rank && m->is_small; k++) {
    if (bytes > (1ull << 32)) return false;
    bytes *= (unsigned long long)m->shape[k];
  }
  return m->is_small && bytes == m->end - m->begin;
}

/* The tensor that those which share elements are slices of: of one shape if they have the same strides, or one without
 * gaps that has all of them; else memory. */
static OperationTensor whole_of(Front *front, const Memories *all, uint32_t first, unsigned long long *begin) {
  const Memory *base = NULL, *holder = NULL;
  unsigned long long end = 0;
  uint32_t count = 0;
  for (uint32_t i = first; i < all->count; i++) {
    const Memory *m = &all->data[i];
    if (m->first != first) continue;
    if (!base || m->begin < base->begin) base = m;
    if (m->end > end) end = m->end;
    count++;
  }
  *begin = base->begin;
  OperationTensor whole = base->tensor;
  whole.name = all->data[first].tensor.name;
  if (count == 1) return whole;
  long long shape[MOST_AXES] = {0}, at[MOST_AXES];
  bool beside = true;
  for (uint32_t i = all->count; i-- > first;) {
    const Memory *m = &all->data[i];
    if (m->first != first) continue;
    if (m->begin == *begin && m->end == end && is_dense(m)) holder = m;
    beside = beside && is_beside(base, m, at);
    for (uint32_t k = 0; beside && k < base->tensor.rank; k++)
      if (at[k] + m->shape[k] > shape[k]) shape[k] = at[k] + m->shape[k];
  }
  if (!beside && holder)
    whole.rank = holder->tensor.rank, whole.shape = holder->tensor.shape, whole.strides = holder->tensor.strides;
  if (!beside && holder) return whole;
  const Expr **sizes = arena_array(front->arena, const Expr *, whole.rank + 1);
  for (uint32_t k = 0; beside && k < whole.rank; k++) sizes[k] = whole_number(front, (unsigned long long)shape[k]);
  if (!beside) sizes[0] = whole_number(front, (end - *begin) / base->element), whole.rank = 1, whole.strides = NULL;
  whole.shape = sizes;
  return whole;
}

static void add_tensors(Front *front, Memories *all, Operation *operation, Launch *launch) {
  for (uint32_t i = 0; i < all->count; i++) {
    all->data[i].first = i;
    for (uint32_t k = 0; k < i; k++) {
      if (!share(&all->data[k], &all->data[i])) continue;
      uint32_t a = all->data[k].first, b = all->data[i].first, low = a < b ? a : b, high = a < b ? b : a;
      for (uint32_t n = 0; n <= i; n++)
        if (all->data[n].first == high) all->data[n].first = low;
    }
  }
  for (uint32_t first = 0; first < all->count; first++) {
    if (all->data[first].first != first) continue;
    unsigned long long begin;
    OperationTensor whole = whole_of(front, all, first, &begin);
    array_push(front->arena, &operation->tensors, whole);
    for (uint32_t i = first; i < all->count; i++) {
      const Memory *m = &all->data[i];
      LaunchArg arg = {.param = m->tensor.name, .tensor = whole.name};
      if (m->first != first) continue;
      OperationTensor *own = arena_new(front->arena, OperationTensor);
      *own = m->tensor, arg.slice = own;
      if (m->begin > begin) arg.offset = whole_number(front, (m->begin - begin) / m->element);
      array_push(front->arena, &launch->args, arg);
    }
  }
}

static bool is_parameter(const Program *program, const char *kernel, const char *name) {
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const Function *function = &program->functions.data[i];
    if (strcmp(intern_string(program->names, function->name), kernel)) continue;
    const Op *op = program_get_op(program, function->op);
    if (!op->region_count) return false;
    const Block *entry = program_get_block(program, program_get_region(program, op->regions[0])->blocks.data[0]);
    for (uint32_t a = 0; a < entry->arg_count; a++)
      if (!strcmp(program_arg_name(program, entry->first_arg + a), name)) return true;
  }
  return false;
}

static void add_args(Front *front, const FrontFile *file, const Json *args, Operation *operation, Launch *launch) {
  Memories memories = {0};
  Array(LaunchArg) scalars = {0};
  for (uint32_t i = 0; args && args->kind == JSON_OBJECT && i < args->count; i++) {
    const JsonMember *member = &args->members[i];
    const char *type = json_get_string(member->value, "type");
    const Json *value = json_get(member->value, "value");
    if (!type || !is_parameter(launch->program, launch->kernel, member->key)) continue;
    LaunchArg arg = {.param = member->key};
    Memory memory;
    if (!strcmp(type, "tensor") && read_tensor(front, file, member, &memory))
      array_push(front->arena, &memories, memory);
    if (value && value->kind == JSON_NUMBER) arg.scalar = expr_read(front->arena, value->text);
    if (value && (value->kind == JSON_TRUE || value->kind == JSON_FALSE))
      arg.scalar = whole_number(front, value->kind == JSON_TRUE);
    if (arg.scalar) array_push(front->arena, &scalars, arg);
  }
  add_tensors(front, &memories, operation, launch);
  for (uint32_t i = 0; i < scalars.count; i++) array_push(front->arena, &launch->args, scalars.data[i]);
}

/* ---- launches ---- */

/* The .ttir text inside the trace, as a file of its own. */
static FrontFile *embedded_file(Front *front, const FrontFile *file, const Event *event) {
  const Json *contents = json_get(json_get(event->json, "payload"), "file_content");
  for (uint32_t i = 0; contents && contents->kind == JSON_OBJECT && i < contents->count; i++) {
    const JsonMember *member = &contents->members[i];
    size_t size = strlen(member->key);
    if (size < 5 || strcmp(member->key + size - 5, ".ttir") || member->value->kind != JSON_STRING) continue;
    FrontFile *found = arena_new(front->arena, FrontFile);
    found->name = arena_format(front->arena, "%s:%s", file->name, front_plain(front->arena, member->key));
    found->source = source_new(front->arena, found->name, member->value->text, member->value->size);
    return found;
  }
  diagnostic_add(front->diagnostics, SEVERITY_ERROR, "trace.no-ttir", file->source, event->json->span,
                 "set TRITON_TRACE when tracing, so that the trace holds the IR, or pass the .ttir file too",
                 "the trace has no Triton IR for the kernel '%s'", event->kernel);
  return NULL;
}

static void add_launch(Front *front, const FrontFile *file, const Event *event, FrontFile *code, Operation *operation) {
  Program *program = front_read_program(front, front->arena, code);
  if (!program) return;
  Launch launch = {
      .file = code->name, .kernel = event->kernel, .source = code->source, .program = program, .is_sample = 1};
  const Json *grid = json_get(event->launch, "grid");
  if (grid) launch.grid = read_numbers(front, file, grid, &launch.grid_count);
  if (launch.grid_count > 3) launch.grid_count = 3;
  add_args(front, file, json_get(event->launch, "extracted_args"), operation, &launch);
  operation->has_tensors = operation->tensors.count > 0;
  array_push(front->arena, &operation->launches, launch);
}

static bool is_wanted(const Front *front, const char *kernel) {
  const AssayStrings *wanted = &front->options->kernels;
  for (size_t i = 0; i < wanted->count; i++)
    if (!strcmp(wanted->data[i], kernel)) return true;
  return !wanted->count;
}

/* The given file that has a public function of this name. */
static FrontFile *given_file(Front *front, const FileList *given, const char *kernel) {
  for (uint32_t i = 0; i < given->count; i++) {
    NameList names = {0};
    Program *program = front_read_program(front, front->arena, given->data[i]);
    if (program) front_public_names(front->arena, program, false, &names);
    for (uint32_t n = 0; n < names.count; n++)
      if (!strcmp(names.data[n], kernel)) return given->data[i];
  }
  return NULL;
}

static void no_kernel(Front *front, const FrontFile *file) {
  diagnostic_add(front->diagnostics, SEVERITY_ERROR, "trace.no-kernel", file->source, (Span){0, 0},
                 "trace with TRITON_TRACE=DIR and TRITON_TRACE_LAUNCH=1",
                 "the trace holds no compilation or launch of a kernel that was asked for");
}

void front_read_trace(Front *front, FrontFile *file, const FileList *given, Operation *operation) {
  EventList events = {0}, launches = {0};
  if (!read_events(front, file, &events, &launches)) return;
  if (given->count) { /* the IR is given: only its launch is looked for */
    for (uint32_t i = 0; i < launches.count; i++) {
      Event event = launches.data[i];
      FrontFile *code = is_wanted(front, event.kernel) ? given_file(front, given, event.kernel) : NULL;
      event.launch = event.json;
      if (!code) continue;
      add_launch(front, file, &event, code, operation);
      return;
    }
    no_kernel(front, file);
    return;
  }
  uint32_t found = 0;
  Text names = text_new(front->arena);
  for (uint32_t i = 0; i < events.count; i++)
    if (is_wanted(front, events.data[i].kernel)) {
      text_format(&names, "%s%s", found++ ? ", " : "", events.data[i].kernel);
    }
  if (!found) no_kernel(front, file);
  if (found > 1 && !front->options->kernels.count) {
    front_usage(front, "usage.kernels", "choose with --kernel NAME, or lift each with --all",
                "%s holds several kernels: %s", file->name, text_string(&names));
    return;
  }
  for (uint32_t i = 0; i < events.count; i++) {
    FrontFile *code = is_wanted(front, events.data[i].kernel) ? embedded_file(front, file, &events.data[i]) : NULL;
    if (code) add_launch(front, file, &events.data[i], code, operation);
    if (code && front->options->kernels.count <= 1) return; /* one kernel: its first compilation */
  }
}

void front_trace_names(Front *front, FrontFile *file, NameList *out) {
  EventList events = {0}, launches = {0};
  if (!read_events(front, file, &events, &launches)) return;
  for (uint32_t i = 0; i < events.count; i++) {
    bool is_known = false;
    for (uint32_t k = 0; k < out->count; k++) is_known |= !strcmp(out->data[k], events.data[i].kernel);
    if (!is_known) array_push(front->arena, out, events.data[i].kernel);
  }
}
