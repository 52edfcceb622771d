#!/usr/bin/env bash
# buildable.sh BUILD: what `cmake --install BUILD` copies is built by the target `programs`, which is
# what scripts/build.sh builds. Skipped (77) where the generator is not Ninja.
set -euo pipefail

build=$1
[[ -e $build/build.ninja ]] || exit 77
commands=$(ninja -C "$build" -t commands programs)
missing=0
while read -r file; do
  case $file in
    */CMakeFiles/Export/* | */package/*) continue ;; # written when the build is configured
  esac
  grep -qwF -- "${file#"$build"/}" <<<"$commands" && continue
  printf "consumer.buildable: 'programs' does not build %s, which is installed\n" "$file" >&2
  missing=1
done < <(find "$build" -name cmake_install.cmake -not -path "$build/tests/consumer/*" -exec \
  sed -nE 's|.* FILES "([^"]+)"\)$|\1|p' {} + | grep -F "$build/" | sort -u)
exit "$missing"
