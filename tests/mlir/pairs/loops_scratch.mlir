// A place that every iteration writes: what it holds within one, and after the last.
func.func @scratch(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %a, %b : tensor<8xf32>
  %1 = arith.mulf %0, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @last(%a: tensor<?xf32>, %m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    memref.store %x, %m[] : memref<f32>
  }
  return
}
func.func @kept(%m: memref<4xf32>, %o: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.load %o[] : memref<f32>
    %z = arith.addf %y, %x : f32
    memref.store %z, %o[] : memref<f32>
  }
  return
}
// ----- proved-each
func.func @scratch(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %one = memref.alloc() : memref<1xf32>
  %out = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    %y = tensor.extract %b[%i] : tensor<8xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %one[0] : memref<1xf32>
    affine.store %x, %out[%i] : memref<8xf32>
    %t = affine.load %one[0] : memref<1xf32>
    %p = arith.mulf %t, %t : f32
    affine.store %p, %out[%i] : memref<8xf32>
  }
  %r = bufferization.to_tensor %out : memref<8xf32>
  return %r : tensor<8xf32>
}
func.func @last(%a: tensor<?xf32>, %m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %i = arith.subi %n, %c1 : index
    %x = tensor.extract %a[%i] : tensor<?xf32>
    memref.store %x, %m[] : memref<f32>
  }
  return
}
func.func @kept(%m: memref<4xf32>, %o: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %y = memref.load %o[] : memref<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> f32 {
    %z = arith.addf %s, %x : f32
    scf.yield %z : f32
  }
  memref.store %r, %o[] : memref<f32>
  return
}
// ----- refuted-each
func.func @scratch(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %one = memref.alloc() : memref<1xf32>
  %out = memref.alloc() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  affine.store %zero, %one[0] : memref<1xf32>
  affine.for %i = 0 to 8 {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    %y = tensor.extract %b[%i] : tensor<8xf32>
    %t = affine.load %one[0] : memref<1xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %one[0] : memref<1xf32>
    %p = arith.mulf %t, %t : f32
    affine.store %p, %out[%i] : memref<8xf32>
  }
  %r = bufferization.to_tensor %out : memref<8xf32>
  return %r : tensor<8xf32>
}
func.func @last(%a: tensor<?xf32>, %m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %x = tensor.extract %a[%c0] : tensor<?xf32>
    memref.store %x, %m[] : memref<f32>
  }
  return
}
func.func @kept(%m: memref<4xf32>, %o: memref<f32>, %n: index) {
  %x = arith.constant 1.0 : f32
  %y = memref.load %o[] : memref<f32>
  %z = arith.addf %y, %x : f32
  memref.store %z, %o[] : memref<f32>
  return
}
