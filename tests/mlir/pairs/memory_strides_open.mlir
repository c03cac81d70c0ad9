// The strides of what `to_memref` makes are not said by a type with `?`: nothing follows from those that are chosen.
func.func @f(%t: tensor<?x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
// ----- unknown
func.func @f(%t: tensor<?x?xf32>) -> index {
  %m = bufferization.to_memref %t : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b, %o, %s:2, %st:2 = memref.extract_strided_metadata %m : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %st#1 : index
}
// ----- proved
func.func @f(%t: tensor<?x?xf32>) -> index {
  %m = bufferization.to_memref %t : memref<?x?xf32>
  %b, %o, %s:2, %st:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  return %st#1 : index
}
