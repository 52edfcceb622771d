#!/usr/bin/env bash
# bench.sh [GOOGLE-BENCHMARK-FLAG...]: builds and runs bench_*, and prints the ratios.
#
# A ratio needs a yardstick in the same run: a benchmark with the path component 'raw', such as
# commit/raw/4096, is what commit/file_store/4096 is compared with. Rounds are shuffled, so that a
# disk that tires hits both; ratios are those of the medians. Results: build/bench/*.csv.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

./scripts/setup.sh
./scripts/build.sh benches
mkdir -p build/bench

printf 'machine: %s, %s cores, Linux %s\n' \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$cores" "$(uname -r)"

shopt -s nullglob
ran=0
for program in build/release/bin/bench_*; do
  name=$(basename "$program")
  printf '\n%s\n' "$name"
  "$program" --benchmark_enable_random_interleaving=true --benchmark_repetitions=7 \
    --benchmark_min_time=0.2 --benchmark_report_aggregates_only=true \
    --benchmark_out="build/bench/$name.csv" --benchmark_out_format=csv "$@" 2>/dev/null |
    grep -E '_median' | sort -V || true
  ran=$((ran + 1))
  printf '\nratios\n'
  awk -F, '
    $1 == "name" { header = 1; next }
    !header { next }
    $1 ~ /_median"?$/ {
      name = $1
      gsub(/"|_median/, "", name)
      time[name] = $3
      order[++n] = name
    }
    END {
      for (i = 1; i <= n; ++i) {
        parts = split(order[i], part, "/")
        if (("/" order[i] "/") ~ /\/raw\//) continue
        for (p = 1; p <= parts; ++p) {
          yardstick = ""
          for (q = 1; q <= parts; ++q)
            yardstick = yardstick (q > 1 ? "/" : "") (q == p ? "raw" : part[q])
          if (yardstick in time && time[yardstick] > 0) {
            ratio = time[order[i]] / time[yardstick]
            printf "  %-60s " (ratio < 0.005 ? "%6.0e" : "%6.2f") " x raw\n", order[i], ratio
          }
        }
      }
    }' "build/bench/$name.csv" | sort -V
done
[[ $ran -gt 0 ]] || die "no benchmark was built"
