#!/bin/sh
# What `assay optimize` finds and what it takes: a row for each workload, then the ablation of Mirage's Table 5 on
# RMSNorm and a product. Seconds and states of Mirage are those of one thread on 2 cores without a GPU (its public code),
# seconds "paper" those of the OSDI paper's Table 5 (8 threads). Usage: bench/optimize.sh [build/assay]
root=$(cd "$(dirname "$0")/.." && pwd)
assay=${1:-$root/build/assay}
formulas=$root/tests/optimize

stat() { # name: from the answer in $answer
  printf '%s\n' "$answer" | sed -n "s/^.* $1 *//p" | head -1
}

row() { # formula, seconds of Mirage or -, flags
  formula=$1 mirage=$2
  shift 2
  answer=$("$assay" optimize "$formulas/$formula.formula" --stats "$@" 2>&1)
  kernels=$(printf '%s\n' "$answer" | grep -v 'input as it stands' | sed -n 's/^ *\(found\)* *[0-9]* *\([0-9]\) kernel.*proved.*/\2/p' | sort -n | head -1)
  printf '%-20s %8s %10s %9s %9.3f %10s\n' "$formula" "${kernels:--}" "$(stat search.states)" "$(stat search.candidates)" \
    "$(printf '%s\n' "$(stat time.total_ms)" | awk '{print $1 / 1000}')" "$mirage"
}

printf '%-20s %8s %10s %9s %9s %10s\n' workload kernels states found seconds Mirage
row rms_matmul 4.0
row gated_mlp 82-256
row lora '>250'
row attention 400
row attention_softmax -
row mha -
row causal -
row qknorm wrong
row adapter -
row moe -
row gelu_bias -
row chain -
row xent -
row softmax_rows -
row layer_norm_rows -
row logsumexp_rows -
row adam -

printf '\n%-20s %8s %10s %9s %9s %10s\n' 'rms_matmul, limit' '' states found seconds paper
ablation() { # limit, published seconds with everything, without expressions
  answer=$("$assay" optimize "$formulas/rms_matmul.formula" --stats --max-kernel-ops 1 --max-block-ops "$1" 2>&1)
  printf '%-29s %10s %9s %9s %10s\n' "$1 operations" "$(stat search.states)" "$(stat search.candidates)" "$(stat time.total_ms | awk '{print $1 / 1000}')" "$2"
  answer=$("$assay" optimize "$formulas/rms_matmul.formula" --stats --max-kernel-ops 1 --max-block-ops "$1" --no-canonical 2>&1)
  printf '%-29s %10s %9s %9s %10s\n' "  no canonical order" "$(stat search.states)" "$(stat search.candidates)" "$(stat time.total_ms | awk '{print $1 / 1000}')" -
  answer=$("$assay" optimize "$formulas/rms_matmul.formula" --stats --max-kernel-ops 1 --max-block-ops "$1" --no-expressions --timeout 120 2>&1)
  printf '%-29s %10s %9s %9s %10s%s\n' "  no expressions" "$(stat search.states)" "$(stat search.candidates)" "$(stat time.total_ms | awk '{print $1 / 1000}')" "$3" \
    "$([ "$(stat search.cut)" = 1 ] && echo ', cut at its limit of states')"
}
ablation 5 11 768
ablation 6 16 19934
ablation 7 22 '>10h'
ablation 8 24 -
ablation 9 26 -
ablation 10 26 -
