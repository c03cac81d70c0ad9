// What is defined before a call says what its sizes are.
func.func private @g(tensor<?xf32>) -> f32
func.func @f(%a: tensor<?xf32>, %i: index) -> f32 {
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  %d = tensor.cast %c : tensor<5xf32> to tensor<?xf32>
  %0 = call @g(%d) : (tensor<?xf32>) -> f32
  return %0 : f32
}
// ----- proved
func.func private @g(tensor<?xf32>) -> f32
func.func @f(%a: tensor<?xf32>, %i: index) -> f32 {
  %0 = call @g(%a) : (tensor<?xf32>) -> f32
  return %0 : f32
}
// ----- proved
// What it asks for before the call, the source does as well.
func.func private @g(tensor<?xf32>) -> f32
func.func @f(%a: tensor<?xf32>, %i: index) -> f32 {
  %c4 = arith.constant 4 : index
  %x = tensor.extract %a[%c4] : tensor<?xf32>
  %0 = call @g(%a) : (tensor<?xf32>) -> f32
  return %0 : f32
}
// ----- refuted
func.func private @g(tensor<?xf32>) -> f32
func.func @f(%a: tensor<?xf32>, %i: index) -> f32 {
  %c5 = arith.constant 5 : index
  %x = tensor.extract %a[%c5] : tensor<?xf32>
  %0 = call @g(%a) : (tensor<?xf32>) -> f32
  return %0 : f32
}
