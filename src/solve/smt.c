/* The SMT engine's parent side: choose routes, run them in a child process, keep the limits.
 *
 * A plan is a list of attempts (route, goal as given or after a step) with slices of the time limit. Most
 * goals of the kind a kernel gives are answered in milliseconds by one route and never by another, so the
 * plan asks every sensible route briefly before it lets one of them run long. The order follows what
 * was measured (tests/smt/README.md): pure-real goals go to `qfnra` first, goals with integers, arrays or
 * quantifiers to the simple solver, the rest to the default one.
 *
 * The child is forked, closes every descriptor but its socket, limits its address space to what it was born
 * with plus the budget (so that a parent with a big heap changes nothing), asks to die with its parent, and
 * only then loads the solver. The parent polls with a deadline and kills with SIGKILL, which no solver can
 * overrun, then reaps. A session keeps the child for the next goal; a child that was killed is replaced. */
#include "base/call.h"
#include "solve/smt.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solve/smt_text.h"
#include "solve/z3_worker.h"

/* ---- the child ---- */

static size_t address_space_bytes(void) {
  char line[64] = "";
  int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t got = read(fd, line, sizeof line - 1);
  close(fd);
  size_t pages = 0;
  for (ssize_t i = 0; i < got && line[i] >= '0' && line[i] <= '9'; i++) pages = pages * 10 + (size_t)(line[i] - '0');
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t child_born_bytes, child_budget_bytes;

/* Z3 aborts when an allocation fails at the wrong place. Vectors grow by doubling, so a refused allocation
 * can come at half of the budget. */
static void child_on_crash(int number) {
  (void)number;
  size_t used = address_space_bytes();
  bool full = used > child_born_bytes && used - child_born_bytes > child_budget_bytes / 2;
  _exit(full ? Z3_EXIT_MEMORY : Z3_EXIT_CRASH);
}

static void child_catch_crashes(void) {
  static char stack[1 << 14];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  static const int ordinary[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGCHLD, SIGPIPE, SIGUSR1, SIGUSR2};
  struct sigaction action = {.sa_handler = child_on_crash, .sa_flags = SA_ONSTACK};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &action, NULL);
  action = (struct sigaction){.sa_handler = SIG_DFL};
  for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) sigaction(ordinary[i], &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void child_close_all_but(int fd) {
#ifdef SYS_close_range
  if ((fd == 3 || !syscall(SYS_close_range, 3u, (unsigned)fd - 1, 0u)) &&
      !syscall(SYS_close_range, (unsigned)fd + 1, ~0u, 0u))
    return;
#endif
  struct rlimit open_files = {0};
  getrlimit(RLIMIT_NOFILE, &open_files);
  int last = open_files.rlim_cur < 65536 ? (int)open_files.rlim_cur : 65536;
  for (int other = 3; other < last; other++)
    if (other != fd) close(other);
}

/* The standard streams lead nowhere: Z3 prints on some failures. */
static void child_silence(void) {
  int null = open("/dev/null", O_RDWR);
  if (null < 0) return;
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  if (null > 2) close(null);
}

enum { KEPT_BYTES = 1 << 25 };

_Noreturn static void child_main(int fd, int parent, size_t memory_bytes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  if (fd < 3) { /* the parent had closed a standard stream */
    fd = fcntl(fd, F_DUPFD, 3);
    if (fd < 0) _exit(Z3_EXIT_CRASH);
  }
  child_silence();
  child_close_all_but(fd);
  mallopt(M_ARENA_MAX, 1); /* Z3's timer threads would each reserve 64 MiB */
  /* Each context of Z3 begins with two tables of 8 MiB: the next goal takes the pages of the one before. */
  mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  child_born_bytes = address_space_bytes();
  child_budget_bytes = memory_bytes;
  struct rlimit limit = {child_born_bytes + memory_bytes, child_born_bytes + memory_bytes};
  if (setrlimit(RLIMIT_AS, &limit)) {
    getrlimit(RLIMIT_AS, &limit); /* a lower hard limit is in force: as good */
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_AS, &limit) || limit.rlim_max > child_born_bytes + memory_bytes) _exit(Z3_EXIT_CRASH);
  }
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  child_catch_crashes();
  z3_worker_run(fd);
  _exit(0);
}

/* ---- sessions ---- */

