func.func @real(%x: tensor<5x4x8xf32>) -> (tensor<5x4x5xf32>, tensor<5x4x5xf32>) {
  %0, %1 = "tosa.rfft2d"(%x) : (tensor<5x4x8xf32>) -> (tensor<5x4x5xf32>, tensor<5x4x5xf32>)
  return %0, %1 : tensor<5x4x5xf32>, tensor<5x4x5xf32>
}
func.func @dynamic(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %0, %1 = "tosa.rfft2d"(%x) : (tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>)
  return %0, %1 : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
func.func @inverse(%x: tensor<1x4x8xf32>, %y: tensor<1x4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %0, %1 = "tosa.fft2d"(%x, %y) {inverse = true} : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>)
  return %0, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}
// ----- proved
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
func.func @real(%arg0: tensor<5x4x8xf32>) -> (tensor<5x4x5xf32>, tensor<5x4x5xf32>) {
  %cst = arith.constant 8.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 6.28318548 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.empty() : tensor<5x4x5xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<5x4x5xf32>) -> tensor<5x4x5xf32>
  %2 = tensor.empty() : tensor<5x4x5xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<5x4x5xf32>) -> tensor<5x4x5xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<5x4x8xf32>) outs(%1, %3 : tensor<5x4x5xf32>, tensor<5x4x5xf32>) {
  ^bb0(%in: f32, %out: f32, %out_3: f32):
    %5 = linalg.index 1 : index
    %6 = linalg.index 2 : index
    %7 = linalg.index 3 : index
    %8 = linalg.index 4 : index
    %9 = index.mul %7, %5
    %10 = index.mul %8, %6
    %11 = index.remu %9, %c4
    %12 = index.remu %10, %c8
    %13 = arith.index_castui %11 : index to i32
    %14 = arith.uitofp %13 : i32 to f32
    %15 = arith.index_castui %12 : index to i32
    %16 = arith.uitofp %15 : i32 to f32
    %17 = arith.divf %14, %cst_0 : f32
    %18 = arith.divf %16, %cst : f32
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_1 : f32
    %21 = math.cos %20 : f32
    %22 = math.sin %20 : f32
    %23 = arith.mulf %in, %21 : f32
    %24 = arith.mulf %in, %22 : f32
    %25 = arith.addf %out, %23 : f32
    %26 = arith.subf %out_3, %24 : f32
    linalg.yield %25, %26 : f32, f32
  } -> (tensor<5x4x5xf32>, tensor<5x4x5xf32>)
  return %4#0, %4#1 : tensor<5x4x5xf32>, tensor<5x4x5xf32>
}
func.func @dynamic(%arg0: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %cst = arith.constant 6.28318548 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_2 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %0 = arith.divui %dim_2, %c2 : index
  %1 = arith.addi %0, %c1 : index
  %2 = tensor.empty(%dim, %dim_1, %1) : tensor<?x?x?xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %4 = tensor.empty(%dim, %dim_1, %1) : tensor<?x?x?xf32>
  %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_4 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %6 = arith.index_castui %dim_3 : index to i32
  %7 = arith.uitofp %6 : i32 to f32
  %8 = arith.index_castui %dim_4 : index to i32
  %9 = arith.uitofp %8 : i32 to f32
  %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<?x?x?xf32>) outs(%3, %5 : tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  ^bb0(%in: f32, %out: f32, %out_5: f32):
    %11 = linalg.index 1 : index
    %12 = linalg.index 2 : index
    %13 = linalg.index 3 : index
    %14 = linalg.index 4 : index
    %15 = index.mul %13, %11
    %16 = index.mul %14, %12
    %17 = index.remu %15, %dim_3
    %18 = index.remu %16, %dim_4
    %19 = arith.index_castui %17 : index to i32
    %20 = arith.uitofp %19 : i32 to f32
    %21 = arith.index_castui %18 : index to i32
    %22 = arith.uitofp %21 : i32 to f32
    %23 = arith.divf %20, %7 : f32
    %24 = arith.divf %22, %9 : f32
    %25 = arith.addf %23, %24 : f32
    %26 = arith.mulf %25, %cst : f32
    %27 = math.cos %26 : f32
    %28 = math.sin %26 : f32
    %29 = arith.mulf %in, %27 : f32
    %30 = arith.mulf %in, %28 : f32
    %31 = arith.addf %out, %29 : f32
    %32 = arith.subf %out_5, %30 : f32
    linalg.yield %31, %32 : f32, f32
  } -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>)
  return %10#0, %10#1 : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
