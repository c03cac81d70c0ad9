// Loops over memory, as a front end or the lowering of linalg writes them.
func.func @row_sum(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %zero, %y[%i] : memref<?xf32>
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.load %x[%i, %j] : memref<?x?xf32>
      %b = memref.load %y[%i] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %y[%i] : memref<?xf32>
    }
  }
  return
}

func.func @matmul_affine(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
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

func.func @matmul_static(%a: memref<16x32xf32>, %b: memref<32x8xf32>, %c: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %c[%i, %j] : memref<16x8xf32>
      affine.for %l = 0 to 32 {
        %x = affine.load %a[%i, %l] : memref<16x32xf32>
        %y = affine.load %b[%l, %j] : memref<32x8xf32>
        %z = affine.load %c[%i, %j] : memref<16x8xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @axpy(%alpha: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %p = arith.mulf %alpha, %a : f32
    %s = arith.addf %p, %b : f32
    memref.store %s, %y[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

func.func @dot(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    scf.yield %s : f32
  }
  return %r : f32
}

func.func @scale_in_place(%x: memref<?x?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.load %x[%i, %j] : memref<?x?xf32>
      %p = arith.mulf %f, %a : f32
      memref.store %p, %x[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func @tiled_add(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %z, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c8 {
    %left = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    scf.for %j = %c0 to %left step %c1 {
      %k = arith.addi %i, %j : index
      %a = memref.load %x[%k] : memref<?xf32>
      %b = memref.load %y[%k] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %z[%k] : memref<?xf32>
    }
  }
  return
}

func.func @transpose(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %a = memref.load %x[%i, %j] : memref<?x?xf32>
    memref.store %a, %y[%j, %i] : memref<?x?xf32>
    scf.reduce
  }
  return
}

func.func @relu_guarded(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    %c = arith.cmpf ogt, %a, %zero : f32
    %v = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %v, %y[%i] : memref<?xf32>
  }
  return
}

func.func @interior(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %last = arith.subi %n, %c1 : index
  %third = arith.constant 0.3333333333333333 : f32
  scf.for %i = %c1 to %last step %c1 {
    %l = arith.subi %i, %c1 : index
    %r = arith.addi %i, %c1 : index
    %a = memref.load %x[%l] : memref<?xf32>
    %b = memref.load %x[%i] : memref<?xf32>
    %c = memref.load %x[%r] : memref<?xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    %u = arith.mulf %t, %third : f32
    memref.store %u, %y[%i] : memref<?xf32>
  }
  return
}

func.func @row_max(%x: memref<?x?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFFF0000000000000 : f64
  %m = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %low) -> f64 {
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      %s = arith.maximumf %acc, %a : f64
      scf.yield %s : f64
    }
    memref.store %r, %y[%i] : memref<?xf64>
  }
  return
}

func.func @prefix_sum(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
    %a = memref.load %x[%i] : memref<?xf32>
    %s = arith.addf %acc, %a : f32
    memref.store %s, %y[%i] : memref<?xf32>
    scf.yield %s : f32
  }
  return
}

func.func @reverse(%x: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xi32>
    %u = arith.subi %n, %c1 : index
    %v = arith.subi %u, %i : index
    memref.store %a, %y[%v] : memref<?xi32>
  }
  return
}

func.func @horner(%x: f64, %c: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f64 {
    %a = memref.load %c[%i] : memref<4xf64>
    %p = arith.mulf %acc, %x : f64
    %s = arith.addf %p, %a : f64
    scf.yield %s : f64
  }
  return %r : f64
}

func.func @add_in_place(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %b[%i] : memref<?xf32>
    %w = memref.load %a[%i] : memref<?xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %a[%i] : memref<?xf32>
  }
  return
}
