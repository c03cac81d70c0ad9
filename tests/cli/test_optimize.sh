# assay optimize: options, exit codes, files, the same bytes each time.
. "$SOURCE/tests/cli/common.sh"
. "$SOURCE/tests/cli/common_optimize.sh"

expect 64
expect 64 "$formulas/lora.formula" "$formulas/lora.formula"
expect 64 "$formulas/lora.formula" --target sm_75
expect 64 "$formulas/lora.formula" --emit opencl
expect 64 "$formulas/lora.formula" --shard 2/2
expect 64 "$formulas/lora.formula" --shard 1
expect 64 "$formulas/lora.formula" --shard 0/2 --merge part.json
for set in X=3 Q=3 M=abc M=0 M=-3 M=2.5 M=4294967296 M=; do expect 64 "$formulas/lora.formula" --set $set; done
cat >scaled.formula <<'END'
formula scaled
tensor x: f32[n, k]
tensor y: f32[n, k]
scalar a: f32
scalar m: i32
scalar eps: f32
size n: 1 <= n
size k: 1 <= k
y = layer_norm(x, axis=1, eps=eps) * a ** 2 + m
END
for set in a=x a=0x10 a=1e400 a=inf a=nan a=1/3 m=2.5 m=x b=3; do expect 64 scaled.formula --set $set; done
expect 64 scaled.formula --set 'a= 2'
expect 0 scaled.formula --set a=-3 --set m=-2 --set eps=1e-3 --top 1 --emit graph -o scaled
grep -q 'scalar' scaled/c1.graph.graph && fail "--set of scalars: $(cat scaled/c1.graph.graph)"
numbers() { sed "/^scalar/d; s/^y = .*/y = layer_norm(x, axis=1, eps=$2) * $1 - 2/" scaled.formula; }
numbers 9 0.001 >same.formula
numbers -9 0.001 >sign.formula
numbers 9 0.002 >eps.formula
"$ASSAY" check scaled/c1.graph.graph same.formula >"$work/out" || fail "--set of scalars: $(cat "$work/out")"
for wrong in sign eps; do
  "$ASSAY" check scaled/c1.graph.graph $wrong.formula >"$work/out"
  [ $? = 1 ] || fail "--set of scalars, $wrong: $(cat "$work/out")"
done
# an axis is a size without a line of its own
plain='tensor x: f32[MK, K]
tensor w: f32[K, N]
y = x @ w'
expect 0 -e "$plain" --set K=48 --set MK=8 --top 1 --emit graph -o plain
grep -q '^tensor x: f32\[8, 48\]$' plain/c1.graph.graph || fail "--set of an axis: $(cat plain/c1.graph.graph)"
for set in K=0 M=3 x=3 f32=3; do expect 64 -e "$plain" --set $set; done
expect 3 -e 'tensor x: f99[n]
y = x'
expect 2 -e 'tensor x: f32[n]
y = x[::2] + 1'
grep -q "'x\[::2\]' is not searched" "$work/out" || fail "it is not said what is not searched: $(cat "$work/out")"
"$ASSAY" lift "$formulas/lora.formula" --set M=3 >"$work/out" 2>"$work/err"
[ $? = 64 ] && [ ! -s "$work/out" ] || fail "lift of a formula takes --set: $(cat "$work/out" "$work/err")"
expect 3 "$formulas/lora.formula" --merge missing.json
expect 3 -e 'tensor x: f32[n'
expect 3 -e 'y = x @ w'
expect 3 missing.formula
expect 0 -e "$(cat "$formulas/softmax_rows.formula")"
expect 0 "$SOURCE/examples/softmax.ttir"
expect 64 "$SOURCE/examples/softmax.ttir" --set q=3
expect 0 "$formulas/gated_mlp.graph"
grep -q '1 kernel  ' "$work/out" || fail "a graph as input"
expect 0 "$formulas/rms_matmul.formula" --set M=16 --set K=256 --set N=64 --emit graph,triton -o files --json
"$CHECK_JSON" <"$work/out" >/dev/null || fail "no JSON"
[ -f files/c1.graph.graph ] && ls files/*.triton.py >/dev/null || fail "no files"
grep -q '^tensor X: f16\[16, 256\]' files/c1.graph.graph || fail "--set: $(cat files/c1.graph.graph)"
cp "$work/out" first
expect 0 "$formulas/rms_matmul.formula" --set M=16 --set K=256 --set N=64 --emit graph,triton -o files --json
cmp -s "$work/out" first || fail "two runs differ"
finish
