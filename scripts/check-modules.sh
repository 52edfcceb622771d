#!/usr/bin/env bash
# check-modules.sh [ROOT]     do the includes look one way only? Names each one that does not.
# check-modules.sh --self-test     is every kind of violation caught?
# check-modules.sh --graph         which module includes which, as docs/architecture.md shows it
# check-modules.sh --sizes         is each module at most a fifth of src/? Names those that are not.
#
# The modules are the folders of src/, and those of src/store; docs/architecture.md draws them.
# include/resumable/ is what users see. Needs bash, find and awk.
set -euo pipefail
shopt -s inherit_errexit

# Which modules a module may include, besides itself. A module that is not listed here is refused.
declare -A may_include=(
  [sys]=""
  [core]=""
  [value]="core sys"
  [store]="core sys"
  [store/file]="store core sys"
  [store/journal]="store/file store core sys"
  [plan]="value core"
  [record]="plan value core sys"
  [stage]="record plan value core sys"
  [exports]="record plan value core sys"
  [run]="exports stage record plan store value core sys"
  [manage]="exports record core sys"
  [survey]="exports core sys"
  [bundle]="core sys"
  [postgres]="store core sys"
  [sqlite]="store/file store core sys"
  [encryption]="store core"
  [sha256]="store core"
  [s3]="sha256 store core sys"
  [yaml]=""
  [zstd]="store core"
  [display]="core sys"  # and the public headers of events
  [cli]="display core sys"
  [inspector]="cli survey core"
  [testing]=""  # like a user's program: the public headers alone
)

# Which public headers a module must not know: stores know no pipelines, plans and core no stores
# beyond the interface, sys nothing of ours.
declare -A must_not_know=(
  [sys]="*"
  [core]="store file_store journal_store memory_store plan resume"
  [value]="store file_store journal_store memory_store plan resume"
  [store]="pipeline stage context plan resume"
  [store/file]="pipeline stage context plan resume"
  [store/journal]="pipeline stage context plan resume"
  [postgres]="pipeline stage context plan resume"
  [sqlite]="pipeline stage context plan resume"
  [encryption]="pipeline stage context plan resume"
  [sha256]="pipeline stage context plan resume"
  [s3]="pipeline stage context plan resume"
  [zstd]="pipeline stage context plan resume"
  [plan]="file_store journal_store memory_store resume context"
  [manage]="file_store journal_store memory_store pipeline stage context resume"
)

# The whole of nlohmann/json.hpp: what codec.hpp is made of, and no other header. (.cpp files of
# src/ may; which public headers reach it in the end is tested in tests/headers.)
json_headers="include/resumable/codec.hpp include/resumable/detail/json_codec.hpp
  include/resumable/detail/json_place.hpp"
json_headers=${json_headers//$'
'/}

emit() { # emit FILE LINE RULE TEXT
  printf '%s:%s: [%s] %s\n' "$1" "$2" "$3" "$4"
}

prints() { # prints MODULE: those that programs are made of
  [[ $1 == cli || $1 == inspector || $1 == display ]]
}

contains() { # contains "a b c" b
  [[ " $1 " == *" $2 "* ]]
}

module_of_path() { # module_of_path PATH: the module of a file that is named from src/
  case $1 in
    store/file/*) echo store/file ;;
    store/journal/*) echo store/journal ;;
    sys/*.h) echo the-system ;;  # <sys/stat.h>, not a header of src/sys
    *) echo "${1%%/*}" ;;
  esac
}

module_of() { # module_of FILE: sys, core, … for src/, "public" for include/
  case $1 in
    include/*) echo public ;;
    src/*/*) module_of_path "${1#src/}" ;;
    *) echo none ;;
  esac
}

