# Finds gumbo, whose package brings no CMake files: target gumbo::gumbo; for examples and tests only.
find_path(gumbo_INCLUDE_DIR gumbo.h)
find_library(gumbo_LIBRARY gumbo)
mark_as_advanced(gumbo_INCLUDE_DIR gumbo_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(gumbo REQUIRED_VARS gumbo_LIBRARY gumbo_INCLUDE_DIR)

if(gumbo_FOUND AND NOT TARGET gumbo::gumbo)
  add_library(gumbo::gumbo UNKNOWN IMPORTED)
  set_target_properties(gumbo::gumbo PROPERTIES
    IMPORTED_LOCATION "${gumbo_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${gumbo_INCLUDE_DIR}")
endif()
