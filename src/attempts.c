/* What is tried again (see attempts.h). The first attempt assumes least; each further one is made where the last left
 * something open, and is kept if it says more.
 *
 * One kernel, executed again:
 *   least grid     --shape was given and --grid was not: the grid is the least that covers the shape, which is known
 * once the kernel has been executed (operation/least_grid.h). From then on it counts as given. zero fill      a value
 * is undefined where a masked load has no `other`. Triton says so, GPUs fill in zeros; kernels rely on it, so it is
 * assumed (kind zero-fill), but only by those that need it.
 *
 * The operation, lifted again:
 *   contents       one program reads what it has stored, or stores twice: what tensors hold is carried by loops as a
 *                  value then (execute/contents.c), which closes what a list of accesses does not.
 *   flat           places along the axes that a function goes by (execute/strides.c) leave it open: by offset, then.
 *   relations      no view fits, or not that of the launch, or an order of stores is not known, and two pointers
 *                  are one tensor: strides of its axes are taken to be one where they are in the sample. A form is not
 *                  shown, and a flat index is cut by a size where it ends at another one of that number: these are one.
 *                  Or no view fits, and the launch gives two integers one text: they may have to be one number for
 *                  that.
 *   alone          nothing is shown, and the launch has one program along an axis: an argument that was 1, and is not
 *                  in the text any more, may be the reason.
 *   says           a form is not shown, or an order of stores is not known, and by the numbers of the launch a flat
 *                  index ends at the product of sizes that it is cut by, or what places go by is not negative.
 *   search         an output has no tensor form: one is searched for, at small sizes (search/search.h). If random
 *                  evaluation refutes what was found, or it is not proved, it is lifted without.
 *   divisibility   the kernel was compiled for arguments that are multiples of 16 (tt.divisibility). A kernel is right
 *                  for other arguments too, mostly, so that this is assumed only where the general claim stays open. */
#include "attempts.h"

#include <string.h>

#include "operation/given.h"
#include "operation/least_grid.h"
#include "report/report.h"
#include "search/search.h"

static const double AGAIN_SHARE = 0.9; /* of the time that is left, for an attempt after the first */

static bool has_undefined(const Claim *claim) {
  const Pointwise *p = claim->pointwise;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++) {
      const PointwisePiece *piece = &p->outputs.data[i].pieces.data[k];
      if ((term_node(p->tt, piece->value)->flags | term_node(p->tt, piece->region)->flags) & TERM_HAS_UNDEF)
        return true;
    }
  return false;
}

/* What --shape says of the grid, as if it had been given. */
static bool take_least_grid(Arena *arena, Kernel *kernel, const Claim *claim) {
  bool alone = kernel->operation->launches.count == 1 && !kernel->operation->has_tensors;
  const Launch *launch = alone ? least_grid(arena, claim, kernel->launch, kernel->options) : NULL;
  if (!launch) return false;
  Operation *operation = arena_new(arena, Operation);
  *operation = *kernel->operation;
  memset(&operation->launches, 0, sizeof operation->launches);
  array_push(arena, &operation->launches, *launch);
  kernel->operation = operation, kernel->launch = &operation->launches.data[0];
  return true;
}

bool attempts_of_kernel(Arena *arena, Kernel *kernel, const Claim *claim) {
  if (kernel->zero_fill) return false;
  if (take_least_grid(arena, kernel, claim)) return true;
  kernel->zero_fill = !claim->stop_code && has_undefined(claim);
  return kernel->zero_fill;
}

