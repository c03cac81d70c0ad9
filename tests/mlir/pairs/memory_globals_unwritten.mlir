memref.global "private" @table : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" @kept : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f(%a: memref<?xf32>, %i: index) -> f32 {
  %m = memref.get_global @table : memref<2xf32>
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1] : memref<2xf32>
  memref.store %v, %a[%i] : memref<?xf32>
  %w = memref.load %m[%c1] : memref<2xf32>
  return %w : f32
}
func.func @g() -> f32 {
  %m = memref.get_global @kept : memref<2xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<2xf32>
  return %v : f32
}
func.func @set(%x: f32) {
  %m = memref.get_global @kept : memref<2xf32>
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<2xf32>
  return
}
// ----- proved
memref.global "private" @kept : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f(%a: memref<?xf32>, %i: index) -> f32 {
  %v = arith.constant 2.0 : f32
  memref.store %v, %a[%i] : memref<?xf32>
  return %v : f32
}
func.func @g() -> f32 {
  %m = memref.get_global @kept : memref<2xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<2xf32>
  return %v : f32
}
func.func @set(%x: f32) {
  %m = memref.get_global @kept : memref<2xf32>
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<2xf32>
  return
}
// ----- refuted-each
func.func @f(%a: memref<?xf32>, %i: index) -> f32 {
  %v = arith.constant 1.0 : f32
  memref.store %v, %a[%i] : memref<?xf32>
  return %v : f32
}
// ----- refuted-each
func.func @g() -> f32 {
  %v = arith.constant 1.0 : f32
  return %v : f32
}
