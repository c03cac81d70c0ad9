func.func @c(%v2: tensor<2x1xi32>) -> tensor<2x1xi32> {
  %v7 = "tosa.abs"(%v2) : (tensor<2x1xi32>) -> (tensor<2x1xi32>)
  return %v7 : tensor<2x1xi32>
}
// ----- proved
func.func @c(%v2: tensor<2x1xi32>) -> tensor<2x1xi32> {
  %c = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<2x1xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v2 : tensor<2x1xi32>) outs(%0 : tensor<2x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      %5 = arith.subi %c, %in : i32
      %6 = arith.maxsi %in, %5 : i32
      linalg.yield %6 : i32
    } -> tensor<2x1xi32>
  return %1 : tensor<2x1xi32>
}
// ----- refuted
func.func @c(%v2: tensor<2x1xi32>) -> tensor<2x1xi32> {
  %c = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<2x1xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v2 : tensor<2x1xi32>) outs(%0 : tensor<2x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      %5 = arith.subi %c, %in : i32
      %6 = arith.minsi %in, %5 : i32
      linalg.yield %6 : i32
    } -> tensor<2x1xi32>
  return %1 : tensor<2x1xi32>
}
