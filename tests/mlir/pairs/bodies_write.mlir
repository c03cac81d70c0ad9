// A body that runs for each element may read memory, and is not executed where it writes some: there need not be any.
func.func @write(%x: memref<4xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<?xf32>) {
  ^bb0(%e: f32):
    %one = arith.constant 1.0 : f32
    memref.store %one, %x[%c0] : memref<4xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @read(%x: memref<4xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<?xf32>) {
  ^bb0(%e: f32):
    %v = memref.load %x[%c0] : memref<4xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// ----- unknown-each
func.func @write(%x: memref<4xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %x[%c0] : memref<4xf32>
  return %t : tensor<?xf32>
}
// ----- proved-each
func.func @read(%x: memref<4xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  %r = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// ----- refuted-each
func.func @read(%x: memref<4xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 1 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  %r = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
