// Integers of more than 64 bits are read, and not executed.
func.func @sign(%x: i64) -> i1 {
  %0 = arith.extui %x : i64 to i128
  %1 = arith.extsi %x : i64 to i128
  %2 = arith.cmpi eq, %0, %1 : i128
  return %2 : i1
}
func.func @there_and_back(%x: i64) -> i64 {
  %0 = arith.extsi %x : i64 to i128
  %1 = arith.trunci %0 : i128 to i64
  return %1 : i64
}
func.func @wide(%x: i64) -> i128 {
  %0 = arith.extui %x : i64 to i128
  return %0 : i128
}
// ----- unknown-each
func.func @sign(%x: i64) -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func @there_and_back(%x: i64) -> i64 {
  return %x : i64
}
func.func @wide(%x: i64) -> i128 {
  %0 = arith.extsi %x : i64 to i128
  return %0 : i128
}
// ----- proved-each
func.func @wide(%y: i64) -> i128 {
  %1 = arith.extui %y : i64 to i128
  return %1 : i128
}
