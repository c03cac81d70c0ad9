// Arguments may be one memref: then a copy of it to itself leaves what it held.
func.func @f(%a: memref<2x4xi32>, %b: memref<2x4xi32>, %x: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %a[%i, %j] : memref<2x4xi32>
      %y = arith.muli %v, %v : i32
      memref.store %y, %a[%i, %j] : memref<2x4xi32>
    }
  }
  memref.copy %b, %a : memref<2x4xi32> to memref<2x4xi32>
  memref.copy %b, %a : memref<2x4xi32> to memref<2x4xi32>
  %c = arith.constant 0.25 : f32
  %r = arith.maximumf %c, %x : f32
  return %r : f32
}
// ----- refuted
func.func @f(%a: memref<2x4xi32>, %b: memref<2x4xi32>, %x: f32) -> f32 {
  memref.copy %b, %a : memref<2x4xi32> to memref<2x4xi32>
  %c = arith.constant 0.25 : f32
  %r = arith.maximumf %c, %x : f32
  return %r : f32
}
// ----- proved --distinct
func.func @f(%a: memref<2x4xi32>, %b: memref<2x4xi32>, %x: f32) -> f32 {
  memref.copy %b, %a : memref<2x4xi32> to memref<2x4xi32>
  %c = arith.constant 0.25 : f32
  %r = arith.maximumf %c, %x : f32
  return %r : f32
}
