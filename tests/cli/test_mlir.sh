# Pairs of MLIR functions (tests/mlir/pairs): the first part of a file is the source, each part behind a line
# `// ----- VERDICT [flags]` a target with the verdict that it must have; VERDICT-each: each function of that part has
# it, and the source may have more; `full` at its end: only in make check-full. With mlir-opt, the parts are what it
# accepts.
. "$SOURCE/tests/cli/common.sh"

mkdir parts
for file in "$SOURCE"/tests/mlir/pairs/*.mlir "$SOURCE"/examples/mlir/bugs/*.mlir; do
  name=$(basename "$file" .mlir)
  rm -f parts/*
  awk 'BEGIN { n = 0 } /^\/\/ ----- / { n++; print substr($0, 10) > "parts/" n ".want"; next } { print > "parts/" n ".mlir" }' "$file"
  for want in parts/*.want; do
    part=${want%.want}
    read -r verdict flags <"$want"
    case " $flags" in
    *" full")
      [ -n "${ASSAY_FULL:-}" ] || continue
      flags=${flags%full}
      ;;
    esac
    if [ "${verdict%-each}" != "$verdict" ]; then
      # shellcheck disable=SC2086
      "$ASSAY" check --timeout 600 --json $flags parts/0.mlir "$part.mlir" >out 2>err
      # those that only the source has are none of this part
      sed 's/.*"functions": \[//; s/"verdict": "unknown", "reason": {"code": "missing-function"/"verdict": "none"/g' \
        out | tr '{' '\n' >functions
      want_count=$(grep -c 'func.func @' "$part.mlir") || :
      found=$(grep -c "\"verdict\": \"${verdict%-each}\"" functions) || :
      [ "$found" -ge "$want_count" ] || fail "$name, part ${part#parts/}: $found of $want_count are $verdict: $(grep '"name"' functions | grep -v "\"verdict\": \"${verdict%-each}\"" | head -3) $(head -3 err)"
      continue
    fi
    # shellcheck disable=SC2086
    "$ASSAY" check --timeout 600 $flags parts/0.mlir "$part.mlir" >out 2>err
    found=$(sed -n 's/^  verdict     \([a-z]*\).*/\1/p' out)
    [ "$found" = "$verdict" ] || fail "$name, part ${part#parts/}: $verdict is expected, not '$found': $(sed -n 2p out; head -3 err)"
    [ "$verdict" != refuted ] || grep -q '^  witness  ' out || fail "$name: refuted without a witness"
  done
  for part in parts/*.mlir; do
    grep -q '^// not for mlir-opt' "$part" || { printf "\n// ----- %s\n" "$name, ${part#parts/}"; sed 's|^//.*||' "$part"; } >>all.mlir
  done
done
if command -v mlir-opt-19 >/dev/null; then # all parts in one process, which takes its time to begin
  sed 's|^// -----.*|// -----|' all.mlir >split.mlir
  mlir-opt-19 --split-input-file split.mlir >/dev/null 2>err || {
    line=$(sed -n 's/.*split.mlir:\([0-9]*\) .*error.*/\1/p' err | head -1)
    fail "mlir-opt: $(head -n "${line:-1}" all.mlir | grep '^// -----' | tail -1): $(head -3 err)"
  }
fi

