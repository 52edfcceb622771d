#!/usr/bin/env bash
# soak.sh [ITEMS [PLACES]]: tests for which test.sh has no time. A large run in a journal, with
# ITEMS items (default: 100000, which takes one to two minutes); and every file of a store damaged
# at PLACES places (default: 200, about ten minutes).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

./scripts/setup.sh --tests
./scripts/build.sh test_programs test_crash
RESUMABLE_TEST_ITEMS=${1:-100000} build/release/tests/bin/test_programs \
  --gtest_filter='Stores/Sweep.OfALargeRun*/journal'
RESUMABLE_TEST_PLACES=${2:-200} build/release/tests/bin/test_crash \
  --gtest_filter='Stores/DamagedStore.*'
