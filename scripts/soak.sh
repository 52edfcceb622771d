#!/usr/bin/env bash
# soak.sh [ITEMS [PLACES]]: tests for which test.sh has no time. A large run in a journal, with
# ITEMS items (default: 100000, which takes one to two minutes); every file of a store damaged
# at PLACES places (default: 200, about ten minutes); and what clang++ says of programs that must
# not compile.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

./scripts/setup.sh --tests
cmake --preset release -DRESUMABLE_SUITES='programs;crash' >/dev/null
cmake --build --preset release --target test_programs test_crash >&2
RESUMABLE_TEST_ITEMS=${1:-100000} build/release/tests/bin/test_programs \
  --gtest_filter='Stores/Sweep.OfALargeRun*/journal'
RESUMABLE_TEST_PLACES=${2:-200} build/release/tests/bin/test_crash \
  --gtest_filter='Stores/DamagedStore.*'
cmake --preset dev-clang >/dev/null
ctest --preset dev-clang -L compile_fail
