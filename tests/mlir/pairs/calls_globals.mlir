// What a function without a body finds in globals, and leaves there: it writes to none that is constant, nor to one that
// only this module reads.
memref.global "private" constant @k : memref<2xf32> = dense<[3.0, 4.0]>
memref.global "private" @read : memref<2xf32> = dense<[3.0, 4.0]>
func.func private @look(f32) -> f32
func.func private @use(memref<2xf32>)
func.func @constant(%a: memref<2xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<2xf32>
  %y = call @look(%x) : (f32) -> f32
  %m = memref.get_global @k : memref<2xf32>
  %0 = memref.load %m[%c0] : memref<2xf32>
  return %0 : f32
}
func.func @hidden(%x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.get_global @read : memref<2xf32>
  %y = call @look(%x) : (f32) -> f32
  %0 = memref.load %m[%c1] : memref<2xf32>
  return %0 : f32
}
func.func @passed(%x: f32) -> f32 {
  %m = memref.get_global @k : memref<2xf32>
  call @use(%m) : (memref<2xf32>) -> ()
  return %x : f32
}
// ----- proved-each
memref.global "private" constant @k : memref<2xf32> = dense<[3.0, 4.0]>
memref.global "private" @read : memref<2xf32> = dense<[3.0, 4.0]>
func.func private @look(f32) -> f32
func.func private @use(memref<2xf32>)
func.func @constant(%a: memref<2xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 3.0 : f32
  memref.store %x, %a[%c0] : memref<2xf32>
  %y = call @look(%x) : (f32) -> f32
  return %0 : f32
}
func.func @hidden(%x: f32) -> f32 {
  %0 = arith.constant 4.0 : f32
  %y = call @look(%x) : (f32) -> f32
  return %0 : f32
}
func.func @passed(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @k : memref<2xf32>
  %0 = memref.load %m[%c0] : memref<2xf32>
  call @use(%m) : (memref<2xf32>) -> ()
  return %x : f32
}
// ----- unknown-each
memref.global "private" constant @k : memref<2xf32> = dense<[3.0, 5.0]>
func.func private @use(memref<2xf32>)
func.func @passed(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @k : memref<2xf32>
  %0 = memref.load %m[%c0] : memref<2xf32>
  call @use(%m) : (memref<2xf32>) -> ()
  return %x : f32
}
// ----- refuted-each
func.func private @look(f32) -> f32
func.func @constant(%a: memref<2xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 4.0 : f32
  memref.store %x, %a[%c0] : memref<2xf32>
  %y = call @look(%x) : (f32) -> f32
  return %0 : f32
}
