#map = affine_map<(d0, d1)[s0, s1, s2] -> (d0 * s1 + s0 + d1 * s2)>
func.func @load(%m: memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>>
  return %0 : f32
}
func.func @sub(%m: memref<8x16x4xf32>, %x: index) -> f32 {
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[1, %x, 0][4, 4, 4][1, 2, 1] : memref<8x16x4xf32> to memref<4x4x4xf32, strided<[64, 8, 1], offset: ?>>
  %0 = memref.load %s[%c1, %c1, %c1] : memref<4x4x4xf32, strided<[64, 8, 1], offset: ?>>
  return %0 : f32
}
func.func @rank(%m: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[1, 0][1, 16][1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.store %v, %s[%c0] : memref<16xf32, strided<[1], offset: 16>>
  return
}
func.func @dyn(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %o: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%o : memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  }
  return
}
func.func @conv(%in: memref<1x16x16x4xf32>, %f: memref<3x3x4x16xf32>, %out: memref<1x14x14x16xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%in, %f : memref<1x16x16x4xf32>, memref<3x3x4x16xf32>) outs(%out : memref<1x14x14x16xf32>)
  return
}
func.func @clone(%m: memref<?x?xf32>) -> tensor<?x?xf32> {
  %c = bufferization.clone %m : memref<?x?xf32> to memref<?x?xf32>
  %t = bufferization.to_tensor %c : memref<?x?xf32>
  return %t : tensor<?x?xf32>
}
func.func @roundtrip(%t: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = bufferization.to_memref %t : memref<?x4xf32>
  %r = bufferization.to_tensor %m : memref<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @dead(%m: memref<4xf32>, %i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  %0 = memref.load %t[%i] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %0 : f32
}
func.func @expand(%m: memref<12xf32>, %i: index, %j: index) -> f32 {
  %e = memref.expand_shape %m [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  %0 = memref.load %e[%i, %j] : memref<3x4xf32>
  return %0 : f32
}
func.func @sel(%c: i1, %a: memref<8xf32>, %b: memref<8xf32>, %i: index, %x: f32) {
  %m = arith.select %c, %a, %b : memref<8xf32>
  memref.store %x, %m[%i] : memref<8xf32>
  return
}
func.func @ret(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}
func.func @generic_bufferized(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @branch(%c: i1, %m: memref<4xf32>, %x: f32, %y: f32, %i: index) {
  scf.if %c {
    memref.store %x, %m[%i] : memref<4xf32>
  } else {
    memref.store %y, %m[%i] : memref<4xf32>
  }
  return
}
// ----- proved-each
func.func @load(%m: memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>>, %i: index, %j: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i, 0][1, 5][1, 1] : memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>> to memref<1x5xf32, strided<[10, 1], offset: ?>>
  %0 = memref.load %s[%c0, %j] : memref<1x5xf32, strided<[10, 1], offset: ?>>
  return %0 : f32
}
func.func @sub(%m: memref<8x16x4xf32>, %x: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = arith.addi %x, %c2 : index
  %0 = memref.load %m[%c2, %y, %c1] : memref<8x16x4xf32>
  return %0 : f32
}
func.func @rank(%m: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c1, %c0] : memref<8x16xf32>
  return
}
func.func @dyn(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %o: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  linalg.add ins(%m, %m : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%o : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}
func.func @conv(%in: memref<1x16x16x4xf32>, %f: memref<3x3x4x16xf32>, %out: memref<1x14x14x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%in, %f : memref<1x16x16x4xf32>, memref<3x3x4x16xf32>) outs(%out : memref<1x14x14x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}
func.func @clone(%m: memref<?x?xf32>) -> tensor<?x?xf32> {
  %t = bufferization.to_tensor %m : memref<?x?xf32>
  return %t : tensor<?x?xf32>
}
func.func @roundtrip(%t: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %t : tensor<?x4xf32>
}
func.func @dead(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<4xf32>
  return %0 : f32
}
func.func @expand(%m: memref<12xf32>, %i: index, %j: index) -> f32 {
  %c4 = arith.constant 4 : index
  %k = arith.muli %i, %c4 : index
  %l = arith.addi %k, %j : index
  %0 = memref.load %m[%l] : memref<12xf32>
  return %0 : f32
}
func.func @sel(%c: i1, %a: memref<8xf32>, %b: memref<8xf32>, %i: index, %x: f32) {
  scf.if %c {
    memref.store %x, %a[%i] : memref<8xf32>
  } else {
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}
func.func @ret(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%m : memref<?xf32>)
  return %m : memref<?xf32>
}
func.func @generic_bufferized(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = bufferization.to_memref %a : memref<4x8xf32>
  %1 = bufferization.to_memref %b : memref<4x8xf32>
  %e = memref.alloc() : memref<4x8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : memref<4x8xf32>, memref<4x8xf32>) outs(%e : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  %2 = bufferization.to_tensor %e : memref<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @branch(%c: i1, %m: memref<4xf32>, %x: f32, %y: f32, %i: index) {
  %v = arith.select %c, %x, %y : f32
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
// ----- refuted-each
func.func @load(%m: memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>>, %i: index, %j: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[0, 0][1, 5][1, 1] : memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>> to memref<1x5xf32, strided<[10, 1], offset: 3>>
  %0 = memref.load %s[%c0, %j] : memref<1x5xf32, strided<[10, 1], offset: 3>>
  return %0 : f32
}
func.func @sub(%m: memref<8x16x4xf32>, %x: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 3 : index
  %y = arith.addi %x, %c2 : index
  %0 = memref.load %m[%c2, %y, %c1] : memref<8x16x4xf32>
  return %0 : f32
}
func.func @rank(%m: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c0, %c1] : memref<8x16xf32>
  return
}
func.func @dyn(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %o: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  linalg.mul ins(%m, %m : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%o : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}
func.func @conv(%in: memref<1x16x16x4xf32>, %f: memref<3x3x4x16xf32>, %out: memref<1x14x14x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d4, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%in, %f : memref<1x16x16x4xf32>, memref<3x3x4x16xf32>) outs(%out : memref<1x14x14x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}
func.func @clone(%m: memref<?x?xf32>) -> tensor<?x?xf32> {
  %t = bufferization.to_tensor %m : memref<?x?xf32>
  %c0 = arith.constant 0 : index
 %z = arith.constant 1.0 : f32
 %o = tensor.insert %z into %t[%c0, %c0] : tensor<?x?xf32>
 return %o : tensor<?x?xf32>
}
func.func @roundtrip(%t: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = math.absf %t : tensor<?x4xf32>
 return %o : tensor<?x4xf32>
}
func.func @dead(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<4xf32>
  %c0 = arith.constant 0 : index
 memref.store %0, %m[%c0] : memref<4xf32>
 return %0 : f32
}
func.func @expand(%m: memref<12xf32>, %i: index, %j: index) -> f32 {
  %c4 = arith.constant 4 : index
  %k = arith.muli %j, %c4 : index
  %l = arith.addi %k, %j : index
  %0 = memref.load %m[%l] : memref<12xf32>
  return %0 : f32
}
func.func @sel(%c: i1, %a: memref<8xf32>, %b: memref<8xf32>, %i: index, %x: f32) {
  scf.if %c {
    memref.store %x, %a[%i] : memref<8xf32>
  } else {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}
func.func @ret(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%m : memref<?xf32>)
  memref.dealloc %m : memref<?xf32>
 return %m : memref<?xf32>
}
func.func @generic_bufferized(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = bufferization.to_memref %a : memref<4x8xf32>
  %1 = bufferization.to_memref %b : memref<4x8xf32>
  %e = memref.alloc() : memref<4x8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : memref<4x8xf32>, memref<4x8xf32>) outs(%e : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  %2 = bufferization.to_tensor %e : memref<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @branch(%c: i1, %m: memref<4xf32>, %x: f32, %y: f32, %i: index) {
  %v = arith.select %c, %y, %x : f32
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
