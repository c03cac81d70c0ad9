// Rows that lie between those of others: the third element of a row is behind the first one of the next.
func.func @fill(%a: i32, %x: memref<3x3xi32, strided<[3, 2]>>) {
  linalg.fill ins(%a : i32) outs(%x : memref<3x3xi32, strided<[3, 2]>>)
  return
}
// ----- proved
func.func @fill(%a: i32, %x: memref<3x3xi32, strided<[3, 2]>>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : i32) outs(%x : memref<3x3xi32, strided<[3, 2]>>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}
// ----- refuted
func.func @fill(%a: i32, %x: memref<3x3xi32, strided<[3, 2]>>) {
  %s = memref.subview %x[0, 0] [3, 2] [1, 1] : memref<3x3xi32, strided<[3, 2]>> to memref<3x2xi32, strided<[3, 2]>>
  linalg.fill ins(%a : i32) outs(%s : memref<3x2xi32, strided<[3, 2]>>)
  return
}
