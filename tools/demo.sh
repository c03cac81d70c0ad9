#!/usr/bin/env bash
# Lifts every example that is not part of the tests: what a new user sees first.
#
# Exit codes 0 (proved), 1 (refuted: an example of a bug) and 2 (not proved) are answers; others fail the demo.
set -uo pipefail
cd "$(dirname "$0")/.."

shopt -s nullglob
files=(examples/*.ttir)
if [ ${#files[@]} = 0 ]; then
  echo "no examples/*.ttir" >&2
  exit 1
fi
for file in "${files[@]}"; do
  echo "\$ assay lift $file"
  build/assay lift "$file"
  code=$?
  echo
  if [ "$code" -gt 2 ]; then
    echo "the demo failed: exit code $code" >&2
    exit 1
  fi
done