static bool session_start(SmtSession *session, size_t memory_bytes) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return false;
  int parent = (int)getpid();
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child_main(ends[1], parent, memory_bytes);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  *session = (SmtSession){.pid = (int)pid, .fd = ends[0], .owner = parent, .memory_bytes = memory_bytes};
  return true;
}

/* Ends the child and returns its wait status; 0 when something else in the process reaped it. */
static int session_end(SmtSession *session, bool kill_it) {
  int status = 0;
  if (session->pid && session->owner == (int)getpid()) {
    if (kill_it) kill(session->pid, SIGKILL);
    while (waitpid(session->pid, &status, 0) < 0) {
      if (errno == EINTR) continue;
      status = 0;
      break;
    }
  }
  if (session->pid) close(session->fd);
  *session = (SmtSession){0};
  return status;
}

void smt_session_close(SmtSession *session) { session_end(session, true); }

/* A warm child may have died since (its limits, or the thread that started it ended). */
static bool session_ready(SmtSession *session, size_t memory_bytes) {
  struct pollfd probe = {.fd = session->fd, .events = POLLIN};
  bool usable = session->pid && session->owner == (int)getpid() && session->memory_bytes == memory_bytes &&
                poll(&probe, 1, 0) == 0;
  if (usable) return true;
  session_end(session, true);
  return session_start(session, memory_bytes);
}

/* ---- one attempt ---- */

typedef enum Transfer { TRANSFER_DONE, TRANSFER_LATE, TRANSFER_GONE } Transfer;

static Transfer wait_for(int fd, short events, double deadline) {
  for (;;) {
    double left = deadline - guard_now();
    if (left <= 0) return TRANSFER_LATE;
    struct pollfd poller = {.fd = fd, .events = events};
    int ready = poll(&poller, 1, left > 1e6 ? 1000000000 : (int)(left * 1000) + 1);
    if (ready > 0) return TRANSFER_DONE;
    if (ready < 0 && errno != EINTR) return TRANSFER_GONE;
  }
}

static Transfer transfer(int fd, void *bytes, size_t size, bool sending, double deadline) {
  for (char *at = bytes; size;) {
    Transfer waited = wait_for(fd, sending ? POLLOUT : POLLIN, deadline);
    if (waited != TRANSFER_DONE) return waited;
    ssize_t moved = sending ? send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT) : recv(fd, at, size, MSG_DONTWAIT);
    if (moved < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (moved <= 0) return TRANSFER_GONE;
    at += moved, size -= (size_t)moved;
  }
  return TRANSFER_DONE;
}

typedef struct Attempt {
  SmtRoute route;
  SmtStep step;
  double share; /* of the time that is left */
} Attempt;

static SmtReason reason_of_death(int status, char *detail) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == Z3_EXIT_MEMORY) {
    snprintf(detail, Z3_DETAIL_SIZE, "the solver ran out of its memory");
    return SMT_REASON_MEMORY;
  }
  if (WIFSIGNALED(status))
    snprintf(detail, Z3_DETAIL_SIZE, "the solver was ended by signal %d", WTERMSIG(status));
  else
    snprintf(detail, Z3_DETAIL_SIZE, "the solver ended with status %d", WEXITSTATUS(status));
  return SMT_REASON_CRASH;
}

/* Sends the goal and reads the reply; `model` has room for Z3_MODEL_SIZE bytes. No arena is touched, so that
 * nothing can throw past the child. */
