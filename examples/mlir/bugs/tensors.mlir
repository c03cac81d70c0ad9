// Tensors: an accumulator that is dropped, wrong maps, broadcasts, slices and reshapes, another order of a sum.
// The source; behind the lines `// -----` what a right pass, and what a wrong one makes of it.
func.func @dropped_accumulator(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @wrong_map(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%a0: f32, %a1: f32):
  linalg.yield %a0 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @wrong_broadcast(%v: tensor<4xf32>, %m: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.broadcast ins(%v : tensor<4xf32>) outs(%m : tensor<4x4xf32>) dimensions = [0]
  return %r : tensor<4x4xf32>
}
func.func @slice_of_pad(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[2] {
  ^bb0(%i: index):
  tensor.yield %z : f32
  } : tensor<4xf32> to tensor<8xf32>
  %r = tensor.extract_slice %p[2][4][1] : tensor<8xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @insert_order(%t: tensor<8xf32>, %x: f32, %y: f32, %i: index, %j: index) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.insert %y into %0[%j] : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @collapse_then_expand(%t: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
func.func @strided_slice(%t: tensor<16xf32>) -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[2][6][2] : tensor<16xf32> to tensor<6xf32>
  %1 = tensor.extract_slice %0[1][4][1] : tensor<6xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @reassociated(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  %1 = arith.addf %0, %z : f32
  return %1 : f32
}
func.func @decomposed_output(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.subf %x, %y : f32
    %t = arith.addf %s, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// ----- proved-each
func.func @dropped_accumulator(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
  %m = arith.mulf %a0, %a1 : f32
  %s = arith.addf %a2, %m : f32
  linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @wrong_map(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}
func.func @wrong_broadcast(%v: tensor<4xf32>, %m: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<4xf32>) outs(%m : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
  linalg.yield %a0 : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @slice_of_pad(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @insert_order(%t: tensor<8xf32>, %x: f32, %y: f32, %i: index, %j: index) -> tensor<8xf32> {
  %c = arith.cmpi eq, %i, %j : index
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.insert %y into %t[%j] : tensor<8xf32>
  %2 = tensor.insert %y into %0[%j] : tensor<8xf32>
  %3 = arith.select %c, %1, %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func @collapse_then_expand(%t: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %s = arith.constant dense<[3, 4]> : tensor<2xi64>
  %1 = tensor.reshape %t(%s) : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
func.func @strided_slice(%t: tensor<16xf32>) -> tensor<4xf32> {
  %1 = tensor.extract_slice %t[4][4][2] : tensor<16xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @reassociated(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = arith.addf %y, %x : f32
  %1 = arith.addf %z, %0 : f32
  return %1 : f32
}
func.func @decomposed_output(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %0 : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %t = arith.addf %s, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// ----- refuted-each
func.func @dropped_accumulator(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @wrong_map(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%a0: f32, %a1: f32):
  %s = arith.negf %a0 : f32
  %t = arith.addf %s, %a1 : f32
  linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @wrong_broadcast(%v: tensor<4xf32>, %m: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<4xf32>) outs(%m : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32):
  linalg.yield %a0 : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @slice_of_pad(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[2] {
  ^bb0(%i: index):
  tensor.yield %z : f32
  } : tensor<4xf32> to tensor<8xf32>
  %r = tensor.extract_slice %p[1][4][1] : tensor<8xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @insert_order(%t: tensor<8xf32>, %x: f32, %y: f32, %i: index, %j: index) -> tensor<8xf32> {
  %0 = tensor.insert %y into %t[%j] : tensor<8xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @collapse_then_expand(%t: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<6x2xf32>
  %0 = linalg.transpose ins(%t : tensor<2x6xf32>) outs(%e : tensor<6x2xf32>) permutation = [1, 0]
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<6x2xf32> into tensor<12xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}
func.func @strided_slice(%t: tensor<16xf32>) -> tensor<4xf32> {
  %1 = tensor.extract_slice %t[3][4][2] : tensor<16xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @reassociated(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = arith.addf %y, %z : f32
  %1 = arith.addf %x, %0 : f32
  return %1 : f32
}
func.func @decomposed_output(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %0 : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %t = arith.addf %s, %s : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
