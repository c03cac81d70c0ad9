func.func @sum(%t: tensor<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
    %x = tensor.extract %t[%i] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
func.func @fill(%m: memref<?x4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<?x4xf32>)
  return
}
func.func @choose(%c: i1, %m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %r = scf.if %c -> f32 {
    memref.store %x, %m[%i] : memref<4xf32>
    scf.yield %x : f32
  } else {
    %y = memref.load %m[%i] : memref<4xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
func.func @steps(%lo: i32, %hi: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %lo) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %hi : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  return %r : i32
}
func.func @returns(%c: i1, %a: i32, %b: i32) -> i32 {
  %r = arith.select %c, %a, %b : i32
  return %r : i32
}
// ----- proved-each
module {
  func.func @sum(%arg0: tensor<?xf32>, %arg1: index) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.while (%arg2 = %c0, %arg3 = %cst) : (index, f32) -> (index, f32) {
      %1 = arith.cmpi slt, %arg2, %arg1 : index
      scf.condition(%1) %arg2, %arg3 : index, f32
    } do {
    ^bb0(%arg2: index, %arg3: f32):
      %1 = arith.addi %arg2, %c1 : index
      %extracted = tensor.extract %arg0[%arg2] : tensor<?xf32>
      %2 = arith.addf %arg3, %extracted : f32
      scf.yield %1, %2 : index, f32
    }
    return %0#1 : f32
  }
  func.func @fill(%arg0: memref<?x4xf32>, %arg1: f32) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
    %0 = scf.while (%arg2 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg2, %dim : index
      scf.condition(%1) %arg2 : index
    } do {
    ^bb0(%arg2: index):
      %1 = arith.addi %arg2, %c1 : index
      %2 = scf.while (%arg3 = %c0) : (index) -> index {
        %3 = arith.cmpi slt, %arg3, %c4 : index
        scf.condition(%3) %arg3 : index
      } do {
      ^bb0(%arg3: index):
        %3 = arith.addi %arg3, %c1 : index
        memref.store %arg1, %arg0[%arg2, %arg3] : memref<?x4xf32>
        scf.yield %3 : index
      }
      scf.yield %1 : index
    }
    return
  }
  func.func @choose(%arg0: i1, %arg1: memref<4xf32>, %arg2: index, %arg3: f32) -> f32 {
    %0 = scf.if %arg0 -> (f32) {
      memref.store %arg3, %arg1[%arg2] : memref<4xf32>
      scf.yield %arg3 : f32
    } else {
      %1 = memref.load %arg1[%arg2] : memref<4xf32>
      scf.yield %1 : f32
    }
    return %0 : f32
  }
  func.func @steps(%arg0: i32, %arg1: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
      %1 = arith.cmpi slt, %arg2, %arg1 : i32
      scf.condition(%1) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %1 = arith.addi %arg2, %c1_i32 : i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
  func.func @returns(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.select %arg0, %arg1, %arg2 : i32
    return %0 : i32
  }
}

// ----- proved-each
module {
  func.func @sum(%arg0: tensor<?xf32>, %arg1: index) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^bb1(%c0, %cst : index, f32)
  ^bb1(%0: index, %1: f32):
    %2 = arith.cmpi slt, %0, %arg1 : index
    cf.cond_br %2, ^bb2, ^bb3
  ^bb2:
    %extracted = tensor.extract %arg0[%0] : tensor<?xf32>
    %3 = arith.addf %1, %extracted : f32
    %4 = arith.addi %0, %c1 : index
    cf.br ^bb1(%4, %3 : index, f32)
  ^bb3:
    return %1 : f32
  }
  func.func @fill(%arg0: memref<?x4xf32>, %arg1: f32) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
    cf.br ^bb1(%c0 : index)
  ^bb1(%0: index):
    %1 = arith.cmpi slt, %0, %dim : index
    cf.cond_br %1, ^bb2, ^bb6
  ^bb2:
    cf.br ^bb3(%c0 : index)
  ^bb3(%2: index):
    %3 = arith.cmpi slt, %2, %c4 : index
    cf.cond_br %3, ^bb4, ^bb5
  ^bb4:
    memref.store %arg1, %arg0[%0, %2] : memref<?x4xf32>
    %4 = arith.addi %2, %c1 : index
    cf.br ^bb3(%4 : index)
  ^bb5:
    %5 = arith.addi %0, %c1 : index
    cf.br ^bb1(%5 : index)
  ^bb6:
    return
  }
  func.func @choose(%arg0: i1, %arg1: memref<4xf32>, %arg2: index, %arg3: f32) -> f32 {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:
    memref.store %arg3, %arg1[%arg2] : memref<4xf32>
    cf.br ^bb3(%arg3 : f32)
  ^bb2:
    %0 = memref.load %arg1[%arg2] : memref<4xf32>
    cf.br ^bb3(%0 : f32)
  ^bb3(%1: f32):
    cf.br ^bb4
  ^bb4:
    return %1 : f32
  }
  func.func @steps(%arg0: i32, %arg1: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    cf.br ^bb1(%arg0 : i32)
  ^bb1(%0: i32):
    %1 = arith.cmpi slt, %0, %arg1 : i32
    cf.cond_br %1, ^bb2(%0 : i32), ^bb3
  ^bb2(%2: i32):
    %3 = arith.addi %2, %c1_i32 : i32
    cf.br ^bb1(%3 : i32)
  ^bb3:
    return %0 : i32
  }
  func.func @returns(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.select %arg0, %arg1, %arg2 : i32
    return %0 : i32
  }
}

// ----- proved-each
func.func @steps(%lo: i32, %hi: i32) -> i32 {
  %r = arith.maxsi %lo, %hi : i32
  return %r : i32
}
func.func @returns(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^one, ^other(%b : i32)
^one:
  return %a : i32
^other(%x: i32):
  return %x : i32
}
// ----- refuted-each
func.func @sum(%t: tensor<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %s = %z) : (index, f32) -> (index, f32) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %s : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    %j = arith.addi %i, %c1 : index
    %x = tensor.extract %t[%i] : tensor<?xf32>
    %y = arith.subf %s, %x : f32
    scf.yield %j, %y : index, f32
  }
  return %r#1 : f32
}
func.func @fill(%m: memref<?x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x4xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  memref.store %x, %m[%i, %c1] : memref<?x4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}
func.func @choose(%c: i1, %m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  cf.cond_br %c, ^one, ^other
^one:
  memref.store %x, %m[%i] : memref<4xf32>
  cf.br ^end(%x : f32)
^other:
  %y = memref.load %m[%i] : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  cf.br ^end(%y : f32)
^end(%r: f32):
  return %r : f32
}
func.func @steps(%lo: i32, %hi: i32) -> i32 {
  %r = arith.minsi %lo, %hi : i32
  return %r : i32
}
func.func @returns(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^one, ^other
^one:
  return %b : i32
^other:
  return %a : i32
}
// ----- unknown-each
func.func @steps(%lo: i32, %hi: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^head(%lo : i32)
^head(%i: i32):
  %c = arith.cmpi ne, %i, %hi : i32
  cf.cond_br %c, ^body, ^end
^body:
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%j : i32)
^end:
  return %i : i32
}
func.func @returns(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.br ^head
^head:
  cf.cond_br %c, ^end, ^head
^end:
  return %a : i32
}
