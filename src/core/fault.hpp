/// @file
/// The only classification of errors: what has to change before a call can succeed.
#pragma once

#include <cstdint>

#include "resumable/error.hpp"

namespace resumable::core {

enum class Fault : std::uint8_t {
  usage,    ///< the call itself: a name, an option or a handle that cannot be right
  program,  ///< the pipeline, its stages or their inputs
  value,    ///< a value that cannot be saved, or saved bytes that do not decode
  store,    ///< the machine or the right to write; the same call may succeed later
  owner,    ///< another process owns the run
  files,    ///< the data on disk must be inspected first; it stays untouched
};

[[nodiscard]] Fault fault_of(Errc code) noexcept;

}  // namespace resumable::core
