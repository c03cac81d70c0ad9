// What NaN, infinities and zeros make of sums, products, quotients and exp, of values that are not known.
func.func @sum(%a: f32) -> i1 {
  %inf = arith.constant 0x7F800000 : f32
  %r = arith.addf %inf, %a : f32
  %o = arith.cmpf ueq, %r, %inf : f32
  return %o : i1
}
func.func @sum_chosen(%a: f64, %b: f64) -> f64 {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %c = arith.cmpf ogt, %a, %b : f64
  %r = arith.addf %a, %inf : f64
  %s = arith.select %c, %r, %inf : f64
  return %s : f64
}
func.func @product(%a: f32) -> i1 {
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %r = arith.mulf %a, %inf : f32
  %c = arith.cmpf oeq, %r, %zero : f32
  return %c : i1
}
func.func @quotient(%a: f32) -> i1 {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = arith.divf %a, %zero : f32
  %e = arith.cmpf oeq, %r, %inf : f32
  %s = arith.andi %c, %e : i1
  return %s : i1
}
func.func @exponential(%a: f32) -> i1 {
  %e = math.exp %a : f32
  %n = arith.cmpf uno, %e, %e : f32
  return %n : i1
}
// ----- proved
func.func @sum(%a: f32) -> i1 {
  %r = arith.constant true
  return %r : i1
}
func.func @sum_chosen(%a: f64, %b: f64) -> f64 {
  %inf = arith.constant 0x7FF0000000000000 : f64
  return %inf : f64
}
func.func @product(%a: f32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @quotient(%a: f32) -> i1 {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %zero, %a : f32
  return %c : i1
}
func.func @exponential(%a: f32) -> i1 {
  %n = arith.cmpf uno, %a, %a : f32
  return %n : i1
}
// ----- refuted-each
func.func @sum(%a: f32) -> i1 {
  %inf = arith.constant 0x7F800000 : f32
  %r = arith.addf %inf, %a : f32
  %o = arith.cmpf oeq, %r, %inf : f32
  return %o : i1
}
func.func @sum_chosen(%a: f64, %b: f64) -> f64 {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %r = arith.addf %a, %inf : f64
  return %r : f64
}
func.func @product(%a: f32) -> i1 {
  %inf = arith.constant 0x7F800000 : f32
  %r = arith.mulf %a, %inf : f32
  %c = arith.cmpf uno, %r, %r : f32
  return %c : i1
}
func.func @quotient(%a: f32) -> i1 {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ole, %zero, %a : f32
  return %c : i1
}
func.func @exponential(%a: f32) -> i1 {
  %n = arith.constant false
  return %n : i1
}
// ----- unknown
// It holds, and is not among the identities of the interface.
func.func @exponential(%a: f32) -> i1 {
  %zero = arith.constant 0.0 : f32
  %e = math.exp %a : f32
  %n = arith.cmpf ult, %e, %zero : f32
  return %n : i1
}
