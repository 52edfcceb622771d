# Uses ccache when it is installed and nothing else was chosen.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(RESUMABLE_CCACHE ccache)
  mark_as_advanced(RESUMABLE_CCACHE)
  if(RESUMABLE_CCACHE)
    # Without this, ccache refuses every file that uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${RESUMABLE_CCACHE})
  endif()
endif()
