# Every program of tests/loops is read and lifted: what test_loops.sh looks at one by one, without a fault of memory.
. "$SOURCE/tests/cli/common.sh"
for file in "$SOURCE"/tests/loops/*.c "$SOURCE"/tests/loops/*.cc; do
  expect_answer "$ASSAY" lift --all --no-prove "$file"
done
finish
