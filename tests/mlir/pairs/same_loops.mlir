// A loop whose operands may overlap, which no closed form tells, is what it is.
func.func @product(%a: memref<16x8xf32>, %b: memref<8x12xf32>, %c: memref<16x12xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 12 {
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%i, %k] : memref<16x8xf32>
        %y = affine.load %b[%k, %j] : memref<8x12xf32>
        %z = affine.load %c[%i, %j] : memref<16x12xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<16x12xf32>
      }
    }
  }
  return
}
// ----- proved
func.func @product(%arg0: memref<16x8xf32>, %arg1: memref<8x12xf32>, %arg2: memref<16x12xf32>) {
  affine.for %arg3 = 0 to 16 {
    affine.for %arg4 = 0 to 12 {
      affine.for %arg5 = 0 to 8 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<16x8xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<8x12xf32>
        %2 = affine.load %arg2[%arg3, %arg4] : memref<16x12xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<16x12xf32>
      }
    }
  }
  return
}
