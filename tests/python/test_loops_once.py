"""Loops of C, C++ and Python whose values are computed once, in order: `f` is proved equal to `g`, which says so step by
step, and is not `h`, which computes them again where something has changed."""

import subprocess

import pytest
from triton_tools.lifted import patient

N = "struct N { unsigned i; int x; };\n"
VECTOR = "#include <vector>\nstruct N { int i; int x; };\n"
ARRAY = "#include <array>\nstatic int first(std::array<int, 3> a, int k) { a[0] = k; return a[0] + a[1]; }\n"

PAIRS = {
    "assigned from where its own field says": (
        "c",
        N + """
int f(const struct N *a, int n) { struct N s = a[0]; s = a[s.i % 3]; return s.x; }
int g(const struct N *a, int n) { return a[a[0].i % 3].x; }
int h(const struct N *a, int n) { return a[a[a[0].i % 3].i % 3].x; }""",
    ),
    "assigned to where its own field says": (
        "c",
        N + """
void f(struct N *a, const struct N *s) { a[a[0].i % 3] = *s; }
void g(struct N *a, const struct N *s) { unsigned k = a[0].i % 3; a[k].i = s->i; a[k].x = s->x; }
void h(struct N *a, const struct N *s) { unsigned k = a[0].i % 3; a[k].i = s->i; a[a[0].i % 3].x = s->x; }""",
    ),
    "a list that calls, and swaps": (
        "c",
        """
typedef struct { int a; } I; typedef struct { I in; int d, e; } O;
static I make(int x) { I t = {x}; return t; }
int f(int x, int y) { O s = {{0}, x, y}; s = (O){make(1), s.e, s.d}; return 10 * s.d + s.e; }
int g(int x, int y) { return 10 * y + x; }
int h(int x, int y) { return 10 * y + y; }""",
    ),
    "pushed with its size": (
        "cc",
        VECTOR + """
int f(int n) { std::vector<N> v; for (int k = 0; k < n; k++) v.push_back({(int)v.size(), (int)v.size()}); return v[n - 1].x; }
int g(int n) { return n - 1; }
int h(int n) { return n; }""",
    ),
    "pushed with an element of itself": (
        "cc",
        VECTOR + """
int f(int n) { std::vector<N> v; v.push_back({5, n}); v.push_back({1, v[v.size() - 1].x}); return v[1].x + v[1].i; }
int g(int n) { return n + 1; }
int h(int n) { return n + 5; }""",
    ),
    "a vector of structs grows by its size": (
        "cc",
        VECTOR + """
int f(int n) { std::vector<N> v; v.push_back({5, n}); v.resize(v.size() * 2); v.push_back({1, n}); return v[2].x + v.size(); }
int g(int n) { return n + 3; }
int h(int n) { return n + 4; }""",
    ),
    "filled with its size": (
        "cc",
        VECTOR + """
int f(int n) { std::vector<int> v(3, 7); v.resize(5, v.size()); return v[4] + n; }
int g(int n) { return n + 3; }
int h(int n) { return n + 4; }""",
    ),
    "filled with what is counted": (
        "cc",
        VECTOR + """
int f(int n) { std::vector<int> v(3, 7); int k = n; v.resize(5, k++); return 10 * v[4] + k; }
int g(int n) { return 11 * n + 1; }
int h(int n) { return 11 * n + 12; }""",
    ),
    "two methods with a comma": (
        "cc",
        VECTOR + """
int f(int n) { std::vector<int> v; v.push_back(n), v.push_back(2); return v.size() + v[0]; }
int g(int n) { return n + 2; }
int h(int n) { return n + 1; }""",
    ),
    "an array by value is a copy": (
        "cc",
        ARRAY + """
int f(int x) { std::array<int, 3> a{x, 1, 2}; int t = first(a, 7); return 10 * t + a[0]; }
int g(int x) { return 80 + x; }
int h(int x) { return 87; }""",
    ),
    "an array in an array by reference": (
        "cc",
        "#include <array>\nstatic void put(std::array<int, 3> &a, int k) { a[0] = k; }\n" + """
int f(int x) { std::array<int, 3> a{x, 1, 2}; put(a, 7); return a[0]; }
int g(int x) { return 7; }
int h(int x) { return x; }""",
    ),
    "a default is that of the definition": (
        "py",
        """
def f(a):
    t, k = 0, 1
    by = lambda x, k=k: x * k
    k = 2
    for x in a:
        t += by(x) + k
    return t
def g(a):
    t = 0
    for x in a:
        t += x + 2
    return t
def h(a):
    t = 0
    for x in a:
        t += 2 * x + 2
    return t""",
    ),
    "a default of a function in a function": (
        "py",
        """
def f(a):
    t, k = 0, 1
    def by(x, q=k):
        return x * q
    k = 2
    for x in a:
        t += by(x) + k
    return t
def g(a):
    t = 0
    for x in a:
        t += x + 2
    return t
def h(a):
    t = 0
    for x in a:
        t += 2 * x + 2
    return t""",
    ),
    "a default is made of names of the file": (
        "py",
        """
K = 3
def plus(x, k=K):
    return x + k
def f(a):
    t, K = 0, 100
    for x in a:
        t += plus(x) * K
    return t
def g(a):
    t = 0
    for x in a:
        t += (x + 3) * 100
    return t
def h(a):
    t = 0
    for x in a:
        t += (x + 100) * 100
    return t""",
    ),
    "calls share a list that is a default": (
        "py",
        """
def f(a):
    t = 0
    def add(x, y=[0]):
        y[0] += x
        return y[0]
    for x in a:
        t = add(x)
    return t
def g(a):
    t = 0
    for x in a:
        t += x
    return t
def h(a):
    t = 0
    for x in a:
        t = x
    return t""",
    ),
}


