// Sums of floats, and an operation that takes no two orders, depend on the order.
func.func @scfredf(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
func.func @scfsub(%m: memref<?xi32>, %n: index, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i32 {
    %x = memref.load %m[%i] : memref<?xi32>
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.subi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
// ----- unknown
func.func @scfredf(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    %s = arith.addf %x, %p : f32
    scf.yield %s : f32
  }
  return %r : f32
}
func.func @scfsub(%m: memref<?xi32>, %n: index, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> i32 {
    %x = memref.load %m[%i] : memref<?xi32>
    %s = arith.subi %p, %x : i32
    scf.yield %s : i32
  }
  return %r : i32
}
// ----- proved-each --reassociate
func.func @scfredf(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    %s = arith.addf %x, %p : f32
    scf.yield %s : f32
  }
  return %r : f32
}
