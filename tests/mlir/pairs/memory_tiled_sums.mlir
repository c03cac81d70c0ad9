// Sums in memory whose loops affine-loop-tile cuts, with a last tile that is shorter: the order stays.
func.func @sum(%a: memref<10xf32>, %o: memref<1xf32>) {
  affine.for %i = 0 to 10 {
    %s = affine.load %o[0] : memref<1xf32>
    %x = affine.load %a[%i] : memref<10xf32>
    %t = arith.addf %s, %x : f32
    affine.store %t, %o[0] : memref<1xf32>
  }
  return
}
func.func @rows(%a: memref<10x7xf32>, %o: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 7 {
      %s = affine.load %o[%i] : memref<10xf32>
      %x = affine.load %a[%i, %j] : memref<10x7xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %o[%i] : memref<10xf32>
    }
  }
  return
}
func.func @mm(%a: memref<10x7xf32>, %b: memref<7x5xf32>, %o: memref<10x5xf32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 7 {
        %s = affine.load %o[%i, %j] : memref<10x5xf32>
        %x = affine.load %a[%i, %k] : memref<10x7xf32>
        %y = affine.load %b[%k, %j] : memref<7x5xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.store %t, %o[%i, %j] : memref<10x5xf32>
      }
    }
  }
  return
}
func.func @rowsd(%a: memref<?x?xf32>, %o: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %s = affine.load %o[%i] : memref<?xf32>
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %o[%i] : memref<?xf32>
    }
  }
  return
}
// ----- proved --distinct
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 3, 10)>
#map2 = affine_map<(d0) -> (d0 + 3, 7)>
#map3 = affine_map<(d0) -> (d0 + 3, 5)>
#map4 = affine_map<(d0)[s0] -> (d0 + 3, s0)>
module {
  func.func @sum(%arg0: memref<10xf32>, %arg1: memref<1xf32>) {
    affine.for %arg2 = 0 to 10 step 3 {
      affine.for %arg3 = #map(%arg2) to min #map1(%arg2) {
        %0 = affine.load %arg1[0] : memref<1xf32>
        %1 = affine.load %arg0[%arg3] : memref<10xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg1[0] : memref<1xf32>
      }
    }
    return
  }
  func.func @rows(%arg0: memref<10x7xf32>, %arg1: memref<10xf32>) {
    affine.for %arg2 = 0 to 10 step 3 {
      affine.for %arg3 = 0 to 7 step 3 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2) {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3) {
            %0 = affine.load %arg1[%arg4] : memref<10xf32>
            %1 = affine.load %arg0[%arg4, %arg5] : memref<10x7xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg1[%arg4] : memref<10xf32>
          }
        }
      }
    }
    return
  }
  func.func @mm(%arg0: memref<10x7xf32>, %arg1: memref<7x5xf32>, %arg2: memref<10x5xf32>) {
    affine.for %arg3 = 0 to 10 step 3 {
      affine.for %arg4 = 0 to 5 step 3 {
        affine.for %arg5 = 0 to 7 step 3 {
          affine.for %arg6 = #map(%arg3) to min #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map3(%arg4) {
              affine.for %arg8 = #map(%arg5) to min #map2(%arg5) {
                %0 = affine.load %arg2[%arg6, %arg7] : memref<10x5xf32>
                %1 = affine.load %arg0[%arg6, %arg8] : memref<10x7xf32>
                %2 = affine.load %arg1[%arg8, %arg7] : memref<7x5xf32>
                %3 = arith.mulf %1, %2 : f32
                %4 = arith.addf %0, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<10x5xf32>
              }
            }
          }
        }
      }
    }
    return
  }
  func.func @rowsd(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
    affine.for %arg4 = 0 to %arg2 step 3 {
      affine.for %arg5 = 0 to %arg3 step 3 {
        affine.for %arg6 = #map(%arg4) to min #map4(%arg4)[%arg2] {
          affine.for %arg7 = #map(%arg5) to min #map4(%arg5)[%arg3] {
            %0 = affine.load %arg1[%arg6] : memref<?xf32>
            %1 = affine.load %arg0[%arg6, %arg7] : memref<?x?xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg1[%arg6] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}

// ----- proved --distinct
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4, 10)>
#map2 = affine_map<(d0) -> (d0 + 4, 7)>
#map3 = affine_map<(d0) -> (d0 + 4, 5)>
#map4 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @sum(%arg0: memref<10xf32>, %arg1: memref<1xf32>) {
    affine.for %arg2 = 0 to 10 step 4 {
      affine.for %arg3 = #map(%arg2) to min #map1(%arg2) {
        %0 = affine.load %arg1[0] : memref<1xf32>
        %1 = affine.load %arg0[%arg3] : memref<10xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg1[0] : memref<1xf32>
      }
    }
    return
  }
  func.func @rows(%arg0: memref<10x7xf32>, %arg1: memref<10xf32>) {
    affine.for %arg2 = 0 to 10 step 4 {
      affine.for %arg3 = 0 to 7 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2) {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3) {
            %0 = affine.load %arg1[%arg4] : memref<10xf32>
            %1 = affine.load %arg0[%arg4, %arg5] : memref<10x7xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg1[%arg4] : memref<10xf32>
          }
        }
      }
    }
    return
  }
  func.func @mm(%arg0: memref<10x7xf32>, %arg1: memref<7x5xf32>, %arg2: memref<10x5xf32>) {
    affine.for %arg3 = 0 to 10 step 4 {
      affine.for %arg4 = 0 to 5 step 4 {
        affine.for %arg5 = 0 to 7 step 4 {
          affine.for %arg6 = #map(%arg3) to min #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map3(%arg4) {
              affine.for %arg8 = #map(%arg5) to min #map2(%arg5) {
                %0 = affine.load %arg2[%arg6, %arg7] : memref<10x5xf32>
                %1 = affine.load %arg0[%arg6, %arg8] : memref<10x7xf32>
                %2 = affine.load %arg1[%arg8, %arg7] : memref<7x5xf32>
                %3 = arith.mulf %1, %2 : f32
                %4 = arith.addf %0, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<10x5xf32>
              }
            }
          }
        }
      }
    }
    return
  }
  func.func @rowsd(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
    affine.for %arg4 = 0 to %arg2 step 4 {
      affine.for %arg5 = 0 to %arg3 step 4 {
        affine.for %arg6 = #map(%arg4) to min #map4(%arg4)[%arg2] {
          affine.for %arg7 = #map(%arg5) to min #map4(%arg5)[%arg3] {
            %0 = affine.load %arg1[%arg6] : memref<?xf32>
            %1 = affine.load %arg0[%arg6, %arg7] : memref<?x?xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg1[%arg6] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}

// ----- refuted-each --distinct
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 3, 9)>
#map2 = affine_map<(d0) -> (d0 + 2, 7)>
#map3 = affine_map<(d0) -> (d0 + 3, 5)>
#map4 = affine_map<(d0)[s0] -> (d0 + 3, s0 - 1)>
module {
  func.func @sum(%arg0: memref<10xf32>, %arg1: memref<1xf32>) {
    affine.for %arg2 = 0 to 10 step 3 {
      affine.for %arg3 = #map(%arg2) to min #map1(%arg2) {
        %0 = affine.load %arg1[0] : memref<1xf32>
        %1 = affine.load %arg0[%arg3] : memref<10xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg1[0] : memref<1xf32>
      }
    }
    return
  }
  func.func @rows(%arg0: memref<10x7xf32>, %arg1: memref<10xf32>) {
    affine.for %arg2 = 0 to 10 step 3 {
      affine.for %arg3 = 0 to 7 step 3 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2) {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3) {
            %0 = affine.load %arg1[%arg4] : memref<10xf32>
            %1 = affine.load %arg0[%arg4, %arg5] : memref<10x7xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg1[%arg4] : memref<10xf32>
          }
        }
      }
    }
    return
  }
  func.func @mm(%arg0: memref<10x7xf32>, %arg1: memref<7x5xf32>, %arg2: memref<10x5xf32>) {
    affine.for %arg3 = 0 to 10 step 3 {
      affine.for %arg4 = 0 to 5 step 3 {
        affine.for %arg5 = 0 to 7 step 3 {
          affine.for %arg6 = #map(%arg3) to min #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map3(%arg4) {
              affine.for %arg8 = #map(%arg5) to min #map2(%arg5) {
                %0 = affine.load %arg2[%arg6, %arg7] : memref<10x5xf32>
                %1 = affine.load %arg0[%arg6, %arg8] : memref<10x7xf32>
                %2 = affine.load %arg1[%arg8, %arg7] : memref<7x5xf32>
                %3 = arith.mulf %1, %2 : f32
                %4 = arith.addf %0, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<10x5xf32>
              }
            }
          }
        }
      }
    }
    return
  }
  func.func @rowsd(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
    affine.for %arg4 = 0 to %arg2 step 3 {
      affine.for %arg5 = 0 to %arg3 step 3 {
        affine.for %arg6 = #map(%arg4) to min #map4(%arg4)[%arg2] {
          affine.for %arg7 = #map(%arg5) to min #map4(%arg5)[%arg3] {
            %0 = affine.load %arg1[%arg6] : memref<?xf32>
            %1 = affine.load %arg0[%arg6, %arg7] : memref<?x?xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg1[%arg6] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}

