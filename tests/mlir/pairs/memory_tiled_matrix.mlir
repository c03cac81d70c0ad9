// Sizes are those of what is read: that rows of what is written are no shorter is known where there are elements.
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %p {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
// ----- proved --distinct
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %p {
    affine.for %i = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
// ----- proved --distinct
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %t = 0 to %n step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%t)[%n] {
      affine.for %j = 0 to %p {
        %0 = affine.load %a[%i, %j] : memref<?x?xf32>
        affine.store %0, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- proved --distinct
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %t = 0 to %p step 32 {
    affine.for %i = 0 to %n {
      affine.for %j = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%t)[%p] {
        %0 = affine.load %a[%i, %j] : memref<?x?xf32>
        affine.store %0, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- proved --distinct
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %t = 0 to %p step 32 {
      affine.for %j = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%t)[%p] {
        %0 = affine.load %a[%i, %j] : memref<?x?xf32>
        affine.store %0, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted --distinct
// A tile that ends one column too early.
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %t = 0 to %p step 32 {
    affine.for %i = 0 to %n {
      affine.for %j = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[s0] -> (d0 + 31, s0)>(%t)[%p] {
        %0 = affine.load %a[%i, %j] : memref<?x?xf32>
        affine.store %0, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted --distinct
// The other dimension's bound.
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %t = 0 to %n step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%t)[%p] {
      affine.for %j = 0 to %p {
        %0 = affine.load %a[%i, %j] : memref<?x?xf32>
        affine.store %0, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// ----- refuted --distinct
func.func @copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %p {
    affine.for %i = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}
