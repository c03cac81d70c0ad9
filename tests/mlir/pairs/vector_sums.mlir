// Reductions, contractions, masks and memory lane by lane; sums of integers, whose order does not matter.
func.func @sum(%a: vector<4xi32>, %x: i32) -> i32 {
  %0 = vector.reduction <add>, %a, %x : vector<4xi32> into i32
  return %0 : i32
}
func.func @least(%a: vector<3xi8>) -> i8 {
  %0 = vector.reduction <minui>, %a : vector<3xi8> into i8
  return %0 : i8
}
func.func @greatest(%a: vector<2xf32>) -> f32 {
  %0 = vector.reduction <maximumf>, %a : vector<2xf32> into f32
  return %0 : f32
}
func.func @columns(%a: vector<2x3xi32>, %c: vector<3xi32>) -> vector<3xi32> {
  %0 = vector.multi_reduction <add>, %a, %c [0] : vector<2x3xi32> to vector<3xi32>
  return %0 : vector<3xi32>
}
func.func @matmul(%a: vector<2x4xi32>, %b: vector<4x3xi32>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xi32>, vector<4x3xi32> into vector<2x3xi32>
  return %0 : vector<2x3xi32>
}
func.func @masked_sum(%a: vector<4xi32>) -> i32 {
  %m = vector.constant_mask [3] : vector<4xi1>
  %0 = vector.mask %m { vector.reduction <add>, %a : vector<4xi32> into i32 } : vector<4xi1> -> i32
  return %0 : i32
}
func.func @masked_load(%a: memref<?xf32>, %n: index, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  %m = vector.create_mask %d : vector<4xi1>
  %0 = vector.maskedload %a[%c0], %m, %p : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @masked_store(%a: memref<?xf32>, %n: index, %p: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  %m = vector.create_mask %d : vector<4xi1>
  vector.maskedstore %a[%c0], %m, %p : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}
func.func @gather(%a: memref<8xf32>, %p: vector<2xf32>) -> vector<2xf32> {
  %c1 = arith.constant 1 : index
  %i = arith.constant dense<[3, 0]> : vector<2xindex>
  %m = arith.constant dense<true> : vector<2xi1>
  %0 = vector.gather %a[%c1] [%i], %m, %p : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}
func.func @scatter(%a: memref<8xf32>, %p: vector<2xf32>) {
  %c1 = arith.constant 1 : index
  %i = arith.constant dense<[3, 3]> : vector<2xindex>
  %m = arith.constant dense<true> : vector<2xi1>
  vector.scatter %a[%c1] [%i], %m, %p : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>
  return
}
func.func @order(%a: vector<3xf32>, %x: f32) -> f32 {
  %0 = vector.reduction <add>, %a, %x : vector<3xf32> into f32
  return %0 : f32
}
func.func @masked_generic(%a: vector<4xi32>) -> i32 {
  %m = vector.constant_mask [2] : vector<4xi1>
  %0 = "vector.mask"(%m) ({
    %1 = vector.reduction <add>, %a : vector<4xi32> into i32
    "vector.yield"(%1) : (i32) -> ()
  }) : (vector<4xi1>) -> i32
  return %0 : i32
}
// ----- proved
func.func @sum(%a: vector<4xi32>, %x: i32) -> i32 {
  %0 = vector.reduction <add>, %a : vector<4xi32> into i32
  %1 = arith.addi %x, %0 : i32
  return %1 : i32
}
func.func @least(%a: vector<3xi8>) -> i8 {
  %0 = vector.extract %a[0] : i8 from vector<3xi8>
  %1 = vector.extract %a[1] : i8 from vector<3xi8>
  %2 = vector.extract %a[2] : i8 from vector<3xi8>
  %3 = arith.minui %0, %1 : i8
  %4 = arith.minui %3, %2 : i8
  return %4 : i8
}
func.func @greatest(%a: vector<2xf32>) -> f32 {
  %0 = vector.extract %a[0] : f32 from vector<2xf32>
  %1 = vector.extract %a[1] : f32 from vector<2xf32>
  %2 = arith.maximumf %0, %1 : f32
  return %2 : f32
}
func.func @columns(%a: vector<2x3xi32>, %c: vector<3xi32>) -> vector<3xi32> {
  %0 = vector.extract %a[0] : vector<3xi32> from vector<2x3xi32>
  %1 = vector.extract %a[1] : vector<3xi32> from vector<2x3xi32>
  %2 = arith.addi %0, %1 : vector<3xi32>
  %3 = arith.addi %2, %c : vector<3xi32>
  return %3 : vector<3xi32>
}
func.func @matmul(%a: vector<2x4xi32>, %b: vector<4x3xi32>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %t = vector.transpose %b, [1, 0] : vector<4x3xi32> to vector<3x4xi32>
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %t, %c : vector<2x4xi32>, vector<3x4xi32> into vector<2x3xi32>
  return %0 : vector<2x3xi32>
}
func.func @masked_sum(%a: vector<4xi32>) -> i32 {
  %0 = vector.extract_strided_slice %a {offsets = [0], sizes = [3], strides = [1]} : vector<4xi32> to vector<3xi32>
  %1 = vector.reduction <add>, %0 : vector<3xi32> into i32
  return %1 : i32
}
func.func @masked_load(%a: memref<?xf32>, %n: index, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %d = memref.dim %a, %c0 : memref<?xf32>
  %m = vector.create_mask %d : vector<4xi1>
  %0 = vector.transfer_read %a[%c0], %z : memref<?xf32>, vector<4xf32>
  %1 = arith.select %m, %0, %p : vector<4xi1>, vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @masked_store(%a: memref<?xf32>, %n: index, %p: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %p, %a[%c0] : vector<4xf32>, memref<?xf32>
  return
}
func.func @gather(%a: memref<8xf32>, %p: vector<2xf32>) -> vector<2xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = memref.load %a[%c4] : memref<8xf32>
  %1 = memref.load %a[%c1] : memref<8xf32>
  %2 = vector.from_elements %0, %1 : vector<2xf32>
  return %2 : vector<2xf32>
}
func.func @scatter(%a: memref<8xf32>, %p: vector<2xf32>) {
  %c4 = arith.constant 4 : index
  %0 = vector.extract %p[1] : f32 from vector<2xf32>
  memref.store %0, %a[%c4] : memref<8xf32>
  return
}
func.func @order(%a: vector<3xf32>, %x: f32) -> f32 {
  %m = arith.constant dense<true> : vector<3xi1>
  %0 = vector.mask %m { vector.reduction <add>, %a, %x : vector<3xf32> into f32 } : vector<3xi1> -> f32
  return %0 : f32
}
func.func @masked_generic(%a: vector<4xi32>) -> i32 {
  %0 = vector.extract %a[0] : i32 from vector<4xi32>
  %1 = vector.extract %a[1] : i32 from vector<4xi32>
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
// ----- refuted-each
func.func @sum(%a: vector<4xi32>, %x: i32) -> i32 {
  %0 = vector.reduction <add>, %a : vector<4xi32> into i32
  return %0 : i32
}
func.func @least(%a: vector<3xi8>) -> i8 {
  %0 = vector.reduction <minsi>, %a : vector<3xi8> into i8
  return %0 : i8
}
func.func @greatest(%a: vector<2xf32>) -> f32 {
  %0 = vector.reduction <minimumf>, %a : vector<2xf32> into f32
  return %0 : f32
}
func.func @columns(%a: vector<2x3xi32>, %c: vector<3xi32>) -> vector<3xi32> {
  %0 = vector.extract %a[0] : vector<3xi32> from vector<2x3xi32>
  %2 = arith.addi %0, %0 : vector<3xi32>
  %3 = arith.addi %2, %c : vector<3xi32>
  return %3 : vector<3xi32>
}
func.func @matmul(%a: vector<2x4xi32>, %b: vector<4x3xi32>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %t = vector.shape_cast %b : vector<4x3xi32> to vector<3x4xi32>
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %t, %c : vector<2x4xi32>, vector<3x4xi32> into vector<2x3xi32>
  return %0 : vector<2x3xi32>
}
func.func @masked_sum(%a: vector<4xi32>) -> i32 {
  %1 = vector.reduction <add>, %a : vector<4xi32> into i32
  return %1 : i32
}
func.func @masked_load(%a: memref<?xf32>, %n: index, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %z : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @masked_store(%a: memref<?xf32>, %n: index, %p: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  vector.store %p, %a[%c0] : memref<?xf32>, vector<4xf32>
  return
}
func.func @gather(%a: memref<8xf32>, %p: vector<2xf32>) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %0 = memref.load %a[%c3] : memref<8xf32>
  %1 = memref.load %a[%c0] : memref<8xf32>
  %2 = vector.from_elements %0, %1 : vector<2xf32>
  return %2 : vector<2xf32>
}
func.func @scatter(%a: memref<8xf32>, %p: vector<2xf32>) {
  %c4 = arith.constant 4 : index
  %0 = vector.extract %p[0] : f32 from vector<2xf32>
  memref.store %0, %a[%c4] : memref<8xf32>
  return
}
func.func @order(%a: vector<3xf32>, %x: f32) -> f32 {
  %0 = vector.reduction <add>, %a : vector<3xf32> into f32
  return %0 : f32
}
func.func @masked_generic(%a: vector<4xi32>) -> i32 {
  %0 = vector.extract %a[0] : i32 from vector<4xi32>
  %1 = vector.extract %a[2] : i32 from vector<4xi32>
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
// ----- unknown-each
func.func @order(%a: vector<3xf32>, %x: f32) -> f32 {
  %0 = vector.extract %a[0] : f32 from vector<3xf32>
  %1 = vector.extract %a[1] : f32 from vector<3xf32>
  %2 = vector.extract %a[2] : f32 from vector<3xf32>
  %3 = arith.addf %x, %0 : f32
  %4 = arith.addf %3, %1 : f32
  %5 = arith.addf %4, %2 : f32
  return %5 : f32
}
