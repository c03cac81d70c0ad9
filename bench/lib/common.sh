# Sourced by the scripts of bench/: where things are, and the program that measures.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
assay=${ASSAY:-build/assay}
corpus=${CORPUS:-build/corpus/3.6.0}
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -x "$assay" ] || { echo "no $assay: run make first" >&2; exit 1; }
"${CC:-cc}" -O2 -o "$work/measure" bench/measure.c || exit 1

# The kernels of examples/kernels as Triton compiles them; without the Python environment, those that lie in examples/.
kernels() {
  if [ -d "$corpus" ]; then
    find "$corpus" -name '*.ttir' ! -name '*.source.ttir' ! -path '*/rewritten/*' | LC_ALL=C sort
  else
    echo "(no $corpus: only examples/*.ttir; tools/venv.sh and tools/triton_tools/corpus.py make it)" >&2
    find examples -maxdepth 1 -name '*.ttir' | LC_ALL=C sort
  fi
}

measure() { "$work/measure" "$@"; } # RUNS COMMAND [ARGUMENT...] -- FILE...
short() { sed "s|$corpus/||; s|examples/||; s|$work/||; s|\\.ttir||"; }

# FIELD of the lines of measure on standard input: median, 95th percentile and greatest value
percentiles() {
  cut -f"$1" | sort -n | awk '{ v[NR] = $1 } END { if (NR) printf "%s\t%s\t%s\n", v[int((NR + 1) / 2)], v[int(0.95 * NR + 0.5)], v[NR] }'
}
