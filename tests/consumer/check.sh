#!/usr/bin/env bash
# check.sh WAY SOURCE BUILD WORK CMAKE GENERATOR COMPILER LAUNCHER
# Builds and runs the project in project/, or README's lines, in WORK/WAY; see the cases below.
set -euo pipefail

way=$1 source=$2 build=$3 work=$4 cmake=$5 generator=$6 compiler=$7 launcher=$8
here=$source/tests/consumer/project
dir=$work/$way
rm -rf "$dir"
mkdir -p "$dir"
# Only what this script says may lead to the library.
unset CMAKE_PREFIX_PATH CMAKE_MODULE_PATH resumable_DIR resumable_ROOT PKG_CONFIG_PATH \
  LD_LIBRARY_PATH CPATH LIBRARY_PATH CXXFLAGS LDFLAGS

fail() {
  printf 'consumer.%s: %s\n' "$way" "$1" >&2
  exit 1
}

# quietly LOG COMMAND...: its output is shown where it fails
quietly() {
  "${@:2}" >"$1" 2>&1 || {
    cat "$1" >&2
    fail "does not build"
  }
}

# configure PROJECT FOLDER FLAG...: a stranger's project, built in FOLDER
configure() {
  "$cmake" -S "$1" -B "$2" -G "$generator" --log-level=WARNING --no-warn-unused-cli \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "${@:3}" >/dev/null
  quietly "$2/build.log" "$cmake" --build "$2" --target consumer
}

# with_pkg_config PREFIX: the program, by the flags of the package there, linked at run time as well
with_pkg_config() {
  local flags
  export PKG_CONFIG_PATH=$(dirname "$(find "$1" -name resumable.pc)")
  flags=$(pkg-config --cflags --libs resumable)
  # shellcheck disable=SC2086  # the flags are several words
  "$compiler" -std=c++20 "$here/main.cpp" -o "$dir/by_pkg_config" $flags
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir resumable) run "$dir/by_pkg_config"
}

# lines LANGUAGE WORDS: the block of README.md in this language that has these words
lines() {
  awk -v fence='```'"$1" -v words="$2" '
    $0 == fence { inside = 1; block = ""; next }
    inside && /^```$/ { inside = 0; if (index(block, words)) printf "%s", block }
    inside { block = block $0 "\n" }' "$source/README.md"
}

# run PROGRAM: in an empty folder
run() {
  rm -rf "$dir/run"
  mkdir "$dir/run"
  (cd "$dir/run" && "$1") || fail "the program failed"
}

# install_and_move BUILD: the package ends in $dir/moved; nothing in it may name where it came from
install_and_move() {
  "$cmake" --install "$1" --prefix "$dir/installed" >/dev/null
  mv "$dir/installed" "$dir/moved"
  ! grep -rIFl -e "$dir/installed" -e "$source/" -e "$build/" "$dir/moved" ||
    fail "these files of the package name a folder of this build"
  local component
  for component in bundle cli encryption inspector postgres s3 sha256 sqlite testing yaml zstd; do
    [[ ";$(components "$dir/moved");" == *";$component;"* ]] && continue
    [[ -z $(find "$dir/moved" -path "*/resumable/$component*.hpp" -o \
      -path "*/resumable/$component/*.hpp") ]] ||
      fail "headers of '$component' are installed without the component"
  done
}

# components FOLDER: those of the package that is or was made there, as a CMake list
components() {
  find "$1" -name 'resumable-*.cmake' |
    sed -nE 's|.*/resumable-([a-z0-9]+)\.cmake$|\1|p' | sort -u | paste -sd ';'
}

# embed WAY: the library as a part of the stranger's build, as a shared library. Both ways use one
# build folder, so that the second compiles nothing, and batches as large as those of the presets.
embed() {
  configure "$here" "$work/embedded" -DWAY="$1" -DRESUMABLE_SOURCE="$source" \
    -DBUILD_SHARED_LIBS=ON -DRESUMABLE_INSTALL=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=64
}

case $way in
  readme)
    # Only the two folders are others than README's. Without batches, each source compiles alone.
    typed=$(lines sh 'cmake -S .')
    [[ $typed == *build/lib*build/lib*'~/.local'* ]] || fail "README builds the library in another way"
    typed=${typed//build\/lib/$dir/lib}
    quietly "$dir/build.log" env -C "$source" CXX="$compiler" \
      bash -euo pipefail -c "${typed//\~\/.local/$dir/installed}"
    mkdir "$dir/project"
    cp "$here/main.cpp" "$dir/project"
    {
      printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(app LANGUAGES CXX)' \
        'add_executable(app main.cpp)' 'add_custom_target(consumer DEPENDS app)'
      lines cmake find_package
    } >"$dir/project/CMakeLists.txt"
    configure "$dir/project" "$dir/app" -DCMAKE_PREFIX_PATH="$dir/installed"
    run "$dir/app/app"
    with_pkg_config "$dir/installed"
    ;;
  find_package)
    install_and_move "$build"
    configure "$here" "$dir/build" -DWAY=find_package -DCMAKE_PREFIX_PATH="$dir/moved" \
      -DCOMPONENTS="$(components "$dir/moved")"
    run "$dir/build/consumer"
    ;;
  find_package_shared)
    embed add_subdirectory
    quietly "$work/embedded/build.log" "$cmake" --build "$work/embedded"
    install_and_move "$work/embedded"
    here_too=$(components "$build/CMakeFiles") shared=$(components "$dir/moved")
    [[ $shared == "$here_too" ]] || fail "has the components $shared, and not $here_too"
    # A shared library keeps its own libraries to itself.
    configure "$here" "$dir/build" -DWAY=find_package -DCMAKE_PREFIX_PATH="$dir/moved" \
      -DCOMPONENTS="$shared" \
      -DCMAKE_DISABLE_FIND_PACKAGE_{fmt,Boost,xxhash,utf8proc,LibArchive,OpenSSL,PostgreSQL,SQLite3,yaml-cpp,zstd}=ON
    run "$dir/build/consumer"
    with_pkg_config "$dir/moved"
    mapfile -t libraries < <(find "$dir/moved" -name 'libresumable*.so')
    [[ ${#libraries[@]} -gt 1 ]] || fail "no shared library was installed"
    symbols=$(nm -D --defined-only "${libraries[@]}" | awk 'NF == 3 && $2 != "A" { print $3 }')
    foreign=$(grep -vE '^_Z(T[ISTV]|T[hcv][^N]*)?N[KRO]*9resumable' <<<"$symbols" || true)
    [[ -z $foreign ]] || fail "exported, but not of namespace resumable: $foreign"
    # The API has the version of the SONAME, the rest that of this build alone.
    mixed=$(grep -E 'N[KRO]*9resumable2v0.*@@RESUMABLE_P' <<<"$symbols" || true)
    mixed+=$(grep -vE 'N[KRO]*9resumable2v0|@@RESUMABLE_P' <<<"$symbols" || true)
    [[ -z $mixed ]] || fail "exported under the wrong version: $mixed"
    ;;
  add_subdirectory | fetch_content)
    embed "$way"
    run "$work/embedded/consumer"
    ;;
  *) fail "unknown way" ;;
esac
