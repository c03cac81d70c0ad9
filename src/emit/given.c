/* How an array of a launch is reshaped to the tensor of a form (given.h).
 *
 * The form's axes have strides, so that the array is one of (-1, s0 / s1, s1 / s2, ..), of which each axis is cut to
 * its extent; the last stride is the length of rows of which the first element is taken. The numbers are those of a
 * sample: a length is written as a number only where the form has it as one, else as the lengths of the array's own
 * axes, or as the sizes that the form computes it of. */
#include "emit/given.h"

typedef struct Reshape {
  Arena *arena;
  TermTable *tt;
  const PointwiseTensor *tensor;
  const PointwiseGiven *given;
  const char *name;
  uint32_t right; /* axes of the array before this one are not gone through yet */
  int64_t inner;  /* but so many elements of the last of them, by numbers of the form */
  GivenSizes sizes;
  bool asks_sizes; /* a length was written as sizes: axes of the array before it are not those of the form's any more */
  const char *test; /* that the array is shorter along such an axis; NULL: it is not */
} Reshape;

static int64_t element_count(const PointwiseGiven *given) {
  int64_t count = 1;
  for (uint32_t k = 0; k < given->rank; k++) count *= given->shape[k];
  return count;
}

/* A length as the product of axes of the array, next to each other, without what was gone through of them; NULL: none.
 */
static const char *by_axes(Reshape *r, int64_t length) {
  Text text = text_new(r->arena);
  uint32_t first = r->right;
  int64_t product = 1, wanted;
  if (r->asks_sizes) return NULL;
  if (__builtin_mul_overflow(length, r->inner, &wanted)) return NULL;
  while (first && product < wanted) product *= r->given->shape[--first];
  if (product != wanted) return NULL;
  for (uint32_t k = first; k < r->right; k++) text_format(&text, "%s%s.shape[%u]", k > first ? " * " : "", r->name, k);
  if (r->inner > 1) text_format(&text, " // %lld", (long long)r->inner);
  r->right = first, r->inner = 1;
  return text.count ? text_string(&text) : "1";
}

/* The distance from one row of the form to the next, as a number of the form. */
static bool is_literal(const Reshape *r, uint32_t axis, int64_t length) {
  int64_t outer, inner, extent;
  if (term_is_int(r->tt, r->tensor->extent[axis], &extent) && extent == length) return true;
  return axis && term_is_int(r->tt, r->tensor->stride[axis - 1], &outer) &&
         term_is_int(r->tt, r->tensor->stride[axis], &inner);
}

/* No size of a caller's, but what the kernel reads at least: an array may be longer. */
static bool is_computed(const Reshape *r, uint32_t axis) {
  int64_t number;
  return term_kind(r->tt, r->tensor->extent[axis]) != TERM_SYM && !term_is_int(r->tt, r->tensor->extent[axis], &number);
}

/* The length of an axis that is so long in the launch, as the form computes it; 0: it does not. */
static Term computed_length(const Reshape *r, uint32_t axis, int64_t length) {
  if (!is_computed(r, axis)) return 0;
  if (length == r->given->extent[axis]) return r->tensor->extent[axis];
  if (!axis) return 0;
  Term outer = r->tensor->stride[axis - 1], inner = r->tensor->stride[axis];
  Term rows = term_floordiv(r->tt, outer, inner);
  return term_mul(r->tt, rows, inner) == outer ? rows : 0;
}

/* A length that is no product of axes of the array. */
static const char *by_sizes(Reshape *r, uint32_t axis, int64_t length) {
  Term computed = computed_length(r, axis, length);
  const char *text = computed ? r->sizes.text(r->sizes.payload, computed) : NULL;
  if (!text) return NULL;
  r->asks_sizes = true;
  if (r->given->rank == r->tensor->rank && r->given->shape[axis] < length)
    r->test = arena_format(r->arena, "%s.shape[%u] < %s", r->name, axis, text);
  return text;
}

static const char *length_text(Reshape *r, uint32_t axis, int64_t length) {
  const char *axes = by_axes(r, length);
  if (!is_literal(r, axis, length)) return axes ? axes : by_sizes(r, axis, length);
  if (!axes) r->inner *= length;
  return arena_format(r->arena, "%lld", (long long)length);
}

/* Adds the length of an axis and where it is cut; false: other sizes need not have it. */
static bool add_axis(Reshape *r, uint32_t axis, int64_t length, const char **shape, const char **cut) {
  int64_t extent = r->given->extent[axis], number;
  bool is_number = term_is_int(r->tt, r->tensor->extent[axis], &number);
  *shape = axis ? length_text(r, axis, length) : "-1";
  *cut = ":";
  if (!*shape || length < extent) return false;
  if (!extent || length == extent || (!axis && !is_number) || is_computed(r, axis)) return true;
  *cut = arena_format(r->arena, ":%lld", (long long)number);
  return is_number;
}

/* Elements that are not next to each other are the first ones of rows of that length; NULL: other sizes need not have
 * it. */
