func.func @dist(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.addf %a, %b : f32
  %1 = arith.mulf %0, %c : f32
  return %1 : f32
}
func.func @cancel(%a: f32, %b: f32) -> f32 {
  %0 = arith.addf %a, %b : f32
  %1 = arith.subf %0, %b : f32
  return %1 : f32
}
func.func @softmax(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %en = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %x = linalg.map { math.exp } ins(%a : tensor<?xf32>) outs(%en : tensor<?xf32>)
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%x, %s : tensor<?xf32>, tensor<f32>) outs(%en : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.divf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @relu(%a: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %z : f32
  %1 = arith.select %c, %a, %z : f32
  return %1 : f32
}
func.func @assoc(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %v: tensor<?xf32>, %z: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %n = arith.constant 0.0 : f32
  %f = linalg.fill ins(%n : f32) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.matvec ins(%b, %v : tensor<?x?xf32>, tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.fill ins(%n : f32) outs(%z : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.matvec ins(%a, %0 : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// ----- proved-each --floats real
func.func @dist(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %a, %c : f32
  %1 = arith.mulf %b, %c : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
func.func @cancel(%a: f32, %b: f32) -> f32 {
  return %a : f32
}
func.func @softmax(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %en = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sh = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%en : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %r = arith.subf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %x = linalg.map { math.exp } ins(%sh : tensor<?xf32>) outs(%en : tensor<?xf32>)
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%x, %s : tensor<?xf32>, tensor<f32>) outs(%en : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32, %oo: f32):
    %r = arith.divf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @relu(%a: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %1 = arith.maximumf %a, %z : f32
  return %1 : f32
}
func.func @assoc(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %v: tensor<?xf32>, %z: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 0.0 : f32
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %f = linalg.fill ins(%n : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %g = linalg.fill ins(%n : f32) outs(%z : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.matvec ins(%0, %v : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// ----- refuted-each --floats real
func.func @dist(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %a, %c : f32
  %1 = arith.mulf %b, %b : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
func.func @cancel(%a: f32, %b: f32) -> f32 {
  return %b : f32
}
func.func @softmax(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %o2 = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<f32>
  %en = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sh = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%en : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %r = arith.mulf %p, %o2 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %x = linalg.map { math.exp } ins(%sh : tensor<?xf32>) outs(%en : tensor<?xf32>)
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%x, %s : tensor<?xf32>, tensor<f32>) outs(%en : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32, %oo: f32):
    %r = arith.divf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @relu(%a: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %1 = arith.minimumf %a, %z : f32
  return %1 : f32
}
func.func @assoc(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %v: tensor<?xf32>, %z: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 0.0 : f32
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %bn = math.absf %b : tensor<?x?xf32>
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %f = linalg.fill ins(%n : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %bn : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %g = linalg.fill ins(%n : f32) outs(%z : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.matvec ins(%0, %v : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
