# assay check: kernels, formulas and references in every mixture; exit codes; witnesses; bad input with its place.
. "$SOURCE/tests/cli/common.sh"
softmax="$SOURCE/examples/softmax.ttir"

cat >r.py <<'END'
import torch
import torch.nn.functional as F


def softmax(x):
    return torch.softmax(x, dim=-1)


def unsafe(x):
    e = torch.exp(x)
    return e / e.sum(-1, keepdim=True)


def wrong(x):
    return torch.log_softmax(x, dim=-1)


def smaller(x):
    return torch.softmax(x, dim=-1)[:, 1:]


def unread(x):
    y = torch.fft.fft(x)
    return y


def partial(x):
    return x + 0 * torch.log(x)


def two(a, b):
    return a + b


def rows(x, y):
    M, N = x.shape
    return x + y.reshape(M, N)


class Other(object:  # what is not asked for may be anything
    pass
END
expect 0 "$ASSAY" check --json "$softmax" r.py:softmax
json verdict=proved left.kind=kernel right.kind=reference left.kernel=softmax_kernel right.kernel=softmax
expect 0 "$ASSAY" check "$softmax" r.py:unsafe
has out 'proved'
expect 1 "$ASSAY" check --json "$softmax" r.py:wrong
json verdict=refuted reason.code=different differences.0.kind=value
has out '"witness": {"sizes"'
expect 1 "$ASSAY" check --json "$softmax" r.py:smaller
json verdict=refuted differences.0.kind=shape

# formulas, in both notations, at both places
expect 0 "$ASSAY" check "$softmax" -e 'y = exp(x_ptr) / sum(exp(x_ptr), axis=1)'
expect 0 "$ASSAY" check "$softmax" -e 'out_ptr[i, j] = exp(x_ptr[i, j]) / sum[k < n_cols](exp(x_ptr[i, k]))'
expect 1 "$ASSAY" check "$softmax" -e 'y = exp(x_ptr) / sum(exp(x_ptr), axis=0)'
expect 1 "$ASSAY" check --json "$softmax" -e 'out_ptr[i, j] = exp(x_ptr[i, j]) / sum[k < n_cols](exp(x_ptr[i, k])) for j > 0'
json verdict=refuted differences.0.kind=region
expect 0 "$ASSAY" check --json -e 'out_ptr = softmax(x_ptr, axis=1)' "$softmax"
json verdict=proved left.kind=formula right.kind=kernel
echo 'y = softmax(x_ptr, axis=1)' >f.txt
expect 0 "$ASSAY" check "$softmax" f.txt
"$ASSAY" lift --stop-after pointwise "$softmax" >p.txt
expect 0 "$ASSAY" check "$softmax" p.txt
expect 0 "$ASSAY" lift p.txt
"$ASSAY" lift --stop-after pointwise p.txt >q.txt
"$ASSAY" lift --stop-after tensor "$softmax" >t.txt
expect 0 "$ASSAY" check "$softmax" t.txt
cmp p.txt q.txt || fail "the pointwise form does not read back"
expect 0 "$ASSAY" check "$softmax" --stop-after pointwise r.py:softmax
has out '# left'
has out '# right'

# where the right is not defined, though terms would cancel it
expect 1 "$ASSAY" check "$softmax" -e 'y = softmax(x_ptr, axis=1) + 0 * log(x_ptr)'
has out 'against nan'
expect 1 "$ASSAY" check "$softmax" -e 'y = softmax(x_ptr, axis=1) * (sqrt(x_ptr) ** 2) / x_ptr'

# refinement and equality: the right may be defined where the left is not
expect 0 "$ASSAY" check r.py:partial -e 'y = x' --shape x=N
expect 1 "$ASSAY" check --json --both-ways r.py:partial -e 'y = x' --shape x=N
json verdict=refuted differences.0.kind=value
expect 0 "$ASSAY" check --both-ways "$softmax" r.py:softmax

# one text is equal to itself, where it is defined: also where an index may be none; another one need not be
printf 'tensor x: f32[n]\ntensor at: i32[m]\ntensor y: f32[m]\ny[i] = x[at[i]]\n' >gathered.txt
printf 'tensor x: f32[n]\ntensor at: i32[m]\ntensor y: f32[m]\ny[i] = x[at[i]] + 0*x[at[i] + 1]\n' >beyond.txt
cp gathered.txt again.txt
expect 0 "$ASSAY" check gathered.txt again.txt
expect 2 "$ASSAY" check gathered.txt beyond.txt

# what is assumed may exclude itself
printf 'tensor x: f32[N]\nassume N >= 5\nassume N <= 3\ny = x * 2\n' >excluded.txt
expect 2 "$ASSAY" lift excluded.txt
has out '[no-launch]'

# a label that is no class is an error on the left: nothing is claimed there; types are part of --shape
cat >labels.py <<'END'
import torch.nn.functional as F
def loss(z, t):
    return F.cross_entropy(z, t)
END
labels() { # the weight of row i, the position of its label
  echo "y = sum(where(expand(t, 1) != -100, $1 * (logsumexp(z, axis=1) - sum(where(expand(t, 1) == $2, z, 0), axis=1)), 0)) / sum(where(t != -100, 1, 0))"
}
expect 0 "$ASSAY" check labels.py:loss -e "$(labels 1 'index(N)')" --shape z=M,N --shape t:i64=M
expect 1 "$ASSAY" check labels.py:loss -e "$(labels 1 '(index(N) + 1)')" --shape z=M,N --shape t:i64=M
expect 1 "$ASSAY" check labels.py:loss -e "$(labels 2 'index(N)')" --shape z=M,N --shape t:i64=M
# no label is drawn that is no class
expect 2 "$ASSAY" check labels.py:loss -e "$(labels 1 'index(N)' | sed 's/-100/-99/g')" --shape z=M,N --shape t:i64=M
expect 3 "$ASSAY" check labels.py:loss -e "$(labels 1 'index(N)')" --shape z=M,N --shape t:word=M
has err 'this is no element type'
expect 64 "$ASSAY" lift "$softmax" --shape x_ptr:f32=M,N

# without a kernel the shapes must be given
expect 64 "$ASSAY" check r.py:softmax r.py:unsafe
has err '--shape'
expect 0 "$ASSAY" check --json r.py:softmax r.py:unsafe --shape x=M,N
json verdict=proved left.kind=reference inputs.0.name=x inputs.0.shape.0=M
expect 1 "$ASSAY" check r.py:softmax r.py:wrong --shape x=M,N

# one row in memory, read as a matrix
expect 3 "$ASSAY" check "$DATA/add.ttir" r.py:rows
has err '2 names for 1 values'
expect_answer "$ASSAY" check --json "$DATA/add.ttir" r.py:rows --shape x_ptr=M,N --shape y_ptr=M,N
json verdict=proved
has out 'M*N'

# different ranks are compared as memory
printf 'tensor x: f32[n]\ntensor y: f32[n]\ny[i] = exp(x[i])\n' >flat.txt
printf 'tensor x: f32[M, N]\ntensor y: f32[M, N]\ny[i, j] = exp(x[i, j])\n' >rows.txt
printf 'tensor x: f32[M, N]\ntensor y: f32[M, N]\ny[i, j] = exp(x[i, N - 1 - j])\n' >reversed.txt
printf 'tensor x: f32[M, N] strides [s, 1]\ntensor y: f32[M, N]\ny[i, j] = exp(x[i, j])\n' >strided.txt
expect 0 "$ASSAY" check flat.txt rows.txt
has out 'n = M*N'
expect 0 "$ASSAY" check rows.txt flat.txt
has out 'n = M*N'
expect 1 "$ASSAY" check flat.txt reversed.txt
expect 2 "$ASSAY" check --json flat.txt strided.txt
json verdict=unknown reason.code=rank
expect 0 "$ASSAY" check strided.txt rows.txt
has out 'x has the strides [s, 1], and x of the right [N, 1]: the same elements'
# one element that is read says nothing of the length: no n = 1 is assumed
cat >length.c <<'END2'
void one(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[0] + 1; }
void all(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
void first(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = *x + 1; }
void cancels(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[0] + x[i] - x[i] + 1; }
void second(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[1] + x[i] - x[i] + 1; }
END2
expect 1 "$ASSAY" check length.c:all length.c:one
expect 1 "$ASSAY" check --json length.c:one length.c:all
json verdict=refuted reason.code=different
expect 0 "$ASSAY" check length.c:one length.c:first
# the one element is the first of those that the other side has
expect 0 "$ASSAY" check length.c:one length.c:cancels
expect 0 "$ASSAY" check length.c:cancels length.c:one
expect 1 "$ASSAY" check length.c:one length.c:second

# what memory holds afterwards counts, where a side reads what it had: written as it was, or not written
cat >memory.c <<'END2'
void same(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[i]; }
void none(float *y, int n) { }
void relu(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[i] < 0 ? 0 : y[i]; }
void negative(float *y, int n) { for (int i = 0; i < n; i++) if (y[i] < 0) y[i] = 0; }
void below(float *y, int n) { for (int i = 0; i < n; i++) if (y[i] < 1) y[i] = 0; }
void head(float *y, int n, int m) { for (int i = 0; i < n; i++) if (i < m) y[i] = 2 * y[i]; }
void whole(float *y, int n, int m) { for (int i = 0; i < n; i++) y[i] = i < m ? 2 * y[i] : y[i]; }
void beyond(float *y, int n, int m) { for (int i = 0; i < n; i++) y[i] = i <= m ? 2 * y[i] : y[i]; }
END2
both_ways() { expect "$1" "$ASSAY" check "memory.c:$2" "memory.c:$3"; expect "$1" "$ASSAY" check "memory.c:$3" "memory.c:$2"; }
both_ways 0 same none
both_ways 0 relu negative
both_ways 0 head whole
both_ways 1 none relu
both_ways 1 below relu
both_ways 1 same negative
both_ways 1 head beyond
# rows of two against one row: the bound of both is one argument, so that a witness has one number for it
cat >steps.c <<'END2'
void each(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[i] + 1; }
void turns(float *y, int n) {
  for (int i = 0; i < n; i += 2) y[i] = y[i] + 1;
  for (int i = 1; i < n; i += 2) y[i] = y[i] + 1;
}
void wrong(float *y, int n) {
  for (int i = 0; i < n; i += 2) y[i] = y[i] + 1;
  for (int i = 1; i < n; i += 2) y[i] = y[i] + 2;
}
void even(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[2 * i] = x[i]; }
void keeps(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) { y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i + 1]; }
}
void adds(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) { y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i + 1] + 1; }
}
void copies(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) { y[2 * i] = x[i]; y[2 * i + 1] = y[2 * i]; }
}
END2
for pair in "each steps.c:turns" "turns steps.c:each"; do
  "$ASSAY" check steps.c:$pair >out 2>err
  has out "against"
  hasnt out refuted
