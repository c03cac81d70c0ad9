// Functions on tensors, as front ends hand them to MLIR's pipelines.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row3 = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @matmul_bias_relu(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %q = arith.maximumf %s, %zero : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %mi = linalg.fill ins(%low : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%mi : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %q = arith.maxnumf %a, %acc : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %num = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %q = math.exp %d : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  %si = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%num : tensor<?x?xf32>) outs(%si : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %q = arith.addf %a, %acc : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%num, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @layer_norm(%x: tensor<?x64xf32>, %gamma: tensor<64xf32>, %beta: tensor<64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %n = arith.constant 64.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %fi = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf32>) outs(%fi : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %q = arith.addf %a, %acc : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x64xf32>, tensor<?xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %mean = arith.divf %s, %n : f32
    %q = arith.subf %a, %mean : f32
    linalg.yield %q : f32
  } -> tensor<?x64xf32>
  %sq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<?x64xf32>) outs(%fi : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %b = arith.mulf %a, %a : f32
    %q = arith.addf %b, %acc : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %sq, %gamma, %beta : tensor<?x64xf32>, tensor<?xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %s: f32, %g: f32, %b: f32, %o: f32):
    %var = arith.divf %s, %n : f32
    %v = arith.addf %var, %eps : f32
    %rs = math.rsqrt %v : f32
    %h = arith.mulf %a, %rs : f32
    %hg = arith.mulf %h, %g : f32
    %q = arith.addf %hg, %b : f32
    linalg.yield %q : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

func.func @rms_norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %eps: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %re = tensor.empty(%m) : tensor<?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %fi = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %sq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%fi : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %b = math.powf %a, %two : f32
    %q = arith.addf %acc, %b : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sq, %w : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %g: f32, %o: f32):
    %ms = arith.divf %s, %nf : f32
    %v = arith.addf %ms, %eps : f32
    %rs = math.rsqrt %v : f32
    %h = arith.mulf %a, %rs : f32
    %q = arith.mulf %h, %g : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @attention(%q: tensor<?x?x32xf32>, %k: tensor<?x?x32xf32>, %v: tensor<?x?x32xf32>) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17677669529663687 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x32xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x32xf32>
  %n = tensor.dim %k, %c1 : tensor<?x?x32xf32>
  %se = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.batch_matmul_transpose_b ins(%q, %k : tensor<?x?x32xf32>, tensor<?x?x32xf32>)
      outs(%sf : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %re = tensor.empty(%b, %m) : tensor<?x?xf32>
  %sc = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%se : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %mi = linalg.fill ins(%low : f32) outs(%re : tensor<?x?xf32>) -> tensor<?x?xf32>
  %max = linalg.generic {indexing_maps = [#id3, #row3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%sc : tensor<?x?x?xf32>) outs(%mi : tensor<?x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.maximumf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %num = linalg.generic {indexing_maps = [#id3, #row3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sc, %max : tensor<?x?x?xf32>, tensor<?x?xf32>) outs(%se : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %x: f32, %o: f32):
    %d = arith.subf %a, %x : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %si = linalg.fill ins(%zero : f32) outs(%re : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#id3, #row3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%num : tensor<?x?x?xf32>) outs(%si : tensor<?x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id3, #row3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%num, %sum : tensor<?x?x?xf32>, tensor<?x?xf32>) outs(%se : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %x: f32, %o: f32):
    %r = arith.divf %a, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %oe = tensor.empty(%b, %m) : tensor<?x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %out = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x32xf32>)
      outs(%of : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %out : tensor<?x?x32xf32>
}

func.func @conv_2d_nhwc(%x: tensor<1x?x?x3xf32>, %w: tensor<3x3x3x8xf32>, %init: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x?x?x3xf32>, tensor<3x3x3x8xf32>) outs(%init : tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  return %r : tensor<1x?x?x8xf32>
}

func.func @conv_1d_strided(%x: tensor<11xf32>, %w: tensor<3xf32>) -> tensor<5xf32> {
  %zero = arith.constant dense<0.0> : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d1)>, #row],
      iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<11xf32>, tensor<3xf32>) outs(%zero : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @max_pool(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

func.func @transpose_add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %r = linalg.add ins(%t, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @gelu_tanh(%x: tensor<?xf32>) -> tensor<?xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %c = arith.constant 0.044715 : f32
  %s = arith.constant 0.7978845608 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %a2 = arith.mulf %a, %a : f32
    %a3 = arith.mulf %a2, %a : f32
    %t = arith.mulf %a3, %c : f32
    %u = arith.addf %a, %t : f32
    %v = arith.mulf %u, %s : f32
    %h = math.tanh %v : f32
    %w = arith.addf %h, %one : f32
    %y = arith.mulf %w, %a : f32
    %z = arith.mulf %y, %half : f32
    linalg.yield %z : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @batch_norm(%x: tensor<2x?x4xf32>, %mean: tensor<?xf32>, %var: tensor<?xf32>, %g: tensor<?xf32>) -> tensor<2x?x4xf32> {
  %eps = arith.constant 1.0e-3 : f32
  %r = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>,
      affine_map<(d0, d1, d2) -> (d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean, %var, %g : tensor<2x?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<2x?x4xf32>) {
  ^bb0(%a: f32, %m: f32, %v: f32, %w: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %av = math.absf %v : f32
    %ve = arith.addf %av, %eps : f32
    %s = math.sqrt %ve : f32
    %q = arith.divf %d, %s : f32
    %y = arith.mulf %q, %w : f32
    linalg.yield %y : f32
  } -> tensor<2x?x4xf32>
  return %r : tensor<2x?x4xf32>
}

func.func @min_and_max(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %a = linalg.fill ins(%high : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%a, %b : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%v: f32, %lo: f32, %hi: f32):
    %p = arith.minimumf %v, %lo : f32
    %q = arith.maximumf %v, %hi : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

func.func @embedding(%table: tensor<?x?xf32>, %ids: tensor<?xindex>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %ids, %c0 : tensor<?xindex>
  %n = tensor.dim %table, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xindex>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%i: index, %o: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @causal_mask(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %v = arith.select %c, %a, %zero : f32
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @integer_dot(%a: tensor<?xi8>, %b: tensor<?xi8>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]} ins(%a, %b : tensor<?xi8>, tensor<?xi8>) outs(%zero : tensor<i32>) {
  ^bb0(%x: i8, %y: i8, %acc: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

func.func @pad_and_slice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

func.func @split_heads(%x: tensor<?x12xf32>) -> tensor<3x?x4xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x12xf32>
  %r = tensor.expand_shape %x [[0], [1, 2]] output_shape [%m, 3, 4] : tensor<?x12xf32> into tensor<?x3x4xf32>
  %e = tensor.empty(%m) : tensor<3x?x4xf32>
  %t = linalg.transpose ins(%r : tensor<?x3x4xf32>) outs(%e : tensor<3x?x4xf32>) permutation = [1, 0, 2]
  return %t : tensor<3x?x4xf32>
}

func.func @mean_square_error(%a: tensor<?xf32>, %b: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %d = arith.subf %x, %y : f32
    %p = arith.mulf %d, %d : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %s = tensor.extract %r[] : tensor<f32>
  %q = arith.divf %s, %nf : f32
  return %q : f32
}
