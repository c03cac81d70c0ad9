// A copy made first may not be left out where the arguments may be one.
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %t = memref.alloc() : memref<4x8xf32>
  memref.copy %a, %t : memref<4x8xf32> to memref<4x8xf32>
  linalg.exp ins(%t : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}
// ----- refuted
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  linalg.exp ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}
// ----- proved
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %0 = bufferization.to_tensor %a restrict writable : memref<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = bufferization.to_memref %1 : memref<4x8xf32>
  %t = memref.alloc() : memref<4x8xf32>
  memref.copy %2, %t : memref<4x8xf32> to memref<4x8xf32>
  linalg.copy ins(%t : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}
