# Finds cmark-gfm with its extensions, whose packages bring no CMake files that name both: target
# cmark-gfm::cmark-gfm; for examples and tests only.
find_path(cmark-gfm_INCLUDE_DIR cmark-gfm-core-extensions.h)
find_library(cmark-gfm_LIBRARY cmark-gfm)
find_library(cmark-gfm_EXTENSIONS cmark-gfm-extensions)
mark_as_advanced(cmark-gfm_INCLUDE_DIR cmark-gfm_LIBRARY cmark-gfm_EXTENSIONS)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(cmark-gfm
  REQUIRED_VARS cmark-gfm_LIBRARY cmark-gfm_EXTENSIONS cmark-gfm_INCLUDE_DIR)

if(cmark-gfm_FOUND AND NOT TARGET cmark-gfm::cmark-gfm)
  add_library(cmark-gfm::cmark-gfm UNKNOWN IMPORTED)
  set_target_properties(cmark-gfm::cmark-gfm PROPERTIES
    IMPORTED_LOCATION "${cmark-gfm_EXTENSIONS}"
    INTERFACE_LINK_LIBRARIES "${cmark-gfm_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${cmark-gfm_INCLUDE_DIR}")
endif()
