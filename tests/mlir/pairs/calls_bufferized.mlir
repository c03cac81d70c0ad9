// No memory of the caller is reached: what callees do to theirs is the same on both sides.
func.func private @g(tensor<?xf32>) -> tensor<?xf32>
func.func private @h(tensor<?xf32>) -> f32
func.func @after(%a: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, f32) {
  %0 = func.call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %0[%i] : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, f32
}
func.func @between(%a: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, f32) {
  %1 = tensor.insert %x into %a[%i] : tensor<?xf32>
  %0 = func.call @h(%1) : (tensor<?xf32>) -> f32
  return %1, %0 : tensor<?xf32>, f32
}
// ----- proved
func.func private @g(tensor<?xf32>) -> tensor<?xf32>
func.func private @h(tensor<?xf32>) -> f32
func.func @after(%a: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = func.call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %m = bufferization.to_memref %0 : memref<?xf32>
  %d = memref.dim %m, %c0 : memref<?xf32>
  %n = memref.alloc(%d) : memref<?xf32>
  memref.copy %m, %n : memref<?xf32> to memref<?xf32>
  memref.store %x, %n[%i] : memref<?xf32>
  %1 = bufferization.to_tensor %n : memref<?xf32>
  %2 = memref.load %m[%i] : memref<?xf32>
  return %1, %2 : tensor<?xf32>, f32
}
func.func @between(%a: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_memref %a : memref<?xf32>
  %d = memref.dim %m, %c0 : memref<?xf32>
  %n = memref.alloc(%d) : memref<?xf32>
  memref.copy %m, %n : memref<?xf32> to memref<?xf32>
  memref.store %x, %n[%i] : memref<?xf32>
  %1 = bufferization.to_tensor %n : memref<?xf32>
  %0 = func.call @h(%1) : (tensor<?xf32>) -> f32
  return %1, %0 : tensor<?xf32>, f32
}
// ----- refuted-each
func.func private @g(tensor<?xf32>) -> tensor<?xf32>
func.func private @h(tensor<?xf32>) -> f32
func.func @after(%a: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = func.call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %m = bufferization.to_memref %0 : memref<?xf32>
  %d = memref.dim %m, %c0 : memref<?xf32>
  %n = memref.alloc(%d) : memref<?xf32>
  memref.copy %m, %n : memref<?xf32> to memref<?xf32>
  memref.store %x, %n[%c0] : memref<?xf32>
  %1 = bufferization.to_tensor %n : memref<?xf32>
  %2 = memref.load %m[%i] : memref<?xf32>
  return %1, %2 : tensor<?xf32>, f32
}
// ----- refuted-each
// The call is given another tensor.
func.func private @g(tensor<?xf32>) -> tensor<?xf32>
func.func private @h(tensor<?xf32>) -> f32
func.func @between(%a: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_memref %a : memref<?xf32>
  %d = memref.dim %m, %c0 : memref<?xf32>
  %n = memref.alloc(%d) : memref<?xf32>
  memref.copy %m, %n : memref<?xf32> to memref<?xf32>
  memref.store %x, %n[%i] : memref<?xf32>
  %1 = bufferization.to_tensor %n : memref<?xf32>
  %0 = func.call @h(%a) : (tensor<?xf32>) -> f32
  return %1, %0 : tensor<?xf32>, f32
}
