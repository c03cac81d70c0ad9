# Pairs of MLIR functions (tests/mlir/pairs): the first part of a file is the source, each part behind a line
# `// ----- VERDICT [flags]` a target with the verdict that it must have. With mlir-opt, the parts are what it accepts.
. "$SOURCE/tests/cli/common.sh"

mkdir parts
for file in "$SOURCE"/tests/mlir/pairs/*.mlir; do
  name=$(basename "$file" .mlir)
  rm -f parts/*
  awk 'BEGIN { n = 0 } /^\/\/ ----- / { n++; print substr($0, 10) > "parts/" n ".want"; next } { print > "parts/" n ".mlir" }' "$file"
  for want in parts/*.want; do
    part=${want%.want}
    read -r verdict flags <"$want"
    # shellcheck disable=SC2086
    "$ASSAY" check $flags parts/0.mlir "$part.mlir" >out 2>err
    found=$(sed -n 's/^  verdict     \([a-z]*\).*/\1/p' out)
    [ "$found" = "$verdict" ] || fail "$name, part ${part#parts/}: $verdict is expected, not '$found': $(sed -n 2p out; head -3 err)"
    [ "$verdict" != refuted ] || grep -q '^  witness  ' out || fail "$name: refuted without a witness"
  done
  [ "$name" = errors ] || ! command -v mlir-opt-19 >/dev/null || for part in parts/*.mlir; do
    grep -q '^// not for mlir-opt' "$part" || mlir-opt-19 --verify-diagnostics "$part" >/dev/null 2>err || fail "mlir-opt: $name, ${part#parts/}: $(head -3 err)"
  done
done
finish
