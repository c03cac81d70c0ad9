#!/usr/bin/env bash
# The tests, from a fresh clone on a fresh machine; the last line is `N passed, N failed`.
#
#   tools/check.sh [full]
#
# 1. release build and its ctest, without a warning      2. the same under ASan and UBSan, warnings are errors
# 3. libFuzzer targets, if clang is there                4. pytest in build/venv (Triton, PyTorch), beside the others
# 5. every C file is as clang-format 14 lays it out, if that is there
# With clang, 2 and 3 are one build; `full` has that of gcc under the sanitizers too, other releases of Triton, and
# what takes longer: ASSAY_FULL is set for the tests then.
# A step that cannot even be built counts as one failure, and the others still run.
set -uo pipefail
cd "$(dirname "$0")/.."

full=${1:-}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
runs=${FUZZ_RUNS:-1500}
[ "$full" = full ] && runs=${FUZZ_RUNS:-5000000} && export ASSAY_FULL=1
logs=build/logs
passed=0
failed=0
failures=()
pytest_process=
mkdir -p "$logs"

count() { # passed failed
  passed=$((passed + $1))
  failed=$((failed + $2))
}

fail() { # what [log]
  count 0 1
  failures+=("$1")
  [ -z "${2:-}" ] || tail -n 40 "$2"
}

build() { # preset folder
  echo "== build $1"
  cmake --preset "$1" >"$logs/build-$1" 2>&1 && cmake --build "$2" -j "$jobs" >>"$logs/build-$1" 2>&1 && ! grep ': warning: .*\[-W' "$logs/build-$1" && return
  fail "build $1" "$logs/build-$1"
  return 1
}

run_ctest() { # name folder
  echo "== ctest $1"
  local labels="full|once" # see tests/CMakeLists.txt
  if [ "$1" = release ]; then
    labels=full
    ! command -v clang >/dev/null || labels="full|sanitized"
  fi
  [ "$full" != full ] || labels=none
  (cd "$2" && ctest -j "$jobs" --output-on-failure --timeout 600 -LE "$labels") >"$logs/ctest-$1" 2>&1
  local line bad total
  line=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests? failed out of [0-9]+' "$logs/ctest-$1" | tail -n 1)
  if [ -z "$line" ]; then
    fail "ctest $1" "$logs/ctest-$1"
    return
  fi
  bad=$(sed -E 's/.* ([0-9]+) tests? failed.*/\1/' <<<"$line")
  total=$(sed -E 's/.*out of ([0-9]+).*/\1/' <<<"$line")
  count $((total - bad)) "$bad"
  echo "$line"
  [ "$bad" = 0 ] && return
  failures+=("ctest $1")
  sed -n '/The following tests FAILED/,$p' "$logs/ctest-$1"
  grep -vE '^ *[0-9]+/[0-9]+ Test|^ +Start ' "$logs/ctest-$1" | head -n 80
}

# One target in the background; its log ends in the word `passed` or `failed`.
fuzz() { # target
  local name files limit=$runs seconds=1200
  name=$(basename "$1")
  case $name in
  fuzz_egraph | fuzz_python) limit=$((runs / 4)) ;;
  fuzz_lift) limit=$((runs / 10)) seconds=$((60 + runs / 1700)) ;; # a whole lift with its proof each, or a whole run of clang, as the next ones
  fuzz_c | fuzz_check | fuzz_mlir | fuzz_options) limit=$((runs / 10)) seconds=$((60 + runs / 2700)) ;;
  esac
  local inputs=()
  mapfile -t inputs <"$1.inputs"
  mapfile -t inputs < <(existing "${inputs[@]}")
  files=$(find "${inputs[@]}" -type f | wc -l)
  [ "$limit" -gt "$files" ] || limit=$((files + runs / 30))
  if timeout 1500 "$1" -runs="$limit" -max_total_time="$seconds" -seed=1 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
      -artifact_prefix="$logs/$name-" "build/fuzzed/$name" "${inputs[@]}" >"$logs/$name" 2>&1; then
    echo passed >>"$logs/$name"
  else
    echo failed >>"$logs/$name"
  fi
}

existing() { for path in "$@"; do [ ! -e "$path" ] || echo "$path"; done; }

