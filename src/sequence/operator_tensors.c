/* Which tensor of the operation each pointer of a launch is, and how the result sees it (step 2 of operator.c). */
#include "sequence/operator_internal.h"

#include <stdlib.h>
#include <string.h>

#include "prove/layout.h"

static bool all_numbers(const OperationTensor *t) {
  int64_t number;
  for (uint32_t k = 0; k < t->rank; k++)
    if (!expr_number(t->shape[k], &number)) return false;
  return true;
}

static const char *dim_name(Operator *o, Term extent, const char *tensor, uint32_t axis) {
  return term_kind(o->tt, extent) == TERM_SYM ? term_name(o->tt, extent)
                                              : arena_format(o->arena, "%s_d%u", tensor, axis);
}

void operator_declare_tensor(Operator *o, const OperationTensor *from) {
  TermTable *tt = o->tt;
  PointwiseTensor t = {.name = from->name, .rank = from->rank};
  bool flags =
      from->own_shape || from->own_strides || !o->operation->has_tensors; /* of --shape and --strides: no sample */
  bool adopt = !flags && (all_numbers(from) || from->rank > POINTWISE_MAX_RANK);
  Term packed = tt->one;
  if (flags && from->rank > POINTWISE_MAX_RANK) {
    operator_stop(
        o, REASON_VIEWS,
        arena_format(o->arena, "the shape and the strides of %s that are given do not go together", from->name));
    t.rank = 0, adopt = true;
  }
  for (uint32_t k = t.rank; k-- > 0 && !adopt;) {
    t.extent[k] = from->own_shape ? 0 : operator_expression(o, from->shape[k]);
    if (from->own_shape || from->own_strides) {
      t.stride[k] = from->own_strides ? 0 : operator_expression(o, from->strides[k]);
      if (t.extent[k]) t.dim_name[k] = dim_name(o, t.extent[k], t.name, k);
      continue;
    }
    t.stride[k] = from->strides ? operator_expression(o, from->strides[k]) : packed;
    t.dim_name[k] = dim_name(o, t.extent[k], t.name, k);
    packed = term_mul(tt, packed, t.extent[k]);
  }
  array_push(o->arena, &o->sequence.tensors, (SequenceTensor){.view = t, .temporary = from->temporary});
  array_push(o->arena, &o->adopted, adopt);
}

static uint32_t find_tensor(Operator *o, const char *name) {
  for (uint32_t i = 0; i < o->sequence.tensors.count; i++)
    if (!strcmp(o->sequence.tensors.data[i].view.name, name)) return i;
  return SEQUENCE_UNUSED;
}

bool operator_sample(Operator *o, Term t, int64_t *value) {
  for (uint32_t i = 0; i < o->named.count; i++)
    if (o->named.data[i].has_sample)
      t = term_replace(o->tt, t, o->named.data[i].symbol, term_int(o->tt, o->named.data[i].sample));
  for (uint32_t i = 0; i < o->count && i <= o->launch; i++)
    for (uint32_t k = 0; k < o->bound[i].launch->grid_count && k < 3; k++) {
      int64_t number;
      Term grid = o->bound[i].grid[k];
      if (grid && term_kind(o->tt, grid) == TERM_SYM && expr_number(o->bound[i].launch->grid[k], &number))
        t = term_replace(o->tt, t, grid, term_int(o->tt, number));
    }
  return term_is_int(o->tt, t, value);
}

/* A stride that goes by a name of its own and has the number that the tensor's stride has: it is that one. */
static Term match_stride(Operator *o, const Bound *b, Term own, Term declared) {
  int64_t a, n;
  if (term_sub(o->tt, own, declared) == o->tt->zero || term_kind(o->tt, own) != TERM_SYM) return own;
  if (!operator_sample(o, own, &a) || !operator_sample(o, declared, &n) || a != n) return own;
  const char *text = arena_format(o->arena, "%s = %s", term_text(o->tt, own), term_text(o->tt, declared));
  operator_assume(o, ASSUME_LAUNCH, term_eq(o->tt, own, declared), text,
                  arena_format(o->arena, "%s was given %lld", operator_kernel(b), (long long)a), NULL);
  return declared;
}

