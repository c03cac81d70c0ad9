// What parallel iterations reduce to, in any order.
func.func @scfred(%m: memref<?xi32>, %n: index, %z: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z, %z) -> (i32, i32) {
    %x = memref.load %m[%i] : memref<?xi32>
    scf.reduce(%x, %x : i32, i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }, {
    ^bb0(%a: i32, %b: i32):
      %s = arith.maxsi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r#0, %r#1 : i32, i32
}
func.func @affpar_red(%m: memref<?xi32>, %n: index) -> i32 {
  %r = affine.parallel (%i) = (0) to (%n) reduce ("addi") -> i32 {
    %x = affine.load %m[%i] : memref<?xi32>
    affine.yield %x : i32
  }
  return %r : i32
}
func.func @nested(%m: memref<?x?xi32>, %n: index, %k: index) -> i32 {
  %r = affine.parallel (%i, %j) = (0, 0) to (%n, %k) reduce ("addi") -> i32 {
    %x = affine.load %m[%i, %j] : memref<?x?xi32>
    affine.yield %x : i32
  }
  return %r : i32
}
// ----- proved
func.func @scfred(%m: memref<?xi32>, %n: index, %z: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %q = %z) -> (i32, i32) {
    %x = memref.load %m[%i] : memref<?xi32>
    %s = arith.addi %x, %p : i32
    %t = arith.maxsi %q, %x : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
func.func @affpar_red(%m: memref<?xi32>, %n: index) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> i32 {
    %x = affine.load %m[%i] : memref<?xi32>
    %s = arith.addi %a, %x : i32
    affine.yield %s : i32
  }
  return %r : i32
}
func.func @nested(%m: memref<?x?xi32>, %n: index, %k: index) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> i32 {
    %p = affine.for %j = 0 to %k iter_args(%b = %a) -> i32 {
      %x = affine.load %m[%i, %j] : memref<?x?xi32>
      %s = arith.addi %x, %b : i32
      affine.yield %s : i32
    }
    affine.yield %p : i32
  }
  return %r : i32
}
// ----- refuted-each
func.func @scfred(%m: memref<?xi32>, %n: index, %z: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %q = %z) -> (i32, i32) {
    %x = memref.load %m[%i] : memref<?xi32>
    %s = arith.muli %x, %p : i32
    %t = arith.maxsi %q, %x : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
func.func @affpar_red(%m: memref<?xi32>, %n: index) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> i32 {
    %x = affine.load %m[%i] : memref<?xi32>
    %s = arith.maxsi %a, %x : i32
    affine.yield %s : i32
  }
  return %r : i32
}
func.func @nested(%m: memref<?x?xi32>, %n: index, %k: index) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to %n iter_args(%a = %z) -> i32 {
    %p = affine.for %j = 0 to %k iter_args(%b = %a) -> i32 {
      %x = affine.load %m[%i, %j] : memref<?x?xi32>
      %s = arith.subi %x, %b : i32
      affine.yield %s : i32
    }
    affine.yield %p : i32
  }
  return %r : i32
}
