# Hostile files through the command line: exit 3 with a diagnostic, or a verdict, within the limits; never a crash.
. "$SOURCE/tests/cli/common.sh"

begin() { printf 'module {\n  tt.func public @k(%%p: !tt.ptr<f32>, %%n: i32) {\n'; }
end() { printf '    tt.return\n  }\n}\n'; }
kernel() { begin && cat && end; }

# An answer or bad input in every form of output, or in each in turn without ASSAY_FULL; what does not end is killed, whose
# exit code is above 3.
turn=--json
ends() { # file options...
  file=$1
  shift
  if [ "$turn" = text ]; then turn=--json; else turn=text; fi
  for form in text --json; do
    [ -n "${ASSAY_FULL:-}" ] || [ "$form" = "$turn" ] || continue
    [ "$form" = --json ] || form=
    timeout 300 "$ASSAY" lift $form "$@" "$file" >out 2>err </dev/null
    code=$?
    [ "$code" -le 3 ] || fail "exit code $code: $form $* $file"
    [ -z "$form" ] || json schema=1
    hasnt err "internal error"
  done
}

refused() { # file code
  expect 3 "$ASSAY" lift "$1"
  has err "error[$2]"
  expect 3 "$ASSAY" lift --json "$1"
  json verdict=null diagnostics.0.severity=error
}

# ---- sizes and depth
printf '    %%a = arith.constant dense<0> : tensor<1048576x1048576xi32>\n' | kernel >absurd.ttir
refused absurd.ttir parse.size
printf '    %%a = arith.constant dense<0> : tensor<99999999999999999999xi32>\n' | kernel >absurd2.ttir
refused absurd2.ttir parse.size
printf '    %%a:4294967296 = arith.constant 0 : i32\n' | kernel >pack.ttir
refused pack.ttir parse.size
{
  printf '    %%c = arith.cmpi slt, %%n, %%n : i32\n'
  awk 'BEGIN { for (i = 0; i < 100000; i++) print "scf.if %c {"; for (i = 0; i < 100000; i++) print "}" }'
} | kernel >deep.ttir
refused deep.ttir parse.depth
awk 'BEGIN { printf "!t = "; for (i = 0; i < 100000; i++) printf "!tt.ptr<"; print "" }' >deep_type.ttir
refused deep_type.ttir parse.depth
awk 'BEGIN { printf "#a = "; for (i = 0; i < 100000; i++) printf "["; print "" }' >deep_attribute.ttir
refused deep_attribute.ttir parse.depth
awk 'BEGIN { printf "#a = loc("; for (i = 0; i < 100000; i++) printf "fused["; print "" }' >deep_location.ttir
refused deep_location.ttir parse.depth
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{\"a\": ["; print "" }' >deep.json
expect 3 "$ASSAY" lift deep.json

for piece in "1 + " "n * " "n // "; do # a long chain is as deep as it is long
  awk -v piece="$piece" 'BEGIN { printf "{\"schema\": 1, \"tensors\": {\"x\": {\"dtype\": \"f32\", \"shape\": [\"";
      for (i = 0; i < 300000; i++) printf "%s", piece; print "1\"]}}, \"launches\": []}" }' >chain.json
  refused chain.json operation.expression
done
awk 'BEGIN { print "tensor x: f32[n]\nsize n: 1 <= n"; printf "y[i] = "; for (i = 0; i < 200000; i++) printf "x[i]*2 + "; print "1" }' >chain.txt
ends chain.txt --timeout 4
expect 64 "$ASSAY" lift --shape "x=$(awk 'BEGIN { for (i = 0; i < 65; i++) printf "n,"; print "n" }')" "$DATA/add.ttir"

# ---- a million lines
awk 'BEGIN { print "    %v0 = arith.addi %n, %n : i32"
             for (i = 1; i < 1000000; i++) printf "    %%v%d = arith.addi %%v%d, %%n : i32\n", i, i - 1 }' | kernel >million.ttir
ends million.ttir --timeout 1
ends million.ttir --memory 64M --timeout 1
awk 'BEGIN { for (i = 0; i < 1000000; i++) print "%x = nonsense" }' >million_errors.ttir
expect 3 "$ASSAY" lift --timeout 20 million_errors.ttir
[ "$(wc -l <err)" -le 200 ] || fail "a screen of diagnostics is enough: $(wc -l <err) lines"
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "\"%s\", ", i }' >one_line.ttir
expect 3 "$ASSAY" lift --timeout 20 one_line.ttir
[ "$(wc -c <err)" -le 20000 ] || fail "a long line is not shown whole: $(wc -c <err) bytes"

# ---- values that grow
awk 'BEGIN { print "%v0 = arith.sitofp %n : i32 to f32"
             for (i = 1; i < 3000; i++) printf "%%w%d = math.exp %%v%d : f32\n%%v%d = arith.addf %%w%d, %%v%d : f32\n", i, i - 1, i, i, i - 1
             print "tt.store %p, %v2999 : !tt.ptr<f32>" }' | kernel >exps.ttir
