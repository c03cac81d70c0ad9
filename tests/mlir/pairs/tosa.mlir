func.func @broadcast(%a: tensor<4x1xf32>, %b: tensor<1x3xf32>) -> tensor<4x3xf32> {
  %0 = "tosa.add"(%a, %b) : (tensor<4x1xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  %1 = "tosa.negate"(%0) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
func.func @twice(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %p = "tosa.const"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tosa.transpose"(%a, %p) : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  %1 = "tosa.transpose"(%0, %p) : (tensor<3x2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  %2 = "tosa.reverse"(%1) <{axis = 1 : i32}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %3 = "tosa.bitwise_not"(%2) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %3 : tensor<2x3xi32>
}
// ----- proved
#a = affine_map<(d0, d1) -> (d0, 0)>
#b = affine_map<(d0, d1) -> (0, d1)>
#o = affine_map<(d0, d1) -> (d0, d1)>
func.func @broadcast(%a: tensor<4x1xf32>, %b: tensor<1x3xf32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #o], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x1xf32>, tensor<1x3xf32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %n = arith.negf %s : f32
    linalg.yield %n : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @twice(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %m = arith.constant dense<-1> : tensor<2x3xi32>
  %0 = "tosa.bitwise_xor"(%a, %m) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = "tosa.reverse"(%0) <{axis = 1 : i32}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}
// ----- refuted
func.func @broadcast(%a: tensor<4x1xf32>, %b: tensor<1x3xf32>) -> tensor<4x3xf32> {
  %0 = "tosa.sub"(%a, %b) : (tensor<4x1xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  %1 = "tosa.negate"(%0) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
func.func @twice(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %1 = "tosa.reverse"(%a) <{axis = 0 : i32}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %3 = "tosa.bitwise_not"(%1) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %3 : tensor<2x3xi32>
}
