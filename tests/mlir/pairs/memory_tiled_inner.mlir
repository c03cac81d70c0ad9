// Tiles of the inner part of a matrix, and of a buffer that is returned.
func.func @stencil(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
    affine.for %j = 1 to affine_map<(d0) -> (d0 - 1)>(%p) {
      %0 = affine.load %a[%i - 1, %j] : memref<?x?xf32>
      %1 = affine.load %a[%i + 1, %j] : memref<?x?xf32>
      %3 = affine.load %a[%i, %j - 1] : memref<?x?xf32>
      %4 = affine.load %a[%i, %j + 1] : memref<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      %5 = arith.addf %2, %3 : f32
      %6 = arith.addf %5, %4 : f32
      affine.store %6, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @alloc(%a: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  %b = memref.alloc(%n, %p) : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %p {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return %b : memref<?x?xf32>
}
// ----- proved --distinct
func.func @stencil(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg2 = 1 to affine_map<(d0) -> (d0 - 1)>(%dim) step 32 {
    affine.for %arg3 = 1 to affine_map<(d0) -> (d0 - 1)>(%dim_0) step 32 {
      affine.for %arg4 = affine_map<(d0) -> (d0)>(%arg2)
            to min affine_map<(d0, d1) -> (d1 + 32, d0 - 1)>(%dim, %arg2) {
        affine.for %arg5 = affine_map<(d0) -> (d0)>(%arg3)
            to min affine_map<(d0, d1) -> (d1 + 32, d0 - 1)>(%dim_0, %arg3) {
          %0 = affine.load %arg0[%arg4 - 1, %arg5] : memref<?x?xf32>
          %1 = affine.load %arg0[%arg4 + 1, %arg5] : memref<?x?xf32>
          %2 = affine.load %arg0[%arg4, %arg5 - 1] : memref<?x?xf32>
          %3 = affine.load %arg0[%arg4, %arg5 + 1] : memref<?x?xf32>
          %4 = arith.addf %0, %1 : f32
          %5 = arith.addf %4, %2 : f32
          %6 = arith.addf %5, %3 : f32
          affine.store %6, %arg1[%arg4, %arg5] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
func.func @alloc(%arg0: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %alloc = memref.alloc(%dim, %dim_0) : memref<?x?xf32>
  affine.for %arg1 = 0 to %dim step 32 {
    affine.for %arg2 = 0 to %dim_0 step 32 {
      affine.for %arg3 = affine_map<(d0) -> (d0)>(%arg1) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%arg1)[%dim] {
        affine.for %arg4 = affine_map<(d0) -> (d0)>(%arg2)
            to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%arg2)[%dim_0] {
          %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          affine.store %0, %alloc[%arg3, %arg4] : memref<?x?xf32>
        }
      }
    }
  }
  return %alloc : memref<?x?xf32>
}
// ----- refuted-each --distinct
// Tiles that end at the border, or that leave a row out.
func.func @stencil(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg2 = 1 to affine_map<(d0) -> (d0 - 1)>(%dim) step 32 {
    affine.for %arg3 = 1 to affine_map<(d0) -> (d0 - 1)>(%dim_0) step 32 {
      affine.for %arg4 = affine_map<(d0) -> (d0)>(%arg2)
            to min affine_map<(d0, d1) -> (d1 + 32, d0)>(%dim, %arg2) {
        affine.for %arg5 = affine_map<(d0) -> (d0)>(%arg3)
            to min affine_map<(d0, d1) -> (d1 + 32, d0 - 1)>(%dim_0, %arg3) {
          %0 = affine.load %arg0[%arg4 - 1, %arg5] : memref<?x?xf32>
          %1 = affine.load %arg0[%arg4 + 1, %arg5] : memref<?x?xf32>
          %2 = affine.load %arg0[%arg4, %arg5 - 1] : memref<?x?xf32>
          %3 = affine.load %arg0[%arg4, %arg5 + 1] : memref<?x?xf32>
          %4 = arith.addf %0, %1 : f32
          %5 = arith.addf %4, %2 : f32
          %6 = arith.addf %5, %3 : f32
          affine.store %6, %arg1[%arg4, %arg5] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
func.func @alloc(%arg0: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %alloc = memref.alloc(%dim, %dim_0) : memref<?x?xf32>
  affine.for %arg1 = 0 to %dim step 33 {
    affine.for %arg2 = 0 to %dim_0 step 32 {
      affine.for %arg3 = affine_map<(d0) -> (d0)>(%arg1) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%arg1)[%dim] {
        affine.for %arg4 = affine_map<(d0) -> (d0)>(%arg2)
            to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%arg2)[%dim_0] {
          %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          affine.store %0, %alloc[%arg3, %arg4] : memref<?x?xf32>
        }
      }
    }
  }
  return %alloc : memref<?x?xf32>
}
