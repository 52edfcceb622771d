/// @file
/// Why a record was made, as far as it and the previous generation show.
#pragma once

#include <string>
#include <vector>

#include "survey/records.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

struct History {
  std::string why{};                   ///< one line
  std::vector<std::string> changed{};  ///< the inputs that are not as they were before
};

/// `before` is the whole generation before it, nullptr where there is none. With `exact`, the line
/// has the identities of inputs, which differ from item to item.
[[nodiscard]] History history_of(const survey::RecordView& record, const survey::RecordView* before,
                                 bool exact);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
