// A sum of no step writes what its place held before the iteration, over what the iteration wrote there before.
func.func @filled(%a: memref<?xf32>, %n: index, %m: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %d = memref.dim %a, %c0 : memref<?xf32>
  %none = arith.cmpi sle, %n, %c0 : index
  scf.for %i = %c0 to %m step %c1 {
    %t = memref.load %a[%i] : memref<?xf32>
    scf.if %none {
      scf.for %j = %c0 to %d step %c1 {
        memref.store %five, %a[%j] : memref<?xf32>
      }
    }
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%v = %t) -> (f32) {
      %w = arith.addf %v, %x : f32
      scf.yield %w : f32
    }
    memref.store %s, %a[%i] : memref<?xf32>
  }
  return
}
// ----- proved
func.func @filled(%a: memref<?xf32>, %n: index, %m: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %number = arith.constant 5.0 : f32
  %d = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    %none = arith.cmpi slt, %n, %c1 : index
    %t = memref.load %a[%i] : memref<?xf32>
    scf.if %none {
      scf.for %j = %c0 to %d step %c1 {
        memref.store %number, %a[%j] : memref<?xf32>
      }
    }
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%v = %t) -> (f32) {
      %w = arith.addf %v, %x : f32
      scf.yield %w : f32
    }
    memref.store %s, %a[%i] : memref<?xf32>
  }
  return
}
// ----- refuted
// As if it wrote nothing then.
func.func @filled(%a: memref<?xf32>, %n: index, %m: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %d = memref.dim %a, %c0 : memref<?xf32>
  %none = arith.cmpi sle, %n, %c0 : index
  %some = arith.cmpi sgt, %m, %c0 : index
  %both = arith.andi %none, %some : i1
  scf.if %both {
      scf.for %j = %c0 to %d step %c1 {
        memref.store %five, %a[%j] : memref<?xf32>
      }
  } else {
  scf.for %i = %c0 to %m step %c1 {
    %t = memref.load %a[%i] : memref<?xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%v = %t) -> (f32) {
      %w = arith.addf %v, %x : f32
      scf.yield %w : f32
    }
    memref.store %s, %a[%i] : memref<?xf32>
  }
  }
  return
}
