# Finds xxhash, whose packages bring no CMake files: target xxhash::xxhash.
find_path(xxhash_INCLUDE_DIR xxhash.h)
find_library(xxhash_LIBRARY xxhash)
mark_as_advanced(xxhash_INCLUDE_DIR xxhash_LIBRARY)

if(xxhash_INCLUDE_DIR)
  foreach(part IN ITEMS XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE)
    file(STRINGS "${xxhash_INCLUDE_DIR}/xxhash.h" xxhash_line REGEX "^#define +${part} +[0-9]+")
    string(REGEX MATCH "[0-9]+$" xxhash_number "${xxhash_line}")
    list(APPEND xxhash_numbers "${xxhash_number}")
  endforeach()
  string(JOIN "." xxhash_VERSION ${xxhash_numbers})
  unset(xxhash_line)
  unset(xxhash_number)
  unset(xxhash_numbers)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxhash
  REQUIRED_VARS xxhash_LIBRARY xxhash_INCLUDE_DIR
  VERSION_VAR xxhash_VERSION)

if(xxhash_FOUND AND NOT TARGET xxhash::xxhash)
  add_library(xxhash::xxhash UNKNOWN IMPORTED)
  set_target_properties(xxhash::xxhash PROPERTIES
    IMPORTED_LOCATION "${xxhash_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${xxhash_INCLUDE_DIR}")
endif()
