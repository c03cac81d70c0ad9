# No `default` in a switch over our own tables of kinds: opcodes, terms, tensor operators, functions, folds and the nodes
# of searches and emitters. What treats all kinds lists them, so that the compiler says where a new one is missing; what
# treats a few is an `if`, or a column of the table. A cast that takes the compiler's warning away is no way around.
. "$SOURCE/tests/cli/common.sh"

kinds='TERM|OP|TENSOR|FN|FOLD|EXPRESSION|PROBLEM|PROGRAM|ARRAY'

# "FILE:LINE" for each switch over such kinds that has a default or a cast. The formatter gives `switch` and its labels
# one column.
offences() {
  awk -v kinds="^ *case ($kinds)_" '
    FNR == 1 { depth = 0 }
    match($0, /^ *(} else )?switch \(/) {
      depth++
      match($0, /^ */)
      column[depth] = RLENGTH; line[depth] = FNR; cast[depth] = /switch \(\(int\)/
      is_ours[depth] = other[depth] = braces[depth] = 0
      next
    }
    depth {
      match($0, /^ */)
      if (RLENGTH != column[depth]) next
      if ($0 ~ kinds) is_ours[depth] = 1
      if (/^ *default:/) other[depth] = 1
      if (/^ *(case|default).*: {/) braces[depth] = 1
      else if (/^ *}/ && braces[depth]) braces[depth] = 0
      else if (/^ *}/) {
        if (is_ours[depth] && (other[depth] || cast[depth])) print FILENAME ":" line[depth]
        depth--
      }
    }' "$@"
}

cat >planted.c <<'C'
void f(void) {
  switch (kind) {
  case TERM_ADD: { /* in braces */
    return;
  }
  default: return;
  }
  switch ((int)code) {
  case OP_TT_LOAD: return;
  }
  switch (kind) {
  case TERM_ADD:
    switch (c) {
    case 'x': return;
    default: return;
    }
  case TERM_MUL: return;
  }
}
C
offences planted.c >found
printf 'planted.c:2\nplanted.c:8\n' | cmp -s - found || fail "the check does not find what it is for: $(cat found)"

find "$SOURCE/src" -name '*.[ch]' | sort | xargs awk '/switch \(/' | wc -l >switches
[ "$(cat switches)" -gt 40 ] || fail "only $(cat switches) switches were looked at"
for file in $(find "$SOURCE/src" -name '*.[ch]' | sort); do offences "$file"; done >found
[ ! -s found ] || fail "a switch over kinds of ours has a default, or hides them from the compiler: $(cat found)"
finish
