/// @file
/// Finds out which texts were edited in a file that consists of several texts, one after the other.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace resumable::exports {

/// One way to cut an edited file into parts, one for each of its texts.
struct Split {
  std::vector<std::string_view> parts;  ///< views of the file, as many as there are texts
  std::vector<std::size_t> changed;     ///< the places of those that are not their text any more
};

/// The splits of `file` in which the fewest texts have changed: at most `most` of them. A cut is
/// next to a text that is unchanged, or before the first line of a text, if that line occurs once
/// in both versions. A text may be gone: its part is empty. Several at the end may be gone if the
/// file ends with the text before them.
///
/// If only one text was edited, the true split is among them: so a single split is the true one.
/// Several mean that the edit is ambiguous, none that no cut was found.
/// @pre no text is empty
/// Cost: linear in the bytes, but for texts that occur more than once.
[[nodiscard]] std::vector<Split> splits_of(const std::vector<std::string_view>& texts,
                                           std::string_view file, std::size_t most);

}  // namespace resumable::exports
