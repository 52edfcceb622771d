/// @file
/// Columns of which each cell, a number or a code, names one row or one thing: they are looked up,
/// and never measured.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"
#include "insights/table.hpp"

namespace insights {

/// Whether a header is called after what is numbered: `Ticket`, `Order ref`.
[[nodiscard]] bool is_called_number(const std::vector<std::string>& header);

/// Whether whole numbers, some of which are there more than once, name things: `Batch` of readings.
[[nodiscard]] bool are_numbers_of(const std::vector<std::string>& header,
                                  const std::set<double>& numbers, std::size_t rows);

/// Whether so many values are those of things with several rows each, so that they may be grouped.
[[nodiscard]] bool are_things(std::size_t values, std::size_t rows);

/// For the catalogue: what the table's identifiers are called and look like.
[[nodiscard]] nlohmann::json identifier_entries(const Table& table);

/// The identifiers that a prompt names, `job 1144` or `WH1160`; of a category the value that rows
/// are restricted to.
/// @return the prompt with `job` alone: a number that names something is no limit and no time
[[nodiscard]] std::string find_identifiers(Interest& about, const nlohmann::json& table,
                                           const std::string& prompt);

}  // namespace insights
