/// @file
/// The version of these headers. The build reads it from here.
#pragma once

#define RESUMABLE_VERSION_MAJOR 0
#define RESUMABLE_VERSION_MINOR 1
#define RESUMABLE_VERSION_PATCH 0
