func.func @abs(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.abs %a : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
func.func @add(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.add %a, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
func.func @addi(%a: tensor<4x3xi32>, %b: tensor<1x3xi32>) -> tensor<4x3xi32> {
  %0 = tosa.add %a, %b : (tensor<4x3xi32>, tensor<1x3xi32>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}
func.func @avg(%a: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = tosa.avg_pool2d %a {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
func.func @avgpad(%a: tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32> {
  %0 = tosa.avg_pool2d %a {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32>
  return %0 : tensor<1x9x9x3xf32>
}
func.func @maxp(%a: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
func.func @maxpi(%a: tensor<1x8x8x3xi32>) -> tensor<1x4x4x3xi32> {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xi32>) -> tensor<1x4x4x3xi32>
  return %0 : tensor<1x4x4x3xi32>
}
func.func @maxpad(%a: tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32> {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32>
  return %0 : tensor<1x9x9x3xf32>
}
func.func @clamp(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tosa.clamp %a {min_int = -1 : i64, max_int = 6 : i64, min_fp = 0.0 : f32, max_fp = 6.0 : f32} : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @clampi(%a: tensor<5xi32>) -> tensor<5xi32> {
  %0 = tosa.clamp %a {min_int = -1 : i64, max_int = 6 : i64, min_fp = 0.0 : f32, max_fp = 6.0 : f32} : (tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
func.func @conv(%a: tensor<1x5x5x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %0 = tosa.conv2d %a, %w, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}
func.func @convpad(%a: tensor<1x5x5x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %0 = tosa.conv2d %a, %w, %b {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, acc_type = f32} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}
func.func @dw(%a: tensor<1x7x5x3xf32>, %w: tensor<3x1x3x11xf32>, %b: tensor<33xf32>) -> tensor<1x5x5x33xf32> {
  %0 = tosa.depthwise_conv2d %a, %w, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>, tensor<33xf32>) -> tensor<1x5x5x33xf32>
  return %0 : tensor<1x5x5x33xf32>
}
func.func @fc(%a: tensor<5x3xf32>, %w: tensor<6x3xf32>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %0 = tosa.fully_connected %a, %w, %b : (tensor<5x3xf32>, tensor<6x3xf32>, tensor<6xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @mm(%a: tensor<1x5x3xf32>, %b: tensor<1x3x6xf32>) -> tensor<1x5x6xf32> {
  %0 = tosa.matmul %a, %b : (tensor<1x5x3xf32>, tensor<1x3x6xf32>) -> tensor<1x5x6xf32>
  return %0 : tensor<1x5x6xf32>
}
func.func @rsum(%a: tensor<?x4xf32>) -> tensor<?x1xf32> {
  %0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}
func.func @rmax(%a: tensor<5x4xf32>) -> tensor<5x1xf32> {
  %0 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<5x4xf32>) -> tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}
func.func @rmin(%a: tensor<5x4xi32>) -> tensor<5x1xi32> {
  %0 = tosa.reduce_min %a {axis = 1 : i32} : (tensor<5x4xi32>) -> tensor<5x1xi32>
  return %0 : tensor<5x1xi32>
}
func.func @rprod(%a: tensor<5x4xf32>) -> tensor<1x4xf32> {
  %0 = tosa.reduce_prod %a {axis = 0 : i32} : (tensor<5x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
func.func @rall(%a: tensor<5x4xi1>) -> tensor<5x1xi1> {
  %0 = tosa.reduce_all %a {axis = 1 : i32} : (tensor<5x4xi1>) -> tensor<5x1xi1>
  return %0 : tensor<5x1xi1>
}
func.func @rany(%a: tensor<5x4xi1>) -> tensor<5x1xi1> {
  %0 = tosa.reduce_any %a {axis = 1 : i32} : (tensor<5x4xi1>) -> tensor<5x1xi1>
  return %0 : tensor<5x1xi1>
}
func.func @gather(%a: tensor<1x4x3xf32>, %i: tensor<1x6xi32>) -> tensor<1x6x3xf32> {
  %0 = tosa.gather %a, %i : (tensor<1x4x3xf32>, tensor<1x6xi32>) -> tensor<1x6x3xf32>
  return %0 : tensor<1x6x3xf32>
}
func.func @pad(%a: tensor<4x3xf32>) -> tensor<5x6xf32> {
  %p = "tosa.const"() {value = dense<[[1, 0], [2, 1]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %0 = tosa.pad %a, %p : (tensor<4x3xf32>, tensor<2x2xi32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @slice(%a: tensor<6xf32>) -> tensor<1xf32> {
  %0 = tosa.slice %a {start = array<i64: 2>, size = array<i64: 1>} : (tensor<6xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @argmax(%a: tensor<4x5xf32>) -> tensor<5xi32> {
  %0 = tosa.argmax %a {axis = 0 : i32} : (tensor<4x5xf32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
func.func @cast(%a: tensor<4xf32>) -> tensor<4xi32> {
  %0 = tosa.cast %a : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @castb(%a: tensor<4xi32>) -> tensor<4xi1> {
  %0 = tosa.cast %a : (tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
func.func @castf(%a: tensor<4xi32>) -> tensor<4xf32> {
  %0 = tosa.cast %a : (tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @castw(%a: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tosa.cast %a : (tensor<4xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @mul(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.mul %a, %b {shift = 0 : i8} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @muli(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.mul %a, %b {shift = 1 : i8} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @neg(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.negate %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @recip(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.reciprocal %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @sigmoid(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.sigmoid %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @reshape(%a: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %0 = tosa.reshape %a {new_shape = array<i64: 3, 4>} : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
func.func @reverse(%a: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = tosa.reverse %a {axis = 1 : i32} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
func.func @tile(%a: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = tosa.tile %a {multiples = array<i64: 2, 1>} : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @transpose(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %p = "tosa.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = tosa.transpose %a, %p : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
func.func @shifts(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.arithmetic_right_shift %a, %b {round = false} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.logical_left_shift %0, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.logical_right_shift %1, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
func.func @intdiv(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.int_div %a, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @clz(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.clz %a : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @select(%c: tensor<4xi1>, %a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.select %c, %a, %b : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @resize(%a: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %0 = tosa.resize %a {mode = "NEAREST_NEIGHBOR", scale = array<i64: 2, 1, 2, 1>, offset = array<i64: 0, 0>, border = array<i64: 0, 0>} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}
// ----- proved-each
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0) -> (0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
module {
  func.func @abs(%arg0: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x3xf32>
    %0 = tensor.empty(%dim) : tensor<?x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x3xf32>) outs(%0 : tensor<?x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.absf %in : f32
      linalg.yield %2 : f32
    } -> tensor<?x3xf32>
    return %1 : tensor<?x3xf32>
  }
  func.func @add(%arg0: tensor<?x3xf32>, %arg1: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x3xf32>
    %dim_0 = tensor.dim %arg1, %c0 : tensor<?x3xf32>
    %0 = arith.maxui %dim, %dim_0 : index
    %1 = arith.cmpi eq, %dim, %c1 : index
    %2 = scf.if %1 -> (tensor<?x3xf32>) {
      %7 = tensor.empty(%0) : tensor<?x3xf32>
      %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x3xf32>) outs(%7 : tensor<?x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x3xf32>
      scf.yield %8 : tensor<?x3xf32>
    } else {
      scf.yield %arg0 : tensor<?x3xf32>
    }
    %3 = arith.cmpi eq, %dim_0, %c1 : index
    %4 = scf.if %3 -> (tensor<?x3xf32>) {
      %7 = tensor.empty(%0) : tensor<?x3xf32>
      %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<?x3xf32>) outs(%7 : tensor<?x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?x3xf32>
      scf.yield %8 : tensor<?x3xf32>
    } else {
      scf.yield %arg1 : tensor<?x3xf32>
    }
    %5 = tensor.empty(%0) : tensor<?x3xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %4 : tensor<?x3xf32>, tensor<?x3xf32>) outs(%5 : tensor<?x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.addf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<?x3xf32>
    return %6 : tensor<?x3xf32>
  }
  func.func @addi(%arg0: tensor<4x3xi32>, %arg1: tensor<1x3xi32>) -> tensor<4x3xi32> {
    %0 = tensor.empty() : tensor<4x3xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x3xi32>, tensor<1x3xi32>) outs(%0 : tensor<4x3xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %2 = arith.addi %in, %in_0 : i32
      linalg.yield %2 : i32
    } -> tensor<4x3xi32>
    return %1 : tensor<4x3xi32>
  }
  func.func @avg(%arg0: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
    %cst = arith.constant 4.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x4x4x3xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x4x4x3xf32>) outs(%0 : tensor<1x4x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.divf %in, %cst : f32
      linalg.yield %5 : f32
    } -> tensor<1x4x4x3xf32>
    return %4 : tensor<1x4x4x3xf32>
  }
  func.func @avgpad(%arg0: tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32> {
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x8x3xf32> to tensor<1x10x10x3xf32>
    %0 = tensor.empty() : tensor<1x9x9x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x9x9x3xf32>) -> tensor<1x9x9x3xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %2 : tensor<1x10x10x3xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x9x9x3xf32>) -> tensor<1x9x9x3xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x9x9x3xf32>) outs(%0 : tensor<1x9x9x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = linalg.index 1 : index
      %6 = arith.subi %5, %c1 : index
      %7 = arith.minsi %6, %c0 : index
      %8 = arith.addi %7, %c2 : index
      %9 = arith.subi %c7, %5 : index
      %10 = arith.minsi %9, %c0 : index
      %11 = arith.addi %8, %10 : index
      %12 = arith.maxsi %11, %c1 : index
      %13 = linalg.index 2 : index
      %14 = arith.subi %13, %c1 : index
      %15 = arith.minsi %14, %c0 : index
      %16 = arith.addi %15, %c2 : index
      %17 = arith.subi %c7, %13 : index
      %18 = arith.minsi %17, %c0 : index
      %19 = arith.addi %16, %18 : index
      %20 = arith.maxsi %19, %c1 : index
      %21 = arith.muli %12, %20 : index
      %22 = arith.index_cast %21 : index to i32
      %23 = arith.sitofp %22 : i32 to f32
      %24 = arith.divf %in, %23 : f32
      linalg.yield %24 : f32
    } -> tensor<1x9x9x3xf32>
    return %4 : tensor<1x9x9x3xf32>
  }
  func.func @maxp(%arg0: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
    %cst = arith.constant -3.40282347E+38 : f32
    %0 = tensor.empty() : tensor<1x4x4x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    return %3 : tensor<1x4x4x3xf32>
  }
  func.func @maxpi(%arg0: tensor<1x8x8x3xi32>) -> tensor<1x4x4x3xi32> {
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    %0 = tensor.empty() : tensor<1x4x4x3xi32>
    %1 = linalg.fill ins(%c-2147483648_i32 : i32) outs(%0 : tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xi32>
    %2 = tensor.empty() : tensor<2x2xi32>
    %3 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<1x8x8x3xi32>, tensor<2x2xi32>) outs(%1 : tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xi32>
    return %3 : tensor<1x4x4x3xi32>
  }
  func.func @maxpad(%arg0: tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32> {
    %cst = arith.constant -3.40282347E+38 : f32
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x8x3xf32> to tensor<1x10x10x3xf32>
    %0 = tensor.empty() : tensor<1x9x9x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x9x9x3xf32>) -> tensor<1x9x9x3xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %2 : tensor<1x10x10x3xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x9x9x3xf32>) -> tensor<1x9x9x3xf32>
    return %3 : tensor<1x9x9x3xf32>
  }
  func.func @clamp(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %cst = arith.constant 6.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<5xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<5xf32>) outs(%0 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.minimumf %in, %cst : f32
      %3 = arith.maximumf %2, %cst_0 : f32
      linalg.yield %3 : f32
    } -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func @clampi(%arg0: tensor<5xi32>) -> tensor<5xi32> {
    %c6_i32 = arith.constant 6 : i32
    %c-1_i32 = arith.constant -1 : i32
    %0 = tensor.empty() : tensor<5xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<5xi32>) outs(%0 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      %2 = arith.maxsi %in, %c-1_i32 : i32
      %3 = arith.minsi %2, %c6_i32 : i32
      linalg.yield %3 : i32
    } -> tensor<5xi32>
    return %1 : tensor<5xi32>
  }
  func.func @concat(%arg0: tensor<?x3xf32>, %arg1: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x3xf32>
    %dim_0 = tensor.dim %arg1, %c0 : tensor<?x3xf32>
    %0 = arith.addi %dim, %dim_0 : index
    %1 = tensor.empty(%0) : tensor<?x3xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %1[0, 0] [%dim, 3] [1, 1] : tensor<?x3xf32> into tensor<?x3xf32>
    %inserted_slice_1 = tensor.insert_slice %arg1 into %inserted_slice[%dim, 0] [%dim_0, 3] [1, 1] : tensor<?x3xf32> into tensor<?x3xf32>
    return %inserted_slice_1 : tensor<?x3xf32>
  }
  func.func @conv(%arg0: tensor<1x5x5x2xf32>, %arg1: tensor<4x3x3x2xf32>, %arg2: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
    %0 = tensor.empty() : tensor<1x3x3x4xf32>
    %1 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<4xf32>) outs(%0 : tensor<1x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x3x4xf32>
    %2 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>) outs(%1 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
    return %2 : tensor<1x3x3x4xf32>
  }
  func.func @convpad(%arg0: tensor<1x5x5x2xf32>, %arg1: tensor<4x3x3x2xf32>, %arg2: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x5x5x2xf32> to tensor<1x7x7x2xf32>
    %0 = tensor.empty() : tensor<1x3x3x4xf32>
    %1 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<4xf32>) outs(%0 : tensor<1x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x3x4xf32>
    %2 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x7x7x2xf32>, tensor<4x3x3x2xf32>) outs(%1 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
    return %2 : tensor<1x3x3x4xf32>
  }
  func.func @dw(%arg0: tensor<1x7x5x3xf32>, %arg1: tensor<3x1x3x11xf32>, %arg2: tensor<33xf32>) -> tensor<1x5x5x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x5x5x3x11xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32>
    %2 = tensor.empty() : tensor<1x5x5x33xf32>
    %3 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>) outs(%1 : tensor<1x5x5x3x11xf32>) -> tensor<1x5x5x3x11xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1], [2], [3, 4]] : tensor<1x5x5x3x11xf32> into tensor<1x5x5x33xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2, %collapsed : tensor<33xf32>, tensor<1x5x5x33xf32>) outs(%2 : tensor<1x5x5x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.addf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<1x5x5x33xf32>
    return %4 : tensor<1x5x5x33xf32>
  }
  func.func @fc(%arg0: tensor<5x3xf32>, %arg1: tensor<6x3xf32>, %arg2: tensor<6xf32>) -> tensor<5x6xf32> {
    %0 = tensor.empty() : tensor<3x6xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<6x3xf32>) outs(%0 : tensor<3x6xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<5x6xf32>
    %2 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<6xf32>) outs(%1 : tensor<5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x6xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<5x3xf32>, tensor<3x6xf32>) outs(%2 : tensor<5x6xf32>) -> tensor<5x6xf32>
    return %3 : tensor<5x6xf32>
  }
  func.func @mm(%arg0: tensor<1x5x3xf32>, %arg1: tensor<1x3x6xf32>) -> tensor<1x5x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x5x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
    %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<1x5x3xf32>, tensor<1x3x6xf32>) outs(%1 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
    return %2 : tensor<1x5x6xf32>
  }
  func.func @rsum(%arg0: tensor<?x4xf32>) -> tensor<?x1xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    %0 = tensor.empty(%dim) : tensor<?xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %reduced = linalg.reduce ins(%arg0 : tensor<?x4xf32>) outs(%1 : tensor<?xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %2 = arith.addf %in, %init : f32
        linalg.yield %2 : f32
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [%dim, 1] : tensor<?xf32> into tensor<?x1xf32>
    return %expanded : tensor<?x1xf32>
  }
  func.func @rmax(%arg0: tensor<5x4xf32>) -> tensor<5x1xf32> {
    %cst = arith.constant -3.40282347E+38 : f32
    %0 = tensor.empty() : tensor<5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    %reduced = linalg.reduce ins(%arg0 : tensor<5x4xf32>) outs(%1 : tensor<5xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %2 = arith.maximumf %in, %init : f32
        linalg.yield %2 : f32
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32>
    return %expanded : tensor<5x1xf32>
  }
  func.func @rmin(%arg0: tensor<5x4xi32>) -> tensor<5x1xi32> {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %0 = tensor.empty() : tensor<5xi32>
    %1 = linalg.fill ins(%c2147483647_i32 : i32) outs(%0 : tensor<5xi32>) -> tensor<5xi32>
    %reduced = linalg.reduce ins(%arg0 : tensor<5x4xi32>) outs(%1 : tensor<5xi32>) dimensions = [1] 
      (%in: i32, %init: i32) {
        %2 = arith.minsi %in, %init : i32
        linalg.yield %2 : i32
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
    return %expanded : tensor<5x1xi32>
  }
  func.func @rprod(%arg0: tensor<5x4xf32>) -> tensor<1x4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %reduced = linalg.reduce ins(%arg0 : tensor<5x4xf32>) outs(%1 : tensor<4xf32>) dimensions = [0] 
      (%in: f32, %init: f32) {
        %2 = arith.mulf %in, %init : f32
        linalg.yield %2 : f32
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    return %expanded : tensor<1x4xf32>
  }
  func.func @rall(%arg0: tensor<5x4xi1>) -> tensor<5x1xi1> {
    %true = arith.constant true
    %0 = tensor.empty() : tensor<5xi1>
    %1 = linalg.fill ins(%true : i1) outs(%0 : tensor<5xi1>) -> tensor<5xi1>
    %reduced = linalg.reduce ins(%arg0 : tensor<5x4xi1>) outs(%1 : tensor<5xi1>) dimensions = [1] 
      (%in: i1, %init: i1) {
        %2 = arith.andi %in, %init : i1
        linalg.yield %2 : i1
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [5, 1] : tensor<5xi1> into tensor<5x1xi1>
    return %expanded : tensor<5x1xi1>
  }
  func.func @rany(%arg0: tensor<5x4xi1>) -> tensor<5x1xi1> {
    %false = arith.constant false
    %0 = tensor.empty() : tensor<5xi1>
    %1 = linalg.fill ins(%false : i1) outs(%0 : tensor<5xi1>) -> tensor<5xi1>
    %reduced = linalg.reduce ins(%arg0 : tensor<5x4xi1>) outs(%1 : tensor<5xi1>) dimensions = [1] 
      (%in: i1, %init: i1) {
        %2 = arith.ori %in, %init : i1
        linalg.yield %2 : i1
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [5, 1] : tensor<5xi1> into tensor<5x1xi1>
    return %expanded : tensor<5x1xi1>
  }
  func.func @gather(%arg0: tensor<1x4x3xf32>, %arg1: tensor<1x6xi32>) -> tensor<1x6x3xf32> {
    %0 = tensor.empty() : tensor<1x6x3xf32>
    %1 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x6xi32>) outs(%0 : tensor<1x6x3xf32>) {
    ^bb0(%in: i32, %out: f32):
      %2 = linalg.index 0 : index
      %3 = arith.index_cast %in : i32 to index
      %4 = linalg.index 2 : index
      %extracted = tensor.extract %arg0[%2, %3, %4] : tensor<1x4x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x6x3xf32>
    return %1 : tensor<1x6x3xf32>
  }
  func.func @pad(%arg0: tensor<4x3xf32>) -> tensor<5x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %padded = tensor.pad %arg0 low[%c1, %c2] high[%c0, %c1] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %cst : f32
    } : tensor<4x3xf32> to tensor<5x6xf32>
    return %padded : tensor<5x6xf32>
  }
  func.func @slice(%arg0: tensor<6xf32>) -> tensor<1xf32> {
    %extracted_slice = tensor.extract_slice %arg0[2] [1] [1] : tensor<6xf32> to tensor<1xf32>
    return %extracted_slice : tensor<1xf32>
  }
  func.func @argmax(%arg0: tensor<4x5xf32>) -> tensor<5xi32> {
    %cst = arith.constant -3.40282347E+38 : f32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<5xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<5xi32>) -> tensor<5xi32>
    %2 = tensor.empty() : tensor<5xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5xf32>) -> tensor<5xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<4x5xf32>) outs(%1, %3 : tensor<5xi32>, tensor<5xf32>) {
    ^bb0(%in: f32, %out: i32, %out_0: f32):
      %5 = linalg.index 0 : index
      %6 = arith.index_cast %5 : index to i32
      %7 = arith.cmpf ogt, %in, %out_0 : f32
      %8 = arith.select %7, %in, %out_0 : f32
      %9 = arith.select %7, %6, %out : i32
      linalg.yield %9, %8 : i32, f32
    } -> (tensor<5xi32>, tensor<5xf32>)
    return %4#0 : tensor<5xi32>
  }
  func.func @cast(%arg0: tensor<4xf32>) -> tensor<4xi32> {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst = arith.constant 2.14748365E+9 : f32
    %cst_0 = arith.constant -2.14748365E+9 : f32
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: f32, %out: i32):
      %2 = math.roundeven %in : f32
      %3 = arith.maximumf %2, %cst_0 : f32
      %4 = arith.fptosi %3 : f32 to i32
      %5 = arith.cmpf uge, %2, %cst : f32
      %6 = arith.select %5, %c2147483647_i32, %4 : i32
      linalg.yield %6 : i32
    } -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @castb(%arg0: tensor<4xi32>) -> tensor<4xi1> {
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<4xi1>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi1>) {
    ^bb0(%in: i32, %out: i1):
      %2 = arith.cmpi ne, %in, %c0_i32 : i32
      linalg.yield %2 : i1
    } -> tensor<4xi1>
    return %1 : tensor<4xi1>
  }
  func.func @castf(%arg0: tensor<4xi32>) -> tensor<4xf32> {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: i32, %out: f32):
      %2 = arith.sitofp %in : i32 to f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @castw(%arg0: tensor<4xi8>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi8>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i8, %out: i32):
      %2 = arith.extsi %in : i8 to i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @mul(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %dim_0 = tensor.dim %arg1, %c0 : tensor<?xf32>
    %0 = arith.maxui %dim, %dim_0 : index
    %1 = arith.cmpi eq, %dim, %c1 : index
    %2 = scf.if %1 -> (tensor<?xf32>) {
      %7 = tensor.empty(%0) : tensor<?xf32>
      %8 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%7 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %8 : tensor<?xf32>
    } else {
      scf.yield %arg0 : tensor<?xf32>
    }
    %3 = arith.cmpi eq, %dim_0, %c1 : index
    %4 = scf.if %3 -> (tensor<?xf32>) {
      %7 = tensor.empty(%0) : tensor<?xf32>
      %8 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xf32>) outs(%7 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %8 : tensor<?xf32>
    } else {
      scf.yield %arg1 : tensor<?xf32>
    }
    %5 = tensor.empty(%0) : tensor<?xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%2, %4 : tensor<?xf32>, tensor<?xf32>) outs(%5 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.mulf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<?xf32>
    return %6 : tensor<?xf32>
  }
  func.func @muli(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
    %c1_i8 = arith.constant 1 : i8
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %2 = tosa.apply_scale %in, %in_0, %c1_i8 {double_round = false} : (i32, i32, i8) -> i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @neg(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.negf %in : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @recip(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.divf %cst, %in : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @sigmoid(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.negf %in : f32
      %3 = math.exp %2 : f32
      %4 = arith.addf %3, %cst : f32
      %5 = arith.divf %cst, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @reshape(%arg0: tensor<2x6xf32>) -> tensor<3x4xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
    return %expanded : tensor<3x4xf32>
  }
  func.func @reverse(%arg0: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %c5 = arith.constant 5 : index
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<2x6xf32>) {
    ^bb0(%out: f32):
      %2 = linalg.index 0 : index
      %3 = linalg.index 1 : index
      %4 = arith.subi %c5, %3 : index
      %extracted = tensor.extract %arg0[%2, %4] : tensor<2x6xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x6xf32>
    return %1 : tensor<2x6xf32>
  }
  func.func @tile(%arg0: tensor<2x3xf32>) -> tensor<4x3xf32> {
    %0 = tensor.empty() : tensor<2x2x1x3xf32>
    %1 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3xf32>) outs(%0 : tensor<2x2x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x1x3xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1, 2], [3]] : tensor<2x2x1x3xf32> into tensor<4x3xf32>
    return %collapsed : tensor<4x3xf32>
  }
  func.func @transpose(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = tensor.empty() : tensor<3x2xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x3xf32>) outs(%0 : tensor<3x2xf32>) permutation = [1, 0] 
    return %transposed : tensor<3x2xf32>
  }
  func.func @shifts(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %4 = arith.shrsi %in, %in_0 : i32
      linalg.yield %4 : i32
    } -> tensor<4xi32>
    %2 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%1, %arg1 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %4 = arith.shli %in, %in_0 : i32
      linalg.yield %4 : i32
    } -> tensor<4xi32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%2, %arg1 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %4 = arith.shrui %in, %in_0 : i32
      linalg.yield %4 : i32
    } -> tensor<4xi32>
    return %3 : tensor<4xi32>
  }
  func.func @intdiv(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %2 = arith.divsi %in, %in_0 : i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @clz(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      %2 = math.ctlz %in : i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @select(%arg0: tensor<4xi1>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel"]} ins(%arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @resize(%arg0: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<1x3x3x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%0 : tensor<1x3x3x1xf32>) {
    ^bb0(%out: f32):
      %2 = linalg.index 0 : index
      %3 = linalg.index 1 : index
      %4 = linalg.index 2 : index
      %5 = linalg.index 3 : index
      %6 = arith.index_cast %3 : index to i32
      %7 = arith.index_cast %4 : index to i32
      %8 = arith.floordivsi %6, %c2_i32 : i32
      %9 = arith.remsi %6, %c2_i32 : i32
      %10 = arith.sitofp %9 : i32 to f32
      %11 = arith.divf %10, %cst : f32
      %12 = arith.floordivsi %7, %c2_i32 : i32
      %13 = arith.remsi %7, %c2_i32 : i32
      %14 = arith.sitofp %13 : i32 to f32
      %15 = arith.divf %14, %cst : f32
      %16 = arith.cmpf oge, %11, %cst_0 : f32
      %17 = arith.extui %16 : i1 to i32
      %18 = arith.addi %8, %17 : i32
      %19 = arith.maxsi %18, %c0_i32 : i32
      %20 = arith.minsi %19, %c1_i32 : i32
      %21 = arith.index_cast %20 : i32 to index
      %22 = arith.cmpf oge, %15, %cst_0 : f32
      %23 = arith.extui %22 : i1 to i32
      %24 = arith.addi %12, %23 : i32
      %25 = arith.maxsi %24, %c0_i32 : i32
      %26 = arith.minsi %25, %c1_i32 : i32
      %27 = arith.index_cast %26 : i32 to index
      %extracted = tensor.extract %arg0[%2, %21, %27, %5] : tensor<1x2x2x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x3x1xf32>
    return %1 : tensor<1x3x3x1xf32>
  }
}

// ----- refuted-each
func.func @abs(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.negate %a : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @add(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.sub %a, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @addi(%a: tensor<4x3xi32>, %b: tensor<1x3xi32>) -> tensor<4x3xi32> {
  %0 = tosa.sub %a, %b : (tensor<4x3xi32>, tensor<1x3xi32>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

func.func @avg(%a: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = tosa.avg_pool2d %a {acc_type = f32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

func.func @maxp(%a: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

func.func @maxpad(%a: tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32> {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 2, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x9x9x3xf32>
  return %0 : tensor<1x9x9x3xf32>
}

func.func @clamp(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tosa.clamp %a {min_int = -1 : i64, max_int = 6 : i64, min_fp = 0.0 : f32, max_fp = 5.0 : f32} : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @clampi(%a: tensor<5xi32>) -> tensor<5xi32> {
  %0 = tosa.clamp %a {min_int = 0 : i64, max_int = 6 : i64, min_fp = 0.0 : f32, max_fp = 6.0 : f32} : (tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.concat %b, %a {axis = 0 : i32} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @conv(%a: tensor<1x5x5x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %v = tosa.reverse %w {axis = 1 : i32} : (tensor<4x3x3x2xf32>) -> tensor<4x3x3x2xf32> %0 = tosa.conv2d %a, %v, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}

func.func @convpad(%a: tensor<1x5x5x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %0 = tosa.conv2d %a, %w, %b {dilation = array<i64: 1, 1>, pad = array<i64: 0, 2, 1, 1>, stride = array<i64: 2, 2>, acc_type = f32} : (tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}

func.func @dw(%a: tensor<1x7x5x3xf32>, %w: tensor<3x1x3x11xf32>, %b: tensor<33xf32>) -> tensor<1x5x5x33xf32> {
  %c = tosa.negate %b : (tensor<33xf32>) -> tensor<33xf32> %0 = tosa.depthwise_conv2d %a, %w, %c {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>, tensor<33xf32>) -> tensor<1x5x5x33xf32>
  return %0 : tensor<1x5x5x33xf32>
}

func.func @fc(%a: tensor<5x3xf32>, %w: tensor<6x3xf32>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %c = tosa.negate %b : (tensor<6xf32>) -> tensor<6xf32> %0 = tosa.fully_connected %a, %w, %c : (tensor<5x3xf32>, tensor<6x3xf32>, tensor<6xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @mm(%a: tensor<1x5x3xf32>, %b: tensor<1x3x6xf32>) -> tensor<1x5x6xf32> {
  %c = tosa.negate %b : (tensor<1x3x6xf32>) -> tensor<1x3x6xf32> %0 = tosa.matmul %a, %c : (tensor<1x5x3xf32>, tensor<1x3x6xf32>) -> tensor<1x5x6xf32>
  return %0 : tensor<1x5x6xf32>
}

func.func @rsum(%a: tensor<?x4xf32>) -> tensor<?x1xf32> {
  %0 = tosa.reduce_prod %a {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

func.func @rmax(%a: tensor<5x4xf32>) -> tensor<5x1xf32> {
  %0 = tosa.reduce_min %a {axis = 1 : i32} : (tensor<5x4xf32>) -> tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}

func.func @rmin(%a: tensor<5x4xi32>) -> tensor<5x1xi32> {
  %0 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<5x4xi32>) -> tensor<5x1xi32>
  return %0 : tensor<5x1xi32>
}

func.func @rprod(%a: tensor<5x4xf32>) -> tensor<1x4xf32> {
  %0 = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<5x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

func.func @rall(%a: tensor<5x4xi1>) -> tensor<5x1xi1> {
  %0 = tosa.reduce_any %a {axis = 1 : i32} : (tensor<5x4xi1>) -> tensor<5x1xi1>
  return %0 : tensor<5x1xi1>
}

func.func @rany(%a: tensor<5x4xi1>) -> tensor<5x1xi1> {
  %0 = tosa.reduce_all %a {axis = 1 : i32} : (tensor<5x4xi1>) -> tensor<5x1xi1>
  return %0 : tensor<5x1xi1>
}

func.func @pad(%a: tensor<4x3xf32>) -> tensor<5x6xf32> {
  %p = "tosa.const"() {value = dense<[[0, 1], [2, 1]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %0 = tosa.pad %a, %p : (tensor<4x3xf32>, tensor<2x2xi32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @slice(%a: tensor<6xf32>) -> tensor<1xf32> {
  %0 = tosa.slice %a {start = array<i64: 3>, size = array<i64: 1>} : (tensor<6xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

func.func @castf(%a: tensor<4xi32>) -> tensor<4xf32> {
  %n = tosa.abs %a : (tensor<4xi32>) -> tensor<4xi32> %0 = tosa.cast %n : (tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @neg(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @recip(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.rsqrt %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @sigmoid(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @reverse(%a: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

func.func @select(%c: tensor<4xi1>, %a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.select %c, %b, %a : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func @intdiv(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.int_div %b, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func @mul(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.mul %a, %a {shift = 0 : i8} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @clz(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.bitwise_not %a : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