/* --strides x=N,1 of a kernel whose argument is the stride: it is that one. What bounds an index as well is no such
 * argument. */
static Term take_stride(Operator *o, const Bound *b, Term symbol, Term own, Term declared) {
  const Effects *ex = b->claim->ex;
  bool free = false;
  for (uint32_t i = 0; i < ex->params.count; i++)
    free |= ex->params.data[i].symbol == symbol && !ex->params.data[i].is_size && !ex->params.data[i].is_named;
  if (!free || !declared || term_has_symbol(o->tt, declared, own) || term_kind(o->tt, own) != TERM_SYM) return own;
  const char *text = arena_format(o->arena, "%s = %s", term_text(o->tt, own), term_text(o->tt, declared));
  operator_assume(o, ASSUME_USER, term_eq(o->tt, own, declared), text, "--strides", NULL);
  return declared;
}

void operator_match_strides(Operator *o, Bound *b) {
  const Pointwise *p = b->claim->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *own = &p->tensors.data[i];
    if (b->tensor[i] == SEQUENCE_UNUSED || (!own->is_read && !own->is_written)) continue;
    const PointwiseTensor *declared = &o->sequence.tensors.data[b->tensor[i]].view;
    if (!declared->symbol && o->adopted.data[b->tensor[i]]) continue;
    for (uint32_t k = 0; k < own->rank && own->rank == declared->rank; k++) {
      if (term_kind(p->tt, own->stride[k]) != TERM_SYM) continue;
      Term is = importer_term(b->importer, own->stride[k]), by = match_stride(o, b, is, declared->stride[k]);
      if (by != is) operator_note_same(o, by, is);
      if (by == is && !o->operation->has_tensors) by = take_stride(o, b, own->stride[k], is, declared->stride[k]);
      if (by == is) continue;
      importer_map(b->importer, own->stride[k], by);
      for (uint32_t n = 0; n < o->named.count; n++)
        if (o->named.data[n].symbol == is) o->named.data[n].is_stride = true;
      for (uint32_t s = 0; s < o->out->pointwise->scalars.count; s++)
        if (o->out->pointwise->scalars.data[s].symbol == is)
          o->out->pointwise->scalars.data[s] = o->out->pointwise->scalars.data[--o->out->pointwise->scalars.count];
    }
  }
}

static uint32_t place_of(const Bound *b, const PointwiseTensor *t) {
  const Effects *ex = b->claim->ex;
  uint32_t place = 0;
  while (place + 1 < ex->params.count && ex->params.data[place].symbol != t->symbol) place++;
  return place;
}

/* What the operation gives for a tensor of the launch; NULL: nothing. */
static const LaunchArg *arg_of(const Operator *o, const Bound *b, const PointwiseTensor *t) {
  return o->operation->has_tensors ? launch_find_arg(b->launch, t->name, place_of(b, t)) : NULL;
}

static const char *name_of(const Operator *o, const Bound *b, const PointwiseTensor *t) {
  const LaunchArg *arg = arg_of(o, b, t);
  return arg && arg->tensor ? arg->tensor : t->name;
}

const char *operator_dtype(Operator *o, Bound *b, uint32_t number) {
  const PointwiseTensor *own = &b->claim->pointwise->tensors.data[number];
  for (uint32_t l = 0; l < o->count && own->dtype[0] == 'u'; l++) {
    const Pointwise *p = o->bound[l].claim->pointwise;
    for (uint32_t i = 0; p && i < p->tensors.count; i++) {
      const PointwiseTensor *t = &p->tensors.data[i];
      if ((t->is_read || t->is_written) && !strcmp(name_of(o, &o->bound[l], t), name_of(o, b, own)) &&
          importer_map_bits(b->importer, pointwise_import(own), pointwise_import(t)))
        return t->dtype;
    }
  }
  return own->dtype;
}

