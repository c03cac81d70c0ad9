/* The child's side of the SMT engine: what goes over the socket, and the loop that answers it. */
#ifndef ASSAY_SOLVE_Z3_WORKER_H
#define ASSAY_SOLVE_Z3_WORKER_H

#include "solve/smt.h"

enum { Z3_DETAIL_SIZE = 160, Z3_MODEL_SIZE = 1 << 16 };
/* The child's exit statuses; 101 is Z3's own for memory. */
enum { Z3_EXIT_MEMORY = 101, Z3_EXIT_CRASH = 102 };

typedef struct Z3Request {
  uint32_t route;
  uint32_t effort; /* Z3's rlimit; 0: none */
  uint32_t size;   /* of the goal that follows, without its NUL */
} Z3Request;

typedef struct Z3Reply {
  uint32_t answer, reason;
  uint32_t model_checked;
  uint32_t model_size; /* of the text that follows */
  char detail[Z3_DETAIL_SIZE];
} Z3Reply;

/* Loads the library and answers requests until the socket closes. Runs in the child; never returns to code
 * that the parent owns: the caller must _exit. */
void z3_worker_run(int fd);
/* Whole messages over a blocking socket; false when the other side is gone. */
bool z3_worker_read(int fd, void *bytes, size_t size);
bool z3_worker_write(int fd, const void *bytes, size_t size);

#endif
