// Memory of its own that a function passes to one without a body: both sides pass the same, which holds anything then.
func.func private @use(memref<4xf32>)
func.func private @look(f32) -> f32
func.func @temporary(%x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  %0 = memref.load %m[%c0] : memref<4xf32>
  %1 = memref.load %m[%c0] : memref<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
func.func @filled(%n: index, %x: f32) {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  func.call @use(%m) : (memref<4xf32>) -> ()
  return
}
func.func @kept(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  memref.store %x, %m[%c0] : memref<4xf32>
  %0 = func.call @look(%x) : (f32) -> f32
  %1 = memref.load %m[%c0] : memref<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
func.func @returned(%x: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  func.call @use(%m) : (memref<4xf32>) -> ()
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
func.func @outlives(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  memref.store %x, %m[%c0] : memref<4xf32>
  return
}
// ----- proved
func.func private @use(memref<4xf32>)
func.func private @look(f32) -> f32
func.func @temporary(%x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %other = memref.alloca() : memref<4xf32>
  %m = memref.alloca() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  %0 = memref.load %m[%c0] : memref<4xf32>
  %2 = arith.addf %0, %0 : f32
  return %2 : f32
}
func.func @filled(%n: index, %x: f32) {
  %m = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    affine.store %x, %m[%i] : memref<4xf32>
  }
  func.call @use(%m) : (memref<4xf32>) -> ()
  return
}
func.func @kept(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  memref.store %x, %m[%c0] : memref<4xf32>
  %0 = func.call @look(%x) : (f32) -> f32
  %1 = memref.load %m[%c0] : memref<4xf32>
  %2 = arith.addf %1, %0 : f32
  return %2 : f32
}
func.func @returned(%x: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  func.call @use(%m) : (memref<4xf32>) -> ()
  affine.for %i = 0 to 4 {
    affine.store %x, %m[3 - %i] : memref<4xf32>
  }
  return %m : memref<4xf32>
}
func.func @outlives(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  %0 = arith.addf %x, %x : f32
  memref.store %0, %m[%c0] : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  return
}
// ----- unknown-each
// Memory on the stack; another block that is returned; what holds something else when the function returns.
func.func private @use(memref<4xf32>)
func.func @filled(%n: index, %x: f32) {
  %m = memref.alloca() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  func.call @use(%m) : (memref<4xf32>) -> ()
  return
}
func.func @returned(%x: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  func.call @use(%m) : (memref<4xf32>) -> ()
  %n = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%n : memref<4xf32>)
  return %n : memref<4xf32>
}
func.func @outlives(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  return
}
// ----- unknown-each
func.func private @use(memref<4xf32>)
func.func @filled(%n: index, %x: f32) {
  %m = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 3 {
    affine.store %x, %m[%i] : memref<4xf32>
  }
  func.call @use(%m) : (memref<4xf32>) -> ()
  return
}
func.func @outlives(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  memref.store %x, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
// ----- refuted-each
func.func private @use(memref<4xf32>)
func.func private @look(f32) -> f32
func.func @temporary(%x: f32, %i: index) -> f32 {
  %m = memref.alloca() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  %2 = arith.addf %x, %x : f32
  return %2 : f32
}
// A later call may write to it, too.
func.func @kept(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  memref.store %x, %m[%c0] : memref<4xf32>
  %1 = memref.load %m[%c0] : memref<4xf32>
  %0 = func.call @look(%x) : (f32) -> f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
