// Affine maps are of whole numbers: what no index holds is poison, and undefined where it decides something.
func.func @ceil(%i: index) -> index {
  %r = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%i)
  return %r : index
}
func.func @composed(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
  %1 = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%0)
  return %1 : index
}
func.func @place(%a: memref<?xf32>, %i: index) -> f32 {
  %k = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
  %r = affine.load %a[%k + 1] : memref<?xf32>
  return %r : f32
}
func.func @least(%i: index, %n: index) -> index {
  %r = affine.min affine_map<(d0, d1) -> (d0 + 32, d1)>(%i, %n)
  return %r : index
}
func.func @condition(%i: index, %n: index) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %r = affine.if affine_set<(d0)[s0] : (s0 - d0 - 5 >= 0, d0 mod 2 == 0)>(%i)[%n] -> i32 {
    affine.yield %a : i32
  } else {
    affine.yield %b : i32
  }
  return %r : i32
}
func.func @hoisted(%n: index, %c: i1, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %r = affine.apply affine_map<(d0) -> ((d0 + 3) floordiv 4)>(%n)
    memref.store %r, %a[%c0] : memref<?xindex>
  }
  return
}
// A loop that is cut, with a lower bound that is the greatest of two.
func.func @steps(%s: index, %n: index) -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %r = affine.for %i = max affine_map<(d0) -> (d0 - 4, 0)>(%s) to min affine_map<(d0) -> (d0 + 4, 10)>(%n)
      iter_args(%x = %c0) -> i32 {
    %y = arith.addi %x, %c1 : i32
    affine.yield %y : i32
  }
  return %r : i32
}
// ----- proved-each
func.func @composed(%i: index) -> index {
  return %i : index
}
func.func @place(%a: memref<?xf32>, %i: index) -> f32 {
  %r = affine.load %a[%i * 4 + 1] : memref<?xf32>
  return %r : f32
}
func.func @least(%i: index, %n: index) -> index {
  %c32 = arith.constant 32 : index
  %0 = arith.addi %i, %c32 : index
  %1 = arith.minsi %0, %n : index
  return %1 : index
}
func.func @condition(%i: index, %n: index) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c-1 = arith.constant -1 : index
  %c-5 = arith.constant -5 : index
  %0 = arith.muli %i, %c-1 : index
  %1 = arith.addi %n, %0 : index
  %2 = arith.addi %1, %c-5 : index
  %3 = arith.cmpi sge, %2, %c0 : index
  %4 = arith.remsi %i, %c2 : index
  %5 = arith.cmpi eq, %4, %c0 : index
  %6 = arith.andi %3, %5 : i1
  %r = arith.select %6, %a, %b : i32
  return %r : i32
}
func.func @hoisted(%n: index, %c: i1, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %r = affine.apply affine_map<(d0) -> ((d0 + 3) floordiv 4)>(%n)
  scf.if %c {
    memref.store %r, %a[%c0] : memref<?xindex>
  }
  return
}
func.func @steps(%s: index, %n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %0 = arith.subi %s, %c4 : index
  %1 = arith.maxsi %0, %c0 : index
  %2 = arith.addi %n, %c4 : index
  %3 = arith.minsi %2, %c10 : index
  %r = scf.for %i = %1 to %3 step %c1 iter_args(%x = %none) -> i32 {
    %y = arith.addi %x, %one : i32
    scf.yield %y : i32
  }
  return %r : i32
}
// ----- unknown-each
// What the target divides, or compares, may leave an index where the source does not; lowered it would wrap.
func.func @ceil(%i: index) -> index {
  %r = affine.apply affine_map<(d0) -> ((d0 + 3) floordiv 4)>(%i)
  return %r : index
}
func.func @condition(%i: index, %n: index) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %r = affine.if affine_set<(d0)[s0] : (s0 * 2 - d0 * 2 - 10 >= 0, d0 mod 2 == 0)>(%i)[%n] -> i32 {
    affine.yield %a : i32
  } else {
    affine.yield %b : i32
  }
  return %r : i32
}
func.func @hoisted(%n: index, %c: i1, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %r = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%n)
    memref.store %r, %a[%c0] : memref<?xindex>
    %q = affine.apply affine_map<(d0) -> ((d0 + 3) floordiv 4)>(%n)
    memref.store %q, %a[%c0] : memref<?xindex>
  }
  affine.if affine_set<()[s0] : (s0 * 2 >= 0)>()[%n] {
  }
  return
}
// ----- refuted-each
func.func @ceil(%i: index) -> index {
  %r = affine.apply affine_map<(d0) -> ((d0 + 4) floordiv 4)>(%i)
  return %r : index
}
func.func @composed(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%i)
  %1 = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%0)
  return %1 : index
}
func.func @place(%a: memref<?xf32>, %i: index) -> f32 {
  %r = affine.load %a[%i * 4] : memref<?xf32>
  return %r : f32
}
func.func @least(%i: index, %n: index) -> index {
  %c32 = arith.constant 32 : index
  %0 = arith.addi %i, %c32 : index
  %1 = arith.minui %0, %n : index
  return %1 : index
}
func.func @condition(%i: index, %n: index) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %r = affine.if affine_set<(d0)[s0] : (s0 - d0 - 4 >= 0, d0 mod 2 == 0)>(%i)[%n] -> i32 {
    affine.yield %a : i32
  } else {
    affine.yield %b : i32
  }
  return %r : i32
}
func.func @hoisted(%n: index, %c: i1, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %r = affine.apply affine_map<(d0) -> ((d0 + 3) floordiv 4)>(%n)
  memref.store %r, %a[%c0] : memref<?xindex>
  return
}
func.func @steps(%s: index, %n: index) -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %r = affine.for %i = max affine_map<(d0) -> (d0 - 4, 0)>(%s) to min affine_map<(d0) -> (d0 + 4, 11)>(%n)
      iter_args(%x = %c0) -> i32 {
    %y = arith.addi %x, %c1 : i32
    affine.yield %y : i32
  }
  return %r : i32
}
