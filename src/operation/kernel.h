/* One kernel of a request: which function it is, and its execution with all that the launch gives it. */
#ifndef ASSAY_OPERATION_KERNEL_H
#define ASSAY_OPERATION_KERNEL_H

#include "execute/execute.h"
#include "operation/request.h"

/* How far arguments that a launch gives one expression are taken to be one: where two of its pointers are one tensor;
 * there the strides of both too, axis by axis, if they are one number of a sample; what a flat index is cut by and what
 * it ends at, likewise; or all that go by one expression, or by one number of a sample. */
typedef enum Relation { RELATE_SHARED, RELATE_AXES, RELATE_ENDS, RELATE_ALL } Relation;

/* How a kernel is executed, which attempts change (attempts.c). */
typedef struct Reading {
  Relation relation;
  bool carries_memory, flat_contents; /* execute/contents.c */
  bool is_alone;                      /* one program along axes of which the launch has one */
  uint32_t taken;                     /* of what the launch says (given_by_launch) */
  uint64_t waived;                    /* ... but for the signs of these arguments, by number */
} Reading;

typedef struct Kernel {
  const Program *program;
  const Function *function;
  const Operation *operation; /* the whole */
  const Launch *launch;       /* this one of it */
  const Options *options;
  const ExecuteBinding *bindings; /* operation/arguments.h */
  Reading reading;
  bool zero_fill;
} Kernel;

/* The function that the launch asks for, or the only public one; false and a diagnostic: there is none. */
bool kernel_choose(Kernel *kernel, DiagnosticList *diagnostics);
/* What a launch gives the argument that its kernel calls so; NULL: nothing. */
const LaunchArg *kernel_argument(const Launch *launch, const char *name);
/* The axes that `Reading.is_alone` is about; false: there are none. */
bool kernel_is_alone(const Program *program, const Launch *launch, bool is_alone[3]);
/* Over a table of its own. What the user assumes of the kernel is added to what execution found. */
Effects *kernel_execute(Arena *arena, InternTable *names, const Kernel *kernel, DiagnosticList *diagnostics);

#endif
