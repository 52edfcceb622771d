# Sourced by the scripts beside it: --help, where we are, logging, how many cores to use.
set -euo pipefail
shopt -s inherit_errexit

# A script's first comment is its help. Before anything else: some install packages.
for argument in "$@"; do
  [[ $argument == -h || $argument == --help ]] || continue
  sed -nE '1d; /^#/!q; s/^# ?//p' "${BASH_SOURCE[1]}"
  exit
done

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

cores=$(nproc)
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$cores}
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$cores}

# ccache keeps its files below HOME; without a HOME that takes them, below build/.
if [[ -z ${CCACHE_DIR:-} && ! -w ${HOME:-/nonexistent} ]]; then
  export CCACHE_DIR=$PWD/build/ccache
fi
