// A matmul of dynamic sizes in tiles of all three loops, as the transform dialect makes them.
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %g = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}
// ----- proved
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<(d0)[s0] -> (5, -d0 + s0)>
#map2 = affine_map<(d0)[s0] -> (3, -d0 + s0)>
#map3 = affine_map<(d0) -> (d0 - 1)>
func.func @f(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xf32>
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xf32>
    %c0_5 = arith.constant 0 : index
    %dim_6 = tensor.dim %arg2, %c0_5 : tensor<?x?xf32>
    %c1_7 = arith.constant 1 : index
    %dim_8 = tensor.dim %arg2, %c1_7 : tensor<?x?xf32>
    %c0_9 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = scf.for %arg3 = %c0_9 to %dim step %c4 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
      %c0_10 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %1 = scf.for %arg5 = %c0_10 to %dim_4 step %c5 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
        %c0_11 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %2 = scf.for %arg7 = %c0_11 to %dim_0 step %c3 iter_args(%arg8 = %arg6) -> (tensor<?x?xf32>) {
          %3 = affine.min #map(%arg3)[%dim]
          %4 = affine.min #map1(%arg5)[%dim_4]
          %5 = affine.min #map2(%arg7)[%dim_0]
          %6 = affine.apply #map3(%3)
          %7 = affine.apply #map3(%4)
          %8 = affine.apply #map3(%5)
          %9 = affine.apply #map3(%3)
          %10 = affine.apply #map3(%5)
          %11 = affine.apply #map3(%5)
          %12 = affine.apply #map3(%4)
          %13 = affine.apply #map3(%3)
          %14 = affine.apply #map3(%4)
          %extracted_slice = tensor.extract_slice %arg0[%arg3, %arg7] [%3, %5] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_12 = tensor.extract_slice %arg1[%arg7, %arg5] [%5, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_13 = tensor.extract_slice %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %15 = linalg.matmul ins(%extracted_slice, %extracted_slice_12 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_13 : tensor<?x?xf32>) -> tensor<?x?xf32>
          %16 = affine.apply #map3(%3)
          %17 = affine.apply #map3(%4)
          %18 = affine.apply #map3(%5)
          %19 = affine.apply #map3(%3)
          %20 = affine.apply #map3(%4)
          %inserted_slice = tensor.insert_slice %15 into %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
          scf.yield %inserted_slice : tensor<?x?xf32>
        }
        scf.yield %2 : tensor<?x?xf32>
      }
      scf.yield %1 : tensor<?x?xf32>
    }
    return %0 : tensor<?x?xf32>
  }
// ----- refuted
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<(d0)[s0] -> (5, -d0 + s0)>
#map2 = affine_map<(d0)[s0] -> (2, -d0 + s0)>
#map3 = affine_map<(d0) -> (d0 - 1)>
func.func @f(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xf32>
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xf32>
    %c0_5 = arith.constant 0 : index
    %dim_6 = tensor.dim %arg2, %c0_5 : tensor<?x?xf32>
    %c1_7 = arith.constant 1 : index
    %dim_8 = tensor.dim %arg2, %c1_7 : tensor<?x?xf32>
    %c0_9 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = scf.for %arg3 = %c0_9 to %dim step %c4 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
      %c0_10 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %1 = scf.for %arg5 = %c0_10 to %dim_4 step %c5 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
        %c0_11 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %2 = scf.for %arg7 = %c0_11 to %dim_0 step %c3 iter_args(%arg8 = %arg6) -> (tensor<?x?xf32>) {
          %3 = affine.min #map(%arg3)[%dim]
          %4 = affine.min #map1(%arg5)[%dim_4]
          %5 = affine.min #map2(%arg7)[%dim_0]
          %6 = affine.apply #map3(%3)
          %7 = affine.apply #map3(%4)
          %8 = affine.apply #map3(%5)
          %9 = affine.apply #map3(%3)
          %10 = affine.apply #map3(%5)
          %11 = affine.apply #map3(%5)
          %12 = affine.apply #map3(%4)
          %13 = affine.apply #map3(%3)
          %14 = affine.apply #map3(%4)
          %extracted_slice = tensor.extract_slice %arg0[%arg3, %arg7] [%3, %5] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_12 = tensor.extract_slice %arg1[%arg7, %arg5] [%5, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_13 = tensor.extract_slice %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %15 = linalg.matmul ins(%extracted_slice, %extracted_slice_12 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_13 : tensor<?x?xf32>) -> tensor<?x?xf32>
          %16 = affine.apply #map3(%3)
          %17 = affine.apply #map3(%4)
          %18 = affine.apply #map3(%5)
          %19 = affine.apply #map3(%3)
          %20 = affine.apply #map3(%4)
          %inserted_slice = tensor.insert_slice %15 into %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
          scf.yield %inserted_slice : tensor<?x?xf32>
        }
        scf.yield %2 : tensor<?x?xf32>
      }
      scf.yield %1 : tensor<?x?xf32>
    }
    return %0 : tensor<?x?xf32>
  }
