/* Memory as a value: what a tensor holds is a term over the place of an element, and a loop carries it as it carries
 * any value (contents.c). Used where ExecuteOptions.carries_memory says so. */
#ifndef ASSAY_EXECUTE_CONTENTS_H
#define ASSAY_EXECUTE_CONTENTS_H

#include "execute/internal.h"

enum { CONTENTS_MOST = 8, CONTENT_RANK = EXECUTE_AXES };

typedef struct Content {
  Term tensor;
  TypeId element;
  uint32_t rank;
  Term place[CONTENT_RANK]; /* symbols of an element's indices; its offset is the sum of place[k] * stride[k] */
  Term stride[CONTENT_RANK], extent[CONTENT_RANK]; /* 0 <= place[k] < extent[k] for k > 0 */
  Term value;                                      /* over `place`: what is there now */
  bool is_unsigned;                                /* values are without sign, from 0 on, as elements are named */
} Content;

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

/* strides.c: the axes that the function goes by; one where it shows none. */
void contents_find_strides(Machine *m, Content *content);
/* The indices of an access along them; false: it is not seen that they are within the axes. */
bool contents_indices(Machine *m, const Content *content, const Access *access, Term index[CONTENT_RANK]);
/* Multiples of each stride but the last, which is 1, and what is left. */
void contents_split(TermTable *tt, Term offset, uint32_t rank, const Term *stride, Term *index);
/* The argument of the function that a pointer is made of; 0: that is not seen. */
ValueId contents_root(const Program *p, ValueId value);

#endif
