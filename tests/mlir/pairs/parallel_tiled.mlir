// Tiles of the outermost of three dimensions: the places of the middle one are digits.
func.func @f(%o: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%b, %c, %d) = (%c0, %c0, %c0) to (%c8, %c8, %c8) step (%c1, %c1, %c1) {
    memref.store %x, %o[%b, %c, %d] : memref<8x8x8xf32>
    scf.reduce
  }
  return
}
// ----- proved
func.func @f(%o: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%t, %c, %d) = (%c0, %c0, %c0) to (%c8, %c8, %c8) step (%c4, %c1, %c1) {
    scf.parallel (%r) = (%c0) to (%c4) step (%c1) {
      %b = arith.addi %t, %r : index
      memref.store %x, %o[%b, %c, %d] : memref<8x8x8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// ----- proved
func.func @f(%o: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%t, %u, %v) = (%c0, %c0, %c0) to (%c8, %c8, %c8) step (%c4, %c2, %c2) {
    scf.parallel (%r, %s, %w) = (%c0, %c0, %c0) to (%c4, %c2, %c2) step (%c1, %c1, %c1) {
      %b = arith.addi %t, %r : index
      %c = arith.addi %u, %s : index
      %d = arith.addi %v, %w : index
      memref.store %x, %o[%b, %c, %d] : memref<8x8x8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// ----- refuted
func.func @f(%o: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%t, %c, %d) = (%c0, %c0, %c0) to (%c8, %c8, %c8) step (%c4, %c1, %c1) {
    scf.parallel (%r) = (%c1) to (%c4) step (%c1) {
      %b = arith.addi %t, %r : index
      memref.store %x, %o[%b, %c, %d] : memref<8x8x8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// ----- refuted
// Iterations that leave the last rows out.
func.func @f(%o: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%t, %c, %d) = (%c0, %c0, %c0) to (%c4, %c8, %c8) step (%c4, %c1, %c1) {
    scf.parallel (%r) = (%c0) to (%c4) step (%c1) {
      %b = arith.addi %t, %r : index
      memref.store %x, %o[%b, %c, %d] : memref<8x8x8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// ----- refuted
func.func @f(%o: memref<8x8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%t, %u, %v) = (%c0, %c0, %c0) to (%c8, %c8, %c8) step (%c4, %c4, %c2) {
    scf.parallel (%r, %s, %w) = (%c0, %c0, %c0) to (%c4, %c2, %c2) step (%c1, %c1, %c1) {
      %b = arith.addi %t, %r : index
      %c = arith.addi %u, %s : index
      %d = arith.addi %v, %w : index
      memref.store %x, %o[%b, %c, %d] : memref<8x8x8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