// ----- refuted
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<(d0)[s0] -> (5, -d0 + s0)>
#map2 = affine_map<(d0)[s0] -> (3, -d0 + s0)>
#map3 = affine_map<(d0) -> (d0 - 1)>
func.func @f(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xf32>
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xf32>
    %c0_5 = arith.constant 0 : index
    %dim_6 = tensor.dim %arg2, %c0_5 : tensor<?x?xf32>
    %c1_7 = arith.constant 1 : index
    %dim_8 = tensor.dim %arg2, %c1_7 : tensor<?x?xf32>
    %c0_9 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = scf.for %arg3 = %c0_9 to %dim step %c4 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
      %c0_10 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %1 = scf.for %arg5 = %c0_10 to %dim_4 step %c5 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
        %c0_11 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %2 = scf.for %arg7 = %c0_11 to %dim_0 step %c3 iter_args(%arg8 = %arg6) -> (tensor<?x?xf32>) {
          %3 = affine.min #map(%arg3)[%dim]
          %4 = affine.min #map1(%arg5)[%dim_4]
          %5 = affine.min #map2(%arg7)[%dim_0]
          %6 = affine.apply #map3(%3)
          %7 = affine.apply #map3(%4)
          %8 = affine.apply #map3(%5)
          %9 = affine.apply #map3(%3)
          %10 = affine.apply #map3(%5)
          %11 = affine.apply #map3(%5)
          %12 = affine.apply #map3(%4)
          %13 = affine.apply #map3(%3)
          %14 = affine.apply #map3(%4)
          %extracted_slice = tensor.extract_slice %arg0[%arg3, %arg7] [%3, %5] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_12 = tensor.extract_slice %arg1[%arg7, %arg5] [%5, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_13 = tensor.extract_slice %arg2[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %15 = linalg.matmul ins(%extracted_slice, %extracted_slice_12 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_13 : tensor<?x?xf32>) -> tensor<?x?xf32>
          %16 = affine.apply #map3(%3)
          %17 = affine.apply #map3(%4)
          %18 = affine.apply #map3(%5)
          %19 = affine.apply #map3(%3)
          %20 = affine.apply #map3(%4)
          %inserted_slice = tensor.insert_slice %15 into %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
          scf.yield %inserted_slice : tensor<?x?xf32>
        }
        scf.yield %2 : tensor<?x?xf32>
      }
      scf.yield %1 : tensor<?x?xf32>
    }
    return %0 : tensor<?x?xf32>
  }
