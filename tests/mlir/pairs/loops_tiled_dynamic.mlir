// Tiles of two dynamic dimensions that their sizes need not divide.
func.func @square(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = arith.muli %x, %x : tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
// ----- proved
func.func @square(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %a = memref.alloc(%n, %m) : memref<?x?xi32>
  affine.for %i = 0 to %n step 3 {
    affine.for %j = 0 to %m step 3 {
      affine.for %u = affine_map<(i) -> (i)>(%i) to min affine_map<(i)[n] -> (i + 3, n)>(%i)[%n] {
        affine.for %v = affine_map<(i) -> (i)>(%j) to min affine_map<(i)[n] -> (i + 3, n)>(%j)[%m] {
          %e = tensor.extract %x[%u, %v] : tensor<?x?xi32>
          %p = arith.muli %e, %e : i32
          affine.store %p, %a[%u, %v] : memref<?x?xi32>
        }
      }
    }
  }
  %r = bufferization.to_tensor %a : memref<?x?xi32>
  return %r : tensor<?x?xi32>
}
// ----- refuted
func.func @square(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %a = memref.alloc(%n, %m) : memref<?x?xi32>
  affine.for %i = 0 to %n step 3 {
    affine.for %j = 0 to %m step 3 {
      affine.for %u = affine_map<(i) -> (i)>(%i) to min affine_map<(i)[n] -> (i + 3, n)>(%i)[%n] {
        affine.for %v = affine_map<(i) -> (i)>(%j) to min affine_map<(i)[n] -> (i + 2, n)>(%j)[%m] {
          %e = tensor.extract %x[%u, %v] : tensor<?x?xi32>
          %p = arith.muli %e, %e : i32
          affine.store %p, %a[%u, %v] : memref<?x?xi32>
        }
      }
    }
  }
  %r = bufferization.to_tensor %a : memref<?x?xi32>
  return %r : tensor<?x?xi32>
}
// ----- refuted
func.func @square(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %a = memref.alloc(%n, %m) : memref<?x?xi32>
  affine.for %i = 0 to %n step 3 {
    affine.for %j = 0 to %m step 3 {
      affine.for %u = affine_map<(i) -> (i)>(%i) to min affine_map<(i)[n] -> (i + 3, n)>(%i)[%m] {
        affine.for %v = affine_map<(i) -> (i)>(%j) to min affine_map<(i)[n] -> (i + 3, n)>(%j)[%m] {
          %e = tensor.extract %x[%u, %v] : tensor<?x?xi32>
          %p = arith.muli %e, %e : i32
          affine.store %p, %a[%u, %v] : memref<?x?xi32>
        }
      }
    }
  }
  %r = bufferization.to_tensor %a : memref<?x?xi32>
  return %r : tensor<?x?xi32>
}