static Z3Reply attempt_run(SmtSession *session, SmtRoute route, const char *text, uint32_t effort, size_t memory_bytes,
                           double deadline, char *model, unsigned *kills) {
  Z3Reply reply = {.answer = SMT_UNKNOWN, .reason = SMT_REASON_CRASH};
  if (!session_ready(session, memory_bytes)) {
    snprintf(reply.detail, sizeof reply.detail, "no child process: %s", strerror(errno));
    return reply;
  }
  bool is_warm = session->warm;
  Z3Request request = {.route = route, .effort = effort, .size = (uint32_t)strlen(text)};
  Transfer state = transfer(session->fd, &request, sizeof request, true, deadline);
  if (state == TRANSFER_DONE) state = transfer(session->fd, (char *)(uintptr_t)text, request.size, true, deadline);
  if (state == TRANSFER_DONE) state = transfer(session->fd, &reply, sizeof reply, false, deadline);
  bool oversize = state == TRANSFER_DONE && reply.model_size >= Z3_MODEL_SIZE;
  if (state == TRANSFER_DONE && !oversize && reply.model_size)
    state = transfer(session->fd, model, reply.model_size, false, deadline);
  reply.detail[Z3_DETAIL_SIZE - 1] = 0;
  if (state == TRANSFER_DONE && !oversize) {
    model[reply.model_size] = 0;
    session->warm = true;
    if (reply.reason != SMT_REASON_MEMORY) return reply;
    session_end(session, true); /* what it did not free would be in the way of the next goal */
  } else if (state == TRANSFER_LATE) {
    (*kills)++;
    session_end(session, true);
    reply = (Z3Reply){.answer = SMT_UNKNOWN, .reason = SMT_REASON_TIMEOUT};
    snprintf(reply.detail, sizeof reply.detail, "killed at its time limit");
    return reply;
  } else {
    reply = (Z3Reply){.answer = SMT_UNKNOWN};
    reply.reason = reason_of_death(session_end(session, oversize), reply.detail);
  }
  /* What earlier goals left in it may be why it failed: a fresh one is asked once. */
  return is_warm ? attempt_run(session, route, text, effort, memory_bytes, deadline, model, kills) : reply;
}

/* ---- the plan ---- */

enum { PLAN_MAX = 16 };
typedef struct Plan {
  Attempt attempts[PLAN_MAX];
  int count;
} Plan;

static void plan_add(Plan *plan, SmtRoute route, SmtStep step, double share) {
  if (plan->count < PLAN_MAX) plan->attempts[plan->count++] = (Attempt){route, step, share};
}

/* `texts` holds the goal after each step that applies. */
static Plan plan_make(unsigned uses, const char *const texts[SMT_STEP_COUNT], SmtRoute wanted) {
  Plan plan = {0};
  bool not_real = uses & ~(unsigned)(SMT_USES_REAL | SMT_USES_QUANTIFIER | SMT_USES_FUNCTION | SMT_USES_DIVISION);
  bool not_bits = uses & ~(unsigned)(SMT_USES_BITVECTOR | SMT_USES_FLOAT);
  if (wanted != SMT_ROUTE_AUTO) {
    plan_add(&plan, wanted, SMT_STEP_NONE, 1);
  } else if (uses & (SMT_USES_BITVECTOR | SMT_USES_FLOAT)) {
    SmtStep step = texts[SMT_STEP_COMMUTE] ? SMT_STEP_COMMUTE : SMT_STEP_NONE;
    plan_add(&plan, SMT_ROUTE_DEFAULT, step, 0.05);
    if (!not_bits) plan_add(&plan, SMT_ROUTE_LOGIC, step, 0.5);
    plan_add(&plan, SMT_ROUTE_DEFAULT, step, 0.7);
    plan_add(&plan, SMT_ROUTE_SIMPLE, step, 1);
  } else if (!not_real && !(uses & SMT_USES_QUANTIFIER)) {
    plan_add(&plan, SMT_ROUTE_QFNRA, SMT_STEP_NONE, 0.1);
    plan_add(&plan, SMT_ROUTE_SIMPLE, SMT_STEP_NONE, 0.1);
    plan_add(&plan, SMT_ROUTE_DEFAULT, SMT_STEP_NONE, 0.2);
    plan_add(&plan, SMT_ROUTE_QFNRA, SMT_STEP_NONE, 0.6);
    plan_add(&plan, SMT_ROUTE_DEFAULT, SMT_STEP_NONE, 0.6);
    plan_add(&plan, SMT_ROUTE_SIMPLE, SMT_STEP_NONE, 1);
  } else {
    for (SmtStep step = SMT_STEP_INSTANTIATE; step <= SMT_STEP_INSTANTIATE_WIDER; step++)
      if (texts[step]) plan_add(&plan, SMT_ROUTE_QFNRA, step, 0.1);
    plan_add(&plan, SMT_ROUTE_SIMPLE, SMT_STEP_NONE, 0.2);
    plan_add(&plan, SMT_ROUTE_DEFAULT, SMT_STEP_NONE, 0.3);
    for (SmtStep step = SMT_STEP_INSTANTIATE; step <= SMT_STEP_INSTANTIATE_WIDER; step++)
      if (texts[step]) {
        plan_add(&plan, SMT_ROUTE_SIMPLE, step, 0.1);
        plan_add(&plan, SMT_ROUTE_QFNRA, step, 0.3);
      }
    plan_add(&plan, SMT_ROUTE_SIMPLE, SMT_STEP_NONE, 0.5);
    plan_add(&plan, SMT_ROUTE_DEFAULT, SMT_STEP_NONE, 1);
  }
  return plan;
}

