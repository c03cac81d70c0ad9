/* Mutants of programs: changes that mostly leave a text that still parses, so that the stages after the reader are
 * met too. The same state gives the same mutant everywhere. */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/* One to four changes of the text, which may grow to `room` bytes; the new size. */
size_t mutate_text(Random *random, uint8_t *text, size_t size, size_t room);
/* Of a golden test only the input; the new size. */
size_t mutate_strip_golden(uint8_t *text, size_t size);

#endif
