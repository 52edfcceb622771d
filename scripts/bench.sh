#!/usr/bin/env bash
# bench.sh [--rounds N] [GOOGLE-BENCHMARK-FLAG...]: builds and runs bench_*, prints a line for each
# row of bench/rows.txt, and writes them to build/bench.json.
#
# A time alone says little: disks tire, and machines are shared. So each row is a ratio of two
# benchmarks of one round, in which the programs and their benchmarks run in random order. What is
# printed is the median over the rounds (default: 5), and the least and the largest. With a flag such
# as --benchmark_filter=log/ only those rows are printed whose benchmarks ran. RESUMABLE_BENCH_DIR
# chooses the disk. Times of all benchmarks: build/bench/*.csv.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rounds=5
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

shopt -s nullglob
programs=(build/release/bin/bench_*)
[[ ${#programs[@]} -gt 0 ]] || die "no benchmark was built"
for ((round = 1; round <= rounds; ++round)); do
  say "round $round of $rounds"
  for program in $(shuf -e "${programs[@]}"); do
    "$program" --benchmark_enable_random_interleaving=true --benchmark_min_time=0.2 \
      --benchmark_out="build/bench/$(basename "$program").$round.csv" \
      --benchmark_out_format=csv "$@" >/dev/null 2>&1 ||
      say "$(basename "$program") failed"
  done
done

awk -v rounds="$rounds" '
  function trim(text) { gsub(/^ +| +$/, "", text); return text }
  function microseconds(time, unit) {
    return time * (unit == "ns" ? 1e-3 : unit == "us" ? 1 : unit == "ms" ? 1e3 : 1e6)
  }
  FNR == 1 { started = 0 }
  FILENAME ~ /\.csv$/ {
    if (/^name,/) { started = 1; next }
    if (!started) next
    fields = split($0, field, ",")
    name = field[1]
    gsub(/"|\/real_time|\/iterations:[0-9]+/, "", name)
    match(FILENAME, /\.[0-9]+\.csv$/)
    round = substr(FILENAME, RSTART + 1, RLENGTH - 5)
    if (field[3] > 0) time[name, round] = microseconds(field[3], field[5])
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
      if (!((above, round) in time)) continue
      divisor = below
      if (below !~ /^[0-9.]+$/) {
        if (!((below, round) in time)) continue
        divisor = time[below, round]
      }
      ratio = (time[above, round] / units[1]) / (divisor / units[2])
      for (i = n++; i > 0 && sorted[i] > ratio; --i) sorted[i + 1] = sorted[i]
      sorted[i + 1] = ratio
    }
    if (n == 0) next
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
[[ $# -gt 0 ]] || ./bench/compile_cost.sh
