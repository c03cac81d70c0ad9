/* Each axiom of abstract expressions on random values, by a reading of its text that shares nothing with the e-graph;
 * and wrong ones, which differ.
 *
 * A value has an element for each place of two axes, an axis being two tiles of three elements: `sum` is over an axis,
 * `tsum` over the elements of each tile, `asum` over the tiles, element by element. A variable of which a condition
 * says that it is free of an axis (or of its elements within tiles) has one value along it. Where a rule does not ask
 * for axes that differ, both cases are looked at. Values are positive: axioms are those of numbers that have roots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "optimize/abstract.h"

enum { TILES = 2, LANES = 3, LENGTH = TILES * LANES, PLACES = LENGTH * LENGTH, NAMES = 26, ROUNDS = 20 };

typedef struct Values {
  double at[LENGTH][LENGTH];
} Values;

typedef struct Run {
  const char *text;
  Values of[NAMES]; /* by the letter of a variable */
  int axis[NAMES];
} Run;

static uint64_t state = 1;

static double random_number(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return 0.5 + (double)(state >> 40) / (double)(1 << 24);
}

/* The place whose value an element has after the reduction: free of an axis, or of its elements or tiles. */
static int kept(int place, char reduction) {
  return reduction == 's' || reduction == 'm' ? 0 : reduction == 't' ? place / LANES * LANES : place % LANES;
}

static Values reduced(const Values *of, int axis, char part, char kind) {
  Values out;
  for (int i = 0; i < LENGTH; i++)
    for (int j = 0; j < LENGTH; j++) {
      int own = axis ? j : i;
      double sum = 0, most = -INFINITY, least = INFINITY;
      for (int k = 0; k < LENGTH; k++) {
        double x = axis ? of->at[i][k] : of->at[k][j];
        if (kept(k, part) != kept(own, part)) continue;
        sum += x, most = fmax(most, x), least = fmin(least, x);
      }
      out.at[i][j] = kind == 's' ? sum : kind == 'x' ? most : least;
    }
  return out;
}

static const char *word(Run *r, char *out) {
  size_t n = 0;
  while (*r->text == ' ' || *r->text == '(' || *r->text == ')') r->text++;
  while (*r->text && !strchr(" ()", *r->text)) out[n++] = *r->text++;
  out[n] = 0;
  return out;
}

static double operation(const char *name, double x, double y) {
  if (!strcmp(name, "+")) return x + y;
  if (!strcmp(name, "-")) return x - y;
  if (!strcmp(name, "*")) return x * y;
  if (!strcmp(name, "/")) return x / y;
  if (!strcmp(name, "maximum")) return fmax(x, y);
  if (!strcmp(name, "minimum")) return fmin(x, y);
  if (!strcmp(name, "square")) return x * x;
  if (!strcmp(name, "exp")) return exp(x);
  assert_string_equal(name, "sqrt");
  return sqrt(x);
}

static Values value(Run *r) {
  char name[32], axis[32];
  Values x, y = {{{0}}};
  word(r, name);
  if (name[0] == '?') return r->of[name[1] - 'a'];
  size_t n = strlen(name);
  const char *kind = n >= 3 ? name + n - 3 : "";
  if (strcmp(name, "maximum") && (!strcmp(kind, "sum") || !strcmp(kind, "max") || !strcmp(kind, "min"))) {
    word(r, axis);
    x = value(r);
    return reduced(&x, r->axis[axis[1] - 'a'], n == 4 ? name[0] : 's',
                   !strcmp(kind, "sum") ? 's'
                   : kind[2] == 'x'     ? 'x'
                                        : 'n');
  }
  x = value(r);
  if (strchr("+-*/", name[0]) || name[0] == 'm') y = value(r);
  for (int i = 0; i < LENGTH; i++)
    for (int j = 0; j < LENGTH; j++) x.at[i][j] = operation(name, x.at[i][j], y.at[i][j]);
  return x;
}

/* The variable has one value along the axis, or along the elements of its tiles. */
static void make_free(Run *r, int variable, int axis, bool within_tiles) {
  Values *v = &r->of[variable];
  for (int i = 0; i < LENGTH; i++)
    for (int j = 0; j < LENGTH; j++) {
      int a = axis ? i : within_tiles ? i / LANES * LANES : 0, b = !axis ? j : within_tiles ? j / LANES * LANES : 0;
      v->at[i][j] = v->at[a][b];
    }
}

