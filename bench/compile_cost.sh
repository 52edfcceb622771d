#!/usr/bin/env bash
# compile_cost.sh: what including <resumable/resumable.hpp> and <nlohmann/json.hpp> costs g++ and
# clang++ (processor time, the median of five of each), and the bytes of the stripped core as a
# shared library: lines of CSV as the benchmarks write them, for rows P16a to P16c of
# scripts/bench.sh.
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#include <resumable/resumable.hpp>\n' >"$folder/resumable.cpp"
printf '#include <nlohmann/json.hpp>\n' >"$folder/nlohmann.cpp"

cost() { # cost COMPILER FILE: seconds of the processor
  for _ in 1 2 3 4 5; do
    (TIMEFORMAT='%U %S' && time "$1" -std=c++20 -O2 -Iinclude \
      -c "$folder/$2.cpp" -o "$folder/$2.o") 2>&1
  done | awk '{ print $1 + $2 }' | sort -n | sed -n 3p
}

./scripts/build.sh resumable
printf 'name,iterations,real_time,cpu_time,time_unit,"MB"\n'
for compiler in g++ clang++; do
  for header in resumable nlohmann; do
    seconds=$(cost $compiler $header)
    printf '"compile/%s/%s",5,%s,%s,s,\n' $compiler $header "$seconds" "$seconds"
  done
done
g++ -shared -s -Wl,--gc-sections -Wl,--whole-archive build/release/src/libresumable.a \
  -Wl,--no-whole-archive -o "$folder/libresumable.so"
awk -v bytes="$(stat -c %s "$folder/libresumable.so")" \
  'BEGIN { printf "\"compile/core\",1,1,1,s,%s\n", bytes / 1e6 }'
