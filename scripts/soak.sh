#!/usr/bin/env bash
# soak.sh [ITEMS [PLACES]]: tests for which test.sh has no time.
#   a large run in a journal, with ITEMS items (default: 100000): two minutes
#   every file of a store damaged at PLACES places (default: 200): twenty minutes
#   SQLite runs and commands killed, and without power, at every call: a quarter of an hour
#   every allocation of a run failing: half an hour
#   workers on PostgreSQL that are killed and cut off while the server crashes: five minutes
#   a job that a Slurm of this host preempts, if slurm-wlm can be installed: two minutes
#   values as objects in radosgw, if it is installed (apt-get install radosgw ceph-mon ceph-osd)
#   what clang++ says of programs that must not compile
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

./scripts/setup.sh --tests
cmake --preset release >/dev/null
cmake --build --preset release --target test_programs test_crash test_s3 test_sqlite \
  test_postgres test_memory >&2
RESUMABLE_TEST_ITEMS=${1:-100000} build/release/tests/bin/test_programs \
  --gtest_filter='Stores/Sweep.OfALargeRun*/journal'
RESUMABLE_TEST_PLACES=${2:-200} build/release/tests/bin/test_crash \
  --gtest_filter='Stores/DamagedStore.*:Stores/DamageTable.*'
RESUMABLE_TEST_SOAK=1 build/release/tests/bin/test_sqlite \
  --gtest_filter='*KilledSqlite*:*WithoutPower*:DamagedSqliteRun.*:*Chaos.*'
RESUMABLE_TEST_SOAK=1 build/release/tests/bin/test_postgres --gtest_filter='*Chaos.*'
RESUMABLE_TEST_SOAK=1 build/release/tests/bin/test_memory
if [[ $(id -u) -eq 0 ]] && ./scripts/setup.sh --slurm; then
  cmake --build --preset release --target corpus >&2
  ./tests/batch/slurm.sh build/release/bin
else
  say "skipped: the job in a Slurm of this host, which needs root and slurm-wlm"
fi
if command -v radosgw >/dev/null && command -v ceph-osd >/dev/null; then
  tests/s3/radosgw.sh build/release/tests/bin/test_s3 --gtest_filter='ForeignServer.*'
else
  say "radosgw is not installed: what needs a foreign server of S3 is left out"
fi
cmake --preset dev-clang >/dev/null
ctest --preset dev-clang -L compile_fail