done
expect 1 "$ASSAY" check steps.c:each steps.c:wrong
expect 1 "$ASSAY" check steps.c:turns steps.c:wrong
expect 0 "$ASSAY" check steps.c:keeps steps.c:even
expect 1 "$ASSAY" check steps.c:adds steps.c:even
expect 1 "$ASSAY" check steps.c:copies steps.c:even
# what is known of elements that are written says nothing of the others: an index that is none there
cat >outside.c <<'END2'
void some(const int *at, const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) if (i < m) y[i] = x[at[i]] + y[i];
}
void negative(const int *at, const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) y[i] = i < m ? x[at[i]] + y[i] : at[i] < 0 ? 7 : y[i];
}
END2
expect_not_proved() { "$ASSAY" check "$1" "$2" >out 2>err && fail "$1 $2: proved"; return 0; }
expect_not_proved outside.c:some outside.c:negative
expect_not_proved outside.c:negative outside.c:some

# several: each against the first, the worst code
expect 1 "$ASSAY" check --json "$softmax" r.py:softmax r.py:wrong
[ "$(wc -l <out)" = 2 ] || fail "one object for each comparison"

# pairing
expect 0 "$ASSAY" check "$softmax" -e 'z = softmax(x_ptr, axis=1)' --map out_ptr=z
expect 64 "$ASSAY" check --json "$softmax" -e 'z = softmax(x_ptr, axis=1)' --map out=z
has err "the left has no 'out'"
expect 64 "$ASSAY" check "$softmax" -e 'z = softmax(x_ptr, axis=1)' --map out_ptr=y
has err "the right has no 'y'"
expect 64 "$ASSAY" check "$softmax" -e 'z = softmax(x_ptr, axis=1)' --map z=out_ptr # the other way round
expect 0 "$ASSAY" check "$softmax" r.py:softmax --map x_ptr=x
expect 64 "$ASSAY" check "$softmax" r.py:softmax --map x_ptr=nosuch
has err "the right has no 'nosuch'"
expect 64 "$ASSAY" check "$softmax" r.py:two
has err 'no inputs found'
expect 0 "$ASSAY" check --json --map p=a --map q=b -e 'z = p + q' r.py:two --shape p=N --shape q=N
json verdict=proved

