// Counters that go down, that reach their bound, and that go on while they differ from it.
func.func @downto(%n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%n, %x : i32, i32)
^head(%i: i32, %a: i32):
  %c = arith.cmpi sgt, %i, %c0 : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %b = arith.addi %a, %i : i32
  %k = arith.subi %i, %c1 : i32
  cf.br ^head(%k, %b : i32, i32)
^exit:
  return %a : i32
}
func.func @downto_mem(%m: memref<16xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  cf.br ^head(%c15 : index)
^head(%i: index):
  %c = arith.cmpi sge, %i, %c0 : index
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %x, %m[%i] : memref<16xi32>
  %k = arith.subi %i, %c1 : index
  cf.br ^head(%k : index)
^exit:
  return
}
func.func @upto_le(%m: memref<17xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi sle, %i, %c16 : index
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %x, %m[%i] : memref<17xi32>
  %k = arith.addi %i, %c1 : index
  cf.br ^head(%k : index)
^exit:
  return
}
func.func @upto_ne(%m: memref<16xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi ne, %i, %c16 : index
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %x, %m[%i] : memref<16xi32>
  %k = arith.addi %i, %c1 : index
  cf.br ^head(%k : index)
^exit:
  return
}
func.func @dec3(%n: index, %x: i32) -> index {
  %c0 = arith.constant 0 : index
  %cm3 = arith.constant -3 : index
  %c7 = arith.constant 7 : index
  cf.br ^head(%c7 : index)
^head(%i: index):
  %c = arith.cmpi sge, %i, %c0 : index
  cf.cond_br %c, ^body, ^exit
^body:
  %k = arith.addi %cm3, %i : index
  cf.br ^head(%k : index)
^exit:
  return %i : index
}
func.func @ne_dec(%m: memref<16xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  cf.br ^head(%c16 : index)
^head(%i: index):
  %c = arith.cmpi ne, %i, %c0 : index
  cf.cond_br %c, ^body, ^exit
^body:
  %k = arith.subi %i, %c1 : index
  memref.store %x, %m[%k] : memref<16xi32>
  cf.br ^head(%k : index)
^exit:
  return
}
// ----- proved
func.func @downto(%n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%n, %x : i32, i32)
^head(%i: i32, %a: i32):
  %c = arith.cmpi slt, %c0, %i : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %b = arith.addi %i, %a : i32
  %k = arith.subi %i, %c1 : i32
  cf.br ^head(%k, %b : i32, i32)
^exit:
  return %a : i32
}
func.func @downto_mem(%m: memref<16xi32>, %n: index, %x: i32) {
  linalg.fill ins(%x : i32) outs(%m : memref<16xi32>)
  return
}
func.func @upto_le(%m: memref<17xi32>, %n: index, %x: i32) {
  linalg.fill ins(%x : i32) outs(%m : memref<17xi32>)
  return
}
func.func @upto_ne(%m: memref<16xi32>, %n: index, %x: i32) {
  linalg.fill ins(%x : i32) outs(%m : memref<16xi32>)
  return
}
func.func @dec3(%n: index, %x: i32) -> index {
  %c0 = arith.constant -2 : index
  return %c0 : index
}
func.func @ne_dec(%m: memref<16xi32>, %x: i32) {
  linalg.fill ins(%x : i32) outs(%m : memref<16xi32>)
  return
}
// ----- refuted-each
func.func @downto(%n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%n, %x : i32, i32)
^head(%i: i32, %a: i32):
  %c = arith.cmpi sle, %c0, %i : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %b = arith.subi %a, %i : i32
  %k = arith.subi %i, %c1 : i32
  cf.br ^head(%k, %b : i32, i32)
^exit:
  return %a : i32
}
func.func @downto_mem(%m: memref<16xi32>, %n: index, %x: i32) {
  %y = arith.constant 7 : i32
  linalg.fill ins(%y : i32) outs(%m : memref<16xi32>)
  return
}
func.func @upto_le(%m: memref<17xi32>, %n: index, %x: i32) {
  %y = arith.constant 7 : i32
  linalg.fill ins(%y : i32) outs(%m : memref<17xi32>)
  return
}
func.func @upto_ne(%m: memref<16xi32>, %n: index, %x: i32) {
  %y = arith.constant 7 : i32
  linalg.fill ins(%y : i32) outs(%m : memref<16xi32>)
  return
}
func.func @dec3(%n: index, %x: i32) -> index {
  %c0 = arith.constant -1 : index
  return %c0 : index
}
func.func @ne_dec(%m: memref<16xi32>, %x: i32) {
  %y = arith.constant 7 : i32
  linalg.fill ins(%y : i32) outs(%m : memref<16xi32>)
  return
}
