#!/usr/bin/env bash
# quickstart.sh README PROGRAM FOLDER: does the first program do what README shows?
#
# Replays the ```console block after <!-- transcript -->: runs each command after '$ ./memo' in one
# folder and compares what it prints, and any other command by bash. Where the block says 'Killed', the program is killed with
# SIGKILL as soon as it has printed the line before.
set -euo pipefail

readme=$1 program=$2 folder=$3

mapfile -t transcript < <(awk '
  /^<!-- transcript -->$/ { wanted = 1 }
  /^```/ && inside { exit }
  inside
  /^```console$/ && wanted { inside = 1 }' "$readme")
[[ ${#transcript[@]} -gt 0 ]] || { echo "no transcript in $readme" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

commands=0 kills=0 pid=''
fail() {
  [[ -z $pid ]] || kill -9 "$pid" 2>/dev/null || true
  printf '%s\n' "$@" >&2
  exit 1
}

finish() { # the program has no more to say, and ends well
  local line
  [[ -n $pid ]] || return 0
  if IFS= read -r line <&3; then fail "after '$command': not in README: $line"; fi
  wait "$pid" || fail "'$command' ends with exit code $?"
  pid=''
}

for expected in "${transcript[@]}"; do
  if [[ $expected == '$ ./memo '* ]]; then
    finish
    command=$expected
    read -ra arguments <<<"${expected#\$ ./memo }"
    exec 3< <(exec "$program" "${arguments[@]}")
    pid=$!
    commands=$((commands + 1))
  elif [[ $expected == '$ '* ]]; then
    finish
    command=$expected
    bash -c "${expected#\$ }" || fail "'$command' fails"
  elif [[ $expected == Killed ]]; then
    kill -9 "$pid"
    wait "$pid" && fail "'$command' ended before it could be killed"
    pid=''
    kills=$((kills + 1))
  else
    IFS= read -r line <&3 || fail "after '$command', missing: $expected"
    [[ $line == "$expected" ]] || fail "after '$command'" "README: $expected" "program: $line"
  fi
done
finish

# What a user types wrongly is told, and does not end the program by a signal.
code=0
said=$("$program" $'\xff' team 2>&1 >/dev/null) || code=$?
[[ $code -eq 2 && $said == error:* ]] || fail "a name that is not UTF-8: exit code $code" "$said"
[[ $commands -ge 4 && $kills -ge 1 ]] || fail "README tries $commands commands and $kills kills"
