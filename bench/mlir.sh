#!/usr/bin/env bash
# Pairs of MLIR functions, each in files of its own: those of tests/mlir/pairs and examples/mlir/bugs, right and wrong
# ones. CPU milliseconds of whole processes, one run each: median, 95 %, most, and all together.
#
#   bench/mlir.sh        ASSAY=build/assay
. "$(dirname "$0")/lib/common.sh"

# A function of a part, with what stands outside of functions: aliases, globals, declarations.
split_part() { # PART PREFIX
  awk -v prefix="$2" '
    /^(#|!|memref.global|func.func private)/ { outside = outside $0 "\n" }
    /^func.func @/ { match($0, /@[A-Za-z0-9_.$-]+/); name = substr($0, RSTART + 1, RLENGTH - 1); text = "" }
    name != "" { text = text $0 "\n" }
    /^}/ && name != "" { texts[name] = text; name = "" }
    END { for (n in texts) printf "%s%s", outside, texts[n] > (prefix "." n) }' "$1"
}

for file in tests/mlir/pairs/*.mlir examples/mlir/bugs/*.mlir; do
  base=$work/$(basename "$file" .mlir)
  awk -v base="$base" 'BEGIN { n = 0 } /^\/\/ ----- / { n++; $1 = $2 = $3 = ""; print > (base "." n ".flags"); next }
    { print > (base "." n ".part") }' "$file"
  split_part "$base.0.part" "$base.0.source"
  for flags in "$base".*.flags; do
    part=${flags%.flags}
    split_part "$part.part" "$part.target"
    for target in "$part".target.*; do
      source=$base.0.source.${target##*.target.}
      [ -f "$source" ] && printf 'exec "%s" check %s "%s" "%s"\n' "$assay" "$(xargs <"$flags")" "$source" "$target" >"$target.pair"
    done
  done
done
measure 1 sh -- "$work"/*.pair | sort -t $'\t' -k2,2n | awk -F '\t' '
  { cpu[NR] = $2; sum += $2; code[$4]++; name[NR] = $5 }
  END {
    printf "%d pairs: median %.1f, 95 %% %.1f, most %.1f CPU ms; %.1f s together\n", NR, cpu[int((NR + 1) / 2)], cpu[int(NR * 0.95)], cpu[NR], sum / 1000
    printf "proved %d, refuted %d, not proved %d, refused %d\n", code[0], code[1], code[2], code[3]
    for (i = NR; i > NR - 5 && i > 0; i--) { sub(/.*\//, "", name[i]); printf "%8.1f  %s\n", cpu[i], name[i] }
  }'
