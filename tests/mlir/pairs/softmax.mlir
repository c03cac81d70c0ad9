// linalg.softmax is its decomposition by mlir-opt 19.
func.func @rows(%a: tensor<?x16xf32>, %o: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = linalg.softmax dimension(1) ins(%a : tensor<?x16xf32>) outs(%o : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
func.func @memory(%a: memref<3x5xf32>, %o: memref<3x5xf32>) {
  linalg.softmax dimension(0) ins(%a : memref<3x5xf32>) outs(%o : memref<3x5xf32>)
  return
}
// ----- proved --distinct
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @rows(%arg0: tensor<?x16xf32>, %arg1: tensor<?x16xf32>) -> tensor<?x16xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
    %0 = tensor.empty(%dim) : tensor<?xf32>
    %cst = arith.constant -3.40282347E+38 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x16xf32>) outs(%1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.maxnumf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<?x16xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.subf %in, %in_1 : f32
      %8 = math.exp %7 : f32
      linalg.yield %8 : f32
    } -> tensor<?x16xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x16xf32>) outs(%4 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<?x16xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.divf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<?x16xf32>
    return %6 : tensor<?x16xf32>
  }
func.func @memory(%a: memref<3x5xf32>, %o: memref<3x5xf32>) {
  %t = bufferization.to_tensor %a restrict : memref<3x5xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %r = linalg.softmax dimension(0) ins(%t : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  bufferization.materialize_in_destination %r in writable %o : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
  return
}
// ----- refuted-each
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @rows(%arg0: tensor<?x16xf32>, %arg1: tensor<?x16xf32>) -> tensor<?x16xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
    %0 = tensor.empty(%dim) : tensor<?xf32>
    %cst = arith.constant -3.40282347E+38 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x16xf32>) outs(%1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.maxnumf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<?x16xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.subf %in, %in_1 : f32
      %8 = math.exp %7 : f32
      linalg.yield %8 : f32
    } -> tensor<?x16xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x16xf32>) outs(%4 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<?x16xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.divf %in_1, %in : f32
      linalg.yield %7 : f32
    } -> tensor<?x16xf32>
    return %6 : tensor<?x16xf32>
  }
func.func @memory(%a: memref<3x5xf32>, %o: memref<3x5xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<3x5xf32>) outs(%o : memref<3x5xf32>)
  return
}
// ----- unknown-each
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @rows(%arg0: tensor<?x16xf32>, %arg1: tensor<?x16xf32>) -> tensor<?x16xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
    %0 = tensor.empty(%dim) : tensor<?xf32>
    %cst = arith.constant -3.40282347E+38 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x16xf32>) outs(%1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.maximumf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<?x16xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.subf %in, %in_1 : f32
      %8 = math.exp %7 : f32
      linalg.yield %8 : f32
    } -> tensor<?x16xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x16xf32>) outs(%4 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<?x16xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.divf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<?x16xf32>
    return %6 : tensor<?x16xf32>
  }
