// Iterations that run at once may not meet in memory, few as they are: one after the other they did.
func.func @shift(%b: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %b[%i] : memref<32xf32>
    %k = arith.addi %i, %c1 : index
    memref.store %x, %b[%k] : memref<32xf32>
  }
  return
}
func.func @last(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<32xf32>
    memref.store %x, %a[%c8] : memref<32xf32>
  }
  return
}
// ----- proved
func.func @shift(%b: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = memref.load %b[%c0] : memref<32xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %k = arith.addi %i, %c1 : index
    memref.store %x, %b[%k] : memref<32xf32>
  }
  return
}
func.func @last(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c7) to (%c8) step (%c1) {
    %x = memref.load %a[%i] : memref<32xf32>
    memref.store %x, %a[%c8] : memref<32xf32>
  }
  return
}
// ----- unknown-each
func.func @shift(%b: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %b[%i] : memref<32xf32>
    %k = arith.addi %i, %c1 : index
    memref.store %x, %b[%k] : memref<32xf32>
  }
  return
}
func.func @last(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %a[%i] : memref<32xf32>
    memref.store %x, %a[%c8] : memref<32xf32>
  }
  return
}
