func.func @inclusive(%a: vector<2x3xi32>, %i: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {
  %0:2 = vector.scan <add>, %a, %i {inclusive = true, reduction_dim = 1} : vector<2x3xi32>, vector<2xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<2xi32>
}
func.func @exclusive(%a: vector<3x2xf32>, %i: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %0:2 = vector.scan <mul>, %a, %i {inclusive = false, reduction_dim = 0} : vector<3x2xf32>, vector<2xf32>
  return %0#0, %0#1 : vector<3x2xf32>, vector<2xf32>
}
func.func @line(%a: vector<4xf32>, %i: vector<f32>) -> (vector<4xf32>, vector<f32>) {
  %0:2 = vector.scan <add>, %a, %i {inclusive = false, reduction_dim = 0} : vector<4xf32>, vector<f32>
  return %0#0, %0#1 : vector<4xf32>, vector<f32>
}
func.func @expand(%m: memref<?xf32>, %i: index, %k: vector<3xi1>, %p: vector<3xf32>) -> vector<3xf32> {
  %v = vector.expandload %m[%i], %k, %p : memref<?xf32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  return %v : vector<3xf32>
}
func.func @compress(%m: memref<?xf32>, %i: index, %k: vector<2xi1>, %p: vector<2xf32>) {
  vector.compressstore %m[%i], %k, %p : memref<?xf32>, vector<2xi1>, vector<2xf32>
  return
}
func.func @compress_some(%m: memref<8xf32>, %p: vector<4xf32>) {
  %c2 = arith.constant 2 : index
  %k = vector.constant_mask [3] : vector<4xi1>
  vector.compressstore %m[%c2], %k, %p : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return
}
// ----- proved
func.func @inclusive(%arg0: vector<2x3xi32>, %arg1: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {
  %cst = arith.constant dense<0> : vector<2x3xi32>
  %0 = vector.extract_strided_slice %arg0 {offsets = [0, 0], sizes = [2, 1], strides = [1, 1]} : vector<2x3xi32> to vector<2x1xi32>
  %1 = vector.insert_strided_slice %0, %cst {offsets = [0, 0], strides = [1, 1]} : vector<2x1xi32> into vector<2x3xi32>
  %2 = vector.extract_strided_slice %arg0 {offsets = [0, 1], sizes = [2, 1], strides = [1, 1]} : vector<2x3xi32> to vector<2x1xi32>
  %3 = arith.addi %0, %2 : vector<2x1xi32>
  %4 = vector.insert_strided_slice %3, %1 {offsets = [0, 1], strides = [1, 1]} : vector<2x1xi32> into vector<2x3xi32>
  %5 = vector.extract_strided_slice %arg0 {offsets = [0, 2], sizes = [2, 1], strides = [1, 1]} : vector<2x3xi32> to vector<2x1xi32>
  %6 = arith.addi %3, %5 : vector<2x1xi32>
  %7 = vector.insert_strided_slice %6, %4 {offsets = [0, 2], strides = [1, 1]} : vector<2x1xi32> into vector<2x3xi32>
  %8 = vector.shape_cast %6 : vector<2x1xi32> to vector<2xi32>
  return %7, %8 : vector<2x3xi32>, vector<2xi32>
}
func.func @exclusive(%arg0: vector<3x2xf32>, %arg1: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %cst = arith.constant dense<0.000000e+00> : vector<3x2xf32>
  %0 = vector.extract_strided_slice %arg0 {offsets = [0, 0], sizes = [1, 2], strides = [1, 1]} : vector<3x2xf32> to vector<1x2xf32>
  %1 = vector.shape_cast %arg1 : vector<2xf32> to vector<1x2xf32>
  %2 = vector.insert_strided_slice %1, %cst {offsets = [0, 0], strides = [1, 1]} : vector<1x2xf32> into vector<3x2xf32>
  %3 = vector.extract_strided_slice %arg0 {offsets = [1, 0], sizes = [1, 2], strides = [1, 1]} : vector<3x2xf32> to vector<1x2xf32>
  %4 = arith.mulf %1, %0 : vector<1x2xf32>
  %5 = vector.insert_strided_slice %4, %2 {offsets = [1, 0], strides = [1, 1]} : vector<1x2xf32> into vector<3x2xf32>
  %6 = arith.mulf %4, %3 : vector<1x2xf32>
  %7 = vector.insert_strided_slice %6, %5 {offsets = [2, 0], strides = [1, 1]} : vector<1x2xf32> into vector<3x2xf32>
  %8 = vector.shape_cast %6 : vector<1x2xf32> to vector<2xf32>
  return %7, %8 : vector<3x2xf32>, vector<2xf32>
}
func.func @line(%arg0: vector<4xf32>, %arg1: vector<f32>) -> (vector<4xf32>, vector<f32>) {
  %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
  %0 = vector.extract_strided_slice %arg0 {offsets = [0], sizes = [1], strides = [1]} : vector<4xf32> to vector<1xf32>
  %1 = vector.broadcast %arg1 : vector<f32> to vector<1xf32>
  %2 = vector.insert_strided_slice %1, %cst {offsets = [0], strides = [1]} : vector<1xf32> into vector<4xf32>
  %3 = vector.extract_strided_slice %arg0 {offsets = [1], sizes = [1], strides = [1]} : vector<4xf32> to vector<1xf32>
  %4 = arith.addf %1, %0 : vector<1xf32>
  %5 = vector.insert_strided_slice %4, %2 {offsets = [1], strides = [1]} : vector<1xf32> into vector<4xf32>
  %6 = vector.extract_strided_slice %arg0 {offsets = [2], sizes = [1], strides = [1]} : vector<4xf32> to vector<1xf32>
  %7 = arith.addf %4, %3 : vector<1xf32>
  %8 = vector.insert_strided_slice %7, %5 {offsets = [2], strides = [1]} : vector<1xf32> into vector<4xf32>
  %9 = arith.addf %7, %6 : vector<1xf32>
  %10 = vector.insert_strided_slice %9, %8 {offsets = [3], strides = [1]} : vector<1xf32> into vector<4xf32>
  %11 = vector.extract %9[0] : f32 from vector<1xf32>
  %12 = vector.broadcast %11 : f32 to vector<f32>
  return %10, %12 : vector<4xf32>, vector<f32>
}
func.func @expand(%m: memref<?xf32>, %i: index, %k: vector<3xi1>, %p: vector<3xf32>) -> vector<3xf32> {
  %c1 = arith.constant 1 : index
  %k0 = vector.extract %k[0] : i1 from vector<3xi1>
  %k1 = vector.extract %k[1] : i1 from vector<3xi1>
  %k2 = vector.extract %k[2] : i1 from vector<3xi1>
  %r0:2 = scf.if %k0 -> (vector<3xf32>, index) {
    %x = memref.load %m[%i] : memref<?xf32>
    %q = vector.insert %x, %p[0] : f32 into vector<3xf32>
    %n = arith.addi %i, %c1 : index
    scf.yield %q, %n : vector<3xf32>, index
  } else {
    scf.yield %p, %i : vector<3xf32>, index
  }
  %r1:2 = scf.if %k1 -> (vector<3xf32>, index) {
    %x = memref.load %m[%r0#1] : memref<?xf32>
    %q = vector.insert %x, %r0#0[1] : f32 into vector<3xf32>
    %n = arith.addi %r0#1, %c1 : index
    scf.yield %q, %n : vector<3xf32>, index
  } else {
    scf.yield %r0#0, %r0#1 : vector<3xf32>, index
  }
  %r2 = scf.if %k2 -> vector<3xf32> {
    %x = memref.load %m[%r1#1] : memref<?xf32>
    %q = vector.insert %x, %r1#0[2] : f32 into vector<3xf32>
    scf.yield %q : vector<3xf32>
  } else {
    scf.yield %r1#0 : vector<3xf32>
  }
  return %r2 : vector<3xf32>
}
func.func @compress(%m: memref<?xf32>, %i: index, %k: vector<2xi1>, %p: vector<2xf32>) {
  %c1 = arith.constant 1 : index
  %k0 = vector.extract %k[0] : i1 from vector<2xi1>
  %k1 = vector.extract %k[1] : i1 from vector<2xi1>
  %p0 = vector.extract %p[0] : f32 from vector<2xf32>
  %p1 = vector.extract %p[1] : f32 from vector<2xf32>
  %n = arith.addi %i, %c1 : index
  scf.if %k0 {
    memref.store %p0, %m[%i] : memref<?xf32>
  }
  %j = arith.select %k0, %n, %i : index
  scf.if %k1 {
    memref.store %p1, %m[%j] : memref<?xf32>
  }
  return
}
func.func @compress_some(%m: memref<8xf32>, %p: vector<4xf32>) {
  %c2 = arith.constant 2 : index
  %s = vector.extract_strided_slice %p {offsets = [0], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
  vector.store %s, %m[%c2] : memref<8xf32>, vector<3xf32>
  return
}
// ----- refuted-each
func.func @inclusive(%a: vector<2x3xi32>, %i: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {
  %0:2 = vector.scan <add>, %a, %i {inclusive = false, reduction_dim = 1} : vector<2x3xi32>, vector<2xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<2xi32>
}
func.func @exclusive(%a: vector<3x2xf32>, %i: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %0:2 = vector.scan <mul>, %a, %i {inclusive = true, reduction_dim = 0} : vector<3x2xf32>, vector<2xf32>
  return %0#0, %0#1 : vector<3x2xf32>, vector<2xf32>
}
func.func @line(%a: vector<4xf32>, %i: vector<f32>) -> (vector<4xf32>, vector<f32>) {
  %0:2 = vector.scan <add>, %a, %i {inclusive = true, reduction_dim = 0} : vector<4xf32>, vector<f32>
  return %0#0, %0#1 : vector<4xf32>, vector<f32>
}
func.func @expand(%m: memref<?xf32>, %i: index, %k: vector<3xi1>, %p: vector<3xf32>) -> vector<3xf32> {
  %v = vector.maskedload %m[%i], %k, %p : memref<?xf32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  return %v : vector<3xf32>
}
func.func @compress(%m: memref<?xf32>, %i: index, %k: vector<2xi1>, %p: vector<2xf32>) {
  %c1 = arith.constant 1 : index
  %k0 = vector.extract %k[0] : i1 from vector<2xi1>
  %k1 = vector.extract %k[1] : i1 from vector<2xi1>
  %p0 = vector.extract %p[0] : f32 from vector<2xf32>
  %p1 = vector.extract %p[1] : f32 from vector<2xf32>
  %n = arith.addi %i, %c1 : index
  scf.if %k0 {
    memref.store %p0, %m[%i] : memref<?xf32>
  }
  %j = arith.select %k1, %n, %i : index
  scf.if %k1 {
    memref.store %p1, %m[%j] : memref<?xf32>
  }
  return
}
func.func @compress_some(%m: memref<8xf32>, %p: vector<4xf32>) {
  %c2 = arith.constant 2 : index
  %s = vector.extract_strided_slice %p {offsets = [1], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
  vector.store %s, %m[%c2] : memref<8xf32>, vector<3xf32>
  return
}
