#!/usr/bin/env bash
# pictures.sh [BUILD]: makes the pictures of `resumable report` in docs/pictures again, and tries the
# page as a person does: clicks, keys, search, markup in names, and how fast 10,000 items open. Needs
# Chromium (Debian: chromium) and Python 3, which neither the build nor test.sh needs. BUILD is a
# build folder (build/release, built if needed).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v chromium >/dev/null || die "install chromium"
build=${1:-}
if [[ -z $build ]]; then
  ./scripts/setup.sh
  ./scripts/build.sh memo corpus resumable_program
  build=build/release
fi
bin=$(realpath "$build/bin")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sources=$PWD/examples/data/memo
pictures=$PWD/docs/pictures
scripts=$PWD/scripts
mkdir -p "$pictures"
cd "$out"
export PYTHONDONTWRITEBYTECODE=1

say "a memo that is interrupted, killed, edited and begun again"
run=(Cloudgov --pace 150 --out output)
timeout -s INT 6 "$bin/memo" run "${run[@]}" --sources "$sources" --min-score 0 &>/dev/null || true
timeout -s KILL 5 "$bin/memo" resume "${run[@]}" --concurrency 2 &>/dev/null || true
"$bin/memo" resume "${run[@]}" --concurrency 3 &>/dev/null
sed -i '0,/"quotes": \[/s//"quotes": [{"text": "Cloudgov is ten years old."},/' output/Cloudgov-v0.0.1/1-research.json
timeout -s INT 4 "$bin/memo" resume "${run[@]}" &>/dev/null || true
"$bin/resumable" report Cloudgov-v0.0.1 -o memo.html 2>/dev/null

say "10,000 items, killed once"
python3 - >outline.json <<'END'
import json
subjects = lambda d: [{"code": f"{d:02}{m:03}", "label": f"subject {m} of {d}", "concepts": ["one", "two"]}
                      for m in range(500)]
json.dump({"name": "Large", "language": "en", "domains": [
    {"code": f"{d:02}", "label": f"DOMAIN {d}", "microthesauri": subjects(d)} for d in range(20)]},
    open("/dev/stdout", "w"))
END
many=(generate --concurrency 4 --out many)
timeout -s KILL 20 "$bin/corpus" "${many[@]}" --outline outline.json --section-words 20 \
  --target-words 100000000 &>/dev/null || true
"$bin/corpus" "${many[@]}" &>/dev/null
"$bin/resumable" report --store many -o many.html 2>/dev/null

python3 "$scripts/pictures.py" memo.html many.html "$pictures"
say "look at $pictures"
