// Tiles of a part of a larger buffer, whose rows are longer than the loop.
func.func @square(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %m {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @border(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
// ----- proved --distinct
func.func @square(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %it = 0 to %m step 4 {
    affine.for %jt = 0 to %m step 4 {
      affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%it)[%m] {
        affine.for %j = affine_map<(d0) -> (d0)>(%jt) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%jt)[%m] {
          %0 = affine.load %a[%i, %j] : memref<?x?xf32>
          affine.store %0, %b[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
func.func @border(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index) {
  affine.for %it = 0 to %n step 4 {
    affine.for %jt = 0 to %n step 4 {
      affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%it)[%n] {
        affine.for %j = affine_map<(d0) -> (d0)>(%jt) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%jt)[%n] {
          %0 = affine.load %a[%i, %j] : memref<?x?xf32>
          affine.store %0, %b[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
// ----- refuted-each --distinct
// The last tile of a row goes beyond the loop.
func.func @square(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %it = 0 to %m step 4 {
    affine.for %jt = 0 to %m step 4 {
      affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%it)[%m] {
        affine.for %j = affine_map<(d0) -> (d0)>(%jt) to affine_map<(d0) -> (d0 + 4)>(%jt) {
          %0 = affine.load %a[%i, %j] : memref<?x?xf32>
          affine.store %0, %b[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
func.func @border(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index) {
  affine.for %it = 0 to %n step 4 {
    affine.for %jt = 0 to %n step 4 {
      affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%it)[%n] {
        affine.for %j = affine_map<(d0) -> (d0)>(%jt) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%jt)[%n] {
          %0 = affine.load %a[%j, %i] : memref<?x?xf32>
          affine.store %0, %b[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