static bool holds(const char *left, const char *right, const char *condition, bool differ) {
  Run r = {.text = left};
  for (int v = 0; v < NAMES; v++)
    for (int i = 0; i < PLACES; i++) r.of[v].at[i / LENGTH][i % LENGTH] = random_number();
  r.axis['j' - 'a'] = differ;
  if (condition) {
    char name[32], first[32], second[32];
    Run c = {.text = condition};
    word(&c, name), word(&c, first), word(&c, second);
    if (strcmp(name, "differ"))
      make_free(&r, second[1] - 'a', r.axis[first[1] - 'a'], !strcmp(name, "tile-free"));
    else if (!differ)
      return true; /* not asked for */
  }
  Values x = value(&r);
  r.text = right;
  Values y = value(&r);
  for (int i = 0; i < PLACES; i++) {
    double a = x.at[i / LENGTH][i % LENGTH], b = y.at[i / LENGTH][i % LENGTH];
    if (fabs(a - b) > 1e-9 * (1 + fabs(a))) return false;
  }
  return true;
}

/* "name: left => right", or "<=>", with "if condition" */
static bool is_law(const char *line) {
  char text[256], *left, *right, *condition;
  bool good = true;
  snprintf(text, sizeof text, "%s", line);
  left = strchr(text, ':') + 1, right = strstr(text, "=>");
  assert_non_null(right);
  condition = strstr(right, " if ");
  if (condition) *condition = 0, condition += 4;
  if (right[-1] == '<') right[-1] = ' ';
  *right = ' ', right[1] = 0, right += 2;
  for (int round = 0; round < ROUNDS && good; round++) good = holds(left, right, condition, round % 2);
  return good;
}

static void test_axioms(void **payload) {
  (void)payload;
  uint32_t count = 0;
  char line[256];
  for (const char *at = abstract_axioms(); *at; at += strcspn(at, "\n"), at += *at == '\n', count++) {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (!is_law(line)) fail_msg("%s", line);
  }
  assert_true(count > 35);
}

static void test_wrong_axioms(void **payload) {
  static const char *const wrong[] = {
      "w: (- ?a ?b) => (- ?b ?a)",
      "w: (+ ?a (* ?b ?c)) <=> (* (+ ?a ?b) (+ ?a ?c))",
      "w: (* (exp ?a) (exp ?b)) => (exp (* ?a ?b))",
      "w: (sqrt (+ ?a ?b)) <=> (+ (sqrt ?a) (sqrt ?b))",
      "w: (/ ?a (/ ?b ?c)) <=> (/ (/ ?a ?b) ?c)",
      "w: (sum ?i (* ?a ?b)) => (* (sum ?i ?a) ?b)",
      "w: (sum ?i (* ?a ?b)) => (* (sum ?i ?a) ?b) if (tile-free ?i ?b)",
      "w: (asum ?i (* ?a ?b)) => (* (asum ?i ?a) ?b) if (tile-free ?i ?b)",
      "w: (sum ?i (* ?a ?b)) => (* (sum ?i ?a) ?b) if (free ?j ?b)",
      "w: (tsum ?i (* ?a ?b)) => (* (tsum ?i ?a) ?b)",
      "w: (sum ?i (tsum ?j ?a)) <=> (tsum ?j (sum ?j ?a))",
      "w: (sum ?i (asum ?j ?a)) <=> (asum ?i (sum ?j ?a))",
      "w: (sum ?i ?a) => (tsum ?i (tsum ?i ?a))",
      "w: (max ?i ?a) => (asum ?i (tmax ?i ?a))",
      "w: (min ?i ?a) => (amin ?i (tmax ?i ?a))",
      "w: (maximum ?a ?b) => (minimum ?b ?a)",
      "w: (square ?a) <=> (+ ?a ?a)",
  };
  (void)payload;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (is_law(wrong[i])) fail_msg("%s", wrong[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_axioms), cmocka_unit_test(test_wrong_axioms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
