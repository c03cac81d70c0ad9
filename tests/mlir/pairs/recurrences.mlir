// Sums of floats in the order that is written: unrolled loops with a tail, tiles that the size need not fill, one behind another.
func.func @sum(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @horner(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %m = arith.mulf %s, %z : f32
    %t = arith.addf %m, %a : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
  }
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}
// ----- proved --distinct
func.func @sum(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %a = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n]
  %b = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3 + 1)>()[%n]
  %p = scf.for %i = %c0 to %a step %c3 iter_args(%s = %z) -> (f32) {
    %k1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = tensor.extract %x[%k1] : tensor<?xf32>
    %2 = tensor.extract %x[%k2] : tensor<?xf32>
    %3 = arith.addf %s, %0 : f32
    %4 = arith.addf %3, %1 : f32
    %5 = arith.addf %4, %2 : f32
    scf.yield %5 : f32
  }
  %r = scf.for %i = %a to %n step %c1 iter_args(%s = %p) -> (f32) {
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
func.func @horner(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %z) -> (f32) {
    %w = affine.min affine_map<(i)[n] -> (4, n - i)>(%i)[%n]
    %e = scf.for %j = %c0 to %w step %c1 iter_args(%u = %s) -> (f32) {
      %k = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
      %a = tensor.extract %x[%k] : tensor<?xf32>
      %m = arith.mulf %u, %z : f32
      %t = arith.addf %m, %a : f32
      scf.yield %t : f32
    }
    scf.yield %e : f32
  }
  return %r : f32
}
func.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
    %b = affine.load %x[%j] : memref<?xf32>
    affine.store %b, %y[%j] : memref<?xf32>
  }
  affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
  }
  %p = affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 iter_args(%s = %z) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    %b = affine.load %y[%i + 1] : memref<?xf32>
    %u = arith.addf %t, %b : f32
    affine.yield %u : f32
  }
  %r = affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n iter_args(%s = %p) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}
// ----- refuted-each --distinct
func.func @sum(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %a = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n]
  %b = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3 + 1)>()[%n]
  %p = scf.for %i = %c0 to %a step %c3 iter_args(%s = %z) -> (f32) {
    %k1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = tensor.extract %x[%k1] : tensor<?xf32>
    %2 = tensor.extract %x[%k2] : tensor<?xf32>
    %3 = arith.addf %s, %0 : f32
    %4 = arith.addf %3, %1 : f32
    %5 = arith.addf %4, %2 : f32
    scf.yield %5 : f32
  }
  %r = scf.for %i = %b to %n step %c1 iter_args(%s = %p) -> (f32) {
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
func.func @horner(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %z) -> (f32) {
    %w = affine.min affine_map<(i)[n] -> (3, n - i)>(%i)[%n]
    %e = scf.for %j = %c0 to %w step %c1 iter_args(%u = %s) -> (f32) {
      %k = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
      %a = tensor.extract %x[%k] : tensor<?xf32>
      %m = arith.mulf %u, %z : f32
      %t = arith.addf %m, %a : f32
      scf.yield %t : f32
    }
    scf.yield %e : f32
  }
  return %r : f32
}
func.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
    %b = affine.load %x[%i] : memref<?xf32>
    affine.store %b, %y[%j] : memref<?xf32>
  }
  affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
  }
  %p = affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 iter_args(%s = %z) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    %b = affine.load %y[%i + 1] : memref<?xf32>
    %u = arith.addf %t, %b : f32
    affine.yield %u : f32
  }
  %r = affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n iter_args(%s = %p) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}
// ----- refuted-each --distinct
func.func @sum(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %a = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n]
  %b = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3 + 1)>()[%n]
  %p = scf.for %i = %c0 to %a step %c3 iter_args(%s = %z) -> (f32) {
    %k1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = tensor.extract %x[%k1] : tensor<?xf32>
    %2 = tensor.extract %x[%k1] : tensor<?xf32>
    %3 = arith.addf %s, %0 : f32
    %4 = arith.addf %3, %1 : f32
    %5 = arith.addf %4, %2 : f32
    scf.yield %5 : f32
  }
  %r = scf.for %i = %a to %n step %c1 iter_args(%s = %p) -> (f32) {
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
func.func @horner(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %z) -> (f32) {
    %w = affine.min affine_map<(i)[n] -> (4, n - i)>(%i)[%n]
    %e = scf.for %j = %c0 to %w step %c1 iter_args(%u = %s) -> (f32) {
      %k = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
      %a = tensor.extract %x[%k] : tensor<?xf32>
      %m = arith.mulf %u, %z : f32
      %t = arith.addf %u, %a : f32
      scf.yield %t : f32
    }
    scf.yield %e : f32
  }
  return %r : f32
}
func.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
    %b = affine.load %x[%j] : memref<?xf32>
    affine.store %a, %y[%j] : memref<?xf32>
  }
  affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
  }
  %p = affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 iter_args(%s = %z) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    %b = affine.load %y[%i + 1] : memref<?xf32>
    %u = arith.addf %t, %b : f32
    affine.yield %u : f32
  }
  %r = affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n iter_args(%s = %p) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}
// ----- refuted-each --distinct
func.func @sum(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %a = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n]
  %b = affine.apply affine_map<()[s0] -> ((s0 floordiv 3) * 3 + 1)>()[%n]
  %p = scf.for %i = %c0 to %a step %c3 iter_args(%s = %z) -> (f32) {
    %k1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = tensor.extract %x[%k1] : tensor<?xf32>
    %2 = tensor.extract %x[%k2] : tensor<?xf32>
    %3 = arith.addf %s, %1 : f32
    %4 = arith.addf %3, %0 : f32
    %5 = arith.addf %4, %2 : f32
    scf.yield %5 : f32
  }
  %r = scf.for %i = %a to %n step %c1 iter_args(%s = %p) -> (f32) {
    %0 = tensor.extract %x[%i] : tensor<?xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  return %r : f32
}
func.func @horner(%x: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %z) -> (f32) {
    %w = affine.min affine_map<(i)[n] -> (4, n - i - 1)>(%i)[%n]
    %e = scf.for %j = %c0 to %w step %c1 iter_args(%u = %s) -> (f32) {
      %k = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
      %a = tensor.extract %x[%k] : tensor<?xf32>
      %m = arith.mulf %u, %z : f32
      %t = arith.addf %m, %a : f32
      scf.yield %t : f32
    }
    scf.yield %e : f32
  }
  return %r : f32
}
func.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
    %b = affine.load %x[%j] : memref<?xf32>
    affine.store %b, %y[%j] : memref<?xf32>
  }
  affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    affine.store %a, %y[%i] : memref<?xf32>
  }
  %p = affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 iter_args(%s = %z) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %a, %a : f32
    %b = affine.load %y[%i + 1] : memref<?xf32>
    %u = arith.addf %t, %b : f32
    affine.yield %u : f32
  }
  %r = affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n iter_args(%s = %p) -> (f32) {
    %a = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}
