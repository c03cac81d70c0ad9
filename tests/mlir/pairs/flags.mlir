func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b overflow<nsw> : i32
  return %0 : i32
}
// ----- proved
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %b, %a : i32
  return %0 : i32
}
// ----- refuted
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %b, %a overflow<nuw> : i32
  return %0 : i32
}
