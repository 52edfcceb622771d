#!/usr/bin/env bash
# check-rooms.sh [ROOT]     do the includes look one way only? Names each one that does not.
# check-rooms.sh --self-test     is every kind of violation caught?
#
# The rooms are the folders of src/; docs/architecture.md draws them. include/resumable/ is what
# users see. Needs bash, find and awk.
set -euo pipefail
shopt -s inherit_errexit

# Which rooms a room may include, besides itself. A room that is not listed here is refused.
declare -A may_look_at=(
  [sys]=""
  [core]=""
  [store]="core sys"
  [plan]="core"
  [artifact]="core sys"
  [run]="plan store artifact core sys"
  [cli]="run core sys"
  [testing]="run plan store artifact core sys"
)

# Which public headers a room must not know: stores know no pipelines, plans and core no stores
# beyond the interface, sys nothing of ours.
declare -A must_not_know=(
  [sys]="*"
  [core]="store file_store memory_store plan resume"
  [store]="pipeline stage context plan resume"
  [plan]="file_store memory_store resume context"
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

contains() { # contains "a b c" b
  [[ " $1 " == *" $2 "* ]]
}

room_of() { # room_of FILE: sys, core, … for src/, "public" for include/
  case $1 in
    include/*) echo public ;;
    src/*/*)
      local rest=${1#src/}
      echo "${rest%%/*}"
      ;;
    *) echo none ;;
  esac
}

check_public_header() { # check_public_header FILE LINE TARGET
  local file=$1 line=$2 target=$3
  local first=${target%%/*}
  if [[ -v may_look_at[$first] && $target == */* && ! -e $(dirname "$file")/$target ]] ||
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

check_room() { # check_room ROOM FILE LINE TARGET
  local room=$1 file=$2 line=$3 target=$4
  local first=${target%%/*}
  if [[ -v may_look_at[$first] && $target == */* && $first != "$room" ]] &&
    ! contains "${may_look_at[$room]}" "$first"; then
    emit "$file" "$line" direction "$room must not include $target"
  fi
  if [[ $target == resumable/* && -v must_not_know[$room] && $target != resumable/export.hpp ]]; then
    local header=${target#resumable/}
    header=${header%.hpp}
    if [[ ${must_not_know[$room]} == "*" ]] || contains "${must_not_know[$room]}" "$header"; then
      emit "$file" "$line" knowledge "$room must not know $target"
    fi
  fi
}

check_include() { # check_include FILE LINE TARGET
  local file=$1 line=$2 target=$3 room
  room=$(room_of "$file")
  if [[ $target == *..* ]]; then
    emit "$file" "$line" relative "include $target by its path from src/ or include/"
  fi
  if [[ $room == public ]]; then
    check_public_header "$file" "$line" "$target"
  elif [[ ! -v may_look_at[$room] ]]; then
    emit "$file" "$line" room "is in no room that this script knows"
  else
    check_room "$room" "$file" "$line" "$target"
  fi
  case $target in
    fcntl.h | unistd.h | signal.h | pthread.h | dirent.h | poll.h | sched.h | termios.h | \
      spawn.h | netdb.h | pwd.h | sys/*.h | linux/*.h | boost/filesystem* | boost/asio*)
      [[ $room == sys ]] || emit "$file" "$line" system "only src/sys may include $target"
      ;;
    iostream)
      [[ $room == cli ]] || emit "$file" "$line" silent "the library prints nothing"
      ;;
    nlohmann/json.hpp)
      [[ $file == *.cpp && $room != public ]] || contains "$json_headers" "$file" ||
        emit "$file" "$line" heavy "forward-declare with <nlohmann/json_fwd.hpp>"
      ;;
  esac
}

# Uses that no include shows: <filesystem> as more than a type, and printing.
check_uses() { # check_uses FILE
  local file=$1 room
  room=$(room_of "$file")
  [[ $room == sys || $room == cli ]] || awk -v file="$file" '
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
  [[ $room == cli ]] || awk -v file="$file" '
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

self_test() {
  local failures=0 rule file text found
  tree=$(mktemp -d)  # not local: the trap outlives this function
  trap 'rm -rf "$tree"' EXIT
  fresh() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/src/{sys,core,store,plan,artifact,run,cli,testing,other} \
      "$tree"/include/resumable/{testing,detail}
    # A tree that keeps every rule.
    echo '#include <fcntl.h>' >"$tree/src/sys/posix.cpp"
    echo '#include "sys/file_system.hpp"' >"$tree/src/store/file_store.cpp"
    printf '%s\n' '#include "core/graph.hpp"' '#include <resumable/store.hpp>' >"$tree/src/plan/planner.cpp"
    printf '%s\n' '#include "plan/planner.hpp"' '#include "store/file_store.hpp"' \
      '#include "artifact/export.hpp"' '#include <nlohmann/json.hpp>' \
      'void f() { std::snprintf(b, 1, ""); }  // not std::cout' >"$tree/src/run/executor.cpp"
    printf '%s\n' '#include "run/executor.hpp"' '#include <iostream>' >"$tree/src/cli/app.cpp"
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
direction|src/artifact/a.cpp|#include "store/envelope.hpp"
direction|src/run/a.cpp|#include "cli/app.hpp"
direction|src/cli/a.cpp|#include "store/file_store.hpp"
relative|src/run/a.cpp|#include "../core/key.hpp"
room|src/other/a.cpp|#include <vector>
room|src/a.cpp|#include <vector>
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
  -*)
    echo "usage: check-rooms.sh [ROOT | --self-test]" >&2
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
