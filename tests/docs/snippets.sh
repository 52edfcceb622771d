#!/usr/bin/env bash
# The C++ in the documentation: ```cpp blocks of a Markdown page, and indented examples in the ///
# comments of a header.
#
# snippets.sh fragments FILE...       prints one file with all blocks that are not programs
# snippets.sh programs FILE FOLDER    writes each program to FOLDER and prints the files' names
# snippets.sh compile FOLDER COMPILER [FLAG...] -- FILE...     do the fragments compile?
# snippets.sh prepare FOLDER COMPILER [FLAG...]                parses preamble.hpp once
#
# How a block is wrapped follows from its text: one with main() is a program, one that begins with
# a declaration is put in a namespace of its own, the rest is the body of a function. A line
# <!-- snippet: program NAME --> before a block names its program. What fragments take for granted
# (types, functions, a pipeline, a context) is in preamble.hpp.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# blocks FILE WHAT FOLDER: WHAT is 'fragments' or 'programs'.
blocks() {
  awk -v file="$1" -v what="$2" -v folder="${3:-.}" '
    function finish(    name) {
      if (block == "") return
      ++count
      if (block ~ /int main\(/) {
        if (name_given == "") name_given = page "_" count
        if (what == "programs") {
          name = folder "/" name_given ".cpp"
          printf "#line %d \"%s\"\n%s", first, file, block > name
          close(name)
          print name
        }
      } else if (what == "fragments") {
        if (block ~ /^template <> *struct resumable::/) {
          printf "#line %d \"%s\"\n%s", first, file, block
        } else if (block ~ /^(struct|class|template|#include|namespace|void|enum) /) {
          printf "namespace snippet_%s_%d {\n#line %d \"%s\"\n%s}\n", page, count, first, file, block
        } else {
          printf "inline auto snippet_%s_%d() {\n#line %d \"%s\"\n%s}\n", page, count, first, file, block
        }
      }
      block = ""
      name_given = ""
    }
    BEGIN {
      page = file
      sub(/.*\//, "", page)
      sub(/\.[a-z]+$/, "", page)
      gsub(/[^a-zA-Z0-9]/, "_", page)
      page = tolower(page)
      header = file ~ /\.hpp$/
    }
    !header && /^<!-- snippet: program [a-z_]+ -->$/ { name_given = $4 }
    !header && /^```cpp$/ { inside = 1; first = FNR + 1; next }
    !header && /^```$/ && inside { inside = 0; finish(); next }
    !header && inside { block = block $0 "\n" }
    header && /^ *\/\/\/     / && (block != "" || before ~ /^ *\/\/\/$/) {
      if (block == "") first = FNR
      line = $0
      sub(/^ *\/\/\/     /, "", line)
      block = block line "\n"
    }
    header && block != "" && !/^ *\/\/\/     / { finish() }
    { before = $0 }
    END { finish() }
  ' "$1"
}

flags_of() {  # keeps the flags that say something
  flags=(-std=c++20 -I"$here" -Wall -Wextra -Werror -Wno-unused-variable
    -Wno-unused-but-set-variable -Wno-unused-function -Wno-missing-field-initializers)
  local flag
  for flag in "$@"; do
    case $flag in '' | -I | -D) ;; *) flags+=("$flag") ;; esac
  done
}

command=$1
shift
case $command in
  fragments) for file in "$@"; do blocks "$file" fragments; done ;;
  programs) blocks "$1" programs "$2" ;;
  compile)
    folder=$1 compiler=$2
    shift 2
    given=()
    while [[ $1 != -- ]]; do
      given+=("$1")
      shift
    done
    shift
    flags_of "${given[@]}"
    source=$folder/fragments-$$.cpp
    trap 'rm -f "$source"' EXIT
    for file in "$@"; do blocks "$file" fragments; done >"$source"
    [[ -s $source ]] || { echo "no fragments in $*" >&2; exit 1; }
    "$compiler" "${flags[@]}" -include "$folder/first.hpp" -fsyntax-only "$source"
    ;;
  prepare)
    folder=$1 compiler=$2
    shift 2
    flags_of "$@"
    mkdir -p "$folder"
    printf '#include "%s/preamble.hpp"\n' "$here" >"$folder/first.hpp"
    suffix=gch
    [[ $compiler != *clang* ]] || suffix=pch
    "$compiler" "${flags[@]}" -x c++-header "$folder/first.hpp" -o "$folder/first.hpp.$suffix"
    ;;
  *)
    echo "usage: snippets.sh fragments | programs | compile | prepare …" >&2
    exit 2
    ;;
esac
