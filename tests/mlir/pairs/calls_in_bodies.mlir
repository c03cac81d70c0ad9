func.func private @print(f32)
func.func @f(%a: tensor<?xf32>, %c: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    func.call @print(%c) : (f32) -> ()
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// ----- unknown
// As many calls as there are elements, and one.
func.func private @print(f32)
func.func @f(%a: tensor<?xf32>, %c: f32) -> tensor<?xf32> {
  func.call @print(%c) : (f32) -> ()
  return %a : tensor<?xf32>
}
// ----- proved
// The same, operation by operation.
func.func private @print(f32)
func.func @f(%a: tensor<?xf32>, %c: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    func.call @print(%c) : (f32) -> ()
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
