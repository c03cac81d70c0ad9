// A product of matrices in tiles of threads: a number of them that does not divide, and tiles of given sizes.
func.func @mm(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// ----- proved
#map50 = affine_map<()[s0] -> (s0 ceildiv 10)>
#map51 = affine_map<()[s0] -> (s0 ceildiv 20)>
#map52 = affine_map<(d0) -> (d0 * 10)>
#map53 = affine_map<()[s0, s1] -> (-s0 + (s1 ceildiv 10) * 10)>
#map54 = affine_map<(d0)[s0] -> (d0 * -10 + s0)>
#map55 = affine_map<(d0)[s0] -> (d0 * -10 + s0, 10)>
#map56 = affine_map<(d0) -> (d0 * 20)>
#map57 = affine_map<()[s0, s1] -> (-s0 + (s1 ceildiv 20) * 20)>
#map58 = affine_map<(d0)[s0] -> (d0 * -20 + s0)>
#map59 = affine_map<(d0)[s0] -> (d0 * -20 + s0, 20)>
#map60 = affine_map<(d0) -> (d0 - 1)>
#map61 = affine_map<()[s0] -> (s0 - 1)>
#map = affine_map<(d0) -> (d0 * 22)>
#map1 = affine_map<(d0) -> (d0 * -22 + 64)>
#map2 = affine_map<(d0) -> (d0 * -22 + 64, 22)>
#map3 = affine_map<(d0) -> (0, d0)>
#map4 = affine_map<(d0) -> (d0 * 13)>
#map5 = affine_map<(d0) -> (d0 * -13 + 64)>
#map6 = affine_map<(d0) -> (d0 * -13 + 64, 13)>
#map7 = affine_map<(d0) -> (d0 - 1)>
  func.func @mm(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %0 = scf.forall (%arg3, %arg4) in (3, 5) shared_outs(%arg5 = %arg2) -> (tensor<64x64xf32>) {
      %1 = affine.apply #map(%arg3)
      %2 = affine.apply #map1(%arg3)
      %3 = affine.min #map2(%arg3)
      %4 = affine.max #map3(%3)
      %5 = affine.apply #map4(%arg4)
      %6 = affine.apply #map5(%arg4)
      %7 = affine.min #map6(%arg4)
      %8 = affine.max #map3(%7)
      %9 = affine.apply #map7(%4)
      %10 = affine.apply #map7(%8)
      %11 = affine.apply #map(%arg3)
      %12 = affine.apply #map7(%4)
      %13 = affine.apply #map4(%arg4)
      %14 = affine.apply #map7(%8)
      %15 = affine.apply #map(%arg3)
      %16 = affine.apply #map7(%4)
      %17 = affine.apply #map4(%arg4)
      %18 = affine.apply #map7(%8)
      %extracted_slice = tensor.extract_slice %arg0[%11, 0] [%4, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
      %extracted_slice_0 = tensor.extract_slice %arg1[0, %13] [64, %8] [1, 1] : tensor<64x64xf32> to tensor<64x?xf32>
      %extracted_slice_1 = tensor.extract_slice %arg5[%15, %17] [%4, %8] [1, 1] : tensor<64x64xf32> to tensor<?x?xf32>
      %19 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<?x64xf32>, tensor<64x?xf32>) outs(%extracted_slice_1 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %20 = affine.apply #map7(%4)
      %21 = affine.apply #map7(%8)
      %22 = affine.apply #map(%arg3)
      %23 = affine.apply #map7(%4)
      %24 = affine.apply #map4(%arg4)
      %25 = affine.apply #map7(%8)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %19 into %arg5[%22, %24] [%4, %8] [1, 1] : tensor<?x?xf32> into tensor<64x64xf32>
      }
    }
    return %0 : tensor<64x64xf32>
  }
  func.func @dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
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
    %0 = affine.apply #map50()[%dim]
    %1 = affine.apply #map51()[%dim_4]
    %c0_9 = arith.constant 0 : index
    %dim_10 = tensor.dim %arg0, %c0_9 : tensor<?x?xf32>
    %c1_11 = arith.constant 1 : index
    %dim_12 = tensor.dim %arg0, %c1_11 : tensor<?x?xf32>
    %c0_13 = arith.constant 0 : index
    %dim_14 = tensor.dim %arg1, %c0_13 : tensor<?x?xf32>
    %c1_15 = arith.constant 1 : index
    %dim_16 = tensor.dim %arg1, %c1_15 : tensor<?x?xf32>
    %c0_17 = arith.constant 0 : index
    %dim_18 = tensor.dim %arg2, %c0_17 : tensor<?x?xf32>
    %c1_19 = arith.constant 1 : index
    %dim_20 = tensor.dim %arg2, %c1_19 : tensor<?x?xf32>
    %2 = scf.forall (%arg3, %arg4) in (%0, %1) shared_outs(%arg5 = %arg2) -> (tensor<?x?xf32>) {
      %3 = affine.apply #map52(%arg3)
      %4 = affine.apply #map53()[%dim_10, %dim]
      %5 = affine.apply #map54(%arg3)[%dim_10]
      %6 = affine.min #map55(%arg3)[%dim_10]
      %7 = affine.apply #map56(%arg4)
      %8 = affine.apply #map57()[%dim_16, %dim_4]
      %9 = affine.apply #map58(%arg4)[%dim_16]
      %10 = affine.min #map59(%arg4)[%dim_16]
      %11 = affine.apply #map60(%6)
      %12 = affine.apply #map60(%10)
      %13 = affine.apply #map61()[%dim_12]
      %14 = affine.apply #map52(%arg3)
      %15 = affine.apply #map60(%6)
      %16 = affine.apply #map61()[%dim_12]
      %17 = affine.apply #map61()[%dim_12]
      %18 = affine.apply #map56(%arg4)
      %19 = affine.apply #map60(%10)
      %20 = affine.apply #map52(%arg3)
      %21 = affine.apply #map60(%6)
      %22 = affine.apply #map56(%arg4)
      %23 = affine.apply #map60(%10)
      %extracted_slice = tensor.extract_slice %arg0[%14, 0] [%6, %dim_12] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %extracted_slice_21 = tensor.extract_slice %arg1[0, %18] [%dim_12, %10] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %extracted_slice_22 = tensor.extract_slice %arg5[%20, %22] [%6, %10] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %24 = linalg.matmul ins(%extracted_slice, %extracted_slice_21 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_22 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %25 = affine.apply #map60(%6)
      %26 = affine.apply #map60(%10)
      %27 = affine.apply #map61()[%dim_12]
      %28 = affine.apply #map52(%arg3)
      %29 = affine.apply #map60(%6)
      %30 = affine.apply #map56(%arg4)
      %31 = affine.apply #map60(%10)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %24 into %arg5[%28, %30] [%6, %10] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      }
    }
    return %2 : tensor<?x?xf32>
  }
// ----- refuted-each
#map50 = affine_map<()[s0] -> (s0 floordiv 10)>
#map51 = affine_map<()[s0] -> (s0 ceildiv 20)>
#map52 = affine_map<(d0) -> (d0 * 10)>
#map53 = affine_map<()[s0, s1] -> (-s0 + (s1 ceildiv 10) * 10)>
#map54 = affine_map<(d0)[s0] -> (d0 * -10 + s0)>
#map55 = affine_map<(d0)[s0] -> (d0 * -10 + s0, 10)>
#map56 = affine_map<(d0) -> (d0 * 20)>
#map57 = affine_map<()[s0, s1] -> (-s0 + (s1 ceildiv 20) * 20)>
#map58 = affine_map<(d0)[s0] -> (d0 * -20 + s0)>
#map59 = affine_map<(d0)[s0] -> (d0 * -20 + s0, 20)>
#map60 = affine_map<(d0) -> (d0 - 1)>
#map61 = affine_map<()[s0] -> (s0 - 1)>
#map = affine_map<(d0) -> (d0 * 22)>
#map1 = affine_map<(d0) -> (d0 * -22 + 64)>
#map2 = affine_map<(d0) -> (d0 * -22 + 63, 22)>
#map3 = affine_map<(d0) -> (0, d0)>
#map4 = affine_map<(d0) -> (d0 * 13)>
#map5 = affine_map<(d0) -> (d0 * -13 + 64)>
#map6 = affine_map<(d0) -> (d0 * -13 + 64, 13)>
#map7 = affine_map<(d0) -> (d0 - 1)>
  func.func @mm(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %0 = scf.forall (%arg3, %arg4) in (3, 5) shared_outs(%arg5 = %arg2) -> (tensor<64x64xf32>) {
      %1 = affine.apply #map(%arg3)
      %2 = affine.apply #map1(%arg3)
      %3 = affine.min #map2(%arg3)
      %4 = affine.max #map3(%3)
      %5 = affine.apply #map4(%arg4)
      %6 = affine.apply #map5(%arg4)
      %7 = affine.min #map6(%arg4)
      %8 = affine.max #map3(%7)
      %9 = affine.apply #map7(%4)
      %10 = affine.apply #map7(%8)
      %11 = affine.apply #map(%arg3)
      %12 = affine.apply #map7(%4)
      %13 = affine.apply #map4(%arg4)
      %14 = affine.apply #map7(%8)
      %15 = affine.apply #map(%arg3)
      %16 = affine.apply #map7(%4)
      %17 = affine.apply #map4(%arg4)
      %18 = affine.apply #map7(%8)
      %extracted_slice = tensor.extract_slice %arg0[%11, 0] [%4, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
      %extracted_slice_0 = tensor.extract_slice %arg1[0, %13] [64, %8] [1, 1] : tensor<64x64xf32> to tensor<64x?xf32>
      %extracted_slice_1 = tensor.extract_slice %arg5[%15, %17] [%4, %8] [1, 1] : tensor<64x64xf32> to tensor<?x?xf32>
      %19 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<?x64xf32>, tensor<64x?xf32>) outs(%extracted_slice_1 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %20 = affine.apply #map7(%4)
      %21 = affine.apply #map7(%8)
      %22 = affine.apply #map(%arg3)
      %23 = affine.apply #map7(%4)
      %24 = affine.apply #map4(%arg4)
      %25 = affine.apply #map7(%8)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %19 into %arg5[%22, %24] [%4, %8] [1, 1] : tensor<?x?xf32> into tensor<64x64xf32>
      }
    }
    return %0 : tensor<64x64xf32>
  }
  func.func @dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
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
    %0 = affine.apply #map50()[%dim]
    %1 = affine.apply #map51()[%dim_4]
    %c0_9 = arith.constant 0 : index
    %dim_10 = tensor.dim %arg0, %c0_9 : tensor<?x?xf32>
    %c1_11 = arith.constant 1 : index
    %dim_12 = tensor.dim %arg0, %c1_11 : tensor<?x?xf32>
    %c0_13 = arith.constant 0 : index
    %dim_14 = tensor.dim %arg1, %c0_13 : tensor<?x?xf32>
    %c1_15 = arith.constant 1 : index
    %dim_16 = tensor.dim %arg1, %c1_15 : tensor<?x?xf32>
    %c0_17 = arith.constant 0 : index
    %dim_18 = tensor.dim %arg2, %c0_17 : tensor<?x?xf32>
    %c1_19 = arith.constant 1 : index
    %dim_20 = tensor.dim %arg2, %c1_19 : tensor<?x?xf32>
    %2 = scf.forall (%arg3, %arg4) in (%0, %1) shared_outs(%arg5 = %arg2) -> (tensor<?x?xf32>) {
      %3 = affine.apply #map52(%arg3)
      %4 = affine.apply #map53()[%dim_10, %dim]
      %5 = affine.apply #map54(%arg3)[%dim_10]
      %6 = affine.min #map55(%arg3)[%dim_10]
      %7 = affine.apply #map56(%arg4)
      %8 = affine.apply #map57()[%dim_16, %dim_4]
      %9 = affine.apply #map58(%arg4)[%dim_16]
      %10 = affine.min #map59(%arg4)[%dim_16]
      %11 = affine.apply #map60(%6)
      %12 = affine.apply #map60(%10)
      %13 = affine.apply #map61()[%dim_12]
      %14 = affine.apply #map52(%arg3)
      %15 = affine.apply #map60(%6)
      %16 = affine.apply #map61()[%dim_12]
      %17 = affine.apply #map61()[%dim_12]
      %18 = affine.apply #map56(%arg4)
      %19 = affine.apply #map60(%10)
      %20 = affine.apply #map52(%arg3)
      %21 = affine.apply #map60(%6)
      %22 = affine.apply #map56(%arg4)
      %23 = affine.apply #map60(%10)
      %extracted_slice = tensor.extract_slice %arg0[%14, 0] [%6, %dim_12] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %extracted_slice_21 = tensor.extract_slice %arg1[0, %18] [%dim_12, %10] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %extracted_slice_22 = tensor.extract_slice %arg5[%20, %22] [%6, %10] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %24 = linalg.matmul ins(%extracted_slice, %extracted_slice_21 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_22 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %25 = affine.apply #map60(%6)
      %26 = affine.apply #map60(%10)
      %27 = affine.apply #map61()[%dim_12]
      %28 = affine.apply #map52(%arg3)
      %29 = affine.apply #map60(%6)
      %30 = affine.apply #map56(%arg4)
      %31 = affine.apply #map60(%10)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %24 into %arg5[%28, %30] [%6, %10] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      }
    }
    return %2 : tensor<?x?xf32>
  }
