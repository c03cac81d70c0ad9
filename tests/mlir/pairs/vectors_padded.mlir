// Lanes beyond a row are read as padding and not written: loops over matrices of any sizes, vectorized.
func.func @copy2(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %y, %c0 : memref<?x?xf32>
  %n = memref.dim %y, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @mm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- proved-each --distinct
#map = affine_map<(d0, d1) -> (0)>
func.func @copy2(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to %dim_0 step 8 {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = vector.transfer_read %arg0[%arg2, %arg3], %cst : memref<?x?xf32>, vector<8xf32>
      %1 = arith.addf %0, %0 : vector<8xf32>
      vector.transfer_write %1, %arg1[%arg2, %arg3] : vector<8xf32>, memref<?x?xf32>
    }
  }
  return
}
func.func @mm(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg2, %c1 : memref<?x?xf32>
  %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg3 = 0 to %dim {
    affine.for %arg4 = 0 to %dim_0 step 8 {
      affine.for %arg5 = 0 to %dim_1 {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = vector.transfer_read %arg0[%arg3, %arg5], %cst {in_bounds = [true], permutation_map = #map} : memref<?x?xf32>, vector<8xf32>
        %cst_2 = arith.constant 0.000000e+00 : f32
        %1 = vector.transfer_read %arg1[%arg5, %arg4], %cst_2 : memref<?x?xf32>, vector<8xf32>
        %cst_3 = arith.constant 0.000000e+00 : f32
        %2 = vector.transfer_read %arg2[%arg3, %arg4], %cst_3 : memref<?x?xf32>, vector<8xf32>
        %3 = arith.mulf %0, %1 : vector<8xf32>
        %4 = arith.addf %2, %3 : vector<8xf32>
        vector.transfer_write %4, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted-each --distinct
#map = affine_map<(d0, d1) -> (0)>
func.func @copy2(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to %dim_0 step 8 {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = vector.transfer_read %arg0[%arg2, %arg3], %cst : memref<?x?xf32>, vector<8xf32>
      %1 = arith.mulf %0, %0 : vector<8xf32>
      vector.transfer_write %1, %arg1[%arg2, %arg3] : vector<8xf32>, memref<?x?xf32>
    }
  }
  return
}
func.func @mm(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg2, %c1 : memref<?x?xf32>
  %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg3 = 0 to %dim {
    affine.for %arg4 = 0 to %dim_0 step 8 {
      affine.for %arg5 = 0 to %dim_1 {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = vector.transfer_read %arg0[%arg3, %arg5], %cst {in_bounds = [true], permutation_map = #map} : memref<?x?xf32>, vector<8xf32>
        %cst_2 = arith.constant 0.000000e+00 : f32
        %1 = vector.transfer_read %arg1[%arg5, %arg4], %cst_2 : memref<?x?xf32>, vector<8xf32>
        %cst_3 = arith.constant 0.000000e+00 : f32
        %2 = vector.transfer_read %arg2[%arg3, %arg4], %cst_3 : memref<?x?xf32>, vector<8xf32>
        %3 = arith.mulf %0, %1 : vector<8xf32>
        %4 = arith.subf %2, %3 : vector<8xf32>
        vector.transfer_write %4, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x?xf32>
      }
    }
  }
  return
}
