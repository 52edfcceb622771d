#!/usr/bin/env bash
# build.sh [TARGET...]: the release build in build/release, its programs in build/release/bin.
# Without a target: the library and all example programs.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v cmake >/dev/null || die "no cmake here: ./scripts/setup.sh installs what is missing"
say "building ${*:-library and programs} in build/release"
cmake --preset release >/dev/null
cmake --build --preset release --target "${@:-programs}" >&2
