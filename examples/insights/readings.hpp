/// @file
/// The readings of a system: what the tables of a folder hold of it, as one table, and what they
/// say is usual for it.
#pragma once

#include <filesystem>
#include <string>

#include "insights/csv_file.hpp"
#include "insights/table.hpp"

namespace insights {

/// Rows that are kept before the window, as history; the nearest ones.
inline constexpr std::size_t most_history = 20'000;

/// Reads the .csv and .tsv files of a folder, or one file. `system_id` is a value of a category,
/// which selects the rows that have it, or a file's name without its ending; it also selects the
/// files whose names begin with it. Files with the same columns become one table. The window are
/// the rows at most `window_days` back from the last one, whose day counts as the first of them;
/// without times all rows. Other tables with ten rows of these days and columns of their own stand
/// beside it. A table with `normals` (or baseline, usual, typical, reference) in its
/// name says what is usual.
/// @param prompt  what is asked: of several dates in a row the one that it names is the row's time
/// @throws ReadingsError  also when there is no such system: it names those that there are
[[nodiscard]] Readings load_readings(const std::filesystem::path& path,
                                     const std::string& system_id, int window_days,
                                     const std::string& prompt = "");

}  // namespace insights
