#!/bin/sh
# Loops of C and C++: what lifts is proved, what does not compile or is not read is told at its place.
. "$(dirname "$0")/common.sh"

if ! "$ASSAY" lift "$SOURCE/tests/loops/blend.cc:linear_dodge_8" >out 2>err && grep -q c.libclang err; then
  echo "no libclang: not tested"
  exit 0
fi

# Rows of a length of their own, of which a part is read: that it lies within the row is not known of a pointer.
open=" inference.c:transformer_part2 "
for file in "$SOURCE"/tests/loops/*.cc "$SOURCE"/tests/loops/*.c "$SOURCE"/tests/loops/library/*.cc; do
  "$ASSAY" lift --all "$file" >table 2>/dev/null
  [ -s table ] || fail "$file: nothing"
  while read -r verdict safety name rest; do
    case "$open" in *" $(basename "$file"):$name "*) safety=proved ;; esac
    [ "$verdict $safety" = "proved proved" ] || fail "$file: $name: $verdict, $safety: $rest"
  done <table
done

# --- what is no C
printf 'int f(int n) {\n  return n + m\n}\n' >bad.c
expect 3 "$ASSAY" lift bad.c
has err "bad.c:2:14: error[c.compile]: use of undeclared identifier 'm'"
has err "    return n + m"

# --- what is not read
printf 'int f(int n) {\nagain:\n  if (n++ < 9) goto again;\n  return n;\n}\nint g(int n) { return n; }\n' >goto.c
expect 3 "$ASSAY" lift goto.c:f
has err "goto.c:3:16: error[c.unsupported]: a goto back, into a block or past a break is not read yet"
has err "help:"
expect 0 "$ASSAY" lift goto.c:g
expect 64 "$ASSAY" lift goto.c
expect 64 "$ASSAY" lift goto.c:h
has err "it has: g, f"

# --- what has no sign
printf '%s\n' 'void above(const %s *a, %s t, int *d, int n) { for (int i = 0; i < n; i++) d[i] = a[i] > t; }' >above
sed 's/%s/unsigned/g' above >unsigned.c
sed 's/%s/int/g' above >signed.c
expect 0 "$ASSAY" check unsigned.c:above -e 'd = where(a > t, 1, 0)'
expect 1 "$ASSAY" check unsigned.c:above signed.c:above
expect 1 "$ASSAY" check "$SOURCE/tests/loops/unsigned.c:add_wrapping" -e 'd = a + b'

# --- clang's arguments, and no clang
printf 'int f(int n) { return n + M; }\n' >macro.c
expect 0 "$ASSAY" lift macro.c -- -DM=4
has out "n + 4"
expect 3 env ASSAY_LIBCLANG=/nowhere/libclang.so "$ASSAY" lift macro.c -- -DM=4
has err "libclang1-19"

# --- C's integers: overflow is assumed not to happen; what divides is not 0
printf 'int f(int *a, int *b) { return a[0] * b[0]; }\n' >int.c
expect 0 "$ASSAY" lift int.c
has out "signed arithmetic at int.c:1 fits i32"
cat >div.cc <<'EOF'
#include <vector>
int f(std::vector<int> a, std::vector<int> b, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] / b[i];
  return s;
}
EOF
expect 0 "$ASSAY" lift --json div.cc
has out '"kind": "precondition", "text": "b[i] != 0"'
has out '"kind": "precondition", "text": "n <= a_d0"'
cat >steps.c <<'EOF'
float f(int n, float a, const float *x) {
  for (int i = 0; i < n; i++) a = x[i] / (a + 1);
  return a;
}
EOF
expect 0 "$ASSAY" lift --json steps.c
has out '"text": "recur[k < step, s](a, x[k] / (s + 1)) + 1 != 0 for each step"'
[ "$(grep -c '"kind": "precondition"' out)" -eq 1 ] || fail "one assumption for all steps"

# --- off by one: an index that is never within
cat >beyond.cc <<'EOF'
#include <vector>
int f(std::vector<int> a) {
  int s = 0;
  for (int i = 0; i <= a.size(); i++) s += a[i];
  return s;
}
EOF
"$ASSAY" lift beyond.cc >out 2>err && fail "an index beyond the end: exit 0"
cat >faults.cc <<'EOF'
#include <vector>
using namespace std;
int beyond(vector<int> a) { vector<int> v(3); v[5] = a[0]; return v[0]; }
int last(vector<int> a) { return a[a.size()]; }
int zero(vector<int> a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] / (i - i); return s; }
int unset(vector<int> a) { int s; for (int i = 0; i < a.size(); i++) s += a[i]; return s; }
vector<vector<int>> jagged(vector<int> a) {
  vector<vector<int>> out;
  for (int i = 0; i < a.size(); i++) {
    vector<int> row;
    for (int j = 0; j < i; j++) row.push_back(a[j]);
    out.push_back(row);
  }
  return out;
}
EOF
expect 1 "$ASSAY" lift faults.cc:beyond
has out "bounds refuted: it does not hold that"
expect 1 "$ASSAY" lift faults.cc:last
has out "bounds refuted: it does not hold that"
expect 2 "$ASSAY" lift faults.cc:zero
has out "bounds unknown: not shown"
expect 1 "$ASSAY" lift faults.cc:unset
expect 2 "$ASSAY" lift faults.cc:jagged
has out "not shown: the rows of what is returned have one length"
expect 0 "$ASSAY" lift --json "$SOURCE/tests/loops/blend.cc:linear_dodge_8"
has out '"kind": "rectangular", "text": "the rows of base have equal length"'
# A function that is refused at its place leaves the others of its file alone, in every output.
cat >rows.c <<'EOF'
typedef int Row[4];
double ends(double **A, int n) { double s = 0; for (int i = 0; i < n; i++) { s += *A[0]; A[0]++; } return s; }
void lengths(int n, int m, Row A[n][m], int *y) { for (int i = 0; i < n; i++) y[i] = A[i][0][0]; }
void other(int k, int m, float (*A)[m], float *y) { float (*B)[k] = (float(*)[k])A; y[0] = B[1][0]; }
int named(int n) { n: if (n > 3) goto n; return n; }
void clear(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }
double row(double A[3][4], int n) { double s = 0; for (int i = 0; i < n; i++) s += A[0][i]; return s; }
void part(float A[40][50], float *y) { for (int i = 0; i < 10; i++) y[i] = A[i][3]; }
int row_of(int n, int m, int A[n][2 * m + 1], int i) { return A[i][2 * m]; }
EOF
expect 3 "$ASSAY" lift --all rows.c
has out 'proved    proved    clear'
has err 'rows.c:2:13: error[c.unsupported]: a value of type double'
has err 'rows.c:3:28: error[c.unsupported]: the length of an array of type'
has err 'rows.c:4:92: error[c.unsupported]: the length of an array of type'
has err 'rows.c:5:34: error[c.unsupported]: a goto back'
expect 0 "$ASSAY" lift rows.c:clear --stop-after program
has out '@clear'
# What the code says beside its operations (shapes, what it relies on, that it runs once) is printed and read back. The
# length of `a` has another name where an argument has its own, and the shape goes by it.
cat >beside.cc <<'EOF'
#include <algorithm>
#include <vector>
float rows(const std::vector<std::vector<float>> &a, const std::vector<float> &b, int n) {
  float s = 0;
  for (size_t i = 0; i < a.size(); i++)
    for (size_t j = 0; j < a[0].size(); j++) s += a[i][j] * b[j];
  return s;
}
void table(int n, float a[n][2 * n + 1], float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2 * n + 1; j++) y[i * (2 * n + 1) + j] = a[i][j];
}
float named(int a_d0, const std::vector<float> &a) {
  float s = 0;
  for (size_t i = 0; i < a.size(); i++) s += a[i];
  return s * a_d0;
}
EOF
for function in rows table named; do
  expect 0 "$ASSAY" lift --json beside.cc:$function
  sed 's/"input": "[^"]*"//' out >own
  for stage in program effects; do
    "$ASSAY" lift beside.cc:$function --stop-after $stage >printed || fail "no $stage"
    expect 0 "$ASSAY" lift --json --kernel $function printed
    sed 's/"input": "[^"]*"//' out | cmp -s - own || fail "$function is another one after $stage"
  done
done
grep -q '"shape": \["a_d0_"\]' own || fail "the length of a: $(cat own)"
sed 's/assay.host/assay.other/' printed | sed '1,/^program$/d' >kernel
"$ASSAY" lift --json --kernel named kernel >out
sed 's/"input": "[^"]*"//' out | cmp -s - own && fail "a kernel is read as a function"
# No jump over a label of the switch that it is in is read; a label of a statement by itself is passed over.
cat >labels.c <<'EOF'
int over(int a) {
  int r = 0;
  switch (a) {
  case 1:
    if (r == 1) goto out;
    r += 1;
  out:;
  case 2: r += 10;
  }
  return r;
}
int within(int a, int b) {
  int r = 0;
  switch (a) {
  case 1:
    r = 3;
    if (b > 0) goto out;
    r += 1;
  out:
    r += 20;
  case 2: r += 10;
  }
  return r;
}
int alone(int a) {
  int r = 0;
  for (int i = 0; i < 3; i++)
  step: {
    if (a == i) break;
    r++;
  }
  return r;
}
EOF
expect 3 "$ASSAY" lift labels.c:over
has err "labels.c:5:17: error[c.unsupported]: a goto back"
expect 0 "$ASSAY" check labels.c:within -e 'result = where(a == 1, where(b > 0, 33, 34), where(a == 2, 10, 0))'
expect 0 "$ASSAY" check labels.c:alone -e 'result = where(a >= 0 and a < 3, a, 3)'
# Algorithms whose result is what they read; a value that is an element of what is changed.
cat >inside.cc <<'EOF'
#include <algorithm>
#include <numeric>
#include <vector>
using namespace std;
vector<int> steps(vector<int> x) { adjacent_difference(x.begin(), x.end(), x.begin()); return x; }
vector<int> first(vector<int> x) { replace(x.begin(), x.end(), x[0], 7); return x; }
EOF
expect 0 "$ASSAY" check inside.cc:steps -e 'result[i] = where(i > 0, x[i] - x[i - 1], x[i])'
expect 2 "$ASSAY" lift inside.cc:first # all behind the first are compared with 7
# What a loop changes by another name, of which an iteration finds what the one before left.
cat >other_names.cc <<'EOF'
#include <vector>
using namespace std;
static void put(int *t, int v) { t[1] += v; }
int moved(int n) {
  int a[3] = {0, 0, 0}, s = 0;
  for (int i = 0; i < n; i++) { int *q = a + 1; *q += i; s += a[1]; }
  return s;
}
int turned(int n) {
  int a[3] = {0, 0, 0}, s = 0;
  for (int i = 0; i < n; i++) { *(1 + a) += i; s += a[1]; }
  return s;
}
int passed(int n) {
  int a[3] = {0, 0, 0}, s = 0;
  for (int i = 0; i < n; i++) { int *q = a; put(q, i); s += a[1]; }
  return s;
}
int back(int n) {
  vector<int> a(3);
  int s = 0;
  for (int i = 0; i < n; i++) { auto q = a.end() - 2; *q += i; s += a[1]; }
  return s;
}
int reference(int n) {
  int a[3] = {0, 0, 0}, s = 0;
  for (int i = 0; i < n; i++) { int &q = *(a + 1); q += i; s += a[1]; }
  return s;
}
EOF
for name in moved turned passed back reference; do
  expect 0 "$ASSAY" lift "other_names.cc:$name"
  has out "sum(cumsum(index(n), axis=0))"
done
# Arguments that are added to an index are 0 or more; not those that are taken away, or that a branch asks for.
cat >offsets.c <<'EOF'
void from(int n, int k, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i + k]; }
void before(int n, int k, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i + k - 3]; }
void beside(int n, int m, int ld, int r, int c, const float *a, float *y) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] = a[(i + r) * ld + c + j];
}
void heads(int n, int h, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[h * n + i]; }
void guarded(int n, int k, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = i + k >= 0 && i + k < n ? x[i + k] : 0;
}
void negative(int n, int k, const float *x, float *y) {
  for (int i = 0; i < n; i++) { if (k < 0) y[i] = x[i + k]; else y[i] = 0; }
}
void back(int n, int k, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i - k]; }
void behind(int n, int k, const float *x, float *y) {
  for (int i = 0; i < n; i++) if (i >= 3) y[i] = x[i + k - 3];
}
EOF
expect 0 "$ASSAY" lift offsets.c:behind
has out "k >= 0: indices of x start"
expect 0 "$ASSAY" lift offsets.c:from
has out "y[n] = x[k:]"
has out "k >= 0: indices of x start at 0 at least (offsets.c:1)"
expect 0 "$ASSAY" lift offsets.c:before
has out "k >= 3: indices of x start"
expect 0 "$ASSAY" lift offsets.c:beside
has out "y[n, m] = a[r:, c:]"
expect 0 "$ASSAY" lift offsets.c:heads
has out "a1 h >= 0: indices of x start"
expect 0 "$ASSAY" lift offsets.c:guarded
hasnt out "k >= 0: indices"
expect 2 "$ASSAY" lift offsets.c:negative
has out "index i + k of x is not shown to be 0 or more"
expect 1 "$ASSAY" lift offsets.c:back
expect 0 "$ASSAY" check offsets.c:from -e 'y = x[k:]'
expect 1 "$ASSAY" check offsets.c:from -e 'y = x[k + 1:]'
# Two functions that are given one pointer: the same elements at the same addresses, within the same arrays.
cat >memory.cc <<'EOF'
#include <string.h>
void by(int n, int s, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i * s]; }
void same(int n, int s, const float *x, float *y) { for (int i = 0; i < n; i++) { y[i] = *x; x += s; } }
void plain(int n, int s, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
void square(int n, int s, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i * s * s]; }
void rows(int m, int n, const int *a, int *b) {
  for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) b[i * n + j] = a[i * n + j];
}
void flat(int m, int n, const int *a, int *b) { for (int i = 0; i < m * n; i++) b[i] = a[i]; }
void more(int m, int n, const int *a, int *b) { for (int i = 0; i < m + n; i++) b[i] = a[i]; }
void sign(int n, const signed char *s, int *o) { for (int i = 0; i < n; i++) o[i] = s[i] < 0; }
void top(int n, const signed char *s, int *o) { for (int i = 0; i < n; i++) o[i] = (unsigned char)s[i] >= 128; }
void other(int n, const signed char *s, int *o) { for (int i = 0; i < n; i++) o[i] = (unsigned char)s[i] >= 127; }
void inside(const int *x, int *y) { int t[4]; for (int i = 0; i < 4; i++) t[i] = x[i]; for (int i = 0; i < 4; i++) y[i] = t[i]; }
void beyond(const int *x, int *y) { int t[4]; for (int i = 0; i <= 4; i++) t[i] = x[i]; for (int i = 0; i < 4; i++) y[i] = t[i]; }
void moved(int *a) { memcpy(a + 1, a, 3 * sizeof(int)); }
void copied(int *a, const int *b) { memcpy(a, b, 3 * sizeof(int)); }
EOF
expect 0 "$ASSAY" check memory.cc:by memory.cc:same
expect 2 "$ASSAY" check memory.cc:by memory.cc:plain
has out "x has the strides [s], and [1] on the right"
expect 2 "$ASSAY" check memory.cc:by memory.cc:square
expect 0 "$ASSAY" check memory.cc:rows memory.cc:flat
expect 2 "$ASSAY" check memory.cc:rows memory.cc:more
expect 0 "$ASSAY" check memory.cc:sign memory.cc:top
expect 1 "$ASSAY" check memory.cc:sign memory.cc:other
expect 0 "$ASSAY" check memory.cc:inside memory.cc:inside
expect 2 "$ASSAY" check memory.cc:inside memory.cc:beyond
has out "the right leaves an array (memory.cc:15)"
expect 3 "$ASSAY" lift memory.cc:moved
has err "memcpy within one array"
expect 0 "$ASSAY" lift memory.cc:copied
# An index lies within its row, though the memory goes on behind it.
cat >beyond.c <<'EOF'
float beyond(float A[40][50]) { float s = 0; for (int j = 0; j < 60; j++) s += A[3][j]; return s; }
int wide(int n, int m, int A[n][m]) { int s = 0; for (int j = 0; j < n; j++) s += A[0][j]; return s; }
void put(int A[40][50], int k) { A[3][k] = 0; }
EOF
expect 1 "$ASSAY" lift beyond.c:beyond
has out "bounds refuted: it does not hold that j is an index of A[3]"
hasnt out "program ("
hasnt out "lane = "
printf 'void powers(int n, int *x) { for (int i = 0; i < n; i++) x[i] = 1 << i; }\n' >powers.c
expect 2 "$ASSAY" lift powers.c
has out "undefined unknown, x: a value that nothing defines"
hasnt out "lane"
expect 0 "$ASSAY" lift beyond.c:wide
has out "n <= m: j is an index of A[0]"
expect 0 "$ASSAY" lift beyond.c:put
has out "k <= 49: "
# Axes of arrays are those of their types, also where a part is read.
expect 0 "$ASSAY" lift --json rows.c:part
has out '"shape": ["40", "50"]'
expect 0 "$ASSAY" lift --json rows.c:row
has out '"shape": ["3", "4"]'
has out '"kind": "precondition", "text": "n <= 4"'
expect 0 "$ASSAY" lift --json rows.c:row_of
has out '"shape": ["n", "2*m + 1"]'
# --- a range-for that returns from its body finds the element that ends it
cat >each.cc <<'END'
#include <vector>
int first(const std::vector<int> &x) { for (auto v : x) if (v > 3) return v; return -1; }
int first_by_index(const std::vector<int> &x) { for (size_t i = 0; i < x.size(); i++) if (x[i] > 3) return x[i]; return -1; }
int other(const std::vector<int> &x) { for (auto v : x) if (v >= 3) return v; return -1; }
bool any_by_index(const std::vector<int> &x) { for (size_t i = 0; i < x.size(); i++) if (x[i] < 0) return true; return false; }
bool any(const std::vector<int> &x) { for (const auto &v : x) if (v < 0) return true; return false; }
END
expect 0 "$ASSAY" check each.cc:first each.cc:first_by_index
expect 1 "$ASSAY" check each.cc:other each.cc:first_by_index
expect 0 "$ASSAY" check each.cc:any each.cc:any_by_index
expect 1 "$ASSAY" check each.cc:any -e 'result = where(any(x <= 0), 1, 0)'
# --- classes: a constructor fills the fields, a method is a function of the object; what is called unseen is refused
classes=$SOURCE/tests/loops/library/classes.cc
expect 0 "$ASSAY" check "$classes:Biquad_process" -e 'y = this_b0 * x + this_b1'
expect 0 "$ASSAY" check "$classes:filter" -e 'y = g * x + 1'
expect 1 "$ASSAY" check "$classes:filter" -e 'y = g * x'
expect 0 "$ASSAY" check "$classes:mean" -e 'result = mean(x)'
expect 0 "$ASSAY" check "$classes:moved" -e 'result = sum(x) + n'
expect 1 "$ASSAY" check "$classes:moved" -e 'result = sum(x)'
expect 0 "$ASSAY" check "$classes:row_sum" -e 'result = 2 * sum(x)'
expect 0 "$ASSAY" lift "$classes:distances"
cat >classes.cc <<'END'
#include <vector>
struct Order { int y, x; Order(int a) : x(a), y(x) {} };
int order(int a) { Order o(a); return o.y; }
struct Pointer { float v[4]; const float *p() const { return v; } };
struct Twice { float x, y; Twice(float a, float b) : x(a), y(b) {} Twice(float a) : Twice(a, a) {} };
float delegates(float a) { Twice t(a); return t.x + t.y; }
struct Five { double s; Five() : s(5) {} };
struct Two { Five a, b; };
double elements() { Five m[3]; return m[1].s; }
double made() { std::vector<Five> m(3); return m[1].s; }
double resized() { std::vector<Five> m; m.resize(3); return m[1].s; }
double inner() { Two t; return t.a.s; }
double inner_value() { Two t = Two(); return t.a.s; }
struct Copied { int n; Copied(int a) : n(a) {} Copied(const Copied &o) : n(o.n + 1) {} };
int copied(int a) { Copied c(a), d = c; return d.n; }
struct Ended { int *p; Ended(int *q) : p(q) {} ~Ended() { *p = 7; } };
int ended() { int v = 1; { Ended d(&v); } return v; }
struct Chain { int a; Chain &add(int x) { a += x; return *this; } };
int chained(int k) { Chain c{k}; c.add(1).add(2); return c.a; }
int field(int k) { Chain c{k}; c.add(1).a = 7; return c.a; }
struct Plain { float w; float scaled(float x) const { return w * x; } };
struct Wider : Plain { float h; float both(float x) const { return scaled(x) + h; } };
float base_first(float x) { Wider v; v.w = x, v.h = x; return v.both(x); }
struct Hides : Plain { float w; };
float hides(float x) { Hides v; v.w = x; return v.scaled(x); }
int chosen(int k) { Chain a{k}, b{k}; (k > 0 ? a : b).add(3); return a.a; }
void add(Chain &c) { c.a++; }
int chosen_too(int k) { Chain a{k}, b{k}; add(k > 0 ? a : b); return a.a; }
struct Virtual { float g; virtual float f(float x) { return g * x; } };
float called(Virtual &v, float x) { return v.f(x); }
struct Derived : Five { double t() { return s; } };
double derived(Derived &d) { return d.t(); }
struct Count { int n; Count(int a) : n(a) {} Count next(int &k) const { return Count(n + k++); } int sum(const Count &o) const { return n - o.n; } };
int ordered(int k) { Count c(0); return c.next(k).sum(c.next(k)); }
struct Behind { float &r; Behind(float &v) : r(v) {} void set() { r = 5; } };
float behind(float x) { Behind b(x); b.set(); return x; }
struct Taken { float a; Taken(float v) : a(v) {} template <class U> Taken(U &&o) : a(o.a + 1) {} };
float taken(float x) { Taken p(x), q = p; return q.a; }
struct Hidden { mutable float s; float get() const { return s += 1; } };
float hidden(float a) { Hidden h{a}; h.get(); return h.s; }
struct Seen {
  float s;
  float both(float k) { auto f = [this](float x) { return s += x; }; f(k); return f(k); }
  float before(float k) { auto f = [*this]() { return s; }; s = k; return f(); }
  template <class U> U twice(U k) const { return k * 2; }
};
float both(float a) { Seen t{a}; return t.both(1); }
float twice(float a) { Seen t{a}; return t.twice(a) + t.s; }
float before(float a) { Seen t{a}; return t.before(3); }
static float later(float &x) { auto g = [=]() { return x; }; x = 3; return g(); }
float renamed(float a) { float y = a; return later(y); }
float other_name(float a) { float y = a, &x = y; auto g = [=]() { return x; }; y = 3; return g(); }
struct Times { float a; float f(float x) { return x + a; } float f(int x) { return x * a; } };
float Times_f(float x) { return x; }
float element(float *a) { float &x = a[0]; auto g = [=]() { return x; }; a[0] = 3; return g(); }
END
expect 0 "$ASSAY" check classes.cc:chained -e 'result = k + 3' # each call is done before the next one
expect 1 "$ASSAY" check classes.cc:chained -e 'result = k + 2'
expect 0 "$ASSAY" check classes.cc:base_first -e 'result = x * (x + 1)' # what a base without constructors has comes first
expect 1 "$ASSAY" check classes.cc:base_first -e 'result = x * x'
expect 3 "$ASSAY" lift classes.cc:hides
expect 0 "$ASSAY" check classes.cc:both -e 'result = a + 2'
expect 0 "$ASSAY" check classes.cc:twice -e 'result = 3 * a'
expect 0 "$ASSAY" check classes.cc:Times_f -e 'result = x + this_a' # each of one name by its own
expect 0 "$ASSAY" check classes.cc:Times_f_2 -e 'result = x * this_a'
expect 0 "$ASSAY" check classes.cc:Times_f_3 -e 'result = x'
expect 1 "$ASSAY" check classes.cc:Times_f_2 -e 'result = x + this_a'
expect 1 "$ASSAY" lift classes.cc:order # fields are given their values in the order of their declaration
has out 'undefined refuted'
for own in Pointer_p delegates elements made resized inner inner_value copied ended field chosen chosen_too called derived ordered \
  behind taken hidden before renamed other_name element; do
  expect 3 "$ASSAY" lift "classes.cc:$own"
done
# --- constant initial values within a class, and elements made of their fields
cat >initial.cc <<'EOF'
#include <utility>
#include <vector>
struct Gain { double a = 2; double b; double f(double x) const { return a * x + b; } };
struct Mean { double s = 0; int n = 0; void add(double x) { s += x; n++; } double get() const { return s / n; } };
struct Filter { double state = 0.5; double k; explicit Filter(double gain) : k(gain) {} double step(double x) { state += k * x; return state; } };
struct Own { int n = -3; Own() { n = n * 2; } };
double listed(const std::vector<double> &v) { Gain g{3, 1}; double s = 0; for (double x : v) s += g.f(x); return s; }
double left_out(const std::vector<double> &v) { Gain g = {}; double s = 0; for (double x : v) s += g.f(x); return s; }
double mean(const std::vector<double> &v) { Mean m; for (double x : v) m.add(x); return m.get(); }
double last(const std::vector<double> &v, double g) { Filter f(g); double y = 0; for (double x : v) y = f.step(x); return y; }
int own() { Own o; return o.n; }
double unset() { Gain g; return g.b; }
double many(int n) { std::vector<Mean> v(n); return v[0].s; }
double pairs(const std::vector<double> &v) {
  std::vector<std::pair<double, int>> out;
  for (int i = 0; i < (int)v.size(); i++) out.emplace_back(2 * v[i], i);
  double s = 0;
  for (int i = 0; i < (int)v.size(); i++) s += out[i].first * out[i].second;
  return s;
}
double from_behind(const std::vector<double> &v) { double s = 0; for (auto i = v.rbegin(); i != v.rend(); ++i) s += *i; return s; }
EOF
expect 0 "$ASSAY" check initial.cc:listed -e 'result = sum(3 * v + 1, axis=0)'
expect 0 "$ASSAY" check initial.cc:left_out -e 'result = sum(2 * v, axis=0)'
expect 0 "$ASSAY" check initial.cc:mean -e 'result = mean(v, axis=0)'
expect 0 "$ASSAY" check initial.cc:last -e 'result = 0.5 + g * sum(v, axis=0)'
expect 1 "$ASSAY" check initial.cc:last -e 'result = g * sum(v, axis=0)'
expect 0 "$ASSAY" check initial.cc:own -e 'result = -6'
expect 0 "$ASSAY" lift initial.cc:pairs
has out '2 * sum(v * index(v_d0))'
expect 1 "$ASSAY" lift initial.cc:unset
expect 3 "$ASSAY" lift initial.cc:many
expect 0 "$ASSAY" check initial.cc:from_behind -e 'result = sum(v, axis=0)'
# --- what is no place of a struct, and a product with 0 in an index
printf 'typedef struct { int n; struct { int m; double *w; } *q[4]; } All;\ndouble f(All *l, int m) { double s = 0; for (int i = 0; i < m; i++) s += l->q[i]->w[i]; return s; }\nvoid g(int n, double *x) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i * 0 + j] += 1; }\n' >places.c
expect 3 "$ASSAY" lift places.c:f
"$ASSAY" lift places.c:g >out 2>err
[ $? -le 2 ] || fail "an index with a product of 0"
# --- loops as they occur, against what is meant, and the like with a fault
expect 0 "$ASSAY" port "$SOURCE/tests/loops/own"
practice=$SOURCE/tests/loops/own/practice.c
while IFS='|' read -r own meant; do
  expect 0 "$ASSAY" check "$practice:$own" -e "$meant"
done <<'EOF'
alpha_blend|o = a * x + (1 - a) * y
energy|result = mean(x ** 2, axis=0)
variance|result = mean((x - mean(x, axis=0)) ** 2, axis=0)
spread|result = max(x, axis=0) - min(x, axis=0)
compound|result = prod(1 + r, axis=0)
euler|x = x + dt * v
transpose|B = transpose(A)
softmax|x = softmax(x, axis=0)
dequant|w = q * column(s)
frobenius|result = sqrt(sum(A ** 2))
EOF
while IFS='|' read -r own meant; do
  expect 1 "$ASSAY" check "$SOURCE/tests/loops/wrong/practice.c:$own" -e "$meant"
done <<'EOF'
mean_from_one|result = mean(x, axis=0)
mean_uninitialised|result = mean(x, axis=0)
mean_integer|result = mean(x, axis=0)
grey_narrow|out[i] = (rgb[3*i] + rgb[3*i+1] + rgb[3*i+2]) // 3
smooth_in_place|x[i] = where(i > 0, 0.5 * (x[i] + x[i - 1]), x[i])
transpose_swapped|B = transpose(A)
scale_half|y = x * num // den
past|result = sum(x, axis=0)
shift|x[i] = where(i > 0, x[i - 1], x[i])
EOF
expect 1 "$ASSAY" check "$SOURCE/tests/loops/wrong/practice.c:euler_energy" -e 'x = x + dt * v' --only x
# where arrays have to be long for anything to be stored at all; a rounding that differs for few bytes
printf '#include <vector>\nvoid box(const std::vector<float> &s, std::vector<float> &d, int w, int h) {\n  for (int y = 1; y < h - 1; ++y)\n    for (int x = 1; x < w - 1; ++x) {\n      float t = 0;\n      for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) t += s[(y + j) * w + x + i];\n      d[y * w + x] = t / 9;\n    }\n}\n' >box.cc
sed 's|t / 9|t / 8|' box.cc >box_mean.cc
expect 0 "$ASSAY" check box.cc box.cc
expect 1 "$ASSAY" check box.cc box_mean.cc
printf 'void blend(const unsigned char *s, const unsigned char *d, unsigned char *o, const unsigned char *a, int n) { for (int i = 0; i < n; i++) o[i] = (s[i] * a[i] + d[i] * (255 - a[i]) + 127) / 255; }\n' >bytes.c
sed 's|127|128|' bytes.c >bytes_up.c
expect 1 "$ASSAY" check bytes.c bytes_up.c
# the last of two writers, whose address goes by n - 1: i*n - i falls and grows with i
printf 'void rows(double *y, const double *x, int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * (m - 1) + j] = x[i]; }\n' >shared.c
expect 2 "$ASSAY" lift shared.c
has out 'random evaluation agrees'
# --- port: a line for each function with loops; what cannot be read is a line with its reason.
mkdir -p base/sub
cp "$SOURCE/tests/loops/flow.c" base/flow.c
cp "$SOURCE/tests/loops/helpers.cc" base/sub/helpers.cc
expect 0 "$ASSAY" port base
has out 'base/flow.c:find_value'
has out 'base/sub/helpers.cc:sum_rows'
hasnt out 'helpers.cc:clamp'
ln -s .. base/sub/again # a link to a folder that it lies in
expect 0 "$ASSAY" port base
hasnt out 'again'
rm base/sub/again
# a module that is not written has its reason in the line
printf 'void half(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] / 2; }\n' >half.c
expect 2 "$ASSAY" port half.c --emit gemmini -o modules
has out '[--emit gemmini: Gemmini has no result of the type f32]'
# a source that the file includes is a part of it, a header is none
mkdir templates
printf 'BASE NAME(mean)(const BASE a[], int n) {\n  long double m = 0;\n  for (int i = 0; i < n; i++) m += (a[i] - m) / (i + 1);\n  return m;\n}\n' >templates/mean_source.inc
printf 'static inline int last(const int *a, int n) { int x = 0; for (int i = 0; i < n; i++) x = a[i]; return x; }\n' >templates/own.h
printf '#include "own.h"\n#define BASE double\n#define NAME(x) x##_double\n#include "mean_source.inc"\n#undef BASE\n#undef NAME\n#define BASE float\n#define NAME(x) x##_float\n#include "mean_source.inc"\n' >templates/mean.c
expect 0 "$ASSAY" port templates/mean.c
has out 'templates/mean.c:mean_double '
has out 'templates/mean.c:mean_float '
hasnt out 'last'
expect 0 "$ASSAY" check templates/mean.c:mean_float -e 'result = mean(a, axis=0)'
expect 1 "$ASSAY" check templates/mean.c:mean_float -e 'result = sum(a, axis=0)'
# a source that another one of the folder includes is listed with that alone
printf 'BASE NAME(sum)(const BASE a[], int n) {\n  BASE s = 0;\n  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}\n' >templates/sum_source.c
printf '#define BASE double\n#define NAME(x) x##_double\n  #  include "sum_source.c"\n' >templates/sum.c
expect 0 "$ASSAY" port templates
has out 'templates/sum.c:sum_double '
hasnt out 'sum_source'
expect 2 "$ASSAY" port templates/sum_source.c
# a loop whose condition would never end it is not entered
printf 'double f(const double *x, int n) { double s = 0; for (int i = 0; i > n; i++) s += x[i]; return s; }\ndouble g(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n' >turned.c
expect 1 "$ASSAY" check turned.c:f turned.c:g
# complex numbers are read where they are arguments, and refused where they are made
printf '#include <complex>\n#include <vector>\ndouble f(const std::vector<std::complex<double>> &z) { double s = 0; for (const auto &c : z) s += std::norm(c); return s; }\ndouble g(double x) { std::complex<double> z(x, x); return std::abs(z); }\n' >complex.cc
expect 0 "$ASSAY" lift complex.cc:f
expect 3 "$ASSAY" lift complex.cc:g
has err 'is not read yet'
# products of numbers without sign that are beyond 2^128
printf 'double f(const unsigned long *x, const unsigned long *y, int n) { double s = 0; for (int i = 0; i < n; i++) s += (double)x[i] * y[i]; return s; }\n' >wide.c
expect 0 "$ASSAY" lift wide.c
# long double: a type of its own, which C has and the array libraries of Python have as float64
printf 'long double f(const long double *a, int n) { long double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s / n; }\n' >extended.c
expect 0 "$ASSAY" check extended.c -e 'result = mean(a, axis=0)'
expect 0 "$ASSAY" lift extended.c --emit c,numpy --json
has out '"dtype": "f80"'
has out 'const long double *a'
has out 'np.float64'
printf '#include <string.h>\ndouble f(int n, double x) { long double a[4]; memset(a, 0, 4 * sizeof(double)); return a[3] + x; }\n' >extended.c
expect 3 "$ASSAY" lift extended.c
printf 'int f(int n) { return n + ; }\n' >base/sub/bad.c
printf 'int g(int n) { again: n--; for (int i = 0; i < n; i++) n -= i; if (n > 3) goto again; return n; }\n' >base/sub/goto.c
expect 2 "$ASSAY" port base base/none.c --jobs 2
has out 'bad input -         base/sub/bad.c '
has out 'bad input -         base/sub/goto.c:g '
has out 'bad input -         base/none.c '
has out 'base/sub/helpers.cc:total'
expect 3 "$ASSAY" port base/none # nothing that is named is there
has out 'bad input -         base/none '
expect 3 "$ASSAY" port --json base/none.c:half
expect 2 "$ASSAY" port --json base
has out '{ "function": "find_value", "schema": 1,'
has out '{ "function": null, "schema": 1,'
# A lambda whose copy of a variable would not be what the variable is when it is called.
for list in 's' '&u, s' '=, &u' '&u, q = s, s'; do
  cat >copies.cc <<EOF
#include <vector>
double f(const std::vector<double> &x) {
  double s = 1, u = 1, t = 0;
  auto g = [$list](double v) { return v * s; };
  for (double v : x) { s = v; t += g(v); }
  return t;
}
EOF
  expect 3 "$ASSAY" lift copies.cc
  has err "a lambda with a copy of s, which changes"
done
# What takes a pair of reverse iterators as one of plain pointers is refused.
cat >reversed.cc <<'EOF'
#include <vector>
std::vector<double> made(const std::vector<double> &a) { return std::vector<double>(a.rbegin(), a.rend()); }
double last(const std::vector<double> &a) { return *a.rbegin().base(); }
EOF
expect 3 "$ASSAY" lift --all reversed.cc
hasnt out proved
cat >reversed.cc <<'EOF'
#include <vector>
std::vector<double> f(std::vector<double> a) {
  std::vector<double> c(a.size());
  for (auto it = a.rbegin(); it != a.rend(); ++it) c[it - a.rbegin()] = *(it + 0) + a.rbegin()[a.rend() - it - 1];
  return c;
}
EOF
expect 0 "$ASSAY" check reversed.cc -e 'result = a[::-1] + a'
expect 1 "$ASSAY" check reversed.cc -e 'result = a + a'

# A field of what is copied, a lambda inside that sees the copy, and a list with a comment.
cat >copies.cc <<'EOF'
struct P { float a, b; };
float field(float x, int n) {
  P s; s.a = 1; s.b = 2;
  auto f = [s](float y) { return y * s.a; };
  s.a = 5;
  float t = 0;
  for (int i = 0; i < n; i++) t += f(x);
  return t;
}
float inner(float x, int n) {
  float k = 1;
  auto f = [=](float y) { auto g = [&](float z) { return z * k; }; return g(y); };
  k = 5;
  float t = 0;
  for (int i = 0; i < n; i++) t += f(x);
  return t;
}
float comment(float x, int n) {
  float k = 1;
  auto f = [/* copy */ k](float y) { return y * k; };
  k = 5;
  float t = 0;
  for (int i = 0; i < n; i++) t += f(x);
  return t;
}
EOF
"$ASSAY" lift --all copies.cc >out 2>err
hasnt out proved
has err "a lambda with a copy of s_a, which changes"
# Counters that only some iterations step, or that step twice, meet elsewhere.
printf '%s\n' 'int f(int *x, int n) { int i = 0, j = n - 1; while (i < j) { x[i++] = 0; if (x[i] > 0) j--; } return i; }' \
  'int g(int *x, int n) { int i = 0, j = n - 1; while (i < j) { x[i++] = x[j--]; i++; } return i; }' >meet.c