check_public_header() { # check_public_header FILE LINE TARGET
  local file=$1 line=$2 target=$3
  local first=${target%%/*}
  if [[ -v may_include[$first] && $target == */* && ! -e $(dirname "$file")/$target ]] ||
    [[ $target == src/* ]]; then
    emit "$file" "$line" public "a public header includes $target, which is not installed"
  fi
  case $target in
    boost/*) emit "$file" "$line" heavy "a public header includes $target" ;;
    fmt/*)
      [[ $file == include/resumable/format.hpp ]] ||
        emit "$file" "$line" heavy "only format.hpp may include $target"
      ;;
  esac
}

check_module() { # check_module MODULE FILE LINE TARGET
  local module=$1 file=$2 line=$3 target=$4 first
  first=$(module_of_path "$target")
  if [[ -v may_include[$first] && $target == */* && $first != "$module" ]] &&
    ! contains "${may_include[$module]}" "$first"; then
    emit "$file" "$line" direction "$module must not include $target"
  fi
  if [[ $target == resumable/* && -v must_not_know[$module] && $target != resumable/export.hpp ]]; then
    local header=${target#resumable/}
    header=${header%.hpp}
    if [[ ${must_not_know[$module]} == "*" ]] || contains "${must_not_know[$module]}" "$header"; then
      emit "$file" "$line" knowledge "$module must not know $target"
    fi
  fi
}

check_include() { # check_include FILE LINE TARGET
  local file=$1 line=$2 target=$3 module
  module=$(module_of "$file")
  if [[ $target == *..* ]]; then
    emit "$file" "$line" relative "include $target by its path from src/ or include/"
  fi
  if [[ $module == public ]]; then
    check_public_header "$file" "$line" "$target"
  elif [[ ! -v may_include[$module] ]]; then
    emit "$file" "$line" module "is in no module that this script knows"
  else
    check_module "$module" "$file" "$line" "$target"
  fi
  case $target in
    fcntl.h | unistd.h | signal.h | pthread.h | dirent.h | poll.h | sched.h | termios.h | \
      spawn.h | netdb.h | pwd.h | sys/*.h | linux/*.h | boost/filesystem* | boost/asio*)
      # The kit for stores kills processes of its own.
      [[ $module == sys || ($module == testing && $target =~ ^(unistd.h|signal.h|sys/(types|wait).h)$) ]] ||
        emit "$file" "$line" system "only src/sys may include $target"
      ;;
    iostream)
      prints "$module" || emit "$file" "$line" silent "the library prints nothing"
      ;;
    nlohmann/json.hpp)
      [[ $file == *.cpp && $module != public ]] || contains "$json_headers" "$file" ||
        emit "$file" "$line" heavy "forward-declare with <nlohmann/json_fwd.hpp>"
      ;;
  esac
}

# Uses that no include shows: <filesystem> as more than a type, and printing.
check_uses() { # check_uses FILE
  local file=$1 module
  module=$(module_of "$file")
  [[ $module == sys ]] || prints "$module" || awk -v file="$file" '
    { sub(/\/\/.*/, "") }
    /= *std::filesystem *;/ || /using +namespace +std::filesystem/ {
      printf "%s:%d: [system] spell std::filesystem::path out, here it is a type only\n", file, FNR
    }
    { rest = $0
      while (match(rest, /filesystem::[a-z_]+/)) {
        name = substr(rest, RSTART + 12, RLENGTH - 12)
        if (name != "path" && name != "filesystem_error" && rest !~ /boost::filesystem/)
          printf "%s:%d: [system] std::filesystem::%s acts on the disk: that is for src/sys\n",
                 file, FNR, name
        rest = substr(rest, RSTART + RLENGTH)
      }
    }' "$file"
  prints "$module" || awk -v file="$file" '
    { sub(/\/\/.*/, "") }
    /std::(cout|cerr|clog)|[^a-zA-Z0-9_]printf *\(|fprintf *\( *(stdout|stderr)|fmt::print *\(|[^a-z_]puts *\(/ {
      printf "%s:%d: [silent] the library prints nothing\n", file, FNR
    }' "$file"
}

check_tree() { # check_tree ROOT: one line per violation on stdout
  cd "$1"
  local folders=() file line target
  [[ -d src ]] && folders+=(src)
  [[ -d include ]] && folders+=(include)
  [[ ${#folders[@]} -gt 0 ]] || return 0
  while IFS= read -r file; do
    while IFS=$'\t' read -r line target; do
      check_include "$file" "$line" "$target"
    done < <(awk 'match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]+/) {
      target = substr($0, RSTART, RLENGTH)
      sub(/^[^<"]*[<"]/, "", target)
      print FNR "\t" target
    }' "$file")
    check_uses "$file"
  done < <(find "${folders[@]}" -type f \( -name '*.hpp' -o -name '*.cpp' \) | LC_ALL=C sort)
}

modules_of_tree() { # the modules that have files, the outermost first
  local module
  for module in inspector bundle postgres s3 sqlite encryption sha256 zstd yaml testing cli display manage survey run exports stage record plan store/journal store/file store value core sys; do
    [[ ! -d src/$module ]] || echo "$module"
  done
}

files_of() { # files_of MODULE: its sources
  find "src/$1" \( -path "src/$1/file" -o -path "src/$1/journal" \) -prune -o -name '*.[ch]pp' -print
}

graph() { # what is included in fact, not what may be
  local module other include
  for module in $(modules_of_tree); do
    printf '%-10s ->' "$module"
    for other in $(modules_of_tree); do
      [[ $other != "$module" ]] || continue
      include="^ *# *include \"$other/"
      [[ $other != store ]] || include+='[^/]*"'
      ! files_of "$module" | xargs grep -qE "$include" || printf ' %s' "$other"
    done
    printf '\n'
  done
}

sizes() { # prints modules with more than a fifth of all lines
  local module lines all
  all=$(find src -name '*.[ch]pp' -exec cat {} + | wc -l)
  for module in $(modules_of_tree); do
    lines=$(files_of "$module" | xargs cat | wc -l)
    ((lines * 5 <= all)) || echo "src/$module has $lines of $all lines: more than a fifth"
  done
}

self_test() {
  local failures=0 rule file text found
  tree=$(mktemp -d)  # not local: the trap outlives this function
  trap 'rm -rf "$tree"' EXIT
  fresh() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/src/{sys,core,value,store/file,plan,record,stage,exports,run,survey,display,cli,inspector,testing,other} \
      "$tree"/include/resumable/{testing,detail}
    # A tree that keeps every rule.
    echo '#include <fcntl.h>' >"$tree/src/sys/posix.cpp"
    echo '#include "sys/file_system.hpp"' >"$tree/src/store/file_store.cpp"
    printf '%s\n' '#include "core/graph.hpp"' '#include <resumable/store.hpp>' >"$tree/src/plan/planner.cpp"
    printf '%s\n' '#include "plan/planner.hpp"' '#include "store/file_store.hpp"' \
      '#include "exports/folder.hpp"' '#include <nlohmann/json.hpp>' \
      'void f() { std::snprintf(b, 1, ""); }  // not std::cout' >"$tree/src/run/executor.cpp"
    printf '%s\n' '#include "display/frame.hpp"' '#include <iostream>' >"$tree/src/cli/app.cpp"
    echo '#include <nlohmann/json.hpp>' >"$tree/include/resumable/detail/json_codec.hpp"
    printf '%s\n' '#include <filesystem>' '#include <resumable/fwd.hpp>' \
      'FileStore(std::filesystem::path root);' >"$tree/include/resumable/file_store.hpp"
    echo '#include <fmt/format.h>' >"$tree/include/resumable/format.hpp"
    echo '#include <resumable/store.hpp>' >"$tree/include/resumable/testing/check_store.hpp"
  }
  fresh
  found=$(check_tree "$tree")
  if [[ -n $found ]]; then
    printf 'a tree that keeps the rules is refused:\n%s\n' "$found" >&2
    failures=1
  fi
  while IFS='|' read -r rule file text; do
    fresh
    printf '%s\n' "$text" >>"$tree/$file"
    found=$(check_tree "$tree")
    if [[ $found != "$file:"*"[$rule]"* ]]; then
      printf 'not caught as [%s]: %s in %s (said: %s)\n' "$rule" "$text" "$file" "$found" >&2
      failures=$((failures + 1))
    fi
  done <<'CASES'
direction|src/plan/a.cpp|#include "store/file_store.hpp"
direction|src/core/a.cpp|#include "store/envelope.hpp"
direction|src/core/a.hpp|#  include "plan/planner.hpp"
direction|src/core/a.cpp|#include "sys/clock.hpp"
direction|src/sys/a.cpp|#include "core/key.hpp"
direction|src/store/a.cpp|#include "run/executor.hpp"
direction|src/store/a.cpp|#include "plan/planner.hpp"
direction|src/store/a.cpp|#include "store/file/frame.hpp"
direction|src/run/a.cpp|#include "store/file/frame.hpp"
direction|src/exports/a.cpp|#include "run/executor.hpp"
direction|src/record/a.cpp|#include "exports/ledger.hpp"
direction|src/run/a.cpp|#include "cli/app.hpp"
direction|src/run/a.cpp|#include "display/frame.hpp"
direction|src/display/a.cpp|#include "run/executor.hpp"
direction|src/cli/a.cpp|#include "store/file_store.hpp"
direction|src/cli/a.cpp|#include "inspector/commands.hpp"
direction|src/inspector/a.cpp|#include "run/session.hpp"
direction|src/survey/a.cpp|#include "run/session.hpp"
direction|src/testing/a.cpp|#include "store/check.hpp"
relative|src/run/a.cpp|#include "../core/key.hpp"
module|src/other/a.cpp|#include <vector>
module|src/a.cpp|#include <vector>
public|include/resumable/a.hpp|#include "store/envelope.hpp"
public|include/resumable/a.hpp|#include "src/store/envelope.hpp"
knowledge|src/sys/a.cpp|#include <resumable/error.hpp>
knowledge|src/core/a.cpp|#include <resumable/store.hpp>
knowledge|src/store/a.cpp|#include <resumable/pipeline.hpp>
knowledge|src/plan/a.cpp|#include <resumable/file_store.hpp>
system|src/store/a.cpp|#include <unistd.h>
system|src/run/a.cpp|#include <sys/stat.h>
system|src/run/a.cpp|#include <signal.h>
system|src/core/a.cpp|#include <pthread.h>
system|src/testing/a.cpp|#include <fcntl.h>
system|src/cli/a.cpp|#include <fcntl.h>
system|include/resumable/stop.hpp|#include <signal.h>
system|src/store/a.cpp|#include <boost/filesystem.hpp>
system|src/run/a.cpp|#include <boost/asio/thread_pool.hpp>
system|src/run/a.cpp|for (auto& e : std::filesystem::recursive_directory_iterator(p)) {}
system|src/run/a.cpp|bool b = std::filesystem::exists(p);
system|include/resumable/a.hpp|namespace fs = std::filesystem;
heavy|include/resumable/store.hpp|#include <nlohmann/json.hpp>
heavy|src/run/a.hpp|#include <nlohmann/json.hpp>
heavy|include/resumable/error.hpp|#include <fmt/format.h>
heavy|include/resumable/error.hpp|#include <boost/container/small_vector.hpp>
silent|src/run/a.cpp|#include <iostream>
silent|src/run/a.cpp|void f() { std::cerr << 1; }
silent|src/store/a.cpp|void f() { fprintf(stderr, "x"); }
CASES
  if [[ $failures -gt 0 ]]; then exit 1; fi
  echo "every kind of violation is caught"
}

case ${1:-} in
  --self-test) self_test ;;
  --graph)
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    graph | sed 's/ *$//'
    ;;
  --sizes)
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    too_large=$(sizes)
    if [[ -n $too_large ]]; then
      printf '%s\n' "$too_large" >&2
      exit 1
    fi
    ;;
  -h | --help) sed -nE '1d; /^#/!q; s/^# ?//p' "${BASH_SOURCE[0]}" ;;
  -*)
    echo "usage: check-modules.sh [ROOT | --self-test | --graph | --sizes]" >&2
    exit 2
    ;;
  *)
    violations=$(check_tree "${1:-$(dirname "${BASH_SOURCE[0]}")/..}")
    if [[ -n $violations ]]; then
      printf '%s\n' "$violations" >&2
      exit 1
    fi
    ;;
esac
