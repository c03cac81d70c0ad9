// What was never written may be anything, a freed block may not be read.
func.func @uninitialised(%i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  %0 = memref.load %t[%i] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %0 : f32
}
func.func @branch(%x: i32) -> i32 {
  %t = memref.alloca() : memref<i1>
  %0 = memref.load %t[] : memref<i1>
  %1 = scf.if %0 -> i32 {
    scf.yield %x : i32
  } else {
    %c = arith.constant 7 : i32
    scf.yield %c : i32
  }
  return %1 : i32
}
func.func @freed(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xf32>
  memref.store %x, %t[%c0] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  %0 = memref.load %t[%c0] : memref<4xf32>
  return %0 : f32
}
// ----- proved
func.func @uninitialised(%i: index) -> f32 {
  %0 = arith.constant 3.0 : f32
  return %0 : f32
}
func.func @branch(%x: i32) -> i32 {
  return %x : i32
}
func.func @freed(%x: f32) -> f32 {
  %0 = arith.constant 3.0 : f32
  return %0 : f32
}
