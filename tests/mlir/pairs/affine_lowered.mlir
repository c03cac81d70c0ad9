// Quotients and remainders as lower-affine writes them out.
func.func @md(%i: index) -> index {
  %s = affine.apply affine_map<(d0) -> (d0 mod 7)>(%i)
  return %s : index
}
func.func @fd(%i: index) -> index {
  %s = affine.apply affine_map<(d0) -> (d0 floordiv 7)>(%i)
  return %s : index
}
func.func @cd32(%i: i32) -> index {
  %k = arith.index_cast %i : i32 to index
  %s = affine.apply affine_map<(d0) -> (d0 ceildiv 7)>(%k)
  return %s : index
}
func.func @cdmem(%a: memref<32xf32>, %b: memref<32xf32>) {
  affine.for %i = 0 to 32 {
    %v = affine.load %a[%i ceildiv 7] : memref<32xf32>
    affine.store %v, %b[%i] : memref<32xf32>
  }
  return
}
// ----- proved --distinct
module {
  func.func @md(%arg0: index) -> index {
    %c7 = arith.constant 7 : index
    %0 = arith.remsi %arg0, %c7 : index
    %c0 = arith.constant 0 : index
    %1 = arith.cmpi slt, %0, %c0 : index
    %2 = arith.addi %0, %c7 : index
    %3 = arith.select %1, %2, %0 : index
    return %3 : index
  }
  func.func @fd(%arg0: index) -> index {
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c-1 = arith.constant -1 : index
    %0 = arith.cmpi slt, %arg0, %c0 : index
    %1 = arith.subi %c-1, %arg0 : index
    %2 = arith.select %0, %1, %arg0 : index
    %3 = arith.divsi %2, %c7 : index
    %4 = arith.subi %c-1, %3 : index
    %5 = arith.select %0, %4, %3 : index
    return %5 : index
  }
  func.func @cd32(%arg0: i32) -> index {
    %0 = arith.index_cast %arg0 : i32 to index
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = arith.cmpi sle, %0, %c0 : index
    %2 = arith.subi %c0, %0 : index
    %3 = arith.subi %0, %c1 : index
    %4 = arith.select %1, %2, %3 : index
    %5 = arith.divsi %4, %c7 : index
    %6 = arith.subi %c0, %5 : index
    %7 = arith.addi %5, %c1 : index
    %8 = arith.select %1, %6, %7 : index
    return %8 : index
  }
  func.func @cdmem(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c32 step %c1 {
      %c7 = arith.constant 7 : index
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %0 = arith.cmpi sle, %arg2, %c0_0 : index
      %1 = arith.subi %c0_0, %arg2 : index
      %2 = arith.subi %arg2, %c1_1 : index
      %3 = arith.select %0, %1, %2 : index
      %4 = arith.divsi %3, %c7 : index
      %5 = arith.subi %c0_0, %4 : index
      %6 = arith.addi %4, %c1_1 : index
      %7 = arith.select %0, %5, %6 : index
      %8 = memref.load %arg0[%7] : memref<32xf32>
      memref.store %8, %arg1[%arg2] : memref<32xf32>
    }
    return
  }
}

// ----- refuted-each --distinct
module {
  func.func @md(%arg0: index) -> index {
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %0 = arith.remsi %arg0, %c6 : index
    %c0 = arith.constant 0 : index
    %1 = arith.cmpi slt, %0, %c0 : index
    %2 = arith.addi %0, %c6 : index
    %3 = arith.select %1, %2, %0 : index
    return %3 : index
  }
  func.func @fd(%arg0: index) -> index {
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c-1 = arith.constant -1 : index
    %0 = arith.cmpi slt, %arg0, %c0 : index
    %1 = arith.subi %c-1, %arg0 : index
    %2 = arith.select %0, %1, %arg0 : index
    %3 = arith.divsi %2, %c6 : index
    %4 = arith.subi %c-1, %3 : index
    %5 = arith.select %0, %4, %3 : index
    return %5 : index
  }
  func.func @cd32(%arg0: i32) -> index {
    %0 = arith.index_cast %arg0 : i32 to index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = arith.cmpi sle, %0, %c0 : index
    %2 = arith.subi %c0, %0 : index
    %3 = arith.subi %0, %c1 : index
    %4 = arith.select %1, %2, %3 : index
    %5 = arith.divsi %4, %c6 : index
    %6 = arith.subi %c0, %5 : index
    %7 = arith.addi %5, %c1 : index
    %8 = arith.select %1, %6, %7 : index
    return %8 : index
  }
  func.func @cdmem(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c32 step %c1 {
      %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %0 = arith.cmpi sle, %arg2, %c0_0 : index
      %1 = arith.subi %c0_0, %arg2 : index
      %2 = arith.subi %arg2, %c1_1 : index
      %3 = arith.select %0, %1, %2 : index
      %4 = arith.divsi %3, %c6 : index
      %5 = arith.subi %c0_0, %4 : index
      %6 = arith.addi %4, %c1_1 : index
      %7 = arith.select %0, %5, %6 : index
      %8 = memref.load %arg0[%7] : memref<32xf32>
      memref.store %8, %arg1[%arg2] : memref<32xf32>
    }
    return
  }
}

