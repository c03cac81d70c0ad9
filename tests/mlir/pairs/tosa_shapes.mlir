func.func @f(%a: tensor<2x3xf32>) -> tensor<6x2xf32> {
  %0 = "tosa.tile"(%a) <{multiples = array<i64: 2, 1>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = "tosa.reshape"(%0) <{new_shape = array<i64: 6, 2>}> : (tensor<4x3xf32>) -> tensor<6x2xf32>
  return %1 : tensor<6x2xf32>
}
// ----- proved
func.func @f(%a: tensor<2x3xf32>) -> tensor<6x2xf32> {
  %0 = "tosa.reshape"(%a) <{new_shape = array<i64: 3, 2>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "tosa.concat"(%0, %0) <{axis = 0 : i32}> : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
  return %1 : tensor<6x2xf32>
}
// ----- refuted
func.func @f(%a: tensor<2x3xf32>) -> tensor<6x2xf32> {
  %0 = "tosa.tile"(%a) <{multiples = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %1 = "tosa.reshape"(%0) <{new_shape = array<i64: 6, 2>}> : (tensor<2x6xf32>) -> tensor<6x2xf32>
  return %1 : tensor<6x2xf32>
}
