// Loops over memory that sum over several dimensions, as passes make them.
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @conv_static(%in: memref<1x4x4x2xf32>, %f: memref<2x2x2x2xf32>, %out: memref<1x3x3x2xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%in, %f : memref<1x4x4x2xf32>, memref<2x2x2x2xf32>) outs(%out : memref<1x3x3x2xf32>)
  return
}
// ----- proved-each
#near = affine_map<(d0, d1) -> (d0 + d1)>
func.func @matmul(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim = memref.dim %2, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_0 = memref.dim %2, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  memref.copy %2, %alloc : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32>
  %dim_1 = memref.dim %1, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_2 = memref.dim %1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_3 = memref.dim %0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  affine.for %arg3 = 0 to %dim_1 {
    affine.for %arg4 = 0 to %dim_3 {
      affine.for %arg5 = 0 to %dim_2 {
        %4 = affine.load %1[%arg3, %arg5] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %5 = affine.load %0[%arg5, %arg4] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %6 = affine.load %alloc[%arg3, %arg4] : memref<?x?xf32>
        %7 = arith.mulf %4, %5 : f32
        %8 = arith.addf %6, %7 : f32
        affine.store %8, %alloc[%arg3, %arg4] : memref<?x?xf32>
      }
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %3 : tensor<?x?xf32>
}
func.func @conv_static(%arg0: memref<1x4x4x2xf32>, %arg1: memref<2x2x2x2xf32>, %arg2: memref<1x3x3x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 3 : index
  %c5 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 2 : index
  scf.for %arg3 = %c0 to %c1 step %c1 {
    scf.for %arg4 = %c0 to %c7 step %c1 {
      scf.for %arg5 = %c0 to %c7 step %c1 {
        scf.for %arg6 = %c0 to %c5 step %c1 {
          scf.for %arg7 = %c0 to %c2 step %c1 {
            scf.for %arg8 = %c0 to %c2 step %c1 {
              scf.for %arg9 = %c0 to %c3 step %c1 {
                %0 = affine.apply #near(%arg4, %arg7)
                %1 = affine.apply #near(%arg5, %arg8)
                %2 = memref.load %arg0[%arg3, %0, %1, %arg9] : memref<1x4x4x2xf32>
                %3 = memref.load %arg1[%arg7, %arg8, %arg9, %arg6] : memref<2x2x2x2xf32>
                %4 = memref.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x3x3x2xf32>
                %5 = arith.mulf %2, %3 : f32
                %6 = arith.addf %4, %5 : f32
                memref.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x3x3x2xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}
// ----- refuted-each
#near = affine_map<(d0, d1) -> (d0 + d1)>
func.func @matmul(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim = memref.dim %2, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_0 = memref.dim %2, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  memref.copy %2, %alloc : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32>
  %dim_1 = memref.dim %1, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_2 = memref.dim %1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %dim_3 = memref.dim %0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  affine.for %arg3 = 0 to %dim_1 {
    affine.for %arg4 = 0 to %dim_3 {
      affine.for %arg5 = 0 to %dim_2 {
        %4 = affine.load %1[%arg3, %arg5] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %5 = affine.load %0[%arg4, %arg5] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %6 = affine.load %alloc[%arg3, %arg4] : memref<?x?xf32>
        %7 = arith.mulf %4, %5 : f32
        %8 = arith.addf %6, %7 : f32
        affine.store %8, %alloc[%arg3, %arg4] : memref<?x?xf32>
      }
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %3 : tensor<?x?xf32>
}
func.func @conv_static(%arg0: memref<1x4x4x2xf32>, %arg1: memref<2x2x2x2xf32>, %arg2: memref<1x3x3x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 3 : index
  %c5 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 2 : index
  scf.for %arg3 = %c0 to %c1 step %c1 {
    scf.for %arg4 = %c0 to %c7 step %c1 {
      scf.for %arg5 = %c0 to %c7 step %c1 {
        scf.for %arg6 = %c0 to %c5 step %c1 {
          scf.for %arg7 = %c0 to %c2 step %c1 {
            scf.for %arg8 = %c0 to %c2 step %c1 {
              scf.for %arg9 = %c0 to %c3 step %c1 {
                %0 = affine.apply #near(%arg4, %arg7)
                %1 = affine.apply #near(%arg5, %arg8)
                %2 = memref.load %arg0[%arg3, %0, %1, %arg9] : memref<1x4x4x2xf32>
                %3 = memref.load %arg1[%arg8, %arg7, %arg9, %arg6] : memref<2x2x2x2xf32>
                %4 = memref.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x3x3x2xf32>
                %5 = arith.mulf %2, %3 : f32
                %6 = arith.addf %4, %5 : f32
                memref.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x3x3x2xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}
