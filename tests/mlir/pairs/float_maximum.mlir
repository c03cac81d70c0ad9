func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %a, %b : f32
  %r = arith.maximumf %0, %b : f32
  return %r : f32
}
// ----- proved
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %b, %b : f32
  %r = arith.maximumf %0, %a : f32
  return %r : f32
}
// ----- unknown
// It holds: max(x, x) = x is not among the identities of the interface.
func.func @f(%a: f32, %b: f32) -> f32 {
  %r = arith.maximumf %a, %b : f32
  return %r : f32
}
// ----- refuted
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.minimumf %a, %b : f32
  %r = arith.maximumf %0, %b : f32
  return %r : f32
}
