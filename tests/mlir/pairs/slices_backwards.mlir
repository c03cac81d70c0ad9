// Strides of any sign: the element farthest out may be the first.
func.func @view(%m: memref<?x?xf32>, %o: index, %p: index, %s: index, %t: index, %i: index) -> f32 {
  %v = memref.subview %m[%o, %p] [%s, 1] [%t, 1] : memref<?x?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %0 = memref.load %v[%i] : memref<?xf32, strided<[?], offset: ?>>
  return %0 : f32
}
func.func @slice(%a: tensor<?xf32>, %o: index, %s: index, %t: index, %i: index) -> f32 {
  %v = tensor.extract_slice %a[%o] [%s] [%t] : tensor<?xf32> to tensor<?xf32>
  %0 = tensor.extract %v[%i] : tensor<?xf32>
  return %0 : f32
}
// ----- proved
func.func @view(%m: memref<?x?xf32>, %o: index, %p: index, %s: index, %t: index, %i: index) -> f32 {
  %a = arith.muli %i, %t : index
  %b = arith.addi %a, %o : index
  %0 = memref.load %m[%b, %p] : memref<?x?xf32>
  return %0 : f32
}
func.func @slice(%a: tensor<?xf32>, %o: index, %s: index, %t: index, %i: index) -> f32 {
  %b = arith.muli %i, %t : index
  %c = arith.addi %o, %b : index
  %0 = tensor.extract %a[%c] : tensor<?xf32>
  return %0 : f32
}
// ----- refuted-each
func.func @view(%m: memref<?x?xf32>, %o: index, %p: index, %s: index, %t: index, %i: index) -> f32 {
  %a = arith.muli %s, %t : index
  %b = arith.addi %a, %o : index
  %0 = memref.load %m[%b, %p] : memref<?x?xf32>
  return %0 : f32
}
func.func @slice(%a: tensor<?xf32>, %o: index, %s: index, %t: index, %i: index) -> f32 {
  %c = arith.addi %o, %i : index
  %0 = tensor.extract %a[%c] : tensor<?xf32>
  return %0 : f32
}
