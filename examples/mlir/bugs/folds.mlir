// Folds of integers and floats: flags that are added, signs, shifts beyond the width, NaN and zeros of both signs.
// The source; behind the lines `// -----` what a right pass, and what a wrong one makes of it.
func.func @nsw_sub(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  %1 = arith.subi %0, %y : i32
  return %1 : i32
}
func.func @div_exact(%x: i32) -> i32 {
  %c = arith.constant 4 : i32
  %0 = arith.divui %x, %c : i32
  return %0 : i32
}
func.func @signed_power(%x: i32) -> i32 {
  %c = arith.constant 4 : i32
  %0 = arith.floordivsi %x, %c : i32
  return %0 : i32
}
func.func @ext_of_trunc(%x: i32) -> i32 {
  %0 = arith.trunci %x : i32 to i8
  %1 = arith.extsi %0 : i8 to i32
  return %1 : i32
}
func.func @mulsi_extended(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %lo, %hi = arith.mulsi_extended %x, %c : i32
  return %hi : i32
}
func.func @compare_unsigned(%x: i32) -> i1 {
  %c = arith.constant 0 : i32
  %0 = arith.cmpi uge, %x, %c : i32
  return %0 : i1
}
func.func @select_of_shift(%x: i32, %n: i32) -> i32 {
  %w = arith.constant 32 : i32
  %z = arith.constant 0 : i32
  %c = arith.cmpi ult, %n, %w : i32
  %s = arith.shli %x, %n : i32
  %r = arith.select %c, %s, %z : i32
  return %r : i32
}
func.func @zero_sign(%x: f32) -> f32 {
  %z = arith.constant -0.0 : f32
  %0 = arith.addf %x, %z : f32
  return %0 : f32
}
func.func @sub_self(%x: f32) -> f32 {
  %0 = arith.subf %x, %x : f32
  return %0 : f32
}
func.func @negated_compare(%x: f32, %y: f32) -> i1 {
  %t = arith.constant true
  %0 = arith.cmpf olt, %x, %y : f32
  %1 = arith.xori %0, %t : i1
  return %1 : i1
}
func.func @clamps_apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.clamp"(%x) {min_fp = 1.0 : f32, max_fp = 6.0 : f32, min_int = 1 : i64, max_int = 6 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %r = "tosa.clamp"(%0) {min_fp = -3.0 : f32, max_fp = 0.0 : f32, min_int = -3 : i64, max_int = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// ----- proved-each
func.func @nsw_sub(%x: i32, %y: i32) -> i32 {
  return %x : i32
}
func.func @div_exact(%x: i32) -> i32 {
  %c = arith.constant 2 : i32
  %0 = arith.shrui %x, %c : i32
  return %0 : i32
}
func.func @signed_power(%x: i32) -> i32 {
  %c = arith.constant 2 : i32
  %0 = arith.shrsi %x, %c : i32
  return %0 : i32
}
func.func @ext_of_trunc(%x: i32) -> i32 {
  %c = arith.constant 24 : i32
  %0 = arith.shli %x, %c : i32
  %1 = arith.shrsi %0, %c : i32
  return %1 : i32
}
func.func @mulsi_extended(%x: i32) -> i32 {
  %c = arith.constant 31 : i32
  %0 = arith.shrsi %x, %c : i32
  return %0 : i32
}
func.func @compare_unsigned(%x: i32) -> i1 {
  %t = arith.constant true
  return %t : i1
}
func.func @select_of_shift(%x: i32, %n: i32) -> i32 {
  %w = arith.constant 32 : i32
  %z = arith.constant 0 : i32
  %c = arith.cmpi uge, %n, %w : i32
  %s = arith.shli %x, %n : i32
  %r = arith.select %c, %z, %s : i32
  return %r : i32
}
func.func @zero_sign(%x: f32) -> f32 {
  return %x : f32
}
func.func @sub_self(%x: f32) -> f32 {
  %n = arith.negf %x : f32
  %0 = arith.addf %n, %x : f32
  return %0 : f32
}
func.func @negated_compare(%x: f32, %y: f32) -> i1 {
  %0 = arith.cmpf uge, %x, %y : f32
  return %0 : i1
}
func.func @clamps_apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "tosa.clamp"(%x) {min_fp = 0.0 : f32, max_fp = 0.0 : f32, min_int = 0 : i64, max_int = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// ----- refuted-each
func.func @nsw_sub(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y overflow<nsw> : i32
  %1 = arith.subi %0, %y overflow<nsw> : i32
  return %1 : i32
}
func.func @div_exact(%x: i32) -> i32 {
  %c = arith.constant 2 : i32
  %0 = arith.shrsi %x, %c : i32
  return %0 : i32
}
func.func @signed_power(%x: i32) -> i32 {
  %c = arith.constant 4 : i32
  %0 = arith.divsi %x, %c : i32
  return %0 : i32
}
func.func @ext_of_trunc(%x: i32) -> i32 {
  return %x : i32
}
func.func @mulsi_extended(%x: i32) -> i32 {
  %c = arith.constant 0 : i32
  return %c : i32
}
func.func @compare_unsigned(%x: i32) -> i1 {
  %c = arith.constant 0 : i32
  %0 = arith.cmpi sge, %x, %c : i32
  return %0 : i1
}
func.func @select_of_shift(%x: i32, %n: i32) -> i32 {
  %s = arith.shli %x, %n : i32
  return %s : i32
}
func.func @zero_sign(%x: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %0 = arith.addf %x, %z : f32
  return %0 : f32
}
func.func @sub_self(%x: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  return %z : f32
}
func.func @negated_compare(%x: f32, %y: f32) -> i1 {
  %0 = arith.cmpf oge, %x, %y : f32
  return %0 : i1
}
func.func @clamps_apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "tosa.clamp"(%x) {min_fp = 1.0 : f32, max_fp = 0.0 : f32, min_int = 1 : i64, max_int = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
