// Views of a buffer of bytes, all of one type.
func.func @apart(%x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %b = memref.alloc() : memref<32xi8>
  %v = memref.view %b[%c0][] : memref<32xi8> to memref<4xf32>
  %w = memref.view %b[%c16][] : memref<32xi8> to memref<2x2xf32>
  memref.store %x, %v[%c1] : memref<4xf32>
  memref.store %y, %w[%c0, %c1] : memref<2x2xf32>
  %0 = memref.load %v[%c1] : memref<4xf32>
  memref.dealloc %b : memref<32xi8>
  return %0 : f32
}
func.func @meet(%x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<32xi8>
  %v = memref.view %b[%c0][] : memref<32xi8> to memref<4xf32>
  %w = memref.view %b[%c8][] : memref<32xi8> to memref<4xf32>
  memref.store %x, %v[%c2] : memref<4xf32>
  memref.store %y, %w[%c0] : memref<4xf32>
  %0 = memref.load %v[%c2] : memref<4xf32>
  memref.dealloc %b : memref<32xi8>
  return %0 : f32
}
// ----- proved
func.func @apart(%x: f32, %y: f32) -> f32 {
  return %x : f32
}
func.func @meet(%x: f32, %y: f32) -> f32 {
  return %y : f32
}
// ----- refuted-each
func.func @apart(%x: f32, %y: f32) -> f32 {
  return %y : f32
}
func.func @meet(%x: f32, %y: f32) -> f32 {
  return %x : f32
}
// ----- refuted-each
func.func @apart(%x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<32xi8>
  %v = memref.view %b[%c0][] : memref<32xi8> to memref<4xf32>
  %0 = memref.load %v[%c0] : memref<4xf32>
  memref.dealloc %b : memref<32xi8>
  return %0 : f32
}
// ----- unknown-each
func.func @apart(%x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<32xi8>
  %v = memref.view %b[%c0][] : memref<32xi8> to memref<4xf32>
  %w = memref.view %b[%c0][] : memref<32xi8> to memref<4xi32>
  memref.store %x, %v[%c0] : memref<4xf32>
  %0 = memref.load %v[%c0] : memref<4xf32>
  memref.dealloc %b : memref<32xi8>
  return %0 : f32
}
