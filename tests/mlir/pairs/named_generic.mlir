func.func @conv(%i: tensor<1x?x?x3xf32>, %k: tensor<3x3x3x8xf32>, %o: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%i, %k : tensor<1x?x?x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}
// ----- proved
#i = affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w * 2 + kw, c)>
#k = affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>
#o = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>
func.func @conv(%i: tensor<1x?x?x3xf32>, %k: tensor<3x3x3x8xf32>, %o: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %0 = linalg.generic {indexing_maps = [#i, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%i, %k : tensor<1x?x?x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<1x?x?x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %y, %x : f32
    %s = arith.addf %m, %z : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}
// ----- refuted
// Height and width of the filter change places.
#i = affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w * 2 + kw, c)>
#k = affine_map<(n, h, w, f, kh, kw, c) -> (kw, kh, c, f)>
#o = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>
func.func @conv(%i: tensor<1x?x?x3xf32>, %k: tensor<3x3x3x8xf32>, %o: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %0 = linalg.generic {indexing_maps = [#i, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%i, %k : tensor<1x?x?x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<1x?x?x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %y, %x : f32
    %s = arith.addf %m, %z : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}
