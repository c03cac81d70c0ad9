/* Memory as a value: what a tensor holds is a term over the place of an element, and a loop carries it as it carries
 * any value (contents.c). Used where ExecuteOptions.carries_memory says so. */
#ifndef ASSAY_EXECUTE_CONTENTS_H
#define ASSAY_EXECUTE_CONTENTS_H

#include "execute/internal.h"

typedef struct Content {
  Term tensor;
  TypeId element;
  Term place; /* the symbol of the element's offset */
  Term value; /* over `place`: what is there now */
} Content;

enum { CONTENTS_MOST = 8 };

/* The content of a tensor that the function has stored to, or that the loop around does; NULL: it is as it was. */
Content *contents_find(Machine *m, Term tensor);
/* The element that a load sees. Several lanes stop the run, here and below. */
Term contents_load(Machine *m, const Access *load);
/* What is stored where the mask of the access holds. */
void contents_store(Machine *m, const Access *store, Term value);
/* The tensors that the loop stores to, each as a content; false: it cannot be seen which, or it is more than these. */
bool contents_of_loop(Machine *m, const Op *loop, Content *out[CONTENTS_MOST], uint32_t *count);
/* The content behind a loop in the form that the loops around it are closed in. */
Term contents_after_loop(Machine *m, Term value);
/* After the last operation: each store is one of what its place holds at the end, whichever writer was the last. */
void contents_finish(Machine *m);

#endif
