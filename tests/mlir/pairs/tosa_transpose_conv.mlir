func.func @strided(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x9x9x3xf32> {
  %0 = "tosa.transpose_conv2d"(%x, %w, %b) {out_pad = array<i64: 0, 0, 0, 0>, out_shape = array<i64: 1, 9, 9, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x9x9x3xf32>
  return %0 : tensor<1x9x9x3xf32>
}
func.func @dense(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x7x6x3xf32> {
  %0 = "tosa.transpose_conv2d"(%x, %w, %b) {out_pad = array<i64: 1, 1, 1, 0>, out_shape = array<i64: 1, 7, 6, 3>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<1x7x6x3xf32>
  return %0 : tensor<1x7x6x3xf32>
}
func.func @padded(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x10x8x3xf32> {
  %0 = "tosa.transpose_conv2d"(%x, %w, %b) {out_pad = array<i64: 1, 0, -1, 0>, out_shape = array<i64: 1, 10, 8, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x10x8x3xf32>
  return %0 : tensor<1x10x8x3xf32>
}
func.func @cropped(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x8x8x3xf32> {
  %0 = "tosa.transpose_conv2d"(%x, %w, %b) {out_pad = array<i64: 0, -1, 0, -1>, out_shape = array<i64: 1, 8, 8, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}
func.func @integers(%x: tensor<1x3x3x2xi8>, %w: tensor<2x2x2x2xi8>, %b: tensor<2xi32>) -> tensor<1x6x6x2xi32> {
  %0 = "tosa.transpose_conv2d"(%x, %w, %b) {out_pad = array<i64: 0, 0, 0, 0>, out_shape = array<i64: 1, 6, 6, 2>, stride = array<i64: 2, 2>, quantization_info = #tosa.conv_quant<input_zp = 1, weight_zp = 0>} : (tensor<1x3x3x2xi8>, tensor<2x2x2x2xi8>, tensor<2xi32>) -> tensor<1x6x6x2xi32>
  return %0 : tensor<1x6x6x2xi32>
}
// ----- proved
func.func @strided(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x3x3x2xf32>, %arg2: tensor<3xf32>) -> tensor<1x9x9x3xf32> {
  %0 = "tosa.const"() <{value = dense<[0, 1, 3, 2, 4, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %1 = "tosa.const"() <{value = dense<0.000000e+00> : tensor<12xf32>}> : () -> tensor<12xf32>
  %2 = "tosa.const"() <{value = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %3 = "tosa.const"() <{value = dense<[2, 4, 0, 1, 3, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %4 = "tosa.const"() <{value = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %5 = tosa.pad %arg1, %4 : (tensor<3x3x3x2xf32>, tensor<4x2xi32>) -> tensor<3x4x4x2xf32>
  %6 = tosa.reshape %5 {new_shape = array<i64: 3, 2, 2, 2, 2, 2>} : (tensor<3x4x4x2xf32>) -> tensor<3x2x2x2x2x2xf32>
  %7 = tosa.transpose %6, %3 : (tensor<3x2x2x2x2x2xf32>, tensor<6xi32>) -> tensor<2x2x3x2x2x2xf32>
  %8 = tosa.reshape %7 {new_shape = array<i64: 12, 2, 2, 2>} : (tensor<2x2x3x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %9 = tosa.reverse %8 {axis = 1 : i32} : (tensor<12x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %10 = tosa.reverse %9 {axis = 2 : i32} : (tensor<12x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %11 = tosa.pad %arg0, %2 : (tensor<1x4x4x2xf32>, tensor<4x2xi32>) -> tensor<1x6x6x2xf32>
  %12 = tosa.conv2d %11, %10, %1 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<12x2x2x2xf32>, tensor<12xf32>) -> tensor<1x5x5x12xf32>
  %13 = tosa.reshape %12 {new_shape = array<i64: 1, 5, 5, 2, 2, 3>} : (tensor<1x5x5x12xf32>) -> tensor<1x5x5x2x2x3xf32>
  %14 = tosa.transpose %13, %0 : (tensor<1x5x5x2x2x3xf32>, tensor<6xi32>) -> tensor<1x5x2x5x2x3xf32>
  %15 = tosa.reshape %14 {new_shape = array<i64: 1, 10, 10, 3>} : (tensor<1x5x2x5x2x3xf32>) -> tensor<1x10x10x3xf32>
  %16 = tosa.slice %15 {size = array<i64: 1, 9, 9, 3>, start = array<i64: 0, 0, 0, 0>} : (tensor<1x10x10x3xf32>) -> tensor<1x9x9x3xf32>
  %17 = tosa.reshape %arg2 {new_shape = array<i64: 1, 1, 1, 3>} : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
  %18 = tosa.add %16, %17 : (tensor<1x9x9x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x9x9x3xf32>
  return %18 : tensor<1x9x9x3xf32>
}
func.func @dense(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x2x2x2xf32>, %arg2: tensor<3xf32>) -> tensor<1x7x6x3xf32> {
  %0 = tosa.reverse %arg1 {axis = 1 : i32} : (tensor<3x2x2x2xf32>) -> tensor<3x2x2x2xf32>
  %1 = tosa.reverse %0 {axis = 2 : i32} : (tensor<3x2x2x2xf32>) -> tensor<3x2x2x2xf32>
  %2 = tosa.conv2d %arg0, %1, %arg2 {dilation = array<i64: 1, 1>, pad = array<i64: 2, 2, 2, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<1x7x6x3xf32>
  return %2 : tensor<1x7x6x3xf32>
}
func.func @padded(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x3x3x2xf32>, %arg2: tensor<3xf32>) -> tensor<1x10x8x3xf32> {
  %0 = "tosa.const"() <{value = dense<[[0, 0], [1, 0], [0, 0], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %1 = "tosa.const"() <{value = dense<[0, 1, 3, 2, 4, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %2 = "tosa.const"() <{value = dense<0.000000e+00> : tensor<12xf32>}> : () -> tensor<12xf32>
  %3 = "tosa.const"() <{value = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %4 = "tosa.const"() <{value = dense<[2, 4, 0, 1, 3, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %5 = "tosa.const"() <{value = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %6 = tosa.pad %arg1, %5 : (tensor<3x3x3x2xf32>, tensor<4x2xi32>) -> tensor<3x4x4x2xf32>
  %7 = tosa.reshape %6 {new_shape = array<i64: 3, 2, 2, 2, 2, 2>} : (tensor<3x4x4x2xf32>) -> tensor<3x2x2x2x2x2xf32>
  %8 = tosa.transpose %7, %4 : (tensor<3x2x2x2x2x2xf32>, tensor<6xi32>) -> tensor<2x2x3x2x2x2xf32>
  %9 = tosa.reshape %8 {new_shape = array<i64: 12, 2, 2, 2>} : (tensor<2x2x3x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %10 = tosa.reverse %9 {axis = 1 : i32} : (tensor<12x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %11 = tosa.reverse %10 {axis = 2 : i32} : (tensor<12x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %12 = tosa.pad %arg0, %3 : (tensor<1x4x4x2xf32>, tensor<4x2xi32>) -> tensor<1x6x6x2xf32>
  %13 = tosa.conv2d %12, %11, %2 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<12x2x2x2xf32>, tensor<12xf32>) -> tensor<1x5x5x12xf32>
  %14 = tosa.reshape %13 {new_shape = array<i64: 1, 5, 5, 2, 2, 3>} : (tensor<1x5x5x12xf32>) -> tensor<1x5x5x2x2x3xf32>
  %15 = tosa.transpose %14, %1 : (tensor<1x5x5x2x2x3xf32>, tensor<6xi32>) -> tensor<1x5x2x5x2x3xf32>
  %16 = tosa.reshape %15 {new_shape = array<i64: 1, 10, 10, 3>} : (tensor<1x5x2x5x2x3xf32>) -> tensor<1x10x10x3xf32>
  %17 = tosa.slice %16 {size = array<i64: 1, 9, 8, 3>, start = array<i64: 0, 0, 1, 0>} : (tensor<1x10x10x3xf32>) -> tensor<1x9x8x3xf32>
  %18 = tosa.pad %17, %0 : (tensor<1x9x8x3xf32>, tensor<4x2xi32>) -> tensor<1x10x8x3xf32>
  %19 = tosa.reshape %arg2 {new_shape = array<i64: 1, 1, 1, 3>} : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
  %20 = tosa.add %18, %19 : (tensor<1x10x8x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x10x8x3xf32>
  return %20 : tensor<1x10x8x3xf32>
}
func.func @cropped(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x3x3x2xf32>, %arg2: tensor<3xf32>) -> tensor<1x8x8x3xf32> {
  %0 = "tosa.const"() <{value = dense<[0, 1, 3, 2, 4, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %1 = "tosa.const"() <{value = dense<0.000000e+00> : tensor<12xf32>}> : () -> tensor<12xf32>
  %2 = "tosa.const"() <{value = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %3 = "tosa.const"() <{value = dense<[2, 4, 0, 1, 3, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %4 = "tosa.const"() <{value = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
  %5 = tosa.pad %arg1, %4 : (tensor<3x3x3x2xf32>, tensor<4x2xi32>) -> tensor<3x4x4x2xf32>
  %6 = tosa.reshape %5 {new_shape = array<i64: 3, 2, 2, 2, 2, 2>} : (tensor<3x4x4x2xf32>) -> tensor<3x2x2x2x2x2xf32>
  %7 = tosa.transpose %6, %3 : (tensor<3x2x2x2x2x2xf32>, tensor<6xi32>) -> tensor<2x2x3x2x2x2xf32>
  %8 = tosa.reshape %7 {new_shape = array<i64: 12, 2, 2, 2>} : (tensor<2x2x3x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %9 = tosa.reverse %8 {axis = 1 : i32} : (tensor<12x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %10 = tosa.reverse %9 {axis = 2 : i32} : (tensor<12x2x2x2xf32>) -> tensor<12x2x2x2xf32>
  %11 = tosa.pad %arg0, %2 : (tensor<1x4x4x2xf32>, tensor<4x2xi32>) -> tensor<1x6x6x2xf32>
  %12 = tosa.conv2d %11, %10, %1 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<12x2x2x2xf32>, tensor<12xf32>) -> tensor<1x5x5x12xf32>
  %13 = tosa.reshape %12 {new_shape = array<i64: 1, 5, 5, 2, 2, 3>} : (tensor<1x5x5x12xf32>) -> tensor<1x5x5x2x2x3xf32>
  %14 = tosa.transpose %13, %0 : (tensor<1x5x5x2x2x3xf32>, tensor<6xi32>) -> tensor<1x5x2x5x2x3xf32>
  %15 = tosa.reshape %14 {new_shape = array<i64: 1, 10, 10, 3>} : (tensor<1x5x2x5x2x3xf32>) -> tensor<1x10x10x3xf32>
  %16 = tosa.slice %15 {size = array<i64: 1, 8, 8, 3>, start = array<i64: 0, 0, 0, 0>} : (tensor<1x10x10x3xf32>) -> tensor<1x8x8x3xf32>
  %17 = tosa.reshape %arg2 {new_shape = array<i64: 1, 1, 1, 3>} : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
  %18 = tosa.add %16, %17 : (tensor<1x8x8x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x8x8x3xf32>
  return %18 : tensor<1x8x8x3xf32>
}
// By the definition of TOSA: stride and kernel are 2, so that each output has one place.
#place = affine_map<(n, y, x, c, k) -> (n, y floordiv 2, x floordiv 2, k)>
#weight = affine_map<(n, y, x, c, k) -> (c, y mod 2, x mod 2, k)>
#out = affine_map<(n, y, x, c, k) -> (n, y, x, c)>
func.func @integers(%x: tensor<1x3x3x2xi8>, %w: tensor<2x2x2x2xi8>, %b: tensor<2xi32>) -> tensor<1x6x6x2xi32> {
  %e = tensor.empty() : tensor<1x6x6x2xi32>
  %i = linalg.broadcast ins(%b : tensor<2xi32>) outs(%e : tensor<1x6x6x2xi32>) dimensions = [0, 1, 2]
  %0 = linalg.generic {indexing_maps = [#place, #weight, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x3x3x2xi8>, tensor<2x2x2x2xi8>) outs(%i : tensor<1x6x6x2xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %one = arith.constant 1 : i32
    %d = arith.subi %u, %one : i32
    %m = arith.muli %d, %v : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<1x6x6x2xi32>
  return %0 : tensor<1x6x6x2xi32>
}
// ----- refuted-each
func.func @strided(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x9x9x3xf32> {
  %r = "tosa.reverse"(%w) {axis = 2 : i32} : (tensor<3x3x3x2xf32>) -> tensor<3x3x3x2xf32>
  %0 = "tosa.transpose_conv2d"(%x, %r, %b) {out_pad = array<i64: 0, 0, 0, 0>, out_shape = array<i64: 1, 9, 9, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x9x9x3xf32>
  return %0 : tensor<1x9x9x3xf32>
}
func.func @dense(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x7x6x3xf32> {
  %r = "tosa.reverse"(%w) {axis = 2 : i32} : (tensor<3x2x2x2xf32>) -> tensor<3x2x2x2xf32>
  %0 = "tosa.transpose_conv2d"(%x, %r, %b) {out_pad = array<i64: 0, 2, 1, 0>, out_shape = array<i64: 1, 7, 6, 3>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<1x7x6x3xf32>
  return %0 : tensor<1x7x6x3xf32>
}
func.func @padded(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x10x8x3xf32> {
  %r = "tosa.reverse"(%w) {axis = 2 : i32} : (tensor<3x3x3x2xf32>) -> tensor<3x3x3x2xf32>
  %0 = "tosa.transpose_conv2d"(%x, %r, %b) {out_pad = array<i64: 1, 0, -1, 0>, out_shape = array<i64: 1, 10, 8, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x10x8x3xf32>
  return %0 : tensor<1x10x8x3xf32>
}
func.func @cropped(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x8x8x3xf32> {
  %r = "tosa.reverse"(%w) {axis = 2 : i32} : (tensor<3x3x3x2xf32>) -> tensor<3x3x3x2xf32>
  %0 = "tosa.transpose_conv2d"(%x, %r, %b) {out_pad = array<i64: 0, -1, 0, -1>, out_shape = array<i64: 1, 8, 8, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}
// By the definition of TOSA: stride and kernel are 2, so that each output has one place.
#place = affine_map<(n, y, x, c, k) -> (n, y floordiv 2, x floordiv 2, k)>
#weight = affine_map<(n, y, x, c, k) -> (c, x mod 2, y mod 2, k)>
#out = affine_map<(n, y, x, c, k) -> (n, y, x, c)>
func.func @integers(%x: tensor<1x3x3x2xi8>, %w: tensor<2x2x2x2xi8>, %b: tensor<2xi32>) -> tensor<1x6x6x2xi32> {
  %e = tensor.empty() : tensor<1x6x6x2xi32>
  %i = linalg.broadcast ins(%b : tensor<2xi32>) outs(%e : tensor<1x6x6x2xi32>) dimensions = [0, 1, 2]
  %0 = linalg.generic {indexing_maps = [#place, #weight, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x3x3x2xi8>, tensor<2x2x2x2xi8>) outs(%i : tensor<1x6x6x2xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %one = arith.constant 1 : i32
    %d = arith.subi %u, %one : i32
    %m = arith.muli %d, %v : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<1x6x6x2xi32>
  return %0 : tensor<1x6x6x2xi32>
}
