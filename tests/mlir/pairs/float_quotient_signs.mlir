func.func @f(%a: f32, %b: f32) -> f32 {
  %n = arith.negf %a : f32
  %r = arith.divf %n, %b : f32
  return %r : f32
}
// ----- proved
func.func @f(%a: f32, %b: f32) -> f32 {
  %n = arith.negf %a : f32
  %one = arith.constant 1.0 : f32
  %c = arith.divf %b, %one : f32
  %r = arith.divf %n, %c : f32
  return %r : f32
}
// ----- unknown full
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.divf %a, %b : f32
  %r = arith.negf %0 : f32
  return %r : f32
}
// ----- refuted
func.func @f(%a: f32, %b: f32) -> f32 {
  %r = arith.divf %a, %b : f32
  return %r : f32
}