# What is known and not executed, what is not known, and what is no MLIR.
cat >memory.mlir <<'EOF'
func.func @f(%m: memref<16xi8>, %i: index) -> memref<4xf32> {
  %0 = "memref.view"(%m, %i) : (memref<16xi8>, index) -> memref<4xf32>
  return %0 : memref<4xf32>
}
EOF
sed 's/  return/  %c = arith.constant 0 : index\n  return/' memory.mlir >memory_other.mlir
expect 2 "$ASSAY" check --json memory.mlir memory_other.mlir
has out '"code": "unsupported-op"'
has out '"functions": [{"name": "f", "verdict": "unknown"'
cat >skipped.mlir <<'EOF'
func.func @f(%v: vector<4xf32>, %s: vector<[4]xf32>, %w: i128, %t: tensor<?xf32>) -> vector<4xf32> {
  vector.print %v : vector<4xf32>
  %0:2 = sparse_tensor.foreach in %t
    init(%v) : tensor<?xf32>, vector<4xf32> -> vector<4xf32> do {
    ^bb0(%i: index, %x: f32, %y: vector<4xf32>):
      sparse_tensor.yield %y : vector<4xf32>
  }
  %1 = math.sincos
         %0#1 : vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @g(%x: i32) -> i32 {
  return %x : i32
}
EOF
expect 2 "$ASSAY" check skipped.mlir skipped.mlir
has out 'f unknown: '
has out 'is not executed'
has out ' g proved'
printf 'func.func @f(%%x: f32) -> f32 {\n  vector.print ] %%x\n  return %%x : f32\n}\n' >bracket.mlir
expect 3 "$ASSAY" check bracket.mlir memory.mlir
has err 'bracket.mlir:2:16: error'
printf 'func.func @f(%%x: f32) -> f32 {\n  %%0 = nowhere.op %%x : f32\n  return %%0 : f32\n}\n' >unknown.mlir
expect 3 "$ASSAY" check unknown.mlir memory.mlir
has err 'unknown.mlir:2:8: error[parse.unknown-op]'
# --set: a scalar argument is this constant.
cat >set.mlir <<'EOF'
func.func @f(%a: memref<?xf32>, %i: index, %x: f32) {
  memref.store %x, %a[%i] : memref<?xf32>
  return
}
EOF
sed 's/memref.store/%z = arith.constant 3 : index\n  memref.store/; s/\[%i\]/[%z]/' set.mlir >set_other.mlir
expect 1 "$ASSAY" check set.mlir set_other.mlir
expect 0 "$ASSAY" check --set i=3 set.mlir set_other.mlir
grep -q 'literals *i = 3$' out || fail "--set is not said: $(cat out)"
expect 1 "$ASSAY" check --set i=4 set.mlir set_other.mlir
has out 'i = 4'
expect 0 "$ASSAY" check --set i=3 --set x=-0.5 --both-ways set.mlir set_other.mlir
expect 64 "$ASSAY" check --set q=3 set.mlir set_other.mlir
has err "no argument 'q'"
expect 64 "$ASSAY" check --set i=1.5 set.mlir set_other.mlir
for option in --shape=a=4 --strides=a=1 --assume='i >= 3' --alias=a=a --map=a=a; do # of kernels: not passed over
  expect 64 "$ASSAY" check "$option" set.mlir set.mlir
  has err "${option%%=*} does not apply"
done
expect 64 "$ASSAY" lift --set a=1 set.mlir
expect 0 "$ASSAY" lift --set x=0.5 set.mlir
grep -q 'literals *x = 0.5$' out || fail "--set is not said: $(cat out)"
has out 'a[a_d0] = 0.5 for i_: i == i_' # an index that no argument has the name of

printf 'func.func @f(%%x: f32, %%n: f32) -> f32 {\n  %%0 = arith.mulf %%x, %%n : f32\n  return %%0 : f32\n}\n' >set_scale.mlir
printf 'def f(x, n):\n    return x * n\n\n\ndef twice(x):\n    return x * 2\n' >set_scale.py
expect 0 "$ASSAY" check set_scale.mlir set_scale.py:f
expect 0 "$ASSAY" check --set n=2 set_scale.mlir set_scale.py:twice
expect 64 "$ASSAY" check --set n=2 set_scale.mlir set_scale.py:f # a number is no input of the other side
has err 'no inputs found for the parameters n'

expect 0 "$ASSAY" optimize --top 2 "$SOURCE/tests/mlir/lift/linalg.mlir:matmul_bias_relu"
has out '  found        1  2 kernels '
expect 2 "$ASSAY" optimize skipped.mlir:f
has out 'unknown: '

# A function that reaches a limit does not cost the others their answers.
for operand in %x %y; do
  awk -v operand="$operand" 'BEGIN {
    print "func.func @deep(%x: f32, %y: f32) -> f32 {\n  %v0 = arith.addf %x, %y : f32"
    for (i = 1; i < 5000; i++) printf "  %%v%d = arith.%s %%v%d, %s : f32\n", i, i % 2 ? "mulf" : "addf", i - 1, operand
    print "  return %v4999 : f32\n}\nfunc.func @g(%x: i32) -> i32 {\n  return %x : i32\n}"
  }' >"deep$operand.mlir"
done
expect 2 "$ASSAY" check deep%x.mlir deep%y.mlir
has out 'deep unknown: a term nested deeper than'
has out ' g proved'
printf 'func.func @f(%%x: f32) -> f32 {\n' >cut.mlir
expect 3 "$ASSAY" check cut.mlir memory.mlir
printf 'func.func private @f(f32) -> f32\nfunc.func @f(%%x: f32) -> f32 {\n  return %%x : f32\n}\n' >twice.mlir
expect 3 "$ASSAY" check twice.mlir memory.mlir
has err 'twice.mlir:2:1: error[parse.redefined]: the function @f is already defined'
for result in 'return %x : f32' 'return %x, %x : f32, f32' 'return'; do
  printf 'func.func @f(%%x: f32) -> i32 {\n  %s\n}\n' "$result" >results.mlir
  expect 3 "$ASSAY" lift results.mlir
  has err 'results.mlir:2:3: error[check.type]: the values do not fit the results of the function'
