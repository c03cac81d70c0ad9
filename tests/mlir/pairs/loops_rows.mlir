// Loops over one dimension of a tensor of several, in place.
func.func @rows(%t: tensor<?x4xi8>, %x: i8) -> tensor<?x4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x4xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %t) -> (tensor<?x4xi8>) {
    %a = tensor.extract %o[%i, %c1] : tensor<?x4xi8>
    %b = arith.addi %a, %x : i8
    %p = tensor.insert %b into %o[%i, %c1] : tensor<?x4xi8>
    scf.yield %p : tensor<?x4xi8>
  }
  return %r : tensor<?x4xi8>
}
// ----- proved
func.func @rows(%t: tensor<?x4xi8>, %x: i8) -> tensor<?x4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x4xi8>
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %t[%i, %j] : tensor<?x4xi8>
    %b = arith.addi %a, %x : i8
    %c = arith.cmpi eq, %j, %c1 : index
    %d = arith.select %c, %b, %a : i8
    tensor.yield %d : i8
  } : tensor<?x4xi8>
  return %r : tensor<?x4xi8>
}
// ----- refuted
func.func @rows(%t: tensor<?x4xi8>, %x: i8) -> tensor<?x4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x4xi8>
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %t[%i, %j] : tensor<?x4xi8>
    %b = arith.addi %a, %x : i8
    %c = arith.cmpi eq, %j, %c0 : index
    %d = arith.select %c, %b, %a : i8
    tensor.yield %d : i8
  } : tensor<?x4xi8>
  return %r : tensor<?x4xi8>
}
