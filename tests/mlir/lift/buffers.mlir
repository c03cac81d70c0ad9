// Functions on tensors after pipelines of mlir-opt 19: bufferised in one shot, as loops over memory.
#strided_map = affine_map<(d0, d1) -> (d0, d1)>
#strided_map1 = affine_map<(d0, d1) -> (d1)>
#strided_map2 = affine_map<(d0, d1) -> (d0)>
#strided_map3 = affine_map<(d0) -> (d0)>

// one-shot-bufferize{bufferize-function-boundaries}
func.func @dense_strided(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg2: memref<?xf32, strided<[?], offset: ?>>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<?x?xf32>)
  linalg.matmul ins(%arg0, %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?x?xf32>)
  linalg.generic {indexing_maps = [#strided_map, #strided_map1, #strided_map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %arg2 : memref<?x?xf32>, memref<?xf32, strided<[?], offset: ?>>) outs(%alloc : memref<?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %0 = arith.addf %in, %in_1 : f32
    linalg.yield %0 : f32
  }
  %cast = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %alloc : memref<?x?xf32>
}
func.func @row_norms_strided(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<?xf32>)
  linalg.generic {indexing_maps = [#strided_map, #strided_map2], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#strided_map3, #strided_map3], iterator_types = ["parallel"]} ins(%alloc : memref<?xf32>) outs(%alloc : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  }
  %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %alloc : memref<?xf32>
}
func.func @softmax_rows_strided(%arg0: memref<8x16xf32, strided<[?, ?], offset: ?>>) -> memref<8x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
  linalg.fill ins(%cst_0 : f32) outs(%alloc : memref<8xf32>)
  linalg.generic {indexing_maps = [#strided_map, #strided_map2], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<8x16xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#strided_map, #strided_map2, #strided_map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %alloc : memref<8x16xf32, strided<[?, ?], offset: ?>>, memref<8xf32>) outs(%alloc_1 : memref<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.subf %in, %in_2 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%cst : f32) outs(%alloc : memref<8xf32>)
  linalg.generic {indexing_maps = [#strided_map, #strided_map2], iterator_types = ["parallel", "reduction"]} ins(%alloc_1 : memref<8x16xf32>) outs(%alloc : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#strided_map, #strided_map2, #strided_map], iterator_types = ["parallel", "parallel"]} ins(%alloc_1, %alloc : memref<8x16xf32>, memref<8xf32>) outs(%alloc_1 : memref<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.divf %in, %in_2 : f32
    linalg.yield %0 : f32
  }
  %cast = memref.cast %alloc_1 : memref<8x16xf32> to memref<8x16xf32, strided<[?, ?], offset: ?>>
  return %alloc_1 : memref<8x16xf32>
}


// one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params,func.func(convert-linalg-to-affine-loops),canonicalize
func.func @dense_affine(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>, %arg3: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  affine.for %arg4 = 0 to %dim {
    affine.for %arg5 = 0 to %dim_0 {
      affine.store %cst, %alloc[%arg4, %arg5] : memref<?x?xf32>
    }
  }
  %dim_1 = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_2 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %dim_3 = memref.dim %arg1, %c1 : memref<?x?xf32>
  affine.for %arg4 = 0 to %dim_1 {
    affine.for %arg5 = 0 to %dim_3 {
      affine.for %arg6 = 0 to %dim_2 {
        %0 = affine.load %arg0[%arg4, %arg6] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg6, %arg5] : memref<?x?xf32>
        %2 = affine.load %alloc[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %alloc[%arg4, %arg5] : memref<?x?xf32>
      }
    }
  }
  affine.for %arg4 = 0 to %dim {
    affine.for %arg5 = 0 to %dim_0 {
      %0 = affine.load %alloc[%arg4, %arg5] : memref<?x?xf32>
      %1 = affine.load %arg2[%arg5] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %alloc[%arg4, %arg5] : memref<?x?xf32>
    }
  }
  memref.copy %alloc, %arg3 : memref<?x?xf32> to memref<?x?xf32>
  return
}
func.func @row_norms_affine(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.store %cst, %alloc[%arg2] : memref<?xf32>
  }
  %dim_0 = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim_0 {
    affine.for %arg3 = 0 to %dim_1 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = affine.load %alloc[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %0 : f32
      %3 = arith.addf %2, %1 : f32
      affine.store %3, %alloc[%arg2] : memref<?xf32>
    }
  }
  affine.for %arg2 = 0 to %dim {
    %0 = affine.load %alloc[%arg2] : memref<?xf32>
    %1 = math.sqrt %0 : f32
    affine.store %1, %alloc[%arg2] : memref<?xf32>
  }
  memref.copy %alloc, %arg1 : memref<?xf32> to memref<?xf32>
  return
}
func.func @softmax_rows_affine(%arg0: memref<8x16xf32>, %arg1: memref<8x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
  affine.for %arg2 = 0 to 8 {
    affine.store %cst_0, %alloc[%arg2] : memref<8xf32>
  }
  affine.for %arg2 = 0 to 8 {
    affine.for %arg3 = 0 to 16 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<8x16xf32>
      %1 = affine.load %alloc[%arg2] : memref<8xf32>
      %2 = arith.maximumf %0, %1 : f32
      affine.store %2, %alloc[%arg2] : memref<8xf32>
    }
  }
  affine.for %arg2 = 0 to 8 {
    affine.for %arg3 = 0 to 16 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<8x16xf32>
      %1 = affine.load %alloc[%arg2] : memref<8xf32>
      %2 = arith.subf %0, %1 : f32
      %3 = math.exp %2 : f32
      affine.store %3, %alloc_1[%arg2, %arg3] : memref<8x16xf32>
    }
  }
  affine.for %arg2 = 0 to 8 {
    affine.store %cst, %alloc[%arg2] : memref<8xf32>
  }
  affine.for %arg2 = 0 to 8 {
    affine.for %arg3 = 0 to 16 {
      %0 = affine.load %alloc_1[%arg2, %arg3] : memref<8x16xf32>
      %1 = affine.load %alloc[%arg2] : memref<8xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %alloc[%arg2] : memref<8xf32>
    }
  }
  affine.for %arg2 = 0 to 8 {
    affine.for %arg3 = 0 to 16 {
      %0 = affine.load %alloc_1[%arg2, %arg3] : memref<8x16xf32>
      %1 = affine.load %alloc[%arg2] : memref<8xf32>
      %2 = arith.divf %0, %1 : f32
      affine.store %2, %alloc_1[%arg2, %arg3] : memref<8x16xf32>
    }
  }
  memref.copy %alloc_1, %arg1 : memref<8x16xf32> to memref<8x16xf32>
  return
}


