# assay optimize: what searches list, merged parts of one, pictures; pruning finds what the unpruned search finds.
. "$SOURCE/tests/cli/common.sh"
. "$SOURCE/tests/cli/common_optimize.sh"

# parts of a search, merged in any order, give what one search gives; others are errors
for part in 0 1 2; do
  expect 0 "$formulas/rms_matmul.formula" --shard $part/3
  cp "$work/out" part$part.json
done
expect 0 "$formulas/rms_matmul.formula" --json
cp "$work/out" whole
expect 0 "$formulas/rms_matmul.formula" --json --merge part2.json part0.json --merge part1.json
cmp -s "$work/out" whole || fail "merged parts differ from one search"
# so do several processes, which search and prove
for jobs in 2 5; do
  expect 0 "$formulas/rms_matmul.formula" --json --jobs $jobs
  cmp -s "$work/out" whole || fail "$jobs processes differ from one"
done
expect 3 "$formulas/rms_matmul.formula" --merge part2.json part0.json
expect 3 "$formulas/rms_matmul.formula" --merge part2.json part0.json part0.json
expect 3 "$formulas/gated_mlp.formula" --merge part2.json part0.json part1.json
sed 's/"bytes": [0-9]*/"bytes": "many"/' part1.json >broken.json
expect 3 "$formulas/rms_matmul.formula" --merge part2.json part0.json broken.json
grep -q '^broken.json:[0-9]*:[0-9]*: error' "$work/err" || fail "no place: $(cat "$work/err")"
# parts are not believed: a candidate that computes something else is not listed
sed 's/sum(x_tile @ w)/sum(2 * x_tile @ w)/' part0.json >lying.json
cmp -s part0.json lying.json && fail "nothing to change in part 0: $(cat part0.json)"
expect 0 "$formulas/rms_matmul.formula" --merge part2.json lying.json part1.json --emit graph
grep -q '2 \* x_tile' "$work/out" && fail "a wrong candidate of a part is listed"

# a picture: a box for each tensor and kernel, and what the lines say
expect 0 "$formulas/rms_matmul.formula" --emit svg --top 1 -o pictures
grep -q '<svg xmlns' pictures/c1.svg.svg && grep -q 'accumulate sum' pictures/*.svg.svg || fail "no picture"

# a Python function whose inputs have the shapes of --shape; candidates are compared with the function itself
expect 0 "$formulas/functions.py:gated" --shape x=M,K --shape w1=K,N --shape w2=K,N
grep -q '1 kernel  ' "$work/out" || fail "a function as input"
expect 0 "$formulas/functions.py:attention" --shape q=B,H,M,64 --shape k=B,H,M,64 --shape v=B,H,M,64 --top 1 --emit svg -o attention
grep -q '1 kernel  ' "$work/out" || fail "attention as input"
cmp -s attention/c1.svg.svg "$SOURCE/docs/attention.svg" || fail "docs/attention.svg is not the picture that is drawn now"
expect 64 "$formulas/functions.py:gated"
# numbers of f64 that meet in one fraction are longer than 127 bits: that attempt ends, not the proof
set -- --shape p=N --shape g=N --shape m=N --shape v=N
expect 0 "$formulas/functions.py:adamw" "$@" --top 1 --emit graph -o adamw
grep -q '1 kernel .* proved ' "$work/out" || fail "adamw: $(cat "$work/out")"
sed 's/1e-08/2e-08/' adamw/c1.graph.graph >wrong.graph
"$ASSAY" check wrong.graph "$formulas/functions.py:adamw" "$@" >"$work/out"
[ $? = 1 ] || fail "another eps is not refuted: $(cat "$work/out")"

# rows of an array meet its rows: a program in parts, each proved; with a norm that may divide by 0 its parts are not
expect 0 "$formulas/two_sides.formula" --emit graph -o parts
grep -q '2 kernels .* proved ' "$work/out" || fail "no program in parts: $(cat "$work/out")"
grep -q '^temporary T[0-9]*: f32\[M, 16\]' parts/c1.graph.graph || fail "no temporary: $(cat parts/c1.graph.graph)"
"$ASSAY" check parts/c1.graph.graph "$formulas/two_sides.formula" >"$work/out" || fail "$(cat "$work/out")"
sed 's/x_tile @ b/x_tile @ (2 * b)/' parts/c1.graph.graph >wrong.graph
"$ASSAY" check wrong.graph "$formulas/two_sides.formula" >"$work/out"
[ $? = 1 ] || fail "a wrong part is not refuted: $(cat "$work/out")"
sed 's/ + 0.00001//' "$formulas/two_sides.formula" >partial.formula
expect 2 partial.formula
expect 2 "$formulas/two_sides.formula" --max-kernel-ops 1

# its parts are searched and proved by processes alike, down to what was counted
for jobs in 1 2 5; do
  expect 0 "$formulas/two_sides.formula" --json --stats --jobs $jobs
  grep -q '"search.states": [1-9]' "$work/out" || fail "nothing is counted: $(cat "$work/out")"
  sed 's/"time[^,}]*//g' "$work/out" >jobs$jobs
  cmp -s jobs1 jobs$jobs || fail "$jobs processes differ from one"
