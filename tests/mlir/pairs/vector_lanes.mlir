// Lanes that move: positions, slices, transposes, shuffles, masks; a position that is no lane is poison.
func.func @extract(%a: vector<2x4xf32>, %i: index) -> (f32, vector<4xf32>) {
  %0 = vector.extract %a[1, 2] : f32 from vector<2x4xf32>
  %1 = vector.extract %a[%i] : vector<4xf32> from vector<2x4xf32>
  return %0, %1 : f32, vector<4xf32>
}
func.func @insert(%a: vector<2x4xf32>, %r: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.insert %r, %a[1] : vector<4xf32> into vector<2x4xf32>
  %1 = vector.extract %0[1] : vector<4xf32> from vector<2x4xf32>
  return %1 : vector<4xf32>
}
func.func @element(%a: vector<4xi32>, %x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %0 = vector.insertelement %x, %a[%c2 : i32] : vector<4xi32>
  %1 = vector.extractelement %0[%c2 : i32] : vector<4xi32>
  return %1 : i32
}
func.func @casts(%a: vector<2x6xi8>) -> vector<4x3xi8> {
  %0 = vector.shape_cast %a : vector<2x6xi8> to vector<12xi8>
  %1 = vector.shape_cast %0 : vector<12xi8> to vector<4x3xi8>
  return %1 : vector<4x3xi8>
}
func.func @transpose(%a: vector<2x3x4xf32>) -> vector<2x3x4xf32> {
  %0 = vector.transpose %a, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  %1 = vector.transpose %0, [1, 2, 0] : vector<4x2x3xf32> to vector<2x3x4xf32>
  return %1 : vector<2x3x4xf32>
}
func.func @slices(%a: vector<4x8xf32>, %b: vector<2x8xf32>) -> vector<2x3xf32> {
  %0 = vector.insert_strided_slice %b, %a {offsets = [1, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [1, 4], sizes = [2, 3], strides = [1, 1]} : vector<4x8xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}
func.func @shuffle(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<2xi32> {
  %0 = vector.shuffle %a, %b [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xi32>, vector<4xi32>
  %1 = vector.shuffle %0, %0 [3, 6] : vector<8xi32>, vector<8xi32>
  return %1 : vector<2xi32>
}
func.func @interleave(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  %0 = vector.interleave %a, %b : vector<4xi32> -> vector<8xi32>
  %1, %2 = vector.deinterleave %0 : vector<8xi32> -> vector<4xi32>
  return %2 : vector<4xi32>
}
func.func @bits(%a: vector<4xi32>) -> vector<4xi32> {
  %0 = vector.bitcast %a : vector<4xi32> to vector<4xi32>
  %1 = vector.step : vector<4xindex>
  %2 = arith.index_cast %1 : vector<4xindex> to vector<4xi32>
  %3 = arith.addi %0, %2 : vector<4xi32>
  return %3 : vector<4xi32>
}
func.func @masks(%n: index) -> vector<4xi1> {
  %0 = vector.create_mask %n : vector<4xi1>
  %1 = vector.constant_mask [3] : vector<4xi1>
  %2 = arith.andi %0, %1 : vector<4xi1>
  return %2 : vector<4xi1>
}
func.func @outer(%a: vector<2xi32>, %b: vector<3xi32>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %0 = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<2xi32>, vector<3xi32>
  return %0 : vector<2x3xi32>
}
// ----- proved
func.func @extract(%a: vector<2x4xf32>, %i: index) -> (f32, vector<4xf32>) {
  %r = vector.extract %a[1] : vector<4xf32> from vector<2x4xf32>
  %0 = vector.extract %r[2] : f32 from vector<4xf32>
  %l = vector.extract %a[0] : vector<4xf32> from vector<2x4xf32>
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %i, %c0 : index
  %1 = arith.select %p, %l, %r : vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}
func.func @insert(%a: vector<2x4xf32>, %r: vector<4xf32>) -> vector<4xf32> {
  return %r : vector<4xf32>
}
func.func @element(%a: vector<4xi32>, %x: i32) -> i32 {
  return %x : i32
}
func.func @casts(%a: vector<2x6xi8>) -> vector<4x3xi8> {
  %1 = vector.shape_cast %a : vector<2x6xi8> to vector<4x3xi8>
  return %1 : vector<4x3xi8>
}
func.func @transpose(%a: vector<2x3x4xf32>) -> vector<2x3x4xf32> {
  return %a : vector<2x3x4xf32>
}
func.func @slices(%a: vector<4x8xf32>, %b: vector<2x8xf32>) -> vector<2x3xf32> {
  %1 = vector.extract_strided_slice %b {offsets = [0, 4], sizes = [2, 3], strides = [1, 1]} : vector<2x8xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}
func.func @shuffle(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<2xi32> {
  %1 = vector.shuffle %b, %a [1, 7] : vector<4xi32>, vector<4xi32>
  return %1 : vector<2xi32>
}
func.func @interleave(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  return %b : vector<4xi32>
}
func.func @bits(%a: vector<4xi32>) -> vector<4xi32> {
  %c = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %0 = arith.addi %c, %a : vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @masks(%n: index) -> vector<4xi1> {
  %c3 = arith.constant 3 : index
  %m = arith.minsi %n, %c3 : index
  %0 = vector.create_mask %m : vector<4xi1>
  return %0 : vector<4xi1>
}
func.func @outer(%a: vector<2xi32>, %b: vector<3xi32>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %0 = vector.broadcast %b : vector<3xi32> to vector<2x3xi32>
  %1 = vector.broadcast %a : vector<2xi32> to vector<3x2xi32>
  %2 = vector.transpose %1, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  %3 = arith.muli %0, %2 : vector<2x3xi32>
  %4 = arith.addi %3, %c : vector<2x3xi32>
  return %4 : vector<2x3xi32>
}
// ----- refuted-each
func.func @extract(%a: vector<2x4xf32>, %i: index) -> (f32, vector<4xf32>) {
  %0 = vector.extract %a[1, 3] : f32 from vector<2x4xf32>
  %1 = vector.extract %a[%i] : vector<4xf32> from vector<2x4xf32>
  return %0, %1 : f32, vector<4xf32>
}
func.func @insert(%a: vector<2x4xf32>, %r: vector<4xf32>) -> vector<4xf32> {
  %1 = vector.extract %a[1] : vector<4xf32> from vector<2x4xf32>
  return %1 : vector<4xf32>
}
func.func @element(%a: vector<4xi32>, %x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %0 = vector.extractelement %a[%c2 : i32] : vector<4xi32>
  return %0 : i32
}
func.func @casts(%a: vector<2x6xi8>) -> vector<4x3xi8> {
  %0 = vector.shape_cast %a : vector<2x6xi8> to vector<3x4xi8>
  %1 = vector.transpose %0, [1, 0] : vector<3x4xi8> to vector<4x3xi8>
  return %1 : vector<4x3xi8>
}
func.func @transpose(%a: vector<2x3x4xf32>) -> vector<2x3x4xf32> {
  %0 = vector.shape_cast %a : vector<2x3x4xf32> to vector<4x2x3xf32>
  %1 = vector.transpose %0, [1, 2, 0] : vector<4x2x3xf32> to vector<2x3x4xf32>
  return %1 : vector<2x3x4xf32>
}
func.func @slices(%a: vector<4x8xf32>, %b: vector<2x8xf32>) -> vector<2x3xf32> {
  %1 = vector.extract_strided_slice %a {offsets = [1, 4], sizes = [2, 3], strides = [1, 1]} : vector<4x8xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}
func.func @shuffle(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<2xi32> {
  %1 = vector.shuffle %a, %b [1, 7] : vector<4xi32>, vector<4xi32>
  return %1 : vector<2xi32>
}
func.func @interleave(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  return %a : vector<4xi32>
}
func.func @bits(%a: vector<4xi32>) -> vector<4xi32> {
  %c = arith.constant dense<[0, 1, 2, 4]> : vector<4xi32>
  %0 = arith.addi %c, %a : vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @masks(%n: index) -> vector<4xi1> {
  %0 = vector.create_mask %n : vector<4xi1>
  return %0 : vector<4xi1>
}
func.func @outer(%a: vector<2xi32>, %b: vector<3xi32>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %0 = vector.outerproduct %a, %b : vector<2xi32>, vector<3xi32>
  return %0 : vector<2x3xi32>
}
// ----- unknown
func.func @extract(%a: vector<2x4xf32>, %i: index) -> (f32, vector<4xf32>) {
  %0 = vector.extract %a[1, 2] : f32 from vector<2x4xf32>
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %2 = vector.extract %a[%j] : vector<4xf32> from vector<2x4xf32>
  %k = arith.subi %j, %c1 : index
  %1 = vector.extract %a[%k] : vector<4xf32> from vector<2x4xf32>
  return %0, %1 : f32, vector<4xf32>
}
