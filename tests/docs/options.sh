#!/usr/bin/env bash
# options.sh ROOT: docs/options.md names the members of both structs, in the order of declaration.
set -euo pipefail

root=$1
members() { # members HEADER STRUCT
  awk -v name="$2" '
    $0 ~ "^struct " name " \\{" { inside = 1; next }
    inside && /^};/ { exit }
    inside' "$root/include/resumable/$1" |
    sed -nE 's/^  [A-Za-z][A-Za-z0-9_:<>, *]* ([a-z_]+)(\{| =|;).*/\1/p'
}
rows() { # rows HEADING
  awk -v heading="## $1" '$0 == heading { inside = 1; next } /^## / { inside = 0 } inside' \
    "$root/docs/options.md" | sed -nE 's/^\| (`[^|]*) \|.*/\1/p' | grep -oE '[a-z_]+'
}
diff <(members resume.hpp ResumeOptions) <(rows ResumeOptions)
diff <(members stage_options.hpp StageOptions) <(rows StageOptions)
