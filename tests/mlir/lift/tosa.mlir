// Models in tosa, as TFLite and PyTorch front ends leave them.
func.func @mlp(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.fully_connected %x, %w, %b : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = tosa.clamp %0 {max_fp = 3.40282347E+38 : f32, max_int = 2147483647 : i64, min_fp = 0.0 : f32, min_int = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

func.func @batch_product(%a: tensor<2x?x4xf32>, %b: tensor<2x4x?xf32>) -> tensor<2x?x?xf32> {
  %0 = tosa.matmul %a, %b : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}

func.func @tosa_softmax(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<3x5xf32>) -> tensor<3x1xf32>
  %1 = tosa.sub %x, %0 : (tensor<3x5xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
  %2 = tosa.exp %1 : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<3x5xf32>) -> tensor<3x1xf32>
  %4 = tosa.reciprocal %3 : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %5 = tosa.mul %2, %4 {shift = 0 : i8} : (tensor<3x5xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
  return %5 : tensor<3x5xf32>
}

func.func @conv_block(%x: tensor<1x6x6x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = tosa.conv2d %x, %w, %b {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

func.func @pool_average(%x: tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32> {
  %0 = tosa.avg_pool2d %x {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  return %0 : tensor<1x2x2x3xf32>
}

func.func @sigmoid_gate(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.sigmoid %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.mul %0, %y {shift = 0 : i8} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @token_classes(%logits: tensor<2x3x5xf32>) -> tensor<2x3xi32> {
  %0 = tosa.argmax %logits {axis = 2 : i32} : (tensor<2x3x5xf32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

func.func @merge_heads(%x: tensor<2x3x4x5xf32>) -> tensor<2x4x15xf32> {
  %p = "tosa.const"() {value = dense<[0, 2, 1, 3]> : tensor<4xi32>} : () -> tensor<4xi32>
  %0 = tosa.transpose %x, %p : (tensor<2x3x4x5xf32>, tensor<4xi32>) -> tensor<2x4x3x5xf32>
  %1 = tosa.reshape %0 {new_shape = array<i64: 2, 4, 15>} : (tensor<2x4x3x5xf32>) -> tensor<2x4x15xf32>
  return %1 : tensor<2x4x15xf32>
}

func.func @gather(%x: tensor<2x6x3xf32>, %i: tensor<2x4xi32>) -> tensor<2x4x3xf32> {
  %0 = tosa.gather %x, %i : (tensor<2x6x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

func.func @concat_tanh(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<6x3xf32> {
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  %1 = tosa.tanh %0 : (tensor<6x3xf32>) -> tensor<6x3xf32>
  return %1 : tensor<6x3xf32>
}