done
# parts of its search have nothing of it, and merge to the whole
for part in 0 1; do
  expect 0 "$formulas/two_sides.formula" --shard $part/2
  cp "$work/out" sides$part.json
done
expect 0 "$formulas/two_sides.formula" --json
cp "$work/out" whole
expect 0 "$formulas/two_sides.formula" --json --merge sides1.json sides0.json
cmp -s "$work/out" whole || fail "merged parts of a program in parts differ from one search"
expect 3 "$formulas/two_sides.formula" --merge sides1.json

# outputs that are copies, of an input or of one another, have a graph
for outputs in 'Y = X' 'Y = transpose(X, 1, 0)' 'Y = X + 1
Z = X + 1' 'Y = X
Z = X * X
V = transpose(X, 1, 0)'; do
  expect 0 -e "formula copies
tensor X: f32[M, K]
size M: 1 <= M
size K: 1 <= K
$outputs" --json
  grep -q '"verdict": "proved"' "$work/out" || fail "$outputs: $(cat "$work/out")"
done
expect 3 -e 'Y = X'
grep -q '^-e:1:1: error' "$work/err" || fail "no place: $(cat "$work/err")"

# a program in parts is one module
expect 0 "$formulas/two_sides.formula" --emit triton -o parts
[ -f parts/c1.triton.py ] || fail "no module of two kernels: $(cat "$work/err")"

