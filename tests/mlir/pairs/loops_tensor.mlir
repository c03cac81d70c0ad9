func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// ----- proved
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %k = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %r = scf.for %i = %c0 to %m step %c8 iter_args(%t = %c) -> tensor<?x?xf32> {
    %h = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%m]
    %as = tensor.extract_slice %a[%i, 0][%h, %k][1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %cs = tensor.extract_slice %t[%i, 0][%h, %n][1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %p = linalg.matmul ins(%as, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%cs : tensor<?x?xf32>) -> tensor<?x?xf32>
    %u = tensor.insert_slice %p into %t[%i, 0][%h, %n][1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    scf.yield %u : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
// ----- refuted
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %k = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %r = scf.for %i = %c0 to %m step %c8 iter_args(%t = %c) -> tensor<?x?xf32> {
    %h = affine.min affine_map<(d0)[s0] -> (7, s0 - d0)>(%i)[%m]
    %as = tensor.extract_slice %a[%i, 0][%h, %k][1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %cs = tensor.extract_slice %t[%i, 0][%h, %n][1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %p = linalg.matmul ins(%as, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%cs : tensor<?x?xf32>) -> tensor<?x?xf32>
    %u = tensor.insert_slice %p into %t[%i, 0][%h, %n][1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    scf.yield %u : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
