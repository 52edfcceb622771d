#!/usr/bin/env bash
# docs.sh: builds the API reference in build/docs/html. Fails if doxygen has a warning.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v doxygen >/dev/null || die "no doxygen: ./scripts/setup.sh --dev"
mkdir -p build/docs
doxygen Doxyfile >/dev/null
if [[ -s build/docs/warnings.txt ]]; then
  sed "s|$PWD/||" build/docs/warnings.txt >&2
  exit 1
fi
say "the API reference is in build/docs/html/index.html"
