// Casts and remainders: widths, signs, and digits in the wrong order.
// The source; behind the lines `// -----` what a right pass, and what a wrong one makes of it.
func.func @remainder_of_power(%x: i32) -> i32 {
  %c = arith.constant 8 : i32
  %0 = arith.remui %x, %c : i32
  return %0 : i32
}
func.func @index_round_trip(%x: i32) -> i64 {
  %0 = arith.index_cast %x : i32 to index
  %1 = arith.index_cast %0 : index to i64
  return %1 : i64
}
func.func @extended_compare(%x: i8, %y: i8) -> i1 {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.cmpi slt, %0, %1 : i32
  return %2 : i1
}
func.func @float_of_flag(%x: i1) -> f32 {
  %0 = arith.uitofp %x : i1 to f32
  return %0 : f32
}
func.func @narrow_then_widen(%x: f32) -> f32 {
  %0 = arith.extf %x : f32 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}
func.func @depthwise_channels(%x: tensor<1x4x4x2xf32>, %f: tensor<2x2x2x3xf32>, %o: tensor<1x3x3x2x3xf32>) -> tensor<1x3x3x6xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %f : tensor<1x4x4x2xf32>, tensor<2x2x2x3xf32>) outs(%o : tensor<1x3x3x2x3xf32>) -> tensor<1x3x3x2x3xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2], [3, 4]] : tensor<1x3x3x2x3xf32> into tensor<1x3x3x6xf32>
  return %1 : tensor<1x3x3x6xf32>
}
// ----- proved-each
func.func @remainder_of_power(%x: i32) -> i32 {
  %c = arith.constant 7 : i32
  %0 = arith.andi %x, %c : i32
  return %0 : i32
}
func.func @index_round_trip(%x: i32) -> i64 {
  %0 = arith.extsi %x : i32 to i64
  return %0 : i64
}
func.func @extended_compare(%x: i8, %y: i8) -> i1 {
  %0 = arith.cmpi slt, %x, %y : i8
  return %0 : i1
}
func.func @float_of_flag(%x: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %0 = arith.select %x, %one, %zero : f32
  return %0 : f32
}
func.func @narrow_then_widen(%x: f32) -> f32 {
  return %x : f32
}
func.func @depthwise_channels(%x: tensor<1x4x4x2xf32>, %f: tensor<2x2x2x3xf32>, %o: tensor<1x3x3x2x3xf32>) -> tensor<1x3x3x6xf32> {
  %g = tensor.collapse_shape %f [[0], [1], [2, 3]] : tensor<2x2x2x3xf32> into tensor<2x2x6xf32>
  %c = tensor.collapse_shape %o [[0], [1], [2], [3, 4]] : tensor<1x3x3x2x3xf32> into tensor<1x3x3x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c floordiv 3)>, affine_map<(n, h, w, c, i, j) -> (i, j, c)>, affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %g : tensor<1x4x4x2xf32>, tensor<2x2x6xf32>) outs(%c : tensor<1x3x3x6xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x3x3x6xf32>
  return %0 : tensor<1x3x3x6xf32>
}
// ----- refuted-each
func.func @remainder_of_power(%x: i32) -> i32 {
  %c = arith.constant 8 : i32
  %0 = arith.remsi %x, %c : i32
  return %0 : i32
}
func.func @index_round_trip(%x: i32) -> i64 {
  %0 = arith.extui %x : i32 to i64
  return %0 : i64
}
func.func @extended_compare(%x: i8, %y: i8) -> i1 {
  %0 = arith.cmpi ult, %x, %y : i8
  return %0 : i1
}
func.func @float_of_flag(%x: i1) -> f32 {
  %0 = arith.sitofp %x : i1 to f32
  return %0 : f32
}
func.func @narrow_then_widen(%x: f32) -> f32 {
  %0 = arith.truncf %x : f32 to f16
  %1 = arith.extf %0 : f16 to f32
  return %1 : f32
}
func.func @depthwise_channels(%x: tensor<1x4x4x2xf32>, %f: tensor<2x2x2x3xf32>, %o: tensor<1x3x3x2x3xf32>) -> tensor<1x3x3x6xf32> {
  %g = tensor.collapse_shape %f [[0], [1], [2, 3]] : tensor<2x2x2x3xf32> into tensor<2x2x6xf32>
  %c = tensor.collapse_shape %o [[0], [1], [2], [3, 4]] : tensor<1x3x3x2x3xf32> into tensor<1x3x3x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c mod 2)>, affine_map<(n, h, w, c, i, j) -> (i, j, c)>, affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %g : tensor<1x4x4x2xf32>, tensor<2x2x6xf32>) outs(%c : tensor<1x3x3x6xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x3x3x6xf32>
  return %0 : tensor<1x3x3x6xf32>
}
