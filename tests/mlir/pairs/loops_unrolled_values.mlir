func.func @fib(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant 0 : i32
  %b = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    %s = arith.addi %x, %y : i32
    scf.yield %y, %s : i32, i32
  }
  return %r#0 : i32
}
func.func @argmax(%m: memref<?xf32>, %nn: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %c1 = arith.constant 1 : index
  %a = arith.constant 0xFF800000 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %c0) -> (f32, index) {
    %v = memref.load %m[%i] : memref<?xf32>
    %c = arith.cmpf ogt, %v, %x : f32
    %p = arith.select %c, %v, %x : f32
    %q = arith.select %c, %i, %y : index
    scf.yield %p, %q : f32, index
  }
  return %r#0, %r#1 : f32, index
}
func.func @least(%m: memref<?xi32>, %n: index, %s: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> (i32) {
    %v = memref.load %m[%i] : memref<?xi32>
    %p = arith.minui %x, %v : i32
    scf.yield %p : i32
  }
  return %r : i32
}
func.func @greatest(%m: memref<?xi32>, %n: index, %s: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> (i32) {
    %v = memref.load %m[%i] : memref<?xi32>
    %p = arith.maxui %x, %v : i32
    scf.yield %p : i32
  }
  return %r : i32
}
// ----- proved-each
func.func @fib(%arg0: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %0 = arith.subi %arg0, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9:2 = scf.for %arg1 = %c0 to %7 step %8 iter_args(%arg2 = %c0_i32, %arg3 = %c1_i32) -> (i32, i32) {
    %11 = arith.addi %arg2, %arg3 : i32
    %12 = arith.addi %arg3, %11 : i32
    scf.yield %11, %12 : i32, i32
  }
  %10:2 = scf.for %arg1 = %7 to %arg0 step %c1 iter_args(%arg2 = %9#0, %arg3 = %9#1) -> (i32, i32) {
    %11 = arith.addi %arg2, %arg3 : i32
    scf.yield %arg3, %11 : i32, i32
  }
  return %10#0 : i32
}
func.func @argmax(%arg0: memref<?xf32>, %arg1: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xf32>
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0xFF800000 : f32
  %0 = arith.subi %dim, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9:2 = scf.for %arg2 = %c0 to %7 step %8 iter_args(%arg3 = %cst, %arg4 = %c0) -> (f32, index) {
    %11 = memref.load %arg0[%arg2] : memref<?xf32>
    %12 = arith.cmpf ogt, %11, %arg3 : f32
    %13 = arith.select %12, %11, %arg3 : f32
    %14 = arith.select %12, %arg2, %arg4 : index
    %c1_1 = arith.constant 1 : index
    %15 = arith.muli %c1, %c1_1 : index
    %16 = arith.addi %arg2, %15 : index
    %17 = memref.load %arg0[%16] : memref<?xf32>
    %18 = arith.cmpf ogt, %17, %13 : f32
    %19 = arith.select %18, %17, %13 : f32
    %20 = arith.select %18, %16, %14 : index
    scf.yield %19, %20 : f32, index
  }
  %10:2 = scf.for %arg2 = %7 to %dim step %c1 iter_args(%arg3 = %9#0, %arg4 = %9#1) -> (f32, index) {
    %11 = memref.load %arg0[%arg2] : memref<?xf32>
    %12 = arith.cmpf ogt, %11, %arg3 : f32
    %13 = arith.select %12, %11, %arg3 : f32
    %14 = arith.select %12, %arg2, %arg4 : index
    scf.yield %13, %14 : f32, index
  }
  return %10#0, %10#1 : f32, index
}
func.func @least(%arg0: memref<?xi32>, %arg1: index, %arg2: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.subi %arg1, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9 = scf.for %arg3 = %c0 to %7 step %8 iter_args(%arg4 = %arg2) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.minui %arg4, %11 : i32
    %c1_1 = arith.constant 1 : index
    %13 = arith.muli %c1, %c1_1 : index
    %14 = arith.addi %arg3, %13 : index
    %15 = memref.load %arg0[%14] : memref<?xi32>
    %16 = arith.minui %12, %15 : i32
    scf.yield %16 : i32
  }
  %10 = scf.for %arg3 = %7 to %arg1 step %c1 iter_args(%arg4 = %9) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.minui %arg4, %11 : i32
    scf.yield %12 : i32
  }
  return %10 : i32
}
func.func @greatest(%arg0: memref<?xi32>, %arg1: index, %arg2: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.subi %arg1, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9 = scf.for %arg3 = %c0 to %7 step %8 iter_args(%arg4 = %arg2) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.maxui %arg4, %11 : i32
    %c1_1 = arith.constant 1 : index
    %13 = arith.muli %c1, %c1_1 : index
    %14 = arith.addi %arg3, %13 : index
    %15 = memref.load %arg0[%14] : memref<?xi32>
    %16 = arith.maxui %12, %15 : i32
    scf.yield %16 : i32
  }
  %10 = scf.for %arg3 = %7 to %arg1 step %c1 iter_args(%arg4 = %9) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.maxui %arg4, %11 : i32
    scf.yield %12 : i32
  }
  return %10 : i32
}
// ----- proved-each
func.func @fib(%arg0: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %0 = arith.subi %arg0, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c3 = arith.constant 3 : index
  %4 = arith.remsi %3, %c3 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c3 : index
  %9:2 = scf.for %arg1 = %c0 to %7 step %8 iter_args(%arg2 = %c0_i32, %arg3 = %c1_i32) -> (i32, i32) {
    %11 = arith.addi %arg2, %arg3 : i32
    %12 = arith.addi %arg3, %11 : i32
    %13 = arith.addi %11, %12 : i32
    scf.yield %12, %13 : i32, i32
  }
  %10:2 = scf.for %arg1 = %7 to %arg0 step %c1 iter_args(%arg2 = %9#0, %arg3 = %9#1) -> (i32, i32) {
    %11 = arith.addi %arg2, %arg3 : i32
    scf.yield %arg3, %11 : i32, i32
  }
  return %10#0 : i32
}
func.func @greatest(%arg0: memref<?xi32>, %arg1: index, %arg2: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.subi %arg1, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c3 = arith.constant 3 : index
  %4 = arith.remsi %3, %c3 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c3 : index
  %9 = scf.for %arg3 = %c0 to %7 step %8 iter_args(%arg4 = %arg2) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.maxui %arg4, %11 : i32
    %c1_1 = arith.constant 1 : index
    %13 = arith.muli %c1, %c1_1 : index
    %14 = arith.addi %arg3, %13 : index
    %15 = memref.load %arg0[%14] : memref<?xi32>
    %16 = arith.maxui %12, %15 : i32
    %c2 = arith.constant 2 : index
    %17 = arith.muli %c1, %c2 : index
    %18 = arith.addi %arg3, %17 : index
    %19 = memref.load %arg0[%18] : memref<?xi32>
    %20 = arith.maxui %16, %19 : i32
    scf.yield %20 : i32
  }
  %10 = scf.for %arg3 = %7 to %arg1 step %c1 iter_args(%arg4 = %9) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.maxui %arg4, %11 : i32
    scf.yield %12 : i32
  }
  return %10 : i32
}
// ----- refuted-each
func.func @fib(%arg0: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %0 = arith.subi %arg0, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9:2 = scf.for %arg1 = %c0 to %7 step %8 iter_args(%arg2 = %c0_i32, %arg3 = %c1_i32) -> (i32, i32) {
    %11 = arith.addi %arg2, %arg3 : i32
    %12 = arith.addi %arg3, %11 : i32
    scf.yield %11, %12 : i32, i32
  }
  %10:2 = scf.for %arg1 = %7 to %arg0 step %c1 iter_args(%arg2 = %9#0, %arg3 = %9#1) -> (i32, i32) {
    %11 = arith.addi %arg2, %arg3 : i32
    scf.yield %11, %arg3 : i32, i32
  }
  return %10#0 : i32
}
func.func @argmax(%arg0: memref<?xf32>, %arg1: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %dim = memref.dim %arg0, %c0 : memref<?xf32>
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0xFF800000 : f32
  %0 = arith.subi %dim, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9:2 = scf.for %arg2 = %c0 to %7 step %8 iter_args(%arg3 = %cst, %arg4 = %c0) -> (f32, index) {
    %11 = memref.load %arg0[%arg2] : memref<?xf32>
    %12 = arith.cmpf ogt, %11, %arg3 : f32
    %13 = arith.select %12, %11, %arg3 : f32
    %14 = arith.select %12, %arg2, %arg4 : index
    %c1_1 = arith.constant 1 : index
    %15 = arith.muli %c1, %c1_1 : index
    %16 = arith.addi %arg2, %15 : index
    %17 = memref.load %arg0[%16] : memref<?xf32>
    %18 = arith.cmpf ogt, %17, %13 : f32
    %19 = arith.select %18, %17, %13 : f32
    %20 = arith.select %18, %arg2, %14 : index
    scf.yield %19, %20 : f32, index
  }
  %10:2 = scf.for %arg2 = %7 to %dim step %c1 iter_args(%arg3 = %9#0, %arg4 = %9#1) -> (f32, index) {
    %11 = memref.load %arg0[%arg2] : memref<?xf32>
    %12 = arith.cmpf ogt, %11, %arg3 : f32
    %13 = arith.select %12, %11, %arg3 : f32
    %14 = arith.select %12, %arg2, %arg4 : index
    scf.yield %13, %14 : f32, index
  }
  return %10#0, %10#1 : f32, index
}
func.func @least(%arg0: memref<?xi32>, %arg1: index, %arg2: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.subi %arg1, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9 = scf.for %arg3 = %c0 to %7 step %8 iter_args(%arg4 = %arg2) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.minui %arg4, %11 : i32
    %c1_1 = arith.constant 1 : index
    %13 = arith.muli %c1, %c1_1 : index
    %14 = arith.addi %arg3, %13 : index
    %15 = memref.load %arg0[%14] : memref<?xi32>
    %16 = arith.minui %12, %15 : i32
    scf.yield %16 : i32
  }
  %10 = scf.for %arg3 = %7 to %arg1 step %c1 iter_args(%arg4 = %9) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.minsi %arg4, %11 : i32
    scf.yield %12 : i32
  }
  return %10 : i32
}
func.func @greatest(%arg0: memref<?xi32>, %arg1: index, %arg2: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.subi %arg1, %c0 : index
  %c1_0 = arith.constant 1 : index
  %1 = arith.subi %c1, %c1_0 : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.divui %2, %c1 : index
  %c2 = arith.constant 2 : index
  %4 = arith.remsi %3, %c2 : index
  %5 = arith.subi %3, %4 : index
  %6 = arith.muli %5, %c1 : index
  %7 = arith.addi %c0, %6 : index
  %8 = arith.muli %c1, %c2 : index
  %9 = scf.for %arg3 = %c0 to %7 step %8 iter_args(%arg4 = %arg2) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.maxui %arg4, %11 : i32
    %c1_1 = arith.constant 1 : index
    %13 = arith.muli %c1, %c1_1 : index
    %14 = arith.addi %arg3, %13 : index
    %15 = memref.load %arg0[%14] : memref<?xi32>
    %16 = arith.maxui %12, %15 : i32
    scf.yield %16 : i32
  }
  %10 = scf.for %arg3 = %7 to %arg1 step %c1 iter_args(%arg4 = %arg2) -> (i32) {
    %11 = memref.load %arg0[%arg3] : memref<?xi32>
    %12 = arith.maxui %arg4, %11 : i32
    scf.yield %12 : i32
  }
  return %10 : i32
}
