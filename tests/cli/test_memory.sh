# No memory, from any allocation on or at one alone: an answer with the reason `memory`, whole JSON, never a crash.
. "$SOURCE/tests/cli/common.sh"
[ "$SANITIZE" = ON ] && exit 0 # the sanitizer has its own malloc
"$CC" -shared -fPIC -O1 "$SOURCE/tests/cli/fail_malloc.c" -o fail_malloc.so || exit 1

for how in FAIL_FROM FAIL_AT; do
  for n in 1 2 3 4 5 6 7 8 10 15 25 40 60 90 130 190; do
    expect 2 env $how=$n LD_PRELOAD=./fail_malloc.so "$ASSAY" lift "$DATA/add.ttir"
    has out "[memory]"
    hasnt err "internal error"
    expect 2 env $how=$n LD_PRELOAD=./fail_malloc.so "$ASSAY" lift --json "$DATA/add.ttir"
    json verdict=unknown safety=unknown reason.code=memory
    expect 2 env $how=$n LD_PRELOAD=./fail_malloc.so "$ASSAY" check "$DATA/add.ttir" "$DATA/add.ttir"
    has out "[memory]"
  done
done
finish
