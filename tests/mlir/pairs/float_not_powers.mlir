func.func @f(%a: f32) -> f32 {
  %c = arith.constant -4.0 : f32
  %r = arith.divf %a, %c : f32
  return %r : f32
}
// ----- proved
func.func @f(%a: f32) -> f32 {
  %c = arith.constant -4.0 : f32
  %r = arith.divf %a, %c : f32
  return %r : f32
}
// ----- unknown full
func.func @f(%a: f32) -> f32 {
  %c = arith.constant -0.25 : f32
  %r = arith.mulf %c, %a : f32
  return %r : f32
}
// ----- refuted
func.func @f(%a: f32) -> f32 {
  %c = arith.constant 0.25 : f32
  %r = arith.mulf %c, %a : f32
  return %r : f32
}
