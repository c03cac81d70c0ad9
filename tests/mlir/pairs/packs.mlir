func.func @gather(%a: tensor<5x3xf32>, %i: tensor<4x1xindex>) -> tensor<4x1x3xf32> {
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<5x3xf32>, tensor<4x1xindex>) -> tensor<4x1x3xf32>
  return %0 : tensor<4x1x3xf32>
}
func.func @gather_both(%a: tensor<?x?xf32>, %i: tensor<?x2xindex>) -> tensor<?xf32> {
  %0 = tensor.gather %a[%i] gather_dims([0, 1]) unique : (tensor<?x?xf32>, tensor<?x2xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @pack(%a: tensor<8x6xf32>, %d: tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32> {
  %0 = tensor.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %d : tensor<8x6xf32> -> tensor<2x4x2x3xf32>
  return %0 : tensor<2x4x2x3xf32>
}
func.func @padded(%a: tensor<7xf32>, %p: f32, %d: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = tensor.pack %a padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<7xf32> -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
func.func @back(%a: tensor<?x7xf32>, %p: f32, %d: tensor<3x?x3xf32>) -> tensor<?x7xf32> {
  %0 = tensor.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %d : tensor<?x7xf32> -> tensor<3x?x3xf32>
  %1 = tensor.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %a : tensor<3x?x3xf32> -> tensor<?x7xf32>
  return %1 : tensor<?x7xf32>
}
// ----- proved
func.func @gather(%a: tensor<5x3xf32>, %i: tensor<4x1xindex>) -> tensor<4x1x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.generate {
  ^bb0(%p: index, %o: index, %q: index):
    %k = tensor.extract %i[%p, %c0] : tensor<4x1xindex>
    %x = tensor.extract %a[%k, %q] : tensor<5x3xf32>
    tensor.yield %x : f32
  } : tensor<4x1x3xf32>
  return %0 : tensor<4x1x3xf32>
}
func.func @gather_both(%a: tensor<?x?xf32>, %i: tensor<?x2xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %i, %c0 : tensor<?x2xindex>
  %0 = tensor.generate %n {
  ^bb0(%p: index):
    %k = tensor.extract %i[%p, %c0] : tensor<?x2xindex>
    %l = tensor.extract %i[%p, %c1] : tensor<?x2xindex>
    %x = tensor.extract %a[%k, %l] : tensor<?x?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @pack(%a: tensor<8x6xf32>, %d: tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32> {
  %e = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [4, 2, 2, 3] : tensor<8x6xf32> into tensor<4x2x2x3xf32>
  %0 = linalg.transpose ins(%e : tensor<4x2x2x3xf32>) outs(%d : tensor<2x4x2x3xf32>) permutation = [2, 0, 1, 3]
  return %0 : tensor<2x4x2x3xf32>
}
func.func @padded(%a: tensor<7xf32>, %p: f32, %d: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = tensor.pad %a low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<7xf32> to tensor<9xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 3] : tensor<9xf32> into tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
func.func @back(%a: tensor<?x7xf32>, %p: f32, %d: tensor<3x?x3xf32>) -> tensor<?x7xf32> {
  return %a : tensor<?x7xf32>
}
// ----- refuted-each
func.func @gather(%a: tensor<5x3xf32>, %i: tensor<4x1xindex>) -> tensor<4x1x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.generate {
  ^bb0(%p: index, %o: index, %q: index):
    %k = tensor.extract %i[%q, %c0] : tensor<4x1xindex>
    %x = tensor.extract %a[%k, %q] : tensor<5x3xf32>
    tensor.yield %x : f32
  } : tensor<4x1x3xf32>
  return %0 : tensor<4x1x3xf32>
}
func.func @gather_both(%a: tensor<?x?xf32>, %i: tensor<?x2xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %i, %c0 : tensor<?x2xindex>
  %0 = tensor.generate %n {
  ^bb0(%p: index):
    %k = tensor.extract %i[%p, %c1] : tensor<?x2xindex>
    %l = tensor.extract %i[%p, %c0] : tensor<?x2xindex>
    %x = tensor.extract %a[%k, %l] : tensor<?x?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @pack(%a: tensor<8x6xf32>, %d: tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32> {
  %e = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 4, 2, 3] : tensor<8x6xf32> into tensor<2x4x2x3xf32>
  return %e : tensor<2x4x2x3xf32>
}
func.func @padded(%a: tensor<7xf32>, %p: f32, %d: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<7xf32> to tensor<9xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 3] : tensor<9xf32> into tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
func.func @back(%a: tensor<?x7xf32>, %p: f32, %d: tensor<3x?x3xf32>) -> tensor<?x7xf32> {
  %0 = tensor.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %d : tensor<?x7xf32> -> tensor<3x?x3xf32>
  %1 = arith.addf %0, %0 : tensor<3x?x3xf32>
  %2 = tensor.unpack %1 outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %a : tensor<3x?x3xf32> -> tensor<?x7xf32>
  return %2 : tensor<?x7xf32>
}
