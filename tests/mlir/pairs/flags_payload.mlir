// Flags of the operation that linalg.map and linalg.reduce name, which stand in a dictionary.
func.func @nnan(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.map { arith.addf {fastmath = #arith.fastmath<nnan>} } ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>)
  return %r : tensor<16xf32>
}
func.func @none(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.map { arith.addf } ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>)
  return %r : tensor<16xf32>
}
func.func @sum(%a: tensor<16xf32>, %b: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<16xf32>) outs(%b : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
// ----- proved-each
func.func @nnan(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.map { arith.addf } ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>)
  return %r : tensor<16xf32>
}
func.func @none(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.map { arith.addf {fastmath = #arith.fastmath<none>} } ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>)
  return %r : tensor<16xf32>
}
// ----- refuted-each
func.func @nnan(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.map { arith.addf {fastmath = #arith.fastmath<ninf>} } ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>)
  return %r : tensor<16xf32>
}
func.func @none(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.map { arith.addf {fastmath = #arith.fastmath<nnan>} } ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>)
  return %r : tensor<16xf32>
}
// ----- unknown-each
func.func @sum(%a: tensor<16xf32>, %b: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} } ins(%a : tensor<16xf32>) outs(%b : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
