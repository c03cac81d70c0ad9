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
func.func @branch_on_poison(%a: i32, %b: i32) -> i32 {
  %p = ub.poison : i1
  cf.cond_br %p, ^end(%a : i32), ^end(%b : i32)
^end(%r: i32):
  return %r : i32
}
func.func @quotients(%n: i32, %d: tensor<?xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  cf.br ^head(%c0 : i32)
^head(%i: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^end
^body:
  %j = arith.index_cast %i : i32 to index
  %v = tensor.extract %d[%j] : tensor<?xi32>
  %q = arith.divsi %c9, %v : i32
  %k = arith.addi %i, %c1 : i32
  cf.br ^head(%k : i32)
^end:
  return %c9 : i32
}
func.func @poison_in_place(%x: memref<i32>, %y: memref<i32>) {
  %c1 = arith.constant 1 : i32
  %v = memref.load %x[] : memref<i32>
  %a = arith.addi %v, %c1 overflow<nsw> : i32
  %b = arith.subi %a, %c1 : i32
  memref.store %b, %x[] : memref<i32>
  memref.store %c1, %y[] : memref<i32>
  return
}
func.func @same_in_place(%x: memref<i32>, %y: memref<i32>) {
  %c1 = arith.constant 1 : i32
  %v = memref.load %x[] : memref<i32>
  %a = arith.addi %v, %c1 : i32
  %b = arith.subi %a, %c1 : i32
  memref.store %b, %x[] : memref<i32>
  memref.store %c1, %y[] : memref<i32>
  return
}
func.func @never(%a: index, %x: tensor<3xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = arith.muli %a, %c2 overflow<nsw> : index
  %r = arith.remsi %d, %c2 : index
  %i = arith.subi %r, %c1 : index
  %v = tensor.extract %x[%i] : tensor<3xf32>
  return %v : f32
}
func.func @far(%a: index, %x: tensor<?xf8E5M2>) -> f8E5M2 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %b = arith.subi %c0, %a : index
  %i = arith.subi %b, %c5 : index
  %v = tensor.extract %x[%i] : tensor<?xf8E5M2>
  %w = tensor.extract %x[%a] : tensor<?xf8E5M2>
  %s = arith.addf %v, %w : f8E5M2
  return %s : f8E5M2
}
memref.global "private" constant @numbers : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @second_number() -> f32 {
  %c1 = arith.constant 1 : index
  %g = memref.get_global @numbers : memref<4xf32>
  %x = memref.load %g[%c1] : memref<4xf32>
  return %x : f32
}
