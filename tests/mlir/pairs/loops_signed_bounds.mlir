// A bound that is an argument may be negative.
func.func @f(%b: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
// ----- proved
func.func @f(%b: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n step 4 {
    affine.for %j = affine_map<(d) -> (d)>(%i) to min affine_map<(d)[s] -> (d + 4, s)>(%i)[%n] {
      affine.store %x, %b[%j] : memref<?xf32>
    }
  }
  return
}
// ----- proved
func.func @f(%b: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    %m = affine.min affine_map<(d)[s] -> (s - d, 4)>(%i)[%n]
    scf.for %j = %c0 to %m step %c1 {
      %k = arith.addi %i, %j : index
      memref.store %x, %b[%k] : memref<?xf32>
    }
  }
  return
}
// ----- refuted
func.func @f(%b: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n step 4 {
    affine.for %j = affine_map<(d) -> (d)>(%i) to min affine_map<(d)[s] -> (d + 3, s)>(%i)[%n] {
      affine.store %x, %b[%j] : memref<?xf32>
    }
  }
  return
}
