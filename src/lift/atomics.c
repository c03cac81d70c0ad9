/* Atomics: the programs that combine into one element, as many as there is something to combine for.
 *
 * A program id that does not tell which element is written runs over parts of what is combined: sum[p < grid](sum[l <
 * min(B, n - B*p)] (f(B*p + l))) is sum[k < min(n, B*grid)](f(k)). The least grid that covers that has cdiv(n, B)
 * programs: with more, the mask leaves nothing to them; with less, something is left out, as with a grid that does not
 * cover an output. It is assumed as such, but not against a grid that is given or one of a launch that was captured. */
#include "laws/laws.h"
#include "lift/recover_internal.h"

/* True if the symbol occurs outside of what is read. */
static bool occurs_bare(TermTable *tt, Term t, Term symbol) {
  if (t == symbol) return true;
  if (term_kind(tt, t) == TERM_READ || !term_has_symbol(tt, t, symbol)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (occurs_bare(tt, term_arg(tt, t, i), symbol)) return true;
  return false;
}

/* Some store is at a place of its own in each program. */
static bool tells_an_element(Recover *r, Term pid) {
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->is_store && (!a->is_atomic || occurs_bare(r->tt, term_assume(r->tt, a->offset, a->mask), pid))) return true;
  }
  return false;
}

/* n and B of a fold below min(n, B*grid) in t. */
static bool find_cover(TermTable *tt, Term t, Term grid, Term *n, Term *block) {
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return false;
  Term hi = term_kind(tt, t) == TERM_FOLD ? term_fold_hi(tt, t) : 0;
  if (hi && term_kind(tt, hi) == TERM_MIN && term_count(tt, hi) == 2)
    for (uint32_t i = 0; i < 2; i++) {
      int64_t literal;
      *n = term_arg(tt, hi, i);
      if (!recover_divides(tt, grid, term_arg(tt, hi, 1 - i), block) || !term_is_int(tt, *block, &literal) ||
          literal < 1)
        continue;
      if (!recover_varies(tt, *n) && !term_has_symbol(tt, *n, grid) && term_is_positive(tt, *n)) return true;
    }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (find_cover(tt, term_arg(tt, t, i), grid, n, block)) return true;
  return false;
}

/* What the atomic combines over that program id and the lanes that do not tell the element either; 0: there is no
 * range. */
static Term combined(Recover *r, const Access *a, uint32_t axis) {
  TermTable *tt = r->tt;
  Term t = a->value, guard = a->mask, pid = r->ex->pid[axis], offset = term_assume(tt, a->offset, a->mask);
  for (uint32_t i = 0; i < a->rank; i++) {
    Term lane = a->lanes[i], hi = lane ? term_symbol(tt, lane)->hi : 0;
    if (!lane || occurs_bare(tt, offset, lane)) continue;
    if (!hi) return 0;
    t = term_fold(tt, a->atomic_op, lane, tt->zero, term_add(tt, hi, tt->one), guard, t);
    guard = tt->true_;
  }
  t = term_fold(tt, a->atomic_op, pid, tt->zero, r->ex->grid[axis], guard, t);
  return term_transform(tt, t, term_merge_tiles, NULL);
}

/* True if the launch was captured and its grid is another one. */
static bool differs_in_sample(Recover *r, uint32_t axis, Term count) {
  int64_t number, sample = r->ex->options.grid_sample[axis];
  for (uint32_t i = 0; i < r->ex->params.count && r->ex->options.samples; i++)
    if (r->ex->options.samples[i].is_known && term_sort(r->tt, r->ex->params.data[i].symbol) == SORT_INT)
      count =
          term_replace(r->tt, count, r->ex->params.data[i].symbol, term_int(r->tt, r->ex->options.samples[i].value));
  return sample && term_is_int(r->tt, count, &number) && number != sample;
}

/* True if another atomic combines something in a program beyond that many. */
static bool reaches_beyond(Recover *r, uint32_t axis, Term count) {
  TermTable *tt = r->tt;
  Term pid = r->ex->pid[axis], beyond = term_le(tt, count, pid), n, block;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (!a->is_store || term_assume(tt, a->mask, beyond) == tt->false_) continue;
    if (a->atomic_op == FOLD_SUM && term_assume(tt, a->value, beyond) == tt->zero) continue;
    Term t = a->atomic_op > FOLD_ALL ? 0 : combined(r, a, axis);
    if (t && find_cover(tt, t, r->ex->grid[axis], &n, &block) ? term_cdiv(tt, n, block) != count
                                                              : term_has_symbol(tt, a->mask, pid))
      return true;
  }
  return false;
}

void recover_cover_atomics(Recover *r) {
  TermTable *tt = r->tt;
  if (r->ex->options.is_grid_given) return;
  for (uint32_t axis = 0; axis < 3; axis++) {
    Term pid = r->ex->pid[axis], grid = r->ex->grid[axis], n, block;
    if (term_symbol(tt, pid)->hi != term_sub(tt, grid, tt->one) || tells_an_element(r, pid)) continue;
    for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
      const Access *a = &r->ex->accesses.data[i];
      if (!a->is_store || a->atomic_op > FOLD_ALL) continue;
      Term t = combined(r, a, axis);
      if (!t || !find_cover(tt, t, grid, &n, &block)) continue;
      Term count = term_cdiv(tt, n, block);
      if (differs_in_sample(r, axis, count) || reaches_beyond(r, axis, count)) continue;
      const char *why =
          arena_format(r->arena, "the least grid that covers what is combined into %s", term_name(tt, a->tensor));
      recover_assume_grid(r, grid, count, why);
      recover_substitute(r, grid, count);
      recover_rebuild(r);
      break;
    }
  }
}
