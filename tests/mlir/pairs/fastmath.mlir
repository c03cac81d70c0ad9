func.func @f(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  return %0 : f32
}
// ----- proved
func.func @f(%x: f32, %y: f32) -> f32 {
  %n = arith.negf %y : f32
  %0 = arith.subf %x, %n : f32
  return %0 : f32
}
// ----- refuted
func.func @f(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y fastmath<nnan> : f32
  return %0 : f32
}
// ----- unknown
func.func @f(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y fastmath<reassoc> : f32
  return %0 : f32
}
