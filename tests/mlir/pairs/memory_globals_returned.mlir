// A caller sees what a returned global holds, private and constant or not.
memref.global "private" constant @table : memref<2xf32> = dense<1.0>
func.func @whole() -> memref<2xf32> {
  %0 = memref.get_global @table : memref<2xf32>
  return %0 : memref<2xf32>
}
func.func @part() -> memref<1xf32, strided<[1], offset: 1>> {
  %0 = memref.get_global @table : memref<2xf32>
  %1 = memref.subview %0[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  return %1 : memref<1xf32, strided<[1], offset: 1>>
}
func.func @none() -> f32 {
  %c = arith.constant 1.0 : f32
  return %c : f32
}
// ----- proved
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 1.0]>
memref.global "private" constant @ones : memref<1xf32> = dense<1.0>
func.func @whole() -> memref<2xf32> {
  %0 = memref.get_global @table : memref<2xf32>
  return %0 : memref<2xf32>
}
func.func @part() -> memref<1xf32, strided<[1], offset: 1>> {
  %0 = memref.get_global @table : memref<2xf32>
  %1 = memref.subview %0[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  return %1 : memref<1xf32, strided<[1], offset: 1>>
}
func.func @none() -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.get_global @ones : memref<1xf32>
  %c = memref.load %0[%c0] : memref<1xf32>
  return %c : f32
}
// ----- refuted-each
memref.global "private" constant @table : memref<2xf32> = dense<2.0>
func.func @whole() -> memref<2xf32> {
  %0 = memref.get_global @table : memref<2xf32>
  return %0 : memref<2xf32>
}
func.func @part() -> memref<1xf32, strided<[1], offset: 1>> {
  %0 = memref.get_global @table : memref<2xf32>
  %1 = memref.subview %0[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  return %1 : memref<1xf32, strided<[1], offset: 1>>
}
// ----- proved-each
memref.global "private" constant @table : memref<2xf32> = dense<2.0>
func.func @none() -> f32 {
  %c = arith.constant 1.0 : f32
  return %c : f32
}
