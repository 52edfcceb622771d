#!/usr/bin/env bash
# setup.sh [--tests|--dev|--bench|--slurm]: installs with apt what the build needs and is missing
# (Debian 12 or newer). --tests adds clang and lld, for the sanitizers, sqlite3, which the docs type,
# postgresql and pgbouncer, of which the tests start some of their own, and valgrind, which counts
# instructions; --dev also clang-tidy, clang-format, doxygen and gcovr; --bench what the library is
# compared with; --slurm the scheduler that soak.sh starts. Does nothing, and needs no rights, when
# all is there.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
  cmake g++ ninja-build pkg-config ccache
  libarchive-dev libboost-dev libboost-filesystem-dev libcli11-dev libcmark-gfm-dev
  libcmark-gfm-extensions-dev libcsv-dev libcurl4-openssl-dev libdtl-dev libfmt-dev libgumbo-dev libpq-dev libsqlite3-dev libssl-dev libutf8proc-dev libxxhash-dev libyaml-cpp-dev
  libzstd-dev nlohmann-json3-dev
  libbenchmark-dev libcpp-httplib-dev libgmock-dev libgtest-dev librapidcheck-dev
  libcereal-dev libprotobuf-dev poppler-utils protobuf-compiler
)
case ${1:-} in
  '') ;;
  --tests | --dev) packages+=(clang libclang-rt-dev lld pgbouncer postgresql sqlite3 valgrind) ;;
  --bench) packages+=(libleveldb-dev liblmdb-dev librocksdb-dev make postgresql) ;;
  --slurm) packages+=(slurm-wlm) ;;
  *) die "unknown argument '$1': see ./scripts/setup.sh --help" ;;
esac
[[ ${1:-} != --dev ]] || packages+=(clang-format clang-tidy doxygen gcovr)

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  die "this is not Debian: install by other means what docs/dependencies.md lists"

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || die "not root, and no sudo: ask someone to install ${missing[*]}"
  as_root=(sudo)
fi

say "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -y -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null
}
apt update || {
  cat "$log" >&2
  say "apt-get update failed; trying with the lists that are there"
}
apt install --no-install-recommends "${missing[@]}" || {
  cat "$log" >&2
  die "apt-get could not install ${missing[*]}"
}
