# Finds dtl, a header alone: target dtl::dtl.
find_path(dtl_INCLUDE_DIR dtl/dtl.hpp)
mark_as_advanced(dtl_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(dtl REQUIRED_VARS dtl_INCLUDE_DIR)

if(dtl_FOUND AND NOT TARGET dtl::dtl)
  add_library(dtl::dtl INTERFACE IMPORTED)
  set_target_properties(dtl::dtl PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${dtl_INCLUDE_DIR}")
endif()
