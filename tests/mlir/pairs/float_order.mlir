func.func @trichotomy(%x: f32, %y: f32) -> i1 {
  %a = arith.cmpf olt, %x, %y : f32
  %b = arith.cmpf oeq, %x, %y : f32
  %c = arith.cmpf ogt, %x, %y : f32
  %d = arith.ori %a, %b : i1
  %r = arith.ori %d, %c : i1
  return %r : i1
}
func.func @transitive(%x: f64, %y: f64, %z: f64) -> i1 {
  %a = arith.cmpf ole, %x, %y : f64
  %b = arith.cmpf olt, %y, %z : f64
  %d = arith.andi %a, %b : i1
  %c = arith.cmpf olt, %x, %z : f64
  %r = arith.andi %d, %c : i1
  return %r : i1
}
func.func @constants(%x: f16) -> i1 {
  %one = arith.constant 1.0 : f16
  %two = arith.constant 2.0 : f16
  %a = arith.cmpf olt, %x, %one : f16
  %b = arith.cmpf ult, %x, %two : f16
  %r = arith.andi %a, %b : i1
  return %r : i1
}
func.func @positive(%x: f32) -> i1 {
  %zero = arith.constant 0.0 : f32
  %a = math.absf %x : f32
  %r = arith.cmpf uge, %a, %zero : f32
  return %r : i1
}
func.func @chosen(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  %c = arith.constant 3.0 : f32
  %k = arith.cmpf oeq, %s, %c : f32
  %r = arith.select %k, %s, %c : f32
  return %r : f32
}
func.func @narrowed(%x: f64) -> i1 {
  %c = arith.constant 1.0 : f64
  %d = arith.constant 1.0 : f32
  %n = arith.truncf %x : f64 to f32
  %a = arith.cmpf olt, %x, %c : f64
  %b = arith.cmpf ogt, %n, %d : f32
  %r = arith.andi %a, %b : i1
  return %r : i1
}
// ----- proved
func.func @trichotomy(%x: f32, %y: f32) -> i1 {
  %r = arith.cmpf ord, %x, %y : f32
  return %r : i1
}
func.func @transitive(%x: f64, %y: f64, %z: f64) -> i1 {
  %a = arith.cmpf oge, %y, %x : f64
  %b = arith.cmpf ogt, %z, %y : f64
  %r = arith.andi %a, %b : i1
  return %r : i1
}
func.func @constants(%x: f16) -> i1 {
  %one = arith.constant 1.0 : f16
  %r = arith.cmpf olt, %x, %one : f16
  return %r : i1
}
func.func @positive(%x: f32) -> i1 {
  %r = arith.constant true
  return %r : i1
}
func.func @chosen(%x: f32, %y: f32) -> f32 {
  %c = arith.constant 3.0 : f32
  return %c : f32
}
func.func @narrowed(%x: f64) -> i1 {
  %r = arith.constant false
  return %r : i1
}
// ----- refuted-each
func.func @trichotomy(%x: f32, %y: f32) -> i1 {
  %r = arith.constant true
  return %r : i1
}
func.func @transitive(%x: f64, %y: f64, %z: f64) -> i1 {
  %r = arith.cmpf olt, %x, %z : f64
  return %r : i1
}
func.func @constants(%x: f16) -> i1 {
  %two = arith.constant 2.0 : f16
  %r = arith.cmpf olt, %x, %two : f16
  return %r : i1
}
func.func @positive(%x: f32) -> i1 {
  %zero = arith.constant 0.0 : f32
  %r = arith.cmpf uge, %x, %zero : f32
  return %r : i1
}
func.func @chosen(%x: f32, %y: f32) -> f32 {
  %r = arith.addf %x, %y : f32
  return %r : f32
}
func.func @narrowed(%x: f64) -> i1 {
  %c = arith.constant 1.0 : f64
  %d = arith.constant 1.0 : f32
  %n = arith.truncf %x : f64 to f32
  %a = arith.cmpf olt, %x, %c : f64
  %b = arith.cmpf oge, %n, %d : f32
  %r = arith.andi %a, %b : i1
  return %r : i1
}
// ----- refuted-each
// Nothing but one value shows it.
func.func @narrowed(%x: f64) -> i1 {
  %c = arith.constant 0x3FF0000000000001 : f64
  %r = arith.cmpf oeq, %x, %c : f64
  return %r : i1
}
