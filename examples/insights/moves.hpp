/// @file
/// What a question asks of two times: which of several has grown or lost most from one to the
/// other.
#pragma once

#include <string>

#include "insights/clauses.hpp"

namespace insights {

/// Which way something is asked to have moved: `rise` of `grown`, `fall` of `lost`, `change` of
/// `compare` or `changed`; "": it is not asked how it moved. `lost the least` asks for a rise, and
/// so does `more in 2024 than in 2023`, but not the other way round.
[[nodiscard]] std::string move_asked(const Clause& clause);

/// Whether a word by itself says that something moved: `lost`, `grew`.
[[nodiscard]] bool is_of_moves(const std::string& word);

/// `in 2023 against 2024`, of a text that asks what moved `from 2023 to 2024`.
[[nodiscard]] std::string with_two_years(const std::string& text);

}  // namespace insights
