# An installed copy: header, library, pkg-config file; the C example built against it and run. Under sanitizers only
# the exports are looked at, since a program without them cannot load such a library.
. "$SOURCE/tests/cli/common.sh"

nm -D --defined-only "$LIBRARY" | awk '$2 != "A" {print $3}' | sed 's/@.*//' | sort >exported
grep -v '^assay_' exported && fail "other names than assay_* are exported"
grep -oE '\bassay_[a-z_]+\(' "$SOURCE/include/assay/assay.h" | tr -d '(' | sort -u >declared
while read -r name; do
  grep -qx "$name" exported || fail "$name is declared but not exported"
done <declared
grep -qvxFf declared exported && fail "exported but not declared: $(grep -vxFf declared exported)"

# The header compiles alone.
echo '#include "assay/assay.h"' >alone.c
"$CC" -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -fsyntax-only alone.c || fail "the header alone"

if [ "$SANITIZE" != ON ] && command -v pkg-config >/dev/null; then
  cmake --install "$BUILD" --prefix "$work/usr" >log 2>&1 || { fail install; cat log; }
  PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name assay.pc)")
  export PKG_CONFIG_PATH
  [ "$(pkg-config --modversion assay)" = "$("$ASSAY" --version | cut -d' ' -f2)" ] || fail "version"
  "$CC" -std=c17 -Wall -Wextra -Werror "$SOURCE/examples/use_api.c" $(pkg-config --cflags --libs assay) -o use_api || fail "build"
  LD_LIBRARY_PATH=$(dirname "$(find "$work/usr" -name 'libassay.so')")
  export LD_LIBRARY_PATH
  ./use_api "$DATA/add.ttir" >out 2>err || { fail "the example: $?"; cat err; }
  has out add_kernel
  [ "$(find "$work/usr" -name '*.h' | wc -l)" = 1 ] || fail "more than one header is installed"
fi
finish
