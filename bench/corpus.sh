#!/usr/bin/env bash
# The corpus as a table: what is claimed of each kernel, what it rests on, and what it costs.
#
#   bench/corpus.sh [FILE...]        ASSAY=build/assay CORPUS=build/corpus/3.6.0
#
# value, safety   the two verdicts                      engine   the strongest that a goal needed
# form            of the worst output                   goals    shown, of all
# assumed         how many assumptions                  ms, MB   of the whole process, one run
. "$(dirname "$0")/lib/common.sh"

files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(kernels)

describe() { # FILE: a line of the table from the JSON object, without its time
  "$assay" lift --json --stats --explain "$1" 2>/dev/null | awk '
    function count(text, pattern,   n) { n = gsub(pattern, "&", text); return n }
    function field(name,   part) {
      if (!match($0, "\"" name "\": \"[^\"]*\"")) return "-"
      part = substr($0, RSTART, RLENGTH)
      sub(/^"[^"]*": "/, "", part)
      sub(/"$/, "", part)
      return part
    }
    {
      split("smt e-graph cases normal-form identity ranges", names, " ")
      engine = "-"
      for (i = 1; i in names; i++)
        if (match($0, "\"goals." names[i] "\": \"?[1-9][0-9]*")) { engine = names[i]; break }
      form = /"form": "opaque"/ ? "opaque" : /"form": "pointwise"/ ? "pointwise" : /"form": "tensor"/ ? "tensor" : "-"
      open = count($0, "\"prove: [^\"]*: not shown")
      goals = count($0, "\"prove: ")
      solved = match($0, "\"goals.smt\": \"?[0-9]+") ? substr($0, RSTART, RLENGTH) : 0
      gsub(/[^0-9]/, "", solved)
      printf "%s\t%s\t%s\t%d\t%s\t%d/%d\t%d\t%s\n", field("verdict"), field("safety"), form, count($0, "\"id\": \"a[0-9]"), engine, goals - open, goals, solved, field("code")
    }'
}

printf '%-54s %-9s %-9s %-10s %7s  %-12s %8s %8s %6s  %s\n' kernel value safety form assumed engine goals ms MB reason
for file in "${files[@]}"; do
  IFS=$'\t' read -r value safety form assumed engine goals solved reason < <(describe "$file")
  IFS=$'\t' read -r wall _ peak code _ < <(measure 1 "$assay" lift --timeout 60 -- "$file")
  name=$(short <<<"$file")
  printf '%-54s %-9s %-9s %-10s %7s  %-12s %8s %8s %6s  %s\n' "$name" "${value:--}" "${safety:--}" "$form" "$assumed" "$engine" "$goals" "$wall" "$peak" "$reason"
  printf '%s %s %s %s %s %s\n' "${value:--}" "${safety:--}" "$form" "$engine" "${goals:-0/0}" "${solved:-0}" >>"$work/all"
done
awk '{
  n++
  value[$1]++
  safety[$2]++
  form[$3]++
  engine[$4]++
  split($5, g, "/")
  shown += g[1]
  goals += g[2]
  solved += $6
} END {
  printf "\n%d kernels\n", n
  printf "  value:  "; for (v in value) printf " %s %d", v, value[v]
  printf "\n  safety: "; for (v in safety) printf " %s %d", v, safety[v]
  printf "\n  form:   "; for (v in form) printf " %s %d", v, form[v]
  printf "\n  strongest engine:"; for (v in engine) printf " %s %d", v, engine[v]
  printf "\n  goals: %d, shown %d; by the solver %d (%.1f %%)\n", goals, shown, solved, goals ? 100 * solved / goals : 0
}' "$work/all"
