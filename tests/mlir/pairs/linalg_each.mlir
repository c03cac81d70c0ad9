func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @bmm(%a: tensor<?x4x5xf32>, %b: tensor<?x5x6xf32>, %c: tensor<?x4x6xf32>) -> tensor<?x4x6xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x4x5xf32>, tensor<?x5x6xf32>) outs(%c : tensor<?x4x6xf32>) -> tensor<?x4x6xf32>
  return %0 : tensor<?x4x6xf32>
}
func.func @matvec(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.matvec ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @vecmat(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.vecmat ins(%a, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @dot(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @doti(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<i32>) -> tensor<i32> {
  %0 = linalg.dot ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%c : tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @conv(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%c : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
func.func @convs(%a: tensor<1x16x16x4xf32>, %b: tensor<3x3x4x16xf32>, %c: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%c : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %0 : tensor<1x14x14x16xf32>
}
func.func @conv1(%a: tensor<1x16x16x4xf32>, %b: tensor<1x1x4x16xf32>, %c: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x16x16x4xf32>, tensor<1x1x4x16xf32>) outs(%c : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  return %0 : tensor<1x16x16x16xf32>
}
func.func @convc(%a: tensor<1x4x16x16xf32>, %b: tensor<16x4x3x3xf32>, %c: tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%c : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  return %0 : tensor<1x16x14x14xf32>
}
func.func @dw(%a: tensor<1x7x5x3xf32>, %b: tensor<3x1x3x11xf32>, %c: tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %b : tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>) outs(%c : tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32>
  return %0 : tensor<1x5x5x3x11xf32>
}
func.func @dw1(%a: tensor<1x7x5x3xf32>, %b: tensor<3x1x3x1xf32>, %c: tensor<1x5x5x3x1xf32>) -> tensor<1x5x5x3x1xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %b : tensor<1x7x5x3xf32>, tensor<3x1x3x1xf32>) outs(%c : tensor<1x5x5x3x1xf32>) -> tensor<1x5x5x3x1xf32>
  return %0 : tensor<1x5x5x3x1xf32>
}
func.func @pmax(%a: tensor<1x7x5x3xf32>, %b: tensor<3x3xf32>, %c: tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32> {
  %0 = linalg.pooling_nhwc_max ins(%a, %b : tensor<1x7x5x3xf32>, tensor<3x3xf32>) outs(%c : tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32>
  return %0 : tensor<1x5x3x3xf32>
}
func.func @psum(%a: tensor<1x7x5x3xf32>, %b: tensor<3x3xf32>, %c: tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32> {
  %0 = linalg.pooling_nhwc_sum ins(%a, %b : tensor<1x7x5x3xf32>, tensor<3x3xf32>) outs(%c : tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32>
  return %0 : tensor<1x5x3x3xf32>
}
func.func @reduce(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}
func.func @transpose(%a: tensor<?x4xf32>, %c: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x4xf32>) outs(%c : tensor<4x?xf32>) permutation = [1, 0]
  return %0 : tensor<4x?xf32>
}
func.func @broadcast(%a: tensor<?xf32>, %c: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %0 = linalg.broadcast ins(%a : tensor<?xf32>) outs(%c : tensor<?x7xf32>) dimensions = [1]
  return %0 : tensor<?x7xf32>
}
func.func @map(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.map { arith.mulf } ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>)
  return %0 : tensor<?xf32>
}
func.func @fill(%a: f32, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.fill ins(%a : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func @generic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @rowsum(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @index(%c: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : tensor<?x?xi64>) {
  ^bb0(%z: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %j : index
    %s = arith.index_cast %k : index to i64
    linalg.yield %s : i64
  } -> tensor<?x?xi64>
  return %0 : tensor<?x?xi64>
}
func.func @chain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.maximumf %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// ----- proved-each
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d1)>
#map8 = affine_map<(d0, d1) -> (d0)>
#map9 = affine_map<(d0, d1) -> (d1, d0)>
#map10 = affine_map<(d0) -> (d0)>
#map11 = affine_map<(d0) -> ()>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#map17 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#map18 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d3)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d3, d4)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d4)>
#map21 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
#map22 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map23 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map24 = affine_map<(d0, d1) -> ()>
module {
  func.func @matmul(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @bmm(%arg0: tensor<?x4x5xf32>, %arg1: tensor<?x5x6xf32>, %arg2: tensor<?x4x6xf32>) -> tensor<?x4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x4x5xf32>, tensor<?x5x6xf32>) outs(%arg2 : tensor<?x4x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?x4x6xf32>
    return %0 : tensor<?x4x6xf32>
  }
  func.func @matvec(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?xf32>) outs(%arg2 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @vecmat(%arg0: tensor<?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#map7, #map9, #map8], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @dot(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = linalg.generic {indexing_maps = [#map10, #map10, #map11], iterator_types = ["reduction"]} ins(%arg0, %arg1 : tensor<?xf32>, tensor<?xf32>) outs(%arg2 : tensor<f32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @doti(%arg0: tensor<?xi32>, %arg1: tensor<?xi32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = linalg.generic {indexing_maps = [#map10, #map10, #map11], iterator_types = ["reduction"]} ins(%arg0, %arg1 : tensor<?xi32>, tensor<?xi32>) outs(%arg2 : tensor<i32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %1 = arith.muli %in, %in_0 : i32
      %2 = arith.addi %out, %1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @conv(%arg0: tensor<?x?x?x?xf32>, %arg1: tensor<?x?x?x?xf32>, %arg2: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map12, #map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%arg2 : tensor<?x?x?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?x?x?xf32>
    return %0 : tensor<?x?x?x?xf32>
  }
  func.func @convs(%arg0: tensor<1x16x16x4xf32>, %arg1: tensor<3x3x4x16xf32>, %arg2: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
    %0 = linalg.generic {indexing_maps = [#map15, #map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%arg2 : tensor<1x14x14x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<1x14x14x16xf32>
    return %0 : tensor<1x14x14x16xf32>
  }
  func.func @conv1(%arg0: tensor<1x16x16x4xf32>, %arg1: tensor<1x1x4x16xf32>, %arg2: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
    %0 = linalg.generic {indexing_maps = [#map15, #map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x16x16x4xf32>, tensor<1x1x4x16xf32>) outs(%arg2 : tensor<1x16x16x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<1x16x16x16xf32>
    return %0 : tensor<1x16x16x16xf32>
  }
  func.func @convc(%arg0: tensor<1x4x16x16xf32>, %arg1: tensor<16x4x3x3xf32>, %arg2: tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32> {
    %0 = linalg.generic {indexing_maps = [#map16, #map17, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%arg2 : tensor<1x16x14x14xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<1x16x14x14xf32>
    return %0 : tensor<1x16x14x14xf32>
  }
  func.func @dw(%arg0: tensor<1x7x5x3xf32>, %arg1: tensor<3x1x3x11xf32>, %arg2: tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32> {
    %0 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>) outs(%arg2 : tensor<1x5x5x3x11xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<1x5x5x3x11xf32>
    return %0 : tensor<1x5x5x3x11xf32>
  }
  func.func @dw1(%arg0: tensor<1x7x5x3xf32>, %arg1: tensor<3x1x3x1xf32>, %arg2: tensor<1x5x5x3x1xf32>) -> tensor<1x5x5x3x1xf32> {
    %0 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x7x5x3xf32>, tensor<3x1x3x1xf32>) outs(%arg2 : tensor<1x5x5x3x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<1x5x5x3x1xf32>
    return %0 : tensor<1x5x5x3x1xf32>
  }
  func.func @pmax(%arg0: tensor<1x7x5x3xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32> {
    %0 = linalg.generic {indexing_maps = [#map21, #map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x7x5x3xf32>, tensor<3x3xf32>) outs(%arg2 : tensor<1x5x3x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.maximumf %out, %in : f32
      linalg.yield %1 : f32
    } -> tensor<1x5x3x3xf32>
    return %0 : tensor<1x5x3x3xf32>
  }
  func.func @psum(%arg0: tensor<1x7x5x3xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32> {
    %0 = linalg.generic {indexing_maps = [#map21, #map22, #map23], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x7x5x3xf32>, tensor<3x3xf32>) outs(%arg2 : tensor<1x5x3x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.addf %out, %in : f32
      linalg.yield %1 : f32
    } -> tensor<1x5x3x3xf32>
    return %0 : tensor<1x5x3x3xf32>
  }
  func.func @reduce(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %out, %in : f32
      linalg.yield %1 : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @transpose(%arg0: tensor<?x4xf32>, %arg1: tensor<4x?xf32>) -> tensor<4x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x4xf32>) outs(%arg1 : tensor<4x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x?xf32>
    return %0 : tensor<4x?xf32>
  }
  func.func @broadcast(%arg0: tensor<?xf32>, %arg1: tensor<?x7xf32>) -> tensor<?x7xf32> {
    %0 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?xf32>) outs(%arg1 : tensor<?x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x7xf32>
    return %0 : tensor<?x7xf32>
  }
  func.func @map(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
    %mapped = linalg.map { arith.mulf } ins(%arg0, %arg1 : tensor<?xf32>, tensor<?xf32>) outs(%arg2 : tensor<?xf32>)
    return %mapped : tensor<?xf32>
  }
  func.func @fill(%arg0: f32, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map24, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg0 : f32) outs(%arg1 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @generic(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.addf %in, %in_0 : f32
      linalg.yield %1 : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @rowsum(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %out : f32
      linalg.yield %1 : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @index(%arg0: tensor<?x?xi64>) -> tensor<?x?xi64> {
    %0 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%arg0 : tensor<?x?xi64>) {
    ^bb0(%out: i64):
      %1 = linalg.index 0 : index
      %2 = linalg.index 1 : index
      %3 = arith.muli %1, %2 : index
      %4 = arith.index_cast %3 : index to i64
      linalg.yield %4 : i64
    } -> tensor<?x?xi64>
    return %0 : tensor<?x?xi64>
  }
  func.func @chain(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
    %0 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#map24, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst : f32) outs(%0 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %4 = arith.mulf %in, %in_1 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<?x?xf32>
    %3 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.maximumf %in, %cst : f32
      linalg.yield %4 : f32
    } -> tensor<?x?xf32>
    return %3 : tensor<?x?xf32>
  }
}

// ----- refuted-each
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n = arith.negf %b : tensor<?x?xf32> %0 = linalg.matmul ins(%a, %n : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @matvec(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %n = arith.negf %b : tensor<?xf32> %0 = linalg.matvec ins(%a, %n : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @vecmat(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %n = math.absf %a : tensor<?xf32> %0 = linalg.vecmat ins(%n, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @dot(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @doti(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<i32>) -> tensor<i32> {
  %0 = linalg.dot ins(%b, %b : tensor<?xi32>, tensor<?xi32>) outs(%c : tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

func.func @conv(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%c : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

func.func @convs(%a: tensor<1x16x16x4xf32>, %b: tensor<3x3x4x16xf32>, %c: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %n = tosa.reverse %b {axis = 1 : i32} : (tensor<3x3x4x16xf32>) -> tensor<3x3x4x16xf32> %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %n : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%c : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %0 : tensor<1x14x14x16xf32>
}

func.func @conv1(%a: tensor<1x16x16x4xf32>, %b: tensor<1x1x4x16xf32>, %c: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  %n = math.absf %b : tensor<1x1x4x16xf32> %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %n : tensor<1x16x16x4xf32>, tensor<1x1x4x16xf32>) outs(%c : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  return %0 : tensor<1x16x16x16xf32>
}

func.func @convc(%a: tensor<1x4x16x16xf32>, %b: tensor<16x4x3x3xf32>, %c: tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32> {
  %n = tosa.reverse %b {axis = 3 : i32} : (tensor<16x4x3x3xf32>) -> tensor<16x4x3x3xf32> %0 = linalg.conv_2d_nchw_fchw ins(%a, %n : tensor<1x4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%c : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  return %0 : tensor<1x16x14x14xf32>
}

func.func @dw(%a: tensor<1x7x5x3xf32>, %b: tensor<3x1x3x11xf32>, %c: tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32> {
  %n = tosa.reverse %b {axis = 2 : i32} : (tensor<3x1x3x11xf32>) -> tensor<3x1x3x11xf32> %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %n : tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>) outs(%c : tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32>
  return %0 : tensor<1x5x5x3x11xf32>
}

func.func @pmax(%a: tensor<1x7x5x3xf32>, %b: tensor<3x3xf32>, %c: tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32> {
  %0 = linalg.pooling_nhwc_min ins(%a, %b : tensor<1x7x5x3xf32>, tensor<3x3xf32>) outs(%c : tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32>
  return %0 : tensor<1x5x3x3xf32>
}

func.func @psum(%a: tensor<1x7x5x3xf32>, %b: tensor<3x3xf32>, %c: tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32> {
  %0 = linalg.pooling_nhwc_max ins(%a, %b : tensor<1x7x5x3xf32>, tensor<3x3xf32>) outs(%c : tensor<1x5x3x3xf32>) -> tensor<1x5x3x3xf32>
  return %0 : tensor<1x5x3x3xf32>
}

func.func @reduce(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}

func.func @broadcast(%a: tensor<?xf32>, %c: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %n = math.exp %a : tensor<?xf32> %0 = linalg.broadcast ins(%n : tensor<?xf32>) outs(%c : tensor<?x7xf32>) dimensions = [1]
  return %0 : tensor<?x7xf32>
}

func.func @map(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.map { arith.addf } ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>)
  return %0 : tensor<?xf32>
}

func.func @fill(%a: f32, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n = arith.negf %a : f32 %0 = linalg.fill ins(%n : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @generic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @rowsum(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.mulf %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @index(%c: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : tensor<?x?xi64>) {
  ^bb0(%z: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %s = arith.index_cast %k : index to i64
    linalg.yield %s : i64
  } -> tensor<?x?xi64>
  return %0 : tensor<?x?xi64>
}

func.func @chain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.minimumf %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @bmm(%a: tensor<?x4x5xf32>, %b: tensor<?x5x6xf32>, %c: tensor<?x4x6xf32>) -> tensor<?x4x6xf32> {
  %n = math.absf %b : tensor<?x5x6xf32> %0 = linalg.batch_matmul ins(%a, %n : tensor<?x4x5xf32>, tensor<?x5x6xf32>) outs(%c : tensor<?x4x6xf32>) -> tensor<?x4x6xf32>
  return %0 : tensor<?x4x6xf32>
}

func.func @transpose(%a: tensor<?x4xf32>, %c: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %n = math.floor %a : tensor<?x4xf32> %0 = linalg.transpose ins(%n : tensor<?x4xf32>) outs(%c : tensor<4x?xf32>) permutation = [1, 0]
  return %0 : tensor<4x?xf32>
}

