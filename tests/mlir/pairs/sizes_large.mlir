func.func @collapse(%t: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @far(%t: tensor<?x?xf32>, %o: index, %p: index, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.extract_slice %t[%o, 2][%n, 16][1, 2] : tensor<?x?xf32> to tensor<?x16xf32>
  %1 = tensor.extract_slice %0[%p, 1][%n, 4][1, 3] : tensor<?x16xf32> to tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// ----- proved
func.func @collapse(%t: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %t, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %t, %c1 : tensor<?x?xf32>
  %n = arith.muli %d0, %d1 : index
  %r = tensor.generate %n {
  ^bb0(%k: index):
    %i = arith.divui %k, %d1 : index
    %j = arith.remui %k, %d1 : index
    %v = tensor.extract %t[%i, %j] : tensor<?x?xf32>
    tensor.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @far(%t: tensor<?x?xf32>, %o: index, %p: index, %n: index) -> tensor<?x4xf32> {
  %q = arith.addi %o, %p : index
  %1 = tensor.extract_slice %t[%q, 4][%n, 4][1, 6] : tensor<?x?xf32> to tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// ----- refuted-each
// The difference shows where there are more than 32 columns.
func.func @far(%t: tensor<?x?xf32>, %o: index, %p: index, %n: index) -> tensor<?x4xf32> {
  %1 = tensor.extract_slice %t[%o, 3][%n, 4][1, 6] : tensor<?x?xf32> to tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func @collapse(%t: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %t, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %t, %c1 : tensor<?x?xf32>
  %n = arith.muli %d0, %d1 : index
  %r = tensor.generate %n {
  ^bb0(%k: index):
    %i = arith.divui %k, %d0 : index
    %j = arith.remui %k, %d0 : index
    %v = tensor.extract %t[%i, %j] : tensor<?x?xf32>
    tensor.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