/* The launch gives two integers one text. */
static bool gives_one_twice(const Operation *operation) {
  const Launch *launch = &operation->launches.data[0];
  for (uint32_t i = 0; i < launch->args.count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (launch->args.data[i].scalar && expr_same(launch->args.data[i].scalar, launch->args.data[k].scalar))
        return true;
  return false;
}

/* It gives two pointers one tensor. */
static bool shares_tensor(const Operation *operation) {
  const Launch *launch = &operation->launches.data[0];
  for (uint32_t i = 0; i < launch->args.count; i++)
    for (uint32_t k = 0; k < i && launch->args.data[i].tensor; k++)
      if (launch->args.data[k].tensor && !strcmp(launch->args.data[i].tensor, launch->args.data[k].tensor)) return true;
  return false;
}

/* A form that is not shown, or of which it is not known which store is the last. */
static bool is_open(const Report *report) {
  return report->verdict == VERDICT_PROBABLE || report->reason.code == REASON_RACE ||
         report->reason.code == REASON_VIEWS || report->reason.code == REASON_ADDRESS;
}

static bool asks_for_relation(const Report *report, const Operation *operation, Relation relation) {
  ReasonCode code = report->reason.code;
  if (relation == RELATE_ENDS) return operation->has_tensors && gives_one_twice(operation) && is_open(report);
  bool of_views = code == REASON_VIEWS || code == REASON_ADDRESS, in_place = relation == RELATE_AXES;
  bool of_two = in_place && (code == REASON_RACE || report->other_view); /* of one tensor, seen as two are */
  return operation->has_tensors && (of_views || of_two) &&
         (in_place ? shares_tensor(operation) : gives_one_twice(operation));
}

/* One function stores to a tensor and reads it, or stores to it twice. */
static bool stores_again(const Effects *ex) {
  for (uint32_t i = 0; i < ex->accesses.count; i++)
    for (uint32_t k = 0; k < ex->accesses.count && ex->accesses.data[i].is_store; k++)
      if (k != i && ex->accesses.data[k].tensor == ex->accesses.data[i].tensor) return true;
  return false;
}

/* Data decides where the function stores to. */
static bool stores_by_data(const Effects *ex) {
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    uint32_t flags = term_node(ex->tt, ex->accesses.data[i].offset)->flags;
    if (ex->accesses.data[i].is_store && flags & (TERM_HAS_READ | TERM_HAS_FOLD)) return true;
  }
  return false;
}

/* Of a function of a host language, several of whose iterations may store to one place, the last one is known. */
static bool asks_for_contents(const Report *report, const Effects *ex) {
  ReasonCode code = report->reason.code;
  return code == REASON_READ_AFTER_WRITE || code == REASON_LOOP_MEMORY || stores_again(ex) ||
         (ex->program->is_host && report->verdict == VERDICT_PROBABLE && stores_by_data(ex));
}

/* Deduction found no tensor form, and the search of the lifting paper has not been asked. */
static bool asks_for_search(const Attempt *last, const Report *report) {
  bool is_auto = !last->options->engine || !strcmp(last->options->engine, "auto");
  return is_auto && !last->is_searched && !last->options->stop_after && report_elementwise(report);
}

static Attempt first_attempt(const Operation *operation, const Options *options) {
  bool searches = options->engine && !strcmp(options->engine, "search");
  return (Attempt){.operation = operation, .options = options, .searches = searches};
}

bool attempts_search(Report *report, const Attempt *attempt, Claim *claim) {
  SearchOptions options = {.no_top_down = attempt->options->no_top_down, .no_prune = attempt->options->no_prune};
  options.is_brief = !attempt->options->engine;
  SearchLog log = {0};
  if (attempt->searches && !claim->stop_code && claim->pointwise)
    report->is_not_found |= !search_claim(report->arena, claim, &options, &log);
  for (uint32_t i = 0; i < log.count; i++) array_push(report->arena, &report->steps, log.data[i]);
  if (attempt->gave_up) {
    report->is_not_found = true;
    array_push(report->arena, &report->steps, attempt->gave_up);
  }
  return !(attempt->proposes && report->is_not_found);
}

/* What was proposed is no claim then. */
static bool is_of_no_formula(const Attempt *last, const Report *report) {
  return last->searches && report->reason.code == REASON_LIFT_MISMATCH;
}

/* The search was asked for, and what it found agrees with random evaluation, but is not proved. */
static bool is_not_shown(const Attempt *last, const Report *report) {
  return last->searches && !last->is_searched && !report->is_not_found && report->verdict == VERDICT_PROBABLE &&
         report->outputs.count && !last->options->no_prove && !last->options->stop_after;
}

