// A difference at a few values in 2^32.
func.func @equal(%x: i32) -> i1 {
  %r = arith.constant false
  return %r : i1
}
func.func @square(%x: i32) -> i32 {
  %r = arith.muli %x, %x : i32
  return %r : i32
}
func.func @rounded_twice(%x: f64) -> f16 {
  %a = arith.truncf %x : f64 to f32
  %r = arith.truncf %a : f32 to f16
  return %r : f16
}
func.func @next(%x: tensor<?xf64>) -> tensor<?xi1> {
  %c = arith.constant 7.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %s = linalg.fill ins(%c : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %r = arith.cmpf oeq, %x, %s : tensor<?xf64>
  return %r : tensor<?xi1>
}
// ----- proved-each
func.func @equal(%x: i32) -> i1 {
  %c = arith.constant 123456789 : i32
  %d = arith.constant 123456788 : i32
  %a = arith.cmpi eq, %x, %c : i32
  %b = arith.cmpi eq, %x, %d : i32
  %r = arith.andi %a, %b : i1
  return %r : i1
}
func.func @square(%x: i32) -> i32 {
  %z = arith.constant 0 : i32
  %n = arith.subi %z, %x : i32
  %r = arith.muli %n, %n : i32
  return %r : i32
}
// ----- refuted-each
func.func @equal(%x: i32) -> i1 {
  %c = arith.constant 123456789 : i32
  %r = arith.cmpi eq, %x, %c : i32
  return %r : i1
}
func.func @square(%x: i32) -> i32 {
  %c = arith.constant 0x5A5A5A5A : i32
  %k = arith.cmpi eq, %x, %c : i32
  %s = arith.muli %x, %x : i32
  %r = arith.select %k, %x, %s : i32
  return %r : i32
}
func.func @rounded_twice(%x: f64) -> f16 {
  %r = arith.truncf %x : f64 to f16
  return %r : f16
}
func.func @next(%x: tensor<?xf64>) -> tensor<?xi1> {
  %c = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = arith.truncf %x : tensor<?xf64> to tensor<?xf32>
  %r = arith.cmpf oeq, %y, %s : tensor<?xf32>
  return %r : tensor<?xi1>
}
