/* Reading of the text form of Effects (effects_print.c): a function for each kind of line, in a table of its words. */
#include "execute/effects_text.h"

#include <stdlib.h>
#include <string.h>

#include "term/exact.h"
#include "term/exact_words.h"

typedef struct Reader {
  ExactReader x;
  Effects *e;
  Arena *arena;
} Reader;

static OpId read_op(Reader *r) {
  exact_need(&r->x, "@");
  int64_t op = exact_number(&r->x);
  if (op < 0 || op >= r->e->program->ops.count) exact_fail(&r->x, "the program has no such operation");
  return r->x.why ? 0 : (OpId)op;
}

static TypeId read_type(Reader *r) {
  const Program *p = r->e->program;
  const char *text = exact_name(&r->x);
  for (TypeId t = 1; t < p->types.count; t++) {
    Text own = text_new(r->arena);
    program_type_print(p, t, &own);
    if (!strcmp(text_string(&own), text)) return t;
  }
  exact_fail(&r->x, "the program has no such type");
  return 0;
}

static Term term_behind(Reader *r, const char *word) { return exact_take(&r->x, word) ? exact_read(&r->x) : 0; }

/* (a, none, b); how many there are. */
static uint32_t read_list(Reader *r, const char *word, Term *out, uint32_t room) {
  uint32_t n = 0;
  if (!exact_take(&r->x, word)) return 0;
  exact_need(&r->x, "(");
  do {
    if (n == room) exact_fail(&r->x, "too many terms");
    Term t = exact_take(&r->x, "none") ? 0 : exact_read(&r->x);
    if (!r->x.why) out[n++] = t;
  } while (exact_take(&r->x, ","));
  exact_need(&r->x, ")");
  return n;
}

static void read_flags(Reader *r, void *of, const EffectsFlag *flags) {
  for (; flags->word; flags++)
    if (exact_take(&r->x, flags->word)) *(bool *)((char *)of + flags->offset) = true;
}

/* ---- symbols and parameters ---- */

static void read_symbol(Reader *r) {
  const char *name = exact_name(&r->x), *sort_name = exact_name(&r->x), *role = exact_name(&r->x); /* in order */
  uint32_t number = 0;
  TermSort sort;
  while (number < EFFECTS_ROLE_COUNT && strcmp(role, effects_roles[number])) number++;
  if (!exact_sort_of_name(sort_name, &sort) || number == EFFECTS_ROLE_COUNT)
    exact_fail(&r->x, "a sort and a role are expected");
  if (r->x.why) return;
  char *own = arena_copy(r->arena, name, strlen(name)); /* without the number that tells equal names apart */
  char *dot = strrchr(own, '~');
  if (dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1)) *dot = 0;
  Term symbol = term_symbol_new(r->e->tt, intern_text(r->e->tt->names, own), sort, (SymbolRole)number);
  exact_define(&r->x, name, symbol);
  if (*r->x.at == ' ' && r->x.at[1] >= '0' && r->x.at[1] <= '9')
    term_symbol(r->e->tt, symbol)->axis = (uint32_t)exact_number(&r->x);
  term_symbol(r->e->tt, symbol)->is_fresh = exact_take(&r->x, "fresh");
}

static void read_range(Reader *r) {
  Term symbol = exact_read_symbol(&r->x), lo = term_behind(r, "from"), hi = term_behind(r, "to");
  if (r->x.why) return;
  term_symbol(r->e->tt, symbol)->lo = lo, term_symbol(r->e->tt, symbol)->hi = hi;
}

static void read_axis(Reader *r) {
  int64_t axis = exact_number(&r->x);
  Term pid = exact_read_symbol(&r->x), grid = exact_read_symbol(&r->x);
  if (axis < 0 || axis > 2) exact_fail(&r->x, "there are three axes");
  if (!r->x.why) r->e->pid[axis] = pid, r->e->grid[axis] = grid;
}

static void read_param(Reader *r) {
  Param param = {0};
  param.name = exact_name(&r->x);
  param.symbol = exact_read_symbol(&r->x);
  param.type = read_type(r);
  if (exact_take(&r->x, "of")) param.element = read_type(r);
  read_flags(r, &param, effects_param_flags);
  if (exact_take(&r->x, "integer")) param.given.integer = exact_number(&r->x);
  if (exact_take(&r->x, "real")) param.given.real = strtod(exact_name(&r->x), NULL);
  if (exact_take(&r->x, "same")) param.given.same_as = (uint32_t)exact_number(&r->x);
  array_push(r->arena, &r->e->params, param);
}

/* ---- accesses, loops, needs ---- */

static TermFoldOp read_fold_op(Reader *r) {
  const char *name = exact_name(&r->x);
  for (uint32_t i = 0; i < FOLD_OP_COUNT; i++)
    if (!strcmp(name, term_fold_name((TermFoldOp)i))) return (TermFoldOp)i;
  exact_fail(&r->x, "the name of a fold is expected");
  return FOLD_SUM;
}

