# Graphs: right ones are proved, each of them with one thing changed is refuted, and what is no graph is an error at its
# place. A mutation is a line of sed; one that changes nothing is a fault of this test.
. "$SOURCE/tests/cli/common.sh"
graphs=$SOURCE/tests/optimize

expect() { # exit code, graph, formula
  "$ASSAY" check "$2" -e "$3" >"$work/out" 2>"$work/err"
  code=$?
  [ $code = "$1" ] || { cat "$work/out" "$work/err"; fail "exit $code instead of $1: $4"; }
}

mutants() { # graph, formula; mutations on standard input
  expect 0 "$1" "$2" "$1"
  while read -r mutation; do
    sed -e "$mutation" "$1" >mutant.graph
    cmp -s "$1" mutant.graph && fail "'$mutation' changes nothing in $1"
    expect 1 mutant.graph "$2" "$1 with $mutation"
  done
}

mutants "$graphs/rms_matmul.graph" 'Y = (X / sqrt(mean(X**2, axis=1))) @ W' <<'END'
s/xt @ wt/(xt * 2) @ wt/
s/xt \* xt/xt + xt/
s/xt \* xt/xt/
s/xt @ wt/exp(xt) @ wt/
s/sum(xt \* xt, axis=1)/max(xt * xt, axis=1)/
s/accumulate sum(xt/accumulate max(xt/
s/accumulate sum(sum/accumulate max(sum/
s/accumulate sum(sum/accumulate min(sum/
s/acc \/ sqrt/acc * sqrt/
s/sqrt(ss \/ K)/sqrt(ss)/
s/sqrt(ss \/ K)/(ss \/ K)/
s/sqrt(ss \/ K)/sqrt(ss \/ N)/
s/acc \/ sqrt(ss \/ K)/acc/
s/acc \/ sqrt/acc - sqrt/
s/acc \/ sqrt/maximum(acc, 0) \/ sqrt/
s/ss \/ K/ss \/ K + 1/
s/X\[x, t\]/X[x, :]/;s/xt @ wt/sum(xt, axis=1) * sum(wt, axis=0)/;s/loop t = K/loop t = K/
END

mutants "$graphs/gated_mlp.graph" 'Y = silu(X @ W1) * (X @ W2)' <<'END'
s/silu(a)/sigmoid(a)/
s/silu(a)/relu(a)/
s/silu(a) \* b/silu(b) * a/
s/silu(a) \* b/silu(a) + b/
s/silu(a) \* b/silu(a * b)/
s/load W1/load W2/
s/load W2/load W1/
s/xt @ w1/xt @ w2/
s/sum(xt @ w2/max(xt @ w2/
s/sum(xt @ w1/min(xt @ w1/
s/xt @ w2/(-xt) @ w2/
END

mutants "$graphs/attention_softmax.graph" 'O = softmax(Q @ K, axis=2) @ V' <<'END'
s/, rescale=m)$/)/
s/l = accumulate sum(sum(p, axis=2), rescale=m)/l = accumulate sum(sum(p, axis=2))/
s/o = accumulate sum(p @ v, rescale=m)/o = accumulate sum(p @ v)/
s/exp(s - m)/exp(s)/
s/exp(s - m)/exp(m - s)/
s/max(s, axis=2)/min(s, axis=2)/;s/accumulate max/accumulate max/;s/o \/ l/o * l/
s/o \/ l/o/
s/sum(p, axis=2)/max(p, axis=2)/
s/p @ v/(p * p) @ v/
s/s = q @ k/s = (q @ k) \/ 8/
s/s = q @ k/s = where(expand(x, 1) >= t, q @ k, -inf)/
END

mutants "$graphs/attention_split.graph" 'O = (exp(Q @ K) / sum(exp(Q @ K), axis=2)) @ V' <<'END'
s/exp(q @ k)/q @ k/
s/sum(p, axis=0)/max(p, axis=0)/
s/sum(l, axis=0)/max(l, axis=0)/
s/sum(p, axis=0) \//sum(p, axis=0) */
s/sum(e @ v)/max(e @ v)/
s/sum(sum(e, axis=2))/sum(max(e, axis=2))/
END

# parts of axes, whole and cut by a loop; the formula rotates halves, which it concatenates
turned() { # tensor, cosines, sines
  echo "($1 * concat($2, $2, axis=1) + concat(-$1[:, 32:], $1[:, :32], axis=1) * concat($3, $3, axis=1))"
}
rotated="P = $(turned Q cq sq) @ transpose($(turned K ck sk), 1, 0)"
mutants "$graphs/rotary.graph" "$rotated" <<'END'
s/Q\[x, t + 32\]/Q[x, t + 31]/
s/Q\[x, t + 32\]/Q[x, t + 0]/
s/K\[y, t + 0\]/K[y, t + 1]/
s/Q\[x, 0:32\]/Q[x, 1:33]/
s/K\[y, :32\]/K[y, 32:]/
s/K\[y, 32:64\]/K[y, :32]/
s/a1 \* ca - a2/a1 * ca + a2/
s/left + (q2/left - (q2/
END

# below a running maximum
scores="$(turned Q C S) @ transpose($(turned K C S), 1, 0)"
scores=$(echo "$scores" | sed 's/concat(\([CS]\), [CS], axis=1)/\1/g')
mutants "$graphs/rotary_sums.graph" "Y = sum(exp($scores - max($scores, axis=1)), axis=1)" <<'END'
s/q1 \* c1 - q2/q1 * c1 + q2/
s/q1 \* s2/q1 * s1/
s/, rescale=m)/)/
END

# elements that labels choose, in parts of a loop: one part has each, or none where a label is no class
mutants "$graphs/labels_split.graph" 'Y = sum(where(expand(label, 1) == index(N), X, 0), axis=1)' <<'END'
s/== t/<= t/
s/accumulate sum(sum(t2/accumulate max(sum(t2/
s/accumulate sum(sum(where/accumulate max(max(where/
END

# folds over concatenations are those over the pieces, in their order
pieces() { # exit code, formula, formula
  printf '%s\n' "$declared" "$2" >left.formula
  "$ASSAY" check left.formula -e "$3" >"$work/out" 2>"$work/err"
  code=$?
  [ $code = "$1" ] || { cat "$work/out" "$work/err"; fail "exit $code instead of $1: $2 against $3"; }
}
declared='formula f
tensor X: f32[M, K]
tensor Z: f32[M, R]
tensor W: f32[K, N]
tensor B: f32[R, N]
tensor Y: f32[M, N]
size M: 1 <= M
size K: 1 <= K
size R: 1 <= R
size N: 1 <= N'
both='concat(X, Z, axis=1)'
pieces 0 "Y = $both @ concat(W, B, axis=0)" 'Y = X @ W + Z @ B'
pieces 1 "Y = $both @ concat(W, B, axis=0)" 'Y = X @ W - Z @ B'
pieces 1 "Y = $both @ concat(2 * W, B, axis=0)" 'Y = X @ W + Z @ B'
pieces 1 "Y = $both @ concat(B, W, axis=0)" 'Y = X @ W + Z @ B'
declared=$(printf '%s\n' "$declared" | sed 's/^tensor Y.*/tensor Y: f32[M]/;/^tensor [WB]/d;/^size N/d')
pieces 0 "Y = max($both, axis=1)" 'Y = maximum(max(X, axis=1), max(Z, axis=1))'
pieces 1 "Y = max($both, axis=1)" 'Y = max(X, axis=1) + max(Z, axis=1)'
pieces 0 "Y = min($both, axis=1)" 'Y = minimum(min(Z, axis=1), min(X, axis=1))'
pieces 0 "Y = sum($both * concat(X, -Z, axis=1), axis=1)" 'Y = sum(X**2, axis=1) - sum(Z**2, axis=1)'
pieces 1 'Y = sum(where(index(K) < 3, X, 2 * X), axis=1)' 'Y = sum(X, axis=1) + sum(where(index(K) < 2, 0, X), axis=1)'

# errors: the place, and exit 3
wrong() { # mutation, line:column
  sed -e "$1" "$graphs/rms_matmul.graph" >wrong.graph
  cmp -s "$graphs/rms_matmul.graph" wrong.graph && fail "'$1' changes nothing"
  "$ASSAY" check wrong.graph -e 'Y = X' >"$work/out" 2>"$work/err"
  code=$?
  [ $code = 3 ] || fail "exit $code instead of 3: $1"
  grep -q "^wrong.graph:$2: error" "$work/err" || { cat "$work/err"; fail "no error at $2: $1"; }
}
wrong 's/X\[x, t\]/X[t, x]/' 11:17
wrong 's/X\[x, t\]/X[x]/' 11:17
wrong 's/X\[x, t\]/X[x, u]/' 11:20
wrong 's/X\[x, t\]/X[x, 0:2]/' 11:20
wrong 's/X\[x, t\]/X[x, 0:K:2]/' 11:20
wrong 's/X\[x, t\]/X[x, t + 1]/' 11:20
wrong 's/X\[x, t\]/X[x, (-1):1]/' 11:20
wrong 's/X\[x, t\]/X[x, u + 1]/' 11:20
wrong 's/Y\[x, y\]/Y[x, 0:N]/' 16:8
wrong 's/load W/load V/' 12:15
wrong 's/xt @ wt/wt @ xt/' 13:26
wrong 's/Y\[x, y\]/Y[x, :]/' 16:3
wrong 's/Y\[x, y\]/Y[y, x]/' 16:10
wrong 's/save Y\[x, y\] =.*/save Y[x, y] = transpose(acc, 1, 0)/' 16:3
wrong 's/acc = accumulate sum/acc = accumulate prod/' 13:22
wrong 's/accumulate sum(xt @ wt)/accumulate sum(xt)/' 13:26
wrong 's/ss = acc/xt = acc/' 14:5
wrong 's/acc \/ sqrt(ss/acc \/ sqrt(xt/' 16:29
wrong 's/M \/ 16/M \/ 0/' 9:24
wrong 's/x = M \/ 16/x = 16/' 11:17
wrong 's/loop t = K/loop t = J/' 10:12
wrong '/save/d' 1:1
wrong '$d' 9:1
wrong 's/tensor X: f16\[M, K\]/tensor X: f16[M, K/' 6:1
wrong 's/^  loop.*/  lop t = K \/ 64/' 10:7
# layouts of temporary tensors, and thread graphs: they have no part in the meaning, and are errors where they are none
cat >chosen.graph <<'END'
graph chosen
size M: 1 <= M
size N: 1 <= N
tensor X: f32[M, N]
tensor Y: f32[M, N]
temporary T: f32[M, N] layout [1, 0]

block first grid x = M / 16, y = N / 4
  xt = load X[x, y]
  thread
    v = exp(xt) * 2
    save T[x, y] = v + xt
  end
end

block second grid x = M / 16
  tt = load T[x, :]
  part = sum(tt, axis=1)
  thread
    u = tt / part
    save Y[x, :] = u + 1
  end
end
END
chosen='Y = (2*exp(X) + X) / sum(2*exp(X) + X, axis=1) + 1'
mutants chosen.graph "$chosen" <<'END'
s/v + xt/v - xt/
s/u + 1/u/
END
misplaced() { # mutation, line:column
  sed -e "$1" chosen.graph >wrong.graph
  cmp -s chosen.graph wrong.graph && fail "'$1' changes nothing"
  "$ASSAY" check wrong.graph -e "$chosen" >"$work/out" 2>"$work/err"
  code=$?
  [ $code = 3 ] || fail "exit $code instead of 3: $1"
  grep -q "^wrong.graph:$2: error" "$work/err" || { cat "$work/err"; fail "no error at $2: $1"; }
}
misplaced 's/layout \[1, 0\]/layout [1, 1]/' 6:35
misplaced 's/layout \[1, 0\]/layout [0, 2]/' 6:35
misplaced 's/layout \[1, 0\]/layout [0]/' 6:24
misplaced 's/layout \[1, 0\]/layout [0, 1, 2]/' 6:38
misplaced 's/layout \[1, 0\]/layout [0, 10]/' 6:35
misplaced 's/layout \[1, 0\]/layout [0, 1/' 6:24
misplaced 's/layout \[1, 0\]/layout [M, N]/' 6:32
misplaced 's/layout \[1, 0\]/layout []/' 6:24
misplaced 's/layout \[1, 0\]/order [1, 0]/' 6:24
misplaced 's/Y: f32\[M, N\]/Y: f32[M, N] layout [1, 0]/' 5:21
misplaced 's/exp(xt) \* 2/exp(sum(xt, axis=1))/' 11:5
misplaced 's/u + 1/u + sum(u, axis=1)/' 21:5
misplaced 's/u = tt \/ part/u = part \/ 2/;s/u + 1/tt + u/' 21:5
misplaced 's/    v = exp(xt) \* 2/    v = load X[x, y]/' 11:5
misplaced 's/^  part = .*/  thread/' 19:3
misplaced 's/^  thread/  thread x/' 10:3
misplaced 's/^    u = .*/    thread/' 20:5
misplaced 's/^temporary/thread\n&/' 6:1
grep -v '^end' chosen.graph | sed '/second/,$d' >wrong.graph
"$ASSAY" check wrong.graph -e "$chosen" >"$work/out" 2>"$work/err"
grep -q '^wrong.graph:[0-9]*:.*not ended' "$work/err" || fail "an open thread graph: $(cat "$work/err")"
# what is searched has them: rows that one block writes in small pieces lie as it writes them
"$ASSAY" optimize "$graphs/adapter.formula" --emit graph -o adapter >/dev/null || fail "adapter"
grep -q '^temporary T: f32\[M, K, 16\] layout \[0, 2, 1\]' adapter/*.graph || fail "no layout: $(cat adapter/*.graph)"
grep -q '^temporary T1*: f32\[M, 16\] layout \[0, 1\]' adapter/*.graph || fail "no layout of rows"
"$ASSAY" optimize "$graphs/adam.formula" --emit graph --top 1 -o adam >/dev/null || fail "adam"
[ "$(grep -A 4 '^  thread' adam/c1.graph.graph | grep -c '^    save')" = 3 ] || fail "no thread graph: $(cat adam/c1*)"

# Mirage's JSON: two right graphs, one that takes the mean for the root of the mean square, and one as it was published for
# attention over normalized queries, in which blocks of queries meet rows of K: its scores are sums of a query times one of K
mirage() { # exit code, file, formula, flags
  code=$1 file=$2 formula=$3
  shift 3
  "$ASSAY" check "$file" -e "$formula" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got = "$code" ] || { cat "$work/out" "$work/err"; fail "exit $got instead of $code: $file $*"; }
}
norm='result = (arg0 / sqrt(mean(arg0**2, axis=1))) @ arg1'
mirage 0 "$graphs/mirage_rms.json" "$norm" --kernel 0
mirage 0 "$graphs/mirage_rms.json" "$norm" --kernel 1
mirage 1 "$graphs/mirage_rms.json" "$norm" --kernel 2
mirage 64 "$graphs/mirage_rms.json" "$norm"
mirage 64 "$graphs/mirage_rms.json" "$norm" --kernel 3
grep -q '3 graphs, from 0 to 2' "$work/err" || fail "not counted: $(cat "$work/err")"
mirage 1 "$graphs/mirage_qknorm.json" 'result = softmax((arg0 / sqrt(mean(arg0**2, axis=2))) @ arg1, axis=2) @ (arg2 / sqrt(mean(arg2**2, axis=2)))'
bad() { # mutation, message
  sed -e "$1" "$graphs/mirage_qknorm.json" >bad.json
  cmp -s "$graphs/mirage_qknorm.json" bad.json && fail "'$1' changes nothing"
  mirage 3 bad.json 'result = arg0'
  grep -q "^bad.json:1:[0-9]*: error.*$2" "$work/err" || { cat "$work/err"; fail "no '$2' with $1"; }
}
bad 's/tb_rms_norm_op/tb_layer_op/' "'tb_layer_op' is not read"
bad 's/kn_exp_op/kn_erf_op/' "'kn_erf_op' is not read"
bad 's/"data_type":941/"data_type":7/' 'the data type 7 is not known'
bad 's/"x":0,"y":1,"z":-1/"x":0,"y":5,"z":-1/' 'an axis that the tensor has not'
bad 's/"x":2,"y":8,"z":1/"x":2,"y":4,"z":1/' 'the shape of the tile'
bad 's/"num_dims":3/"num_dims":9/' 'these are no dimensions'
bad 's/"guid":9,/"guid":"9",/' 'expected an integer'
bad 's/]$//' 'json'
finish
