func.func private @f(tensor<?xf32>, index) -> tensor<?xf32>
func.func @sizes(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = call @f(%a, %i) : (tensor<?xf32>, index) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}
func.func @empty(%a: f32) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  return %e : tensor<2xf32>
}
// ----- proved --result-dims f@0
func.func private @f(tensor<?xf32>, index) -> tensor<?xf32>
func.func @sizes(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = call @f(%a, %i) : (tensor<?xf32>, index) -> tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}
func.func @empty(%a: f32) -> tensor<2xf32> {
  %e = tensor.splat %a : tensor<2xf32>
  return %e : tensor<2xf32>
}
// ----- refuted
func.func private @f(tensor<?xf32>, index) -> tensor<?xf32>
func.func @sizes(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = call @f(%a, %i) : (tensor<?xf32>, index) -> tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}
func.func @empty(%a: f32) -> tensor<2xf32> {
  %e = tensor.splat %a : tensor<2xf32>
  return %e : tensor<2xf32>
}
// ----- refuted --both-ways --result-dims f@0
func.func private @f(tensor<?xf32>, index) -> tensor<?xf32>
func.func @sizes(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = call @f(%a, %i) : (tensor<?xf32>, index) -> tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}
func.func @empty(%a: f32) -> tensor<2xf32> {
  %e = tensor.splat %a : tensor<2xf32>
  return %e : tensor<2xf32>
}
// ----- proved --only result_0,result
func.func private @f(tensor<?xf32>, index) -> tensor<?xf32>
func.func @sizes(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = call @f(%a, %i) : (tensor<?xf32>, index) -> tensor<?xf32>
  return %0, %c0 : tensor<?xf32>, index
}
func.func @empty(%a: f32) -> tensor<2xf32> {
  %e = tensor.splat %a : tensor<2xf32>
  return %e : tensor<2xf32>
}
