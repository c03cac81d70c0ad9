func.func @fold(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %0 = arith.addi %x, %c3 : i32
  %1 = arith.addi %0, %c5 : i32
  return %1 : i32
}
func.func @narrow(%x: i64) -> i64 {
  %0 = arith.trunci %x : i64 to i32
  %1 = arith.extsi %0 : i32 to i64
  return %1 : i64
}
func.func @wide() -> index {
  %c = arith.constant 4294967296 : index
  return %c : index
}
func.func @shift(%x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %0 = arith.muli %x, %c : i32
  %a = math.absi %0 : i32
  return %a : i32
}
func.func @compare(%x: i32, %y: i32) -> i1 {
  %0 = arith.cmpi slt, %x, %y : i32
  %t = arith.constant true
  %1 = arith.xori %0, %t : i1
  return %1 : i1
}
// ----- proved
func.func @fold(%x: i32) -> i32 {
  %c8 = arith.constant 8 : i32
  %0 = arith.addi %c8, %x : i32
  return %0 : i32
}
func.func @narrow(%x: i64) -> i64 {
  %c = arith.constant 32 : i64
  %0 = arith.shli %x, %c : i64
  %1 = arith.shrsi %0, %c : i64
  return %1 : i64
}
func.func @wide() -> index {
  %c = arith.constant 65536 : index
  %0 = arith.muli %c, %c : index
  return %0 : index
}
func.func @shift(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  %a = math.absi %1 : i32
  return %a : i32
}
func.func @compare(%x: i32, %y: i32) -> i1 {
  %1 = arith.cmpi sge, %x, %y : i32
  return %1 : i1
}
// ----- refuted
func.func @fold(%x: i32) -> i32 {
  %c9 = arith.constant 9 : i32
  %0 = arith.addi %c9, %x : i32
  return %0 : i32
}
func.func @narrow(%x: i64) -> i64 {
  %0 = arith.trunci %x : i64 to i32
  %1 = arith.extui %0 : i32 to i64
  return %1 : i64
}
func.func @wide() -> index {
  %c = arith.constant 0 : index
  return %c : index
}
func.func @shift(%x: i32) -> i32 {
  %c = arith.constant 2 : i32
  %0 = arith.shli %x, %c : i32
  %a = math.absi %0 : i32
  return %a : i32
}
func.func @compare(%x: i32, %y: i32) -> i1 {
  %1 = arith.cmpi uge, %x, %y : i32
  return %1 : i1
}
