// Operations that wrap are defined where an affine map, of whole numbers, is not.
func.func @sum(%i: index, %n: index) -> index {
  %0 = arith.addi %i, %n : index
  return %0 : index
}
func.func @quotient(%i: index) -> index {
  %c4 = arith.constant 4 : index
  %0 = arith.muli %i, %c4 : index
  %1 = arith.floordivsi %0, %c4 : index
  return %1 : index
}
func.func @place(%a: memref<?xf32>, %i: index) -> f32 {
  %c4 = arith.constant 4 : index
  %0 = arith.muli %i, %c4 : index
  %r = memref.load %a[%0] : memref<?xf32>
  return %r : f32
}
func.func @inside(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.addi %i, %c1 : index
    %x = memref.load %a[%k] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}
// ----- unknown-each
func.func @sum(%i: index, %n: index) -> index {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %n)
  return %0 : index
}
func.func @quotient(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> ((d0 * 4) floordiv 4)>(%i)
  return %0 : index
}
func.func @place(%a: memref<?xf32>, %i: index) -> f32 {
  %r = affine.load %a[%i * 4] : memref<?xf32>
  return %r : f32
}
// ----- proved-each --distinct
func.func @inside(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = affine.load %a[%k] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
// ----- refuted-each --distinct
func.func @inside(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
func.func @sum(%i: index, %n: index) -> index {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2)>(%i, %n)
  return %0 : index
}
