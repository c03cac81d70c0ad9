// Loops that are cut into vectors: of memory that does not overlap.
func.func @f(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %x = affine.load %a[%i, %j] : memref<8x16xf32>
      %y = arith.mulf %x, %x : f32
      affine.store %y, %b[%i, %j] : memref<8x16xf32>
    }
  }
  return
}
// ----- proved --distinct
func.func @f(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 step 4 {
      %z = arith.constant 0.0 : f32
      %x = vector.transfer_read %a[%i, %j], %z : memref<8x16xf32>, vector<4xf32>
      %y = arith.mulf %x, %x : vector<4xf32>
      vector.transfer_write %y, %b[%i, %j] : vector<4xf32>, memref<8x16xf32>
    }
  }
  return
}
// ----- refuted full
func.func @f(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 step 4 {
      %z = arith.constant 0.0 : f32
      %x = vector.transfer_read %a[%i, %j], %z : memref<8x16xf32>, vector<4xf32>
      %y = arith.mulf %x, %x : vector<4xf32>
      vector.transfer_write %y, %b[%i, %j] : vector<4xf32>, memref<8x16xf32>
    }
  }
  return
}
// ----- refuted --distinct
func.func @f(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 step 8 {
      %z = arith.constant 0.0 : f32
      %x = vector.transfer_read %a[%i, %j], %z : memref<8x16xf32>, vector<4xf32>
      %y = arith.mulf %x, %x : vector<4xf32>
      vector.transfer_write %y, %b[%i, %j] : vector<4xf32>, memref<8x16xf32>
    }
  }
  return
}
