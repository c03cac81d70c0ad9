// Two blocks in one loop, one of them a tensor from then on: a later loop reads what the first one has left, which is 0
// but for one %x.
func.func @f(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rare = arith.constant 1234567 : i32
  %q = arith.cmpi eq, %x, %rare : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%z : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%z : i32) outs(%b : memref<8xi32>)
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c0] : memref<8xi32>
    %w = arith.muli %v, %v : i32
    %w1 = arith.select %q, %one, %w : i32
    memref.store %w1, %a[%c0] : memref<8xi32>
    %u = memref.load %b[%c0] : memref<8xi32>
    %u1 = arith.muli %u, %u : i32
    %u2 = arith.select %q, %one, %u1 : i32
    memref.store %u2, %b[%c0] : memref<8xi32>
  }
  %t = bufferization.to_tensor %a : memref<8xi32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%s = %z) -> (i32) {
    %v = memref.load %a[%c0] : memref<8xi32>
    %m = arith.addi %s, %v : i32
    scf.yield %m : i32
  }
  return %r : i32
}
// ----- proved
func.func @f(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rare = arith.constant 1234567 : i32
  %q = arith.cmpi eq, %x, %rare : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%z : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%z : i32) outs(%b : memref<8xi32>)
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c0] : memref<8xi32>
    %w = arith.muli %v, %v : i32
    %w1 = arith.select %q, %one, %w : i32
    memref.store %w1, %a[%c0] : memref<8xi32>
    %u = memref.load %b[%c0] : memref<8xi32>
    %u1 = arith.muli %u, %u : i32
    %u2 = arith.select %q, %one, %u1 : i32
    memref.store %u2, %b[%c0] : memref<8xi32>
  }
  %t = bufferization.to_tensor %a : memref<8xi32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%s = %z) -> (i32) {
    %v = memref.load %a[%c0] : memref<8xi32>
    %m = arith.addi %v, %s : i32
    scf.yield %m : i32
  }
  return %r : i32
}
// ----- unknown
func.func @f(%x: i32, %n: index) -> i32 {
  %z = arith.constant 0 : i32
  return %z : i32
}
