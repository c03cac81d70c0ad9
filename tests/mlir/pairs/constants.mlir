func.func @f(%x: f32) -> f32 {
  %a = arith.constant 2.5 : f32
  %b = arith.constant 0.1 : f32
  %c = arith.mulf %a, %b : f32
  %r = arith.addf %x, %c : f32
  return %r : f32
}
func.func @g(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %r = arith.mulf %x, %two : f32
  return %r : f32
}
// ----- proved
func.func @f(%x: f32) -> f32 {
  %c = arith.constant 2.5e-1 : f32
  %r = arith.addf %c, %x : f32
  return %r : f32
}
func.func @g(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}
// ----- refuted
func.func @f(%x: f32) -> f32 {
  %c = arith.constant 2.5001e-1 : f32
  %r = arith.addf %c, %x : f32
  return %r : f32
}
func.func @g(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}
