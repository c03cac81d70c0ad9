# Sourced by the test scripts. Each script runs in an empty folder of its own, with no terminal and no variables of
# the user; `expect CODE command...` runs a command with its output in the files `out` and `err`.
set -u
unset NO_COLOR TERM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

expect() {
  wanted=$1
  shift
  "$@" >out 2>err </dev/null
  code=$?
  [ "$code" = "$wanted" ] && return 0
  fail "exit code $code, not $wanted: $*"
  head -n 20 out err
}

# An answer: 0, 1 or 2, whatever the engine can do by now.
expect_answer() {
  "$@" >out 2>err </dev/null
  code=$?
  [ "$code" -le 2 ] && return 0
  fail "exit code $code, no answer: $*"
  head -n 20 out err
}

has() { grep -qF -- "$2" "$1" || { fail "$1 lacks: $2"; head -n 20 "$1"; }; }
hasnt() { ! grep -qF -- "$2" "$1" || { fail "$1 has: $2"; head -n 20 "$1"; }; }
json() { "$CHECK_JSON" "$@" <out || fail "JSON: $*: $(head -c 600 out)"; }
finish() { [ "$failures" = 0 ]; exit; }