@pytest.mark.parametrize("what", PAIRS)
def test_values_are_computed_once(tmp_path, what):
    suffix, text = PAIRS[what]
    path = tmp_path / f"pair.{suffix}"
    path.write_text(text.strip() + "\n")
    for other, code, verdict in (("g", 0, "proved"), ("h", 1, "refuted")):
        done = subprocess.run(
            patient("check", f"{path}:f", f"{path}:{other}"), capture_output=True, text=True, check=False
        )
        assert (done.returncode, verdict in done.stdout) == (code, True), (other, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "suffix, text, said",
    [
        (
            "c",
            (
                "struct S { float v[4]; }; static void put(struct S s) { float *p = s.v; p[0] = 1; }\nfloat f(struct S"
                " *s) { put(*s); return s->v[0]; }"
            ),
            "this struct as a parameter",
        ),
        (
            "c",
            (
                "struct S { float v[4]; }; static void put(struct S s) { *(s.v + 1) = 1; }\nfloat f(struct S *s) {"
                " put(*s); return s->v[1]; }"
            ),
            "this struct as a parameter",
        ),
        (
            "cc",
            (
                "struct S { float v[4]; }; static void put(S s) { float &p = s.v[0]; p = 1; }\nfloat f(S &s) { put(s);"
                " return s.v[0]; }"
            ),
            "this struct as a parameter",
        ),
        (
            "cc",
            (
                "struct S { float v[4]; }; static void put(S s) { auto set = [&]() { s.v[0] = 1; }; set(); }\nfloat"
                " f(S &s) { put(s); return s.v[0]; }"
            ),
            "this struct as a parameter",
        ),
        (
            "c",
            (
                "#include <stdlib.h>\nvoid f(int n, int *y) { int *p = calloc(n, sizeof(int)); p = calloc(n,"
                " sizeof(int)); y[0] = p[0]; }"
            ),
            "a pointer that becomes this",
        ),
        (
            "c",
            "void f(int n, int *y) { int a[3] = {0}; int *p = a; if (n > 2) p = 0; y[0] = n; }",
            "a pointer that becomes this",
        ),
        (
            "c",
            "void f(int n, int *y) { int a[3] = {1, 2, 3}; int *p = a; p = n > 0 ? a + 1 : a; y[0] = *p; }",
            "a pointer that becomes this",
        ),
        (
            "c",
            (
                "#include <stdlib.h>\nvoid f(unsigned n, int *y) { int *p = malloc(n * 4); p[0] = 2; y[0] = p[0];"
                " free(p); }"
            ),
            "a call of malloc",
        ),
        (
            "c",
            (
                "#include <stdlib.h>\nvoid f(int n, int *y) { int *p = malloc((unsigned char)(n * 4)); p[0] = 2; y[0]"
                " = p[0]; free(p); }"
            ),
            "a call of malloc",
        ),
        (
            "py",
            "def add(x, y=[0]):\n    y[0] += x\n    return y[0]\ndef f(a):\n    add(a[0])\n    return add(a[1])",
            "a list that is a default",
        ),
    ],
)
def test_what_would_be_read_otherwise_is_refused(tmp_path, suffix, text, said):
    path = tmp_path / f"f.{suffix}"
    path.write_text(text + "\n")
    done = subprocess.run(patient("lift", f"{path}:f"), capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert said in done.stderr


def test_an_array_by_value_that_is_read_is_read(tmp_path):
    path = tmp_path / "f.c"
    path.write_text(
        "struct S { float v[4]; int k; }; static float at(struct S s, int i) { return s.v[i] + s.v[s.k]; }\nfloat"
        " f(struct S *s) { s->k = 1; return at(*s, 2); }\nfloat g(struct S *s) { s->k = 1; return s->v[2] +"
        " s->v[1]; }\n"
    )
    done = subprocess.run(patient("check", f"{path}:f", f"{path}:g"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_end_of_the_program_in_an_else_is_no_fault(tmp_path):
    path = tmp_path / "f.c"
    path.write_text(
        "#include <stdlib.h>\nvoid f(float *y, int n) { if (n > 3) { y[0] = 1; } else exit(1); y[1] = n; }\n"
        "void g(float *y, int n) { if (n > 3) { y[0] = 1; } else y[0] = 2; y[1] = n; }\n"
    )
    for name, said in (("f", "n >= 4"), ("g", "where(")):
        done = subprocess.run(patient("lift", f"{path}:{name}"), capture_output=True, text=True, check=False)
        assert (done.returncode, said in done.stdout) == (0, True), done.stdout + done.stderr


def test_an_unknown_function_is_given_each_argument(tmp_path):
    path = tmp_path / "f.py"
    path.write_text(
        "def g(x, k=3):\n    return x + k\n\n\ndef f(x: float):\n    return g(x)\n\n\ndef h(x: float):\n    return"
        " g(x, 3)\n"
    )
    for name, code in (("f", 3), ("h", 0)):
        done = subprocess.run(
            patient("lift", "--opaque", "g", f"{path}:{name}"), capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr


@pytest.mark.parametrize(
    "body,changed",
    [
        ("*z++ = *z + a", "z"),
        ("*++z = *z + a", "z"),
        ("a += *z++ * *z++", "z"),
        ("z[a] = a++", "a"),
        ("a = a++", "a"),
        ("a = a + (a += 1)", "a"),
        ("z[0] = a++ + a", "a"),
        ("z[0] = z[1]++ + z[a]", "an element of z"),
        ("z[a++] = z[a]", "a"),
        ("{ int b = a-- - a; z[0] = b; }", "a"),
        ("if (a++ == a) z[0] = 1", "a"),
        ("*z++ = a, z++", None),
        ("z[a] = a + 1, a++", None),
        ("*z = *z + a, z++", None),
        ("a = a + 1", None),
        ("z[0] = a++ > 0 && a < 3", None),
        ("z[0] = a++ ? a : a + 1", None),
        ("z[a] = z[a + 1] + z[0]", None),
        ("z[a]++", None),
        ("z[a] = z[0] = 1", None),
        ("a = a = 1", "a"),
        ("z[0] = g(a++) + 1", None),
        ("m[0][0] = m[1][1] = m[2][2] = a", None),
        ("m[a][0] = m[a++][1]", "a"),
        ("z[0] = next(&a) - next(&a)", "a"),
        ("z[0] = next(&a) + a", "a"),
        ("z[0] = after(&a) + a", "a"),
        ("z[a] = next(&a)", "a"),
        ("a += next(&a)", "a"),
        ("z[0] = z[1] + next(z + a)", "an element of z"),
        ("z[0] = g(next(&a)) + g(a)", "a"),
        ("a = next(&a)", None),
        ("z[0] = next(z + 1)", None),
        ("z[0] = peek(&a) + peek(&a) + a", None),
        ("z[0] = z[1] + next(&a)", None),
        ("z[0] = next(&a) > 1 && next(&a) > 2", None),
        ("z[0] = (next(&a), a)", None),
        ("{ int b = next(&a), c = next(&a); z[0] = b - c; }", None),
    ],
)
def test_parts_in_no_order_that_change_each_other_are_refused(tmp_path, body, changed):
    path = tmp_path / "f.c"
    path.write_text(
        "static int g(int a) { return a + a; }\n"
        "static int next(int *a) { return ++*a; }\n"
        "static int after(int *a) { return next(a) + 1; }\n"
        "static int peek(const int *a) { return *a; }\n"
        f"void f(int *z, int (*m)[3], int a) {{ {body}; }}\n"
    )
    done = subprocess.run(patient("lift", f"{path}:f"), capture_output=True, text=True, check=False)
    if changed:
        assert done.returncode == 3 and f": {changed} is changed and used in no order" in done.stderr, done.stderr
    else:
        assert done.returncode != 3, done.stderr


@pytest.mark.parametrize(
    "right,code", [("x < 0 || x > 3 ? 3 : x", 0), ("x > 3 ? 3 : x", 1), ("x < 0 || x > 2 ? 2 : x", 1)]
)
def test_a_place_that_is_looked_for_may_lie_behind(tmp_path, right, code):
    path = tmp_path / "f.c"
    path.write_text(
        "int f(int x) { int j; for (j = 0; j < 3; j++) if (x == j) break; return j; }\n"
        "void g(const int *xs, int *y, int n) { for (int i = 0; i < n; i++) { int j; for (j = 0; j < 3; j++)"
        " { if (xs[i] == j) break; } y[i] = j; } }\n"
        f"int f_right(int x) {{ return {right}; }}\n"
        f"void g_right(const int *xs, int *y, int n) {{ for (int i = 0; i < n; i++) {{ int x = xs[i]; y[i] = {right}; }} }}\n"
    )
    for name in "fg":
        done = subprocess.run(
            patient("check", f"{path}:{name}", f"{path}:{name}_right"), capture_output=True, text=True, check=False
        )
        assert done.returncode == code and "the loop ends" not in done.stdout, done.stdout + done.stderr
