// Reductions that are unrolled, with a tail: operands without order are those of steps of one kind.
func.func @imax(%x: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant -2147483648 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> (i32) {
    %v = affine.load %x[%i] : memref<?xi32>
    %u = arith.maxsi %a, %v : i32
    affine.yield %u : i32
  }
  return %r : i32
}
func.func @isum(%x: memref<?xi32>, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> (i32) {
    %v = affine.load %x[%i] : memref<?xi32>
    %u = arith.addi %a, %v : i32
    affine.yield %u : i32
  }
  return %r : i32
}
func.func @fmin(%x: memref<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> (f32) {
    %v = affine.load %x[%i] : memref<?xf32>
    %u = arith.minimumf %a, %v : f32
    affine.yield %u : f32
  }
  return %r : f32
}
func.func @logic(%x: memref<?xi32>) -> i1 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %z = arith.constant 0 : i32
  %f = arith.constant false
  %r = affine.for %i = 0 to %n iter_args(%a = %f) -> (i1) {
    %v = affine.load %x[%i] : memref<?xi32>
    %p = arith.cmpi slt, %v, %z : i32
    %u = arith.ori %a, %p : i1
    affine.yield %u : i1
  }
  return %r : i1
}
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
func.func @maxmem(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0xFF800000 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.store %z, %y[%i] : memref<?xf32>
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %w = affine.load %y[%i] : memref<?xf32>
      %u = arith.maximumf %v, %w : f32
      affine.store %u, %y[%i] : memref<?xf32>
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
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
func.func @imax(%arg0: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c-2147483648_i32 = arith.constant -2147483648 : i32
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %0 = affine.for %arg1 = 0 to #map()[%dim] step 2 iter_args(%arg2 = %c-2147483648_i32) -> (i32) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.maxsi %arg2, %2 : i32
    %4 = affine.apply #map1(%arg1)
    %5 = affine.load %arg0[%4] : memref<?xi32>
    %6 = arith.maxsi %3, %5 : i32
    affine.yield %6 : i32
  }
  %1 = affine.for %arg1 = #map()[%dim] to %dim iter_args(%arg2 = %0) -> (i32) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.maxsi %arg2, %2 : i32
    affine.yield %3 : i32
  }
  return %1 : i32
}
func.func @isum(%arg0: memref<?xi32>, %arg1: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %0 = affine.for %arg2 = 0 to #map()[%dim] step 2 iter_args(%arg3 = %arg1) -> (i32) {
    %2 = affine.load %arg0[%arg2] : memref<?xi32>
    %3 = arith.addi %arg3, %2 : i32
    %4 = affine.apply #map1(%arg2)
    %5 = affine.load %arg0[%4] : memref<?xi32>
    %6 = arith.addi %3, %5 : i32
    affine.yield %6 : i32
  }
  %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (i32) {
    %2 = affine.load %arg0[%arg2] : memref<?xi32>
    %3 = arith.addi %arg3, %2 : i32
    affine.yield %3 : i32
  }
  return %1 : i32
}
func.func @fmin(%arg0: memref<?xf32>, %arg1: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xf32>
  %0 = affine.for %arg2 = 0 to #map()[%dim] step 2 iter_args(%arg3 = %arg1) -> (f32) {
    %2 = affine.load %arg0[%arg2] : memref<?xf32>
    %3 = arith.minimumf %arg3, %2 : f32
    %4 = affine.apply #map1(%arg2)
    %5 = affine.load %arg0[%4] : memref<?xf32>
    %6 = arith.minimumf %3, %5 : f32
    affine.yield %6 : f32
  }
  %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
    %2 = affine.load %arg0[%arg2] : memref<?xf32>
    %3 = arith.minimumf %arg3, %2 : f32
    affine.yield %3 : f32
  }
  return %1 : f32
}
func.func @logic(%arg0: memref<?xi32>) -> i1 {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %c0_i32 = arith.constant 0 : i32
  %false = arith.constant false
  %0 = affine.for %arg1 = 0 to #map()[%dim] step 2 iter_args(%arg2 = %false) -> (i1) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.cmpi slt, %2, %c0_i32 : i32
    %4 = arith.ori %arg2, %3 : i1
    %5 = affine.apply #map1(%arg1)
    %6 = affine.load %arg0[%5] : memref<?xi32>
    %7 = arith.cmpi slt, %6, %c0_i32 : i32
    %8 = arith.ori %4, %7 : i1
    affine.yield %8 : i1
  }
  %1 = affine.for %arg1 = #map()[%dim] to %dim iter_args(%arg2 = %0) -> (i1) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.cmpi slt, %2, %c0_i32 : i32
    %4 = arith.ori %arg2, %3 : i1
    affine.yield %4 : i1
  }
  return %1 : i1
}
func.func @copy2(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      %2 = affine.apply #map1(%arg3)
      %3 = affine.load %arg0[%arg2, %2] : memref<?x?xf32>
      %4 = arith.addf %3, %3 : f32
      affine.store %4, %arg1[%arg2, %2] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  return
}
func.func @maxmem(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0xFF800000 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.store %cst, %arg1[%arg2] : memref<?xf32>
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = affine.load %arg1[%arg2] : memref<?xf32>
      %2 = arith.maximumf %0, %1 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
      %3 = affine.apply #map1(%arg3)
      %4 = affine.load %arg0[%arg2, %3] : memref<?x?xf32>
      %5 = affine.load %arg1[%arg2] : memref<?xf32>
      %6 = arith.maximumf %4, %5 : f32
      affine.store %6, %arg1[%arg2] : memref<?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = affine.load %arg1[%arg2] : memref<?xf32>
      %2 = arith.maximumf %0, %1 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
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
    affine.for %arg4 = 0 to %dim_0 {
      affine.for %arg5 = 0 to #map()[%dim_1] step 2 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<?x?xf32>
        %2 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
        %5 = affine.apply #map1(%arg5)
        %6 = affine.load %arg0[%arg3, %5] : memref<?x?xf32>
        %7 = affine.load %arg1[%5, %arg4] : memref<?x?xf32>
        %8 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %9 = arith.mulf %6, %7 : f32
        %10 = arith.addf %8, %9 : f32
        affine.store %10, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
      affine.for %arg5 = #map()[%dim_1] to %dim_1 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<?x?xf32>
        %2 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted-each --distinct
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
func.func @imax(%arg0: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c-2147483648_i32 = arith.constant -2147483648 : i32
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %0 = affine.for %arg1 = 0 to #map()[%dim] step 2 iter_args(%arg2 = %c-2147483648_i32) -> (i32) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.maxsi %arg2, %2 : i32
    %4 = affine.apply #map1(%arg1)
    %5 = affine.load %arg0[%4] : memref<?xi32>
    %6 = arith.maxsi %3, %5 : i32
    affine.yield %6 : i32
  }
  %1 = affine.for %arg1 = #map()[%dim] to %dim iter_args(%arg2 = %0) -> (i32) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.minsi %arg2, %2 : i32
    affine.yield %3 : i32
  }
  return %1 : i32
}
func.func @isum(%arg0: memref<?xi32>, %arg1: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %0 = affine.for %arg2 = 0 to #map()[%dim] step 2 iter_args(%arg3 = %arg1) -> (i32) {
    %2 = affine.load %arg0[%arg2] : memref<?xi32>
    %3 = arith.subi %arg3, %2 : i32
    %4 = affine.apply #map1(%arg2)
    %5 = affine.load %arg0[%4] : memref<?xi32>
    %6 = arith.addi %3, %5 : i32
    affine.yield %6 : i32
  }
  %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (i32) {
    %2 = affine.load %arg0[%arg2] : memref<?xi32>
    %3 = arith.addi %arg3, %2 : i32
    affine.yield %3 : i32
  }
  return %1 : i32
}
func.func @fmin(%arg0: memref<?xf32>, %arg1: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xf32>
  %0 = affine.for %arg2 = 0 to #map()[%dim] step 2 iter_args(%arg3 = %arg1) -> (f32) {
    %2 = affine.load %arg0[%arg2] : memref<?xf32>
    %3 = arith.minimumf %arg3, %2 : f32
    %4 = affine.apply #map1(%arg2)
    %5 = affine.load %arg0[%4] : memref<?xf32>
    %6 = arith.minimumf %3, %5 : f32
    affine.yield %6 : f32
  }
  %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
    %2 = affine.load %arg0[%arg2] : memref<?xf32>
    %3 = arith.maximumf %arg3, %2 : f32
    affine.yield %3 : f32
  }
  return %1 : f32
}
func.func @logic(%arg0: memref<?xi32>) -> i1 {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %c0_i32 = arith.constant 0 : i32
  %false = arith.constant false
  %0 = affine.for %arg1 = 0 to #map()[%dim] step 2 iter_args(%arg2 = %false) -> (i1) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.cmpi sle, %2, %c0_i32 : i32
    %4 = arith.ori %arg2, %3 : i1
    %5 = affine.apply #map1(%arg1)
    %6 = affine.load %arg0[%5] : memref<?xi32>
    %7 = arith.cmpi slt, %6, %c0_i32 : i32
    %8 = arith.ori %4, %7 : i1
    affine.yield %8 : i1
  }
  %1 = affine.for %arg1 = #map()[%dim] to %dim iter_args(%arg2 = %0) -> (i1) {
    %2 = affine.load %arg0[%arg1] : memref<?xi32>
    %3 = arith.cmpi slt, %2, %c0_i32 : i32
    %4 = arith.ori %arg2, %3 : i1
    affine.yield %4 : i1
  }
  return %1 : i1
}
func.func @copy2(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      %2 = affine.apply #map1(%arg3)
      %3 = affine.load %arg0[%arg2, %2] : memref<?x?xf32>
      %4 = arith.addf %3, %3 : f32
      affine.store %4, %arg1[%arg2, %2] : memref<?x?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
    }
  }
  return
}
func.func @maxmem(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0xFF800000 : f32
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg2 = 0 to %dim {
    affine.store %cst, %arg1[%arg2] : memref<?xf32>
    affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = affine.load %arg1[%arg2] : memref<?xf32>
      %2 = arith.maximumf %0, %1 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
      %3 = affine.apply #map1(%arg3)
      %4 = affine.load %arg0[%arg2, %3] : memref<?x?xf32>
      %5 = affine.load %arg1[%arg2] : memref<?xf32>
      %6 = arith.maximumf %4, %5 : f32
      affine.store %6, %arg1[%arg2] : memref<?xf32>
    }
    affine.for %arg3 = #map()[%dim_0] to %dim_0 {
      %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = affine.load %arg1[%arg2] : memref<?xf32>
      %2 = arith.minimumf %0, %1 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
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
    affine.for %arg4 = 0 to %dim_0 {
      affine.for %arg5 = 0 to #map()[%dim_1] step 2 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<?x?xf32>
        %2 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
        %5 = affine.apply #map1(%arg5)
        %6 = affine.load %arg0[%arg3, %5] : memref<?x?xf32>
        %7 = affine.load %arg1[%5, %arg4] : memref<?x?xf32>
        %8 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %9 = arith.mulf %6, %7 : f32
        %10 = arith.addf %8, %9 : f32
        affine.store %10, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
      affine.for %arg5 = #map()[%dim_1] to %dim_1 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<?x?xf32>
        %2 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.subf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
  }
  return
}
