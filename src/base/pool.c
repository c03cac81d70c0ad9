#include "base/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

/* One process: what it has given so far, and whether it has come to its end. */
typedef struct Process {
  pid_t pid; /* 0: there is none */
  int fd;
  bool is_whole;
  Text text;
} Process;

typedef struct Pool {
  Arena *arena;
  const PoolWork *work;
  Process *processes; /* by piece */
  uint32_t next, at, alive;
} Pool;

static bool write_all(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t done = write(fd, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done, size -= (size_t)done;
  }
  return true;
}

/* The text with its end is all that leaves the process, so one that ends early is seen. */
_Noreturn static void work_alone(Pool *pool, uint32_t piece, int fd, pid_t parent) {
  Guard *guard = pool->arena->guard;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  if (guard->bytes_limit != SIZE_MAX)
    guard->bytes_limit = guard->bytes + (guard->bytes_limit - guard->bytes) / pool->work->jobs;
  if (setjmp(guard->escape)) _exit(1);
  const char *text = pool->work->make(pool->work->payload, piece);
  _exit(!write_all(fd, text, strlen(text) + 1));
}

static void start(Pool *pool, uint32_t piece) {
  int ends[2];
  pid_t parent = getpid();
  Process *p = &pool->processes[piece];
  if (pipe2(ends, O_CLOEXEC)) return;
  pid_t pid = fork();
  if (!pid) {
    close(ends[0]);
    work_alone(pool, piece, ends[1], parent);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return;
  }
  p->pid = pid, p->fd = ends[0], p->text = text_new(pool->arena);
  pool->alive++;
}

static void end(Pool *pool, Process *p, bool kills) {
  if (!p->pid) return;
  if (kills) kill(p->pid, SIGKILL);
  close(p->fd);
  while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) continue;
  p->pid = 0;
  pool->alive--;
}

/* Not further ahead than there are processes, so that few results wait for an earlier one. */
static void start_some(Pool *pool) {
  const PoolWork *work = pool->work;
  while (pool->next < work->count && pool->alive < work->jobs && pool->next < pool->at + 2 * work->jobs) {
    if (work->wants(work->payload, pool->next)) start(pool, pool->next);
    pool->next++;
  }
}

static void receive(Pool *pool, Process *p) {
  char bytes[1 << 14];
  ssize_t size = read(p->fd, bytes, sizeof bytes);
  if (size < 0 && errno == EINTR) return;
  if (size > 0) {
    text_append(&p->text, bytes, (size_t)size);
    return;
  }
  p->is_whole = !size && p->text.count && !p->text.data[p->text.count - 1];
  end(pool, p, false);
}

/* Until the process of the piece at hand is at its end. */
static void wait_for_piece(Pool *pool) {
  struct pollfd ends[POOL_MOST];
  Process *of[POOL_MOST];
  while (pool->processes[pool->at].pid) {
    uint32_t count = 0;
    start_some(pool);
    for (uint32_t i = pool->at; i < pool->next; i++) {
      if (!pool->processes[i].pid) continue;
      of[count] = &pool->processes[i];
      ends[count++] = (struct pollfd){.fd = pool->processes[i].fd, .events = POLLIN};
    }
    if (poll(ends, count, -1) < 0) continue;
    for (uint32_t i = 0; i < count; i++)
      if (ends[i].revents) receive(pool, of[i]);
  }
}

static void run_all(Pool *pool) {
  const PoolWork *work = pool->work;
  for (; pool->at < work->count; pool->at++) {
    Process *p = &pool->processes[pool->at];
    if (work->jobs > 1) start_some(pool), wait_for_piece(pool);
    const char *text = p->is_whole ? p->text.data : NULL;
    if (!work->wants(work->payload, pool->at))
      text = NULL;
    else if (!text)
      text = work->make(work->payload, pool->at);
    work->take(work->payload, pool->at, text);
  }
}

void pool_run(Arena *arena, const PoolWork *given) {
  PoolWork work = *given;
  if (!work.jobs || work.jobs > POOL_MOST) work.jobs = work.jobs ? POOL_MOST : 1;
  Pool *pool = arena_new(arena, Pool);
  *pool = (Pool){.arena = arena, .work = &work, .processes = arena_array(arena, Process, work.count + 1)};
  Guard *guard = arena->guard;
  jmp_buf outer;
  memcpy(&outer, &guard->escape, sizeof outer);
  volatile bool good = false;
  if (!setjmp(guard->escape)) {
    run_all(pool);
    good = true;
  }
  memcpy(&guard->escape, &outer, sizeof outer);
  for (uint32_t i = 0; i < pool->work->count; i++) end(pool, &pool->processes[i], true);
  if (!good) longjmp(guard->escape, 1); /* reason and message stand */
}
