# --json: the schema on good and bad input, one object a line, always valid UTF-8.
. "$SOURCE/tests/cli/common.sh"

expect_answer "$ASSAY" lift --json "$DATA/add.ttir"
json schema=1 kernel=add_kernel "input=$DATA/add.ttir"
hasnt out '"stats"'
expect_answer "$ASSAY" lift --json --stats "$DATA/add.ttir"
json kernel=add_kernel
has out '"stats"'
expect_answer "$ASSAY" lift --json --all "$DATA/two.ttir" "$DATA/add.ttir"
json kernel=first_kernel
[ "$(wc -l <out)" = 3 ] || fail "one object a line"

expect 3 "$ASSAY" lift --json "$DATA/bad.ttir"
json verdict=null safety=null diagnostics.0.severity=error diagnostics.0.line=3
expect 3 "$ASSAY" lift --json "$DATA/missing.ttir"
json verdict=null diagnostics.0.code=input.unreadable diagnostics.0.file=null
expect 3 "$ASSAY" lift --json "$DATA/syntax.json"
json verdict=null diagnostics.0.code=json.syntax diagnostics.0.line=2 diagnostics.0.column=11
expect 3 "$ASSAY" lift --json --all "$DATA/bad.ttir" "$DATA/syntax.json"
json verdict=null
[ "$(wc -l <out)" = 2 ] || fail "an object for each bad file"

# limits end in a verdict
expect 2 "$ASSAY" lift --json --memory 1K "$DATA/add.ttir"
json verdict=unknown safety=unknown reason.code=memory

# hostile names: of files, and in the text
cp "$DATA/add.ttir" "$(printf 'evil\033[2J\377\"name.ttir')"
expect_answer "$ASSAY" lift --json "$(printf 'evil\033[2J\377\"name.ttir')"
json kernel=add_kernel
expect_answer "$ASSAY" lift "$(printf 'evil\033[2J\377\"name.ttir')"
! grep -q "$(printf '\033')" out err || fail "an escape sequence reached the terminal"
printf 'module { tt.func public @"\377\033k"() { tt.return } }\n' >name.ttir
"$ASSAY" lift --json name.ttir >out 2>err
[ $? -le 3 ] || fail "hostile name"
json schema=1
printf 'x\377\000y\033[2J' >bytes.ttir
expect 3 "$ASSAY" lift --json bytes.ttir
json verdict=null
! grep -q "$(printf '\033')" err || fail "an escape sequence reached the terminal"

# side information
expect_answer "$ASSAY" lift --json "$DATA/add.json"
json schema=1
expect_answer "$ASSAY" lift --json "$DATA/trace.ndjson"
json schema=1 kernel=add_kernel
if "$ASSAY" help lift | grep -q -- --launch; then
  expect_answer "$ASSAY" lift --json --launch "$DATA/add.json" "$DATA/add.ttir"
  json schema=1
  expect_answer "$ASSAY" lift --json --launch "$DATA/trace.ndjson" "$DATA/add.ttir"
  json schema=1 kernel=add_kernel
fi
mkdir cache
cp "$DATA/add.ttir" cache/k.ttir
echo '{"name": "add_kernel", "num_warps": 4, "target": {"backend": "cuda", "arch": 80, "warp_size": 32}}' >cache/k.json
expect_answer "$ASSAY" lift --json --stats cache/k.ttir
json kernel=add_kernel
has out '"triton.target": "cuda:80"'
[ -s err ] && fail "a warning of a good side file"

# what is wrong with a side file is a warning, and the answer is the same; what is not Triton's is left alone
side() { # text
  printf "$1" >cache/k.json
  expect_answer "$ASSAY" lift --json cache/k.ttir
}
rm cache/k.json
expect_answer "$ASSAY" lift --json cache/k.ttir
answer=$(sed 's/"diagnostics.*//' out)
for text in '' '{' '{"name": "add' '\177ELF\001\002' '{"num_warps": 4}}' '{"num_warps": 04}' "$(awk 'BEGIN { for (i = 0; i < 10000; i++) printf "[" }')"; do
  side "$text"
  json kernel=add_kernel diagnostics.0.severity=warning diagnostics.0.code=metadata.syntax diagnostics.0.file=cache/k.json
  has err "k.json:1:"
  [ "$(sed 's/"diagnostics.*//' out)" = "$answer" ] || fail "a broken side file changes the answer"
done
side '{"name": 7, "num_warps": "4", "target": 80}'
json diagnostics.0.code=metadata.kind diagnostics.1.code=metadata.kind diagnostics.2.code=metadata.kind
for text in '[1, 2]' '{"name": 7}' '{"tiles": {"target_x": 3}}' '"add_kernel"'; do
  side "$text"
  [ -s err ] && fail "a warning of a file that is not Triton's: $text"
done
rm cache/k.json
mkdir cache/k.json
expect_answer "$ASSAY" lift --json cache/k.ttir
[ -s err ] && fail "a folder beside the kernel: $(cat err)"
rmdir cache/k.json
printf '{' >cache/k.json
expect_answer "$ASSAY" lift --all --json cache
json kernel=add_kernel diagnostics.0.code=metadata.syntax

# lines of hostile files in diagnostics: escaped, and the caret stands below the place
printf 'module {\n  \302\2332J \342\200\256 \377\033[1m \303\274 @\n}\n' >line.ttir
expect 3 "$ASSAY" lift line.ttir
! LC_ALL=C grep -q "$(printf '\033\|\302\233\|\342\200\256\|\377')" err || fail "raw bytes in a source line"
expect 3 "$ASSAY" lift --json line.ttir
json verdict=null
printf 'module { tt.func public @k() loc(' >loc.ttir
expect 3 "$ASSAY" lift loc.ttir
has err "expected a location, found the end"
finish
