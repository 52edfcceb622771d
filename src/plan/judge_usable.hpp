/// @file
/// The record that a Judge looks at. Included by the files of Judge alone.
#pragma once

#include <optional>
#include <vector>

#include "core/record_format.hpp"
#include "plan/judge.hpp"
#include "value/nested_schemas.hpp"

namespace resumable::plan {

// The record being judged, and what was wrong with newer ones.
struct Judge::Usable {
  const Row* row = nullptr;
  std::optional<core::Header> header;         ///< read where the head alone does not settle it
  std::vector<value::SchemaChange> inside{};  ///< of types inside the value
  std::optional<Cause> damage;
  std::optional<Cause> gate;  ///< neither whole nor damaged: nothing may be touched
};

}  // namespace resumable::plan