"$ASSAY" lift meet.c:f >out 2>err
hasnt out "n // 2"
"$ASSAY" check meet.c:g -e 'result = n // 2' >out 2>err && fail "counters that step twice: n // 2"

# What does not compile costs the functions that mention it; what is missing beside them is assumed to change nothing.
mkdir faults
cat >faults/part.c <<'EOF'
typedef foo_t real;
struct s { bar_t x; int n; };
int good(const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
int bad(const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i] * zz; return s; }
int uses(const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += (real)x[i]; return s; }
int behind(struct s *p) { int s = 0; for (int i = 0; i < p->n; i++) s += i; return s; }
int calls(const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += bad(x, n); return s; }
EOF
expect 2 "$ASSAY" port faults
grep -q '^proved    proved    faults/part.c:good .*sum(x)' out || fail "port: a function beside others that do not compile"
for row in "bad .*undeclared identifier 'zz'" "uses .*type name 'foo_t'" "behind .*type name 'bar_t'" "calls .*'zz'"; do
  grep -q "^bad input -         faults/part.c:$row" out || fail "port: no line for $row"
done
(echo '#include "none.h"' && cat faults/part.c) >faults/header.c
"$ASSAY" port --json faults/header.c:good >out 2>err
has out "'none.h' file not found' and 3 more changes nothing here"
expect 3 "$ASSAY" lift faults/part.c:good
has err "part.c:1:9: error[c.compile]: unknown type name 'foo_t'"
# An enumerator whose value does not compile; C++, where clang drops what calls a function with an error.
printf 'enum { SH = WHAT + 1 };\nint f(int x, int n) { int t = 0; for (int i = 0; i < n; i++) t += x << SH; return t; }\n' >faults/part.c
printf 'float mix(float a, float b = WHAT) { return a * b; }\nfloat f(const float *x, int n) { float t = 0; for (int i = 0; i < n; i++) { t += x[i]; t = mix(t, 2); } return t; }\n' >faults/header.cc
"$ASSAY" port faults/part.c faults/header.cc >out 2>err
hasnt out proved
expect 0 "$ASSAY" port base/flow.c --emit numpy,c -o modules
[ -s modules/find_value.numpy.py ] && [ -s modules/find_value.c.c ] || fail "port -o: no modules"
mkdir two && cp base/flow.c two/a.c && cp base/flow.c two/b.c
expect 0 "$ASSAY" port two --emit c -o named --jobs 2
has err 'assay: levels of two/b.c is written as levels_2'
[ -s named/levels.c.c ] && [ -s named/levels_2.c.c ] || fail "port -o: two functions of one name"
expect 64 "$ASSAY" port
# --run: times of both sides; what cannot be measured says why, and nothing else changes.
printf 'void scale(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = a * x[i]; }\nfloat unknown(float x);\nvoid calls(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = unknown(x[i]); }\nvoid beyond(int n, float *x) { for (int i = 0; i <= n; i++) x[2 * i] = x[n + 2 * i + 1]; }\nint size;\nvoid global(int *x) { for (int i = 0; i < size; i++) x[i] = 1; }\n' >timed.c
"$ASSAY" port timed.c --run --emit c >out 2>err
grep -Eq 'timed.c:scale .*a \* x  \[original [0-9.e-]+ ms, c [0-9.e-]+ ms at n = [0-9]+\]$' out || fail "port --run: no times"
has out '[original not run ('
has out '[original not run (its parameters are structs, or it uses variables of its file)]'
"$ASSAY" port timed.c --run --emit c --json >out 2>err
grep -Eq '^\{ "function": "scale", "seconds": \{"original": [0-9.e-]+, "c": [0-9.e-]+\}, "sizes": "n = [0-9]+", "schema": 1' out || fail "port --run --json"
has out '"function": "calls", "seconds": {"original": null}, "sizes": ""'
printf '#include <vector>\nvoid twice(const std::vector<std::vector<int>> &x, std::vector<std::vector<int>> &y) { for (size_t i = 0; i < x.size(); i++) for (size_t j = 0; j < x[i].size(); j++) y[i][j] = 2 * x[i][j]; }\n' >timed.cc
printf 'def twice(x):\n    out = []\n    for v in x:\n        out.append(2 * v)\n    return out\n' >timed.py
expect 0 "$ASSAY" port timed.cc timed.py --run --emit c
[ "$(grep -Ec '\[original [0-9.e-]+ ms, c [0-9.e-]+ ms at ' out)" = 2 ] || fail "port --run: C++ and Python"
printf '%s\n' 'double total(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }' \
  'float total(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }' >overloads.cc
