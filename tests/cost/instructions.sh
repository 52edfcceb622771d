#!/usr/bin/env bash
# instructions.sh PROGRAM LIMITS: counts, with callgrind, the instructions of each row of LIMITS and
# fails where there are more than it allows. Counts repeat to within a percent, where times do not.
# What does not grow with the units, such as starting the program, is taken off by a second count.
# Exits with 77 where there is no valgrind.
set -euo pipefail
program=$1
limits=$2
command -v valgrind >/dev/null || exit 77

instructions() { # instructions ARGUMENT...
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
    sed -nE 's/.*Collected : ([0-9]+).*/\1/p'
}

status=0
while read -r what few many limit; do
  [[ -n $what && $what != \#* ]] || continue
  if [[ $what == plan || $what == status ]]; then
    # Of the same run, more often.
    base=$(instructions "$what" "$many" 1)
    each=$((($(instructions "$what" "$many" 3) - base) / (2 * many)))
  else
    base=$(instructions "$what" "$few" 1)
    each=$((($(instructions "$what" "$many" 1) - base) / (many - few)))
  fi
  printf '%-11s %7d instructions each, at most %d\n' "$what" "$each" "$limit"
  [[ $each -le $limit ]] || status=1
done <"$limits"
exit $status
