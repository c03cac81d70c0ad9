# Memory as a value: sequential loops of one program that read what an earlier iteration or loop stored.
. "$SOURCE/tests/cli/common.sh"

proved() { # FILE FORMULA: lifted, proved and equal to the formula
  expect 0 "$ASSAY" check --grid 1 "$SOURCE/tests/contents/$1.ttir" -e "$2"
}
refuted() { expect 1 "$ASSAY" check --grid 1 "$SOURCE/tests/contents/$1.ttir" -e "$2"; }
is_proved() { # FILE: the values, whatever the safety
  "$ASSAY" lift --json --grid 1 "$SOURCE/tests/contents/$1.ttir" >out 2>err
  json verdict=proved
}

proved map 'y = x ** 2'
proved map2 'y = 2 * x'
proved seqstore 'y = x'
refuted seqstore 'y = x + y'
proved inplace 'b = 2 * b ** 2'
refuted inplace 'b = 2 * b'
proved gemm_ijk 'C = A @ B'
proved gemm_ikj 'C = A @ B'
refuted gemm_ikj 'C = A @ B + C'
proved prefix_float 'y = cumsum(x)'
refuted prefix_float 'y = x'
is_proved prefix
is_proved half
is_proved decay

# an overlapping copy forwards carries the first element on; backwards it moves the rest
is_proved shift
has out '"y[0]"'
is_proved suffix_moves
has out 'y[index(n) + 1]'
# two stores in each iteration
is_proved two_places
has out 'where(index(2) == 1, 2 * column(x), column(x))'
# places that data chooses: the sum over all that choose one
is_proved histo
has out 'sum[k < n, i == x[k]](1)'
# A place in rows of three elements, and one whose row is not known: with n > 3 the formula would speak of a row that the
# tensor does not have. That literal strides keep elements apart bounds n; for a given n > 3 the rows are as many as that place needs.
two_cuts() { expect_answer "$ASSAY" lift --json --grid 1 "$@" "$SOURCE/tests/contents/two_cuts.ttir"; }
two_cuts
json verdict=proved
has out '"text": "n <= 3"'
hasnt out 'the strides of y do not make'
two_cuts --set n=3
json verdict=proved
two_cuts --set n=9
has out 'y[2, 2]'
hasnt out '<= 3"'
# a store below the tensor: unsafe, and what is read back from there is what was stored
expect 1 "$ASSAY" lift --grid 1 "$SOURCE/tests/contents/below.ttir"
has out 'bounds refuted'
finish