void operator_place_tensors(Operator *o, Bound *b) {
  const Pointwise *p = b->claim->pointwise;
  b->tensor = arena_array(o->arena, uint32_t, p->tensors.count + 1);
  b->offset = arena_array(o->arena, Term, p->tensors.count + 1);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    const LaunchArg *arg = arg_of(o, b, t);
    const char *name = name_of(o, b, t), *by_place = arena_format(o->arena, "arg%u", place_of(b, t));
    if (!o->operation->has_tensors && find_tensor(o, name) == SEQUENCE_UNUSED &&
        find_tensor(o, by_place) != SEQUENCE_UNUSED)
      o->sequence.tensors.data[find_tensor(o, by_place)].view.name = name;
    b->offset[i] = arg && arg->offset ? operator_expression(o, arg->offset) : o->tt->zero;
    b->tensor[i] = find_tensor(o, name);
    if (strcmp(name, t->name)) array_push(o->arena, &b->renames, ((Rename){t->name, name, 0}));
    if (b->tensor[i] == SEQUENCE_UNUSED && (t->is_read || t->is_written)) {
      if (o->operation->has_tensors)
        operator_stop(
            o, REASON_LAUNCH,
            arena_format(o->arena, "argument %s of %s is no tensor of the operation", t->name, operator_kernel(b)));
      array_push(o->arena, &o->sequence.tensors, (SequenceTensor){.view = {.name = name}});
      array_push(o->arena, &o->adopted, true);
      b->tensor[i] = o->sequence.tensors.count - 1;
    }
    for (uint32_t k = 0; k < i; k++) /* the kernel was lifted as if they were two */
      if (b->tensor[k] == b->tensor[i] && b->tensor[i] != SEQUENCE_UNUSED &&
          (p->tensors.data[k].is_written || t->is_written))
        operator_stop(o, REASON_ALIAS,
                      arena_format(o->arena, "%s and %s of %s are one tensor", p->tensors.data[k].name, t->name,
                                   operator_kernel(b)));
  }
}

/* An argument, the size of a grid, a number, or products of these. */
static bool is_plain_size(const Claim *r, Term t) {
  TermTable *tt = r->ex->tt;
  if (term_kind(tt, t) == TERM_RAT) return true;
  if (term_kind(tt, t) == TERM_ADD)
    return term_count(tt, t) == 3 && !term_constant_part(tt, t).num && is_plain_size(r, term_arg(tt, t, 2));
  if (term_kind(tt, t) == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2)
      if (!is_plain_size(r, term_arg(tt, t, i))) return false;
    return true;
  }
  for (uint32_t i = 0; i < r->ex->params.count; i++)
    if (r->ex->params.data[i].symbol == t) return true;
  return t == r->ex->grid[0] || t == r->ex->grid[1] || t == r->ex->grid[2];
}

/* The name of an extent that no argument speaks of. */
static bool is_made_up(const Claim *r, Term t) { return term_kind(r->ex->tt, t) == TERM_SYM && !is_plain_size(r, t); }

/* A tensor of --shape is row-major, but for strides that are arguments. Where sizes decide whether rows overlap, it is
 * assumed of an output that they do not. */
static void pack_rows(Operator *o, const Effects *ex, const PointwiseTensor *own, PointwiseTensor *t) {
  TermTable *tt = o->tt;
  Term packed = tt->one;
  bool fits = true;
  for (uint32_t k = t->rank; k-- > 0; packed = term_mul(tt, t->stride[k], t->extent[k])) {
    if (!recover_has_stride_argument(ex, own->stride[k]) || term_prove_lt(tt, t->stride[k], packed))
      t->stride[k] = packed;
    else
      fits &= term_prove_le(tt, packed, t->stride[k]);
  }
  if (fits || !own->is_written) return;
  uint32_t taken = operator_assume(o, ASSUME_DISJOINT, 0,
                                   arena_format(o->arena, "the strides of %s do not make elements overlap", t->name),
                                   "an output has one place per element", NULL);
  o->out->assumptions.data[taken].apart = t->symbol;
}

