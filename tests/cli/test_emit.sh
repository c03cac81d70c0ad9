# --emit and -o: what is written, where, and that no half-written file ever appears.
. "$SOURCE/tests/cli/common.sh"

expect_answer "$ASSAY" lift --emit numpy "$DATA/add.ttir"
has out "def add_kernel"
expect_answer "$ASSAY" lift --emit numpy -o add.py "$DATA/add.ttir"
has add.py "def add_kernel"
has out verdict
expect_answer "$ASSAY" lift --emit numpy,latex -o folder "$DATA/add.ttir"
has folder/add_kernel.numpy.py "def add_kernel"
[ -s folder/add_kernel.latex.tex ] || fail "no LaTeX file"
[ "$(ls folder | wc -l)" = 2 ] || fail "stray files: $(ls folder)"

# --no-simplify: as the code computes it
expect_answer "$ASSAY" lift "$SOURCE/examples/softmax.ttir"
has out "softmax(x_ptr, axis=1)"
expect_answer "$ASSAY" lift --no-simplify "$SOURCE/examples/softmax.ttir"
has out "exp(x_ptr - max(x_ptr, axis=1)) / sum"

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
