// Loops over memory that are unrolled, tiled by sizes that do not divide, and flattened.
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
func.func @transpose(%a: memref<8x6xf32>, %b: memref<6x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<8x6xf32>
      affine.store %x, %b[%j, %i] : memref<6x8xf32>
    }
  }
  return
}
func.func @few(%a: memref<14xf32>, %b: memref<14xf32>) {
  affine.for %i = 1 to 13 {
    %l = affine.load %a[%i - 1] : memref<14xf32>
    %r = affine.load %a[%i + 1] : memref<14xf32>
    %s = arith.addf %l, %r : f32
    affine.store %s, %b[%i] : memref<14xf32>
  }
  return
}
// ----- proved --distinct
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n] step 3 {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
    %y = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %y, %b[%i + 1] : memref<?xf32>
    %z = affine.load %a[%i + 2] : memref<?xf32>
    affine.store %z, %b[%i + 2] : memref<?xf32>
  }
  affine.for %i = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n] to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
func.func @transpose(%a: memref<8x6xf32>, %b: memref<6x8xf32>) {
  affine.for %k = 0 to 48 {
    %i = affine.apply affine_map<(d0) -> (d0 floordiv 6)>(%k)
    %j = affine.apply affine_map<(d0) -> (d0 mod 6)>(%k)
    %x = affine.load %a[%i, %j] : memref<8x6xf32>
    affine.store %x, %b[%j, %i] : memref<6x8xf32>
  }
  return
}
func.func @few(%a: memref<14xf32>, %b: memref<14xf32>) {
  affine.for %i = 1 to 13 step 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
      %l = affine.load %a[%j - 1] : memref<14xf32>
      %r = affine.load %a[%j + 1] : memref<14xf32>
      %s = arith.addf %l, %r : f32
      affine.store %s, %b[%j] : memref<14xf32>
    }
  }
  return
}
// ----- proved-each --distinct
func.func @transpose(%a: memref<8x6xf32>, %b: memref<6x8xf32>) {
  affine.for %i = 0 to 8 step 2 {
    affine.for %j = 0 to 6 step 2 {
      %x = affine.load %a[%i, %j] : memref<8x6xf32>
      affine.store %x, %b[%j, %i] : memref<6x8xf32>
      %y = affine.load %a[%i + 1, %j] : memref<8x6xf32>
      affine.store %y, %b[%j, %i + 1] : memref<6x8xf32>
      %z = affine.load %a[%i, %j + 1] : memref<8x6xf32>
      affine.store %z, %b[%j + 1, %i] : memref<6x8xf32>
      %w = affine.load %a[%i + 1, %j + 1] : memref<8x6xf32>
      affine.store %w, %b[%j + 1, %i + 1] : memref<6x8xf32>
    }
  }
  return
}
// ----- refuted-each --distinct
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n] step 3 {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
    %y = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %y, %b[%i + 1] : memref<?xf32>
    %z = affine.load %a[%i + 2] : memref<?xf32>
    affine.store %z, %b[%i + 2] : memref<?xf32>
  }
  return
}
func.func @transpose(%a: memref<8x6xf32>, %b: memref<6x8xf32>) {
  affine.for %k = 0 to 47 {
    %i = affine.apply affine_map<(d0) -> (d0 floordiv 6)>(%k)
    %j = affine.apply affine_map<(d0) -> (d0 mod 6)>(%k)
    %x = affine.load %a[%i, %j] : memref<8x6xf32>
    affine.store %x, %b[%j, %i] : memref<6x8xf32>
  }
  return
}
func.func @few(%a: memref<14xf32>, %b: memref<14xf32>) {
  affine.for %i = 1 to 13 step 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 3)>(%i) {
      %l = affine.load %a[%j - 1] : memref<14xf32>
      %r = affine.load %a[%j + 1] : memref<14xf32>
      %s = arith.addf %l, %r : f32
      affine.store %s, %b[%j] : memref<14xf32>
    }
  }
  return
}
// ----- refuted-each --distinct
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n] step 3 {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
    %y = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %y, %b[%i + 2] : memref<?xf32>
    %z = affine.load %a[%i + 2] : memref<?xf32>
    affine.store %z, %b[%i + 1] : memref<?xf32>
  }
  affine.for %i = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>()[%n] to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
func.func @transpose(%a: memref<8x6xf32>, %b: memref<6x8xf32>) {
  affine.for %t = 0 to 8 step 3 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 2, 8)>(%t) {
      affine.for %j = 0 to 6 {
        %x = affine.load %a[%i, %j] : memref<8x6xf32>
        affine.store %x, %b[%j, %i] : memref<6x8xf32>
      }
    }
  }
  return
}
