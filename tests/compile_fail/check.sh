#!/usr/bin/env bash
# check.sh SOURCE COMPILER [FLAG...]: is SOURCE refused as it says it is?
#
#   // expect: <extended regular expression>    some line of the diagnostics matches; may be repeated
#   // max-lines: 15                            the diagnostics are no longer than that (15 if absent)
#
# A file *.ok.cpp must compile instead, and without a warning.
set -euo pipefail

source=$1
compiler=$2
shift 2

flags=()
for flag in "$@"; do
  case $flag in '' | -I | -D) ;; *) flags+=("$flag") ;; esac
done

status=0
diagnostics=$(LC_ALL=C "$compiler" -std=c++20 -Wall -Wextra -fsyntax-only "${flags[@]}" "$source" 2>&1) || status=$?
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
