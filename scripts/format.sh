#!/usr/bin/env bash
# format.sh [--fix]: is every source file formatted by .clang-format? With --fix: format them.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v clang-format >/dev/null || die "no clang-format: ./scripts/setup.sh --dev"
mode=(--dry-run --Werror)
[[ ${1:-} != --fix ]] || mode=(-i)
find include src tests examples bench -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 -r clang-format "${mode[@]}"