/* A tensor that a shape of other axes cuts in its own way, as no argument says how far its rows are apart: a number of
 * rows that was made up is as many as were given, up to the stride of these rows. false: it cannot be told. */
static bool cut_rows(Operator *o, Bound *b, const PointwiseTensor *own, const PointwiseTensor *t) {
  TermTable *tt = o->tt;
  for (uint32_t k = 0; k < own->rank; k++) {
    Term stride = importer_term(b->importer, own->stride[k]),
         before = k ? importer_term(b->importer, own->stride[k - 1]) : 0, packed = tt->one, rows = 0;
    if (recover_has_stride_argument(b->claim->ex, own->stride[k])) return false;
    if (!is_made_up(b->claim, own->extent[k])) continue;
    bool ended = false;
    for (uint32_t i = t->rank; i-- > 0 && !ended; packed = term_mul(tt, packed, t->extent[i])) {
      if (packed == before)
        ended = true;
      else if (rows || packed == stride)
        rows = term_mul(tt, rows ? rows : tt->one, t->extent[i]);
    }
    if (!rows || (before && !ended)) return false;
    importer_map(b->importer, own->extent[k], rows);
  }
  return true;
}

static void pack_all(Operator *o, PointwiseTensor *t) {
  Term packed = o->tt->one;
  for (uint32_t k = t->rank; k-- > 0; packed = term_mul(o->tt, packed, t->extent[k]))
    t->stride[k] = packed, t->dim_name[k] = dim_name(o, t->extent[k], t->name, k);
}

void operator_complete_tensors(Operator *o, Bound *b) {
  const Pointwise *p = b->claim->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *own = &p->tensors.data[i];
    if (b->tensor[i] == SEQUENCE_UNUSED || o->adopted.data[b->tensor[i]] || (!own->is_read && !own->is_written))
      continue;
    PointwiseTensor *t = &o->sequence.tensors.data[b->tensor[i]].view;
    bool own_strides = t->rank && !t->stride[0];
    if (!t->rank || (t->extent[0] && t->stride[0])) continue;
    if (t->rank != own->rank && own->rank == 1 && !t->stride[0] &&
        own->stride[0] == p->tt->one) { /* rows after one another, gone along as memory */
      Term count = t->extent[0], extent = importer_term(b->importer, own->extent[0]);
      for (uint32_t k = 1; k < t->rank; k++) count = term_mul(o->tt, count, t->extent[k]);
      if (!is_plain_size(b->claim, own->extent[0])) { /* no argument says it: the tensor is as large as it is given,
                                                            and the bounds are asked of that */
        if (is_made_up(b->claim, own->extent[0])) importer_map(b->importer, own->extent[0], count);
        t->rank = 1, t->extent[0] = count, t->stride[0] = o->tt->one, t->dim_name[0] = dim_name(o, count, t->name, 0);
        continue;
      }
      const char *text = arena_format(o->arena, "%s = %s", term_text(o->tt, extent), term_text(o->tt, count));
      operator_assume(o, ASSUME_USER, term_eq(o->tt, extent, count), text,
                      arena_format(o->arena, "--shape: %s goes along %s as memory", operator_kernel(b), own->name),
                      NULL);
      o->adopted.data[b->tensor[i]] = true;
      continue;
    }
    if (t->rank != own->rank && t->rank == 1 && !t->stride[0])
      t->stride[0] = o->tt->one; /* memory, whose rows the kernel knows */
    else if (t->rank != own->rank && own_strides && cut_rows(o, b, own, t)) {
      pack_all(o, t);
      continue;
    } else if (t->rank != own->rank) {
      const char *what = t->extent[0] ? "--shape" : "--strides";
      operator_stop(o, REASON_VIEWS,
                    arena_format(o->arena, "%s is seen with %u axes by %s: %s has %u", own->name, own->rank,
                                 operator_kernel(b), what, t->rank));
      return;
    }
    for (uint32_t k = 0; k < t->rank; k++) {
      if (!t->extent[k])
        t->extent[k] = importer_term(b->importer, own->extent[k]), t->is_least[k] = own->is_least[k];
      else if (is_made_up(b->claim, own->extent[k]))
        importer_map(b->importer, own->extent[k], t->extent[k]);
      if (!t->stride[k]) t->stride[k] = importer_term(b->importer, own->stride[k]);
      t->dim_name[k] = dim_name(o, t->extent[k], t->name, k);
    }
    if (own_strides && t->rank == own->rank) pack_rows(o, b->claim->ex, own, t);
  }
}