static bool step_weakens(SmtStep step) { return step == SMT_STEP_INSTANTIATE || step == SMT_STEP_INSTANTIATE_WIDER; }

typedef struct Outcome {
  Z3Reply reply;
  Attempt attempt;
  unsigned attempts, kills;
} Outcome;

/* Whether no later attempt can do better than `reply`. */
static bool outcome_is_final(const Z3Reply *reply, SmtStep step) {
  return reply->answer != SMT_UNKNOWN || (reply->reason == SMT_REASON_INPUT && step == SMT_STEP_NONE);
}

/* Loading the library takes 10 ms: shorter slices would end before the goal is seen. */
static const double LEAST_SLICE = 0.04;

/* Does not touch the arena: see attempt_run. */
static Outcome plan_run(const Plan *plan, const char *const texts[SMT_STEP_COUNT], SmtSession *session, uint32_t effort,
                        size_t memory_bytes, double deadline, char *model) {
  Outcome out = {.reply = {.reason = SMT_REASON_TIMEOUT}};
  bool gave_up[SMT_ROUTE_COUNT][SMT_STEP_COUNT] = {0}; /* asking again would give the same */
  unsigned crashes = 0;
  for (int i = 0; i < plan->count; i++) {
    Attempt attempt = plan->attempts[i];
    double now = guard_now(), left = deadline - now;
    if (left <= 0) break;
    if (gave_up[attempt.route][attempt.step]) continue;
    bool last = true;
    for (int j = i + 1; j < plan->count; j++) last = last && gave_up[plan->attempts[j].route][plan->attempts[j].step];
    double slice = left * attempt.share > LEAST_SLICE ? left * attempt.share : LEAST_SLICE;
    double until = last || slice > left ? deadline : now + slice;
    Z3Reply reply =
        attempt_run(session, attempt.route, texts[attempt.step], effort, memory_bytes, until, model, &out.kills);
    out.attempts++;
    if (reply.answer == SMT_SAT && step_weakens(attempt.step)) {
      reply = (Z3Reply){.reason = SMT_REASON_INCOMPLETE};
      snprintf(reply.detail, sizeof reply.detail, "the weakened goal has a model");
    }
    bool repeats = reply.answer == SMT_UNKNOWN && reply.reason != SMT_REASON_TIMEOUT;
    if (repeats) gave_up[attempt.route][attempt.step] = true;
    out.reply = reply;
    out.attempt = attempt;
    if (outcome_is_final(&reply, attempt.step)) break;
    bool from_tactic =
        attempt.route == SMT_ROUTE_QFNRA || attempt.route == SMT_ROUTE_LOGIC || attempt.route == SMT_ROUTE_QUANTIFIED;
    if (reply.reason == SMT_REASON_NO_SOLVER && !from_tactic) break;
    if (reply.reason == SMT_REASON_CRASH && ++crashes > 3) break;
  }
  return out;
}

static void goal_prepare(Arena *arena, const SmtGoal *goal, const char *texts[SMT_STEP_COUNT]) {
  if (goal->uses & SMT_USES_QUANTIFIER) {
    texts[SMT_STEP_INSTANTIATE] = smt_goal_instantiate(arena, goal->assertions, false);
    texts[SMT_STEP_INSTANTIATE_WIDER] = smt_goal_instantiate(arena, goal->assertions, true);
  } else if (goal->uses & (SMT_USES_BITVECTOR | SMT_USES_FLOAT)) {
    texts[SMT_STEP_COMMUTE] = smt_goal_commute(arena, goal->assertions);
  }
}

/* The earlier of the goal's own limit and the deadline of the whole run. */
static double deadline_of(const Arena *arena, const SmtOptions *options, double start) {
  double own = start + (options->timeout_seconds > 0 ? options->timeout_seconds : 5);
  double whole = arena->guard ? arena->guard->deadline : 0;
  return whole > 0 && whole < own ? whole : own;
}

