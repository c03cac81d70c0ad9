func.func @f(%n: index, %x: f32) -> tensor<4xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract_slice %0[2] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
// ----- proved
func.func @f(%n: index, %x: f32) -> tensor<4xf32> {
  %1 = tensor.splat %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// ----- refuted
// The slice begins later: the source is defined for %n = 6.
func.func @f(%n: index, %x: f32) -> tensor<4xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract_slice %0[3] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
