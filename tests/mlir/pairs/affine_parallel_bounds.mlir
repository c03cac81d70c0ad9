// Several bounds of a dimension of affine.parallel: the greatest, the least of them.
func.func @bounds(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %m: index) {
  affine.parallel (%i) = (max(0, symbol(%n) - 4)) to (min(symbol(%n), symbol(%m))) {
    %v = affine.load %a[%i] : memref<?xf32>
    affine.store %v, %b[%i] : memref<?xf32>
  }
  return
}
func.func @grid(%b: memref<8x8xf32>, %v: f32, %n: index, %m: index) {
  affine.parallel (%i, %j) = (max(0, symbol(%n)), 2) to (8, min(8, 6)) step (2, 1) {
    affine.store %v, %b[%i, %j] : memref<8x8xf32>
  }
  return
}
func.func @reduced(%a: memref<?xi32>, %n: index, %m: index) -> i32 {
  %s = affine.parallel (%i) = (0) to (min(symbol(%n), symbol(%m))) reduce ("addi") -> (i32) {
    %v = affine.load %a[%i] : memref<?xi32>
    affine.yield %v : i32
  }
  return %s : i32
}
// ----- proved --distinct full
module {
  func.func @bounds(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
    %c0 = arith.constant 0 : index
    %c-4 = arith.constant -4 : index
    %0 = arith.addi %arg2, %c-4 : index
    %1 = arith.maxsi %c0, %0 : index
    %2 = arith.minsi %arg2, %arg3 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg4) = (%1) to (%2) step (%c1) {
      %3 = memref.load %arg0[%arg4] : memref<?xf32>
      memref.store %3, %arg1[%arg4] : memref<?xf32>
      scf.reduce 
    }
    return
  }
  func.func @grid(%arg0: memref<8x8xf32>, %arg1: f32, %arg2: index, %arg3: index) {
    %c0 = arith.constant 0 : index
    %0 = arith.maxsi %c0, %arg2 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %c8_0 = arith.constant 8 : index
    %c6 = arith.constant 6 : index
    %1 = arith.minsi %c8_0, %c6 : index
    %c2_1 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg4, %arg5) = (%0, %c2) to (%c8, %1) step (%c2_1, %c1) {
      memref.store %arg1, %arg0[%arg4, %arg5] : memref<8x8xf32>
      scf.reduce 
    }
    return
  }
  func.func @reduced(%arg0: memref<?xi32>, %arg1: index, %arg2: index) -> i32 {
    %c0 = arith.constant 0 : index
    %0 = arith.minsi %arg1, %arg2 : index
    %c1 = arith.constant 1 : index
    %c0_i32 = arith.constant 0 : i32
    %1 = scf.parallel (%arg3) = (%c0) to (%0) step (%c1) init (%c0_i32) -> i32 {
      %2 = memref.load %arg0[%arg3] : memref<?xi32>
      scf.reduce(%2 : i32) {
      ^bb0(%arg4: i32, %arg5: i32):
        %3 = arith.addi %arg4, %arg5 : i32
        scf.reduce.return %3 : i32
      }
    }
    return %1 : i32
  }
}

// ----- proved --distinct
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<()[s0] -> (0, s0 - 4)>
#map2 = affine_map<()[s0, s1] -> (s0, s1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<()[s0] -> (0, s0, 2)>
#map5 = affine_map<() -> (8, 8, 6)>
#map6 = affine_map<() -> (0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, memref<?xf32>, index, index) -> (), sym_name = "bounds"}> ({
  ^bb0(%arg10: memref<?xf32>, %arg11: memref<?xf32>, %arg12: index, %arg13: index):
    "affine.parallel"(%arg12, %arg12, %arg13) <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = #map1, reductions = [], steps = [1], upperBoundsGroups = dense<2> : tensor<1xi32>, upperBoundsMap = #map2}> ({
    ^bb0(%arg14: index):
      %2 = "affine.load"(%arg10, %arg14) <{map = #map}> : (memref<?xf32>, index) -> f32
      "affine.store"(%2, %arg11, %arg14) <{map = #map}> : (f32, memref<?xf32>, index) -> ()
      "affine.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<8x8xf32>, f32, index, index) -> (), sym_name = "grid"}> ({
  ^bb0(%arg4: memref<8x8xf32>, %arg5: f32, %arg6: index, %arg7: index):
    "affine.parallel"(%arg6) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = #map4, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[1, 2]> : tensor<2xi32>, upperBoundsMap = #map5}> ({
    ^bb0(%arg8: index, %arg9: index):
      "affine.store"(%arg5, %arg4, %arg8, %arg9) <{map = #map3}> : (f32, memref<8x8xf32>, index, index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xi32>, index, index) -> i32, sym_name = "reduced"}> ({
  ^bb0(%arg0: memref<?xi32>, %arg1: index, %arg2: index):
    %0 = "affine.parallel"(%arg1, %arg2) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = #map6, reductions = [1], steps = [1], upperBoundsGroups = dense<2> : tensor<1xi32>, upperBoundsMap = #map2}> ({
    ^bb0(%arg3: index):
      %1 = "affine.load"(%arg0, %arg3) <{map = #map}> : (memref<?xi32>, index) -> i32
      "affine.yield"(%1) : (i32) -> ()
    }) : (index, index) -> i32
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

// ----- refuted-each --distinct
func.func @bounds(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %m: index) {
  affine.parallel (%i) = (max(0, symbol(%n) - 3)) to (min(symbol(%n), symbol(%m))) {
    %v = affine.load %a[%i] : memref<?xf32>
    affine.store %v, %b[%i] : memref<?xf32>
  }
  return
}
func.func @reduced(%a: memref<?xi32>, %n: index, %m: index) -> i32 {
  %s = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("addi") -> (i32) {
    %v = affine.load %a[%i] : memref<?xi32>
    affine.yield %v : i32
  }
  return %s : i32
}
