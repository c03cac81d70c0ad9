// A loop that sums into two blocks of its own, one of which is a tensor from then on.
func.func @f(%t: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %z, %a[%c0] : memref<1xf32>
  memref.store %z, %b[%c0] : memref<1xf32>
  %n = memref.dim %t, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i] : memref<?xf32>
    %u = memref.load %a[%c0] : memref<1xf32>
    %u1 = arith.addf %u, %x : f32
    memref.store %u1, %a[%c0] : memref<1xf32>
    %v = memref.load %b[%c0] : memref<1xf32>
    %xx = arith.mulf %x, %x : f32
    %v1 = arith.addf %v, %xx : f32
    memref.store %v1, %b[%c0] : memref<1xf32>
  }
  %u = bufferization.to_tensor %a : memref<1xf32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %v = memref.load %a[%c0] : memref<1xf32>
    %w = memref.load %b[%c0] : memref<1xf32>
    %m = arith.mulf %v, %w : f32
    memref.store %m, %b[%c0] : memref<1xf32>
    %y = arith.addf %s, %m : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// ----- proved
func.func @f(%t: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %t, %c0 : memref<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %z, %v = %z) -> (f32, f32) {
    %x = memref.load %t[%i] : memref<?xf32>
    %u1 = arith.addf %u, %x : f32
    %xx = arith.mulf %x, %x : f32
    %v1 = arith.addf %v, %xx : f32
    scf.yield %u1, %v1 : f32, f32
  }
  %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %z, %w = %r#1) -> (f32, f32) {
    %m = arith.mulf %r#0, %w : f32
    %y = arith.addf %s, %m : f32
    scf.yield %y, %m : f32, f32
  }
  return %q#0 : f32
}
// ----- refuted
func.func @f(%t: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %t, %c0 : memref<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %z, %v = %z) -> (f32, f32) {
    %x = memref.load %t[%i] : memref<?xf32>
    %u1 = arith.addf %u, %x : f32
    %xx = arith.mulf %x, %x : f32
    %v1 = arith.addf %v, %xx : f32
    scf.yield %u1, %v1 : f32, f32
  }
  %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %z, %w = %r#1) -> (f32, f32) {
    %m = arith.mulf %r#1, %w : f32
    %y = arith.addf %s, %m : f32
    scf.yield %y, %m : f32, f32
  }
  return %q#0 : f32
}
