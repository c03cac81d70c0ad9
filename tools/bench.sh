#!/usr/bin/env bash
# Every benchmark, one after the other: the programs of build/bench and the scripts bench/*.sh.
set -uo pipefail
cd "$(dirname "$0")/.."
shopt -s nullglob

code=0
for script in bench/*.sh; do
  echo "== $script"
  "$script" || code=1
done
if [ -x build/bench/egraph-math ]; then
  echo "== build/bench/egraph-math"
  build/bench/egraph-math || code=1
fi
if [ -x build/bench/smt-goals ]; then
  echo "== build/bench/smt-goals"
  build/bench/smt-goals tests/smt/goals || code=1
fi
exit $code
