func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
// ----- proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  scf.for %io = %c0 to %n step %c4 {
    %r = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%io)[%n]
    scf.for %ii = %c0 to %r step %c1 {
      %i = arith.addi %io, %ii : index
      %0 = memref.load %a[%i] : memref<?xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %b[%i] : memref<?xf32>
    }
  }
  return
}
// ----- proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  affine.for %io = 0 to %n step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%io) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%io)[%n] {
      %0 = affine.load %a[%i] : memref<?xf32>
      %1 = math.exp %0 : f32
      affine.store %1, %b[%i] : memref<?xf32>
    }
  }
  return
}
// ----- proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  scf.for %io = %c0 to %n step %c4 {
    %r = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%io)[%n]
    %x = memref.subview %a[%io][%r][1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[%io][%r][1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.exp ins(%x : memref<?xf32, strided<[1], offset: ?>>) outs(%y : memref<?xf32, strided<[1], offset: ?>>)
  }
  return
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  scf.for %io = %c0 to %n step %c4 {
    %r = affine.min affine_map<(d0)[s0] -> (3, s0 - d0)>(%io)[%n]
    scf.for %ii = %c0 to %r step %c1 {
      %i = arith.addi %io, %ii : index
      %0 = memref.load %a[%i] : memref<?xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %b[%i] : memref<?xf32>
    }
  }
  return
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  scf.for %io = %c0 to %n step %c4 {
    scf.for %ii = %c0 to %c4 step %c1 {
      %i = arith.addi %io, %ii : index
      %0 = memref.load %a[%i] : memref<?xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %b[%i] : memref<?xf32>
    }
  }
  return
}
