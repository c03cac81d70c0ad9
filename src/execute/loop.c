/* Loops: counted loops are closed symbolically (see the essay in docs when it lands); for now none is. */
#include "execute/internal.h"

void execute_for(Execution *ex, const Op *op, OpId id) {
  (void)op;
  execute_stop(ex, id, "unsupported-op", "scf.for is not executed yet");
}

void execute_while(Execution *ex, const Op *op, OpId id) {
  (void)op;
  execute_stop(ex, id, "unsupported-op", "scf.while is not executed yet");
}
