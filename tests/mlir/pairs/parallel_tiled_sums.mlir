// A sum for each row in a buffer of its own, which is read for each element: tiles of the rows.
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %s = memref.alloc(%m) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    memref.store %z, %s[%i] : memref<?xf32>
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.load %x[%i, %j] : memref<?x?xf32>
      %1 = memref.load %s[%i] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %s[%i] : memref<?xf32>
    }
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<?x?xf32>
    %1 = memref.load %s[%i] : memref<?xf32>
    %2 = arith.divf %0, %1 : f32
    memref.store %2, %y[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  memref.dealloc %s : memref<?xf32>
  return
}
// ----- proved --distinct
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %s = memref.alloc(%m) : memref<?xf32>
  scf.parallel (%t) = (%c0) to (%m) step (%c4) {
    %rows = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%m, %t)
    scf.parallel (%r) = (%c0) to (%rows) step (%c1) {
      %i = arith.addi %t, %r : index
      memref.store %z, %s[%i] : memref<?xf32>
      scf.for %j = %c0 to %n step %c1 {
        %0 = memref.load %x[%i, %j] : memref<?x?xf32>
        %1 = memref.load %s[%i] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %s[%i] : memref<?xf32>
      }
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<?x?xf32>
    %1 = memref.load %s[%i] : memref<?xf32>
    %2 = arith.divf %0, %1 : f32
    memref.store %2, %y[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  memref.dealloc %s : memref<?xf32>
  return
}
// ----- refuted --distinct
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %s = memref.alloc(%m) : memref<?xf32>
  scf.parallel (%t) = (%c0) to (%m) step (%c4) {
    %rows = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%m, %t)
    scf.parallel (%r) = (%c0) to (%rows) step (%c1) {
      %i = arith.addi %t, %r : index
      memref.store %z, %s[%i] : memref<?xf32>
      scf.for %j = %c0 to %n step %c1 {
        %0 = memref.load %x[%i, %j] : memref<?x?xf32>
        %1 = memref.load %s[%i] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %s[%i] : memref<?xf32>
      }
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<?x?xf32>
    %1 = memref.load %s[%c0] : memref<?xf32>
    %2 = arith.divf %0, %1 : f32
    memref.store %2, %y[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  memref.dealloc %s : memref<?xf32>
  return
}
