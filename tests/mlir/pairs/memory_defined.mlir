func.func @f(%x: f32, %i: index) -> (f32, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  %0 = memref.load %t[%i] : memref<4xf32>
  return %0, %t : f32, memref<4xf32>
}
// ----- proved
func.func @f(%x: f32, %i: index) -> (f32, memref<4xf32>) {
  %unused = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  memref.dealloc %unused : memref<8xf32>
  return %x, %t : f32, memref<4xf32>
}
// ----- refuted
func.func @f(%x: f32, %i: index) -> (f32, memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  memref.store %x, %t[%i] : memref<4xf32>
  return %x, %t : f32, memref<4xf32>
}
// ----- refuted
func.func @f(%x: f32, %i: index) -> (f32, memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  memref.dealloc %t : memref<4xf32>
  %0 = memref.load %t[%i] : memref<4xf32>
  return %0, %t : f32, memref<4xf32>
}
