# The table of ARCHITECTURE.md says which folder may include which; every #include is held against it.
. "$SOURCE/tests/cli/common.sh"

awk -F'|' '/^\| `?[a-z]+`? \|/ && NF == 5 {
  gsub(/[ `]/, "", $2)
  if ($2 == "folder") next
  print $2, $4
}' "$SOURCE/ARCHITECTURE.md" | grep -v '^[a-z]* *[^a-z ]' >layers
grep -q '^prove ' layers || fail "no table of folders in ARCHITECTURE.md"

may() { # from to: does the table allow it?
  line=$(sed -n "s/^$1 //p" layers)
  [ "$1" = root ] && [ "$2" != api ] && [ "$2" != front ] && return 0
  case " $line " in *" $2 "*) return 0 ;; esac
  return 1
}

# "FILE: INCLUDED" for every header of ours
grep -HoE '^ *# *include "[^"]+"' "$SOURCE"/src/*.[ch] "$SOURCE"/src/*/*.[ch] "$SOURCE"/cli/*.[ch] |
  sed "s|^$SOURCE/||; s|: *# *include \"|: |; s|\"\$||" >includes
checked=0
while read -r file header; do
  file=${file%:}
  case $file in
    cli/*) from=cli ;;
    src/*/*) from=${file#src/} from=${from%%/*} ;;
    *) from=root ;;
  esac
  case $header in
    */*) to=${header%%/*} ;;
    *) [ -f "$SOURCE/$(dirname "$file")/$header" ] && continue
      to=root ;;
  esac
  [ "$from" = "$to" ] && continue
  grep -q "^$from\\( \\|\$\\)" layers || fail "$from is not in the table of ARCHITECTURE.md"
  checked=$((checked + 1))
  may "$from" "$to" || fail "$file includes $header: the table does not allow $from -> $to"
done <includes
[ "$checked" -gt 50 ] || fail "only $checked includes were looked at"

# and folders that do not exist are not in the table
while read -r folder rest; do
  case $folder in
    cli | root) ;;
    *) [ -d "$SOURCE/src/$folder" ] || fail "the table has $folder, which is no folder of src" ;;
  esac
done <layers
for folder in "$SOURCE"/src/*/; do
  name=$(basename "$folder")
  [ -z "$(ls -A "$folder" 2>/dev/null)" ] || grep -q "^$name\\( \\|\$\\)" layers || fail "src/$name is not in the table"
done
finish
