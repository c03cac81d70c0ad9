/* Formulas in tensor form that declare their tensors: they become outputs of the shapes that are declared, in the order
 * of the text, and what does not fit is told with its place. */
#include "fixture.h"

#include "reference/reference.h"

static const Pointwise *stand(Fixture *f, const char *text) {
  Source *source = source_new(&f->arena, "test", text, strlen(text));
  Formula *formula = formula_read(&f->arena, f->tt, source, NULL, &f->diagnostics);
  return formula && reference_stand_alone(&f->arena, formula, source, &f->diagnostics) ? formula->pointwise : NULL;
}

/* The outputs of `head` and `lines`, element by element. */
static void expect(const char *head, const char *lines, const char *outputs) {
  BEGIN(f);
  const char *text = arena_format(&f->arena, "%s%s", head, lines);
  const Pointwise *p = stand(f, text);
  if (!p) fail_msg("%s: %s", lines, f->diagnostics.items.data[0].message);
  Text out = text_new(&f->arena);
  formula_print(p, &out);
  const char *found = text_string(&out);
  for (const char *next; (next = strchr(found, '\n')) && found[0] != 'y' && found[0] != 'z'; found = next + 1) {
  }
  assert_string_equal(found, outputs);
  end(f);
}

static void expect_error(const char *text, const char *message, uint32_t line, uint32_t column) {
  BEGIN(f);
  if (stand(f, text) || !f->diagnostics.items.count) fail_msg("accepted: %s", text);
  const Diagnostic *d = &f->diagnostics.items.data[0];
  if (!strstr(d->message, message)) fail_msg("%s: %s", text, d->message);
  LineColumn at = source_locate(d->source, d->span.begin);
  if (at.line != line || at.column != column) fail_msg("%s: %u:%u", text, at.line, at.column);
  end(f);
}

static const char head[] = "formula f\ntensor x: f32[n, m]\ntensor v: f16[m]\ntensor p: i32[n]\ntensor y: f32[n, "
                           "m]\ntensor z: f32[n]\nscalar n: i32, 1 <= n\n"
                           "scalar eps: f32\nsize m: 1 <= m\n";

static void lines_become_elements(void **state) {
  (void)state;
  expect(head, "y[n, m] = x * v + eps", "y[i, j] = eps + v[j]*x[i, j]\n");
  expect(head, "y = x - max(x, axis=1)", "y[i, j] = x[i, j] - max[k < m](x[i, k])\n");
  expect(head, "z[n] = max(x, axis=1)", "z[i] = max[k < m](x[i, k])\n"); /* the axis that was kept is dropped */
  expect(head, "y = v", "y[i, j] = v[j]\n");                             /* and a smaller value fills the output */
  expect(head, "y[n, m] = 0", "y[i, j] = 0\n");
  expect(head, "z[n] = n * p", "z[i] = n*p[i]\n"); /* n is the size, as the brackets are the shape */
  expect(head, "z[i] = i * p[i]", "z[i] = i*p[i]\n");
  expect(head, "y = where(column(index(n)) < m, y, 1)", "y[i, j] = where(i < m, y[i, j], 1)\n");
  expect(head, "z = take(v, p, axis=0)", "z[i] = v[p[i]]\n");
}

static void regions_and_orders_are_kept(void **state) {
  (void)state;
  expect(head, "y[n, m] = x for a, b: b <= a and p[a] != 3", "y[a, b] = x[a, b] for b <= a and p[a] != 3\n");
  expect(head, "z[n] = p for i: i < m", "z[i] = p[i] for i < m\n");
  expect(head, "z[i] = 2\ny[n, m] = x\n", "z[i] = 2\ny[i, j] = x[i, j]\n");
  expect(head, "y[n, m] = x\nz[i] = 2 for i <= 2\n", "y[i, j] = x[i, j]\nz[i] = 2 for i <= 2\n");
}

