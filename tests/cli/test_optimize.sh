# assay optimize: options, exit codes, files, the same bytes each time; pruning finds what the unpruned search finds.
. "$SOURCE/tests/cli/common.sh"
formulas=$SOURCE/tests/optimize

expect() { # exit code, arguments
  wanted=$1
  shift
  "$ASSAY" optimize "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ $code = "$wanted" ] || { cat "$work/out" "$work/err"; fail "exit $code instead of $wanted: $*"; }
}

expect 64
expect 64 "$formulas/lora.formula" "$formulas/lora.formula"
expect 64 "$formulas/lora.formula" --target sm_75
expect 64 "$formulas/lora.formula" --emit cuda
expect 64 "$formulas/lora.formula" --shard 1/2
expect 3 -e 'tensor x: f32[n'
expect 3 -e 'y = x @ w'
expect 3 missing.formula
expect 0 -e "$(cat "$formulas/softmax_rows.formula")"
expect 0 "$SOURCE/examples/softmax.ttir"
expect 0 "$formulas/gated_mlp.graph"
grep -q '1 kernel  ' "$work/out" || fail "a graph as input"
expect 0 "$formulas/rms_matmul.formula" --set M=16 --set K=256 --set N=64 --emit graph,triton -o files --json
"$CHECK_JSON" <"$work/out" >/dev/null || fail "no JSON"
[ -f files/c1.graph.graph ] && ls files/*.triton.py >/dev/null || fail "no files"
grep -q '^tensor X: f16\[16, 256\]' files/c1.graph.graph || fail "--set: $(cat files/c1.graph.graph)"
cp "$work/out" first
expect 0 "$formulas/rms_matmul.formula" --set M=16 --set K=256 --set N=64 --emit graph,triton -o files --json
cmp -s "$work/out" first || fail "two runs differ"

# a Python function whose inputs have the shapes of --shape; candidates are compared with the function itself
expect 0 "$formulas/functions.py:gated" --shape x=M,K --shape w1=K,N --shape w2=K,N
grep -q '1 kernel  ' "$work/out" || fail "a function as input"
expect 0 "$formulas/functions.py:attention" --shape q=B,H,M,64 --shape k=B,H,M,64 --shape v=B,H,M,64 --top 1
grep -q '1 kernel  ' "$work/out" || fail "attention as input"
expect 64 "$formulas/functions.py:gated"

# what is not searched is said, and the exit code is that of no candidate
expect 2 -e 'formula f
tensor x: f32[n, m]
tensor y: f32[n, m]
size n: 1 <= n
size m: 1 <= m
y = cumsum(x, axis=1)'
grep -q 'not-searched' "$work/out" || fail "no reason: $(cat "$work/out")"

# the paper's Theorem 1 on small problems: pruning by expressions loses nothing that has no cancellation in it
graphs() { # problem, operations, flag; a line for each block
  expect 0 "$formulas/$1.formula" --max-kernel-ops 1 --max-block-ops "$2" --top 100 --emit graph ${3:-}
  sed -n '/^block/,/^end/p' "$work/out" | awk '{printf "%s;", $0} /^end/ {print ""}' | sort -u
}
for problem in 'normalize 4' 'softmax_rows 5'; do
  set -- $problem
  graphs "$1" "$2" >pruned
  graphs "$1" "$2" --no-expressions >unpruned
  [ -s pruned ] || fail "$1: nothing found"
  comm -23 pruned unpruned >lost
  [ -s lost ] && { cat lost; fail "$1: only the pruned search finds these"; }
  graphs "$1" "$2" --no-fingerprints >others
  cmp -s pruned others || { diff pruned others; fail "$1: without fingerprints"; }
done
graphs softmax_rows 5 --no-canonical | sort -u >others
[ -s others ] || fail "nothing found without canonical order"
finish
