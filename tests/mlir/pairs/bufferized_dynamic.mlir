#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @rowsum(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @transpose(%a: tensor<?x4xf32>, %c: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x4xf32>) outs(%c : tensor<4x?xf32>) permutation = [1, 0]
  return %0 : tensor<4x?xf32>
}
// ----- proved-each
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @rowsum(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_memref %arg1 : memref<?xf32, strided<[?], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %1, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    memref.copy %1, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      linalg.yield %3 : f32
    }
    %2 = bufferization.to_tensor %alloc : memref<?xf32>
    return %2 : tensor<?xf32>
  }
  func.func @matmul(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = bufferization.to_memref %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %2 = bufferization.to_memref %arg2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %2, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %2, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
    memref.copy %2, %alloc : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32>
    linalg.matmul ins(%1, %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?x?xf32>)
    %3 = bufferization.to_tensor %alloc : memref<?x?xf32>
    return %3 : tensor<?x?xf32>
  }
  func.func @transpose(%arg0: tensor<?x4xf32>, %arg1: tensor<4x?xf32>) -> tensor<4x?xf32> {
    %0 = bufferization.to_memref %arg0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_memref %arg1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim = memref.dim %1, %c1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<4x?xf32>
    linalg.transpose ins(%0 : memref<?x4xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<4x?xf32>) permutation = [1, 0] 
    %2 = bufferization.to_tensor %alloc : memref<4x?xf32>
    return %2 : tensor<4x?xf32>
  }
}

// ----- refuted-each
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @rowsum(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_memref %arg1 : memref<?xf32, strided<[?], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %1, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    memref.copy %1, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %in, %out : f32
      linalg.yield %3 : f32
    }
    %2 = bufferization.to_tensor %alloc : memref<?xf32>
    return %2 : tensor<?xf32>
  }
  func.func @matmul(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = bufferization.to_memref %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %2 = bufferization.to_memref %arg2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %2, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %2, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.matmul ins(%1, %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?x?xf32>)
    %3 = bufferization.to_tensor %alloc : memref<?x?xf32>
    return %3 : tensor<?x?xf32>
  }
  func.func @transpose(%arg0: tensor<?x4xf32>, %arg1: tensor<4x?xf32>) -> tensor<4x?xf32> {
    %0 = bufferization.to_memref %arg0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %1 = bufferization.to_memref %arg1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim = memref.dim %1, %c1 : memref<4x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<4x?xf32>
    linalg.transpose ins(%0 : memref<?x4xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<4x?xf32>) permutation = [1, 0]
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%alloc : memref<4x?xf32>)
    %2 = bufferization.to_tensor %alloc : memref<4x?xf32>
    return %2 : tensor<4x?xf32>
  }
}

