#!/usr/bin/env bash
# check.sh [CHECK...]: format, links, words, sizes, reference, benches, tidy, alone, readme; all
# without an argument.
#   format      every source file is formatted by .clang-format
#   links       relative links and anchors of all Markdown pages lead somewhere
#   words       lines of Markdown are at most 100 columns wide, no phrase is on the list below, and
#               no file has the marks of a merge that was not completed
#   sizes       headers of include/ and src/ have at most 500 lines, sources at most 700; the
#               programs stay small (the limits are in check_programs)
#   reference   doxygen builds the API reference without a warning
#   benches     the benchmarks compile without a warning
#   tidy        clang-tidy has no warning about src/ and the headers it includes
#   alone       every source and every header of the library compiles alone, without a warning
#   embedded    other projects build the library as a part of theirs, and use it as a shared library
#   readme      the README's lines build, install and use the library; ccache has its files from `alone`
# check.sh --tidy FILE...: clang-tidy for these files of src/ alone.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Phrases that stop a reader. Left: extended regular expression; right: what to write.
phrases=(
  '\banew\b|again'
  '\bgo(es)? on with\b|continue with'
  '\bmend(s|ed)?\b|fix'
  '\bon record\b|recorded'
  '\bnobody knows\b|it is unknown'
  '\bas if nothing had happened\b|say what is the same'
)

pages() { git ls-files '*.md' 2>/dev/null || find . -name '*.md' -not -path './build/*'; }

check_format() { ./scripts/format.sh; }
check_reference() { ./scripts/docs.sh; }

# without_warning LOG COMMAND...
without_warning() {
  mkdir -p build
  "${@:2}" >"$1" 2>&1 && ! grep ' warning: ' "$1" >&2 && return
  tail -n 50 "$1" >&2
  return 1
}

check_benches() { without_warning build/benches.log ./scripts/build.sh benches; }

