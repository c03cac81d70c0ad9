// Bounds that no index holds (n - 1 of the least one) are undefined: a pass that lowers them may wrap.
func.func @inner(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
    %0 = affine.load %a[%i - 1] : memref<?xf32>
    %1 = affine.load %a[%i + 1] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}
func.func @thirds(%n: index) -> index {
  %r = affine.apply affine_map<()[s0] -> ((s0 + s0) floordiv 3)>()[%n]
  return %r : index
}
// ----- proved --distinct full
func.func @inner(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %0 = arith.addi %n, %cm1 : index
  scf.for %i = %c1 to %0 step %c1 {
    %1 = arith.addi %i, %cm1 : index
    %2 = memref.load %a[%1] : memref<?xf32>
    %3 = arith.addi %i, %c1 : index
    %4 = memref.load %a[%3] : memref<?xf32>
    %5 = arith.addf %2, %4 : f32
    memref.store %5, %b[%i] : memref<?xf32>
  }
  return
}
func.func @thirds(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = arith.addi %n, %n : index
  %1 = arith.floordivsi %0, %c3 : index
  return %1 : index
}
// ----- refuted-each --distinct
func.func @inner(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  scf.for %i = %c1 to %n step %c1 {
    %1 = arith.addi %i, %cm1 : index
    %2 = memref.load %a[%1] : memref<?xf32>
    %3 = arith.addi %i, %c1 : index
    %4 = memref.load %a[%3] : memref<?xf32>
    %5 = arith.addf %2, %4 : f32
    memref.store %5, %b[%i] : memref<?xf32>
  }
  return
}
func.func @thirds(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = arith.addi %n, %n : index
  %1 = arith.divsi %0, %c3 : index
  return %1 : index
}
// ----- proved --distinct
// A tile whose bound is the least of two: neither leaves an index.
func.func @inner(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %cm1 = arith.constant -1 : index
  %0 = arith.addi %n, %cm1 : index
  scf.for %t = %c1 to %0 step %c32 {
    %1 = arith.addi %t, %c32 : index
    %2 = arith.minsi %1, %0 : index
    scf.for %i = %t to %2 step %c1 {
      %3 = arith.addi %i, %cm1 : index
      %4 = memref.load %a[%3] : memref<?xf32>
      %5 = arith.addi %i, %c1 : index
      %6 = memref.load %a[%5] : memref<?xf32>
      %7 = arith.addf %4, %6 : f32
      memref.store %7, %b[%i] : memref<?xf32>
    }
  }
  return
}
func.func @thirds(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = arith.addi %n, %n : index
  %1 = arith.floordivsi %0, %c3 : index
  return %1 : index
}