expect 0 "$ASSAY" port overloads.cc --run --emit c
[ "$(grep -Ec '\[original [0-9.e-]+ ms, c [0-9.e-]+ ms at ' out)" = 2 ] || fail "port --run: functions of one name"
expect 0 env ASSAY_PYTHON=none "$ASSAY" port timed.py --run --emit c
has out '[original not run (there is no python3; ASSAY_PYTHON names one)]'
expect 64 "$ASSAY" port timed.py --run --jobs 2
expect 3 "$ASSAY" port modules/none
# --- literals that no double holds are not taken for others
printf 'long double half(long double x) { return 0.5L * x; }\nlong double tenth(long double x) { return 0.1L * x; }\n' >l.c
expect 0 "$ASSAY" lift l.c:half
expect 3 "$ASSAY" lift l.c:tenth
has err 'l.c:2:43: error[c.unsupported]'
# --- wrong in typical ways: found by a finding, or against what was meant
wrong=$SOURCE/tests/loops/wrong/wrong.c
for own in beyond past_row past_length behind_last; do # off by one, or an index that grows too fast
  expect 1 "$ASSAY" lift "$wrong:$own"
  has out 'bounds refuted: it does not hold that'
done
expect 1 "$ASSAY" lift "$wrong:unset"
expect 1 "$ASSAY" lift "$wrong:below_zero" # no unsigned number is
expect 1 "$ASSAY" lift "$wrong:area" --strict overflow
expect 0 "$ASSAY" lift "$wrong:shift" # an overlapping copy
has out 'x[0] for i: i > 0'
meant() { # function, formula
  expect 1 "$ASSAY" check "$wrong:$1" -e "$2"
  has out 'refuted'
}
meant largest 'result = max(x)'       # begins with 0
meant half_sum 'result = sum(x) // 2' # divides each
meant mean 'result = mean(x)'         # leaves the last one out
meant scale 'y = minimum(2 * x, 255)' # wraps at a byte
meant average 'result = mean(x)'      # divides integers
meant transposed 'y = A @ x'          # takes the wrong index
meant dot 'result = sum(x * y)'       # = in place of +=
expect 1 "$ASSAY" check "$wrong:unnamed" "$wrong:named" # another value where an element is 32
expect 2 "$ASSAY" check "$wrong:upwards" "$wrong:downwards" # what both need leaves n = 0 alone
has out 'one value alone'
# --- functions of which only the arguments are known
cat >opaque.cc <<'END'
float root(float x) { return x * 0.5f; }
float act(float); float act(int);
float part(const float *x);
void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = root(x[i]) + root(2); }
void g(float *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = root(2) + root(x[i]); }
void h(float *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = root(x[i] + 2); }
float two(float x) { return act(x) + act(1); }
float sum(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += part(x); return s; }
END
expect 0 "$ASSAY" lift opaque.cc:f
has out '0.5 * x'
expect 0 "$ASSAY" lift opaque.cc:f --opaque root --emit numpy
has out 'def f(*, x, root):'
expect 0 "$ASSAY" check opaque.cc:f opaque.cc:g --opaque root
expect 1 "$ASSAY" check opaque.cc:f opaque.cc:h --opaque root # root may be any function
has out 'root(2) = '
expect 3 "$ASSAY" lift opaque.cc:two
has err 'two unknown functions with the name act'
expect 3 "$ASSAY" lift opaque.cc:sum --opaque part
has err 'part as an unknown function'
# --- fields of a literal length
cat >fields.c <<'END'
typedef struct { float x[3]; float m; } Body;
void within(Body *b, int n) { for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) b[i].x[k] = 0; }
void over(Body *b, int n) { for (int i = 0; i < n; i++) for (int k = 0; k <= 3; k++) b[i].x[k] = 0; }
float sum4(const float *x) { float a[4], s = 0; for (int k = 0; k < 4; k++) a[k] = x[k]; for (int k = 0; k < 4; k++) s += a[k]; return s; }
float sum5(const float *x) { float a[4], s = 0; for (int k = 0; k < 4; k++) a[k] = x[k]; for (int k = 0; k <= 4; k++) s += a[k]; return s; }
END
for function in within sum4; do expect 0 "$ASSAY" lift fields.c:$function; done
for function in over sum5; do
  expect 1 "$ASSAY" lift fields.c:$function
  has out 'bounds refuted: it does not hold that'
