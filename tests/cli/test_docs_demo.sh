# `make demo` ends well: every step has the exit code that it must have.
. "$SOURCE/tests/cli/common.sh"

ASSAY=$ASSAY expect 0 bash "$SOURCE/tools/demo.sh"
has out "softmax(x_ptr, axis=1)"
has out "(exit code 1)"
[ ! -s err ] || fail "the demo writes to standard error: $(head -n 3 err)"
finish
