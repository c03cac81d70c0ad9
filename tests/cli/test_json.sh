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
finish