done
# --- memory is used while it is held
cat >memory.c <<'END'
#include <stdlib.h>
#define FILLED(p) float *p = malloc(n * sizeof *p); for (int i = 0; i < n; i++) p[i] = x[i]; float s = 0
float after(const float *x, int n) { FILLED(p); free(p); for (int i = 0; i < n; i++) s += p[i]; return s; }
float maybe(const float *x, int n, int c) { FILLED(p); if (c) free(p); for (int i = 0; i < n; i++) s += p[i]; return s; }
float early(const float *x, int n, int c) { FILLED(p); if (c > 3) { free(p); return 0; } for (int i = 0; i < n; i++) s += p[i]; free(p); return s; }
float twice(const float *x, int n) { FILLED(p); s = p[0]; free(p); free(p); return s; }
static void done(float *q) { free(q); }
float helper(const float *x, int n) { FILLED(p); done(p); return s + p[0]; }
float behind(const float *x, int n) { FILLED(p); float *q = p + 1; s = *q; free(p); return s + q[0]; }
void given(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; free(x); }
float *out(const float *x, int n) { FILLED(p); return p; }
float unset(int n) { float *p = malloc(n * sizeof *p), s = 0; for (int i = 0; i < n; i++) s += p[i]; free(p); return s; }
END
for function in after twice helper behind; do
  expect 3 "$ASSAY" lift memory.c:$function
  has err 'is used where it has been freed'
