// Functions that are not defined for all inputs.
func.func @cancelled_logarithm(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = math.log %x : tensor<?xf32>
  %r = arith.subf %a, %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @poison(%n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}
func.func @poison_in_part(%x: tensor<4xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @no_overflow(%a: i32, %b: i32) -> i32 {
  %r = arith.addi %a, %b overflow<nsw> : i32
  return %r : i32
}
func.func @overflow(%a: i32, %b: i32) -> i32 {
  %r = arith.addi %a, %b : i32
  return %r : i32
}
func.func @quotient(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = arith.divsi %a, %b : tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @outside(%x: memref<4xf32>) {
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %x[%c7] : memref<4xf32>
  return
}
func.func private @unknown(f32) -> f32
func.func @call(%x: f32) -> f32 {
  %r = call @unknown(%x) : (f32) -> f32
  return %r : f32
}
func.func @freed(%x: memref<4xf32>) {
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @forever(%x: f32) -> f32 {
  %r = scf.while (%a = %x) : (f32) -> f32 {
    %z = arith.constant 0.0 : f32
    %c = arith.cmpf olt, %a, %z : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    scf.yield %a : f32
  }
  return %r : f32
}
func.func @sum_of_poison(%x: tensor<?xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}