# what one side alone writes: its old contents where the other has that tensor, else nothing is known of it
expect 1 "$ASSAY" check --json "$SOURCE/tests/cli/pairs/destroys.ttir" "$SOURCE/tests/cli/pairs/plain.ttir"
json verdict=refuted reason.code=different differences.0.output=x
expect 1 "$ASSAY" check --json "$SOURCE/tests/cli/pairs/plain.ttir" "$SOURCE/tests/cli/pairs/destroys.ttir"
json verdict=refuted differences.0.output=x
expect 2 "$ASSAY" check --json "$SOURCE/tests/cli/pairs/extra.ttir" "$SOURCE/tests/cli/pairs/plain.ttir"
json verdict=unknown reason.code=unpaired
expect 2 "$ASSAY" check --json "$SOURCE/tests/cli/pairs/plain.ttir" "$SOURCE/tests/cli/pairs/extra.ttir"
json verdict=unknown reason.code=unpaired
expect 1 "$ASSAY" check "$SOURCE/tests/cli/pairs/destroys.ttir" -e 'y = 2 * x'
expect 1 "$ASSAY" check -e 'y = 2 * x' "$SOURCE/tests/cli/pairs/destroys.ttir"
expect 0 "$ASSAY" check "$SOURCE/tests/cli/pairs/destroys.ttir" -e 'y = 2 * x
x = 0 * x'
expect 2 "$ASSAY" check --json "$SOURCE/tests/cli/pairs/extra.ttir" -e 'y = 2 * x'
json reason.code=unpaired
expect 1 "$ASSAY" check --json "$SOURCE/tests/cli/pairs/extra.ttir" -e 'z = 2 * x'
# --only restricts the claim, and is printed
expect 0 "$ASSAY" check --json --only y "$SOURCE/tests/cli/pairs/extra.ttir" "$SOURCE/tests/cli/pairs/plain.ttir"
json verdict=proved only.0=y
expect 0 "$ASSAY" check --only y "$SOURCE/tests/cli/pairs/destroys.ttir" "$SOURCE/tests/cli/pairs/plain.ttir"
has out '  only        y'
expect 0 "$ASSAY" check --only y,z "$SOURCE/tests/cli/pairs/extra.ttir" -e 'y = 2 * x
z = 3 * x'
expect 1 "$ASSAY" check --only y,z "$SOURCE/tests/cli/pairs/extra.ttir" -e 'y = 2 * x
z = 4 * x'
expect 0 "$ASSAY" check --only y --both-ways "$SOURCE/tests/cli/pairs/extra.ttir" -e 'y = 2 * x
z = 4 * x'
expect 2 "$ASSAY" check --only z "$SOURCE/tests/cli/pairs/extra.ttir" "$SOURCE/tests/cli/pairs/plain.ttir"
expect 64 "$ASSAY" check --only w "$SOURCE/tests/cli/pairs/extra.ttir" "$SOURCE/tests/cli/pairs/plain.ttir"
has err 'outputs: left: y, z; right: y'
expect 64 "$ASSAY" lift --only y "$SOURCE/tests/cli/pairs/extra.ttir"

