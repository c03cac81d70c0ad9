# Exit codes of interface.md, section 2, and the messages of usage errors.
. "$SOURCE/tests/cli/common.sh"

expect_answer "$ASSAY" lift "$DATA/add.ttir"
has out add_kernel
has out verdict
[ "$(wc -l <out)" -le 25 ] || fail "more than 25 lines"
expect_answer "$ASSAY" lift --kernel first_kernel "$DATA/two.ttir"
has out first_kernel

# bad input
expect 3 "$ASSAY" lift "$DATA/bad.ttir"
has err "bad.ttir:3:"
expect 3 "$ASSAY" lift "$DATA/missing.ttir"
has err "missing.ttir"
: >empty.ttir
expect 3 "$ASSAY" lift empty.ttir
mkdir folder
expect 3 "$ASSAY" lift folder
has err "input.empty-folder"
expect 3 "$ASSAY" lift --all folder
expect 3 "$ASSAY" lift "$DATA/bad.json"
has err "bad.json:2:55: error[operation.key]: unknown key 'stride'"
has err "operation.expression"
expect 3 "$ASSAY" lift "$DATA/syntax.json"
has err "syntax.json:2:11: error[json.syntax]"

# usage errors
expect 64 "$ASSAY"
expect 64 "$ASSAY" lift
expect 64 "$ASSAY" nonsense
expect 64 "$ASSAY" lift --nonsense "$DATA/add.ttir"
expect 64 "$ASSAY" lift --timeout soon "$DATA/add.ttir"
expect 64 "$ASSAY" lift --memory 1X "$DATA/add.ttir"
expect 64 "$ASSAY" lift --memory -1 "$DATA/add.ttir"
expect 64 "$ASSAY" lift --jobs 0 --all "$DATA/add.ttir"
expect 64 "$ASSAY" lift --kernel "$DATA/add.ttir"
expect 64 "$ASSAY" lift --kernel nosuch "$DATA/add.ttir"
has err add_kernel
expect 64 "$ASSAY" lift --shape x "$DATA/add.ttir"
for value in 0x10 ' 5' 1.5 1e3 99999999999999999999 2147483648 x -; do # no whole decimal number of 32 bits
  expect 64 "$ASSAY" lift --set "n=$value" "$DATA/add.ttir"
  has err "this is none that it holds"
done
expect_answer "$ASSAY" lift --set n=007 --set n=7 "$DATA/add.ttir"
expect 64 "$ASSAY" lift --set n=7 --set n=8 "$DATA/add.ttir"
has err "it is set to 7 already"
for size in -1 0 2-3 4,0 99999999999999999999 4000000000000,4000000000000; do
  expect 64 "$ASSAY" lift --shape "x=$size" "$DATA/add.ttir"
  has err "--shape 'x=$size'"
done
for size in "n//0" "n % 0" "n // (n - n)" "cdiv(n,0)"; do
  expect 64 "$ASSAY" lift --shape "x=$size" "$DATA/add.ttir"
  has err "is no expression"
done
expect 64 "$ASSAY" lift --grid 3-3 "$DATA/add.ttir"
has err "at least one program"
for option in grid shape set assume emit kernel; do
  expect 64 "$ASSAY" lift "--$option" "$DATA/add.ttir" # its value was forgotten
  has err "no input: '$DATA/add.ttir' is the value of --$option"
  expect 64 "$ASSAY" lift "--$option" --json "$DATA/add.ttir"
  has err "missing value of '--$option'"
done
expect 64 "$ASSAY" lift --timeout "$(printf 'a\033[2J')" "$DATA/add.ttir"
has err "'a?[2J'"
expect 64 "$ASSAY" lift --allow nonsense "$DATA/add.ttir"
expect 64 "$ASSAY" lift --strict bounds@3 "$DATA/add.ttir"
expect 64 "$ASSAY" lift --emit fortran "$DATA/add.ttir"
expect 64 "$ASSAY" lift --stop-after nonsense "$DATA/add.ttir"
expect 64 "$ASSAY" lift -o x "$DATA/add.ttir"
expect 64 "$ASSAY" lift "$DATA/two.ttir"
has err "first_kernel, second_kernel"
expect 64 "$ASSAY" lift --launch "$DATA/add.ttir" "$DATA/add.ttir"
for option in $(grep -E '^OPTION' "$SOURCE/cli/options.def" | awk -F, '{gsub(/ /, "", $5); if ($5 == "0") print $1}' | sed 's/.*"\(.*\)"/\1/'); do
  expect 64 "$ASSAY" lift "--$option=auto" "$DATA/add.ttir"
  "$ASSAY" help lift | grep -q -- "--$option" && fail "--$option is in --help but is not built"
done

# what succeeds
expect 0 "$ASSAY" --version
has out "assay 0."
expect 0 "$ASSAY" --help
has out "assay lift"
expect 0 "$ASSAY" help lift
has out "--timeout S"
expect 0 "$ASSAY" lift --help

# standard input, --all, the worst code
"$ASSAY" lift - <"$DATA/add.ttir" >out 2>err
[ $? -le 2 ] || fail "standard input"
has out "<stdin>"
expect_answer "$ASSAY" lift --all "$DATA/two.ttir" "$DATA/add.ttir"
[ "$(wc -l <out)" = 3 ] || fail "three kernels make three rows"
cp out one
expect_answer "$ASSAY" lift --all --jobs 3 "$DATA/two.ttir" "$DATA/add.ttir"
cmp -s out one || fail "--jobs changes the output"
expect 3 "$ASSAY" lift --all "$DATA/add.ttir" "$DATA/bad.ttir" "$DATA/two.ttir"
[ "$(wc -l <out)" = 4 ] || fail "four rows"
mkdir -p cache/a cache/b
cp "$DATA/add.ttir" cache/a
cp "$DATA/two.ttir" cache/b
expect_answer "$ASSAY" lift --all cache
[ "$(wc -l <out)" = 3 ] || fail "a folder stands for its files"

# the same input gives the same bytes
expect_answer "$ASSAY" lift --json "$DATA/add.ttir"
cp out one
expect_answer "$ASSAY" lift --json "$DATA/add.ttir"
cmp -s out one || fail "two runs differ"
finish
