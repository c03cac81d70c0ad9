// Memrefs of vectors, whose lanes are the innermost dimensions: what convert-vector-to-scf makes of transfers.
func.func @rows(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  %i = arith.constant 3 : index
 %j = arith.constant 1 : index
 %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%i, %j], %z : memref<16x16xf32>, vector<4x8xf32>
  %w = arith.addf %v, %v : vector<4x8xf32>
  vector.transfer_write %w, %b[%i, %j] : vector<4x8xf32>, memref<16x16xf32>
  return
}
func.func @local(%v: vector<2x3xf32>, %i: index) -> vector<3xf32> {
  %r = vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>
  return %r : vector<3xf32>
}
func.func @whole(%v: vector<2x3xf32>, %m: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, memref<2x3xf32>
  return
}
// ----- proved
#map = affine_map<(d0) -> (d0 + 3)>
  func.func @rows(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %alloca = memref.alloca() : memref<vector<4x8xf32>>
    %alloca_0 = memref.alloca() : memref<vector<4x8xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = affine.apply #map(%arg2)
      %5 = vector.transfer_read %arg0[%4, %c1], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<8xf32>
      memref.store %5, %0[%arg2] : memref<4xvector<8xf32>>
    }
    %1 = memref.load %alloca[] : memref<vector<4x8xf32>>
    %2 = arith.addf %1, %1 : vector<4x8xf32>
    memref.store %2, %alloca_0[] : memref<vector<4x8xf32>>
    %3 = vector.type_cast %alloca_0 : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = affine.apply #map(%arg2)
      %5 = memref.load %3[%arg2] : memref<4xvector<8xf32>>
      vector.transfer_write %5, %arg1[%4, %c1] {in_bounds = [true]} : vector<8xf32>, memref<16x16xf32>
    }
    return
  }
func.func @local(%v: vector<2x3xf32>, %i: index) -> vector<3xf32> {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<vector<2x3xf32>>
  memref.store %v, %m[] : memref<vector<2x3xf32>>
  %t = vector.type_cast %m : memref<vector<2x3xf32>> to memref<2xvector<3xf32>>
  %r = memref.load %t[%c1] : memref<2xvector<3xf32>>
  memref.dealloc %m : memref<vector<2x3xf32>>
  return %r : vector<3xf32>
}
func.func @whole(%v: vector<2x3xf32>, %m: memref<2x3xf32>) {
  %t = vector.type_cast %m : memref<2x3xf32> to memref<vector<2x3xf32>>
  memref.store %v, %t[] : memref<vector<2x3xf32>>
  return
}
// ----- refuted-each
#map = affine_map<(d0) -> (d0 + 3)>
  func.func @rows(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %alloca = memref.alloca() : memref<vector<4x8xf32>>
    %alloca_0 = memref.alloca() : memref<vector<4x8xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = affine.apply #map(%arg2)
      %5 = vector.transfer_read %arg0[%4, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<8xf32>
      memref.store %5, %0[%arg2] : memref<4xvector<8xf32>>
    }
    %1 = memref.load %alloca[] : memref<vector<4x8xf32>>
    %2 = arith.addf %1, %1 : vector<4x8xf32>
    memref.store %2, %alloca_0[] : memref<vector<4x8xf32>>
    %3 = vector.type_cast %alloca_0 : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = affine.apply #map(%arg2)
      %5 = memref.load %3[%arg2] : memref<4xvector<8xf32>>
      vector.transfer_write %5, %arg1[%4, %c1] {in_bounds = [true]} : vector<8xf32>, memref<16x16xf32>
    }
    return
  }
func.func @local(%v: vector<2x3xf32>, %i: index) -> vector<3xf32> {
  %c1 = arith.constant 0 : index
  %m = memref.alloc() : memref<vector<2x3xf32>>
  memref.store %v, %m[] : memref<vector<2x3xf32>>
  %t = vector.type_cast %m : memref<vector<2x3xf32>> to memref<2xvector<3xf32>>
  %r = memref.load %t[%c1] : memref<2xvector<3xf32>>
  memref.dealloc %m : memref<vector<2x3xf32>>
  return %r : vector<3xf32>
}
func.func @whole(%v: vector<2x3xf32>, %m: memref<2x3xf32>) {
  %t = vector.type_cast %m : memref<2x3xf32> to memref<vector<2x3xf32>>
  %w = arith.addf %v, %v : vector<2x3xf32>
  memref.store %w, %t[] : memref<vector<2x3xf32>>
  return
}
