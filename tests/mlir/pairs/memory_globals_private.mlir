memref.global "private" constant @table : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
memref.global "private" @scratch : memref<4xf32> = uninitialized
func.func @constant(%i: index, %j: index) -> i32 {
  %m = memref.get_global @table : memref<2x3xi32>
  %r = memref.load %m[%i, %j] : memref<2x3xi32>
  return %r : i32
}
func.func @buffer(%i: index, %x: f32) -> f32 {
  %m = memref.get_global @scratch : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
// ----- proved
func.func @constant(%i: index, %j: index) -> i32 {
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = tensor.extract %c[%i, %j] : tensor<2x3xi32>
  return %r : i32
}
func.func @buffer(%i: index, %x: f32) -> f32 {
  return %x : f32
}
// ----- proved
memref.global "private" constant @other : memref<6xi32> = dense<[1, 2, 3, 4, 5, 6]>
memref.global "private" @own : memref<9xf32> = uninitialized
func.func @constant(%i: index, %j: index) -> i32 {
  %m = memref.get_global @other : memref<6xi32>
  %e = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>
  %r = memref.load %e[%i, %j] : memref<2x3xi32>
  return %r : i32
}
func.func @buffer(%i: index, %x: f32) -> f32 {
  %m = memref.get_global @own : memref<9xf32>
  memref.store %x, %m[%i] : memref<9xf32>
  %r = memref.load %m[%i] : memref<9xf32>
  return %r : f32
}
// ----- refuted-each
func.func @constant(%i: index, %j: index) -> i32 {
  %c = arith.constant dense<[[1, 2, 3], [4, 6, 5]]> : tensor<2x3xi32>
  %r = tensor.extract %c[%i, %j] : tensor<2x3xi32>
  return %r : i32
}
// ----- refuted-each
memref.global "private" @scratch : memref<4xf32> = uninitialized
func.func @buffer(%i: index, %x: f32) -> f32 {
  return %x : f32
}
