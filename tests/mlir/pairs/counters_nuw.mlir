// A counter that stays below 0, or never is, does not wrap.
func.func @steps(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %r = arith.addi %x, %c3 : i32
  return %r : i32
}
// ----- proved
func.func @steps(%x: i32) -> i32 {
  %m4 = arith.constant -4 : i32
  %m1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%m4, %x : i32, i32)
^head(%i: i32, %s: i32):
  %c = arith.cmpi slt, %i, %m1 : i32
  cf.cond_br %c, ^body, ^end
^body:
  %t = arith.addi %s, %c1 : i32
  %n = arith.addi %i, %c1 overflow<nuw> : i32
  cf.br ^head(%n, %t : i32, i32)
^end:
  return %s : i32
}
// ----- refuted
func.func @steps(%x: i32) -> i32 {
  %m3 = arith.constant -3 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%m3, %x : i32, i32)
^head(%i: i32, %s: i32):
  %c = arith.cmpi slt, %i, %c0 : i32
  cf.cond_br %c, ^body, ^end
^body:
  %t = arith.addi %s, %c1 : i32
  %n = arith.addi %i, %c1 overflow<nuw> : i32
  cf.br ^head(%n, %t : i32, i32)
^end:
  return %s : i32
}
// ----- proved
func.func @steps(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0, %x : i32, i32)
^head(%i: i32, %s: i32):
  %c = arith.cmpi slt, %i, %c3 : i32
  cf.cond_br %c, ^body, ^end
^body:
  %t = arith.addi %s, %c1 : i32
  %n = arith.addi %i, %c1 overflow<nuw> : i32
  cf.br ^head(%n, %t : i32, i32)
^end:
  return %s : i32
}
