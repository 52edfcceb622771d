/// @file
/// RESUMABLE_EXPORT marks what a shared library exports; everything else of it is hidden. Static
/// libraries are compiled and used with RESUMABLE_STATIC_DEFINE (the targets and resumable.pc do
/// so): a library of yours that contains one of ours does not export it.
#pragma once

#ifdef RESUMABLE_STATIC_DEFINE
#define RESUMABLE_EXPORT
#else
#define RESUMABLE_EXPORT __attribute__((visibility("default")))
#endif
