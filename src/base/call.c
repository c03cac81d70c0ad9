/* What is kept for the time of one public call (see call.h). */
#include "base/call.h"

static _Thread_local unsigned depth; /* a call within a call ends nothing */
static _Thread_local void (*closes)(void);

void call_begin(void) { depth++; }

bool call_keeps(void (*close)(void)) {
  if (depth) closes = close;
  return depth;
}

void call_end(void) {
  if (--depth || !closes) return;
  closes();
  closes = 0;
}