done
cat >order.mlir <<'END'
func.func @late(%x: f32) -> f32 {
  %y = arith.addf %z, %x : f32
  %z = arith.mulf %x, %x : f32
  return %y : f32
}
END
expect 3 "$ASSAY" lift order.mlir
has err 'order.mlir:2:8: error[check.dominance]: arith.addf: %z is not defined on every way to this use'
cat >order.mlir <<'END'
func.func @own(%o: memref<8xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (min(%i, 4)) {
    affine.store %x, %o[%i] : memref<8xf32>
  }
  return
}
END
expect 3 "$ASSAY" lift order.mlir
has err 'order.mlir:2:3: error[check.dominance]: affine.parallel: %i is not defined on every way to this use'
cat >steps.mlir <<'EOF'
func.func @f(%m: memref<8xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (8) step (1, 2) {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}
EOF
expect 3 "$ASSAY" check steps.mlir steps.mlir
has err 'steps.mlir:2:44: error[parse.expected]'
cat >order.mlir <<'END'
func.func @ways(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.mulf %x, %x : f32
  cf.br ^b
^b:
  return %y : f32
}
END
expect 3 "$ASSAY" lift order.mlir
has err 'order.mlir:7:3: error[check.dominance]: func.return: %y is not defined on every way to this use'
printf 'memref.global @g : memref<1xi8>\nmodule {\n  memref.global @g : memref<1xi8>\n  func.func @f() {\n    return\n  }\n}\n' >globals.mlir
expect 3 "$ASSAY" check globals.mlir memory.mlir
has err 'globals.mlir:3:3: error[parse.redefined]: the global @g is already defined'
expect 1 "$ASSAY" check --json "$SOURCE/examples/mlir/matmul_transpose.before.mlir" "$SOURCE/examples/mlir/matmul_transpose.after.mlir"
has out '"kind": "floats"'
json

# Passes one by one, by a tool in place of mlir-opt: one that is wrong, one that fails, one that is not there.
cat >tool <<'EOF2'
#!/bin/sh
case "$1" in
*wrong*) sed 's/arith.addi/arith.subi/' ;;
*moved*) sed 's/addi %x, %y/addi %y, %x/' ;;
*lowered*) cat lowered.after ;;
*broken*) echo "no such pass" >&2; exit 1 ;;
*) cat ;;
esac
EOF2
chmod +x tool
cat >sum.mlir <<'EOF2'
func.func @f(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  return %0 : i32
}
EOF2
export ASSAY_MLIR_OPT="$PWD/tool"
expect 0 "$ASSAY" check --pass-pipeline 'builtin.module(cse,func.func( moved , cse))' sum.mlir
has out '  proved    moved'
expect 1 "$ASSAY" check --pass-pipeline 'builtin.module(cse,func.func(wrong{a=(b,c)},cse),never)' sum.mlir
has out '  refuted   wrong{a=(b,c)}'
has out 'before wrong{a=(b,c)}:'
has out '  %0 = arith.subi %x, %y : i32'
hasnt out 'never'
expect 1 "$ASSAY" check --json --pass-pipeline 'builtin.module(wrong)' sum.mlir
has out '"pass": "wrong", "before": "func'
has out '"passes": [{"pass": "wrong", "verdict": "refuted"}]}'
json
mkdir folder
cp sum.mlir memory.mlir folder
expect 1 "$ASSAY" check --pass-pipeline 'builtin.module(moved,wrong)' folder
has out 'refuted   folder/sum.mlir  wrong: '
has out 'proved    folder/memory.mlir'
# What the steps assume is said of each.
cat >lowered.mlir <<'EOF'
func.func @f(%n: index, %m: memref<?xf32>, %x: f32) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
EOF
cat >lowered.after <<'EOF'
func.func @f(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %last step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}
EOF
expect 0 "$ASSAY" check --pass-pipeline 'builtin.module(lowered)' lowered.mlir
has out '  proved    lowered'
! grep -q 'assumed: bounds' out || fail "bounds of affine maps are whole numbers: nothing is assumed"
expect 3 "$ASSAY" check --pass-pipeline 'builtin.module(broken)' sum.mlir
has err 'broken: no such pass'
for pipeline in 'cse' 'builtin.module(cse' 'builtin.module(cse))' 'builtin.module(,)' 'builtin.module(a{b)' ''; do
  expect 64 "$ASSAY" check --pass-pipeline "$pipeline" sum.mlir
done
expect 64 "$ASSAY" check --pass-pipeline 'builtin.module(cse)'
ASSAY_MLIR_OPT=./nowhere expect 3 "$ASSAY" check --pass-pipeline 'builtin.module(cse)' sum.mlir
has err 'mlir-opt is not installed'
unset ASSAY_MLIR_OPT
finish
