# The warnings our own code is held to. Private to our targets: a user never inherits one.
function(resumable_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic
    -Wcast-align -Wcast-qual
    -Wconversion -Wsign-conversion -Wdouble-promotion
    -Wextra-semi
    -Wformat=2
    -Wimplicit-fallthrough
    -Wnon-virtual-dtor -Woverloaded-virtual
    -Wold-style-cast
    -Wshadow
    -Wundef
    -Wunused
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-branches>
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
    $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
    # Until g++ 13, -Wrestrict is wrong about std::string's operator+ (GCC bug 105329).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # In a batch of files, g++ takes an anonymous namespace for one of a header.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
    $<$<BOOL:${RESUMABLE_WERROR}>:-Werror>)
endfunction()
