# The column `built` of options.def says what the engine does: an option that it reads must be offered, and one that
# it does not read must not be. --no-prove and --no-simplify hold as long as there is nothing to switch off.
. "$SOURCE/tests/cli/common.sh"

used() { # name, pattern in the engine
  if grep -rqE --include='*.c' --exclude-dir=front --exclude-dir=api --exclude-dir=egraph --exclude-dir=program -- "$2" "$SOURCE/src"; then
    "$ASSAY" help lift | grep -q -- "--$1" || fail "--$1 is read by the engine but not offered: set its column to 1"
  else
    "$ASSAY" help lift | grep -q -- "--$1" && fail "--$1 is offered but the engine does not read it: set its column to 0"
  fi
}

used shape 'options->shapes'
used strides 'options->strides'
used set 'options->sets'
used assume 'options->assumes'
used alias 'options->aliases'
used strict 'options->strict'
used allow 'options->allow'
used explain 'options->explain'
used stop-after 'options->stop_after'
used engine 'options->engine'
used invariant 'options->invariant'
used no-top-down 'options->no_top_down'
used no-prune 'options->no_prune'
used grid '->grid_count'
used launch 'operation->tensors|launch->args'
finish
