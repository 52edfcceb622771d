#!/usr/bin/env bash
# check.sh SOURCE FOLDER COMPILER [FLAG...]: is SOURCE refused as it says it is?
#
#   // expect: <extended regular expression>    some line of the diagnostics matches; may be repeated
#   // max-lines: 15                            the diagnostics are no longer than that (15 if absent)
#
# A file *.ok.cpp must compile instead, and without a warning.
#
# check.sh --prepare FOLDER COMPILER [FLAG...]: the headers that all begin with, parsed once.
set -euo pipefail

source=$1
folder=$2
compiler=$3
shift 3

flags=(-std=c++20 -Wall -Wextra)
for flag in "$@"; do
  case $flag in '' | -I | -D) ;; *) flags+=("$flag") ;; esac
done

if [[ $source == --prepare ]]; then
  mkdir -p "$folder"
  echo '#include "resumable/codec.hpp"' >"$folder/first.hpp"
  suffix=gch
  [[ $compiler != *clang* ]] || suffix=pch
  exec "$compiler" "${flags[@]}" -x c++-header "$folder/first.hpp" -o "$folder/first.hpp.$suffix"
fi

status=0
diagnostics=$(LC_ALL=C "$compiler" "${flags[@]}" -include "$folder/first.hpp" -fsyntax-only "$source" 2>&1) || status=$?
lines=$(printf '%s' "$diagnostics" | grep -c '' || true)

fail() {
  printf '%s: %s\n--- diagnostics (%s lines)\n%s\n' "$source" "$1" "$lines" "$diagnostics" >&2
  exit 1
}

if [[ $source == *.ok.cpp ]]; then
  [[ $status -eq 0 && -z $diagnostics ]] || fail "should compile without a word"
  exit 0
fi

[[ $status -ne 0 ]] || fail "compiles, and should not"

expected=0
while IFS= read -r pattern; do
  expected=$((expected + 1))
  grep -qE -- "$pattern" <<<"$diagnostics" || fail "no line of the diagnostics matches: $pattern"
done < <(sed -nE '1,20s|^// expect: *(.*[^ ]) *$|\1|p' "$source")
[[ $expected -gt 0 ]] || fail "states no '// expect: <regex>' in its first 20 lines"

limit=$(sed -nE '1,20s|^// max-lines: *([0-9]+) *$|\1|p' "$source" | head -n 1)
[[ $lines -le ${limit:-15} ]] || fail "more than ${limit:-15} lines of diagnostics"
