func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %z = arith.constant -0.0 : f32
  %s = tensor.splat %z[%n] : tensor<?xf32>
  %0 = arith.addf %a, %s : tensor<?xf32>
  return %0 : tensor<?xf32>
}
// ----- proved
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// ----- refuted
// A positive zero is no identity.
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %s = tensor.splat %z[%n] : tensor<?xf32>
  %0 = arith.addf %a, %s : tensor<?xf32>
  return %0 : tensor<?xf32>
}
