# What is known of a function stands in its row of base/functions.def (ARCHITECTURE.md, recipes). Functions without laws
# of their own but in laws.def are named nowhere else, but in lists of what libraries have, and of what rewriting avoids.
. "$SOURCE/tests/cli/common.sh"

for name in asinh acosh asin acos; do
  grep -q "\"$name\"" "$SOURCE/src/base/functions.def" || fail "no row for $name"
  upper=$(echo "$name" | tr a-z A-Z)
  (cd "$SOURCE/src" && grep -rnE "(OP_MATH|FN|FLOAT)_$upper\\b|\"$name\"|OP\\(MATH_$upper\\b" . |
    grep -vE '^./(base/functions.def|reference/number.c|safety/preconditions.c)') >found && fail "$name is named again: $(cat found)"
done

# Every operation of Triton IR is read and printed in a golden test. Those of host languages and of MLIR have
# tests of their own.
{
  sed -n 's/^OP([A-Z0-9_]*, *"\([a-z0-9_.]*\)".*/\1/p' "$SOURCE/src/program/ops.def"
  sed -n 's/^FN([A-Z0-9_]*, .*[A-Z0-9], *"\([a-z0-9]*\)", *["0].*/math.\1/p' "$SOURCE/src/base/functions.def"
} | grep -vE '^(array\..*|ub\.unreachable)$' >operations
[ "$(wc -l <operations)" -gt 140 ] || fail "only $(wc -l <operations) operations were looked for"
for name in $(cat operations); do
  grep -qwF -- "$name" "$SOURCE"/tests/golden/read/*.test || fail "$name is in no test of tests/golden/read"
done

# The row alone makes it known to <math.h>, the IR, the executor and the interpreter.
cat >kernel.c <<'C'
#include <math.h>
void f(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = asinh(x[i]) + acosh(2 + fabs(x[i]));
}
C
if ! "$ASSAY" lift kernel.c >out 2>err && grep -q c.libclang err; then finish; fi
grep -q 'asinh(x) + acosh(' out || fail "no formula of asinh and acosh: $(cat out)"
finish
