# A package that can be moved: nothing in it names the place it was built in or installed to.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/resumable")
get_target_property(library_type resumable TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(RESUMABLE_IS_STATIC TRUE)
else()
  set(RESUMABLE_IS_STATIC FALSE)
endif()

# One export file per component, so that asking for the library alone never needs CLI11.
install(TARGETS resumable EXPORT resumableTargets)
install(EXPORT resumableTargets NAMESPACE resumable:: DESTINATION ${package_dir})
set(headers_elsewhere "")
foreach(component IN ITEMS bundle cli encryption inspector postgres s3 sha256 sqlite testing yaml zstd)
  if(TARGET resumable_${component})
    install(TARGETS resumable_${component} EXPORT resumable-${component})
    install(EXPORT resumable-${component} NAMESPACE resumable:: DESTINATION ${package_dir})
  else()
    list(APPEND headers_elsewhere
      REGEX "resumable/${component}(_store)?(\\.hpp)?$" EXCLUDE)
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/resumable"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" ${headers_elsewhere})

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/resumableConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/resumableConfig.cmake"
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/resumableConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/package/resumableConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/resumableConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findxxhash.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findutf8proc.cmake"
  DESTINATION ${package_dir})

# pkg-config finds the prefix from where the .pc file lies.
file(RELATIVE_PATH PC_PREFIX_FROM_PCFILEDIR
  "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" PC_PREFIX_FROM_PCFILEDIR "${PC_PREFIX_FROM_PCFILEDIR}")
if(RESUMABLE_IS_STATIC)
  set(PC_REQUIRES ", fmt >= 9, libxxhash >= 0.8, libutf8proc")
  set(PC_LIBS "-lboost_filesystem -pthread")
  set(PC_CFLAGS "-DRESUMABLE_STATIC_DEFINE")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/resumable.pc.in"
  "${PROJECT_BINARY_DIR}/package/resumable.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/resumable.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# What `cmake --install` needs to have been built, without tests and examples.
add_custom_target(installed)
foreach(target IN ITEMS resumable resumable_bundle resumable_cli resumable_encryption
    resumable_inspector resumable_postgres resumable_s3 resumable_sha256 resumable_sqlite resumable_testing resumable_yaml resumable_zstd
    resumable_program resumable_printed)
  if(TARGET ${target})
    add_dependencies(installed ${target})
  endif()
endforeach()
