// A load that is hoisted out of a loop that need not run reads outside of an empty memref, which may overlap.
func.func @first(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}
// ----- refuted
func.func @first(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}
// ----- proved --distinct
func.func @first(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %x = memref.load %a[%c0] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %b[%i] : memref<?xf32>
    }
  }
  return
}
