/* How fast the search evaluates: fingerprints of every operation of a formula a second, and multiply-adds a second of
 * matrix products modulo p (near 2^61): those of fingerprints, of plain C, and of FLINT where it is installed.
 *
 *   fingerprint-speed FORMULA... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "optimize/fingerprint.h"
#include "reference/reference.h"
#ifdef HAS_FLINT
#include <flint/nmod_mat.h>
#endif

enum { SIDE = 64, BATCH = 3, ROWS, TERMS, COLUMNS };
static const double SECONDS = 0.3;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *read_text(Arena *arena, const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = arena_array(arena, char, 1 << 16);
  *size = file ? fread(text, 1, (1 << 16) - 1, file) : 0;
  if (file) fclose(file);
  return text;
}

static void time_formula(Arena *arena, const Field *f, const char *path) {
  size_t size;
  const char *text = read_text(arena, path, &size);
  DiagnosticList diagnostics;
  InternTable *names = arena_new(arena, InternTable);
  diagnostic_list_init(&diagnostics, arena);
  intern_init(names, arena);
  Source *source = source_new(arena, path, text, size);
  Formula *formula = formula_read(arena, term_table_new(arena, names), source, NULL, &diagnostics);
  if (!formula || !reference_stand_alone(arena, formula, source, &diagnostics)) {
    printf("%-44s cannot be read\n", path);
    return;
  }
  Problem *p = problem_new(arena, formula->pointwise);
  uint32_t each = 0;
  uint64_t count = 0;
  for (uint32_t i = 0; i < p->nodes.count; i++) each += problem_op_arity(p->nodes.data[i].op) > 0;
  double start = now(), spent;
  for (ArenaMark mark = arena_mark(arena); (spent = now() - start) < SECONDS; arena_reset(arena, mark)) {
    fingerprint_problem(arena, f, p, count);
    count += each;
  }
  const char *name = strrchr(path, '/');
  printf("%-44s %10.0f fingerprints/s\n", name ? name + 1 : path, (double)count / spent);
}

static Fingerprint random_array(Arena *arena, const Field *f, ClassSet elements, uint32_t count) {
  Fingerprint a = {.elements = elements, .count = count, .has_q = true, .is_defined = true};
  a.p = arena_array(arena, uint64_t, count), a.q = arena_array(arena, uint64_t, count);
  for (uint32_t i = 0; i < count; i++)
    a.p[i] = field_from(f, field_hash(elements, i)), a.q[i] = field_hash(i, elements) % f->q;
  return a;
}

static void print_products(const char *name, double products, double seconds) {
  printf("%-44s %10.2f 10^9 multiply-adds/s\n", name, products / seconds * 1e-9);
}

/* As of attention: three axes of batches, rows, terms, columns. */
static void time_products(Arena *arena, const Field *f) {
  ClassSet batch = (1u << BATCH) - 1;
  Fingerprint a = random_array(arena, f, batch | 1u << ROWS | 1u << TERMS, 1024),
              b = random_array(arena, f, batch | 1u << TERMS | 1u << COLUMNS, 1024);
  uint64_t count = 0;
  for (int both = 1; both >= 0; both--) {
    a.has_q = both, count = 0;
    double start = now(), spent;
    for (ArenaMark mark = arena_mark(arena); (spent = now() - start) < SECONDS; arena_reset(arena, mark)) {
      fingerprint_matmul(arena, f, TERMS, FINGERPRINT_ALL, &a, &b);
      count += 4096;
    }
    print_products(both ? "products of fingerprints, modulo p and q" : "products of fingerprints, modulo p alone",
                   (double)count * (both ? 2 : 1), spent);
  }
}

static void time_plain(const Field *f) {
  static uint64_t a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
  uint64_t count = 0;
  for (uint32_t i = 0; i < SIDE * SIDE; i++)
    a[i / SIDE][i % SIDE] = field_hash(i, 1) % f->p, b[i / SIDE][i % SIDE] = field_hash(i, 2) % f->p;
  double start = now(), spent;
  while ((spent = now() - start) < SECONDS) {
    for (uint32_t i = 0; i < SIDE; i++)
      for (uint32_t j = 0; j < SIDE; j++) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < SIDE; k += 4) {
          UInt128 four = 0;
          for (uint32_t t = 0; t < 4; t++) four += (UInt128)a[i][k + t] * b[j][k + t];
          sum = field_add(f, sum, field_reduce(f, four));
        }
        c[i][j] = sum;
      }
    a[0][0] = c[SIDE - 1][SIDE - 1], count += SIDE * SIDE * SIDE;
  }
  print_products("plain C, 64 by 64, modulo p", (double)count, spent);
}

#ifdef HAS_FLINT
static void time_flint(const Field *f) {
  nmod_mat_t a, b, c;
  uint64_t count = 0;
  nmod_mat_init(a, SIDE, SIDE, f->p), nmod_mat_init(b, SIDE, SIDE, f->p), nmod_mat_init(c, SIDE, SIDE, f->p);
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    nmod_mat_entry(a, i / SIDE, i % SIDE) = field_hash(i, 1) % f->p;
    nmod_mat_entry(b, i / SIDE, i % SIDE) = field_hash(i, 2) % f->p;
  }
  double start = now(), spent;
  for (; (spent = now() - start) < SECONDS; count += SIDE * SIDE * SIDE) nmod_mat_mul(c, a, b);
  print_products("FLINT's nmod_mat_mul, 64 by 64, modulo p", (double)count, spent);
  nmod_mat_clear(a), nmod_mat_clear(b), nmod_mat_clear(c);
}
#else
static void time_flint(const Field *f) {
  (void)f;
  printf("%-44s not installed\n", "FLINT's nmod_mat_mul, 64 by 64, modulo p");
}
#endif

int main(int argc, char **argv) {
  static Guard guard;
  static Arena arena;
  static Field field;
  guard_init(&guard, (size_t)1 << 30, 0);
  arena_init(&arena, &guard);
  field_init(&field, 1);
  for (int i = 1; i < argc; i++) time_formula(&arena, &field, argv[i]);
  time_products(&arena, &field);
  time_plain(&field);
  time_flint(&field);
  arena_destroy(&arena);
  return 0;
}
