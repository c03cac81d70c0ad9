// The stack ends with its function, and what bufferization.to_memref gives is not the function's to free.
func.func @returned(%x: f32) -> memref<f32> {
  %b = memref.alloc() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  return %b : memref<f32>
}
func.func @inner(%x: f32) -> f32 {
  return %x : f32
}
func.func @buffer(%a: tensor<f32>) -> f32 {
  %r = tensor.extract %a[] : tensor<f32>
  return %r : f32
}
// ----- proved
func.func @returned(%x: f32) -> memref<f32> {
  %b = memref.alloc() : memref<f32>
  %t = tensor.from_elements %x : tensor<f32>
  bufferization.materialize_in_destination %t in writable %b : (tensor<f32>, memref<f32>) -> ()
  return %b : memref<f32>
}
func.func @inner(%x: f32) -> f32 {
  %b = memref.alloca() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  %r = memref.load %b[] : memref<f32>
  return %r : f32
}
func.func @buffer(%a: tensor<f32>) -> f32 {
  %b = bufferization.to_memref %a : memref<f32>
  %r = memref.load %b[] : memref<f32>
  return %r : f32
}
// ----- refuted-each
func.func @returned(%x: f32) -> memref<f32> {
  %b = memref.alloca() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  return %b : memref<f32>
}
func.func private @stack(%x: f32) -> memref<f32> {
  %b = memref.alloca() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  return %b : memref<f32>
}
func.func @inner(%x: f32) -> f32 {
  %b = func.call @stack(%x) : (f32) -> memref<f32>
  %r = memref.load %b[] : memref<f32>
  return %r : f32
}
func.func @buffer(%a: tensor<f32>) -> f32 {
  %b = bufferization.to_memref %a : memref<f32>
  %r = memref.load %b[] : memref<f32>
  memref.dealloc %b : memref<f32>
  return %r : f32
}
