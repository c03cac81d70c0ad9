// Lanes outside of what is read are the padding, and those of what is written are left out.
func.func @rdpad(%a: tensor<6xf32>, %i: index) -> f32 {
  %z = arith.constant 7.0 : f32
  %c5 = arith.constant 5 : index
  %v = vector.transfer_read %a[%c5], %z : tensor<6xf32>, vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %t = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x : f32
}
func.func @bcast(%a: memref<4x8xf32>, %i: index) -> vector<8x4xf32> {
  %z = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %a[%c0, %c0], %z {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x8xf32>, vector<8x4xf32>
  return %v : vector<8x4xf32>
}
func.func @bcast2(%a: vector<4xf32>) -> vector<8x4xf32> {
  %v = vector.broadcast %a : vector<4xf32> to vector<8x4xf32>
  %w = arith.addf %v, %v : vector<8x4xf32>
  return %w : vector<8x4xf32>
}
func.func @ldst(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%i, %c0] : memref<4x8xf32>, vector<8xf32>
  vector.store %v, %b[%i, %c0] : memref<4x8xf32>, vector<8xf32>
  return
}
func.func @fma(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.fma %a, %b, %c : vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @splat(%a: f32) -> vector<8x4xf32> {
  %v = vector.broadcast %a : f32 to vector<8x4xf32>
  return %v : vector<8x4xf32>
}
// ----- proved
func.func @rdpad(%a: tensor<6xf32>, %i: index) -> f32 {
  %z = arith.constant 7.0 : f32
  %c5 = arith.constant 5 : index
  %v = tensor.extract %a[%c5] : tensor<6xf32>
  %e = tensor.from_elements %v, %z, %z, %z : tensor<4xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  return %x : f32
}
func.func @bcast(%a: memref<4x8xf32>, %i: index) -> vector<8x4xf32> {
  %z = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x8xf32>, vector<8x4xf32>
  return %v : vector<8x4xf32>
}
func.func @bcast2(%a: vector<4xf32>) -> vector<8x4xf32> {
  %w = arith.addf %a, %a : vector<4xf32>
  %v = vector.broadcast %w : vector<4xf32> to vector<8x4xf32>
  return %v : vector<8x4xf32>
}
func.func @ldst(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %i: index) {
  %z = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %a[%i, %c0], %z : memref<4x8xf32>, vector<8xf32>
  vector.transfer_write %v, %b[%i, %c0] : vector<8xf32>, memref<4x8xf32>
  return
}
func.func @fma(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %0 = math.fma %a, %b, %c : vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @splat(%a: f32) -> vector<8x4xf32> {
  %v = vector.splat %a : vector<8x4xf32>
  return %v : vector<8x4xf32>
}
// ----- refuted-each
func.func @rdpad(%a: tensor<6xf32>, %i: index) -> f32 {
  %z = arith.constant 7.0 : f32
  %c5 = arith.constant 5 : index
  %v = tensor.extract %a[%c5] : tensor<6xf32>
  %e = tensor.from_elements %v, %v, %z, %z : tensor<4xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  return %x : f32
}
func.func @bcast(%a: memref<4x8xf32>, %i: index) -> vector<8x4xf32> {
  %z = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %a[%i, %c0], %z {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x8xf32>, vector<8x4xf32>
  return %v : vector<8x4xf32>
}
func.func @bcast2(%a: vector<4xf32>) -> vector<8x4xf32> {
  %w = arith.mulf %a, %a : vector<4xf32>
  %v = vector.broadcast %w : vector<4xf32> to vector<8x4xf32>
  return %v : vector<8x4xf32>
}
func.func @ldst(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %i: index) {
  %z = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %a[%i, %c0], %z : memref<4x8xf32>, vector<8xf32>
  vector.transfer_write %v, %b[%c0, %c0] : vector<8xf32>, memref<4x8xf32>
  return
}
func.func @fma(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %0 = math.fma %a, %c, %b : vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @splat(%a: f32) -> vector<8x4xf32> {
  %b = arith.addf %a, %a : f32
  %v = vector.splat %b : vector<8x4xf32>
  return %v : vector<8x4xf32>
}
// ----- unknown-each
// not for mlir-opt: a load has no map
func.func @ldst(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%i, %c0] {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<4x8xf32>, vector<8xf32>
  vector.store %v, %b[%i, %c0] {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<4x8xf32>, vector<8xf32>
  return
}
