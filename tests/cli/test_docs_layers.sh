# The table of ARCHITECTURE.md says which folder may include which: every #include is held against it, the table has no
# circle, and no folder is larger than a tenth of src/. A folder and its subfolders count as one; of `read`, which has one
# folder for each language, the size of each is asked.
. "$SOURCE/tests/cli/common.sh"

largest=10             # percent of the lines of src/

# "FOLDER MAY MAY .." for each row
awk -F'|' '/^\| `?[a-z]+`? \|/ && NF == 5 {
  gsub(/[ `]/, "", $2)
  if ($2 == "folder") next
  print $2, $4
}' "$SOURCE/ARCHITECTURE.md" | sed 's/ nothing *$//' >layers
grep -q '^prove ' layers || fail "no table of folders in ARCHITECTURE.md"

may() { # from to: true if the table allows it
  line=$(sed -n "s/^$1 //p" layers)
  case " $line " in *" $2 "*) return 0 ;; esac
  return 1
}

# "FILE: INCLUDED" for every header of ours
find "$SOURCE/src" "$SOURCE/cli" -name '*.[ch]' | sort | xargs grep -HoE '^ *# *include "[^"]+"' |
  sed "s|^$SOURCE/||; s|: *# *include \"|: |; s|\"\$||" >includes
checked=0
while read -r file header; do
  file=${file%:}
  case $file in
    cli/*) from=cli ;;
    src/*/*) from=${file#src/} from=${from%%/*} ;;
    *) from=root ;;
  esac
  if [ -f "$SOURCE/$(dirname "$file")/$header" ] && [ "$(dirname "$file")" != src ]; then continue; fi
  case $header in
    */*) to=${header%%/*} ;;
    *) to=root ;;
  esac
  [ "$from" = "$to" ] && continue
  grep -q "^$from\\( \\|\$\\)" layers || fail "$from is not in the table of ARCHITECTURE.md"
  checked=$((checked + 1))
  echo "$from $to" >>used
  may "$from" "$to" || fail "$file includes $header: the table does not allow $from -> $to"
done <includes
grep 'execute/\(machine\|internal\)\.h' includes | grep -v '^src/execute/' >private && fail "the running state of execution is used outside: $(cat private)"
[ "$checked" -gt 50 ] || fail "only $checked includes were looked at"

# No circle: tsort complains of one.
sort -u used | tsort >/dev/null 2>circles || { fail "the includes have a circle:"; cat circles; }

# Folders that do not exist are not in the table, and those of src/ are.
while read -r folder rest; do
  case $folder in
    cli | root) ;;
    *) [ -d "$SOURCE/src/$folder" ] || fail "the table has $folder, which is no folder of src" ;;
  esac
done <layers
total=$(find "$SOURCE/src" -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l)
for folder in "$SOURCE"/src/*/ "$SOURCE"/src/read/*/; do
  name=$(basename "$folder")
  [ "$name" = read ] && continue
  case $folder in */read/*) ;; *) [ -z "$(ls -A "$folder" 2>/dev/null)" ] || grep -q "^$name\\( \\|\$\\)" layers || fail "src/$name is not in the table" ;; esac
  lines=$(find "$folder" -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l)
  [ $((lines * 100)) -le $((total * largest)) ] || fail "src/$name has $lines of $total lines, more than $largest %"
done
finish
