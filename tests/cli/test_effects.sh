# Effects as an input: they are those of the program below them, to the letter; and the words that messages have for
# lanes, iterations and the tensors of an operation file.
. "$SOURCE/tests/cli/common.sh"

"$ASSAY" lift --stop-after effects "$SOURCE/examples/softmax_online.ttir" >effects || fail "no effects"
expect 0 "$ASSAY" lift effects
has out 'softmax(x_ptr, axis=1)'
expect 0 "$ASSAY" check effects "$SOURCE/examples/softmax.ttir"
"$ASSAY" lift --stop-after effects effects | cmp -s - effects || fail "they print themselves otherwise"

# A mask, a range or a value that the program does not have, what was left out, and no program.
for change in 's/^fits .*//' 's/^divides .*//' 's/1024\*t0/1023*t0/' 's/exp(/sin(/' 's/^\(effects [a-z_]*\)/\1 zero_fill/'; do
  sed "1,/^program/$change" effects >changed
  cmp -s effects changed && continue # not in these
  expect 3 "$ASSAY" lift changed
  has err 'these are no effects of the program below'
done
sed '/^program$/,$d' effects >alone
expect 3 "$ASSAY" lift alone
has err 'the program of these effects is missing'
sed 's/math.exp/math.sin/' effects >other
expect 3 "$ASSAY" lift other
printf 'effects ' >empty
expect 3 "$ASSAY" lift empty
"$ASSAY" lift --assume 'n_cols <= 5' --stop-after effects "$SOURCE/examples/softmax_online.ttir" >effects
expect 0 "$ASSAY" lift --assume 'n_cols <= 5' effects
expect 3 "$ASSAY" lift effects

# Comments say where in which file something is, and are not read: a program without locations, and calls, which have
# become operations of the caller.
input() { sed '1d; /^---- expected/,$d' "$SOURCE/tests/golden/execute/$1.test"; }
for name in dot call_inlined; do
  input $name >$name.ttir
  expect 0 "$ASSAY" lift --stop-after effects $name.ttir
  mv out effects
  expect 0 "$ASSAY" lift --stop-after effects effects
  sed 's/ ; .*//' effects >wanted
  sed 's/ ; .*//' out | cmp -s - wanted || fail "$name: they print themselves otherwise"
done

# `rows` is 16*block + lane, `cols` the lane alone; `twice` has a lane of each axis; the loop counts in steps of 4.
cat >words.ttir <<'MLIR'
module {
  tt.func public @words(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %s: i32, %t: i32) {
    %block = tt.get_program_id x : i32
    %c4 = arith.constant 4 : i32
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %0 = arith.muli %block, %c16 : i32
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %2 = tt.splat %0 : i32 -> tensor<16xi32>
    %rows = arith.addi %2, %1 : tensor<16xi32>
    %3 = tt.splat %s : i32 -> tensor<16xi32>
    %4 = arith.muli %rows, %3 : tensor<16xi32>
    %5 = arith.muli %1, %3 : tensor<16xi32>
    %6 = tt.splat %n : i32 -> tensor<16xi32>
    %7 = arith.cmpi slt, %rows, %6 : tensor<16xi32>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %8 = scf.for %k = %c0 to %n step %c4 iter_args(%a = %zero) -> (tensor<16xf32>) : i32 {
      %9 = arith.muli %k, %t : i32
      %10 = tt.splat %9 : i32 -> tensor<16xi32>
      %11 = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %12 = tt.addptr %11, %4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %13 = tt.addptr %12, %10 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %14 = tt.addptr %13, %5 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %15 = tt.load %14, %7, %zero : tensor<16x!tt.ptr<f32>>
      %16 = arith.addf %a, %15 : tensor<16xf32>
      scf.yield %16 : tensor<16xf32>
    }
    %17 = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %18 = tt.addptr %17, %rows : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %18, %8, %7 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
MLIR
expect_answer "$ASSAY" lift --json words.ttir
has out '"rows*s fits i32"'
has out '"k*t fits i32"'
has out '"s*arange(0, 16) fits i32"' # no variable has it
hasnt out 'lane0'
hasnt out 't0'

# An operation file has its own names for what the kernel is given, in reasons too; its first assumption is what the
# kernel needs.
cat >turn.ttir <<'MLIR'
module {
  tt.func public @turn(%x_ptr: !tt.ptr<f32>, %n: i32) {
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %ns = tt.splat %n : i32 -> tensor<16xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<16xi32>
    %one = arith.constant dense<1> : tensor<16xi32>
    %last = arith.subi %ns, %one : tensor<16xi32>
    %j = arith.subi %last, %i : tensor<16xi32>
    %xs = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %from = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %to = tt.addptr %xs, %j : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %from, %m : tensor<16x!tt.ptr<f32>>
    tt.store %to, %v, %m : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
MLIR
cat >turn.json <<'JSON'
{ "schema": 1, "name": "turn", "tensors": { "row": { "dtype": "f32", "shape": ["K + 4"] } },
  "launches": [ { "file": "turn.ttir", "grid": [1], "args": { "x_ptr": "row", "n": "K + 4" } } ] }
JSON
expect_answer "$ASSAY" lift turn.json
has out 'what is read from row is not stored by another'
has out 'a1 K + 4 <= 16: one block covers the axis (turn.ttir:13)'
hasnt out '(K + 4) <='
hasnt out 'x_ptr'
finish