# The anchors of a page as GitHub makes them: lower case, punctuation dropped, spaces to hyphens.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print }' "$1" |
    sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; s/[`*]//g' | tr '[:upper:]' '[:lower:]' |
    sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

check_links() {
  local page line target file anchor folder failures=0
  while IFS= read -r page; do
    folder=$(dirname "$page")
    while IFS=$'\t' read -r line target; do
      file=${target%%#*} anchor=''
      [[ $target != *#* ]] || anchor=${target#*#}
      if [[ -z $file ]]; then file=$page; else file=$folder/$file; fi
      if [[ ! -e $file ]]; then
        echo "$page:$line: no such file: $target" >&2
        failures=$((failures + 1))
      elif [[ -n $anchor && $file == *.md ]] && ! anchors "$file" | grep -qxF -- "$anchor"; then
        echo "$page:$line: no such heading: $target" >&2
        failures=$((failures + 1))
      fi
    done < <(awk '
      /^```/ { code = !code; next }
      code { next }
      { rest = $0
        gsub(/`[^`]*`/, "", rest)
        while (match(rest, /\]\([^)]+\)/)) {
          target = substr(rest, RSTART + 2, RLENGTH - 3)
          if (target !~ /^[a-z]+:/) print FNR "\t" target
          rest = substr(rest, RSTART + RLENGTH)
        } }' "$page")
  done < <(pages)
  [[ $failures -eq 0 ]]
}

check_words() {
  local page entry found status=0
  while IFS= read -r page; do
    [[ $page != CHANGELOG.md && $page != docs/decisions.md && $page != examples/data/* ]] || continue
    # Tables, code and links cannot be wrapped; CHANGELOG and decisions are lists of long entries.
    awk -v page="$page" '
      /^```/ { code = !code }
      !code && !/^\|/ && !/\]\(/ {
        line = $0
        gsub(/[\200-\277]/, "", line)  # count characters, not bytes
        if (length(line) > 100) gsub(/`[^`]*`/, "", line)
        if (length(line) > 100) { printf "%s:%d: %d columns\n", page, FNR, length(line); bad = 1 }
      }
      END { exit bad }' "$page" >&2 || status=1
  done < <(pages)
  for entry in "${phrases[@]}"; do
    found=$(grep -rnEi --include='*.md' --include='*.hpp' --include='*.cpp' --exclude=decisions.md --exclude-dir=data -- "${entry%|*}" \
      README.md CONTRIBUTING.md SECURITY.md docs include src examples tests bench |
      grep -v '^examples/corpus/vocabulary' || true)  # a city's encyclopedia has a style of its own
    [[ -n $found ]] || continue
    printf '%s\n' "$found" | cut -c -150 >&2
    echo "    write: ${entry##*|}" >&2
    status=1
  done
  if grep -rnE --exclude-dir={build,.git,data} '^(<{7}|>{7}) ' . >&2; then status=1; fi
  return $status
}

# at_most LIMIT WHAT NUMBER
at_most() {
  [[ $3 -le $1 ]] && return
  echo "$2: $3, at most $1" >&2
  return 1
}

cpp_of() { find "$@" -name '*.?pp'; }
lines_of() { cpp_of "$@" | xargs cat | wc -l; }

# program NAME LINES TESTS: at most so many lines of C++ in examples/NAME and in tests/NAME.
program() {
  local status=0
  at_most "$2" "lines of examples/$1" "$(lines_of "examples/$1")" || status=1
  at_most 30 "files of C++ in examples/$1" "$(cpp_of "examples/$1" | wc -l)" || status=1
  at_most "$3" "lines of tests/$1" "$(lines_of "tests/$1")" || status=1
  at_most 150 "lines of docs/$1.md" "$(wc -l <"docs/$1.md")" || status=1
  return "$status"
}

# The programs show what the library is for. They are small enough to be read; what understands text
# is a model, or SQLite. A program gets its line here when it is small.
check_programs() {
  local status=0
  program memo 3120 1150 || status=1
  program research 3440 1210 || status=1
  program insights 3712 1601 || status=1  # 3500 is the aim
  program corpus 1795 1520 || status=1
  program review 1090 642 || status=1
  # What they share; 2200 is the aim.
  at_most 2996 "lines of examples/{model,text,program}" \
    "$(lines_of examples/{model,text,program})" || status=1
  # 7000 is the aim.
  at_most 8238 "lines of the programs' tests" \
    "$(lines_of tests/{memo,research,insights,corpus,review,model,text,programs})" || status=1
  at_most 150 "files of examples/data" "$(find examples/data -type f | wc -l)" || status=1
  at_most 3000 "kB of examples/data" "$(du -sk --apparent-size examples/data | cut -f1)" || status=1
  return "$status"
}

check_sizes() {
  local status=0
  check_programs || status=1
  find include src \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 wc -l |
    awk '
      $2 == "total" { next }
      { most = $2 ~ /hpp$/ ? 500 : 700 }
      $1 > most { printf "%s: %d lines, at most %d\n", $2, $1, most; bad = 1 }
      END { exit bad }' >&2 || status=1
  return "$status"
}

# A build folder for clang-tidy, without tests and programs. Files are checked in batches: clang-tidy
# spends most of its time in headers, nlohmann/json above all, and so reads them a tenth as often. A
# file alone takes 18 s of one core, a batch of twelve 20 to 30 s, and no check has more than a tenth.
tidy_folder=build/tidy
configure_tidy() {
  cmake -S . -B $tidy_folder -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 \
    -DRESUMABLE_BUILD_TESTS=OFF -DRESUMABLE_BUILD_EXAMPLES=OFF -DRESUMABLE_BUILD_BENCH=OFF >/dev/null
}

tidy() { # tidy FILE...
  local status=0
  printf '%s\0' "$@" | xargs -0 -n 1 -P "$cores" \
    clang-tidy -p $tidy_folder --quiet --checks=-bugprone-suspicious-include --warnings-as-errors='*' \
    >$tidy_folder/out.txt 2>$tidy_folder/err.txt || status=1
  if [[ $status -ne 0 ]]; then
    grep -hE '(warning|error):' $tidy_folder/out.txt $tidy_folder/err.txt | sed "s|$PWD/||" | sort -u >&2
  fi
  return $status
}

check_tidy() {
  local batches
  configure_tidy
  mapfile -t batches < <(find $tidy_folder -path '*/Unity/*.cxx' | sort)
  tidy "${batches[@]}"
}

# The presets compile in batches, in which one file's headers serve the next file.
check_alone() {
  cmake -S . -B build/alone -G Ninja -DRESUMABLE_BUILD_{TESTS,EXAMPLES,BENCH}=OFF >/dev/null &&
    without_warning build/alone.log cmake --build build/alone -- -k 0 &&
    without_warning build/headers.log ./scripts/build.sh test_headers
}

consumer() { # consumer WAY BUILD
  bash tests/consumer/check.sh "$1" "$PWD" "$2" "$PWD/build/consumer" \
    cmake Ninja c++ "$(command -v ccache || true)"
}

check_embedded() {
  local way status=0
  cmake --preset release >/dev/null || return
  for way in add_subdirectory fetch_content find_package_shared; do
    consumer $way "$PWD/build/release" || status=1
  done
  return $status
}

check_readme() { consumer readme "$PWD/build"; }

./scripts/setup.sh --dev
if [[ ${1:-} == --tidy ]]; then
  shift
  configure_tidy
  tidy "$@"
  exit
fi
[[ $# -gt 0 ]] || set -- format links words sizes reference benches tidy alone embedded readme
failed=()
for check in "$@"; do
  from=$SECONDS
  if "check_$check"; then
    say "$check: fine ($((SECONDS - from)) s)"
  else
    say "$check: see above ($((SECONDS - from)) s)"
    failed+=("$check")
  fi
done
[[ ${#failed[@]} -eq 0 ]] || die "not clean: ${failed[*]}"
