func.func @slice(%a: tensor<?x?xf32>, %i: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %0 = tensor.extract_slice %a[%i, 2] [%n, 3] [1, 2] : tensor<?x?xf32> to tensor<?x3xf32>
  %1 = tensor.cast %0 : tensor<?x3xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @sliceslice(%a: tensor<8x16xf32>) -> tensor<2x4xf32> {
  %0 = tensor.extract_slice %a[1, 2] [6, 12] [1, 1] : tensor<8x16xf32> to tensor<6x12xf32>
  %1 = tensor.extract_slice %0[2, 3] [2, 4] [1, 1] : tensor<6x12xf32> to tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
func.func @insext(%a: tensor<8x16xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = tensor.insert_slice %b into %a[1, 2] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x16xf32>
  %1 = tensor.extract_slice %0[1, 2] [2, 4] [1, 1] : tensor<8x16xf32> to tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
func.func @rankred(%a: tensor<8x16x4xf32>) -> tensor<16x4xf32> {
  %0 = tensor.extract_slice %a[3, 0, 0] [1, 16, 4] [1, 1, 1] : tensor<8x16x4xf32> to tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}
func.func @collexp(%a: tensor<?x4x5xf32>) -> tensor<?x20xf32> {
  %0 = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x4x5xf32> into tensor<?x20xf32>
  return %0 : tensor<?x20xf32>
}
func.func @collcoll(%a: tensor<?x4x5xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x4x5xf32> into tensor<?x20xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x20xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @expcoll(%a: tensor<12x?xf32>, %n: index) -> tensor<12x?xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [3, 4, %n] : tensor<12x?xf32> into tensor<3x4x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<3x4x?xf32> into tensor<12x?xf32>
  return %1 : tensor<12x?xf32>
}
func.func @collexp2(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
func.func @pad(%a: tensor<?x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %a low[%l, 0] high[2, %h] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @padslice(%a: tensor<10x12xf32>, %v: f32) -> tensor<10x12xf32> {
  %0 = tensor.pad %a low[1, 2] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<10x12xf32> to tensor<13x15xf32>
  %1 = tensor.extract_slice %0[1, 2] [10, 12] [1, 1] : tensor<13x15xf32> to tensor<10x12xf32>
  return %1 : tensor<10x12xf32>
}
func.func @gen(%n: index) -> tensor<?x4xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x4xindex>
  return %0 : tensor<?x4xindex>
}
func.func @genext(%n: index, %i: index) -> index {
  %c = arith.constant 3 : index
  %0 = tensor.generate %n {
  ^bb0(%k: index):
    %s = arith.muli %k, %c : index
    tensor.yield %s : index
  } : tensor<?xindex>
  %1 = tensor.extract %0[%i] : tensor<?xindex>
  return %1 : index
}
func.func @from(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = tensor.from_elements %a, %b, %c : tensor<3xf32>
  %c1 = arith.constant 1 : index
  %1 = tensor.extract %0[%c1] : tensor<3xf32>
  return %1 : f32
}
func.func @from2(%a: f32, %b: f32, %c: f32, %d: f32) -> tensor<2x2xf32> {
  %0 = tensor.from_elements %a, %b, %c, %d : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @dimof(%a: tensor<?x4xf32>, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %0 = tensor.dim %e, %c0 : tensor<?x3xf32>
  %1 = tensor.dim %a, %c1 : tensor<?x4xf32>
  %p = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %2 = tensor.dim %p, %c0 : tensor<?xf32>
  return %0, %1, %2 : index, index, index
}
func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
func.func @constx() -> f32 {
  %0 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %1 = tensor.extract %0[%c1, %c0] : tensor<2x2xf32>
  return %1 : f32
}
func.func @constslice() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = tensor.extract_slice %0[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func @sparse() -> tensor<2x2xf32> {
  %0 = arith.constant sparse<[[0, 0], [1, 1]], [1.0, 2.0]> : tensor<2x2xf32>
  %1 = arith.addf %0, %0 : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
func.func @ins(%a: tensor<?xf32>, %v: f32, %i: index) -> f32 {
  %0 = tensor.insert %v into %a[%i] : tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}
func.func @splat(%v: f32) -> tensor<4x4xf32> {
  %0 = tensor.splat %v : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @castchain(%a: tensor<4x?xf32>) -> tensor<4x5xf32> {
  %0 = tensor.cast %a : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}
func.func @shape(%a: tensor<?x4xf32>) -> index {
  %0 = shape.shape_of %a : tensor<?x4xf32> -> tensor<2xindex>
  %c0 = arith.constant 0 : index
  %1 = tensor.extract %0[%c0] : tensor<2xindex>
  return %1 : index
}
func.func @reshape(%a: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// ----- proved-each 
#map = affine_map<()[s0] -> (s0 * 4)>
module {
  func.func @slice(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: index) -> tensor<?x?xf32> {
    %extracted_slice = tensor.extract_slice %arg0[%arg1, 2] [%arg2, 3] [1, 2] : tensor<?x?xf32> to tensor<?x3xf32>
    %cast = tensor.cast %extracted_slice : tensor<?x3xf32> to tensor<?x?xf32>
    return %cast : tensor<?x?xf32>
  }
  func.func @sliceslice(%arg0: tensor<8x16xf32>) -> tensor<2x4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[1, 2] [6, 12] [1, 1] : tensor<8x16xf32> to tensor<6x12xf32>
    %extracted_slice_0 = tensor.extract_slice %extracted_slice[2, 3] [2, 4] [1, 1] : tensor<6x12xf32> to tensor<2x4xf32>
    return %extracted_slice_0 : tensor<2x4xf32>
  }
  func.func @insext(%arg0: tensor<8x16xf32>, %arg1: tensor<2x4xf32>) -> tensor<2x4xf32> {
    return %arg1 : tensor<2x4xf32>
  }
  func.func @rankred(%arg0: tensor<8x16x4xf32>) -> tensor<16x4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[3, 0, 0] [1, 16, 4] [1, 1, 1] : tensor<8x16x4xf32> to tensor<16x4xf32>
    return %extracted_slice : tensor<16x4xf32>
  }
  func.func @collexp(%arg0: tensor<?x4x5xf32>) -> tensor<?x20xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<?x4x5xf32> into tensor<?x20xf32>
    return %collapsed : tensor<?x20xf32>
  }
  func.func @collcoll(%arg0: tensor<?x4x5xf32>) -> tensor<?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<?x4x5xf32> into tensor<?xf32>
    return %collapsed : tensor<?xf32>
  }
  func.func @expcoll(%arg0: tensor<12x?xf32>, %arg1: index) -> tensor<12x?xf32> {
    return %arg0 : tensor<12x?xf32>
  }
  func.func @collexp2(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    return %arg0 : tensor<3x4xf32>
  }
  func.func @pad(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: index, %arg3: f32) -> tensor<?x?xf32> {
    %padded = tensor.pad %arg0 low[%arg1, 0] high[2, %arg2] {
    ^bb0(%arg4: index, %arg5: index):
      tensor.yield %arg3 : f32
    } : tensor<?x?xf32> to tensor<?x?xf32>
    return %padded : tensor<?x?xf32>
  }
  func.func @padslice(%arg0: tensor<10x12xf32>, %arg1: f32) -> tensor<10x12xf32> {
    %padded = tensor.pad %arg0 low[1, 2] high[2, 1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg1 : f32
    } : tensor<10x12xf32> to tensor<13x15xf32>
    %extracted_slice = tensor.extract_slice %padded[1, 2] [10, 12] [1, 1] : tensor<13x15xf32> to tensor<10x12xf32>
    return %extracted_slice : tensor<10x12xf32>
  }
  func.func @gen(%arg0: index) -> tensor<?x4xindex> {
    %generated = tensor.generate %arg0 {
    ^bb0(%arg1: index, %arg2: index):
      %0 = arith.addi %arg1, %arg2 : index
      tensor.yield %0 : index
    } : tensor<?x4xindex>
    return %generated : tensor<?x4xindex>
  }
  func.func @genext(%arg0: index, %arg1: index) -> index {
    %c3 = arith.constant 3 : index
    %0 = arith.muli %arg1, %c3 : index
    return %0 : index
  }
  func.func @from(%arg0: f32, %arg1: f32, %arg2: f32) -> f32 {
    return %arg1 : f32
  }
  func.func @from2(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> tensor<2x2xf32> {
    %from_elements = tensor.from_elements %arg0, %arg1, %arg2, %arg3 : tensor<2x2xf32>
    return %from_elements : tensor<2x2xf32>
  }
  func.func @dimof(%arg0: tensor<?x4xf32>, %arg1: index) -> (index, index, index) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    %0 = affine.apply #map()[%dim]
    return %arg1, %c4, %0 : index, index, index
  }
  func.func @concat(%arg0: tensor<?x3xf32>, %arg1: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %concat = tensor.concat dim(0) %arg0, %arg1 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %concat : tensor<?x3xf32>
  }
  func.func @constx() -> f32 {
    %cst = arith.constant 3.000000e+00 : f32
    return %cst : f32
  }
  func.func @constslice() -> tensor<2xf32> {
    %cst = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %extracted_slice = tensor.extract_slice %cst[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
    return %extracted_slice : tensor<2xf32>
  }
  func.func @sparse() -> tensor<2x2xf32> {
    %cst = arith.constant dense<[[2.000000e+00, 0.000000e+00], [0.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
    return %cst : tensor<2x2xf32>
  }
  func.func @ins(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> f32 {
    %inserted = tensor.insert %arg1 into %arg0[%arg2] : tensor<?xf32>
    %extracted = tensor.extract %inserted[%arg2] : tensor<?xf32>
    return %extracted : f32
  }
  func.func @splat(%arg0: f32) -> tensor<4x4xf32> {
    %splat = tensor.splat %arg0 : tensor<4x4xf32>
    return %splat : tensor<4x4xf32>
  }
  func.func @castchain(%arg0: tensor<4x?xf32>) -> tensor<4x5xf32> {
    %cast = tensor.cast %arg0 : tensor<4x?xf32> to tensor<4x5xf32>
    return %cast : tensor<4x5xf32>
  }
  func.func @shape(%arg0: tensor<?x4xf32>) -> index {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    return %dim : index
  }
  func.func @reshape(%arg0: tensor<?xf32>, %arg1: tensor<2xindex>) -> tensor<?x?xf32> {
    %reshape = tensor.reshape %arg0(%arg1) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    return %reshape : tensor<?x?xf32>
  }
}

// ----- refuted-each 
func.func @slice(%a: tensor<?x?xf32>, %i: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %0 = tensor.extract_slice %a[%i, 2] [%n, 3] [1, 1] : tensor<?x?xf32> to tensor<?x3xf32>
  %1 = tensor.cast %0 : tensor<?x3xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @sliceslice(%a: tensor<8x16xf32>) -> tensor<2x4xf32> {
  %0 = tensor.extract_slice %a[1, 2] [6, 12] [1, 1] : tensor<8x16xf32> to tensor<6x12xf32>
  %1 = tensor.extract_slice %0[3, 2] [2, 4] [1, 1] : tensor<6x12xf32> to tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

func.func @rankred(%a: tensor<8x16x4xf32>) -> tensor<16x4xf32> {
  %0 = tensor.extract_slice %a[2, 0, 0] [1, 16, 4] [1, 1, 1] : tensor<8x16x4xf32> to tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

func.func @collexp(%a: tensor<?x4x5xf32>) -> tensor<?x20xf32> {
  %n = arith.negf %a : tensor<?x4x5xf32> %0 = tensor.collapse_shape %n [[0], [1, 2]] : tensor<?x4x5xf32> into tensor<?x20xf32>
  return %0 : tensor<?x20xf32>
}

func.func @expcoll(%a: tensor<12x?xf32>, %n: index) -> tensor<12x?xf32> {
  %q = math.absf %a : tensor<12x?xf32> %0 = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 4, %n] : tensor<12x?xf32> into tensor<3x4x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<3x4x?xf32> into tensor<12x?xf32>
  return %1 : tensor<12x?xf32>
}

func.func @pad(%a: tensor<?x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %a low[%l, 0] high[3, %h] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @padslice(%a: tensor<10x12xf32>, %v: f32) -> tensor<10x12xf32> {
  %0 = tensor.pad %a low[1, 2] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<10x12xf32> to tensor<13x15xf32>
  %1 = tensor.extract_slice %0[2, 2] [10, 12] [1, 1] : tensor<13x15xf32> to tensor<10x12xf32>
  return %1 : tensor<10x12xf32>
}

func.func @gen(%n: index) -> tensor<?x4xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.subi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x4xindex>
  return %0 : tensor<?x4xindex>
}

func.func @genext(%n: index, %i: index) -> index {
  %c = arith.constant 4 : index
  %0 = tensor.generate %n {
  ^bb0(%k: index):
    %s = arith.muli %k, %c : index
    tensor.yield %s : index
  } : tensor<?xindex>
  %1 = tensor.extract %0[%i] : tensor<?xindex>
  return %1 : index
}

func.func @from(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = tensor.from_elements %a, %b, %c : tensor<3xf32>
  %c1 = arith.constant 2 : index
  %1 = tensor.extract %0[%c1] : tensor<3xf32>
  return %1 : f32
}

func.func @from2(%a: f32, %b: f32, %c: f32, %d: f32) -> tensor<2x2xf32> {
  %0 = tensor.from_elements %a, %c, %b, %d : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func @dimof(%a: tensor<?x4xf32>, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %0 = tensor.dim %e, %c0 : tensor<?x3xf32>
  %1 = tensor.dim %a, %c1 : tensor<?x4xf32>
  %p = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %2 = tensor.dim %p, %c0 : tensor<?xf32>
  return %0, %2, %1 : index, index, index
}

func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tensor.concat dim(0) %b, %a : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @constx() -> f32 {
  %0 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %1 = tensor.extract %0[%c0, %c1] : tensor<2x2xf32>
  return %1 : f32
}

func.func @constslice() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = tensor.extract_slice %0[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

func.func @sparse() -> tensor<2x2xf32> {
  %0 = arith.constant sparse<[[0, 0], [1, 0]], [1.0, 2.0]> : tensor<2x2xf32>
  %1 = arith.addf %0, %0 : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

func.func @shape(%a: tensor<?x4xf32>) -> index {
  %0 = shape.shape_of %a : tensor<?x4xf32> -> tensor<2xindex>
  %c0 = arith.constant 1 : index
  %1 = tensor.extract %0[%c0] : tensor<2xindex>
  return %1 : index
}

func.func @ins(%a: tensor<?xf32>, %v: f32, %i: index) -> f32 {
  %0 = tensor.insert %v into %a[%i] : tensor<?xf32>
  %1 = tensor.extract %a[%i] : tensor<?xf32>
  return %1 : f32
}

func.func @splat(%v: f32) -> tensor<4x4xf32> {
  %n = math.ceil %v : f32 %0 = tensor.splat %n : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

func.func @castchain(%a: tensor<4x?xf32>) -> tensor<4x5xf32> {
  %n = math.ceil %a : tensor<4x?xf32> %0 = tensor.cast %n : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

func.func @reshape(%a: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %n = math.ceil %a : tensor<?xf32> %0 = tensor.reshape %n(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

