/* References in NumPy and PyTorch calls: what they are read as, and how errors are told.
 *
 * With arguments the program is an evaluator, for the comparison with PyTorch in tests/python/test_check.py:
 *   test_python_reference FILE FUNCTION < inputs
 * where inputs are lines `NAME f|i|b DIMENSIONS : VALUES` (dimensions are numbers, or NAME=number for a symbolic size;
 * a rank of 0 is a scalar) and each output is printed as `NAME DIMENSIONS : VALUES`, computed once by tensor_eval on
 * whole arrays, and once element by element from tensor_meaning; the two must agree. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/reference.h"

enum { MAX_INPUTS = 16, MAX_SIZES = 16 };

typedef struct Input {
  const char *name;
  Term symbol;
  TensorArray array;
} Input;

typedef struct Fixture {
  Guard guard;
  Arena arena;
  InternTable names;
  TermTable *tt;
  DiagnosticList diagnostics;
  Reference reference;
  Input inputs[MAX_INPUTS];
  uint32_t input_count;
  Term sizes[MAX_SIZES];
  double size_values[MAX_SIZES];
  uint32_t size_count;
} Fixture;

static Fixture *begin(const char *text) {
  Fixture *f = calloc(1, sizeof *f);
  guard_init(&f->guard, 0, 0);
  arena_init(&f->arena, &f->guard);
  intern_init(&f->names, &f->arena);
  f->tt = term_table_new(&f->arena, &f->names);
  diagnostic_list_init(&f->diagnostics, &f->arena);
  f->reference = (Reference){.arena = &f->arena, .tt = f->tt, .diagnostics = &f->diagnostics};
  f->reference.source = source_new(&f->arena, "reference.py", text, strlen(text));
  return f;
}

static void end(Fixture *f) {
  arena_destroy(&f->arena);
  free(f);
}

static Term size(Fixture *f, const char *name, double value) {
  for (uint32_t i = 0; i < f->size_count; i++)
    if (!strcmp(term_name(f->tt, f->sizes[i]), name)) return f->sizes[i];
  Term s = term_symbol_range(f->tt, term_symbol_new(f->tt, intern_text(&f->names, name), SORT_INT, SYMBOL_SIZE),
                             f->tt->one, 0);
  f->sizes[f->size_count] = s, f->size_values[f->size_count++] = value;
  return s;
}

/* x: a tensor of symbolic shape, bound to the parameter of that name. */
static void bind(Fixture *f, const char *name, TermSort sort, uint32_t rank, const Term *shape) {
  Term symbol = term_symbol_new(f->tt, intern_text(&f->names, name), sort, rank ? SYMBOL_TENSOR : SYMBOL_SCALAR);
  const TensorExpr *e = rank ? tensor_input(f->tt, symbol, name, f->input_count, sort, rank, shape)
                             : tensor_scalar(f->tt, symbol, name, f->input_count);
  array_push(&f->arena, &f->reference.bindings, (ReferenceBinding){.name = name, .value = e});
  f->inputs[f->input_count++] = (Input){.name = name, .symbol = symbol};
}

/* ---- the evaluator ---- */

static TensorArray give_input(void *payload, Term symbol) {
  Fixture *f = payload;
  for (uint32_t i = 0; i < f->input_count; i++)
    if (f->inputs[i].symbol == symbol) return f->inputs[i].array;
  return (TensorArray){0};
}

static double give_scalar(void *payload, Term symbol) {
  Fixture *f = payload;
  for (uint32_t i = 0; i < f->size_count; i++)
    if (f->sizes[i] == symbol) return f->size_values[i];
  return give_input(payload, symbol).data[0];
}

static TermValue give_element(void *payload, Term symbol, uint32_t count, const int64_t *index) {
  TensorArray a = give_input(payload, symbol);
  int64_t flat = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (index[i] < 0 || index[i] >= a.shape[i]) return (TermValue){.real = NAN};
    flat = flat * a.shape[i] + index[i];
  }
  return (TermValue){a.data[flat], (int64_t)a.data[flat]};
}

static int64_t count_of(const TensorArray *a) {
  int64_t n = 1;
  for (uint32_t i = 0; i < a->rank; i++) n *= a->shape[i];
  return n;
}