/* More programs than one were seen to do harm: of one alone nothing is claimed instead. */
static bool has_collision(const Report *report) {
  for (uint32_t i = 0; i < report->obligations.count; i++) {
    const ReportObligation *o = &report->obligations.data[i];
    if (o->verdict == VERDICT_REFUTED && (o->kind == OBLIGATION_RACE || o->kind == OBLIGATION_COVERAGE)) return true;
  }
  return false;
}

/* Of the signs that helped together, the next ones that may not have been needed: half of those that are left, or half
 * of what was needed in part. Not all: without any of them it was open. */
static bool waive_signs(const Attempt *last, const Effects *ex, Attempt *next) {
  uint64_t taken = ex ? ex->launch_signs & ~last->reading.waived : 0;
  uint64_t left = taken & ~last->needed;
  uint32_t count = (uint32_t)__builtin_popcountll(left);
  uint32_t width = last->width ? last->width : (count + 1) / 2;
  if (!(last->reading.taken & TAKE_SIGNS) || last->operation->launches.count > 1) return false;
  if (width >= count && !last->needed) width = count ? count - 1 : 0;
  if (width > count) width = count;
  if (!width) return false;
  next->width = width, next->is_weaker = true;
  for (; width; width--, left &= left - 1) next->reading.waived |= left & -left;
  return true;
}

/* What that has told of them. */
static void note_signs(Attempt *last, const Attempt *next, bool is_kept) {
  uint64_t tried = next->reading.waived & ~last->reading.waived;
  if (!is_kept && next->width == 1) last->needed |= tried;
  last->width = is_kept ? 0 : next->width / 2;
}

/* Another attempt than `last`, which gave `report`, with that execution; false: there is none. */
static bool next_attempt(const Attempt *last, const Report *report, const Effects *ex, Attempt *next) {
  const Options *options = last->options;
  *next = *last, next->proposes = next->is_weaker = false;
  if (is_of_no_formula(last, report)) {
    next->searches = false, next->gave_up = "search: random evaluation refutes what was found";
    return true;
  }
  if (is_not_shown(last, report)) {
    next->searches = false, next->is_searched = true;
    next->gave_up = arena_format(report->arena, "search: %s is not shown for all sizes; the values as executed are",
                                 report->outputs.data[0].text);
    return true;
  }
  if (last->operation->launches.count == 1 && ex && asks_for_search(last, report)) {
    next->searches = next->proposes = next->is_searched = true;
    return true;
  }
  if (waive_signs(last, ex, next)) return true;
  if (report_is_done(report) || last->operation->launches.count > 1 || !ex) return false;
  next->is_carried = true;
  if (!last->is_carried && asks_for_contents(report, ex)) {
    next->reading.carries_memory = true;
    return true;
  }
  if (!last->is_flat && ex->axes.count) {
    next->is_flat = next->reading.carries_memory = next->reading.flat_contents = true;
    return true;
  }
  if (options->stop_after || options->no_prove) return false;
  for (Relation r = last->related + 1; r <= RELATE_ALL; r++) {
    next->related = r;
    if (!asks_for_relation(report, last->operation, r)) continue;
    next->reading.relation = r;
    return true;
  }
  bool is_alone[3];
  if (!last->is_counted && last->operation->has_tensors && report->verdict != VERDICT_PROVED &&
      !has_collision(report) && kernel_is_alone(ex->program, &last->operation->launches.data[0], is_alone)) {
    next->is_counted = next->reading.is_alone = true;
    return true;
  }
  for (uint32_t what = TAKE_GRIDS; what <= TAKE_SIGNS && is_open(report); what *= 2) {
    if ((last->asked & what) || (what != TAKE_GRIDS && !last->operation->has_tensors)) continue;
    next->asked |= what;
    if (!(ex->launch_says & what)) continue;
    next->reading.taken |= what;
    return true;
  }
  const Options *compiled = last->is_divisible ? NULL : given_by_kernel(ex, options);
  next->is_divisible = true;
  if (compiled) next->options = compiled;
  return compiled != NULL;
}