# formulas of more operations than are searched are written in their own order; masks are joined and denied
written() { # name, flags; what is found in one kernel is proved, and with one thing changed (a line of sed) is refuted
  name=$1 mutation=$2
  shift 2
  expect 0 "$formulas/functions.py:$name" "$@" --max-kernel-ops 1 --emit graph -o "$name"
  sed -n 's/^ *\(found\)* *\([0-9]*\)  1 kernel .* blocks, .*/\2/p' "$work/out" | head -1 >rank
  [ -s rank ] || fail "$name: $(cat "$work/out")"
  sed "$mutation" "$name/c$(cat rank).graph.graph" >wrong.graph
  cmp -s wrong.graph "$name/c$(cat rank).graph.graph" && fail "'$mutation' changes nothing: $(cat wrong.graph)"
  "$ASSAY" check wrong.graph "$formulas/functions.py:$name" "$@" >"$work/out" 2>"$work/err"
  [ $? = 1 ] || fail "$name with $mutation is not refuted: $(cat "$work/out" "$work/err")"
}
written kept 's/[&] (~(/| (~(/' --shape x=M,N --shape mask=M,N --shape other=M,N
grep -q ' tile_mask = load mask' kept/*.graph || fail "a tile named as lanes are"
# slices of an axis whose length is assumed; shapes that do not fit are named at their place
written neighbours 's/y + 2/y + 1/' --shape x=M,N
grep -q 'grid .* = (N - 2) / ' neighbours/*.graph || fail "no sum is cut"
printf 'def misfit(x):\n    return x[:, 1:-1] + x[:, 3:]\n' >misfit.py
expect 3 misfit.py:misfit --shape x=M,N
grep -q '^misfit.py:2:12: .*do not fit: N - 2 is not seen to be N - min(3, N)' "$work/err" || fail "$(cat "$work/err")"
# a reshape is a view; rows repeated one by one are not the rows repeated as a whole
written repeated 's/M, 4, 64/4, M, 64/; s/x2, :, :\] \(+*=\) expand(acc, 1)/:, x2, :] \1 expand(acc, 0)/' --shape x=M,K --shape w=K,64
written gates 's/cos(/sin(/' --shape x=M,K --shape w=K,N --shape a=N --shape b=N --shape c=M,N --shape d=M,N
written long_attention 's/ - largest/ + largest/' --shape q=B,M,64 --shape k=B,S,64 --shape v=B,S,64 --shape gq=64 \
  --shape gk=64 --shape g=B,M,64
grep -q ', rescale=largest)' long_attention/*.graph || fail "no running maximum"

# what chooses between true and false is a condition, and its negation another one
written masked_attention 's/, 1) <= y/, 1) < y/' --shape q=B,M,64 --shape k=B,M,64 --shape v=B,M,64
grep -q ', rescale=largest)' masked_attention/*.graph || fail "no running maximum"

# where conditions decide alike at the few values that the search looks at, the formula in its own order is what is left
masked() { # expression, an edit of its graph that is wrong
  printf 'formula masked\ntensor x: f32[n, k]\ntensor m: i32[n, k]\ntensor g: i32[k]\n' >masked.formula
  printf 'tensor y: f32[n]\nsize n: 1 <= n\nsize k: 1 <= k\ny = %s\n' "$1" >>masked.formula
  rm -rf masked
  expect 0 masked.formula --emit graph -o masked
  rank=$(sed -n 's/^ *\(found\)* *\([0-9]*\)  1 kernel .* blocks, .*/\2/p' "$work/out" | head -1)
  [ -n "$rank" ] || fail "$1: $(cat "$work/out")"
  sed "$2" "masked/c$rank.graph.graph" >wrong.graph
  cmp -s wrong.graph "masked/c$rank.graph.graph" && fail "'$2' changes nothing: $(cat wrong.graph)"
  "$ASSAY" check wrong.graph masked.formula >"$work/out"
  [ $? = 1 ] || fail "$1 with $2 is not refuted: $(cat "$work/out")"
}
masked 'squeeze(max(where(~(m < 0), x, -inf), axis=1), 1)' 's/(m_tile < 0)/(m_tile <= 0)/'
masked 'squeeze(sum(where((m != 1) & ~(g == m) | (x == 0), x + 1, 2), axis=1), 1)' 's/ != 1/ == 1/'
masked 'squeeze(sum(exp(where((m == 1) | (g != 1), x, -inf)), axis=1), 1)' 's/ | / \& /'

# what is not searched is said, and the exit code is that of no candidate
expect 2 -e 'formula f
tensor x: f32[n, m]
tensor y: f32[n, m]
size n: 1 <= n
size m: 1 <= m
y = cumsum(x, axis=1)'
grep -q 'not-searched' "$work/out" || fail "no reason: $(cat "$work/out")"

# the paper's Theorem 1 on small problems: without cancellation, pruning by expressions loses nothing
found() { # problem, operations, flag; a line for each block graph that the search gives, before anything is proved
  expect 0 "$formulas/$1.formula" --max-kernel-ops 1 --max-block-ops "$2" --shard 0/1 ${3:-}
  grep -q '"cut": 0' "$work/out" || fail "$1, $2 operations ${3:-}: the search was cut, and says nothing"
  sed -n 's/.*"graph": "\([^"]*\)".*/\1/p' "$work/out" | sort -u
}
for problem in 'gated_mlp 5' 'chain 4' 'sums 5' 'moe 4' 'gelu_bias 4'; do
  set -- $problem
  found "$1" "$2" >pruned
  found "$1" "$2" --no-expressions >unpruned
  [ -s pruned ] || fail "$1: nothing found"
  cmp -s pruned unpruned || { diff pruned unpruned; fail "$1: pruned and unpruned search differ"; }
done
# what is found only where factors of a quotient cancel is not looked for (docs/optimize.md)
for problem in 'normalize 4' 'softmax_rows 5'; do
  set -- $problem
  found "$1" "$2" >pruned
  found "$1" "$2" --no-expressions >unpruned
  [ -s pruned ] || fail "$1: nothing found"
  comm -23 pruned unpruned >lost
  [ -s lost ] && { cat lost; fail "$1: only the pruned search finds these"; }
  found "$1" "$2" --no-fingerprints >others
  cmp -s pruned others || { diff pruned others; fail "$1: without fingerprints"; }
done
found softmax_rows 5 --no-canonical >others
[ -s others ] || fail "nothing found without canonical order"
finish
