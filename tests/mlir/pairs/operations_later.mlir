// not for mlir-opt
func.func @buffer(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}
func.func @product(%a: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %0 = tosa.reduce_product %a {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @shape(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %s = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %a, %s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// ----- proved-each
// not for mlir-opt
func.func @buffer(%t: tensor<4xf32>, %i: index) -> f32 {
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}
func.func @product(%a: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %0 = tosa.reduce_prod %a {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @shape(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// ----- refuted-each
// not for mlir-opt
func.func @buffer(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %c0 = arith.constant 0 : index
  %1 = memref.load %0[%c0] : memref<4xf32>
  return %1 : f32
}
func.func @product(%a: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %0 = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @shape(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %p = arith.constant dense<[1, 0]> : tensor<2xi32>
  %0 = tosa.transpose %a, %p : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
