// The greatest element of each row and its place, in two buffers: one recurrence of both.
func.func @rows(%x: memref<?x?xf32>, %v: memref<?xf32>, %p: memref<?xi64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<?x?xf32>) outs(%v, %p : memref<?xf32>, memref<?xi64>) {
  ^bb0(%a: f32, %m: f32, %k: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %c = arith.cmpf ogt, %a, %m : f32
    %0 = arith.select %c, %a, %m : f32
    %1 = arith.select %c, %n, %k : i64
    linalg.yield %0, %1 : f32, i64
  }
  return
}
func.func @own(%x: memref<?x?xf32>, %v: memref<?xf32>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %m = memref.dim %v, %c0 : memref<?xf32>
  %p = memref.alloc(%m) : memref<?xi64>
  linalg.fill ins(%zero : i64) outs(%p : memref<?xi64>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<?x?xf32>) outs(%v, %p : memref<?xf32>, memref<?xi64>) {
  ^bb0(%a: f32, %g: f32, %k: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %c = arith.cmpf ogt, %a, %g : f32
    %0 = arith.select %c, %a, %g : f32
    %1 = arith.select %c, %n, %k : i64
    linalg.yield %0, %1 : f32, i64
  }
  return %p : memref<?xi64>
}
// ----- proved-each --distinct
func.func @rows(%x: memref<?x?xf32>, %v: memref<?xf32>, %p: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.load %x[%i, %j] : memref<?x?xf32>
      %g = memref.load %v[%i] : memref<?xf32>
      %k = memref.load %p[%i] : memref<?xi64>
      %q = arith.index_cast %j : index to i64
      %c = arith.cmpf ogt, %a, %g : f32
      %0 = arith.select %c, %a, %g : f32
      %1 = arith.select %c, %q, %k : i64
      memref.store %0, %v[%i] : memref<?xf32>
      memref.store %1, %p[%i] : memref<?xi64>
    }
  }
  return
}
func.func @own(%x: memref<?x?xf32>, %v: memref<?xf32>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %m = memref.dim %v, %c0 : memref<?xf32>
  %p = memref.alloc(%m) : memref<?xi64>
  affine.for %i = 0 to %m {
    affine.store %zero, %p[%i] : memref<?xi64>
  }
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %x[%i, %j] : memref<?x?xf32>
      %g = affine.load %v[%i] : memref<?xf32>
      %k = affine.load %p[%i] : memref<?xi64>
      %q = arith.index_cast %j : index to i64
      %c = arith.cmpf ogt, %a, %g : f32
      %0 = arith.select %c, %a, %g : f32
      %1 = arith.select %c, %q, %k : i64
      affine.store %0, %v[%i] : memref<?xf32>
      affine.store %1, %p[%i] : memref<?xi64>
    }
  }
  return %p : memref<?xi64>
}
// ----- refuted-each --distinct
func.func @rows(%x: memref<?x?xf32>, %v: memref<?xf32>, %p: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.load %x[%i, %j] : memref<?x?xf32>
      %g = memref.load %v[%i] : memref<?xf32>
      %q = arith.index_cast %j : index to i64
      %c = arith.cmpf ogt, %a, %g : f32
      %0 = arith.select %c, %a, %g : f32
      memref.store %0, %v[%i] : memref<?xf32>
      %h = memref.load %v[%i] : memref<?xf32>
      %d = arith.cmpf ogt, %a, %h : f32
      %k = memref.load %p[%i] : memref<?xi64>
      %1 = arith.select %d, %q, %k : i64
      memref.store %1, %p[%i] : memref<?xi64>
    }
  }
  return
}
func.func @own(%x: memref<?x?xf32>, %v: memref<?xf32>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1 : i64
  %m = memref.dim %v, %c0 : memref<?xf32>
  %p = memref.alloc(%m) : memref<?xi64>
  affine.for %i = 0 to %m {
    affine.store %zero, %p[%i] : memref<?xi64>
  }
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %x[%i, %j] : memref<?x?xf32>
      %g = affine.load %v[%i] : memref<?xf32>
      %k = affine.load %p[%i] : memref<?xi64>
      %q = arith.index_cast %j : index to i64
      %c = arith.cmpf ogt, %a, %g : f32
      %0 = arith.select %c, %a, %g : f32
      %1 = arith.select %c, %q, %k : i64
      affine.store %0, %v[%i] : memref<?xf32>
      affine.store %1, %p[%i] : memref<?xi64>
    }
  }
  return %p : memref<?xi64>
}
