#!/usr/bin/env bash
# troubleshooting.sh ROOT: does docs/troubleshooting.md have one entry for each Errc?
set -euo pipefail
codes=$(awk '/^enum class Errc/ { inside = 1; next } inside && /^};/ { exit }
  inside && match($0, /[a-z_]+ = [0-9]+/) { print substr($0, RSTART, RLENGTH) }' \
  "$1/include/resumable/error.hpp" | sed 's/ = .*//' | sort)
[[ $(wc -l <<<"$codes") -gt 20 ]] || { echo "cannot read the codes of error.hpp" >&2; exit 1; }
entries=$(sed -n 's/^### //p' "$1/docs/troubleshooting.md" | sort)
diff <(printf '%s\n' "$entries") <(printf '%s\n' "$codes") || {
  echo "docs/troubleshooting.md (<) and Errc (>) differ" >&2
  exit 1
}
