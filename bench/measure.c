/* Whole processes, measured: least wall-clock and CPU time of several runs, and the peak of resident memory.
 *
 *   measure RUNS COMMAND [ARGUMENT...] -- FILE...
 *
 * runs COMMAND ARGUMENT... FILE for each file, output thrown away, and prints a line per file, separated by tabs:
 *   milliseconds, CPU milliseconds, peak MB, exit code (128 + signal), file */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Cost {
  double wall, cpu, peak;
  int code;
} Cost;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double milliseconds(struct timeval t) { return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec; }

static Cost run(char **command) {
  double start = now();
  pid_t child = vfork(); /* the child has no memory of its own before exec, so that its peak is the command's */
  if (child < 0) {
    perror("measure");
    exit(1);
  }
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    execvp(command[0], command);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) exit(1);
  return (Cost){now() - start, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
                (double)usage.ru_maxrss / 1024, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

int main(int argc, char **argv) {
  int runs = argc > 2 ? atoi(argv[1]) : 0, files = 2;
  while (files < argc && strcmp(argv[files], "--")) files++;
  if (runs < 1 || files + 1 >= argc) {
    fprintf(stderr, "usage: measure RUNS COMMAND [ARGUMENT...] -- FILE...\n");
    return 64;
  }
  for (int i = files + 1; i < argc; i++) {
    Cost best = {0};
    argv[files] = argv[i];
    char *next = argv[files + 1];
    argv[files + 1] = NULL;
    for (int k = 0; k < runs; k++) {
      Cost cost = run(argv + 2);
      if (k == 0) best = cost;
      if (cost.wall < best.wall) best.wall = cost.wall;
      if (cost.cpu < best.cpu) best.cpu = cost.cpu;
      if (cost.peak > best.peak) best.peak = cost.peak;
      best.code = cost.code;
      if (cost.wall > 5e3) break; /* what takes seconds is not run often */
    }
    argv[files + 1] = next;
    printf("%.2f\t%.2f\t%.1f\t%d\t%s\n", best.wall, best.cpu, best.peak, best.code, argv[i]);
    fflush(stdout);
  }
  return 0;
}
