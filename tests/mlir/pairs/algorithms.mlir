func.func @conv1x1(%a: tensor<1x16x16x4xf32>, %b: tensor<1x1x4x8xf32>, %c: tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x16x16x4xf32>, tensor<1x1x4x8xf32>) outs(%c : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  return %0 : tensor<1x16x16x8xf32>
}
func.func @nchw(%a: tensor<1x4x16x16xf32>, %b: tensor<8x4x3x3xf32>, %c: tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x4x16x16xf32>, tensor<8x4x3x3xf32>) outs(%c : tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32>
  return %0 : tensor<1x8x14x14xf32>
}
func.func @im2col(%a: tensor<1x16x16x4xf32>, %b: tensor<3x3x4x16xf32>, %c: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%c : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %0 : tensor<1x14x14x16xf32>
}
func.func @sumconcat(%a: tensor<30xf32>, %b: tensor<20xf32>) -> tensor<1xf32> {
  %0 = "tosa.concat"(%a, %b) {axis = 0 : i32} : (tensor<30xf32>, tensor<20xf32>) -> tensor<50xf32>
  %1 = "tosa.reduce_sum"(%0) {axis = 0 : i32} : (tensor<50xf32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
func.func @dotones(%a: tensor<10xf32>, %c: tensor<f32>) -> tensor<f32> {
  %o = arith.constant dense<1.0> : tensor<10xf32>
  %0 = linalg.dot ins(%a, %o : tensor<10xf32>, tensor<10xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @twosl(%a: tensor<?xf32>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %0 = tensor.insert_slice %x into %a[0][2][1] : tensor<2xf32> into tensor<?xf32>
  %1 = tensor.insert_slice %y into %0[4][3][1] : tensor<3xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @ub(%a: tensor<3xf32>) -> f32 {
  %c = arith.constant 5 : index
  %0 = tensor.extract %a[%c] : tensor<3xf32>
  return %0 : f32
}
func.func @fc(%a: tensor<5x3xf32>, %w: tensor<6x3xf32>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %0 = "tosa.fully_connected"(%a, %w, %b) : (tensor<5x3xf32>, tensor<6x3xf32>, tensor<6xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @summat(%a: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(j,i)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%a : tensor<?x?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %s, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @isum(%a: tensor<4xi32>) -> i32 {
  %z = arith.constant dense<0> : tensor<i32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%a : tensor<4xi32>) outs(%z : tensor<i32>) {
  ^bb0(%x: i32, %s: i32):
    %r = arith.addi %s, %x : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %1 = tensor.extract %0[] : tensor<i32>
  return %1 : i32
}
func.func @isplit(%a: tensor<100xi32>, %b: tensor<100xi32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = linalg.dot ins(%a, %b : tensor<100xi32>, tensor<100xi32>) outs(%z : tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @tiled(%a: tensor<64xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%a : tensor<64xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %s, %x : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @sumneg(%a: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}
// ----- proved-each --reassociate --negative-zero
func.func @conv1x1(%a: tensor<1x16x16x4xf32>, %b: tensor<1x1x4x8xf32>, %c: tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32> {
  %0 = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<1x16x16x4xf32> into tensor<256x4xf32>
  %1 = tensor.collapse_shape %b [[0, 1, 2], [3]] : tensor<1x1x4x8xf32> into tensor<4x8xf32>
  %2 = tensor.collapse_shape %c [[0, 1, 2], [3]] : tensor<1x16x16x8xf32> into tensor<256x8xf32>
  %3 = linalg.matmul ins(%0, %1 : tensor<256x4xf32>, tensor<4x8xf32>) outs(%2 : tensor<256x8xf32>) -> tensor<256x8xf32>
  %4 = tensor.expand_shape %3 [[0, 1, 2], [3]] output_shape [1, 16, 16, 8] : tensor<256x8xf32> into tensor<1x16x16x8xf32>
  return %4 : tensor<1x16x16x8xf32>
}
func.func @nchw(%a: tensor<1x4x16x16xf32>, %b: tensor<8x4x3x3xf32>, %c: tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32> {
  %ea = tensor.empty() : tensor<1x16x16x4xf32>
  %eb = tensor.empty() : tensor<3x3x4x8xf32>
  %ec = tensor.empty() : tensor<1x14x14x8xf32>
  %ta = linalg.transpose ins(%a : tensor<1x4x16x16xf32>) outs(%ea : tensor<1x16x16x4xf32>) permutation = [0, 2, 3, 1]
  %tb = linalg.transpose ins(%b : tensor<8x4x3x3xf32>) outs(%eb : tensor<3x3x4x8xf32>) permutation = [2, 3, 1, 0]
  %tc = linalg.transpose ins(%c : tensor<1x8x14x14xf32>) outs(%ec : tensor<1x14x14x8xf32>) permutation = [0, 2, 3, 1]
  %0 = linalg.conv_2d_nhwc_hwcf ins(%ta, %tb : tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%tc : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  %eo = tensor.empty() : tensor<1x8x14x14xf32>
  %o = linalg.transpose ins(%0 : tensor<1x14x14x8xf32>) outs(%eo : tensor<1x8x14x14xf32>) permutation = [0, 3, 1, 2]
  return %o : tensor<1x8x14x14xf32>
}
func.func @im2col(%a: tensor<1x16x16x4xf32>, %b: tensor<3x3x4x16xf32>, %c: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %b2 = tensor.collapse_shape %b [[0, 1, 2], [3]] : tensor<3x3x4x16xf32> into tensor<36x16xf32>
  %c2 = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<1x14x14x16xf32> into tensor<1x196x16xf32>
  %e = tensor.empty() : tensor<1x196x36xf32>
  %col = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x196x36xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %m = linalg.index 1 : index
    %k = linalg.index 2 : index
    %h = affine.apply affine_map<(d0, d1) -> (d0 floordiv 14 + d1 floordiv 12)>(%m, %k)
    %w = affine.apply affine_map<(d0, d1) -> (d0 mod 14 + (d1 mod 12) floordiv 4)>(%m, %k)
    %ch = affine.apply affine_map<(d0) -> (d0 mod 4)>(%k)
    %x = tensor.extract %a[%n, %h, %w, %ch] : tensor<1x16x16x4xf32>
    linalg.yield %x : f32
  } -> tensor<1x196x36xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%col, %b2 : tensor<1x196x36xf32>, tensor<36x16xf32>) outs(%c2 : tensor<1x196x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x196x16xf32>
  %o = tensor.expand_shape %r [[0], [1, 2], [3]] output_shape [1, 14, 14, 16] : tensor<1x196x16xf32> into tensor<1x14x14x16xf32>
  return %o : tensor<1x14x14x16xf32>
}
func.func @sumconcat(%a: tensor<30xf32>, %b: tensor<20xf32>) -> tensor<1xf32> {
  %0 = "tosa.reduce_sum"(%a) {axis = 0 : i32} : (tensor<30xf32>) -> tensor<1xf32>
  %1 = "tosa.reduce_sum"(%b) {axis = 0 : i32} : (tensor<20xf32>) -> tensor<1xf32>
  %2 = "tosa.add"(%0, %1) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}
func.func @dotones(%a: tensor<10xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<10xf32>) outs(%c : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}
func.func @twosl(%a: tensor<?xf32>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %0 = tensor.insert_slice %y into %a[4][3][1] : tensor<3xf32> into tensor<?xf32>
  %1 = tensor.insert_slice %x into %0[0][2][1] : tensor<2xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @ub(%a: tensor<3xf32>) -> f32 {
  %0 = arith.constant 5.0 : f32
  return %0 : f32
}
func.func @fc(%a: tensor<5x3xf32>, %w: tensor<6x3xf32>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %p = "tosa.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %t = "tosa.transpose"(%w, %p) : (tensor<6x3xf32>, tensor<2xi32>) -> tensor<3x6xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %m = linalg.matmul ins(%a, %t : tensor<5x3xf32>, tensor<3x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%b, %m : tensor<6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @summat(%a: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}
func.func @isum(%a: tensor<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = tensor.extract %a[%c0] : tensor<4xi32>
  %y = tensor.extract %a[%c1] : tensor<4xi32>
  %z = tensor.extract %a[%c2] : tensor<4xi32>
  %w = tensor.extract %a[%c3] : tensor<4xi32>
  %0 = arith.addi %x, %w : i32
  %1 = arith.addi %z, %y : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
func.func @isplit(%a: tensor<100xi32>, %b: tensor<100xi32>, %z: tensor<i32>) -> tensor<i32> {
  %a1 = tensor.extract_slice %a[0][40][1] : tensor<100xi32> to tensor<40xi32>
  %a2 = tensor.extract_slice %a[40][60][1] : tensor<100xi32> to tensor<60xi32>
  %b1 = tensor.extract_slice %b[0][40][1] : tensor<100xi32> to tensor<40xi32>
  %b2 = tensor.extract_slice %b[40][60][1] : tensor<100xi32> to tensor<60xi32>
  %0 = linalg.dot ins(%b1, %a1 : tensor<40xi32>, tensor<40xi32>) outs(%z : tensor<i32>) -> tensor<i32>
  %1 = linalg.dot ins(%b2, %a2 : tensor<60xi32>, tensor<60xi32>) outs(%0 : tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func @tiled(%a: tensor<64xf32>, %z: tensor<f32>) -> tensor<f32> {
  %b = tensor.expand_shape %a [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %m = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%b : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0]
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}
func.func @sumneg(%a: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}
// ----- refuted-each --reassociate --negative-zero
func.func @conv1x1(%a: tensor<1x16x16x4xf32>, %b: tensor<1x1x4x8xf32>, %c: tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32> {
  %0 = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<1x16x16x4xf32> into tensor<256x4xf32>
  %1 = tensor.collapse_shape %b [[0, 1, 2], [3]] : tensor<1x1x4x8xf32> into tensor<4x8xf32>
  %2 = tensor.collapse_shape %c [[0, 1, 2], [3]] : tensor<1x16x16x8xf32> into tensor<256x8xf32>
  %q = math.absf %1 : tensor<4x8xf32> %3 = linalg.matmul ins(%0, %q : tensor<256x4xf32>, tensor<4x8xf32>) outs(%2 : tensor<256x8xf32>) -> tensor<256x8xf32>
  %4 = tensor.expand_shape %3 [[0, 1, 2], [3]] output_shape [1, 16, 16, 8] : tensor<256x8xf32> into tensor<1x16x16x8xf32>
  return %4 : tensor<1x16x16x8xf32>
}

func.func @nchw(%a: tensor<1x4x16x16xf32>, %b: tensor<8x4x3x3xf32>, %c: tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32> {
  %ea = tensor.empty() : tensor<1x16x16x4xf32>
  %eb = tensor.empty() : tensor<3x3x4x8xf32>
  %ec = tensor.empty() : tensor<1x14x14x8xf32>
  %ta = linalg.transpose ins(%a : tensor<1x4x16x16xf32>) outs(%ea : tensor<1x16x16x4xf32>) permutation = [0, 2, 3, 1]
  %tb = linalg.transpose ins(%b : tensor<8x4x3x3xf32>) outs(%eb : tensor<3x3x4x8xf32>) permutation = [3, 2, 1, 0]
  %tc = linalg.transpose ins(%c : tensor<1x8x14x14xf32>) outs(%ec : tensor<1x14x14x8xf32>) permutation = [0, 2, 3, 1]
  %0 = linalg.conv_2d_nhwc_hwcf ins(%ta, %tb : tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%tc : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  %eo = tensor.empty() : tensor<1x8x14x14xf32>
  %o = linalg.transpose ins(%0 : tensor<1x14x14x8xf32>) outs(%eo : tensor<1x8x14x14xf32>) permutation = [0, 3, 1, 2]
  return %o : tensor<1x8x14x14xf32>
}

func.func @im2col(%a: tensor<1x16x16x4xf32>, %b: tensor<3x3x4x16xf32>, %c: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %b2 = tensor.collapse_shape %b [[0, 1, 2], [3]] : tensor<3x3x4x16xf32> into tensor<36x16xf32>
  %c2 = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<1x14x14x16xf32> into tensor<1x196x16xf32>
  %e = tensor.empty() : tensor<1x196x36xf32>
  %col = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x196x36xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %m = linalg.index 1 : index
    %k = linalg.index 2 : index
    %h = affine.apply affine_map<(d0, d1) -> (d0 floordiv 14 + d1 floordiv 12)>(%m, %k)
    %w = affine.apply affine_map<(d0, d1) -> (d0 mod 14 + d1 floordiv 12)>(%m, %k)
    %ch = affine.apply affine_map<(d0) -> (d0 mod 4)>(%k)
    %x = tensor.extract %a[%n, %h, %w, %ch] : tensor<1x16x16x4xf32>
    linalg.yield %x : f32
  } -> tensor<1x196x36xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%col, %b2 : tensor<1x196x36xf32>, tensor<36x16xf32>) outs(%c2 : tensor<1x196x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x196x16xf32>
  %o = tensor.expand_shape %r [[0], [1, 2], [3]] output_shape [1, 14, 14, 16] : tensor<1x196x16xf32> into tensor<1x14x14x16xf32>
  return %o : tensor<1x14x14x16xf32>
}

func.func @sumconcat(%a: tensor<30xf32>, %b: tensor<20xf32>) -> tensor<1xf32> {
  %0 = "tosa.reduce_sum"(%a) {axis = 0 : i32} : (tensor<30xf32>) -> tensor<1xf32>
  %1 = "tosa.reduce_prod"(%b) {axis = 0 : i32} : (tensor<20xf32>) -> tensor<1xf32>
  %2 = "tosa.add"(%0, %1) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}

func.func @dotones(%a: tensor<10xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.reduce { arith.mulf } ins(%a : tensor<10xf32>) outs(%c : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

func.func @twosl(%a: tensor<?xf32>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %0 = tensor.insert_slice %y into %a[1][3][1] : tensor<3xf32> into tensor<?xf32>
  %1 = tensor.insert_slice %x into %0[0][2][1] : tensor<2xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @fc(%a: tensor<5x3xf32>, %w: tensor<6x3xf32>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %p = "tosa.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %t = "tosa.transpose"(%w, %p) : (tensor<6x3xf32>, tensor<2xi32>) -> tensor<3x6xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %m = linalg.matmul ins(%a, %t : tensor<5x3xf32>, tensor<3x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%b, %m : tensor<6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %r = arith.subf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @summat(%a: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %0 = linalg.reduce { arith.maximumf } ins(%t : tensor<?x?xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}

func.func @isum(%a: tensor<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = tensor.extract %a[%c0] : tensor<4xi32>
  %y = tensor.extract %a[%c1] : tensor<4xi32>
  %z = tensor.extract %a[%c2] : tensor<4xi32>
  %w = tensor.extract %a[%c3] : tensor<4xi32>
  %0 = arith.addi %x, %w : i32
  %1 = arith.addi %z, %z : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

func.func @isplit(%a: tensor<100xi32>, %b: tensor<100xi32>, %z: tensor<i32>) -> tensor<i32> {
  %a1 = tensor.extract_slice %a[0][40][1] : tensor<100xi32> to tensor<40xi32>
  %a2 = tensor.extract_slice %a[40][60][1] : tensor<100xi32> to tensor<60xi32>
  %b1 = tensor.extract_slice %b[0][40][1] : tensor<100xi32> to tensor<40xi32>
  %b2 = tensor.extract_slice %b[40][60][1] : tensor<100xi32> to tensor<60xi32>
  %0 = linalg.dot ins(%b1, %a1 : tensor<40xi32>, tensor<40xi32>) outs(%z : tensor<i32>) -> tensor<i32>
  %1 = linalg.dot ins(%b2, %b2 : tensor<60xi32>, tensor<60xi32>) outs(%0 : tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

func.func @tiled(%a: tensor<64xf32>, %z: tensor<f32>) -> tensor<f32> {
  %b = tensor.expand_shape %a [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %m = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.minimumf } ins(%b : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0]
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}

