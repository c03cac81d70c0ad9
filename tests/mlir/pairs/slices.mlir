// A strided slice that leaves its tensor is undefined, and so refined by anything; the second is defined.
func.func @outside(%a: tensor<8xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %0 = tensor.extract_slice %a[2] [4] [%c3] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @twice(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %0 = tensor.extract_slice %a[%i, 0] [4, 4] [1, 1] : tensor<?x?xf32> to tensor<4x4xf32>
  %1 = tensor.extract_slice %0[1, %j] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
// ----- proved
func.func @outside(%a: tensor<8xf32>) -> tensor<4xf32> {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @twice(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %c1 = arith.constant 1 : index
  %k = arith.addi %i, %c1 : index
  %1 = tensor.extract_slice %a[%k, %j] [2, 2] [1, 1] : tensor<?x?xf32> to tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
// ----- refuted
func.func @outside(%a: tensor<8xf32>) -> tensor<4xf32> {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @twice(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<2x2xf32> {
  %1 = tensor.extract_slice %a[%i, %j] [2, 2] [1, 1] : tensor<?x?xf32> to tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
