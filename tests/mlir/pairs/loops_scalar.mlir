func.func @f(%a: memref<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
// ----- proved
func.func @f(%a: memref<?xf32>, %z: f32) -> f32 {
  %t = memref.alloca() : memref<f32>
  memref.store %z, %t[] : memref<f32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<?xf32>) outs(%t : memref<f32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  %r = memref.load %t[] : memref<f32>
  return %r : f32
}
// ----- proved
func.func @f(%a: memref<?xf32>, %z: f32) -> f32 {
  %t = memref.alloca() : memref<f32>
  memref.store %z, %t[] : memref<f32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = affine.load %t[] : memref<f32>
    %2 = arith.addf %1, %0 : f32
    affine.store %2, %t[] : memref<f32>
  }
  %r = affine.load %t[] : memref<f32>
  return %r : f32
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.subf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.subi %n, %c1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
    %j = arith.subi %m, %i : index
    %0 = memref.load %a[%j] : memref<?xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
