#!/usr/bin/env bash
# check.sh WAY SOURCE BUILD WORK CMAKE GENERATOR COMPILER LAUNCHER
# Builds and runs the project in project/ in WORK/WAY; see the cases below for the ways.
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

# configure FOLDER FLAG...: the stranger's project, built in FOLDER
configure() {
  local folder=$1
  shift
  "$cmake" -S "$here" -B "$folder" -G "$generator" --log-level=WARNING --no-warn-unused-cli \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@" >/dev/null
  "$cmake" --build "$folder" --target consumer >"$folder/build.log" || {
    cat "$folder/build.log" >&2
    fail "does not build"
  }
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
  ! grep -rIFl -e "$dir/installed" -e "$source" -e "$build" "$dir/moved" ||
    fail "these files of the package name a folder of this build"
  local component
  for component in cli encryption inspector sha256 sqlite testing zstd; do
    [[ ";$(components);" == *";$component;"* ]] && continue
    [[ -z $(find "$dir/moved" -path "*/resumable/$component*.hpp" -o \
      -path "*/resumable/$component/*.hpp") ]] ||
      fail "headers of '$component' are installed without the component"
  done
}

# components: those that the moved package brings, as a CMake list
components() {
  find "$dir/moved" -name 'resumable-*.cmake' |
    sed -nE 's|.*/resumable-([a-z0-9]+)\.cmake$|\1|p' | sort -u | paste -sd ';'
}

# embed WAY: the library as a part of the stranger's build, as a shared library. Both ways use one
# build folder, so that the second compiles nothing, and batches as large as those of the presets.
embed() {
  configure "$work/embedded" -DWAY="$1" -DRESUMABLE_SOURCE="$source" \
    -DBUILD_SHARED_LIBS=ON -DRESUMABLE_INSTALL=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=32
}

is_shared() { [[ $(sed -n 's/^BUILD_SHARED_LIBS:[A-Z]*=//p' "$build/CMakeCache.txt") == ON ]]; }

case $way in
  find_package)
    install_and_move "$build"
    configure "$dir/build" -DWAY=find_package -DCMAKE_PREFIX_PATH="$dir/moved" \
      -DCOMPONENTS="$(components)"
    run "$dir/build/consumer"
    ;;
  find_package_shared)
    embed add_subdirectory
    "$cmake" --build "$work/embedded" >"$work/embedded/build.log" || {
      cat "$work/embedded/build.log" >&2
      fail "the library does not build"
    }
    install_and_move "$work/embedded"
    # A shared library keeps its own libraries to itself.
    configure "$dir/build" -DWAY=find_package -DCMAKE_PREFIX_PATH="$dir/moved" \
      -DCOMPONENTS="$(components)" -DCMAKE_DISABLE_FIND_PACKAGE_{fmt,Boost,xxhash,utf8proc}=ON
    run "$dir/build/consumer"
    library=$(find "$dir/moved" -name 'libresumable.so')
    [[ -n $library ]] || fail "no shared library was installed"
    # Weak symbols are what templates of other libraries leave behind; ours are all strong.
    foreign=$(nm -DC --defined-only "$library" |
      awk '$2 ~ /^[TDB]$/' | grep -v 'resumable::' || true)
    [[ -z $foreign ]] || fail "exported, but not of namespace resumable: $foreign"
    leaked=$(nm -D --defined-only "$library" | awk '$2 ~ /^[TDB]$/ {print $3}' |
      grep -E 'nlohmann|3fmt|5boost' || true)
    [[ -z $leaked ]] || fail "exported with another library's type in the name: $leaked"
    ;;
  pkg_config)
    install_and_move "$build"
    pc=$(dirname "$(find "$dir/moved" -name resumable.pc)")
    export PKG_CONFIG_PATH=$pc
    flags=$(pkg-config --cflags --libs resumable)
    # shellcheck disable=SC2086  # the flags are several words
    "$compiler" -std=c++20 "$here/main.cpp" -o "$dir/consumer" $flags
    if is_shared; then export LD_LIBRARY_PATH=$(pkg-config --variable=libdir resumable); fi
    run "$dir/consumer"
    ;;
  add_subdirectory | fetch_content)
    embed "$way"
    run "$work/embedded/consumer"
    ;;
  *) fail "unknown way" ;;
esac
