#!/usr/bin/env bash
# bench.sh SOURCE FOLDER: scripts/bench.sh with three programs in the place of the benchmarks, of
# which one fails in each round: it prints the rows of the others, says which rows have no value, and
# ends with 1 and the name of the program that failed.
set -euo pipefail

source=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"/{scripts,bench,build/release/bin}
cp "$source"/scripts/{common,bench}.sh "$folder/scripts"
printf '%s\n' 'R1 | whole | good/one | good/two | 2 | less' 'R2 | lost | bad/one | good/two | 2 | less' \
  >"$folder/bench/rows.txt"
stand_in() { # stand_in FILE LINE...
  printf '%s\n' '#!/usr/bin/env bash' "${@:2}" >"$folder/$1"
  chmod +x "$folder/$1"
}
stand_in scripts/setup.sh
stand_in scripts/build.sh
stand_in bench/compile_cost.sh
for program in good fine; do
  stand_in "build/release/bin/bench_$program" \
    'for flag; do [[ $flag != --benchmark_out=* ]] || out=${flag#*=}; done' \
    "printf '%s\\n' name,iterations,real_time,cpu_time,time_unit \"\\\"$program/one\\\",1,3,3,ms\" \
      \"\\\"$program/two\\\",1,2,2,ms\" >\"\$out\""
done
stand_in build/release/bin/bench_bad 'echo "All counters must be present in each run" >&2' 'kill -ABRT $$'

code=0
said=$("$folder/scripts/bench.sh" --rounds 2 2>&1) || code=$?
fail() {
  printf '%s\n%s\n' "$1" "$said" >&2
  exit 1
}
[[ $code -eq 1 ]] || fail "exit code $code"
[[ $(tail -n 1 <<<"$said") == 'error: failed: bench_bad' ]] || fail "the last line is another"
grep -qE '^R1 +whole +1\.5 ' <<<"$said" || fail "no row R1"
grep -qE '^R2 +lost +no value$' <<<"$said" || fail "row R2 is lost in silence"

rm "$folder/build/release/bin/bench_bad"
sed -i '/^R2/d' "$folder/bench/rows.txt"
said=$("$folder/scripts/bench.sh" --rounds 2 2>&1) || fail "fails where all programs end well"
