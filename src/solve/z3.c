/* Z3 in the child process: load the library, answer goals, report.
 *
 * Only this file may include z3.h, and only for types: every function is looked up by name in a library that
 * is opened when the first goal arrives (ASSAY_Z3, libz3.so.4, libz3.so), so that a run without SMT pays
 * nothing and a machine without Z3 still builds and runs. Enumerator values that moved between versions of
 * Z3 (declaration kinds) are never looked at.
 *
 * Each goal gets a context of its own: what was asked before cannot change the answer, and a context costs
 * less than a millisecond once the library is warm. Z3's default error handler ends the process; it is set
 * to NULL at creation and every call is checked. No soft timeout is set, since Z3 does not always honour
 * one: the parent kills. Z3 reports a full memory as an exception, as exit status 101, or by aborting; the
 * signal handler below tells the last from a crash by how much of the limit is in use. */
#include "solve/z3_worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool z3_worker_read(int fd, void *bytes, size_t size) {
  for (char *at = bytes; size;) {
    ssize_t got = recv(fd, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, size -= (size_t)got;
  }
  return true;
}

bool z3_worker_write(int fd, const void *bytes, size_t size) {
  for (const char *at = bytes; size;) {
    ssize_t put = send(fd, at, size, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put, size -= (size_t)put;
  }
  return true;
}

static Z3Reply reply_unknown(SmtReason reason, const char *detail) {
  Z3Reply reply = {.answer = SMT_UNKNOWN, .reason = reason};
  snprintf(reply.detail, sizeof reply.detail, "%s", detail ? detail : "");
  return reply;
}

#if defined __has_include
#if __has_include(<z3.h>)
#define HAVE_Z3_HEADER 1
#endif
#endif

#ifdef HAVE_Z3_HEADER
#include <z3.h>

/* The functions used, all present from 4.8 to 5. */
/* clang-format off */
#define Z3_FUNCTIONS(F) \
  F(mk_config) F(del_config) F(set_param_value) F(mk_context_rc) F(del_context) F(set_error_handler) \
  F(get_error_code) F(get_error_msg) F(parse_smtlib2_string) F(ast_vector_inc_ref) F(ast_vector_dec_ref) \
  F(ast_vector_size) F(ast_vector_get) F(mk_solver) F(mk_simple_solver) F(mk_solver_from_tactic) F(mk_tactic) \
  F(tactic_inc_ref) F(tactic_dec_ref) F(solver_inc_ref) F(solver_dec_ref) F(solver_assert) F(solver_check) \
  F(solver_get_reason_unknown) F(solver_get_model) F(model_inc_ref) F(model_dec_ref) F(model_eval) \
  F(model_to_string) F(get_bool_value) F(inc_ref) F(dec_ref) F(set_ast_print_mode)
/* clang-format on */

typedef struct Z3Library {
#define F(name) __typeof__(Z3_##name) *name;
  Z3_FUNCTIONS(F)
#undef F
} Z3Library;

static bool library_load(Z3Library *z3, char *detail, size_t size) {
  const char *chosen = getenv("ASSAY_Z3");
  const char *names[] = {chosen && *chosen ? chosen : "libz3.so.4", chosen && *chosen ? NULL : "libz3.so", NULL};
  void *handle = NULL;
  for (int i = 0; !handle && names[i]; i++) handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    snprintf(detail, size, "%s", why ? why : "no library");
    return false;
  }
#define F(name)                                                                                                        \
  {                                                                                                                    \
    void *symbol = dlsym(handle, "Z3_" #name);                                                                         \
    if (!symbol) return snprintf(detail, size, "the library has no Z3_" #name), false;                                 \
    memcpy(&z3->name, &symbol, sizeof symbol); /* ISO C has no cast from data to function */                           \
  }
  Z3_FUNCTIONS(F)
#undef F
  return true;
}

/* One goal in flight. */
typedef struct Goal {
  const Z3Library *z3;
  Z3_context context;
  Z3_ast_vector assertions;
  Z3_solver solver;
  Z3_model model;
} Goal;

static bool failed(const Goal *goal, Z3Reply *reply, SmtReason otherwise) {
  Z3_error_code code = goal->z3->get_error_code(goal->context);
  if (code == Z3_OK) return false;
  const char *message = goal->z3->get_error_msg(goal->context, code);
  bool memory = code == Z3_MEMOUT_FAIL || (message && strstr(message, "out of memory"));
  *reply = reply_unknown(memory ? SMT_REASON_MEMORY : otherwise, message);
  return true;
}

/* With one reference; NULL when this version has no such route. */
static Z3_solver solver_make(const Goal *goal, SmtRoute route) {
  const Z3Library *z3 = goal->z3;
  const char *name = route == SMT_ROUTE_QFNRA        ? "qfnra"
                     : route == SMT_ROUTE_LOGIC      ? "qffp"
                     : route == SMT_ROUTE_QUANTIFIED ? "ufnia"
                                                     : NULL;
  if (!name) {
    Z3_solver solver = (route == SMT_ROUTE_SIMPLE ? z3->mk_simple_solver : z3->mk_solver)(goal->context);
    if (solver) z3->solver_inc_ref(goal->context, solver);
    return solver;
  }
  Z3_tactic tactic = z3->mk_tactic(goal->context, name);
  if (!tactic) return NULL;
  z3->tactic_inc_ref(goal->context, tactic);
  Z3_solver solver = z3->mk_solver_from_tactic(goal->context, tactic);
  if (solver) z3->solver_inc_ref(goal->context, solver);
  z3->tactic_dec_ref(goal->context, tactic);
  return solver;
}

/* 1: every assertion is true in the model; 0: one is false; -1: the evaluation does not say. */
static int model_check(const Goal *goal) {
  const Z3Library *z3 = goal->z3;
  int verdict = 1;
  unsigned count = z3->ast_vector_size(goal->context, goal->assertions);
  for (unsigned i = 0; i < count && verdict; i++) {
    Z3_ast value = NULL;
    bool evaluated = z3->model_eval(goal->context, goal->model, z3->ast_vector_get(goal->context, goal->assertions, i),
                                    true, &value);
    if (!evaluated || !value || z3->get_error_code(goal->context) != Z3_OK) return -1;
    z3->inc_ref(goal->context, value);
    Z3_lbool truth = z3->get_bool_value(goal->context, value);
    z3->dec_ref(goal->context, value);
    if (truth == Z3_L_FALSE)
      verdict = 0;
    else if (truth == Z3_L_UNDEF)
      verdict = -1;
  }
  return verdict;
}

static Z3Reply reply_sat(Goal *goal, SmtRoute route, const char **text) {
  const Z3Library *z3 = goal->z3;
  Z3Reply reply = {.answer = SMT_SAT};
  goal->model = z3->solver_get_model(goal->context, goal->solver);
  if (failed(goal, &reply, SMT_REASON_INCOMPLETE)) return reply;
  if (!goal->model) return reply_unknown(SMT_REASON_INCOMPLETE, "sat without a model");
  z3->model_inc_ref(goal->context, goal->model);
  int checked = model_check(goal);
  if (checked == 0) return reply_unknown(SMT_REASON_INCOMPLETE, "the model does not satisfy the goal");
  if (checked < 0 && route == SMT_ROUTE_QFNRA)
    return reply_unknown(SMT_REASON_INCOMPLETE, "the model could not be checked");
  z3->set_ast_print_mode(goal->context, Z3_PRINT_SMTLIB2_COMPLIANT);
  *text = z3->model_to_string(goal->context, goal->model);
  size_t size = *text ? strlen(*text) : 0;
  reply.model_checked = checked > 0;
  reply.model_size = size < Z3_MODEL_SIZE ? (uint32_t)size : 0;
  return reply;
}

static Z3Reply reply_give_up(const Goal *goal) {
  const char *why = goal->z3->solver_get_reason_unknown(goal->context, goal->solver);
  if (!why) why = "";
  bool memory = strstr(why, "memout") || strstr(why, "out of memory") || strstr(why, "max. memory");
  bool time = strstr(why, "timeout") || strstr(why, "canceled") || strstr(why, "resource limit");
  return reply_unknown(memory ? SMT_REASON_MEMORY : time ? SMT_REASON_TIMEOUT : SMT_REASON_INCOMPLETE, why);
}

static Z3Reply goal_solve(Goal *goal, SmtRoute route, const char *text, const char **model) {
  const Z3Library *z3 = goal->z3;
  Z3Reply reply = {0};
  goal->assertions = z3->parse_smtlib2_string(goal->context, text, 0, NULL, NULL, 0, NULL, NULL);
  if (failed(goal, &reply, SMT_REASON_INPUT)) return reply;
  if (!goal->assertions) return reply_unknown(SMT_REASON_INPUT, "the solver read nothing");
  z3->ast_vector_inc_ref(goal->context, goal->assertions);
  goal->solver = solver_make(goal, route);
  if (failed(goal, &reply, SMT_REASON_NO_SOLVER)) return reply;
  if (!goal->solver) return reply_unknown(SMT_REASON_NO_SOLVER, "no such route in this version");
  unsigned count = z3->ast_vector_size(goal->context, goal->assertions);
  for (unsigned i = 0; i < count; i++) {
    z3->solver_assert(goal->context, goal->solver, z3->ast_vector_get(goal->context, goal->assertions, i));
    if (failed(goal, &reply, SMT_REASON_INPUT)) return reply;
  }
  Z3_lbool answer = z3->solver_check(goal->context, goal->solver);
  if (failed(goal, &reply, SMT_REASON_INCOMPLETE)) return reply;
  if (answer == Z3_L_TRUE) return reply_sat(goal, route, model);
  if (answer == Z3_L_FALSE) return (Z3Reply){.answer = SMT_UNSAT};
  return reply_give_up(goal);
}

static Z3_context context_make(const Z3Library *z3, uint32_t effort) {
  Z3_config config = z3->mk_config();
  if (!config) return NULL;
  char steps[16];
  snprintf(steps, sizeof steps, "%u", effort);
  z3->set_param_value(config, "model", "true");
  if (effort) z3->set_param_value(config, "rlimit", steps);
  Z3_context context = z3->mk_context_rc(config);
  if (context) z3->set_error_handler(context, NULL);
  z3->del_config(config);
  return context;
}

static bool goal_answer(const Z3Library *z3, int fd, SmtRoute route, uint32_t effort, const char *text) {
  Goal goal = {.z3 = z3, .context = context_make(z3, effort)};
  const char *model = NULL;
  Z3Reply reply =
      goal.context ? goal_solve(&goal, route, text, &model) : reply_unknown(SMT_REASON_NO_SOLVER, "no context");
  bool sent =
      z3_worker_write(fd, &reply, sizeof reply) && (!reply.model_size || z3_worker_write(fd, model, reply.model_size));
  if (goal.model) z3->model_dec_ref(goal.context, goal.model);
  if (goal.solver) z3->solver_dec_ref(goal.context, goal.solver);
  if (goal.assertions) z3->ast_vector_dec_ref(goal.context, goal.assertions);
  if (goal.context) z3->del_context(goal.context);
  return sent;
}

#else
typedef struct Z3Library {
  char unused;
} Z3Library;
static bool library_load(Z3Library *z3, char *detail, size_t size) {
  (void)z3;
  snprintf(detail, size, "built without z3.h");
  return false;
}
static bool goal_answer(const Z3Library *z3, int fd, SmtRoute route, uint32_t effort, const char *text) {
  (void)z3, (void)route, (void)effort, (void)text;
  Z3Reply reply = reply_unknown(SMT_REASON_NO_SOLVER, "built without z3.h");
  return z3_worker_write(fd, &reply, sizeof reply);
}
#endif

void z3_worker_run(int fd) {
  Z3Library z3 = {0};
  char why[Z3_DETAIL_SIZE] = "";
  bool loaded = false, tried = false;
  Z3Request request;
  while (z3_worker_read(fd, &request, sizeof request)) {
    char *text = malloc((size_t)request.size + 1);
    if (!text) _exit(Z3_EXIT_MEMORY);
    if (!z3_worker_read(fd, text, request.size)) return;
    text[request.size] = 0;
    if (!tried) loaded = library_load(&z3, why, sizeof why);
    tried = true;
    Z3Reply reply = reply_unknown(SMT_REASON_NO_SOLVER, why);
    bool sent = loaded ? goal_answer(&z3, fd, (SmtRoute)request.route, request.effort, text)
                       : z3_worker_write(fd, &reply, sizeof reply);
    free(text);
    if (!sent) return;
  }
}
