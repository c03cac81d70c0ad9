func.func @clamps(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.clamp"(%x) {min_fp = 0.0 : f32, max_fp = 6.0 : f32, min_int = 0 : i64, max_int = 6 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  %1 = "tosa.clamp"(%0) {min_fp = -1.0 : f32, max_fp = 4.0 : f32, min_int = -1 : i64, max_int = 4 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @apart(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %0 = arith.minimumf %x, %one : f32
  %1 = arith.maximumf %0, %two : f32
  return %1 : f32
}
func.func @zeros(%x: f16, %y: f16) -> f16 {
  %p = arith.constant 0.0 : f16
  %n = arith.constant -0.0 : f16
  %0 = arith.minimumf %x, %n : f16
  %1 = arith.minimumf %y, %0 : f16
  %2 = arith.maximumf %1, %p : f16
  return %2 : f16
}
// ----- proved
func.func @clamps(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.clamp"(%x) {min_fp = 0.0 : f32, max_fp = 4.0 : f32, min_int = 0 : i64, max_int = 4 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @apart(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = arith.minimumf %x, %two : f32
  %1 = arith.maximumf %two, %0 : f32
  return %1 : f32
}
func.func @zeros(%x: f16, %y: f16) -> f16 {
  %p = arith.constant 0.0 : f16
  %0 = arith.minimumf %x, %y : f16
  %1 = arith.minimumf %p, %0 : f16
  %2 = arith.maximumf %p, %1 : f16
  return %2 : f16
}
// ----- refuted-each
func.func @clamps(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.clamp"(%x) {min_fp = -1.0 : f32, max_fp = 4.0 : f32, min_int = -1 : i64, max_int = 4 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// What is no number stays that.
func.func @apart(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  return %two : f32
}
func.func @zeros(%x: f16, %y: f16) -> f16 {
  %n = arith.constant -0.0 : f16
  %0 = arith.minimumf %x, %y : f16
  %1 = arith.minimumf %n, %0 : f16
  %2 = arith.maximumf %n, %1 : f16
  return %2 : f16
}