static void undeclared_outputs_have_the_shape_of_their_value(void **state) {
  (void)state;
  static const struct {
    const char *line, *declaration;
  } cases[] = {{"w[n, 2] = column(p)", "tensor w: i32[n, 2] strides [2, 1]"},
               {"w = sum(x, axis=1)", "tensor w: f32[n] strides [1]"},
               {"w = x @ transpose(x, 1, 0)", "tensor w: f32[n, n] strides [n, 1]"},
               {"w = sum(x)", "tensor w: f32[]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    BEGIN(f);
    const Pointwise *p = stand(f, arena_format(&f->arena, "%s%s", head, cases[i].line));
    if (!p) fail_msg("%s: %s", cases[i].line, f->diagnostics.items.data[0].message);
    Text out = text_new(&f->arena);
    formula_print(p, &out);
    if (!strstr(text_string(&out), cases[i].declaration)) fail_msg("%s: %s", cases[i].line, text_string(&out));
    end(f);
  }
}

/* A name of textbooks stays one, with its definition inside. */
static void textbook_names_are_kept(void **state) {
  (void)state;
  static const char *const names[] = {"softmax(x, axis=1)",
                                      "mean(x, axis=(0, 1)) * x",
                                      "var(x, axis=0) + x",
                                      "rms_norm(x, axis=1, eps=eps)",
                                      "gelu(x) + gelu_tanh(x)",
                                      "logsumexp(x, axis=1) - x",
                                      "clamp(x, -1, 2)",
                                      "leaky_relu(x, eps)",
                                      "sqrt(2 * pi) * silu(x)",
                                      "relu(sigmoid(x))",
                                      "recurrence(eps, x, 0, axis=0)"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    BEGIN(f);
    const Pointwise *p = stand(f, arena_format(&f->arena, "%sy = %s", head, names[i]));
    if (!p) fail_msg("%s: %s", names[i], f->diagnostics.items.data[0].message);
    const char *text = tensor_text(f->tt, p->outputs.data[0].formula);
    if (!strstr(names[i], "mean"))
      assert_string_equal(text, names[i]);
    else
      assert_string_equal(text, "mean(x) * x"); /* all axes are left out */
    end(f);
  }
}

static void what_does_not_fit_is_diagnosed(void **state) {
  (void)state;
  expect_error("y = softmax(x, axis=1)", "no shapes of its own", 1, 1);
  expect_error("tensor x: f32[n]\ny = x + w", "unknown name 'w'", 2, 9);
  expect_error("tensor x: f32[n]\ntensor y: f32[m]\ny = x", "does not have the shape of y", 3, 1);
  expect_error("tensor x: f32[n]\ntensor y: f32[n]\ny[2*n] = x", "declared with another shape", 3, 2);
  expect_error("tensor x: f32[n, m]\ntensor y: f32[n, m]\ny[n, m] = x for i: i < n", "the names of the indices", 3, 13);
  expect_error("tensor x: f32[n]\ntensor y: f32[n]\ny[n] = x for i: i + 1", "expected a condition", 3, 17);
  expect_error("tensor x: f32[n]\nw[n] = x for i: i < 1", "the names of the indices", 2, 10);
  expect_error("tensor x: f32[n, m]\ntensor y: f32[n, m]\ny = layer_norm(x, axis=1)", "these arguments of layer_norm",
               3, 5);
  expect_error("tensor x: f32[n, m]\ntensor y: f32[n, m]\ny = softmax(x, axis=2)", "axis", 3, 5);
  expect_error("tensor x: f32[n]\ntensor y: f32[n]\ny = recurrence(x, x, 0, axis=1)", "these arguments of recurrence",
               3, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_become_elements),
      cmocka_unit_test(regions_and_orders_are_kept),
      cmocka_unit_test(undeclared_outputs_have_the_shape_of_their_value),
      cmocka_unit_test(textbook_names_are_kept),
      cmocka_unit_test(what_does_not_fit_is_diagnosed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
