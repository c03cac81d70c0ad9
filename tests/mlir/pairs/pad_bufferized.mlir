// Sizes that only fit an index because the source has tensors of them, and places of a view that starts anywhere.
func.func @pad(%a: tensor<4x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %a low[%l, 1] high[%h, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @insert(%a: tensor<4x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c1 : tensor<4x?xf32>
  %p = arith.addi %l, %h : index
  %s = arith.addi %p, %c4 : index
  %t = arith.addi %n, %c3 : index
  %e = tensor.empty(%s, %t) : tensor<?x?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = tensor.insert_slice %a into %f[%l, 1] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// ----- proved
func.func @pad(%a: tensor<4x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %m = bufferization.to_memref %a : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %n = memref.dim %m, %c1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %s = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 4)>()[%l, %h]
  %t = affine.apply affine_map<()[s0] -> (s0 + 3)>()[%n]
  %alloc = memref.alloc(%s, %t) : memref<?x?xf32>
  linalg.map outs(%alloc : memref<?x?xf32>) () {
    linalg.yield %v : f32
  }
  %view = memref.subview %alloc[%l, 1] [4, %n] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %m, %view : memref<4x?xf32, strided<[?, ?], offset: ?>> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %0 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @insert(%a: tensor<4x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m = bufferization.to_memref %a : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %n = memref.dim %m, %c1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %p = arith.addi %l, %h : index
  %s = arith.addi %p, %c4 : index
  %t = arith.addi %n, %c3 : index
  %alloc = memref.alloc(%s, %t) : memref<?x?xf32>
  linalg.fill ins(%v : f32) outs(%alloc : memref<?x?xf32>)
  %view = memref.subview %alloc[%l, 1] [4, %n] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %m, %view : memref<4x?xf32, strided<[?, ?], offset: ?>> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %0 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// ----- refuted-each
func.func @pad(%a: tensor<4x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %m = bufferization.to_memref %a : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %n = memref.dim %m, %c1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %s = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 4)>()[%l, %h]
  %t = affine.apply affine_map<()[s0] -> (s0 + 3)>()[%n]
  %alloc = memref.alloc(%s, %t) : memref<?x?xf32>
  linalg.map outs(%alloc : memref<?x?xf32>) () {
    linalg.yield %v : f32
  }
  %view = memref.subview %alloc[%l, 2] [4, %n] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %m, %view : memref<4x?xf32, strided<[?, ?], offset: ?>> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %0 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %0 : tensor<?x?xf32>
}
