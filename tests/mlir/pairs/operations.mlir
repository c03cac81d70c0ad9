#even = affine_set<(d0) : (d0 mod 2 == 0)>
#ident = affine_map<(d0) -> (d0)>
func.func @affine_if(%i: index, %a: f32, %b: f32) -> f32 {
  %0 = affine.if #even(%i) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  return %0 : f32
}
func.func @affine_max(%i: index, %j: index) -> index {
  %0 = affine.max affine_map<(d0, d1) -> (d0, d1)>(%i, %j)
  return %0 : index
}
func.func @affine_parallel(%m: memref<4xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (4) {
    affine.store %x, %m[%i] : memref<4xf32>
  }
  return
}
func.func @alloc_tensor(%x: f32) -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.dealloc_tensor %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @materialize(%t: tensor<4xf32>, %m: memref<4xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @index_constants(%i: index) -> (i1, index) {
  %t = index.bool.constant true
  %c = index.constant 3
  %0 = index.cmp slt(%i, %c)
  %1 = arith.andi %t, %0 : i1
  return %1, %c : i1, index
}
func.func @index_casts(%i: i32) -> (index, index) {
  %0 = index.casts %i : i32 to index
  %1 = index.castu %i : i32 to index
  return %0, %1 : index, index
}
func.func @atomic(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return %0 : f32
}
func.func @memref_cast(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}
func.func @memref_rank(%m: memref<4x5xf32>) -> index {
  %0 = memref.rank %m : memref<4x5xf32>
  return %0 : index
}
func.func @spaces(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 1>
  %1 = memref.load %0[%i] : memref<4xf32, 1>
  return %1 : f32
}
func.func @reinterpret(%m: memref<12xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = memref.reinterpret_cast %m to offset: [1], sizes: [2, 3], strides: [4, 1] : memref<12xf32> to memref<2x3xf32, strided<[4, 1], offset: 1>>
  %1 = memref.load %0[%c1, %c2] : memref<2x3xf32, strided<[4, 1], offset: 1>>
  return %1 : f32
}
func.func @memref_reshape(%m: memref<6xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %s = memref.alloca() : memref<2xindex>
  memref.store %c2, %s[%c0] : memref<2xindex>
  memref.store %c3, %s[%c1] : memref<2xindex>
  %0 = memref.reshape %m(%s) : (memref<6xf32>, memref<2xindex>) -> memref<2x3xf32>
  %1 = memref.load %0[%c1, %c2] : memref<2x3xf32>
  return %1 : f32
}
func.func @memref_transpose(%m: memref<2x3xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  %1 = memref.load %0[%i, %j] : memref<3x2xf32, strided<[1, 3]>>
  return %1 : f32
}
func.func @metadata(%m: memref<?x4xf32>) -> (index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  return %s#0, %t#0 : index, index
}
func.func @execute_region(%a: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    %1 = arith.negf %a : f32
    scf.yield %1 : f32
  }
  return %0 : f32
}
func.func @forall(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    %1 = tensor.splat %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
func.func @index_switch(%i: index, %a: f32, %b: f32) -> f32 {
  %0 = scf.index_switch %i -> f32
  case 2 {
    scf.yield %a : f32
  }
  default {
    scf.yield %b : f32
  }
  return %0 : f32
}
func.func @parallel(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %m[%i] : memref<4xf32>
    scf.reduce
  }
  return
}
func.func @shapes(%t: tensor<?x3xf32>) -> (tensor<2xindex>, index) {
  %0 = shape.shape_of %t : tensor<?x3xf32> -> tensor<2xindex>
  %1 = shape.to_extent_tensor %0 : tensor<2xindex> -> tensor<2xindex>
  %2 = tensor.rank %t : tensor<?x3xf32>
  return %1, %2 : tensor<2xindex>, index
}
func.func @sparse(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sparse_tensor.convert %t : tensor<4xf32> to tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>
  %1 = sparse_tensor.convert %0 : tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @poison(%c: i1, %a: i32) -> i32 {
  %p = ub.poison : i32
  %0 = arith.select %c, %a, %p : i32
  return %0 : i32
}
func.func @conv3d(%a: tensor<1x3x3x3x1xf32>, %w: tensor<1x1x1x1x1xf32>, %b: tensor<1xf32>) -> tensor<1x3x3x3x1xf32> {
  %0 = tosa.conv3d %a, %w, %b {dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x3x3x3x1xf32>, tensor<1x1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x3x3x3x1xf32>
  return %0 : tensor<1x3x3x3x1xf32>
}
func.func @rescale(%a: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tosa.rescale %a {double_round = false, input_zp = 3 : i32, multiplier = array<i32: 1073741824>, output_zp = 5 : i32, per_channel = false, scale32 = true, shift = array<i8: 30>} : (tensor<4xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @scatter(%v: tensor<1x3x1xf32>, %i: tensor<1x1xi32>, %u: tensor<1x1x1xf32>) -> tensor<1x3x1xf32> {
  %0 = tosa.scatter %v, %i, %u : (tensor<1x3x1xf32>, tensor<1x1xi32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
func.func @gather(%v: tensor<1x3x1xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x1xf32> {
  %0 = tosa.gather %v, %i : (tensor<1x3x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
  return %0 : tensor<1x2x1xf32>
}
func.func @apply_scale(%v: i32) -> i32 {
  %m = arith.constant 1073741824 : i32
  %s = arith.constant 30 : i8
  %0 = tosa.apply_scale %v, %m, %s {double_round = false} : (i32, i32, i8) -> i32
  return %0 : i32
}
func.func @argmax(%a: tensor<5xf32>) -> tensor<i32> {
  %0 = tosa.argmax %a {axis = 0 : i32} : (tensor<5xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @right_shift(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.arithmetic_right_shift %a, %b {round = false} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @table(%a: tensor<4xi8>, %t: tensor<256xi8>) -> tensor<4xi8> {
  %0 = tosa.table %a, %t : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @resize(%a: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %0 = tosa.resize %a {mode = "NEAREST_NEIGHBOR", scale = array<i64: 2, 1, 2, 1>, offset = array<i64: 0, 0>, border = array<i64: 0, 0>} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}
// ----- proved-each
#odd = affine_set<(d0) : (d0 mod 2 - 1 == 0)>
func.func @affine_if(%i: index, %a: f32, %b: f32) -> f32 {
  %0 = affine.if #odd(%i) -> f32 {
    affine.yield %b : f32
  } else {
    affine.yield %a : f32
  }
  return %0 : f32
}
func.func @affine_max(%i: index, %j: index) -> index {
  %0 = arith.maxsi %i, %j : index
  return %0 : index
}
func.func @affine_parallel(%m: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}
func.func @alloc_tensor(%x: f32) -> tensor<4xf32> {
  %0 = tensor.splat %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @materialize(%t: tensor<4xf32>, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}
func.func @index_constants(%i: index) -> (i1, index) {
  %c = arith.constant 3 : index
  %0 = arith.cmpi sgt, %c, %i : index
  return %0, %c : i1, index
}
func.func @index_casts(%i: i32) -> (index, index) {
  %0 = arith.index_cast %i : i32 to index
  %1 = arith.index_castui %i : i32 to index
  return %0, %1 : index, index
}
func.func @atomic(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = memref.load %m[%i] : memref<4xf32>
  %1 = arith.addf %0, %x : f32
  memref.store %1, %m[%i] : memref<4xf32>
  return %0 : f32
}
func.func @memref_cast(%m: memref<4xf32>, %i: index) -> f32 {
  %1 = memref.load %m[%i] : memref<4xf32>
  return %1 : f32
}
func.func @memref_rank(%m: memref<4x5xf32>) -> index {
  %0 = arith.constant 2 : index
  return %0 : index
}
func.func @spaces(%m: memref<4xf32>, %i: index) -> f32 {
  %1 = memref.load %m[%i] : memref<4xf32>
  return %1 : f32
}
func.func @reinterpret(%m: memref<12xf32>) -> f32 {
  %c7 = arith.constant 7 : index
  %1 = memref.load %m[%c7] : memref<12xf32>
  return %1 : f32
}
func.func @memref_reshape(%m: memref<6xf32>) -> f32 {
  %c5 = arith.constant 5 : index
  %1 = memref.load %m[%c5] : memref<6xf32>
  return %1 : f32
}
func.func @memref_transpose(%m: memref<2x3xf32>, %i: index, %j: index) -> f32 {
  %1 = memref.load %m[%j, %i] : memref<2x3xf32>
  return %1 : f32
}
func.func @metadata(%m: memref<?x4xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = memref.dim %m, %c0 : memref<?x4xf32>
  return %0, %c4 : index, index
}
func.func @execute_region(%a: f32) -> f32 {
  %0 = arith.negf %a : f32
  return %0 : f32
}
func.func @forall(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = tensor.splat %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @index_switch(%i: index, %a: f32, %b: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %0 = arith.cmpi ne, %i, %c2 : index
  %1 = arith.select %0, %b, %a : f32
  return %1 : f32
}
func.func @parallel(%m: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}
func.func @shapes(%t: tensor<?x3xf32>) -> (tensor<2xindex>, index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %t, %c0 : tensor<?x3xf32>
  %1 = tensor.from_elements %0, %c3 : tensor<2xindex>
  return %1, %c2 : tensor<2xindex>, index
}
func.func @sparse(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
func.func @poison(%c: i1, %a: i32) -> i32 {
  return %a : i32
}
func.func @conv3d(%a: tensor<1x3x3x3x1xf32>, %w: tensor<1x1x1x1x1xf32>, %b: tensor<1xf32>) -> tensor<1x3x3x3x1xf32> {
  %z = arith.constant 0.0 : f32
  %t = tensor.splat %z : tensor<1x3x3x3x1xf32>
  %w1 = tensor.collapse_shape %w [[0, 1, 2, 3, 4]] : tensor<1x1x1x1x1xf32> into tensor<1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (0)>, affine_map<(a, b, c, d, e) -> (0)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a, %w1, %b : tensor<1x3x3x3x1xf32>, tensor<1xf32>, tensor<1xf32>) outs(%t : tensor<1x3x3x3x1xf32>) {
  ^bb0(%x: f32, %y: f32, %u: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    %r = arith.addf %u, %q : f32
    linalg.yield %r : f32
  } -> tensor<1x3x3x3x1xf32>
  return %0 : tensor<1x3x3x3x1xf32>
}
func.func @rescale(%a: tensor<4xi8>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi8>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i8, %o: i32):
    %c2 = arith.constant 2 : i32
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.addi %1, %c2 : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @scatter(%v: tensor<1x3x1xf32>, %i: tensor<1x1xi32>, %u: tensor<1x1x1xf32>) -> tensor<1x3x1xf32> {
  %r = tosa.reverse %v {axis = 1 : i32} : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  %w = tosa.reverse %r {axis = 1 : i32} : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  %0 = tosa.scatter %w, %i, %u : (tensor<1x3x1xf32>, tensor<1x1xi32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
func.func @gather(%v: tensor<1x3x1xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x1xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1x2x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%i : tensor<1x2xi32>) outs(%e : tensor<1x2x1xf32>) {
  ^bb0(%x: i32, %o: f32):
    %1 = arith.index_cast %x : i32 to index
    %2 = tensor.extract %v[%c0, %1, %c0] : tensor<1x3x1xf32>
    linalg.yield %2 : f32
  } -> tensor<1x2x1xf32>
  return %0 : tensor<1x2x1xf32>
}
func.func @apply_scale(%v: i32) -> i32 {
  return %v : i32
}
func.func @argmax(%a: tensor<5xf32>) -> tensor<i32> {
  %0 = tosa.argmax %a {axis = 0 : i32} : (tensor<5xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @right_shift(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.shrsi %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @table(%a: tensor<4xi8>, %t: tensor<256xi8>) -> tensor<4xi8> {
  %e = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi8>) outs(%e : tensor<4xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c = arith.constant 128 : index
    %1 = arith.index_cast %x : i8 to index
    %2 = arith.addi %1, %c : index
    %3 = tensor.extract %t[%2] : tensor<256xi8>
    linalg.yield %3 : i8
  } -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
// ----- refuted-each
#odd = affine_set<(d0) : (d0 mod 3 == 0)>
func.func @affine_if(%i: index, %a: f32, %b: f32) -> f32 {
  %0 = affine.if #odd(%i) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  return %0 : f32
}
func.func @affine_max(%i: index, %j: index) -> index {
  %0 = affine.max affine_map<(d0, d1) -> (d0, d1 + 1)>(%i, %j)
  return %0 : index
}
func.func @affine_parallel(%m: memref<4xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (3) {
    affine.store %x, %m[%i] : memref<4xf32>
  }
  return
}
func.func @alloc_tensor(%x: f32) -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @materialize(%t: tensor<4xf32>, %m: memref<4xf32>) {
  return
}
func.func @index_constants(%i: index) -> (i1, index) {
  %c = index.constant 3
  %0 = index.cmp sle(%i, %c)
  return %0, %c : i1, index
}
func.func @index_casts(%i: i32) -> (index, index) {
  %0 = index.casts %i : i32 to index
  return %0, %0 : index, index
}
func.func @atomic(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = memref.atomic_rmw mulf %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return %0 : f32
}
func.func @memref_cast(%m: memref<4xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %1 = memref.load %m[%c0] : memref<4xf32>
  return %1 : f32
}
func.func @memref_rank(%m: memref<4x5xf32>) -> index {
  %0 = arith.constant 4 : index
  return %0 : index
}
func.func @spaces(%m: memref<4xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %1 = memref.load %m[%c0] : memref<4xf32>
  return %1 : f32
}
func.func @reinterpret(%m: memref<12xf32>) -> f32 {
  %c6 = arith.constant 6 : index
  %1 = memref.load %m[%c6] : memref<12xf32>
  return %1 : f32
}
func.func @memref_reshape(%m: memref<6xf32>) -> f32 {
  %c4 = arith.constant 4 : index
  %1 = memref.load %m[%c4] : memref<6xf32>
  return %1 : f32
}
func.func @memref_transpose(%m: memref<2x3xf32>, %i: index, %j: index) -> f32 {
  %1 = memref.load %m[%i, %j] : memref<2x3xf32>
  return %1 : f32
}
func.func @metadata(%m: memref<?x4xf32>) -> (index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  return %s#0, %t#1 : index, index
}
func.func @execute_region(%a: f32) -> f32 {
  return %a : f32
}
func.func @forall(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (3) shared_outs(%o = %t) -> tensor<4xf32> {
    %1 = tensor.splat %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
func.func @index_switch(%i: index, %a: f32, %b: f32) -> f32 {
  %0 = scf.index_switch %i -> f32
  case 3 {
    scf.yield %a : f32
  }
  default {
    scf.yield %b : f32
  }
  return %0 : f32
}
func.func @parallel(%m: memref<4xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c1) to (%c4) step (%c1) {
    memref.store %x, %m[%i] : memref<4xf32>
    scf.reduce
  }
  return
}
func.func @shapes(%t: tensor<?x3xf32>) -> (tensor<2xindex>, index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %t, %c0 : tensor<?x3xf32>
  %1 = tensor.from_elements %c3, %0 : tensor<2xindex>
  return %1, %c2 : tensor<2xindex>, index
}
func.func @sparse(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.negf %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @poison(%c: i1, %a: i32) -> i32 {
  %p = ub.poison : i32
  return %p : i32
}
func.func @conv3d(%a: tensor<1x3x3x3x1xf32>, %w: tensor<1x1x1x1x1xf32>, %b: tensor<1xf32>) -> tensor<1x3x3x3x1xf32> {
  %n = tosa.negate %b : (tensor<1xf32>) -> tensor<1xf32>
  %0 = tosa.conv3d %a, %w, %n {dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x3x3x3x1xf32>, tensor<1x1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x3x3x3x1xf32>
  return %0 : tensor<1x3x3x3x1xf32>
}
func.func @rescale(%a: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tosa.rescale %a {double_round = false, input_zp = 3 : i32, multiplier = array<i32: 1073741824>, output_zp = 6 : i32, per_channel = false, scale32 = true, shift = array<i8: 30>} : (tensor<4xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @scatter(%v: tensor<1x3x1xf32>, %i: tensor<1x1xi32>, %u: tensor<1x1x1xf32>) -> tensor<1x3x1xf32> {
  return %v : tensor<1x3x1xf32>
}
func.func @gather(%v: tensor<1x3x1xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x1xf32> {
  %r = tosa.reverse %i {axis = 1 : i32} : (tensor<1x2xi32>) -> tensor<1x2xi32>
  %0 = tosa.gather %v, %r : (tensor<1x3x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
  return %0 : tensor<1x2x1xf32>
}
func.func @apply_scale(%v: i32) -> i32 {
  %m = arith.constant 1073741824 : i32
  %s = arith.constant 29 : i8
  %0 = tosa.apply_scale %v, %m, %s {double_round = false} : (i32, i32, i8) -> i32
  return %0 : i32
}
func.func @argmax(%a: tensor<5xf32>) -> tensor<i32> {
  %r = tosa.reverse %a {axis = 0 : i32} : (tensor<5xf32>) -> tensor<5xf32>
  %0 = tosa.argmax %r {axis = 0 : i32} : (tensor<5xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @right_shift(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.shrui %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @table(%a: tensor<4xi8>, %t: tensor<256xi8>) -> tensor<4xi8> {
  %e = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi8>) outs(%e : tensor<4xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c = arith.constant 0 : index
    %1 = arith.index_castui %x : i8 to index
    %2 = arith.addi %1, %c : index
    %3 = tensor.extract %t[%2] : tensor<256xi8>
    linalg.yield %3 : i8
  } -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @resize(%a: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %r = tosa.reverse %a {axis = 1 : i32} : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %0 = tosa.resize %r {mode = "NEAREST_NEIGHBOR", scale = array<i64: 2, 1, 2, 1>, offset = array<i64: 0, 0>, border = array<i64: 0, 0>} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %0 : tensor<1x3x3x1xf32>
}
