// Divisors that are sizes: where they are not positive it is undefined.
func.func @rest(%x: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %k = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
  %r = tensor.extract %x[%k] : tensor<?xf32>
  return %r : f32
}
// ----- proved
func.func @rest(%x: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %k = affine.apply affine_map<(d0)[s0] -> (d0 - (d0 floordiv s0) * s0)>(%i)[%n]
  %r = tensor.extract %x[%k] : tensor<?xf32>
  return %r : f32
}
// ----- refuted
func.func @rest(%x: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %k = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%n]
  %r = tensor.extract %x[%k] : tensor<?xf32>
  return %r : f32
}
