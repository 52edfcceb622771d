#!/usr/bin/env bash
# demo.sh: writes an investment memo in 13 stages, kills the program with SIGKILL in the middle, and
# lets it continue. Installs and builds what it needs; leaves everything below build/demo.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

company=Cloudgov
pace=${RESUMABLE_DEMO_PACE:-400}  # milliseconds that a provider takes to answer
middle=4                          # of the ten sections written when the blow falls
out=$PWD/build/demo
events=$out/events.jsonl
memo=$PWD/build/release/bin/memo

./scripts/setup.sh
./scripts/build.sh memo
[[ -x $memo ]] || die "the build left no $memo"

rm -rf "$out"
mkdir -p "$out"

show() { printf '\n$ memo %s\n' "$*"; }

# Of a section, its value is committed, and before it the answer of its step: only the first counts.
sections_written() {
  [[ -e $events ]] || { echo 0; return; }
  grep '"event":"committed"' "$events" | grep '"stage":"draft"' | grep '"item":' | grep -vc '"step":' || true
}

arguments=(run "$company" --sources "$PWD/examples/data/memo" --out "$out" --events "$events" --pace "$pace")
show "${arguments[@]}"
"$memo" "${arguments[@]}" &
pid=$!
trap 'kill -9 "$pid" 2>/dev/null || true' EXIT
deadline=$((SECONDS + 120))
while [[ $(sections_written) -lt $middle ]]; do
  kill -0 "$pid" 2>/dev/null || die "memo ended before it could be killed"
  [[ $SECONDS -lt $deadline ]] || die "after 120 s, $(sections_written) sections are written"
  sleep 0.05
done
kill -9 "$pid"
{ wait "$pid"; } 2>/dev/null || true
trap - EXIT
written=$(sections_written)
printf '\n*** kill -9 with %s of 10 sections written ***\n' "$written"

show "status $company --out $out"
"$memo" status "$company" --out "$out" || die "memo status failed"
kept=$("$memo" status "$company" --out "$out" --json | grep -o '"stage":"draft".*' | grep -o '"kept":[0-9]*' | head -n 1 | tr -dc 0-9)
[[ $kept -ge $written ]] || die "$written sections were written, and only $kept are kept"

resume() {
  show "resume $company --out $out"
  code=0
  "$memo" resume "$company" --out "$out" --events "$events" || code=$?
}
resume
if [[ $code -eq 75 ]]; then
  # The score is below what the pipeline takes unseen: a person must say yes. Here it is us.
  show "approve $company --out $out"
  "$memo" approve "$company" --out "$out"
  resume
fi
[[ $code -eq 0 ]] || die "memo resume ended with exit code $code"

twice=$(grep '"event":"committed"' "$events" | grep '"stage":"draft"' | grep -v '"step":' | grep -o '"item":"[a-z]*"' | sort | uniq -d | wc -l)
[[ $twice -eq 0 ]] || die "$twice sections were written twice"
printf '\n*** done: none of the %s sections was written again ***\n' "$written"
