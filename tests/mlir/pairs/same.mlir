// What is not executed refines itself, if what it calls is the same, too.
func.func private @g(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %r = arith.addi %x, %c : i32
  return %r : i32
}
func.func @f(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%i = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = func.call @g(%j) : (i32) -> i32
    scf.yield %k : i32
  }
  return %r : i32
}
// ----- proved
func.func private @g(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %r = arith.addi %x, %c : i32
  return %r : i32
}
func.func @f(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%i = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%j: i32):
    %next = func.call @g(%j) : (i32) -> i32
    scf.yield %next : i32
  }
  return %r : i32
}
// ----- refuted
func.func private @g(%x: i32) -> i32 {
  %c = arith.constant 2 : i32
  %r = arith.addi %x, %c : i32
  return %r : i32
}
func.func @f(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%i = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = func.call @g(%j) : (i32) -> i32
    scf.yield %k : i32
  }
  return %r : i32
}
