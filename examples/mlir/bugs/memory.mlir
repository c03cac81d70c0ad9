// Memory: stores past loads of what may be the same place, views that are not contiguous, copies left out, blocks freed too early.
// The source; behind the lines `// -----` what a right pass, and what a wrong one makes of it.
func.func @store_to_load(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  memref.store %y, %b[%i] : memref<?xf32>
  %0 = memref.load %b[%i] : memref<?xf32>
  return %0 : f32
}
func.func @forwarded_past_alias(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  memref.store %y, %b[%i] : memref<?xf32>
  %0 = memref.load %a[%i] : memref<?xf32>
  return %0 : f32
}
func.func @dead_store(%a: memref<8xf32>, %i: index, %j: index, %x: f32, %y: f32) {
  memref.store %x, %a[%i] : memref<8xf32>
  memref.store %y, %a[%i] : memref<8xf32>
  return
}
func.func @collapse_of_subview(%a: memref<4x8xf32>, %i: index) -> f32 {
  %s = memref.subview %a[0, 0][4, 4][1, 1] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  %c2 = arith.constant 2 : index
  %0 = memref.load %s[%i, %c2] : memref<4x4xf32, strided<[8, 1]>>
  return %0 : f32
}
func.func @in_place_bufferization(%a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<8xf32>
  memref.copy %a, %t : memref<8xf32> to memref<8xf32>
  %o = arith.constant 1.0 : f32
  memref.store %o, %t[%c0] : memref<8xf32>
  %0 = memref.load %a[%c0] : memref<8xf32>
  %1 = memref.load %t[%c0] : memref<8xf32>
  %2 = arith.addf %0, %1 : f32
  memref.dealloc %t : memref<8xf32>
  return %2 : f32
}
func.func @freed_too_early(%x: f32, %i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  %0 = memref.load %t[%i] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %0 : f32
}
func.func @copy_left_out(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
func.func @initialised_part(%x: f32, %i: index) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func @speculated_load(%a: memref<?xf32>, %c: i1, %i: index, %x: f32) -> f32 {
  %r = scf.if %c -> f32 {
  %0 = memref.load %a[%i] : memref<?xf32>
  scf.yield %0 : f32
  } else {
  scf.yield %x : f32
  }
  return %r : f32
}
// ----- proved-each
func.func @store_to_load(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  memref.store %y, %b[%i] : memref<?xf32>
  return %y : f32
}
func.func @forwarded_past_alias(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  %o = memref.load %b[%i] : memref<?xf32>
  memref.store %y, %b[%i] : memref<?xf32>
  %0 = memref.load %a[%i] : memref<?xf32>
  return %0 : f32
}
func.func @dead_store(%a: memref<8xf32>, %i: index, %j: index, %x: f32, %y: f32) {
  memref.store %y, %a[%i] : memref<8xf32>
  return
}
func.func @collapse_of_subview(%a: memref<4x8xf32>, %i: index) -> f32 {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %k = arith.muli %i, %c8 : index
  %l = arith.addi %k, %c2 : index
  %0 = memref.load %c[%l] : memref<32xf32>
  return %0 : f32
}
func.func @in_place_bufferization(%a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %o = arith.constant 1.0 : f32
  %0 = memref.load %a[%c0] : memref<8xf32>
  %2 = arith.addf %0, %o : f32
  return %2 : f32
}
func.func @freed_too_early(%x: f32, %i: index) -> f32 {
  %t = memref.alloca() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  %0 = memref.load %t[%i] : memref<4xf32>
  return %0 : f32
}
func.func @copy_left_out(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}
func.func @initialised_part(%x: f32, %i: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = memref.alloc() : memref<4xf32>
  scf.for %k = %c0 to %c4 step %c1 {
  memref.store %x, %t[%k] : memref<4xf32>
  }
  return %t : memref<4xf32>
}
func.func @speculated_load(%a: memref<?xf32>, %c: i1, %i: index, %x: f32) -> f32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %r = scf.if %n -> f32 {
  scf.yield %x : f32
  } else {
  %0 = memref.load %a[%i] : memref<?xf32>
  scf.yield %0 : f32
  }
  return %r : f32
}
// ----- refuted-each
func.func @store_to_load(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  memref.store %y, %b[%i] : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  %0 = memref.load %b[%i] : memref<?xf32>
  return %0 : f32
}
func.func @forwarded_past_alias(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  memref.store %y, %b[%i] : memref<?xf32>
  return %x : f32
}
func.func @dead_store(%a: memref<8xf32>, %i: index, %j: index, %x: f32, %y: f32) {
  memref.store %x, %a[%i] : memref<8xf32>
  return
}
func.func @collapse_of_subview(%a: memref<4x8xf32>, %i: index) -> f32 {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %k = arith.muli %i, %c4 : index
  %l = arith.addi %k, %c2 : index
  %0 = memref.load %c[%l] : memref<32xf32>
  return %0 : f32
}
func.func @in_place_bufferization(%a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %o = arith.constant 1.0 : f32
  memref.store %o, %a[%c0] : memref<8xf32>
  %0 = memref.load %a[%c0] : memref<8xf32>
  %2 = arith.addf %0, %o : f32
  return %2 : f32
}
func.func @freed_too_early(%x: f32, %i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  memref.dealloc %t : memref<4xf32>
  %0 = memref.load %t[%i] : memref<4xf32>
  return %0 : f32
}
func.func @copy_left_out(%a: memref<4xf32>, %b: memref<4xf32>) {
  return
}
func.func @initialised_part(%x: f32, %i: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<4xf32>
  scf.for %k = %c0 to %c3 step %c1 {
  memref.store %x, %t[%k] : memref<4xf32>
  }
  return %t : memref<4xf32>
}
func.func @speculated_load(%a: memref<?xf32>, %c: i1, %i: index, %x: f32) -> f32 {
  %0 = memref.load %a[%i] : memref<?xf32>
  %r = arith.select %c, %0, %x : f32
  return %r : f32
}