/* True if the report of `next` says more, or is of something else. */
static bool is_better(const Attempt *last, const Attempt *next, const Report *best, const Report *again) {
  /* Of what is proposed nothing was seen: nothing was found, or no launch could be looked at. */
  if (next->proposes && (again->is_not_found || again->verdict == VERDICT_UNKNOWN)) return false;
  bool as_good = again->verdict == best->verdict && again->safety == best->safety &&
                 report_elementwise(again) <= report_elementwise(best);
  return is_of_no_formula(last, best) || report_is_better(again, best) || (next->is_weaker && as_good);
}

static bool is_of_search(const char *step) { return !strncmp(step, "search: ", 8); }

/* What the search of an attempt did is told though another attempt is kept. */
static void keep_search(Report *kept, const Report *dropped) {
  uint32_t own = 0, count = kept->steps.count;
  for (uint32_t i = 0; i < count; i++) own += is_of_search(kept->steps.data[i]);
  if (own > 1) return; /* more than why it gave up: it has searched itself */
  const char **rest = arena_array(kept->arena, const char *, count + 1);
  if (count) memcpy(rest, kept->steps.data, sizeof *rest * count);
  kept->steps.count = 0;
  for (uint32_t i = 0; i < dropped->steps.count; i++) {
    const char *step = dropped->steps.data[i];
    if (is_of_search(step)) array_push(kept->arena, &kept->steps, arena_copy(kept->arena, step, strlen(step)));
  }
  if (kept->steps.count && !own && !dropped->is_not_found)
    array_push(kept->arena, &kept->steps,
               dropped->reason.code == REASON_LIFT_MISMATCH ? "search: random evaluation refutes what was found"
                                                            : "search: what was found is not shown for all sizes");
  for (uint32_t i = 0; i < count; i++) array_push(kept->arena, &kept->steps, rest[i]);
}

/* `next`, the attempt after `last`, which gave `best`, was made and gave `again`; NULL: errors, or a limit. The report
 * that says more is kept, with what the attempt took if it is the new one, and it is not made again. */
static Report *better(Attempt *last, const Attempt *next, Report *best, Report *again) {
  bool says_more = again && is_better(last, next, best, again);
  if (next->is_weaker) note_signs(last, next, says_more);
  if (says_more)
    last->reading = next->reading, last->options = next->options, last->searches = next->searches,
    last->gave_up = next->gave_up;
  last->is_searched = next->is_searched;
  last->is_carried = next->is_carried, last->is_flat = next->is_flat, last->related = next->related,
  last->is_divisible = next->is_divisible, last->is_counted = next->is_counted;
  last->asked = next->asked;
  if (says_more)
    keep_search(again, best);
  else if (again) {
    if (next->proposes && again->is_not_found) report_keep_steps(again, next->options); /* it was not finished */
    keep_search(best, again);
  }
  return says_more ? again : best;
}

typedef struct Again {
  Arena *arena;
  LiftFunction *lift;
  Attempt attempt;
  DiagnosticList *diagnostics;
  const Effects *ex;
  Report *report;
} Again;

static void lift_again(void *payload) {
  Again *a = payload;
  a->report = a->lift(a->arena, &a->attempt, a->diagnostics, &a->ex);
}

Report *attempts_make(Arena *arena, const Operation *operation, const Options *options, LiftFunction *lift,
                      DiagnosticList *diagnostics) {
  Attempt last = first_attempt(operation, options);
  Again *a = arena_new(arena, Again);
  *a = (Again){.arena = arena, .lift = lift, .diagnostics = diagnostics};
  Report *best = lift(arena, &last, diagnostics, &a->ex);
  while (!diagnostics->error_count && next_attempt(&last, best, a->ex, &a->attempt)) {
    a->report = NULL;
    if (!guard_attempt(arena->guard, AGAIN_SHARE, lift_again, a) && arena->guard->missed == GUARD_TIMEOUT) {
      diagnostic_add(diagnostics, SEVERITY_WARNING, "timeout", NULL, (Span){0, 0}, "raise --timeout",
                     "the time limit ended an attempt to show more than this");
      break;
    }
    best = better(&last, &a->attempt, best, diagnostics->error_count ? NULL : a->report);
  }
  return best;
}
