// Rows that are scattered: no two to one place.
func.func @rows(%a: tensor<?x3xf32>, %i: tensor<2x1xindex>, %s: tensor<2x3xf32>, %r: index, %c: index) -> f32 {
  %0 = tensor.scatter %s into %a[%i] scatter_dims([0]) unique : (tensor<2x3xf32>, tensor<?x3xf32>, tensor<2x1xindex>) -> tensor<?x3xf32>
  %1 = tensor.extract %0[%r, %c] : tensor<?x3xf32>
  return %1 : f32
}
// ----- refuted
func.func @rows(%a: tensor<?x3xf32>, %i: tensor<2x1xindex>, %s: tensor<2x3xf32>, %r: index, %c: index) -> f32 {
  %1 = tensor.extract %a[%r, %c] : tensor<?x3xf32>
  return %1 : f32
}
// ----- proved
func.func @rows(%a: tensor<?x3xf32>, %i: tensor<2x1xindex>, %s: tensor<2x3xf32>, %r: index, %c: index) -> f32 {
  %p = arith.constant 0 : index
  %q = arith.constant 1 : index
  %0 = tensor.extract %i[%p, %p] : tensor<2x1xindex>
  %1 = tensor.extract %i[%q, %p] : tensor<2x1xindex>
  %d = tensor.extract %a[%r, %c] : tensor<?x3xf32>
  %x = tensor.extract %s[%p, %c] : tensor<2x3xf32>
  %y = tensor.extract %s[%q, %c] : tensor<2x3xf32>
  %e = arith.cmpi eq, %r, %0 : index
  %f = arith.cmpi eq, %r, %1 : index
  %u = arith.select %e, %x, %d : f32
  %v = arith.select %f, %y, %u : f32
  return %v : f32
}