static void read_access(Reader *r, bool is_store) {
  Access a = {.is_store = is_store, .op = read_op(r)};
  a.last_op = exact_take(&r->x, "last") ? read_op(r) : a.op;
  a.tensor = exact_read_symbol(&r->x);
  exact_need(&r->x, "[");
  a.offset = exact_read(&r->x);
  exact_need(&r->x, "]");
  a.element = read_type(r);
  a.is_atomic = exact_take(&r->x, "atomic");
  if (a.is_atomic) a.atomic_op = read_fold_op(r);
  a.absent_other = exact_take(&r->x, "absent");
  a.is_final = exact_take(&r->x, "final");
  a.rank = read_list(r, "lanes", a.lanes, TYPE_MAX_RANK);
  a.counter_count = read_list(r, "counters", a.counters, EXECUTE_MAX_COUNTERS);
  a.mask = term_behind(r, "mask"), a.value = term_behind(r, "value"), a.old = term_behind(r, "old");
  array_push(r->arena, &r->e->accesses, a);
}

static void read_load(Reader *r) { read_access(r, false); }
static void read_store(Reader *r) { read_access(r, true); }

static void read_loop(Reader *r) {
  LoopRecord loop = {0};
  loop.op = read_op(r);
  loop.counter = exact_read_symbol(&r->x);
  loop.outer_count = read_list(r, "within", loop.outer, EXECUTE_MAX_COUNTERS);
  loop.trips = term_behind(r, "trips"), loop.go_on = term_behind(r, "while");
  array_push(r->arena, &r->e->loops, loop);
}

static void read_carried(Reader *r) {
  LoopValue v = {0};
  v.arg = (ValueId)exact_number(&r->x);
  v.symbol = exact_read_symbol(&r->x);
  if (exact_take(&r->x, "in")) v.base = exact_read_symbol(&r->x);
  if (exact_take(&r->x, "content")) v.content = exact_read_symbol(&r->x);
  v.rank = read_list(r, "lanes", v.lanes, TYPE_MAX_RANK);
  v.init = term_behind(r, "from"), v.step = term_behind(r, "step"), v.closed = term_behind(r, "closed");
  if (!r->e->loops.count) exact_fail(&r->x, "no loop carries it");
  if (r->x.why) return;
  array_push(r->arena, &r->e->loops.data[r->e->loops.count - 1].values, v);
}

static void read_sums(Reader *r) {
  SumRecord s = {.n = read_list(r, "state", s.state, 4)};
  bool whole = read_list(r, "functional", s.functional, 4) == s.n && read_list(r, "part", s.part, 4) == s.n &&
               read_list(r, "sum", s.sum, 4) == s.n;
  if (!whole) exact_fail(&r->x, "as many terms are expected as there are parts of the state");
  array_push(r->arena, &r->e->sums, s);
}

static void read_fits(Reader *r) {
  RangeNeed n = {0};
  n.op = read_op(r);
  n.width = (uint32_t)exact_number(&r->x);
  n.of_value = exact_take(&r->x, "value");
  n.exact = exact_read(&r->x);
  n.path = term_behind(r, "where");
  if (!n.path) n.path = r->e->tt->true_;
  array_push(r->arena, &r->e->ranges, n);
}

static void read_requires(Reader *r) {
  RequiredNeed n = {0};
  n.op = read_op(r);
  n.text = exact_name(&r->x);
  n.condition = exact_read(&r->x);
  n.path = term_behind(r, "where");
  array_push(r->arena, &r->e->required, n);
}

static void read_division(Reader *r, DivisionNeed n) {
  n.op = read_op(r);
  n.divisor = exact_read(&r->x);
  n.path = term_behind(r, "where");
  array_push(r->arena, &r->e->divisions, n);
}

static void read_divides(Reader *r) { read_division(r, (DivisionNeed){0}); }
static void read_states(Reader *r) { read_division(r, (DivisionNeed){.is_statement = true}); }
static void read_decides(Reader *r) { read_division(r, (DivisionNeed){.is_undefined = true}); }

static void read_region(Reader *r) {
  RegionNeed n = {0};
  n.op = read_op(r);
  n.n = read_list(r, "left", n.a, EXECUTE_REGION_STATE);
  bool whole = read_list(r, "right", n.b, EXECUTE_REGION_STATE) == n.n &&
               read_list(r, "result", n.result, EXECUTE_REGION_STATE) == n.n &&
               read_list(r, "lane", n.lane, EXECUTE_REGION_STATE) == n.n;
  if (!whole) exact_fail(&r->x, "as many terms are expected as the region has values");
  array_push(r->arena, &r->e->regions, n);
}

static void read_executed(Reader *r) {
  ExecutedOp x = {0};
  x.op = read_op(r);
  x.result = exact_read(&r->x);
  x.operand_count = read_list(r, "of", x.operands, EXECUTE_MAX_OPERANDS);
  x.path = exact_take(&r->x, "where") ? exact_read(&r->x) : r->e->tt->true_;
  array_push(r->arena, &r->e->executed, x);
}

/* ---- the launch, and notes ---- */

