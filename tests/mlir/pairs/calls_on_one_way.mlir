// Where the branch is not taken nobody was given the memory, and the later call leaves it alone.
func.func private @f(memref<4xi32>)
func.func private @g()
func.func @m(%c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<4xi32>
  linalg.fill ins(%k1 : i32) outs(%a : memref<4xi32>)
  scf.if %c {
  func.call @f(%a) : (memref<4xi32>) -> ()
  }
  func.call @g() : () -> ()
  %r = memref.load %a[%c0] : memref<4xi32>
  return %r : i32
}
// ----- unknown
func.func private @f(memref<4xi32>)
func.func private @g()
func.func @m(%c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<4xi32>
  linalg.fill ins(%k1 : i32) outs(%a : memref<4xi32>)
  scf.if %c {
  func.call @f(%a) : (memref<4xi32>) -> ()
  }
  func.call @g() : () -> ()
  %q = memref.load %a[%c0] : memref<4xi32>
  %r = arith.select %c, %q, %k1 : i32
  return %r : i32
}
