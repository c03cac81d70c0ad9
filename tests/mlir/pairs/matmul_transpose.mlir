// The transpose of a product is the product of the transposes, in the other order.
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.transpose ins(%0 : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  return %1 : tensor<?x?xf32>
}
// ----- proved
#b = affine_map<(d0, d1, d2) -> (d2, d0)>
#a = affine_map<(d0, d1, d2) -> (d1, d2)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.transpose ins(%c : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  %1 = linalg.generic {indexing_maps = [#b, #a, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%b, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %z, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// ----- refuted
// The initial value is not transposed.
#b = affine_map<(d0, d1, d2) -> (d2, d0)>
#a = affine_map<(d0, d1, d2) -> (d1, d2)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %1 = linalg.generic {indexing_maps = [#b, #a, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%b, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %z, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
