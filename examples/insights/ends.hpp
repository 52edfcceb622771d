/// @file
/// Values of categories that stop before the end of a table, or start after its beginning: a part
/// of find_faults.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "insights/arguments.hpp"
#include "insights/table.hpp"

namespace insights::tool {

/// Of the keys, or of events all categories, those values whose last day in the window is further
/// from the end than five times their usual spacing and three times nearly all of their spacings
/// (`stopped`), and those whose first day is so far from the beginning (`new`). Values with rows on
/// fewer than ten days are not judged. @param where  tells only these values of their categories
[[nodiscard]] nlohmann::json ends(const Table& table, const Rows& rows,
                                  const std::map<std::string, std::string>& where);

}  // namespace insights::tool