/* True if it is certain that elements share a place, where axes have two. */
static bool overlaps(Operator *o, const Bound *b, const PointwiseTensor *own) {
  TermTable *tt = o->tt;
  for (uint32_t k = 0; k < own->rank; k++) {
    Term stride = importer_term(b->importer, own->stride[k]);
    if (importer_term(b->importer, own->extent[k]) == tt->one) continue;
    if (stride == tt->zero) return true;
    for (uint32_t i = 0; i < own->rank; i++)
      if (i != k && importer_term(b->importer, own->stride[i]) == tt->one && term_prove_le(tt, tt->zero, stride) &&
          term_prove_lt(tt, stride, importer_term(b->importer, own->extent[i])))
        return true;
  }
  return false;
}

static bool has_strides(Operator *o, const Bound *b, const PointwiseTensor *own, const PointwiseTensor *t) {
  bool same = own->rank == t->rank;
  for (uint32_t k = 0; k < t->rank && same; k++)
    same = t->extent[k] == o->tt->one ||
           term_sub(o->tt, importer_term(b->importer, own->stride[k]), t->stride[k]) == o->tt->zero;
  return same;
}

/* What is claimed of a made-up number of rows holds for any: for as many as the tensor has. */
/* How many elements a row-major tensor has; 0: it has gaps. */
static Term packed_length(TermTable *tt, const PointwiseTensor *t) {
  Term length = tt->one;
  for (uint32_t k = t->rank; k-- > 0; length = term_mul(tt, length, t->extent[k]))
    if (!t->extent[k] || !t->stride[k] || term_sub(tt, t->stride[k], length) != tt->zero) return 0;
  return length;
}

/* A launch that goes along all of a tensor as one row, without saying how long that is: it is what the shape makes. */
static void match_flat(Operator *o, Bound *b, const PointwiseTensor *own, const PointwiseTensor *t, Term offset) {
  TermTable *from = b->claim->tt;
  if (own->rank != 1 || t->rank < 2 || own->stride[0] != from->one || !is_made_up(b->claim, own->extent[0])) return;
  Term length = packed_length(o->tt, t);
  if (length && (!offset || offset == o->tt->zero)) importer_map(b->importer, own->extent[0], length);
}

void operator_match_extents(Operator *o, Bound *b) {
  const Pointwise *p = b->claim->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *own = &p->tensors.data[i];
    if (b->tensor[i] == SEQUENCE_UNUSED || !own->is_written || o->adopted.data[b->tensor[i]]) continue;
    const PointwiseTensor *t = &o->sequence.tensors.data[b->tensor[i]].view;
    bool same = has_strides(o, b, own, t);
    match_flat(o, b, own, t, b->offset[i]);
    for (uint32_t k = 0; k < own->rank && same; k++)
      if (is_made_up(b->claim, own->extent[k])) importer_map(b->importer, own->extent[k], t->extent[k]);
  }
}

