memref.global "private" constant @w : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" @state : memref<2xf32> = uninitialized
func.func @f(%i: index, %x: f32) -> f32 {
  %w = memref.get_global @w : memref<2x2xf32>
  %s = memref.get_global @state : memref<2xf32>
  %c1 = arith.constant 1 : index
  memref.store %x, %s[%i] : memref<2xf32>
  %0 = memref.load %w[%c1, %c1] : memref<2x2xf32>
  return %0 : f32
}
// ----- proved
memref.global "private" constant @w : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" @state : memref<2xf32> = uninitialized
func.func @f(%i: index, %x: f32) -> f32 {
  %s = memref.get_global @state : memref<2xf32>
  memref.store %x, %s[%i] : memref<2xf32>
  %0 = arith.constant 4.0 : f32
  return %0 : f32
}
// ----- refuted
memref.global "private" constant @w : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" @state : memref<2xf32> = uninitialized
func.func @f(%i: index, %x: f32) -> f32 {
  %s = memref.get_global @state : memref<2xf32>
  memref.store %x, %s[%i] : memref<2xf32>
  %0 = arith.constant 3.0 : f32
  return %0 : f32
}
// ----- refuted
memref.global "private" constant @w : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" @state : memref<2xf32> = uninitialized
func.func @f(%i: index, %x: f32) -> f32 {
  %w = memref.get_global @w : memref<2x2xf32>
  %s = memref.get_global @state : memref<2xf32>
  %c1 = arith.constant 1 : index
  memref.store %x, %s[%i] : memref<2xf32>
  %0 = memref.load %w[%c1, %c1] : memref<2x2xf32>
  memref.store %x, %w[%c1, %i] : memref<2x2xf32>
  return %0 : f32
}
// ----- refuted
memref.global "private" constant @w : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" @state : memref<2xf32> = uninitialized
func.func @f(%i: index, %x: f32) -> f32 {
  %s = memref.get_global @state : memref<2xf32>
  %0 = arith.constant 4.0 : f32
  return %0 : f32
}
