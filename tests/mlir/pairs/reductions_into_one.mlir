// Outputs whose maps have constants: one element is written, the others stay.
#one = affine_map<(i) -> (0)>
#row = affine_map<(i, j) -> (i, 1)>
#of = affine_map<(i) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
func.func @sum(%a: tensor<?xf32>, %z: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic {indexing_maps = [#of, #one], iterator_types = ["reduction"]} ins(%a : tensor<?xf32>) outs(%z : tensor<1xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @column(%a: tensor<4x?xi32>, %z: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %r = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xi32>) outs(%z : tensor<4x3xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}
func.func @outside(%a: tensor<4xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [#of, affine_map<(i) -> (2)>], iterator_types = ["reduction"]} ins(%a : tensor<4xi32>) outs(%z : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// ----- proved
#of = affine_map<(i) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
func.func @sum(%a: tensor<?xf32>, %z: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %start = tensor.extract %z[%c0] : tensor<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  %o = tensor.from_elements %r : tensor<1xf32>
  return %o : tensor<1xf32>
}
func.func @column(%a: tensor<4x?xi32>, %z: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %s = tensor.extract_slice %z[0, 1] [4, 1] [1, 1] : tensor<4x3xi32> to tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xi32>) outs(%s : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %t = arith.addi %x, %y : i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  %o = tensor.insert_slice %r into %z[0, 1] [4, 1] [1, 1] : tensor<4xi32> into tensor<4x3xi32>
  return %o : tensor<4x3xi32>
}
func.func @outside(%a: tensor<4xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = tensor.extract %a[%c3] : tensor<4xi32>
  %r = tensor.insert %x into %z[%c2] : tensor<?xi32>
  return %r : tensor<?xi32>
}
// ----- refuted-each
#of = affine_map<(i) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
func.func @sum(%a: tensor<?xf32>, %z: tensor<1xf32>) -> tensor<1xf32> {
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %r = linalg.generic {indexing_maps = [#of, affine_map<(i) -> (0)>], iterator_types = ["reduction"]} ins(%a : tensor<?xf32>) outs(%zero : tensor<1xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @column(%a: tensor<4x?xi32>, %z: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %r = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xi32>) outs(%z : tensor<4x3xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}
func.func @outside(%a: tensor<4xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [#of, affine_map<(i) -> (3)>], iterator_types = ["reduction"]} ins(%a : tensor<4xi32>) outs(%z : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
