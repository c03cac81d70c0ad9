func.func @alignment(%m: memref<4xf32>, %i: index) -> f32 {
  memref.assume_alignment %m, 16 : memref<4xf32>
  %0 = memref.load %m[%i] : memref<4xf32>
  return %0 : f32
}
func.func @none(%m: memref<4xf32>) {
  return
}
// ----- proved-each
func.func @alignment(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<4xf32>
  return %0 : f32
}
// ----- unknown-each
func.func @none(%m: memref<4xf32>) {
  memref.assume_alignment %m, 16 : memref<4xf32>
  return
}
