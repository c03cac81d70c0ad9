// That a tensor has no more elements than an index can say is known of those that the source has made: not where its
// loop need not run, or a body that runs for each element, and not of those that only the target makes.
func.func @loop(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %e = tensor.empty(%m, %k) : tensor<?x?xf32>
    %c = tensor.collapse_shape %e [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %d = tensor.dim %c, %c0 : tensor<?xf32>
    scf.yield %d : index
  }
  %p = arith.muli %m, %k : index
  %q = arith.cmpi sge, %p, %c0 : index
  return %q : i1
}
func.func @body(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.empty(%m, %k) : tensor<?x?xf32>
    %c = tensor.collapse_shape %e [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %d = tensor.dim %c, %c0 : tensor<?xf32>
    tensor.yield %d : index
  } : tensor<?xindex>
  %p = arith.muli %m, %k : index
  %q = arith.cmpi sge, %p, %c0 : index
  return %q : i1
}
func.func @product(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %p = arith.muli %m, %k : index
  %q = arith.cmpi sge, %p, %c0 : index
  return %q : i1
}
func.func @made(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %e = tensor.empty(%m, %k) : tensor<?x?xf32>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %p = arith.muli %m, %k : index
  %q = arith.cmpi sge, %p, %c0 : index
  return %q : i1
}
// ----- proved-each
func.func @made(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %q = arith.constant true
  return %q : i1
}
// ----- refuted-each
func.func @made(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %q = arith.constant false
  return %q : i1
}
// ----- unknown-each full
func.func @loop(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %q = arith.constant true
  return %q : i1
}
func.func @body(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %q = arith.constant true
  return %q : i1
}
func.func @product(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %e = tensor.empty(%m, %k) : tensor<?x?xf32>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %q = arith.constant true
  return %q : i1
}
