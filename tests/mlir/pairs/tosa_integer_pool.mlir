// The mean of integers is a product with the reciprocal of their count, as a fixed-point number.
func.func @a(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %0 = tosa.avg_pool2d %x {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  return %0 : tensor<1x2x2x2xi8>
}
// ----- refuted
func.func @a(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %0 = tosa.avg_pool2d %x {acc_type = i32, kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  return %0 : tensor<1x2x2x2xi8>
}
// ----- refuted
func.func @a(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %0 = tosa.avg_pool2d %x {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, quantization_info = #tosa.unary_quant<input_zp = 1, output_zp = 0>} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  return %0 : tensor<1x2x2x2xi8>
}
// ----- proved
#same = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @a(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %zero = arith.constant 0 : i32
  %factor = arith.constant 1073741825 : i64
  %half = arith.constant 2147483648 : i64
  %shift = arith.constant 32 : i64
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %e = tensor.empty() : tensor<1x2x2x2xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  %k = tensor.empty() : tensor<2x2xi32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<1x4x4x2xi8>, tensor<2x2xi32>) outs(%z : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  %d = tensor.empty() : tensor<1x2x2x2xi8>
  %0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x2x2x2xi32>) outs(%d : tensor<1x2x2x2xi8>) {
  ^bb0(%sum: i32, %o: i8):
    %wide = arith.extsi %sum : i32 to i64
    %product = arith.muli %wide, %factor : i64
    %rounded = arith.addi %half, %product : i64
    %mean = arith.shrsi %rounded, %shift : i64
    %narrow = arith.trunci %mean : i64 to i32
    %low = arith.minsi %narrow, %most : i32
    %in = arith.maxsi %low, %least : i32
    %r = arith.trunci %in : i32 to i8
    linalg.yield %r : i8
  } -> tensor<1x2x2x2xi8>
  return %0 : tensor<1x2x2x2xi8>
}
