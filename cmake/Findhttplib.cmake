# Finds cpp-httplib as Debian builds it: a header and a library that must agree on what is compiled
# in, which only the pkg-config file knows. Target httplib::httplib; for examples and tests only.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(httplib_PC QUIET IMPORTED_TARGET GLOBAL cpp-httplib)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(httplib
  REQUIRED_VARS httplib_PC_FOUND
  VERSION_VAR httplib_PC_VERSION)

if(httplib_FOUND AND NOT TARGET httplib::httplib)
  add_library(httplib::httplib INTERFACE IMPORTED)
  target_link_libraries(httplib::httplib INTERFACE PkgConfig::httplib_PC)
endif()
