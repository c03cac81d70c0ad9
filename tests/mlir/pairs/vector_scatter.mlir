// What a scatter with two lanes at one place does is left open: a target must not have it.
func.func @any(%a: memref<8xf32>, %p: vector<2xf32>, %i: vector<2xindex>) {
  %i0 = vector.extract %i[0] : index from vector<2xindex>
  %i1 = vector.extract %i[1] : index from vector<2xindex>
  %0 = vector.extract %p[0] : f32 from vector<2xf32>
  %1 = vector.extract %p[1] : f32 from vector<2xf32>
  memref.store %0, %a[%i0] : memref<8xf32>
  memref.store %1, %a[%i1] : memref<8xf32>
  return
}
func.func @two(%a: memref<8xf32>, %p: vector<2xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %0 = vector.extract %p[0] : f32 from vector<2xf32>
  %1 = vector.extract %p[1] : f32 from vector<2xf32>
  memref.store %0, %a[%i] : memref<8xf32>
  memref.store %1, %a[%j] : memref<8xf32>
  return
}
// ----- unknown-each
func.func @any(%a: memref<8xf32>, %p: vector<2xf32>, %i: vector<2xindex>) {
  %c0 = arith.constant 0 : index
  %m = arith.constant dense<true> : vector<2xi1>
  vector.scatter %a[%c0] [%i], %m, %p : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>
  return
}
// ----- proved-each
func.func @two(%a: memref<8xf32>, %p: vector<2xf32>, %i: index) {
  %k = arith.constant dense<[0, 1]> : vector<2xindex>
  %m = arith.constant dense<true> : vector<2xi1>
  vector.scatter %a[%i] [%k], %m, %p : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>
  return
}
