#!/bin/sh
# What `assay optimize` finds and what it takes: a row for each workload (how many kernels the paper or we expect, and
# whether a candidate with so many is listed, at which rank), at the sizes of Mirage's Table 4 and for any size; then the
# ablation of its Table 5 on RMSNorm and a product. Seconds and states of Mirage are those of one thread on 2 cores without a GPU (its public code),
# seconds "paper" those of the OSDI paper's Table 5 (8 threads). Usage: bench/optimize.sh [build/assay]
root=$(cd "$(dirname "$0")/.." && pwd)
assay=${1:-$root/build/assay}
formulas=$root/tests/optimize

stat() { # name: from the answer in $answer
  printf '%s\n' "$answer" | sed -n "s/^.* $1 *//p" | head -1
}

row() { # name, formula, kernels that are expected, seconds of Mirage or -, flags
  name=$1 formula=$2 expected=$3 mirage=$4
  shift 4
  answer=$("$assay" optimize "$formulas/$formula.formula" --stats --timeout 300 "$@" 2>&1)
  found=$(printf '%s\n' "$answer" | grep -v 'input as it stands' |
    sed -n 's/^ *\(found\)* *\([0-9]*\)  \([0-9]*\) kernels* .* \(proved\) .*/\2 \3 \4/p' |
    awk -v wanted="$expected" 'index(wanted, $2) && !n++ {print $2, $1, $3}')
  states=$(stat search.states) seconds=$(stat time.total_ms | awk '{print $1 / 1000}')
  printf '%-34s %8s %7s %5s %8s %10s %9.2f %9.0f %8s\n' "$name" "$expected" ${found:-- - none} "$states" "$seconds" \
    "$(awk -v s="$states" -v t="$seconds" 'BEGIN {print (t > 0 ? s / t : 0)}')" "$mirage"
}

printf '%-34s %8s %7s %5s %8s %10s %9s %9s %8s\n' workload expected kernels rank verdict states seconds states/s Mirage
for queries in 1 32 512; do
  row "MHA, $queries queries, 4096 keys" mha 1,2 - --set B=1 --set H=32 --set M=$queries --set S=4096
  row "GQA, $queries queries, 4096 keys" attention 2 $([ $queries = 32 ] && echo 400 || echo -) --set B=2 --set M=$((8 * queries)) --set S=4096
  row "MQA, $queries queries, 4096 keys" attention 2 - --set B=1 --set M=$((16 * queries)) --set S=4096
done
for batch in 1 8; do
  row "adapter MLP, batch $batch" adapter 2 - --set M=$((16 * batch)) --set K=4096
  row "MoE, batch $batch" moe 1,2 - --set M=$((8 * batch)) --set K=4096 --set N=4096 --set P=4096
  row "LoRA, batch $batch" lora 1 '>250' --set M=$((16 * batch)) --set K=256 --set N=4096
  row "RMSNorm + matmul, batch $batch" rms_matmul 1 4.0 --set M=$((2 * batch)) --set K=4096 --set N=6144
  row "GatedMLP, batch $batch" gated_mlp 1 82-256 --set M=$((8 * batch)) --set K=4096 --set N=4096
  row "nTrans, batch $batch" ntrans 1 - --set M=$batch --set K=4096
  row "QKNorm + attention, batch $batch" qknorm 1,2 wrong --set B=$((2 * batch)) --set M=256 --set S=4096
done
row 'GQA, any size' attention 2 10.3
row 'attention with softmax, any size' attention_softmax 1 -
row 'MHA, any size' mha 1 -
row 'causal attention, any size' causal 1 -
row 'QKNorm + attention, any size' qknorm 1,2 wrong
row 'adapter MLP, any size' adapter 2 -
row 'MoE, any size' moe 1,2 -
row 'LoRA, any size' lora 1 aborts
row 'LoRA, concatenated' lora_concat 1 -
row 'rotary embedding + scores' rotary 1 -
row 'RMSNorm + matmul, any size' rms_matmul 1 0.44
row 'GatedMLP, any size' gated_mlp 1 0.62
row 'nTrans, any size' ntrans 1 -
row 'transformer block, any size' transformer_block 5 -
row 'softmax' softmax_rows 1 -
row 'layer norm' layer_norm_rows 1 -
row 'log-sum-exp' logsumexp_rows 1 -
row 'log-sum-exp of a matmul' xent 1 -
row 'cross entropy of a matmul' cross_entropy 1 -
row 'matmul + bias + gelu + residual' gelu_bias 1 -
row 'two matmuls in a chain' chain 1,2 -
row 'Adam' adam 1 -

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

# Fingerprints of all operations, a second on one core, at the shapes of the search; 10^5 are asked for, and 10^9
# multiply-adds a second in their products.
printf '\n'
speed=$(dirname "$assay")/bench/fingerprint-speed
set --
for name in rms_matmul gated_mlp lora attention mha moe adapter qknorm ntrans rotary chain; do
  set -- "$@" "$formulas/$name.formula"
done
"$speed" "$@"
