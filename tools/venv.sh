#!/usr/bin/env bash
# Makes build/venv: the Python that compiles and interprets Triton kernels in the tests.
#
#   tools/venv.sh [VERSION...]     also installs these other Triton versions (3.1.0, 3.8.0, ..) into
#                                  build/triton-VERSION, for PYTHONPATH in a process of its own
#   tools/venv.sh extras           also what tests of the package are skipped without: a type checker, a cluster, a
#                                  model of SARIF
#   tools/venv.sh frameworks       build/frameworks alone: the other frameworks that modules are emitted for, on the CPU
#
# Idempotent: a stamp with the list of packages says that a folder is complete. NumPy stays below
# 2.4 because the interpreter of Triton 3.6.0 breaks on dynamic loop bounds with newer ones.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(torch==2.13.0 "numpy<2.4" pytest pytest-xdist setuptools)
triton=triton==3.6.0
pip=(install --quiet --quiet --no-input --disable-pip-version-check --root-user-action=ignore)

find_python() {
  for candidate in "${PYTHON:-}" python3.11 python3.12 python3.10 python3; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null &&
       "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info < (3, 14))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "tools/venv.sh: needs Python 3.10 to 3.13 with the venv module (Debian: python3-venv)" >&2
  exit 1
}

stamped() { [ -f "$1/.stamp" ] && [ "$(cat "$1/.stamp")" = "$2" ]; }

mkdir -p build
frameworks=(tensorflow-cpu==2.21.0 jax==0.10.2 "mlx[cpu]==0.32.4")
if [ "${1:-}" = frameworks ]; then
  if ! stamped build/frameworks "${frameworks[*]}"; then
    "$(find_python)" -m venv --clear build/frameworks
    build/frameworks/bin/python -m pip "${pip[@]}" "${frameworks[@]}"
    echo "${frameworks[*]}" > build/frameworks/.stamp
  fi
  exit
fi
want="${packages[*]} $triton"
if ! stamped build/venv "$want"; then
  "$(find_python)" -m venv --clear build/venv
  build/venv/bin/python -m pip "${pip[@]}" --no-compile "${packages[@]}"
  build/venv/bin/python -m pip "${pip[@]}" --no-compile --no-deps "$triton"
  # Bytecode of what tests import, and not of all that is installed: 6 CPU seconds instead of 18.
  env -u PYTHONDONTWRITEBYTECODE build/venv/bin/python -c 'import numpy, pytest, torch, triton, xdist.remote, torch._dynamo'
  echo "$want" > build/venv/.stamp
fi

extras=(mypy distributed sarif-pydantic)
if [ "${1:-}" = extras ]; then
  shift
  if [ "$(cat build/venv/.extras 2>/dev/null)" != "${extras[*]}" ]; then
    build/venv/bin/python -m pip "${pip[@]}" "${extras[@]}"
    echo "${extras[*]}" > build/venv/.extras
  fi
fi

for version in "$@"; do
  want="triton==$version filelock pyelftools"
  if ! stamped "build/triton-$version" "$want"; then
    rm -rf "build/triton-$version"
    build/venv/bin/python -m pip "${pip[@]}" --target "build/triton-$version" --no-deps "triton==$version" filelock pyelftools
    echo "$want" > "build/triton-$version/.stamp"
  fi
done
