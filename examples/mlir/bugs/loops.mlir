// Loops: wrong tails, fusion and reversal across a dependence, a start that is dropped, a store that is hoisted, parallel loops.
// The source; behind the lines `// -----` what a right pass, and what a wrong one makes of it.
func.func @wrong_tail(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.muli %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @fusion_across_dependence(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %t = memref.alloc(%n) : memref<?xi32>
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %t[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %m step %c1 {
  %j = arith.addi %i, %c1 : index
  %u = memref.load %t[%j] : memref<?xi32>
  memref.store %u, %a[%i] : memref<?xi32>
  }
  return
}
func.func @reversed(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
  %j = arith.addi %i, %c1 : index
  %u = memref.load %a[%j] : memref<?xi32>
  memref.store %u, %a[%i] : memref<?xi32>
  }
  return
}
func.func @dropped_start(%a: memref<?xi32>, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> i32 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.addi %acc, %x : i32
  scf.yield %y : i32
  }
  return %s : i32
}
func.func @unrolled_too_little(%a: memref<4xi32>) {
  affine.for %i = 0 to 4 {
  %x = affine.load %a[%i] : memref<4xi32>
  %y = arith.addi %x, %x : i32
  affine.store %y, %a[%i] : memref<4xi32>
  }
  return
}
func.func @hoisted_store(%a: memref<8xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  memref.store %x, %a[%c0] : memref<8xi32>
  }
  return
}
func.func @interchanged(%a: memref<8x8xi32>) {
  affine.for %i = 1 to 8 {
  affine.for %j = 0 to 8 {
  %x = affine.load %a[%i, %j] : memref<8x8xi32>
  %y = arith.addi %x, %x : i32
  affine.store %y, %a[%i, %j] : memref<8x8xi32>
  }
  }
  return
}
func.func @made_parallel(%a: memref<8xi32>, %b: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  memref.copy %a, %t : memref<8xi32> to memref<8xi32>
  affine.for %i = 0 to 8 {
  %x = affine.load %t[-%i + 7] : memref<8xi32>
  affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}
func.func @peeled_first(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.muli %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @peeled_without_iterations(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %i = %c1 to %n step %c2 {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %x : i32
    memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @fused_in_place(%a: memref<4xi32>) {
  %k = arith.constant 100 : i32
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }
  affine.for %i = 1 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.minui %x, %k : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }
  return
}
func.func @unrolled_without_iterations(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %a[%i] : memref<?xi32>
  }
  return
}
// The loop over %j was put into the one over %k, which makes it once again for each column, with a sum that goes on.
func.func @fused_sum_again(%a: memref<4x8xf32>) -> memref<4x6xf32> {
  %o = memref.alloc() : memref<4x6xf32>
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    affine.store %z, %s[%i] : memref<4xf32>
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xf32>
      %t = affine.load %s[%i] : memref<4xf32>
      %w = arith.addf %t, %x : f32
      affine.store %w, %s[%i] : memref<4xf32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to 6 {
      %x = affine.load %a[%i, %k] : memref<4x8xf32>
      %t = affine.load %s[%i] : memref<4xf32>
      %w = arith.divf %x, %t : f32
      affine.store %w, %o[%i, %k] : memref<4x6xf32>
    }
  }
  memref.dealloc %s : memref<4xf32>
  return %o : memref<4x6xf32>
}
// ----- proved-each
func.func @wrong_tail(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %o = %c0 to %n step %c8 {
  %r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%o)[%n]
  scf.for %k = %c0 to %r step %c1 {
  %i = arith.addi %o, %k : index
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.muli %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  
  }
  return
}
func.func @fusion_across_dependence(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
  %j = arith.addi %i, %c1 : index
  %x = memref.load %a[%j] : memref<?xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @reversed(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %m = arith.subi %n, %c1 : index
  %t = memref.alloc(%n) : memref<?xi32>
  memref.copy %a, %t : memref<?xi32> to memref<?xi32>
  scf.for %i = %c0 to %m step %c1 {
  %j = arith.addi %i, %c1 : index
  %u = memref.load %t[%j] : memref<?xi32>
  memref.store %u, %a[%i] : memref<?xi32>
  }
  memref.dealloc %t : memref<?xi32>
  return
}
func.func @dropped_start(%a: memref<?xi32>, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> i32 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.addi %acc, %x : i32
  scf.yield %y : i32
  }
  %r = arith.addi %s, %z : i32
  return %r : i32
}
func.func @unrolled_too_little(%a: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %x0 = memref.load %a[%c0] : memref<4xi32>
  %y0 = arith.addi %x0, %x0 : i32
  memref.store %y0, %a[%c0] : memref<4xi32>
  %c1 = arith.constant 1 : index
  %x1 = memref.load %a[%c1] : memref<4xi32>
  %y1 = arith.addi %x1, %x1 : i32
  memref.store %y1, %a[%c1] : memref<4xi32>
  %c2 = arith.constant 2 : index
  %x2 = memref.load %a[%c2] : memref<4xi32>
  %y2 = arith.addi %x2, %x2 : i32
  memref.store %y2, %a[%c2] : memref<4xi32>
  %c3 = arith.constant 3 : index
  %x3 = memref.load %a[%c3] : memref<4xi32>
  %y3 = arith.addi %x3, %x3 : i32
  memref.store %y3, %a[%c3] : memref<4xi32>
  return
}
func.func @hoisted_store(%a: memref<8xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi sgt, %n, %c0 : index
  scf.if %c {
  memref.store %x, %a[%c0] : memref<8xi32>
  }
  return
}
func.func @interchanged(%a: memref<8x8xi32>) {
  affine.for %j = 0 to 8 {
  affine.for %i = 1 to 8 {
  %x = affine.load %a[%i, %j] : memref<8x8xi32>
  %y = arith.addi %x, %x : i32
  affine.store %y, %a[%i, %j] : memref<8x8xi32>
  }
  }
  return
}
func.func @made_parallel(%a: memref<8xi32>, %b: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  memref.copy %a, %t : memref<8xi32> to memref<8xi32>
  affine.parallel (%i) = (0) to (8) {
  %x = affine.load %t[-%i + 7] : memref<8xi32>
  affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}
func.func @peeled_first(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
  %p = memref.load %a[%c0] : memref<?xi32>
  %q = arith.muli %p, %p : i32
  memref.store %q, %a[%c0] : memref<?xi32>
  }
  scf.for %i = %c1 to %n step %c1 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.muli %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @peeled_without_iterations(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %m = arith.maxsi %n, %c1 : index
  %s = affine.apply affine_map<()[n] -> (n - (n - 1) mod 2)>()[%m]
  scf.for %i = %c1 to %s step %c2 {
    %x0 = memref.load %a[%i] : memref<?xi32>
    %y0 = arith.muli %x0, %x0 : i32
    memref.store %y0, %a[%i] : memref<?xi32>
  }
  scf.for %i = %s to %n step %c2 {
    %x1 = memref.load %a[%i] : memref<?xi32>
    %y1 = arith.muli %x1, %x1 : i32
    memref.store %y1, %a[%i] : memref<?xi32>
  }
  return
}
func.func @fused_in_place(%a: memref<4xi32>) {
  %k = arith.constant 100 : i32
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<4xi32>
    affine.if affine_set<(i) : (i - 1 >= 0)>(%i) {
      %z = arith.minui %y, %k : i32
      affine.store %z, %a[%i] : memref<4xi32>
    }
  }
  return
}
func.func @unrolled_without_iterations(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 1 to affine_map<()[n] -> (((n - 2) floordiv 2) * 2 + 1)>()[%n] step 2 {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %a[%i] : memref<?xi32>
    %z = affine.load %a[%i + 1] : memref<?xi32>
    %w = arith.muli %z, %z : i32
    affine.store %w, %a[%i + 1] : memref<?xi32>
  }
  affine.for %i = max affine_map<()[n] -> (1, ((n - 2) floordiv 2) * 2 + 1)>()[%n] to affine_map<()[n] -> (n - 1)>()[%n] {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @fused_sum_again(%a: memref<4x8xf32>) -> memref<4x6xf32> {
  %o = memref.alloc() : memref<4x6xf32>
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<1xf32>
  affine.for %i = 0 to 4 {
    affine.store %z, %s[0] : memref<1xf32>
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xf32>
      %t = affine.load %s[0] : memref<1xf32>
      %w = arith.addf %t, %x : f32
      affine.store %w, %s[0] : memref<1xf32>
    }
    affine.for %k = 0 to 6 {
      %y = affine.load %a[%i, %k] : memref<4x8xf32>
      %u = affine.load %s[0] : memref<1xf32>
      %v = arith.divf %y, %u : f32
      affine.store %v, %o[%i, %k] : memref<4x6xf32>
    }
  }
  memref.dealloc %s : memref<1xf32>
  return %o : memref<4x6xf32>
}
// ----- refuted-each
func.func @wrong_tail(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %o = %c0 to %n step %c8 {
  %r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0 - 1)>(%o)[%n]
  scf.for %k = %c0 to %r step %c1 {
  %i = arith.addi %o, %k : index
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.muli %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  
  }
  return
}
func.func @fusion_across_dependence(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @reversed(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %m = arith.subi %n, %c1 : index
  scf.for %k = %c0 to %m step %c1 {
  %p = arith.subi %m, %k : index
  %i = arith.subi %p, %c1 : index
  %j = arith.addi %i, %c1 : index
  %u = memref.load %a[%j] : memref<?xi32>
  memref.store %u, %a[%i] : memref<?xi32>
  }
  return
}
func.func @dropped_start(%a: memref<?xi32>, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> i32 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.addi %acc, %x : i32
  scf.yield %y : i32
  }
  return %s : i32
}
func.func @unrolled_too_little(%a: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %x0 = memref.load %a[%c0] : memref<4xi32>
  %y0 = arith.addi %x0, %x0 : i32
  memref.store %y0, %a[%c0] : memref<4xi32>
  %c1 = arith.constant 1 : index
  %x1 = memref.load %a[%c1] : memref<4xi32>
  %y1 = arith.addi %x1, %x1 : i32
  memref.store %y1, %a[%c1] : memref<4xi32>
  %c2 = arith.constant 2 : index
  %x2 = memref.load %a[%c2] : memref<4xi32>
  %y2 = arith.addi %x2, %x2 : i32
  memref.store %y2, %a[%c2] : memref<4xi32>
  return
}
func.func @hoisted_store(%a: memref<8xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xi32>
  return
}
func.func @interchanged(%a: memref<8x8xi32>) {
  affine.for %j = 1 to 8 {
  affine.for %i = 0 to 8 {
  %x = affine.load %a[%i, %j] : memref<8x8xi32>
  %y = arith.addi %x, %x : i32
  affine.store %y, %a[%i, %j] : memref<8x8xi32>
  }
  }
  return
}
func.func @made_parallel(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
  %x = affine.load %a[-%i + 7] : memref<8xi32>
  affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}
func.func @peeled_first(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %p = memref.load %a[%c0] : memref<?xi32>
  %q = arith.muli %p, %p : i32
  memref.store %q, %a[%c0] : memref<?xi32>
  scf.for %i = %c1 to %n step %c1 {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.muli %x, %x : i32
  memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @peeled_without_iterations(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %s = affine.apply affine_map<()[n] -> (n - (n - 1) mod 2)>()[%n]
  scf.for %i = %c1 to %s step %c2 {
    %x0 = memref.load %a[%i] : memref<?xi32>
    %y0 = arith.muli %x0, %x0 : i32
    memref.store %y0, %a[%i] : memref<?xi32>
  }
  scf.for %i = %s to %n step %c2 {
    %x1 = memref.load %a[%i] : memref<?xi32>
    %y1 = arith.muli %x1, %x1 : i32
    memref.store %y1, %a[%i] : memref<?xi32>
  }
  return
}
func.func @fused_in_place(%a: memref<4xi32>) {
  %k = arith.constant 100 : i32
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }
  affine.for %i = 1 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %x : i32
    %z = arith.minui %y, %k : i32
    affine.store %z, %a[%i] : memref<4xi32>
  }
  return
}
func.func @unrolled_without_iterations(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 1 to affine_map<()[n] -> (((n - 2) floordiv 2) * 2 + 1)>()[%n] step 2 {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %a[%i] : memref<?xi32>
    %z = affine.load %a[%i + 1] : memref<?xi32>
    %w = arith.muli %z, %z : i32
    affine.store %w, %a[%i + 1] : memref<?xi32>
  }
  affine.for %i = affine_map<()[n] -> (((n - 2) floordiv 2) * 2 + 1)>()[%n] to affine_map<()[n] -> (n - 1)>()[%n] {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %a[%i] : memref<?xi32>
  }
  return
}
func.func @fused_sum_again(%a: memref<4x8xf32>) -> memref<4x6xf32> {
  %o = memref.alloc() : memref<4x6xf32>
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<1xf32>
  affine.for %i = 0 to 4 {
    affine.store %z, %s[0] : memref<1xf32>
    affine.for %k = 0 to 6 {
      affine.for %j = 0 to 8 {
        %x = affine.load %a[%i, %j] : memref<4x8xf32>
        %t = affine.load %s[0] : memref<1xf32>
        %w = arith.addf %t, %x : f32
        affine.store %w, %s[0] : memref<1xf32>
      }
      %y = affine.load %a[%i, %k] : memref<4x8xf32>
      %u = affine.load %s[0] : memref<1xf32>
      %v = arith.divf %y, %u : f32
      affine.store %v, %o[%i, %k] : memref<4x6xf32>
    }
  }
  memref.dealloc %s : memref<1xf32>
  return %o : memref<4x6xf32>
}
