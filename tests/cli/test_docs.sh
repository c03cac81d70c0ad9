# What the documents show is what the program prints: tests/docs/compare.awk.
. "$SOURCE/tests/cli/common.sh"

mkdir bin
ln -s "$ASSAY" bin/assay
PATH=$work/bin:$PATH
cd "$SOURCE" || exit 1
for document in README.md ARCHITECTURE.md docs/invariants.md docs/search.md; do
  awk -f tests/docs/compare.awk "$document" >"$work/out" || { cat "$work/out"; fail "$document"; }
  grep -qE ': ([3-9]|[0-9]{2,}) commands' "$work/out" || fail "$document shows no commands"
done

[ "$(wc -l <ARCHITECTURE.md)" -le 200 ] || fail "ARCHITECTURE.md is longer than 200 lines"
for file in $(grep -oE '`[a-z0-9_/]+/[a-z0-9_]+\.(c|h|def|md|sh|test)`' ARCHITECTURE.md | tr -d '`'); do
  [ -f "$file" ] || [ -f "src/$file" ] || fail "ARCHITECTURE.md names $file, which is not there"
done

# and the comparison sees what is wrong
printf '    $ printf "a\\nb\\nc\\n"\n    a\n    ...\n    c\n' >"$work/right"
printf '    $ printf "a\\nb\\nc\\n"\n    a\n    c\n' >"$work/wrong"
printf '    $ printf "a\\nb\\nc\\n"\n    a\n    b\n' >"$work/short"
awk -f tests/docs/compare.awk "$work/right" >"$work/out" || fail "a right document: $(cat "$work/out")"
for wrong in wrong short; do
  awk -f tests/docs/compare.awk "$work/$wrong" >"$work/out" && fail "a document that is $wrong passes"
done
finish
