#!/usr/bin/env bash
# bench.sh [--rounds N] [GOOGLE-BENCHMARK-FLAG...]: builds and runs bench_*, prints a line for each
# row of bench/rows.txt, and writes them to build/bench.json.
#
# A time alone says little: disks tire, and machines are shared. So each row is a ratio of two
# benchmarks of one round, in which the programs and their benchmarks run in random order. What is
# printed is the median over the rounds (default: 3), and the least and the largest. Benchmarks of a
# million records, of 1 GiB and the like run in the first round only. With a flag such as
# --benchmark_filter=log/ only those rows are printed whose benchmarks ran, in all rounds.
# RESUMABLE_BENCH_DIR chooses the disk. Times of all benchmarks: build/bench/*.csv. Ends with 1 and
# the names of the programs that failed, if any did.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rounds=3
if [[ ${1:-} == --rounds ]]; then
  rounds=$2
  shift 2
fi
./scripts/setup.sh --bench
./scripts/build.sh benches
rm -rf build/bench
mkdir -p build/bench

printf 'machine: %s, %s cores, Linux %s; %s rounds\n' \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$cores" "$(uname -r)" "$rounds"

failed=()
run() { # run PROGRAM ROUND FLAG...
  local out=build/bench/$(basename "$1").$2 flags=("${@:3}")
  "$1" --benchmark_enable_random_interleaving=true --benchmark_min_time=0.2 "${flags[@]}" \
    --benchmark_out="$out.csv" --benchmark_out_format=csv >/dev/null 2>"$out.err" && return
  say "$(basename "$1") failed in round $2: see $out.err"
  failed+=("$(basename "$1")")
}

shopt -s nullglob
programs=(build/release/bin/bench_*)
[[ ${#programs[@]} -gt 0 ]] || die "no benchmark was built"
[[ $# -gt 0 ]] || ./bench/compile_cost.sh >build/bench/compile_cost.1.csv
flags=("$@")
for ((round = 1; round <= rounds; ++round)); do
  say "round $round of $rounds"
  for program in $(shuf -e "${programs[@]}"); do
    [[ $program != */bench_scaling ]] || continue  # for plots.sh
    run "$program" $round "${flags[@]}"
  done
  [[ $# -gt 0 ]] ||
    flags=(--benchmark_filter='-(million|with_files|display/|/(5000|1000000|1073741824)(/|$))')
done

awk -v rounds="$rounds" -v all=$(($# == 0)) '
  function trim(text) { gsub(/^ +| +$/, "", text); return text }
  function microseconds(time, unit) {
    return time * (unit == "ns" ? 1e-3 : unit == "us" ? 1 : unit == "ms" ? 1e3 : 1e6)
  }
  FNR == 1 { started = 0 }
  FILENAME ~ /\.csv$/ {
    gsub(/"/, "")
    fields = split($0, field, ",")
    if (/^name,/) { started = fields; split($0, column_of, ","); next }
    if (!started) next
    name = field[1]
    gsub(/\/real_time|\/iterations:[0-9]+/, "", name)
    match(FILENAME, /\.[0-9]+\.csv$/)
    round = substr(FILENAME, RSTART + 1, RLENGTH - 5)
    if (field[3] > 0) value[name, round] = microseconds(field[3], field[5])
    for (i = 6; i <= started; ++i) {
      if (field[i] != "") value[name "@" column_of[i], round] = field[i]
    }
    next
  }
  /^#/ || !/\|/ { next }
  {
    split($0, column, "|")
    split("1 1", units, " ")
    if (column[7] != "") split(trim(column[7]), units, " ")
    above = trim(column[3]); below = trim(column[4])
    n = 0
    for (round = 1; round <= rounds; ++round) {
      if (!((above, round) in value)) continue
      divisor = below
      if (below !~ /^[0-9.]+$/) {
        if (!((below, round) in value)) continue
        divisor = value[below, round]
      }
      ratio = (value[above, round] / units[1]) / (divisor / units[2])
      for (i = n++; i > 0 && sorted[i] > ratio; --i) sorted[i + 1] = sorted[i]
      sorted[i + 1] = ratio
    }
    if (n == 0) { if (all) printf "%-5s %-78s no value\n", trim(column[1]), trim(column[2]); next }
    median = n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
    goal = trim(column[5]); better = trim(column[6]); what = trim(column[2]); row = trim(column[1])
    met = better == "less" ? median <= goal + 0 : median >= goal + 0
    printf "%-5s %-78s %8.3g  (%.3g to %.3g)  goal %s %s%s\n", row, what, median, sorted[1],
      sorted[n], better == "less" ? "at most" : "at least", goal, met ? "" : "  MISSED"
    printf "%s{\"row\":\"%s\",\"what\":\"%s\",\"measured\":%.4g,\"least\":%.4g,\"largest\":%.4g," \
      "\"rounds\":%d,\"to_reach\":%s,\"better\":\"%s\"}", json++ ? ",\n" : "[\n", row, what, median,
      sorted[1], sorted[n], n, goal, better > "build/bench.json"
  }
  END { if (json) printf "\n]\n" > "build/bench.json" }
' build/bench/*.csv bench/rows.txt
say "times of all benchmarks: build/bench/*.csv"
[[ ${#failed[@]} -eq 0 ]] || die "failed: $(printf '%s\n' "${failed[@]}" | sort -u | paste -sd ' ')"
