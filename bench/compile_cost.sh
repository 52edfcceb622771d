#!/usr/bin/env bash
# compile_cost.sh: rows P16a to P16c: what including <resumable/resumable.hpp> costs g++ and clang++,
# against <nlohmann/json.hpp> (processor time, the median of five of each), and the bytes of the
# stripped core as a shared library.
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#include <resumable/resumable.hpp>\n' >"$folder/ours.cpp"
printf '#include <nlohmann/json.hpp>\n' >"$folder/theirs.cpp"

cost() { # cost COMPILER FILE: seconds of the processor
  for _ in 1 2 3 4 5; do
    (TIMEFORMAT='%U %S' && time "$1" -std=c++20 -O2 -Iinclude -Ibuild/release/include \
      -c "$folder/$2.cpp" -o "$folder/$2.o") 2>&1
  done | awk '{ print $1 + $2 }' | sort -n | sed -n 3p
}

line() { # line ROW WHAT MEASURED GOAL
  awk -v row="$1" -v what="$2" -v measured="$3" -v goal="$4" 'BEGIN {
    printf "%-5s %-78s %8.3g  goal at most %s%s\n", row, what, measured, goal,
      measured <= goal ? "" : "  MISSED" }'
}

[[ -f build/release/include/resumable/export.hpp ]] || cmake --preset release >/dev/null
line P16a 'g++: including resumable.hpp / including nlohmann/json.hpp' \
  "$(awk "BEGIN { print $(cost g++ ours) / $(cost g++ theirs) }")" 1.3
line P16b 'clang++: including resumable.hpp / including nlohmann/json.hpp' \
  "$(awk "BEGIN { print $(cost clang++ ours) / $(cost clang++ theirs) }")" 1.3

./scripts/build.sh resumable
g++ -shared -s -Wl,--gc-sections -Wl,--whole-archive build/release/src/libresumable.a \
  -Wl,--no-whole-archive -o "$folder/libresumable.so"
line P16c 'the core as a shared library, stripped, in MB' \
  "$(awk "BEGIN { print $(stat -c %s "$folder/libresumable.so") / 1e6 }")" 1