static const char *column_text(Reshape *r, int64_t length) {
  int64_t number;
  const char *axes = by_axes(r, length);
  if (!term_is_int(r->tt, r->tensor->stride[r->tensor->rank - 1], &number)) return axes;
  if (!axes) r->inner *= length;
  return arena_format(r->arena, "%lld", (long long)length);
}

static bool reshape_axes(Reshape *r, GivenReshape *out) {
  uint32_t rank = r->tensor->rank;
  const char *shape[POINTWISE_MAX_RANK], *cut[POINTWISE_MAX_RANK], *column = NULL;
  int64_t inner = r->given->stride[rank - 1], count = element_count(r->given);
  bool is_cut = inner > 1;
  if (inner < 1 || (is_cut && !(column = column_text(r, inner)))) return false;
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
  if (column) text_format(&shapes, ", %s", column), text_add(&cuts, ", 0");
  out->shape = arena_format(r->arena, rank == 1 && !column ? "%s" : "(%s)", text_string(&shapes));
  out->cut = is_cut ? arena_format(r->arena, "[%s]", text_string(&cuts)) : "";
  return true;
}

/* True if the launch's array has the lengths of the form. A length that its numbers do not say may be any. */
static bool has_form_shape(const Reshape *r) {
  for (uint32_t k = 0; k < r->tensor->rank; k++)
    if (r->given->extent[k] && r->given->extent[k] != r->given->shape[k]) return false;
  return true;
}

static bool has_more_rows(const Reshape *r) {
  int64_t rows = r->tensor->rank ? r->given->extent[0] : 0, taken;
  return rows && term_kind(r->tt, r->tensor->extent[0]) == TERM_SYM &&
         !__builtin_mul_overflow(rows, r->given->stride[0], &taken) && element_count(r->given) > taken;
}

/* The launch's array has the axes of the form, and is longer where that may be. */
static bool is_itself(const Reshape *r) {
  int64_t packed = 1;
  for (uint32_t k = r->tensor->rank; k-- > 0; packed *= r->given->shape[k]) {
    int64_t extent = r->given->extent[k], length = r->given->shape[k];
    if (r->given->stride[k] != packed) return false;
    if (extent && length != extent && (length < extent || (!is_computed(r, k) && (k || !has_more_rows(r)))))
      return false;
  }
  return true;
}

static const char *given_shape_text(const Reshape *r) {
  Text text = text_new(r->arena);
  for (uint32_t k = 0; k < r->given->rank; k++)
    text_format(&text, "%s%lld", k ? ", " : "", (long long)r->given->shape[k]);
  return arena_format(r->arena, r->given->rank == 1 ? "(%s,)" : "(%s)", text_string(&text));
}

/* The number of axes tells, or the length of one that is a number of the form. NULL: neither does. */
static const char *axes_test(const Reshape *r) {
  int64_t extent;
  if (r->given->rank != r->tensor->rank) return arena_format(r->arena, "%s.ndim == %u", r->name, r->given->rank);
  for (uint32_t k = 0; k < r->tensor->rank; k++)
    if (term_is_int(r->tt, r->tensor->extent[k], &extent) && extent != r->given->shape[k])
      return arena_format(r->arena, "%s.shape[%u] != %lld", r->name, k, (long long)extent);
  return NULL;
}

static bool reshape(Reshape *r, GivenReshape *out) {
  bool found = r->tensor->rank ? reshape_axes(r, out) : element_count(r->given) == 1;
  out->asks_sizes = found && r->asks_sizes;
  if (found && r->test) out->test = r->test;
  return found;
}

static bool is_one_element(const Reshape *r) {
  return r->tensor->rank == 1 && element_count(r->given) == 1 && r->given->extent[0] == 1;
}

bool given_is_longer(TermTable *tt, const PointwiseTensor *tensor, uint32_t axis) {
  Reshape r = {.tt = tt, .tensor = tensor, .given = tensor->given};
  int64_t extent = r.given->extent[axis], stride = r.given->stride[axis];
  int64_t rows = axis ? r.given->stride[axis - 1] : element_count(r.given);
  return is_computed(&r, axis) && extent && stride && rows / stride > extent;
}

bool given_reshape(Arena *arena, TermTable *tt, const PointwiseTensor *tensor, const char *name, GivenSizes sizes,
                   GivenReshape *out) {
  if (!tensor->given) return false;
  Reshape r = {arena, tt, tensor, tensor->given, name, tensor->given->rank, 1, sizes, false, NULL};
  *out = (GivenReshape){.test = axes_test(&r), .shape = "()", .cut = "", .has_more_rows = has_more_rows(&r)};
  if (out->test) return reshape(&r, out);
  if (!has_form_shape(&r)) { /* an array of that very shape is the launch's */
    out->test = arena_format(arena, "tuple(%s.shape) == %s", name, given_shape_text(&r));
    out->is_itself = is_itself(&r);
    if (out->is_itself || !reshape(&r, out)) out->shape = NULL;
    return true;
  }
  if (is_one_element(&r))
    out->test = arena_format(arena, "%s.ndim == 0", name), out->shape = "1", out->has_more_rows = false;
  return is_one_element(&r);
}
