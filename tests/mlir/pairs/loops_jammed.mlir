// Rows of a stencil that were jammed: writes to two rows in one iteration.
func.func @stencil(%x: memref<66x66xf32>, %y: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %x[%i, %j + 1] : memref<66x66xf32>
      %b = affine.load %x[%i + 2, %j + 1] : memref<66x66xf32>
      %c = affine.load %x[%i + 1, %j] : memref<66x66xf32>
      %d = affine.load %x[%i + 1, %j + 2] : memref<66x66xf32>
      %e = arith.addf %a, %b : f32
      %f = arith.addf %c, %d : f32
      %g = arith.addf %e, %f : f32
      affine.store %g, %y[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
// ----- proved-each --distinct
#map = affine_map<(d0) -> (d0 + 1)>
func.func @stencil(%arg0: memref<66x66xf32>, %arg1: memref<64x64xf32>) {
  affine.for %arg2 = 0 to 64 step 2 {
    affine.for %arg3 = 0 to 64 {
      %0 = affine.load %arg0[%arg2, %arg3 + 1] : memref<66x66xf32>
      %1 = affine.load %arg0[%arg2 + 2, %arg3 + 1] : memref<66x66xf32>
      %2 = affine.load %arg0[%arg2 + 1, %arg3] : memref<66x66xf32>
      %3 = affine.load %arg0[%arg2 + 1, %arg3 + 2] : memref<66x66xf32>
      %4 = arith.addf %0, %1 : f32
      %5 = arith.addf %2, %3 : f32
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %arg1[%arg2, %arg3] : memref<64x64xf32>
      %7 = affine.apply #map(%arg2)
      %8 = affine.load %arg0[%7, %arg3 + 1] : memref<66x66xf32>
      %9 = affine.load %arg0[%7 + 2, %arg3 + 1] : memref<66x66xf32>
      %10 = affine.load %arg0[%7 + 1, %arg3] : memref<66x66xf32>
      %11 = affine.load %arg0[%7 + 1, %arg3 + 2] : memref<66x66xf32>
      %12 = arith.addf %8, %9 : f32
      %13 = arith.addf %10, %11 : f32
      %14 = arith.addf %12, %13 : f32
      affine.store %14, %arg1[%7, %arg3] : memref<64x64xf32>
    }
  }
  return
}
// ----- refuted-each --distinct
#map = affine_map<(d0) -> (d0 + 1)>
func.func @stencil(%arg0: memref<66x66xf32>, %arg1: memref<64x64xf32>) {
  affine.for %arg2 = 0 to 64 step 2 {
    affine.for %arg3 = 0 to 64 {
      %0 = affine.load %arg0[%arg2, %arg3 + 1] : memref<66x66xf32>
      %1 = affine.load %arg0[%arg2 + 2, %arg3 + 1] : memref<66x66xf32>
      %2 = affine.load %arg0[%arg2 + 1, %arg3] : memref<66x66xf32>
      %3 = affine.load %arg0[%arg2 + 1, %arg3 + 2] : memref<66x66xf32>
      %4 = arith.addf %0, %1 : f32
      %5 = arith.addf %2, %3 : f32
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %arg1[%arg2, %arg3] : memref<64x64xf32>
      %7 = affine.apply #map(%arg2)
      %8 = affine.load %arg0[%7, %arg3 + 1] : memref<66x66xf32>
      %9 = affine.load %arg0[%7 + 2, %arg3 + 1] : memref<66x66xf32>
      %10 = affine.load %arg0[%7 + 1, %arg3] : memref<66x66xf32>
      %11 = affine.load %arg0[%7 + 1, %arg3 + 2] : memref<66x66xf32>
      %12 = arith.addf %8, %9 : f32
      %13 = arith.addf %10, %11 : f32
      %14 = arith.subf %12, %13 : f32
      affine.store %14, %arg1[%7, %arg3] : memref<64x64xf32>
    }
  }
  return
}
