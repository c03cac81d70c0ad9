func.func private @print(i32)
func.func @f(%a: i32, %b: i32) -> i32 {
  func.call @print(%a) : (i32) -> ()
  %r = arith.divsi %a, %b : i32
  return %r : i32
}
// ----- proved
func.func private @print(i32)
func.func @f(%a: i32, %b: i32) -> i32 {
  func.call @print(%a) : (i32) -> ()
  %r = arith.divsi %a, %b : i32
  return %r : i32
}
// ----- unknown
// A division by zero before a call that may not return.
func.func private @print(i32)
func.func @f(%a: i32, %b: i32) -> i32 {
  %r = arith.divsi %a, %b : i32
  func.call @print(%a) : (i32) -> ()
  return %r : i32
}
