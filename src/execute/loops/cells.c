/* Values that a loop keeps in memory: `y[i] += ...` at an address that does not move.
 *
 * A loop that reads in each iteration what the one before has stored, at one address (per lane) and under one mask,
 * carries a value, and where it stands makes no difference: a cell. The body runs with its loads and stores of the cell
 * on that value; one load before the loop says what it starts with, one store behind it leaves what it ends with.
 * Conditions:
 *  - every access of the body to the tensor is a load or store of the cell: the same address term, the same mask term,
 * neither with the counter or a carried value in it. What else an inner loop did to the tensor would be recorded as an
 * access, so that is what is looked at, after the body has run;
 *  - lanes that share an address are a race, found by the prover in the load and the store that are left.
 * A loop that does not run stores nothing: the store has the condition that it runs, unless this program has stored
 * there before, in all lanes of the mask, so that the element is written anyway, and without an iteration with what was
 * there. */
#include <string.h>

#include "execute/internal.h"

static bool same_lanes(const Access *a, const Access *b) {
  return a->rank == b->rank && a->element == b->element && !memcmp(a->lanes, b->lanes, sizeof a->lanes);
}

static Cell *cell_of(const Machine *ex, Term tensor, Term offset, Term mask) {
  CellList *list = ex->cells;
  for (uint32_t i = 0; list && i < list->count; i++)
    if (list->cells[i].access.tensor == tensor && list->cells[i].access.offset == offset &&
        list->cells[i].access.mask == mask)
      return &list->cells[i];
  return NULL;
}

Term execute_cell_load(Machine *ex, Term tensor, Term offset, Term mask) {
  Cell *cell = cell_of(ex, tensor, offset, mask);
  return cell ? cell->current : 0;
}

bool execute_cell_store(Machine *ex, OpId id, Term tensor, Term offset, Term mask, Term value) {
  Cell *cell = cell_of(ex, tensor, offset, mask);
  if (!cell) return false;
  cell->current = term_assume(ex->tt, value, mask); /* in other lanes nothing is stored, and nothing read */
  cell->store = id;
  return true;
}

static bool is_number_of_width(const Machine *ex, TypeId element) {
  const Type *type = program_get_type(ex->program, element);
  return type->kind == TYPE_FLOAT || (type->kind == TYPE_INT && type->width > 1);
}

/* In the accesses of a body since `first`: loads before a store at the same address, which has none of the symbols of
 * the loop. */
void execute_find_cells(const Machine *ex, uint32_t first, const Term *symbols, uint32_t symbol_count, CellList *list) {
  const TermTable *tt = ex->tt;
  list->count = 0;
  for (uint32_t i = first; i < ex->effects->accesses.count; i++) {
    const Access *load = &ex->effects->accesses.data[i];
    bool moves = false, is_stored = false, known = false;
    if (load->is_store || load->counter_count != ex->counter_count + 1 || !is_number_of_width(ex, load->element))
      continue;
    for (uint32_t k = 0; k < symbol_count; k++)
      moves |= term_has_symbol(tt, load->offset, symbols[k]) || term_has_symbol(tt, load->mask, symbols[k]);
    for (uint32_t k = i + 1; k < ex->effects->accesses.count && !moves; k++) {
      const Access *store = &ex->effects->accesses.data[k];
      is_stored |= store->is_store && !store->is_atomic && store->tensor == load->tensor &&
                   store->offset == load->offset && store->mask == load->mask && same_lanes(store, load);
    }
    for (uint32_t k = 0; k < list->count; k++) known |= list->cells[k].access.tensor == load->tensor;
    if (!is_stored || known || list->count == EXECUTE_MAX_CELLS) continue;
    list->cells[list->count++] = (Cell){.access = *load, .store = load->op};
  }
}

bool execute_cells_are_whole(const Machine *ex, uint32_t first, const CellList *list) {
  for (uint32_t i = first; i < ex->effects->accesses.count; i++)
    for (uint32_t k = 0; k < list->count; k++)
      if (ex->effects->accesses.data[i].tensor == list->cells[k].access.tensor) return false;
  return true;
}
