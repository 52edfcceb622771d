/// @file
/// The version of these headers. It is written here and nowhere else: the build reads it.
#pragma once

#define RESUMABLE_VERSION_MAJOR 0
#define RESUMABLE_VERSION_MINOR 1
#define RESUMABLE_VERSION_PATCH 0