static void read_grid(Reader *r) {
  GridNeed g = {0};
  g.op = read_op(r);
  g.axis = (uint32_t)exact_number(&r->x);
  g.count = exact_read(&r->x);
  array_push(r->arena, &r->e->grids, g);
}

static void read_bound(Reader *r) {
  LaneBound b = {0};
  b.most = exact_read(&r->x);
  b.bound = term_behind(r, "below");
  array_push(r->arena, &r->e->lane_bounds, b);
}

static void read_stated(Reader *r) {
  Term condition = exact_read(&r->x);
  array_push(r->arena, &r->e->assumed, condition);
}

enum {
#define ASSUMPTION(constant, name, sentence) +1
  ASSUMPTION_KIND_COUNT = 0
#include "base/assumption_kinds.def"
#undef ASSUMPTION
};

static AssumptionKind read_assumption_kind(Reader *r) {
  const char *name = exact_name(&r->x);
  for (uint32_t kind = 0; kind < ASSUMPTION_KIND_COUNT; kind++)
    if (!strcmp(name, assumption_name((AssumptionKind)kind))) return (AssumptionKind)kind;
  exact_fail(&r->x, "the kind of an assumption is expected");
  return 0;
}

static void read_given(Reader *r) {
  ExecuteGiven g = {0};
  g.kind = read_assumption_kind(r);
  g.condition = exact_read(&r->x);
  g.text = exact_name(&r->x);
  g.why = exact_name(&r->x);
  array_push(r->arena, &r->e->given, g);
}

static Note read_note(Reader *r) {
  Note note = {.op = read_op(r)};
  note.text = exact_name(&r->x);
  return note;
}

static void read_rounding(Reader *r) {
  Note note = read_note(r);
  array_push(r->arena, &r->e->roundings, note);
}

static void read_opaque(Reader *r) {
  Note note = read_note(r);
  array_push(r->arena, &r->e->opaque, note);
}

static void read_literal(Reader *r) {
  Note note = read_note(r);
  array_push(r->arena, &r->e->literals, note);
}

static void read_let(Reader *r) {
  exact_need(&r->x, "$");
  if (exact_number(&r->x) != (int64_t)r->x.lets.count + 1) exact_fail(&r->x, "parts are numbered from 1 on");
  exact_need(&r->x, "=");
  Term t = exact_read(&r->x);
  array_push(r->arena, &r->x.lets, t);
}

static void read_stopped(Reader *r) {
  r->e->stop_op = read_op(r);
  const char *begin = r->x.at + (*r->x.at == ' ');
  size_t length = strcspn(begin, " \n");
  for (ReasonCode code = REASON_NONE + 1; reason_name(code) && !r->e->stop_code; code++)
    if (strlen(reason_name(code)) == length && !strncmp(reason_name(code), begin, length)) r->e->stop_code = code;
  if (!r->e->stop_code) exact_fail(&r->x, "a reason is expected");
  r->x.at = begin + length;
  r->e->stop_text = exact_name(&r->x);
}

static const struct {
  const char *word;
  void (*read)(Reader *);
} lines[] = {
    {"let", read_let},           {"symbol", read_symbol},     {"range", read_range},       {"axis", read_axis},
    {"param", read_param},       {"load", read_load},         {"store", read_store},       {"loop", read_loop},
    {"carries", read_carried},   {"sums", read_sums},         {"fits", read_fits},         {"divides", read_divides},
    {"states", read_states},     {"decides", read_decides},   {"requires", read_requires}, {"region", read_region},
    {"executed", read_executed}, {"grid", read_grid},         {"bound", read_bound},       {"stated", read_stated},
    {"given", read_given},       {"rounding", read_rounding}, {"opaque", read_opaque},     {"literal", read_literal},
    {"stopped", read_stopped}};

static void read_line(Reader *r) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (!exact_take(&r->x, lines[i].word)) continue;
    lines[i].read(r);
    if (!r->x.why && *r->x.at != '\n' && *r->x.at && !exact_take(&r->x, ";")) exact_fail(&r->x, "the line goes on");
    return;
  }
  exact_fail(&r->x, "no line begins so");
}

Effects *effects_read(Arena *arena, const Program *program, const Function *function, const char *text,
                      const char **why) {
  TermTable *tt = term_table_new(arena, program->names);
  Effects *e = arena_new(arena, Effects);
  *e = (Effects){.arena = arena, .tt = tt, .program = program, .function = function};
  e->extent = program_extent(program, function);
  Reader r = {.x = {.tt = tt, .arena = arena, .at = text}, .e = e, .arena = arena};
  uint32_t number = 1;
  exact_need(&r.x, "effects");
  exact_name(&r.x);
  read_flags(&r, e, effects_run_flags);
  for (const char *end = strchr(text, '\n'); end && !r.x.why && end[1]; end = strchr(end + 1, '\n'), number++) {
    r.x.at = end + 1;
    if (*r.x.at != '\n') read_line(&r);
  }
  *why = r.x.why ? arena_format(arena, "line %u: %s", number, r.x.why) : NULL;
  return r.x.why ? NULL : e;
}
