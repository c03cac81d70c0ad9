// Loops over channels and rows that were unrolled: what differs between steps is no one index.
func.func @conv(%x: tensor<1x10x10x4xf32>, %k: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
}
func.func @elem(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %bb = linalg.broadcast ins(%b : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  %1 = linalg.add ins(%a, %bb : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.exp ins(%1 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = linalg.mul ins(%2, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
func.func @tr(%a: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %a, %c0 : tensor<?x?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?x?xf32>
  %k = tensor.dim %a, %c2 : tensor<?x?x?xf32>
  %e = tensor.empty(%k, %m, %n) : tensor<?x?x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) permutation = [2,0,1]
  %e2 = tensor.empty(%k, %m, %n) : tensor<?x?x?xf32>
  %u = linalg.negf ins(%t : tensor<?x?x?xf32>) outs(%e2 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %u : tensor<?x?x?xf32>
}
func.func @imat(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
// ----- proved-each
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
func.func @conv(%arg0: tensor<1x10x10x4xf32>, %arg1: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = bufferization.to_memref %arg1 : memref<3x3x4x8xf32, strided<[?, ?, ?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<1x10x10x4xf32, strided<[?, ?, ?, ?], offset: ?>>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x8xf32>
  affine.for %arg2 = 0 to 1 {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 8 {
        affine.for %arg5 = 0 to 8 step 2 {
          affine.store %cst, %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
          affine.store %cst, %alloc[%arg2, %arg3, %arg4, %arg5 + 1] : memref<1x8x8x8xf32>
        }
      }
    }
  }
  affine.for %arg2 = 0 to 1 {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 8 {
        affine.for %arg5 = 0 to 8 {
          affine.for %arg6 = 0 to 3 {
            affine.for %arg7 = 0 to 3 {
              affine.for %arg8 = 0 to 4 step 2 {
                %3 = affine.load %1[%arg2, %arg3 + %arg6, %arg4 + %arg7, %arg8] : memref<1x10x10x4xf32, strided<[?, ?, ?, ?], offset: ?>>
                %4 = affine.load %0[%arg6, %arg7, %arg8, %arg5] : memref<3x3x4x8xf32, strided<[?, ?, ?, ?], offset: ?>>
                %5 = affine.load %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
                %6 = arith.mulf %3, %4 : f32
                %7 = arith.addf %5, %6 : f32
                affine.store %7, %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
                %8 = affine.load %1[%arg2, %arg3 + %arg6, %arg4 + %arg7, %arg8 + 1] : memref<1x10x10x4xf32, strided<[?, ?, ?, ?], offset: ?>>
                %9 = affine.load %0[%arg6, %arg7, %arg8 + 1, %arg5] : memref<3x3x4x8xf32, strided<[?, ?, ?, ?], offset: ?>>
                %10 = affine.load %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
                %11 = arith.mulf %8, %9 : f32
                %12 = arith.addf %10, %11 : f32
                affine.store %12, %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
              }
            }
          }
        }
      }
    }
  }
  %2 = bufferization.to_tensor %alloc : memref<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}
func.func @elem(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg1 : memref<?xf32, strided<[?], offset: ?>>
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  %dim_1 = tensor.dim %arg1, %c0 : tensor<?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_1] step 2 {
      %4 = affine.load %2[%arg3] : memref<?xf32, strided<[?], offset: ?>>
      affine.store %4, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = affine.load %2[%arg3 + 1] : memref<?xf32, strided<[?], offset: ?>>
      affine.store %5, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_1] to %dim_1 {
      %4 = affine.load %2[%arg3] : memref<?xf32, strided<[?], offset: ?>>
      affine.store %4, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  %dim_2 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  affine.for %arg2 = 0 to %dim_2 {
    affine.for %arg3 = 0 to #map()[%dim_3] step 2 {
      %4 = affine.load %1[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %5 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %7 = affine.load %1[%arg2, %arg3 + 1] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %8 = affine.load %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
      %9 = arith.addf %7, %8 : f32
      affine.store %9, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_3] to %dim_3 {
      %4 = affine.load %1[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %5 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = math.exp %4 : f32
      affine.store %5, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %6 = affine.load %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
      %7 = math.exp %6 : f32
      affine.store %7, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = math.exp %4 : f32
      affine.store %5, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = affine.load %0[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %6 = arith.mulf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %7 = affine.load %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
      %8 = affine.load %0[%arg2, %arg3 + 1] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %9 = arith.mulf %7, %8 : f32
      affine.store %9, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = affine.load %0[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %6 = arith.mulf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %3 : tensor<?x?xf32>
}
func.func @tr(%arg0: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_1 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %alloc = memref.alloc(%dim_1, %dim, %dim_0) {alignment = 64 : i64} : memref<?x?x?xf32>
  %dim_2 = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_4 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  affine.for %arg1 = 0 to %dim_4 {
    affine.for %arg2 = 0 to %dim_2 {
      affine.for %arg3 = 0 to #map()[%dim_3] step 2 {
        %2 = affine.load %0[%arg2, %arg3, %arg1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
        affine.store %2, %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %3 = affine.load %0[%arg2, %arg3 + 1, %arg1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
        affine.store %3, %alloc[%arg1, %arg2, %arg3 + 1] : memref<?x?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_3] to %dim_3 {
        %2 = affine.load %0[%arg2, %arg3, %arg1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
        affine.store %2, %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
      }
    }
  }
  %alloc_5 = memref.alloc(%dim_1, %dim, %dim_0) {alignment = 64 : i64} : memref<?x?x?xf32>
  affine.for %arg1 = 0 to %dim_1 {
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
        %2 = affine.load %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %3 = arith.negf %2 : f32
        affine.store %3, %alloc_5[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %4 = affine.load %alloc[%arg1, %arg2, %arg3 + 1] : memref<?x?x?xf32>
        %5 = arith.negf %4 : f32
        affine.store %5, %alloc_5[%arg1, %arg2, %arg3 + 1] : memref<?x?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_0] to %dim_0 {
        %2 = affine.load %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %3 = arith.negf %2 : f32
        affine.store %3, %alloc_5[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
      }
    }
  }
  %1 = bufferization.to_tensor %alloc_5 : memref<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}
func.func @imat(%arg0: tensor<?x?xi32>, %arg1: tensor<?x?xi32>, %arg2: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg2 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %dim = tensor.dim %arg2, %c0 : tensor<?x?xi32>
  %dim_0 = tensor.dim %arg2, %c1 : tensor<?x?xi32>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xi32>
  memref.copy %2, %alloc : memref<?x?xi32, strided<[?, ?], offset: ?>> to memref<?x?xi32>
  %dim_1 = tensor.dim %arg0, %c0 : tensor<?x?xi32>
  %dim_2 = tensor.dim %arg0, %c1 : tensor<?x?xi32>
  %dim_3 = tensor.dim %arg1, %c1 : tensor<?x?xi32>
  affine.for %arg3 = 0 to %dim_1 {
    affine.for %arg4 = 0 to %dim_3 {
      affine.for %arg5 = 0 to #map()[%dim_2] step 2 {
        %4 = affine.load %1[%arg3, %arg5] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %5 = affine.load %0[%arg5, %arg4] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %6 = affine.load %alloc[%arg3, %arg4] : memref<?x?xi32>
        %7 = arith.muli %4, %5 : i32
        %8 = arith.addi %6, %7 : i32
        affine.store %8, %alloc[%arg3, %arg4] : memref<?x?xi32>
        %9 = affine.load %1[%arg3, %arg5 + 1] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %10 = affine.load %0[%arg5 + 1, %arg4] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %11 = affine.load %alloc[%arg3, %arg4] : memref<?x?xi32>
        %12 = arith.muli %9, %10 : i32
        %13 = arith.addi %11, %12 : i32
        affine.store %13, %alloc[%arg3, %arg4] : memref<?x?xi32>
      }
      affine.for %arg5 = #map()[%dim_2] to %dim_2 {
        %4 = affine.load %1[%arg3, %arg5] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %5 = affine.load %0[%arg5, %arg4] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %6 = affine.load %alloc[%arg3, %arg4] : memref<?x?xi32>
        %7 = arith.muli %4, %5 : i32
        %8 = arith.addi %6, %7 : i32
        affine.store %8, %alloc[%arg3, %arg4] : memref<?x?xi32>
      }
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?xi32>
  return %3 : tensor<?x?xi32>
}
// ----- refuted-each
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
func.func @conv(%arg0: tensor<1x10x10x4xf32>, %arg1: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = bufferization.to_memref %arg1 : memref<3x3x4x8xf32, strided<[?, ?, ?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<1x10x10x4xf32, strided<[?, ?, ?, ?], offset: ?>>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x8xf32>
  affine.for %arg2 = 0 to 1 {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 8 {
        affine.for %arg5 = 0 to 8 step 2 {
          affine.store %cst, %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
          affine.store %cst, %alloc[%arg2, %arg3, %arg4, %arg5 + 1] : memref<1x8x8x8xf32>
        }
      }
    }
  }
  affine.for %arg2 = 0 to 1 {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 8 {
        affine.for %arg5 = 0 to 8 {
          affine.for %arg6 = 0 to 3 {
            affine.for %arg7 = 0 to 3 {
              affine.for %arg8 = 0 to 4 step 2 {
                %3 = affine.load %1[%arg2, %arg3 + %arg6, %arg4 + %arg7, %arg8] : memref<1x10x10x4xf32, strided<[?, ?, ?, ?], offset: ?>>
                %4 = affine.load %0[%arg6, %arg7, %arg8, %arg5] : memref<3x3x4x8xf32, strided<[?, ?, ?, ?], offset: ?>>
                %5 = affine.load %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
                %6 = arith.mulf %3, %4 : f32
                %7 = arith.addf %5, %6 : f32
                affine.store %7, %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
                %8 = affine.load %1[%arg2, %arg3 + %arg6, %arg4 + %arg7, %arg8 + 1] : memref<1x10x10x4xf32, strided<[?, ?, ?, ?], offset: ?>>
                %9 = affine.load %0[%arg6, %arg7, %arg8 + 1, %arg5] : memref<3x3x4x8xf32, strided<[?, ?, ?, ?], offset: ?>>
                %10 = affine.load %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
                %11 = arith.mulf %8, %8 : f32
                %12 = arith.addf %10, %11 : f32
                affine.store %12, %alloc[%arg2, %arg3, %arg4, %arg5] : memref<1x8x8x8xf32>
              }
            }
          }
        }
      }
    }
  }
  %2 = bufferization.to_tensor %alloc : memref<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}
func.func @elem(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg1 : memref<?xf32, strided<[?], offset: ?>>
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
  %dim_1 = tensor.dim %arg1, %c0 : tensor<?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_1] step 2 {
      %4 = affine.load %2[%arg3] : memref<?xf32, strided<[?], offset: ?>>
      affine.store %4, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = affine.load %2[%arg3 + 1] : memref<?xf32, strided<[?], offset: ?>>
      affine.store %5, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_1] to %dim_1 {
      %4 = affine.load %2[%arg3] : memref<?xf32, strided<[?], offset: ?>>
      affine.store %4, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  %dim_2 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  affine.for %arg2 = 0 to %dim_2 {
    affine.for %arg3 = 0 to #map()[%dim_3] step 2 {
      %4 = affine.load %1[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %5 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %7 = affine.load %1[%arg2, %arg3 + 1] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %8 = affine.load %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
      %9 = arith.addf %7, %8 : f32
      affine.store %9, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_3] to %dim_3 {
      %4 = affine.load %1[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %5 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = math.exp %4 : f32
      affine.store %5, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %6 = affine.load %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
      %7 = math.exp %6 : f32
      affine.store %7, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = math.exp %4 : f32
      affine.store %5, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = affine.load %0[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %6 = arith.mulf %4, %5 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
      %7 = affine.load %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
      %8 = affine.load %0[%arg2, %arg3 + 1] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %9 = arith.mulf %7, %8 : f32
      affine.store %9, %alloc[%arg2, %arg3 + 1] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %4 = affine.load %alloc[%arg2, %arg3] : memref<?x?xf32>
      %5 = affine.load %0[%arg2, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %6 = arith.mulf %4, %4 : f32
      affine.store %6, %alloc[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?xf32>
  return %3 : tensor<?x?xf32>
}
func.func @tr(%arg0: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_1 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %alloc = memref.alloc(%dim_1, %dim, %dim_0) {alignment = 64 : i64} : memref<?x?x?xf32>
  %dim_2 = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_4 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  affine.for %arg1 = 0 to %dim_4 {
    affine.for %arg2 = 0 to %dim_2 {
      affine.for %arg3 = 0 to #map()[%dim_3] step 2 {
        %2 = affine.load %0[%arg2, %arg3, %arg1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
        affine.store %2, %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %3 = affine.load %0[%arg2, %arg3 + 1, %arg1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
        affine.store %3, %alloc[%arg1, %arg2, %arg3 + 1] : memref<?x?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_3] to %dim_3 {
        %2 = affine.load %0[%arg2, %arg3, %arg1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
        affine.store %2, %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
      }
    }
  }
  %alloc_5 = memref.alloc(%dim_1, %dim, %dim_0) {alignment = 64 : i64} : memref<?x?x?xf32>
  affine.for %arg1 = 0 to %dim_1 {
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
        %2 = affine.load %alloc[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %3 = arith.negf %2 : f32
        affine.store %3, %alloc_5[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
        %4 = affine.load %alloc[%arg1, %arg2, %arg3 + 1] : memref<?x?x?xf32>
        %5 = arith.negf %4 : f32
        affine.store %5, %alloc_5[%arg1, %arg2, %arg3 + 1] : memref<?x?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_0] to %dim_0 {
        %2 = affine.load %alloc[%arg2, %arg1, %arg3] : memref<?x?x?xf32>
        %3 = arith.negf %2 : f32
        affine.store %3, %alloc_5[%arg1, %arg2, %arg3] : memref<?x?x?xf32>
      }
    }
  }
  %1 = bufferization.to_tensor %alloc_5 : memref<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}
func.func @imat(%arg0: tensor<?x?xi32>, %arg1: tensor<?x?xi32>, %arg2: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_memref %arg1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %arg0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %2 = bufferization.to_memref %arg2 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %dim = tensor.dim %arg2, %c0 : tensor<?x?xi32>
  %dim_0 = tensor.dim %arg2, %c1 : tensor<?x?xi32>
  %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xi32>
  memref.copy %2, %alloc : memref<?x?xi32, strided<[?, ?], offset: ?>> to memref<?x?xi32>
  %dim_1 = tensor.dim %arg0, %c0 : tensor<?x?xi32>
  %dim_2 = tensor.dim %arg0, %c1 : tensor<?x?xi32>
  %dim_3 = tensor.dim %arg1, %c1 : tensor<?x?xi32>
  affine.for %arg3 = 0 to %dim_1 {
    affine.for %arg4 = 0 to %dim_3 {
      affine.for %arg5 = 0 to #map()[%dim_2] step 2 {
        %4 = affine.load %1[%arg3, %arg5] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %5 = affine.load %0[%arg5, %arg4] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %6 = affine.load %alloc[%arg3, %arg4] : memref<?x?xi32>
        %7 = arith.muli %4, %5 : i32
        %8 = arith.addi %6, %7 : i32
        affine.store %8, %alloc[%arg3, %arg4] : memref<?x?xi32>
        %9 = affine.load %1[%arg3, %arg5 + 1] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %10 = affine.load %0[%arg5 + 1, %arg4] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %11 = affine.load %alloc[%arg3, %arg4] : memref<?x?xi32>
        %12 = arith.muli %9, %10 : i32
        %13 = arith.addi %11, %12 : i32
        affine.store %13, %alloc[%arg3, %arg4] : memref<?x?xi32>
      }
      affine.for %arg5 = #map()[%dim_2] to %dim_2 {
        %4 = affine.load %1[%arg3, %arg5] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %5 = affine.load %0[%arg5, %arg4] : memref<?x?xi32, strided<[?, ?], offset: ?>>
        %6 = affine.load %alloc[%arg3, %arg4] : memref<?x?xi32>
        %7 = arith.muli %4, %5 : i32
        %8 = arith.subi %6, %7 : i32
        affine.store %8, %alloc[%arg3, %arg4] : memref<?x?xi32>
      }
    }
  }
  %3 = bufferization.to_tensor %alloc : memref<?x?xi32>
  return %3 : tensor<?x?xi32>
}
