/// @file
/// The results of tools in words, for the offline provider.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// A sentence, or nothing for a result that has none: an error, or rows alone.
[[nodiscard]] std::string sentence(const std::string& tool, const nlohmann::json& result);

/// @pre `date` is one such as 2015-12-31
[[nodiscard]] std::string day_before(const std::string& date);
[[nodiscard]] std::string day_after(const std::string& date);

}  // namespace insights