static void read_inputs(Fixture *f) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    char *rest = NULL, *name = strtok_r(line, " \n", &rest), *kind = name ? strtok_r(NULL, " \n", &rest) : NULL;
    Term shape[TENSOR_MAX_RANK];
    TensorArray array = {0};
    if (!kind) continue;
    for (char *word; (word = strtok_r(NULL, " \n", &rest)) && strcmp(word, ":");) {
      char *equals = strchr(word, '=');
      if (equals) *equals = 0;
      array.shape[array.rank] = atoll(equals ? equals + 1 : word);
      shape[array.rank] = equals ? size(f, arena_copy(&f->arena, word, strlen(word)), (double)array.shape[array.rank])
                                 : term_int(f->tt, array.shape[array.rank]);
      array.rank++;
    }
    array.data = arena_array(&f->arena, double, count_of(&array) + 1);
    for (int64_t i = 0; i < count_of(&array); i++) array.data[i] = strtod(strtok_r(NULL, " \n", &rest), NULL);
    bind(f, arena_copy(&f->arena, name, strlen(name)), *kind == 'f' ? SORT_REAL : SORT_INT, array.rank, shape);
    f->inputs[f->input_count - 1].array = array;
    f->reference.bindings.data[f->reference.bindings.count - 1].dtype = *kind == 'b'   ? "i1"
                                                                        : *kind == 'f' ? "f64"
                                                                                       : NULL;
  }
  free(line);
}

