// A nest that keeps a sum for each row in memory, as one loop (affine-loop-coalescing).
func.func @rows(%a: memref<12x20xf32>, %b: memref<12xf32>) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 20 {
      %0 = affine.load %a[%i, %j] : memref<12x20xf32>
      %1 = affine.load %b[%i] : memref<12xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %b[%i] : memref<12xf32>
    }
  }
  return
}
func.func @dynamic(%a: memref<?x20xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x20xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to 20 {
      %0 = affine.load %a[%i, %j] : memref<?x20xf32>
      %1 = affine.load %b[%i] : memref<?xf32>
      %2 = arith.mulf %0, %1 : f32
      affine.store %2, %b[%i] : memref<?xf32>
    }
  }
  return
}
func.func @open(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = affine.load %b[%i] : memref<?xf32>
      %2 = arith.mulf %0, %1 : f32
      affine.store %2, %b[%i] : memref<?xf32>
    }
  }
  return
}
// ----- proved --distinct
func.func @rows(%a: memref<12x20xf32>, %b: memref<12xf32>) {
  affine.for %k = 0 to 240 {
    %i = affine.apply affine_map<(d0) -> (d0 floordiv 20)>(%k)
    %j = affine.apply affine_map<(d0) -> (d0 mod 20)>(%k)
    %0 = affine.load %a[%i, %j] : memref<12x20xf32>
    %1 = affine.load %b[%i] : memref<12xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i] : memref<12xf32>
  }
  return
}
func.func @dynamic(%a: memref<?x20xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x20xf32>
  %n = affine.apply affine_map<()[s0] -> (s0 * 20)>()[%m]
  affine.for %k = 0 to %n {
    %i = affine.apply affine_map<(d0) -> (d0 floordiv 20)>(%k)
    %j = affine.apply affine_map<(d0) -> (d0 mod 20)>(%k)
    %0 = affine.load %a[%i, %j] : memref<?x20xf32>
    %1 = affine.load %b[%i] : memref<?xf32>
    %2 = arith.mulf %0, %1 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}
func.func @open(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %k = 0 to affine_map<()[s0, s1] -> (s1 * s0)>()[%n, %m] {
    %0 = affine.load %a[%k floordiv symbol(%n), %k mod symbol(%n)] : memref<?x?xf32>
    %1 = affine.load %b[%k floordiv symbol(%n)] : memref<?xf32>
    %2 = arith.mulf %0, %1 : f32
    affine.store %2, %b[%k floordiv symbol(%n)] : memref<?xf32>
  }
  return
}
// ----- refuted-each --distinct
func.func @rows(%a: memref<12x20xf32>, %b: memref<12xf32>) {
  affine.for %k = 0 to 239 {
    %i = affine.apply affine_map<(d0) -> (d0 floordiv 20)>(%k)
    %j = affine.apply affine_map<(d0) -> (d0 mod 20)>(%k)
    %0 = affine.load %a[%i, %j] : memref<12x20xf32>
    %1 = affine.load %b[%i] : memref<12xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i] : memref<12xf32>
  }
  return
}
func.func @dynamic(%a: memref<?x20xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x20xf32>
  %n = affine.apply affine_map<()[s0] -> (s0 * 20)>()[%m]
  affine.for %k = 0 to %n {
    %i = affine.apply affine_map<(d0) -> (d0 floordiv 20)>(%k)
    %j = affine.apply affine_map<(d0) -> (19 - d0 mod 20)>(%k)
    %0 = affine.load %a[%i, %j] : memref<?x20xf32>
    %1 = affine.load %b[%i] : memref<?xf32>
    %2 = arith.mulf %0, %1 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}
func.func @open(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %k = 0 to affine_map<()[s0, s1] -> (s1 * s0)>()[%n, %m] {
    %0 = affine.load %a[%k floordiv symbol(%n), (%k floordiv 2) mod symbol(%n)] : memref<?x?xf32>
    %1 = affine.load %b[%k floordiv symbol(%n)] : memref<?xf32>
    %2 = arith.mulf %0, %1 : f32
    affine.store %2, %b[%k floordiv symbol(%n)] : memref<?xf32>
  }
  return
}
