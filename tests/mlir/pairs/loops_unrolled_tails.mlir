// Tails of unrolled and peeled loops: of one step, of one tile, of rows whose length is not known.
func.func @one_step(%x: memref<8x100xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = affine.for %c = 0 to 8 iter_args(%b = %z) -> (f32) {
    %t = affine.for %i = 0 to 100 iter_args(%a = %b) -> (f32) {
      %v = affine.load %x[%c, %i] : memref<8x100xf32>
      %u = arith.addf %a, %v : f32
      affine.yield %u : f32
    }
    affine.yield %t : f32
  }
  return %s : f32
}
func.func @one_tile(%x: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %s = scf.for %i = %c0 to %n step %c4 iter_args(%a = %z) -> (f32) {
    %k = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
    %t = scf.for %j = %c0 to %k step %c1 iter_args(%b = %a) -> (f32) {
      %q = arith.addi %i, %j : index
      %v = memref.load %x[%q] : memref<?xf32>
      %u = arith.maximumf %b, %v : f32
      scf.yield %u : f32
    }
    scf.yield %t : f32
  }
  return %s : f32
}
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %c = 0 to %m {
    affine.for %i = 0 to %n {
      %v = affine.load %x[%c, %i] : memref<?x?xf32>
      %r = arith.mulf %v, %v : f32
      affine.store %r, %y[%c, %i] : memref<?x?xf32>
    }
  }
  return
}
// ----- proved-each --distinct
func.func @one_step(%x: memref<8x100xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %c99 = arith.constant 99 : index
  %s = affine.for %c = 0 to 8 iter_args(%b = %z) -> (f32) {
    %t = affine.for %i = 0 to 99 step 3 iter_args(%a = %b) -> (f32) {
      %v0 = affine.load %x[%c, %i] : memref<8x100xf32>
      %u0 = arith.addf %a, %v0 : f32
      %v1 = affine.load %x[%c, %i + 1] : memref<8x100xf32>
      %u1 = arith.addf %u0, %v1 : f32
      %v2 = affine.load %x[%c, %i + 2] : memref<8x100xf32>
      %u2 = arith.addf %u1, %v2 : f32
      affine.yield %u2 : f32
    }
    %v = affine.load %x[%c, %c99] : memref<8x100xf32>
    %u = arith.addf %t, %v : f32
    affine.yield %u : f32
  }
  return %s : f32
}
func.func @one_tile(%x: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %w = affine.apply affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%n]
  %s = scf.for %i = %c0 to %w step %c4 iter_args(%a = %z) -> (f32) {
    %t = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (f32) {
      %q = arith.addi %i, %j : index
      %v = memref.load %x[%q] : memref<?xf32>
      %u = arith.maximumf %b, %v : f32
      scf.yield %u : f32
    }
    scf.yield %t : f32
  }
  %e = scf.for %i = %w to %n step %c4 iter_args(%a = %s) -> (f32) {
    %k = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n]
    %t = scf.for %j = %c0 to %k step %c1 iter_args(%b = %a) -> (f32) {
      %q = arith.addi %i, %j : index
      %v = memref.load %x[%q] : memref<?xf32>
      %u = arith.maximumf %b, %v : f32
      scf.yield %u : f32
    }
    scf.yield %t : f32
  }
  return %e : f32
}
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %c = 0 to %m {
    affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
      %v0 = affine.load %x[%c, %i] : memref<?x?xf32>
      %r0 = arith.mulf %v0, %v0 : f32
      affine.store %r0, %y[%c, %i] : memref<?x?xf32>
      %v1 = affine.load %x[%c, %i + 1] : memref<?x?xf32>
      %r1 = arith.mulf %v1, %v1 : f32
      affine.store %r1, %y[%c, %i + 1] : memref<?x?xf32>
    }
    affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
      %v = affine.load %x[%c, %i] : memref<?x?xf32>
      %r = arith.mulf %v, %v : f32
      affine.store %r, %y[%c, %i] : memref<?x?xf32>
    }
  }
  return
}
// ----- refuted-each --distinct
func.func @one_step(%x: memref<8x100xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %c99 = arith.constant 99 : index
  %s = affine.for %c = 0 to 8 iter_args(%b = %z) -> (f32) {
    %w = affine.load %x[%c, %c99] : memref<8x100xf32>
    %a0 = arith.addf %b, %w : f32
    %t = affine.for %i = 0 to 99 step 3 iter_args(%a = %a0) -> (f32) {
      %v0 = affine.load %x[%c, %i] : memref<8x100xf32>
      %u0 = arith.addf %a, %v0 : f32
      %v1 = affine.load %x[%c, %i + 1] : memref<8x100xf32>
      %u1 = arith.addf %u0, %v1 : f32
      %v2 = affine.load %x[%c, %i + 2] : memref<8x100xf32>
      %u2 = arith.addf %u1, %v2 : f32
      affine.yield %u2 : f32
    }
    affine.yield %t : f32
  }
  return %s : f32
}
func.func @one_tile(%x: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %w = affine.apply affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%n]
  %s = scf.for %i = %c0 to %w step %c4 iter_args(%a = %z) -> (f32) {
    %t = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (f32) {
      %q = arith.addi %i, %j : index
      %v = memref.load %x[%q] : memref<?xf32>
      %u = arith.maximumf %b, %v : f32
      scf.yield %u : f32
    }
    scf.yield %t : f32
  }
  return %s : f32
}
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %c = 0 to %m {
    affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] step 2 {
      %v0 = affine.load %x[%c, %i] : memref<?x?xf32>
      %r0 = arith.mulf %v0, %v0 : f32
      affine.store %r0, %y[%c, %i] : memref<?x?xf32>
      affine.store %r0, %y[%c, %i + 1] : memref<?x?xf32>
    }
    affine.for %i = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>()[%n] to %n {
      %v = affine.load %x[%c, %i] : memref<?x?xf32>
      %r = arith.mulf %v, %v : f32
      affine.store %r, %y[%c, %i] : memref<?x?xf32>
    }
  }
  return
}