/* The tensor as the launch goes along it, in the operation's terms. */
static PointwiseTensor import_layout(const Bound *b, const PointwiseTensor *own) {
  PointwiseTensor t = *own;
  for (uint32_t k = 0; k < t.rank; k++)
    t.extent[k] = importer_term(b->importer, own->extent[k]), t.stride[k] = importer_term(b->importer, own->stride[k]);
  return t;
}

bool operator_has_places(Operator *o, const Bound *b, const PointwiseTensor *own) {
  PointwiseTensor t = import_layout(b, own);
  return layout_separates(o->tt, &t);
}

/* A stride that the operation leaves open: an argument that goes by its own name, without a number. */
static bool is_open(const Operator *o, Term stride) {
  for (uint32_t i = 0; i < o->named.count; i++)
    if (!o->named.data[i].has_sample && term_has_symbol(o->tt, stride, o->named.data[i].symbol)) return true;
  return false;
}

/* True if the tensor's own strides may be such that elements have places of their own. One has a name that is no size
 * of it, and no two are one. */
static bool may_separate(TermTable *tt, const PointwiseTensor *t) {
  bool named = false;
  for (uint32_t k = 0; k < t->rank; k++) {
    TermList symbols = {0};
    if (t->extent[k] == tt->one) continue;
    if (t->stride[k] == tt->zero) return false;
    for (uint32_t i = 0; i < k; i++)
      if (t->extent[i] != tt->one && term_sub(tt, t->stride[i], t->stride[k]) == tt->zero) return false;
    term_symbols(tt, t->stride[k], &symbols);
    for (uint32_t i = 0; i < symbols.count; i++) {
      bool is_size = false;
      for (uint32_t d = 0; d < t->rank; d++) is_size |= term_has_symbol(tt, t->extent[d], symbols.data[i]);
      named |= !is_size;
    }
  }
  return named;
}

/* Of an axis that no argument bounds (its index is read from memory): as many elements as the tensor of the launch has
 * along the axis with that stride, the only one of more than one element. */
static bool given_extent(Operator *o, uint32_t number, Term stride, int64_t *extent) {
  const OperationTensor *given = number < o->operation->tensors.count ? &o->operation->tensors.data[number] : NULL;
  int64_t own, packed = 1, step, size;
  uint32_t found = 0;
  if (!given || !all_numbers(given) || !operator_sample(o, stride, &own)) return false;
  for (uint32_t k = given->rank; k-- > 0; packed *= size) {
    step = packed;
    if (!expr_number(given->shape[k], &size) || (given->strides && !expr_number(given->strides[k], &step)) ||
        size < 1 || packed > INT32_MAX / size)
      return false;
    if (size > 1 && step == own) *extent = size, found++;
  }
  return found == 1;
}

/* The launch assumes that elements of an output do not share a place: by the strides that it is given they are not to
 * do so either. Of those of the tensor itself that is assumed, where they have names. */
static void check_places(Operator *o, const Bound *b, const PointwiseTensor *own, uint32_t number) {
  const PointwiseTensor *declared = &o->sequence.tensors.data[number].view;
  PointwiseTensor t = import_layout(b, own);
  bool open = has_strides(o, b, own, declared) && may_separate(o->tt, declared);
  if (layout_separates(o->tt, &t)) return;
  Text strides = text_new(o->arena);
  for (uint32_t k = 0; k < t.rank; k++) {
    int64_t extent, stride;
    open |= is_open(o, t.stride[k]);
    if (operator_sample(o, t.extent[k], &extent) ||
        (is_made_up(b->claim, own->extent[k]) && given_extent(o, number, t.stride[k], &extent)))
      t.extent[k] = term_int(o->tt, extent);
    if (operator_sample(o, t.stride[k], &stride)) t.stride[k] = term_int(o->tt, stride);
    text_format(&strides, "%s%s", k ? ", " : "", term_text(o->tt, t.stride[k]));
  }
  if (!open && !layout_separates(o->tt, &t))
    operator_stop(
        o, REASON_VIEWS,
        arena_format(o->arena,
                     "the launch that was given does not meet the assumption that elements of %s have places of their "
                     "own: they may share a place by the strides that %s is given: [%s]",
                     own->name, operator_kernel(b), text_string(&strides)));
}

