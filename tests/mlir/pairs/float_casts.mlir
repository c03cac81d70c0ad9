func.func @f(%x: f16) -> f32 {
  %0 = arith.negf %x : f16
  %r = arith.extf %0 : f16 to f32
  return %r : f32
}
// ----- proved
func.func @f(%x: f16) -> f32 {
  %0 = arith.negf %x : f16
  %1 = arith.extf %0 : f16 to f32
  %2 = arith.truncf %1 : f32 to f16
  %r = arith.extf %2 : f16 to f32
  return %r : f32
}
// ----- unknown
// It holds: a sign that moves through a cast is not among the identities of the interface.
func.func @f(%x: f16) -> f32 {
  %0 = arith.extf %x : f16 to f32
  %r = arith.negf %0 : f32
  return %r : f32
}
// ----- refuted
func.func @f(%x: f16) -> f32 {
  %r = arith.extf %x : f16 to f32
  return %r : f32
}
