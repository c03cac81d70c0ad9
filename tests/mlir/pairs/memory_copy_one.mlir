// A copy of what is in one place to that place is defined, whatever the stride of a dimension with one element.
func.func @f(%s: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [1, 4], strides: [%s, 1] : memref<8xf32> to memref<1x4xf32, strided<[?, 1]>>
  %y = memref.reinterpret_cast %a to offset: [0], sizes: [1, 4], strides: [4, 1] : memref<8xf32> to memref<1x4xf32, strided<[4, 1]>>
  linalg.fill ins(%c1 : f32) outs(%a : memref<8xf32>)
  memref.copy %x, %y : memref<1x4xf32, strided<[?, 1]>> to memref<1x4xf32, strided<[4, 1]>>
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}
// ----- proved
func.func @f(%s: index) -> f32 {
  %c1 = arith.constant 1.0 : f32
  return %c1 : f32
}
// ----- refuted
func.func @f(%s: index) -> f32 {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1.0 : f32
  %c2 = arith.constant 2.0 : f32
  %e = arith.cmpi eq, %s, %c4 : index
  %r = arith.select %e, %c1, %c2 : f32
  return %r : f32
}
