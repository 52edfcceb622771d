/// @file
/// Tables whose rows belong to rows of the job's table, and name them by its key: the weighings of
/// lambs, the returns of orders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "insights/csv_file.hpp"
#include "insights/table.hpp"

namespace insights {

/// The name of the column that both have, and that has a value of its own in each row of `parent`,
/// nearly all cells of `child` being among those. nullopt: there is none.
[[nodiscard]] std::optional<std::string> key_to(const CsvFile& parent, const CsvFile& child);

/// The table of `child` with the texts that its key leads to: the sire of each weighed lamb.
/// Numbers are not taken over: those of a parent with several rows here would be counted several
/// times.
/// @param key     what key_to() gives
/// @param prompt  as table_of() takes it
[[nodiscard]] Table table_of_child(const CsvFile& child, const CsvFile& parent,
                                   const std::string& key, const std::string& prompt);

}  // namespace insights
