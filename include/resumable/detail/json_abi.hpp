/// @file
/// The name of an inline namespace for everything that is compiled against nlohmann/json in a
/// program's files. It is nlohmann's own (json_abi_v3_11_2, json_abi_diag_…), so that the linker
/// never mixes up code of a program with another version, or with JSON_DIAGNOSTICS, with the
/// library's. No promises: this header may change in any version.
#pragma once

#include <nlohmann/json_fwd.hpp>

#if defined(NLOHMANN_JSON_ABI_TAGS) && defined(NLOHMANN_JSON_NAMESPACE_VERSION)
#define RESUMABLE_JSON_ABI \
  NLOHMANN_JSON_NAMESPACE_CONCAT(NLOHMANN_JSON_ABI_TAGS, NLOHMANN_JSON_NAMESPACE_VERSION)
#else
#define RESUMABLE_JSON_ABI json_abi
#endif
