#!/usr/bin/env bash
# Installs what is missing on a Debian machine, when run as root; else says what is missing.
#
#   tools/setup.sh build|check|full
#
# With everything in place it does nothing and needs no network. Optional packages (the second line of a level) only
# make more tests possible: a machine that does not offer them goes on without.
set -euo pipefail

level=${1:-build}
needed=(gcc libc6-dev make cmake)
optional=(libclang1-19)
if [ "$level" != build ]; then
  needed+=(libcmocka-dev pkg-config python3 python3-venv)
  optional+=(libz3-dev clang clang-format llvm libclang-rt-14-dev mlir-19-tools)
fi
[ "$level" != full ] || optional+=(chromium) # looks at reports

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# Programs count wherever they come from; only what has no program is asked of dpkg.
present() {
  case $1 in
  gcc) command -v gcc >/dev/null ;;
  make | cmake | pkg-config | python3 | clang | clang-format | chromium) command -v "$1" >/dev/null ;;
  llvm) command -v llvm-symbolizer >/dev/null || installed llvm ;;
  python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
  libc6-dev) echo '#include <stdio.h>' | cc -E - >/dev/null 2>&1 ;;
  libcmocka-dev) printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' | cc -E - >/dev/null 2>&1 ;;
  libclang-rt-14-dev) printf 'int main(void){return 0;}' | clang -fsanitize=fuzzer-no-link,address -x c - -o /dev/null 2>/dev/null ;;
  mlir-19-tools) command -v mlir-opt-19 >/dev/null ;;
  *) installed "$1" ;;
  esac
}

list_missing() { for package in "$@"; do present "$package" || echo "$package"; done; }

mapfile -t missing < <(list_missing "${needed[@]}")
mapfile -t wished < <([ ${#optional[@]} = 0 ] || list_missing "${optional[@]}")
[ ${#missing[@]} = 0 ] && [ ${#wished[@]} = 0 ] && exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  [ ${#wished[@]} = 0 ] || echo "tools/setup.sh: not installed, some tests are left out: ${wished[*]}" >&2
  [ ${#missing[@]} = 0 ] && exit 0
  echo "tools/setup.sh: please install: ${missing[*]}" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
echo "installing: ${missing[*]} ${wished[*]}"
apt-get update -qq >/dev/null || true
[ ${#missing[@]} = 0 ] || install "${missing[@]}"
for package in "${wished[@]}"; do
  install "$package" 2>/dev/null || echo "tools/setup.sh: $package could not be installed; some tests are left out" >&2
done
