# Results of functions are outputs: named, shaped, proved, sampled, compared and emitted as what a kernel stores is.
. "$SOURCE/tests/cli/common.sh"

function() { # NAME RESULT-TYPE BODY: a function of a, b: i32 and s: f32
  printf 'module {\n  tt.func public @f(%%a: i32, %%b: i32, %%s: f32, %%x: !tt.ptr<f32>) -> %s {\n%s\n  }\n}\n' "$2" "$3" >"$1.ttir"
}

function sum i32 '%r = arith.addi %a, %a : i32 tt.return %r : i32'
function product i32 '%r = arith.muli %a, %a : i32 tt.return %r : i32'
expect 0 "$ASSAY" lift sum.ttir
has out 'formula     result = 2 * a'
expect 1 "$ASSAY" check sum.ttir product.ttir
has out 'verdict     refuted: result: the values differ'
expect 0 "$ASSAY" check sum.ttir sum.ttir
expect 0 "$ASSAY" check sum.ttir -e 'result = a + a'
expect 1 "$ASSAY" check sum.ttir -e 'result = a + 1'

# Each return counts, and so does what a function of several results returns second.
function larger i32 '%c = arith.cmpi slt, %a, %b : i32
  cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.return %b : i32
  ^bb2:
    tt.return %a : i32'
expect 0 "$ASSAY" lift larger.ttir
has out 'formula     result = maximum(a, b)'
function two '(i32, i1)' '%c = arith.cmpi slt, %a, %b : i32 tt.return %a, %c : i32, i1'
function other '(i32, i1)' '%c = arith.cmpi sle, %a, %b : i32 tt.return %a, %c : i32, i1'
expect 0 "$ASSAY" lift two.ttir
has out 'formula     result_0 = a'
has out 'result_1 = where(a < b, 1, 0)'
expect 1 "$ASSAY" check two.ttir other.ttir
has out 'result_1: the values differ'

# A tensor has the shape of its type, axes of one element included; nothing is assumed to overlap it.
for shape in 16 4x8 1x8 8x1 1x1 2x1x64; do
  function shaped "tensor<${shape}xf32>" "%t = tt.splat %s : f32 -> tensor<${shape}xf32> tt.return %t : tensor<${shape}xf32>"
  expect 0 "$ASSAY" lift shaped.ttir
  has out "formula     result[$(echo $shape | sed 's/x/, /g')] = s"
  hasnt out 'overlap'
done
expect 0 "$ASSAY" lift --json shaped.ttir
has out '"outputs": [{"name": "result", "dtype": "f32", "shape": ["2", "1", "64"], "strides": ["64", "64", "1"]'
expect 0 "$ASSAY" lift --emit numpy -o - two.ttir
has out 'return {"result_0": result_0, "result_1": result_1}'

# Names that parameters have; a lane that nothing defines; one result for each program that asks for its id.
cat >named.ttir <<'END2'
module {
  tt.func public @f(%result: i32, %result_: i32) -> i32 {
    tt.return %result : i32
  }
}
END2
expect 0 "$ASSAY" lift named.ttir
has out 'formula     result__ = result'
function undefined 'tensor<16xf32>' '%r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %n = tt.splat %a : i32 -> tensor<16xi32>
  %m = arith.cmpi slt, %r, %n : tensor<16xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %p, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = tt.load %q, %m : tensor<16x!tt.ptr<f32>>
  tt.return %v : tensor<16xf32>'
expect 1 "$ASSAY" lift --emit replay -o replay.py undefined.ttir
has out 'undefined refuted, result'
[ ! -e replay.py ] || fail 'a function that returns values is no kernel of Triton: nothing to replay'
function number i32 '%p = tt.get_program_id x : i32 %q = tt.get_program_id z : i32 %r = arith.muli %p, %q : i32 tt.return %r : i32'
expect 0 "$ASSAY" lift number.ttir
has out 'formula     result[grid_z, grid_x] ='

# What is not followed says so.
function pointer '!tt.ptr<f32>' 'tt.return %x : !tt.ptr<f32>'
expect 2 "$ASSAY" lift pointer.ttir
has out '[unsupported-result]'
expect 2 "$ASSAY" lift sum.ttir product.ttir
has out '[unsupported-result]'
finish
