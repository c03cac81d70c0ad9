// A view as what it is made of: where the source is defined, it stays inside of the argument.
func.func @fill(%m: memref<16x16xf32>, %o: index, %v: f32) {
  %s = memref.subview %m[%o, 2] [4, 5] [1, 2] : memref<16x16xf32> to memref<4x5xf32, strided<[16, 2], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x5xf32, strided<[16, 2], offset: ?>>)
  return
}
func.func @load(%m: memref<?x?xf32>, %o: index, %i: index) -> f32 {
  %s = memref.subview %m[%o, 1] [2, 3] [2, 1] : memref<?x?xf32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %c1 = arith.constant 1 : index
  %r = memref.load %s[%i, %c1] : memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
// ----- proved
func.func @fill(%m: memref<16x16xf32>, %o: index, %v: f32) {
  %b, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<16x16xf32> -> memref<f32>, index, index, index, index, index
  %p = affine.apply affine_map<()[s0] -> (s0 * 16 + 2)>()[%o]
  %s = memref.reinterpret_cast %b to offset: [%p], sizes: [4, 5], strides: [16, 2] : memref<f32> to memref<4x5xf32, strided<[16, 2], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x5xf32, strided<[16, 2], offset: ?>>)
  return
}
func.func @load(%m: memref<?x?xf32>, %o: index, %i: index) -> f32 {
  %b, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %p = affine.apply affine_map<()[s0, s1] -> (s0 * s1 + 1)>()[%o, %strides#0]
  %q = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%strides#0]
  %s = memref.reinterpret_cast %b to offset: [%p], sizes: [2, 3], strides: [%q, 1] : memref<f32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %c1 = arith.constant 1 : index
  %r = memref.load %s[%i, %c1] : memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
// ----- refuted-each
func.func @fill(%m: memref<16x16xf32>, %o: index, %v: f32) {
  %b, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<16x16xf32> -> memref<f32>, index, index, index, index, index
  %p = affine.apply affine_map<()[s0] -> (s0 * 16 + 2)>()[%o]
  %s = memref.reinterpret_cast %b to offset: [%p], sizes: [4, 5], strides: [16, 1] : memref<f32> to memref<4x5xf32, strided<[16, 1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x5xf32, strided<[16, 1], offset: ?>>)
  return
}
func.func @load(%m: memref<?x?xf32>, %o: index, %i: index) -> f32 {
  %b, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %p = affine.apply affine_map<()[s0, s1] -> (s0 * s1 + 1)>()[%o, %strides#0]
  %s = memref.reinterpret_cast %b to offset: [%p], sizes: [2, 3], strides: [%strides#0, 1] : memref<f32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %c1 = arith.constant 1 : index
  %r = memref.load %s[%i, %c1] : memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
// ----- unknown full
// It leaves the argument where the source is defined: there may be nothing.
func.func @fill(%m: memref<16x16xf32>, %o: index, %v: f32) {
  %s = memref.subview %m[%o, 2] [4, 5] [1, 2] : memref<16x16xf32> to memref<4x5xf32, strided<[16, 2], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x5xf32, strided<[16, 2], offset: ?>>)
  return
}
func.func @load(%m: memref<?x?xf32>, %o: index, %i: index) -> f32 {
  %b, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %b to offset: [4000], sizes: [2, 3], strides: [1, 1] : memref<f32> to memref<2x3xf32, strided<[1, 1], offset: 4000>>
  %c0 = arith.constant 0 : index
  %0 = memref.load %s[%c0, %c0] : memref<2x3xf32, strided<[1, 1], offset: 4000>>
  %t = memref.subview %m[%o, 1] [2, 3] [2, 1] : memref<?x?xf32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %c1 = arith.constant 1 : index
  %r = memref.load %t[%i, %c1] : memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
// ----- unknown-each full
// So does what is copied to itself.
func.func @fill(%m: memref<16x16xf32>, %o: index, %v: f32) {
  %w = memref.reinterpret_cast %m to offset: [0], sizes: [4000], strides: [1] : memref<16x16xf32> to memref<4000xf32, strided<[1]>>
  memref.copy %w, %w : memref<4000xf32, strided<[1]>> to memref<4000xf32, strided<[1]>>
  %s = memref.subview %m[%o, 2] [4, 5] [1, 2] : memref<16x16xf32> to memref<4x5xf32, strided<[16, 2], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x5xf32, strided<[16, 2], offset: ?>>)
  return
}
func.func @load(%m: memref<?x?xf32>, %o: index, %i: index) -> f32 {
  %w = memref.reinterpret_cast %m to offset: [0], sizes: [4000], strides: [1] : memref<?x?xf32> to memref<4000xf32, strided<[1]>>
  memref.copy %w, %w : memref<4000xf32, strided<[1]>> to memref<4000xf32, strided<[1]>>
  %s = memref.subview %m[%o, 1] [2, 3] [2, 1] : memref<?x?xf32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %c1 = arith.constant 1 : index
  %r = memref.load %s[%i, %c1] : memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
// ----- proved-each
func.func @fill(%m: memref<16x16xf32>, %o: index, %v: f32) {
  %w = memref.reinterpret_cast %m to offset: [0], sizes: [200], strides: [1] : memref<16x16xf32> to memref<200xf32, strided<[1]>>
  memref.copy %w, %w : memref<200xf32, strided<[1]>> to memref<200xf32, strided<[1]>>
  %s = memref.subview %m[%o, 2] [4, 5] [1, 2] : memref<16x16xf32> to memref<4x5xf32, strided<[16, 2], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x5xf32, strided<[16, 2], offset: ?>>)
  return
}
