func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  %0 = memref.load %a[%i] : memref<?xf32>
  %1 = memref.load %b[%i] : memref<?xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
// ----- proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  %1 = memref.load %b[%i] : memref<?xf32>
  %2 = arith.addf %1, %x : f32
  return %2 : f32
}
// ----- proved
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %t[%i] : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  %0 = memref.load %t[%i] : memref<?xf32>
  %1 = memref.load %b[%i] : memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  %1 = memref.load %b[%i] : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  %2 = arith.addf %1, %x : f32
  return %2 : f32
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  %1 = memref.load %b[%i] : memref<?xf32>
  %2 = arith.addf %1, %x : f32
  return %2 : f32
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  %1 = memref.load %b[%i] : memref<?xf32>
  %2 = arith.addf %1, %x : f32
  memref.dealloc %b : memref<?xf32>
  return %2 : f32
}
// ----- refuted
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  memref.store %x, %a[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  memref.store %x, %a[%j] : memref<?xf32>
  %1 = memref.load %b[%i] : memref<?xf32>
  %2 = arith.addf %1, %x : f32
  return %2 : f32
}