func.func @inverse(%arg0: tensor<1x4x8xf32>, %arg1: tensor<1x4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %cst = arith.constant 8.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant -1.000000e+00 : f32
  %cst_2 = arith.constant 6.28318548 : f32
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x4x8xf32>
  %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = tensor.empty() : tensor<1x4x8xf32>
  %3 = linalg.fill ins(%cst_3 : f32) outs(%2 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%1, %3 : tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32, %out_5: f32):
    %5 = linalg.index 1 : index
    %6 = linalg.index 2 : index
    %7 = linalg.index 3 : index
    %8 = linalg.index 4 : index
    %9 = index.mul %7, %5
    %10 = index.mul %8, %6
    %11 = index.remu %9, %c4
    %12 = index.remu %10, %c8
    %13 = arith.index_castui %11 : index to i32
    %14 = arith.uitofp %13 : i32 to f32
    %15 = arith.index_castui %12 : index to i32
    %16 = arith.uitofp %15 : i32 to f32
    %17 = arith.divf %14, %cst_0 : f32
    %18 = arith.divf %16, %cst : f32
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_2 : f32
    %21 = arith.mulf %20, %cst_1 : f32
    %22 = math.cos %21 : f32
    %23 = math.sin %21 : f32
    %24 = arith.mulf %in, %22 : f32
    %25 = arith.mulf %in_4, %23 : f32
    %26 = arith.addf %24, %25 : f32
    %27 = arith.mulf %in_4, %22 : f32
    %28 = arith.mulf %in, %23 : f32
    %29 = arith.subf %27, %28 : f32
    %30 = arith.addf %out, %26 : f32
    %31 = arith.addf %out_5, %29 : f32
    linalg.yield %30, %31 : f32, f32
  } -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>)
  return %4#0, %4#1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}
