# What an operation needs is asked of each of its executions: in each kernel here an early iteration of an unrolled loop
# has an operand that it must not have, and the last one has none.
. "$SOURCE/tests/cli/common.sh"
cp "$SOURCE"/tests/cli/unrolled/*.ttir .

refuted() { # FILE TEXT: or unknown, and never safe
  "$ASSAY" lift "$1" >out 2>err </dev/null
  code=$?
  [ "$code" = 1 ] || [ "$code" = 2 ] || fail "exit code $code of $1"
  has out "$2"
}
refuted convert.ttir 'a conversion to i32 of a number that may not fit: 2*x[r]'
refuted quotient.ttir 'undefined refuted, y'
refuted integer_quotient.ttir '0 is divided by 0'
refuted gather.ttir 'bounds refuted: index 16 is out of range'
refuted histogram.ttir 'bounds refuted: index 16 is out of range'
refuted comparison.ttir 'the logarithm of a number that may be 0 or less'

# Where no iteration has such an operand, all is shown.
for file in convert_fits gather_inside quotient_guarded two; do expect 0 "$ASSAY" lift $file.ttir; done

# The right side must be defined where the left is: at x = 0 the early iteration is not.
expect 2 "$ASSAY" check quotient_guarded.ttir quotient.ttir
has out 'verdict     probable'
expect 2 "$ASSAY" check two.ttir integer_quotient.ttir
has out 'verdict     probable'
expect 1 "$ASSAY" check quotient.ttir quotient_guarded.ttir # the left is undefined, which is its own finding
has out "verdict     proved"
finish
