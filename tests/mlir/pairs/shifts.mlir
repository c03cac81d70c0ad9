func.func @f(%a: i32, %n: i32) -> i32 {
  %0 = arith.shli %a, %n overflow<nsw> : i32
  return %0 : i32
}
func.func @g(%a: i32, %n: i32) -> i32 {
  %0 = arith.shli %a, %n : i32
  return %0 : i32
}
func.func @h(%a: i64) -> i64 {
  %c = arith.constant -2 : i64
  %0 = arith.remui %a, %c : i64
  return %0 : i64
}
// ----- proved-each
func.func @f(%a: i32, %n: i32) -> i32 {
  %0 = arith.shli %a, %n : i32
  return %0 : i32
}
func.func @h(%a: i64) -> i64 {
  %c = arith.constant -2 : i64
  %d = arith.cmpi ult, %a, %c : i64
  %e = arith.subi %a, %c : i64
  %0 = arith.select %d, %a, %e : i64
  return %0 : i64
}
// ----- refuted-each
func.func @g(%a: i32, %n: i32) -> i32 {
  %0 = arith.shli %a, %n overflow<nuw> : i32
  return %0 : i32
}
