/// @file
/// RESUMABLE_EXPORT marks what a shared library exports; everything else of it is hidden. Static
/// libraries are compiled and used with RESUMABLE_STATIC_DEFINE (the targets and resumable.pc do
/// so): a library of yours that contains one of ours does not export it.
///
/// Written by hand: a header that CMake makes needs a folder of the build in the include path, and
/// ccache then takes each build folder for another command.
#pragma once

#ifdef RESUMABLE_STATIC_DEFINE
#define RESUMABLE_EXPORT
#else
#define RESUMABLE_EXPORT __attribute__((visibility("default")))
#endif
