// Loops that write to several blocks, what is written once beside a sum, have no closed form yet: what is wrong is refuted.
func.func @squares_and_sums(%x: tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : i32
  %s = arith.muli %x, %x : tensor<4x?xi32>
  %e = tensor.empty() : tensor<4xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %r = linalg.reduce { arith.addi } ins(%s : tensor<4x?xi32>) outs(%z : tensor<4xi32>) dimensions = [1]
  return %s, %r : tensor<4x?xi32>, tensor<4xi32>
}
func.func @product_of_sums(%x: tensor<6xf32>) -> tensor<6xf32> {
  %r = arith.mulf %x, %x : tensor<6xf32>
  return %r : tensor<6xf32>
}
// ----- unknown-each
func.func @squares_and_sums(%x: tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : i32
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k4 = arith.constant 4 : index
  %n = tensor.dim %x, %k1 : tensor<4x?xi32>
  %a = memref.alloc(%n) : memref<4x?xi32>
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%c0 : i32) outs(%b : memref<4xi32>)
  scf.for %i = %k0 to %k4 step %k1 {
    scf.for %j = %k0 to %n step %k1 {
      %e = tensor.extract %x[%i, %j] : tensor<4x?xi32>
      %l = memref.load %b[%i] : memref<4xi32>
      %p = arith.muli %e, %e : i32
      %q = arith.addi %l, %p : i32
      memref.store %p, %a[%i, %j] : memref<4x?xi32>
      memref.store %q, %b[%i] : memref<4xi32>
    }
  }
  %s = bufferization.to_tensor %a : memref<4x?xi32>
  %r = bufferization.to_tensor %b : memref<4xi32>
  return %s, %r : tensor<4x?xi32>, tensor<4xi32>
}
func.func @product_of_sums(%x: tensor<6xf32>) -> tensor<6xf32> {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k6 = arith.constant 6 : index
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<6xf32>
  %b = memref.alloc() : memref<f32>
  memref.store %z, %b[] : memref<f32>
  scf.for %i = %k0 to %k6 step %k1 {
    %e = tensor.extract %x[%i] : tensor<6xf32>
    %l = memref.load %b[] : memref<f32>
    %p = arith.mulf %e, %e : f32
    %q = arith.addf %l, %p : f32
    memref.store %q, %b[] : memref<f32>
    memref.store %p, %a[%i] : memref<6xf32>
  }
  %r = bufferization.to_tensor %a : memref<6xf32>
  return %r : tensor<6xf32>
}
// ----- refuted-each
func.func @squares_and_sums(%x: tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : i32
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k4 = arith.constant 4 : index
  %n = tensor.dim %x, %k1 : tensor<4x?xi32>
  %a = memref.alloc(%n) : memref<4x?xi32>
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%c0 : i32) outs(%b : memref<4xi32>)
  scf.for %i = %k0 to %k4 step %k1 {
    scf.for %j = %k0 to %n step %k1 {
      %e = tensor.extract %x[%i, %j] : tensor<4x?xi32>
      %l = memref.load %b[%i] : memref<4xi32>
      %p = arith.muli %e, %e : i32
      %q = arith.addi %l, %p : i32
      memref.store %q, %a[%i, %j] : memref<4x?xi32>
      memref.store %q, %b[%i] : memref<4xi32>
    }
  }
  %s = bufferization.to_tensor %a : memref<4x?xi32>
  %r = bufferization.to_tensor %b : memref<4xi32>
  return %s, %r : tensor<4x?xi32>, tensor<4xi32>
}
func.func @product_of_sums(%x: tensor<6xf32>) -> tensor<6xf32> {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k6 = arith.constant 6 : index
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<6xf32>
  %b = memref.alloc() : memref<f32>
  memref.store %z, %b[] : memref<f32>
  scf.for %i = %k0 to %k6 step %k1 {
    %e = tensor.extract %x[%i] : tensor<6xf32>
    %l = memref.load %b[] : memref<f32>
    %p = arith.mulf %e, %e : f32
    %q = arith.addf %l, %p : f32
    memref.store %q, %b[] : memref<f32>
    %o = memref.load %b[] : memref<f32>
    memref.store %o, %a[%i] : memref<6xf32>
  }
  %r = bufferization.to_tensor %a : memref<6xf32>
  return %r : tensor<6xf32>
}
// ----- unknown
func.func @squares_and_sums(%x: tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : i32
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k4 = arith.constant 4 : index
  %n = tensor.dim %x, %k1 : tensor<4x?xi32>
  %a = memref.alloc(%n) : memref<4x?xi32>
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%c0 : i32) outs(%b : memref<4xi32>)
  scf.parallel (%i, %j) = (%k0, %k0) to (%k4, %n) step (%k1, %k1) {
      %e = tensor.extract %x[%i, %j] : tensor<4x?xi32>
      %l = memref.load %b[%i] : memref<4xi32>
      %p = arith.muli %e, %e : i32
      %q = arith.addi %l, %p : i32
      memref.store %p, %a[%i, %j] : memref<4x?xi32>
      memref.store %q, %b[%i] : memref<4xi32>
  }
  %s = bufferization.to_tensor %a : memref<4x?xi32>
  %r = bufferization.to_tensor %b : memref<4xi32>
  return %s, %r : tensor<4x?xi32>, tensor<4xi32>
}
func.func @product_of_sums(%x: tensor<6xf32>) -> tensor<6xf32> {
  %r = arith.mulf %x, %x : tensor<6xf32>
  return %r : tensor<6xf32>
}
