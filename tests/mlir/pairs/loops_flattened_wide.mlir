// Rows of a matrix in one loop, written to rows that may be wider.
func.func @copy(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %v, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
// ----- proved --distinct
#c = affine_map<()[s0] -> (s0)>
#c1 = affine_map<(d0)[s0] -> (d0 * s0)>
#c2 = affine_map<(d0)[s0] -> (d0 mod s0)>
#c3 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
func.func @copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %0 = affine.apply #c()[%dim]
  %1 = affine.apply #c()[%dim_0]
  %2 = affine.apply #c1(%0)[%1]
  affine.for %arg2 = 0 to %2 {
    %3 = affine.apply #c2(%arg2)[%1]
    %4 = affine.apply #c3(%arg2)[%1]
    %5 = affine.load %arg0[%4, %3] : memref<?x?xf32>
    affine.store %5, %arg1[%4, %3] : memref<?x?xf32>
  }
  return
}
// ----- refuted --distinct
#c = affine_map<()[s0] -> (s0)>
#c1 = affine_map<(d0)[s0] -> (d0 * s0)>
#c2 = affine_map<(d0)[s0] -> (d0 mod s0)>
#c3 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
func.func @copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %0 = affine.apply #c()[%dim]
  %1 = affine.apply #c()[%dim_0]
  %2 = affine.apply #c1(%0)[%1]
  affine.for %arg2 = 0 to %2 {
    %3 = affine.apply #c2(%arg2)[%1]
    %4 = affine.apply #c3(%arg2)[%0]
    %5 = affine.load %arg0[%4, %3] : memref<?x?xf32>
    affine.store %5, %arg1[%4, %3] : memref<?x?xf32>
  }
  return
}
// ----- refuted --distinct
#c = affine_map<()[s0] -> (s0)>
#c1 = affine_map<(d0)[s0] -> (d0 * s0)>
#c2 = affine_map<(d0)[s0] -> (d0 mod s0)>
#c3 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
func.func @copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %0 = affine.apply #c()[%dim]
  %1 = affine.apply #c()[%dim_0]
  %2 = affine.apply #c1(%0)[%1]
  affine.for %arg2 = 0 to %2 {
    %3 = affine.apply #c2(%arg2)[%1]
    %4 = affine.apply #c3(%arg2)[%1]
    %5 = affine.load %arg0[%4, %3] : memref<?x?xf32>
    affine.store %5, %arg1[%3, %4] : memref<?x?xf32>
  }
  return
}
// ----- refuted --distinct
#c = affine_map<()[s0] -> (s0)>
#c1 = affine_map<(d0)[s0] -> (d0 * s0)>
#c2 = affine_map<(d0)[s0] -> (d0 mod s0)>
#c3 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
func.func @copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  %0 = affine.apply #c()[%dim]
  %1 = affine.apply #c()[%dim_0]
  %2 = affine.apply #c1(%0)[%1]
  affine.for %arg2 = 1 to %2 {
    %3 = affine.apply #c2(%arg2)[%1]
    %4 = affine.apply #c3(%arg2)[%1]
    %5 = affine.load %arg0[%4, %3] : memref<?x?xf32>
    affine.store %5, %arg1[%4, %3] : memref<?x?xf32>
  }
  return
}