done
expect 3 "$ASSAY" lift memory.c:given
expect 3 "$ASSAY" lift memory.c:out
has err "memory of the function's own that is returned"
expect 1 "$ASSAY" lift memory.c:unset
expect 0 "$ASSAY" lift memory.c:maybe
has out 'c == 0: p is not freed'
expect 0 "$ASSAY" lift memory.c:early
has out 'where(c >= 4, 0, sum(x))'
hasnt out 'freed'
# --- void pointers, what prints, what ends the program, what another file does
cat >calls.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void note(const char *why, int code);
double scaled(const void *alpha, const void *x, int n) {
  const double a = ((const double *)alpha)[0];
  double s = 0;
  for (int i = 0; i < n; i++) s += a * ((const double *)x)[2 * i];
  return s;
}
int checked(const int *x, int n) {
  int s = 0;
  if (n > 100) { fprintf(stderr, "too many: %d\n", n); exit(1); }
  for (int i = 0; i < n; i++) { s += x[i]; printf("%d\n", s); }
  if (s < 0) note("negative", s);
  return s;
}
int both(const void *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += ((const char *)x)[i] + ((const int *)x)[i]; return s; }
int counted(const int *x, int n) { int s = 0, c = 0; for (int i = 0; i < n; i++) { s += x[i]; printf("%d\n", c++); } return s + c; }
void given(int *y, const int *x, int n) { if (!x || y == NULL) return; for (int i = 0; i < n; i++) y[i] = x[i]; }
END
expect 0 "$ASSAY" check calls.c:scaled -e 'result = alpha * sum(x[::2])'
expect 0 "$ASSAY" lift calls.c:checked
has out 'result = sum(x)'
has out 'n <= 100: not (n > 100)'
has out 'note changes nothing that is used here'
expect 3 "$ASSAY" lift calls.c:both
expect 0 "$ASSAY" lift calls.c:counted
has out 'sum(x) + n'
expect 0 "$ASSAY" lift calls.c:given
has out 'x is not NULL'
has out 'y is not NULL'
# Calls that are not read are never left out.
printf 'void other(int *);\nint after(int *a) { other(a); return a[0]; }\n' >other.c
expect 3 "$ASSAY" lift other.c:after
has err 'a call of other is not read yet'
# The division of C is a truncated quotient, also where its dividend is a sum or the sides of the choice are swapped.
cat >divide.c <<'END'
void quotient(int n, const int *a, const int *b, int *y) { for (int i = 0; i < n; i++) y[i] = a[i] / b[i]; }
void rest(int n, const int *a, const int *b, int *y) { for (int i = 0; i < n; i++) y[i] = a[i] % b[i]; }
void shifted(int n, const int *a, int *y) { for (int i = 0; i < n; i++) y[i] = (a[i] + 7) / 3 - a[i] / 5; }
int mean(int n, const int *a) { int s = 0; for (int i = 0; i < n; i++) s += a[i] / 2; return s / n; }
END
expect 0 "$ASSAY" lift divide.c:quotient
has out 'y[n] = trunc(a / b)'
expect 0 "$ASSAY" lift divide.c:rest
has out 'y[n] = a - trunc(a / b) * b'
expect 0 "$ASSAY" lift divide.c:shifted
has out 'y[n] = trunc((a + 7) / 3) - trunc(a / 5)'
expect 0 "$ASSAY" lift divide.c:mean
has out 'result = trunc(sum(trunc(a / 2)) / n)'
expect 0 "$ASSAY" check divide.c:quotient -e 'y = trunc(a / b)'
expect 1 "$ASSAY" check divide.c:quotient -e 'y = a // b'
expect 0 "$ASSAY" check divide.c:rest -e 'y = a - b * trunc(a / b)'
expect 1 "$ASSAY" check divide.c:rest -e 'y = a % b'
expect 1 "$ASSAY" check divide.c:shifted -e 'y = trunc((a + 8) / 3) - trunc(a / 5)'
expect 1 "$ASSAY" check divide.c:mean -e 'result = trunc(sum(a) / (2 * n))'
# A loop of a fixed number of steps may need an argument to be 1 at most: that is a precondition, and no fault.
cat >offset.cc <<'END'
#include <array>
#include <vector>
void window(int k, const std::array<int, 8> &w, int *y) { for (int i = 0; i < 7; i++) y[i] = w[i + k]; }
int doubled(const std::vector<int> &w) { int s = 0; for (int i = 0; i < w.size(); i++) s += w[2 * i]; return s; }
END
expect 0 "$ASSAY" lift offset.cc:window
has out 'k <= 1: i + k is an index of w'
expect 1 "$ASSAY" lift offset.cc:doubled
has out 'bounds refuted: it does not hold that'
# Of two stores that meet: quotients in the place that are not whole are no rows.
cat >halves.c <<'END'
void both(int n, int m, int *p) { for (int i = 0; i < m; i++) { p[i + (n + 1) / 2] = i; p[i + 1 + (n + 1) / 2] = -i; } }
void last(int n, int m, int *p) { for (int i = 0; i < m; i++) p[i + (n + 1) / 2] = i; p[m + (n + 1) / 2] = 1 - m; }
void wrong(int n, int m, int *p) { for (int i = 0; i < m; i++) p[i + (n + 1) / 2] = i; p[m + (n + 1) / 2] = -m; }
END
expect 0 "$ASSAY" check halves.c:both halves.c:last
expect 1 "$ASSAY" check halves.c:both halves.c:wrong
# What has no sign is no number below 0 where it bounds, starts or ends a loop.
cat >sign.cc <<'END'
#include <vector>
using std::vector;
int before(const vector<int> &v) { int c = 0; for (int i = -1; i < v.size(); i++) c++; return c; }
int none(const vector<int> &v) { return 0; }
int one_more(const vector<int> &v) { return v.size() + 1; }
int from(const vector<int> &v, int k) { int c = 0; for (int i = k; i < v.size(); i++) c++; return c; }
int numbers(const vector<int> &v, int k) { int n = v.size(); return k < n ? n - k : 0; }
int large(const vector<int> &v, int k) { int n = v.size(); return k < 0 ? 0 : k < n ? n - k : 0; }
size_t tail(size_t n) { size_t c = 0; for (size_t i = n - 3; i < n; i++) c++; return c; }
size_t three(size_t n) { return 3; }
size_t three_or_none(size_t n) { return n >= 3 ? 3 : 0; }
int shifted(const vector<int> &v) { int s = 0; for (size_t i = 0; i < v.size() - 3; i++) s += v[i + 3]; return s; }
int guarded(const vector<int> &v) {
  int s = 0;
  if (v.size() >= 3) for (size_t i = 0; i < v.size() - 3; i++) s += v[i + 3];
  return s;
}
int endless(const vector<int> &v) { int s = 0; for (size_t i = v.size() - 1; i >= 0; i--) s += v[i]; return s; }
int down(const vector<int> &v) { int s = 0; for (size_t i = v.size() - 1; i > 0; i--) s += v[i]; return s; }
int signs(const vector<int> &v) { int s = 0; for (int i = v.size() - 1; i >= 0; i--) s += v[i]; return s; }
int shorter(const vector<int> &v) { vector<int> w(v.size() - 3); return w.size(); }
int resized(const vector<int> &v, int k) { vector<int> w; if (k <= 9) w.resize(9 - k); return w.size(); }
int above(size_t n, size_t k) { int c = 0; for (size_t i = n; i >= k; i--) c++; return c; }
int pairs(size_t n) { int c = 0; for (size_t i = n; i > 0; i -= 2) c++; return c; }
END
expect 0 "$ASSAY" check sign.cc:before sign.cc:none
expect 1 "$ASSAY" check sign.cc:before sign.cc:one_more
expect 1 "$ASSAY" check sign.cc:from sign.cc:numbers
expect 0 "$ASSAY" check sign.cc:from sign.cc:large
expect 1 "$ASSAY" check sign.cc:tail sign.cc:three
expect 0 "$ASSAY" check sign.cc:tail sign.cc:three_or_none
expect 0 "$ASSAY" lift sign.cc:shifted
has out 'v_d0 >= 3: the bound of the loop, which has no sign, does not wrap'
expect 0 "$ASSAY" lift sign.cc:guarded
hasnt out 'does not wrap'
expect 1 "$ASSAY" lift sign.cc:endless
has out 'bounds refuted: it does not hold that the counter of the loop, which has no sign, does not wrap'
for own in down signs; do
  expect 0 "$ASSAY" lift "sign.cc:$own"
  hasnt out 'no sign'
