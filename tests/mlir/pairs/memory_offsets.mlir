// The offset that a type says counts from the beginning of the buffer, not from the first element.
func.func @store(%m: memref<4x8xf32, strided<[16, 1], offset: 3>>, %v: f32, %i: index) {
  %s = memref.subview %m[0, 2] [4, 4] [1, 1] : memref<4x8xf32, strided<[16, 1], offset: 3>> to memref<4x4xf32, strided<[16, 1], offset: 5>>
  memref.store %v, %s[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: 5>>
  return
}
func.func @open(%m: memref<8xf32, strided<[1], offset: ?>>) -> f32 {
  %c5 = arith.constant 5 : index
  %r = memref.load %m[%c5] : memref<8xf32, strided<[1], offset: ?>>
  return %r : f32
}
func.func @cast(%m: memref<8xf32, strided<[1], offset: 3>>, %i: index) -> f32 {
  %a = memref.cast %m : memref<8xf32, strided<[1], offset: 3>> to memref<8xf32, strided<[1], offset: ?>>
  %b = memref.cast %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: 3>>
  %r = memref.load %b[%i] : memref<8xf32, strided<[1], offset: 3>>
  return %r : f32
}
// ----- proved
func.func @store(%m: memref<4x8xf32, strided<[16, 1], offset: 3>>, %v: f32, %i: index) {
  %b, %o, %n:2, %t:2 = memref.extract_strided_metadata %m : memref<4x8xf32, strided<[16, 1], offset: 3>> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %b to offset: [5], sizes: [4, 4], strides: [16, 1] : memref<f32> to memref<4x4xf32, strided<[16, 1], offset: 5>>
  memref.store %v, %s[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: 5>>
  return
}
func.func @open(%m: memref<8xf32, strided<[1], offset: ?>>) -> f32 {
  %b, %o, %n, %t = memref.extract_strided_metadata %m : memref<8xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  %s = memref.reinterpret_cast %b to offset: [%o], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1], offset: ?>>
  %c5 = arith.constant 5 : index
  %r = memref.load %s[%c5] : memref<8xf32, strided<[1], offset: ?>>
  return %r : f32
}
func.func @cast(%m: memref<8xf32, strided<[1], offset: 3>>, %i: index) -> f32 {
  %r = memref.load %m[%i] : memref<8xf32, strided<[1], offset: 3>>
  return %r : f32
}
// ----- refuted-each
func.func @store(%m: memref<4x8xf32, strided<[16, 1], offset: 3>>, %v: f32, %i: index) {
  %b, %o, %n:2, %t:2 = memref.extract_strided_metadata %m : memref<4x8xf32, strided<[16, 1], offset: 3>> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %b to offset: [3], sizes: [4, 4], strides: [16, 1] : memref<f32> to memref<4x4xf32, strided<[16, 1], offset: 3>>
  memref.store %v, %s[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: 3>>
  return
}
func.func @open(%m: memref<8xf32, strided<[1], offset: ?>>) -> f32 {
  %b, %o, %n, %t = memref.extract_strided_metadata %m : memref<8xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  %s = memref.reinterpret_cast %b to offset: [%o], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1], offset: ?>>
  %c3 = arith.constant 3 : index
  %r = memref.load %s[%c3] : memref<8xf32, strided<[1], offset: ?>>
  return %r : f32
}
func.func @cast(%m: memref<8xf32, strided<[1], offset: 3>>, %i: index) -> f32 {
  %a = memref.cast %m : memref<8xf32, strided<[1], offset: 3>> to memref<8xf32, strided<[1], offset: ?>>
  %b = memref.cast %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: 0>>
  %r = memref.load %b[%i] : memref<8xf32, strided<[1], offset: 0>>
  return %r : f32
}
