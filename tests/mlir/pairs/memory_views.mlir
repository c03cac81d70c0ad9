func.func @f(%a: memref<4x8xf32>, %i: index, %x: f32) -> f32 {
  %s = memref.subview %a[1, 2][2, 3][1, 2] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 2], offset: 10>>
  %c1 = arith.constant 1 : index
  memref.store %x, %s[%c1, %i] : memref<2x3xf32, strided<[8, 2], offset: 10>>
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %c20 = arith.constant 20 : index
  %0 = memref.load %c[%c20] : memref<32xf32>
  return %0 : f32
}
// ----- proved
func.func @f(%a: memref<4x8xf32>, %i: index, %x: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %j = arith.muli %i, %c2 : index
  %k = arith.addi %j, %c2 : index
  memref.store %x, %a[%c2, %k] : memref<4x8xf32>
  %0 = memref.load %a[%c2, %c4] : memref<4x8xf32>
  return %0 : f32
}
// ----- refuted
func.func @f(%a: memref<4x8xf32>, %i: index, %x: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %j = arith.addi %i, %c2 : index
  memref.store %x, %a[%c2, %j] : memref<4x8xf32>
  %0 = memref.load %a[%c2, %c4] : memref<4x8xf32>
  return %0 : f32
}
// ----- refuted
func.func @f(%a: memref<4x8xf32>, %i: index, %x: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %j = arith.muli %i, %c2 : index
  %k = arith.addi %j, %c2 : index
  memref.store %x, %a[%c2, %k] : memref<4x8xf32>
  return %x : f32
}