static bool agrees(double a, double b) {
  return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

static int print_output(Fixture *f, const char *name, const TensorExpr *e) {
  TensorEnvironment environment = {.payload = f, .input = give_input, .scalar = give_scalar};
  TensorArray a = tensor_eval(f->tt, &f->arena, e, &environment);
  Term index[TENSOR_MAX_RANK];
  for (uint32_t k = 0; k < e->rank; k++) {
    index[k] = term_symbol_fresh(f->tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(f->tt, index[k], f->tt->zero, term_sub(f->tt, e->shape[k], f->tt->one));
  }
  Term value = tensor_meaning(f->tt, e, index);
  TermEval *eval = term_eval_new(f->tt, &f->arena, give_element, f);
  for (uint32_t i = 0; i < f->size_count; i++)
    term_eval_set(eval, f->sizes[i], (TermValue){f->size_values[i], (int64_t)f->size_values[i]});
  for (uint32_t i = 0; i < f->input_count; i++)
    if (!f->inputs[i].array.rank)
      term_eval_set(eval, f->inputs[i].symbol,
                    (TermValue){f->inputs[i].array.data[0], (int64_t)f->inputs[i].array.data[0]});
  printf("%s", name ? name : "-");
  for (uint32_t k = 0; k < a.rank; k++) printf(" %lld", (long long)a.shape[k]);
  printf(" :");
  for (int64_t i = 0; i < count_of(&a); i++) {
    int64_t rest = i;
    for (uint32_t k = a.rank; k-- > 0; rest /= a.shape[k])
      term_eval_set(eval, index[k], (TermValue){(double)(rest % a.shape[k]), rest % a.shape[k]});
    double element = value ? term_eval(eval, value).real : NAN;
    if (value && term_sort(f->tt, value) == SORT_BOOL) element = (double)term_eval(eval, value).integer;
    printf(" %.17g", a.data[i]);
    if (agrees(a.data[i], element)) continue;
    fprintf(stderr, "%s: element %lld is %.17g by its term and %.17g by its expression\n", name ? name : "-",
            (long long)i, element, a.data[i]);
    return 1;
  }
  printf("\n");
  return 0;
}

static int evaluate(const char *path, const char *function) {
  FILE *file = fopen(path, "r");
  static char text[1 << 20];
  if (!file) return 2;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  Fixture *f = begin(text);
  int code = 0;
  if (setjmp(f->guard.escape)) {
    fprintf(stderr, "%s\n", f->guard.message);
    return 3;
  }
  read_inputs(f);
  bool good = reference_open(&f->reference, function) && reference_run(&f->reference);
  for (uint32_t i = 0; good && i < f->reference.outputs.count && !code; i++)
    code = print_output(f, f->reference.outputs.data[i].name, f->reference.outputs.data[i].value);
  for (uint32_t i = 0; i < f->diagnostics.items.count; i++)
    fprintf(stderr, "%s\n", f->diagnostics.items.data[i].message);
  end(f);
  return good ? code : 3;
}

/* ---- tests ---- */

static Fixture *run(const char *body, bool *good) {
  static char text[4000];
  snprintf(text, sizeof text,
           "import torch\nimport numpy as np\nimport math\nimport torch.nn.functional as F\n\n\ndef helper(a, "
           "scale=2):\n    return a * scale\n\n\ndef f(x, y, i, n):\n%s",
           body);
  Fixture *f = begin(text);
  if (setjmp(f->guard.escape)) fail_msg("%s", f->guard.message);
  Term shape[2] = {size(f, "M", 3), size(f, "N", 4)};
  bind(f, "x", SORT_REAL, 2, shape);
  bind(f, "y", SORT_REAL, 1, shape + 1);
  bind(f, "i", SORT_INT, 1, shape);
  bind(f, "n", SORT_INT, 0, NULL);
  *good = reference_open(&f->reference, "f") && reference_run(&f->reference);
  return f;
}

static void expect(const char *body, const char *text) {
  bool good;
  Fixture *f = run(body, &good);
  if (!good) fail_msg("%s%s", body, f->diagnostics.items.data[0].message);
  assert_string_equal(tensor_text(f->tt, f->reference.outputs.data[0].value), text);
  end(f);
}

static void calls_become_expressions(void **state) {
  (void)state;
  expect("    return x + y\n", "x + y");
  expect("    return torch.exp(x) * 2\n", "exp(x) * 2");
  expect("    return x.sum(-1)\n", "sum(x, axis=1)");
  expect("    return np.sum(x, axis=0, keepdims=True)\n", "sum(x, axis=0)");
  expect("    return x[:, 0] + x[:, -1]\n", "x[:, 0] + x[:, N - 1]");
  expect("    return x.T @ x\n", "transpose(x, 1, 0) @ x");
  expect("    return F.relu(x[1:, ::2])\n", "maximum(0, x[1:, ::2])");
  expect("    return torch.where(x > 0, x, 0.5 * x)\n", "where(x > 0, x, 0.5 * x)");
  expect("    return x[i]\n", "take(x, i, axis=0)");
  expect("    return helper(helper(x), scale=n)\n", "x * 2 * n");
}

static void statements_are_followed(void **state) {
  (void)state;
  expect("    m, k = x.shape\n    z = x / k\n    z += y\n    return z\n", "x / N + y");
  expect("    if y is None:\n        return x\n    elif x.ndim == 2:\n        x = -x\n    return x\n", "-x");
  expect("    for s in range(3):\n        x = x + s\n    return x\n", "x + 0 + 1 + 2");
  expect("    \"\"\"A text.\"\"\"\n    assert x.dim() == 2, 'rank'\n    z = x if n is None else y  # a comment\n    "
         "return (z *\n            2)\n",
         "y * 2");
  expect("    values, places = x.max(dim=1)\n    return values - x.max(1).values\n",
         "squeeze(max(x, axis=1), 1) - squeeze(max(x, axis=1), 1)");
  expect("    g = lambda_free = y\n    return lambda_free\n", "y");
}

static void expect_error(const char *body, const char *message, uint32_t line, uint32_t column) {
  bool good;
  Fixture *f = run(body, &good);
  if (good || !f->diagnostics.items.count) fail_msg("accepted: %s", body);
  const Diagnostic *d = &f->diagnostics.items.data[0];
  if (!strstr(d->message, message)) fail_msg("%s: %s", body, d->message);
  LineColumn at = source_locate(d->source, d->span.begin);
  if (at.line != 10 + line || at.column != column) fail_msg("%s: %u:%u", body, at.line - 10, at.column);
  end(f);
}

static void what_is_not_read_is_told_with_its_place(void **state) {
  (void)state;
  expect_error("    return torch.fft.fft(x)\n", "fft is not read", 2, 12);
  expect_error("    return os.getcwd()\n", "unknown name 'os'", 2, 12);
  expect_error("    z = x\n    return torch.softmax(z)\n", "softmax lacks its axis", 3, 12);
  expect_error("    return torch.sum(x, dim=2)\n", "no such axis", 2, 12);
  expect_error("    return x + i\n", "shapes [M, N] and [M]", 2, 12);
  expect_error("    x[0] = 1\n    return x\n", "assignment to a part of a tensor", 2, 5);
  expect_error("    if x.sum() > 0:\n        return x\n    return y\n", "not known without running", 2, 8);
  expect_error("    return torch.softmax(x, 1, wrong=2)\n", "the argument 'wrong' of softmax", 2, 32);
  expect_error("    return F.dropout(x)\n", "random", 2, 12);
  expect_error("    while True:\n        x = x\n    return x\n", "this statement is not read", 2, 5);
  expect_error("    return x +\n", "expected an expression", 2, 15);
  expect_error("    return (x\n", "expected ')'", 3, 1);
  expect_error("    for s in x:\n        pass\n    return x\n", "iterations of this loop", 2, 14);
  expect_error("    return f(x, y, i, n)\n", "nested too deeply", 2, 12);
  expect_error("    a, b, c = x.shape\n    return a\n", "3 names for 2 values", 2, 5);
  expect_error("    return 'text'\n", "no tensor", 1, 1);
  expect_error("    return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)\n", "dropout is random", 2, 12);
}

static void truncated_references_do_no_harm(void **state) {
  (void)state;
  static const char body[] = "    z = torch.softmax(x / math.sqrt(n), dim=-1)[:, None]\n    if n is not None and "
                             "y.ndim == 1:\n        z = z @ F.gelu(y, approximate='tanh')\n"
                             "    return {'a': z, \"b\": [x for x in (1, 2)]}\n";
  for (size_t size_of = 0; size_of < sizeof body; size_of++) {
    char part[sizeof body];
    bool good;
    memcpy(part, body, size_of);
    part[size_of] = 0;
    end(run(part, &good));
  }
}

int main(int argc, char **argv) {
  if (argc == 3) return evaluate(argv[1], argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_become_expressions),
      cmocka_unit_test(statements_are_followed),
      cmocka_unit_test(what_is_not_read_is_told_with_its_place),
      cmocka_unit_test(truncated_references_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
