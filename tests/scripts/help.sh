#!/usr/bin/env bash
# help.sh SOURCE FOLDER: each script prints its first comment for --help, wherever that stands among
# its arguments, and runs nothing that installs or builds: no program for that can be found.
set -euo pipefail

source=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
for tool in bash dirname nproc sed; do ln -s "$(command -v $tool)" "$folder"; done

status=0
for script in "$source"/scripts/*.sh; do
  name=$(basename "$script")
  [[ $name != common.sh ]] || continue
  for arguments in --help -h '--rounds 3 --help'; do
    [[ $name != check-modules.sh || $arguments != *' '* ]] || continue  # takes one argument
    # shellcheck disable=SC2086  # several words
    said=$(PATH=$folder bash "$script" $arguments 2>&1) || said="exit code $? $said"
    [[ $said == "$name"* ]] && grep -qF -- "$(tail -n 1 <<<"$said")" "$script" && continue
    printf '%s %s: %s\n' "$name" "$arguments" "$said" >&2
    status=1
  done
done
exit $status
