/* What is kept for the time of one public call, in the thread that makes it, and ended with it however it ends. */
#ifndef ASSAY_BASE_CALL_H
#define ASSAY_BASE_CALL_H

#include <stdbool.h>

void call_begin(void);
void call_end(void);
/* Whether a call is running: then `close` is run once when it ends. At most one thing is kept. */
bool call_keeps(void (*close)(void));

#endif
