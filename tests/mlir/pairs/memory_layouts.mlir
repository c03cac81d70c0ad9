// Layouts under other aliases, in another order, and the one that a memref has without one.
#rows = affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>
func.func @alias(%m: memref<4x5xf32, #rows>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<4x5xf32, #rows>
  return %0 : f32
}
func.func @identity(%m: memref<4x5xf32, affine_map<(d0, d1) -> (d0, d1)>>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<4x5xf32>
  return %0 : f32
}
func.func @any_strides(%t: tensor<?x?xf32>, %i: index, %j: index) -> f32 {
  %v = tensor.extract %t[%i, %j] : tensor<?x?xf32>
  return %v : f32
}
// ----- proved-each
#map = affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>
func.func @alias(%m: memref<4x5xf32, #map>, %i: index, %j: index) -> f32 {
  %0 = affine.load %m[symbol(%i), symbol(%j)] : memref<4x5xf32, #map>
  return %0 : f32
}
func.func @identity(%m: memref<4x5xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<4x5xf32>
  return %0 : f32
}
func.func @any_strides(%t: tensor<?x?xf32>, %i: index, %j: index) -> f32 {
  %m = bufferization.to_memref %t : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %v = memref.load %m[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %v : f32
}
// ----- refuted-each
#map = affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>
func.func @alias(%m: memref<4x5xf32, #map>, %i: index, %j: index) -> f32 {
  %0 = affine.load %m[symbol(%j), symbol(%i)] : memref<4x5xf32, #map>
  return %0 : f32
}
func.func @identity(%m: memref<4x5xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %i] : memref<4x5xf32>
  return %0 : f32
}
func.func @any_strides(%t: tensor<?x?xf32>, %i: index, %j: index) -> f32 {
  %m = bufferization.to_memref %t : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %v = memref.load %m[%j, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %v : f32
}
// ----- unknown
func.func @alias(%m: memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 4)>>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 4)>>
  return %0 : f32
}
