#!/usr/bin/env bash
# A walk through the examples: what a new user sees first. No Python; nothing is written outside a temporary folder.
#
# Each step has the exit code that it must have; the demo fails if one differs.
set -uo pipefail
cd "$(dirname "$0")/.."
assay=$(realpath "${ASSAY:-build/assay}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

say() { printf '\n%s\n\n' "$*" | fold -sw 100; }

# CODE ARGUMENTS...: runs assay, and says when its exit code is another
step() {
  local wanted=$1
  shift
  echo "\$ assay $*"
  "$assay" "$@"
  local code=$?
  echo "(exit code $code)"
  [ "$code" = "$wanted" ] && return
  echo "the demo expected exit code $wanted" >&2
  failures=$((failures + 1))
}

say "1. What does this kernel compute? The input is what Triton's compiler left in its cache: the kernel of examples/kernels/softmax.py."
grep -E 'tt\.func|tt\.load|tt\.reduce"|math\.exp|tt\.store' examples/softmax.ttir | sed 's/ loc(.*//; s/^ */    /'
echo '    ...'
step 0 lift examples/softmax.ttir

say "2. The same function written for rows of any length: a loop with a running maximum and a sum that is rescaled. The loop is closed and proved by induction."
step 0 lift examples/softmax_online.ttir
say "What the loop carries, and the goals of its proof:"
"$assay" lift --explain examples/softmax_online.ttir | grep -E ':14: ' | sed 's/^ *\(steps\)\? */  /' | cut -c1-160

say "3. Do the two compute the same? (Yes; the second one's limit of 1024 columns is an assumption.)"
step 0 check examples/softmax_online.ttir examples/softmax.ttir

say "4. More kernels: layer norm with its statistics, GELU with a product, attention for all sequence lengths."
step 0 lift examples/layer_norm.ttir
step 0 lift examples/gelu_mul.ttir
step 0 lift examples/attention.ttir

say "5. Is it what PyTorch computes? The right side is read from the source of examples/references/operators.py, not run."
step 0 check examples/attention.ttir examples/references/operators.py:attention

say "6. A bug: a matmul without the mask of the last tile along K. The launch says how large the tensors are."
step 1 lift examples/k_tail_unmasked.launch.json

say "7. Another: a softmax that fills its row with 0 instead of -inf. It is a function, but not softmax."
step 1 check examples/softmax_padded_with_zero.ttir examples/references/operators.py:softmax

say "8. The formula as code: NumPy that computes the same."
"$assay" lift --emit numpy -o "$work/softmax.py" examples/softmax.ttir >/dev/null || failures=$((failures + 1))
sed 's/^/    /' "$work/softmax.py"

say "9. Labels are read from memory here: nothing says that they are in range, so safety is unknown until the launch tells."
step 2 lift examples/cross_entropy.ttir

say "10. All of it as a table; times appear only when asked for (--stats)."
"$assay" lift --all examples/*.ttir

if [ "$failures" != 0 ]; then
  echo "the demo failed: $failures steps" >&2
  exit 1
fi
