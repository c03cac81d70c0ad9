# Sourced by the tests of assay optimize, after common.sh.
formulas=$SOURCE/tests/optimize

expect() { # exit code, arguments
  wanted=$1
  shift
  "$ASSAY" optimize --timeout 600 "$@" >"$work/out" 2>"$work/err" # a busy machine is no answer
  code=$?
  [ $code = "$wanted" ] || { cat "$work/out" "$work/err"; fail "exit $code instead of $wanted: $*"; }
}