void operator_check_views(Operator *o, Bound *b) {
  const Operation *operation = o->operation;
  const Pointwise *p = b->claim->pointwise;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *own = &p->tensors.data[i];
    uint32_t number = b->tensor[i];
    if (number == SEQUENCE_UNUSED || (!own->is_read && !own->is_written)) continue;
    if (own->is_written && operation->has_tensors) check_places(o, b, own, number);
    if (operation->has_tensors) continue;
    bool own_shape = number < operation->tensors.count && operation->tensors.data[number].own_shape;
    if (own_shape && !has_strides(o, b, own, &o->sequence.tensors.data[number].view))
      operator_stop(
          o, REASON_VIEWS,
          arena_format(o->arena,
                       "%s does not go along %s with the strides of --strides: --shape says what else is there",
                       operator_kernel(b), own->name));
    else if (own->is_written && overlaps(o, b, own))
      operator_stop(o, REASON_VIEWS,
                    arena_format(o->arena, "elements of %s share a place by the strides of --strides", own->name));
  }
}

/* The longer of two extents. */
static Term merge_extent(TermTable *tt, Term a, Term b) {
  if (term_prove_le(tt, a, b)) return b;
  return term_prove_le(tt, b, a) ? a : term_max(tt, a, b);
}

static Term elements_of(TermTable *tt, const PointwiseTensor *t) {
  Term count = tt->one;
  for (uint32_t k = 0; k < t->rank; k++) count = term_mul(tt, count, t->extent[k]);
  return count;
}

/* A tensor of numbers, seen with another number of axes than before: it has as many places, as in the launch that was
 * given. */
static void assume_places(Operator *o, const PointwiseTensor *before, const PointwiseTensor *own) {
  TermTable *tt = o->tt;
  Term of[] = {layout_places(tt, before), layout_places(tt, own), elements_of(tt, before),
               elements_of(tt, own)}; /* as many elements: without gaps */
  for (uint32_t i = 0; i < 3; i++) {
    int64_t x = 0, y = 0;
    if (of[i] == of[i + 1] || (i == 1 && (of[0] == of[2] || of[1] == of[3]))) continue; /* the others say it */
    if (!operator_sample(o, of[i], &x) || !operator_sample(o, of[i + 1], &y) || x != y)
      operator_stop(o, REASON_VIEWS,
                    arena_format(o->arena, "launches see %s with %u axes and with %u, and not with as many places",
                                 before->name, before->rank, own->rank));
    else
      operator_assume(o, ASSUME_LAUNCH, term_eq(tt, of[i], of[i + 1]),
                      arena_format(o->arena, "%s = %s", term_text(tt, of[i]), term_text(tt, of[i + 1])),
                      "as in the launch that was given", NULL);
  }
}

/* Elements are what their type holds. */
static void bound_elements(TermTable *tt, const PointwiseTensor *t) {
  uint32_t width = t->dtype[0] == 'i' || t->dtype[0] == 'u' ? (uint32_t)strtoul(t->dtype + 1, NULL, 10) : 0;
  if (t->sort != SORT_INT || width < 2 || width > 64) return;
  Int128 count = (Int128)1 << width, lo = t->dtype[0] == 'u' ? 0 : -(count / 2);
  term_symbol_range(tt, t->symbol, term_new_rat(tt, (Rational){lo, 1}),
                    term_new_rat(tt, (Rational){lo + count - 1, 1}));
}

/* The axis of `own` that goes along axis k of the tensor as the launch gives it: it has its stride, and is the only
 * one. An axis of one element says nothing. */
