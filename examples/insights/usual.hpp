/// @file
/// Tables that say what is usual: normals of the days of a year.
#pragma once

#include "insights/table.hpp"

namespace insights {

/// Whether the table's name says that it holds normals, and it has times.
[[nodiscard]] bool is_normals(const Table& table);

/// Adds what `normals` say about those columns of the readings whose names speak of one of theirs;
/// of a highest, a lowest and their mean it is the mean.
void add_usual(Readings& readings, const Table& normals);

/// What is usual on the day of `moment`; nullopt: nothing is known.
[[nodiscard]] std::optional<double> usual_at(const Usual& usual, Moment moment);

}  // namespace insights
