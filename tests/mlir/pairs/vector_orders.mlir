// Sums of floats in an order that is left open: two that go on from each other have fewer orders than one. What a sum
// without a start begins with is left open, too: +0 or -0.
func.func @halves(%a: vector<2xf32>, %b: vector<2xf32>, %x: f32) -> f32 {
  %0 = vector.reduction <add>, %a, %x : vector<2xf32> into f32
  %1 = vector.reduction <add>, %b, %0 : vector<2xf32> into f32
  return %1 : f32
}
func.func @tiles(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2xf32>, %x: f32) -> f32 {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %c, %x : vector<2xf32>, vector<2xf32> into f32
  %1 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %b, %c, %0 : vector<2xf32>, vector<2xf32> into f32
  return %1 : f32
}
func.func @start(%a: vector<2xf32>) -> f32 {
  %0 = vector.reduction <add>, %a : vector<2xf32> into f32
  return %0 : f32
}
func.func @given(%a: vector<2xf32>) -> f32 {
  %z = arith.constant -0.0 : f32
  %0 = vector.reduction <add>, %a, %z : vector<2xf32> into f32
  return %0 : f32
}
// ----- proved-each
func.func @halves(%a: vector<2xf32>, %b: vector<2xf32>, %x: f32) -> f32 {
  %s = vector.shuffle %a, %a [2, 3] : vector<2xf32>, vector<2xf32>
  %0 = vector.reduction <add>, %s, %x : vector<2xf32> into f32
  %1 = vector.reduction <add>, %b, %0 : vector<2xf32> into f32
  return %1 : f32
}
func.func @tiles(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2xf32>, %x: f32) -> f32 {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %c, %a, %x : vector<2xf32>, vector<2xf32> into f32
  %1 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %b, %c, %0 : vector<2xf32>, vector<2xf32> into f32
  return %1 : f32
}
func.func @start(%a: vector<2xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %0 = vector.reduction <add>, %a, %z : vector<2xf32> into f32
  return %0 : f32
}
// ----- proved-each
func.func @start(%a: vector<2xf32>) -> f32 {
  %z = arith.constant -0.0 : f32
  %0 = vector.reduction <add>, %a, %z : vector<2xf32> into f32
  return %0 : f32
}
// ----- unknown-each
func.func @halves(%a: vector<2xf32>, %b: vector<2xf32>, %x: f32) -> f32 {
  %s = vector.shuffle %a, %b [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
  %0 = vector.reduction <add>, %s, %x : vector<4xf32> into f32
  return %0 : f32
}
func.func @tiles(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2xf32>, %x: f32) -> f32 {
  %s = vector.shuffle %a, %b [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
  %t = vector.shuffle %c, %c [0, 1, 0, 1] : vector<2xf32>, vector<2xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %s, %t, %x : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}
func.func @given(%a: vector<2xf32>) -> f32 {
  %0 = vector.reduction <add>, %a : vector<2xf32> into f32
  return %0 : f32
}
// ----- proved-each --reassociate
func.func @halves(%a: vector<2xf32>, %b: vector<2xf32>, %x: f32) -> f32 {
  %s = vector.shuffle %a, %b [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
  %0 = vector.reduction <add>, %s, %x : vector<4xf32> into f32
  return %0 : f32
}
// ----- refuted-each
func.func @halves(%a: vector<2xf32>, %b: vector<2xf32>, %x: f32) -> f32 {
  %0 = vector.reduction <add>, %b, %x : vector<2xf32> into f32
  return %0 : f32
}