// ----- refuted
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<(d0)[s0] -> (5, -d0 + s0)>
#map2 = affine_map<(d0)[s0] -> (3, -d0 + s0)>
#map3 = affine_map<(d0) -> (d0 - 1)>
func.func @f(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xf32>
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xf32>
    %c0_5 = arith.constant 0 : index
    %dim_6 = tensor.dim %arg2, %c0_5 : tensor<?x?xf32>
    %c1_7 = arith.constant 1 : index
    %dim_8 = tensor.dim %arg2, %c1_7 : tensor<?x?xf32>
    %c0_9 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = scf.for %arg3 = %c0_9 to %dim step %c4 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
      %c0_10 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %1 = scf.for %arg5 = %c0_10 to %dim_4 step %c5 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
        %c0_11 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %2 = scf.for %arg7 = %c0_11 to %dim_0 step %c3 iter_args(%arg8 = %arg6) -> (tensor<?x?xf32>) {
          %3 = affine.min #map(%arg3)[%dim]
          %4 = affine.min #map1(%arg5)[%dim_4]
          %5 = affine.min #map2(%arg7)[%dim_0]
          %6 = affine.apply #map3(%3)
          %7 = affine.apply #map3(%4)
          %8 = affine.apply #map3(%5)
          %9 = affine.apply #map3(%3)
          %10 = affine.apply #map3(%5)
          %11 = affine.apply #map3(%5)
          %12 = affine.apply #map3(%4)
          %13 = affine.apply #map3(%3)
          %14 = affine.apply #map3(%4)
          %extracted_slice = tensor.extract_slice %arg0[%arg3, %arg7] [%3, %5] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_12 = tensor.extract_slice %arg1[%arg7, %arg3] [%5, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_13 = tensor.extract_slice %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %15 = linalg.matmul ins(%extracted_slice, %extracted_slice_12 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_13 : tensor<?x?xf32>) -> tensor<?x?xf32>
          %16 = affine.apply #map3(%3)
          %17 = affine.apply #map3(%4)
          %18 = affine.apply #map3(%5)
          %19 = affine.apply #map3(%3)
          %20 = affine.apply #map3(%4)
          %inserted_slice = tensor.insert_slice %15 into %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
          scf.yield %inserted_slice : tensor<?x?xf32>
        }
        scf.yield %2 : tensor<?x?xf32>
      }
      scf.yield %1 : tensor<?x?xf32>
    }
    return %0 : tensor<?x?xf32>
  }
// ----- refuted
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<(d0)[s0] -> (5, -d0 + s0)>
#map2 = affine_map<(d0)[s0] -> (3, -d0 + s0)>
#map3 = affine_map<(d0) -> (d0 - 1)>
func.func @f(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xf32>
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xf32>
    %c0_5 = arith.constant 0 : index
    %dim_6 = tensor.dim %arg2, %c0_5 : tensor<?x?xf32>
    %c1_7 = arith.constant 1 : index
    %dim_8 = tensor.dim %arg2, %c1_7 : tensor<?x?xf32>
    %c0_9 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = scf.for %arg3 = %c0_9 to %dim step %c4 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
      %c0_10 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %1 = scf.for %arg5 = %c0_10 to %dim_4 step %c5 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
        %c0_11 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %2 = scf.for %arg7 = %c0_11 to %dim_0 step %c3 iter_args(%arg8 = %arg6) -> (tensor<?x?xf32>) {
          %3 = affine.min #map(%arg3)[%dim]
          %4 = affine.min #map1(%arg5)[%dim_4]
          %5 = affine.min #map2(%arg7)[%dim_0]
          %6 = affine.apply #map3(%3)
          %7 = affine.apply #map3(%4)
          %8 = affine.apply #map3(%5)
          %9 = affine.apply #map3(%3)
          %10 = affine.apply #map3(%5)
          %11 = affine.apply #map3(%5)
          %12 = affine.apply #map3(%4)
          %13 = affine.apply #map3(%3)
          %14 = affine.apply #map3(%4)
          %extracted_slice = tensor.extract_slice %arg0[%arg3, %c0] [%3, %5] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_12 = tensor.extract_slice %arg1[%arg7, %arg5] [%5, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %extracted_slice_13 = tensor.extract_slice %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
          %15 = linalg.matmul ins(%extracted_slice, %extracted_slice_12 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_13 : tensor<?x?xf32>) -> tensor<?x?xf32>
          %16 = affine.apply #map3(%3)
          %17 = affine.apply #map3(%4)
          %18 = affine.apply #map3(%5)
          %19 = affine.apply #map3(%3)
          %20 = affine.apply #map3(%4)
          %inserted_slice = tensor.insert_slice %15 into %arg8[%arg3, %arg5] [%3, %4] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
          scf.yield %inserted_slice : tensor<?x?xf32>
        }
        scf.yield %2 : tensor<?x?xf32>
      }
      scf.yield %1 : tensor<?x?xf32>
    }
    return %0 : tensor<?x?xf32>
  }
