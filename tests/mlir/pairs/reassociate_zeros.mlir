// Each sum of tosa starts from +0; of many one counts.
func.func @f(%a: tensor<3x4xf32>, %b: tensor<3x?xf32>) -> tensor<3x1xf32> {
  %0 = "tosa.concat"(%a, %b) {axis = 1 : i32} : (tensor<3x4xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
  %1 = "tosa.reduce_sum"(%0) {axis = 1 : i32} : (tensor<3x?xf32>) -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}
// ----- proved --reassociate
func.func @f(%a: tensor<3x4xf32>, %b: tensor<3x?xf32>) -> tensor<3x1xf32> {
  %0 = "tosa.reduce_sum"(%a) {axis = 1 : i32} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  %1 = "tosa.reduce_sum"(%b) {axis = 1 : i32} : (tensor<3x?xf32>) -> tensor<3x1xf32>
  %2 = "tosa.add"(%1, %0) : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}
// ----- refuted
func.func @f(%a: tensor<3x4xf32>, %b: tensor<3x?xf32>) -> tensor<3x1xf32> {
  %0 = "tosa.reduce_sum"(%a) {axis = 1 : i32} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  %1 = "tosa.reduce_sum"(%b) {axis = 1 : i32} : (tensor<3x?xf32>) -> tensor<3x1xf32>
  %2 = "tosa.add"(%1, %0) : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}
