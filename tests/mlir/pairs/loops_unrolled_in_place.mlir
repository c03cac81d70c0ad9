// Loops that change in place what they read, unrolled.
func.func @sum(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) {
    %v = memref.load %x[%i] : memref<?xf32>
    %q = arith.addf %a, %v : f32
    scf.yield %q : f32
  }
  return %r : f32
}
func.func @tens(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %c step %c1 iter_args(%t = %x) -> (tensor<?xf32>) {
    %v = tensor.extract %t[%i] : tensor<?xf32>
    %q = arith.negf %v : f32
    %u = tensor.insert %q into %t[%i] : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @axpy2(%a: f32, %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %j = %c0 to %m step %c1 {
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%j, %i] : memref<?x?xf32>
    %w = memref.load %y[%j, %i] : memref<?x?xf32>
    %p = arith.mulf %a, %v : f32
    %q = arith.addf %p, %w : f32
    memref.store %q, %y[%j, %i] : memref<?x?xf32>
  }
  }
  return
}
func.func @minmax(%x: memref<?xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %a0 = arith.constant 2147483647 : i32
  %a1 = arith.constant -2147483648 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %a1) -> (i32, i32) {
    %v = memref.load %x[%i] : memref<?xi32>
    %s = arith.minsi %a, %v : i32
    %t = arith.maxsi %b, %v : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// ----- proved-each --distinct
func.func @sum(%arg0: memref<?xf32>) -> f32 {
  %c2 = arith.constant 2 : index
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?xf32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  %2 = scf.for %arg1 = %c0 to %1 step %c2 iter_args(%arg2 = %cst) -> (f32) {
    %4 = memref.load %arg0[%arg1] : memref<?xf32>
    %5 = arith.addf %arg2, %4 : f32
    %6 = arith.addi %arg1, %c1 : index
    %7 = memref.load %arg0[%6] : memref<?xf32>
    %8 = arith.addf %5, %7 : f32
    scf.yield %8 : f32
  }
  %3 = scf.for %arg1 = %1 to %dim step %c1 iter_args(%arg2 = %2) -> (f32) {
    %4 = memref.load %arg0[%arg1] : memref<?xf32>
    %5 = arith.addf %arg2, %4 : f32
    scf.yield %5 : f32
  }
  return %3 : f32
}
func.func @tens(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  %2 = scf.for %arg1 = %c0 to %1 step %c2 iter_args(%arg2 = %arg0) -> (tensor<?xf32>) {
    %extracted = tensor.extract %arg2[%arg1] : tensor<?xf32>
    %4 = arith.negf %extracted : f32
    %inserted = tensor.insert %4 into %arg2[%arg1] : tensor<?xf32>
    %5 = arith.addi %arg1, %c1 : index
    %extracted_0 = tensor.extract %inserted[%5] : tensor<?xf32>
    %6 = arith.negf %extracted_0 : f32
    %inserted_1 = tensor.insert %6 into %inserted[%5] : tensor<?xf32>
    scf.yield %inserted_1 : tensor<?xf32>
  }
  %3 = scf.for %arg1 = %1 to %dim step %c1 iter_args(%arg2 = %2) -> (tensor<?xf32>) {
    %extracted = tensor.extract %arg2[%arg1] : tensor<?xf32>
    %4 = arith.negf %extracted : f32
    %inserted = tensor.insert %4 into %arg2[%arg1] : tensor<?xf32>
    scf.yield %inserted : tensor<?xf32>
  }
  return %3 : tensor<?xf32>
}
func.func @axpy2(%arg0: f32, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  scf.for %arg3 = %c0 to %1 step %c2 {
    scf.for %arg4 = %c0 to %dim_0 step %c1 {
      %3 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
      %4 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
      %5 = arith.mulf %arg0, %3 : f32
      %6 = arith.addf %5, %4 : f32
      memref.store %6, %arg2[%arg3, %arg4] : memref<?x?xf32>
    }
    %2 = arith.addi %arg3, %c1 : index
    scf.for %arg4 = %c0 to %dim_0 step %c1 {
      %3 = memref.load %arg1[%2, %arg4] : memref<?x?xf32>
      %4 = memref.load %arg2[%2, %arg4] : memref<?x?xf32>
      %5 = arith.mulf %arg0, %3 : f32
      %6 = arith.addf %5, %4 : f32
      memref.store %6, %arg2[%2, %arg4] : memref<?x?xf32>
    }
  }
  scf.for %arg3 = %1 to %dim step %c1 {
    scf.for %arg4 = %c0 to %dim_0 step %c1 {
      %2 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
      %3 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
      %4 = arith.mulf %arg0, %2 : f32
      %5 = arith.addf %4, %3 : f32
      memref.store %5, %arg2[%arg3, %arg4] : memref<?x?xf32>
    }
  }
  return
}
func.func @minmax(%arg0: memref<?xi32>) -> (i32, i32) {
  %c2 = arith.constant 2 : index
  %c-2147483648_i32 = arith.constant -2147483648 : i32
  %c2147483647_i32 = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  %2:2 = scf.for %arg1 = %c0 to %1 step %c2 iter_args(%arg2 = %c2147483647_i32, %arg3 = %c-2147483648_i32) -> (i32, i32) {
    %4 = memref.load %arg0[%arg1] : memref<?xi32>
    %5 = arith.minsi %arg2, %4 : i32
    %6 = arith.maxsi %arg3, %4 : i32
    %7 = arith.addi %arg1, %c1 : index
    %8 = memref.load %arg0[%7] : memref<?xi32>
    %9 = arith.minsi %5, %8 : i32
    %10 = arith.maxsi %6, %8 : i32
    scf.yield %9, %10 : i32, i32
  }
  %3:2 = scf.for %arg1 = %1 to %dim step %c1 iter_args(%arg2 = %2#0, %arg3 = %2#1) -> (i32, i32) {
    %4 = memref.load %arg0[%arg1] : memref<?xi32>
    %5 = arith.minsi %arg2, %4 : i32
    %6 = arith.maxsi %arg3, %4 : i32
    scf.yield %5, %6 : i32, i32
  }
  return %3#0, %3#1 : i32, i32
}
// ----- refuted-each --distinct
func.func @sum(%arg0: memref<?xf32>) -> f32 {
  %c2 = arith.constant 2 : index
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?xf32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  %2 = scf.for %arg1 = %c0 to %1 step %c2 iter_args(%arg2 = %cst) -> (f32) {
    %4 = memref.load %arg0[%arg1] : memref<?xf32>
    %5 = arith.addf %arg2, %4 : f32
    %6 = arith.addi %arg1, %c1 : index
    %7 = memref.load %arg0[%6] : memref<?xf32>
    %8 = arith.addf %5, %7 : f32
    scf.yield %8 : f32
  }
  %3 = scf.for %arg1 = %1 to %dim step %c1 iter_args(%arg2 = %2) -> (f32) {
    %4 = memref.load %arg0[%arg1] : memref<?xf32>
    %5 = arith.subf %arg2, %4 : f32
    scf.yield %5 : f32
  }
  return %3 : f32
}
func.func @tens(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  %2 = scf.for %arg1 = %c0 to %1 step %c2 iter_args(%arg2 = %arg0) -> (tensor<?xf32>) {
    %extracted = tensor.extract %arg2[%arg1] : tensor<?xf32>
    %4 = arith.negf %extracted : f32
    %inserted = tensor.insert %4 into %arg2[%arg1] : tensor<?xf32>
    %5 = arith.addi %arg1, %c1 : index
    %extracted_0 = tensor.extract %inserted[%5] : tensor<?xf32>
    %6 = arith.negf %extracted_0 : f32
    %inserted_1 = tensor.insert %6 into %inserted[%5] : tensor<?xf32>
    scf.yield %inserted_1 : tensor<?xf32>
  }
  %3 = scf.for %arg1 = %1 to %dim step %c1 iter_args(%arg2 = %2) -> (tensor<?xf32>) {
    %extracted = tensor.extract %arg2[%arg1] : tensor<?xf32>
    %4 = arith.addf %extracted, %extracted : f32
    %inserted = tensor.insert %4 into %arg2[%arg1] : tensor<?xf32>
    scf.yield %inserted : tensor<?xf32>
  }
  return %3 : tensor<?xf32>
}
func.func @axpy2(%arg0: f32, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  scf.for %arg3 = %c0 to %1 step %c2 {
    scf.for %arg4 = %c0 to %dim_0 step %c1 {
      %3 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
      %4 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
      %5 = arith.mulf %arg0, %3 : f32
      %6 = arith.addf %5, %4 : f32
      memref.store %6, %arg2[%arg3, %arg4] : memref<?x?xf32>
    }
    %2 = arith.addi %arg3, %c1 : index
    scf.for %arg4 = %c0 to %dim_0 step %c1 {
      %3 = memref.load %arg1[%2, %arg4] : memref<?x?xf32>
      %4 = memref.load %arg2[%2, %arg4] : memref<?x?xf32>
      %5 = arith.mulf %arg0, %3 : f32
      %6 = arith.addf %5, %4 : f32
      memref.store %6, %arg2[%2, %arg4] : memref<?x?xf32>
    }
  }
  scf.for %arg3 = %1 to %dim step %c1 {
    scf.for %arg4 = %c0 to %dim_0 step %c1 {
      %2 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
      %3 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
      %4 = arith.mulf %arg0, %2 : f32
      %5 = arith.subf %4, %3 : f32
      memref.store %5, %arg2[%arg3, %arg4] : memref<?x?xf32>
    }
  }
  return
}
func.func @minmax(%arg0: memref<?xi32>) -> (i32, i32) {
  %c2 = arith.constant 2 : index
  %c-2147483648_i32 = arith.constant -2147483648 : i32
  %c2147483647_i32 = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?xi32>
  %0 = arith.remsi %dim, %c2 : index
  %1 = arith.subi %dim, %0 : index
  %2:2 = scf.for %arg1 = %c0 to %1 step %c2 iter_args(%arg2 = %c2147483647_i32, %arg3 = %c-2147483648_i32) -> (i32, i32) {
    %4 = memref.load %arg0[%arg1] : memref<?xi32>
    %5 = arith.minsi %arg2, %4 : i32
    %6 = arith.maxsi %arg3, %4 : i32
    %7 = arith.addi %arg1, %c1 : index
    %8 = memref.load %arg0[%7] : memref<?xi32>
    %9 = arith.minsi %5, %8 : i32
    %10 = arith.maxsi %6, %8 : i32
    scf.yield %9, %10 : i32, i32
  }
  %3:2 = scf.for %arg1 = %1 to %dim step %c1 iter_args(%arg2 = %2#0, %arg3 = %2#1) -> (i32, i32) {
    %4 = memref.load %arg0[%arg1] : memref<?xi32>
    %5 = arith.minsi %arg2, %4 : i32
    %6 = arith.minsi %arg3, %4 : i32
    scf.yield %5, %6 : i32, i32
  }
  return %3#0, %3#1 : i32, i32
}
