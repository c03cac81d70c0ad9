// A choice of two blocks of its own is passed to a function without a body: it is one block there.
func.func private @ext(memref<4xf32>)
func.func @passed(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  %m = arith.select %c, %a, %b : memref<4xf32>
  func.call @ext(%m) : (memref<4xf32>) -> ()
  %r = memref.load %m[%0] : memref<4xf32>
  return %r : f32
}
func.func @other(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  %m = arith.select %c, %a, %b : memref<4xf32>
  func.call @ext(%m) : (memref<4xf32>) -> ()
  %n = arith.select %c, %b, %a : memref<4xf32>
  %r = memref.load %n[%0] : memref<4xf32>
  return %r : f32
}
func.func @unset(%c: i1, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  func.call @ext(%a) : (memref<4xf32>) -> ()
  return
}
func.func @twice(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  %m = arith.select %c, %a, %b : memref<4xf32>
  func.call @ext(%m) : (memref<4xf32>) -> ()
  func.call @ext(%a) : (memref<4xf32>) -> ()
  %r = memref.load %m[%0] : memref<4xf32>
  return %r : f32
}
// ----- proved-each
func.func private @ext(memref<4xf32>)
func.func @passed(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  func.call @ext(%a) : (memref<4xf32>) -> ()
  %r = memref.load %a[%0] : memref<4xf32>
  return %r : f32
}
func.func @other(%c: i1, %x: f32) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  func.call @ext(%a) : (memref<4xf32>) -> ()
  return %x : f32
}
// ----- refuted-each
func.func private @ext(memref<4xf32>)
func.func @other(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 0 : index
  %u = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%u : f32) outs(%b : memref<4xf32>)
  func.call @ext(%a) : (memref<4xf32>) -> ()
  %r = memref.load %b[%0] : memref<4xf32>
  return %r : f32
}
// it may have been written to
func.func @passed(%c: i1, %x: f32) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  func.call @ext(%a) : (memref<4xf32>) -> ()
  return %x : f32
}
// ----- unknown-each
func.func private @ext(memref<4xf32>)
// one of the two holds something else
func.func @unset(%c: i1, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %m = arith.select %c, %a, %b : memref<4xf32>
  func.call @ext(%m) : (memref<4xf32>) -> ()
  return
}
// the same block has two names
func.func @twice(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  func.call @ext(%a) : (memref<4xf32>) -> ()
  func.call @ext(%b) : (memref<4xf32>) -> ()
  %r = memref.load %a[%0] : memref<4xf32>
  return %r : f32
}
