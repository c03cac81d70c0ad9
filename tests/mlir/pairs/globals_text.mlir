// A global that an operation writes to which is kept as text: not all that is done with it is to read.
memref.global "private" @written : memref<2xf32> = dense<[3.0, 4.0]>
func.func private @writer(%v: vector<2xf32>) {
  %m = memref.get_global @written : memref<2xf32>
  affine.vector_store %v, %m[0] : memref<2xf32>, vector<2xf32>
  return
}
func.func @text() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @written : memref<2xf32>
  %0 = memref.load %m[%c0] : memref<2xf32>
  return %0 : f32
}
func.func @twice() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @written : memref<2xf32>
  %0 = memref.load %m[%c0] : memref<2xf32>
  %1 = memref.load %m[%c0] : memref<2xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
// ----- refuted-each
memref.global "private" @written : memref<2xf32> = dense<[3.0, 4.0]>
func.func private @writer(%v: vector<2xf32>) {
  %m = memref.get_global @written : memref<2xf32>
  affine.vector_store %v, %m[0] : memref<2xf32>, vector<2xf32>
  return
}
func.func @text() -> f32 {
  %0 = arith.constant 3.0 : f32
  return %0 : f32
}
// ----- proved-each
memref.global "private" @written : memref<2xf32> = dense<[3.0, 4.0]>
func.func private @writer(%v: vector<2xf32>) {
  %m = memref.get_global @written : memref<2xf32>
  affine.vector_store %v, %m[0] : memref<2xf32>, vector<2xf32>
  return
}
func.func @twice() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @written : memref<2xf32>
  %0 = memref.load %m[%c0] : memref<2xf32>
  %2 = arith.addf %0, %0 : f32
  return %2 : f32
}
