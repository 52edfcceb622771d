#!/usr/bin/env bash
# make-golden.sh LAYOUT: writes tests/golden/LAYOUT, for instance layout-1, with the library as it is.
# A golden store is what users have on disk: make one for a new layout, and never again for a layout
# that was released.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

layout=${1:?which layout: layout-1}
build=${RESUMABLE_BUILD:-build/dev}
folder=$PWD/tests/golden/$layout
say "building the suite in $build"
cmake --build "$build" --target test_golden >&2
rm -rf "$folder"
RESUMABLE_GOLDEN_FOLDER=$folder "$build/tests/bin/test_golden" \
  --gtest_also_run_disabled_tests --gtest_filter='*.DISABLED_IsMade' >&2
say "written: $folder"
