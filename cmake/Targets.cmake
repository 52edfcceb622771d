# How every target of ours is compiled, and what makes one of them a library that ships.

function(resumable_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  resumable_warnings(${target})
  resumable_sanitizers(${target})
endfunction()

# resumable_uses_json(<file> <variable>): whether it includes json.hpp, itself or through our headers.
function(resumable_uses_json file variable)
  get_property(uses GLOBAL PROPERTY "resumable_uses_json_${file}")
  if("${uses}" STREQUAL "")
    set(uses FALSE)
    set_property(GLOBAL PROPERTY "resumable_uses_json_${file}" FALSE)  # if headers include each other
    file(STRINGS "${file}" lines REGEX "^#include [<\"].+/.+\\.hpp[>\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include .(.+).$" "\\1" header "${line}")
      if(header STREQUAL "nlohmann/json.hpp")
        set(uses TRUE)
      endif()
      foreach(root IN ITEMS "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
        if(NOT uses AND EXISTS "${root}/${header}")
          resumable_uses_json("${root}/${header}" uses)
        endif()
      endforeach()
    endforeach()
    set_property(GLOBAL PROPERTY "resumable_uses_json_${file}" ${uses})
  endif()
  set(${variable} ${uses} PARENT_SCOPE)
endfunction()

# resumable_order(<target>): the sources that use json.hpp come last. Its templates take most of the
# time of a batch, so few batches should have them.
function(resumable_order target)
  get_target_property(sources ${target} SOURCES)
  set(last "")
  foreach(source IN LISTS sources)
    resumable_uses_json("${source}" uses)
    if(uses)
      list(REMOVE_ITEM sources "${source}")
      list(APPEND last "${source}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources};${last}")
endfunction()

# resumable_module(<target> <folder>): the sources of one module, a folder of src/.
function(resumable_module target folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.hpp")
  target_sources(${target} PRIVATE ${sources})
endfunction()

configure_file("${PROJECT_SOURCE_DIR}/cmake/symbols.map.in" "${PROJECT_BINARY_DIR}/symbols.map" @ONLY)

# resumable_library(<target> <exported name>): hidden unless RESUMABLE_EXPORT says otherwise,
# installed as resumable::<exported name>, which is its alias in this build, too.
function(resumable_library target name)
  add_library(${target} "${PROJECT_SOURCE_DIR}/include/resumable/version.hpp")
  add_library(resumable::${name} ALIAS ${target})
  resumable_target(${target})
  target_include_directories(${target}
    PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    LINKER_LANGUAGE CXX
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  if(BUILD_SHARED_LIBS)
    set(map "${PROJECT_BINARY_DIR}/symbols.map")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
    set_property(TARGET ${target} PROPERTY LINK_DEPENDS "${map}")
  else()
    target_compile_definitions(${target} PUBLIC RESUMABLE_STATIC_DEFINE)
  endif()
  # Libraries of ours find each other beside themselves, wherever the folder is moved.
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
endfunction()