done
expect 0 "$ASSAY" lift sign.cc:above
has out 'k > 0: the counter of the loop, which has no sign, does not wrap'
expect 0 "$ASSAY" lift sign.cc:shorter
has out 'v_d0 >= 3: a vector has a length that is not below 0'
expect 0 "$ASSAY" lift sign.cc:resized
hasnt out 'below 0'
expect 0 "$ASSAY" lift sign.cc:pairs
has out '>= 0: the counter of the loop, which has no sign, does not wrap'
# The step behind the last iteration fits the type of the counter, or the loop does not end: i <= n where n is the
# greatest number, a bound of a wider type, a step of more than one.
cat >narrow.cc <<'END'
#include <vector>
#include <stdint.h>
void equal(float *x, int8_t n) { for (int8_t i = 0; i <= n; i++) x[i] = 1; }
void below(float *x, int8_t n) { for (int8_t i = 0; i < n; i++) x[i] = 1; }
void wider(float *x, int n) { for (int8_t i = 0; i < n; i++) x[i] = 1; }
void twice(float *x, int8_t n) { for (int8_t i = 0; i < n; i += 2) x[i] = 1; }
void down(float *x, int8_t n) { for (int8_t i = 127; i >= n; i--) x[i] = 1; }
void byte(float *x, uint8_t n) { for (uint8_t i = 0; i <= n; i++) x[i] = 1; }
void plain(float *x, int n) { for (int i = 0; i <= n; i++) x[i] = 1; }
void natural(float *x, unsigned n) { for (unsigned i = 0; i <= n; i++) x[i] = 1; }
void length(std::vector<float> &x) { for (int i = 0; i < x.size(); i++) x[i] = 1; }
void ahead(float *x, int n) { for (int i = 0; i + 3 <= n; i++) x[i] = 1; }
void all(float *x) { for (int8_t i = 0; i <= 127; i++) x[i] = 1; }
void bytes(float *x) { for (uint8_t i = 0; i < 256; i++) x[i] = 1; }
void most(float *x) { for (uint8_t i = 0; i < 255; i++) x[i] = 1; }
void back(float *x) { for (uint8_t i = 9; i >= 0; i--) x[i] = 1; }
void left(float *x, int8_t n) { for (int8_t i = 0; i <= n; i++) { if (i == 100) break; x[i] = 1; } }
void pairs(float *x, uint8_t n) { for (uint8_t i = 0; i < n; i += 2) x[i] = 1; }
void mixed(float *x, uint8_t n) { for (int8_t i = 0; i < n; i++) x[i] = 1; }
void converted(float *x, int n) { for (unsigned i = 0; i <= n; i++) x[i] = 1; }
int above(uint8_t n) { int c = 0; for (uint8_t i = 0; i < n; i++) c += i >= 128; return c; }
END
while read -r own condition; do
  expect 0 "$ASSAY" lift "narrow.cc:$own"
  has out "$condition: the counter of the loop fits"
