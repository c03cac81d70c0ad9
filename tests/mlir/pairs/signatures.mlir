func.func @f(%x: i32) -> i32 {
  return %x : i32
}
// ----- unknown
// missing-function
func.func @g(%x: i32) -> i32 {
  return %x : i32
}
// ----- unknown
// signature
func.func @f(%x: i32) -> (i32, i32) {
  return %x, %x : i32, i32
}
