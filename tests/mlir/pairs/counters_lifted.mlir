// Loops of branches that were lifted to scf.while: the condition is a number that an scf.if yields, and the body runs before it.
func.func @sum(%x: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %a = memref.load %x[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @at_least_once(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c0, %x : i32, f32)
^bb1(%i: i32, %a: f32):
  %b = arith.mulf %a, %x : f32
  %j = arith.addi %i, %c1 : i32
  %c = arith.cmpi sge, %j, %n : i32
  cf.cond_br %c, ^bb2(%b : f32), ^bb1(%j, %b : i32, f32)
^bb2(%r: f32):
  return %r : f32
}
// ----- proved
func.func @sum(%x: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %p = ub.poison : index
  %q = ub.poison : f32
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %1:3 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32, f32) {
    %2 = arith.cmpi slt, %i, %n : index
    %3:4 = scf.if %2 -> (index, f32, i32, i32) {
      %10 = memref.load %x[%i] : memref<?xf32>
      %11 = arith.addf %s, %10 : f32
      %12 = arith.addi %i, %c1 : index
      %13 = arith.addi %i, %c2 : index
      scf.yield %12, %11, %c0_i32, %c1_i32 : index, f32, i32, i32
    } else {
      scf.yield %p, %q, %c1_i32, %c0_i32 : index, f32, i32, i32
    }
    %4 = arith.trunci %3#3 : i32 to i1
    scf.condition(%4) %3#0, %3#1, %s : index, f32, f32
  } do {
  ^bb0(%i: index, %s: f32, %t: f32):
    scf.yield %i, %s : index, f32
  }
  return %1#2 : f32
}
func.func @at_least_once(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %0:2 = scf.while (%i = %c0, %a = %x) : (i32, f32) -> (i32, f32) {
    %b = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1 : i32
    %c = arith.cmpi sge, %j, %n : i32
    %d = arith.xori %c, %true : i1
    scf.condition(%d) %j, %b : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    scf.yield %i, %a : i32, f32
  }
  return %0#1 : f32
}
// ----- refuted-each
func.func @sum(%x: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %p = ub.poison : index
  %q = ub.poison : f32
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %1:3 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32, f32) {
    %2 = arith.cmpi sle, %i, %n : index
    %3:4 = scf.if %2 -> (index, f32, i32, i32) {
      %10 = memref.load %x[%i] : memref<?xf32>
      %11 = arith.addf %s, %10 : f32
      %12 = arith.addi %i, %c1 : index
      %13 = arith.addi %i, %c2 : index
      scf.yield %12, %11, %c0_i32, %c1_i32 : index, f32, i32, i32
    } else {
      scf.yield %p, %q, %c1_i32, %c0_i32 : index, f32, i32, i32
    }
    %4 = arith.trunci %3#3 : i32 to i1
    scf.condition(%4) %3#0, %3#1, %s : index, f32, f32
  } do {
  ^bb0(%i: index, %s: f32, %t: f32):
    scf.yield %i, %s : index, f32
  }
  return %1#2 : f32
}
func.func @at_least_once(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0:2 = scf.while (%i = %c0, %a = %x) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %a : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    %j = arith.addi %i, %c1 : i32
    %b = arith.mulf %a, %x : f32
    scf.yield %j, %b : i32, f32
  }
  return %0#1 : f32
}
// ----- refuted-each
func.func @sum(%x: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %p = ub.poison : index
  %q = ub.poison : f32
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %1:3 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32, f32) {
    %2 = arith.cmpi slt, %i, %n : index
    %3:4 = scf.if %2 -> (index, f32, i32, i32) {
      %10 = memref.load %x[%i] : memref<?xf32>
      %11 = arith.addf %s, %10 : f32
      %12 = arith.addi %i, %c1 : index
      %13 = arith.addi %i, %c2 : index
      scf.yield %13, %11, %c0_i32, %c1_i32 : index, f32, i32, i32
    } else {
      scf.yield %p, %q, %c1_i32, %c0_i32 : index, f32, i32, i32
    }
    %4 = arith.trunci %3#3 : i32 to i1
    scf.condition(%4) %3#0, %3#1, %s : index, f32, f32
  } do {
  ^bb0(%i: index, %s: f32, %t: f32):
    scf.yield %i, %s : index, f32
  }
  return %1#2 : f32
}
func.func @at_least_once(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %0:2 = scf.while (%i = %c0, %a = %x) : (i32, f32) -> (i32, f32) {
    %b = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1 : i32
    %c = arith.cmpi sgt, %j, %n : i32
    %d = arith.xori %c, %true : i1
    scf.condition(%d) %j, %b : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    scf.yield %i, %a : i32, f32
  }
  return %0#1 : f32
}
// ----- refuted-each
func.func @sum(%x: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %p = ub.poison : index
  %q = ub.poison : f32
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %1:3 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32, f32) {
    %2 = arith.cmpi slt, %i, %n : index
    %3:4 = scf.if %2 -> (index, f32, i32, i32) {
      %10 = memref.load %x[%i] : memref<?xf32>
      %11 = arith.addf %s, %10 : f32
      %12 = arith.addi %i, %c1 : index
      %13 = arith.addi %i, %c2 : index
      scf.yield %13, %11, %c0_i32, %c1_i32 : index, f32, i32, i32
    } else {
      scf.yield %p, %q, %c1_i32, %c0_i32 : index, f32, i32, i32
    }
    %4 = arith.trunci %3#3 : i32 to i1
    scf.condition(%4) %3#0, %3#1, %3#1 : index, f32, f32
  } do {
  ^bb0(%i: index, %s: f32, %t: f32):
    scf.yield %i, %s : index, f32
  }
  return %1#2 : f32
}
func.func @at_least_once(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %0:2 = scf.while (%i = %c1, %a = %x) : (i32, f32) -> (i32, f32) {
    %b = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1 : i32
    %c = arith.cmpi sge, %j, %n : i32
    %d = arith.xori %c, %true : i1
    scf.condition(%d) %j, %b : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    scf.yield %i, %a : i32, f32
  }
  return %0#1 : f32
}
// ----- unknown-each
// It runs once, or for ever where it runs at all: no number of iterations is known.
func.func @sum(%x: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %p = ub.poison : index
  %q = ub.poison : f32
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %1:3 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32, f32) {
    %2 = arith.cmpi slt, %i, %n : index
    %3:4 = scf.if %2 -> (index, f32, i32, i32) {
      %10 = memref.load %x[%i] : memref<?xf32>
      %11 = arith.addf %s, %10 : f32
      %12 = arith.addi %i, %c1 : index
      %13 = arith.addi %i, %c2 : index
      scf.yield %12, %11, %c1_i32, %c0_i32 : index, f32, i32, i32
    } else {
      scf.yield %p, %q, %c0_i32, %c1_i32 : index, f32, i32, i32
    }
    %4 = arith.trunci %3#3 : i32 to i1
    scf.condition(%4) %3#0, %3#1, %s : index, f32, f32
  } do {
  ^bb0(%i: index, %s: f32, %t: f32):
    scf.yield %i, %s : index, f32
  }
  return %1#2 : f32
}
func.func @at_least_once(%n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %0:2 = scf.while (%i = %c0, %a = %x) : (i32, f32) -> (i32, f32) {
    %b = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1 : i32
    %c = arith.cmpi slt, %j, %n : i32
    %d = arith.xori %c, %true : i1
    scf.condition(%d) %j, %b : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    scf.yield %i, %a : i32, f32
  }
  return %0#1 : f32
}
