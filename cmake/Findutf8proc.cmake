# Finds utf8proc, whose packages bring no CMake files: target utf8proc::utf8proc.
find_path(utf8proc_INCLUDE_DIR utf8proc.h)
find_library(utf8proc_LIBRARY utf8proc)
mark_as_advanced(utf8proc_INCLUDE_DIR utf8proc_LIBRARY)

if(utf8proc_INCLUDE_DIR)
  foreach(part IN ITEMS UTF8PROC_VERSION_MAJOR UTF8PROC_VERSION_MINOR UTF8PROC_VERSION_PATCH)
    file(STRINGS "${utf8proc_INCLUDE_DIR}/utf8proc.h" utf8proc_line REGEX "^#define +${part} +[0-9]+")
    string(REGEX MATCH "[0-9]+$" utf8proc_number "${utf8proc_line}")
    list(APPEND utf8proc_numbers "${utf8proc_number}")
  endforeach()
  string(JOIN "." utf8proc_VERSION ${utf8proc_numbers})
  unset(utf8proc_line)
  unset(utf8proc_number)
  unset(utf8proc_numbers)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(utf8proc
  REQUIRED_VARS utf8proc_LIBRARY utf8proc_INCLUDE_DIR
  VERSION_VAR utf8proc_VERSION)

if(utf8proc_FOUND AND NOT TARGET utf8proc::utf8proc)
  add_library(utf8proc::utf8proc UNKNOWN IMPORTED)
  set_target_properties(utf8proc::utf8proc PROPERTIES
    IMPORTED_LOCATION "${utf8proc_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${utf8proc_INCLUDE_DIR}")
endif()
