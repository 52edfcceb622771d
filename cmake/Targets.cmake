# How every target of ours is compiled, and what makes one of them a library that ships.

function(resumable_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  resumable_warnings(${target})
  resumable_sanitizers(${target})
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
