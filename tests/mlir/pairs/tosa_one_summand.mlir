// A depthwise convolution whose windows have one cell is a product, as tosa-optional-decompositions has it.
func.func @f(%a: tensor<4x6x5x2xf32>, %w: tensor<1x1x2x3xf32>, %b: tensor<6xf32>) -> tensor<4x6x5x6xf32> {
  %0 = tosa.depthwise_conv2d %a, %w, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<4x6x5x2xf32>, tensor<1x1x2x3xf32>, tensor<6xf32>) -> tensor<4x6x5x6xf32>
  return %0 : tensor<4x6x5x6xf32>
}
// ----- proved
func.func @f(%a: tensor<4x6x5x2xf32>, %w: tensor<1x1x2x3xf32>, %b: tensor<6xf32>) -> tensor<4x6x5x6xf32> {
  %0 = tosa.reshape %a {new_shape = array<i64: 4, 6, 5, 2, 1>} : (tensor<4x6x5x2xf32>) -> tensor<4x6x5x2x1xf32>
  %1 = tosa.reshape %w {new_shape = array<i64: 1, 1, 1, 2, 3>} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x2x3xf32>
  %2 = tosa.mul %0, %1 {shift = 0 : i8} : (tensor<4x6x5x2x1xf32>, tensor<1x1x1x2x3xf32>) -> tensor<4x6x5x2x3xf32>
  %3 = tosa.reshape %2 {new_shape = array<i64: 4, 6, 5, 6>} : (tensor<4x6x5x2x3xf32>) -> tensor<4x6x5x6xf32>
  %4 = tosa.reshape %b {new_shape = array<i64: 1, 1, 1, 6>} : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
  %5 = tosa.add %3, %4 : (tensor<4x6x5x6xf32>, tensor<1x1x1x6xf32>) -> tensor<4x6x5x6xf32>
  return %5 : tensor<4x6x5x6xf32>
}
// ----- refuted
func.func @f(%a: tensor<4x6x5x2xf32>, %w: tensor<1x1x2x3xf32>, %b: tensor<6xf32>) -> tensor<4x6x5x6xf32> {
  %0 = tosa.reshape %a {new_shape = array<i64: 4, 6, 5, 1, 2>} : (tensor<4x6x5x2xf32>) -> tensor<4x6x5x1x2xf32>
  %1 = tosa.reshape %w {new_shape = array<i64: 1, 1, 1, 3, 2>} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x3x2xf32>
  %2 = tosa.mul %0, %1 {shift = 0 : i8} : (tensor<4x6x5x1x2xf32>, tensor<1x1x1x3x2xf32>) -> tensor<4x6x5x3x2xf32>
  %3 = tosa.reshape %2 {new_shape = array<i64: 4, 6, 5, 6>} : (tensor<4x6x5x3x2xf32>) -> tensor<4x6x5x6xf32>
  %4 = tosa.reshape %b {new_shape = array<i64: 1, 1, 1, 6>} : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
  %5 = tosa.add %3, %4 : (tensor<4x6x5x6xf32>, tensor<1x1x1x6xf32>) -> tensor<4x6x5x6xf32>
  return %5 : tensor<4x6x5x6xf32>
}