static uint32_t axis_along(Operator *o, const PointwiseTensor *own, const OperationTensor *from, uint32_t k) {
  uint32_t found = own->rank;
  int64_t extent, stride, given;
  if (!expr_number(from->shape[k], &extent) || extent < 2 || !expr_number(from->strides[k], &given)) return own->rank;
  for (uint32_t i = 0; i < own->rank; i++) {
    if (!operator_sample(o, own->stride[i], &stride) || stride != given) continue;
    if (found < own->rank) return own->rank;
    found = i;
  }
  return found;
}

/* Axes stand as the launch gives them, a transposed tensor's in its own order, if each is one of the tensor's. Axes of
 * one element may be left out. */
static PointwiseTensor in_given_order(Operator *o, const PointwiseTensor *own, uint32_t number) {
  PointwiseTensor view = *own;
  const OperationTensor *from = number < o->operation->tensors.count ? &o->operation->tensors.data[number] : NULL;
  if (!from || !o->operation->has_tensors || !from->strides || from->rank < own->rank || !all_numbers(from))
    return view;
  uint32_t count = 0, taken = 0;
  for (uint32_t k = 0; k < from->rank; k++) {
    int64_t length;
    if (expr_number(from->shape[k], &length) && length == 1) continue;
    uint32_t axis = axis_along(o, own, from, k);
    if (axis == own->rank || (taken >> axis & 1)) return *own;
    taken |= 1u << axis;
    view.extent[count] = own->extent[axis], view.stride[count] = own->stride[axis];
    view.is_least[count++] = own->is_least[axis];
  }
  return count == own->rank ? view : *own;
}

void operator_see_tensor(Operator *o, const PointwiseTensor *own, uint32_t number) {
  TermTable *tt = o->tt;
  SequenceTensor *t = &o->sequence.tensors.data[number];
  if (!t->view.symbol) {
    PointwiseTensor view = o->adopted.data[number] ? in_given_order(o, own, number) : t->view;
    view.name = t->view.name, view.dtype = own->dtype, view.sort = own->sort;
    view.symbol = term_symbol_new(tt, intern_text(tt->names, view.name), own->sort, SYMBOL_TENSOR);
    bound_elements(tt, &view);
    for (uint32_t k = 0; k < view.rank; k++) view.dim_name[k] = dim_name(o, view.extent[k], view.name, k);
    t->view = view;
  } else if (o->adopted.data[number] && own->rank == t->view.rank)
    for (uint32_t k = 0; k < own->rank; k++) {
      operator_note_same(o, t->view.extent[k], own->extent[k]);
      t->view.extent[k] = merge_extent(tt, t->view.extent[k], own->extent[k]), t->view.is_least[k] |= own->is_least[k];
    }
  else if (o->adopted.data[number])
    assume_places(o, &t->view, own);
  if (strcmp(t->view.dtype, own->dtype))
    operator_stop(o, REASON_VIEWS,
                  arena_format(o->arena, "launches see %s as %s and as %s", t->view.name, t->view.dtype, own->dtype));
}

/* The operation says what a tensor is that a launch is given and nothing of the result depends on: a reference that the
 * kernel is held against may read it. */
void operator_list_unread(Operator *o, Bound *b) {
  Pointwise *p = o->out->pointwise;
  for (uint32_t i = 0; i < b->claim->pointwise->tensors.count; i++) {
    const PointwiseTensor *own = &b->claim->pointwise->tensors.data[i];
    uint32_t number = find_tensor(o, name_of(o, b, own));
    SequenceTensor *t = number == SEQUENCE_UNUSED ? NULL : &o->sequence.tensors.data[number];
    if (!t || t->temporary || o->adopted.data[number]) continue;
    if (!t->view.symbol) operator_see_tensor(o, own, number);
    PointwiseTensor view = t->view;
    bool is_known = !pointwise_tensor(p, view.symbol);
    for (uint32_t k = 0; k < view.rank; k++) is_known &= view.extent[k] && view.stride[k];
    view.is_read = view.is_written = false;
    if (is_known) array_push(o->arena, &p->tensors, view);
  }
}
