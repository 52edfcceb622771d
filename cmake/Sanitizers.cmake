# With clang, lld links if it is installed: GNU ld takes four times as long for a suite.
if(RESUMABLE_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  find_program(RESUMABLE_LLD ld.lld)
  mark_as_advanced(RESUMABLE_LLD)
endif()

# Sanitizers for our own targets, chosen by RESUMABLE_SANITIZE. A finding ends the program.
function(resumable_sanitizers target)
  if(NOT RESUMABLE_SANITIZE)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    -fsanitize=${RESUMABLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # An archive carries no link flags of its own, so whatever links one of ours gets them from it.
  target_link_options(${target} PUBLIC $<BUILD_INTERFACE:-fsanitize=${RESUMABLE_SANITIZE}>
    $<$<BOOL:${RESUMABLE_LLD}>:$<BUILD_INTERFACE:-fuse-ld=lld>>)
endfunction()