run_fuzz() {
  local target name first=(build/fuzz/fuzz/fuzz_{options,lift,c}) # the longest, so that the cores end together
  rm -rf build/fuzzed
  for target in "${first[@]}" build/fuzz/fuzz/fuzz_*; do
    name=$(basename "$target")
    { [ -x "$target" ] && [ ! -d "build/fuzzed/$name" ]; } || continue
    mkdir -p "build/fuzzed/$name"
    while [ "$(jobs -rp | grep -cvx "$pytest_process")" -ge "$jobs" ]; do sleep 0.5; done
    fuzz "$target" &
  done
  # shellcheck disable=SC2046
  wait $(jobs -rp | grep -vx "$pytest_process")
  for target in build/fuzz/fuzz/fuzz_*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    if [ "$(tail -n 1 "$logs/$name")" = passed ]; then
      count 1 0
      echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$name") runs"
    else
      fail "$name" "$logs/$name"
    fi
  done
}

# In the background: the environment of Python is downloaded while the release is built, whose end $logs/released tells.
start_pytest() {
  local more=() select=(-m "not full")
  if [ "$full" = full ]; then
    more=(extras 3.1.0 3.2.0 3.3.1 3.4.0 3.5.1 3.7.1 3.8.0 3.9.0)
    select=()
  fi
  rm -f "$logs/released"
  # tests/package compiles kernels and tests/python interprets them: Triton does one of the two in a process.
  (
    if ! tools/venv.sh "${more[@]}" >"$logs/venv" 2>&1; then
      echo "failed: tools/venv.sh"
      tail -n 40 "$logs/venv"
      exit 1
    fi
    while [ ! -e "$logs/released" ]; do sleep 0.5; done
    build/venv/bin/python -m pytest -q -p no:cacheprovider -n "$jobs" --dist loadfile "${select[@]}" tests/package
    build/venv/bin/python -m pytest -q -p no:cacheprovider -n "$jobs" --dist loadfile "${select[@]}" tests/python
  ) >"$logs/pytest" 2>&1 &
  pytest_process=$!
}

check_format() {
  local formatter
  formatter=$(command -v clang-format-14 || command -v clang-format) || return 0
  "$formatter" --version | grep -q 'version 14\.' || return 0
  echo "== clang-format"
  if git ls-files '*.c' '*.h' ':!tests/fuzz/corpus' | xargs "$formatter" --dry-run -Werror --style=file >"$logs/format" 2>&1; then count 1 0
  else fail clang-format "$logs/format"; fi
}

finish_pytest() {
  echo "== pytest"
  wait "$pytest_process" 2>/dev/null # it may have ended long ago
  local lines good bad
  lines=$(grep -E '[0-9]+ (passed|failed|error).* in [0-9]' "$logs/pytest")
  if [ "$(wc -l <<<"$lines")" != 2 ]; then
    fail pytest "$logs/pytest"
    return
  fi
  good=$(($(grep -oE '[0-9]+ passed' <<<"$lines" | grep -oE '^[0-9]+' | paste -sd+ -) + 0))
  bad=$(($(grep -oE '[0-9]+ (failed|error)' <<<"$lines" | grep -oE '^[0-9]+' | paste -sd+ -) + 0))
  count "$good" "$bad"
  echo "$lines"
  [ "$bad" = 0 ] && return
  failures+=(pytest)
  grep -E '^E  ' "$logs/pytest" | head -n 20
  grep -E '^(FAILED|ERROR)' "$logs/pytest" | head -n 60
}

tools/setup.sh "${full:-check}" || exit 1
start_pytest
check_format
released=
build release build && released=yes
touch "$logs/released"
[ -z "$released" ] || run_ctest release build
fuzzed=
if ! command -v clang >/dev/null; then
  echo "== no clang: the fuzz targets only replay their inputs (in ctest)"
elif build fuzz build/fuzz; then
  fuzzed=yes
  export ASAN_OPTIONS=malloc_context_size=1 # where memory was allocated, and not by whom: a third of the time
  export ASSAY_MUTANTS=$((runs / 10)) # fuzz_triton has such mutants too
  run_ctest fuzz build/fuzz
  echo "== fuzz ($runs runs)"
  run_fuzz
fi
if [ -z "$fuzzed" ] || [ "$full" = full ]; then
  build sanitize build/sanitize && run_ctest sanitize build/sanitize
fi
finish_pytest

[ ${#failures[@]} = 0 ] || echo "failed: ${failures[*]} (logs in $logs)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
