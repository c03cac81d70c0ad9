func.func @f(%a: tensor<?x4x5xf32>) -> tensor<?x4x5xf32> {
  %0 = tensor.collapse_shape %a [[0, 1, 2]] : tensor<?x4x5xf32> into tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [%n, 4, 5] : tensor<?xf32> into tensor<?x4x5xf32>
  return %1 : tensor<?x4x5xf32>
}
func.func @g(%a: tensor<6x4xi32>) -> tensor<4x6xi32> {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<6x4xi32> into tensor<24xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 6] : tensor<24xi32> into tensor<4x6xi32>
  return %1 : tensor<4x6xi32>
}
// ----- proved
func.func @f(%a: tensor<?x4x5xf32>) -> tensor<?x4x5xf32> {
  return %a : tensor<?x4x5xf32>
}
func.func @g(%a: tensor<6x4xi32>) -> tensor<4x6xi32> {
  %s = arith.constant dense<[4, 6]> : tensor<2xindex>
  %1 = tensor.reshape %a(%s) : (tensor<6x4xi32>, tensor<2xindex>) -> tensor<4x6xi32>
  return %1 : tensor<4x6xi32>
}
// ----- refuted
func.func @f(%a: tensor<?x4x5xf32>) -> tensor<?x4x5xf32> {
  return %a : tensor<?x4x5xf32>
}
func.func @g(%a: tensor<6x4xi32>) -> tensor<4x6xi32> {
  %e = tensor.empty() : tensor<4x6xi32>
  %1 = linalg.transpose ins(%a : tensor<6x4xi32>) outs(%e : tensor<4x6xi32>) permutation = [1, 0]
  return %1 : tensor<4x6xi32>
}