# bad input, with its place
expect 3 "$ASSAY" check "$softmax" r.py:unread
has err 'r.py:23:9: error[reference.unsupported]'
has err '^~~~'
expect 3 "$ASSAY" check "$softmax" r.py:nothing
has err 'there are: softmax, unsafe'
expect 3 "$ASSAY" check --json "$softmax" r.py:Other
json verdict=null
expect 3 "$ASSAY" check --json "$softmax" missing.py:f
json verdict=null diagnostics.0.code=input.unreadable
expect 3 "$ASSAY" check "$softmax" -e 'y = softmax(x_ptr, axis='
has err '-e:1:25: error[formula.syntax]'
expect 3 "$ASSAY" check "$softmax" -e 'y = nosuch(x_ptr)'
expect 3 "$ASSAY" check "$softmax" -e 'y = x_ptr + unknown'
expect 64 "$ASSAY" check "$softmax"
expect 64 "$ASSAY" check
expect 64 "$ASSAY" check --nonsense "$softmax" r.py:softmax
expect 64 "$ASSAY" check --map nonsense "$softmax" r.py:softmax
expect 2 "$ASSAY" check --json --memory 1K "$softmax" r.py:softmax
json verdict=unknown reason.code=memory
# An output that the other side has as an argument and leaves alone has no partner, where it writes something else.
cat >both.ttir <<'END'
module {
  tt.func public @two(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
    %w = tt.load %x : !tt.ptr<f32>
    %s = arith.mulf %w, %w : f32
    tt.store %y, %w : !tt.ptr<f32>
    tt.store %z, %s : !tt.ptr<f32>
    tt.return
  }
}
END
grep -v 'tt.store %z\|arith.mulf' both.ttir >one.ttir
expect 2 "$ASSAY" check both.ttir one.ttir
has out unpaired
expect 2 "$ASSAY" check one.ttir both.ttir
has out unpaired
expect 1 "$ASSAY" check one.ttir -e 'y = x
z = x ** 2'
expect 0 "$ASSAY" check --only y both.ttir one.ttir
# A witness has no rows that overlap, where they are assumed not to.
cat >rows.ttir <<'END'
module {
  tt.func public @rows(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %R: i32) {
    %p = tt.get_program_id x : i32
    %q = tt.get_program_id y : i32
    %inside = arith.cmpi sge, %q, %q : i32
    %a = arith.muli %R, %p : i32
    %b = arith.addi %a, %q : i32
    %from = tt.addptr %x, %b : !tt.ptr<f32>, i32
    %to = tt.addptr %y, %b : !tt.ptr<f32>, i32
    %v = tt.load %from, %inside : !tt.ptr<f32>
    tt.store %to, %v, %inside : !tt.ptr<f32>
    tt.return
  }
}
END
sed 's/sge, %q, %q/slt, %q, %R/' rows.ttir >within.ttir
expect 1 "$ASSAY" check rows.ttir within.ttir
sed -n 's/.* grid_y = \([0-9]*\), R = \([0-9]*\),.*/\1 \2/p' out | awk '$1 <= $2 { good = 1 } END { exit !good }' ||
  fail "the rows of the witness overlap: $(grep witness out)"
expect 0 "$ASSAY" check within.ttir rows.ttir
# What both sides assume is said once, and what one side assumes is said of that side.
expect 0 "$ASSAY" check --json "$softmax" "$SOURCE/examples/softmax_online.ttir"
[ "$(grep -o '"text": "inputs are finite"' out | wc -l)" = 1 ] || fail "the same assumption twice: $(cat out)"
has out '"inputs are finite", "why": "both sides: numbers are reals"'
has out '"n_cols <= 1024", "why": "one block covers the axis'
has out '"the strides of y_ptr do not make elements overlap", "why": "right: an output has one place per element"'
finish
