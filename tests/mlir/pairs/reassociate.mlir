func.func @chain(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %0, %c : f32
  return %1 : f32
}
func.func @sum3(%a: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%a : tensor<3xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @split(%a: tensor<100xf32>, %b: tensor<100xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot ins(%a, %b : tensor<100xf32>, tensor<100xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @rev(%a: tensor<?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%a : tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @sum2d(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @twostep(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @mul3(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.mulf %0, %c : f32
  return %1 : f32
}
func.func @const(%a: f32) -> f32 {
  %c1 = arith.constant 1.0 : f32
  %c2 = arith.constant 2.0 : f32
  %0 = arith.addf %a, %c1 : f32
  %1 = arith.addf %0, %c2 : f32
  return %1 : f32
}
// ----- proved --reassociate
func.func @chain(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.addf %b, %c : f32
  %1 = arith.addf %a, %0 : f32
  return %1 : f32
}
func.func @sum3(%a: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tensor.extract %a[%c0] : tensor<3xf32>
  %y = tensor.extract %a[%c1] : tensor<3xf32>
  %w = tensor.extract %a[%c2] : tensor<3xf32>
  %i = tensor.extract %z[] : tensor<f32>
  %0 = arith.addf %w, %y : f32
  %1 = arith.addf %x, %i : f32
  %2 = arith.addf %0, %1 : f32
  %3 = tensor.from_elements %2 : tensor<f32>
  return %3 : tensor<f32>
}
func.func @split(%a: tensor<100xf32>, %b: tensor<100xf32>, %z: tensor<f32>) -> tensor<f32> {
  %a1 = tensor.extract_slice %a[0][40][1] : tensor<100xf32> to tensor<40xf32>
  %a2 = tensor.extract_slice %a[40][60][1] : tensor<100xf32> to tensor<60xf32>
  %b1 = tensor.extract_slice %b[0][40][1] : tensor<100xf32> to tensor<40xf32>
  %b2 = tensor.extract_slice %b[40][60][1] : tensor<100xf32> to tensor<60xf32>
  %n = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%n : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.dot ins(%a2, %b2 : tensor<60xf32>, tensor<60xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %1 = linalg.dot ins(%a1, %b1 : tensor<40xf32>, tensor<40xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %2 = arith.addf %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
func.func @rev(%a: tensor<?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = tensor.generate %n {
  ^bb0(%i: index):
    %l = arith.subi %n, %c1 : index
    %k = arith.subi %l, %i : index
    %x = tensor.extract %a[%k] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%b : tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @sum2d(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(j,i)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @twostep(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = arith.constant -0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<?xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}
func.func @mul3(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %c, %b : f32
  %1 = arith.mulf %a, %0 : f32
  return %1 : f32
}
func.func @const(%a: f32) -> f32 {
  %c1 = arith.constant 3.0 : f32
  %0 = arith.addf %a, %c1 : f32
  return %0 : f32
}
// ----- refuted
func.func @chain(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.addf %b, %c : f32
  %1 = arith.addf %a, %0 : f32
  return %1 : f32
}
func.func @sum3(%a: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tensor.extract %a[%c0] : tensor<3xf32>
  %y = tensor.extract %a[%c1] : tensor<3xf32>
  %w = tensor.extract %a[%c2] : tensor<3xf32>
  %i = tensor.extract %z[] : tensor<f32>
  %0 = arith.addf %w, %y : f32
  %1 = arith.addf %x, %i : f32
  %2 = arith.addf %0, %1 : f32
  %3 = tensor.from_elements %2 : tensor<f32>
  return %3 : tensor<f32>
}
func.func @split(%a: tensor<100xf32>, %b: tensor<100xf32>, %z: tensor<f32>) -> tensor<f32> {
  %a1 = tensor.extract_slice %a[0][40][1] : tensor<100xf32> to tensor<40xf32>
  %a2 = tensor.extract_slice %a[40][60][1] : tensor<100xf32> to tensor<60xf32>
  %b1 = tensor.extract_slice %b[0][40][1] : tensor<100xf32> to tensor<40xf32>
  %b2 = tensor.extract_slice %b[40][60][1] : tensor<100xf32> to tensor<60xf32>
  %n = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%n : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.dot ins(%a2, %b2 : tensor<60xf32>, tensor<60xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %1 = linalg.dot ins(%a1, %b1 : tensor<40xf32>, tensor<40xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %2 = arith.addf %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
func.func @rev(%a: tensor<?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = tensor.generate %n {
  ^bb0(%i: index):
    %l = arith.subi %n, %c1 : index
    %k = arith.subi %l, %i : index
    %x = tensor.extract %a[%k] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%b : tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @sum2d(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(j,i)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @twostep(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = arith.constant -0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<?xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}
func.func @mul3(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %c, %b : f32
  %1 = arith.mulf %a, %0 : f32
  return %1 : f32
}
func.func @const(%a: f32) -> f32 {
  %c1 = arith.constant 3.0 : f32
  %0 = arith.addf %a, %c1 : f32
  return %0 : f32
}
// ----- refuted-each --reassociate
func.func @chain(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.addf %b, %a : f32
  %1 = arith.addf %a, %0 : f32
  return %1 : f32
}
func.func @sum3(%a: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tensor.extract %a[%c0] : tensor<3xf32>
  %y = tensor.extract %a[%c1] : tensor<3xf32>
  %w = tensor.extract %a[%c2] : tensor<3xf32>
  %i = tensor.extract %z[] : tensor<f32>
  %0 = arith.addf %w, %x : f32
  %1 = arith.addf %x, %i : f32
  %2 = arith.addf %0, %1 : f32
  %3 = tensor.from_elements %2 : tensor<f32>
  return %3 : tensor<f32>
}
func.func @split(%a: tensor<100xf32>, %b: tensor<100xf32>, %z: tensor<f32>) -> tensor<f32> {
  %a1 = tensor.extract_slice %a[0][40][1] : tensor<100xf32> to tensor<40xf32>
  %a2 = tensor.extract_slice %a[39][60][1] : tensor<100xf32> to tensor<60xf32>
  %b1 = tensor.extract_slice %b[0][40][1] : tensor<100xf32> to tensor<40xf32>
  %b2 = tensor.extract_slice %b[40][60][1] : tensor<100xf32> to tensor<60xf32>
  %n = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%n : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.dot ins(%a2, %b2 : tensor<60xf32>, tensor<60xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %1 = linalg.dot ins(%a1, %b1 : tensor<40xf32>, tensor<40xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %2 = arith.addf %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
func.func @rev(%a: tensor<?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = tensor.generate %n {
  ^bb0(%i: index):
    %l = arith.subi %n, %c1 : index
    %h = arith.divsi %i, %c2 : index %k = arith.subi %l, %h : index
    %x = tensor.extract %a[%k] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%b : tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @sum2d(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(j,i)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @twostep(%a: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = arith.constant -0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<?xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}
func.func @mul3(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %c, %a : f32
  %1 = arith.mulf %a, %0 : f32
  return %1 : f32
}
func.func @const(%a: f32) -> f32 {
  %c1 = arith.constant 4.0 : f32
  %0 = arith.addf %a, %c1 : f32
  return %0 : f32
}
