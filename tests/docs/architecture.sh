#!/usr/bin/env bash
# architecture.sh ROOT: is the graph in docs/architecture.md the one of the sources, and is no module
# larger than a fifth of src/?
set -euo pipefail
script=$1/scripts/check-modules.sh
shown=$(awk '/^<!-- graph -->$/ { wanted = 1 } /^```$/ && inside { exit } inside
  /^```text$/ && wanted { inside = 1 }' "$1/docs/architecture.md")
diff <(printf '%s\n' "$shown") <(bash "$script" --graph) || {
  echo "docs/architecture.md (<) does not show the modules as they are (>)" >&2
  exit 1
}
bash "$script" --sizes
