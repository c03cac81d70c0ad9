func.func @f(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %1 = tensor.extract_slice %0[1] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
// ----- proved
func.func @f(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// ----- refuted
func.func @f(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %1 = tensor.extract_slice %0[2] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
