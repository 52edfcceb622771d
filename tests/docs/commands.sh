#!/usr/bin/env bash
# commands.sh SOURCE FOLDER FIRST BIN PAGE...: do the commands in the pages do what the pages show?
#
# Types, page after page and in one shell session per page, what a reader would: the lines after
# '$ ' of ```console blocks, all lines of ```sh blocks, and `resumable …` in the text. FOLDER looks
# like the folder of the sources in which ./memo is README's first program, FIRST, and
# build/release/bin is BIN. In the pages after README its run is there. Last come the examples of
# `resumable --help`.
#
# What a console block shows after a command is compared, except for times, durations and sizes; '…'
# stands for any text, on a line of its own for any lines. Where a block says 'Killed', the program
# is killed with SIGKILL as soon as it has printed the line before. Comments before a block:
#   <!-- exit: CODE... -->      one of these is right for the block's commands; otherwise 0
#   <!-- before: COMMAND -->    typed first, and not shown
set -euo pipefail

source=$1 folder=$2 first=$3 bin=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder/build/release/bin"
ln -s "$source"/{examples,scripts} "$folder"
ln -s "$bin"/{memo,resumable} "$folder/build/release/bin"
ln -s "$first" "$folder/memo"
export PATH=$folder/build/release/bin:$PATH LC_ALL=C.UTF-8 TZ=UTC
unset RESUMABLE_STORE

page='' place='' command='' pid='' exits='0' shown='' any=''
commands=0 kills=0

fail() {
  [[ -z $pid ]] || kill -9 "$pid" 2>/dev/null || true
  printf '%s\n' "$page: after '\$ $command':" "$@" >&2
  exit 1
}

# matches SHOWN LINE: are they the same but for times, durations, sizes and '…'?
matches() {
  local pattern
  pattern=$(sed -E '
    s/[][(){}.*+?^$|\\]/\\&/g
    s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/[0-9-]{10} [0-9:]{5}/g
    s/[0-9]+(\\\.[0-9]+)? (bytes|kB|MB)/[0-9.]+ (bytes|kB|MB)/g
    s/[0-9]+(\\\.[0-9]+)? (ms|s|min)\b/[0-9.]+ (ms|s|min)/g
    s/  +/ +/g
    s/…/.*/g' <<<"$1")
  [[ $2 =~ ^$pattern$ ]]
}

start() { # start COMMAND
  command=$1 shown='' any=''
  commands=$((commands + 1))
  exec 3< <(cd "$place" && exec bash -c "$command" 2>&1)
  pid=$!
}

finish() { # the program says no more than is shown, and ends as it should
  local line code=0 said=''
  [[ -n $pid ]] || return 0
  while IFS= read -r line <&3; do
    [[ -z $shown || -n $any ]] || fail "not in the page: $line"
    said+=$line$'\n'
  done
  wait "$pid" || code=$?
  pid=''
  [[ " $exits " == *" $code "* ]] || fail "exit code $code, expected: $exits" "$said"
}

expect() { # expect LINE: it is what the program prints next
  local line
  shown=yes
  if [[ $1 =~ ^\ *…$ ]]; then
    any=yes
    return
  fi
  while IFS= read -r line <&3; do
    ! matches "$1" "$line" || { any=''; return 0; }
    [[ -n $any ]] || fail "page:    $1" "program: $line"
  done
  fail "missing: $1"
}

type_line() { # type_line COMMAND
  finish
  case $1 in
    'cd '*) place=$(cd "$place" && eval "$1" && pwd) ;;
    cmake\ * | *'&& cmake '*) ;;                           # tests/consumer types these
    ./scripts/*) start "${1%%[ #]*} --help"; finish ;;      # they install and build
    *) start "$1" ;;
  esac
}

type_page() { # type_page FILE
  local line kind=''
  page=$1 place=$folder
  while IFS= read -r line; do
    case $kind:$line in
      :'<!-- exit: '*' -->') line=${line#<!-- exit: } exits=${line% -->} ;;
      :'<!-- before: '*' -->') line=${line#<!-- before: }; type_line "${line% -->}"; finish ;;
      :'```console' | :'```sh') kind=${line#'```'} ;;
      :'```'*) kind=other ;;
      *:'```') finish; kind='' exits=0 ;;
      console:'$ '* ) type_line "${line#\$ }" ;;
      console:Killed)
        kill -9 "$pid"
        wait "$pid" && fail "ended before it could be killed"
        pid='' kills=$((kills + 1))
        ;;
      console:*) expect "$line" ;;
      sh:?*) type_line "$line" ;;
    esac
  done <"$1"
  # RUN and the like stand for something.
  place=$folder exits='0 5'
  while IFS= read -r line; do type_line "${line//\`/}"; done < <(tr '\n' ' ' <"$1" |
    grep -oE '`resumable [a-z][^`]*`' | grep -vE '[A-Z]{3}' || true)
  finish
  exits=0
}

for file in "$@"; do type_page "$file"; done

page='resumable --help' place=$folder
while IFS= read -r line; do type_line "$line"; done < <(resumable --help |
  sed -nE '/^Examples:/,$ s/^  (resumable .*[^ ])   .*/\1/p' | sed -E 's/   .*//')
finish

# The tables of inspector.md: each command has the flags of its row.
page=docs/inspector.md
while read -r name flags; do
  help=$(resumable "$name" --help)
  command="resumable $name --help"
  for flag in $flags; do grep -qE -- "$flag( |,|$)" <<<"$help" || fail "there is no $flag"; done
  commands=$((commands + 1))
done < <(grep -oE '^\| `[a-z]+ ?.*' "$source/docs/inspector.md" | awk '{
  name = substr($2, 2)
  gsub(/`/, "", name)
  printf "%s", name
  while (match($0, /--[a-z][a-z-]+/)) {
    printf " %s", substr($0, RSTART, RLENGTH)
    $0 = substr($0, RSTART + RLENGTH)
  }
  print ""
}')

# What a user types wrongly is told, and does not end the program by a signal.
page=README.md command="./memo \$'\\xff' team" code=0
said=$(cd "$folder" && ./memo $'\xff' team 2>&1 >/dev/null) || code=$?
[[ $code -eq 2 && $said == error:* ]] || fail "exit code $code" "$said"
[[ $commands -ge 40 && $kills -ge 1 ]] || fail "the pages have $commands commands and $kills kills"
