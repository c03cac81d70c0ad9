func.func @f(%a: f32, %b: f32) -> f32 {
  %n = arith.negf %a : f32
  %r = arith.mulf %n, %b : f32
  return %r : f32
}
// ----- proved
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.negf %a : f32
  %1 = arith.negf %0 : f32
  %2 = arith.negf %1 : f32
  %r = arith.mulf %b, %2 : f32
  return %r : f32
}
// ----- unknown
// It holds, and is not among the identities of the interface.
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.mulf %a, %b : f32
  %r = arith.negf %0 : f32
  return %r : f32
}
// ----- unknown full
func.func @f(%a: f32, %b: f32) -> f32 {
  %n = arith.negf %b : f32
  %r = arith.mulf %a, %n : f32
  return %r : f32
}
// ----- refuted
func.func @f(%a: f32, %b: f32) -> f32 {
  %r = arith.mulf %a, %b : f32
  return %r : f32
}
