/// @file
/// The readings of a system: what the tables of a folder hold of it, as typed columns.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "insights/types.hpp"

namespace insights {

/// The readings cannot be used; what() names the file and the line.
class ReadingsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the .csv and .tsv files of a folder, or one file. `system_id` is a table's name, which is
/// its file's without the ending, or a value of a text column: then each table that has it keeps
/// the rows with it. Tables whose names begin with `system_id` belong to it as well. Of a table
/// with a time, the rows at most `window_days` back from its last one are kept, whose day counts as
/// the first of them.
///
/// A column's kind follows from its cells: a time if nearly all of them are dates of one form, a
/// number if nine of ten are numbers, else a text. A cell that does not fit becomes empty and is
/// counted.
/// @throws ReadingsError  also when there is no such system: it names those that there are
[[nodiscard]] Readings load_readings(const std::filesystem::path& path,
                                     const std::string& system_id, int window_days);

}  // namespace insights
