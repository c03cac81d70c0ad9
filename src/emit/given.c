/* How an array of a launch is reshaped to the tensor of a form (given.h).
 *
 * The form's axes have strides, so that the array is one of (-1, s0 / s1, s1 / s2, ..), of which each axis is cut to
 * its extent. The numbers are those of a sample: a length is written as a number only where the form has it as one,
 * else as the lengths of the array's own axes. */
#include "emit/given.h"

typedef struct Reshape {
  Arena *arena;
  TermTable *tt;
  const PointwiseTensor *tensor;
  const PointwiseGiven *given;
  const char *name;
  uint32_t right; /* axes of the array before this one are not gone through yet */
} Reshape;

static int64_t element_count(const PointwiseGiven *given) {
  int64_t count = 1;
  for (uint32_t k = 0; k < given->rank; k++) count *= given->shape[k];
  return count;
}

/* The lengths of axes of the array, next to each other, whose product is `length`; NULL: there are none. */
static const char *by_axes(Reshape *r, int64_t length) {
  Text text = text_new(r->arena);
  uint32_t first = r->right;
  int64_t product = 1;
  while (first && product < length) product *= r->given->shape[--first];
  bool whole = product == length;
  if (!whole) first = 0; /* an axis is divided: what is left of it is no axis */
  for (uint32_t k = first; whole && k < r->right; k++)
    text_format(&text, "%s%s.shape[%u]", k > first ? " * " : "", r->name, k);
  r->right = first;
  return !whole ? NULL : text.count ? text_string(&text) : "1";
}

/* The distance from one row of the form to the next, as a number of the form. */
static bool is_literal(const Reshape *r, uint32_t axis, int64_t length) {
  int64_t outer, inner, extent;
  if (term_is_int(r->tt, r->tensor->extent[axis], &extent) && extent == length) return true;
  return axis && term_is_int(r->tt, r->tensor->stride[axis - 1], &outer) &&
         term_is_int(r->tt, r->tensor->stride[axis], &inner);
}

static const char *length_text(Reshape *r, uint32_t axis, int64_t length) {
  const char *axes = by_axes(r, length);
  if (is_literal(r, axis, length)) return arena_format(r->arena, "%lld", (long long)length);
  return axes;
}

/* Adds the length of an axis and where it is cut; false: other sizes need not have it. */
static bool add_axis(Reshape *r, uint32_t axis, int64_t length, const char **shape, const char **cut) {
  int64_t extent = r->given->extent[axis], number;
  bool is_number = term_is_int(r->tt, r->tensor->extent[axis], &number);
  *shape = axis ? length_text(r, axis, length) : "-1";
  *cut = ":";
  if (!*shape || length < extent) return false;
  if (!extent || length == extent || (!axis && !is_number)) return true;
  *cut = arena_format(r->arena, ":%lld", (long long)number);
  return is_number;
}

static bool reshape_axes(Reshape *r, GivenReshape *out) {
  uint32_t rank = r->tensor->rank;
  const char *shape[POINTWISE_MAX_RANK], *cut[POINTWISE_MAX_RANK];
  int64_t inner = 1, count = element_count(r->given);
  bool is_cut = false;
  for (uint32_t k = rank; k-- > 0;) {
    int64_t stride = r->given->stride[k], outer = k ? r->given->stride[k - 1] : count;
    if (stride != inner || outer < stride || outer % stride) return false;
    if (!add_axis(r, k, outer / stride, &shape[k], &cut[k])) return false;
    is_cut |= cut[k][1] != 0, inner = outer;
  }
  Text shapes = text_new(r->arena), cuts = text_new(r->arena);
  for (uint32_t k = 0; k < rank; k++) {
    text_format(&shapes, "%s%s", k ? ", " : "", shape[k]);
    text_format(&cuts, "%s%s", k ? ", " : "", cut[k]);
  }
  out->shape = text_string(&shapes);
  out->cut = is_cut ? arena_format(r->arena, "[%s]", text_string(&cuts)) : "";
  return true;
}

bool given_reshape(Arena *arena, TermTable *tt, const PointwiseTensor *tensor, const char *name, GivenReshape *out) {
  const PointwiseGiven *given = tensor->given;
  if (!given || given->rank == tensor->rank) return false;
  if (!tensor->rank) {
    *out = (GivenReshape){"()", ""};
    return element_count(given) == 1;
  }
  Reshape r = {arena, tt, tensor, given, name, given->rank};
  return reshape_axes(&r, out);
}
