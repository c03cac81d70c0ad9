// An iteration reads what the one before it wrote.
func.func @f(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %0 = memref.load %a[%j] : memref<?xi32>
    %1 = memref.load %a[%i] : memref<?xi32>
    %2 = arith.addi %0, %1 : i32
    memref.store %2, %a[%i] : memref<?xi32>
  }
  return
}
// ----- refuted
func.func @f(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %k = %c1 to %n step %c1 {
    %i = arith.subi %n, %k : index
    %j = arith.subi %i, %c1 : index
    %0 = memref.load %a[%j] : memref<?xi32>
    %1 = memref.load %a[%i] : memref<?xi32>
    %2 = arith.addi %0, %1 : i32
    memref.store %2, %a[%i] : memref<?xi32>
  }
  return
}
// ----- refuted
func.func @f(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %t = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %t : memref<?xi32> to memref<?xi32>
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %0 = memref.load %t[%j] : memref<?xi32>
    %1 = memref.load %t[%i] : memref<?xi32>
    %2 = arith.addi %0, %1 : i32
    memref.store %2, %a[%i] : memref<?xi32>
  }
  return
}