// one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-parallel-loops),canonicalize
func.func @dense_parallel(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg2: memref<?xf32, strided<[?], offset: ?>>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%dim, %dim_0) step (%c1, %c1) {
    memref.store %cst, %alloc[%arg3, %arg4] : memref<?x?xf32>
    scf.reduce 
  }
  %dim_1 = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_2 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_3 = memref.dim %arg1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%dim_1, %dim_3) step (%c1, %c1) {
    scf.for %arg5 = %c0 to %dim_2 step %c1 {
      %0 = memref.load %arg0[%arg3, %arg5] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %1 = memref.load %arg1[%arg5, %arg4] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %2 = memref.load %alloc[%arg3, %arg4] : memref<?x?xf32>
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      memref.store %4, %alloc[%arg3, %arg4] : memref<?x?xf32>
    }
    scf.reduce 
  }
  scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%dim, %dim_0) step (%c1, %c1) {
    %0 = memref.load %alloc[%arg3, %arg4] : memref<?x?xf32>
    %1 = memref.load %arg2[%arg4] : memref<?xf32, strided<[?], offset: ?>>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %alloc[%arg3, %arg4] : memref<?x?xf32>
    scf.reduce 
  }
  return %alloc : memref<?x?xf32>
}
func.func @row_norms_parallel(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
  scf.parallel (%arg1) = (%c0) to (%dim) step (%c1) {
    memref.store %cst, %alloc[%arg1] : memref<?xf32>
    scf.reduce 
  }
  %dim_0 = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  scf.parallel (%arg1) = (%c0) to (%dim_0) step (%c1) {
    scf.for %arg2 = %c0 to %dim_1 step %c1 {
      %0 = memref.load %arg0[%arg1, %arg2] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %1 = memref.load %alloc[%arg1] : memref<?xf32>
      %2 = arith.mulf %0, %0 : f32
      %3 = arith.addf %2, %1 : f32
      memref.store %3, %alloc[%arg1] : memref<?xf32>
    }
    scf.reduce 
  }
  scf.parallel (%arg1) = (%c0) to (%dim) step (%c1) {
    %0 = memref.load %alloc[%arg1] : memref<?xf32>
    %1 = math.sqrt %0 : f32
    memref.store %1, %alloc[%arg1] : memref<?xf32>
    scf.reduce 
  }
  return %alloc : memref<?xf32>
}
func.func @softmax_rows_parallel(%arg0: memref<8x16xf32, strided<[?, ?], offset: ?>>) -> memref<8x16xf32> {
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
  scf.parallel (%arg1) = (%c0) to (%c8) step (%c1) {
    memref.store %cst_0, %alloc[%arg1] : memref<8xf32>
    scf.reduce 
  }
  scf.parallel (%arg1) = (%c0) to (%c8) step (%c1) {
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %0 = memref.load %arg0[%arg1, %arg2] : memref<8x16xf32, strided<[?, ?], offset: ?>>
      %1 = memref.load %alloc[%arg1] : memref<8xf32>
      %2 = arith.maximumf %0, %1 : f32
      memref.store %2, %alloc[%arg1] : memref<8xf32>
    }
    scf.reduce 
  }
  scf.parallel (%arg1, %arg2) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
    %0 = memref.load %arg0[%arg1, %arg2] : memref<8x16xf32, strided<[?, ?], offset: ?>>
    %1 = memref.load %alloc[%arg1] : memref<8xf32>
    %2 = arith.subf %0, %1 : f32
    %3 = math.exp %2 : f32
    memref.store %3, %alloc_1[%arg1, %arg2] : memref<8x16xf32>
    scf.reduce 
  }
  scf.parallel (%arg1) = (%c0) to (%c8) step (%c1) {
    memref.store %cst, %alloc[%arg1] : memref<8xf32>
    scf.reduce 
  }
  scf.parallel (%arg1) = (%c0) to (%c8) step (%c1) {
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %0 = memref.load %alloc_1[%arg1, %arg2] : memref<8x16xf32>
      %1 = memref.load %alloc[%arg1] : memref<8xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %alloc[%arg1] : memref<8xf32>
    }
    scf.reduce 
  }
  scf.parallel (%arg1, %arg2) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
    %0 = memref.load %alloc_1[%arg1, %arg2] : memref<8x16xf32>
    %1 = memref.load %alloc[%arg1] : memref<8xf32>
    %2 = arith.divf %0, %1 : f32
    memref.store %2, %alloc_1[%arg1, %arg2] : memref<8x16xf32>
    scf.reduce 
  }
  return %alloc_1 : memref<8x16xf32>
}

