// Loops over memory that sum over several dimensions, as passes make them.
func.func @conv(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%c : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
// ----- proved-each
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
func.func @conv(%arg0: tensor<?x?x?x?xf32>, %arg1: tensor<?x?x?x?xf32>, %arg2: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg1 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg2 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim = memref.dim %2, %c0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_0 = memref.dim %2, %c1 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_1 = memref.dim %2, %c2 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_2 = memref.dim %2, %c3 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %alloc = memref.alloc(%dim, %dim_0, %dim_1, %dim_2) {alignment = 64 : i64} : memref<?x?x?x?xf32>
  memref.copy %2, %alloc : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>> to memref<?x?x?x?xf32>
  %dim_3 = memref.dim %1, %c0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_4 = memref.dim %1, %c3 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_5 = memref.dim %0, %c0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_6 = memref.dim %0, %c1 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_7 = memref.dim %0, %c3 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  affine.for %arg3 = 0 to %dim_3 {
    affine.for %arg4 = 0 to %dim_0 {
      affine.for %arg5 = 0 to %dim_1 {
        affine.for %arg6 = 0 to %dim_7 {
          affine.for %arg7 = 0 to %dim_5 {
            affine.for %arg8 = 0 to %dim_6 {
              affine.for %arg9 = 0 to %dim_4 {
                %4 = affine.apply #map(%arg4, %arg7)
                %5 = affine.apply #map(%arg5, %arg8)
                %6 = affine.load %1[%arg3, %4, %5, %arg9] : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
                %7 = affine.load %0[%arg7, %arg8, %arg9, %arg6] : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
                %8 = affine.load %alloc[%arg3, %arg4, %arg5, %arg6] : memref<?x?x?x?xf32>
                %9 = arith.mulf %6, %7 : f32
                %10 = arith.addf %8, %9 : f32
                affine.store %10, %alloc[%arg3, %arg4, %arg5, %arg6] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?x?x?xf32>
  return %3 : tensor<?x?x?x?xf32>
}
// ----- refuted-each
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
func.func @conv(%arg0: tensor<?x?x?x?xf32>, %arg1: tensor<?x?x?x?xf32>, %arg2: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg1 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg2 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim = memref.dim %2, %c0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_0 = memref.dim %2, %c1 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_1 = memref.dim %2, %c2 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_2 = memref.dim %2, %c3 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %alloc = memref.alloc(%dim, %dim_0, %dim_1, %dim_2) {alignment = 64 : i64} : memref<?x?x?x?xf32>
  memref.copy %2, %alloc : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>> to memref<?x?x?x?xf32>
  %dim_3 = memref.dim %1, %c0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_4 = memref.dim %1, %c3 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_5 = memref.dim %0, %c0 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_6 = memref.dim %0, %c1 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  %dim_7 = memref.dim %0, %c3 : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  affine.for %arg3 = 0 to %dim_3 {
    affine.for %arg4 = 0 to %dim_0 {
      affine.for %arg5 = 0 to %dim_1 {
        affine.for %arg6 = 0 to %dim_7 {
          affine.for %arg7 = 0 to %dim_5 {
            affine.for %arg8 = 0 to %dim_6 {
              affine.for %arg9 = 0 to %dim_4 {
                %4 = affine.apply #map(%arg4, %arg8)
                %5 = affine.apply #map(%arg5, %arg8)
                %6 = affine.load %1[%arg3, %4, %5, %arg9] : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
                %7 = affine.load %0[%arg7, %arg8, %arg9, %arg6] : memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
                %8 = affine.load %alloc[%arg3, %arg4, %arg5, %arg6] : memref<?x?x?x?xf32>
                %9 = arith.mulf %6, %7 : f32
                %10 = arith.addf %8, %9 : f32
                affine.store %10, %alloc[%arg3, %arg4, %arg5, %arg6] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?x?x?xf32>
  return %3 : tensor<?x?x?x?xf32>
}
