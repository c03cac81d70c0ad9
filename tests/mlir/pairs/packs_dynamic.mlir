func.func @back(%x: tensor<?xf32>, %p: f32, %t: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.ceildivui %d0, %t : index
  %e = tensor.empty(%m, %t) : tensor<?x?xf32>
  %k = tensor.pack %x padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%t] into %e : tensor<?xf32> -> tensor<?x?xf32>
  %o = tensor.empty(%d0) : tensor<?xf32>
  %u = tensor.unpack %k inner_dims_pos = [0] inner_tiles = [%t] into %o : tensor<?x?xf32> -> tensor<?xf32>
  return %u : tensor<?xf32>
}
func.func @none(%x: tensor<?xf32>, %p: f32, %t: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?xf32>
  %zero = arith.subi %t, %t : index
  %m = arith.constant 1 : index
  %e = tensor.empty(%m, %zero) : tensor<?x?xf32>
  %k = tensor.pack %x padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%zero] into %e : tensor<?xf32> -> tensor<?x?xf32>
  %o = tensor.empty(%d0) : tensor<?xf32>
  %u = tensor.unpack %k inner_dims_pos = [0] inner_tiles = [%zero] into %o : tensor<?x?xf32> -> tensor<?xf32>
  return %u : tensor<?xf32>
}
// ----- proved
func.func @back(%x: tensor<?xf32>, %p: f32, %t: index) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// Tiles of no element are undefined.
func.func @none(%x: tensor<?xf32>, %p: f32, %t: index) -> tensor<?xf32> {
  %e = tensor.empty(%t) : tensor<?xf32>
  return %e : tensor<?xf32>
}
// ----- refuted-each
func.func @back(%x: tensor<?xf32>, %p: f32, %t: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.ceildivui %d0, %t : index
  %e = tensor.empty(%m, %t) : tensor<?x?xf32>
  %k = tensor.pack %x padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%t] into %e : tensor<?xf32> -> tensor<?x?xf32>
  %o = tensor.empty(%d0) : tensor<?xf32>
  %u = tensor.unpack %k inner_dims_pos = [0] inner_tiles = [%t] into %o : tensor<?x?xf32> -> tensor<?xf32>
  %v = tensor.unpack %k inner_dims_pos = [0] inner_tiles = [%m] into %o : tensor<?x?xf32> -> tensor<?xf32>
  return %v : tensor<?xf32>
}
