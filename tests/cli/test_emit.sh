# --emit and -o: what is written, where, and that no half-written file ever appears.
. "$SOURCE/tests/cli/common.sh"

expect_answer "$ASSAY" lift --emit numpy "$DATA/add.ttir"
has out "def add_kernel"
expect_answer "$ASSAY" lift --emit numpy -o add.py "$DATA/add.ttir"
has add.py "def add_kernel"
has out verdict
expect_answer "$ASSAY" lift --emit numpy -o - "$DATA/add.ttir"
cmp -s out add.py || fail "-o - is standard output"
[ ! -e ./- ] || fail "a file named -"
expect_answer "$ASSAY" lift --emit numpy,latex -o folder "$DATA/add.ttir"
has folder/add_kernel.numpy.py "def add_kernel"
[ -s folder/add_kernel.latex.tex ] || fail "no LaTeX file"
[ "$(ls folder | wc -l)" = 2 ] || fail "stray files: $(ls folder)"

# a target that cannot express an operator: refused by name, the others are written, and the verdict stays
cat >mod.formula <<'END'
pointwise mod
tensor x: f32[n]
tensor y: f32[n]
y[i] = fmod(x[i], 3)
END
expect 2 "$ASSAY" lift --json --emit numpy,mlx,jax -o several mod.formula
has err "warning[emit-unsupported]: --emit mlx: MLX has no fmod"
has out '"verdict": "proved"'
has out '"reason": {"code": "emit-unsupported"'
[ "$(ls several | tr '\n' ' ')" = "mod.jax.py mod.numpy.py " ] || fail "written: $(ls several)"
expect 2 "$ASSAY" lift --emit mlx -o mod.py mod.formula
[ ! -e mod.py ] || fail "a file for what MLX lacks"
expect 0 "$ASSAY" lift --emit tensorflow -o mod.py mod.formula
has mod.py "tf.truncatemod(x, tf.constant(3, dtype))"
expect 64 "$ASSAY" lift --emit tensorflo mod.formula

# --no-simplify: as the code computes it
expect_answer "$ASSAY" lift "$SOURCE/examples/softmax.ttir"
has out "softmax(x_ptr, axis=1)"
expect_answer "$ASSAY" lift --no-simplify "$SOURCE/examples/softmax.ttir"
has out "exp(x_ptr - max(x_ptr, axis=1)) / sum"

# text, LaTeX, JSON and the table: where a part is written, and what atomics add to; of a whole output neither
cat >part.formula <<'END'
pointwise part
tensor x: f32[n, m]
tensor flag: i32[n]
tensor y: f32[n, m]
y[i, j] = x[i, j]*x[i, j] for flag[i] == 0
END
cat >atomic.formula <<'END'
pointwise atomic
tensor x: f32[n]
tensor y: f32[4]
tensor z: f32[n]
y[i] += sum[k3 < n // 4](sum[k < min(128, n - 128*i - 512*k3)](x[128*i + 512*k3 + k]))
z[i] max= x[i] for i < n // 2
END
expect_answer "$ASSAY" lift --emit latex part.formula
has out '\mathrm{y}_{n \times m} = \mathrm{x}^{2} \quad \text{for } i, j : \mathrm{flag}_{i} = 0'
expect_answer "$ASSAY" lift --emit text part.formula
has out 'y[n, m] = x ** 2 for i, j: flag[i] == 0'
expect_answer "$ASSAY" lift --json part.formula
has out '\\mathrm{x}^{2} \\quad \\text{for } i, j : \\mathrm{flag}_{i} = 0'
expect_answer "$ASSAY" lift --emit latex atomic.formula
has out '\mathrm{y}_{i} \mathrel{+}= \sum_'
has out '\max\left(\mathrm{z}, \mathrm{x}\right) \quad \text{for } i'
expect_answer "$ASSAY" lift --json atomic.formula
has out '\\mathrm{y}_{i} \\mathrel{+}= \\sum_'
expect_answer "$ASSAY" lift --emit latex "$SOURCE/examples/softmax.ttir"
hasnt out '\text{for }'
expect_answer "$ASSAY" lift --all atomic.formula part.formula "$SOURCE/examples/softmax.ttir"
has out 'x ** 2 for i, j: flag[i] == 0'
has out 'y[i] += sum'
has out '(and 1 more)'
has out 'softmax(x_ptr, axis=1)'
[ "$(grep -c ' for ' out)" = 1 ] || fail "a region that is none: $(cat out)"

# numbers as float64 has them, where the fewest digits are those of an f32: quotients may cancel
cat >parts.formula <<'END'
pointwise parts
tensor x: i32[n]
tensor y: f32[n]
y[i] = x[i]/65536 - x[i] // 65536 + 0.1*exp(x[i])
END
expect_answer "$ASSAY" lift --emit numpy parts.formula
has out '1.52587890625e-05'
has out ' 0.1 * np.exp'

# a target that cannot be written: a message, and nothing beside it changes
mkdir closed
echo old >closed/add.py
mkdir closed/target
expect 3 "$ASSAY" lift --emit numpy -o closed/target "$DATA/add.ttir"
has err "cannot write"
expect 3 "$ASSAY" lift --emit numpy -o nowhere/add.py "$DATA/add.ttir"
[ "$(ls closed)" = "$(printf 'add.py\ntarget')" ] || fail "stray files: $(ls closed)"

# a limit on file sizes cuts the write: the old file stays whole
echo old >kept.py
(
  trap '' XFSZ
  ulimit -f 0
  exec "$ASSAY" lift --emit numpy -o kept.py "$DATA/add.ttir"
) >/dev/null 2>&1
[ "$(cat kept.py)" = old ] || fail "the old file was damaged"
[ "$(ls kept* | wc -l)" = 1 ] || fail "stray files: $(ls kept*)"

# bad input writes nothing
expect 3 "$ASSAY" lift --emit numpy -o bad.py "$DATA/bad.ttir"
[ ! -e bad.py ] || fail "a file for bad input"

# --stop-after: only that stage, and it can be read again
expect 0 "$ASSAY" lift --stop-after program "$DATA/add.ttir"
has out "tt.func public @add_kernel"
cp out again.ttir
expect 0 "$ASSAY" lift --stop-after program again.ttir
cmp -s out again.ttir || fail "the program does not survive being read back"
finish
