/// @file
/// What a question is about: the columns, categories, values, months and kinds of findings that
/// its words name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

struct Interest {
  std::vector<std::string> columns;     ///< of numbers; all, six at most, when none is named
  std::vector<std::string> statistics;  ///< the same with highest and lowest instead of their mean
  std::vector<std::string> categories;  ///< three at most
  std::set<std::string> named;          ///< of the categories, those that the question names
  std::map<std::string, std::string> where;  ///< the values that are named, each of one category
  std::set<std::string> asks;                ///< kinds of findings: words.json
  std::string month;                         ///< the one month that is named: 2015-12
};

/// @param table  what catalogue() gives
[[nodiscard]] Interest interest_of(const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
