// A difference that wraps at one value: arith-expand of a ceiling division.
func.func @ceildivui(%a: index) -> index {
  %c16 = arith.constant 16 : index
  %r = arith.ceildivui %a, %c16 : index
  return %r : index
}
func.func @wrapped(%a: i64) -> i1 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %b = arith.subi %a, %c1 : i64
  %r = arith.cmpi sge, %b, %c0 : i64
  return %r : i1
}
// ----- proved-each
func.func @ceildivui(%a: index) -> index {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_none = arith.cmpi eq, %a, %c0 : index
  %less = arith.subi %a, %c1 : index
  %q = arith.divui %less, %c16 : index
  %more = arith.addi %q, %c1 : index
  %r = arith.select %is_none, %c0, %more : index
  return %r : index
}
func.func @wrapped(%a: i64) -> i1 {
  %c0 = arith.constant 0 : i64
  %least = arith.constant -9223372036854775808 : i64
  %above = arith.cmpi sgt, %a, %c0 : i64
  %wraps = arith.cmpi eq, %a, %least : i64
  %r = arith.ori %above, %wraps : i1
  return %r : i1
}
// ----- refuted-each
// Not where it wraps.
func.func @ceildivui(%a: index) -> index {
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %less = arith.subi %a, %c1 : index
  %q = arith.divui %less, %c16 : index
  %r = arith.addi %q, %c1 : index
  return %r : index
}
func.func @wrapped(%a: i64) -> i1 {
  %c0 = arith.constant 0 : i64
  %r = arith.cmpi sgt, %a, %c0 : i64
  return %r : i1
}
