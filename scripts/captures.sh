#!/usr/bin/env bash
# captures.sh [BUILD]: makes the terminal captures in docs/progress.md again: what a person sees of
# progress, status and plan, on a terminal of 100 columns, of 60, without colours, in ASCII, and in a
# pipe. Runs memo with its offline model. BUILD is a build folder (build/release, built if needed).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

page=docs/progress.md
build=${1:-}
if [[ -z $build ]]; then
  ./scripts/setup.sh
  ./scripts/build.sh memo terminal_capture
  build=build/release
fi
memo=$(realpath "$build/bin/memo")
capture=$(realpath "$build/tests/bin/terminal_capture")
sources=$PWD/examples/data/memo
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Paths of this machine do not belong into a page.
clean() { sed -E "s|$out/?|output/|g; s|$sources|deck|g; s|$memo|memo|g; s/ +$//"; }

put() { # put NAME: replaces the block behind <!-- capture NAME --> with stdin
  local text
  text=$(clean)
  [[ -n $text ]] || die "nothing was captured for $1"
  grep -qF "<!-- capture $1 -->" $page || die "$page has no place for $1"
  TEXT=$text awk -v name="<!-- capture $1 -->" '
    $0 == name { print; wanted = 1; next }
    wanted && /^```/ && !inside { print; print ENVIRON["TEXT"]; inside = 1; next }
    inside && /^```/ { inside = 0; wanted = 0 }
    !inside { print }' $page >"$out/page"
  cp "$out/page" $page
  say "$1"
}

run=(run Cloudgov --sources "$sources")

# A line of ten sections, of which some are written.
"$capture" --rows 20 --when '4/10' -- "$memo" "${run[@]}" --out "$out/a" --concurrency 3 --pace 300 | put progress
"$capture" --rows 20 --columns 60 --when '4/10' -- "$memo" "${run[@]}" --out "$out/b" --concurrency 3 --pace 300 |
  put progress-60
"$capture" --rows 20 --when '4/10' -- "$memo" --ascii "${run[@]}" --out "$out/c" --concurrency 3 --pace 300 |
  put progress-ascii
"$capture" --rows 40 -- "$memo" "${run[@]}" --out "$out/d" --concurrency 3 --pace 1 | put end
"$memo" "${run[@]}" --out "$out/e" --pace 20 2>"$out/log" >/dev/null
head -n 12 "$out/log" | put pipe

for columns in 100 60; do
  "$capture" --columns $columns -- "$memo" status Cloudgov --out "$out/d" | put status-$columns
done
"$capture" -- "$memo" plan Cloudgov --out "$out/d" --redo draft --explain | put plan
say "look at $page"
