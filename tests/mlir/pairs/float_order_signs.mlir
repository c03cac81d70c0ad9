// What comparisons see of sums, products and quotients of any values is their sign, and that a cast keeps the order.
func.func @square(%a: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %m = arith.mulf %a, %a : f32
  %r = arith.cmpf olt, %m, %z : f32
  return %r : i1
}
func.func @quotient(%a: f32, %b: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %x = math.absf %a : f32
  %y = math.absf %b : f32
  %n = arith.negf %y : f32
  %q = arith.divf %x, %n : f32
  %r = arith.cmpf ogt, %q, %z : f32
  return %r : i1
}
func.func @sum(%a: f32, %b: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %x = math.absf %a : f32
  %y = math.absf %b : f32
  %s = arith.addf %x, %y : f32
  %r = arith.cmpf olt, %s, %z : f32
  return %r : i1
}
func.func @less(%a: f32, %b: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %a, %b : f32
  %s = arith.subf %b, %a : f32
  %d = arith.cmpf olt, %s, %z : f32
  %r = arith.andi %c, %d : i1
  return %r : i1
}
func.func @rounded(%a: f64, %b: f64) -> i1 {
  %c = arith.cmpf olt, %a, %b : f64
  %x = arith.truncf %a : f64 to f32
  %y = arith.truncf %b : f64 to f32
  %d = arith.cmpf ogt, %x, %y : f32
  %r = arith.andi %c, %d : i1
  return %r : i1
}
// ----- proved
func.func @square(%a: f32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @quotient(%a: f32, %b: f32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @sum(%a: f32, %b: f32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @less(%a: f32, %b: f32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @rounded(%a: f64, %b: f64) -> i1 {
  %r = arith.constant false
  return %r : i1
}
// ----- refuted-each
// Products are zero or NaN, too, and what is less may round to the same.
func.func @square(%a: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %m = arith.mulf %a, %a : f32
  %r = arith.cmpf ole, %m, %z : f32
  return %r : i1
}
func.func @quotient(%a: f32, %b: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %x = math.absf %a : f32
  %y = math.absf %b : f32
  %n = arith.negf %y : f32
  %q = arith.divf %x, %n : f32
  %r = arith.cmpf ugt, %q, %z : f32
  return %r : i1
}
func.func @sum(%a: f32, %b: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %y = math.absf %b : f32
  %s = arith.addf %a, %y : f32
  %r = arith.cmpf olt, %s, %z : f32
  return %r : i1
}
func.func @less(%a: f32, %b: f32) -> i1 {
  %z = arith.constant 0.0 : f32
  %c = arith.cmpf ole, %a, %b : f32
  %s = arith.subf %b, %a : f32
  %d = arith.cmpf ole, %s, %z : f32
  %r = arith.andi %c, %d : i1
  return %r : i1
}
func.func @rounded(%a: f64, %b: f64) -> i1 {
  %c = arith.cmpf olt, %a, %b : f64
  %x = arith.truncf %a : f64 to f32
  %y = arith.truncf %b : f64 to f32
  %d = arith.cmpf oge, %x, %y : f32
  %r = arith.andi %c, %d : i1
  return %r : i1
}