ends exps.ttir --timeout 0.5
ends exps.ttir --memory 64M --timeout 5
awk 'BEGIN { print "%v0 = arith.addi %n, %n : i32"
             for (i = 1; i < 3000; i++) printf "%%v%d = arith.muli %%v%d, %%v%d : i32\n", i, i - 1, i - 1
             print "%f = arith.sitofp %v2999 : i32 to f32\ntt.store %p, %f : !tt.ptr<f32>" }' | kernel >squares.ttir
ends squares.ttir --timeout 1
awk 'BEGIN { print "%v0 = arith.sitofp %n : i32 to f32"
             for (i = 1; i < 100000; i++) printf "%%v%d = math.sin %%v%d : f32\n", i, i - 1
             print "tt.store %p, %v99999 : !tt.ptr<f32>" }' | kernel >chain.ttir
turn=text # what follows looks at JSON
ends chain.ttir --timeout 20
has out '"limit"'
awk 'BEGIN { print "%v0 = arith.addi %n, %n : i32\n%v1 = arith.addi %v0, %n : i32"
             for (i = 2; i < 2000; i++) printf "%%v%d = arith.divsi %%v%d, %%v%d : i32\n", i, i - 1, i - 2
             print "%f = arith.sitofp %v1999 : i32 to f32\ntt.store %p, %f : !tt.ptr<f32>" }' | kernel >divisions.ttir
ends divisions.ttir --timeout 1
awk 'BEGIN { print "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32"
             for (i = 0; i < 200; i++) printf "scf.for %%i%d = %%c0 to %%n step %%c1 : i32 {\n", i
             print "%f = arith.sitofp %n : i32 to f32\ntt.store %p, %f : !tt.ptr<f32>"
             for (i = 0; i < 200; i++) print "}" }' | kernel >loops.ttir
ends loops.ttir --timeout 1
awk 'BEGIN { print "%c = arith.cmpi slt, %n, %n : i32\n%d0 = arith.sitofp %n : i32 to f32"
             for (i = 1; i < 60; i++) printf "%%c%d = arith.cmpi slt, %%n, %%m%d : i32\n%%d%d = scf.if %%c%d -> (f32) {\n%%e%d = math.exp %%d%d : f32\nscf.yield %%e%d : f32\n} else {\n%%g%d = math.sin %%d%d : f32\nscf.yield %%g%d : f32\n}\n", i, i, i, i, i, i - 1, i, i, i - 1, i
             print "tt.store %p, %d59 : !tt.ptr<f32>" }' >body
{ awk 'BEGIN { for (i = 1; i < 60; i++) printf "%%m%d = arith.constant %d : i32\n", i, i }'; cat body; } | kernel >branches.ttir
ends branches.ttir --timeout 1

# ---- other kinds of files
printf '\177ELF\002\001\001' >cubin.ttir
refused cubin.ttir input.elf
printf 'ML\357R\001\002' >bytecode.ttir
refused bytecode.ttir input.binary
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%c%c", i % 31 + 1, 200 + i % 50 }' >binary.ttir
expect 3 "$ASSAY" lift binary.ttir
printf '//\n// Generated by LLVM NVPTX Back-End\n//\n.version 8.0\n.target sm_80\n.visible .entry k()\n' >kernel.ptx
refused kernel.ptx input.ptx
printf "; ModuleID = 'LLVMDialectModule'\nsource_filename = \"x\"\ndefine void @k() {\n}\n" >kernel.ll
refused kernel.ll input.llvm
printf '#blocked = #ttg.blocked<{sizePerThread = [1]}>\nmodule {\n}\n' >kernel.ttgir
refused kernel.ttgir input.ttgir
printf ' \n// nothing\n' >blank.ttir
refused blank.ttir input.empty
printf '{}' >empty.json
expect 3 "$ASSAY" lift empty.json
printf '\000' >zero.ttir
expect 3 "$ASSAY" lift zero.ttir

# ---- truncated anywhere: what a reader cannot finish is bad input, and JSON stays JSON
size=$(wc -c <"$DATA/add.ttir")
at=0
while [ "$at" -lt "$size" ]; do
  head -c "$at" "$DATA/add.ttir" >cut.ttir
  "$ASSAY" lift --json cut.ttir >out 2>err
  code=$?
  [ "$code" -le 3 ] || fail "cut at $at: exit code $code"
  json schema=1
  at=$((at + 41))
done

# ---- limits at their ends, for real kernels
for file in "$SOURCE"/examples/*.ttir "$SOURCE"/tests/fuzz/corpus/lift/*.ttir; do
  ends "$file" --timeout 0.1 --memory 64M
  ends "$file" --memory 1M --timeout 2
done

# ---- what is printed reads back
for file in "$SOURCE"/examples/*.ttir "$DATA"/add.ttir; do
  expect 0 "$ASSAY" lift --stop-after program "$file"
  cp out first
  "$ASSAY" lift --stop-after program - <first >second 2>err || fail "the printed program of $file does not read back"
  cmp -s first second || fail "the printed program of $file changes"
done
finish
