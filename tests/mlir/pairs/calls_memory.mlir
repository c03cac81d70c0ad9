// A function without a body may read and write what its caller's memory holds: both sides call it with the same.
func.func private @use(memref<?xf32>)
func.func private @look(f32) -> f32
func.func @twice(%a: memref<?xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %0 = memref.load %a[%i] : memref<?xf32>
  %1 = memref.load %a[%i] : memref<?xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
func.func @own(%a: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  %0 = memref.load %m[%c0] : memref<4xf32>
  return %0 : f32
}
func.func @then(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  memref.store %x, %a[%c1] : memref<4xf32>
  return
}
// ----- proved
func.func private @use(memref<?xf32>)
func.func private @look(f32) -> f32
func.func @twice(%a: memref<?xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %0 = memref.load %a[%i] : memref<?xf32>
  %2 = arith.addf %0, %0 : f32
  return %2 : f32
}
func.func @own(%a: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  return %x : f32
}
func.func @then(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = call @look(%x) : (f32) -> f32
  memref.store %x, %a[%c1] : memref<4xf32>
  memref.store %y, %a[%c0] : memref<4xf32>
  return
}
// ----- unknown-each
func.func private @look(f32) -> f32
func.func @own(%a: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<4xf32>
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  return %x : f32
}
// ----- refuted-each
func.func private @use(memref<?xf32>)
func.func private @look(f32) -> f32
func.func @own(%a: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  return %y : f32
}
func.func @then(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  return
}
func.func @twice(%a: memref<?xf32>, %i: index, %x: f32) -> f32 {
  call @use(%a) : (memref<?xf32>) -> ()
  memref.store %x, %a[%i] : memref<?xf32>
  %0 = memref.load %a[%i] : memref<?xf32>
  %2 = arith.addf %0, %0 : f32
  return %2 : f32
}
// ----- refuted-each
func.func private @look(f32) -> f32
func.func @then(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %a[%c1] : memref<4xf32>
  %y = call @look(%x) : (f32) -> f32
  memref.store %y, %a[%c0] : memref<4xf32>
  return
}
// ----- unknown-each
func.func private @use(memref<?xf32>)
func.func @twice(%a: memref<?xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %a[%i] : memref<?xf32>
  %t = bufferization.to_tensor %a restrict : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %0 = memref.load %a[%i] : memref<?xf32>
  %2 = arith.addf %0, %0 : f32
  return %2 : f32
}
