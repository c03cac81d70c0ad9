func.func @f(%a: f32, %b: f32) -> (i1, i1, i1, i1, i1, i1, i1) {
  %t = arith.constant true
  %i = arith.constant 0x7F800000 : f32
  %0 = arith.cmpf olt, %a, %b : f32
  %n0 = arith.xori %0, %t : i1
  %1 = arith.cmpf oeq, %a, %a : f32
  %2 = arith.cmpf ole, %a, %i : f32
  %3 = arith.cmpf ugt, %a, %b : f32
  %x = arith.extf %a : f32 to f64
  %y = arith.extf %b : f32 to f64
  %4 = arith.cmpf one, %x, %y : f64
  %c = arith.constant 1.5 : f64
  %5 = arith.cmpf ule, %x, %c : f64
  %6 = arith.cmpf ogt, %a, %i : f32
  return %n0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1, i1
}
func.func @g(%a: i8, %b: i8) -> i1 {
  %x = arith.sitofp %a : i8 to f32
  %y = arith.sitofp %b : i8 to f32
  %0 = arith.cmpf olt, %x, %y : f32
  return %0 : i1
}
func.func @the_same(%a: i32, %b: i32) -> f32 {
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.sitofp %b : i32 to f32
  %c = arith.cmpi eq, %a, %b : i32
  %r = arith.select %c, %0, %1 : f32
  return %r : f32
}
// ----- proved-each
func.func @f(%a: f32, %b: f32) -> (i1, i1, i1, i1, i1, i1, i1) {
  %t = arith.constant true
  %fa = arith.constant false
  %i = arith.constant 0x7F800000 : f32
  %n0 = arith.cmpf uge, %a, %b : f32
  %1 = arith.cmpf ord, %a, %a : f32
  %2 = arith.cmpf ord, %i, %a : f32
  %3 = arith.cmpf ult, %b, %a : f32
  %4 = arith.cmpf one, %b, %a : f32
  %c = arith.constant 1.5 : f32
  %5 = arith.cmpf uge, %c, %a : f32
  return %n0, %1, %2, %3, %4, %5, %fa : i1, i1, i1, i1, i1, i1, i1
}
func.func @g(%a: i8, %b: i8) -> i1 {
  %0 = arith.cmpi sgt, %b, %a : i8
  return %0 : i1
}
func.func @the_same(%a: i32, %b: i32) -> f32 {
  %r = arith.sitofp %b : i32 to f32
  return %r : f32
}
// ----- refuted-each
func.func @f(%a: f32, %b: f32) -> (i1, i1, i1, i1, i1, i1, i1) {
  %t = arith.constant true
  %fa = arith.constant false
  %i = arith.constant 0x7F800000 : f32
  %n0 = arith.cmpf ugt, %a, %b : f32
  %1 = arith.cmpf ord, %a, %a : f32
  %2 = arith.cmpf ord, %i, %a : f32
  %3 = arith.cmpf ult, %b, %a : f32
  %4 = arith.cmpf one, %b, %a : f32
  %c = arith.constant 1.5 : f32
  %5 = arith.cmpf uge, %c, %a : f32
  return %n0, %1, %2, %3, %4, %5, %fa : i1, i1, i1, i1, i1, i1, i1
}
func.func @g(%a: i8, %b: i8) -> i1 {
  %0 = arith.cmpi sge, %b, %a : i8
  return %0 : i1
}
func.func @the_same(%a: i32, %b: i32) -> f32 {
  %r = arith.sitofp %a : i32 to f32
  return %r : f32
}
