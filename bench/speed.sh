#!/usr/bin/env bash
# Speed and memory of whole processes against the goals: least of several runs, no cache between runs.
#
#   bench/speed.sh        RUNS=5 ASSAY=build/assay CORPUS=build/corpus/3.6.0
. "$(dirname "$0")/lib/common.sh"

mapfile -t files < <(kernels)
find_kernel() { for file in "${files[@]}"; do case $file in */"$1".ttir) echo "$file"; return ;; esac; done; }

row() { printf '%-46s %10s %10s %8s %6s   %s\n' "$@"; }
one() { # what file goal options...
  local what=$1 file=$2 goal=$3
  shift 3
  [ -n "$file" ] || { row "$what" - - - - "$goal"; return; }
  IFS=$'\t' read -r wall cpu peak code _ < <(measure "$runs" "$assay" lift "$@" -- "$file")
  row "$what" "$wall" "$cpu" "$peak" "$code" "$goal"
}

echo "Whole process; milliseconds and MB"
row "" ms "CPU ms" MB exit goal
one "elementwise, lift" "$(find_kernel exp)" "3 ms, 20 MB" --no-prove
one "softmax, lift" "$(find_kernel softmax)" "" --no-prove
one "matmul with epilogue, lift" "$(find_kernel matmul_grouped_gelu)" "10 ms, 50 MB" --no-prove
one "attention forward, lift" "$(find_kernel attention)" "50 ms, 50 MB" --no-prove
one "attention forward causal, lift" "$(find_kernel attention_causal)" "50 ms, 50 MB" --no-prove
one "attention backward dk/dv, lift" "$(find_kernel attention_backward.attention_dk_dv_kernel)" "200 ms, 50 MB" --no-prove
one "elementwise, proof and safety" "$(find_kernel exp)" ""
one "attention forward, proof and safety" "$(find_kernel attention)" ""
one "attention forward causal, proof and safety" "$(find_kernel attention_causal)" "300 ms, 200 MB"
one "attention backward dk/dv, proof and safety" "$(find_kernel attention_backward.attention_dk_dv_kernel)" ""

summary() { # what file goal
  IFS=$'\t' read -r median high most < <(percentiles 1 <"$2")
  IFS=$'\t' read -r cpu cpu_high cpu_most < <(percentiles 2 <"$2")
  IFS=$'\t' read -r peak _ peak_most < <(percentiles 3 <"$2")
  printf '%-28s median %s ms (CPU %s), 95 %% %s ms (CPU %s), most %s ms; median %s MB, most %s MB   %s\n' \
    "$1" "$median" "$cpu" "$high" "$cpu_high" "$most" "$peak" "$peak_most" "$3"
}
echo
echo "The corpus: ${#files[@]} kernels"
few=$((runs < 3 ? runs : 3))
measure "$few" "$assay" lift --no-prove -- "${files[@]}" >"$work/lift"
measure "$few" "$assay" lift -- "${files[@]}" >"$work/prove"
summary "lift" "$work/lift" "goal: median 5 ms, 20 MB"
summary "lift, proof and safety" "$work/prove" "goal: median 20 ms, 95 % 200 ms"
for what in lift prove; do
  echo
  echo "The ten slowest, $what: ms, CPU ms, MB, exit code"
  sort -rn "$work/$what" | head -n 10 | short
done

echo
echo "The same kernel with other blocks (CPU ms; goal: within 10 %)"
sed 's/1024/64/g' examples/softmax.ttir >"$work/softmax.64.ttir"
sed 's/1024/4096/g' examples/softmax.ttir >"$work/softmax.4096.ttir"
sed 's/1024/64/g' examples/softmax_online.ttir >"$work/softmax_online.64.ttir"
sed 's/1024/4096/g' examples/softmax_online.ttir >"$work/softmax_online.4096.ttir"
for kernel in softmax softmax_online; do
  for options in --no-prove --stats; do # --stats: the whole answer
    IFS=$'\t' read -r _ small _ < <(measure 40 "$assay" lift "$options" -- "$work/$kernel.64.ttir")
    IFS=$'\t' read -r _ large _ < <(measure 40 "$assay" lift "$options" -- "$work/$kernel.4096.ttir")
    awk -v k="$kernel $options" -v a="$small" -v b="$large" 'BEGIN { printf "%-32s BLOCK 64: %s   BLOCK 4096: %s   ratio %.2f\n", k, a, b, b / a }'
  done
done

echo
echo "A file of many kernels (lift --all --no-prove; goal: linear)"
sed -E 's/ loc\((callsite\([^)]*\)|"[^"]*"\([^)]*\)|[^()]*)\)//g; /^#loc/d' examples/softmax.ttir >"$work/plain"
for count in 250 500 1000; do
  { echo 'module {'
    for ((i = 0; i < count; i++)); do sed -n "/tt.func/,/^  }/s/@softmax_kernel/@softmax_kernel_$i/;/tt.func/,/^  }/p" "$work/plain"; done
    echo '}'; } >"$work/$count.ttir"
  IFS=$'\t' read -r wall cpu peak code _ < <(measure 2 "$assay" lift --all --no-prove -- "$work/$count.ttir")
  echo "$count kernels: $wall ms (CPU $cpu, $(awk -v a="$cpu" -v n="$count" 'BEGIN { printf "%.2f", a / n }') each), $peak MB, exit code $code"
done

echo
echo "Limits end in a verdict (exit code 0, 1 or 2) on every kernel"
for limit in "--timeout 0.1" "--memory 64M" "--timeout 0.01" "--memory 4M"; do
  # shellcheck disable=SC2086
  measure 1 "$assay" lift $limit -- "${files[@]}" >"$work/limited"
  awk -F'\t' -v l="$limit" '{ n++; if ($4 <= 2) good++; else bad = bad " " $5 ":" $4; if ($1 > most) most = $1; if ($3 > peak) peak = $3 }
    END { printf "%-16s %d of %d; slowest %s ms, most %s MB%s\n", l, good, n, most, peak, bad }' "$work/limited"
done
