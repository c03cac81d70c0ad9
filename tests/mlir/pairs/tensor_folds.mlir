// Folds of pads, slices, insertions, concatenations, reshapes and gathers, static and dynamic.
func.func @pad_pad(%x: tensor<?x?xf32>, %v: f32, %l: index, %h: index) -> tensor<?x?xf32> {
  %0 = tensor.pad %x low[%l, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.pad %0 low[1, 3] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @slice_of_pad(%x: tensor<8x8xf32>, %v: f32) -> tensor<5x8xf32> {
  %0 = tensor.pad %x low[2, 1] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<8x8xf32> to tensor<13x10xf32>
  %1 = tensor.extract_slice %0[0, 1] [5, 8] [1, 1] : tensor<13x10xf32> to tensor<5x8xf32>
  return %1 : tensor<5x8xf32>
}
func.func @slice_insert(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = tensor.extract_slice %x[%o, 0] [%n, %d] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.insert_slice %0 into %x[%o, 0] [%n, %d] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @concat_slices(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.subi %d, %k : index
  %a = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %x[%k] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @collapse_expand(%x: tensor<?x4x?xf32>) -> tensor<?x2x2x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x4x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x4x?xf32>
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [%d0, 2, 2, %d2] : tensor<?x?xf32> into tensor<?x2x2x?xf32>
  return %1 : tensor<?x2x2x?xf32>
}
func.func @slice_of_concat(%a: tensor<3x?xf32>, %b: tensor<5x?xf32>, %n: index) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<3x?xf32>, tensor<5x?xf32>) -> tensor<8x?xf32>
  %1 = tensor.extract_slice %0[4, 0] [2, %n] [1, 1] : tensor<8x?xf32> to tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
func.func @extract_of_insert_slice(%x: tensor<4x?xi32>, %s: tensor<?xi32>, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %s, %c0 : tensor<?xi32>
  %0 = tensor.insert_slice %s into %x[2, 0] [1, %n] [1, 1] : tensor<?xi32> into tensor<4x?xi32>
  %c2 = arith.constant 2 : index
  %1 = tensor.extract %0[%c2, %i] : tensor<4x?xi32>
  return %1 : i32
}
func.func @dims(%x: tensor<?x6xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 0.0 : f32
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
  %d = tensor.dim %x, %c0 : tensor<?x6xf32>
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %p = tensor.pad %1 low[0, 1, 2] high[4, %d, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %v : f32
  } : tensor<?x2x3xf32> to tensor<?x?x5xf32>
  %a = tensor.dim %0, %c0 : tensor<?xf32>
  %b = tensor.dim %p, %c0 : tensor<?x?x5xf32>
  %c = tensor.dim %p, %c1 : tensor<?x?x5xf32>
  return %a, %b, %c : index, index, index
}
func.func @generate(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.generate %d {
  ^bb0(%i: index):
    %a = arith.subi %d, %i : index
    %b = arith.subi %a, %c1 : index
    %e = tensor.extract %x[%b] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @cast_insert(%x: tensor<?x8xf32>, %v: f32) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %v into %x[%c0, %c0] : tensor<?x8xf32>
  %1 = tensor.cast %0 : tensor<?x8xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @from_elements(%a: i32, %b: i32, %i: index) -> i32 {
  %t = tensor.from_elements %a, %b, %a, %b : tensor<2x2xi32>
  %c1 = arith.constant 1 : index
  %r = tensor.extract %t[%i, %c1] : tensor<2x2xi32>
  return %r : i32
}
func.func @gather(%x: tensor<8x4xf32>, %i: tensor<5x1xindex>) -> tensor<5x4xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
func.func @pack_unpack(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<4x4x8x4xf32>
  %p = tensor.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %e : tensor<16x32xf32> -> tensor<4x4x8x4xf32>
  %o = tensor.empty() : tensor<16x32xf32>
  %u = tensor.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %o : tensor<4x4x8x4xf32> -> tensor<16x32xf32>
  return %u : tensor<16x32xf32>
}
func.func @two_inserts(%x: tensor<?xf32>, %a: f32, %b: f32, %i: index, %j: index) -> tensor<?xf32> {
  %0 = tensor.insert %a into %x[%i] : tensor<?xf32>
  %1 = tensor.insert %b into %0[%j] : tensor<?xf32>
  return %1 : tensor<?xf32>
}
// ----- proved-each
func.func @pad_pad(%x: tensor<?x?xf32>, %v: f32, %l: index, %h: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %k = arith.addi %l, %c1 : index
  %0 = tensor.pad %x low[%k, 3] high[%h, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @slice_of_pad(%x: tensor<8x8xf32>, %v: f32) -> tensor<5x8xf32> {
  %0 = tensor.extract_slice %x[0, 0] [3, 8] [1, 1] : tensor<8x8xf32> to tensor<3x8xf32>
  %1 = tensor.pad %0 low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x8xf32> to tensor<5x8xf32>
  return %1 : tensor<5x8xf32>
}
func.func @slice_insert(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
func.func @concat_slices(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @collapse_expand(%x: tensor<?x4x?xf32>) -> tensor<?x2x2x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x4x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x4x?xf32>
  %1 = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [%d0, 2, 2, %d2] : tensor<?x4x?xf32> into tensor<?x2x2x?xf32>
  return %1 : tensor<?x2x2x?xf32>
}
func.func @slice_of_concat(%a: tensor<3x?xf32>, %b: tensor<5x?xf32>, %n: index) -> tensor<2x?xf32> {
  %1 = tensor.extract_slice %b[1, 0] [2, %n] [1, 1] : tensor<5x?xf32> to tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
func.func @extract_of_insert_slice(%x: tensor<4x?xi32>, %s: tensor<?xi32>, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %s, %c0 : tensor<?xi32>
  %in = arith.cmpi ult, %i, %n : index
  %r = scf.if %in -> i32 {
    %a = tensor.extract %s[%i] : tensor<?xi32>
    scf.yield %a : i32
  } else {
    %b = tensor.extract %x[%c2, %i] : tensor<4x?xi32>
    scf.yield %b : i32
  }
  return %r : i32
}
func.func @dims(%x: tensor<?x6xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x6xf32>
  %a = arith.muli %d, %c6 : index
  %b = arith.addi %d, %c4 : index
  %c = arith.addi %d, %c3 : index
  return %a, %b, %c : index, index, index
}
func.func @generate(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %b = affine.apply affine_map<(i)[d] -> (d - i - 1)>(%i)[%d]
    %v = tensor.extract %x[%b] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @cast_insert(%x: tensor<?x8xf32>, %v: f32) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %x : tensor<?x8xf32> to tensor<4x8xf32>
  %1 = tensor.insert %v into %0[%c0, %c0] : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @from_elements(%a: i32, %b: i32, %i: index) -> i32 {
  return %b : i32
}
func.func @gather(%x: tensor<8x4xf32>, %i: tensor<5x1xindex>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5x1xindex>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%p: index, %o: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%p, %j] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
func.func @pack_unpack(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  return %x : tensor<16x32xf32>
}
func.func @two_inserts(%x: tensor<?xf32>, %a: f32, %b: f32, %i: index, %j: index) -> tensor<?xf32> {
  %eq = arith.cmpi eq, %i, %j : index
  %v = arith.select %eq, %b, %a : f32
  %0 = tensor.insert %b into %x[%j] : tensor<?xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}
// ----- refuted-each
func.func @pad_pad(%x: tensor<?x?xf32>, %v: f32, %l: index, %h: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %k = arith.addi %l, %c1 : index
  %0 = tensor.pad %x low[%k, 2] high[%h, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @slice_of_pad(%x: tensor<8x8xf32>, %v: f32) -> tensor<5x8xf32> {
  %0 = tensor.extract_slice %x[0, 0] [3, 8] [1, 1] : tensor<8x8xf32> to tensor<3x8xf32>
  %1 = tensor.pad %0 low[0, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x8xf32> to tensor<5x8xf32>
  return %1 : tensor<5x8xf32>
}
func.func @slice_insert(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = tensor.extract_slice %x[%o, 0] [%n, %d] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.insert_slice %0 into %x[0, 0] [%n, %d] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @concat_slices(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.subi %d, %k : index
  %a = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %x[%k] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.concat dim(0) %b, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @collapse_expand(%x: tensor<?x4x?xf32>) -> tensor<?x2x2x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x4x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x4x?xf32>
  %1 = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [%d0, 2, 2, %d2] : tensor<?x4x?xf32> into tensor<?x2x2x?xf32>
  %e = tensor.empty(%d0, %d2) : tensor<?x2x2x?xf32>
  %t = linalg.transpose ins(%1 : tensor<?x2x2x?xf32>) outs(%e : tensor<?x2x2x?xf32>) permutation = [0, 2, 1, 3]
  return %t : tensor<?x2x2x?xf32>
}
func.func @slice_of_concat(%a: tensor<3x?xf32>, %b: tensor<5x?xf32>, %n: index) -> tensor<2x?xf32> {
  %1 = tensor.extract_slice %b[2, 0] [2, %n] [1, 1] : tensor<5x?xf32> to tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
func.func @extract_of_insert_slice(%x: tensor<4x?xi32>, %s: tensor<?xi32>, %i: index) -> i32 {
  %a = tensor.extract %s[%i] : tensor<?xi32>
  return %a : i32
}
func.func @dims(%x: tensor<?x6xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x6xf32>
  %a = arith.muli %d, %c6 : index
  %b = arith.addi %d, %c4 : index
  return %a, %b, %b : index, index, index
}
func.func @generate(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %b = affine.apply affine_map<(i)[d] -> (d - i)>(%i)[%d]
    %v = tensor.extract %x[%b] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @cast_insert(%x: tensor<?x8xf32>, %v: f32) -> tensor<4x8xf32> {
  %c0 = arith.constant 1 : index
  %0 = tensor.cast %x : tensor<?x8xf32> to tensor<4x8xf32>
  %1 = tensor.insert %v into %0[%c0, %c0] : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @from_elements(%a: i32, %b: i32, %i: index) -> i32 {
  return %a : i32
}
func.func @gather(%x: tensor<8x4xf32>, %i: tensor<5x1xindex>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5x1xindex>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%p: index, %o: f32):
    %j = linalg.index 0 : index
    %c3 = arith.constant 3 : index
    %k = arith.minui %j, %c3 : index
    %v = tensor.extract %x[%p, %k] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
func.func @pack_unpack(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<4x4x8x4xf32>
  %p = tensor.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %e : tensor<16x32xf32> -> tensor<4x4x8x4xf32>
  %o = tensor.empty() : tensor<16x32xf32>
  %u = tensor.unpack %p inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %o : tensor<4x4x8x4xf32> -> tensor<16x32xf32>
  return %u : tensor<16x32xf32>
}
func.func @two_inserts(%x: tensor<?xf32>, %a: f32, %b: f32, %i: index, %j: index) -> tensor<?xf32> {
  %0 = tensor.insert %b into %x[%j] : tensor<?xf32>
  %1 = tensor.insert %a into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}
