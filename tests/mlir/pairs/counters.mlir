// A counter that goes from -1 to 0 wraps as an unsigned number: with nuw it is poison then, and the loop ends by it.
func.func @from(%x: i32) -> i32 {
  %m3 = arith.constant -3 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %m3, %s = %x) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%c) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %n = arith.addi %i, %c1 : i32
    %t = arith.addi %s, %c1 : i32
    scf.yield %n, %t : i32, i32
  }
  return %r#1 : i32
}
// ----- proved
func.func @from(%x: i32) -> i32 {
  %m3 = arith.constant -3 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %m3, %s = %x) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%c) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %n = arith.addi %i, %c1 overflow<nsw> : i32
    %t = arith.addi %s, %c1 : i32
    scf.yield %n, %t : i32, i32
  }
  return %r#1 : i32
}
// ----- refuted
func.func @from(%x: i32) -> i32 {
  %m3 = arith.constant -3 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %m3, %s = %x) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%c) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %n = arith.addi %i, %c1 overflow<nuw> : i32
    %t = arith.addi %s, %c1 : i32
    scf.yield %n, %t : i32, i32
  }
  return %r#1 : i32
}
