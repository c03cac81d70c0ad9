# --report: a page that is whole, and findings as SARIF.
. "$SOURCE/tests/cli/common.sh"

expect 1 "$ASSAY" lift --report page.html "$SOURCE/examples/k_tail_unmasked.launch.json"
[ -s page.html ] || fail "no page"
for word in '<!DOCTYPE html>' '<math display="block">' 'bounds <span class="verdict refuted">' '<svg' 'tt.load' '</html>' prefers-color-scheme; do
  has page.html "$word"
done
for word in '<script' 'http://' 'https://' 'src='; do hasnt page.html "$word"; done
opened=$(grep -o '<[a-z]*' page.html | grep -cE '<(m[a-z]*|span|table|pre|svg|code|h2)$')
closed=$(grep -o '</[a-z]*' page.html | grep -cE '</(m[a-z]*|span|table|pre|svg|code|h2)$')
meta=$(grep -o '<meta' page.html | wc -l)
[ "$opened" = $((closed + meta)) ] || fail "$opened elements are opened, and $closed are closed"

expect 1 "$ASSAY" lift --report found.sarif "$SOURCE/examples/k_tail_unmasked.launch.json"
has found.sarif '"version": "2.1.0"'
has found.sarif '"ruleId": "bounds", "level": "error"'
has found.sarif '"startLine": 19'

expect 1 "$ASSAY" check --report check.sarif "$SOURCE/examples/softmax_padded_with_zero.ttir" -e 'y_ptr = softmax(x_ptr, axis=1)'
has check.sarif '"ruleId": "value", "level": "error"'
expect 0 "$ASSAY" check --report check.html "$SOURCE/examples/softmax.ttir" -e 'out_ptr = softmax(x_ptr, axis=1)'
has check.html against

# the same bytes each time, and nothing half-written
expect 1 "$ASSAY" lift --report again.html "$SOURCE/examples/k_tail_unmasked.launch.json"
cmp -s page.html again.html || fail "two runs differ"
expect 64 "$ASSAY" lift --report page.txt "$SOURCE/examples/softmax.ttir"
expect 64 "$ASSAY" lift --all --report page.html "$SOURCE/examples/softmax.ttir"
expect 3 "$ASSAY" lift --report no/such/page.html "$SOURCE/examples/softmax.ttir"
printf 'module {\n  <b>&nonsense\n}\n' >bad.ttir
expect 3 "$ASSAY" lift --report bad.html bad.ttir
[ ! -e bad.html ] || fail 'a report of what is no input'
finish
