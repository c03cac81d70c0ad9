func.func private @next(i32) -> i32
func.func private @print(i32)
func.func @f(%x: i32) -> i32 {
  %a = func.call @next(%x) : (i32) -> i32
  func.call @print(%a) : (i32) -> ()
  %b = func.call @next(%x) : (i32) -> i32
  %r = arith.subi %a, %b : i32
  return %r : i32
}
// ----- proved
func.func private @next(i32) -> i32
func.func private @print(i32)
func.func @f(%x: i32) -> i32 {
  %a = func.call @next(%x) : (i32) -> i32
  func.call @print(%a) : (i32) -> ()
  %b = func.call @next(%x) : (i32) -> i32
  %c = arith.constant -1 : i32
  %n = arith.muli %b, %c : i32
  %r = arith.addi %n, %a : i32
  return %r : i32
}
// ----- unknown
func.func private @next(i32) -> i32
func.func private @print(i32)
func.func @f(%x: i32) -> i32 {
  %a = func.call @next(%x) : (i32) -> i32
  %b = func.call @next(%x) : (i32) -> i32
  %r = arith.subi %a, %b : i32
  return %r : i32
}
// ----- unknown
func.func private @next(i32) -> i32
func.func private @print(i32)
func.func @f(%x: i32) -> i32 {
  %a = func.call @next(%x) : (i32) -> i32
  func.call @print(%x) : (i32) -> ()
  %b = func.call @next(%x) : (i32) -> i32
  %r = arith.subi %a, %b : i32
  return %r : i32
}
// ----- unknown
func.func private @next(i32) -> i32
func.func private @print(i32)
func.func @f(%x: i32) -> i32 {
  %a = func.call @next(%x) : (i32) -> i32
  func.call @print(%a) : (i32) -> ()
  %b = func.call @next(%x) : (i32) -> i32
  %r = arith.constant 0 : i32
  return %r : i32
}
// ----- refuted
func.func private @next(i32) -> i32
func.func private @print(i32)
func.func @f(%x: i32) -> i32 {
  %a = func.call @next(%x) : (i32) -> i32
  func.call @print(%a) : (i32) -> ()
  %b = func.call @next(%a) : (i32) -> i32
  %r = arith.subi %a, %b : i32
  return %r : i32
}
