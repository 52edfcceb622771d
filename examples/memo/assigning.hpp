/// @file
/// The assignment problem: which of several candidates is best given to whom.
#pragma once

#include <cstdint>
#include <vector>

namespace memo {

/// Gives each row at most one column so that the sum of `worth[row][column]` is highest (Kuhn,
/// 1955; Munkres, 1957), in time that is cubic in their number. Worth 0 is never given. One beyond
/// the end for a row that gets none.
[[nodiscard]] std::vector<std::size_t> assigned(
    const std::vector<std::vector<std::int64_t>>& worth);

}  // namespace memo
