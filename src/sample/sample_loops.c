/* Launches that go through a loop several times.
 *
 * Sizes that are small or near one block end a loop over tiles after its first iteration, and there a wrong closed form
 * may be right. So what the launches reached is kept by loop; for one that they always left early, a launch of its own
 * is made: the other sizes are tiny, and one size that decides the number of iterations is raised until there are
 * enough. */
#include "sample/sample_internal.h"

enum { WANTED = 3, MOST_SIZE = 1 << 16, MOST_NESTING = 4 };

/* The number of iterations at the last program, and in the last iteration of each loop around it. */
static int64_t trips_of(Sampler *s, const LoopRecord *loop, uint32_t nesting) {
  for (uint32_t i = 0; i < loop->outer_count && nesting; i++)
    for (uint32_t k = 0; k < s->ex->loops.count; k++) {
      const LoopRecord *outer = &s->ex->loops.data[k];
      if (outer->counter != loop->outer[i]) continue;
      int64_t last = trips_of(s, outer, nesting - 1) - 1;
      term_eval_set(s->eval, outer->counter, (TermValue){(double)last, last});
    }
  return term_eval(s->eval, loop->trips).integer;
}

static void set_programs(Sampler *s) {
  for (int d = 0; d < 3; d++) {
    int64_t last = sample_value(s, s->ex->grid[d]) - 1;
    term_eval_set(s->eval, s->ex->pid[d], (TermValue){(double)last, last});
  }
}

static int64_t reached_by(Sampler *s, const LoopRecord *loop) {
  set_programs(s);
  return trips_of(s, loop, MOST_NESTING);
}

/* Of the launch alone: no number of iterations that is read from memory. */
static bool is_counted(const Sampler *s, const LoopRecord *loop) {
  return loop->trips &&
         !(term_node(s->tt, loop->trips)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF | TERM_HAS_FOLD));
}

static bool is_raised(const SampleVariable *v) {
  return !v->is_grid && !v->is_part && !v->is_stride && !v->is_constant;
}

static bool decides(const Sampler *s, const LoopRecord *loop, const SampleVariable *v) {
  return is_raised(v) && term_has_symbol(s->tt, loop->trips, v->symbol);
}

/* Then a size that decides the number of programs does too. */
static bool has_program(const Sampler *s, const LoopRecord *loop) {
  return term_has_symbol(s->tt, loop->trips, s->ex->pid[0]) || term_has_symbol(s->tt, loop->trips, s->ex->pid[1]) ||
         term_has_symbol(s->tt, loop->trips, s->ex->pid[2]);
}

static uint32_t count_sizes(const Sampler *s, const LoopRecord *loop) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->variables.count; i++) count += decides(s, loop, &s->variables.data[i]);
  return count;
}

bool sample_has_short_loop(const Sampler *s) {
  for (uint32_t i = 0; i < s->ex->loops.count; i++) {
    const LoopRecord *loop = &s->ex->loops.data[i];
    if (s->most_trips[i] < WANTED && is_counted(s, loop) && (count_sizes(s, loop) || has_program(s, loop))) return true;
  }
  return false;
}

void sample_note_loops(Sampler *s) {
  for (uint32_t i = 0; i < s->ex->loops.count; i++) {
    int64_t trips = is_counted(s, &s->ex->loops.data[i]) ? reached_by(s, &s->ex->loops.data[i]) : 0;
    if (trips > s->most_trips[i]) s->most_trips[i] = trips;
  }
}

static int64_t reached_at(Sampler *s, const LoopRecord *loop, SampleVariable *v, SampleVariable *w, int64_t value) {
  sample_set(s, v, value);
  sample_set(s, w, value);
  sample_solve(s);
  return reached_by(s, loop);
}

/* To the least value of both at which there are enough iterations, or a little more. */
static bool raise_sizes(Sampler *s, const LoopRecord *loop, SampleVariable *v, SampleVariable *w) {
  int64_t old = v->value, other = w->value, low = old, high = old > other ? old : other;
  while (high <= MOST_SIZE && reached_at(s, loop, v, w, high) < WANTED) low = high, high = 2 * high + 1;
  if (high > MOST_SIZE) {
    sample_set(s, v, old);
    sample_set(s, w, other);
    sample_solve(s);
    return false;
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (reached_at(s, loop, v, w, middle) < WANTED)
      low = middle;
    else
      high = middle;
  }
  reached_at(s, loop, v, w, high + (int64_t)random_below(&s->random, 3));
  return true;
}

/* One size, or two: of a minimum both have to grow. */
static bool lengthen(Sampler *s, const LoopRecord *loop) {
  SampleVariable *all = s->variables.data;
  bool any = has_program(s, loop);
  for (uint32_t i = 0; i < s->variables.count; i++)
    if (decides(s, loop, &all[i]) && raise_sizes(s, loop, &all[i], &all[i])) return true;
  for (uint32_t i = 0; i < s->variables.count && any; i++)
    if ((is_raised(&all[i]) || all[i].is_grid) && raise_sizes(s, loop, &all[i], &all[i])) return true;
  for (uint32_t i = 0; i < s->variables.count; i++)
    for (uint32_t k = 0; k < s->variables.count && decides(s, loop, &all[i]); k++)
      if (k != i && (any ? is_raised(&all[k]) : k > i && decides(s, loop, &all[k])) &&
          raise_sizes(s, loop, &all[i], &all[k]))
        return true;
  return false;
}

/* Loops with one size of their own first: it may do for others, which have a choice. */
void sample_lengthen_loops(Sampler *s) {
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < s->ex->loops.count; i++) {
      const LoopRecord *loop = &s->ex->loops.data[i];
      if (is_counted(s, loop) && (count_sizes(s, loop) == 1) == (pass == 0) && reached_by(s, loop) < WANTED)
        lengthen(s, loop);
    }
}
