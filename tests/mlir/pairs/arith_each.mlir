func.func @ints(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %0 = arith.muli %a, %c8 : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.subi %1, %b : i32
  %3 = arith.divui %a, %c8 : i32
  %4 = arith.remui %a, %c8 : i32
  %5 = arith.andi %a, %b : i32
  %6 = arith.ori %a, %b : i32
  %7 = arith.xori %5, %6 : i32
  return %0, %2, %3, %4, %5, %6, %7, %1 : i32, i32, i32, i32, i32, i32, i32, i32
}
func.func @demorgan(%a: i32, %b: i32) -> i32 {
  %m = arith.constant -1 : i32
  %0 = arith.xori %a, %m : i32
  %1 = arith.xori %b, %m : i32
  %2 = arith.andi %0, %1 : i32
  return %2 : i32
}
func.func @minmax(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.minui %a, %b : i32
  return %0, %1 : i32, i32
}
func.func @sel(%c: i1, %a: i32, %b: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %0 = arith.select %n, %a, %b : i32
  return %0 : i32
}
func.func @cmp(%a: i32, %b: i32) -> (i1, i1) {
  %0 = arith.cmpi slt, %a, %b : i32
  %t = arith.constant true
  %1 = arith.xori %0, %t : i1
  %2 = arith.cmpi ule, %a, %b : i32
  return %1, %2 : i1, i1
}
func.func @ext(%a: i8) -> (i32, i32, i8) {
  %0 = arith.extsi %a : i8 to i16
  %1 = arith.extsi %0 : i16 to i32
  %2 = arith.extui %a : i8 to i32
  %3 = arith.trunci %1 : i32 to i8
  return %1, %2, %3 : i32, i32, i8
}
func.func @shift(%a: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %0 = arith.shli %a, %c3 : i32
  %1 = arith.shrui %0, %c3 : i32
  %2 = arith.shrsi %0, %c3 : i32
  return %1, %2 : i32, i32
}
func.func @floordiv(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.floordivsi %a, %b : i32
  %1 = arith.ceildivsi %a, %b : i32
  return %0, %1 : i32, i32
}
func.func @ceildivui(%a: i32, %b: i32) -> i32 {
  %1 = arith.ceildivui %a, %b : i32
  return %1 : i32
}
func.func @mulext(%a: i32, %b: i32) -> (i32, i32) {
  %0, %1 = arith.mulsi_extended %a, %b : i32
  return %0, %1 : i32, i32
}
func.func @muluext(%a: i8, %b: i8) -> (i8, i8) {
  %0, %1 = arith.mului_extended %a, %b : i8
  return %0, %1 : i8, i8
}
func.func @addext(%a: i32, %b: i32) -> (i32, i1) {
  %0, %1 = arith.addui_extended %a, %b : i32, i1
  return %0, %1 : i32, i1
}
func.func @fmax(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
func.func @fold() -> (f32, f32, i32, f64, f16) {
  %a = arith.constant 1.5 : f32
  %b = arith.constant 3.0 : f32
  %0 = arith.addf %a, %b : f32
  %1 = arith.divf %a, %b : f32
  %2 = arith.fptosi %a : f32 to i32
  %3 = arith.extf %1 : f32 to f64
  %4 = arith.truncf %1 : f32 to f16
  return %0, %1, %2, %3, %4 : f32, f32, i32, f64, f16
}
func.func @fneg(%a: f32) -> f32 {
  %0 = arith.negf %a : f32
  %1 = arith.negf %0 : f32
  return %1 : f32
}
func.func @fid(%a: f32) -> (f32, f32, f32) {
  %z = arith.constant -0.0 : f32
  %o = arith.constant 1.0 : f32
  %p = arith.constant 0.0 : f32
  %0 = arith.addf %a, %z : f32
  %1 = arith.mulf %0, %o : f32
  %2 = arith.subf %a, %p : f32
  %3 = arith.divf %a, %o : f32
  return %1, %2, %3 : f32, f32, f32
}
func.func @cmpf(%a: f32, %b: f32) -> (i1, i1, i1) {
  %0 = arith.cmpf olt, %a, %b : f32
  %1 = arith.cmpf ueq, %a, %a : f32
  %n = arith.constant 0x7FC00000 : f32
  %2 = arith.cmpf ult, %a, %n : f32
  return %0, %1, %2 : i1, i1, i1
}
func.func @casts(%a: i16) -> (f32, i16, f32) {
  %0 = arith.sitofp %a : i16 to f32
  %1 = arith.fptosi %0 : f32 to i16
  %2 = arith.uitofp %a : i16 to f32
  return %0, %1, %2 : f32, i16, f32
}
func.func @bitc(%a: i32) -> i32 {
  %0 = arith.bitcast %a : i32 to f32
  %1 = arith.bitcast %0 : f32 to i32
  return %1 : i32
}
func.func @idx(%a: index) -> index {
  %0 = arith.index_cast %a : index to i64
  %1 = arith.index_cast %0 : i64 to index
  return %1 : index
}
func.func @tens(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.addi %a, %b : tensor<?xi32>
  %1 = arith.muli %0, %b : tensor<?xi32>
  return %1 : tensor<?xi32>
}
func.func @vec(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.addf %a, %b : vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @mathf(%a: f32, %b: f32) -> (f32, f32, f32, f32, f32) {
  %0 = math.absf %a : f32
  %1 = math.exp %0 : f32
  %2 = math.powf %a, %b : f32
  %3 = math.fma %a, %b, %1 : f32
  %4 = math.copysign %a, %b : f32
  %5 = math.ceil %a : f32
  return %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32
}
func.func @ctz(%a: i32) -> (i32, i32, i32) {
  %0 = math.ctlz %a : i32
  %1 = math.cttz %a : i32
  %2 = math.ctpop %a : i32
  return %0, %1, %2 : i32, i32, i32
}
// ----- proved-each
module {
  func.func @ints(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.muli %arg0, %c8_i32 : i32
    %1 = arith.addi %arg0, %arg1 : i32
    %2 = arith.divui %arg0, %c8_i32 : i32
    %3 = arith.remui %arg0, %c8_i32 : i32
    %4 = arith.andi %arg0, %arg1 : i32
    %5 = arith.ori %arg0, %arg1 : i32
    %6 = arith.xori %4, %5 : i32
    return %0, %arg0, %2, %3, %4, %5, %6, %1 : i32, i32, i32, i32, i32, i32, i32, i32
  }
  func.func @demorgan(%arg0: i32, %arg1: i32) -> i32 {
    %c-1_i32 = arith.constant -1 : i32
    %0 = arith.xori %arg0, %c-1_i32 : i32
    %1 = arith.xori %arg1, %c-1_i32 : i32
    %2 = arith.andi %0, %1 : i32
    return %2 : i32
  }
  func.func @minmax(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = arith.maxsi %arg0, %arg1 : i32
    %1 = arith.minui %arg0, %arg1 : i32
    return %0, %1 : i32, i32
  }
  func.func @sel(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.select %arg0, %arg2, %arg1 : i32
    return %0 : i32
  }
  func.func @cmp(%arg0: i32, %arg1: i32) -> (i1, i1) {
    %0 = arith.cmpi sge, %arg0, %arg1 : i32
    %1 = arith.cmpi ule, %arg0, %arg1 : i32
    return %0, %1 : i1, i1
  }
  func.func @ext(%arg0: i8) -> (i32, i32, i8) {
    %0 = arith.extsi %arg0 : i8 to i32
    %1 = arith.extui %arg0 : i8 to i32
    return %0, %1, %arg0 : i32, i32, i8
  }
  func.func @shift(%arg0: i32) -> (i32, i32) {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.shli %arg0, %c3_i32 : i32
    %1 = arith.shrui %0, %c3_i32 : i32
    %2 = arith.shrsi %0, %c3_i32 : i32
    return %1, %2 : i32, i32
  }
  func.func @floordiv(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = arith.floordivsi %arg0, %arg1 : i32
    %1 = arith.ceildivsi %arg0, %arg1 : i32
    return %0, %1 : i32, i32
  }
  func.func @ceildivui(%arg0: i32, %arg1: i32) -> i32 {
    %0 = arith.ceildivui %arg0, %arg1 : i32
    return %0 : i32
  }
  func.func @mulext(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
    return %low, %high : i32, i32
  }
  func.func @muluext(%arg0: i8, %arg1: i8) -> (i8, i8) {
    %low, %high = arith.mului_extended %arg0, %arg1 : i8
    return %low, %high : i8, i8
  }
  func.func @addext(%arg0: i32, %arg1: i32) -> (i32, i1) {
    %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
    return %sum, %overflow : i32, i1
  }
  func.func @fmax(%arg0: f32, %arg1: f32) -> (f32, f32, f32, f32) {
    %0 = arith.maximumf %arg0, %arg1 : f32
    %1 = arith.minimumf %arg0, %arg1 : f32
    %2 = arith.maxnumf %arg0, %arg1 : f32
    %3 = arith.minnumf %arg0, %arg1 : f32
    return %0, %1, %2, %3 : f32, f32, f32, f32
  }
  func.func @fold() -> (f32, f32, i32, f64, f16) {
    %cst = arith.constant 4.500000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant 5.000000e-01 : f64
    %cst_2 = arith.constant 5.000000e-01 : f16
    return %cst, %cst_0, %c1_i32, %cst_1, %cst_2 : f32, f32, i32, f64, f16
  }
  func.func @fneg(%arg0: f32) -> f32 {
    return %arg0 : f32
  }
  func.func @fid(%arg0: f32) -> (f32, f32, f32) {
    return %arg0, %arg0, %arg0 : f32, f32, f32
  }
  func.func @cmpf(%arg0: f32, %arg1: f32) -> (i1, i1, i1) {
    %true = arith.constant true
    %0 = arith.cmpf olt, %arg0, %arg1 : f32
    %1 = arith.cmpf ueq, %arg0, %arg0 : f32
    return %0, %1, %true : i1, i1, i1
  }
  func.func @casts(%arg0: i16) -> (f32, i16, f32) {
    %0 = arith.sitofp %arg0 : i16 to f32
    %1 = arith.fptosi %0 : f32 to i16
    %2 = arith.uitofp %arg0 : i16 to f32
    return %0, %1, %2 : f32, i16, f32
  }
  func.func @bitc(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
  func.func @idx(%arg0: index) -> index {
    return %arg0 : index
  }
  func.func @tens(%arg0: tensor<?xi32>, %arg1: tensor<?xi32>) -> tensor<?xi32> {
    %0 = arith.addi %arg0, %arg1 : tensor<?xi32>
    %1 = arith.muli %0, %arg1 : tensor<?xi32>
    return %1 : tensor<?xi32>
  }
  func.func @vec(%arg0: vector<4xf32>, %arg1: vector<4xf32>) -> vector<4xf32> {
    %0 = arith.addf %arg0, %arg1 : vector<4xf32>
    %1 = math.exp %0 : vector<4xf32>
    return %1 : vector<4xf32>
  }
  func.func @mathf(%arg0: f32, %arg1: f32) -> (f32, f32, f32, f32, f32) {
    %0 = math.absf %arg0 : f32
    %1 = math.exp %0 : f32
    %2 = math.powf %arg0, %arg1 : f32
    %3 = math.fma %arg0, %arg1, %1 : f32
    %4 = math.copysign %arg0, %arg1 : f32
    %5 = math.ceil %arg0 : f32
    return %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32
  }
  func.func @ctz(%arg0: i32) -> (i32, i32, i32) {
    %0 = math.ctlz %arg0 : i32
    %1 = math.cttz %arg0 : i32
    %2 = math.ctpop %arg0 : i32
    return %0, %1, %2 : i32, i32, i32
  }
}

// ----- refuted-each
func.func @ints(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %0 = arith.muli %a, %c8 : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.subi %1, %b : i32
  %3 = arith.divui %a, %c8 : i32
  %4 = arith.remsi %a, %c8 : i32
  %5 = arith.andi %a, %b : i32
  %6 = arith.ori %a, %b : i32
  %7 = arith.xori %5, %6 : i32
  return %0, %2, %3, %4, %5, %6, %7, %1 : i32, i32, i32, i32, i32, i32, i32, i32
}

func.func @demorgan(%a: i32, %b: i32) -> i32 {
  %m = arith.constant -1 : i32
  %0 = arith.xori %a, %m : i32
  %1 = arith.xori %b, %m : i32
  %2 = arith.ori %0, %1 : i32
  return %2 : i32
}

func.func @minmax(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.minsi %a, %b : i32
  return %0, %1 : i32, i32
}

func.func @sel(%c: i1, %a: i32, %b: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %0 = arith.select %n, %b, %a : i32
  return %0 : i32
}

func.func @cmp(%a: i32, %b: i32) -> (i1, i1) {
  %0 = arith.cmpi slt, %a, %b : i32
  %t = arith.constant true
  %1 = arith.xori %0, %t : i1
  %2 = arith.cmpi ult, %a, %b : i32
  return %1, %2 : i1, i1
}

func.func @ext(%a: i8) -> (i32, i32, i8) {
  %0 = arith.extsi %a : i8 to i16
  %1 = arith.extsi %0 : i16 to i32
  %2 = arith.extsi %a : i8 to i32
  %3 = arith.trunci %1 : i32 to i8
  return %1, %2, %3 : i32, i32, i8
}

func.func @shift(%a: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %0 = arith.shli %a, %c3 : i32
  %1 = arith.shrsi %0, %c3 : i32
  %2 = arith.shrsi %0, %c3 : i32
  return %1, %2 : i32, i32
}

func.func @ceildivui(%a: i32, %b: i32) -> i32 {
  %1 = arith.divui %a, %b : i32
  return %1 : i32
}

func.func @floordiv(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.divsi %a, %b : i32
  %1 = arith.ceildivsi %a, %b : i32
  return %0, %1 : i32, i32
}

func.func @mulext(%a: i32, %b: i32) -> (i32, i32) {
  %0, %1 = arith.mului_extended %a, %b : i32
  return %0, %1 : i32, i32
}

func.func @muluext(%a: i8, %b: i8) -> (i8, i8) {
  %0, %1 = arith.mulsi_extended %a, %b : i8
  return %0, %1 : i8, i8
}

func.func @addext(%a: i32, %b: i32) -> (i32, i1) {
  %0, %1 = arith.addui_extended %a, %a : i32, i1
  return %0, %1 : i32, i1
}

func.func @fmax(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %0 = arith.maxnumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

func.func @fold() -> (f32, f32, i32, f64, f16) {
  %a = arith.constant 1.5 : f32
  %b = arith.constant 5.0 : f32
  %0 = arith.addf %a, %b : f32
  %1 = arith.divf %a, %b : f32
  %2 = arith.fptosi %a : f32 to i32
  %3 = arith.extf %1 : f32 to f64
  %4 = arith.truncf %1 : f32 to f16
  return %0, %1, %2, %3, %4 : f32, f32, i32, f64, f16
}

func.func @fneg(%a: f32) -> f32 {
  %0 = arith.negf %a : f32
  %1 = math.absf %0 : f32
  return %1 : f32
}

func.func @fid(%a: f32) -> (f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %p = arith.constant 0.0 : f32
  %0 = arith.addf %a, %z : f32
  %1 = arith.mulf %0, %o : f32
  %2 = arith.subf %a, %p : f32
  %3 = arith.divf %a, %o : f32
  return %1, %2, %3 : f32, f32, f32
}

func.func @cmpf(%a: f32, %b: f32) -> (i1, i1, i1) {
  %0 = arith.cmpf ult, %a, %b : f32
  %1 = arith.cmpf ueq, %a, %a : f32
  %n = arith.constant 0x7FC00000 : f32
  %2 = arith.cmpf ult, %a, %n : f32
  return %0, %1, %2 : i1, i1, i1
}

func.func @casts(%a: i16) -> (f32, i16, f32) {
  %0 = arith.sitofp %a : i16 to f32
  %1 = arith.fptosi %0 : f32 to i16
  %2 = arith.sitofp %a : i16 to f32
  return %0, %1, %2 : f32, i16, f32
}

func.func @tens(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.addi %a, %b : tensor<?xi32>
  %1 = arith.muli %0, %a : tensor<?xi32>
  return %1 : tensor<?xi32>
}

func.func @vec(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.addf %a, %b : vector<4xf32>
  %1 = math.exp2 %0 : vector<4xf32>
  return %1 : vector<4xf32>
}

func.func @mathf(%a: f32, %b: f32) -> (f32, f32, f32, f32, f32) {
  %0 = math.absf %a : f32
  %1 = math.exp %0 : f32
  %2 = math.powf %a, %b : f32
  %3 = math.fma %a, %b, %1 : f32
  %4 = math.copysign %a, %b : f32
  %5 = math.floor %a : f32
  return %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32
}

func.func @ctz(%a: i32) -> (i32, i32, i32) {
  %0 = math.cttz %a : i32
  %1 = math.cttz %a : i32
  %2 = math.ctpop %a : i32
  return %0, %1, %2 : i32, i32, i32
}