// ----- refuted-each
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
func.func @real(%arg0: tensor<5x4x8xf32>) -> (tensor<5x4x5xf32>, tensor<5x4x5xf32>) {
  %cst = arith.constant 8.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 6.28318548 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.empty() : tensor<5x4x5xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<5x4x5xf32>) -> tensor<5x4x5xf32>
  %2 = tensor.empty() : tensor<5x4x5xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<5x4x5xf32>) -> tensor<5x4x5xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<5x4x8xf32>) outs(%1, %3 : tensor<5x4x5xf32>, tensor<5x4x5xf32>) {
  ^bb0(%in: f32, %out: f32, %out_3: f32):
    %5 = linalg.index 1 : index
    %6 = linalg.index 2 : index
    %7 = linalg.index 3 : index
    %8 = linalg.index 4 : index
    %9 = index.mul %7, %5
    %10 = index.mul %8, %6
    %11 = index.remu %9, %c4
    %12 = index.remu %10, %c8
    %13 = arith.index_castui %11 : index to i32
    %14 = arith.uitofp %13 : i32 to f32
    %15 = arith.index_castui %12 : index to i32
    %16 = arith.uitofp %15 : i32 to f32
    %17 = arith.divf %14, %cst_0 : f32
    %18 = arith.divf %16, %cst : f32
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_1 : f32
    %21 = math.cos %20 : f32
    %22 = math.sin %20 : f32
    %23 = arith.mulf %in, %21 : f32
    %24 = arith.mulf %in, %22 : f32
    %25 = arith.addf %out, %23 : f32
    %26 = arith.addf %out_3, %24 : f32
    linalg.yield %25, %26 : f32, f32
  } -> (tensor<5x4x5xf32>, tensor<5x4x5xf32>)
  return %4#0, %4#1 : tensor<5x4x5xf32>, tensor<5x4x5xf32>
}
func.func @dynamic(%arg0: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %cst = arith.constant 6.28318548 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_2 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %0 = arith.divui %dim_2, %c2 : index
  %1 = arith.addi %0, %c1 : index
  %2 = tensor.empty(%dim, %dim_1, %1) : tensor<?x?x?xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %4 = tensor.empty(%dim, %dim_1, %1) : tensor<?x?x?xf32>
  %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %dim_4 = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %6 = arith.index_castui %dim_3 : index to i32
  %7 = arith.uitofp %6 : i32 to f32
  %8 = arith.index_castui %dim_4 : index to i32
  %9 = arith.uitofp %8 : i32 to f32
  %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<?x?x?xf32>) outs(%3, %5 : tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  ^bb0(%in: f32, %out: f32, %out_5: f32):
    %11 = linalg.index 1 : index
    %12 = linalg.index 2 : index
    %13 = linalg.index 3 : index
    %14 = linalg.index 4 : index
    %15 = index.mul %13, %11
    %16 = index.mul %14, %12
    %17 = index.remu %15, %dim_3
    %18 = index.remu %16, %dim_4
    %19 = arith.index_castui %17 : index to i32
    %20 = arith.uitofp %19 : i32 to f32
    %21 = arith.index_castui %18 : index to i32
    %22 = arith.uitofp %21 : i32 to f32
    %23 = arith.divf %20, %7 : f32
    %24 = arith.divf %22, %9 : f32
    %25 = arith.addf %23, %24 : f32
    %26 = arith.mulf %25, %cst : f32
    %27 = math.cos %26 : f32
    %28 = math.sin %26 : f32
    %29 = arith.mulf %in, %27 : f32
    %30 = arith.mulf %in, %28 : f32
    %31 = arith.addf %out, %29 : f32
    %32 = arith.addf %out_5, %30 : f32
    linalg.yield %31, %32 : f32, f32
  } -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>)
  return %10#0, %10#1 : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
func.func @inverse(%arg0: tensor<1x4x8xf32>, %arg1: tensor<1x4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %cst = arith.constant 8.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant -1.000000e+00 : f32
  %cst_2 = arith.constant 6.28318548 : f32
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x4x8xf32>
  %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = tensor.empty() : tensor<1x4x8xf32>
  %3 = linalg.fill ins(%cst_3 : f32) outs(%2 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%1, %3 : tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32, %out_5: f32):
    %5 = linalg.index 1 : index
    %6 = linalg.index 2 : index
    %7 = linalg.index 3 : index
    %8 = linalg.index 4 : index
    %9 = index.mul %7, %5
    %10 = index.mul %8, %6
    %11 = index.remu %9, %c4
    %12 = index.remu %10, %c8
    %13 = arith.index_castui %11 : index to i32
    %14 = arith.uitofp %13 : i32 to f32
    %15 = arith.index_castui %12 : index to i32
    %16 = arith.uitofp %15 : i32 to f32
    %17 = arith.divf %14, %cst_0 : f32
    %18 = arith.divf %16, %cst : f32
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_2 : f32
    %21 = arith.mulf %20, %cst_1 : f32
    %22 = math.cos %21 : f32
    %23 = math.sin %21 : f32
    %24 = arith.mulf %in, %22 : f32
    %25 = arith.mulf %in_4, %23 : f32
    %26 = arith.addf %24, %25 : f32
    %27 = arith.mulf %in_4, %22 : f32
    %28 = arith.mulf %in, %23 : f32
    %29 = arith.addf %27, %28 : f32
    %30 = arith.addf %out, %26 : f32
    %31 = arith.addf %out_5, %29 : f32
    linalg.yield %30, %31 : f32, f32
  } -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>)
  return %4#0, %4#1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}
