#!/usr/bin/env bash
# soak.sh [ITEMS]: the test of a large run in a journal, with more items than test.sh has time for
# (default: 100000, which takes one to two minutes).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

./scripts/setup.sh --tests
./scripts/build.sh test_programs
RESUMABLE_TEST_ITEMS=${1:-100000} build/release/tests/bin/test_programs \
  --gtest_filter='Stores/Sweep.OfALargeRun*/journal'
