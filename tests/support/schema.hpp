/// @file
/// Validates JSON against the part of JSON Schema that docs/schemas uses.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace resumable::test {

/// What does not fit, with its place; "" when all fits. An unknown keyword does not fit either.
std::string misfit(const nlohmann::json& schema, const nlohmann::json& value,
                   const std::string& place = "");

/// The schema of this name in docs/schemas.
nlohmann::json schema_of(const std::string& name);

}  // namespace resumable::test
