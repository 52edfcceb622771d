#!/usr/bin/env bash
# real-model.sh: memo, research, insights and corpus with a real language model behind a server that
# speaks /v1/chat/completions. Each is killed with SIGKILL while it waits for its second answer, and
# resumed. The model is tiny and babbles: a program may fail, but in a plain sentence, and it must end
# by itself, with an exit code of its own. Prints a row of a table for each.
#   MODEL=FILE.gguf     another model than examples/data/model/stories260K.gguf
#   LIMIT=SECONDS       how long a call of a program may take; 70
# Needs node 20 and npm, which fetches node-llama-cpp into build/real-model, 85 MB; neither the build
# nor test.sh does. What the programs said is kept in build/real-model/PROGRAM.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=3.22.1  # of node-llama-cpp
model=$(realpath "${MODEL:-examples/data/model/stories260K.gguf}")
limit=${LIMIT:-70}
folder=$PWD/build/real-model
log=$folder/server.log
bin=$PWD/build/release/bin
data=$PWD/examples/data

command -v npm >/dev/null || die "install npm and node 20"
for program in memo research insights corpus; do
  [[ -x $bin/$program ]] || ./scripts/build.sh $program
done

binary=@node-llama-cpp/linux-$(node -p process.arch)
if ! grep -q "\"version\": \"$version\"" "$folder/node_modules/$binary/package.json" 2>/dev/null; then
  say "npm install node-llama-cpp@$version"
  mkdir -p "$folder"
  # Only the binary of this machine's processor: all of them are 700 MB.
  npm install --prefix "$folder" --no-audit --no-fund --omit=optional --ignore-scripts --save-exact \
    "node-llama-cpp@$version" "$binary@$version" >"$folder/npm.txt" 2>&1 || die "npm failed: see $folder/npm.txt"
fi

rm -f "$log"
touch "$log"
coproc server { exec node scripts/real-model-server.mjs "$model" "$log" 2>"$folder/server.err"; }
# shellcheck disable=SC2154  # coproc sets it
trap 'kill "$server_PID" 2>/dev/null || true' EXIT
read -r -t 60 port <&"${server[0]}" || die "the server does not start: see $folder/server.err"

count() { grep -c "^$1 $2" "$log" || true; }  # count PROGRAM EVENT

# killed PROGRAM COMMAND...: runs it and kills it as soon as its second answer is ready.
killed() {
  local program=$1 pid until=$((SECONDS + limit))
  shift
  "$@" >"$folder/$program/killed.out" 2>"$folder/$program/killed.err" &
  pid=$!
  while [[ $(count "$program" held) -eq 0 && $SECONDS -lt $until ]] && kill -0 $pid 2>/dev/null; do
    sleep 0.1
  done
  kill -KILL $pid 2>/dev/null || true
  { wait $pid; } 2>/dev/null || true
}

# The error or note if there is one, otherwise the last line.
last_message() {
  local of=$folder/$1/resumed
  { grep -hE '^error: |^  note |"message":|^[a-z_]+ waits: ' "$of".{err,out} || grep -h . "$of".{out,err}; } |
    sed -n '$ { s/^ *//; p }'
}

failures=0
# try PROGRAM RUN RESUME: two commands, without the program's name.
try() {
  local program=$1 code=0 verdict=OK message
  rm -rf "${folder:?}/$program"
  mkdir -p "$folder/$program"
  # The words of a command have no spaces.
  # shellcheck disable=SC2086
  killed "$program" "$bin/$program" $2
  echo "$program resumed" >>"$log"
  # shellcheck disable=SC2086
  timeout -k 5 "$limit" "$bin/$program" $3 >"$folder/$program/resumed.out" 2>"$folder/$program/resumed.err" || code=$?
  message=$(last_message "$program" || true)
  if [[ $(count "$program" held) -eq 0 ]]; then verdict='OK, but not killed'; fi
  if [[ $code -ge 124 || -z $message ]]; then verdict='FAILED: crashed or did not end'; fi
  if grep -qE 'json\.exception|terminate called|what\(\)|std::|nlohmann' "$folder/$program"/*.{err,out}; then
    verdict='FAILED: a message for programmers'
  fi
  [[ $verdict == OK* ]] || failures=$((failures + 1))
  printf '| %s | %d | %d | %d | %d | %s | %s |\n' "$program" "$(count "$program" asked)" \
    "$(count "$program" 'answered 200')" "$(count "$program" repeated)" $code "$verdict" "${message:0:200}"
}

server_of() { echo "http://127.0.0.1:$port/$1"; }
provider_of() { echo "openai:$(basename "$model" .gguf)@$(server_of "$1")"; }

mkdir -p "$folder/input/deck"
cat >"$folder/input/deck/deck.md" <<'TEXT'
# Harbor Ferries

Harbor Ferries runs two electric ferries. Revenue was 1.2 million euros in 2024.

It raises 3 million euros for a third ferry. The founder is Mara Lind.
TEXT
# Two questions of the outline: all of them are more than the model holds.
node --input-type=module - "$folder/input/questions.json" <<'JS'
import fs from 'node:fs';
const outline = JSON.parse(fs.readFileSync('examples/memo/outline.json', 'utf8'));
const sections = outline.sections.slice(0, 2).map((one) => ({...one, questions: one.questions.slice(0, 1)}));
const deck = sections.flatMap(({questions}) => questions.map(({id}) => id));
fs.writeFileSync(process.argv[2], JSON.stringify({sections, deck}));
JS
cat >"$folder/input/request.json" <<'JSON'
{"systemId": "sales", "contextWindowDays": 61, "maxIterations": 4}
JSON
echo '{"resumeJobId": "one"}' >"$folder/input/resume.json"
cat >"$folder/input/outline.json" <<'JSON'
{"name": "Harbor", "language": "en", "domains": [{"code": "1", "label": "TRANSPORT", "microthesauri":
 [{"code": "11", "label": "sea transport", "concepts": ["ferry", "harbor", "pilot"]},
  {"code": "12", "label": "land transport", "concepts": ["bus", "road", "tram"]}]}]}
JSON

say "node-llama-cpp $version, $(basename "$model"), $(git log -1 --format=%h 2>/dev/null || echo 'no git')"
echo '| program | calls | answered | repeated | exit code | | last message |'
echo '| --- | --- | --- | --- | --- | --- | --- |'
try memo "run Harbor --sources $folder/input/deck --outline $folder/input/questions.json --out $folder/memo/out --provider openai --model $(basename "$model" .gguf) --base-url $(server_of memo)" \
  "resume Harbor --out $folder/memo/out"
try research "continue batch --pages $data/research-ferry --out $folder/research/out --provider openai --model $(basename "$model" .gguf) --base-url $(server_of research)" \
  "continue batch --out $folder/research/out"
try insights "request $folder/input/request.json --data $data/insights-coop --out $folder/insights/out --job one --budget 0 --provider $(provider_of insights)" \
  "request $folder/input/resume.json --out $folder/insights/out --budget 0"
corpus="generate --outline $folder/input/outline.json --out $folder/corpus/out --section-words 60 --retry-first 1s --provider $(provider_of corpus)"
try corpus "$corpus" "$corpus"
[[ $failures -eq 0 ]] || die "$failures of 4 failed: see $folder"
