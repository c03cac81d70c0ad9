// Zero points of a quantised product on memrefs and on mixed operands; abs as it is lowered, among other operations.
func.func @product(%a: tensor<4x?xi8>, %b: tensor<?x4xi8>, %za: i32, %zb: i32, %c: memref<4x4xi32>) {
  %o = bufferization.to_tensor %c restrict writable : memref<4x4xi32>
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x?xi8>, tensor<?x4xi8>, i32, i32) outs(%o : tensor<4x4xi32>) -> tensor<4x4xi32>
  bufferization.materialize_in_destination %0 in restrict writable %c : (tensor<4x4xi32>, memref<4x4xi32>) -> ()
  return
}
func.func @magnitudes(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = "tosa.mul"(%x, %y) {shift = 0 : i8} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %1 = "tosa.abs"(%0) : (tensor<?xi32>) -> tensor<?xi32>
  %2 = "tosa.bitwise_xor"(%1, %y) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %3 = "tosa.abs"(%2) : (tensor<?xi32>) -> tensor<?xi32>
  return %3 : tensor<?xi32>
}
// ----- proved-each
func.func @product(%a: tensor<4x?xi8>, %b: tensor<?x4xi8>, %za: i32, %zb: i32, %c: memref<4x4xi32>) {
  %p = bufferization.to_memref %a : memref<4x?xi8>
  %q = bufferization.to_memref %b : memref<?x4xi8>
  linalg.quantized_matmul ins(%p, %q, %za, %zb : memref<4x?xi8>, memref<?x4xi8>, i32, i32) outs(%c : memref<4x4xi32>)
  return
}
func.func @magnitudes(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.muli %a, %b : i32
    %1 = arith.subi %z, %0 : i32
    %2 = arith.maxsi %0, %1 : i32
    %3 = arith.xori %2, %b : i32
    %4 = arith.subi %z, %3 : i32
    %5 = arith.maxsi %4, %3 : i32
    linalg.yield %5 : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// ----- refuted-each
func.func @product(%a: tensor<4x?xi8>, %b: tensor<?x4xi8>, %za: i32, %zb: i32, %c: memref<4x4xi32>) {
  %p = bufferization.to_memref %a : memref<4x?xi8>
  %q = bufferization.to_memref %b : memref<?x4xi8>
  linalg.quantized_matmul ins(%p, %q, %zb, %za : memref<4x?xi8>, memref<?x4xi8>, i32, i32) outs(%c : memref<4x4xi32>)
  return
}
func.func @magnitudes(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.muli %a, %b : i32
    %1 = arith.subi %z, %0 : i32
    %2 = arith.maxsi %0, %1 : i32
    %3 = arith.xori %2, %b : i32
    %4 = arith.subi %z, %3 : i32
    %5 = arith.maxsi %4, %3 : i32
    linalg.yield %5 : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
