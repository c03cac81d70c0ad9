// The initial value counts.
func.func @f(%a: tensor<4x?xi32>, %b: tensor<?x4xi32>, %c: tensor<4x4xi32>, %d: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xi32>, tensor<?x4xi32>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
// ----- proved
func.func @f(%a: tensor<4x?xi32>, %b: tensor<?x4xi32>, %c: tensor<4x4xi32>, %d: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xi32>, tensor<?x4xi32>) outs(%i : tensor<4x4xi32>) -> tensor<4x4xi32>
  %1 = arith.addi %0, %c : tensor<4x4xi32>
  return %1 : tensor<4x4xi32>
}
// ----- refuted
func.func @f(%a: tensor<4x?xi32>, %b: tensor<?x4xi32>, %c: tensor<4x4xi32>, %d: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xi32>, tensor<?x4xi32>) outs(%d : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
