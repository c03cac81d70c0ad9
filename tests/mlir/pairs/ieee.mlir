func.func @dist(%a: f32) -> f32 {
  %c = arith.constant 0.0 : f32
  %0 = math.absf %a : f32
  %1 = arith.addf %0, %c : f32
  return %1 : f32
}
func.func @sign(%a: f32, %b: f32) -> f32 {
  %0 = arith.negf %a : f32
  %1 = arith.mulf %0, %b : f32
  return %1 : f32
}
func.func @clampo(%a: f32) -> f32 {
  %l = arith.constant 1.0 : f32
  %h = arith.constant 6.0 : f32
  %0 = arith.maximumf %a, %l : f32
  %1 = arith.minimumf %0, %h : f32
  return %1 : f32
}
func.func @selmax(%a: f32) -> f32 {
  %l = arith.constant 1.0 : f32
  %c = arith.cmpf olt, %a, %l : f32
  %1 = arith.select %c, %l, %a : f32
  return %1 : f32
}
// ----- proved-each --floats ieee
func.func @dist(%a: f32) -> f32 {
  %0 = math.absf %a : f32
  return %0 : f32
}
func.func @sign(%a: f32, %b: f32) -> f32 {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.negf %0 : f32
  return %1 : f32
}
func.func @clampo(%a: f32) -> f32 {
  %l = arith.constant 1.0 : f32
  %h = arith.constant 6.0 : f32
  %0 = arith.minimumf %a, %h : f32
  %1 = arith.maximumf %0, %l : f32
  return %1 : f32
}
func.func @selmax(%a: f32) -> f32 {
  %l = arith.constant 1.0 : f32
  %1 = arith.maximumf %a, %l : f32
  return %1 : f32
}
// ----- refuted-each --floats ieee
func.func @dist(%a: f32) -> f32 {
  %0 = arith.negf %a : f32
  return %0 : f32
}
func.func @sign(%a: f32, %b: f32) -> f32 {
  %0 = arith.divf %a, %b : f32
  %1 = arith.negf %0 : f32
  return %1 : f32
}
func.func @clampo(%a: f32) -> f32 {
  %l = arith.constant 1.0 : f32
  %h = arith.constant 5.0 : f32
  %0 = arith.minimumf %a, %h : f32
  %1 = arith.maximumf %0, %l : f32
  return %1 : f32
}
func.func @selmax(%a: f32) -> f32 {
  %l = arith.constant 1.0 : f32
  %1 = arith.minimumf %a, %l : f32
  return %1 : f32
}
