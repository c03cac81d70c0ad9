# Holds a document against what its commands print. A command is a line `    $ ...` of an indented block; the lines below it
# are what it prints, where
#
#     ...            stands for any number of lines
#     beginning ...  for a line that begins like this
#
# and empty lines do not count. Usage: awk -f compare.awk DOCUMENT; prints each difference, and exits 1 if there is one.
function text_of(line) { sub(/^    /, "", line); sub(/[ \t]+$/, "", line); return line }

function fits(shown, real) {
  if (shown ~ / \.\.\.$/) {
    shown = substr(shown, 1, length(shown) - 4)
    return substr(real, 1, length(shown)) == shown
  }
  return shown == real
}

# Some part of the output after each `...` must begin as the lines after it do: the first one that fits is taken.
function compare(    run, real, count, line, i, k, skip) {
  if (command == "") return
  commands++
  count = 0
  run = command " 2>&1"
  while ((run | getline line) > 0) {
    sub(/[ \t]+$/, "", line)
    if (line != "") real[++count] = line
  }
  close(run)
  skip = 0
  k = 1
  for (i = 1; i <= shown_count; i++) {
    if (shown[i] == "...") {
      skip = 1
      continue
    }
    while (skip && k <= count && !fits(shown[i], real[k])) k++
    if (k > count || !fits(shown[i], real[k])) {
      printf "%s:%d: not what the command prints: %s\n", FILENAME, place[i], shown[i]
      printf("  $ %s\n  prints: %s\n", command, (k > count ? "(no more)" : real[k]))
      bad = 1
      break
    }
    k++
    skip = 0
  }
  if (i > shown_count && !skip && k <= count) {
    printf "%s:%d: the command prints more: %s\n", FILENAME, place[shown_count], real[k]
    bad = 1
  }
  command = ""
  shown_count = 0
}

/^    \$ / { compare(); command = text_of($0); sub(/^\$ /, "", command); place[0] = FNR; next }
/^[ \t]*$/ { next }
/^    / { if (command != "") { shown[++shown_count] = text_of($0); place[shown_count] = FNR } next }
{ compare() }
END { compare(); printf "%s: %d commands\n", FILENAME, commands; exit bad }
