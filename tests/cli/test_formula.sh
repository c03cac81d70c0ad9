# A formula on its own: every read lies in the shapes that are declared, or the bounds are open.
. "$SOURCE/tests/cli/common.sh"

formula() { printf 'pointwise f\ntensor x: f32[n]\n%s\n' "$1" >f.formula; }

# wanted exit code, then the line of the output; y has its own extent where it is not declared
try() {
  formula "$2"
  expect "$1" "$ASSAY" lift f.formula
  [ "$1" = 0 ] || has out "f.formula: bounds unknown, x: index"
}

try 2 'y[i] = x[i + 1]'
has out 'is not shown to lie below n'
try 2 'y[i] = x[i - 1]'
has out 'is not shown not to be negative'
try 2 'y[i] = x[i] for i < n + 1'
try 0 'y[i] = x[i + 1] for i + 1 < n'
try 0 'y[i] = x[n - 1 - i] for i < n'
try 2 'y[i] = x[n - i] for i < n'
try 0 'y[i] = where(i > 0 and i < n, x[i - 1], 0)'
try 2 'y[i] = where(i >= 0 and i < n, x[i - 1], 0)'
try 0 'y[i] = sum[k < 3, k <= i](x[i - k]) for i < n'
try 2 'y[i] = sum[k < 3, k <= i + 1](x[i - k]) for i < n'
try 0 'y[i] = sum[k < n](x[k])'
try 2 'y[i] = sum[k < n + 1](x[k])'

# nobody says how long z is: as long as it must be
formula 'y[i] = z[i + 1]'
expect 0 "$ASSAY" lift f.formula
formula 'y[i] = z[i - 1]'
expect 2 "$ASSAY" lift f.formula

# an index that is read may be anything
cat >take.formula <<'END'
formula f
tensor x: f32[n]
tensor places: i32[m]
y[m] = take(x, places, axis=0)
END
expect 2 "$ASSAY" lift take.formula

# arrays that recurrences carry: read back as printed, compared element by element, and none outside of their lanes
array() { printf 'pointwise f\ntensor x: f32[n]\ntensor w: f32[8, 8]\ntensor y: f32[m]\ny[i] = %s\n' "$2" >"$1.formula"; }
step='recur[k < n, j < 8, s[j]](j, x[k] + sum[l < 8](w[j, l]*s[l]))'
array a "$step[i % 8]"
expect 0 "$ASSAY" lift --stop-after pointwise a.formula
mv out b.formula
expect 0 "$ASSAY" lift --stop-after pointwise b.formula
cmp -s out b.formula || fail "read back: $(tail -1 out)"
expect 0 "$ASSAY" check a.formula b.formula
expect 0 "$ASSAY" lift --emit latex a.formula
has out 'w}_{k_{3}, k} \cdot s_{2,0}[k]\right]_{s_{2,0}[i - 8'
array b "$(echo "$step" | sed 's/s\[l\]/s[7 - l]/')[i % 8]"
expect 1 "$ASSAY" check a.formula b.formula
array b "$(echo "$step" | sed 's/w\[j, l\]/w[l, j]/')[i % 8]"
expect 1 "$ASSAY" check a.formula b.formula
array b "$step[i]"
expect 1 "$ASSAY" check a.formula b.formula
array b "$step[0, i % 8]"
expect 3 "$ASSAY" lift b.formula
# of a number beside an array: no lane of the array keeps it from a value, even where the array has no elements
beside='recur[k < n, j < i, s[j], u, u](x[0], 2, s[i - 1 - j] / 2, u + sum[q < i](s[q]))'
array a "$beside"
array b "where(i == 0, 2, $beside)"
expect 0 "$ASSAY" check a.formula b.formula
array b "$beside + where(i == 0, 1, 0)"
expect 1 "$ASSAY" check a.formula b.formula
for wrong in '[j < 8, s[j], u, u](0, 0, x[k] + s[j], u + s[j])' '[j < 8, s[j]](0, x[k] + s)[0]' '[j < 8, s[q]](0, s[0])[0]' \
  '[j < 8, s[j]](0, s[7 - j])' '[j < 8, l < 8, s[j, j]](0, s[7 - j, 0])[0, 0]'; do
  array b "$(echo "recur$wrong" | sed 's/recur\[/recur[k < n, /')"
  expect 3 "$ASSAY" lift b.formula
done
finish
