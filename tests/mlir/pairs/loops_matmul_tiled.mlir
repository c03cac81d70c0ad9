func.func @mm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @jam2(%a: memref<7x9xf32>, %b: memref<9x5xf32>, %c: memref<7x5xf32>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 9 {
        %x = affine.load %a[%i, %k] : memref<7x9xf32>
        %y = affine.load %b[%k, %j] : memref<9x5xf32>
        %p = arith.mulf %x, %y : f32
        %z = affine.load %c[%i, %j] : memref<7x5xf32>
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<7x5xf32>
      }
    }
  }
  return
}
func.func @largest(%a: memref<64xf32>, %c: memref<1xf32>) {
  %z = arith.constant 0xFF800000 : f32
  %r = affine.for %i = 0 to 64 iter_args(%x = %z) -> (f32) {
    %v = affine.load %a[%i] : memref<64xf32>
    %p = arith.maximumf %x, %v : f32
    affine.yield %p : f32
  }
  affine.store %r, %c[0] : memref<1xf32>
  return
}
func.func @jam3(%a: memref<7x9xf32>, %b: memref<9x5xf32>, %c: memref<7x5xf32>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 9 {
        %x = affine.load %a[%i, %k] : memref<7x9xf32>
        %y = affine.load %b[%k, %j] : memref<9x5xf32>
        %p = arith.mulf %x, %y : f32
        %z = affine.load %c[%i, %j] : memref<7x5xf32>
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<7x5xf32>
      }
    }
  }
  return
}
// ----- proved-each --distinct
#t = affine_map<(d0) -> (d0)>
#t1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#j = affine_map<(d0) -> (d0 + 1)>
#k = affine_map<(d0) -> (d0 + 1)>
#k1 = affine_map<(d0) -> (d0 + 2)>
func.func @mm(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg3 = 0 to %dim step 4 {
    affine.for %arg4 = 0 to %dim_0 step 4 {
      affine.for %arg5 = 0 to %dim_1 step 4 {
        affine.for %arg6 = #t(%arg3) to min #t1(%arg3)[%dim] {
          affine.for %arg7 = #t(%arg4) to min #t1(%arg4)[%dim_0] {
            affine.for %arg8 = #t(%arg5) to min #t1(%arg5)[%dim_1] {
              %0 = affine.load %arg0[%arg6, %arg8] : memref<?x?xf32>
              %1 = affine.load %arg1[%arg8, %arg7] : memref<?x?xf32>
              %2 = arith.mulf %0, %1 : f32
              %3 = affine.load %arg2[%arg6, %arg7] : memref<?x?xf32>
              %4 = arith.addf %3, %2 : f32
              affine.store %4, %arg2[%arg6, %arg7] : memref<?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}
func.func @jam2(%arg0: memref<7x9xf32>, %arg1: memref<9x5xf32>, %arg2: memref<7x5xf32>) {
  %c6 = arith.constant 6 : index
  affine.for %arg3 = 0 to 6 step 2 {
    affine.for %arg4 = 0 to 5 {
      affine.for %arg5 = 0 to 9 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<7x9xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %2 = arith.mulf %0, %1 : f32
        %3 = affine.load %arg2[%arg3, %arg4] : memref<7x5xf32>
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<7x5xf32>
        %5 = affine.apply #j(%arg3)
        %6 = affine.load %arg0[%5, %arg5] : memref<7x9xf32>
        %7 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %8 = arith.mulf %6, %7 : f32
        %9 = affine.load %arg2[%5, %arg4] : memref<7x5xf32>
        %10 = arith.addf %9, %8 : f32
        affine.store %10, %arg2[%5, %arg4] : memref<7x5xf32>
      }
    }
  }
  affine.for %arg3 = 0 to 5 {
    affine.for %arg4 = 0 to 9 {
      %0 = affine.load %arg0[%c6, %arg4] : memref<7x9xf32>
      %1 = affine.load %arg1[%arg4, %arg3] : memref<9x5xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = affine.load %arg2[%c6, %arg3] : memref<7x5xf32>
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg2[%c6, %arg3] : memref<7x5xf32>
    }
  }
  return
}
func.func @largest(%arg0: memref<64xf32>, %arg1: memref<1xf32>) {
  %cst = arith.constant 0xFF800000 : f32
  %0 = affine.parallel (%arg2) = (0) to (64) reduce ("maximumf") -> (f32) {
    %2 = affine.load %arg0[%arg2] : memref<64xf32>
    affine.yield %2 : f32
  }
  %1 = arith.maximumf %cst, %0 : f32
  affine.store %1, %arg1[0] : memref<1xf32>
  return
}
func.func @jam3(%arg0: memref<7x9xf32>, %arg1: memref<9x5xf32>, %arg2: memref<7x5xf32>) {
  %c6 = arith.constant 6 : index
  affine.for %arg3 = 0 to 6 step 3 {
    affine.for %arg4 = 0 to 5 {
      affine.for %arg5 = 0 to 9 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<7x9xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %2 = arith.mulf %0, %1 : f32
        %3 = affine.load %arg2[%arg3, %arg4] : memref<7x5xf32>
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<7x5xf32>
        %5 = affine.apply #k(%arg3)
        %6 = affine.load %arg0[%5, %arg5] : memref<7x9xf32>
        %7 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %8 = arith.mulf %6, %7 : f32
        %9 = affine.load %arg2[%5, %arg4] : memref<7x5xf32>
        %10 = arith.addf %9, %8 : f32
        affine.store %10, %arg2[%5, %arg4] : memref<7x5xf32>
        %11 = affine.apply #k1(%arg3)
        %12 = affine.load %arg0[%11, %arg5] : memref<7x9xf32>
        %13 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %14 = arith.mulf %12, %13 : f32
        %15 = affine.load %arg2[%11, %arg4] : memref<7x5xf32>
        %16 = arith.addf %15, %14 : f32
        affine.store %16, %arg2[%11, %arg4] : memref<7x5xf32>
      }
    }
  }
  affine.for %arg3 = 0 to 5 {
    affine.for %arg4 = 0 to 9 {
      %0 = affine.load %arg0[%c6, %arg4] : memref<7x9xf32>
      %1 = affine.load %arg1[%arg4, %arg3] : memref<9x5xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = affine.load %arg2[%c6, %arg3] : memref<7x5xf32>
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg2[%c6, %arg3] : memref<7x5xf32>
    }
  }
  return
}
// ----- refuted-each --distinct
#t = affine_map<(d0) -> (d0)>
#t1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#t2 = affine_map<(d0)[s0] -> (d0 + 3, s0)>
#j = affine_map<(d0) -> (d0 + 1)>
#k = affine_map<(d0) -> (d0 + 1)>
#k1 = affine_map<(d0) -> (d0 + 2)>
func.func @mm(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
  %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
  %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
  affine.for %arg3 = 0 to %dim step 4 {
    affine.for %arg4 = 0 to %dim_0 step 4 {
      affine.for %arg5 = 0 to %dim_1 step 4 {
        affine.for %arg6 = #t(%arg3) to min #t1(%arg3)[%dim] {
          affine.for %arg7 = #t(%arg4) to min #t1(%arg4)[%dim_0] {
            affine.for %arg8 = #t(%arg5) to min #t2(%arg5)[%dim_1] {
              %0 = affine.load %arg0[%arg6, %arg8] : memref<?x?xf32>
              %1 = affine.load %arg1[%arg8, %arg7] : memref<?x?xf32>
              %2 = arith.mulf %0, %1 : f32
              %3 = affine.load %arg2[%arg6, %arg7] : memref<?x?xf32>
              %4 = arith.addf %3, %2 : f32
              affine.store %4, %arg2[%arg6, %arg7] : memref<?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}
func.func @jam2(%arg0: memref<7x9xf32>, %arg1: memref<9x5xf32>, %arg2: memref<7x5xf32>) {
  %c6 = arith.constant 6 : index
  affine.for %arg3 = 0 to 6 step 2 {
    affine.for %arg4 = 0 to 5 {
      affine.for %arg5 = 0 to 9 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<7x9xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %2 = arith.mulf %0, %1 : f32
        %3 = affine.load %arg2[%arg3, %arg4] : memref<7x5xf32>
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<7x5xf32>
        %5 = affine.apply #j(%arg3)
        %6 = affine.load %arg0[%5, %arg5] : memref<7x9xf32>
        %7 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %8 = arith.mulf %6, %7 : f32
        %9 = affine.load %arg2[%5, %arg4] : memref<7x5xf32>
        %10 = arith.addf %9, %8 : f32
        affine.store %10, %arg2[%arg3, %arg4] : memref<7x5xf32>
      }
    }
  }
  affine.for %arg3 = 0 to 5 {
    affine.for %arg4 = 0 to 9 {
      %0 = affine.load %arg0[%c6, %arg4] : memref<7x9xf32>
      %1 = affine.load %arg1[%arg4, %arg3] : memref<9x5xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = affine.load %arg2[%c6, %arg3] : memref<7x5xf32>
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg2[%c6, %arg3] : memref<7x5xf32>
    }
  }
  return
}
func.func @largest(%arg0: memref<64xf32>, %arg1: memref<1xf32>) {
  %cst = arith.constant 0xFF800000 : f32
  %0 = affine.parallel (%arg2) = (1) to (64) reduce ("maximumf") -> (f32) {
    %2 = affine.load %arg0[%arg2] : memref<64xf32>
    affine.yield %2 : f32
  }
  %1 = arith.maximumf %cst, %0 : f32
  affine.store %1, %arg1[0] : memref<1xf32>
  return
}
func.func @jam3(%arg0: memref<7x9xf32>, %arg1: memref<9x5xf32>, %arg2: memref<7x5xf32>) {
  %c6 = arith.constant 6 : index
  affine.for %arg3 = 0 to 6 step 3 {
    affine.for %arg4 = 0 to 5 {
      affine.for %arg5 = 0 to 9 {
        %0 = affine.load %arg0[%arg3, %arg5] : memref<7x9xf32>
        %1 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %2 = arith.mulf %0, %1 : f32
        %3 = affine.load %arg2[%arg3, %arg4] : memref<7x5xf32>
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg2[%arg3, %arg4] : memref<7x5xf32>
        %5 = affine.apply #k(%arg3)
        %6 = affine.load %arg0[%arg3, %arg5] : memref<7x9xf32>
        %7 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %8 = arith.mulf %6, %7 : f32
        %9 = affine.load %arg2[%5, %arg4] : memref<7x5xf32>
        %10 = arith.addf %9, %8 : f32
        affine.store %10, %arg2[%5, %arg4] : memref<7x5xf32>
        %11 = affine.apply #k1(%arg3)
        %12 = affine.load %arg0[%11, %arg5] : memref<7x9xf32>
        %13 = affine.load %arg1[%arg5, %arg4] : memref<9x5xf32>
        %14 = arith.mulf %12, %13 : f32
        %15 = affine.load %arg2[%11, %arg4] : memref<7x5xf32>
        %16 = arith.addf %15, %14 : f32
        affine.store %16, %arg2[%11, %arg4] : memref<7x5xf32>
      }
    }
  }
  affine.for %arg3 = 0 to 5 {
    affine.for %arg4 = 0 to 9 {
      %0 = affine.load %arg0[%c6, %arg4] : memref<7x9xf32>
      %1 = affine.load %arg1[%arg4, %arg3] : memref<9x5xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = affine.load %arg2[%c6, %arg3] : memref<7x5xf32>
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg2[%c6, %arg3] : memref<7x5xf32>
    }
  }
  return
}
