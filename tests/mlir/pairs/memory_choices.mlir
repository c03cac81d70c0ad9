// Blocks that the function allocates, of which a condition chooses.
func.func @loaded(%c: i1, %x: f32, %y: f32, %i: index) -> f32 {
  %r = arith.select %c, %x, %y : f32
  return %r : f32
}
func.func @stored(%c: i1, %x: f32, %y: f32, %b: memref<4xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %u = arith.select %c, %x, %y : f32
  %v = arith.select %c, %y, %x : f32
  memref.store %u, %b[%0] : memref<4xf32>
  memref.store %v, %b[%1] : memref<4xf32>
  return
}
func.func @branch(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  scf.if %c {
    linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a : memref<4xf32>) outs(%o : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
  } else {
    memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func @freed(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = arith.addf %a, %a : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  %z = arith.addf %r, %a : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @inlined(%c: i1, %x: f32, %y: f32) -> f32 {
  %r = arith.select %c, %x, %y : f32
  return %r : f32
}
// ----- proved
func.func @loaded(%c: i1, %x: f32, %y: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  memref.store %y, %b[] : memref<f32>
  %m = arith.select %c, %a, %b : memref<f32>
  %r = memref.load %m[] : memref<f32>
  memref.dealloc %a : memref<f32>
  memref.dealloc %b : memref<f32>
  return %r : f32
}
func.func @stored(%c: i1, %x: f32, %y: f32, %o: memref<4xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  %m = arith.select %c, %a, %b : memref<f32>
  %n = arith.select %c, %b, %a : memref<f32>
  memref.store %x, %m[] : memref<f32>
  memref.store %y, %n[] : memref<f32>
  %u = memref.load %a[] : memref<f32>
  %v = memref.load %b[] : memref<f32>
  memref.store %u, %o[%0] : memref<4xf32>
  memref.store %v, %o[%1] : memref<4xf32>
  memref.dealloc %m : memref<f32>
  memref.dealloc %n : memref<f32>
  return
}
func.func @branch(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  %m = scf.if %c -> memref<4xf32> {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  return
}
func.func @freed(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %b = bufferization.to_memref %a : memref<4xf32>
  %own, %m = scf.if %c -> (i1, memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
    %true = arith.constant true
    scf.yield %true, %t : i1, memref<4xf32>
  } else {
    %false = arith.constant false
    scf.yield %false, %b : i1, memref<4xf32>
  }
  %z = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%m, %b : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xf32>) {
    ^bb0(%x: f32, %w: f32, %y: f32):
      %s = arith.addf %x, %w : f32
      linalg.yield %s : f32
  }
  scf.if %own {
    memref.dealloc %m : memref<4xf32>
  }
  %r = bufferization.to_tensor %z restrict : memref<4xf32>
  return %r : tensor<4xf32>
}
func.func @chosen(%c: i1, %p: memref<f32>, %q: memref<f32>) -> f32 {
  %m = arith.select %c, %p, %q : memref<f32>
  %r = memref.load %m[] : memref<f32>
  return %r : f32
}
func.func @inlined(%c: i1, %x: f32, %y: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  memref.store %y, %b[] : memref<f32>
  %r = call @chosen(%c, %a, %b) : (i1, memref<f32>, memref<f32>) -> f32
  return %r : f32
}
// ----- refuted-each
func.func @loaded(%c: i1, %x: f32, %y: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  memref.store %y, %b[] : memref<f32>
  %m = arith.select %c, %b, %a : memref<f32>
  %r = memref.load %m[] : memref<f32>
  memref.dealloc %a : memref<f32>
  memref.dealloc %b : memref<f32>
  return %r : f32
}
func.func @stored(%c: i1, %x: f32, %y: f32, %o: memref<4xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  %m = arith.select %c, %a, %b : memref<f32>
  %n = arith.select %c, %b, %a : memref<f32>
  memref.store %x, %m[] : memref<f32>
  memref.store %y, %n[] : memref<f32>
  %u = memref.load %a[] : memref<f32>
  %v = memref.load %b[] : memref<f32>
  memref.store %u, %o[%0] : memref<4xf32>
  memref.store %v, %o[%1] : memref<4xf32>
  memref.dealloc %m : memref<f32>
  memref.dealloc %a : memref<f32>
  return
}
func.func @branch(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  %m = scf.if %c -> memref<4xf32> {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  return
}
func.func @freed(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %b = bufferization.to_memref %a : memref<4xf32>
  %own, %m = scf.if %c -> (i1, memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%b : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
    %true = arith.constant true
    scf.yield %true, %t : i1, memref<4xf32>
  } else {
    %false = arith.constant true
    scf.yield %false, %b : i1, memref<4xf32>
  }
  %z = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%m, %b : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xf32>) {
    ^bb0(%x: f32, %w: f32, %y: f32):
      %s = arith.addf %x, %w : f32
      linalg.yield %s : f32
  }
  scf.if %own {
    memref.dealloc %m : memref<4xf32>
  }
  %r = bufferization.to_tensor %z restrict : memref<4xf32>
  return %r : tensor<4xf32>
}
func.func private @chosen(%c: i1, %p: memref<f32>, %q: memref<f32>) -> f32 {
  %m = arith.select %c, %p, %q : memref<f32>
  %r = memref.load %m[] : memref<f32>
  return %r : f32
}
func.func @inlined(%c: i1, %x: f32, %y: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  memref.store %y, %b[] : memref<f32>
  %r = call @chosen(%c, %a, %a) : (i1, memref<f32>, memref<f32>) -> f32
  return %r : f32
}
