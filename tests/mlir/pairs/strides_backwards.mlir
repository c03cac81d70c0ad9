// A stride that the source says is negative is no size: there are such inputs.
func.func @f(%a: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
  %b = memref.cast %a : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[-1], offset: ?>>
  %x = memref.load %b[%i] : memref<4xf32, strided<[-1], offset: ?>>
  %y = arith.addf %x, %x : f32
  return %y : f32
}
// ----- proved
func.func @f(%a: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
  %two = arith.constant 2.0 : f32
  %x = memref.load %a[%i] : memref<4xf32, strided<[?], offset: ?>>
  %y = arith.mulf %two, %x : f32
  return %y : f32
}
// ----- refuted
func.func @f(%a: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
  %b = memref.cast %a : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[-1], offset: ?>>
  %x = memref.load %b[%i] : memref<4xf32, strided<[-1], offset: ?>>
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