done <<'END'
equal n <= 126
wider n <= 127
twice -n // 2 + 63 >= 0
down n + 127 >= 0
byte n <= 254
plain n <= 2147483646
natural n <= 4294967294
length x_d0 <= 2147483647
ahead n <= 2147483646
pairs -n // 2 + 127 >= 0
mixed n <= 127
END
expect 2 "$ASSAY" lift narrow.cc:converted # an n below 0 is 2^32 - 1 elements
has out 'where(n < 0, n + 4294967296, n) <= 4294967294: the counter of the loop fits'
has out 'x would need where(n < 0, n + 4294967296, n) + 1 elements along axis 0'
for own in below most; do
  expect 0 "$ASSAY" lift "narrow.cc:$own"
  hasnt out 'the counter of the loop fits'
done
for own in all bytes back; do
  expect 1 "$ASSAY" lift "narrow.cc:$own"
  has out 'bounds refuted: it does not hold that the counter of the loop fits'
done
expect 2 "$ASSAY" lift narrow.cc:left
expect 0 "$ASSAY" check narrow.cc:above -e 'result = maximum(n - 128, 0)'
# What the right side of && and || does is done where it is executed.
cat >effect.cc <<'END'
#include <vector>
int both(int n) { std::vector<int> v; bool t = n > 0 && (v.push_back(3), true); return t + v.size(); }
int either(int n) { std::vector<int> v; bool t = n > 0 || (v.push_back(3), true); return t + v.size(); }
END
expect 0 "$ASSAY" check effect.cc:both -e 'result = where(n > 0, 2, 0)'
expect 1 "$ASSAY" check effect.cc:both -e 'result = where(n > 0, 2, 1)'
expect 0 "$ASSAY" check effect.cc:either -e 'result = where(n > 0, 1, 2)'
expect 1 "$ASSAY" check effect.cc:either -e 'result = 2'
# What a conversion does to a counter is done: in bounds, conditions, indices, steps.
cat >casts.c <<'END'
#include <stddef.h>
#include <stdint.h>
int inner(int n) { int s = 0; for (int8_t i = -5; i < n; i++) for (int j = 0; j < (uint8_t)i; j++) s++; return s; }
int without_sign(int n) { int s = 0; for (int i = -5; i < n; i++) for (long j = 0; j < 10 && j < (unsigned)i; j++) s++; return s; }
long summed(int n) { long s = 0; for (int i = -5; i < n; i++) s += (long)(unsigned)i; return s; }
int least(int n, int64_t m) { int s = 0; for (int i = -5; i < n; i++) s += (unsigned)i < m; return s; }
void places(int *t) { for (int8_t q = -128; q < 127; q++) t[(uint8_t)q] = q; }
int ends(void) { int c = 0; for (int i = 200; (int8_t)i < 0; i++) c++; return c; }
int shifted(void) { int c = 0; for (int i = 250; (int8_t)(i + 3) < 0; i++) c++; return c; }
int down(int n) { int c = 0; for (int i = n; (uint8_t)i > 3; i--) c++; return c; }
int narrow(uint8_t n) { int c = 0; for (uint8_t i = n; (int8_t)i > 0; i--) c++; return c; }
int wraps(int n) { int c = 0; for (int i = 0; i < n; i = (uint8_t)(i + 1)) { c++; if (c > 1000) break; } return c; }
int kept(int n) { int c = 0; for (int i = 0; (size_t)i < (size_t)n; i++) c++; return c; }
END
expect 0 "$ASSAY" check casts.c:inner -e 'result = sum(concat(index(5) + 251, index(n), axis=0))'
expect 1 "$ASSAY" check casts.c:inner -e 'result = sum(maximum(index(n + 5) - 5, 0))'
expect 0 "$ASSAY" check casts.c:without_sign -e 'result = 50 + sum(minimum(index(n), 10))'
expect 0 "$ASSAY" check casts.c:summed -e 'result = sum(concat(index(5) + 4294967291, index(n), axis=0))'
expect 1 "$ASSAY" check casts.c:least -e 'result = minimum(n + 5, m + 5)'
expect_answer "$ASSAY" lift casts.c:places
hasnt out 'bounds refuted'
for own in ends=56 shifted=3; do
  expect 0 "$ASSAY" check "casts.c:${own%=*}" -e "result = ${own#*=}"
done
expect 1 "$ASSAY" check casts.c:down -e 'result = maximum(n - 3, 0)'
"$ASSAY" check casts.c:narrow -e 'result = n' >out 2>err && fail "a counter that is negative in the condition"
expect 0 "$ASSAY" lift casts.c:wraps
expect 0 "$ASSAY" check casts.c:kept -e 'result = n'
# So is one that is a quotient, a remainder or a choice of numbers that have one.
cat >parts.c <<'END'
#include <stddef.h>
void half(float *x, short n) { for (size_t i = 1; i <= n / 2; i += 4) x[i] += 1; }
void rest(float *x, int n) { for (size_t i = 0; i < n % 7; i++) x[i] += 1; }
void either(float *x, int n, int b) { for (size_t i = 0; i < (b ? n : 3); i++) x[i] += 1; }
void low(float *x, int n) { for (size_t i = 0; i < (n & 7); i++) x[i] += 1; }
void most(float *x, int n) { for (size_t i = 0; i < (n > 3 ? n : 3); i++) x[i] += 1; }
END
for own in half rest either; do
  expect 0 "$ASSAY" lift "parts.c:$own"
  has out 'the bound of the loop, which has no sign, does not wrap'
done
for own in low most; do
  expect 0 "$ASSAY" lift "parts.c:$own"
  hasnt out 'does not wrap'
done
# A bound that has no sign and was made of one that has is not below 0; nor is a size of the upper half told apart.
cat >halves.c <<'END'
#include <stddef.h>
int downwards(int n) { int c = 0; for (size_t i = 10; i > (long)n; i--) c++; return c; }
void one_more(float *x, int n) { for (size_t i = 0; i < n + 1; i++) x[i] = 1; }
void both(float *x, int n, int m) { for (size_t i = 0; i < n + m; i++) x[i] = 1; }
int half(int *x, unsigned n) { if ((int)n < 0) return -1; for (unsigned i = 0; i < n; i++) x[i] = 1; return 0; }
int steps(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i += 65536) s++; return s > 32768; }
END
for own in 'downwards|n >= 0' 'one_more|n + 1 >= 0' 'both|m + n >= 0' 'half|n <= 2147483647' 'steps|n <= 2147483647'; do
  expect 0 "$ASSAY" lift "halves.c:${own%|*}"
  has out "${own#*|}: "
done
# A number over 0 is an infinity or a NaN, by the signs of both: nothing is shown of it.
cat >over.c <<'END'
#include <math.h>
void over(int n, const double *x, double *y) { for (int i = 0; i < n; i++) { double s = 0; y[i] = x[i] / s; } }
void turned(int n, const double *x, double *y) { for (int i = 0; i < n; i++) { double s = 0; y[i] = -x[i] / s; } }
void most(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = fmax(x[i] / (x[i] - x[i]), 1); }
void tiny(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[i] + 1e-18 == x[i]; }
END
expect 1 "$ASSAY" check over.c:over over.c:turned
has out "unknown: y: not shown for all sizes"
expect 2 "$ASSAY" check over.c:most -e 'y = 1 + 0 * x'
hasnt out 'a fault of assay'
# Nothing is claimed of a NaN that an operation makes, nor of what passes over it; of one that is written all is.
cat >nan.cc <<'END'
#include <algorithm>
#include <cmath>
double quotient(int n, const double *x) { double z = 0, m = z / z; for (int i = 0; i < n; i++) m = fmax(m, x[i]); return m; }
double literal(int n, const double *x) { double m = 0.0 / 0.0; for (int i = 0; i < n; i++) m = fmax(m, x[i]); return m; }
void difference(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = fmin(INFINITY - INFINITY, x[i]); }
void power(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = fmax(std::pow((double)NAN, 0.0), x[i]); }
void chosen(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) { double s = x[i] > 0 ? INFINITY : 0.0; y[i] = fmax(1 / s, 9); }
}
void decides(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) { double s = x[i] == 0 ? INFINITY : 0.0; y[i] = 1 / s > 3 ? 1 : 2; }
}
int counted(int n, const double *x) {
  int c = 0;
  for (int i = 0; i < n; i++) { double s = x[i] < 0 ? 0.0 : INFINITY; if (std::isnan(1.0 / s)) c++; }
  return c;
}
void first(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = std::max((double)NAN, x[i]); }
void second(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = std::max(x[i], (double)NAN); }
END
for own in quotient difference power chosen decides counted; do
  expect 2 "$ASSAY" lift "nan.cc:$own"
  has out 'safety      unknown'
  hasnt out 'a fault of assay'
done
expect 0 "$ASSAY" check nan.cc:literal -e 'result = max(x, axis=0)'
expect 1 "$ASSAY" lift nan.cc:first
has out 'y[i] = nan'
expect 0 "$ASSAY" check nan.cc:second -e 'y = x'
expect 2 "$ASSAY" lift over.c:tiny
has out '[rounding]'
# How long a row is, that it is there, and which one it is.
cat >pointers.c <<'END'
#include <stddef.h>
void around(int **a, int **b, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[i][j] = a[(i + 1) % n][(j + m - 1) % m];
}
int quarters(int **a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i][i & 3]; return s; }
int present(float **a, int n) { int c = 0; for (int i = 0; i < n; i++) if (a[i]) c++; return c; }
void skips(float **a, int n, int m) { for (int i = 0; i < n; i++) { if (a[i] == NULL) continue; for (int j = 0; j < m; j++) a[i][j] = 1; } }
static float *row(float **a, int i) { return a[i]; }
void given(float **a, int n) { float *p = row(a, 2); for (int i = 0; i < n; i++) p[i] = i; }
void either(float **a, float **b, int n) { for (int i = 0; i < n; i++) { float *p = i % 2 ? a[i] : b[i]; p[0] = 1; } }
END
expect 0 "$ASSAY" lift pointers.c:around
has out 'm <= a_d1: (j + m - 1) % m is an index of a[(i + 1) % n]'
expect 0 "$ASSAY" lift pointers.c:quarters
has out 'a_d1 >= 4: i & 3 is an index of a[i]'
for own in present skips; do
  expect 0 "$ASSAY" lift "pointers.c:$own"
  has out 'a[i] is not NULL'
