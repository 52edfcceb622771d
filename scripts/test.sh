#!/usr/bin/env bash
# test.sh [PRESET...]: from a bare machine to a verdict. The presets:
#   release      all tests of the library, the programs, the examples and the package; the default
#   asan-ubsan   the suites of the library, with AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan         those of them that use threads, with ThreadSanitizer
# CI runs all three; release then leaves the suites of the library to asan-ubsan. The last line is
# the sum: 'N passed, N failed'.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

passed=0
failed=0
table=()
failures_in=()

# Addresses that are randomised too far apart are refused by ThreadSanitizer on newer kernels.
plainly=()
if setarch "$(uname -m)" -R true 2>/dev/null; then plainly=(setarch "$(uname -m)" -R); fi

# attribute NAME FILE: of the first element of a JUnit file that has it
attribute() { sed -nE "s/.*[[:space:]]$1=\"([0-9]+)\".*/\1/p" "$2" | head -n 1; }

# count_suites FOLDER: 'PASSED FAILED SKIPPED' to be added, for suites that ctest counts as one test
count_suites() {
  local file tests failures skipped sums=(0 0 0)
  for file in "$1"/*.xml; do
    [[ -s $file ]] || continue
    tests=$(attribute tests "$file")
    failures=$(attribute failures "$file")
    skipped=$(grep -cE 'result="skipped"|status="notrun"' "$file" || true)
    sums[0]=$((sums[0] + tests - failures - skipped - (failures == 0)))
    sums[1]=$((sums[1] + failures - (failures > 0)))
    sums[2]=$((sums[2] + skipped))
  done
  echo "${sums[@]}"
}

phase() { # phase PRESET
  local preset=$1 from=$SECONDS junit=$PWD/build/$1/junit.xml status=0 flags=()
  [[ $preset != release ]] || flags=(-DRESUMABLE_SUITES="$suites")
  say "$preset: configure and build"
  if ! cmake --preset "$preset" "${flags[@]}" >"build/$preset.log" 2>&1; then
    cat "build/$preset.log" >&2
    table+=("$preset: does not configure")
    failed=$((failed + 1))
    return 1
  fi
  if ! cmake --build --preset "$preset" -- -k 0 >"build/$preset.log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\]' "build/$preset.log" | tail -n 200 >&2 || true
    table+=("$preset: does not build")
    failed=$((failed + 1))
    return 1
  fi
  local built=$((SECONDS - from)) warnings
  warnings=$(grep -c ' warning: ' "build/$preset.log" || true)
  say "$preset: tests"
  rm -rf "$junit" "build/$preset/tests/results"
  "${plainly[@]}" ctest --preset "$preset" --output-junit "$junit" || status=$?
  local tests failures skipped more
  if [[ ! -s $junit ]]; then
    table+=("$preset: ctest gave no verdict (exit $status)")
    failed=$((failed + 1))
    return 1
  fi
  tests=$(attribute tests "$junit")
  failures=$(attribute failures "$junit")
  skipped=$(($(attribute skipped "$junit") + $(attribute disabled "$junit")))
  local good=$((tests - failures - skipped))
  read -ra more < <(count_suites "build/$preset/tests/results")
  good=$((good + more[0]))
  failures=$((failures + more[1]))
  skipped=$((skipped + more[2]))
  if [[ $status -ne 0 && $failures -eq 0 ]]; then failures=1; fi
  [[ $failures -eq 0 ]] || failures_in+=("$junit")
  passed=$((passed + good))
  failed=$((failed + failures))
  table+=("$preset: $good passed, $failures failed, $skipped skipped; $warnings warnings; build ${built} s, tests $((SECONDS - from - built)) s")
}

[[ $# -gt 0 ]] || set -- release
# Once is enough for the suites of the library, which take longest.
suites=all
[[ " $* " != *" asan-ubsan "* ]] || suites='memory;memo;research;insights;corpus;review;programs'
./scripts/setup.sh --tests
mkdir -p build
for preset in "$@"; do phase "$preset" || true; done

# Once more, where whoever reads only the end finds it.
for junit in "${failures_in[@]}"; do
  awk '/<testcase .*status="fail"/ { show = 1 } show { print } /<\/testcase>/ { show = 0 }' "$junit" |
    cut -c -300 | tail -n 60
done

say "after $SECONDS s"
printf '%s\n' "${table[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
