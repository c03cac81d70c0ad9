func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
// ----- proved
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %k step %c1 {
        %0 = memref.load %a[%i, %l] : memref<?x?xf32>
        %1 = memref.load %b[%l, %j] : memref<?x?xf32>
        %2 = memref.load %c[%i, %j] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- proved
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %2 = affine.load %c[%i, %j] : memref<?x?xf32>
      %r = affine.for %l = 0 to %k iter_args(%s = %2) -> f32 {
        %0 = affine.load %a[%i, %l] : memref<?x?xf32>
        %1 = affine.load %b[%l, %j] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %s, %3 : f32
        affine.yield %4 : f32
      }
      affine.store %r, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
// ----- proved
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %l = %c0 to %k step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %0 = memref.load %a[%i, %l] : memref<?x?xf32>
        %1 = memref.load %b[%l, %j] : memref<?x?xf32>
        %2 = memref.load %c[%i, %j] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c1 to %k step %c1 {
        %0 = memref.load %a[%i, %l] : memref<?x?xf32>
        %1 = memref.load %b[%l, %j] : memref<?x?xf32>
        %2 = memref.load %c[%i, %j] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %r = scf.for %l = %c0 to %k step %c1 iter_args(%s = %z) -> f32 {
        %0 = memref.load %a[%i, %l] : memref<?x?xf32>
        %1 = memref.load %b[%l, %j] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %s, %3 : f32
        scf.yield %4 : f32
      }
      memref.store %r, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