done
expect 3 "$ASSAY" lift pointers.c:given
has err 'a value of type float **'
expect 3 "$ASSAY" lift pointers.c:either
has err 'a value of type float **'
# An index is called as no argument is.
cat >named.c <<'END'
void column_of(int n, int m, int a[n][m], int i) { for (int k = 0; k < n; k++) a[k][i] = k; }
END
expect 0 "$ASSAY" lift named.c:column_of --json
has out '"a[i_, j] = i_ for i == j"'
# A store whose place does not tell the iteration is made where the loop runs at all.
cat >place.c <<'END'
int leaves(int *x, int n, int m) { for (int i = 0; i < n; i++) { if (i == m) return 0; x[0] = 7; } return 0; }
int second(int *x, int n, int m) { for (int i = 0; i < n && i != m; i++) x[1] = 7; return 0; }
int bits(int *x, int m) { for (int i = 0; i < (m & 3); i++) x[0] = 7; return 0; }
int reads(int *x, const int *y, int n) { for (int i = 0; i < n; i++) { if (y[i] > 4) break; x[0] = 7; } return 0; }
END
for own in leaves second bits reads; do
  expect 0 "$ASSAY" lift "place.c:$own"
  has out 'verdict     proved'
done
expect 0 "$ASSAY" lift place.c:bits
has out 'x = 7 for 4*(m // 4) < m'
# A search from behind reads below its argument; long double is summed in long double.
expect 0 "$ASSAY" lift "$SOURCE/tests/loops/floats.c:last_equal"
has out 'n <= x_d0'
expect 0 "$ASSAY" lift --emit c "$SOURCE/tests/loops/floats.c:long_sum_of_roots"
has out 'long double sum'
# A sum that wraps, in some steps only too, is what the whole sum wraps to; where it begins outside of the range, or wraps
# in two ways, it is not.
cat >wraps.c <<'END'
int f(const int *x, int n) { signed char s = 0; for (int i = 0; i < n; i++) if (x[i] > 3) s++; return s; }
int g(const int *x, int n) { unsigned char s = 0; for (int i = 0; i < n; i++) if (x[i] > 3) s++; return s; }
int above(const int *x, int n) { int s = 300; for (int i = 0; i < n; i++) if (x[i] > 3) s = (s + 1) % 256; return s; }
int two(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) if (x[i] > 3) s = (s + 1) % 256; else s = (s + 1) % 128;
  return s;
}
END
expect 0 "$ASSAY" lift wraps.c:f
has out 'wrap8(sum(where(x >= 4, 1, 0)))'
expect 0 "$ASSAY" check wraps.c:g -e 'result = sum(where(x >= 4, 1, 0)) % 256'
expect 1 "$ASSAY" check wraps.c:f wraps.c:g
expect 1 "$ASSAY" check wraps.c:above -e 'result = (300 + sum(where(x >= 4, 1, 0))) % 256'
expect 1 "$ASSAY" check wraps.c:two -e 'result = sum(x * 0 + 1) % 256'
# What a loop relies on to end is said where it counts in memory too.
expect 0 "$ASSAY" lift "$SOURCE/tests/loops/own/scattered.c:byte_histogram"
has out 'n >= 0: the loop ends'
# One that stops before the last element is another function, on either side: memory is as long as either reads it.
cat >last.c <<'END'
float all(const float *v, int n) { float m = *v; for (int k = 1; k < n; k++) if (v[k] > m) m = v[k]; return m; }
float less(const float *v, int n) { float m = *v; for (int k = 1; k < n - 1; k++) if (v[k] > m) m = v[k]; return m; }
END
expect 1 "$ASSAY" check last.c:all last.c:less
expect 1 "$ASSAY" check last.c:less last.c:all
hasnt out 'nan'
# What is assumed of arithmetic reads memory place by place, also of rows.
cat >rows.cc <<'END'
#include <vector>
typedef std::vector<std::vector<int>> Rows;
Rows least(const Rows &b) {
  Rows out(b.size(), std::vector<int>(b[0].size()));
  for (size_t r = 0; r < b.size(); ++r)
    for (size_t c = 0; c < b[r].size(); ++c) out[r][c] = b[r][c] >= LEAST ? 2 * b[r][c] : b[r][c];
  return out;
}
END
sed 's/LEAST/16/' rows.cc >rows16.cc
sed 's/LEAST/17/' rows.cc >rows17.cc
expect 1 "$ASSAY" check rows16.cc rows17.cc
has out 'b[0, 0] = 16'
# The condition that ends a while loop is executed too, once more than the body: what it reads, divides and computes.
cat >ends.c <<'END'
int reads(void) { int t[8] = {0}, i = 0; while (t[i] == 0 && i < 8) i++; return i; }
int reads_less(void) { int t[8] = {0}, i = 0; while (i < 8 && t[i] == 0) i++; return i; }
int of_each(int n) {
  int t[9] = {0}, s = 0;
  for (int j = 0; j < 10; j++) { int i = 0; while (t[i] == 0 && i < j) i++; s += i; }
  return s;
}
int divides(int n) { int i = n, s = 0; while (s / i < 0 || i > 0) i--; return i; }
int computes(int n) { int i = 0; while (i * 1000 <= n) i++; return i; }
void counts(int *a, int n) { while (n-- > 0) a[n] = 0; }
void counts_down(int *a, unsigned n) { while (n--) a[n] = 0; }
END
for f in reads of_each; do
  expect 1 "$ASSAY" lift ends.c:$f
  has out 'bounds refuted'
done
expect 0 "$ASSAY" lift ends.c:reads_less
expect 0 "$ASSAY" lift ends.c:divides
has out 'n != max(0, n)'
expect 0 "$ASSAY" lift ends.c:computes
has out '1000*max(0, n // 1000 + 1) <= 2147483647'
expect 0 "$ASSAY" lift ends.c:counts
has out 'n - max(0, n) - 1 fits i32'
expect 0 "$ASSAY" lift ends.c:counts_down
hasnt out 'fits'
# A shift that is too far is undefined where a later condition passes over it, too.
cat >shifts.c <<'END'
int passed_over(void) { int s = 0; for (int i = 0; i < 40; i++) if ((1u << i) != 0 && i < 32) s++; return s; }
int asked_first(void) { int s = 0; for (int i = 0; i < 40; i++) if (i < 32 && (1u << i) != 0) s++; return s; }
int at_end(void) { int i = 0; while ((5u >> i) != 9 && i < 32) i++; return i; }
unsigned given(unsigned a, int s) { return a >> s; }
END
for f in passed_over at_end; do
  expect 1 "$ASSAY" lift shifts.c:$f
  has out 'i is at least 0 and less than 32'
done
expect 0 "$ASSAY" lift shifts.c:asked_first
expect 0 "$ASSAY" lift shifts.c:given
has out 's is at least 0 and less than 32'
# An array of a computed length has an element (C17 6.7.6.2, 5); memory that is asked for may be empty.
cat >lengths.c <<'END'
#include <stdlib.h>
void unused(int *y, int n) { int a[n]; y[0] = n; }
void rows(int *y, int n, int m) { int a[4][n - m]; y[0] = n; }
void asked_first(int *y, int n) { if (n > 2) { int a[n]; y[0] = a[1] = n; } else y[0] = 1; }
void empty(int *y) { int n = y[0] * 0, a[n]; y[0] = 1; }
void allocated(int *y, int n) { int *a = malloc(n * sizeof(int)); y[0] = n; free(a); }
END
expect 0 "$ASSAY" lift lengths.c:unused
has out 'n > 0: a has an element'
expect 0 "$ASSAY" lift lengths.c:rows
has out 'm < n: a has an element'
for f in asked_first allocated; do
  expect 0 "$ASSAY" lift lengths.c:$f
  hasnt out 'has an element'
done
expect 1 "$ASSAY" lift lengths.c:empty
has out 'a has an element'
# What a function returns has the shape that it is given there: rows that begin one element later are others.
cat >shapes.cc <<'END'
#include <vector>
using namespace std;
vector<vector<int>> whole(vector<vector<int>> a) {
  vector<vector<int>> o;
  for (int i = 0; i < a.size(); i++) {
    vector<int> r;
    for (int j = 0; j < a[0].size(); j++) r.push_back(a[i][j] + 1);
    o.push_back(r);
  }
  return o;
}
END
sed 's/j = 0/j = 1/' shapes.cc >later.cc
expect 1 "$ASSAY" check later.cc:whole shapes.cc:whole
has out 'refuted: result: the shapes differ'
hasnt out 'strides'
# A declared function may be any: two sides differ where some function tells them apart, which the witness has.
cat >unknown.c <<'END'
#include <assert.h>
int g(int);
double h(double);
void plus(const int *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + g(x[i]); }
void minus(const int *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] - g(x[i]); }
void square(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = h(x[i]) * h(x[i]) - 1; }
void factors(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = (h(x[i]) - 1) * (h(x[i]) + 1); }
void relies(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    assert(g(x[i]) > 4);
    y[i] = g(x[i]) > 4;
  }
}
void relies_on_less(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    assert(g(x[i]) > 4);
    y[i] = g(x[i]) > 5;
  }
}
void ones(const int *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }
END
expect 1 "$ASSAY" check unknown.c:plus unknown.c:minus
has out 'g(-4) = 4'
expect 0 "$ASSAY" check unknown.c:square unknown.c:factors
expect 0 "$ASSAY" check unknown.c:relies unknown.c:ones
expect 1 "$ASSAY" check unknown.c:relies_on_less unknown.c:ones
has out '= 5: 0 against 1'
finish
