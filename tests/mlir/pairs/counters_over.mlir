// One that steps over its bound goes on until it wraps, or forever.
func.func @downto_undersubu(%n: index, %x: i32) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%n : index)
^head(%i: index):
  %c = arith.cmpi ugt, %i, %c0 : index
  cf.cond_br %c, ^body, ^exit
^body:
  %k = arith.subi %i, %c2 : index
  cf.br ^head(%k : index)
^exit:
  return %i : index
}
func.func @uge0(%n: index, %x: i32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  cf.br ^head(%c7 : index)
^head(%i: index):
  %c = arith.cmpi uge, %i, %c0 : index
  cf.cond_br %c, ^body, ^exit
^body:
  %k = arith.subi %i, %c1 : index
  cf.br ^head(%k : index)
^exit:
  return %i : index
}
func.func @ne_past(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%c3 : index)
^head(%i: index):
  %c = arith.cmpi ne, %i, %c2 : index
  cf.cond_br %c, ^body, ^exit
^body:
  %k = arith.addi %i, %c1 : index
  cf.br ^head(%k : index)
^exit:
  return %i : index
}
// ----- unknown
func.func @downto_undersubu(%n: index, %x: i32) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
func.func @uge0(%n: index, %x: i32) -> index {
  %c0 = arith.constant -1 : index
  return %c0 : index
}
func.func @ne_past(%n: index) -> index {
  %c2 = arith.constant 3 : index
  return %c2 : index
}
