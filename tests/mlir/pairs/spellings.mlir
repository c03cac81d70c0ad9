// Spellings of the releases 16 to 22, held against those of 19.
func.func @to_memref(%t: tensor<4xf32>) -> f32 {
  %c = arith.constant 1 : index
  %m = bufferization.to_memref %t : memref<4xf32>
  %r = memref.load %m[%c] : memref<4xf32>
  return %r : f32
}
func.func @to_tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  return %t : tensor<4xf32>
}
func.func @tosaconst() -> tensor<2xf32> {
  %c = "tosa.const"() {value = dense<[1.0,2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  return %c : tensor<2xf32>
}
func.func @expand(%a: tensor<?x4xf32>, %n: index) -> tensor<?x2x2xf32> {
  %r = tensor.expand_shape %a [[0],[1,2]] output_shape [%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  return %r : tensor<?x2x2xf32>
}
func.func @mul(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "tosa.mul"(%a, %a) {shift = 0 : i8} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @rsum(%a: tensor<4x3xf32>) -> tensor<1x3xf32> {
  %r = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<4x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
func.func @concat(%a: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %r = tosa.concat %a, %a {axis = 0 : i32} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
func.func @reverse(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = tosa.reverse %a {axis = 0 : i32} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @sparse(%a: tensor<4x3xf32>) -> tensor<4x3xf32, #CSR> {
  %r = sparse_tensor.convert %a : tensor<4x3xf32> to tensor<4x3xf32, #CSR>
  return %r : tensor<4x3xf32, #CSR>
}
func.func @dwconv(%a: tensor<1x5x5x2xf32>, %k: tensor<3x3x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
  %r = tosa.depthwise_conv2d %a, %k, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
func.func @conv(%a: tensor<1x5x5x2xf32>, %k: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %r = tosa.conv2d %a, %k, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}
func.func @avg(%a: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %r = tosa.avg_pool2d %a {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
func.func @neg(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.negate %a : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @add(%a: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %r = tosa.add %a, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @tile(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %r = tosa.tile %a {multiples = array<i64: 2, 1>} : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @reshape(%a: tensor<2x4xf32>) -> tensor<8xf32> {
  %r = tosa.reshape %a {new_shape = array<i64: 8>} : (tensor<2x4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @transpose(%a: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %p = "tosa.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r = tosa.transpose %a, %p : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
func.func @clamp(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.clamp %a {min_fp = 0.0 : f32, max_fp = 6.0 : f32, min_int = 0 : i64, max_int = 6 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @pad(%a: tensor<2xf32>) -> tensor<4xf32> {
  %s = "tosa.const"() <{value = dense<[[1, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %r = tosa.pad %a, %s : (tensor<2xf32>, tensor<1x2xi32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @slice(%a: tensor<6xf32>) -> tensor<3xf32> {
  %r = tosa.slice %a {start = array<i64: 2>, size = array<i64: 3>} : (tensor<6xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @matmul(%a: tensor<1x2x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<1x2x4xf32> {
  %r = tosa.matmul %a, %b : (tensor<1x2x3xf32>, tensor<1x3x4xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}
func.func @div(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = tosa.int_div %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// ----- proved-each
// not for mlir-opt
func.func @to_memref(%t: tensor<4xf32>) -> f32 {
  %c = arith.constant 1 : index
  %m = bufferization.to_memref %t read_only : memref<4xf32>
  %r = memref.load %m[%c] : memref<4xf32>
  return %r : f32
}
func.func @to_tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32>
  return %t : tensor<4xf32>
}
func.func @tosaconst() -> tensor<2xf32> {
  %c = "tosa.const"() <{values = dense<[1.0,2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %c : tensor<2xf32>
}
func.func @expand(%a: tensor<?x4xf32>, %n: index) -> tensor<?x2x2xf32> {
  %r = tensor.expand_shape %a [[0],[1,2]] : tensor<?x4xf32> into tensor<?x2x2xf32>
  return %r : tensor<?x2x2xf32>
}
func.func @mul(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "tosa.mul"(%a, %a) {shift = 0 : i32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @rsum(%a: tensor<4x3xf32>) -> tensor<1x3xf32> {
  %r = "tosa.reduce_sum"(%a) {axis = 0 : i64} : (tensor<4x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
func.func @concat(%a: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %r = "tosa.concat"(%a,%a) {axis = 0 : i64} : (tensor<4x3xf32>,tensor<4x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
func.func @reverse(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = "tosa.reverse"(%a) {axis = 0 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
#CSR = #sparse_tensor.encoding<{ lvlTypes = [ "dense", "compressed" ], posWidth = 64, crdWidth = 32 }>
func.func @sparse(%a: tensor<4x3xf32>) -> tensor<4x3xf32, #CSR> {
  %r = sparse_tensor.convert %a : tensor<4x3xf32> to tensor<4x3xf32, #CSR>
  return %r : tensor<4x3xf32, #CSR>
}
func.func @dwconv(%a: tensor<1x5x5x2xf32>, %k: tensor<3x3x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
  %r = "tosa.depthwise_conv2d"(%a, %k, %b) {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
func.func @conv(%a: tensor<1x5x5x2xf32>, %k: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.conv2d %a, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}
func.func @avg(%a: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.avg_pool2d %a, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
func.func @neg(%a: tensor<4xf32>) -> tensor<4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.negate %a, %z, %z : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @add(%a: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %s = tosa.const_shape {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.reshape %b, %s : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
  %r = tosa.add %a, %c : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @tile(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %s = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.tile %a, %s : (tensor<2x4xf32>, !tosa.shape<2>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @reshape(%a: tensor<2x4xf32>) -> tensor<8xf32> {
  %r = "tosa.reshape"(%a) {new_shape = [8]} : (tensor<2x4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @transpose(%a: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %r = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
func.func @clamp(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @pad(%a: tensor<2xf32>) -> tensor<4xf32> {
  %s = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.pad %a, %s, %z : (tensor<2xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @slice(%a: tensor<6xf32>) -> tensor<3xf32> {
  %s = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %t = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.slice %a, %s, %t : (tensor<6xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @matmul(%a: tensor<1x2x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<1x2x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.matmul %a, %b, %z, %z : (tensor<1x2x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}
func.func @div(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = "tosa.div"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// ----- proved-each
// not for mlir-opt
func.func @to_memref(%t: tensor<4xf32>) -> f32 {
  %c = arith.constant 1 : index
  %m = bufferization.to_memref %t : tensor<4xf32> to memref<4xf32>
  %r = memref.load %m[%c] : memref<4xf32>
  return %r : f32
}
func.func @to_tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}
func.func @mul(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a, %a, %s : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
#CSR = #sparse_tensor.encoding<{ dimLevelType = [ "dense", "compressed" ] }>
func.func @sparse(%a: tensor<4x3xf32>) -> tensor<4x3xf32, #CSR> {
  %r = sparse_tensor.convert %a : tensor<4x3xf32> to tensor<4x3xf32, #CSR>
  return %r : tensor<4x3xf32, #CSR>
}
func.func @dwconv(%a: tensor<1x5x5x2xf32>, %k: tensor<3x3x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.depthwise_conv2d %a, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
func.func @reshape(%a: tensor<2x4xf32>) -> tensor<8xf32> {
  %s = tosa.const_shape {values = dense<8> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reshape %a, %s : (tensor<2x4xf32>, !tosa.shape<1>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @div(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = tosa.intdiv %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// ----- proved-each
// not for mlir-opt
func.func @to_memref(%t: tensor<4xf32>) -> f32 {
  %c = arith.constant 1 : index
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %r = memref.load %m[%c] : memref<4xf32>
  return %r : f32
}
// ----- proved-each
// not for mlir-opt
func.func @to_memref(%t: tensor<4xf32>) -> f32 {
  %c = arith.constant 1 : index
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %r = memref.load %m[%c] : memref<4xf32>
  return %r : f32
}
// ----- refuted-each
// not for mlir-opt
func.func @to_memref(%t: tensor<4xf32>) -> f32 {
  %c = arith.constant 2 : index
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %r = memref.load %m[%c] : memref<4xf32>
  return %r : f32
}
func.func @to_tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %u = tensor.insert %z into %t[%i] : tensor<4xf32>
  return %u : tensor<4xf32>
}
func.func @tosaconst() -> tensor<2xf32> {
  %c = "tosa.const"() <{values = dense<[1.0,3.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %c : tensor<2xf32>
}
func.func @expand(%a: tensor<?x4xf32>, %n: index) -> tensor<?x2x2xf32> {
  %r = tensor.expand_shape %a [[0],[1,2]] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %u = tensor.insert %z into %r[%i,%i,%i] : tensor<?x2x2xf32>
  return %r : tensor<?x2x2xf32>
}
func.func @mul(%a: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.constant dense<1.0> : tensor<4xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a, %z, %s : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @rsum(%a: tensor<4x3xf32>) -> tensor<1x3xf32> {
  %r = "tosa.reduce_max"(%a) {axis = 0 : i64} : (tensor<4x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
func.func @concat(%a: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %z = arith.constant dense<1.0> : tensor<4x3xf32>
  %r = "tosa.concat"(%a,%z) {axis = 0 : i64} : (tensor<4x3xf32>,tensor<4x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
func.func @reverse(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = "tosa.reverse"(%a) {axis = 1 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
func.func @dwconv(%a: tensor<1x5x5x2xf32>, %k: tensor<3x3x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
  %e = tosa.exp %a : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.depthwise_conv2d %e, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
func.func @conv(%a: tensor<1x5x5x2xf32>, %k: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %e = tosa.exp %a : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.conv2d %e, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}
func.func @avg(%a: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %e = tosa.exp %a : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.avg_pool2d %e, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
func.func @neg(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.negate %e, %z, %z : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @add(%a: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %s = tosa.const_shape {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.reshape %b, %s : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
  %r = tosa.sub %a, %c : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @tile(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %s = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.tile %a, %s : (tensor<2x4xf32>, !tosa.shape<2>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @clamp(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.clamp %a {min_val = 0.0 : f32, max_val = 5.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @pad(%a: tensor<2xf32>) -> tensor<4xf32> {
  %s = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.pad %a, %s, %z : (tensor<2xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @slice(%a: tensor<6xf32>) -> tensor<3xf32> {
  %s = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %t = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.slice %a, %s, %t : (tensor<6xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @matmul(%a: tensor<1x2x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<1x2x4xf32> {
  %e = tosa.exp %a : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.matmul %e, %b, %z, %z : (tensor<1x2x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}
func.func @div(%a: tensor<4xi32>) -> tensor<4xi32> {
  %z = arith.constant dense<1> : tensor<4xi32>
  %r = "tosa.div"(%a, %z) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