/* Drops from the arena what the result does not need. */
static SmtResult result_make(Arena *arena, ArenaMark before, const Outcome *out, const char *sent, const char *model) {
  SmtResult result = {.answer = (SmtAnswer)out->reply.answer, .route = out->attempt.route, .step = out->attempt.step};
  if (result.answer == SMT_UNKNOWN) result.reason = (SmtReason)out->reply.reason;
  if (result.answer == SMT_SAT) result.model = model;
  if (result.step != SMT_STEP_NONE) result.sent = sent;
  if (!result.model && !result.sent) arena_reset(arena, before);
  result.model_checked = out->reply.model_checked;
  result.detail = arena_copy(arena, out->reply.detail, strlen(out->reply.detail));
  result.attempts = out->attempts;
  result.kills = out->kills;
  return result;
}

/* A process costs more than most goals: some 15 ms, half of which is the memory that a context of Z3 begins with. So
 * the goals of one call share one. A process that was forked since finds that it is not its own, and starts another. */
static _Thread_local SmtSession kept;

static void close_kept(void) { session_end(&kept, true); }

SmtResult smt_solve(Arena *arena, const char *text, const SmtOptions *given) {
  SmtOptions options = given ? *given : (SmtOptions){0};
  double start = guard_now(), deadline = deadline_of(arena, &options, start);
  size_t memory_bytes = options.memory_bytes ? options.memory_bytes : (size_t)1 << 30;
  ArenaMark before = arena_mark(arena);
  SmtGoal goal = smt_goal_read(arena, text);
  if (goal.error) return (SmtResult){.reason = SMT_REASON_INPUT, .detail = goal.error, .seconds = guard_now() - start};
  const char *texts[SMT_STEP_COUNT] = {[SMT_STEP_NONE] = goal.assertions};
  if (!options.no_steps && options.route == SMT_ROUTE_AUTO) goal_prepare(arena, &goal, texts);
  char *model = arena_alloc(arena, Z3_MODEL_SIZE);
  Plan plan = plan_make(goal.uses, texts, options.route);

  SmtSession own = {0}, *session = options.session ? options.session : call_keeps(close_kept) ? &kept : &own;
  Outcome out = plan_run(&plan, texts, session, options.effort, memory_bytes, deadline, model);
  if (session == &own) session_end(&own, true);

  SmtResult result = result_make(arena, before, &out, texts[out.attempt.step], model);
  result.seconds = guard_now() - start;
  return result;
}

bool smt_model_rational(Arena *arena, const char *model, const char *name, Rational *out) {
  return model && smt_text_rational(arena, model, name, out);
}

/* ---- names ---- */

const char *smt_answer_name(SmtAnswer answer) {
  switch (answer) {
  case SMT_UNKNOWN: return "unknown";
  case SMT_UNSAT: return "unsat";
  case SMT_SAT: return "sat";
  }
  return "unknown";
}

const char *smt_reason_name(SmtReason reason) {
  switch (reason) {
  case SMT_REASON_NONE: return "none";
  case SMT_REASON_TIMEOUT: return "timeout";
  case SMT_REASON_MEMORY: return "memory";
  case SMT_REASON_CRASH: return "crash";
  case SMT_REASON_NO_SOLVER: return "no-solver";
  case SMT_REASON_INCOMPLETE: return "incomplete";
  case SMT_REASON_INPUT: return "input";
  }
  return "none";
}

const char *smt_route_name(SmtRoute route) {
  switch (route) {
  case SMT_ROUTE_AUTO: return "auto";
  case SMT_ROUTE_QFNRA: return "qfnra";
  case SMT_ROUTE_SIMPLE: return "simple";
  case SMT_ROUTE_DEFAULT: return "default";
  case SMT_ROUTE_LOGIC: return "logic";
  case SMT_ROUTE_QUANTIFIED: return "quantified";
  case SMT_ROUTE_COUNT: break;
  }
  return "auto";
}

const char *smt_step_name(SmtStep step) {
  switch (step) {
  case SMT_STEP_NONE: return "none";
  case SMT_STEP_INSTANTIATE: return "instantiate";
  case SMT_STEP_INSTANTIATE_WIDER: return "instantiate-wider";
  case SMT_STEP_COMMUTE: return "commute";
  case SMT_STEP_COUNT: break;
  }
  return "none";
}
