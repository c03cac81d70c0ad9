// An index that is read and lies outside is one that the source reads, too, whatever tile it is in.
func.func @dynamic(%t: memref<?xf32>, %i: memref<?xindex>, %o: memref<?xf32>, %n: index) {
  affine.for %k = 0 to %n {
    %q = affine.load %i[%k] : memref<?xindex>
    %v = memref.load %t[%q] : memref<?xf32>
    affine.store %v, %o[%k] : memref<?xf32>
  }
  return
}
func.func @rows(%t: memref<10x4xf32>, %i: memref<6xindex>, %o: memref<6x4xf32>) {
  affine.for %k = 0 to 6 {
    affine.for %j = 0 to 4 {
      %q = affine.load %i[%k] : memref<6xindex>
      %v = memref.load %t[%q, %j] : memref<10x4xf32>
      affine.store %v, %o[%k, %j] : memref<6x4xf32>
    }
  }
  return
}
func.func @guarded(%i: memref<6xindex>, %t: memref<10xf32>, %o: memref<6xf32>) {
  affine.for %k = 0 to 5 {
    %q = affine.load %i[%k] : memref<6xindex>
    %v = memref.load %t[%q] : memref<10xf32>
    affine.store %v, %o[%k] : memref<6xf32>
  }
  return
}
// ----- proved --distinct
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4, 6)>
#map3 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @dynamic(%arg0: memref<?xf32>, %arg1: memref<?xindex>, %arg2: memref<?xf32>, %arg3: index) {
    affine.for %arg4 = 0 to %arg3 step 4 {
      affine.for %arg5 = #map(%arg4) to min #map1(%arg4)[%arg3] {
        %0 = affine.load %arg1[%arg5] : memref<?xindex>
        %1 = memref.load %arg0[%0] : memref<?xf32>
        affine.store %1, %arg2[%arg5] : memref<?xf32>
      }
    }
    return
  }
  func.func @rows(%arg0: memref<10x4xf32>, %arg1: memref<6xindex>, %arg2: memref<6x4xf32>) {
    affine.for %arg3 = 0 to 6 step 4 {
      affine.for %arg4 = 0 to 4 step 4 {
        affine.for %arg5 = #map(%arg3) to min #map2(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map3(%arg4) {
            %0 = affine.load %arg1[%arg5] : memref<6xindex>
            %1 = memref.load %arg0[%0, %arg6] : memref<10x4xf32>
            affine.store %1, %arg2[%arg5, %arg6] : memref<6x4xf32>
          }
        }
      }
    }
    return
  }
func.func @guarded(%i: memref<6xindex>, %t: memref<10xf32>, %o: memref<6xf32>) {
  affine.for %b = 0 to 6 step 2 {
    affine.for %r = 0 to 2 {
      affine.if affine_set<(d0, d1) : (4 - d0 - d1 >= 0)>(%b, %r) {
        %q = affine.load %i[%b + %r] : memref<6xindex>
        %v = memref.load %t[%q] : memref<10xf32>
        affine.store %v, %o[%b + %r] : memref<6xf32>
      }
    }
  }
  return
}
}
// ----- refuted-each --distinct
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 4, 7)>
#map3 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @dynamic(%arg0: memref<?xf32>, %arg1: memref<?xindex>, %arg2: memref<?xf32>, %arg3: index) {
    affine.for %arg4 = 0 to %arg3 step 4 {
      affine.for %arg5 = #map(%arg4) to min #map1(%arg4)[%arg3] {
        %0 = affine.load %arg1[%arg5] : memref<?xindex>
        %1 = memref.load %arg0[%0] : memref<?xf32>
        affine.store %1, %arg2[%arg5] : memref<?xf32>
      }
    }
    return
  }
  func.func @rows(%arg0: memref<10x4xf32>, %arg1: memref<6xindex>, %arg2: memref<6x4xf32>) {
    affine.for %arg3 = 0 to 6 step 4 {
      affine.for %arg4 = 0 to 4 step 4 {
        affine.for %arg5 = #map(%arg3) to min #map2(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map3(%arg4) {
            %0 = affine.load %arg1[%arg5] : memref<6xindex>
            %1 = memref.load %arg0[%0, %arg6] : memref<10x4xf32>
            affine.store %1, %arg2[%arg5, %arg6] : memref<6x4xf32>
          }
        }
      }
    }
    return
  }
func.func @guarded(%i: memref<6xindex>, %t: memref<10xf32>, %o: memref<6xf32>) {
  affine.for %b = 0 to 6 step 2 {
    affine.for %r = 0 to 2 {
      affine.if affine_set<(d0, d1) : (5 - d0 - d1 >= 0)>(%b, %r) {
        %q = affine.load %i[%b + %r] : memref<6xindex>
        %v = memref.load %t[%q] : memref<10xf32>
        affine.store %v, %o[%b + %r] : memref<6xf32>
      }
    }
  }
  return
}
}
