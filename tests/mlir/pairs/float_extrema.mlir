// What is below an extremum of three is below each of them.
func.func @largest(%x: f32, %y: f32, %z: f32) -> i1 {
  %c = arith.constant 1.0 : f32
  %k = arith.constant 12345.678 : f32
  %e = arith.cmpf oeq, %y, %k : f32
  %m = arith.maximumf %x, %y : f32
  %n = arith.maximumf %m, %z : f32
  %a = arith.cmpf olt, %n, %c : f32
  %r = arith.andi %e, %a : i1
  return %r : i1
}
func.func @least(%x: f64, %y: f64, %z: f64) -> i1 {
  %c = arith.constant 1.0 : f64
  %k = arith.constant -12345.678 : f64
  %e = arith.cmpf oeq, %y, %k : f64
  %m = arith.minimumf %x, %y : f64
  %n = arith.minimumf %m, %z : f64
  %a = arith.cmpf ogt, %n, %c : f64
  %r = arith.andi %e, %a : i1
  return %r : i1
}
func.func @nested(%x: f32, %y: f32) -> i1 {
  %c = arith.constant 1.0 : f32
  %d = arith.constant 2.0 : f32
  %0 = arith.addf %x, %y : f32
  %1 = arith.maximumf %0, %y : f32
  %2 = arith.addf %1, %x : f32
  %3 = arith.maximumf %2, %0 : f32
  %4 = arith.addf %3, %x : f32
  %5 = arith.maximumf %4, %2 : f32
  %6 = arith.addf %5, %x : f32
  %7 = arith.maximumf %6, %4 : f32
  %8 = arith.addf %7, %x : f32
  %9 = arith.maximumf %8, %6 : f32
  %10 = arith.addf %9, %x : f32
  %11 = arith.maximumf %10, %8 : f32
  %a = arith.cmpf olt, %11, %c : f32
  %b = arith.cmpf ult, %11, %d : f32
  %r = arith.andi %a, %b : i1
  return %r : i1
}
// ----- proved
func.func @largest(%x: f32, %y: f32, %z: f32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @least(%x: f64, %y: f64, %z: f64) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @nested(%x: f32, %y: f32) -> i1 {
  %c = arith.constant 1.0 : f32
  %0 = arith.addf %x, %y : f32
  %1 = arith.maximumf %0, %y : f32
  %2 = arith.addf %1, %x : f32
  %3 = arith.maximumf %2, %0 : f32
  %4 = arith.addf %3, %x : f32
  %5 = arith.maximumf %4, %2 : f32
  %6 = arith.addf %5, %x : f32
  %7 = arith.maximumf %6, %4 : f32
  %8 = arith.addf %7, %x : f32
  %9 = arith.maximumf %8, %6 : f32
  %10 = arith.addf %9, %x : f32
  %11 = arith.maximumf %10, %8 : f32
  %a = arith.cmpf olt, %11, %c : f32
  return %a : i1
}
// ----- refuted-each
func.func @largest(%x: f32, %y: f32, %z: f32) -> i1 {
  %c = arith.constant 1.0 : f32
  %k = arith.constant 12345.678 : f32
  %e = arith.cmpf oeq, %y, %k : f32
  %n = arith.maximumf %x, %z : f32
  %a = arith.cmpf olt, %n, %c : f32
  %r = arith.andi %e, %a : i1
  return %r : i1
}
func.func @least(%x: f64, %y: f64, %z: f64) -> i1 {
  %c = arith.constant 1.0 : f64
  %k = arith.constant -12345.678 : f64
  %e = arith.cmpf oeq, %y, %k : f64
  %n = arith.minimumf %x, %z : f64
  %a = arith.cmpf ogt, %n, %c : f64
  %r = arith.andi %e, %a : i1
  return %r : i1
}
